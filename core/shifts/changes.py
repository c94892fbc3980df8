"""Changes of the calendar by hand: the cells of some days are replaced, or made as the rotation says again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from core.identity.models import User
from core.kernel import clock
from core.kernel.errors import Conflict, Invalid
from core.kernel.texts import label
from core.rest.serializers import DayField, FlagField, IdField, IdListField, SpeakingSerializer
from core.shifts import calendar, followers, parts, queries, times
from core.shifts.inputs import MOST_MEMBERS
from core.shifts.models import Cell, CellSource, Plan, PlanStatus, Shift, ShiftTeam

MOST_DAYS = 62
_MOST_CELLS = 2000


class CellInput(SpeakingSerializer):
    """A cell; without a team it says that nobody works the shift."""

    date = DayField(label=label("日期", "Date"))
    shiftId = IdField(label=label("班次", "Shift"))
    teamId = IdField(label=label("班组", "Team"), required=False, allow_null=True)
    userIds = IdListField(label=label("人员", "People"), refers_to=User, required=False, max_ids=MOST_MEMBERS)
    remark = serializers.CharField(label=label("备注", "Remark"), required=False, allow_blank=True, max_length=255)


class SchedulingInput(SpeakingSerializer):
    """Which days are changed, and their cells."""

    id = IdField(label=label("排班方案", "Shift plan"))
    startDate = DayField(label=label("开始日期", "Start date"))
    endDate = DayField(label=label("结束日期", "End date"))
    cells = CellInput(many=True, required=False, label=label("排班", "Schedule"))
    resetToPattern = FlagField(label=label("恢复轮转", "Reset to the rotation"), required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The span is in order and not too long, and holds all cells."""
        first, last = attrs["startDate"], attrs["endDate"]
        if last < first:
            raise serializers.ValidationError({"endDate": [_("结束日期不能早于开始日期")]})
        if (last - first).days >= MOST_DAYS:
            raise serializers.ValidationError({"endDate": [_("一次最多修改62天的排班")]})
        cells = attrs.get("cells", [])
        if len(cells) > _MOST_CELLS or any(not first <= cell["date"] <= last for cell in cells):
            raise serializers.ValidationError({"cells": [_("排班日期必须在开始日期和结束日期之间")]})
        return attrs


class Scheduled(serializers.Serializer):  # type: ignore[type-arg]
    """How many cells of how many days were changed."""

    changed = serializers.IntegerField()
    days = serializers.IntegerField()
    reassignedTasks = serializers.IntegerField()
    warnings = serializers.ListField(child=serializers.CharField())


@dataclass(frozen=True)
class _Wanted:
    """A cell as it shall be."""

    shift_id: int
    team_id: int | None
    user_ids: tuple[int, ...] = ()
    remark: str = ""


def apply(plan: Plan, asked: dict[str, Any]) -> dict[str, Any]:
    """Change the calendar of a plan, whose row is locked, and return what `Scheduled` says.

    The cells of the days that are named are replaced, or with `resetToPattern` those of all days of the span made as
    the rotation says. Raises Invalid or Conflict.
    """
    first, last, cells = asked["startDate"], asked["endDate"], asked.get("cells", [])
    if plan.status != PlanStatus.ENABLED:
        raise Conflict("configinfo.notEnabled", _("排班方案未启用，不能调整排班"))
    is_reset = bool(asked.get("resetToPattern"))
    named = list(calendar.days(first, last)) if is_reset else sorted({cell["date"] for cell in cells})
    present = queries.business_date_of(plan, clock.now())
    if any(day < present for day in named):
        raise Invalid({"startDate": _("不能修改今天以前的排班")})
    outside = plan.end_date is not None and any(day > plan.end_date for day in named)
    if outside or any(day < plan.start_date for day in named):
        raise Invalid({"cells": _("排班日期超出排班方案的起止日期")})
    if not named:
        return {"changed": 0, "days": 0, "reassignedTasks": 0, "warnings": []}
    before = _stored(plan, named)
    if is_reset:
        calendar.reset(plan, first, last)
        cells = [cell for cell in cells if cell["date"] in named]
    if cells:
        _replace(plan, cells)
    after = _stored(plan, named)
    changed = {day: before[day] ^ after[day] for day in named if before[day] != after[day]}
    _turns, days = queries.table(plan, named[0] - timedelta(days=1), named[-1] + timedelta(days=1))
    warnings = [
        f"{day.day} {text}"
        for earlier, day in pairwise(days)
        # A short rest shows on the day after a change too.
        if day.day in changed or earlier.day in changed
        for text in queries.warnings_of(earlier, day)
    ]
    # A cell that has changed is in it as it was and as it is.
    count = sum(len({(one[0], one[1]) for one in cells}) for cells in changed.values())
    given = followers.changed(plan, changed)
    return {"changed": count, "days": len(changed), "reassignedTasks": given, "warnings": warnings}


def _stored(plan: Plan, days: Sequence[date]) -> dict[date, set[tuple[Any, ...]]]:
    """Return by day its cells; of a day that has none those of the rotation."""
    asked = set(days)
    _turns, found = queries.table(plan, days[0], days[-1])
    return {
        day.day: {
            (cell.shift_id, cell.team_id, tuple(cell.user_ids), cell.remark, CellSource(cell.source))
            for cell in day.cells
        }
        for day in found
        if day.day in asked
    }


def _replace(plan: Plan, cells: Iterable[dict[str, Any]]) -> None:
    """Replace the cells of the days that are named."""
    turns = calendar.turns_of(plan)
    teams = {team.pk: team for team in parts.teams_of(plan.pk)}
    by_day: dict[date, list[dict[str, Any]]] = {}
    for cell in cells:
        by_day.setdefault(cell["date"], []).append(cell)
    _check_people(cells, teams)
    new = []
    for day, asked in by_day.items():
        valid = {shift.pk: shift for shift in turns.shifts if times.is_valid(shift, day)}
        wanted = _wanted(asked, valid, teams)
        rotated = {(shift.pk, team.pk) for shift, team in turns.of(day)}
        new += [Cell(plan=plan, day=day, **columns) for columns in _columns(wanted, rotated)]
    Cell.objects.filter(plan=plan, day__in=list(by_day)).delete()
    Cell.objects.bulk_create(new)


def _check_people(cells: Iterable[dict[str, Any]], teams: dict[int, ShiftTeam]) -> None:
    """Raise Invalid for people whom the tenant has not, or whose account is disabled."""
    members = {pk for team in teams.values() for pk in team.user_ids}
    asked = {pk for cell in cells for pk in cell.get("userIds", ())} - members
    if asked and User.objects.filter(pk__in=asked, is_enabled=True).count() != len(asked):
        raise Invalid({"cells": _("数据不存在或已被删除")})


def _wanted(asked: Iterable[dict[str, Any]], valid: dict[int, Shift], teams: dict[int, ShiftTeam]) -> list[_Wanted]:
    """Return the cells of a day, with a place for each shift that nobody works.

    Raises Invalid for a shift that is not worked then, a team of another plan, and a team in two shifts.
    """
    found: list[_Wanted] = []
    seen: set[int] = set()
    for cell in asked:
        team_id = cell.get("teamId")
        if cell["shiftId"] not in valid or (team_id is not None and team_id not in teams):
            raise Invalid({"cells": _("数据不存在或已被删除")})
        if team_id is None:
            continue
        if team_id in seen:
            text = _("班组「{team}」在同一天不能排两个班次").format(team=teams[team_id])
            raise Invalid({"cells": text})
        seen.add(team_id)
        members = teams[team_id].user_ids
        given = tuple(cell.get("userIds", ()))
        # Who names the team's own members goes on with them, whoever they will be.
        others = () if set(given) == set(members) else given
        found.append(_Wanted(cell["shiftId"], team_id, others, cell.get("remark", "")))
    return found


def _columns(wanted: Sequence[_Wanted], rotated: set[tuple[int, int]]) -> Iterable[dict[str, Any]]:
    """Yield the columns of the cells of a day: those that differ from the rotation are made by hand.

    A shift that has lost a team is so too, and keeps an empty cell where it has none left: by these the day is known as
    changed by hand, and is not made anew.
    """
    kept = {(one.shift_id, one.team_id) for one in wanted}
    lost = {shift_id for shift_id, team_id in rotated if (shift_id, team_id) not in kept}
    for one in wanted:
        by_hand = (
            (one.shift_id, one.team_id) not in rotated or bool(one.user_ids) or bool(one.remark) or one.shift_id in lost
        )
        yield {
            "shift_id": one.shift_id,
            "team_id": one.team_id,
            "user_ids": list(one.user_ids),
            "remark": one.remark,
            "source": CellSource.BY_HAND if by_hand else CellSource.PATTERN,
        }
    for shift_id in lost - {one.shift_id for one in wanted}:
        yield {"shift_id": shift_id, "team_id": None, "source": CellSource.BY_HAND}
