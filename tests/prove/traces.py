"""Traces of other people's models, written by hand, held against what the engine does with them.

`traces.toml` says of each model what must wait after each act: its author read the drawing, the BPMN standard and what
Flowable's own tests ask of it, and never what comes out here. It fails when one act leaves anything else waiting.

    python -m tests.prove.traces FOLDER
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.prove.table import print_table
from workflows import engine
from workflows.engine.document import local

TRACES = Path(__file__).with_suffix(".toml")

_LINE = re.compile(
    r"(?P<act>start|do|timer|trigger|message|signal)\b\s*(?P<what>[^{\[]*?)\s*(?:\[(?P<number>\d+)\])?"
    r"\s*(?P<data>\{.*\})?\s*->\s*(?P<waits>[^|]*?)\s*(?:\|\s*calls\s+(?P<calls>.*?))?\s*"
)
_SEVERAL = re.compile(r"(\S+?)(?:\*(\d+))?")


class WrongTrace(Exception):
    """The file of traces cannot be read; not the engine's fault."""


@dataclass(frozen=True)
class Act:
    """One line of a trace: what is done, and what must come of it."""

    line: str
    act: str
    what: str
    number: int
    data: Mapping[str, Any]
    is_refused: bool
    is_over: bool
    names: Counter[str]
    """What waits; where it is over the end events that were reached in this act."""
    calls: list[str]


@dataclass(frozen=True)
class Trace:
    """A model and its instances; `calls` are files that it needs, `sets` by operation what its calls set in turn."""

    model: str
    process: str
    calls: tuple[str, ...]
    sets: Mapping[str, list[Mapping[str, Any]]]
    runs: tuple[tuple[Act, ...], ...]


@dataclass
class Tally:
    """What came out."""

    models: set[str] = field(default_factory=set)
    runs: int = 0
    acts: int = 0
    agree: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    """In how many of the models each kind of element is drawn."""
    wrong: list[str] = field(default_factory=list)

    def rows(self) -> dict[str, object]:
        """For the table."""
        rows: dict[str, object] = {
            "models": len(self.models),
            "traces that agree": f"{self.agree} of {self.runs}",
            "acts": self.acts,
        }
        rows |= {f"- {reason}": count for reason, count in sorted(self.reasons.items())}
        rows["drawn in"] = ", ".join(f"{kind} {count}" for kind, count in self.kinds.most_common())
        return rows


def read(text: str) -> list[Trace]:
    """The traces of a file. Raises WrongTrace at a line that is not one."""
    told = tomllib.loads(text)
    return [_trace(told.get("root", ""), one) for one in told["trace"]]


def _trace(root: str, one: dict[str, Any]) -> Trace:
    short = one.get("short", {})
    return Trace(
        model=root + one["model"],
        process=one.get("process", ""),
        calls=tuple(root + path for path in one.get("calls", ())),
        sets={
            short.get(name, name): values if isinstance(values, list) else [values]
            for name, values in one.get("sets", {}).items()
        },
        runs=tuple(_runs(one["model"], one["acts"], short)),
    )


def _runs(model: str, text: str, short: Mapping[str, str]) -> Iterator[tuple[Act, ...]]:
    """Each `start` begins an instance of its own."""
    run: list[Act] = []
    for line in (line.strip() for line in text.strip().splitlines()):
        if not line or line.startswith("#"):
            continue
        act = _act(model, line, short)
        if act.act == "start" and run:
            yield tuple(run)
            run = []
        if act.act != "start" and (not run or run[-1].is_over or (run[-1].is_refused and len(run) == 1)):
            raise WrongTrace(f"{model}: nothing runs at “{line}”")
        run.append(act)
    if not run:
        raise WrongTrace(f"{model}: no acts")
    yield tuple(run)


def _act(model: str, line: str, short: Mapping[str, str]) -> Act:
    found = _LINE.fullmatch(line)
    if found is None:
        raise WrongTrace(f"{model}: cannot read “{line}”")
    words = found["waits"].split()
    if not words:
        raise WrongTrace(f"{model}: nothing is expected at “{line}”")
    names: Counter[str] = Counter()
    for word in words[1:] if words[0] in ("ended", "refused") else words:
        several = _SEVERAL.fullmatch(word)
        assert several is not None
        names[short.get(several[1], several[1])] += int(several[2] or 1)
    return Act(
        line=re.sub(r"\s+", " ", line),
        act=found["act"],
        what=short.get(found["what"], found["what"]),
        number=int(found["number"] or 0),
        data=tomllib.loads(f"data = {found['data']}")["data"] if found["data"] else {},
        is_refused=words[0] == "refused",
        is_over=words[0] == "ended",
        names=names,
        calls=[short.get(name.strip(), name.strip()) for name in (found["calls"] or "").split(";") if name.strip()],
    )


class _Host:
    """Variables as Flowable's processes have them, and the operations that were called."""

    def __init__(self, is_vendor: bool, initiator: str, sets: Mapping[str, list[Mapping[str, Any]]]) -> None:
        self.variables: dict[str, Any] = {}
        self.called: list[str] = []
        self._times: Counter[str] = Counter()
        self._is_vendor, self._initiator, self._sets = is_vendor, initiator, sets

    def call(self, operation: str, node: str, given: Mapping[str, Any]) -> None:
        """Note it, and set what the trace says that it sets."""
        self.called.append(operation)
        if values := self._sets.get(operation):
            self.variables.update(values[min(self._times[operation], len(values) - 1)])
        self._times[operation] += 1

    def names(self) -> Mapping[str, Any]:
        """What `runtime.definitions.names` gives: `form.*`, and in other engines' models the bare names too."""
        own = {"record": {}, "starter": {"id": "7", "name": "Kermit"}, "members": {}, "form": self.variables}
        if not self._is_vendor:
            return own
        return {**({self._initiator: "7"} if self._initiator else {}), **self.variables, **own}

    def comes(self, repetition: str) -> bool:
        """No trace looks at a clock."""
        return True


@dataclass(frozen=True)
class _Model:
    specification: engine.Specification
    drawn: frozenset[str]
    """Ids of the drawing and of all that it calls; the engine puts in nodes of its own."""
    calls: tuple[str, ...]
    """What stands in front of the ids of called nodes."""

    def of(self, node: str) -> str:
        """What a node is called in the drawing that it comes from; '' for one that was put in."""
        while node not in self.drawn:
            call = next((call for call in self.calls if node.startswith(call)), None)
            if call is None:
                return ""
            node = node[len(call) :]
        return node

    def drawings(self, nodes: Iterable[str]) -> Counter[str]:
        """How many of each there are, without those that were put in."""
        return Counter(name for node in nodes if (name := self.of(node)))


def _load(folder: Path, trace: Trace) -> tuple[_Model, set[str]]:
    """The model with its calls filled in, and the kinds of elements that it draws. Raises ModelError."""
    documents: dict[str, bytes] = {}
    drawn: set[str] = set()
    calls: set[str] = set()
    kinds: set[str] = set()
    first = ""
    for path in (trace.model, *trace.calls):
        for _name, document in engine.split((folder / path).read_bytes()):
            key = engine.process_id(document)
            documents.setdefault(key, document)
            first = first or trace.process or key
            for element in engine.read(document).iter():
                if isinstance(element.tag, str) and element.get("id"):
                    drawn.add(element.get("id"))
                if local(element) == "callActivity":
                    calls.add(f"{element.get('id', '')[:20]}.")
                if path == trace.model and (kind := _kind(element)):
                    kinds.add(kind)
    whole = engine.assemble(documents[first], _finder(documents))
    return _Model(engine.parse(whole.xml), frozenset(drawn), tuple(sorted(calls))), kinds


_ACTIVITIES = {"subProcess", "callActivity"}


def _kind(element: Any) -> str:
    """What it is called in the table; '' for what is not counted there."""
    name = local(element)
    if name.endswith("EventDefinition"):
        return f"{name.removesuffix('EventDefinition')} {local(element.getparent())}"
    if name == "subProcess" and element.get("triggeredByEvent") == "true":
        return "event subProcess"
    return name if name in _ACTIVITIES or name.endswith(("Task", "Gateway", "LoopCharacteristics")) else ""


def _finder(documents: Mapping[str, bytes], way: tuple[str, ...] = ()) -> engine.Find:
    def find(key: str) -> engine.Called | engine.Problem:
        if key in way:
            return engine.Called(b"", way)
        if key not in documents:
            return engine.Problem("", "called_missing", f"没有流程“{key}”", f"There is no process “{key}”")
        assembly = engine.assemble(documents[key], _finder(documents, (*way, key)))
        return engine.Called(assembly.xml, assembly.calls)

    return find


def prove(folder: Path, traces: Iterable[Trace]) -> Tally:
    """Run every trace."""
    tally = Tally()
    for trace in traces:
        tally.models.add(trace.model)
        try:
            model, kinds = _load(folder, trace)
        except engine.ModelError as refusal:
            tally.runs += len(trace.runs)
            tally.reasons["does not run here"] += len(trace.runs)
            tally.wrong.append(f"{trace.model}: {refusal.text_en}")
            continue
        tally.kinds.update(kinds)
        for run in trace.runs:
            tally.runs += 1
            if fault := _run(tally, model, trace, run):
                reason, said = fault
                tally.reasons[reason] += 1
                tally.wrong.append(f"{trace.model}: {said}")
            else:
                tally.agree += 1
    return tally


def _run(tally: Tally, model: _Model, trace: Trace, acts: tuple[Act, ...]) -> tuple[str, str] | None:
    """The first disagreement of one instance with its trace: what kind, and which."""
    specification = model.specification
    first = specification.nodes[specification.first].extensions
    host = _Host(specification.is_vendor, first.get("initiator", ""), trace.sets)
    step: engine.Step | None = None
    for act in acts:
        tally.acts += 1
        host.called.clear()
        before = dict(host.variables)
        try:
            after = _do(model, step, act, host)
        except engine.EngineError as error:
            if not act.is_refused:
                return "refused", f"“{act.line}” is refused: {error.text_en}"
            host.variables = before
            continue
        if act.is_refused:
            return "not refused", f"“{act.line}” goes on to {_said(_waiting(model, after))}"
        step = after
        if step.completed != act.is_over:
            came = "it is over" if step.completed else f"waits for {_said(_waiting(model, step))}"
            return "over or not", f"“{act.line}”: {came}"
        found = _ends(model, step) if act.is_over else _waiting(model, step)
        if found != act.names:
            what = "ends at" if act.is_over else "waits for"
            return f"{what} something else", f"“{act.line}” {what} {_said(found)}"
        if host.called != act.calls:
            return "calls something else", f"“{act.line}” calls {'; '.join(host.called) or 'nothing'}"
    return None


def _do(model: _Model, step: engine.Step | None, act: Act, host: _Host) -> engine.Step:
    spec = model.specification
    host.variables = {**host.variables, **act.data}
    if act.act == "start" or step is None:
        after = engine.start(spec, {"form": dict(host.variables)}, host)
    elif act.act == "do":
        task = _chosen(act, sorted((one for one in step.tasks if model.of(one.node) == act.what), key=_place))
        after = engine.complete(spec, step.state, task.task, "", dict(host.variables), host)
    elif act.act == "timer":
        timer = _chosen(act, [one for one in step.timers if model.of(one.node) == act.what])
        after = engine.fire(spec, step.state, timer.task, host)
    elif act.act == "trigger":
        catch = _chosen(act, [one for one in step.catches if model.of(one.node) == act.what])
        after = engine.send(spec, step.state, catch.message, host, [catch.task])
    else:
        name = f"signal:{act.what}" if act.act == "signal" else act.what
        after = engine.send(spec, step.state, name, host)
    return after


def _place(task: engine.OpenTask) -> tuple[int, ...]:
    return tuple(int(number) for number in task.loop_instance.split(".") if number)


def _chosen(act: Act, found: list[Any]) -> Any:
    if act.number >= len(found):
        raise engine.TaskNotOpen(act.what)
    return found[act.number]


def _waiting(model: _Model, step: engine.Step) -> Counter[str]:
    """Tasks, timers and events that wait, by their ids in the drawings."""
    return model.drawings(one.node for one in (*step.tasks, *step.timers, *step.catches))


def _ends(model: _Model, step: engine.Step) -> Counter[str]:
    """The end events that the step reached."""
    nodes = model.specification.nodes
    return model.drawings(node for node in step.passed if nodes[node].kind == "endEvent")


def _said(names: Counter[str]) -> str:
    return " ".join(f"{name}*{count}" if count > 1 else name for name, count in sorted(names.items())) or "nothing"


def main(arguments: list[str] | None = None) -> int:
    """Run the traces and print what came out; answers the exit code."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("folder", nargs="?", default=os.environ.get("FLOWABLE_MODELS", ""))
    options.add_argument("--traces", type=Path, default=TRACES, help="the file of traces")
    asked = options.parse_args(arguments)
    if not asked.folder or not Path(asked.folder).is_dir():
        options.error("name a folder of models, here or in FLOWABLE_MODELS")
    tally = prove(Path(asked.folder), read(asked.traces.read_text("utf-8")))
    if not tally.runs:
        tally.wrong.append("there is no trace in the file")
    return print_table(f"Traces of models of {asked.folder}", tally.rows(), tally.wrong)


if __name__ == "__main__":
    sys.exit(main())
