"""What those who draw processes for requests for leave read of its operations and names."""

from __future__ import annotations

from core.desk.leave.models import Leave, LeaveType
from core.kernel import ports
from core.kernel.actor import Actor
from core.kernel.ports import Design, Kind, RecordName, words
from core.kernel.texts import label

WORDS = {
    "leave.applied": words(
        "登记申请",
        "Record the request",
        "状态变为审批中，通知审批人",
        "In approval; the approver is told",
    ),
    "leave.resubmitted": words(
        "登记重新提交",
        "Record the new request",
        "写入修改后的申请，状态变为审批中，通知审批人",
        "Keeps the changed request; in approval; the approver is told",
    ),
    "leave.passedOn": words(
        "转人事审批",
        "Pass on to HR",
        "通知人事",
        "HR is told",
    ),
    "leave.approved": words(
        "登记通过",
        "Record the approval",
        "状态变为已通过，通知申请人",
        "Approved; the applicant is told",
    ),
    "leave.rejected": words(
        "登记驳回",
        "Record the rejection",
        "状态变为已驳回，通知申请人",
        "Rejected; the applicant is told",
    ),
    "leave.withdrawn": words(
        "登记撤回",
        "Record the withdrawal",
        "状态变为已撤回，通知审批人",
        "Withdrawn; the approver is told",
    ),
}

NAMES = {
    "type": RecordName(label("请假类型", "Type"), Kind.CHOICE, tuple(LeaveType.choices)),
    "days": RecordName(label("请假天数", "Days"), Kind.NUMBER),
    "deptId": RecordName(label("申请人部门", "Department of the applicant"), Kind.DEPT),
    "applicantId": RecordName(label("申请人", "Applicant"), Kind.USER),
    "approverId": RecordName(label("审批人", "Approver"), Kind.USER),
    "hrRole": RecordName(label("人事审批的角色", "Role that approves for HR"), Kind.ROLE),
}


def sample(actor: Actor) -> Leave:
    """A day off, which the head of the own department approves."""
    head = ports.people.head_of(actor.user_id)
    return Leave(user_id=actor.user_id, dept_id=actor.dept_id, approver_id=head, type=LeaveType.PERSONAL, days=1)


def peek(leave_id: int) -> Leave | None:
    """The request as it stands."""
    return Leave.objects.filter(pk=leave_id).first()


DESIGN = Design(label("请假单", "Leave request"), WORDS, NAMES, sample, peek)
