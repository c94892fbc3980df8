"""How teams take turns: the built-in patterns, and what is wrong or worth a warning in a rotation.

A rotation has a row for each team: on each day of the cycle the number of its shift, or 0 for rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time

from core.shifts.models import Pattern
from core.shifts.times import LEAST_REST, MINUTES_OF_DAY, length, minute_of

REST = 0
Rotation = Sequence[Sequence[int]]


@dataclass(frozen=True)
class BuiltIn:
    """A built-in pattern: the first team's row, and by how many days each team is ahead of it."""

    row: tuple[int, ...]
    offsets: tuple[int, ...]

    @property
    def shifts(self) -> int:
        """The number of shifts that it needs."""
        return max(self.row)

    def rows(self) -> list[list[int]]:
        """Return the rotation."""
        days = len(self.row)
        return [[self.row[(day + offset) % days] for day in range(days)] for offset in self.offsets]


BUILT_IN: Mapping[int, BuiltIn] = {
    Pattern.TWO_TWO: BuiltIn((1,) * 7 + (2,) * 7, (0, 7)),
    Pattern.THREE_THREE: BuiltIn((1,) * 7 + (2,) * 7 + (3,) * 7, (0, 7, 14)),
    Pattern.FOUR_THREE: BuiltIn((1, 1, 2, 2, 3, 3, 0, 0), (0, 2, 4, 6)),
    Pattern.FOUR_TWO: BuiltIn((1, 1, 2, 2, 0, 0, 0, 0), (0, 2, 4, 6)),
}
"""The patterns in which each shift has exactly one team every day."""


def day_only(teams: int) -> list[list[int]]:
    """Return the rotation of a single day shift, which every team works."""
    return [[1] for _team in range(teams)]


def turn(rotation: Sequence[int], anchor: date, day: date) -> int:
    """Return the number of the shift that a team works on a day; 0 for rest."""
    return rotation[(day - anchor).days % len(rotation)] if rotation else REST


def uncovered(rotation: Rotation, numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the days of the cycle, from 1 on, and the numbers of the shifts that no team works then."""
    for day, turns in enumerate(zip(*rotation, strict=True), start=1):
        yield from ((day, number) for number in numbers if number not in turns)


def rest_minutes(before: tuple[time, time], after: tuple[time, time], days: int) -> int:
    """Return the minutes between the end of a shift and the start of one so many days later."""
    return days * MINUTES_OF_DAY + minute_of(after[0]) - minute_of(before[0]) - length(*before)


def short_rests(row: Sequence[int], shifts: Mapping[int, tuple[time, time]]) -> Iterator[tuple[int, int]]:
    """Yield the days of the cycle, from 1 on, after whose shift a team rests too little; and the minutes of its rest.

    The cycle goes on from its last day to its first.
    """
    for day, number in enumerate(row):
        after = row[(day + 1) % len(row)]
        if number in shifts and after in shifts:
            rest = rest_minutes(shifts[number], shifts[after], 1)
            if rest < LEAST_REST.total_seconds() / 60:
                yield day + 1, rest
