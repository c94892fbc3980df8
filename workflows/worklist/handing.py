"""Handing an open item to somebody else: delegated it comes back, transferred it does not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from core.identity.authentication import actor_of
from core.identity.models import User
from core.kernel import ports
from core.kernel.act import current_act
from core.kernel.actor import Actor
from core.kernel.errors import Invalid, NotAllowed, Refusal
from core.kernel.operation import SIGNED_IN, digest, operation
from workflows.worklist import verbs
from workflows.worklist.acts import find, give, locked, repeated, taken
from workflows.worklist.models import ItemState, WorkItem


@operation("task.delegate", code=SIGNED_IN)
def delegate(actor: Actor, item_id: int, user_id: int, reason: str) -> Any:
    """Ask somebody to look at the item: when that person is done with it, it comes back."""
    return _hand(actor, item_id, user_id, reason, verbs.DELEGATE)


@operation("task.transfer", code=SIGNED_IN)
def transfer(actor: Actor, item_id: int, user_id: int, reason: str) -> Any:
    """Leave the item to somebody else for good."""
    return _hand(actor, item_id, user_id, reason, verbs.TRANSFER)


def _hand(actor: Actor, item_id: int, user_id: int, reason: str, verb: str) -> Any:
    item = find(item_id)
    meant = verbs.meaning(verb, item.definition_id, item.business_type, item.node)
    if isinstance(meant, Mapping):
        # What the command answers a repeated request is the record's own.
        given = {"userId": str(user_id), "reason": reason}
        return verbs.command(actor, meant, item.business_id, item.pk, given)
    if not meant:
        _check_holder(actor, item)
        raise verbs.refusal(verb, item.definition_id)
    mark = digest([verb, user_id, reason])
    item = locked(item)
    answer = {"taskId": str(item.pk), "assignee": str(user_id)}
    if repeated(actor, item, mark):
        return answer
    _check_holder(actor, item)
    _check_receiver(actor, item, user_id)
    was = item.delegators
    give(item, user_id, delegators=[*was, actor.user_id] if verb == verbs.DELEGATE else was)
    _check_sees(item, user_id, actor.tenant_id)
    current_act().remark, current_act().digest = reason, current_act().digest or mark
    return answer


def _check_holder(actor: Actor, item: WorkItem) -> None:
    """Raise what the person has to hear who does not hold the item."""
    if item.state == ItemState.OPEN and item.assignee_id == actor.user_id:
        return
    if ports.keys_of(actor).isdisjoint(item.candidate_keys) and actor.user_id not in (
        item.assignee_id, item.completed_by, *item.delegators,
    ):  # fmt: skip
        raise NotAllowed()
    if item.state == ItemState.OPEN and item.assignee_id is None:
        raise Refusal("workflow.notHeld", _("请先签收该任务"))
    raise taken(item)


def _check_receiver(actor: Actor, item: WorkItem, user_id: int) -> None:
    """A person of the company who may work, and none who waits for it already."""
    if not User.objects.filter(pk=user_id, is_enabled=True).exists():
        raise Invalid({"userId": _("请选择{field}").format(field=_("接收人"))})
    if user_id == actor.user_id:
        raise Invalid({"userId": _("不能交给本人")})
    if user_id in item.delegators:
        raise Invalid({"userId": _("该任务由此人委派，请直接办理后交回")})


def _check_sees(item: WorkItem, user_id: int, tenant_id: str) -> None:
    """Nobody gets a task about a record that stays closed to the person who holds it."""
    bound = ports.effects.get(item.business_type)
    if bound is None:
        return
    receiver = actor_of(user_id, tenant_id)
    if receiver is None or not bound.sees(receiver, item.business_id):
        raise Invalid({"userId": _("此人无权查看该单据")})
