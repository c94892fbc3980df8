"""Which maintenance orders a person sees, and what the list can be asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import (
    Case,
    Count,
    DateField,
    Exists,
    F,
    FloatField,
    Func,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Cast, Ceil, Coalesce, Least

from core import ports
from core.cases.case import Listing
from core.cases.visibility import InScope
from core.equipment.queries import filters_by_machine
from core.inspection import due
from core.inspection.models import MaintenancePlan
from core.kernel.actor import Actor
from core.preventive.models import OPEN, MaintainLine, MaintainOrder, Status
from core.rest.filters import CODE, FLAG, Filter, below, filters_of, with_word
from core.rest.scopes import Scope, rule_of
from core.system.periods import today


def late() -> Q:
    """Orders that were not finished on the day when they were due: what the mark on a row says, of the database."""
    return Q(status__in=OPEN, finish_time=None, due_date__lt=today())


def _overdue(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """Open, not submitted, and past the due date."""
    return rows.filter(late()) if text in ("1", "true") else rows


FILTERS = {
    **filters_of(
        MaintainOrder, "status", "level", "source", "trigger_type", "config", "dept", "team", "executor", "due_date",
        "original_due_date", "finish_time", "need_check",
    ),
    **filters_by_machine("machine"),
    "underDeptId": below("dept"),
    "orderNo": Filter("order_no", CODE),
    "keyword": with_word("order_no", "config_name", "machine__machine_name", "machine__machine_code"),
    "overdue": Filter(kind=FLAG, apply=_overdue),
}  # fmt: skip

ORDERS = Listing(
    "maintainorder",
    fields=(),
    scope={"user": "executor_id", "team": "team_id,machine__team_id", "dept": "dept_id"},
    filters=FILTERS,
)
"""The list, whose columns `serializers.py` says."""


def open_by_machine(machine_ids: Collection[int]) -> Mapping[int, int]:
    """Count the open orders of each of these assets; one statement."""
    rows = MaintainOrder.objects.filter(machine__in=machine_ids, status__in=OPEN).order_by()
    return Counter(dict(rows.values_list("machine").annotate(Count("pk"))))


def last_maintained() -> Subquery:
    """Return when the work on the outer asset was finished last, whatever the verification says of it."""
    done = MaintainOrder.objects.filter(
        machine=OuterRef("pk"), status__in=(Status.TO_CHECK, Status.DONE), finish_time__isnull=False
    )
    return Subquery(done.order_by("-finish_time").values("finish_time")[:1])


class _Later(Func):
    """A day and a number of days after it, as a day."""

    output_field = DateField(null=True)

    def as_postgresql(self, compiler: Any, connection: Any, **more: Any) -> Any:
        return super().as_sql(compiler, connection, template="(%(expressions)s::integer)", arg_joiner=" + ", **more)

    def as_sqlite(self, compiler: Any, connection: Any, **more: Any) -> Any:
        template = "date(%(expressions)s || ' days')"
        return super().as_sql(compiler, connection, template=template, arg_joiner=", '+' || ", **more)


def next_planned() -> Subquery:
    """Return the day on which the outer asset is due next by a standard that is in use.

    A standard that goes by the meter is due on the day that is predicted for its reading, as `due.predicted` says; of
    a date and a predicted day the earlier one counts.
    """
    rows = MaintenancePlan.objects.filter(
        machine=OuterRef("pk"), paused=False, config__is_deleted=False, config__is_sealed=False
    )
    missing, daily = F("next_due_hours") - F("machine__run_hours"), F("machine__avg_daily_hours")
    # A quotient that is whole may come out a little too large.
    days = Cast(Ceil(Cast(missing, FloatField()) / Cast(daily, FloatField()) - 1e-9), IntegerField())
    day = Value(today(), DateField())
    predicted = Case(
        When(next_due_hours=None, then=None),
        When(next_due_hours__lte=F("machine__run_hours"), then=day),
        # False too where the asset does not run, and where nobody knows.
        When(next_due_hours__lte=F("machine__run_hours") + daily * due.FURTHEST, then=_Later(day, days)),
        default=None,
        output_field=DateField(null=True),
    )
    # SQLite takes nothing for the least where one of two is nothing.
    either = Coalesce("next_due_date", predicted), Coalesce(predicted, "next_due_date")
    return Subquery(rows.annotate(next=Least(*either)).exclude(next=None).order_by("next").values("next")[:1])


@dataclass(frozen=True)
class _Readers(InScope):
    """Beside the data scope, whoever has or had a step of an order reads it: who is named may be of another team."""

    def __call__(self, actor: Actor, record_id: int) -> bool:
        """Return whether the person may read the order; taking part is asked apart, for it is no part of a statement
        that is compiled once."""
        if _IN_SCOPE(actor, record_id):
            return True
        return ports.processes.takes_part(actor, self.model._meta.model_name, record_id)

    def among(self, actors: Sequence[Actor], record_id: int) -> set[int]:
        """Return the ids of those of these people who may read the order; three statements."""
        taking_part = ports.processes.parts_among(actors, self.model._meta.model_name, record_id)
        return _IN_SCOPE.among(actors, record_id) | taking_part

    def rows(self, actor: Actor) -> QuerySet[Any]:
        """Return the orders within the person's data scope, and those in which they take part."""
        return self.rows_of_each([actor])[actor.user_id]

    def rows_of_each(self, actors: Sequence[Actor]) -> dict[int, QuerySet[Any]]:
        """Return by person what `rows` returns; at most one statement, however many people."""
        found = {actor.user_id: super(_Readers, self).rows(actor) for actor in actors}
        some = [one for one in actors if not (one.is_system or Scope.ALL in rule_of(one, self.listing.noun).kinds)]
        parts = ports.processes.parts_of_each(some, self.model._meta.model_name) if some else {}
        for user_id, part in parts.items():
            within = found[user_id].order_by().values("pk")
            found[user_id] = self.model.objects.filter(Q(pk__in=within) | Q(pk__in=part))
        return found


def _with_own_lines(rows: QuerySet[Any], actor: Actor) -> QuerySet[Any]:
    """Add to each order whether the person has a line on it."""
    lines = MaintainLine.objects.filter(order=OuterRef("pk"), user_id=actor.user_id)
    with_lines: QuerySet[Any] = rows.annotate(has_own_line=Exists(lines))
    return with_lines


_IN_SCOPE = InScope(MaintainOrder, ORDERS, _with_own_lines)
sees = _Readers(MaintainOrder, ORDERS, _with_own_lines)
visible = sees.rows
visible_to_each = sees.rows_of_each
