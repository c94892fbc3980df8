"""Django's migrate, followed by the row-level security of the tenant tables."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate

from core.database import insert_only, row_security
from core.database.owner import as_owner


class Command(migrate.Command):
    """Migrate as the owner of the tables, then raise their row-level security and the triggers of the audit."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Build tables and their walls together: no table is served without them at any moment."""
        with as_owner() as login:
            super().handle(*args, **options)
            if not options.get("plan") and not options.get("check_unapplied"):
                insert_only.build()
                try:
                    row_security.build(login)
                except RuntimeError as error:
                    raise CommandError(f"The wall cannot be raised: {error}.") from None
