"""Everything that people do with an open step, by eight people at once on the same steps: one winner each time, and a
history in which every act begins where the one before it ended."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable

import pytest
from django.db import connection

from core.audit.models import Event
from core.kernel.tenancy import tenant_scope
from core.maintenance import operations
from tests.cast import A, Body, Caller, Cast
from tests.workflows.processes import started
from workflows.runtime.rows import queues
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

CROWD = ("repair_leader", "repairer", "repairer2", "repairer_other") * 2
WORK = "blade-flow/work/"
ANSWERS = {200, 400, 403, 409}


def races(function: Callable[..., None]) -> Callable[..., None]:
    """Mark a test that needs real transactions of several threads."""
    return pytest.mark.django_db(transaction=True)(function)  # type: ignore[no-any-return]


def _at_once(parts: list[Callable[[], None]]) -> None:
    start, failed = threading.Barrier(len(parts)), []

    def take(part: Callable[[], None]) -> None:
        try:
            start.wait(20)
            part()
        except Exception as error:  # carried to the main thread
            failed.append(error)
        finally:
            connection.close()

    connection.close()
    threads = [threading.Thread(target=take, args=(part,)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def _is_linear(item_id: int) -> list[str]:
    """The acts on the item, each begun where the last one ended; what the last one left is what stands there."""
    with tenant_scope(A):
        item = WorkItem.objects.get(pk=item_id)
        events = list(Event.objects.filter(work_item_id=item_id).order_by("id"))
        holder: int | None = None
        for event in events:
            assert event.from_holder == holder, [(e.operation, e.from_holder, e.to_holder) for e in events]
            holder = event.to_holder
        if item.state == ItemState.OPEN:
            assert item.assignee_id == holder
            assert (item.pool is None) == (holder is not None)
        else:
            assert item.pool is None
        return [event.operation for event in events]


@races
@pytest.mark.parametrize("seed", range(3))
def test_claiming_delegating_handing_back_transferring_and_withdrawing_at_once(cast: Cast, seed: int) -> None:
    items = [started(cast) for _ in range(4)]
    people = {account: str(cast.user(account).pk) for account in CROWD}
    starter = cast.client_for("operator")
    answers: list[tuple[str, int, Body]] = []

    def part(place: int) -> Callable[[], None]:
        caller, chance = cast.client_for(CROWD[place]), random.Random(seed * 100 + place)

        def run() -> None:
            for _ in range(24):
                item = chance.choice(items)
                word = chance.choice(("claim-task", "claim-task", "delegate-task", "transfer-task", "unclaim-task"))
                body = {"taskId": str(item.pk), "userId": people[chance.choice(CROWD)], "reason": "出差"}
                if word.startswith(("claim", "unclaim")):
                    answer = caller.post_json(f"{WORK}{word}", taskId=item.pk)
                else:
                    answer = caller.post_json(f"{WORK}{word}", body)
                answers.append((word, item.pk, answer))

        return run

    def withdraw() -> None:
        body = {"processInstanceId": str(items[0].instance_id), "reason": "填错了"}
        answers.extend(("withdraw", items[0].pk, starter.post_json(f"{WORK}withdraw", body)) for _ in range(2))

    _at_once([*(part(place) for place in range(len(CROWD) - 1)), withdraw])
    assert {answer.status for _word, _item, answer in answers} <= ANSWERS
    for item in items:
        acts = _is_linear(item.pk)
        done = sum(1 for word, pk, answer in answers if pk == item.pk and answer.status == 200 and word != "withdraw")
        # A claim by who holds it already and a transfer sent again are answered, and nothing happens.
        assert len(acts) <= done
        assert acts[:1] in ([], ["task.claim"])
    with tenant_scope(A):
        assert ProcessInstance.objects.get(pk=items[0].instance_id).status == InstanceStatus.WITHDRAWN
        assert WorkItem.objects.get(pk=items[0].pk).state == ItemState.DROPPED
        assert queues.drift() == []


@races
def test_claiming_completing_and_cancelling_an_order_at_once_moves_it_once(cast: Cast) -> None:
    to = {"repairUserId": str(cast.user("repairer").pk)}
    leaders = [cast.client_for("repair_leader"), cast.client_for("equip_manager")]
    for _round in range(8):
        body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响", "force": 1}
        with tenant_scope(A):
            order = int(operations.save(cast.actor_for("operator"), body)["id"])
            item = WorkItem.objects.get(business_id=order)
        done = {"taskId": str(item.pk), "flag": "ok", "comment": "去吧", "variables": to}
        cancel = {"id": str(order), "lockVersion": 1, "action": "cancel", "cancelReason": 1, "remark": "误报"}
        answers: list[tuple[str, Body]] = []

        def act(
            word: str, caller: Caller, path: str, body: dict[str, object], answers: list[tuple[str, Body]] = answers
        ) -> Callable[[], None]:
            return lambda: answers.append((word, caller.post_json(path, body)))

        parts = [act("claim", caller, f"{WORK}claim-task", {"taskId": str(item.pk)}) for caller in leaders]
        parts += [act("complete", caller, f"{WORK}complete-task", done) for caller in leaders * 2]
        parts += [act("cancel", caller, "yuzhu-equip/repairorder/update", cancel) for caller in leaders]
        _at_once(parts)
        assert {answer.status for _word, answer in answers} <= ANSWERS
        won = [word for word, answer in answers if answer.status == 200]
        acts = _is_linear(item.pk)
        moved = [name for name in acts if name == "repairorder.dispatch"]
        with tenant_scope(A):
            ended = Event.objects.filter(business_id=order, operation="repairorder.cancel").count()
            assert queues.drift() == []
        assert len(moved) + ended >= 1, won
        assert len(moved) <= 1 and ended <= 1
        assert acts.count("task.claim") <= 1
