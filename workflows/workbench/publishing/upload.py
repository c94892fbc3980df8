"""From what was uploaded to models: single files, or archives of them, read in memory and never written anywhere."""

from __future__ import annotations

import io
import stat
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from core.kernel.errors import Invalid
from workflows import engine

MODEL_ENDINGS = (".bpmn", ".bpmn20.xml")
MAX_FILES = 20
MAX_BYTES = 2_000_000
"""Of one model, as in the engine."""
MAX_ARCHIVE_BYTES = 5_000_000
MAX_ENTRIES = 200
"""Of an archive, folders and other people's hidden files among them."""
MAX_NAME = 120

_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, OSError, RuntimeError, KeyError)
"""What the library raises for archives that are damaged, encrypted or of a kind that it does not know."""


@dataclass(frozen=True)
class UploadedModel:
    """A model under the name it came with."""

    name: str
    xml: bytes


def models(files: Iterable[Any]) -> list[UploadedModel]:
    """The models of the uploaded files, those of archives too. Raises Invalid, naming the file, for anything else."""
    found: list[UploadedModel] = []
    for file in files:
        name = str(file.name or "")[-MAX_NAME:]
        if name.lower().endswith(MODEL_ENDINGS):
            if (file.size or 0) > MAX_BYTES:
                raise _refused(name, _("文件超过{n}字节").format(n=MAX_BYTES))
            found += _models(name, file.read())
        elif name.lower().endswith(".zip"):
            if (file.size or 0) > MAX_ARCHIVE_BYTES:
                raise _refused(name, _("文件超过{n}字节").format(n=MAX_ARCHIVE_BYTES))
            found += _unpacked(name, file.read())
        else:
            raise _refused(name, _("只接受 .bpmn、.bpmn20.xml 文件及其 .zip 压缩包"))
        if len(found) > MAX_FILES:
            raise _refused(name, _("一次最多部署{n}个模型").format(n=MAX_FILES))
    if not found:
        raise Invalid({"files": _("请选择要部署的文件")})
    return found


def _unpacked(name: str, content: bytes) -> list[UploadedModel]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            if len(entries) > MAX_ENTRIES:
                raise _refused(name, _("压缩包内的文件超过{n}个").format(n=MAX_ENTRIES))
            found = [model for entry in entries if not _is_beside(entry) for model in _entry(name, archive, entry)]
    except _BROKEN as error:
        raise _refused(name, _("压缩包已损坏或无法读取")) from error
    if not found:
        raise _refused(name, _("压缩包内没有模型文件"))
    return found


def _is_beside(entry: zipfile.ZipInfo) -> bool:
    """Folders, and what file managers leave in archives."""
    last = entry.filename.rpartition("/")[2]
    return entry.is_dir() or entry.filename.startswith("__MACOSX/") or last.startswith(".")


def _entry(archive_name: str, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> list[UploadedModel]:
    name = f"{archive_name}/{entry.filename}"[-MAX_NAME:]
    parts = entry.filename.replace("\\", "/").split("/")
    if ".." in parts or not parts[0] or ":" in parts[0] or "\\" in entry.filename or not entry.filename.isprintable():
        raise _refused(name, _("压缩包内的路径不安全"))
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise _refused(name, _("压缩包内不能有链接"))
    if not entry.filename.lower().endswith(MODEL_ENDINGS):
        raise _refused(name, _("只接受 .bpmn、.bpmn20.xml 文件及其 .zip 压缩包"))
    # Other methods may ask for much memory before they give a byte.
    if entry.flag_bits & 1 or entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise _refused(name, _("压缩包已损坏或无法读取"))
    with archive.open(entry) as stream:
        xml = stream.read(MAX_BYTES + 1)  # what the archive says of its sizes need not be true
    if len(xml) > MAX_BYTES:
        raise _refused(name, _("文件超过{n}字节").format(n=MAX_BYTES))
    return _models(name, xml)


def _models(name: str, xml: bytes) -> list[UploadedModel]:
    """A file of several processes is several models, each named behind the file."""
    parts = engine.split(xml)
    return [UploadedModel(f"{name}#{process}"[-MAX_NAME:] if process else name, part) for process, part in parts]


def _refused(name: str, text: str) -> Invalid:
    shown = "".join(sign if sign.isprintable() else "?" for sign in name)
    return Invalid({"files": f"{shown}：{text}"})
