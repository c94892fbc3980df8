"""Models: drafts under /blade-flow/model; what is deployed of them under /blade-flow/manager."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.kernel.errors import Invalid, Missing
from core.kernel.pagination import page
from core.kernel.parsers import parameters
from core.kernel.serializers import IdListField
from core.kernel.texts import moment
from core.kernel.viewsets import Door
from workflows import engine
from workflows.deployments import drafts, gate, library, operations, upload
from workflows.deployments.models import Draft, Revision
from workflows.deployments.serializers import (
    DefinitionRow,
    Deployed,
    FileReport,
    category_names,
    definition_rows,
    report,
)
from workflows.instances.ending import MAX_REASON


def _query(*names: str, **kinds: Any) -> list[OpenApiParameter]:
    return [OpenApiParameter(name, kinds.get(name, str)) for name in names]


class StateChanged(serializers.Serializer):  # type: ignore[type-arg]
    """What `change-state` answers."""

    id = serializers.CharField()
    suspensionState = serializers.IntegerField()
    running = serializers.IntegerField()


class Removed(serializers.Serializer):  # type: ignore[type-arg]
    """What `delete-deployment` answers."""

    deleted = serializers.IntegerField()
    ended = serializers.IntegerField()


_FILES = {"type": "array", "items": {"type": "string", "format": "binary"}}
_UPLOAD = {
    "type": "object",
    "properties": {
        "files": _FILES,
        "category": {"type": "string"},
        "tenantIds": {"type": "string", "description": "Comma-joined; empty: for everybody, by the platform."},
        "confirm": {"type": "integer", "description": "1: the warnings are known."},
    },
}


def tenant_ids(given: Mapping[str, Any]) -> list[str]:
    """The tenants named, each once."""
    names = str(given.get("tenantIds") or "").split(",")
    return list(dict.fromkeys(name.strip() for name in names if name.strip()))[:200]


def flag(request: Request, name: str) -> bool:
    """A parameter that is 0 or 1; absent it is 0."""
    value = str(parameters(request).get(name) or "0").lower()
    if value not in ("0", "1", "true", "false"):
        raise Invalid({name: _("请求参数格式错误: {name}").format(name=name)})
    return value in ("1", "true")


class ModelRow(serializers.Serializer):  # type: ignore[type-arg]
    """A draft in the list."""

    id = serializers.CharField()
    modelKey = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    category = serializers.CharField()
    categoryName = serializers.CharField()
    version = serializers.IntegerField()
    created = serializers.CharField()
    lastUpdated = serializers.CharField()


class RevisionRow(serializers.Serializer):  # type: ignore[type-arg]
    """A draft as somebody saved it."""

    version = serializers.IntegerField()
    note = serializers.CharField()
    userName = serializers.CharField()
    time = serializers.CharField()


class ModelDetail(ModelRow):
    """A draft with its drawing, or an earlier drawing where one was asked for, and its history."""

    xml = serializers.CharField()
    history = RevisionRow(many=True)


class ModelSaved(serializers.Serializer):  # type: ignore[type-arg]
    """What saving a draft answers."""

    id = serializers.CharField()
    version = serializers.IntegerField()


_KEY = r"^[^\W\d][\w.\-]*$"


class ModelInput(serializers.Serializer):  # type: ignore[type-arg]
    """A draft as it is sent; without a key it is the drawing's process id."""

    id = serializers.CharField(required=False, allow_blank=True)
    name = serializers.CharField(max_length=80)
    modelKey = serializers.RegexField(_KEY, source="model_key", max_length=60, required=False)
    description = serializers.CharField(max_length=500, required=False, allow_blank=True)
    category = serializers.CharField(max_length=20, required=False, allow_blank=True)
    xml = serializers.CharField(max_length=upload.MAX_BYTES, trim_whitespace=False)
    version = serializers.IntegerField(required=False, min_value=0, max_value=2**31 - 1)
    note = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")


class ValidateInput(serializers.Serializer):  # type: ignore[type-arg]
    """A drawing to look at, or the id of a draft."""

    id = serializers.CharField(required=False)
    xml = serializers.CharField(required=False)


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


class ModelDoor(Door):
    """The company's drafts; the platform's own are the general ones."""

    by_tenant = True
    pages = frozenset({"listed"})
    codes = {
        "listed": "flow_model_view",
        "detailed": "flow_model_view",
        "validate": "flow_model_view",
        "saved": "flow_model_update",
        "removed": "flow_model_delete",
        "deploy": "flow_model_deploy",
    }

    def declared_code(self) -> str | None:
        """Beginning a draft and drawing it on have codes of their own."""
        if self.action == "saved" and not str(parameters(self.request).get("id") or "").strip():
            return "flow_model_create"
        return super().declared_code()

    @extend_schema(
        parameters=_query("current", "size", "modelKey", "name", current=int, size=int), responses=ModelRow(many=True)
    )
    @action(detail=False, methods=["get"], url_path="list")
    def listed(self, request: Request) -> Response:
        """A page of the drafts, the one saved last first."""
        given = {name: value.strip()[:100] for name, value in request.query_params.dict().items()}
        rows = Draft.objects.defer("xml").order_by("-update_time", "-id")
        if given.get("modelKey"):
            rows = rows.filter(model_key__icontains=given["modelKey"])
        if given.get("name"):
            rows = rows.filter(name__icontains=given["name"])
        found, numbers = page(rows, given)
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
        """A draft with its drawing and its history, the newest first."""
        draft = drafts.found(self.id_parameter())
        history = list(Revision.objects.filter(draft=draft).defer("xml").order_by("-version")[:200])
        xml = draft.xml
        if request.query_params.get("version"):
            asked = Revision.objects.filter(draft=draft, version=min(self.id_parameter("version"), 2**31 - 1)).first()
            if asked is None:
                raise Missing()
            xml = asked.xml
        told = [
            {"version": row.version, "note": row.note, "userName": row.user_name, "time": moment(row.time)}
            for row in history
        ]
        return Response({**_model_row(draft, category_names()), "xml": xml, "history": told})

    @extend_schema(request=ModelInput, responses=ModelSaved)
    @action(detail=False, methods=["post"], url_path="submit")
    def saved(self, request: Request) -> Response:
        """Save a draft: without an id a new one, with one the next version after the one that was read."""
        body = parameters(request)
        asked = ModelInput(data=body)
        asked.is_valid(raise_exception=True)
        values = {name: asked.validated_data[name] for name in drafts.FIELDS if name in asked.validated_data}
        if not str(body.get("id") or "").strip():
            if not values.get("model_key"):
                values["model_key"] = engine.process_id(values["xml"].encode())[:60]
            if not values["model_key"]:
                raise Invalid({"modelKey": _("缺少必要的请求参数: {name}").format(name="modelKey")})
            return Response(drafts.add(self.actor, values, asked.validated_data["note"]))
        if "version" not in asked.validated_data:
            raise Invalid({"version": _("缺少必要的请求参数: {name}").format(name="version")})
        read = asked.validated_data["version"]
        return Response(drafts.edit(self.actor, self.id_parameter(), read, values, asked.validated_data["note"]))

    @extend_schema(parameters=[OpenApiParameter("ids", str, required=True)], request=None, responses=None)
    @action(detail=False, methods=["post"], url_path="remove")
    def removed(self, request: Request) -> Response:
        """Delete drafts, all or none."""
        drafts.remove(self.actor, IdListField().run_validation(self.parameter("ids")))
        return Response(None)

    @extend_schema(
        parameters=[
            OpenApiParameter("modelId", str, required=True),
            OpenApiParameter("category", str),
            OpenApiParameter("tenantIds", str, description="Comma-joined; empty: for everybody, by the platform."),
            OpenApiParameter("confirm", int, description="1: the warnings are known."),
        ],
        request=None,
        responses=Deployed,
    )
    @action(detail=False, methods=["post"], url_path="deploy")
    def deploy(self, request: Request) -> Response:
        """Publish a draft."""
        given = parameters(request)
        category = str(given.get("category") or "").strip()
        draft_id, confirmed = self.id_parameter("modelId"), flag(request, "confirm")
        return Response(drafts.deploy(self.actor, draft_id, category, tenant_ids(given), confirmed))

    @extend_schema(request=ValidateInput, responses=FileReport)
    @action(detail=False, methods=["post"], url_path="validate")
    def validate(self, request: Request) -> Response:
        """What the gate would say of a drawing, or of a stored draft."""
        given = parameters(request)
        if given.get("id"):
            draft = drafts.found(self.id_parameter())
            return Response(report(draft.name, gate.examine(draft.xml.encode(), draft.category)))
        return Response(report("", gate.examine(str(given.get("xml") or "").encode())))


class ManagerDoor(Door):
    """Deployed versions. People of a company change their own; the platform's people change the general ones."""

    by_tenant = True
    pages = frozenset({"listed"})
    codes = {
        "listed": "flow_manager_view",
        "change_state": "flow_manager_state",
        "delete_deployment": "flow_manager_remove",
        "deploy_upload": "flow_manager_deploy",
    }

    @extend_schema(
        parameters=_query("current", "size", "mode", "category", "key", "name", current=int, size=int),
        responses=DefinitionRow(many=True),
    )
    @action(detail=False, methods=["get"], url_path="list")
    def listed(self, request: Request) -> Response:
        """A page of the versions, newest first."""
        given = {name: value.strip()[:100] for name, value in request.query_params.dict().items()}
        rows = library.visible(given.get("mode", "")).defer("xml", "meta", "forms").order_by("-deploy_time", "-id")
        if given.get("category"):
            rows = rows.filter(category=given["category"])
        if given.get("key"):
            rows = rows.filter(key__icontains=given["key"])
        if given.get("name"):
            rows = rows.filter(Q(name__icontains=given["name"]) | Q(name_en__icontains=given["name"]))
        found, numbers = page(rows, given)
        return Response({"records": definition_rows(found), **numbers})

    @extend_schema(request={"multipart/form-data": _UPLOAD}, responses=Deployed)
    @action(detail=False, methods=["post"], url_path="deploy-upload")
    def deploy_upload(self, request: Request) -> Response:
        """Deploy .bpmn and .bpmn20.xml files and archives of them, all for all the tenants named, or nothing."""
        given = parameters(request)
        drawings = upload.drawings(request.FILES.getlist("files"))
        order = operations.Order(
            drawings, str(given.get("category") or "").strip(), tenant_ids(given), flag(request, "confirm")
        )
        return Response(operations.deploy_files(self.actor, order))

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
        answer = operations.change_state(self.actor, self.id_parameter("processId"), state == "active", with_running)
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
        reason = self.words("deleteReason", _("删除原因"), MAX_REASON)
        return Response(operations.delete(self.actor, ids, flag(request, "cascade"), reason))
