"""Whether a gateway has a way on, whatever the names in its conditions hold.

The conditions are evaluated with every combination of a few values of each name: those that the name may have, and the
constants beside it with their neighbours.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from typing import Any

from workflows.engine import effort, multi_instance, paths
from workflows.engine.document import Element, local, speaks_vendor, tag, text
from workflows.engine.elements import CHOICES
from workflows.engine.errors import MOST, ExpressionError, Problem, warning
from workflows.engine.expressions import contents, holds

MAX_TRIES = 1_000
OUTCOME = "outcome"
_OTHER = "…"
"""A text beside the constants of the conditions."""


@dataclass(frozen=True)
class Values:
    """What a name may hold: one of `options`, or any value of the kind 'flag', 'number', 'text'; '' if not known."""

    kind: str = ""
    may_be_empty: bool = False
    options: tuple[Any, ...] = ()

    def to_try(self, constants: Sequence[Any]) -> list[Any]:
        """Return the values to try beside these constants."""
        texts = [one for one in constants if isinstance(one, str)]
        numbers = [one for one in constants if isinstance(one, int | Decimal) and not isinstance(one, bool)]
        around = [number + step for number in numbers for step in (0, -1, 1)]
        found = list(self.options)
        if self.kind == "number":
            found += around or [0]
        elif self.kind == "text":
            found += [*texts, _OTHER]
        elif self.kind == "flag":
            found += [True, False]
        elif not self.options:
            found += [*texts, *([_OTHER] if texts else []), *around] or [True, False]
        return [*_each_once(found), *([None] if self.may_be_empty else [])]


def uncovered(root: Element, outcomes: Mapping[str, Sequence[str]], known: Mapping[str, Values]) -> list[Problem]:
    """Return a problem for each gateway that may have no way on, and for each condition on an outcome nobody gives.

    `outcomes` are those of each user task; `known` is what the other names may hold, such as `form.days`.
    """
    process = root.find(tag("process"))
    is_vendor = speaks_vendor(root)
    before = _Before(process, outcomes)
    flows: dict[str, list[Element]] = {}
    for flow in process.iter(tag("sequenceFlow")):
        flows.setdefault(flow.get("sourceRef"), []).append(flow)
    found: list[Problem] = []
    for gateway in process.iter():
        if local(gateway) in CHOICES:
            found += _of_gateway(gateway, flows.get(gateway.get("id"), []), before, known, is_vendor=is_vendor)
    return found[:MOST]


def _of_gateway(
    gateway: Element, out: list[Element], before: "_Before", known: Mapping[str, Values], *, is_vendor: bool
) -> Iterator[Problem]:
    said = {flow: text(flow.find(tag("conditionExpression"))) for flow in out}
    default = gateway.get("default")
    asked = {flow: one if "{" in one else "${" + one + "}" for flow, one in said.items() if one}
    asked = {flow: condition for flow, condition in asked.items() if not default or flow.get("id") != default}
    given = before.outcomes_at(gateway)
    if given is not None:
        for flow, condition in asked.items():
            yield from _never(flow, gateway, condition, given)
    bare = [flow for flow, one in said.items() if not one and (not default or flow.get("id") != default)]
    if bare and (default or len(bare) > 1) and local(gateway) == "exclusiveGateway" and not is_vendor:
        zh = "连线没有条件，网关总会选择它，其后的分支和默认连线不会执行"
        en = "The flow has no condition: the gateway always takes it, and never those behind it or the default flow"
        yield Problem(bare[0].get("id") or gateway.get("id"), "no_condition", zh, en)
    if default or bare or not asked:
        return
    name = gateway.get("name") or gateway.get("id")
    tries = _tries(list(asked.values()), {**known, **({OUTCOME: Values("", False, given)} if given else {})})
    if tries is None:
        zh = f"网关“{name}”没有默认连线，条件都不成立时流程无法继续"
        en = f"The gateway “{name}” has no default flow: when no condition is true, the process stops here"
        yield warning(gateway.get("id"), "no_default", zh, en)
        return
    for values in tries:
        if not _holds_one(list(asked.values()), values):
            (when_zh, when_en) = _told(values)
            zh = f"网关“{name}”没有默认连线，{when_zh}时没有成立的分支，流程无法继续"
            en = f"The gateway “{name}” has no default flow, and no condition is true if {when_en}: the process stops"
            yield Problem(gateway.get("id"), "no_way_holds", zh, en)
            return


def _never(flow: Element, gateway: Element, condition: str, given: Sequence[Any]) -> Iterator[Problem]:
    """Yield the problem of a condition that asks for outcomes alone, none of which a step before has."""
    read = contents(condition)
    strange = [one for one in read.constants if isinstance(one, str) and one not in given]
    if read.paths != ((OUTCOME,),) or not strange or any(_is_true(condition, {OUTCOME: one}) for one in given):
        return
    zh = f"条件不会成立：前面的步骤没有处理结果“{strange[0][:40]}”"
    en = f"The condition is never true: no step before it has the outcome “{strange[0][:40]}”"
    yield Problem(flow.get("id") or gateway.get("id"), "outcome_unknown", zh, en)


def _tries(conditions: list[str], known: Mapping[str, Values]) -> list[dict[str, Any]] | None:
    """Return the combinations of values to try, by dotted name; None where there are too many."""
    names: dict[str, list[Any]] = {}
    constants = [one for condition in conditions for one in contents(condition).constants]
    count = 1
    for path in (path for condition in conditions for path in contents(condition).paths):
        name = ".".join(path)
        if name not in names:
            names[name] = known.get(name, Values()).to_try(constants)
            count *= len(names[name])
    if count > MAX_TRIES:
        return None
    return [dict(zip(names, values, strict=True)) for values in product(*names.values())]


def _holds_one(conditions: list[str], values: Mapping[str, Any]) -> bool:
    """Return whether a condition holds; values with which none can be evaluated prove nothing."""
    names: dict[str, Any] = {}
    for name, value in values.items():
        *around, last = name.split(".")
        place = names
        for part in around:
            place = place.setdefault(part, {})
            if not isinstance(place, dict):
                return True
        place[last] = value
    try:
        return any(holds(condition, names) for condition in conditions)
    except ExpressionError:
        return True


def _is_true(condition: str, names: Mapping[str, Any]) -> bool:
    try:
        return holds(condition, names)
    except ExpressionError:
        return True


def _told(values: Mapping[str, Any]) -> tuple[str, str]:
    """Return in both languages with which values it happens."""
    zh, en = [], []
    for name, value in list(values.items())[:3]:
        is_outcome = name == OUTCOME
        shown_zh, shown_en = ("上一步处理结果", "the outcome before it") if is_outcome else (name[:40], name[:40])
        if value is None or value == "":
            zh.append(f"{shown_zh}为空")
            en.append(f"{shown_en} is empty")
        elif value == _OTHER:
            zh.append(f"{shown_zh}为其他值")
            en.append(f"{shown_en} has another value")
        else:
            said = str(value).lower() if isinstance(value, bool) else str(value)[:40]
            zh.append(f"{shown_zh}为“{said}”")
            en.append(f"{shown_en} is “{said}”")
    return ("、".join(zh), " and ".join(en)) if zh else ("条件不成立", "its conditions are false")


def _each_once(values: Sequence[Any]) -> list[Any]:
    return list({(type(one) is bool, one): one for one in values}.values())


class _Before:
    """Finds which outcomes a token may bring to a gateway."""

    def __init__(self, process: Element, outcomes: Mapping[str, Sequence[str]]) -> None:
        self._outcomes = outcomes
        self._process = process
        self._nodes, edges = paths.graph(process)
        self._before = paths.sources(edges)

    def outcomes_at(self, gateway: Element) -> tuple[Any, ...] | None:
        """Return the outcomes, None among them where no step was done yet; None alone where they are not known."""
        found: list[Any] = []
        seen: set[str] = set()
        todo = list(self._before.get(gateway.get("id"), ()))
        while todo:
            place = todo.pop()
            if place in seen:
                continue
            seen.add(place)
            effort.spend(2)
            node = self._nodes.get(place.removesuffix(paths.END))
            is_left = place.endswith(paths.END)
            if node is None:
                continue
            loop = multi_instance.loop_of(node) if is_left or local(node) == "userTask" else None
            if loop is not None and loop.outcome:
                words = [one for one in contents(loop.outcome).constants if isinstance(one, str)]
                if not words:
                    return None
                found += words
            elif local(node) == "userTask":
                found += [*self._outcomes.get(place, ()), *([""] if loop is not None and loop.collection else [])]
            elif local(node) == "startEvent" and node.getparent() is self._process:
                found.append(None)
            elif local(node) == "boundaryEvent":
                todo += self._before.get(node.get("attachedToRef"), ())  # what it breaks off had no outcome yet
            else:
                todo += self._before.get(place, ())
        return tuple(_each_once(found))
