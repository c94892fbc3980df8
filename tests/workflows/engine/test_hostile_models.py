"""The hostile corpus through the real calls: nothing is executed, nothing hangs, no answer is a server's error.

A sample of the payloads runs with the suite; `HOSTILE=all` (make prove) sends every payload to every place.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.cast import A, Body, Caller, Cast
from tests.checksums import shared_checksum
from tests.workflows import hostile
from workflows import engine
from workflows.engine.layout import layout
from workflows.runtime.definitions.picture import svg
from workflows.runtime.tables.deployments.models import Definition

ALL = os.environ.get("HOSTILE") == "all"
SECONDS = 5.0
KILOBYTES = 256 * 1024
UPLOAD = "blade-flow/manager/deploy-upload"

# What Python tells before it runs a text, starts a program or opens a connection. A hook cannot be taken out again.
_watching = False
_noticed: list[str] = []


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if not _watching:
        return
    if event in ("compile", "exec"):
        name = arguments[1] if event == "compile" else getattr(arguments[0], "co_filename", "")
        if str(name) in ("<string>", "<stdin>", "?"):
            _noticed.append(f"{event} {name}")
    elif event in (
        "os.system",
        "os.exec",
        "os.posix_spawn",
        "os.fork",
        "subprocess.Popen",
        "socket.connect",
        "pty.spawn",
    ):
        _noticed.append(event)
    elif event == "open" and ("canary" in str(arguments[0]) or str(arguments[0]).startswith("/etc/passwd")):
        _noticed.append(f"open {arguments[0]}")


@pytest.fixture(scope="session")
def hook() -> None:
    """Put the hook in, once."""
    sys.addaudithook(_hook)


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}


@pytest.fixture
def watched(hook: None, tmp_path: Path, cast: Cast) -> Iterator[Path]:
    """The canary's path; afterwards it is not there, nothing ran and the environment is as it was."""
    global _watching
    canary, before = tmp_path / "canary", _environment()
    # What is imported and compiled at its first use is ours.
    send(cast.client_for("flow_designer"), "warm.bpmn", hostile.drawing(hostile.LINE, "warm"))
    forget()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    _noticed.clear()
    _watching = True
    try:
        yield canary
    finally:
        _watching = False
    assert _noticed == []
    assert not canary.exists()
    assert _environment() == before
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < KILOBYTES


def send(caller: Caller, name: str, content: bytes) -> Body:
    """Upload one file with the warnings confirmed; it has to be answered in time."""
    begin, worked = time.monotonic(), time.process_time()
    file = SimpleUploadedFile(name, content)
    answer = caller.post_form(UPLOAD, category="flow_1", tenantIds=A, confirm=1, files=[file])
    # What it costs is the processor's time; of waiting for something there is little more, however busy the machine.
    assert time.process_time() - worked < SECONDS and time.monotonic() - begin < 6 * SECONDS, content[:200]
    return answer


def forget() -> None:
    """Take away what was deployed; nothing refers to it."""
    rows = Definition.objects.filter(tenant_id=A)
    rows._raw_delete(rows.db)  # the ordinary way would look for instances, in no tenant's scope


def run_a_little(xml: bytes) -> None:
    """Start it and take every step once, as far as it goes; what it asks of Python is watched."""
    spec = engine.parse(xml)
    engine.rehearse(spec, {})


def wrong(label: str, answer: Body, xml: bytes, *, named: bool = True) -> str:
    """What is wrong with an answer; empty when it is a deployment or a refusal that says of which element."""
    if answer.status == 200:
        run_a_little(xml)
        return ""
    if answer.status not in (400, 409):
        return f"{label}: {answer.status} {answer.msg}"
    problems = [one for file in answer.data.get("files", []) for one in file["problems"]]
    if not problems and "fields" not in answer.data:
        return f"{label}: no reason"
    if named and problems and not any(one["element"] for one in problems):
        return f"{label}: no element named, {[one['code'] for one in problems]}"
    if not all(one["messageZh"] and one["messageEn"] for one in problems):
        return f"{label}: a reason without words"
    return ""


def payloads() -> list[tuple[str, str]]:
    """Places and payloads: all of them, or two payloads a place, so that each payload comes several times."""
    places, texts = list(hostile.POINTS), list(hostile.PAYLOADS)
    if ALL:
        return [(place, text) for place in places for text in texts]
    return [(place, texts[(2 * n + more) % len(texts)]) for n, place in enumerate(places) for more in (0, 7)]


def test_no_payload_runs_anywhere(cast: Cast, watched: Path) -> None:
    assert len(hostile.POINTS) >= 22 and len(hostile.PAYLOADS) == 12
    designer, faults = cast.client_for("flow_designer"), []
    for place, name in payloads():
        xml = hostile.POINTS[place](hostile.PAYLOADS[name].replace(hostile.CANARY, str(watched)))
        document_wide = place == "correlation"  # it stands outside of every step
        faults.append(wrong(f"{place}, {name}", send(designer, "x.bpmn", xml), xml, named=not document_wide))
        forget()
    assert [fault for fault in faults if fault] == []


def test_expressions_that_are_ours_are_refused_by_their_element(cast: Cast, watched: Path) -> None:
    """What would be evaluated does not even deploy."""
    designer = cast.client_for("flow_designer")
    for place in ("condition", "inclusive condition", "duration", "assignee", "candidates", "title"):
        for name in hostile.PAYLOADS if ALL else ("dunder walk", "import", "lambda", "deep nesting"):
            if name == "string multiplication":
                continue  # it can be read: a text times a number is refused when it is reached
            xml = hostile.POINTS[place](hostile.PAYLOADS[name].replace(hostile.CANARY, str(watched)))
            answer = send(designer, "x.bpmn", xml)
            assert answer.status == 400, (place, name)
            codes = {one["code"] for one in answer.data["files"][0]["problems"]}
            assert codes & {"condition", "expression", "timer", "candidates"}, (place, name, codes)
    assert not Definition.objects.filter(key="p").exists()


def test_no_structure_hangs_or_breaks_anything(cast: Cast, watched: Path) -> None:
    assert len(hostile.STRUCTURES) >= 60
    designer, faults, taken = cast.client_for("flow_designer"), [], set()
    for name, xml in hostile.STRUCTURES.items():
        answer = send(designer, "x.bpmn", xml)
        faults.append(wrong(name, answer, xml, named=False))
        if answer.status == 200:
            taken.add(name)
            forget()
    assert [fault for fault in faults if fault] == []
    assert taken == hostile.HARMLESS


def test_no_document_reads_reaches_or_eats_anything(cast: Cast, watched: Path) -> None:
    assert len(hostile.DOCUMENTS) >= 40
    designer, faults = cast.client_for("flow_designer"), []
    for name, xml in hostile.DOCUMENTS.items():
        answer = send(designer, "x.bpmn", xml)
        faults.append(wrong(name, answer, xml, named=False))
        assert "root:" not in str(answer)
        forget()
        if len(xml) < 500_000:  # the same as the text of a draft
            asked = designer.post_json("blade-flow/model/validate", {"xml": xml.decode("utf-8", "replace")})
            if asked.status not in (200, 400):
                faults.append(f"{name}, as a draft: {asked.status}")
    assert [fault for fault in faults if fault] == []
    for name in hostile.DOCUMENTS:
        if "entity" in name or "DTD" in name or "bomb" in name or "doctype" in name:
            with pytest.raises(engine.ModelError):
                engine.parse(hostile.DOCUMENTS[name])


def test_no_archive_writes_or_eats_anything(cast: Cast, watched: Path) -> None:
    archives = hostile.archives()
    assert len(archives) >= 30
    designer, faults, taken = cast.client_for("flow_designer"), [], set()
    before = shared_checksum()
    for name, content in archives.items():
        answer = send(designer, "x.zip", content)
        if answer.status == 200:
            taken.add(name)
            forget()
        elif answer.status != 400 or ("fields" not in answer.data and "files" not in answer.data):
            faults.append(f"{name}: {answer}")
        elif not str(answer.msg).isprintable():
            faults.append(f"{name}: {answer.msg!r}")
    assert faults == []
    assert taken == hostile.HONEST_ARCHIVES
    assert shared_checksum() == before


def test_markup_in_labels_stays_text(cast: Cast, watched: Path) -> None:
    assert len(hostile.LABELS) == 20
    designer = cast.client_for("flow_designer")
    for text in hostile.LABELS:
        xml = hostile.labelled(text)
        answer = send(designer, "x.bpmn", xml)
        assert answer.status == 200, (text, answer)
        (row,) = designer.get("blade-flow/manager/list", mode=2).data["records"]
        assert row["name"] == answer.data["files"][0]["name"] == text
        run_a_little(xml)
        picture = ElementTree.fromstring(svg(layout(xml), text))
        kinds = {element.tag.rpartition("}")[2] for element in picture.iter()}
        assert kinds <= {
            "svg",
            "title",
            "style",
            "defs",
            "marker",
            "path",
            "rect",
            "g",
            "circle",
            "text",
            "tspan",
            "polygon",
            "polyline",
        }
        assert not any(name.startswith("on") or "href" in name for element in picture.iter() for name in element.attrib)
        forget()
