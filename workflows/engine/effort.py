"""Counts the work that one judgement or one step does, and stops it at its limit.

What grows with a model is counted where it happens: texts that are compiled, values that are built or stored, tasks
that are looked at. Work is counted and not timed, so that the verdict is the same on a slow machine (ADR 0037).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from workflows.engine.errors import LimitReached

MAX_JUDGED = 1_500_000  # of one drawing: about a second of a core
MAX_STEPPED = 1_000_000  # of one step

_left: ContextVar[list[int] | None] = ContextVar("left", default=None)


@contextmanager
def bounded(most: int) -> Iterator[None]:
    """Let no more than `most` be spent inside, nor more than is left outside; beyond it `spend` raises LimitReached."""
    outer = _left.get()
    given = most if outer is None else min(most, outer[0])
    own = [given, most]
    token = _left.set(own)
    try:
        yield
    finally:
        _left.reset(token)
        if outer is not None:
            outer[0] -= given - own[0]


def spend(units: int) -> None:
    """Count work; one unit takes about a microsecond. Outside of `bounded` nothing is counted."""
    left = _left.get()
    if left is None:
        return
    left[0] -= units
    if left[0] < 0:
        raise LimitReached("work", left[1])
