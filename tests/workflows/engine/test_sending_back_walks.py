# ruff: noqa: E501
"""Random drawings and random walks with tokens sent back: every walk comes to its end, without an orphan."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import pytest

from tests.workflows.drawings import drawing, task
from tests.workflows.engine.test_engine_moves import Host
from workflows import engine

WALKS = int(os.environ.get("SENT_BACK_WALKS", "5"))
"""`make prove` walks more."""
MOST = 150
VISIT = "visit"
"""Whom a visited step is for: it waits beside everything."""
TIMER = "<timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>"
SIGN = '<multiInstanceLoopCharacteristics xw:collection="${[1,2,3]}"/></userTask>'
ASKED = '<f a="{0}" b="{1}" if="${{outcome == \'{2}\'}}"/>'


@dataclass
class Block:
    """A part of a drawing with one way in and one way out; `branches` of a fork run beside each other."""

    kind: str
    name: str
    parts: list[Block] = field(default_factory=list)

    @property
    def first(self) -> str:
        return self.parts[0].first if self.kind == "line" else self.name

    @property
    def last(self) -> str:
        return self.parts[-1].last if self.kind == "line" else f"{self.name}.j" if self.is_split else self.name

    @property
    def is_split(self) -> bool:
        return self.kind in ("parallel", "inclusive", "exclusive", "loop")

    def line_to(self, name: str) -> list[tuple[Block, int]]:
        """Return the blocks round a user task from here on, each with the number of the part that it lies in."""
        for number, part in enumerate(self.parts):
            if part.name == name and part.kind in ("task", "sign"):
                return [(self, number)]
            if inside := part.line_to(name):
                return [(self, number), *inside]
        return []


class _Drawer:
    def __init__(self, chance: random.Random) -> None:
        self._chance, self._count = chance, 0

    def block(self, depth: int) -> Block:
        kinds = ["task", "task", "sign"]
        kinds += ["line", "parallel", "inclusive", "exclusive", "loop", "inner", "line", "parallel"] if depth else []
        kind = self._chance.choice(kinds)
        self._count += 1
        name = f"n{self._count}"
        parts = {
            "line": (2, 3),
            "parallel": (2, 3),
            "inclusive": (2, 3),
            "exclusive": (2, 2),
            "loop": (1, 1),
            "inner": (1, 1),
        }
        low, high = parts.get(kind, (0, 0))
        return Block(kind, name, [self.block(depth - 1) for _part in range(self._chance.randint(low, high))])

    def drawn(self, block: Block) -> str:
        name, inside = block.name, "".join(self.drawn(part) for part in block.parts)
        if block.kind == "task":
            return task(name, 'xw:outcomes="on,again,0,1"') + self._event(name)
        if block.kind == "sign":
            return f'<userTask id="{name}" xw:outcomes="on,again,0,1">{SIGN}' + self._event(name)
        if block.kind == "line":
            pairs = zip(block.parts, block.parts[1:], strict=False)
            return inside + "".join(f'<f a="{one.last}" b="{other.first}"/>' for one, other in pairs)
        if block.kind == "inner":
            [part] = block.parts
            ends = f'<startEvent id="{name}.s"/><endEvent id="{name}.e"/>'
            ways = f'<f a="{name}.s" b="{part.first}"/><f a="{part.last}" b="{name}.e"/>'
            return f'<subProcess id="{name}">{ends}{inside}{ways}</subProcess>' + self._event(name)
        if block.kind == "loop":
            [part] = block.parts
            gates = f'<exclusiveGateway id="{name}"/><exclusiveGateway id="{name}.j"/>'
            around = f'<exclusiveGateway id="{name}.k"/>'
            return (
                f'{gates}{around}{inside}<f a="{name}" b="{part.first}"/><f a="{part.last}" b="{name}.k"/>'
                f'<f a="{name}.k" b="{name}.j"/>' + ASKED.format(f"{name}.j", name, "again")
            )
        gate = f"{block.kind}Gateway"
        out = f'<{gate} id="{name}"/><{gate} id="{name}.j"/>{inside}'
        for number, part in enumerate(block.parts):
            if block.kind == "parallel":
                out += f'<f a="{name}" b="{part.first}"/>'
            else:
                condition = (
                    f"outcome == '{number}'" if number else "true" if block.kind == "inclusive" else "outcome != '1'"
                )
                out += f'<f a="{name}" b="{part.first}" if="${{{condition}}}"/>'
            out += f'<f a="{part.last}" b="{name}.j"/>'
        return out

    def _event(self, name: str) -> str:
        """Sometimes an event that ends the activity and goes on like it, or a reminder beside it."""
        dice = self._chance.random()
        if dice < 0.2:
            end = f'{task(f"{name}.r")}<endEvent id="{name}.re"/><f a="{name}.c" b="{name}.r"/><f a="{name}.r" b="{name}.re"/>'
            return f'<boundaryEvent id="{name}.c" attachedToRef="{name}" cancelActivity="false">{TIMER}</boundaryEvent>{end}'
        return ""


def drawn(chance: random.Random) -> tuple[Block, engine.Specification]:
    """Return a random drawing of at most so many steps, with what it is made of."""
    while True:
        drawer = _Drawer(chance)
        block = Block("line", "all", [drawer.block(3) for _part in range(chance.randint(2, 3))])
        body = drawer.drawn(block)
        whole = f'<startEvent id="s"/>{body}<endEvent id="e"/><f a="s" b="{block.first}"/><f a="{block.last}" b="e"/>'
        try:
            return block, engine.parse(drawing(whole))
        except engine.ModelError as error:
            if any(one.code not in ("nodes", "depth", "size") for one in error.problems):
                raise


def orphans(block: Block, step: engine.Step) -> list[tuple[str, str]]:
    """Return the pairs of open steps that the drawing does not let wait at the same time."""
    found = []
    steps = [one for one in step.tasks if not one.node.endswith(".r") and one.holder != VISIT]
    for one, other in combinations(steps, 2):
        pairs = zip(block.line_to(one.node), block.line_to(other.node), strict=False)
        apart = next((around for (around, a), (_same, b) in pairs if a != b), None)
        is_beside = apart.kind in ("parallel", "inclusive") if apart else one.loop_instance != other.loop_instance
        if not is_beside:
            found.append((one.node, other.node))
    return found


def walked(seed: int) -> tuple[int, int]:
    """Walk once; return how many acts it took and how often a token was sent back."""
    chance = random.Random(seed)
    block, spec = drawn(chance)
    host, passed, sent = Host(), set(), 0
    step = engine.start(spec, {}, host)
    for act in range(MOST):
        assert (not step.completed) == bool(step.tasks or step.timers), (seed, act)
        assert orphans(block, step) == [], (seed, act)
        if step.completed:
            assert engine.tokens(spec, step.state) == {}, (seed, act)
            return act, sent
        one = chance.choice(step.tasks)
        ways = [way for way in engine.earlier(spec, step.state, one.task, sorted(passed)) if act < MOST // 2]
        if step.timers and chance.random() < 0.2:
            step = engine.fire(spec, step.state, chance.choice(step.timers).task, host)
        elif ways and chance.random() < 0.4:
            step, sent = _sent(spec, step, one, chance.choice(ways), chance), sent + 1
        else:
            outcome = chance.choice(["on", "again", "0", "1"] if act < MOST // 2 else ["on"])
            declared = "outcomes" in spec.nodes[one.node].extensions
            step = engine.complete(spec, step.state, one.task, outcome if declared else "", {}, host)
            passed.add(one.node)
    raise AssertionError(f"walk {seed} comes to no end")


def _sent(
    spec: engine.Specification, step: engine.Step, one: Any, way: engine.Target, chance: random.Random
) -> engine.Step:
    comes_back = way.returns and (not way.walks or chance.random() < 0.4)
    sent = engine.SentBack(comes_back, VISIT if comes_back else "", one.holder)
    was = {open_.task for open_ in step.tasks}
    after = engine.send_back(spec, step.state, one.task, way.node, Host(), sent)
    gone = was - {open_.task for open_ in after.tasks} - {one.task}
    assert gone == (set() if comes_back else set(way.ends)), way
    opened = [open_.node for open_ in after.tasks if open_.task not in was]
    assert set(opened) == {way.node}, (way, opened)
    return after


@pytest.mark.parametrize("seed", range(4))
def test_every_walk_comes_to_its_end_however_often_it_is_sent_back(seed: int) -> None:
    acts = [walked(seed * WALKS + number) for number in range(WALKS)]
    assert sum(sent for _acts, sent in acts) > WALKS
