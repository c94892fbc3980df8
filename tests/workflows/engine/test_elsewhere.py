"""The count of other people's models counts, and sees what hangs, breaks, or is refused without saying where or why."""

import time
from pathlib import Path
from typing import Any

import pytest

from tests.prove import elsewhere
from workflows import engine

RUNS = '<startEvent id="s"/><userTask id="w"/><endEvent id="e"/><f a="s" b="w"/><f a="w" b="e"/>'
CALLS = RUNS.replace('<userTask id="w"/>', '<callActivity id="w" calledElement="q"/>')
SCRIPT = RUNS.replace("userTask", "scriptTask")


@pytest.fixture
def folder(tmp_path: Path, xml: Any) -> Path:
    """`q`, which runs, one that calls it, and a file of two: a `q` that does not run, and one that calls this `q`."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "runs.bpmn").write_bytes(xml(RUNS).replace(b'<process id="p"', b'<process id="q"'))
    (tmp_path / "calls.bpmn20.xml").write_bytes(xml(CALLS))
    caller = xml(CALLS).replace(b'<process id="p"', b'<process id="r"')
    called = xml(SCRIPT).partition(b"<process id=")[2].partition(b"</process>")[0].replace(b'"p"', b'"q"', 1)
    both = b"<process id=" + called + b"</process></definitions>"
    (tmp_path / "two.bpmn").write_bytes(caller.replace(b"</definitions>", both))
    (tmp_path / "other.xml").write_text("<beans/>")
    return tmp_path


def said(folder: Path, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, list[str]]:
    code = elsewhere.main([str(folder), *more])
    return code, [" ".join(line.split()) for line in capsys.readouterr().out.splitlines() if line]


def test_how_many_run_and_why_the_others_do_not(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(folder, capsys) == (
        0,
        [
            f"Models of {folder}",
            "files 3",
            "processes that run 2 of 4",
            "parsed, but the rehearsal finds an error 0",
            "refused 2",
            "words of other engines that a warning names 0 of 0",
            "planted words that a warning names 28 of 28",
            "- called_refused 1, 1 for this only",
            "- script 1, 1 for this only",
            "passed",
        ],
    )


def hang(_xml: bytes) -> Any:
    until = time.process_time() + 30
    while time.process_time() < until:
        pass


def fall(_xml: bytes) -> Any:
    raise KeyError("x")


def refuse(element: str, zh: str, en: str) -> Any:
    def refused(_xml: bytes) -> Any:
        raise engine.ModelError([engine.Problem(element, "odd", zh, en)])

    return refused


@pytest.mark.parametrize(
    ("name", "instead", "fault"),
    [
        ("parse", hang, "out of time"),
        ("parse", fall, "raises KeyError: 'x'"),
        ("split", fall, "raises KeyError: 'x' when it is split"),
        ("rehearse", lambda *_: hang(b""), "out of time when it is rehearsed"),
        ("rehearse", lambda *_: fall(b""), "raises KeyError: 'x' when it is rehearsed"),
        ("parse", refuse("", "有误", "Odd"), "“odd” is said of '', which is not drawn"),
        ("parse", refuse("nowhere", "有误", "Odd"), "“odd” is said of 'nowhere', which is not drawn"),
        ("parse", refuse("w", "Odd", "Odd"), "“odd” has no Chinese sentence: 'Odd'"),
        ("parse", refuse("w", "“w”有误", "“w”有误"), "“odd” has no English sentence: '“w”有误'"),
    ],
)
def test_what_must_not_be_is_told(
    tmp_path: Path, xml: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    name: str, instead: Any, fault: str,
) -> None:  # fmt: skip
    (tmp_path / "one.bpmn").write_bytes(xml(RUNS))
    monkeypatch.setattr(engine, name, instead)
    code, lines = said(tmp_path, capsys, "--limit", "0.05")
    assert code == 1
    assert f"! one.bpmn: {fault}" in lines and lines[-1] == "FAILED"


def test_a_folder_without_models_proves_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(tmp_path, capsys)[0] == 1


def test_a_loss_is_missed_at_the_element_where_it_is_not_told(
    tmp_path: Path, xml: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = RUNS.replace('<endEvent id="e"/>', '<endEvent id="e" flowable:owner="o"/>')
    (tmp_path / "one.bpmn").write_bytes(
        xml(ends.replace('<userTask id="w"/>', '<userTask id="w" flowable:owner="o"/>'))
    )
    assert said(tmp_path, capsys)[0] == 0
    adopt = engine.adopt
    monkeypatch.setattr(engine, "adopt", lambda root: [one for one in adopt(root) if one.element != "e"])
    code, lines = said(tmp_path, capsys)
    assert code == 1 and "! one.bpmn: “owner” is neither read nor told" in lines


def test_what_is_planted_and_not_told_is_a_fault(
    tmp_path: Path, xml: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = '<extensionElements><flowable:field name="a" stringValue="b"/></extensionElements>'
    body = RUNS.replace('<userTask id="w"/>', f'<serviceTask id="w" flowable:class="a.B">{inside}</serviceTask>')
    (tmp_path / "one.bpmn").write_bytes(xml(body))
    assert said(tmp_path, capsys)[0] == 0
    monkeypatch.setattr(elsewhere.losses.Losses, "add_rest", lambda *_: None)
    code, lines = said(tmp_path, capsys)
    assert code == 1 and "! one.bpmn: what is planted at field is not told" in lines
