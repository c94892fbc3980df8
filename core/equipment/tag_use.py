"""Where failure codes are used: applications whose records name them say here which, and how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple


class _User(NamedTuple):
    names: Callable[[int], bool]
    symptoms_since: Callable[[datetime], Mapping[int, int]]


_users: list[_User] = []


def register(names: Callable[[int], bool], symptoms: Callable[[datetime], Mapping[int, int]]) -> None:
    """Register how records of one kind say whether they name a code, and how often each symptom since a moment."""
    _users.append(_User(names, symptoms))


def is_used(tag_id: int) -> bool:
    """Return whether any record names the code."""
    return any(user.names(tag_id) for user in _users)


def symptoms_since(moment: datetime) -> Counter[int]:
    """Return how often records made since then name each symptom."""
    found: Counter[int] = Counter()
    for user in _users:
        found.update(user.symptoms_since(moment))
    return found
