"""Deployed versions, under /blade-flow/manager."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.blade.parsers import FORM_FRAME, parameters
from core.kernel import clock
from core.kernel.errors import Invalid
from core.kernel.texts import label, moment
from core.rest.filters import moment_of
from core.rest.menus import EVERYTHING, Button, MenuEntry, Place, ShippedRole, held_by
from core.rest.pagination import page
from core.rest.serializers import IdListField
from core.rest.viewsets import BaseViewSet
from workflows.runtime.calls.definition_serializers import definition_rows
from workflows.runtime.definitions import library
from workflows.runtime.execution.ending import MAX_REASON
from workflows.runtime.rows import schedules
from workflows.runtime.tables.deployments.models import Definition
from workflows.workbench.publishing import upload, versions
from workflows.workbench.publishing.inputs import MAX_NOTE, flag, given, query, tenant_ids
from workflows.workbench.publishing.serializers import Deployed, DeploymentRow, Times, VersionDetail, VersionRow
from workflows.workbench.statistics import status, times


def _rows(found: Sequence[Definition]) -> list[dict[str, Any]]:
    """Return versions as lists show them; one statement more for those in force, and one for starts by time."""
    in_force = set(library.taken().filter(key__in={row.key for row in found}).values_list("pk", flat=True))
    timed = schedules.visible().filter(definition__in=[row.pk for row in found])
    scheduled = set(timed.values_list("definition_id", flat=True))
    return [
        {**told, "isInForce": row.pk in in_force, "isScheduled": row.pk in scheduled}
        for row, told in zip(found, definition_rows(found), strict=True)
    ]


class StateChanged(serializers.Serializer):  # type: ignore[type-arg]
    """What `change-state` answers."""

    id = serializers.CharField()
    suspensionState = serializers.IntegerField()
    running = serializers.IntegerField()


class Removed(serializers.Serializer):  # type: ignore[type-arg]
    """What `delete-deployment` answers."""

    deleted = serializers.IntegerField()
    ended = serializers.IntegerField()
    ending = serializers.IntegerField(help_text="How many the worker ends after this answer.")


_FILES = {"type": "array", "items": {"type": "string", "format": "binary"}}
_UPLOAD = {
    "type": "object",
    "properties": {
        "files": _FILES,
        "category": {"type": "string"},
        "tenantIds": {"type": "string", "description": "Comma-joined; empty: for everybody, by the platform."},
        "confirm": {"type": "integer", "description": "1: the warnings are known."},
        "note": {"type": "string", "description": "Why; at most 200 characters."},
        "check": {"type": "integer", "description": "1: only report, deploy nothing."},
    },
}


class ManagerViewSet(BaseViewSet):
    """Deployed versions. People of a company change their own; the platform's people change the general ones."""

    menu = MenuEntry(
        "flow", "/flow/manager", "deploy", label("流程部署", "Deployments"), code="flow_manager", place=2,
        roles=held_by((ShippedRole.FLOW_DESIGNER, ShippedRole.TENANT_ADMIN), EVERYTHING),
        buttons={
            "image": Button(label("流程图", "Diagram")),
            "deploy": Button(label("部署", "Deploy"), Place.BOTH),
            "state": Button(label("变更状态", "Suspend or activate")),
            "remove": Button(label("删除", "Delete"), Place.BOTH),
        },
    )  # fmt: skip
    by_tenant = True
    pages = frozenset({"listed", "versions"})
    codes = {
        "listed": "flow_manager_view",
        "versions": "flow_manager_view",
        "detailed": "flow_manager_view",
        "timed": "flow_manager_view",
        "change_state": "flow_manager_state",
        "delete_deployment": "flow_manager_remove",
        "deploy_upload": "flow_manager_deploy",
    }
    longest_bodies = {"deploy_upload": upload.MAX_FILES * upload.MAX_BYTES + FORM_FRAME}

    @extend_schema(
        parameters=query("current", "size", "mode", "category", "key", "name", current=int, size=int),
        responses=DeploymentRow(many=True),
    )
    @action(detail=False, methods=["get"], url_path="list")
    def listed(self, request: Request) -> Response:
        """Answer a page of the versions, newest first."""
        asked = given(request)
        rows = library.rows(asked.get("mode", "")).order_by("-deploy_time", "-id")
        if asked.get("category"):
            rows = rows.filter(category=asked["category"])
        if asked.get("key"):
            rows = rows.filter(key__icontains=asked["key"])
        if asked.get("name"):
            rows = rows.filter(Q(name__icontains=asked["name"]) | Q(name_en__icontains=asked["name"]))
        found, numbers = page(rows, asked)
        return Response({"records": _rows(found), **numbers})

    @extend_schema(
        parameters=[OpenApiParameter("key", str, required=True), *query("current", "size", current=int, size=int)],
        responses=VersionRow(many=True),
    )
    @action(detail=False, methods=["get"], url_path="versions")
    def versions(self, request: Request) -> Response:
        """A page of the versions of one model, general and own, newest first, and how what runs on them stands."""
        rows = library.rows().filter(key=self.parameter("key")[:100]).order_by("-deploy_time", "-id")
        found, numbers = page(rows, given(request))
        counts = status.by_version(row.pk for row in found)
        told = zip(found, _rows(found), strict=True)
        return Response({"records": [{**row, **counts.get(one.pk, status.NOTHING)} for one, row in told], **numbers})

    @extend_schema(parameters=[OpenApiParameter("processId", str, required=True)], responses=VersionDetail)
    @action(detail=False, methods=["get"], url_path="detail")
    def detailed(self, request: Request) -> Response:
        """Answer a version with its model."""
        definition = library.seen(self.id_parameter("processId"))
        [row] = definition_rows([definition])
        return Response({**row, "xml": bytes(definition.xml).decode()})

    @extend_schema(
        parameters=[
            OpenApiParameter("processId", str, description="One version."),
            OpenApiParameter("key", str, description="Or all versions of a model, those that were deleted too."),
            OpenApiParameter("from", str, description=f"Empty: {times.DAYS} days before the end."),
            OpenApiParameter("to", str, description=f"Empty: now. The window has at most {times.MAX_DAYS} days."),
        ],
        responses=Times,
    )
    @action(detail=False, methods=["get"], url_path="times")
    def timed(self, request: Request) -> Response:
        """How often and how long, from the own company's history: of a version, or of all versions of a model."""
        asked = given(request)
        end = moment_of("to", asked["to"], is_end=True) if asked.get("to") else clock.now()
        try:
            begin = moment_of("from", asked["from"]) if asked.get("from") else end - timedelta(days=times.DAYS)
        except OverflowError:
            raise Invalid({"to": _("请求参数格式错误: {name}").format(name="to")}) from None
        if not begin < end <= begin + timedelta(days=times.MAX_DAYS):
            raise Invalid({"from": _("时间范围须在{n}天以内").format(n=times.MAX_DAYS)})
        if asked.get("processId"):
            ids = [library.seen(self.id_parameter("processId")).pk]
        else:
            ids = library.ever(self.parameter("key")[:100])
        return Response({"begin": moment(begin), "end": moment(end), **times.of(ids, begin, end)})

    @extend_schema(request={"multipart/form-data": _UPLOAD}, responses=Deployed)
    @action(detail=False, methods=["post"], url_path="deploy-upload")
    def deploy_upload(self, request: Request) -> Response:
        """Deploy .bpmn and .bpmn20.xml files and archives of them, all for all the tenants named, or nothing.

        With `check` it only says what would become of them.
        """
        body, note = parameters(request), self.text_parameter("note", _("说明"), MAX_NOTE)
        terms = versions.Terms(
            str(body.get("category") or "").strip(), tenant_ids(body), flag(request, "confirm"), note
        )
        models = upload.models(request.FILES.getlist("files"))
        do = versions.check_files if flag(request, "check") else versions.deploy_files
        return Response(do(self.actor, models, terms))

    @extend_schema(
        parameters=[
            OpenApiParameter("processId", str, required=True),
            OpenApiParameter("state", str, required=True, enum=["active", "suspend"]),
            OpenApiParameter("withRunning", int, description="1: what runs stands still too; 0: new starts only."),
        ],
        request=None,
        responses=StateChanged,
    )
    @action(detail=False, methods=["post"], url_path="change-state")
    def change_state(self, request: Request) -> Response:
        """Suspend or activate a version."""
        state = self.parameter("state")
        if state not in ("active", "suspend"):
            raise Invalid({"state": _("请求参数格式错误: {name}").format(name="state")})
        with_running = flag(request, "withRunning")
        answer = versions.change_state(self.actor, self.id_parameter("processId"), state == "active", with_running)
        return Response(answer)

    @extend_schema(
        parameters=[
            OpenApiParameter("deploymentIds", str, required=True),
            OpenApiParameter("cascade", int, description="1: end what runs on them."),
            OpenApiParameter("deleteReason", str, description="Why; required with cascade."),
        ],
        request=None,
        responses=Removed,
    )
    @action(detail=False, methods=["post"], url_path="delete-deployment")
    def delete_deployment(self, request: Request) -> Response:
        """Delete versions, all or none."""
        ids = IdListField().run_validation(self.parameter("deploymentIds"))
        reason = self.text_parameter("deleteReason", _("删除原因"), MAX_REASON)
        return Response(versions.delete(self.actor, ids, flag(request, "cascade"), reason))
