"""What the product brings to every installation and to every company: dictionaries, parameters, regions."""

from __future__ import annotations

from core.identity.models import Tenant
from core.kernel.tenancy import tenant_scope
from core.system import calendars, dictionaries, parameters, regions, releases


def install() -> None:
    """Write what is missing for all and for each company; what people changed stays as they made it."""
    dictionaries.install()
    parameters.install()
    regions.install()
    releases.install()
    for tenant_id in Tenant.objects.order_by("pk").values_list("tenant_id", flat=True):
        with tenant_scope(tenant_id):
            install_for_tenant()


def install_for_tenant() -> None:
    """The same for the tenant in scope alone."""
    dictionaries.install_for_tenant()
    parameters.install_for_tenant()
    calendars.install_for_tenant()
