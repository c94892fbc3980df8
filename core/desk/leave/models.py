"""The table of requests for leave."""

from __future__ import annotations

from django.db import models

from core.cases.models import CaseModel
from core.kernel.half_days import HalfDays, dates_between
from core.kernel.stored_files import StoredFiles
from core.kernel.texts import both, label


class Status(models.IntegerChoices):
    """State of a request; assigned by effects alone. A draft has no process yet."""

    DRAFT = 1, label("草稿", "Draft")
    IN_APPROVAL = 2, label("审批中", "In approval")
    APPROVED = 3, label("已通过", "Approved")
    REJECTED = 4, label("已驳回", "Rejected")
    WITHDRAWN = 5, label("已撤回", "Withdrawn")


class LeaveType(models.IntegerChoices):
    """What the leave is for."""

    PERSONAL = 1, label("事假", "Personal")
    SICK = 2, label("病假", "Sick")
    ANNUAL = 3, label("年假", "Annual")
    MARRIAGE = 4, label("婚假", "Marriage")
    MATERNITY = 5, label("产假", "Maternity")
    OTHER = 6, label("其他", "Other")


class Leave(CaseModel):
    """Somebody's request for leave; `case.py` declares what people and its process do with it."""

    leave_no = models.CharField(label("单号", "No."), max_length=20, blank=True, default="")
    status = models.SmallIntegerField(label("状态", "Status"), choices=Status.choices, default=Status.DRAFT)
    user = models.ForeignKey(
        "identity.User", models.PROTECT, related_name="+", verbose_name=label("申请人", "Applicant")
    )
    dept = models.ForeignKey(
        "identity.Department", models.PROTECT, null=True, related_name="+", verbose_name=label("部门", "Department")
    )
    type = models.SmallIntegerField(label("请假类型", "Type"), choices=LeaveType.choices, null=True)
    start_time = models.DateTimeField(label("开始时间", "From"), null=True)
    end_time = models.DateTimeField(label("结束时间", "To"), null=True)
    days = models.DecimalField(label("请假天数", "Days"), max_digits=5, decimal_places=1, null=True)
    reason = models.CharField(label("请假事由", "Reason"), max_length=500, blank=True, default="")
    attachments = StoredFiles(label("附件照片", "Photos"), default=list)
    task_user = models.ForeignKey("identity.User", models.PROTECT, null=True, related_name="+")
    """The approver whom the applicant chose; None: the head of the department."""
    approver = models.ForeignKey(
        "identity.User", models.PROTECT, null=True, related_name="+", verbose_name=label("审批人", "Approver")
    )
    """Who is asked first."""
    apply_time = models.DateTimeField(label("申请时间", "Applied"), null=True)
    close_time = models.DateTimeField(label("结束于", "Closed"), null=True)
    """When it was approved or withdrawn."""

    half_days = HalfDays("start_time", "end_time", "days")

    class Meta(CaseModel.Meta):
        verbose_name = label("请假单", "Leave request")
        constraints = [
            models.UniqueConstraint(
                fields=["tenant_id", "user"], condition=models.Q(status=1, is_deleted=False), name="leave_draft_once"
            ),
            models.CheckConstraint(
                condition=models.Q(status=1)
                | models.Q(
                    status__in=(2, 3, 4, 5), type__isnull=False, days__gt=0, end_time__gt=models.F("start_time")
                ),
                name="leave_is_whole",
            ),
        ]
        indexes = [
            models.Index(fields=["tenant_id", "user", "status", "start_time"]),
            # The list of all leaves, of everybody and of a department.
            models.Index(fields=["tenant_id", "-apply_time", "-id"], name="leave_by_time"),
            models.Index(fields=["tenant_id", "dept", "-apply_time", "-id"], name="leave_of_dept"),
        ]

    def __str__(self) -> str:
        return self.leave_no

    @property
    def called(self) -> str:
        """The applicant and the number."""
        return f"{self.user.real_name} {self.leave_no}"

    @property
    def about(self) -> str:
        """Who is away, why in one word, how long and when; the reason is private and stays on the request's page."""
        if self.type is None or self.start_time is None or self.end_time is None or self.days is None:
            return self.user.real_name
        name, days = self.user.real_name, f"{float(self.days):g}"
        kind, kind_en = both(LeaveType(self.type).label)
        unit = "day" if self.days == 1 else "days"
        (when, when_en) = both(dates_between(self.start_time, self.end_time))
        return label(f"{name} · {kind} {days}天 · {when}", f"{name} · {kind_en} leave, {days} {unit} · {when_en}")
