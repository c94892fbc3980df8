"""Processes that no record is bound to: started, completed with forms, seen, and refused where they must be."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core.audit.models import Event
from core.identity.models import Department
from core.kernel.tenancy import PLATFORM, tenant_scope
from tests.cast import A, B, Body, Caller, Cast
from tests.checksums import checksum
from tests.workflows.standalone import APPLY, APPROVE, ONE_STEP, RECORD, deploy, document, two_steps
from workflows import engine
from workflows.runtime.commands import sweep
from workflows.runtime.tables.deployments.models import Definition
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.timers.models import Timer
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

START, COMPLETE = "blade-flow/work/start-process", "blade-flow/work/complete-task"
FORM, TASK = "blade-flow/work/start-form", "blade-flow/work/task-detail"
GIVEN = {"days": 3, "reason": "休息"}


def begin(caller: Caller, definition: Definition, variables: dict[str, Any] | None = None, key: str = "") -> Body:
    body = {"processDefinitionId": str(definition.pk), "variables": GIVEN if variables is None else variables}
    return caller.post_json(START, body, key=key)


def item_of(instance_id: str, tenant: str = A) -> str:
    with tenant_scope(tenant):
        return str(WorkItem.objects.get(instance=instance_id, state=ItemState.OPEN).pk)


def row(instance_id: str) -> ProcessInstance:
    with tenant_scope(A):
        return ProcessInstance.objects.get(pk=instance_id)  # type: ignore[no-any-return]


def test_the_two_steps_are_gone_through_over_http(cast: Cast) -> None:
    definition = deploy(two_steps())
    operator, manager, hr = (cast.client_for(name) for name in ("operator", "equip_manager", "viewer"))
    asked = operator.in_english().get(FORM, processDefinitionId=definition.pk).data
    assert asked == {
        "processDefinitionId": str(definition.pk), "processDefinitionKey": "own", "processDefinitionName": "Own",
        "processDefinitionVersion": 1, "form": APPLY, "formData": {}, "texts": {},
    }  # fmt: skip
    started = begin(operator, definition)
    assert started.status == 200, started
    instance_id = started.data["processInstanceId"]
    assert started.data["title"] == "秦操 · 请假"
    assert started.data["businessNo"].startswith("LC") and started.data["businessNo"].endswith("0001")
    assert started.data["processIsFinished"] == "unfinished"

    (task,) = manager.get("blade-flow/work/claim-list").data["records"]
    assert (task["taskName"], task["businessTable"], task["processInstanceId"]) == ("主管审批", "process", instance_id)
    assert hr.get("blade-flow/work/claim-list").data["records"] == []
    detail = manager.get(TASK, taskId=task["taskId"]).data
    assert (detail["form"], detail["formData"], detail["canComplete"]) == (APPROVE, {}, True)
    assert detail["outcomes"] == [
        {"value": "submit", "label": "提交", "positive": True, "negative": False, "asks": "input"}
    ]
    said = {"taskId": task["taskId"], "flag": "ok", "comment": "好", "variables": {"approved": True, "comment": "可以"}}
    done = manager.post_json(COMPLETE, said)
    assert (done.status, done.data) == (200, {**started.data})
    (task,) = hr.get("blade-flow/work/claim-list").data["records"]
    detail = hr.in_english().get(TASK, taskId=task["taskId"]).data
    assert (detail["form"], detail["formData"], detail["taskName"]) == (RECORD, {"days": 3}, "HR records")
    done = hr.post_json(COMPLETE, {"taskId": task["taskId"], "flag": "ok", "variables": {"recorded": True}})
    assert (done.status, done.data["processIsFinished"]) == (200, "finished")

    instance = row(instance_id)
    assert instance.status == InstanceStatus.COMPLETED
    assert instance.form == {**GIVEN, "approved": True, "comment": "可以", "recorded": True}
    assert (instance.business_type, instance.business_id) == ("process", instance.pk)
    with tenant_scope(A):
        acts = Event.objects.order_by("id").values_list("operation", "business_type", "business_id", "user_name")
        assert list(acts) == [
            ("process.start", "process", instance.pk, "秦操"),
            ("task.complete", "process", instance.pk, "钱管"),
            ("task.complete", "process", instance.pk, "何看"),
        ]
    (sent,) = operator.get("blade-flow/work/send-list").data["records"]
    assert (sent["processIsFinished"], sent["title"]) == ("finished", "秦操 · 请假")
    history = operator.get("blade-flow/process/history-flow-list", processInstanceId=instance_id).data
    assert [entry["historyActivityName"] for entry in history] == ["发起", "主管审批", "人事登记", "结束"]
    view = operator.get("blade-flow/process/model-view", processInstanceId=instance_id).data
    assert view["finished"] and view["flows"] == {"f1": 1, "f2": 1, "yes": 1, "f3": 1}


@pytest.mark.parametrize(
    ("variables", "steps"),
    [
        ({**GIVEN}, ["manager", "hr"]),
        ({**GIVEN, "cost": 999.5}, ["manager", "hr"]),
        ({**GIVEN, "cost": 1000}, ["manager"]),
        ({**GIVEN, "cost": None}, ["manager", "hr"]),
    ],
)
def test_conditions_read_the_form_and_a_missing_field_is_false(
    cast: Cast, variables: dict[str, Any], steps: list[str]
) -> None:
    started = begin(cast.client_for("operator"), deploy(two_steps()), variables).data["processInstanceId"]
    said = {"taskId": item_of(started), "flag": "ok", "variables": {"approved": True}}
    assert cast.client_for("equip_manager").post_json(COMPLETE, said).status == 200
    with tenant_scope(A):
        assert list(WorkItem.objects.order_by("id").values_list("node", flat=True)) == steps


REFUSED: list[tuple[Any, dict[str, str]]] = [
    ({}, {"days": "请输入天数", "reason": "请输入理由"}),
    ({**GIVEN, "days": "3"}, {"days": "天数应为数字"}),
    ({**GIVEN, "days": 31}, {"days": "天数应在0.5到30之间"}),
    ({**GIVEN, "days": {"$gt": 1}}, {"days": "天数应为数字"}),
    ({**GIVEN, "reason": "长" * 201}, {"reason": "理由长度不能超过200个字符"}),
    ({**GIVEN, "__class__": 1}, {"__class__": "表单中没有字段“__class__”"}),
    ({**GIVEN, "typename": "x"}, {"typename": "表单中没有字段“typename”"}),
    ({**GIVEN, "approved": True}, {"approved": "表单中没有字段“approved”"}),
    ({**GIVEN, "starter": {"id": 1}}, {"starter": "表单中没有字段“starter”"}),
]


@pytest.mark.parametrize(("variables", "fields"), REFUSED)
def test_a_start_with_wrong_input_is_refused_field_by_field(cast: Cast, variables: Any, fields: Any) -> None:
    definition, caller = deploy(two_steps()), cast.client_for("operator")
    before = checksum(A)
    answer = begin(caller, definition, variables)
    assert (answer.status, answer["error"], answer.data) == (400, "input.invalid", {"fields": fields})
    assert checksum(A) == before


@pytest.mark.parametrize("variables", [[1], "x", 5])
def test_variables_that_are_no_object_are_refused(cast: Cast, variables: Any) -> None:
    definition, caller = deploy(two_steps()), cast.client_for("operator")
    before = checksum(A)
    answer = caller.post_json(START, {"processDefinitionId": str(definition.pk), "variables": variables})
    assert (answer.status, answer["error"]) == (400, "input.invalid")
    assert checksum(A) == before


def test_a_step_with_wrong_input_is_refused_and_nothing_moves(cast: Cast) -> None:
    started = begin(cast.client_for("operator"), deploy(two_steps())).data["processInstanceId"]
    manager, hr = cast.client_for("equip_manager"), cast.client_for("viewer")
    task = item_of(started)
    before = checksum(A)
    for variables, fields in (
        ({"approved": "yes"}, {"approved": "请选择批准"}),
        ({"days": 1}, {"days": "表单中没有字段“days”"}),
    ):
        answer = manager.post_json(COMPLETE, {"taskId": task, "flag": "ok", "variables": variables})
        assert (answer.status, answer.data) == (400, {"fields": fields})
    assert manager.post_json(COMPLETE, {"taskId": task, "flag": "ok", "variables": [1]}).status == 400
    assert manager.post_json(COMPLETE, {"taskId": task, "variables": {}})["error"] == "workflow.outcome"
    assert manager.post_json(COMPLETE, {"taskId": task, "outcome": "agree"})["error"] == "workflow.outcome"
    assert checksum(A) == before
    assert manager.post_json(COMPLETE, {"taskId": task, "flag": "ok", "variables": {"approved": True}}).status == 200
    task = item_of(started)
    before = checksum(A)
    answer = hr.post_json(COMPLETE, {"taskId": task, "flag": "ok", "variables": {"days": 3, "recorded": True}})
    assert (answer.status, answer.data) == (400, {"fields": {"days": "天数不能修改"}})
    assert hr.post_json(COMPLETE, {"taskId": task, "flag": "ok"}).data == {"fields": {"recorded": "请选择已登记"}}
    assert checksum(A) == before


def test_who_does_not_hold_it_does_not_complete_it(cast: Cast) -> None:
    started = begin(cast.client_for("operator"), deploy(two_steps())).data["processInstanceId"]
    said = {"taskId": item_of(started), "flag": "ok", "variables": {"approved": True}}
    before, theirs = checksum(A), checksum(B)
    expected = {"operator": 403, "operator2": 404, "viewer": 404}
    for account, status in expected.items():
        assert cast.client_for(account).post_json(COMPLETE, said).status == status, account
    assert cast.client_for("equip_manager", B).post_json(COMPLETE, said).status == 404
    assert (checksum(A), checksum(B)) == (before, theirs)


def test_the_same_request_again_gets_its_answer_and_another_hears_who_did_it(cast: Cast) -> None:
    operator, manager = cast.client_for("operator"), cast.client_for("equip_manager")
    definition = deploy(two_steps(manager="role:equip_manager role:repair_leader"))
    first, again = begin(operator, definition, key="s1"), begin(operator, definition, key="s1")
    assert (first.status, again) == (200, first)
    with tenant_scope(A):
        assert ProcessInstance.objects.count() == 1
    other = begin(operator, definition, {**GIVEN, "days": 4}, key="s1")
    assert (other.status, other["error"]) == (409, "request.keyReused")
    said = {"taskId": item_of(first.data["processInstanceId"]), "flag": "ok", "variables": {"approved": True}}
    done = manager.post_json(COMPLETE, said)
    assert (done.status, manager.post_json(COMPLETE, said)) == (200, done)
    late = cast.client_for("repair_leader").post_json(COMPLETE, said)
    assert (late.status, late["error"], late.data["userName"]) == (409, "workflow.taskCompleted", "钱管")
    with tenant_scope(A):
        assert Event.objects.count() == 2


def test_who_sees_an_instance_and_what_of_its_form(cast: Cast) -> None:
    body = ONE_STEP.format(task='xw:form="apply" xw:hiddenFields="cost" xw:candidates="role:equip_manager"')
    body = body.replace('<startEvent id="start"/>', '<startEvent id="start" xw:form="apply"/>')
    definition = deploy(document(body, forms={"apply": APPLY}))
    started = begin(cast.client_for("operator"), definition, {**GIVEN, "cost": 50}).data["processInstanceId"]

    def read(account: str, tenant: str = A) -> Any:
        answer = cast.client_for(account, tenant).get("blade-flow/process/detail", processInstanceId=started)
        return [section["values"] for section in answer.data["sections"]] if answer.status == 200 else answer.status

    assert read("operator") == [{**GIVEN, "cost": 50}]
    assert read("equip_manager") == [GIVEN]
    assert read("flow_designer") == [{**GIVEN, "cost": 50}]
    assert [read("operator2"), read("viewer"), read("equip_manager", B), read("operator", B)] == [404] * 4
    for path in ("history-flow-list", "model-view"):
        codes = [
            cast.client_for(account).get(f"blade-flow/process/{path}", processInstanceId=started).status
            for account in ("operator", "equip_manager", "operator2")
        ]
        assert codes == [200, 200, 404]
    task = item_of(started)
    detail = cast.client_for("equip_manager").get(TASK, taskId=task).data
    assert detail["formData"] == GIVEN
    assert "cost" not in str(detail["form"])
    hidden = {"taskId": task, "flag": "ok", "variables": {"cost": 1}}
    answer = cast.client_for("equip_manager").post_json(COMPLETE, hidden)
    assert answer.data == {"fields": {"cost": "表单中没有字段“cost”"}}
    changed = {"taskId": task, "flag": "ok", "variables": {"days": 2}}
    assert cast.client_for("equip_manager").post_json(COMPLETE, changed).status == 200
    assert row(started).form == {"days": 2, "reason": "休息", "cost": 50}
    assert read("equip_manager") == [{"days": 2, "reason": "休息"}]


@pytest.mark.parametrize(
    ("task", "read"),
    [
        ('xw:form="approve"', GIVEN),
        ("", GIVEN),
        ('xw:hiddenFields="reason"', {"days": 3}),
        ('xw:form="approve" xw:hiddenFields="days,cost"', {"reason": "休息"}),
        ('xw:hiddenFields="*"', {}),
    ],
)
def test_who_works_on_a_step_reads_what_was_filled_in_but_for_what_it_hides(
    cast: Cast, task: str, read: dict[str, Any]
) -> None:
    body = ONE_STEP.format(task=f'{task} xw:candidates="role:equip_manager"')
    body = body.replace('<startEvent id="start"/>', '<startEvent id="start" xw:form="apply"/>')
    definition = deploy(document(body, forms={"apply": APPLY, "approve": APPROVE}))
    started = begin(cast.client_for("operator"), definition).data["processInstanceId"]

    def seen() -> dict[str, Any]:
        answer = cast.client_for("equip_manager").get("blade-flow/process/detail", processInstanceId=started).data
        return {key: value for section in answer["sections"] for key, value in section["values"].items()}

    assert seen() == read
    said = {"taskId": item_of(started), "flag": "ok"}
    assert cast.client_for("equip_manager").post_json(COMPLETE, said).status == 200
    assert seen() == read


def test_what_may_not_be_started_is_refused(cast: Cast) -> None:
    mine = deploy(two_steps(process='xw:starters="role:repair_leader user:operator2"'))
    theirs, general = deploy(two_steps(), B), deploy(two_steps(), PLATFORM, key="everyone")
    bound = Definition.objects.get(key="repairorder", is_general=True)
    operator, leader = cast.client_for("operator"), cast.client_for("repair_leader")
    before = checksum(A)
    for definition, status, error in (
        (mine, 403, "access.denied"), (theirs, 404, "data.missing"), (bound, 400, "workflow.bound"),
    ):  # fmt: skip
        answer = begin(operator, definition)
        assert (answer.status, answer["error"]) == (status, error)
        assert operator.get(FORM, processDefinitionId=definition.pk).status == status
    for wrong in ("0", "x", "9" * 30, "-1"):
        assert operator.post_json(START, {"processDefinitionId": wrong}).status == 404
    assert operator.post_json(START, {}).status == 400
    Definition.objects.filter(pk=mine.pk).update(is_active=False)
    assert begin(leader, mine)["error"] == "workflow.suspended"
    assert checksum(A) == before
    Definition.objects.filter(pk=mine.pk).update(is_active=True)
    assert [begin(caller, mine).status for caller in (leader, cast.client_for("operator2"))] == [200, 200]
    assert [begin(cast.client_for("operator", tenant), general).status for tenant in (A, B)] == [200, 200]


def test_the_start_list_names_what_one_may_start_and_where(cast: Cast) -> None:
    everyone, some = deploy(two_steps()), deploy(two_steps(process='xw:starters="role:viewer"'), key="some")
    theirs, general = deploy(two_steps(), B, key="theirs"), deploy(two_steps(), PLATFORM, key="general")

    def listed(account: str, tenant: str = A) -> set[str]:
        found = cast.client_for(account, tenant).get("blade-flow/work/start-list", size=100).data["records"]
        return {one["startPage"] for one in found if one["key"] in ("own", "some", "theirs", "general")}

    pages = {one: f"/work/process/own/form/{one.pk}" for one in (everyone, some, theirs, general)}
    assert listed("operator") == {pages[everyone], pages[general]}
    assert listed("viewer") == {pages[everyone], pages[some], pages[general]}
    assert listed("operator", B) == {pages[theirs], pages[general]}
    newer = deploy(two_steps(hr="role:operator"))
    assert listed("operator") == {f"/work/process/own/form/{newer.pk}", pages[general]}
    Definition.objects.filter(pk=newer.pk).update(is_active=False)
    assert listed("operator") == {pages[general]}


def test_only_the_version_that_the_tenant_starts_is_started(cast: Cast) -> None:
    general, old = deploy(two_steps(), PLATFORM), deploy(two_steps())
    new = deploy(two_steps(hr="role:operator"))
    operator = cast.client_for("operator")
    for definition in (general, old):
        answer = begin(operator, definition)
        assert (answer.status, answer["error"]) == (409, "workflow.newVersion")
    assert begin(operator, new).status == 200
    assert begin(cast.client_for("operator", B), general).status == 200


def test_without_a_form_one_agrees_or_rejects_and_a_rejection_ends_it(cast: Cast) -> None:
    definition = deploy(document(ONE_STEP.format(task='xw:candidates="role:equip_manager"')))
    operator, manager = cast.client_for("operator"), cast.client_for("equip_manager")
    agreed, rejected = (begin(operator, definition, {}).data["processInstanceId"] for _n in range(2))
    detail = manager.get(TASK, taskId=item_of(agreed)).data
    assert [one["value"] for one in detail["outcomes"]] == ["agree", "reject"]
    assert (detail["form"], detail["formData"]) == (None, {})
    said = {"taskId": item_of(agreed), "flag": "ok", "variables": {"x": 1}}
    assert manager.post_json(COMPLETE, said).data == {"fields": {"x": "表单中没有字段“x”"}}
    assert manager.post_json(COMPLETE, {"taskId": item_of(agreed), "flag": "ok"}).status == 200
    done = manager.post_json(COMPLETE, {"taskId": item_of(rejected), "comment": "不行"})
    assert (done.status, done.data["processIsFinished"]) == (200, "finished")
    assert (row(agreed).status, row(rejected).status) == (InstanceStatus.COMPLETED, InstanceStatus.REJECTED)
    with tenant_scope(A):
        item = WorkItem.objects.get(instance=rejected)
        assert (item.state, item.outcome, item.comment) == (ItemState.DONE, "reject", "不行")
    detail = operator.in_english().get("blade-flow/process/detail", processInstanceId=rejected).data
    assert (detail["statusName"], detail["processIsFinished"]) == ("Rejected", "finished")
    assert manager.post_json(COMPLETE, {"taskId": str(item.pk), "flag": "ok"}).status == 409


def test_who_rejects_need_not_fill_in_what_an_agreement_needs(cast: Cast) -> None:
    body = ONE_STEP.format(task='xw:form="apply" xw:outcomes="agree,reject" xw:candidates="role:equip_manager"')
    started = begin(cast.client_for("operator"), deploy(document(body, forms={"apply": APPLY})), {}).data
    manager, task = cast.client_for("equip_manager"), item_of(started["processInstanceId"])
    before = checksum(A)
    missing = {"days": "请输入天数", "reason": "请输入理由"}
    assert manager.post_json(COMPLETE, {"taskId": task, "flag": "ok"}).data == {"fields": missing}
    wrong = manager.post_json(COMPLETE, {"taskId": task, "variables": {"days": 99}})
    assert wrong.data == {"fields": {"days": "天数应在0.5到30之间"}}
    assert checksum(A) == before
    assert manager.post_json(COMPLETE, {"taskId": task}).data["processIsFinished"] == "finished"
    assert row(started["processInstanceId"]).status == InstanceStatus.REJECTED


ASKED = """<startEvent id="start"/><userTask id="look" name="审批" xw:candidates="role:equip_manager"/>
  <exclusiveGateway id="g" default="ok"/><userTask id="mend" name="修改" xw:assignee="${starter.id}"/>
  <endEvent id="done"/>
  <sequenceFlow id="f1" sourceRef="start" targetRef="look"/><sequenceFlow id="f2" sourceRef="look" targetRef="g"/>
  <sequenceFlow id="back" name="退回修改" xw:nameEn="Send back" sourceRef="g" targetRef="mend">
    <conditionExpression>${outcome == 'reject'}</conditionExpression></sequenceFlow>
  <sequenceFlow id="ok" sourceRef="g" targetRef="done"/><sequenceFlow id="f4" sourceRef="mend" targetRef="look"/>"""


def test_where_the_gateway_asks_the_outcomes_are_its_flows(cast: Cast) -> None:
    started = begin(cast.client_for("operator"), deploy(document(ASKED)), {}).data["processInstanceId"]
    manager = cast.client_for("equip_manager").in_english()
    detail = manager.get(TASK, taskId=item_of(started)).data
    assert detail["outcomes"] == [
        {"value": "reject", "label": "Send back", "positive": False, "negative": True, "asks": "nothing"},
        {"value": "agree", "label": "Approve", "positive": True, "negative": False, "asks": "nothing"},
    ]
    assert manager.post_json(COMPLETE, {"taskId": item_of(started)}).status == 200
    with tenant_scope(A):
        item = WorkItem.objects.get(instance=started, state=ItemState.OPEN)
        assert (item.node, item.assignee_id) == ("mend", cast.user("operator").pk)
    assert row(started).status == InstanceStatus.RUNNING


def test_a_rejection_that_an_earlier_gateway_would_have_asked_still_ends_it(cast: Cast) -> None:
    later = ASKED.replace('targetRef="done"/>', 'targetRef="file"/>').replace(
        '<endEvent id="done"/>',
        """<userTask id="file" xw:candidates="role:equip_manager"/><endEvent id="done"/>
        <sequenceFlow id="f5" sourceRef="file" targetRef="done"/>""",
    )
    started = begin(cast.client_for("operator"), deploy(document(later)), {}).data["processInstanceId"]
    manager = cast.client_for("equip_manager")
    assert manager.post_json(COMPLETE, {"taskId": item_of(started), "flag": "ok"}).status == 200
    assert row(started).status == InstanceStatus.RUNNING
    assert manager.post_json(COMPLETE, {"taskId": item_of(started)}).data["processIsFinished"] == "finished"
    assert row(started).status == InstanceStatus.REJECTED


@pytest.mark.parametrize(
    "task",
    [
        "", 'xw:candidates="role:nobody team:x user:ghost ${form.x}"', 'xw:assignee="${\'nobody\'}"', 'xw:assignee="7"',
        'xw:candidates="role:nobody@1;drop magic:1"',
        'xw:assignee="${\'9\' + \'99999999999999999999999999\'}"', 'xw:candidates="user:{theirs}"',
    ],
)  # fmt: skip
def test_a_step_that_names_nobody_goes_to_the_starters_head_then_to_the_administrator(cast: Cast, task: str) -> None:
    definition = deploy(
        document(ONE_STEP.replace("{task}", task.replace("{theirs}", str(cast.user("operator", B).pk))))
    )
    operator = cast.client_for("operator")
    first = begin(operator, definition, {}).data["processInstanceId"]
    leader = cast.user("shift_leader")
    with tenant_scope(A):
        assert len(WorkItem.objects.get(instance=first).candidate_keys) == 1
        assert WorkItem.objects.get(instance=first).candidate_keys[0].startswith("role:")
        Department.objects.filter(pk=leader.dept_id).update(leader=leader)
    assert item_of(first) in str(cast.client_for("tenant_admin").get("blade-flow/work/claim-list").data)
    second = begin(operator, definition, {}).data["processInstanceId"]
    own = begin(cast.client_for("shift_leader"), definition, {}).data["processInstanceId"]
    with tenant_scope(A):
        assert WorkItem.objects.get(instance=second).candidate_keys == [f"user:{leader.pk}"]
        assert WorkItem.objects.get(instance=own).candidate_keys[0].startswith("role:")


def test_a_step_is_given_to_the_person_of_an_account_or_of_a_field(cast: Cast) -> None:
    who = {"components": [{"type": "textfield", "key": "who", "label": "审批人"}]}
    body = ONE_STEP.replace('<startEvent id="start"/>', '<startEvent id="start" xw:form="who"/>')
    by_field = deploy(document(body.replace("{task}", 'xw:assignee="${form.who}"'), forms={"who": who}))
    mate = cast.user("repairer")
    for given in (mate.account, str(mate.pk)):
        started = begin(cast.client_for("operator"), by_field, {"who": given}).data["processInstanceId"]
        with tenant_scope(A):
            assert WorkItem.objects.get(instance=started).assignee_id == mate.pk


FLOWABLE = 'xmlns:flowable="http://flowable.org/bpmn"'


def test_a_model_of_another_engine_reads_its_fields_by_bare_names(cast: Cast) -> None:
    body = """<startEvent id="s"><extensionElements>
        <flowable:formProperty id="days" name="天数" type="long" required="true"/>
        <flowable:formProperty id="urgent" type="boolean"/></extensionElements></startEvent>
      <exclusiveGateway id="g" default="short"/>
      <userTask id="long_" name="长" flowable:candidateUsers="repairer,ghost" flowable:candidateGroups="viewer"/>
      <userTask id="short_" name="短" flowable:assignee="${starter.id}"/><endEvent id="e"/>
      <sequenceFlow id="f1" sourceRef="s" targetRef="g"/>
      <sequenceFlow id="long" sourceRef="g" targetRef="long_">
        <conditionExpression>${days &gt; 3 || urgent}</conditionExpression></sequenceFlow>
      <sequenceFlow id="short" sourceRef="g" targetRef="short_"/>
      <sequenceFlow id="f2" sourceRef="long_" targetRef="e"/><sequenceFlow id="f3" sourceRef="short_" targetRef="e"/>"""
    definition = deploy(document(body, spaces=FLOWABLE, process='flowable:candidateStarterGroups="operator"'))
    operator = cast.client_for("operator")
    assert begin(cast.client_for("viewer"), definition, {"days": 4}).status == 403
    found = [begin(operator, definition, {"days": days}).data["processInstanceId"] for days in (4, 3)]
    with tenant_scope(A):
        items = [WorkItem.objects.get(instance=one) for one in found]
        assert [item.node for item in items] == ["long_", "short_"]
        assert f"user:{cast.user('repairer').pk}" in items[0].candidate_keys
        assert len(items[0].candidate_keys) == 2
        assert items[1].assignee_id == cast.user("operator").pk


def test_a_model_of_another_engine_may_name_who_starts_it(cast: Cast) -> None:
    body = """<startEvent id="s" flowable:initiator="who"/><userTask id="a" flowable:assignee="${who}"/>
      <endEvent id="e"/><sequenceFlow id="f1" sourceRef="s" targetRef="a"/>
      <sequenceFlow id="f2" sourceRef="a" targetRef="e"/>"""
    operator = cast.client_for("operator")
    begin(operator, deploy(document(body, spaces='xmlns:flowable="http://flowable.org/bpmn"')), {})
    with tenant_scope(A):
        assert WorkItem.objects.get().assignee_id == cast.user("operator").pk


def test_a_script_of_another_engine_names_who_acts_and_a_form_says_otherwise_later(cast: Cast) -> None:
    body = """<startEvent id="s"><extensionElements><flowable:formProperty id="days" type="long"/></extensionElements>
      </startEvent><scriptTask id="t" scriptFormat="groovy"><script>
        if (days &gt; 3) { execution.setVariable("who", "repairer") } else { execution.setVariable("who", "operator") }
        execution.setVariable("days", days + 1)
      </script></scriptTask><userTask id="a" flowable:assignee="${who}"><extensionElements>
        <flowable:formProperty id="days" type="long"/></extensionElements></userTask>
      <exclusiveGateway id="g" default="f5"/><userTask id="b" flowable:assignee="${who}"/><endEvent id="e"/>
      <sequenceFlow id="f1" sourceRef="s" targetRef="t"/><sequenceFlow id="f2" sourceRef="t" targetRef="a"/>
      <sequenceFlow id="f3" sourceRef="a" targetRef="g"/><sequenceFlow id="f4" sourceRef="g" targetRef="b">
        <conditionExpression>${days == 5}</conditionExpression></sequenceFlow>
      <sequenceFlow id="f5" sourceRef="g" targetRef="e"/><sequenceFlow id="f6" sourceRef="b" targetRef="e"/>"""
    definition, operator = deploy(document(body, spaces=FLOWABLE)), cast.client_for("operator")
    mate = cast.client_for("repairer")
    for typed, status in ((4, InstanceStatus.RUNNING), (6, InstanceStatus.COMPLETED)):
        started = begin(operator, definition, {"days": 4}).data["processInstanceId"]
        with tenant_scope(A):
            assert WorkItem.objects.get(instance=started).assignee_id == cast.user("repairer").pk
        said = {"taskId": item_of(started), "flag": "ok", "variables": {"days": typed}}
        assert mate.post_json(COMPLETE, said).status == 200
        assert row(started).status == status


def test_a_condition_that_cannot_be_read_is_a_conflict_and_nothing_is_started(cast: Cast) -> None:
    body = """<startEvent id="s" xw:form="f"/><exclusiveGateway id="g" default="n"/><userTask id="a"/><endEvent id="e"/>
      <sequenceFlow id="f1" sourceRef="s" targetRef="g"/><sequenceFlow id="n" sourceRef="g" targetRef="e"/>
      <sequenceFlow id="y" sourceRef="g" targetRef="a"><conditionExpression>${form.x &gt; 3}</conditionExpression>
      </sequenceFlow><sequenceFlow id="f2" sourceRef="a" targetRef="e"/>"""
    form = {"components": [{"type": "textfield", "key": "x", "label": "x"}]}
    definition, caller = deploy(document(body, forms={"f": form})), cast.client_for("operator")
    before = checksum(A)
    answer = begin(caller, definition, {"x": "four"})
    assert (answer.status, answer["error"]) == (409, "workflow.expression")
    assert checksum(A) == before
    assert begin(caller, definition, {}).data["processIsFinished"] == "finished"


def test_a_form_holds_no_more_than_an_instance_keeps(cast: Cast) -> None:
    many = {"components": [{"type": "textarea", "key": f"t{n}", "label": f"t{n}"} for n in range(40)]}
    body = ONE_STEP.format(task="").replace('<startEvent id="start"/>', '<startEvent id="start" xw:form="many"/>')
    definition, caller = deploy(document(body, forms={"many": many})), cast.client_for("operator")
    before = checksum(A)
    answer = begin(caller, definition, {f"t{n}": "长" * 2000 for n in range(40)})
    assert (answer.status, answer["error"]) == (400, "form.tooLarge")
    assert checksum(A) == before
    assert begin(caller, definition, {f"t{n}": "x" * 1500 for n in range(40)}).status == 200


def test_titles_are_the_models_words(cast: Cast) -> None:
    process = 'xw:title="${starter.name}申请${form.days}天"'
    started = begin(cast.client_for("operator"), deploy(two_steps(process=process)))
    assert started.data["title"] == "秦操申请3天"


def test_without_words_of_the_model_a_title_names_starter_and_model_in_both_languages(cast: Cast) -> None:
    operator = cast.client_for("operator")
    begin(operator, deploy(two_steps(), name_en="Leave"))
    begin(operator, deploy(two_steps(), key="other", name_en=""))
    chinese, english = ["秦操 · 请假"] * 2, ["秦操 · 请假", "秦操 · Leave"]
    for caller, expected in ((operator, chinese), (operator.in_english(), english)):
        assert [row["title"] for row in caller.get("blade-flow/work/send-list").data["records"]] == expected
    with tenant_scope(A):
        offered = WorkItem.objects.order_by("id").values_list("title", "title_en")
        assert list(offered) == [("秦操 · 请假", "秦操 · Leave"), ("秦操 · 请假", "")]


def test_a_form_that_is_refused_is_not_deployed(cast: Cast) -> None:
    before = Definition.objects.count()
    bad = document(ONE_STEP.format(task='xw:form="f"'), forms={"f": {"components": [{"type": "html"}]}})
    with pytest.raises(engine.ModelError) as refused:
        deploy(bad)
    assert [problem.code for problem in refused.value.problems] == ["form_type"]
    with pytest.raises(engine.ModelError):
        deploy(document(ONE_STEP.format(task=f'xw:outcomes="{"x" * 41}"')))
    assert Definition.objects.count() == before


def test_an_instance_is_ended_by_who_follows_it(cast: Cast) -> None:
    started = begin(cast.client_for("operator"), deploy(two_steps())).data["processInstanceId"]
    ended = {"processInstanceId": started, "deleteReason": "误发"}
    assert cast.client_for("operator").post_json("blade-flow/follow/delete-process-instance", **ended).status == 403
    assert cast.client_for("tenant_admin").post_json("blade-flow/follow/delete-process-instance", **ended).status == 200
    assert row(started).status == InstanceStatus.ENDED
    (sent,) = cast.client_for("operator").get("blade-flow/work/send-list").data["records"]
    assert sent["processIsFinished"] == "finished"


def test_a_timer_moves_it_too(cast: Cast) -> None:
    body = """<startEvent id="s" xw:form="f"/><userTask id="a" xw:candidates="role:viewer"/>
      <boundaryEvent id="late" attachedToRef="a"><timerEventDefinition><timeDuration>P2D</timeDuration>
      </timerEventDefinition></boundaryEvent><userTask id="b" xw:assignee="${starter.id}"/><endEvent id="e"/>
      <sequenceFlow id="f1" sourceRef="s" targetRef="a"/><sequenceFlow id="f2" sourceRef="a" targetRef="e"/>
      <sequenceFlow id="f3" sourceRef="late" targetRef="b"/><sequenceFlow id="f4" sourceRef="b" targetRef="e"/>"""
    form = {"components": [{"type": "number", "key": "x", "label": "x"}]}
    operator = cast.client_for("operator")
    started = begin(operator, deploy(document(body, forms={"f": form})), {"x": 4}).data["processInstanceId"]
    assert sweep.fire_due(now=datetime.now(UTC) + timedelta(days=1)) == 0
    assert sweep.fire_due(now=datetime.now(UTC) + timedelta(days=3)) == 1
    with tenant_scope(A):
        items = WorkItem.objects.filter(instance=started).order_by("id").values_list("node", "state", "assignee_id")
        assert list(items) == [
            ("a", ItemState.DROPPED, None), ("b", ItemState.OPEN, cast.user("operator").pk),
        ]  # fmt: skip
    assert row(started).form == {"x": 4}
    (task,) = operator.get("blade-flow/work/todo-list").data["records"]
    assert (
        operator.post_json(COMPLETE, {"taskId": task["taskId"], "flag": "ok"}).data["processIsFinished"] == "finished"
    )


def test_a_reminder_comes_again_after_the_same_while_until_the_step_is_done(cast: Cast) -> None:
    body = """<startEvent id="s"/><userTask id="a" xw:candidates="role:viewer"/><endEvent id="e"/>
      <boundaryEvent id="again" attachedToRef="a" cancelActivity="false"><timerEventDefinition>
      <timeCycle>R2/P1D</timeCycle></timerEventDefinition></boundaryEvent><endEvent id="told"/>
      <sequenceFlow id="f1" sourceRef="s" targetRef="a"/><sequenceFlow id="f2" sourceRef="a" targetRef="e"/>
      <sequenceFlow id="f3" sourceRef="again" targetRef="told"/>"""
    begin(cast.client_for("operator"), deploy(document(body)), {})
    now = datetime.now(UTC)
    (timer,) = Timer.objects.all()
    assert (timer.kind, timer.text) == ("cycle", "R2/P1D")
    assert timedelta(hours=23) < timer.due_time - now < timedelta(hours=25)
    assert sweep.fire_due(now=now + timedelta(days=2)) == 1
    (timer,) = Timer.objects.all()
    assert timer.text == "R1/P1D"
    assert sweep.fire_due(now=now + timedelta(days=2)) == 1
    assert not Timer.objects.exists()
    with tenant_scope(A):
        assert list(WorkItem.objects.values_list("node", "state")) == [("a", ItemState.OPEN)]
