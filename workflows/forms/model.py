"""The forms of a model: which schema each step shows, and what a definition keeps of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import orjson

from workflows.engine import Node, Specification, Values
from workflows.engine.errors import Problem
from workflows.forms import references, schema, vendor
from workflows.forms.values import HOLDS, Schema, inputs, is_locked

_WITH_FORM = {"startEvent", "userTask"}
MAX_FORMS = 50


def forms_of(specification: Specification, beside: Mapping[str, Any]) -> tuple[dict[str, Schema], list[Problem]]:
    """By node the schema that it shows, and every reason why a form is refused; the start's is that of `first`.

    A node names its form (`xw:form`), whose schema is a `form` element of the process or lies beside the model; or it
    has the fields of another engine. What a step only shows (`xw:readonlyFields`) or hides (`xw:hiddenFields`), `*` for
    all, is worked into its schema. A step may hide fields of other forms too: of what was filled in before.
    """
    named, problems = _named(specification, beside)
    found: dict[str, Schema] = {}
    for node in specification.nodes.values():
        reference = node.extensions.get("form", "")
        if not reference and not node.fields:
            continue
        if node.kind not in _WITH_FORM or (node.kind == "startEvent" and node.id != specification.first):
            problems.append(Problem(node.id, "form_place", "该元素不能有表单", "This element cannot have a form"))
        elif reference and reference not in named:
            zh, en = f"表单“{reference[:40]}”不存在", f"The form “{reference[:40]}” does not exist"
            problems.append(Problem(node.id, "form_missing", zh, en))
        else:
            whole = named[reference] if reference else _vendors(node, problems)
            if whole is not None:
                found[node.id] = _of_step(node, whole, problems)
    return found, [*problems, *_disagreements(found), *_unknown_hidden(specification, found)]


def _named(specification: Specification, beside: Mapping[str, Any]) -> tuple[dict[str, Schema | None], list[Problem]]:
    """Return the schemas that nodes may name; None for one that is refused."""
    problems: list[Problem] = []
    drawn: dict[str, Any] = dict(beside)
    for name, text in specification.forms.items():
        try:
            drawn[name] = orjson.loads(text)
        except orjson.JSONDecodeError:
            drawn[name] = text
    if len(drawn) > MAX_FORMS:
        zh, en = f"表单超过{MAX_FORMS}个", f"There are more than {MAX_FORMS} forms"
        return {}, [Problem("", "form_size", zh, en)]
    named: dict[str, Schema | None] = {}
    for name, drawing in drawn.items():
        faults = schema.problems(drawing)
        problems += [_in_form("", name, fault) for fault in faults]
        named[name] = None if faults else drawing
    return named, problems


def _vendors(node: Node, problems: list[Problem]) -> Schema | None:
    drawing, unread = vendor.schema_of(node.fields)
    faults = unread or schema.problems(drawing)
    problems += [_in_form(node.id, "", fault) for fault in faults]
    return None if faults else drawing


def _in_form(element: str, form: str, fault: Problem) -> Problem:
    """Return a fault of a schema as one of the model, which says where in the form it is."""
    zh, en = (f"表单“{form[:40]}”", f"Form “{form[:40]}”") if form else ("表单", "Form")
    if fault.element:
        zh, en = f"{zh}的字段“{fault.element}”", f"{en}, field “{fault.element}”"
    return Problem(element, fault.code, f"{zh}：{fault.text_zh}", f"{en}: {fault.text_en}")


def _of_step(node: Node, whole: Schema, problems: list[Problem]) -> Schema:
    """Return the schema as this step sees it."""
    keys = {str(component["key"]) for component in inputs(whole)}
    chosen = {}
    for attribute in ("readonlyFields", "hiddenFields"):
        names = named_fields(node, attribute)
        chosen[attribute] = keys if "*" in names else names
    problems += [_no_field(node, name) for name in sorted(chosen["readonlyFields"] - keys)]

    def seen(components: Any) -> list[Any]:
        kept = []
        for component in components:
            if component["type"] == "group":
                component = {**component, "components": seen(component["components"])}
            elif component.get("key") in chosen["hiddenFields"]:
                continue
            elif component.get("key") in chosen["readonlyFields"]:
                component = {**component, "readonly": True}
            kept.append(component)
        return kept

    return {**whole, "components": seen(whole["components"])}


def named_fields(node: Node, attribute: str) -> set[str]:
    """Return the keys, or `*`, that the attribute of a node lists."""
    return {name.strip() for name in node.extensions.get(attribute, "").split(",") if name.strip()}


def _no_field(node: Node, name: str) -> Problem:
    zh, en = f"表单中没有字段“{name[:40]}”", f"The form has no field “{name[:40]}”"
    return Problem(node.id, "form_field", zh, en)


def _unknown_hidden(specification: Specification, forms: Mapping[str, Schema]) -> list[Problem]:
    known = {*declared(forms), "*"}
    return [
        _no_field(node, name)
        for node in specification.nodes.values()
        for name in sorted(named_fields(node, "hiddenFields") - known)
    ]


def _disagreements(forms: Mapping[str, Schema]) -> list[Problem]:
    """A key means the same kind of value in all steps: they share what is stored under it."""
    first: dict[str, str] = {}
    found = []
    for node, form in forms.items():
        for component in inputs(form):
            key = str(component["key"])
            kind = HOLDS[component["type"]]
            if first.setdefault(key, kind) != kind:
                zh, en = f"字段“{key}”在各表单中类型不同", f"The field “{key}” has different types in different forms"
                found.append(Problem(node, "form_field", zh, en))
    return found


def declared(forms: Mapping[str, Schema]) -> frozenset[str]:
    """Keys of all fields of a definition's forms: what conditions may read."""
    return frozenset(str(component["key"]) for form in forms.values() for component in inputs(form))


def is_to_fill(form: Schema | None) -> bool:
    """Return whether somebody may enter something in this form."""
    return any(not is_locked(component) for component in inputs(form))


_OPEN: Mapping[str, tuple[Any, ...]] = {
    **dict.fromkeys(references.KINDS, ()),
    "files": (("…",),),
    "rows": (("…",),),
}
"""By kind of value, some of what it may hold where nobody can list all of it."""


def possible_values(forms: Mapping[str, Schema]) -> dict[str, Values]:
    """Return by field what it may hold when a condition reads it; a required one that is filled in is not empty."""
    found: dict[str, Values] = {}
    filled: set[str] = set()
    for form in forms.values():
        for component in inputs(form):
            key, kind = str(component["key"]), component["type"]
            if component.get("validate", {}).get("required") and not is_locked(component):
                filled.add(key)
            options = tuple(one["value"] for one in component.get("values", ()))
            if HOLDS[kind] == "list":
                options = ((), *((one,) for one in options))
            if HOLDS[kind] in _OPEN:
                found[key] = Values("", True, _OPEN[HOLDS[kind]])
                continue
            found[key] = Values("" if options else HOLDS[kind], HOLDS[kind] not in ("flag", "list"), options)
    return {key: replace(one, may_be_empty=one.may_be_empty and key not in filled) for key, one in found.items()}
