"""The life of a task: begun, claimed, walked, skipped, exempt, missed, void; what is refused, marked and told."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from core.audit.models import Event
from core.desk.models import Message
from core.equipment.models import Importance, Machine, MeterReading, MeterUnit
from core.inspection.models import Route
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder
from core.rounds.models import InspectOrder, InspectOrderDetail, InspectOrderRecord
from core.scheduling import outbox
from core.shifts.models import Shift
from tests.cast import A, B, Cast
from tests.checksums import checksum
from tests.core.rounds.walking import (
    DETAILS,
    GOOD,
    OIL,
    ORDERS,
    PRESSURE,
    RECORDS,
    Person,
    at,
    body,
    details,
    fresh,
    generate,
    item,
    ok,
    orders,
    picture,
    plan,
    route,
    rule,
    submit,
    swept,
)


def _tasks(cast: Cast, **of_route: Any) -> list[InspectOrder]:
    """The tasks of 早班, 08:00 to 16:00, of 2026-09-01 and 02; the first is that of the operator, who is 甲."""
    config, group = plan(cast), route(cast, **of_route)
    with tenant_scope(A):
        early = str(Shift.objects.get(plan=config, shift_no=1).pk)
    with at("2026-09-01 07:00"):
        ok(generate(cast, config, "2026-09-01", "2026-09-02", rules=[rule(config, group, shiftIds=early)]))
    return orders()


def _act(cast: Cast, who: str, action: str, order: InspectOrder, **more: Any) -> Any:
    return cast.client_for(who).post_json(f"{ORDERS}/{action}", {"id": str(order.pk), **more})


def test_a_task_is_claimed_walked_and_done(cast: Cast) -> None:
    order = _tasks(cast)[0]
    first, second = details(order)
    with at("2026-09-01 07:29"):
        early = _act(cast, "operator", "start", order)
        assert (early.status, early.msg) == (400, "未到任务开始时间（2026-09-01 07:30）")
    with at("2026-09-01 09:00"):
        assert _act(cast, "operator2", "start", order).status == 404  # 乙 has another shift
        assert ok(_act(cast, "operator", "start", order))["status"] == 2
        assert ok(_act(cast, "operator", "start", order))["status"] == 2
        taken = submit(cast, "shift_leader", body(first, GOOD))
        assert (taken.status, taken.msg) == (409, "该任务已由秦操领取")
        answer = ok(submit(cast, "operator", body(first, {"排气压力": "0.64", "油位": "1"})))
        assert {name: answer[name] for name in ("status", "result", "orderStatus", "pointDone", "pointTotal")} == {
            "status": 2, "result": 2, "orderStatus": 2, "pointDone": 1, "pointTotal": 2,
        }  # fmt: skip
        assert answer["nextDetailId"] == str(second.pk)
        assert answer["records"][0]["judgeText"] == "0.64MPa < 预警下限0.65MPa"
    with at("2026-09-01 16:10"):
        answer = ok(submit(cast, "operator", body(second, GOOD, time="2026-09-01 16:10:00")))
        assert (answer["orderStatus"], answer["nextDetailId"]) == (3, None)
        done = submit(cast, "operator", body(second, GOOD))
        assert (done.status, done.msg) == (409, "该点位已由秦操于2026-09-01 16:10:00完成巡检")
    row = fresh(order)
    assert (row.status, row.result, row.point_done, row.item_done, row.warn_count, row.is_late, row.is_suspect) == (
        3, 2, 2, 4, 1, True, False,
    )  # fmt: skip
    with at("2026-09-01 17:00"):
        page = ok(cast.client_for("viewer").get(f"{ORDERS}/task", id=str(order.pk)))
    assert [log["action"] for log in page["logs"]] == ["start", "point", "point"]
    assert [log["toStatusName"] for log in page["logs"]] == ["巡检中", "", "已完成"]
    assert (page["order"]["executorName"], page["actions"]) == ("秦操", [])


_CHOICE = {
    "itemName": "润滑", "valueType": 3,
    "options": [{"value": "1", "label": "充足"}, {"value": "3", "label": "缺油", "labelEn": "Dry", "result": 3}],
}  # fmt: skip
_PHOTO = {"itemName": "照片", "valueType": 5, "needPhoto": 1}
_NOTE = {"itemName": "记录", "valueType": 4, "required": 0, "abnormalAction": 0}
_LOOK = {"itemName": "外观", "needPhoto": 2}


@pytest.mark.parametrize(
    ("values", "more", "name", "text"),
    [
        ({"排气压力": "0.655"}, {}, "排气压力", "小数位不能超过2位"),
        ({"排气压力": "高"}, {}, "排气压力", "「排气压力」请输入数字"),
        ({"排气压力": ""}, {}, "排气压力", "检查项「排气压力」未填写"),
        ({"排气压力": {"result": 4}}, {}, "排气压力", "检查项「排气压力」不适用时请填写备注"),
        ({"润滑": "2"}, {}, "润滑", "检查项「润滑」没有此选项"),
        ({"照片": {"images": ""}}, {}, "照片", "「照片」需要拍照"),
        ({"外观": "0"}, {}, "外观", "「外观」需要拍照"),
        ({"外观": "2"}, {}, "外观", "检查项「外观」未填写"),
    ],
)
def test_a_wrong_value_is_named_and_nothing_is_stored(
    cast: Cast, values: dict[str, Any], more: dict[str, Any], name: str, text: str
) -> None:
    order = _tasks(cast, points=1, items=(PRESSURE, _CHOICE, _PHOTO, _NOTE, _LOOK))[0]
    detail = details(order)[0]
    with at("2026-09-01 09:00"):
        good = {"排气压力": "0.7", "润滑": "1", "照片": {"images": picture(cast)}, "外观": "1"}
        before = checksum(A)
        refused = submit(cast, "operator", body(detail, {**good, **values}, **more))
        assert (refused.status, refused.data["fields"]) == (400, {f"records.{item(detail, name)}": text})
        assert checksum(A) == before
        answer = ok(submit(cast, "operator", body(detail, good)))
    assert (answer["orderStatus"], answer["result"], len(answer["records"])) == (3, 1, 4)


def test_the_same_submission_again_changes_nothing_whenever_it_comes(cast: Cast) -> None:
    order = _tasks(cast)[0]
    first, second = details(order)
    sent = body(first, {"排气压力": "0.9", "油位": "0"})
    with at("2026-09-01 09:00"):
        answer = ok(submit(cast, "operator", sent))
        assert answer["suggestRepair"] is True
        assert answer["repair"]["description"] == "点检异常：油位异常"
    with at("2026-09-03 09:00"):
        swept()
        before = checksum(A)
        assert ok(submit(cast, "operator", sent)) == answer
        used = submit(cast, "operator", {**sent, "id": str(second.pk)})
        assert (used.status, used.msg, checksum(A)) == (409, "该提交标识已用于其他点位", before)
    with tenant_scope(A):
        assert (RepairOrder.objects.count(), InspectOrderRecord.objects.count()) == (1, 2)


def test_points_in_order_a_skip_with_a_reason_and_a_task_with_nothing_checked(cast: Cast) -> None:
    order, other = _tasks(cast, orderMode=1)
    first, second = details(order)
    with at("2026-09-01 09:00"):
        refused = submit(cast, "operator", body(second, GOOD))
        assert (refused.status, refused.msg) == (400, "请先完成点位「点1」")
        short = submit(cast, "operator", body(first, {}, skip={"reason": "没空"}))
        assert (short.status, short.msg) == (400, "请填写跳过原因（至少4个字）")
        assert ok(submit(cast, "operator", body(first, {}, skip={"reason": "通道封闭施工"})))["status"] == 5
        assert ok(submit(cast, "operator", body(second, GOOD)))["orderStatus"] == 3
    row = fresh(order)
    assert (row.point_done, row.point_skipped, row.item_done) == (1, 1, 2)
    with at("2026-09-02 09:00"):
        for detail in details(other):
            answer = ok(
                submit(cast, "operator", body(detail, {}, "2026-09-02 09:00:00", skip={"reason": "通道封闭施工"}))
            )
        assert answer["orderStatus"] == 2
    with at("2026-09-02 17:00"):
        swept()
    assert (fresh(other).status, fresh(other).point_skipped, fresh(other).point_missed) == (4, 2, 0)


def test_what_nobody_has_done_by_its_deadline_is_missed_and_told_once(cast: Cast) -> None:
    order, other = _tasks(cast)
    with at("2026-09-01 16:05"):
        assert swept() == (0, 1)
        assert swept() == (0, 0)
        page = ok(cast.client_for("operator").get(f"{ORDERS}/getOrderNowTask"))
        assert [one["orderNo"] for one in page["overdue"]] == [order.order_no]
    with at("2026-09-01 16:30"):
        assert swept() == (0, 0)
    with at("2026-09-01 16:31"):
        assert swept() == (1, 0)
        assert swept() == (0, 0)
        late = submit(cast, "operator", body(details(order)[0], GOOD))
        assert (late.status, late.msg) == (400, "任务已超过截止时间，不能提交")
        refused = _act(cast, "operator", "start", order)
        assert (refused.status, refused.msg) == (400, "当前状态为「漏检」，不能开始")
        assert _act(cast, "operator", "review", order, missReason="人手不足").status == 403
        ok(_act(cast, "shift_leader", "review", order, missReason="人手不足"))
    row = fresh(order)
    assert (row.status, row.point_missed, row.miss_reason) == (4, 2, "人手不足")
    assert fresh(other).status == 1
    while outbox.deliver_due():
        pass
    with tenant_scope(A):
        told = list(Message.objects.order_by("pk").values_list("user_id", "title"))
        assert told == [
            (cast.user("operator").pk, "点检任务即将截止：路线R1"),
            (cast.user("shift_leader").pk, "2026-09-01 早班漏检1个点检任务"),
        ]  # fmt: skip
        event = Event.objects.filter(operation="inspectorder.miss").get()
        assert (event.business_id, event.from_status, event.to_status, event.user_name) == (order.pk, 1, 4, "系统")


def test_void_and_exempt_need_their_right_and_a_reason(cast: Cast) -> None:
    order, other = _tasks(cast)
    with at("2026-09-01 09:00"):
        before = checksum(A)
        for action in ("void", "exempt"):
            assert _act(cast, "operator", action, order, reason="停产").status == 403
            assert _act(cast, "equip_manager", action, order).status == 400
            stranger = cast.client_for("equip_manager", B).post_json(
                f"{ORDERS}/{action}", {"id": str(order.pk), "reason": "停产"}
            )
            assert stranger.status == 404
        assert checksum(A) == before
        assert ok(_act(cast, "shift_leader", "void", other, reason="路线调整"))["status"] == 6
        first = details(order)[0]
        ok(submit(cast, "operator", body(first, GOOD)))
        refused = _act(cast, "equip_manager", "void", order, reason="停产")
        assert (refused.status, refused.msg) == (400, "当前状态为「巡检中」，不能作废")
        assert ok(_act(cast, "equip_manager", "exempt", order, reason="停产"))["status"] == 3
    row = fresh(order)
    assert (row.point_done, row.point_exempt, row.exempt_reason) == (1, 1, "停产")
    with at("2026-09-02 09:00"):
        refused = _act(cast, "equip_manager", "exempt", other, reason="停产")
        assert (refused.status, refused.msg) == (400, "当前状态为「已作废」，不能免检")
        missing = cast.client_for("equip_manager").post_json(f"{ORDERS}/remove", ids=str(other.pk))
        assert (missing.status, missing.msg) == (409, "已执行的任务不能删除")


def test_a_task_that_somebody_has_claimed_goes_back_to_the_team(cast: Cast) -> None:
    order = _tasks(cast)[0]
    with at("2026-09-01 09:00"):
        ok(_act(cast, "operator", "start", order))
        ok(_act(cast, "shift_leader", "release", order))
        assert (fresh(order).executor_id, fresh(order).status) == (None, 2)
        ok(submit(cast, "shift_leader", body(details(order)[0], GOOD)))
    assert fresh(order).executor_id is None or fresh(order).executor_id == cast.user("shift_leader").pk


def test_what_was_checked_in_time_may_be_uploaded_late_where_the_route_allows_it(cast: Cast) -> None:
    order, _other = _tasks(cast)
    first, second = details(order)
    sent = [body(one, GOOD, "2026-09-01 15:00:00", sentTime="2026-09-01 20:10:00") for one in (first, second)]
    with at("2026-09-01 20:00"):
        swept()
        assert submit(cast, "operator", sent[0]).msg == "任务已超过截止时间，不能提交"
        with tenant_scope(A):
            Route.objects.update(allow_supplement=True)
        outside = submit(cast, "operator", {**sent[0], "clientTime": "2026-09-01 16:31:00"})
        assert outside.msg == "任务已超过截止时间，不能提交"
        assert ok(submit(cast, "operator", sent[0]))["orderStatus"] == 4
    with at("2026-09-02 16:31"):
        refused = submit(cast, "operator", sent[1])
        assert (refused.status, refused.msg) == (400, "离线数据已超过补传期限")
    with at("2026-09-02 16:29"):
        assert ok(submit(cast, "operator", {**sent[1], "sentTime": "2026-09-02 16:29:00"}))["orderStatus"] == 3
    row = fresh(order)
    assert (row.status, row.is_supplement, row.is_late, row.is_suspect) == (3, True, False, True)
    assert [one["code"] for one in row.suspect_reasons] == ["clock"]
    with tenant_scope(A):
        event = Event.objects.filter(operation="inspectorder.point").order_by("-pk").first()
        assert event is not None
        assert (event.from_status, event.to_status) == (4, 3)


def test_marks_of_suspicion_stop_nobody(cast: Cast) -> None:
    order, other = _tasks(cast, points=1, radius=50, lng="121.000000", lat="31.000000", minSeconds=60, photoRequired=1)
    detail, next_day = details(order)[0], details(other)[0]
    with at("2026-09-01 09:00"):
        ok(_act(cast, "operator", "start", order))
        sent = body(detail, GOOD, "2026-09-01 09:00:20", lng=121.001, lat=31.0, images=picture(cast))
        assert ok(submit(cast, "operator", sent))["orderStatus"] == 3
    with at("2026-09-02 09:00"):
        page = ok(cast.client_for("equip_manager").get(f"{ORDERS}/detail", id=str(order.pk)))
        assert page["suspectReasons"] == ["「点1」提交位置偏离点位95米", "「点1」停留仅20秒"]
        with tenant_scope(A):
            link = picture(cast)  # the same pixels again
        sent = body(next_day, GOOD, "2026-09-02 09:00:00", lng=121.0, lat=31.0, images=link)
        ok(submit(cast, "operator", sent))
    assert [one["code"] for one in fresh(other).suspect_reasons] == ["photo"]


def test_meter_readings_are_written_and_refused_by_the_meters_own_rules(cast: Cast) -> None:
    with tenant_scope(A):
        Machine.objects.filter(machine_code="M1").update(meter_unit=MeterUnit.HOURS)
    meter = {"itemName": "运行小时", "valueType": 6, "unit": "h", "decimals": 1, "abnormalAction": 0}
    order, other = _tasks(cast, points=1, items=(meter,))
    with at("2026-09-01 09:00"):
        ok(submit(cast, "operator", body(details(order)[0], {"运行小时": "1200.5"})))
    with at("2026-09-02 09:00"):
        detail = details(other)[0]
        before = checksum(A)
        refused = submit(cast, "operator", body(detail, {"运行小时": "1200"}, "2026-09-02 09:00:00"))
        assert (refused.status, checksum(A)) == (400, before)
        assert refused.data["fields"][f"records.{item(detail, '运行小时')}"].startswith("读数不能小于上次读数1200.5")
        ok(submit(cast, "operator", body(detail, {"运行小时": "1212"}, "2026-09-02 09:00:00")))
    with tenant_scope(A):
        rows = list(MeterReading.objects.order_by("read_time").values_list("value", "delta", "source"))
        assert [(float(value), delta and float(delta), source) for value, delta, source in rows] == [
            (1200.5, None, 2), (1212.0, 11.5, 2),
        ]  # fmt: skip


def test_the_lists_of_now(cast: Cast) -> None:
    order, _other = _tasks(cast)
    asked = f"{ORDERS}/getOrderNowTask"

    def seen(who: str, **given: Any) -> dict[str, list[str]]:
        page = ok(cast.client_for(who).get(asked, **given))
        return {name: [one["orderNo"] for one in page[name]] for name in ("current", "upcoming", "overdue", "done")}

    with at("2026-09-01 07:00"):
        assert seen("operator")["upcoming"] == [order.order_no]
    with at("2026-09-01 08:00"):
        page = ok(cast.client_for("operator").get(asked))
        assert (page["serverTime"], page["businessDate"]) == ("2026-09-01 08:00:00", "2026-09-01")
        assert (page["shift"]["shiftName"], page["shift"]["teamName"]) == ("早班", "甲")
        [task] = page["current"]
        assert (task["minutesLeft"], task["claimable"], task["startable"]) == (510, 1, 1)
        assert seen("equip_manager")["current"] == []  # named for none of them
        assert len(seen("equip_manager", scope="dept")["current"]) == 1
        assert cast.client_for("operator").get(asked, scope="all").status == 400
        for detail in details(order):
            ok(submit(cast, "operator", body(detail, GOOD, "2026-09-01 08:00:00")))
        now = seen("operator")
        assert (now["current"], now["done"]) == ([], [order.order_no])
        assert cast.client_for("operator", B).get(asked).data["counts"]["done"] == 0


def test_a_task_by_hand_and_who_may_change_it(cast: Cast) -> None:
    group = route(cast)
    manager, user = Person(cast, "equip_manager"), str(cast.user("operator").pk)
    sent = {"groupId": group, "planStart": "2026-09-01 10:00:00", "planEnd": "2026-09-01 12:00:00", "userIds": user}
    with at("2026-09-01 09:00"):
        for more, text in (
            ({"groupId": None}, "请选择巡检路线"), ({"userIds": ""}, "请选择执行人或班组"),
            ({"planEnd": "2026-09-01 10:00:00"}, "结束时间必须晚于开始时间"),
            ({"planEnd": "2026-10-03 10:00:00"}, "任务时长不能超过31天"),
        ):  # fmt: skip
            refused = manager.post_json(f"{ORDERS}/submit", {**sent, **more})
            assert (refused.status, refused.msg) == (400, text)
        assert cast.client_for("operator").post_json(f"{ORDERS}/submit", sent).status == 403
        made = ok(manager.post_json(f"{ORDERS}/submit", sent))["id"]
        ok(manager.change(ORDERS, {"id": made, "planEnd": "2026-09-01 13:00:00"}))
        [order] = orders()
        assert (order.source, str(order.business_date), order.deadline - order.plan_end) == (
            2, "2026-09-01", timedelta(minutes=30),
        )  # fmt: skip
        one, two = details(order)
        ok(manager.post_json(f"{DETAILS}/remove", ids=str(two.pk)))
        refused = manager.post_json(f"{DETAILS}/remove", ids=str(one.pk))
        assert (refused.status, refused.msg) == (409, "任务至少保留一个点位，请删除任务")
    with at("2026-09-01 10:00"):
        answer = ok(submit(cast, "operator", body(one, GOOD, "2026-09-01 10:00:00")))
        assert answer["orderStatus"] == 3
        refused = manager.change(ORDERS, {"id": made, "remark": "x"})
        assert (refused.status, refused.msg) == (409, "已执行或由排班生成的任务不能修改")
        record = ok(cast.client_for("operator").get(f"{RECORDS}/list"))["records"][0]["id"]
        ok(cast.client_for("operator").post_json(f"{RECORDS}/submit", {"id": record, "remark": "复测"}))
        assert manager.post_json(f"{RECORDS}/submit", {"id": record, "remark": "改"}).status == 403
        assert manager.post_json(f"{RECORDS}/remove", ids=record).msg == "已执行的任务不能删除"
    with at("2026-09-02 10:01"):
        refused = cast.client_for("operator").post_json(f"{RECORDS}/submit", {"id": record, "remark": "再改"})
        assert (refused.status, refused.msg) == (409, "检查结果提交24小时后不能修改")
    with tenant_scope(A):
        assert InspectOrderRecord.objects.get(pk=record).remark == "复测"
        assert InspectOrderDetail.objects.count() == 1


def test_last_values_and_the_trend_of_a_number(cast: Cast) -> None:
    config, group = plan(cast), route(cast, points=1, items=(PRESSURE, OIL))
    with at("2026-09-01 07:00"):
        ok(generate(cast, config, "2026-09-01", "2026-09-08", rules=[rule(config, group)]))
    walked = [one for one in orders() if one.shift_name == "早班"]
    for number, order in enumerate(walked[:7]):
        day = str(order.business_date)
        with at(f"{day} 09:00"):
            sent = body(details(order)[0], {"排气压力": f"0.7{number}", "油位": "1"}, f"{day} 09:00:00")
            ok(submit(cast, "shift_leader", sent))
    with at("2026-09-08 09:00"):
        page = ok(cast.client_for("shift_leader").get(f"{ORDERS}/task", id=str(walked[7].pk)))
        number = page["details"][0]["items"][0]
        assert [one["value"] for one in number["last"]] == ["0.76MPa", "0.75MPa", "0.74MPa", "0.73MPa", "0.72MPa"]
        asked = {"itemId": number["itemId"], "pointId": page["details"][0]["pointId"]}
        found = ok(cast.client_for("shift_leader").get(f"{RECORDS}/getTrend", **asked))
        assert [one["value"] for one in found["values"]] == [0.7, 0.71, 0.72, 0.73, 0.74, 0.75, 0.76]
        assert [found[name] for name in ("lower", "warnLower", "warnUpper", "upper", "unit")] == [
            0.6,
            0.65,
            0.78,
            0.8,
            "MPa",
        ]
        assert cast.client_for("equip_manager", B).get(f"{RECORDS}/getTrend", **asked).status == 404


def test_what_is_abnormal_at_a_critical_asset_is_told(cast: Cast) -> None:
    with tenant_scope(A):
        Machine.objects.filter(machine_code="M1").update(importance=Importance.CRITICAL)
    order = _tasks(cast, points=1, items=(OIL,))[0]
    with at("2026-09-01 09:00"):
        ok(submit(cast, "operator", body(details(order)[0], {"油位": "0"})))
    while outbox.deliver_due():
        pass
    with tenant_scope(A):
        told = set(Message.objects.values_list("user_id", "title"))
    assert told == {(cast.user(who).pk, "关键设备点检异常：M1 车床") for who in ("equip_manager", "shift_leader")}


def test_an_asset_knows_when_it_was_and_will_be_inspected(cast: Cast) -> None:
    order = _tasks(cast)[0]
    found = details(order)
    with tenant_scope(A):
        machine = Machine.objects.get(pk=found[0].machine_id)

    def shown(tenant: str = A, **asked: str) -> list[tuple[str | None, str | None]]:
        caller = cast.client_for("equip_manager", tenant)
        rows = ok(caller.get("yuzhu-equip/inspectmachine/list", machineCode=machine.machine_code, **asked))["records"]
        return [(row["lastInspectTime"], row["nextInspectTime"]) for row in rows]

    with at("2026-09-01 09:00"):
        assert shown() == [(None, "2026-09-01 08:00:00")] == shown(nextInspectTime_le="2026-09-01 08:00:00")
        for detail in found:
            ok(submit(cast, "operator", body(detail, GOOD)))
        assert shown() == [("2026-09-01 09:00:00", "2026-09-02 08:00:00")]
        assert shown(lastInspectTime_ge="2026-09-01 09:00:00", ascs="lastInspectTime") == shown()
        assert shown(lastInspectTime_ge="2026-09-01 09:00:01") == shown(nextInspectTime_le="2026-09-01 08:00:00") == []
    # Nobody has walked it until its end has come.
    with at("2026-09-03 09:00"):
        assert shown() == [("2026-09-01 09:00:00", None)]
        assert shown(B) == [(None, None)]
