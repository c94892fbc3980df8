"""Records stored states of the engine as it is now, for the engines to come.

`python -m tests.workflows.engine.record_states <format>`.
Each model is walked to its end at random. A file of `states/<format>/` has the model's document, the acts of the walk,
what waited after each act, and the bytes of the state at some of them. `test_stored_states` loads each of those states
with the engine of the day and goes on to the end. Record once for each format, on the commit that brings it, and leave
the files of earlier formats as they are.
"""

import json
import random
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from tests.workflows.engine.conftest import MODELS, ROOT, Recorder, document
from workflows import engine

FOLDER = Path(__file__).parent / "states"
MOST_ACTS = 40
POINTS = 5  # states kept of one walk
TRIES = 300  # walks of which the one that passes most nodes is kept

CALLED = """<startEvent id="s"/><userTask id="inner"/><exclusiveGateway id="g" default="ok"/><endEvent id="e"/>
  <endEvent id="bad"><errorEventDefinition errorRef="no"/></endEvent>
  <f a="s" b="inner"/><f a="inner" b="g"/><f id="ok" a="g" b="e"/><f a="g" b="bad" if="outcome == 'stop'"/>"""
CALLING = """<startEvent id="s"/><callActivity id="call" calledElement="p2"/><userTask id="mend"/><userTask id="after"/>
  <boundaryEvent id="caught" attachedToRef="call"><errorEventDefinition errorRef="no2"/></boundaryEvent>
  <endEvent id="e"/><f a="s" b="call"/><f a="call" b="after"/><f a="caught" b="mend"/><f a="mend" b="call2"/>
  <callActivity id="call2" calledElement="p2"/><f a="call2" b="after"/><f a="after" b="e"/>"""
TIMERS = """<startEvent id="s"/><userTask id="work"/><endEvent id="e"/><intermediateCatchEvent id="pause">
  <timerEventDefinition><timeDuration>PT2H</timeDuration></timerEventDefinition></intermediateCatchEvent>
  <boundaryEvent id="again" attachedToRef="work" cancelActivity="false"><timerEventDefinition>
  <timeCycle>R3/PT1H</timeCycle></timerEventDefinition></boundaryEvent><serviceTask id="remind" xw:operation="x.y"/>
  <endEvent id="re"/><boundaryEvent id="late" attachedToRef="work"><timerEventDefinition>
  <timeDate>2030-01-31T08:00:00</timeDate></timerEventDefinition></boundaryEvent><userTask id="other"/>
  <f a="s" b="pause"/><f a="pause" b="work"/><f a="work" b="e"/><f a="again" b="remind"/><f a="remind" b="re"/>
  <f a="late" b="other"/><f a="other" b="e"/>"""
EVENTS = """<startEvent id="s"/><eventBasedGateway id="which"/><intermediateCatchEvent id="parts">
  <messageEventDefinition messageRef="m"/></intermediateCatchEvent><intermediateCatchEvent id="waited">
  <timerEventDefinition><timeDuration>P1D</timeDuration></timerEventDefinition></intermediateCatchEvent>
  <userTask id="fit"/><exclusiveGateway id="g" default="out"/><endEvent id="e"/><subProcess id="beside"
  triggeredByEvent="true"><startEvent id="bs" isInterrupting="false"><messageEventDefinition messageRef="m2"/>
  </startEvent><userTask id="note"/><endEvent id="be"/><f a="bs" b="note"/><f a="note" b="be"/></subProcess>
  <f a="s" b="which"/><f a="which" b="parts"/><f a="which" b="waited"/><f a="parts" b="fit"/><f a="waited" b="fit"/>
  <f a="fit" b="g"/><f id="out" a="g" b="e"/><f a="g" b="which2" if="outcome == 'again'"/><userTask id="which2"/>
  <f a="which2" b="e"/>"""
SCRIPTED = """<startEvent id="s"/><userTask id="ask"/><scriptTask id="set" scriptFormat="groovy"><script>
  execution.setVariable('n', 3)</script></scriptTask><intermediateCatchEvent id="when"><conditionalEventDefinition>
  <condition>${n == 4}</condition></conditionalEventDefinition></intermediateCatchEvent><parallelGateway id="fork"/>
  <userTask id="other"/><scriptTask id="raise" scriptFormat="groovy"><script>execution.setVariable('n', n + 1)</script>
  </scriptTask><parallelGateway id="join"/><userTask id="last"/><endEvent id="e"/><f a="s" b="ask"/><f a="ask" b="set"/>
  <f a="set" b="fork"/><f a="fork" b="when"/><f a="fork" b="other"/><f a="other" b="raise"/><f a="raise" b="join"/>
  <f a="when" b="join"/><f a="join" b="last"/><f a="last" b="e"/>"""


def written(body: str, beside: str = "") -> bytes:
    """Return a document; its flows are written `<f a="x" b="y" if="condition"/>`."""

    def flow(match: re.Match[str]) -> str:
        ends = match[1].replace("a=", "sourceRef=").replace("b=", "targetRef=")
        condition = f"<conditionExpression>{escape(match[2])}</conditionExpression>" if match[2] else ""
        return f"<sequenceFlow {ends}>{condition}</sequenceFlow>"

    return document(re.sub(r'<f ([^>]*?)(?: if="([^"]*)")?/>', flow, body), beside)


def read(number: int, name: str) -> dict[str, Any]:
    """Return what was recorded of a model in a format."""
    lines = (FOLDER / str(number) / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return dict(json.loads(line) for line in lines)


def models() -> dict[str, bytes]:
    """Return the documents to record, by name: shipped ones, those of the demo plant, and some for one thing each."""
    shipped = sorted([*ROOT.glob("bpmn/*/*.bpmn"), *ROOT.glob("core/project/demo_models/*.bpmn")])
    found = {path.stem: engine.without_diagram(path.read_bytes()) for path in shipped}
    message = '<message id="m" name="answered"/><message id="m2" name="noted"/>'
    error = '<error id="no" errorCode="refused"/><error id="no2" errorCode="refused"/>'
    called = engine.Called(written(CALLED, error).replace(b'id="p"', b'id="p2"'), ())
    found["called"] = engine.assemble(written(CALLING, error), lambda key: called).xml
    bodies = {**MODELS, "timers": TIMERS, "events": EVENTS, "scripted": SCRIPTED}
    return found | {name.replace(" ", "_"): written(body, message) for name, body in bodies.items()}


def lent(chance: random.Random) -> dict[str, Any]:
    """Return what conditions of the models may read of the record and the form."""
    return {
        "record": {"days": chance.choice([1, 5])},
        "starter": {"id": 7, "name": "x"},
        "members": {},
        "form": {"risk": chance.choice(["high", "low"]), "n": 1},
    }


def waiting(step: engine.Step) -> dict[str, Any]:
    """Return what waits after a step and what the step did, without the ids that differ from run to run."""
    return {
        "tasks": sorted([task.node, task.loop_instance] for task in step.tasks),
        "timers": sorted([timer.node, timer.kind, timer.text] for timer in step.timers),
        "catches": sorted([catch.node, catch.message, catch.key] for catch in step.catches),
        "passed": list(step.passed),
        "thrown": [[one.node, one.message, one.key] for one in step.thrown],
        "completed": step.completed,
    }


def act(spec: engine.Specification, state: bytes, step: engine.Step, said: list[str], host: Recorder) -> engine.Step:
    """Do one act of a walk: complete a task, fire a timer, send a message."""
    verb, name, place, outcome = said
    if verb == "complete":
        task = next(one.task for one in step.tasks if (one.node, one.loop_instance) == (name, place))
        return engine.complete(spec, state, task, outcome, {}, host)
    if verb == "fire":
        return engine.fire(spec, state, next(one.task for one in step.timers if one.node == name), host)
    return engine.send(spec, state, name, host)


def _walk(spec: engine.Specification, chance: random.Random) -> tuple[dict[str, Any], list[Any]] | None:
    """Return what was lent and each act with its step; None where the walk is not over in time."""
    given = lent(chance)
    host = Recorder()
    host.lent = given
    step = engine.start(spec, {}, host)
    steps: list[Any] = [(None, step)]
    while not step.completed and len(steps) < MOST_ACTS:
        doors = [["complete", task.node, task.loop_instance] for task in step.tasks for _ in range(8)]
        doors += [["fire", timer.node, ""] for timer in step.timers] + [["send", name, ""] for name in step.messages]
        door = chance.choice(sorted(doors))
        declared = spec.nodes[door[1]].extensions.get("outcomes", "") if door[0] == "complete" else ""
        said = [*door, chance.choice(declared.split(",") if declared else ["", "a", "b", "again", "stop", "ab"])]
        step = act(spec, step.state, step, said, host)
        steps.append((said, step))
    return (given, steps) if step.completed else None


def recorded(name: str, xml: bytes) -> Mapping[str, Any]:
    """Return the walk through a model, of many at random, that passes most of its nodes."""
    spec = engine.parse(xml)
    walks = [one for seed in range(TRIES) if (one := _walk(spec, random.Random(f"{name} {seed}")))]
    given, steps = max(
        walks, key=lambda one: (len({node for _said, step in one[1] for node in step.passed}), len(one[1]))
    )
    points = sorted({round(place * (len(steps) - 2) / max(POINTS - 1, 1)) for place in range(POINTS)})
    return {
        "xml": xml.decode(),
        "lent": given,
        "acts": [said for said, _step in steps[1:]],
        "waiting": [waiting(step) for _said, step in steps],
        "states": {str(point): json.loads(steps[point][1].state) for point in points},
    }


if __name__ == "__main__":
    folder = FOLDER / sys.argv[1]
    folder.mkdir(parents=True, exist_ok=True)
    for name, xml in models().items():
        found = recorded(name, xml)
        lines = "".join(json.dumps([key, value], ensure_ascii=False) + "\n" for key, value in found.items())
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
        print(name, len(found["acts"]), sorted(found["states"]))
