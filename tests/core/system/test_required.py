"""Required fields: what a company decides of a form, who may, and that it holds for every client."""

from __future__ import annotations

from typing import Any

import pytest

from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder
from tests.cast import A, B, Cast
from tests.checksums import checksum

DETAILS, SAVE = "yuzhu-equip/required/requiredDetails", "yuzhu-equip/required/requiredSave"
REPORT = "yuzhu-equip/repairorder/save"


def _items(cast: Cast, scene: int, tenant: str = A) -> dict[str, Any]:
    (found,) = cast.client_for("operator", tenant).get(DETAILS, scene=scene).data
    return {item["field"]: item for item in found["items"]}


def _save(cast: Cast, scene: int, *items: dict[str, Any], who: str = "equip_manager") -> Any:
    return cast.client_for(who).post_json(SAVE, {"scene": scene, "items": list(items)})


def _report(cast: Cast, **values: Any) -> Any:
    body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响很大", **values}
    return cast.client_for("operator").post_json(REPORT, body)


def test_the_forms_that_there_are_say_what_they_ask_for(cast: Cast) -> None:
    scenes = cast.client_for("operator").get(DETAILS).data
    assert [(one["scene"], one["sceneName"]) for one in scenes] == [
        (1, "报修"), (2, "维修完工"), (3, "维修验收"), (4, "点检提交"), (5, "保养提交"),
        (6, "设备新增"), (7, "备件领用"),
    ]  # fmt: skip
    assert _items(cast, 1)["machineId"] == {
        "field": "machineId", "label": "设备", "labelEn": "Asset", "fieldType": 2, "visible": 1, "required": 1,
        "min": 0, "max": 9, "locked": 1, "sort": 0,
    }  # fmt: skip
    assert (_items(cast, 2)["causeTagId"]["required"], _items(cast, 2)["causeTagId"]["locked"]) == (1, 0)
    assert cast.client_for("operator").get(DETAILS, scene=99).status == 400


def test_a_report_has_what_the_company_asks_for(cast: Cast) -> None:
    images = {"field": "images", "visible": 1, "required": 1, "min": 2, "max": 5, "sort": 4}
    symptoms = {"field": "faultTagIds", "visible": 1, "required": 1, "sort": 1}
    assert _save(cast, 1, images, symptoms).data is True
    assert [_items(cast, 1)["images"][name] for name in ("required", "min", "max")] == [1, 2, 5]
    assert next(iter(_items(cast, 1))) == "machineId" and _items(cast, 1, B)["images"]["required"] == 0
    before = checksum(A)
    refused = _report(cast)
    assert refused.data["fields"] == {"faultTagIds": "请填写故障现象", "images": "请上传至少2张故障照片"}
    assert checksum(A) == before
    assert _save(cast, 1, {**images, "required": 0}, {**symptoms, "visible": 0}).status == 200
    assert (_items(cast, 1)["faultTagIds"]["visible"], _items(cast, 1)["faultTagIds"]["required"]) == (0, 0)
    assert _report(cast).status == 200
    with tenant_scope(A):
        assert RepairOrder.objects.count() == 1


def test_a_new_machine_has_it_and_one_that_is_there_stays_as_it_is(cast: Cast) -> None:
    keeper = cast.client_for("equip_manager")
    assert _save(cast, 6, {"field": "serialNo", "required": 1}).status == 200
    machine = cast.machine("M2")
    body = {
        "machineCode": "M9", "machineName": "新磨床", "nodeType": 4, "typeId": str(machine.type_id),
        "parentId": str(machine.parent_id), "deptId": str(machine.dept_id),
    }  # fmt: skip
    refused = keeper.post_json("yuzhu-equip/inspectmachine/submit", body)
    assert (refused.status, refused.data["fields"]) == (400, {"serialNo": "请填写出厂编号"})
    assert keeper.post_json("yuzhu-equip/inspectmachine/submit", {**body, "serialNo": "9"}).status == 200
    assert keeper.change("yuzhu-equip/inspectmachine", {"id": str(machine.pk), "remark": "旧"}).status == 200
    area = {"machineCode": "L9", "machineName": "新线", "nodeType": 3, "deptId": str(machine.dept_id)}
    assert keeper.post_json("yuzhu-equip/inspectmachine/submit", area).status == 200


@pytest.mark.parametrize(
    ("scene", "item", "text"),
    [
        (1, {"field": "nothing"}, "未知字段「nothing」"),
        (1, {"field": "machineId", "required": 0}, "「设备」为系统必填项，不能取消"),
        (1, {"field": "description", "required": 1, "visible": 0}, "「故障描述」为系统必填项，不能取消"),
        (1, {"field": "images", "required": 1, "min": 3, "max": 2}, "图片数量应在0到9之间"),
        (1, {"field": "images", "required": 1, "min": 1, "max": 10}, "图片数量应在0到9之间"),
        (9, {"field": "images"}, "请选择场景"),
    ],
)
def test_what_cannot_be_so_is_refused(cast: Cast, scene: int, item: dict[str, Any], text: str) -> None:
    before = checksum(A)
    refused = _save(cast, scene, {"field": "faultTagIds", "required": 1}, item)
    assert (refused.status, refused.msg) == (400, text)
    for who in ("operator", "repair_leader", "viewer"):
        assert _save(cast, 1, {"field": "faultTagIds", "required": 1}, who=who).status == 403
    assert checksum(A) == before
