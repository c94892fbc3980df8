"""The actions on a repair order as one table: where each may be done, by whom, and what it must carry."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext_lazy

from core.kernel.actor import Actor
from core.kernel.ports import OpenItem
from core.kernel.steps import ITEM, RECORD, Action, offered
from core.kernel.texts import label
from core.maintenance import inputs
from core.maintenance.models import OPEN, CheckResult, RepairOrder, Status
from core.system import parameters

CODE = "repairorder_{}"
BEFORE_CHECK = (Status.REPORTED, Status.DISPATCHED, Status.REPAIRING, Status.ON_HOLD)
LINE, EDIT, REMOVE = "line", "edit", "remove"
"""What may be done besides the table: write work lines, change the plain fields, delete the order."""


def _is_repairer(actor: Actor, order: RepairOrder) -> bool:
    return order.repair_user_id == actor.user_id


def _did_not_repair(actor: Actor, order: RepairOrder) -> bool:
    """Nobody checks the own work: neither the repairer, nor who helps, nor whoever has a work line."""
    took_part = _is_repairer(actor, order) or actor.user_id in order.helper_ids
    return not took_part and not order.lines.filter(user_id=actor.user_id).exists()


def _may_claim(actor: Actor, order: RepairOrder) -> bool:
    """Repairers of the machine's team, where the company lets them help themselves."""
    return parameters.repair().claim_enabled and order.machine.team_id in actor.team_ids


def _may_cancel(actor: Actor, order: RepairOrder) -> bool:
    """The reporter while nobody is asked; repair leaders until the work begins; then the equipment manager."""
    if order.status in (Status.REPAIRING, Status.ON_HOLD):
        return "equip_manager" in actor.role_codes
    if order.status == Status.DISPATCHED:
        return actor.may("repairorder_dispatch")
    return order.report_user_id == actor.user_id or actor.may("repairorder_dispatch")


ACTIONS: Mapping[str, Action] = {
    action.name: action
    for action in (
        Action(
            "claim", label("抢单", "Claim"), CODE.format("claim"), ("dispatch",), ITEM,
            inputs.NothingInput, lambda values: "claim", allowed=_may_claim,
        ),
        Action(
            "dispatch", label("派单", "Dispatch"), CODE.format("dispatch"), ("dispatch", "accept"), RECORD,
            inputs.DispatchInput, lambda values: "dispatch",
        ),
        Action(
            "accept", label("接单", "Accept"), CODE.format("accept"), ("accept",), ITEM,
            inputs.NothingInput, lambda values: "accept",
        ),
        Action(
            "refuse", label("拒单", "Refuse"), CODE.format("accept"), ("accept",), ITEM,
            inputs.RefuseInput, lambda values: "refuse",
        ),
        Action(
            "hang", label("挂起", "Put on hold"), CODE.format("repair"), ("repair",), ITEM,
            inputs.HangInput, lambda values: "hang",
        ),
        Action(
            "resume", label("恢复", "Resume"), CODE.format("repair"), ("hold",), ITEM,
            inputs.NothingInput, lambda values: "resume",
        ),
        Action(
            "transfer", label("转派", "Transfer"), CODE.format("transfer"), ("repair",), RECORD,
            inputs.TransferInput, lambda values: "transfer",
            allowed=lambda actor, order: _is_repairer(actor, order) or actor.may("repairorder_dispatch"),
        ),
        Action(
            "finish", label("完工", "Finish"), CODE.format("repair"), ("repair",), ITEM,
            inputs.FinishInput, lambda values: "finish",
        ),
        Action(
            "check", label("验收", "Check"), CODE.format("check"), ("check",), ITEM,
            inputs.CheckInput, lambda values: "pass" if values["checkResult"] == CheckResult.PASS else "fail",
            allowed=_did_not_repair, denied=gettext_lazy("不能验收本人维修的单据"),
        ),
        Action(
            "cancel", label("取消", "Cancel"), CODE.format("cancel"), (), RECORD,
            inputs.CancelInput, lambda values: "cancel",
            allowed=_may_cancel, message="repairorder.cancel", statuses=BEFORE_CHECK,
        ),
    )
}  # fmt: skip

BY_OUTCOME = {
    ("dispatch", "dispatch"): "dispatch",
    ("dispatch", "claim"): "claim",
    ("accept", "accept"): "accept",
    ("accept", "refuse"): "refuse",
    ("accept", "dispatch"): "dispatch",
    ("repair", "finish"): "finish",
    ("repair", "hang"): "hang",
    ("repair", "transfer"): "transfer",
    ("hold", "resume"): "resume",
    ("check", "pass"): "check",
    ("check", "fail"): "check",
}


def may_write_lines(actor: Actor, order: RepairOrder) -> bool:
    """Work lines are written while the work lasts, and until the check by whoever took part in it."""
    if not actor.may("repairorder_repair"):
        return False
    if order.status in (Status.REPAIRING, Status.ON_HOLD):
        return True
    return order.status == Status.TO_CHECK and not _did_not_repair(actor, order)


def may_write_line_of(actor: Actor, order: RepairOrder, user_id: int) -> bool:
    """The own lines; while the work lasts the repairer and the leaders write those of others too."""
    if user_id == actor.user_id:
        return True
    return order.status != Status.TO_CHECK and (_is_repairer(actor, order) or actor.may("repairorder_dispatch"))


def may_edit(actor: Actor, order: RepairOrder) -> bool:
    """Description, photos, urgency and promise: the reporter before the work, the leaders any time."""
    if order.status not in OPEN or not actor.may("repairorder_edit"):
        return False
    return order.report_user_id == actor.user_id or actor.may("repairorder_dispatch")


def may_remove(actor: Actor, order: RepairOrder) -> bool:
    """An order on which nobody has worked and that nobody is asked to do, by whoever keeps the orders."""
    idle = order.status in (Status.REPORTED, Status.CANCELLED)
    return idle and actor.may("repairorder_delete") and not order.lines.exists()


def allowed_actions(actor: Actor, order: RepairOrder, item: OpenItem | None) -> list[str]:
    """Role × data scope × state × open step, so that buttons need no logic of their own."""
    names = offered(actor, ACTIONS, order, item)
    if may_write_lines(actor, order):
        names.append(LINE)
    if may_edit(actor, order):
        names.append(EDIT)
    if may_remove(actor, order):
        names.append(REMOVE)
    return names
