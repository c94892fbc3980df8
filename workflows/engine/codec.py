"""Writes an instance as bytes and reads it again.

Each task is one short list, with its data as the difference to its parent's.
A header says the format, the version of SpiffWorkflow that wrote the state and the digest of the model. The
specification is not in the bytes. Neither are the library's correlations and thrown events: no node of ours uses them.
The guard test compares this with the library's own serializer after each step; run it on each upgrade.
"""

# mypy: disable-error-code="import-untyped"

from collections.abc import Mapping
from copy import deepcopy
from importlib.metadata import version
from typing import Any

import orjson
from SpiffWorkflow.exceptions import SpiffWorkflowException
from SpiffWorkflow.task import Task

from workflows.engine.errors import LimitReached, StateError
from workflows.engine.instance import Instance, Scope
from workflows.engine.migrations import FORMAT, migrated
from workflows.engine.model import Host, Specification

LIBRARY = version("SpiffWorkflow")
MAX_STATE = 1_000_000  # bytes

_PLAIN = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_SUBCLASS


class TaskId(str):
    """The id of a task that was read: 32 hexadecimal digits.

    The library gives new tasks a UUID, which takes longer to make and to look up: with 500 tasks, most of the reading.
    """

    __slots__ = ()

    @property
    def hex(self) -> str:
        """The digits, as a UUID gives them."""
        return str(self)


def encode(instance: Instance) -> bytes:
    """Return the instance as bytes. Raises LimitReached above 1 MB and StateError when data is not plain JSON."""
    content = {
        "format": FORMAT,
        "library": LIBRARY,
        "model": instance.model,
        "process": _pack(instance),
        "scopes": [[task_id.hex, _pack(scope)] for task_id, scope in instance.subprocesses.items()],
    }
    try:
        state = orjson.dumps(content, option=_PLAIN)
    except orjson.JSONEncodeError as error:
        raise StateError(
            "state", f"流程数据不能保存为JSON：{error}", f"The process data cannot be stored as JSON: {error}"
        ) from None
    if len(state) > MAX_STATE:
        raise LimitReached("state", MAX_STATE)
    return state


def decode(spec: Specification, state: bytes, host: Host | None) -> Instance:
    """Return the instance that `encode` wrote, in this or an earlier format.

    Raises StateError when the format is not known, when the state belongs to another model, or when it is damaged.
    """
    try:
        stored = orjson.loads(state)
    except orjson.JSONDecodeError:
        stored = None
    content = migrated(stored)
    if content.get("model") not in ("", spec.digest):
        raise StateError(
            "state_model",
            "流程状态属于另一个模型，请检查该流程的定义是否被替换",
            "The stored state belongs to another model: check whether the definition of the process was replaced",
        )
    try:
        return _instance(spec, content, host)
    except (AttributeError, LookupError, TypeError, ValueError, SpiffWorkflowException) as error:
        raise StateError("state", f"流程状态已损坏：{error}", f"The stored state is damaged: {error}") from error


def _instance(spec: Specification, content: Mapping[str, Any], host: Host | None) -> Instance:
    instance = Instance(spec, host, deserializing=True)
    _unpack(instance, content["process"])
    for task_id, packed in content["scopes"]:
        task = instance.get_task_from_id(TaskId(task_id))
        scope = Scope(instance.subprocess_specs[task.task_spec.spec], task.id, instance, deserializing=True)
        _unpack(scope, packed)
        scope.completed_event.connect(task.task_spec._on_subworkflow_completed, task)
        instance.subprocesses[task.id] = scope
    return instance


def _pack(scope: Any) -> list[Any]:
    rows: list[list[Any]] = []
    last, last_task, tasks = -1, scope.last_task, scope.tasks
    nothing: dict[str, Any] = {}
    stack: list[tuple[Any, int, dict[str, Any]]] = [(scope.task_tree, -1, nothing)]
    while stack:  # parents before children, children in their order: so both need not be written
        task, parent, above = stack.pop()
        place, data = len(rows), task.data
        if task is last_task:
            last = place
        is_other = data != above
        rows.append(
            [
                task.id.hex,
                parent,
                task.task_spec.name,
                task._state,
                task.last_state_change,
                int(task.triggered),
                task.internal_data or 0,
                {key: value for key, value in data.items() if key not in above or above[key] != value} or 0
                if is_other
                else 0,
                [key for key in above if key not in data] or 0 if is_other else 0,
            ]
        )
        if children := task._children:  # most have none
            stack.extend((tasks[child], place, data) for child in reversed(children))
    return [rows, scope.data, last, int(scope.success), int(scope.completed)]


def _unpack(scope: Any, packed: list[Any]) -> None:
    rows, scope.data, last, success, completed = packed
    specs, by_id = scope.spec.task_specs, scope.tasks
    tasks: list[Any] = []
    for text, parent, name, state, changed, triggered, internal, updates, deletions in rows:
        task_spec = specs.get(name)
        if task_spec is None:
            raise StateError("state", f"模型中没有元素“{name}”", f"The model has no element “{name}”")
        task_id, above_id = TaskId(text), None
        data: dict[str, Any] = {}
        if parent >= 0:
            above = tasks[parent]
            above_id, data = above.id, _copied(above.data)
            above._children.append(task_id)
        if updates:
            data.update(updates)
        for key in deletions or ():
            del data[key]
        # What the library's own constructor sets, which would read the clock and look the parent up each time.
        task = Task.__new__(Task)
        task.id, task.workflow, task.task_spec = task_id, scope, task_spec
        task._parent, task._children, task.thread_id = above_id, [], Task.thread_id_pool
        task._state, task.triggered, task.last_state_change = state, bool(triggered), changed
        task.data, task.internal_data = data, internal or {}
        by_id[task_id] = task
        tasks.append(task)
    scope.task_tree = tasks[0]
    scope.last_task = tasks[last] if last >= 0 else None
    scope.success, scope.completed = bool(success), bool(completed)


def _copied(data: dict[str, Any]) -> dict[str, Any]:
    """Return a copy; the data of most tasks are a few texts and numbers."""
    for value in data.values():
        if isinstance(value, dict | list):
            return deepcopy(data)
    return dict(data)
