"""Questions about the machine tree."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from core.equipment.models import Machine


def below(rows: QuerySet[Any], text: str, column: str = "path") -> QuerySet[Any]:
    """Rows at a machine or below it."""
    top = (
        Machine.objects.filter(pk=int(text)).values_list("path", flat=True).first()
        if text.isdecimal() and len(text) < 19
        else None
    )
    return rows.filter(**{f"{column}__startswith": top}) if top else rows.none()
