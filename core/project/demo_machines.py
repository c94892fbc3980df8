"""What the machines of the demo plants have beside their names: plates, purchase, cover, counters and their readings.

All of it follows from the code of a machine, so that every installation has the same. Makers are invented.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.utils import timezone

from core.equipment import meters, stoppage_calls
from core.equipment.models import Machine, MeterUnit, NodeType, StateChange, Tag, TagType
from core.kernel.actor import Actor, acting
from core.kernel.clock import at
from core.project import demo_extras
from core.project.demo_data import SPECIAL

_MAKERS = ("江州机床厂", "北塘重工", "南岭流体设备", "云桥机械", "泰和电炉")
_SUPPLIERS = (
    ("江北机电设备有限公司", "0512-6600 1201"),
    ("汇通工业品", "0512-6600 1388"),
    ("远景设备贸易", "021-5500 2746"),
)
_POWER = {"JJ": "11.00", "ZZ": "45.00", "ZP": "7.50", "TZ": "18.50", "DL": "75.00", "CC": "5.50", "YL": "90.00"}
_VALUE = {"JJ": 186_000, "ZZ": 320_000, "ZP": 95_000, "TZ": 142_000, "DL": 128_000, "CC": 76_000, "YL": 210_000}


@dataclass(frozen=True)
class Counter:
    """The counter of a machine: what it showed 90 days ago, and what it counts in a day."""

    begin: str
    a_day: str
    unit: MeterUnit = MeterUnit.HOURS
    every: int = 7
    """Days between two readings."""
    replaced: int = 0
    """How many days ago a new counter was built in; 0 for never."""


COUNTERS = {
    "DL-AC-001": Counter("11840.0", "20.6", every=3),
    "DL-AC-002": Counter("9312.5", "16.4", every=3, replaced=33),
    "DL-WP-001": Counter("6150.0", "21.0"),
    "DL-WP-002": Counter("5880.5", "3.2"),
    "DL-RD-001": Counter("10420.0", "20.1"),
    "DL-BL-001": Counter("2875.0", "8.4"),
    "JJ-CNC-001": Counter("7345.0", "13.8"),
    "JJ-CNC-002": Counter("7011.5", "12.9"),
    "JJ-VMC-001": Counter("8420.0", "15.2"),
    "JJ-VMC-002": Counter("8105.0", "14.1"),
    "JJ-HMC-001": Counter("6630.0", "15.9"),
    "ZZ-IF-001": Counter("4210.0", "9.7"),
    "ZP-HP-001": Counter("128400", "210", MeterUnit.CYCLES),
    "CC-FK-001": Counter("3120.0", "14.5", MeterUnit.KILOMETRES),
    "YL-CP-001": Counter("15210.0", "19.3"),
}
"""By the code of the machine; fourteen in the plant, one in the cold store."""


def plate(code: str, remark: str, today: date) -> dict[str, Any]:
    """Return the columns of a machine."""
    area = code[:2]
    number = sum(map(ord, code))
    bought = date(today.year - 2 - number % 7, 1 + number % 12, 1 + number % 27)
    supplier, phone = _SUPPLIERS[number % len(_SUPPLIERS)]
    is_special = remark == SPECIAL
    return {
        "spec": "AC380V 50Hz",
        "serial_no": f"{bought:%y%m}{number:05d}",
        "asset_no": f"GD-{code}",
        "power_kw": Decimal(_POWER[area]) if area in _POWER else None,
        "manufacturer": _MAKERS[number % len(_MAKERS)],
        "supplier": supplier,
        "supplier_phone": phone,
        "made_date": bought - timedelta(days=40),
        "purchase_date": bought,
        "in_service_date": bought + timedelta(days=30),
        # One in three is covered, some of them for a few weeks more.
        "warranty_end": today + timedelta(days=number % 400) if number % 3 == 0 else bought + timedelta(days=395),
        "original_value": Decimal(_VALUE.get(area, 50_000) + number % 90 * 1000),
        "special_equip": is_special,
        "next_statutory_date": today + timedelta(days=20 + number % 300) if is_special else None,
        "meter_unit": COUNTERS[code].unit if code in COUNTERS else MeterUnit.HOURS,
        "ext": demo_extras.of_machine(code),
    }


def read_meters(reader: Actor, now: Any) -> None:
    """Let somebody read the counters for 90 days, in the order of time."""
    machines = dict(Machine.objects.filter(machine_code__in=COUNTERS).values_list("machine_code", "pk"))
    for code, machine_id in machines.items():
        for ago, values in _readings(COUNTERS[code]):
            moment = now - timedelta(days=ago)
            with at(moment), acting(reader):
                meters.add_reading(machine_id, {"read_time": moment, **values})


def _readings(counter: Counter) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield how many days ago a counter was read, and what it showed; no week is like the other."""
    value, before = Decimal(counter.begin), 90
    for ago in range(90, 0, -counter.every):
        days = before - ago
        step = Decimal("0.1") if counter.unit == MeterUnit.HOURS else Decimal(1)
        value += (Decimal(counter.a_day) * days * (94 + ago % 13) / 100).quantize(step)
        before = ago
        if counter.replaced and ago <= counter.replaced < ago + counter.every:
            value = (Decimal(counter.a_day) * days / 2).quantize(Decimal("0.1"))
            yield ago, {"value": value, "is_reset": True, "remark": "计时器损坏，已更换"}
        else:
            yield ago, {"value": value}


def keep_states(keeper: Actor, now: Any) -> None:
    """Say since when and why those are out of use that are so today."""
    rows = Machine.objects.filter(node_type=NodeType.MACHINE, run_state=6)
    with at(now - timedelta(days=24)), acting(keeper):
        for machine in rows:
            StateChange.objects.create(
                machine=machine,
                state_before=1,
                state_after=machine.run_state,
                change_date=(now - timedelta(days=24)).date(),
                reason="工艺调整，暂停使用",
            )


_STOPPAGES = (
    # code, type, reason, begins and ends so many hours from midnight today, note
    ("JJ", 3, "节假日停产", -75 * 24, -72 * 24, "厂休"),
    ("ZZ", 3, "节假日停产", -67 * 24, -61 * 24, "高温停产"),
    ("TZ", 5, "待料", -52 * 24, -49 * 24, "底漆未到货"),
    ("JJ", 3, "节假日停产", -31 * 24, -29 * 24, "厂休"),
    ("ZZ-IF-001", 4, "年度检修", -18 * 24 + 8, -17 * 24 + 8, "炉衬检查"),
    ("ZP", 5, "待料", -9 * 24 + 8, -9 * 24 + 14, "轴套未到货"),
    ("DL-AC-001", 1, "停电检修", -4 * 24 + 20, -3 * 24 + 4, ""),
    ("JJ-GMC-001", 2, "", -2 * 24 + 9, -2 * 24 + 11, "主轴报警，复位后恢复"),
    ("JJ-HMC-001", 1, "年度检修", 3 * 24 + 8, 4 * 24 + 8, "导轨刮研"),
)


def keep_stoppages(keeper: Actor, now: Any) -> None:
    """Let areas and machines stand for some days of the last months, and one of the next week."""
    midnight = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    machines = dict(Machine.objects.values_list("machine_code", "pk"))
    reasons = dict(Tag.objects.filter(type=TagType.STOP_REASON).values_list("tag_name", "pk"))
    with at(now), acting(keeper):
        for code, kind, reason, begin, end, note in _STOPPAGES:
            if code in machines:
                stoppage_calls.add_equip_rest(
                    keeper,
                    {
                        "machineIds": str(machines[code]),
                        "restType": kind,
                        "reasonTagId": str(reasons[reason]) if reason else None,
                        "startTime": (midnight + timedelta(hours=begin)).isoformat(),
                        "endTime": (midnight + timedelta(hours=end)).isoformat(),
                        "reason": note,
                    },
                )
