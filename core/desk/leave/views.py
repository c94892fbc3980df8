"""Calls of requests for leave, under /blade-desk/process/leave."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field, inline_serializer
from rest_framework import serializers

from core import ports
from core.cases.serializers import CaseDetail
from core.cases.views import CaseViewSet, Drafts
from core.desk.leave.case import LEAVE
from core.desk.leave.models import Leave
from core.kernel.texts import label
from core.rest.menus import EVERYBODY, EVERYTHING, Button, MenuEntry, ShippedRole, held_by, together
from core.rest.serializers import NameField, NounSerializer
from core.storage.serializers import ImagesField


class LeaveDraft(NounSerializer):
    """What the applicant writes."""

    typeName = NameField(source="get_type_display")
    # Ids under the family's names, which do not end as ours do; empty for none.
    taskUser = NameField(source="task_user_id")
    taskUserName = NameField(source="task_user.real_name")
    attachments = ImagesField(read_only=True)

    class Meta:
        model = Leave
        fields: tuple[str, ...] = (
            "id", "type", "typeName", "start_time", "end_time", "days", "reason", "taskUser", "taskUserName",
            "attachments",
        )  # fmt: skip


class LeaveForm(serializers.Serializer):  # type: ignore[type-arg]
    """What the form of a new request begins with: the draft, and who approves when nobody is chosen."""

    draft = LeaveDraft(allow_null=True)
    approver = serializers.CharField()
    approverName = serializers.CharField()


class LeaveDetail(CaseDetail, LeaveDraft):
    """A request as a document."""

    case = LEAVE

    createUser = NameField(source="user_id")
    userName = NameField(source="user.real_name", label=label("申请人", "Applicant"))
    deptName = NameField(source="dept", label=label("部门", "Department"))
    approverName = NameField(source="approver.real_name", label=label("审批人", "Approver"))
    flow = serializers.SerializerMethodField()

    class Meta(LeaveDraft.Meta):
        fields = (
            *LeaveDraft.Meta.fields, "leave_no", "createUser", "userName", "deptName", "approverName", "apply_time",
            "close_time", "create_time", "flow", *CaseDetail.PROCESS,
        )  # fmt: skip

    @extend_schema_field(inline_serializer("LeaveFlow", {"assigneeName": serializers.CharField()}))
    def get_flow(self, leave: Leave) -> dict[str, str]:
        """The family's pages read the applicant's name here."""
        return {"assigneeName": leave.user.real_name}


class LeaveViewSet(Drafts, CaseViewSet):
    """Asking for leave, and what is done with a request."""

    menu = MenuEntry(
        "work_start",
        roles=together(
            held_by(EVERYBODY, {"add"}),
            {ShippedRole.HR: {"view", "approve"}, ShippedRole.TENANT_ADMIN: EVERYTHING},
        ),
        buttons={
            "view": Button(label("查看全部请假", "View all leave requests")),
            "approve": Button(label("人事审批请假", "Approve leave for HR")),
        },
    )  # fmt: skip
    case = LEAVE
    queryset = Leave.objects.select_related("user", "dept", "task_user", "approver")
    detail_serializer_class = LeaveDetail
    form_serializer_class = LeaveForm

    def form_extras(self) -> dict[str, Any]:
        """The head of the department."""
        head = ports.people.head_of(self.actor.user_id)
        return {"approver": str(head or ""), "approverName": ports.people.names({head})[head] if head else ""}
