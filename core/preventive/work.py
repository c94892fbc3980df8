"""What was done in a maintenance order: what is checked of it, how it is kept, and what follows of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Sum
from django.utils.translation import gettext as _

from core import ports
from core.cases.effects import put
from core.equipment import meters
from core.equipment.models import Machine, MeterReading, ReadingSource
from core.identity.models import User
from core.inspection.models import AbnormalAction, PhotoRule, ValueType
from core.kernel.actor import Actor
from core.kernel.errors import Invalid
from core.kernel.texts import moment
from core.maintenance.lines import cost_of
from core.preventive.models import STOPS, MaintainLine, MaintainOrder, MaintainOrderDetail, Result
from core.rounds.judging import BAD, OK, Judged, Wrong, judge, judge_text, words_of
from core.rounds.models import Finding, InspectOrderRecord

SOURCE = 3
"""Maintenance, as the dictionary repair_source numbers it."""
COLUMNS = (
    "start_time", "finish_time", "read_hours", "images", "sign_image", "summary", "other_cost",
)  # fmt: skip
"""What a submission writes of the order itself."""
_MOST_EARLIER = 200
_KINDS_WITH_VALUE = (ValueType.NUMBER, ValueType.METER, ValueType.CHOICE)
"""Of which a result alone says nothing."""


# What is checked


def judged(order: MaintainOrder, given: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return of each item what is kept, in the order of the items; raises Invalid that names each wrong one."""
    sent = {one["id"]: one for one in given}
    found, errors = [], {}
    items = order.items()
    for row in order.details.order_by("sort", "id"):
        try:
            found.append(_one(row, items.get(row.item_id), sent.get(row.pk, {})))
        except Wrong as wrong:
            errors[f"details.{row.pk}"] = wrong.text
    if errors:
        raise Invalid(errors)
    return found


def _one(row: MaintainOrderDetail, item: Mapping[str, Any] | None, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is kept of an item; raises Wrong for what is missing or none of its values."""
    result, value = given.get("result"), str(given.get("value") or "").strip()
    images = given.get("images") or []
    handling = str(given.get("handling") or "").strip()
    finding: int | None = None
    if result not in (Result.NOT_APPLICABLE, Result.NOT_DONE) and item is not None:
        value, finding = _value(row, item, value, result)
        result = Result.ABNORMAL if finding == Finding.ABNORMAL else Result.NORMAL
    if result is None:
        raise Wrong(_("项目「{name}」未填写结果").format(name=row.item_name))
    if result in (Result.ABNORMAL, Result.NOT_DONE) and not handling:
        raise Wrong(_("项目「{name}」未填写处理说明").format(name=row.item_name))
    rule = PhotoRule.NONE if item is None else item["needPhoto"]
    is_due = result == Result.ABNORMAL or (rule == PhotoRule.ALWAYS and result == Result.NORMAL)
    if rule != PhotoRule.NONE and is_due and not images:
        raise Wrong(_("「{name}」需要拍照").format(name=row.item_name))
    return {
        "id": row.pk, "value": value, "result": result, "finding": finding, "handling": handling, "images": images,
    }  # fmt: skip


def _value(row: MaintainOrderDetail, item: Mapping[str, Any], value: str, result: int | None) -> tuple[str, int]:
    """Return a value as it is kept, and what the server says of it."""
    kind = item["valueType"]
    if kind == ValueType.PASS_FAIL and not value and result is not None:
        value = OK if result == Result.NORMAL else BAD
    if not value and (result is None or kind in _KINDS_WITH_VALUE):
        raise Wrong(_("项目「{name}」未填写结果").format(name=row.item_name))
    said = {Result.NORMAL: Finding.NORMAL, Result.ABNORMAL: Finding.ABNORMAL}.get(Result(result)) if result else None
    found: Judged = judge(item, value, said)
    return found.value, found.result


def has_meter(order: MaintainOrder, checked: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether an item of the kind meter reading has a value."""
    items = order.items()
    metered = {row.pk for row in order.details.all() if _is_meter(items, row)}
    return any(one["value"] for one in checked if one["id"] in metered)


def _is_meter(items: Mapping[str, Mapping[str, Any]], row: MaintainOrderDetail) -> bool:
    return items.get(row.item_id, {}).get("valueType") == ValueType.METER


def check_lines(lines: Sequence[Mapping[str, Any]]) -> None:
    """Raise Invalid for a line of somebody who does not work here, or over another line of the same person."""
    people = set(User.objects.filter(is_enabled=True, pk__in={one["user_id"] for one in lines}).values_list("pk"))
    for place, line in enumerate(lines):
        if (line["user_id"],) not in people:
            raise Invalid({f"lines.{place}.userId": _("数据不存在或已被删除")})
        for other in lines[:place]:
            is_same = other["user_id"] == line["user_id"]
            if is_same and other["start_time"] < line["end_time"] and line["start_time"] < other["end_time"]:
                span = f"{moment(other['start_time'])} – {moment(other['end_time'])}"
                raise Invalid({f"lines.{place}.startTime": _("与本单已有工时重叠：{span}").format(span=span)})


# How it is kept


def keep(order: MaintainOrder, values: Mapping[str, Any]) -> None:
    """Keep what is written so far; only what was sent changes, and nothing of it is checked for being complete."""
    put(order, {name: values[name] for name in COLUMNS if name in values})
    sent = {one["id"]: one for one in values.get("details") or ()}
    for row in order.details.filter(pk__in=sent):
        row.change({name: value for name, value in sent[row.pk].items() if name != "id"})
    if "lines" in values:
        _write_lines(order, values["lines"])


def write(order: MaintainOrder, values: Mapping[str, Any], now: datetime) -> list[MaintainOrderDetail]:
    """Keep what was submitted and checked, and return the items as they stand then."""
    put(order, {name: values[name] for name in COLUMNS if name in values})
    by_id = {one["id"]: one for one in values["details"]}
    rows = list(order.details.order_by("sort", "id"))
    for row in rows:
        kept = {name: value for name, value in by_id[row.pk].items() if name != "id"} | {"user_id": order.executor_id}
        if row.done_time is None or any(getattr(row, name) != value for name, value in kept.items()):
            row.change({**kept, "done_time": now})
    _write_lines(order, values.get("lines") or ())
    order.abnormal_count = sum(row.result == Result.ABNORMAL for row in rows)
    if order.read_hours is None:
        order.read_hours = _metered(order, rows)
    return rows


def _metered(order: MaintainOrder, rows: Sequence[MaintainOrderDetail]) -> Decimal | None:
    """Return what an item of the kind meter reading says, where the order has no reading of its own."""
    items = order.items()
    values = (row.value for row in rows if _is_meter(items, row))
    return next((Decimal(value) for value in values if value), None)


def _write_lines(order: MaintainOrder, given: Sequence[Mapping[str, Any]]) -> None:
    """Let these be the lines of the order; the hourly rate of a new one is the person's at this moment."""
    there = {(line.user_id, line.start_time, line.end_time): line for line in order.lines.all()}
    people = {one.pk: one for one in User.objects.filter(pk__in={line["user_id"] for line in given})} if given else {}
    seconds, cost = 0, Decimal(0)
    for one in given:
        key = (one["user_id"], one["start_time"], one["end_time"])
        line = there.pop(key, None)
        if line is None:
            rate, amount = cost_of(people[key[0]], key[1], key[2])
            line = MaintainLine(
                order=order, user=people[key[0]], start_time=key[1], end_time=key[2], hour_rate=rate, amount=amount,
                content=one.get("content", ""),
            )  # fmt: skip
            line.save()
        else:
            line.change({"content": one.get("content", "")})
        seconds += int((line.end_time - line.start_time).total_seconds())
        cost += line.amount
    for line in there.values():
        line.remove()
    order.labour_seconds, order.labour_cost = seconds, cost


# What follows of it


def said_of(item: Mapping[str, Any], row: MaintainOrderDetail) -> str:
    """Return why an item is what it is, in the caller's language: `78.5℃ > 上限75℃`; empty where all is well."""
    if row.finding is None:
        return ""
    number = Decimal(row.value) if item["valueType"] in (ValueType.NUMBER, ValueType.METER) and row.value else None
    limits = {"lower": "lower", "warn_lower": "warnLower", "warn_upper": "warnUpper", "upper": "upper"}
    record = InspectOrderRecord(
        value_type=item["valueType"], unit=item["unit"], value=row.value, num_value=number, result=row.finding,
        words=words_of(item, row.value),
        **{
            column: Decimal(item[name]) if item.get(name) is not None else None for column, name in limits.items()
        },
    )  # fmt: skip
    return judge_text(record)


def report(order: MaintainOrder, actor: Actor, rows: Sequence[MaintainOrderDetail]) -> None:
    """Make a work order of what is abnormal and to be repaired, or note it on the one that is open for it already."""
    items = order.items()
    bad = [
        (items[row.item_id], row)
        for row in rows
        if row.result == Result.ABNORMAL
        and row.repair_order_id is None
        and items.get(row.item_id, {}).get("abnormalAction") == AbnormalAction.REPORT
    ]
    if not bad:
        return
    ports.repairs.hold()
    said = "；".join(f"{row.item_name}{said_of(item, row)}" for item, row in bad)
    earlier = MaintainOrderDetail.objects.filter(
        order__machine=order.machine_id, item_id__in=[row.item_id for _item, row in bad],
        repair_order_id__isnull=False,
    )  # fmt: skip
    ids = earlier.order_by("-done_time", "-id").values_list("repair_order_id", flat=True)[:_MOST_EARLIER]
    fault = ports.Fault(
        machine_id=order.machine_id, source=SOURCE, source_id=order.pk, source_no=order.order_no,
        description=f"保养发现：{said}"[:1000], urgency=min(item["repairUrgency"] for item, _row in bad),
        images=tuple(dict.fromkeys(name for _item, row in bad for name in row.images)) or tuple(order.images),
        earlier=frozenset(ids),
    )  # fmt: skip
    found = ports.repairs.report(actor, fault)
    for _item, row in bad:
        row.change({"repair_order_id": found.id})
    if str(found.id) not in order.repair_order_ids:
        order.repair_order_ids = [*order.repair_order_ids, str(found.id)]


def read_meter(order: MaintainOrder) -> None:
    """Let the reading be one of the asset; when the work is done again, the same one."""
    if order.read_hours is None:
        return
    values = {
        "value": order.read_hours, "read_time": order.finish_time, "source": ReadingSource.MAINTENANCE,
        "remark": order.order_no,
    }  # fmt: skip
    before = MeterReading.objects.filter(pk=order.reading_id).first() if order.reading_id else None
    try:
        reading = meters.correct(before, values) if before else meters.add_reading(order.machine_id, values)
    except Invalid as wrong:
        raise Invalid({"readHours": wrong.text}) from None
    order.reading_id = reading.pk


def counted(order: MaintainOrder) -> Decimal | None:
    """Return what the asset had counted in all when the work was finished; None without a reading."""
    reading = MeterReading.objects.filter(pk=order.reading_id).first() if order.reading_id else None
    if reading is None:
        return None
    later = MeterReading.objects.filter(machine=order.machine_id, read_time__gt=reading.read_time)
    total = Machine.objects.values_list("run_hours", flat=True).get(pk=order.machine_id)
    return Decimal(total) - (later.aggregate(sum=Sum("delta"))["sum"] or 0)


def end_stop(order: MaintainOrder, values: Mapping[str, Any]) -> None:
    """End the stop of the asset, and let it begin when the person says that it did."""
    if not order.standing:
        return
    begin = values.get("stop_start") or order.stop_start
    if begin != order.stop_start:
        for stop in STOPS.of([order.pk])[order.pk]:
            if stop.end_time is None:
                stop.change({"start_time": begin})
    order.stop_start, order.stop_end = begin, values["stop_end"]
    STOPS.end(order, values["stop_end"])
