"""What the effects on a maintenance order do beside the status that they give and the people whom they tell."""

from __future__ import annotations

from datetime import timedelta

from core.cases.case import Effect, People
from core.cases.effects import put, tell
from core.kernel.texts import both, label
from core.ports import EffectInput
from core.preventive import dues, people, planning, work
from core.preventive.models import STOPS, CheckResult, MaintainOrder, Source, Status
from core.preventive.parts import PARTS


def created(order: MaintainOrder, said: EffectInput) -> None:
    """Tell whom it is for; what the plan makes is told when it is near."""
    if order.source == Source.MANUAL:
        tell(order, people.DOERS.find(order), label("新的保养单", "New maintenance order"), said)


def started(order: MaintainOrder, said: EffectInput) -> None:
    """Let the person who acts be the executor, and stop the asset where the work asks for it."""
    order.executor_id, order.begin_time = said.actor.user_id, said.now
    order.safety_confirmed = bool(said.data.get("safetyConfirmed"))
    if order.need_stop:
        order.stop_start, order.stop_end = said.now, None
        STOPS.begin(order, said.now)


def submitted(order: MaintainOrder, said: EffectInput) -> None:
    """Keep what was done and what follows of it: work orders, the reading, the stop, costs, and the next due date."""
    order.executor_id = said.actor.user_id
    rows = work.write(order, said.data, said.now)
    work.report(order, said.actor, rows)
    work.read_meter(order)
    work.end_stop(order, said.data)
    plan = planning.plan_of(order.config_id, order.machine_id)
    if plan is not None and order.finish_time is not None:
        planning.done(plan, order.finish_time, work.counted(order))
    if order.need_check:
        tell(order, people.CHECKERS.find(order), label("保养完成，请验收", "Maintenance done, please verify"), said)


def passed(order: MaintainOrder, said: EffectInput) -> None:
    """Keep the verdict and who gave it."""
    _checked(order, said, CheckResult.PASS)


def failed(order: MaintainOrder, said: EffectInput) -> None:
    """Let the work be done again by the same person."""
    _checked(order, said, CheckResult.FAIL)
    order.rework_count += 1


def _checked(order: MaintainOrder, said: EffectInput, result: CheckResult) -> None:
    order.check_result, order.check_user_id, order.check_time = result, said.actor.user_id, said.now
    order.check_remark = said.data.get("checkRemark", "")


def cancelled(order: MaintainOrder, said: EffectInput) -> None:
    """Keep the reason, end the stop, and let the plan move on."""
    put(order, {"cancel_reason": said.data["cancelReason"]})
    PARTS.cancel_all(said.actor, order)
    if order.standing:
        order.stop_end = max(said.now, (order.stop_start or said.now) + timedelta(seconds=1))
        STOPS.end(order, order.stop_end)
    plan = planning.plan_of(order.config_id, order.machine_id)
    if plan is not None:
        planning.skipped(plan)


def reminder(effect: str, called: str, name: str, whom: People, title: str) -> Effect:
    """Return an effect that reminds these people, once in the life of the order.

    That it is near or due is of no news to whoever has begun.
    """

    def remind(order: MaintainOrder, said: EffectInput) -> None:
        if name in order.reminders or (order.status != Status.TO_DO and name != dues.OVERDUE):
            return
        order.reminders = {**order.reminders, name: said.now.isoformat()}
        tell(order, whom.find(order), title, said)

    (zh, en), (who, who_en) = both(title), both(whom.label)
    return Effect(effect, called, run=remind, does=label(f"{zh}，通知{who}", f"{en}: notifies {who_en}"))
