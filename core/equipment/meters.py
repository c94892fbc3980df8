"""The counters of machines: which readings fit between their neighbours, and what follows from them for the machine.

Whoever adds, changes or removes a reading holds the lock of its machine, so that the readings stay one row of growing
numbers and the machine's totals are those of its readings.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal
from typing import Any

from django.db.models import Max, QuerySet, Sum
from django.utils.translation import gettext as _

from core.equipment.models import Machine, MeterReading, MeterUnit, NodeType, RunState
from core.kernel import clock
from core.kernel.actor import current_actor
from core.kernel.errors import Conflict, Invalid
from core.kernel.texts import moment
from core.system.numbers import next_number

WINDOW = timedelta(days=30)
LEAST_READINGS = 3
"""The daily average is that of this time before the last reading, with at least so many readings in it."""
NUMBERS = "CB"
"""How the numbers of readings begin."""
_STEP = Decimal("0.1")
"""Counters are read to one place."""
_followers: list[Callable[[Machine], None]] = []


def listen(follower: Callable[[Machine], None]) -> None:
    """Register what is done, in the same transaction, when the readings of a machine have changed."""
    _followers.append(follower)


def lock(machine_ids: Collection[int]) -> dict[int, Machine]:
    """Return these machines, locked in the order of their ids until the transaction ends."""
    rows = Machine.objects.select_for_update(of=("self",)).filter(pk__in=machine_ids).order_by("pk")
    return {row.pk: row for row in rows}


def refuse_unmetered(machine: Machine) -> None:
    """Raise Invalid where the machine has no counter that is read: areas, what is scrapped, what is sealed."""
    if machine.node_type < NodeType.MACHINE:
        raise Invalid({"machineId": _("厂区、车间、产线没有读数")})
    if machine.run_state == RunState.SCRAPPED:
        raise Invalid({"machineId": _("设备已报废，不能抄表")})
    if machine.is_sealed:
        raise Invalid({"machineId": _("「{name}」已封存，不能使用").format(name=machine)})


def check(machine: Machine, reading: MeterReading) -> None:
    """Raise Invalid where the reading does not fit between the ones before and after it, itself left out."""
    if reading.read_time > clock.now():
        raise Invalid({"readTime": _("抄表时间不能晚于当前时间")})
    if reading.is_reset and (reading.reset_base or 0) > reading.value:
        raise Invalid({"resetBase": _("新表起始读数不能大于本次读数")})
    others = _readings(machine).exclude(pk=reading.pk)
    if others.filter(read_time=reading.read_time).exists():
        raise Invalid({"readTime": _("该设备在{time}已有读数").format(time=moment(reading.read_time))})
    before, after = _neighbours(others, reading.read_time)
    if before is not None and (text := _problem(machine, before, reading)):
        raise Invalid({"value": text})
    if after is not None:
        if not after.is_reset and after.value < reading.value:
            text = _("读数不能大于下次读数{v}（{time}）").format(v=_plain(after.value), time=moment(after.read_time))
            raise Invalid({"value": text})
        if text := _problem(machine, reading, after):
            raise Invalid({"value": text})


def check_without(machine: Machine, reading: MeterReading, between: MeterReading | None = None) -> None:
    """Raise Conflict where the readings around this one do not fit each other once it is gone.

    `between` is where it goes: where it stays between the same two, they need not fit each other.
    """
    before, after = _neighbours(_readings(machine).exclude(pk=reading.pk), reading.read_time)
    if before is None or after is None:
        return
    if between is not None and before.read_time < between.read_time < after.read_time:
        return
    if text := _problem(machine, before, after):
        raise Conflict("reading.needed", _("没有这次读数，前后读数就不连续：{text}").format(text=text))


def correct(reading: MeterReading, values: Mapping[str, Any]) -> MeterReading:
    """Change a reading in the caller's transaction. Raises Invalid or Conflict where the readings do not fit then."""
    machine = lock([reading.machine_id])[reading.machine_id]
    refuse_unmetered(machine)
    before, is_reset = reading.read_time, values.get("is_reset", reading.is_reset)
    base = values.get("reset_base", reading.reset_base)
    values = {**values, "reset_base": (base or Decimal(0)) if is_reset else None}
    moved = MeterReading(read_time=values.get("read_time", before))
    check_without(machine, reading, moved)
    changed = [name for name, value in values.items() if getattr(reading, name) != value]
    for name in changed:
        setattr(reading, name, values[name])
    if changed:
        check(machine, reading)
        reading.save(update_fields=changed)
        follow(machine, before, reading.read_time)
    return reading


def add_reading(machine_id: int, values: Mapping[str, Any]) -> MeterReading:
    """Add a reading in the caller's transaction, of the person acting where `values` name nobody else.

    Raises Invalid where it does not fit between the readings before and after it.
    """
    actor = current_actor()
    machine = lock([machine_id])[machine_id]
    user_id = actor.user_id if actor is not None else None
    reading = MeterReading(**{"user_id": user_id, **values, "machine": machine})
    refuse_unmetered(machine)
    reading.reset_base = (reading.reset_base or Decimal(0)) if reading.is_reset else None
    check(machine, reading)
    reading.reading_no = reading.reading_no or next_number(NUMBERS)
    reading.save()
    follow(machine, reading.read_time)
    return reading


def follow(machine: Machine, *times: datetime) -> None:
    """Keep the increases of the readings at these moments and behind them, and the totals of the machine."""
    readings = _readings(machine)
    before = readings.filter(read_time__lt=min(times)).order_by("-read_time").first()
    last = readings.filter(read_time__gt=max(times)).order_by("read_time").first()
    until = last.read_time if last is not None else max(times)
    for row in readings.filter(read_time__gte=min(times), read_time__lte=until).order_by("read_time"):
        delta = _delta(before, row)
        if row.delta != delta:
            MeterReading.objects.filter(pk=row.pk).update(delta=delta)
        before = row
    # Not counted as a change of the machine: nobody who edits it has seen other fields than these.
    Machine.objects.filter(pk=machine.pk).update(**_totals(readings))
    for follower in _followers:
        follower(machine)


def _totals(readings: QuerySet[Any]) -> dict[str, Any]:
    """Return the machine's columns that follow from its readings; three statements."""
    first = readings.order_by("read_time").first()
    if first is None:
        return {"run_hours": Decimal(0), "last_read_time": None, "avg_daily_hours": None}
    found = readings.aggregate(sum=Sum("delta"), time=Max("read_time"))
    counted, latest = found["sum"] or Decimal(0), found["time"]
    recent = list(
        readings.filter(read_time__gte=latest - WINDOW).order_by("read_time").values_list("read_time", "delta")
    )
    return {
        # What the first counter showed at its first reading was run before.
        "run_hours": counted + (Decimal(0) if first.is_reset else first.value),
        "last_read_time": latest,
        "avg_daily_hours": _daily(recent),
    }


def _daily(recent: list[tuple[datetime, Decimal | None]]) -> Decimal | None:
    """Return what is counted in a day between the first and the last of some readings; None of too few."""
    if len(recent) < LEAST_READINGS:
        return None
    days = Decimal(str((recent[-1][0] - recent[0][0]).total_seconds())) / 86400
    return (sum((delta or Decimal(0) for _time, delta in recent[1:]), Decimal(0)) / days).quantize(_STEP, ROUND_HALF_UP)


def _readings(machine: Machine) -> QuerySet[Any]:
    return MeterReading.objects.filter(machine=machine)


def _neighbours(rows: QuerySet[Any], time: datetime) -> tuple[MeterReading | None, MeterReading | None]:
    """Return the last reading before a moment and the first one after it."""
    return (
        rows.filter(read_time__lt=time).order_by("-read_time").first(),
        rows.filter(read_time__gt=time).order_by("read_time").first(),
    )


def _delta(before: MeterReading | None, row: MeterReading) -> Decimal | None:
    """Return what was counted up to a reading since the one before it."""
    if row.is_reset:
        return row.value - (row.reset_base or Decimal(0))
    return row.value - before.value if before is not None else None


def _problem(machine: Machine, before: MeterReading, after: MeterReading) -> str:
    """Return in a sentence why two readings cannot follow each other; empty where they can."""
    if not after.is_reset and after.value < before.value:
        text = _("读数不能小于上次读数{v}（{time}），如已更换计数器请勾选“换表”")
        return text.format(v=_plain(before.value), time=moment(before.read_time))
    if machine.meter_unit != MeterUnit.HOURS:
        return ""
    delta = _delta(before, after) or Decimal(0)
    seconds = Decimal(str((after.read_time - before.read_time).total_seconds()))
    hours = (seconds / 3600).quantize(_STEP, ROUND_CEILING)
    if delta <= hours:
        return ""
    return _("两次读数之间增加{d}小时，超过实际间隔{h}小时").format(d=_plain(delta), h=_plain(hours))


def _plain(number: Decimal) -> str:
    """Return the number without a needless zero: 12.0 is 12."""
    text = f"{number:.1f}"
    return text.removesuffix(".0")
