"""Connections: how many the web server holds at once, and when one whose client does not read is ended.

The web server has no clock of its own for answers that nobody reads, and gives every connection a place from its
beginning on, before anything has been asked on it.
"""

from __future__ import annotations

import resource
import socket
from contextlib import suppress
from pathlib import Path

UNREAD_MILLISECONDS = 30_000
_MOST, _OTHER_FILES = 8192, 512


def most() -> int:
    """Return how many connections a web process holds at once; the system counts each as an open file."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MOST if hard == resource.RLIM_INFINITY else max(256, min(_MOST, hard - _OTHER_FILES))


def make_room() -> None:
    """Let this process open as many files as that takes; usually it may have 1,024 unless it asks for more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < most() + _OTHER_FILES:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most() + _OTHER_FILES, hard))


def end_unread_answers(milliseconds: int = UNREAD_MILLISECONDS) -> int:
    """Let the system end each connection that takes nothing of what is sent to it for so long.

    Connections have this from the socket that accepted them; returns how many such sockets this process has.
    """
    found = 0
    for entry in Path("/proc/self/fd").iterdir():
        # A descriptor may be gone meanwhile, and most are no socket.
        with suppress(OSError):
            if not str(entry.readlink()).startswith("socket:"):
                continue
            with socket.fromfd(int(entry.name), socket.AF_INET, socket.SOCK_STREAM) as copy:
                if copy.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    copy.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)
                    found += 1
    return found
