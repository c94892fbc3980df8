"""What an operation would be given, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from core.kernel.texts import choose, length
from core.ports import Parameter, ParameterKind
from workflows.workbench.designer import people


def told(declared: Sequence[Parameter], given: Mapping[str, Any]) -> list[dict[str, str]]:
    """Each parameter that is given, with its value as people say it."""
    return [
        {"name": one.name, "label": choose(one.zh, one.en), "text": _text(one, given[one.name])}
        for one in declared
        if one.name in given
    ]


def _text(declared: Parameter, value: Any) -> str:
    match declared.kind:
        case ParameterKind.FLAG:
            return _("是") if value else _("否")
        case ParameterKind.CHOICE:
            return str(dict(declared.choices)[value])
        case ParameterKind.DURATION:
            return length(value)
        case ParameterKind.PEOPLE:
            return choose("、", ", ").join(people.called(value)) or _("没有人")
        case _:
            return str(value)
