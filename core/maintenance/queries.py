"""Which repair orders a person sees."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import BigIntegerField, Exists, OuterRef, QuerySet, Value

from core.kernel.actor import Actor
from core.maintenance.filters import FILTERS
from core.maintenance.models import RepairLine, RepairOrder
from core.rest.scopes import restrict, rule_of
from core.statements.compiled import Compiled

COLUMNS = {
    "user": "report_user_id,repair_user_id",
    "team": "team_id,machine__team_id",
    "dept": "dept_id",
}


def visible(actor: Actor) -> QuerySet[RepairOrder]:
    """Orders within the person's data scope; the own ones always."""
    return restrict(RepairOrder.objects.all(), actor, "repairorder", COLUMNS, FILTERS)


class _Readers:
    """Who may read the orders: whose data scope they lie within."""

    def __call__(self, actor: Actor, record_id: int) -> bool:
        """Return whether the order lies within the scope; compiled once for as long as the actor's rights last."""
        if rule_of(actor, "repairorder").custom:  # it may speak of moments, which are not compiled
            return visible(actor).filter(pk=record_id).exists()
        if "repairorder.sees" not in actor.kept:
            actor.kept["repairorder.sees"] = Compiled(lambda pk: visible(actor).filter(pk=pk).values_list("pk"))
        return bool(actor.kept["repairorder.sees"].rows(record_id))

    def visible(self, actor: Actor) -> QuerySet[RepairOrder]:
        """Return the orders within the scope, each with whether the person has a work line on it."""
        lines = RepairLine.objects.filter(order=OuterRef("pk"), user_id=actor.user_id)
        return visible(actor).annotate(has_own_line=Exists(lines))

    def among(self, actors: Sequence[Actor], record_id: int) -> set[int]:
        """Return whose scope the order lies within; one statement, a part for each person."""
        parts = [
            visible(one).filter(pk=record_id).values_list(Value(one.user_id, BigIntegerField()), flat=True)
            for one in actors
        ]
        return set(parts[0].union(*parts[1:], all=True)) if parts else set()


sees = _Readers()
