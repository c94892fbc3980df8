"""Keeping the work items of an instance in step with what its engine waits for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from core.kernel import clock, ports
from core.kernel.ports import Completion, OpenItem
from core.kernel.texts import choose
from workflows import engine
from workflows.deployments import library
from workflows.instances.models import ProcessInstance
from workflows.worklist.models import Candidate, ItemState, WorkItem

FALLBACK = ["role:tenant_admin"]
"""Who gets a step that nobody else would get; the reason is visible as the candidate's name."""


def close(item: WorkItem, said: Completion, answer: Any) -> None:
    """Mark an item as done by the person, with what a repeated request is answered."""
    item.state, item.end_time = ItemState.DONE, clock.now()
    item.completed_by, item.completed_by_name = said.actor.user_id, said.actor.name
    item.assignee_id = item.assignee_id or said.actor.user_id
    item.outcome, item.comment = said.outcome, said.comment[:500]
    item.record_version, item.digest, item.answer = said.record_version, said.digest, answer
    item.save()
    Candidate.objects.filter(item=item).delete()


def keep(
    instance: ProcessInstance,
    open_tasks: Iterable[engine.OpenTask],
    specification: engine.Specification,
    names: Mapping[str, Any],
) -> None:
    """Make the instance's open items be the engine's open tasks: drop what is over, offer what is new."""
    rows = {item.engine_task: item for item in WorkItem.objects.filter(instance=instance, state=ItemState.OPEN)}
    new = [task for task in open_tasks if rows.pop(task.task, None) is None]
    if rows:
        over = [item.pk for item in rows.values()]
        WorkItem.objects.filter(pk__in=over).update(state=ItemState.DROPPED, end_time=clock.now())
        Candidate.objects.filter(item_id__in=over).delete()
    for task in new:
        _offer(instance, task, specification.nodes[task.node], names)


def _offer(instance: ProcessInstance, task: engine.OpenTask, node: engine.Node, names: Mapping[str, Any]) -> None:
    """A new item, held by its assignee or offered to its candidates."""
    definition = library.definition(instance.definition_id)
    assignee = str(engine.evaluate(node.extensions.get("assignee", ""), names) or "")
    rules = [str(engine.evaluate(rule, names) or "") for rule in node.extensions.get("candidates", "").split()]
    keys = [] if assignee else ports.people.candidate_keys(rules) or ports.people.candidate_keys(FALLBACK)
    item = WorkItem.objects.create(
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
        node_name=node.name,
        node_name_en=node.name_en,
        form_key=node.extensions.get("formKey", ""),
        round=WorkItem.objects.filter(instance=instance, node=node.id).count() + 1,
        assignee_id=int(assignee) if assignee else None,
        candidate_keys=keys,
    )
    Candidate.objects.bulk_create(Candidate(item=item, key=key) for key in keys)


OPEN_COLUMNS = (
    "pk", "instance_id", "node", "node_name", "node_name_en", "round", "assignee_id", "candidate_keys", "create_time",
)  # fmt: skip
"""What `as_open` is made of: lists read no more of an item."""


def as_open(columns: Iterable[Any]) -> OpenItem:
    """The item of these columns as the business applications see it."""
    pk, instance_id, node, zh, en, round_, assignee_id, candidates, create_time = columns
    return OpenItem(pk, instance_id, node, choose(zh, en), round_, assignee_id, tuple(candidates), create_time)
