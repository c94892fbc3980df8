"""Our classes of nodes: those of SpiffWorkflow without prediction, with joins that do not read the history.

SpiffWorkflow predicts the tasks that may follow, and its joins search the ancestors of a task. Prediction costs up to
2^n tasks for n parallel blocks, and a tree that joins depend on can never be cut. Here a node makes its child tasks
when it runs, and a join records who arrived. So the live state holds the tokens and nothing else (see `compact`).
"""

# mypy: disallow-subclassing-any=False, disable-error-code="import-untyped"

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

from SpiffWorkflow.bpmn.specs import defaults
from SpiffWorkflow.bpmn.specs.bpmn_process_spec import BpmnProcessSpec
from SpiffWorkflow.bpmn.specs.control import _EndJoin
from SpiffWorkflow.bpmn.specs.event_definitions.base import EventDefinition
from SpiffWorkflow.bpmn.specs.mixins import BpmnSpecMixin
from SpiffWorkflow.util.task import TaskState

from workflows.engine import effort, graphs, working
from workflows.engine.errors import BusinessError, EngineError, ExpressionError, NeverAgain, NoFlowHolds
from workflows.engine.expressions import evaluate, holds
from workflows.engine.model import LATER, Thrown
from workflows.engine.repetitions import check_cycle
from workflows.engine.timetext import check_date, check_duration
from workflows.engine.values import mark

ARRIVED = "arrived"  # internal data of a join's task: the node its token came from, until the join has used it
FAILED = "failed"  # internal data of a task whose node failed: code and sentences, see `faults`


def mark_failed(task: Any, error: EngineError) -> None:
    """Note in a task why its token cannot go on."""
    task.internal_data[FAILED] = [error.code, error.text_zh, error.text_en]


@dataclass(frozen=True)
class Flow:
    """A sequence flow as its source knows it. `condition` is None for a default flow and outside of choices."""

    id: str
    target: str
    condition: str | None


class Lazy:
    """Mixin before a class of the library: it predicts nothing and makes its child tasks when the node runs."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.flows: list[Flow] = []

    def _predict_hook(self, my_task: Any) -> None:
        """Predict nothing; the library would add the branches that may follow."""

    def _run_hook(self, my_task: Any) -> Any:
        result = super()._run_hook(my_task)  # type: ignore[misc]
        if result:
            self.go_on(my_task, self.flows, self.outputs)  # type: ignore[attr-defined]
        return result

    def go_on(self, my_task: Any, flows: list[Flow], outputs: list[Any]) -> None:
        """Put a token on each of `outputs` and note the flows that it takes."""
        effort.spend(20 * len(outputs))
        my_task._sync_children(outputs, TaskState.FUTURE)
        for child in my_task.children:
            # The internal node before a task with boundary events must know its children before it runs.
            child.task_spec._predict(child, mask=TaskState.FUTURE)
        my_task.workflow.top_workflow.flows.extend(flow.id for flow in flows)


class StartEvent(Lazy, defaults.StartEvent):
    """A start event without a trigger."""


class Throwing:
    """Mixin of nodes that may throw a message, which the step notes and the caller delivers.

    An error or escalation goes to a boundary event around the node instead; see `run`.
    """

    message: "MessageEvent | None" = None
    error: "ErrorEvent | None" = None

    def _run_hook(self, my_task: Any) -> Any:
        if self.message is not None and not self.message.is_own:
            name, key = self.message.name_at(my_task), self.message.key_at(my_task)
            thrown = Thrown(self.bpmn_id, name, key)  # type: ignore[attr-defined]
            my_task.workflow.top_workflow.thrown.append(thrown)
        return super()._run_hook(my_task)  # type: ignore[misc]


class EndEvent(Throwing, Lazy, defaults.EndEvent):
    """An end event: without a trigger, terminating, throwing a message, or raising an error or an escalation.

    A terminating one ends its scope; with the `reach` 'all' the whole process, with 'loop' all loop instances of the
    multi-instance activity around it (Flowable's terminateAll and terminateMultiInstance).
    """

    reach = ""


class ThrowEvent(Throwing, Lazy, defaults.IntermediateThrowEvent):
    """An intermediate event or send task that throws a message or an escalation, or does nothing."""


class UserTask(Lazy, defaults.UserTask):
    """A user task: it waits for a person."""


class PassThrough(Lazy, BpmnSpecMixin):
    """An undefined or manual task: the token passes at once, where the library would wait."""


class ServiceTask(Lazy, BpmnSpecMixin):
    """A service task: it calls the operation that the model names.

    It waits, as a started task, for an operation that answers later. A business error goes to a boundary event; other
    exceptions of the operation leave the engine.
    """

    operation = ""
    parameters: Mapping[str, str] = MappingProxyType({})

    def _run_hook(self, my_task: Any) -> Any:
        top = my_task.workflow.top_workflow
        given = self.given(my_task)
        try:
            answers = top.host.call(self.operation, self.bpmn_id, given)
        except BusinessError as error:
            top.raised, top.failed = ErrorEvent("error", error.code), error
            return None  # a boundary event catches the error, see `run`
        if answers is LATER:
            top.called[my_task.id.hex] = given
            return None  # it has begun and is not over
        return super()._run_hook(my_task)

    def given(self, my_task: Any) -> dict[str, Any]:
        """Return the parameters as their expressions give them now."""
        names = my_task.workflow.top_workflow.names(my_task) if self.parameters else {}
        return {name: evaluate(source, names) for name, source in self.parameters.items()}


class SubProcess(Lazy, defaults.SubWorkflowTask):
    """An embedded sub-process.

    One that was called evaluates the values that it is `given` when it begins, and those that are `returned` when it is
    over: templates by name. What is given is read inside of it alone; what is returned becomes a variable.
    """

    given: Mapping[str, str] = MappingProxyType({})
    returned: Mapping[str, str] = MappingProxyType({})

    def copy_data(self, my_task: Any, subworkflow: Any) -> None:
        super().copy_data(my_task, subworkflow)
        top = my_task.workflow.top_workflow
        if self.given:
            names = top.names(my_task)
            values = {name: evaluate(source, names) for name, source in self.given.items()}
            top.give(subworkflow.get_next_task(spec_name="Start"), values)

    def update_data(self, my_task: Any, subworkflow: Any) -> None:
        top, outer = my_task.workflow.top_workflow, my_task.data
        names = top.names(subworkflow.last_task) if self.returned else {}
        values = {name: evaluate(source, names) for name, source in self.returned.items()}
        super().update_data(my_task, subworkflow)
        if self.given:
            top.take_back(my_task, outer)
        for name, value in values.items():
            top.set_variable(name, value)


class Catching:
    """Mixin of events that wait: one whose time or key cannot be evaluated waits for somebody to repair it."""

    def _update_hook(self, my_task: Any) -> Any:
        try:
            return super()._update_hook(my_task)  # type: ignore[misc]
        except ExpressionError as error:
            mark_failed(my_task, error)
            return False


class BoundaryEvent(Catching, Lazy, defaults.BoundaryEvent):
    """A boundary event of a task or sub-process: timer, message, error, escalation or condition.

    One that `begins_handler` stands for the start of an event sub-process (see `unfold`).
    """

    begins_handler = False


class IntermediateCatchEvent(Catching, Lazy, defaults.IntermediateCatchEvent):
    """An intermediate event or receive task that waits for a timer, a message or a condition."""


class ExclusiveGateway(Lazy, defaults.ExclusiveGateway):
    """An exclusive gateway: it takes the first flow of the text whose condition holds, else the default flow."""

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
    raise NoFlowHolds(node)


class Arrivals:
    """Mixin of the joining gateways: they record arrivals instead of searching the task tree.

    The library counts finished inputs in the whole tree, so that the second round of a loop fires on tokens of the
    first. Here an arrival is a task of the join with `ARRIVED` in its internal data; firing removes the mark.
    """

    def _update_hook(self, my_task: Any) -> bool:
        my_task._inherit_data()
        if not my_task.has_state(TaskState.WAITING):
            my_task.internal_data[ARRIVED] = my_task.parent.task_spec.name
        effort.spend(len(my_task.workflow.tasks) // 4)
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
        """Return the arrivals that make the join fire now, or an empty list."""
        raise NotImplementedError


class ParallelGateway(Arrivals, Lazy, defaults.ParallelGateway):
    """A parallel gateway: it fires when a token came over each incoming flow, and uses one token of each."""

    def enough(self, my_task: Any, arrived: list[Any]) -> list[Any]:
        first = {task.internal_data[ARRIVED]: task for task in reversed(arrived)}
        return list(first.values()) if set(self._inputs) <= set(first) else []

    def _run_hook(self, my_task: Any) -> bool:
        self.go_on(my_task, self.flows, self.outputs)
        return True


class InclusiveGateway(Arrivals, Lazy, defaults.InclusiveGateway):
    """An inclusive gateway: it fires when no other token of its scope can still come over a flow without a token.

    A token that can also come over a flow that has one is not waited for: in a loop every token could come again. The
    gateway takes every outgoing flow whose condition holds.
    """

    @cached_property
    def ways(self) -> Mapping[str, int]:
        """By node, over which incoming flows a token comes from there without passing this gateway: a bit for each.

        They are found when the gateway is first met. Nodes are looked at behind those that follow them, again and again
        while loops bring more.
        """
        specs = self._wf_spec.task_specs
        found: dict[str, int] = {}
        own = {name: 1 << place for place, name in enumerate(self._inputs)}
        order = graphs.followers_first({name: spec._outputs for name, spec in specs.items()}, self.name)
        is_changed = True
        while is_changed:
            is_changed = False
            effort.spend(2 * len(order))
            for name in order:
                ways = own.get(name, 0)
                for following in specs[name]._outputs:
                    ways |= found.get(following, 0)
                if ways != found.get(name, 0):
                    found[name], is_changed = ways, True
        return found

    def enough(self, my_task: Any, arrived: list[Any]) -> list[Any]:
        taken = 0
        for task in arrived:
            taken |= 1 << self._inputs.index(task.internal_data[ARRIVED])
        effort.spend(len(my_task.workflow.tasks) // 4)
        for task in my_task.workflow.tasks.values():
            stands = task.has_state(TaskState.NOT_FINISHED_MASK) or ARRIVED in task.internal_data
            if task.task_spec is self or not stands:
                continue
            ways = self.ways.get(task.task_spec.name, 0)
            if ways and not ways & taken:
                return []
        return arrived

    def _run_hook(self, my_task: Any) -> bool:
        names = my_task.workflow.top_workflow.names(my_task)
        flows = [flow for flow in self.flows if flow.condition is not None and holds(flow.condition, names)]
        flows = flows or [flow for flow in self.flows if flow.condition is None]
        if not flows:
            raise NoFlowHolds(self.bpmn_id)
        self.go_on(my_task, flows, [self._wf_spec.task_specs[flow.target] for flow in flows])
        return True


class EndJoin(Lazy, _EndJoin):
    """The internal node behind all end events: it fires when its scope holds no other token, at a join neither."""

    def _update_hook(self, my_task: Any) -> bool:
        my_task._inherit_data()
        effort.spend(len(my_task.workflow.tasks) // 4)
        others = [
            task
            for task in my_task.workflow.tasks.values()
            if task is not my_task and (task.has_state(TaskState.NOT_FINISHED_MASK) or ARRIVED in task.internal_data)
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
    """The specification of a scope, which is the process or a sub-process, with our EndJoin."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        stock = self.end
        del self.task_specs[stock.name]
        self.end: Any = EndJoin(self, stock.name)
        self.end.outputs = stock.outputs
        for spec in stock.outputs:
            spec.inputs = [self.end]


_CHECKS = {"duration": check_duration, "cycle": check_cycle, "date": check_date}


class TimerEvent(EventDefinition):
    """A timer event definition. The engine looks at no clock: the timer fires when the caller says so.

    `kind` is 'duration', 'cycle' or 'date', whose `text` is a template that gives ISO text, or 'due', whose text is the
    name of a registered due function. The text is evaluated when the timer begins to wait, and so is `end`, the moment
    after which a cycle is over. A non-interrupting timer with a cycle waits again until its repetitions are over.
    `is_working` says that it counts working time.

    An event that a token waits at fails where no occurrence of its repetition comes any more. At a border that is no
    fault: what it is attached to goes on.
    """

    is_from_outside = True

    def __init__(self, kind: str, text: str, end: str = "", *, is_working: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.kind = kind
        self.text = text
        self.end = end
        self.is_working = is_working

    def update_task(self, my_task: Any) -> None:
        if "timer" not in my_task.internal_data:
            my_task.internal_data["timer"] = self._evaluated(my_task)

    def _evaluated(self, my_task: Any) -> str:
        if self.kind == "due":
            return self.text
        names = my_task.workflow.top_workflow.names(my_task)
        value = evaluate(self.text, names)
        if self.end:
            found = check_cycle(self.text, value, evaluate(self.end, names))
        else:
            found = _CHECKS[self.kind](self.text, value)
        if self.is_working:
            return working.check(self.text, found)
        is_waited_for = self.kind == "cycle" and isinstance(my_task.task_spec, IntermediateCatchEvent)
        if is_waited_for and not my_task.workflow.top_workflow.host.comes(found):
            raise NeverAgain(found)
        return found

    def reset(self, my_task: Any) -> None:
        super().reset(my_task)
        my_task.internal_data.pop("timer", None)


MAX_KEY = 100  # characters of a message's key
SIGNAL = "signal:"
"""Prefix of the names of messages that are signals in the model."""


class MessageEvent(EventDefinition):
    """A message event definition, with the message's name and correlation key.

    `called` is a template for a name that is known only at run time, '' where `name` is the name. `key` is a template
    too; both are evaluated when the event begins to wait or throws. An empty key means the instance itself, which the
    caller knows. A signal reaches the instance that throws it too, at once; without a key it reaches this instance
    alone.
    """

    is_from_outside = True

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
        """Return the name as it is now. Raises ExpressionError when its template gives no short text."""
        if not self.called:
            return str(self.name)
        value = evaluate(self.called, my_task.workflow.top_workflow.names(my_task))
        if not isinstance(value, str) or not 0 < len(value) <= MAX_KEY:
            raise ExpressionError(
                self.called, f"消息名称应为1至{MAX_KEY}个字符", f"the message name must have 1 to {MAX_KEY} characters"
            )
        return value

    def key_at(self, my_task: Any) -> str:
        """Return the correlation key as it is now, '' where the model has none. Raises ExpressionError."""
        if not self.key:
            return ""
        value = evaluate(self.key, my_task.workflow.top_workflow.names(my_task))
        if isinstance(value, bool) or not isinstance(value, (str, int)) or not 0 < len(str(value)) <= MAX_KEY:
            raise ExpressionError(
                self.key,
                f"消息的关联键应为1至{MAX_KEY}个字符",
                f"the correlation key must have 1 to {MAX_KEY} characters",
            )
        return str(value)

    def reset(self, my_task: Any) -> None:
        super().reset(my_task)
        my_task.internal_data.pop("key", None)
        my_task.internal_data.pop("name", None)


class ErrorEvent(EventDefinition):
    """An error or escalation event definition, as `kind` says; one without a code catches every code.

    The code that is caught becomes the value of the `variables`.
    """

    is_from_outside = False

    def __init__(self, kind: str, code: str, variables: tuple[str, ...] = (), **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.kind = kind
        self.code = code
        self.variables = variables

    def fits(self, raised: "ErrorEvent") -> bool:
        """Return whether a boundary event with this definition catches what was raised."""
        return self.kind == raised.kind and self.code in ("", raised.code)


class ConditionalEvent(EventDefinition):
    """A conditional event definition: its condition becomes true, or the variable that it names changes.

    It is evaluated after each step. `kind` says which change of the variable counts: 'create' (it had no value),
    'update' (it had one), 'delete', 'update-create' or 'all'.
    """

    is_from_outside = False

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
        """Return whether the event has happened since the last call, or since it began to wait."""
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
    """The names for a waiting condition; a variable that nobody has set yet is null."""

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> None:
        return None
