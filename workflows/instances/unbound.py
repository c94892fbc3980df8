"""Processes that no record is bound to: who starts them, what their steps take, who sees what of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from core.kernel import ports
from core.kernel.act import current_act
from core.kernel.actor import Actor
from core.kernel.errors import Missing, NotAllowed, Refusal
from core.kernel.operation import SIGNED_IN, operation
from core.kernel.ports import Completion, OpenItem
from core.system.numbers import next_number
from workflows.deployments import library
from workflows.deployments.models import Definition
from workflows.forms import model as forms
from workflows.forms import values
from workflows.forms.values import Schema
from workflows.instances import driver
from workflows.instances.models import UNBOUND, ProcessInstance
from workflows.worklist import items
from workflows.worklist.models import ItemState, PoolKey, WorkItem

MAX_FORM = 64_000  # bytes of what an instance keeps
PREFIX = "LC"
"""Of their numbers."""
PAGE = "/work/process/own/form/{id}"
"""Address in the console where one is started."""
FOLLOWS = "flow_follow_view"
"""Permission code of those who look after all processes of the company."""


def to_start(actor: Actor, definition_id: int) -> Definition:
    """The definition, when this person may start it by itself now; raises what stands in the way."""
    definition = library.to_start_version(definition_id)
    if definition.business_type:
        raise Refusal("workflow.bound", _("流程「{name}」由业务单据发起").format(name=definition))
    if not library.may_start(actor, definition):
        raise NotAllowed(_("没有权限发起流程「{name}」").format(name=definition))
    return definition


def start_form(definition: Definition) -> Schema | None:
    """What is asked when it starts."""
    form: Schema | None = definition.forms.get(library.specification(definition.pk).first)
    return form


@operation("process.start", code=SIGNED_IN)
def start(actor: Actor, definition_id: int, variables: Mapping[str, Any]) -> dict[str, Any]:
    """Start a definition with what was filled in; raises Invalid with a sentence a field."""
    definition = to_start(actor, definition_id)
    form = filled({}, start_form(definition), "", variables, {})
    instance = driver.start_unbound(definition, form, next_number(PREFIX), actor)
    act = current_act()
    act.business_type, act.business_id, act.remark = UNBOUND, instance.pk, instance.title
    return _answer(instance)


def complete(
    actor: Actor, instance_id: int, item: OpenItem, outcome: str, variables: Mapping[str, Any], comment: str, mark: str
) -> dict[str, Any]:
    """Complete a step with its form, inside the queue's operation. A rejection that the model cannot follow ends it."""
    instance = driver.lock(UNBOUND, instance_id).instance
    if not item.is_for(actor):
        raise NotAllowed() if sees(actor, instance_id) else Missing()
    definition = library.definition(instance.definition_id)
    step = definition.meta["nodes"].get(item.node, {})
    clean = filled(step, definition.forms.get(item.node), outcome, variables, instance.form)
    instance.form = {**instance.form, **clean}
    act = current_act()
    act.business_type, act.business_id, act.remark = UNBOUND, instance_id, comment
    said = Completion(outcome=outcome, actor=actor, data=clean, comment=comment, digest=mark)
    driver.complete(item.id, instance, said, lambda: _answer(instance), UNBOUND, ends=step.get("ends", ()))
    return _answer(instance)


def filled(
    step: Mapping[str, Any], form: Schema | None, outcome: str, given: Mapping[str, Any], stored: Mapping[str, Any]
) -> dict[str, Any]:
    """What a step adds to what is `stored`, checked; who rejects need not fill in what is required for a yes.

    `step` is what the definition says of the node, {} for the start. Raises Invalid with a sentence a field, and
    Refusal when there would be too much of it.
    """
    rejects = bool(outcome) and outcome == step.get("negative")
    clean = values.check(form, given, stored, may_lack=rejects)
    if len(orjson.dumps({**stored, **clean})) > MAX_FORM:
        raise Refusal("form.tooLarge", _("表单内容过大，请精简后再提交"))
    return clean


def _answer(instance: ProcessInstance) -> dict[str, Any]:
    return {
        "processInstanceId": str(instance.pk),
        "businessNo": instance.business_no,
        "title": instance.title,
        "processIsFinished": "finished" if instance.is_over else "unfinished",
    }


def sees(actor: Actor, instance_id: int) -> bool:
    """Whether the person started it, holds, did, delegated or may take a step of it, or follows all processes.

    Two statements at most.
    """
    rows = ProcessInstance.objects.filter(pk=instance_id, business_type=UNBOUND)
    if not actor.may(FOLLOWS):
        steps = WorkItem.objects.filter(instance=OuterRef("pk"))
        own = steps.filter(Q(assignee_id=actor.user_id) | Q(completed_by=actor.user_id))
        pools = PoolKey.objects.filter(key__in=sorted(ports.keys_of(actor))).values("pool")
        rows = rows.filter(Q(starter_id=actor.user_id) | Exists(own) | Exists(steps.filter(pool__in=pools)))
    return bool(rows.exists()) or items.is_delegator(actor.user_id, UNBOUND, instance_id)


def hidden(actor: Actor, instance: ProcessInstance, steps: list[WorkItem]) -> frozenset[str]:
    """Keys of the fields that the person may not read: those that each of the person's steps hides."""
    if instance.starter_id == actor.user_id or actor.may(FOLLOWS):
        return frozenset()
    definition, keys = library.definition(instance.definition_id), ports.keys_of(actor)
    own = {
        item.node
        for item in steps
        if actor.user_id in (item.assignee_id, item.completed_by, *item.delegators)
        or (item.state == ItemState.OPEN and not keys.isdisjoint(item.candidate_keys))
    }
    if not own:
        return forms.declared(definition.forms)
    said = definition.meta["nodes"]
    return frozenset.intersection(*(frozenset(said.get(node, {}).get("hidden", ())) for node in own))


def sections(actor: Actor, instance: ProcessInstance, steps: list[WorkItem]) -> list[dict[str, Any]]:
    """What was filled in, step by step, with its fields' labels: each field where it was asked first."""
    definition = library.definition(instance.definition_id)
    unread = hidden(actor, instance, steps)
    asked: list[tuple[str, str, Schema | None]] = [("", "", start_form(definition))]
    done = [item for item in steps if item.state == ItemState.DONE]
    asked += [(item.node, item.name, definition.forms.get(item.node)) for item in done]
    shown: set[str] = set()
    found = []
    for node, name, form in asked:
        fields = [
            component
            for component in values.inputs(form)
            if component["key"] not in shown and component["key"] in instance.form and component["key"] not in unread
        ]
        shown |= {str(component["key"]) for component in fields}
        if fields:
            held = {str(component["key"]): instance.form[component["key"]] for component in fields}
            found.append({"node": node, "name": name, "form": {"components": fields}, "values": held})
    return found
