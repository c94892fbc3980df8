"""Round after round of "check fails, rework" on the shipped repair model: the list stays right, a step stays cheap.

Engine and codec alone, no database. After each step everything is read from the stored bytes. A step's cost is the
CPU time of this process, the median of a hundred rounds; compared are the first hundred and the last.

    python -m tests.prove.depth --rounds 600 --rounds 2000
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from tests.prove.table import print_table
from workflows import engine

MODEL = Path(__file__).resolve().parents[2] / "bpmn/repairorder/repairorder.bpmn"
MOST = 2.0
"""How often the cost of a first round a last one may have."""
SPAN = 100
FACTS = {"urgency": 3, "repairUserId": "1", "teamId": "2", "claimTeamId": "", "reportUserId": "3", "deptId": "4"}


class Host:
    """Does nothing, and knows a record."""

    def call(self, operation: str, node: str, given: Mapping[str, Any]) -> None:
        """Nothing."""

    def names(self) -> Mapping[str, Any]:
        """The record's facts."""
        return {"record": FACTS, "starter": {}}


def _complete(spec: engine.Specification, state: bytes, node: str, outcome: str) -> engine.Step:
    """Complete the one open step, which has to be this node."""
    (task,) = engine.look(spec, state).tasks
    if task.node != node:
        raise AssertionError(f"{node} should wait, {task.node} does")
    return engine.complete(spec, state, task.task, outcome, {"note": outcome}, Host())


def prove(rounds: int) -> int:
    """Run the rounds and print what they cost; answers the exit code."""
    spec = engine.parse(MODEL.read_bytes())
    step = engine.start(spec, {}, Host())
    for node, outcome in (("dispatch", "dispatch"), ("accept", "accept")):
        step = _complete(spec, step.state, node, outcome)
    costs: list[float] = []
    sizes: list[int] = []
    wrong: list[str] = []
    for number in range(rounds):
        begun = process_time()
        for node, outcome, waits in (("repair", "finish", "check"), ("check", "fail", "repair")):
            step = _complete(spec, step.state, node, outcome)
            if [task.node for task in step.tasks] != [waits] or step.completed:
                wrong.append(f"round {number}: {[task.node for task in step.tasks]} wait, not {waits}")
        costs.append(process_time() - begun)
        sizes.append(len(step.state))
    step = _complete(spec, _complete(spec, step.state, "repair", "finish").state, "check", "pass")
    if not step.completed:
        wrong.append("the order that passed its check is not over")
    first, last = median(costs[:SPAN]), median(costs[-SPAN:])
    if last > MOST * first:
        wrong.append(f"a last round costs {last / first:.2f} times a first one")
    if max(sizes) > 2 * sizes[9]:
        wrong.append(f"the state grew from {sizes[9]} to {max(sizes)} bytes")
    rows = {
        "a first round, CPU": f"{first * 1000:.2f} ms",
        "a last round, CPU": f"{last * 1000:.2f} ms",
        "last to first (at most 2)": f"{last / first:.2f}",
        "state after 10 rounds, and at most": f"{sizes[9]} and {max(sizes)} bytes",
    }
    return print_table(f"{rounds} rounds of rework on the repair model", rows, wrong)


def main() -> int:
    """Prove each number of rounds asked for."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--rounds", type=int, action="append")
    return max([prove(rounds) for rounds in options.parse_args().rounds or (600, 2000)])


if __name__ == "__main__":
    sys.exit(main())
