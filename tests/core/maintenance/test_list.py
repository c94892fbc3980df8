"""The list of orders: its filters, its order, and whom it shows what."""

from __future__ import annotations

import io
from datetime import timedelta
from typing import Any

import orjson
import pytest
from django.test import Client
from openpyxl import load_workbook

from core.cases import commands
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.maintenance import operations
from core.maintenance.case import REPAIR
from core.maintenance.models import RepairOrder
from core.rest import fastlists
from tests.cast import PEOPLE, A, B, Caller, Cast
from tests.repairs import Story, at
from workflows.runtime.commands import sweep

LIST = "yuzhu-equip/repairorder/list"


@pytest.fixture
def orders(cast: Cast) -> dict[str, str]:
    """Name → number of four orders, one of them overdue since an hour ago, one on another machine."""
    found = {}
    plan: list[tuple[str, str, str, dict[str, Any]]] = [
        ("late", "operator", "M1", {"urgency": 1, "description": "主轴异响"}),
        ("other machine", "operator2", "M2", {"description": "砂轮振动"}),
        ("component", "operator2", "M1-SPINDLE", {"description": "轴承发热"}),
        ("urgent", "operator", "M1", {"urgency": 2, "description": "液压压力低", "force": 1}),
    ]
    for hours, (name, account, machine, values) in enumerate(plan):
        with tenant_scope(A), clock.at(clock.now() - timedelta(minutes=20 - hours)):
            body = {"machineId": str(cast.machine(machine).pk), **values}
            found[name] = operations.save(cast.actor_for(account), body)["orderNo"]
    sweep.fire_due()
    return found


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, ["urgent", "component", "other machine", "late"]),
        ({"ascs": "reportTime"}, ["late", "other machine", "component", "urgent"]),
        ({"urgency": "1,2"}, ["urgent", "late"]),
        ({"status": "1,2"}, ["urgent", "component", "other machine", "late"]),
        ({"status": "6"}, []),
        ({"overdue": "1"}, ["late"]),
        ({"keyword": "振动"}, ["other machine"]),
        ({"keyword": "主轴"}, ["component", "late"]),
        ({"machineName": "磨床"}, ["other machine"]),
    ],
)
def test_filters_narrow_and_sort(
    cast: Cast, orders: dict[str, str], given: dict[str, str], expected: list[str]
) -> None:
    data = cast.client_for("equip_manager").get(LIST, **given).data
    assert [row["orderNo"] for row in data["records"]] == [orders[name] for name in expected]
    assert data["total"] == len(expected)


def test_a_machine_stands_for_all_below_it(cast: Cast, orders: dict[str, str]) -> None:
    manager = cast.client_for("equip_manager")
    for code, expected in (("LINE", 4), ("M1", 3), ("M1-SPINDLE", 1), ("M2", 1)):
        assert manager.get(LIST, machineId=str(cast.machine(code).pk)).data["total"] == expected, code


@pytest.mark.parametrize(
    ("account", "seen"),
    [
        ("operator", 4),  # own department
        ("repairer", 3),  # the machines of the own team
        ("repairer_other", 1),
        ("viewer", 4),
        ("repair_leader", 4),
    ],
)
def test_everybody_sees_the_orders_of_their_scope(cast: Cast, orders: dict[str, str], account: str, seen: int) -> None:
    assert cast.client_for(account).get(LIST).data["total"] == seen


def test_mine_are_those_i_reported_or_repair(cast: Cast, orders: dict[str, str]) -> None:
    rows = cast.client_for("operator").get(LIST, mine="1").data["records"]
    assert [row["orderNo"] for row in rows] == [orders["urgent"], orders["late"]]


def test_the_list_as_a_screen_opens_it_has_the_bytes_of_the_ordinary_one(
    cast: Cast, orders: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Some further on, so that computed times and names of people are in it.
    leader = cast.actor_for("repair_leader")
    with tenant_scope(A):
        order = RepairOrder.objects.get(order_no=orders["urgent"])
        to = {"repairUserId": str(cast.user("repairer").pk)}
        commands.by_record(REPAIR, leader, order.pk, order.lock_version, "dispatch", to)
        order.refresh_from_db()
        commands.by_record(REPAIR, cast.actor_for("repairer"), order.pk, order.lock_version, "accept", {})
    ways: list[bool] = []
    answer = fastlists.answer
    monkeypatch.setattr(fastlists, "answer", lambda view: (ways.append((got := answer(view)) is not None), got)[1])
    shown = set()
    for account in PEOPLE:
        caller = cast.client_for(account)
        for who in (caller, caller.in_english()):
            with clock.at(clock.now()):
                fast = _content(who, size=3)
                assert fast == _content(who, size=3, ordinary=1), account
            shown.add(fast)
    assert ways == [True, False] * (2 * len(PEOPLE))
    assert len(shown) >= 6
    assert b'"isResponseLate":1' in b"".join(shown)
    assert b'"responseMinutes":17' in b"".join(shown)


def _content(caller: Caller, **parameters: Any) -> bytes:
    body = Client().get(f"/api/{LIST}", parameters, headers=caller._headers()).json()
    return orjson.dumps({name: value for name, value in body.items() if name != "requestId"})


def _sheet(caller: Caller, **filters: Any) -> list[list[Any]]:
    """The export, row by row."""
    answer = Client().get("/api/yuzhu-equip/repairorder/export", filters, headers=caller._headers())
    assert answer.status_code == 200, answer.content
    return [list(row) for row in load_workbook(io.BytesIO(answer.content)).active.values]


def test_the_list_is_exported_as_it_is_filtered(cast: Cast) -> None:
    with at("8:00"):
        down = Story(cast, isStop=1, stopStart="2026-03-02 07:30:00", urgency=1)
        Story(cast, "M2").act("operator", "cancel", cancelReason=1)
        leader = down.caller("repair_leader")
        head, *rows = _sheet(leader, status="1,2,3,4,5")
        shown = dict(zip(head, rows[0], strict=True))
        assert len(rows) == 1
        assert {name: shown[name] for name in ("单号", "状态", "设备", "接单时限", "停机时长", "费用合计", "等待")} == {
            "单号": down.now["orderNo"], "状态": "待派单", "设备": "车床", "接单时限": "2026-03-02 08:15:00",
            "停机时长": 30, "费用合计": 0, "等待": "派单 · 维修班长 / 设备主管 / 机修班",
        }  # fmt: skip
        assert len(_sheet(leader)) == 3
        assert len(_sheet(down.caller("repair_leader", B))) == 1  # the heading alone: nothing of this company
        english = _sheet(leader.in_english())[0]
        assert (english[0], english[9:12]) == ("WO no.", ["Completed", "Closed", "Reworks"])
        assert all(one.isascii() and one[0].isupper() for one in english), english
    refused = down.caller("operator").get("yuzhu-equip/repairorder/export")
    assert (refused.status, refused["error"]) == (403, "access.denied")
