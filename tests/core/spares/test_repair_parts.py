"""Spare parts of repair orders: requested on the order, in the way of its end, in its cost, and the end of a hold."""

from __future__ import annotations

from typing import Any

import pytest

from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder
from core.spares.models import SpareUseLog
from tests.cast import A, B, Cast
from tests.repairs import Story, at
from tests.store import LOG, Store


@pytest.fixture
def store(cast: Cast) -> Store:
    with at("08:00"):
        return Store(cast)


def _story(cast: Cast) -> Story:
    story = Story(cast)
    story.send()
    return story


def _apply(story: Story, part: str, qty: Any, who: str = "repairer") -> Any:
    return story.try_to(who, "applySpare", lines=[{"spareId": part, "planQty": qty}])


def _requests(story: Story, who: str = "repairer") -> list[dict[str, Any]]:
    return story.caller(who).get(f"{LOG}/getSpareList", orderId=story.now["id"]).data  # type: ignore[no-any-return]


def test_parts_are_requested_on_the_order_and_cost_it(store: Store, cast: Cast) -> None:
    with at("09:00"):
        store = Store(cast)
        part = store.part(stock="5", price="12.5")
        story = _story(cast)
        assert "applySpare" in story.detail("repairer")["allowedActions"]
        story.act("repairer", "applySpare", lines=[{"spareId": part, "planQty": 3}])
        (asked,) = _requests(story)
        assert (asked["status"], asked["orderNo"], asked["orderNoun"]) == (2, story.now["orderNo"], "repairorder")
        assert (asked["machineName"], asked["applyUserName"]) == ("车床", "蒋修")
        story.write_line("repairer", "08:00", "09:00")
        refused = story.try_to("repairer", "finish", **story.result())
        assert (refused.status, refused.msg) == (400, "还有未处理的备件领用单，不能完工")
        asked = store.handle(asked, "issue", 3).data
        shown = story.detail()
        assert (shown["spareCost"], shown["totalCost"]) == (37.5, 97.5)  # an hour at 60, three at 12.5
        store.handle(asked, "return", 1)
        shown = story.detail()
        assert (shown["spareCost"], shown["totalCost"]) == (25.0, 85.0)
        assert ("applySpare", "申请备件") in [(one["action"], one["actionName"]) for one in shown["logs"]]
        story.act("repairer", "finish", **story.result())


def test_an_order_with_parts_out_is_not_cancelled(store: Store, cast: Cast) -> None:
    with at("09:00"):
        store = Store(cast)
        part = store.part(stock="5")
        story = _story(cast)
        story.act("repairer", "applySpare", lines=[{"spareId": part, "planQty": 3}])
        asked = store.handle(_requests(story)[0], "issue", 1).data
        before = story.rows()
        refused = story.try_to("equip_manager", "cancel", cancelReason=1)
        assert (refused.status, refused.msg) == (400, "请先退回已出库备件")
        assert story.rows() == before
        store.handle(asked, "return", 1)
        second = _apply(story, part, 2)
        assert (second.status, store.now(part).reserved_qty) == (200, 2)
        story.now = second.data
        story.act("equip_manager", "cancel", cancelReason=1)
        assert [one["status"] for one in _requests(story, "equip_manager")] == [7, 6]
        assert (store.now(part).stock_qty, store.now(part).reserved_qty) == (5, 0)
        gone = story.caller("equip_manager").post_json("yuzhu-equip/repairorder/remove", ids=story.now["id"])
        assert gone.msg == f"维修工单{story.now['orderNo']}有备件领用单，不能删除"


def test_a_hold_for_parts_ends_when_all_of_them_are_issued(store: Store, cast: Cast) -> None:
    with at("09:00"):
        store = Store(cast)
        part = store.part(stock="1")
        story = _story(cast)
        story.act("repairer", "applySpare", lines=[{"spareId": part, "planQty": 2}])
        story.act("repairer", "hang", hangReason=1, remark="等轴承")
        store.move(part, 2, 4, price=25)
        asked = store.handle(_requests(story)[0], "issue", 1).data
        assert story.detail()["status"] == 4  # one is missing yet
    with at("10:00"):
        store = Store(cast)
        store.handle(asked, "issue", 1)
        shown = story.detail()
        assert (shown["status"], shown["hangMinutes"]) == (3, 60)
        assert (shown["logs"][-1]["action"], shown["logs"][-1]["actionName"]) == ("partsIssued", "备件出库，恢复维修")
        logs = store.keeper.get(f"{LOG}/detail", id=asked["id"]).data["logs"]
        assert [log["action"] for log in logs] == ["submit", "issue", "issue"]
        story.now["lockVersion"] = shown["lockVersion"]
        story.write_line("repairer", "08:00", "09:00")
        story.act("repairer", "finish", **story.result())


def test_a_hold_for_another_reason_stays(store: Store, cast: Cast) -> None:
    with at("09:00"):
        store = Store(cast)
        part = store.part(stock="1")
        story = _story(cast)
        story.act("repairer", "applySpare", lines=[{"spareId": part, "planQty": 1}])
        story.act("repairer", "hang", hangReason=2, remark="等外协")
        store.handle(_requests(story)[0], "issue", 1)
        assert story.detail()["status"] == 4


def test_when_and_by_whom_parts_are_requested(store: Store, cast: Cast) -> None:
    with at("09:00"):
        store = Store(cast)
        part = store.part(stock="5")
        story = Story(cast)
        body = {"orderType": 1, "orderId": story.now["id"], "lines": [{"spareId": part, "planQty": 1}]}
        early = story.caller("repair_leader").post_json(f"{LOG}/submit", body)
        assert (early.status, early.msg) == (400, "当前状态为「待派单」，不能申请备件")
        assert _apply(story, part, 1, "repair_leader").status in (400, 403)
        story.send()
        for account in ("operator", "equip_manager", "viewer"):
            assert _apply(story, part, 1, account).status == 403
        assert story.caller("repairer", B).post_json(f"{LOG}/submit", body).status == 404
        assert story.caller("repairer").post_json(f"{LOG}/submit", body).status == 200
        # Whoever sees the order reads what was requested for it, and takes nothing from it.
        assert len(_requests(story, "operator")) == 1
        assert _requests(story, "operator")[0]["allowedActions"] == []
        with tenant_scope(A):
            request, order = SpareUseLog.objects.get(), RepairOrder.objects.get()
            assert (request.order_id, request.machine_id) == (order.pk, order.machine_id)


def test_the_applicant_brings_back_while_the_order_lasts(store: Store, cast: Cast) -> None:
    with at("09:00"):
        store = Store(cast)
        part = store.part(stock="5")
        story = _story(cast)
        story.act("repairer", "applySpare", lines=[{"spareId": part, "planQty": 3}])
        asked = store.handle(_requests(story)[0], "issue", 3).data
        mate = story.caller("repairer")
        asked = store.handle(asked, "return", 1, who=mate).data
        story.write_line("repairer", "08:00", "09:00")
        story.act("repairer", "finish", **story.result())
        assert store.handle(asked, "return", 1, who=mate).status == 403
        assert store.handle(asked, "return", 1).status == 200
