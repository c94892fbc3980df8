"""What a recording is and how long it lasts, read from its own bytes.

No kept-up library of a free licence knows WebM's length without a decoder, and recorders in browsers write none into
its head: so lengths are counted from the blocks themselves. Anything but sound alone is no recording.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator

PARTS = 100_000
"""So many frames, pages, boxes or elements are read at most: hours of speech, and little work for hostile bytes."""


class NoSound(ValueError):
    """The bytes are no recording of a kind that we take."""


def recording(content: bytes) -> tuple[str, float]:
    """Its kind (`webm`, `ogg`, `m4a`, `wav`, `mp3`) and its seconds; raises NoSound."""
    for kind, begins, seconds in _KINDS:
        if begins(content):
            try:
                length = seconds(content)
            except (struct.error, IndexError, ValueError, ZeroDivisionError, OverflowError):
                break
            if 0 < length < float("inf"):
                return kind, length
            break
    raise NoSound


def _number(content: bytes, at: int, size: int) -> int:
    part = content[at : at + size]
    if len(part) != size:
        raise NoSound
    return int.from_bytes(part, "big")


def _limited() -> Iterator[None]:
    for _part in range(PARTS):
        yield None
    raise NoSound


def _wav(content: bytes) -> float:
    at, rate = 12, 0
    for _part in _limited():
        name, size = struct.unpack_from("<4sI", content, at)
        at += 8
        if name == b"fmt ":
            form, rate = struct.unpack_from("<H6xI", content, at)
            if form not in (1, 3, 6, 7, 0xFFFE):  # PCM, float, the two of telephones, and whichever it says further on
                raise NoSound
        elif name == b"data":
            return float(min(size, len(content) - at) / rate)
        at += size + size % 2
    raise NoSound


def _ogg(content: bytes) -> float:
    at = skipped = rate = last = 0
    serials = set()
    for _part in _limited():
        if at == len(content):
            break
        magic, first, granule, serial, segments = struct.unpack_from("<4sxBqI8xB", content, at)
        body = at + 27 + segments
        if magic != b"OggS" or body > len(content):
            raise NoSound
        at = body + sum(content[at + 27 : body])
        serials.add(serial)
        if first & 2:
            if content[body : body + 8] == b"OpusHead":
                rate, skipped = 48_000, *struct.unpack_from("<H", content, body + 10)
            elif content[body : body + 7] == b"\x01vorbis":
                (rate,) = struct.unpack_from("<I", content, body + 12)
            else:
                raise NoSound
        last = max(last, granule)
    if len(serials) != 1:
        raise NoSound
    return (last - skipped) / rate


_RATES = (44_100, 48_000, 32_000)
_KILOBITS = (
    (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
)
_HALVES = {3: 0, 2: 1, 0: 2}
"""By the version's two bits, how often the rate is halved: MPEG 1, 2 and 2.5."""


def _mp3(content: bytes) -> float:
    at = 0
    if content[:3] == b"ID3":
        a, b, c, d = content[6:10]
        at = 10 + (a << 21 | b << 14 | c << 7 | d) + 10 * bool(content[5] & 0x10)
    seconds = 0.0
    for frames in range(PARTS):
        head = int.from_bytes(content[at : at + 4], "big")
        halves = _HALVES.get(head >> 19 & 3)
        kilobits, rate = head >> 12 & 15, head >> 10 & 3
        if head >> 21 != 0x7FF or halves is None or head >> 17 & 3 != 1 or kilobits in (0, 15) or rate == 3:
            # Behind the sound stand its tags, or padding; two frames by chance are still no sound.
            if frames > 2 and (content.startswith((b"TAG", b"APETAGEX"), at) or not content[at:].strip(b"\0")):
                return seconds
            break
        hertz = _RATES[rate] >> halves
        samples = 576 if halves else 1152
        seconds += samples / hertz
        at += samples // 8 * _KILOBITS[bool(halves)][kilobits] * 1000 // hertz + (head >> 9 & 1)
    raise NoSound


_WITHIN = {b"moov", b"trak", b"mdia", b"mvex", b"moof", b"traf"}
"""Boxes of MP4 that hold boxes."""


def _mp4(content: bytes) -> float:
    at = scale = usual = own = moment = 0
    seconds = 0.0
    kinds = set()
    for _part in _limited():
        if at == len(content):
            break
        size, name, body = _number(content, at, 4), content[at + 4 : at + 8], at + 8
        if size == 1:
            size, body = _number(content, body, 8), body + 8
        end = len(content) if size == 0 else at + size
        if end < body or end > len(content):
            raise NoSound
        at = body if name in _WITHIN else end
        long = 8 if name in (b"mdhd", b"tfdt") and content[body] == 1 else 4
        if name == b"hdlr":
            kinds.add(content[body + 8 : body + 12])
        elif name == b"mdhd":
            scale = _number(content, body + 4 + 2 * long, 4)
            whole = _number(content, body + 8 + 2 * long, long)
            if whole != (1 << 8 * long) - 1:  # which says that it is not known
                seconds = max(seconds, whole / scale)
        elif name == b"trex":
            usual = _number(content, body + 12, 4)
        elif name == b"tfhd":
            flags = _number(content, body + 1, 3)
            skip = 8 * bool(flags & 1) + 4 * bool(flags & 2)
            own = _number(content, body + 8 + skip, 4) if flags & 8 else usual
        elif name == b"tfdt":
            moment = _number(content, body + 4, long)
        elif name == b"trun":
            moment += _run(content[body:end], own)
            seconds = max(seconds, moment / scale)
    if b"soun" not in kinds or kinds - {b"soun", b"meta", b"text"}:
        raise NoSound
    return seconds


def _run(box: bytes, usual: int) -> int:
    """Return how long the samples of a part last, `usual` each where it does not say."""
    flags, count = _number(box, 1, 3), _number(box, 4, 4)
    if not flags & 0x100:
        return count * usual
    at = 8 + 4 * bool(flags & 1) + 4 * bool(flags & 4)
    step = (flags >> 8 & 15).bit_count()
    words = struct.unpack_from(f">{min(count * step, len(box))}I", box, at)
    return sum(words[::step])


_INSIDE = {0x1A45DFA3, 0x18538067, 0x1549A966, 0x1654AE6B, 0xAE, 0x1F43B675, 0xA0}
"""Elements of WebM that hold elements: head, segment, information, tracks, one track, cluster, a group of blocks."""


def _webm(content: bytes) -> float:
    at, scale, written, cluster, last = 0, 1_000_000, 0.0, 0, 0
    kinds, named = set(), b""
    for _part in _limited():
        if at == len(content):
            break
        name, at, _unknown = _vint(content, at, marked=True)
        size, at, unknown = _vint(content, at, marked=False)
        if name in _INSIDE:
            continue
        body, at = at, at + size
        if unknown or at > len(content):
            raise NoSound
        if name == 0x4282:
            named = content[body:at].rstrip(b"\0")
        elif name == 0x83:
            kinds.add(content[body:at])
        elif name == 0x2AD7B1:
            scale = _number(content, body, size)
        elif name == 0x4489:
            (written,) = struct.unpack(">f" if size == 4 else ">d", content[body:at])
        elif name == 0xE7:
            cluster = _number(content, body, size)
        elif name in (0xA3, 0xA1):
            _track, time, _ = _vint(content, body, marked=False)
            last = max(last, cluster + struct.unpack_from(">h", content, time)[0])
    if named != b"webm" or kinds != {b"\x02"}:
        raise NoSound
    return max(written, last) * scale / 1e9


def _vint(content: bytes, at: int, *, marked: bool) -> tuple[int, int, bool]:
    """Return a number whose first bits say its length, where it ends, and whether it stands for an unknown size."""
    size = 9 - content[at].bit_length()
    if size > 8:
        raise NoSound
    value = _number(content, at, size)
    bare = value - (1 << 7 * size)
    return value if marked else bare, at + size, bare == (1 << 7 * size) - 1


_KINDS: tuple[tuple[str, Callable[[bytes], bool], Callable[[bytes], float]], ...] = (
    ("webm", lambda content: content[:4] == b"\x1a\x45\xdf\xa3", _webm),
    ("ogg", lambda content: content[:4] == b"OggS", _ogg),
    ("m4a", lambda content: content[4:8] == b"ftyp", _mp4),
    ("wav", lambda content: content[:4] == b"RIFF" and content[8:12] == b"WAVE", _wav),
    ("mp3", lambda content: content[:3] == b"ID3" or (content[:1] == b"\xff" and content[1:2] >= b"\xe0"), _mp3),
)
