"""Leave, from the application to the approval, through both doors; what is refused on its way, in both languages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from core.access.models import Role, UserRole
from core.audit.models import Event
from core.desk.leave.models import Leave, Status
from core.desk.models import Message
from core.identity.models import Department, User
from core.kernel import clock
from core.kernel.half_days import days_between
from core.kernel.tenancy import tenant_scope
from core.scheduling import outbox
from core.scheduling.models import OutboxMessage
from tests.cast import A, B, Body, Caller, Cast
from tests.workflows.runtime.test_races import _at_once, races
from workflows.runtime.definitions import library
from workflows.runtime.tables.deployments.models import Definition
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.worklist.models import WorkItem

pytestmark = pytest.mark.django_db

DESK = "blade-desk/process/leave"
ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 3, 2, 9, tzinfo=ZONE)
NUMBER = "QJ202603020001"
SHORT = {"type": 1, "startTime": "2026-03-05 08:00:00", "endTime": "2026-03-05 17:00:00", "reason": "回老家办事"}
LONG = {**SHORT, "endTime": "2026-03-08 17:00:00"}


@pytest.fixture
def staffed(cast: Cast) -> Cast:
    """The cast; the departments have heads, and there is somebody of human resources."""
    for tenant in (A, B):
        with tenant_scope(tenant):
            people = {user.account: user for user in User.objects.all()}
            heads = {"机加车间": people["shift_leader"], "设备部": people["equip_manager"]}
            for name, head in heads.items():
                Department.objects.filter(dept_name=name).update(leader=head)
            pattern = people["viewer"]
            hr = User.objects.create(account="hr", real_name="杜事", dept=pattern.dept, password=pattern.password)
            UserRole.objects.create(user=hr, role=Role.objects.get(role_alias="hr"))
    return cast


@pytest.fixture
def office(staffed: Cast) -> Iterator[Cast]:
    """At nine in the morning. Threads have a clock of their own: races are run without it."""
    with clock.at(NOW):
        yield staffed


class Story:
    """One request on its way; `now` is the last answer."""

    def __init__(self, cast: Cast, who: str = "operator", **values: Any):
        self.cast = cast
        answer = self.caller(who).post_json(f"{DESK}/start-process", {**SHORT, **values})
        assert answer.code == 200, answer
        self.now: dict[str, Any] = answer.data

    def caller(self, account: str, tenant: str = A) -> Caller:
        return self.cast.client_for(account, tenant)

    def try_to(self, who: str | Caller, action: str, **values: Any) -> Body:
        """An action at the record's door, allowed or not."""
        caller = self.caller(who) if isinstance(who, str) else who
        body = {"id": self.now["id"], "lockVersion": self.now["lockVersion"], "action": action, **values}
        return caller.post_json(f"{DESK}/update", body)

    def act(self, who: str, action: str, **values: Any) -> dict[str, Any]:
        body = self.try_to(who, action, **values)
        assert body.code == 200, body
        self.now = body.data
        return self.now

    def task(self, who: str, list_name: str = "todo-list") -> dict[str, Any]:
        (row,) = self.caller(who).get(f"blade-flow/work/{list_name}").data["records"]
        assert (row["businessId"], row["businessNo"]) == (self.now["id"], self.now["leaveNo"])
        return row  # type: ignore[no-any-return]

    def complete(self, who: str, list_name: str = "todo-list", **values: Any) -> Body:
        """The queue door."""
        task = self.task(who, list_name)
        body = {"taskId": task["taskId"], "processInstanceId": task["processInstanceId"], **values}
        answer = self.caller(who).post_json("blade-flow/work/complete-task", body)
        if answer.code == 200:
            self.now = answer.data
        return answer

    def read(self, who: str, tenant: str = A) -> Body:
        return self.caller(who, tenant).get(f"{DESK}/detail", businessId=self.now["id"])

    def detail(self, who: str = "operator") -> dict[str, Any]:
        return self.read(who).data  # type: ignore[no-any-return]

    def logs(self) -> list[tuple[str, ...]]:
        names = ("userName", "actionName", "fromStatusName", "toStatusName", "remark")
        return [tuple(row[name] for name in names) for row in self.detail()["logs"]]


def rows() -> list[Any]:
    """Everything an act could change, to see that a refused one changed nothing."""
    with tenant_scope(A):
        tables = [Leave, WorkItem, ProcessInstance, Event]
        found: list[Any] = [list(table.objects.order_by("pk").values()) for table in tables]
    return [*found, list(OutboxMessage.objects.order_by("pk").values())]


def refused(caller: Caller, path: str, body: Mapping[str, Any], status: int, word: str, *said: str) -> None:
    """Refused with these words in both languages, and nothing changed."""
    before = rows()
    for one, sentence in zip((caller, caller.in_english()), said, strict=True):
        answer = one.post_json(path, body)
        assert (answer.status, answer["error"], answer.msg) == (status, word, sentence)
    assert rows() == before


def ask(caller: Caller, **values: Any) -> Body:
    return caller.post_json(f"{DESK}/start-process", {**SHORT, **values})


def deliver() -> dict[str, list[str]]:
    """What the worker does after the commits; the titles on each desk."""
    while outbox.deliver_due():
        pass
    found: dict[str, list[str]] = {}
    with tenant_scope(A):
        names = dict(User.objects.values_list("pk", "account"))
        for user_id, title in Message.objects.order_by("id").values_list("user_id", "title"):
            found.setdefault(names[user_id], []).append(title)
    return found


# --- the way through ------------------------------------------------------------------------------------------------


def test_a_short_leave_is_approved_by_the_head_of_the_department(office: Cast) -> None:
    story = Story(office)
    saved = {"leaveNo": NUMBER, "status": 2, "statusName": "审批中", "lockVersion": 1}
    assert story.now == {"id": story.now["id"], **saved}
    detail = story.detail()
    assert (detail["days"], detail["typeName"], detail["approverName"]) == (1.0, "事假", "李班")
    ids = (str(office.user("operator").pk), "", story.now["id"])
    assert (detail["createUser"], detail["taskUser"], detail["id"]) == ids
    assert (detail["flow"], detail["waitingFor"]) == ({"assigneeName": "秦操"}, "主管审批 · 李班")
    assert (detail["allowedActions"], story.detail("shift_leader")["allowedActions"]) == (
        ["withdraw"], ["approve", "reject"],
    )  # fmt: skip
    story.act("shift_leader", "approve", comment="注意交接")
    assert (story.now["status"], story.now["statusName"], story.now["lockVersion"]) == (3, "已通过", 2)
    assert story.logs() == [
        ("秦操", "申请请假", "草稿", "审批中", ""),
        ("李班", "同意", "审批中", "已通过", "注意交接"),
    ]
    detail = story.detail()
    assert (detail["openTask"], detail["waitingFor"], detail["allowedActions"]) == (None, "", [])
    assert (detail["applyTime"], detail["closeTime"]) == ("2026-03-02 09:00:00", "2026-03-02 09:00:00")
    assert deliver() == {"shift_leader": [f"请假待审批：秦操 {NUMBER}"], "operator": [f"请假已通过：秦操 {NUMBER}"]}


def test_a_long_leave_goes_on_to_human_resources_through_the_queue(office: Cast) -> None:
    story = Story(office, **LONG)
    assert story.detail()["days"] == 4.0
    assert story.complete("shift_leader", flag="ok", comment="同意").data["status"] == 2
    assert story.detail("hr")["waitingFor"] == "人事审批 · 人事"
    assert story.complete("hr", "claim-list", flag="ok", comment="已登记").data["status"] == 3
    assert story.logs() == [
        ("秦操", "申请请假", "草稿", "审批中", ""),
        ("李班", "同意", "", "", "同意"),
        ("杜事", "同意", "审批中", "已通过", "已登记"),
    ]
    assert deliver() == {
        "shift_leader": [f"请假待审批：秦操 {NUMBER}"],
        "hr": [f"请假待人事审批：秦操 {NUMBER}"],
        "operator": [f"请假已通过：秦操 {NUMBER}"],
    }


@pytest.mark.parametrize(("end", "needs_hr"), [("2026-03-07 17:00:00", False), ("2026-03-08 12:00:00", True)])
def test_human_resources_are_asked_above_three_days(office: Cast, end: str, needs_hr: bool) -> None:
    story = Story(office, endTime=end)
    assert story.act("shift_leader", "approve")["status"] == (2 if needs_hr else 3)


def test_the_chosen_approver_takes_the_place_of_the_head_and_of_nobody_else(office: Cast) -> None:
    story = Story(office, **LONG, taskUser=str(office.user("repair_leader").pk))
    detail = story.detail()
    assert (detail["taskUserName"], detail["approverName"]) == ("卫长", "卫长")
    # The head of the department finds it in the list, and decides nothing.
    assert story.read("shift_leader").status == 200
    before = rows()
    assert story.try_to("shift_leader", "approve").status == 409
    assert rows() == before
    assert story.act("repair_leader", "approve")["status"] == 2
    assert story.act("hr", "approve")["status"] == 3


@pytest.mark.parametrize("by_hr", [False, True])
def test_a_rejected_request_is_changed_and_comes_again(office: Cast, by_hr: bool) -> None:
    story = Story(office, **LONG)
    if by_hr:
        story.act("shift_leader", "approve")
    story.act("hr" if by_hr else "shift_leader", "reject", comment="人手不够，请改期")
    assert (story.now["status"], story.now["statusName"]) == (4, "已驳回")
    assert story.detail()["allowedActions"] == ["submit", "withdraw"]
    assert story.task("operator")["taskName"] == "修改申请"
    other = {"startTime": "2026-03-09 13:00:00", "endTime": "2026-03-10 12:00:00", "reason": "改到下周"}
    story.act("operator", "submit", **other, taskUser=str(office.user("equip_manager").pk))
    detail = story.detail()
    assert (detail["status"], detail["days"], detail["reason"], detail["type"]) == (2, 1.0, "改到下周", 1)
    assert (detail["approverName"], detail["openTask"]["node"]) == ("钱管", "approve")
    assert story.act("equip_manager", "approve")["status"] == 3


def test_a_rejected_request_comes_again_unchanged_from_the_queue(office: Cast) -> None:
    story = Story(office)
    story.complete("shift_leader", comment="请写清楚事由")
    assert story.now["status"] == 4
    story.complete("operator", flag="ok", comment="已当面说明")
    assert (story.now["status"], story.detail()["reason"]) == (2, "回老家办事")
    story.complete("shift_leader", flag="ok", comment="好")
    assert story.now["status"] == 3
    assert [row[4] for row in story.logs()] == ["", "请写清楚事由", "已当面说明", "好"]


@pytest.mark.parametrize("where", ["approve", "hr", "revise"])
def test_the_applicant_withdraws_while_it_is_not_decided(office: Cast, where: str) -> None:
    story = Story(office, **LONG)
    if where == "hr":
        story.act("shift_leader", "approve")
    if where == "revise":
        story.act("shift_leader", "reject", comment="人手不够")
    story.act("operator", "withdraw", comment="不去了")
    assert (story.now["status"], story.now["statusName"]) == (5, "已撤回")
    assert story.detail()["openTask"] is None
    for person in ("shift_leader", "hr", "operator"):
        counts = story.caller(person).get("blade-flow/work/counts").data
        assert counts == {"claim": 0, "todo": 0, "copies": 0}


def test_the_leave_of_human_resources_is_approved_by_an_administrator(office: Cast) -> None:
    story = Story(office, "hr", **LONG)
    story.act("equip_manager", "approve")
    assert story.detail("hr")["waitingFor"] == "人事审批 · 租户管理员"
    assert story.try_to("hr", "approve").msg == "不能审批本人的请假"
    assert story.act("tenant_admin", "approve")["status"] == 3


def test_a_heads_leave_goes_to_the_head_above(office: Cast) -> None:
    with tenant_scope(A):
        shop = Department.objects.get(dept_name="机加车间")
        shop.parent = Department.objects.get(dept_name="设备部")
        shop.save()
    assert Story(office, "shift_leader").detail("shift_leader")["approverName"] == "钱管"


# --- days -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "end", "days"),
    [
        ("05 08:00", "05 12:00", "0.5"),
        ("05 08:00", "05 12:01", "1"),
        ("05 12:00", "05 17:00", "0.5"),
        ("05 11:59", "05 12:01", "1"),
        ("05 08:00", "05 17:00", "1"),
        ("05 13:00", "06 12:00", "1"),
        ("05 00:00", "06 00:00", "1"),
        ("05 08:00", "08 12:00", "3.5"),
        ("05 23:30", "06 00:30", "1"),
    ],
)
def test_days_are_counted_in_mornings_and_afternoons_of_the_tenant(start: str, end: str, days: str) -> None:
    begin, over = (datetime.strptime(f"2026-03-{text}", "%Y-%m-%d %H:%M").replace(tzinfo=ZONE) for text in (start, end))
    assert days_between(begin, over) == Decimal(days)


# --- what is refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "field", "chinese", "english"),
    [
        ({"type": None}, "type", "请选择请假类型", "Please select Type"),
        ({"type": 9}, "type", "请选择请假类型", "Please select Type"),
        ({"startTime": None}, "startTime", "请选择开始时间", "Please select From"),
        ({"endTime": None}, "endTime", "请选择结束时间", "Please select To"),
        ({"reason": " "}, "reason", "请输入请假事由", "Please enter Reason"),
        ({"reason": "长" * 501}, "reason", "请假事由长度不能超过500个字符", "Reason must not exceed 500 characters"),
        ({"endTime": "2026-03-05 08:00:00"}, "endTime", "结束时间必须晚于开始时间", "End must be after start"),
        ({"endTime": "2027-03-05 12:00:01"}, "endTime", "时间不能超过365天", "The period must not exceed 365 days"),
        ({"days": 2}, "days", "请假天数应为1天", "Days must be 1"),
        ({"endTime": "2026-03-06 12:00:00", "days": 1}, "days", "请假天数应为1.5天", "Days must be 1.5"),
        ({"taskUser": "1"}, "taskUser", "数据不存在或已被删除", "Record not found or deleted"),
    ],
)
def test_an_application_says_what_is_wrong(
    office: Cast, values: dict[str, Any], field: str, chinese: str, english: str
) -> None:
    caller = office.client_for("operator")
    refused(caller, f"{DESK}/start-process", {**SHORT, **values}, 400, "input.invalid", chinese, english)
    assert ask(caller, **values).data["fields"] == {field: chinese}


def test_nobody_approves_the_own_leave_or_lets_a_disabled_person_do_it(office: Cast) -> None:
    caller = office.client_for("operator")
    own, away = str(office.user("operator").pk), office.user("repairer")
    with tenant_scope(A):
        User.objects.filter(pk=away.pk).update(is_enabled=False)
    path = f"{DESK}/start-process"
    texts = ("不能选择本人审批", "You cannot choose yourself as the approver")
    refused(caller, path, {**SHORT, "taskUser": own}, 400, "input.invalid", *texts)
    texts = ("请选择审批人", "Please select Approver")
    refused(caller, path, {**SHORT, "taskUser": str(away.pk)}, 400, "input.invalid", *texts)


def test_without_a_head_the_approver_has_to_be_chosen(office: Cast) -> None:
    with tenant_scope(A):
        Department.objects.update(leader=None)
    caller = office.client_for("operator")
    texts = ("您的部门没有负责人，请选择审批人", "Your department has no head, please choose an approver")
    refused(caller, f"{DESK}/start-process", SHORT, 400, "input.invalid", *texts)
    assert caller.get(f"{DESK}/form").data == {"draft": None, "approver": "", "approverName": ""}
    assert ask(caller, taskUser=str(office.user("repair_leader").pk)).code == 200


@pytest.mark.parametrize(
    ("start", "end", "overlaps"),
    [
        ("05 16:59:59", "06 12:00:00", True),
        ("04 08:00:00", "05 08:00:01", True),
        ("05 10:00:00", "05 11:00:00", True),
        ("05 17:00:00", "06 12:00:00", False),
        ("04 08:00:00", "05 08:00:00", False),
    ],
)
def test_own_leaves_do_not_overlap(office: Cast, start: str, end: str, overlaps: bool) -> None:
    Story(office)
    other = {**SHORT, "startTime": f"2026-03-{start}", "endTime": f"2026-03-{end}"}
    caller = office.client_for("operator")
    assert ask(office.client_for("operator2"), **other).code == 200
    if not overlaps:
        assert ask(caller, **other).code == 200
        return
    refused(
        caller, f"{DESK}/start-process", other, 400, "leave.overlap",
        "该时间段与您的另一张请假单重叠：2026-03-05 08:00 至 2026-03-05 17:00（审批中）",
        "This overlaps with another leave of yours: 2026-03-05 08:00 to 2026-03-05 17:00 (In approval)",
    )  # fmt: skip


def test_an_approved_leave_counts_when_another_overlaps_it(office: Cast) -> None:
    story = Story(office)
    story.act("shift_leader", "approve")
    with tenant_scope(A):
        assert Leave.objects.get().status == Status.APPROVED
    before = rows()
    again = ask(office.client_for("operator"))
    assert (again.status, again["error"]) == (400, "leave.overlap")
    assert again.msg == "该时间段与您的另一张请假单重叠：2026-03-05 08:00 至 2026-03-05 17:00（已通过）"
    assert rows() == before


def test_a_rejected_or_withdrawn_leave_takes_no_time_until_it_comes_again(office: Cast) -> None:
    story = Story(office)
    story.act("shift_leader", "reject", comment="人手不够")
    second = ask(office.client_for("operator"))
    assert second.code == 200
    before = rows()
    again = story.try_to("operator", "submit")
    assert (again.status, again["error"]) == (400, "leave.overlap")
    assert rows() == before
    story.now = second.data
    story.act("operator", "withdraw")
    assert ask(office.client_for("operator")).code == 200


@pytest.mark.parametrize("person", ["operator2", "equip_manager", "viewer"])
def test_who_has_nothing_to_do_with_it_neither_reads_nor_moves_it(office: Cast, person: str) -> None:
    story = Story(office)
    before = rows()
    assert story.read(person).status == 404
    assert story.try_to(person, "approve").status == 404
    assert story.try_to(person, "withdraw").status == 404
    instance = story.detail()["processInstanceId"]
    for call in ("history-flow-list", "model-view"):
        assert story.caller(person).get(f"blade-flow/process/{call}", processInstanceId=instance).status == 404
    assert rows() == before


def test_another_tenant_does_not_find_it(office: Cast) -> None:
    story = Story(office)
    before = rows()
    for person in ("operator", "shift_leader", "hr", "tenant_admin"):
        assert story.read(person, B).status == 404
        assert story.try_to(story.caller(person, B), "approve").status == 404
        assert story.try_to(story.caller(person, B), "withdraw").status == 404
    assert rows() == before


def test_whoever_holds_a_step_reads_the_request_and_still_does_when_it_is_done(office: Cast) -> None:
    other = ask(office.client_for("repairer"), taskUser=str(office.user("repair_leader").pk)).data["id"]
    story = Story(office, **LONG)
    assert [story.read(who).status for who in ("operator", "shift_leader", "hr", "tenant_admin")] == [200] * 4
    story.act("shift_leader", "approve")
    assert story.read("shift_leader").status == 200
    instance = story.detail()["processInstanceId"]
    timeline = story.caller("shift_leader").get("blade-flow/process/history-flow-list", processInstanceId=instance)
    assert [row["historyActivityName"] for row in timeline.data] == ["发起", "主管审批", "人事审批"]
    assert story.caller("shift_leader").get(f"{DESK}/detail", businessId=other).status == 404


def test_acts_that_are_not_ones_own_are_refused(office: Cast) -> None:
    story = Story(office, **LONG)
    path = f"{DESK}/update"
    body = {"id": story.now["id"], "lockVersion": 1}
    own = story.caller("operator")
    refused(
        own, path, {**body, "action": "approve"}, 409, "workflow.taskTaken", "该任务已由李班领取",
        "The task was claimed by 李班",
    )  # fmt: skip
    texts = ("只有申请人可以撤回", "Only the applicant can withdraw it")
    refused(story.caller("shift_leader"), path, {**body, "action": "withdraw"}, 403, "access.denied", *texts)
    texts = ("当前状态为「审批中」，不能重新提交", 'Cannot resubmit while status is "In approval"')
    refused(own, path, {**body, "action": "submit"}, 400, "leave.wrongState", *texts)
    for person in ("hr", "tenant_admin"):
        assert story.try_to(person, "approve").status == 409
    story.act("shift_leader", "approve")
    # The first approver reads it, and has no second vote.
    assert story.try_to("shift_leader", "approve").msg == "没有权限执行此操作"
    story.act("hr", "approve")
    for person, action in (("operator", "withdraw"), ("hr", "reject"), ("shift_leader", "approve")):
        late = story.try_to(person, action, comment="晚了")
        assert (late.status, late["error"]) == (400, "leave.wrongState")
    assert story.try_to("operator", "vanish").msg == "请求参数格式错误: action"


def test_a_rejection_says_why_at_both_doors(office: Cast) -> None:
    story = Story(office)
    body = {"id": story.now["id"], "lockVersion": 1, "action": "reject", "comment": " "}
    head = story.caller("shift_leader")
    refused(head, f"{DESK}/update", body, 400, "input.invalid", "请输入驳回原因", "Please enter Reason")
    before = rows()
    assert story.complete("shift_leader").msg == "请输入驳回原因"
    assert rows() == before


def test_a_step_is_done_once_and_a_repeated_request_gets_its_answer(office: Cast) -> None:
    story = Story(office)
    first, old = story.act("shift_leader", "approve", comment="好"), 1
    body = {"id": first["id"], "lockVersion": old, "action": "approve"}
    head = story.caller("shift_leader")
    before = rows()
    assert head.post_json(f"{DESK}/update", {**body, "comment": "好"}).data == first
    another = head.post_json(f"{DESK}/update", {**body, "comment": "不同"})
    assert (another.status, another["error"]) == (409, "workflow.taskCompleted")
    assert another.msg == "「主管审批」已由李班于2026-03-02 09:00:00处理，请刷新"
    stale = story.caller("operator").post_json(f"{DESK}/update", {**body, "action": "withdraw", "lockVersion": 7})
    assert (stale.status, stale["error"]) == (409, "data.stale")
    assert rows() == before


def test_a_role_without_the_right_to_ask_is_refused(office: Cast) -> None:
    with tenant_scope(A):
        role = Role.objects.get(role_alias="vendor")
        person = office.user("repairer_other")
        UserRole.objects.filter(user=person).update(role=role)
        role.grants.filter(menu__code="leave_add").delete()
    caller = office.anew("repairer_other")
    for path in ("start-process", "save-draft", "remove-draft"):
        assert caller.post_json(f"{DESK}/{path}", SHORT).status == 403
    assert caller.get(f"{DESK}/form").status == 403
    with tenant_scope(A):
        assert Leave.objects.count() == 0


# --- drafts ---------------------------------------------------------------------------------------------------------


def test_a_draft_is_kept_changed_and_becomes_the_request(office: Cast) -> None:
    caller = office.client_for("operator")
    first = caller.post_json(f"{DESK}/save-draft", {"type": 2}).data["id"]
    half = {"type": 2, "startTime": "2026-03-05 08:00:00", "reason": "看病", "endTime": None, "taskUser": ""}
    assert caller.post_json(f"{DESK}/save-draft", half).data["id"] == first
    form = caller.get(f"{DESK}/form").data
    assert (form["draft"]["type"], form["draft"]["reason"], form["draft"]["endTime"]) == (2, "看病", None)
    assert form["approverName"] == "李班"
    assert office.client_for("operator2").get(f"{DESK}/form").data["draft"] is None
    # Nobody reads it, the person neither; and it has no process yet.
    assert caller.get(f"{DESK}/detail", businessId=first).status == 404
    body = {"id": first, "lockVersion": 0, "action": "withdraw"}
    assert caller.post_json(f"{DESK}/update", body).status == 404
    story = Story(office)
    assert (story.now["id"], caller.get(f"{DESK}/form").data["draft"]) == (first, None)


def test_a_draft_outlives_its_approver_who_is_chosen_anew(office: Cast) -> None:
    caller = office.client_for("operator")
    chosen = str(office.user("viewer").pk)
    assert caller.post_json(f"{DESK}/save-draft", {**SHORT, "taskUser": chosen}).code == 200
    assert office.client_for("tenant_admin").post_json("blade-user/remove", ids=chosen).code == 200
    form = caller.get(f"{DESK}/form")
    assert (form.status, form.data["draft"]["reason"]) == (200, SHORT["reason"])
    refused = caller.post_json(f"{DESK}/start-process", {**SHORT, "taskUser": chosen})
    assert (refused.status, list(refused.data["fields"])) == (400, ["taskUser"])


def test_a_draft_is_thrown_away(office: Cast) -> None:
    caller = office.client_for("operator")
    draft = caller.post_json(f"{DESK}/save-draft", {"reason": "也许"}).data["id"]
    before = rows()
    assert office.client_for("operator2").post_json(f"{DESK}/remove-draft", id=draft).status == 404
    assert rows() == before
    assert caller.post_json(f"{DESK}/remove-draft", id=draft).code == 200
    assert caller.get(f"{DESK}/form").data["draft"] is None
    before = rows()
    assert caller.post_json(f"{DESK}/remove-draft", id=draft).status == 404
    story = Story(office)
    before = rows()
    assert caller.post_json(f"{DESK}/remove-draft", id=story.now["id"]).status == 404
    assert rows() == before


# --- starting -------------------------------------------------------------------------------------------------------


def startable(caller: Caller, **asked: str) -> list[tuple[str, str, str]]:
    records = caller.get("blade-flow/work/start-list", **asked).data["records"]
    return [(row["key"], row["name"], row["startPage"].replace(row["id"], "{id}")) for row in records]


LEAVE = ("leave", "请假", "/work/process/leave/form/{id}")
REPAIR = ("repairorder", "设备维修", "/repair/report")


def test_the_start_list_shows_what_the_caller_may_start(office: Cast) -> None:
    assert startable(office.client_for("operator")) == [LEAVE, REPAIR]
    assert startable(office.client_for("hr")) == [LEAVE]
    operator = office.client_for("operator")
    assert startable(operator, category="flow_2") == [REPAIR]
    assert startable(operator, name="leave") == startable(operator, name="请") == [LEAVE]
    assert startable(operator, mode="2") == []
    assert startable(operator, size="1", current="2") == [REPAIR]
    assert operator.in_english().get("blade-flow/work/start-list").data["records"][0]["categoryName"] == "Leave"


def own_version(office: Cast) -> Definition:
    general = Definition.objects.get(key="leave", is_general=True)
    return library.deploy(bytes(general.xml), {**general.meta, "note": "own"}, A)


def test_the_tenants_own_version_wins_and_a_suspended_one_blocks(office: Cast) -> None:
    own, operator = own_version(office), office.client_for("operator")
    assert startable(operator, mode="2") == [LEAVE]
    assert startable(operator, mode="1") == [REPAIR]
    row = operator.get("blade-flow/work/start-list", mode="2").data["records"][0]
    assert (row["id"], row["tenantId"], row["suspensionState"], row["category"]) == (str(own.pk), A, 1, "flow_1")
    assert startable(office.client_for("operator", B), mode="2") == []
    assert startable(office.client_for("operator", B), mode="1") == [LEAVE, REPAIR]
    story = Story(office, processDefinitionId=str(own.pk))
    assert story.detail()["processDefinitionId"] == str(own.pk)
    Definition.objects.filter(pk=own.pk).update(is_active=False)
    assert startable(operator) == [REPAIR]
    assert ask(office.client_for("operator2")).status == 409


def test_a_page_of_another_version_begins_again(office: Cast) -> None:
    general = Definition.objects.get(key="leave", is_general=True)
    own_version(office)
    texts = ("该流程已有变化，请从发起页面重新进入", "The process has changed; please start again from the start page")
    body = {**SHORT, "processDefinitionId": str(general.pk)}
    refused(office.client_for("operator"), f"{DESK}/start-process", body, 409, "workflow.definitionChanged", *texts)


# --- at the same moment ---------------------------------------------------------------------------------------------


@races
def test_of_eight_applications_for_the_same_days_one_is_taken(staffed: Cast) -> None:
    answers = _at_once([staffed.client_for("operator")] * 8, f"{DESK}/start-process", SHORT)
    assert sorted(answer.status for answer in answers) == [200] + [400] * 7
    assert {answer["error"] for answer in answers if answer.status == 400} == {"leave.overlap"}
    with tenant_scope(A):
        assert (Leave.objects.count(), WorkItem.objects.count(), ProcessInstance.objects.count()) == (1, 1, 1)


@races
def test_eight_drafts_at_once_are_one(staffed: Cast) -> None:
    answers = _at_once([staffed.client_for("operator")] * 8, f"{DESK}/save-draft", {"reason": "也许"})
    assert {(answer.status, answer.data["id"]) for answer in answers} == {(200, answers[0].data["id"])}
    with tenant_scope(A):
        assert Leave.objects.count() == 1


@races
def test_an_approval_and_a_withdrawal_at_once_leave_one_of_both(staffed: Cast) -> None:
    for number in range(5):
        day = {"startTime": f"2026-04-0{number + 1} 08:00:00", "endTime": f"2026-04-0{number + 1} 17:00:00"}
        story = Story(staffed, **day)
        body = {"id": story.now["id"], "lockVersion": 1}
        callers = [story.caller("operator"), story.caller("shift_leader")]
        ways = [{**body, "action": "withdraw"}, {**body, "action": "approve"}]
        answers = _both(callers, ways)
        # The withdrawal completes no step: whoever comes after it reads that the request has changed.
        assert sorted(answer.status for answer in answers) == [200, 409], answers
        assert story.detail()["status"] == (5 if answers[0].status == 200 else 3)
        assert story.read("shift_leader").status == 200


def _both(callers: list[Caller], bodies: list[dict[str, Any]]) -> list[Body]:
    """Two different acts at the same moment."""
    from concurrent.futures import ThreadPoolExecutor

    from django.db import connection

    def send(place: int) -> Body:
        try:
            return callers[place].post_json(f"{DESK}/update", bodies[place])
        finally:
            connection.close()

    connection.close()
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(send, range(2)))


def test_withdrawing_from_the_list_of_what_one_sent_is_the_request_s_own_command(office: Cast) -> None:
    story = Story(office)
    mine, body = office.client_for("operator"), {"processInstanceId": "", "reason": "改期了"}
    [row] = mine.get("blade-flow/work/send-list").data["records"]
    assert row["taskActions"] == ["urge", "withdraw"]
    body["processInstanceId"] = row["processInstanceId"]
    assert office.client_for("shift_leader").post_json("blade-flow/work/withdraw", body).status == 403
    assert mine.post_json("blade-flow/work/withdraw", body).status == 200
    with tenant_scope(A):
        assert Leave.objects.get(pk=story.now["id"]).get_status_display() == "已撤回"
        last = Event.objects.filter(business_type="leave").latest("id")
        assert (last.operation, last.remark) == ("leave.withdraw", "改期了")
