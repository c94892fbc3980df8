"""Calls of requests for leave, under /blade-desk/process/leave."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.audit.story import story
from core.desk.leave import inputs, operations, queries
from core.desk.leave.models import Leave, Status
from core.desk.leave.serializers import LeaveDetail, LeaveDraft, LeaveForm, LeaveSaved
from core.kernel import ports
from core.kernel.errors import Missing
from core.kernel.parsers import parameters
from core.kernel.steps import waiting
from core.kernel.texts import label
from core.kernel.viewsets import SIGNED_IN, Door, Stored

_OTHER_ACTS = {"start": label("申请请假", "Ask for leave"), "saveDraft": label("存草稿", "Save a draft")}
_UPDATE = PolymorphicProxySerializer(
    "LeaveUpdate",
    list(dict.fromkeys(entry.carries for entry in operations.ACTIONS.values())),
    resource_type_field_name=None,
    many=False,
)


class LeaveDoor(Door):
    """Asking for leave, and what is done with a request."""

    codes = {
        "form": operations.ADD,
        "save_draft": operations.ADD,
        "remove_draft": operations.ADD,
        "start_process": operations.ADD,
        "detail_of": SIGNED_IN,
        "change": SIGNED_IN,
    }

    @extend_schema(responses=LeaveForm)
    @action(detail=False, methods=["get"], url_path="form")
    def form(self, request: Request) -> Response:
        """What the page of a new request begins with: the draft, and the approver if none is chosen."""
        head = ports.people.head_of(self.actor.user_id)
        draft = queries.draft_of(self.actor.user_id)
        return Response(
            {
                "draft": LeaveDraft(draft).data if draft else None,
                "approver": str(head or ""),
                "approverName": ports.people.names({head})[head] if head else "",
            }
        )

    @extend_schema(request=inputs.DraftInput, responses=Stored)
    @action(detail=False, methods=["post"], url_path="save-draft")
    def save_draft(self, request: Request) -> Response:
        """Keep what is written so far, in place of what was kept before."""
        return Response(operations.save_draft(self.actor, parameters(request)))

    @extend_schema(parameters=[OpenApiParameter("id", str, required=True)], request=None, responses=None)
    @action(detail=False, methods=["post"], url_path="remove-draft")
    def remove_draft(self, request: Request) -> Response:
        """Throw away what is written so far."""
        return Response(operations.remove_draft(self.actor, self.id_parameter()))

    @extend_schema(request=inputs.LeaveStartInput, responses=LeaveSaved)
    @action(detail=False, methods=["post"], url_path="start-process")
    def start_process(self, request: Request) -> Response:
        """Ask for leave."""
        return Response(operations.start(self.actor, parameters(request)))

    @extend_schema(parameters=[OpenApiParameter("businessId", str, required=True)], responses=LeaveDetail)
    @action(detail=False, methods=["get"], url_path="detail")
    def detail_of(self, request: Request) -> Response:
        """A request as a document: the facts, the history, what waits, what the caller may do."""
        leave_id, kind = self.id_parameter("businessId"), queries.BUSINESS_TYPE
        if not queries.sees(self.actor, leave_id):
            raise Missing()
        leave = Leave.objects.select_related("user", "dept", "task_user", "approver").get(pk=leave_id)
        items, names = waiting(kind, [leave.pk])
        context = {
            "waiting": items,
            "names": names,
            "logs": story(kind, leave.pk, operations.ACTIONS, _OTHER_ACTS, dict(Status.choices)),
            "instance": ports.processes.instance_of(kind, leave.pk) or ("", ""),
            "allowed": operations.STEPS.allowed(self.actor, leave, items.get(leave.pk)),
        }
        return Response(LeaveDetail(leave, context=context).data)

    @extend_schema(request=_UPDATE, responses=LeaveSaved)
    @action(detail=False, methods=["post"], url_path="update")
    def change(self, request: Request) -> Response:
        """Act on a request: `{id, lockVersion, action, …}`."""
        body = parameters(request)
        name = self.parameter("action")
        return Response(
            operations.STEPS.by_record(self.actor, self.id_parameter(), self.version_parameter(), name, body)
        )
