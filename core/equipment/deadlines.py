"""Days that an asset nears, its inspection by law and the end of its warranty: whoever keeps assets is told in time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from core import ports
from core.access.people import holders_of_code
from core.equipment.models import DeadlineNotice, Machine, NodeType, RunState
from core.kernel.texts import both, label
from core.system.periods import today

KEEPS = "inspectmachine_edit"
_MOST_LISTED = 10


class _Kind(NamedTuple):
    name: str
    """What messages about it refer to."""
    column: str
    steps: tuple[int, ...]
    """So many days before it people are told, the most first."""
    called: str


KINDS = (
    _Kind("statutory", "next_statutory_date", (60, 30, 7), label("法定检验", "Statutory inspection")),
    _Kind("warranty", "warranty_end", (30,), label("质保到期", "End of warranty")),
)


def remind() -> int:
    """Tell whoever keeps assets of the days that have come near; return of how many assets.

    Each step is told once, and of steps that a standstill has left out the last one alone. Three statements a kind.
    """
    return sum(_remind(kind, today()) for kind in KINDS)


def _remind(kind: _Kind, day: date) -> int:
    used = Machine.objects.filter(node_type=NodeType.MACHINE, is_sealed=False).exclude(run_state=RunState.SCRAPPED)
    near = used.filter(**{f"{kind.column}__gte": day, f"{kind.column}__lte": day + timedelta(days=kind.steps[0])})
    machines = list(near.order_by(kind.column, "machine_code"))
    known = set(
        DeadlineNotice.objects.filter(kind=kind.name, machine_id__in=[one.pk for one in machines]).values_list(
            "machine_id", "day", "days_before"
        )
    )
    found: dict[int, list[Machine]] = defaultdict(list)
    for machine in machines:
        when: date = getattr(machine, kind.column)
        step = min(one for one in kind.steps if when <= day + timedelta(days=one))
        if (machine.pk, when, step) not in known:
            found[step].append(machine)
    DeadlineNotice.objects.bulk_create(
        DeadlineNotice(kind=kind.name, machine_id=one.pk, day=getattr(one, kind.column), days_before=step)
        for step, several in found.items()
        for one in several
    )
    for step, several in found.items():
        _tell(kind, step, several)
    return sum(map(len, found.values()))


def _tell(kind: _Kind, step: int, machines: Sequence[Machine]) -> None:
    zh, en = both(kind.called)
    named = [f"{one.machine_code} {one} {getattr(one, kind.column)}" for one in machines[:_MOST_LISTED]]
    more = "…" if len(machines) > len(named) else ""
    count = len(machines)
    ports.messages.send(
        holders_of_code(KEEPS),
        (f"{count}台设备{step}天内{zh}", f"{en} within {step} days: {count} {'asset' if count == 1 else 'assets'}"),
        ("、".join(named) + more, ", ".join(named) + more),
        kind.name,
        machines[0].pk,
    )
