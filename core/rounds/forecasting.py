"""Keeps the forecasts of a company: every night each item is looked at anew, and people are told of what is new."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet
from django.utils.translation import gettext as _

from core import ports
from core.access.people import holders_of_code
from core.equipment.states import OUT_OF_USE
from core.inspection.items import plain_number
from core.inspection.models import RoutePoint, ValueType
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Conflict, Invalid, Missing
from core.kernel.operation import operation
from core.kernel.texts import both
from core.rest.scopes import restrict
from core.rounds import forecast
from core.rounds.forecast import Forecast, LimitKind, Reason
from core.rounds.life import MANAGES
from core.rounds.models import ForecastLimit, ForecastStatus, InspectForecast, InspectOrderRecord
from core.scheduling.schedule import Counts
from core.shifts.queries import zone
from core.system.periods import midnight, today

NOUN = "inspectforecast"
SCOPE = {"user": "point__group__leader_id", "team": "machine__team_id", "dept": "point__group__dept_id"}
"""A forecast is seen by whoever leads the route, by the team that repairs the asset, and in the route's department."""
KINDS = {
    LimitKind.LOWER: ForecastLimit.LOWER,
    LimitKind.WARN_LOWER: ForecastLimit.WARN_LOWER,
    LimitKind.WARN_UPPER: ForecastLimit.WARN_UPPER,
    LimitKind.UPPER: ForecastLimit.UPPER,
}
WIRE = {kind: str(name) for name, kind in KINDS.items()}
"""By kind of limit the name that it has on the wire, as a trend names its limits."""
SILENT = timedelta(days=45)
"""Without a reading for so long, an item has no forecast."""
EARLIER = timedelta(days=3)
"""By how much more than these days a forecast that was set aside must get earlier to come back."""
FORGOTTEN = timedelta(days=30)
"""A forecast that ended within these days and comes again is told nobody again."""
LONGEST = timedelta(days=366)
"""For how long a forecast may be set aside."""
_POINTS_AT_ONCE = 20
_MOST_READINGS = 5000
_MOST_LISTED = 4
_BATCH = 200
_LIMITED = Q(lower__isnull=False) | Q(warn_lower__isnull=False) | Q(warn_upper__isnull=False) | Q(upper__isnull=False)
_READ = (
    "point_id", "item_id", "check_time", "num_value", "machine_id", "item_name", "unit", "decimals", "lower",
    "warn_lower", "warn_upper", "upper",
)  # fmt: skip
_TRUE = {
    "point_id", "machine_id", "item_id", "item_name", "unit", "decimals", "limit_kind", "limit_value", "crosses_on",
    "earliest", "latest", "slope_per_day", "level", "as_of", "since", "readings", "recent",
}  # fmt: skip
"""What a night finds out; what people have said of a forecast stays."""
_HARD = (ForecastLimit.LOWER, ForecastLimit.UPPER)
_NOT_SAID = ("dismiss_user_id", "dismiss_time", "dismiss_until", "dismissed_day")
"""Empty while a forecast is not set aside."""
_SAID = (*_NOT_SAID, "dismiss_reason")


def _numbers() -> QuerySet[Any]:
    """Return the numbers that a trend counts: of the last days, and none that was a false alarm."""
    begin = midnight(today() - timedelta(days=forecast.BACK))
    return InspectOrderRecord.objects.filter(
        value_type=ValueType.NUMBER, num_value__isnull=False, false_alarm=False, check_time__gte=begin,
        order__is_deleted=False,
    )  # fmt: skip


def of_item(newest: InspectOrderRecord) -> Forecast | Reason:
    """Return when the item of a result crosses its limit by its trend now, or why nothing is said; one statement."""
    rows = _numbers().filter(point=newest.point_id, item_id=newest.item_id).order_by("-check_time", "-id")
    readings = [
        (at.astimezone(zone()), float(value))
        for at, value in rows.values_list("check_time", "num_value")[:_MOST_READINGS]
    ]
    if newest.value_type != ValueType.NUMBER:
        return Reason.NO_LIMIT
    limits = (newest.lower, newest.warn_lower, newest.warn_upper, newest.upper)
    return _forecast(readings, limits, today())


def _forecast(
    readings: Sequence[tuple[datetime, float]], limits: Sequence[Decimal | None], day: date
) -> Forecast | Reason:
    given = {kind: float(value) if value is not None else None for kind, value in zip(KINDS, limits, strict=True)}
    found = forecast.forecast(readings, given)
    if isinstance(found, Reason):
        return found
    if found.as_of < day - SILENT:
        return Reason.FEW
    return forecast.late(found, day)


# Every night


def refresh() -> tuple[int, int, int]:
    """Make the forecasts of the tenant in scope anew; return how many are new, went on, and ended.

    Reading and reckoning lock nothing; what is found is stored in one short transaction at the end. It may run twice.
    """
    day = today()
    found: dict[tuple[int, str], InspectForecast] = {}
    points = _points(day)
    for begin in range(0, len(points), _POINTS_AT_ONCE):
        for row in _found(points[begin : begin + _POINTS_AT_ONCE], day):
            found[row.point_id, row.item_id] = row
    with transaction.atomic():
        return _store(found, day)


def counted() -> Counts:
    """Make the forecasts of the tenant in scope anew, as a job."""
    new, kept, ended = refresh()
    return Counts(handled=kept + ended, created=new)


def _points(day: date) -> list[int]:
    """Return the points in use that have an item with limits and readings enough; one statement."""
    usable = RoutePoint.objects.filter(is_sealed=False, machine__is_deleted=False, group__is_sealed=False)
    rows = _numbers().filter(_LIMITED, point__in=usable.exclude(machine__run_state__in=OUT_OF_USE).values("pk"))
    counted = rows.order_by().values("point_id", "item_id").annotate(number=Count("pk"), last=Max("check_time"))
    enough = counted.filter(number__gte=forecast.LEAST_READINGS, last__gte=midnight(day - SILENT))
    return sorted({point_id for point_id, _item in enough.values_list("point_id", "item_id")})


def _found(point_ids: Sequence[int], day: date) -> list[InspectForecast]:
    """Return the forecasts of the items of some points, not stored; one statement."""
    readings: dict[tuple[int, str], list[tuple[datetime, float]]] = {}
    newest: dict[tuple[int, str], tuple[Any, ...]] = {}
    rows = _numbers().filter(point__in=point_ids).order_by("check_time", "pk")
    for row in rows.values_list(*_READ).iterator(chunk_size=2000):
        key = row[0], row[1]
        readings.setdefault(key, []).append((row[2].astimezone(zone()), float(row[3])))
        newest[key] = row
    made = []
    for key, last in newest.items():
        found = _forecast(readings[key][-_MOST_READINGS:], last[8:], day)
        if isinstance(found, Forecast):
            made.append(_row(last, found, forecast.recent(readings[key])))
    return made


def _row(last: tuple[Any, ...], found: Forecast, recent: Iterable[tuple[date, float]]) -> InspectForecast:
    places = Decimal("0.0001")
    return InspectForecast(
        point_id=last[0], item_id=last[1], machine_id=last[4], item_name=last[5], unit=last[6], decimals=last[7],
        limit_kind=KINDS[found.limit.kind], limit_value=Decimal(str(found.limit.value)).quantize(places),
        crosses_on=found.crosses_on, earliest=found.earliest, latest=found.latest,
        slope_per_day=Decimal(str(found.slope_per_day)).quantize(Decimal("0.00000001")),
        level=Decimal(str(found.level)).quantize(places), as_of=found.as_of, since=found.since,
        readings=found.readings, recent=[{"day": str(at), "value": round(value, 4)} for at, value in recent],
    )  # fmt: skip


def _store(found: Mapping[tuple[int, str], InspectForecast], day: date) -> tuple[int, int, int]:
    """Store what a night has found: a few statements, however much it is."""
    known = {(row.point_id, row.item_id): row for row in _locked(found)}
    new, again, changed, ended, kept = [], [], [], [], 0
    for key, row in found.items():
        before = known.get(key)
        if before is None:
            new.append(row)
            continue
        kept += 1
        is_worse = before.limit_kind != row.limit_kind and row.limit_kind in _HARD
        is_other = [name for name in _TRUE if getattr(before, name) != getattr(row, name)]
        for name in is_other:
            setattr(before, name, getattr(row, name))
        state = before.status
        if _is_to_be_told(before, day, is_worse):
            again.append(before)
        if is_other or before.status != state:
            changed.append(before)
    now = clock.now()
    for key, row in known.items():
        if key not in found and row.status != ForecastStatus.ENDED:
            row.status, row.end_time = ForecastStatus.ENDED, now
            ended.append(row)
    # Where another worker was faster, its rows stay, and it is the one who tells.
    InspectForecast.objects.bulk_create(new, ignore_conflicts=True, batch_size=_BATCH)
    ours = set(InspectForecast.objects.filter(pk__in=[row.pk for row in new]).values_list("pk", flat=True))
    new = [row for row in new if row.pk in ours]
    names = [*_TRUE - {"point_id", "item_id", "machine_id"}, "machine", "status", "end_time"]
    names += [name.removesuffix("_id") for name in _SAID]
    InspectForecast.objects.bulk_update(changed, names, batch_size=_BATCH)
    InspectForecast.objects.bulk_update(ended, ["status", "end_time"], batch_size=_BATCH)
    if changed or ended:
        InspectForecast.count_write([row.pk for row in (*changed, *ended)])
    _tell([*new, *again])
    return len(new), kept, len(ended)


def _locked(found: Collection[tuple[int, str]]) -> list[InspectForecast]:
    """Return the rows that a night may change, locked: those of what was found, and those that are not ended."""
    points = {point_id for point_id, _item in found}
    rows = InspectForecast.objects.filter(Q(point__in=points) | ~Q(status=ForecastStatus.ENDED))
    return list(rows.select_for_update(of=("self",)).order_by("pk"))


def _is_to_be_told(row: InspectForecast, day: date, is_worse: bool) -> bool:
    """Give a row that has a forecast again its state, and return whether people are told of it.

    One that was set aside comes back when its time is over, when the crossing gets earlier, or when it `is_worse`:
    about a limit now, and about a warning before.
    """
    if row.status == ForecastStatus.ENDED:
        was_long_ago = row.end_time is None or row.end_time < clock.now() - FORGOTTEN
        row.status, row.end_time = ForecastStatus.IN_FORCE, None
        _forget(row)
        return was_long_ago
    if row.status == ForecastStatus.SET_ASIDE:
        is_over = row.dismiss_until is None or row.dismiss_until < day
        is_earlier = row.dismissed_day is not None and row.crosses_on < row.dismissed_day - EARLIER
        if not (is_over or is_earlier or is_worse):
            return False
        row.status = ForecastStatus.IN_FORCE
        _forget(row)
        return True
    return is_worse


def _forget(row: InspectForecast) -> None:
    row.dismiss_user_id = row.dismiss_time = row.dismiss_until = row.dismissed_day = None
    row.dismiss_reason = ""


def _tell(rows: Sequence[InspectForecast]) -> None:
    """Tell the equipment managers of all, and who leads a route of its own; one message for each of them."""
    if not rows:
        return
    ordered = sorted(rows, key=lambda row: (row.crosses_on, row.pk))
    points = RoutePoint.objects.filter(pk__in={row.point_id for row in rows})
    known = list(points.values_list("pk", "machine__machine_name", "group__leader_id"))
    names = {pk: name for pk, name, _leader in known}
    leads = {pk: leader for pk, _name, leader in known}
    leaders: dict[int, list[InspectForecast]] = {}
    managers = holders_of_code(MANAGES)
    for row in ordered:
        leaders.setdefault(leads[row.point_id], []).append(row)
    _send(managers, ordered, names)
    for leader, own in leaders.items():
        if leader not in managers:
            _send([leader], own, names)


def _send(people: Sequence[int], rows: Sequence[InspectForecast], names: Mapping[int, str]) -> None:
    lines = [sentences(row, names[row.point_id]) for row in rows[:_MOST_LISTED]]
    more = len(rows) - len(lines)
    if len(rows) == 1:
        title = f"预测超限：{rows[0].item_name}", f"Limit forecast: {rows[0].item_name}"
    else:
        title = f"{len(rows)}个检查项预测超限", f"{len(rows)} items forecast to cross a limit"
    ports.messages.send(
        people,
        title,
        (
            "".join(zh for zh, _en in lines) + (f"另有{more}项。" if more else ""),
            " ".join(en for _zh, en in lines) + (f" {more} more." if more else ""),
        ),
        NOUN,
        rows[0].pk,
    )


def sentences(row: InspectForecast, machine: str) -> tuple[str, str]:
    """Return what a forecast says, in Chinese and in English."""
    zh, en = both(ForecastLimit(row.limit_kind).label)
    value = f"{plain_number(row.limit_value)}{row.unit}"
    span = f"{row.earliest} – {row.latest}"
    return (
        f"{machine}「{row.item_name}」按趋势约{row.crosses_on}达到{zh}{value}（{span}）。",
        f"{machine}, {row.item_name}: by this trend the {en.lower()} {value} is reached about {row.crosses_on}"
        f" ({span}).",
    )


# What people do with them


def visible(actor: Actor) -> QuerySet[Any]:
    """Return the forecasts that a person sees."""
    return restrict(InspectForecast.objects.all(), actor, NOUN, SCOPE, {})


@operation("inspectforecast.dismiss", code="inspectforecast_dismiss")
def dismiss(actor: Actor, row_id: int, reason: str, until: date) -> dict[str, Any]:
    """Set a forecast aside until the end of a day; it comes back before where the crossing gets earlier."""
    row = _chosen(actor, row_id)
    day = today()
    if not day < until <= day + LONGEST:
        raise Invalid({"until": _("搁置日期须在明天至一年之内")})
    if row.status == ForecastStatus.ENDED:
        raise _wrong_state(row, _("搁置"))
    row.change(
        {
            "status": ForecastStatus.SET_ASIDE, "dismiss_user_id": actor.user_id, "dismiss_time": clock.now(),
            "dismiss_reason": reason, "dismiss_until": until, "dismissed_day": row.crosses_on,
        }
    )  # fmt: skip
    return _changed(row)


@operation("inspectforecast.restore", code="inspectforecast_dismiss")
def restore(actor: Actor, row_id: int) -> dict[str, Any]:
    """Take back that a forecast was set aside: it stands among those in force again."""
    row = _chosen(actor, row_id)
    if row.status != ForecastStatus.SET_ASIDE:
        raise _wrong_state(row, _("取消搁置"))
    row.change({"status": ForecastStatus.IN_FORCE, "dismiss_reason": "", **dict.fromkeys(_NOT_SAID)})
    return _changed(row)


def _chosen(actor: Actor, row_id: int) -> InspectForecast:
    """Return a forecast that the person sees, locked; the audit entry is about it. Raises Missing."""
    row: InspectForecast | None = visible(actor).select_for_update(of=("self",)).filter(pk=row_id).first()
    if row is None:
        raise Missing()
    entry = current_entry()
    entry.business_type, entry.business_id, entry.remark = NOUN, row.pk, f"{row.machine} {row}"
    return row


def _wrong_state(row: InspectForecast, action: str) -> Conflict:
    text = _("当前状态为「{status}」，不能{action}").format(status=row.get_status_display(), action=action.lower())
    return Conflict("inspectforecast.wrongState", text)


def _changed(row: InspectForecast) -> dict[str, Any]:
    return {"id": str(row.pk), "status": row.status, "statusName": row.get_status_display()}


def at_points(point_ids: Collection[int]) -> dict[tuple[int, str], InspectForecast]:
    """Return by point and item the forecasts in force; one statement."""
    rows = InspectForecast.objects.filter(point__in=point_ids, status=ForecastStatus.IN_FORCE)
    return {(row.point_id, row.item_id): row for row in rows}
