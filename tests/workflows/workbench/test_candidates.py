"""Who would get a step: the same that the work list finds, in words, of the own company, and never who has left."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from core.identity.models import Department, User
from core.kernel.tenancy import tenant_scope
from tests.cast import A, B, Body, Caller, Cast
from tests.workflows.standalone import ONE_STEP, deploy, document
from workflows.runtime.tables.worklist.models import WorkItem

REPAIR = (settings.MODELS_DIR / "repairorder" / "repairorder.bpmn").read_text("utf-8")
LEAVE = (settings.MODELS_DIR / "leave" / "leave.bpmn").read_text("utf-8")


def _ask(caller: Caller, xml: str, element: str, **more: Any) -> Body:
    return caller.post_json("blade-flow/model/candidates", {"xml": xml, "element": element, **more})


def _step(task: str) -> str:
    return document(ONE_STEP.format(task=task)).decode()


def _names(body: Body) -> list[str]:
    return [person["name"] for person in body.data["people"]]


def test_the_rules_of_a_shipped_model_find_people_of_the_company(cast: Cast) -> None:
    found = _ask(cast.client_for("flow_designer"), REPAIR, "dispatch")
    assert found.data["people"] == [
        {"id": str(cast.user("repair_leader").pk), "name": "卫长", "deptName": "设备部", "weight": None},
        {"id": str(cast.user("equip_manager").pk), "name": "钱管", "deptName": "设备部", "weight": None},
    ]
    assert (found.data["total"], found.data["isHeld"], found.data["instead"]) == (2, False, "")
    assert found.data["rules"] == [
        {"rule": "role:repair_leader", "text": "角色「维修班长」", "total": 1},
        {"rule": "role:equip_manager", "text": "角色「设备主管」", "total": 1},
        {"rule": "team:", "text": "由单据决定，这里还没有数据", "total": 0},
    ]
    assert found.data["reason"] == "候选人共2人，其中一人领取后办理"


def test_a_sample_record_is_the_starters_and_its_values_may_be_others(cast: Cast) -> None:
    caller, repairer = cast.client_for("flow_designer"), cast.user("repairer")
    starter = str(cast.user("operator").pk)
    check = _ask(caller, REPAIR, "check", starterId=starter)
    assert _names(check) == ["秦操", "李班", "钱管"]
    assert check.data["rules"][2]["text"] == "机加车间的角色「班组长」"
    accept = _ask(caller, REPAIR, "accept", record={"repairUserId": str(repairer.pk)})
    assert (_names(accept), accept.data["isHeld"], accept.data["reason"]) == (["蒋修"], True, "由蒋修直接办理")
    team = _ask(caller.in_english(), REPAIR, "accept", record={"teamId": str(cast.team("mechanics").pk)})
    assert (_names(team), team.data["rules"][0]["text"]) == (["蒋修", "沈修"], "Team “Mechanics”")
    wrong = _ask(caller, REPAIR, "accept", record={"teamId": "x", "days": 1, "urgency": 9, "reworkCount": "2"})
    assert wrong.data["fields"] == {
        "teamId": "请选择派给的班组",
        "days": "表单中没有字段“days”",
        "urgency": "请选择紧急程度",
        "reworkCount": "返修次数应为数字",
    }


def test_a_record_has_to_be_one_that_the_caller_may_read(cast: Cast) -> None:
    def report(tenant: str) -> str:
        body = {"machineId": str(cast.machine("M1", tenant).pk), "description": "主轴异响"}
        return str(cast.client_for("operator", tenant).post_json("yuzhu-equip/repairorder/save", body).data["id"])

    own, foreign = report(A), report(B)
    manager = cast.client_for("tenant_admin")
    assert _names(_ask(manager, REPAIR, "check", recordId=own)) == ["秦操", "李班", "钱管"]
    assert _ask(manager, REPAIR, "check", recordId=foreign).status == 404
    assert _ask(cast.client_for("flow_designer"), LEAVE, "approve", recordId=_leave(cast)).status == 404
    assert _ask(manager, _step('xw:candidates="role:viewer"'), "look", recordId=own).status == 404


def _leave(cast: Cast) -> str:
    """A request that concerns the operator and the repairer, and nobody else but HR."""
    body = {"type": 1, "days": 1, "reason": "搬家", "taskUser": str(cast.user("repairer").pk)}
    times = {"startTime": "2026-11-23 08:00:00", "endTime": "2026-11-23 17:00:00"}
    answer = cast.client_for("operator").post_json("blade-desk/process/leave/start-process", {**body, **times})
    return str(answer.data["id"])


def test_what_the_preview_says_is_what_the_work_list_does(cast: Cast) -> None:
    """Own models in all ways: by account, role, team, a form's field; nobody; the head; the administrators."""
    caller = cast.client_for("flow_designer")
    mechanics, starter = cast.team("mechanics").pk, cast.user("operator")
    tasks = {
        'xw:assignee="repairer"': "",
        'xw:assignee="nobody" xw:candidates="user:repairer2 role:viewer"': "",
        f'xw:candidates="team:{mechanics} role:repair_leader"': "",
        'xw:candidates="role:none"': "administrators",
        'xw:candidates="user:${starter.id}"': "",
    }
    for task, instead in tasks.items():
        xml = _step(task)
        said = _ask(caller, xml, "look", starterId=str(starter.pk)).data
        definition = deploy(xml.encode(), key="own")
        begun = cast.client_for("operator").post_json(
            "blade-flow/work/start-process", {"processDefinitionId": str(definition.pk), "variables": {}}
        )
        with tenant_scope(A):
            item = WorkItem.objects.get(instance_id=begun.data["processInstanceId"])
            keys = [f"user:{item.assignee_id}"] if item.assignee_id else item.candidate_keys
            waits = [
                cast.actor_for(user.account).user_id
                for user in User.objects.filter(is_enabled=True).order_by("pk")
                if item.assignee_id == user.pk or _is_offered(cast, user.account, keys)
            ]
        assert [person["id"] for person in said["people"]] == [str(one) for one in waits], task
        assert (said["total"], said["instead"]) == (len(waits), instead), task
        assert said["isHeld"] == (item.assignee_id is not None), task


def _is_offered(cast: Cast, account: str, keys: list[str]) -> bool:
    from core.ports import keys_of

    return not keys_of(cast.actor_for(account)).isdisjoint(keys)


def test_the_head_of_the_starters_department_comes_before_the_administrators(cast: Cast) -> None:
    starter, head = cast.user("operator"), cast.user("shift_leader")
    with tenant_scope(A):
        Department.objects.filter(pk=starter.dept_id).update(leader=head)
    found = _ask(cast.client_for("flow_designer"), _step(""), "look", starterId=str(starter.pk))
    assert (_names(found), found.data["instead"]) == (["李班"], "head")
    assert found.data["reason"] == "没有找到办理人或候选人，交给发起人的部门负责人李班"


def test_who_may_not_work_is_never_listed(cast: Cast) -> None:
    with tenant_scope(A):
        User.objects.filter(account="repairer").update(is_enabled=False)
    caller, team = cast.client_for("flow_designer"), cast.team("mechanics").pk
    found = _ask(caller, _step(f'xw:candidates="team:{team} user:repairer"'), "look")
    assert _names(found) == ["沈修"]
    assert [rule["total"] for rule in found.data["rules"]] == [1, 0]


def test_only_the_own_companys_people_are_asked_and_told(cast: Cast) -> None:
    caller, foreign = cast.client_for("flow_designer"), cast.user("operator", B)
    team = cast.team("mechanics", B).pk
    assert _ask(caller, _step(""), "look", starterId=str(foreign.pk)).data["fields"] == {"starterId": "请选择发起人"}
    found = _ask(caller, _step(f'xw:candidates="team:{team} user:{foreign.pk}"'), "look")
    assert found.data["people"] == []
    assert [rule["text"] for rule in found.data["rules"]] == [f"「{team}」不存在", f"「{foreign.pk}」不存在"]
    assert _ask(cast.client_for("operator"), _step(""), "look").status == 403


def test_a_drawing_that_is_not_finished_may_be_asked_about(cast: Cast) -> None:
    caller = cast.client_for("flow_designer")
    xml = _step('xw:candidates="role:${form.who}"').replace('<endEvent id="done"/>', "")
    assert _names(_ask(caller, xml, "look", values={"who": "viewer"})) == ["何看"]
    failing = _ask(caller, _step('xw:candidates="role:${form.a.b.c - true}"'), "look", values={"a": 1}).data
    assert (failing["people"], failing["problem"]) == ([], "表达式“role:${form.a.b.c”有误：语法错误")
    assert _ask(caller, xml, "start").data["fields"] == {"element": "请选择一个用户任务"}
    assert "xml" in _ask(caller, "<definitions/>", "look").data["fields"]


def test_the_statements_do_not_grow_with_rules_and_people(cast: Cast, django_assert_max_num_queries: Any) -> None:
    caller = cast.client_for("flow_designer")
    many = " ".join(f"role:{role}" for role in ("viewer", "repairer", "operator", "equip_manager", "repair_leader"))
    few, all_of_them = _step('xw:candidates="role:viewer"'), _step(f'xw:candidates="{many}"')
    _ask(caller, few, "look")
    with django_assert_max_num_queries(12):
        assert _ask(caller, all_of_them, "look").data["total"] == 8


def test_of_a_countersign_everybody_on_the_list_gets_a_task(cast: Cast) -> None:
    loop = (
        '<multiInstanceLoopCharacteristics xw:collection="{}" xw:elementVariable="signer"/></userTask>'
        '<endEvent id="done"/>'
    )
    xml = _step('xw:assignee="${signer}"')
    said = xml.replace('/><endEvent id="done"/>', ">" + loop.format("${members['role:repairer']}"))
    caller = cast.client_for("flow_designer")
    found = _ask(caller, said, "look").data
    assert [one["name"] for one in found["people"]] == ["蒋修", "沈修", "韩修"]
    assert (found["total"], found["isHeld"], found["reason"]) == (3, False, "共3个任务，每个单独办理")
    form = xml.replace('/><endEvent id="done"/>', ">" + loop.format("form.people"))
    chosen = _ask(caller.in_english(), form, "look", values={"people": "operator, viewer"}).data
    assert [one["name"] for one in chosen["people"]] == ["秦操", "何看"]
    assert chosen["reason"] == "Tasks, one per person: 2"
    assert _ask(caller, form, "look").data["reason"] == "目前名单为空，没有人需要办理"
    many = _ask(caller, form, "look", values={"people": ",".join(["x"] * 201)}).data
    assert many["problem"] == "流程超出运行上限（instances：200）"
    assert _ask(cast.client_for("operator", B), form, "look").status == 403
