"""Fills the kernel's port to rights."""

from django.apps import AppConfig


class AccessConfig(AppConfig):
    """Roles and menus."""

    name = "core.access"

    def ready(self) -> None:
        from core.access import grants, holding, people, seed
        from core.kernel import tenants
        from core.rest import rights

        rights.of_users = grants.rights_of_users
        rights.role_ids = grants.role_ids
        rights.role_names = grants.role_names
        rights.role_rows = grants.role_rows
        rights.held_by = people.held_by
        rights.assign = people.assign
        rights.check_assigning = people.check_assigning
        rights.check_managing = people.check_managing
        rights.within = holding.within
        rights.has_administrator = people.has_administrator
        tenants.installers.append(seed.install_roles)
