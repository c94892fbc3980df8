"""The form fields that messages and answers of operations set: those that the model names, checked like any input."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import orjson
from django.utils.translation import gettext as _

from core.kernel.errors import Refusal
from workflows import engine
from workflows.engine.errors import Problem
from workflows.forms import references, values
from workflows.forms.values import Component, Schema
from workflows.runtime.tables.deployments.models import Definition

MAX_FORM = 64_000  # bytes of what an instance keeps
_NOT_SET = {references.FILES}
"""Types of fields that only people set: a file is uploaded first."""
_RESULT = "form."


def fields(forms: Mapping[str, Schema]) -> Iterator[Component]:
    """Yield the fields that people fill in at the start or at a step, each once."""
    seen: set[str] = set()
    for form in forms.values():
        for component in values.inputs(form):
            if component["key"] not in seen and not values.is_locked(component):
                seen.add(component["key"])
                yield component


def settable(forms: Mapping[str, Schema], names: Collection[str]) -> list[Component]:
    """Return those of the named fields that a message or an answer may set, read-only ones among them."""
    found: dict[str, Component] = {}
    for form in forms.values():
        for component in values.inputs(form):
            key = str(component["key"])
            if key in names and component["type"] not in _NOT_SET:
                found.setdefault(key, {**component, "readonly": False, "disabled": False})
    return list(found.values())


def checked(
    forms: Mapping[str, Schema], names: Collection[str], given: Mapping[str, Any], stored: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the given values of the named fields as they are stored; others are left out.

    Raises Invalid with a sentence for each wrong value, and Refusal where the form would be too large.
    """
    components = [one for one in settable(forms, names) if one["key"] in given]
    clean = values.check({"components": components}, {one["key"]: given[one["key"]] for one in components}, stored)
    if len(orjson.dumps({**stored, **clean})) > MAX_FORM:
        raise Refusal("form.tooLarge", _("表单内容过大，请精简后再提交"))
    return clean


def sent(definition: Definition, names: Iterable[str], stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of these fields as a message takes them to other processes."""
    held = [one for one in settable(definition.forms, set(names)) if one["key"] in stored]
    return {str(one["key"]): references.wired(one, stored[one["key"]]) for one in held}


def fields_of_results(node: engine.Node) -> dict[str, str]:
    """Return the results of a service task that set a form field: by name in the answer the field."""
    return {name: to.removeprefix(_RESULT) for name, to in node.results.items() if to.startswith(_RESULT)}


def variables_of_results(node: engine.Node, answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return the process variables that an answer sets; what it lacks is null."""
    return {to: answer.get(name) for name, to in node.results.items() if not to.startswith(_RESULT)}


def problems(specification: engine.Specification, forms: Mapping[str, Schema]) -> Iterator[Problem]:
    """Yield a problem for each field that a message or an answer cannot set, and for each that a start lacks."""
    for node in specification.nodes.values():
        for name in (*node.carried, *fields_of_results(node).values()):
            if not settable(forms, {name}):
                zh = f"表单中没有字段“{name[:40]}”，或该字段不能由消息设置"
                en = f"No form has the field “{name[:40]}”, or a message cannot set it"
                yield Problem(node.id, "message_field", zh, en)
    asked = {"components": list(values.inputs(forms.get(specification.first)))}
    for start in specification.message_starts:
        carried = specification.nodes[start].carried
        for component in asked["components"]:
            is_needed = component.get("validate", {}).get("required") and not values.is_locked(component)
            if is_needed and component["key"] not in carried:
                name = str(component["key"])[:40]
                zh = f"发起表单的必填字段“{name}”须由启动流程的消息设置"
                en = f"The message that starts the process must set the required field “{name}” of the start form"
                yield Problem(start, "message_field", zh, en)
