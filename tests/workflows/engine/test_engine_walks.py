"""A quick selection of the walks of `tests/prove/walks.py`."""

from tests.prove.walks import KINDS, Tally, walk


def test_the_engine_walks_as_the_token_game_does() -> None:
    tally = Tally()
    # The last ones have met: one message for two borders, a loop that begins with a join, a message that many hear.
    for seed in (*range(60), 819, 20246, 6549):
        walk(seed, tally)
    assert tally.wrong == []
    assert set(tally.kinds) == set(KINDS)
    assert tally.ends["over"] > 45
