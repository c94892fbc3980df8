"""The proof of traces goes red for each way in which a trace can be wrong, and green for the right one."""

from pathlib import Path
from typing import Any

import pytest

from tests.prove import traces

# A choice behind an operation; a parallel part with a timer on `a` and a wait for a message; a called process.
BODY = """
  <startEvent id="s"/><serviceTask id="look" xw:operation="a.look"/><exclusiveGateway id="g" default="no"/>
  <endEvent id="none"/><parallelGateway id="f"/><userTask id="a"/><receiveTask id="b"/><userTask id="late"/>
  <boundaryEvent id="t" attachedToRef="a"><timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>
  </boundaryEvent><callActivity id="call" calledElement="q"/><endEvent id="over"/><endEvent id="end"/>
  <f a="s" b="look"/><f a="look" b="g"/><f id="no" a="g" b="none"/><f a="g" b="f" if="found > 1"/><f a="f" b="a"/>
  <f a="f" b="b"/><f a="f" b="call"/><f a="t" b="late"/><f a="late" b="over"/><f a="a" b="over"/><f a="b" b="over"/>
  <f a="call" b="end"/>"""
CALLED = """
  <startEvent id="s"/><userTask id="c"><multiInstanceLoopCharacteristics><loopCardinality>2</loopCardinality>
  </multiInstanceLoopCharacteristics></userTask><endEvent id="e"/><f a="s" b="c"/><f a="c" b="e"/>"""
RIGHT = """
start { found = 2 } -> a wait c*2 t | calls a.look
do wait             -> refused
do c[1]             -> a wait c t
timer t             -> late wait c
trigger wait        -> late c
do late             -> c
do c                -> ended e end

start { found = 1 } -> ended none | calls a.look
"""


@pytest.fixture
def folder(tmp_path: Path, xml: Any) -> Path:
    (tmp_path / "models").mkdir()
    (tmp_path / "models/p.bpmn").write_bytes(xml(BODY))
    (tmp_path / "models/q.bpmn").write_bytes(xml(CALLED).replace(b'<process id="p"', b'<process id="q"'))
    return tmp_path


def written(acts: str, calls: str = '["q.bpmn"]') -> str:
    """A file of one trace."""
    head = f'root = "models/"\n[[trace]]\nmodel = "p.bpmn"\ncalls = {calls}\n'
    return f'{head}acts = """{acts}"""\n[trace.short]\nwait = "b"\n'


def run(folder: Path, acts: str, **more: str) -> traces.Tally:
    return traces.prove(folder, traces.read(written(acts, **more)))


def test_a_right_trace_agrees(folder: Path) -> None:
    tally = run(folder, RIGHT)
    assert (tally.agree, tally.runs, tally.acts, tally.wrong) == (2, 2, 8, [])
    assert tally.kinds["timer boundaryEvent"] == tally.kinds["callActivity"] == 1


@pytest.mark.parametrize(
    ("right", "wrong", "reason", "said"),
    [
        ("a wait c*2 t", "a wait c t", "waits for something else", "waits for a b c*2 t"),
        ("a wait c*2 t", "a wait c*2", "waits for something else", "waits for a b c*2 t"),
        ("a wait c*2 t", "a wait c*2 t late", "waits for something else", "waits for a b c*2 t"),
        ("calls a.look\ndo", "calls a.hear\ndo", "calls something else", "calls a.look"),
        (" | calls a.look\ndo", "\ndo", "calls something else", "calls a.look"),
        ("-> refused", "-> a wait c*2 t", "refused", "is refused: This task is no longer open"),
        ("do c[1]             -> a wait c t", "do c[1] -> refused", "not refused", "goes on to a b c t"),
        ("start { found = 1 }", "start { found = 2 }", "over or not", "waits for a b c*2 t"),
        ("ended e end", "c", "over or not", "it is over"),
        ("ended e end", "ended end", "ends at something else", "ends at e end"),
        ("ended none", "ended end", "ends at something else", "ends at none"),
        ("timer t ", "timer wait ", "refused", "is refused: This task is no longer open"),
        ("found = 2", "found = 1", "over or not", "it is over"),
    ],
)
def test_a_wrong_trace_does_not(folder: Path, right: str, wrong: str, reason: str, said: str) -> None:
    assert RIGHT.count(right) == 1
    tally = run(folder, RIGHT.replace(right, wrong))
    assert (tally.agree, dict(tally.reasons)) == (1, {reason: 1})
    assert len(tally.wrong) == 1 and said in tally.wrong[0]


def test_a_model_that_does_not_run_disagrees(folder: Path) -> None:
    tally = run(folder, RIGHT, calls="[]")
    assert (tally.agree, dict(tally.reasons)) == (0, {"does not run here": 2})


@pytest.mark.parametrize(
    "acts",
    [
        "",
        "do a -> late",
        "start -> ended\ndo a -> late",
        "start -> refused\ndo a -> late",
        "start a",
        "start ->",
        "go -> a",
    ],
)
def test_what_is_no_trace_is_not_passed_over(folder: Path, acts: str) -> None:
    with pytest.raises(traces.WrongTrace):
        run(folder, acts)


def test_the_table_tells_what_agreed_and_fails_where_one_does_not(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = folder / "traces.toml"
    for acts, code, verdict in ((RIGHT, 0, "passed"), (RIGHT.replace("ended none", "ended end"), 1, "FAILED")):
        file.write_text(written(acts))
        assert traces.main([str(folder), "--traces", str(file)]) == code
        lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines() if line]
        assert f"traces that agree {2 - code} of 2" in lines and lines[-1] == verdict


def test_the_traces_of_the_repository_can_be_read() -> None:
    told = traces.read(traces.TRACES.read_text("utf-8"))
    assert len({trace.model for trace in told}) >= 100
    assert len({trace.model for trace in told}) == len(told)
