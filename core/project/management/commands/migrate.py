"""Django's migrate, followed by the row-level security of the tenant tables."""

from __future__ import annotations

from typing import Any

from django.core.management.commands import migrate

from core.kernel import row_security


class Command(migrate.Command):
    """Migrate, then raise row level security on every tenant table (PostgreSQL)."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Build tables and their row-level security together: no table is served without it at any moment."""
        super().handle(*args, **options)
        if not options.get("plan") and not options.get("check_unapplied"):
            row_security.build()
