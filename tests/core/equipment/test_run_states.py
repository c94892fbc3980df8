"""Machines are put out of use, back into use and scrapped by who keeps them; what flows set stays theirs."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from core.audit.models import Event
from core.equipment.models import Machine, RunState
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from tests.cast import A, Cast
from tests.checksums import checksum
from tests.contract.test_sheets import _import
from tests.repairs import Story, at

MACHINES = "yuzhu-equip/inspectmachine"
FLOW = "设备状态由维修、保养流程控制，不能手工修改"
GONE = {"runState": 7, "scrapDate": "2026-03-02", "scrapReason": "主轴断裂，无修复价值"}


def _state(cast: Cast, code: str = "M1") -> tuple[int, date | None, str]:
    row = cast.machine(code)
    return row.run_state, row.scrap_date, row.scrap_reason


def _set(cast: Cast, account: str = "equip_manager", code: str = "M1", **values: Any) -> Any:
    return cast.client_for(account).change(MACHINES, {"id": str(cast.machine(code).pk), **values})


def test_a_machine_is_put_out_of_use_and_back(cast: Cast) -> None:
    for state in (RunState.DISABLED, RunState.IDLE, RunState.DISABLED, RunState.RUNNING):
        assert _set(cast, runState=state.value).status == 200
        assert _state(cast) == (state, None, "")
    assert _set(cast, "operator", runState=6).status == 403
    assert _state(cast) == (RunState.RUNNING, None, "")


@pytest.mark.parametrize("state", [RunState.DOWN, RunState.REPAIRING, RunState.MAINTAINING])
def test_what_flows_set_people_neither_set_nor_end(cast: Cast, state: RunState) -> None:
    manager = cast.client_for("equip_manager")
    machine = {"id": str(cast.machine("M1").pk)}
    before = checksum(A)
    answers = [manager.change(MACHINES, {**machine, "runState": state.value})]
    assert checksum(A) == before
    with tenant_scope(A):
        Machine.objects.filter(pk=machine["id"]).update(run_state=state)
    before = checksum(A)
    answers += [manager.change(MACHINES, {**machine, "runState": value}) for value in (1, 6)]
    answers.append(manager.change(MACHINES, {**machine, **GONE}))
    assert [(answer.status, answer.data["fields"]) for answer in answers] == [(400, {"runState": FLOW})] * 4
    assert checksum(A) == before
    # The form sends it as it is.
    assert manager.change(MACHINES, {**machine, "runState": state.value, "remark": "新"}).status == 200


def test_scrapping_asks_for_a_day_and_a_reason(cast: Cast) -> None:
    before = checksum(A)
    with clock.at(datetime(2026, 3, 2, 16, 30, tzinfo=UTC)):  # the third, where the plant is
        for values, fields in (
            ({"runState": 7}, {"scrapDate": "请选择报废日期"}),
            ({**GONE, "scrapDate": None}, {"scrapDate": "请选择报废日期"}),
            ({**GONE, "scrapReason": ""}, {"scrapReason": "请输入报废原因"}),
            ({**GONE, "scrapDate": "2026-03-04"}, {"scrapDate": "报废日期不能晚于今天"}),
            ({**GONE, "runState": 6}, {"scrapDate": "只有报废的设备才有报废日期和原因"}),
        ):
            answer = _set(cast, **values)
            assert (answer.status, answer.data["fields"]) == (400, fields)
        assert _set(cast, code="SHOP", **GONE).data["fields"] == {"runState": "厂区、车间、产线不能报废"}
        assert checksum(A) == before
        assert _set(cast, **{**GONE, "scrapDate": "2026-03-03"}).status == 200
    assert _state(cast) == (RunState.SCRAPPED, date(2026, 3, 3), GONE["scrapReason"])


def test_what_has_open_orders_is_not_scrapped_and_what_is_scrapped_is_not_reported(cast: Cast) -> None:
    with at("8:40"):
        story = Story(cast)
    refused = _set(cast, **GONE)
    assert (refused.status, refused["error"]) == (409, "machine.hasOpenWork")
    assert refused.msg == "设备有1张未完成的维修工单，不能报废"
    assert _state(cast)[0] == RunState.RUNNING
    manager = cast.client_for("equip_manager")
    machine = str(cast.machine("M1").pk)
    with tenant_scope(A):
        Machine.objects.filter(parent=machine).delete()
    refused = manager.post_json(f"{MACHINES}/remove", ids=machine)
    assert (refused.status, refused.msg) == (409, "设备有1张未完成的维修工单，不能删除")
    with at("9:00"):
        story.act("operator", "cancel", cancelReason=1)
    refused = manager.post_json(f"{MACHINES}/remove", ids=machine)
    assert (refused.status, refused.msg) == (409, "设备已有业务记录，不能删除，请改为停用或报废")
    # What the sentence advises can be done.
    assert _set(cast, **GONE).status == 200
    report = {"machineId": machine, "description": "主轴异响很大", "force": 1}
    answer = cast.client_for("operator").post_json("yuzhu-equip/repairorder/save", report)
    assert (answer.status, answer.data["fields"]) == (400, {"machineId": "设备已报废，不能报修"})


def test_only_the_tenants_administrator_takes_a_scrapping_back(cast: Cast) -> None:
    assert _set(cast, **GONE).status == 200
    before = checksum(A)
    for state in (1, 6):
        refused = _set(cast, runState=state)
        assert (refused.status, refused.data["fields"]) == (400, {"runState": "设备已报废，只有租户管理员可以恢复"})
    assert checksum(A) == before
    assert _set(cast, remark="存放在二号库").status == 200
    assert _set(cast, scrapReason="").data["fields"] == {"scrapReason": "请输入报废原因"}
    assert _set(cast, "tenant_admin", runState=1).status == 200
    assert _state(cast) == (RunState.RUNNING, None, "")


def test_a_change_of_state_is_in_the_history_of_the_machine_in_both_languages(cast: Cast) -> None:
    row_id = str(cast.machine("M1").pk)
    assert _set(cast, **GONE, brand="沈阳").status == 200
    manager = cast.client_for("equip_manager")
    sheet = [["设备编号", "品牌"], ["M1", "大连"], ["M2", None]]
    assert _import(manager, MACHINES, sheet, isCovered="1").data == {"created": 0, "updated": 2}
    said = manager.get(f"{MACHINES}/edits", id=row_id).data
    assert [(one["userName"], one["operation"], one["changes"]) for one in said] == [
        ("钱管", "inspectmachine.import", ["品牌：沈阳 → 大连"]),
        (
            "钱管",
            "inspectmachine.edit",
            [
                "品牌：空 → 沈阳",
                "运行状态：运行 → 报废",
                "报废日期：空 → 2026-03-02",
                "报废原因：空 → 主轴断裂，无修复价值",
            ],
        ),
    ]
    assert manager.in_english().get(f"{MACHINES}/edits", id=row_id).data[1]["changes"][:2] == [
        "Brand: empty → 沈阳",
        "Operating status: Running → Scrapped",
    ]
    # A row that the sheet leaves as it is has no entry of its own.
    with tenant_scope(A):
        assert Event.objects.filter(operation="inspectmachine.import").count() == 2
    assert cast.client_for("equip_manager", "100002").get(f"{MACHINES}/edits", id=row_id).status == 404


def test_the_template_offers_what_people_set_and_import_refuses_the_rest(cast: Cast) -> None:
    from tests.core.kernel.test_sheets import _download

    manager = cast.client_for("equip_manager")
    rules = _download(manager, f"{MACHINES}/export-template").data_validations.dataValidation
    assert [rule.formula1 for rule in rules if "运行" in rule.formula1] == ['"运行,待机,停用,报废"']
    heads = ["设备编号", "设备名称", "使用部门", "设备类型", "运行状态"]
    answer = _import(manager, MACHINES, [heads, ["N1", "铣床", "机加车间", "LATHES", "维修中"]])
    assert answer.data["errors"] == [{"row": 2, "field": "运行状态", "text": FLOW}]
    answer = _import(manager, MACHINES, [heads, ["N1", "铣床", "机加车间", "LATHES", "停用"]])
    assert answer.data == {"created": 1, "updated": 0}
