"""Recordings and files: what each place takes is told by content alone, and nothing of it ever runs in our pages."""

from __future__ import annotations

import io
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.storage import kinds, sounds
from core.storage.models import Attachment
from tests.cast import A, B, Body, Cast
from tests.sounds import PDF, RECORDED, archive, m4a, mp3, ogg, old_office, wav, webm

PUT = "blade-resource/oss/endpoint/put-file"
NO_VOICE = ("只能上传webm、ogg、m4a、wav或mp3格式的录音", "Only webm, ogg, m4a, wav and mp3 recordings can be uploaded")
NO_FILE = (
    "只能上传PDF、Office文档、文本、CSV、ZIP或jpg、png图片",
    "Only PDF, Office, text, CSV and ZIP files and jpg or png pictures can be uploaded",
)
MACROS = ("不能上传带宏的文档", "Documents with macros cannot be uploaded")


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path) -> None:
    settings.FILES_DIR = tmp_path


def _put(cast: Cast, place: str, content: bytes, name: str, kind: str = "application/octet-stream") -> Body:
    file = SimpleUploadedFile(name, content, content_type=kind)
    return cast.client_for("operator").post_form(f"{PUT}?place={place}", file=file)


def _jpeg() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (40, 30), "navy").save(out, "JPEG", comment=b"secret place")
    return out.getvalue()


def _content(answer: Any) -> bytes:
    return b"".join(answer.streaming_content)


VOICES = {
    "webm": (RECORDED / "browser.webm").read_bytes(), "m4a": (RECORDED / "browser.m4a").read_bytes(), "ogg": ogg(2),
    "wav": wav(2), "mp3": mp3(2),
}  # fmt: skip
FILES = {
    "pdf": PDF,
    "docx": archive("[Content_Types].xml", "word/document.xml"),
    "xlsx": archive("[Content_Types].xml", "xl/workbook.xml"),
    "pptx": archive("[Content_Types].xml", "ppt/presentation.xml"),
    "doc": old_office("Root Entry", "WordDocument"),
    "xls": old_office("Root Entry", "Workbook"),
    "ppt": old_office("Root Entry", "PowerPoint Document"),
    "txt": "主轴异响，3月2日起".encode("gb18030"),
    "csv": "时间,温度\r\n08:00,78.5\r\n".encode("utf-8-sig"),
    "zip": archive("日志.txt", "b/c.html"),
    "jpg": _jpeg(),
}


@pytest.mark.parametrize("kind", VOICES)
def test_a_recording_is_known_by_its_content_and_played_in_the_page(cast: Cast, kind: str) -> None:
    put = _put(cast, "voice", VOICES[kind], "现场.html", "text/html").data
    with tenant_scope(A):
        row = Attachment.objects.get()
    # The browser was stopped a moment early.
    seconds = 1 if kind in ("webm", "m4a") else 2
    assert (row.extension, row.seconds, row.attach_size) == (kind, seconds, len(VOICES[kind]))
    assert (row.name, row.original_name) == (put["name"], "现场.html")
    shown = Client().get(put["link"])
    assert (shown.status_code, shown["Content-Type"]) == (200, kinds.SOUNDS[kind])
    assert (shown["X-Content-Type-Options"], shown["Accept-Ranges"]) == ("nosniff", "bytes")
    assert shown["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert shown["Content-Disposition"].startswith("inline; ")
    assert _content(shown) == VOICES[kind]


@pytest.mark.parametrize("kind", FILES)
def test_a_file_is_known_by_its_content_and_only_saved(cast: Cast, kind: str) -> None:
    put = _put(cast, "file", FILES[kind], "a.csv" if kind == "csv" else "a.html", "text/html").data
    with tenant_scope(A):
        row = Attachment.objects.get()
    assert (row.extension, row.seconds) == (kind, None)
    shown = Client().get(put["link"])
    assert (shown.status_code, shown["X-Content-Type-Options"]) == (200, "nosniff")
    assert shown["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert shown["Content-Type"] == kinds.MEDIA_TYPES[kind]
    if kind == "jpg":
        assert shown["Content-Disposition"].startswith("inline; ")
        assert b"secret place" not in _content(shown)
        return
    name = "a.csv" if kind == "csv" else f"a.html.{kind}"
    assert shown["Content-Disposition"] == f'attachment; filename="{name}"'
    assert _content(shown) == FILES[kind]


NO_VOICES = {
    "nothing": b"", "html": b"<html><script>alert(1)</script>", "picture": _jpeg(), "pdf": PDF,
    "film in webm": webm(2, kind=1), "matroska": webm(2, doctype=b"matroska"),
    "film in mp4": m4a(2, b"soun", b"vide"), "no sound in mp4": m4a(2, b"text"),
    "theora": ogg(2, b"\x80theora"), "two streams": ogg(2, serial=8), "no sound": wav(0), "no block": webm(0),
    "head of a webm": VOICES["webm"][:200], "half an mp4": VOICES["m4a"][:-9], "half an ogg": ogg(2)[:-1],
    "webm and more": webm(2) + b"<script>", "mp4 and more": m4a(2) + b"<script>", "ogg and more": ogg(2) + b"<script>",
    "mp3 and more": mp3(2) + b"<script>", "two frames": mp3(0.05), "head of an mp3": b"\xff\xfb\x90\xc4<script>",
    "head of an ID3": b"ID3", "head of a wav": b"RIFF\0\0\0\0WAVE", "picture in RIFF": b"RIFF\x20\0\0\0WEBPVP8 ",
    "endless boxes": b"\0\0\0\x10ftypM4A \0\0\0\0" + b"\0\0\0\x08free" * (sounds.PARTS + 1),
    "endless elements": webm(2) + b"\xec\x80" * sounds.PARTS,
    "run without samples": m4a(2) + b"\0\0\0\x18moof\0\0\0\x10trun\0\0\x01\0\xff\xff\xff\xff",
}  # fmt: skip


@pytest.mark.parametrize("what", NO_VOICES)
def test_what_is_no_recording_is_refused_and_leaves_nothing(cast: Cast, tmp_path: Path, what: str) -> None:
    _is_refused(cast, tmp_path, "voice", NO_VOICES[what], "a.webm", "audio/webm", NO_VOICE)


NO_FILES = {
    "nothing": (b"", NO_FILE), "blank": (b" \r\n", NO_FILE), "html": (b"\xef\xbb\xbf\n<!doctype html>", NO_FILE),
    "svg": (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", NO_FILE),
    "html in UTF-16": ("<script>".encode("utf-16"), NO_FILE), "program": (b"MZ" + bytes(200), NO_FILE),
    "half a pdf": (b"%PDF-1.7\n\x00\x01", NO_FILE), "not at the front": (b"x\x00%PDF-1.7 %%EOF", NO_FILE),
    "half a zip": (archive("a")[:-9], NO_FILE), "page before a zip": (b"<script>" + archive("a"), NO_FILE),
    "installer": (old_office("Root Entry"), NO_FILE), "sound": (VOICES["webm"], NO_FILE),
    "gif": (b"GIF89a" + bytes(20), NO_FILE),
    "macros": (archive("[Content_Types].xml", "word/document.xml", "word/vbaProject.bin"), MACROS),
    "old macros": (old_office("Workbook", "_VBA_PROJECT"), MACROS),
    "too many": (archive(*map(str, range(kinds.MAX_ENTRIES + 1))),
                 ("压缩包解压后不能超过500MB", "An archive must not exceed 500 MB when unpacked")),
    "head of a jpeg": (b"\xff\xd8\xff\xe0<script>",
                       ("只能上传jpg或png图片", "Only jpg and png pictures can be uploaded")),
}  # fmt: skip


@pytest.mark.parametrize("what", NO_FILES)
def test_what_is_no_file_of_ours_is_refused_and_leaves_nothing(cast: Cast, tmp_path: Path, what: str) -> None:
    content, texts = NO_FILES[what]
    _is_refused(cast, tmp_path, "file", content, "a.pdf", "application/pdf", texts)


def _is_refused(
    cast: Cast, folder: Path, place: str, content: bytes, name: str, kind: str, texts: tuple[str, str]
) -> None:
    for caller, text in zip(
        (cast.client_for("operator"), cast.client_for("operator").in_english()), texts, strict=True
    ):
        answer = caller.post_form(f"{PUT}?place={place}", file=SimpleUploadedFile(name, content, content_type=kind))
        assert (answer.status, answer["error"], answer.data["fields"]) == (400, "input.invalid", {"file": text})
    assert [path for path in folder.rglob("*") if path.is_file()] == []
    with tenant_scope(A):
        assert Attachment.objects.count() == 0


def test_an_archive_that_unpacks_to_too_much_is_refused(cast: Cast, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(kinds, "MAX_UNPACKED", 2 * kinds.MEGABYTE)
    texts = ("压缩包解压后不能超过2MB", "An archive must not exceed 2 MB when unpacked")
    _is_refused(cast, tmp_path, "file", archive("a", "b", size=kinds.MEGABYTE + 1), "a.zip", "application/zip", texts)
    assert _put(cast, "file", archive("a", "b", size=kinds.MEGABYTE), "a.zip").status == 200


@pytest.mark.parametrize("made", [wav, mp3, ogg, m4a, webm])
def test_sixty_seconds_are_taken_and_more_are_not(cast: Cast, tmp_path: Path, made: Any) -> None:
    texts = ("语音不能超过60秒", "A recording must not exceed 60 seconds")
    _is_refused(cast, tmp_path, "voice", made(61.1), "a.mp3", "audio/mpeg", texts)
    assert _put(cast, "voice", made(60), "a.mp3").status == 200
    with tenant_scope(A):
        assert Attachment.objects.get().seconds == 60


def test_a_file_that_is_too_large_for_its_place_is_refused(cast: Cast, tmp_path: Path) -> None:
    for place, megabytes in (("voice", 12), ("file", 20), ("picture", 20)):
        texts = (f"文件不能超过{megabytes}MB", f"The file must not exceed {megabytes} MB")
        large = b"a" * (megabytes * kinds.MEGABYTE + 1)
        _is_refused(cast, tmp_path, place, large, "a.txt", "text/plain", texts)
    assert _put(cast, "file", b"a" * (20 * kinds.MEGABYTE), "a.txt").status == 200


def test_a_place_that_there_is_not_takes_nothing(cast: Cast, tmp_path: Path) -> None:
    answer = _put(cast, "movie", VOICES["webm"], "a.webm")
    assert (answer.status, answer.data["fields"]) == (400, {"place": "请求参数格式错误: place"})
    # Without a place it is the one of pictures.
    assert _put(cast, "picture", VOICES["webm"], "a.webm").msg == "只能上传jpg或png图片"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize(
    ("asked", "status", "said", "part"),
    [
        ("bytes=0-1", 206, "bytes 0-1/{n}", slice(0, 2)),
        ("bytes=100-", 206, "bytes 100-{last}/{n}", slice(100, None)),
        ("bytes=-10", 206, "bytes {tail}-{last}/{n}", slice(-10, None)),
        ("bytes=5-99999999", 206, "bytes 5-{last}/{n}", slice(5, None)),
        ("bytes=99999999-", 416, "bytes */{n}", slice(0, 0)),
        ("bytes=9-3", 416, "bytes */{n}", slice(0, 0)),
        ("bytes=-", 200, None, slice(None)),
        ("bytes=0-1,4-5", 200, None, slice(None)),
        ("lines=0-1", 200, None, slice(None)),
    ],
)
def test_a_part_of_a_recording_can_be_asked_for(
    cast: Cast, asked: str, status: int, said: str | None, part: slice
) -> None:
    sound = VOICES["mp3"]
    answer = Client().get(_put(cast, "voice", sound, "a").data["link"], headers={"Range": asked})
    n = len(sound)
    assert answer.status_code == status
    assert answer.get("Content-Range") == (said and said.format(n=n, last=n - 1, tail=n - 10))
    assert (b"".join(answer) if status != 200 else _content(answer)) == sound[part]
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("audio/mpeg", "nosniff")


def test_the_link_of_a_file_is_one_tenants_for_half_a_day_and_ends_with_the_file(cast: Cast) -> None:
    put = _put(cast, "file", PDF, "图纸.pdf").data
    assert Client().get(put["link"])["Content-Disposition"] == "attachment; filename*=utf-8''%E5%9B%BE%E7%BA%B8.pdf"
    for wrong in (
        put["link"].replace("mark=", "mark=x"),
        put["link"].replace(f"/{A}/", f"/{B}/"),
        put["link"].replace(".pdf?", ".html?"),
        put["link"].replace(".pdf?", ".png?"),
    ):
        assert Client().get(wrong).status_code == 404, wrong
    with clock.at(clock.now() + timedelta(hours=14)):
        assert Client().get(put["link"]).status_code == 404
    assert cast.client_for("operator").post_json("blade-resource/attach/remove", ids=put["attachId"]).status == 200
    assert Client().get(put["link"]).status_code == 404
