"""Where the time of one request goes, in this process."""

from __future__ import annotations

import cProfile
import pstats
from collections.abc import Callable
from typing import Any

from tests.bench import lists, steps
from tests.bench.asking import address, requester, timed

TIMES = 200


def _request(part: str) -> tuple[str, Callable[[], Any]]:
    if part in steps.COMPLETE:
        bodies = iter(steps.bodies(TIMES + 20))
        send = requester(steps.COMPLETE, "repairer")
        return steps.COMPLETE, lambda: send(next(bodies))
    for path, account, page in lists.LISTS:
        if part in path:
            return address(path, page), requester(address(path, page), account)
    raise SystemExit(f"Nothing that is measured is called {part}.")


def show(part: str) -> None:
    """Print the profile of the first request with these words in its path."""
    name, ask = _request(part)
    timed(ask, 20)
    profile = cProfile.Profile()
    profile.enable()
    timed(ask, TIMES)
    profile.disable()
    print(f"\n{name}")
    pstats.Stats(profile).sort_stats("cumtime").print_stats(90)
