"""The KPI report: assets by asset, type, department or reporting month, and the records behind each of its figures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from core.equipment.models import Machine, MachineClass, NodeType, Stoppage
from core.identity.models import Department
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.errors import Invalid
from core.kernel.ids import is_id
from core.kernel.texts import label, moment
from core.maintenance.models import RepairOrder
from core.maintenance.queries import visible as visible_repairs
from core.metrics import freezing
from core.metrics.facts import Facts
from core.metrics.models import FrozenMonth
from core.metrics.ones import One, told_of_each
from core.preventive.models import MaintainOrder
from core.preventive.queries import visible as visible_upkeeps
from core.rest.filters import ID, Filter, apply_filters, with_word
from core.rest.pagination import bounds
from core.rest.scopes import restrict
from core.rest.serializers import whole_minutes
from core.rest.tables import Column
from core.rounds.models import InspectOrderDetail
from core.rounds.queries import visible as visible_tasks
from core.system import periods
from core.system.periods import Period

GROUPS = ("machine", "type", "dept", "month")
MONTHS = 12
SCOPE = "inspectrestlog"
"""Whoever sees when assets stood sees their KPIs: the data scope of stoppages counts for both."""


def _of_department(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """Assets of a department or one below it."""
    return _at(rows, text, Department, "dept_id")


def _of_class(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """Assets of a type or one below it."""
    return _at(rows, text, MachineClass, "type_id")


def _at(rows: QuerySet[Any], text: str, model: Any, column: str) -> QuerySet[Any]:
    if not is_id(text):
        return rows.none()
    return rows.filter(**{f"{column}__in": model.objects.filter(path__contains=f"/{int(text)}/").values("pk")})


def _of_machine(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """One asset alone."""
    column = "pk" if rows.model is Machine else "machine_id"
    return rows.filter(**{column: int(text)}) if is_id(text) else rows.none()


FILTERS: Mapping[str, Filter] = {
    "machineId": Filter(kind=ID, apply=_of_machine),
    "deptId": Filter(kind=ID, apply=_of_department),
    "typeId": Filter(kind=ID, apply=_of_class),
    "keyword": with_word("machine_name", "machine_code"),
}

_NAME = {
    "machine": label("设备", "Asset"),
    "type": label("设备类型", "Asset type"),
    "dept": label("部门", "Department"),
    "month": label("报表月", "Reporting month"),
}
_FIGURES = (
    Column("failures", label("故障次数", "Failures"), figure="failures"),
    Column("mtbfHours", label("平均故障间隔", "MTBF"), "hours", "failures"),
    Column("mttrMinutes", label("平均修复时间", "MTTR"), "minutes", "repaired"),
    Column("repaired", label("修复次数", "Failures repaired"), figure="repaired"),
    Column("downMinutes", label("故障停机", "Downtime"), "minutes", "down"),
    Column("upMinutes", label("可运行时间", "Uptime"), "minutes"),
    Column("availability", label("可用率", "Availability"), "percent", "down"),
    Column("inspectRate", label("点检按时率", "Inspected on time"), "percent", "inspectOnTime"),
    Column("inspectDue", label("应检点位", "Points due"), figure="inspectDue"),
    Column("maintainRate", label("保养按时率", "Maintained on time"), "percent", "maintainOnTime"),
    Column("maintainDue", label("到期保养单", "Maintenance due"), figure="maintainDue"),
    Column("repairCost", label("维修费用", "Repair cost"), "money", "repairCost"),
    Column("maintainCost", label("保养费用", "Maintenance cost"), "money", "maintainCost"),
    Column("totalCost", label("总费用", "Total cost"), "money", "totalCost"),
)
FIGURES = tuple(dict.fromkeys(column.figure for column in _FIGURES if column.figure))


def columns(by: str) -> tuple[Column, ...]:
    """Return the columns of the report by a grouping."""
    own: tuple[Column, ...] = (Column("name", _NAME[by], "text"),)
    if by == "machine":
        own += (
            Column("code", label("设备编号", "Asset code"), "text"),
            Column("typeName", _NAME["type"], "text"),
            Column("deptName", _NAME["dept"], "text"),
        )
    else:
        own += (Column("machines", label("设备数", "Assets")),)
    return own + _FIGURES


POINTS = ("inspectDue", "inspectOnTime")
"""Figures whose records are points of inspection tasks: so many that they are read for these alone."""
_SCOPE_COLUMNS = {"dept": "dept_id"}


@dataclass(frozen=True)
class Want:
    """What is wanted beside the numbers."""

    behind: bool = False
    """The records behind figures, of frozen months too."""
    points: bool = False
    """Those behind the figures of POINTS as well."""


_NUMBERS = Want()


@dataclass(frozen=True)
class Slice:
    """The assets of a period."""

    period: Period
    ones: Sequence[One]
    month: str = ""
    frozen_on: date | None = None

    @property
    def as_of(self) -> Any:
        """The moment up to which they are known."""
        return min(self.period.bounds()[1], clock.now())


@dataclass
class _Group:
    name: str
    key: str
    facts: Facts = field(default_factory=Facts)
    machines: set[int] = field(default_factory=set)
    code: str = ""
    type_id: int | None = None
    dept_id: int | None = None
    frozen_on: date | None = None


@dataclass(frozen=True)
class Report:
    """The rows of the report with their sum, and the slices that they were counted from."""

    by: str
    period: Period
    rows: list[dict[str, Any]]
    summary: dict[str, Any]
    frozen_on: date | None
    as_of: Any


def grouping(given: Mapping[str, str]) -> str:
    """Return what the rows are; raises Invalid."""
    by = given.get("groupBy") or "machine"
    if by not in GROUPS:
        raise Invalid({"groupBy": _("请求参数格式错误: {name}").format(name="groupBy")})
    return by


def report(actor: Actor, given: Mapping[str, str]) -> Report:
    """Return the report; a constant number of statements."""
    by = grouping(given)
    slices = list(_slices(actor, given, by))
    groups: dict[str, _Group] = {}
    whole = _Group("", "")
    for part in slices:
        if by == "month":
            groups[part.month] = _Group(part.month, part.month, frozen_on=part.frozen_on)
        for one in part.ones:
            key = part.month if by == "month" else _key(one, by)
            group = groups.get(key)
            if group is None:
                group = groups[key] = _Group(
                    one.name, key, code=one.code, type_id=one.type_id, dept_id=one.dept_id, frozen_on=part.frozen_on
                )
            for sum_of in (group, whole):
                sum_of.facts += one.told.facts
                sum_of.machines.add(one.pk)
    types, depts = _names(MachineClass, "type_id", groups), _names(Department, "dept_id", groups)
    rows = []
    for group in groups.values():
        type_name, dept_name = types.get(group.type_id or 0, ""), depts.get(group.dept_id or 0, "")
        name = {"type": type_name, "dept": dept_name}.get(by, group.name)
        rows.append(
            {
                **_row(group),
                "name": name,
                "typeName": type_name if by == "machine" else "",
                "deptName": dept_name if by == "machine" else "",
            }
        )
    if by == "month":
        rows.reverse()
    else:
        rows.sort(key=lambda row: (-row["downMinutes"], -row["failures"], -row["totalCost"], row["name"], row["key"]))
    period = Period(slices[0].period.first, slices[-1].period.last)
    frozen = {part.frozen_on for part in slices}
    return Report(
        by, period, rows, {**_row(whole), "typeName": "", "deptName": ""},
        max((day for day in frozen if day is not None), default=None) if None not in frozen else None,
        slices[-1].as_of,
    )  # fmt: skip


def _key(one: One, by: str) -> str:
    return str({"machine": one.pk, "type": one.type_id, "dept": one.dept_id}[by] or "")


def _names(model: Any, column: str, groups: Mapping[str, _Group]) -> dict[int, str]:
    """Return the names of the types or departments of groups, of removed ones too; one statement."""
    ids = {getattr(group, column) for group in groups.values()} - {None}
    return {one.pk: str(one) for one in model.with_removed.filter(pk__in=ids)}


def _row(group: _Group) -> dict[str, Any]:
    return {
        "key": group.key,
        "name": group.name,
        "code": group.code,
        "machines": len(group.machines),
        "frozenOn": str(group.frozen_on) if group.frozen_on is not None else None,
        **group.facts.wire(),
    }


def _slices(actor: Actor, given: Mapping[str, str], by: str, want: Want = _NUMBERS) -> Iterator[Slice]:
    """Yield the assets of the period that is asked for; by month, of each of the reporting months up to it."""
    if by == "month":
        yield from months(actor, given, want)
    else:
        yield _asked_slice(actor, given, want)


def months(actor: Actor, given: Mapping[str, str], want: Want = _NUMBERS) -> list[Slice]:
    """Return the assets of each of the twelve reporting months up to what is asked for.

    As many statements as for one of them.
    """
    year, month = periods.month_of(periods.asked(given).last)
    named = [(at // 12, at % 12 + 1) for at in range(year * 12 + month - MONTHS, year * 12 + month)]
    frozen = freezing.months(set(named))
    return _month_slices(actor, given, named, frozen, want)


def _asked_slice(actor: Actor, given: Mapping[str, str], want: Want) -> Slice:
    """Return the assets of the days or the reporting month that is asked for, this one by default."""
    period = periods.asked(given)
    if given.get("startDate") or given.get("endDate"):
        month = freezing.month_of_days(period)
        return (
            _frozen_slices(actor, given, [month], want)[0]
            if month is not None
            else _live(actor, [period], given, want)[0]
        )
    named = (int(given["year"]), int(given["month"])) if given.get("year") else periods.month_of(period.last)
    (found,) = _month_slices(actor, given, [named], freezing.months({named}), want)
    return found


def _month_slices(
    actor: Actor, given: Mapping[str, str], named: Sequence[tuple[int, int]],
    frozen: Mapping[tuple[int, int], FrozenMonth], want: Want,
) -> list[Slice]:  # fmt: skip
    """Return the assets of reporting months: as they were frozen, else as they stand."""
    kept = [one for one in named if one in frozen]
    open_ones = [one for one in named if one not in frozen]
    found = dict(zip(kept, _frozen_slices(actor, given, [frozen[one] for one in kept], want), strict=True))
    live = _live(actor, [periods.reporting_month(*one) for one in open_ones], given, want)
    found |= dict(zip(open_ones, live, strict=True))
    return [replace(found[one], month=f"{one[0]}-{one[1]:02d}") for one in named]


def _frozen_slices(actor: Actor, given: Mapping[str, str], months: Sequence[FrozenMonth], want: Want) -> list[Slice]:
    if not months:
        return []
    rows = restrict(freezing.assets(months, behind=want.behind), actor, SCOPE, _SCOPE_COLUMNS, FILTERS)
    ones: dict[int, list[One]] = defaultdict(list)
    for row in apply_filters(rows, FILTERS, given):
        told = freezing.told(row, behind=want.behind)
        one = One(row.machine_id, row.machine_code, row.machine_name, row.type_id, row.dept_id, told)
        ones[row.frozen_id].append(one)
    return [Slice(freezing.period_of(month), ones[month.pk], frozen_on=freezing.day_of(month)) for month in months]


def _live(actor: Actor, each: Sequence[Period], given: Mapping[str, str], want: Want) -> list[Slice]:
    if not each:
        return []
    rows = Machine.objects.filter(node_type=NodeType.MACHINE)
    rows = apply_filters(restrict(rows, actor, SCOPE, _SCOPE_COLUMNS, FILTERS), FILTERS, given)
    told = told_of_each(list(rows.order_by("machine_code", "pk")), each, points=want.points)
    return [Slice(period, ones) for period, ones in zip(each, told, strict=True)]


# The records behind a figure


def records(actor: Actor, given: Mapping[str, str]) -> dict[str, Any]:
    """Return a page of the records behind a figure of a row, or of the sum where no row is named.

    Their number is the figure, or what it is divided by; what they add is its numerator.
    """
    by, figure = grouping(given), given.get("figure") or ""
    if figure not in FIGURES:
        raise Invalid({"figure": _("请求参数格式错误: {name}").format(name="figure")})
    key, want = given.get("key") or "", Want(behind=True, points=figure in POINTS)
    if by == "month" and key:
        year, _dash, month = key.partition("-")
        slices = [_asked_slice(actor, {**_without_days(given), "year": year, "month": month}, want)]
    else:
        slices = list(_slices(actor, given, by, want))
    ones = [one for part in slices for one in part.ones if by == "month" or not key or _key(one, by) == key]
    kinds = ("repairCost", "maintainCost") if figure == "totalCost" else (figure,)
    every = [(kind, pk, adds) for kind in kinds for one in ones for pk, adds in one.told.behind.get(kind, ())]
    current, size = bounds(given)
    shown = every[(current - 1) * size : current * size]
    found = {kind: _SHOWN[kind](actor, {pk: adds for one, pk, adds in shown if one == kind}) for kind in kinds}
    rows = [found[kind][pk] for kind, pk, _adds in shown if pk in found[kind]]
    return _paged(rows, len(every), current, size)


def _without_days(given: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in given.items() if name not in ("startDate", "endDate")}


def _paged(rows: list[dict[str, Any]], total: int, current: int, size: int) -> dict[str, Any]:
    return {"records": rows, "total": total, "size": size, "current": current, "pages": -(-total // size)}


def _line(kind: str, row: Any, seen: bool, time: Any, title: str, **adds: Any) -> dict[str, Any]:
    """Return a record as a line; whoever may not open it learns its number and no more of it."""
    return {
        "bizType": kind,
        "id": str(row.pk) if seen else "",
        "no": str(row),
        "title": title if seen else "",
        "machineId": str(row.machine_id),
        "machineName": row.machine.machine_name,
        "time": moment(time),
        "minutes": None,
        "amount": None,
        **adds,
    }


def _failed(actor: Actor, asked: Mapping[int, float]) -> dict[int, dict[str, Any]]:
    rows, seen = _read(RepairOrder, visible_repairs, actor, asked)
    return {row.pk: _line("repairorder", row, row.pk in seen, row.stop_start, row.title) for row in rows}


def _repaired(actor: Actor, asked: Mapping[int, float]) -> dict[int, dict[str, Any]]:
    rows, seen = _read(RepairOrder, visible_repairs, actor, asked)
    return {
        row.pk: _line(
            "repairorder", row, row.pk in seen, row.finish_time, row.title, minutes=whole_minutes(asked[row.pk])
        )
        for row in rows
    }


def _repair_costs(actor: Actor, asked: Mapping[int, float]) -> dict[int, dict[str, Any]]:
    rows, seen = _read(RepairOrder, visible_repairs, actor, asked)
    return {
        row.pk: _line("repairorder", row, row.pk in seen, row.finish_time, row.title, amount=round(asked[row.pk], 2))
        for row in rows
    }


def _upkeep_costs(actor: Actor, asked: Mapping[int, float]) -> dict[int, dict[str, Any]]:
    rows, seen = _read(MaintainOrder, visible_upkeeps, actor, asked)
    return {
        row.pk: _line(
            "maintainorder", row, row.pk in seen, row.finish_time, row.config_name, amount=round(asked[row.pk], 2)
        )
        for row in rows
    }


def _upkeeps(actor: Actor, asked: Mapping[int, float]) -> dict[int, dict[str, Any]]:
    rows, seen = _read(MaintainOrder, visible_upkeeps, actor, asked)
    return {row.pk: _line("maintainorder", row, row.pk in seen, row.finish_time, row.config_name) for row in rows}


def _read(model: Any, visible: Any, actor: Actor, asked: Mapping[int, float]) -> tuple[list[Any], set[int]]:
    """Return orders, removed ones too, and which of them the person may open; two statements."""
    rows = list(model.with_removed.filter(pk__in=asked).select_related("machine"))
    return rows, set(visible(actor).filter(pk__in=asked).order_by().values_list("pk", flat=True))


def _stops(_actor: Actor, asked: Mapping[int, float]) -> dict[int, dict[str, Any]]:
    return {
        row.pk: _line(
            "inspectrestlog", row, True, row.start_time, str(row.get_rest_type_display()), no=row.rest_no,
            minutes=whole_minutes(asked[row.pk]),
        )
        for row in Stoppage.with_removed.filter(pk__in=asked).select_related("machine")
    }  # fmt: skip


def _points(actor: Actor, asked: Mapping[int, float]) -> dict[int, dict[str, Any]]:
    rows = list(InspectOrderDetail.objects.filter(pk__in=asked).select_related("machine", "order", "point"))
    tasks = visible_tasks(actor).filter(pk__in={row.order_id for row in rows})
    seen = set(tasks.order_by().values_list("pk", flat=True))
    return {
        row.pk: _line(
            "inspectorder", row, row.order_id in seen, row.client_time or row.submit_time or row.order.plan_end,
            str(row.point), id=str(row.order_id) if row.order_id in seen else "", no=str(row.order),
        )
        for row in rows
    }  # fmt: skip


_SHOWN: Mapping[str, Any] = {
    "failures": _failed,
    "repaired": _repaired,
    "down": _stops,
    "repairCost": _repair_costs,
    "maintainCost": _upkeep_costs,
    "maintainDue": _upkeeps,
    "maintainOnTime": _upkeeps,
    "inspectDue": _points,
    "inspectOnTime": _points,
}
