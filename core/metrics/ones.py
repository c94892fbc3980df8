"""Assets of a period, each with what is told of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.equipment.models import Machine
from core.kernel import clock
from core.metrics import facts
from core.metrics.facts import Facts, Told
from core.system.periods import Period


@dataclass(frozen=True)
class One:
    """An asset of a period: what it was then, and what is told of it."""

    pk: int
    code: str
    name: str
    type_id: int | None
    dept_id: int | None
    told: Told


def told_of(machines: Sequence[Machine], period: Period, *, points: bool = False) -> list[One]:
    """Return what is told now of the assets that were in service in a period, or of which there are records."""
    (found,) = told_of_each(machines, [period], points=points)
    return found


def told_of_each(machines: Sequence[Machine], each: Sequence[Period], *, points: bool = False) -> list[list[One]]:
    """Return of each of these periods what `told_of` returns; as many statements as for one of them."""
    told = facts.of_each(machines, each, clock.now(), points=points)
    return [
        [
            One(one.pk, one.machine_code, one.machine_name, one.type_id, one.dept_id, found[one.pk])
            for one in machines
            if _in_service(one, period) or found[one.pk].facts != Facts()
        ]
        for period, found in zip(each, told, strict=True)
    ]


def _in_service(machine: Machine, period: Period) -> bool:
    since, until = machine.in_service_date, machine.scrap_date
    return (since is None or since <= period.last) and (until is None or until > period.first)
