"""Work lines: whose and when they may be, what they overlap, and what they add up to on their order."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from core.identity.models import User
from core.kernel.errors import Invalid
from core.kernel.texts import moment
from core.maintenance.models import RepairLine, RepairOrder
from core.system import parameters

_CENT = Decimal("0.01")


def check(order: RepairOrder, line: RepairLine) -> None:
    """Raise Invalid when the line lies over another line of the same person on its order.

    It may begin before the report: who repairs first and reports afterwards has worked all the same.
    """
    other = _over(line).filter(order=order).order_by("start_time").first()
    if other is not None:
        span = f"{moment(other.start_time)} – {moment(other.end_time)}"
        raise Invalid({"startTime": _("与本单已有工时重叠：{span}").format(span=span)})


def _over(line: RepairLine) -> QuerySet[RepairLine]:
    """The same person's other lines that share time with this one."""
    return RepairLine.objects.filter(
        user_id=line.user_id, start_time__lt=line.end_time, end_time__gt=line.start_time
    ).exclude(pk=line.pk)


def warnings(line: RepairLine) -> list[str]:
    """Sentences on orders on which the same person has worked at the same time."""
    shared: dict[str, float] = {}
    for other in _over(line).exclude(order_id=line.order_id).select_related("order").order_by("start_time", "id"):
        seconds = (min(line.end_time, other.end_time) - max(line.start_time, other.start_time)).total_seconds()
        shared[other.order.order_no] = shared.get(other.order.order_no, 0) + seconds
    return [
        _("与维修单{number}的工时重叠{n}分钟").format(number=number, n=int((seconds + 30) // 60))
        for number, seconds in shared.items()
    ]


def cost_of(user: User, begin: datetime, end: datetime) -> tuple[Decimal, Decimal]:
    """Return the person's rate of this moment, and what work between these moments costs."""
    rate = user.hour_rate if user.hour_rate is not None else parameters.repair().labour_rate
    seconds = int((end - begin).total_seconds())
    return rate, (rate * seconds / 3600).quantize(_CENT, ROUND_HALF_UP)


def priced(line: RepairLine) -> None:
    """Give the line the person's rate of this moment, and what it costs."""
    line.hour_rate, line.amount = cost_of(line.user, line.start_time, line.end_time)


def settle(order: RepairOrder) -> None:
    """Add up the order's lines anew; the order is locked."""
    rows: Iterable[tuple[datetime, datetime, Decimal]] = order.lines.values_list("start_time", "end_time", "amount")
    seconds, cost = 0, Decimal(0)
    for begin, end, amount in rows:
        seconds += int((end - begin).total_seconds())
        cost += amount
    RepairOrder.objects.filter(pk=order.pk).update(labour_seconds=seconds, labour_cost=cost)
