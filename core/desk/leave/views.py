"""Calls of requests for leave, under /blade-desk/process/leave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import extend_schema_field, inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from core import ports
from core.cases.serializers import CaseDetail, CaseRow, waiting
from core.cases.views import CaseViewSet, Drafts
from core.desk.leave.case import LEAVE, what_follows
from core.desk.leave.models import Leave, Status
from core.desk.leave.queries import COLUMNS, FILTERS, NOUN
from core.kernel.texts import label
from core.rest.menus import EVERYBODY, EVERYTHING, SEE, Button, MenuEntry, ShippedRole, held_by, together
from core.rest.scopes import Scope
from core.rest.serializers import AmountField, NameField, NounSerializer
from core.rest.sheets import Export
from core.rest.viewsets import NounViewSet
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
    nextText = serializers.SerializerMethodField(
        help_text="What an approval leads to; empty where the company's own model decides it."
    )

    class Meta(LeaveDraft.Meta):
        fields = (
            *LeaveDraft.Meta.fields, "leave_no", "createUser", "userName", "deptName", "approverName", "apply_time",
            "close_time", "create_time", "flow", "nextText", *CaseDetail.PROCESS,
        )  # fmt: skip

    @extend_schema_field(inline_serializer("LeaveFlow", {"assigneeName": serializers.CharField()}))
    def get_flow(self, leave: Leave) -> dict[str, str]:
        """The family's pages read the applicant's name here."""
        return {"assigneeName": leave.user.real_name}

    def get_nextText(self, leave: Leave) -> str:
        """The next step of this very request."""
        task = self.get_openTask(leave)
        if task is None or not ports.processes.runs_shipped_model(LEAVE.name, leave.pk):
            return ""
        return what_follows(leave, task["node"])


class LeaveViewSet(Drafts, CaseViewSet):
    """Asking for leave, and what is done with a request."""

    menu = MenuEntry(
        "work_start",
        roles=together(
            held_by(EVERYBODY, {"add"}),
            {ShippedRole.HR: {"approve"}, ShippedRole.TENANT_ADMIN: EVERYTHING},
        ),
        buttons={
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


class LeaveRecordSerializer(CaseRow):
    """A request in the list of all; its reason is on its page alone."""

    userName = NameField(source="user", label=label("申请人", "Applicant"))
    deptName = NameField(source="dept", label=label("部门", "Department"))
    typeName = NameField(source="get_type_display", label=label("请假类型", "Type"))
    days = AmountField(max_digits=5, decimal_places=1, read_only=True, label=label("请假天数", "Days"))

    class Meta:
        model = Leave
        fields = (
            "id", "leave_no", "user", "userName", "dept", "deptName", "type", "typeName", "start_time", "end_time",
            "days", "status", "statusName", "waitingFor", "apply_time", "close_time",
        )  # fmt: skip


_LEADERS = (ShippedRole.WORKSHOP_HEAD, ShippedRole.EQUIP_MANAGER)


class LeaveRecordViewSet(Export, NounViewSet):
    """All requests for leave within the caller's data scope."""

    noun = NOUN
    menu = MenuEntry(
        "desk", "/desk/leave", "leave", label("请假记录", "Leave records"), place=2,
        roles=together(
            held_by(_LEADERS, SEE),
            {ShippedRole.HR: {"view", "export"}, ShippedRole.TENANT_ADMIN: EVERYTHING},
        ),
    )  # fmt: skip
    shipped_scopes = {Scope.ALL: (ShippedRole.HR,), Scope.DEPARTMENT_TREE: _LEADERS}
    scope_columns = COLUMNS
    queryset = Leave.objects.exclude(status=Status.DRAFT).select_related("user", "dept")
    serializer_class = LeaveRecordSerializer
    filters = FILTERS
    order = ("-apply_time", "-id")

    def page_context(self, ids: Sequence[int]) -> dict[str, Any]:
        """Return the open steps of a page's requests."""
        return {"waiting": waiting(LEAVE.name, ids)}

    def show(self, request: Request) -> Response:
        """One request as the list shows it; its page has the whole."""
        leave = self.row(self.id_parameter())
        context = {**self.get_serializer_context(), **self.page_context([leave.pk])}
        return Response(self.get_serializer_class()(leave, context=context).data)
