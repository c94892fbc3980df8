"""Message subscriptions of instances, and the sending of the messages that an instance throws.

The receivers are found in the transaction of the step that throws the message, and each gets a row of the outbox in
that same transaction. So no message is lost, a failing receiver does not undo the sender's step, and two instances
that send to each other cannot lock each other out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

from core import ports
from core.kernel import audit_entry, outbox
from core.kernel.audit_entry import AuditEntry, current_entry
from workflows import engine
from workflows.runtime.definitions import carried, library
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.messages.models import MessageStart, Waiting

TOPIC = "process.message"
START_TOPIC = "process.messageStart"
MAX_RECEIVERS = 500
MAX_HOPS = 100
"""Messages that led to each other with no person and no timer between them."""
MAX_DELIVERIES = 1000
"""Deliveries that one message leads to with no person and no timer between, its own and those of all that follow."""


@dataclass(frozen=True)
class _Chain:
    """The messages that led to the present step, and how many deliveries may still come of it.

    Those who receive one message share what is left, so that no count is kept of a chain that spreads.
    """

    hops: int
    left: int


_chain: ContextVar[_Chain | None] = ContextVar("chain", default=None)


@contextmanager
def led_here_by(payload: Mapping[str, Any]) -> Iterator[None]:
    """Record each message thrown within the block as the next of a chain; `throw` refuses a chain that is too long."""
    token = _chain.set(_Chain(payload["hops"], payload.get("left", MAX_DELIVERIES)))
    try:
        yield
    finally:
        _chain.reset(token)


def wake(instances: Iterable[Any]) -> None:
    """Let the sleeping messages to these instances be delivered, ids or a queryset of ids."""
    outbox.wake(TOPIC, instances)


def _is_own(instance: ProcessInstance, message: str) -> bool:
    """Return whether only the record's own commands may send this message, such as the one that cancels it."""
    bound = ports.effects.get(instance.business_type)
    return bound is not None and message in bound.messages


def _key_of(instance: ProcessInstance) -> str:
    """Return the correlation key of the instance where its model declares none."""
    return instance.business_no or str(instance.pk)


def keep(instance: ProcessInstance, specification: engine.Specification, step: engine.Step, *, is_new: bool) -> None:
    """Store the subscriptions that the engine reports; a model without messages of others costs no statement."""
    if all(_is_own(instance, message) for message in specification.catches):
        return
    rows = {} if is_new else dict(Waiting.objects.filter(instance=instance).values_list("engine_task", "pk"))
    new = [
        Waiting(
            instance=instance,
            engine_task=catch.task,
            node=catch.node,
            message=catch.message,
            key=catch.key or _key_of(instance),
        )
        for catch in step.catches
        if rows.pop(catch.task, None) is None and not _is_own(instance, catch.message)
    ]
    if rows:
        Waiting.objects.filter(pk__in=list(rows.values())).delete()
    if new:
        Waiting.objects.bulk_create(new)


def forget(instance_id: int) -> None:
    """Delete the subscriptions of an instance that has ended."""
    Waiting.objects.filter(instance=instance_id).delete()


def throw(instance: ProcessInstance, step: engine.Step) -> None:
    """Send the messages of a step to all subscribers; the history records those that nobody waits for.

    Raises LimitReached for an endless chain of messages, or for too many receivers.
    """
    if not step.thrown:
        return
    starts = library.started_by({thrown.message for thrown in step.thrown})
    sent: list[Sent] = []
    for thrown in step.thrown:
        key = thrown.key or _key_of(instance)
        waiting = Waiting.objects.filter(message=thrown.message, key=key).exclude(instance=instance)
        found = list(waiting.order_by("instance", "id")[: MAX_RECEIVERS + 1])
        names = library.specification(instance.definition_id).nodes[thrown.node].carried
        values = carried.sent(library.definition(instance.definition_id), names, instance.form) if names else {}
        started = [start for start in starts if start.message == thrown.message]
        sent.append(Sent(thrown.message, key, found, started, values, instance.starter_id))
    post(sent)
    for thrown, message in zip(step.thrown, sent, strict=True):
        what = "message.throw" if message.waiting or message.starts else "message.drop"
        _tell(instance, what, thrown.node, f"{message.name}（{message.key}）")


@dataclass(frozen=True)
class Sent:
    """A message with those who wait for it and the start events that it starts, as they were found."""

    name: str
    key: str
    waiting: Sequence[Waiting]
    starts: Sequence[MessageStart]
    values: Mapping[str, Any]
    sender: int
    """The person who starts what it starts."""

    @property
    def receivers(self) -> dict[int, list[str]]:
        """Return by instance the tasks of the engine that get it."""
        found: dict[int, list[str]] = {}
        for row in self.waiting:
            found.setdefault(row.instance_id, []).append(row.engine_task)
        return found


def post(messages: Sequence[Sent]) -> None:
    """Give each receiver its copy by the outbox. Raises LimitReached for too long a chain, or too many receivers."""
    chain = _chain.get() or _Chain(0, MAX_DELIVERIES)
    if chain.hops >= MAX_HOPS:
        raise engine.LimitReached("hops", MAX_HOPS)
    if any(len(one.receivers) > MAX_RECEIVERS for one in messages):
        raise engine.LimitReached("receivers", MAX_RECEIVERS)
    deliveries = sum(len(one.receivers) + len(one.starts) for one in messages)
    if deliveries > chain.left:
        raise engine.LimitReached("deliveries", MAX_DELIVERIES)
    for one in messages if deliveries else ():
        told: dict[str, Any] = {"message": one.name, "key": one.key, "hops": chain.hops + 1}
        told["left"] = (chain.left - deliveries) // deliveries
        if one.values:
            told["values"] = one.values
        for instance_id, tasks in one.receivers.items():
            outbox.send(TOPIC, {"instance": instance_id, "tasks": tasks, **told}, instance_id)
        for start in one.starts:
            outbox.send(START_TOPIC, {"process": start.definition.key, "starter": one.sender, **told})


def fields_of(rows: Iterable[Waiting]) -> dict[int, list[str]]:
    """Return by instance the form fields that these subscriptions let a message set."""
    found: dict[int, list[str]] = {}
    for row in rows:
        drawn = library.specification(row.instance.definition_id).nodes[row.node]
        found.setdefault(row.instance_id, []).extend(drawn.carried)
    return found


def _tell(instance: ProcessInstance, what: str, node: str, remark: str) -> None:
    """Write a row of the history beside the audit entry of the step."""
    # The key belongs to the request, and to the operation that it led to.
    actor = replace(current_entry().actor, idempotency_key="")
    entry = AuditEntry(what, actor, remark=remark, instance_id=instance.pk, node=node)
    entry.business_type, entry.business_id = instance.business_type, instance.business_id
    audit_entry.write(entry, None)
