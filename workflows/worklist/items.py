"""Keeping the work items of an instance in step with what its engine waits for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Count

from core.kernel import clock, ports, writes
from core.kernel.compiled import Compiled
from core.kernel.ports import Completion, OpenItem
from core.kernel.texts import choose
from workflows import engine
from workflows.deployments import library
from workflows.instances.models import UNBOUND, ProcessInstance
from workflows.worklist import pools
from workflows.worklist.models import ItemState, WorkItem

FALLBACK = ["role:tenant_admin"]
"""Who gets a step that nobody else would get; the reason is visible as the candidate's name."""


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
    return [_item(instance, task, specification.nodes[task.node], names) for task in tasks]


def _item(instance: ProcessInstance, task: engine.OpenTask, node: engine.Node, names: Mapping[str, Any]) -> WorkItem:
    definition = library.definition(instance.definition_id)
    assignee = str(engine.evaluate(node.extensions.get("assignee", ""), names) or "")
    rules = [str(engine.evaluate(rule, names) or "") for rule in node.extensions.get("candidates", "").split()]
    if instance.business_type == UNBOUND:
        holder, keys = _people(instance, assignee, [*rules, *_vendor_rules(node, names)])
    else:
        holder = int(assignee) if _PERSON.fullmatch(assignee) else None
        keys = [] if holder else ports.people.candidate_keys(rules) or ports.people.candidate_keys(FALLBACK)
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
        round=_next_round(instance, node.id),
        assignee_id=holder,
        candidate_keys=keys,
        pool=pools.pool_of(keys),
    )


def _vendor_rules(node: engine.Node, names: Mapping[str, Any]) -> list[str]:
    """People whom another engine's model names, as rules of ours."""
    found = []
    for attribute, kind in (("candidateUsers", "user"), ("candidateGroups", "role")):
        listed = str(engine.evaluate(node.extensions.get(attribute, ""), names) or "")
        found += [f"{kind}:{word.strip()}" for word in listed.split(",") if word.strip()]
    return found


_PERSON = re.compile(r"[0-9]{1,18}")
_OF_MANY = re.compile(r"role:[A-Za-z0-9_-]{1,40}(@[0-9]{1,19})?|team:[0-9]{1,19}")


def _people(instance: ProcessInstance, assignee: str, rules: list[str]) -> tuple[int | None, list[str]]:
    """Who holds a step or may take it, by a tenant's own drawing: names that nobody bears must not hide it.

    Where nobody is found it is offered to the head of the starter's department, then to who administers the company.
    """
    named = {rule.removeprefix("user:") for rule in rules if rule.startswith("user:")}
    people = ports.people.active({word for word in {assignee, *named} if 0 < len(word) <= 60})
    if assignee in people:
        return people[assignee], []
    keys = ports.people.candidate_keys([rule for rule in rules if _OF_MANY.fullmatch(rule)])
    keys += [f"user:{people[word]}" for word in sorted(named) if word in people]
    if not keys and (head := ports.people.head_of(instance.starter_id)) is not None:
        return None, [f"user:{head}"]
    return None, keys or ports.people.candidate_keys(FALLBACK)


def _next_round(instance: ProcessInstance, node: str) -> int:
    """Counted on the instance, so that a long history costs nothing."""
    if instance.rounds is None:
        counted = WorkItem.objects.filter(instance=instance).order_by().values_list("node")
        instance.rounds = dict(counted.annotate(Count("id")))
    instance.rounds[node] = instance.rounds.get(node, 0) + 1
    return int(instance.rounds[node])


def offer(new: list[WorkItem], left: int | None = None) -> None:
    """Store new items and whom they are offered to; `left` is the queue of the item that was done for them."""
    writes.insert(new)
    pools.open_to(new)
    pools.moved(left=[left], entered=[pools.queue_of(item) for item in new])


OPEN_COLUMNS = (
    "pk", "instance_id", "node", "node_name", "node_name_en", "round", "assignee_id", "candidate_keys", "create_time",
)  # fmt: skip
"""What `as_open` is made of: lists read no more of an item."""


def as_open(columns: Iterable[Any]) -> OpenItem:
    """The item of these columns as the business applications see it."""
    pk, instance_id, node, zh, en, round_, assignee_id, candidates, create_time = columns
    return OpenItem(pk, instance_id, node, choose(zh, en), round_, assignee_id, tuple(candidates), create_time)


def open_item(item: WorkItem) -> OpenItem:
    """The item as the business applications see it."""
    return as_open(getattr(item, name) for name in OPEN_COLUMNS)
