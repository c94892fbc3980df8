"""Random drawings walked at random, in the engine and in a token game written from the standard, act by act.

After each act the same must wait in both: people and events, by node and loop instance, and tokens at joins. At the end
nothing may be left, and where nothing can move any more the engine has to say so.

    python -m tests.prove.walks --walks 10000 --seed 1

A further act is a function in `OFFERS` that yields what may be done now: one function for the engine, one for the game.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

from tests.prove.random_drawings import OUTCOMES, Drawing, draw
from tests.prove.table import print_table
from tests.prove.token_game import Game, Scope, Seen, TooMany
from workflows import engine

LENGTH = 25
"""Acts of a walk."""
ORDERS = 3
"""Orders of what happens at once that are tried before all of them."""
_JOINS = ("parallelGateway", "inclusiveGateway")


class Host:
    """Knows nothing; the drawings call no operation."""

    def call(self, operation: str, node: str, given: Mapping[str, Any]) -> None:
        """Do nothing."""

    def names(self) -> Mapping[str, Any]:
        """Return no names."""
        return {}


class Disagree(Exception):
    """The engine and the game tell different things."""


@dataclass(frozen=True)
class Act:
    """One thing that is done, in the engine and in the game; the game may answer several states, or none."""

    name: str
    in_engine: Callable[[], engine.Step]
    in_game: Callable[[Scope], Iterator[Scope]]
    values: dict[str, int] | None = None
    """What it fills in, None for nothing."""


@dataclass
class Walk:
    """One drawing and how it stands: the engine's last step, and the states of the game that tell the same."""

    drawing: Drawing
    random: Random
    orders: int
    spec: engine.Specification = field(init=False)
    game: Game = field(init=False)
    step: engine.Step = field(init=False)
    states: list[Scope] = field(init=False)
    values: dict[str, int] = field(default_factory=dict)
    """What the conditions read."""
    acts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.spec = engine.parse(self.drawing.xml())
        self.game = Game(self.drawing)

    def other_values(self) -> dict[str, int]:
        """Return values by which other flows may be taken."""
        return {name: int(self.random.random() < 0.5) for name in self.drawing.variables}

    def run(self) -> str:
        """Walk to the end; return how it ended. Raises Disagree, and TooMany where the game looks at too much."""
        values = self.other_values()
        begin = Act(
            "start", lambda: engine.start(self.spec, {"form": values}, Host()), lambda state: iter([state]), values
        )
        self.states = [self.game.begin()]
        try:
            self.take(begin)
        except engine.Stuck:
            if any(self.game.seen(state).tasks for state in self.game.settled(self.states, values, 0, 0)):
                raise Disagree("the start is refused, and people would wait") from None
            return "refused"
        while not self.step.completed and len(self.acts) <= LENGTH:
            offers = [(weight, act) for weight, offer in OFFERS for act in offer(self)]
            if not offers:
                return "stuck"
            [(_weight, act)] = self.random.choices(offers, [weight for weight, _act in offers])
            self.take(act)
        if not self.step.completed:
            return "goes on"
        if engine.tokens(self.spec, self.step.state):
            raise Disagree(f"{self.acts}: tokens are left: {engine.tokens(self.spec, self.step.state)}")
        return "over"

    def take(self, act: Act) -> None:
        """Take an act on both sides, and keep the states of the game that tell what the engine tells."""
        self.acts.append(act.name)
        self.values = act.values or self.values
        self.step = act.in_engine()
        told = self.told()
        after = [changed for state in self.states for changed in act.in_game(state)]
        for orders in dict.fromkeys((self.orders, 0)):
            settled = self.game.settled(after, self.values, orders, len(self.acts))
            fitting = [state for state in settled if self.game.seen(state) == told]
            if fitting:
                self.states = fitting
                self.check_faults(told)
                return
        shown = [self.game.seen(state) for state in settled]
        raise Disagree(f"{self.acts}:\n    engine {told}\n    game   {shown}")

    def told(self) -> Seen:
        """Return what the engine tells of its last step."""
        step = self.step
        standing = engine.tokens(self.spec, step.state)
        return Seen(
            tasks=Counter((task.node, task.loop_instance) for task in step.tasks),
            events=Counter([one.node for one in step.timers] + [one.node for one in step.catches]),
            joined=Counter({name: number for name, number in standing.items() if self.is_join(name)}),
            is_over=step.completed,
        )

    def is_join(self, name: str) -> bool:
        """Return whether tokens wait for others at the node."""
        return self.drawing.nodes[name].kind in _JOINS

    def check_faults(self, told: Seen) -> None:
        """Raise Disagree unless the engine says that it is stuck where nothing waits, and not where people do."""
        says = [fault.code for fault in self.step.faults]
        must, may_not = not (told.is_over or told.tasks or told.events), told.is_over or told.tasks
        if (must and says != ["stuck"]) or (may_not and says) or not set(says) <= {"stuck"}:
            raise Disagree(f"{self.acts}: {told}, and the engine says {self.step.faults}")
        if says and self.step.faults[0].node not in told.joined:
            raise Disagree(f"{self.acts}: nothing stands at {self.step.faults[0].node}")


def completions(walk: Walk) -> Iterator[Act]:
    """A person completes a task."""
    for task in sorted(walk.step.tasks, key=lambda one: (one.node, one.loop_instance)):
        outcome, values = walk.random.choice(OUTCOMES), walk.other_values()
        yield Act(
            f"do {task.node}{task.loop_instance} {outcome}",
            partial(engine.complete, walk.spec, walk.step.state, task.task, outcome, values, Host()),
            partial(walk.game.complete, node=task.node, seat=task.loop_instance, outcome=outcome),
            values,
        )


def moments(walk: Walk) -> Iterator[Act]:
    """A timer fires."""
    for timer in sorted(walk.step.timers, key=lambda one: one.node):
        yield Act(
            f"fire {timer.node}",
            partial(engine.fire, walk.spec, walk.step.state, timer.task, Host()),
            partial(walk.game.happen, node=timer.node),
        )


def news(walk: Walk) -> Iterator[Act]:
    """A message comes."""
    for message in sorted(walk.step.messages):
        yield Act(
            f"send {message}",
            partial(engine.send, walk.spec, walk.step.state, message, Host()),
            partial(walk.game.hear, message=message),
        )


def moves(walk: Walk) -> Iterator[Act]:
    """A person who follows processes puts a token elsewhere, behind a join at which the process is stuck too."""
    for node, (_skips, places) in sorted(engine.by_hand(walk.spec, walk.step.state).items()):
        for to in sorted(places):
            yield Act(
                f"move {node} to {to}",
                partial(engine.move, walk.spec, walk.step.state, node, to, Host()),
                partial(walk.game.moved, node=node, to=to),
            )


def cancellations(walk: Walk) -> Iterator[Act]:
    """Somebody ends the process where it stands."""
    yield Act("cancel", partial(engine.cancel, walk.spec, walk.step.state), walk.game.cancelled)


OFFERS: list[tuple[float, Callable[[Walk], Iterator[Act]]]] = [
    (3, completions),
    (1, moments),
    (1, news),
    (0.05, moves),
    (0.05, cancellations),
]
"""What may be done, and how likely each act of the kind is beside the others."""


@dataclass
class Tally:
    """What came out of all walks."""

    drawings: int = 0
    refused: int = 0
    acts: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def rows(self) -> dict[str, object]:
        """For the table."""
        return {
            "walks": sum(self.ends.values()),
            "drawings refused by the rules, and drawn again": self.refused,
            "acts": self.acts,
            **{f"  that {name}": number for name, number in sorted(self.kinds.items())},
            "at the end of the process": self.ends["over"],
            f"after {LENGTH} acts": self.ends["goes on"],
            "stuck at a join, said so, and not repaired": self.ends["stuck"],
            "stuck at the start, which is refused": self.ends["refused"],
            "over a limit": self.ends["limit"],
            "too many states to look at": self.ends["open"],
            "disagree": len(self.wrong),
        }


def walk(seed: int, tally: Tally) -> None:
    """Walk one drawing; where the orders that were tried do not fit, once more with all that there are."""
    drawing = _drawn(seed, tally)
    for orders in (ORDERS, 0):
        one = Walk(drawing, Random(seed), orders)
        try:
            ended, fault = one.run(), ""
            break
        except engine.LimitReached:
            ended, fault = "limit", ""
            break
        except TooMany:
            ended, fault = "open", ""
            break
        except Disagree as error:
            ended, fault = "disagree", str(error)
    tally.ends[ended] += 1
    tally.acts += len(one.acts)
    tally.kinds.update(act.split()[0] for act in one.acts)
    if fault:
        tally.wrong.append(f"{seed}: {fault}")


def _drawn(seed: int, tally: Tally) -> Drawing:
    random = Random(seed)
    while True:
        drawing = draw(random)
        try:
            engine.parse(drawing.xml())
        except engine.ModelError:
            tally.refused += 1
            continue
        return drawing


def prove(walks: int, seed: int) -> int:
    """Walk so many drawings, beginning with a seed, and print what came of it; answers the exit code."""
    tally = Tally()
    for number in range(seed, seed + walks):
        walk(number, tally)
    return print_table(f"{walks} random walks beside the token game", tally.rows(), tally.wrong)


def main() -> int:
    """Prove what is asked for."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--walks", type=int, default=10_000)
    options.add_argument("--seed", type=int, default=1)
    asked = options.parse_args()
    return prove(asked.walks, asked.seed)


if __name__ == "__main__":
    sys.exit(main())
