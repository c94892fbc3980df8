"""Uploading pictures, and showing them by signed links."""

from __future__ import annotations

from django.http import FileResponse, HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.kernel.envelope import plain_failure
from core.kernel.errors import Invalid, Missing
from core.kernel.operation import operation
from core.kernel.viewsets import SIGNED_IN, Door
from core.storage import files
from core.storage.serializers import StoredFile

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

    codes = {"put_file": SIGNED_IN}

    @extend_schema(request={"multipart/form-data": _FILE}, responses=StoredFile)
    @action(detail=False, methods=["post"], url_path="put-file")
    def put_file(self, request: Request) -> Response:
        """Take one picture, jpg or png, up to 20 MB."""
        file = request.FILES.get("file")
        if file is None:
            raise Invalid({"file": _("缺少必要的请求参数: {name}").format(name="file")})
        if (file.size or 0) > files.MAX_BYTES:
            raise Invalid({"file": _("文件不能超过{n}MB").format(n=files.MAX_BYTES // 1024 // 1024)})
        return Response(put(self.actor, file.read(), file.name or ""))


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
