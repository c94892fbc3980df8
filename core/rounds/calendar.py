"""What follows for tasks when points are removed, and when the people on shift change."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date

from core.rounds import generation, planning
from core.rounds.models import (
    OPEN,
    DetailStatus,
    InspectCandidate,
    InspectOrder,
    InspectOrderDetail,
    OrderStatus,
    TaskRule,
)
from core.shifts.models import Plan


def open_tasks_at(point_id: int) -> int:
    """Return how many open tasks have still to be at a point."""
    rows = InspectOrderDetail.objects.filter(point=point_id, status=DetailStatus.TODO)
    return rows.filter(order__status__in=OPEN, order__is_deleted=False).count()


def reassign(plan: Plan, days: Collection[date]) -> int:
    """Give the tasks of these days that nobody has begun to whoever is on shift now; return how many were given."""
    rows = InspectOrder.objects.filter(config=plan, business_date__in=days, status=OrderStatus.TODO, rule__isnull=False)
    orders = list(rows.select_for_update(of=("self",)).select_related("shift").order_by("pk"))
    if not orders:
        return 0
    # Tasks of rules that were removed meanwhile stay, and follow the calendar too.
    rules = TaskRule.with_removed.in_bulk({order.rule_id for order in orders})
    facts = generation.facts_of(plan, list(rules.values()), min(days), max(days))
    before: dict[int, set[int]] = {}
    for order_id, user_id in InspectCandidate.objects.filter(order__in=orders).values_list("order_id", "user_id"):
        before.setdefault(order_id, set()).add(user_id)
    given, new = [], []
    for order in orders:
        rule = rules[order.rule_id]
        number = int((order.gen_key or ":0").rpartition(":")[2])
        slot = planning.Slot(order.business_date, order.shift, number, order.plan_start, order.plan_end)
        found = planning.staffed(rule, facts, slot)
        if (order.team_id, before.get(order.pk, set())) != (found.team_id, set(found.user_ids)):
            order.team_id = found.team_id
            given.append(order)
            new += [InspectCandidate(order=order, user_id=user_id) for user_id in found.user_ids]
    InspectCandidate.objects.filter(order__in=given).delete()
    InspectCandidate.objects.bulk_create(new, batch_size=500)
    InspectOrder.objects.bulk_update(given, ["team"], batch_size=200)
    InspectOrder.count_write([order.pk for order in given])
    return len(given)
