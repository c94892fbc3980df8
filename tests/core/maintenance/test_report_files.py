"""What a report carries beside words and photos: one recording and files, the reporter's own, for whoever sees it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder
from tests.cast import A, B, Body, Caller, Cast
from tests.checksums import checksum
from tests.sounds import PDF, wav

PUT, SAVE, DETAIL = (
    "blade-resource/oss/endpoint/put-file",
    "yuzhu-equip/repairorder/save",
    "yuzhu-equip/repairorder/detail",
)
GONE = ("文件不存在或已被删除", "The file does not exist or was deleted")


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path) -> None:
    settings.FILES_DIR = tmp_path


def put(caller: Caller, place: str, content: bytes, name: str) -> dict[str, str]:
    """Upload; what the call answers."""
    answer = caller.post_form(f"{PUT}?place={place}", file=SimpleUploadedFile(name, content))
    assert answer.status == 200, answer
    return answer.data  # type: ignore[no-any-return]


def voice(caller: Caller) -> str:
    """The link of three seconds."""
    return put(caller, "voice", wav(3), "录音.wav")["link"]


def file(caller: Caller, name: str = "图纸.pdf") -> str:
    """The link of a document."""
    return put(caller, "file", PDF, name)["link"]


def report(cast: Cast, caller: Caller, **values: Any) -> Body:
    """Report M1."""
    body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响", "force": 1, **values}
    return caller.post_json(SAVE, body)


@pytest.mark.parametrize("joined", [False, True])
def test_a_report_keeps_its_recording_and_files_for_whoever_sees_the_order(cast: Cast, joined: bool) -> None:
    operator = cast.client_for("operator")
    links = [file(operator), file(operator, "记录.html")]
    order = report(cast, operator, voice=voice(operator), files=",".join(links) if joined else links).data["id"]
    for who in ("operator", "repair_leader", "equip_manager"):
        shown = cast.client_for(who).get(DETAIL, id=order).data
        heard = shown["voice"]
        assert {**heard, "link": ""} == {
            "link": "", "name": "录音.wav", "extension": "wav", "size": len(wav(3)), "seconds": 3,
        }  # fmt: skip
        assert b"".join(Client().get(heard["link"]).streaming_content) == wav(3)  # type: ignore[attr-defined]
        assert [(one["name"], one["extension"], one["size"], one["seconds"]) for one in shown["files"]] == [
            ("图纸.pdf", "pdf", len(PDF), None),
            ("记录.html.pdf", "pdf", len(PDF), None),
        ]
        assert b"".join(Client().get(shown["files"][1]["link"]).streaming_content) == PDF  # type: ignore[attr-defined]
    assert cast.client_for("operator", B).get(DETAIL, id=order).status == 404


def test_a_report_without_them_shows_none(cast: Cast) -> None:
    operator = cast.client_for("operator")
    for values in ({}, {"voice": "", "files": []}, {"voice": "", "files": ""}):
        shown = operator.get(DETAIL, id=report(cast, operator, **values).data["id"]).data
        assert (shown["voice"], shown["files"]) == (None, [])


def test_only_own_files_of_the_right_kind_are_taken(cast: Cast) -> None:
    operator, mate = cast.client_for("operator"), cast.client_for("operator2")
    other = cast.client_for("operator", B)
    removed = put(operator, "file", PDF, "a.pdf")
    assert operator.post_json("blade-resource/attach/remove", ids=removed["attachId"]).status == 200
    own, own_voice = file(operator), voice(operator)
    wrong: list[tuple[str, Any, tuple[str, str]]] = [
        ("voice", voice(mate), GONE),
        ("voice", voice(other), GONE),
        ("voice", voice(other).replace(f"/{B}/", f"/{A}/"), GONE),
        ("voice", own, GONE),
        ("voice", "https://evil.test/a.wav", GONE),
        ("voice", f"{own_voice},{voice(operator)}", ("最多上传1个文件", "Number of files: at most 1")),
        ("files", [own, file(mate)], GONE),
        ("files", [own, file(other)], GONE),
        ("files", [own_voice], GONE),
        ("files", [removed["link"]], GONE),
        ("files", [own.replace(".pdf", ".html")], GONE),
        ("files", "../../keys/token", GONE),
        ("files", [own] * 10, ("最多上传9个文件", "Number of files: at most 9")),
        ("images", [own], ("图片不存在或已被删除", "The picture does not exist or was deleted")),
        ("images", [own_voice], ("图片不存在或已被删除", "The picture does not exist or was deleted")),
    ]
    mine, theirs = checksum(A), checksum(B)
    for field, value, texts in wrong:
        for caller, text in zip((operator, operator.in_english()), texts, strict=True):
            answer = report(cast, caller, **{field: value})
            assert (answer.status, answer["error"]) == (400, "input.invalid"), (field, value)
            assert answer.data["fields"] == {field: text}
    for field, value in (("voice", [own_voice]), ("voice", 5), ("files", 5)):
        answer = report(cast, operator, **{field: value})
        assert (answer.status, answer["error"], list(answer.data["fields"])) == (400, "input.invalid", [field])
    assert (checksum(A), checksum(B)) == (mine, theirs)
    with tenant_scope(A):
        assert RepairOrder.objects.count() == 0


def test_what_an_order_shows_cannot_be_removed(cast: Cast) -> None:
    operator = cast.client_for("operator")
    heard, drawing = put(operator, "voice", wav(1), "a.wav"), put(operator, "file", PDF, "a.pdf")
    assert report(cast, operator, voice=heard["link"], files=[drawing["link"]]).status == 200
    for kept in (heard, drawing):
        answer = operator.post_json("blade-resource/attach/remove", ids=kept["attachId"])
        assert (answer.status, answer["error"]) == (409, "data.inUse")


def test_they_are_the_reports_and_do_not_change_later(cast: Cast) -> None:
    operator, leader = cast.client_for("operator"), cast.client_for("repair_leader")
    order = report(cast, operator, voice=voice(operator), files=[file(operator)]).data
    body = {"id": order["id"], "lockVersion": order["lockVersion"], "description": "主轴异响很大"}
    more = {"voice": voice(leader), "files": []}
    assert leader.post_json("yuzhu-equip/repairorder/update", {**body, **more}).status == 200
    shown = operator.get(DETAIL, id=order["id"]).data
    assert (shown["description"], shown["voice"]["name"], len(shown["files"])) == ("主轴异响很大", "录音.wav", 1)
