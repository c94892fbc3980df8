"""The same operation on many instances: tried first, carried out later, with a result for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.kernel.actor import Actor
from core.kernel.errors import Conflict, Refusal
from core.kernel.texts import choose
from workflows.runtime.commands import moves, reassign, retrying, suspending
from workflows.runtime.execution import ending
from workflows.runtime.rows import confidential
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

MOST = 200
"""Instances that one request takes."""


@dataclass(frozen=True)
class Order:
    """What is to be done with each instance."""

    act: str
    """A key of `ACTS`."""
    reason: str = ""
    user_id: int = 0
    """Who gets the tasks."""
    node: str = ""
    """Of the tasks of each instance only those of this element; empty for all. What is skipped, or moved away."""
    outcome: str = ""
    """With which a step is skipped."""
    to: str = ""
    """Where the token is moved."""


def carry_out(actor: Actor, instances: Iterable[ProcessInstance], order: Order) -> list[dict[str, Any]]:
    """Carry the order out on each instance, undo only what is refused, and return the results in the same order."""
    # The key belongs to the request; each instance has an audit entry of its own.
    plain, found = replace(actor, idempotency_key=""), list(instances)
    readable = confidential.readable(actor, found)
    return [
        {
            "processInstanceId": str(instance.pk),
            "businessNo": instance.business_no,
            "title": instance.called if instance.pk in readable else confidential.title(instance),
            **_tried(ACTS[order.act], plain, instance.pk, order),
        }
        for instance in found
    ]


def try_out(actor: Actor, instances: Iterable[ProcessInstance], order: Order) -> list[dict[str, Any]]:
    """Return what `carry_out` would return now, and leave everything as it is."""
    with transaction.atomic():
        found = carry_out(actor, instances, order)
        transaction.set_rollback(True)
    return found


def ways(instances: Iterable[ProcessInstance]) -> dict[str, Any]:
    """Return where the instances wait and may be skipped or moved by hand, and in how many each way is there.

    An element is one of a model, so that instances of several models have none in common, and those of several versions
    are skipped and not moved. Each is asked by itself: which ways there are follows from where its tokens stand.
    """
    found = [one for one in instances if not one.is_over and not one.halt_time and not one.definition.is_halted]
    models, versions = ({getattr(one.definition, name) for one in found} for name in ("key", "pk"))
    skips: dict[tuple[str, str], dict[str, Any]] = {}
    targets: dict[tuple[str, str], dict[str, Any]] = {}
    for instance in found if len(models) == 1 else ():
        tokens = moves.standing(instance)
        called = moves.told_apart(instance, tokens)
        for token in tokens:
            from_ = {"node": token["node"], "name": called[token["node"]], "count": 0}
            if token["skips"]:
                for one in token["outcomes"] or [{"key": "", "zh": "", "en": ""}]:
                    to = {"to": one["key"], "toName": choose(one["zh"], one["en"])}
                    skips.setdefault((token["node"], one["key"]), {**from_, **to})["count"] += 1
            for target in token["targets"] if len(versions) == 1 else ():
                to = {"to": target, "toName": called[target]}
                targets.setdefault((token["node"], target), {**from_, **to})["count"] += 1
    return {
        "models": len(models), "versions": len(versions), "skips": [*skips.values()], "targets": [*targets.values()],
    }  # fmt: skip


def _tried(act: Callable[[Actor, int, Order], Any], actor: Actor, instance_id: int, order: Order) -> dict[str, str]:
    """Return why the instance stays as it was, '' where the order was carried out; and what then waits, if it says."""
    try:
        with transaction.atomic():  # the database takes no more statements after a refusal without a savepoint
            shown = act(actor, instance_id, order)
    except Refusal as refusal:
        return {"message": reassign.sentence(refusal), "detail": ""}
    return {"message": "", "detail": shown if isinstance(shown, str) else ""}


def _shown(change: Mapping[str, Any]) -> str:
    """Return in words where a process stands that was moved."""
    if change["isFinished"]:
        return _("流程结束")
    return " / ".join(f"{one['name']} {one['assigneeName']}".strip() for one in (*change["opened"], *change["stays"]))


def _reassign(actor: Actor, instance_id: int, order: Order) -> None:
    items = WorkItem.objects.filter(instance=instance_id, state=ItemState.OPEN).order_by("pk")
    if order.node:
        items = items.filter(node=order.node)
    ids = list(items.values_list("pk", flat=True))
    if not ids:
        raise Conflict("workflow.taskGone", _("该流程没有待办任务"))
    for item_id in ids:
        reassign.reassign(actor, item_id, order.user_id, order.reason)


ACTS: dict[str, Callable[[Actor, int, Order], Any]] = {
    "retry": lambda actor, instance_id, _order: retrying.retry(actor, instance_id),
    "reassign": _reassign,
    "skip": lambda actor, instance_id, order: _shown(
        moves.skip(actor, instance_id, order.node, order.outcome, order.reason)
    ),
    "move": lambda actor, instance_id, order: _shown(
        moves.move(actor, instance_id, order.node, order.to, order.reason)
    ),
    "suspend": lambda actor, instance_id, order: suspending.suspend(actor, instance_id, order.reason),
    "resume": lambda actor, instance_id, _order: suspending.resume(actor, instance_id),
    "end": lambda actor, instance_id, order: ending.end(actor, instance_id, order.reason),
}
