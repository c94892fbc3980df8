"""Extra fields: who declares them, what forms take of them, and how lists, sheets and histories show them."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.test import Client
from openpyxl import load_workbook

from core.audit.models import Event
from core.equipment.models import Machine
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder
from core.system.models import ExtraField, ExtraOption
from tests.cast import A, B, Cast
from tests.checksums import checksum
from tests.extras import (
    ALL,
    CHECKED,
    COLOUR,
    COLOURS,
    CONTRACT,
    DECLARED,
    MACHINES,
    NOUN,
    ORDERS,
    VALUES,
    WEIGHT,
    codes,
    declare,
    field,
    import_rows,
    set_values,
)
from tests.prove.fuzz import plain_document

# --- declarations ---------------------------------------------------------------------------------------------------


def test_what_is_declared_is_told_to_everybody_in_its_order(cast: Cast) -> None:
    declare(cast, COLOUR, {**WEIGHT, "required": 1}, CONTRACT)
    found = cast.client_for("operator").get(DECLARED, noun="inspectmachine").data
    assert [one["key"] for one in found] == ["contract_no", "weight", "colour"]
    assert found[1] == {
        "key": "weight", "label": "自重(吨)", "labelEn": "Weight (t)", "type": 2, "decimals": 2, "required": 1,
        "isSealed": 0, "options": [],
    }  # fmt: skip
    assert found[2]["options"] == [{"value": v, "label": zh, "labelEn": en} for v, zh, en in COLOURS]
    assert cast.client_for("operator").get(DECLARED, noun="repairorder").data == []
    assert cast.client_for("operator", B).get(DECLARED, noun="inspectmachine").data == []
    for noun in ("", "dept"):
        assert cast.client_for("operator").get(DECLARED, noun=noun).status == 400


@pytest.mark.parametrize("who", ["operator", "repair_leader", "viewer", "flow_designer"])
def test_only_administrator_and_equipment_manager_declare(cast: Cast, who: str) -> None:
    (row,) = declare(cast, CONTRACT)
    before, caller = checksum(A), cast.client_for(who)
    for answer in (
        caller.get(f"{NOUN}/list"),
        caller.post_json(f"{NOUN}/submit", WEIGHT),
        caller.change(NOUN, {"id": row, "label": "偷"}),
        caller.post_json(f"{NOUN}/remove", ids=row),
    ):
        assert answer.status == 403
    assert checksum(A) == before
    assert cast.client_for("tenant_admin").change(NOUN, {"id": row, "label": "合同编号"}).status == 200


@pytest.mark.parametrize(
    ("wrong", "name", "text"),
    [
        ({"key": "1a"}, "key", "标识应以字母开头，只含字母、数字和下划线"),
        ({"key": "a-b"}, "key", "标识应以字母开头，只含字母、数字和下划线"),
        ({"key": "weight_ge"}, "key", "标识不能以「_ge」结尾"),
        ({"key": "colour"}, "key", "标识「colour」已存在"),
        ({"label": "颜色"}, "label", "名称「颜色」已存在"),
        ({"label": "设备编号"}, "label", "名称「设备编号」已存在"),
        ({"label": "上级编号"}, "label", "名称「上级编号」已存在"),
        ({"label": "甲", "labelEn": "Asset code"}, "labelEn", "英文名称「Asset code」已存在"),
        ({"label": "甲", "labelEn": "Colour"}, "labelEn", "英文名称「Colour」已存在"),
        ({"label": "甲*"}, "label", "名称格式不正确"),
        ({"type": 9}, "type", "请选择类型"),
        ({"type": 4}, "options", "请添加选项"),
        ({"type": 2, "decimals": 7}, "decimals", "小数位数应在0到6之间"),
        ({"noun": "dept"}, "noun", "请选择适用对象"),
    ],
)
def test_what_is_declared_wrongly_is_told(cast: Cast, wrong: dict[str, Any], name: str, text: str) -> None:
    declare(cast, COLOUR)
    before = checksum(A)
    answer = cast.client_for("equip_manager").post_json(f"{NOUN}/submit", {**CONTRACT, **wrong})
    assert (answer.status, answer.data["fields"]) == (400, {name: text})
    assert checksum(A) == before


def test_options_differ_and_those_that_are_chosen_stay(cast: Cast) -> None:
    keeper = cast.client_for("equip_manager")
    twice = [{"value": "red", "label": "红"}, {"value": "red", "label": "朱"}]
    answer = keeper.post_json(f"{NOUN}/submit", {**COLOUR, "options": twice})
    assert answer.data["fields"] == {"options": "选项「red」重复"}
    (row,) = declare(cast, COLOUR)
    assert set_values(cast, {"colour": "red"}).status == 200
    red, blue = keeper.get(f"{NOUN}/detail", id=row).data["options"]
    before = checksum(A)
    for left in ([blue], [{**red, "value": "rot"}, blue]):
        answer = keeper.change(NOUN, {"id": row, "options": left})
        assert answer.data["fields"] == {"options": "已有数据选择了选项「红」，不能删除"}
    assert checksum(A) == before
    # What nobody has chosen may go, and a name may change: rows keep the value.
    assert keeper.change(NOUN, {"id": row, "options": [{**red, "label": "大红"}]}).status == 200
    (found,) = keeper.get(DECLARED, noun="inspectmachine").data
    assert found["options"] == [{"value": "red", "label": "大红", "labelEn": "Red"}]
    assert set_values(cast, {"colour": "blue"}).data["fields"] == {"ext.colour": "请选择颜色"}


def test_type_and_key_stay_once_rows_have_values_and_the_field_too(cast: Cast) -> None:
    keeper = cast.client_for("equip_manager")
    (row,) = declare(cast, WEIGHT)
    assert keeper.change(NOUN, {"id": row, "key": "mass"}).data["fields"] == {"key": "标识不能修改"}
    assert keeper.change(NOUN, {"id": row, "noun": "repairorder"}).data["fields"] == {"noun": "适用对象不能修改"}
    assert keeper.change(NOUN, {"id": row, "decimals": 1}).status == 200
    assert set_values(cast, {"weight": 1.5}).status == 200
    before = checksum(A)
    text = "已有数据填写了该字段，不能修改"
    assert keeper.change(NOUN, {"id": row, "type": 1}).data["fields"] == {"type": f"{text}类型"}
    assert keeper.change(NOUN, {"id": row, "decimals": 0}).data["fields"] == {"decimals": f"{text}小数位数"}
    refused = keeper.post_json(f"{NOUN}/remove", ids=row)
    text = "已有数据填写了扩展字段「自重(吨)」，不能删除，请改为封存"
    assert (refused.status, refused["error"], refused.msg) == (409, "extraField.inUse", text)
    assert checksum(A) == before
    # More places are no loss, and what no row has goes.
    assert keeper.change(NOUN, {"id": row, "decimals": 3}).status == 200
    assert set_values(cast, {"weight": None}).status == 200
    assert keeper.post_json(f"{NOUN}/remove", ids=row).status == 200
    assert keeper.get(DECLARED, noun="inspectmachine").data == []
    assert set_values(cast, {"weight": 1}).data["fields"] == {"ext.weight": "未知字段「weight」"}


def test_a_removed_row_keeps_its_field(cast: Cast) -> None:
    (row,) = declare(cast, WEIGHT)
    with tenant_scope(A):
        Machine.objects.filter(machine_code="M2").update(ext={"weight": 1}, is_deleted=True)
    assert cast.client_for("equip_manager").post_json(f"{NOUN}/remove", ids=row).status == 409


def test_thirty_fields_are_enough(cast: Cast) -> None:
    with tenant_scope(A):
        ExtraField.objects.bulk_create(
            ExtraField(noun="inspectmachine", key=f"k{n}", label=f"字段{n}") for n in range(29)
        )
    declare(cast, CONTRACT)
    answer = cast.client_for("equip_manager").post_json(f"{NOUN}/submit", WEIGHT)
    assert answer.data["fields"] == {"noun": "最多30个扩展字段"}
    declare(cast, {**WEIGHT, "noun": "repairorder"})


# --- values ---------------------------------------------------------------------------------------------------------


def test_values_are_kept_as_they_are_and_others_stay(cast: Cast) -> None:
    declare(cast, *ALL)
    assert set_values(cast, VALUES).status == 200
    viewer = cast.client_for("viewer")
    assert viewer.get(f"{MACHINES}/detail", id=str(cast.machine("M1").pk)).data["ext"] == VALUES
    (row,) = viewer.get(f"{MACHINES}/list", machineCode="M1").data["records"]
    assert row["ext"] == VALUES
    # Only what is sent changes; nothing and an empty text take back.
    assert set_values(cast, {"contract_no": " ", "colour": None, "weight": "0.50"}).status == 200
    assert cast.machine("M1").ext == {"weight": 0.5, "checked": "2026-03-02"}
    assert cast.machine("M2").ext == {} and cast.machine("M1", B).ext == {}


@pytest.mark.parametrize(
    ("key", "value", "zh", "en"),
    [
        ("contract_no", "x" * 201, "合同号长度不能超过200个字符", "Contract no. must not exceed 200 characters"),
        ("contract_no", ["x"], "合同号应为文本", "Contract no. must be text"),
        ("weight", "heavy", "自重(吨)应为数字", "Weight (t) must be a number"),
        ("weight", 1.234, "自重(吨)最多2位小数", "Weight (t) may have at most 2 decimals"),
        ("weight", 10**14, "自重(吨)的整数部分最多13位", None),
        ("weight", "NaN", "自重(吨)应为数字", "Weight (t) must be a number"),
        ("checked", "02.03.2026", "检定日期应为日期，如2026-03-02", "Calibrated on must be a date such as 2026-03-02"),
        ("checked", "2026-02-30", "检定日期应为日期，如2026-03-02", None),
        ("colour", "green", "请选择颜色", "Please select Colour"),
        ("colour", {"a": 1}, "请选择颜色", "Please select Colour"),
        ("colour", "红", "请选择颜色", "Please select Colour"),
        ("price", 1, "未知字段「price」", "Unknown field “price”"),
    ],
)
def test_a_wrong_value_is_told_at_its_key_in_the_callers_language(
    cast: Cast, key: str, value: Any, zh: str, en: str | None
) -> None:
    declare(cast, *ALL)
    before = checksum(A)
    answer = set_values(cast, {key: value, "contract_no" if key != "contract_no" else "weight": 1})
    assert (answer.status, answer["error"], answer.data["fields"]) == (400, "input.invalid", {f"ext.{key}": zh})
    if en is not None:
        english = cast.client_for("equip_manager").in_english()
        answer = english.change(MACHINES, {"id": str(cast.machine("M1").pk), "ext": {key: value}})
        assert answer.data["fields"] == {f"ext.{key}": en}
    assert checksum(A) == before


@pytest.mark.parametrize("value", ["x", [1], 1, None, {f"k{n}": 1 for n in range(61)}])
def test_the_values_are_an_object(cast: Cast, value: Any) -> None:
    declare(cast, *ALL)
    before = checksum(A)
    answer = set_values(cast, value)
    assert (answer.status, list(answer.data["fields"])) == (400, ["ext"])
    assert checksum(A) == before


def test_a_field_of_another_company_or_noun_is_unknown(cast: Cast) -> None:
    declare(cast, CONTRACT, tenant=B)
    declare(cast, {**WEIGHT, "noun": "repairorder"})
    answer = set_values(cast, {"contract_no": "x", "weight": 1})
    unknown = {"ext.contract_no": "未知字段「contract_no」", "ext.weight": "未知字段「weight」"}
    assert (answer.status, answer.data["fields"]) == (400, unknown)
    assert set_values(cast, {"contract_no": "x"}, tenant=B).status == 200


def test_a_required_field_is_asked_of_machines_and_not_of_areas(cast: Cast) -> None:
    declare(cast, {**CONTRACT, "required": 1}, COLOUR)
    keeper = cast.client_for("equip_manager")
    new = {
        "machineCode": "N1", "machineName": "铣床", "nodeType": 4, "deptId": str(cast.machine("M1").dept_id),
        "typeId": str(cast.machine_class("LATHES").pk), "parentId": str(cast.machine("LINE").pk),
    }  # fmt: skip
    before = checksum(A)
    for ext in ({}, {"colour": "red"}, {"contract_no": ""}, {"contract_no": None}):
        answer = keeper.post_json(f"{MACHINES}/submit", {**new, "ext": ext})
        assert (answer.status, answer.data["fields"]) == (400, {"ext.contract_no": "请输入合同号"})
    assert keeper.post_json(f"{MACHINES}/submit", new).data["fields"] == {"ext.contract_no": "请输入合同号"}
    assert checksum(A) == before
    assert keeper.post_json(f"{MACHINES}/submit", {**new, "ext": {"contract_no": "HT"}}).status == 200
    area = {**new, "machineCode": "N2", "machineName": "二线", "nodeType": 3, "typeId": None}
    assert keeper.post_json(f"{MACHINES}/submit", area).status == 200
    # A row from before is edited as before; what it has is not taken back.
    assert keeper.change(MACHINES, {"id": str(cast.machine("M1").pk), "remark": "旧"}).status == 200
    assert set_values(cast, {"colour": "red"}).status == 200
    assert set_values(cast, {"contract_no": None}).data["fields"] == {"ext.contract_no": "请输入合同号"}


def test_a_sealed_field_is_read_and_not_asked(cast: Cast) -> None:
    (row,) = declare(cast, {**CONTRACT, "required": 1})
    assert set_values(cast, {"contract_no": "HT-1"}).status == 200
    assert cast.client_for("equip_manager").change(NOUN, {"id": row, "isSealed": 1}).status == 200
    before = checksum(A)
    for value in ("HT-2", None):
        assert set_values(cast, {"contract_no": value}).data["fields"] == {
            "ext.contract_no": "「合同号」已封存，不能使用"
        }
    assert set_values(cast, {"contract_no": "x"}, "M2").status == 400
    assert checksum(A) == before
    # Clients that send back what they have read are not refused, and a new row lacks nothing.
    assert set_values(cast, {"contract_no": "HT-1"}).status == 200
    new = {
        "machineCode": "N1", "machineName": "铣床", "deptId": str(cast.machine("M1").dept_id),
        "typeId": str(cast.machine_class("LATHES").pk),
    }  # fmt: skip
    assert cast.client_for("equip_manager").post_json(f"{MACHINES}/submit", new).status == 200
    assert codes(cast.client_for("viewer"), **{"ext.contract_no": "ht-1"}) == ["M1"]


def test_who_may_not_change_machines_does_not_change_their_extra_fields(cast: Cast) -> None:
    declare(cast, *ALL)
    before = checksum(A)
    assert set_values(cast, VALUES, who="operator").status == 403
    body = {"id": str(cast.machine("M1", B).pk), "ext": VALUES, "lockVersion": 1}
    assert cast.client_for("equip_manager").post_json(f"{MACHINES}/submit", body).status == 404
    assert checksum(A) == before


def test_somebody_elses_change_is_not_overwritten(cast: Cast) -> None:
    declare(cast, *ALL)
    keeper, row = cast.client_for("equip_manager"), str(cast.machine("M1").pk)
    version = keeper.version(MACHINES, {"id": row})
    assert set_values(cast, {"colour": "red"}).status == 200
    before = checksum(A)
    late = keeper.post_json(f"{MACHINES}/submit", {"id": row, "ext": {"colour": "blue"}, **version})
    assert (late.status, late["error"], late.data["row"]["ext"]) == (409, "data.changed", {"colour": "red"})
    assert checksum(A) == before


def test_changes_are_told_by_what_fields_are_called(cast: Cast) -> None:
    declare(cast, *ALL)
    assert set_values(cast, {"colour": "red", "weight": 1}).status == 200
    assert set_values(cast, {"colour": "blue", "weight": 1, "contract_no": "HT"}).status == 200
    with tenant_scope(A):
        first, last = Event.objects.filter(operation="inspectmachine.edit").order_by("id")
    assert [(one["label"], one["old"], one["new"]) for one in first.changes] == [
        (["自重(吨)", "Weight (t)"], ["", ""], ["1.00", "1.00"]),
        (["颜色", "Colour"], ["", ""], ["红", "Red"]),
    ]
    assert [(one["label"][0], one["old"], one["new"]) for one in last.changes] == [
        ("合同号", ["", ""], ["HT", "HT"]),
        ("颜色", ["红", "Red"], ["蓝", "Blue"]),
    ]
    edits = cast.client_for("viewer").get(f"{MACHINES}/edits", id=str(cast.machine("M1").pk)).data
    assert [one["changes"] for one in edits] == [
        ["合同号：空 → HT", "颜色：红 → 蓝"],
        ["自重(吨)：空 → 1.00", "颜色：空 → 红"],
    ]


def test_a_key_that_is_a_word_of_the_database_is_a_key(cast: Cast) -> None:
    words = ("gt", "contains", "isnull", "has_key", "a__b", "ext", "x1")
    declare(cast, *(field(key, f"字段{key}") for key in words))
    assert set_values(cast, dict.fromkeys(words, "x")).status == 200
    for key in words:
        assert codes(cast.client_for("viewer"), **{f"ext.{key}": "x"}) == ["M1"], key
        assert codes(cast.client_for("viewer"), ascs=f"ext.{key}")[0] == "M1", key


# --- repair orders --------------------------------------------------------------------------------------------------

LEVEL = {
    "noun": "repairorder", "key": "level", "label": "影响范围", "labelEn": "Scope", "type": 4,
    "options": [{"value": "line", "label": "整线", "labelEn": "Line"}, {"value": "one", "label": "单机"}],
}  # fmt: skip


def _report(cast: Cast, **values: Any) -> Any:
    body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响很大", "force": 1, **values}
    return cast.client_for("operator").post_json(f"{ORDERS}/save", body)


def test_a_report_takes_extra_fields_and_an_edit_changes_them(cast: Cast) -> None:
    declare(cast, {**LEVEL, "required": 1})
    before = checksum(A)
    assert _report(cast).data["fields"] == {"ext.level": "请选择影响范围"}
    assert _report(cast, ext={"level": "all"}).data["fields"] == {"ext.level": "请选择影响范围"}
    assert _report(cast, ext={"colour": "red"}).data["fields"] == {"ext.colour": "未知字段「colour」"}
    assert checksum(A) == before
    made = _report(cast, ext={"level": "one"})
    assert made.status == 200, made
    order, operator = made.data["id"], cast.client_for("operator")
    detail = operator.get(f"{ORDERS}/detail", id=order).data
    assert detail["ext"] == {"level": "one"}
    edit = {"id": order, "lockVersion": detail["lockVersion"]}
    refused = operator.post_json(f"{ORDERS}/update", {**edit, "ext": {"level": None}})
    assert (refused.status, refused.data["fields"]) == (400, {"ext.level": "请选择影响范围"})
    assert operator.post_json(f"{ORDERS}/update", {**edit, "ext": {"level": "line"}}).status == 200
    # What was read before is not written over what somebody else has changed.
    assert operator.post_json(f"{ORDERS}/update", {**edit, "ext": {"level": "one"}}).status == 409
    after = operator.get(f"{ORDERS}/detail", id=order).data
    assert after["ext"] == {"level": "line"} and after["description"] == "主轴异响很大"
    (told,) = after["logs"][-1]["changes"]
    assert told == {"field": "ext.level", "fieldName": "影响范围", "oldText": "单机", "newText": "整线"}
    # An edit that says nothing of them leaves them, also where one is missing that is required now.
    with tenant_scope(A):
        RepairOrder.objects.filter(pk=order).update(ext={})
    edit["lockVersion"] = after["lockVersion"]
    assert operator.post_json(f"{ORDERS}/update", {**edit, "description": "主轴异响更大"}).status == 200
    with tenant_scope(A):
        assert RepairOrder.objects.get(pk=order).ext == {}
    leader = cast.client_for("repair_leader")
    assert _report(cast, ext={"level": "line"}).status == 200
    rows = leader.get(f"{ORDERS}/list", **{"ext.level": "line"}).data
    assert (rows["total"], rows["records"][0]["ext"]) == (1, {"level": "line"})
    assert leader.get(f"{ORDERS}/list", **{"ext.level": "one"}).data["total"] == 0


# --- sheets ---------------------------------------------------------------------------------------------------------


def test_a_template_offers_the_fields_and_what_may_be_chosen(cast: Cast) -> None:
    (sealed,) = declare(cast, field("old", "旧字段"))
    declare(cast, {**CONTRACT, "required": 1}, WEIGHT, COLOUR)
    assert cast.client_for("equip_manager").change(NOUN, {"id": sealed, "isSealed": 1}).status == 200
    answer = Client().get(f"/api/{MACHINES}/export-template", headers=cast.client_for("equip_manager")._headers())
    page: Any = load_workbook(io.BytesIO(answer.content)).active
    heads = [cell.value for cell in page[1]]
    assert heads[-3:] == ["合同号*", "自重(吨)", "颜色"]
    assert '"红,蓝"' in {one.formula1 for one in page.data_validations.dataValidation}


def test_rows_come_in_with_extra_fields_and_wrong_cells_come_back_with_the_reason(cast: Cast) -> None:
    declare(cast, {**CONTRACT, "required": 1}, WEIGHT, CHECKED, COLOUR)
    keeper = cast.client_for("equip_manager")
    heads = ["设备编号", "设备名称", "节点类型", "使用部门", "设备类型", "合同号*", "自重(吨)", "Calibrated on", "颜色"]

    def line(code: str, *values: Any) -> list[Any]:
        return [code, "铣床", "设备", "机加车间", "车床类", *values]

    before = checksum(A)
    wrong = import_rows(
        keeper,
        [heads, line("N1", "HT", 1.5, "2026-03-02", "红"), line("N2", "HT", "heavy", "soon", "绿"), line("N3")],
    )
    assert (wrong.status, wrong["error"]) == (400, "sheet.rows")
    assert wrong.data["errors"] == [
        {"row": 3, "field": "颜色", "text": "没有「绿」这个选项"},
        {"row": 4, "field": "合同号", "text": "请输入合同号"},
    ]
    wrong = import_rows(keeper, [heads, line("N2", "x" * 201, "heavy", "soon", "blue")])
    assert wrong.data["errors"] == [
        {"row": 2, "field": "合同号", "text": "合同号长度不能超过200个字符"},
        {"row": 2, "field": "自重(吨)", "text": "自重(吨)应为数字"},
        {"row": 2, "field": "检定日期", "text": "检定日期应为日期，如2026-03-02"},
    ]
    assert checksum(A) == before
    good = [
        line("N1", "HT", 1.5, "2026-03-02", "红"),
        line("N2", 7, 2, None, "blue"),
        line("N3", "HT", None, None, "Red"),
    ]
    assert import_rows(keeper, [heads, *good]).data == {"created": 3, "updated": 0}
    assert [cast.machine(code).ext for code in ("N1", "N2", "N3")] == [
        {"contract_no": "HT", "weight": 1.5, "checked": "2026-03-02", "colour": "red"},
        {"contract_no": "7", "weight": 2, "colour": "blue"},
        {"contract_no": "HT", "colour": "red"},
    ]
    # A sheet changes the columns that it has.
    assert import_rows(keeper, [["设备编号", "自重(吨)"], ["N1", 3]], isCovered="1").data == {
        "created": 0,
        "updated": 1,
    }
    assert cast.machine("N1").ext == {**VALUES, "contract_no": "HT", "weight": 3}


# --- the document ---------------------------------------------------------------------------------------------------


def test_the_document_says_what_the_object_is_and_where_its_parts_are_declared() -> None:
    schema = plain_document()
    for name, noun in (("Machine", "inspectmachine"), ("RepairOrder", "repairorder")):
        ext = schema["components"]["schemas"][name]["properties"]["ext"]
        assert (ext["type"], ext["x-kind"], ext["x-label"]) == ("object", "extras", ["扩展字段", "Extra fields"])
        assert ext["x-parts"] == f"/yuzhu-equip/extfield/getList?noun={noun}"
    assert "/api/yuzhu-equip/extfield/getList" in json.dumps(list(schema["paths"]))


def test_options_of_removed_fields_are_nobodys(cast: Cast) -> None:
    (row,) = declare(cast, COLOUR)
    assert cast.client_for("equip_manager").post_json(f"{NOUN}/remove", ids=row).status == 200
    with tenant_scope(A):
        assert ExtraOption.objects.count() == 0
    declare(cast, {**COLOUR, "type": 1, "options": []})
    (found,) = cast.client_for("viewer").get(DECLARED, noun="inspectmachine").data
    assert (found["type"], found["options"]) == (1, [])
