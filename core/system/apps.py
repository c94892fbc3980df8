"""Fills the kernel's port to dictionaries, and gives new tenants what they need of them."""

from django.apps import AppConfig


class SystemConfig(AppConfig):
    """Dictionaries, parameters, regions, numbers."""

    name = "core.system"

    def ready(self) -> None:
        from core.kernel import tenants
        from core.rest import dictionaries as port
        from core.rest.serializers import NounSerializer
        from core.system import dictionaries, install
        from core.system.extra_fields import ExtrasField
        from core.system.extras import ExtraValues

        port.names_of = dictionaries.names_of
        port.choices_of = dictionaries.choices_of
        NounSerializer.serializer_field_mapping[ExtraValues] = ExtrasField
        tenants.installers.append(install.install_for_tenant)
