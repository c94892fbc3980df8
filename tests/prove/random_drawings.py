"""Random drawings of up to thirty nodes, as plain data that the token game plays, and as BPMN that the engine reads.

Blocks are put into each other and then spoilt: gateways become others, and flows lead out of turn. So most drawings are
sound, and some starve at a join or hold several tokens where one was meant.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from random import Random

MESSAGES = ("m1", "m2")
CODES = ("E1", "E2")
OUTCOMES = ("a", "b")
_HEAD = (
    '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xw="urn:xunwei:bpmn" '
    'targetNamespace="urn:test">'
    + "".join(f'<message id="{name}" name="{name}"/>' for name in MESSAGES)
    + "".join(f'<error id="{code}" errorCode="{code}"/>' for code in CODES)
)
_TIMER = "<timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>"


@dataclass(frozen=True)
class Several:
    """A multi-instance loop: how many, in turn or side by side, and when it ends early."""

    number: int
    in_turn: bool
    done: int = 0
    """Ends when so many are done; 0 for never."""
    votes: int = 0
    """Ends when so many gave the first outcome; 0 for never."""
    more_than_half: bool = False
    """Ends when more than a half of all gave the first outcome."""
    says_outcome: bool = False
    """The drawing says which outcome the votes mean together."""


@dataclass
class Node:
    """A node; `scope` is the sub-process around it, '' for the process."""

    id: str
    kind: str
    scope: str
    trigger: str = ""
    """Of an event: 'timer', a message's name, an error's code or '*' for every code, or 'terminate'."""
    host: str = ""
    """Of a boundary event: the activity that it is attached to."""
    interrupts: bool = True
    several: Several | None = None
    is_handler: bool = False
    """An event sub-process."""


@dataclass(frozen=True)
class Flow:
    """A sequence flow; `when` is the variable that has to be 1, '' for a default flow and outside of choices."""

    id: str
    source: str
    target: str
    when: str = ""


@dataclass
class Drawing:
    """Nodes and flows by id, and the variables that the conditions read."""

    nodes: dict[str, Node] = field(default_factory=dict)
    flows: dict[str, Flow] = field(default_factory=dict)
    variables: list[str] = field(default_factory=list)

    def xml(self) -> bytes:
        """Return the BPMN document."""
        return f'{_HEAD}<process id="p" isExecutable="true">{self._scope("")}</process></definitions>'.encode()

    def _scope(self, scope: str) -> str:
        said = "".join(self._node(node) for node in self.nodes.values() if node.scope == scope)
        for flow in self.flows.values():
            if self.nodes[flow.source].scope == scope:
                inside = f"<conditionExpression>form.{flow.when} == 1</conditionExpression>" if flow.when else ""
                ends = f'sourceRef="{flow.source}" targetRef="{flow.target}"'
                said += f'<sequenceFlow id="{flow.id}" {ends}>{inside}</sequenceFlow>'
        return said

    def _node(self, node: Node) -> str:
        more, inside = "", ""
        if node.kind in ("exclusiveGateway", "inclusiveGateway"):
            bare = [flow for flow in self.flows.values() if flow.source == node.id and not flow.when]
            several = sum(flow.source == node.id for flow in self.flows.values()) > 1
            more = f' default="{bare[0].id}"' if bare and several else ""
        if node.host:
            more += f' attachedToRef="{node.host}" cancelActivity="{str(node.interrupts).lower()}"'
        if node.kind == "startEvent" and node.trigger:
            more += f' isInterrupting="{str(node.interrupts).lower()}"'
        if node.trigger:
            inside += _definition(node.trigger)
        if node.is_handler:
            more += ' triggeredByEvent="true"'
        if node.several:
            inside += _loop(node.several)
        if node.kind == "subProcess":
            inside += self._scope(node.id)
        return f'<{node.kind} id="{node.id}"{more}>{inside}</{node.kind}>'


def _definition(trigger: str) -> str:
    if trigger == "timer":
        return _TIMER
    if trigger == "terminate":
        return "<terminateEventDefinition/>"
    if trigger in MESSAGES:
        return f'<messageEventDefinition messageRef="{trigger}"/>'
    return "<errorEventDefinition/>" if trigger == "*" else f'<errorEventDefinition errorRef="{trigger}"/>'


def _loop(several: Several) -> str:
    ends = f"nrOfCompletedInstances &gt;= {several.done}" if several.done else ""
    ends = f"votes.{OUTCOMES[0]} &gt;= {several.votes}" if several.votes else ends
    ends = f"votes.{OUTCOMES[0]} * 2 &gt; nrOfInstances" if several.more_than_half else ends
    means = f"votes.{OUTCOMES[0]} * 2 &gt; nrOfInstances ? '{OUTCOMES[0]}' : '{OUTCOMES[1]}'"
    said = f' xw:outcome="${{{means}}}"' if several.says_outcome else ""
    condition = f"<completionCondition>{ends}</completionCondition>" if ends else ""
    return (
        f'<multiInstanceLoopCharacteristics isSequential="{str(several.in_turn).lower()}"{said}>'
        f"<loopCardinality>{several.number}</loopCardinality>{condition}</multiInstanceLoopCharacteristics>"
    )


def draw(random: Random, most: int = 30) -> Drawing:
    """Return a random drawing of at most so many nodes."""
    return _Pen(random, most).draw()


class _Pen:
    """Draws one drawing."""

    def __init__(self, random: Random, most: int) -> None:
        self.random = random
        self.most = random.randint(6, most)
        self.drawing = Drawing()
        self._numbers = count()

    def draw(self) -> Drawing:
        self.scope("", 0)
        if self.random.random() < 0.5:
            self.spoil()
        return self.drawing

    @property
    def left(self) -> int:
        return self.most - len(self.drawing.nodes)

    def node(self, kind: str, scope: str, **more: object) -> str:
        name = f"{kind[:2]}{next(self._numbers)}"
        self.drawing.nodes[name] = Node(name, kind, scope, **more)  # type: ignore[arg-type]  # each by its name
        return name

    def flow(self, source: str, target: str, *, asked: bool = False) -> None:
        name = f"f{next(self._numbers)}"
        self.drawing.flows[name] = Flow(name, source, target, f"v{name}" if asked else "")
        if asked:
            self.drawing.variables.append(f"v{name}")

    def scope(self, scope: str, depth: int, trigger: str = "", *, interrupts: bool = True) -> None:
        """Fill the process or a sub-process: from a start to one or two ends, with event sub-processes beside."""
        last = self.node("startEvent", scope, trigger=trigger, interrupts=interrupts)
        for _ in range(self.random.choice((1, 1, 2, 3)) if depth else self.random.randint(2, 4)):
            first, end = self.block(scope, depth)
            self.flow(last, first)
            last = end
        self.flow(last, self.end(scope, depth))
        if not trigger:
            for _ in range(self.random.choice((0, 0, 0, 1, 1, 2)) if self.left > 4 else 0):
                self.handler(scope, depth)

    def end(self, scope: str, depth: int) -> str:
        chance = self.random.random()
        trigger = "terminate" if chance < 0.12 else self.random.choice(CODES) if chance < 0.25 and depth else ""
        return self.node("endEvent", scope, trigger=trigger)

    def handler(self, scope: str, depth: int) -> None:
        nodes = self.drawing.nodes
        others = {node.id for node in nodes.values() if node.is_handler and node.scope == scope}
        taken = {node.trigger for node in nodes.values() if node.kind == "startEvent" and node.scope in others}
        trigger = self._free(("timer", *MESSAGES, *CODES, "*"), taken)
        interrupts = trigger in (*CODES, "*") or self.random.random() < 0.5
        name = self.node("subProcess", scope, is_handler=True)
        self.scope(name, depth + 2, trigger, interrupts=interrupts)

    def block(self, scope: str, depth: int) -> tuple[str, str]:
        """Draw a block; return where it begins and where it ends."""
        kinds = ["user"] * 4 + ["task", "catch", "several"]
        if self.left > 4 and depth < 4:
            kinds += ["exclusiveGateway"] * 2 + ["parallelGateway"] * 3 + ["inclusiveGateway"] * 3
            kinds += ["loop"] * 2 + ["subProcess"] * 3
        kind = self.random.choice(kinds)
        if kind.endswith("Gateway"):
            return self.branches(kind, scope, depth)
        if kind == "loop":
            return self.loop(scope, depth)
        name = self.activity(kind, scope, depth)
        if kind not in ("task", "catch"):
            for _ in range(self.random.choice((0, 0, 1, 1, 2)) if self.left > 2 else 0):
                self.border(name, scope, depth)
        return name, name

    def activity(self, kind: str, scope: str, depth: int) -> str:
        if kind == "catch":
            trigger = self.random.choice(("timer", *MESSAGES))
            return self.node("intermediateCatchEvent", scope, trigger=trigger)
        if kind == "task":
            return self.node("task", scope)
        if kind == "subProcess":
            several = self.several(votes=False) if self.random.random() < 0.25 else None
            name = self.node("subProcess", scope, several=several)
            self.scope(name, depth + 1)
            return name
        return self.node("userTask", scope, several=self.several() if kind == "several" else None)

    def several(self, *, votes: bool = True) -> Several:
        number, early = self.random.choice((2, 2, 3)), self.random.random()
        done = self.random.randint(1, number) if early < 0.3 else 0
        needed = self.random.randint(1, number) if votes and early > 0.7 else 0
        by_half = votes and 0.5 < early <= 0.7
        return Several(number, self.random.random() < 0.5, done, needed, by_half, votes and early * 100 % 5 < 2)

    def border(self, host: str, scope: str, depth: int) -> None:
        triggers = ("timer", *MESSAGES)
        if self.drawing.nodes[host].kind == "subProcess":
            triggers += (*CODES, "*")
        trigger = self._free(triggers, {node.trigger for node in self.drawing.nodes.values() if node.host == host})
        interrupts = trigger in (*CODES, "*") or self.random.random() < 0.5
        event = self.node("boundaryEvent", scope, trigger=trigger, host=host, interrupts=interrupts)
        last = event
        if self.random.random() < 0.6:
            last, end = self.block(scope, depth + 2)
            self.flow(event, last)
            last = end
        self.flow(last, self.end(scope, depth))

    def _free(self, triggers: tuple[str, ...], taken: set[str]) -> str:
        """Return a trigger; of two events for one error the standard does not say which catches it."""
        return self.random.choice([one for one in triggers if one not in taken or one in ("timer", *MESSAGES)])

    def branches(self, kind: str, scope: str, depth: int) -> tuple[str, str]:
        split, join = self.node(kind, scope), self.node(kind, scope)
        number = self.random.choice((2, 2, 3))
        for place in range(number):
            asked = kind != "parallelGateway" and place < number - 1
            if kind != "parallelGateway" and self.random.random() < 0.2:
                self.flow(split, join, asked=asked)
                continue
            first, last = self.block(scope, depth + 1)
            self.flow(split, first, asked=asked)
            self.flow(last, join)
        return split, join

    def loop(self, scope: str, depth: int) -> tuple[str, str]:
        enter, choice = self.node("exclusiveGateway", scope), self.node("exclusiveGateway", scope)
        step = self.node("userTask", scope)
        first, last = self.block(scope, depth + 1)
        leave = self.node("exclusiveGateway", scope)
        for source, target in ((enter, step), (step, first), (last, choice), (choice, leave)):
            self.flow(source, target)
        self.flow(choice, enter, asked=True)
        return enter, leave

    def spoil(self) -> None:
        """Change a gateway to another kind, or let a flow lead elsewhere in its scope."""
        nodes = list(self.drawing.nodes.values())
        for _ in range(self.random.choice((1, 1, 2))):
            gateways = [node for node in nodes if node.kind.endswith("Gateway")]
            if not gateways:
                return
            node = self.random.choice(gateways)
            out = [flow for flow in self.drawing.flows.values() if flow.source == node.id]
            if len(out) == 1 and self.random.random() < 0.6:
                node.kind = self.random.choice(("exclusiveGateway", "parallelGateway", "inclusiveGateway"))
                continue
            beside = [
                other.id
                for other in nodes
                if other.scope == node.scope
                and other.kind not in ("startEvent", "boundaryEvent")
                and not other.is_handler
            ]
            to, flow = self.random.choice(beside), self.random.choice(out)
            if to != node.id and all(other.target != to for other in out):
                self.drawing.flows[flow.id] = Flow(flow.id, flow.source, to, flow.when)
