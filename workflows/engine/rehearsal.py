"""Rehearses a model before its deployment: an instance tries every outcome, timer and message, within a limit.

The rehearsal finds what the document does not show: joins whose token never comes, bursts of tokens, expressions that
fail. It calls no operation and stores nothing.
"""

import re
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

from workflows.engine import run
from workflows.engine.errors import EngineError, ExpressionError, Problem, Stuck, warning
from workflows.engine.model import Specification, Step
from workflows.engine.multi_instance import MultiInstance

MAX_WORK = 4_000  # nodes passed and tokens waiting, over all steps
MAX_STEPS = 300
MAX_PROBLEMS = 10

_ASKED = re.compile(r"""outcome\s*(?:==|eq)\s*(?:'([^']{1,40})'|"([^"]{1,40})")|votes\.(\w{1,40})""")


class _SilentHost:
    """A host that calls nothing and knows an empty record."""

    def __init__(self, names: Mapping[str, Any], several: int) -> None:
        self._names = {"record": {}, "starter": {}, "members": {}, **names}
        self.several = several
        """The number of loop instances of an activity whose list is not known yet."""

    def call(self, operation: str, node: str, given: Mapping[str, Any]) -> None:
        """Do nothing."""

    def names(self) -> Mapping[str, Any]:
        """Return what expressions may read."""
        return self._names


def rehearse(spec: Specification, names: Mapping[str, Any]) -> list[Problem]:
    """Return the problems that were met; `names` are further names for expressions, such as form fields without values.

    A token that waits for nothing and a limit that is reached are errors. An expression that fails is a warning: with
    the values of a real record it may work.
    """
    outcomes = ["", *sorted(_asked(spec))]
    is_multi_instance = any(node.is_multi_instance for node in spec.nodes.values())
    hosts = [_SilentHost(names, several) for several in ((2, 0) if is_multi_instance else (0,))]
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
            if _is_left_alone(spec, step):
                found = _problem(node, Stuck([*run.tokens(spec, step.state)]))
                problems.setdefault((found.element, found.text_en), found)
                continue
            waiting = _waiting(spec, step)
            if not step.completed and waiting not in seen:
                seen.add(waiting)
                todo.append(step)
    return list(problems.values())


def _asked(spec: Specification) -> set[str]:
    """Return the outcomes that conditions of the model compare with, or count."""
    scopes = (spec.process, *spec.subprocesses.values())
    nodes = [node for scope in scopes for node in scope.task_specs.values()]
    said = [flow.condition or "" for node in nodes for flow in getattr(node, "flows", ())]
    said += [node.loop.condition for node in nodes if isinstance(node, MultiInstance)]
    return {word for condition in said for found in _ASKED.findall(condition) for word in found if word}


def _acts(spec: Specification, step: Step | None, outcomes: list[str], host: Any) -> Iterator[tuple[Any, str]]:
    """Yield every act that is possible next, with the node at which it happens."""
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


def _is_left_alone(spec: Specification, step: Step) -> bool:
    """Return whether nothing waits but events round an activity in which nothing can happen any more."""
    waits = {one.node for one in step.timers} | {one.node for one in step.catches}
    return not (step.completed or step.tasks) and all(spec.nodes[node].kind == "boundaryEvent" for node in waits)


def _waiting(spec: Specification, step: Step) -> tuple[Any, ...]:
    """Return what waits after a step, at joins too; of two steps with the same, one need not be followed."""
    return (
        tuple(sorted(run.tokens(spec, step.state).items())),
        tuple(sorted(timer.node for timer in step.timers)),
        tuple(sorted(step.messages)),
    )


def _problem(node: str, error: EngineError) -> Problem:
    if isinstance(error, ExpressionError):
        return warning(node, "dry_run", f"试运行：{error.text_zh}", f"Dry run: {error.text_en}")
    if isinstance(error, Stuck):
        node = error.nodes[0] if error.nodes else node
    return Problem(node, error.code, f"试运行：{error.text_zh}", f"Dry run: {error.text_en}")
