"""Which maintenance orders a person sees, and what the list can be asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery

from core import ports
from core.cases.case import Listing
from core.cases.visibility import InScope
from core.equipment.queries import filters_by_machine
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


def next_planned() -> Subquery:
    """Return the day on which the outer asset is due next by the calendar of a standard that is in use."""
    rows = MaintenancePlan.objects.filter(
        machine=OuterRef("pk"), paused=False, next_due_date__isnull=False, config__is_deleted=False,
        config__is_sealed=False,
    )  # fmt: skip
    return Subquery(rows.order_by("next_due_date").values("next_due_date")[:1])


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
