"""Acts on a record that a process moves: each is one command behind two doors, the record's own page and the queues.

An application declares its acts as a table of `Action`s and one `Steps`. The commands check right, state and input and
hand the step to the record's process; the process's effects alone change what the record's status says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from core.kernel import ports
from core.kernel.act import current_act
from core.kernel.actor import Actor
from core.kernel.errors import Conflict, Invalid, Missing, NotAllowed, Refusal, Stale, Text
from core.kernel.operation import SIGNED_IN, digest, operation
from core.kernel.texts import moment

ITEM, RECORD = "item", "record"
"""Doors: a candidate or the holder of the open step; or a role over the record."""


@dataclass(frozen=True)
class Action:
    """One thing people do with a record while its process waits."""

    name: str
    label: str
    code: str
    nodes: tuple[str, ...]
    """Steps of the process at which it may be done."""
    door: str
    carries: type[serializers.Serializer]  # type: ignore[type-arg]
    outcome: Callable[[Mapping[str, Any]], str]
    """The step's outcome for checked input."""
    allowed: Callable[[Actor, Any], bool] = lambda actor, record: True
    """What else must hold between the person and the record."""
    message: str = ""
    """Instead of completing the step: the message to send to the process."""
    statuses: tuple[int, ...] = ()
    """For a message, at which statuses of the record it may be sent, whatever step waits: one that a company added too.
    The process has the last word: it takes the message where it waits for it."""
    denied: Text = ""
    """What those are told for whom `allowed` does not hold, where the general sentence says too little."""


def may(actor: Actor, action: Action, record: Any, item: ports.OpenItem | None) -> bool:
    """Whether this person may do this to the record as it stands."""
    if item is None or not fits(action, record, item) or not (action.code == SIGNED_IN or actor.may(action.code)):
        return False
    if action.door == ITEM and not item.is_for(actor):
        return False
    return action.allowed(actor, record)


def offered(actor: Actor, actions: Mapping[str, Action], record: Any, item: ports.OpenItem | None) -> list[str]:
    """Names of the acts this person may do now: role × data scope × state × open step. Of a process that stands still
    none but what ends it, which goes by a message; of a suspended one none at all."""
    if item is not None and item.halted != "":
        return []
    still = item is not None and item.parked != ""
    return [
        name for name, action in actions.items() if (action.message or not still) and may(actor, action, record, item)
    ]


def fits(action: Action, record: Any, item: ports.OpenItem) -> bool:
    """Whether the action is for the step that waits, or for the record's status."""
    return record.status in action.statuses if action.message else item.node in action.nodes


def checked(serializer_class: Any, raw: Mapping[str, Any], record: Any = None) -> dict[str, Any]:
    """The input's values; raises ValidationError. The serializer finds the record in its context."""
    serializer = serializer_class(data=raw, context={"record": record})
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


@dataclass(frozen=True)
class Steps:
    """The acts on one kind of record, and what their commands must know of it.

    A record has `pk`, `lock_version` and a choice `status`. Making this registers an operation for each action.
    """

    business_type: str
    unfit: Callable[[str], Refusal]
    """The refusal for an act that does not fit the state, with this sentence: each kind of record has its own word."""
    actions: Mapping[str, Action]
    by_outcome: Mapping[tuple[str, str], str]
    """(step, outcome) of the queue door → the action meant."""
    load: Callable[[int], Any]
    """The record, locked for this transaction."""
    sees: Callable[[Actor, int], bool]
    answer: Callable[[Any], dict[str, Any]]
    """What every act answers."""
    remarks: tuple[str, ...]
    """Fields that hold the person's words: the first that is filled is the act's remark; the queue's comment fills
    them."""
    check: Callable[[Action, Any, dict[str, Any]], None] = lambda action, record, values: None
    """Rules beyond the fields themselves; may add to the values."""
    queued: Callable[[Action, str, str, dict[str, Any]], None] = lambda action, outcome, comment, raw: None
    """Completes the input of the queue door from outcome and comment."""
    commands: dict[str, Callable[..., Any]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        for name, action in self.actions.items():
            command = partial(self._command, action=action)
            self.commands[name] = operation(f"{self.business_type}.{name}", code=action.code)(command)

    def allowed(self, actor: Actor, record: Any, item: ports.OpenItem | None) -> list[str]:
        """Names of the acts this person may do now."""
        return offered(actor, self.actions, record, item)

    def tell_act(self, record: Any) -> None:
        """Let the act that runs be one on this record."""
        act = current_act()
        act.business_type, act.business_id = self.business_type, record.pk

    def locked(self, actor: Actor, record_id: int) -> Any:
        """The record, after its process: whoever sees it may try, and the locks are taken in the documented order."""
        if not self.sees(actor, record_id):
            raise Missing()
        ports.processes.lock(self.business_type, record_id)
        return self.load(record_id)

    def by_record(self, actor: Actor, record_id: int, read_version: int, action: str, raw: Mapping[str, Any]) -> Any:
        """The business door: the action on the record, as the person had read it."""
        command = self.commands.get(action)
        if command is None:
            raise Invalid({"action": _("请求参数格式错误: {name}").format(name="action")})
        mark = digest(["update", action, {k: v for k, v in raw.items() if k not in ("id", "lockVersion", "action")}])
        return command(actor, record_id, raw, read_version, None, "", mark)

    def by_item(
        self, actor: Actor, record_id: int, item: ports.OpenItem, outcome: str, variables: Mapping[str, Any],
        comment: str, mark: str,
    ) -> Any:  # fmt: skip
        """The queue door: the step's outcome, as an action on the record."""
        name = self.by_outcome.get((item.node, outcome))
        if name is None:
            raise Refusal("workflow.outcome", _("该步骤不能选择此处理结果"))
        raw = dict(variables)
        if comment:
            for remark in self.remarks:
                raw.setdefault(remark, comment)
        self.queued(self.actions[name], outcome, comment, raw)
        return self.commands[name](actor, record_id, raw, None, item.id, comment, mark)

    def _command(
        self, actor: Actor, record_id: int, raw: Mapping[str, Any], read_version: int | None, item_id: int | None,
        comment: str, mark: str, *, action: Action,
    ) -> Any:  # fmt: skip
        """What both doors end in."""
        record = self.locked(actor, record_id)
        if read_version is not None and read_version != record.lock_version:
            return self._repeated(actor, record, read_version, mark)
        item = ports.processes.open_items(self.business_type, [record.pk]).get(record.pk)
        if item_id is not None and (item is None or item.id != item_id):
            raise Stale()
        return self._step(actor, action, record, item, raw, comment, mark)

    def _repeated(self, actor: Actor, record: Any, read_version: int, mark: str) -> Any:
        """The stored answer, when this very request was carried out before; raises a Conflict when another one was."""
        done = ports.processes.completed(self.business_type, record.pk, read_version)
        if done is None:
            raise Stale()
        if done.user_id == actor.user_id and done.digest == mark:
            current_act().nothing_happened = True
            return done.answer
        raise Conflict(
            "workflow.taskCompleted",
            _("「{step}」已由{name}于{time}处理，请刷新").format(
                step=done.node_name, name=done.user_name, time=moment(done.time)
            ),
            {"userName": done.user_name, "time": moment(done.time)},
        )

    def _step(
        self, actor: Actor, action: Action, record: Any, item: ports.OpenItem | None, raw: Mapping[str, Any],
        comment: str, mark: str,
    ) -> dict[str, Any]:  # fmt: skip
        """Check right and input, and let the process go on."""
        if not may(actor, action, record, item):
            raise self._refusal(actor, action, record, item)
        assert item is not None
        values = checked(action.carries, raw, record)
        self.check(action, record, values)
        remark = next((str(values[name]) for name in self.remarks if values.get(name)), comment)
        act = current_act()
        act.operation, act.remark = f"{self.business_type}.{action.name}", remark
        self.tell_act(record)
        said = ports.Completion(
            outcome=action.outcome(values),
            actor=actor,
            data=values,
            comment=remark,
            record_version=record.lock_version,
            digest=mark,
        )
        if action.message:
            act.outcome = action.name
            ports.processes.send(record, action.message, said)
        else:
            ports.processes.complete(item.id, record, said, answer=lambda: self.answer(record))
        return self.answer(record)

    def _refusal(self, actor: Actor, action: Action, record: Any, item: ports.OpenItem | None) -> Refusal:
        """Why not: the wrong state, somebody else's step, or no right."""
        if item is None or not fits(action, record, item):
            return self.wrong_state(record, action.label)
        if item.assignee_id not in (None, actor.user_id):
            name = ports.people.names({item.assignee_id or 0}).get(item.assignee_id or 0, "")
            return Conflict("workflow.taskTaken", _("该任务已由{name}签收").format(name=name), {"userName": name})
        return NotAllowed(None if action.allowed(actor, record) else action.denied or None)

    def wrong_state(self, record: Any, action: str) -> Refusal:
        """The refusal for an act that does not fit the record's state."""
        text = _("当前状态为「{status}」，不能{action}")
        return self.unfit(text.format(status=record.get_status_display(), action=str(action).lower()))


def waiting(business_type: str, ids: list[int]) -> tuple[Mapping[int, ports.OpenItem], Callable[[ports.OpenItem], str]]:
    """By record the step that waits, and how to call whoever it waits for; three statements, however many records."""
    items = ports.processes.open_items(business_type, ids)
    labels = ports.people.describe({key for item in items.values() for key in _waits_for(item)})

    def name(item: ports.OpenItem) -> str:
        return " / ".join(labels[key] for key in _waits_for(item) if labels.get(key))

    return items, name


def _waits_for(item: ports.OpenItem) -> tuple[str, ...]:
    """Keys of whoever has to take the step: its holder, or the candidates while nobody holds it."""
    return item.candidates if item.assignee_id is None else (f"user:{item.assignee_id}",)


class OpenTaskSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """The step that waits."""

    taskId = serializers.CharField()
    node = serializers.CharField()
    nodeName = serializers.CharField()
    assigneeName = serializers.CharField()
    candidateNames = serializers.ListField(child=serializers.CharField())
    createTime = serializers.CharField()
    parkedText = serializers.CharField(help_text="Why its process stands still, where it does.")
    haltedText = serializers.CharField(help_text="That its process is suspended with its definition, where it is.")


def open_task(item: ports.OpenItem | None, name: Callable[[ports.OpenItem], str]) -> dict[str, Any] | None:
    """The step that waits, as a record's page reads it."""
    if item is None:
        return None
    labels = ports.people.describe(set(item.candidates))
    return {
        "taskId": str(item.id),
        "node": item.node,
        "nodeName": item.node_name,
        "assigneeName": name(item) if item.assignee_id is not None else "",
        "candidateNames": [labels[key] for key in item.candidates if labels.get(key)],
        "createTime": moment(item.create_time),
        "parkedText": item.parked,
        "haltedText": item.halted,
    }
