"""Columns that name stored files. Saving a row keeps the table of uses: which rows show which files."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from django.db import models

from core.kernel import file_uses
from core.kernel.file_uses import Names

_READ = "_files_read"
"""Attribute of a row: the names that each column had when the row was read or last saved."""


class _NamesFiles(models.Field):  # type: ignore[type-arg]
    """The part that both kinds of columns share."""

    plain: type[models.Field[Any, Any]]
    """The class of Django that stands for the column in migrations."""

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """Describe the column as an ordinary one of Django in migrations."""
        name, _, args, kwargs = super().deconstruct()
        return name, f"django.db.models.{self.plain.__name__}", args, kwargs

    def names_in(self, value: Any) -> Names:
        """Return the names of files in a value of the column, one name or a list of them, each once."""
        if not value:
            return ()
        return (value,) if isinstance(value, str) else tuple(dict.fromkeys(value))

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Keep the uses of the row where its names have changed, and return the value to be written."""
        value = super().pre_save(model_instance, add)
        now, read = self.names_in(value), vars(model_instance).setdefault(_READ, {})
        before = () if add else read.get(self.attname)
        if now != before:
            file_uses.keep(model_instance, self.attname, before, now)
        read[self.attname] = now
        return value


class StoredFiles(_NamesFiles, models.JSONField):
    """A list of names of stored files, of pictures too."""

    plain = models.JSONField


class StoredFile(_NamesFiles, models.CharField):  # type: ignore[type-arg]
    """The name of one stored file, a picture or a recording; empty for none."""

    plain = models.CharField


@lru_cache(maxsize=500)
def columns(model: type[models.Model]) -> tuple[_NamesFiles, ...]:
    """Return the columns of a model that name stored files."""
    return tuple(field for field in model._meta.concrete_fields if isinstance(field, _NamesFiles))


def remember(row: models.Model, names: Iterable[str] | None = None) -> None:
    """Remember what the named columns (all by default) of a row name, as they have just been read."""
    for column in columns(type(row)):
        if column.attname in vars(row) and (names is None or column.name in names):
            vars(row).setdefault(_READ, {})[column.attname] = column.names_in(vars(row)[column.attname])
