"""Implements core.ports.ProcessPort over instances and work items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from django.db.models import Q, QuerySet

from core import ports
from core.kernel.actor import Actor
from core.kernel.audit_entry import held
from core.ports import Completed, LockedProcess, OpenItem, Urging
from core.statements.compiled import Compiled
from workflows.runtime.commands import shared, starters
from workflows.runtime.definitions import assignment, following, library
from workflows.runtime.execution import driver
from workflows.runtime.rows import copies, items, queues
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.worklist.models import ItemState, PoolKey, WorkItem

_OPEN = Compiled(
    lambda business_type, ids: (
        WorkItem.objects.filter(business_type=business_type, business_id__in=ids, state=ItemState.OPEN)
        .order_by("id")
        .values_list("business_id", *items.OPEN_COLUMNS, *items.STILL_COLUMNS)
    )
)


def _type_of(record: Any) -> str:
    """Return the business type of a record: the name of its model in lower case."""
    return str(record._meta.model_name)


class Processes:
    """The processes of business records; `core.ports.ProcessPort` documents each method."""

    def start(self, model: str, record: Any, title: str, number: str, starter: Actor) -> None:
        """Start the record's process."""
        driver.start(model, record, title, number, starter)

    def lock(self, business_type: str, business_id: int) -> LockedProcess:
        """Lock the record's process."""
        return driver.lock(business_type, business_id)

    def open_items(self, business_type: str, business_ids: list[int]) -> Mapping[int, tuple[OpenItem, ...]]:
        """Return the open steps of each record; of one that this operation has locked, as they stand now."""
        locked = held()
        if all((business_type, pk) in locked for pk in business_ids):
            return {pk: locked[business_type, pk].open_items for pk in business_ids}
        found: dict[int, list[OpenItem]] = {}
        for record_id, *columns in _OPEN.rows(business_type, business_ids):
            found.setdefault(record_id, []).append(items.as_open(columns))
        return {record_id: tuple(steps) for record_id, steps in found.items()}

    def due_again(self, record: Any) -> None:
        """Compute the due times of the record's timers again."""
        driver.due_again(record, _type_of(record))

    @contextmanager
    def asked_again(self, record: Any) -> Iterator[None]:
        """Offer anew the open steps for which the changed record names others than before."""
        held = driver.lock(_type_of(record), record.pk)
        before = driver.named(held, record)
        yield
        after = driver.named(held, record)
        changed = [
            (item, said) for (item, said), (_item, earlier) in zip(after, before, strict=True) if said != earlier
        ]
        found = assignment.offers([said for _item, said in changed], held.instance.starter_id, is_bound=True)
        for (item, _said), offer in zip(changed, found, strict=True):
            holder = offer.sole_holder()
            shared.offer(item, offer.keys)
            if holder is not None:
                shared.give(item, holder, delegators=[])

    def completed(self, business_type: str, business_id: int, record_version: int) -> Completed | None:
        """Return who completed a work item on this version of the record, or None."""
        item = WorkItem.objects.filter(
            business_type=business_type, business_id=business_id, record_version=record_version, state=ItemState.DONE
        ).first()
        if item is None:
            return None
        return Completed(item.completed_by, item.completed_by_name, item.name, item.end_time, item.digest, item.answer)

    def takes_part(self, actor: Actor, business_type: str, business_id: int) -> bool:
        """Return whether a step waits for the person, was theirs, or was delegated by them, or they have a copy."""
        if any(item.is_for(actor) for item in self.open_items(business_type, [business_id]).get(business_id, ())):
            return True
        mine = Q(assignee_id=actor.user_id) | Q(completed_by=actor.user_id)
        rows = WorkItem.objects.filter(mine, business_type=business_type, business_id=business_id)
        if rows.exists() or items.is_delegator(actor.user_id, business_type, business_id):
            return True
        return copies.has(actor.user_id, business_type, business_id)

    def may_copy(self, actor: Actor, business_type: str, business_id: int) -> bool:
        """Return whether the person may send copies of the record's process."""
        return copies.may_send(actor, business_type, business_id)

    def parts_of(self, actor: Actor, business_type: str) -> QuerySet[Any]:
        """Return the ids of the records of which the same holds."""
        return self.parts_of_each([actor], business_type)[actor.user_id]

    def parts_of_each(self, actors: Sequence[Actor], business_type: str) -> Mapping[int, QuerySet[Any]]:
        """Return by person the ids of the records of which the same holds."""
        rows = WorkItem.objects.filter(business_type=business_type)
        delegated = items.delegated(rows)
        found: dict[int, QuerySet[Any]] = {}
        for actor in actors:
            handed = [pk for pk, delegators in delegated if actor.user_id in delegators]
            groups = PoolKey.objects.filter(key__in=sorted(ports.keys_of(actor))).values("pool")
            mine = Q(assignee_id=actor.user_id) | Q(completed_by=actor.user_id) | Q(pk__in=handed)
            steps = rows.filter(mine | Q(state=ItemState.OPEN, pool__in=groups)).values("business_id")
            found[actor.user_id] = steps.union(copies.records_of(actor.user_id, business_type))
        return found

    def waiting_of_each(self, actors: Sequence[Actor]) -> Mapping[int, tuple[int, int]]:
        """Return by person how many tasks they hold, and how many they may claim."""
        return queues.waiting_of_each(actors)

    def parts_among(self, actors: Sequence[Actor], business_type: str, business_id: int) -> set[int]:
        """Return those of these people of whom the same holds for one record."""
        rows = WorkItem.objects.filter(business_type=business_type, business_id=business_id)
        parts: set[int | None] = set()
        keys: set[str] = set()
        for state, assignee, completed_by, delegators, candidates in rows.values_list(
            "state", "assignee_id", "completed_by", "delegators", "candidate_keys"
        ):
            parts.update((assignee, completed_by, *delegators))
            if state == ItemState.OPEN and assignee is None:
                keys.update(candidates)
        parts |= copies.receivers(business_type, business_id)
        return {one.user_id for one in actors if one.user_id in parts or not keys.isdisjoint(ports.keys_of(one))}

    def urging(self, actor: Actor, business_type: str, business_id: int) -> Urging | None:
        """Return what `starters.urge` allows the person now."""
        return starters.urging(actor, business_type, business_id)

    def instance_of(self, business_type: str, business_id: int) -> tuple[int, int] | None:
        """Return the ids of the record's process instance, ended or not, and of its definition; None without one."""
        return (
            ProcessInstance.objects.filter(business_type=business_type, business_id=business_id)
            .values_list("pk", "definition_id")
            .first()
        )

    def next_of_own_model(self, definition_id: int, node: str) -> str | None:
        """Return the names of the steps that may come next, None for a shipped model."""
        return None if library.definition(definition_id).is_general else following.told(definition_id, node)
