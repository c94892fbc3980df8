"""Repair orders as a case: what people do with one, what its process does to it, and who is told."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
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
    Verb,
)
from core.cases.effects import put
from core.cases.facts import fact
from core.equipment.models import Importance, Machine, Urgency
from core.identity.people import team_people
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.errors import Invalid, Refusal
from core.kernel.texts import label
from core.maintenance import dues, effects, people, rules
from core.maintenance.inputs import CheckInput, DispatchInput, EditInput, FinishInput, SaveInput, TransferInput
from core.maintenance.models import CancelReason, CheckResult, RepairOrder, Status
from core.maintenance.parts import ISSUED, PARTS
from core.maintenance.queries import sees
from core.ports import Kind, Parameter, ParameterKind, Summary
from core.spares.inputs import RequestedLines
from core.system import parameters

BEFORE_CHECK = (Status.REPORTED, Status.DISPATCHED, Status.REPAIRING, Status.ON_HOLD)
RESPONSE_LEADER, RESPONSE_MANAGER = "responseLeader", "responseManager"
FINISH_LEADER, FINISH_MANAGER = "finishLeader", "finishManager"
"""Names of the reminders, each sent once in the life of an order."""

_WITHIN = Parameter(
    "within", ParameterKind.DURATION, "默认完成时限", "Default completion time",
    "派单人未填计划完成时间时，从派单起算", "Counted from the dispatch, if the dispatcher sets no planned completion",
)  # fmt: skip
_PASS = (
    Parameter(
        "score", ParameterKind.NUMBER, "评分", "Rating",
        "不填时不评分", "No rating if empty", least=1, most=5,
    ),
    Parameter(
        "remark", ParameterKind.TEXT, "验收意见", "Remark",
        "不填时为“系统自动验收”", "If empty: “系统自动验收”", most=500, is_long=True,
    ),
)  # fmt: skip
_REWORK = Parameter(
    "urgency", ParameterKind.CHOICE, "返修的紧急程度", "Priority of the rework",
    "只会提高，不会降低", "Only raised, never lowered", choices=tuple(Urgency.choices),
)  # fmt: skip


def _check_people(actor: Actor, order: RepairOrder, values: dict[str, Any]) -> None:
    """The person may be dispatched, the team has people, and helpers are of the machine's team."""
    person = values.get("repair_user_id")
    if person and not people.repairers(only_id=person):
        raise Invalid({"repairUserId": _("请选择维修人员")})
    if values.get("team_id") and not team_people(values["team_id"]):
        raise Invalid({"teamId": _("请选择{field}").format(field=_("维修班组"))})
    helpers = values.get("helper_ids") or []
    if helpers and people.count_helpers(helpers, order.machine.team_id) != len(helpers):
        raise Invalid({"helperIds": _("协助人员须为设备维修班组的成员")})


def _check_receiver(actor: Actor, order: RepairOrder, values: dict[str, Any]) -> None:
    """The person may be dispatched, and is not the one who repairs already."""
    _check_people(actor, order, values)
    if values["repair_user_id"] == order.repair_user_id:
        raise Invalid({"repairUserId": _("该维修工单已由此人维修，请选择其他人员")})


def _check_lines(actor: Actor, order: RepairOrder, values: dict[str, Any]) -> None:
    """Nobody finishes without having written down the work, or while the store has a request to handle."""
    if not order.lines.exists():
        raise Refusal("order.noLines", _("请至少填写一条工时"))
    PARTS.refuse_open(actor, order, values)


def _summary(order: RepairOrder) -> Summary:
    """The urgency, and code and name of the machine."""
    name = f"{order.machine.machine_code} {order.machine.machine_name}"
    return Summary(order.urgency, (name, name))


def _claim_team(order: RepairOrder) -> Any:
    return (order.machine.team_id if parameters.repair().claim_enabled else None) or ""


def _sample(actor: Actor) -> RepairOrder:
    """A report of a fault on a machine of the own department."""
    order = RepairOrder(machine=Machine(), report_user_id=actor.user_id, report_time=clock.now())
    if actor.dept_id is not None:
        order.dept_id = order.machine.dept_id = actor.dept_id
    return order


REPAIR = Case(
    "repairorder",
    label("维修工单", "Work order"),
    RepairOrder,
    process=Process(
        label("设备维修", "Equipment repair"),
        category="2",
        steps={
            "dispatch": Step(Status.REPORTED, label("派单后由维修人员接单", "After dispatch, a technician accepts")),
            "accept": Step(Status.DISPATCHED, label("接单后开始维修", "After acceptance, the repair begins")),
            "repair": Step(Status.REPAIRING, label("完工后由报修人验收", "The requester then verifies the work")),
            "hold": Step(Status.ON_HOLD, label("恢复后继续维修", "After resuming, the repair continues")),
            "check": Step(
                Status.TO_CHECK, label("通过后完成，不通过退回返修",
                "A pass closes the work order; a fail returns it to the technician")
            ),
        },
        required=(("reported",), ("passed", "autoPassed", "cancelled")),
    ),
    number=Number("order_no", "WX"),
    start=Start(
        "save", label("报修", "Report"), "repairorder_add", SaveInput, call="save", page="/repair/report",
        owner="report_user", own_operation=True,
    ),
    commands=(
        Command(
            "accept", label("接单", "Accept"), ("accept",), code="repairorder_accept", tone="main", takes=True,
            late=rules.taken,
            will=label("接单后开始计算维修用时。", "Repair time starts now."),
        ),
        Command(
            "refuse", label("拒单", "Decline"), ("accept",), code="repairorder_accept", refuses=True,
            remark=Remark(label("拒单原因", "Reason"), "reason", is_required=True),
            will=label("维修工单退回派单人，由其重新派单。", "The work order returns to the dispatcher."),
        ),
        Command(
            "dispatch", label("派单", "Dispatch"), ("dispatch", "accept"), code="repairorder_dispatch",
            door=Door.RECORD, tone="main", input=DispatchInput, prefilled=True, check=_check_people,
            labels={"accept": label("改派", "Reassign")},
            will=label("派单后通知对方接单。", "The recipient is notified and accepts the work order."),
        ),
        Command(
            "claim", label("抢单", "Claim and start"), ("dispatch",), code="repairorder_claim", tone="main", takes=True,
            allowed=rules.may_claim, late=rules.taken,
            will=label(
                "由您接单，维修用时从现在开始计算。", "The work order is assigned to you; repair time starts now."
            ),
        ),
        Command(
            "finish", label("完工", "Complete"), ("repair",), code="repairorder_repair", tone="main",
            input=FinishInput, comment="solution", prefilled=True, check=_check_lines,
            will=label(
                "提交后由报修人验收，验收通过后维修工单完成。",
                "The requester verifies the work; a pass closes the work order."
            ),
        ),
        Command(
            "hang", label("挂起", "Put on hold"), ("repair",), code="repairorder_repair", fields=("hang_reason",),
            remark=Remark(label("说明", "Remark"), "remark", is_required=True),
            will=label(
                "挂起期间不计入维修用时；条件具备后恢复。",
                "Time on hold does not count as repair time. Resume when work can continue.",
            ),
        ),
        Command(
            "transfer", label("转派", "Transfer"), ("repair",), code="repairorder_transfer", door=Door.RECORD,
            input=TransferInput, remark=Remark(label("转派原因", "Reason"), "reason", is_required=True),
            check=_check_receiver, allowed=rules.may_transfer, verb=Verb("transfer", person="repairUserId"),
            will=label(
                "对方接单后继续维修，已填的工时保留。",
                "The other person accepts and continues; labor entries are kept.",
            ),
        ),
        Command(
            "resume", label("恢复", "Resume"), ("hold",), code="repairorder_repair", tone="main",
            will=label("从现在起继续计算维修用时。", "Repair time continues from now."),
        ),
        Command(
            "check", label("验收", "Verify"), ("check",), code="repairorder_check", tone="main",
            input=CheckInput, remark=Remark(label("验收意见", "Remark"), "checkRemark"),
            outcomes=(
                Outcome("pass", label("通过", "Pass"), {"checkResult": CheckResult.PASS}, is_brief=True),
                Outcome(
                    "fail", label("不通过", "Fail"), {"checkResult": CheckResult.FAIL}, refuses=True, is_brief=True
                ),
            ),
            allowed=rules.did_not_repair, denied=gettext_lazy("不能验收本人维修的单据"),
            will=label(
                "通过后维修工单完成，不能再改；不通过退回维修人返修。",
                "A pass closes the work order permanently; a fail returns it to the technician.",
            ),
        ),
        Command(
            "cancel", label("取消", "Cancel"), button=label("取消维修工单", "Cancel work order"),
            message="repairorder.cancel", statuses=BEFORE_CHECK,
            code="repairorder_cancel", door=Door.RECORD, tone="danger", fields=("cancel_reason",),
            check=PARTS.refuse_issued,
            remark=Remark(label("说明", "Remark"), "remark"), allowed=rules.may_cancel,
            will=label(
                "取消后不能恢复；设备再出现故障时请重新报修。", "This cannot be undone. Report a new fault if needed."
            ),
        ),
        Command(
            "applySpare", label("申请备件", "Request parts"), run=PARTS.request, code="spareuselog_add",
            input=RequestedLines, statuses=PARTS.statuses,
            will=label("库管出库后通知您领取。", "You are notified when the parts are issued."),
        ),
        Command(
            "edit", label("修改", "Edit"), run=put, code="repairorder_edit", input=EditInput, edits=True,
            allowed=rules.may_edit, will=label("修改会写入处理记录。", "The change is recorded in the history."),
        ),
    ),
    effects=(
        Effect(
            "reported", label("登记报修", "Record the request"), Status.REPORTED, effects.reported,
            tells=(Tell(effects.LEADERS, label("新的报修", "New fault report")),),
        ),
        Effect(
            "dispatched", label("登记派单", "Record the dispatch"), Status.DISPATCHED, effects.dispatched,
            "dispatch_time", parameters=(_WITHIN,),
            does=label("记下维修人或班组并通知", "stores the technician or team and notifies them"),
        ),
        Effect(
            "claimed", label("登记抢单", "Record the claim"), Status.REPAIRING, effects.claimed,
            tells=(Tell(effects.REPORTER, label("已接单", "Accepted")),),
            does=label("办理人成为维修人", "the acting person becomes the technician"),
        ),
        Effect(
            "accepted", label("登记接单", "Record the acceptance"), Status.REPAIRING, effects.begin_work,
            tells=(Tell(effects.REPORTER, label("已接单", "Accepted")),),
            does=label("办理人成为维修人", "the acting person becomes the technician"),
        ),
        Effect(
            "refused", label("登记拒单", "Record the decline"), Status.REPORTED, effects.refused,
            does=label(
                "清除维修人和班组并通知派单人和维修班长",
                "clears technician and team; notifies the dispatcher and repair leaders",
            ),
        ),
        Effect(
            "transferred", label("登记转派", "Record the transfer"), Status.DISPATCHED, effects.transferred,
            does=label("更换维修人并通知", "stores the new technician and notifies them"),
        ),
        Effect(
            "hung", label("登记挂起", "Record the hold"), Status.ON_HOLD, effects.hung,
            tells=(Tell(effects.REPORTER, label("维修工单已挂起", "Work order on hold")),),
            does=label("停止计时", "repair time stops"),
        ),
        Effect(
            "resumed", label("登记恢复", "Record the resumption"), Status.REPAIRING, effects.resumed,
            does=label("继续计时", "repair time continues"),
        ),
        Effect(
            "finished", label("登记完工", "Record the completion"), Status.TO_CHECK, effects.finished, "finish_time",
            tells=(Tell(effects.REPORTER, label("维修完工，请验收", "Repair completed, please verify")),),
            does=label("记下原因、措施和费用", "stores cause, actions and cost"),
        ),
        Effect(
            "passed", label("登记验收通过", "Record the pass"), Status.CLOSED, effects.passed, "close_time",
            tells=(Tell(effects.CONCERNED, label("验收通过", "Verification passed")),),
        ),
        Effect(
            "autoPassed", label("登记系统验收", "Record the automatic pass"), Status.CLOSED, effects.auto_passed,
            "close_time", parameters=_PASS,
            tells=(Tell(effects.CONCERNED, label("系统自动验收", "Passed by the system")),),
            does=label("由系统验收", "the system verifies the work order"),
        ),
        Effect(
            "failed", label("登记验收不通过", "Record the failed verification"), Status.REPAIRING, effects.failed,
            tells=(Tell(effects.WORKERS, label("验收不通过，请返修", "Verification failed, please rework")),),
            does=label("返修次数加一", "adds one rework"), parameters=(_REWORK,),
        ),
        Effect(
            "cancelled", label("登记取消", "Record the cancellation"), Status.CANCELLED, effects.cancelled,
            "close_time", tells=(Tell(effects.CONCERNED, label("维修工单已取消", "Work order cancelled")),),
        ),
        effects.reminder(
            "escalateResponseLeader", label("提醒班组长响应", "Remind the team leader of the response"),
            RESPONSE_LEADER, effects.LEADERS_AND_TEAM, label("响应超时", "Response overdue"),
        ),
        effects.reminder(
            "escalateResponseManager", label("提醒设备主管响应", "Remind the equipment manager of the response"),
            RESPONSE_MANAGER, effects.MANAGERS, label("响应严重超时", "Response long overdue"),
        ),
        effects.reminder(
            "escalateFinishLeader", label("提醒班组长完工", "Remind the team leader of the completion"),
            FINISH_LEADER, effects.REPAIRER_AND_LEADERS, label("维修超时", "Repair overdue"),
        ),
        effects.reminder(
            "escalateFinishManager", label("提醒设备主管完工", "Remind the equipment manager of the completion"),
            FINISH_MANAGER, effects.MANAGERS, label("维修严重超时", "Repair long overdue"),
        ),
    ),
    dues=(
        Due(
            "responseFirst", label("响应到时", "Response due"),
            label("报修后，按紧急程度的响应时限", "After the request, the response time of the priority"),
            lambda order: dues.response(order, RESPONSE_LEADER, 1),
        ),
        Due(
            "responseSecond", label("响应超时", "Response overdue"),
            label("两倍的响应时限", "Twice the response time"),
            lambda order: dues.response(order, RESPONSE_MANAGER, 2),
        ),
        Due(
            "finishFirst", label("完工到时", "Completion due"),
            label(
                "接单后到计划完成时间，或按紧急程度的时限；挂起不计",
                "From acceptance to the planned completion, else by priority; time on hold does not count",
            ),
            lambda order: dues.finish(order, FINISH_LEADER, 1),
        ),
        Due(
            "finishSecond", label("完工超时", "Completion overdue"),
            label("两倍的完工时限", "Twice the completion time"),
            lambda order: dues.finish(order, FINISH_MANAGER, 2),
        ),
        Due(
            "autoCheck", label("自动验收到时", "Automatic verification due"),
            label("完工后，按参数的小时数", "After completion, the hours set in the parameter"), dues.auto_check,
            lasts=True,
        ),
    ),
    facts=(
        fact(RepairOrder, "urgency"),
        fact(RepairOrder, "is_stop"),
        Fact(
            "importance", label("设备重要程度", "Criticality of the asset"), Kind.CHOICE,
            lambda order: order.machine.importance, tuple(Importance.choices),
        ),
        fact(RepairOrder, "dept"),
        fact(RepairOrder, "report_user"),
        fact(RepairOrder, "repair_user"),
        fact(RepairOrder, "team", called=label("派给的班组", "Team dispatched to")),
        Fact("claimTeamId", label("可抢单的班组", "Team that may claim"), Kind.TEAM, _claim_team),
        fact(RepairOrder, "rework_count", called=label("返修次数", "Reworks")),
        Fact(
            "totalCost", label("维修费用（元）", "Repair cost"), Kind.NUMBER, lambda order: float(order.total_cost)
        ),
    ),
    sees=sees,
    code="repairorder_view",
    sample=_sample,
    route="repair",
    related=("machine",),
    summary=_summary,
    document=(
        ("machineName", "machineCode"), ("location", "deptName"),
        ("reportUserName", "reportPhone", "reporterName", "reporterPhone", "reportTime"),
        ("repairUserName", "teamName", "acceptTime", "helperNames"), "responseMinutes", "responseDue",
        "planFinishTime", "finishDue", "stopMinutes", "repairTypeName", "repairMinutes", "hangMinutes", "repeatOfNo",
        ("hangReasonName", "hangRemark"), "cancelReasonName", "ext",
    ),
    sections=(
        Section(label("故障", "Fault"), ("description", "faultTagNames", "images", "voice", "files")),
        Section(label("工时", "Labor"), ("lines",)),
        Section(label("备件", "Spare parts"), ("spares",)),
        Section(label("维修结果", "Result"), (
            "solution", "causeTagName", "actionTagNames", "partMachineName",
            ("checkResultName", "checkRemark"), "afterImages",
        )),
        Section(
            label("费用", "Costs"),
            ("labourCost", "spareCost", ("outsourceCost", "vendorName"), "otherCost", "totalCost"),
        ),
    ),
    tones={
        Status.REPAIRING: "active", Status.ON_HOLD: "waiting", Status.TO_CHECK: "waiting", Status.CLOSED: "good",
        Status.CANCELLED: "off",
    },
    messages=(ISSUED,),
    other_actions={"line": rules.may_write_lines, "remove": rules.may_remove},
    other_acts={
        "line": label("填写工时", "Log labor"),
        "removeLine": label("删除工时", "Delete labor"),
        "reportByPlate": label("扫码报修", "Report by scan"),
        "foundAgain": label("点检再次发现", "Found again by an inspection"),
        "delete": label("删除", "Delete"),
        "partsIssued": label("备件出库，恢复维修", "Parts issued, work resumed"),
    },
    wrong_state=lambda text: Refusal("order.wrongState", text),
    ended_by="cancel",
    ended_with=lambda reason: {"cancelReason": int(CancelReason.OTHER), "remark": reason},
)  # fmt: skip
