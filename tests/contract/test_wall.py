"""Another tenant's ids are answered like missing ones by every call that takes one, and nothing of it changes.

Every id of every call is tried, read off the document of the calls. TAKES_ID and REFERS add what only people know: own
ids mixed with foreign ones, bodies that would be taken, references of records.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction

from core.access import grants
from core.access.models import ApiScope, DataScope, Menu, Role, TopMenu
from core.audit.models import CallLog, ErrorLog, Event
from core.desk.models import Message
from core.identity.models import Post
from core.kernel import clock
from core.kernel.models import TenantModel
from core.kernel.tenancy import NoTenant, tenant_scope
from core.maintenance.models import RepairOrder
from core.storage.models import Attachment
from core.system.models import BusinessDictionary
from tests.cast import A, B, Cast
from tests.checksums import Checksums, checksum, nothing_changes
from tests.contract.nouns import ledgers, nouns
from tests.prove import fuzz
from tests.workflows.standalone import deploy, two_steps
from workflows.runtime.definitions import library
from workflows.runtime.tables.deployments.models import Definition

ROLES = ("operator", "repair_leader", "equip_manager")
_REPAIR = (Path(__file__).parents[2] / "bpmn/repairorder/repairorder.bpmn").read_text(encoding="utf-8")
REPAIR = _REPAIR.replace("{", "{{").replace("}", "}}")  # to be filled like the other texts

OF_PEOPLE: Mapping[str, list[tuple[str, Mapping[str, Any]]]] = {
    "detail": [("get", {"id": "{user}"})],
    "platform-detail": [("get", {"id": "{user}"})],
    "submit": [("json", {"id": "{user}", "realName": "偷"})],
    "update": [("json", {"id": "{user}", "realName": "偷"})],
    "remove": [("query", {"ids": "{user}"}), ("query", {"ids": "{own_user},{user}"})],
    "grant": [
        ("query", {"userIds": "{user}", "roleIds": "{own_role}"}),
        ("query", {"userIds": "{own_user}", "roleIds": "{role}"}),
        ("query", {"userIds": "{own_user},{user}", "roleIds": "{own_role}"}),
    ],
    "reset-password": [("query", {"userIds": "{user}"}), ("query", {"userIds": "{own_user},{user}"})],
    "unlock": [("query", {"userIds": "{user}"})],
    "update-platform": [("query", {"userId": "{user}", "userType": "2", "userExt": "{{}}"})],
}
"""Calls of people, at both their addresses."""
USERS = ("blade-user", "blade-system/user")

# path → (kind of id, how it travels); the id is of a row of tenant B, the caller is of tenant A
TAKES_ID: Mapping[str, list[tuple[str, Mapping[str, Any]]]] = {
    **{f"{base}/{call}": ways for base in USERS for call, ways in OF_PEOPLE.items()},
    "blade-desk/message/detail": [("get", {"id": "{message}"})],
    "blade-desk/message/read": [("query", {"ids": "{message}"})],
    "blade-flow/model/detail": [("get", {"id": "{draft}"})],
    "blade-flow/model/submit": [("json", {"id": "{draft}", "name": "偷", "xml": "<a/>", "version": 1})],
    "blade-flow/model/remove": [("query", {"ids": "{draft}"}), ("query", {"ids": "{own_draft},{draft}"})],
    "blade-flow/model/deploy": [("query", {"modelId": "{draft}", "tenantIds": "100001", "category": "flow_1"})],
    "blade-flow/model/validate": [("json", {"id": "{draft}"})],
    "blade-flow/model/candidates": [("json", {"xml": REPAIR, "element": "dispatch", "recordId": "{order}"})],
    "blade-flow/model/dry-run": [("json", {"xml": REPAIR, "recordId": "{order}"})],
    "blade-flow/manager/detail": [("get", {"processId": "{definition}"})],
    "blade-flow/manager/times": [("get", {"processId": "{definition}"})],
    "blade-flow/manager/change-state": [("query", {"processId": "{definition}", "state": "suspend"})],
    "blade-flow/manager/delete-deployment": [
        ("query", {"deploymentIds": "{definition}"}),
        ("query", {"deploymentIds": "{own_definition},{definition}"}),
    ],
    "blade-flow/follow/delete-process-instance": [("query", {"processInstanceId": "{instance}", "deleteReason": "偷"})],
    "blade-desk/process/leave/detail": [("get", {"businessId": "{leave}"})],
    "blade-desk/process/leave/remove-draft": [("query", {"id": "{leave}"})],
    "blade-desk/process/leave/update": [
        ("json", {"id": "{leave}", "lockVersion": 1, "action": action, "comment": "偷"})
        for action in ("approve", "reject", "submit", "withdraw")
    ],
    "blade-flow/follow/retry-process-instance": [("query", {"processInstanceId": "{instance}"})],
    "blade-flow/follow/skip-element": [
        ("json", {"processInstanceId": "{instance}", "node": "dispatch", "outcome": "claim", "reason": "偷"})
    ],
    "blade-flow/follow/move-token": [
        ("json", {"processInstanceId": "{instance}", "node": "dispatch", "to": "accept", "reason": "偷"})
    ],
    "blade-flow/follow/suspend-process-instance": [("query", {"processInstanceId": "{instance}", "reason": "偷"})],
    "blade-flow/follow/resume-process-instance": [("query", {"processInstanceId": "{instance}"})],
    "blade-flow/follow/detail": [("get", {"processInstanceId": "{instance}"})],
    "blade-flow/follow/correct-value": [
        ("json", {"processInstanceId": "{instance}", "key": "days", "value": 2, "reason": "偷"})
    ],
    "blade-flow/process/history-flow-list": [("get", {"processInstanceId": "{instance}"})],
    "blade-flow/process/model-view": [
        ("get", {"processInstanceId": "{instance}"}),
        ("get", {"processDefinitionId": "{definition}"}),
    ],
    "blade-flow/process/resource-view": [("get", {"processDefinitionId": "{definition}"})],
    "blade-flow/process/diagram-view": [("get", {"processInstanceId": "{instance}"})],
    "blade-flow/process/detail": [("get", {"processInstanceId": "{instance}"})],
    "blade-flow/work/start-form": [("get", {"processDefinitionId": "{standalone}"})],
    "blade-flow/work/start-process": [("json", {"processDefinitionId": "{standalone}", "variables": {}})],
    "blade-flow/work/task-detail": [("get", {"taskId": "{task}"})],
    "blade-flow/work/claim-task": [("query", {"taskId": "{task}"})],
    "blade-flow/work/unclaim-task": [("query", {"taskId": "{task}"})],
    "blade-flow/work/delegate-task": [("json", {"taskId": "{task}", "userId": "{own_user}", "reason": "偷"})],
    "blade-flow/work/transfer-task": [("json", {"taskId": "{task}", "userId": "{own_user}", "reason": "偷"})],
    "blade-flow/work/reassign": [("json", {"taskId": "{task}", "userId": "{own_user}", "reason": "偷"})],
    "blade-flow/work/hand-over": [("json", {"fromUserId": "{user}", "userId": "{own_user}", "reason": "偷"})],
    "blade-flow/work/handed-over": [("get", {"id": "{task}"})],
    "blade-flow/work/withdraw": [("json", {"processInstanceId": "{instance}", "reason": "偷"})],
    "blade-flow/work/urge": [("json", {"processInstanceId": "{instance}"})],
    "blade-flow/work/complete-task": [
        ("json", {"taskId": "{task}", "flag": "ok"}),
        ("json", {"taskId": "{task}", "outcome": "claim", "processInstanceId": "{instance}"}),
    ],
    "blade-resource/attach/detail": [("get", {"id": "{file}"})],
    "blade-resource/attach/download": [("get", {"id": "{file}"})],
    "blade-resource/attach/submit": [("json", {"id": "{file}", "remark": "偷"})],
    "blade-resource/attach/remove": [("query", {"ids": "{file}"})],
    "blade-system/dict-biz/child-list": [("get", {"parentId": "{dictionary}"})],
    "blade-log/usual/detail": [("get", {"id": "{event}"})],
    "blade-log/api/detail": [("get", {"id": "{call}"})],
    "blade-log/error/detail": [("get", {"id": "{error}"})],
    "blade-system/menu/role-tree-keys": [("get", {"roleIds": "{role}"}), ("get", {"roleIds": "{own_role},{role}"})],
    "blade-system/menu/top-tree-keys": [("get", {"topMenuIds": "{top}"})],
    "blade-system/menu/routes": [("get", {"topMenuId": "{top}"})],
    "blade-system/role/grant": [
        ("json", {"roleIds": ["{role}"], "menuIds": []}),
        ("json", {"roleIds": ["{own_role}", "{role}"], "menuIds": []}),
        ("json", {"roleIds": ["{own_role}"], "dataScopeIds": ["{scope}"]}),
        ("json", {"roleIds": ["{own_role}"], "apiScopeIds": ["{api}"]}),
    ],
    "blade-system/role/tree-by-id": [("get", {"roleId": "{role}"})],
    "blade-system/topmenu/grant": [("json", {"topMenuIds": ["{top}"], "menuIds": []})],
    "yuzhu-equip/inspectmachine/detail": [("get", {"id": "{machine}"})],
    "yuzhu-equip/inspectmachine/remove": [
        ("query", {"ids": "{machine}"}),
        ("query", {"ids": "{own_machine},{machine}"}),
    ],
    "yuzhu-equip/inspectmachine/submit": [("json", {"id": "{machine}", "machineName": "偷"})],
    "yuzhu-equip/repairorder/detail": [("get", {"id": "{order}"})],
    "yuzhu-equip/repairorder/update": [
        ("json", {"id": "{order}", "lockVersion": 1, "description": "别的描述"}),
        ("json", {"id": "{order}", "lockVersion": 1, "action": "cancel", "cancelReason": 1}),
        ("json", {"id": "{order}", "lockVersion": 1, "action": "claim"}),
        ("json", {"id": "{order}", "lockVersion": 1, "action": "dispatch", "repairUserId": "{user}"}),
    ],
    "yuzhu-equip/repairorder/remove": [("query", {"ids": "{order}"})],
    "yuzhu-equip/repairorder/comment": [("json", {"id": "{order}", "text": "偷"})],
    "yuzhu-equip/repairorder/comment-people": [("get", {"id": "{order}"})],
    "yuzhu-equip/repairorder/remove-comment": [("query", {"id": "{order}", "commentId": "{comment}"})],
    "yuzhu-equip/repairorder/machineHistory": [("get", {"machineId": "{machine}"})],
    "yuzhu-equip/repairorderdetail/detail": [("get", {"id": "{line}"})],
    "yuzhu-equip/repairorderdetail/remove": [("query", {"ids": "{line}"})],
    "yuzhu-equip/repairorderdetail/submit": [
        ("json", {"orderId": "{order}", "startTime": "2026-01-01 08:00:00", "endTime": "2026-01-01 09:00:00"}),
        (
            "json",
            {
                "id": "{line}",
                "orderId": "{order}",
                "startTime": "2026-01-01 08:00:00",
                "endTime": "2026-01-01 09:00:00",
            },
        ),
    ],
    "yuzhu-equip/user/machineUsers": [("get", {"machineId": "{machine}"})],
}

LEAVE = {"type": 1, "startTime": "2026-01-01 08:00:00", "endTime": "2026-01-01 17:00:00", "reason": "事"}
# references inside a body: 400 with the sentence of a missing row
REFERS: list[tuple[str, str, Mapping[str, Any]]] = [
    ("equip_manager", "yuzhu-equip/inspectmachine/submit", {**dict.fromkeys(["parentId"], "{machine}"), "_new": True}),
    ("equip_manager", "yuzhu-equip/inspectmachine/submit", {"deptId": "{dept}", "_new": True}),
    ("equip_manager", "yuzhu-equip/inspectmachine/submit", {"teamId": "{team}", "_new": True}),
    ("equip_manager", "yuzhu-equip/inspectmachine/submit", {"typeId": "{class}", "_new": True}),
    ("equip_manager", "yuzhu-equip/inspecttype/submit", {"typeCode": "N", "typeName": "新", "parentId": "{class}"}),
    ("equip_manager", "yuzhu-equip/inspectmachine/submit", {"dutyUserId": "{user}", "_new": True}),
    ("equip_manager", "yuzhu-equip/inspectmachine/submit", {"maintainUserId": "{user}", "_new": True}),
    ("tenant_admin", "blade-user/submit", {"id": "{own_user}", "lockVersion": 1, "deptId": "{dept}"}),
    ("tenant_admin", "blade-user/submit", {"id": "{own_user}", "lockVersion": 1, "roleId": "{own_role},{role}"}),
    ("tenant_admin", "blade-user/submit", {"id": "{own_user}", "lockVersion": 1, "postId": "{post}"}),
    ("tenant_admin", "blade-user/submit", {"id": "{own_user}", "lockVersion": 1, "avatar": "{link}"}),
    ("tenant_admin", "blade-system/dept/submit", {"deptName": "新", "leaderId": "{user}"}),
    ("tenant_admin", "blade-system/dept/submit", {"deptName": "新", "parentId": "{dept}"}),
    ("operator", "blade-desk/process/leave/save-draft", {"taskUser": "{user}"}),
    ("operator", "blade-desk/process/leave/save-draft", {"attachments": "{link}"}),
    ("operator", "blade-desk/process/leave/start-process", {**LEAVE, "taskUser": "{user}"}),
    ("operator", "blade-desk/process/leave/start-process", {**LEAVE, "attachments": ["{link}"]}),
    ("operator", "yuzhu-equip/repairorder/save", {"machineId": "{machine}", "description": "主轴异响"}),
    (
        "operator",
        "yuzhu-equip/repairorder/save",
        {"machineId": "{own_machine}", "description": "主轴异响", "images": "{link}"},
    ),
    (
        "operator",
        "yuzhu-equip/repairorder/save",
        {"machineId": "{own_machine}", "description": "主轴异响", "files": ["{link}"]},
    ),
    (
        "operator",
        "yuzhu-equip/repairorder/save",
        {"machineId": "{own_machine}", "description": "主轴异响", "voice": "{link}"},
    ),
    (
        "operator",
        "yuzhu-equip/repairorder/save",
        {"machineId": "{own_machine}", "description": "主轴异响", "faultTagIds": "{tag}"},
    ),
]


@dataclass(frozen=True)
class Foreign:
    """Rows of tenant B, one of each kind, and what both companies' rows looked like when they were made."""

    ids: Mapping[str, str]
    before: tuple[Checksums, Checksums]


@pytest.fixture(scope="module")
def foreign(django_db_setup: None, django_db_blocker: Any) -> Iterator[Foreign]:
    """Make the rows once for all tests of this file, which begin from them; they are taken back at its end."""
    with django_db_blocker.unblock(), transaction.atomic():
        cast = Cast()
        yield Foreign(_made(cast), (checksum(A), checksum(B)))
        transaction.set_rollback(True)


def _made(cast: Cast) -> dict[str, str]:
    """Make the rows through the calls that people make; return their ids by kind, and some of A's own."""
    operator, leader = cast.client_for("operator", B), cast.client_for("repair_leader", B)
    machine, repairer = cast.machine("M1", B), cast.user("repairer", B)
    order = operator.post_json(
        "yuzhu-equip/repairorder/save", {"machineId": str(machine.pk), "description": "主轴异响"}
    ).data["id"]
    closed = operator.post_json(
        "yuzhu-equip/repairorder/save", {"machineId": str(cast.machine("M2", B).pk), "description": "主轴异响"}
    ).data
    update = {"id": closed["id"], "lockVersion": closed["lockVersion"], "action": "dispatch"}
    leader.post_json("yuzhu-equip/repairorder/update", {**update, "repairUserId": str(repairer.pk)})
    mate = cast.client_for("repairer", B)
    mate.post_json("yuzhu-equip/repairorder/update", {**update, "action": "accept", "lockVersion": 2})
    end = clock.now()
    # Not before the minute of the report, whenever the test runs.
    times = {"startTime": end.replace(second=0, microsecond=0).isoformat(), "endTime": end.isoformat()}
    line = mate.post_json("yuzhu-equip/repairorderdetail/submit", {"orderId": closed["id"], **times}).data["id"]
    detail = operator.get("yuzhu-equip/repairorder/detail", id=order).data
    comment = operator.post_json("yuzhu-equip/repairorder/comment", {"id": order, "text": "急"}).data["id"]
    leave = operator.post_json("blade-desk/process/leave/start-process", {**LEAVE, "taskUser": str(repairer.pk)}).data
    upload = operator.post_form("blade-resource/oss/endpoint/put-file", file=SimpleUploadedFile("a.png", _png()))
    menu = Menu.objects.get(code="role")
    with tenant_scope(B):
        top = TopMenu.objects.create(code="t", name="顶")
        event = Event.objects.create(operation="x", user_id=1, user_name="x", client="web")
        call = CallLog.objects.create(method="GET", request_uri="/x", title="x", status=200, milliseconds=1)
        error = ErrorLog.objects.create(method="GET", request_uri="/x", origin=1, exception_name="x")
        post = Post.objects.create(category=1, post_code="p", post_name="岗")
        api = ApiScope.objects.create(menu=menu, resource_code="x", scope_name="x", scope_path="/xunwei/site")
        grants.rights_changed(B)  # as by the call: else sessions that tests share would keep it
        role, scope = (
            Role.objects.get(role_alias="viewer"),
            DataScope.objects.get(resource_code="repairorder", scope_type=1),
        )
    with tenant_scope(B):
        dictionary = BusinessDictionary.objects.get(code="repair_type", parent=None)
    with tenant_scope(A):
        own_role = Role.objects.get(role_alias="viewer")
    with tenant_scope(B):
        message = Message.objects.create(
            user_id=repairer.pk, outbox_id=1, title="t", content="c", business_type="x", business_id=1
        )
        assert Attachment.objects.count() == 1
    general = Definition.objects.get(key="repairorder", is_general=True)
    own, theirs = (library.deploy(bytes(general.xml), general.meta, tenant) for tenant in (A, B))
    drawn = {"name": "稿", "modelKey": "draft", "xml": "<a/>"}
    own_draft, draft = (
        cast.client_for("tenant_admin", tenant).post_json("blade-flow/model/submit", drawn).data["id"]
        for tenant in (A, B)
    )
    return {
        "draft": draft, "own_draft": own_draft,
        "definition": str(theirs.pk), "own_definition": str(own.pk),
        "own_user": str(cast.user("repairer2").pk),
        "machine": str(machine.pk), "class": str(machine.type_id),
        "own_machine": str(cast.machine("M2", A).pk), "order": order,
        "task": detail["openTask"]["taskId"], "instance": detail["processInstanceId"], "line": line,
        "leave": leave["id"], "comment": comment,
        "message": str(message.pk), "user": str(repairer.pk), "team": str(cast.team("mechanics", B).pk),
        "event": str(event.pk), "call": str(call.pk), "error": str(error.pk),
        "role": str(role.pk), "own_role": str(own_role.pk), "scope": str(scope.pk), "api": str(api.pk),
        "dictionary": str(dictionary.pk), "file": upload.data["attachId"], "top": str(top.pk),
        "post": str(post.pk), "tag": str(cast.tag("异响", B).pk), "dept": str(machine.dept_id),
        "link": upload.data["link"], "standalone": str(deploy(two_steps(), B).pk),
    }  # fmt: skip


def _png() -> bytes:
    import io

    from PIL import Image

    out = io.BytesIO()
    Image.new("RGB", (4, 4), "red").save(out, "PNG")
    return out.getvalue()


def _filled(values: Mapping[str, Any], ids: Mapping[str, str]) -> dict[str, Any]:
    def fill(value: Any) -> Any:
        if isinstance(value, list):
            return [fill(one) for one in value]
        return value.format(**ids) if isinstance(value, str) else value

    return {key: fill(value) for key, value in values.items()}


WAYS = [
    pytest.param(path, way, values, id=f"{path} {' '.join(map(str, values))} {number}")
    for path, ways in TAKES_ID.items()
    for number, (way, values) in enumerate(ways)
]


@pytest.mark.parametrize(("path", "way", "values"), WAYS)
def test_a_foreign_id_is_missing_and_nothing_changes(
    cast: Cast, foreign: Foreign, path: str, way: str, values: Mapping[str, Any]
) -> None:
    given = _filled(values, foreign.ids)
    callers = {account: cast.client_for(account) for account in (*ROLES, "tenant_admin")}
    with nothing_changes(foreign.before):
        for account, caller in callers.items():
            if way == "get":
                answer = caller.get(path, **given)
            elif way == "query":
                answer = caller.post_json(path, **given)
            else:
                answer = caller.post_json(path, given)
            # 403: the role lacks the call's code, so that no id is looked at. The administrator lacks none.
            if answer.status == 403 and account != "tenant_admin":
                assert answer.msg == "没有权限执行此操作", account
            else:
                assert answer.status == 404, (account, answer)


# Every id of every call, read off the document: a new call is tried without being named here.

NAMED = {
    "taskId": "task", "processInstanceId": "instance", "executionId": "instance", "processId": "definition",
    "processInstanceIds": "instance",
    "processDefinitionId": "definition", "deploymentIds": "definition", "modelId": "draft",
    "userId": "user", "userIds": "user", "repairUserId": "user", "reportUserId": "user", "leaderId": "user",
    "starterId": "user", "deptId": "dept", "underDeptId": "dept", "teamId": "team", "postId": "post",
    "roleId": "role", "roleIds": "role",
    "fromUserId": "user", "machineId": "machine", "typeId": "class", "orderId": "order", "recordId": "order",
    "businessId": "order", "commentId": "comment", "fromInstanceId": "instance",
    "bindId": "machine", "bindIds": "machine", "tagId": "machine",
    "topMenuId": "top", "topMenuIds": "top", "dataScopeIds": "scope", "apiScopeIds": "api", "inspectorId": "user",
    # Of these the other company has none: any id of it will do.
    **dict.fromkeys(
        ("ruleId", "ruleIds", "removedRuleIds", "shiftId", "shiftIds", "pointId", "detailId", "groupId", "configId",
         "useLogId", "reverseOfId", "lineId", "spareId"),
        "machine",
    ),
    "repairOrderId": "order",
}  # fmt: skip
"""By a parameter's name, of what kind its row is, where neither a reference nor the call's own table says it."""
SHARED = {"menuId", "menuIds", "clientId", "jobId", "tenantId", "tenantIds", "requestId", "resourceIds", "itemId"}
"""Names of ids that are the same for all companies, or that name no row."""


def _references(shape: Any) -> Iterator[tuple[str, str]]:
    """Yield names of fields with the address under which their row can be chosen, wherever the document has them."""
    if isinstance(shape, dict):
        for name, field in shape.get("properties", {}).items():
            if isinstance(field, dict) and "x-ref" in field and name not in ("id", "parentId"):
                yield name, field["x-ref"]
        for inner in shape.values():
            yield from _references(inner)


REFERENCES = dict(_references(fuzz.plain_document()["components"]["schemas"]))
"""What a filter means says the field of its name."""


def _ids_of(path: str, operation: Mapping[str, Any]) -> dict[str, str]:
    """Return the parameters of a call that take ids: by name the address under which the row can be chosen, or ''."""
    schemas = fuzz.plain_document()["components"]["schemas"]
    found = {one["name"]: one["schema"] for one in operation.get("parameters", ())}
    for content in operation.get("requestBody", {}).get("content", {}).values():
        shape = content.get("schema", {})
        found |= schemas.get(shape.get("$ref", "").rpartition("/")[2], shape).get("properties", {})
    return {
        name: shape.get("x-ref") or REFERENCES.get(name, "")
        for name, shape in found.items()
        if (re.search("(^id|Id)s?$", name) or "x-ref" in shape or shape.get("x-kind") in ("id", "ids"))
        and name not in SHARED
    }


TAKEN = [
    pytest.param(method, path.removeprefix("/api/"), name, reference, id=f"{method} {path} {name}")
    for path, operations in fuzz.plain_document()["paths"].items()
    for method, operation in operations.items()
    for name, reference in _ids_of(path, operation).items()
]


def _row_of_b(path: str, name: str, reference: str, foreign: Foreign) -> str | None:
    """Return the id of a row of B that the parameter could mean; None where all companies share these rows."""
    noun = next((one for one in (*nouns(), *ledgers()) if f"/{one.path}/" in f"{reference or f'/{path}'}"), None)
    if name in ("id", "ids", "parentId") or reference:
        if noun is not None and noun.is_shared:
            return None
        with tenant_scope(B):
            found = noun and noun.view.queryset.model._base_manager.values_list("pk", flat=True).first()
        return str(found or foreign.ids["machine"])
    assert name in NAMED, f"{path} takes {name}: say in NAMED of what kind its row is, or in SHARED that it names none"
    return foreign.ids[NAMED[name]]


@pytest.mark.parametrize(("method", "path", "name", "reference"), TAKEN)
def test_every_id_that_a_call_takes_is_tried(
    cast: Cast, foreign: Foreign, method: str, path: str, name: str, reference: str
) -> None:
    row = _row_of_b(path, name, reference, foreign)
    if row is None:
        return
    administrator = cast.client_for("tenant_admin")
    given = {name: row}
    if method == "get":
        answers = [administrator.get(path, **given)]
    else:
        answers = [administrator.post_json(path, given), administrator.post_json(path, None, **given)]
    mine, theirs_before = foreign.before
    assert checksum(B) == theirs_before
    # What is no reference is no reason to refuse: the rest of the body may be taken.
    assert any(answer.status == 200 for answer in answers) or checksum(A) == mine
    theirs = {one for key, one in foreign.ids.items() if not key.startswith("own_") and len(one) > 6} - {row}
    for answer in answers:
        assert answer.status < 500, answer
        assert [one for one in theirs if f'"{one}"' in json.dumps(answer)] == [], answer


@pytest.mark.parametrize(("account", "path", "values"), REFERS)
def test_foreign_references_are_refused(
    cast: Cast, foreign: Foreign, account: str, path: str, values: Mapping[str, Any]
) -> None:
    body = _filled({key: value for key, value in values.items() if key != "_new"}, foreign.ids)
    if "_new" in values:
        own = {"machineCode": "N1", "machineName": "新", "deptId": str(cast.machine("M1").dept_id), "nodeType": 4}
        body = {**own, **body}
    caller = cast.client_for(account)
    with nothing_changes(foreign.before):
        answer = caller.post_json(path, body)
    assert (answer.status, answer["error"]) == (400, "input.invalid")
    (text,) = answer.data["fields"].values()
    assert text in ("数据不存在或已被删除", "图片不存在或已被删除", "文件不存在或已被删除")


def test_lists_filtered_by_a_foreign_id_are_empty(cast: Cast, foreign: Foreign) -> None:
    administrator = cast.client_for("tenant_admin")
    for path, name, kind in (
        ("yuzhu-equip/inspectmachine/list", "parentId", "machine"),
        ("yuzhu-equip/inspectmachine/list", "typeId", "class"),
        ("yuzhu-equip/repairorder/list", "machineId", "machine"),
        ("yuzhu-equip/repairorder/list", "typeId", "class"),
        ("yuzhu-equip/repairorder/list", "repairUserId", "user"),
        ("yuzhu-equip/repairorderdetail/list", "orderId", "order"),
        ("blade-user/list", "deptId", "dept"),
        ("blade-user/list", "roleId", "role"),
        ("blade-user/page", "postId", "post"),
    ):
        assert administrator.get(path, **{name: foreign.ids[kind]}).data["total"] == 0, path
    for path in ("yuzhu-equip/inspectmachine/getList", "yuzhu-equip/inspectmachine/getTreeList"):
        assert administrator.get(path, typeId=foreign.ids["class"]).data == [], path


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has no row level security; ADR 0005")
@pytest.mark.django_db
def test_the_database_alone_keeps_tenants_apart(cast: Cast, foreign: Foreign) -> None:
    """Plain SQL, past every manager: the first wall is not in the way."""
    tables = [m._meta.db_table for m in apps.get_models() if issubclass(m, TenantModel)]
    assert len(tables) > 15
    for table in tables:
        with tenant_scope(A), connection.cursor() as cursor:
            cursor.execute(f'SELECT count(*) FROM "{table}" WHERE tenant_id <> %s', [A])
            assert cursor.fetchone()[0] == 0, table
            cursor.execute(f'DELETE FROM "{table}" WHERE tenant_id = %s', [B])
            assert cursor.rowcount == 0, table
    with tenant_scope(B):
        assert RepairOrder.objects.count() == 2


@pytest.mark.django_db
def test_the_managers_alone_keep_tenants_apart(cast: Cast, foreign: Foreign) -> None:
    """In a scope of the first wall only: the second one is not raised."""
    from core.kernel import tenancy

    token = tenancy._current.set(A)
    try:
        for model in apps.get_models():
            if issubclass(model, TenantModel):
                assert set(model._base_manager.values_list("tenant_id", flat=True)) <= {A}, model
    finally:
        tenancy._current.reset(token)


@pytest.mark.django_db
def test_without_a_scope_no_statement_on_a_tenant_table_runs(cast: Cast) -> None:
    orders = RepairOrder.objects.filter(status=1)
    order = RepairOrder(order_no="x")
    for statement in (
        lambda: list(orders),
        lambda: orders.update(status=2),
        lambda: orders.delete(),
        lambda: RepairOrder.objects.bulk_create([order]),
        lambda: order.save(),
    ):
        with pytest.raises(NoTenant), transaction.atomic():
            statement()


@pytest.mark.django_db
def test_a_row_of_another_tenant_is_not_written(cast: Cast) -> None:
    message = Message(user_id=1, outbox_id=1, title="t", content="c", business_type="x", business_id=1, tenant_id=B)
    for write in (lambda: message.save(), lambda: Message.objects.bulk_create([message])):
        with pytest.raises(NoTenant), tenant_scope(A), transaction.atomic():
            write()
    with tenant_scope(B):
        assert not Message.objects.filter(outbox_id=message.outbox_id, user_id=1).exists()
