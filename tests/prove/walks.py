"""Random drawings walked at random, in the engine and in a token game written from the standard, act by act.

People do their steps, send them back, add signers and remove them; events happen; processes are killed in the middle
of an act. After each act the same must wait in both: people and events, by node and loop instance, and tokens at joins.
At the end nothing may be left, and where nothing can move any more the engine has to say so.

    python -m tests.prove.walks --walks 10000 --seed 1

A further act is a function in `OFFERS` that yields what may be done now: one function for the engine, one for the game.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import islice
from random import Random
from typing import Any

from tests.prove.orphans import Together
from tests.prove.random_drawings import OUTCOMES, Drawing, draw
from tests.prove.table import print_table
from tests.prove.token_game import MAX_STATES, Game, Scope, Seen, TooMany
from tests.prove.way_back import Offer, WayBack
from workflows import engine

LENGTH = 25
"""Acts of a walk."""
MEMORY = 2_000_000_000
"""Bytes that the proof takes at most; a walk that needs more counts as one that disagrees."""
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


class Killed(BaseException):
    """The process is killed here."""


class Dying(Host):
    """Dies when it is asked for the names so many times."""

    def __init__(self, asked: int) -> None:
        self.left = asked

    def names(self) -> Mapping[str, Any]:
        """Return no names, or die."""
        self.left -= 1
        if self.left < 0:
            raise Killed
        return {}


class Disagree(Exception):
    """The engine and the game tell different things."""


@dataclass(frozen=True)
class Act:
    """One thing that is done, in the engine and in the game; the game may answer several states, or none."""

    name: str
    in_engine: Callable[[Host], engine.Step]
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
    passed: set[str] = field(default_factory=set)
    """The user tasks that people have done."""
    refused: int = 0
    """Removals of signers that both refuse."""
    was_stuck: bool = False
    """Whether nothing could move at some time, and the engine said so."""

    def __post_init__(self) -> None:
        self.spec = engine.parse(self.drawing.xml())
        self.game = Game(self.drawing)

    @cached_property
    def way_back(self) -> WayBack:
        """The rules of the game for sending back."""
        return WayBack(self.game, self.drawing)

    @cached_property
    def together(self) -> Together:
        """What may wait at once when nothing was sent back."""
        return Together(self.game, self.drawing)

    def other_values(self) -> dict[str, int]:
        """Return values by which other flows may be taken."""
        return {name: int(self.random.random() < 0.5) for name in self.drawing.variables}

    def run(self) -> str:
        """Walk to the end; return how it ended. Raises Disagree, and TooMany where the game looks at too much."""
        values = self.other_values()
        begin = Act(
            "start", lambda host: engine.start(self.spec, {"form": values}, host), lambda state: iter([state]), values
        )
        self.states = [self.game.begin()]
        try:
            self.take(begin)
        except engine.Stuck:
            if any(self.game.seen(state).tasks for state in self.game.settled(self.states, values, 0, 0)):
                raise Disagree("the start is refused, and people would wait") from None
            return "refused"
        while not self.step.completed and len(self.acts) <= LENGTH:
            act = self.offered(OFFERS)
            assert act is not None  # it may always be ended by hand
            self.take(act)
        if not self.step.completed:
            return "goes on"
        if engine.tokens(self.spec, self.step.state):
            raise Disagree(f"{self.acts}: tokens are left: {engine.tokens(self.spec, self.step.state)}")
        return "over"

    def offered(self, offers: Mapping[Offers, float]) -> Act | None:
        """Return an act that may be done now, None where there is none: first a kind is drawn, then one of them."""
        left = dict(offers)
        while left:
            [offer] = self.random.choices([*left], [*left.values()])
            if found := list(offer(self)):
                return self.random.choice(found)
            del left[offer]
        return None

    def take(self, act: Act) -> None:
        """Take an act on both sides, and keep the states of the game that tell what the engine tells."""
        self.acts.append(act.name)
        self.values = act.values or self.values
        self.step = act.in_engine(Host())
        told = self.told()
        after = [*islice((changed for state in self.states for changed in act.in_game(state)), MAX_STATES + 1)]
        if len(after) > MAX_STATES:
            raise TooMany
        for orders in dict.fromkeys((self.orders, 0)):
            settled = self.game.settled(after, self.values, orders, len(self.acts))
            fitting = [state for state in settled if self.game.seen(state) == told]
            if fitting:
                self.states = self.without_orphans(fitting)
                self.check_faults(told)
                return
        shown = [self.game.seen(state) for state in settled]
        raise Disagree(f"{self.acts}:\n    engine {told}\n    game   {shown}")

    def told(self) -> Seen:
        """Return what the engine tells of its last step."""
        step = self.step
        standing = engine.tokens(self.spec, step.state)
        return Seen(
            tasks=Counter(
                (task.node, task.loop_instance, task.names["nrOfInstances"] if task.activity else 0)
                for task in step.tasks
            ),
            events=Counter([one.node for one in step.timers] + [one.node for one in step.catches]),
            joined=Counter({name: number for name, number in standing.items() if self.is_join(name)}),
            is_over=step.completed,
        )

    def without_orphans(self, states: list[Scope]) -> list[Scope]:
        """Return the states without an orphan. Raises Disagree where there is none."""
        done = {act.split()[0] for act in self.acts}
        if "back" not in done or "move" in done:  # by hand one of two tokens at joins may be put elsewhere
            return states
        found = [state for state in states if not self.together.orphans(state)]
        if not found:
            raise Disagree(f"{self.acts}: orphans: {self.together.orphans(states[0])}")
        return found

    def is_join(self, name: str) -> bool:
        """Return whether tokens wait for others at the node."""
        return self.drawing.nodes[name].kind in _JOINS

    def check_faults(self, told: Seen) -> None:
        """Raise Disagree unless the engine says that it is stuck where nothing waits, and not where people do."""
        says = [fault.code for fault in self.step.faults]
        must, may_not = not (told.is_over or told.tasks or told.events), told.is_over or told.tasks
        self.was_stuck |= bool(says)
        if (must and says != ["stuck"]) or (may_not and says) or not set(says) <= {"stuck"}:
            raise Disagree(f"{self.acts}: {told}, and the engine says {self.step.faults}")
        if says and self.step.faults[0].node not in told.joined:
            raise Disagree(f"{self.acts}: nothing stands at {self.step.faults[0].node}")


Offers = Callable[[Walk], Iterator[Act]]


def completions(walk: Walk) -> Iterator[Act]:
    """A person completes a task."""
    for task in sorted(walk.step.tasks, key=lambda one: (one.node, one.loop_instance)):
        outcome, values = walk.random.choice(OUTCOMES), walk.other_values()

        def done(host: Host, task: engine.OpenTask = task, outcome: str = outcome, values: Any = values) -> engine.Step:
            after = engine.complete(walk.spec, walk.step.state, task.task, outcome, values, host)
            walk.passed.add(task.node)
            return after

        yield Act(
            f"do {task.node}{task.loop_instance} {outcome}",
            done,
            partial(walk.game.complete, node=task.node, seat=task.loop_instance, outcome=outcome),
            values,
        )


def moments(walk: Walk) -> Iterator[Act]:
    """A timer fires."""
    for timer in sorted(walk.step.timers, key=lambda one: one.node):
        yield Act(
            f"fire {timer.node}",
            partial(engine.fire, walk.spec, walk.step.state, timer.task),
            partial(walk.game.happen, node=timer.node),
        )


def news(walk: Walk) -> Iterator[Act]:
    """A message comes."""
    for message in sorted(walk.step.messages):
        yield Act(
            f"send {message}",
            partial(engine.send, walk.spec, walk.step.state, message),
            partial(walk.game.hear, message=message),
        )


def returns(walk: Walk) -> Iterator[Act]:
    """A person sends a step back, to walk again from an earlier one or to come straight back."""
    if not walk.step.tasks:
        return
    task = walk.random.choice(sorted(walk.step.tasks, key=lambda one: (one.node, one.loop_instance)))
    among = sorted(walk.passed)
    found = engine.earlier(walk.spec, walk.step.state, task.task, among)
    told = {one.node: Offer(one.walks, one.returns, one.loop_instance) for one in found}
    of_game = [
        offer for state in walk.states for offer in walk.way_back.offers(state, task.node, task.loop_instance, among)
    ]
    if not any(_agree(told, one) for one in of_game):
        here = f"{walk.acts}: back from {task.node}{task.loop_instance}"
        raise Disagree(f"{here}:\n    engine {told}\n    game   {of_game}")
    for one in found:
        for comes_back in [kind for kind, is_offered in ((False, one.walks), (True, one.returns)) if is_offered]:
            yield Act(
                f"{'ask' if comes_back else 'back'} {task.node}{task.loop_instance} to {one.node}",
                partial(_sent_back, walk, task.task, one, comes_back),
                partial(
                    walk.way_back.sent, node=task.node, seat=task.loop_instance, to=one.node, comes_back=comes_back
                ),
            )


def _agree(told: dict[str, Offer], of_game: dict[str, Offer]) -> bool:
    """Return whether the offers are the same, but for those that the drawing leaves open."""
    return all(name in of_game for name in told) and all(
        one.is_open or told.get(name) == one for name, one in of_game.items()
    )


def _sent_back(walk: Walk, task: str, to: engine.Target, comes_back: bool, host: Host) -> engine.Step:
    """Send it back; only those of others end of whom it was said."""
    after = engine.send_back(walk.spec, walk.step.state, task, to.node, host, engine.SentBack(comes_back))
    gone = {one.task for one in walk.step.tasks} - {one.task for one in after.tasks} - {task}
    if gone != set(() if comes_back else to.ends):
        raise Disagree(f"{walk.acts}: {gone} end, and it was said {to.ends}")
    return after


def signers(walk: Walk) -> Iterator[Act]:
    """Somebody adds a loop instance beside one that waits, or removes one."""
    for task in sorted(walk.step.tasks, key=lambda one: (one.node, one.loop_instance)):
        if not task.activity:
            continue
        beside = engine.loop_instances(walk.spec, walk.step.state, task.task)
        assert beside is not None
        here, of_whom = f"{task.node}{task.loop_instance}", {"node": task.node, "seat": task.loop_instance}
        of_game = [numbers for state in walk.states for numbers in walk.game.added_to_come(state, **of_whom)]
        if sorted(beside.to_come) not in of_game:
            raise Disagree(f"{walk.acts}: to come at {here}: engine {sorted(beside.to_come)}, game {of_game}")
        for is_next in (True, False):
            yield Act(
                f"add {here} {'next' if is_next else 'last'}",
                partial(
                    engine.add_loop_instances, walk.spec, walk.step.state, task.task, [(None, {})], is_next=is_next
                ),
                partial(walk.game.add_signer, **of_whom, is_next=is_next),
            )
        for number in (None, *sorted(beside.to_come)):
            why: list[str] = []
            yield Act(
                f"remove {here} {'' if number is None else number}",
                partial(_removed, walk, task.task, number, why),
                partial(_removed_in_game, walk, why, node=task.node, seat=task.loop_instance, number=number),
            )


def _removed(walk: Walk, task: str, number: int | None, why: list[str], host: Host) -> engine.Step:
    try:
        after = engine.remove_loop_instance(walk.spec, walk.step.state, task, host, (), number)
    except engine.LoopNotChanged as error:
        why[:] = [error.why]
        walk.refused += 1
        return engine.look(walk.spec, walk.step.state)
    why[:] = [""]
    return after


def _removed_in_game(
    walk: Walk, why: list[str], state: Scope, *, node: str, seat: str, number: int | None
) -> Iterator[Scope]:
    for refused, after in walk.game.remove_signer(state, node, seat, number):
        if [refused] == why:
            yield after


def kills(walk: Walk) -> Iterator[Act]:
    """A process is killed in the middle of an act or before it stores what came of it; another one goes on."""
    act = walk.offered({one: weight for one, weight in OFFERS.items() if one is not kills})
    if act is not None:
        yield Act(f"kill {act.name}", partial(_killed, walk, act), lambda state: iter([state]))


def _killed(walk: Walk, act: Act, _host: Host) -> engine.Step:
    passed, refused = {*walk.passed}, walk.refused
    with suppress(Killed, engine.EngineError):
        act.in_engine(Dying(walk.random.choice((0, 1, 2, 5, 100))))
    walk.passed, walk.refused = passed, refused
    walk.spec = engine.parse(walk.drawing.xml())
    after = engine.look(walk.spec, walk.step.state)
    if _waits(after) != _waits(walk.step):
        raise Disagree(f"{walk.acts}: waits after the kill: {after}\n    and before: {walk.step}")
    return after


def _waits(step: engine.Step) -> list[Any]:
    return sorted((*step.tasks, *step.timers, *step.catches), key=lambda one: one.task)


def moves(walk: Walk) -> Iterator[Act]:
    """A person who follows processes puts a token elsewhere, behind a join at which the process is stuck too."""
    for node, (_skips, places) in sorted(engine.by_hand(walk.spec, walk.step.state).items()):
        for to in sorted(places):
            yield Act(
                f"move {node} to {to}",
                partial(engine.move, walk.spec, walk.step.state, node, to),
                partial(walk.game.moved, node=node, to=to),
            )


def cancellations(walk: Walk) -> Iterator[Act]:
    """Somebody ends the process where it stands."""
    yield Act("cancel", lambda _host: engine.cancel(walk.spec, walk.step.state), walk.game.cancelled)


OFFERS: Mapping[Offers, float] = {
    completions: 6,
    moments: 1,
    news: 1,
    returns: 3,
    signers: 3,
    kills: 0.4,
    moves: 0.1,
    cancellations: 0.1,
}
"""What may be done, and how often each kind is drawn beside the others."""


KINDS = {
    "start": "starts",
    "do": "a person does a step",
    "fire": "a timer fires",
    "send": "a message comes",
    "back": "sent back to walk again",
    "ask": "sent back to come straight back",
    "add": "signers added",
    "remove": "signers removed",
    "kill": "processes killed in an act",
    "move": "moved by hand",
    "cancel": "ended by hand",
}


@dataclass
class Tally:
    """What came out of all walks."""

    refused: int = 0
    acts: int = 0
    kept: int = 0
    stuck: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)

    def rows(self) -> dict[str, object]:
        """For the table."""
        return {
            "walks": sum(self.ends.values()),
            "drawings refused by the rules, and drawn again": self.refused,
            "acts": self.acts,
            **{f"  {said}": self.kinds[name] for name, said in KINDS.items()},
            "removals of signers that both refuse": self.kept,
            "at the end of the process": self.ends["over"],
            f"after {LENGTH} acts": self.ends["goes on"],
            "stuck at a join on the way, and said so": self.stuck,
            "stuck at the start, which is refused": self.ends["refused"],
            "over a limit": self.ends["limit"],
            "too many states to look at": self.ends["open"],
            "disagree": len(self.wrong),
            "seconds": f"{time.monotonic() - self.began:.0f}",
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
        except Exception as error:  # one walk must not stop the others
            ended, fault = "disagree", f"{one.acts}: {error!r}"
    tally.ends[ended] += 1
    tally.acts += len(one.acts)
    tally.kept += one.refused
    tally.stuck += one.was_stuck
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
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    return prove(asked.walks, asked.seed)


if __name__ == "__main__":
    sys.exit(main())
