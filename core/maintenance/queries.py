"""Which repair orders a person sees."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from core.cases.case import Listing
from core.cases.visibility import in_scope
from core.kernel.actor import Actor
from core.maintenance.filters import FILTERS
from core.maintenance.models import RepairLine, RepairOrder

ORDERS = Listing(
    "repairorder",
    fields=(),
    scope={"user": "report_user_id,repair_user_id", "team": "team_id,machine__team_id", "dept": "dept_id"},
    filters=FILTERS,
)
"""The list, whose columns `serializers.py` says."""


def _with_own_lines(rows: QuerySet[Any], actor: Actor) -> QuerySet[Any]:
    """Add to each order whether the person has a work line on it."""
    lines = RepairLine.objects.filter(order=OuterRef("pk"), user_id=actor.user_id)
    with_lines: QuerySet[Any] = rows.annotate(has_own_line=Exists(lines))
    return with_lines


sees = in_scope(RepairOrder, ORDERS, beside=_with_own_lines)
visible = sees.rows
