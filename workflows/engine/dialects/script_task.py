"""The node of a script task."""

# mypy: disallow-subclassing-any=False, disable-error-code="import-untyped"

from typing import Any

from SpiffWorkflow.bpmn.specs.mixins import BpmnSpecMixin

from workflows.engine.dialects import scripts
from workflows.engine.specs import ErrorEvent, Lazy


class ScriptTask(Lazy, BpmnSpecMixin):
    """A script task: it sets variables as the translated script says; a boundary event catches its errors."""

    script = scripts.Script()

    def _run_hook(self, my_task: Any) -> Any:
        top = my_task.workflow.top_workflow
        code = scripts.run(self.script, lambda: top.names(my_task), top.set_variable)
        if code is not None:
            top.raised = ErrorEvent("error", code)
            return None  # a boundary event catches the error, see `run`
        return super()._run_hook(my_task)
