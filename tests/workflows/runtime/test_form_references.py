"""A process whose form asks for a person, a department, a machine, files and rows, from its start to its end."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from core.audit.models import Event
from core.equipment.models import RunState
from core.identity.models import User
from core.kernel.tenancy import tenant_scope
from core.storage.models import Attachment
from tests.cast import A, B, Body, Caller, Cast
from tests.workflows.standalone import deploy, document
from workflows.runtime.tables.deployments.models import Definition
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

FORM: dict[str, Any] = {
    "components": [
        {"type": "xw-person", "key": "leader", "label": "负责人", "validate": {"required": True}},
        {"type": "xw-department", "key": "dept", "label": "部门"},
        {"type": "xw-asset", "key": "machine", "label": "设备"},
        {"type": "filepicker", "key": "offers", "label": "报价", "multiple": True, "validate": {"maxItems": 2}},
        {
            "type": "xw-table", "key": "lines", "label": "明细", "validate": {"maxItems": 3},
            "components": [
                {"type": "textfield", "key": "part", "label": "备件", "validate": {"required": True}},
                {"type": "number", "key": "amount", "label": "数量"},
                {"type": "xw-person", "key": "who", "label": "领用人"},
            ],
        },
    ]
}  # fmt: skip
BODY = """<startEvent id="start" xw:form="ask"/>
  <userTask id="own" name="负责人确认" xw:form="ask" xw:candidates="user:${form.leader}"/>
  <exclusiveGateway id="big" default="small"/>
  <userTask id="many" name="采购" xw:candidates="role:viewer" xw:hiddenFields="offers,leader"/>
  <endEvent id="done"/>
  <sequenceFlow id="f1" sourceRef="start" targetRef="own"/><sequenceFlow id="f2" sourceRef="own" targetRef="big"/>
  <sequenceFlow id="large" sourceRef="big" targetRef="many"><conditionExpression>${size(form.lines) &gt; 1 &amp;&amp;
    form.leader != starter.id &amp;&amp; form.lines[0].amount &gt; 1}</conditionExpression></sequenceFlow>
  <sequenceFlow id="small" sourceRef="big" targetRef="done"/><sequenceFlow id="f3" sourceRef="many" targetRef="done"/>
"""
MODEL = document(BODY, forms={"ask": FORM})


def upload(caller: Caller, name: str = "报价.txt") -> Any:
    file = SimpleUploadedFile(name, b"words")
    return caller.post_form("blade-resource/oss/endpoint/put-file?place=file", file=file).data


def begin(caller: Caller, definition: Definition, **values: Any) -> Body:
    body = {"processDefinitionId": str(definition.pk), "variables": values}
    return caller.post_json("blade-flow/work/start-process", body)


def asked(cast: Cast, **more: Any) -> dict[str, Any]:
    who = str(cast.user("repairer").pk)
    lines = [{"part": "轴承", "amount": 2, "who": who}, {"part": "油封"}]
    return {"leader": who, "machine": str(cast.machine("M1").pk), "lines": lines, **more}


def task_of(instance_id: str) -> str:
    with tenant_scope(A):
        return str(WorkItem.objects.get(instance=instance_id, state=ItemState.OPEN).pk)


def seen(caller: Caller, instance_id: str) -> Any:
    return caller.get("blade-flow/process/detail", processInstanceId=instance_id).data


def test_it_goes_to_the_person_named_and_says_what_everything_is_called(cast: Cast) -> None:
    operator, leader = cast.client_for("operator"), cast.client_for("repairer")
    definition, file = deploy(MODEL), upload(operator)
    person, machine = str(cast.user("repairer").pk), cast.machine("M1")
    dept = str(cast.user("repairer").dept_id)
    started = begin(operator, definition, **asked(cast, dept=dept, offers=[file["link"]]))
    assert started.status == 200, started
    instance_id = started.data["processInstanceId"]
    with tenant_scope(A):
        form = ProcessInstance.objects.get(pk=instance_id).form
        assert (form["leader"], form["offers"], form["lines"][1]) == (
            person, [file["name"]], {"part": "油封", "amount": None, "who": None},
        )  # fmt: skip

    detail = leader.get("blade-flow/work/task-detail", taskId=task_of(instance_id)).data
    [link] = detail["formData"]["offers"]
    assert link.partition("?")[0] == file["link"].partition("?")[0]
    assert detail["texts"] == {
        f"xw-person:{person}": "蒋修", f"xw-department:{dept}": "设备部", f"xw-asset:{machine.pk}": str(machine),
        link: "报价.txt",
    }  # fmt: skip
    second = upload(leader, "比价.txt")
    sent = {**detail["formData"], "offers": [link, second["link"]]}
    done = leader.post_json(
        "blade-flow/work/complete-task", {"taskId": task_of(instance_id), "flag": "ok", "variables": sent}
    )
    assert done.status == 200, done
    with tenant_scope(A):
        assert WorkItem.objects.get(instance=instance_id, state=ItemState.OPEN).node == "many"

    page = seen(operator, instance_id)
    assert page["sections"][0]["values"]["leader"] == person
    assert set(page["texts"].values()) == {"蒋修", "设备部", str(machine), "报价.txt", "比价.txt"}
    narrow = seen(cast.client_for("viewer"), instance_id)
    assert "offers" not in narrow["sections"][0]["values"]
    assert set(narrow["texts"].values()) == {"蒋修", "设备部", str(machine)}
    assert cast.client_for("repairer", B).get("blade-flow/process/detail", processInstanceId=instance_id).status == 404


def test_what_may_not_be_named_is_refused_and_nothing_is_started(cast: Cast) -> None:
    operator, definition = cast.client_for("operator"), deploy(MODEL)
    strange = upload(cast.client_for("repairer"))["link"]
    foreign = str(cast.user("repairer", B).pk)
    refused = begin(operator, definition, **asked(cast, offers=[strange], machine=str(cast.machine("M1", B).pk)))
    assert (refused.status, refused.data) == (
        400, {"fields": {"offers": "文件不存在或已被删除", "machine": "请选择设备"}},
    )  # fmt: skip
    refused = begin(operator.in_english(), definition, leader=foreign, lines=[{"part": "x", "who": foreign}])
    assert refused.data == {"fields": {"leader": "Please select 负责人", "lines": "Row 1: Please select 领用人"}}
    with tenant_scope(A):
        assert not ProcessInstance.objects.exists()


def test_a_scrapped_machine_is_not_chosen_and_stays_where_it_was_named(cast: Cast) -> None:
    operator, definition = cast.client_for("operator"), deploy(MODEL)
    machine = cast.machine("M1")
    before = begin(operator, definition, **asked(cast)).data["processInstanceId"]
    with tenant_scope(A):
        type(machine).objects.filter(pk=machine.pk).update(run_state=RunState.SCRAPPED)
    refused = begin(operator, definition, **asked(cast))
    assert (refused.status, refused.data) == (400, {"fields": {"machine": "设备已报废，请另选一台"}})
    with tenant_scope(A):
        assert [str(one.pk) for one in ProcessInstance.objects.all()] == [before]
    leader, task = cast.client_for("repairer"), task_of(before)
    held = leader.get("blade-flow/work/task-detail", taskId=task).data["formData"]
    assert held["machine"] == str(machine.pk)
    body = {"taskId": task, "flag": "ok", "variables": held}
    assert leader.post_json("blade-flow/work/complete-task", body).status == 200
    assert str(machine) in seen(operator, before)["texts"].values()


def test_files_that_are_only_named_are_refused_and_nothing_is_started(cast: Cast) -> None:
    """A dry run takes names of files that nobody has uploaded; a start does not."""
    refused = begin(cast.client_for("operator"), deploy(MODEL), **asked(cast, offers=["报价.txt"]))
    assert (refused.status, refused.data) == (400, {"fields": {"offers": "文件不存在或已被删除"}})
    with tenant_scope(A):
        assert not ProcessInstance.objects.exists()


def test_what_a_process_shows_stays_among_the_attachments(cast: Cast) -> None:
    operator, definition = cast.client_for("operator"), deploy(MODEL)
    file, other = upload(operator), upload(operator)
    started = begin(operator, definition, **asked(cast, offers=[file["link"]])).data["processInstanceId"]
    kept = operator.post_json("blade-resource/attach/remove", ids=file["attachId"])
    assert (kept.status, kept.msg) == (409, "「报价.txt」已被流程实例引用，不能删除")
    assert operator.post_json("blade-resource/attach/remove", ids=other["attachId"]).status == 200
    leader = cast.client_for("repairer")
    body = {"taskId": task_of(started), "flag": "ok", "variables": {"offers": []}}
    assert leader.post_json("blade-flow/work/complete-task", body).status == 200
    assert operator.post_json("blade-resource/attach/remove", ids=file["attachId"]).status == 200
    with tenant_scope(A):
        assert not Attachment.objects.exists()


def test_who_follows_reads_names_and_corrects_a_person(cast: Cast) -> None:
    started = begin(cast.client_for("operator"), deploy(MODEL), **asked(cast)).data["processInstanceId"]
    admin = cast.client_for("tenant_admin")
    person, other = (str(cast.user(one).pk) for one in ("repairer", "repair_leader"))
    values = admin.get("blade-flow/follow/detail", processInstanceId=started).data
    assert values["texts"][f"xw-person:{person}"] == "蒋修"
    correct = {"processInstanceId": started, "key": "leader", "reason": "换人"}
    refused = admin.post_json("blade-flow/follow/correct-value", {**correct, "value": str(cast.user("repairer", B).pk)})
    assert refused.data == {"fields": {"value": "请选择负责人"}}
    done = admin.post_json("blade-flow/follow/correct-value", {**correct, "value": other}).data
    assert (done["before"], done["after"]) == (person, other)
    assert done["texts"] == {f"xw-person:{person}": "蒋修", f"xw-person:{other}": "卫长"}
    with tenant_scope(A):
        assert Event.objects.get(operation="process.correct").remark == "负责人：蒋修 → 卫长（换人）"


def test_a_dry_run_takes_them_and_keeps_nothing(cast: Cast) -> None:
    designer = cast.client_for("flow_designer")
    values = asked(cast, offers=["报价.txt"])

    def run(*acts: Any, **more: Any) -> Any:
        body = {"xml": MODEL.decode(), "acts": list(acts), "values": {**values, **more}}
        return designer.post_json("blade-flow/model/dry-run", body).data

    begun = run()
    assert begun["problems"] == []
    assert [one["name"] for one in begun["open"][0]["recipients"]["people"]] == ["蒋修"]
    assert "蒋修" in begun["formTexts"].values()
    assert begun["form"]["offers"] == ["报价.txt"]
    act = {"node": "own", "outcome": "submit", "values": {"offers": begun["form"]["offers"]}}
    assert [one["node"] for one in run(act)["open"]] == ["many"]
    few = {**act, "values": {"lines": values["lines"][:1]}}
    assert run(few)["standing"] == "completed"
    wrong = run(leader="999")["steps"][0]["refusal"]
    assert wrong["fields"] == {"leader": "请选择负责人"}
    with tenant_scope(A):
        assert not ProcessInstance.objects.exists()
        assert not Attachment.objects.exists()


def test_who_has_left_keeps_the_name_and_may_stay_in_the_form(cast: Cast) -> None:
    started = begin(cast.client_for("operator"), deploy(MODEL), **asked(cast, leader=str(cast.user("viewer").pk)))
    instance_id = started.data["processInstanceId"]
    with tenant_scope(A):
        User.objects.filter(account="repairer").update(is_enabled=False)
    viewer = cast.client_for("viewer")
    held = viewer.get("blade-flow/work/task-detail", taskId=task_of(instance_id)).data["formData"]
    body = {"taskId": task_of(instance_id), "flag": "ok", "variables": held}
    assert viewer.post_json("blade-flow/work/complete-task", body).status == 200
    assert "蒋修" in seen(cast.client_for("operator"), instance_id)["texts"].values()
