"""Numbers of documents: prefix, day, four digits or more, without gaps in what is committed."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from core.kernel import clock
from core.system.models import Counter


def next_number(prefix: str) -> str:
    """The next number under the prefix today (tenant time). Locks the counter: take it first in a transaction."""
    [number] = next_numbers(prefix, 1)
    return number


def next_numbers(prefix: str, count: int) -> list[str]:
    """The next so many numbers under the prefix today, in their order; as many statements as for one.

    None of them locks the counter all the same, for what is decided while it is held.
    """
    day = timezone.localtime(clock.now()).date()
    mine = Counter.objects.filter(prefix=prefix, day=day)
    if not mine.update(value=F("value") + count):
        try:
            with transaction.atomic():
                Counter.objects.create(prefix=prefix, day=day, value=count)
        except IntegrityError:  # somebody else began this day at the same moment
            mine.update(value=F("value") + count)
    last = mine.values_list("value", flat=True).get()
    return [f"{prefix}{day:%Y%m%d}{number:04d}" for number in range(last - count + 1, last + 1)]
