"""What happens when an absence begins and ends: open tasks go to the cover, and untouched ones come back.

New tasks find the cover by the clock alone, see `rows.absences`. A message of the outbox is due at each of the two
moments; one that was sent for a moment which has been changed since does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import QuerySet

from core import ports
from core.desk import messages
from core.kernel import clock, outbox
from core.kernel.actor import Actor, system
from core.kernel.audit_entry import current_entry
from core.kernel.operation import SYSTEM, operation
from core.kernel.tenancy import current_tenant
from workflows.runtime.commands.shared import describe_change, find, locked
from workflows.runtime.definitions import library
from workflows.runtime.rows import absences
from workflows.runtime.tables.worklist.models import Absence, ItemState, WorkItem

BEGINS, ENDS = "absence.begins", "absence.ends"
"""Topics of the outbox: `absenceId`, and `time`, the moment that the message was sent for."""
BATCH = 50
"""Items that one message moves."""


def stored(absence: Absence) -> None:
    """Let an absence count that was made or changed in this transaction."""
    absences.changed()
    if absence.hands_over:
        _plan(BEGINS, absence, "start_time")
    _plan(ENDS, absence, "end_time")


def removed(absence: Absence) -> None:
    """Let an absence end that was removed in this transaction."""
    absences.changed()
    _plan(ENDS, absence, "end_time", at_once=True)


def _plan(topic: str, absence: Absence, column: str, *, at_once: bool = False) -> None:
    moment = getattr(absence, column)
    payload = {"absenceId": absence.pk, "time": moment.timestamp()}
    outbox.send(topic, payload, due=None if at_once else moment)


@outbox.handler(BEGINS)
def begin(message_id: int, payload: Mapping[str, Any]) -> None:
    """Pass what is open on to the cover, a batch a message."""
    absence = Absence.objects.filter(pk=payload["absenceId"], hands_over=True).first()
    if absence is None or absence.start_time.timestamp() != payload["time"]:
        return
    open_items = WorkItem.objects.filter(assignee_id=absence.user_id, state=ItemState.OPEN)
    _each(BEGINS, payload, open_items, absence, cover)


@outbox.handler(ENDS)
def end(message_id: int, payload: Mapping[str, Any]) -> None:
    """Give back what the cover has not done, a batch a message, and tell the person how much it is."""
    absence = Absence.with_removed.filter(pk=payload["absenceId"]).first()
    if absence is None or absence.end_time.timestamp() != payload["time"]:
        return
    covered = WorkItem.objects.filter(in_place_of=absence.user_id, state=ItemState.OPEN)
    returned = _each(ENDS, payload, covered, absence, uncover)
    if returned:
        messages.send(
            [absence.user_id],
            (f"请假代办已结束，{returned}项任务退回给您", f"Absence cover ended, tasks returned to you: {returned}"),
            ("代办期间未办理的任务由您继续办理", "What was not done meanwhile waits for you again"),
            "absence", absence.pk,
        )  # fmt: skip


def _each(
    topic: str, payload: Mapping[str, Any], rows: QuerySet[WorkItem], absence: Absence, run: Callable[..., int]
) -> int:
    """Run the operation on one batch of these items, and send a message for the rest; return how many were moved."""
    actor = system(current_tenant())
    # In this order too the instances are locked, so that two who do it do not wait for each other.
    found = rows.filter(pk__gt=payload.get("after", 0)).order_by("pk").values_list("pk", flat=True)
    ids = list(found[: BATCH + 1])
    moved = sum(run(actor, item_id, absence.user_id) for item_id in ids[:BATCH])
    if len(ids) > BATCH:
        outbox.send(topic, {**payload, "after": ids[BATCH - 1]})
    return moved


@operation("task.cover", code=SYSTEM)
def cover(actor: Actor, item_id: int, user_id: int) -> int:
    """Pass an open item of an absent person on to the cover; return how many were passed on."""
    _held, item = locked(find(item_id))
    key = library.definition(item.definition_id).key
    is_open = item.state == ItemState.OPEN and item.assignee_id == user_id
    to = absences.cover_of(user_id, key, clock.now(), absences.known(actor)) if is_open else None
    if to is None or not absences.give(item, to):
        current_entry().nothing_happened = True
        return 0
    describe_change(item, user_id, to)
    absences.tell([item])
    return 1


@operation("task.uncover", code=SYSTEM)
def uncover(actor: Actor, item_id: int, user_id: int) -> int:
    """Give an open item that was covered back to the person, unless the cover has delegated it or goes on."""
    _held, item = locked(find(item_id))
    key = library.definition(item.definition_id).key
    is_untouched = item.state == ItemState.OPEN and item.in_place_of == user_id and not item.delegators
    goes_on = absences.cover_of(user_id, key, clock.now(), absences.known(actor)) is not None
    if not is_untouched or goes_on or not ports.people.active({str(user_id)}):
        current_entry().nothing_happened = True
        return 0
    before = item.assignee_id
    absences.give_back(item, user_id)
    describe_change(item, before, user_id)
    return 1


def person_left(user_id: int) -> None:
    """End the absences of a person who left, and those that the person covers; who has no cover now is told."""
    rows = Absence.objects.filter(end_time__gt=clock.now()).select_for_update()
    own, covered = rows.filter(user=user_id), rows.filter(cover=user_id).exclude(user=user_id)
    told = []
    for absence in [*own, *covered]:
        absence.change({"end_time": max(clock.now(), absence.start_time)})
        stored(absence)
        told += [absence.user_id] if absence.user_id != user_id else []
    if told:
        name = ports.people.names({user_id})[user_id]
        messages.send(
            told,
            (f"代办人{name}已离职或停用，请假代办已结束", f"{name} has left: your absence cover has ended"),
            ("请另选代办人", "Please choose somebody else"),
            "absence", 0,
        )  # fmt: skip
