"""Small models and a host for the tests of the engine."""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest

from workflows import engine

ROOT = Path(__file__).resolve().parents[3]
HEAD = (
    '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xw="urn:xunwei:bpmn" '
    'xmlns:flowable="http://flowable.org/bpmn" targetNamespace="urn:test">'
)


# fork to a and b, join, review; 'again' goes round once more.
LOOP = """
  <startEvent id="s"/><exclusiveGateway id="enter"/><parallelGateway id="fork"/><userTask id="a"/><userTask id="b"/>
  <parallelGateway id="join"/><userTask id="review"/><exclusiveGateway id="g" default="done"/><endEvent id="e"/>
  <f a="s" b="enter"/><f a="enter" b="fork"/><f a="fork" b="a"/><f a="fork" b="b"/>
  <f a="a" b="join"/><f a="b" b="join"/><f a="join" b="review"/><f a="review" b="g"/>
  <f id="done" a="g" b="e"/><f a="g" b="enter" if="outcome == 'again'"/>
"""

INCLUSIVE = """
  <startEvent id="s"/><userTask id="ask"/><inclusiveGateway id="fork" default="other"/>
  <userTask id="a"/><userTask id="b"/><userTask id="c"/><inclusiveGateway id="join"/><userTask id="after"/>
  <endEvent id="e"/>
  <f a="s" b="ask"/><f a="ask" b="fork"/><f id="other" a="fork" b="c"/>
  <f a="fork" b="a" if="contains(outcome, 'a')"/>
  <f a="fork" b="b" if="contains(outcome, 'b')"/>
  <f a="a" b="join"/><f a="b" b="join"/><f a="c" b="join"/><f a="join" b="after"/><f a="after" b="e"/>
"""

# The loop of a parallel part, round a sub-process with reminders, that a message may break off: all ties at once.
NESTED = f"""
  <startEvent id="s0"/><endEvent id="e0"/><endEvent id="e9"/><f a="s0" b="all"/><f a="all" b="e0"/><f a="stop" b="e9"/>
  <boundaryEvent id="stop" attachedToRef="all"><timerEventDefinition xw:due="s"/></boundaryEvent>
  <subProcess id="all">{LOOP}
    <boundaryEvent id="skip" attachedToRef="b"><messageEventDefinition messageRef="m"/></boundaryEvent>
    <userTask id="skipped"/><exclusiveGateway id="merge"/><f a="skip" b="skipped"/><f a="skipped" b="merge"/>
    <f a="merge" b="join"/>
    <boundaryEvent id="remind" attachedToRef="a" cancelActivity="false"><timerEventDefinition xw:due="r"/>
    </boundaryEvent><userTask id="reminded"/><endEvent id="re"/><f a="remind" b="reminded"/><f a="reminded" b="re"/>
  </subProcess>
""".replace('<f a="b" b="join"/>', '<f a="b" b="merge"/>').replace(
    '<userTask id="a"/>',
    '<subProcess id="a"><startEvent id="as"/><userTask id="inner"/><endEvent id="ae"/>'
    '<f a="as" b="inner"/><f a="inner" b="ae"/></subProcess>',
)
# Three branches, so that a token at the join may be one that no longer counts as waiting.
THREE = LOOP + '<userTask id="c"/><f a="fork" b="c"/><f a="c" b="join"/>'
AGAIN = (
    INCLUSIVE.replace('<f a="after" b="e"/>', "").replace('<f a="s" b="ask"/>', "")
    + """
  <exclusiveGateway id="begin"/><exclusiveGateway id="g"/><f a="s" b="begin"/><f a="begin" b="ask"/>
  <f a="after" b="g"/><f a="g" b="e"/><f a="g" b="begin" if="outcome == 'again'"/>
"""
)

# Round and round: a message is thrown, and an answer is waited for, with a reminder beside it.
CALLING = """
  <startEvent id="s"/><exclusiveGateway id="enter"/><sendTask id="call" messageRef="m" xw:key="${form.n}"/>
  <receiveTask id="answer" messageRef="m" xw:key="${form.n}"/><userTask id="review"/><exclusiveGateway id="g"/>
  <boundaryEvent id="late" attachedToRef="answer" cancelActivity="false"><timerEventDefinition xw:due="r"/>
  </boundaryEvent><intermediateThrowEvent id="cry"><messageEventDefinition messageRef="m"/></intermediateThrowEvent>
  <endEvent id="le"/><endEvent id="e"><messageEventDefinition messageRef="m"/></endEvent><userTask id="ask"/>
  <f a="s" b="ask"/><f a="ask" b="enter"/><f a="enter" b="call"/><f a="call" b="answer"/><f a="answer" b="review"/>
  <f a="review" b="g"/><f a="late" b="cry"/><f a="cry" b="le"/><f id="over" a="g" b="e"/>
  <f a="g" b="enter" if="outcome == 'again'"/>
"""

# Three sign beside each other, a part for each of two follows in turn; a timer breaks off, a message is waited for.
MANY = """
  <startEvent id="s"/><exclusiveGateway id="enter"/><exclusiveGateway id="g" default="on"/><endEvent id="e"/>
  <userTask id="sign"><multiInstanceLoopCharacteristics xw:collection="${['a', 'b', 'c']}" xw:elementVariable="one">
  <completionCondition>votes.again == 2 or votes.a == 2</completionCondition></multiInstanceLoopCharacteristics>
  </userTask><boundaryEvent id="late" attachedToRef="sign"><timerEventDefinition xw:due="r"/></boundaryEvent>
  <boundaryEvent id="remind" attachedToRef="sign" cancelActivity="false"><timerEventDefinition xw:due="q"/>
  </boundaryEvent><endEvent id="re"/><f a="remind" b="re"/>
  <subProcess id="part"><multiInstanceLoopCharacteristics isSequential="true"><loopCardinality>2</loopCardinality>
  </multiInstanceLoopCharacteristics><startEvent id="is"/><userTask id="do"/><receiveTask id="heard" messageRef="m"/>
  <endEvent id="ie"/><f a="is" b="do"/><f a="do" b="heard"/><f a="heard" b="ie"/></subProcess>
  <exclusiveGateway id="back" default="out"/>
  <f a="s" b="enter"/><f a="enter" b="sign"/><f a="sign" b="g"/><f a="g" b="enter" if="outcome == 'again'"/>
  <f id="on" a="g" b="part"/><f a="late" b="part2"/><userTask id="part2"/><f a="part2" b="back"/><f a="part" b="back"/>
  <f id="out" a="back" b="e"/><f a="back" b="enter" if="outcome == 'again' or outcome == 'b'"/>
"""

MODELS = {
    "many": MANY,
    "loop": LOOP,
    "three": THREE,
    "nested": NESTED,
    "inclusive": INCLUSIVE,
    "inclusive again": AGAIN,
    "calling": CALLING,
}
OUTCOMES = ("again",) * 12 + ("a", "b", "ab", "stop")


class Recorder:
    """A host that notes the calls, gives `lent` as names and raises `fault` from its operations when there is one.

    The operations of `later` answer later.
    """

    def __init__(self) -> None:
        self.calls: list[tuple[str, str]] = []
        self.given: list[Mapping[str, Any]] = []
        self.lent: dict[str, Any] = {"record": {}}
        self.fault: Exception | None = None
        self.later: set[str] = set()
        self.over: set[str] = set()

    def call(self, operation: str, node: str, given: Mapping[str, Any]) -> Any:
        if self.fault is not None:
            raise self.fault
        self.calls.append((operation, node))
        self.given.append(given)
        return engine.LATER if operation in self.later else None

    def names(self) -> dict[str, Any]:
        return self.lent

    def weigh(self, rules: Sequence[tuple[str, int]], people: Sequence[Any]) -> list[int]:
        """The weight of a rule that names a person is that person's, of `*` everybody else's."""
        known = dict(rules)
        return [known.get(f"user:{one}", known.get("*", 1)) for one in people]

    def comes(self, repetition: str) -> bool:
        """Every repetition comes but those that are `over`."""
        return repetition not in self.over


class Driver:
    """Steps through one instance by node names, with nothing kept but the bytes of the state."""

    def __init__(self, spec: engine.Specification, host: Recorder) -> None:
        self.spec = spec
        self.host = host
        self.step: engine.Step

    def start(self, at: str = "", **data: Any) -> engine.Step:
        self.step = engine.start(self.spec, data, self.host, at)
        return self.step

    def answer(self, node: str, **variables: Any) -> engine.Step:
        self.step = engine.answer(self.spec, self.step.state, self._called(node), variables, self.host)
        return self.step

    def fail(self, node: str, code: str) -> engine.Step:
        self.step = engine.fail(self.spec, self.step.state, self._called(node), code, self.host)
        return self.step

    def _called(self, node: str) -> str:
        return next(call.task for call in self.step.calls if call.node == node)

    def complete(self, node: str, outcome: str = "", **form: Any) -> engine.Step:
        task = next(task.task for task in self.step.tasks if task.node == node)
        self.step = engine.complete(self.spec, self.step.state, task, outcome, form, self.host)
        return self.step

    def fire(self, node: str) -> engine.Step:
        timer = next(timer.task for timer in self.step.timers if timer.node == node)
        self.step = engine.fire(self.spec, self.step.state, timer, self.host)
        return self.step

    def send(self, message: str) -> engine.Step:
        self.step = engine.send(self.spec, self.step.state, message, self.host)
        return self.step

    def retry(self) -> engine.Step:
        self.step = engine.retry(self.spec, self.step.state, self.host)
        return self.step

    def move(self, node: str, to: str) -> engine.Step:
        self.step = engine.move(self.spec, self.step.state, node, to, self.host)
        return self.step

    @property
    def open(self) -> list[str]:
        return sorted(task.node for task in self.step.tasks)

    @property
    def faults(self) -> list[tuple[str, str]]:
        return [(fault.node, fault.code) for fault in self.step.faults]


def document(body: str, beside: str = "") -> bytes:
    return f'{HEAD}{beside}<process id="p" isExecutable="true">{body}</process></definitions>'.encode()


def seen(step: engine.Step) -> tuple[Any, ...]:
    return (
        sorted(task.node for task in step.tasks),
        sorted((timer.node, timer.kind, timer.text) for timer in step.timers),
        sorted((catch.node, catch.message, catch.key) for catch in step.catches),
        step.passed,
        step.flows,
        step.thrown,
        step.completed,
    )


def random_walk(run: Driver, seed: int, length: int) -> list[tuple[Any, ...]]:
    """Act at random; the same seed acts the same as long as the same things wait."""
    chance = random.Random(seed)
    story = [seen(run.start())]
    while not run.step.completed and len(story) < length:
        doors = [("complete", task.node) for task in run.step.tasks for _ in range(12)]
        doors += [("fire", timer.node) for timer in run.step.timers]
        doors += [("send", name) for name in run.step.messages]
        verb, name = chance.choice(sorted(doors))
        if verb == "complete":
            declared = run.spec.nodes[name].extensions.get("outcomes")
            run.complete(name, chance.choice(declared.split(",") if declared else OUTCOMES), n=len(story))
        else:
            getattr(run, verb)(name)
        story.append(seen(run.step))
    return story


@pytest.fixture
def host() -> Recorder:
    return Recorder()


@pytest.fixture
def xml() -> Callable[..., bytes]:
    """A document around the nodes and flows of a process; a flow may be written `<f a="x" b="y" if="condition"/>`."""

    def flow(match: re.Match[str]) -> str:
        attributes = match[1].replace("a=", "sourceRef=").replace("b=", "targetRef=")
        condition = f"<conditionExpression>{escape(match[2])}</conditionExpression>" if match[2] else ""
        return f"<sequenceFlow {attributes}>{condition}</sequenceFlow>"

    def make(body: str, beside: str = "") -> bytes:
        return document(re.sub(r'<f ([^>]*?)(?: if="([^"]*)")?/>', flow, body), beside)

    return make


@pytest.fixture
def drive(xml: Callable[..., bytes], host: Recorder) -> Callable[..., Driver]:
    def make(body: str, beside: str = "") -> Driver:
        return Driver(engine.parse(xml(body, beside)), host)

    return make


@pytest.fixture(scope="session")
def repair() -> engine.Specification:
    return engine.parse((ROOT / "bpmn/repairorder/repairorder.bpmn").read_bytes())


@pytest.fixture
def order(repair: engine.Specification, host: Recorder) -> Driver:
    """A started repair order."""
    driver = Driver(repair, host)
    driver.start()
    return driver


@pytest.fixture
def driver() -> Callable[[engine.Specification], Driver]:
    return lambda spec: Driver(spec, Recorder())


@pytest.fixture
def models() -> dict[str, str]:
    return MODELS


@pytest.fixture
def walk() -> Callable[[Driver, int, int], list[tuple[Any, ...]]]:
    return random_walk
