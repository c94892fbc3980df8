"""Keeping what an instance waits for in step with its engine, and sending off what it throws.

Who gets a message is settled in the transaction of the step that throws it, and each receiver's copy is a row of the
outbox in that same transaction. So nothing is lost, a receiver that fails does not undo the sender's step, and two
instances that write to each other cannot lock each other out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

from core.kernel import act as acts
from core.kernel import outbox
from workflows import engine
from workflows.instances.models import ProcessInstance
from workflows.messages.models import Waiting

TOPIC = "process.message"
MAX_RECEIVERS = 500
MAX_HOPS = 100
"""Messages that led to each other with no person and no timer between them."""

_hops: ContextVar[int] = ContextVar("hops", default=0)


@contextmanager
def led_here_by(hops: int) -> Iterator[None]:
    """What is thrown inside was led to by so many messages."""
    token = _hops.set(hops)
    try:
        yield
    finally:
        _hops.reset(token)


def _is_own(instance: ProcessInstance, message: str) -> bool:
    """Whether a message is for the record's own commands, such as its cancellation: no process may throw it at one."""
    return message.startswith(f"{instance.business_type}.")


def _key_of(instance: ProcessInstance) -> str:
    """The key by which messages mean this instance, where the model names none."""
    return instance.business_no or str(instance.pk)


def keep(instance: ProcessInstance, specification: engine.Specification, step: engine.Step, *, is_new: bool) -> None:
    """Make the rows be what the engine waits for. A model that waits for nobody else's messages costs nothing."""
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
    """An instance that was ended waits for nothing."""
    Waiting.objects.filter(instance=instance_id).delete()


def throw(instance: ProcessInstance, step: engine.Step) -> None:
    """Send what the step threw to all who wait for it now; what nobody waits for is dropped, and the history says so.

    Raises LimitReached for messages that go round without end, or to too many.
    """
    if step.thrown and _hops.get() >= MAX_HOPS:
        raise engine.LimitReached("hops", MAX_HOPS)
    for thrown in step.thrown:
        key = thrown.key or _key_of(instance)
        waiting = Waiting.objects.filter(message=thrown.message, key=key).exclude(instance=instance)
        receivers: dict[int, list[str]] = {}
        for instance_id, task in waiting.order_by("instance", "id").values_list("instance", "engine_task"):
            receivers.setdefault(instance_id, []).append(task)
        if len(receivers) > MAX_RECEIVERS:
            raise engine.LimitReached("receivers", MAX_RECEIVERS)
        for instance_id, tasks in receivers.items():
            copy = {
                "instance": instance_id, "tasks": tasks, "message": thrown.message, "key": key, "hops": _hops.get() + 1,
            }  # fmt: skip
            outbox.send(TOPIC, copy)
        _tell(instance, "message.throw" if receivers else "message.drop", thrown.node, f"{thrown.message}（{key}）")


def _tell(instance: ProcessInstance, what: str, node: str, remark: str) -> None:
    """A row of the history beside that of the act which led to it."""
    # The key belongs to the request, and to the act that it led to.
    actor = replace(acts.current_act().actor, idempotency_key="")
    act = acts.Act(what, actor, remark=remark, instance_id=instance.pk, node=node)
    act.business_type, act.business_id = instance.business_type, instance.business_id
    acts.write(act, None)
