"""Models of other people, counted: how many of a folder's processes run here, and why the others do not.

Every BPMN file of the folder is split, its calls are filled in from its own processes first, then from any other of the
folder; what parses is rehearsed. It fails when one takes longer than the limit, when anything but a refusal is raised,
when a refusal does not say in both languages what is wrong, or not where, and when an attribute or element of another
engine is neither read nor told: one that a model has, or one that nobody knows and that is planted at each element.

    python -m tests.prove.elsewhere FOLDER
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.prove.table import print_table
from workflows import engine
from workflows.engine import losses
from workflows.engine.document import BPMN, VENDORS, local
from workflows.engine.elements import FIELD_ELEMENTS, LOOP, NODES
from workflows.engine.texts import MAX_SHOWN

LIMIT = 5
"""Seconds of the processor, for reading and for rehearsing one process."""
_ENDINGS = (".bpmn", ".xml")
_OF_THE_DOCUMENT = {"size", "xml", "doctype", "not_bpmn", "one_process"}
"""Problems that no element has."""
_QUOTED = re.compile(r"“[^”]*”")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]{2}")


class Hangs(BaseException):
    """Out of time. No Exception, so that nothing on the way takes it for one of its own."""


@contextmanager
def limit(seconds: float) -> Iterator[None]:
    """Raise Hangs when what is inside takes more of the processor; a timer that was running goes on afterwards."""

    def ring(*_: object) -> None:
        raise Hangs

    handler = signal.signal(signal.SIGPROF, ring)
    left, again = signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, handler)
        signal.setitimer(signal.ITIMER_PROF, left, again)


@dataclass
class Tally:
    """What became of the processes."""

    files: int = 0
    processes: int = 0
    run: int = 0
    stuck: int = 0
    """Parsed, but the rehearsal finds an error."""
    reasons: Counter[str] = field(default_factory=Counter)
    alone: Counter[str] = field(default_factory=Counter)
    """Of these, where it is the only one."""
    foreign: int = 0
    """Attributes and elements of other engines, in models that parse."""
    lost: int = 0
    """Of these, how many a warning names."""
    planted: int = 0
    """Words that nobody knows, one at each element of each file."""
    found: int = 0
    """Of these, how many a warning names at their element."""
    wrong: list[str] = field(default_factory=list)

    def rows(self) -> dict[str, object]:
        """For the table."""
        rows: dict[str, object] = {
            "files": self.files,
            "processes that run": f"{self.run} of {self.processes}",
            "parsed, but the rehearsal finds an error": self.stuck,
            "refused": self.processes - self.run - self.stuck,
            "words of other engines that a warning names": f"{self.lost} of {self.foreign}",
            "planted words that a warning names": f"{self.found} of {self.planted}",
        }
        for reason, count in sorted(self.reasons.items(), key=lambda one: (-one[1], one[0])):
            rows[f"- {reason}"] = f"{count}, {self.alone[reason]} for this only"
        return rows


def models(folder: Path) -> dict[str, bytes]:
    """Every file of the folder that speaks of BPMN, by its path in it."""
    files = sorted(path for path in folder.rglob("*") if path.suffix in _ENDINGS and path.is_file())
    found = {str(path.relative_to(folder)): path.read_bytes() for path in files}
    # Without zeros, so that one in UTF-16 counts.
    return {name: xml for name, xml in found.items() if BPMN.encode() in xml.replace(b"\0", b"")}


def count(files: Mapping[str, bytes], seconds: float = LIMIT) -> Tally:
    """Try every process of every file."""
    tally = Tally(files=len(files))
    folder: dict[str, list[bytes]] = {}
    parts: dict[str, list[bytes]] = {}
    for name, xml in files.items():
        try:
            with limit(seconds):
                parts[name] = [part for _, part in engine.split(xml)]
                for part in parts[name]:
                    folder.setdefault(engine.process_id(part), []).append(part)
        except (Exception, Hangs) as error:
            tally.wrong.append(f"{name}: {_raised(error)} when it is split")
    for name, documents in parts.items():
        for document in documents:
            _plant(tally, name, document)
        beside = {engine.process_id(document): document for document in documents}
        for number, document in enumerate(documents, 1):
            _try(tally, f"{name}, process {number}" if len(documents) > 1 else name, document, beside, folder, seconds)
    return tally


def _try(
    tally: Tally, name: str, xml: bytes, beside: Mapping[str, bytes], folder: Mapping[str, list[bytes]], seconds: float
) -> None:
    tally.processes += 1
    try:
        with limit(seconds):
            specification = engine.parse(engine.assemble(xml, _finder(beside, folder)).xml)
    except engine.ModelError as refusal:
        _refused(tally, name, refusal.problems, _drawn(xml))
        return
    except (Exception, Hangs) as error:
        tally.wrong.append(f"{name}: {_raised(error)}")
        return
    _told(tally, name, xml)
    try:
        with limit(seconds):
            found = [one for one in engine.rehearse(specification, {"form": {}}) if one.level == "error"]
    except (Exception, Hangs) as error:
        tally.wrong.append(f"{name}: {_raised(error)} when it is rehearsed")
        return
    if found:
        tally.stuck += 1
        _refused(tally, name, found, set(specification.nodes))
    else:
        tally.run += 1


_TASKS = frozenset({"serviceTask", "sendTask", "businessRuleTask"})
_EVENTS = frozenset({"startEvent", "boundaryEvent", "intermediateCatchEvent", "receiveTask"})
_LISTENS = NODES | {"process", "sequenceFlow", "callActivity"}
_CARRIED: Mapping[str, Collection[str]] = {
    **dict.fromkeys(("class", "delegateExpression", "expression", "type", "topic", "field", "inputOutput"), _TASKS),
    "messageExpression": {"messageEventDefinition"},
    "signalExpression": {"signalEventDefinition"},
    "correlationKey": {"messageEventDefinition", "receiveTask", "sendTask"},
    "errorCodeVariable": {"errorEventDefinition"},
    "escalationCodeVariable": {"escalationEventDefinition"},
    "in": {"callActivity", "boundaryEvent", "startEvent"},
    "out": {"callActivity"},
    "variableAggregation": {LOOP},
    **dict.fromkeys(("variableListenerEventDefinition", "eventType", "eventCorrelationParameter"), _EVENTS),
    "executionListener": _LISTENS,
    "taskListener": {"userTask"},
}
"""What the translation carries over, and of which elements; READ and IDLE say the rest.

Tests with drawings of our own say what becomes of it.
"""


def _told(tally: Tally, name: str, xml: bytes) -> None:
    """Compare what the document says in words of other engines, and where, with what is read of it and what is told."""
    root = engine.read(xml)
    said = [
        (element, word, local(_around(element)), _places(element))
        for element in root.iter()
        if local(element)
        for word in _words(element)
    ]
    told = [one for one in engine.adopt(root) if one.code == "no_effect"]
    named = {(one.element, word) for one in told for word in re.findall(r"“([^”]*)”", one.text_en)}
    # Beyond the first elements a warning of the process names the words of all the others.
    more = {word for one in told if " more element" in one.text_en for word in re.findall(r"“([^”]*)”", one.text_en)}
    words = {word for _element, word, _kind, _at in said}
    tally.foreign += len(words)
    tally.lost += len(words & {word for _place, word in named})
    missing = set()
    for element, word, kind, places in said:
        is_told = word in more or any((place, word) in named for place in (*places, *_places(element)))
        is_carried = kind in _CARRIED.get(word, ()) or word in losses.IDLE
        if not (is_told or is_carried or word in _words(element)):
            missing.add(word)
    tally.wrong += [f"{name}: “{word}” is neither read nor told" for word in sorted(missing)]


def _plant(tally: Tally, name: str, xml: bytes) -> None:
    """Put a word that nobody knows at each element, of BPMN or of another engine, and see that each is told there."""
    try:
        root = engine.read(xml)
    except engine.ModelError:
        return
    planted = []
    for number, element in enumerate([one for one in root.iter() if local(one) or _is_foreign(one)]):
        word = f"planted{number}"
        element.set(f"{{{VENDORS[number % 3]}}}{word}" if local(element) else word, "x")
        # What is told as a whole, such as a listener or a data object, is told by its own name.
        whole = {str(one.tag).rpartition("}")[2] for one in (element, *element.iterancestors())} - NODES - {"process"}
        if not whole & {*FIELD_ELEMENTS, *losses.IDLE}:  # `workflows.forms` tells of form fields
            planted.append((element, {word, *whole}, _places(element)))
    most, losses.MOST = losses.MOST, len(planted)  # each by itself
    try:
        told = [one for one in engine.adopt(root) if one.code == "no_effect"]
    finally:
        losses.MOST = most
    if len(root.findall(f"{{{BPMN}}}process")) != 1:
        return  # nothing is looked at
    named = {(one.element, word) for one in told for word in re.findall(r"“([^”]*)”", one.text_en)}
    for element, words, places in planted:
        is_told = any((place, word) in named for place in (*places, *_places(element)) for word in words)
        tally.planted += 1
        tally.found += is_told
        if not is_told:
            tally.wrong.append(f"{name}: what is planted at {str(element.tag).rpartition('}')[2]} is not told")


def _is_foreign(element: Any) -> bool:
    return str(element.tag)[1:].partition("}")[0] in VENDORS


def _around(element: Any) -> Any:
    return element.getparent() if local(element) == "extensionElements" else element


def _places(element: Any) -> list[str]:
    """Where a loss of the element may be told: at its id, that of a flow's source, or at what stands around it."""
    found = [place for one in (element, *element.iterancestors()) for place in (one.get("id"), one.get("sourceRef"))]
    process = element.getroottree().getroot().find(f"{{{BPMN}}}process")
    return [*filter(None, found), "" if process is None else process.get("id", "")]


def _words(element: Any) -> Iterator[str]:
    """The attributes of other engines at a BPMN element, and their elements in it; a data object is told as a whole."""
    if any(local(one) == "dataObject" for one in (element, *element.iterancestors())):
        return
    for full in (*element.attrib, *(child.tag for child in element if isinstance(child.tag, str))):
        space, _brace, word = str(full).rpartition("}")
        if space[1:] in VENDORS:
            yield word[:40]


def _raised(error: BaseException) -> str:
    return "out of time" if isinstance(error, Hangs) else f"raises {type(error).__name__}: {str(error)[:120]}"


def _refused(tally: Tally, name: str, problems: list[engine.Problem], drawn: set[str]) -> None:
    """Count the reasons, and see that each can be read and found."""
    reasons = {_reason(problem) for problem in problems}
    tally.reasons.update(reasons)
    if len(reasons) == 1:
        tally.alone.update(reasons)
    for problem in {(one.code, one.element): one for one in problems}.values():
        zh, en = _QUOTED.sub("", problem.text_zh), _QUOTED.sub("", problem.text_en)
        if not _CHINESE.search(zh):
            tally.wrong.append(f"{name}: “{problem.code}” has no Chinese sentence: {problem.text_zh!r}")
        if _CHINESE.search(en) or not _LATIN.search(en):
            tally.wrong.append(f"{name}: “{problem.code}” has no English sentence: {problem.text_en!r}")
        if problem.code not in _OF_THE_DOCUMENT and not _stands_for(problem.element, drawn):
            tally.wrong.append(f"{name}: “{problem.code}” is said of {problem.element!r}, which is not drawn")
    if not problems:
        tally.wrong.append(f"{name}: refused without a reason")


def _reason(problem: engine.Problem) -> str:
    quoted = _QUOTED.search(problem.text_en) if problem.code == "unsupported" else None
    return f"{problem.code} {quoted[0]}" if quoted else problem.code


def _drawn(xml: bytes) -> set[str]:
    """What a problem may name: ids, and kinds of elements that have none. Nothing where it cannot be read."""
    try:
        return {element.get("id") or local(element) for element in engine.read(xml).iter()}
    except engine.ModelError:
        return set()


def _stands_for(element: str, drawn: set[str]) -> bool:
    """Whether it is drawn, or was put in for something that is and has its id in front; long ids are cut."""
    if len(element) == MAX_SHOWN:
        return any(name.startswith(element) for name in drawn)
    name = element.rstrip("_")
    while name and name not in drawn:
        name = name.rpartition(".")[0]
    return bool(name) or (bool(element) and element in drawn)


def _finder(beside: Mapping[str, bytes], folder: Mapping[str, list[bytes]], way: tuple[str, ...] = ()) -> engine.Find:
    """Looks up what is called: beside the caller, else the first of the folder that can be called."""

    def find(key: str) -> engine.Called | engine.Problem:
        if key in way:
            return engine.Called(b"", way)
        candidates = [beside[key]] if key in beside else folder.get(key, [])
        for document in candidates:
            try:
                assembly = engine.assemble(document, _finder(beside, folder, (*way, key)))
                engine.parse(assembly.xml)
            except engine.ModelError:
                continue
            return engine.Called(assembly.xml, assembly.calls)
        if candidates:
            zh, en = f"流程“{key}”自身不能运行", f"The process “{key}” cannot run itself"
            return engine.Problem("", "called_refused", zh, en)
        return engine.Problem("", "called_missing", f"没有流程“{key}”", f"There is no process “{key}”")

    return find


def main(arguments: list[str] | None = None) -> int:
    """Count the folder's models and print what came out; answers the exit code."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("folder", nargs="?", default=os.environ.get("FLOWABLE_MODELS", ""))
    options.add_argument("--limit", type=float, default=LIMIT, help="seconds for one process")
    asked = options.parse_args(arguments)
    if not asked.folder or not Path(asked.folder).is_dir():
        options.error("name a folder of models, here or in FLOWABLE_MODELS")
    tally = count(models(Path(asked.folder)), asked.limit)
    if not tally.processes:
        tally.wrong.append("there is no process in the folder")
    return print_table(f"Models of {asked.folder}", tally.rows(), tally.wrong)


if __name__ == "__main__":
    sys.exit(main())
