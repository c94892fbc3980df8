"""How often a person, an address and a company may call: counted in memory that the web processes of a machine share.

Each counter is one moment, the one at which all that was taken has been paid off (the generic cell rate algorithm).
Nothing is written to the database. The counters lie in a table of fixed size; a crowd of strangers costs no memory,
and at worst pushes out the counters that were paid off longest ago. The processes do not lock the table: where two
write one counter in the same microsecond, a call is not counted.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import struct
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

_MOMENT = struct.Struct("<d")
_IN_ROW, _ROWS = 8, 8192
"""A counter stands somewhere in the row that its digest names: first come the tags of the row, then the moments."""
_TAG = 8
_MOMENTS = _IN_ROW * _TAG
_ALL = struct.Struct(f"<{_IN_ROW}d")
_ROW = _MOMENTS + _ALL.size


@dataclass(frozen=True)
class Rate:
    """So many calls a second, and so many at once after a silence."""

    a_second: float
    at_once: int


class Counters:
    """The table, in a file of its own."""

    def __init__(self, path: Path, key: bytes, clock: Callable[[], float] = time.monotonic):
        path.parent.mkdir(parents=True, exist_ok=True)
        size = _ROWS * _ROW
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            os.ftruncate(file, size)
            self._table = mmap.mmap(file, size)
        finally:
            os.close(file)
        self._clock = clock
        self._digest = lru_cache(maxsize=4096)(partial(_digest, key[:64]))

    def take(self, asked: Iterable[tuple[str, Rate]]) -> float:
        """Count one call on each of these counters and return 0; or count none, and return the seconds to wait."""
        now = self._clock()
        found, wait = [], 0.0
        for who, rate in asked:
            place, due = self._find(who)
            cost, most = 1 / rate.a_second, rate.at_once / rate.a_second
            # What is due later than any call could have made it is from before the machine was started again.
            due = now if due < now or due > now + most else due
            wait = max(wait, due + cost - now - most)
            found.append((place, due + cost))
        if wait > 1e-9:
            return wait
        for (row, number, tag), due in found:
            self._table[row + number * _TAG : row + (number + 1) * _TAG] = tag
            _MOMENT.pack_into(self._table, row + _MOMENTS + number * _MOMENT.size, due)
        return 0.0

    def _find(self, who: str) -> tuple[tuple[int, int, bytes], float]:
        """Return where the counter stands (row, number, tag), and when it is paid off.

        A new one takes the place of the one in its row that was paid off first.
        """
        tag, row = self._digest(who)
        found = self._table.find(tag, row, row + _MOMENTS)
        if found >= 0 and not (found - row) % _TAG:
            number = (found - row) // _TAG
            return (row, number, tag), _MOMENT.unpack_from(self._table, row + _MOMENTS + number * _MOMENT.size)[0]
        moments = _ALL.unpack_from(self._table, row + _MOMENTS)
        return (row, moments.index(min(moments)), tag), 0.0


def _digest(key: bytes, who: str) -> tuple[bytes, int]:
    """Return the tag of a counter and where its row begins; nobody can choose a name that shares another's."""
    digest = hashlib.blake2b(who.encode(), key=key, digest_size=_TAG + 2).digest()
    return digest[:_TAG], int.from_bytes(digest[_TAG:], "little") % _ROWS * _ROW
