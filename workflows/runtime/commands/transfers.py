"""Delegating and transferring an open work item: a delegated item comes back, a transferred one does not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from core import ports
from core.identity.models import User
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Invalid, NotAllowed, Refusal
from core.kernel.operation import SIGNED_IN, digest, operation
from workflows.runtime.commands import verbs
from workflows.runtime.commands.shared import check_sees, find, give, locked, repeated, taken
from workflows.runtime.rows import items
from workflows.runtime.tables.worklist.models import ItemState, WorkItem


@operation("task.delegate", code=SIGNED_IN)
def delegate(actor: Actor, item_id: int, user_id: int, reason: str) -> Any:
    """Delegate the item to another person, who returns it with an opinion."""
    return _hand(actor, item_id, user_id, reason, verbs.DELEGATE)


@operation("task.transfer", code=SIGNED_IN)
def transfer(actor: Actor, item_id: int, user_id: int, reason: str) -> Any:
    """Transfer the item to another person for good."""
    return _hand(actor, item_id, user_id, reason, verbs.TRANSFER)


def _hand(actor: Actor, item_id: int, user_id: int, reason: str, verb: str) -> Any:
    item = find(item_id)
    meant = verbs.meaning_of(verb, item)
    if isinstance(meant, Mapping):
        # What the command answers a repeated request is the record's own.
        given = {"userId": str(user_id), "reason": reason}
        return verbs.command_on(actor, meant, item, given)
    if not meant:
        check_holder(actor, item)
        raise verbs.refusal(verb, item.definition_id)
    mark = digest([verb, user_id, reason])
    _held, item = locked(item)
    answer = {"taskId": str(item.pk), "assignee": str(user_id)}
    if repeated(actor, item, mark):
        return answer
    check_holder(actor, item)
    _check_receiver(actor, item, user_id)
    was = item.delegators
    give(item, user_id, delegators=[*was, actor.user_id] if verb == verbs.DELEGATE else was)
    check_sees(item, user_id, actor.tenant_id)
    items.hand_on([item], actor.user_id)
    current_entry().remark, current_entry().digest = reason, current_entry().digest or mark
    return answer


def check_holder(actor: Actor, item: WorkItem) -> None:
    """Raise the fitting refusal unless the person is the assignee of the open item."""
    if item.state == ItemState.OPEN and item.assignee_id == actor.user_id:
        return
    if ports.keys_of(actor).isdisjoint(item.candidate_keys) and actor.user_id not in (
        item.assignee_id, item.completed_by, *item.delegators,
    ):  # fmt: skip
        raise NotAllowed()
    if item.state == ItemState.OPEN and item.assignee_id is None:
        raise Refusal("workflow.notHeld", _("请先领取该任务"))
    raise taken(item)


def _check_receiver(actor: Actor, item: WorkItem, user_id: int) -> None:
    """Raise Invalid unless the receiver works in the company and does not wait for the item already."""
    if not User.objects.filter(pk=user_id, is_enabled=True).exists():
        raise Invalid({"userId": _("请选择{field}").format(field=_("接收人"))})
    if user_id == actor.user_id:
        raise Invalid({"userId": _("不能交给本人")})
    if user_id in item.delegators:
        raise Invalid({"userId": _("该任务由此人委派，请直接办理后交回")})
