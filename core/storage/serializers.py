"""Files in other rows: links on the wire, file names in the table."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core import ports
from core.kernel.errors import Invalid
from core.kernel.texts import label
from core.rest.serializers import NameField, NounSerializer
from core.storage import files
from core.storage.models import Attachment

_LINKS = {"type": "array", "items": {"type": "string"}}


@extend_schema_field(_LINKS)
class ImagesField(serializers.Field):  # type: ignore[type-arg]
    """A set of pictures: a list of signed links out; a comma-joined string or list of links in.

    A serializer without a model gives the `column` that the names are written to, as `app.Model.column`.
    """

    kind = "images"

    def __init__(self, *, at_most: int = 9, column: str = "", **kwargs: Any):
        self.at_most, self.column = at_most, column
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> list[str]:
        """File names; each must be of a picture that the record has already, or that the person acting has uploaded."""
        kept = getattr(getattr(self.parent, "instance", None), str(self.source), None) or ()
        try:
            parts = data if isinstance(data, str) else [str(item) for item in data]
            return files.names_of_links(parts, str(self.field_name), self.at_most, kept)
        except TypeError:
            raise serializers.ValidationError("?") from None
        except Invalid as error:
            raise serializers.ValidationError(str(error.text)) from None

    def to_representation(self, value: Any) -> list[str]:
        """Links that work for half a day."""
        return [files.signed_link(name) for name in value or []]


@extend_schema_field(_LINKS)
class KeptFilesField(serializers.Field):  # type: ignore[type-arg]
    """The files of a row that people change: links that say behind a # what each is called; the same links in."""

    kind = "files"

    def __init__(self, *, place: str = "file", at_most: int = 20, **kwargs: Any):
        self.place, self.at_most = place, at_most
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> list[str]:
        """File names; each must be of a file that the row has already, or that the person acting has uploaded."""
        kept = getattr(getattr(self.parent, "instance", None), str(self.source), None) or ()
        try:
            parts = data if isinstance(data, str) else [str(item) for item in data]
            return files.own_of_links(parts, str(self.field_name), self.place, self.at_most, kept)
        except TypeError:
            raise serializers.ValidationError("?") from None
        except Invalid as error:
            raise serializers.ValidationError(str(error.text)) from None

    def to_representation(self, value: Any) -> list[str]:
        """Links that work for half a day, of what is still there; one statement where there are files."""
        return files.named_links(value or [])


@extend_schema_field(_LINKS)
class FilesField(serializers.Field):  # type: ignore[type-arg]
    """Files of a new record: a comma-joined string or list of links to what its writer has uploaded.

    A serializer without a model gives the `column` that the names are written to, as `app.Model.column`.
    """

    kind = "files"

    def __init__(self, *, place: str = "file", at_most: int = 9, column: str = "", **kwargs: Any):
        self.place, self.at_most, self.column = place, at_most, column
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> Any:
        """Their names; each must be an own file of a kind that the place takes."""
        try:
            parts = data if isinstance(data, str) else [str(item) for item in data]
            return files.own_of_links(parts, str(self.field_name), self.place, self.at_most)
        except TypeError:
            raise serializers.ValidationError("?") from None
        except Invalid as error:
            raise serializers.ValidationError(str(error.text)) from None


@extend_schema_field({"type": "string"})
class VoiceField(FilesField):
    """The recording of a new record: its link, empty for none."""

    kind = "voice"

    def __init__(self, **kwargs: Any):
        super().__init__(place="voice", at_most=1, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """Its name."""
        if not isinstance(data, str):
            raise serializers.ValidationError("?")
        return "".join(super().to_internal_value(data))


class ShownFile(serializers.Serializer):  # type: ignore[type-arg]
    """A file as a record shows it; `link` works for half a day, `size` is in bytes."""

    link = serializers.CharField()
    name = serializers.CharField()
    extension = serializers.CharField()
    size = serializers.IntegerField()
    seconds = serializers.IntegerField(allow_null=True)


@extend_schema_field(ShownFile(many=True))
class ShownFilesField(serializers.Field):  # type: ignore[type-arg]
    """Stored files as a record shows them, from names in a column; the context has them by name as `shown`."""

    kind, at_most = "files", 0

    def __init__(self, **kwargs: Any):
        super().__init__(**{"read_only": True, **kwargs})

    def to_representation(self, value: Any) -> Any:
        """What is still there."""
        found = self.context["shown"]
        return [found[name] for name in value if name in found]


@extend_schema_field(ShownFile(allow_null=True))
class ShownVoiceField(ShownFilesField):
    """One stored recording as a record shows it."""

    kind = "voice"

    def to_representation(self, value: Any) -> Any:
        """None where there is none."""
        return self.context["shown"].get(value)


class StoredFile(serializers.Serializer):  # type: ignore[type-arg]
    """What an upload answers."""

    link = serializers.CharField()
    domain = serializers.CharField()
    name = serializers.CharField()
    originalName = serializers.CharField()
    attachId = serializers.CharField()


class _LinkField(NameField):
    """A link to the file that works for half a day."""

    def get_attribute(self, instance: Attachment) -> str:
        """Signed anew for each answer."""
        return files.signed_link(instance.name)


class _UploaderField(NameField):
    """The name of who uploaded the file."""

    def get_attribute(self, instance: Attachment) -> str:
        """One statement for all rows of an answer."""
        context: Any = self.context
        names: dict[int, str] = context.setdefault("people", {})
        if instance.create_user and instance.create_user not in names:
            serializer: Any = self.parent
            many: Any = serializer.parent.instance if isinstance(serializer.parent, serializers.ListSerializer) else ()
            ids = {row.create_user for row in (*many, instance) if row.create_user}
            names.update(dict.fromkeys(ids, "") | dict(ports.people.names(ids)))
        return names.get(instance.create_user or 0, "")


class AttachmentSerializer(NounSerializer):
    """A stored file; people give it another name or a remark, and nothing else."""

    link = _LinkField(label=label("附件地址", "Link"))
    # Empty, because files are served by this server.
    domain = NameField(label=label("附件域名", "Domain"))
    attachSize = serializers.IntegerField(source="attach_size", read_only=True, label=label("附件大小", "Size"))
    createUserName = _UploaderField(label=label("上传人", "Uploaded by"))

    class Meta:
        model = Attachment
        fields = (
            "id", "link", "domain", "name", "original_name", "extension", "attachSize", "remark", "createUserName",
            "create_time", "update_time",
        )  # fmt: skip
        read_only_fields = ("name", "extension", "create_time", "update_time")
