"""Hold the audit log against its seals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError, CommandParser

from core.audit import seals


class Command(BaseCommand):
    """Exit code 1 and a line for each seal that does not hold."""

    help = "Check the hash chain of the audit log: nothing changed, missing, added, reordered or cut."

    def add_arguments(self, parser: CommandParser) -> None:
        """`--heads` is for a copy that was kept apart from this machine."""
        parser.add_argument("--heads", metavar="FILE", help="newest seals to look for, in place of audit/heads.json")

    def handle(self, *args: Any, **options: Any) -> None:
        """Read all sealed events."""
        given = options["heads"]
        try:
            verdict = seals.verify(orjson.loads(Path(given).read_bytes()) if given else None)
        except (OSError, ValueError) as error:
            raise CommandError(f"{given} cannot be read: {error}") from None
        for fault in verdict.faults:
            self.stderr.write(str(fault))
        self.stdout.write(f"{verdict.seals} seals over {verdict.rows} rows; {verdict.unsealed} rows not sealed yet.")
        if verdict.faults:
            raise CommandError(f"{len(verdict.faults)} faults: the audit log is not what was sealed.")
        self.stdout.write("The audit log is whole.")
