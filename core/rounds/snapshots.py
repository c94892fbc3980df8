"""What is checked at a point, kept as it was when a task was made: later changes of point and standards leave it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

import orjson
from django.db.models import Count, Prefetch, QuerySet

from core.equipment.states import OUT_OF_USE
from core.inspection.models import PointStandard, RoutePoint
from core.inspection.serializers import items_of
from core.rounds.models import PointSnapshot

_COPIED = ("location", "scan_mode", "lng", "lat", "radius", "photo_required", "min_seconds", "stop_check")


def counts(group_ids: Collection[int]) -> Mapping[int, int]:
    """Return by route how many of its points can be inspected; one statement."""
    rows = _usable(group_ids).order_by().values_list("group").annotate(Count("pk"))
    return Counter(dict(rows))


def watched(group_ids: Collection[int]) -> dict[int, set[int]]:
    """Return by route the assets of its points, where each of these is exempt while its asset stands; one statement."""
    found: dict[int, set[int]] = {}
    inspected = set()
    rows = _usable(group_ids).order_by().values_list("group_id", "machine_id", "stop_check")
    for group_id, machine_id, stop_check in rows:
        found.setdefault(group_id, set()).add(machine_id)
        if not stop_check:
            inspected.add(group_id)
    return {group_id: machines for group_id, machines in found.items() if group_id not in inspected}


def _usable(group_ids: Collection[int]) -> QuerySet[Any]:
    rows = RoutePoint.objects.filter(group__in=group_ids, is_sealed=False, machine__is_deleted=False)
    found: QuerySet[Any] = rows.exclude(machine__run_state__in=OUT_OF_USE)
    return found


def usable_points(group_ids: Collection[int]) -> dict[int, list[RoutePoint]]:
    """Return by route its points that can be inspected, in their order, with all their items; two statements."""
    rows = _usable(group_ids).select_related("machine")
    rows = rows.prefetch_related(Prefetch("standards", PointStandard.objects.select_related("config")))
    found: dict[int, list[RoutePoint]] = {}
    for point in rows.order_by("group", "sort", "point_code", "pk"):
        found.setdefault(point.group_id, []).append(point)
    return found


def of_points(points: Collection[RoutePoint]) -> Mapping[int, PointSnapshot]:
    """Return by point the row that says what is checked there now; two statements where nothing has changed."""
    wanted = {point.pk: _snapshot(point) for point in points}
    known: dict[tuple[int, str], PointSnapshot] = {}

    def read() -> None:
        rows = PointSnapshot.objects.filter(point__in=wanted, digest__in={one.digest for one in wanted.values()})
        known.update({(row.point_id, row.digest): row for row in rows})

    read()
    new = [one for one in wanted.values() if (one.point_id, one.digest) not in known]
    if new:
        # Where another worker was faster, its rows stay: they are the same.
        PointSnapshot.objects.bulk_create(new, ignore_conflicts=True, batch_size=200)
        read()
    return {pk: known[pk, one.digest] for pk, one in wanted.items()}


def _snapshot(point: RoutePoint) -> PointSnapshot:
    items = [_kept(item) for item in items_of(point)]
    values = {name: getattr(point, name) for name in _COPIED}
    named = {"point_name": point.point_name, "machine_name": str(point.machine)}
    text = orjson.dumps([point.machine_id, named, values, items], option=orjson.OPT_SORT_KEYS, default=str)
    return PointSnapshot(point=point, digest=hashlib.sha256(text).hexdigest(), items=items, **named, **values)


def _kept(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return an item as a task keeps it: ids as texts, so that it is JSON as callers read it."""
    config_id = item.get("configId")
    return {**item, "configId": str(config_id) if config_id is not None else None}
