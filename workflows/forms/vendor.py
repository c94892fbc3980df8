"""Forms that Flowable, Activiti and Camunda 7 put into a node, as schemas. What cannot be read is named."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from workflows.engine import VendorField
from workflows.engine.errors import Problem

_TYPES: dict[str, dict[str, Any]] = {
    "string": {"type": "textfield"},
    "long": {"type": "number", "decimalDigits": 0},
    "int": {"type": "number", "decimalDigits": 0},
    "integer": {"type": "number", "decimalDigits": 0},
    "double": {"type": "number"},
    "boolean": {"type": "checkbox"},
    "date": {"type": "datetime", "subtype": "date"},
    "enum": {"type": "select"},
}
# What a date looks like is settled for all forms; it is asked and shown in one way.
_READ = {"id", "name", "label", "type", "required", "readable", "writable", "default", "defaultValue", "datePattern"}
_RULES = {"required", "readonly", "min", "max", "minlength", "maxlength"}


def schema_of(fields: Iterable[VendorField]) -> tuple[dict[str, Any], list[Problem]]:
    """Return a form-js schema of the fields, and what of them could not be read; an unreadable field is left out."""
    components, problems = [], []
    for field in fields:
        name = field.attributes.get("id", "")[:60]
        unread = sorted((set(field.attributes) - _READ) | (set(field.rules) - _RULES) | set(field.unread))
        problems += [
            Problem(name, "form_property", f"不支持属性“{one[:40]}”", f"The property “{one[:40]}” is not supported")
            for one in unread
        ]
        kind = field.attributes.get("type", "string")
        if kind not in _TYPES:
            shown = kind[:40]
            problems.append(
                Problem(name, "form_type", f"不支持字段类型“{shown}”", f"The field type “{shown}” is not supported")
            )
        elif field.attributes.get("readable", "true") != "false":
            try:
                components.append(_component(field, kind))
            except ValueError:
                zh, en = "字段的默认值或限制无效", "The field's default value or limits are invalid"
                problems.append(Problem(name, "form_value", zh, en))
    return {"type": "default", "components": components}, problems


def _component(field: VendorField, kind: str) -> dict[str, Any]:
    attributes, limits = field.attributes, field.rules
    key = attributes.get("id", "")
    found: dict[str, Any] = {
        **_TYPES[kind],
        "key": key,
        "label": attributes.get("name") or attributes.get("label") or key,
    }
    if kind == "enum":
        found["values"] = [{"value": value, "label": name or value} for value, name in field.options]
    rules: dict[str, Any] = {}
    # A box that must be ticked is not what these engines mean by a required true or false.
    if kind != "boolean" and (attributes.get("required") == "true" or "required" in limits):
        rules["required"] = True
    for theirs, ours in (("min", "min"), ("max", "max"), ("minlength", "minLength"), ("maxlength", "maxLength")):
        if limits.get(theirs):
            rules[ours] = _number(limits[theirs])
    if rules:
        found["validate"] = rules
    if attributes.get("writable") == "false" or "readonly" in limits:
        found["readonly"] = True
    default = attributes.get("default") or attributes.get("defaultValue")
    if default:
        found["defaultValue"] = _value(found["type"], default)
    return found


def _value(kind: str, text: str) -> Any:
    if kind == "number":
        return _number(text)
    return text == "true" if kind == "checkbox" else text


def _number(text: str) -> int | float:
    return int(text) if text.lstrip("-").isdigit() else float(text)
