"""The proposal that evens out a month: which orders it moves, and where it lets them be."""

from __future__ import annotations

from datetime import date, timedelta

from core.preventive.balance import MOST_MOVES, Move, Piece, propose

MONDAY = date(2026, 3, 2)
TUESDAY, WEDNESDAY, SATURDAY = (MONDAY + timedelta(days=n) for n in (1, 2, 5))
DAY = 960


def _piece(key: int, day: date, minutes: int, earliest: date = MONDAY, latest: date = SATURDAY, team: int = 1) -> Piece:
    return Piece(key, team, day, earliest, latest, minutes)


def _hours(*days: date, team: int = 1) -> dict[tuple[int, date], int]:
    return {(team, day): DAY for day in days}


def test_a_full_day_gives_to_an_empty_one() -> None:
    pieces = [_piece(1, MONDAY, 480), _piece(2, MONDAY, 240)]
    load = {(1, MONDAY): 720}
    assert propose(pieces, load, _hours(MONDAY, TUESDAY)) == [
        Move(1, 1, MONDAY, TUESDAY, 480, 720, 0, DAY, DAY),
    ]


def test_nothing_moves_where_it_would_not_help() -> None:
    assert propose([_piece(1, MONDAY, 480)], {(1, MONDAY): 480}, _hours(MONDAY, TUESDAY)) == []
    both = [_piece(1, MONDAY, 300), _piece(2, TUESDAY, 300)]
    assert propose(both, {(1, MONDAY): 300, (1, TUESDAY): 300}, _hours(MONDAY, TUESDAY)) == []


def test_a_day_off_gives_all_and_takes_nothing() -> None:
    pieces = [_piece(1, SATURDAY, 60), _piece(2, MONDAY, 60), _piece(3, MONDAY, 60)]
    load = {(1, SATURDAY): 60, (1, MONDAY): 120}
    moves = propose(pieces, load, _hours(MONDAY, TUESDAY, WEDNESDAY))
    assert [(move.key, move.target) for move in moves] == [(1, TUESDAY), (2, WEDNESDAY)]


def test_an_order_stays_within_its_days() -> None:
    pieces = [_piece(1, MONDAY, 480, latest=MONDAY), _piece(2, MONDAY, 120, latest=TUESDAY)]
    load = {(1, MONDAY): 600, (1, TUESDAY): 0}
    moves = propose(pieces, load, _hours(MONDAY, TUESDAY, WEDNESDAY))
    assert [(move.key, move.target) for move in moves] == [(2, TUESDAY)]


def test_teams_do_not_help_each_other() -> None:
    pieces = [_piece(1, MONDAY, 300), _piece(2, MONDAY, 300), _piece(3, MONDAY, 100, team=2)]
    load = {(1, MONDAY): 600, (2, MONDAY): 100}
    moves = propose(pieces, load, _hours(MONDAY, TUESDAY) | _hours(MONDAY, team=2))
    assert [(move.team, move.key, move.target) for move in moves] == [(1, 1, TUESDAY)]


def test_each_order_moves_once_and_the_load_gets_no_worse() -> None:
    days = [MONDAY + timedelta(days=n) for n in range(20)]
    pieces = [_piece(n, days[n % 3], 30 + 7 * n % 90, latest=days[-1]) for n in range(1, 120)]
    load: dict[tuple[int, date], int] = {}
    for piece in pieces:
        load[1, piece.day] = load.get((1, piece.day), 0) + piece.minutes
    moves = propose(pieces, load, _hours(*days))
    assert len(moves) == len({move.key for move in moves}) == MOST_MOVES
    after = dict(load)
    for move in moves:
        assert (after.get((1, move.origin), 0), after.get((1, move.target), 0)) == (move.origin_load, move.target_load)
        after[1, move.origin] -= move.minutes
        after[1, move.target] = after.get((1, move.target), 0) + move.minutes
    assert sum(after.values()) == sum(load.values())
    assert max(after.values()) < max(load.values())


def test_work_of_one_day_off_does_not_go_to_another() -> None:
    sunday = SATURDAY + timedelta(days=1)
    pieces = [_piece(key, SATURDAY, 60, earliest=SATURDAY, latest=sunday) for key in (1, 2)]
    assert propose(pieces, {(1, SATURDAY): 120}, _hours(MONDAY)) == []
