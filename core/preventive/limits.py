"""Rules on the dates and times of a maintenance order."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from math import ceil
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from core.inspection.due import latest_delay, tolerance_days
from core.kernel import clock
from core.preventive.models import MaintainOrder
from core.system.periods import local_day

MOST_PEOPLE = 20
"""People whom an order names."""
_FURTHEST = timedelta(days=366)


def choose(order: MaintainOrder, column: str) -> str:
    """Return what is said where a column is not filled in."""
    field: Any = order._meta.get_field(column)
    return _("请选择{field}").format(field=field.verbose_name)


def check_span(begin: datetime | None, end: datetime | None, field: str, *, is_past: bool = False) -> None:
    """Raise ValidationError for an end that is not after the begin, or is yet to come."""
    if begin is not None and end is not None and end <= begin:
        raise serializers.ValidationError({field: _("结束时间必须晚于开始时间")})
    if is_past and end is not None and end > clock.now():
        raise serializers.ValidationError({field: _("结束时间不能晚于当前时间")})


def stop_errors(order: MaintainOrder, values: Mapping[str, Any]) -> dict[str, str]:
    """Return what is wrong with the stop of an asset that stands for the order."""
    begin, end = values.get("stop_start") or order.stop_start, values.get("stop_end")
    if begin is not None and begin > clock.now():
        return {"stopStart": _("停机时间不能晚于当前时间")}
    if end is None:
        return {"stopEnd": choose(order, "stop_end")}
    if begin is not None and end <= begin:
        return {"stopEnd": _("结束时间必须晚于开始时间")}
    return {"stopEnd": _("恢复时间不能晚于当前时间")} if end > clock.now() else {}


def latest(order: MaintainOrder) -> date:
    """Return the last day to which an order may be delayed: a cycle after it was due at first.

    By the counter alone, as many days as the interval takes on the average of the last month; a year where nobody
    knows.
    """
    cycle, first = order.config.cycle, order.original_due_date
    ahead = latest_delay(cycle, first)
    if ahead is not None:
        return ahead
    daily = order.machine.avg_daily_hours
    if cycle.interval is None or not daily:
        return first + _FURTHEST
    return first + min(timedelta(days=ceil(cycle.interval / daily)), _FURTHEST)


def check_delay(order: MaintainOrder, day: date) -> None:
    """Raise ValidationError for a day to which the order cannot be delayed."""
    if day <= order.due_date:
        raise serializers.ValidationError({"dueDate": _("新日期必须晚于原应完成日期")})
    if day > latest(order):
        raise serializers.ValidationError({"dueDate": _("延期不能超过一个保养周期")})


def latest_plan(order: MaintainOrder) -> date:
    """Return the last day for which an order may be planned without a delay: its date and the tolerance."""
    return order.due_date + timedelta(days=tolerance_days(order.config.cycle))


def check_plan(order: MaintainOrder, begin: datetime | None) -> None:
    """Raise ValidationError for work that is planned so late that it would not be done in time."""
    if begin is not None and begin != order.plan_start and local_day(begin) > latest_plan(order):
        text = _("计划开始不能晚于{day}，再晚请延期").format(day=latest_plan(order))
        raise serializers.ValidationError({"planStart": text})
