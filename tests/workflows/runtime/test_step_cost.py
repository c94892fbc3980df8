"""What a step costs in a process with many nodes, branches or rounds behind it, beside one in a small process.

The suite compares the statements, and the work items that are made of their rows. `STEP_COST=1` (make prove) draws as
large as allowed and prints the ratios too.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Any

import pytest
from django.db import connection

from core.kernel.tenancy import tenant_scope
from tests.cast import A, Cast
from tests.workflows.standalone import deploy, document
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

IS_FULL = bool(os.environ.get("STEP_COST"))
NODES, BRANCHES, ROUNDS, STEPS = (1_998, 499, 600, 30) if IS_FULL else (40, 20, 6, 4)
WORK = "blade-flow/work"
PERSON = 'xw:candidates="role:repair_leader"'


def _flows(*names: str) -> str:
    return "".join(f'<sequenceFlow id="{a}-{b}" sourceRef="{a}" targetRef="{b}"/>' for a, b in pairwise(names))


def _tasks(*names: str) -> str:
    return "".join(f'<userTask id="{name}" {PERSON}/>' for name in names)


def _row(number: int) -> str:
    names = [f"t{n}" for n in range(number)]
    return f'<startEvent id="s"/><endEvent id="e"/>{_tasks(*names)}{_flows("s", *names, "e")}'


def _branches(number: int) -> str:
    body = '<startEvent id="s"/><parallelGateway id="f"/><parallelGateway id="j"/><endEvent id="e"/>'
    body += _flows("s", "f") + _flows("j", "e")
    return body + "".join(
        _tasks(f"t{n}", f"u{n}") + _flows("f", f"t{n}", f"u{n}", "j") for n in range(number)
    )  # two steps a branch, so that a step opens another one


ROUND = (
    '<startEvent id="s"/><exclusiveGateway id="in"/><exclusiveGateway id="g" default="g-in"/><endEvent id="e"/>'
    + _tasks("t", "u")
    + _flows("s", "in", "t", "u", "g", "in")
    + '<sequenceFlow id="out" sourceRef="g" targetRef="e">'
    + "<conditionExpression>false</conditionExpression></sequenceFlow>"
)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which work items are made whole: "read", or "filled" when one is asked for a column that it does not have yet."""
    found: list[str] = []

    def read(of: type[WorkItem], *row: Any) -> Any:
        found.append("read")
        return super(WorkItem, of).from_db(*row)

    def fill(item: WorkItem, **options: Any) -> None:
        found.append("filled")
        super(WorkItem, item).refresh_from_db(**options)

    monkeypatch.setattr(WorkItem, "from_db", classmethod(read))
    monkeypatch.setattr(WorkItem, "refresh_from_db", fill)
    return found


@dataclass
class Walk:
    """A process whose steps are completed one after the other."""

    cast: Cast
    instance: str
    made: list[str]
    times: list[float] = field(default_factory=list)
    """The milliseconds of a core that each step took."""
    statements: set[int] = field(default_factory=set)
    ways: set[str] = field(default_factory=set)
    """How items were made whole."""

    @classmethod
    def of(cls, cast: Cast, body: str, made: list[str], before: int = 0) -> Walk:
        """Start a process that is drawn so, and complete as many steps that do not count."""
        definition = deploy(document(body))
        started = cast.client_for("operator").post_json(
            f"{WORK}/start-process", {"processDefinitionId": str(definition.pk)}
        )
        assert started.status == 200, started
        walk = cls(cast, started.data["processInstanceId"], made)
        for _ in range(max(before, 1)):  # what is read once a process comes with the first
            walk.step()
        walk.times.clear()
        walk.statements.clear()
        walk.ways.clear()
        return walk

    def step(self) -> None:
        """Complete the oldest open step."""
        asked: list[str] = []

        def ask(execute: Callable[..., Any], sql: str, *more: Any) -> Any:
            asked.append(sql)
            return execute(sql, *more)

        with tenant_scope(A):
            open_ones = WorkItem.objects.filter(instance=self.instance, state=ItemState.OPEN)
            task = open_ones.order_by("id").values_list("pk", flat=True)[0]
        leader = self.cast.client_for("repair_leader")
        self.made.clear()
        begun = time.process_time()
        # Django's own capture would write out each statement with its values, which is no part of a step.
        with connection.execute_wrapper(ask):
            assert leader.post_json(f"{WORK}/complete-task", {"taskId": str(task), "flag": "ok"}).status == 200
        self.times.append(1_000 * (time.process_time() - begun))
        self.statements.add(len(asked))
        self.ways.add(" ".join(self.made))


def test_a_step_takes_the_same_statements_and_items_whatever_is_drawn_around_it(cast: Cast, made: list[str]) -> None:
    gc.freeze()  # as the server does when it is up
    shown = []
    for name, body, before in (
        (f"{NODES} nodes", _row(NODES), 0),
        (f"{BRANCHES} branches", _branches(BRANCHES), 0),
        (f"{ROUNDS} rounds", ROUND, 2 * ROUNDS),
    ):
        small, big = Walk.of(cast, _row(STEPS + 2), made), Walk.of(cast, body, made, before)
        for _ in range(STEPS):  # in turns: a processor is not always as fast
            small.step()
            big.step()
        assert (len(small.statements), small.ways) == (1, {"read filled"})  # by its id, and among the locked ones
        assert (big.statements, big.ways) == (small.statements, small.ways), name
        ratio = median(big.times) / median(small.times)
        shown.append(f"{name} {median(big.times):.1f} ms beside {median(small.times):.1f} ms, {ratio:.2f} times")
    print(f"\n{connection.vendor}: a step of a process with {'; '.join(shown)}")
