"""Loop instances that are added to a multi-instance user task while it waits, and removed from it; `run` does it.

The counts follow at once. A removal that leaves nobody to wait for, or by which the votes so far decide, ends the
activity as the vote of the last one would have.
"""

# mypy: disable-error-code="import-untyped"

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from SpiffWorkflow.util.task import TaskState

from workflows.engine.errors import TaskNotOpen
from workflows.engine.multi_instance import MultiInstance

Added = tuple[Any, Mapping[str, Any]]
"""An item of the list, and a note that comes back with its task (`OpenTask.note`)."""


@dataclass(frozen=True)
class LoopInstances:
    """The tasks that wait in a multi-instance user task, and by number the notes of the loop instances to come that
    were added."""

    is_sequential: bool
    tasks: tuple[str, ...]
    to_come: Mapping[int, Mapping[str, Any]]


def is_loop_instance(task: Any) -> bool:
    """Return whether this task waits for a person in a multi-instance user task."""
    waits = task is not None and task.state == TaskState.READY and task.task_spec.manual
    return waits and isinstance(task.parent.task_spec, MultiInstance)


def beside(task: Any) -> LoopInstances:
    """Return the loop instances beside that of this task."""
    activity = task.parent
    tasks = tuple(child.id.hex for child in activity.children if child.state == TaskState.READY)
    return LoopInstances(activity.task_spec.loop.is_sequential, tasks, activity.task_spec.to_come(activity))


def add(task: Any, added: Sequence[Added], *, is_next: bool) -> None:
    """Add loop instances beside that of this task."""
    activity = task.parent
    # Each of those who come next is put right behind the present one.
    for item, note in reversed(added) if is_next and activity.task_spec.loop.is_sequential else added:
        activity.task_spec.add(activity, item, note, is_next=is_next)


def remove(task: Any, to_come: int | None) -> None:
    """Remove the loop instance of this task, or the added one of this number that has not begun."""
    activity = task.parent
    if to_come is None:
        activity.task_spec.remove(activity, task)
    elif to_come in activity.task_spec.to_come(activity):
        activity.task_spec.remove_to_come(activity, to_come)
    else:
        raise TaskNotOpen(task.id.hex)
