"""What the process does to a repair order. Only these functions assign `status`; commands never do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta

from core.access.people import holders_of_role
from core.desk import messages
from core.kernel.act import current_act
from core.kernel.ports import EffectInput
from core.maintenance import dues, stoppages
from core.maintenance.models import CheckResult, RepairOrder, Status
from core.maintenance.people import leader_of_team, team_people

BUSINESS_TYPE = "repairorder"
Users = list[int | None]


def _become(order: RepairOrder, status: Status) -> None:
    """Assign the status, and tell the act."""
    act = current_act()
    act.from_status = order.status if act.from_status is None else act.from_status
    act.to_status = status
    order.status = status


def _tell(order: RepairOrder, users: Users, zh: str, en: str, actor_id: int) -> None:
    """Lay a message on the desks of people concerned, but not of the one who acts."""
    messages.send(
        [user for user in users if user != actor_id],
        (f"{zh}：{order.order_no}", f"{en}: {order.order_no}"),
        (order.title, order.title),
        BUSINESS_TYPE,
        order.pk,
    )


def _concerned(order: RepairOrder) -> Users:
    """Who reported it, who repairs it, who helps."""
    return [order.report_user_id, order.repair_user_id, *order.helper_ids]


def reported(order: RepairOrder, said: EffectInput) -> None:
    """A fault was reported."""
    _become(order, Status.REPORTED)
    if order.is_stop:
        stoppages.begin(order)
    _tell(order, [*holders_of_role("repair_leader")], "新的报修", "New fault report", said.actor.user_id)


def dispatched(order: RepairOrder, said: EffectInput) -> None:
    """A person or a team was asked to come."""
    _become(order, Status.DISPATCHED)
    before = order.repair_user_id
    order.repair_user_id = said.data.get("repairUserId")
    order.team_id = said.data.get("teamId")
    order.helper_ids = [user for user in said.data.get("helperIds") or [] if user != order.repair_user_id]
    if said.data.get("planFinishTime"):
        order.plan_finish_time = said.data["planFinishTime"]
    elif "within" in said.parameters and order.plan_finish_time is None:
        order.plan_finish_time = said.now + said.parameters["within"]
    order.dispatch_user_id = said.actor.user_id or None
    order.dispatch_time = said.now
    people = [order.repair_user_id] if order.repair_user_id else team_people(order.team_id)
    people = [*people, *order.helper_ids]
    _tell(order, people, "派给您的维修单", "Repair order for you", said.actor.user_id)
    if before not in (None, *people):
        _tell(order, [before], "维修单已改派他人", "Repair order given to somebody else", said.actor.user_id)


def _begin_work(order: RepairOrder, said: EffectInput) -> None:
    _become(order, Status.REPAIRING)
    order.repair_user_id = said.actor.user_id
    order.accept_time = order.accept_time or said.now
    order.round_start = order.round_start or said.now
    order.helper_ids = [user for user in order.helper_ids if user != order.repair_user_id]
    stoppages.follow(order)
    _tell(order, [order.report_user_id], "已接单", "Accepted", said.actor.user_id)


def claimed(order: RepairOrder, said: EffectInput) -> None:
    """A repairer took the order without waiting for a dispatch."""
    order.dispatch_time = said.now
    _begin_work(order, said)


def accepted(order: RepairOrder, said: EffectInput) -> None:
    """The dispatched repairer, or one of the team, comes."""
    _begin_work(order, said)


def refused(order: RepairOrder, said: EffectInput) -> None:
    """The dispatched repairer does not come."""
    _become(order, Status.REPORTED)
    dispatcher = order.dispatch_user_id
    order.repair_user_id = order.team_id = None
    order.helper_ids = []
    _tell(
        order,
        [dispatcher, *holders_of_role("repair_leader")],
        "维修单被拒单",
        "Repair order refused",
        said.actor.user_id,
    )


def transferred(order: RepairOrder, said: EffectInput) -> None:
    """Another repairer goes on; the work lines stay."""
    _become(order, Status.DISPATCHED)
    before = order.repair_user_id
    order.repair_user_id, order.team_id = said.data["repairUserId"], None
    order.helper_ids = [user for user in order.helper_ids if user != order.repair_user_id]
    stoppages.follow(order)
    _tell(order, [order.repair_user_id], "转派给您的维修单", "Repair order transferred to you", said.actor.user_id)
    if before != order.repair_user_id:
        _tell(order, [before], "维修单已改派他人", "Repair order given to somebody else", said.actor.user_id)


def hung(order: RepairOrder, said: EffectInput) -> None:
    """The work rests, and its clock with it."""
    _become(order, Status.ON_HOLD)
    order.hang_reason, order.hang_start = said.data["hangReason"], said.now
    order.hang_remark = said.data.get("remark", "")
    _tell(order, [order.report_user_id], "维修单已挂起", "Repair order on hold", said.actor.user_id)


def _end_hold(order: RepairOrder, said: EffectInput) -> None:
    """The clock goes on; how long it stood still is kept."""
    if order.hang_start is not None:
        seconds = int((said.now - order.hang_start).total_seconds())
        order.hang_seconds += seconds
        order.round_hang_seconds += seconds
        order.hang_start = None


def resumed(order: RepairOrder, said: EffectInput) -> None:
    """The work goes on."""
    _become(order, Status.REPAIRING)
    _end_hold(order, said)


def finished(order: RepairOrder, said: EffectInput) -> None:
    """The repair is done and waits for the check."""
    _become(order, Status.TO_CHECK)
    order.solution = said.data["solution"]
    order.cause_tag_id = said.data["causeTagId"]
    order.action_tag_ids = said.data["actionTagIds"]
    order.part_machine_id = said.data.get("partMachineId")
    order.is_outsource = said.data.get("isOutsource", False)
    order.vendor_name = said.data.get("vendorName", "")
    order.outsource_cost, order.other_cost = said.data.get("outsourceCost", 0), said.data.get("otherCost", 0)
    if said.data.get("afterImages"):
        order.after_images = said.data["afterImages"]
    order.finish_time = said.now
    round_seconds = int((said.now - (order.round_start or said.now)).total_seconds()) - order.round_hang_seconds
    order.repair_seconds = (order.repair_seconds or 0) + max(round_seconds, 0)
    order.round_hang_seconds = 0
    if order.standing:  # after a rework the machine may have been running for long
        order.stop_end = said.data.get("stopEnd") or said.now
        stoppages.end(order, order.stop_end)
    _tell(order, [order.report_user_id], "维修完工，请验收", "Repair finished, please check", said.actor.user_id)


def _close(order: RepairOrder, said: EffectInput) -> None:
    _become(order, Status.CLOSED)
    order.check_result = CheckResult.PASS
    order.check_time = order.close_time = said.now


def passed(order: RepairOrder, said: EffectInput) -> None:
    """The check is passed: the order is closed."""
    _close(order, said)
    order.check_user_id = said.actor.user_id
    order.check_score = said.data.get("checkScore")
    order.check_remark = said.data.get("checkRemark", "")
    _tell(order, _concerned(order), "验收通过", "Check passed", said.actor.user_id)


def auto_passed(order: RepairOrder, said: EffectInput) -> None:
    """Nobody checked in time: the system passes it, and says so."""
    _close(order, said)
    order.check_user_id, order.check_remark = None, said.parameters.get("remark", "系统自动验收")
    order.check_score = said.parameters.get("score")
    current_act().remark = order.check_remark
    _tell(order, _concerned(order), "系统自动验收", "Passed by the system", said.actor.user_id)


def failed(order: RepairOrder, said: EffectInput) -> None:
    """The check is failed: a new round of work begins."""
    _become(order, Status.REPAIRING)
    order.rework_count += 1
    order.check_result, order.check_user_id, order.check_time = CheckResult.FAIL, said.actor.user_id, said.now
    order.check_score, order.check_remark = None, said.data["checkRemark"]
    order.finish_time, order.round_start = None, said.now
    order.urgency = min(order.urgency, said.parameters.get("urgency", order.urgency))
    if said.data.get("stopStart"):
        order.is_stop, order.stop_start, order.stop_end = True, said.data["stopStart"], None
        stoppages.begin(order)
    _tell(
        order,
        [order.repair_user_id, *order.helper_ids],
        "验收不通过，请返工",
        "Check failed, please rework",
        said.actor.user_id,
    )


def cancelled(order: RepairOrder, said: EffectInput) -> None:
    """The order is not needed."""
    _become(order, Status.CANCELLED)
    order.cancel_reason, order.close_time = said.data["cancelReason"], said.now
    _end_hold(order, said)
    if order.standing:
        order.stop_end = max(said.now, (order.stop_start or said.now) + timedelta(seconds=1))
        stoppages.end(order, order.stop_end)
    _tell(order, _concerned(order), "维修单已取消", "Repair order cancelled", said.actor.user_id)


def _escalate(order: RepairOrder, said: EffectInput, reminder: str, users: Users, zh: str, en: str) -> None:
    """Send a reminder once in the life of the order, or as often as it is called; to whom the drawing names instead."""
    if reminder not in order.escalations or said.parameters.get("again"):
        order.escalations = {**order.escalations, reminder: said.now.isoformat()}
        if "to" in said.parameters:
            users = [*messages.recipients(said.parameters["to"])] or users
        _tell(order, users, zh, en, said.actor.user_id)


def _team_leader(order: RepairOrder) -> int | None:
    """The leader of the team that was asked, else of the machine's."""
    return leader_of_team(order.team_id or order.machine.team_id)


def escalate_response_leader(order: RepairOrder, said: EffectInput) -> None:
    """Nobody accepted in time: the repair leaders and the team's leader are told."""
    users: Users = [*holders_of_role("repair_leader"), _team_leader(order)]
    _escalate(order, said, dues.RESPONSE_LEADER, users, "响应超时", "Response overdue")


def escalate_response_manager(order: RepairOrder, said: EffectInput) -> None:
    """Nobody accepted in twice the time: the equipment managers are told."""
    users: Users = [*holders_of_role("equip_manager")]
    _escalate(order, said, dues.RESPONSE_MANAGER, users, "响应严重超时", "Response badly overdue")


def escalate_finish_leader(order: RepairOrder, said: EffectInput) -> None:
    """Not finished in time."""
    users: Users = [order.repair_user_id, *holders_of_role("repair_leader"), _team_leader(order)]
    _escalate(order, said, dues.FINISH_LEADER, users, "维修超时", "Repair overdue")


def escalate_finish_manager(order: RepairOrder, said: EffectInput) -> None:
    """Not finished in twice the time."""
    users: Users = [*holders_of_role("equip_manager")]
    _escalate(order, said, dues.FINISH_MANAGER, users, "维修严重超时", "Repair badly overdue")


EFFECTS: Mapping[str, Callable[[RepairOrder, EffectInput], None]] = {
    "repairorder.reported": reported,
    "repairorder.dispatched": dispatched,
    "repairorder.claimed": claimed,
    "repairorder.accepted": accepted,
    "repairorder.refused": refused,
    "repairorder.transferred": transferred,
    "repairorder.hung": hung,
    "repairorder.resumed": resumed,
    "repairorder.finished": finished,
    "repairorder.passed": passed,
    "repairorder.autoPassed": auto_passed,
    "repairorder.failed": failed,
    "repairorder.cancelled": cancelled,
    "repairorder.escalateResponseLeader": escalate_response_leader,
    "repairorder.escalateResponseManager": escalate_response_manager,
    "repairorder.escalateFinishLeader": escalate_finish_leader,
    "repairorder.escalateFinishManager": escalate_finish_manager,
}
