"""With what a model is tried: who starts it, and what its record holds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from core import ports
from core.identity.authentication import actor_of
from core.identity.models import Department
from core.kernel.actor import Actor
from core.kernel.errors import Invalid, Missing
from core.kernel.ids import is_id
from core.kernel.tenancy import current_tenant
from core.ports import Design, Effects, Kind, RecordName
from workflows.forms.values import MAX_NUMBER

_IDS = (Kind.USER, Kind.DEPT, Kind.TEAM)
_MAX_CODE = 40


def person(actor: Actor, user_id: int | None, field: str) -> Actor:
    """Somebody of the company in scope who may work; the caller where nobody is named. Raises Invalid."""
    if user_id is None and actor.tenant_id == current_tenant():
        return actor
    found = actor_of(user_id, current_tenant()) if user_id is not None else None
    if found is None:
        raise Invalid({field: _("请选择{field}").format(field=_("发起人") if field == "starterId" else _("办理人"))})
    return found


def record(bound: Effects | None, actor: Actor, starter: Actor, record_id: int | None) -> dict[str, Any]:
    """`record.*` of a record that the caller may read, else of one such as the starter would make.

    Raises Missing where there is no such record for the caller.
    """
    if bound is None:
        if record_id is not None:
            raise Missing()
        return {}
    if record_id is None:
        return dict(bound.names(bound.design.sample(starter)))
    found = bound.design.peek(record_id) if bound.sees(actor, record_id) else None
    if found is None:
        raise Missing()
    return dict(bound.names(found))


def changed(bound: Effects | None, before: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """`record.*` with what somebody says of it instead, checked. Raises Invalid with a sentence a name."""
    names = bound.design.names if bound else {}
    faults: dict[str, str] = {}
    after = dict(before)
    for name, value in given.items():
        try:
            after[name] = _checked(names[name], value)
        except KeyError:
            faults[name[:40]] = _("表单中没有字段“{name}”").format(name=name[:40])
        except ValueError:
            number = names[name].kind == Kind.NUMBER
            text = _("{field}应为数字") if number else _("请选择{field}")
            faults[name] = text.format(field=names[name].label)
    if faults:
        raise Invalid(faults)
    return after


def _checked(said: RecordName, value: Any) -> Any:
    """Return the value as conditions read it; raises ValueError."""
    if said.kind == Kind.FLAG:
        right = isinstance(value, bool)
    elif said.kind == Kind.NUMBER:
        right = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        right = right and abs(value) <= MAX_NUMBER
    elif said.kind == Kind.CHOICE:
        right = not isinstance(value, bool) and value in dict(said.choices)
    elif said.kind in _IDS:
        text = str(value or "")
        if text and not is_id(text):
            raise ValueError
        return int(text) if text else ""
    else:
        right = isinstance(value, str) and len(value) <= _MAX_CODE
    if not right:
        raise ValueError
    return value


def wire(design: Design | None, values: Mapping[str, Any]) -> dict[str, Any]:
    """`record.*` as it is sent: ids as texts, because they are longer than a browser's numbers."""
    names = design.names if design else {}
    return {name: str(value) if names[name].kind in _IDS else value for name, value in values.items()}


def texts(design: Design, values: Mapping[str, Any]) -> dict[str, str]:
    """Of the names that hold an id, what is called so; two statements."""
    held = {name: (said.kind, values[name]) for name, said in design.names.items() if said.kind in _IDS}
    keys = {name: f"{kind.value}:{value}" for name, (kind, value) in held.items() if value and kind != Kind.DEPT}
    depts = {name: value for name, (kind, value) in held.items() if value and kind == Kind.DEPT}
    called = ports.people.describe(set(keys.values()))
    rows = Department.objects.in_bulk(list(depts.values())) if depts else {}
    found = {name: called.get(key, "") for name, key in keys.items()}
    found.update({name: str(rows[pk]) for name, pk in depts.items() if pk in rows})
    return {name: text for name, text in found.items() if text}
