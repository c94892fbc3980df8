"""Rehearses a model before its deployment: an instance tries every outcome, timer and message, within a limit.

The rehearsal finds what the document does not show: joins whose token never comes, bursts of tokens, expressions that
fail. It calls no operation and stores nothing.
"""

import re
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from workflows.engine import answers, run
from workflows.engine.errors import EngineError, ExpressionError, Problem, Stuck, UncaughtError, step_order, warning
from workflows.engine.expressions import contents
from workflows.engine.model import LATER, Specification, Step
from workflows.engine.multi_instance import MultiInstance
from workflows.engine.specs import BoundaryEvent, ConditionalEvent, ErrorEvent

MAX_WORK = 4_000  # nodes passed and tokens waiting, over all steps
MAX_STEPS = 300
MAX_PROBLEMS = 10

_ASKED = re.compile(r"""outcome\s*(?:==|eq)\s*(?:'([^']{1,40})'|"([^"]{1,40})")|(?:votes|weights)\.(\w{1,40})""")


class _SilentHost:
    """A host that calls nothing, knows an empty record, and notes the last operation of those that count.

    The operations of `later` answer later.
    """

    last = ""

    def __init__(
        self, names: Mapping[str, Any], several: int, counted: Collection[str], later: Collection[str] = ()
    ) -> None:
        self._counted, self._later = counted, later
        self._names = {"record": {}, "starter": {}, "members": {}, **names}
        self.several = several
        """The number of loop instances of an activity whose list is not known yet."""

    def call(self, operation: str, node: str, given: Mapping[str, Any]) -> Any:
        """Do nothing."""
        self.last = operation if operation in self._counted else self.last
        return LATER if operation in self._later else None

    def names(self) -> Mapping[str, Any]:
        """Return what expressions may read."""
        return self._names

    def weigh(self, rules: Sequence[tuple[str, int]], people: Sequence[Any]) -> Sequence[int]:
        """Weigh each the same."""
        return [1] * len(people)

    def comes(self, repetition: str) -> bool:
        """Every repetition comes."""
        return True


def rehearse(
    spec: Specification, names: Mapping[str, Any], known: Mapping[str, Collection[str]] = MappingProxyType({}),
    later: Collection[str] = (),
) -> list[Problem]:  # fmt: skip
    """Return the problems that were met; `names` are further names for expressions, such as form fields without values.

    A token that waits for nothing, a limit that is reached, and a place from which no act leads to the end are errors.
    An expression that fails is a warning: with the values of a real record it may work. Where the `known` order of a
    record's steps and operations is given (see `rehearsed_order`), a step that follows another operation is an error.
    `later` are the operations that answer later.
    """
    rehearsal = _Rehearsal(spec, names, known, later)
    rehearsal.run()
    for step, operations in rehearsal.order.items():
        strange = sorted(operations.difference(known.get(step, operations)))
        if strange:
            rehearsal.tell(step_order(step, strange))
    return list(rehearsal.problems.values())


def rehearsed_order(spec: Specification, operations: Collection[str]) -> dict[str, set[str]]:
    """Return, by user task, which of the operations were called last when the rehearsal came there."""
    rehearsal = _Rehearsal(spec, {}, dict.fromkeys(operations, ()))
    rehearsal.run()
    return {**{operation: set() for operation in operations}, **rehearsal.order}


class _Rehearsal:
    """The acts that were tried, and where they led."""

    def __init__(
        self, spec: Specification, names: Mapping[str, Any], known: Mapping[str, Collection[str]],
        later: Collection[str] = (),
    ) -> None:  # fmt: skip
        self.spec = spec
        self.order: dict[str, set[str]] = {}
        """By user task, the operations that were called last when it was come to."""
        is_multi_instance = any(node.is_multi_instance for node in spec.nodes.values())
        several = (2, 0) if is_multi_instance else (0,)
        self.hosts = [_SilentHost(names, number, known, later) for number in several]
        self.outcomes = ["", *sorted(_asked(spec))]
        self.problems: dict[tuple[str, str], Problem] = {}
        self.places: dict[tuple[Any, ...], Step] = {}
        """By what waits, the first step that led there."""
        self.sources: dict[tuple[Any, ...], set[tuple[Any, ...]]] = {}
        """By what waits, from where an act leads there; the empty one is the end, or nobody knows where."""

    def run(self) -> None:
        todo: deque[tuple[Step | None, str]] = deque([(None, "")])
        work = steps = 0
        while todo and work < MAX_WORK and len(self.problems) < MAX_PROBLEMS:
            before, last = todo.popleft()
            source: tuple[Any, ...] = (*_waiting(self.spec, before), last) if before else ("start",)
            for act, node in (one for host in self.hosts for one in _acts(self.spec, before, self.outcomes, host)):
                steps += 1
                for host in self.hosts:
                    host.last = last
                if steps > MAX_STEPS or work >= MAX_WORK:
                    return
                try:
                    step = run.sound(act())
                except UncaughtError:
                    continue  # this operation raises no error that is caught elsewhere
                except EngineError as error:
                    found = self.tell(_problem(node, error))
                    if found.code == "limit":
                        return  # each of these costs the whole budget of a step
                    self.sources.setdefault((), set()).add(source)
                    continue
                work += len(step.passed) + len(step.tasks) + len(step.timers) + len(step.calls) + 1
                if _is_left_alone(self.spec, step):
                    self.tell(_problem(node, Stuck([*run.tokens(self.spec, step.state)])))
                    continue
                now = next((host.last for host in self.hosts if host.last != last), last)
                for task in step.tasks:
                    self.order.setdefault(task.node, set()).update([now] if now else [])
                waiting = () if step.completed else (*_waiting(self.spec, step), now)
                if waiting and waiting not in self.places:
                    self.places[waiting] = step
                    todo.append((step, now))
                self.sources.setdefault(waiting, set()).add(source)
        if not todo and _goes_by_outcomes(self.spec):
            self.tell_dead_ends()

    def tell(self, problem: Problem) -> Problem:
        return self.problems.setdefault((problem.element, problem.text_en), problem)

    def tell_dead_ends(self) -> None:
        """Tell of the first place from which no acts lead to the end."""
        ending = {()}
        todo = [()]
        while todo:
            for source in self.sources.get(todo.pop(), ()):
                if source not in ending:
                    ending.add(source)
                    todo.append(source)
        for waiting, step in self.places.items():
            if waiting not in ending:
                waits = [
                    *(one.node for one in step.tasks),
                    *(one.node for one in step.timers),
                    *(one.node for one in step.catches),
                    *(one.node for one in step.calls),
                ]
                zh = "试运行：到达此处后，无论如何办理都无法到达结束事件"
                en = "Dry run: from here on, whatever is done, the process never reaches an end"
                self.tell(Problem(waits[0], "no_way_to_end", zh, en))
                return


def _nodes(spec: Specification) -> list[Any]:
    return [node for scope in (spec.process, *spec.subprocesses.values()) for node in scope.task_specs.values()]


def _goes_by_outcomes(spec: Specification) -> bool:
    """Return whether what is tried is all that may happen: no way hangs on a value, and no loop counts its rounds."""
    nodes = _nodes(spec)
    conditions = [flow.condition for node in nodes for flow in getattr(node, "flows", ()) if flow.condition]
    return all(path == ("outcome",) for one in conditions for path in contents(one).paths) and not any(
        isinstance(node, MultiInstance) or isinstance(getattr(node, "event_definition", None), ConditionalEvent)
        for node in nodes
    )


def _asked(spec: Specification) -> set[str]:
    """Return the outcomes that conditions of the model compare with, or count."""
    nodes = _nodes(spec)
    said = [flow.condition or "" for node in nodes for flow in getattr(node, "flows", ())]
    said += [node.loop.condition for node in nodes if isinstance(node, MultiInstance)]
    return {word for condition in said for found in _ASKED.findall(condition) for word in found if word}


def _acts(spec: Specification, step: Step | None, outcomes: list[str], host: Any) -> Iterator[tuple[Any, str]]:
    """Yield every act that is possible next, with the node at which it happens."""
    if step is None:
        for at in {spec.first: None, **spec.timed_starts, **spec.message_starts}:
            yield (lambda at=at: run.start(spec, {}, host, at)), "" if at == spec.first else at
        return
    state = step.state
    codes = _caught_codes(spec) if step.calls else []
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
    for call in {one.node: one for one in step.calls}.values():
        unset = {target: None for target in spec.nodes[call.node].results.values() if "." not in target}
        yield (lambda call=call, unset=unset: answers.answer(spec, state, call.task, unset, host)), call.node
        for code in codes:
            yield (lambda call=call, code=code: answers.fail(spec, state, call.task, code, host)), call.node


def _caught_codes(spec: Specification) -> list[str]:
    """Return the codes of the errors that boundary events of the model catch."""
    events = (node.event_definition for node in _nodes(spec) if isinstance(node, BoundaryEvent))
    return sorted({one.code for one in events if isinstance(one, ErrorEvent) and one.kind == "error"})


def _is_left_alone(spec: Specification, step: Step) -> bool:
    """Return whether nothing waits but events round an activity in which nothing can happen any more."""
    waits = {one.node for one in step.timers} | {one.node for one in step.catches}
    is_busy = step.completed or step.tasks or step.calls
    return not is_busy and all(spec.nodes[node].kind == "boundaryEvent" for node in waits)


def _waiting(spec: Specification, step: Step) -> tuple[Any, ...]:
    """Return what waits after a step, at joins too; of two steps with the same, one need not be followed."""
    return (
        tuple(sorted(run.tokens(spec, step.state).items())),
        tuple(sorted(timer.node for timer in step.timers)),
        tuple(sorted(step.messages)),
        tuple(sorted(call.node for call in step.calls)),
    )


def _problem(node: str, error: EngineError) -> Problem:
    if isinstance(error, ExpressionError):
        return warning(error.node or node, "dry_run", f"试运行：{error.text_zh}", f"Dry run: {error.text_en}")
    if isinstance(error, Stuck):
        node = error.nodes[0] if error.nodes else node
    return Problem(node or error.node, error.code, f"试运行：{error.text_zh}", f"Dry run: {error.text_en}")
