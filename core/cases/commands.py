"""What people do with the records of a case: start one, keep a draft, carry out a command at one of two doors.

The business door names the record and the command, the queue names the step and its outcome. Both end in `_carry_out`,
which checks right, state and input and hands the step to the record's process. The effects that the process calls are
the only code that changes the record's status.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from core import ports
from core.audit.changes import differences, values_of
from core.cases import comments
from core.cases.case import HANDS_ON, Case, Command, Door, cases
from core.cases.effects import apply
from core.cases.inputs import checked, input_of, input_of_start, refuse_fixed
from core.cases.process import does, label_of
from core.identity.models import User
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Conflict, Invalid, Missing, NotAllowed, Refusal, Stale
from core.kernel.operation import SIGNED_IN, digest, operation, registry
from core.kernel.texts import both, camel, moment
from core.statements import writes
from core.system.numbers import next_number


def register(case: Case) -> None:
    """Register a case and an operation for each of its commands; raises ValueError when its name is taken."""
    if case.name in cases:
        raise ValueError(f"the case {case.name} is registered twice")
    cases[case.name] = case
    ports.register_effects(_effects(case))
    for command in case.commands:
        operation(f"{case.name}.{command.name}", code=command.code)(partial(_carry_out, case=case, command=command))
    if not case.start.own_operation:
        operation(f"{case.name}.{case.start.name}", code=case.start.code)(partial(_start, case=case))
    operation(f"{case.name}.comment", code=case.code)(partial(comments.add, case=case))
    operation(f"{case.name}.removeComment", code=case.code)(partial(comments.remove, case=case))
    if case.start.draft is not None:
        operation(f"{case.name}.saveDraft", code=case.start.code)(partial(_save_draft, case=case))
        operation(f"{case.name}.removeDraft", code=case.start.code)(partial(_remove_draft, case=case))


def operation_of(case: Case, name: str) -> Any:
    """Return the operation `<case>.<name>`."""
    return registry[f"{case.name}.{name}"].function


# --- the record -----------------------------------------------------------------------------------------------------


def store(record: Any) -> None:
    """Store the record after a step; whoever read it before has to read it again."""
    if record._state.adding:
        writes.insert([record])
    else:
        writes.update(record)


def answer(case: Case, record: Any) -> dict[str, Any]:
    """Return what a start and every command answer."""
    return {
        "id": str(record.pk),
        camel(case.number.column): getattr(record, case.number.column),
        "status": record.status,
        "statusName": record.get_status_display(),
        "lockVersion": record.lock_version,
    }


def describe_change(case: Case, record: Any) -> None:
    """Let the audit entry describe the change of this record; an earlier record keeps an entry of its own."""
    current_entry().turn_to(case.name, record.pk)


def locked(case: Case, actor: Actor, record_id: int) -> tuple[ports.LockedProcess, Any]:
    """Lock the record's process and then the record, the documented order; raises Missing for who may not see it."""
    if not case.sees(actor, record_id):
        raise Missing()
    return ports.processes.lock(case.name, record_id), case.load(record_id)


# --- the start ------------------------------------------------------------------------------------------------------


def begin(case: Case, actor: Actor, record: Any, number: str, definition_id: int | None = None) -> dict[str, Any]:
    """Start the process of a new record, which stores it, and return the answer.

    `definition_id` is the version that the person's form was opened for; raises Conflict when another one runs now.
    """
    setattr(record, case.number.column, number)
    describe_change(case, record)
    ports.processes.start(case.model_key, record, title=both(record.about)[0], number=number, starter=actor)
    if definition_id and (ports.processes.instance_of(case.name, record.pk) or (0, 0))[1] != definition_id:
        raise Conflict("workflow.definitionChanged", _("该流程已有变化，请从发起页面重新进入"))
    return answer(case, record)


def _start(actor: Actor, raw: Mapping[str, Any], *, case: Case) -> dict[str, Any]:
    """Make a record and start its process; the person's draft becomes the record."""
    values = checked(input_of_start(case), raw)
    number = next_number(case.number.prefix)
    definition_id = values.pop("processDefinitionId", None)
    record = _new_or_draft(case, actor)
    if case.start.check is not None:
        case.start.check(actor, record, values)
    for name, value in values.items():
        setattr(record, name, value)
    return begin(case, actor, record, number, definition_id)


def _new_or_draft(case: Case, actor: Actor) -> Any:
    """Return the person's draft or a new record; the person is locked, so that two forms at once are one draft."""
    user = User.objects.select_for_update(of=("self",), no_key=True).get(pk=actor.user_id)
    return draft_of(case, user.pk) or case.model(**{case.start.owner: user})


def draft_of(case: Case, user_id: int) -> Any:
    """Return the record that the person is writing, None where there is none."""
    if case.start.draft is None:
        return None
    return case.model._default_manager.filter(**{case.start.owner: user_id}, status=case.start.draft).first()


def _save_draft(actor: Actor, raw: Mapping[str, Any], *, case: Case) -> dict[str, Any]:
    """Keep what is written so far in place of what was kept before; each person has one draft."""
    values = checked(input_of_start(case), raw, is_draft=True)
    record = _new_or_draft(case, actor)
    for name, value in values.items():
        setattr(record, name, value)
    record.save()
    describe_change(case, record)
    return {"id": str(record.pk)}


def _remove_draft(actor: Actor, record_id: int, *, case: Case) -> None:
    """Discard the person's own draft."""
    record = _new_or_draft(case, actor)
    if record.pk != record_id or record._state.adding:
        raise Missing()
    record.remove()
    describe_change(case, record)


# --- the commands ---------------------------------------------------------------------------------------------------


def allowed(case: Case, actor: Actor, record: Any, items: Sequence[ports.OpenItem]) -> list[str]:
    """Return the names of the commands that this person may carry out now, over all open steps.

    A process with an incident takes only what ends it, which is a message; a suspended one takes nothing.
    """
    is_halted, has_incident = any(item.halted for item in items), any(item.parked for item in items)
    names = [
        command.name
        for command in case.commands
        if may_change(actor, command, record)
        or (
            not is_halted
            and (command.message or not has_incident)
            and step_of(actor, command, record, items) is not None
        )
    ]
    return [*names, *(name for name, may in case.other_actions.items() if may(actor, record))]


def acts(case: Case, actor: Actor, record: Any, item: ports.OpenItem) -> frozenset[str]:
    """Return the commands that this person, who sees the record, may carry out on its open step, as operations."""
    if item.halted:
        return frozenset()
    return frozenset(
        f"{case.name}.{command.name}"
        for command in case.commands
        if (command.message or not item.parked) and step_of(actor, command, record, (item,)) is not None
    )


def may_change(actor: Actor, command: Command, record: Any) -> bool:
    """Return whether this person may carry out a command that changes the record beside its process."""
    if command.run is None or (command.statuses and record.status not in command.statuses):
        return False
    return (command.code == SIGNED_IN or actor.may(command.code)) and command.allowed(actor, record)


def step_of(actor: Actor, command: Command, record: Any, items: Sequence[ports.OpenItem]) -> ports.OpenItem | None:
    """Return the open step on which this person may carry out the command; None where there is none."""
    if command.code != SIGNED_IN and not actor.may(command.code):
        return None
    mine = [item for item in _fitting(command, record, items) if command.door != Door.STEP or item.is_for(actor)]
    return mine[0] if mine and command.allowed(actor, record) else None


def _fitting(command: Command, record: Any, items: Sequence[ports.OpenItem]) -> Sequence[ports.OpenItem]:
    """Return the open steps that the command completes; for a message any one, where the status takes it."""
    if command.message:
        return items if record.status in command.statuses else ()
    return [item for item in items if item.node in command.steps and not item.is_signer]


def offered(
    case: Case, actor: Actor, waiting: Mapping[int, Sequence[ports.OpenItem]]
) -> dict[int, list[ports.Offered]]:
    """Return by item the outcomes that the person may choose at these open steps, given by record."""
    found: dict[int, list[ports.Offered]] = {item.id: [] for items in waiting.values() for item in items}
    for record in case.visible(actor).filter(pk__in=sorted(waiting)):
        for item in waiting[record.pk]:
            found[item.id] = [
                ports.Offered(outcome.key, command.asks(outcome), command.takes)
                for command in case.commands
                if item.node in command.steps and step_of(actor, command, record, (item,)) is not None
                for outcome in command.all_outcomes()
            ]
    return found


def by_record(case: Case, actor: Actor, record_id: int, read_version: int, name: str, raw: Mapping[str, Any]) -> Any:
    """Carry out the command of this name at the business door, on the record as the person has read it."""
    if name not in case.command:
        raise Invalid({"action": _("请求参数格式错误: {name}").format(name="action")})
    mark = digest(["update", name, {k: v for k, v in raw.items() if k not in ("id", "lockVersion", "action")}])
    return operation_of(case, name)(actor, record_id, raw, read_version=read_version, mark=mark)


def by_step(
    case: Case, actor: Actor, step: ports.Step, outcome: str, variables: Mapping[str, Any], comment: str, mark: str
) -> Any:
    """Carry out the command that this outcome of the open step means, for the queue, which has locked the process."""
    for command in case.commands:
        if step.item.node not in command.steps:
            continue
        for meant in command.all_outcomes():
            if meant.key == outcome:
                raw = {**variables, **meant.values}
                if comment:
                    raw.setdefault(_takes_comment(command), comment)
                run = operation_of(case, command.name)
                return run(actor, step.record_id, raw, step=step, comment=comment, mark=mark)
    raise Refusal("workflow.outcome", _("该步骤不能选择此处理结果"))


def _takes_comment(command: Command) -> str:
    return command.comment or (command.remark.name if command.remark else "")


def _carry_out(
    actor: Actor, record_id: int, raw: Mapping[str, Any], *, case: Case, command: Command,
    read_version: int | None = None, step: ports.Step | None = None, comment: str = "", mark: str = "",
) -> Any:  # fmt: skip
    """Check state, right and input, and let the process go on; both doors end here."""
    if step is None:
        process, record = locked(case, actor, record_id)
    elif case.sees(actor, record_id):
        process, record = step.process, case.load(record_id)
    else:
        raise Missing()
    if read_version is not None and read_version != record.lock_version:
        return _repeated(case, actor, command, record, read_version, mark)
    items = process.open_items if step is None else (step.item,)
    item = step_of(actor, command, record, items)
    if item is None and not may_change(actor, command, record):
        raise _refusal(case, actor, command, record, items)
    if command.run is not None:
        refuse_fixed(input_of(case, command), raw, record)
    values = checked(input_of(case, command), raw, record, keeps=command.edits)
    if command.check is not None:
        command.check(actor, record, values)
    sent = {camel(name): value for name, value in values.items()}
    remark = str((command.remark and sent.get(command.remark.name)) or comment)
    entry = current_entry()
    entry.operation, entry.remark = f"{case.name}.{command.name}", remark
    describe_change(case, record)
    before = values_of(record, values) if command.edits else {}
    if item is None:
        _change(command, record, values, before)
        return answer(case, record)
    outcome = command.outcome_of(sent)
    hands_on = command.verb is not None and command.verb.name in HANDS_ON
    completion = ports.Completion(outcome, actor, values, remark, record.lock_version, mark, hands_on)
    if command.message:
        entry.outcome = command.name
        process.send(record, command.message, completion)
    else:
        process.complete(item.id, record, completion, answer=lambda: answer(case, record))
    entry.changes = differences(record, before)
    return answer(case, record)


def _change(command: Command, record: Any, values: dict[str, Any], before: Mapping[str, Any]) -> None:
    """Change the record and leave the open steps as they are; their timers follow.

    An edit by which nothing changes is no new version of the record, and leaves no entry.
    """
    assert command.run is not None
    entry = current_entry()
    command.run(record, values)
    entry.changes = differences(record, before)
    if command.edits and not entry.changes:
        entry.nothing_happened = True
        return
    store(record)
    ports.processes.due_again(record)


def _repeated(case: Case, actor: Actor, command: Command, record: Any, read_version: int, mark: str) -> Any:
    """Return the stored answer when this very request was carried out before; raises a Conflict otherwise."""
    done = ports.processes.completed(case.name, record.pk, read_version)
    if done is not None and done.user_id == actor.user_id and done.digest == mark:
        current_entry().nothing_happened = True
        return done.answer
    late = command.late(actor, record)
    if late is not None:
        raise late
    if done is None:
        raise Stale()
    raise Conflict(
        "workflow.taskCompleted",
        _("「{step}」已由{name}于{time}处理，请刷新").format(
            step=done.node_name, name=done.user_name, time=moment(done.time)
        ),
        {"userName": done.user_name, "time": moment(done.time)},
    )


def _refusal(case: Case, actor: Actor, command: Command, record: Any, items: Sequence[ports.OpenItem]) -> Refusal:
    """Return why not: the wrong state, somebody else's step, or no right."""
    fitting = _fitting(command, record, items)
    late = command.late(actor, record) if command.code == SIGNED_IN or actor.may(command.code) else None
    if late is not None:
        return late
    signed = next((item for item in items if item.node in command.steps and item.is_signer), None)
    if not fitting and signed is not None:
        text = _("「{step}」正在等待加签人处理")
        return Conflict("workflow.waitsForSigners", text.format(step=signed.node_name))
    if not fitting:
        return NotAllowed() if command.run is not None else wrong_state(case, record, command.label)
    holder = fitting[0].assignee_id
    # At the record's door nobody is refused because somebody else has the step.
    by_step = command.door == Door.STEP
    if by_step and holder is not None and all(item.assignee_id not in (None, actor.user_id) for item in fitting):
        name = ports.people.names({holder}).get(holder, "")
        return Conflict("workflow.taskTaken", _("该任务已由{name}领取").format(name=name), {"userName": name})
    return NotAllowed(None if command.allowed(actor, record) else command.denied or None)


def wrong_state(case: Case, record: Any, action: object) -> Refusal:
    """Return the refusal of an action that does not fit the record's state."""
    text = _("当前状态为「{status}」，不能{action}")
    return case.wrong_state(text.format(status=record.get_status_display(), action=str(action).lower()))


def end(case: Case, actor: Actor, record_id: int, reason: str) -> Any:
    """End the record's process early, for whoever ends it from outside; the command decides who may."""
    raw = case.ended_with(reason)
    return operation_of(case, case.ended_by)(actor, record_id, raw, mark=digest([case.ended_by, reason]))


def _summary(case: Case, record: Any) -> ports.Summary:
    return replace(case.summary(record), title=both(record.about))


def _effects(case: Case) -> ports.Effects:
    """Return what the processes are given of the case."""
    names = {fact.name: ports.RecordName(fact.label, fact.kind, fact.choices) for fact in case.facts}
    words = {
        name: ports.Words(label_of(case, effect), does(case, effect)) for name, effect in case.operations.items()
    } | {name: ports.Words(due.label, due.does) for name, due in case.timers.items()}
    return ports.Effects(
        business_type=case.name,
        effects={name: partial(apply, case, effect) for name, effect in case.operations.items()},
        load=case.load,
        save=store,
        names=case.read,
        dues={name: due.moment for name, due in case.timers.items()},
        lasting=frozenset(name for name, due in case.timers.items() if due.lasts),
        sees=case.sees,
        visible=case.visible,
        acts=partial(acts, case),
        command=partial(by_step, case),
        offered=partial(offered, case),
        summary=partial(_summary, case),
        start=ports.Start(case.model_key, case.start.code, case.start_page),
        design=ports.Design(case.title, words, names, case.new_sample, case.peek),
        cancel=partial(end, case) if case.ended_by else None,
        cancelled_by=f"{case.name}.{case.ended_by}" if case.ended_by else "",
        parameters={name: effect.parameters for name, effect in case.operations.items()},
        errors={name: effect.errors for name, effect in case.operations.items()},
        messages=frozenset({*case.messages, *(command.message for command in case.commands if command.message)}),
    )
