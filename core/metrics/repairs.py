"""The work orders of a year by reporting month, or of a reporting month by day: `repairWorkloadReport`."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Avg, Count, DurationField, ExpressionWrapper, F, Q, QuerySet, Sum

from core.equipment.models import Stoppage, Tag, Urgency
from core.equipment.spans import Span, cut, union
from core.kernel import clock
from core.kernel.actor import Actor
from core.maintenance.models import STOPS, RepairLine, RepairOrder, Status
from core.maintenance.queries import visible
from core.maintenance.reports.workload import is_late
from core.metrics import machine_time
from core.metrics.sums import in_buckets, mean, money, percent
from core.rest.serializers import whole_minutes
from core.system import periods
from core.system.periods import Period, midnight

MOST = 10
_COST = F("labour_cost") + F("spare_cost") + F("outsource_cost") + F("other_cost")
_RESPONSE = ExpressionWrapper(F("accept_time") - F("report_time"), output_field=DurationField())
_NUMBERS = (
    "reported", "finished", "open", "overdue", "rework", "labourMinutes", "mergedMinutes", "stopMinutes",
    "avgResponseMinutes", "avgRepairMinutes", "spareAmount", "totalCost",
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    """What a line of the report is about."""

    name: str
    period: Period


def months(year: int) -> list[Row]:
    """Return the twelve reporting months of a year."""
    return [Row(f"{year}-{month:02d}", periods.reporting_month(year, month)) for month in range(1, 13)]


def days(year: int, month: int) -> list[Row]:
    """Return the days of a reporting month."""
    whole = periods.reporting_month(year, month)
    every = (whole.first + timedelta(days=number) for number in range((whole.last - whole.first).days + 1))
    return [Row(str(day), Period(day, day)) for day in every]


def report(actor: Actor, year: int, rows: Sequence[Row], departments: frozenset[int] | None) -> dict[str, Any]:
    """Return the report; a dozen statements, however many orders there are."""
    orders = visible(actor)
    return _Report(orders if departments is None else orders.filter(dept__in=departments), rows).answer(year)


_Line = tuple[int, int, datetime, datetime]
"""Order, person, begin and end of a labour entry."""


class _Report:
    """Reads what the lines of a report need, and puts them together."""

    def __init__(self, orders: QuerySet[Any], rows: Sequence[Row]):
        self.rows, self.now = rows, clock.now()
        self.borders = [midnight(row.period.first) for row in rows]
        self.borders.append(midnight(rows[-1].period.last + timedelta(days=1)))
        self.begin, self.end = self.borders[0], self.borders[-1]
        self.orders = RepairOrder.objects.filter(pk__in=orders.order_by().values("pk"))
        """By id, so that sums are not made over what visibility joins."""
        self.uncancelled = self.orders.exclude(status=Status.CANCELLED)

    def answer(self, year: int) -> dict[str, Any]:
        """Return the lines with their sum, and what stands out in the whole span."""
        reported, finished, accepted = self._reported(), self._finished(), self._accepted()
        left, lines, stops = self._left(), self._lines(), self._stops()
        spans = list(zip(self.borders, self.borders[1:], strict=False))
        by_row: list[list[_Line]] = [[] for _row in self.rows]
        for line in lines:
            by_row[bisect_right(self.borders, line[2]) - 1].append(line)
        answers = []
        for number, row in enumerate(self.rows):
            numbers: dict[str, Any] = dict.fromkeys(_NUMBERS)
            if self.borders[number] <= self.now:
                done, taken = finished.get(number, _NOTHING), accepted.get(number, _NOTHING)
                numbers = {
                    "reported": reported.get(number, 0),
                    "finished": done["count"],
                    "open": left[number][0],
                    "overdue": left[number][1],
                    "rework": done["rework"],
                    "labourMinutes": whole_minutes(
                        sum((until - since).total_seconds() for _o, _u, since, until in by_row[number])
                    ),
                    "mergedMinutes": whole_minutes(sum(_merged(by_row[number]).values())),
                    "stopMinutes": whole_minutes(self._stood(stops, *spans[number])),
                    "avgResponseMinutes": mean(taken["seconds"], taken["count"]),
                    "avgRepairMinutes": mean(done["seconds"], done["count"]),
                    "spareAmount": money(done["spares"]),
                    "totalCost": money(done["cost"]),
                }
            answers.append({"period": row.name, "from": str(row.period.first), "to": str(row.period.last), **numbers})
        return {
            "year": year,
            "asOf": min(self.end, self.now),
            "rows": answers,
            "total": self._total(answers, finished, accepted),
            "topUsers": self._people(lines),
            "topMachines": self._machines(stops),
            "bySymptom": self._symptoms(),
            "byUrgency": self._urgencies(),
        }

    def _reported(self) -> dict[int, int]:
        counted = in_buckets(self.orders, "report_time", self.borders).annotate(count=Count("pk"))
        return {row["bucket"]: row["count"] for row in counted}

    def _finished(self) -> dict[int, Mapping[str, Any]]:
        counted = in_buckets(self.uncancelled, "finish_time", self.borders).annotate(
            count=Count("pk"), rework=Count("pk", filter=Q(rework_count__gt=0)), seconds=Sum("repair_seconds"),
            spares=Sum("spare_cost"), cost=Sum(_COST),
        )  # fmt: skip
        return {row["bucket"]: row for row in counted}

    def _accepted(self) -> dict[int, Mapping[str, Any]]:
        counted = in_buckets(self.orders, "accept_time", self.borders).annotate(count=Count("pk"), took=Avg(_RESPONSE))
        return {
            row["bucket"]: {"count": row["count"], "seconds": row["took"].total_seconds() * row["count"]}
            for row in counted
        }

    def _left(self) -> list[tuple[int, int]]:
        """Return of each line how many orders were open at its end, or are now, and how many of them were late."""
        moments = [min(end, self.now) for end in self.borders[1:]]
        begun = [at for begin, at in zip(self.borders, moments, strict=False) if begin <= self.now]
        if not begun:
            return [(0, 0)] * len(moments)
        was_open = reduce(or_, (_open_at(at) for at in begun))
        waiting = list(self.orders.filter(was_open))
        at_once = [
            [one for one in waiting if one.report_time < at and (one.close_time is None or one.close_time >= at)]
            for at in moments
        ]
        return [(len(rows), sum(is_late(one, at) for one in rows)) for rows, at in zip(at_once, moments, strict=True)]

    def _lines(self) -> list[_Line]:
        """Return order, person, begin and end of the labour entries that begin in the span."""
        rows = RepairLine.objects.filter(order__in=self.orders, start_time__gte=self.begin, start_time__lt=self.end)
        return list(rows.values_list("order_id", "user_id", "start_time", "end_time"))

    def _stops(self) -> list[tuple[int, Span]]:
        """Return asset and interval of the stoppages of these orders that touch the span."""
        rows = Stoppage.objects.filter(
            Q(end_time=None) | Q(end_time__gt=self.begin), source_type=STOPS.source, start_time__lt=self.end,
            revoke_time=None, source_id__in=self.orders.values("pk"),
        )  # fmt: skip
        found = rows.values_list("machine_id", "start_time", "end_time")
        return [(machine, (since, until or max(self.now, since))) for machine, since, until in found]

    @staticmethod
    def _stood(stops: Sequence[tuple[int, Span]], begin: datetime, end: datetime) -> float:
        by_machine: dict[int, list[Span]] = defaultdict(list)
        for machine, span in stops:
            by_machine[machine].append(span)
        return sum(union(cut(spans, begin, end)).total_seconds() for spans in by_machine.values())

    def _total(
        self, rows: Sequence[Mapping[str, Any]], finished: Mapping[int, Mapping[str, Any]],
        accepted: Mapping[int, Mapping[str, Any]],
    ) -> dict[str, Any]:  # fmt: skip
        """Return the sums of the lines; what is open counts at the end, and means are made of all orders."""
        begun = [row for row in rows if row["reported"] is not None]
        added = (
            "reported", "finished", "rework", "labourMinutes", "mergedMinutes", "stopMinutes", "spareAmount",
            "totalCost",
        )  # fmt: skip
        last: Mapping[str, Any] = begun[-1] if begun else {"open": 0, "overdue": 0}

        def mean_of(sums: Mapping[int, Mapping[str, Any]]) -> int | None:
            return mean(sum(one["seconds"] or 0 for one in sums.values()), sum(one["count"] for one in sums.values()))

        return {
            **{name: round(sum(row[name] for row in begun), 2) for name in added},
            "open": last["open"],
            "overdue": last["overdue"],
            "avgResponseMinutes": mean_of(accepted),
            "avgRepairMinutes": mean_of(finished),
        }

    def _people(self, lines: Sequence[_Line]) -> list[dict[str, Any]]:
        """Return who has worked on most finished orders, with the time of the span."""
        merged = _merged(lines)
        done = RepairLine.objects.filter(
            order__in=self.uncancelled.filter(finish_time__gte=self.begin, finish_time__lt=self.end)
        )
        counted: QuerySet[Any] = done.order_by().values("user_id", "user__real_name").annotate(
            finished=Count("order", distinct=True)
        )  # fmt: skip
        return [
            {
                "userId": str(row["user_id"]),
                "userName": row["user__real_name"],
                "finished": row["finished"],
                "mergedMinutes": whole_minutes(merged.get(row["user_id"], 0)),
            }
            for row in counted.order_by("-finished", "user__real_name", "user_id")[:MOST]
        ]

    def _machines(self, stops: Sequence[tuple[int, Span]]) -> list[dict[str, Any]]:
        """Return the assets that failed most often, then those that stood the longest."""
        spans: dict[int, list[Span]] = defaultdict(list)
        for machine, span in stops:
            spans[machine].append(span)
        failed = Q(is_stop=True, stop_start__gte=self.begin, stop_start__lt=self.end)
        done = Q(finish_time__gte=self.begin, finish_time__lt=self.end)
        counted = list(
            self.uncancelled.filter(failed | done).order_by().values("machine_id", "machine__machine_name").annotate(
                cost=Sum(_COST, filter=done)
            )
        )  # fmt: skip
        # Counted as the KPIs count them: what came back is no new failure, and stops that overlap are one.
        failures = machine_time.failures([row["machine_id"] for row in counted], self.begin, self.end, self.orders)
        found: list[dict[str, Any]] = [
            {
                "machineId": str(row["machine_id"]),
                "machineName": row["machine__machine_name"],
                "failures": len(failures[row["machine_id"]].began) if row["machine_id"] in failures else 0,
                "stopMinutes": whole_minutes(
                    union(cut(spans.get(row["machine_id"], ()), self.begin, self.end)).total_seconds()
                ),
                "totalCost": money(row["cost"]),
            }
            for row in counted
        ]
        return sorted(
            found, key=lambda row: (-row["failures"], -row["stopMinutes"], -row["totalCost"], row["machineName"])
        )[:MOST]

    def _symptoms(self) -> list[dict[str, Any]]:
        """Return how often each symptom was reported, and its share of all that were."""
        rows = self.uncancelled.filter(report_time__gte=self.begin, report_time__lt=self.end)
        times = Counter(tag for tags in rows.values_list("fault_tag_ids", flat=True) for tag in tags)
        names = {tag.pk: str(tag) for tag in Tag.objects.filter(pk__in=times)} if times else {}
        total = sum(times.values())
        found: list[dict[str, Any]] = [
            {"tagId": str(tag), "tagName": names[tag], "times": count, "share": percent(count, total)}
            for tag, count in times.items()
            if tag in names
        ]
        return sorted(found, key=lambda row: (-row["times"], row["tagName"]))[:MOST]

    def _urgencies(self) -> list[dict[str, Any]]:
        """Return how many orders were reported of each priority."""
        rows = self.uncancelled.filter(report_time__gte=self.begin, report_time__lt=self.end).order_by()
        counted: dict[int, int] = dict(rows.values_list("urgency").annotate(Count("pk")))
        return [{"urgency": one, "urgencyName": str(one.label), "times": counted.get(one, 0)} for one in Urgency]


def _merged(lines: Sequence[_Line]) -> dict[int, float]:
    """Return by person the seconds of the entries, what overlaps counted once."""
    spans: dict[int, list[Span]] = defaultdict(list)
    for _order, user, since, until in lines:
        spans[user].append((since, until))
    return {user: union(own).total_seconds() for user, own in spans.items()}


_NOTHING: Mapping[str, Any] = {"count": 0, "rework": 0, "seconds": 0, "spares": 0, "cost": 0}


def _open_at(moment: datetime) -> Q:
    """Return the condition of orders that were open at a moment."""
    return Q(report_time__lt=moment) & (Q(close_time=None) | Q(close_time__gte=moment))


def totals(orders: QuerySet[Any]) -> dict[str, int]:
    """Return how many of these orders there are since the beginning; one statement."""
    ends = (Status.CLOSED, Status.CANCELLED)
    rows = RepairOrder.objects.filter(pk__in=orders.order_by().values("pk")).exclude(status=Status.CANCELLED)
    counted: dict[str, int] = rows.aggregate(
        repairTotal=Count("pk"), repairFinished=Count("pk", filter=Q(status=Status.CLOSED)),
        repairOpen=Count("pk", filter=~Q(status__in=ends)),
    )  # fmt: skip
    return counted


def last_fault_stop(machine_ids: QuerySet[Any]) -> date | None:
    """Return the day of the last failure that stopped one of these assets; one statement."""
    rows = RepairOrder.objects.filter(machine__in=machine_ids, is_stop=True, stop_start__isnull=False)
    last = rows.exclude(status=Status.CANCELLED).order_by("-stop_start").values_list("stop_start", flat=True).first()
    return None if last is None else periods.local_day(last)
