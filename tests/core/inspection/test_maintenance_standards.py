"""Maintenance standards: what they ask for, their cycle in words, the assets they plan and their next dates."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from core.equipment.models import Machine, MeterUnit
from core.inspection.models import MaintenancePlan
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.spares.models import SparePart
from tests.cast import A, B, Body, Cast
from tests.checksums import checksum

PATH = "yuzhu-equip/inspectConfig"
MONTHLY: Mapping[str, Any] = {"configType": 2, "triggerType": 1, "cycleValue": 1, "cycleUnit": 3}
HOURS: Mapping[str, Any] = {"configType": 2, "triggerType": 2, "runInterval": 500}


def _save(cast: Cast, code: str = "B1", by: str = "equip_manager", **more: Any) -> Body:
    body = {"configCode": code, "configName": f"保养{code}", "items": [{"itemName": "油位"}], **more}
    return cast.client_for(by).post_json(f"{PATH}/save", body)


def _made(cast: Cast, code: str = "B1", **more: Any) -> str:
    answer = _save(cast, code, **more)
    assert answer.status == 200, answer
    return str(answer.data["id"])


def _detail(cast: Cast, row_id: str) -> Any:
    return cast.client_for("viewer").get(f"{PATH}/detail", id=row_id).data


def _update(cast: Cast, row_id: str, **values: Any) -> Body:
    version = _detail(cast, row_id)["lockVersion"]
    body = {"id": row_id, "lockVersion": version, **values}
    return cast.client_for("equip_manager").post_json(f"{PATH}/update", body)


def _machine(cast: Cast, code: str) -> str:
    with tenant_scope(A):
        return str(Machine.objects.get(machine_code=code).pk)


def _spare(**more: Any) -> str:
    with tenant_scope(A):
        return str(SparePart.objects.create(**{"spare_code": "S1", "spare_name": "滤芯", **more}).pk)


def test_what_is_not_said_is_the_usual(cast: Cast) -> None:
    found = _detail(cast, _made(cast, **MONTHLY))
    names = (
        "configType", "level", "levelName", "triggerType", "cycleValue", "cycleUnit", "runInterval", "cycleText",
        "anchor", "leadDays", "leadHours", "tolerancePercent", "estMinutes", "peopleCount", "needStop", "needCheck",
        "needSign", "userIds", "teamId", "tools", "safety", "machines", "parts", "machineCount", "nextDue",
        "hoursLeft", "meterUnitName",
    )  # fmt: skip
    assert [found[name] for name in names] == [
        2, 3, "二级保养", 1, 1, 3, None, "每月", 2, 3, 24, 10, 60, 1, 1, 1, 0, "", None, "", "", [],
        [], 0, None, None, "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("cycle", "zh", "en"),
    [
        ({"triggerType": 1, "cycleValue": 2, "cycleUnit": 2}, "每2周", "Every 2 weeks"),
        ({"triggerType": 1, "cycleValue": 1, "cycleUnit": 1}, "每天", "Every day"),
        ({"triggerType": 1, "cycleValue": 3, "cycleUnit": 5}, "每3年", "Every 3 years"),
        ({"triggerType": 2, "runInterval": 500}, "每500小时", "Every 500 h"),
        (
            {"triggerType": 3, "cycleValue": 6, "cycleUnit": 3, "runInterval": 2000},
            "每6个月或每2000小时（先到为准）", "Every 6 months or every 2000 h (whichever comes first)",
        ),
    ],
)  # fmt: skip
def test_the_cycle_in_words(cast: Cast, cycle: Mapping[str, Any], zh: str, en: str) -> None:
    row_id = _made(cast, configType=2, **cycle)
    assert _detail(cast, row_id)["cycleText"] == zh
    assert cast.client_for("viewer").in_english().get(f"{PATH}/detail", id=row_id).data["cycleText"] == en


WRONG = [
    ({"triggerType": 1, "cycleUnit": 3}, "cycleValue", "请输入周期"),
    ({"triggerType": 1, "cycleValue": 1}, "cycleUnit", "请选择周期单位"),
    ({"triggerType": 3, "cycleValue": 1, "cycleUnit": 3}, "runInterval", "请输入运行间隔"),
    ({"triggerType": 2}, "runInterval", "请输入运行间隔"),
    ({**MONTHLY, "cycleValue": 1000}, "cycleValue", "周期应在1到999之间"),
    ({**MONTHLY, "tolerancePercent": 51}, "tolerancePercent", "允许偏差百分比应在0到50之间"),
    ({**MONTHLY, "items": []}, "items", "请添加检查项"),
]


@pytest.mark.parametrize(("body", "field", "text"), WRONG)
def test_what_does_not_fit_is_refused_and_changes_nothing(
    cast: Cast, body: Mapping[str, Any], field: str, text: str
) -> None:
    before = checksum(A)
    answer = _save(cast, **{"configType": 2, **body})
    assert (answer.status, answer.data["fields"]) == (400, {field: text})
    assert checksum(A) == before


def test_assets_and_parts_that_do_not_fit_are_refused(cast: Cast) -> None:
    m1, m2, shop, line = (_machine(cast, code) for code in ("M1", "M2", "SHOP", "LINE"))
    spare = _spare()
    with tenant_scope(A):
        Machine.objects.filter(machine_code="M2").update(meter_unit=MeterUnit.CYCLES)
    with tenant_scope(B):
        foreign = str(Machine.objects.get(machine_code="M1").pk)
    before = checksum(A)
    for more, field, text in (
        ({"machines": [{"machineId": m1}, {"machineId": m1}]}, "machines", "设备「车床」重复"),
        ({"machines": [{"machineId": shop}]}, "machines", "「车间」不是设备，不能保养"),
        ({"machines": [{"machineId": line}]}, "machines", "「产线」不是设备，不能保养"),
        (
            {**HOURS, "machines": [{"machineId": m1}, {"machineId": m2}]}, "machines",
            "同一标准的设备须使用相同的计量单位",
        ),
        ({"parts": [{"spareId": spare, "qty": 1}, {"spareId": spare, "qty": 2}]}, "parts", "备件「滤芯」重复"),
        ({"parts": [{"spareId": spare, "qty": 1.5}]}, "parts", "「滤芯」的数量必须是整数"),
    ):  # fmt: skip
        answer = _save(cast, **{**MONTHLY, **more})
        assert (answer.status, answer.data["fields"]) == (400, {field: text})
    assert _save(cast, **MONTHLY, machines=[{"machineId": foreign}]).status in (400, 404)
    assert checksum(A) == before


def test_next_dates_follow_the_cycle_and_the_first_date(cast: Cast) -> None:
    m1, m2 = _machine(cast, "M1"), _machine(cast, "M2")
    with tenant_scope(A):
        Machine.objects.filter(machine_code="M1").update(run_hours="1876.5", avg_daily_hours="16.4")
    row_id = _made(
        cast, configType=2, triggerType=3, cycleValue=6, cycleUnit=3, runInterval=2000,
        machines=[{"machineId": m1, "firstDueDate": "2027-01-31", "firstDueHours": 2000}, {"machineId": m2}],
    )  # fmt: skip
    with clock.at(datetime(2026, 11, 28, 4, tzinfo=UTC)):
        found = _detail(cast, row_id)
    first, second = found["machines"]
    assert (first["nextDueDate"], first["nextDueHours"], first["predictedDate"]) == ("2027-01-31", 2000.0, "2026-12-06")
    assert (first["dueState"], first["dueStateName"], first["machineCode"]) == (1, "未到", "M1")
    assert (second["nextDueDate"], second["nextDueHours"], second["dueState"]) == (None, None, 3)
    assert (found["machineCount"], found["nextDue"]) == (2, "2027-01-31")
    assert (found["hoursLeft"], found["meterUnitName"]) == (123.5, "小时")
    with tenant_scope(A):
        MaintenancePlan.objects.filter(pk=first["id"]).update(counted_from="2026-08-31", counted_hours=Decimal(100))
    assert _update(cast, row_id, cycleValue=3).status == 200
    assert _detail(cast, row_id)["machines"][0]["nextDueDate"] == "2026-11-30"
    rows = [{"id": first["id"], "machineId": m1, "firstDueDate": "2027-02-01", "firstDueHours": 2000}]
    assert _update(cast, row_id, machines=rows).status == 200
    [row] = _detail(cast, row_id)["machines"]
    assert (row["id"], row["nextDueDate"], row["nextDueHours"]) == (first["id"], "2027-02-01", 2000.0)


def test_a_check_standard_has_none_of_it_and_stays_one(cast: Cast) -> None:
    row_id = _made(cast, level=1, cycleValue=3, safety="上锁", machines=[{"machineId": _machine(cast, "M1")}])
    found = _detail(cast, row_id)
    assert [found[name] for name in ("configType", "level", "cycleValue", "safety", "machines", "needCheck")] == [
        1, None, None, "", [], 0,
    ]  # fmt: skip
    refused = _update(cast, row_id, configType=2)
    assert (refused.status, refused.data["fields"]) == (400, {"configType": "标准类型不能修改"})


def test_points_take_no_maintenance_standard(cast: Cast) -> None:
    row_id = _made(cast, **MONTHLY)
    listed = cast.client_for("viewer").get(f"{PATH}/select", configType=1).data["records"]
    assert row_id not in [one["id"] for one in listed]


def test_a_copy_has_cycle_and_parts_and_no_assets(cast: Cast) -> None:
    spare = _spare()
    row_id = _made(
        cast, **MONTHLY, safety="上锁挂牌", parts=[{"spareId": spare, "qty": 2}],
        machines=[{"machineId": _machine(cast, "M1")}],
    )  # fmt: skip
    made = cast.client_for("equip_manager").post_json(
        f"{PATH}/copy", {"id": row_id, "configCode": "B2", "configName": "副本"}
    )
    found = _detail(cast, made.data["id"])
    assert (found["cycleText"], found["safety"], found["machines"]) == ("每月", "上锁挂牌", [])
    assert [(one["spareId"], one["qty"]) for one in found["parts"]] == [(spare, 2.0)]


def test_removal_takes_its_rows_along(cast: Cast) -> None:
    row_id = _made(cast, **MONTHLY, machines=[{"machineId": _machine(cast, "M1")}])
    before = checksum(A)
    for account in ("viewer", "repair_leader", "tenant_admin"):
        answer = cast.client_for(account).post_json(f"{PATH}/remove", ids=row_id)
        if account != "tenant_admin":
            assert answer.status == 403
            assert checksum(A) == before
    with tenant_scope(A):
        assert MaintenancePlan.objects.count() == 0
    assert cast.client_for("equip_manager", B).post_json(f"{PATH}/remove", ids=row_id).status == 404


@pytest.mark.parametrize("account", ["viewer", "repair_leader", "shift_leader", "operator"])
def test_others_only_read(cast: Cast, account: str) -> None:
    before = checksum(A)
    assert _save(cast, by=account, **MONTHLY).status == 403
    assert cast.client_for(account).get(f"{PATH}/list", configType=2).status == 200
    assert checksum(A) == before
