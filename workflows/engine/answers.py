"""What comes of a service task whose operation answers later: its answer, or a business error."""

# mypy: disable-error-code="import-untyped"

from collections.abc import Mapping
from typing import Any

from SpiffWorkflow.util.task import TaskState

from workflows.engine import run
from workflows.engine.codec import decode
from workflows.engine.errors import TaskNotOpen, UncaughtError
from workflows.engine.instance import Instance
from workflows.engine.model import Host, Specification, Step
from workflows.engine.specs import ErrorEvent, ServiceTask


def answer(spec: Specification, state: bytes, task: str, variables: Mapping[str, Any], host: Host) -> Step:
    """Complete the service task, set these process variables, and run on.

    Raises TaskNotOpen unless this very task waits for an answer.
    """
    instance, found = _waiting(spec, state, task, host)
    for name, value in variables.items():
        instance.set_variable(name, value)
    run.leave(found)
    return run._go(instance)


def fail(spec: Specification, state: bytes, task: str, code: str, host: Host) -> Step:
    """Let the nearest boundary event that fits catch a business error of the operation, and run on.

    Raises TaskNotOpen, and UncaughtError where no boundary event fits.
    """
    instance, found = _waiting(spec, state, task, host)
    if not run._raise(instance, found, ErrorEvent("error", code)):
        raise UncaughtError(found.task_spec.bpmn_id, code)
    return run._go(instance)


def given(spec: Specification, state: bytes, task: str, host: Host) -> dict[str, Any]:
    """Return what the operation is given as its expressions say now. Raises TaskNotOpen, ExpressionError."""
    _instance, found = _waiting(spec, state, task, host)
    parameters: dict[str, Any] = found.task_spec.given(found)
    return parameters


def _waiting(spec: Specification, state: bytes, task: str, host: Host) -> tuple[Instance, Any]:
    instance = decode(spec, state, host)
    found = run._find(instance, task)
    if found is None or found.state != TaskState.STARTED or not isinstance(found.task_spec, ServiceTask):
        raise TaskNotOpen(task)
    return instance, found
