"""What each place of upload takes. The content alone decides what a file is; its name and header are only words."""

from __future__ import annotations

import io
import struct
import unicodedata
import zipfile
from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from core.kernel.errors import Invalid
from core.storage import sounds

MEGABYTE = 1024 * 1024
LONGEST = 20 * MEGABYTE
MAX_SECONDS = 60
MAX_ENTRIES = 5_000
MAX_UNPACKED = 500 * MEGABYTE
"""Archives are never unpacked here; whoever downloads one should be able to."""

PICTURES = {"jpg": "image/jpeg", "png": "image/png"}
SOUNDS = {
    "webm": "audio/webm", "ogg": "audio/ogg", "m4a": "audio/mp4", "wav": "audio/wav", "mp3": "audio/mpeg",
}  # fmt: skip
_OFFICE = "application/vnd.openxmlformats-officedocument"
DOCUMENTS = {
    "pdf": "application/pdf",
    "docx": f"{_OFFICE}.wordprocessingml.document",
    "xlsx": f"{_OFFICE}.spreadsheetml.sheet",
    "pptx": f"{_OFFICE}.presentationml.presentation",
    "doc": "application/msword",
    "xls": "application/vnd.ms-excel",
    "ppt": "application/vnd.ms-powerpoint",
    "txt": "text/plain",
    "csv": "text/csv",
    "zip": "application/zip",
}
MEDIA_TYPES = PICTURES | SOUNDS | DOCUMENTS
"""By the extension under which a file is kept."""
SHOWN = PICTURES.keys() | SOUNDS.keys()
"""What a browser may show or play in a page; everything else is saved."""


@dataclass(frozen=True)
class Content:
    """What a file turned out to be; `seconds` where it is a recording."""

    kind: str
    seconds: int | None = None


@dataclass(frozen=True)
class Place:
    """A use of files: how large they may be, and what they are, which raises Invalid for what is not taken."""

    max_bytes: int
    look: Callable[[bytes, str], Content]
    extensions: frozenset[str]


def _refused(text: str) -> Invalid:
    return Invalid({"file": text})


def _picture(content: bytes, name: str) -> Content:
    """By its head; whoever stores it decodes it whole."""
    if content.startswith(b"\xff\xd8\xff"):
        return Content("jpg")
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return Content("png")
    raise _refused(_("只能上传jpg或png图片"))


def _voice(content: bytes, name: str) -> Content:
    try:
        kind, seconds = sounds.recording(content)
    except sounds.NoSound:
        raise _refused(_("只能上传webm、ogg、m4a、wav或mp3格式的录音")) from None
    # Recorders stop a moment late.
    if int(seconds) > MAX_SECONDS:
        raise _refused(_("语音不能超过{n}秒").format(n=MAX_SECONDS))
    return Content(kind, max(1, int(seconds)))


def _file(content: bytes, name: str) -> Content:
    if content.startswith((b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")):
        return _picture(content, name)
    if content.startswith(b"%PDF-") and b"%%EOF" in content[-2048:]:
        return Content("pdf")
    kind = ""
    if content.startswith(b"PK\x03\x04"):
        kind = _archive(content)
    elif content.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        kind = _old_office(content)
    elif _is_text(content):
        # The two are alike; here the name may tell.
        kind = "csv" if name.lower().endswith(".csv") else "txt"
    if not kind:
        raise _refused(_("只能上传PDF、Office文档、文本、CSV、ZIP或jpg、png图片"))
    return Content(kind)


def _archive(content: bytes) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, struct.error, ValueError, NotImplementedError, OSError):
        return ""
    if len(entries) > MAX_ENTRIES or sum(entry.file_size for entry in entries) > MAX_UNPACKED:
        raise _refused(_("压缩包解压后不能超过{n}MB").format(n=MAX_UNPACKED // MEGABYTE))
    names = {entry.filename.lower() for entry in entries}
    if "[content_types].xml" not in names:
        return "zip"
    if any(name.endswith("vbaproject.bin") for name in names):
        raise _refused(_("不能上传带宏的文档"))
    mains = {"docx": "word/document.xml", "xlsx": "xl/workbook.xml", "pptx": "ppt/presentation.xml"}
    return next((kind for kind, main in mains.items() if main in names), "zip")


def _old_office(content: bytes) -> str:
    """By the names of the streams in it."""
    if "_VBA_PROJECT".encode("utf-16-le") in content:
        raise _refused(_("不能上传带宏的文档"))
    streams = {"doc": "WordDocument", "xls": "Workbook", "ppt": "PowerPoint Document"}
    return next((kind for kind, name in streams.items() if name.encode("utf-16-le") in content), "")


_NO_TEXT = {"Cc", "Cs", "Co", "Cn"}


def _is_text(content: bytes) -> bool:
    """Characters and no markup, which a program might run; in UTF-8, UTF-16 with its mark, or GB18030."""
    wide = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if wide else ("utf-8-sig", "gb18030"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        plain = all(unicodedata.category(character) not in _NO_TEXT for character in set(text) - set("\t\r\n\f"))
        return plain and bool(text.strip()) and not text.lstrip().startswith("<")
    return False


PLACES = {
    "picture": Place(LONGEST, _picture, frozenset(PICTURES)),
    "voice": Place(12 * MEGABYTE, _voice, frozenset(SOUNDS)),
    "file": Place(LONGEST, _file, frozenset(DOCUMENTS | PICTURES)),
}
