"""Which records show a stored file: what a record shows, or has shown before it was removed, is not deleted."""

from __future__ import annotations

from django.apps import apps
from django.db import models

from core.kernel.file_uses import Names
from core.storage.models import FileUse


def keep(row: models.Model, column: str, before: Names | None, now: Names) -> None:
    """Store that a column of a row names these files and no others; one statement to add, one to take away.

    Where `before` is None, what the column named is read off the table.
    """
    label, uses = row._meta.label, FileUse.objects.filter(model=row._meta.label, row_id=row.pk, column=column)
    if before is None:
        uses.exclude(name__in=now).delete()
    elif gone := [name for name in before if name not in now]:
        uses.filter(name__in=gone).delete()
    FileUse.objects.bulk_create(
        [
            FileUse(name=name, model=label, row_id=row.pk, column=column)
            for name in now
            if before is None or name not in before
        ],
        ignore_conflicts=True,
    )


def shown_by(name: str) -> str:
    """Return what shows the file, by its kinds; empty when nothing does."""
    labels = FileUse.objects.filter(name=name).order_by("model").values_list("model", flat=True).distinct()
    return "、".join(str(apps.get_model(label)._meta.verbose_name) for label in labels)
