"""Which tokens of a scope may wait at once, found by walking its drawing on every way without sending anything back.

What waits beside each other after a step was sent back, and never does on such a walk, is an orphan: a token that
should have ended with the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from tests.prove.random_drawings import Drawing
from tests.prove.token_game import Game, Scope, scopes

MOST = 1_500
"""Markings looked at; of a scope with more nothing is said."""
Marking = frozenset[str]
"""Flows with a token on them, and activities and events that last."""


class Together:
    """What may wait at once, for one drawing."""

    def __init__(self, game: Game, drawing: Drawing) -> None:
        self._game, self._drawing = game, drawing
        self._known: dict[str, set[frozenset[str]] | None] = {}
        self._reminded: dict[str, frozenset[str]] = {}

    def orphans(self, root: Scope) -> list[tuple[str, str]]:
        """Return the pairs that wait in one scope and never do without sending back."""
        return [pair for _way, scope in scopes(root) for pair in self._orphans(scope)]

    def _orphans(self, scope: Scope) -> Iterator[tuple[str, str]]:
        standing = [one.node for one in scope.lasting if not self._drawing.nodes[one.node].is_handler]
        standing += scope.tokens.elements()
        if len(standing) < 2:
            return
        if scope.node not in self._known:
            self._known[scope.node] = self._explored(scope.node)
        known = self._known[scope.node]
        for one, other in combinations(standing, 2):
            beside = any(one in behind and other in behind for behind in self._reminded.values())
            if known is not None and not beside and frozenset({one, other}) not in known:
                yield one, other

    def _explored(self, scope: str) -> set[frozenset[str]] | None:
        """Return the pairs; None where there are too many ways, or where two tokens may wait at one place."""
        nodes = [node for node in self._drawing.nodes.values() if node.scope == scope and not node.is_handler]
        for node in nodes:
            if node.host and not node.interrupts:
                self._reminded[node.id] = frozenset(self._behind(node.id))
        start = next(node.id for node in nodes if node.kind == "startEvent")
        todo = [frozenset(flow.id for flow in self._game.out[start])]
        seen, pairs = set[Marking](), set[frozenset[str]]()
        while todo:
            marking = todo.pop()
            if marking in seen:
                continue
            seen.add(marking)
            if len(seen) > MOST:
                return None
            try:
                following = self._automatic(marking)
                if following is None:
                    pairs.update(frozenset(pair) for pair in combinations(marking, 2))
                    following = self._by_others(marking)
                todo.extend(following)
            except _TwoAtOnce:
                return None
        return pairs

    def _behind(self, node: str) -> set[str]:
        """Return the nodes and flows to which a token comes from here."""
        found, todo = set[str](), [node]
        while todo:
            at = todo.pop()
            for source in (at, *(event.id for event in self._game.borders.get(at, ()))):
                for flow in self._game.out[source]:
                    found.add(flow.id)
                    if flow.target not in found:
                        found.add(flow.target)
                        todo.append(flow.target)
        return found

    def _automatic(self, marking: Marking) -> list[Marking] | None:
        """Return what may come of it when a token goes on that waits for nobody; None where all wait."""
        ready = None
        for name in sorted(marking & self._drawing.flows.keys()):
            node = self._drawing.nodes[self._drawing.flows[name].target]
            into = frozenset(flow.id for flow in self._game.into[node.id])
            if node.kind == "parallelGateway":
                if into <= marking:
                    ready = ready or (node, into)
            elif node.kind == "inclusiveGateway":
                if self._nobody_comes(marking, node.id, into):
                    ready = ready or (node, into)
            else:
                ready = (node, frozenset({name}))
                break
        if ready is None:
            return None
        node, used = ready
        left, out = marking - used, self._game.out[node.id]
        match node.kind:
            case "endEvent":
                over = {"": [left], "terminate": [frozenset[str]()]}
                return over.get(node.trigger, [left, frozenset()])  # an error that nobody catches ends its path alone
            case "exclusiveGateway":
                return [_put(left, {flow.id}) for flow in out]
            case "inclusiveGateway":
                every = [flow.id for flow in out]  # the default flow beside others too: so it counts behind a join
                several = [{*some} for size in range(1, len(out) + 1) for some in combinations(every, size)]
                return [_put(left, some) for some in several]
            case "parallelGateway" | "task":
                return [_put(left, {flow.id for flow in out})]
        return [_put(left, {node.id})]

    def _nobody_comes(self, marking: Marking, gateway: str, into: frozenset[str]) -> bool:
        taken = marking & into
        for one in marking - into:
            ways = [one] if one in self._drawing.flows else [flow.id for flow in self._game.out[one]]
            found = frozenset[str]().union(*(self._game.reach(way, gateway) for way in ways))
            events = [flow.id for event in self._game.borders.get(one, ()) for flow in self._game.out[event.id]]
            for more in (found, *(self._game.reach(way, gateway) for way in events)):
                if more - taken and not more & taken:
                    return False
        return True

    def _by_others(self, marking: Marking) -> Iterator[Marking]:
        for one in marking - self._drawing.flows.keys():
            yield _put(marking - {one}, {flow.id for flow in self._game.out[one]})
            for event in self._game.borders.get(one, ()):
                out = {flow.id for flow in self._game.out[event.id]}
                if event.interrupts:
                    yield _put(marking - {one}, out)
                elif not marking & self._reminded[event.id]:
                    yield _put(marking, out)


class _TwoAtOnce(Exception):
    """Two tokens may wait at one place."""


def _put(marking: Marking, more: set[str]) -> Marking:
    if marking & more:
        raise _TwoAtOnce
    return marking | more
