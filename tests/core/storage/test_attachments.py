"""Attachments as a noun: who may look, describe and remove, and what a removal leaves."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from core.kernel.tenancy import tenant_scope
from core.storage.models import Attachment
from tests.cast import A, B, Caller, Cast
from tests.checksums import checksum

ATTACH, PUT = "blade-resource/attach", "blade-resource/oss/endpoint/put-file"


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path) -> None:
    settings.FILES_DIR = tmp_path


def _put(caller: Caller, name: str = "主轴.png", call: str = PUT) -> dict[str, str]:
    out = io.BytesIO()
    Image.new("RGB", (4, 4), "navy").save(out, "PNG")
    answer = caller.post_form(call, file=SimpleUploadedFile(name, out.getvalue()))
    assert answer.status == 200, answer
    return answer.data  # type: ignore[no-any-return]


def test_an_upload_is_listed_with_a_link_that_works(cast: Cast) -> None:
    put = _put(cast.client_for("operator"), call=f"{PUT}-attach")
    (row,) = cast.client_for("tenant_admin").get(f"{ATTACH}/list").data["records"]
    expected = {
        "id": put["attachId"], "domain": "", "name": put["name"], "originalName": "主轴.png", "extension": "png",
        "remark": "", "createUserName": "秦操",
    }  # fmt: skip
    assert {name: row[name] for name in expected} == expected
    shown = Client().get(row["link"])
    assert len(b"".join(shown.streaming_content)) == row["attachSize"]  # type: ignore[attr-defined]
    admin = cast.client_for("tenant_admin")
    assert admin.get(f"{ATTACH}/list", link=put["link"]).data["total"] == 1
    assert admin.get(f"{ATTACH}/list", link="/x").data["total"] == 0
    assert cast.client_for("tenant_admin", B).get(f"{ATTACH}/list").data["total"] == 0


def test_only_what_is_said_of_a_file_can_be_changed(cast: Cast) -> None:
    put, admin = _put(cast.client_for("operator")), cast.client_for("tenant_admin")
    body = {
        "id": put["attachId"], "originalName": "新名.png", "remark": "备注", "name": "x.png", "extension": "html",
        "attachSize": 1, "link": "/x", "createUser": "1",
    }  # fmt: skip
    assert admin.change(ATTACH, body).data == {"id": put["attachId"]}
    with tenant_scope(A):
        row = Attachment.objects.get()
    assert (row.name, row.extension, row.original_name, row.remark) == (put["name"], "png", "新名.png", "备注")
    assert row.create_user == cast.user("operator").pk
    assert admin.post_json(f"{ATTACH}/submit", {"originalName": "x"}).status == 400
    assert cast.client_for("operator").post_json(f"{ATTACH}/submit", body).status == 403


def test_a_removed_file_is_gone_from_the_disk_too(
    cast: Cast, tmp_path: Path, django_capture_on_commit_callbacks: Any
) -> None:
    operator = cast.client_for("operator")
    put = _put(operator)
    with django_capture_on_commit_callbacks(execute=True):
        assert operator.post_json(f"{ATTACH}/remove", ids=put["attachId"]).status == 200
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert Client().get(put["link"]).status_code == 404
    assert cast.client_for("tenant_admin").get(f"{ATTACH}/detail", id=put["attachId"]).status == 404


def test_other_peoples_files_are_removed_by_keepers_only(cast: Cast, tmp_path: Path) -> None:
    put = _put(cast.client_for("operator"))
    before = checksum(A)
    assert cast.client_for("repairer").post_json(f"{ATTACH}/remove", ids=put["attachId"]).status == 403
    assert cast.client_for("tenant_admin", B).post_json(f"{ATTACH}/remove", ids=put["attachId"]).status == 404
    assert checksum(A) == before
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 1
    assert cast.client_for("tenant_admin").post_json(f"{ATTACH}/remove", ids=put["attachId"]).status == 200


def test_a_file_that_a_record_shows_stays(cast: Cast) -> None:
    operator = cast.client_for("operator")
    put = _put(operator)
    order = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响", "images": [put["link"]]}
    assert operator.post_json("yuzhu-equip/repairorder/save", order).status == 200
    before = checksum(A)
    answer = operator.post_json(f"{ATTACH}/remove", ids=put["attachId"])
    assert (answer.status, answer["error"]) == (409, "data.inUse")
    assert answer.msg.startswith("「主轴.png」已被")
    assert checksum(A) == before
