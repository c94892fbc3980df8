"""Which repair orders a person sees."""

from __future__ import annotations

from django.db.models import QuerySet

from core.kernel.actor import Actor
from core.kernel.scopes import restrict
from core.maintenance.filters import FILTERS
from core.maintenance.models import RepairOrder

COLUMNS = {
    "user": "report_user_id,repair_user_id",
    "team": "team_id,machine__team_id",
    "dept": "dept_id",
}


def visible(actor: Actor) -> QuerySet[RepairOrder]:
    """Orders within the person's data scope; the own ones always."""
    return restrict(RepairOrder.objects.all(), actor, "repairorder", COLUMNS, FILTERS)
