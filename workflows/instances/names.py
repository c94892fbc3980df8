"""What the expressions of a model may read: a name space that instances and the designer's previews share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workflows import engine
from workflows.forms import model
from workflows.forms.values import Schema


def readable(
    specification: engine.Specification,
    forms: Mapping[str, Schema],
    *,
    record: Mapping[str, Any],
    starter: tuple[int, str],
    form: Mapping[str, Any],
) -> Mapping[str, Any]:
    """`record.*`, `starter.*` (id and name) and `form.*`; in other engines' models a field's bare name too.

    There the start may also give a name to who starts, as Flowable's `initiator`.
    """
    own: dict[str, Any] = {"record": record, "starter": {"id": starter[0], "name": starter[1]}, "form": form}
    if specification.is_vendor:
        first = specification.nodes.get(specification.first)
        if first and (initiator := first.extensions.get("initiator")):
            own = {initiator: str(starter[0]), **own}
        return {**dict.fromkeys(model.declared(forms)), **form, **own}
    return own


def title(specification: engine.Specification, usual: str, names: Mapping[str, Any]) -> str:
    """What an instance without a record is called: what the model says, where it says something."""
    said = specification.extensions.get("title")
    found = str(engine.evaluate(said, names) or "")[:200].strip() if said else ""
    return found or usual
