"""What those who draw processes for repair orders read of its operations, due times and names."""

from __future__ import annotations

from core.equipment.models import Importance, Machine
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.parameters import Parameter, ParameterKind
from core.kernel.ports import Design, Kind, RecordName, words
from core.kernel.texts import label
from core.maintenance.models import RepairOrder, Urgency

_REPAIR = "repairorder."
WORDS = {
    _REPAIR + "reported": words(
        "登记报修",
        "Record the report",
        "状态变为待派单，通知维修班长",
        "To be dispatched; repair leaders are told",
    ),
    _REPAIR + "dispatched": words(
        "登记派单",
        "Record the dispatch",
        "状态变为待接单，记下维修人或班组并通知",
        "To be accepted; the repairer or team is kept and told",
    ),
    _REPAIR + "claimed": words(
        "登记抢单",
        "Record the claim",
        "办理人成为维修人，状态变为维修中",
        "Who acts becomes the repairer; being repaired",
    ),
    _REPAIR + "accepted": words(
        "登记接单",
        "Record the acceptance",
        "办理人成为维修人，状态变为维修中，通知报修人",
        "Who acts becomes the repairer; being repaired; the reporter is told",
    ),
    _REPAIR + "refused": words(
        "登记拒单",
        "Record the refusal",
        "状态回到待派单，清除维修人和班组并通知派单人",
        "To be dispatched again; repairer and team are cleared",
    ),
    _REPAIR + "transferred": words(
        "登记转派",
        "Record the transfer",
        "状态变为待接单，换成新的维修人并通知",
        "To be accepted by the new repairer, who is told",
    ),
    _REPAIR + "hung": words(
        "登记挂起",
        "Record the suspension",
        "状态变为已挂起，停止计时",
        "On hold; its clock stands still",
    ),
    _REPAIR + "resumed": words(
        "登记恢复",
        "Record the resumption",
        "状态回到维修中，继续计时",
        "Repair and clock go on",
    ),
    _REPAIR + "finished": words(
        "登记完工",
        "Record the finish",
        "记下原因、措施和费用，状态变为待验收，通知报修人",
        "Keeps cause, actions and cost; to be checked; the reporter is told",
    ),
    _REPAIR + "passed": words(
        "登记验收通过",
        "Record the pass",
        "关闭维修单，通知相关人",
        "Closes the order and tells all concerned",
    ),
    _REPAIR + "autoPassed": words(
        "登记系统验收",
        "Record the automatic pass",
        "由系统验收并关闭维修单",
        "The system passes and closes the order",
    ),
    _REPAIR + "failed": words(
        "登记验收不通过",
        "Record the failed check",
        "返工次数加一，状态回到维修中，通知维修人",
        "One rework more; being repaired again; the repairer is told",
    ),
    _REPAIR + "cancelled": words(
        "登记取消",
        "Record the cancellation",
        "取消维修单，通知相关人",
        "Cancels the order and tells all concerned",
    ),
    _REPAIR + "escalateResponseLeader": words(
        "提醒班组长响应",
        "Tell the leader: no response",
        "响应超时，通知班长",
        "The response is late: leaders are told",
    ),
    _REPAIR + "escalateResponseManager": words(
        "提醒设备主管响应",
        "Tell the manager: no response",
        "响应严重超时，通知设备主管",
        "The response is very late: equipment managers are told",
    ),
    _REPAIR + "escalateFinishLeader": words(
        "提醒班组长完工",
        "Tell the leader: not finished",
        "维修超时，通知维修人和班长",
        "The repair is late: repairer and leaders are told",
    ),
    _REPAIR + "escalateFinishManager": words(
        "提醒设备主管完工",
        "Tell the manager: not finished",
        "维修严重超时，通知设备主管",
        "The repair is very late: equipment managers are told",
    ),
    _REPAIR + "responseFirst": words(
        "响应到时",
        "Response is due",
        "报修后，按紧急程度的响应时限",
        "After the report, the time to respond by urgency",
    ),
    _REPAIR + "responseSecond": words(
        "响应超时",
        "Response is late",
        "两倍的响应时限",
        "Twice the time to respond",
    ),
    _REPAIR + "finishFirst": words(
        "完工到时",
        "Finish is due",
        "接单后到承诺的完工时间，或按紧急程度的时限；挂起不计",
        "From the acceptance to the promise, else by urgency; holds do not count",
    ),
    _REPAIR + "finishSecond": words(
        "完工超时",
        "Finish is late",
        "两倍的完工时限",
        "Twice the time to finish",
    ),
    _REPAIR + "autoCheck": words(
        "自动验收到时",
        "Automatic check is due",
        "完工后，按参数的小时数",
        "The hours of the parameter after the finish",
    ),
}

_REMINDER = (
    Parameter(
        "to", ParameterKind.PEOPLE, "提醒谁", "Whom to tell",
        "不填或没有这样的人时，提醒操作说明中的人", "Else, and where they are nobody, those whom the operation names",
    ),
    Parameter(
        "again", ParameterKind.FLAG, "每次都提醒", "Each time",
        "不选时一张单只提醒一次", "Else once in the life of the order",
    ),
)  # fmt: skip
PARAMETERS = {
    _REPAIR + "dispatched": (
        Parameter(
            "within", ParameterKind.DURATION, "默认完成时限", "Promised within",
            "派单人未填计划完成时间时，从派单起算", "From the dispatch, where the dispatcher promises no time",
        ),
    ),
    _REPAIR + "autoPassed": (
        Parameter(
            "score", ParameterKind.NUMBER, "评分", "Score",
            "不填时不评分", "None where it is left empty", least=1, most=5,
        ),
        Parameter(
            "remark", ParameterKind.TEXT, "验收意见", "Remark",
            "不填时为“系统自动验收”", "Else “系统自动验收”", most=500, is_long=True,
        ),
    ),
    _REPAIR + "failed": (
        Parameter(
            "urgency", ParameterKind.CHOICE, "返工的紧急程度", "Urgency of the rework",
            "只会提高，不会降低", "Raised to it, never lowered", choices=tuple(Urgency.choices),
        ),
    ),
    _REPAIR + "escalateResponseLeader": _REMINDER,
    _REPAIR + "escalateResponseManager": _REMINDER,
    _REPAIR + "escalateFinishLeader": _REMINDER,
    _REPAIR + "escalateFinishManager": _REMINDER,
}  # fmt: skip

NAMES = {
    "urgency": RecordName(label("紧急程度", "Urgency"), Kind.CHOICE, tuple(Urgency.choices)),
    "isStop": RecordName(label("是否停机", "Machine stands"), Kind.FLAG),
    "importance": RecordName(label("设备重要度", "Importance of the machine"), Kind.CHOICE, tuple(Importance.choices)),
    "deptId": RecordName(label("使用部门", "Department"), Kind.DEPT),
    "reportUserId": RecordName(label("报修人", "Reporter"), Kind.USER),
    "repairUserId": RecordName(label("维修人", "Repairer"), Kind.USER),
    "teamId": RecordName(label("派给的班组", "Team dispatched to"), Kind.TEAM),
    "claimTeamId": RecordName(label("可抢单的班组", "Team that may claim"), Kind.TEAM),
    "reworkCount": RecordName(label("返工次数", "Reworks"), Kind.NUMBER),
    "totalCost": RecordName(label("维修费用（元）", "Repair cost"), Kind.NUMBER),
}


def sample(actor: Actor) -> RepairOrder:
    """A report of a fault on a machine of the own department."""
    order = RepairOrder(machine=Machine(), report_user_id=actor.user_id, report_time=clock.now())
    if actor.dept_id is not None:
        order.dept_id = order.machine.dept_id = actor.dept_id
    return order


def peek(order_id: int) -> RepairOrder | None:
    """The order as it stands."""
    return RepairOrder.objects.select_related("machine").filter(pk=order_id).first()


DESIGN = Design(label("维修单", "Repair order"), WORDS, NAMES, sample, peek)
