"""Write a backup of the installation to one file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from core.project import backup


class Command(BaseCommand):
    """May run beside the server: it waits for nobody, and nobody waits for it."""

    help = "Write database and uploaded files, as they are at this moment, to one file. Keep DATA_DIR/keys apart."

    def add_arguments(self, parser: CommandParser) -> None:
        """Only the file's name."""
        parser.add_argument("file", type=Path, help="the file to write; only its owner may read it")

    def handle(self, *args: Any, **options: Any) -> None:
        """Say what is in it."""
        try:
            made = backup.write(options["file"].absolute())
        except backup.Refused as refused:
            raise CommandError(str(refused)) from None
        rows = sum(about["rows"] for about in made["tables"].values())
        files = sum(name.startswith("files/") for name in made["members"])
        self.stdout.write(f"{options['file']}: {len(made['tables'])} tables, {rows} rows, {files} files.")
        for name in made["missing"]:
            self.stderr.write(f"A row names the file {name}, which is not on the disk.")
