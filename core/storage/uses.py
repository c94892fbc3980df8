"""Which records still show a stored file: those keep it from being removed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.db import models
from django.db.models.functions import Cast

from core.kernel.models import TenantModel

NAMES_FILES = re.compile(r"(^|_)(images?|files?|photos?|pictures?|voice|avatar|attachments?)$")
"""Names of columns that hold names of stored files, alone or as a list."""


def columns() -> Iterator[tuple[Any, str]]:
    """Every column of a tenant's table that may name a file."""
    for model in apps.get_models():
        if issubclass(model, TenantModel):
            for field in model._meta.concrete_fields:
                if isinstance(field, models.JSONField | models.CharField) and NAMES_FILES.search(field.name):
                    yield model, field.name


def used_by(name: str) -> str:
    """What shows the file, by its kind; empty when nothing does. Rows that are deleted show nothing."""
    for model, column in columns():
        rows = model._default_manager.annotate(as_text=Cast(column, models.TextField()))
        if rows.filter(as_text__contains=name).exists():
            return str(model._meta.verbose_name)
    return ""
