"""The work items of an instance: creating, closing and dropping them as its engine reports its open tasks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet

from core import ports
from core.kernel import clock
from core.kernel.actor import SYSTEM_NAME, SYSTEM_USER_ID
from core.kernel.texts import choose
from core.ports import Completion, OpenItem, Summary
from core.statements import writes
from core.statements.compiled import Compiled
from workflows import engine
from workflows.runtime.definitions import assignment, library, policies
from workflows.runtime.rows import deadlines, queues, suspension
from workflows.runtime.tables.instances.models import STANDALONE, ProcessInstance
from workflows.runtime.tables.worklist.models import NO_PRIORITY, NOT_OVER, HandedOn, ItemState, Reason, WorkItem

SENT_BACK = "task.sendBack"
"""Outcome of an item that was sent back; no model's, whose step did not end so."""

TAKEN_BACK = ""
"""Engine task of an item whose completion was taken back: its task waits in another item."""

SHOWN = ["priority", "subject", "subject_en", "due_time", "title", "title_en"]
"""What `describe` gives an item."""

_NOT_OVER = Compiled(
    lambda instance_id: (
        WorkItem.objects.select_for_update().filter(instance=instance_id, state__in=NOT_OVER).order_by("id")
    ),
    # What a step looks at in every item, though it may have 500 and change one: see `drop`, `describe` and `deadlines`.
    first=("id", "engine_task", "node", "state", "late_time", *SHOWN),
)


def not_over(instance_id: int) -> list[WorkItem]:
    """Return the items of the instance that are open or wait for signers, the oldest first, and lock them."""
    return _NOT_OVER.rows(instance_id)


def close(item: WorkItem, completion: Completion, answer: Any, now: datetime) -> None:
    """Mark an item as completed by the person, with the answer for a repeated request.

    No item that comes of it may be older than `now`.
    """
    item.state, item.end_time, item.pool = ItemState.DONE, now, None
    item.completed_by, item.completed_by_name = completion.actor.user_id, completion.actor.name
    item.assignee_id = item.assignee_id or completion.actor.user_id
    item.outcome, item.comment = completion.outcome, completion.comment[:500]
    item.record_version, item.digest, item.answer = completion.record_version, completion.digest, answer
    writes.update(item, *_CLOSING)


_CLOSING = [
    "state", "end_time", "pool", "completed_by", "completed_by_name", "assignee_id", "outcome", "comment",
    "record_version", "digest", "answer",
]  # fmt: skip


def drop(
    were_open: list[WorkItem],
    open_tasks: Iterable[engine.OpenTask],
    decided: Mapping[str, str] = MappingProxyType({}),
) -> list[WorkItem]:
    """Drop the items for which the engine no longer waits, and return the others.

    `decided` has the outcomes of multi-instance activities that were left, by node: their items keep it, so that
    whoever comes late is told what was decided.
    """
    waits = {task.task for task in open_tasks}
    over = [item for item in were_open if item.engine_task not in waits]
    dropped = [item for item in over if item.state in NOT_OVER]
    outcomes = {item.pk: decided.get(item.node, "") if item.activity else "" for item in dropped}
    for outcome in dict.fromkeys(outcomes.values()):
        rows = WorkItem.objects.filter(pk__in=[pk for pk, said in outcomes.items() if said == outcome])
        rows.update(state=ItemState.DROPPED, end_time=clock.now(), pool=None, outcome=outcome)
    queues.moved(left=[queues.queue_of(item) for item in dropped if item.state == ItemState.OPEN])
    return [item for item in were_open if item.engine_task in waits]


def new_tasks(were_open: list[WorkItem], open_tasks: Iterable[engine.OpenTask]) -> list[engine.OpenTask]:
    """Return the engine's open tasks that have no item yet."""
    known = {item.engine_task for item in were_open}
    return [task for task in open_tasks if task.task not in known]


def made(
    instance: ProcessInstance,
    tasks: Iterable[engine.OpenTask],
    specification: engine.Specification,
    names: Mapping[str, Any],
) -> tuple[list[WorkItem], list[engine.Failure]]:
    """Return unsaved items for these tasks, with their assignee or candidates, and count their rounds.

    A task whose people cannot be evaluated has no item but a fault; the next step makes its item.
    """
    is_bound = instance.business_type != STANDALONE
    meta = library.definition(instance.definition_id).meta
    known: list[tuple[engine.OpenTask, assignment.Named]] = []
    faults = []
    for task in tasks:
        node, instead = specification.nodes[task.node], policies.of(specification, meta, task.node).nobody
        try:
            said = (
                assignment.Named(str(task.note["person"]), ())
                if task.note
                else assignment.named(node, {**names, **task.names}, is_bound=is_bound, instead=instead)
            )
            known.append((task, said))
        except engine.ExpressionError as error:
            faults.append(engine.Failure(node.id, error.code, error.text_zh, error.text_en))
    offered = assignment.offers([said for _task, said in known], instance.starter_id, is_bound=is_bound)
    sent_to = {task.holder for task, _said in known if task.holder}
    active = ports.people.active(sent_to) if sent_to else {}
    made = [
        _item(instance, task, specification.nodes[task.node], who, active.get(task.holder))
        for (task, _said), who in zip(known, offered, strict=True)
    ]
    return made, faults


def _item(
    instance: ProcessInstance, task: engine.OpenTask, node: engine.Node, offered: assignment.Offer, sent_to: int | None
) -> WorkItem:
    definition, holder = library.definition(instance.definition_id), sent_to or offered.sole_holder()
    return WorkItem(
        instance=instance,
        definition_id=instance.definition_id,
        category=definition.category,
        business_type=instance.business_type,
        business_id=instance.business_id,
        business_no=instance.business_no,
        title=instance.title,
        title_en=instance.title_en,
        starter_id=instance.starter_id,
        starter_name=instance.starter_name,
        engine_task=task.task,
        node=node.id,
        node_name=node.name[:80],
        node_name_en=node.name_en[:120],
        form_key=node.extensions.get("formKey", "")[:60],
        round=_next_round(instance, task),
        seat=task.loop_instance,
        activity=task.activity,
        added_to=task.note.get("to"),
        added_by=task.note.get("by"),
        assignee_id=holder,
        candidate_keys=offered.keys,
        pool=None if holder else queues.pool_of(offered.keys),
        reason=_INSTEAD.get(offered.instead, ""),
    )


_INSTEAD = {
    assignment.Fallback.HEAD: Reason.NOBODY_HEAD,
    assignment.Fallback.ADMINISTRATORS: Reason.NOBODY_ADMINISTRATORS,
    assignment.Fallback.PERSON: Reason.NOBODY_PERSON,
    assignment.Fallback.STARTERS_HEAD: Reason.STARTER_HEAD,
}


def name_instead(item: WorkItem, user_id: int, reason: Reason) -> None:
    """Assign an unsaved item to another person than its rules say."""
    item.assignee_id, item.candidate_keys, item.pool, item.reason = user_id, [f"user:{user_id}"], None, reason


def decide(item: WorkItem, outcome: str, reason: Reason, for_user: int | None) -> None:
    """Mark an unsaved item as completed by the system for the person who would have been asked; None for nobody."""
    item.state, item.end_time, item.pool, item.outcome, item.reason = ItemState.DONE, clock.now(), None, outcome, reason
    item.completed_by, item.completed_by_name = SYSTEM_USER_ID, SYSTEM_NAME
    item.assignee_id = for_user
    if for_user is None:
        item.candidate_keys = []


def _next_round(instance: ProcessInstance, task: engine.OpenTask) -> int:
    """Return the number of this round; it is counted on the instance, whose history may be long."""
    if instance.rounds is None:
        counted = WorkItem.objects.filter(instance=instance, signs="").order_by().values_list("node")
        instance.rounds = dict(counted.annotate(Count("id")))
    came = instance.rounds.get(task.counted, 0)
    if task.is_visit:
        # The step was passed outside of the loop instance from which the token comes, or in another one.
        came = max((n for key, n in instance.rounds.items() if key.partition("/")[0] == task.node), default=0)
    # One that was added is of the round of those beside it.
    instance.rounds[task.counted] = max(came + 1, task.note.get("round", 0))
    return int(instance.rounds[task.counted])


def reopened(instance: ProcessInstance, item: WorkItem, task: engine.OpenTask, holder: int | None) -> WorkItem:
    """Return an unsaved item in which the completed one waits again as it did before, in a round of its own."""
    again = WorkItem(**{name: getattr(item, name) for name in _AGAIN}, assignee_id=holder, engine_task=task.task)
    again.round = _next_round(instance, task)
    again.pool = None if holder else queues.pool_of(item.candidate_keys)
    return again


_AGAIN = (
    "instance", "definition_id", "category", "business_type", "business_id", "business_no", "title", "title_en",
    "priority", "subject", "subject_en", "starter_id", "starter_name", "node", "node_name", "node_name_en", "form_key",
    "seat", "activity", "added_to", "added_by", "signs", "signers", "candidate_keys", "delegators", "due_time",
    "late_time", "claim_time",
)  # fmt: skip


def take_out(item: WorkItem, again: WorkItem, decided: Iterable[int]) -> None:
    """Leave the completed item, and what the system decided behind it, to the history alone: the other one, which is
    stored, stands in its place among the signers."""
    WorkItem.objects.filter(pk__in=[item.pk, *decided]).update(engine_task=TAKEN_BACK)
    if item.signs or item.signers:
        children = WorkItem.objects.filter(instance=item.instance_id, engine_task=again.engine_task, added_to=item.pk)
        children.update(added_to=again.pk)


def restore(dropped: Iterable[int], waiting: Collection[int], tasks: Iterable[engine.OpenTask]) -> list[WorkItem]:
    """Let the dropped items for which the engine waits again be as they were, and return them.

    `waiting` are those of them that waited for signers.
    """
    waits = {task.task for task in tasks}
    rows = WorkItem.objects.filter(pk__in=list(dropped), state=ItemState.DROPPED, engine_task__in=waits).order_by("id")
    found = list(rows)
    for item in found:
        item.state = ItemState.WAITING if item.pk in waiting else ItemState.OPEN
        item.end_time, item.outcome = None, ""
        is_pooled = item.state == ItemState.OPEN and not item.assignee_id
        item.pool = queues.pool_of(item.candidate_keys) if is_pooled else None
    WorkItem.objects.bulk_update(found, ["state", "end_time", "outcome", "pool"])
    queues.moved(entered=[queues.queue_of(item) for item in found if item.state == ItemState.OPEN])
    return found


def sent_back(instance_id: int) -> set[str]:
    """Return the steps of an instance that were sent back when they were closed last, and do not wait now."""
    rows = WorkItem.objects.filter(instance=instance_id).exclude(state=ItemState.DROPPED).order_by()
    last = rows.values("node").annotate(last=Max("id"), sent=Max("id", filter=Q(outcome=SENT_BACK)))
    return set(last.filter(last=F("sent")).values_list("node", flat=True))


def describe(
    rows: Iterable[WorkItem], summary: Summary, specification: engine.Specification, dues: Mapping[str, datetime]
) -> list[WorkItem]:
    """Give open items in memory what lists show of their record and deadline, and return those that it changed.

    An overdue item keeps the deadline that has passed.
    """
    zh, en = summary.subject
    priority = NO_PRIORITY if summary.priority is None else summary.priority
    said: dict[str, Any] = {"priority": priority, "subject": zh[:160], "subject_en": en[:160]}
    if summary.title is not None:
        said["title"], said["title_en"] = titles(summary.title)
    looked_at, wanted = attrgetter(*said), tuple(said.values())
    changed = []
    for item in rows:
        due = item.due_time if item.late_time else deadlines.due(item.node, specification, dues)
        if item.due_time != due or looked_at(item) != wanted:
            for name, value in {**said, "due_time": due}.items():
                setattr(item, name, value)
            changed.append(item)
    return changed


def titles(said: tuple[str, str]) -> tuple[str, str]:
    """Return a title as it is stored: in Chinese, and in English where that reads differently."""
    zh, en = (text[:200] for text in said)
    return zh, "" if en == zh else en


def offer(new: list[WorkItem], left: int | None = None, decided: Sequence[WorkItem] = ()) -> None:
    """Store new items and their candidates; `left` is the queue of the item whose completion created them.

    `decided` are items that nobody is asked about.
    """
    writes.insert([*decided, *new])
    queues.open_to(new)
    queues.moved(left=[left], entered=[queues.queue_of(item) for item in new])


def hand_on(rows: Iterable[WorkItem], user_id: int) -> None:
    """Record that the person gave these items to somebody else; one statement."""
    handed = [HandedOn(item=item, user_id=user_id) for item in rows]
    HandedOn.objects.bulk_create(handed, ignore_conflicts=True)


def is_delegator(user_id: int, business_type: str, business_id: int) -> bool:
    """Return whether the person delegated a step that has not come back yet; one statement."""
    rows = WorkItem.objects.filter(business_type=business_type, business_id=business_id)
    return any(user_id in delegators for _pk, delegators in delegated(rows))


def delegated(rows: QuerySet[WorkItem]) -> list[tuple[int, list[int]]]:
    """Return those of the items that somebody delegated and that have not come back, with who did; one statement."""
    return list(rows.exclude(delegators=[]).values_list("pk", "delegators"))


def waiting_for(waiting: list[WorkItem]) -> dict[int, str]:
    """Return by item who holds it, or who may claim it; one statement for all of them."""
    keys = {
        item.pk: [f"user:{item.assignee_id}"] if item.assignee_id is not None else item.candidate_keys
        for item in waiting
    }
    others = {item.pk: f"user:{item.in_place_of}" for item in waiting if item.in_place_of is not None}
    labels = ports.people.describe({key for several in keys.values() for key in several} | set(others.values()))
    who = {pk: " / ".join(labels[key] for key in several if labels.get(key)) for pk, several in keys.items()}
    return {pk: ports.acting(name, labels.get(others.get(pk, ""), "")) for pk, name in who.items()}


OPEN_COLUMNS = (
    "pk", "instance_id", "node", "node_name", "node_name_en", "round", "assignee_id", "candidate_keys", "create_time",
    "signs", "in_place_of",
)  # fmt: skip
"""What `as_open` is made of: lists read no more of an item."""
STILL_COLUMNS = (
    "instance__park_text", "instance__park_text_en", "instance__halt_time", "instance__halt_user_name",
    "definition__is_halted", "definition__name", "definition__name_en",
)  # fmt: skip
"""After those: why the process stands still. Whoever locked it has it from the driver."""


def as_open(columns: Iterable[Any]) -> OpenItem:
    """Return the item with these columns as the business applications see it."""
    pk, instance_id, node, zh, en, round_, assignee_id, candidates, create_time, signs, other, *why = columns
    still = still_of(*why) if why else ("", "")
    known = (pk, instance_id, node, choose(zh, en), round_, assignee_id, tuple(candidates), create_time, *still)
    return OpenItem(*known, is_signer=signs != "", in_place_of=other)


def still_of(
    park_text: str, park_text_en: str, halt_time: datetime | None, halt_user_name: str, is_halted: bool, name: str,
    name_en: str,
) -> tuple[str, str]:  # fmt: skip
    """Return from STILL_COLUMNS the sentence of the incident and that of the suspension; '' for none."""
    suspended = suspension.told(halt_time, halt_user_name, is_halted, choose(name, name_en))
    return choose(park_text, park_text_en), suspended


def open_item(item: WorkItem) -> OpenItem:
    """Return the item as the business applications see it."""
    return as_open(getattr(item, name) for name in OPEN_COLUMNS)
