"""Tables of reports, whose rows are counted and not stored: their columns, their order, and the same as a workbook."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework import serializers

from core.kernel.texts import camel
from core.rest import write_workbook
from core.rest.sheets import file_name, safe_cell, sheet_file


@dataclass(frozen=True)
class Column:
    """A column of a report."""

    key: str
    head: Any
    """Its heading: a `label`."""
    kind: str = "count"
    """How its values are shown: text, count, minutes, hours, percent, money or quantity."""
    figure: str = ""
    """The figure whose rows it opens; empty where it opens none."""

    def wire(self) -> dict[str, str]:
        """Return the column as callers read it."""
        return {"key": self.key, "title": str(self.head), "kind": self.kind, "figure": self.figure}


class ColumnSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """A column of a report."""

    key = serializers.CharField()
    title = serializers.CharField()
    kind = serializers.ChoiceField(choices=("text", "count", "minutes", "hours", "percent", "money", "quantity"))
    figure = serializers.CharField(allow_blank=True)


def in_asked_order(
    rows: Sequence[Mapping[str, Any]], given: Mapping[str, str], columns: Iterable[Column]
) -> list[Mapping[str, Any]]:
    """Return the rows by `ascs` and `descs`, in the order that they have where these name no column.

    What is empty counts as the greatest value, as in lists of the database.
    """
    known = {column.key for column in columns}
    found = list(rows)
    asked = [
        (name, sign == "descs")
        for sign in ("ascs", "descs")
        for text in given.get(sign, "").split(",")
        if (name := camel(text.strip())) in known
    ]
    for name, descending in reversed(asked):
        found.sort(key=lambda row: (row[name] is None, row[name] if row[name] is not None else 0), reverse=descending)
    return found


def workbook(
    title: str, columns: Sequence[Column], rows: Iterable[Mapping[str, Any]], summary: Mapping[str, Any] | None = None
) -> HttpResponse:
    """Return a file with the rows and, below them, their sum."""
    lines = [[safe_cell(row[column.key]) for column in columns] for row in rows]
    if summary is not None:
        sums = [safe_cell(summary.get(column.key)) for column in columns]
        lines.append([_("合计"), *sums[1:]])
    out = io.BytesIO()
    write_workbook.write(out, title[:31], [str(column.head) for column in columns], lines)
    return sheet_file(out.getvalue(), file_name(title))
