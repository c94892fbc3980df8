"""Fills the kernel's ports to people and tenants."""

from django.apps import AppConfig


class IdentityConfig(AppConfig):
    """Tenants and people."""

    name = "core.identity"

    def ready(self) -> None:
        from core import ports
        from core.identity import companies, people, quotas
        from core.identity.models import QuotaKind
        from core.kernel import tenants

        ports.people = people.Directory()
        tenants.exists = people.tenant_exists
        tenants.installers.append(companies.install_posts)
        quotas.counters[QuotaKind.PEOPLE] = quotas.people
