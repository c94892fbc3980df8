"""A process instance in memory: the workflow of SpiffWorkflow with our host, names and scans over all tasks."""

# mypy: disallow-subclassing-any=False, disable-error-code="import-untyped"

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from uuid import UUID

from SpiffWorkflow.bpmn.util.subworkflow import BpmnSubWorkflow
from SpiffWorkflow.bpmn.workflow import BpmnWorkflow
from SpiffWorkflow.specs.Join import Join
from SpiffWorkflow.util.task import TaskState

from workflows.engine import effort
from workflows.engine.errors import LimitReached
from workflows.engine.expressions import weight
from workflows.engine.model import Host, Specification, Thrown
from workflows.engine.multi_instance import local_names
from workflows.engine.values import mark, plain

if TYPE_CHECKING:
    from workflows.engine.errors import BusinessError
    from workflows.engine.specs import ErrorEvent

# The library builds dictionaries with task lists and data for each state change while these loggers sit at their
# default level, whether or not anybody listens; it looks at each logger's own level, so all four are set.
for _name in ("spiff", "spiff.workflow", "spiff.task", "spiff.data"):
    logging.getLogger(_name).setLevel(logging.WARNING)


class Flat:
    """Mixin of both workflow classes: it looks at all tasks, where the library walks 1,000 levels at most."""

    tasks: dict[UUID, Any]

    def _remove_task(self, task_id: UUID) -> None:
        """Cancel the sub-process of a task that is removed, at once and not at the end of the step."""
        scope = self.top_workflow.subprocesses.get(task_id)  # type: ignore[attr-defined]
        if scope is not None:
            scope.cancel()
        super()._remove_task(task_id)  # type: ignore[misc]

    def update_waiting_tasks(self) -> None:
        """Evaluate waiting joins again; events change only when they are told to."""
        for task in list(self.tasks.values()):
            # The state is read here and not before the loop: one join cancels another.
            if task.state == TaskState.WAITING and isinstance(task.task_spec, Join):
                task.task_spec._update(task)


class Scope(Flat, BpmnSubWorkflow):
    """A running sub-process."""


class Instance(Flat, BpmnWorkflow):
    """A running process. `data` is the process data; the data of a task is only the outcome on its branch."""

    def __init__(self, spec: Specification, host: Host | None, deserializing: bool = False) -> None:
        self.host = host
        self.model = spec.digest
        self.nodes = spec.nodes
        self.passed: list[str] = []
        self.flows: list[str] = []
        self.thrown: list[Thrown] = []
        self.decided: dict[str, str] = {}
        self.optional = dict.fromkeys(spec.optional)
        self.raised: ErrorEvent | None = None
        """The error of the script or operation that has just run, until a boundary event catches it."""
        self.failed: BusinessError | None = None
        """The operation's own error behind `raised`; None for a script's."""
        self.called: dict[str, Mapping[str, Any]] = {}
        """By task, what was given to operations that were called in this step and answer later."""
        self._weights: dict[str, int] | None = None
        """By variable of a script, how many values it holds; reckoned when one is set."""
        super().__init__(spec.process, dict(spec.subprocesses), deserializing=deserializing)

    def create_subprocess(self, my_task: Any, spec_name: str) -> Scope:
        """Make the workflow of a sub-process; the library calls this when the sub-process begins."""
        scope = Scope(self.subprocess_specs[spec_name], parent_task_id=my_task.id, top_workflow=self)
        self.subprocesses[my_task.id] = scope
        return scope

    def scopes(self) -> list[Any]:
        """Return the process and its sub-processes, outer before inner."""
        return [self, *self.subprocesses.values()]

    def names(self, task: Any) -> dict[str, Any]:
        """Return what an expression of this task may read.

        The host's live names win over stored ones, the names of a loop instance over both. Where a script and a form
        set the same name, the later value counts.
        """
        lent = self.host.names() if self.host is not None else {}
        stored = {**self._variables(lent), **self._given(task, lent)}
        return {**self.optional, **self.data, **task.data, **lent, **stored, **local_names(task)}

    def names_of(self, task: Any) -> Mapping[str, Any]:
        """Return the names of this task that only the engine knows: variables of scripts, of its call, of its loop."""
        if not self.has_variables and _GIVEN not in task.data:
            return local_names(task)
        lent = self.host.names() if self.host is not None else {}
        return {**self._variables(lent), **self._given(task, lent), **local_names(task)}

    @property
    def has_variables(self) -> bool:
        """Whether a script has set a variable."""
        return _KEPT in self.data

    def _variables(self, lent: Mapping[str, Any]) -> dict[str, Any]:
        kept = self.data.get(_KEPT)
        if not kept:
            return {}
        effort.spend(len(kept))
        return {name: value for name, (value, was) in kept.items() if name not in lent or mark(lent[name]) == was}

    def give(self, task: Any, values: Mapping[str, Any]) -> None:
        """Let the task and what follows it in its scope read these values, until a script or a form sets the name."""
        lent, kept = self.host.names() if self.host is not None else {}, self.data.get(_KEPT, {})
        given = {
            name: [plain(name, value), mark(lent.get(name)), mark(kept.get(name))] for name, value in values.items()
        }
        task.data[_GIVEN] = {**task.data.get(_GIVEN, {}), **given}

    def take_back(self, task: Any, outer: Mapping[str, Any]) -> None:
        """Let the task read the given values of `outer` again, the data that it had before its call."""
        task.data.pop(_GIVEN, None)
        if _GIVEN in outer:
            task.data[_GIVEN] = outer[_GIVEN]

    def _given(self, task: Any, lent: Mapping[str, Any]) -> dict[str, Any]:
        given, kept = task.data.get(_GIVEN, {}), self.data.get(_KEPT, {})
        effort.spend(2 * len(given))
        return {
            name: value
            for name, (value, form, script) in given.items()
            if mark(lent.get(name)) == form and mark(kept.get(name)) == script
        }

    def set_variable(self, name: str, value: Any) -> None:
        """Set a process variable. Raises ExpressionError unless the value is made of numbers, texts and lists."""
        lent = self.host.names() if self.host is not None else {}
        stored = plain(name, value)
        kept = self.data.get(_KEPT, {})
        if self._weights is None:
            self._weights = {one: weight(held) for one, (held, _mark) in kept.items()}
        self._weights[name] = 1 + weight(stored)
        effort.spend(2 * len(kept))
        if sum(self._weights.values()) > MAX_VARIABLES:
            raise LimitReached("variables", MAX_VARIABLES)
        self.data[_KEPT] = {**kept, name: [stored, mark(lent.get(name))]}


MAX_VARIABLES = 30_000  # values that the variables of scripts hold together, see `weight`

_GIVEN = "_given"
"""Key of a task's data for the values of its call, each with digests of the form's and the script's value then."""
_KEPT = "_kept"
"""Key of the process data for variables of scripts, each with the digest of the host's value at that time."""
