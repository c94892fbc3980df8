"""Writing rows by texts made once: what the ORM would have written, in the tenant in scope, or nothing at all."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import DatabaseError
from django.db.models import Model

from core.audit.models import Event
from core.equipment.models import Urgency
from core.kernel.actor import acting
from core.kernel.ids import next_id
from core.kernel.tenancy import NoTenant, tenant_scope
from core.maintenance import operations
from core.maintenance.models import RepairOrder
from core.scheduling.models import OutboxMessage
from core.statements import writes
from tests.cast import A, B, Cast
from tests.checksums import checksum
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.timers.models import Timer
from workflows.runtime.tables.worklist.models import Tally, WorkItem

WRITTEN = (RepairOrder, ProcessInstance, WorkItem, Tally, Timer, Event, OutboxMessage)
DIFFERENT = {"id", "update_time", "engine_task", "order_no", "business_id", "node"}
"""Columns in which two copies of a row may have to differ."""


@pytest.fixture
def order(cast: Cast) -> RepairOrder:
    """An order of company A that waits to be dispatched, with all the rows of its process."""
    body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响", "force": 1}
    with tenant_scope(A):
        return RepairOrder.objects.get(pk=operations.save(cast.actor_for("operator"), body)["id"])


def _stored(row: Model) -> dict[str, Any]:
    """The row's columns as the database gives them back."""
    found = type(row)._base_manager.get(pk=row.pk)
    return {one.attname: getattr(found, one.attname) for one in row._meta.concrete_fields}


def _copy(row: Any) -> Any:
    """A new row with the same values, where one may have them twice."""
    made = type(row)(**{one.attname: getattr(row, one.attname) for one in row._meta.concrete_fields})
    made.pk, made._state.adding = next_id(), True
    if isinstance(row, RepairOrder):
        made.order_no = str(made.pk)
    if isinstance(row, ProcessInstance):
        made.business_id = made.pk
    if isinstance(row, WorkItem):
        made.node = str(made.pk)
    if isinstance(row, Timer):
        made.engine_task = str(made.pk)
    return made


def _same(first: Model, second: Model) -> None:
    mine, its = _stored(first), _stored(second)
    differing = {name for name in mine if mine[name] != its[name]}
    assert differing <= DIFFERENT, differing


@pytest.mark.parametrize("model", WRITTEN, ids=lambda model: model.__name__)
def test_a_row_is_inserted_as_the_orm_inserts_it(cast: Cast, order: RepairOrder, model: Any) -> None:
    with tenant_scope(A), acting(cast.actor_for("repairer")):
        pattern = model._base_manager.order_by("id").first()
        theirs, ours, another = (_copy(pattern) for _ in range(3))
        model._base_manager.bulk_create([theirs])
        writes.insert([ours, another])
        for row in (ours, another):
            _same(row, theirs)
            assert row._state.adding is False


@pytest.mark.parametrize(
    "model", [model for model in WRITTEN if not getattr(model, "insert_only", False)], ids=lambda model: model.__name__
)
def test_a_row_is_updated_as_the_orm_updates_it(cast: Cast, order: RepairOrder, model: Any) -> None:
    with tenant_scope(A), acting(cast.actor_for("repairer")):
        theirs = _copy(model._base_manager.order_by("id").first())
        ours = _copy(theirs)
        model._base_manager.bulk_create([theirs, ours])
        for row, save in ((theirs, theirs.save), (ours, lambda: writes.update(ours))):
            _change(row)
            save()
        _same(ours, theirs)


def _change(row: Any) -> None:
    """Other values in columns of all sorts."""
    for name, value in {
        "urgency": Urgency.CRITICAL, "fault_tag_ids": [1, 2], "plan_finish_time": None, "nodes": {"a": 2},
        "state": b"\x00\xff" if isinstance(row, ProcessInstance) else 1, "answer": {"id": "7"}, "round": 9,
        "effects": ["a"], "payload": {"users": [1]}, "due_time": datetime(2026, 1, 2, tzinfo=UTC),
        "title": "改", "delta": 7,
    }.items():  # fmt: skip
        if hasattr(row, name):
            setattr(row, name, value)


def test_only_the_columns_that_are_named_are_written(cast: Cast, order: RepairOrder) -> None:
    with tenant_scope(A):
        order.title, order.description = "一", "二"
        writes.update(order, "title")
        assert RepairOrder.objects.values_list("title", "description").get(pk=order.pk) == ("一", "主轴异响")


def test_a_copied_column_gets_what_another_one_held_before(cast: Cast, order: RepairOrder) -> None:
    with tenant_scope(A):
        before = RepairOrder.objects.get(pk=order.pk).title
        order.title, order.description = "一", "二"
        writes.update(order, "title", copied={"description": "title"})
        assert RepairOrder.objects.values_list("title", "description").get(pk=order.pk) == ("一", before)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda order: setattr(order, "pk", next_id()),
        lambda order: RepairOrder.objects.filter(pk=order.pk).update(is_deleted=True),
    ],
    ids=["gone", "deleted"],
)
def test_a_row_that_is_not_there_is_not_written(order: RepairOrder, spoil: Callable[[Any], None]) -> None:
    with tenant_scope(A):
        spoil(order)
        before = checksum(A)
        with pytest.raises(DatabaseError):
            writes.update(order, "title")
    assert checksum(A) == before


def test_a_row_of_another_tenant_is_neither_updated_nor_inserted(order: RepairOrder) -> None:
    before = checksum(A), checksum(B)
    with tenant_scope(B):
        with pytest.raises(NoTenant):
            writes.update(order)
        with pytest.raises(DatabaseError):
            writes.update(order, "title")
        with pytest.raises(NoTenant):
            writes.insert([_copy(order)])
    assert (checksum(A), checksum(B)) == before


def test_nothing_to_insert_asks_nothing(db: None, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        writes.insert([])
