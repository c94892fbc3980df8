"""The schedules of a tenant, kept in step with the versions that it starts.

Whoever locks a definition exclusively locks its schedules before: a start by time has its schedule when it asks for the
definition.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from core.kernel import clock
from core.kernel.tenancy import PLATFORM, current_tenant, tenant_scope
from core.scheduling import turns
from workflows import engine
from workflows.runtime.definitions import library
from workflows.runtime.tables.deployments.models import Definition
from workflows.runtime.tables.timers.models import Schedule, StartResult

SCHEDULES = turns.Queue("schedules", Schedule, "schedules.sweep", budget="events")
MOST_MISSED = 100
"""Occurrences without a start that are counted."""


def visible() -> QuerySet[Schedule]:
    """Return the schedules of what the tenant in scope starts: its own, and those of general definitions it may use."""
    own = Schedule.objects.filter(tenant_id=current_tenant(), is_general=False)
    taken = own.filter(definition=OuterRef("definition"), node=OuterRef("node"))
    general = Q(is_general=True, definition__in=library.taken(library.GENERAL).values("pk")) & ~Exists(taken)
    return Schedule.objects.filter(Q(tenant_id=current_tenant(), is_general=False) | general)


def lock(definition_ids: Collection[int]) -> None:
    """Lock the schedules of these definitions that the scope may write; the starts that have one are over by then."""
    rows = Schedule.objects.select_for_update(of=("self",)).filter(definition_id__in=definition_ids)
    list(rows.order_by("pk").values_list("pk", flat=True))


def settle(definition: Definition, person_id: int | None = None) -> None:
    """Let the schedules follow a definition that was deployed, suspended, activated or deleted, in each tenant.

    `person_id` is who deployed it.
    """
    tenants = {definition.tenant_id}
    if definition.is_general:
        with tenant_scope(PLATFORM):
            _settle_templates(definition.key)
            tenants |= set(Schedule.objects.filter(key=definition.key).values_list("tenant_id", flat=True))
    for tenant_id in sorted(tenants):
        with tenant_scope(tenant_id):
            _settle_own(definition.key, person_id if tenant_id == definition.tenant_id else None)


def _settle_own(key: str, person_id: int | None) -> None:
    """Let the schedules of the tenant in scope be those of the version that it starts now."""
    taken = library.taken().filter(key=key).defer("xml", "whole", "forms").first()
    rows = Schedule.objects.select_for_update(of=("self",)).select_related("definition")
    kept = {row.node: row for row in rows.filter(tenant_id=current_tenant(), is_general=False, key=key).order_by("pk")}
    starts = starts_of(taken)
    for node, row in list(kept.items()):
        # A general version is switched on by the tenant itself, and not by the end of its own version.
        if node not in starts or (starts[node].definition.is_general and not row.definition.is_general):
            kept.pop(node).delete()
    for node, drawn in starts.items():
        found = kept.get(node)
        if found is None and not drawn.definition.is_general:
            found = Schedule(tenant_id=current_tenant())
        if found is not None:
            found.person_id = person_id or found.person_id
            follow(found, drawn)
            found.save()


def _settle_templates(key: str) -> None:
    taken = library.taken(library.GENERAL).filter(key=key).defer("xml", "whole", "forms").first()
    kept = {row.node: row for row in Schedule.objects.filter(tenant_id=PLATFORM, is_general=True, key=key)}
    for node, drawn in starts_of(taken).items():
        row = kept.pop(node, None) or Schedule(tenant_id=PLATFORM, is_general=True, is_on=False, due_time=None)
        follow(row, drawn)
        row.save()
    Schedule.objects.filter(pk__in=[row.pk for row in kept.values()]).delete()


def starts_of(definition: Definition | None) -> Mapping[str, Schedule]:
    """Return by start event what a definition says of its starts by time; a record's process has none."""
    if definition is None or definition.business_type:
        return {}
    starts = definition.meta.get("timed_starts", {})
    return {
        node: Schedule(definition=definition, key=definition.key, node=node, **said) for node, said in starts.items()
    }


_DRAWN = ("definition", "key", "node", "name", "name_en", "starter")


def follow(row: Schedule, drawn: Schedule) -> None:
    """Let a schedule say what the start event of this version says; another time counts from now."""
    if (row.kind, row.text) != (drawn.kind, drawn.text):
        row.kind, row.text, row.begin_time, row.is_asleep = drawn.kind, drawn.text, clock.now(), True
        row.occurrence = None
    for column in _DRAWN:
        setattr(row, column, getattr(drawn, column))
    wake(row)


def wake(row: Schedule) -> None:
    """Let a schedule sleep or wait, as it is switched and as its definition stands; when it wakes, it looks ahead.

    What went by in its sleep is counted and not made up for.
    """
    sleeps = not (row.is_on and row.definition.is_active)
    if row.is_asleep and not sleeps:
        now = clock.now()
        row.missed = missed(row, now) if row.occurrence else 0
        plan(row, now)
    row.is_asleep = sleeps


def plan(row: Schedule, now: datetime) -> None:
    """Let the next occurrence after this moment be due; what has failed before counts no longer."""
    row.occurrence = row.due_time = next_of(row, now)
    row.attempts, row.last_error = 0, ""


def next_of(row: Schedule, after: datetime) -> datetime | None:
    """Return the first occurrence of a schedule after a moment, in the tenant's time zone."""
    return engine.occurrence(row.kind, row.text, timezone.localtime(after), row.begin_time)


def following(row: Schedule, number: int) -> list[datetime]:
    """Return the next occurrences of a schedule, `number` at most; those of one that sleeps as if it were woken now."""
    return ahead(row.kind, row.text, row.begin_time, row.occurrence if not row.is_asleep else None, number)


def ahead(kind: str, text: str, begun: datetime, first: datetime | None, number: int) -> list[datetime]:
    """Return the next occurrences of a time, from the `first` one on, else from now on."""
    found = [timezone.localtime(first)] if first else []
    after: datetime | None = found[-1] if found else timezone.localtime(clock.now())
    while after is not None and len(found) < number:
        after = engine.occurrence(kind, text, after, begun)
        found += [after] if after is not None else []
    return found


def missed(row: Schedule, until: datetime) -> int:
    """Return how many occurrences from the one that is next have gone by until a moment."""
    number, at = 0, row.occurrence
    while at is not None and at <= until and number < MOST_MISSED:
        number, at = number + 1, next_of(row, at)
    return number


def started(row: Schedule, instance_id: int, *, by_hand: bool = False) -> None:
    """Note that a locked schedule has started a process; by time, the next occurrence is due then."""
    now = max(clock.now(), row.occurrence or clock.now())
    row.last_result, row.last_time, row.last_instance_id = StartResult.STARTED, clock.now(), instance_id
    row.last_reason = row.last_reason_en = ""
    if not by_hand:
        row.missed = max(0, missed(row, now) - 1)
        plan(row, now)
    row.save()


def failed(row: Schedule, reason: tuple[str, str]) -> None:
    """Note that a locked schedule could not start a process, and why; the next occurrence is due then."""
    row.last_result, row.last_time, row.last_instance_id = StartResult.FAILED, clock.now(), None
    row.last_reason, row.last_reason_en = (text[:500] for text in reason)
    plan(row, max(clock.now(), row.occurrence or clock.now()))
    row.save()
