"""Maintenance orders: their life through both doors, and what each act must carry."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from core.access.models import Role, UserRole
from core.desk.models import Message
from core.equipment.models import Machine, MeterReading, RunState, Stoppage
from core.identity.models import Team
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder
from core.preventive import orders
from core.preventive.models import MaintainLine, MaintainOrder, MaintainOrderDetail, Status
from core.scheduling import outbox
from core.spares.models import SparePart, SpareUseLog
from tests.cast import A, B, Cast
from tests.repairs import DAY, at
from tests.upkeep import DUE, ORDER, Upkeep, hours, plan, standard

pytestmark = pytest.mark.django_db


def test_an_order_goes_through_to_its_check(cast: Cast) -> None:
    with at("7:30"):
        story = Upkeep(cast)
        assert story.now["orderNo"] == "BY202603020001"
        assert story.now["status"] == Status.TO_DO
        assert [row["item_name"] for row in story.rows_of(MaintainOrderDetail)] == [
            "紧固地脚螺栓", "主轴温度", "更换润滑油",
        ]  # fmt: skip
    with at("8:00"):
        assert story.act("repairer", "start")["status"] == Status.DOING
    with at("10:00"):
        line = {
            "userId": str(cast.user("repairer").pk), "startTime": "2026-03-02 08:00:00",
            "endTime": "2026-03-02 09:30:00", "content": "保养",
        }  # fmt: skip
        answer = story.work("repairer", **story.whole(lines=[line], otherCost=12.5, summary="一切正常"))
        assert answer.code == 200, answer
        assert {name: answer.data[name] for name in ("status", "statusName", "nextDueDate", "nextDueHours")} == {
            "status": 3, "statusName": "待验收", "nextDueDate": "2026-04-02", "nextDueHours": None,
        }  # fmt: skip
        assert (answer.data["predictedDate"], answer.data["repairOrders"], answer.data["spareShort"]) == (None, [], [])
    with at("11:00"):
        assert story.act("shift_leader", "check", checkResult=1, checkRemark="好")["status"] == Status.DONE
        found = story.detail()
    shown = ("usedMinutes", "labourMinutes", "labourCost", "otherCost", "totalCost", "abnormalCount", "executorName")
    assert {name: found[name] for name in shown} == {
        "usedMinutes": 90, "labourMinutes": 90, "labourCost": 90.0, "otherCost": 12.5, "totalCost": 102.5,
        "abnormalCount": 0, "executorName": "蒋修",
    }  # fmt: skip
    assert [log["action"] for log in found["logs"]] == ["generate", "start", "submit", "check"]
    assert (found["checkResult"], found["checkUserName"], found["checkRemark"]) == (1, "李班", "好")
    row = plan(story.config)
    assert (row.last_done_time, str(row.next_due_date), row.skipped_count) == (
        DAY + timedelta(hours=9, minutes=30), "2026-04-02", 0,
    )  # fmt: skip


def test_the_queue_is_the_other_door(cast: Cast) -> None:
    with at("8:00"):
        story = Upkeep(cast)
        assert story.complete("repairer", "claim-list", outcome="start").data["status"] == Status.DOING
        assert story.order().executor_id == cast.user("repairer").pk
    with at("10:00"):
        sent = story.complete("repairer", "todo-list", outcome="submit", variables=story.whole())
        assert (sent.code, sent.data["status"]) == (200, Status.TO_CHECK), sent
        assert story.order().abnormal_count == 0
        refused = story.complete("shift_leader", "claim-list", outcome="fail")
        assert refused.code == 400
        assert (
            story.complete("shift_leader", "claim-list", outcome="fail", comment="油迹").data["status"] == Status.DOING
        )
        order = story.order()
        assert (order.rework_count, order.check_result, order.check_remark) == (1, 2, "油迹")
        assert story.complete("repairer", "todo-list", outcome="submit", variables=story.whole()).data["status"] == 3
        assert story.complete("equip_manager", "claim-list", outcome="pass").data["status"] == Status.DONE


def test_what_nobody_has_to_verify_is_done_at_once(cast: Cast) -> None:
    with at("8:00"):
        story = Upkeep(cast, need_check=False)
        story.act("repairer", "start")
    with at("10:00"):
        answer = story.work("repairer", **story.whole())
        assert (answer.data["status"], answer.data["statusName"]) == (4, "已完成")
        assert story.order().close_time == DAY + timedelta(hours=10)


def test_a_stop_lasts_from_the_start_to_the_end_that_is_said(cast: Cast) -> None:
    with at("8:00"):
        story = Upkeep(cast, need_stop=True)
        story.act("repairer", "start")
        assert _machine(cast).run_state == RunState.MAINTAINING
        with tenant_scope(A):
            stop = Stoppage.objects.get()
            assert (stop.rest_type, stop.source, stop.end_time) == (4, 3, None)
    with at("10:00"):
        before = story.everything()
        assert story.work("repairer", **story.whole()).data["fields"] == {"stopEnd": "请选择恢复运行时间"}
        late = story.work("repairer", **story.whole(stopEnd="2026-03-02 10:30:00"))
        assert late.data["fields"] == {"stopEnd": "恢复时间不能晚于当前时间"}
        assert story.everything() == before
        answer = story.work("repairer", **story.whole(stopStart="2026-03-02 08:10:00", stopEnd="2026-03-02 09:20:00"))
        assert answer.code == 200, answer
        assert _machine(cast).run_state == RunState.RUNNING
        assert story.detail()["stopMinutes"] == 70


def test_nobody_begins_without_the_safety_measures(cast: Cast) -> None:
    with at("8:00"):
        story = Upkeep(cast, safety="上锁挂牌，确认断电")
        before = story.everything()
        refused = story.try_to("repairer", "start")
        assert (refused.code, refused.msg) == (400, "请确认安全措施")
        assert story.everything() == before
        story.act("repairer", "start", safetyConfirmed=1)
        assert story.order().safety_confirmed is True


WRONG = [
    (("1", "", "已更换"), {}, "项目「主轴温度」未填写结果"),
    (("1", "热", "已更换"), {}, "「主轴温度」请输入数字"),
    (("1", "55.55", "已更换"), {}, "小数位不能超过1位"),
    (("0", "55", "已更换"), {}, "项目「紧固地脚螺栓」未填写处理说明"),
    (({"result": 4}, "55", "已更换"), {}, "项目「紧固地脚螺栓」未填写处理说明"),
    ((), {"finishTime": "2026-03-02 08:00:00"}, "结束时间必须晚于开始时间"),
    ((), {"finishTime": "2026-03-02 10:00:01"}, "结束时间不能晚于当前时间"),
    ((), {"finishTime": None}, "请选择完成时间"),
    ((), {"readHours": -1}, "读数不能小于0"),
]


@pytest.mark.parametrize(("values", "more", "said"), WRONG)
def test_what_is_missing_or_wrong_is_named_and_changes_nothing(
    cast: Cast, values: tuple[Any, ...], more: dict[str, Any], said: str
) -> None:
    with at("8:00"):
        story = Upkeep(cast)
        story.act("repairer", "start")
    with at("10:00"):
        before = story.everything()
        answer = story.work("repairer", **story.whole(*values, **more))
        assert (answer.code, answer.msg) == (400, said)
        assert story.everything() == before


def test_a_signature_where_the_standard_asks_for_one(cast: Cast) -> None:
    with at("8:00"):
        story = Upkeep(cast, need_sign=True)
        story.act("repairer", "start")
    with at("10:00"):
        assert story.work("repairer", **story.whole()).data["fields"] == {"signImage": "请签名"}


def test_the_server_judges_what_was_measured(cast: Cast) -> None:
    with at("8:00"):
        story = Upkeep(cast)
        story.act("repairer", "start")
    with at("10:00"):
        # 60.1 is a warning, which is no abnormal result, whatever was sent beside it.
        story.work("repairer", **story.whole("1", {"value": "60.1", "result": 2}, "已更换"))
        assert [(row["result"], row["finding"]) for row in story.rows_of(MaintainOrderDetail)] == [
            (1, 1), (1, 2), (1, 1),
        ]  # fmt: skip


def test_what_is_abnormal_becomes_one_work_order(cast: Cast) -> None:
    with at("8:00"):
        story = Upkeep(cast)
        story.act("repairer", "start")
    with at("10:00"):
        answer = story.work(
            "repairer",
            **story.whole(
                {"value": "0", "handling": "已重新紧固"}, {"value": "70.1", "handling": "需更换轴承"}, "已更换"
            ),
        )
        assert answer.code == 200, answer
        [made] = answer.data["repairOrders"]
        with tenant_scope(A):
            repair = RepairOrder.objects.get()
        assert (made["id"], made["orderNo"]) == (str(repair.pk), repair.order_no)
        assert (repair.source, repair.source_id, repair.source_no, repair.urgency) == (
            3, int(story.now["id"]), story.now["orderNo"], 2,
        )  # fmt: skip
        assert repair.description == "保养发现：主轴温度70.1℃ > 上限70℃"
        assert story.order().abnormal_count == 2
        # Done again, the same fault is the same order; of another order of the machine it is noted.
        story.act("shift_leader", "check", checkResult=2, checkRemark="再查")
        again = story.work("repairer", **story.whole("1", {"value": "71", "handling": "需更换轴承"}, "已更换"))
        assert [one["id"] for one in again.data["repairOrders"]] == [made["id"]]
        with tenant_scope(A):
            assert RepairOrder.objects.count() == 1
        found = story.detail()["details"][1]
        assert (found["repairOrderNo"], found["judgeText"]) == (repair.order_no, "71℃ > 上限70℃")


def test_a_reading_counts_for_the_asset_and_its_plan(cast: Cast) -> None:
    with at("8:00"):
        story = Upkeep(cast, trigger_type=2, run_interval=hours("500"), cycle_value=None, cycle_unit=None)
        story.act("repairer", "start")
    with at("10:00"):
        assert story.work("repairer", **story.whole()).data["fields"] == {"readHours": "请输入读数"}
        answer = story.work("repairer", **story.whole(readHours=1200.5))
        assert answer.code == 200, answer
        with tenant_scope(A):
            reading = MeterReading.objects.get()
        assert (reading.value, reading.source, reading.read_time) == (
            hours("1200.5"), 4, DAY + timedelta(hours=9, minutes=30),
        )  # fmt: skip
        story.act("shift_leader", "check", checkResult=2, checkRemark="再查")
        assert story.work("repairer", **story.whole(readHours=1201)).code == 200
        with tenant_scope(A):
            assert [row.value for row in MeterReading.objects.all()] == [hours("1201.0")]


def test_a_draft_is_kept_and_is_no_act(cast: Cast) -> None:
    with at("8:00"):
        story = Upkeep(cast)
        story.act("repairer", "start")
        logs = len(story.detail()["logs"])
        first = story.rows_of(MaintainOrderDetail)[1]["id"]
        answer = story.work("repairer", True, summary="半", details=[{"id": str(first), "value": "热"}])
        assert (answer.code, answer.data["status"]) == (200, Status.DOING), answer
        assert story.order().summary == "半"
        assert story.rows_of(MaintainOrderDetail)[1]["value"] == "热"
        assert len(story.detail()["logs"]) == logs
        other = story.work("repairer2", True, summary="别人")
        assert other.code == 403
        assert story.order().summary == "半"


def test_a_delay_lasts_a_cycle_at_most(cast: Cast) -> None:
    with at("8:00"):
        story = Upkeep(cast)
        before = story.everything()
        for day, reason, said in (
            ("2026-03-02", "停产", "新日期必须晚于原应完成日期"),
            ("2026-04-03", "停产", "延期不能超过一个保养周期"),
            ("2026-03-10", "", "请输入延期原因"),
        ):
            answer = story.try_to("equip_manager", "delay", dueDate=day, reason=reason)
            assert (answer.code, answer.msg) == (400, said)
        assert story.try_to("repairer", "delay", dueDate="2026-03-10", reason="停产").code == 403
        assert story.everything() == before
        assert story.act("equip_manager", "delay", dueDate="2026-04-02", reason="停产")["status"] == Status.TO_DO
        order = story.order()
        assert (str(order.due_date), str(order.original_due_date), order.delay_count, order.delay_reason) == (
            "2026-04-02", "2026-03-02", 1, "停产",
        )  # fmt: skip


def test_a_cancellation_moves_the_plan_on(cast: Cast) -> None:
    with at("8:00"):
        story = Upkeep(cast, need_stop=True)
        story.act("repairer", "start")
        assert story.try_to("repair_leader", "cancel", cancelReason="停用").code == 403
        assert story.act("equip_manager", "cancel", cancelReason="设备停用")["status"] == Status.CANCELLED
        row = plan(story.config)
        assert (row.skipped_count, str(row.next_due_date)) == (1, "2026-04-02")
        assert _machine(cast).run_state == RunState.RUNNING
        assert story.try_to("repairer", "start").code == 400


def test_nobody_verifies_the_own_work(cast: Cast) -> None:
    with at("8:00"):
        story = Upkeep(cast)
        story.act("repairer", "start")
    with at("10:00"):
        line = {
            "userId": str(cast.user("shift_leader").pk), "startTime": "2026-03-02 08:00:00",
            "endTime": "2026-03-02 09:00:00",
        }  # fmt: skip
        story.work("repairer", **story.whole(lines=[line]))
        before = story.everything()
        assert story.try_to("shift_leader", "check", checkResult=1).msg == "不能验收本人执行的保养单"
        assert story.try_to("equip_manager", "check", checkResult=2).msg == "请填写不通过原因"
        assert story.try_to("repairer", "check", checkResult=1).code == 403
        assert story.everything() == before


def test_who_holds_both_rights_verifies_others_alone(cast: Cast) -> None:
    with at("8:00"):
        with tenant_scope(A):
            leader = cast.user("shift_leader")
            UserRole.objects.create(user=leader, role=Role.objects.get(role_alias="repairer"))
        story = Upkeep(cast, user_ids=[leader.pk])
        story.caller = cast.anew  # type: ignore[method-assign]
        story.act("shift_leader", "start")
    with at("10:00"):
        assert story.work("shift_leader", **story.whole()).code == 200
        before = story.everything()
        refused = story.try_to("shift_leader", "check", checkResult=1)
        assert (refused.code, refused.msg) == (403, "不能验收本人执行的保养单")
        assert story.everything() == before


def test_one_open_order_of_a_standard_and_an_asset(cast: Cast) -> None:
    with at("8:00"):
        story = Upkeep(cast)
        with tenant_scope(A):
            row = plan(story.config)
            assert orders.open_order(row, due_date=DUE, due_hours=None, now=clock.now()) is None
            later = DUE + timedelta(days=31)
            assert orders.open_order(row, due_date=later, due_hours=None, now=clock.now()) is None
        answer = _save(cast, story.config.pk)
        assert (answer.code, answer.msg) == (409, "设备「车床」的「一级保养BY1」已有未完成的保养单")
        story.act("equip_manager", "cancel", cancelReason="停用")
        with tenant_scope(A):
            # What was generated once is not generated again.
            assert orders.open_order(row, due_date=DUE, due_hours=None, now=clock.now()) is None
            assert MaintainOrder.objects.count() == 1
        assert _save(cast, story.config.pk).code == 200


def test_an_order_by_hand_is_removed_before_it_begins(cast: Cast) -> None:
    with at("8:00"):
        config = standard(cast)
        assert _save(cast, config.pk, by="repair_leader").code == 403
        made = _save(cast, config.pk, userIds=str(cast.user("repairer_other").pk)).data
        caller = cast.client_for("equip_manager")
        found = caller.get(f"{ORDER}/detail", id=made["id"]).data
        assert (found["source"], found["userNames"], found["dueDate"]) == (2, ["韩修"], "2026-03-05")
        assert caller.post_json(f"{ORDER}/remove", ids=made["id"]).code == 200
        assert caller.get(f"{ORDER}/detail", id=made["id"]).code == 404
        planned = Upkeep(cast, code="BY2")
        refused = caller.post_json(f"{ORDER}/remove", ids=planned.now["id"])
        assert (refused.code, refused.msg) == (409, "保养单BY202603020002由计划生成，不能删除，请取消")


def test_own_items_while_the_work_lasts(cast: Cast) -> None:
    path = "yuzhu-equip/maintainorderdetail"
    with at("8:00"):
        story = Upkeep(cast)
        body = {"orderId": story.now["id"], "itemName": "清洁防护罩", "result": 1}
        repairer = cast.client_for("repairer")
        assert repairer.post_json(f"{path}/submit", body).code == 400
        story.act("repairer", "start")
        made = repairer.post_json(f"{path}/submit", body)
        assert made.code == 200, made
        assert cast.client_for("repairer2").post_json(f"{path}/submit", body).code == 403
        rows = repairer.get(f"{path}/list", orderId=story.now["id"]).data["records"]
        assert [(row["itemName"], row["item"] is None) for row in rows][2:] == [
            ("更换润滑油", False),
            ("清洁防护罩", True),
        ]
        standard_row = rows[0]["id"]
        refused = repairer.post_json(f"{path}/remove", ids=standard_row)
        assert (refused.code, refused.msg) == (409, "「紧固地脚螺栓」是标准项目，不能删除")
        assert repairer.post_json(f"{path}/remove", ids=made.data["id"]).code == 200


def test_whom_it_waits_for(cast: Cast) -> None:
    with at("8:00"):
        story = Upkeep(cast)  # nobody named: the team of the asset
        assert story.task("repairer2", "claim-list")["businessId"] == story.now["id"]
        assert cast.client_for("repairer_other").get("blade-flow/work/claim-list").data["total"] == 0
        named = Upkeep(cast, code="BY2", user_ids=[cast.user("operator").pk, cast.user("repairer_other").pk], level=1)
        assert named.task("operator", "claim-list")["businessId"] == named.now["id"]
        assert named.detail("repairer_other")["orderNo"] == named.now["orderNo"]  # of another team, but named
        assert named.act("operator", "start")["status"] == Status.DOING
        two = Upkeep(cast, code="BY3", user_ids=[cast.user("operator").pk], level=2)
        assert two.try_to("operator", "start").code == 403  # daily care alone
        with tenant_scope(A):
            Machine.objects.filter(machine_code="M1").update(team=None)
        nobody = Upkeep(cast, code="BY4")
        assert nobody.task("repair_leader", "claim-list")["businessId"] == nobody.now["id"]


def _told(cast: Cast, account: str) -> list[str]:
    """Titles of what somebody was told, the oldest first."""
    while outbox.deliver_due():
        pass
    with tenant_scope(A):
        rows = Message.objects.filter(user_id=cast.user(account).pk).order_by("id").values_list("title", flat=True)
        return [title.partition("：")[0] for title in rows]


def test_a_leader_gives_an_order_to_others_and_both_are_told(cast: Cast) -> None:
    mine, other = "改派给您的保养单", "保养单已改派他人"
    with at("8:00"):
        story = Upkeep(cast)  # the mechanics' own
        ids = {name: str(cast.user(name).pk) for name in ("repairer", "repairer2", "repairer_other", "viewer")}
        with tenant_scope(A):
            teams = dict(Team.objects.values_list("team_name", "pk"))
        before = story.everything()
        for who, code, given, said in (
            ("repairer", 403, {"userIds": ids["repairer"], "reason": "换人"}, None),
            ("repair_leader", 400, {"reason": "换人"}, "请选择执行人或班组"),
            ("repair_leader", 400, {"userIds": ids["repairer"]}, "请输入改派原因"),
            ("repair_leader", 400, {"userIds": ids["viewer"], "reason": "换人"}, "此人没有执行保养的权限"),
            ("repair_leader", 400, {"teamId": "1", "reason": "换人"}, "数据不存在或已被删除"),
        ):
            answer = story.try_to(who, "assign", **given)
            assert (answer.code, said or answer.msg) == (code, answer.msg)
        assert story.everything() == before
        task = story.task("repairer", "claim-list")["taskId"]
        story.act("repair_leader", "assign", teamId=str(teams["电修班"]), reason="机修班停电检修")
        assert (_told(cast, "repairer"), _told(cast, "repairer_other")) == ([other], [mine])
        assert story.caller("repairer").get("blade-flow/work/claim-list").data["total"] == 0
        assert story.task("repairer_other", "claim-list")["taskId"] == task
        story.act("repair_leader", "assign", userIds=ids["repairer2"], reason="电修班抢修")
        assert story.task("repairer2", "todo-list")["taskId"] == task
        assert story.try_to("repair_leader", "assign", userIds=ids["repairer2"], reason="x").msg == "该任务已由此人办理"
        story.act("repairer2", "start")
        started = story.everything()
        two = f"{ids['repairer']},{ids['repairer_other']}"
        refused = story.try_to("repair_leader", "assign", userIds=two, reason="请假")
        assert refused.msg == "执行中的保养单只能改派给一名执行人" and story.everything() == started
        story.act("repair_leader", "assign", userIds=ids["repairer"], reason="请假")
        assert (_told(cast, "repairer"), _told(cast, "repairer2")) == ([other, mine], [other, mine, other])
        assert story.detail()["executorName"] == "蒋修" and story.task("repairer", "todo-list")["node"] == "do"
        last = story.detail()["logs"][-1]
        assert (last["action"], last["remark"]) == ("assign", "请假")
    with at("10:00"):
        assert story.work("repairer2", **story.whole()).code in (403, 409)
        assert story.work("repairer", **story.whole()).code == 200
        assert story.try_to("repair_leader", "assign", userIds=ids["repairer2"], reason="x").code == 403


def test_another_company_sees_and_changes_nothing(cast: Cast) -> None:
    with at("8:00"):
        story = Upkeep(cast)
        before = story.everything()
        other = cast.client_for("equip_manager", B)
        assert other.get(f"{ORDER}/detail", id=story.now["id"]).code == 404
        assert other.get(f"{ORDER}/list").data["total"] == 0
        for action in ("start", "assign", "delay", "cancel", "check"):
            body = {"id": story.now["id"], "lockVersion": 1, "action": action, "cancelReason": "x"}
            assert other.post_json(f"{ORDER}/update", body).code == 404
        assert _save(cast, story.config.pk, tenant=B).code == 400
        assert story.everything() == before


def test_lines_keep_what_they_cost(cast: Cast) -> None:
    with at("8:00"):
        story = Upkeep(cast)
        story.act("repairer", "start")
    with at("10:00"):
        me = str(cast.user("repairer").pk)

        def line(begin: str, end: str) -> dict[str, str]:
            return {"userId": me, "startTime": f"2026-03-02 {begin}:00", "endTime": f"2026-03-02 {end}:00"}

        over = story.work("repairer", True, lines=[line("08:00", "09:00"), line("08:30", "09:30")])
        assert over.msg == "与本单已有工时重叠：2026-03-02 08:00:00 – 2026-03-02 09:00:00"
        assert story.work("repairer", True, lines=[line("08:00", "09:00"), line("09:00", "09:30")]).code == 200
        assert story.work("repairer", True, lines=[line("08:00", "09:00")]).code == 200
        with tenant_scope(A):
            assert [str(row.amount) for row in MaintainLine.objects.all()] == ["60.00"]
        assert story.order().labour_seconds == 3600


def _machine(cast: Cast) -> Machine:
    with tenant_scope(A):
        found: Machine = Machine.objects.get(machine_code="M1")
        return found


def _save(cast: Cast, config_id: int, by: str = "equip_manager", tenant: str = A, **values: Any) -> Any:
    body = {
        "configId": str(config_id), "machineId": str(cast.machine("M1", tenant).pk), "dueDate": "2026-03-05", **values,
    }  # fmt: skip
    return cast.client_for(by, tenant).post_json(f"{ORDER}/save", body)


def test_parts_are_in_the_way_of_the_end(cast: Cast) -> None:
    with at("8:00"):
        with tenant_scope(A):
            spare = SparePart.objects.create(spare_code="B1", spare_name="轴承", category=1, unit="个")
        story = Upkeep(cast)
        lines = [{"spareId": str(spare.pk), "planQty": 2}]
        story.act("repairer", "start")
        assert story.act("repairer", "applySpare", lines=lines)["status"] == Status.DOING
    with at("10:00"):
        before = story.everything()
        refused = story.work("repairer", **story.whole())
        assert (refused.code, refused.msg) == (400, "还有未处理的备件领用单，不能完工")
        assert story.everything() == before
        story.act("equip_manager", "cancel", cancelReason="停用")
        with tenant_scope(A):
            assert SpareUseLog.objects.get().status == 6
