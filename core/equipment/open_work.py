"""Open work on machines: applications whose records are about a machine count here what is still to be done on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from core.equipment.models import Machine
from core.kernel.errors import Conflict


class _Kind(NamedTuple):
    name: Any
    """What people call such records: a `label`."""
    count: Callable[[Machine], int]


_kinds: list[_Kind] = []


def register(name: Any, count: Callable[[Machine], int]) -> None:
    """Register how the open records of one kind that are about a machine are counted."""
    _kinds.append(_Kind(name, count))


def refuse_if_open(machine: Machine, done: str) -> None:
    """Raise Conflict where records about the machine are open; `done` says what therefore cannot be done to it."""
    for kind in _kinds:
        if number := kind.count(machine):
            text = _("设备有{n}张未完成的{kind}，不能{done}").format(n=number, kind=kind.name, done=done)
            raise Conflict("machine.hasOpenWork", text, {"count": number})
