"""Stored pictures and files as fields of a noun."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.kernel.texts import camel
from core.rest.shapes import Serialized, Shape
from core.storage.serializers import ImagesField, KeptFilesField


@dataclass(frozen=True)
class Images(Shape):
    """A `StoredFiles` column of pictures: links on the wire, at most so many."""

    name: str
    most: int = 9

    def fields(self, model: Any) -> Serialized:
        """Return the field of links."""
        column = model._meta.get_field(self.name)
        wire, required = camel(self.name), not column.blank
        source = None if wire == self.name else self.name
        return {wire: ImagesField(source=source, label=column.verbose_name, at_most=self.most, required=required)}


@dataclass(frozen=True)
class Files(Shape):
    """A `StoredFiles` column of files of any kind that people attach: links with names on the wire, at most so many."""

    name: str
    most: int = 20

    def fields(self, model: Any) -> Serialized:
        """Return the field of links."""
        column = model._meta.get_field(self.name)
        wire, required = camel(self.name), not column.blank
        source = None if wire == self.name else self.name
        return {wire: KeptFilesField(source=source, label=column.verbose_name, at_most=self.most, required=required)}
