"""Wire forms of requests for leave."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field, inline_serializer
from rest_framework import serializers

from core.audit.story import LogSerializer
from core.desk.leave.models import Leave
from core.desk.leave.operations import ACTIONS
from core.kernel.serializers import NameField, NounSerializer
from core.kernel.steps import OpenTaskSerializer, open_task
from core.storage.serializers import ImagesField


class LeaveSaved(serializers.Serializer):  # type: ignore[type-arg]
    """What an application and every act on it answer."""

    id = serializers.CharField()
    leaveNo = serializers.CharField()
    status = serializers.IntegerField()
    statusName = serializers.CharField()
    lockVersion = serializers.IntegerField()


class _Written(NounSerializer):
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


class LeaveDraft(_Written):
    """What the person has begun to write, and who is asked when no approver is chosen."""


class LeaveForm(serializers.Serializer):  # type: ignore[type-arg]
    """What the page of a new request begins with."""

    draft = LeaveDraft(allow_null=True)
    approver = serializers.CharField()
    approverName = serializers.CharField()


class LeaveDetail(_Written):
    """A request as a document; the view puts `waiting`, `names`, `logs`, `instance` and `allowed` into the context."""

    statusName = NameField(source="get_status_display")
    createUser = NameField(source="user_id")
    userName = NameField(source="user.real_name")
    deptName = NameField(source="dept")
    approverName = NameField(source="approver.real_name")
    flow = serializers.SerializerMethodField()
    processInstanceId = serializers.SerializerMethodField()
    processDefinitionId = serializers.SerializerMethodField()
    waitingFor = serializers.SerializerMethodField()
    logs = serializers.SerializerMethodField()
    openTask = serializers.SerializerMethodField()
    allowedActions = serializers.SerializerMethodField()

    class Meta(_Written.Meta):
        fields = (
            *_Written.Meta.fields, "leave_no", "status", "statusName", "lock_version", "createUser", "userName",
            "deptName", "approverName", "apply_time", "close_time", "create_time", "flow", "processInstanceId",
            "processDefinitionId", "waitingFor", "logs", "openTask", "allowedActions",
        )  # fmt: skip

    @extend_schema_field(inline_serializer("LeaveFlow", {"assigneeName": serializers.CharField()}))
    def get_flow(self, leave: Leave) -> dict[str, str]:
        """The family's pages read the applicant's name here."""
        return {"assigneeName": leave.user.real_name}

    def get_processInstanceId(self, leave: Leave) -> str:
        """The process behind the request."""
        return str(self.context["instance"][0])

    def get_processDefinitionId(self, leave: Leave) -> str:
        """Its version of the model."""
        return str(self.context["instance"][1])

    def get_waitingFor(self, leave: Leave) -> str:
        """The step that waits and for whom; empty when it is over."""
        item = self.context["waiting"].get(leave.pk)
        return f"{item.node_name} · {self.context['names'](item)}" if item else ""

    @extend_schema_field(LogSerializer(many=True))
    def get_logs(self, leave: Leave) -> list[dict[str, Any]]:
        """Acts, oldest first."""
        return self.context["logs"]  # type: ignore[no-any-return]

    @extend_schema_field(OpenTaskSerializer(allow_null=True))
    def get_openTask(self, leave: Leave) -> dict[str, Any] | None:
        """The step that waits."""
        return open_task(self.context["waiting"].get(leave.pk), self.context["names"])

    @extend_schema_field(serializers.ListField(child=serializers.ChoiceField(choices=list(ACTIONS))))
    def get_allowedActions(self, leave: Leave) -> list[str]:
        """What whoever asks may do now."""
        return self.context["allowed"]  # type: ignore[no-any-return]
