"""Takes a process instance from one waiting point to the next.

Each function reads the stored state, does one thing, runs every node that waits for nobody, drops finished history and
returns the next state. The caller owns the transaction: when a function here raises, the caller stores nothing of the
step. Where a node fails behind the act, or nothing can move any more, the step is taken and tells its `faults`; only a
start is refused.
"""

# mypy: disable-error-code="import-untyped"

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from SpiffWorkflow.bpmn.specs.control import BoundaryEventJoin
from SpiffWorkflow.bpmn.specs.mixins.events.event_types import CatchingEvent
from SpiffWorkflow.bpmn.util.event import BpmnEvent
from SpiffWorkflow.util.task import TaskState

from workflows.engine import effort, faults, loop_acts, moves, sending, visits
from workflows.engine.codec import decode, encode
from workflows.engine.compact import compact
from workflows.engine.errors import (
    EngineError,
    ExpressionError,
    LimitReached,
    NobodyWaits,
    NotMovable,
    OutcomeUnknown,
    ScriptError,
    TaskNotOpen,
)
from workflows.engine.instance import Instance
from workflows.engine.loop_acts import Added, LoopInstances
from workflows.engine.model import Host, OpenCall, OpenCatch, OpenTask, OpenTimer, SentBack, Specification, Step
from workflows.engine.multi_instance import MultiInstance, activity_of, loop_instance, note_of
from workflows.engine.repetitions import rest_of
from workflows.engine.specs import (
    ARRIVED,
    FAILED,
    BoundaryEvent,
    ConditionalEvent,
    EndEvent,
    ErrorEvent,
    IntermediateCatchEvent,
    MessageEvent,
    ServiceTask,
    Throwing,
    TimerEvent,
    mark_failed,
)

MAX_STEPS = 2_500  # nodes run in one step
MAX_TASKS = 2_000  # tokens alive at once
_OUTCOME = {"outcome"}
"""What the data of a task outside of loops and called processes may hold."""
_A_NODE = 50  # units of work that a node takes, beside what is looked at for it


def start(spec: Specification, data: Mapping[str, Any], host: Host, at: str = "") -> Step:
    """Start an instance and run it until it waits. `data` holds its process data, besides 'form' and 'outcome'.

    It starts at the start event `at`; '' stands for the one of people.
    """
    instance = Instance(spec, host)
    for begin in list(instance.task_tree.children):
        if begin.task_spec.bpmn_id != (at or spec.first):
            instance._remove_task(begin.id)
    instance.data = {"form": {}, **data}
    instance.task_tree.data = {"outcome": instance.data.pop("outcome", None)}
    return sound(_go(instance))


def sound(step: Step) -> Step:
    """Return the step. Raises its first fault as an error, for who takes no step that has one."""
    if step.faults:
        raise faults.error_of(step.faults[0])
    return step


def retry(spec: Specification, state: bytes, host: Host) -> Step:
    """Run on from the nodes that have failed; where nothing has, and nothing moves, the step has its faults again."""
    instance = decode(spec, state, host)
    with effort.bounded(effort.MAX_STEPPED):
        faults.try_again(_tasks(instance))
    return _go(instance)


def complete(
    spec: Specification, state: bytes, task: str, outcome: str, form: Mapping[str, Any], host: Host,
    ends: Collection[str] = (),
) -> Step:  # fmt: skip
    """Complete a user task with its outcome and run on; `form` is merged into the process data under 'form'.

    An outcome of `ends` ends the instance at once, as `cancel` does, and no node behind the task runs. In a
    multi-instance task the outcome that the loop instances decide together counts, not that of one of them. A task
    that the token only visits brings it back to where it came from, whatever the outcome.

    Raises TaskNotOpen unless this very task waits now, and OutcomeUnknown when its node declares outcomes without this
    one (a gateway would send the token over its default flow).
    """
    instance = decode(spec, state, host)
    found = _find(instance, task)
    if found is None or found.state != TaskState.READY or not found.task_spec.manual:
        raise TaskNotOpen(task)
    node = spec.nodes[visits.node_of(found)]
    declared = [name.strip() for name in node.extensions.get("outcomes", "").split(",") if name.strip()]
    if declared and outcome not in declared:
        raise OutcomeUnknown(node.id, outcome)
    if visits.is_away(found):
        instance.data["form"] = {**instance.data["form"], **form}
        visits.end(found)
        instance.passed.append(node.id)
        return _go(instance)
    if outcome in ends and not node.is_multi_instance:
        return replace(cancel(spec, state), ended_by=outcome)
    instance.data["form"] = {**instance.data["form"], **form}
    found.data["outcome"] = outcome
    _run(instance, found)
    return _left(instance, spec, state, node.id, ends)


def _left(instance: Instance, spec: Specification, state: bytes, node: str, ends: Collection[str]) -> Step:
    """Run on; where a multi-instance task was left with an outcome of `ends`, end the instance as it was before."""
    decided = instance.decided.get(node)
    if decided is not None and decided in ends:
        return replace(cancel(spec, state), ended_by=decided)
    return _go(instance)


def send(spec: Specification, state: bytes, message: str, host: Host, only: Collection[str] | None = None) -> Step:
    """Deliver a message to all events of the instance that wait for its name, or to the tasks of `only` among them.

    Raises NobodyWaits when no event waits for it.
    """
    instance = decode(spec, state, host)
    waiting = [
        task
        for task in _waiting(instance, MessageEvent)
        if _name_of(task) == message and (only is None or task.id.hex in only)
    ]
    if not waiting:
        raise NobodyWaits(message)
    for task in waiting:
        if task.state == TaskState.WAITING:  # unless the one before it has ended it
            _catch(task)
    return _go(instance)


def fire(spec: Specification, state: bytes, timer_task: str, host: Host) -> Step:
    """Fire a timer and run on. Raises TaskNotOpen unless this very timer waits now."""
    instance = decode(spec, state, host)
    task = _find(instance, timer_task)
    if task is None or task not in _waiting(instance, TimerEvent):
        raise TaskNotOpen(timer_task)
    _catch(task)
    return _go(instance)


def skip(spec: Specification, state: bytes, node: str, outcome: str, host: Host) -> Step:
    """Leave the user task, event or operation at which a token waits as if it were done, with this outcome, and run on.

    Raises NotMovable unless exactly one token waits there outside of multi-instance activities, and OutcomeUnknown.
    """
    task = _token(decode(spec, state, host), node)
    if task.task_spec.manual:
        return complete(spec, state, task.id.hex, outcome, {}, host)
    if not _is_skipped(task):
        raise NotMovable("passed")
    task.internal_data.pop(FAILED, None)
    if isinstance(task.task_spec, ServiceTask):
        leave(task)
    else:
        _catch(task)
    return _go(task.workflow.top_workflow)


def _is_skipped(task: Any) -> bool:
    is_asked = isinstance(task.task_spec, ServiceTask) and task.state == TaskState.STARTED
    return bool(task.task_spec.manual) or isinstance(task.task_spec, IntermediateCatchEvent) or is_asked


def by_hand(spec: Specification, state: bytes) -> dict[str, tuple[bool, tuple[str, ...]]]:
    """Return, by element at which tokens wait, whether `skip` takes them, and where `move` puts them."""
    instance = decode(spec, state, None)
    found = {}
    for node in _standing(instance):
        try:
            task = _token(instance, node)
        except NotMovable:
            continue
        try:
            places = tuple(_destinations(task))
        except NotMovable:
            places = ()
        found[node] = (_is_skipped(task), places)
    return found


def move(spec: Specification, state: bytes, node: str, to: str, host: Host) -> Step:
    """Take the token away from the element at which it waits, put it on another element, and run on.

    That is a user task, an event, a node that has failed, or a join, all of whose tokens become one. What the element
    had open is cancelled, its boundary events too. Raises NotMovable with the reason.
    """
    instance = decode(spec, state, host)
    task = _token(instance, node)
    if to not in (found := _destinations(task)):
        raise NotMovable("away")
    begin = moves.entry(found[to])
    # Before the old one goes: a scope without a token would be over.
    token = task.workflow.task_tree._add_child(begin, TaskState.FUTURE)
    begin._predict(token, mask=TaskState.FUTURE)
    for join in _at_join(task):
        join.internal_data.pop(ARRIVED, None)
        join.cancel()
    moves.base(task).cancel()
    begin._update(token)
    task.workflow.update_waiting_tasks()  # a join may have waited for the token
    return _go(instance)


def _token(instance: Instance, node: str) -> Any:
    """Return the task of the only token that waits at this element; of a join, whose tokens are one, any of them."""
    at_node = [task for task in _tasks(instance) if visits.node_of(task) == node]
    found = [
        task
        for task in at_node
        if (task.state == TaskState.READY and task.task_spec.manual)
        or (task.state == TaskState.WAITING and isinstance(task.task_spec, IntermediateCatchEvent))
        or (task.state == TaskState.STARTED and isinstance(task.task_spec, ServiceTask))
    ]
    if any(loop_instance(task) for task in found):
        raise NotMovable("loop")
    if not found:
        found = [task for task in at_node if faults.has_failed(task) and not isinstance(task.task_spec, BoundaryEvent)]
        if any(isinstance(task.parent.task_spec, MultiInstance) for task in found):
            raise NotMovable("loop")
        found += list({id(task.workflow): task for task in at_node if ARRIVED in task.internal_data}.values())
    if len(found) != 1:
        raise NotMovable("nowhere" if not found else "several")
    return found[0]


def _at_join(task: Any) -> list[Any]:
    """Return the tasks of all tokens that stand at the same join, none where the task is no join's."""
    tasks = task.workflow.tasks.values() if ARRIVED in task.internal_data else ()
    return [one for one in tasks if one.task_spec is task.task_spec and ARRIVED in one.internal_data]


def _destinations(task: Any) -> dict[str, Any]:
    base, is_at_join = moves.base(task), ARRIVED in task.internal_data
    beside = [
        other
        for other in task.workflow.tasks.values()
        if other is not task
        and other.task_spec.bpmn_id is not None
        and not (other.parent is base and isinstance(other.task_spec, BoundaryEvent))
        and (other.has_state(TaskState.NOT_FINISHED_MASK) or ARRIVED in other.internal_data)
        # Where all tokens stand at joins, each may be taken from there.
        and not (is_at_join and ARRIVED in other.internal_data)
    ]
    if beside:
        raise NotMovable("beside")
    return {name: spec for name, spec in moves.outside(task.workflow.spec).items() if spec is not task.task_spec}


def earlier(spec: Specification, state: bytes, task: str, among: Collection[str]) -> tuple[sending.Target, ...]:
    """Return those of the user tasks to which `send_back` takes the token of an open one; `among` have been passed."""
    instance = decode(spec, state, None)
    found = _find(instance, task)
    if found is None or found.state != TaskState.READY or not found.task_spec.manual:
        return ()
    return tuple(sending.targets(spec, instance, found, among))


def send_back(spec: Specification, state: bytes, task: str, to: str, host: Host, sent: SentBack) -> Step:
    """Send the token of a user task back to an earlier one, and run on.

    Raises TaskNotOpen unless this very task waits now, and NotMovable for what is no target of `earlier`.
    """
    instance = decode(spec, state, host)
    found = _find(instance, task)
    if found is None or found.state != TaskState.READY or not found.task_spec.manual:
        raise TaskNotOpen(task)
    if sent.comes_back:
        sending.come_straight_back(spec, instance, found, to, sent.holder, sent.returns_to)
    else:
        sending.walk_again(spec, instance, found, to, sent.holder)
    return _go(instance)


def loop_instances(spec: Specification, state: bytes, task: str) -> LoopInstances | None:
    """Return the loop instances beside this task, itself included; None where it does not wait in a countersign."""
    found = _find(decode(spec, state, None), task)
    return loop_acts.beside(found) if loop_acts.is_loop_instance(found) else None


def add_loop_instances(
    spec: Specification, state: bytes, task: str, added: Sequence[Added], host: Host, *, is_next: bool
) -> Step:
    """Add loop instances beside a task that waits: at once, or in a sequential loop as the next or the last ones.

    Raises TaskNotOpen and LoopNotChanged.
    """
    instance = decode(spec, state, host)
    loop_acts.add(_loop_instance(instance, task), added, is_next=is_next)
    return _go(instance)


def remove_loop_instance(
    spec: Specification, state: bytes, task: str, host: Host, ends: Collection[str] = (), to_come: int | None = None
) -> Step:
    """Remove the loop instance of a task that waits, or the one of this number that is to come after it.

    An outcome of `ends` ends the instance, see `complete`. Raises TaskNotOpen, and LoopNotChanged where nobody would be
    left or the votes do not tell the outcome.
    """
    instance = decode(spec, state, host)
    found = _loop_instance(instance, task)
    loop_acts.remove(found, to_come)
    return _left(instance, spec, state, found.task_spec.bpmn_id, ends)


def _loop_instance(instance: Instance, task: str) -> Any:
    found = _find(instance, task)
    if not loop_acts.is_loop_instance(found):
        raise TaskNotOpen(task)
    return found


def cancel(spec: Specification, state: bytes) -> Step:
    """End an instance where it stands: every open task and event is cancelled, and no node runs."""
    instance = decode(spec, state, None)
    if not _completed(instance):
        instance.cancel()
    return _closed(instance)


def look(spec: Specification, state: bytes) -> Step:
    """Return what waits now, without a step; the state stays as it was given."""
    return _describe(decode(spec, state, None), state)


def tokens(spec: Specification, state: bytes) -> dict[str, int]:
    """Return the number of tokens at each node, by node id; tokens that wait at a join count.

    A token in a sub-process counts at its node there, and not at the sub-process as well. A boundary event holds no
    token. In a multi-instance activity each loop instance that waits counts.
    """
    return dict(_standing(decode(spec, state, None)))


def _standing(instance: Instance) -> Counter[str]:
    standing = [task for task in _tasks(instance) if faults.stands(task) and task.task_spec.bpmn_id is not None]
    return Counter(visits.node_of(task) for task in standing)


def _go(instance: Instance) -> Step:
    """Run every node that waits for nobody, inner scopes first, within the limits, and return the step."""
    with effort.bounded(effort.MAX_STEPPED):
        return _run_on(instance)


def _run_on(instance: Instance) -> Step:
    steps, counted = 0, 2 * MAX_TASKS
    while ready := _ready(instance):
        for task in ready:
            if task.state != TaskState.READY:
                continue  # ended by an event that ran before it in this very pass
            steps += 1
            if steps > MAX_STEPS:
                raise LimitReached("steps", MAX_STEPS)
            _run(instance, task)
            # Asked in between too, where a pass over 200 loop instances may make 200 of each. Twice as many may be
            # alive there: some are over by the end of the pass.
            if (every := _size(instance)) > counted:
                _check_alive(instance, 2 * MAX_TASKS)
                counted = every + MAX_TASKS
        _check_alive(instance, MAX_TASKS)
    return _closed(instance)


def _size(instance: Instance) -> int:
    scopes = instance.scopes()
    effort.spend(len(scopes))
    return sum(len(scope.tasks) for scope in scopes)


def _check_alive(instance: Instance, most: int) -> None:
    if sum(task.has_state(TaskState.NOT_FINISHED_MASK) for task in _tasks(instance)) > most:
        raise LimitReached("tasks", MAX_TASKS)


def _ready(instance: Instance) -> list[Any]:
    """Return the tasks that run by themselves; where there are none, first catch conditional events that happened."""
    found = _automatic(instance)
    if not found:
        for task in _waiting(instance, ConditionalEvent):
            if task.state == TaskState.WAITING and _has_happened(task):
                _catch(task)
        found = _automatic(instance)
    return found


def _has_happened(event: Any) -> bool:
    try:
        return bool(_definition(event).happened(event))
    except ExpressionError as failed:
        mark_failed(event, failed)
        return False


def _automatic(instance: Instance) -> list[Any]:
    return [
        task
        for task in _tasks(instance)
        if task.state == TaskState.READY and not task.task_spec.manual and FAILED not in task.internal_data
    ]


def _catch(event: Any) -> None:
    _wait_again(event)
    event.task_spec.catch(event, BpmnEvent(_definition(event)))
    event.task_spec._update(event)


def _catch_at_once(instance: Instance, event: Any) -> None:
    """Catch an event that the instance itself has thrown.

    A boundary event runs immediately, so that the activity it interrupts does not run on in the meantime.
    """
    if event.state == TaskState.WAITING:
        _catch(event)
        if isinstance(event.task_spec, BoundaryEvent):
            _run(instance, event)


def _wait_again(event: Any) -> None:
    """Let a boundary event wait for its next occurrence, in a new task beside the one that fires.

    A timer waits again while its repetition lasts, any other event where it is non-interrupting.
    """
    if not isinstance(event.task_spec, BoundaryEvent):
        return
    kept = {
        name: value for name, value in event.internal_data.items() if name in ("timer", "key", "name", "was", "held")
    }
    if isinstance(_definition(event), TimerEvent):
        kept["timer"] = rest_of(kept["timer"]) if _definition(event).kind == "cycle" else ""
        if not kept["timer"]:
            return
    elif event.task_spec.cancel_activity:
        return
    for earlier in event.parent.children:
        for child in earlier.children if earlier.task_spec is event.task_spec else ():
            if isinstance(child.task_spec, BoundaryEventJoin) and child.state == TaskState.WAITING:
                child.cancel()  # the end of the task is waited for once, however often its event came
    again = event.parent._add_child(event.task_spec, TaskState.WAITING)
    again._inherit_data()
    again.internal_data.update(kept)


def _run(instance: Instance, task: Any) -> None:
    node = task.task_spec
    effort.spend(_A_NODE)
    message = node.message if isinstance(node, Throwing) else None
    signal = message if message is not None and message.is_signal else None
    hearers: list[Any] = []
    try:
        if signal:  # looked up before the node runs: events behind it do not receive its signal
            name = signal.name_at(task)
            hearers = [event for event in _waiting(instance, MessageEvent) if _name_of(event) == name]
        task.run()
    except ExpressionError as failed:
        faults.hold_back(task, failed)
        return
    except EngineError as failed:
        failed.node = failed.node or node.bpmn_id or ""
        raise
    if task.state == TaskState.COMPLETED and node.bpmn_id is not None:  # internal nodes have none
        instance.passed.append(node.bpmn_id)
    if isinstance(node, BoundaryEvent) and node.cancel_activity:
        _interrupt(task)
    if isinstance(node, EndEvent) and node.reach:
        _terminate(instance, task)
    if isinstance(node, Throwing) and node.error is not None:
        _raise(instance, _around(instance, task), node.error)
    elif instance.raised is not None:
        error, of_operation, instance.raised, instance.failed = instance.raised, instance.failed, None, None
        if not _raise(instance, task, error):
            if of_operation is not None:
                raise of_operation.__cause__ or of_operation
            shown = error.code[:40]
            zh, en = f"没有边界事件捕获错误“{shown}”", f"no boundary event catches the error “{shown}”"
            faults.hold_back(task, ScriptError(zh, en))
    for event in hearers:
        _catch_at_once(instance, event)


def _interrupt(event: Any) -> None:
    """End what an interrupting event ends besides its activity, which the library cancels.

    Those are other events of the activity that happened at the same moment, and, where an event sub-process begins,
    everything that is active in its scope: other event sub-processes and tokens at joins too.
    """
    for other in event.parent.children:
        if other is not event and isinstance(other.task_spec, BoundaryEvent) and other.state == TaskState.READY:
            other.cancel()
            event.workflow.update_waiting_tasks()
    if not event.task_spec.begins_handler:
        return
    begun = {event.id, *(task.id for task in event)}
    for other in list(event.workflow.tasks.values()):
        if other.id not in begun:
            other.internal_data.pop(ARRIVED, None)
            if other.has_state(TaskState.NOT_FINISHED_MASK):
                other.cancel()


def leave(task: Any) -> None:
    """Complete a service task whose operation has answered."""
    node, instance = task.task_spec, task.workflow.top_workflow
    node.go_on(task, node.flows, node.outputs)
    task.complete()
    instance.passed.append(node.bpmn_id)


def _terminate(instance: Instance, task: Any) -> None:
    """End the process around a terminate end event, or the other loop instances of the multi-instance activity."""
    if task.task_spec.reach == "all":
        instance.cancel()
        return
    host = _around(instance, task)
    while host is not None:
        if isinstance(host.parent.task_spec, MultiInstance):
            if not host.parent.has_state(TaskState.FINISHED_MASK):  # unless this one was the last
                host.parent.task_spec.break_off(host.parent, host.data, host)
            return
        host = _around(instance, host)


def _around(instance: Instance, task: Any) -> Any:
    """Return the task of the sub-process that a task runs in, None where the task lies in the process itself."""
    scope = task.workflow
    return None if scope is instance else instance.get_task_from_id(scope.parent_task_id)


def _raise(instance: Instance, host: Any, error: ErrorEvent) -> bool:
    """Let the nearest boundary event that fits catch an error or escalation; return False when none does.

    The search begins at `host` and goes outwards. At one activity, an event with the very code wins over one without a
    code. What an event sub-process does not catch itself comes to the other ones of its scope.
    """
    while host is not None:
        if isinstance(host.parent.task_spec, MultiInstance):  # its boundary events are those of the whole activity
            host = host.parent
        waiting = [
            event
            for event in host.workflow.tasks.values()
            if event.state == TaskState.WAITING
            and isinstance(event.task_spec, BoundaryEvent)
            and isinstance(_definition(event), ErrorEvent)
            and _definition(event).fits(error)
        ]
        own = [event for event in waiting if event.parent is host.parent]
        if fitting := own or [event for event in waiting if event.task_spec.begins_handler]:
            event = max(fitting, key=lambda event: bool(_definition(event).code))
            for variable in _definition(event).variables:
                instance.set_variable(variable, error.code)
            _catch_at_once(instance, event)
            return True
        host = _around(instance, host)
    return False


def _closed(instance: Instance) -> Step:
    compact(instance)
    return _describe(instance, encode(instance))


def _describe(instance: Instance, state: bytes) -> Step:
    every, is_completed, has_variables = _tasks(instance), _completed(instance), instance.has_variables
    return Step(
        state=state,
        tasks=tuple(
            _open_task(instance, task, has_variables)
            for task in every
            if task._state == TaskState.READY and task.task_spec.manual
        ),
        timers=tuple(
            OpenTimer(
                task.id.hex,
                task.task_spec.bpmn_id,
                _definition(task).kind,
                task.internal_data["timer"],
                _definition(task).is_working,
            )
            for task in _waiting(instance, TimerEvent)
        ),
        catches=tuple(
            OpenCatch(task.id.hex, task.task_spec.bpmn_id, _name_of(task), task.internal_data.get("key", ""))
            for task in _waiting(instance, MessageEvent)
        ),
        calls=tuple(
            OpenCall(task.id.hex, task.task_spec.bpmn_id, task.task_spec.operation, instance.called.get(task.id.hex))
            for task in every
            if task.state == TaskState.STARTED and isinstance(task.task_spec, ServiceTask)
        ),
        passed=tuple(instance.passed),
        flows=tuple(instance.flows),
        thrown=tuple(instance.thrown),
        completed=is_completed,
        decided=instance.decided,
        faults=() if is_completed else tuple(faults.of(instance.nodes, every)),
    )


def _open_task(instance: Instance, task: Any, has_variables: bool) -> OpenTask:
    if not has_variables and not task.internal_data and task.data.keys() <= _OUTCOME:
        return OpenTask(task.id.hex, task.task_spec.bpmn_id)  # the usual one, of which there may be hundreds
    return OpenTask(
        task.id.hex,
        visits.node_of(task),
        instance.names_of(task),
        loop_instance(task),
        activity_of(task),
        note_of(task),
        visits.holder_of(task),
        visits.is_away(task),
    )


def _completed(instance: Instance) -> bool:
    return not any(task.has_state(TaskState.NOT_FINISHED_MASK) for task in _tasks(instance))


def _tasks(instance: Instance) -> list[Any]:
    """Return all tasks of the instance, those of inner scopes first."""
    found = [task for scope in reversed(instance.scopes()) for task in scope.tasks.values()]
    effort.spend(len(found) // 2)
    return found


def _find(instance: Instance, task_id: str) -> Any:
    return next((task for task in _tasks(instance) if task.id.hex == task_id), None)


def _waiting(instance: Instance, kind: type) -> list[Any]:
    return [
        task
        for task in _tasks(instance)
        if task.state == TaskState.WAITING
        and isinstance(task.task_spec, CatchingEvent)
        and isinstance(_definition(task), kind)
        and FAILED not in task.internal_data
    ]


def _name_of(catching: Any) -> str:
    return str(catching.internal_data.get("name") or _definition(catching).name)


def _definition(task: Any) -> Any:
    return task.task_spec.event_definition
