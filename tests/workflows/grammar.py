"""Random small models: sound blocks put into each other, drawn as BPMN.

A block has one way in and one way out. `blocks` makes nested tuples, so that what fails shrinks to the smallest model
that still fails; `drawn` makes the document, `Flow`s and all.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

HEAD = (
    '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xw="urn:xunwei:bpmn" '
    'targetNamespace="urn:test">'
)
OUTCOMES = ("go", "again", "a", "b", "ab")
PEOPLE = ('xw:candidates="role:repair_leader"', 'xw:candidates="role:repairer role:operator"')
HOUR = "<timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>"
MESSAGE = '<message id="m" name="news"/>'

Block = tuple[Any, ...]

LEAVES = st.sampled_from([("task", 0), ("task", 1), ("task", 0), ("pause",), ("wait",), ("throw",)])


def _around(inner: st.SearchStrategy[Block]) -> st.SearchStrategy[Block]:
    pairs = st.tuples(st.sampled_from(["seq", "seq", "xor", "and", "or"]), inner, inner)
    alone = st.tuples(st.sampled_from(["loop", "sub", "timed", "reminded", "timed sub"]), inner)
    return pairs | alone


blocks: st.SearchStrategy[Block] = st.recursive(LEAVES, _around, max_leaves=7)


@dataclass(frozen=True)
class Flow:
    """A sequence flow as drawn."""

    id: str
    source: str
    target: str


@dataclass
class Drawing:
    """A model as text, and what a test needs to know of it."""

    xml: bytes = b""
    kinds: dict[str, str] = field(default_factory=dict)
    """Node id → BPMN element."""
    flows: list[Flow] = field(default_factory=list)
    _texts: list[str] = field(default_factory=list)
    """Elements of the scope that is drawn now."""

    def node(self, kind: str, attributes: str = "", inside: str = "") -> str:
        """Draw a node; gives its id."""
        name = f"{kind[:3]}{len(self.kinds)}"
        self.kinds[name] = kind
        self._texts.append(f'<{kind} id="{name}" name="{name}" {attributes}>{inside}</{kind}>')
        return name

    def flow(self, source: str, target: str, condition: str = "", name: str = "") -> None:
        """Draw a flow."""
        name = name or f"f{len(self.flows)}"
        self.flows.append(Flow(name, source, target))
        inside = f"<conditionExpression>{condition}</conditionExpression>" if condition else ""
        self._texts.append(
            f'<sequenceFlow id="{name}" sourceRef="{source}" targetRef="{target}">{inside}</sequenceFlow>'
        )

    def block(self, block: Block) -> tuple[str, str]:
        """Draw a block; gives the nodes where it begins and where it ends."""
        kind, *inner = block
        match kind:
            case "task":
                return (one := self.node("userTask", f'{PEOPLE[inner[0]]} xw:outcomes="{",".join(OUTCOMES)}"')), one
            case "pause":
                return (one := self.node("intermediateCatchEvent", inside=HOUR)), one
            case "wait":
                return (one := self.node("receiveTask", 'messageRef="m"')), one
            case "throw":
                return (one := self.node("sendTask", 'messageRef="m"')), one
            case "seq":
                (first, middle), (then, last) = self.block(inner[0]), self.block(inner[1])
                self.flow(middle, then)
                return first, last
            case "xor" | "and" | "or":
                return self._split(kind, inner)
            case "loop":
                return self._loop(inner[0])
            case "sub":
                return (one := self._scope(inner[0])), one
        return self._timed(kind, inner[0])

    def _split(self, kind: str, inner: list[Block]) -> tuple[str, str]:
        gateway = {"xor": "exclusiveGateway", "and": "parallelGateway", "or": "inclusiveGateway"}[kind]
        default = f"d{len(self.kinds)}"
        split = self.node(gateway, "" if kind == "and" else f'default="{default}"')
        join = self.node(gateway)
        for letter, one in zip("ab", inner, strict=True):
            first, last = self.block(one)
            self.flow(split, first, "" if kind == "and" else f"${{contains(outcome, '{letter}')}}")
            self.flow(last, join)
        if kind != "and":
            self.flow(split, join, name=default)
        return split, join

    def _loop(self, inner: Block) -> tuple[str, str]:
        """Round again on the outcome of its first step, which waits for a person, or of a later one."""
        enter = self.node("exclusiveGateway")
        task, _same = self.block(("task", 0))
        first, last = self.block(inner)
        default = f"d{len(self.kinds)}"
        choice = self.node("exclusiveGateway", f'default="{default}"')
        leave = self.node("exclusiveGateway")
        for source, target in ((enter, task), (task, first), (last, choice)):
            self.flow(source, target)
        self.flow(choice, enter, "${outcome == 'again'}")
        self.flow(choice, leave, name=default)
        return enter, leave

    def _scope(self, inner: Block) -> str:
        """A sub-process round a block."""
        outer, self._texts = self._texts, []
        start, end = self.node("startEvent"), self.node("endEvent")
        first, last = self.block(inner)
        self.flow(start, first)
        self.flow(last, end)
        inside, self._texts = "".join(self._texts), outer
        return self.node("subProcess", inside=inside)

    def _timed(self, kind: str, inner: Block) -> tuple[str, str]:
        """A step or a sub-process with a timer that breaks it off, or that only reminds."""
        host = self._scope(inner) if kind == "timed sub" else self.block(("task", 1))[0]
        attached = f'attachedToRef="{host}" cancelActivity="{"false" if kind == "reminded" else "true"}"'
        timer = self.node("boundaryEvent", attached, HOUR)
        first, last = self.block(("task", 0) if kind == "timed sub" else inner)
        self.flow(timer, first)
        if kind == "reminded":
            self.flow(last, self.node("endEvent"))
            return host, host
        merge = self.node("exclusiveGateway")
        self.flow(host, merge)
        self.flow(last, merge)
        return host, merge


def drawn(block: Block) -> Drawing:
    """The model that consists of this block, behind a first step, which gives it an outcome."""
    drawing = Drawing()
    start, end = drawing.node("startEvent"), drawing.node("endEvent")
    first, last = drawing.block(("seq", ("task", 0), block))
    drawing.flow(start, first)
    drawing.flow(last, end)
    body = "".join(drawing._texts)
    drawing.xml = (
        f'{HEAD}{MESSAGE}<process id="p" name="随机" isExecutable="true">{body}</process></definitions>'.encode()
    )
    return drawing
