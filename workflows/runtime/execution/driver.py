"""The driver of process instances: lock the instance, run the engine, call the effects, store the result.

Locks are taken in this order: counter, instance, business record, work items. The operation of the caller opens the
transaction and writes the audit entry; this module writes everything that belongs to the process.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from core import ports
from core.identity import quotas
from core.identity.models import QuotaKind
from core.kernel import clock
from core.kernel.actor import Actor, system
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Conflict, Missing
from core.kernel.tenancy import current_tenant
from core.kernel.texts import choose
from core.ports import (
    BusinessError,
    CommonOperation,
    Completion,
    EffectInput,
    Effects,
    ErrorCode,
    OpenItem,
    Parameter,
    Subject,
    Summary,
)
from core.statements import writes
from core.statements.compiled import Compiled
from workflows import engine
from workflows.runtime.definitions import (
    assignment,
    carried,
    library,
    names,
    policies,
    service_tasks,
    switches,
    weights,
)
from workflows.runtime.execution import automatic
from workflows.runtime.rows import (
    absences,
    copies,
    deadlines,
    incidents,
    items,
    messages,
    operation_calls,
    queues,
    signers,
    suspension,
    timers,
    undo,
)
from workflows.runtime.tables.deployments.models import Definition
from workflows.runtime.tables.instances.models import STANDALONE, InstanceStatus, ProcessInstance
from workflows.runtime.tables.worklist.models import ItemState, WorkItem


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
    form_before: Mapping[str, Any] | None = None
    """The values of its form before the running operation changed them; None where it does not."""

    @cached_property
    def not_over(self) -> list[WorkItem]:
        """Its items that are open or wait for signers, the oldest first, locked too: a claim does not ask for the
        instance. Read once."""
        return items.not_over(self.instance.pk)

    @property
    def form_then(self) -> Mapping[str, Any]:
        """The values of its form before the running operation."""
        return self.instance.form if self.form_before is None else self.form_before

    @property
    def open(self) -> list[WorkItem]:
        """Those of them that are open."""
        return [item for item in self.not_over if item.state == ItemState.OPEN]

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
    errors: Mapping[str, tuple[ErrorCode, ...]] = {}
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

    def call(self, operation: str, node: str, given: Mapping[str, Any]) -> Literal[engine.Answers.LATER] | None:
        """Run the effect that the model's service task names, or the operation of every process."""
        effect, common = self._bound.effects.get(operation), ports.common.get(operation)
        if effect is not None:
            said = self._input(self._bound.parameters.get(operation, ()), given)
            self._guarded(self._bound.errors.get(operation, ()), lambda: effect(self._record, said))
        elif common is not None and common.run is not None:
            run, said = common.run, self._input(common.parameters, given)
            self._guarded(common.errors, lambda: run(self.subject, said))
        elif common is not None:
            self.request(common, given)  # what it would not take is refused within the step
            current_entry().effects.append(operation)
            return engine.LATER
        else:
            raise Conflict("workflow.operation", _("操作“{name}”不存在").format(name=operation))
        current_entry().effects.append(operation)
        return None

    @property
    def subject(self) -> Subject:
        """What a common operation is about."""
        instance = self._instance
        return Subject(instance.business_type, instance.business_id, instance.title)

    def request(self, common: CommonOperation, given: Mapping[str, Any]) -> EffectInput:
        """Return the input of a common operation; raises ParameterError."""
        said = self._input(common.parameters, given)
        return replace(said, values=service_tasks.further(given)) if common.is_open else said

    def _guarded(self, declared: Sequence[ErrorCode], run: Callable[[], None]) -> None:
        """Run an operation; where it raises a business error that it declares, nothing of it stays."""
        if not declared:
            run()
            return
        entry, record = current_entry(), self._record
        before = None if record is None else dict(vars(record))
        statuses = entry.from_status, entry.to_status
        try:
            with transaction.atomic():
                run()
        except BusinessError as error:
            if error.code not in {one.code for one in declared}:
                raise
            if before is not None:
                vars(record).clear()
                vars(record).update(before)
            entry.from_status, entry.to_status = statuses
            raise engine.BusinessError(error.code) from error

    @property
    def actor(self) -> Actor:
        """Return who acts in this step."""
        return self._completion.actor

    def by_system(self, outcome: str) -> _Host:
        """Return the host of a step that the system completes with this outcome."""
        return _Host(self._instance, self._record, Completion(outcome=outcome, actor=system(current_tenant())))

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

    def comes(self, repetition: str) -> bool:
        """Return whether any occurrence still comes, in the tenant's zone."""
        return timers.DueTimes().of("cycle", repetition) is not None

    def weigh(self, rules: Sequence[tuple[str, int]], people: Sequence[Any]) -> Sequence[int]:
        """Weigh each by the first rule that names the person."""
        return weights.of(rules, people)


def start(key: str, record: Any, title: str, number: str, starter: Actor) -> None:
    """Start the tenant's version of the model for a record that was just saved, and run it to its first step."""
    definition = library.to_start(key)
    instance = _new(definition, title, number, starter)
    instance.business_type, instance.business_id = definition.business_type, record.pk
    _begin(instance, record, starter)


def start_standalone(
    definition: Definition, form: Mapping[str, Any], number: str, starter: Actor, at: str = ""
) -> ProcessInstance:
    """Start a standalone process with a checked form, at a start event; its model may declare the title."""
    instance = _new(definition, "", number, starter)
    instance.business_type, instance.business_id, instance.form = STANDALONE, instance.pk, dict(form)
    with _refusals():
        readable = _Host(instance, None, _by(starter)).names()
        model = definition.name, definition.name_en
        said = names.titles(library.specification(definition.pk), readable, starter.name, model)
    instance.title, instance.title_en = items.titles(said)
    _begin(instance, None, starter, at)
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


def _begin(instance: ProcessInstance, record: Any, starter: Actor, at: str = "") -> None:
    quotas.take(QuotaKind.INSTANCES, seen=instance.definition)
    host = _Host(instance, record, _by(starter))
    with _refusals():
        step = engine.start(library.specification(instance.definition_id), {}, host, at)
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
        .defer("definition__xml", "definition__whole", "definition__meta", "definition__forms", "undo_state", "undo")
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


def lock_at_once(instance_id: int) -> ProcessInstance:
    """Lock a running instance without waiting, suspended or not; raises Busy if it is locked."""
    rows = ProcessInstance.objects.select_for_update(of=("self",), skip_locked=connection.vendor == "postgresql")
    known = rows.select_related("definition").defer(
        "definition__xml", "definition__whole", "definition__meta", "definition__forms", "undo_state", "undo"
    )
    instance = known.filter(pk=instance_id, status=InstanceStatus.RUNNING).first()
    if instance is None:
        raise Busy
    return instance  # type: ignore[no-any-return]


def lock_free(instance_id: int) -> ProcessInstance:
    """Lock a running instance without waiting; raises Busy if it is locked, Still if it must not move.

    After Still the lock remains, on the instance or on its definition, whichever was suspended.
    """
    instance = lock_at_once(instance_id)
    if instance.halt_time is not None or instance.park_time is not None:
        raise Still
    if instance.definition.is_halted:
        on_postgres = connection.vendor == "postgresql"
        halted = Definition.objects.select_for_update(skip_locked=on_postgres, no_key=on_postgres)
        if halted.filter(pk=instance.definition_id, is_halted=True).exists():
            raise Still
        raise Busy
    return instance


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
    check_moving(held.instance)
    item = next(one for one in held.open if one.pk == item_id)
    outcome = completion.outcome
    if (signing := signers.of(item, held.not_over)) is not None:
        node = library.definition(held.instance.definition_id).meta["nodes"].get(item.node, {})
        told = signing.ends(item, outcome, node.get("negative", ""))
        if told is None:
            _tell_entry(held.instance, item, outcome)
            _wait_for_signers(held, signing, item, completion, answer)
            return
        outcome = told

    def take(specification: engine.Specification, state: bytes, host: _Host) -> engine.Step:
        return engine.complete(specification, state, item.engine_task, outcome, {}, host, ends)

    close(held, item, record, completion, answer, take, outcome)


def close(
    held: Held,
    item: WorkItem,
    record: Any,
    completion: Completion,
    answer: Callable[[], Any],
    step_of: Callable[[engine.Specification, bytes, _Host], engine.Step],
    outcome: str = "",
) -> None:
    """Take a step that closes an open item; `outcome` is that of the step where signers have decided it."""
    instance = held.instance
    check_moving(instance)
    _tell_entry(instance, item, completion.outcome)
    host = _Host(instance, record, replace(completion, outcome=outcome or completion.outcome))
    with _refusals(instance, item.node):
        step = step_of(library.specification(instance.definition_id), bytes(instance.state), host)
    _check_input(instance, step)
    _reject(instance, step)
    _store(held, step, record, host, done=(item, completion, answer))


def _tell_entry(instance: ProcessInstance, item: WorkItem, outcome: str) -> None:
    entry = current_entry()
    entry.instance_id, entry.work_item_id = instance.pk, item.pk
    entry.node, entry.round, entry.from_holder = item.node, item.round, item.assignee_id
    entry.outcome = outcome


def _reject(instance: ProcessInstance, step: engine.Step) -> None:
    """Note that the process was rejected, where the outcome of the step ended it at once."""
    if step.ended_by:
        instance.status, instance.end_time = InstanceStatus.REJECTED, clock.now()


def _wait_for_signers(
    held: Held, signing: signers.Signing, item: WorkItem, completion: Completion, answer: Callable[[], Any]
) -> None:
    """Close the item and let the next ones sign: the engine is told when all have."""
    instance = held.instance
    undo.forget(instance)
    copied: Mapping[str, str] = {}
    if _may_be_taken_back(instance, item):
        undo.keep(instance, item, bytes(instance.state), held.form_then)
        copied = undo.COPIED
    writes.update(instance, *(name for name in ("form", *undo.COLUMNS) if name not in copied), copied=copied)
    left = queues.queue_of(item)
    items.close(item, completion, answer(), clock.now())
    held.not_over = [one for one in held.not_over if one is not item]
    signing.settle([left])


def take_for(
    held: Held,
    node: str,
    completion: Completion,
    step_of: Callable[[engine.Specification, bytes, _Host], engine.Step],
) -> None:
    """Take a step of the engine by an act of a person that completes no item; what is refused raises no incident."""
    with _refusals():
        _move(held, node, completion, step_of)


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
    _move(Held(instance), node, _by(actor), lambda spec, state, host: engine.fire(spec, state, engine_task, host))


def receive(
    instance: ProcessInstance, message: str, tasks: Collection[str], actor: Actor,
    values: Mapping[str, Any] = MappingProxyType({}), node: str = "",
) -> None:  # fmt: skip
    """Give a locked instance a message with these values for its form, which were checked.

    Raises engine.NobodyWaits where none of the tasks waits for it.
    """
    instance.form = {**instance.form, **values}
    _move(Held(instance), node, _by(actor), lambda spec, state, host: engine.send(spec, state, message, host, tasks))


def receive_from_person(
    held: Held, message: str, tasks: Collection[str], actor: Actor, values: Mapping[str, Any], node: str
) -> None:
    """Give a locked instance a message of a person, who is told why it is refused."""
    check_moving(held.instance)
    with _refusals(held.instance, node):
        receive(held.instance, message, tasks, actor, values, node)


def requested(instance: ProcessInstance, task: str, operation: str, given: Mapping[str, Any] | None) -> Any:
    """Return subject, input and parameters of an operation that answers later; `given` is None for those of now.

    Raises engine.TaskNotOpen, and ParameterError or ExpressionError for what it would not take.
    """
    bound = _bound(instance.business_type)
    host = _Host(instance, bound.load(instance.business_id), Completion(outcome="", actor=system(current_tenant())))
    if given is None:
        state = bytes(instance.state)
        given = engine.given(library.specification(instance.definition_id), state, task, host)
    return host.subject, host.request(ports.common[operation], given), given


def answer(instance: ProcessInstance, task: str, node: str, found: Mapping[str, Any], actor: Actor) -> None:
    """Give a locked instance the answer of an operation; raises engine.TaskNotOpen where the task waits no longer.

    Raises Invalid where a value does not fit its field.
    """
    drawn = library.specification(instance.definition_id).nodes[node]
    targets = carried.fields_of_results(drawn)
    given = {field: found.get(name) for name, field in targets.items()}
    clean = carried.checked(library.definition(instance.definition_id).forms, set(given), given, instance.form)
    instance.form = {**instance.form, **clean}
    variables = carried.variables_of_results(drawn, found)

    def take(spec: engine.Specification, state: bytes, host: _Host) -> engine.Step:
        return engine.answer(spec, state, task, variables, host)

    _move(Held(instance), node, _by(actor), take)


def fail(instance: ProcessInstance, task: str, node: str, code: str, actor: Actor) -> None:
    """Let the process of a locked instance handle a business error; raises engine.UncaughtError where it does not."""
    _move(Held(instance), node, _by(actor), lambda spec, state, host: engine.fail(spec, state, task, code, host))


def _by(actor: Actor) -> Completion:
    """Return the completion of a step that has no outcome."""
    return Completion(outcome="", actor=actor)


def _move(
    held: Held,
    node: str,
    completion: Completion,
    step_of: Callable[[engine.Specification, bytes, _Host], engine.Step],
) -> None:
    """Take a step that completes no item; errors of the engine go to the caller, who decides whether to retry."""
    instance = held.instance
    record = _bound(instance.business_type).load(instance.business_id)
    host = _Host(instance, record, completion)
    entry = current_entry()
    entry.business_type, entry.business_id = instance.business_type, instance.business_id
    entry.instance_id, entry.node = instance.pk, node
    step = step_of(library.specification(instance.definition_id), bytes(instance.state), host)
    _reject(instance, step)
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
        _move(held, node, _by(actor), sound)


def go_on(held: Held, actor: Actor) -> None:
    """Run on from what has failed in a locked instance, and offer steps whose people could not be evaluated.

    Raises Conflict where it fails again at once.
    """

    def again(specification: engine.Specification, state: bytes, host: _Host) -> engine.Step:
        step = engine.retry(specification, state, host)
        return step if step.passed else engine.sound(step)

    instance = held.instance
    step = engine.look(library.specification(instance.definition_id), bytes(instance.state))
    if step.completed or not (step.faults or items.new_tasks(held.not_over, step.tasks)):
        return
    suspension.check(instance)
    with _refusals():
        _move(held, "", _by(actor), again)


def named(held: Held, record: Any) -> list[tuple[WorkItem, assignment.Named]]:
    """Return of each open step of a locked instance whom its model names for it as the record is now.

    Steps that somebody has added or sent back are nobody's by the model.
    """
    instance, specification = held.instance, library.specification(held.instance.definition_id)
    meta = library.definition(instance.definition_id).meta
    tasks = {task.task: task for task in engine.look(specification, bytes(instance.state)).tasks}
    host = _Host(instance, record, _by(system(instance.tenant_id)))
    found = []
    with _refusals():
        for item in held.not_over:
            task = tasks.get(item.engine_task)
            if item.signs or task is None or task.note or task.holder:
                continue
            node, instead = specification.nodes[task.node], policies.of(specification, meta, task.node).nobody
            found.append((item, assignment.named(node, {**host.names(), **task.names}, is_bound=True, instead=instead)))
    return found


def due_again(record: Any, business_type: str) -> None:
    """Ask the due functions of the record's timers again."""
    held, bound = lock(business_type, record.pk), _bound(business_type)
    dues = timers.ask_again(held.instance.pk, record, bound.dues)
    summary = bound.summary(record)
    if _entitle(held.instance, summary):
        writes.update(held.instance, *_TITLES)
    _describe(held.not_over, summary, library.specification(held.instance.definition_id), dues)


def renew_due_times(instance: ProcessInstance) -> list[timers.Moved]:
    """Compute the due times of a locked instance in working time by the calendar as it is now."""
    held, bound = Held(instance), _bound(instance.business_type)
    record = bound.load(instance.business_id)
    with _refusals():
        dues, moved = timers.renew(instance.pk, record, bound.dues)
    _describe(held.open, bound.summary(record), library.specification(instance.definition_id), dues)
    return moved


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
    found = dict(counts)
    for one in ids:
        found[one] = found.get(one, 0) + 1
    return found


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
    bound, now = _bound(instance.business_type), clock.now()
    with _refusals(None if is_new else instance, current_entry().node):
        opened = automatic.opened(
            instance, [] if is_new else held.not_over, step, host, done and done[:2], is_new=is_new
        )
    step, new = opened.step, opened.new
    bound.save(record)
    summary = bound.summary(record)
    is_renamed = _entitle(instance, summary)
    state_before, instance.state = instance.state, step.state
    instance.nodes = _count(instance.nodes, step.passed)
    instance.flows = _count(instance.flows, step.flows)
    was_parked = instance.park_time is not None
    if step.completed:
        if instance.status == InstanceStatus.RUNNING:
            instance.status, instance.end_time = InstanceStatus.COMPLETED, clock.now()
        incidents.clear(instance)
        if was_parked or held.ends_by_hand:
            messages.wake([instance.pk])  # what nobody waits for any longer is dropped, and the history says so
    faults = [*step.faults, *opened.unnamed]
    if opened.unnamed and is_new:
        [first, *_rest] = opened.unnamed
        raise Conflict(f"workflow.{first.code}", choose(first.text_zh, first.text_en))
    if faults:
        incidents.raise_with_step(instance, incidents.of_fault(faults[0]))
    deadlines.passed(new, specification, step.timers)
    still_open: list[WorkItem] = []
    left: int | None = None
    if is_new:
        writes.insert([instance])
    with _refusals():
        dues, ended = timers.keep(instance.pk, step.timers, record, bound.dues, is_new=is_new)
    if not is_new:
        undo.forget(instance)
        copied: Mapping[str, str] = {}
        if done is not None and not faults and _may_be_taken_back(instance, done[0], step):
            waits = {task.task for task in step.tasks}
            dropped = [one for one in held.not_over if one.engine_task not in waits and one is not done[0]]
            undo.keep(instance, done[0], bytes(state_before), held.form_then, step, dropped, opened.decided, ended)
            copied = undo.COPIED
        columns = ("state", "nodes", "flows", "rounds", "form", "status", "end_time", *undo.COLUMNS)
        writes.update(
            instance,
            *(name for name in columns if name not in copied),
            *(incidents.INCIDENT_FIELDS if was_parked or faults else ()),
            *(_TITLES if is_renamed else ()),
            copied=copied,
        )
        if done is not None:
            item, completion, answer = done
            left = queues.queue_of(item)
            items.close(item, completion, answer(), now)
        still_open = items.drop(held.not_over, step.tasks, step.decided)
        deadlines.keep(still_open, specification, step.timers)
    items.describe(new, summary, specification, dues)
    _describe(still_open, summary, specification, dues)
    items.offer(new, left, opened.decided)
    absences.pass_on(host.actor, new)
    if done is not None and done[1].hands_on:
        items.hand_on(new, done[1].actor.user_id)
    held.not_over = [*still_open, *new]
    messages.keep(instance, specification, step, is_new=is_new)
    operation_calls.keep(instance, step, is_new=is_new)
    with _refusals(None if is_new else instance, current_entry().node):
        messages.throw(instance, step)
        copies.of_step(instance, specification, step, host.names)


def _may_be_taken_back(instance: ProcessInstance, item: WorkItem, step: engine.Step | None = None) -> bool:
    """Return whether nothing of the step has left the process, and the model does not say no.

    `step` is None where the process has not moved, because signers are waited for.
    """
    node = library.definition(instance.definition_id).meta["nodes"].get(item.node, {})
    is_records = instance.business_type != STANDALONE and not node.get("added")
    is_own = is_records and not item.signs  # its command has changed the record
    has_left = step is not None and (step.completed or step.thrown or current_entry().effects)
    return not (is_own or has_left) and switches.allows(instance.definition_id, switches.TAKE_BACK, item.node)


def take_back(held: Held, item: WorkItem) -> None:
    """Put the process back to where it stood before its last step, the completion of this item."""
    instance, specification = held.instance, library.specification(held.instance.definition_id)
    entry = current_entry()
    entry.instance_id, entry.work_item_id, entry.node, entry.round = instance.pk, item.pk, item.node, item.round
    record = _bound(instance.business_type).load(instance.business_id)
    kept, state = instance.undo, bytes(instance.undo_state)
    step = engine.look(specification, state)
    instance.state, instance.form = state, undo.form_before(instance)
    instance.nodes = undo.counted_before(instance.nodes, kept["nodes"])
    instance.flows = undo.counted_before(instance.flows, kept["flows"])
    writes.insert(undo.timers_before(instance))
    still_open = items.drop(held.not_over, step.tasks)
    restored = items.restore(kept["dropped"], kept.get("waiting", ()), step.tasks)
    [task] = [one for one in step.tasks if one.task == item.engine_task]
    again = items.reopened(instance, item, task, kept["holder"])
    undo.forget(instance)
    writes.update(instance, "state", "nodes", "flows", "rounds", "form", *undo.COLUMNS)
    items.offer([again])
    items.take_out(item, again, kept.get("decided", ()))
    timers.keep(instance.pk, step.timers, record, _bound(instance.business_type).dues)
    messages.keep(instance, specification, step, is_new=False)
    held.not_over = sorted([*still_open, *restored, again], key=lambda one: one.pk)
    if signing := signers.of(again, held.not_over):
        signing.settle()  # whoever signs behind it waits again
