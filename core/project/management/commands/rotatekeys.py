"""Change the key that tokens are signed with."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from core.identity import keyring


class Command(BaseCommand):
    """Nobody is signed out: the former key counts for as long as a refresh token lives. With --now everybody is."""

    help = "Sign tokens with a new key; the old one counts until its last token is over."

    def add_arguments(self, parser: CommandParser) -> None:
        """`--now` is for a key that somebody else may know."""
        parser.add_argument("--now", action="store_true", help="let the old key count no more: everybody is signed out")

    def handle(self, *args: Any, **options: Any) -> None:
        """Servers that run on this DATA_DIR follow at their next request."""
        overlap = timedelta(0) if options["now"] else settings.REFRESH_TOKEN_LIFETIME
        try:
            until = keyring.rotate(overlap)
        except keyring.StillOverlapping:
            raise CommandError(
                "The key was changed a short while ago, and tokens of the former one still live. "
                "Wait until they are over, or give --now to sign everybody out."
            ) from None
        if options["now"]:
            self.stdout.write("The key is changed; everybody has to sign in again.")
        else:
            moment = f"{timezone.localtime(until):%Y-%m-%d %H:%M}"
            self.stdout.write(f"The key is changed; tokens of the former one count until {moment}.")
        self.stdout.write("Where several machines share a database, copy keys/ to the others now.")
