"""A dry run: the real engine takes a model through somebody's acts, in memory, and what it would call is noted.

Nothing is stored, called or sent. The acts are given whole each time and replayed from the start, so that nothing has
to be kept between two questions, and a step back is a shorter list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any, Literal

from django.utils.translation import gettext as _

from core.identity.authentication import actor_of
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.errors import Conflict, Invalid, NotAllowed, Refusal
from core.kernel.tenancy import current_tenant
from core.kernel.texts import choose
from core.ports import OpenItem
from workflows import engine
from workflows.runtime.commands import standalone
from workflows.runtime.commands.work_items import check_outcome
from workflows.runtime.definitions import assignment, carried, names, policies, service_tasks, weights
from workflows.runtime.definitions.service_tasks import Operation
from workflows.runtime.execution import automatic
from workflows.runtime.rows import timers
from workflows.runtime.tables.worklist.models import Reason
from workflows.workbench.designer import deciding, sample
from workflows.workbench.designer.examined import ExaminedModel

MAX_ACTS = 200
MAX_PASSED = 5_000
"""Nodes passed over all acts."""
RUNNING, COMPLETED, REJECTED = "running", "completed", "rejected"

Act = Mapping[str, Any]


@dataclass(frozen=True)
class Waiting:
    """A user task that waits: the engine's name of it, and whom it named when it was reached."""

    task: str
    node: str
    round: int
    seat: str
    """Of one that several do, which of them this is."""
    named: assignment.Named
    offer: assignment.Offer | None = None
    """Whom it goes to, where the model has policies; else that is asked when it is shown."""


@dataclass(frozen=True)
class State:
    """Where the process stands; a refused act leaves the one before it."""

    engine: engine.Step | None = None
    form: Mapping[str, Any] = field(default_factory=dict)
    record: Mapping[str, Any] = field(default_factory=dict)
    open: tuple[Waiting, ...] = ()
    rounds: Mapping[str, int] = field(default_factory=dict)
    dues: Mapping[str, datetime | None] = field(default_factory=dict)
    """By the engine's timer when it would fire, where that does not hang on a record."""
    status: str = RUNNING
    done: tuple[deciding.Completed, ...] = ()
    """The completed steps in their order."""
    decided: tuple[deciding.Decided, ...] = ()
    """Those that the last act led to and that nobody was asked about."""


@dataclass(frozen=True)
class Called:
    """An operation that a node would have called, with its parameters as it would have read them."""

    node: str
    operation: Operation
    given: Mapping[str, Any]


@dataclass(frozen=True)
class Step:
    """What one act did, or why it was refused."""

    act: Act
    passed: tuple[str, ...] = ()
    flows: tuple[str, ...] = ()
    called: tuple[Called, ...] = ()
    """What each service task would have called, in order."""
    thrown: tuple[engine.Thrown, ...] = ()
    decided: tuple[deciding.Decided, ...] = ()
    """Steps that were decided without asking anybody."""
    tokens: Mapping[str, int] = field(default_factory=dict)
    """How many stand at each node after it."""
    status: str = RUNNING
    refusal: Refusal | None = None


class _Host:
    """Notes what the engine would have called."""

    def __init__(self, known: Mapping[str, Operation], readable: Mapping[str, Any]) -> None:
        self._known, self._readable = known, readable
        self.called: list[Called] = []

    def call(self, operation: str, node: str, given: Mapping[str, Any]) -> Literal[engine.Answers.LATER] | None:
        """Nothing happens, but what the operation would not take is refused."""
        found = self._known[operation]
        self.called.append(Called(node, found, service_tasks.read(found.parameters, given)))
        return engine.LATER if found.asks else None

    def names(self) -> Mapping[str, Any]:
        """Return what expressions read in this step."""
        return self._readable

    def weigh(self, rules: Sequence[tuple[str, int]], people: Sequence[Any]) -> Sequence[int]:
        """Weigh them as a process does."""
        return weights.of(rules, people)

    def comes(self, repetition: str) -> bool:
        """Look at the clock as a process does."""
        return timers.DueTimes().of("cycle", repetition) is not None


class DryRun:
    """One model, one starter, and the acts so far."""

    def __init__(self, model: ExaminedModel, starter: Actor, record: Mapping[str, Any]) -> None:
        self.model, self.starter = model, starter
        self.known = service_tasks.known(model.bound)
        self.state = State(record=record)
        self.steps: list[Step] = []
        self.title = ""
        tasks = [node.id for node in model.specification.nodes.values() if node.kind == "userTask"]
        self._has_policies = any(self._policy(node) != policies.USUAL for node in tasks)

    def replay(self, values: Mapping[str, Any], acts: list[Act], at: str = "") -> None:
        """Start with these values, at a start event, and take the acts, up to the first one that is refused."""
        if not self._take({"values": values}, lambda: self._begin(values, at)):
            return
        for act in acts:
            if not self._take(act, partial(self._follow, act)):
                return

    def _take(self, act: Act, move: Callable[[], tuple[State, _Host]]) -> bool:
        """Note the step; whether it was taken."""
        try:
            after, host = move()
            passed = sum(len(step.passed) for step in self.steps)
            assert after.engine is not None
            if passed + len(after.engine.passed) > MAX_PASSED:
                raise engine.LimitReached("nodes", MAX_PASSED)
        except engine.EngineError as error:
            refusal = Conflict(f"workflow.{error.code}", choose(error.text_zh, error.text_en))
            self.steps.append(Step(act, refusal=refusal))
            return False
        except Refusal as refusal:
            self.steps.append(Step(act, refusal=refusal))
            return False
        step, self.state = after.engine, after
        tokens = engine.tokens(self.model.specification, step.state)
        self.steps.append(
            Step(act, step.passed, step.flows, tuple(host.called), step.thrown, after.decided, tokens, after.status)
        )
        return True

    def starts(self) -> tuple[str, ...]:
        """Return the start events at which it may start: that of people, and those with a time of a standalone one."""
        specification = self.model.specification
        timed = specification.timed_starts if self.model.bound is None else ()
        return tuple(dict.fromkeys((specification.first, *timed)))

    def _begin(self, values: Mapping[str, Any], at: str) -> tuple[State, _Host]:
        specification = self.model.specification
        if at and at not in self.starts():
            raise Invalid({"start": _("请选择{field}").format(field=_("开始事件"))})
        is_asked = at in ("", specification.first)  # nobody fills in a form when the time has come
        filled = self._filled({}, specification.first, "", values) if is_asked else self.state
        host = self._host(filled)
        model = specification.name, specification.name_en
        self.title = choose(*names.titles(specification, host.names(), self.starter.name, model))
        return self._after(filled, engine.start(specification, {}, host, at), host), host

    def _follow(self, act: Act) -> tuple[State, _Host]:
        assert self.state.engine is not None
        specification, step = self.model.specification, self.state.engine
        if act.get("node"):
            return self._complete(act)
        if act.get("call"):
            return self._answer(act)
        if act.get("message"):
            nodes = [one.node for one in step.catches if one.message == act["message"]]
            names = {name for node in nodes for name in specification.nodes[node].carried}
            state = self._set(names, act.get("values") or {})
            host = self._host(state)
            return self._after(
                state, engine.sound(engine.send(specification, step.state, act["message"], host)), host
            ), host
        host = self._host(self.state)
        timer = next((one for one in step.timers if one.node == act["timer"]), None)
        if timer is None:
            raise engine.TaskNotOpen(act["timer"])
        after = engine.sound(engine.fire(specification, step.state, timer.task, host))
        return self._after(self.state, after, host), host

    def _set(self, names: Collection[str], values: Mapping[str, Any]) -> State:
        """The state with these fields as a message or an answer sets them."""
        clean = carried.checked(self.model.forms, names, values, self.state.form)
        return replace(self.state, form={**self.state.form, **clean})

    def _answer(self, act: Act) -> tuple[State, _Host]:
        """Let an operation answer with values or an error; that it fails for good is told as it would be."""
        assert self.state.engine is not None
        specification, step = self.model.specification, self.state.engine
        call = next((one for one in step.calls if one.node == act["call"]), None)
        if call is None:
            raise engine.TaskNotOpen(act["call"])
        node = specification.nodes[call.node]
        if act.get("fails"):
            text = _("操作失败{n}次后，流程进入异常，等待流程管理员重试、跳过或终止")
            raise Conflict("workflow.operation", text.format(n=service_tasks.attempts(node)))
        if act.get("error"):
            if act["error"] not in self.codes(call):
                raise Invalid({"error": _("请选择{field}").format(field=_("错误码"))})
            host = self._host(self.state)
            step = engine.fail(specification, step.state, call.task, act["error"], host)
            return self._after(self.state, engine.sound(step), host), host
        values = act.get("values") or {}
        targets = carried.fields_of_results(node)
        state = self._set(set(targets.values()), {field: values.get(name) for name, field in targets.items()})
        host = self._host(state)
        variables = carried.variables_of_results(node, values)
        after = engine.sound(engine.answer(specification, step.state, call.task, variables, host))
        return self._after(state, after, host), host

    def codes(self, call: engine.OpenCall) -> frozenset[str]:
        """The errors with which an operation may answer."""
        return service_tasks.codes(self.model.specification.nodes[call.node], self.known[call.operation])

    def _complete(self, act: Act) -> tuple[State, _Host]:
        assert self.state.engine is not None
        waiting = next(
            (
                one
                for one in self.state.open
                if one.node == act["node"]
                and act.get("round") in (None, one.round)
                and act.get("seat") in (None, one.seat)
            ),
            None,
        )
        if waiting is None:
            raise engine.TaskNotOpen(act["node"])
        said, outcome = self.model.step(waiting.node), str(act.get("outcome") or "")
        check_outcome(said, outcome)
        if act.get("userId") is not None:
            self._check_person(waiting, act["userId"])
        filled = self._filled(said, waiting.node, outcome, act.get("values") or {})
        host = self._host(filled)
        specification, state = self.model.specification, self.state.engine.state
        ends = said.get("ends", ()) if self.model.bound is None else ()
        step = engine.complete(specification, state, waiting.task, outcome, {}, host, ends)
        status = REJECTED if step.ended_by else filled.status
        by = act.get("userId") or self._sole(waiting)
        done = (*filled.done, (waiting.node, outcome, by))
        return self._after(replace(filled, status=status, done=done), engine.sound(step), host, done[-1]), host

    def _check_person(self, waiting: Waiting, user_id: int) -> None:
        """Whoever is said to act would have been offered the step."""
        person = actor_of(user_id, current_tenant())
        if person is None:
            raise Invalid({"userId": _("请选择{field}").format(field=_("办理人"))})
        offered = self.offer(waiting)
        item = OpenItem(0, 0, waiting.node, "", waiting.round, offered.holder, tuple(offered.keys), clock.now())
        if not item.is_for(person):
            raise NotAllowed(_("{name}不会收到这个步骤").format(name=person.name))

    def offer(self, waiting: Waiting) -> assignment.Offer:
        """Who gets a step that waits."""
        if waiting.offer is not None:
            return waiting.offer
        return assignment.offer(waiting.named, self.starter.user_id, is_bound=self.model.bound is not None)

    def _filled(self, said: Mapping[str, Any], node: str, outcome: str, values: Mapping[str, Any]) -> State:
        """The state with what the step fills in: the form, or what the record's own command would set of the record."""
        bound, state = self.model.bound, self.state
        if bound is not None:
            return replace(state, record=sample.changed(bound, state.record, values))
        clean = standalone.filled(said, self.model.forms.get(node), outcome, values, state.form, tried=True)
        return replace(state, form={**state.form, **clean})

    def _host(self, state: State) -> _Host:
        return _Host(
            self.known,
            names.readable(
                self.model.specification,
                self.model.forms,
                record=state.record,
                starter=(self.starter.user_id, self.starter.name),
                form=state.form,
            ),
        )

    def _after(
        self, before: State, step: engine.Step, host: _Host, done: deciding.Completed | None = None
    ) -> State:  # fmt: skip
        """Return what waits now: steps and timers keep what was reckoned when they were reached.

        `done` is the step that was completed; what policies decide follows at once.
        """
        rounds = Counter(before.rounds)
        known = {waiting.task: waiting for waiting in before.open}
        completed, decided = list(before.done), list[deciding.Decided]()
        meta = self.model.meta
        previous = done[2] if done is not None and policies.is_yes(meta, done[0], done[1]) else None
        while True:
            for task in step.tasks:
                if task.task not in known:
                    rounds[task.counted] += 1
                    known[task.task] = self._waiting(task, rounds[task.counted], host, is_start=before.engine is None)
            past = deciding.Past(meta, tuple(completed), previous)
            new = [known[task.task] for task in step.tasks if known[task.task] not in before.open]
            found = next(((one, reason) for one in new if (reason := self._reason(one, past))), None)
            if found is None or len(decided) == automatic.MOST:
                break
            waiting, reason = found
            previous = None if reason == Reason.AGREED_NOBODY else self._sole(waiting)
            said = self.model.step(waiting.node)
            outcome, ends = str(said["positive"]), said.get("ends", ()) if self.model.bound is None else ()
            decided.append(deciding.Decided(waiting.node, previous, reason))
            completed.append((waiting.node, outcome, previous))
            later = engine.complete(
                self.model.specification, step.state, waiting.task, outcome, {}, host, ends
            )  # fmt: skip
            step = automatic.joined(step, later)
        waits = [known[task.task] for task in step.tasks]
        times = timers.DueTimes()
        dues = {
            timer.task: before.dues[timer.task]
            if timer.task in before.dues
            else None
            if timer.kind == "due"
            else times.of(timer.kind, timer.text, is_working=timer.is_working)
            for timer in step.timers
        }
        status = COMPLETED if step.completed and before.status == RUNNING else before.status
        return replace(
            before, engine=step, open=tuple(waits), rounds=dict(rounds), dues=dues, status=status,
            done=tuple(completed), decided=tuple(decided),
        )  # fmt: skip

    def _waiting(self, task: engine.OpenTask, round_: int, host: _Host, *, is_start: bool) -> Waiting:
        """Return a step that was reached, with whom it goes to. Raises Refusal where the start finds nobody for it."""
        node, is_bound = self.model.specification.nodes[task.node], self.model.bound is not None
        policy = self._policy(task.node)
        said = assignment.named(node, {**host.names(), **task.names}, is_bound=is_bound, instead=policy.nobody)
        waiting = Waiting(task.task, task.node, round_, task.loop_instance, said)
        if not self._has_policies:
            return waiting
        offer = assignment.offer(said, self.starter.user_id, is_bound=is_bound)
        if is_start and policy.nobody == policies.NobodyFound.REFUSE and offer.instead != assignment.Fallback.NOBODY:
            raise policies.refused(choose(node.name, node.name_en), self.model.specification.name)
        return replace(waiting, offer=deciding.offered(policy, offer, self.starter.user_id))

    def _sole(self, waiting: Waiting) -> int | None:
        """Return who alone would be asked, where the model has policies."""
        return policies.sole(waiting.offer.holder, waiting.offer.keys) if waiting.offer is not None else None

    def _policy(self, node: str) -> policies.Policy:
        return policies.of(self.model.specification, self.model.meta, node)

    def _reason(self, waiting: Waiting, past: deciding.Past) -> Reason | None:
        node = waiting.node
        if waiting.offer is None:
            return None
        return deciding.reason_of(
            self._policy(node), self.model.step(node), self.model.forms.get(node), waiting.offer,
            self.starter.user_id, past,
        )  # fmt: skip
