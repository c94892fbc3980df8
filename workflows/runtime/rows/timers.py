"""The timer rows of an instance, kept in step with the timers that its engine reports."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from core.kernel import clock
from core.kernel.tenancy import current_tenant
from core.ports import DueTime, Lasting
from core.scheduling import turns
from core.statements import writes
from core.statements.compiled import Compiled
from core.system import calendars
from core.system.models import CalendarVersion
from core.system.working_time import NoWorkingTime
from workflows import engine
from workflows.runtime.tables.timers.models import Timer

TIMERS = turns.Queue("timers", Timer, "timers.sweep", budget="events")
Dues = Mapping[str, Callable[[Any], DueTime]]
_OF_INSTANCE = Compiled(lambda instance_id: Timer.objects.filter(instance_id=instance_id))


class DueTimes:
    """Says when timers fall due, by the record's due functions and the tenant's working calendar.

    The calendar is read once, and only where a timer counts working time.
    """

    def __init__(self, record: Any = None, dues: Dues | None = None) -> None:
        self._record, self._dues = record, dues or {}

    @cached_property
    def calendar(self) -> calendars.TenantCalendar:
        """The tenant's working calendar as it is now."""
        return calendars.current()

    def of(self, kind: str, text: str, *, is_working: bool = False, begin: datetime | None = None) -> datetime | None:
        """Return when a timer falls due: as the record's function says, at its moment, or its length from `begin`.

        A moment without a zone, months and days are those of the tenant's time zone.
        """
        if kind == "date":
            moment = datetime.fromisoformat(text)
            return moment if moment.tzinfo else timezone.make_aware(moment)
        try:
            if kind == "due":
                return self._by_record(text, is_working)
            begin = timezone.localtime(begin or clock.now())
            return engine.due_after(begin, text, self.calendar if is_working else None)
        except NoWorkingTime:
            raise engine.ExpressionError(
                text,
                "工作日历在此后三年内没有工作时间",
                "the working calendar has no working time in the next three years",
            ) from None

    def _by_record(self, name: str, is_working: bool) -> datetime | None:
        if name not in self._dues:
            raise engine.ExpressionError(name, "该到期函数不存在", "this due function does not exist")
        found = self._dues[name](self._record)
        if not isinstance(found, Lasting):
            return found
        if is_working:
            return self.calendar.after(timezone.localtime(found.begin), 0, found.length)
        return found.begin + found.length

    def renew(self, row: Timer) -> bool:
        """Compute the due time of a row in memory anew; answers whether the row has to be stored."""
        before = (row.due_time, row.calendar_version)
        is_working = row.calendar_version is not None
        row.due_time = self.of(row.kind, row.text, is_working=is_working, begin=row.begin_time)
        if is_working:
            row.calendar_version = self.calendar.version
        return before != (row.due_time, row.calendar_version)


_RENEWED = ("due_time", "calendar_version")


@dataclass(frozen=True)
class Moved:
    """A timer whose due time is another one by the calendar as it is now."""

    node: str
    before: datetime | None
    after: datetime | None


def keep(
    instance_id: int, open_timers: Iterable[engine.OpenTimer], record: Any, dues: Dues, *, is_new: bool = False
) -> tuple[dict[str, datetime], list[Timer]]:
    """Store the engine's open timers, and compute the due times of those with a due function again.

    Returns by node when its timer falls due, without those that fall due at no time for now, and the timers that ended.
    """
    kept: list[Timer] = []
    rows = {} if is_new else {row.engine_task: row for row in _OF_INSTANCE.rows(instance_id)}
    new: list[Timer] = []
    moved: list[Timer] = []
    times = DueTimes(record, dues)
    for timer in open_timers:
        row = rows.pop(timer.task, None)
        if row is None:
            new.append(_new(instance_id, timer, times))
            continue
        kept.append(row)
        if row.kind == "due" and times.renew(row):
            moved.append(row)
    if rows:
        Timer.objects.filter(pk__in=[row.pk for row in rows.values()]).delete()
    writes.insert(new)
    if moved:
        Timer.objects.bulk_update(moved, _RENEWED)
    return _by_node([*kept, *new]), list(rows.values())


def _new(instance_id: int, timer: engine.OpenTimer, times: DueTimes) -> Timer:
    row = Timer(
        tenant_id=current_tenant(),
        instance_id=instance_id,
        engine_task=timer.task,
        node=timer.node,
        kind=timer.kind,
        text=timer.text,
        due_time=times.of(timer.kind, timer.text, is_working=timer.is_working),
    )
    if timer.is_working:
        row.calendar_version = times.calendar.version
        row.begin_time = None if timer.kind == "due" else clock.now()
    return row


def _by_node(rows: Iterable[Timer]) -> dict[str, datetime]:
    """Return the first due time at each node."""
    found: dict[str, datetime] = {}
    for row in rows:
        if row.due_time is not None:
            found[row.node] = min(row.due_time, found.get(row.node, row.due_time))
    return found


def try_again(instance_id: int) -> None:
    """Make the failed or postponed timers of the instance due now."""
    failed = Timer.objects.filter(instance_id=instance_id, attempts__gt=0)
    failed.update(is_parked=False, attempts=0, due_time=datetime.now(UTC))


def nodes(instance_id: int) -> set[str]:
    """Return the events whose timers wait."""
    return set(Timer.objects.filter(instance_id=instance_id).values_list("node", flat=True))


def sleep(timer: Timer) -> None:
    """Let a timer that is due sleep while its instance stands still, so that no sweep looks at it in vain."""
    timer.is_asleep = True
    timer.save(update_fields=["is_asleep"])


def wake(instances: Iterable[Any]) -> None:
    """Make the sleeping timers of these instances due now, ids or a queryset of ids."""
    Timer.objects.filter(instance_id__in=instances, is_asleep=True).update(**turns.woken())


def ask_again(instance_id: int, record: Any, dues: Dues) -> dict[str, datetime]:
    """Compute the due times again after the record changed without a step, and return them by node."""
    rows, times = _OF_INSTANCE.rows(instance_id), DueTimes(record, dues)
    for row in rows:
        if row.kind == "due" and times.renew(row):
            Timer.objects.filter(pk=row.pk).update(due_time=row.due_time, calendar_version=row.calendar_version)
    return _by_node(rows)


def outdated_tenants() -> QuerySet[Any]:
    """Return the tenants with timers that were computed by another calendar than theirs is now; in no tenant's scope.

    Each tenant costs a look into an index, however many timers it has.
    """
    theirs = Timer.objects.filter(_other_than(OuterRef("version")), tenant_id=OuterRef("tenant_id"))
    found: QuerySet[Any] = CalendarVersion.objects.filter(Exists(theirs)).order_by("tenant_id")
    return found.values_list("tenant_id", flat=True)


def take_outdated(passed: Collection[int]) -> int | None:
    """Lock such a timer of the tenant in scope that nobody has locked, and return its instance, None without one.

    Those of `passed` are passed over. Without the lock all workers would take the same ones.
    """
    rows = Timer.objects.filter(_other_than(calendars.version()), tenant_id=current_tenant())
    rows = rows.exclude(instance_id__in=passed).order_by("calendar_version", "instance_id")
    found = rows.select_for_update(skip_locked=connection.vendor == "postgresql")
    return found.values_list("instance_id", flat=True).first()


def _other_than(version: Any) -> Q:
    """Both sides of the number, because an index finds nothing that is unequal."""
    return Q(calendar_version__lt=version) | Q(calendar_version__gt=version)


def is_outdated(timer: Timer) -> bool:
    """Return whether the due time was computed by another calendar than the one of now; natural time never is."""
    return timer.calendar_version is not None and timer.calendar_version != calendars.version()


def renew(instance_id: int, record: Any, dues: Dues) -> tuple[dict[str, datetime], list[Moved]]:
    """Compute the due times in working time by the calendar as it is now; answers all by node, and which have moved.

    A timer that has failed waits for its next try all the same.
    """
    rows, times = _OF_INSTANCE.rows(instance_id), DueTimes(record, dues)
    renewed: list[Timer] = []
    moved: list[Moved] = []
    for row in rows:
        before = row.due_time
        if row.calendar_version is None or not times.renew(row):
            continue
        if row.attempts:
            row.due_time = before
        renewed.append(row)
        if row.due_time != before:
            moved.append(Moved(row.node, before, row.due_time))
    if renewed:
        Timer.objects.bulk_update(renewed, _RENEWED)
    return _by_node(rows), sorted(moved, key=lambda one: one.node)


def leave(instance_id: int) -> None:
    """Let the due times of an instance stand as they are, though its calendar has changed."""
    rows = Timer.objects.filter(instance_id=instance_id, calendar_version__isnull=False)
    rows.update(calendar_version=calendars.version())
