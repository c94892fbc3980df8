"""A dry run as it is sent."""

from __future__ import annotations

from typing import Any

from core.identity.models import Department
from core.kernel.errors import Refusal
from core.kernel.texts import choose, moment
from workflows.engine import OpenCall, OpenTimer
from workflows.forms import references
from workflows.forms.values import inputs
from workflows.runtime.definitions import carried, time_texts
from workflows.workbench.designer import catalogue, given, people, sample
from workflows.workbench.designer.dryrun import RUNNING, DryRun, Step, Waiting
from workflows.workbench.gate import Verdict
from workflows.workbench.publishing.serializers import wire

MOST_OPEN = 20
"""Steps that wait of which the people are told."""


def refused(verdict: Verdict) -> dict[str, Any]:
    """Return the gate's errors, and nothing else."""
    return {
        "problems": [wire(problem) for problem in verdict.errors[:100]],
        "starter": None, "title": "", "startForm": None, "starts": [], "steps": [], "open": [], "timers": [],
        "messages": [], "calls": [],
        "standing": RUNNING, "form": {}, "formTexts": {}, "record": {},
        "recordTexts": {},
    }  # fmt: skip


def told(run: DryRun) -> dict[str, Any]:
    """Where the run stands after its last step that was taken."""
    model, state = run.model, run.state
    step = state.engine
    catches = sorted({(catch.message, catch.node) for catch in step.catches}) if step else []
    return {
        "problems": [],
        "starter": _starter(run),
        "title": run.title,
        "startForm": model.forms.get(model.specification.first),
        "starts": [_beginning(run, one) for one in run.starts()],
        "steps": [_step(run, one) for one in run.steps],
        "open": [_open(run, one) for one in state.open[:MOST_OPEN]],
        "timers": [_timer(run, one) for one in {one.node: one for one in (step.timers if step else ())}.values()],
        "messages": [
            {
                "name": name,
                "nodes": (nodes := [node for message, node in catches if message == name]),
                "form": {"components": carried.settable(model.forms, _carried(run, nodes))},
            }
            for name in dict.fromkeys(message for message, _node in catches)
        ],
        "calls": [_call(run, one) for one in {one.node: one for one in (step.calls if step else ())}.values()],
        "standing": state.status,
        **_form(run),
        "record": sample.wire(model.bound.design if model.bound else None, state.record),
        "recordTexts": sample.texts(model.bound.design, state.record) if model.bound else {},
    }


def _carried(run: DryRun, nodes: list[str]) -> set[str]:
    return {name for node in nodes for name in run.model.specification.nodes[node].carried}


def _call(run: DryRun, call: OpenCall) -> dict[str, Any]:
    node, operation = run.model.specification.nodes[call.node], run.known[call.operation]
    results = {one.name: choose(one.zh, one.en) for one in operation.results}
    errors = {one.code: choose(one.zh, one.en) for one in operation.errors}
    return {
        "node": call.node,
        **catalogue.texts(operation.name, operation.words),
        "results": [{"name": name, "label": results.get(name, name), "to": to} for name, to in node.results.items()],
        "errors": [{"code": code, "label": errors.get(code, code)} for code in sorted(run.codes(call))],
    }


def _form(run: DryRun) -> dict[str, Any]:
    """Return the values of the forms, and what the ids among them are called."""
    fields = {str(one["key"]): one for form in run.model.forms.values() for one in inputs(form)}
    # Files are names that say themselves what they are: nobody has uploaded them.
    held = [(fields[key], value) for key, value in run.state.form.items() if fields[key]["type"] != references.FILES]
    return {"form": dict(run.state.form), "formTexts": references.texts(held)}


def _beginning(run: DryRun, node: str) -> dict[str, str]:
    timed = run.model.specification.timed_starts.get(node)
    words = time_texts.told(timed.kind, timed.text) if timed else ""
    return {"node": node, "name": _name(run, node), "words": words}


def _starter(run: DryRun) -> dict[str, str]:
    dept = Department.objects.filter(pk=run.starter.dept_id).first()
    return {"id": str(run.starter.user_id), "name": run.starter.name, "deptName": str(dept or "")}


def _step(run: DryRun, step: Step) -> dict[str, Any]:
    act = {name: str(value) if name == "userId" else value for name, value in step.act.items()}
    return {
        "act": act,
        "passed": list(step.passed),
        "flows": list(step.flows),
        "operations": [
            {
                "node": one.node,
                **catalogue.texts(one.operation.name, one.operation.words),
                "parameters": given.told(one.operation.parameters, one.given),
            }
            for one in step.called
        ],
        "thrown": [{"node": one.node, "name": one.message} for one in step.thrown],
        "tokens": dict(step.tokens),
        "standing": step.status,
        "refusal": _refusal(step.refusal),
    }


def _refusal(refusal: Refusal | None) -> dict[str, Any] | None:
    if refusal is None:
        return None
    return {"code": refusal.error, "message": str(refusal.text), "fields": dict(refusal.data.get("fields", {}))}


def _name(run: DryRun, node: str) -> str:
    drawn = run.model.specification.nodes[node]
    return choose(drawn.name, drawn.name_en)


def _open(run: DryRun, waiting: Waiting) -> dict[str, Any]:
    said = run.model.step(waiting.node)
    node = run.model.specification.nodes[waiting.node]
    return {
        "node": waiting.node,
        "name": _name(run, waiting.node),
        "round": waiting.round,
        "seat": waiting.seat,
        "formKey": node.extensions.get("formKey", ""),
        "form": run.model.forms.get(waiting.node),
        "outcomes": [
            {
                "key": one["key"],
                "label": choose(one["zh"], one["en"]),
                "isPositive": one["key"] == said.get("positive"),
                "isNegative": one["key"] == said.get("negative"),
                "isEnd": run.model.bound is None and one["key"] in said.get("ends", ()),
            }
            for one in said.get("outcomes", [])
        ],
        "recipients": people.told([waiting.named], [run.offer(waiting)], False),
    }


def _timer(run: DryRun, timer: OpenTimer) -> dict[str, str]:
    bound = run.model.bound
    is_of_business = bound is not None and timer.kind == "due"
    return {
        "node": timer.node,
        "name": _name(run, timer.node),
        "dueTime": moment(run.state.dues[timer.task]),
        "dueLabel": catalogue.due(bound.design, timer.text)["label"] if bound and is_of_business else "",
    }
