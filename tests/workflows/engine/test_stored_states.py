"""States that earlier engines stored go on to their end, as they would have gone on then."""

from typing import Any

import orjson
import pytest

from tests.workflows.engine.conftest import Recorder
from tests.workflows.engine.record_states import FOLDER, act, read, waiting
from workflows import engine
from workflows.engine import codec, migrations

FILES = sorted((int(path.parent.name), path.stem) for path in FOLDER.glob("*/*.jsonl"))


def stored(number: int, name: str) -> tuple[dict[str, Any], engine.Specification, Recorder]:
    found = read(number, name)
    host = Recorder()
    host.lent = found["lent"]
    return found, engine.parse(found["xml"].encode(), is_deployed=True), host


@pytest.mark.parametrize(("number", "name"), FILES)
def test_a_stored_state_goes_on_to_its_end(number: int, name: str) -> None:
    found, spec, host = stored(number, name)
    for point, state in found["states"].items():
        step = engine.look(spec, orjson.dumps(state))
        still = {
            name: value for name, value in found["waiting"][int(point)].items() if name not in ("passed", "thrown")
        }
        assert {name: value for name, value in waiting(step).items() if name in still} == still
        for said, then in zip(found["acts"][int(point) :], found["waiting"][int(point) + 1 :], strict=True):
            step = act(spec, step.state, step, said, host)
            assert waiting(step) == then
        assert step.completed


def test_every_format_that_landed_has_states() -> None:
    formats = {number for number, _name in FILES}
    assert formats == set(range(1, migrations.FORMAT + 1))
    for number in formats:
        names = {name for other, name in FILES if other == number}
        assert {"repairorder", "leave", "hotwork.second", "called", "many", "timers", "events"} <= names


def test_the_library_names_its_own_nodes_as_it_did(repair: engine.Specification) -> None:
    """These names stand in stored states: when an upgrade of SpiffWorkflow gives others, a format has to map them."""
    scopes = (repair.process, *repair.subprocesses.values())
    own = {name for scope in scopes for name in scope.task_specs if name not in repair.nodes}
    assert {"Start", "End", "repairorder.EndJoin", "handling.BoundaryEventSplit", "handling.BoundaryEventJoin"} <= own
    endings = (".EndJoin", ".BoundaryEventSplit", ".BoundaryEventJoin")
    assert all(name in ("Start", "End") or name.endswith(endings) for name in own), own


def test_a_state_is_written_in_the_format_of_today(repair: engine.Specification) -> None:
    found, spec, host = stored(1, "repairorder")
    instance = codec.decode(spec, orjson.dumps(found["states"]["0"]), host)
    header = {
        name: value for name, value in orjson.loads(codec.encode(instance)).items() if name in ("format", "model")
    }
    assert header == {"format": migrations.FORMAT, "model": spec.digest}
