"""Failure codes: for which assets they are offered, which come first, and what stays because orders name it."""

from __future__ import annotations

import io
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from openpyxl import Workbook, load_workbook

from core.equipment.models import MachineClass, Tag, TagType
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from tests.cast import A, B, Cast
from tests.checksums import checksum
from tests.repairs import Story

TAGS = "yuzhu-equip/equiptags"


def _add(cast: Cast, **values: Any) -> Any:
    return cast.client_for("equip_manager").post_json(f"{TAGS}/submit", {"type": 4, "tagName": "渗油", **values})


def _offered(cast: Cast, kind: int = 4, **where: str) -> list[str]:
    return [row["tagName"] for row in cast.client_for("operator").get(f"{TAGS}/getTagList", type=kind, **where).data]


def test_a_code_is_offered_for_its_class_those_below_it_and_no_other(cast: Cast) -> None:
    machine, spindle = cast.machine("M1"), cast.machine("M1-SPINDLE")
    assert machine.type_id != spindle.type_id
    assert _add(cast, typeId=str(machine.type_id)).status == 200
    with tenant_scope(A):
        below = MachineClass(parent_id=machine.type_id, type_code="LATHE-CNC", type_name="数控")
        below.save()
        sealed = Tag.objects.create(type=TagType.SYMPTOM, tag_name="旧", is_sealed=True)
    assert _offered(cast) == ["异响", "渗油"]
    assert _offered(cast, machineId=str(machine.pk)) == ["异响", "渗油"]
    assert _offered(cast, typeId=str(below.pk)) == ["异响", "渗油"]
    for where in ({"machineId": str(spindle.pk)}, {"typeId": str(spindle.type_id)}, {"typeId": "1"}):
        assert _offered(cast, **where) == ["异响"]
    chosen = cast.client_for("operator").get(f"{TAGS}/select", type=4, machineId=str(spindle.pk)).data["records"]
    assert [row["name"] for row in chosen] == ["异响"] and sealed.tag_name not in _offered(cast)


def test_symptoms_that_were_chosen_of_late_come_first(cast: Cast) -> None:
    assert _add(cast, tagName="先兆", sort=0).status == 200
    with tenant_scope(A):
        Tag.objects.filter(tag_name="异响").update(sort=1)
    symptoms = cast.client_for("operator").get(f"{TAGS}/getTagList", type=4).data
    assert [(row["tagName"], row["useCount90"]) for row in symptoms] == [("先兆", 0), ("异响", 0)]
    Story(cast, faultTagIds=str(cast.tag("异响").pk))
    symptoms = cast.client_for("operator").get(f"{TAGS}/getTagList", type=4).data
    assert [(row["tagName"], row["useCount90"]) for row in symptoms] == [("异响", 1), ("先兆", 0)]
    with clock.at(clock.now() + timedelta(days=91)):
        later = cast.client_for("operator").get(f"{TAGS}/getTagList", type=4).data
    assert {row["useCount90"] for row in later} == {0}
    causes = cast.client_for("operator").get(f"{TAGS}/getTagList", type=5).data
    assert [(row["tagName"], row["useCount90"]) for row in causes] == [("磨损", None)]


def test_what_an_order_names_is_sealed_and_not_removed(cast: Cast) -> None:
    noise = cast.tag("异响")
    Story(cast, faultTagIds=str(cast.tag("异响").pk))
    keeper = cast.client_for("equip_manager")
    before = checksum(A)
    refused = keeper.post_json(f"{TAGS}/remove", ids=str(noise.pk))
    assert (refused.status, refused["error"]) == (409, "tag.inUse")
    assert refused.msg == "「异响」已被维修工单引用，不能删除，请改为封存"
    english = keeper.in_english().post_json(f"{TAGS}/remove", ids=str(noise.pk)).msg
    assert english == "“Noise” is used in work orders and cannot be deleted; seal it instead"
    assert checksum(A) == before
    assert keeper.change(TAGS, {"id": str(noise.pk), "isSealed": 1}).status == 200
    assert _offered(cast) == []
    unused = _add(cast).data["id"]
    assert keeper.post_json(f"{TAGS}/remove", ids=unused).status == 200


def test_names_and_codes_occur_once_in_a_kind(cast: Cast) -> None:
    of_class = str(cast.machine("M1").type_id)
    assert _add(cast, tagCode="S-1").status == 200
    for values, wire in (
        ({}, "tagName"),
        ({"tagName": "另一", "tagCode": "S-1"}, "tagCode"),
    ):
        refused = _add(cast, **values)
        assert refused.status == 400 and list(refused.data["fields"]) == [wire]
        assert refused.msg.endswith("已存在")
    # Of another kind, for one class of assets, and without a code, the same word may stand again.
    for values in ({"type": 6}, {"typeId": of_class}, {"tagName": "无码一"}, {"tagName": "无码二"}):
        assert _add(cast, **values).status == 200, values
    assert _add(cast, typeId=of_class).status == 400
    with tenant_scope(B):
        assert not Tag.objects.filter(tag_name="渗油").exists()


@pytest.mark.parametrize(
    ("values", "wire"),
    [
        ({"type": 6, "parentId": "noise"}, "parentId"),
        ({"type": 5, "parentId": "wear"}, "parentId"),
        ({"color": "red"}, "color"),
        ({"type": 8}, "type"),
        ({"carrier": 1}, "carrier"),
    ],
    ids=["an action under a symptom", "a cause under a cause", "no colour", "no kind", "a word on a carrier"],
)
def test_what_does_not_fit_is_refused(values: dict[str, Any], wire: str, cast: Cast) -> None:
    known = {"noise": str(cast.tag("异响").pk), "wear": str(cast.tag("磨损").pk)}
    before = checksum(A)
    refused = _add(cast, **{name: known.get(str(value), value) for name, value in values.items()})
    assert refused.status == 400 and list(refused.data["fields"]) == [wire]
    assert checksum(A) == before


def test_a_cause_stands_under_a_symptom_and_keeps_its_kind(cast: Cast) -> None:
    added = _add(cast, type=5, tagName="轴承缺油", parentId=str(cast.tag("异响").pk))
    assert added.status == 200
    keeper = cast.client_for("equip_manager")
    row = keeper.get(f"{TAGS}/detail", id=added.data["id"]).data
    assert (row["parentName"], row["typeName"], row["color"]) == ("异响", "故障原因", "#409EFF")
    refused = keeper.change(TAGS, {"id": added.data["id"], "type": 6})
    assert (refused.status, refused.msg) == (400, "类别保存后不能修改")
    assert cast.client_for("operator").post_json(f"{TAGS}/submit", {"type": 4, "tagName": "新"}).status == 403


WORDS = "yuzhu-equip/failurecode"


def _sheet(caller: Any, path: str, **asked: Any) -> list[list[Any]]:
    answer = Client().get(f"/api/{path}", asked, headers=caller._headers())
    assert answer.status_code == 200, answer.content
    return [list(row) for row in load_workbook(io.BytesIO(answer.content)).active.values]  # type: ignore[union-attr]


def _bring(caller: Any, rows: list[list[Any]], **given: Any) -> Any:
    book, out = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)  # type: ignore[union-attr]
    book.save(out)
    return caller.post_form(f"{WORDS}/import", file=SimpleUploadedFile("w.xlsx", out.getvalue()), **given)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_the_export_of_codes_writes_is_read_back_unchanged(cast: Cast, language: str) -> None:
    of_class = str(cast.machine("M1").type_id)
    for values in (
        {"tagCode": "S-1", "tagNameEn": "Leak", "remark": "油"},
        {"typeId": of_class, "sort": 3},  # the same name for one asset type, and no code
        {"type": 5, "tagCode": "S-1", "tagName": "密封老化", "parentId": str(cast.tag("异响").pk)},
        {"type": 6, "tagName": "紧固", "isSealed": 1, "color": "#112233"},
    ):
        assert _add(cast, **values).status == 200
    keeper = cast.client_for("equip_manager")
    keeper = keeper.in_english() if language == "en" else keeper
    sheet = _sheet(keeper, f"{TAGS}/export", isPlate=0)
    with tenant_scope(A):
        before = list(Tag.objects.order_by("pk").values())
    assert len(sheet) == len(before) + 1
    refused = _bring(keeper, sheet)
    # What stands under another row is looked at once that one is right.
    assert (refused.status, len(refused.data["errors"])) == (400, len(before) - 1)
    answer = _bring(keeper, sheet, isCovered="1")
    assert (answer.status, answer.data) == (200, {"created": 0, "updated": len(before)}), answer
    with tenant_scope(A):
        assert list(Tag.objects.order_by("pk").values()) == before


def test_codes_come_in_known_by_code_or_name_and_wrong_cells_are_told(cast: Cast) -> None:
    with tenant_scope(A):
        machine_type = MachineClass.objects.get(pk=cast.machine("M1").type_id)
    keeper = cast.client_for("equip_manager")
    heads = _sheet(keeper, f"{WORDS}/export-template")[0]
    assert heads == [
        "类别*", "编号", "名称*", "英文名称", "适用设备类型", "所属现象", "颜色", "排序", "是否封存", "备注",
    ]  # fmt: skip
    before = checksum(A)
    wrong = _bring(
        keeper,
        [
            heads[:6],
            ["设备标牌", "P1", "牌"],
            ["故障现象", None, "渗油", None, "没有的类型"],
            ["故障现象", "S-1", "渗油", None, None, "异响"],
            ["故障原因", "C-1", "磨损"],
            ["故障现象", None, "卡滞"],
            ["故障现象", None, " 卡滞 "],
            [None, None, "无类别"],
        ],
    )
    assert sorted((one["row"], one["field"], one["text"]) for one in wrong.data["errors"]) == [
        (2, "类别", "没有「设备标牌」这个选项"),
        (3, "适用设备类型", "没有「没有的类型」这个选项"),
        (4, "所属现象", "只有故障原因可以属于故障现象"),
        (5, "名称", "名称「磨损」已存在"),
        (7, "名称", "与第6行重复"),
        (8, "类别", "请选择类别"),
    ]
    assert checksum(A) == before
    for who in ("viewer", "repair_leader"):
        assert _bring(cast.client_for(who), [heads]).status == 403
    # A cause may stand under a symptom further up in the sheet; codes are of a kind.
    good = [
        heads[:6],
        ["故障现象", "X-1", "渗漏", "Leak"],
        ["故障原因", "X-1", "密封老化", "Worn seal", None, "渗漏"],
        ["处理措施", None, "紧固", None, machine_type.type_name, None],
    ]
    assert _bring(keeper, good).data == {"created": 3, "updated": 0}
    again = [heads[:4], ["故障现象", "X-1", "渗漏油", "Oil leak"], ["故障现象", None, "异响", "Odd noise"]]
    assert [one["text"] for one in _bring(keeper, again).data["errors"]] == ["「X-1」已存在", "「异响」已存在"]
    assert _bring(keeper, again, isCovered="1").data == {"created": 0, "updated": 2}
    with tenant_scope(A):
        found = {(one.type, one.tag_name): one for one in Tag.objects.select_related("parent", "asset_type")}
    assert str(found[5, "密封老化"].parent.tag_name) == "渗漏油"
    assert (found[4, "渗漏油"].tag_name_en, found[4, "异响"].tag_name_en) == ("Oil leak", "Odd noise")
    assert found[6, "紧固"].asset_type == machine_type
    with tenant_scope(B):
        assert not Tag.objects.filter(tag_name="渗漏油").exists()
