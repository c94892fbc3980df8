"""How the maintenance of a month could be spread more evenly over the days of each team: a pure function.

Each order moves once at most, to a day on which its team works and on which it still counts as done in time. Of all
moves the one that evens out most is taken first, until none is worth it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

MOST_MOVES = 60
_LEAST_GAIN = Fraction(1, 50)
"""A move is worth it where it takes away so much of the unevenness of its two days."""


@dataclass(frozen=True)
class Piece:
    """An order that may be moved between two days; `minutes` is the work of all its people."""

    key: int
    team: int
    day: date
    earliest: date
    latest: date
    minutes: int


@dataclass(frozen=True)
class Move:
    """A move, with the minutes of both days before it and after."""

    key: int
    team: int
    origin: date
    target: date
    minutes: int
    origin_load: int
    target_load: int
    origin_hours: int
    target_hours: int


Minutes = Mapping[tuple[int, date], int]
"""By team and day."""


def propose(pieces: Sequence[Piece], load: Minutes, hours: Minutes) -> list[Move]:
    """Return the moves that even out the load of teams beside their hours, the most useful one first."""
    now = dict(load)
    left = {piece.key: piece for piece in pieces}
    moves: list[Move] = []
    while left and len(moves) < MOST_MOVES:
        best = max(
            (found for piece in left.values() for found in _moves_of(piece, now, hours)),
            key=lambda found: (found[0], -found[1].target.toordinal(), -found[1].key),
            default=None,
        )
        if best is None:
            break
        move = best[1]
        moves.append(move)
        now[move.team, move.origin] -= move.minutes
        now[move.team, move.target] = now.get((move.team, move.target), 0) + move.minutes
        del left[move.key]
    return moves


def _moves_of(piece: Piece, load: Minutes, hours: Minutes) -> list[tuple[Fraction, Move]]:
    """Return the days to which a piece may go, each with what it gains, where it is worth it."""
    found = []
    for number in range((piece.latest - piece.earliest).days + 1):
        target = piece.earliest + timedelta(days=number)
        at, to = (piece.team, piece.day), (piece.team, target)
        if target == piece.day or not hours.get(to):
            continue
        before = _weight(load.get(at, 0), hours.get(at, 0)) + _weight(load.get(to, 0), hours[to])
        after = _weight(load.get(at, 0) - piece.minutes, hours.get(at, 0)) + _weight(
            load.get(to, 0) + piece.minutes, hours[to]
        )
        if before - after >= before * _LEAST_GAIN and before > after:
            move = Move(
                piece.key, piece.team, piece.day, target, piece.minutes, load.get(at, 0), load.get(to, 0),
                hours.get(at, 0), hours[to],
            )  # fmt: skip
            found.append((before - after, move))
    return found


def _weight(minutes: int, worked: int) -> Fraction:
    """Return how heavy a day is: it grows with the square of its load, the more the fewer hours are worked."""
    return Fraction(minutes * minutes, max(worked, 1))
