"""Drops finished history from the live state, so that the six hundredth round of a loop costs what the first did.

Nothing is lost: what an instance may do next depends on its tokens alone. Nodes predict nothing, joins record their own
arrivals, and conditions read the data of their own task. So a token needs only the three kinds of tasks that `_needed`
keeps. `passed` and `flows` of each step tell what happened, and the application stores that.
"""

# mypy: disable-error-code="import-untyped"

from typing import Any

from SpiffWorkflow.bpmn.specs.control import BoundaryEventSplit
from SpiffWorkflow.util.task import TaskState

from workflows.engine.instance import Instance
from workflows.engine.specs import ARRIVED


def compact(instance: Instance) -> None:
    """Drop, in memory, finished sub-processes and the finished tasks that nothing needs any more.

    The tasks that stay keep their ids, data and order.
    """
    tasks = dict(instance.tasks)
    for task_id, scope in list(instance.subprocesses.items()):  # outer before inner
        parent = tasks.get(task_id)
        if parent is None or parent.has_state(TaskState.FINISHED_MASK):
            del instance.subprocesses[task_id]
        else:
            tasks.update(scope.tasks)
    for scope in instance.scopes():
        _cut(scope, _needed(scope))


def _needed(scope: Any) -> set[Any]:
    keep = {scope.task_tree}
    for task in scope.tasks.values():
        if task.has_state(TaskState.NOT_FINISHED_MASK):
            keep.add(task)
            above = task.parent
            # A task and its boundary events end each other through the node above them; and a waiting task reads its
            # parent's data again each time it is asked.
            if above is not None and (
                isinstance(above.task_spec, BoundaryEventSplit) or task.has_state(TaskState.WAITING)
            ):
                keep.add(above)
        elif ARRIVED in task.internal_data and not scope.completed:
            keep.add(task)  # a token that stands at a join
    return keep


def _cut(scope: Any, keep: set[Any]) -> None:
    """Attach each task that stays to its nearest ancestor that stays too, in the old order."""
    tasks, kept = scope.tasks, {}
    stack = [(scope.task_tree.id, None)]
    while stack:
        task_id, above = stack.pop()
        task = tasks[task_id]
        children = task._children
        if task in keep:
            kept[task_id] = task
            if above is not None:
                if isinstance(above.task_spec, BoundaryEventSplit) and task.parent is not above:
                    # Its children are the task and its boundary events only.
                    above = above.parent
                above._children.append(task_id)
            task.parent = above
            task._children = []
            above = task
        if children:  # most have none
            stack.extend([(child, above) for child in reversed(children)])
    scope.tasks = kept
    if scope.last_task is not None and scope.last_task.id not in kept:
        scope.last_task = None
