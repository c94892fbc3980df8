"""Which assets fail most, stand longest and cost most in a year, what comes back, and what they may cost next.

The estimate of an asset's cost in the next twelve months draws twelve of its last complete months at random, again and
again, and adds them up (a bootstrap): the middle of these sums is the estimate, the tenth and the ninetieth of a
hundred are its range. It follows months as they were, such as a rare dear repair, and no shape that one would have to
believe in; it knows nothing of age, of overhauls that were done, or of prices. The draws are the same for each asset,
so that the same months give the same estimate. With fewer than six complete months in service there is none.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _

from core.equipment.models import Machine, Tag
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.errors import Invalid
from core.kernel.texts import moment
from core.maintenance.models import RepairOrder, Status
from core.maintenance.queries import visible
from core.metrics import kpi
from core.metrics.facts import Facts
from core.metrics.kpi import Slice
from core.system import parameters

RANKS = ("failures", "downMinutes", "totalCost")
MOST = 10
MOST_REPEATS = 20
LEAST_MONTHS = 6
DRAWS = 1000
_YEAR = 12


def answer(actor: Actor, given: Mapping[str, str]) -> dict[str, Any]:
    """Return the worst assets of the twelve reporting months up to what is asked for, and the faults that came back."""
    rank = given.get("rank") or RANKS[0]
    if rank not in RANKS:
        raise Invalid({"rank": _("请求参数格式错误: {name}").format(name="rank")})
    slices = kpi.months(actor, given)
    by_machine: dict[int, dict[str, Facts]] = defaultdict(dict)
    named = {}
    for part in slices:
        for one in part.ones:
            by_machine[one.pk][part.month] = one.told.facts
            named[one.pk] = one
    rows = [_row(named[pk], facts, slices) for pk, facts in by_machine.items()]
    others = [name for name in RANKS if name != rank]
    rows.sort(key=lambda row: (-row[rank], *(-row[name] for name in others), row["name"], row["machineId"]))
    shown = [row for row in rows if row[rank]][:MOST]
    return {
        "from": str(slices[0].period.first),
        "to": str(slices[-1].period.last),
        "asOf": slices[-1].as_of,
        "months": [part.month for part in slices],
        "records": [{**row, "estimate": estimate(row["complete"])} for row in shown],
        "repeatDays": parameters.repair().repeat_days,
        "repeats": repeats(actor, set(named), slices[0].period.bounds()[0], slices[-1].period.bounds()[1]),
    }


def _row(one: Any, facts: Mapping[str, Facts], slices: Sequence[Slice]) -> dict[str, Any]:
    wires = {month: told.wire() for month, told in facts.items()}
    whole = sum(facts.values(), Facts()).wire()
    return {
        "machineId": str(one.pk),
        "name": one.name,
        "code": one.code,
        **{name: whole[name] for name in RANKS},
        "trend": [
            {name: wires[part.month][name] if part.month in wires else None for name in RANKS} for part in slices
        ],
        "complete": _complete(facts, slices),
    }


def estimate(costs: Sequence[float]) -> dict[str, Any] | None:
    """Return what an asset may cost in twelve months, by those of some months; None of too few."""
    if len(costs) < LEAST_MONTHS:
        return None
    chance = random.Random(DRAWS)  # noqa: S311  # the same draws every time, no secret
    sums = sorted(sum(chance.choices(costs, k=_YEAR)) for _number in range(DRAWS))
    low, middle, high = (round(sums[DRAWS * share // 100], 2) for share in (10, 50, 90))
    return {"low": low, "middle": middle, "high": high, "months": len(costs)}


def next_year(actor: Actor, machine_id: int) -> dict[str, Any]:
    """Return what an asset may cost in the next twelve months, by the twelve reporting months up to the present one.

    There is none of what is no asset of the person's departments, nor of an area or a component.
    """
    slices = kpi.months(actor, {"machineId": str(machine_id)})
    facts = {part.month: one.told.facts for part in slices for one in part.ones if one.pk == machine_id}
    return {"machineId": str(machine_id), "estimate": estimate(_complete(facts, slices))}


def _complete(facts: Mapping[str, Facts], slices: Sequence[Slice]) -> list[float]:
    """Return the costs of the months that are over, of those in which the asset was in service."""
    now = clock.now()
    return [
        facts[part.month].wire()["totalCost"]
        for part in slices
        if part.month in facts and part.period.bounds()[1] <= now
    ]


def repeats(actor: Actor, machine_ids: set[int], begin: datetime, end: datetime) -> list[dict[str, Any]]:
    """Return the faults that came back: orders of one asset with the same symptom or cause, each reported within
    `repair.repeat.days` of the one before; the most frequent first. Three statements."""
    rows = RepairOrder.objects.filter(report_time__gte=begin, report_time__lt=end).exclude(status=Status.CANCELLED)
    by_fault: dict[tuple[int, int], list[tuple[datetime, int, str]]] = defaultdict(list)
    for pk, number, machine, symptoms, cause, time in rows.order_by("report_time", "pk").values_list(
        "pk", "order_no", "machine_id", "fault_tag_ids", "cause_tag_id", "report_time"
    ):
        for tag in {*symptoms, *([cause] if cause is not None else ())}:
            by_fault[machine, int(tag)].append((time, pk, number))
    within = timedelta(days=parameters.repair().repeat_days)
    chains = [
        (machine, tag, chain)
        for (machine, tag), orders in by_fault.items()
        for chain in _chains(orders, within)
        if len(chain) > 1
    ]
    machines = _machines_of({machine for machine, _tag, _chain in chains}, machine_ids)
    chains = [one for one in chains if one[0] in machines]
    chains.sort(key=lambda one: (-len(one[2]), -one[2][-1][0].timestamp(), one[0], one[1]))
    chains = chains[:MOST_REPEATS]
    tags = {tag.pk: str(tag) for tag in Tag.with_removed.filter(pk__in={tag for _machine, tag, _chain in chains})}
    ids = {pk for _machine, _tag, chain in chains for _time, pk, _number in chain}
    seen = set(visible(actor).filter(pk__in=ids).order_by().values_list("pk", flat=True))
    return [
        {
            "machineId": str(machine),
            "machineName": machines[machine],
            "tagName": tags.get(tag, ""),
            "times": len(chain),
            "firstTime": moment(chain[0][0]),
            "lastTime": moment(chain[-1][0]),
            "orders": [
                {"id": str(pk) if pk in seen else "", "no": number, "time": moment(time)} for time, pk, number in chain
            ],
        }
        for machine, tag, chain in chains
    ]


def _machines_of(ids: Iterable[int], wanted: set[int]) -> dict[int, str]:
    """Return the names of those of these assets and components that are, or belong to, one of the wanted ones."""
    rows = Machine.with_removed.filter(pk__in=ids).values_list("pk", "machine_name", "path")
    return {pk: name for pk, name, path in rows if wanted.intersection(map(int, path.strip("/").split("/")))}


def _chains(
    orders: Sequence[tuple[datetime, int, str]], within: timedelta
) -> Iterable[list[tuple[datetime, int, str]]]:
    """Yield the orders in groups, in which each was reported so soon after the one before."""
    chain: list[tuple[datetime, int, str]] = []
    for order in orders:
        if chain and order[0] - chain[-1][0] > within:
            yield chain
            chain = []
        chain.append(order)
    if chain:
        yield chain
