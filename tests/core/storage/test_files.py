"""Pictures: only real ones are stored, encoded anew, and shown by links that are signed and run out."""

from __future__ import annotations

import io
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from core.identity.models import Tenant
from core.kernel import clock, tenancy
from core.kernel.tenancy import tenant_scope
from core.storage import files
from core.storage.models import Attachment, FileUse
from tests import hostile_files
from tests.cast import A, Body, Cast

PUT = "blade-resource/oss/endpoint/put-file"


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path) -> None:
    settings.FILES_DIR = tmp_path


def _picture(kind: str = "JPEG", size: tuple[int, int] = (40, 30), mode: str = "RGB", **options: Any) -> bytes:
    out = io.BytesIO()
    Image.new(mode, size).save(out, kind, **options)
    return out.getvalue()


def _put(cast: Cast, content: bytes, name: str = "a.jpg") -> Body:
    return cast.client_for("operator").post_form(PUT, file=SimpleUploadedFile(name, content))


def _files() -> list[Path]:
    return [path for path in Path(settings.FILES_DIR).rglob("*") if path.is_file()]


def test_a_photo_is_stored_without_its_metadata_and_shown_by_its_link(cast: Cast) -> None:
    exif = Image.Exif()
    exif[0x010E] = "secret place"
    answer = _put(cast, _picture(exif=exif))
    assert sorted(answer.data) == ["attachId", "domain", "link", "name", "originalName"]
    shown = Client().get(answer.data["link"])
    content = b"".join(shown.streaming_content)  # type: ignore[attr-defined]
    assert (shown.status_code, shown["Content-Type"], shown["X-Content-Type-Options"]) == (200, "image/jpeg", "nosniff")
    assert b"secret place" not in content
    assert Image.open(io.BytesIO(content)).size == (40, 30)


def test_a_large_photo_is_shrunk(cast: Cast) -> None:
    link = _put(cast, _picture(size=(5000, 2500))).data["link"]
    content = b"".join(Client().get(link).streaming_content)  # type: ignore[attr-defined]
    assert Image.open(io.BytesIO(content)).size == (2400, 1200)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"", "a.jpg"),
        (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "a.png"),
        (b"<html><script>alert(1)</script></html>", "a.jpg"),
        (_picture("GIF"), "a.png"),
        (_picture("BMP"), "a.jpg"),
        (_picture()[:60], "a.jpg"),
        (b"\x89PNG\r\n\x1a\n" + b"\x00" * 50, "a.png"),
        (_picture("PNG", size=(9000, 9000), mode="1"), "a.png"),
    ],
)
def test_what_is_no_picture_of_ours_is_refused_and_leaves_nothing(cast: Cast, content: bytes, name: str) -> None:
    before = _files()
    answer = _put(cast, content, name)
    assert (answer.status, answer["error"]) == (400, "input.invalid")
    assert _files() == before
    with tenant_scope(A):
        assert Attachment.objects.count() == 0


@pytest.mark.parametrize("name", ["../../etc/passwd.jpg", "a\x00b.jpg", "x" * 300 + ".jpg", "‮gpj.exe", "..jpg"])
def test_the_given_name_decides_nothing(cast: Cast, name: str) -> None:
    answer = _put(cast, _picture(), name)
    assert answer.status == 200
    stored = {path.name for path in _files()}
    assert answer.data["name"] in stored
    assert all(path.parent.parent == Path(settings.FILES_DIR, A) for path in _files())


def test_a_link_that_is_changed_or_over_shows_nothing(cast: Cast) -> None:
    link = _put(cast, _picture()).data["link"]
    path, _query, query = link.partition("?")
    other_tenant = path.replace(f"/{A}/", "/100002/")
    for wrong in (
        path,
        f"{path}?until=99999999999&mark=0",
        f"{other_tenant}?{query}",
        link.replace("mark=", "mark=x"),
        f"/api/blade-resource/attach/file/{A}/..%2f..%2fkeys%2ftoken?{query}",
    ):
        assert Client().get(wrong).status_code == 404, wrong
    assert Client().get(link).status_code == 200
    with clock.at(clock.now() + timedelta(hours=14)):
        assert Client().get(link).status_code == 404


def test_a_picture_is_decoded_in_no_transaction(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    encoded = files._encoded_anew
    monkeypatch.setattr(
        files, "_encoded_anew", lambda content: (seen.append(tenancy._current.get()), encoded(content))[1]
    )
    assert _put(cast, _picture()).status == 200
    # On PostgreSQL the tenant's scope is the transaction; on SQLite an operation begins one within it.
    assert seen == [None]


@pytest.mark.parametrize("name", ["long and low", "four colours", "a PNG of 40 million pixels"])
def test_a_picture_that_takes_too_much_memory_is_refused_by_its_head(name: str, cast: Cast) -> None:
    answer = _put(cast, hostile_files.PICTURES[name]())
    assert (answer.status, answer.data) == (400, {"fields": {"file": "图片尺寸过大"}})
    assert _files() == []


def _close(**values: Any) -> None:
    Tenant._base_manager.filter(tenant_id=A).update(**values)


@pytest.mark.parametrize(
    "values",
    [{"is_enabled": False}, {"is_deleted": True}, {"expire_time": clock.now() - timedelta(seconds=1)}],
    ids=["closed", "removed", "over"],
)
def test_a_link_ends_with_its_company(cast: Cast, values: dict[str, Any]) -> None:
    link = _put(cast, _picture()).data["link"]
    assert Client().get(link).status_code == 200
    _close(**values)
    assert Client().get(link).status_code == 404


def test_who_has_seen_a_link_gets_no_fresh_one_by_sending_it_back(cast: Cast) -> None:
    """Neither as the own picture nor in a record, with or without its mark; its owner may, and may remove it."""
    put, other = _put(cast, _picture()).data, cast.client_for("repairer")
    for link in (put["link"], put["link"].partition("?")[0] + "?until=1&mark=x"):
        answer = other.post_json("blade-user/update-info", {"avatar": link})
        assert (answer.status, answer.data["fields"]) == (400, {"avatar": "图片不存在或已被删除"})
    sent = {"machineId": str(cast.machine("M1").pk), "description": "异响", "images": put["link"]}
    assert cast.client_for("repair_leader").post_json("yuzhu-equip/repairorder/save", sent).status == 400
    with tenant_scope(A):
        assert FileUse.objects.count() == 0
    owner = cast.client_for("operator")
    assert owner.post_json("blade-user/update-info", {"avatar": put["link"]}).status == 200
    assert owner.post_json("blade-user/update-info", {"avatar": ""}).status == 200
    assert owner.post_json("blade-resource/attach/remove", {}, ids=put["attachId"]).status == 200


def test_a_form_that_was_open_for_long_sends_the_links_of_its_record_back(cast: Cast) -> None:
    keeper, link = cast.client_for("tenant_admin"), _put(cast, _picture()).data["link"]
    assert cast.client_for("operator").post_json("blade-user/update-info", {"avatar": link}).status == 200
    user = keeper.get("blade-user/detail", id=str(cast.user("operator").pk)).data
    old = link.partition("?")[0] + "?until=1&mark=x"
    sent = {name: user[name] for name in ("id", "lockVersion", "account", "realName", "deptId", "roleId")}
    assert keeper.post_json("blade-user/update", {**sent, "avatar": old, "phone": "13800000000"}).status == 200
    assert Client().get(keeper.get("blade-user/detail", id=user["id"]).data["avatar"]).status_code == 200
