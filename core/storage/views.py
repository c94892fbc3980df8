"""Uploading files, and showing them by signed links."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from whitenoise.responders import SlicedFile

from core.blade.envelope import plain_failure
from core.blade.parsers import FORM_FRAME, parameters
from core.kernel.audit_entry import AuditEntry
from core.kernel.errors import Conflict, Invalid, Missing, NotAllowed
from core.kernel.operation import operation, perform
from core.kernel.tenancy import tenant_scope
from core.kernel.texts import label
from core.rest import edits
from core.rest.filters import INTEGER, Filter, filters_of
from core.rest.menus import EVERYTHING, STANDARD_BUTTONS, MenuEntry, ShippedRole
from core.rest.sheets import Export
from core.rest.viewsets import SIGNED_IN, BaseViewSet, NounViewSet, Remove, Stored
from core.storage import files
from core.storage.kinds import LONGEST, PLACES, SHOWN
from core.storage.models import Attachment
from core.storage.serializers import AttachmentSerializer, StoredFile
from core.storage.uses import shown_by

_RANGE = re.compile(r"bytes=(?=[0-9-]{2})(?P<first>[0-9]{0,12})-(?P<last>[0-9]{0,12})")
_NAME = re.compile(r"[0-9a-f]{32}\.[a-z0-9]{3,4}")

_PLACE = OpenApiParameter("place", str, enum=list(PLACES), description="What the file is for; a picture by default.")
_FILE = {"type": "object", "properties": {"file": {"type": "string", "format": "binary"}}}


@operation("attach.put", code=SIGNED_IN)
def put(actor: object, file: files.Looked) -> dict[str, str]:
    """Store a file for whoever is signed in; answers its link."""
    row = files.store(file)
    return {
        "link": files.signed_link(row.name),
        "domain": "",
        "name": row.name,
        "originalName": row.original_name,
        "attachId": str(row.pk),
    }


class UploadViewSet(BaseViewSet):
    """The upload call of the family."""

    codes = {"put_file": SIGNED_IN, "put_file_attach": SIGNED_IN}
    longest_bodies = dict.fromkeys(codes, LONGEST + FORM_FRAME)
    same_call = {"put_file_attach": "put_file"}

    @extend_schema(parameters=[_PLACE], request={"multipart/form-data": _FILE}, responses=StoredFile)
    @action(detail=False, methods=["post"], url_path="put-file")
    def put_file(self, request: Request) -> Response:
        """Take one file of the kinds of its place: pictures and documents up to 20 MB, recordings up to 60 s."""
        return self._put(request)

    @extend_schema(parameters=[_PLACE], request={"multipart/form-data": _FILE}, responses=StoredFile)
    @action(detail=False, methods=["post"], url_path="put-file-attach")
    def put_file_attach(self, request: Request) -> Response:
        """Answer the same: every file that is stored here is an attachment."""
        return self._put(request)

    def _put(self, request: Request) -> Response:
        file = request.FILES.get("file")
        if file is None:
            raise Invalid({"file": _("缺少必要的请求参数: {name}").format(name="file")})
        place = request.query_params.get("place", "picture")
        if place not in PLACES:
            raise Invalid({"place": _("请求参数格式错误: {name}").format(name="place")})
        files.check_size(file.size or 0, PLACES[place])
        with self.outside():
            looked = files.look(file.read(), file.name or "", PLACES[place])
        return Response(put(self.actor, looked))


class AttachmentViewSet(Export, Remove, NounViewSet):
    """Stored files. They come in by an upload; `submit` changes what is said of one."""

    noun = "attach"
    menu = MenuEntry(
        "resource", "/resource/attach", "attach", label("附件管理", "Attachments"),
        roles={ShippedRole.TENANT_ADMIN: EVERYTHING},
        buttons={"delete": STANDARD_BUTTONS["delete"]},
    )  # fmt: skip
    by_tenant = True
    queryset = Attachment.objects.filter(is_private=False)
    serializer_class = AttachmentSerializer
    by_ticket = frozenset({"download"})
    codes = {"download": "attach_view", "submit": "attach_edit", "describe": "attach_edit", "remove": SIGNED_IN}
    filters = filters_of(Attachment, "original_name", "name", "extension") | {
        "attachSize": Filter("attach_size", INTEGER),
        "link": Filter(apply=lambda rows, text: rows.filter(name__in=_NAME.findall(text))),
    }

    @extend_schema(responses=Stored)
    @action(detail=False, methods=["post"], url_path="submit")
    def describe(self, request: Request) -> Response:
        """Change the name that is shown, or the remark."""
        body, row_id = parameters(request), self.id_parameter()
        entry = AuditEntry("attach.edit", self.actor, business_type="attach", business_id=row_id)

        def change() -> dict[str, str]:
            row = self.row_to_change(body)
            serializer = self.get_serializer(row, data=body, partial=True)
            serializer.is_valid(raise_exception=True)
            with edits.told(self, entry, row, body):
                serializer.save()
            entry.remark = row.original_name
            return {"id": str(row.pk)}

        return Response(perform(entry, body, change))

    @extend_schema(
        parameters=[OpenApiParameter("id", str, required=True)], responses={(200, "*/*"): OpenApiTypes.BINARY}
    )
    @action(detail=False, methods=["get"], url_path="download")
    def download(self, request: Request) -> FileResponse:
        """Return the file under the name it came with, to be saved."""
        row = self.row(self.id_parameter())
        path, kind = files.stored(row.name)
        return FileResponse(path.open("rb"), as_attachment=True, filename=files.saved_as(row), content_type=kind)

    def validate_delete(self, row: Any) -> None:
        """People remove what they uploaded themselves, keepers remove all; never what a record still shows."""
        if row.create_user != self.actor.user_id and not self.actor.may("attach_delete"):
            raise NotAllowed()
        by = shown_by(row.name)
        if by:
            raise Conflict("data.inUse", _("「{name}」已被{by}引用，不能删除").format(name=row, by=by))

    def perform_destroy(self, row: Any) -> None:
        """The row, and with the commit the file."""
        super().perform_destroy(row)
        files.forget(row.name)


def show(request: HttpRequest, tenant_id: str, name: str) -> HttpResponseBase:
    """Return the file behind a signed link; image tags carry no header, the link itself is the right.

    Pictures and sound are shown in a page; everything else is only saved.
    """
    try:
        path, kind = files.opened(tenant_id, name, request.GET.get("until", ""), request.GET.get("mark", ""))
        response = _part(request, path, kind) if name.partition(".")[2] in SHOWN else _saved(tenant_id, path, kind)
    except Missing as error:
        return plain_failure(request, 404, error.error, str(error.text))
    response["Cache-Control"] = "private, max-age=3600"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response


def _saved(tenant_id: str, path: Path, kind: str) -> HttpResponseBase:
    with tenant_scope(tenant_id):
        row = Attachment.objects.filter(name=path.name).first()
    if row is None:
        raise Missing()
    return FileResponse(path.open("rb"), as_attachment=True, filename=files.saved_as(row), content_type=kind)


def _part(request: HttpRequest, path: Path, kind: str) -> HttpResponseBase:
    """The file, or the one range of it that is asked for: phones play no sound of a server that cannot give ranges."""
    size = path.stat().st_size
    asked = _RANGE.fullmatch(request.headers.get("Range", ""))
    if asked is None:
        whole = FileResponse(path.open("rb"), content_type=kind)
        whole["Accept-Ranges"] = "bytes"
        return whole
    first, last = asked["first"], asked["last"]
    begin = int(first) if first else max(0, size - int(last))
    end = min(int(last), size - 1) if first and last else size - 1
    if begin > end:
        return HttpResponse(content_type=kind, status=416, headers={"Content-Range": f"bytes */{size}"})
    part = FileResponse(SlicedFile(path.open("rb"), begin, end), content_type=kind, status=206)
    part["Content-Range"] = f"bytes {begin}-{end}/{size}"
    part["Content-Length"] = str(end - begin + 1)
    return part
