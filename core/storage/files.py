"""Storing pictures safely, and the links that show them without a sign-in for a while."""

from __future__ import annotations

import hashlib
import hmac
import io
import re
import secrets
import warnings
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _
from PIL import Image, ImageOps

from core.kernel import clock
from core.kernel.errors import Invalid, Missing
from core.kernel.tenancy import current_tenant
from core.storage.models import Attachment

MAX_BYTES = 20 * 1024 * 1024
MAX_PIXELS = 40_000_000
MAX_EDGE = 2400
"""Photos are stored at most this many pixels wide or high: enough to read a type plate."""
LINK_SECONDS = 12 * 3600
_LINK = re.compile(
    r"^(?:/api)?/blade-resource/attach/file/(?P<tenant>[0-9A-Za-z]{1,12})/(?P<name>[0-9a-f]{32}\.(?:jpg|png))(?:\?.*)?$"
)


def store_image(content: bytes, original_name: str) -> Attachment:
    """Decode, turn upright, shrink, encode anew (nothing but the picture is kept) and store; Invalid if it is none."""
    if len(content) > MAX_BYTES:
        raise Invalid({"file": _("文件不能超过{n}MB").format(n=MAX_BYTES // 1024 // 1024)})
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with Image.open(io.BytesIO(content), formats=("JPEG", "PNG")) as picture:
                if picture.width * picture.height > MAX_PIXELS:
                    raise Invalid({"file": _("图片尺寸过大")})
                kind = "png" if picture.format == "PNG" else "jpg"
                upright = ImageOps.exif_transpose(picture)
                upright.thumbnail((MAX_EDGE, MAX_EDGE))
                out = io.BytesIO()
                if kind == "png":
                    upright.save(out, "PNG", optimize=True)
                else:
                    upright.convert("RGB").save(out, "JPEG", quality=85)
    except (OSError, SyntaxError, ValueError, Warning, Image.DecompressionBombError):
        raise Invalid({"file": _("只能上传jpg或png图片")}) from None
    name = f"{secrets.token_hex(16)}.{kind}"
    path = _path(current_tenant(), name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(out.getvalue())
    row: Attachment = Attachment.objects.create(
        name=name, original_name=Path(original_name).name[-200:] or name, extension=kind, attach_size=out.tell()
    )
    return row


def forget(name: str) -> None:
    """Delete the file once the transaction is committed: a link that was given out shows nothing from then on."""
    path = _path(current_tenant(), name)
    transaction.on_commit(lambda: path.unlink(missing_ok=True))


def _path(tenant_id: str, name: str) -> Path:
    return Path(settings.FILES_DIR) / tenant_id / name[:2] / name


def _mark(tenant_id: str, name: str, until: int) -> str:
    text = f"file.{tenant_id}.{name}.{until}"
    return hmac.new(settings.LINK_KEY.encode(), text.encode(), hashlib.sha256).hexdigest()[:32]


def signed_link(name: str) -> str:
    """A link to a file of the tenant in scope that works for half a day without a header."""
    tenant_id = current_tenant()
    # Rounded to the hour, so that the browser's cache knows a picture again.
    until = (int(clock.now().timestamp()) // 3600 + 1) * 3600 + LINK_SECONDS
    return f"/api/blade-resource/attach/file/{tenant_id}/{name}?until={until}&mark={_mark(tenant_id, name, until)}"


def opened(tenant_id: str, name: str, until: str, mark: str) -> tuple[Path, str]:
    """Path and media type behind a signed link; raises Missing when it is wrong or over."""
    if not until.isascii() or not until.isdigit() or len(until) > 12:
        raise Missing()
    if not hmac.compare_digest(_mark(tenant_id, name, int(until)).encode(), mark.encode()):
        raise Missing()
    if int(until) < clock.now().timestamp():
        raise Missing()
    return _on_disk(tenant_id, name)


def stored(name: str) -> tuple[Path, str]:
    """Path and media type of a file of the tenant in scope; raises Missing when it is gone."""
    return _on_disk(current_tenant(), name)


def _on_disk(tenant_id: str, name: str) -> tuple[Path, str]:
    path = _path(tenant_id, name)
    if not path.is_file():
        raise Missing()
    return path, "image/png" if name.endswith("png") else "image/jpeg"


def names_of_links(links: str | Iterable[str], field: str, at_most: int) -> list[str]:
    """Names behind links that a client sends back; every one must be a file of the tenant in scope."""
    parts = [part.strip() for part in (links.split(",") if isinstance(links, str) else links) if part.strip()]
    if len(parts) > at_most:
        raise Invalid({field: _("最多上传{n}张图片").format(n=at_most)})
    names = []
    for part in parts:
        match = _LINK.match(part)
        if match is None or match["tenant"] != current_tenant():
            raise Invalid({field: _("图片不存在或已被删除")})
        names.append(match["name"])
    if Attachment.objects.filter(name__in=names).count() != len(set(names)):
        raise Invalid({field: _("图片不存在或已被删除")})
    return names
