"""A quick selection of the walks of `tests/prove/walks.py`."""

from tests.prove.walks import Tally, walk


def test_the_engine_walks_as_the_token_game_does() -> None:
    tally = Tally()
    for seed in range(70):
        walk(seed, tally)
    assert tally.wrong == []
    assert {"start", "do", "fire", "send", "cancel", "move"} <= set(tally.kinds)
    assert tally.ends["over"] > 50
