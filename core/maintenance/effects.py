"""What the effects on a repair order do beside the status that they give and the people whom they tell."""

from __future__ import annotations

from datetime import timedelta

from core import ports
from core.cases.case import Effect, People
from core.cases.effects import put, tell
from core.cases.facts import holders, person
from core.identity.people import leader_of_team, team_people
from core.kernel.audit_entry import current_entry
from core.kernel.texts import both, label
from core.maintenance.models import STOPS, CancelReason, CheckResult, RepairOrder
from core.maintenance.parts import PARTS
from core.maintenance.rules import LEADS, MANAGES
from core.ports import EffectInput, Parameter, ParameterKind

REPORTER = person("report_user", label("报修人", "the requester"))
REPAIRER = person("repair_user", label("维修人", "the technician"))
WORKERS = People(
    label("维修人和协助人员", "the technician and the helpers"), lambda order: [order.repair_user_id, *order.helper_ids]
)
CONCERNED = People(
    label("相关人", "all people concerned"),
    lambda order: [order.report_user_id, order.repair_user_id, *order.helper_ids],
)
LEADERS = holders(LEADS, label("维修班长", "repair leaders"))
MANAGERS = holders(MANAGES, label("设备主管", "equipment managers"))
LEADERS_AND_TEAM = People(
    label("维修班长和班组长", "repair leaders and the team leader"),
    lambda order: [*LEADERS.find(order), leader_of_team(order.team_id or order.machine.team_id)],
)
REPAIRER_AND_LEADERS = People(
    label("维修人、维修班长和班组长", "the technician, repair leaders and the team leader"),
    lambda order: [order.repair_user_id, *LEADERS_AND_TEAM.find(order)],
)
_FINISHED = (
    "solution", "cause_tag_id", "action_tag_ids", "part_machine_id", "is_outsource", "vendor_name", "outsource_cost",
    "other_cost", "after_images",
)  # fmt: skip
"""What a finish must carry."""
_GIVEN_TO_ANOTHER = label("维修工单已改派他人", "Work order reassigned")
_REMINDER = (
    Parameter(
        "to", ParameterKind.PEOPLE, "提醒谁", "Recipients",
        "不填或找不到人员时，提醒操作说明中的人员", "If nobody is found, the people named in the operation",
    ),
    Parameter(
        "again", ParameterKind.FLAG, "每次都提醒", "Every time",
        "不选时每张维修工单只提醒一次", "If not set, only once for each work order",
    ),
)  # fmt: skip


def reported(order: RepairOrder, said: EffectInput) -> None:
    """Begin the stop of a machine that stands."""
    if order.is_stop:
        STOPS.begin(order, order.stop_start)


def dispatched(order: RepairOrder, said: EffectInput) -> None:
    """Keep who was asked to come, by when, and tell them."""
    before = order.repair_user_id
    order.repair_user_id = said.data.get("repair_user_id")
    order.team_id = said.data.get("team_id")
    order.helper_ids = [user for user in said.data.get("helper_ids") or [] if user != order.repair_user_id]
    if said.data.get("plan_finish_time"):
        order.plan_finish_time = said.data["plan_finish_time"]
    elif "within" in said.parameters and order.plan_finish_time is None:
        order.plan_finish_time = said.now + said.parameters["within"]
    order.dispatch_user_id = said.actor.user_id or None
    _note_receiver(order)
    people = [order.repair_user_id] if order.repair_user_id else team_people(order.team_id)
    people = [*people, *order.helper_ids]
    tell(order, people, label("派给您的维修工单", "Work order for you"), said)
    if before not in (None, *people):
        tell(order, [before], _GIVEN_TO_ANOTHER, said)


def _note_receiver(order: RepairOrder) -> None:
    """Let the history say who was asked: the order itself forgets it when somebody declines."""
    asked = f"user:{order.repair_user_id}" if order.repair_user_id else f"team:{order.team_id}"
    current_entry().to_key = asked


def begin_work(order: RepairOrder, said: EffectInput) -> None:
    """Let the person who acts be the repairer, and begin to count the time."""
    order.repair_user_id = said.actor.user_id
    order.accept_time = order.accept_time or said.now
    order.round_start = order.round_start or said.now
    order.helper_ids = [user for user in order.helper_ids if user != order.repair_user_id]
    if order.standing:
        STOPS.follow(order)


def claimed(order: RepairOrder, said: EffectInput) -> None:
    """Begin the work of somebody whom nobody has dispatched."""
    order.dispatch_user_id, order.dispatch_time = None, said.now
    begin_work(order, said)


def refused(order: RepairOrder, said: EffectInput) -> None:
    """Nobody is asked any more; tell who had asked, and the leaders."""
    order.repair_user_id = order.team_id = None
    order.helper_ids = []
    tell(order, [order.dispatch_user_id, *LEADERS.find(order)], label("维修工单被拒单", "Work order declined"), said)


def transferred(order: RepairOrder, said: EffectInput) -> None:
    """Ask another repairer to go on; the work lines stay."""
    before = order.repair_user_id
    order.repair_user_id, order.team_id = said.data["repair_user_id"], None
    _note_receiver(order)
    order.helper_ids = [user for user in order.helper_ids if user != order.repair_user_id]
    if order.standing:
        STOPS.follow(order)
    tell(order, [order.repair_user_id], label("转派给您的维修工单", "Work order transferred to you"), said)
    if before != order.repair_user_id:
        tell(order, [before], _GIVEN_TO_ANOTHER, said)


def hung(order: RepairOrder, said: EffectInput) -> None:
    """Stop the clock."""
    order.hang_reason, order.hang_start = said.data["hang_reason"], said.now
    order.hang_remark = said.data.get("remark", "")


def resumed(order: RepairOrder, said: EffectInput) -> None:
    """Let the clock go on, and keep how long it stood still."""
    if order.hang_start is not None:
        seconds = int((said.now - order.hang_start).total_seconds())
        order.hang_seconds += seconds
        order.round_hang_seconds += seconds
        order.hang_start = None


def finished(order: RepairOrder, said: EffectInput) -> None:
    """Keep what was done, and end the round of work and the machine's stop."""
    put(order, {name: said.data[name] for name in _FINISHED})
    round_seconds = int((said.now - (order.round_start or said.now)).total_seconds()) - order.round_hang_seconds
    order.repair_seconds = (order.repair_seconds or 0) + max(round_seconds, 0)
    order.round_hang_seconds = 0
    if order.standing:  # after a rework the machine may have been running for long
        order.stop_end = said.data.get("stop_end") or said.now
        STOPS.end(order, order.stop_end)


def passed(order: RepairOrder, said: EffectInput) -> None:
    """Keep the verdict and who gave it."""
    order.check_result, order.check_time = CheckResult.PASS, said.now
    order.check_user_id = said.actor.user_id
    order.check_score = said.data.get("checkScore")
    order.check_remark = said.data.get("checkRemark", "")
    _ended(order)


def auto_passed(order: RepairOrder, said: EffectInput) -> None:
    """Pass the order because nobody checked it in time, and say so."""
    order.check_result, order.check_time = CheckResult.PASS, said.now
    order.check_user_id, order.check_remark = None, said.parameters.get("remark", "系统自动验收")
    order.check_score = said.parameters.get("score")
    current_entry().remark = order.check_remark
    _ended(order)


def failed(order: RepairOrder, said: EffectInput) -> None:
    """Begin a new round of work."""
    order.rework_count += 1
    order.check_result, order.check_user_id, order.check_time = CheckResult.FAIL, said.actor.user_id, said.now
    order.check_score, order.check_remark = None, said.data.get("checkRemark", "")
    order.finish_time, order.round_start = None, said.now
    order.urgency = min(order.urgency, said.parameters.get("urgency", order.urgency))
    if said.data.get("stopStart"):
        order.is_stop, order.stop_start, order.stop_end = True, said.data["stopStart"], None
        STOPS.begin(order, order.stop_start)


def cancelled(order: RepairOrder, said: EffectInput) -> None:
    """Keep the reason, and end what still runs."""
    order.cancel_reason = said.data["cancel_reason"]
    resumed(order, said)
    PARTS.cancel_all(said.actor, order)
    if order.standing:
        order.stop_end = max(said.now, (order.stop_start or said.now) + timedelta(seconds=1))
        STOPS.end(order, order.stop_end)
    _ended(order)


def _ended(order: RepairOrder) -> None:
    """Tell the records that have found the fault."""
    for listener in ports.repair_listeners:
        listener(order.pk, order.cancel_reason == CancelReason.FALSE_ALARM)


def reminder(effect: str, called: str, name: str, people: People, title: str) -> Effect:
    """Return an effect that reminds these people, or those whom the model names instead.

    It does so once in the life of the order, or each time when the model says `again`.
    """

    def remind(order: RepairOrder, said: EffectInput) -> None:
        if name in order.escalations and not said.parameters.get("again"):
            return
        order.escalations = {**order.escalations, name: said.now.isoformat()}
        named = ports.messages.recipients(said.parameters["to"]) if "to" in said.parameters else []
        tell(order, named or people.find(order), title, said)

    (zh, en), (who, who_en) = both(title), both(people.label)
    does = label(f"{zh}，通知{who}", f"{en}: notifies {who_en}")
    return Effect(effect, called, run=remind, does=does, parameters=_REMINDER)
