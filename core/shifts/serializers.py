"""Wire forms of shift plans, and the rules between their fields."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from core.identity.models import Department
from core.kernel.errors import Conflict, NotAllowed
from core.kernel.texts import label
from core.rest.scopes import Scope, rule_of
from core.rest.serializers import DayField, NameField, NounSerializer
from core.shifts import calendar, parts, rotation
from core.shifts.inputs import ShiftInput, TeamInput, check_shifts, check_teams
from core.shifts.models import MOST_CYCLE_DAYS, MOST_SHIFTS, MOST_TEAMS, Pattern, Plan, PlanStatus
from core.system.periods import today

_COLUMNS = (
    "id", "config_code", "config_name", "dept", "deptName", "start_date", "end_date", "pattern_type",
    "patternTypeName", "cycle_days", "anchor_date", "workday_mode", "workdayModeName", "status", "statusName",
    "remark", "shiftCount", "teamCount", "covered_to",
)  # fmt: skip
_STAMPS = ("create_time", "update_time")


class PlanSerializer(NounSerializer):
    """A shift plan, as the list shows it."""

    deptName = NameField(source="dept", label=label("适用部门", "Department"))
    patternTypeName = NameField(source="get_pattern_type_display", label=label("倒班方式", "Shift pattern"))
    workdayModeName = NameField(source="get_workday_mode_display", label=label("工作日", "Workdays"))
    statusName = NameField(source="get_status_display", label=label("状态", "Status"))
    shiftCount = serializers.IntegerField(source="shift_count", read_only=True, label=label("班次数", "Shifts"))
    teamCount = serializers.IntegerField(source="team_count", read_only=True, label=label("班组数", "Teams"))

    class Meta:
        model = Plan
        fields: tuple[str, ...] = (*_COLUMNS, *_STAMPS)
        read_only_fields: tuple[str, ...] = ("covered_to", *_STAMPS)


class PlanDetail(PlanSerializer):
    """A shift plan with its shifts, teams and rotation, as it is edited."""

    shifts = ShiftInput(many=True, required=False, label=label("班次", "Shifts"))
    teams = TeamInput(many=True, required=False, label=label("班组", "Teams"))
    matrix = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField(), max_length=MOST_CYCLE_DAYS),
        required=False,
        max_length=MOST_TEAMS,
        label=label("轮转表", "Rotation"),
    )
    effectiveDate = DayField(
        write_only=True, required=False, allow_null=True, label=label("生效日期", "Effective date")
    )
    warnings = serializers.SerializerMethodField(label=label("提醒", "Warnings"))

    class Meta(PlanSerializer.Meta):
        fields = (*_COLUMNS, "shifts", "teams", "matrix", "effectiveDate", "warnings", *_STAMPS)

    def to_representation(self, instance: Any) -> Any:
        """Read the parts of the plan first; a constant number of statements."""
        instance.shown = shown = parts.read(instance.pk)
        instance.matrix = [team.rotation for team in shown.teams]
        return super().to_representation(_WithParts(instance, shown))

    def get_warnings(self, plan: Any) -> list[str]:
        """What is worth a second look in the rotation: shifts without a team, and short rests."""
        return parts.warnings(plan.shown)

    def validate_deptId(self, value: int) -> int:
        """Whoever keeps plans of some departments keeps no others."""
        actor = self.context["view"].actor
        kinds = rule_of(actor, "configinfo").kinds
        if self.instance is not None and value == self.instance.dept_id:
            return value
        if Scope.ALL in kinds or (Scope.DEPARTMENT_TREE in kinds and value in actor.dept_tree):
            return value
        if Scope.DEPARTMENT in kinds and value == actor.dept_id:
            return value
        raise NotAllowed()

    def validate_shifts(self, value: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """At most so many."""
        if len(value) > MOST_SHIFTS:
            raise serializers.ValidationError(_("一个排班方案最多{n}个班次").format(n=MOST_SHIFTS))
        return value

    def validate_teams(self, value: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """At most so many."""
        if len(value) > MOST_TEAMS:
            raise serializers.ValidationError(_("一个排班方案最多{n}个班组").format(n=MOST_TEAMS))
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check what is stored against what is sent: dates, parts, rotation, and the department's other plans."""
        plan = self.instance
        before = parts.read(plan.pk) if plan is not None else parts.NONE
        both = _Both(plan, attrs)
        start, end = both("start_date"), both("end_date")
        if end is not None and end < start:
            raise serializers.ValidationError({"endDate": [_("结束时间必须晚于开始时间")]})
        if both("anchor_date") is None:
            attrs["anchor_date"] = start
        wanted = before.changed(attrs.get("shifts"), attrs.get("teams"))
        check_shifts(wanted.shift_values())
        check_teams(wanted.team_values(), before.people)
        attrs["matrix"] = self._rotation(both, wanted, attrs.get("matrix"), before)
        attrs["cycle_days"] = len(attrs["matrix"][0]) if attrs["matrix"] else self._cycle(both)
        self._check_keeper(before, wanted)
        self._check_status(both, wanted)
        attrs["_parts"] = (before, wanted)
        if plan is not None and plan.status == PlanStatus.ENABLED and both("status") == PlanStatus.ENABLED:
            attrs["effectiveDate"] = self._effective(attrs, before, wanted)
        return attrs

    def _cycle(self, both: _Both) -> int:
        pattern = both("pattern_type")
        if pattern in rotation.BUILT_IN:
            return len(rotation.BUILT_IN[pattern].row)
        return 1 if pattern == Pattern.DAY else int(both("cycle_days") or 1)

    def _rotation(
        self, both: _Both, wanted: parts.Parts, sent: list[list[int]] | None, before: parts.Parts
    ) -> list[list[int]]:
        """Return the rotation: of a built-in pattern its own, whatever is sent.

        Raises ValidationError where a built-in pattern has not the shifts and teams that it needs, or an own rotation
        has not a row of the cycle's length for each team.
        """
        pattern, teams = both("pattern_type"), len(wanted.teams)
        if not teams:
            return []
        numbers = {shift.shift_no for shift in wanted.shifts}
        if pattern == Pattern.DAY:
            self._check_counts(pattern, wanted, 1, None)
            return rotation.day_only(teams)
        if pattern in rotation.BUILT_IN:
            built_in = rotation.BUILT_IN[pattern]
            self._check_counts(pattern, wanted, built_in.shifts, len(built_in.offsets))
            return built_in.rows()
        days = self._cycle(both)
        rows = sent if sent is not None else [team.rotation for team in before.teams]
        if len(rows) != teams or any(len(row) != days for row in rows):
            text = _("轮转表应有{teams}行，每行{days}天").format(teams=teams, days=days)
            raise serializers.ValidationError({"matrix": [text]})
        if any(number != rotation.REST and number not in numbers for row in rows for number in row):
            raise serializers.ValidationError({"matrix": [_("轮转表中有不存在的班次号")]})
        return [list(row) for row in rows]

    def _check_counts(self, pattern: int, wanted: parts.Parts, shifts: int, teams: int | None) -> None:
        numbers = sorted(shift.shift_no for shift in wanted.shifts)
        name = str(Pattern(pattern).label)
        if numbers != list(range(1, shifts + 1)):
            text = _("「{pattern}」需要{n}个班次，班次号从1开始").format(pattern=name, n=shifts)
            raise serializers.ValidationError({"shifts": [text]})
        if teams is not None and len(wanted.teams) != teams:
            text = _("「{pattern}」需要{n}个班组").format(pattern=name, n=teams)
            raise serializers.ValidationError({"teams": [text]})

    def _check_keeper(self, before: parts.Parts, wanted: parts.Parts) -> None:
        """Raise NotAllowed where somebody who keeps repair teams alone touches other ones."""
        if self.context["view"].keeps_repair_teams_only and not (
            all(team.repair for team in before.teams) and wanted.teams and all(team.repair for team in wanted.teams)
        ):
            raise NotAllowed(_("只能维护全部班组都是维修班组的排班方案"))

    def _check_status(self, both: _Both, wanted: parts.Parts) -> None:
        """Only a whole plan is enabled, one of a department at a time; what was in use does not become a draft."""
        plan, status = self.instance, both("status")
        if plan is not None and plan.status != PlanStatus.DRAFT and status == PlanStatus.DRAFT:
            text = _("当前状态为「{status}」，不能{action}").format(
                status=plan.get_status_display(), action=_("改为草稿")
            )
            raise serializers.ValidationError({"status": [text]})
        if status != PlanStatus.ENABLED:
            return
        for name, rows in (("shifts", wanted.shifts), ("teams", wanted.teams)):
            if not rows:
                text = _("请添加{field}").format(field=self.fields[name].label)
                raise serializers.ValidationError({name: [text]})
        end = both("end_date")
        if (plan is None or plan.status != PlanStatus.ENABLED) and end is not None and end < today():
            raise serializers.ValidationError({"endDate": [_("排班方案已过结束日期，不能启用")]})
        dept_id = both("dept_id")
        # Two people who enable plans of one department at a time come one after the other.
        dept = Department.objects.select_for_update(no_key=True).get(pk=dept_id)
        others = Plan.objects.filter(dept_id=dept_id, status=PlanStatus.ENABLED)
        if plan is not None:
            others = others.exclude(pk=plan.pk)
        for other_start, other_end in others.values_list("start_date", "end_date"):
            if _meet((both("start_date"), end), (other_start, other_end)):
                raise Conflict("configinfo.overlaps", _("部门「{dept}」在该日期段已有启用的排班方案").format(dept=dept))

    def _effective(self, attrs: Mapping[str, Any], before: parts.Parts, wanted: parts.Parts) -> date | None:
        """Return from which day on a change of the shifts or the rotation counts; None where nothing of it changes."""
        plan: Any = self.instance
        turns = {"cycle_days", "anchor_date", "workday_mode"}
        is_changed = (
            before.times() != wanted.times()
            or [team.rotation for team in before.teams] != attrs["matrix"]
            or [team.pk for team in before.teams] != [team.pk for team in wanted.teams]
            or any(name in attrs and attrs[name] != getattr(plan, name) for name in turns)
        )
        if not is_changed:
            return None
        day: date | None = attrs.get("effectiveDate")
        if day is None:
            missing = self.fields["effectiveDate"].error_messages["required"]
            raise serializers.ValidationError({"effectiveDate": missing})
        if day <= today():
            text = _("启用的排班方案修改班次或轮转，生效日期不能早于明天")
            raise serializers.ValidationError({"effectiveDate": [text]})
        if day > today() + timedelta(days=calendar.AHEAD):
            text = _("生效日期不能晚于{n}天后").format(n=calendar.AHEAD)
            raise serializers.ValidationError({"effectiveDate": [text]})
        return day

    def create(self, validated_data: Any) -> Any:
        """Make the plan with its parts."""
        return self._stored(super().create, validated_data)

    def update(self, instance: Any, validated_data: Any) -> Any:
        """Change the plan and its parts."""
        was_enabled = instance.status == PlanStatus.ENABLED

        def store(values: Any) -> Any:
            return super(PlanDetail, self).update(instance, values)

        return self._stored(store, validated_data, was_enabled)

    def _stored(self, store: Any, values: dict[str, Any], was_enabled: bool = False) -> Any:
        before, wanted = values.pop("_parts")
        matrix, effective = values.pop("matrix"), values.pop("effectiveDate", None)
        for name in ("shifts", "teams"):
            values.pop(name, None)
        if effective is not None:
            # The days before it are worked as the plan was until now.
            before_change: Any = self.instance
            calendar.cover(before_change, effective - timedelta(days=1))
        plan = store(values)
        changed = parts.write(plan, before, wanted, matrix, effective if was_enabled else None)
        if changed and self.instance is not None:
            Plan.count_write([plan.pk])
        calendar.plan_changed(plan, effective, was_enabled)
        return plan


class _Both:
    """What a plan will have: what is sent, else what is stored."""

    def __init__(self, plan: Any, attrs: Mapping[str, Any]):
        self.plan, self.attrs = plan if plan is not None else Plan(), attrs

    def __call__(self, name: str) -> Any:
        """Return the value of a column."""
        return self.attrs[name] if name in self.attrs else getattr(self.plan, name)


class _WithParts:
    """A plan with its parts, for the serializer: the reverse relations would read them again."""

    def __init__(self, plan: Any, shown: parts.Parts):
        self._plan, self.shifts, self.teams = plan, shown.shifts, shown.teams

    def __getattr__(self, name: str) -> Any:
        return getattr(self._plan, name)


def _meet(one: tuple[date, date | None], other: tuple[date, date | None]) -> bool:
    return (other[1] is None or one[0] <= other[1]) and (one[1] is None or other[0] <= one[1])
