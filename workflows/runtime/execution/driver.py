"""The driver of process instances: lock the instance, run the engine, call the effects, store the result.

Locks are taken in this order: counter, instance, business record, work items. The operation of the caller opens the
transaction and writes the audit entry; this module writes everything that belongs to the process.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from core import ports
from core.identity import quotas
from core.identity.models import QuotaKind
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Conflict, Missing
from core.kernel.texts import choose
from core.ports import Completion, EffectInput, Effects, OpenItem, Parameter, Subject, Summary
from core.statements import writes
from core.statements.compiled import Compiled
from workflows import engine
from workflows.runtime.definitions import library, names, service_tasks
from workflows.runtime.rows import deadlines, incidents, items, messages, queues, suspension, timers
from workflows.runtime.tables.deployments.models import Definition
from workflows.runtime.tables.instances.models import STANDALONE, InstanceStatus, ProcessInstance
from workflows.runtime.tables.worklist.models import WorkItem


class Busy(Exception):
    """The instance is locked by another transaction, or it has ended."""


class Still(Exception):
    """The instance is suspended, alone or with its definition, or has an incident.

    Whoever lets it go on wakes its timers and messages, and waits for the transaction in which this was raised.
    """


@contextmanager
def _refusals(instance: ProcessInstance | None = None, node: str = "") -> Iterator[None]:
    """Turn an error of the engine into a Conflict for the person, so that the transaction is rolled back.

    A reached limit also raises an incident on the instance, unless the instance was only about to start.
    """
    try:
        yield
    except engine.EngineError as error:
        if isinstance(error, engine.LimitReached) and instance is not None:
            raise incidents.over_limit(instance, error, node) from error
        raise Conflict(f"workflow.{error.code}", choose(error.text_zh, error.text_en)) from error


@dataclass
class Held:
    """An instance that this transaction has locked; to core it is a `ports.LockedProcess`."""

    instance: ProcessInstance
    ends_by_hand: bool = False
    """A person who follows processes ends it: its suspension is no hindrance."""

    @cached_property
    def open(self) -> list[WorkItem]:
        """Its open items, the oldest first, locked too: a claim does not ask for the instance. Read once."""
        return items.waiting(self.instance.pk)

    @property
    def open_items(self) -> tuple[OpenItem, ...]:
        """Return the same as the business applications see them."""
        return tuple(items.open_item(item) for item in self.open)

    def complete(self, item_id: int, record: Any, completion: Completion, answer: Callable[[], Any]) -> None:
        """Complete an open item of the record's process."""
        complete(self, item_id, record, completion, answer)

    def send(self, record: Any, message: str, completion: Completion) -> None:
        """Give the record's process a message that it waits for."""
        send(self, record, message, completion)


class _Standalone:
    """Stands in for the effects of a record in standalone processes."""

    effects: Mapping[str, Callable[[Any, EffectInput], None]] = {}
    parameters: Mapping[str, tuple[Parameter, ...]] = {}
    dues: Mapping[str, Callable[[Any], Any]] = {}

    def summary(self, record: Any) -> Summary:
        """Nothing beside the title."""
        return Summary()

    def load(self, business_id: int) -> None:
        """Return nothing; there is no record."""

    def save(self, record: Any) -> None:
        """Do nothing; the form is stored on the instance."""

    def names(self, record: Any) -> Mapping[str, Any]:
        """Nothing of a record."""
        return {}


def _bound(business_type: str) -> Effects | _Standalone:
    return _Standalone() if business_type == STANDALONE else ports.effects[business_type]


class _Host:
    """What the engine may ask for during a step: the effects of service tasks, and the variables of expressions."""

    def __init__(self, instance: ProcessInstance, record: Any, completion: Completion):
        self._instance, self._record, self._completion = instance, record, completion
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
            raise Conflict("workflow.operation", _("操作“{name}”不存在").format(name=operation))
        current_entry().effects.append(operation)

    def _input(self, declared: Sequence[Parameter], given: Mapping[str, Any]) -> EffectInput:
        completion = self._completion
        values = service_tasks.read(declared, given)
        return EffectInput(completion.actor, completion.outcome, completion.data, clock.now(), values)

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
    """Start the tenant's version of the model for a record that was just saved, and run it to its first step."""
    definition = library.to_start(key)
    instance = _new(definition, title, number, starter)
    instance.business_type, instance.business_id = definition.business_type, record.pk
    _begin(instance, record, starter)


def start_standalone(definition: Definition, form: Mapping[str, Any], number: str, starter: Actor) -> ProcessInstance:
    """Start a standalone process with a checked form; its model may declare the title."""
    instance = _new(definition, f"{starter.name} · {definition.name}", number, starter)
    instance.business_type, instance.business_id, instance.form = STANDALONE, instance.pk, dict(form)
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


def running() -> QuerySet[Any]:
    """Return how many processes of the tenant in scope have not ended."""
    return quotas.counting(ProcessInstance.objects.filter(status=InstanceStatus.RUNNING))


def _begin(instance: ProcessInstance, record: Any, starter: Actor) -> None:
    quotas.take(QuotaKind.INSTANCES, seen=instance.definition)
    host = _Host(instance, record, Completion(outcome="", actor=starter))
    with _refusals():
        step = engine.start(library.specification(instance.definition_id), {}, host)
    entry, held = current_entry(), Held(instance)
    entry.instance_id = instance.pk
    entry.held[instance.business_type, instance.business_id] = held
    _store(held, step, record, host, is_new=True)


def check_moving(instance: ProcessInstance, *, may_be_parked: bool = False) -> None:
    """Raise Conflict if the instance is suspended, or has an incident."""
    suspension.check(instance)
    if instance.park_time is not None and not may_be_parked:
        raise incidents.blocked_by_incident(instance)


_OF_RECORD = Compiled(
    lambda business_type, business_id: (
        ProcessInstance.objects.select_for_update(of=("self",))
        .select_related("definition")
        .defer("definition__xml", "definition__whole", "definition__meta", "definition__forms")
        .filter(business_type=business_type, business_id=business_id)
    )
)


def lock(business_type: str, business_id: int) -> Held:
    """Lock the record's instance, once in an audit entry, and wait for other transactions. Raises Missing."""
    held = current_entry().held
    key = (business_type, business_id)
    if key not in held:
        instance: ProcessInstance | None = next(iter(_OF_RECORD.rows(*key)), None)
        if instance is None:
            raise Missing()
        held[key] = Held(instance)
    return held[key]  # type: ignore[no-any-return]


def lock_free(instance_id: int) -> ProcessInstance:
    """Lock a running instance without waiting; raises Busy if it is locked, Still if it must not move.

    After Still the lock remains, on the instance or on its definition, whichever was suspended.
    """
    rows = ProcessInstance.objects.select_for_update(of=("self",), skip_locked=connection.vendor == "postgresql")
    known = rows.select_related("definition").defer(
        "definition__xml", "definition__whole", "definition__meta", "definition__forms"
    )
    instance = known.filter(pk=instance_id, status=InstanceStatus.RUNNING).first()
    if instance is None:
        raise Busy
    if instance.halt_time is not None or instance.park_time is not None:
        raise Still
    if instance.definition.is_halted:
        on_postgres = connection.vendor == "postgresql"
        halted = Definition.objects.select_for_update(skip_locked=on_postgres, no_key=on_postgres)
        if halted.filter(pk=instance.definition_id, is_halted=True).exists():
            raise Still
        raise Busy
    return instance  # type: ignore[no-any-return]


def complete(
    held: Held,
    item_id: int,
    record: Any,
    completion: Completion,
    answer: Callable[[], Any],
    *,
    ends: Collection[str] = (),
) -> None:
    """Complete an open item of a record's process or of a standalone one.

    `ends` are the outcomes that end the process at once; for a multi-instance task the joint decision counts.
    """
    instance = held.instance
    check_moving(instance)
    item = next(one for one in held.open if one.pk == item_id)
    entry = current_entry()
    entry.instance_id, entry.work_item_id = instance.pk, item.pk
    entry.node, entry.round, entry.from_holder = item.node, item.round, item.assignee_id
    entry.outcome = completion.outcome
    host = _Host(instance, record, completion)
    specification, state = library.specification(instance.definition_id), bytes(instance.state)
    with _refusals(instance, item.node):
        step = engine.complete(specification, state, item.engine_task, completion.outcome, {}, host, ends)
    _check_input(instance, step)
    if step.ended_by:
        instance.status, instance.end_time = InstanceStatus.REJECTED, clock.now()
    _store(held, step, record, host, done=(item, completion, answer))


def send(held: Held, record: Any, message: str, completion: Completion) -> None:
    """Give the record's instance a message it waits for."""
    instance = held.instance
    if not held.ends_by_hand:
        check_moving(instance, may_be_parked=True)
    host = _Host(instance, record, completion)
    entry = current_entry()
    entry.instance_id = instance.pk
    with _refusals(instance):
        step = engine.send(library.specification(instance.definition_id), bytes(instance.state), message, host)
    _check_input(instance, step)
    if instance.park_time is not None and not step.completed:
        raise incidents.blocked_by_incident(instance)  # with an incident, only what ends it is taken: a cancellation
    _store(held, step, record, host)


def _check_input(instance: ProcessInstance, step: engine.Step) -> None:
    """Refuse a command whose process fails before an operation of the record: a retry would not have its input."""
    bound, specification = ports.effects.get(instance.business_type), library.specification(instance.definition_id)
    if bound is None:
        return
    for fault in step.faults:
        if not engine.calls_ahead(specification, fault.node).isdisjoint(bound.effects):
            raise Conflict(f"workflow.{fault.code}", choose(fault.text_zh, fault.text_en))


def fire(instance: ProcessInstance, engine_task: str, node: str, actor: Actor) -> None:
    """Let a timer of a locked instance fire."""
    _move(Held(instance), node, actor, lambda spec, state, host: engine.fire(spec, state, engine_task, host))


def receive(instance: ProcessInstance, message: str, tasks: Collection[str], actor: Actor) -> None:
    """Give a locked instance a message of another one; raises engine.NobodyWaits where none of the tasks does."""
    _move(Held(instance), "", actor, lambda spec, state, host: engine.send(spec, state, message, host, tasks))


def _move(
    held: Held, node: str, actor: Actor, step_of: Callable[[engine.Specification, bytes, _Host], engine.Step]
) -> None:
    """Take a step without a person; errors of the engine go to the caller, who decides whether to retry."""
    instance = held.instance
    record = _bound(instance.business_type).load(instance.business_id)
    host = _Host(instance, record, Completion(outcome="", actor=actor))
    entry = current_entry()
    entry.business_type, entry.business_id = instance.business_type, instance.business_id
    entry.instance_id, entry.node = instance.pk, node
    step = step_of(library.specification(instance.definition_id), bytes(instance.state), host)
    _store(held, step, record, host)


def take_by_hand(
    held: Held, node: str, actor: Actor, step_of: Callable[[engine.Specification, bytes, _Host], engine.Step]
) -> None:
    """Take a step that no person and no event of the model leads to; it resolves an incident, like a retry.

    What the engine refuses, or what fails on the way, raises no incident: the process stands as it stood. Where other
    tokens are stuck still, the step is taken.
    """

    def sound(specification: engine.Specification, state: bytes, host: _Host) -> engine.Step:
        step = step_of(specification, state, host)
        return step if [fault.code for fault in step.faults] == ["stuck"] else engine.sound(step)

    instance = held.instance
    suspension.check(instance)
    if instance.park_time is not None:
        incidents.resolve(instance)
    with _refusals():
        _move(held, node, actor, sound)


def go_on(held: Held, actor: Actor) -> None:
    """Run on from what has failed in a locked instance, and offer steps whose people could not be evaluated.

    Raises Conflict where it fails again at once.
    """

    def again(specification: engine.Specification, state: bytes, host: _Host) -> engine.Step:
        step = engine.retry(specification, state, host)
        return step if step.passed else engine.sound(step)

    instance = held.instance
    step = engine.look(library.specification(instance.definition_id), bytes(instance.state))
    if step.completed or not (step.faults or items.new_tasks(held.open, step.tasks)):
        return
    suspension.check(instance)
    with _refusals():
        _move(held, "", actor, again)


def due_again(record: Any, business_type: str) -> None:
    """Ask the due functions of the record's timers again."""
    held, bound = lock(business_type, record.pk), _bound(business_type)
    dues = timers.ask_again(held.instance.pk, record, bound.dues)
    summary = bound.summary(record)
    if _entitle(held.instance, summary):
        writes.update(held.instance, *_TITLES)
    _describe(held.open, summary, library.specification(held.instance.definition_id), dues)


_TITLES = ("title", "title_en")


def _entitle(instance: ProcessInstance, summary: Summary) -> bool:
    """Call the instance as its record says, and return whether it was called something else."""
    before = (instance.title, instance.title_en)
    if summary.title is not None:
        instance.title, instance.title_en = items.titles(summary.title)
    return (instance.title, instance.title_en) != before


def _describe(
    open_items: list[WorkItem], summary: Summary, specification: engine.Specification, dues: Mapping[str, datetime]
) -> None:
    """Store what the work list shows of these items; no statement where it is the same."""
    if changed := items.describe(open_items, summary, specification, dues):
        WorkItem.objects.bulk_update(changed, items.SHOWN)


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
    """Store the result of a step: the record, the instance, its work items, timers and messages."""
    instance, specification = held.instance, library.specification(held.instance.definition_id)
    bound = _bound(instance.business_type)
    bound.save(record)
    summary = bound.summary(record)
    is_renamed = _entitle(instance, summary)
    instance.state = step.state
    instance.nodes = _count(instance.nodes, step.passed)
    instance.flows = _count(instance.flows, step.flows)
    was_parked = instance.park_time is not None
    if step.completed:
        if instance.status == InstanceStatus.RUNNING:
            instance.status, instance.end_time = InstanceStatus.COMPLETED, clock.now()
        incidents.clear(instance)
        if was_parked or held.ends_by_hand:
            messages.wake([instance.pk])  # what nobody waits for any longer is dropped, and the history says so
    tasks = items.new_tasks([] if is_new else held.open, step.tasks)
    with _refusals():
        new, unnamed = items.made(instance, tasks, specification, host.names()) if tasks else ([], [])
    faults = [*step.faults, *unnamed]
    if unnamed and is_new:
        raise Conflict(f"workflow.{unnamed[0].code}", choose(unnamed[0].text_zh, unnamed[0].text_en))
    if faults:
        incidents.raise_with_step(instance, incidents.of_fault(faults[0]))
    deadlines.passed(new, specification, step.timers)
    still_open: list[WorkItem] = []
    left: int | None = None
    if is_new:
        writes.insert([instance])
    else:
        columns = ("state", "nodes", "flows", "rounds", "form", "status", "end_time")
        writes.update(
            instance,
            *columns,
            *(incidents.INCIDENT_FIELDS if was_parked or faults else ()),
            *(_TITLES if is_renamed else ()),
        )
        if done is not None:
            item, completion, answer = done
            left = queues.queue_of(item)
            items.close(item, completion, answer())
        still_open = items.drop(held.open, step.tasks)
        deadlines.keep(still_open, specification, step.timers)
    with _refusals():
        dues = timers.keep(instance.pk, step.timers, record, bound.dues, is_new=is_new)
    items.describe(new, summary, specification, dues)
    _describe(still_open, summary, specification, dues)
    items.offer(new, left)
    if done is not None and done[1].hands_on:
        items.hand_on(new, done[1].actor.user_id)
    held.open = [*still_open, *new]
    messages.keep(instance, specification, step, is_new=is_new)
    with _refusals(None if is_new else instance, current_entry().node):
        messages.throw(instance, step)
