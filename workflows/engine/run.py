"""Takes an instance from one waiting point to the next.

Each call reads the state, does one thing, runs until everything waits, cuts the finished history and writes the state
again. The caller owns the transaction: whatever is raised here, it must not store anything of the step.
"""

# mypy: disable-error-code="import-untyped"

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from SpiffWorkflow.bpmn.specs.control import BoundaryEventJoin
from SpiffWorkflow.bpmn.specs.mixins.events.event_types import CatchingEvent
from SpiffWorkflow.bpmn.util.event import BpmnEvent
from SpiffWorkflow.util.task import TaskState

from workflows.engine.codec import decode, encode
from workflows.engine.compact import compact
from workflows.engine.errors import (
    LimitReached,
    NobodyWaits,
    OutcomeUnknown,
    ScriptError,
    Stuck,
    TaskNotOpen,
)
from workflows.engine.instance import Instance
from workflows.engine.many import Many, place
from workflows.engine.model import Host, OpenCall, OpenCatch, OpenTask, OpenTimer, Specification, Step
from workflows.engine.specs import (
    ARRIVED,
    BoundaryEvent,
    Change,
    EndEvent,
    Fault,
    Message,
    ServiceTask,
    SubProcess,
    Throws,
    Timer,
)
from workflows.engine.timetext import rest_of

MAX_STEPS = 500  # nodes run in one step
MAX_TASKS = 2_000  # tokens alive at once


def start(spec: Specification, data: Mapping[str, Any], host: Host) -> Step:
    """Start an instance with `data` as its process data, besides 'form' and 'outcome', and run it until it waits."""
    instance = Instance(spec, host)
    instance.data = {"form": {}, **data}
    instance.task_tree.data = {"outcome": instance.data.pop("outcome", None)}
    return _go(instance)


def complete(spec: Specification, state: bytes, task: str, outcome: str, form: Mapping[str, Any], host: Host) -> Step:
    """Close a user task with its outcome and run on; `form` is merged into the process data under 'form'.

    Raises TaskNotOpen unless that very task waits now, and OutcomeUnknown when its node declares outcomes without this
    one (a gateway would send it down its default).
    """
    instance = decode(spec, state, host)
    found = _find(instance, task)
    if found is None or found.state != TaskState.READY or not found.task_spec.manual:
        raise TaskNotOpen(task)
    node = spec.nodes[found.task_spec.bpmn_id]
    declared = [name.strip() for name in node.extensions.get("outcomes", "").split(",") if name.strip()]
    if declared and outcome not in declared:
        raise OutcomeUnknown(node.id, outcome)
    instance.data["form"] = {**instance.data["form"], **form}
    found.data["outcome"] = outcome
    _run(instance, found)
    return _go(instance)


def send(spec: Specification, state: bytes, message: str, host: Host, only: Collection[str] | None = None) -> Step:
    """Give a message to all events of the instance that wait for its name, or to those whose tasks are named.

    Raises NobodyWaits when there is none.
    """
    instance = decode(spec, state, host)
    waiting = [
        task
        for task in _waiting(instance, Message)
        if _name_of(task) == message and (only is None or task.id.hex in only)
    ]
    if not waiting:
        raise NobodyWaits(message)
    for task in waiting:
        if task.state == TaskState.WAITING:  # unless the one before it has ended it
            _catch(task)
    return _go(instance)


def fire(spec: Specification, state: bytes, timer_task: str, host: Host) -> Step:
    """Let a timer go off. Raises TaskNotOpen unless that very timer waits now."""
    instance = decode(spec, state, host)
    task = _find(instance, timer_task)
    if task is None or task not in _waiting(instance, Timer):
        raise TaskNotOpen(timer_task)
    _catch(task)
    return _go(instance)


def answer(spec: Specification, state: bytes, task: str, outcome: str, host: Host) -> Step:
    """Go on with the answer to an operation that reached outside. Raises TaskNotOpen unless that task waits for one."""
    instance = decode(spec, state, host)
    found = next((one for one in _called(instance) if one.id.hex == task), None)
    if found is None:
        raise TaskNotOpen(task)
    found.data["outcome"] = outcome
    found.task_spec.answered(found)
    instance.passed.append(found.task_spec.bpmn_id)
    return _go(instance)


def cancel(spec: Specification, state: bytes) -> Step:
    """End an instance where it stands: every open task and event is gone, no node runs any more."""
    instance = decode(spec, state, None)
    if not _completed(instance):
        instance.cancel()
    return _closed(instance)


def look(spec: Specification, state: bytes) -> Step:
    """What waits now, without a step; the state comes back as it was given."""
    return _describe(decode(spec, state, None), state)


def tokens(spec: Specification, state: bytes) -> dict[str, int]:
    """How many tokens stand at each node, those that wait at a join for others included.

    What runs in a sub-process stands there, and not at the sub-process besides; an event on a border holds no token.
    Of an activity that is done several times each instance that waits counts.
    """
    standing: Counter[str] = Counter()
    for task in _tasks(decode(spec, state, None)):
        node = task.task_spec.bpmn_id
        if node is None or isinstance(task.task_spec, BoundaryEvent | SubProcess | Many):
            continue
        if task.has_state(TaskState.NOT_FINISHED_MASK) or ARRIVED in task.internal_data:
            standing[node] += 1
    return dict(standing)


def _go(instance: Instance) -> Step:
    """Run everything that waits for nobody, inner scopes first, under the budgets."""
    steps = 0
    while ready := _ready(instance):
        for task in ready:
            if task.state != TaskState.READY:
                continue  # ended by an event that ran before it in this very pass
            steps += 1
            if steps > MAX_STEPS:
                raise LimitReached("steps", MAX_STEPS)
            _run(instance, task)
        if sum(task.has_state(TaskState.NOT_FINISHED_MASK) for task in _tasks(instance)) > MAX_TASKS:
            raise LimitReached("tasks", MAX_TASKS)
    step = _closed(instance)
    if not (step.completed or step.tasks or step.timers or step.catches or step.calls):
        raise Stuck([task.task_spec.name for task in _tasks(instance) if task.state == TaskState.WAITING])
    return step


def _ready(instance: Instance) -> list[Any]:
    """What runs by itself; where nothing does, what has changed meanwhile may set off events that wait for that."""
    found = _automatic(instance)
    if not found:
        for task in _waiting(instance, Change):
            if task.state == TaskState.WAITING and _definition(task).happened(task):
                _catch(task)
        found = _automatic(instance)
    return found


def _automatic(instance: Instance) -> list[Any]:
    return [task for task in _tasks(instance) if task.state == TaskState.READY and not task.task_spec.manual]


def _catch(event: Any) -> None:
    _wait_again(event)
    event.task_spec.catch(event, BpmnEvent(_definition(event)))
    event.task_spec._update(event)


def _catch_at_once(instance: Instance, event: Any) -> None:
    """Catch what the instance has thrown itself: what a border breaks off by it must not run on until its turn."""
    if event.state == TaskState.WAITING:
        _catch(event)
        if isinstance(event.task_spec, BoundaryEvent):
            _run(instance, event)


def _wait_again(event: Any) -> None:
    """What comes to a border waits again beside the one that goes off, whose end may be that of both.

    A timer does so while its cycle lasts, anything else where it breaks nothing off.
    """
    if not isinstance(event.task_spec, BoundaryEvent):
        return
    kept = {
        name: value for name, value in event.internal_data.items() if name in ("timer", "key", "name", "was", "held")
    }
    if isinstance(_definition(event), Timer):
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
    signal = node.message if isinstance(node, Throws) and node.message is not None and node.message.is_signal else None
    # Asked before: whoever waits behind the node that throws it does not hear it.
    name = signal.name_at(task) if signal else ""
    hearers = [event for event in _waiting(instance, Message) if _name_of(event) == name] if signal else []
    task.run()
    if task.state == TaskState.COMPLETED and node.bpmn_id is not None:  # internal nodes have none
        instance.passed.append(node.bpmn_id)
    if isinstance(node, EndEvent) and node.reach:
        _terminate(instance, task)
    if isinstance(node, Throws) and node.fault is not None:
        _raise(instance, _around(instance, task), node.fault)
    elif instance.raised is not None:
        fault, instance.raised = instance.raised, None
        if not _raise(instance, task, fault):
            shown = fault.code[:40]
            raise ScriptError(f"没有边界事件捕获错误“{shown}”", f"no border catches the error “{shown}”")
    for event in hearers:
        _catch_at_once(instance, event)


def _terminate(instance: Instance, task: Any) -> None:
    """End what lies around the scope that has ended: all of it, or the other instances of the nearest loop."""
    if task.task_spec.reach == "all":
        instance.cancel()
        return
    host = _around(instance, task)
    while host is not None:
        if isinstance(host.parent.task_spec, Many):
            if not host.parent.has_state(TaskState.FINISHED_MASK):  # unless this one was the last
                host.parent.task_spec.break_off(host.parent, host)
            return
        host = _around(instance, host)


def _around(instance: Instance, task: Any) -> Any:
    """The sub-process that a task runs in, None where it lies in the process itself."""
    scope = task.workflow
    return None if scope is instance else instance.get_task_from_id(scope.parent_task_id)


def _raise(instance: Instance, host: Any, fault: Fault) -> bool:
    """Tell the nearest border that catches it, by its code before any: the host's, or one around it."""
    while host is not None:
        if isinstance(host.parent.task_spec, Many):  # one of several: the border is that of all
            host = host.parent
        fitting = [
            event
            for event in host.parent.children
            if event.state == TaskState.WAITING
            and isinstance(event.task_spec, BoundaryEvent)
            and isinstance(_definition(event), Fault)
            and _definition(event).fits(fault)
        ]
        if fitting:
            _catch_at_once(instance, max(fitting, key=lambda event: bool(_definition(event).code)))
            return True
        host = _around(instance, host)
    return False


def _closed(instance: Instance) -> Step:
    compact(instance)
    return _describe(instance, encode(instance))


def _describe(instance: Instance, state: bytes) -> Step:
    return Step(
        state=state,
        tasks=tuple(
            OpenTask(task.id.hex, task.task_spec.bpmn_id, instance.names_of(task), place(task))
            for task in _tasks(instance)
            if task.state == TaskState.READY and task.task_spec.manual
        ),
        timers=tuple(
            OpenTimer(task.id.hex, task.task_spec.bpmn_id, _definition(task).kind, task.internal_data["timer"])
            for task in _waiting(instance, Timer)
        ),
        catches=tuple(
            OpenCatch(task.id.hex, task.task_spec.bpmn_id, _name_of(task), task.internal_data.get("key", ""))
            for task in _waiting(instance, Message)
        ),
        calls=tuple(
            OpenCall(task.id.hex, task.task_spec.bpmn_id, task.task_spec.operation) for task in _called(instance)
        ),
        passed=tuple(instance.passed),
        flows=tuple(instance.flows),
        thrown=tuple(instance.thrown),
        completed=_completed(instance),
        decided=instance.decided,
    )


def _completed(instance: Instance) -> bool:
    return not any(task.has_state(TaskState.NOT_FINISHED_MASK) for task in _tasks(instance))


def _tasks(instance: Instance) -> list[Any]:
    """All tasks, those of inner scopes first."""
    return [task for scope in reversed(instance.scopes()) for task in scope.tasks.values()]


def _find(instance: Instance, task_id: str) -> Any:
    try:
        wanted = UUID(hex=task_id)
    except ValueError:
        return None
    return next((task for task in _tasks(instance) if task.id == wanted), None)


def _waiting(instance: Instance, kind: type) -> list[Any]:
    return [
        task
        for task in _tasks(instance)
        if task.state == TaskState.WAITING
        and isinstance(task.task_spec, CatchingEvent)
        and isinstance(_definition(task), kind)
    ]


def _called(instance: Instance) -> list[Any]:
    return [
        task for task in _tasks(instance) if task.state == TaskState.STARTED and isinstance(task.task_spec, ServiceTask)
    ]


def _name_of(catching: Any) -> str:
    return str(catching.internal_data.get("name") or _definition(catching).name)


def _definition(task: Any) -> Any:
    return task.task_spec.event_definition
