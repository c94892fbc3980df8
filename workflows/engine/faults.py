"""Tokens that cannot go on although nobody is waited for: how they are marked, told, and tried again.

A node that fails keeps its token, with the reason in the internal data of its task. What ran before it stays, and
`retry` lets the token go on from there. A process in which nothing waits and no node has failed is stuck: at a join
whose token never comes. The marks are a part of the state, so that `look` tells the same as the step that failed.
"""

# mypy: disable-error-code="import-untyped"

from collections.abc import Iterator, Mapping
from typing import Any

from SpiffWorkflow.bpmn.specs.mixins.events.event_types import CatchingEvent
from SpiffWorkflow.util.task import TaskState

from workflows.engine.errors import EngineError, ExpressionError, Stuck
from workflows.engine.model import Failure, Node
from workflows.engine.multi_instance import MultiInstance
from workflows.engine.specs import ARRIVED, FAILED, BoundaryEvent, ServiceTask, SubProcess, TimerEvent, mark_failed

STUCK = "stuck"


class Halted(ExpressionError):
    """A fault as an error, for who takes no step that leads to one."""

    def __init__(self, fault: Failure) -> None:
        EngineError.__init__(self, fault.code, fault.text_zh, fault.text_en)
        self.text = ""
        self.node = fault.node


def error_of(fault: Failure) -> EngineError:
    """Return the fault as an error."""
    if fault.code != STUCK:
        return Halted(fault)
    stuck = Stuck([fault.node])
    EngineError.__init__(stuck, fault.code, fault.text_zh, fault.text_en)
    stuck.node = fault.node
    return stuck


def hold_back(task: Any, error: EngineError) -> None:
    """Let the token wait at a node that has failed as it ran."""
    task._set_state(TaskState.READY)
    mark_failed(task, error)


def has_failed(task: Any) -> bool:
    """Return whether the token waits at this node because it failed."""
    return FAILED in task.internal_data and task.has_state(TaskState.NOT_FINISHED_MASK)


def try_again(tasks: list[Any]) -> None:
    """Remove the marks, and let events and multi-instance activities that failed be evaluated once more."""
    for task in tasks:
        if not has_failed(task):
            continue
        del task.internal_data[FAILED]
        if isinstance(task.task_spec, CatchingEvent) and task.state == TaskState.WAITING:
            task.task_spec._update(task)
        elif isinstance(task.task_spec, MultiInstance) and task.state == TaskState.STARTED:
            task.task_spec.decide_again(task)


def of(nodes: Mapping[str, Node], tasks: list[Any]) -> Iterator[Failure]:
    """Yield where the process cannot go on; `tasks` are all of an instance that is not complete."""
    failed = [task for task in tasks if has_failed(task)]
    for task in failed:
        yield Failure(task.task_spec.bpmn_id or "", *task.internal_data[FAILED])
    if not failed and not any(_moves(task) for task in tasks):
        standing = dict.fromkeys(task.task_spec.bpmn_id for task in tasks if stands(task))
        names = [name for name in standing if name is not None]  # the library's own nodes are not drawn
        drawn = [nodes[name] for name in names if name in nodes]
        zh, en = [node.name or node.id for node in drawn], [node.name_en or node.name or node.id for node in drawn]
        stuck = Stuck(names, zh, en)
        yield Failure(names[0] if names else "", STUCK, stuck.text_zh, stuck.text_en)


def _moves(task: Any) -> bool:
    """Return whether the task waits for a person, an answer or an event that leads on.

    Events round an activity in which nothing can happen any more lead nowhere, but for a timer that breaks it off.
    """
    node = task.task_spec
    if task.state == TaskState.READY:
        return bool(node.manual)
    if task.state == TaskState.STARTED:
        return isinstance(node, ServiceTask)  # its operation will answer
    if task.state != TaskState.WAITING or not isinstance(node, CatchingEvent) or not _is_from_outside(node):
        return False
    breaks_off = isinstance(node, BoundaryEvent) and node.cancel_activity
    return not isinstance(node, BoundaryEvent) or (breaks_off and isinstance(node.event_definition, TimerEvent))


def _is_from_outside(node: Any) -> bool:
    """Return whether the event comes from outside; errors and conditions come of a step of the process itself."""
    return bool(node.event_definition.is_from_outside)


def stands(task: Any) -> bool:
    """Return whether the task holds a token at a node; a sub-process, a loop and a boundary event hold none."""
    if isinstance(task.task_spec, BoundaryEvent | SubProcess | MultiInstance):
        return False
    return task.has_state(TaskState.NOT_FINISHED_MASK) or ARRIVED in task.internal_data
