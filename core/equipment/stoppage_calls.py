"""Calls of stoppages: entered by hand for many machines at once, ended, withdrawn, and shown as a table of days."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.blade.parsers import parameters
from core.equipment import stoppage_table, stoppages
from core.equipment.models import Machine, RestSource, RestStatus, RestType, RunState, Stoppage, Tag, TagType
from core.equipment.queries import filters_by_machine
from core.equipment.serializers import words
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Conflict, Invalid, Missing, NotAllowed
from core.kernel.operation import operation
from core.kernel.texts import label, moment
from core.rest.filters import ID, INTEGER, Filter, filters_of
from core.rest.menus import EVERYTHING, KEEP, PLANT, SEE, MenuEntry, ShippedRole, held_by, together
from core.rest.scopes import Scope, restrict
from core.rest.serializers import (
    FlagField,
    IdField,
    IdListField,
    MomentField,
    NameField,
    NounSerializer,
    SaidField,
    SpeakingSerializer,
    whole_minutes,
)
from core.rest.shapes import Serialized, Shape, noun_serializer
from core.rest.viewsets import NounViewSet, Remove, Submit
from core.storage.serializers import FilesField
from core.storage.shapes import Files
from core.system import periods
from core.system.numbers import next_numbers

MOST_MACHINES = 200
EARLIEST = timedelta(days=90)
"""How far back a stoppage may begin."""
MOST_FILES = 9
END, REVOKE = "end", "revoke"
_COLUMNS = {"dept": "machine__dept_id"}
_REASON = Stoppage._meta.get_field("reason").verbose_name
_TAG = Stoppage._meta.get_field("reason_tag").verbose_name


def check_times(values: Mapping[str, Any], before: Stoppage | None = None) -> None:
    """Raise ValidationError where a stoppage may not have these times, or lacks its reason."""

    def of(name: str) -> Any:
        return values[name] if name in values else getattr(before, name, None)

    start, end = of("start_time"), of("end_time")
    is_moved = before is None or start != before.start_time
    if is_moved and start < clock.now() - EARLIEST:
        raise serializers.ValidationError({"startTime": _("开始时间不能早于90天前")})
    if end is not None and end <= start:
        raise serializers.ValidationError({"endTime": _("结束时间必须晚于开始时间")})
    if of("rest_type") == RestType.OTHER and not (of("reason") or "").strip():
        raise serializers.ValidationError({"reason": _("请输入{field}").format(field=_REASON)})


def refusals(
    machines: Collection[Machine], start: datetime, end: datetime | None, besides: Stoppage | None = None
) -> dict[int, str]:
    """Return by machine why it cannot be stopped by hand in this interval; one statement."""
    found = {}
    rows = stoppages.counted().filter(Q(end_time=None) | Q(end_time__gt=start), machine__in=machines)
    rows = rows.filter(source=RestSource.MANUAL).exclude(pk=besides.pk if besides is not None else None)
    if end is not None:
        rows = rows.filter(start_time__lt=end)
    overlapping = {row.machine_id: row for row in rows.order_by("-start_time", "-pk")}
    for machine in machines:
        other = overlapping.get(machine.pk)
        if machine.run_state == RunState.SCRAPPED:
            found[machine.pk] = _("「{name}」已报废，不能登记停机").format(name=machine)
        elif machine.is_sealed:
            found[machine.pk] = _("「{name}」已封存，不能使用").format(name=machine)
        elif other is not None:
            until = moment(other.end_time)[:16] or _("恢复运行")
            found[machine.pk] = _("设备「{name}」在{start}至{end}已有停机记录，请勿重复添加").format(
                name=machine, start=moment(other.start_time)[:16], end=until
            )
    return found


def add(
    actor: Actor, machine_ids: Collection[int], values: Mapping[str, Any], *, is_skipping: bool, named: str
) -> tuple[list[Stoppage], list[tuple[Machine, str]], stoppages.Affected]:
    """Let machines stand, one stoppage each, all of them or none; with `is_skipping` all but those that cannot.

    Answers the stoppages, the machines that were left out and why, and what follows for inspections. Raises Missing,
    Invalid with the field that `named` the machines, or NotAllowed where one is beyond the person's data scope.
    """
    now = clock.now()
    known = list(Machine.objects.filter(pk__in=machine_ids))
    if len(known) != len(set(machine_ids)):
        raise Missing()
    drafts = [Stoppage(machine=machine, **values) for machine in known]
    reached = stoppages.lock(Machine.objects.filter(Q(pk__in=machine_ids) | Q(pk__in=stoppages.reached(drafts))))
    chosen = [machine for machine in reached if machine.pk in set(machine_ids)]
    refused = refusals(chosen, values["start_time"], values.get("end_time"))
    if refused and not is_skipping:
        raise Invalid({named: next(iter(refused.values()))})
    free = sorted((one for one in chosen if one.pk not in refused), key=lambda one: one.path)
    numbers = next_numbers(stoppages.NUMBERS, len(free)) if free else []
    made = [Stoppage(rest_no=number, machine=one, **values) for number, one in zip(numbers, free, strict=True)]
    for row in made:
        row.in_effect = stoppages.status_of(row, now) == RestStatus.STOPPED
        row.save()
    mine = Stoppage.objects.filter(pk__in=[row.pk for row in made])
    if restrict(mine, actor, LogViewSet.noun, _COLUMNS, LogViewSet.filters).count() != len(made):
        raise NotAllowed()
    affected = set(stoppages.reached(row for row in made if row.in_effect).values_list("pk", flat=True)) if made else ()
    if made:
        stoppages.follow([machine for machine in reached if machine.pk in affected], lambda one: _source_of(one, made))
    told = stoppages.tell_watchers(made, values["start_time"], values.get("end_time"))
    return made, [(machine, refused[machine.pk]) for machine in chosen if machine.pk in refused], told


def _source_of(machine: Machine, made: Collection[Stoppage]) -> tuple[str, int]:
    """Return the new stoppage that a machine stands for: its own, or one of an area above it."""
    own = (row for row in made if row.machine_id == machine.pk)
    stop = next(own, None) or next(row for row in made if machine.path.startswith(row.machine.path))
    return stoppages.SOURCE, stop.pk


class StoppageRules(NounSerializer):
    """What holds of a stoppage: by hand it is entered, changed, ended and withdrawn."""

    def get_fields(self) -> dict[str, Any]:
        """Reasons are chosen among the words for them."""
        fields = super().get_fields()
        if "reasonTagId" in fields:
            fields["reasonTagId"].where = {"type": TagType.STOP_REASON.value}
        return fields

    def validate_reasonTagId(self, value: int | None) -> int | None:
        """A word for reasons, which must not be sealed where it is chosen anew."""
        if value is not None and value != getattr(self.instance, "reason_tag_id", None):
            tag = Tag.objects.filter(pk=value, type=TagType.STOP_REASON).first()
            if tag is None:
                raise serializers.ValidationError(_("数据不存在或已被删除"))
            if tag.is_sealed:
                raise serializers.ValidationError(_("「{name}」已封存，不能使用").format(name=tag))
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse what may not be done with it now."""
        act, row, now = attrs.pop("action", ""), self.instance, clock.now()
        if row is None:
            if act:
                raise serializers.ValidationError({"action": _("请求参数格式错误")})
            check_times(attrs)
            return attrs
        if row.source != RestSource.MANUAL:
            text = _("停机记录由{source}产生，不能手工修改").format(source=row.get_source_display())
            raise Conflict("stoppage.byRecord", text)
        status = stoppages.status_of(row, now)
        does = {END: _("结束"), REVOKE: _("撤销")}.get(act, _("修改"))
        if status == RestStatus.WITHDRAWN or (act == END and status != RestStatus.STOPPED):
            text = _("当前状态为「{status}」，不能{action}").format(status=status.label, action=does.lower())
            raise Conflict("stoppage.wrongState", text)
        if act == REVOKE:
            if not attrs.get("reason", "").strip():
                said = Stoppage._meta.get_field("revoke_reason").verbose_name
                raise serializers.ValidationError({"reason": _("请输入{field}").format(field=said)})
            return {"revoke_time": now, "revoke_reason": attrs["reason"]}
        if act == END:
            attrs = {"end_time": attrs.get("end_time") or now}
            if attrs["end_time"] > now:
                raise serializers.ValidationError({"endTime": _("结束时间不能晚于当前时间")})
        if attrs.get("machine_id", row.machine_id) != row.machine_id:
            raise serializers.ValidationError({"machineId": _("停机记录不能改到另一台设备，请撤销后重新登记")})
        check_times(attrs, row)
        return attrs

    def create(self, validated_data: Any) -> Any:
        """Let one machine stand."""
        machine_id = validated_data.pop("machine_id")
        actor = self.context["view"].actor
        made, _skipped, _told = add(actor, [machine_id], validated_data, is_skipping=False, named="machineId")
        return made[0]

    def update(self, instance: Any, validated_data: Any) -> Any:
        """Change, end or withdraw it; whatever stood for it follows. The machines are locked by the view."""
        before = _copy(instance)
        for name, value in validated_data.items():
            setattr(instance, name, value)
        machines = stoppages.lock(stoppages.reached([before, instance]))
        if instance.revoke_time is None and {"start_time", "end_time"} & validated_data.keys():
            refused = refusals([instance.machine], instance.start_time, instance.end_time, before)
            if refused:
                raise Invalid({"startTime": refused[instance.machine_id]})
        instance.in_effect = stoppages.status_of(instance, clock.now()) == RestStatus.STOPPED
        changed = {name: getattr(instance, name) for name in (*validated_data, "in_effect")}
        for name in changed:
            setattr(instance, name, getattr(before, name))
        if not instance.change(changed):
            return instance
        stoppages.follow(machines, (stoppages.SOURCE, instance.pk))
        ends = [one.end_time for one in (before, instance)]
        until = None if None in ends else max(end for end in ends if end is not None)
        stoppages.tell_watchers([before, instance], min(before.start_time, instance.start_time), until)
        stoppages.tell_end([instance])
        return instance

    def get_status(self, row: Stoppage) -> int:
        """Where it stands now."""
        return stoppages.status_of(row, clock.now()).value

    def get_statusName(self, row: Stoppage) -> str:
        """The same in words."""
        return str(stoppages.status_of(row, clock.now()).label)

    def get_restMinutes(self, row: Stoppage) -> int | None:
        """How long it lasted, or lasts so far; of one to come how long it will, None where nobody knows."""
        now = clock.now()
        status = stoppages.status_of(row, now)
        if status == RestStatus.WITHDRAWN:
            return 0
        end = now if status == RestStatus.STOPPED else row.end_time
        return whole_minutes((end - row.start_time).total_seconds()) if end is not None else None

    def get_orderNo(self, row: Stoppage) -> str:
        """The number of the record that has made it; of all rows of a page read at once."""
        if row.source_id is None:
            return ""
        known = self.context.get("numbers")
        if known is None:
            known = stoppages.numbers_of([(row.source_type, row.source_id)])
        return str(known.get((row.source_type, row.source_id), ""))


def _copy(row: Stoppage) -> Stoppage:
    """Return the row as it is, to be compared with."""
    found = Stoppage(**{one.attname: getattr(row, one.attname) for one in Stoppage._meta.concrete_fields})
    found.machine = row.machine
    return found


@dataclass(frozen=True)
class _MachineFacts(Shape):
    """By which people know a machine, beside its name."""

    def fields(self, model: Any) -> Serialized:
        """Return its code and its department."""
        code = Machine._meta.get_field("machine_code").verbose_name
        dept = Machine._meta.get_field("dept").verbose_name
        return {
            "machineCode": NameField(source="machine.machine_code", label=code),
            "deptName": NameField(source="machine.dept", label=dept),
        }


@dataclass(frozen=True)
class _Standing(Shape):
    """What follows from its times."""

    def fields(self, model: Any) -> Serialized:
        """Return status and length."""
        said = label("状态", "Status")
        return {
            "status": SaidField(kind="integer", label=said),
            "statusName": SaidField(label=said),
            "restMinutes": SaidField(kind="minutes", label=label("停机时长", "Downtime")),
        }


@dataclass(frozen=True)
class _Record(Shape):
    """The record that has made it."""

    def fields(self, model: Any) -> Serialized:
        """Return its kind, id and number; empty for what people entered."""
        said = label("关联单据", "Order")
        return {
            "orderType": NameField(source="source_type", label=said),
            "orderId": IdField(source="source_id", read_only=True, allow_null=True, label=said),
            "orderNo": SaidField(label=said),
        }


@dataclass(frozen=True)
class _Action(Shape):
    """`action`: what a change is about."""

    def fields(self, model: Any) -> Serialized:
        """Return the field."""
        acts = [(END, label("结束", "End")), (REVOKE, label("撤销", "Withdraw"))]
        field = serializers.ChoiceField(
            choices=acts, allow_blank=True, required=False, write_only=True, label=label("操作", "Action")
        )
        return {"action": field}


class AddInput(SpeakingSerializer):
    """Which machines stand, since when, until when and why."""

    machineIds = IdListField(source="machine_ids", refers_to=Machine, label=label("设备", "Assets"))
    includeChildren = FlagField(
        source="include_children", default=True, label=Stoppage._meta.get_field("include_children").verbose_name
    )
    restType = serializers.ChoiceField(
        source="rest_type", choices=RestType.choices, label=Stoppage._meta.get_field("rest_type").verbose_name
    )
    reasonTagId = words(
        "reason_tag_id", TagType.STOP_REASON, IdField, required=False, allow_null=True, label=_TAG
    )  # fmt: skip
    startTime = MomentField(source="start_time", label=Stoppage._meta.get_field("start_time").verbose_name)
    endTime = MomentField(
        source="end_time", required=False, allow_null=True, label=Stoppage._meta.get_field("end_time").verbose_name
    )
    reason = serializers.CharField(required=False, allow_blank=True, default="", max_length=200, label=_REASON)
    files = FilesField(required=False, column="equipment.Stoppage.files", at_most=MOST_FILES)
    remark = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=255,
        label=Stoppage._meta.get_field("remark").verbose_name,
    )  # fmt: skip
    skipConflict = FlagField(
        source="skip_conflict", default=False, label=label("跳过已有停机的设备", "Skip assets already stopped")
    )

    def validate_machineIds(self, value: list[int]) -> list[int]:
        """Some machines, and not too many."""
        if not value:
            raise serializers.ValidationError(_("请选择至少一条数据"))
        if len(value) > MOST_MACHINES:
            raise serializers.ValidationError(_("一次最多选择{n}台设备").format(n=MOST_MACHINES))
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Its times fit each other, and what is of no other type has a reason."""
        check_times(attrs)
        return attrs


class AddedStop(serializers.Serializer):  # type: ignore[type-arg]
    """A stoppage that was entered."""

    id = serializers.CharField()
    restNo = serializers.CharField()
    machineId = serializers.CharField()
    machineName = serializers.CharField()


class SkippedStop(serializers.Serializer):  # type: ignore[type-arg]
    """A machine that was left out, and why."""

    machineId = serializers.CharField()
    machineName = serializers.CharField()
    msg = serializers.CharField()


class AffectedTasks(serializers.Serializer):  # type: ignore[type-arg]
    """How many inspection tasks, and points of them, are exempt now."""

    orders = serializers.IntegerField()
    details = serializers.IntegerField()


class Added(serializers.Serializer):  # type: ignore[type-arg]
    """What was entered, and what was not."""

    created = AddedStop(many=True)
    skipped = SkippedStop(many=True)
    affected = AffectedTasks()


@operation("inspectrestlog.addEquipRest", code="inspectrestlog_add")
def add_equip_rest(actor: Actor, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Let machines stand, one stoppage each."""
    serializer = AddInput(data=raw)
    serializer.is_valid(raise_exception=True)
    values = dict(serializer.validated_data)
    ids, is_skipping = values.pop("machine_ids"), values.pop("skip_conflict")
    made, skipped, affected = add(actor, ids, values, is_skipping=is_skipping, named="machineIds")
    entry = current_entry()
    entry.business_type = LogViewSet.noun
    for row in made:
        entry.add_record(row.pk, f"{row.rest_no} {row.machine}", [])
    entry.nothing_happened = not made
    return {
        "created": [
            {
                "id": str(row.pk),
                "restNo": row.rest_no,
                "machineId": str(row.machine_id),
                "machineName": str(row.machine),
            }
            for row in made
        ],
        "skipped": [{"machineId": str(one.pk), "machineName": str(one), "msg": text} for one, text in skipped],
        "affected": affected._asdict(),
    }


_LISTED: tuple[str | Shape, ...] = (
    "rest_no", "machine", _MachineFacts(), "include_children", "rest_type", "reason_tag", "start_time", "end_time",
    _Standing(), "reason", "source", _Record(), "revoke_time", "revoke_reason", "remark",
)  # fmt: skip
_OF_A_PART = {ShippedRole.WORKSHOP_HEAD, ShippedRole.SHIFT_LEADER, ShippedRole.OPERATOR}
_SEEN_WHOLE = PLANT - _OF_A_PART - {ShippedRole.TENANT_ADMIN}
_KEEPERS = (
    ShippedRole.EQUIP_MANAGER, ShippedRole.WORKSHOP_HEAD, ShippedRole.SHIFT_LEADER, ShippedRole.REPAIR_LEADER,
)  # fmt: skip


def _by_status(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    now, found = clock.now(), Q(pk__in=[])
    for one in RestStatus:
        if str(one.value) in text.split(","):
            found |= stoppages.in_status(one, now)
    return rows.filter(found)


class StoppageDetailSerializer(
    noun_serializer(Stoppage, (*_LISTED, Files("files", most=MOST_FILES), _Action()), StoppageRules)  # type: ignore[misc]
):
    """A stoppage with its files, as its form has it."""


class LogViewSet(Submit, Remove, NounViewSet):
    """Stoppages of machines: entered by hand here, or made by work orders."""

    noun = "inspectrestlog"
    menu = MenuEntry(
        "equip", "/equip/stoppage", "stop", label("停机记录", "Stoppages"), place=4,
        roles=together(
            held_by(PLANT, SEE), held_by(_KEEPERS, KEEP), {ShippedRole.TENANT_ADMIN: EVERYTHING},
        ),
    )  # fmt: skip
    more_menus = (
        MenuEntry(
            "equip", "/equip/stoptable", "calendar", label("停机日历", "Stoppage calendar"), "inspectrestlog_table",
            place=5, roles=held_by(PLANT, ()),
        ),
    )  # fmt: skip
    queryset = Stoppage.objects.select_related("machine__dept")
    rules = StoppageRules
    fields = _LISTED
    detail_serializer_class = input_serializer_class = StoppageDetailSerializer
    pages = frozenset({"list"})
    codes = {"equip_table": "inspectrestlog_view", "add_equip_rest": "inspectrestlog_add"}
    select = None  # type: ignore[assignment]  # nobody chooses among stoppages
    shipped_scopes = {
        Scope.ALL: tuple(sorted(_SEEN_WHOLE)),
        Scope.DEPARTMENT_TREE: (ShippedRole.WORKSHOP_HEAD,),
        Scope.DEPARTMENT: (ShippedRole.SHIFT_LEADER, ShippedRole.OPERATOR),
    }
    scope_columns = _COLUMNS
    sample = {
        "startTime": lambda number: f"{2099 + number}-01-01 08:00:00",
        "endTime": lambda number: f"{2099 + number}-01-01 16:00:00",
        "action": "",
        "reasonTagId": None,
    }
    order = ("-start_time", "-id")
    filters = {
        **filters_by_machine("machine"),
        **filters_of(
            Stoppage, "rest_type", "reason_tag", "start_time", "end_time", "reason", "source", "include_children",
        ),
        "restNo": Filter("rest_no", "code"),
        "deptId": Filter("machine__dept_id", ID),
        "machineCode": Filter("machine__machine_code", "code"),
        "status": Filter(kind=INTEGER, apply=_by_status),
        "restStatus": Filter(kind=INTEGER, apply=_by_status),
        "orderId": Filter("source_id", ID),
    }  # fmt: skip

    def page_context(self, ids: Sequence[int]) -> dict[str, Any]:
        """Read the numbers of the records that have made the rows of a page."""
        rows = Stoppage.objects.filter(pk__in=ids).exclude(source_id=None).values_list("source_type", "source_id")
        return {"numbers": stoppages.numbers_of(rows)}

    def locked_rows(self, **found_by: Any) -> Sequence[Any]:
        """Return the stoppages, locked behind the machines that stand for them, as whoever enters one does."""
        stoppages.lock(stoppages.reached(self.get_queryset().filter(**found_by)))
        return super().locked_rows(**found_by)

    def validate_delete(self, row: Any) -> None:
        """Only what was entered by hand and has not begun is deleted; the other ones are ended or withdrawn."""
        if row.source != RestSource.MANUAL:
            text = _("停机记录由{source}产生，不能手工修改").format(source=row.get_source_display())
            raise Conflict("stoppage.byRecord", text)
        status = stoppages.status_of(row, clock.now())
        if status != RestStatus.NOT_STARTED:
            text = _("当前状态为「{status}」，不能{action}").format(status=status.label, action=_("删除").lower())
            raise Conflict("stoppage.wrongState", text)

    def perform_destroy(self, row: Any) -> None:
        """Remove a stoppage that has not begun."""
        super().perform_destroy(row)
        stoppages.tell_watchers([row], row.start_time, row.end_time)

    @extend_schema(request=AddInput, responses=Added)
    @action(detail=False, methods=["post"], url_path="addEquipRest")
    def add_equip_rest(self, request: Request) -> Response:
        """Let machines stand, one stoppage each; a machine that stands by hand already refuses all, or is skipped."""
        return Response(add_equip_rest(self.actor, parameters(request)))

    @extend_schema(
        parameters=[
            *(
                OpenApiParameter(name, str)
                for name in ("startDate", "endDate", "deptId", "typeId", "parentId", "groupId", "keyword")
            ),
            OpenApiParameter("month", str, description="such as 2026-09, in place of both dates"),
            OpenApiParameter("onlyStopped", int, description="1: only those that stand on one of the days"),
            *(OpenApiParameter(name, int) for name in ("current", "size")),
        ],
        responses=stoppage_table.Table,
    )
    @action(detail=False, methods=["get"], url_path="equipTable")
    def equip_table(self, request: Request) -> Response:
        """Answer when machines stand on the days of a month or a span, this month by default."""
        given = request.query_params.dict()
        first, last = periods.asked_days(given)
        rows = restrict(Machine.objects.all(), self.actor, self.noun, {"dept": "dept_id"}, stoppage_table.FILTERS)
        return Response(stoppage_table.table(rows, given, first, last))
