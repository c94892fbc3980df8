"""A running instance in memory: SpiffWorkflow's workflow with our host, our names and scans that see every task."""

# mypy: disallow-subclassing-any=False, disable-error-code="import-untyped"

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from uuid import UUID

from SpiffWorkflow.bpmn.util.subworkflow import BpmnSubWorkflow
from SpiffWorkflow.bpmn.workflow import BpmnWorkflow
from SpiffWorkflow.specs.Join import Join
from SpiffWorkflow.util.task import TaskState

from workflows.engine.many import local_names
from workflows.engine.model import Host, Specification, Thrown
from workflows.engine.values import mark, plain

if TYPE_CHECKING:
    from workflows.engine.specs import Fault

# The library builds dictionaries with task lists and data for each state change while these loggers sit at their
# default level, whether or not anybody listens; it looks at each logger's own level, so all four are set.
for _name in ("spiff", "spiff.workflow", "spiff.task", "spiff.data"):
    logging.getLogger(_name).setLevel(logging.WARNING)


class Flat:
    """Mixin of both kinds of workflow: look at all tasks where stock walks 1,000 levels of the tree."""

    tasks: dict[UUID, Any]

    def _remove_task(self, task_id: UUID) -> None:
        """What runs inside a task that is dropped with the one above it ends now, not when the step is over."""
        scope = self.top_workflow.subprocesses.get(task_id)  # type: ignore[attr-defined]
        if scope is not None:
            scope.cancel()
        super()._remove_task(task_id)  # type: ignore[misc]

    def update_waiting_tasks(self) -> None:
        """Ask the joins again; events wait until they are told, so nobody else can have changed."""
        for task in list(self.tasks.values()):
            # The state is read here and not before the loop: one join cancels another.
            if task.state == TaskState.WAITING and isinstance(task.task_spec, Join):
                task.task_spec._update(task)


class Scope(Flat, BpmnSubWorkflow):
    """A sub-process that runs."""


class Instance(Flat, BpmnWorkflow):
    """A process that runs. `data` is the process data; a task's own data is only the outcome on its branch."""

    def __init__(self, spec: Specification, host: Host | None, deserializing: bool = False) -> None:
        self.host = host
        self.passed: list[str] = []
        self.flows: list[str] = []
        self.thrown: list[Thrown] = []
        self.decided: dict[str, str] = {}
        self.optional = dict.fromkeys(spec.optional)
        self.raised: Fault | None = None
        """The error of the script that has just run, until a border has it."""
        super().__init__(spec.process, dict(spec.subprocesses), deserializing=deserializing)

    def create_subprocess(self, my_task: Any, spec_name: str) -> Scope:
        """The sub-workflow of a task; called by the library when a sub-process begins."""
        scope = Scope(self.subprocess_specs[spec_name], parent_task_id=my_task.id, top_workflow=self)
        self.subprocesses[my_task.id] = scope
        return scope

    def scopes(self) -> list[Any]:
        """The process and its sub-processes, outer before inner."""
        return [self, *self.subprocesses.values()]

    def names(self, task: Any) -> dict[str, Any]:
        """What an expression at this task may read; the host's live names win over stored ones, a loop's over both.

        Of a name that both a script and a form gives, the later value counts.
        """
        lent = self.host.names() if self.host is not None else {}
        return {**self.optional, **self.data, **task.data, **lent, **self._variables(lent), **local_names(task)}

    def names_of(self, task: Any) -> dict[str, Any]:
        """What only the engine knows of the names at this task: what scripts have set, and what is a loop's."""
        lent = self.host.names() if self.host is not None and _KEPT in self.data else {}
        return {**self._variables(lent), **local_names(task)}

    def _variables(self, lent: Mapping[str, Any]) -> dict[str, Any]:
        kept = self.data.get(_KEPT, {})
        return {name: value for name, (value, was) in kept.items() if name not in lent or mark(lent[name]) == was}

    def keep(self, name: str, value: Any) -> None:
        """Give a variable of the process a value. Raises ExpressionError unless it is plain: numbers, texts, lists."""
        lent = self.host.names() if self.host is not None else {}
        stored = plain(name, value)
        kept = self.data.get(_KEPT, {})
        self.data[_KEPT] = {**kept, name: [stored, mark(lent.get(name))]}


_KEPT = "_kept"
"""In the process data: what scripts have set, with the mark of what the host said then; no expression reads it."""
