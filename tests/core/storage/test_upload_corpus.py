"""What people could upload with bad intent, under every kind of name: only its content counts."""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from core.kernel.tenancy import tenant_scope
from core.storage.models import Attachment
from tests.cast import A, Cast

PUT = "blade-resource/oss/endpoint/put-file"
SCRIPT = b"<html><script>alert(1)</script></html>"


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path) -> None:
    settings.FILES_DIR = tmp_path


def _picture(kind: str, **options: Any) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (8, 8), "navy").save(out, kind, **options)
    return out.getvalue()


def _chunk(kind: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


def _flood(width: int, height: int) -> bytes:
    """A few bytes that claim to be a huge picture."""
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\x02\x00\x00\x00"
    return (
        b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(b"\0" * 99)) + _chunk(b"IEND", b"")
    )


def _zip(name: str, content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return out.getvalue()


BAD = {
    "nothing": b"",
    "html": SCRIPT,
    "svg": b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
    "xhtml": b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><script>alert(1)</script></html>",
    "xslt": b"<?xml version='1.0'?><?xml-stylesheet type='text/xsl' href='#'?><x/>",
    "pdf": b"%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj",
    "gif and script": b"GIF89a/*" + b"\0" * 20 + b"*/=1;alert(1)",
    "gif": _picture("GIF"),
    "bmp": _picture("BMP"),
    "webp": _picture("WEBP"),
    "tiff": _picture("TIFF"),
    "macro document": _zip("word/vbaProject.bin", b"macro"),
    "zip bomb": _zip("a", b"\0" * 5_000_000),
    "program": b"MZ" + b"\0" * 200,
    "csv formula": b"=cmd|'/c calc'!A1,1",
    "half a jpeg": _picture("JPEG")[:80],
    "head of a jpeg": b"\xff\xd8\xff\xe0" + SCRIPT,
    "head of a png": b"\x89PNG\r\n\x1a\n" + SCRIPT,
    "pixel flood": _flood(60_000, 60_000),
}  # fmt: skip
NAMES = (
    "a.jpg", "a.png", "a.html", "a.jpg.html", "a.php%00.jpg", "a\u202egpj.exe", "../../../etc/x.png", "CON.jpg",
    "x" * 300 + ".png", "图.png", "a.svg", "",
)  # fmt: skip


def test_what_is_no_picture_is_refused_under_every_name(cast: Cast, tmp_path: Path) -> None:
    caller = cast.client_for("operator")
    tried = 0
    for kind, content in BAD.items():
        for name in NAMES:
            answer = caller.post_form(PUT, file=SimpleUploadedFile(name or "x", content, content_type="image/png"))
            assert (answer.status, answer["error"]) == (400, "input.invalid"), (kind, name)
            tried += 1
    assert tried >= 150
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    with tenant_scope(A):
        assert Attachment.objects.count() == 0


def test_a_picture_is_encoded_anew_whatever_hides_in_it_and_whatever_it_is_called(cast: Cast, tmp_path: Path) -> None:
    caller = cast.client_for("operator")
    comment = Image.Exif()
    comment[0x010E] = "<script>alert(1)</script>"
    hiding = {
        "appended": _picture("JPEG") + SCRIPT,
        "zipped behind": _picture("PNG") + _zip("x.html", SCRIPT),
        "metadata": _picture("JPEG", exif=comment),
    }
    for kind, content in hiding.items():
        for name in NAMES:
            put = caller.post_form(PUT, file=SimpleUploadedFile(name or "x", content, content_type="text/html"))
            assert put.status == 200, (kind, name, put)
            shown = Client().get(put.data["link"])
            body = b"".join(shown.streaming_content)  # type: ignore[attr-defined]
            assert b"script" not in body
            assert shown["Content-Type"] in ("image/jpeg", "image/png")
            assert shown["X-Content-Type-Options"] == "nosniff"
            assert shown["Content-Security-Policy"] == "default-src 'none'; sandbox"
    with tenant_scope(A):
        for row in Attachment.objects.all():
            assert len(row.original_name) <= 200
            assert row.original_name.isprintable()
            assert "/" not in row.original_name
    stored = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(stored) == len(hiding) * len(NAMES)
    assert {path.suffix for path in stored} == {".jpg", ".png"}
