"""Where points are in use: the application of tasks says here at which points an open one has still to be."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext as _

from core.inspection.models import RoutePoint
from core.kernel.errors import Conflict

_uses: list[Callable[[int], int]] = []


def register(count: Callable[[int], int]) -> None:
    """Register how many open tasks have still to be at a point."""
    _uses.append(count)


def refuse_if_open(point: RoutePoint) -> None:
    """Raise Conflict where an open task has still to be at the point."""
    number = sum(count(point.pk) for count in _uses)
    if number:
        text = _("点位「{name}」还在{n}个未完成的点检任务中，不能删除").format(name=point, n=number)
        raise Conflict("point.inOpenTask", text, {"count": number})
