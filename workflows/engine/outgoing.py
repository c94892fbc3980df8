"""Which outcomes of a user task the conditions behind it read."""

import re
from functools import cached_property

from workflows.engine import effort
from workflows.engine.document import Element, local, ours, tag, text
from workflows.engine.elements import CHOICES
from workflows.engine.model import OutgoingFlow

_ASKS_OUTCOME = re.compile(r"""[$#]\{\s*outcome\s*(?:==|eq)\s*(?:'([^']*)'|"([^"]*)")\s*\}""")


class _Scope:
    """The content of a process or sub-process: flows by source, choices and kinds of nodes by id."""

    def __init__(self, scope: Element) -> None:
        self.is_inner = local(scope) == "subProcess"
        self.flows: dict[str, list[Element]] = {}
        self.kinds: dict[str, str] = {}
        self.choices: dict[str, Element] = {}
        for child in scope:
            name, kind = child.get("id"), local(child)
            if kind == "sequenceFlow":
                self.flows.setdefault(child.get("sourceRef"), []).append(child)
            if kind in CHOICES:
                self.choices.setdefault(name, child)
            if name:
                self.kinds[name] = kind


class Scopes:
    """The scopes of a document, each read once for all its nodes."""

    def __init__(self, process: Element) -> None:
        self._process = process
        self._of: dict[Element, _Scope] = {}

    def around(self, node: Element) -> _Scope:
        """Return the scope around a node."""
        element = node.getparent()
        if element not in self._of:
            self._of[element] = _Scope(element)
        return self._of[element]

    @cached_property
    def reads_outcome(self) -> bool:
        """Whether any condition of the document reads an outcome, or counts them."""
        root = self._process.getroottree().getroot()
        said = [text(one) for one in root.iter(tag("conditionExpression"), tag("completionCondition"))]
        return any("outcome" in one or "votes" in one or "weights" in one for one in said)


def outgoing_flows(task: Element, scopes: Scopes) -> list[OutgoingFlow]:
    """Return the flows of the gateway right behind a task, by the outcome that each asks for; empty if none does."""
    scope = scopes.around(task)
    target = next((flow.get("targetRef", "") for flow in scope.flows.get(task.get("id"), ())), "")
    gateway = scope.choices.get(target)
    if gateway is None:
        return []
    found = []
    for flow in scope.flows.get(target, ()):
        effort.spend(5)
        condition = "" if flow.get("id") == gateway.get("default") else text(flow.find(tag("conditionExpression")))
        asked = _ASKS_OUTCOME.fullmatch(condition if "{" in condition else "${" + condition + "}")
        if asked or not condition:
            outcome = (asked[1] or asked[2] or "") if asked else ""
            found.append(OutgoingFlow(outcome, flow.get("name", ""), ours(flow, "nameEn")))
    return found if any(way.outcome for way in found) else []


def is_asked(task: Element, scopes: Scopes) -> bool:
    """Return whether a condition between this task and the next user tasks reads its outcome.

    Where the path leads out of the scope or into another one, every condition of the model counts.
    """
    scope = scopes.around(task)
    kinds = scope.kinds
    todo, seen = [task.get("id")], set()
    while todo:
        name = todo.pop()
        seen.add(name)
        for flow in scope.flows.get(name, ()):
            effort.spend(5)
            target = flow.get("targetRef")
            if "outcome" in text(flow.find(tag("conditionExpression"))):
                return True
            leaves = kinds.get(target) == "endEvent" and scope.is_inner
            if leaves or kinds.get(target) == "subProcess":
                return scopes.reads_outcome
            if target not in seen and kinds.get(target) != "userTask":
                todo.append(target)
    return False
