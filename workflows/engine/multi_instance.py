"""Multi-instance activities: one loop instance for each item of a list, or a number of them; parallel or sequential.

The token waits at the activity and has a child task for each loop instance; a completion condition may end them early.
The activity counts by itself, so that finished instances can be dropped, and nothing but the outcome leaves it. The
outcome is the value of the loop's `xw:outcome`, else the outcome of the loop instance that finished last. For a user
task with an empty list it is empty, so that a gateway takes its default flow.
"""

# mypy: disallow-subclassing-any=False, disable-error-code="import-untyped"

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from SpiffWorkflow.bpmn.specs.mixins import BpmnSpecMixin
from SpiffWorkflow.util.task import TaskState

from workflows.engine import effort
from workflows.engine.document import Element, attribute, local, ours, tag, text
from workflows.engine.elements import LOOP
from workflows.engine.errors import ExpressionError, LimitReached
from workflows.engine.expressions import compile_template, evaluate, holds
from workflows.engine.model import Loop, Node
from workflows.engine.specs import Lazy, mark_failed

LOOPS = {LOOP, "standardLoopCharacteristics"}  # the other one is refused
PLACES = {"userTask", "serviceTask", "subProcess", "scriptTask", "task", "manualTask", "receiveTask", "sendTask"}
MAX_INSTANCES = 200
MAX_OUTCOME = 40

_COUNTS = ("nrOfInstances", "nrOfCompletedInstances", "nrOfActiveInstances", "votes")
_TAKEN = {*_COUNTS, "loopCounter", "outcome", "record", "starter", "form", "members"}
_BESIDE = {"documentation", "extensionElements"}
_NAME = re.compile(r"[^\W\d_]\w{0,59}")
_LOOP_INSTANCE = "_place"  # in a task's data: which instance of which loops it belongs to; no expression can read it


def loop_of(activity: Element) -> Loop | None:
    """Return the multi-instance loop of an activity, None where it has none."""
    drawn = activity.find(tag(LOOP))
    if drawn is None:
        return None
    item = drawn.find(tag("inputDataItem"))
    return Loop(
        collection=_braced(attribute(drawn, "collection") or text(drawn.find(tag("loopDataInputRef")))),
        cardinality=_braced(text(drawn.find(tag("loopCardinality")))),
        variable=attribute(drawn, "elementVariable")
        or ("" if item is None else str(item.get("name") or item.get("id") or "").strip()),
        condition=_braced(text(drawn.find(tag("completionCondition")))),
        outcome=ours(drawn, "outcome"),
        is_sequential=drawn.get("isSequential") == "true",
    )


def _braced(source: str) -> str:
    return source if not source or "{" in source else "${" + source + "}"


def check(activity: Element, add: Callable[[Element, str, str, str], None]) -> None:
    """Tell `add` (element, code, Chinese, English) every reason why the activity's loop cannot run."""
    for drawn in activity.findall(tag(LOOP)):
        for what in _unknown_parts(drawn):
            add(activity, "unsupported", f"不支持“{what}”", f"“{what}” is not supported")
    if len(activity.findall(tag(LOOP))) > 1:
        add(
            activity,
            "many_loops",
            "一个活动只能有一个多实例设置",
            "An activity can have only one multi-instance setting",
        )
    loop = loop_of(activity)
    assert loop is not None
    if bool(loop.collection) == bool(loop.cardinality):
        zh, en = (
            "会签需指定人员列表或次数，且只能指定一种",
            "A multi-instance activity needs either a list of people or a number",
        )
        add(activity, "many_source", zh, en)
    if loop.variable and (not _NAME.fullmatch(loop.variable) or loop.variable in _TAKEN):
        zh = f"元素变量名“{loop.variable[:40]}”无效或已被系统使用"
        en = f"“{loop.variable[:40]}” cannot be the name of the element variable, or is in use by the system"
        add(activity, "many_variable", zh, en)
    for source in (loop.collection, loop.cardinality, loop.condition, loop.outcome):
        try:
            compile_template(source)
        except ExpressionError as error:
            add(activity, "expression", error.text_zh, error.text_en)
    number = re.fullmatch(r"\$\{\s*(-?\d+)\s*\}", loop.cardinality)
    if number and not 1 <= int(number[1][:9]) <= MAX_INSTANCES:
        zh, en = f"次数应为1至{MAX_INSTANCES}", f"The number of instances must be 1 to {MAX_INSTANCES}"
        add(activity, "many_bound", zh, en)


def _unknown_parts(drawn: Element) -> list[str]:
    """Return the attributes and elements of the loop that the engine does not know."""
    found = []
    for name, value in drawn.attrib.items():
        is_known = name in ("id", "isSequential") or (name, value) == ("behavior", "All")
        if not is_known and not str(name).startswith("{"):
            found.append(str(name)[:40])
    known = {"loopCardinality", "loopDataInputRef", "inputDataItem", "completionCondition", *_BESIDE}
    return found + [str(child.tag).rpartition("}")[2][:40] for child in drawn if local(child) not in known]


class _Votes(dict[str, int]):
    """The number of loop instances by outcome; 0 for an outcome that none had."""

    def get(self, outcome: str, default: Any = 0) -> Any:
        return super().get(outcome, default)


class MultiInstance(Lazy, BpmnSpecMixin):
    """The node at which the token waits; `each` is the node that runs for every loop instance.

    The internal data of its task holds `of`, `begun` and `done` (numbers of loop instances), `votes`, and in a
    sequential loop the `items`.
    """

    def __init__(self, wf_spec: Any, name: str, loop: Loop | None, each: Any, **kwargs: Any) -> None:
        super().__init__(wf_spec, name, **kwargs)
        assert loop is not None
        self.loop = loop
        self.each = each
        each.completed_event.connect(self._on_finished)  # once, as the specification is built: threads share it

    def _run_hook(self, my_task: Any) -> Any:
        items = self._items(my_task)
        if len(items) > MAX_INSTANCES:
            raise LimitReached("instances", MAX_INSTANCES)
        kept: dict[str, Any] = {"of": len(items), "begun": 0, "done": 0, "votes": {}}
        my_task.internal_data.update(kept)
        if not items:
            outcome = self._outcome(my_task, "" if self.each.manual else my_task.data.get("outcome"))
            return self._over(my_task, outcome)
        if self.loop.is_sequential:
            my_task.internal_data["items"] = items
            items = items[:1]
        for item in items:
            self._begin(my_task, item)
        return None  # it has begun and is not over

    def _items(self, my_task: Any) -> list[Any]:
        top = my_task.workflow.top_workflow
        return _items(self.loop, top.names(my_task), getattr(top.host, "several", None))

    def _begin(self, my_task: Any, item: Any) -> None:
        effort.spend(50)
        number = my_task.internal_data["begun"]
        my_task.internal_data["begun"] += 1
        shared, outer = my_task.data, my_task.data.get(_LOOP_INSTANCE, "")
        own = {"loopCounter": number, "nrOfInstances": my_task.internal_data["of"], _LOOP_INSTANCE: f"{outer}.{number}"}
        own.update(_named(self.loop, item))
        child = my_task._add_child(self.each, TaskState.FUTURE)
        child.triggered = True  # it is no way out, and stays when those are made
        my_task.data = {**shared, **own}  # the library lets a parent's names win over those of its child
        self.each._update(child)
        my_task.data = shared

    def _on_finished(self, _workflow: Any, child: Any) -> None:
        """Count a loop instance that has finished, then leave the activity or begin the next one."""
        my_task = child.parent
        if my_task.has_state(TaskState.FINISHED_MASK):
            return  # it was broken off, and this one with it
        kept = my_task.internal_data
        outcome = child.data.get("outcome")
        kept["done"] += 1
        kept["votes"][outcome or ""] = kept["votes"].get(outcome or "", 0) + 1
        self._decide(my_task, child.data, child)

    def _decide(self, my_task: Any, last: Mapping[str, Any], child: Any = None) -> None:
        """Go on after a loop instance, whose task had the data `last`; where that fails, the token waits here."""
        kept, top = my_task.internal_data, my_task.workflow.top_workflow
        readable = {name: value for name, value in last.items() if not name.startswith("_")}
        try:
            names = {**top.names(my_task), **readable, **self._counts(my_task)}
            if kept["done"] == kept["of"] or (self.loop.condition and holds(self.loop.condition, names)):
                self.break_off(my_task, last, child)
            elif self.loop.is_sequential:
                self._begin(my_task, kept["items"][kept["begun"]])
        except ExpressionError as error:
            kept["last"] = dict(last)
            mark_failed(my_task, error)

    def decide_again(self, my_task: Any) -> None:
        """Go on after the loop instance at which that failed."""
        self._decide(my_task, my_task.internal_data.pop("last"))

    def break_off(self, my_task: Any, last: Mapping[str, Any], child: Any) -> None:
        """Cancel the loop instances but that of `child`, whose data is `last`, and run on behind the activity."""
        outcome = self._outcome(my_task, last.get("outcome"))  # before anything is cancelled: it may fail
        for other in my_task.children:
            if other is not child:
                other.cancel()
        self._over(my_task, outcome)
        my_task.complete()

    def _outcome(self, my_task: Any, outcome: Any) -> Any:
        """Return the outcome of the activity, where that of the last loop instance is given."""
        if not self.loop.outcome:
            return outcome
        my_task.data["outcome"] = outcome
        names = {**my_task.workflow.top_workflow.names(my_task), **self._counts(my_task)}
        value = evaluate(self.loop.outcome, names)
        if not isinstance(value, str) or len(value) > MAX_OUTCOME:
            zh, en = (
                f"结果需为不超过{MAX_OUTCOME}个字符的文字",
                f"an outcome must be text of at most {MAX_OUTCOME} characters",
            )
            raise ExpressionError(self.loop.outcome, zh, en)
        return value

    def _over(self, my_task: Any, outcome: Any) -> Any:
        my_task.data["outcome"] = outcome
        my_task.workflow.top_workflow.decided[self.bpmn_id] = outcome or ""
        return super()._run_hook(my_task)

    def _counts(self, my_task: Any) -> Mapping[str, Any]:
        kept = my_task.internal_data
        active = 1 if self.loop.is_sequential else kept["of"] - kept["done"]
        return dict(zip(_COUNTS, (kept["of"], kept["done"], active, _Votes(kept["votes"])), strict=True))


def _items(loop: Loop, names: Mapping[str, Any], several: int | None = None) -> list[Any]:
    source = loop.collection or loop.cardinality
    value = evaluate(source, names)
    if value is None and several is not None:  # a rehearsal knows no values and says how many there would be
        return list(range(several))
    if loop.cardinality:
        return [None] * min(_whole(source, value), MAX_INSTANCES + 1)
    if isinstance(value, str):
        return [word.strip() for word in value.split(",") if word.strip()]
    if value is not None and not isinstance(value, list | tuple):
        raise ExpressionError(source, "会签人员应为列表", "expected a list of people")
    return list(value or ())


def _named(loop: Loop, item: Any) -> dict[str, Any]:
    return {loop.variable: item} if loop.variable and loop.collection else {}


def instances(node: Node, names: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return, for each loop instance that an activity would have, the names that only this one could read.

    An activity without a loop has one, without names. Raises ExpressionError where the list cannot be evaluated, and
    LimitReached where it is too long.
    """
    if node.loop is None:
        return [{}]
    items = _items(node.loop, names)
    if len(items) > MAX_INSTANCES:
        raise LimitReached("instances", MAX_INSTANCES)
    return [
        {"loopCounter": number, "nrOfInstances": len(items), **_named(node.loop, item)}
        for number, item in enumerate(items)
    ]


def _whole(source: str, value: Any) -> int:
    if isinstance(value, str) and value.strip().isdigit():
        value = int(value.strip()[:9])
    if value is None:
        return 0
    is_number = isinstance(value, int | float | Decimal) and not isinstance(value, bool)
    if not is_number or not 0 <= value < 1e9 or value != int(value):
        raise ExpressionError(
            source, "次数应为不小于零的整数", "the number of instances must be a whole number, zero or more"
        )
    return int(value)


def local_names(task: Any) -> Mapping[str, Any]:
    """Return the names that only the loop instance of a task may read; empty outside of a loop."""
    return {name: value for name, value in task.data.items() if name != "outcome" and not name.startswith("_")}


def loop_instance(task: Any) -> str:
    """Return which loop instance a task belongs to: '.2', in a loop inside another '.0.1', '' outside of loops."""
    return str(task.data.get(_LOOP_INSTANCE, ""))
