"""Django's migrate, followed by the database's own wall between tenants."""

from __future__ import annotations

from typing import Any

from django.core.management.commands import migrate

from core.kernel import wall


class Command(migrate.Command):
    """Migrate, then raise row level security on every tenant table (PostgreSQL)."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Tables and their wall belong together: there is no moment at which one is served without the other."""
        super().handle(*args, **options)
        if not options.get("plan") and not options.get("check_unapplied"):
            wall.build()
