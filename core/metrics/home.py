"""What matters to a person now: what can be done, what runs out, and what went wrong since yesterday.

Each group of rows is one that a list shows under the address beside it: asked in the list's own filters where it has
them, within the same data scope. All groups are read by one statement.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, DateField, DateTimeField, F, QuerySet, TextField, Value, Window
from django.db.models.functions import Cast, Concat, RowNumber

from core.equipment.models import Machine, RestStatus, RestType, RunState, WarrantyState
from core.equipment.stoppage_calls import LogViewSet as StoppageViewSet
from core.equipment.views import MachineViewSet
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.texts import label
from core.maintenance import queries as repairs
from core.maintenance.filters import FILTERS as REPAIR_FILTERS
from core.maintenance.models import OPEN as OPEN_REPAIRS
from core.preventive import queries as upkeep
from core.preventive.models import Status as UpkeepStatus
from core.rest.filters import apply_filters
from core.rest.scopes import restrict
from core.rounds import queries as rounds
from core.rounds.models import ForecastStatus, OrderStatus
from core.rounds.views import ForecastViewSet
from core.rounds.views import OrderViewSet as TaskViewSet
from core.scheduling import schedule
from core.scheduling.job_calls import JobViewSet
from core.scheduling.models import JobGroup, JobLogStatus, ScheduleJob
from core.spares import queries as requests
from core.spares.models import RequestStatus
from core.spares.watching import wanted
from core.system import periods

MOST_NAMED = 3
"""So many rows of a group are named."""
MOST_PEOPLE = 20
"""Of so many people the groups are asked for at once: SQLite joins 500 selects at most."""
NOW, SOON, WRONG = "now", "soon", "wrong"
NAMES: Mapping[str, str] = {
    "tasks": label("现在可做的点检", "Inspections to do now"),
    "requests": label("待处理的备件领用", "Spare requests to handle"),
    "tasksEnding": label("2小时内截止的点检任务", "Inspections due within 2 hours"),
    "repairsDue": label("2小时内将超时的维修工单", "Work orders with under 2 hours left"),
    "upkeepDue": label("7天内到期的保养单", "Maintenance orders due within 7 days"),
    "statutory": label("60天内到期或已过期的法定检验", "Statutory inspections due within 60 days or expired"),
    "warranty": label("30天内到期的质保", "Warranties ending within 30 days"),
    "spares": label("需要补货的备件", "Spare parts to reorder"),
    "forecasts": label("14天内预测超限的检查项", "Check items forecast to cross limits within 14 days"),
    "tasksMissed": label("漏检的点检任务", "Missed inspections"),
    "repairsLate": label("超时的维修工单", "Overdue work orders"),
    "upkeepLate": label("逾期的保养单", "Overdue maintenance orders"),
    "faults": label("新的报修", "New repair requests"),
    "stoppages": label("故障停机", "Breakdowns"),
    "jobs": label("失败的定时任务", "Failed scheduled jobs"),
}
"""What the groups are called, in the order in which a section shows them."""
_AHEAD = timedelta(days=7)
_CROSSING = timedelta(days=14)
_STATUTORY = timedelta(days=60)
_STANDING = ",".join(str(int(one)) for one in RunState if one != RunState.SCRAPPED)
_UNHANDLED = (RequestStatus.TO_HANDLE, RequestStatus.RESERVED, RequestStatus.PARTLY_ISSUED)
_FAILED = (JobLogStatus.FAILED, JobLogStatus.TIMED_OUT)


@dataclass(frozen=True)
class _Group:
    """Rows of one list that matter for the same reason."""

    section: str
    name: str
    kind: str
    """What the rows are, in the word by which messages refer to records."""
    page: str
    asked: Mapping[str, str]
    """The filters under which the list shows these rows and no others."""
    rows: QuerySet[Any]
    called: Any
    """What a row is called: a column or an expression."""
    time: str = ""
    day: str = ""
    order: tuple[str, ...] = field(default=("pk",))


def _words(numbers: Any) -> str:
    return ",".join(str(int(one)) for one in numbers)


def _groups(actor: Actor, upkeep_seen: QuerySet[Any] | None) -> Iterator[_Group]:
    """Yield the groups that concern the person: of lists that they can open."""
    yield from _tasks(actor)
    yield from _requests(actor)
    yield from _repairs(actor)
    yield from _upkeep(upkeep_seen)
    yield from _assets(actor)
    yield from _jobs(actor)


def _opens(actor: Actor, entry: str, code: str = "") -> bool:
    """Return whether the person has an entry of the menu and may read the list behind it."""
    return actor.may(entry) and actor.may(code or f"{entry}_view")


def _yesterday() -> str:
    return str(periods.today() - timedelta(days=1))


def _tasks(actor: Actor) -> Iterator[_Group]:
    """Yield the inspection tasks, and the forecasts of what they measure."""
    if _opens(actor, TaskViewSet.noun):
        seen = rounds.visible(actor, TaskViewSet.filters)

        def tasks(section: str, name: str, rows: QuerySet[Any] = seen, **asked: str) -> _Group:
            found = apply_filters(rows, TaskViewSet.filters, asked)
            return _Group(
                section, name, TaskViewSet.noun, "/inspect/order", asked, found, F("group_name"), time="deadline",
                order=("deadline", "pk"),
            )  # fmt: skip

        if actor.may("inspectorder_inspect"):
            yield tasks(NOW, "tasks", seen.filter(rounds.own(actor)), mine="1", openNow="1")
        yield tasks(SOON, "tasksEnding", endsSoon="1")
        yield tasks(WRONG, "tasksMissed", status=_words([OrderStatus.MISSED]), businessDate_ge=_yesterday())
    if _opens(actor, ForecastViewSet.noun):
        rows = restrict(
            ForecastViewSet.queryset.select_related(None), actor, ForecastViewSet.noun, ForecastViewSet.scope_columns,
            ForecastViewSet.filters,
        ).filter(status=ForecastStatus.IN_FORCE)  # fmt: skip
        asked = {"crossesOn_le": str(periods.today() + _CROSSING)}
        yield _Group(
            SOON, "forecasts", ForecastViewSet.noun, "/inspect/forecast", asked,
            apply_filters(rows, ForecastViewSet.filters, asked),
            Concat("machine__machine_name", Value(" "), "item_name", output_field=TextField()), day="crosses_on",
            order=("crosses_on", "pk"),
        )  # fmt: skip


def _requests(actor: Actor) -> Iterator[_Group]:
    """Yield the requests for spare parts that the person may handle, and the parts that are to be reordered."""
    if _opens(actor, requests.NOUN) and actor.may("spareuselog_handle"):
        asked = {"status": _words(_UNHANDLED)}
        rows = apply_filters(requests.visible(actor), requests.FILTERS, asked)
        yield _Group(
            NOW, "requests", requests.NOUN, "/spare/request", asked, rows,
            Concat("log_no", Value(" "), "apply_user__real_name", output_field=TextField()), time="apply_time",
            order=("apply_time", "pk"),
        )  # fmt: skip
    if _opens(actor, "sparereorder", "spareinfo_view"):
        yield _Group(SOON, "spares", "spareinfo", "/spare/reorder", {}, wanted(), F("spare_name"),
                     order=("-is_critical", "spare_code", "pk"))  # fmt: skip


def _repairs(actor: Actor) -> Iterator[_Group]:
    """Yield the work orders, and the breakdowns of assets."""
    if _opens(actor, "repairorder"):
        seen = repairs.visible(actor)
        for section, name, order, asked in (
            (SOON, "repairsDue", "report_time", {"dueSoon": "1"}),
            (WRONG, "repairsLate", "report_time", {"overdue": "1"}),
            (WRONG, "faults", "-create_time", {"createTime_dategt": _yesterday()}),
        ):
            yield _Group(
                section, name, "repairorder", "/repair/order", asked, apply_filters(seen, REPAIR_FILTERS, asked),
                F("title"), time="report_time", order=(order, "pk"),
            )  # fmt: skip
    if _opens(actor, StoppageViewSet.noun):
        rows = restrict(
            StoppageViewSet.queryset.select_related(None), actor, StoppageViewSet.noun, StoppageViewSet.scope_columns,
            StoppageViewSet.filters,
        )  # fmt: skip
        asked = {
            "restType": _words([RestType.BREAKDOWN]),
            "restStatus": _words(one for one in RestStatus if one != RestStatus.WITHDRAWN),
            "startTime_dategt": _yesterday(),
        }
        yield _Group(
            WRONG, "stoppages", StoppageViewSet.noun, "/equip/stoppage", asked,
            apply_filters(rows, StoppageViewSet.filters, asked), F("machine__machine_name"), time="start_time",
            order=("-start_time", "pk"),
        )  # fmt: skip


def _upkeep(seen: QuerySet[Any] | None) -> Iterator[_Group]:
    """Yield the maintenance orders, of those that the person sees."""
    if seen is None:
        return
    day = periods.today()
    due = {
        "status": _words([UpkeepStatus.TO_DO, UpkeepStatus.DOING]),
        "dueDate_ge": str(day),
        "dueDate_le": str(day + _AHEAD),
    }
    for section, name, asked in ((SOON, "upkeepDue", due), (WRONG, "upkeepLate", {"overdue": "1"})):
        yield _Group(
            section, name, "maintainorder", "/maintain/order", asked, apply_filters(seen, upkeep.FILTERS, asked),
            Concat("machine__machine_name", Value(" "), "config_name", output_field=TextField()), day="due_date",
            order=("due_date", "pk"),
        )  # fmt: skip


def _assets(actor: Actor) -> Iterator[_Group]:
    """Yield the assets whose warranty or inspection by law runs out, for those who keep them."""
    if not (_opens(actor, MachineViewSet.noun) and actor.may(f"{MachineViewSet.noun}_edit")):
        return
    used = {"runState": _STANDING, "isSealed": "0"}
    for name, day, asked in (
        ("statutory", "next_statutory_date", {"nextStatutoryDate_le": str(periods.today() + _STATUTORY)}),
        ("warranty", "warranty_end", {"warrantyState": _words([WarrantyState.ENDING])}),
    ):
        rows = apply_filters(Machine.objects.all(), MachineViewSet.filters, {**used, **asked})
        yield _Group(
            SOON, name, MachineViewSet.noun, "/equip/machine", {**used, **asked}, rows, F("machine_name"), day=day,
            order=(day, "pk"),
        )  # fmt: skip


def _jobs(actor: Actor) -> Iterator[_Group]:
    """Yield the scheduled jobs whose last run did not succeed."""
    if not _opens(actor, JobViewSet.noun):
        return
    rows = ScheduleJob.objects.filter(job_code__in=schedule.jobs)
    if not actor.is_of_platform:
        rows = rows.filter(group=JobGroup.BUSINESS)
    asked = {"lastResult": _words(_FAILED)}
    yield _Group(
        WRONG, "jobs", JobViewSet.noun, "/monitor/job", asked, apply_filters(rows, JobViewSet.filters, asked),
        F("job_code"), time="last_fire_time", order=("-last_fire_time", "pk"),
    )  # fmt: skip


def _first(number: int, group: _Group) -> QuerySet[Any]:
    """Return how many rows a group has, with the first of them."""
    # A row that is found by several ways counts once.
    rows = group.rows.model._default_manager.filter(pk__in=group.rows.order_by().values("pk")).order_by()
    time = F(group.time) if group.time else Cast(Value(None), DateTimeField())
    day = F(group.day) if group.day else Cast(Value(None), DateField())
    order = [F(one.lstrip("-")).desc() if one.startswith("-") else F(one).asc() for one in group.order]
    named = rows.annotate(
        x_group=Value(number), x_total=Window(Count("pk")), x_place=Window(RowNumber(), order_by=order),
        x_called=Cast(group.called, TextField()), x_time=time, x_day=day,
    )  # fmt: skip
    found: QuerySet[Any] = named.filter(x_place__lte=MOST_NAMED).values_list(
        "x_group", "x_total", "x_place", "pk", "x_called", "x_time", "x_day"
    )
    return found


def of(actor: Actor) -> dict[str, Any]:
    """Return what matters to a person; a section of which nothing concerns them is None. Three statements at most."""
    return {
        "asOf": clock.now(),
        "since": _yesterday(),
        **sections([actor])[0],
        "orders": _by_status(actor) if _opens(actor, "repairorder") else None,
    }


def sections(actors: Sequence[Actor]) -> list[dict[str, Any]]:
    """Return the sections of each of these people, at most MOST_PEOPLE; as many statements as for one of them."""
    order = list(NAMES)
    found: list[dict[str, Any]] = []
    asked: list[tuple[dict[str, Any], _Group]] = []
    seen = upkeep.visible_to_each([one for one in actors if _opens(one, "maintainorder")])
    for actor in actors:
        mine: dict[str, Any] = dict.fromkeys((NOW, SOON, WRONG))
        found.append(mine)
        for group in sorted(_groups(actor, seen.get(actor.user_id)), key=lambda one: order.index(one.name)):
            mine[group.section] = mine[group.section] or []
            asked.append((mine, group))
    rows: list[Any] = []
    if asked:
        parts = [_first(number, group) for number, (_mine, group) in enumerate(asked)]
        rows = sorted(parts[0].union(*parts[1:], all=True), key=lambda row: (row[0], row[2]))
    for number, total, place, pk, called, time, day in rows:
        mine, group = asked[number]
        if place == 1:
            mine[group.section].append(
                {
                    "name": group.name,
                    "title": str(NAMES[group.name]),
                    "kind": group.kind,
                    "count": total,
                    "path": f"{group.page}?{urlencode(group.asked, safe=',')}" if group.asked else group.page,
                    "rows": [],
                }
            )
        name = str(schedule.jobs[called].name) if group.kind == JobViewSet.noun else called
        mine[group.section][-1]["rows"].append({"id": str(pk), "name": name, "time": time, "day": day})
    return found


def _by_status(actor: Actor) -> list[dict[str, Any]]:
    """Return how many work orders stand in each state that is not an end; one statement."""
    seen = repairs.visible(actor).filter(status__in=OPEN_REPAIRS).order_by()
    counted = dict(seen.values_list("status").annotate(Count("pk")))
    return [{"status": int(one), "statusName": str(one.label), "count": counted.get(one, 0)} for one in OPEN_REPAIRS]
