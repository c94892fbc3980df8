"""The gate refuses a shipped model that was broken, at the element; each one that it lets through runs to its end.

About 280 variants in all; `BROKEN_MODELS=all` tries each of them, as `make prove` does.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from lxml import etree

from core.cases.case import cases
from core.cases.process import declaration
from tests.cast import A, Cast
from tests.workflows import broken
from workflows import engine
from workflows.workbench import gate

VARIANTS = broken.variants()
CHOSEN = VARIANTS if os.environ.get("BROKEN_MODELS") == "all" else VARIANTS[::7]
RECORDS: Mapping[str, list[dict[str, Any]]] = {
    "leave": [{"days": days, "approverId": 1, "applicantId": 2, "hrRole": "hr"} for days in (1, 5)],
    "repairorder": [{"urgency": 3, "repairUserId": 1, "teamId": 2, "claimTeamId": 2, "reportUserId": 3, "deptId": 4}],
}
MAY_PASS = {
    "without the flow": 20,
    "without the task": 5,
    "closed up round the task": 5,
    "without the default of": 9,
    "without the candidates of": 4,
    "without the assignee of": 5,
    "a duration of two days in": 5,
}
"""How many variants of these kinds the gate lets through: the process ends sooner, or the default is clear; it refuses
all of the others."""


class Host:
    """Notes the status that the operations give the record."""

    def __init__(self, model: str, record: Mapping[str, Any], status: int | None) -> None:
        self.operations = cases[model].operations
        self.record = record
        self.status = status

    def call(self, operation: str, node: str, given: Mapping[str, Any]) -> None:
        becomes = self.operations[operation].becomes
        self.status = self.status if becomes is None else int(becomes)

    def names(self) -> Mapping[str, Any]:
        return {"record": self.record, "starter": {"id": 1, "name": "x"}}


class Walk:
    """Takes a model through every outcome, timer and message, and notes where it cannot go on."""

    def __init__(self, model: str, xml: bytes, nodes: Mapping[str, Any], record: Mapping[str, Any]) -> None:
        self.model, self.nodes, self.record = model, nodes, record
        self.steps = declaration(cases[model])["nodes"]
        self.spec = engine.parse(xml)
        self.faults: list[str] = []
        self.sources: dict[Any, set[Any]] = {}

    def run(self) -> list[str]:
        todo: list[tuple[Any, engine.Step | None, int | None]] = [("start", None, None)]
        seen = {"start"}
        while todo:
            source, before, status = todo.pop()
            for act, what in self.acts(before):
                host = Host(self.model, self.record, status)
                try:
                    step = act(host)
                except engine.EngineError as error:
                    self.faults.append(f"{what}: {error}")
                    continue
                for task in step.tasks:
                    if task.node in self.steps and self.steps[task.node]["status"] != host.status:
                        self.faults.append(f"{what}: {task.node} waits in the status {host.status}")
                place: Any = "end" if step.completed else (self.waiting(step), host.status)
                self.sources.setdefault(place, set()).add(source)
                if place != "end" and place not in seen:
                    seen.add(place)
                    todo.append((place, step, host.status))
        ending, back = {"end"}, ["end"]
        while back:
            new = self.sources.get(back.pop(), set()) - ending
            ending |= new
            back += new
        return self.faults + [f"{place}: no way leads to an end" for place in seen - ending]

    def waiting(self, step: engine.Step) -> Any:
        tokens = tuple(sorted(engine.tokens(self.spec, step.state).items()))
        return tokens, tuple(sorted(timer.node for timer in step.timers)), tuple(sorted(step.messages))

    def acts(self, step: engine.Step | None) -> Iterator[tuple[Any, str]]:
        spec = self.spec
        if step is None:
            yield lambda host: engine.start(spec, {}, host), "start"
            return
        state = step.state
        for task in step.tasks:
            for outcome in (one["key"] for one in self.nodes[task.node]["outcomes"]):
                yield (
                    (
                        lambda host, task=task, outcome=outcome: engine.complete(
                            spec, state, task.task, outcome, {}, host
                        )
                    ),
                    f"{task.node} {outcome}",
                )
        for timer in step.timers:
            yield (lambda host, timer=timer: engine.fire(spec, state, timer.task, host)), timer.node
        for message in step.messages:
            yield (lambda host, message=message: engine.send(spec, state, message, host)), message


def walked(model: str, xml: bytes, meta: Mapping[str, Any]) -> list[str]:
    """Every place at which the model could not go on, with each of the records."""
    return [fault for record in RECORDS[model] for fault in Walk(model, xml, meta["nodes"], record).run()]


def test_a_broken_model_is_refused_at_its_element_or_runs(cast: Cast) -> None:
    faults: list[str] = []
    passed: Counter[str] = Counter()
    for variant in CHOSEN:
        verdict = gate.examine_for([A], gate.examine(variant.xml))
        drawn = {element.get("id") for element in etree.fromstring(variant.xml).iter()}
        faults += [f"{variant.name}: {one.code} at nothing" for one in verdict.problems if one.element not in drawn]
        if verdict.meta is None:
            faults += [] if verdict.errors else [f"{variant.name}: refused without a reason"]
            continue
        passed[variant.kind] += 1
        if variant.kind not in MAY_PASS:
            faults.append(f"{variant.name}: let through")
        faults += [f"{variant.name}: {fault}" for fault in walked(variant.model, variant.xml, verdict.meta)[:2]]
    assert faults == []
    if CHOSEN is VARIANTS:
        assert passed == MAY_PASS


def test_the_shipped_models_run_through_all_that_may_happen(cast: Cast) -> None:
    for model in broken.MODELS:
        verdict = gate.examine_for([A], gate.examine(broken.shipped(model)))
        assert (verdict.problems, walked(model, broken.shipped(model), verdict.meta or {})) == ((), [])
