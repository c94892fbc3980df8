"""Makes the orders of what is due: each night for all plan rows, and for those of an asset whose meter was read.

It may run twice at a time, and be killed at any moment: each order is made in a transaction of its own under a key that
is there once, and what is missing the next run makes.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from core.equipment import meters
from core.equipment.models import Machine
from core.equipment.states import OUT_OF_USE
from core.inspection import due
from core.inspection.models import ConfigType, MaintenancePlan
from core.inspection.upkeep import DATES
from core.kernel import clock, outbox
from core.preventive.models import OPEN, MaintainOrder
from core.preventive.orders import is_open, open_order
from core.scheduling.schedule import Counts
from core.system.periods import today

TOPIC = "maintain.generate"
_MOST_NAMES = 20
"""Rows that a note names."""
log = logging.getLogger("xunwei.preventive")


@dataclass
class Made:
    """What came of a run."""

    created: int = 0
    failed: int = 0
    paused: list[str] = field(default_factory=list)
    """Rows that were near and paused."""
    idle: list[str] = field(default_factory=list)
    """Rows that were near on assets out of use or sealed."""

    def note(self) -> str:
        """Return which rows got no order, for the log of the job; empty where each got one."""
        said = []
        for names, zh, en in (
            (self.paused, "已暂停", "paused"),
            (self.idle, "设备停用、报废或封存", "asset not in use"),
        ):
            if names:
                more = "" if len(names) <= _MOST_NAMES else " …"
                said.append(f"{zh} / {en} ({len(names)}): {'、'.join(names[:_MOST_NAMES])}{more}")
        return "; ".join(said)


def near(machine_ids: Collection[int] | None = None) -> list[MaintenancePlan]:
    """Return the rows whose order is to be made and is not there, paused ones and assets out of use among them.

    Of all assets, or of these; one statement.
    """
    there = MaintainOrder.objects.filter(config=OuterRef("config"), machine=OuterRef("machine"), status__in=OPEN)
    rows: QuerySet[Any] = MaintenancePlan.objects.filter(
        ~Exists(there), config__config_type=ConfigType.MAINTENANCE, config__is_sealed=False, config__is_deleted=False
    )
    if machine_ids is not None:
        rows = rows.filter(machine__in=machine_ids)
    day = today()
    found = rows.select_related("config", "machine").defer("config__items").order_by("next_due_date", "pk")
    return [row for row in found.iterator() if _is_near(row, day)]


def _is_near(row: MaintenancePlan, day: Any) -> bool:
    at = due.Due(row.next_due_date, row.next_due_hours)
    return due.is_near(row.config.cycle, at, day, row.machine.run_hours)


def generate(machine_ids: Collection[int] | None = None) -> Made:
    """Make the orders of all rows that are near, or of those of some assets."""
    made = Made()
    for row in near(machine_ids):
        name = f"{row.machine.machine_name} {row.config.config_name}"
        if row.paused:
            made.paused.append(name)
        elif row.machine.run_state in OUT_OF_USE or row.machine.is_sealed:
            made.idle.append(name)
        else:
            try:
                made.created += _make(row.pk)
            except Exception:  # one row's trouble does not stop the others
                log.exception("the order of plan row %s was not made", row.pk)
                made.failed += 1
    return made


def _make(plan_id: int) -> int:
    """Make the order of a row, unless somebody else was faster; return how many were made."""
    with transaction.atomic():
        rows = MaintenancePlan.objects.select_for_update(of=("self",)).select_related("config", "machine")
        row = rows.filter(pk=plan_id, paused=False).first()
        day = today()
        if row is None or not _is_near(row, day):
            return 0
        cycle, hours = row.config.cycle, row.machine.run_hours
        next_due = due.Due(row.next_due_date, row.next_due_hours)
        at = due.occurrence(cycle, next_due, day, hours, row.machine.avg_daily_hours)
        assert at.day is not None
        row.follow(due.begun(cycle, row.basis, day, hours))
        order = open_order(
            row, due_date=at.day, due_hours=at.hours, now=clock.now(), is_first=next_due.at_once,
            key=str(at.day if at.hours is None else at.hours),
        )  # fmt: skip
        if order is None:
            if is_open(row.config_id, row.machine_id):
                return 0
            # What is due by this key was made once, before the row was removed and entered anew: it goes on with the
            # next one.
            moved = due.left_out(cycle, row.basis, day, hours)
            if moved is not None:
                row.follow(moved.basis)
        MaintenancePlan.objects.filter(pk=row.pk).update(**{name: getattr(row, name) for name in DATES})
        return int(order is not None)


def nightly() -> Counts:
    """Make what is due, for the job."""
    made = generate()
    return Counts(created=made.created, skipped=len(made.paused) + len(made.idle), failed=made.failed, note=made.note())


# Readings


def after_reading(machine: Machine) -> None:
    """Let the orders of an asset be made after the transaction, where its meter has come near to what is due."""
    rows = MaintenancePlan.objects.filter(machine=machine.pk, next_due_hours__isnull=False, paused=False)
    metered = list(rows.select_related("config").defer("config__items"))
    if not metered:
        return
    hours = Machine.objects.values_list("run_hours", flat=True).get(pk=machine.pk)
    if any(due.hours_are_near(row.config.cycle, due.Due(hours=row.next_due_hours), hours) for row in metered):
        outbox.send(TOPIC, {"machine": machine.pk})


def listen() -> None:
    """Follow readings, and take the messages."""
    meters.listen(after_reading)
    outbox.handler(TOPIC)(_go_on)


def _go_on(message_id: int, payload: Mapping[str, Any]) -> None:
    """Make the orders that a reading has brought."""
    generate([payload["machine"]])
