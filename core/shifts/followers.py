"""Who follows the calendar: applications whose records are given to the team on shift hear here when it changes."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date

from core.shifts.models import Plan

_followers: list[Callable[[Plan, Collection[date]], int]] = []


def register(follow: Callable[[Plan, Collection[date]], int]) -> None:
    """Register what follows when the cells of these days have changed; it returns how many records others have now."""
    _followers.append(follow)


def changed(plan: Plan, days: Collection[date]) -> int:
    """Tell that the cells of these days have changed; return how many records have other people now."""
    return sum(follow(plan, days) for follow in _followers) if days else 0
