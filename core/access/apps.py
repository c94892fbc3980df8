"""Fills the kernel's port to rights."""

from django.apps import AppConfig


class AccessConfig(AppConfig):
    """Roles and menus."""

    name = "core.access"

    def ready(self) -> None:
        from core.access import grants
        from core.kernel import rights

        rights.of_user = grants.rights_of_user
        rights.role_ids = grants.role_ids
        rights.role_names = grants.role_names
