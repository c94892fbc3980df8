"""64-bit ids that sort by time: 41 bits of milliseconds since 2024, 10 bits of process slot, 12 bits of counter."""

from __future__ import annotations

import fcntl
import os
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings

_EPOCH_MS = 1_704_067_200_000  # 2024-01-01T00:00:00Z
_SLOTS = 32  # processes a machine; NODE_ID numbers the machines
_lock = threading.Lock()
_last_ms = 0
_counter = 0
_slot: int | None = None
_slot_file: int | None = None


def _take_slot() -> int:
    """Take and return the first slot that no running process of this host holds. A file lock releases it at exit."""
    folder = Path(settings.DATA_DIR) / "run"
    folder.mkdir(parents=True, exist_ok=True)
    for slot in range(_SLOTS):
        handle = os.open(folder / f"ids-{slot}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            continue
        global _slot_file
        _slot_file = handle
        return slot
    raise RuntimeError(f"more than {_SLOTS} processes share one DATA_DIR; give each machine its own")


def _forget_slot() -> None:
    """Make a forked child take its own slot; the inherited file lock belongs to the parent."""
    global _slot, _slot_file, _lock
    _lock = threading.Lock()
    _slot = None
    if _slot_file is not None:
        os.close(_slot_file)
        _slot_file = None


os.register_at_fork(after_in_child=_forget_slot)


def next_id() -> int:
    """Return a new id. Ids of one process increase; ids of processes with different slots never collide."""
    global _last_ms, _counter, _slot
    with _lock:
        if _slot is None:
            _slot = _take_slot()
        ms = max(int(time.time() * 1000) - _EPOCH_MS, _last_ms)
        _counter = _counter + 1 if ms == _last_ms else 0
        if _counter == 4096:
            ms, _counter = ms + 1, 0
        _last_ms = ms
        return ms << 22 | (settings.NODE_ID * _SLOTS + _slot) << 12 | _counter


def is_id(text: str) -> bool:
    """Return whether a text from outside may be the id of a row: digits alone, below 2^63.

    A longer one is none before it is read: Python refuses to read thousands of digits.
    """
    return text.isascii() and text.isdigit() and len(text) < 20 and int(text) < 2**63


def first_id_of(moment: datetime) -> int:
    """Return a number below every id that is made from this moment on, and above all earlier ones."""
    return (int(moment.timestamp() * 1000) - _EPOCH_MS) << 22


def moment_of(number: int) -> datetime:
    """Return when an id was made, to the millisecond."""
    return datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=(number >> 22) + _EPOCH_MS)
