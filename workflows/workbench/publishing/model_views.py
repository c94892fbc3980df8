"""Models: the company's drafts and what became of them, under /blade-flow/model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.blade.parsers import parameters
from core.kernel.errors import Invalid, Missing
from core.kernel.tenancy import current_tenant
from core.kernel.texts import label, moment
from core.rest.menus import EVERYTHING, Button, MenuEntry, Place, ShippedRole, held_by
from core.rest.pagination import page
from core.rest.viewsets import BaseViewSet, RemoveBy
from workflows import engine
from workflows.runtime.calls.definition_serializers import category_names
from workflows.runtime.definitions import library
from workflows.runtime.tables.deployments.models import Draft, Revision
from workflows.workbench import gate
from workflows.workbench.publishing import drafts, overview, versions
from workflows.workbench.publishing.draft_serializers import (
    ModelDetail,
    ModelInput,
    ModelRow,
    ModelSaved,
    OverviewRow,
    ValidateInput,
)
from workflows.workbench.publishing.inputs import MAX_NOTE, flag, given, query, tenant_ids
from workflows.workbench.publishing.serializers import Deployed, FileReport, report


def _model_row(draft: Draft, names: Mapping[str, str]) -> dict[str, Any]:
    return {
        "id": str(draft.pk),
        "modelKey": draft.model_key,
        "name": draft.name,
        "description": draft.description,
        "category": draft.category,
        "categoryName": names.get(draft.category, ""),
        "version": draft.version,
        "created": moment(draft.create_time),
        "lastUpdated": moment(draft.update_time),
    }


class ModelViewSet(RemoveBy, BaseViewSet):
    """The company's drafts; the platform's own are the general ones."""

    menu = MenuEntry(
        "flow", "/flow/model", "model", label("模型管理", "Models"), code="flow_model", place=1,
        roles=held_by((ShippedRole.FLOW_DESIGNER, ShippedRole.TENANT_ADMIN), EVERYTHING),
        buttons={
            "create": Button(label("新增", "Add"), Place.TOOLBAR),
            "update": Button(label("编辑", "Edit")),
            "deploy": Button(label("部署", "Deploy"), Place.BOTH),
        },
    )  # fmt: skip
    by_tenant = True
    pages = frozenset({"listed", "overviewed"})
    removal = drafts.remove
    codes = {
        "listed": "flow_model_view",
        "overviewed": "flow_model_view",
        "detailed": "flow_model_view",
        "validate": "flow_model_view",
        "saved": "flow_model_update",
        "remove": "flow_model_delete",
        "deploy": "flow_model_deploy",
    }

    def declared_code(self) -> str | None:
        """Beginning a draft and drawing it on have codes of their own."""
        if self.action == "saved" and not str(parameters(self.request).get("id") or "").strip():
            return "flow_model_create"
        return super().declared_code()

    @extend_schema(
        parameters=[
            *query("current", "size", "key", "name", "category", current=int, size=int),
            OpenApiParameter("state", str, enum=overview.STATES),
            OpenApiParameter("mode", str, enum=[library.GENERAL, library.OWN], description="1 general, 2 own"),
        ],
        responses=OverviewRow(many=True),
    )
    @action(detail=False, methods=["get"], url_path="overview")
    def overviewed(self, request: Request) -> Response:
        """A page of the models that the company sees, drafts and versions together, the one touched last first."""
        return Response(overview.overview(given(request)))

    @extend_schema(
        parameters=query("current", "size", "modelKey", "name", current=int, size=int), responses=ModelRow(many=True)
    )
    @action(detail=False, methods=["get"], url_path="list")
    def listed(self, request: Request) -> Response:
        """Answer a page of the drafts, the one saved last first."""
        asked = given(request)
        rows = Draft.objects.defer("xml").order_by("-update_time", "-id")
        if asked.get("modelKey"):
            rows = rows.filter(model_key__icontains=asked["modelKey"])
        if asked.get("name"):
            rows = rows.filter(name__icontains=asked["name"])
        found, numbers = page(rows, asked)
        names = category_names()
        return Response({"records": [_model_row(row, names) for row in found], **numbers})

    @extend_schema(
        parameters=[
            OpenApiParameter("id", str, required=True),
            OpenApiParameter("version", int, description="An earlier one of the history."),
        ],
        responses=ModelDetail,
    )
    @action(detail=False, methods=["get"], url_path="detail")
    def detailed(self, request: Request) -> Response:
        """Answer a draft with its model and its history, the newest first."""
        draft = drafts.found(self.id_parameter())
        history = list(Revision.objects.filter(draft=draft).defer("xml").order_by("-version")[:200])
        xml = draft.xml
        if request.query_params.get("version"):
            asked = Revision.objects.filter(draft=draft, version=min(self.id_parameter("version"), 2**31 - 1)).first()
            if asked is None:
                raise Missing()
            xml = asked.xml
        told = [
            {
                "version": row.version,
                "note": row.note,
                "userName": row.user_name,
                "time": moment(row.time),
                "isAutomatic": row.is_automatic,
            }
            for row in history
        ]
        return Response({**_model_row(draft, category_names()), "xml": xml, "history": told})

    @extend_schema(request=ModelInput, responses=ModelSaved)
    @action(detail=False, methods=["post"], url_path="submit")
    def saved(self, request: Request) -> Response:
        """Save a draft: without an id a new one, with one the next version after the one that was read.

        With `auto` it was saved by itself: a run of such saves by one person within minutes is one entry of the
        history and of the audit. The version counts up each time, so that who read an older one is told.
        """
        body = parameters(request)
        asked = ModelInput(data=body)
        asked.is_valid(raise_exception=True)
        values = {name: asked.validated_data[name] for name in drafts.FIELDS if name in asked.validated_data}
        reason = drafts.Reason(asked.validated_data["note"], bool(asked.validated_data["auto"]))
        if not str(body.get("id") or "").strip():
            if not values.get("model_key"):
                values["model_key"] = engine.process_id(values["xml"].encode())[:60]
            if not values["model_key"]:
                raise Invalid({"modelKey": _("缺少必要的请求参数: {name}").format(name="modelKey")})
            return Response(drafts.add(self.actor, values, reason))
        if "version" not in asked.validated_data:
            raise Invalid({"version": _("缺少必要的请求参数: {name}").format(name="version")})
        read = asked.validated_data["version"]
        return Response(drafts.edit(self.actor, self.id_parameter(), read, values, reason))

    @extend_schema(
        parameters=[
            OpenApiParameter("modelId", str, required=True),
            OpenApiParameter("category", str),
            OpenApiParameter("tenantIds", str, description="Comma-joined; empty: for everybody, by the platform."),
            OpenApiParameter("confirm", int, description="1: the warnings are known."),
            OpenApiParameter("note", str, description="Why; at most 200 characters."),
        ],
        request=None,
        responses=Deployed,
    )
    @action(detail=False, methods=["post"], url_path="deploy")
    def deploy(self, request: Request) -> Response:
        """Publish a draft."""
        body, note = parameters(request), self.text_parameter("note", _("说明"), MAX_NOTE)
        terms = versions.Terms(
            str(body.get("category") or "").strip(), tenant_ids(body), flag(request, "confirm"), note
        )
        return Response(drafts.deploy(self.actor, self.id_parameter("modelId"), terms))

    @extend_schema(request=ValidateInput, responses=FileReport)
    @action(detail=False, methods=["post"], url_path="validate")
    def validate(self, request: Request) -> Response:
        """What the gate would say of a model, or of a stored draft."""
        body = parameters(request)
        if body.get("id"):
            draft = drafts.found(self.id_parameter())
            verdict, name = gate.examine(draft.xml.encode(), draft.category), draft.name
        else:
            verdict, name = gate.judged(str(body.get("xml") or "").encode()), ""
        return Response(report(name, gate.examine_for([current_tenant()], verdict)))
