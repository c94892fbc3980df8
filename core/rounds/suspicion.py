"""Marks on tasks that were perhaps not done where and when they say; none of them stops anybody."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from math import asin, cos, radians, sin, sqrt
from typing import Any

from django.utils.translation import gettext as _

from core.inspection.models import OrderMode
from core.kernel.errors import Missing
from core.rounds.models import DetailStatus, InspectOrder, InspectOrderDetail, InspectPhoto
from core.storage import files

MOST_SKEW = timedelta(minutes=5)
"""Between the clock of whoever submits and ours."""
_LEAST_SHARE = 0.3
"""Of the time to stay at all points together."""
_EARTH = 6_371_000
_MOST_REASONS = 20
_LEAST_POINTS = 4
"""Whose order on a route is worth a look."""


def distance(one: tuple[Any, Any], other: tuple[Any, Any]) -> int:
    """Return the metres between two places on the earth, each as longitude and latitude."""
    (lng, lat), (lng2, lat2) = ((radians(float(x)), radians(float(y))) for x, y in (one, other))
    chord = sin((lat2 - lat) / 2) ** 2 + cos(lat) * cos(lat2) * sin((lng2 - lng) / 2) ** 2
    return round(2 * _EARTH * asin(sqrt(min(chord, 1))))


def mark(order: InspectOrder, code: str, **named: Any) -> None:
    """Mark the task, which the caller stores."""
    reason = {"code": code, **named}
    if reason not in order.suspect_reasons and len(order.suspect_reasons) < _MOST_REASONS:
        order.suspect_reasons = [*order.suspect_reasons, reason]
    order.is_suspect = True


def of_point(order: InspectOrder, detail: InspectOrderDetail, since: datetime | None, skew: timedelta) -> None:
    """Mark what is odd about the submission of a point: where, how long, and by which clock."""
    point, name = detail.snapshot, detail.snapshot.point_name
    if point.radius and detail.distance is not None and detail.distance > point.radius:
        mark(order, "distance", point=name, metres=detail.distance)
    if point.min_seconds and since is not None and detail.client_time is not None:
        stay = int((detail.client_time - since).total_seconds())
        if stay < point.min_seconds:
            mark(order, "stay", point=name, seconds=max(stay, 0))
    if abs(skew) > MOST_SKEW:
        mark(order, "clock", minutes=round(abs(skew).total_seconds() / 60))


def of_photos(order: InspectOrder, names: Sequence[str]) -> None:
    """Keep the digests of the photos of a submission; the same photo at another task is odd."""
    digests = set()
    for name in names:
        try:
            path, _kind = files.stored(name)
        except Missing:
            continue
        digests.add(hashlib.sha256(path.read_bytes()).hexdigest())
    if not digests:
        return
    if InspectPhoto.objects.filter(digest__in=digests).exclude(order=order).exists():
        mark(order, "photo")
    InspectPhoto.objects.bulk_create(InspectPhoto(order=order, digest=digest) for digest in sorted(digests))


def of_task(order: InspectOrder, details: Sequence[InspectOrderDetail]) -> None:
    """Mark what is odd about a finished task: how fast it was, and in which order."""
    checked = [one for one in details if one.status == DetailStatus.CHECKED and one.client_time is not None]
    times = sorted((one.client_time, one.sort) for one in checked if one.client_time is not None)
    least = sum(one.snapshot.min_seconds for one in checked)
    if len(times) > 1 and least:
        seconds = (times[-1][0] - min(times[0][0], order.start_time or times[0][0])).total_seconds()
        if seconds < least * _LEAST_SHARE:
            mark(order, "fast", seconds=int(seconds), least=least)
    walked = [place for _time, place in times]
    if order.order_mode != OrderMode.ANY or len(walked) < _LEAST_POINTS:
        return
    # How many neighbours of the walk go back on the route; a round walked the other way is no wonder.
    backwards = sum(later < earlier for earlier, later in pairwise(walked))
    if len(walked) // 2 <= backwards < len(walked) - 1:
        mark(order, "order")


def told(reason: Mapping[str, Any]) -> str:
    """Return a mark as a sentence."""
    sentences = {
        "distance": _("「{point}」提交位置偏离点位{metres}米"),
        "stay": _("「{point}」停留仅{seconds}秒"),
        "scan": _("「{point}」未扫码，手动确认：{reason}"),
        "clock": _("终端时钟与服务器相差{minutes}分钟"),
        "photo": _("照片与其他任务的照片相同"),
        "fast": _("全程仅用{seconds}秒，各点位最短停留合计{least}秒"),
        "order": _("检查顺序与路线顺序相差较大"),
    }
    return sentences[reason["code"]].format(**reason)
