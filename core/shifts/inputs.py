"""What people send of a plan's parts: shifts with their breaks, and teams with their members."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import time
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from core.identity.models import User
from core.kernel.texts import label
from core.rest.serializers import FlagField, IdField, IdListField, NameField, SpeakingSerializer
from core.shifts import times
from core.shifts.models import MOST_SHIFTS

MOST_BREAKS = 6
MOST_MEMBERS = 200


class ClockField(serializers.TimeField):
    """A time of day, `HH:mm`."""

    def __init__(self, **kwargs: Any):
        super().__init__(format="%H:%M", input_formats=["%H:%M", "%H:%M:%S"], **kwargs)

    def to_internal_value(self, value: Any) -> Any:
        """Return the time, without what is less than a minute."""
        found = super().to_internal_value(value) if isinstance(value, str | time) else self.fail("invalid")
        return found.replace(second=0, microsecond=0)


class ClockText(ClockField):
    """The same, stored as the text that it is."""

    def to_internal_value(self, value: Any) -> Any:
        """Return `HH:mm`."""
        return f"{super().to_internal_value(value):%H:%M}"

    def to_representation(self, value: Any) -> Any:
        """Return the text."""
        return value


class BreakInput(SpeakingSerializer):
    """A break of a shift."""

    start = ClockText(label=label("休息开始", "Break from"))
    end = ClockText(label=label("休息结束", "Break to"))


class ShiftInput(SpeakingSerializer):
    """A shift of a plan; without an id it is a new one."""

    shiftId = IdField(source="pk", required=False, allow_null=True)
    shiftNo = serializers.IntegerField(
        source="shift_no", label=label("班次号", "Shift no."), min_value=1, max_value=MOST_SHIFTS
    )
    shiftName = serializers.CharField(source="shift_name", label=label("班次名称", "Shift"), max_length=20)
    startTime = ClockField(source="start_time", label=label("开始时间", "Start"))
    endTime = ClockField(source="end_time", label=label("结束时间", "End"))
    breaks = BreakInput(many=True, required=False, label=label("休息时段", "Breaks"))
    color = serializers.CharField(label=label("颜色", "Color"), required=False, allow_blank=True, max_length=7)
    crossDay = serializers.SerializerMethodField()
    minutes = serializers.SerializerMethodField()

    def get_crossDay(self, shift: Any) -> int:
        """Whether it ends on the next day."""
        return int(times.crosses_midnight(shift.start_time, shift.end_time))

    def get_minutes(self, shift: Any) -> int:
        """Its minutes without breaks."""
        return times.worked_minutes(shift.start_time, shift.end_time, shift.breaks)

    def validate_color(self, value: str) -> str:
        """A color as #RRGGBB, or none."""
        if value and not re.fullmatch("#[0-9A-Fa-f]{6}", value):
            raise serializers.ValidationError(_("{field}格式不正确").format(field=self.fields["color"].label))
        return value

    def validate_breaks(self, value: list[dict[str, str]]) -> list[dict[str, str]]:
        """At most so many."""
        if len(value) > MOST_BREAKS:
            raise serializers.ValidationError(_("一个班次最多{n}个休息时段").format(n=MOST_BREAKS))
        return [dict(one) for one in value]

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The length is in bounds, and the breaks lie inside, one after another."""
        start, end = attrs["start_time"], attrs["end_time"]
        minutes = times.length(start, end)
        if not times.SHORTEST <= minutes <= times.LONGEST:
            raise serializers.ValidationError({"endTime": [_("班次时长应在30分钟到24小时之间")]})
        last = 0
        for begin, until in times.break_spans(start, attrs.get("breaks", ())):
            if until > minutes:
                raise serializers.ValidationError({"breaks": [_("休息时段必须在班次时间内")]})
            if begin < last:
                raise serializers.ValidationError({"breaks": [_("休息时段不能重叠")]})
            last = until
        return attrs


class TeamInput(SpeakingSerializer):
    """A team of a plan with its members; without an id it is a new one."""

    teamId = IdField(source="pk", required=False, allow_null=True)
    teamNo = serializers.IntegerField(source="team_no", label=label("班组号", "Team no."), read_only=True)
    teamName = serializers.CharField(source="team_name", label=label("班组名称", "Team"), max_length=30)
    leaderId = IdField(source="leader_id", refers_to=User, label=label("班组长", "Team leader"))
    leaderName = NameField(source="leader")
    userIds = IdListField(source="user_ids", refers_to=User, label=label("成员", "Members"), max_ids=MOST_MEMBERS)
    userNames = serializers.SerializerMethodField()
    repair = FlagField(label=label("维修班组", "Repair team"), required=False)

    def get_userNames(self, team: Any) -> list[str]:
        """The members' names, in the order of their ids."""
        return list(team.user_names)

    def validate_userIds(self, value: list[int]) -> list[int]:
        """One at least."""
        if not value:
            raise serializers.ValidationError(_("请选择{field}").format(field=self.fields["userIds"].label))
        return value


def check_shifts(shifts: Sequence[dict[str, Any]]) -> None:
    """Raise ValidationError where two shifts have one number or name, or overlap round the clock."""
    for place, one in enumerate(shifts):
        for other in shifts[:place]:
            if one["shift_no"] == other["shift_no"]:
                text = _("{field}「{value}」已存在").format(field=_("班次号"), value=one["shift_no"])
                raise serializers.ValidationError({"shifts": [text]})
            if one["shift_name"] == other["shift_name"]:
                text = _("{field}「{value}」已存在").format(field=_("班次名称"), value=one["shift_name"])
                raise serializers.ValidationError({"shifts": [text]})
            if times.overlap((other["start_time"], other["end_time"]), (one["start_time"], one["end_time"])):
                text = _("班次「{a}」与「{b}」时间重叠").format(a=other["shift_name"], b=one["shift_name"])
                raise serializers.ValidationError({"shifts": [text]})


def check_teams(teams: Sequence[dict[str, Any]], known: frozenset[int]) -> None:
    """Raise ValidationError for one name twice, for a person in two teams, and for people whom the tenant lacks.

    `known` are the people who were in the plan before: they may stay, whatever has become of their accounts.
    """
    where: dict[int, str] = {}
    names: set[str] = set()
    asked = {pk for team in teams for pk in (*team["user_ids"], team["leader_id"])}
    active = dict(User.objects.filter(pk__in=asked, is_enabled=True).values_list("pk", "real_name"))
    if asked - set(active) - known:
        raise serializers.ValidationError({"teams": [_("数据不存在或已被删除")]})
    people = {**dict(User.with_removed.filter(pk__in=asked & known).values_list("pk", "real_name")), **active}
    for team in teams:
        if team["team_name"] in names:
            text = _("{field}「{value}」已存在").format(field=_("班组名称"), value=team["team_name"])
            raise serializers.ValidationError({"teams": [text]})
        names.add(team["team_name"])
        for pk in team["user_ids"]:
            if pk in where:
                text = _("「{name}」已在班组「{team}」中").format(name=people[pk], team=where[pk])
                raise serializers.ValidationError({"teams": [text]})
            where[pk] = team["team_name"]
