"""Moving instances: lock the instance, run the engine, call the effects, store what waits next; one transaction.

The order of locks is: counter, instance, business record, work items. The callers' operation opens the transaction
and writes the audit row; this module writes everything that belongs to the process.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db import connection
from django.utils.translation import gettext as _

from core.kernel import clock, ports, writes
from core.kernel.act import current_act
from core.kernel.actor import Actor
from core.kernel.compiled import Compiled
from core.kernel.errors import Conflict, Missing
from core.kernel.parameters import Parameter
from core.kernel.ports import Completion, EffectInput, Effects, Subject
from core.kernel.texts import choose
from workflows import engine
from workflows.bridge import operations
from workflows.deployments import library
from workflows.deployments.models import Definition
from workflows.instances import names, parking
from workflows.instances.models import UNBOUND, InstanceStatus, ProcessInstance
from workflows.messages import rows as messages
from workflows.timers import rows as timers
from workflows.worklist import deadlines, items, pools
from workflows.worklist.models import WorkItem


class Busy(Exception):
    """The instance is locked by somebody else, or what was asked for is over."""


class Halted(Busy):
    """Its definition is suspended together with what runs on it, or the instance is parked."""


@contextmanager
def _refusals(instance: ProcessInstance | None = None, node: str = "") -> Iterator[None]:
    """What the engine refuses is a Conflict to the person; the transaction takes back what was half done.

    A limit parks the instance besides, unless it was about to begin.
    """
    try:
        yield
    except engine.EngineError as error:
        if isinstance(error, engine.LimitReached) and instance is not None:
            raise parking.over_limit(instance, error, node) from error
        raise Conflict(f"workflow.{error.code}", choose(error.text_zh, error.text_en)) from error


@dataclass
class Held:
    """An instance that this transaction has locked."""

    instance: ProcessInstance

    @cached_property
    def open(self) -> list[WorkItem]:
        """Its open items, the oldest first, locked too: a claim does not ask for the instance. Read once."""
        return items.waiting(self.instance.pk)


class _Unbound:
    """In place of an application's effects, where no record is bound to the process."""

    effects: Mapping[str, Callable[[Any, EffectInput], None]] = {}
    parameters: Mapping[str, tuple[Parameter, ...]] = {}
    dues: Mapping[str, Callable[[Any], Any]] = {}

    def load(self, business_id: int) -> None:
        """There is no record."""

    def save(self, record: Any) -> None:
        """The form lies on the instance."""

    def names(self, record: Any) -> Mapping[str, Any]:
        """Nothing of a record."""
        return {}


def _bound(business_type: str) -> Effects | _Unbound:
    return _Unbound() if business_type == UNBOUND else ports.effects[business_type]


class _Host:
    """What the engine may ask for during one step: effects on the record, and names to read in conditions."""

    def __init__(self, instance: ProcessInstance, record: Any, said: Completion):
        self._instance, self._record, self._said = instance, record, said
        self._bound = _bound(instance.business_type)

    def call(self, operation: str, node: str, given: Mapping[str, Any]) -> None:
        """Run the effect that the model's service task names, or the operation of every process."""
        effect, common = self._bound.effects.get(operation), ports.common.get(operation)
        if effect is not None:
            effect(self._record, self._input(self._bound.parameters.get(operation, ()), given))
        elif common is not None:
            instance = self._instance
            subject = Subject(instance.business_type, instance.business_id, instance.title)
            common.run(subject, self._input(common.parameters, given))
        else:
            raise Conflict("workflow.operation", _("没有名为“{name}”的操作").format(name=operation))
        current_act().effects.append(operation)

    def _input(self, declared: Sequence[Parameter], given: Mapping[str, Any]) -> EffectInput:
        said = self._said
        values = operations.read(declared, given)
        return EffectInput(said.actor, said.outcome, said.data, clock.now(), values)

    def names(self) -> Mapping[str, Any]:
        """`record.*` and `starter.*`, read live, and `form.*`; in other engines' models a field's bare name too."""
        instance = self._instance
        specification = library.specification(instance.definition_id)
        return names.readable(
            specification,
            library.definition(instance.definition_id).forms if specification.is_vendor else {},
            record=self._bound.names(self._record),
            starter=(instance.starter_id, instance.starter_name),
            form=instance.form,
        )


def start(key: str, record: Any, title: str, number: str, starter: Actor) -> None:
    """Start the tenant's version of the model for a record that was just saved, and run to the first step."""
    definition = library.to_start(key)
    instance = _new(definition, title, number, starter)
    instance.business_type, instance.business_id = definition.business_type, record.pk
    _begin(instance, record, starter)


def start_unbound(definition: Definition, form: Mapping[str, Any], number: str, starter: Actor) -> ProcessInstance:
    """Start a definition that no record is bound to, with a checked form; its title is what the model says."""
    instance = _new(definition, f"{starter.name} · {definition.name}", number, starter)
    instance.business_type, instance.business_id, instance.form = UNBOUND, instance.pk, dict(form)
    with _refusals():
        readable = _Host(instance, None, Completion(outcome="", actor=starter)).names()
        instance.title = names.title(library.specification(definition.pk), instance.title, readable)
    _begin(instance, None, starter)
    return instance


def _new(definition: Definition, title: str, number: str, starter: Actor) -> ProcessInstance:
    return ProcessInstance(
        definition=definition,
        business_no=number,
        title=title[:200],
        starter_id=starter.user_id,
        starter_name=starter.name,
    )


def _begin(instance: ProcessInstance, record: Any, starter: Actor) -> None:
    host = _Host(instance, record, Completion(outcome="", actor=starter))
    with _refusals():
        step = engine.start(library.specification(instance.definition_id), {}, host)
    act, held = current_act(), Held(instance)
    act.instance_id = instance.pk
    act.held[instance.business_type, instance.business_id] = held
    _store(held, step, record, host, is_new=True)


def _check_moving(instance: ProcessInstance, *, may_be_parked: bool = False) -> None:
    """Refuse a step where the definition is suspended together with what runs on it, or the instance is parked."""
    if text := parking.halted(instance.definition.is_halted, str(instance.definition)):
        raise Conflict("workflow.halted", text)
    if instance.park_time is not None and not may_be_parked:
        raise parking.parked(instance)


_OF_RECORD = Compiled(
    lambda business_type, business_id: (
        ProcessInstance.objects.select_for_update(of=("self",))
        .select_related("definition")
        .defer("definition__xml", "definition__whole", "definition__meta", "definition__forms")
        .filter(business_type=business_type, business_id=business_id)
    )
)


def lock(business_type: str, business_id: int) -> Held:
    """Lock the record's instance, once in an act; waits for whoever moves it. Raises Missing when it has none."""
    held = current_act().held
    key = (business_type, business_id)
    if key not in held:
        instance: ProcessInstance | None = next(iter(_OF_RECORD.rows(*key)), None)
        if instance is None:
            raise Missing()
        held[key] = Held(instance)
    return held[key]  # type: ignore[no-any-return]


def lock_free(instance_id: int) -> ProcessInstance:
    """Lock a running instance only if nobody holds it and it may move; raises Busy or Halted otherwise."""
    rows = ProcessInstance.objects.select_for_update(of=("self",), skip_locked=connection.vendor == "postgresql")
    known = rows.select_related("definition").defer(
        "definition__xml", "definition__whole", "definition__meta", "definition__forms"
    )
    instance = known.filter(pk=instance_id, status=InstanceStatus.RUNNING).first()
    if instance is None:
        raise Busy
    if instance.definition.is_halted or instance.park_time is not None:
        raise Halted
    return instance  # type: ignore[no-any-return]


def complete(
    item_id: int, record: Any, said: Completion, answer: Callable[[], Any], business_type: str,
    *, ends: Collection[str] = (),
) -> None:  # fmt: skip
    """Complete an open item of the record, or of an instance that stands for itself.

    `ends` are the outcomes of its step that nothing follows. Where several sign, that is asked of what they decide.
    """
    held = lock(business_type, record.pk)
    instance = held.instance
    _check_moving(instance)
    item = next(one for one in held.open if one.pk == item_id)
    act = current_act()
    act.instance_id, act.work_item_id = instance.pk, item.pk
    act.node, act.round, act.outcome, act.from_holder = item.node, item.round, said.outcome, item.assignee_id
    host = _Host(instance, record, said)
    specification, state = library.specification(instance.definition_id), bytes(instance.state)
    with _refusals(instance, item.node):
        decided: str | None = said.outcome
        if specification.nodes[item.node].is_many or decided not in ends:
            step = engine.complete(specification, state, item.engine_task, said.outcome, {}, host)
            decided = step.decided.get(item.node)
        if decided in ends:
            step = engine.cancel(specification, state)
            instance.status, instance.end_time = InstanceStatus.REJECTED, clock.now()
    _store(held, step, record, host, done=(item, said, answer))


def send(record: Any, message: str, said: Completion, business_type: str) -> None:
    """Give the record's instance a message it waits for."""
    held = lock(business_type, record.pk)
    instance = held.instance
    _check_moving(instance, may_be_parked=True)
    host = _Host(instance, record, said)
    act = current_act()
    act.instance_id = instance.pk
    with _refusals(instance):
        step = engine.send(library.specification(instance.definition_id), bytes(instance.state), message, host)
    if instance.park_time is not None and not step.completed:
        raise parking.parked(instance)  # of a parked one, only what ends it is taken: a cancellation
    _store(held, step, record, host)


def fire(instance: ProcessInstance, engine_task: str, node: str, actor: Actor) -> None:
    """Let a timer of a locked instance fire."""
    _move(instance, node, actor, lambda spec, state, host: engine.fire(spec, state, engine_task, host))


def receive(instance: ProcessInstance, message: str, tasks: Collection[str], actor: Actor) -> None:
    """Give a locked instance a message of another one; raises engine.NobodyWaits where none of the tasks does."""
    _move(instance, "", actor, lambda spec, state, host: engine.send(spec, state, message, host, tasks))


def _move(
    instance: ProcessInstance, node: str, actor: Actor,
    step_of: Callable[[engine.Specification, bytes, _Host], engine.Step],
) -> None:  # fmt: skip
    """A step that no person takes. What the engine refuses is not turned into words for one."""
    record = _bound(instance.business_type).load(instance.business_id)
    host = _Host(instance, record, Completion(outcome="", actor=actor))
    act = current_act()
    act.business_type, act.business_id = instance.business_type, instance.business_id
    act.instance_id, act.node = instance.pk, node
    step = step_of(library.specification(instance.definition_id), bytes(instance.state), host)
    _store(Held(instance), step, record, host)


def due_again(record: Any, business_type: str) -> None:
    """Ask the due functions of the record's timers again."""
    instance = lock(business_type, record.pk).instance
    timers.ask_again(instance.pk, record, _bound(business_type).dues)


def _count(counts: dict[str, int], ids: tuple[str, ...]) -> dict[str, int]:
    return dict(Counter(counts) + Counter(ids))


def _store(
    held: Held,
    step: engine.Step,
    record: Any,
    host: _Host,
    *,
    is_new: bool = False,
    done: tuple[WorkItem, Completion, Callable[[], Any]] | None = None,
) -> None:
    """Write what the step left: the record, the instance, its items with their candidates, its timers."""
    instance = held.instance
    bound = _bound(instance.business_type)
    bound.save(record)
    instance.state = step.state
    instance.nodes = _count(instance.nodes, step.passed)
    instance.flows = _count(instance.flows, step.flows)
    was_parked = instance.park_time is not None
    if step.completed:
        if instance.status == InstanceStatus.RUNNING:
            instance.status, instance.end_time = InstanceStatus.COMPLETED, clock.now()
        parking.unpark(instance)
    tasks = items.new_tasks([] if is_new else held.open, step.tasks)
    with _refusals():
        new = items.made(instance, tasks, library.specification(instance.definition_id), host.names()) if tasks else []
    deadlines.passed(new, library.specification(instance.definition_id), step.timers)
    still_open: list[WorkItem] = []
    left: int | None = None
    if is_new:
        writes.insert([instance])
    else:
        columns = ("state", "nodes", "flows", "rounds", "form", "status", "end_time")
        writes.update(instance, *columns, *(parking.PARKING if was_parked else ()))
        if done is not None:
            item, said, answer = done
            left = pools.queue_of(item)
            items.close(item, said, answer())
        still_open = items.drop(held.open, step.tasks)
        deadlines.keep(still_open, library.specification(instance.definition_id), step.timers)
    items.offer(new, left)
    held.open = [*still_open, *new]
    with _refusals():
        timers.keep(instance.pk, step.timers, record, bound.dues, is_new=is_new)
    messages.keep(instance, library.specification(instance.definition_id), step, is_new=is_new)
    with _refusals(None if is_new else instance, current_act().node):
        messages.throw(instance, step)
