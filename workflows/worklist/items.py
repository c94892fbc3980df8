"""Keeping the work items of an instance in step with what its engine waits for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Count

from core.kernel import clock, writes
from core.kernel.compiled import Compiled
from core.kernel.ports import Completion, OpenItem
from core.kernel.texts import choose
from workflows import engine
from workflows.deployments import library
from workflows.instances import parking
from workflows.instances.models import UNBOUND, ProcessInstance
from workflows.worklist import people, pools
from workflows.worklist.models import ItemState, WorkItem

_WAITING = Compiled(
    lambda instance_id: (
        WorkItem.objects.select_for_update().filter(instance=instance_id, state=ItemState.OPEN).order_by("id")
    )
)


def waiting(instance_id: int) -> list[WorkItem]:
    """The instance's open items, the oldest first, locked for this transaction."""
    return _WAITING.rows(instance_id)


def close(item: WorkItem, said: Completion, answer: Any) -> None:
    """Mark an item as done by the person, with what a repeated request is answered."""
    item.state, item.end_time, item.pool = ItemState.DONE, clock.now(), None
    item.completed_by, item.completed_by_name = said.actor.user_id, said.actor.name
    item.assignee_id = item.assignee_id or said.actor.user_id
    item.outcome, item.comment = said.outcome, said.comment[:500]
    item.record_version, item.digest, item.answer = said.record_version, said.digest, answer
    writes.update(item, *_CLOSING)


_CLOSING = [
    "state", "end_time", "pool", "completed_by", "completed_by_name", "assignee_id", "outcome", "comment",
    "record_version", "digest", "answer",
]  # fmt: skip


def drop(were_open: list[WorkItem], open_tasks: Iterable[engine.OpenTask]) -> list[WorkItem]:
    """Items for which the engine waits no longer are over, whoever ended them: nobody is offered them. The others."""
    waits = {task.task for task in open_tasks}
    over = [item for item in were_open if item.engine_task not in waits]
    dropped = [item for item in over if item.state == ItemState.OPEN]
    if dropped:
        rows = WorkItem.objects.filter(pk__in=[item.pk for item in dropped])
        rows.update(state=ItemState.DROPPED, end_time=clock.now(), pool=None)
        pools.moved(left=[pools.queue_of(item) for item in dropped])
    return [item for item in were_open if item.engine_task in waits]


def new_tasks(were_open: list[WorkItem], open_tasks: Iterable[engine.OpenTask]) -> list[engine.OpenTask]:
    """The engine's open tasks that have no item yet."""
    known = {item.engine_task for item in were_open}
    return [task for task in open_tasks if task.task not in known]


def made(
    instance: ProcessInstance,
    tasks: Iterable[engine.OpenTask],
    specification: engine.Specification,
    names: Mapping[str, Any],
) -> list[WorkItem]:
    """Items for these tasks, each held by its assignee or meant for its candidates; counts their rounds."""
    known = list(tasks)
    is_bound = instance.business_type != UNBOUND
    said = [people.named(specification.nodes[one.node], {**names, **one.names}, is_bound=is_bound) for one in known]
    offered = people.offers(said, instance.starter_id, is_bound=is_bound)
    return [
        _item(instance, task, specification.nodes[task.node], who) for task, who in zip(known, offered, strict=True)
    ]


def _item(instance: ProcessInstance, task: engine.OpenTask, node: engine.Node, offered: people.Offer) -> WorkItem:
    definition = library.definition(instance.definition_id)
    return WorkItem(
        instance=instance,
        definition_id=instance.definition_id,
        category=definition.category,
        business_type=instance.business_type,
        business_id=instance.business_id,
        business_no=instance.business_no,
        title=instance.title,
        starter_id=instance.starter_id,
        starter_name=instance.starter_name,
        engine_task=task.task,
        node=node.id,
        node_name=node.name[:80],
        node_name_en=node.name_en[:120],
        form_key=node.extensions.get("formKey", "")[:60],
        round=_next_round(instance, task),
        seat=task.place,
        assignee_id=offered.holder,
        candidate_keys=offered.keys,
        pool=pools.pool_of(offered.keys),
    )


def _next_round(instance: ProcessInstance, task: engine.OpenTask) -> int:
    """Counted on the instance, so that a long history costs nothing."""
    if instance.rounds is None:
        counted = WorkItem.objects.filter(instance=instance).order_by().values_list("node")
        instance.rounds = dict(counted.annotate(Count("id")))
    instance.rounds[task.counted] = instance.rounds.get(task.counted, 0) + 1
    return int(instance.rounds[task.counted])


def offer(new: list[WorkItem], left: int | None = None) -> None:
    """Store new items and whom they are offered to; `left` is the queue of the item that was done for them."""
    writes.insert(new)
    pools.open_to(new)
    pools.moved(left=[left], entered=[pools.queue_of(item) for item in new])


def is_delegator(user_id: int, business_type: str, business_id: int) -> bool:
    """Whether the person gets back a step that somebody else looks at meanwhile; one statement."""
    rows = WorkItem.objects.filter(business_type=business_type, business_id=business_id).exclude(delegators=[])
    return any(user_id in delegators for delegators in rows.values_list("delegators", flat=True))


OPEN_COLUMNS = (
    "pk", "instance_id", "node", "node_name", "node_name_en", "round", "assignee_id", "candidate_keys", "create_time",
)  # fmt: skip
"""What `as_open` is made of: lists read no more of an item."""
STILL_COLUMNS = (
    "instance__park_text", "instance__park_text_en", "definition__is_halted", "definition__name", "definition__name_en",
)  # fmt: skip
"""After those: why the process stands still. Whoever locked it has it from the driver."""


def as_open(columns: Iterable[Any]) -> OpenItem:
    """The item of these columns as the business applications see it."""
    pk, instance_id, node, zh, en, round_, assignee_id, candidates, create_time, *why = columns
    still = still_of(*why) if why else ("", "")
    return OpenItem(pk, instance_id, node, choose(zh, en), round_, assignee_id, tuple(candidates), create_time, *still)


def still_of(park_text: str, park_text_en: str, is_halted: bool, name: str, name_en: str) -> tuple[str, str]:
    """Of STILL_COLUMNS why the process is parked, and that it is suspended; both empty where it moves."""
    return choose(park_text, park_text_en), parking.halted(is_halted, choose(name, name_en))


def open_item(item: WorkItem) -> OpenItem:
    """The item as the business applications see it."""
    return as_open(getattr(item, name) for name in OPEN_COLUMNS)
