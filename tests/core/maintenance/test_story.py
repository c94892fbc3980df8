"""The main story over HTTP, through both doors, and what is refused on its way, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from core.access.models import Role, UserRole
from core.equipment.models import RunState, Tag, TagType
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder
from core.scheduling import outbox
from core.scheduling.models import OutboxMessage
from tests.cast import A, B, Body, Caller, Cast
from tests.repairs import DAY, Story, at, photo
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.timers.models import Timer

pytestmark = pytest.mark.django_db

NUMBER = "WX202603020001"


def deliver() -> None:
    """What the worker does after the commits."""
    assert outbox.deliver_due() > 0
    assert OutboxMessage.objects.count() == 0


def titles(story: Story, who: str) -> list[str]:
    """Titles on somebody's desk, oldest first."""
    rows = story.caller(who).get("blade-desk/message/list", size=50).data["records"]
    return [row["title"] for row in reversed(rows)]


def assert_told(story: Story) -> None:
    """Everybody concerned has learned of each step once, and nobody of the own ones."""
    deliver()
    assert titles(story, "repair_leader") == [f"新的报修：{NUMBER}"]
    assert titles(story, "repairer") == [
        f"派给您的维修工单：{NUMBER}", f"验收不通过，请返修：{NUMBER}", f"验收通过：{NUMBER}",
    ]  # fmt: skip
    assert titles(story, "operator") == [
        f"已接单：{NUMBER}", f"维修完工，请验收：{NUMBER}", f"维修完工，请验收：{NUMBER}",
    ]  # fmt: skip
    for other in ("repairer2", "repairer_other", "operator2", "equip_manager", "viewer"):
        assert titles(story, other) == []
    with tenant_scope(B):
        assert story.caller("repair_leader", B).get("blade-desk/message/list").data["total"] == 0


TAKEN = ("领取任务", "卫长", 1, "", "08:05", "08:05", "")


def assert_timeline(story: Story, *taken: tuple[Any, ...]) -> None:
    """Each step of people stands in the process's timeline once, with who, when and how long, and who took it."""
    instance = story.detail()["processInstanceId"]
    rows = story.caller("operator").get("blade-flow/process/history-flow-list", processInstanceId=instance).data
    shown = [
        (row["historyActivityName"], row["assigneeName"], row["round"], row["outcomeName"],
         row["createTime"][11:16], row["endTime"][11:16], row["historyActivityDurationTime"])
        for row in rows
    ]  # fmt: skip
    assert shown == [
        ("发起", "秦操", 1, "", "08:00", "08:00", ""),
        ("派单", "卫长", 1, "派单", "08:00", "08:05", "5分钟"),
        *taken,
        ("接单", "蒋修", 1, "接单", "08:05", "08:10", "5分钟"),
        ("维修", "蒋修", 1, "完工", "08:10", "09:10", "1小时"),
        ("验收", "秦操", 1, "不通过", "09:10", "09:30", "20分钟"),
        ("维修", "蒋修", 2, "完工", "09:30", "10:00", "30分钟"),
        ("验收", "秦操", 2, "通过", "10:00", "10:20", "20分钟"),
        ("结束", "", 1, "", "10:20", "10:20", "2小时20分钟"),
    ]
    assert [row["comment"] for row in rows if row["historyActivityId"] == "check"] == ["仍有异响", "运转正常"]


def assert_diagram(story: Story) -> None:
    """The diagram counts how often each node was passed, and waits nowhere any more."""
    instance = story.detail()["processInstanceId"]
    view = story.caller("operator").get("blade-flow/process/model-view", processInstanceId=instance).data
    assert (view["name"], view["open"], view["finished"]) == ("设备维修", [], True)
    assert view["done"] == {
        **dict.fromkeys(
            (
                "start", "reported", "handling", "handlingStart",
                "responding", "respondingStart", "entry", "dispatch", "dispatchChoice", "dispatched", "accept",
                "acceptChoice", "accepted", "endAccepted",
                "failed", "passed", "endPassed", "endClosed",
            ),
            1,
        ),
        **dict.fromkeys(
            (
                "repairing", "repairingStart", "repair", "repairChoice", "finished", "endFinished", "afterRepair",
                "check", "checkChoice",
            ),
            2,
        ),
    }  # fmt: skip
    assert (view["flows"]["choiceToFailed"], view["flows"]["choiceToPassed"], view["flows"]["toRepair"]) == (1, 1, 2)
    assert view["xml"].startswith("<?xml")


def assert_numbers(story: Story) -> None:
    """The computed numbers of the closed order."""
    detail = story.detail()
    assert (detail["status"], detail["statusName"], detail["waitingFor"], detail["openTask"]) == (6, "已完成", "", None)
    assert (detail["reworkCount"], detail["responseMinutes"], detail["repairMinutes"]) == (1, 10, 90)
    assert (detail["labourMinutes"], detail["isResponseLate"], detail["isFinishLate"]) == (80, 0, 0)
    assert (detail["checkResult"], detail["checkScore"], detail["checkRemark"]) == (1, 5, "运转正常")
    assert (detail["causeTagName"], detail["actionTagNames"], detail["solution"]) == ("磨损", ["更换"], "更换轴承")
    assert detail["allowedActions"] == []
    with tenant_scope(A):
        assert Timer.objects.count() == 0


def logs(story: Story) -> list[tuple[str, ...]]:
    """The order's log, a line an act."""
    return [
        (row["time"][11:16], row["userName"], row["actionName"], row["fromStatusName"], row["toStatusName"])
        for row in story.detail()["logs"]
    ]


def test_the_business_door_takes_an_order_from_its_report_to_its_check(cast: Cast) -> None:
    with at("8:00"):
        story = Story(cast)
        assert story.now == {
            "id": story.now["id"], "orderNo": NUMBER, "status": 1, "statusName": "待派单", "lockVersion": 1,
        }  # fmt: skip
        assert story.detail()["waitingFor"] == "派单 · 维修班长 / 设备主管 / 机修班"
        assert story.detail("repair_leader")["allowedActions"] == ["dispatch", "cancel", "edit"]
        assert story.detail("operator")["allowedActions"] == ["cancel", "edit"]
        assert story.detail("repairer")["allowedActions"] == ["claim"]
    with at("8:05"):
        story.act("repair_leader", "dispatch", repairUserId=str(cast.user("repairer").pk))
        assert story.state() == (2, 2)
        assert story.detail()["openTask"]["assigneeName"] == "蒋修"
        assert story.detail("repairer")["allowedActions"] == ["accept", "refuse"]
    with at("8:10"):
        story.act("repairer", "accept")
        assert story.state() == (3, 3)
        assert story.detail("repairer")["allowedActions"] == ["finish", "hang", "transfer", "applySpare", "line"]
    with at("9:00"):
        assert story.write_line("repairer", "08:10", "09:00").code == 200
    with at("9:10"):
        story.act("repairer", "finish", **story.result())
        assert story.state() == (5, 4)
        assert story.detail("operator")["allowedActions"] == ["check", "edit"]
        assert story.detail("operator2")["allowedActions"] == []
    with at("9:30"):
        story.act("operator", "check", checkResult=2, checkRemark="仍有异响")
        assert story.state() == (3, 5)
    with at("10:00"):
        story.write_line("repairer", "09:30", "10:00")
        story.act("repairer", "finish", **story.result())
        assert story.state() == (5, 6)
    with at("10:20"):
        story.act("operator", "check", checkResult=1, checkScore=5, checkRemark="运转正常")
        assert story.state() == (6, 7)

    assert logs(story) == [
        ("08:00", "秦操", "报修", "", "待派单"),
        ("08:05", "卫长", "派单", "待派单", "待接单"),
        ("08:10", "蒋修", "接单", "待接单", "维修中"),
        ("09:00", "蒋修", "填写工时", "", ""),
        ("09:10", "蒋修", "完工", "维修中", "待验收"),
        ("09:30", "秦操", "验收", "待验收", "维修中"),
        ("10:00", "蒋修", "填写工时", "", ""),
        ("10:00", "蒋修", "完工", "维修中", "待验收"),
        ("10:20", "秦操", "验收", "待验收", "已完成"),
    ]
    assert_numbers(story)
    assert_timeline(story)
    assert_diagram(story)
    assert_told(story)


def test_the_queue_door_takes_an_order_from_its_report_to_its_check(cast: Cast) -> None:
    repairer = str(cast.user("repairer").pk)
    with at("8:00"):
        story = Story(cast)
    with at("8:05"):
        task = story.task("repair_leader", "claim-list")
        assert (task["taskName"], task["title"], task["starterName"]) == ("派单", "主轴异响", "秦操")
        claimed = story.caller("repair_leader").post_json("blade-flow/work/claim-task", taskId=task["taskId"])
        assert claimed.code == 200
        assert story.caller("repair_leader").get("blade-flow/work/counts").data == {"claim": 0, "todo": 1, "copies": 0}
        assert story.caller("equip_manager").get("blade-flow/work/counts").data == {"claim": 0, "todo": 0, "copies": 0}
        assert (story.detail()["status"], story.detail()["lockVersion"]) == (1, 1)  # taking a task is no step
        story.complete("repair_leader", "todo-list", flag="ok", variables={"repairUserId": repairer})
        assert story.state() == (2, 2)
    with at("8:10"):
        story.complete("repairer", "todo-list", flag="ok")
        assert story.state() == (3, 3)
    with at("9:00"):
        story.write_line("repairer", "08:10", "09:00")
    with at("9:10"):
        story.complete("repairer", "todo-list", outcome="finish", variables=story.result())
        assert story.state() == (5, 4)
    with at("9:30"):
        story.complete("operator", "claim-list", comment="仍有异响")  # without the flag it is a refusal
        assert story.state() == (3, 5)
    with at("10:00"):
        story.write_line("repairer", "09:30", "10:00")
        story.complete("repairer", "todo-list", flag="ok", variables=story.result())
        assert story.state() == (5, 6)
    with at("10:20"):
        story.complete("operator", "claim-list", flag="ok", comment="运转正常", variables={"checkScore": 5})
        assert story.state() == (6, 7)

    assert logs(story) == [
        ("08:00", "秦操", "报修", "", "待派单"),
        ("08:05", "卫长", "领取任务", "", ""),
        ("08:05", "卫长", "派单", "待派单", "待接单"),
        ("08:10", "蒋修", "接单", "待接单", "维修中"),
        ("09:00", "蒋修", "填写工时", "", ""),
        ("09:10", "蒋修", "完工", "维修中", "待验收"),
        ("09:30", "秦操", "验收", "待验收", "维修中"),
        ("10:00", "蒋修", "填写工时", "", ""),
        ("10:00", "蒋修", "完工", "维修中", "待验收"),
        ("10:20", "秦操", "验收", "待验收", "已完成"),
    ]
    assert_numbers(story)
    assert_timeline(story, TAKEN)
    assert_diagram(story)
    assert_told(story)
    done = story.caller("repairer").get("blade-flow/work/done-list").data["records"]
    assert [(row["node"], row["outcomeName"], row["processIsFinished"]) for row in done] == [
        ("repair", "完工", "finished"), ("repair", "完工", "finished"), ("accept", "接单", "finished"),
    ]  # fmt: skip


def test_a_stopped_machine_stands_until_the_repair_is_finished_and_needs_a_photo(cast: Cast) -> None:
    with at("8:00"):
        story = Story(cast, isStop=1, stopStart="2026-03-02 07:55:00", urgency=2)
        assert cast.machine("M1").run_state == RunState.DOWN
    with at("8:05"):
        story.act("repair_leader", "dispatch", repairUserId=str(cast.user("repairer").pk))
        story.act("repairer", "accept")
        assert cast.machine("M1").run_state == RunState.REPAIRING
    with at("9:00"):
        story.write_line("repairer", "08:10", "09:00")
        before = story.rows()
        for values, field, sentence in (
            ({}, "stopEnd", "请选择恢复时间"),
            ({"stopEnd": "2026-03-02 07:50:00"}, "stopEnd", "结束时间必须晚于开始时间"),
            ({"stopEnd": "2026-03-02 09:01:00"}, "stopEnd", "恢复时间不能晚于当前时间"),
            ({"stopEnd": "2026-03-02 08:55:00"}, "afterImages", "停机或特急的维修须上传完工照片"),
        ):
            refused = story.try_to("repairer", "finish", **story.result(), **values)
            assert (refused.status, refused.data["fields"]) == (400, {field: sentence})
        assert story.rows() == before
        link = photo(story, "repairer")
        story.act("repairer", "finish", **story.result(), stopEnd="2026-03-02 08:55:00", afterImages=link)
    assert story.state() == (5, 4)
    assert cast.machine("M1").run_state == RunState.RUNNING
    assert story.detail()["stopMinutes"] == 60
    assert len(story.detail()["afterImages"]) == 1


def test_an_operator_may_not_dispatch(cast: Cast) -> None:
    story = Story(cast)
    before = story.rows()
    refused = story.try_to("operator", "dispatch", repairUserId=str(cast.user("repairer").pk))
    assert (refused.status, refused.code, refused["error"]) == (403, 403, "access.denied")
    assert refused.msg == "没有权限执行此操作"
    task = story.detail()["openTask"]["taskId"]
    body = {"taskId": task, "flag": "ok", "variables": {"repairUserId": str(cast.user("repairer").pk)}}
    refused = story.caller("operator").post_json("blade-flow/work/complete-task", body)
    assert (refused.status, refused.msg) == (403, "没有权限执行此操作")
    assert story.rows() == before


def test_an_order_of_another_company_is_not_found(cast: Cast) -> None:
    story = Story(cast)
    before = story.rows()
    foreigner = story.caller("repair_leader", B)
    refused = story.try_to(foreigner, "dispatch", repairUserId=str(cast.user("repairer", B).pk))
    assert (refused.status, refused.msg) == (404, "数据不存在或已被删除")
    task = story.detail()["openTask"]["taskId"]
    refused = foreigner.post_json("blade-flow/work/complete-task", {"taskId": task, "outcome": "claim"})
    assert (refused.status, refused.msg) == (404, "数据不存在或已被删除")
    assert foreigner.get("yuzhu-equip/repairorder/detail", id=story.now["id"]).status == 404
    assert story.rows() == before


def test_a_repairer_of_another_team_does_not_see_the_order(cast: Cast) -> None:
    story = Story(cast)
    before = story.rows()
    assert story.try_to("repairer_other", "claim").status == 404
    assert story.caller("repairer_other").get("yuzhu-equip/repairorder/list").data["total"] == 0
    assert story.rows() == before


def _to_check(cast: Cast, reporter: str = "operator") -> Story:
    """An order that the repairer has finished."""
    with at("8:00"):
        story = Story(cast, reporter=reporter)
        story.act("repair_leader", "dispatch", repairUserId=str(cast.user("repairer").pk))
        story.act("repairer", "accept")
    with at("9:00"):
        story.write_line("repairer", "08:10", "09:00")
        story.act("repairer", "finish", **story.result())
    return story


def test_a_repairer_may_not_check(cast: Cast) -> None:
    story = _to_check(cast)
    before = story.rows()
    refused = story.try_to("repairer", "check", checkResult=1)
    assert (refused.status, refused.msg) == (403, "不能验收本人维修的单据")
    assert story.rows() == before
    # The step is offered to the reporter and to who leads, not to every repairer.
    assert "check" not in story.detail("repairer2")["allowedActions"]
    refused = story.try_to("repairer2", "check", checkResult=1)
    assert (refused.status, refused.msg) == (403, "没有权限执行此操作")
    assert story.rows() == before


def test_who_may_check_still_may_not_check_the_own_repair(cast: Cast) -> None:
    with tenant_scope(A):
        UserRole.objects.create(user=cast.user("repairer"), role=Role.objects.get(role_alias="operator"))
    story = _to_check(cast, reporter="repairer")
    before = story.rows()
    for caller, sentence in (
        (story.caller("repairer"), "不能验收本人维修的单据"),
        (story.caller("repairer").in_english(), "You cannot verify a repair that you carried out"),
    ):
        refused = story.try_to(caller, "check", checkResult=1)
        assert (refused.status, refused.msg) == (403, sentence)
    assert story.rows() == before


@pytest.mark.parametrize(
    ("who", "action", "values", "chinese", "english"),
    [
        (
            "repairer", "finish", {}, "当前状态为「待派单」，不能完工",
            'Cannot complete while status is "Pending dispatch"',
        ),
        (
            "repairer", "accept", {}, "当前状态为「待派单」，不能接单",
            'Cannot accept while status is "Pending dispatch"',
        ),
        (
            "operator", "check", {"checkResult": 1},
            "当前状态为「待派单」，不能验收", 'Cannot verify while status is "Pending dispatch"',
        ),
    ],
)  # fmt: skip
def test_an_action_in_the_wrong_state_says_so(
    cast: Cast, who: str, action: str, values: dict[str, Any], chinese: str, english: str
) -> None:
    story = Story(cast)
    before = story.rows()
    for caller, sentence in ((story.caller(who), chinese), (story.caller(who).in_english(), english)):
        refused = story.try_to(caller, action, **values)
        assert (refused.status, refused["error"], refused.msg) == (400, "order.wrongState", sentence)
    assert story.rows() == before


def test_whoever_comes_second_learns_who_was_first_and_when(cast: Cast) -> None:
    with at("8:00"):
        story = Story(cast)
    with at("8:05"):
        read = dict(story.now)
        to_first, to_second = str(cast.user("repairer").pk), str(cast.user("repairer2").pk)
        story.act("repair_leader", "dispatch", repairUserId=to_first)
        before = story.rows()
        answered, story.now = story.now, read
        for who, values in (("equip_manager", to_first), ("repair_leader", to_second)):
            late = story.try_to(who, "dispatch", repairUserId=values)
            assert (late.status, late["error"]) == (409, "workflow.taskCompleted")
            assert late.msg == "「派单」已由卫长于2026-03-02 08:05:00处理，请刷新"
        late = story.try_to(story.caller("equip_manager").in_english(), "dispatch", repairUserId=to_first)
        assert late.msg == '"Dispatch" was done by 卫长 at 2026-03-02 08:05:00, please refresh'
        again = story.try_to("repair_leader", "dispatch", repairUserId=to_first)
        assert (again.status, again.data) == (200, answered)  # the same request of the same person: the same answer
        assert story.rows()[:4] == before[:4]


def test_an_order_that_was_edited_in_the_meantime_must_be_read_again(cast: Cast) -> None:
    story = Story(cast)
    read = dict(story.now)
    edit = {"id": read["id"], "lockVersion": read["lockVersion"], "description": "主轴异响，伴有振动"}
    assert story.caller("operator").post_json("yuzhu-equip/repairorder/update", edit).data["lockVersion"] == 2
    before = story.rows()
    for caller, sentence in (
        (story.caller("repair_leader"), "单据已被他人修改，请刷新后重试"),
        (story.caller("repair_leader").in_english(), "Changed by someone else, refresh and retry"),
    ):
        refused = story.try_to(caller, "dispatch", repairUserId=str(cast.user("repairer").pk))
        assert (refused.status, refused["error"], refused.msg) == (409, "data.stale", sentence)
    assert story.rows() == before


def _assert_refused(story: Story, who: str, action: str, values: Mapping[str, Any], field: str, *said: str) -> None:
    """400 with the exact sentence for the field, Chinese and English, and nothing changed."""
    before = story.rows()
    for caller, sentence in zip((story.caller(who), story.caller(who).in_english()), said, strict=True):
        refused = story.try_to(caller, action, **values)
        assert (refused.status, refused.msg) == (400, sentence)
        if field:
            assert refused.data["fields"] == {field: sentence}
    assert story.rows() == before


def test_a_report_says_what_is_missing(cast: Cast) -> None:
    machine, line = str(cast.machine("M1").pk), str(cast.machine("LINE").pk)
    cases: list[tuple[dict[str, Any], str, str, str]] = [
        ({"machineId": machine, "description": "坏了"}, "description", "请描述故障现象（至少4个字）",
         "Please enter a description (at least 4 characters)"),
        ({"description": "主轴异响"}, "machineId", "请选择设备", "Please select Asset"),
        ({"machineId": line, "description": "主轴异响"}, "machineId", "请选择设备", "Please select Asset"),
        ({"machineId": machine, "description": "主轴异响", "urgency": 9}, "urgency", "请选择紧急程度",
         "Please select Priority"),
        ({"machineId": machine, "description": "长" * 1001}, "description", "故障描述长度不能超过1000个字符",
         "Description must not exceed 1000 characters"),
    ]  # fmt: skip
    operator = cast.client_for("operator")
    for body, field, chinese, english in cases:
        for caller, sentence in ((operator, chinese), (operator.in_english(), english)):
            refused = caller.post_json("yuzhu-equip/repairorder/save", body)
            assert (refused.status, refused["error"], refused.msg) == (400, "input.invalid", sentence)
            assert refused.data["fields"] == {field: sentence}
    with tenant_scope(A):
        assert RepairOrder.objects.count() == ProcessInstance.objects.count() == 0


def test_each_step_says_what_it_must_carry(cast: Cast) -> None:
    story = Story(cast)
    nobody = {"repairUserId": str(cast.user("operator2").pk)}
    _assert_refused(
        story, "repair_leader", "dispatch", {}, "repairUserId", "请选择维修人员", "Please select a technician"
    )  # fmt: skip
    _assert_refused(
        story, "repair_leader", "dispatch", nobody, "repairUserId", "请选择维修人员", "Please select a technician"
    )  # fmt: skip
    story.act("repair_leader", "dispatch", repairUserId=str(cast.user("repairer").pk))
    _assert_refused(story, "repairer", "refuse", {}, "reason", "请输入拒单原因", "Please enter Reason")
    begin = clock.now()
    story.act("repairer", "accept")
    result = story.result()
    _assert_refused(
        story, "repairer", "finish", result, "", "请至少填写一条工时", "Please log at least one labor entry"
    )  # fmt: skip
    with clock.at(clock.now() + timedelta(minutes=10)):
        now = f"{clock.now():%Y-%m-%dT%H:%M:%S%z}"
        line = {"orderId": story.now["id"], "startTime": f"{begin:%Y-%m-%dT%H:%M:%S%z}", "endTime": now}
        assert story.caller("repairer").post_json("yuzhu-equip/repairorderdetail/submit", line).code == 200
    _assert_refused(
        story, "repairer", "finish", {**result, "solution": ""}, "solution", "请填写维修措施",
        "Please enter the work performed",
    )  # fmt: skip
    _assert_refused(
        story, "repairer", "finish", {**result, "causeTagId": result["actionTagIds"]}, "causeTagId",
        "数据不存在或已被删除", "Record not found or deleted",
    )  # fmt: skip
    story.act("repairer", "finish", **result)
    _assert_refused(
        story, "operator", "check", {"checkResult": 2}, "checkRemark",
        "请填写不通过原因", "Please enter the reason for failing",
    )  # fmt: skip
    _assert_refused(
        story, "operator", "check", {"checkResult": 1, "checkScore": 6}, "checkScore", "评分应在1到5之间",
        "Rating must be between 1 and 5",
    )  # fmt: skip
    assert story.state() == (5, 4)


def test_a_second_report_of_the_same_symptom_within_a_day_asks_first(cast: Cast) -> None:
    noise = str(cast.tag("异响").pk)
    with tenant_scope(A):
        leak = str(Tag.objects.create(type=TagType.SYMPTOM, tag_name="漏油").pk)
    with at("8:00"):
        story = Story(cast, faultTagIds=noise)
    body = {"machineId": str(cast.machine("M1").pk), "description": "主轴又响了", "faultTagIds": f"{leak},{noise}"}

    def report(**values: Any) -> Any:
        return story.caller("operator2").post_json("yuzhu-equip/repairorder/save", {**body, **values}).data

    with at("8:30"):
        before = story.rows()
        asked = report()
        assert asked["needConfirm"] is True
        assert [(row["orderNo"], row["statusName"]) for row in asked["orders"]] == [(story.now["orderNo"], "待派单")]
        assert story.rows()[:4] == before[:4]
        for symptoms in ("", leak):  # none is the same as no other
            assert report(faultTagIds=symptoms)["status"] == 1
        assert report(force=1)["status"] == 1
    with at("32:00"):
        assert len(report(faultTagIds=noise)["orders"]) == 2
    with clock.at(DAY + timedelta(hours=32, minutes=30, seconds=1)):
        assert report(faultTagIds=noise)["status"] == 1


def _told(story: Story, who: Caller | None = None) -> list[tuple[str, str]]:
    """What was done, and to whom it gave the order."""
    rows = (who or story.caller("equip_manager")).get("yuzhu-equip/repairorder/detail", id=story.now["id"]).data["logs"]
    return [(row["actionName"], row["toName"]) for row in rows]


def test_the_history_says_whom_an_order_was_given_to_even_after_a_refusal(cast: Cast) -> None:
    story = Story(cast)
    first, second = str(cast.user("repairer").pk), str(cast.user("repairer2").pk)
    team = cast.team("mechanics")
    story.act("repair_leader", "dispatch", repairUserId=first)
    story.act("repair_leader", "dispatch", teamId=str(team.pk))
    story.act("repair_leader", "dispatch", repairUserId=first)
    story.act("repairer", "refuse", reason="正在抢修")
    assert story.detail()["repairUserId"] is None
    story.act("repair_leader", "dispatch", repairUserId=first)
    story.act("repairer", "accept")
    story.act("repairer", "transfer", repairUserId=second, reason="换班")
    assert _told(story) == [
        ("报修", ""), ("派单", "蒋修"), ("派单", team.team_name), ("派单", "蒋修"), ("拒单", ""), ("派单", "蒋修"),
        ("接单", ""), ("转派", cast.user("repairer2").real_name),
    ]  # fmt: skip


def _edit(story: Story, who: str = "operator", **values: Any) -> Body:
    """A change without an action; the story goes on with what it answers."""
    body = {"id": story.now["id"], "lockVersion": story.now["lockVersion"], **values}
    answered = story.caller(who).post_json("yuzhu-equip/repairorder/update", body)
    story.now = answered.data if answered.code == 200 else story.now
    return answered


def test_an_edit_says_which_fields_it_changed_and_how(cast: Cast) -> None:
    story = Story(cast)
    link = photo(story, "operator")
    promise = {"planFinishTime": "2099-03-02 17:00:00"}
    _edit(story, urgency=1, description="主轴异响，伴有振动", images=[link], **promise)
    (entry,) = [row for row in story.detail()["logs"] if row["action"] == "edit"]
    assert entry["remark"] == ""
    assert entry["changes"] == [
        {"field": "description", "fieldName": "故障描述", "oldText": "主轴异响很大", "newText": "主轴异响，伴有振动"},
        {"field": "urgency", "fieldName": "紧急程度", "oldText": "一般", "newText": "特急"},
        {"field": "planFinishTime", "fieldName": "计划完成时间", "oldText": "", "newText": promise["planFinishTime"]},
        {"field": "images", "fieldName": "故障照片", "oldText": "", "newText": "1个"},
    ]  # fmt: skip
    _edit(story, "repair_leader", images=[photo(story, "repair_leader")], urgency=2)
    rows = story.caller("repair_leader").in_english().get("yuzhu-equip/repairorder/detail", id=story.now["id"])
    assert rows.data["logs"][-1]["changes"] == [
        {"field": "urgency", "fieldName": "Priority", "oldText": "Critical", "newText": "Urgent"},
        {"field": "images", "fieldName": "Photos of the fault", "oldText": "1 item", "newText": "1 item (+1 −1)"},
    ]
    assert [row["changes"] for row in rows.data["logs"][:-2]] == [[]]


def test_an_edit_that_changes_nothing_is_no_new_version(cast: Cast) -> None:
    story = Story(cast)
    _edit(story, "repair_leader", planFinishTime="2099-03-02 17:00:00")
    before, detail = story.rows(), story.detail("operator")
    as_read = {name: detail[name] for name in ("description", "urgency", "planFinishTime", "images")}
    for values in ({}, as_read, detail, {**detail, "$status": "待派单", "ext": {}, "version": 9}):
        answered = _edit(story, **{k: v for k, v in values.items() if k not in ("id", "lockVersion")})
        assert (answered.code, answered.data["lockVersion"]) == (200, 2), story.detail()["logs"]
    assert story.rows() == before


def test_names_beside_the_columns_change_nothing_whatever_they_say(cast: Cast) -> None:
    story = Story(cast)
    before, detail = story.rows(), story.detail("operator")
    names = {name: "别的" for name in detail if name.endswith("Name") and f"{name[:-4]}Id" in detail}
    assert set(names) >= {"machineName", "deptName", "reportUserName", "repairUserName", "teamName"}
    names |= {"statusName": "已完成", "machineCode": "X-1", "totalCost": 9, "extra": {"a": 1}, "unknown": "x"}
    answered = _edit(story, **names)
    assert (answered.code, answered.data["lockVersion"], answered.data["statusName"]) == (200, 1, "待派单")
    assert story.rows() == before
    assert _edit(story, **names, description="主轴异响，伴有振动").data["lockVersion"] == 2
    after = story.detail("operator")
    assert {name: after[name] for name in names if name in after} == {n: detail[n] for n in names if n in detail}
    assert [one["field"] for one in after["logs"][-1]["changes"]] == ["description"]


def test_an_edit_refuses_what_it_may_not_change(cast: Cast) -> None:
    story = Story(cast)
    before = story.rows()
    for field, value, chinese, english in (
        ("title", "新标题", "标题不能修改", "Title cannot be changed"),
        ("status", 6, "状态不能修改", "Status cannot be changed"),
        ("machineId", "1", "设备不能修改", "Asset cannot be changed"),
        ("isStop", True, "是否停机不能修改", "Asset is down cannot be changed"),
        ("outsourceCost", 10, "外协费用不能修改", "Contractor cannot be changed"),
    ):
        body = {"id": story.now["id"], "lockVersion": 1, "urgency": 1, field: value}
        for caller, sentence in ((story.caller("operator"), chinese), (story.caller("operator").in_english(), english)):
            refused = caller.post_json("yuzhu-equip/repairorder/update", body)
            assert (refused.status, refused.data["fields"]) == (400, {field: sentence})
    assert story.rows() == before


def _late(story: Story, who: str, action: str, chinese: str, english: str, **values: Any) -> None:
    """A conflict with this sentence, Chinese and English, for somebody who has read the order now or before."""
    before = story.rows()
    for version in (story.now["lockVersion"], story.now["lockVersion"] - 1):
        for caller, sentence in ((story.caller(who), chinese), (story.caller(who).in_english(), english)):
            refused = story.try_to(caller, action, lockVersion=version, **values)
            assert (refused.status, refused["error"], refused.msg) == (409, "order.taken", sentence)
    assert story.rows() == before


def test_who_comes_too_late_to_claim_learns_who_has_accepted(cast: Cast) -> None:
    story = Story(cast)
    story.act("repairer", "claim")
    said = ("该维修单已被蒋修接单", "蒋修 has already accepted this work order")
    _late(story, "repairer2", "claim", *said)
    _late(story, "repairer2", "accept", *said)


def test_who_accepts_an_order_that_was_given_to_another_learns_to_whom(cast: Cast) -> None:
    story = Story(cast)
    first, second = cast.user("repairer"), cast.user("repairer2")
    story.act("repair_leader", "dispatch", repairUserId=str(first.pk))
    story.act("equip_manager", "dispatch", repairUserId=str(second.pk))
    name = second.real_name
    said = (f"该维修工单已派给{name}", f"This work order was dispatched to {name}")
    _late(story, "repairer", "accept", *said)
    _late(story, "repairer", "claim", *said)
    refused = story.try_to("operator", "cancel", cancelReason=1)
    assert (refused.status, refused.msg) == (403, "没有权限执行此操作")
    assert story.act("repairer2", "accept")["status"] == 3
