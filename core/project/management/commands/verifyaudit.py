"""Hold the audit log against its seals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError, CommandParser

from core.audit import seals, verifying
from core.audit.models import CheckState
from core.audit.seals import BrokenSeal


class Command(BaseCommand):
    """Exit code 1 and a line for each seal that does not hold; the console shows what was found as well."""

    help = "Check the hash chain of the audit log: nothing changed, missing, added, reordered or cut."

    def add_arguments(self, parser: CommandParser) -> None:
        """`--heads` is for a copy that was kept apart from this machine."""
        parser.add_argument("--heads", metavar="FILE", help="newest seals to look for, in place of audit/heads.json")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check every tenant as the daily job does, and store the results."""
        given = options["heads"]
        try:
            heads = orjson.loads(Path(given).read_bytes()) if given else None
        except (OSError, ValueError) as error:
            raise CommandError(f"{given} cannot be read: {error}") from None
        checks = {tenant_id: verifying.check_now(tenant_id, heads) for tenant_id in seals.tenants()}
        for tenant_id, check in checks.items():
            for kept in check.faults:
                self.stderr.write(f"tenant {tenant_id}, {BrokenSeal.of(kept)}")
            if check.fault_count > len(check.faults):
                self.stderr.write(f"tenant {tenant_id}: {check.fault_count - len(check.faults)} more")
        found = checks.values()
        batches, entries, waiting = (
            sum(getattr(check, name) for check in found) for name in ("seals", "rows", "unsealed")
        )
        self.stdout.write(f"{batches} batches of {entries} entries; {waiting} entries not sealed yet.")
        if faults := sum(check.fault_count for check in found):
            raise CommandError(f"{faults} faults: the audit log is not what was sealed.")
        if any(check.state != CheckState.INTACT for check in found):
            raise CommandError("Not all of the audit log could be checked; the log of the server says why.")
        self.stdout.write("The audit log is whole.")
