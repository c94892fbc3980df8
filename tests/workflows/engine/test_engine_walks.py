"""A quick selection of the walks of `tests/prove/walks.py`."""

from tests.prove.walks import KINDS, Tally, walk


def test_the_engine_walks_as_the_token_game_does() -> None:
    tally = Tally()
    # The last ones have met: a token left at a join, a handler that interrupts another, one message for two borders.
    for seed in (*range(60), 1872, 1457, 258):
        walk(seed, tally)
    assert tally.wrong == []
    assert set(tally.kinds) == set(KINDS)
    assert tally.ends["over"] > 45
