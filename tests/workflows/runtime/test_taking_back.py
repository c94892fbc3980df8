"""Taking back a completion until the next person acts, withdrawing, and starting a withdrawn process once more."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.audit.models import Event
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from tests.cast import A, B, Body, Caller, Cast
from tests.workflows.runtime.test_sending_back import back, begun, done, open_items, paper
from tests.workflows.standalone import deploy, document, two_steps
from workflows.runtime.rows import queues
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.timers.models import Timer
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

TAKE_BACK, DONE, CLAIM = (f"blade-flow/work/{word}" for word in ("take-back", "done-list", "claim-task"))
FORM, START, WITHDRAW = (f"blade-flow/work/{word}" for word in ("start-form", "start-process", "withdraw"))
DETAIL, HISTORY, VIEW = (f"blade-flow/process/{word}" for word in ("detail", "history-flow-list", "model-view"))
_ITEM = ("node", "state", "assignee_id", "candidate_keys", "pool", "delegators", "claim_time", "due_time", "late_time")


def take(caller: Caller, item: WorkItem, **more: Any) -> Body:
    return caller.post_json(TAKE_BACK, {"taskId": str(item.pk)}, **more)


def standing(instance: int) -> dict[str, Any]:
    """Return everything of the process that a completion may change, without the ids and rounds of items."""
    with tenant_scope(A):
        row = ProcessInstance.objects.get(pk=instance)
        return {
            "state": bytes(row.state), "form": row.form, "nodes": row.nodes, "flows": row.flows, "status": row.status,
            "items": sorted(map(str, WorkItem.objects.filter(state=ItemState.OPEN).values_list(*_ITEM))),
            "timers": sorted(map(str, Timer.objects.values_list("node", "kind", "text", "due_time"))),
            "drift": queues.drift(),
        }  # fmt: skip


def actions(caller: Caller, item: WorkItem) -> list[str]:
    """Return what the done list offers for an item."""
    rows = caller.get(DONE).data["records"]
    return next((row["taskActions"] for row in rows if row["taskId"] == str(item.pk)), [])


def test_a_completion_is_taken_back_whole_and_the_history_shows_both(cast: Cast) -> None:
    instance = begun(cast)
    before, viewer = standing(instance), cast.client_for("viewer")
    assert viewer.post_json(CLAIM, taskId=open_items()["money"].pk).status == 200
    held = standing(instance)
    money = open_items()["money"]
    with time_machine.travel(clock.now() + timedelta(minutes=30), tick=False):
        done(cast, "viewer", "money")
        assert (standing(instance)["timers"], sorted(open_items())) == ([], ["law"])
        assert actions(viewer, money) == ["takeBack"]
        assert viewer.get(DETAIL, processInstanceId=instance).data["takeBackTaskId"] == str(money.pk)
        assert cast.client_for("operator").get(DETAIL, processInstanceId=instance).data["takeBackTaskId"] == ""
        answer = take(viewer, money)
    assert (answer.status, answer.data["taskId"]) == (200, str(money.pk))
    # The timer is due when it was, and who had claimed the task holds it again.
    assert (standing(instance), before["drift"]) == (held, [])
    again = open_items()["money"]
    assert (again.round, again.engine_task, again.pk != money.pk) == (2, money.engine_task, True)
    rows = viewer.in_english().get(HISTORY, processInstanceId=instance).data
    said = [(row["historyActivityName"], row["outcomeName"]) for row in rows if row["historyActivityId"] == "money"]
    assert said == [("Finance", "Approve"), ("Claim the task", ""), ("Finance", ""), ("Take back the task", "")]
    # Once more is the same request, and nothing happens; the task is completed again like any other.
    events = _events()
    assert (take(viewer, money).data, _events()) == (answer.data, events)
    assert actions(viewer, money) == []
    done(cast, "viewer", "money")
    assert take(viewer, money).status == 200  # still the first request's answer
    assert sorted(open_items()) == ["law"]
    assert take(viewer, again).status == 200
    assert standing(instance)["timers"] == held["timers"]


def _events() -> int:
    with tenant_scope(A):
        return int(Event.objects.count())


def test_values_and_what_the_step_had_ended_come_back(cast: Cast) -> None:
    instance = begun(cast)
    with tenant_scope(A):
        [drafted] = WorkItem.objects.filter(node="draft")
    law = open_items()["law"]
    # Sending back is taken back too: what it had ended is open again, for the same people.
    before, manager = standing(instance), cast.client_for("equip_manager")
    assert back(manager, law).status == 200
    assert take(manager, law).status == 200
    assert standing(instance) == before
    assert back(manager, open_items()["law"], comesBack=True).status == 200
    done(cast, "repairer", "draft", note="二稿", **{})
    second = _last("draft")
    mate = cast.client_for("repairer")
    assert take(mate, drafted).status == 409
    assert take(mate, second).status == 200
    with tenant_scope(A):
        assert ProcessInstance.objects.get(pk=instance).form == {"note": "一稿"}
    assert open_items()["draft"].assignee_id == cast.user("repairer").pk


def _last(node: str) -> WorkItem:
    with tenant_scope(A):
        return WorkItem.objects.filter(node=node, state=ItemState.DONE).latest("id")  # type: ignore[no-any-return]


@pytest.mark.parametrize("act", ["claim", "complete", "beside", "urge", "transfer"])
def test_once_anybody_has_acted_nothing_is_taken_back(cast: Cast, act: str) -> None:
    instance = begun(cast)
    drafted, mate = _last("draft"), cast.client_for("repairer")
    assert actions(mate, drafted) == ["takeBack"]
    law = open_items()["law"]
    manager = cast.client_for("equip_manager")
    if act == "claim":
        assert manager.post_json(CLAIM, taskId=law.pk).status == 200
    elif act == "complete":
        done(cast, "equip_manager", "law")
    elif act == "beside":
        done(cast, "viewer", "money")
    elif act == "urge":
        assert cast.client_for("operator").post_json("blade-flow/work/urge", processInstanceId=instance).status == 200
    else:
        assert manager.post_json(CLAIM, taskId=law.pk).status == 200
        give = {"taskId": str(law.pk), "userId": str(cast.user("repair_leader").pk), "reason": "出差"}
        assert manager.post_json("blade-flow/work/transfer-task", give).status == 200
    after, events = standing(instance), _events()
    refused = take(mate, drafted)
    assert (refused.status, actions(mate, drafted)) == (409, [])
    assert (standing(instance), _events()) == (after, events)


def test_a_claim_without_its_event_is_seen_too(cast: Cast) -> None:
    """Two servers number their events each from its own, so that the last one is not the newest at every moment."""
    instance = begun(cast)
    law = open_items()["law"]
    with tenant_scope(A):
        WorkItem.objects.filter(pk=law.pk).update(assignee_id=cast.user("equip_manager").pk, claim_time=clock.now())
    assert take(cast.client_for("repairer"), _last("draft")).status == 409
    assert sorted(open_items(instance)) == ["law", "money"]


def test_others_take_nothing_back(cast: Cast) -> None:
    begun(cast)
    drafted, events = _last("draft"), _events()
    for who, tenant, status in (("repairer", B, 404), ("repairer2", A, 404), ("operator", A, 403)):
        assert (who, take(cast.client_for(who, tenant), drafted).status) == (who, status)
    assert take(cast.client_for("equip_manager"), open_items()["law"]).status == 403
    assert (_events(), sorted(open_items())) == (events, ["law", "money"])


@pytest.mark.parametrize("off", ["process", "step"])
def test_a_model_may_keep_a_step_from_being_taken_back(cast: Cast, off: str) -> None:
    said = 'xw:takeBack="no"'
    begun(cast, paper(said) if off == "process" else paper(draft=said))
    drafted, mate = _last("draft"), cast.client_for("repairer")
    assert (actions(mate, drafted), take(mate, drafted).status) == ([], 400)
    with tenant_scope(A):
        assert ProcessInstance.objects.values_list("undo_item", "undo").get() == (None, {})


def test_what_has_left_the_process_is_not_taken_back(cast: Cast) -> None:
    tell = '<serviceTask id="tell" name="通知" xw:operation="message.send"><extensionElements>'
    tell += '<xw:parameter name="to">user:viewer</xw:parameter><xw:parameter name="title">好</xw:parameter>'
    tell += '<xw:parameter name="content">了</xw:parameter></extensionElements></serviceTask>'
    xml = (
        paper()
        .decode()
        .replace('targetRef="fork"', 'targetRef="tell"', 1)
        .replace(
            '<parallelGateway id="fork"/>',
            f'{tell}<parallelGateway id="fork"/><sequenceFlow id="t" sourceRef="tell" targetRef="fork"/>',
        )
    )
    instance = begun(cast, xml.encode())
    mate, after = cast.client_for("repairer"), standing(instance)
    assert (actions(mate, _last("draft")), take(mate, _last("draft")).status) == ([], 400)
    assert standing(instance) == after
    for who, node in (("equip_manager", "law"), ("viewer", "money"), ("repair_leader", "sign")):
        done(cast, who, node)
    leader = cast.client_for("repair_leader")  # the end is one of these too
    assert (actions(leader, _last("sign")), take(leader, _last("sign")).status) == ([], 409)


def test_a_completion_costs_no_statement_more_than_without(cast: Cast) -> None:
    def cost(xml: bytes) -> int:
        begun(cast, xml)
        with CaptureQueriesContext(connection) as captured:
            done(cast, "equip_manager", "law")
        for who, node in (("viewer", "money"), ("repair_leader", "sign")):
            done(cast, who, node)
        return len(captured)

    costs = [cost(xml) for xml in (paper(), paper('xw:takeBack="no"'), paper(), paper('xw:takeBack="no"'))]
    assert costs[2] == costs[3], costs


def test_a_withdrawn_process_starts_once_more_with_its_values(cast: Cast) -> None:
    operator = cast.client_for("operator")
    definition = deploy(two_steps())
    values = {"days": 3, "reason": "休假"}
    start = partial(operator.post_json, START)
    first = start({"processDefinitionId": str(definition.pk), "variables": values}).data["processInstanceId"]
    ask = {"processDefinitionId": definition.pk, "fromInstanceId": first}
    assert operator.get(FORM, **ask).status == 404  # it runs
    assert operator.get(DETAIL, processInstanceId=first).data["startAgainId"] == ""
    assert operator.post_json(WITHDRAW, {"processInstanceId": first, "reason": "日期有误"}).status == 200
    newer = deploy(two_steps("role:repair_leader"))
    assert operator.get(DETAIL, processInstanceId=first).data["startAgainId"] == str(newer.pk)
    assert cast.client_for("tenant_admin").get(DETAIL, processInstanceId=first).data["startAgainId"] == ""
    ask["processDefinitionId"] = newer.pk
    shown = operator.get(FORM, **ask)
    assert (shown.data["formData"], shown.data["processDefinitionVersion"]) == (values, 2)
    assert operator.get(FORM, processDefinitionId=newer.pk).data["formData"] == {}
    for who, tenant in (("equip_manager", A), ("operator", B)):
        assert cast.client_for(who, tenant).get(FORM, **ask).status == 404
    other = deploy(
        document('<startEvent id="s"/><endEvent id="e"/><sequenceFlow id="f" sourceRef="s" targetRef="e"/>'),
        key="other",
    )
    assert operator.get(FORM, processDefinitionId=other.pk, fromInstanceId=first).status == 404


def test_a_model_may_say_that_it_is_not_withdrawn(cast: Cast) -> None:
    definition = deploy(two_steps(process='xw:withdraw="no"'))
    operator = cast.client_for("operator")
    body = {"processDefinitionId": str(definition.pk), "variables": {"days": 3, "reason": "休假"}}
    instance = operator.post_json(START, body).data["processInstanceId"]
    [row] = operator.get("blade-flow/work/send-list").data["records"]
    assert row["taskActions"] == ["urge"]
    refused = operator.post_json(WITHDRAW, {"processInstanceId": instance, "reason": "日期有误"})
    assert refused.status == 400
    with tenant_scope(A):
        assert ProcessInstance.objects.get(pk=instance).status == InstanceStatus.RUNNING
