"""Restore a backup into an empty installation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from core.audit import seals
from core.project import backup
from core.project.management.commands.serve import only_one
from core.project.supervisor import CannotStart


class Command(BaseCommand):
    """The server stands still meanwhile, and DATA_DIR/keys holds the keys of the installation that was backed up."""

    help = "Put a backup in the place of an empty database and an empty folder of files, and check it."

    def add_arguments(self, parser: CommandParser) -> None:
        """`--replace` is for an installation that is not empty."""
        parser.add_argument("file", type=Path, help="a file that `backup` has written")
        parser.add_argument("--replace", action="store_true", help="remove the data that are there")

    def handle(self, *args: Any, **options: Any) -> None:
        """Restore, then hold the audit log against its seals."""
        try:
            with only_one(settings.DATA_DIR):
                made = backup.restore(options["file"].absolute(), options["replace"])
        except (backup.Refused, CannotStart) as refused:
            raise CommandError(str(refused)) from None
        rows = sum(about["rows"] for about in made["tables"].values())
        files = sum(name.startswith("files/") for name in made["members"])
        self.stdout.write(f"Restored as of {made['made']}: {len(made['tables'])} tables, {rows} rows, {files} files.")
        verdict = seals.verify()
        for tenant_id, fault in verdict.faults:
            self.stderr.write(f"tenant {tenant_id}, {fault}")
        if verdict.faults:
            raise CommandError("The data are restored; the audit log among them was not whole when it was backed up.")
        self.stdout.write(f"The audit log is whole: {verdict.seals} batches of {verdict.rows} entries.")
