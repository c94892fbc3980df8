"""Another tenant's ids are answered like missing ones by every call that takes one, and nothing of it changes.

Enumerated from the URL table: a call that is in neither list below fails the test, so that a new one is looked at.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction

from core.access.models import ApiScope, DataScope, Menu, Role, TopMenu
from core.audit.models import CallLog, ErrorLog, Event
from core.desk.models import Message
from core.identity.models import Captcha, Post, Session, Tries
from core.kernel import clock
from core.kernel.models import SharedModel, TenantModel
from core.kernel.tenancy import NoTenant, tenant_scope
from core.maintenance.models import RepairOrder
from core.storage.models import Attachment
from core.system.models import BusinessDictionary
from tests.cast import A, B, Cast
from tests.contract.nouns import nouns
from tests.contract.routes import calls
from tests.workflows.unbound import deploy, two_steps
from workflows.deployments import library
from workflows.deployments.models import Definition

ROLES = ("operator", "repair_leader", "equip_manager")
_REPAIR = (Path(__file__).parents[2] / "bpmn/repairorder/repairorder.bpmn").read_text(encoding="utf-8")
REPAIR = _REPAIR.replace("{", "{{").replace("}", "}}")  # to be filled like the other texts

STANDARD = (
    "list", "detail", "submit", "remove", "tree", "lazy-list", "lazy-tree", "select",
    "export", "export-template", "import",
)  # fmt: skip
"""Calls that test_nouns.py tries on every noun."""

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
    "blade-flow/process/history-flow-list": [("get", {"processInstanceId": "{instance}"})],
    "blade-flow/process/model-view": [
        ("get", {"processInstanceId": "{instance}"}),
        ("get", {"processDefinitionId": "{definition}"}),
    ],
    "blade-flow/process/resource-view": [("get", {"processDefinitionId": "{definition}"})],
    "blade-flow/process/diagram-view": [("get", {"processInstanceId": "{instance}"})],
    "blade-flow/process/detail": [("get", {"processInstanceId": "{instance}"})],
    "blade-flow/work/start-form": [("get", {"processDefinitionId": "{unbound}"})],
    "blade-flow/work/start-process": [("json", {"processDefinitionId": "{unbound}", "variables": {}})],
    "blade-flow/work/task-detail": [("get", {"taskId": "{task}"})],
    "blade-flow/work/claim-task": [("query", {"taskId": "{task}"})],
    "blade-flow/work/unclaim-task": [("query", {"taskId": "{task}"})],
    "blade-flow/work/delegate-task": [("json", {"taskId": "{task}", "userId": "{own_user}", "reason": "偷"})],
    "blade-flow/work/transfer-task": [("json", {"taskId": "{task}", "userId": "{own_user}", "reason": "偷"})],
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
    ("tenant_admin", "blade-user/submit", {"id": "{own_user}", "deptId": "{dept}"}),
    ("tenant_admin", "blade-user/submit", {"id": "{own_user}", "roleId": "{own_role},{role}"}),
    ("tenant_admin", "blade-user/submit", {"id": "{own_user}", "postId": "{post}"}),
    ("tenant_admin", "blade-user/submit", {"id": "{own_user}", "avatar": "{link}"}),
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

TAKES_NONE = {
    "blade-auth/captcha", "blade-auth/clear-cache", "blade-auth/logout", "blade-auth/token", "blade-auth/user-info",
    "blade-auth/oauth/captcha", "blade-auth/oauth/logout", "blade-auth/oauth/token", "blade-auth/oauth/user-info",
    "blade-auth/oauth/clear-cache", "blade-auth/oauth/sliderCaptcha", "blade-auth/oauth/update-password",
    "blade-auth/oauth/ticket", "equip-auth/oauth/ticket",
    "equip-auth/oauth/captcha", "equip-auth/oauth/logout", "equip-auth/oauth/token", "equip-auth/oauth/user-info",
    "equip-auth/oauth/clear-cache", "equip-auth/oauth/sliderCaptcha", "equip-auth/oauth/update-password",
    "blade-system/user/update-password", "blade-user/update-password", "yuzhu-equip/common/getTenantList",
    "blade-flow/manager/list", "blade-flow/manager/deploy-upload", "blade-flow/model/list", "blade-flow/follow/list",
    "blade-flow/manager/versions", "blade-flow/model/overview", "blade-flow/follow/counts",
    "blade-flow/model/catalogue", "blade-flow/model/form-check",
    "blade-desk/message/list", "blade-desk/process/leave/form",
    "blade-desk/process/leave/save-draft", "blade-desk/process/leave/start-process", "blade-flow/work/start-list",
    "blade-flow/work/claim-list", "blade-flow/work/counts", "blade-flow/work/done-list",
    "blade-flow/work/send-list", "blade-flow/work/todo-list", "blade-resource/oss/endpoint/put-file",
    "blade-resource/oss/endpoint/put-file-attach", "blade-resource/attach/list", "blade-resource/attach/export",
    "blade-system/dept/tree", "blade-system/dict-biz/dictionary", "blade-system/dict-biz/parent-list",
    "blade-system/dict/child-list", "blade-system/dict/dictionary", "blade-system/dict/parent-list",
    "blade-system/menu/buttons",
    "blade-log/api/export", "blade-log/api/list", "blade-log/error/export", "blade-log/error/list",
    "blade-log/usual/export", "blade-log/usual/list",
    "blade-system/data-scope/resources", "blade-system/menu/auth-routes", "blade-system/menu/grant-top-tree",
    "blade-system/menu/grant-tree", "blade-system/menu/lazy-menu-list", "blade-system/menu/menu-list",
    "blade-system/menu/top-menu", "xunwei/site", "yuzhu-equip/equiptags/getTagList",
    "yuzhu-equip/inspectmachine/getList", "yuzhu-equip/inspectmachine/getTreeList",
    "yuzhu-equip/inspectmachine/list", "yuzhu-equip/repairorder/list",
    "yuzhu-equip/repairorder/repairUserTimePage", "yuzhu-equip/repairorder/repairWorkloadPage",
    "yuzhu-equip/repairorder/save", "yuzhu-equip/repairorderdetail/list", "yuzhu-equip/repairteam/getList",
    "blade-system/tenant/info", "blade-system/tenant/setting", "blade-system/user/list",
    *(f"{base}/{call}" for base in USERS for call in (
        "page", "info", "user-list", "update-info", "import-user", "export-user",
        "import", "export", "export-template",
    )),
}  # fmt: skip


@pytest.fixture
def foreign(cast: Cast) -> dict[str, str]:
    """Ids of rows of tenant B, one of each kind, and an own machine."""
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
        "leave": leave["id"],
        "message": str(message.pk), "user": str(repairer.pk), "team": str(cast.team("mechanics", B).pk),
        "event": str(event.pk), "call": str(call.pk), "error": str(error.pk),
        "role": str(role.pk), "own_role": str(own_role.pk), "scope": str(scope.pk), "api": str(api.pk),
        "dictionary": str(dictionary.pk), "file": upload.data["attachId"], "top": str(top.pk),
        "post": str(post.pk), "tag": str(cast.tag("异响", B).pk), "dept": str(machine.dept_id),
        "link": upload.data["link"], "unbound": str(deploy(two_steps(), B).pk),
    }  # fmt: skip


def _png() -> bytes:
    import io

    from PIL import Image

    out = io.BytesIO()
    Image.new("RGB", (4, 4), "red").save(out, "PNG")
    return out.getvalue()


def checksum(tenant: str) -> str:
    """A digest of every row of a tenant in every tenant table."""
    rows = []
    with tenant_scope(tenant):
        for model in apps.get_models():
            if issubclass(model, TenantModel):
                rows.append((model._meta.label, list(model._base_manager.order_by("pk").values())))
    return hashlib.sha256(repr(rows).encode()).hexdigest()


def shared_checksum() -> str:
    """A digest of every row that all tenants share, but for what signing in leaves."""
    rows = []
    for model in apps.get_models():
        if issubclass(model, SharedModel) and model not in (Session, Captcha, Tries):
            rows.append((model._meta.label, list(model._default_manager.order_by("pk").values())))
    return hashlib.sha256(repr(rows).encode()).hexdigest()


def _filled(values: Mapping[str, Any], ids: Mapping[str, str]) -> dict[str, Any]:
    def fill(value: Any) -> Any:
        if isinstance(value, list):
            return [fill(one) for one in value]
        return value.format(**ids) if isinstance(value, str) else value

    return {key: fill(value) for key, value in values.items()}


def test_every_call_is_known_to_take_an_id_or_not() -> None:
    of_nouns = {f"{noun.path}/{action}" for noun in nouns() for action in STANDARD}
    assert {call.path for call in calls()} - of_nouns == (set(TAKES_ID) | TAKES_NONE) - of_nouns


@pytest.mark.parametrize("account", ROLES)
def test_foreign_ids_are_missing_and_nothing_changes(cast: Cast, foreign: dict[str, str], account: str) -> None:
    caller = cast.client_for(account)
    theirs, mine = checksum(B), checksum(A)
    wrong = {}
    for path, ways in TAKES_ID.items():
        for way, values in ways:
            given = _filled(values, foreign)
            if way == "get":
                answer = caller.get(path, **given)
            elif way == "query":
                answer = caller.post_json(path, **given)
            else:
                answer = caller.post_json(path, given)
            # 403: the role lacks the call's code, so that no id is looked at.
            if answer.status not in (404, 403) or (answer.status == 403 and answer.msg != "没有权限执行此操作"):
                wrong[path, way] = (answer.status, answer.get("msg"))
    assert wrong == {}
    assert checksum(B) == theirs
    assert checksum(A) == mine


def test_the_wall_is_met_as_404_by_whoever_holds_the_code(cast: Cast, foreign: dict[str, str]) -> None:
    administrator = cast.client_for("tenant_admin")
    for path, ways in TAKES_ID.items():
        for way, values in ways:
            given = _filled(values, foreign)
            send = administrator.get if way == "get" else administrator.post_json
            answer = send(path, given) if way == "json" else send(path, **given)  # type: ignore[arg-type]
            assert answer.status == 404, (path, answer)


@pytest.mark.parametrize(("account", "path", "values"), REFERS)
def test_foreign_references_are_refused(
    cast: Cast, foreign: dict[str, str], account: str, path: str, values: Mapping[str, Any]
) -> None:
    body = _filled({key: value for key, value in values.items() if key != "_new"}, foreign)
    if "_new" in values:
        own = {"machineCode": "N1", "machineName": "新", "deptId": str(cast.machine("M1").dept_id), "nodeType": 4}
        body = {**own, **body}
    theirs, mine = checksum(B), checksum(A)
    answer = cast.client_for(account).post_json(path, body)
    assert (answer.status, answer["error"]) == (400, "input.invalid")
    (text,) = answer.data["fields"].values()
    assert text in ("数据不存在或已被删除", "图片不存在或已被删除", "文件不存在或已被删除")
    assert (checksum(B), checksum(A)) == (theirs, mine)


def test_lists_filtered_by_a_foreign_id_are_empty(cast: Cast, foreign: dict[str, str]) -> None:
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
        assert administrator.get(path, **{name: foreign[kind]}).data["total"] == 0, path
    for path in ("yuzhu-equip/inspectmachine/getList", "yuzhu-equip/inspectmachine/getTreeList"):
        assert administrator.get(path, typeId=foreign["class"]).data == [], path


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has no row level security; ADR 0005")
@pytest.mark.django_db
def test_the_database_alone_keeps_tenants_apart(cast: Cast, foreign: dict[str, str]) -> None:
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
def test_the_managers_alone_keep_tenants_apart(cast: Cast, foreign: dict[str, str]) -> None:
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
        assert Message.objects.count() == 0
