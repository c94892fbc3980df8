"""A token game for drawings, written from the text of BPMN 2.0 (chapters 10 and 13) and from nothing of the engine.

A state is a tree: the process, in it its activities that last, in these the sub-processes that run. `Game.settled` lets
every token go on until all wait; where the order of what happens at once matters, it returns each state that may come
of it. Where the standard leaves a reading open the game reads it thus:

- A waiting boundary event counts as a token for an inclusive join.
- An inclusive join that fires uses up all tokens that came to it.
- An error that nobody catches ends its path.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice, permutations
from random import Random
from typing import Any

from tests.prove.random_drawings import OUTCOMES, Drawing, Flow, Node, Several

MAX_STATES = 4_000
"""States looked at for one act; an act with more counts as open."""
MAX_TOKENS = 60
MAX_MOVES = 400


class TooMany(Exception):
    """The game has more states or tokens than it looks at."""


@dataclass
class Activity:
    """An activity that lasts. `seats` are the loop instances that wait for a person, '' where there is no loop."""

    node: str
    seats: list[str]
    scopes: list[Scope]
    armed: set[str]
    """Its boundary events that may still happen."""
    seat: str = ""
    begun: int = 0
    done: int = 0
    votes: Counter[str] = field(default_factory=Counter)
    of: int = 1
    """How many loop instances there are, with those to come."""
    to_come: list[bool] = field(default_factory=list)
    """Of a loop in turn: the loop instances that have not begun, and whether each was added."""
    away: dict[str, list[str]] = field(default_factory=dict)
    """The steps that a seat was sent back to and from which it comes straight back, the last one last."""

    def copy(self) -> Activity:
        """Return a copy that shares nothing."""
        return Activity(
            self.node, [*self.seats], [scope.copy() for scope in self.scopes], {*self.armed}, self.seat, self.begun,
            self.done, Counter(self.votes), self.of, [*self.to_come],
            {seat: [*steps] for seat, steps in self.away.items()},
        )  # fmt: skip

    def asked_at(self, seat: str) -> str:
        """Return the step that a seat waits at: the activity itself, or one that it was sent back to."""
        return self.away[seat][-1] if seat in self.away else self.node

    @property
    def key(self) -> Any:
        """What tells it from another one."""
        inside = tuple(sorted(scope.key for scope in self.scopes))
        return (
            self.node, tuple(sorted(self.seats)), inside, tuple(sorted(self.armed)), self.seat, self.begun,
            self.done, tuple(sorted(self.votes.items())), self.of, tuple(self.to_come),
            tuple(sorted((seat, tuple(steps)) for seat, steps in self.away.items())),
        )  # fmt: skip


@dataclass
class Scope:
    """The process or a sub-process that runs: tokens on its flows, and its activities that last."""

    node: str
    seat: str
    tokens: Counter[str]
    lasting: list[Activity]
    armed: set[str]
    """Its event sub-processes that may still begin."""
    phase: str = "running"
    """'running'; 'completing' when only event sub-processes last; 'interrupted' by one; 'over'."""

    def copy(self) -> Scope:
        """Return a copy that shares nothing."""
        lasting = [one.copy() for one in self.lasting]
        return Scope(self.node, self.seat, Counter(self.tokens), lasting, {*self.armed}, self.phase)

    @property
    def key(self) -> Any:
        """What tells it from another one."""
        tokens = tuple(sorted((name, number) for name, number in self.tokens.items() if number))
        lasting = tuple(sorted(one.key for one in self.lasting))
        return self.node, self.seat, tokens, lasting, tuple(sorted(self.armed)), self.phase


@dataclass
class Seen:
    """What waits, as both sides tell it."""

    tasks: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    """By node, loop instance, and how many loop instances there are; 0 outside of loops."""
    events: Counter[str] = field(default_factory=Counter)
    joined: Counter[str] = field(default_factory=Counter)
    """Tokens that stand at joins."""
    is_over: bool = False


Move = tuple[str, tuple[int, ...], str, str]
"""A step of a token: its kind, the way to its scope (see `scope_at`), its node, and the flow over which it came."""


class Game:
    """The rules for one drawing."""

    def __init__(self, drawing: Drawing) -> None:
        self.nodes = drawing.nodes
        self.flows = drawing.flows
        self.into: dict[str, list[Flow]] = {name: [] for name in drawing.nodes}
        self.out: dict[str, list[Flow]] = {name: [] for name in drawing.nodes}
        for flow in drawing.flows.values():
            self.into[flow.target].append(flow)
            self.out[flow.source].append(flow)
        self.borders: dict[str, list[Node]] = {}
        for node in drawing.nodes.values():
            if node.host:
                self.borders.setdefault(node.host, []).append(node)
        self.reached: dict[tuple[str, str], frozenset[str]] = {}

    # --- what people and events do -----------------------------------------------------------------------------------

    def begin(self) -> Scope:
        """Return the process with its first token."""
        return self._scope("", "")

    def complete(self, root: Scope, node: str, seat: str, outcome: str) -> Iterator[Scope]:
        """Yield what may come of it when a person completes a task; before the tokens go on."""
        for changed, around, activity in self._asked_in_copies(root, node, seat):
            if seat in activity.away:  # it comes straight back
                activity.away[seat].pop()
                if not activity.away[seat]:
                    del activity.away[seat]
            else:
                activity.seats.remove(seat)
                self._instance_done(around, activity, outcome)
            yield changed

    def asked(self, root: Scope, node: str, seat: str) -> Iterator[tuple[tuple[int, ...], Activity]]:
        """Yield the activities that ask a person for this step, each with the way to its scope."""
        for way, scope in scopes(root):
            for one in scope.lasting:
                if seat in one.seats and one.asked_at(seat) == node:
                    yield way, one

    def _asked_in_copies(self, root: Scope, node: str, seat: str) -> Iterator[tuple[Scope, Scope, Activity]]:
        for way, one in self.asked(root, node, seat):
            changed, place = root.copy(), [other is one for other in scope_at(root, way).lasting].index(True)
            around = scope_at(changed, way)
            yield changed, around, around.lasting[place]

    def add_signer(self, root: Scope, node: str, seat: str, *, is_next: bool) -> Iterator[Scope]:
        """Yield what may come of it when a signer is added beside one who is asked; in turn: as next or last one."""
        for changed, _around, activity in self._asked_in_copies(root, node, seat):
            several = self.nodes[activity.node].several
            if several is None:
                continue
            activity.of += 1
            if several.in_turn:
                activity.to_come.insert(0 if is_next else len(activity.to_come), True)
            else:
                self._next_instance(activity, self.nodes[activity.node])
            yield changed

    def remove_signer(self, root: Scope, node: str, seat: str, to_come: int | None) -> Iterator[tuple[str, Scope]]:
        """Yield what may come of it when one who is asked is removed, or one of this number who is to come.

        Each with why it is refused, '' where it is not: somebody has to be left, and where the activity is over by it,
        all who have signed have to agree, or the drawing has to say what their votes mean; without a condition the last
        vote counts.
        """
        for changed, around, activity in self._asked_in_copies(root, node, seat):
            several = self.nodes[activity.node].several
            if several is None or (to_come is not None and to_come not in self._added(activity)):
                continue  # in this state it is not there
            if activity.of == 1:
                yield "last", root
                continue
            activity.of -= 1
            if to_come is None:
                activity.seats.remove(seat)
                activity.away.pop(seat, None)
            else:
                del activity.to_come[to_come - activity.begun]
            has_condition = bool(several.done or several.votes or several.more_than_half)
            if activity.done == activity.of or (activity.done and self._is_decided(activity, several)):
                if has_condition and not several.says_outcome and len(activity.votes) > 1:
                    yield "undecided", root
                    continue
                self._over(around, activity)
            elif not activity.seats:
                self._next_instance(activity, self.nodes[activity.node])
            yield "", changed

    def added_to_come(self, root: Scope, node: str, seat: str) -> Iterator[list[int]]:
        """Yield the numbers of the loop instances that were added to a loop in turn and have not begun."""
        for _way, activity in self.asked(root, node, seat):
            yield self._added(activity)

    @staticmethod
    def _added(activity: Activity) -> list[int]:
        return [activity.begun + place for place, added in enumerate(activity.to_come) if added]

    def happen(self, root: Scope, node: str) -> Iterator[Scope]:
        """Yield what may come of it when an event happens once."""
        for spot in self._waiting(root, lambda event: event.id == node):
            changed = root.copy()
            if self._catch(changed, spot, node):
                yield changed

    def hear(self, root: Scope, message: str) -> Iterator[Scope]:
        """Yield what may come of a message, which everything hears that waits for it now, in any order."""
        marked = root.copy()
        spots = list(self._waiting(marked, lambda event: event.trigger == message))
        for order in islice(permutations(spots), 24):
            changed = root.copy()
            # The places shift as activities end: each is found by what it is, before anything changes.
            objects = [_object(changed, spot) for spot in order]
            for around, thing, event in objects:
                self._catch_in(changed, around, thing, event)
            yield changed

    def moved(self, root: Scope, node: str, to: str) -> Iterator[Scope]:
        """Yield what may come of it when a token is put elsewhere by hand; all that stand at a join become one."""
        ways = {flow.id for flow in self.into[node]}
        for way, scope in scopes(root):
            changed = root.copy()
            around = scope_at(changed, way)
            lasting = [one for one in around.lasting if node in ([*map(one.asked_at, one.seats)] or [one.node])]
            if lasting:
                _remove(around.lasting, lasting[0])
            elif any(scope.tokens[name] for name in ways):
                for name in ways:
                    around.tokens[name] = 0
            else:
                continue
            around.tokens[self.into[to][0].id] += 1
            yield changed

    def cancelled(self, root: Scope) -> Iterator[Scope]:
        """Yield the process after somebody has ended it."""
        changed = root.copy()
        self._stop(changed)
        changed.phase = "over"
        yield changed

    # --- tokens that go on -------------------------------------------------------------------------------------------

    def settled(self, states: Iterable[Scope], values: dict[str, int], orders: int, seed: int) -> list[Scope]:
        """Return the states in which all tokens wait. `orders` are how many orders are tried; 0 for all that there are.

        Raises TooMany.
        """
        found: dict[Any, Scope] = {}
        if orders:
            for number, state in enumerate(states):
                for order in range(orders):
                    calm = self._one_order(state.copy(), values, order, Random(seed + number))
                    found.setdefault(calm.key, calm)
            return list(found.values())
        todo = [*{state.key: state.copy() for state in states}.values()]
        met = {state.key for state in todo}
        while todo:
            state = todo.pop()
            moves = self._moves(state)
            if not moves:
                found.setdefault(state.key, state)
            for move in moves:
                changed = state.copy()
                self._take(changed, move, values)
                if changed.key not in met:
                    met.add(changed.key)
                    todo.append(changed)
            if len(met) > MAX_STATES:
                raise TooMany
        return list(found.values())

    def _one_order(self, state: Scope, values: dict[str, int], order: int, random: Random) -> Scope:
        for _ in range(MAX_MOVES):
            moves = self._moves(state)
            if not moves:
                return state
            self._take(state, moves[0] if order == 0 else moves[-1] if order == 1 else random.choice(moves), values)
        raise TooMany

    def _moves(self, root: Scope) -> list[Move]:
        """Return every step that a token, or a scope that has none left, can take now."""
        found: list[Move] = []
        standing = 0
        for way, scope in sorted(scopes(root), key=lambda one: -len(one[0])):  # the inner ones first
            standing += sum(scope.tokens.values()) + len(scope.lasting)
            for name in sorted(name for name, number in scope.tokens.items() if number):
                node = self.nodes[self.flows[name].target]
                ready = {"parallelGateway": self._all_there, "inclusiveGateway": self._nobody_comes}.get(node.kind)
                if ready is None or ready(scope, node):
                    found.append(("token", way, node.id, name))
            handlers = [one for one in scope.lasting if self.nodes[one.node].is_handler]
            if not +scope.tokens and len(handlers) == len(scope.lasting):
                if scope.phase == "running":
                    found.append(("completing", way, "", ""))
                elif not handlers and scope.phase != "over":
                    found.append(("over", way, "", ""))
        if standing > MAX_TOKENS:
            raise TooMany
        return found

    def _take(self, root: Scope, move: Move, values: dict[str, int]) -> None:
        kind, way, name, flow = move
        scope = scope_at(root, way)
        if kind == "completing":  # "While the parent Activity is in the Completing state, no new Event Sub-Processes"
            scope.phase, scope.armed = "completing", set()
        elif kind == "over":
            self._scope_over(root, way)
        else:
            self._arrive(root, way, self.nodes[name], flow, values)

    def _arrive(self, root: Scope, way: tuple[int, ...], node: Node, flow: str, values: dict[str, int]) -> None:
        scope = scope_at(root, way)
        if node.kind == "parallelGateway":
            for one in self.into[node.id]:
                scope.tokens[one.id] -= 1
        elif node.kind == "inclusiveGateway":
            for one in self.into[node.id]:
                scope.tokens[one.id] = 0
        else:
            scope.tokens[flow] -= 1
        scope.tokens = +scope.tokens
        match node.kind:
            case "endEvent":
                self._ended(root, way, node)
            case "exclusiveGateway" | "inclusiveGateway":
                self._choose(scope, node, values)
            case "parallelGateway" | "task":
                self._leave(scope, node.id)
            case _:
                scope.lasting.append(self.begun(node, scope.seat))

    def _choose(self, scope: Scope, node: Node, values: dict[str, int]) -> None:
        out = self.out[node.id]
        holding = [flow for flow in out if flow.when and values.get(flow.when)]
        holding = holding or [flow for flow in out if not flow.when]
        for flow in holding[:1] if node.kind == "exclusiveGateway" else holding:
            scope.tokens[flow.id] += 1

    def _leave(self, scope: Scope, node: str) -> None:
        for flow in self.out[node]:
            scope.tokens[flow.id] += 1

    # --- joins -------------------------------------------------------------------------------------------------------

    def _all_there(self, scope: Scope, node: Node) -> bool:
        return all(scope.tokens[flow.id] > 0 for flow in self.into[node.id])

    def _nobody_comes(self, scope: Scope, gateway: Node) -> bool:
        """Return whether no token can come over a flow that has none, without coming as well over one that has."""
        ways = {flow.id for flow in self.into[gateway.id]}
        taken = {name for name in ways if scope.tokens[name]}
        for places in self._tokens_of(scope, ways):
            found = frozenset[str]().union(*(self.reach(place, gateway.id) for place in places))
            if found - taken and not found & taken:
                return False
        return True

    def _tokens_of(self, scope: Scope, ways: set[str]) -> Iterator[list[str]]:
        """Yield for each token beside those at the gateway the flows over which its way goes on."""
        for name, number in scope.tokens.items():
            if number and name not in ways:
                yield [name]
        for one in scope.lasting:
            yield [flow.id for flow in self.out[one.node]]
            for event in one.armed:
                yield [flow.id for flow in self.out[event]]

    def reach(self, flow: str, gateway: str) -> frozenset[str]:
        """Return the flows into the gateway to which a way leads that begins with a flow and does not pass it."""
        if (flow, gateway) not in self.reached:
            found, seen, todo = set(), set(), [flow]
            while todo:
                name = todo.pop()
                target = self.flows[name].target
                if target == gateway:
                    found.add(name)
                elif target not in seen:
                    seen.add(target)
                    for node in (target, *(event.id for event in self.borders.get(target, ()))):
                        todo.extend(one.id for one in self.out[node])
            self.reached[flow, gateway] = frozenset(found)
        return self.reached[flow, gateway]

    # --- activities and scopes ---------------------------------------------------------------------------------------

    def begun(self, node: Node, seat: str) -> Activity:
        """Return an activity that begins."""
        activity = Activity(node.id, [], [], {event.id for event in self.borders.get(node.id, ())}, seat)
        if node.several:
            activity.of = node.several.number
        if node.several and node.several.in_turn:
            activity.to_come = [False] * activity.of
        for _ in range(1 if node.several and node.several.in_turn else activity.of):
            self._next_instance(activity, node)
        return activity

    def _next_instance(self, activity: Activity, node: Node) -> None:
        if activity.to_come:
            activity.to_come.pop(0)
        seat = f"{activity.seat}.{activity.begun}" if node.several else activity.seat
        activity.begun += 1
        if node.kind == "subProcess":
            activity.scopes.append(self._scope(node.id, seat))
        elif node.kind == "userTask":
            activity.seats.append(seat)

    def _scope(self, name: str, seat: str) -> Scope:
        inside = [node for node in self.nodes.values() if node.scope == name]
        scope = Scope(name, seat, Counter(), [], {node.id for node in inside if node.is_handler})
        self._leave(scope, next(node.id for node in inside if node.kind == "startEvent"))
        return scope

    def _instance_done(self, scope: Scope, activity: Activity, outcome: str) -> None:
        """Count a loop instance that is done; leave the activity with the last one, or when its condition holds."""
        node = self.nodes[activity.node]
        activity.done += 1
        activity.votes[outcome] += 1
        several = node.several
        if several is None or activity.done == activity.of or self._is_decided(activity, several):
            self._over(scope, activity)
        elif several.in_turn:
            self._next_instance(activity, node)

    @staticmethod
    def _is_decided(activity: Activity, several: Several) -> bool:
        yes = activity.votes[OUTCOMES[0]]
        by_number = several.done and activity.done >= several.done
        by_votes = several.votes and yes >= several.votes
        return bool(by_number or by_votes or (several.more_than_half and 2 * yes > activity.of))

    def _over(self, scope: Scope, activity: Activity) -> None:
        _remove(scope.lasting, activity)
        self._leave(scope, activity.node)

    def _scope_over(self, root: Scope, way: tuple[int, ...]) -> None:
        scope = scope_at(root, way)
        if not way:
            self._stop(scope)
            scope.phase = "over"
            return
        around = scope_at(root, way[:-2])
        activity = around.lasting[way[-2]]
        activity.scopes.pop(way[-1])
        self._instance_done(around, activity, "")

    def _stop(self, scope: Scope) -> None:
        scope.tokens, scope.lasting, scope.armed = Counter(), [], set()

    def _ended(self, root: Scope, way: tuple[int, ...], end: Node) -> None:
        if end.trigger == "terminate":
            self._stop(scope_at(root, way))
            self._scope_over(root, way)
        elif end.trigger:
            self._raise(root, way, end.trigger)

    def _raise(self, root: Scope, way: tuple[int, ...], code: str) -> None:
        """Let the nearest event sub-process or boundary event catch an error, from the inside outwards."""
        while True:
            scope = scope_at(root, way)
            if (handler := self._fitting(scope.armed, code)) is not None:
                self._begin_handler(scope, handler)
                return
            if not way:
                return
            around = scope_at(root, way[:-2])
            activity = around.lasting[way[-2]]
            if (event := self._fitting(activity.armed, code)) is not None:
                self._break_off(around, activity, event)
                return
            way = way[:-2]

    def _fitting(self, armed: set[str], code: str) -> str | None:
        for wanted in (code, "*"):
            for name in sorted(armed):
                if self._trigger(name) == wanted:
                    return name
        return None

    def _trigger(self, name: str) -> str:
        node = self.nodes[name]
        return self.start_of(node).trigger if node.is_handler else node.trigger

    def start_of(self, handler: Node) -> Node:
        return next(node for node in self.nodes.values() if node.scope == handler.id and node.kind == "startEvent")

    def _begin_handler(self, scope: Scope, handler: str) -> None:
        start = self.start_of(self.nodes[handler])
        if start.interrupts:
            self._stop(scope)
            scope.phase = "interrupted"
        elif start.trigger == "timer":
            scope.armed.discard(handler)  # a moment passes once
        scope.lasting.append(self.begun(self.nodes[handler], scope.seat))

    def _break_off(self, scope: Scope, activity: Activity, event: str) -> None:
        if self.nodes[event].interrupts:
            _remove(scope.lasting, activity)
        elif self.nodes[event].trigger == "timer":
            activity.armed.discard(event)
        self._leave(scope, event)

    # --- events ------------------------------------------------------------------------------------------------------

    def _waiting(self, root: Scope, wanted: Callable[[Node], bool]) -> Iterator[tuple[Any, ...]]:
        """Yield where an event waits: the way to its scope, the place of its activity, -1 for none, and the event."""
        for way, scope in scopes(root):
            for place, one in enumerate(scope.lasting):
                node = self.nodes[one.node]
                if node.kind == "intermediateCatchEvent" and wanted(node):
                    yield way, place, node.id
                for event in sorted(one.armed):
                    if wanted(self.nodes[event]):
                        yield way, place, event
            for handler in sorted(scope.armed):
                if wanted(self.start_of(self.nodes[handler])):
                    yield way, -1, handler

    def _catch(self, root: Scope, spot: tuple[Any, ...], _node: str) -> bool:
        around, thing, event = _object(root, spot)
        return self._catch_in(root, around, thing, event)

    def _catch_in(self, root: Scope, around: Scope, activity: Activity | None, event: str) -> bool:
        """Let what waits catch its event, unless it was ended before."""
        if not any(scope is around for _way, scope in scopes(root)):
            return False
        if activity is None:
            if event not in around.armed:
                return False
            self._begin_handler(around, event)
            return True
        if not any(one is activity for one in around.lasting):
            return False
        if activity.node == event:
            _remove(around.lasting, activity)
            self._leave(around, event)
        elif event in activity.armed:
            self._break_off(around, activity, event)
        else:
            return False
        return True

    # --- what is seen ------------------------------------------------------------------------------------------------

    def seen(self, root: Scope) -> Seen:
        """Return what waits."""
        found = Seen(is_over=root.phase == "over")
        for _way, scope in scopes(root):
            for name, number in scope.tokens.items():
                if number:
                    found.joined[self.flows[name].target] += number
            for one in scope.lasting:
                of = one.of if self.nodes[one.node].several else 0
                found.tasks.update((one.asked_at(seat), seat, of) for seat in one.seats)
                events = [*one.armed]
                if self.nodes[one.node].kind == "intermediateCatchEvent":
                    events.append(one.node)
                found.events.update(name for name in events if self._is_from_outside(self.nodes[name].trigger))
            starts = [self.start_of(self.nodes[name]) for name in scope.armed]
            found.events.update(start.id for start in starts if self._is_from_outside(start.trigger))
        return found

    def handler_of(self, node: str) -> str:
        """Return the event sub-process that begins with this start event, '' for another node."""
        scope = self.nodes[self.nodes[node].scope] if self.nodes[node].scope else None
        return scope.id if scope is not None and scope.is_handler and self.nodes[node].kind == "startEvent" else ""

    @staticmethod
    def _is_from_outside(trigger: str) -> bool:
        return trigger == "timer" or trigger.startswith("m")


def scopes(root: Scope, way: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Scope]]:
    """Yield the process and every sub-process that runs, each with the way to it: activity, scope, activity, …"""
    yield way, root
    for place, one in enumerate(root.lasting):
        for number, scope in enumerate(one.scopes):
            yield from scopes(scope, (*way, place, number))


def scope_at(root: Scope, way: tuple[int, ...]) -> Scope:
    for place, number in zip(way[::2], way[1::2], strict=True):
        root = root.lasting[place].scopes[number]
    return root


def _object(root: Scope, spot: tuple[Any, ...]) -> tuple[Scope, Activity | None, str]:
    way, place, event = spot
    scope = scope_at(root, way)
    return scope, (scope.lasting[place] if place >= 0 else None), event


def _remove(lasting: list[Activity], activity: Activity) -> None:
    lasting[:] = [one for one in lasting if one is not activity]
