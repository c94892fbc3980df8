"""The stored state: lossless beside the library's own serializer, refused when it does not fit, plain JSON only."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from importlib.metadata import version
from typing import Any

import orjson
import pytest
from SpiffWorkflow.bpmn.serializer.default.workflow import (
    BpmnSubWorkflowConverter,
    TaskConverter,
    WorkflowConverter,
)
from SpiffWorkflow.bpmn.serializer.workflow import BpmnWorkflowSerializer
from SpiffWorkflow.task import Task

from workflows import engine
from workflows.engine import codec, migrations
from workflows.engine import run as running
from workflows.engine.instance import Instance, Scope

STOCK = BpmnWorkflowSerializer.configure(
    {Instance: WorkflowConverter, Scope: BpmnSubWorkflowConverter, Task: TaskConverter}
)


HYPHENS_OF_IDS = re.compile(r"(?<=[0-9a-f]{4})-(?=[0-9a-f]{4}[-0-9a-f])")


def view(instance: Instance) -> str:
    """What the library itself would store of an instance, specifications aside; it writes ids with hyphens."""
    stored = [
        STOCK.convert(instance),
        [STOCK.convert(scope) for scope in instance.subprocesses.values()],
        [scope.parent_task_id.hex for scope in instance.subprocesses.values()],
    ]
    return HYPHENS_OF_IDS.sub("", json.dumps(stored, sort_keys=True, default=repr))


@pytest.fixture
def guarded(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bytes]]:
    """Compare the instance in memory with its restored self each time that a step is written."""
    written: list[bytes] = []

    def encode(instance: Instance) -> bytes:
        state = codec.encode(instance)
        spec = engine.Specification("", "", "", {}, instance.model, instance.spec, instance.subprocess_specs)
        assert view(codec.decode(spec, state, None)) == view(instance)
        written.append(state)
        return state

    monkeypatch.setattr(running, "encode", encode)
    return written


@pytest.mark.parametrize("cut", [True, False], ids=["cut", "whole"])
@pytest.mark.parametrize("model", ["repair", "loop", "three", "nested", "inclusive again", "calling", "many"])
def test_the_state_holds_all_that_the_library_would_store(
    model: str,
    cut: bool,
    drive: Any,
    order: Any,
    models: Any,
    walk: Any,
    guarded: list[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not cut:
        monkeypatch.setattr(running, "compact", lambda instance: None)
    run = order if model == "repair" else drive(models[model], '<message id="m" name="skip"/>')
    for seed in range(10):
        walk(run, seed, 25)
    assert len(guarded) > 60


def test_what_our_nodes_never_leave_is_kept_too(order: Any) -> None:
    """A later node may take a name out of its branch's data, or be triggered: the format knows both."""
    instance = codec.decode(order.spec, order.step.state, order.host)
    scope = list(instance.subprocesses.values())[-1]
    above = next(task for task in scope.tasks.values() if task.children)
    above.data.update(kept=1, gone=2)
    for task in above.children:
        task.data = {"kept": 1}
        task.triggered = True
    restored = codec.decode(order.spec, codec.encode(instance), None)
    assert view(restored) == view(instance)


def test_a_task_that_is_read_has_all_that_the_library_gives_a_new_one(order: Any) -> None:
    instance = codec.decode(order.spec, order.step.state, order.host)
    own = {name for task in instance.tasks.values() for name in vars(task)}
    assert own == vars(Task(instance, instance.task_tree.task_spec)).keys()


def test_a_field_called_typename_is_a_field(order: Any) -> None:
    order.complete("dispatch", "dispatch", typename="UUID", data_objects={"typename": "datetime"})
    assert order.complete("accept", "accept").tasks[0].node == "repair"
    assert b'"form":{"typename":"UUID","data_objects":{"typename":"datetime"}}' in order.step.state


@pytest.mark.parametrize("value", [datetime.now(UTC), Decimal(1), {1: 2}, {1, 2}, object(), 2**64, "\ud800"])
def test_data_that_is_not_plain_json_is_refused(order: Any, value: Any) -> None:
    with pytest.raises(engine.StateError):
        order.complete("dispatch", "dispatch", value=value)


@pytest.mark.parametrize(
    "state", [b"", b"{}", b"[]", b"[2,[],[]]", b"not json", b"null", b"\xff", b'{"format":[]}', b'{"format":2}']
)
def test_a_state_that_cannot_be_read_is_refused(repair: engine.Specification, state: bytes) -> None:
    with pytest.raises(engine.StateError):
        engine.look(repair, state)


def test_a_state_of_another_model_is_refused(order: Any, drive: Any) -> None:
    other = drive('<startEvent id="s"/><userTask id="w"/><endEvent id="e"/><f a="s" b="w"/><f a="w" b="e"/>')
    with pytest.raises(engine.StateError) as caught:
        engine.look(other.spec, order.step.state)
    assert caught.value.code == "state_model"


def test_a_state_of_a_later_format_is_refused(order: Any) -> None:
    stored = orjson.loads(order.step.state)
    with pytest.raises(engine.StateError) as caught:
        engine.look(order.spec, orjson.dumps({**stored, "format": migrations.FORMAT + 1}))
    assert caught.value.code == "state_format"
    assert caught.value.text_en.startswith(f"The format “{migrations.FORMAT + 1}” of the stored state is not known.")


def test_a_damaged_state_is_refused(order: Any) -> None:
    stored = orjson.loads(order.step.state)
    rows = stored["process"][0]
    damaged: list[Any] = [
        {key: value for key, value in stored.items() if key != name} for name in ("process", "scopes")
    ]
    damaged += [{**stored, "process": [part, *stored["process"][1:]]} for part in ([], rows[1:])]
    damaged += [{**stored, "process": [[row[:-1] for row in rows], *stored["process"][1:]]}]
    damaged += [{**stored, "scopes": [["no id", scope]]} for _task, scope in stored["scopes"]]
    for content in damaged:
        with pytest.raises(engine.StateError):
            engine.look(order.spec, orjson.dumps(content))


def test_the_state_is_small_and_says_its_format_library_and_model(order: Any) -> None:
    order.complete("dispatch", "dispatch")
    stored = orjson.loads(order.step.state)
    assert (stored["format"], stored["model"]) == (migrations.FORMAT, order.spec.digest)
    assert stored["library"] == version("SpiffWorkflow")
    assert len(order.step.state) < 1_600
