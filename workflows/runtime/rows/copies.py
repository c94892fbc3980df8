"""Copies: people who get a process for information, by the model or from somebody who takes part in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from core import ports
from core.desk import messages
from core.kernel.actor import Actor
from workflows import engine
from workflows.runtime.tables.instances.models import STANDALONE, ProcessInstance
from workflows.runtime.tables.worklist.models import Copy, PoolKey, WorkItem

ATTRIBUTE = "copies"
"""Of a user task, or of the process: the candidate rules of those who get a copy when it is over."""
MOST = 200
"""People who get a copy of one process."""


def of_step(
    instance: ProcessInstance,
    specification: engine.Specification,
    step: engine.Step,
    names: Callable[[], Mapping[str, Any]],
) -> None:
    """Send the copies that the model names at the steps which are over now, and at the end of the process.

    No statement where it names none.
    """
    said = [(node, specification.nodes[node].extensions.get(ATTRIBUTE, "")) for node in dict.fromkeys(step.passed)]
    if step.completed:
        said.append(("", specification.extensions.get(ATTRIBUTE, "")))
    for node, rules in said:
        if rules:
            readable = names()
            named = (str(engine.evaluate(rule, readable) or "") for rule in rules.split())
            people = messages.recipients([rule for rule in named if rule and not rule.endswith((":", "@"))])
            send(instance, people, node=node)


def send(
    instance: ProcessInstance, people: Iterable[int], *, node: str = "", sender: Actor | None = None, note: str = ""
) -> list[int]:
    """Give these people a copy, each once in the life of the process, and a message; return those who got one now."""
    had = set(Copy.objects.filter(instance=instance).values_list("user_id", flat=True))
    new = [one for one in dict.fromkeys(people) if one not in had][: max(MOST - len(had), 0)]
    Copy.objects.bulk_create(
        [
            Copy(
                instance=instance,
                user_id=one,
                node=node,
                sender_id=sender.user_id if sender else None,
                sender_name=sender.name if sender else "",
                note=note,
            )
            for one in new
        ]
    )
    number = instance.business_no or instance.title
    by_zh, by_en = (f"{sender.name}抄送", f"Copy from {sender.name}") if sender else ("流程抄送", "Copy of a process")
    messages.send(
        new,
        (f"{by_zh}：{number}", f"{by_en}: {number}"),
        (note or instance.title, note or instance.title_en or instance.title),
        instance.business_type,
        instance.business_id,
    )
    return new


def of(user_id: int) -> QuerySet[Copy]:
    """Return the person's copies, the newest first, joined with what lists show."""
    rows = Copy.objects.filter(user_id=user_id).select_related("instance__definition")
    return rows.defer(
        "instance__state", "instance__form", "instance__nodes", "instance__flows", "instance__definition__xml",
        "instance__definition__meta", "instance__definition__forms",
    ).order_by("-create_time", "-id")  # fmt: skip


def may_send(actor: Actor, business_type: str, business_id: int) -> bool:
    """Return whether the person started the process, or a step of it is, was or may become theirs; one statement."""
    steps = WorkItem.objects.filter(instance=OuterRef("pk"))
    groups = PoolKey.objects.filter(key__in=sorted(ports.keys_of(actor))).values("pool")
    own = steps.filter(Q(assignee_id=actor.user_id) | Q(completed_by=actor.user_id) | Q(pool__in=groups))
    rows = ProcessInstance.objects.filter(business_type=business_type, business_id=business_id)
    return bool(rows.filter(Q(starter_id=actor.user_id) | Exists(own)).exists())


def has(user_id: int, business_type: str, business_id: int) -> bool:
    """Return whether the person has a copy of the record's process."""
    rows = Copy.objects.filter(user_id=user_id)
    if business_type == STANDALONE:  # its id is its own
        return bool(rows.filter(instance=business_id).exists())
    return bool(rows.filter(_about(business_type, business_id)).exists())


def receivers(business_type: str, business_id: int) -> set[int]:
    """Return the ids of the people who have a copy of the record's process."""
    return set(Copy.objects.filter(_about(business_type, business_id)).values_list("user_id", flat=True))


def records_of(user_id: int, business_type: str) -> QuerySet[Any]:
    """Return the ids of the records of whose processes the person has a copy."""
    rows = Copy.objects.filter(user_id=user_id, instance__business_type=business_type)
    return rows.values("instance__business_id")


def _about(business_type: str, business_id: int) -> Q:
    return Q(instance__business_type=business_type, instance__business_id=business_id)


def unread(user_id: int) -> QuerySet[Copy]:
    """Return the copies that the person has not opened."""
    return Copy.objects.filter(user_id=user_id, read_time=None)


def told(instance_id: int) -> list[Copy]:
    """Return the copies of an instance in the order in which they were sent; one statement."""
    return list(Copy.objects.filter(instance=instance_id).order_by("id"))


def names(rows: Iterable[Copy]) -> Mapping[int, str]:
    """Return the receivers' names by id; at most one statement."""
    ids = {row.user_id for row in rows}
    return ports.people.names(ids) if ids else {}
