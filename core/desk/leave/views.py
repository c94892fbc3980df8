"""Calls of requests for leave, under /blade-desk/process/leave, and of the list of all."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field, inline_serializer
from rest_framework import serializers

from core import ports
from core.cases.lists import CaseListViewSet
from core.cases.serializers import CaseDetail
from core.cases.views import CaseViewSet, Drafts
from core.desk.leave.case import LEAVE
from core.desk.leave.models import Leave
from core.kernel.texts import label
from core.rest.menus import EVERYBODY, EVERYTHING, SEE, Button, MenuEntry, ShippedRole, held_by, together
from core.rest.scopes import Scope
from core.rest.serializers import NameField


class LeaveDetail(CaseDetail):
    """A request as a document."""

    case = LEAVE

    # Ids under the family's names, which do not end as ours do; empty for none.
    createUser = NameField(source="user_id")
    taskUser = NameField(source="task_user_id")
    taskUserName = NameField(source="task_user")
    flow = serializers.SerializerMethodField()

    class Meta:
        model = Leave
        fields = (
            "id", "leave_no", "user", "dept", "type", "start_time", "end_time", "days", "reason", "taskUser",
            "taskUserName", "attachments", "approver", "apply_time", "close_time", "create_time", "createUser", "flow",
            *CaseDetail.PROCESS,
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
            {ShippedRole.HR: {"approve"}, ShippedRole.TENANT_ADMIN: EVERYTHING},
        ),
        buttons={"approve": Button(label("人事审批请假", "Approve leave for HR"))},
    )
    case = LEAVE
    queryset = Leave.objects.select_related("user", "dept", "task_user", "approver")
    detail_serializer_class = LeaveDetail
    form_fields = {"approver": serializers.CharField(), "approverName": serializers.CharField()}

    def form_extras(self) -> dict[str, Any]:
        """The head of the department, who approves when nobody is chosen."""
        head = ports.people.head_of(self.actor.user_id)
        return {"approver": str(head or ""), "approverName": ports.people.names({head})[head] if head else ""}


_LEADERS = (ShippedRole.WORKSHOP_HEAD, ShippedRole.EQUIP_MANAGER)
_HEADS = (*_LEADERS, ShippedRole.SHIFT_LEADER, ShippedRole.REPAIR_LEADER)
"""Roles of people who may head a department, which is what opens its requests to the latter two."""


class LeaveRecordViewSet(CaseListViewSet):
    """All requests for leave within the caller's data scope."""

    case = LEAVE
    menu = MenuEntry(
        "desk", "/desk/leave", "leave", label("请假记录", "Leave records"), place=2,
        roles=together(
            held_by(_HEADS, SEE),
            {ShippedRole.HR: {"view", "export"}, ShippedRole.TENANT_ADMIN: EVERYTHING},
        ),
    )  # fmt: skip
    shipped_scopes = {Scope.ALL: (ShippedRole.HR,), Scope.DEPARTMENT_TREE: _LEADERS}
