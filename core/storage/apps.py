"""Fills the ports to pictures and to the uses of files."""

from django.apps import AppConfig


class StorageConfig(AppConfig):
    """Stored files."""

    name = "core.storage"

    def ready(self) -> None:
        from core.identity import quotas
        from core.identity.models import QuotaKind
        from core.kernel import file_uses
        from core.kernel.stored_files import StoredFiles
        from core.rest import pictures
        from core.rest.serializers import NounSerializer
        from core.rest.shapes import column_shapes
        from core.storage import checks, files, uses  # noqa: F401  (importing `checks` registers them)
        from core.storage.serializers import ImagesField
        from core.storage.shapes import Images

        pictures.link_of = files.signed_link
        pictures.name_of = lambda link, field, kept: files.names_of_links([link], field, 1, [kept])[0]
        file_uses.keep = uses.keep
        quotas.counters[QuotaKind.FILES] = files.bytes_stored
        column_shapes[StoredFiles] = Images
        NounSerializer.serializer_field_mapping[StoredFiles] = ImagesField
