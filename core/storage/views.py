"""Uploading pictures, and showing them by signed links."""

from __future__ import annotations

import re
from typing import Any

from django.http import FileResponse, HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.kernel.act import Act
from core.kernel.envelope import plain_failure
from core.kernel.errors import Conflict, Invalid, Missing, NotAllowed
from core.kernel.filters import INTEGER, Filter, filters_of
from core.kernel.operation import operation, perform
from core.kernel.parsers import parameters
from core.kernel.sheets import Export
from core.kernel.viewsets import SIGNED_IN, Door, NounViewSet, Remove, Stored
from core.storage import files
from core.storage.models import Attachment
from core.storage.serializers import AttachmentSerializer, StoredFile
from core.storage.uses import used_by

_NAME = re.compile(r"[0-9a-f]{32}\.(?:jpg|png)")

_FILE = {"type": "object", "properties": {"file": {"type": "string", "format": "binary"}}}


@operation("attach.put", code=SIGNED_IN)
def put(actor: object, content: bytes, original_name: str) -> dict[str, str]:
    """Store a picture for whoever is signed in; answers its link."""
    row = files.store_image(content, original_name)
    return {
        "link": files.signed_link(row.name),
        "domain": "",
        "name": row.name,
        "originalName": row.original_name,
        "attachId": str(row.pk),
    }


class UploadDoor(Door):
    """The upload call of the family."""

    codes = {"put_file": SIGNED_IN, "put_file_attach": SIGNED_IN}

    @extend_schema(request={"multipart/form-data": _FILE}, responses=StoredFile)
    @action(detail=False, methods=["post"], url_path="put-file")
    def put_file(self, request: Request) -> Response:
        """Take one picture, jpg or png, up to 20 MB."""
        return self._put(request)

    @extend_schema(request={"multipart/form-data": _FILE}, responses=StoredFile)
    @action(detail=False, methods=["post"], url_path="put-file-attach")
    def put_file_attach(self, request: Request) -> Response:
        """The same: every file that is stored here is an attachment."""
        return self._put(request)

    def _put(self, request: Request) -> Response:
        file = request.FILES.get("file")
        if file is None:
            raise Invalid({"file": _("缺少必要的请求参数: {name}").format(name="file")})
        if (file.size or 0) > files.MAX_BYTES:
            raise Invalid({"file": _("文件不能超过{n}MB").format(n=files.MAX_BYTES // 1024 // 1024)})
        return Response(put(self.actor, file.read(), file.name or ""))


class AttachmentViewSet(Export, Remove, NounViewSet):
    """Stored files. They come in by an upload; `submit` changes what is said of one."""

    noun = "attach"
    by_tenant = True
    queryset = Attachment.objects.all()
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
        act = Act("attach.edit", self.actor, business_type="attach", business_id=row_id)

        def change() -> dict[str, str]:
            serializer = self.get_serializer(self.row(row_id), data=body, partial=True)
            serializer.is_valid(raise_exception=True)
            return {"id": str(serializer.save().pk)}

        return Response(perform(act, body, change))

    @extend_schema(
        parameters=[OpenApiParameter("id", str, required=True)], responses={(200, "image/*"): OpenApiTypes.BINARY}
    )
    @action(detail=False, methods=["get"], url_path="download")
    def download(self, request: Request) -> FileResponse:
        """The file under the name it came with, to be saved."""
        row = self.row(self.id_parameter())
        path, kind = files.stored(row.name)
        return FileResponse(path.open("rb"), as_attachment=True, filename=row.original_name, content_type=kind)

    def stop_removal(self, row: Any) -> None:
        """People remove what they uploaded themselves, keepers remove all; never what a record still shows."""
        if row.create_user != self.actor.user_id and not self.actor.may("attach_delete"):
            raise NotAllowed()
        by = used_by(row.name)
        if by:
            raise Conflict("data.inUse", _("「{name}」已被{by}引用，不能删除").format(name=row, by=by))

    def take_away(self, row: Any) -> None:
        """The row, and with the commit the file."""
        super().take_away(row)
        files.forget(row.name)


def show(request: HttpRequest, tenant_id: str, name: str) -> HttpResponseBase:
    """The picture behind a signed link; image tags carry no header, the link itself is the right."""
    try:
        path, kind = files.opened(tenant_id, name, request.GET.get("until", ""), request.GET.get("mark", ""))
    except Missing as error:
        return plain_failure(request, 404, error.error, str(error.text))
    response = FileResponse(path.open("rb"), content_type=kind)
    response["Cache-Control"] = "private, max-age=3600"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response
