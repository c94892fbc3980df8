"""Where a token may be put by hand: static answers, from the parsed model alone; `run.move` does it.

A move stays inside its scope, which is the process or a sub-process. It leads neither into a part between a fork and
its join, where the join would wait in vain, nor onto the path of a non-interrupting event, beside the main one.
"""

# mypy: disable-error-code="import-untyped"

from collections import deque
from collections.abc import Collection, Iterator
from typing import Any

from SpiffWorkflow.bpmn.specs.control import BoundaryEventSplit

from workflows.engine.model import Specification
from workflows.engine.multi_instance import MultiInstance
from workflows.engine.specs import (
    BoundaryEvent,
    EndEvent,
    InclusiveGateway,
    IntermediateCatchEvent,
    ParallelGateway,
    ServiceTask,
    StartEvent,
    SubProcess,
    ThrowEvent,
    UserTask,
)

_TARGETS = (UserTask, ServiceTask, IntermediateCatchEvent, ThrowEvent, SubProcess, EndEvent)
_WAITING = {"userTask", "receiveTask", "intermediateCatchEvent"}
_FORKS = (ParallelGateway, InclusiveGateway)
_DEEPEST = 20
END = "/end"
"""Behind a sub-process's id: the place where a way leaves it. No id has this sign."""


def outside(scope: Any) -> dict[str, Any]:
    """Return by element id the nodes of a scope where its only token may be put."""
    depths: dict[str, set[int]] = {}
    todo = deque((node.name, 0) for node in scope.task_specs.values() if isinstance(node, StartEvent))
    while todo:
        name, depth = todo.popleft()
        if depth in depths.setdefault(name, set()):
            continue
        depths[name].add(depth)
        node = scope.task_specs[name]
        if isinstance(node, _FORKS):
            depth += (len(node.flows) > 1) - (_incoming(scope, node) > 1)
        todo.extend((after, min(max(depth, 0), _DEEPEST)) for after in _after(scope, node))
    found = {}
    for name, several in depths.items():
        node = scope.task_specs[name]
        if several == {0} and isinstance(node, _TARGETS) and not isinstance(node, BoundaryEvent | MultiInstance):
            found[node.bpmn_id] = node
    return found


def entry(node: Any) -> Any:
    """Return where a token that comes to the element begins: with its boundary events, where it has any."""
    return next((before for before in node.inputs if isinstance(before, BoundaryEventSplit)), node)


def base(task: Any) -> Any:
    """Return the task that is cancelled with what belongs to it: the internal one around boundary events."""
    return task.parent if isinstance(task.parent.task_spec, BoundaryEventSplit) else task


def obstacles(spec: Specification, source: str, target: str, among: Collection[str]) -> list[str] | None:
    """Return the elements of `among` on the way from `source`, itself included, to `target` that has the fewest.

    None where no way leads there.
    """
    edges: dict[str, list[str]] = {}
    for scope in (spec.process, *spec.subprocesses.values()):
        for before, after in _edges(spec, scope):
            edges.setdefault(before, []).append(after)
    best: dict[str, list[str]] = {source: [source] if source in among else []}
    todo = deque([source])
    while todo:
        place = todo.popleft()
        for after in edges.get(place, ()):
            met = best[place] if after == target or after not in among else [*best[place], after]
            if after not in best or len(met) < len(best[after]):
                best[after] = met
                if after != target:
                    todo.append(after)
    return best.get(target)


def calls_ahead(spec: Specification, node: str) -> frozenset[str]:
    """Return the operations that a token at this element may call, there or later, before it waits again."""
    edges: dict[str, list[str]] = {}
    for scope in (spec.process, *spec.subprocesses.values()):
        for before, after in _edges(spec, scope):
            edges.setdefault(before, []).append(after)
    found, seen, todo = set(), {node}, [node]
    while todo:
        place = todo.pop()
        drawn = spec.nodes.get(place)
        if drawn is not None and drawn.kind in _WAITING:
            continue
        if drawn is not None and (operation := drawn.extensions.get("operation")):
            found.add(operation)
        following = [one for one in edges.get(place, ()) if one not in seen]
        seen.update(following)
        todo += following
    return frozenset(found)


def _incoming(scope: Any, node: Any) -> int:
    return sum(flow.target == node.name for other in scope.task_specs.values() for flow in getattr(other, "flows", ()))


def _after(scope: Any, node: Any) -> Iterator[str]:
    """Yield the names of the nodes that a token may come to next; events that interrupt the node are among them."""
    for flow in node.flows:
        target = scope.task_specs[flow.target]
        yield next((one.name for one in _main(target)), target.name)
    around = entry(node)
    if around is not node:
        yield from (one.name for one in around.outputs if isinstance(one, BoundaryEvent) and one.cancel_activity)


def _main(node: Any) -> list[Any]:
    """Return the activity behind the internal node before it."""
    outputs = node.outputs if isinstance(node, BoundaryEventSplit) else []
    return [one for one in outputs if not isinstance(one, BoundaryEvent)]


def _edges(spec: Specification, scope: Any) -> Iterator[tuple[str, str]]:
    activities = {node.bpmn_id: getattr(node, "each", node) for node in scope.task_specs.values()}
    inner = {name for name, node in activities.items() if isinstance(node, SubProcess)}
    for node in scope.task_specs.values():
        if node.bpmn_id is None:
            continue
        events = set(map(id, _interrupting(node)))
        for name in _after(scope, node):
            after = scope.task_specs[name]
            # What interrupts an activity may come while it lasts, and its flows when it is over.
            begins = id(after) in events or node.bpmn_id not in inner
            yield node.bpmn_id if begins else node.bpmn_id + END, after.bpmn_id
        if node.bpmn_id in inner:
            below = spec.subprocesses[activities[node.bpmn_id].spec]
            for one in below.task_specs.values():
                if isinstance(one, StartEvent):
                    yield node.bpmn_id, one.bpmn_id
                elif isinstance(one, EndEvent):
                    yield one.bpmn_id, node.bpmn_id + END


def _interrupting(node: Any) -> list[Any]:
    around = entry(node)
    return [] if around is node else [one for one in around.outputs if isinstance(one, BoundaryEvent)]
