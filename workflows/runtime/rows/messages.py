"""Message subscriptions of instances, and the sending of the messages that an instance throws.

The receivers are found in the transaction of the step that throws the message, and each gets a row of the outbox in
that same transaction. So no message is lost, a failing receiver does not undo the sender's step, and two instances
that send to each other cannot lock each other out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

from core import ports
from core.kernel import audit_entry, outbox
from core.kernel.audit_entry import AuditEntry, current_entry
from workflows import engine
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.messages.models import Waiting

TOPIC = "process.message"
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
    chain = _chain.get() or _Chain(0, MAX_DELIVERIES)
    if chain.hops >= MAX_HOPS:
        raise engine.LimitReached("hops", MAX_HOPS)
    sent: list[tuple[engine.Thrown, str, dict[int, list[str]]]] = []
    for thrown in step.thrown:
        key = thrown.key or _key_of(instance)
        waiting = Waiting.objects.filter(message=thrown.message, key=key).exclude(instance=instance)
        receivers: dict[int, list[str]] = {}
        for instance_id, task in waiting.order_by("instance", "id").values_list("instance", "engine_task"):
            receivers.setdefault(instance_id, []).append(task)
        if len(receivers) > MAX_RECEIVERS:
            raise engine.LimitReached("receivers", MAX_RECEIVERS)
        sent.append((thrown, key, receivers))
    deliveries = sum(len(receivers) for _thrown, _key, receivers in sent)
    if deliveries > chain.left:
        raise engine.LimitReached("deliveries", MAX_DELIVERIES)
    for thrown, key, receivers in sent:
        for instance_id, tasks in receivers.items():
            copy = {
                "instance": instance_id, "tasks": tasks, "message": thrown.message, "key": key,
                "hops": chain.hops + 1, "left": (chain.left - deliveries) // deliveries,
            }  # fmt: skip
            outbox.send(TOPIC, copy, instance_id)
        _tell(instance, "message.throw" if receivers else "message.drop", thrown.node, f"{thrown.message}（{key}）")


def _tell(instance: ProcessInstance, what: str, node: str, remark: str) -> None:
    """Write a row of the history beside the audit entry of the step."""
    # The key belongs to the request, and to the operation that it led to.
    actor = replace(current_entry().actor, idempotency_key="")
    entry = AuditEntry(what, actor, remark=remark, instance_id=instance.pk, node=node)
    entry.business_type, entry.business_id = instance.business_type, instance.business_id
    audit_entry.write(entry, None)
