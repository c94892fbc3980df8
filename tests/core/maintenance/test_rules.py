"""Rules of repair orders beyond the main story: names, repeats, work lines, costs, stops, removal, rights."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from core.access.models import Role, UserRole
from core.audit.models import Event
from core.equipment.models import RunState, Stoppage
from core.identity.models import User
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairLine, RepairOrder, Status
from core.scheduling import outbox
from core.system.models import Parameter
from tests.cast import A, B, Cast
from tests.repairs import DAY, Story, at, photo
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.timers.models import Timer
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

pytestmark = pytest.mark.django_db


def order_of(story: Story) -> RepairOrder:
    """The row as it stands."""
    with tenant_scope(A):
        return RepairOrder.objects.get(pk=story.now["id"])  # type: ignore[no-any-return]


def closed(cast: Cast, begin: int = 8, **values: Any) -> Story:
    """An order reported, repaired within an hour and passed, from the full hour on."""
    with at(f"{begin}:00"):
        story = Story(cast, **values)
        story.send()
    with at(f"{begin}:50"):
        assert story.write_line("repairer", f"{begin:02}:00", f"{begin:02}:30").code == 200
        story.act("repairer", "finish", **story.result())
        story.act("operator", "check", checkResult=1)
    return story


# 3.25


def test_the_worked_example_of_repair_time(cast: Cast) -> None:
    with at("8:40"):
        story = Story(cast)
        story.act("repair_leader", "dispatch", repairUserId=str(cast.user("repairer").pk))
    with at("9:00"):
        story.act("repairer", "accept")
    with at("10:00"):
        story.act("repairer", "hang", hangReason=1, remark="等轴承")
    with at("11:30"):
        story.act("repairer", "resume")
    with at("13:00"):
        story.write_line("repairer", "09:00", "10:00")
        story.act("repairer", "finish", **story.result())
        assert (story.detail()["repairMinutes"], story.detail()["hangMinutes"]) == (150, 90)
    with at("15:00"):
        story.act("operator", "check", checkResult=2, checkRemark="还响")
    with at("16:00"):
        story.act("repairer", "finish", **story.result())
    detail = story.detail()
    assert (detail["repairMinutes"], detail["hangMinutes"], detail["reworkCount"]) == (210, 90, 1)
    assert (detail["responseMinutes"], detail["labourMinutes"]) == (20, 60)


def test_a_hold_that_ends_with_the_order_is_counted(cast: Cast) -> None:
    with at("8:00"):
        story = Story(cast)
        story.send()
    with at("9:00"):
        story.act("repairer", "hang", hangReason=2, remark="等外协")
    with at("9:45"):
        story.act("equip_manager", "cancel", cancelReason=4)
    assert (story.detail()["status"], story.detail()["hangMinutes"], story.detail()["hangStart"]) == (7, 45, None)


# The report


def test_an_order_is_named_by_machine_and_symptom(cast: Cast) -> None:
    noise = str(cast.tag("异响").pk)
    named = Story(cast, title="", faultTagIds=noise)
    assert named.detail()["title"] == "车床 异响"
    plain = Story(cast, machine="M2", title="", description="砂轮振动大\n从昨天开始")
    assert plain.detail()["title"] == "磨床 砂轮振动大"
    long = Story(cast, machine="M1-SPINDLE", title="", description="长" * 200)
    assert long.detail()["title"] == "主轴 " + "长" * 77


def test_a_fault_that_comes_back_within_the_days_is_a_repeat(cast: Cast) -> None:
    noise = str(cast.tag("异响").pk)
    first = closed(cast, faultTagIds=noise)
    assert (first.detail()["isRepeat"], first.detail()["repeatCount"], first.detail()["repeatOfId"]) == (0, 0, None)
    with clock.at(DAY + timedelta(days=29)):
        again = Story(cast, faultTagIds=noise)
        detail = again.detail()
        assert (detail["isRepeat"], detail["repeatCount"]) == (1, 1)
        assert (detail["repeatOfId"], detail["repeatOfNo"]) == (first.now["id"], first.now["orderNo"])
        rows = again.caller("equip_manager").get("yuzhu-equip/repairorder/list", isRepeat=1).data["records"]
        assert [(row["orderNo"], row["isRepeat"]) for row in rows] == [(again.now["orderNo"], 1)]
        rows = again.caller("equip_manager").get("yuzhu-equip/repairorder/list", isRepeat=0).data["records"]
        assert [row["orderNo"] for row in rows] == [first.now["orderNo"]]


@pytest.mark.parametrize("other", ["another machine", "no symptom", "too late", "not closed", "another company"])
def test_what_is_no_repeat(cast: Cast, other: str) -> None:
    noise = str(cast.tag("异响").pk)
    if other == "not closed":
        with at("8:00"):
            Story(cast, faultTagIds=noise).act("operator", "cancel", cancelReason=1)
    elif other == "another company":
        with tenant_scope(A):
            pass
        body = {"machineId": str(cast.machine("M1", B).pk), "description": "主轴异响"}
        with at("8:00"):
            cast.client_for("operator", B).post_json(
                "yuzhu-equip/repairorder/save", {**body, "faultTagIds": str(cast.tag("异响", B).pk)}
            )
        with tenant_scope(B):
            RepairOrder.objects.update(status=6, close_time=DAY)
    else:
        closed(cast, faultTagIds=noise)
    days = timedelta(days=30, hours=9) if other == "too late" else timedelta(days=3)
    with clock.at(DAY + days):
        machine = "M2" if other == "another machine" else "M1"
        story = Story(cast, machine=machine, faultTagIds="" if other == "no symptom" else noise)
        assert (story.detail()["isRepeat"], story.detail()["repeatOfId"]) == (0, None)


def test_the_company_says_within_how_many_days(cast: Cast) -> None:
    noise = str(cast.tag("异响").pk)
    with tenant_scope(A):
        Parameter.objects.filter(param_key="repair.repeat.days").update(own_value="2")
    closed(cast, faultTagIds=noise)
    with clock.at(DAY + timedelta(days=3)):
        assert Story(cast, faultTagIds=noise).detail()["isRepeat"] == 0


# Work lines


def test_work_lines_are_past_at_most_a_day_and_over_no_other_of_the_person(cast: Cast) -> None:
    with at("8:00"):
        story = Story(cast, isStop=1, stopStart="2026-03-02 07:40:00")
        story.send()
    with at("10:00"):
        cases: list[tuple[str, str, str, str, str]] = [
            ("09:00", "09:00", "endTime", "结束时间必须晚于开始时间", "End must be after start"),
            ("09:00", "10:01", "endTime", "结束时间不能晚于当前时间", "End cannot be in the future"),
        ]  # fmt: skip
        for begin, end, field, chinese, english in cases:
            before = story.rows()
            for who, said in (("repairer", chinese), (story.caller("repairer").in_english(), english)):
                refused = story.write_line(who, begin, end)
                assert (refused.status, refused.data["fields"]) == (400, {field: said})
            assert story.rows() == before
        first = story.write_line("repairer", "07:40", "09:00")
        assert (first.code, first.data["warnings"]) == (200, [])
        before = story.rows()
        over = story.write_line("repairer", "08:59", "09:30")
        said = "与本单已有工时重叠：2026-03-02 07:40:00 – 2026-03-02 09:00:00"
        assert (over.status, over.data["fields"]) == (400, {"startTime": said})
        assert story.rows() == before
        assert story.write_line("repairer", "09:00", "09:30").code == 200
        # Who repairs first and reports afterwards has worked before the report, and before the stop.
        assert story.write_line("repairer", "07:00", "07:40").code == 200
        # A line may be moved within itself.
        moved = story.write_line("repairer", "07:50", "09:00", id=first.data["id"])
        assert (moved.code, moved.data["id"]) == (200, first.data["id"])
        assert story.write_line("repairer2", "08:00", "09:00").code == 200  # two people at the same time
        assert story.detail()["labourMinutes"] == 40 + 70 + 30 + 60


def test_a_line_is_a_day_at_most(cast: Cast) -> None:
    with at("0:00"):
        story = Story(cast)
        story.send()
    with clock.at(DAY + timedelta(days=2)):
        before = story.rows()
        line = {"endTime": "2026-03-03 00:01:00"}
        refused = story.write_line("repairer", "00:00", "00:00", **line)
        assert refused.data["fields"] == {"endTime": "单条工时不能超过24小时"}
        assert story.rows() == before
        line = {"endTime": "2026-03-03 00:00:00"}
        assert story.write_line("repairer", "00:00", "00:00", **line).code == 200


def test_time_that_overlaps_another_order_is_warned_of(cast: Cast) -> None:
    with at("8:00"):
        one, other = Story(cast), Story(cast, machine="M1-SPINDLE")
        one.send()
        other.send()
    with at("12:00"):
        assert one.write_line("repairer", "08:00", "10:00").data["warnings"] == []
        said = other.write_line("repairer", "09:30", "11:00").data["warnings"]
        assert said == [f"与维修单{one.now['orderNo']}的工时重叠30分钟"]
        # Somebody else's time is no overlap.
        assert other.write_line("repairer2", "08:00", "09:00").data["warnings"] == []


def test_people_write_their_own_lines_and_the_repairer_and_leaders_those_of_others(cast: Cast) -> None:
    with at("8:00"):
        story = Story(cast)
        story.send()
    mate = str(cast.user("repairer2").pk)
    with at("9:00"):
        before = story.rows()
        for caller, said in (("repairer2", "只能填写本人的工时"), ("operator", "没有权限执行此操作")):
            refused = story.write_line(caller, "08:00", "08:10", userId=str(cast.user("repairer").pk))
            assert (refused.status, refused.msg) == (403, said)
        assert story.rows() == before
        assert story.write_line("repairer", "08:00", "08:10", userId=mate).code == 200
        assert story.write_line("repair_leader", "08:20", "08:30", userId=mate).code == 200
        assert story.write_line("repairer2", "08:40", "08:50").code == 200
        story.act("repairer", "finish", **story.result())
        # Until the check: the own lines of those who took part.
        assert "line" in story.detail("repairer2")["allowedActions"]
        before = story.rows()
        refused = story.write_line("repairer", "08:50", "08:55", userId=mate)
        assert (refused.status, refused.msg) == (403, "只能填写本人的工时")
        refused = story.write_line("repair_leader", "08:50", "08:55")
        assert (refused.status, refused.msg) == (400, "当前状态为「待验收」，不能填写工时")
    with at("10:00"):
        assert story.rows() == before
        assert story.write_line("repairer2", "08:50", "09:05").code == 200  # the rest after the finish counts as well
        story.act("operator", "check", checkResult=1)
        before = story.rows()
        refused = story.write_line("repairer", "08:30", "08:40")
        assert (refused.status, refused.msg) == (400, "当前状态为「已完成」，不能填写工时")
        assert story.rows() == before


def test_lines_are_taken_back_by_whoever_may_write_them(cast: Cast) -> None:
    with at("8:00"):
        story = Story(cast)
        story.send()
    with at("9:00"):
        mine = story.write_line("repairer", "08:00", "08:30").data["id"]
        other = story.write_line("repairer2", "08:00", "08:20").data["id"]
        before = story.rows()
        refused = story.caller("repairer2").post_json("yuzhu-equip/repairorderdetail/remove", ids=f"{other},{mine}")
        assert (refused.status, refused.msg) == (403, "只能填写本人的工时")
        assert story.rows() == before
        assert story.caller("repairer").post_json("yuzhu-equip/repairorderdetail/remove", ids=other).code == 200
        assert story.detail()["labourMinutes"] == 30


def test_lines_of_two_orders_taken_back_at_once_stand_in_the_history_of_both(cast: Cast) -> None:
    with at("8:00"):
        stories = [Story(cast, machine) for machine in ("M1", "M2")]
        for story in stories:
            story.send()
    with at("9:00"):
        times = [("08:00", "08:20"), ("08:30", "08:40")]
        lines = [story.write_line("repairer", *time).data["id"] for story, time in zip(stories, times, strict=True)]
        caller = stories[0].caller("repairer")
        assert caller.post_json("yuzhu-equip/repairorderdetail/remove", ids=",".join(lines)).code == 200
        for story in stories:
            last = story.detail()["logs"][-1]
            assert (last["action"], last["userName"], last["actionName"]) == ("removeLine", "蒋修", "删除工时")


def test_orders_removed_at_once_keep_each_its_own_change_of_status(cast: Cast) -> None:
    with at("8:00"):
        first, second = Story(cast, "M1"), Story(cast, "M2")
        first.act("repair_leader", "cancel", cancelReason=1)
    with at("8:05"):
        assert remove(first, "equip_manager", first.now["id"], second.now["id"]).code == 200
    with tenant_scope(A):
        rows = Event.objects.filter(operation="repairorder.delete").order_by("id")
        found = [(str(row.business_id), row.from_status, row.to_status, row.effects) for row in rows]
    assert found == [
        (first.now["id"], None, None, []),
        (second.now["id"], Status.REPORTED, Status.CANCELLED, ["repairorder.cancelled"]),
    ]


def test_who_claims_after_a_refusal_was_dispatched_by_nobody(cast: Cast) -> None:
    with at("8:00"):
        story = Story(cast)
        story.act("repair_leader", "dispatch", repairUserId=str(cast.user("repairer").pk))
        story.act("repairer", "refuse", reason="在抢修别的设备")
        assert story.detail()["dispatchUserName"] == "卫长"
    with at("8:10"):
        story.act("repairer2", "claim")
        detail = story.detail()
        assert (detail["dispatchUserName"], detail["dispatchTime"], detail["repairUserName"]) == (
            "", "2026-03-02 08:10:00", detail["repairUserName"],
        )  # fmt: skip


# Costs


def test_costs_add_up(cast: Cast) -> None:
    with tenant_scope(A):
        User.objects.filter(account="repairer2").update(hour_rate=Decimal("85.50"))
    with at("8:00"):
        story = Story(cast)
        story.send()
    with at("10:00"):
        story.write_line("repairer", "08:00", "08:50")  # 50 min at 60
        story.write_line("repairer2", "08:00", "08:20")  # 20 min at 85.50
        lines = story.detail()["lines"]
        assert [(line["hourRate"], line["amount"]) for line in lines] == [(60.0, 50.0), (85.5, 28.5)]
        cost = {"isOutsource": 1, "outsourceCost": "300", "otherCost": "12.3"}
        before = story.rows()
        refused = story.try_to("repairer", "finish", **story.result(), **cost)
        assert (refused.status, refused.data["fields"]) == (400, {"vendorName": "请输入外协单位"})
        refused = story.try_to("repairer", "finish", **story.result(), otherCost=-1)
        assert refused.data["fields"] == {"otherCost": "其他费用应在0到99999999之间"}
        assert story.rows() == before
        story.act("repairer", "finish", **story.result(), **cost, vendorName="江北电机修理厂")
    detail = story.detail()
    assert (detail["labourCost"], detail["outsourceCost"], detail["otherCost"]) == (78.5, 300.0, 12.3)
    assert (detail["totalCost"], detail["isOutsource"], detail["vendorName"]) == (390.8, 1, "江北电机修理厂")
    # The rate is the one of the moment at which the line was written.
    with tenant_scope(A):
        User.objects.filter(account="repairer2").update(hour_rate=Decimal("100"))
    assert story.detail()["labourCost"] == 78.5


@pytest.mark.parametrize(
    ("rate", "minutes", "amount"),
    [("7.50", 1, "0.13"), ("22.50", 1, "0.38"), ("7.30", 1, "0.12"), ("60.00", 50, "50.00")],
)
def test_half_a_cent_of_labour_is_rounded_up(cast: Cast, rate: str, minutes: int, amount: str) -> None:
    with tenant_scope(A):
        User.objects.filter(account="repairer").update(hour_rate=Decimal(rate))
    with at("8:00"):
        story = Story(cast)
        story.send()
    with at("10:00"):
        assert story.write_line("repairer", "08:00", f"08:{minutes:02}").code == 200
    with tenant_scope(A):
        assert RepairLine.objects.get().amount == Decimal(amount)
    assert order_of(story).labour_cost == Decimal(amount)


def test_without_a_vendor_there_is_no_vendor_cost(cast: Cast) -> None:
    with at("8:00"):
        story = Story(cast)
        story.send()
    with at("9:00"):
        story.write_line("repairer", "08:00", "08:50")
        story.act("repairer", "finish", **story.result(), vendorName="无关", outsourceCost=5)
    assert (story.detail()["vendorName"], story.detail()["outsourceCost"], story.detail()["totalCost"]) == ("", 0, 50)


def test_the_component_named_belongs_to_the_machine(cast: Cast) -> None:
    with at("8:00"):
        story = Story(cast)
        story.send()
    with at("9:00"):
        story.write_line("repairer", "08:00", "08:50")
        before = story.rows()
        for wrong in (cast.machine("M2"), cast.machine("M1"), cast.machine("M1-SPINDLE", B)):
            refused = story.try_to("repairer", "finish", **story.result(), partMachineId=str(wrong.pk))
            assert (refused.status, refused.data["fields"]) == (400, {"partMachineId": "数据不存在或已被删除"})
        assert story.rows() == before
        story.act("repairer", "finish", **story.result(), partMachineId=str(cast.machine("M1-SPINDLE").pk))
    assert story.detail()["partMachineName"] == "主轴"


# Stops


def state(cast: Cast) -> int:
    """The machine's."""
    return cast.machine("M1").run_state


def test_the_machine_follows_its_order_through_transfer_and_hold(cast: Cast) -> None:
    with at("8:00"):
        story = Story(cast, isStop=1)
        assert state(cast) == RunState.DOWN
        story.send()
        assert state(cast) == RunState.REPAIRING
    with at("9:00"):
        story.act("repairer", "transfer", repairUserId=str(cast.user("repairer2").pk), reason="换班")
        assert state(cast) == RunState.DOWN
        story.act("repairer2", "accept")
        assert state(cast) == RunState.REPAIRING
        story.act("repairer2", "hang", hangReason=1, remark="等件")
        assert state(cast) == RunState.REPAIRING
    with at("10:00"):
        story.act("equip_manager", "cancel", cancelReason=3)
        assert state(cast) == RunState.RUNNING
    with tenant_scope(A):
        (stop,) = Stoppage.objects.all()
        assert (stop.start_time, stop.end_time) == (DAY + timedelta(hours=8), DAY + timedelta(hours=10))
    assert (story.detail()["stopMinutes"], story.detail()["status"]) == (120, 7)


def test_a_machine_returns_to_its_state_before_when_its_last_stop_ends(cast: Cast) -> None:
    with tenant_scope(A):
        machine = cast.machine("M1")
        machine.run_state = RunState.IDLE
        machine.save()
    with at("8:00"):
        one, other = Story(cast, isStop=1), Story(cast, isStop=1, force=1)
        assert state(cast) == RunState.DOWN
        one.send()
        assert state(cast) == RunState.REPAIRING
    with at("9:00"):
        one.write_line("repairer", "08:00", "08:30")
        end = {"stopEnd": "2026-03-02 08:30:00", "afterImages": photo(one, "repairer")}
        one.act("repairer", "finish", **one.result(), **end)
        assert state(cast) == RunState.DOWN  # the other one still stands, and nobody works on it
        other.act("operator", "cancel", cancelReason=2)
        assert state(cast) == RunState.IDLE


def test_a_failing_check_may_name_a_new_stop(cast: Cast) -> None:
    with at("8:00"):
        story = Story(cast, isStop=1)
        story.send()
    with at("9:00"):
        story.write_line("repairer", "08:00", "08:30")
        end = {"stopEnd": "2026-03-02 08:40:00", "afterImages": photo(story, "repairer")}
        story.act("repairer", "finish", **story.result(), **end)
    with at("10:00"):
        before = story.rows()
        fail = {"checkResult": 2, "checkRemark": "又停了"}
        for when, said in (
            ("08:39", "停机时间不能早于2026-03-02 08:40:00"),
            ("10:01", "停机时间不能晚于当前时间"),
        ):
            refused = story.try_to("operator", "check", **fail, stopStart=f"2026-03-02 {when}:00")
            assert (refused.status, refused.data["fields"]) == (400, {"stopStart": said})
        assert story.rows() == before
        story.act("operator", "check", **fail, stopStart="2026-03-02 09:30:00")
        assert state(cast) == RunState.REPAIRING
    with at("11:00"):
        assert story.detail()["stopMinutes"] == 40 + 90
        before = story.rows()
        refused = story.try_to("repairer", "finish", **story.result())
        assert refused.data["fields"] == {"stopEnd": "请选择恢复时间"}
        assert story.rows() == before
        story.act("repairer", "finish", **story.result(), stopEnd="2026-03-02 10:30:00")
        assert state(cast) == RunState.RUNNING
    assert story.detail()["stopMinutes"] == 40 + 60
    spans = [(stop["startTime"][11:16], stop["endTime"][11:16], stop["minutes"]) for stop in story.detail()["stops"]]
    assert spans == [("08:00", "08:40", 40), ("09:30", "10:30", 60)]


def test_a_rework_without_a_stop_leaves_the_machine_running(cast: Cast) -> None:
    with at("8:00"):
        story = Story(cast, isStop=1)
        story.send()
    with at("9:00"):
        story.write_line("repairer", "08:00", "08:30")
        end = {"stopEnd": "2026-03-02 08:40:00", "afterImages": photo(story, "repairer")}
        story.act("repairer", "finish", **story.result(), **end)
        story.act("operator", "check", checkResult=2, checkRemark="漏油")
        assert state(cast) == RunState.RUNNING
        story.act("repairer", "transfer", repairUserId=str(cast.user("repairer2").pk), reason="换人")
        story.act("repairer2", "accept")
        assert state(cast) == RunState.RUNNING


# Removal


def remove(story: Story, who: str, *ids: str) -> Any:
    """Ask for the removal of orders."""
    return story.caller(who).post_json("yuzhu-equip/repairorder/remove", ids=",".join(ids or (story.now["id"],)))


def test_a_mistaken_report_is_removed_with_its_process_and_its_stop(cast: Cast) -> None:
    with at("8:00"):
        story = Story(cast, isStop=1)
        before = story.rows()
        for who in ("operator", "repair_leader", "repairer"):
            assert (remove(story, who).status, remove(story, who).msg) == (403, "没有权限执行此操作")
        assert story.rows() == before
        assert remove(story, "equip_manager").code == 200
    assert story.caller("equip_manager").get("yuzhu-equip/repairorder/detail", id=story.now["id"]).status == 404
    assert state(cast) == RunState.RUNNING
    with tenant_scope(A):
        assert RepairOrder.objects.count() == Stoppage.objects.count() == 0
        assert ProcessInstance.objects.get().status != InstanceStatus.RUNNING
        assert not WorkItem.objects.filter(state=ItemState.OPEN).exists()
        assert Timer.objects.count() == 0
        (event,) = Event.objects.filter(operation="repairorder.delete")
        assert (event.user_name, event.business_id, event.remark) == ("钱管", int(story.now["id"]), story.now["id"])


def test_what_is_under_way_or_was_worked_on_stays(cast: Cast) -> None:
    with at("8:00"):
        worked, waiting = Story(cast), Story(cast, machine="M2", reporter="operator2")
        worked.send()
        before = worked.rows()
        refused = remove(worked, "equip_manager", waiting.now["id"], worked.now["id"])
        assert (refused.status, refused.msg) == (400, "当前状态为「维修中」，不能删除")
        assert worked.rows() == before
    with at("9:00"):
        worked.write_line("repairer", "08:00", "08:30")
        worked.act("equip_manager", "cancel", cancelReason=4)
        before = worked.rows()
        refused = remove(worked, "equip_manager")
        assert (refused.status, refused.msg) == (409, f"维修单{worked.now['orderNo']}已有工时，不能删除")
        refused = remove(worked, "equip_manager", "1")
        assert refused.status == 404
        assert worked.rows() == before
        waiting.act("operator2", "cancel", cancelReason=1)
        assert remove(waiting, "equip_manager").code == 200
        assert worked.detail()["allowedActions"] == []
    with tenant_scope(A):
        assert [order.order_no for order in RepairOrder.objects.all()] == [worked.now["orderNo"]]
        assert RepairLine.objects.count() == 1


# Who may do what, by the order's state (3.20)


def test_everybody_is_offered_what_they_may_do(cast: Cast) -> None:
    people = ("operator", "operator2", "shift_leader", "repair_leader", "repairer", "repairer2", "equip_manager")

    def offered(*who: str) -> dict[str, list[str]]:
        found = {}
        for account in who or people:
            body = story.caller(account).get("yuzhu-equip/repairorder/detail", id=story.now["id"])
            found[account] = body.data["allowedActions"] if body.code == 200 else ["unseen"]
        return found

    with at("8:00"):
        story = Story(cast)
        lead = ["dispatch", "cancel", "edit"]
        assert offered() == {
            "operator": ["cancel", "edit"], "operator2": [], "shift_leader": [], "repair_leader": lead,
            "repairer": ["claim"], "repairer2": ["claim"], "equip_manager": [*lead, "remove"],
        }  # fmt: skip
        story.act("repair_leader", "dispatch", teamId=str(cast.team("mechanics").pk))
        assert offered() == {
            "operator": ["edit"], "operator2": [], "shift_leader": [], "repair_leader": lead,
            "repairer": ["accept", "refuse"], "repairer2": ["accept", "refuse"], "equip_manager": lead,
        }  # fmt: skip
        story.act("repairer2", "accept")
        assert offered() == {
            "operator": ["edit"], "operator2": [], "shift_leader": [],
            "repair_leader": ["transfer", "applySpare", "edit", "line"], "repairer": ["applySpare", "line"],
            "repairer2": ["finish", "hang", "transfer", "applySpare", "line"],
            "equip_manager": ["transfer", "cancel", "edit"],
        }  # fmt: skip
        story.act("repairer2", "hang", hangReason=1, remark="等件")
        assert offered() == {
            "operator": ["edit"], "operator2": [], "shift_leader": [],
            "repair_leader": ["applySpare", "edit", "line"], "repairer": ["applySpare", "line"],
            "repairer2": ["resume", "applySpare", "line"], "equip_manager": ["cancel", "edit"],
        }  # fmt: skip
        story.act("repairer2", "resume")
    with at("9:00"):
        story.write_line("repairer2", "08:10", "08:30")
        story.act("repairer2", "finish", **story.result())
        assert offered() == {
            "operator": ["check", "edit"], "operator2": [], "shift_leader": ["check"], "repair_leader": ["edit"],
            "repairer": [], "repairer2": ["line"], "equip_manager": ["check", "edit"],
        }  # fmt: skip
        story.act("shift_leader", "check", checkResult=1)
        assert offered() == {account: [] for account in people}


def test_a_leader_gives_the_order_to_somebody_else_at_any_time_of_the_work(cast: Cast) -> None:
    first, second = str(cast.user("repairer").pk), str(cast.user("repairer2").pk)
    with at("8:00"):
        story = Story(cast)
        story.act("repair_leader", "dispatch", repairUserId=first, planFinishTime="2026-03-02 12:00:00")
        story.act("equip_manager", "dispatch", repairUserId=second)
        assert (story.detail()["repairUserName"], story.state()) == ("沈修", (2, 3))
        assert story.try_to("repairer", "accept").status == 409
        story.act("repairer2", "accept")
        story.act("repair_leader", "transfer", repairUserId=first, reason="沈修请假")
        assert (story.detail()["repairUserName"], story.state()) == ("蒋修", (2, 5))
        story.act("repairer", "accept")
        assert story.detail()["responseMinutes"] == 0
    outbox.deliver_due()
    told = story.caller("repairer").get("blade-desk/message/list", size=50).data["records"]
    number = story.now["orderNo"]
    assert [row["title"] for row in reversed(told)] == [
        f"派给您的维修工单：{number}", f"维修工单已改派他人：{number}", f"转派给您的维修工单：{number}",
    ]  # fmt: skip
    told = story.caller("repairer2").get("blade-desk/message/list", size=50).data["records"]
    assert [row["title"] for row in reversed(told)] == [f"派给您的维修工单：{number}", f"维修工单已改派他人：{number}"]


def test_helpers_are_told_and_do_not_check(cast: Cast) -> None:
    helper = str(cast.user("repairer2").pk)
    with at("8:00"):
        story = Story(cast, reporter="repair_leader")
        mate = {"repairUserId": str(cast.user("repairer").pk)}
        before = story.rows()
        for nobody in ("operator2", "repairer_other"):  # the other team's repairer would not see the order
            refused = story.try_to("repair_leader", "dispatch", **mate, helperIds=str(cast.user(nobody).pk))
            assert (refused.status, refused.data["fields"]) == (400, {"helperIds": "协助人员须为设备维修班组的成员"})
        assert story.rows() == before
        story.act("repair_leader", "dispatch", **mate, helperIds=f"{mate['repairUserId']},{helper}")
        detail = story.detail()
        assert (detail["helperIds"], detail["helperNames"]) == (helper, ["沈修"])
    outbox.deliver_due()
    told = story.caller("repairer2").get("blade-desk/message/list").data["records"]
    assert [row["title"] for row in told] == [f"派给您的维修工单：{story.now['orderNo']}"]


def test_who_helped_does_not_check_even_without_a_work_line(cast: Cast) -> None:
    with tenant_scope(A):
        UserRole.objects.create(user=cast.user("repairer2"), role=Role.objects.get(role_alias="operator"))
    helper = str(cast.user("repairer2").pk)
    with at("8:00"):
        story = Story(cast, reporter="repairer2")
        story.send(helperIds=helper)
    with at("9:00"):
        assert story.write_line("repairer", "08:00", "08:30").code == 200
        story.act("repairer", "finish", **story.result())
        assert story.detail()["helperIds"] == helper
        before = story.rows()
        assert "check" not in story.detail("repairer2")["allowedActions"]
        refused = story.try_to("repairer2", "check", checkResult=1)
        assert (refused.status, refused.msg) == (403, "不能验收本人维修的单据")
        assert story.rows() == before


@pytest.mark.parametrize("reporter", ["repairer2", "repair_leader"])
def test_whoever_reported_verifies_the_repair_through_both_doors(cast: Cast, reporter: str) -> None:
    with at("8:00"):
        story = Story(cast, reporter=reporter)
        story.send()
    with at("9:00"):
        assert story.write_line("repairer", "08:00", "08:30").code == 200
        story.act("repairer", "finish", **story.result())
        assert "check" in story.detail(reporter)["allowedActions"]
        failed = story.complete(reporter, "claim-list", outcome="fail", comment="还有异响")
        assert failed["status"] == 3
    with at("10:00"):
        story.act("repairer", "finish", **story.result())
        assert story.act(reporter, "check", checkResult=1)["status"] == 6


@pytest.mark.parametrize("who", ["repairer", "repair_leader"])
def test_an_order_is_not_transferred_to_who_repairs_it(cast: Cast, who: str) -> None:
    with at("8:00"):
        story = Story(cast)
        story.send()
        before = story.rows()
        refused = story.try_to(who, "transfer", repairUserId=str(cast.user("repairer").pk), reason="自己")
        assert (refused.status, refused.data["fields"]) == (
            400, {"repairUserId": "该维修工单已由此人维修，请选择其他人员"},
        )  # fmt: skip
        assert story.rows() == before
        story.act(who, "transfer", repairUserId=str(cast.user("repairer2").pk), reason="换人")


def test_a_transfer_asks_the_person_and_no_longer_the_team(cast: Cast) -> None:
    with at("8:00"):
        story = Story(cast)
        story.act("repair_leader", "dispatch", teamId=str(cast.team("mechanics").pk))
        story.act("repairer", "accept")
        assert order_of(story).team_id == cast.team("mechanics").pk
        story.act("repairer", "transfer", repairUserId=str(cast.user("repairer2").pk), reason="换班")
        assert order_of(story).team_id is None
        for account, rows in (("repairer", 0), ("repairer2", 1)):
            caller = story.caller(account)
            lists = [caller.get(f"blade-flow/work/{name}").data["total"] for name in ("claim-list", "todo-list")]
            assert sum(lists) == rows, (account, lists)


# Edits


def test_an_edit_keeps_to_its_rules(cast: Cast) -> None:
    with at("8:00"):
        story = Story(cast, urgency=2)
        story.send(planFinishTime="2026-03-02 09:00:00")
    with at("10:00"):

        def edit(who: str, **values: Any) -> Any:
            read = {"id": story.now["id"], "lockVersion": story.now["lockVersion"]}
            return story.caller(who).post_json("yuzhu-equip/repairorder/update", {**read, **values})

        before = story.rows()
        for values, field, said in (
            ({"urgency": 3}, "urgency", "接单后不能降低紧急程度"),
            ({"planFinishTime": "2026-03-02 10:00:00"}, "planFinishTime", "计划完成时间必须晚于当前时间"),
            ({"description": "坏"}, "description", "请描述故障现象（至少4个字）"),
        ):
            refused = edit("operator", **values)
            assert (refused.status, refused.data["fields"]) == (400, {field: said})
        assert edit("operator2", urgency=1).status == 403
        assert story.rows() == before
        assert story.detail()["isFinishLate"] == 1
        # A promise that has passed may stay as it is; a new one moves what is late.
        story.now = edit("operator", planFinishTime="2026-03-02 09:00:00", urgency=1).data
        story.now = edit("repair_leader", planFinishTime="2026-03-02 11:00:00").data
        assert story.detail()["isFinishLate"] == 0
        with tenant_scope(A):
            dues = {row.node: row.due_time for row in Timer.objects.all()}
        assert dues["finishSecond"] == DAY + timedelta(hours=14)


def test_where_an_outcome_takes_the_order_nobody_claims_the_step_beforehand(cast: Cast) -> None:
    with at("8:00"):
        story = Story(cast)
        work = "blade-flow/work"
        task = story.task("repairer", "claim-list")
        assert task["taskActions"] == ["complete"]
        detail = story.caller("repairer").get(f"{work}/task-detail", taskId=task["taskId"]).data
        assert [one["value"] for one in detail["outcomes"]] == ["claim"]
        assert (detail["canClaim"], detail["canComplete"]) == (False, True)
        before = story.rows()
        refused = story.caller("repairer").post_form(f"{work}/claim-task", taskId=task["taskId"])
        assert (refused.status, refused["error"], refused.msg) == (
            400, "workflow.noClaim", "该任务无需领取，请直接办理",
        )  # fmt: skip
        assert story.rows() == before
        # Who dispatches may claim it, and it stays with the other leaders' orders.
        task = story.task("repair_leader", "claim-list")
        assert task["taskActions"] == ["claim", "complete"]
        detail = story.caller("repair_leader").get(f"{work}/task-detail", taskId=task["taskId"]).data
        assert [one["value"] for one in detail["outcomes"]] == ["dispatch"]
        assert story.caller("repair_leader").post_form(f"{work}/claim-task", taskId=task["taskId"]).code == 200
        story.act("equip_manager", "dispatch", repairUserId=str(cast.user("repairer").pk))


def test_a_step_that_a_person_may_not_carry_out_is_not_claimed(cast: Cast) -> None:
    with at("8:00"):
        story = Story(cast, reporter="repair_leader")
        story.send()
    with at("9:00"):
        # The leader helps, and so does not verify.
        assert story.write_line("repair_leader", "08:00", "08:30").code == 200
        story.act("repairer", "finish", **story.result())
        task = story.task("repair_leader", "claim-list")
        assert task["taskActions"] == []
        before = story.rows()
        refused = story.caller("repair_leader").post_form("blade-flow/work/claim-task", taskId=task["taskId"])
        assert (refused.status, refused["error"]) == (403, "access.denied")
        assert story.rows() == before
