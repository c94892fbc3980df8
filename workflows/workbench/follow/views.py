"""What runs, stands still and has ended in the company, under /blade-flow/follow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Count, Max, Q, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.kernel.texts import choose, label, moment
from core.rest.filters import CODE, ID, MOMENT, Filter, apply_filters
from core.rest.menus import EVERYTHING, Button, MenuEntry, ShippedRole, held_by
from core.rest.pagination import page
from core.rest.viewsets import BaseViewSet
from workflows.runtime.calls.process_serializers import Incident, incident
from workflows.runtime.calls.work_filters import asked, containing, overdue_where
from workflows.runtime.calls.work_serializers import waiting_for
from workflows.runtime.execution import ending
from workflows.runtime.rows import deadlines, incidents
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

RUNNING, INCIDENT, ENDED = "running", "parked", "ended"
"""What the list can be asked for; nothing means what has not ended."""
_STATES = {
    RUNNING: Q(status=InstanceStatus.RUNNING, park_time=None),
    INCIDENT: Q(status=InstanceStatus.RUNNING, park_time__isnull=False),
    ENDED: ~Q(status=InstanceStatus.RUNNING),
}


def _of_id(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    is_id = text.isascii() and text.isdigit() and int(text) < 2**63
    return rows.filter(pk=int(text)) if is_id else rows.none()


FILTERS = {
    "executionId": Filter(apply=_of_id),
    "processInstanceId": Filter(apply=_of_id),
    "processDefinitionId": Filter("definition_id", ID),
    "processDefinitionKey": Filter("definition__key", CODE),
    "processDefinitionName": Filter(apply=containing("definition__name", "definition__name_en")),
    "category": Filter("definition__category", CODE),
    "keyword": Filter(apply=containing("title", "business_no", "starter_name")),
    "starter": Filter("starter_name"),
    "overdue": overdue_where(deadlines.overdue()),
    "parkCode": Filter("park_code", CODE),
    "startTime": Filter("start_time", MOMENT),
}
_INSTANCE = OpenApiParameter("processInstanceId", str, required=True)


class WaitingStep(serializers.Serializer):  # type: ignore[type-arg]
    """A step of people where the process waits."""

    taskId = serializers.CharField()
    node = serializers.CharField()
    name = serializers.CharField()
    assigneeName = serializers.CharField(help_text="Who holds it, or else its candidates.")
    createTime = serializers.CharField()
    isOverdue = serializers.BooleanField(help_text="A deadline drawn round it has passed.")


class FollowRow(serializers.Serializer):  # type: ignore[type-arg]
    """An instance, as who follows processes reads it."""

    id = serializers.CharField()
    executionId = serializers.CharField()
    processInstanceId = serializers.CharField()
    processDefinitionId = serializers.CharField()
    processDefinitionKey = serializers.CharField()
    processDefinitionName = serializers.CharField()
    processDefinitionVersion = serializers.IntegerField()
    category = serializers.CharField()
    suspensionState = serializers.IntegerField(help_text="1 it moves, 2 suspended with its definition")
    parked = Incident(allow_null=True)
    startUser = serializers.CharField()
    startTime = serializers.CharField()
    endTime = serializers.CharField()
    status = serializers.IntegerField()
    statusName = serializers.CharField()
    waits = WaitingStep(many=True)
    title = serializers.CharField()
    businessNo = serializers.CharField()
    businessTable = serializers.CharField()
    businessId = serializers.CharField()
    followActions = serializers.ListField(child=serializers.ChoiceField(choices=["retry", "reassign", "end"]))
    """What may be done with it as it stands; whether one has the right to is the menu's."""


class ParkReason(serializers.Serializer):  # type: ignore[type-arg]
    """Why some stand still, and how many."""

    code = serializers.CharField()
    text = serializers.CharField(help_text="What it says of one of them.")
    count = serializers.IntegerField()


class FollowCounts(serializers.Serializer):  # type: ignore[type-arg]
    """How many have not ended, and how they stand."""

    running = serializers.IntegerField()
    parked = serializers.IntegerField(help_text="Of the running ones.")
    overdue = serializers.IntegerField(help_text="Of the running ones.")
    reasons = ParkReason(many=True)


def _waiting(instances: Iterable[ProcessInstance]) -> dict[int, list[dict[str, Any]]]:
    """Return by instance the steps that wait, the oldest first; two statements."""
    rows = WorkItem.objects.filter(instance__in=[one.pk for one in instances], state=ItemState.OPEN).order_by("id")
    items = list(
        rows.only(
            "instance_id", "node", "node_name", "node_name_en", "assignee_id", "candidate_keys", "create_time",
            "late_time",
        )
    )  # fmt: skip
    who = waiting_for(items)
    found: dict[int, list[dict[str, Any]]] = {}
    for item in items:
        step = {
            "taskId": str(item.pk),
            "node": item.node,
            "name": item.name,
            "assigneeName": who[item.pk],
            "createTime": moment(item.create_time),
            "isOverdue": item.late_time is not None,
        }
        found.setdefault(item.instance_id, []).append(step)
    return found


def _row(instance: ProcessInstance, waits: list[dict[str, Any]]) -> dict[str, Any]:
    definition = instance.definition
    return {
        "id": str(instance.pk),
        # The family names executions; an instance of ours is one.
        "executionId": str(instance.pk),
        "processInstanceId": str(instance.pk),
        "processDefinitionId": str(definition.pk),
        "processDefinitionKey": definition.key,
        "processDefinitionName": str(definition),
        "processDefinitionVersion": definition.version,
        "category": definition.category,
        "suspensionState": 2 if definition.is_halted else 1,
        "parked": incident(instance),
        "startUser": instance.starter_name,
        "startTime": moment(instance.start_time),
        "endTime": moment(instance.end_time),
        "status": instance.status,
        "statusName": instance.get_status_display(),
        "waits": waits,
        "title": instance.title,
        "businessNo": instance.business_no,
        "businessTable": instance.business_type,
        "businessId": str(instance.business_id),
        "followActions": [
            *(["retry"] if instance.park_time is not None else []),
            *(["reassign"] if waits and not definition.is_halted else []),
            *(["end"] if ending.may_end(instance) else []),
        ],
    }


class FollowViewSet(BaseViewSet):
    """The company's processes, for those who look after them."""

    menu = MenuEntry(
        "flow", "/flow/follow", "follow", label("流程跟踪", "Running processes"), code="flow_follow", place=3,
        roles=held_by((ShippedRole.FLOW_DESIGNER, ShippedRole.TENANT_ADMIN), EVERYTHING),
        buttons={"retry": Button(label("重试", "Retry")), "reassign": Button(label("改派", "Reassign"))},
    )  # fmt: skip
    by_tenant = True
    pages = frozenset({"listed"})
    codes = {
        "listed": "flow_follow_view",
        "counted": "flow_follow_view",
        "delete_process_instance": "flow_follow_delete",
        "retry_process_instance": "flow_follow_retry",
    }

    def _asked(self) -> QuerySet[Any]:
        given = {name: value.strip()[:100] for name, value in self.request.query_params.dict().items()}
        return apply_filters(ProcessInstance.objects.all(), FILTERS, given)

    @extend_schema(
        parameters=[
            *asked(FILTERS),
            OpenApiParameter("state", str, enum=list(_STATES), description="Empty: not ended."),
        ],
        responses=FollowRow(many=True),
    )
    @action(detail=False, methods=["get"], url_path="list")
    def listed(self, request: Request) -> Response:
        """Answer a page of the instances, newest first."""
        state = _STATES.get(request.query_params.get("state", ""), Q(status=InstanceStatus.RUNNING))
        unread = ("definition__xml", "definition__whole", "definition__meta", "definition__forms", "state", "form")
        rows = self._asked().filter(state).select_related("definition").defer(*unread).order_by("-id")
        found, numbers = page(rows, request.query_params.dict())
        waits = _waiting(found)
        return Response({"records": [_row(row, waits.get(row.pk, [])) for row in found], **numbers})

    @extend_schema(parameters=asked(FILTERS)[2:], responses=FollowCounts)
    @action(detail=False, methods=["get"], url_path="counts")
    def counted(self, request: Request) -> Response:
        """Answer how many have not ended, how many of them stand still and why, and how many are overdue."""
        rows = self._asked().filter(status=InstanceStatus.RUNNING).order_by()
        has_incident = Q(park_time__isnull=False)
        counts = rows.aggregate(
            running=Count("pk"),
            parked=Count("pk", filter=has_incident),
            overdue=Count("pk", filter=deadlines.overdue()),
        )
        reasons = (
            rows.filter(has_incident)
            .values_list("park_code")
            .annotate(count=Count("pk"), zh=Max("park_text"), en=Max("park_text_en"))
            .order_by("-count", "park_code")
        )
        told = [{"code": code, "text": choose(zh, en), "count": count} for code, count, zh, en in reasons]
        return Response({**counts, "reasons": told})

    @extend_schema(
        parameters=[
            _INSTANCE,
            OpenApiParameter("deleteReason", str, required=True),
        ],
        request=None,
        responses=None,
    )
    @action(detail=False, methods=["post"], url_path="delete-process-instance")
    def delete_process_instance(self, request: Request) -> Response:
        """End one before its time; of a record's process only by the record's own cancel command."""
        instance_id = self.id_parameter("processInstanceId")
        self.parameter("deleteReason")  # there must be one
        ending.end(self.actor, instance_id, self.text_parameter("deleteReason", _("删除原因"), ending.MAX_REASON))
        return Response({"processInstanceId": str(instance_id)})

    @extend_schema(parameters=[_INSTANCE], request=None, responses=None)
    @action(detail=False, methods=["post"], url_path="retry-process-instance")
    def retry_process_instance(self, request: Request) -> Response:
        """Let one that stands still go on."""
        return Response(incidents.retry(self.actor, self.id_parameter("processInstanceId")))
