"""Maintenance orders as a case: what people do with one, what its process does to it, and who is told."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy

from core.cases.case import (
    Case,
    Command,
    Door,
    Due,
    Effect,
    Fact,
    Number,
    Outcome,
    Process,
    Remark,
    Section,
    Start,
    Step,
    Tell,
)
from core.cases.effects import put
from core.cases.facts import fact
from core.equipment.models import Importance, Machine
from core.inspection.models import CheckStandard
from core.kernel.actor import Actor
from core.kernel.errors import Refusal
from core.kernel.texts import label
from core.ports import Kind, Summary
from core.preventive import assigning, dues, effects, people, rules
from core.preventive.inputs import (
    MaintainAssignInput,
    MaintainCancelInput,
    MaintainCheckInput,
    MaintainDelayInput,
    MaintainEditInput,
    MaintainSaveInput,
    MaintainStartInput,
    MaintainSubmitInput,
)
from core.preventive.models import CheckResult, MaintainOrder, Status
from core.preventive.parts import BEFORE_CHECK, PARTS
from core.preventive.queries import sees
from core.spares.inputs import RequestedLines
from core.system.periods import today


def _delay(order: MaintainOrder, values: dict[str, Any]) -> None:
    """Give the order another date to work to; that by which compliance is judged stays."""
    put(order, values)
    order.delay_count += 1


def _summary(order: MaintainOrder) -> Summary:
    """Code and name of the asset; what is past its date is urgent."""
    name = f"{order.machine.machine_code} {order.machine.machine_name}"
    is_late = order.finish_time is None and order.due_date < today()
    return Summary(2 if is_late else 3, (name, name))


def _sample(actor: Actor) -> MaintainOrder:
    """An order on an asset of the own department."""
    order = MaintainOrder(
        machine=Machine(), config=CheckStandard(), due_date=today(), original_due_date=today(), config_name=""
    )
    if actor.dept_id is not None:
        order.dept_id = order.machine.dept_id = actor.dept_id
    return order


def _after_work(order: MaintainOrder) -> str:
    if order.need_check:
        return label("提交后由设备主管或本部门班组长、车间主任验收", "It is then verified by somebody else")
    return label("提交后完成", "It is done then")


MAINTAIN = Case(
    "maintainorder",
    label("保养单", "Maintenance order"),
    MaintainOrder,
    process=Process(
        label("设备保养", "Preventive maintenance"),
        category="3",
        steps={
            "begin": Step(Status.TO_DO, label("开始后由开始人执行", "Whoever starts it carries it out")),
            "do": Step(Status.DOING, _after_work),
            "check": Step(
                Status.TO_CHECK,
                label("通过后完成，不通过退回执行人", "A pass closes the order; a fail returns it to the executor"),
            ),
        },
        required=(("created",), ("passed", "completed", "cancelled")),
    ),
    number=Number("order_no", "BY"),
    start=Start(
        "save", label("新建保养单", "New maintenance order"), "maintainorder_add", MaintainSaveInput, call="save",
        page="/maintain/new", owner="executor", own_operation=True,
    ),
    commands=(
        Command(
            "start", label("开始保养", "Start"), ("begin",), code="maintainorder_view", tone="main", takes=True,
            input=MaintainStartInput, allowed=rules.may_work,
            will=label(
                "由您执行，保养用时从现在开始计算。", "The order is assigned to you; the time counts from now."
            ),
        ),
        Command(
            "submit", label("提交保养", "Submit"), ("do",), code="maintainorder_view", tone="main",
            input=MaintainSubmitInput, comment="summary", prefilled=True, allowed=rules.may_work,
            check=PARTS.refuse_open,
            will=label(
                "提交后不能再改；异常项按标准自动报修。",
                "It cannot be changed afterwards; abnormal items are reported as the standard says.",
            ),
        ),
        Command(
            "check", label("验收", "Verify"), ("check",), code="maintainorder_check", tone="main",
            input=MaintainCheckInput,
            remark=Remark(label("验收意见", "Remark"), "checkRemark"),
            outcomes=(
                Outcome("pass", label("通过", "Pass"), {"checkResult": CheckResult.PASS}, is_brief=True),
                Outcome(
                    "fail", label("不通过", "Fail"), {"checkResult": CheckResult.FAIL}, refuses=True, is_brief=True
                ),
            ),
            allowed=rules.did_not_do, denied=gettext_lazy("不能验收本人执行的保养单"),
            will=label(
                "通过后保养单完成，不能再改；不通过退回执行人。",
                "A pass closes the order permanently; a fail returns it to the executor.",
            ),
        ),
        Command(
            "delay", label("延期", "Delay"), run=_delay, statuses=BEFORE_CHECK, code="maintainorder_delay",
            input=MaintainDelayInput, remark=Remark(label("延期原因", "Reason"), "delayReason"),
            will=label(
                "按新日期提醒和统计逾期；保养完成率仍按原日期计算。",
                "Reminders follow the new date; compliance is still judged by the original one.",
            ),
        ),
        Command(
            "assign", label("改派", "Reassign"), run=assigning.assign, statuses=BEFORE_CHECK,
            code="maintainorder_assign", input=MaintainAssignInput, check=assigning.check,
            remark=Remark(label("改派原因", "Reason"), "reason", is_required=True),
            will=label(
                "原执行人员和新执行人员都会收到通知；已填写的内容保留。",
                "Those who had it and those who get it are notified; what was written stays.",
            ),
        ),
        Command(
            "cancel", label("取消", "Cancel"), button=label("取消保养单", "Cancel maintenance order"),
            message="maintainorder.cancel", statuses=BEFORE_CHECK, code="maintainorder_cancel", door=Door.RECORD,
            tone="danger", input=MaintainCancelInput, check=PARTS.refuse_issued,
            remark=Remark(label("取消原因", "Reason"), "cancelReason"),
            will=label(
                "取消后不能恢复；计划记一次跳过，按下一个到期日继续。",
                "This cannot be undone. The plan counts one skip and goes on with the next due date.",
            ),
        ),
        Command(
            "applySpare", label("申请备件", "Request parts"), run=PARTS.request, code="spareuselog_add",
            input=RequestedLines, statuses=BEFORE_CHECK,
            will=label("库管出库后通知您领取。", "You are notified when the parts are issued."),
        ),
        Command(
            "edit", label("修改", "Edit"), run=put, code="maintainorder_edit", statuses=BEFORE_CHECK,
            input=MaintainEditInput, edits=True,
            will=label("修改会写入处理记录。", "The change is recorded in the history."),
        ),
    ),
    effects=(
        Effect(
            "created", label("登记保养单", "Record the order"), Status.TO_DO, effects.created,
            does=label("手工新建的通知执行人员", "tells those who are to do it of an order made by hand"),
        ),
        Effect(
            "started", label("登记开始", "Record the start"), Status.DOING, effects.started,
            does=label("办理人成为执行人；需要停机的设备停机", "the acting person carries it out; the asset stops"),
        ),
        Effect(
            "submitted", label("登记保养结果", "Record the work"), Status.TO_CHECK, effects.submitted,
            does=label(
                "保存结果、读数和费用，恢复设备，异常项报修，计算下次到期日",
                "stores results, reading and costs, ends the stop, reports what is abnormal, sets the next due date",
            ),
        ),
        Effect("completed", label("登记完成", "Record the completion"), Status.DONE, now="close_time"),
        Effect(
            "passed", label("登记验收通过", "Record the pass"), Status.DONE, effects.passed, "close_time",
            tells=(Tell(people.EXECUTOR, label("保养验收通过", "Maintenance verified")),),
        ),
        Effect(
            "failed", label("登记验收不通过", "Record the failed verification"), Status.DOING, effects.failed,
            tells=(Tell(people.EXECUTOR, label("保养验收不通过，请返修", "Verification failed, please do it again")),),
            does=label("返修次数加一", "adds one rework"),
        ),
        Effect(
            "cancelled", label("登记取消", "Record the cancellation"), Status.CANCELLED, effects.cancelled,
            "close_time", tells=(Tell(people.DOERS, label("保养单已取消", "Maintenance order cancelled")),),
            does=label("计划按下一个到期日继续", "the plan goes on with the next due date"),
        ),
        effects.reminder(
            "remindNear", label("提醒保养临近", "Remind that it is due soon"), dues.NEAR, people.DOERS,
            label("保养临近", "Maintenance due soon"),
        ),
        effects.reminder(
            "remindToday", label("提醒当日到期", "Remind that it is due today"), dues.TODAY, people.DOERS,
            label("保养今日到期", "Maintenance due today"),
        ),
        effects.reminder(
            "remindOverdue", label("提醒保养逾期", "Remind that it is overdue"), dues.OVERDUE,
            people.DOERS_AND_MANAGERS, label("保养已逾期", "Maintenance overdue"),
        ),
    ),
    dues=(
        Due(
            "nearDue", label("保养临近", "Due soon"),
            label("到期日前，按标准的提前天数", "Before the due date, by the lead days of the standard"), dues.near,
        ),
        Due(
            "dueToday", label("当日到期", "Due today"), label("到期日早上8点", "In the morning of the due date"),
            dues.today,
        ),
        Due(
            "overdue", label("保养逾期", "Overdue"),
            label("到期日次日早上8点", "In the morning after the due date"), dues.overdue,
        ),
    ),
    facts=(
        fact(MaintainOrder, "level"),
        fact(MaintainOrder, "source"),
        fact(MaintainOrder, "need_check"),
        fact(MaintainOrder, "need_stop"),
        Fact(
            "importance", label("设备重要程度", "Criticality of the asset"), Kind.CHOICE,
            lambda order: order.machine.importance, tuple(Importance.choices),
        ),
        fact(MaintainOrder, "dept"),
        fact(MaintainOrder, "executor"),
        Fact(
            "userIds", label("指定的执行人员", "People named for it"), Kind.USER,
            lambda order: ",".join(str(pk) for pk in order.user_ids),
        ),
        Fact(
            "doTeamId", label("执行班组（无指定人员时为设备的维修班组）", "Team, else that of the asset"), Kind.TEAM,
            lambda order: people.team_of(order) or "",
        ),
        Fact("doRole", label("无人可派时的角色", "Role where nobody else is"), Kind.ROLE, people.role_of),
        fact(MaintainOrder, "abnormal_count"),
        fact(MaintainOrder, "rework_count"),
        Fact("totalCost", label("保养费用（元）", "Maintenance cost"), Kind.NUMBER, lambda o: float(o.total_cost)),
    ),
    sees=sees,
    code="maintainorder_view",
    sample=_sample,
    route="maintain",
    related=("machine", "config", "version"),
    summary=_summary,
    document=(
        ("machineName", "machineCode"), ("location", "deptName"), ("configName", "levelName"),
        ("dueDate", "originalDueDate"), "dueHours", ("executorName", "teamName"), "userNames",
        ("planStart", "planEnd"), ("startTime", "finishTime"), "usedMinutes", "estMinutes", "stopMinutes",
        "readHours", ("delayCount", "delayReason"), "cancelReason", "remark",
    ),
    sections=(
        Section(label("准备", "Preparation"), ("safety", "tools")),
        Section(label("保养项目", "Items"), ("details",)),
        Section(label("工时", "Labor"), ("lines",)),
        Section(label("备件", "Spare parts"), ("spares",)),
        Section(label("保养结果", "Result"), (
            "summary", "images", "signImage", ("checkResultName", "checkRemark"),
        )),
        Section(label("费用", "Costs"), ("labourCost", "spareCost", "otherCost", "totalCost")),
    ),
    tones={
        Status.DOING: "active", Status.TO_CHECK: "waiting", Status.DONE: "good", Status.CANCELLED: "off",
    },
    other_actions={"remove": rules.may_remove},
    other_acts={
        "generate": label("按计划生成", "Made by the plan"),
        "draft": label("暂存", "Save draft"),
        "item": label("编辑保养项目", "Edit an item"),
        "removeItem": label("删除临时项目", "Delete an item"),
        "delete": label("删除", "Delete"),
    },
    wrong_state=lambda text: Refusal("order.wrongState", text),
    ended_by="cancel",
    ended_with=lambda reason: {"cancelReason": reason},
)  # fmt: skip
