"""What a leave is called in queues and messages, what is said to come next, and the list of all leaves."""

from __future__ import annotations

import importlib
import io
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.test import Client
from django.test.utils import CaptureQueriesContext
from openpyxl import load_workbook

from core.desk.models import Message
from core.identity.models import Department, User
from core.kernel.tenancy import tenant_scope
from tests.cast import A, B, Caller, Cast
from tests.core.desk.test_leave import DESK, LONG, SHORT, Story, ask, deliver, office, own_version, staffed
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.worklist.models import WorkItem

pytestmark = pytest.mark.django_db

__all__ = ["office", "staffed"]

LIST = "blade-desk/leaverecord"


# --- what it is called ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "chinese", "english"),
    [
        ({}, "秦操 · 事假 1天 · 03-05", "秦操 · Personal leave, 1 day · 03-05"),
        (
            {"type": 3, "endTime": "2026-03-08 12:00:00"},
            "秦操 · 年假 3.5天 · 03-05～03-08",
            "秦操 · Annual leave, 3.5 days · 03-05 to 03-08",
        ),
        (
            {"type": 2, "endTime": "2026-03-05 12:00:00"},
            "秦操 · 病假 0.5天 · 03-05 上午",
            "秦操 · Sick leave, 0.5 days · 03-05 morning",
        ),
        (
            {"startTime": "2026-03-05 13:00:00"},
            "秦操 · 事假 0.5天 · 03-05 下午",
            "秦操 · Personal leave, 0.5 days · 03-05 afternoon",
        ),
        (
            {"startTime": "2026-12-31 08:00:00", "endTime": "2027-01-02 00:00:00"},
            "秦操 · 事假 2天 · 2026-12-31～2027-01-01",
            "秦操 · Personal leave, 2 days · 2026-12-31 to 2027-01-01",
        ),
    ],
)
def test_queues_and_messages_say_who_how_long_and_when_but_not_why(
    office: Cast, values: dict[str, Any], chinese: str, english: str
) -> None:
    story = Story(office, **values)
    head = office.client_for("shift_leader")
    for caller, title in ((head, chinese), (head.in_english(), english)):
        [row] = caller.get("blade-flow/work/inbox").data["records"]
        detail = caller.get("blade-flow/work/task-detail", taskId=row["taskId"]).data
        assert (row["title"], detail["title"]) == (title, title)
    mine = office.client_for("operator")
    for caller, title in ((mine, chinese), (mine.in_english(), english)):
        [row] = caller.get("blade-flow/work/send-list").data["records"]
        assert row["title"] == title
        found = caller.get("blade-flow/process/detail", processInstanceId=story.detail()["processInstanceId"])
        assert found.data["title"] == title
    deliver()
    with tenant_scope(A):
        assert [message.content for message in Message.objects.all()] == [chinese]
        stored = ProcessInstance.objects.get()
        assert "老家" not in f"{stored.title}{stored.title_en}"


def test_either_title_is_found_in_the_inbox(office: Cast) -> None:
    Story(office, **LONG)
    head = office.client_for("shift_leader")
    for word, count in (("事假 4天", 1), ("personal leave", 1), ("年假", 0), ("老家", 0)):
        assert head.get("blade-flow/work/inbox", keyword=word).data["total"] == count


def test_a_request_that_comes_again_is_called_by_what_it_says_now(office: Cast) -> None:
    story = Story(office)
    story.act("shift_leader", "reject", comment="人手不够，请改期")
    story.act("operator", "submit", type=3, startTime="2026-03-09 13:00:00", endTime="2026-03-10 12:00:00")
    title = "秦操 · 年假 1天 · 03-09～03-10"
    assert story.task("shift_leader")["title"] == title
    [sent] = story.caller("operator").get("blade-flow/work/send-list").data["records"]
    assert sent["title"] == title
    # What was decided before was decided on what it said then.
    [done] = story.caller("shift_leader").get("blade-flow/work/done-list").data["records"]
    assert done["title"] == "秦操 · 事假 1天 · 03-05"


def test_titles_of_before_lose_the_reason(office: Cast) -> None:
    migration = importlib.import_module("workflows.runtime.tables.worklist.migrations.0010_titles_of_earlier_leaves")
    half = {"startTime": "2026-03-05 13:00:00"}
    stories = {A: Story(office, **half), B: None}
    assert ask(office.client_for("operator", B), **half).code == 200
    stored = (ProcessInstance, WorkItem)
    for tenant in stories:
        with tenant_scope(tenant):
            for table in stored:
                assert table.objects.update(title="回老家办事", title_en="") == 1
    later = Story(office, "operator2", type=2)
    # The models as migrations know them, which see all companies.
    apps = MigrationLoader(connection).project_state([("worklist", "0010_titles_of_earlier_leaves")]).apps
    with transaction.atomic():
        migration.retitle(apps, SimpleNamespace(connection=connection))
    title = "秦操 · 事假 0.5天 · 03-05 下午", "秦操 · Personal leave, 0.5 days · 03-05 afternoon"
    with tenant_scope(A):
        other = ("尤操 · 病假 1天 · 03-05", "尤操 · Sick leave, 1 day · 03-05")
        for table in stored:
            found = dict(table.objects.values_list("business_id", "title"))
            assert set(table.objects.values_list("title", "title_en")) == {title, other}
            assert found[int(later.now["id"])] == other[0]
    with tenant_scope(B):
        for table in stored:
            assert list(table.objects.values_list("title", "title_en")) == [title]


# --- what comes next ------------------------------------------------------------------------------------------------


def test_the_next_step_is_that_of_this_request(office: Cast) -> None:
    short, end = Story(office), "同意后请假生效；驳回则退回申请人"
    assert short.detail()["nextText"] == end
    english = "If approved, the leave is granted; if rejected, it returns to the applicant"
    mine = short.caller("operator").in_english()
    assert mine.get(f"{DESK}/detail", businessId=short.now["id"]).data["nextText"] == english
    long = Story(office, "operator2", endTime="2026-03-08 12:00:00")
    assert long.detail("operator2")["nextText"] == "同意后由人事（杜事）审批；驳回则退回申请人"
    long.act("shift_leader", "approve")
    assert long.detail("operator2")["nextText"] == end
    long.act("hr", "reject", comment="请改期")
    assert long.detail("operator2")["nextText"] == "申请人修改后重新提交，或撤回"
    long.act("operator2", "withdraw")
    assert long.detail("operator2")["nextText"] == ""


def test_the_next_step_of_a_long_leave_of_human_resources_names_whoever_is_asked(office: Cast) -> None:
    story = Story(office, "hr", **LONG)
    assert story.detail("hr")["nextText"] == "同意后由人事（赵理）审批；驳回则退回申请人"


def test_of_a_company_s_own_model_its_next_steps_are_named(office: Cast) -> None:
    own = own_version(office)
    story = Story(office, **LONG, processDefinitionId=str(own.pk))
    assert story.detail()["nextText"] == "人事审批、修改申请，或流程结束"
    mine = story.caller("operator").in_english()
    english = "Approval by HR, Revise the request, or the process ends"
    assert mine.get(f"{DESK}/detail", businessId=story.now["id"]).data["nextText"] == english
    story.act("shift_leader", "reject", comment="请改期")
    assert story.detail()["nextText"] == "主管审批"
    story.act("operator", "withdraw")
    assert story.detail()["nextText"] == ""


# --- the list -------------------------------------------------------------------------------------------------------


def numbers(caller: Caller, **asked: Any) -> list[str]:
    return [row["leaveNo"][-1] for row in caller.get(f"{LIST}/list", **asked).data["records"]]


@pytest.fixture
def several(office: Cast) -> dict[str, Story]:
    """Of the shop 1 and 2, of maintenance 3 and 4; 2 is approved, 3 waits for human resources; somebody has a draft."""
    found = {"1": Story(office), "2": Story(office, "operator2", type=3)}
    found["2"].act("shift_leader", "approve")
    found["3"] = Story(office, "repairer", **LONG)
    found["3"].act("equip_manager", "approve")
    found["4"] = Story(office, "repairer_other", startTime="2026-04-01 08:00:00", endTime="2026-04-01 12:00:00")
    assert office.client_for("viewer").post_json(f"{DESK}/save-draft", SHORT).code == 200
    return found


def test_human_resources_and_the_administrator_find_all_of_the_company(office: Cast, several: Any) -> None:
    for who in ("hr", "tenant_admin"):
        assert numbers(office.client_for(who)) == ["4", "3", "2", "1"]
    row = office.client_for("hr").get(f"{LIST}/list", userId=office.user("repairer").pk).data["records"][0]
    shown = {key: row[key] for key in ("userName", "deptName", "typeName", "days", "statusName", "waitingFor")}
    assert shown == {
        "userName": "蒋修", "deptName": "设备部", "typeName": "事假", "days": 4.0, "statusName": "审批中",
        "waitingFor": "人事审批 · 人事",
    }  # fmt: skip
    assert "reason" not in row
    assert office.client_for("hr").get(f"{LIST}/detail", id=row["id"]).data == row


def test_one_word_finds_the_applicant_or_the_number_within_what_one_may_see(office: Cast, several: Any) -> None:
    hr, leader = office.client_for("hr"), office.client_for("equip_manager")
    number = hr.get(f"{LIST}/list", userId=office.user("operator").pk).data["records"][0]["leaveNo"]
    assert [numbers(hr, keyword=word) for word in ("蒋修", number, "无此人")] == [["3"], ["1"], []]
    assert [numbers(leader, keyword=word) for word in ("蒋修", number)] == [["3"], []]
    assert numbers(office.client_for("hr", B), keyword=number) == []


def test_a_leader_finds_those_of_the_own_department_and_opens_them(office: Cast, several: Any) -> None:
    leader = office.client_for("equip_manager")
    assert numbers(leader) == ["4", "3"]
    for key, status in (("4", 200), ("1", 404)):
        leave = several[key].now["id"]
        assert leader.get(f"{DESK}/detail", businessId=leave).status == status
        assert leader.get(f"{LIST}/detail", id=leave).status == status


def test_the_head_of_a_department_finds_its_leaves_and_nobody_else_of_that_role_does(
    office: Cast, several: Any
) -> None:
    head, other = office.client_for("shift_leader"), office.client_for("repair_leader")
    assert (numbers(head), numbers(other)) == (["2", "1"], [])
    for key, status in (("1", 200), ("4", 404)):
        leave = several[key].now["id"]
        assert head.get(f"{DESK}/detail", businessId=leave).status == status
        assert head.get(f"{LIST}/detail", id=leave).status == status
    assert Client().get(f"/api/{LIST}/export", headers=head._headers()).status_code == 403
    with tenant_scope(A):
        Department.objects.filter(dept_name="机加车间").update(leader=office.user("repair_leader"))
    assert (numbers(head), numbers(other)) == ([], ["2", "1"])
    assert head.get(f"{DESK}/detail", businessId=several["4"].now["id"]).status == 404


@pytest.mark.parametrize("who", ["operator", "repairer", "viewer"])
def test_others_have_no_list(office: Cast, several: Any, who: str) -> None:
    caller = office.client_for(who)
    for call in ("list", "detail", "export"):
        answer = Client().get(f"/api/{LIST}/{call}", {"id": several["1"].now["id"]}, headers=caller._headers())
        assert answer.status_code == 403


def test_another_company_finds_none_of_them(office: Cast, several: Any) -> None:
    other = office.client_for("hr", B)
    assert numbers(other) == []
    assert other.get(f"{LIST}/detail", id=several["1"].now["id"]).status == 404
    assert ask(office.client_for("operator", B)).code == 200
    assert numbers(other) == ["1"]
    assert numbers(office.client_for("hr")) == ["4", "3", "2", "1"]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"type": 3}, ["2"]),
        ({"status": 3}, ["2"]),
        ({"status": "2,3"}, ["4", "3", "2", "1"]),
        # Whoever is away on the seventh: the leave began before and ends after it.
        ({"endTime_dategt": "2026-03-07", "startTime_datelt": "2026-03-07"}, ["3"]),
        ({"endTime_dategt": "2026-03-05", "startTime_datelt": "2026-03-05"}, ["3", "2", "1"]),
        ({"endTime_dategt": "2026-04-01"}, ["4"]),
        ({"ascs": "days"}, ["4", "2", "1", "3"]),
        ({"size": 2, "current": 2}, ["2", "1"]),
        ({"deptId": "x"}, []),
    ],
)
def test_the_list_is_filtered_sorted_and_paged_by_the_server(
    office: Cast, several: Any, asked: dict[str, Any], found: list[str]
) -> None:
    assert numbers(office.client_for("hr"), **asked) == found


def test_the_list_is_asked_for_a_person_or_a_department(office: Cast, several: Any) -> None:
    hr, person = office.client_for("hr"), office.user("operator2")
    assert numbers(hr, userId=person.pk) == ["2"]
    with tenant_scope(A):
        dept = User.objects.get(account="operator").dept_id
    assert numbers(hr, deptId=dept) == ["2", "1"]


def test_the_export_is_the_filtered_list(office: Cast, several: Any) -> None:
    headers = office.client_for("hr")._headers()
    answer = Client().get(f"/api/{LIST}/export", {"type": 3}, headers=headers)
    assert answer.status_code == 200
    head, *lines = [list(row) for row in load_workbook(io.BytesIO(answer.content)).active.values]
    assert head == [
        "单号", "申请人", "申请人编号", "部门", "请假类型", "开始时间", "结束时间", "请假天数", "状态", "等待",
        "申请时间", "结束于",
    ]  # fmt: skip
    [line] = lines
    times = ["2026-03-05 08:00:00", "2026-03-05 17:00:00"]
    assert line[1:10] == ["尤操", "operator2", "机加车间", "年假", *times, 1, "已通过", None]
    leader = office.client_for("equip_manager")
    assert Client().get(f"/api/{LIST}/export", headers=leader._headers()).status_code == 403


def test_a_page_of_any_length_takes_as_many_statements(office: Cast, several: Any) -> None:
    hr = office.client_for("hr")
    counts = []
    for size in (1, 4):
        hr.get(f"{LIST}/list", size=size)
        with CaptureQueriesContext(connection) as taken:
            hr.get(f"{LIST}/list", size=size)
        counts.append(len(taken))
    assert counts[0] == counts[1]
