"""Plates: what they are bound to, how many of them, what a scan finds, and labels of assets."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from openpyxl import Workbook, load_workbook

from core.audit.models import Event
from core.equipment.models import Tag, TagType
from core.kernel.tenancy import tenant_scope
from tests.cast import A, B, Body, Cast
from tests.checksums import checksum
from tests.core.inspection.test_routes import _made, _point, _route

TAGS, MACHINES, POINTS = "yuzhu-equip/equiptags", "yuzhu-equip/inspectmachine", "yuzhu-equip/inspectpoint"


def _plate(cast: Cast, name: str = "甲牌", **values: Any) -> Body:
    return cast.client_for("equip_manager").post_json(f"{TAGS}/submit", {"type": 1, "tagName": name, **values})


def _detail(cast: Cast, plate: str) -> dict[str, Any]:
    return cast.client_for("viewer").get(f"{TAGS}/detail", id=plate).data  # type: ignore[no-any-return]


def test_a_plate_gets_a_code_and_a_token_and_keeps_it_when_it_is_bound_anew(cast: Cast) -> None:
    first, other = str(cast.machine("M1").pk), str(cast.machine("M2").pk)
    plate = _made(_plate(cast, bindId=first))
    row = _detail(cast, plate)
    assert (row["carrier"], row["bindId"], row["bindName"], row["bindCode"]) == (1, first, "车床", "M1")
    assert re.fullmatch(r"[2-9A-HJ-NP-Z]{12}", row["tagCode"]) and re.fullmatch(rf"{A}-\w{{16}}", row["token"])
    keeper = cast.client_for("equip_manager")
    assert keeper.get(f"{MACHINES}/detail", id=first).data["qrToken"] == row["token"]
    assert keeper.change(TAGS, {"id": plate, "bindId": other, "token": "mine"}).status == 200
    assert keeper.get(f"{MACHINES}/detail", id=first).data["qrToken"] == ""
    after = _detail(cast, plate)
    assert (after["bindId"], after["token"], after["tagCode"]) == (other, row["token"], row["tagCode"])
    with tenant_scope(A):
        changes = Event.objects.filter(operation="equiptags.edit", business_id=int(plate)).get().changes
    assert [(one["label"][0], one["old"][0], one["new"][0]) for one in changes] == [("绑定对象", "车床", "磨床")]
    assert keeper.change(TAGS, {"id": plate, "bindId": None}).status == 200
    assert (_detail(cast, plate)["bindId"], _detail(cast, plate)["bindName"]) == (None, "")
    listed = {
        str(name): [row["id"] for row in keeper.get(f"{TAGS}/list", **where).data["records"]]
        for name, where in (("spare", {"isPlate": 1, "isBound": 0}), ("bound", {"isPlate": 1, "isBound": 1}))
    }
    assert listed == {"spare": [plate], "bound": []}
    assert {row["type"] for row in keeper.get(f"{TAGS}/list", isPlate=0).data["records"]} == {4, 5, 6}


def test_an_asset_has_one_live_plate_for_each_carrier_and_a_point_one(cast: Cast) -> None:
    machine, nfc = str(cast.machine("M1").pk), {"carrier": 2, "nfcUid": "04a1b2c3d4"}
    first = _made(_plate(cast, "一", bindId=machine))
    assert _plate(cast, "二", bindId=machine, **nfc).status == 200
    code = _detail(cast, first)["tagCode"]
    before = checksum(A)
    for more in ({}, {"carrier": 3, "nfcUid": "04FFFFFFFF"}):
        refused = _plate(cast, "三", bindId=machine, **more)
        assert (refused.status, list(refused.data["fields"])) == (400, ["bindId"])
        assert not more or "请先解绑" in refused.msg
    assert refused.msg.startswith("设备「车床」已绑定标牌「")
    again = _plate(cast, "四", carrier=2, nfcUid="04A1B2C3D4")
    assert (again.status, again.msg) == (400, "NFC编号「04A1B2C3D4」已存在")
    assert checksum(A) == before
    keeper = cast.client_for("equip_manager")
    assert keeper.change(TAGS, {"id": first, "isSealed": 1}).status == 200
    second = _made(_plate(cast, "五", bindId=machine))
    assert _detail(cast, second)["tagCode"] != code
    assert keeper.change(TAGS, {"id": first, "isSealed": 0}).status == 400  # the place is taken by now
    point = _made(_point(cast, _made(_route(cast)), "P1"))
    assert _plate(cast, "六", type=2, bindId=point).status == 200
    refused = _plate(cast, "七", type=2, bindId=point, **{**nfc, "nfcUid": "0401020304"})
    assert refused.status == 400 and refused.msg.startswith("点位「点P1」已绑定标牌「")
    removed = keeper.post_json(f"{POINTS}/remove", ids=point)
    assert removed.status == 409
    removed = keeper.post_json(f"{MACHINES}/remove", ids=str(cast.machine("M2").pk))
    assert removed.status == 200  # it has none
    refused = keeper.post_json(f"{MACHINES}/remove", ids=str(cast.machine("M1").pk))
    assert refused.status == 409


def test_what_cannot_be_bound_is_refused(cast: Cast) -> None:
    line, theirs = str(cast.machine("LINE").pk), str(cast.machine("M1", B).pk)
    before = checksum(A)
    for values, field, text in (
        ({"bindId": line}, "bindId", "请选择未报废的设备或部件"),
        ({"bindId": theirs}, "bindId", "数据不存在或已被删除"),
        ({"type": 2, "bindId": str(cast.machine("M1").pk)}, "bindId", "数据不存在或已被删除"),
        ({"carrier": 2}, "nfcUid", "请输入NFC编号"),
        ({"carrier": 3, "nfcUid": "xyz"}, "nfcUid", "NFC编号应为8至32位十六进制数字"),
        ({"typeId": str(cast.machine_class("LATHES").pk)}, "typeId", "标牌不能限定设备类型"),
        ({"type": 4, "bindId": str(cast.machine("M1").pk)}, "bindId", "只有标牌有载体、NFC编号和绑定对象"),
    ):
        refused = _plate(cast, **values)
        assert (refused.status, refused.data["fields"]) == (400, {field: text}), values
    assert cast.client_for("operator").post_json(f"{TAGS}/submit", {"type": 1, "tagName": "甲"}).status == 403
    assert checksum(A) == before


def test_many_plates_are_made_at_once_and_their_prints_are_counted(cast: Cast) -> None:
    keeper = cast.client_for("equip_manager")
    ids = ",".join(str(cast.machine(code).pk) for code in ("M1", "M2", "M1-SPINDLE", "LINE"))
    _made(_plate(cast, "车床", bindId=str(cast.machine("M1").pk)))
    made = keeper.post_json(f"{TAGS}/makePlates", {"type": 1, "bindIds": ids}).data
    assert (made["created"], made["skipped"]) == (2, 2)
    assert keeper.post_json(f"{TAGS}/makePlates", {"type": 1, "bindIds": ids}).data["created"] == 0
    assert keeper.post_json(f"{TAGS}/printed", ids=made["ids"]).status == 200
    rows = {row["tagName"]: row for row in keeper.get(f"{TAGS}/list", isPlate=1).data["records"]}
    assert {name: row["printCount"] for name, row in rows.items()} == {"车床": 0, "磨床": 1, "主轴": 1}
    assert rows["磨床"]["lastPrintTime"] and rows["车床"]["lastPrintTime"] is None
    before = checksum(A)
    theirs = str(cast.machine("M1", B).pk)
    assert keeper.post_json(f"{TAGS}/makePlates", {"type": 1, "bindIds": f"{ids},{theirs}"}).status == 404
    assert keeper.post_json(f"{TAGS}/printed", ids=str(cast.tag("异响").pk)).status == 404
    for call, sent in (("makePlates", {"body": {"type": 1, "bindIds": ids}}), ("printed", {"ids": made["ids"]})):
        assert cast.client_for("operator").post_json(f"{TAGS}/{call}", **sent).status == 403
    assert checksum(A) == before


def test_a_scan_finds_plate_point_and_asset_by_whatever_was_read(cast: Cast) -> None:
    machine = cast.machine("M1")
    plate = _made(_plate(cast, bindId=str(machine.pk), carrier=3, nfcUid="04a1b2c3d4"))
    row = _detail(cast, plate)
    operator = cast.client_for("operator")

    def scan(text: str, who: Any = operator) -> Body:
        return who.post_json(f"{TAGS}/scan", {"text": text})  # type: ignore[no-any-return]

    for text in (
        row["token"], f"https://plant.example/scan/{row['token']}", row["tagCode"].lower(), "04:A1:B2:C3:D4",
    ):  # fmt: skip
        found = scan(text).data
        assert (found["tagId"], found["machine"]["machineCode"], found["point"]) == (plate, "M1", None), text
    for text in ("m1", f"https://plant.example/equip/machine/{machine.pk}"):
        assert (scan(text).data["tagId"], scan(text).data["machine"]["id"]) == (None, str(machine.pk))
    scanned = _detail(cast, plate)
    assert scanned["lastScanTime"] and scanned["lastScanUserName"] == "秦操"
    assert scanned["lockVersion"] == row["lockVersion"]
    point = _made(_point(cast, _made(_route(cast)), "P1"))
    other = _detail(cast, _made(_plate(cast, "点牌", type=2, bindId=point)))
    found = scan(other["token"], cast.client_for("equip_manager")).data
    assert (found["point"]["pointCode"], found["point"]["groupName"], found["machine"]["id"]) == (
        "P1", "路线R1", str(machine.pk),
    )  # fmt: skip
    before = checksum(A)
    for text in ("nothing", f"{A}-{'x' * 16}"):
        refused = scan(text)
        assert (refused.status, list(refused.data["fields"])) == (400, ["text"])
    assert scan(row["token"], cast.client_for("operator", B)).status == 400
    assert checksum(A) == before


def test_assets_have_class_labels_which_then_stay(cast: Cast) -> None:
    keeper, machine = cast.client_for("equip_manager"), cast.machine("M1")
    label = _made(_plate(cast, "瓶颈设备", type=3))
    reason = _made(_plate(cast, "待料", type=7))
    assert keeper.change(MACHINES, {"id": str(machine.pk), "tagIds": label}).status == 200
    row = keeper.get(f"{MACHINES}/detail", id=str(machine.pk)).data
    assert (row["tagIds"], row["tagNames"]) == (label, "瓶颈设备")
    assert [one["id"] for one in keeper.get(f"{MACHINES}/list", tagId=label).data["records"]] == [str(machine.pk)]
    assert keeper.get(f"{MACHINES}/list", tagId=reason).data["records"] == []
    before = checksum(A)
    for chosen in (reason, str(cast.tag("异响").pk), "1"):
        assert keeper.change(MACHINES, {"id": str(machine.pk), "tagIds": chosen}).status == 400
    refused = keeper.post_json(f"{TAGS}/remove", ids=label)
    assert (refused.status, refused.msg) == (409, "「瓶颈设备」已被设备引用，不能删除，请改为封存")
    assert checksum(A) == before
    assert keeper.change(TAGS, {"id": label, "isSealed": 1}).status == 200
    assert keeper.change(MACHINES, {"id": str(machine.pk), "tagIds": label, "remark": "新"}).status == 200
    reasons = keeper.get(f"{TAGS}/getTagList", type=7).data
    assert [one["tagName"] for one in reasons] == ["待料"] and keeper.get(f"{TAGS}/getTagList", type=3).data == []
    with tenant_scope(A):
        assert set(Tag.objects.filter(type=TagType.STOP_REASON).values_list("token", "carrier")) == {("", None)}


PLATES = "yuzhu-equip/equipplate"


def _sheet(caller: Any, path: str, **asked: Any) -> list[list[Any]]:
    answer = Client().get(f"/api/{path}", asked, headers=caller._headers())
    assert answer.status_code == 200, answer.content
    return [list(row) for row in load_workbook(io.BytesIO(answer.content)).active.values]  # type: ignore[union-attr]


def _bring(caller: Any, rows: list[list[Any]], **given: Any) -> Body:
    book, out = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)  # type: ignore[union-attr]
    book.save(out)
    return caller.post_form(f"{PLATES}/import", file=SimpleUploadedFile("p.xlsx", out.getvalue()), **given)  # type: ignore[no-any-return]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_the_export_of_plates_writes_is_read_back_unchanged(cast: Cast, language: str) -> None:
    point = _made(_point(cast, _made(_route(cast)), "P1"))
    for values in (
        {"tagName": "甲牌", "bindId": str(cast.machine("M1").pk), "remark": "门边"},
        {"tagName": "乙牌", "carrier": 3, "nfcUid": "04A1B2C3D4"},
        {"type": 2, "tagName": "点牌", "bindId": point},
        {"tagName": "丙牌", "isSealed": 1},
    ):
        _made(_plate(cast, **values))
    keeper = cast.client_for("equip_manager")
    keeper = keeper.in_english() if language == "en" else keeper
    sheet = _sheet(keeper, f"{TAGS}/export", isPlate=1)
    assert len(sheet) == 5
    with tenant_scope(A):
        before = list(Tag.objects.order_by("pk").values())
    refused = _bring(keeper, sheet)
    assert (refused.status, len(refused.data["errors"])) == (400, 4)
    answer = _bring(keeper, sheet, isCovered="1")
    assert (answer.status, answer.data) == (200, {"created": 0, "updated": 4}), answer
    with tenant_scope(A):
        assert list(Tag.objects.order_by("pk").values()) == before


def test_plates_come_in_bound_by_code_and_wrong_cells_are_told(cast: Cast) -> None:
    _made(_point(cast, _made(_route(cast)), "P1"))
    heads = _sheet(cast.client_for("equip_manager"), f"{PLATES}/export-template")[0]
    assert heads == ["类别*", "编号", "名称*", "载体", "NFC编号", "对象编号", "是否封存", "备注"]
    keeper, before = cast.client_for("equip_manager"), checksum(A)
    wrong = _bring(
        keeper,
        [
            heads,
            ["设备标牌", "C1", "甲", "二维码", None, "NONE", None, None],
            ["设备标牌", "C2", "乙", "NFC", None, "M1", None, None],
            ["故障现象", "C3", "丙", None, None, None, None, None],
            ["设备标牌", "C4", "丁", None, None, "SITE", None, None],
            ["点位标牌", "C5", "戊", None, None, "P1", None, None],
        ],
    )
    assert wrong.data["errors"] == [
        {"row": 2, "field": "对象编号", "text": "没有「NONE」这个选项"},
        {"row": 3, "field": "NFC编号", "text": "请输入NFC编号"},
        {"row": 4, "field": "类别", "text": "没有「故障现象」这个选项"},
        {"row": 5, "field": "对象编号", "text": "请选择未报废的设备或部件"},
    ]
    assert checksum(A) == before
    assert _bring(cast.client_for("viewer"), [heads]).status == 403
    good = [["设备标牌", None, "甲", "二维码", None, "M1"], ["点位标牌", "C5", "戊", None, None, "P1"]]
    assert _bring(keeper, [heads[:6], *good]).data == {"created": 2, "updated": 0}
    with tenant_scope(A):
        found = {one.tag_name: one for one in Tag.objects.filter(type__in=(1, 2))}
    assert (found["甲"].machine_id, found["戊"].point_id is not None) == (cast.machine("M1").pk, True)
    assert re.fullmatch(r"[2-9A-HJ-NP-Z]{12}", found["甲"].tag_code)
    assert re.fullmatch(rf"{A}-\w{{16}}", found["甲"].token) and found["甲"].token != found["戊"].token
    # A code of a plate is one plate's, of whatever kind.
    double = _plate(cast, "己", tagCode="C5")
    assert (double.status, double.data["fields"]) == (400, {"tagCode": "编号「C5」已存在"})
