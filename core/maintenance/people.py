"""Who may repair, and who is told."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Prefetch, Q

from core.equipment.models import Machine
from core.identity.models import Team, TeamMember, User
from core.kernel.errors import Missing
from core.maintenance.models import OPEN, RepairOrder

REPAIR_ROLES = ("repairer", "repair_leader")
MOST = 200


def leader_of_team(team_id: int | None) -> int | None:
    """The team's leader."""
    return Team.objects.filter(pk=team_id).values_list("leader_id", flat=True).first() if team_id else None


def team_people(team_id: int | None) -> list[int | None]:
    """Everybody in the team."""
    return list(TeamMember.objects.filter(team_id=team_id).values_list("user_id", flat=True)) if team_id else []


def count_helpers(user_ids: list[int], team_id: int | None) -> int:
    """How many of these may help at a machine of the team: repairers who see its orders."""
    active = User.objects.filter(is_enabled=True, roles__role__role_alias__in=REPAIR_ROLES, teams__team_id=team_id)
    return int(active.filter(pk__in=user_ids).distinct().count()) if team_id else 0


def repairers(machine_id: int | None = None, only_id: int | None = None) -> list[dict[str, Any]]:
    """People an order may be dispatched to: the machine's responsible first, then its team, then the others.

    The only source for dispatch and transfer; at most 200, active accounts with a repair role. Raises Missing for a
    machine that is not there.
    """
    machine = Machine.objects.filter(pk=machine_id).first() if machine_id is not None else None
    if machine_id is not None and machine is None:
        raise Missing()
    rows = (
        User.objects.filter(is_enabled=True, roles__role__role_alias__in=REPAIR_ROLES)
        .distinct()
        .select_related("dept")
        .prefetch_related(Prefetch("teams", TeamMember.objects.select_related("team").order_by("team__sort")))
        .order_by("real_name")
    )
    if only_id is not None:
        rows = rows.filter(pk=only_id)
    people = list(rows[:MOST])
    load = dict(
        RepairOrder.objects.filter(Q(status__in=OPEN), repair_user_id__in=[person.pk for person in people])
        .values_list("repair_user_id")
        .annotate(Count("id"))
    )
    found = []
    for person in people:
        teams = [membership.team for membership in person.teams.all()]
        responsible = machine is not None and person.pk in (machine.duty_user_id, machine.maintain_user_id)
        in_team = machine is not None and machine.team_id is not None and machine.team_id in {team.pk for team in teams}
        found.append(
            {
                "userId": str(person.pk),
                "userName": person.real_name,
                "account": person.account,
                "deptName": str(person.dept or ""),
                "teamId": str(teams[0].pk) if teams else "",
                "teamName": str(teams[0]) if teams else "",
                "openOrders": load.get(person.pk, 0),
                "isDuty": int(responsible),
                "isOfTeam": int(in_team),
                "rank": 0 if responsible else 1 if in_team else 2,
            }
        )
    return sorted(found, key=lambda person: (person["rank"], person["openOrders"], person["userName"]))
