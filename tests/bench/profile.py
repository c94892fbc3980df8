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
        complete = requester("repairer")
        return steps.COMPLETE, lambda: complete(steps.COMPLETE, next(bodies))
    for path, account, page in lists.LISTS:
        if part in path:
            send = requester(account)
            return address(path, page), lambda: send(address(path, page))  # noqa: B023  (called after the return)
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
