"""Who heads a department, or the one some levels above it."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from core.identity.models import Department, User

MOST_LEVELS = 9
_WORDS = re.compile(r"(user:)?([0-9]{1,18})(?:\+([1-9]))?")


@dataclass(frozen=True)
class Place:
    """A department, or the one of a person, and how many levels above it the head is looked for."""

    pk: int
    is_person: bool
    levels: int


def place_of(words: str) -> Place | None:
    """Read `7`, `7+1`, `user:9` or `user:9+2`: a department's or a person's id, and levels; None for anything else."""
    found = _WORDS.fullmatch(words)
    return Place(int(found[2]), found[1] is not None, int(found[3] or 0)) if found else None


def heads_of(places: Collection[Place]) -> dict[Place, int]:
    """Return the head of each place: somebody who may work, and not the very person whose head is asked for.

    A department without such a head has that of the next one above; above the highest department there is nobody.
    Three statements at most, however many places.
    """
    people = [one.pk for one in places if one.is_person]
    depts = [one.pk for one in places if not one.is_person]
    paths = dict(User.objects.filter(pk__in=people).values_list("pk", "dept__path")) if people else {}
    own = dict(Department.objects.filter(pk__in=depts).values_list("pk", "path")) if depts else {}
    ways = {one: _upwards((paths if one.is_person else own).get(one.pk))[one.levels :] for one in places}
    rows = Department.objects.filter(
        pk__in={step for way in ways.values() for step in way}, leader__is_enabled=True, leader__is_deleted=False
    )
    leaders = dict(rows.values_list("pk", "leader_id")) if any(ways.values()) else {}
    found: dict[Place, int] = {}
    for one, way in ways.items():
        besides = one.pk if one.is_person else None
        head = next((leaders[step] for step in way if leaders.get(step) not in (None, besides)), None)
        if head is not None:
            found[one] = head
    return found


def _upwards(path: str | None) -> list[int]:
    """Return the departments on the way up from the one with this path, itself first."""
    return [int(step) for step in reversed((path or "").split("/")) if step]
