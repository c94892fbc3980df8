"""Points that are exempt because their machine stands: judged when a task is made, and again when stoppages change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Count, Q, QuerySet

from core.equipment import stoppages
from core.equipment.stoppages import Affected
from core.kernel import clock, outbox
from core.kernel.actor import system
from core.kernel.audit_entry import AuditEntry, current_entry
from core.kernel.operation import perform
from core.kernel.tenancy import current_tenant
from core.rounds import snapshots
from core.rounds.life import ended
from core.rounds.models import OPEN, DetailStatus, InspectOrder, InspectOrderDetail, OrderStatus
from core.rounds.planning import Planned, Reason, State
from core.rounds.queries import NOUN

TOPIC = "rounds.standing"
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


def foreseen(found: Sequence[Planned]) -> list[Planned]:
    """Return these occurrences, those marked that will be exempt at once because the assets of all points stand.

    Judged as `at_making` does; three statements.
    """
    wanted = [one for one in found if one.is_made]
    points = snapshots.watched({one.rule.group_id for one in wanted}) if wanted else {}
    asked = [(one, points.get(one.rule.group_id, ())) for one in wanted]
    watched = [(one, machines) for one, machines in asked if machines]
    if not watched:
        return list(found)
    begin, end = min(one.slot.begin for one, _machines in watched), max(one.slot.end for one, _machines in watched)
    stopped = stoppages.stopped({pk for _one, machines in watched for pk in machines}, begin, end)
    exempt = {
        one.key
        for one, machines in watched
        if all(stopped.exempts(pk, one.slot.begin, one.slot.end) is not None for pk in machines)
    }
    return [
        replace(one, state=State.EXEMPT, reason=Reason.STOPPED) if one.is_made and one.key in exempt else one
        for one in found
    ]


def listen() -> None:
    """Follow changes of stoppages, and take the messages about tasks that somebody was at work on then."""
    stoppages.watch(judge_again)
    outbox.handler(TOPIC)(_judge_later)


def judge_again(machine_ids: Collection[int], begin: datetime, end: datetime | None) -> Affected:
    """Exempt points of machines that stand otherwise than before in an interval, or bring them back.

    Those that nobody has inspected and whose deadline lies ahead are judged. The machines are locked, and whoever works
    on a task may wait for one: such tasks are judged by a message, once this transaction has ended.
    """
    rows = _touched(machine_ids, begin, end)
    number = rows.count()
    free = rows.select_for_update(of=("self",), skip_locked=connection.vendor == "postgresql")
    orders = list(free.order_by("pk")) if number else []
    if len(orders) < number:
        until = end.isoformat() if end is not None else None
        outbox.send(TOPIC, {"machines": list(machine_ids), "begin": begin.isoformat(), "end": until})
    return _judge(orders, machine_ids)


def _judge_later(message_id: int, payload: Mapping[str, Any]) -> None:
    """Judge the tasks again, those too that somebody was at work on; what is right already stays."""
    end = datetime.fromisoformat(payload["end"]) if payload["end"] is not None else None
    rows = _touched(payload["machines"], datetime.fromisoformat(payload["begin"]), end)
    entry = AuditEntry(f"{NOUN}.standing", system(current_tenant()), business_type=NOUN, nothing_happened=True)

    def act() -> Affected:
        return _judge(list(rows.select_for_update(of=("self",)).order_by("pk")), payload["machines"])

    perform(entry, None, act)


def _points(machine_ids: Collection[int]) -> QuerySet[Any]:
    """Return the points of these machines that nobody has inspected and that a stoppage may exempt, or does."""
    return InspectOrderDetail.objects.filter(
        Q(status=DetailStatus.TODO) | Q(status=DetailStatus.EXEMPT, rest__isnull=False),
        machine__in=machine_ids, snapshot__stop_check=True,
    )  # fmt: skip


def _touched(machine_ids: Collection[int], begin: datetime, end: datetime | None) -> QuerySet[Any]:
    """Return the tasks with such points whose window touches the interval and whose deadline lies ahead."""
    rows = InspectOrder.objects.filter(
        status__in=(*OPEN, OrderStatus.EXEMPT, OrderStatus.DONE), deadline__gt=clock.now(), plan_end__gt=begin,
        pk__in=_points(machine_ids).values("order"),
    )  # fmt: skip
    return rows.filter(plan_start__lt=end) if end is not None else rows


def _judge(locked: Sequence[InspectOrder], machine_ids: Collection[int]) -> Affected:
    """Judge the points of locked tasks, and count what has changed."""
    orders = {order.pk: order for order in locked}
    details = list(_points(machine_ids).filter(order__in=orders)) if orders else []
    if not details:
        return Affected(0, 0)
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
    _settle(touched, clock.now())
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
