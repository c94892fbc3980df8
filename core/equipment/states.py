"""Changes of the operating status of machines: by people with a day and a reason, and by the records of flows."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date
from typing import Any

from django.db.models import Max
from django.utils.translation import gettext as _
from rest_framework import serializers

from core.equipment import open_work
from core.equipment.models import BY_HAND, Machine, NodeType, RunState, StateChange
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Conflict, Invalid, Missing
from core.kernel.operation import operation
from core.kernel.texts import both, label
from core.rest.serializers import DayField, IdListField, SpeakingSerializer
from core.system.periods import today

MOST_AT_ONCE = 200
OUT_OF_USE = (RunState.DISABLED, RunState.SCRAPPED)
_STATE = Machine._meta.get_field("run_state").verbose_name
_DATE = StateChange._meta.get_field("change_date").verbose_name
_REASON = StateChange._meta.get_field("reason").verbose_name


class StateInput(SpeakingSerializer):
    """Which machines get which status, from which day on, and why."""

    ids = IdListField(refers_to=Machine, label=label("设备", "Assets"))
    runState = serializers.ChoiceField(
        source="run_state",
        choices=RunState.choices,
        label=label("新状态", "New status"),
    )
    changeDate = DayField(source="change_date", label=_DATE)
    reason = serializers.CharField(required=False, allow_blank=True, default="", max_length=255, label=_REASON)

    def validate_ids(self, value: list[int]) -> list[int]:
        """Some machines, and not too many."""
        if not value:
            raise serializers.ValidationError(_("请选择至少一条数据"))
        if len(value) > MOST_AT_ONCE:
            raise serializers.ValidationError(_("一次最多选择{n}台设备").format(n=MOST_AT_ONCE))
        return value

    def validate_runState(self, value: int) -> int:
        """People set some of them, flows the others."""
        if value not in BY_HAND:
            raise serializers.ValidationError(_("设备状态由维修、保养流程控制，不能手工修改"))
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Nothing holds from a day to come, and what goes out of use has a reason."""
        if attrs["change_date"] > today():
            raise serializers.ValidationError({"changeDate": _("变更日期不能晚于今天")})
        if attrs["run_state"] in OUT_OF_USE and not attrs["reason"]:
            raise serializers.ValidationError({"reason": self.fields["reason"].error_messages["required"]})
        return attrs


class Affected(serializers.Serializer):  # type: ignore[type-arg]
    """Open records about machines whose status was changed."""

    repairOrders = serializers.IntegerField()


class StateAnswer(serializers.Serializer):  # type: ignore[type-arg]
    """How many machines have another status now, and what is open on those that went out of use."""

    changed = serializers.IntegerField()
    affected = Affected()


def note(machine: Machine, before: int, day: date, reason: str = "", source: tuple[str, int] | None = None) -> None:
    """Keep in the history of the machine that its status was another one before."""
    change(machine, before, day, reason, source).save()


def change(
    machine: Machine, before: int, day: date, reason: str = "", source: tuple[str, int] | None = None
) -> StateChange:
    """Return the entry of the history that says so; it is not stored yet."""
    source_type, source_id = source or ("", None)
    return StateChange(
        machine=machine,
        state_before=before,
        state_after=machine.run_state,
        change_date=day,
        reason=reason,
        source_type=source_type,
        source_id=source_id,
    )


def refuse_by_hand(before: int, after: int, actor: Actor) -> str:
    """Return in a sentence why people may not change one status to another; empty where they may."""
    if after not in BY_HAND or before not in BY_HAND:
        return _("设备状态由维修、保养流程控制，不能手工修改")
    if before == RunState.SCRAPPED and not actor.may("inspectmachine_restore"):
        return _("设备已报废，只有租户管理员可以恢复")
    return ""


@operation("inspectmachine.changeState", code="inspectmachine_edit")
def change_state(actor: Actor, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Give machines another status, all of them or none; those that have it already stay as they are."""
    serializer = StateInput(data=raw)
    serializer.is_valid(raise_exception=True)
    given = serializer.validated_data
    ids, state = given["ids"], given["run_state"]
    # Read with the lock: a flow may be about to change one of them.
    machines = list(Machine.objects.select_for_update(of=("self",)).filter(pk__in=ids).order_by("pk"))
    if len(machines) != len(ids):
        raise Missing()
    entry = current_entry()
    entry.business_type = "inspectmachine"
    changed = [machine for machine in machines if machine.run_state != state]
    last = dict(changes_of(ids).order_by().values_list("machine").annotate(Max("change_date")))
    for machine in changed:
        _check(machine, state, actor, given["change_date"], last.get(machine.pk))
    found = open_work.counts([machine.pk for machine in changed]) if state in OUT_OF_USE else {}
    if state == RunState.SCRAPPED:
        for machine in changed:
            if found.get(machine.pk):
                open_work.refuse_if_open(machine, _("报废"))
    for machine in changed:
        before = machine.run_state
        values = {
            "run_state": state,
            "state_before_stop": None,
            "scrap_date": given["change_date"] if state == RunState.SCRAPPED else None,
            "scrap_reason": given["reason"] if state == RunState.SCRAPPED else "",
        }
        machine.change(values)
        machine.run_state = state
        note(machine, before, given["change_date"], given["reason"])
        entry.add_record(machine.pk, str(machine), _told(before, state, given))
    entry.nothing_happened = not changed
    return {"changed": len(changed), "affected": {"repairOrders": sum(found.values())}}


def _check(machine: Machine, state: int, actor: Actor, day: date, last: date | None) -> None:
    """Raise Conflict or Invalid where the machine may not get the status; `last` is the day of its last change."""
    if machine.node_type < NodeType.MACHINE:
        raise Conflict("machine.noState", _("「{name}」是厂区、车间或产线，没有运行状态").format(name=machine))
    if text := refuse_by_hand(machine.run_state, state, actor):
        raise Conflict("machine.stateRefused", _("「{name}」：{text}").format(name=machine, text=text))
    if last is not None and day < last:
        text = _("「{name}」最近一次状态变更在{date}，变更日期不能更早")
        raise Invalid({"changeDate": text.format(name=machine, date=last.isoformat())})
    if state == RunState.SCRAPPED and machine.in_service_date and day < machine.in_service_date:
        raise Invalid({"changeDate": _("报废日期不能早于投用日期")})


def _told(before: int, after: int, given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the change for the log, in both languages."""
    day = given["change_date"].isoformat()
    told: list[dict[str, Any]] = [
        {"label": both(_STATE), "old": both(RunState(before).label), "new": both(RunState(after).label)},
        {"label": both(_DATE), "old": None, "new": [day, day]},
    ]
    if given["reason"]:
        told.append({"label": both(_REASON), "old": None, "new": [given["reason"]] * 2})
    return told


class StateChangeSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """A change of a machine's status, as its page shows it."""

    id = serializers.CharField()
    changeDate = serializers.DateField(source="change_date")
    createTime = serializers.DateTimeField(source="create_time")
    stateBefore = serializers.IntegerField(source="state_before")
    stateBeforeName = serializers.CharField(source="get_state_before_display")
    stateAfter = serializers.IntegerField(source="state_after")
    stateAfterName = serializers.CharField(source="get_state_after_display")
    reason = serializers.CharField()
    userName = serializers.SerializerMethodField()
    sourceType = serializers.CharField(source="source_type")
    sourceId = serializers.SerializerMethodField()

    def get_userName(self, row: StateChange) -> str:
        """Who did it, or whose act led to it."""
        names: Mapping[int, str] = self.context["people"]
        return names.get(row.create_user or 0, "")

    def get_sourceId(self, row: StateChange) -> str:
        """The record that has led to it; empty where people set it."""
        return str(row.source_id) if row.source_id else ""


def changes_of(machine_ids: Collection[int]) -> Any:
    """Return the changes of these machines, newest first."""
    return StateChange.objects.filter(machine__in=machine_ids).order_by("-create_time", "-id")
