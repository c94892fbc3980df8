"""Adding signers to a step, removing them, and completing the task of a signer.

At a plain step they share its engine task (`rows.signers`). In a countersign whoever is added beside the others is a
loop instance of the activity, whose vote counts like theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from core import ports
from core.identity.models import User
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Invalid, NotAllowed, Refusal
from core.kernel.operation import SIGNED_IN, digest, operation
from core.ports import Completion
from workflows import engine
from workflows.runtime.commands import reassign, standalone
from workflows.runtime.commands.shared import check_sees, describe_change, find, locked, repeated, taken
from workflows.runtime.commands.transfers import check_holder
from workflows.runtime.definitions import library
from workflows.runtime.execution import driver
from workflows.runtime.rows import items, notices, signers
from workflows.runtime.tables.instances.models import STANDALONE, ProcessInstance
from workflows.runtime.tables.worklist.models import NOT_OVER, ItemState, Signs, WorkItem

LAST = "last"
PLACES = (*Signs.values, LAST)
"""Where a signer is added: before, beside or after the holder, or as the last one of a sequential countersign."""
_TOLD = ("您已被加入会签", "You were added to a countersign")
_REMOVED = ("您的加签任务已被移除", "You were removed as a signer")


def places(item: WorkItem) -> tuple[str, ...]:
    """Return where the holder of the item may add signers.

    A record's own step is carried out by its own person, so that others sign before it only; where a step cannot be
    rejected, they only give their opinion beforehand.
    """
    if item.state not in NOT_OVER or item.delegators:
        return ()
    step = _step(item)
    if item.business_type != STANDALONE and not step.get("added"):
        return (Signs.BEFORE,)
    if item.signs:
        return tuple(Signs.values)
    loop = _loop(item)
    if loop is not None:
        return (Signs.BEFORE, Signs.AFTER, LAST) if loop.is_sequential else (Signs.BEFORE, Signs.BESIDE)
    return tuple(Signs.values) if step.get("negative") else (Signs.BEFORE,)


def _step(item: WorkItem) -> Mapping[str, Any]:
    found: Mapping[str, Any] = library.definition(item.definition_id).meta["nodes"].get(item.node, {})
    return found


def _loop(item: WorkItem) -> Any:
    """Return the loop of the item's step, None for a plain step and for a signer's item."""
    return None if item.signs else library.specification(item.definition_id).nodes[item.node].loop


def _ends(item: WorkItem) -> Sequence[str]:
    """Return the outcomes of the step that end the process at once."""
    return _step(item).get("ends", ()) if item.business_type == STANDALONE else ()


@operation("task.addSigners", code=SIGNED_IN)
def add(actor: Actor, item_id: int, user_ids: Sequence[int], where: str, reason: str) -> dict[str, Any]:
    """Add signers before, beside or after the holder of an item, who is the caller."""
    mark = digest(["addSigners", list(user_ids), where, reason])
    held, item = locked(find(item_id))
    answer = {"taskId": str(item.pk), "userIds": [str(pk) for pk in user_ids]}
    if repeated(actor, item, mark):
        return answer
    if item.state != ItemState.WAITING or item.assignee_id != actor.user_id:
        check_holder(actor, item)
    driver.check_moving(held.instance)
    if where not in places(item):
        raise Refusal("workflow.signPlace", _("该步骤不支持在此位置加签"))
    names = _names(user_ids)
    if _loop(item) is not None and where != Signs.BEFORE:
        _add_to_countersign(actor, held, item, user_ids, names, where)
    else:
        _add_to_step(actor, held, item, user_ids, names, Signs(where), reason)
    describe_change(item, item.assignee_id, item.assignee_id)
    entry = current_entry()
    entry.operation, entry.remark = f"task.add{where.capitalize()}", f"{'、'.join(names.values())}：{reason}"
    entry.digest = entry.digest or mark
    return answer


def _names(user_ids: Sequence[int]) -> dict[int, str]:
    """Return the names of these people, in this order; raises Invalid unless all of them may work."""
    known = dict(User.objects.filter(pk__in=user_ids, is_enabled=True).values_list("pk", "real_name"))
    if not user_ids or len(known) != len(user_ids):
        raise Invalid({"userIds": _("请选择{field}").format(field=_("加签人"))})
    return {pk: known[pk] for pk in user_ids}


def _check_new(names: Mapping[int, str], present: Iterable[int | None], added: int, depth: int) -> None:
    """Raise unless none of them signs the step already, and the step may have so many signers more."""
    twice = [names[pk] for pk in names if pk in set(present)]
    if twice:
        raise Invalid({"userIds": _("{name}已是该步骤的办理人或加签人").format(name="、".join(twice))})
    if added + len(names) > signers.MOST:
        raise Refusal("workflow.signersFull", _("一个步骤最多加签{n}人").format(n=signers.MOST))
    if depth > signers.DEEPEST:
        raise Refusal("workflow.signersDeep", _("加签最多{n}层").format(n=signers.DEEPEST))


def _people(rows: Iterable[WorkItem]) -> set[int | None]:
    return {person for row in rows for person in (row.assignee_id, row.completed_by, *row.delegators)}


def _add_to_step(
    actor: Actor, held: driver.Held, item: WorkItem, people: Sequence[int], names: Mapping[int, str], signs: Signs,
    reason: str,
) -> None:  # fmt: skip
    signing = signers.of(item, held.not_over) or signers.Signing([item])
    _check_new(names, _people(signing.members), len(signing.members) - 1, signing.depth(item) + 1)
    new = signers.add(signing.root, item, people, signs, actor.user_id)
    held.not_over += new
    signing.members += new
    signing.settle(words=reason)
    for one in new:
        check_sees(one, one.assignee_id or 0, actor.tenant_id, "userIds")


def _add_to_countersign(
    actor: Actor, held: driver.Held, item: WorkItem, people: Sequence[int], names: Mapping[int, str], where: str
) -> None:
    peers, to_come = _countersign(held.instance, item, held.not_over)
    added = [one for one in peers if one.added_by is not None]
    present = {*_people(peers), *(note["person"] for note in to_come.values())}
    _check_new(names, present, len(added) + len(to_come), _depth(item, peers) + 1)
    note = {"to": item.pk, "by": actor.user_id, "round": item.round}
    more = [(str(pk), {**note, "person": pk}) for pk in people]
    is_next = where == Signs.AFTER

    def step_of(spec: engine.Specification, state: bytes, host: Any) -> engine.Step:
        return engine.add_loop_instances(spec, state, item.engine_task, more, host, is_next=is_next)

    driver.take_for(held, item.node, Completion("", actor), step_of)
    for one in held.open:
        if one.added_to == item.pk and one.assignee_id in names and one not in peers:
            check_sees(one, one.assignee_id or 0, actor.tenant_id, "userIds")
    notices.tell(item, people, _TOLD)


def beside(item: WorkItem) -> tuple[list[WorkItem], dict[int, Mapping[str, Any]]]:
    """Return the items of those who sign the step of an item beside its holder, and the notes of those to come.

    The latter were added to a sequential countersign, by number of the loop instance. For a plain step without signers
    no statement.
    """
    signing = signers.of(item, ())
    peers, to_come = _countersign(item.instance, item, ()) if _loop(item) is not None else ([], {})
    members = [*(signing.members if signing is not None else ()), *peers]
    return [one for one in {one.pk: one for one in members}.values() if one.pk != item.pk], to_come


def _countersign(
    instance: ProcessInstance, item: WorkItem, locked: Sequence[WorkItem]
) -> tuple[list[WorkItem], dict[int, Mapping[str, Any]]]:
    """Return the items of the loop instances of an item's activity, and by number the notes of those to come.

    `locked` are the items of the instance that are not over.
    """
    known = {one.pk: one for one in locked}
    rows = WorkItem.objects.filter(instance=instance, activity=item.activity, signs="") if item.activity else ()
    peers = [known.get(row.pk, row) for row in rows if row.state != ItemState.DROPPED]
    waits = next((one for one in peers if one.state in NOT_OVER), item)
    specification, state = library.specification(instance.definition_id), bytes(instance.state)
    found = engine.loop_instances(specification, state, waits.engine_task)
    if found is None:
        return peers, {}
    # Those that were made before items told their activity are known by their tasks.
    peers += [one for one in locked if one.engine_task in found.tasks and not one.signs and one not in peers]
    return peers, dict(found.to_come)


def _depth(item: WorkItem, peers: Sequence[WorkItem]) -> int:
    above = next((one for one in peers if one.pk == item.added_to), None)
    return 0 if item.added_by is None else 1 + (_depth(above, peers) if above is not None else 0)


@operation("task.removeSigner", code=SIGNED_IN)
def remove(actor: Actor, item_id: int, user_id: int, reason: str) -> dict[str, Any]:
    """Remove a signer who has not signed from the step of an item: by whoever added them, or who follows processes."""
    mark = digest(["removeSigner", user_id, reason])
    held, item = locked(find(item_id))
    answer = {"taskId": str(item.pk), "userId": str(user_id)}
    if repeated(actor, item, mark):
        return answer
    signing = signers.of(item, held.not_over)
    is_loop = _loop(item) is not None
    peers, to_come = _countersign(held.instance, item, held.not_over) if is_loop else ([], {})
    members = [*(signing.members if signing else ()), *peers]
    if actor.user_id not in _people([item, *members]) and not actor.may(reassign.CODE):
        raise NotAllowed()
    signer = next((one for one in members if one.state in NOT_OVER and one.assignee_id == user_id), None)
    number = next((number for number, note in to_come.items() if note["person"] == user_id), None)
    is_drawn = signer is not None and not signer.signs and signer not in peers
    if (signer is None and number is None) or is_drawn:
        done = next((one for one in members if one.completed_by == user_id), None)
        raise taken(done) if done is not None else Invalid({"userId": _("此人不是该步骤的加签人")})
    by = signer.added_by if signer is not None else to_come[number or 0]["by"]
    if by != actor.user_id and not actor.may(reassign.CODE):
        raise NotAllowed(_("只有加签的人或流程管理员可以移除"))
    driver.check_moving(held.instance)
    if signer is not None and signer.signs and signing is not None:
        _leave_step(actor, held, signing, signer)
    else:
        _leave_countersign(actor, held, item, signer, number)
    notices.tell(signer or item, [user_id], _REMOVED, reason)
    describe_change(item, item.assignee_id, item.assignee_id)
    entry = current_entry()
    entry.remark, entry.digest = f"{ports.people.names({user_id}).get(user_id, '')}：{reason}", entry.digest or mark
    return answer


def _leave_step(actor: Actor, held: driver.Held, signing: signers.Signing, signer: WorkItem) -> None:
    """Take a signer out of a step; where nobody is waited for any more, the process goes on."""
    gone = signing.leave(signer)
    signers.forget(gone)
    held.not_over = [one for one in held.not_over if one not in gone]
    root = signing.root
    if not signing.is_over():
        signing.settle()
        return

    def step_of(spec: engine.Specification, state: bytes, host: Any) -> engine.Step:
        return engine.complete(spec, state, root.engine_task, root.outcome, {}, host, _ends(root))

    driver.take_for(held, root.node, Completion(root.outcome, actor), step_of)


def _leave_countersign(
    actor: Actor, held: driver.Held, item: WorkItem, signer: WorkItem | None, number: int | None
) -> None:
    """Take a loop instance out of a countersign, one that waits or one that is still to come."""
    peers, _to_come = _countersign(held.instance, item, held.not_over)
    task = (signer or next(one for one in peers if one.state in NOT_OVER)).engine_task

    def step_of(spec: engine.Specification, state: bytes, host: Any) -> engine.Step:
        return engine.remove_loop_instance(spec, state, task, host, _ends(item), number)

    driver.take_for(held, item.node, Completion("", actor), step_of)
    if signer is not None:
        rows = WorkItem.objects.filter(instance=held.instance, engine_task=signer.engine_task)
        signers.forget(rows.filter(state=ItemState.DROPPED))


def complete(actor: Actor, held: driver.Held, item: WorkItem, outcome: str, comment: str, mark: str) -> dict[str, Any]:
    """Complete the item of a signer, inside the operation of the work list."""
    instance, bound = held.instance, ports.effects.get(item.business_type)
    if not items.open_item(item).is_for(actor):
        raise NotAllowed()
    record = instance if bound is None else bound.load(item.business_id)
    entry = current_entry()
    entry.business_type, entry.business_id, entry.remark = item.business_type, item.business_id, comment
    completion = Completion(outcome=outcome, actor=actor, comment=comment, digest=mark)
    driver.complete(held, item.pk, record, completion, lambda: standalone.answer(instance), ends=_ends(item))
    return standalone.answer(instance)
