"""Reassigning open items: by a person who follows processes, and by the system when a person leaves the company."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from core import ports
from core.identity.models import User
from core.identity.users import PERSON_LEFT
from core.kernel import outbox
from core.kernel.actor import Actor, system
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Invalid, Missing, Refusal
from core.kernel.operation import SYSTEM, digest, operation
from core.kernel.tenancy import current_tenant
from workflows.runtime.commands import verbs
from workflows.runtime.commands.shared import check_sees, find, give, locked, offer, people_asked, repeated, taken
from workflows.runtime.definitions import assignment
from workflows.runtime.rows import confidential, notices
from workflows.runtime.tables.worklist.models import NOT_OVER, ItemState, PoolKey, WorkItem

CODE = "flow_follow_reassign"
MOST_AT_ONCE = 200
"""Items that one request reassigns."""
BATCH = 50
"""Items that one message of the outbox gives back."""


@operation("task.reassign", code=CODE)
def reassign(actor: Actor, item_id: int, user_id: int, reason: str) -> Any:
    """Assign an open item to another person, whoever holds it now; unlike a delegated one it does not come back.

    Where the record has a command of its own for a transfer, such as that of a work order, that command runs instead:
    with its rights, and with the person and the reason as its input.
    """
    item = find(item_id)
    meant = verbs.meaning_of(verbs.TRANSFER, item)
    if isinstance(meant, Mapping):
        given = {"userId": str(user_id), "reason": reason}
        return verbs.command_on(actor, meant, item, given)
    mark = digest(["reassign", user_id, reason])
    _held, item = locked(item)
    answer = {"taskId": str(item.pk), "assignee": str(user_id)}
    if repeated(actor, item, mark):
        return answer
    if item.state not in NOT_OVER:
        raise taken(item)
    _check_receiver(item, user_id)
    give(item, user_id, delegators=[])
    check_sees(item, user_id, actor.tenant_id)
    current_entry().remark, current_entry().digest = reason, current_entry().digest or mark
    if user_id != actor.user_id:
        notices.tell(item, [user_id], ("任务已改派给您", "A task was reassigned to you"))
    return answer


def operation_of(item: WorkItem) -> str:
    """Return the operation of the record by which its item is reassigned; '' where the item itself changes hands."""
    meant = verbs.meaning_of(verbs.TRANSFER, item)
    return str(meant["command"]) if isinstance(meant, Mapping) else ""


def _check_receiver(item: WorkItem, user_id: int) -> None:
    """Raise Invalid unless the person may work, and does not hold the item already."""
    if not User.objects.filter(pk=user_id, is_enabled=True).exists():
        raise Invalid({"userId": _("请选择{field}").format(field=_("接收人"))})
    if user_id == item.assignee_id:
        raise Invalid({"userId": _("该任务已由此人办理")})


def reassign_all(actor: Actor, from_user_id: int, user_id: int, reason: str) -> dict[str, Any]:
    """Assign the open items of one person to another, and undo only those that are refused.

    Returns how many were `moved`, how many are `left` because one request takes at most `MOST_AT_ONCE`, and the
    `refused` ones with the sentence why. Raises Missing unless the person belongs, or belonged, to the company.
    """
    if not User.with_removed.filter(pk=from_user_id).exists():
        raise Missing()
    # The key belongs to the request; each item has an audit entry of its own.
    plain = replace(actor, idempotency_key="")
    held = WorkItem.objects.filter(assignee_id=from_user_id, state=ItemState.OPEN).order_by("pk")
    total, moved, refused = held.count(), 0, []
    items = list(held.select_related("instance")[:MOST_AT_ONCE])
    seen = confidential.readable(actor, [item.instance for item in items])
    for item in items:
        try:
            with transaction.atomic():  # a savepoint: the database takes no more statements after a refusal without one
                reassign(plain, item.pk, user_id, reason)
            moved += 1
        except Refusal as refusal:
            title = item.called if item.instance_id in seen else confidential.title(item.instance)
            refused.append({"taskId": str(item.pk), "title": title, "message": sentence(refusal)})
    return {"moved": moved, "left": max(total - MOST_AT_ONCE, 0), "refused": refused}


def sentence(refusal: Refusal) -> str:
    """Return the refusal in words, those of its fields joined."""
    fields = refusal.data.get("fields", {})
    return "；".join(map(str, fields.values())) or str(refusal.text)


@outbox.handler(PERSON_LEFT)
def give_back(message_id: int, payload: Mapping[str, Any]) -> None:
    """Give back the open items of a person who left, a batch a message; a person who is back again keeps them."""
    user_id, after = payload["userId"], payload.get("after", 0)
    if User.objects.filter(pk=user_id, is_enabled=True).exists():
        return
    ids = _items_of(user_id, after)
    for item_id in ids[:BATCH]:
        release(system(current_tenant()), item_id, user_id, payload["managerId"])
    if len(ids) > BATCH:
        outbox.send(PERSON_LEFT, {**payload, "after": ids[BATCH - 1]})


def _items_of(user_id: int, after: int) -> list[int]:
    """Return the ids of one batch of open items, and of one more, that the person holds, delegated or may claim."""
    rows = WorkItem.objects.filter(state__in=NOT_OVER)
    delegated = rows.exclude(delegators=[]).values_list("pk", "delegators")
    own = [pk for pk, delegators in delegated if user_id in delegators]
    candidate_groups = PoolKey.objects.filter(key=f"user:{user_id}").values("pool")
    found = rows.filter(Q(assignee_id=user_id) | Q(pool__in=candidate_groups) | Q(pk__in=own), pk__gt=after)
    # In this order too the instances are locked, so that two who do it do not wait for each other.
    return list(found.order_by("pk").values_list("pk", flat=True)[: BATCH + 1])


@operation("task.release", code=SYSTEM)
def release(actor: Actor, item_id: int, user_id: int, manager_id: int | None) -> None:
    """Give an item of a person who left to whoever delegated it to that person, else to its candidates.

    Where none of the candidates may work, the person's manager gets it, and without one the company's administrators.
    """
    _held, item = locked(find(item_id))
    concerns = item.assignee_id == user_id or user_id in item.delegators
    is_offered = item.assignee_id is None and not _can_claim(item)
    if item.state not in NOT_OVER or not (concerns or is_offered):
        current_entry().nothing_happened = True
        return
    place = item.delegators.index(user_id) if user_id in item.delegators else len(item.delegators)
    earlier = item.delegators[:place]
    if earlier:
        give(item, earlier[-1], delegators=earlier[:-1])
    elif _can_claim(item):
        offer(item, item.candidate_keys)
    elif ports.people.active({str(manager_id)}):
        give(item, int(manager_id or 0), delegators=[])
    else:
        offer(item, assignment.to_administrators().keys)
    notices.tell(
        item,
        people_asked([item]),
        ("原办理人已离职或停用，任务转到您处", "The assignee of a task left; it is yours now"),
    )


def _can_claim(item: WorkItem) -> bool:
    """Return whether anybody who may work is a candidate of the item."""
    return bool(item.candidate_keys) and bool(ports.people.behind(item.candidate_keys).exists())
