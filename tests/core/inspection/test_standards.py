"""Check standards: the rules of their items, stable ids, versions, copies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.inspection.models import CheckStandard, StandardVersion
from core.kernel.tenancy import tenant_scope
from tests.cast import A, B, Body, Cast
from tests.checksums import checksum

PATH = "yuzhu-equip/inspectConfig"
PRESSURE: Mapping[str, Any] = {
    "itemName": "排气压力", "valueType": 1, "unit": "MPa", "decimals": 2,
    "lower": 0.60, "warnLower": 0.65, "warnUpper": 0.78, "upper": 0.80,
}  # fmt: skip
OIL: Mapping[str, Any] = {"itemName": "油位", "valueType": 2}


def _save(cast: Cast, *items: Mapping[str, Any], code: str = "S1", by: str = "equip_manager", **more: Any) -> Body:
    body = {"configCode": code, "configName": f"标准{code}", "items": list(items), **more}
    return cast.client_for(by).post_json(f"{PATH}/save", body)


def _made(cast: Cast, *items: Mapping[str, Any], code: str = "S1") -> str:
    answer = _save(cast, *items, code=code)
    assert answer.status == 200, answer
    return str(answer.data["id"])


def _detail(cast: Cast, row_id: str) -> Any:
    return cast.client_for("viewer").get(f"{PATH}/detail", id=row_id).data


def _update(cast: Cast, row_id: str, **values: Any) -> Body:
    version = _detail(cast, row_id)["lockVersion"]
    return cast.client_for("equip_manager").post_json(
        f"{PATH}/update", {"id": row_id, "lockVersion": version, **values}
    )


def test_an_item_comes_back_as_it_was_sent_with_its_defaults(cast: Cast) -> None:
    [pressure, oil] = _detail(cast, _made(cast, PRESSURE, OIL))["items"]
    assert {name: pressure[name] for name in PRESSURE} == PRESSURE
    assert (pressure["valueTypeName"], pressure["sort"], oil["sort"]) == ("数值", 1, 2)
    names = (
        "part", "method", "decimals", "lower", "options", "okLabel", "badLabel", "machineState", "required",
        "needPhoto", "abnormalAction", "repairUrgency", "importance", "tips", "tipImages",
    )  # fmt: skip
    assert [oil[name] for name in names] == ["", 1, 1, None, [], "正常", "异常", 3, 1, 0, 1, 3, 2, "", []]
    assert (0 < len(oil["itemId"]) <= 16, oil["itemId"] != pressure["itemId"]) == (True, True)


WRONG = [
    ({**PRESSURE, "warnLower": 0.5}, "warnLower", "检查项「排气压力」的上下限顺序不正确"),
    ({**PRESSURE, "warnUpper": None, "upper": 0.64}, "upper", "检查项「排气压力」的上下限顺序不正确"),
    ({**PRESSURE, "decimals": 1}, "warnLower", "检查项「排气压力」的限值最多1位小数"),
    ({"itemName": "温度", "valueType": 1}, "upper", "检查项「温度」至少要有一个限值，或将异常处理设为“仅记录”"),
    ({**OIL, "itemName": " "}, "itemName", "请输入检查项"),
    ({**OIL, "itemName": "长" * 81}, "itemName", "检查项长度不能超过80个字符"),
    ({**OIL, "valueType": 7}, "valueType", "请选择结果类型"),
    ({**PRESSURE, "decimals": 5}, "decimals", "小数位应在0到4之间"),
    ({"itemName": "油", "valueType": 3, "options": [{"label": "足"}]}, "options", "选项至少要有2个"),
    (
        {"itemName": "油", "valueType": 3, "options": [{"label": "少", "result": 2}, {"label": "缺", "result": 3}]},
        "options", "选项至少要有一个“正常”",
    ),
    ({"itemName": "油", "valueType": 3, "options": [{"label": "足"}, {"label": "足"}]}, "options", "选项「足」已存在"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("item", "field", "text"), WRONG, ids=[f"{field}-{n}" for n, (_i, field, _t) in enumerate(WRONG)]
)
def test_a_wrong_item_is_named_by_its_place_and_nothing_is_stored(
    cast: Cast, item: Mapping[str, Any], field: str, text: str
) -> None:
    before = checksum(A)
    answer = _save(cast, {"itemName": "第一项"}, item)
    assert (answer.status, answer["error"], answer.data["fields"]) == (400, "input.invalid", {f"items.1.{field}": text})
    assert checksum(A) == before


def test_what_is_no_item_is_refused_in_our_words(cast: Cast) -> None:
    before = checksum(A)
    for value in (None, "x", [], 1):
        answer = _save(cast, {"itemName": "第一项"}, value)
        assert answer.status == 400, value
        assert list(answer.data["fields"].values()) == ["请求参数格式错误"], answer.data
    assert checksum(A) == before


def test_equal_limits_are_in_order_and_a_number_that_is_only_recorded_needs_none(cast: Cast) -> None:
    equal = {**PRESSURE, "warnLower": 0.6, "warnUpper": 0.8}
    record = {"itemName": "室温", "valueType": 1, "abnormalAction": 0}
    [first, second] = _detail(cast, _made(cast, equal, record))["items"]
    assert (first["warnLower"], first["warnUpper"], second["abnormalAction"]) == (0.6, 0.8, 0)


def test_names_are_unique_in_a_standard_and_there_are_one_to_a_hundred_items(cast: Cast) -> None:
    before = checksum(A)
    assert _save(cast, OIL, {**OIL, "itemName": "油位 "}).data["fields"] == {"items.1.itemName": "检查项「油位」已存在"}
    assert _save(cast).data["fields"] == {"items": "请添加检查项"}
    many = [{"itemName": f"项{n}"} for n in range(101)]
    assert _save(cast, *many).data["fields"] == {"items": "检查项最多100项"}
    english = cast.client_for("equip_manager").in_english()
    refused = english.post_json(f"{PATH}/save", {"configCode": "X", "configName": "X", "items": many})
    assert refused.data["fields"] == {"items": "Check items must have at most 100 items"}
    assert checksum(A) == before
    _made(cast, *many[:100])


def test_what_the_kind_of_value_has_not_is_left_out(cast: Cast) -> None:
    [item] = _detail(cast, _made(cast, {**PRESSURE, "valueType": 4, "options": [{"label": "足"}]}))["items"]
    assert [item[name] for name in ("unit", "lower", "upper", "options")] == ["", None, None, []]


def test_the_usual_words_of_pass_and_fail_come_in_the_readers_language(cast: Cast) -> None:
    row_id = _made(cast, {**OIL, "okLabel": "正常", "badLabel": "漏油"})
    [item] = cast.client_for("viewer").in_english().get(f"{PATH}/detail", id=row_id).data["items"]
    assert (item["okLabel"], item["badLabel"]) == ("Normal", "漏油")


def test_an_item_keeps_its_id_and_each_change_of_items_makes_a_version(cast: Cast) -> None:
    row_id = _made(cast, PRESSURE, OIL)
    [pressure, oil] = _detail(cast, row_id)["items"]
    assert _update(cast, row_id, remark="改").status == 200
    assert _update(cast, row_id, items=[pressure, oil]).status == 200
    assert _detail(cast, row_id)["versionNo"] == 1
    assert _update(cast, row_id, items=[oil, {**pressure, "upper": 0.85}, {"itemName": "新"}]).status == 200
    found = _detail(cast, row_id)
    assert (found["versionNo"], found["itemCount"]) == (2, 3)
    assert [item["itemId"] for item in found["items"]][:2] == [oil["itemId"], pressure["itemId"]]
    viewer = cast.client_for("viewer")
    versions = viewer.get(f"{PATH}/versions", id=row_id).data
    assert [(one["versionNo"], one["itemCount"], one["createUserName"]) for one in versions] == [
        (2, 3, "钱管"), (1, 2, "钱管"),
    ]  # fmt: skip
    first = viewer.get(f"{PATH}/version", id=row_id, versionNo=1).data
    assert [(item["itemName"], item["upper"]) for item in first["items"]] == [("排气压力", 0.8), ("油位", None)]
    assert viewer.get(f"{PATH}/version", id=row_id, versionNo=3).status == 404


def test_an_id_that_the_standard_does_not_have_is_refused(cast: Cast) -> None:
    row_id, other = _made(cast, OIL), _made(cast, OIL, code="S2")
    theirs = _detail(cast, other)["items"][0]["itemId"]
    before = checksum(A)
    answer = _update(cast, row_id, items=[{**OIL, "itemId": theirs}])
    assert (answer.status, answer.data["fields"]) == (400, {"items.0.itemId": "数据不存在或已被删除"})
    assert checksum(A) == before


def test_save_only_adds_and_update_only_changes(cast: Cast) -> None:
    row_id = _made(cast, OIL)
    before = checksum(A)
    assert _save(cast, OIL, code="S2", id=row_id).status == 400
    body = {"configCode": "S3", "configName": "三", "items": [OIL]}
    assert cast.client_for("equip_manager").post_json(f"{PATH}/update", body).status == 400
    assert checksum(A) == before


def test_code_and_name_are_unique_and_a_sealed_class_is_not_used_anew(cast: Cast) -> None:
    _made(cast, OIL)
    before = checksum(A)
    assert _save(cast, OIL, configName="别的").data["fields"] == {"configCode": "标准编号「S1」已存在"}
    assert _save(cast, OIL, code="S2", configName="标准S1").data["fields"] == {"configName": "标准名称「标准S1」已存在"}
    assert _save(cast, OIL, code="S2", configType=3).data["fields"] == {"configType": "请选择标准类型"}
    assert checksum(A) == before
    lathes = cast.machine_class("LATHES")
    with tenant_scope(A):
        lathes.change({"is_sealed": True})
    assert _save(cast, OIL, code="S2", typeId=str(lathes.pk)).data["fields"] == {"typeId": "「车床类」已封存，不能使用"}


def test_a_copy_has_items_of_its_own_and_nothing_of_the_first_is_changed(cast: Cast) -> None:
    row_id = _made(cast, PRESSURE, OIL)
    manager = cast.client_for("equip_manager")
    first = _detail(cast, row_id)
    taken = manager.post_json(f"{PATH}/copy", {"id": row_id, "configCode": "S1", "configName": "新"})
    assert taken.data["fields"] == {"configCode": "标准编号「S1」已存在"}
    made = manager.post_json(f"{PATH}/copy", {"id": row_id, "configCode": "S9", "configName": "副本"})
    assert made.status == 200, made
    copy = _detail(cast, made.data["id"])
    assert (copy["configCode"], copy["configName"], copy["versionNo"], copy["itemCount"]) == ("S9", "副本", 1, 2)
    assert [item["itemName"] for item in copy["items"]] == ["排气压力", "油位"]
    assert {item["itemId"] for item in copy["items"]}.isdisjoint(item["itemId"] for item in first["items"])
    assert _detail(cast, row_id) == first


def test_only_those_who_may_keep_standards_and_only_those_of_their_company(cast: Cast) -> None:
    row_id = _made(cast, OIL)
    before = checksum(A), checksum(B)
    body = {"id": row_id, "configCode": "N", "configName": "N"}
    for account in ("operator", "shift_leader", "repairer", "viewer"):
        caller = cast.client_for(account)
        assert _save(cast, OIL, code="N", by=account).status == 403
        assert caller.post_json(f"{PATH}/copy", body).status == 403
        assert caller.get(f"{PATH}/versions", id=row_id).status == 200
    stranger = cast.client_for("equip_manager", B)
    assert stranger.post_json(f"{PATH}/copy", body).status == 404
    assert stranger.get(f"{PATH}/versions", id=row_id).status == 404
    assert stranger.get(f"{PATH}/version", id=row_id, versionNo=1).status == 404
    assert (checksum(A), checksum(B)) == before


def test_a_detail_costs_the_same_with_many_items(cast: Cast) -> None:
    viewer, counts = cast.client_for("viewer"), []
    for code, number in (("S0", 1), ("S1", 1), ("S2", 60)):  # the first one fills the caches of the rights
        row_id = _made(cast, *({"itemName": f"项{n}"} for n in range(number)), code=code)
        with CaptureQueriesContext(connection) as captured:
            assert viewer.get(f"{PATH}/detail", id=row_id).status == 200
        counts.append(len(captured))
    assert counts[1] == counts[2]
    with tenant_scope(A):
        assert (CheckStandard.objects.count(), StandardVersion.objects.count()) == (3, 3)
