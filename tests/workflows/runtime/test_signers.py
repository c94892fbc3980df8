"""Signers whom people add to a step and remove: who acts when, what the step ends with, and who may not."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
from django.db import connection

from core.audit.models import Event
from core.desk.models import Message
from core.identity.models import User
from core.kernel.tenancy import tenant_scope
from core.scheduling.outbox import deliver_due
from tests.cast import A, B, Body, Cast
from tests.checksums import checksum
from tests.workflows.runtime.test_countersign import SIGNERS, begin, drawn, races, sign, states, status, tasks
from tests.workflows.standalone import ONE_STEP, deploy, document
from workflows.runtime.commands import reassign
from workflows.runtime.rows import queues
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.worklist.models import ItemState, WorkItem
from workflows.workbench import gate

WORK = "blade-flow/work/"
OPEN, DONE, DROPPED, WAITING = ItemState.OPEN, ItemState.DONE, ItemState.DROPPED, ItemState.WAITING
HOLDER = "equip_manager"


def started(cast: Cast, task: str = 'xw:assignee="equip_manager"') -> str:
    """A process with one step, which the equipment manager holds; its id."""
    definition = deploy(document(ONE_STEP.format(task=task)))
    body = {"processDefinitionId": str(definition.pk)}
    return str(cast.client_for("operator").post_json(f"{WORK}start-process", body).data["processInstanceId"])


def add(cast: Cast, who: str, people: str, place: str, task: str = "", tenant: str = A) -> Body:
    """Let the person add these people to the one task that waits for the person, or to the one named."""
    caller = cast.client_for(who, tenant)
    ids = ",".join(str(cast.user(name).pk) for name in people.split())
    body = {"taskId": task or tasks(caller)[0]["taskId"], "userIds": ids, "place": place, "reason": "请把关"}
    return caller.post_json(f"{WORK}add-signers", body)


def remove(cast: Cast, who: str, person: str, task: str) -> Body:
    body = {"taskId": task, "userId": str(cast.user(person).pk), "reason": "不需要"}
    return cast.client_for(who).post_json(f"{WORK}remove-signer", body)


def task_of(instance: str, person: int) -> WorkItem:
    with tenant_scope(A):
        return WorkItem.objects.filter(instance=instance, assignee_id=person).latest("id")  # type: ignore[no-any-return]


def waits(cast: Cast, *names: str) -> list[str]:
    """Those of these people in whose list a task stands; lists, counts and items agree."""
    found = []
    for name in names:
        caller = cast.client_for(name)
        rows = tasks(caller)
        assert caller.get(f"{WORK}counts").data["todo"] == len(rows)
        found += [name] * len(rows)
    with tenant_scope(A):
        assert queues.drift() == []
    return found


def told(cast: Cast, name: str) -> list[str]:
    deliver_due()
    with tenant_scope(A):
        rows = Message.objects.filter(user_id=cast.user(name).pk).order_by("id")
        return [str(title).partition("：")[0] for title in rows.values_list("title", flat=True)]


def history(cast: Cast, instance: str) -> list[tuple[str, str, str, str]]:
    rows = cast.client_for("operator").get("blade-flow/process/history-flow-list", processInstanceId=instance).data
    return [
        (row["historyActivityName"], row["assigneeName"], row["outcome"], row["comment"]) for row in rows[1:]
    ]  # fmt: skip


def test_before_the_holder_waits_until_they_have_given_their_opinion(cast: Cast) -> None:
    instance = started(cast)
    holder, signer = cast.client_for(HOLDER), cast.client_for("repairer")
    task = tasks(holder)[0]["taskId"]
    detail = f"blade-flow/process/detail?processInstanceId={instance}"
    assert (signer.get(detail).status, holder.get(detail).status) == (404, 200)
    assert holder.get(f"{WORK}task-detail", taskId=task).data["signPlaces"] == ["before", "beside", "after"]
    added = add(cast, HOLDER, "repairer repairer2", "before")
    assert added.data == {"taskId": task, "userIds": [str(cast.user(name).pk) for name in ("repairer", "repairer2")]}
    assert waits(cast, HOLDER, "repairer", "repairer2") == ["repairer", "repairer2"]
    assert (signer.get(detail).status, cast.client_for("viewer").get(detail).status) == (200, 404)
    assert told(cast, "repairer") == ["请您加签"] and told(cast, HOLDER) == []
    [row] = cast.client_for("operator").get(f"{WORK}send-list").data["records"]
    assert row["assigneeName"] == "蒋修, 沈修"
    shown = holder.get(f"{WORK}task-detail", taskId=task).data
    assert (shown["outcomes"], shown["canComplete"], shown["taskActions"]) == ([], False, ["addSigners"])
    assert [(one["userName"], one["place"], one["state"], one["addedByName"]) for one in shown["signers"]] == [
        ("蒋修", "before", "open", "钱管"),
        ("沈修", "before", "open", "钱管"),
    ]
    before = checksum(A)
    refused = sign(holder, task=task)
    assert (refused.status, refused["error"]) == (409, "workflow.waitsForSigners")
    assert sign(holder.in_english(), task=task).msg == "“审批” is waiting for its signers"
    assert checksum(A) == before

    mine = signer.get(f"{WORK}task-detail", taskId=tasks(signer)[0]["taskId"]).data
    assert [(one["value"], one["label"], one["asks"]) for one in mine["outcomes"]] == [
        ("agree", "同意", "nothing"),
        ("reject", "驳回", "nothing"),
    ]
    assert sign(signer, "", "缺预算").data["processIsFinished"] == "unfinished"
    assert waits(cast, HOLDER, "repairer", "repairer2") == ["repairer2"]
    assert sign(cast.client_for("repairer2")).status == 200
    assert waits(cast, HOLDER, "repairer", "repairer2") == [HOLDER] and told(cast, HOLDER) == ["加签人已处理，请办理"]
    shown = holder.get(f"{WORK}task-detail", taskId=task).data
    said = [(one["userName"], one["outcomeName"], one["isNegative"], one["comment"]) for one in shown["signers"]]
    assert said == [("蒋修", "驳回", True, "缺预算"), ("沈修", "同意", False, "")]
    # The opinion decides nothing: the holder does.
    assert sign(holder, comment="预算已补").data["processIsFinished"] == "finished"
    assert status(instance) == InstanceStatus.COMPLETED
    assert history(cast, instance) == [
        ("审批", "钱管", "agree", "预算已补"),
        ("前加签", "钱管", "", "蒋修、沈修：请把关"),
        ("审批（加签）", "蒋修", "reject", "缺预算"),
        ("审批（加签）", "沈修", "agree", ""),
        ("结束", "", "", ""),
    ]


@pytest.mark.parametrize("place", ["beside", "after"])
def test_beside_and_after_the_step_is_left_when_all_have_signed(cast: Cast, place: str) -> None:
    instance = started(cast)
    assert add(cast, HOLDER, "repairer", place).status == 200
    assert waits(cast, HOLDER, "repairer") == ([HOLDER, "repairer"] if place == "beside" else [HOLDER])
    done = sign(cast.client_for(HOLDER), comment="同意")
    assert (done.data["processIsFinished"], status(instance)) == ("unfinished", InstanceStatus.RUNNING)
    assert waits(cast, HOLDER, "repairer") == ["repairer"] and told(cast, "repairer") == ["请您加签"]
    with tenant_scope(A):
        assert ProcessInstance.objects.get(pk=instance).nodes.get("look") is None  # the engine was not told
    assert sign(cast.client_for("repairer")).data["processIsFinished"] == "finished"
    assert states(instance) == [("look", 1, DONE, "agree"), ("look", 1, DONE, "agree")]
    with tenant_scope(A):
        assert ProcessInstance.objects.get(pk=instance).nodes["look"] == 1


@pytest.mark.parametrize("place", ["beside", "after"])
def test_a_rejection_beside_or_after_ends_the_step_at_once(cast: Cast, place: str) -> None:
    instance = started(cast)
    add(cast, HOLDER, "repairer repairer2", place)
    if place == "after":
        sign(cast.client_for(HOLDER))
    assert sign(cast.client_for("repairer"), "", "不行").data["processIsFinished"] == "finished"
    assert status(instance) == InstanceStatus.REJECTED
    assert [row[2:] for row in states(instance)] == [
        (DONE, "agree") if place == "after" else (DROPPED, ""), (DONE, "reject"), (DROPPED, ""),
    ]  # fmt: skip
    assert waits(cast, HOLDER, "repairer", "repairer2") == []


def test_the_holders_rejection_does_not_wait_for_those_after(cast: Cast) -> None:
    instance = started(cast)
    add(cast, HOLDER, "repairer", "after")
    assert sign(cast.client_for(HOLDER), "").data["processIsFinished"] == "finished"
    assert (status(instance), states(instance)[1][2]) == (InstanceStatus.REJECTED, DROPPED)


def test_signers_add_signers_three_deep_and_their_opinions_stay_opinions(cast: Cast) -> None:
    instance = started(cast)
    add(cast, HOLDER, "repairer", "before")
    assert add(cast, "repairer", "repairer2", "after").status == 200
    assert waits(cast, HOLDER, "repairer", "repairer2") == ["repairer"]
    sign(cast.client_for("repairer"))
    assert add(cast, "repairer2", "viewer", "beside").status == 200
    before = checksum(A)
    refused = add(cast, "viewer", "operator2", "before")
    assert (refused.status, refused["error"]) == (400, "workflow.signersDeep") and checksum(A) == before
    sign(cast.client_for("viewer"), "", "有疑问")
    sign(cast.client_for("repairer2"))
    assert (waits(cast, HOLDER), status(instance)) == ([HOLDER], InstanceStatus.RUNNING)


def test_who_may_add_whom_and_how_many(cast: Cast) -> None:
    instance = started(cast)
    task = tasks(cast.client_for(HOLDER))[0]["taskId"]
    leaver = cast.user("operator2")
    with tenant_scope(A):
        User.objects.filter(pk=leaver.pk).update(is_enabled=False)
        many = " ".join(User.objects.filter(is_enabled=True).values_list("account", flat=True))
    foreign = str(cast.user("repairer", B).pk)
    before = checksum(A)

    def tried(who: str, people: str, place: str = "before", **more: Any) -> tuple[int, Any]:
        answer = add(cast, who, people, place, task, **more)
        return answer.status, answer["error"]

    assert tried("viewer", "repairer") == (403, "access.denied")
    assert tried(HOLDER, "repairer", tenant=B) == (404, "data.missing")
    assert tried(HOLDER, "repairer", "last") == (400, "workflow.signPlace")
    assert tried(HOLDER, "repairer", "") == (400, "workflow.signPlace")
    assert tried(HOLDER, HOLDER) == (400, "input.invalid")
    assert tried(HOLDER, "operator2") == (400, "input.invalid")
    assert tried(HOLDER, "") == (400, "input.invalid")
    caller = cast.client_for(HOLDER)
    body = {"taskId": task, "place": "before", "reason": "请把关"}
    for wrong in ({"userIds": foreign}, {"userIds": "x"}, {"userIds": "1", "reason": ""}, {"userIds": ["1"] * 21}):
        answer = caller.post_json(f"{WORK}add-signers", {**body, **wrong})
        assert (answer.status, answer["error"]) == (400, "input.invalid"), wrong
    assert checksum(A) == before
    assert add(cast, HOLDER, "repairer", "before", task).status == 200
    before = checksum(A)
    twice = add(cast, HOLDER, "repairer2 repairer", "before", task)
    assert (twice.status, twice.data["fields"]) == (400, {"userIds": "蒋修已是该步骤的办理人或加签人"})
    assert checksum(A) == before and len(many.split()) > 3
    assert states(instance) == [("look", 1, WAITING, ""), ("look", 1, OPEN, "")]


def test_twenty_at_a_step(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workflows.runtime.rows.signers.MOST", 3)
    started(cast)
    assert add(cast, HOLDER, "repairer repairer2", "beside").status == 200
    assert add(cast, "repairer", "viewer", "after").status == 200
    before = checksum(A)
    refused = add(cast, HOLDER, "operator2", "after")
    assert (refused.status, refused["error"]) == (400, "workflow.signersFull") and checksum(A) == before


def test_a_repeated_request_gets_the_stored_answer(cast: Cast) -> None:
    instance = started(cast)
    task = tasks(cast.client_for(HOLDER))[0]["taskId"]
    first = add(cast, HOLDER, "repairer", "before", task)
    before = checksum(A)
    assert add(cast, HOLDER, "repairer", "before", task) == first and checksum(A) == before
    removed = remove(cast, HOLDER, "repairer", task)
    before = checksum(A)
    assert removed.status == 200 and remove(cast, HOLDER, "repairer", task) == removed and checksum(A) == before
    with tenant_scope(A):
        events = list(Event.objects.filter(instance_id=instance).order_by("id").values_list("operation", "remark"))
    assert events[1:] == [("task.addBefore", "蒋修：请把关"), ("task.removeSigner", "蒋修：不需要")]


def test_whoever_added_or_follows_processes_removes(cast: Cast) -> None:
    instance = started(cast)
    add(cast, HOLDER, "repairer", "before")
    add(cast, "repairer", "repairer2 repair_leader", "before")
    task = str(task_of(instance, cast.user("repairer").pk).pk)
    before = checksum(A)
    for who, person, status_, error in (
        (HOLDER, "repairer2", 403, "access.denied"),  # added by another
        ("viewer", "repairer2", 403, "access.denied"),
        ("repairer", "viewer", 400, "input.invalid"),
        ("repairer", HOLDER, 400, "input.invalid"),  # who holds the step is not added to it
    ):
        refused = remove(cast, who, person, task)
        assert (refused.status, refused["error"]) == (status_, error), (who, person)
    assert checksum(A) == before
    assert remove(cast, "repairer", "repairer2", task).status == 200
    assert told(cast, "repairer2") == ["请您加签", "您的加签任务已被移除"]
    detail = f"blade-flow/process/detail?processInstanceId={instance}"
    assert cast.client_for("repairer2").get(detail).status == 404
    assert sign(cast.client_for("repair_leader")).status == 200
    late = remove(cast, "repairer", "repair_leader", task)
    assert (late.status, late["error"]) == (409, "workflow.taskCompleted")
    # With the signer go those whom the signer added; the holder's turn it is then.
    add(cast, "repairer", "viewer", "after")
    assert remove(cast, "tenant_admin", "repairer", task).status == 200
    assert waits(cast, HOLDER, "repairer", "viewer") == [HOLDER]
    assert sign(cast.client_for(HOLDER)).data["processIsFinished"] == "finished"


def test_the_last_one_who_is_removed_lets_the_process_go_on(cast: Cast) -> None:
    instance = started(cast)
    add(cast, HOLDER, "repairer", "after")
    task = tasks(cast.client_for(HOLDER))[0]["taskId"]
    sign(cast.client_for(HOLDER))
    assert status(instance) == InstanceStatus.RUNNING
    assert remove(cast, HOLDER, "repairer", task).status == 200
    assert status(instance) == InstanceStatus.COMPLETED
    assert [row[2:] for row in states(instance)] == [(DONE, "agree"), (DROPPED, "")]
    assert waits(cast, HOLDER, "repairer") == []


def test_a_step_that_cannot_be_rejected_takes_opinions_beforehand_only(cast: Cast) -> None:
    started(cast, 'xw:assignee="equip_manager" xw:outcomes="submit"')
    holder = cast.client_for(HOLDER)
    task = tasks(holder)[0]["taskId"]
    assert holder.get(f"{WORK}task-detail", taskId=task).data["signPlaces"] == ["before"]
    assert add(cast, HOLDER, "repairer", "after")["error"] == "workflow.signPlace"
    add(cast, HOLDER, "repairer", "before")
    assert sign(cast.client_for("repairer")).status == 200
    body = {"taskId": task, "outcome": "submit"}
    assert holder.post_json(f"{WORK}complete-task", body).data["processIsFinished"] == "finished"


def test_a_signer_hands_the_task_on_and_a_leaver_is_replaced(cast: Cast) -> None:
    instance = started(cast)
    add(cast, HOLDER, "repairer", "before")
    signer = cast.client_for("repairer")
    (row,) = tasks(signer)
    assert row["taskActions"] == ["complete", "delegate", "transfer", "addSigners"]
    body = {"taskId": row["taskId"], "userId": str(cast.user("repairer2").pk), "reason": "出差"}
    assert signer.post_json(f"{WORK}transfer-task", body).status == 200
    assert waits(cast, "repairer", "repairer2") == ["repairer2"]
    # The holder's task waits, and is given to somebody else all the same.
    holder = task_of(instance, cast.user(HOLDER).pk)
    given = {"taskId": str(holder.pk), "userId": str(cast.user("repair_leader").pk), "reason": "离职"}
    assert cast.client_for("tenant_admin").post_json(f"{WORK}reassign", given).status == 200
    assert waits(cast, HOLDER, "repair_leader", "repairer2") == ["repairer2"]
    sign(cast.client_for("repairer2"))
    assert waits(cast, HOLDER, "repair_leader") == ["repair_leader"]


def test_the_task_of_a_holder_who_leaves_while_signers_sign_goes_to_the_manager(cast: Cast) -> None:
    instance = started(cast)
    add(cast, HOLDER, "repairer", "before")
    leaver = cast.user(HOLDER)
    with tenant_scope(A):
        User.objects.filter(pk=leaver.pk).update(is_enabled=False)
        reassign.give_back(0, {"userId": leaver.pk, "managerId": cast.user("repair_leader").pk})
    assert waits(cast, "repair_leader", "repairer") == ["repairer"]
    sign(cast.client_for("repairer"))
    assert (waits(cast, "repair_leader"), status(instance)) == (["repair_leader"], InstanceStatus.RUNNING)


# --- countersigns ---------------------------------------------------------------------------------------------------


def test_in_a_countersign_who_is_added_votes_with_the_others(cast: Cast) -> None:
    instance = begin(cast, drawn("outcome == 'reject'"), "repairer,repairer2")
    first = cast.client_for("repairer")
    task = tasks(first)[0]["taskId"]
    assert first.get(f"{WORK}task-detail", taskId=task).data["signPlaces"] == ["before", "beside"]
    assert add(cast, "repairer", "viewer", "beside").status == 200
    twice = add(cast, "repairer", "repairer2", "beside")
    assert (twice.status, twice["error"]) == (400, "input.invalid")
    assert waits(cast, "repairer", "repairer2", "viewer") == ["repairer", "repairer2", "viewer"]
    assert told(cast, "viewer") == ["您已被加入会签"]
    shown = first.get(f"{WORK}task-detail", taskId=task).data["signers"]
    assert [(one["userName"], one["place"], one["canRemove"]) for one in shown] == [
        ("沈修", "", False),
        ("何看", "beside", True),
    ]
    sign(first)
    sign(cast.client_for("repairer2"))
    assert status(instance) == InstanceStatus.RUNNING
    assert sign(cast.client_for("viewer")).data["processIsFinished"] == "finished"
    assert states(instance) == [("sign", 1, DONE, "agree")] * 3
    model = cast.client_for("operator").get("blade-flow/process/model-view", processInstanceId=instance).data
    assert model["done"]["sign"] == 3


def test_a_co_signer_is_removed_and_the_votes_decide(cast: Cast) -> None:
    instance = begin(cast, drawn("outcome == 'reject'"), "repairer,repairer2,viewer")
    first = cast.client_for("repairer")
    task = tasks(first)[0]["taskId"]
    refused = remove(cast, "repairer", "viewer", task)
    assert (refused.status, refused["error"]) == (403, "access.denied")
    sign(first)
    assert remove(cast, "tenant_admin", "viewer", task).status == 200
    assert waits(cast, "repairer2", "viewer") == ["repairer2"]
    detail = f"blade-flow/process/detail?processInstanceId={instance}"
    assert cast.client_for("viewer").get(detail).status == 404
    assert remove(cast, "tenant_admin", "repairer2", task).status == 200
    assert (status(instance), waits(cast, "repairer2", "viewer")) == (InstanceStatus.COMPLETED, [])
    alone = begin(cast, drawn(), "repairer", key="two")
    task = tasks(first)[0]["taskId"]
    refused = remove(cast, "tenant_admin", "repairer", task)
    assert (refused.status, refused["error"], refused.msg) == (409, "workflow.loop_not_changed", "至少须有一人会签")
    assert states(alone) == [("sign", 1, OPEN, "")]


def test_in_turn_next_and_last_and_one_to_come_is_removed(cast: Cast) -> None:
    instance = begin(cast, drawn("outcome == 'reject'", order='isSequential="true"'), "repairer,repairer2")
    first = cast.client_for("repairer")
    task = tasks(first)[0]["taskId"]
    assert first.get(f"{WORK}task-detail", taskId=task).data["signPlaces"] == ["before", "after", "last"]
    add(cast, "repairer", "operator2", "last")
    add(cast, "repairer", "viewer repair_leader", "after")
    shown = first.get(f"{WORK}task-detail", taskId=task).data["signers"]
    assert [(one["userName"], one["state"], one["canRemove"]) for one in shown] == [
        ("何看", "waiting", True),
        ("卫长", "waiting", True),
        ("尤操", "waiting", True),
    ]
    assert remove(cast, "repairer", "repair_leader", task).status == 200
    twice = add(cast, "repairer", "operator2", "last")
    assert (twice.status, twice["error"]) == (400, "input.invalid")
    asked = []
    while found := waits(cast, "repairer", "repairer2", "viewer", "repair_leader", "operator2"):
        asked += found
        sign(cast.client_for(found[0]))
    assert asked == ["repairer", "viewer", "repairer2", "operator2"]
    assert status(instance) == InstanceStatus.COMPLETED


def test_a_loop_instance_waits_for_those_before_it_while_the_others_sign(cast: Cast) -> None:
    instance = begin(cast, drawn("outcome == 'reject'"), "repairer,repairer2")
    add(cast, "repairer", "viewer", "before")
    assert waits(cast, "repairer", "repairer2", "viewer") == ["repairer2", "viewer"]
    sign(cast.client_for("repairer2"))
    sign(cast.client_for("viewer"), "", "不妥")
    assert waits(cast, "repairer") == ["repairer"]
    assert sign(cast.client_for("repairer")).data["processIsFinished"] == "finished"
    assert status(instance) == InstanceStatus.COMPLETED


WEIGHED = (
    "weights.agree * 100 &gt;= totalWeight * 60 || "
    "(weights.agree + totalWeight - completedWeight) * 100 &lt; totalWeight * 60"
)
TOLD = "${nrOfInstances == 0 ? '' : weights.agree * 100 &gt;= totalWeight * 60 ? 'agree' : 'reject'}"


def weighed(weights: str, order: str = "") -> bytes:
    return drawn(WEIGHED, order=f'{order} xw:weights="{weights}" xw:outcome="{TOLD}"')


def test_weights_are_those_of_the_first_rule_that_names_the_person(cast: Cast) -> None:
    xml = weighed("user:repairer=1, role:repairer=2, role:repair_leader=4, *=3")
    verdict = gate.examine(xml)
    assert verdict.errors == []
    # 1 + 2 + 4 + 3: the leader and one of the role agree, and 6 of 10 are enough.
    people = "repairer,repairer2,repair_leader,viewer"
    instance = begin(cast, xml, people)
    sign(cast.client_for("repair_leader"))
    assert status(instance) == InstanceStatus.RUNNING
    assert sign(cast.client_for("repairer2")).data["processIsFinished"] == "finished"
    # One more whom `*` names: 6 of 13 are too few, and without the leader 9 may still agree.
    instance = begin(cast, xml, people, key="two")
    add(cast, "repairer", "operator2", "beside")
    sign(cast.client_for("repair_leader"))
    sign(cast.client_for("repairer2"))
    assert status(instance) == InstanceStatus.RUNNING
    sign(cast.client_for("operator2"), "")
    sign(cast.client_for("viewer"), "")  # 6 and the 1 of the last are 7 of 13
    assert [row[0] for row in states(instance)][-1] == "again"
    asked = {"xml": xml.decode(), "element": "sign", "values": {"people": people}}
    shown = cast.client_for("flow_designer").post_json("blade-flow/model/candidates", asked).data
    assert sorted((one["name"], one["weight"]) for one in shown["people"]) == [
        ("何看", 3),
        ("卫长", 4),
        ("沈修", 2),
        ("蒋修", 1),
    ]


def test_the_gate_knows_whom_weights_name_and_the_dry_run_counts_them(cast: Cast) -> None:
    body = {"xml": weighed("role:nobody=2, *=1").decode()}
    told = cast.client_for("flow_designer").post_json("blade-flow/model/validate", body).data["problems"]
    assert ("sign", "role_unknown", "error") in [(one["element"], one["code"], one["level"]) for one in told]
    xml, people = weighed("role:repair_leader=3, *=1"), [str(cast.user(name).pk) for name in SIGNERS]
    acts = [{"node": "sign", "seat": ".2", "outcome": "agree"}]
    asked = {"xml": xml.decode(), "acts": acts, "values": {"people": ",".join(people)}}
    run = cast.client_for("flow_designer").post_json("blade-flow/model/dry-run", asked).data
    assert (run["standing"], [step["refusal"] for step in run["steps"]]) == ("completed", [None, None])


# --- the same moment ------------------------------------------------------------------------------------------------

MANY = int(os.environ.get("COUNTERSIGNS", "3"))
"""Instances that three sign at the same moment; `make prove` asks for 100."""


@races
@pytest.mark.parametrize("order", ["", "added"])
def test_three_sign_each_of_many_countersigns_at_the_same_moment_and_nobody_sees_a_conflict(
    cast: Cast, order: str
) -> None:
    """Where the first decides, the others are told so, and have done nothing wrong."""
    until = "" if order == "" else "nrOfCompletedInstances &gt;= 1"
    definition = deploy(drawn(until))
    body = {"processDefinitionId": str(definition.pk), "variables": {"people": ",".join(SIGNERS)}}
    callers = [cast.client_for(name) for name in SIGNERS]
    for _ in range(MANY):
        begun = cast.client_for("operator").post_json(f"{WORK}start-process", body).data["processInstanceId"]
        with tenant_scope(A):
            waiting = dict(WorkItem.objects.filter(instance=begun).values_list("assignee_id", "pk"))
        ids = [str(waiting[cast.user(name).pk]) for name in SIGNERS]
        answers = at_once([partial(sign, caller, task=task) for caller, task in zip(callers, ids, strict=True)])
        assert [answer.status for answer in answers] == [200, 200, 200], answers
        told = sum("decidedText" in answer.data for answer in answers)
        assert (told, status(begun)) == (2 if until else 0, InstanceStatus.COMPLETED)
        done = [row[2:] for row in states(begun)]
        assert sorted(done) == sorted([(DONE, "agree")] + [(DROPPED if until else DONE, "agree")] * 2)
    with tenant_scope(A):
        assert queues.drift() == []


@races
@pytest.mark.parametrize("seed", range(3))
def test_signers_are_added_removed_and_sign_at_the_same_moment(cast: Cast, seed: int) -> None:
    """Whatever the order, the step is over when nobody is waited for, and each act was answered or refused by name."""
    instance = started(cast)
    holder = tasks(cast.client_for(HOLDER))[0]["taskId"]
    add(cast, HOLDER, "repairer repairer2", "beside")
    ids = {name: str(task_of(instance, cast.user(name).pk).pk) for name in ("repairer", "repairer2")}
    acts: list[Callable[[], Body]] = [
        partial(add, cast, HOLDER, "viewer", "after", holder),
        partial(add, cast, HOLDER, "viewer", "after", holder),
        partial(remove, cast, HOLDER, "repairer2", holder),
        partial(sign, cast.client_for("repairer"), task=ids["repairer"]),
        partial(sign, cast.client_for("repairer2"), task=ids["repairer2"]),
        partial(sign, cast.client_for(HOLDER), task=holder),
    ]
    random.Random(seed).shuffle(acts)
    answers = at_once(acts)
    assert {answer.status for answer in answers} <= {200, 400, 403, 409}, answers
    with tenant_scope(A):
        left = list(WorkItem.objects.filter(instance=instance, state__in=(OPEN, WAITING)).values_list("state", "signs"))
        assert queues.drift() == []
    assert (status(instance) == InstanceStatus.COMPLETED) == (left == [])
    assert left in ([], [(OPEN, "after")])
    if left:
        assert sign(cast.client_for("viewer")).data["processIsFinished"] == "finished"


def at_once(acts: Sequence[Callable[[], Body]]) -> list[Body]:
    """What these acts, each in a thread of its own, were answered."""
    start, answers, failed = threading.Barrier(len(acts)), dict[int, Body](), list[Exception]()

    def take(number: int, act: Callable[[], Body]) -> None:
        try:
            start.wait(20)
            answers[number] = act()
        except Exception as error:  # carried to the main thread
            failed.append(error)
        finally:
            connection.close()

    connection.close()
    threads = [threading.Thread(target=take, args=(number, act)) for number, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    return [answers[number] for number in range(len(acts))]


# --- the steps of a record ------------------------------------------------------------------------------------------


def test_at_a_records_own_step_others_sign_before_and_only_its_person_carries_out_the_command(cast: Cast) -> None:
    machine = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响"}
    order = cast.client_for("operator").post_json("yuzhu-equip/repairorder/save", machine).data
    leader = cast.client_for("repair_leader")
    (row,) = leader.get(f"{WORK}claim-list").data["records"]
    dispatch = {
        "id": order["id"],
        "lockVersion": order["lockVersion"],
        "action": "dispatch",
        "repairUserId": str(cast.user("repairer").pk),
    }
    with tenant_scope(A):
        item = WorkItem.objects.get(business_id=order["id"])
        WorkItem.objects.filter(pk=item.pk).update(assignee_id=cast.user("repair_leader").pk, pool=None)
        queues.recount()
    assert leader.get(f"{WORK}task-detail", taskId=row["taskId"]).data["signPlaces"] == ["before"]
    assert add(cast, "repair_leader", "equip_manager", "beside")["error"] == "workflow.signPlace"
    assert add(cast, "repair_leader", "equip_manager", "before").status == 200
    before = checksum(A)
    # Neither the holder nor the signer, who holds the permission, dispatches meanwhile.
    for who in ("repair_leader", "equip_manager"):
        refused = cast.client_for(who).post_json("yuzhu-equip/repairorder/update", dispatch)
        assert (refused.status, refused["error"]) == (409, "workflow.waitsForSigners"), who
    manager = cast.client_for("equip_manager")
    task = tasks(manager)[0]["taskId"]
    assert checksum(A) == before
    shown = manager.get("yuzhu-equip/repairorder/detail", id=order["id"]).data
    assert shown["openTask"]["assigneeName"] == "钱管" and "dispatch" not in shown["allowedActions"]
    body = {"taskId": task, "flag": "ok", "comment": "尽快"}
    assert manager.post_json(f"{WORK}complete-task", body).status == 200
    done = leader.post_json("yuzhu-equip/repairorder/update", dispatch)
    assert done.status == 200, done
    with tenant_scope(A):
        assert queues.drift() == []


def goes_on(cast: Cast) -> str:
    """A process whose first step the equipment manager holds, and whatever it ends with, the viewer comes next."""
    body = """<startEvent id="start"/><userTask id="look" name="审批" xw:assignee="equip_manager"/>
      <exclusiveGateway id="which" default="no"/><userTask id="next" name="登记" xw:assignee="viewer"/>
      <endEvent id="done"/><sequenceFlow id="f1" sourceRef="start" targetRef="look"/>
      <sequenceFlow id="f2" sourceRef="look" targetRef="which"/>
      <sequenceFlow id="no" sourceRef="which" targetRef="next"/>
      <sequenceFlow id="yes" sourceRef="which" targetRef="next"><conditionExpression>${outcome == 'agree'}
      </conditionExpression></sequenceFlow><sequenceFlow id="f3" sourceRef="next" targetRef="done"/>"""
    asked = {"processDefinitionId": str(deploy(document(body)).pk)}
    return str(cast.client_for("operator").post_json(f"{WORK}start-process", asked).data["processInstanceId"])


def take_back(cast: Cast, who: str, task: str) -> Body:
    return cast.client_for(who).post_json(f"{WORK}take-back", {"taskId": task})


def signed(instance: str) -> list[tuple[str, str, int]]:
    """The items of the step that were not dropped, the oldest first: whose, before or after it, and how they stand."""
    with tenant_scope(A):
        rows = WorkItem.objects.filter(instance=instance).exclude(state=DROPPED).order_by("id")
        names = dict(User.objects.values_list("pk", "account"))
        return [(names[row.assignee_id], row.signs, row.state) for row in rows]


def test_a_step_that_was_taken_back_takes_signers(cast: Cast) -> None:
    instance = goes_on(cast)
    holder = cast.client_for(HOLDER)
    first = tasks(holder)[0]["taskId"]
    assert (sign(holder).status, take_back(cast, HOLDER, first).status) == (200, 200)
    assert add(cast, HOLDER, "repairer", "before").status == 200
    assert waits(cast, HOLDER, "repairer", "viewer") == ["repairer"]
    assert sign(cast.client_for("repairer")).status == 200
    assert waits(cast, HOLDER, "repairer", "viewer") == [HOLDER]
    assert sign(holder).status == 200
    assert waits(cast, HOLDER, "repairer", "viewer") == ["viewer"]
    assert status(instance) == InstanceStatus.RUNNING


def test_a_signer_takes_back_what_they_signed_until_the_next_one_acts(cast: Cast) -> None:
    instance = goes_on(cast)
    assert add(cast, HOLDER, "repairer repairer2", "before").status == 200
    mine = tasks(cast.client_for("repairer"))[0]["taskId"]
    other = tasks(cast.client_for("repairer2"))[0]["taskId"]
    before = signed(instance)
    assert sign(cast.client_for("repairer")).status == 200
    [row] = cast.client_for("repairer").get(f"{WORK}done-list").data["records"]
    assert row["taskActions"] == ["takeBack"]
    assert take_back(cast, "repairer2", mine).status == 403
    assert take_back(cast, "repairer", mine).status == 200
    assert [one for one in signed(instance) if one[2] != DONE] == [before[0], before[2], before[1]]
    assert waits(cast, HOLDER, "repairer", "repairer2") == ["repairer", "repairer2"]
    # The last of them lets the holder act, who waits again when that is taken back.
    assert sign(cast.client_for("repairer")).status == 200
    assert sign(cast.client_for("repairer2")).status == 200
    assert waits(cast, HOLDER, "repairer", "repairer2") == [HOLDER]
    assert take_back(cast, "repairer", tasks_done(cast, "repairer")).status == 409  # the other has signed since
    assert take_back(cast, "repairer2", other).status == 200
    assert waits(cast, HOLDER, "repairer", "repairer2") == ["repairer2"]
    assert sign(cast.client_for("repairer2")).status == 200
    assert sign(cast.client_for(HOLDER)).status == 200
    assert waits(cast, HOLDER, "viewer") == ["viewer"]
    said = [row[1] for row in history(cast, instance)]
    assert said.count("沈修") == 3  # signed, taken back, signed


def tasks_done(cast: Cast, who: str) -> str:
    return str(cast.client_for(who).get(f"{WORK}done-list").data["records"][0]["taskId"])


@pytest.mark.parametrize("outcome", ["agree", "reject"])
def test_the_last_signature_is_taken_back_with_the_step(cast: Cast, outcome: str) -> None:
    instance = goes_on(cast)
    step = tasks(cast.client_for(HOLDER))[0]["taskId"]
    assert add(cast, HOLDER, "repairer", "beside").status == 200
    assert add(cast, HOLDER, "repairer2", "after", task=step).status == 200
    if outcome == "agree":
        assert sign(cast.client_for(HOLDER)).status == 200
        assert sign(cast.client_for("repairer")).status == 200
    else:
        # Two of the step still wait when the rejection ends it: one open, one behind it.
        assert waits(cast, HOLDER, "repairer", "repairer2") == [HOLDER, "repairer"]
    before = [one for one in signed(instance) if one[2] != DONE]
    last = "repairer2" if outcome == "agree" else "repairer"
    mine = tasks(cast.client_for(last))[0]["taskId"]
    assert sign(cast.client_for(last), "" if outcome == "reject" else "ok").status == 200
    assert waits(cast, HOLDER, "repairer", "repairer2", "viewer") == ["viewer"]
    assert take_back(cast, last, mine).status == 200
    assert sorted(one for one in signed(instance) if one[2] != DONE) == sorted(before)
    with tenant_scope(A):
        assert queues.drift() == []
    # Everybody signs once more, and the process goes on.
    for who in (HOLDER, "repairer", "repairer2"):
        while tasks(cast.client_for(who)):
            assert sign(cast.client_for(who)).status == 200
    assert waits(cast, HOLDER, "repairer", "repairer2", "viewer") == ["viewer"]


def test_whom_a_signer_added_still_signs_after_them(cast: Cast) -> None:
    goes_on(cast)
    assert add(cast, HOLDER, "repairer", "beside").status == 200
    assert add(cast, "repairer", "repairer2", "after").status == 200
    mine = tasks(cast.client_for("repairer"))[0]["taskId"]
    assert sign(cast.client_for(HOLDER)).status == 200
    assert sign(cast.client_for("repairer")).status == 200
    assert waits(cast, "repairer", "repairer2", "viewer") == ["repairer2"]
    assert take_back(cast, "repairer", mine).status == 200
    assert waits(cast, "repairer", "repairer2", "viewer") == ["repairer"]
    assert sign(cast.client_for("repairer")).status == 200
    assert waits(cast, "repairer", "repairer2", "viewer") == ["repairer2"]


def test_signers_of_a_step_beside_come_back_as_they_waited(cast: Cast) -> None:
    body = """<startEvent id="start"/><parallelGateway id="fork"/>
      <userTask id="look" name="审批" xw:assignee="equip_manager"/>
      <userTask id="beside" name="会审" xw:assignee="repair_leader"/>
      <userTask id="next" name="登记" xw:assignee="viewer"/>
      <endEvent id="done"/><sequenceFlow id="f1" sourceRef="start" targetRef="draft"/>
      <userTask id="draft" name="编制" xw:assignee="operator"/>
      <sequenceFlow id="f0" sourceRef="draft" targetRef="fork"/>
      <sequenceFlow id="f2" sourceRef="fork" targetRef="look"/>
      <sequenceFlow id="f3" sourceRef="fork" targetRef="beside"/>
      <sequenceFlow id="f4" sourceRef="look" targetRef="join"/>
      <sequenceFlow id="f5" sourceRef="beside" targetRef="join"/>
      <parallelGateway id="join"/><sequenceFlow id="f6" sourceRef="join" targetRef="next"/>
      <sequenceFlow id="f7" sourceRef="next" targetRef="done"/>"""
    asked = {"processDefinitionId": str(deploy(document(body)).pk)}
    operator = cast.client_for("operator")
    instance = str(operator.post_json(f"{WORK}start-process", asked).data["processInstanceId"])
    assert sign(operator).status == 200
    assert add(cast, HOLDER, "repairer", "before").status == 200
    before = signed(instance)
    mine = tasks(cast.client_for("repair_leader"))[0]["taskId"]
    sent = {"taskId": mine, "to": "draft", "reason": "重编"}
    assert cast.client_for("repair_leader").post_json(f"{WORK}send-back", sent).status == 200
    assert waits(cast, HOLDER, "repairer", "repair_leader", "operator") == ["operator"]
    assert take_back(cast, "repair_leader", mine).status == 200
    assert sorted(one for one in signed(instance) if one[2] != DONE) == sorted(one for one in before if one[2] != DONE)
    assert waits(cast, HOLDER, "repairer", "repair_leader", "operator") == ["repairer", "repair_leader"]
