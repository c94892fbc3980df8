"""The demo plants' shift plans, saved as people save them, and a few changes of their calendar by hand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from core.identity.models import Department, User
from core.kernel import clock
from core.kernel.actor import Actor, acting
from core.kernel.tenancy import tenant_scope
from core.project.demo_data import Plant, ShiftCrew, Shifts
from core.shifts import calendar, changes, queries
from core.shifts.models import Plan, ShiftTeam
from core.shifts.serializers import PlanDetail

_SINCE = timedelta(days=91)
"""A day more than tasks are told of."""
_KEEPER = "qian.w"


class _Keeper:
    """Who saves a plan, as the serializer asks its view."""

    keeps_repair_teams_only = False

    def __init__(self, actor: Actor):
        self.actor = actor


def plan(plant: Plant, now: datetime, actor_of: Callable[[int], Actor]) -> None:
    """Save the plans of a plant three months ago, and change a few days of their calendar now."""
    if not plant.shifts:
        return
    with tenant_scope(plant.tenant_id):
        people = dict(User.objects.values_list("account", "pk"))
        actor = actor_of(people[_KEEPER])
        with clock.at(now - _SINCE), acting(actor):
            for shifts in plant.shifts:
                body = _body(shifts, people, timezone.localdate(now - _SINCE))
                serializer = PlanDetail(data=body, context={"view": _Keeper(actor)})
                serializer.is_valid(raise_exception=True)
                serializer.save()
    with clock.at(now):
        calendar.cover_all()
        with tenant_scope(plant.tenant_id), acting(actor):
            for shifts in plant.shifts:
                for days, one, other in shifts.swaps:
                    _swap(Plan.objects.get(config_code=shifts.code), now + timedelta(days=days), one, other)


def _body(shifts: Shifts, people: dict[str, int], start: Any) -> dict[str, Any]:
    pause = [{"start": shifts.pause[0], "end": shifts.pause[1]}] if shifts.pause is not None else []
    return {
        "configCode": shifts.code,
        "configName": shifts.name,
        "deptId": str(Department.objects.get(dept_name=shifts.dept).pk),
        "startDate": str(start),
        "patternType": shifts.pattern,
        "workdayMode": shifts.workdays,
        "status": 2,
        "shifts": [
            {"shiftNo": number, "shiftName": name, "startTime": begin, "endTime": end, "breaks": pause}
            for number, (name, begin, end) in enumerate(shifts.shifts, start=1)
        ],
        "teams": [_team(crew, people) for crew in shifts.crews],
    }


def _team(crew: ShiftCrew, people: dict[str, int]) -> dict[str, Any]:
    ids = [str(people[account]) for account in crew.members]
    return {
        "teamName": crew.name, "leaderId": ids[0], "userIds": ",".join(ids), "repair": int(crew.is_repair),
    }  # fmt: skip


def _swap(row: Plan, moment: datetime, one: str, other: str) -> None:
    """Let two teams change places on a day; one of them may rest then."""
    day = timezone.localdate(moment)
    teams = {team.team_name: team.pk for team in ShiftTeam.objects.filter(plan=row)}
    places = {teams[one]: teams[other], teams[other]: teams[one]}
    _turns, (found,) = queries.table(row, day, day)
    cells = [
        {"date": day, "shiftId": cell.shift_id, "teamId": places.get(cell.team_id, cell.team_id), "remark": "调班"}
        for cell in found.cells
    ]
    changes.apply(row, {"startDate": day, "endDate": day, "cells": cells})
