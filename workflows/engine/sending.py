"""Sending a token back to an earlier user task: where it may go, what ends, and how it is put there.

What the target lies before ends: the branches beside the source that are joined behind the target, tokens that stand at
their join, the other loop instances, the sub-process around the source, boundary events and their paths. What lies in a
branch beside the target stays. Where a drawing is not structured, only a target outside of all branches is taken, and
every token of its scope ends, so that no join is left that waits in vain.
"""

# mypy: disable-error-code="import-untyped"

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from SpiffWorkflow.util.task import TaskState

from workflows.engine import branches, moves, visits
from workflows.engine.branches import Branches, Place, beside, comes_out_by
from workflows.engine.errors import NotMovable
from workflows.engine.instance import Instance
from workflows.engine.model import Specification
from workflows.engine.multi_instance import MultiInstance, loop_instance
from workflows.engine.specs import ARRIVED, BoundaryEvent, ParallelGateway, SubProcess, UserTask


@dataclass(frozen=True)
class Target:
    """A user task to which a token may be sent back.

    `walks` says that it may walk again from there; then the tasks `ends` end besides its own. `returns` says that it
    may come straight back. `loop_instance` is the one in which the step is done, where it lies in a loop.
    """

    node: str
    loop_instance: str
    walks: bool
    returns: bool
    ends: tuple[str, ...]


def targets(spec: Specification, instance: Instance, task: Any, among: Collection[str]) -> list[Target]:
    """Return those of the user tasks that lie before the one at which the token is asked for, in their order."""
    found, plan = [], _Plan(spec, instance, task)
    for name in among:
        if name in (visits.node_of(task), task.task_spec.bpmn_id):
            continue
        if (way := plan.way_to(name)) is not None and (way.is_enterable or way.is_visitable):
            ends = tuple(plan.people_in(way)) if way.is_enterable else ()
            inside = loop_instance(way.scope.task_tree)
            found.append(Target(name, inside, way.is_enterable, way.is_visitable, ends))
    return found


def walk_again(spec: Specification, instance: Instance, task: Any, to: str, holder: str) -> None:
    """Take the token away with all that lies behind the target, and put it there. Raises NotMovable."""
    plan = _Plan(spec, instance, task)
    way = plan.way_to(to)
    if way is None or not way.is_enterable:
        raise NotMovable("back")
    over = list(plan.ending(way))
    staying = [plan.place_in(way.scope, one) for one in _tokens(way.scope) if one not in over]
    # Before the old ones go: a scope without a token would be over.
    token = _put(way.scope, way.steps[0])
    for one in over:
        if ARRIVED in one.internal_data:
            del one.internal_data[ARRIVED]
        moves.base(one).cancel()
    scope = _enter(way.scope, token, way.steps[0], staying, holder)
    for inner in way.steps[1:]:
        first = [one for one in scope.tasks.values() if one.has_state(TaskState.NOT_FINISHED_MASK)]
        token = _put(scope, inner)
        for one in first:
            one.cancel()
        scope = _enter(scope, token, inner, [], holder)
    way.scope.update_waiting_tasks()


def come_straight_back(
    spec: Specification, instance: Instance, task: Any, to: str, holder: str, returns_to: str
) -> None:
    """Let the token visit the target and leave everything else as it is. Raises NotMovable."""
    way = _Plan(spec, instance, task).way_to(to)
    if way is None or not way.is_visitable:
        raise NotMovable("back")
    visits.begin(task, to, holder, returns_to)


@dataclass(frozen=True)
class _Way:
    """How a token comes to a target: the scope that stays, and the elements to enter, the last one the target."""

    scope: Any
    steps: tuple[Any, ...]
    is_enterable: bool
    is_visitable: bool


class _Plan:
    """What sending back one token means, asked for several targets."""

    def __init__(self, spec: Specification, instance: Instance, task: Any) -> None:
        self._spec, self._instance, self._task = spec, instance, task
        self._kept: dict[str, Branches] = {}
        self._earlier: dict[str, set[str]] = {}

    @cached_property
    def _around(self) -> dict[str, tuple[Any, Any]]:
        """The specification of the scope around each sub-process, and its element there, by sub-process."""
        found = {}
        for scope in (self._spec.process, *self._spec.subprocesses.values()):
            for node in scope.task_specs.values():
                inner = getattr(node, "each", node)
                if isinstance(inner, SubProcess) and not node.name.endswith("/each"):
                    found[inner.spec] = (scope, node)
        return found

    @cached_property
    def _running(self) -> list[Any]:
        """The running scopes around the source, the process first."""
        scopes = [self._task.workflow]
        while scopes[0] is not self._instance:
            scopes.insert(0, self._instance.get_task_from_id(scopes[0].parent_task_id).workflow)
        return scopes

    @cached_property
    def _homes(self) -> dict[str, tuple[Any, Any]]:
        """By user task the specification of its scope and its node there."""
        return {
            node.bpmn_id: (scope, node)
            for scope in (self._spec.process, *self._spec.subprocesses.values())
            for node in scope.task_specs.values()
            if isinstance(getattr(node, "each", node), UserTask) and not node.name.endswith("/each")
        }

    def _branches(self, scope: Any) -> Branches:
        if scope.name not in self._kept:
            self._kept[scope.name] = branches.branches(scope)
        return self._kept[scope.name]

    def _before(self, scope: Any, name: str) -> set[str]:
        """Return the nodes of a running scope that lie before the one in which the source is."""
        if scope.spec.name not in self._earlier:
            self._earlier[scope.spec.name] = self._branches(scope.spec).before(name)
        return self._earlier[scope.spec.name]

    def way_to(self, name: str) -> _Way | None:
        """Return how the token comes to a user task; None where that does not lie before it."""
        if name not in self._homes:
            return None
        home, node = self._homes[name]
        chain = [(home, node)]
        while chain[0][0].name in self._around:
            chain.insert(0, self._around[chain[0][0].name])
        depth = 0
        while depth + 1 < min(len(chain), len(self._running)) and (
            chain[depth + 1][0] is self._running[depth + 1].spec
        ):
            depth += 1
        scope, steps = self._running[depth], tuple(step for _scope, step in chain[depth:])
        source = self.source_in(scope)
        first, last = steps[0].name, source.task_spec.name
        if first == last or first not in self._before(scope, last):
            return None
        through_loops = any(isinstance(step, MultiInstance) for step in steps[:-1])
        is_enterable = not through_loops and self._is_enterable(scope, source, steps)
        return _Way(scope, steps, is_enterable, not through_loops and not isinstance(steps[-1], MultiInstance))

    def source_in(self, scope: Any) -> Any:
        """Return the task of the element in this scope in which the source lies."""
        task = self._task
        while task.workflow is not scope:
            task = self._instance.get_task_from_id(task.workflow.parent_task_id)
        return task.parent if isinstance(task.parent.task_spec, MultiInstance) else task

    def place_in(self, scope: Any, task: Any) -> Place | None:
        """Return where a task of a running scope stands; a token at a join stands at the end of its branch."""
        known = self._branches(scope.spec)
        if ARRIVED in task.internal_data:
            return known.arrivals.get(task.task_spec.name, {}).get(task.internal_data[ARRIVED])
        return known.places.get(task.task_spec.name)

    def _is_enterable(self, scope: Any, source: Any, steps: tuple[Any, ...]) -> bool:
        known = self._branches(scope.spec)
        there, here = known.places.get(steps[0].name), self.place_in(scope, source)
        if there is None:
            return False
        standing = list(_tokens(scope))
        if there:
            if here is None or beside(there, here) or any(self.place_in(scope, one) is None for one in standing):
                return False
            # A branch that begins with a non-interrupting event is entered by its event alone.
            shared = {fork for fork, _flows in here}
            if any(fork not in shared and isinstance(scope.spec.task_specs[fork], BoundaryEvent) for fork, _ in there):
                return False
        if len(steps) > 1 and any(one.task_spec is steps[0] for one in standing if one is not source):
            return False  # that sub-process runs beside the source
        if not _joins_are_known(scope.spec, known, there):
            return False
        for outer, inner in pairwise(steps):
            below = self._spec.subprocesses[outer.spec]
            place = self._branches(below).places.get(inner.name)
            if place is None or any(isinstance(below.task_specs[fork], BoundaryEvent) for fork, _flows in place):
                return False
            if not _joins_are_known(below, self._branches(below), place):
                return False
        return True

    def ending(self, way: _Way) -> Iterator[Any]:
        """Yield the tokens of the scope that end when the source goes this way, itself included."""
        known, source = self._branches(way.scope.spec), self.source_in(way.scope)
        there, walked = known.places[way.steps[0].name] or (), known.behind(way.steps[0].name)
        for token in _tokens(way.scope):
            place = self.place_in(way.scope, token)
            if (
                token is source
                or place is None
                or not (beside(place, there) or _is_apart(way.scope.spec, place, there, walked))
            ):
                yield token

    def people_in(self, way: _Way) -> Iterator[str]:
        """Yield the ids of the open user tasks that end when the source goes this way, without its own."""
        over = {one.id for one in self.ending(way)}
        for scope in self._instance.scopes():
            for task in scope.tasks.values():
                if task is self._task or task.state != TaskState.READY or not task.task_spec.manual:
                    continue
                if over & set(self._line(task)):
                    yield task.id.hex

    def _line(self, task: Any) -> Iterator[Any]:
        """Yield the ids of a task and of the activities around it."""
        while True:
            yield task.id
            if isinstance(task.parent.task_spec, MultiInstance):
                yield task.parent.id
            if task.workflow is self._instance:
                return
            task = self._instance.get_task_from_id(task.workflow.parent_task_id)


def _is_apart(scope: Any, place: Place, there: Place, walked: Set[str]) -> bool:
    """Return whether a token runs behind a non-interrupting event of an activity that is not walked again."""
    shared = {fork for fork, _flows in there}
    forks = [scope.task_specs[fork] for fork, _flows in place if fork not in shared]
    return any(isinstance(one, BoundaryEvent) and _host_of(one) not in walked for one in forks)


def _host_of(event: Any) -> str:
    return next((one.name for one in event.inputs[0].outputs if not isinstance(one, BoundaryEvent)), "")


def _tokens(scope: Any) -> Iterator[Any]:
    """Yield the tasks that stand for the tokens of a scope: neither boundary events nor loop instances."""
    for task in scope.tasks.values():
        if task.task_spec.bpmn_id is None or isinstance(task.task_spec, BoundaryEvent):
            continue
        if task.parent is not None and isinstance(task.parent.task_spec, MultiInstance) and task.triggered:
            continue
        if task.has_state(TaskState.NOT_FINISHED_MASK) or ARRIVED in task.internal_data:
            yield task


def _joins_ahead(scope: Any, known: Branches) -> Iterator[tuple[Any, Mapping[str, Place | None]]]:
    """Yield the parallel joins of a scope with the places of what comes to them, by source."""
    for join, coming in known.arrivals.items():
        if isinstance(scope.task_specs[join], ParallelGateway):
            yield scope.task_specs[join], coming


def _joins_are_known(scope: Any, known: Branches, place: Place) -> bool:
    """Return whether a token at the place comes to each join by one way, and it is known what comes to the others."""
    if not place:
        return True
    for _join, coming in _joins_ahead(scope, known):
        if None in coming.values():
            return False
        if sum(comes_out_by(place, way) for way in coming.values() if way is not None) > 1:
            return False
    return True


def _put(scope: Any, node: Any) -> Any:
    """Add a token at an element, which does not begin yet."""
    first = moves.entry(node)
    token = scope.task_tree._add_child(first, TaskState.FUTURE)
    first._predict(token, mask=TaskState.FUTURE)
    return token


def _enter(scope: Any, token: Any, node: Any, staying: Sequence[Place | None], holder: str) -> Any:
    """Begin the element of the token, and return the scope that began with it, where it is a sub-process.

    Branches beside the element in which no token stays, by their places, have come to their join already.
    """
    known = branches.branches(scope.spec)
    place = known.places[node.name] or ()
    for join, coming in _joins_ahead(scope.spec, known):
        ways: Mapping[str, Place] = {source: way for source, way in coming.items() if way is not None}
        if not any(comes_out_by(place, way) for way in ways.values()):
            continue
        for source, way in ways.items():
            if beside(way, place) and not any(_comes_by(scope.spec, one, way) for one in staying if one is not None):
                _arrive(scope, join, source)
    activity = next((one for one in token.children if one.task_spec is node), token)
    if holder and isinstance(node, UserTask):
        activity.internal_data[visits.HOLDER] = holder
    token.task_spec._update(token)
    if not isinstance(node, SubProcess):
        return scope
    if token is not activity:
        token.run()  # the internal node before it, with which its boundary events begin
    return scope.top_workflow.subprocesses[activity.id]


def _comes_by(scope: Any, place: Place, way: Place) -> bool:
    """Return whether a token at the place comes to a join over this way; one behind a reminder does not."""
    inside = [scope.task_specs[fork] for fork, _flows in place[len(way) :]]
    return comes_out_by(place, way) and not any(isinstance(one, BoundaryEvent) for one in inside)


def _arrive(scope: Any, join: Any, source: str) -> None:
    """Note at a join that the token of a flow has come; one that is there already is not doubled."""
    if any(one.task_spec is join and one.internal_data.get(ARRIVED) == source for one in scope.tasks.values()):
        return
    arrival = scope.task_tree._add_child(join, TaskState.FUTURE)
    arrival.internal_data[ARRIVED] = source
    arrival._set_state(TaskState.CANCELLED)  # it counts, and nothing waits for it
