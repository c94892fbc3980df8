"""The published calendar of China: the State Council's days off, and the days that are worked in exchange."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import lru_cache


@dataclass(frozen=True)
class PublishedDay:
    """A day that is off, or worked in exchange for one."""

    day: date
    is_worked: bool
    name: str
    name_en: str


_WRITTEN = {
    "New Year's Day": "New Year’s Day", "Tomb-sweeping Day": "Tomb-Sweeping Day", "Labour Day": "Labor Day",
    "Mid-autumn Festival": "Mid-Autumn Festival",
}  # fmt: skip
"""English names that the package writes otherwise than the console does."""


@lru_cache(maxsize=1)
def _days() -> tuple[PublishedDay, ...]:
    # Read where it is asked for: only those who take over a year need the package.
    from chinese_calendar.constants import Holiday, holidays, workdays

    names = {one.value: (one.chinese, _WRITTEN.get(one.value, one.value)) for one in Holiday}
    found = [PublishedDay(day, False, *names[name]) for day, name in holidays.items()]
    found += [PublishedDay(day, True, *names[name]) for day, name in workdays.items()]
    return tuple(sorted(found, key=lambda one: one.day))


def years() -> list[int]:
    """Return the years that are known, the latest first."""
    return sorted({one.day.year for one in _days()}, reverse=True)


def days_of(year: int) -> list[PublishedDay]:
    """Return the published days of a year; none of a year that is not known."""
    return [one for one in _days() if one.day.year == year]
