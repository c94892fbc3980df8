"""What the process does to a request for leave. Only these functions assign `status`; commands never do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from core.access.people import holders_of_role
from core.desk import messages
from core.desk.leave.models import Leave, Status
from core.desk.leave.queries import BUSINESS_TYPE
from core.kernel.act import current_act
from core.kernel.ports import EffectInput


def _become(leave: Leave, status: Status) -> None:
    """Assign the status, and tell the act."""
    act = current_act()
    act.from_status, act.to_status = leave.status, status
    leave.status = status


def _tell(leave: Leave, users: list[int | None], zh: str, en: str, said: EffectInput) -> None:
    """Lay a message on the desks of people concerned, but not of the one who acts."""
    name = leave.user.real_name
    messages.send(
        [user for user in users if user != said.actor.user_id],
        (f"{zh}：{name} {leave.leave_no}", f"{en}: {name} {leave.leave_no}"),
        (leave.reason, leave.reason),
        BUSINESS_TYPE,
        leave.pk,
    )


def write(leave: Leave, values: Mapping[str, Any]) -> None:
    """What the applicant says, into the row."""
    leave.type, leave.reason = values.get("type"), values.get("reason") or ""
    leave.start_time, leave.end_time, leave.days = values.get("startTime"), values.get("endTime"), values.get("days")
    leave.task_user_id, leave.attachments = values.get("taskUser"), values.get("attachments") or []


def applied(leave: Leave, said: EffectInput) -> None:
    """Somebody asks for leave."""
    _become(leave, Status.IN_APPROVAL)
    leave.apply_time = said.now
    _tell(leave, [leave.approver_id], "请假待审批", "Leave to approve", said)


def resubmitted(leave: Leave, said: EffectInput) -> None:
    """A rejected request comes again, as the applicant has changed it."""
    write(leave, said.data)
    leave.approver_id = said.data["approver"]
    applied(leave, said)


def passed_on(leave: Leave, said: EffectInput) -> None:
    """A long leave goes on to human resources."""
    _tell(leave, [*holders_of_role("hr")], "请假待人事审批", "Leave for HR to approve", said)


def approved(leave: Leave, said: EffectInput) -> None:
    """Everybody who was asked has agreed."""
    _become(leave, Status.APPROVED)
    leave.close_time = said.now
    _tell(leave, [leave.user_id], "请假已通过", "Leave approved", said)


def rejected(leave: Leave, said: EffectInput) -> None:
    """Somebody disagrees: the applicant changes the request, or gives it up."""
    _become(leave, Status.REJECTED)
    _tell(leave, [leave.user_id], "请假被驳回", "Leave rejected", said)


def withdrawn(leave: Leave, said: EffectInput) -> None:
    """The applicant gives it up."""
    asked = leave.approver_id if leave.status == Status.IN_APPROVAL else None
    _become(leave, Status.WITHDRAWN)
    leave.close_time = said.now
    _tell(leave, [asked], "请假已撤回", "Leave withdrawn", said)


EFFECTS: Mapping[str, Callable[[Leave, EffectInput], None]] = {
    "leave.applied": applied,
    "leave.resubmitted": resubmitted,
    "leave.passedOn": passed_on,
    "leave.approved": approved,
    "leave.rejected": rejected,
    "leave.withdrawn": withdrawn,
}
