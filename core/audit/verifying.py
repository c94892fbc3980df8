"""Checks of the seals: every tenant's once a day and whenever somebody asks, in parts that tenants take turns at.

A part reads in no transaction that others wait for, and stores what it has found and its place in a short one; a check
whose worker was killed goes on where the last part ended.
"""

from __future__ import annotations

import logging
import time
from datetime import UTC, datetime, timedelta
from math import inf

from django.db import transaction
from django.db.models import Q

from core import ports
from core.access.people import everybody_with_code
from core.audit import seals
from core.audit.models import OPEN_STATES, CheckState, Event, SealCheck, SealTurn
from core.audit.seals import BrokenSeal, Heads, Place
from core.identity.models import Tenant
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.operation import operation
from core.kernel.tenancy import current_tenant, tenant_scope
from core.scheduling import leases, turns
from core.scheduling.waking import wake_worker

SEALS = turns.Queue("seals", SealTurn, "audit.verify", budget="events", round=1)
BUSINESS = "sealcheck"
VIEW, START = f"{BUSINESS}_view", f"{BUSINESS}_start"
"""Permission codes: to see the checks, and to be told of what they find; to start one."""
EVERY = timedelta(days=1)
FIRST = timedelta(minutes=10)
"""When a tenant's first check begins: by then its first events are sealed."""
APART = timedelta(seconds=2)
"""Between the first checks of two tenants, so that those of an installation do not all fall due together."""
LEASE = timedelta(seconds=120)
"""How long a part may take before somebody else takes it."""
MOST_AT_ONCE = 10
"""Parts that one sweep does."""
MOST_TRIES = 5
KEPT = timedelta(days=400)
"""How long a check that found nothing is kept."""
MOST_KEPT = 20
"""Faults of which a check keeps the place; it counts all."""
MOST_TOLD = 500
_POLL_SECONDS = 0.2
log = logging.getLogger("xunwei.audit")


def plan() -> None:
    """Give a place in the queue to every tenant that has none."""
    new = Tenant._base_manager.exclude(tenant_id__in=SealTurn.objects.values("tenant_id")).order_by("tenant_id")
    now = datetime.now(UTC)
    SealTurn.objects.bulk_create(
        (
            SealTurn(tenant_id=tenant_id, due_time=now + FIRST + place * APART)
            for place, tenant_id in enumerate(new.values_list("tenant_id", flat=True))
        ),
        ignore_conflicts=True,
    )


def sweep(seconds: float = inf) -> int:
    """Do parts of the checks that are due, the tenants in turns; return their number."""
    plan()
    # On a machine one worker at a time, so that messages and timers never wait for checks.
    with leases.alone("seals") as is_alone:
        return turns.go_round(SEALS, _take_one, MOST_AT_ONCE, seconds=seconds) if is_alone else 0


def _take_one(tenant_id: str) -> turns.Taken | None:
    turn = leases.claim(SEALS, tenant_id, LEASE)
    if turn is None:
        return None
    try:
        if turn.attempts > MOST_TRIES:
            _give_up(turn)
        else:
            _go_on(turn)
    except leases.Lost:
        log.info("the check of tenant %s was taken by another worker", tenant_id)
    except Exception as error:  # the worker loop: one bad check must not stop the others
        log.exception("a part of the check of tenant %s failed", tenant_id)
        leases.put_off(turn, error)
    return turns.Taken(is_done=True)


@operation(f"{BUSINESS}.start", code=START)
def start(actor: Actor) -> dict[str, str]:
    """Let the check of the tenant in scope begin now; answer its id, or that of the one that is open already."""
    SealTurn.objects.get_or_create(tenant_id=current_tenant())
    turn = SealTurn.objects.select_for_update().get(tenant_id=current_tenant())
    entry = current_entry()
    if turn.check_id is not None:
        entry.nothing_happened = True
        return {"id": str(turn.check_id)}
    check = _new(user_id=actor.user_id, user_name=actor.name)
    turn.check_id, turn.due_time, turn.attempts = check.pk, datetime.now(UTC), 0
    turn.save(update_fields=["check_id", "due_time", "attempts"])
    entry.business_type, entry.business_id = BUSINESS, check.pk
    wake_worker(SEALS.job)
    return {"id": str(check.pk)}


def next_time() -> datetime | None:
    """Return when the next check of the tenant in scope begins by itself; None before it has its place."""
    found = SealTurn.objects.filter(tenant_id=current_tenant()).values_list("due_time", flat=True)
    return found.first()


def check_now(tenant_id: str, heads: Heads | None = None) -> SealCheck:
    """Check all seals of a tenant here and now, and return the stored result.

    What the worker has open is ended first. `heads` are held against the chain in place of the copy in DATA_DIR.
    """
    plan()
    while (turn := _hold(tenant_id)) is None or turn.check_id is not None:
        if turn is None:
            time.sleep(_POLL_SECONDS)
        else:
            _go_on(turn)
    while (check := _go_on(turn, heads, is_held=True)).state in OPEN_STATES:
        pass
    return check


def _hold(tenant_id: str) -> SealTurn | None:
    """Take the tenant's place in the queue, due or not; None where somebody is at work on the check that is open."""
    now = datetime.now(UTC)
    turn = SealTurn.objects.get(tenant_id=tenant_id)
    free = SealTurn.objects.filter(Q(check_id=None) | Q(due_time__lte=now), pk=turn.pk, due_time=turn.due_time)
    if not free.update(due_time=now + LEASE):
        return None
    turn.due_time = now + LEASE
    return turn


def _new(**columns: object) -> SealCheck:
    check = SealCheck(target=seals.newest_number(), begin_time=datetime.now(UTC), **columns)
    check.save(force_insert=True)
    return check


def _go_on(turn: SealTurn, heads: Heads | None = None, *, is_held: bool = False) -> SealCheck:
    """Do the next part of a tenant's check, or of a new one; `is_held` keeps it from other workers afterwards."""
    if turn.check_id is None:
        with tenant_scope(turn.tenant_id), transaction.atomic():
            leases.move(turn, datetime.now(UTC) + LEASE, check_id=_new().pk)
    with tenant_scope(turn.tenant_id):
        return _do_part(turn, SealCheck.objects.get(pk=turn.check_id), heads, is_held)


def _do_part(turn: SealTurn, check: SealCheck, heads: Heads | None, is_held: bool) -> SealCheck:
    place = Place(check.number, check.hash, check.seal_to_id, check.to_id)
    part = seals.look(place, check.target)
    if part is None:
        _note(check, seals.at_the_end(place, check.target, heads))
        check.unsealed = Event.objects.filter(pk__gt=check.to_id).count()
        _end(turn, check, CheckState.BROKEN if check.fault_count else CheckState.INTACT)
        return check
    check.state, check.from_id = CheckState.RUNNING, check.from_id or part.from_id
    check.number, check.hash, check.seal_to_id = part.place.number, part.place.hash, part.place.seal_to_id
    check.to_id, check.seals, check.rows = part.place.read_id, check.seals + part.seals, check.rows + part.rows
    _note(check, part.faults)
    now = datetime.now(UTC)
    with transaction.atomic():
        leases.move(turn, now + LEASE if is_held else now)
        check.save()
    return check


def _note(check: SealCheck, faults: list[BrokenSeal]) -> None:
    check.fault_count += len(faults)
    check.faults += [fault.kept() for fault in faults[: MOST_KEPT - len(check.faults)]]


def _give_up(turn: SealTurn) -> None:
    log.error("the check of tenant %s failed %d times; the next one begins tomorrow", turn.tenant_id, MOST_TRIES)
    with tenant_scope(turn.tenant_id):
        check = SealCheck.objects.filter(pk=turn.check_id).first() or _new()
        _end(turn, check, CheckState.BROKEN if check.fault_count else CheckState.FAILED)


def _end(turn: SealTurn, check: SealCheck, state: CheckState) -> None:
    """End a check; the next one begins a day after this one. A finding that the one before had not is told."""
    now = datetime.now(UTC)
    check.state, check.end_time = state, now
    with transaction.atomic():
        leases.move(turn, max(check.begin_time + EVERY, now), check_id=None)
        if fault := _untold(check):
            _tell(check, fault)
        check.save()
    for kept in check.faults:
        log.error("the audit of tenant %s, %s", turn.tenant_id, BrokenSeal.of(kept))


def _untold(check: SealCheck) -> BrokenSeal | None:
    """Return the first finding that the last check before this one did not have; None where there is none."""
    earlier = SealCheck.objects.filter(state__in=(CheckState.INTACT, CheckState.BROKEN)).exclude(pk=check.pk)
    before = earlier.order_by("-end_time", "-id").first() or SealCheck()
    known = [(fault["number"], fault["kind"]) for fault in before.faults]
    new = [fault for fault in check.faults if (fault["number"], fault["kind"]) not in known]
    # More than are kept are told by their number alone.
    if not new and check.fault_count > max(before.fault_count, MOST_KEPT):
        new = check.faults
    return BrokenSeal.of(new[0]) if new else None


def _tell(check: SealCheck, fault: BrokenSeal) -> None:
    """Tell everybody who may see the checks, in both languages."""
    zh, en = fault.words()
    ports.messages.send(
        everybody_with_code(VIEW)[:MOST_TOLD],
        ("审计日志与固化时不一致", "The audit log is not what was sealed"),
        (
            f"完整性校验发现{check.fault_count}处不一致。批次{fault.number}：{zh}。",
            f"The integrity check has found differences: {check.fault_count}. Batch {fault.number}: {en}.",
        ),
        BUSINESS,
        check.pk,
    )


def prune() -> None:
    """Delete the checks of the tenant in scope that found nothing and ended long ago."""
    until = datetime.now(UTC) - KEPT
    SealCheck.objects.exclude(state__in=(*OPEN_STATES, CheckState.BROKEN)).filter(end_time__lt=until).delete()
