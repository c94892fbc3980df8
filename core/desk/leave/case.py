"""Requests for leave as a case: what people do with one, what its process does to it, and who is told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core import ports
from core.access.people import holders_of_role, role_holding
from core.cases.case import (
    Case,
    Command,
    Door,
    Effect,
    Fact,
    Listing,
    Number,
    Process,
    Remark,
    Start,
    Step,
    Tell,
    Verb,
)
from core.cases.effects import write
from core.cases.facts import fact, holders, person
from core.cases.inputs import StartInput
from core.cases.visibility import own_or_part
from core.desk.leave.models import Leave, LeaveType, Status
from core.identity.models import User
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Invalid, Refusal
from core.kernel.texts import label, moment
from core.ports import Kind
from core.rest.filters import below, with_word
from core.rest.serializers import ReferenceField
from core.storage.serializers import ImagesField

HR_ABOVE = 3
"""Days above which human resources are asked too; the shipped model's condition says the same."""
APPROVES_FOR_HR = "leave_approve"
_MOST_NAMES = 3
GRANTED = label(
    "同意后请假生效；驳回则退回申请人",
    "If approved, the leave is granted; if rejected, it returns to the applicant",
)

APPLICANT = person("user", label("申请人", "the applicant"))
APPROVER = person("approver", label("审批人", "the approver"))
HR = holders(APPROVES_FOR_HR, label("人事", "HR"))


class LeaveInput(StartInput):
    """A request; the clients of the family call the approver `taskUser`."""

    taskUser = ReferenceField(
        model=User, source="task_user_id", label=label("审批人", "Approver"), required=False, allow_null=True
    )
    attachments = ImagesField(label=label("附件照片", "Photos"), required=False, at_most=5)

    class Meta:
        model = Leave
        fields = ("type", "start_time", "end_time", "days", "reason", "taskUser", "attachments")
        required = ("type", "start_time", "end_time", "reason")


def _check(actor: Actor, leave: Leave, values: dict[str, Any]) -> None:
    """Check what the fields alone do not say, and add department and first approver; the applicant is locked."""
    leave.dept_id = leave.dept_id or leave.user.dept_id
    user = User.objects.select_for_update(of=("self",), no_key=True).get(pk=leave.user_id)
    chosen = values.get("task_user_id")
    if chosen == user.pk:
        raise Invalid({"taskUser": _("不能选择本人审批")})
    if chosen and not User.objects.filter(pk=chosen, is_enabled=True).exists():
        raise Invalid({"taskUser": _("请选择{field}").format(field=_("审批人"))})
    approver = chosen or ports.people.head_of(user.pk)
    if approver is None:
        raise Invalid({"taskUser": _("您的部门没有负责人，请选择审批人")})
    values["approver_id"] = int(approver)
    others = Leave.objects.filter(user_id=user.pk, status__in=(Status.IN_APPROVAL, Status.APPROVED))
    others = others.filter(start_time__lt=values["end_time"], end_time__gt=values["start_time"]).exclude(pk=leave.pk)
    other = others.order_by("start_time").first()
    if other is not None:
        text = _("该时间段与您的另一张请假单重叠：{start} 至 {end}（{status}）").format(
            start=moment(other.start_time)[:16], end=moment(other.end_time)[:16], status=other.get_status_display()
        )
        raise Refusal("leave.overlap", text, {"fields": {"startTime": text}})


def _is_applicant(actor: Actor, leave: Leave) -> bool:
    return leave.user_id == actor.user_id


def _is_somebody_else(actor: Actor, leave: Leave) -> bool:
    return leave.user_id != actor.user_id


def _who_was_asked(leave: Leave) -> list[int | None]:
    return [leave.approver_id] if current_entry().from_status == Status.IN_APPROVAL else []


def _sample(actor: Actor) -> Leave:
    """A day off, which the head of the own department approves."""
    head = ports.people.head_of(actor.user_id)
    return Leave(user_id=actor.user_id, dept_id=actor.dept_id, approver_id=head, type=LeaveType.PERSONAL, days=1)


def hr_of(leave: Leave) -> str:
    """Return the alias of the role that approves for human resources; nobody approves the own leave."""
    return role_holding(APPROVES_FOR_HR, besides=leave.user_id)


def _after_the_head(leave: Leave) -> str:
    """Return what an approval of this request by the head leads to, with the names of who is asked next."""
    if leave.days is None or leave.days <= HR_ABOVE:
        return str(GRANTED)
    ids = holders_of_role(hr_of(leave))
    names = ports.people.names(set(ids[:_MOST_NAMES]))
    who = _("、").join(names[one] for one in ids[:_MOST_NAMES] if names.get(one))
    if not who:
        return _("同意后由人事审批；驳回则退回申请人")
    text = _("同意后由人事（{names}）审批；驳回则退回申请人")
    return text.format(names=who if len(ids) <= _MOST_NAMES else _("{names}等").format(names=who))


RECORDS = Listing(
    "leaverecord",
    fields=(
        "leave_no", "user", "dept", "type", "start_time", "end_time", "days", "status", "waitingFor", "apply_time",
        "close_time",
    ),
    # Whoever heads the department finds its requests, whatever role that person has.
    scope={"user": "user_id,dept__leader_id", "dept": "dept_id"},
    filters={"deptId": below("dept"), "keyword": with_word("leave_no", "user__real_name")},
    order=("-apply_time", "-id"),
)  # fmt: skip

LEAVE = Case(
    "leave",
    label("请假单", "Leave request"),
    Leave,
    process=Process(
        label("请假", "Leave"),
        category="1",
        steps={
            "approve": Step(Status.IN_APPROVAL, _after_the_head),
            "hr": Step(Status.IN_APPROVAL, GRANTED),
            "revise": Step(Status.REJECTED, label(
                "申请人修改后重新提交，或撤回", "The applicant revises and resubmits, or withdraws"
            )),
        },
        required=(("applied",), ("approved", "withdrawn")),
    ),
    number=Number("leave_no", "QJ"),
    start=Start(
        "start", label("申请请假", "Request leave"), "leave_add", LeaveInput, check=_check, draft=Status.DRAFT
    ),
    commands=(
        Command(
            "approve", label("同意", "Approve"), ("approve", "hr"),
            remark=Remark(label("审批意见", "Comment")), tone="main",
            allowed=_is_somebody_else, denied=gettext_lazy("不能审批本人的请假"),
            will=label("同意后不能更改。", "An approval cannot be changed."),
        ),
        Command(
            "reject", label("驳回", "Reject"), ("approve", "hr"), refuses=True,
            remark=Remark(label("驳回原因", "Reason"), is_required=True),
            allowed=_is_somebody_else, denied=gettext_lazy("不能审批本人的请假"),
            will=label(
                "退回申请人，由其修改后重新提交或撤回。", "It returns to the applicant, who revises or withdraws it."
            ),
        ),
        Command(
            "submit", label("重新提交", "Resubmit"), ("revise",), code="leave_add", tone="main",
            input=LeaveInput, edits=True, check=_check, allowed=_is_applicant,
            will=label("重新提交后，从第一位审批人开始审批。", "Approval starts again with the first approver."),
        ),
        Command(
            "withdraw", label("撤回", "Withdraw"), message="leave.withdraw", door=Door.RECORD, tone="danger",
            statuses=(Status.IN_APPROVAL, Status.REJECTED), verb=Verb("withdraw"),
            remark=Remark(label("撤回原因", "Reason")),
            allowed=_is_applicant, denied=gettext_lazy("只有申请人可以撤回"),
            will=label(
                "撤回后不能恢复，需要时请重新申请。", "This cannot be undone. Submit a new request if needed."
            ),
        ),
    ),
    effects=(
        Effect(
            "applied", label("登记申请", "Record the request"), Status.IN_APPROVAL, now="apply_time",
            tells=(Tell(APPROVER, label("请假待审批", "Leave request to approve")),),
        ),
        Effect(
            "resubmitted", label("登记重新提交", "Record the revised request"), Status.IN_APPROVAL, write, "apply_time",
            tells=(Tell(APPROVER, label("请假待审批", "Leave request to approve")),),
            does=label("写入修改后的申请", "stores the revised request"),
        ),
        Effect(
            "passedOn", label("转人事审批", "Forward to HR"),
            tells=(Tell(HR, label("请假待人事审批", "Leave request for HR to approve")),),
        ),
        Effect(
            "approved", label("登记通过", "Record the approval"), Status.APPROVED, now="close_time",
            tells=(Tell(APPLICANT, label("请假已通过", "Leave approved")),),
        ),
        Effect(
            "rejected", label("登记驳回", "Record the rejection"), Status.REJECTED,
            tells=(Tell(APPLICANT, label("请假被驳回", "Leave rejected")),),
        ),
        Effect(
            "withdrawn", label("登记撤回", "Record the withdrawal"), Status.WITHDRAWN, now="close_time",
            tells=(Tell(replace(APPROVER, find=_who_was_asked), label("请假已撤回", "Leave withdrawn")),),
        ),
    ),
    facts=(
        fact(Leave, "type"),
        fact(Leave, "days"),
        fact(Leave, "dept", called=label("申请人部门", "Department of the applicant")),
        fact(Leave, "user", "applicantId", label("申请人", "Applicant")),
        fact(Leave, "approver", called=label("审批人", "Approver")),
        Fact("hrRole", label("人事审批的角色", "Role that approves for HR"), Kind.ROLE, hr_of),
    ),
    sees=own_or_part(Leave, "user", draft=Status.DRAFT, listing=RECORDS),
    listing=RECORDS,
    sample=_sample,
    related=("user",),
    document=(
        "userName", "deptName", "typeName", "startTime", "endTime", "days", "approverName", "applyTime", "closeTime",
        "reason", "attachments",
    ),
    tones={Status.IN_APPROVAL: "active", Status.APPROVED: "good", Status.REJECTED: "bad", Status.WITHDRAWN: "off"},
    wrong_state=lambda text: Refusal("leave.wrongState", text),
)  # fmt: skip
