"""Which repair orders a person sees."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from core.access.scopes import Scope, scope_of
from core.kernel.actor import Actor
from core.maintenance.models import RepairOrder


def visible(actor: Actor) -> QuerySet[RepairOrder]:
    """Orders within the person's data scope; the own ones always."""
    scope = scope_of(actor, "repairorder")
    orders: QuerySet[RepairOrder] = RepairOrder.objects.all()
    if scope == Scope.TENANT:
        return orders
    seen = Q(report_user_id=actor.user_id) | Q(repair_user_id=actor.user_id)
    if scope == Scope.TEAM:
        seen |= Q(team_id__in=actor.team_ids) | Q(machine__team_id__in=actor.team_ids)
    if scope == Scope.DEPARTMENT:
        seen |= Q(dept_id=actor.dept_id)
    if scope == Scope.DEPARTMENT_TREE:
        seen |= Q(dept_id__in=actor.dept_tree)
    return orders.filter(seen)
