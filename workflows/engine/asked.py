"""What the way behind a user task asks of its outcome, read off the drawing."""

import re
from functools import cached_property

from workflows.engine import rules
from workflows.engine.document import Element, local, ours, tag, text
from workflows.engine.model import Way

_ASKS_OUTCOME = re.compile(r"""[$#]\{\s*outcome\s*(?:==|eq)\s*(?:'([^']*)'|"([^"]*)")\s*\}""")


class _Scope:
    """What lies in a process or sub-process: its flows by their source, its choices and the kinds of all by id."""

    def __init__(self, scope: Element) -> None:
        self.is_inner = local(scope) == "subProcess"
        self.flows: dict[str, list[Element]] = {}
        self.kinds: dict[str, str] = {}
        self.choices: dict[str, Element] = {}
        for child in scope:
            name, kind = child.get("id"), local(child)
            if kind == "sequenceFlow":
                self.flows.setdefault(child.get("sourceRef"), []).append(child)
            if kind in rules.CHOICES:
                self.choices.setdefault(name, child)
            if name:
                self.kinds[name] = kind


class Scopes:
    """The scopes of a document, each looked through once for all its nodes."""

    def __init__(self, process: Element) -> None:
        self._process = process
        self._of: dict[Element, _Scope] = {}

    def around(self, node: Element) -> _Scope:
        """The scope that a node lies in."""
        element = node.getparent()
        if element not in self._of:
            self._of[element] = _Scope(element)
        return self._of[element]

    @cached_property
    def reads_outcome(self) -> bool:
        """Whether any condition of the document reads an outcome, or counts them."""
        root = self._process.getroottree().getroot()
        said = [text(one) for one in root.iter(tag("conditionExpression"), tag("completionCondition"))]
        return any("outcome" in one or "votes" in one for one in said)


def ways(task: Element, scopes: Scopes) -> list[Way]:
    """What the choice right behind the task asks of its outcome, with the names of the flows; empty if nothing."""
    scope = scopes.around(task)
    target = next((flow.get("targetRef", "") for flow in scope.flows.get(task.get("id"), ())), "")
    gateway = scope.choices.get(target)
    if gateway is None:
        return []
    found = []
    for flow in scope.flows.get(target, ()):
        condition = "" if flow.get("id") == gateway.get("default") else text(flow.find(tag("conditionExpression")))
        asked = _ASKS_OUTCOME.fullmatch(condition if "{" in condition else "${" + condition + "}")
        if asked or not condition:
            outcome = (asked[1] or asked[2] or "") if asked else ""
            found.append(Way(outcome, flow.get("name", ""), ours(flow, "nameEn")))
    return found if any(way.outcome for way in found) else []


def is_asked(task: Element, scopes: Scopes) -> bool:
    """Whether a condition that a token meets before it comes to another user task reads the outcome of this one.

    Where the way leads out of the scope or into another one, any condition of the model counts.
    """
    scope = scopes.around(task)
    kinds = scope.kinds
    todo, seen = [task.get("id")], set()
    while todo:
        name = todo.pop()
        seen.add(name)
        for flow in scope.flows.get(name, ()):
            target = flow.get("targetRef")
            if "outcome" in text(flow.find(tag("conditionExpression"))):
                return True
            leaves = kinds.get(target) == "endEvent" and scope.is_inner
            if leaves or kinds.get(target) == "subProcess":
                return scopes.reads_outcome
            if target not in seen and kinds.get(target) != "userTask":
                todo.append(target)
    return False
