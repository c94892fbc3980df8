"""Every shipped model runs its cases.toml, its state stored and restored between the steps."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from workflows import engine
from workflows.runtime.definitions import library

BPMN = Path(__file__).resolve().parents[2] / "bpmn"
MODELS = sorted(folder for folder in BPMN.iterdir() if (folder / "cases.toml").exists())
CASES = [
    pytest.param(folder, case, id=f"{folder.name}: {case['name']}")
    for folder in MODELS
    for case in tomllib.loads((folder / "cases.toml").read_text("utf-8"))["case"]
]


class Recorder:
    """A host that notes the operations called and knows what the case says of the record."""

    def __init__(self, record: dict[str, Any]) -> None:
        self.calls: list[str] = []
        self.record = record

    def call(self, operation: str, node: str, given: Mapping[str, Any]) -> None:
        self.calls.append(operation)

    def names(self) -> dict[str, Any]:
        return {"record": self.record, "starter": {}}


def model(folder: Path) -> engine.Specification:
    return engine.parse((folder / f"{folder.name}.bpmn").read_bytes())


def take(spec: engine.Specification, state: bytes, script: dict[str, Any], host: Recorder) -> engine.Step:
    if script.get("start"):
        return engine.start(spec, script.get("data", {}), host)
    now = engine.look(spec, state)
    if "complete" in script:
        task = next(open_task.task for open_task in now.tasks if open_task.node == script["complete"])
        return engine.complete(spec, state, task, script["outcome"], script.get("form", {}), host)
    if "fire" in script:
        timer = next(timer.task for timer in now.timers if timer.node == script["fire"])
        return engine.fire(spec, state, timer, host)
    return engine.send(spec, state, script["send"], host)


@pytest.mark.parametrize(("folder", "case"), CASES)
def test_the_case_runs_as_written(folder: Path, case: dict[str, Any], tmp_path: Path) -> None:
    stored = tmp_path / "state"
    stored.write_bytes(b"")
    for number, script in enumerate(case["steps"], 1):
        host = Recorder(case.get("record", {}))
        step = take(model(folder), stored.read_bytes(), script, host)
        stored.write_bytes(step.state)
        found = {
            "calls": host.calls,
            "tasks": [task.node for task in step.tasks],
            "timers": [timer.node for timer in step.timers],
            "completed": step.completed,
        }
        expected = {
            "calls": script.get("calls", []),
            "tasks": script.get("tasks", []),
            "timers": script.get("timers", []),
            "completed": script.get("completed", False),
        }
        assert found == expected, f"step {number}: {script}"


@pytest.mark.parametrize("folder", MODELS, ids=lambda folder: folder.name)
def test_the_cases_pass_every_node_and_flow_of_the_model(folder: Path) -> None:
    spec = model(folder)
    passed: set[str] = set()
    flows: set[str] = set()
    for case in tomllib.loads((folder / "cases.toml").read_text("utf-8"))["case"]:
        state = b""
        for script in case["steps"]:
            step = take(spec, state, script, Recorder(case.get("record", {})))
            state = step.state
            passed.update(step.passed)
            flows.update(step.flows)
    assert set(spec.nodes) - passed == set()
    assert flows_of(folder) - flows == set()


def flows_of(folder: Path) -> set[str]:
    root = ElementTree.fromstring((folder / f"{folder.name}.bpmn").read_bytes())
    return {flow.get("id", "") for flow in root.iter("{http://www.omg.org/spec/BPMN/20100524/MODEL}sequenceFlow")}


@pytest.mark.parametrize("folder", MODELS, ids=lambda folder: folder.name)
def test_the_declaration_fits_the_model(folder: Path) -> None:
    spec = model(folder)
    [declared] = [meta for drawing, meta in library.shipped(BPMN) if drawing.parent == folder]
    assert (declared["key"], declared["name"], declared["name_en"]) == (spec.process_id, spec.name, spec.name_en)
    people = {node.id: node for node in spec.nodes.values() if node.kind == "userTask"}
    assert set(declared["nodes"]) == set(people)
    for name, table in declared["nodes"].items():
        outcomes = [outcome["key"] for outcome in table["outcomes"]]
        assert ",".join(outcomes) == people[name].extensions["outcomes"]
        assert table["positive"] in outcomes
        assert table["negative"] in ["", *outcomes]
        assert people[name].extensions["formKey"] == declared["form_key"]
    operations = {node.extensions["operation"] for node in spec.nodes.values() if node.kind == "serviceTask"}
    assert {name for names in declared["effects"]["required_on_every_path"] for name in names} <= operations


@pytest.mark.parametrize("folder", MODELS, ids=lambda folder: folder.name)
def test_every_node_has_a_name_in_both_languages(folder: Path) -> None:
    assert [node.id for node in model(folder).nodes.values() if not (node.name and node.name_en)] == []
