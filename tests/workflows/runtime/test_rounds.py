"""Rounds: how often the process has come to a step, counted on the instance, and from the items of older ones."""

from __future__ import annotations

import pytest

from core.cases import commands
from core.kernel.tenancy import tenant_scope
from core.maintenance import operations
from core.maintenance.case import REPAIR
from core.maintenance.models import RepairOrder
from tests.cast import A, Cast
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.worklist.models import WorkItem

pytestmark = pytest.mark.django_db


def _hand_on(cast: Cast, order_id: int, account: str, action: str, **values: str) -> None:
    with tenant_scope(A):
        version = RepairOrder.objects.get(pk=order_id).lock_version
        commands.by_record(REPAIR, cast.actor_for(account), order_id, version, action, values)


@pytest.fixture
def refused_twice(cast: Cast) -> int:
    """An order that was dispatched twice and refused twice: its dispatchers have it for the third time."""
    with tenant_scope(A):
        body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响"}
        order_id = int(operations.save(cast.actor_for("operator"), body)["id"])
    for _time in range(2):
        _hand_on(cast, order_id, "repair_leader", "dispatch", repairUserId=str(cast.user("repairer").pk))
        _hand_on(cast, order_id, "repairer", "refuse", reason="不在厂")
    return order_id


def _rounds(order_id: int) -> list[tuple[str, int]]:
    with tenant_scope(A):
        return list(WorkItem.objects.filter(business_id=order_id).order_by("id").values_list("node", "round"))


FIVE = [("dispatch", 1), ("accept", 1), ("dispatch", 2), ("accept", 2), ("dispatch", 3)]


def test_each_return_is_a_round_of_its_own(refused_twice: int) -> None:
    assert _rounds(refused_twice) == FIVE


def test_an_instance_of_before_the_counter_goes_on_counting_where_it_was(cast: Cast, refused_twice: int) -> None:
    with tenant_scope(A):
        ProcessInstance.objects.filter(business_id=refused_twice).update(rounds=None)
    _hand_on(cast, refused_twice, "repair_leader", "dispatch", repairUserId=str(cast.user("repairer").pk))
    _hand_on(cast, refused_twice, "repairer", "refuse", reason="不在厂")
    assert _rounds(refused_twice) == [*FIVE, ("accept", 3), ("dispatch", 4)]
    with tenant_scope(A):
        kept = ProcessInstance.objects.get(business_id=refused_twice).rounds
    assert kept == {"dispatch": 4, "accept": 3}
