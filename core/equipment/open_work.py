"""Open work on machines: applications whose records are about a machine count here what is still to be done on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from core.equipment.models import Machine
from core.kernel.errors import Conflict


class _Kind(NamedTuple):
    name: Any
    """What people call such records: a `label`."""
    count_open: Callable[[Collection[int]], Mapping[int, int]]


_kinds: list[_Kind] = []


def register(name: Any, count: Callable[[Collection[int]], Mapping[int, int]]) -> None:
    """Register how the open records of one kind are counted: by machine, those of these machines, in one statement."""
    _kinds.append(_Kind(name, count))


def counts(machine_ids: Collection[int]) -> Mapping[int, int]:
    """Return by machine how many records about it are open; one statement a kind."""
    found: Counter[int] = Counter()
    for kind in _kinds if machine_ids else ():
        found.update(kind.count_open(machine_ids))
    return found


def refuse_if_open(machine: Machine, done: str) -> None:
    """Raise Conflict where records about the machine are open; `done` says what therefore cannot be done to it."""
    for kind in _kinds:
        if number := kind.count_open([machine.pk]).get(machine.pk, 0):
            text = _("设备有{n}张未完成的{kind}，不能{done}").format(n=number, kind=kind.name, done=done)
            raise Conflict("machine.hasOpenWork", text, {"count": number})
