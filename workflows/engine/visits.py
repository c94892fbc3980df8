"""Visits: a token that was sent back to an earlier step and comes straight back from there.

The token does not leave its place. Its task says in `AWAY` at which steps it is asked for meanwhile, the last one
first, so that branches, countersigners and timers beside it know nothing of the visit. Each visit and each return gives
the task a new id: for the caller it is another task.
"""

# mypy: disable-error-code="import-untyped"

from typing import Any

from SpiffWorkflow.task import Task

AWAY, HOLDER = "away", "holder"
"""Internal data of a user task: the steps that it visits with whom they are for, and whom it is for itself."""


def node_of(task: Any) -> str:
    """Return the user task at which the token is asked for: its own, or the one that it visits."""
    away = task.internal_data.get(AWAY)
    return str(away[-1][0] if away else task.task_spec.bpmn_id)


def holder_of(task: Any) -> str:
    """Return whom the caller named when it sent the token here, '' where nobody was named."""
    away = task.internal_data.get(AWAY)
    return str(away[-1][1] if away else task.internal_data.get(HOLDER, ""))


def is_away(task: Any) -> bool:
    """Return whether the token visits another step."""
    return bool(task.internal_data.get(AWAY))


def begin(task: Any, node: str, holder: str, returns_to: str) -> None:
    """Send the token to a step, for `holder`; when that is done, the present step opens again for `returns_to`."""
    again = _anew(task)
    away = [list(one) for one in again.internal_data.get(AWAY, ())]
    if away:
        away[-1][1] = returns_to
    else:
        again.internal_data[HOLDER] = returns_to
    again.internal_data[AWAY] = [*away, [node, holder]]


def end(task: Any) -> None:
    """Bring the token back from the step that it visits."""
    again = _anew(task)
    left = again.internal_data[AWAY][:-1]
    if left:
        again.internal_data[AWAY] = left
    else:
        del again.internal_data[AWAY]


def _anew(task: Any) -> Any:
    """Put a task with another id in the place of this one."""
    above = task.parent
    again = Task(task.workflow, task.task_spec, above, task.state)
    again.triggered = task.triggered
    again.data, again.internal_data = dict(task.data), dict(task.internal_data)
    above._children = [again.id if one == task.id else one for one in above._children if one != again.id]
    del task.workflow.tasks[task.id]
    if task.workflow.last_task is task:
        task.workflow.last_task = None
    return again
