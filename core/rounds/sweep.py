"""What time does to tasks: people are reminded before a deadline, and what nobody has done by then is missed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction

from core import ports
from core.kernel import clock
from core.kernel.actor import system
from core.kernel.audit_entry import AuditEntry
from core.kernel.operation import perform
from core.kernel.tenancy import current_tenant
from core.kernel.texts import moment
from core.rounds.life import miss
from core.rounds.models import OPEN, InspectCandidate, InspectOrder, OrderStatus
from core.rounds.queries import NOUN

AT_ONCE = 100
"""Tasks of one transaction."""
_BEFORE = timedelta(minutes=30)
_MOST_LISTED = 10


def look_after() -> tuple[int, int]:
    """Miss what is due and remind of what is soon, of the tenant in scope; return how many of each."""
    missed = 0
    while number := miss_due():
        missed += number
    with transaction.atomic():
        return missed, remind()


def _locked(rows: Any) -> list[InspectOrder]:
    """Return some of these tasks, locked; those that somebody is at work on come with the next sweep."""
    rows = rows.select_for_update(of=("self",), skip_locked=connection.vendor == "postgresql")
    return list(rows.select_related("group").order_by("deadline", "pk")[:AT_ONCE])


def miss_due() -> int:
    """Miss tasks of the tenant in scope whose deadline has passed; return how many, at most AT_ONCE."""
    now = clock.now()
    due = InspectOrder.objects.filter(status__in=OPEN, deadline__lt=now)
    if not due.exists():
        return 0
    entry = AuditEntry("inspectorder.miss", system(current_tenant()), business_type=NOUN)

    def act() -> int:
        orders = _locked(due)
        for order in orders:
            entry.from_status = None
            miss(order, now)
            order.save()
            entry.business_id, entry.remark = order.pk, str(order)
            if order is not orders[-1]:
                entry.add_record(order.pk, str(order), [])
        entry.nothing_happened = not orders
        _tell_missed(orders)
        return len(orders)

    return perform(entry, None, act)


def _tell_missed(orders: Sequence[InspectOrder]) -> None:
    """Tell who leads the routes: one message for each shift, with a list."""
    found: dict[tuple[int, Any, int | None], list[InspectOrder]] = {}
    for order in orders:
        found.setdefault((order.group.leader_id, order.business_date, order.shift_id), []).append(order)
    for (leader, day, _shift), missed in found.items():
        names = [f"{one.group_name}（{one.order_no}）" for one in missed[:_MOST_LISTED]]
        more = len(missed) - len(names)
        shift = missed[0].shift_name
        ports.messages.send(
            [leader],
            (f"{day} {shift}漏检{len(missed)}个点检任务", f"{len(missed)} inspections missed: {day} {shift}".rstrip()),
            ("、".join(names) + (f" 等{len(missed)}个" if more else ""), ", ".join(names) + ("…" if more else "")),
            NOUN,
            missed[0].pk,
        )


def remind() -> int:
    """Remind those who may do a task that nobody has begun 30 minutes before its deadline; return how many tasks."""
    now = clock.now()
    soon = InspectOrder.objects.filter(
        status=OrderStatus.TODO, is_reminded=False, deadline__gte=now, deadline__lte=now + _BEFORE, open_time__lte=now
    )
    if not soon.exists():
        return 0
    orders = _locked(soon)
    people: dict[int, list[int]] = {}
    for order_id, user_id in InspectCandidate.objects.filter(order__in=orders).values_list("order_id", "user_id"):
        people.setdefault(order_id, []).append(user_id)
    for order in orders:
        _tell_soon(order, people.get(order.pk, []), now)
    InspectOrder.objects.filter(pk__in=[order.pk for order in orders]).update(is_reminded=True)
    return len(orders)


def _tell_soon(order: InspectOrder, people: Sequence[int], now: datetime) -> None:
    minutes = max(int((order.deadline - now).total_seconds()) // 60, 0)
    until = moment(order.deadline)[:16]
    ports.messages.send(
        people,
        (f"点检任务即将截止：{order.group_name}", f"Inspection due soon: {order.group_name}"),
        (
            f"{order.order_no} 尚未开始，{until}截止，还剩{minutes}分钟。",
            f"{order.order_no} has not been started. Due {until}, {minutes} min left.",
        ),
        NOUN,
        order.pk,
    )
