"""Pictures in other rows: links on the wire, file names in the table."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from core.kernel.errors import Invalid
from core.storage import files


class ImagesField(serializers.Field):  # type: ignore[type-arg]
    """A set of pictures: a list of signed links out; a comma-joined string or list of links in."""

    def __init__(self, *, at_most: int = 9, **kwargs: Any):
        self.at_most = at_most
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> list[str]:
        """File names; each must be a file of this tenant."""
        try:
            parts = data if isinstance(data, str) else [str(item) for item in data]
            return files.names_of_links(parts, str(self.field_name), self.at_most)
        except TypeError:
            raise serializers.ValidationError("?") from None
        except Invalid as error:
            raise serializers.ValidationError(str(error.text)) from None

    def to_representation(self, value: Any) -> list[str]:
        """Links that work for half a day."""
        return [files.signed_link(name) for name in value or []]


class StoredFile(serializers.Serializer):  # type: ignore[type-arg]
    """What an upload answers."""

    link = serializers.CharField()
    domain = serializers.CharField()
    name = serializers.CharField()
    originalName = serializers.CharField()
    attachId = serializers.CharField()
