"""Takes in bodies: by their length before they are read, counted while they come, within a time.

A body of the usual length stays in memory, a longer one goes to a file without a name, which the system removes
whatever becomes of the process.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any, Protocol

from core.project.front.callers import Caller
from core.project.front.refusals import Busy, TooBig, TooMany, TooSlow

KILOBYTE, MEGABYTE = 1024, 1024 * 1024
AT_ONCE = 64 * KILOBYTE
"""A body of this declared length is asked for as a whole."""
IN_MEMORY = 2 * MEGABYTE
"""A body beyond this, which only people send, goes on in a file."""


class Stream(Protocol):
    """Where a body comes from: whole, or piece by piece."""

    async def __call__(self) -> bytes: ...

    def __aiter__(self) -> AsyncIterator[bytes]: ...


@dataclass(frozen=True)
class Pace:
    """How long a body may take: so many seconds, and one more for each so many bytes, but never longer than `most`."""

    grace: float = 10.0
    least_a_second: int = 8 * KILOBYTE
    most: float = 300.0

    def seconds(self, length: int) -> float:
        """Return by when, after its beginning, so many bytes must have come."""
        return min(self.most, self.grace + length / self.least_a_second)


@dataclass
class Room:
    """How much one kind of caller may be sending at once, in bodies and in bytes."""

    bodies: int
    bodies_of_one: int
    bytes: int
    held: int = 0
    _coming: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def holding(self, length: int) -> Iterator[None]:
        """Keep room for so many bytes until the block ends; raises Busy when there is none."""
        if self.held + length > self.bytes:
            raise Busy
        self.held += length
        try:
            yield
        finally:
            self.held -= length

    @contextmanager
    def receiving(self, name: str) -> Iterator[None]:
        """Count a body of this caller while it comes; raises TooMany or Busy."""
        if self._coming[name] >= self.bodies_of_one:
            raise TooMany(1)
        if self._coming.total() >= self.bodies:
            raise Busy
        self._coming[name] += 1
        try:
            yield
        finally:
            self._coming[name] -= 1
            if not self._coming[name]:
                del self._coming[name]


class Reception:
    """Receives the bodies of one web process. People have a room of their own, which strangers cannot fill."""

    def __init__(self, folder: Path, pace: Pace | None = None):
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._pace = folder, pace or Pace()
        self._strangers = Room(bodies=256, bodies_of_one=16, bytes=64 * MEGABYTE)
        self._people = Room(bodies=512, bodies_of_one=16, bytes=512 * MEGABYTE)

    def holding(self, caller: Caller, declared: int | None, allowed: int) -> AbstractContextManager[None]:
        """Keep room for a body of this caller; raises TooBig where it is longer than allowed, or Busy."""
        if declared is not None and declared > allowed:
            raise TooBig
        return self._room(caller).holding(allowed if declared is None else declared)

    async def receive(self, stream: Stream, declared: int | None, allowed: int, caller: Caller) -> tuple[Any, int]:
        """Return the body as a file at its beginning, and its length.

        Raises TooBig, where more comes than `allowed`; TooSlow, TooMany or Busy.
        """
        with self._room(caller).receiving(caller.name):
            try:
                if declared is not None and declared <= AT_ONCE:
                    async with asyncio.timeout(self._pace.seconds(declared)):
                        body = await stream()
                    return BytesIO(body), len(body)
                return await self._by_pieces(stream, allowed)
            except TimeoutError:
                raise TooSlow from None

    def _room(self, caller: Caller) -> Room:
        return self._people if caller.person else self._strangers

    async def _by_pieces(self, stream: Stream, allowed: int) -> tuple[Any, int]:
        began, come = asyncio.get_running_loop().time(), 0
        file = SpooledTemporaryFile(IN_MEMORY, dir=str(self._folder))  # noqa: SIM115  whoever gets it closes it
        try:
            async with asyncio.timeout(self._pace.seconds(0)) as limit:
                async for piece in stream:
                    come += len(piece)
                    if come > allowed:
                        raise TooBig
                    file.write(piece)
                    limit.reschedule(began + self._pace.seconds(come))
        except BaseException:
            file.close()
            raise
        file.seek(0)
        return file, come
