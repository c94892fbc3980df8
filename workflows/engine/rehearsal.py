"""A dry run before a deployment: a throw-away instance goes through the model with every outcome, within a budget.

It finds what no look at the drawing does: joins that wait for a token that never comes, bursts of tokens, expressions
that fail. Nothing is called and nothing is stored.
"""

import re
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

from workflows.engine import run
from workflows.engine.advice import warning
from workflows.engine.errors import EngineError, ExpressionError, Problem, Stuck
from workflows.engine.many import Many
from workflows.engine.model import Specification, Step

MAX_WORK = 4_000  # nodes passed and tokens waiting, over all steps
MAX_STEPS = 300
MAX_PROBLEMS = 10

_ASKED = re.compile(r"""outcome\s*(?:==|eq)\s*(?:'([^']{1,40})'|"([^"]{1,40})")|votes\.(\w{1,40})""")


class _Nobody:
    """A host that does nothing and knows an empty record."""

    def __init__(self, names: Mapping[str, Any], several: int) -> None:
        self._names = {"record": {}, "starter": {}, "members": {}, **names}
        self.several = several
        """How many instances an activity has whose list nobody knows yet."""

    def call(self, operation: str, node: str, given: Mapping[str, Any]) -> None:
        """Nothing happens."""

    def names(self) -> Mapping[str, Any]:
        """What expressions may read."""
        return self._names


def rehearse(spec: Specification, names: Mapping[str, Any]) -> list[Problem]:
    """What went wrong on the way; `names` are further names for expressions, such as declared fields without value.

    A token that gets stuck and a budget that is used up are errors. An expression that fails is a warning: with the
    values of a real record it may not.
    """
    outcomes = ["", *sorted(_asked(spec))]
    is_many = any(node.is_many for node in spec.nodes.values())
    hosts = [_Nobody(names, several) for several in ((2, 0) if is_many else (0,))]
    problems: dict[tuple[str, str], Problem] = {}
    todo: deque[Step | None] = deque([None])
    seen: set[tuple[Any, ...]] = set()
    work = steps = 0
    while todo and work < MAX_WORK and len(problems) < MAX_PROBLEMS:
        before = todo.popleft()
        for act, node in (one for host in hosts for one in _acts(spec, before, outcomes, host)):
            steps += 1
            if steps > MAX_STEPS or work >= MAX_WORK:
                break
            try:
                step = act()
            except EngineError as error:
                found = _problem(node, error)
                problems.setdefault((found.element, found.text_en), found)
                if found.code == "limit":
                    return list(problems.values())  # each of these costs the whole budget of a step
                continue
            work += len(step.passed) + len(step.tasks) + len(step.timers) + 1
            sign = _sign(step)
            if not step.completed and sign not in seen:
                seen.add(sign)
                todo.append(step)
    return list(problems.values())


def _asked(spec: Specification) -> set[str]:
    """The outcomes that some condition of the model compares with, or counts."""
    scopes = (spec.process, *spec.subprocesses.values())
    nodes = [node for scope in scopes for node in scope.task_specs.values()]
    said = [flow.condition or "" for node in nodes for flow in getattr(node, "flows", ())]
    said += [node.loop.condition for node in nodes if isinstance(node, Many)]
    return {word for condition in said for found in _ASKED.findall(condition) for word in found if word}


def _acts(spec: Specification, step: Step | None, outcomes: list[str], host: Any) -> Iterator[tuple[Any, str]]:
    """Everything that can happen next, and at which node."""
    if step is None:
        yield lambda: run.start(spec, {}, host), ""
        return
    state = step.state
    for task in {one.node: one for one in step.tasks}.values():
        declared = [word.strip() for word in spec.nodes[task.node].extensions.get("outcomes", "").split(",")]
        for outcome in [word for word in declared if word] or outcomes:
            yield (
                (lambda task=task, outcome=outcome: run.complete(spec, state, task.task, outcome, {}, host)),
                task.node,
            )
    for timer in {one.node: one for one in step.timers}.values():
        yield (lambda timer=timer: run.fire(spec, state, timer.task, host)), timer.node
    for message in sorted(step.messages):
        yield (lambda message=message: run.send(spec, state, message, host)), ""


def _sign(step: Step) -> tuple[Any, ...]:
    """What waits; two steps alike in it need not both be followed."""
    return (
        tuple(sorted(task.node for task in step.tasks)),
        tuple(sorted(timer.node for timer in step.timers)),
        tuple(sorted(step.messages)),
    )


def _problem(node: str, error: EngineError) -> Problem:
    if isinstance(error, ExpressionError):
        return warning(node, "dry_run", f"试运行：{error.text_zh}", f"Dry run: {error.text_en}")
    if isinstance(error, Stuck):
        node = error.nodes[0] if error.nodes else node
    return Problem(node, error.code, f"试运行：{error.text_zh}", f"Dry run: {error.text_en}")
