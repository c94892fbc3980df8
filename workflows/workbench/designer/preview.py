"""Who would get a step of a model, and when a timer would fall due, though the model may not be finished."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from core import ports
from core.kernel.actor import Actor
from core.kernel.errors import Invalid
from core.kernel.texts import choose
from workflows import engine
from workflows.forms import model
from workflows.runtime.definitions import names, outcomes, policies, weights
from workflows.runtime.definitions.assignment import named, offers
from workflows.runtime.rows import timers
from workflows.workbench import gate
from workflows.workbench.designer import deciding, people, sample


def candidates(actor: Actor, asked: dict[str, Any]) -> dict[str, Any]:
    """Who would get the step, were it reached with these values.

    Raises Invalid where the model cannot be read, has no such step, or a value cannot be used.
    """
    try:
        specification = engine.sketch(asked["xml"].encode())
    except engine.ModelError as error:
        raise Invalid({"xml": choose(error.text_zh, error.text_en)}) from error
    node = specification.nodes.get(asked["element"])
    if node is None or node.kind != "userTask":
        raise Invalid({"element": _("请选择一个用户任务")})
    declared = gate.shipped().get(specification.process_id)
    bound = ports.effects[declared["business_type"]] if declared else None
    starter = sample.person(actor, asked.get("starterId"), "starterId")
    record = sample.record(bound, actor, starter, asked.get("recordId"))
    readable = names.readable(
        specification,
        model.forms_of(specification, {})[0],
        record=sample.changed(bound, record, asked.get("record", {})),
        starter=(starter.user_id, starter.name),
        form=asked.get("values", {}),
    )
    schemas, meta = model.forms_of(specification, {})[0], _meta(specification, declared)
    policy = policies.of(specification, meta, node.id)
    answer = {"element": node.id, "name": choose(node.name, node.name_en), "problem": ""}
    try:
        said = [
            named(node, {**readable, **one}, is_bound=bound is not None, instead=policy.nobody)
            for one in engine.instances(node, readable)
        ]
    except engine.EngineError as error:
        problem = choose(error.text_zh, error.text_en)
        nobody = {"people": [], "total": 0, "isHeld": False, "rules": [], "instead": "", "reason": ""}
        return {**answer, **nobody, "problem": problem}
    found = [
        deciding.offered(policy, one, starter.user_id)
        for one in offers(said, starter.user_id, is_bound=bound is not None)
    ]
    told = people.told(said, found, node.is_multi_instance)
    if not node.is_multi_instance:
        step, form = meta["nodes"].get(node.id, {}), schemas.get(node.id)
        reason = deciding.reason_of(policy, step, form, found[0], starter.user_id, deciding.Past(meta))
        told["reason"] = str(reason.label) if reason else told["reason"]
    if node.loop is not None and node.loop.weights:
        each = weights.of(node.loop.weights, [one["id"] for one in told["people"]])
        told["people"] = [{**one, "weight": weight} for one, weight in zip(told["people"], each, strict=True)]
    return {**answer, **told}


def _meta(specification: engine.Specification, declared: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return of a model that need not be finished what policies ask of the data kept beside a definition."""
    said = outcomes.of(specification, model.forms_of(specification, {})[0])
    own = declared["nodes"] if declared else {}
    nodes = {name: {**step, "added": name not in own} for name, step in said["nodes"].items()}
    return {"business_type": declared["business_type"] if declared else "", "nodes": nodes}


def due(text: str, time: str) -> datetime | None:
    """Return when a timer with this duration or repetition would fall due, began it now.

    Raises Invalid for what no timer takes.
    """
    is_working = time == engine.WORKING
    try:
        length = engine.check_length(text, is_working=is_working)
        return timers.DueTimes().of("cycle" if "/" in length else "duration", length, is_working=is_working)
    except engine.ExpressionError as error:
        raise Invalid({"text": choose(error.text_zh, error.text_en)}) from error
