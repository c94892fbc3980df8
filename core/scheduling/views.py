"""Calls of the queues: what waits for the worker, and another try of what has failed."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.blade.parsers import parameters
from core.kernel.tenancy import PLATFORM, current_tenant
from core.kernel.texts import label
from core.rest.menus import EVERYTHING, Button, MenuEntry, Place, ShippedRole, held_by
from core.rest.pagination import page
from core.rest.serializers import IdListField
from core.rest.viewsets import BaseViewSet
from core.scheduling import figures

_QUEUES = ["messages", "timers", "schedules", "operations", "sheets", "seals"]
_QUEUE = OpenApiParameter("queue", str, required=True, enum=_QUEUES)


class QueueRow(serializers.Serializer):  # type: ignore[type-arg]
    """What waits in a queue for one company."""

    id = serializers.CharField()
    tenantId = serializers.CharField()
    tenantName = serializers.CharField()
    queue = serializers.ChoiceField(choices=_QUEUES)
    due = serializers.IntegerField(help_text="Whose time has come.")
    later = serializers.IntegerField(help_text="Whose time is still to come.")
    asleep = serializers.IntegerField(help_text="For what is suspended or has an incident.")
    parked = serializers.IntegerField(help_text="Failed too often; `retry` tries them again.")
    lag = serializers.IntegerField(help_text="Seconds since the oldest of them fell due.")
    used = serializers.IntegerField(help_text="Taken in this minute.")
    budget = serializers.IntegerField(help_text="How many are taken in a minute at most.")
    isOver = serializers.BooleanField(help_text="The others wait for the next minute.")


class Retried(serializers.Serializer):  # type: ignore[type-arg]
    """How many are tried again."""

    retried = serializers.IntegerField()
    left = serializers.IntegerField(help_text="Of processes, which are repaired there.")


class Failed(serializers.Serializer):  # type: ignore[type-arg]
    """A message or timer that has failed too often."""

    id = serializers.CharField()
    topic = serializers.CharField(help_text="What it is about; `timer` for timers.")
    error = serializers.CharField(help_text="Why the last try failed.")
    attempts = serializers.IntegerField()
    processInstanceId = serializers.CharField(help_text="The process that it belongs to and is repaired at, or empty.")


class Discarded(serializers.Serializer):  # type: ignore[type-arg]
    """How many were deleted."""

    discarded = serializers.IntegerField()


class QueueViewSet(BaseViewSet):
    """What waits for the worker: messages, timers, starts by time, exports of many rows, checks of the audit log."""

    menu = MenuEntry(
        "monitor", "/monitor/queue", "queue", label("后台队列", "Queues"), code="queue", place=2,
        roles=held_by((ShippedRole.FLOW_DESIGNER, ShippedRole.TENANT_ADMIN), EVERYTHING),
        buttons={
            "retry": Button(label("重试", "Retry"), Place.ROW),
            "discard": Button(label("丢弃", "Discard"), Place.ROW),
        },
    )  # fmt: skip
    by_tenant = True
    pages = frozenset({"listed", "failed"})
    codes = {"listed": "queue_view", "failed": "queue_view", "retry": "queue_retry", "discard": "queue_discard"}

    @extend_schema(
        parameters=[OpenApiParameter("tenantName", str, description="Part of a company's name.")],
        responses=QueueRow(many=True),
    )
    @action(detail=False, methods=["get"], url_path="list")
    def listed(self, request: Request) -> Response:
        """Answer the queues of the own company; to administrators of the platform those of all, the slowest first."""
        asked, own = request.query_params.dict(), current_tenant()
        of_all = self.actor.is_platform_administrator and own == PLATFORM
        name = asked.get("tenantName", "").strip()[:60]
        rows = figures.rows(tenant_name__icontains=name) if of_all else figures.rows(tenant_id=own)
        found, numbers = page(rows, asked)
        return Response({"records": figures.of(found), **numbers})

    @extend_schema(parameters=[_QUEUE], responses=Failed(many=True))
    @action(detail=False, methods=["get"])
    def failed(self, request: Request) -> Response:
        """Answer what has failed in a queue of the company, the oldest first."""
        found, numbers = page(figures.failed(self.parameter("queue")), request.query_params.dict())
        return Response({"records": [figures.told(row) for row in found], **numbers})

    @extend_schema(
        parameters=[_QUEUE, OpenApiParameter("ids", str, description="These; without it all that have failed.")],
        request=None,
        responses=Retried,
    )
    @action(detail=False, methods=["post"])
    def retry(self, request: Request) -> Response:
        """Try what has failed in a queue of the company again; without `ids` all but what belongs to processes."""
        ids = _ids(self.parameter("ids")) if parameters(request).get("ids") else None
        return Response(figures.retry(self.actor, self.parameter("queue"), ids))

    @extend_schema(parameters=[_QUEUE, OpenApiParameter("ids", str, required=True)], request=None, responses=Discarded)
    @action(detail=False, methods=["post"])
    def discard(self, request: Request) -> Response:
        """Delete what has failed in a queue of the company and is not to be tried again."""
        return Response(figures.discard(self.actor, self.parameter("queue"), _ids(self.parameter("ids"))))


def _ids(text: str) -> list[int]:
    found: list[int] = IdListField().run_validation(text)
    return found
