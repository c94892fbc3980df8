"""What was repaired in a period, by whom and where: time per person, work per group, and the history of a machine."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from core.access.people import roles_with
from core.equipment.models import Machine, Stoppage, Tag
from core.equipment.spans import Span, common, cut, merged, union
from core.equipment.stoppages import touching_machine
from core.identity.models import Team, TeamMember, User
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.ids import is_id
from core.kernel.texts import moment
from core.maintenance import dues
from core.maintenance.models import STOPS, RepairLine, RepairOrder, Status
from core.maintenance.queries import visible
from core.maintenance.rules import WORKS
from core.maintenance.working_hours import Shifts, shifts_of_people
from core.rest.scopes import Scope, rule_of
from core.rest.serializers import whole_minutes
from core.rounds.rates import Rate
from core.spares.models import OrderType, SpareUseLine
from core.system.periods import Period

NIGHT = (22, 6)
"""Hours between which work counts as done at night."""
GROUPS = ("user", "team", "dept", "machine", "type", "symptom")
_WIDE = {Scope.ALL, Scope.DEPARTMENT, Scope.DEPARTMENT_TREE, Scope.CUSTOM}


def average_minutes(seconds: Sequence[float]) -> int | None:
    """Their mean as minutes; None where there is none."""
    return whole_minutes(sum(seconds) / len(seconds)) if seconds else None


def night_seconds(spans: Iterable[Span]) -> float:
    """How much of the spans lies in the night, in the tenant's zone."""
    zone = timezone.get_default_timezone()
    total = 0.0
    for begin, end in spans:
        day = begin.astimezone(zone).date() - timedelta(days=1)
        while day <= end.astimezone(zone).date():
            dusk = datetime.combine(day, time(NIGHT[0]), zone)
            dawn = datetime.combine(day + timedelta(days=1), time(NIGHT[1]), zone)
            total += sum((until - since).total_seconds() for since, until in cut([(begin, end)], dusk, dawn))
            day += timedelta(days=1)
    return total


@dataclass
class _Line:
    order_id: int
    user_id: int
    span: Span
    amount: Decimal

    @property
    def seconds(self) -> float:
        return (self.span[1] - self.span[0]).total_seconds()


def _lines(orders: Any, begin: datetime, end: datetime) -> list[_Line]:
    """Work lines of these orders; a line belongs to the day on which it starts."""
    rows = RepairLine.objects.filter(order__in=orders, start_time__gte=begin, start_time__lt=end)
    columns = ("order_id", "user_id", "start_time", "end_time", "amount")
    return [_Line(order, user, (one, other), amount) for order, user, one, other, amount in rows.values_list(*columns)]


def _orders(rows: Any, begin: datetime, end: datetime) -> list[RepairOrder]:
    """Orders that were open at some moment of the period."""
    return list(rows.filter(report_time__lt=end).filter(Q(close_time=None) | Q(close_time__gte=begin)))


# Time per person


def people_times(actor: Actor, period: Period, given: Mapping[str, str]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """A row a person, most time first, and their sum. Repairers without work are there with zeros.

    Whoever sees no more than the own orders and those of the own teams learns of the own time alone.
    """
    begin, end = period.bounds()
    people = _repairers(actor)
    for name, column in (("deptId", "dept_id"), ("teamId", "teams__team_id")):
        if text := given.get(name):
            people = people.filter(**{column: int(text)}) if is_id(text) else people.none()
    if given.get("keyword"):
        people = people.filter(Q(real_name__icontains=given["keyword"]) | Q(account__icontains=given["keyword"]))
    persons = list(people.select_related("dept").prefetch_related("teams__team").order_by("real_name", "pk"))
    lines: dict[int, list[_Line]] = defaultdict(list)
    for line in _lines(visible(actor), begin, end):
        lines[line.user_id].append(line)
    orders: dict[int, list[RepairOrder]] = defaultdict(list)
    for order in _orders(visible(actor), begin, end):
        if order.repair_user_id is not None:
            orders[order.repair_user_id].append(order)
    shifts = shifts_of_people([person.pk for person in persons], period.first, period.last)
    rows = [
        _person(person, orders[person.pk], lines[person.pk], shifts.get(person.pk), begin, end) for person in persons
    ]
    rows.sort(key=lambda row: (-row["mergedMinutes"], row["userName"]))
    return rows, _sums(rows, [order for person in persons for order in orders[person.pk]], begin, end)


def _repairers(actor: Actor) -> Any:
    """Return the people who can be dispatched, as far as the person may learn of their time."""
    people = User.objects.filter(is_enabled=True, roles__role__in=roles_with(WORKS)).distinct()
    return people if _sees_others(actor) else people.filter(pk=actor.user_id)


def _sees_others(actor: Actor) -> bool:
    return bool(_WIDE & rule_of(actor, "repairorder").kinds)


def _within(value: datetime | None, begin: datetime, end: datetime) -> bool:
    return value is not None and begin <= value < end


def _person(
    person: User, orders: list[RepairOrder], lines: list[_Line], shifts: Shifts | None, begin: datetime, end: datetime
) -> dict[str, Any]:
    spans = [line.span for line in lines]
    teams = [membership.team for membership in person.teams.all()]
    return {
        "userId": str(person.pk),
        "userName": person.real_name,
        "deptName": str(person.dept or ""),
        "teamName": " / ".join(str(team) for team in teams),
        "labourMinutes": whole_minutes(sum(line.seconds for line in lines)),
        "mergedMinutes": whole_minutes(union(spans).total_seconds()),
        "nightMinutes": whole_minutes(night_seconds(merged(spans))),
        "labourAmount": float(sum((line.amount for line in lines), Decimal(0))),
        **_work(orders, {line.order_id for line in lines}, begin, end),
        **_against_shifts(spans, shifts),
    }


def _against_shifts(spans: Sequence[Span], shifts: Shifts | None) -> dict[str, Any]:
    """Return what is measured against the shifts of a person; unknown of whoever is in no shift plan."""
    if shifts is None:
        return dict.fromkeys(("overtimeMinutes", "scheduledMinutes", "utilization"))
    worked = union(spans).total_seconds()
    scheduled = union(shifts.within).total_seconds()
    return {
        "overtimeMinutes": whole_minutes(worked - union(common(spans, shifts.around)).total_seconds()),
        "scheduledMinutes": whole_minutes(scheduled),
        "utilization": Rate(round(worked), round(scheduled)).percent,
    }


def _work(orders: list[RepairOrder], worked: set[int], begin: datetime, end: datetime) -> dict[str, Any]:
    """Numbers of the orders that somebody holds, or has worked on."""
    accepted = [order for order in orders if _within(order.accept_time, begin, end)]
    finished = [order for order in orders if _within(order.finish_time, begin, end)]
    closed = [order for order in finished if order.status == Status.CLOSED]
    return {
        "orderCount": len({order.pk for order in (*accepted, *finished)} | worked),
        "finishCount": len(finished),
        "reworkCount": sum(order.rework_count for order in finished),
        "firstPassRate": Rate(sum(order.rework_count == 0 for order in closed), len(closed)).percent,
        "avgResponseMinutes": average_minutes([_response(order) for order in accepted]),
        "avgRepairMinutes": average_minutes([order.repair_seconds or 0 for order in finished]),
    }


def _response(order: RepairOrder) -> float:
    assert order.accept_time is not None
    return (order.accept_time - order.report_time).total_seconds()


def _sums(rows: list[dict[str, Any]], orders: list[RepairOrder], begin: datetime, end: datetime) -> dict[str, Any]:
    names = ("labourMinutes", "mergedMinutes", "nightMinutes", "labourAmount")
    sums = {name: sum(row[name] for row in rows) for name in names}
    scheduled = [row for row in rows if row["scheduledMinutes"] is not None]
    shifts: dict[str, Any] = {
        name: sum(row[name] for row in scheduled) if scheduled else None
        for name in ("overtimeMinutes", "scheduledMinutes")
    }
    merged_minutes = sum(row["mergedMinutes"] for row in scheduled)
    shifts["utilization"] = Rate(merged_minutes, shifts["scheduledMinutes"] or 0).percent
    return {**sums, **_work(orders, set(), begin, end), **shifts}


# Work per group


@dataclass
class _Group:
    name: str
    orders: dict[int, RepairOrder] = field(default_factory=dict)
    finished: set[int] = field(default_factory=set)
    """Orders that count as finished here; for people also those they only worked on."""
    seconds: float = 0


def groups(actor: Actor, period: Period, by: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """A row a group, most work first, and the sum over the orders themselves, each counted once.

    By person, repairers without work are there with zeros, and whoever sees no more than the own orders and those of
    the own teams has the own row alone.
    """
    begin, end = period.bounds()
    orders = {
        order.pk: order
        for order in _orders(visible(actor).select_related("machine", "dept", "team", "repair_user"), begin, end)
    }
    lines = _lines(visible(actor), begin, end)
    stops = _stops(orders, begin, end)
    worked: dict[int, set[int]] = defaultdict(set)
    for line in lines:
        worked[line.order_id].add(line.user_id)
    found: dict[str, _Group] = {}
    keys_of = _KEYS[by](list(orders.values()), worked)
    alone = str(actor.user_id) if by == "user" and not _sees_others(actor) else ""
    if by == "user":
        found = {str(person.pk): _Group(person.real_name) for person in _repairers(actor).order_by("real_name", "pk")}
    for order in orders.values():
        for key, name in keys_of(order):
            group = found.setdefault(key, _Group(name))
            group.orders[order.pk] = order
            group.finished.add(order.pk)
    names = dict(User.with_removed.filter(pk__in={line.user_id for line in lines}).values_list("pk", "real_name"))
    for line in lines:
        if line.order_id not in orders:
            continue
        for key, name in (
            [(str(line.user_id), names.get(line.user_id, ""))] if by == "user" else keys_of(orders[line.order_id])
        ):
            group = found.setdefault(key, _Group(name))
            group.finished.add(line.order_id)
            group.seconds += line.seconds
    parts = _parts_issued(orders, begin, end)
    total = sum(line.seconds for line in lines)
    rows = [
        {"key": key, "name": group.name, **_row(group, orders, stops, parts, begin, end, total)}
        for key, group in found.items()
        if alone in ("", key)
    ]
    rows.sort(key=lambda row: (-row["labourMinutes"], -row["finished"], row["name"]))
    whole = _Group("", orders, set(orders), total)
    if alone:
        whole = found.get(alone, _Group(""))
    note = _("合计中每张维修单只计一次；多人参与的维修单，在每个人的完工数中各计一次") if by == "user" else ""
    return rows, {**_row(whole, orders, stops, parts, begin, end, total), "note": note}


def _row(
    group: _Group, orders: Mapping[int, RepairOrder], stops: Mapping[int, float],
    parts: Mapping[int, Decimal], begin: datetime, end: datetime, total: float,
) -> dict[str, Any]:  # fmt: skip
    mine = list(group.orders.values())
    finished = [orders[pk] for pk in group.finished if _within(orders[pk].finish_time, begin, end)]
    at = min(end, clock.now())
    open_ones = [order for order in mine if order.close_time is None or order.close_time >= at]
    return {
        "reported": sum(_within(order.report_time, begin, end) for order in mine),
        "dispatched": sum(_within(order.dispatch_time, begin, end) for order in mine),
        "finished": len(finished),
        "checked": sum(_within(order.check_time, begin, end) and order.status == Status.CLOSED for order in mine),
        "open": len(open_ones),
        "overdue": sum(is_late(order, at) for order in open_ones),
        "reworked": sum(order.rework_count > 0 for order in finished),
        "cancelled": sum(_within(order.close_time, begin, end) and order.status == Status.CANCELLED for order in mine),
        "repeated": sum(_within(order.report_time, begin, end) and order.repeat_count > 0 for order in mine),
        "labourMinutes": whole_minutes(group.seconds),
        "stopMinutes": whole_minutes(sum(stops.get(order.pk, 0) for order in mine)),
        "avgRepairMinutes": average_minutes([order.repair_seconds or 0 for order in finished]),
        "spareQuantity": float(sum((parts.get(order.pk, Decimal(0)) for order in finished), Decimal(0))),
        "spareAmount": float(sum((order.spare_cost for order in finished), Decimal(0))),
        "totalCost": float(sum((order.total_cost for order in finished), Decimal(0))),
        "share": Rate(round(group.seconds), round(total)).percent,
    }


def is_late(order: RepairOrder, at: datetime) -> bool:
    """Whether the order waited beyond its limit at that moment."""
    if order.accept_time is None or order.accept_time > at:
        return dues.response_due(order) < at
    due = dues.finish_due(order)
    return due is not None and (order.finish_time or order.hang_start or at) > due


def _stops(orders: Mapping[int, RepairOrder], begin: datetime, end: datetime) -> dict[int, float]:
    """Seconds that the machine stood for each order, cut at the period's borders."""
    rows = Stoppage.objects.filter(source_type=STOPS.source, start_time__lt=end).filter(
        Q(end_time=None) | Q(end_time__gt=begin)
    )
    spans: dict[int, list[Span]] = defaultdict(list)
    for order_id, since, until in rows.values_list("source_id", "start_time", "end_time"):
        if order_id in orders:
            spans[order_id].append((since, until or max(clock.now(), since)))
    return {order_id: union(cut(parts, begin, end)).total_seconds() for order_id, parts in spans.items()}


def _parts_issued(orders: Mapping[int, RepairOrder], begin: datetime, end: datetime) -> dict[int, Decimal]:
    """Return by order the quantity of spare parts that were issued for it, less what came back; one statement.

    It is asked of orders that were finished in the period, as their cost is.
    """
    ids = [pk for pk, order in orders.items() if _within(order.finish_time, begin, end)]
    lines = SpareUseLine.objects.filter(request__order_type=OrderType.REPAIR, request__order_id__in=ids)
    found: dict[int, Decimal] = defaultdict(Decimal)
    for order_id, issued, returned in lines.values_list("request__order_id", "issued_qty", "returned_qty"):
        found[order_id] += issued - returned
    return found


Keys = Callable[[RepairOrder], list[tuple[str, str]]]


def _by_symptom(orders: list[RepairOrder], _worked: Mapping[int, set[int]]) -> Keys:
    ids = {tag for order in orders for tag in order.fault_tag_ids}
    names = {tag.pk: str(tag) for tag in Tag.objects.filter(pk__in=ids)} if ids else {}
    none = [("", _("未填故障现象"))]
    return lambda order: [(str(tag), names[tag]) for tag in order.fault_tag_ids if tag in names] or none


def _by_team(orders: list[RepairOrder], _worked: Mapping[int, set[int]]) -> Keys:
    """By the team of the order; where it was dispatched to a person alone, by that person's first team."""
    people = {order.repair_user_id for order in orders if order.team_id is None} - {None}
    rows = TeamMember.objects.filter(user__in=people, team__is_deleted=False).select_related("team")
    own: dict[int | None, Team] = {}
    for member in rows.order_by("team__sort", "team_id"):
        own.setdefault(member.user_id, member.team)

    def key(order: RepairOrder) -> list[tuple[str, str]]:
        team = order.team or own.get(order.repair_user_id)
        return [(str(team.pk), str(team)) if team is not None else ("", _("未派到班组"))]

    return key


def _by(key: str, name: Callable[[RepairOrder], str], none: Callable[[], str]) -> Callable[..., Keys]:
    def made(_orders: list[RepairOrder], _worked: Mapping[int, set[int]]) -> Keys:
        return lambda order: [
            (str(getattr(order, key)), name(order)) if getattr(order, key) is not None else ("", none())
        ]

    return made


_KEYS: Mapping[str, Callable[..., Keys]] = {
    "user": _by("repair_user_id", lambda order: str(order.repair_user), lambda: _("未派到人")),
    "team": _by_team,
    "dept": _by("dept_id", lambda order: str(order.dept), str),
    "machine": _by("machine_id", lambda order: order.machine.machine_name, str),
    "type": _by("repair_type", lambda order: order.get_repair_type_display(), lambda: _("未分类")),
    "symptom": _by_symptom,
}


# A machine's history

_MOST_STOPS = 50


def machine_history(actor: Actor, machine: Machine, period: Period) -> dict[str, Any]:
    """What happened to a machine and its components in the period: numbers, causes, and when it stood.

    Numbers are of the orders that the actor sees; stops are the machine's own, and name their order where it is seen.
    """
    begin, end = period.bounds()
    now = clock.now()
    rows = visible(actor).filter(machine__path__startswith=machine.path)
    orders = {order.pk: order for order in _orders(rows, begin, end)}
    stops = [
        (row.source_id, row.start_time, row.end_time)
        for row in touching_machine(machine, begin, min(end, now)).order_by("-start_time", "-id")
    ]
    spans = cut([(since, min(until or now, now)) for _source, since, until in stops], begin, end)
    reported = [order for order in orders.values() if _within(order.report_time, begin, end)]
    finished = [order for order in orders.values() if _within(order.finish_time, begin, end)]
    return {
        "from": period.first.isoformat(),
        "to": period.last.isoformat(),
        "reported": len(reported),
        "open": sum(order.close_time is None for order in orders.values()),
        "finished": len(finished),
        "repeats": sum(order.repeat_count > 0 for order in reported),
        "reworks": sum(order.rework_count for order in finished),
        "stops": len(spans),
        "stopMinutes": whole_minutes(union(spans).total_seconds()),
        "repairMinutes": whole_minutes(sum(order.repair_seconds or 0 for order in finished)),
        "labourMinutes": whole_minutes(sum(order.labour_seconds for order in finished)),
        "avgResponseMinutes": average_minutes([_response(order) for order in reported if order.accept_time]),
        "avgRepairMinutes": average_minutes([order.repair_seconds or 0 for order in finished]),
        "totalCost": float(sum((order.total_cost for order in finished), Decimal(0))),
        "symptoms": _symptoms(reported),
        "lastStops": [
            {
                "startTime": moment(since),
                "endTime": moment(until) or None,
                "minutes": whole_minutes((min(until or now, now) - since).total_seconds()),
                "orderId": str(source) if source in orders else "",
                "orderNo": orders[source].order_no if source in orders else "",
            }
            for source, since, until in stops[:_MOST_STOPS]
        ],
    }


def _symptoms(orders: list[RepairOrder]) -> list[dict[str, Any]]:
    """How often each symptom was reported, the most frequent first."""
    count: dict[int, int] = defaultdict(int)
    for order in orders:
        for tag in order.fault_tag_ids:
            count[tag] += 1
    names = {tag.pk: str(tag) for tag in Tag.objects.filter(pk__in=count)} if count else {}
    found = [
        {"tagId": str(tag), "tagName": names[tag], "count": number} for tag, number in count.items() if tag in names
    ]
    return sorted(found, key=lambda row: (-row["count"], row["tagName"]))
