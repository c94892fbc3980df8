"""An instance as bytes and back: one short list per task, its data as the difference to its parent's.

The specification is not in the bytes. Neither are the library's correlations and thrown events: no node of ours uses
them. The guard test compares this with the library's own serializer after each step; run it on each upgrade.
"""

# mypy: disable-error-code="import-untyped"

from copy import deepcopy
from typing import Any
from uuid import UUID

import orjson
from SpiffWorkflow.task import Task

from workflows.engine.errors import LimitReached, StateError
from workflows.engine.instance import Instance, Scope
from workflows.engine.model import Host, Specification

FORMAT = 1
MAX_STATE = 1_000_000  # bytes

_PLAIN = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_SUBCLASS


def encode(instance: Instance) -> bytes:
    """Bytes of the instance. Raises LimitReached above 1 MB and StateError when data is not plain JSON."""
    content = [
        FORMAT,
        _pack(instance),
        [[task_id.hex, _pack(scope)] for task_id, scope in instance.subprocesses.items()],
    ]
    try:
        state = orjson.dumps(content, option=_PLAIN)
    except orjson.JSONEncodeError as error:
        raise StateError(
            f"流程数据不是纯JSON：{error}", f"The data of the process is not plain JSON: {error}"
        ) from None
    if len(state) > MAX_STATE:
        raise LimitReached("state", MAX_STATE)
    return state


def decode(spec: Specification, state: bytes, host: Host | None) -> Instance:
    """The instance that `encode` wrote. Raises StateError when format or model do not fit."""
    try:
        content = orjson.loads(state)
    except orjson.JSONDecodeError:
        content = None
    if not isinstance(content, list) or len(content) != 3 or content[0] != FORMAT:
        raise StateError("流程状态的格式无法识别", "The format of the stored state is not known")
    _, top, scopes = content
    instance = Instance(spec, host, deserializing=True)
    _unpack(instance, top)
    for task_id, packed in scopes:
        task = instance.get_task_from_id(UUID(task_id))
        scope = Scope(instance.subprocess_specs[task.task_spec.spec], task.id, instance, deserializing=True)
        _unpack(scope, packed)
        scope.completed_event.connect(task.task_spec._on_subworkflow_completed, task)
        instance.subprocesses[task.id] = scope
    return instance


def _pack(scope: Any) -> list[Any]:
    rows: list[list[Any]] = []
    places: dict[UUID, int] = {}
    stack = [scope.task_tree]
    while stack:  # parents before children, children in their order: so both need not be written
        task = stack.pop()
        parent = task.parent
        places[task.id] = len(rows)
        above = parent.data if parent is not None else {}
        rows.append(
            [
                task.id.hex,
                -1 if parent is None else places[parent.id],
                task.task_spec.name,
                task.state,
                task.last_state_change,
                int(task.triggered),
                task.internal_data or 0,
                {key: value for key, value in task.data.items() if key not in above or above[key] != value} or 0,
                [key for key in above if key not in task.data] or 0,
            ]
        )
        stack.extend(reversed(task.children))
    last = -1 if scope.last_task is None else places[scope.last_task.id]
    return [rows, scope.data, last, int(scope.success), int(scope.completed)]


def _unpack(scope: Any, packed: list[Any]) -> None:
    rows, scope.data, last, success, completed = packed
    tasks: list[Any] = []
    for task_id, parent, name, state, changed, triggered, internal, updates, deletions in rows:
        task_spec = scope.spec.task_specs.get(name)
        if task_spec is None:
            raise StateError(f"模型中没有节点“{name}”", f"The model has no node “{name}”")
        above = tasks[parent] if parent >= 0 else None
        task = Task(scope, task_spec, above, state, UUID(task_id))
        task.last_state_change = changed
        task.triggered = bool(triggered)
        task.internal_data = internal or {}
        if above is not None:
            task.data = deepcopy(above.data)
        task.data.update(updates or {})
        for key in deletions or ():
            del task.data[key]
        tasks.append(task)
    scope.task_tree = tasks[0]
    scope.last_task = tasks[last] if last >= 0 else None
    scope.success, scope.completed = bool(success), bool(completed)
