"""Who covers for whom: the tasks that name an absent person go to the cover for as long as the absence lasts.

Tasks of roles, teams and other candidate groups stay with the group.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core import ports
from core.desk import messages
from core.identity import tokens
from core.identity.authentication import actor_of
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.tenancy import current_tenant
from workflows.runtime.definitions import library
from workflows.runtime.rows import items, queues
from workflows.runtime.tables.instances.models import STANDALONE
from workflows.runtime.tables.worklist.models import Absence, WorkItem

_KEPT = "work.absences"


@dataclass(frozen=True)
class Away:
    """An absence as the work list reads it."""

    user_id: int
    cover_id: int
    begin: datetime
    end: datetime
    processes: frozenset[str]
    """Keys of the processes that it is about; empty for all."""

    def counts(self, process: str, now: datetime) -> bool:
        """Return whether it lasts now, and is about this process."""
        return self.begin <= now < self.end and (not self.processes or process in self.processes)


def known(actor: Actor) -> Sequence[Away]:
    """Return the absences of the company that are not over; one statement until somebody changes one.

    Somebody who may not work covers for nobody.
    """
    if _KEPT not in actor.kept:
        rows = Absence.objects.filter(end_time__gt=clock.now(), cover__is_enabled=True, cover__is_deleted=False)
        columns = rows.values_list("user_id", "cover_id", "start_time", "end_time", "processes")
        actor.kept[_KEPT] = [
            Away(user, cover, begin, end, frozenset(processes))
            for user, cover, begin, end, processes in columns.order_by("id")
        ]
    found: Sequence[Away] = actor.kept[_KEPT]
    return found


def changed() -> None:
    """Let everybody in the company read the absences again at the next request."""
    tokens.touch_tenant(current_tenant())


def cover_of(user_id: int, process: str, now: datetime, absences: Sequence[Away]) -> int | None:
    """Return who covers for the person in this process now: whoever is present at the end of the chain.

    None where the person is present, and where the chain comes back to somebody who is absent too. Of absences that
    overlap one from this process counts before one from all, and then the newest; they come in the order of their ids.
    """
    seen, person = {user_id}, user_id
    while True:
        away = [one for one in absences if one.user_id == person and one.counts(process, now)]
        if not away:
            return person if person != user_id else None
        person = max(reversed(away), key=lambda one: bool(one.processes)).cover_id
        if person in seen:
            return None
        seen.add(person)


def pass_on(actor: Actor, new: Sequence[WorkItem]) -> None:
    """Give stored new items of absent people to their covers, and tell these.

    Costs nothing where nobody is absent for whom an item is new.
    """
    if not any(item.assignee_id for item in new):
        return
    now, absences, received = clock.now(), known(actor), []
    for item in new if absences else ():
        if item.assignee_id is None:
            continue
        cover = cover_of(item.assignee_id, library.definition(item.definition_id).key, now, absences)
        if cover is not None and give(item, cover):
            received.append(item)
    tell(received)


def give(item: WorkItem, cover_id: int) -> bool:
    """Let the person cover for the assignee of a stored open item, who may be a cover too; return whether it was done.

    Nobody covers in a process that they started themselves, or in a step of a record that they may not take.
    """
    before, read_time = item.assignee_id, item.read_time
    if item.starter_id == cover_id or not (person := actor_of(cover_id, current_tenant())):
        return False
    # Whether somebody may take a step of a record is asked as of its assignee: holding it grants reading the record.
    item.assignee_id, stood_for, item.read_time = cover_id, item.in_place_of, None
    item.in_place_of = stood_for or before
    item.save(update_fields=["assignee_id", "in_place_of", "read_time"])
    if not _may_take(item, person):
        item.assignee_id, item.in_place_of, item.read_time = before, stood_for, read_time
        item.save(update_fields=["assignee_id", "in_place_of", "read_time"])
        return False
    queues.moved(left=[before], entered=[cover_id])
    return True


def give_back(item: WorkItem, user_id: int) -> None:
    """Give a stored open item back to the person for whom it was covered."""
    before, item.assignee_id, item.in_place_of, item.read_time = item.assignee_id, user_id, None, None
    item.save(update_fields=["assignee_id", "in_place_of", "read_time"])
    queues.moved(left=[before], entered=[user_id])


def _may_take(item: WorkItem, person: Actor) -> bool:
    """Return whether the person may take the step; what a record's own steps ask for, its commands say."""
    if item.business_type == STANDALONE:
        return True
    if library.definition(item.definition_id).meta["nodes"].get(item.node, {}).get("added"):
        return bool(ports.effects[item.business_type].sees(person, item.business_id))
    offered = ports.effects[item.business_type].offered(person, {item.business_id: [items.open_item(item)]})
    return bool(offered[item.pk])


def tell(received: Iterable[WorkItem]) -> None:
    """Tell covers for whom they got a task."""
    rows = list(received)
    names: Mapping[int, str] = ports.people.names({one.in_place_of for one in rows if one.in_place_of}) if rows else {}
    for item in rows:
        name, number = names.get(item.in_place_of or 0, ""), item.business_no or item.title
        messages.send(
            [item.assignee_id],
            (f"请代{name}办理：{number}", f"Please act for {name}: {number}"),
            (
                f"「{item.node_name}」：{item.title}",
                f"{item.node_name_en or item.node_name}: {item.title_en or item.title}",
            ),
            item.business_type,
            item.business_id,
        )
