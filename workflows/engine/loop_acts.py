"""Adding a loop instance to a multi-instance user task that waits, and removing one that has not finished.

The counts follow at once. A removal that leaves nobody to wait for, or by which the votes so far decide, ends the
activity as the vote of the last one would have.
"""

# mypy: disable-error-code="import-untyped"

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from SpiffWorkflow.util.task import TaskState

from workflows.engine import run
from workflows.engine.codec import decode
from workflows.engine.errors import TaskNotOpen
from workflows.engine.instance import Instance
from workflows.engine.model import Host, Specification, Step
from workflows.engine.multi_instance import MultiInstance


@dataclass(frozen=True)
class LoopInstances:
    """The loop instances of a multi-instance user task: the tasks of those that wait, and by number the notes of those
    that were added and have not begun."""

    is_sequential: bool
    tasks: tuple[str, ...]
    to_come: Mapping[int, Mapping[str, Any]]


def loop_instances(spec: Specification, state: bytes, task: str) -> LoopInstances | None:
    """Return the loop instances beside this task that waits, itself included; None outside of multi-instance tasks."""
    found = run.find(decode(spec, state, None), task)
    if found is None or not isinstance(found.parent.task_spec, MultiInstance):
        return None
    activity = found.parent
    tasks = tuple(child.id.hex for child in activity.children if child.state == TaskState.READY)
    return LoopInstances(activity.task_spec.loop.is_sequential, tasks, activity.task_spec.to_come(activity))


def add_loop_instances(
    spec: Specification,
    state: bytes,
    task: str,
    added: Sequence[tuple[Any, Mapping[str, Any]]],
    host: Host,
    *,
    is_next: bool,
) -> Step:
    """Add loop instances beside a task that waits: at once, or in a sequential loop as the next or the last ones.

    Each is an item of the list and a note, which comes back with its task (`OpenTask.note`). Raises TaskNotOpen and
    LoopNotChanged.
    """
    instance, found = _waiting(spec, state, task, host)
    activity = found.parent
    # Each of those who come next is put right behind the present one.
    for item, note in reversed(added) if is_next and activity.task_spec.loop.is_sequential else added:
        activity.task_spec.add(activity, item, note, is_next=is_next)
    return run.go_on(instance)


def remove_loop_instance(spec: Specification, state: bytes, task: str, host: Host, ends: Collection[str] = ()) -> Step:
    """Remove the loop instance of a task that waits; an outcome of `ends` ends the instance, see `run.complete`.

    Raises TaskNotOpen, and LoopNotChanged where nobody would be left or the votes do not tell the outcome.
    """
    instance, found = _waiting(spec, state, task, host)
    found.parent.task_spec.remove(found.parent, found)
    return run.left(instance, spec, state, found.task_spec.bpmn_id, ends)


def remove_to_come(
    spec: Specification, state: bytes, task: str, number: int, host: Host, ends: Collection[str] = ()
) -> Step:
    """Remove a loop instance that was added beside this task and has not begun; `number` is that of `to_come`."""
    instance, found = _waiting(spec, state, task, host)
    if number not in found.parent.task_spec.to_come(found.parent):
        raise TaskNotOpen(task)
    found.parent.task_spec.remove_to_come(found.parent, number)
    return run.left(instance, spec, state, found.task_spec.bpmn_id, ends)


def _waiting(spec: Specification, state: bytes, task: str, host: Host) -> tuple[Instance, Any]:
    instance = decode(spec, state, host)
    found = run.find(instance, task)
    is_open = found is not None and found.state == TaskState.READY and found.task_spec.manual
    if not is_open or not isinstance(found.parent.task_spec, MultiInstance):
        raise TaskNotOpen(task)
    return instance, found
