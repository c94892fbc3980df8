"""Rates, means and buckets of time, which all figures use."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Case, IntegerField, QuerySet, Value, When

from core.rest.serializers import whole_minutes
from core.rounds.rates import Rate


def percent(part: int, whole: int) -> float | None:
    """Return a rate in percent with one decimal, half up; None of nothing."""
    return Rate(part, whole).percent


def mean(seconds: float | None, number: int) -> int | None:
    """Return the mean of a sum of seconds in whole minutes; None of nothing."""
    return whole_minutes((seconds or 0) / number) if number else None


def money(amount: Any) -> float:
    """Return a sum of money for the wire; nothing is 0."""
    return float(amount or 0)


def in_buckets(rows: QuerySet[Any], column: str, borders: Sequence[datetime]) -> QuerySet[Any]:
    """Return the rows whose moment lies between the first and the last border, grouped by the `bucket` it lies in.

    The buckets are half-open and numbered from 0; there is one less than borders.
    """
    inside = rows.filter(**{f"{column}__gte": borders[0], f"{column}__lt": borders[-1]})
    bucket = Case(
        *(When(**{f"{column}__lt": end}, then=Value(number)) for number, end in enumerate(borders[1:])),
        output_field=IntegerField(),
    )
    found: QuerySet[Any] = inside.order_by().annotate(bucket=bucket).values("bucket")
    return found
