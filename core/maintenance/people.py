"""Who may repair."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models import Case, Count, Exists, IntegerField, OuterRef, Prefetch, Q, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from core.access.people import held_by, roles_with
from core.equipment.models import Machine
from core.identity.models import TeamMember, User, UserPost
from core.kernel.errors import Missing
from core.maintenance.models import OPEN, RepairOrder
from core.maintenance.rules import WORKS
from core.rest.filters import contains
from core.rest.menus import ShippedRole
from core.shifts.queries import on_duty

MOST = 200
RESPONSIBLE, OF_TEAM, OTHER = 0, 1, 2
"""How near somebody is to a machine: in this order they are offered for its repair."""


def count_helpers(user_ids: list[int], team_id: int | None) -> int:
    """How many of these may help at a machine of the team: repairers who see its orders."""
    active = User.objects.filter(is_enabled=True, roles__role__in=roles_with(WORKS), teams__team_id=team_id)
    return int(active.filter(pk__in=user_ids).distinct().count()) if team_id else 0


def _rank(machine: Machine | None) -> Any:
    """Return how near a person is to the machine, for a query: it is ranked before the list is cut."""
    if machine is None:
        return Value(OTHER)
    in_team = TeamMember.objects.filter(user=OuterRef("pk"), team_id=machine.team_id)
    near = [When(pk__in=[pk for pk in (machine.duty_user_id, machine.maintain_user_id) if pk], then=Value(RESPONSIBLE))]
    if machine.team_id is not None:
        near.append(When(Exists(in_team), then=Value(OF_TEAM)))
    return Case(*near, default=Value(OTHER), output_field=IntegerField())


def _open_orders() -> Any:
    """Return how many open orders a person repairs, for a query."""
    mine = RepairOrder.objects.filter(status__in=OPEN, repair_user=OuterRef("pk")).order_by()
    counted = mine.values("repair_user").annotate(n=Count("id")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def _is_on_duty(ids: Collection[int]) -> Any:
    """Return whether a person is on duty, for a query: it orders people before the list is cut."""
    duty = [When(pk__in=list(ids), then=Value(1))] if ids else []
    return Case(*duty, default=Value(0), output_field=IntegerField())


REPAIR, INSPECT, ALL = "repair", "inspect", "all"
"""What people are looked for: who repairs, who inspects, or anybody."""


def _fitting(role: str) -> Any:
    """Return the condition of people who do such work."""
    if role == REPAIR:
        return Q(roles__role__in=roles_with(WORKS))
    return Q(roles__role__role_alias=ShippedRole.INSPECTOR) if role == INSPECT else Q()


def repairers(
    machine_id: int | None = None,
    only_id: int | None = None,
    *,
    dept_id: int | None = None,
    keyword: str = "",
    is_on_duty: bool = False,
    role: str = REPAIR,
) -> list[Any]:
    """People an order may be dispatched to: the machine's responsible first, then its team, then the others.

    Among these who is on duty now comes first, then who has the least open. The only source for dispatch and transfer;
    at most 200, active accounts with a repair role, or with that of another `role`. Raises Missing for a machine that
    is not there.
    """
    machine = Machine.objects.filter(pk=machine_id).first() if machine_id is not None else None
    if machine_id is not None and machine is None:
        raise Missing()
    # Whether one person may be sent does not depend on it.
    duty = on_duty() if only_id is None else {}
    rows = (
        User.objects.filter(_fitting(role), is_enabled=True)
        .distinct()
        .select_related("dept")
        .prefetch_related(Prefetch("teams", TeamMember.objects.select_related("team").order_by("team__sort")))
        .annotate(rank=_rank(machine), duty=_is_on_duty(duty), load=_open_orders())
        .order_by("rank", "-duty", "load", "real_name", "id")
    )
    if dept_id is not None:
        rows = rows.filter(dept_id=dept_id)
    if keyword:
        rows = rows.filter(contains(("real_name", "account"), keyword))
    if is_on_duty:
        rows = rows.filter(pk__in=list(duty))
    if only_id is not None:
        rows = rows.filter(pk=only_id)
    else:
        posts_held = UserPost.objects.filter(post__is_deleted=False).select_related("post")
        rows = rows.prefetch_related(Prefetch("posts", posts_held))
    people = list(rows[:MOST])
    roles = held_by([person.pk for person in people]) if only_id is None else {}
    for person in people:
        teams = [membership.team for membership in person.teams.all()]
        person.first_team = teams[0] if teams else None
        posts = person.posts.all() if only_id is None else ()
        person.post_name = _("、").join(str(one.post) for one in posts)
        person.role_names = list(roles.get(person.pk, {}).values())
        person.on_duty, person.shift_name = person.pk in duty, duty.get(person.pk, "")
        person.is_duty = person.rank == RESPONSIBLE
        person.is_of_team = machine is not None and machine.team_id in {team.pk for team in teams}
    return people


def on_duty_of(machine: Machine) -> int | None:
    """Return who gets a new order about a machine by itself: of its team's people on duty the one with least to do."""
    found = (person for person in repairers(machine.pk, is_on_duty=True) if person.is_of_team)
    first = min(found, key=lambda person: (person.load, person.rank, person.pk), default=None)
    return first.pk if first is not None else None
