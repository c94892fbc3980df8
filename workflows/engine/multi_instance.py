"""Multi-instance activities: one loop instance for each item of a list, or a number of them; parallel or sequential.

The token waits at the activity and has a child task for each loop instance; a completion condition may end them early.
The activity counts by itself, so that finished instances can be dropped, and nothing but the outcome and the lists of
results leaves it. The outcome is the value of the loop's `xw:outcome`, else the outcome of the loop instance that
finished last. For a user task with an empty list it is empty, so that a gateway takes its default flow.

Loop instances may be added while the activity runs, and one that has not finished may be removed; see `loop_acts`.
"""

# mypy: disallow-subclassing-any=False, disable-error-code="import-untyped"

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from SpiffWorkflow.bpmn.specs.mixins import BpmnSpecMixin
from SpiffWorkflow.util.task import TaskState

from workflows.engine import effort
from workflows.engine.document import OURS, Element, attribute, local, ours, tag, text
from workflows.engine.elements import AGGREGATE, LOOP
from workflows.engine.errors import ExpressionError, LimitReached, LoopNotChanged
from workflows.engine.expressions import compile_template, contents, evaluate, holds
from workflows.engine.model import Aggregate, Loop, Node
from workflows.engine.specs import Lazy, mark_failed
from workflows.engine.values import plain

STANDARD_LOOP = "standardLoopCharacteristics"
LOOPS = {LOOP, STANDARD_LOOP}  # one that could not be written as the other is refused
PLACES = {"userTask", "serviceTask", "subProcess", "scriptTask", "task", "manualTask", "receiveTask", "sendTask"}
MAX_INSTANCES = 200
MAX_OUTCOME = 40
MAX_WEIGHT = 1_000
MAX_WEIGHTS = 50  # rules of one loop

_COUNTS = ("nrOfInstances", "nrOfCompletedInstances", "nrOfActiveInstances", "votes")
_TAKEN = {*_COUNTS, "loopCounter", "outcome", "record", "starter", "form", "members"}
_WEIGHED = ("weights", "totalWeight", "completedWeight")  # read where the loop has weights
_BESIDE = {"documentation", "extensionElements"}
_RESULTS = {"loopDataOutputRef", "outputDataItem"}
_NAME = re.compile(r"[^\W\d_]\w{0,59}")
_RULE = re.compile(r"((?:role|post|dept|deptTree|team|user):[^\s,={}]{1,60}|\*)\s*=\s*(\d{1,4})")
# In a task's data, where no expression can read it: which instance of which loops it belongs to, and the note of one
# that was added.
_LOOP_INSTANCE = "_place"
_ADDED = "_added"


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
        weights=_weights(ours(drawn, "weights")) or (),
        aggregates=tuple(_aggregates(drawn)),
    )


def _weights(source: str) -> tuple[tuple[str, int], ...] | None:
    """Return the rules with their weights, None where the text cannot be read: `role:hr=3, user:7=2, *=1`."""
    found = []
    for part in source.split(",") if source else ():
        rule = _RULE.fullmatch(part.strip())
        if rule is None or not 1 <= int(rule[2]) <= MAX_WEIGHT:
            return None
        found.append((rule[1], int(rule[2])))
    rules = [rule for rule, _weight in found]
    return tuple(found) if len(set(rules)) == len(rules) <= MAX_WEIGHTS else None


def _aggregates(drawn: Element) -> Iterator[Aggregate]:
    """Yield the lists that the loop fills: ours or BPMN's, and those that other engines' words were translated to."""
    item = drawn.find(tag("outputDataItem"))
    named = "" if item is None else str(item.get("name") or item.get("id") or "").strip()
    if (variable := ours(drawn, "results") or text(drawn.find(tag("loopDataOutputRef")))) or ours(drawn, "result"):
        yield Aggregate(variable, {"": _braced(ours(drawn, "result") or named)})
    found: dict[str, dict[str, str]] = {}
    for one in drawn.findall(f"{tag('extensionElements')}/{{{OURS}}}{AGGREGATE}"):
        found.setdefault(one.get("name"), {})[one.get("item")] = text(one)
    for variable, values in found.items():
        yield Aggregate(variable, values)


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
    weights = ours(activity.find(tag(LOOP)), "weights")
    if weights and (_weights(weights) is None or not loop.collection):
        zh, en = (
            f"权重应写作“role:hr=3,*=1”，权重为1至{MAX_WEIGHT}，且须指定人员列表",
            f"Weights are written as “role:hr=3,*=1”, each from 1 to {MAX_WEIGHT}, for a list of people",
        )
        add(activity, "many_weights", zh, en)
    if loop.variable and (not is_free_name(loop.variable) or (weights and loop.variable in _WEIGHED)):
        zh = f"元素变量名“{loop.variable[:40]}”无效或已被系统使用"
        en = f"“{loop.variable[:40]}” cannot be the name of the element variable, or is in use by the system"
        add(activity, "many_variable", zh, en)
    for aggregate in loop.aggregates:
        if (
            not _NAME.fullmatch(aggregate.variable)
            or aggregate.variable in _TAKEN
            or not all(aggregate.values.values())
        ):
            zh = "结果列表需要一个未被系统使用的变量名，以及每次要收集的值"
            en = "A list of results needs a variable that the system does not use, and the value to collect each time"
            add(activity, "many_results", zh, en)
    sources = [source for aggregate in loop.aggregates for source in aggregate.values.values()]
    for source in (loop.collection, loop.cardinality, loop.condition, loop.outcome, *sources):
        try:
            compile_template(source)
        except ExpressionError as error:
            add(activity, "expression", error.text_zh, error.text_en)
    number = re.fullmatch(r"\$\{\s*(-?\d+)\s*\}", loop.cardinality)
    if number and not 0 <= int(number[1][:9]) <= MAX_INSTANCES:
        zh, en = f"次数应为0至{MAX_INSTANCES}", f"The number of instances must be 0 to {MAX_INSTANCES}"
        add(activity, "many_bound", zh, en)


def is_free_name(name: str) -> bool:
    """Return whether a variable may have this name: it is none of those that expressions read anyway."""
    return bool(_NAME.fullmatch(name)) and name not in _TAKEN


def _unknown_parts(drawn: Element) -> list[str]:
    """Return the attributes and elements of the loop that the engine does not know."""
    found = []
    for name, value in drawn.attrib.items():
        is_known = name in ("id", "isSequential") or (name, value) == ("behavior", "All")
        if not is_known and not str(name).startswith("{"):
            found.append(str(name)[:40])
    known = {"loopCardinality", "loopDataInputRef", "inputDataItem", "completionCondition", *_RESULTS, *_BESIDE}
    return found + [str(child.tag).rpartition("}")[2][:40] for child in drawn if local(child) not in known]


class _Votes(dict[str, int]):
    """The number of loop instances by outcome; 0 for an outcome that none had."""

    def get(self, outcome: str, default: Any = 0) -> Any:
        return super().get(outcome, default)


class MultiInstance(Lazy, BpmnSpecMixin):
    """The node at which the token waits; `each` is the node that runs for every loop instance.

    The internal data of its task holds `of`, `begun` and `done` (numbers of loop instances), `votes`, the last
    `outcome`, and in a sequential loop the `items`. Weights are held by the number of the loop instance
    (`each`) and by outcome; `added` holds the notes of loop instances that were added and have not begun.
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
        if self.loop.weights:
            kept["weights"] = {"each": self._weigh(my_task, items), "votes": {}}
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

    def _weigh(self, my_task: Any, items: Sequence[Any]) -> list[int]:
        return list(my_task.workflow.top_workflow.host.weigh(self.loop.weights, items))

    def _begin(self, my_task: Any, item: Any) -> None:
        effort.spend(50)
        kept = my_task.internal_data
        number = kept["begun"]
        kept["begun"] += 1
        shared, outer = my_task.data, my_task.data.get(_LOOP_INSTANCE, "")
        own = {"loopCounter": number, "nrOfInstances": kept["of"], _LOOP_INSTANCE: f"{outer}.{number}"}
        own.update(_named(self.loop, item))
        if note := kept.get("added", {}).pop(str(number), None):
            own[_ADDED] = note
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
        kept["outcome"] = outcome
        kept["votes"][outcome or ""] = kept["votes"].get(outcome or "", 0) + 1
        if self.loop.weights:
            by, weight = kept["weights"]["votes"], kept["weights"]["each"][_number(child)]
            by[outcome or ""] = by.get(outcome or "", 0) + weight
        if self.loop.aggregates:
            names = {**child.workflow.top_workflow.names(child), **self._counts(my_task)}
            found = [_item(aggregate, names) for aggregate in self.loop.aggregates]
            kept.setdefault("results", {})[str(_number(child))] = found
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
        self._end(my_task, last.get("outcome"), child)

    def _end(self, my_task: Any, last_outcome: Any, child: Any = None) -> None:
        outcome = self._outcome(my_task, last_outcome)  # before anything is cancelled: it may fail
        for other in my_task.children:
            if other is not child:
                other.cancel()
        self._over(my_task, outcome)
        my_task.complete()

    def add(self, my_task: Any, item: Any, note: Mapping[str, Any], *, is_next: bool) -> None:
        """Add a loop instance: at once, or in a sequential loop as the next or the last one to come."""
        kept = my_task.internal_data
        if kept["of"] >= MAX_INSTANCES:
            raise LoopNotChanged("full")
        number = kept["begun"] if is_next or not self.loop.is_sequential else len(kept["items"])
        kept["of"] += 1
        kept["added"] = _moved(kept.get("added", {}), number, 1) | {str(number): note}
        if self.loop.weights:
            kept["weights"]["each"][number:number] = self._weigh(my_task, [item])
        if self.loop.is_sequential:
            kept["items"].insert(number, item)
        else:
            self._begin(my_task, item)
        self._tell_of(my_task)

    def remove(self, my_task: Any, child: Any) -> None:
        """Remove a loop instance that waits; the next one begins, or the activity ends where that decides it."""
        kept = my_task.internal_data
        if self.loop.weights:
            kept["weights"]["each"][_number(child)] = 0
        self._fewer(my_task)
        child.cancel()
        self._follow_removal(my_task)

    def remove_to_come(self, my_task: Any, number: int) -> None:
        """Remove a loop instance of a sequential loop that was added and has not begun."""
        kept = my_task.internal_data
        del kept["items"][number]
        kept["added"].pop(str(number))
        kept["added"] = _moved(kept["added"], number, -1)
        if self.loop.weights:
            del kept["weights"]["each"][number]
        self._fewer(my_task)
        self._follow_removal(my_task)

    def _fewer(self, my_task: Any) -> None:
        kept = my_task.internal_data
        if kept["of"] == 1:
            raise LoopNotChanged("last")
        kept["of"] -= 1
        self._tell_of(my_task)

    def _tell_of(self, my_task: Any) -> None:
        """Let the loop instances that wait read how many there are now."""
        for child in my_task.children:
            if child.has_state(TaskState.NOT_FINISHED_MASK):
                child.data["nrOfInstances"] = my_task.internal_data["of"]

    def _follow_removal(self, my_task: Any) -> None:
        kept = my_task.internal_data
        if kept["done"] == kept["of"] or self._is_decided(my_task):
            self._end(my_task, self._voted(my_task))
        elif not any(child.has_state(TaskState.NOT_FINISHED_MASK) for child in my_task.children):
            self._begin(my_task, kept["items"][kept["begun"]])

    def _is_decided(self, my_task: Any) -> bool:
        """Return whether the condition holds by the votes so far; one that asks for the signer waits for the next."""
        kept = my_task.internal_data
        if not self.loop.condition or not kept["done"]:
            return False
        names = my_task.workflow.top_workflow.names(my_task)
        try:
            return holds(self.loop.condition, {**names, "outcome": kept.get("outcome"), **self._counts(my_task)})
        except ExpressionError:
            return False

    def _voted(self, my_task: Any) -> Any:
        """Return the outcome where nobody acts last. Raises LoopNotChanged where the votes do not tell it."""
        kept = my_task.internal_data
        if self.loop.outcome or (not self.loop.condition and "outcome" in kept):
            return kept.get("outcome")
        if len(kept["votes"]) != 1:
            raise LoopNotChanged("undecided")
        return next(iter(kept["votes"]))

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
        top = my_task.workflow.top_workflow
        my_task.data["outcome"] = outcome
        top.decided[self.bpmn_id] = outcome or ""
        results = my_task.internal_data.get("results", {})
        in_order = [results[number] for number in sorted(results, key=int)]
        for place, aggregate in enumerate(self.loop.aggregates):
            top.set_variable(aggregate.variable, [items[place] for items in in_order])
        return super()._run_hook(my_task)

    def _counts(self, my_task: Any) -> Mapping[str, Any]:
        kept = my_task.internal_data
        active = 1 if self.loop.is_sequential else kept["of"] - kept["done"]
        counts = dict(zip(_COUNTS, (kept["of"], kept["done"], active, _Votes(kept["votes"])), strict=True))
        if not self.loop.weights:
            return counts
        each, by = kept["weights"]["each"], kept["weights"]["votes"]
        return {**counts, **dict(zip(_WEIGHED, (_Votes(by), sum(each), sum(by.values())), strict=True))}

    def to_come(self, my_task: Any) -> dict[int, Mapping[str, Any]]:
        """Return by number the notes of the loop instances that were added and have not begun."""
        return {int(number): note for number, note in my_task.internal_data.get("added", {}).items()}


def _moved(notes: Mapping[str, Any], at: int, by: int) -> dict[str, Any]:
    """Return the notes with the numbers from `at` on moved by one place."""
    return {str(int(number) + (by if int(number) >= at else 0)): note for number, note in notes.items()}


def _number(child: Any) -> int:
    """Return the number of a loop instance within its activity."""
    return int(loop_instance(child).rpartition(".")[2])


def _item(aggregate: Aggregate, names: Mapping[str, Any]) -> Any:
    """Return what a loop instance adds to a list; a value that nobody has given is null."""
    if set(aggregate.values) == {""}:
        source = aggregate.values[""]
        return plain(
            aggregate.variable, evaluate(source, {**{path[0]: None for path in contents(source).paths}, **names})
        )
    return plain(aggregate.variable, {name: evaluate(source, names) for name, source in aggregate.values.items()})


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
    if isinstance(value, str) and value.strip().isdecimal():
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


def note_of(task: Any) -> Mapping[str, Any]:
    """Return what was noted of the loop instance of a task when it was added; empty for one that was drawn."""
    return task.data.get(_ADDED) or {}


def activity_of(task: Any) -> str:
    """Return the id of the multi-instance activity that a task is a loop instance of, '' for other tasks."""
    parent = task.parent
    return str(parent.id.hex) if parent is not None and isinstance(parent.task_spec, MultiInstance) else ""


def loop_instance(task: Any) -> str:
    """Return which loop instance a task belongs to: '.2', in a loop inside another '.0.1', '' outside of loops."""
    return str(task.data.get(_LOOP_INSTANCE, ""))
