"""Fills the kernel's port to pictures."""

from django.apps import AppConfig


class StorageConfig(AppConfig):
    """Stored files."""

    name = "core.storage"

    def ready(self) -> None:
        from core.kernel import pictures
        from core.storage import files

        pictures.link_of = files.signed_link
        pictures.name_of = lambda link, field: files.names_of_links([link], field, 1)[0]
