"""The keys that tokens are signed with: the present one, and the one before it while its last tokens live.

Both lie in files that only their owner may read. They are looked at again when they change, so that a rotation
reaches a server that runs.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from core.kernel import clock

PRESENT, FORMER = "token", "token.former"


class StillOverlapping(Exception):
    """The keys were changed a short while ago: tokens of the key before the former one would die."""


@dataclass(frozen=True)
class Key:
    """A signing key; `until` is when it stops counting, None for the present one."""

    secret: str
    until: datetime | None = None

    def for_purpose(self, purpose: str) -> bytes:
        """Return a key of its own for each kind of token, so that one kind can never pass for another."""
        return hmac.new(self.secret.encode(), purpose.encode(), hashlib.sha256).digest()


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except FileNotFoundError:
        return (0, 0)
    return (found.st_ino, found.st_mtime_ns)


@lru_cache(maxsize=4)
def _read(folder: Path, present: tuple[int, int], former: tuple[int, int]) -> tuple[Key, ...]:
    keys = [Key((folder / PRESENT).read_text())]
    if former != (0, 0):
        secret, _space, until = (folder / FORMER).read_text().partition(" ")
        keys.append(Key(secret, datetime.fromisoformat(until)))
    return tuple(keys)


@lru_cache(maxsize=4)
def _paths(folder: Path) -> tuple[Path, Path, Path]:
    """Return the folder and its two files; every call asks for them."""
    return Path(folder), Path(folder) / PRESENT, Path(folder) / FORMER


def valid() -> tuple[Key, ...]:
    """Return the keys that count now; the present one comes first."""
    folder, present, former = _paths(settings.KEYS_DIR)
    keys = _read(folder, _stamp(present), _stamp(former))
    return tuple(key for key in keys if key.until is None or clock.now() < key.until)


def _write(path: Path, text: str) -> None:
    temporary = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    temporary.replace(path)


def rotate(overlap: timedelta) -> datetime:
    """Sign with a new key from now on; the present one counts for `overlap` more. Answers until when.

    Raises StillOverlapping while the former key still counts. With an overlap of zero all tokens die at once; that
    is always done.
    """
    keys = valid()
    if len(keys) > 1 and overlap:
        raise StillOverlapping
    folder, until = Path(settings.KEYS_DIR), clock.now() + overlap
    # This order: whoever reads in between finds the present key twice, and never a token whose key is gone.
    _write(folder / FORMER, f"{keys[0].secret} {until.isoformat()}")
    _write(folder / PRESENT, secrets.token_urlsafe(48))
    return until
