"""The parts of a plan, its shifts and teams: read, compared with what is sent, and written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, time, timedelta
from typing import Any

from django.db.models import F
from django.utils.translation import gettext as _
from rest_framework import serializers

from core.kernel.ids import next_id
from core.shifts import rotation
from core.shifts.models import Cell, Plan, Shift, ShiftTeam, ShiftTeamMember
from core.system.periods import today

_SHIFT = ("shift_no", "shift_name", "start_time", "end_time", "breaks", "color")
_TIMED = ("shift_no", "start_time", "end_time", "breaks")
_TEAM = ("team_no", "team_name", "leader_id", "repair")


@dataclass(frozen=True)
class Parts:
    """The shifts of a plan by their numbers, as they are from the last change on, and its teams in their order.

    A team has its members' ids as `user_ids`, and their names as `user_names` where it was read.
    """

    shifts: Sequence[Shift] = ()
    teams: Sequence[ShiftTeam] = ()
    people: frozenset[int] = field(default=frozenset())
    """Members and leaders."""

    def changed(self, shifts: Any, teams: Any) -> Parts:
        """Return the parts with these in place of those that are there; None leaves them.

        Raises ValidationError for the id of a part that the plan has not.
        """
        found = self
        if shifts is not None:
            found = replace(found, shifts=_merged(Shift, self.shifts, shifts, "shifts", {"breaks": [], "color": ""}))
        if teams is not None:
            numbered = [{**team, "team_no": place} for place, team in enumerate(teams, start=1)]
            found = replace(found, teams=_merged(ShiftTeam, self.teams, numbered, "teams", {"repair": False}))
        return found

    def shift_values(self) -> list[dict[str, Any]]:
        """Return the shifts as values, for the rules between them."""
        return [{name: getattr(one, name) for name in _SHIFT} for one in self.shifts]

    def team_values(self) -> list[dict[str, Any]]:
        """Return the teams as values, for the rules between them."""
        return [{name: getattr(one, name) for name in (*_TEAM, "user_ids")} for one in self.teams]

    def times(self) -> list[tuple[Any, ...]]:
        """Return what the calendar depends on: which shifts there are, and when they are worked."""
        return [tuple(getattr(one, name) for name in ("pk", *_TIMED)) for one in self.shifts]


NONE = Parts()


def _merged(model: Any, before: Sequence[Any], sent: Iterable[dict[str, Any]], name: str, usual: Any) -> list[Any]:
    known = {one.pk: one for one in before}
    found = []
    for values in sent:
        pk = values.get("pk")
        if pk is not None and pk not in known:
            raise serializers.ValidationError({name: [_("数据不存在或已被删除")]})
        columns = {**usual, **{key: value for key, value in values.items() if key not in ("pk", "user_ids")}}
        row = model(pk=pk or next_id(), **columns)
        row.user_ids = values.get("user_ids", [])
        found.append(row)
    if len({row.pk for row in found}) != len(found):
        raise serializers.ValidationError({name: [_("请求参数格式错误")]})
    return sorted(found, key=lambda row: row.shift_no) if model is Shift else found


def read(plan_id: int) -> Parts:
    """Return the parts of a plan; three statements."""
    shifts = list(Shift.objects.filter(plan_id=plan_id, valid_until=None).order_by("shift_no"))
    teams = teams_of(plan_id)
    people = {pk for team in teams for pk in (*team.user_ids, team.leader_id)}
    return Parts(shifts, teams, frozenset(people))


def teams_of(plan_id: int) -> list[ShiftTeam]:
    """Return the teams of a plan with their members as `user_ids` and `user_names`; two statements."""
    teams = list(ShiftTeam.objects.filter(plan_id=plan_id).select_related("leader").order_by("team_no"))
    members: dict[int, list[tuple[int, str]]] = {team.pk: [] for team in teams}
    rows = ShiftTeamMember.objects.filter(plan_id=plan_id).order_by("place", "pk")
    for team_id, user_id, name in rows.values_list("team_id", "user_id", "user__real_name"):
        members.setdefault(team_id, []).append((user_id, name))
    for team in teams:
        team.user_ids = [pk for pk, _name in members[team.pk]]
        team.user_names = [name for _pk, name in members[team.pk]]
    return teams


def clock_times(shifts: Iterable[Shift]) -> dict[int, tuple[time, time]]:
    """Return by the number of a shift its start and end."""
    return {shift.shift_no: (shift.start_time, shift.end_time) for shift in shifts}


def warnings(shown: Parts) -> list[str]:
    """Return what is worth a second look in the rotation: shifts that no team works, and rests of less than 8 hours."""
    if not shown.teams or not all(team.rotation for team in shown.teams):
        return []
    names = {shift.shift_no: shift.shift_name for shift in shown.shifts}
    said = [
        _("第{n}天「{shift}」没有班组").format(n=day, shift=names[number])
        for day, number in rotation.uncovered([team.rotation for team in shown.teams], sorted(names))
    ]
    times = clock_times(shown.shifts)
    for team in shown.teams:
        for day, _minutes in rotation.short_rests(team.rotation, times):
            said.append(_("班组「{team}」第{n}天下班后休息不足8小时").format(team=team, n=day))
    return said


def write(plan: Plan, before: Parts, wanted: Parts, matrix: list[list[int]], effective: date | None) -> bool:
    """Store the parts of a plan; return whether anything of them has changed.

    Days before `effective` keep their shifts as they were. Days that have passed keep the people who were in the teams.
    """
    if effective is None and plan.covered_to is not None:
        effective = today() + timedelta(days=1)
    is_changed = _write_shifts(plan, before, wanted, effective)
    return _write_teams(plan, before, wanted, matrix, effective) or is_changed


def _write_shifts(plan: Plan, before: Parts, wanted: Parts, effective: date | None) -> bool:
    known = {one.pk: one for one in before.shifts}
    kept = {one.pk for one in wanted.shifts}
    ended, changed, new = [one for one in before.shifts if one.pk not in kept], [], []
    for shift in wanted.shifts:
        values = {name: getattr(shift, name) for name in _SHIFT}
        old = known.get(shift.pk)
        if old is None:
            new.append(Shift(plan=plan, valid_from=effective, **values))
        elif any(getattr(old, name) != values[name] for name in _TIMED) and _has_begun(old, effective):
            ended.append(old)
            new.append(Shift(plan=plan, valid_from=effective, **values))
        else:
            if effective is not None and not _has_begun(old, effective):
                values["valid_from"] = effective
            changed.append((old, values))
    is_changed = bool(ended or new)
    for old in ended:
        if _has_begun(old, effective):
            old.change({"valid_until": effective})
        else:
            old.remove()
    if effective is not None and is_changed:
        # What was to be changed later is changed now.
        later = Shift.objects.filter(plan=plan, valid_until__gt=effective)
        later.update(valid_until=effective)
    moved = [old.pk for old, values in changed if old.shift_no != values["shift_no"]]
    if moved:
        # Two shifts that change their numbers would meet.
        Shift.objects.filter(pk__in=moved).update(shift_no=-F("shift_no"))
    for old, values in changed:
        is_changed |= bool(old.change(values))
    Shift.objects.bulk_create(new)
    return is_changed


def _has_begun(shift: Shift, effective: date | None) -> bool:
    """Return whether days before `effective` have this shift."""
    return effective is not None and (shift.valid_from is None or shift.valid_from < effective)


def _write_teams(plan: Plan, before: Parts, wanted: Parts, matrix: list[list[int]], effective: date | None) -> bool:
    known: dict[int, Any] = {one.pk: one for one in before.teams}
    is_changed = False
    for pk in known.keys() - {one.pk for one in wanted.teams}:
        gone = known[pk]
        _keep_members(plan, gone, effective or today())
        Cell.objects.filter(plan=plan, team=gone, day__gte=effective or today()).delete()
        gone.is_deleted = is_changed = True
        gone.save(update_fields=["is_deleted"])
    renamed = [one.pk for one in wanted.teams if one.pk in known and known[one.pk].team_name != one.team_name]
    for pk in renamed:
        # Two teams that change their names would meet.
        ShiftTeam.objects.filter(pk=pk).update(team_name=str(pk))
    members: list[ShiftTeamMember] = []
    moved = known.keys() != {one.pk for one in wanted.teams}
    for place, asked in enumerate(wanted.teams):
        team: Any = asked
        values = {**{name: getattr(team, name) for name in _TEAM}, "rotation": matrix[place]}
        old = known.get(team.pk)
        if old is None:
            old = ShiftTeam(pk=team.pk, plan=plan, **values)
            old.save(force_insert=True)
            is_changed = True
        else:
            is_changed |= bool(old.change(values))
            if old.user_ids != team.user_ids:
                moved = True
                _keep_members(plan, old, today())
        members += [
            ShiftTeamMember(plan=plan, team=old, user_id=user_id, place=number)
            for number, user_id in enumerate(team.user_ids)
        ]
    if moved:
        ShiftTeamMember.objects.filter(plan=plan).delete()
        ShiftTeamMember.objects.bulk_create(members)
    return is_changed or moved


def _keep_members(plan: Plan, team: Any, until: date) -> None:
    """Write into the days before `until` who was in the team, so that they do not change with it."""
    Cell.objects.filter(plan=plan, team=team, day__lt=until, user_ids=[]).update(user_ids=team.user_ids)
