"""Two moments between which half days are counted, such as those of a leave: a declaration on a model."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.utils import timezone

from core.kernel.texts import label


@dataclass(frozen=True)
class HalfDays:
    """The columns of both moments and of the number of days, which is counted. A model has it as `half_days`."""

    first: str
    last: str
    days: str
    most: int = 365
    """The maximum number of days."""


def days_between(start: datetime, end: datetime) -> Decimal:
    """Return the days in halves: each morning and each afternoon of the tenant's calendar that is touched counts one.

    Noon belongs to the afternoon as a start, and to the morning as an end.
    """

    def half(moment: datetime) -> int:
        local = timezone.localtime(moment)
        return local.toordinal() * 2 + (local.hour >= 12)

    return Decimal(half(end - timedelta(microseconds=1)) - half(start) + 1) / 2


def dates_between(start: datetime, end: datetime) -> str:
    """Return from when to when as a label, with the year where it changes; of half a day, which half."""
    first, last = timezone.localtime(start), timezone.localtime(end - timedelta(microseconds=1))
    form = "%m-%d" if first.year == last.year else "%Y-%m-%d"
    if first.date() != last.date():
        return label(f"{first:{form}}～{last:{form}}", f"{first:{form}} to {last:{form}}")
    if days_between(start, end) == 1:
        return f"{first:{form}}"
    half, half_en = ("上午", "morning") if first.hour < 12 else ("下午", "afternoon")
    return label(f"{first:{form}} {half}", f"{first:{form}} {half_en}")
