"""Rows of which only a few columns are made at first.

Making a row costs more than reading it: the texts of dates and JSON are read, and Django sets each column. Who looks at
many rows for a few columns, and uses one of them, leaves the rest until a row is asked for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Self

from django.db import models
from django.db.models.base import ModelState


class _Stored(ModelState):
    """The state of a row that was read."""

    db, adding = "default", False


class LazyRow(models.Model):
    """A model whose rows `lazily` makes; where one is asked for a column that it does not have yet, it gets all."""

    _row: Any
    _whole: Callable[[Any], Mapping[str, Any]]

    class Meta:
        abstract = True

    @classmethod
    def lazily(cls, known: dict[str, Any], row: Any, whole: Callable[[Any], Mapping[str, Any]]) -> Self:
        """Return an instance of a row that was read, with some of its columns; `whole` makes all of them of the row.

        The instance keeps `known` as its own.
        """
        one = cls.__new__(cls)
        known["_state"], known["_row"], known["_whole"] = _Stored(), row, whole
        one.__dict__ = known
        return one

    def refresh_from_db(self, using: Any = None, fields: Any = None, from_queryset: Any = None) -> None:
        """Fill the row, where Django calls this for a column that it does not have; else read it again."""
        columns = vars(self)
        row, whole = columns.pop("_row", None), columns.pop("_whole", None)
        is_missing = whole is not None and fields is not None and columns.keys().isdisjoint(fields)
        if whole is not None:
            columns.update(whole(row) | columns)  # what was set meanwhile stays
        if not is_missing:
            super().refresh_from_db(using, fields, from_queryset)
