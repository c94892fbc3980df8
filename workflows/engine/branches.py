"""Which nodes of a scope lie before each other, and which in branches beside each other: from the parsed model alone.

A place says in which branches of which forks a node lies, from the outermost inwards. The path of a non-interrupting
event is a branch of its own. A drawing may join what was never forked, or run together two branches without a join:
then a node has no place.
"""

# mypy: disable-error-code="import-untyped"

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from SpiffWorkflow.bpmn.specs.control import BoundaryEventSplit

from workflows.engine import graphs
from workflows.engine.specs import BoundaryEvent, InclusiveGateway, ParallelGateway, StartEvent

Place = tuple[tuple[str, frozenset[int]], ...]
"""Forks by name, each with the numbers of the outgoing flows in whose branches the node lies."""

GATEWAYS = (ParallelGateway, InclusiveGateway)


@dataclass(frozen=True)
class Edge:
    """A connection from one node of a scope to the next; `branch` is what it adds to a place, empty for most."""

    source: str
    target: str
    branch: Place = ()


@dataclass(frozen=True)
class Branches:
    """The places of a scope's nodes by name; None where a node has none. `arrivals` are by join, then by source.

    `onward` are the next nodes by node, without the ways that go round a loop.
    """

    places: Mapping[str, Place | None]
    arrivals: Mapping[str, Mapping[str, Place | None]]
    onward: Mapping[str, tuple[str, ...]]

    def behind(self, name: str) -> set[str]:
        """Return the nodes to which ways lead from this one, itself included."""
        return _closure(self.onward, name)

    def before(self, name: str) -> set[str]:
        """Return the nodes from which ways lead to this one, itself included."""
        coming: dict[str, list[str]] = {}
        for source, following in self.onward.items():
            for after in following:
                coming.setdefault(after, []).append(source)
        return _closure(coming, name)


def branches(scope: Any) -> Branches:
    """Return where the nodes of a scope lie."""
    ways: dict[str, list[Edge]] = {name: list(_ways(scope, node)) for name, node in scope.task_specs.items()}
    starts = [node.name for node in scope.task_specs.values() if isinstance(node, StartEvent)]
    places, arrivals = _Places(scope, ways).found(starts)
    return Branches(places, arrivals, _onward(ways, starts))


def beside(one: Place, other: Place) -> bool:
    """Return whether tokens at these places may stand there at the same time, in branches of one fork."""
    for (fork, flows), (other_fork, other_flows) in zip(one, other, strict=False):
        if fork != other_fork:
            return False
        if flows != other_flows:
            return flows.isdisjoint(other_flows)
    return False


def comes_out_by(place: Place, way: Place) -> bool:
    """Return whether a token at the place leaves the branches that it lies in over this way into a join."""
    pairs = zip(place, way, strict=False)
    return 0 < len(way) <= len(place) and all(one[0] == other[0] and one[1] <= other[1] for one, other in pairs)


def _ways(scope: Any, node: Any) -> Iterator[Edge]:
    forks = isinstance(node, GATEWAYS) and len(node.flows) > 1
    for number, flow in enumerate(getattr(node, "flows", ())):
        branch: Place = ((node.name, frozenset({number})),) if forks else ()
        yield Edge(node.name, _activity(scope.task_specs[flow.target]).name, branch)
    around = next((before for before in node.inputs if isinstance(before, BoundaryEventSplit)), None)
    for event in around.outputs if around is not None and not isinstance(node, BoundaryEvent) else ():
        if isinstance(event, BoundaryEvent):
            yield Edge(node.name, event.name, () if event.cancel_activity else ((event.name, frozenset({0})),))


def _activity(node: Any) -> Any:
    """Return the activity behind the internal node before it."""
    outputs = node.outputs if isinstance(node, BoundaryEventSplit) else []
    return next((one for one in outputs if not isinstance(one, BoundaryEvent)), node)


class _Places:
    """Walks once over a scope; a join waits for the places of all flows that come to it, as far as they are known."""

    def __init__(self, scope: Any, ways: Mapping[str, list[Edge]]) -> None:
        self._scope, self._ways = scope, ways
        self._places: dict[str, Place | None] = {}
        self._arrivals: dict[str, dict[Edge, Place | None]] = {}
        self._todo: list[str] = []

    def found(self, starts: list[str]) -> tuple[dict[str, Place | None], dict[str, dict[str, Place | None]]]:
        reached = _closure({name: [way.target for way in some] for name, some in self._ways.items()}, *starts)
        coming: dict[str, int] = {}
        for way in (one for name in reached for one in self._ways[name]):
            coming[way.target] = coming.get(way.target, 0) + 1
        onward = {name: [way.target for way in self._ways[name]] for name in (*starts, *reached)}
        rank = {name: number for number, name in enumerate(reversed(graphs.followers_first(onward)))}
        for start in starts:
            self._put(start, ())
        waiting: set[str] = set()
        while self._todo or waiting:
            if not self._todo:  # the first of them waits for a way that goes round through itself, the others for it
                name = min(waiting, key=rank.__getitem__)
                waiting.remove(name)
                self._put_join(name)
                continue
            name = self._todo.pop()
            place = self._places[name]
            for way in self._ways[name]:
                there = None if place is None else place + way.branch
                if not isinstance(self._scope.task_specs[way.target], GATEWAYS) or coming[way.target] < 2:
                    self._put(way.target, there)
                    continue
                known = self._arrivals.setdefault(way.target, {})
                known[way] = there
                if way.target in self._places or len(known) == coming[way.target]:
                    waiting.discard(way.target)
                    self._put_join(way.target)
                else:
                    waiting.add(way.target)
        arrivals = {join: {way.source: place for way, place in known.items()} for join, known in self._arrivals.items()}
        return self._places, arrivals

    def _put(self, name: str, place: Place | None) -> None:
        if name not in self._places:
            self._places[name] = place
        elif self._places[name] is not None and self._places[name] != place:
            self._places[name] = None
        else:
            return
        self._todo.append(name)

    def _put_join(self, name: str) -> None:
        self._put(name, self._joined(list(self._arrivals[name].values())))

    def _joined(self, coming: list[Place | None]) -> Place | None:
        """Return where a token lies that stands for those at these places, None where they were not forked together."""
        known = [place for place in coming if place is not None]
        if len(known) < len(coming):
            return None
        places = set(known)
        while len(places) > 1:
            deepest = max(places, key=len)
            if not deepest:
                return None
            (*before, (fork, _flows)) = deepest
            together = {one for one in places if one and one[:-1] == tuple(before) and one[-1][0] == fork}
            if len(together) < 2:
                return None
            flows = frozenset(number for one in together for number in one[-1][1])
            is_whole = len(flows) == len(getattr(self._scope.task_specs[fork], "flows", ()))
            places = (places - together) | {tuple(before) if is_whole else (*before, (fork, flows))}
        return places.pop()


def _closure(edges: Mapping[str, Iterable[str]], *first: str) -> set[str]:
    found, todo = set(first), list(first)
    while todo:
        for after in edges.get(todo.pop(), ()):
            if after not in found:
                found.add(after)
                todo.append(after)
    return found


def _onward(ways: Mapping[str, list[Edge]], starts: list[str]) -> dict[str, tuple[str, ...]]:
    """Return by node the next ones; a way back to a node that the walk came over goes round a loop and is left out."""
    found: dict[str, tuple[str, ...]] = {}
    for start in starts:
        on_path = {start: list(dict.fromkeys(way.target for way in ways[start]))}
        found[start] = ()
        while on_path:
            name = next(reversed(on_path))
            if not on_path[name]:
                del on_path[name]
                continue
            after = on_path[name].pop(0)
            if after in on_path:
                continue
            if after not in found:
                found[after] = ()
                on_path[after] = list(dict.fromkeys(way.target for way in ways[after]))
            found[name] = (*found[name], after)
    return found
