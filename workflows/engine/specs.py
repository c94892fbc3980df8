"""Our kinds of nodes: SpiffWorkflow's, made lazy, flat and independent of the history of the task tree.

Stock nodes predict what may follow, and their joins read the ancestors of a task. Prediction costs up to 2^n tasks
for n parallel blocks, and a tree that joins depend on can never be cut. Here a node makes its children when it runs,
and a join keeps its own record of who arrived. So the live state is the tokens and nothing else (see `compact`).
"""

# mypy: disallow-subclassing-any=False, disable-error-code="import-untyped"

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from SpiffWorkflow.bpmn.specs import defaults
from SpiffWorkflow.bpmn.specs.bpmn_process_spec import BpmnProcessSpec
from SpiffWorkflow.bpmn.specs.control import _EndJoin
from SpiffWorkflow.bpmn.specs.event_definitions.base import EventDefinition
from SpiffWorkflow.bpmn.specs.mixins import BpmnSpecMixin
from SpiffWorkflow.util.task import TaskState

from workflows.engine import scripts
from workflows.engine.errors import ExpressionError
from workflows.engine.expressions import evaluate, holds
from workflows.engine.model import LATER, Thrown
from workflows.engine.timetext import check_cycle, check_date, check_duration
from workflows.engine.values import mark

ARRIVED = "arrived"  # internal data of a join's task: the node its token came from, until the join has used it


@dataclass(frozen=True)
class Flow:
    """A sequence flow as its source knows it; `condition` is None for the default and outside choices."""

    id: str
    target: str
    condition: str | None


class Lazy:
    """Mixin before a stock node: nothing is predicted, children are made when the node runs."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.flows: list[Flow] = []

    def _predict_hook(self, my_task: Any) -> None:
        """Stock would add the branches that may follow; see the module's docstring."""

    def _run_hook(self, my_task: Any) -> Any:
        result = super()._run_hook(my_task)  # type: ignore[misc]
        if result:
            self.go_on(my_task, self.flows, self.outputs)  # type: ignore[attr-defined]
        return result

    def go_on(self, my_task: Any, flows: list[Flow], outputs: list[Any]) -> None:
        """Put a token on each of `outputs` and note the flows taken."""
        my_task._sync_children(outputs, TaskState.FUTURE)
        for child in my_task.children:
            # The internal node before a task with boundary events must know its children before it runs.
            child.task_spec._predict(child, mask=TaskState.FUTURE)
        my_task.workflow.top_workflow.flows.extend(flow.id for flow in flows)


class StartEvent(Lazy, defaults.StartEvent):
    """A start event without a trigger."""


class Throws:
    """Mixin of what may throw a message: it is noted in the step, and the caller carries it to who waits for it.

    What it raises instead, an error or an escalation, goes to a border around it; see `run`.
    """

    message: "Message | None" = None
    fault: "Fault | None" = None

    def _run_hook(self, my_task: Any) -> Any:
        if self.message is not None and not self.message.is_own:
            name, key = self.message.name_at(my_task), self.message.key_at(my_task)
            thrown = Thrown(self.bpmn_id, name, key)  # type: ignore[attr-defined]
            my_task.workflow.top_workflow.thrown.append(thrown)
        return super()._run_hook(my_task)  # type: ignore[misc]


class EndEvent(Throws, Lazy, defaults.EndEvent):
    """An end event: plain, terminating, throwing a message, or raising an error or an escalation.

    One that terminates ends its scope; with the `reach` 'all' the process, with 'loop' all instances of the activity
    that it lies in and that is done several times (Flowable's terminateAll and terminateMultiInstance).
    """

    reach = ""


class ThrowEvent(Throws, Lazy, defaults.IntermediateThrowEvent):
    """A message or an escalation in the way of the token, as an event or a task; with neither of them a milestone."""


class UserTask(Lazy, defaults.UserTask):
    """Waits for a person."""


class PassThrough(Lazy, BpmnSpecMixin):
    """`task` and `manualTask`: nothing to do for the system, the token goes on (stock would wait)."""


class ServiceTask(Lazy, BpmnSpecMixin):
    """Calls the host's operation named in the model; an exception of it leaves the engine as it is.

    A task whose answer comes later has begun and is not over: it waits, and boundary events may end it.
    """

    operation = ""
    parameters: Mapping[str, str] = MappingProxyType({})

    def _run_hook(self, my_task: Any) -> Any:
        top = my_task.workflow.top_workflow
        names = top.names(my_task) if self.parameters else {}
        given = {name: evaluate(source, names) for name, source in self.parameters.items()}
        if top.host.call(self.operation, self.bpmn_id, given) is LATER:
            return None
        return super()._run_hook(my_task)

    def answered(self, my_task: Any) -> None:
        """Go on behind a task that waited."""
        super()._run_hook(my_task)
        my_task.complete()


class ScriptTask(Lazy, BpmnSpecMixin):
    """Gives variables their values, as another engine's script says; an error that it raises goes to a border."""

    script = scripts.Script()

    def _run_hook(self, my_task: Any) -> Any:
        top = my_task.workflow.top_workflow
        code = scripts.run(self.script, lambda: top.names(my_task), top.keep)
        if code is not None:
            top.raised = Fault("error", code)
            return None  # a border ends it, see `run`
        return super()._run_hook(my_task)


class SubProcess(Lazy, defaults.SubWorkflowTask):
    """An embedded sub-process."""


class BoundaryEvent(Lazy, defaults.BoundaryEvent):
    """A timer, message, error or escalation on the border of a task or sub-process."""


class IntermediateCatchEvent(Lazy, defaults.IntermediateCatchEvent):
    """A timer or message in the way of the token; a receive task too."""


class ExclusiveGateway(Lazy, defaults.ExclusiveGateway):
    """The first flow, in the order of the model's text, whose condition holds; else the default."""

    def _run_hook(self, my_task: Any) -> bool:
        flow = _chosen(my_task, self.flows, self.bpmn_id)
        self.go_on(my_task, [flow], [self._wf_spec.task_specs[flow.target]])
        return True


def _chosen(my_task: Any, flows: list[Flow], node: str) -> Flow:
    names = my_task.workflow.top_workflow.names(my_task)
    for flow in flows:
        if flow.condition is not None and holds(flow.condition, names):
            return flow
    for flow in flows:
        if flow.condition is None:
            return flow
    raise _no_way(node)


def _no_way(node: str) -> ExpressionError:
    return ExpressionError(node, "没有任何分支的条件成立", "no branch of the gateway has a condition that holds")


class Arrivals:
    """Mixin of the joining gateways: a record of arrivals instead of a search through the tree.

    Stock counts finished inputs in the whole tree, so that a second round through a loop fires on tokens of the
    first. Here an arrival is a task of the join with `ARRIVED` in its internal data; firing takes the mark away.
    """

    def _update_hook(self, my_task: Any) -> bool:
        my_task._inherit_data()
        if not my_task.has_state(TaskState.WAITING):
            my_task.internal_data[ARRIVED] = my_task.parent.task_spec.name
        arrived = [
            task for task in my_task.workflow.tasks.values() if task.task_spec is self and ARRIVED in task.internal_data
        ]
        used = self.enough(my_task, sorted(arrived, key=lambda task: task.last_state_change))
        for task in arrived:
            if task is not my_task and task.has_state(TaskState.WAITING):
                task.cancel()  # one token stands for all that wait here; the marks stay
        if not used:
            my_task._set_state(TaskState.WAITING)
            return False
        own = dict(my_task.data)
        for task in used:
            my_task.data.update(task.data)
            del task.internal_data[ARRIVED]
        my_task.data.update(own)
        return True

    def enough(self, my_task: Any, arrived: list[Any]) -> list[Any]:
        """The arrivals that make the join fire now, or none."""
        raise NotImplementedError


class ParallelGateway(Arrivals, Lazy, defaults.ParallelGateway):
    """Fires when a token came over each way in; one of each is used."""

    def enough(self, my_task: Any, arrived: list[Any]) -> list[Any]:
        first = {task.internal_data[ARRIVED]: task for task in reversed(arrived)}
        return list(first.values()) if set(self._inputs) <= set(first) else []

    def _run_hook(self, my_task: Any) -> bool:
        self.go_on(my_task, self.flows, self.outputs)
        return True


class InclusiveGateway(Arrivals, Lazy, defaults.InclusiveGateway):
    """Fires as BPMN says: when no other token of its scope can still come over a way in that has none.

    A token that can also come over a way that has one is not waited for: in a loop every token could come again.
    Goes on over every flow whose condition holds.
    """

    sources: Mapping[str, frozenset[str]] = MappingProxyType({})
    """By way in, the names of the nodes that lead to it without passing through this gateway."""

    def enough(self, my_task: Any, arrived: list[Any]) -> list[Any]:
        taken = {task.internal_data[ARRIVED] for task in arrived}
        for task in my_task.workflow.tasks.values():
            if task.task_spec is self or not task.has_state(TaskState.NOT_FINISHED_MASK):
                continue
            ways = {way for way, names in self.sources.items() if task.task_spec.name in names}
            if ways and not ways & taken:
                return []
        return arrived

    def _run_hook(self, my_task: Any) -> bool:
        names = my_task.workflow.top_workflow.names(my_task)
        flows = [flow for flow in self.flows if flow.condition is not None and holds(flow.condition, names)]
        flows = flows or [flow for flow in self.flows if flow.condition is None]
        if not flows:
            raise _no_way(self.bpmn_id)
        self.go_on(my_task, flows, [self._wf_spec.task_specs[flow.target] for flow in flows])
        return True


class EndJoin(Lazy, _EndJoin):
    """The internal node behind all end events: fires when its scope holds no other token."""

    def _update_hook(self, my_task: Any) -> bool:
        my_task._inherit_data()
        others = [
            task
            for task in my_task.workflow.tasks.values()
            if task is not my_task and task.has_state(TaskState.NOT_FINISHED_MASK)
        ]
        for task in others:
            if task.task_spec is self:
                task.cancel()
        if any(task.task_spec is not self for task in others):
            my_task._set_state(TaskState.WAITING)
            return False
        return True

    def _run_hook(self, my_task: Any) -> bool:
        self.go_on(my_task, [], self.outputs)
        return True


class ProcessSpec(BpmnProcessSpec):
    """A scope (the process or a sub-process) with our end."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        stock = self.end
        del self.task_specs[stock.name]
        self.end: Any = EndJoin(self, stock.name)
        self.end.outputs = stock.outputs
        for spec in stock.outputs:
            spec.inputs = [self.end]


_CHECKS = {"duration": check_duration, "cycle": check_cycle, "date": check_date}


class Timer(EventDefinition):
    """A timer that fires when it is told to: the engine looks at no clock.

    `kind` is 'duration', 'cycle' or 'date', whose `text` is a template that gives ISO text, or 'due', whose text is the
    name of a registered function. The text is evaluated when the timer begins to wait. One with a cycle that breaks
    nothing off waits again until its cycle is over.
    """

    def __init__(self, kind: str, text: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.kind = kind
        self.text = text

    def update_task(self, my_task: Any) -> None:
        if "timer" not in my_task.internal_data:
            my_task.internal_data["timer"] = self._evaluated(my_task)

    def _evaluated(self, my_task: Any) -> str:
        if self.kind == "due":
            return self.text
        value = evaluate(self.text, my_task.workflow.top_workflow.names(my_task))
        return _CHECKS[self.kind](self.text, value)

    def reset(self, my_task: Any) -> None:
        super().reset(my_task)
        my_task.internal_data.pop("timer", None)


MAX_KEY = 100  # characters of a message's key
SIGNAL = "signal:"
"""What the name of a message begins with that is a signal in the drawing."""


class Message(EventDefinition):
    """A message by name and key; it is caught when the engine is told to.

    `called` is a template for a name that is known only then, '' where `name` is the name. `key` is a template too;
    both are evaluated when the event begins to wait or throws. An empty key stands for the one by which the caller
    knows the instance. One that is a signal is heard by the instance that throws it too, at once; without a key by that
    alone.
    """

    def __init__(self, name: str, key: str, called: str = "", **kwargs: Any) -> None:
        super().__init__(name, **kwargs)
        self.key = key
        self.called = called
        self.is_signal = name.startswith(SIGNAL)
        self.is_own = self.is_signal and not key

    def update_task(self, my_task: Any) -> None:
        if self.called and "name" not in my_task.internal_data:
            my_task.internal_data["name"] = self.name_at(my_task)
        if self.key and "key" not in my_task.internal_data:
            my_task.internal_data["key"] = self.key_at(my_task)

    def name_at(self, my_task: Any) -> str:
        """The name as it is now. Raises ExpressionError when it gives no short text."""
        if not self.called:
            return str(self.name)
        value = evaluate(self.called, my_task.workflow.top_workflow.names(my_task))
        if not isinstance(value, str) or not 0 < len(value) <= MAX_KEY:
            raise ExpressionError(
                self.called, f"消息名称需为1至{MAX_KEY}个字符", f"the name of a message has 1 to {MAX_KEY} characters"
            )
        return value

    def key_at(self, my_task: Any) -> str:
        """The key as it is now, '' where the model names none. Raises ExpressionError when it gives no short text."""
        if not self.key:
            return ""
        value = evaluate(self.key, my_task.workflow.top_workflow.names(my_task))
        if isinstance(value, bool) or not isinstance(value, (str, int)) or not 0 < len(str(value)) <= MAX_KEY:
            raise ExpressionError(
                self.key, f"消息的关联值需为1至{MAX_KEY}个字符", f"a message's key has 1 to {MAX_KEY} characters"
            )
        return str(value)

    def reset(self, my_task: Any) -> None:
        super().reset(my_task)
        my_task.internal_data.pop("key", None)
        my_task.internal_data.pop("name", None)


class Fault(EventDefinition):
    """An error or an escalation, as `kind` says, with its code; caught on a border, one without code stands for all."""

    def __init__(self, kind: str, code: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.kind = kind
        self.code = code

    def fits(self, raised: "Fault") -> bool:
        """Whether a border with this definition catches what was raised."""
        return self.kind == raised.kind and self.code in ("", raised.code)


class Change(EventDefinition):
    """Happens when a condition begins to hold or, where a variable is named, when that changes; asked after each step.

    `kind` says which change: 'create' (it had no value), 'update' (it had one), 'delete', 'update-create' or 'all'.
    """

    def __init__(self, condition: str, variable: str = "", kind: str = "all", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.condition = condition
        self.variable = variable
        self.kind = kind

    def update_task(self, my_task: Any) -> None:
        if self.variable and "was" not in my_task.internal_data:
            my_task.internal_data["was"] = self._mark(my_task)

    def _mark(self, my_task: Any) -> str:
        return mark(my_task.workflow.top_workflow.names(my_task).get(self.variable))

    def happened(self, my_task: Any) -> bool:
        """Whether it has happened since this was asked last, or since the event began to wait."""
        kept = my_task.internal_data
        if not self.variable:
            held, kept["held"] = kept.get("held", False), self._holds(my_task)
            return bool(kept["held"] and not held)
        was, kept["was"] = kept["was"], self._mark(my_task)
        if was == kept["was"]:
            return False
        kind = "create" if not was else "update" if kept["was"] else "delete"
        return self.kind == "all" or kind in self.kind.split("-")

    def _holds(self, my_task: Any) -> bool:
        return holds(self.condition, _Unset(my_task.workflow.top_workflow.names(my_task)))

    def reset(self, my_task: Any) -> None:
        super().reset(my_task)
        for name in ("was", "held"):
            my_task.internal_data.pop(name, None)


class _Unset(dict[str, Any]):
    """Names for a condition that waits: one that nobody has set yet is null."""

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> None:
        return None
