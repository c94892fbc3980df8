"""What getMaintainConfig answers: the standards of an asset with dates, items and parts with their stock."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.equipment.models import Machine
from core.inspection.models import CheckStandard, PlannedPart
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.spares.models import SparePart
from tests.cast import A, B, Cast
from tests.upkeep import ORDER, Upkeep, standard

pytestmark = pytest.mark.django_db
CALL = f"{ORDER}/getMaintainConfig"
DAY = datetime(2026, 3, 2, 4, tzinfo=UTC)


def test_linked_standards_come_first_then_those_of_the_class(cast: Cast) -> None:
    with clock.at(DAY):
        story = Upkeep(cast, safety="上锁挂牌", tools="扳手", est_minutes=90)
        tools = cast.machine_class("TOOLS")
        of_class = standard(
            cast, code="A0", machine="M2", type_id=tools.pk, trigger_type=3, cycle_value=6, run_interval=Decimal(2000)
        )
        with tenant_scope(A):
            spare = SparePart.objects.create(
                spare_code="S1", spare_name="滤芯", spec="HX-63", unit="只", available_qty=1
            )
            PlannedPart.objects.create(config=story.config, spare=spare, qty=3)
            CheckStandard.objects.filter(pk=of_class.pk).update(is_sealed=False)
        machine = str(cast.machine("M1").pk)
        rows = cast.client_for("repairer").get(CALL, machineId=machine).data
    assert [(row["configId"], row["linked"]) for row in rows] == [(str(story.config.pk), 1), (str(of_class.pk), 0)]
    first, second = rows
    shown = (
        "levelName", "triggerType", "cycleText", "runInterval", "lastDoneTime", "lastDoneHours", "nextDueDate",
        "nextDueHours", "predictedDate", "dueState", "dueStateName", "openOrderId", "estMinutes", "needStop",
        "needCheck", "needSign", "safety", "tools", "paused", "skippedCount",
    )  # fmt: skip
    assert [first[name] for name in shown] == [
        "一级保养", 1, "每月", None, None, None, "2026-03-02", None, None, 3, "到期", story.now["id"], 90, 0, 1, 0,
        "上锁挂牌", "扳手", 0, 0,
    ]  # fmt: skip
    assert [item["itemName"] for item in first["items"]] == ["紧固地脚螺栓", "主轴温度", "更换润滑油"]
    assert first["parts"] == [
        {
            "spareId": str(spare.pk), "spareName": "滤芯", "spec": "HX-63", "unit": "只", "qty": 3.0,
            "availableQty": 1.0, "short": 2.0,
        }
    ]  # fmt: skip
    assert (second["cycleText"], second["dueState"], second["dueStateName"], second["openOrderId"]) == (
        "每6个月或每2000小时（先到为准）", None, "", None,
    )  # fmt: skip


def test_one_standard_and_another_day(cast: Cast) -> None:
    with clock.at(DAY):
        story = Upkeep(cast)
        standard(cast, code="BY2")
        caller, machine = cast.client_for("viewer"), str(cast.machine("M1").pk)
        [row] = caller.get(CALL, machineId=machine, configId=str(story.config.pk), date="2026-03-03").data
        assert (row["configId"], row["dueState"], row["dueStateName"]) == (str(story.config.pk), 4, "逾期")
        assert caller.in_english().get(CALL, machineId=machine).data[0]["cycleText"] == "Every month"


def test_what_is_missing_or_foreign_is_refused(cast: Cast) -> None:
    caller = cast.client_for("viewer")
    answer = caller.get(CALL)
    assert (answer.status, answer.data["fields"]) == (400, {"machineId": "请选择设备"})
    with tenant_scope(B):
        foreign = str(Machine.objects.get(machine_code="M1").pk)
    assert caller.get(CALL, machineId=foreign).status == 404
    assert caller.get(CALL, machineId=str(cast.machine("M1").pk), configId="x").status == 404
    assert caller.get(CALL, machineId=str(cast.machine("M1").pk), date="gestern").status == 400


def test_it_costs_the_same_with_many_standards(cast: Cast) -> None:
    counts = []
    machine = str(cast.machine("M1").pk)
    for number in range(3):
        standard(cast, code=f"N{number}")
        caller = cast.client_for("viewer")
        with CaptureQueriesContext(connection) as captured:
            assert len(caller.get(CALL, machineId=machine).data) == number + 1
        counts.append(len(captured))
    assert counts[1] == counts[2]
