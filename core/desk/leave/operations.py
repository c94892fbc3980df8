"""The commands on requests for leave: they check rights and input, and hand the step to the request's process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.access.people import holders_of_role
from core.desk.leave import inputs, queries
from core.desk.leave.effects import write
from core.desk.leave.models import Leave, Status
from core.identity.models import User
from core.kernel import ports
from core.kernel.actor import Actor
from core.kernel.errors import Conflict, Invalid, Missing, Refusal
from core.kernel.operation import SIGNED_IN, operation
from core.kernel.steps import ITEM, RECORD, Action, Steps, checked
from core.kernel.texts import label, moment
from core.system.numbers import next_number

MODEL = "leave"
ADD = "leave_add"


def load(leave_id: int) -> Leave:
    """The request, locked for this transaction."""
    leave = Leave.objects.select_related("user").select_for_update(of=("self",)).filter(pk=leave_id).first()
    if leave is None:
        raise Missing()
    return leave  # type: ignore[no-any-return]


def store(leave: Leave) -> None:
    """Store the request after a step; whoever read it before must read it again."""
    leave.lock_version += 1
    leave.save()


def names_for_models(leave: Leave) -> Mapping[str, Any]:
    """What conditions and candidate rules of a model may read as `record.*`."""
    own_hr = leave.user_id in holders_of_role("hr")
    return {
        "type": leave.type,
        "days": float(leave.days or 0),
        "deptId": leave.dept_id or "",
        "applicantId": leave.user_id,
        "approverId": leave.approver_id or "",
        # Nobody approves the own leave: that of human resources goes to the company's administrators.
        "hrRole": "tenant_admin" if own_hr else "hr",
    }


def _answer(leave: Leave) -> dict[str, Any]:
    return {
        "id": str(leave.pk),
        "leaveNo": leave.leave_no,
        "status": leave.status,
        "statusName": leave.get_status_display(),
        "lockVersion": leave.lock_version,
    }


def _lock_person(user_id: int) -> User:
    """The person, locked: the own requests are compared one after another."""
    rows = User.objects.select_related("dept").select_for_update(of=("self",), no_key=True)
    return rows.get(pk=user_id)  # type: ignore[no-any-return]


def _check_request(user: User, values: Mapping[str, Any], besides: int | None) -> int:
    """What the fields alone do not say; answers the id of who approves first."""
    chosen = values.get("taskUser")
    if chosen == user.pk:
        raise Invalid({"taskUser": _("不能选择本人审批")})
    if chosen and not User.objects.filter(pk=chosen, is_enabled=True).exists():
        raise Invalid({"taskUser": _("请选择{field}").format(field=_("审批人"))})
    approver = chosen or ports.people.head_of(user.pk)
    if approver is None:
        raise Invalid({"taskUser": _("您的部门没有负责人，请选择审批人")})
    other = queries.overlapping(user.pk, values["startTime"], values["endTime"], besides)
    if other is not None:
        text = _("该时间段与您的另一张请假单重叠：{start} 至 {end}（{status}）").format(
            start=moment(other.start_time)[:16], end=moment(other.end_time)[:16], status=other.get_status_display()
        )
        raise Refusal("leave.overlap", text, {"fields": {"startTime": text}})
    return int(approver)


@operation("leave.start", code=ADD)
def start(actor: Actor, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Ask for leave; a draft that the person has becomes the request."""
    values = checked(inputs.LeaveStartInput, raw)
    number = next_number("QJ")
    user = _lock_person(actor.user_id)
    leave = queries.draft_of(user.pk) or Leave()
    leave.leave_no, leave.user, leave.dept = number, user, user.dept
    leave.approver_id = _check_request(user, values, None)
    write(leave, values)
    STEPS.tell_act(leave)
    ports.processes.start(MODEL, leave, title=leave.reason, number=number, starter=actor)
    asked = values.get("processDefinitionId")
    if asked and (ports.processes.instance_of(BUSINESS_TYPE, leave.pk) or (0, 0))[1] != asked:
        raise Conflict("workflow.definitionChanged", _("该流程已有变化，请从发起页面重新进入"))
    return _answer(leave)


@operation("leave.saveDraft", code=ADD)
def save_draft(actor: Actor, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Keep what is written so far; each person has one draft."""
    values = checked(inputs.DraftInput, raw)
    user = _lock_person(actor.user_id)
    leave = queries.draft_of(user.pk) or Leave(user=user, dept=user.dept)
    write(leave, values)
    leave.save()
    STEPS.tell_act(leave)
    return {"id": str(leave.pk)}


@operation("leave.removeDraft", code=ADD)
def remove_draft(actor: Actor, leave_id: int) -> None:
    """Throw the own draft away."""
    _lock_person(actor.user_id)
    leave = queries.draft_of(actor.user_id)
    if leave is None or leave.pk != leave_id:
        raise Missing()
    leave.is_deleted = True
    leave.save(update_fields=["is_deleted", "update_user", "update_time"])
    STEPS.tell_act(leave)


def _is_applicant(actor: Actor, leave: Leave) -> bool:
    return leave.user_id == actor.user_id


def _is_somebody_else(actor: Actor, leave: Leave) -> bool:
    return leave.user_id != actor.user_id


_OWN = gettext_lazy("不能审批本人的请假")
ACTIONS: Mapping[str, Action] = {
    action.name: action
    for action in (
        Action(
            "approve", label("同意", "Approve"), SIGNED_IN, ("approve", "hr"), ITEM,
            inputs.ApproveInput, lambda values: "approve", allowed=_is_somebody_else, denied=_OWN,
        ),
        Action(
            "reject", label("驳回", "Reject"), SIGNED_IN, ("approve", "hr"), ITEM,
            inputs.RejectInput, lambda values: "reject", allowed=_is_somebody_else, denied=_OWN,
        ),
        Action(
            "submit", label("重新提交", "Submit again"), ADD, ("revise",), ITEM,
            inputs.ResubmitInput, lambda values: "submit", allowed=_is_applicant,
        ),
        Action(
            "withdraw", label("撤回", "Withdraw"), SIGNED_IN, (), RECORD,
            inputs.WithdrawInput, lambda values: "withdraw", allowed=_is_applicant, message="leave.withdraw",
            statuses=(Status.IN_APPROVAL, Status.REJECTED), denied=gettext_lazy("只有申请人可以撤回"),
        ),
    )
}  # fmt: skip


def _check(action: Action, leave: Leave, values: dict[str, Any]) -> None:
    """A request that comes again is checked like a new one."""
    if action.name == "submit":
        values["approver"] = _check_request(_lock_person(leave.user_id), values, leave.pk)


BUSINESS_TYPE = queries.BUSINESS_TYPE
STEPS = Steps(
    business_type=BUSINESS_TYPE,
    unfit=lambda text: Refusal("leave.wrongState", text),
    actions=ACTIONS,
    by_outcome={
        ("approve", "approve"): "approve",
        ("approve", "reject"): "reject",
        ("hr", "approve"): "approve",
        ("hr", "reject"): "reject",
        ("revise", "submit"): "submit",
    },
    load=load,
    sees=queries.sees,
    answer=_answer,
    remarks=("comment",),
    check=_check,
)
