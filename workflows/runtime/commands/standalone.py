"""Commands and questions of standalone processes: start, completion of a step, visibility, values of the forms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from core import ports
from core.kernel import file_uses
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Invalid, Missing, NotAllowed, Refusal
from core.kernel.operation import SIGNED_IN, operation
from core.ports import Asks, Completion
from core.system.numbers import next_number
from workflows.forms import model as forms
from workflows.forms import references, values
from workflows.forms.values import Schema
from workflows.runtime.definitions import carried, library
from workflows.runtime.execution import driver
from workflows.runtime.rows import confidential, items
from workflows.runtime.tables.deployments.models import Definition
from workflows.runtime.tables.instances.models import STANDALONE, ProcessInstance
from workflows.runtime.tables.worklist.models import Copy, ItemState, PoolKey, WorkItem

PREFIX = "LC"
"""Of their numbers."""
PAGE = "/work/process/own/form/{id}"
"""Address in the console where one is started."""


def to_start(actor: Actor, definition_id: int) -> Definition:
    """Return the definition if this person may start it now; raises Missing, Conflict, Refusal or NotAllowed."""
    definition = library.to_start_version(definition_id)
    if definition.business_type:
        raise Refusal("workflow.bound", _("流程「{name}」由业务单据发起").format(name=definition))
    if not library.may_start(actor, definition):
        raise NotAllowed(_("没有权限发起流程「{name}」").format(name=definition))
    return definition


def start_form(definition: Definition) -> Schema | None:
    """Return the form of the start event, or None."""
    form: Schema | None = definition.forms.get(library.specification(definition.pk).first)
    return form


@operation("process.start", code=SIGNED_IN)
def start(actor: Actor, definition_id: int, variables: Mapping[str, Any]) -> dict[str, Any]:
    """Start a process with the values of its start form; raises Invalid with one sentence for each wrong field."""
    definition = to_start(actor, definition_id)
    form = filled({}, start_form(definition), "", variables, {})
    return answer(begin(definition, form, actor))


def begin(definition: Definition, form: Mapping[str, Any], starter: Actor, at: str = "") -> ProcessInstance:
    """Start a process with a checked form inside an operation, at a start event; '' stands for the one of people."""
    instance = driver.start_standalone(definition, form, next_number(PREFIX), starter, at)
    keep_files(instance, definition, {})
    entry = current_entry()
    entry.business_type, entry.business_id, entry.remark = STANDALONE, instance.pk, instance.title
    return instance


def complete(
    actor: Actor, held: driver.Held, item: WorkItem, definition: Definition, outcome: str,
    variables: Mapping[str, Any], comment: str, mark: str,
) -> dict[str, Any]:  # fmt: skip
    """Complete a step with the values of its form, inside the operation of the work list.

    An outcome that the definition lists under `ends` ends the process: no condition behind the step asks for it.
    """
    instance = held.instance
    if not items.open_item(item).is_for(actor):
        raise NotAllowed() if sees(actor, instance.pk) else Missing()
    step = definition.meta["nodes"].get(item.node, {})
    clean = filled(step, definition.forms.get(item.node), outcome, variables, instance.form)
    before = held.form_before = instance.form
    instance.form = {**before, **clean}
    keep_files(instance, definition, before)
    entry = current_entry()
    entry.business_type, entry.business_id, entry.remark = STANDALONE, instance.pk, comment
    completion = Completion(outcome=outcome, actor=actor, data=clean, comment=comment, digest=mark)
    driver.complete(held, item.pk, instance, completion, lambda: answer(instance), ends=step.get("ends", ()))
    return answer(instance)


def asks(item: WorkItem, step: Mapping[str, Any], outcome: str) -> Asks:
    """Return what a person who chooses the outcome of this step, or of one without a command, is asked.

    A rejection may leave the step's form empty. `step` is the node's entry in the definition's meta data.
    """
    form = None if item.signs else library.definition(item.definition_id).forms.get(item.node)
    has_fields = any(not values.is_locked(field) for field in values.inputs(form))
    return Asks.INPUT if has_fields and outcome != step.get("negative") else Asks.NOTHING


def keep_files(instance: ProcessInstance, definition: Definition, before: Mapping[str, Any]) -> None:
    """Store which files the form's values name: what a process shows is not deleted as an attachment."""
    fields = {one["key"] for form in definition.forms.values() for one in values.inputs(form)
              if one["type"] == references.FILES}  # fmt: skip

    def named(held: Mapping[str, Any]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for key in sorted(fields) for name in held.get(key) or ()))

    if named(before) != named(instance.form):
        file_uses.keep(instance, "form", named(before), named(instance.form))


def filled(
    step: Mapping[str, Any],
    form: Schema | None,
    outcome: str,
    given: Mapping[str, Any],
    stored: Mapping[str, Any],
    *,
    tried: bool = False,
) -> dict[str, Any]:
    """Check the values of a step's form and return those to store; a rejection may leave required fields empty.

    `step` is the node's entry in the definition's meta data, {} for the start; `stored` are the values so far; `tried`
    is a dry run, whose files are names alone. Raises Invalid with one sentence for each wrong field, and Refusal when
    the stored values would be too large.
    """
    rejects = bool(outcome) and outcome == step.get("negative")
    clean = values.check(form, given, stored, may_lack=rejects, tried=tried)
    if len(orjson.dumps({**stored, **clean})) > carried.MAX_FORM:
        raise Refusal("form.tooLarge", _("表单内容过大，请精简后再提交"))
    return clean


def check_complete(form: Schema | None, held: Mapping[str, Any]) -> None:
    """Raise Invalid unless the required fields of a form are filled in, whoever may enter them."""
    faults = {}
    for component in values.inputs(form):
        try:
            if not values.is_locked(component):
                values.check_filled(component, held.get(component["key"]))
        except values.Fault as fault:
            faults[str(component["key"])] = str(fault)
    if faults:
        raise Invalid(faults)


def answer(instance: ProcessInstance) -> dict[str, Any]:
    """Return what the start of a process and the completion of a step answer."""
    return {
        "processInstanceId": str(instance.pk),
        "businessNo": instance.business_no,
        "title": instance.title,
        "processIsFinished": "finished" if instance.is_over else "unfinished",
    }


def sees(actor: Actor, instance_id: int) -> bool:
    """Return whether the person started the process, takes or took part in a step of it, has a copy, or follows all.

    At most two statements.
    """
    rows = ProcessInstance.objects.filter(pk=instance_id, business_type=STANDALONE)
    if not actor.may(confidential.FOLLOWS):
        steps = WorkItem.objects.filter(instance=OuterRef("pk"))
        own = steps.filter(Q(assignee_id=actor.user_id) | Q(completed_by=actor.user_id))
        candidate_groups = PoolKey.objects.filter(key__in=sorted(ports.keys_of(actor))).values("pool")
        copy = Copy.objects.filter(instance=OuterRef("pk"), user_id=actor.user_id)
        part = Exists(own) | Exists(steps.filter(pool__in=candidate_groups)) | Exists(copy)
        rows = rows.filter(Q(starter_id=actor.user_id) | part)
    return bool(rows.exists()) or items.is_delegator(actor.user_id, STANDALONE, instance_id)


def hidden(actor: Actor, instance: ProcessInstance, steps: list[WorkItem]) -> frozenset[str]:
    """Return the keys of the fields that the person may not read: those that every step of the person hides."""
    if instance.starter_id == actor.user_id or actor.may(confidential.FOLLOWS):
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


def sections(
    actor: Actor, instance: ProcessInstance, steps: list[WorkItem]
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Return the values of the forms, grouped by step, with the fields' schemas; a field stands where it came first.

    Beside them what the ids and links among the values are called.
    """
    definition = library.definition(instance.definition_id)
    unread = hidden(actor, instance, steps)
    asked: list[tuple[str, str, Schema | None]] = [("", "", start_form(definition))]
    done = [item for item in steps if item.state == ItemState.DONE]
    asked += [(item.node, item.name, definition.forms.get(item.node)) for item in done]
    shown: set[str] = set()
    said: list[references.Pair] = []
    found = []
    for node, name, form in asked:
        fields = [
            component
            for component in values.inputs(form)
            if component["key"] not in shown and component["key"] in instance.form and component["key"] not in unread
        ]
        shown |= {str(component["key"]) for component in fields}
        if fields:
            held = [(component, instance.form[component["key"]]) for component in fields]
            said += held
            values_sent = {str(component["key"]): references.wired(component, value) for component, value in held}
            found.append({"node": node, "name": name, "form": {"components": fields}, "values": values_sent})
    return found, references.texts(said)


def held_by(form: Schema | None, stored: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the values of a form as they are sent, and what the ids and links among them are called."""
    held = [(one, stored[one["key"]]) for one in values.inputs(form) if one["key"] in stored]
    return {str(one["key"]): references.wired(one, value) for one, value in held}, references.texts(held)
