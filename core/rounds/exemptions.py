"""Points that are exempt because their machine stands: judged when a task is made, and again when stoppages change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Count, Q

from core.equipment import stoppages
from core.equipment.stoppages import Affected
from core.kernel import clock
from core.kernel.audit_entry import AuditEntry, current_entry
from core.rounds.life import ended
from core.rounds.models import OPEN, DetailStatus, InspectOrder, InspectOrderDetail, OrderStatus
from core.rounds.queries import NOUN

_BATCH = 200


def at_making(details: Sequence[InspectOrderDetail]) -> None:
    """Exempt the points of new tasks whose machine will stand, and the tasks that have no other; nothing is stored."""
    watched = [detail for detail in details if detail.snapshot.stop_check]
    if not watched:
        return
    stopped = _stopped((detail.machine_id, detail.order) for detail in watched)
    for detail in watched:
        order = detail.order
        detail.rest_id = stopped.exempts(detail.machine_id, order.plan_start, order.plan_end)
        if detail.rest_id is not None:
            detail.status = DetailStatus.EXEMPT
            order.point_exempt += 1
            if order.point_exempt == order.point_total:
                order.status = OrderStatus.EXEMPT


def judge_again(machine_ids: Collection[int], begin: datetime, end: datetime | None) -> Affected:
    """Exempt points of machines that stand otherwise than before in an interval, or bring them back.

    Those that nobody has inspected and whose deadline lies ahead are judged; the tasks are locked behind the machines.
    """
    now = clock.now()
    points = InspectOrderDetail.objects.filter(
        Q(status=DetailStatus.TODO) | Q(status=DetailStatus.EXEMPT, rest__isnull=False),
        machine__in=machine_ids, snapshot__stop_check=True,
    )  # fmt: skip
    rows = InspectOrder.objects.filter(
        status__in=(*OPEN, OrderStatus.EXEMPT, OrderStatus.DONE),
        deadline__gt=now,
        plan_end__gt=begin,
        pk__in=points.values("order"),
    )
    if end is not None:
        rows = rows.filter(plan_start__lt=end)
    orders = {order.pk: order for order in rows.select_for_update(of=("self",)).order_by("pk")}
    if not orders:
        return Affected(0, 0)
    details = list(points.filter(order__in=orders))
    stopped = _stopped((detail.machine_id, orders[detail.order_id]) for detail in details)
    changed = []
    for detail in details:
        order = orders[detail.order_id]
        stop_id = stopped.exempts(detail.machine_id, order.plan_start, order.plan_end)
        status = DetailStatus.TODO if stop_id is None else DetailStatus.EXEMPT
        if (detail.status, detail.rest_id) != (status, stop_id):
            detail.status, detail.rest_id = status, stop_id
            changed.append(detail)
    InspectOrderDetail.objects.bulk_update(changed, ["status", "rest"], batch_size=_BATCH)
    InspectOrderDetail.count_write([detail.pk for detail in changed])
    touched = [orders[pk] for pk in sorted({detail.order_id for detail in changed})]
    _settle(touched, now)
    return Affected(len(touched), len(changed))


def _stopped(asked: Iterable[tuple[int, InspectOrder]]) -> stoppages.Stopped:
    """Read when these machines stand while these tasks last."""
    pairs = list(asked)
    begin, end = min(order.plan_start for _pk, order in pairs), max(order.plan_end for _pk, order in pairs)
    return stoppages.stopped({pk for pk, _order in pairs}, begin, end)


def _settle(orders: Sequence[InspectOrder], now: datetime) -> None:
    """Count the points of locked tasks and store the state that follows; a few statements for all."""
    counts: dict[int, Counter[int]] = {order.pk: Counter() for order in orders}
    found: Any = InspectOrderDetail.objects.filter(order__in=counts).order_by()
    for order_id, status, number in found.values_list("order_id", "status").annotate(number=Count("pk")):
        counts[order_id][status] = number
    entry = current_entry()
    for order in orders:
        before, count = order.status, counts[order.pk]
        order.point_exempt = count[DetailStatus.EXEMPT]
        if count[DetailStatus.TODO]:
            order.status = OrderStatus.TODO if order.start_time is None else OrderStatus.IN_PROGRESS
            order.finish_time, order.is_late = None, False
        elif before != OrderStatus.DONE:
            order.status = ended(order, count, now) or before
        if order.status != before:
            entry.later.append(
                AuditEntry(
                    f"{NOUN}.standing", entry.actor, NOUN, order.pk,
                    from_status=before, to_status=order.status, remark=str(order),
                )
            )  # fmt: skip
    InspectOrder.objects.bulk_update(orders, ["point_exempt", "status", "finish_time", "is_late"], batch_size=_BATCH)
    InspectOrder.count_write([order.pk for order in orders])
