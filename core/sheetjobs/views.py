"""Calls of exports and imports that run as jobs."""

from __future__ import annotations

from pathlib import Path

from django.db.models import QuerySet
from django.http import FileResponse
from django.utils.translation import get_language
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.blade.parsers import parameters
from core.kernel.actor import current_actor
from core.kernel.errors import Missing
from core.kernel.texts import choose, label
from core.rest.filters import FLAG, INTEGER, Filter, filters_of
from core.rest.menus import (
    EVERYBODY,
    EVERYTHING,
    SEE,
    STANDARD_BUTTONS,
    Button,
    MenuEntry,
    Place,
    ShippedRole,
    held_by,
    together,
)
from core.rest.serializers import FlagField, IdField, IdListField, NameField, SpeakingSerializer
from core.rest.sheets import XLSX, Import, content_of
from core.rest.viewsets import SIGNED_IN, NounViewSet, Stored
from core.sheetjobs import calls, operations
from core.sheetjobs.models import SheetJob
from core.storage import files

CALL = r"^[a-z][A-Za-z0-9/_-]{3,150}$"


class SheetJobSerializer(serializers.ModelSerializer):  # type: ignore[type-arg]
    """An export or an import of many rows."""

    id = IdField(read_only=True)
    kindName = NameField(source="get_kind_display")
    userId = IdField(source="user_id", read_only=True)
    userName = serializers.CharField(source="user_name", read_only=True)
    stateName = NameField(source="get_state_display")
    title = serializers.SerializerMethodField(help_text="What the rows are called.")
    query = serializers.DictField(child=serializers.CharField(), read_only=True)
    isStopping = FlagField(source="is_stopping", read_only=True)
    fileName = serializers.SerializerMethodField(help_text="The sheet that came of it; empty where there is none.")
    fileSize = serializers.SerializerMethodField()
    createTime = serializers.DateTimeField(source="create_time", read_only=True)
    startTime = serializers.DateTimeField(source="start_time", read_only=True)
    endTime = serializers.DateTimeField(source="end_time", read_only=True)

    class Meta:
        model = SheetJob
        fields = (
            "id", "kind", "kindName", "userId", "userName", "state", "stateName", "title", "call", "query", "total",
            "done", "created", "updated", "wrong", "isStopping", "reason", "fileName", "fileSize", "createTime",
            "startTime", "endTime",
        )  # fmt: skip
        read_only_fields = fields

    def get_title(self, job: SheetJob) -> str:
        """In the caller's language."""
        return choose(job.title, job.title_en)

    def get_fileName(self, job: SheetJob) -> str:
        """As it is saved."""
        return job.file.original_name if job.file else ""

    def get_fileSize(self, job: SheetJob) -> int:
        """Bytes."""
        return job.file.attach_size if job.file else 0


class ExportAsked(SpeakingSerializer):
    """An export: the address of its call without `/api`, and the parameters that the call would have."""

    call = serializers.RegexField(CALL, label=label("接口地址", "Address of the call"))
    query = serializers.DictField(
        child=serializers.CharField(max_length=500, allow_blank=True), label=label("筛选条件", "Filters"), default=dict
    )

    def validate_query(self, value: dict[str, str]) -> dict[str, str]:
        """Few and short names, as in an address."""
        if len(value) > 60 or any(len(name) > 80 for name in value):
            raise serializers.ValidationError(self.error_messages["invalid"])
        return value


class ImportAsked(SpeakingSerializer):
    """An import: the address of its call without `/api`, the sheet, and whether it may change existing rows."""

    call = serializers.RegexField(CALL, label=label("接口地址", "Address of the call"))
    isCovered = FlagField(required=False)
    file = serializers.FileField(label=label("文件", "File"))


def _own(rows: QuerySet[SheetJob], text: str) -> QuerySet[SheetJob]:
    """Return the jobs that the caller has asked for, where `1` says so."""
    actor = current_actor()
    return rows.filter(user_id=actor.user_id) if text == "1" and actor is not None else rows


class SheetJobViewSet(NounViewSet):
    """Exports and imports of many rows: the caller's own, or those of the whole company."""

    menu = MenuEntry(
        "desk", "/desk/sheet", "sheet", label("导入导出任务", "Imports and exports"), code="sheetjob", place=3,
        roles=together(held_by(EVERYBODY, SEE), {ShippedRole.TENANT_ADMIN: EVERYTHING}),
        buttons={
            "view": STANDARD_BUTTONS["view"],
            "all": Button(label("查看全部", "See everybody’s"), Place.TOOLBAR),
        },
    )  # fmt: skip
    queryset = SheetJob.objects.select_related("file")
    serializer_class = SheetJobSerializer
    codes = dict.fromkeys(("list", "show", "export", "import_rows", "cancel", "remove", "download"), SIGNED_IN)
    longest_bodies = Import.longest_bodies
    order = ("-create_time", "-id")
    filters = filters_of(SheetJob, "kind", "state", "user_name") | {
        "mine": Filter(kind=FLAG, apply=_own),
        "total": Filter("total", INTEGER),
    }

    def get_queryset(self) -> QuerySet[SheetJob]:
        """Return the jobs that the caller may see."""
        return operations.visible(self.actor).select_related("file")  # type: ignore[no-any-return]

    @extend_schema(request=ExportAsked, responses=Stored)
    @action(detail=False, methods=["post"], url_path="export")
    def export(self, request: Request) -> Response:
        """Ask for an export of up to 200,000 rows; whoever may make the call may ask for it."""
        given = ExportAsked(data=parameters(request))
        given.is_valid(raise_exception=True)
        asked = given.validated_data
        return Response(operations.export(self.actor, asked["call"], asked["query"], get_language() or "zh-hans"))

    @extend_schema(request={"multipart/form-data": ImportAsked}, responses=Stored)
    @action(detail=False, methods=["post"], url_path="import")
    def import_rows(self, request: Request) -> Response:
        """Ask for an import of up to 20,000 rows; wrong ones are left out, and come back in a workbook with reasons."""
        content = content_of(request)
        given = ImportAsked(data=parameters(request))
        given.is_valid(raise_exception=True)
        asked = given.validated_data
        query = {"isCovered": "1"} if asked.get("isCovered") else {}
        name = Path(asked["file"].name).stem
        return Response(
            operations.bring_in(self.actor, asked["call"], query, get_language() or "zh-hans", name, content)
        )

    @extend_schema(parameters=[OpenApiParameter("id", str, required=True)], request=None, responses=None)
    @action(detail=False, methods=["post"], url_path="cancel")
    def cancel(self, request: Request) -> Response:
        """Cancel a job that waits or runs."""
        return Response(operations.cancel(self.actor, self.id_parameter()))

    @extend_schema(parameters=[OpenApiParameter("ids", str, required=True)], request=None, responses=None)
    def remove(self, request: Request) -> Response:
        """Remove jobs that have ended, with their files."""
        return Response(operations.remove(self.actor, IdListField().run_validation(self.parameter("ids"))))

    @extend_schema(
        parameters=[OpenApiParameter("id", str, required=True)], responses={(200, XLSX): OpenApiTypes.BINARY}
    )
    @action(detail=False, methods=["get"], url_path="download")
    def download(self, request: Request) -> FileResponse:
        """Answer the sheet that came of the caller's own job, while the caller may still make the job's call."""
        job = self.row(self.id_parameter())
        if job.user_id != self.actor.user_id or job.file is None:
            raise Missing()
        with calls.of(job):
            pass
        path, kind = files.stored(job.file.name)
        return FileResponse(path.open("rb"), as_attachment=True, filename=job.file.original_name, content_type=kind)
