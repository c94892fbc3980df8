"""The calls of copies, and of what was opened: a part of those under /blade-flow/work."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.blade.parsers import parameters
from core.kernel.texts import choose, moment
from core.rest.filters import CODE, FLAG, MOMENT, Filter, apply_filters
from core.rest.pagination import page
from core.rest.serializers import IdListField
from core.rest.viewsets import BaseViewSet
from workflows.runtime.calls.definition_serializers import category_names
from workflows.runtime.calls.work_filters import asked, containing
from workflows.runtime.commands import copying
from workflows.runtime.definitions import library
from workflows.runtime.rows import copies
from workflows.runtime.tables.worklist.models import Copy

_MAX_NOTE = 500


def _unread(rows: QuerySet[Copy], text: str) -> QuerySet[Copy]:
    """Rows that were not opened; text 1 alone asks for it."""
    return rows.filter(read_time=None) if text in ("1", "true") else rows


COPY_FILTERS = {
    "keyword": Filter(
        apply=containing(
            "instance__title", "instance__title_en", "instance__business_no", "instance__starter_name", "sender_name"
        )
    ),
    "category": Filter("instance__definition__category", CODE),
    "unread": Filter(kind=FLAG, apply=_unread),
    "createTime": Filter("create_time", MOMENT),
}


class CopyRow(serializers.Serializer):  # type: ignore[type-arg]
    """A copy, as its receiver's list shows it."""

    id = serializers.CharField()
    title = serializers.CharField()
    note = serializers.CharField()
    nodeName = serializers.CharField(help_text="The step after which it was sent; empty for one sent by hand.")
    senderName = serializers.CharField(help_text="Empty where the model sent it.")
    starterName = serializers.CharField()
    category = serializers.CharField()
    categoryName = serializers.CharField()
    processDefinitionName = serializers.CharField()
    processInstanceId = serializers.CharField()
    businessTable = serializers.CharField()
    businessId = serializers.CharField()
    businessNo = serializers.CharField()
    status = serializers.IntegerField()
    statusName = serializers.CharField()
    createTime = serializers.CharField()
    readTime = serializers.CharField(help_text="When the receiver opened it; empty while unread.")


class CopyInput(serializers.Serializer):  # type: ignore[type-arg]
    """The body of send-copy."""

    processInstanceId = serializers.CharField()
    userIds = serializers.CharField(help_text="comma joined")
    note = serializers.CharField(required=False)


class Copied(serializers.Serializer):  # type: ignore[type-arg]
    """The answer of send-copy."""

    processInstanceId = serializers.CharField()
    told = serializers.IntegerField(help_text="How many got a copy now; others had one.")


def copy_rows(rows: Iterable[Copy]) -> list[dict[str, Any]]:
    """Return copies, read with their instances, as CopyRow rows."""
    categories = category_names()
    found = []
    for row in rows:
        instance = row.instance
        node = library.specification(instance.definition_id).nodes.get(row.node)
        found.append(
            {
                "id": str(row.pk),
                "title": instance.called,
                "note": row.note,
                "nodeName": choose(node.name, node.name_en) if node else "",
                "senderName": row.sender_name,
                "starterName": instance.starter_name,
                "category": instance.definition.category,
                "categoryName": categories.get(instance.definition.category, ""),
                "processDefinitionName": str(instance.definition),
                "processInstanceId": str(instance.pk),
                "businessTable": instance.business_type,
                "businessId": str(instance.business_id),
                "businessNo": instance.business_no,
                "status": instance.status,
                "statusName": instance.get_status_display(),
                "createTime": moment(row.create_time),
                "readTime": moment(row.read_time),
            }
        )
    return found


class CopyCalls(BaseViewSet):
    """What a person got for information, sending it, and noting that it was opened."""

    @extend_schema(parameters=asked(COPY_FILTERS), responses=CopyRow(many=True))
    @action(detail=False, methods=["get"], url_path="copy-list")
    def copy_list(self, request: Request) -> Response:
        """Answer the copies that I got, the newest first."""
        given = request.query_params.dict()
        rows, numbers = page(apply_filters(copies.of(self.actor.user_id), COPY_FILTERS, given), given)
        return Response({"records": copy_rows(rows), **numbers})

    @extend_schema(request=CopyInput, responses=Copied)
    @action(detail=False, methods=["post"], url_path="send-copy")
    def send_copy(self, request: Request) -> Response:
        """Send people a copy of a process in which I take part."""
        instance_id = self.id_parameter("processInstanceId")
        user_ids = IdListField().run_validation(self.parameter("userIds"))
        note = self.text_parameter("note", _("附言"), _MAX_NOTE)
        return Response(copying.send(self.actor, instance_id, user_ids, note))

    @extend_schema(
        parameters=[OpenApiParameter("processInstanceIds", str, description="comma joined; without them, all")],
        request=None,
        responses=None,
    )
    @action(detail=False, methods=["post"], url_path="read-copies")
    def read_copies(self, request: Request) -> Response:
        """Note that I opened the copies of these processes."""
        given = str(parameters(request).get("processInstanceIds") or "")
        copying.read_copies(self.actor, IdListField().run_validation(given))
        return Response(None)

    @extend_schema(parameters=[OpenApiParameter("taskId", str, required=True)], request=None, responses=None)
    @action(detail=False, methods=["post"], url_path="read-task")
    def read_task(self, request: Request) -> Response:
        """Note that I opened a task that I hold."""
        copying.read_task(self.actor, self.id_parameter("taskId"))
        return Response(None)
