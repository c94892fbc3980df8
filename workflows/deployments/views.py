"""Deployed models: the list, their state, deletion; under /blade-flow/manager."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.kernel.errors import Invalid
from core.kernel.pagination import page
from core.kernel.parsers import parameters
from core.kernel.serializers import IdListField
from core.kernel.tenancy import current_tenant
from core.kernel.viewsets import Door
from workflows.deployments import operations
from workflows.deployments.models import Definition
from workflows.deployments.serializers import DefinitionRow, definition_rows

GENERAL, OWN = "1", "2"
"""Values of `mode`: general definitions, the tenant's own; nothing means both."""
_MAX_REASON = 200


def _query(*names: str, **kinds: Any) -> list[OpenApiParameter]:
    return [OpenApiParameter(name, kinds.get(name, str)) for name in names]


class StateChanged(serializers.Serializer):  # type: ignore[type-arg]
    """What `change-state` answers."""

    id = serializers.CharField()
    suspensionState = serializers.IntegerField()
    running = serializers.IntegerField()


class Deleted(serializers.Serializer):  # type: ignore[type-arg]
    """What `delete-deployment` answers."""

    deleted = serializers.IntegerField()
    ended = serializers.IntegerField()


def visible(mode: str = "") -> QuerySet[Definition]:
    """The definitions that the tenant in scope may see, newest first: the general ones and its own."""
    own = Q(tenant_id=current_tenant(), is_general=False)
    asked = {GENERAL: Q(is_general=True), OWN: own}.get(mode, own | Q(is_general=True))
    return Definition.objects.filter(asked, is_deleted=False).defer("xml", "meta").order_by("-deploy_time", "-id")


class ManagerDoor(Door):
    """Deployed versions. People of a company change their own; the platform's people change the general ones."""

    by_tenant = True
    pages = frozenset({"listed"})
    codes = {
        "listed": "flow_manager_view",
        "change_state": "flow_manager_state",
        "delete_deployment": "flow_manager_remove",
    }

    def flag(self, name: str) -> bool:
        """A parameter that is 0 or 1; absent it is 0."""
        value = str(parameters(self.request).get(name) or "0").lower()
        if value not in ("0", "1", "true", "false"):
            raise Invalid({name: _("请求参数格式错误: {name}").format(name=name)})
        return value in ("1", "true")

    @extend_schema(
        parameters=_query("current", "size", "mode", "category", "key", "name", current=int, size=int),
        responses=DefinitionRow(many=True),
    )
    @action(detail=False, methods=["get"], url_path="list")
    def listed(self, request: Request) -> Response:
        """A page of the versions, newest first."""
        given = {name: value.strip()[:100] for name, value in request.query_params.dict().items()}
        rows = visible(given.get("mode", ""))
        if given.get("category"):
            rows = rows.filter(category=given["category"])
        if given.get("key"):
            rows = rows.filter(key__icontains=given["key"])
        if given.get("name"):
            rows = rows.filter(Q(name__icontains=given["name"]) | Q(name_en__icontains=given["name"]))
        found, numbers = page(rows, given)
        return Response({"records": definition_rows(found), **numbers})

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
        with_running = self.flag("withRunning")
        answer = operations.change_state(self.actor, self.id_parameter("processId"), state == "active", with_running)
        return Response(answer)

    @extend_schema(
        parameters=[
            OpenApiParameter("deploymentIds", str, required=True),
            OpenApiParameter("cascade", int, description="1: end what runs on them."),
            OpenApiParameter("deleteReason", str, description="Why; required with cascade."),
        ],
        request=None,
        responses=Deleted,
    )
    @action(detail=False, methods=["post"], url_path="delete-deployment")
    def delete_deployment(self, request: Request) -> Response:
        """Delete versions, all or none."""
        ids = IdListField().run_validation(self.parameter("deploymentIds"))
        return Response(operations.delete(self.actor, ids, self.flag("cascade"), reason_of(request)))


def reason_of(request: Request) -> str:
    """The reason given, trimmed; raises Invalid when it is too long."""
    reason = str(parameters(request).get("deleteReason") or "").strip()
    if len(reason) > _MAX_REASON:
        text = _("{field}长度不能超过{n}个字符").format(field=_("删除原因"), n=_MAX_REASON)
        raise Invalid({"deleteReason": text})
    return reason
