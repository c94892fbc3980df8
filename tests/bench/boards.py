"""The home page and the boards of a company with many orders, beside those of a company without any; on PostgreSQL."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlencode

from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairLine, RepairOrder
from core.preventive.models import MaintainLine, MaintainOrder
from tests import cast
from tests.bench import rows
from tests.bench.asking import headers, middle_and_tail
from tests.bench.installation import server
from tests.repairs import Story, photo
from tests.upkeep import Upkeep

BIG, EMPTY = cast.A, cast.B
GOAL = 3.0
"""A board of the big company takes at most so many times as long as that of the empty one, in 95 of 100 cases."""
YEARS = 3
PATTERNS = 20
"""So many orders of each kind are made by the real calls, one of them left open; the rest are their rows once more."""
_METRIC, _WIRE = "yuzhu-equip/homeMetric", "%Y-%m-%d %H:%M:%S"


@dataclass(frozen=True)
class Measured:
    """A board's milliseconds at the server's door, the middle and the slowest but 5 of 100."""

    name: str
    empty: tuple[float, float]
    big: tuple[float, float]


def install(repairs: int, upkeeps: int) -> dict[str, int]:
    """Make the big company's orders of the last years; returns how many of each kind it has."""
    people = cast.Cast()
    for number in range(PATTERNS):
        _repaired(people, is_done=number > 0)
        _maintained(people, number)
    for tables, wanted in (
        ({RepairOrder: (), RepairLine: ("order",)}, repairs),
        ({MaintainOrder: (), MaintainLine: ("order",)}, upkeeps),
    ):
        with tenant_scope(BIG):
            made = next(iter(tables)).objects.count()
        times = wanted // made
        rows.multiply(BIG, tables, times, f"{YEARS * 365 * 24 * 60 // times} minutes")
    rows.analyse()
    with tenant_scope(BIG):
        return {"work orders": RepairOrder.objects.count(), "maintenance orders": MaintainOrder.objects.count()}


def _repaired(people: cast.Cast, *, is_done: bool) -> None:
    """Let a fault be reported, and repaired within two hours unless it stays open."""
    began = clock.now() - timedelta(hours=5)
    with clock.at(began):
        story = Story(people, force=1, isStop=1, stopStart=began.strftime(_WIRE))
        story.send()
    ended = began + timedelta(hours=2)
    with clock.at(ended):
        if is_done:
            times = {"startTime": began.strftime(_WIRE), "endTime": ended.strftime(_WIRE)}
            assert story.write_line("repairer", "", "", **times).code == 200
            seen = {"stopEnd": ended.strftime(_WIRE), "afterImages": photo(story, "repairer")}
            story.act("repairer", "finish", **story.result(), **seen)
            story.act("operator", "check", checkResult=1)


def _maintained(people: cast.Cast, number: int) -> None:
    """Let a maintenance order be made, done and verified."""
    began = clock.now() - timedelta(hours=5)
    with clock.at(began):
        story = Upkeep(people, code=f"BY{number}", due=began.date())
        story.act("repairer", "start")
    ended = began + timedelta(hours=1)
    with clock.at(ended):
        times = {"startTime": began.strftime(_WIRE), "finishTime": ended.strftime(_WIRE)}
        answer = story.work("repairer", **{**story.whole(), **times})
        assert answer.code == 200, answer
        story.act("shift_leader", "check", checkResult=1)


def _paths() -> list[tuple[str, str, str]]:
    """Return by name who asks for which address."""
    year = clock.now().year
    asked = (
        ("home", "equip_manager", f"{_METRIC}/home", {}),
        ("home of a repairer", "repairer", f"{_METRIC}/home", {}),
        ("home of an operator", "operator", f"{_METRIC}/home", {}),
        ("board: totals", "equip_manager", f"{_METRIC}/cumulativeData", {}),
        ("board: inspection", "equip_manager", f"{_METRIC}/inspectionOverviewData", {}),
        ("board: maintenance", "equip_manager", f"{_METRIC}/equipmentMaintenanceOverview", {}),
        ("board: repair by month", "equip_manager", f"{_METRIC}/repairWorkloadReport", {"year": year}),
        ("board: repair by day", "equip_manager", f"{_METRIC}/repairWorkloadReport", {"groupBy": "day"}),
    )
    return [(name, who, f"/api/{path}?{urlencode(page)}") for name, who, path, page in asked]


def measure(times: int) -> list[Measured]:
    """Ask each board of both companies in turns."""
    asked = _paths()
    sent = {(tenant, who): headers(who, tenant) for tenant in (EMPTY, BIG) for _name, who, _path in asked}
    measured = []
    with server([]) as served:
        for name, who, path in asked:
            found: dict[str, list[float]] = {EMPTY: [], BIG: []}
            for number in range(times + 5):
                for tenant, kept in found.items():
                    began = time.perf_counter()
                    served.client.ask(path, sent[tenant, who])
                    if number >= 5:
                        kept.append((time.perf_counter() - began) * 1000)
            measured.append(Measured(name, middle_and_tail(found[EMPTY]), middle_and_tail(found[BIG])))
    return measured


def show(counts: dict[str, int], measured: list[Measured]) -> None:
    """Print the table."""
    width = max(len(one.name) for one in measured)
    print(
        f"\nBoards on PostgreSQL: {counts['work orders']} work orders and {counts['maintenance orders']} maintenance"
        " orders beside none; milliseconds at the server's door"
    )
    print(f"  {'':<{width}}   empty p50    p95    big p50    p95   p95 to p95")
    for one in measured:
        ratio = one.big[1] / one.empty[1]
        good = "ok" if ratio <= GOAL else "NOT MET"
        print(
            f"  {one.name:<{width}} {one.empty[0]:11.1f} {one.empty[1]:6.1f} {one.big[0]:10.1f} {one.big[1]:6.1f}"
            f" {ratio:10.1f} ×  {good}"
        )
