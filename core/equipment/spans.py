"""Intervals of time: joined, cut, and measured in whole minutes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

Span = tuple[datetime, datetime]


def merged(spans: Iterable[Span]) -> Iterator[Span]:
    """The spans in their order, each without what an earlier one covers."""
    until: datetime | None = None
    for begin, end in sorted(spans):
        since = begin if until is None else max(begin, until)
        if end > since:
            yield since, end
            until = end


def union(spans: Iterable[Span]) -> timedelta:
    """How long the spans cover together, what two of them share counted once."""
    return sum((end - begin for begin, end in merged(spans)), timedelta(0))


def cut(spans: Iterable[Span], begin: datetime, end: datetime) -> list[Span]:
    """The spans as far as they lie within the bounds."""
    return [(max(one, begin), min(other, end)) for one, other in spans if one < end and other > begin]


def common(spans: Iterable[Span], others: Iterable[Span]) -> list[Span]:
    """The spans as far as they lie within one of the others."""
    bounds = list(merged(others))
    return [part for span in merged(spans) for begin, end in bounds for part in cut([span], begin, end)]
