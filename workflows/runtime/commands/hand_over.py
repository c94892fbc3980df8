"""Handing over everything that waits for a person: item by item, in batches that the worker takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from core.desk import messages
from core.identity.authentication import actor_of
from core.identity.models import User
from core.kernel import clock, outbox
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Invalid, Missing, Refusal
from core.kernel.operation import digest, operation
from core.kernel.tenancy import current_tenant
from workflows.runtime.commands import absences, reassign
from workflows.runtime.commands.shared import describe_change, find, locked, offer
from workflows.runtime.definitions import library
from workflows.runtime.rows import confidential
from workflows.runtime.tables.worklist.models import Absence, HandOver, ItemState, WorkItem

TOPIC = "work.handOver"
BATCH = 50
"""Items that one message moves."""
MOST_REFUSED = 200
"""Refusals that are kept; how many there are is always counted."""


@operation("task.handOverAll", code=reassign.CODE)
def begin(actor: Actor, user_id: int, receiver_id: int, reason: str) -> dict[str, str]:
    """Have everything that waits for a person, who may have left, given to another one; return what to follow it by.

    Raises Missing unless the person belongs, or belonged, to the company, and Invalid where nobody can receive it.
    """
    if not User.with_removed.filter(pk=user_id).exists():
        raise Missing()
    if user_id == receiver_id or not User.objects.filter(pk=receiver_id, is_enabled=True).exists():
        raise Invalid({"userId": _("请选择{field}").format(field=_("接收人"))})
    row = HandOver(user_id=user_id, receiver_id=receiver_id, asked_by=actor.user_id, reason=reason)
    row.save()
    outbox.send(TOPIC, {"handOverId": row.pk})
    current_entry().remark, current_entry().from_holder, current_entry().to_holder = reason, user_id, receiver_id
    return {"id": str(row.pk)}


@outbox.handler(TOPIC)
def go_on(message_id: int, payload: Mapping[str, Any]) -> None:
    """Give one batch to the receiver, as whoever asked for it, and undo only what is refused."""
    row = HandOver.objects.select_for_update(of=("self",)).get(pk=payload["handOverId"])
    if row.end_time is not None:
        return
    actor = actor_of(row.asked_by, current_tenant())
    if actor is None or not actor.may(reassign.CODE):
        _finish(row)  # whoever asked for it may not do it any more
        return
    with translation.override(actor.lang):
        if "after" not in payload:
            row.total = len(_items(row.user_id, 0, None))
            _hand_covers(row)
        ids = _items(row.user_id, payload.get("after", 0), BATCH + 1)
        for item_id in ids[:BATCH]:
            _try(actor, row, item_id)
    if len(ids) > BATCH:
        row.save()
        outbox.send(TOPIC, {**payload, "after": ids[BATCH - 1]})
        return
    row.named = list(_named(row.user_id))
    _finish(row)


def _items(user_id: int, after: int, most: int | None) -> list[int]:
    """Return the ids of open items that wait for the person, or went to somebody else when the person left."""
    own = reassign.items_of(user_id, after, most)
    passed = WorkItem.objects.filter(in_place_of=user_id, state=ItemState.OPEN, pk__gt=after).order_by("pk")
    return sorted({*own, *passed.values_list("pk", flat=True)[:most]})[:most]


def _try(actor: Actor, row: HandOver, item_id: int) -> None:
    item = find(item_id)
    try:
        with transaction.atomic():  # a savepoint: the database takes no more statements after a refusal without one
            if row.user_id in (item.assignee_id, item.in_place_of):
                if item.assignee_id != row.receiver_id:
                    reassign.reassign(actor, item_id, row.receiver_id, row.reason)
            else:
                take_place(actor, item_id, row.user_id, row.receiver_id, row.reason)
        row.moved += 1
    except Refusal as refusal:
        title = item.called if confidential.readable(actor, [item.instance]) else confidential.title(item.instance)
        if len(row.refused) < MOST_REFUSED:
            row.refused.append({"taskId": str(item_id), "title": title, "message": reassign.sentence(refusal)})


@operation("task.handOver", code=reassign.CODE)
def take_place(actor: Actor, item_id: int, user_id: int, receiver_id: int, reason: str) -> None:
    """Let another person take the place of the one who delegated an open item, or is among its candidates."""
    _held, item = locked(find(item_id))
    own, other = f"user:{user_id}", f"user:{receiver_id}"
    if item.state == ItemState.OPEN and user_id in item.delegators:
        # Nobody delegates to oneself: what the receiver was asked by the person is the receiver's own now.
        places = [receiver_id if one == user_id else one for one in item.delegators]
        item.delegators = [one for one in dict.fromkeys(places) if one != item.assignee_id]
        item.save(update_fields=["delegators"])
        describe_change(item, user_id, receiver_id)
    elif item.state == ItemState.OPEN and item.assignee_id is None and own in item.candidate_keys:
        offer(item, list(dict.fromkeys(other if key == own else key for key in item.candidate_keys)))
        describe_change(item, user_id, receiver_id)
    else:
        current_entry().nothing_happened = True
    current_entry().remark = reason
    current_entry().digest = current_entry().digest or digest(["handOver", user_id, receiver_id, reason])


def _hand_covers(row: HandOver) -> None:
    """Let the receiver cover for those whom the person covers for; nobody covers for the receiver's own absence."""
    rows = Absence.objects.filter(cover=row.user_id, end_time__gt=clock.now()).exclude(user=row.receiver_id)
    for absence in rows.select_for_update():
        absence.change({"cover_id": row.receiver_id})
        absences.stored(absence)


def _named(user_id: int) -> Iterator[dict[str, str]]:
    """Yield the steps of models that name the person, which somebody has to draw anew."""
    user = User.with_removed.get(pk=user_id)
    words = {str(user_id), user.account, f"user:{user_id}", f"user:{user.account}"}
    for row in library.taken().filter(tenant_id=current_tenant()).defer("xml", "whole", "forms"):
        for node in library.specification(row.pk).nodes.values():
            said = " ".join(node.extensions.get(name, "") for name in ("assignee", "candidates", "nobodyFound"))
            listed = node.extensions.get("candidateUsers", "").replace(",", " ")
            if not words.isdisjoint(f"{said} {listed}".split()):
                yield {
                    "process": row.name, "processEn": row.name_en or row.name,
                    "step": node.name or node.id, "stepEn": node.name_en or node.name or node.id,
                }  # fmt: skip


def _finish(row: HandOver) -> None:
    """Note that it is done, and tell whoever asked for it, and the receiver."""
    row.end_time = clock.now()
    row.save()
    names = {user.pk: user.real_name for user in User.with_removed.filter(pk__in=[row.user_id, row.receiver_id])}
    of, to, left = names[row.user_id], names[row.receiver_id], row.total - row.moved
    messages.send(
        [row.asked_by, row.receiver_id],
        (f"{of}的任务已移交{to}：{row.moved}项", f"Tasks of {of} handed over to {to}: {row.moved}"),
        (
            f"未移交{left}项" if left else row.reason,
            f"Not handed over: {left}" if left else row.reason,
        ),
        "handOver", row.pk,
    )  # fmt: skip
