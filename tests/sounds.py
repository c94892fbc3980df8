"""Recordings and documents for tests, made here byte by byte; those of a browser lie beside the tests of storage."""

from __future__ import annotations

import io
import struct
import wave
import zipfile
from pathlib import Path

RECORDED = Path(__file__).parent / "core" / "storage" / "recordings"
"""Two seconds each, from the recorder of a browser: neither says its length in its head."""


def wav(seconds: float, rate: int = 8000) -> bytes:
    """Silence."""
    out = io.BytesIO()
    with wave.open(out, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(1)
        sound.setframerate(rate)
        sound.writeframes(b"\x80" * round(seconds * rate))
    return out.getvalue()


def mp3(seconds: float, tags: bytes = b"") -> bytes:
    """Frames of 1152 samples at 44,100 a second with nothing in them."""
    frame = b"\xff\xfb\x10\xc4" + b"\0" * (144 * 32_000 // 44_100 - 4)
    return b"ID3\x04\0\0\0\0\0\x03abc" + frame * round(seconds * 44_100 / 1152) + tags


def _page(first: int, granule: int, serial: int, content: bytes) -> bytes:
    return struct.pack("<4sBBqIIIBB", b"OggS", 0, first, granule, serial, 0, 0, 1, len(content)) + content


def ogg(
    seconds: float, head: bytes = b"OpusHead\x01\x01" + struct.pack("<HIhB", 312, 48_000, 0, 0), serial: int = 7
) -> bytes:
    """A head, and a page that ends at so many seconds."""
    return _page(2, 0, 7, head) + _page(4, round(seconds * 48_000) + 312, serial, b"x")


def _box(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I4s", 8 + len(content), name) + content


def m4a(seconds: float, *kinds: bytes) -> bytes:
    """A head that says its length, and no sound."""
    mdhd = _box(b"mdhd", bytes(12) + struct.pack(">II", 1000, round(seconds * 1000)) + bytes(4))
    handlers = [_box(b"hdlr", bytes(8) + kind + bytes(13)) for kind in kinds or (b"soun",)]
    moov = _box(b"moov", b"".join(_box(b"trak", _box(b"mdia", mdhd + handler)) for handler in handlers))
    return _box(b"ftyp", b"M4A \0\0\0\0") + moov + _box(b"mdat", bytes(9))


def _element(name: int, content: bytes) -> bytes:
    return name.to_bytes((name.bit_length() + 7) // 8, "big") + (len(content) | 1 << 28).to_bytes(4, "big") + content


def webm(seconds: float, kind: int = 2, doctype: bytes = b"webm") -> bytes:
    """A track with blocks a second apart, in a segment of unknown size as browsers write it."""
    head = _element(0x1A45DFA3, _element(0x4282, doctype))
    tracks = _element(0x1654AE6B, _element(0xAE, _element(0x83, bytes([kind]))))
    clusters = b"".join(
        _element(0x1F43B675, _element(0xE7, second.to_bytes(4, "big")) + _element(0xA3, b"\x81\0\0\x80x"))
        for second in range(0, round(seconds * 1000) + 1, 1000)
    )
    return head + b"\x18\x53\x80\x67\x01" + b"\xff" * 7 + tracks + clusters


def archive(*names: str, size: int = 1) -> bytes:
    """A zip of files of that size under these names."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as writing:
        for name in names:
            writing.writestr(name, b"\0" * size)
    return out.getvalue()


def old_office(*streams: str) -> bytes:
    """The head of an old Office document, and the names of its streams."""
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + b"".join(name.encode("utf-16-le") for name in streams)


PDF = b"%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n"
