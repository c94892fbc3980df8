"""What the list of repair orders can be asked; custom data scopes are written in the same words."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import (
    BooleanField,
    Case,
    DateTimeField,
    DurationField,
    ExpressionWrapper,
    F,
    Q,
    QuerySet,
    Value,
    When,
)
from django.db.models.functions import Coalesce
from django.db.models.lookups import LessThan

from core.equipment.models import Urgency
from core.equipment.queries import filters_by_machine
from core.kernel import clock
from core.maintenance.models import RepairOrder, Status
from core.rest.filters import CODE, FLAG, Filter, below, filters_of, with_word
from core.system import parameters
from core.system.periods import SOON


def late(at: datetime | None = None) -> Q:
    """Open orders of which the present limit has passed: what the marks on a row say, asked of the database.

    With a moment to come they are those that will be late then, where nothing is done until then.
    """
    now, limits = at or clock.now(), parameters.repair()
    no_response = Q()
    for urgency, minutes in zip(Urgency, limits.response_minutes, strict=True):
        no_response |= Q(urgency=urgency, report_time__lt=now - timedelta(minutes=minutes))
    by_urgency = Case(
        *(
            When(urgency=urgency, then=F("accept_time") + timedelta(minutes=minutes))
            for urgency, minutes in zip(Urgency, limits.finish_minutes, strict=True)
        ),
        output_field=DateTimeField(),
    )
    held = ExpressionWrapper(F("hang_seconds") * Value(timedelta(seconds=1)), output_field=DurationField())
    due = ExpressionWrapper(Coalesce("plan_finish_time", by_urgency) + held, output_field=DateTimeField())
    until = Coalesce("hang_start", Value(now, output_field=DateTimeField()))
    waiting = Q(status__in=(Status.REPORTED, Status.DISPATCHED, Status.REPAIRING, Status.ON_HOLD))
    return waiting & (Q(accept_time=None) & no_response | Q(LessThan(due, until)))


def _overdue(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """Not accepted, or not finished, in time."""
    return rows.filter(late()) if text == "1" else rows


def _due_soon(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """Not late yet, and late within two hours where nothing is done."""
    if text != "1":
        return rows
    # A condition that compares with an empty column is neither true nor false: only a case tells it from true.
    in_time = Case(When(late(), then=Value(False)), default=Value(True), output_field=BooleanField())
    return rows.filter(late(clock.now() + SOON)).filter(in_time)


def _repeated(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """Faults that have come back, or those that have not."""
    return rows.filter(repeat_of__isnull=text not in ("1", "true"))


FILTERS = {
    **filters_of(
        RepairOrder, "status", "urgency", "repair_type", "dept", "repair_user", "report_user", "team", "source",
        "is_stop", "report_time",
    ),
    **filters_by_machine("machine"),
    "underDeptId": below("dept"),
    "orderNo": Filter("order_no", CODE),
    "keyword": with_word("order_no", "title", "machine__machine_name"),
    "isRepeat": Filter(kind=FLAG, apply=_repeated),
    "overdue": Filter(kind=FLAG, apply=_overdue),
    "dueSoon": Filter(kind=FLAG, apply=_due_soon),
}  # fmt: skip
