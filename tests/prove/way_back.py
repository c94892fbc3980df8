"""Sending back in the token game, written from ADR 0040 and from nothing of the engine.

A token is sent back to a user task that lies before it. Of the tokens in the scope that holds both, those stay that
stand in another branch of a fork that the target lies in too, and those on the path of a reminder whose activity is not
walked again. What the branches beside the target have done is not asked for again: at their join their tokens stand.

Where the record leaves a reading open the game reads it thus:

- The flows behind a fork are *branches*, and so is the path of a non-interrupting event. A token that has come to a
  join stands in the branch over which it came.
- A join ends branches of a fork; with all of them it ends the fork. A node to which ways lead in different branches
  lies in none that is known.
- A way that leads back to a node which every token had to pass goes round a loop: over it nothing lies before anything.
  Where a loop has two ways in, what lies before what stays open.
- An event sub-process lies behind everything in its scope, which is begun anew unless it goes on beside. One that
  interrupts is entered like any sub-process; what it has interrupted stays so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tests.prove.random_drawings import Drawing, Node
from tests.prove.token_game import Activity, Game, Scope, scope_at

_FORKS = ("parallelGateway", "inclusiveGateway")
Branch = tuple[str, frozenset[str]]
"""A fork, and those of its flows over which a token may have left it; the path of a reminder is a fork of one."""
Stack = tuple[Branch, ...]
"""The branches round a token, from the outside inwards."""


@dataclass(frozen=True)
class Edge:
    """A way from a node to the next one: a flow, or from an activity to an event at its border."""

    id: str
    source: str
    target: str


class Graph:
    """What a scope's drawing says of its nodes, without those of its event sub-processes."""

    def __init__(self, drawing: Drawing, scope: str) -> None:
        self.nodes = {node.id: node for node in drawing.nodes.values() if node.scope == scope and not node.is_handler}
        self.start = next(node.id for node in self.nodes.values() if node.kind == "startEvent")
        flows = [flow for flow in drawing.flows.values() if flow.source in self.nodes]
        edges = [Edge(flow.id, flow.source, flow.target) for flow in flows]
        edges += [Edge(f"at {node.id}", node.host, node.id) for node in self.nodes.values() if node.host]
        reached = self._behind(self.start, edges)
        self.edges = [edge for edge in edges if edge.source in reached]
        self.into: dict[str, list[Edge]] = {name: [] for name in reached}
        for edge in self.edges:
            self.into[edge.target].append(edge)

    @staticmethod
    def _behind(name: str, edges: list[Edge]) -> set[str]:
        found, todo = {name}, [name]
        while todo:
            at = todo.pop()
            for edge in edges:
                if edge.source == at and edge.target not in found:
                    found.add(edge.target)
                    todo.append(edge.target)
        return found

    @cached_property
    def onward(self) -> list[Edge]:
        """The ways that do not go round a loop: those to a node that every way to their source has passed go round."""
        must = {name: set(self.into) for name in self.into}
        must[self.start] = {self.start}
        is_changed = True
        while is_changed:
            is_changed = False
            for name, coming in self.into.items():
                if name != self.start:
                    passed = {name} | set.intersection(*(must[edge.source] for edge in coming))
                    is_changed, must[name] = is_changed or passed != must[name], passed
        return [edge for edge in self.edges if edge.target not in must[edge.source]]

    @cached_property
    def _order(self) -> list[str]:
        """The nodes, each behind those before it. Nodes of a loop with two ways in are left out."""
        left = {name: sum(edge.target == name for edge in self.onward) for name in self.into}
        found, todo = [], [self.start]
        while todo:
            name = todo.pop()
            found.append(name)
            for edge in self.onward:
                if edge.source == name:
                    left[edge.target] -= 1
                    if not left[edge.target]:
                        todo.append(edge.target)
        return found

    @property
    def is_clear(self) -> bool:
        """Whether each loop has one way in, so that it can be said what lies before what."""
        return len(self._order) == len(self.into)

    def behind(self, name: str) -> set[str]:
        """Return the nodes to which ways lead onward from this one, itself included."""
        return self._behind(name, self.onward)

    def is_before(self, one: str, other: str) -> bool:
        """Return whether a node lies before another."""
        return one != other and one in self.into and other in self.behind(one)

    @cached_property
    def _stacks(self) -> tuple[dict[str, Stack | None], dict[str, Stack | None]]:
        """The stacks of nodes and ways."""
        unclear: set[str] = set(self.into) - set(self._order)
        while True:
            nodes: dict[str, Stack | None] = dict.fromkeys(unclear)
            ways: dict[str, Stack | None] = {}
            for name in self._order:
                coming = [ways[edge.id] for edge in self.into[name] if edge in self.onward]
                nodes[name] = () if name == self.start else None if name in unclear else self._met(name, coming)
                for edge in self.edges:
                    if edge.source == name:
                        ways[edge.id] = self._along(edge, nodes[name])
            known = {edge.target for edge in self.edges if edge not in self.onward and edge.id in ways}
            wrong = {
                edge.target
                for edge in self.edges
                if edge.target in known and edge not in self.onward and ways[edge.id] != nodes[edge.target]
            }
            if wrong <= unclear:
                return nodes, ways
            unclear |= wrong

    def _met(self, name: str, coming: list[Stack | None]) -> Stack | None:
        if self.nodes[name].kind in _FORKS and len(self.into[name]) > 1:
            return self._joined(coming)
        return coming[0] if len(set(coming)) == 1 else None

    def _joined(self, coming: list[Stack | None]) -> Stack | None:
        """Return where the token goes on that stands for those that have come."""
        known = {stack for stack in coming if stack is not None}
        if None in coming:
            return None
        if len(known) == 1:
            return known.pop()
        if () in known:
            return None
        firsts = {stack[0] for stack in known}
        if len(firsts) == 1:
            rest = self._joined([stack[1:] for stack in known])
            return None if rest is None else (*firsts, *rest)
        fork = {first[0] for first in firsts}
        if len(fork) > 1:
            return None
        for first in firsts:
            if self._joined([stack[1:] for stack in known if stack[0] == first]) != ():
                return None
        flows = frozenset[str]().union(*(first[1] for first in firsts))
        (name,) = fork
        every = {edge.id for edge in self.edges if edge.source == name}
        return () if flows == every else ((name, flows),)

    def _along(self, edge: Edge, stack: Stack | None) -> Stack | None:
        if stack is None:
            return None
        source, target = self.nodes[edge.source], self.nodes[edge.target]
        if target.host == source.id:
            return stack if target.interrupts else (*stack, (target.id, frozenset({edge.id})))
        several = sum(other.source == source.id for other in self.edges) > 1
        return (*stack, (source.id, frozenset({edge.id}))) if source.kind in _FORKS and several else stack

    def at(self, name: str) -> Stack | None:
        """Return the branches in which a node lies, or a token that has come to a join over this flow."""
        nodes, ways = self._stacks
        return nodes.get(name) if name in self.nodes else ways.get(name)

    def reminders(self, stack: Stack) -> list[Node]:
        """Return the non-interrupting events on whose paths a token stands."""
        return [self.nodes[fork] for fork, _flows in stack if self.nodes[fork].host]

    def joins(self) -> Iterator[list[str]]:
        """Yield for each parallel join the flows into it."""
        for name, coming in self.into.items():
            if self.nodes[name].kind == "parallelGateway" and len(coming) > 1:
                yield [edge.id for edge in coming]

    def has_clear_joins(self, stack: Stack) -> bool:
        """Return whether a token in these branches comes to a join by one flow, and it is known what comes to it."""
        for flows in self.joins() if stack else ():
            ways = [self.at(flow) for flow in flows]
            if None in ways or sum(_leaves_by(stack, way) for way in ways if way is not None) > 1:
                return False
        return True


def _part(one: Stack, other: Stack) -> bool:
    """Return whether tokens may stand there at once: in branches of the same fork that no flow shares."""
    for (fork, flows), (other_fork, other_flows) in zip(one, other, strict=False):
        if fork != other_fork or flows != other_flows:
            return fork == other_fork and not flows & other_flows
    return False


def _leaves_by(stack: Stack, way: Stack) -> bool:
    """Return whether a token in these branches leaves some of them over this way into a join."""
    if not way or len(way) > len(stack):
        return False
    return all(mine[0] == there[0] and mine[1] <= there[1] for mine, there in zip(stack, way, strict=False))


@dataclass(frozen=True)
class Offer:
    """What sending back to a step may mean: to walk again from there, to come straight back; and its loop instance."""

    walks: bool
    returns: bool
    seat: str
    is_open: bool = False
    """Whether the drawing does not tell whether the step lies before: it may be offered or not."""


@dataclass(frozen=True)
class _Road:
    """The way of a token back: the scope that holds both, where it is, and the nodes to enter, the last one the target.

    `from_handler` says that the token comes from an event sub-process of that scope.
    """

    way: tuple[int, ...]
    source: Activity
    enters: tuple[Node, ...]
    from_handler: bool
    is_open: bool


class WayBack:
    """The rules for one drawing."""

    def __init__(self, game: Game, drawing: Drawing) -> None:
        self._game, self._drawing = game, drawing
        self._graphs: dict[str, Graph] = {}

    def _graph(self, scope: str) -> Graph:
        if scope not in self._graphs:
            self._graphs[scope] = Graph(self._drawing, scope)
        return self._graphs[scope]

    def offers(self, root: Scope, node: str, seat: str, among: list[str]) -> Iterator[dict[str, Offer]]:
        """Yield, for each token that may be meant, the steps to which it may be sent back."""
        for way, activity in self._game.asked(root, node, seat):
            found = {}
            for name in among:
                if name in (node, activity.node) or (road := self._road(root, way, activity, name)) is None:
                    continue
                through_loop = any(one.several for one in road.enters[:-1])
                walks = not through_loop and self._may_walk(root, road)
                returns = not through_loop and not road.enters[-1].several
                if walks or returns or road.is_open:
                    found[name] = Offer(walks, returns, scope_at(root, road.way).seat, road.is_open)
            yield found

    def sent(self, root: Scope, node: str, seat: str, to: str, *, comes_back: bool) -> Iterator[Scope]:
        """Yield what may come of it when a token is sent back."""
        for way, activity in self._game.asked(root, node, seat):
            road = self._road(root, way, activity, to)
            if road is None or not (comes_back or road.is_open or self._may_walk(root, road)):
                continue
            place = [one is activity for one in scope_at(root, way).lasting].index(True)
            source = [one is road.source for one in scope_at(root, road.way).lasting].index(True)
            changed = root.copy()
            if comes_back:
                scope_at(changed, way).lasting[place].away.setdefault(seat, []).append(to)
            else:
                scope = scope_at(changed, road.way)
                self._walk(scope, scope.lasting[source], road)
            yield changed

    def _road(self, root: Scope, way: tuple[int, ...], activity: Activity, to: str) -> _Road | None:
        """Return how the token comes to a step; None where that does not lie before it."""
        target = self._drawing.nodes[to]
        chain = [target]
        while chain[0].scope:
            chain.insert(0, self._drawing.nodes[chain[0].scope])
        depth = 0
        while 2 * depth < len(way) and depth + 1 < len(chain):
            if scope_at(root, way[: 2 * depth]).lasting[way[2 * depth]].node != chain[depth].id:
                break
            depth += 1
        around = way[: 2 * depth]
        source = scope_at(root, around).lasting[way[2 * depth]] if 2 * depth < len(way) else activity
        first, last = chain[depth], self._drawing.nodes[source.node]
        if first.is_handler:
            return None
        graph = self._graph(first.scope)
        may_be_before = last.is_handler or not graph.is_clear or graph.is_before(first.id, last.id)
        if not may_be_before:
            return None
        is_open = any(not self._graph(node.scope).is_clear for node in chain[depth:])
        return _Road(around, source, tuple(chain[depth:]), last.is_handler, is_open)

    def _may_walk(self, root: Scope, road: _Road) -> bool:
        scope, first = scope_at(root, road.way), road.enters[0]
        for place, node in enumerate(road.enters):
            if node.is_handler:
                if not self._game.start_of(node).interrupts:
                    return False
                continue
            graph = self._graph(node.scope)
            stack = graph.at(node.id)
            if stack is None or not graph.has_clear_joins(stack):
                return False
            if (place or road.from_handler) and graph.reminders(stack):
                return False
        if road.from_handler:
            return scope.phase != "running"
        graph = self._graph(first.scope)
        there, here = graph.at(first.id) or (), graph.at(road.source.node)
        if there:
            if here is None or _part(there, here) or None in [graph.at(name) for name in self._standing(scope)]:
                return False
            if any(one not in graph.reminders(here) for one in graph.reminders(there)):
                return False
        return not any(one.node == first.id for one in scope.lasting) or len(road.enters) == 1

    def _standing(self, scope: Scope) -> list[str]:
        """Return where tokens of a scope stand, outside of its event sub-processes: nodes, and flows into joins."""
        lasting = [one.node for one in scope.lasting if not self._drawing.nodes[one.node].is_handler]
        return [*lasting, *(name for name, number in scope.tokens.items() if number)]

    def _walk(self, scope: Scope, source: Activity, road: _Road) -> None:
        first = road.enters[0]
        graph = self._graph(first.scope)
        there = graph.at(first.id) or ()
        if road.from_handler:
            inside = [node for node in self._drawing.nodes.values() if node.scope == scope.node]
            handlers = {node.id for node in inside if node.is_handler}
            scope.tokens.clear()
            scope.lasting, scope.armed, scope.phase = [], handlers, "running"
        else:
            again = graph.behind(first.id)

            def stays(name: str) -> bool:
                stack = graph.at(name)
                if stack is None:
                    return False
                mine = graph.reminders(there)
                apart = [one for one in graph.reminders(stack) if one not in mine and one.host not in again]
                return bool(_part(stack, there) or apart)

            scope.lasting = [
                one
                for one in scope.lasting
                if self._drawing.nodes[one.node].is_handler or (one is not source and stays(one.node))
            ]
            for name in [*scope.tokens]:
                if not stays(name):
                    del scope.tokens[name]
        for node in road.enters:
            if node.is_handler:
                scope.armed, scope.phase = set(), "interrupted"
            else:
                self._count_as_arrived(self._graph(node.scope), scope, node)
            activity = self._game.begun(node, scope.seat)
            scope.lasting.append(activity)
            if node is not road.enters[-1]:
                (scope,) = activity.scopes
                scope.tokens.clear()

    def _count_as_arrived(self, graph: Graph, scope: Scope, node: Node) -> None:
        """Put a token where a branch beside the node ends in a join ahead, unless one stands in that branch."""
        there = graph.at(node.id) or ()
        standing = [graph.at(name) or () for name in self._standing(scope)]
        for flows in graph.joins():
            ways = {flow: graph.at(flow) or () for flow in flows}
            if not any(_leaves_by(there, way) for way in ways.values()):
                continue
            for flow, way in ways.items():
                coming = [one for one in standing if _leaves_by(one, way) and not graph.reminders(one[len(way) :])]
                if _part(way, there) and not coming:
                    scope.tokens[flow] = max(1, scope.tokens[flow])
