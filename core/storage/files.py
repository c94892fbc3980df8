"""Storing files safely, and the links that show them without a sign-in for a while."""

from __future__ import annotations

import hashlib
import hmac
import io
import re
import secrets
import shutil
import threading
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet, Sum
from django.utils.translation import gettext as _
from PIL import Image, ImageOps

from core.identity import quotas
from core.identity.models import QuotaKind, Tenant
from core.kernel import clock
from core.kernel.actor import current_actor
from core.kernel.errors import Invalid, Missing
from core.kernel.tenancy import current_tenant
from core.storage.kinds import MEDIA_TYPES, MEGABYTE, PICTURES, PLACES, Content, Place
from core.storage.models import Attachment

MAX_VALUES = 96_000_000
"""Pixels times colours, of which the decoder of photos may keep two bytes each: 32 million pixels of a usual one."""
MAX_DECODED = 16_000_000
"""Pixels that are decoded, four bytes each and copies of them; of a photo those of a smaller one. All of it together
stays below 300 MB."""
MAX_EDGE = 2400
"""Photos are stored at most this many pixels wide or high: enough to read a type plate."""
_OF_THE_PICTURE = {"transparency", "icc_profile"}
"""What a picture needs of all that came with it; comments and the camera's notes are not kept."""
LINK_SECONDS = 12 * 3600
_decoding = threading.Lock()
_LINK = re.compile(
    r"^(?:/api)?/blade-resource/attach/file/(?P<tenant>[0-9A-Za-z]{1,12})/(?P<name>[0-9a-f]{32}\.[a-z0-9]{3,4})(?:\?.*)?$"
)


@dataclass(frozen=True)
class Looked:
    """A file that its place takes, as it will be kept."""

    name: str
    """What it was called."""
    found: Content
    content: bytes


def store_image(content: bytes, original_name: str) -> Attachment:
    """Store a picture; Invalid if it is none."""
    return store(look(content, original_name, PLACES["picture"]))


def check_size(size: int, place: Place) -> None:
    """Raises Invalid where a file is larger than its place takes."""
    if size > place.max_bytes:
        raise Invalid({"file": _("文件不能超过{n}MB").format(n=place.max_bytes // MEGABYTE)})


def look(content: bytes, original_name: str, place: Place) -> Looked:
    """Return what the place takes, Invalid for anything else. Of a picture nothing but the picture is kept.

    It takes up to a second and reads no table, so it is called before the transaction.
    """
    check_size(len(content), place)
    found = place.look(content, original_name)
    if found.kind in PICTURES:
        found, content = _encoded_anew(content)
    return Looked(original_name, found, content)


def store(file: Looked) -> Attachment:
    """Store a file."""
    quotas.take(QuotaKind.FILES, len(file.content))
    name = f"{secrets.token_hex(16)}.{file.found.kind}"
    path = _path(current_tenant(), name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(file.content)
    row: Attachment = Attachment.objects.create(
        name=name,
        original_name=Path(file.name).name[-200:] or name,
        extension=file.found.kind,
        attach_size=len(file.content),
        seconds=file.found.seconds,
    )
    return row


def store_private(source: Path, original_name: str, kind: str) -> Attachment:
    """Store a file that was made or read here for one purpose, and that only its application gives out."""
    size = source.stat().st_size
    quotas.take(QuotaKind.FILES, size)
    name = f"{secrets.token_hex(16)}.{kind}"
    path = _path(current_tenant(), name)
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(source, path)
    row: Attachment = Attachment.objects.create(
        name=name, original_name=original_name[-200:], extension=kind, attach_size=size, is_private=True
    )
    return row


def drop_private(row: Attachment) -> None:
    """Delete such a file for good, and with the commit what it holds."""
    forget(row.name)
    row.delete()


def bytes_stored() -> QuerySet[Any]:
    """Return how much the files of the tenant in scope take."""
    return quotas.counting(Attachment.objects.all(), Sum("attach_size"))


def _encoded_anew(content: bytes) -> tuple[Content, bytes]:
    """Decoded, upright, shrunk and encoded anew; Invalid if it is no picture."""
    try:
        # One at a time: together they would take more memory than one may.
        with _decoding, warnings.catch_warnings():
            warnings.simplefilter("error")
            with Image.open(io.BytesIO(content), formats=("JPEG", "PNG")) as picture:
                values = picture.width * picture.height * len(picture.getbands())
                kind = "png" if picture.format == "PNG" else "jpg"
                # Of a photo no more is decoded than is kept, and it is shrunk before it is turned: that makes a copy.
                picture.draft("RGB", (MAX_EDGE, MAX_EDGE))
                if values > MAX_VALUES or picture.width * picture.height > MAX_DECODED:
                    raise Invalid({"file": _("图片尺寸过大")})
                picture.thumbnail((MAX_EDGE, MAX_EDGE))
                upright = ImageOps.exif_transpose(picture)
                upright.info = {name: said for name, said in upright.info.items() if name in _OF_THE_PICTURE}
                out = io.BytesIO()
                if kind == "png":
                    upright.save(out, "PNG", optimize=True)
                else:
                    upright.convert("RGB").save(out, "JPEG", quality=85)
    except (OSError, SyntaxError, ValueError, Warning, Image.DecompressionBombError):
        raise Invalid({"file": _("只能上传jpg或png图片")}) from None
    return Content(kind), out.getvalue()


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
    """Return a link to a file of the tenant in scope that works for half a day without a header."""
    tenant_id = current_tenant()
    # Rounded to the hour, so that the browser's cache knows a picture again.
    until = (int(clock.now().timestamp()) // 3600 + 1) * 3600 + LINK_SECONDS
    return f"/api/blade-resource/attach/file/{tenant_id}/{name}?until={until}&mark={_mark(tenant_id, name, until)}"


def opened(tenant_id: str, name: str, until: str, mark: str) -> tuple[Path, str]:
    """Path and media type behind a signed link; raises Missing when it is wrong or over, or its company is closed."""
    if not until.isascii() or not until.isdigit() or len(until) > 12:
        raise Missing()
    if not hmac.compare_digest(_mark(tenant_id, name, int(until)).encode(), mark.encode()):
        raise Missing()
    if int(until) < clock.now().timestamp():
        raise Missing()
    tenant = Tenant.objects.filter(tenant_id=tenant_id).first()
    if tenant is None or not tenant.is_open:
        raise Missing()
    return _on_disk(tenant_id, name)


def stored(name: str) -> tuple[Path, str]:
    """Path and media type of a file of the tenant in scope; raises Missing when it is gone."""
    return _on_disk(current_tenant(), name)


def _on_disk(tenant_id: str, name: str) -> tuple[Path, str]:
    path = _path(tenant_id, name)
    kind = MEDIA_TYPES.get(path.suffix[1:])
    if kind is None or not path.is_file():
        raise Missing()
    return path, kind


def saved_as(row: Attachment) -> str:
    """Return the name under which a file is saved: its own, ending in what it is, whatever it was called."""
    ends = (".jpg", ".jpeg") if row.extension == "jpg" else (f".{row.extension}",)
    return row.original_name if row.original_name.lower().endswith(ends) else row.original_name + ends[0]


def names_of_links(links: str | Iterable[str], field: str, at_most: int, kept: Iterable[str] = ()) -> list[str]:
    """Names behind links to pictures that a client sends back.

    Each is one that the record has already, `kept`, or of what the person acting has uploaded: a record gives fresh
    links, which nobody gets who has only seen an old one.
    """
    parts = _parts(links)
    if len(parts) > at_most:
        raise Invalid({field: _("最多上传{n}张图片").format(n=at_most)})
    names = _names(parts, "picture")
    if names is None or not _are_theirs(names, kept):
        raise Invalid({field: _("图片不存在或已被删除")})
    return names


def own_of_links(
    links: str | Iterable[str], field: str, place: str, at_most: int, kept: Iterable[str] = ()
) -> list[str]:
    """Names behind links to files that the person acting has uploaded for such a place, or the record has, `kept`."""
    parts = _parts(links)
    if len(parts) > at_most:
        raise Invalid({field: _("最多上传{n}个文件").format(n=at_most)})
    names = _names(parts, place)
    if names is None or not _are_theirs(names, kept):
        raise Invalid({field: _("文件不存在或已被删除")})
    return list(dict.fromkeys(names))


def _are_theirs(names: Iterable[str], kept: Iterable[str] = ()) -> bool:
    """Return whether all files are there, and the person acting has uploaded all but the kept ones."""
    wanted, actor = set(names), current_actor()
    found = dict(Attachment.objects.filter(name__in=wanted).values_list("name", "create_user")) if wanted else {}
    own = {name for name, uploader in found.items() if actor is not None and uploader == actor.user_id}
    return set(found) == wanted and wanted <= own.union(kept)


def _parts(links: str | Iterable[str]) -> list[str]:
    return [part.strip() for part in (links.split(",") if isinstance(links, str) else links) if part.strip()]


def _names(parts: Iterable[str], place: str) -> list[str] | None:
    """Names in links of the tenant in scope; None where one is no such link, or of a kind that the place refuses."""
    names = []
    for part in parts:
        name = name_of(part, place)
        if name is None:
            return None
        names.append(name)
    return names


def name_of(link: str, place: str) -> str | None:
    """Return the name in a link of the tenant in scope, whether it is there or not; None for any other text.

    None too where the place does not take files of its kind.
    """
    match = _LINK.match(link)
    if match is None or match["tenant"] != current_tenant():
        return None
    return match["name"] if match["name"].partition(".")[2] in PLACES[place].extensions else None


def named_links(names: Iterable[str]) -> list[str]:
    """Return signed links to those files that are there, in their order; each says behind a # what it is called."""
    wanted = list(names)
    rows = {row.name: row for row in Attachment.objects.filter(name__in=wanted)} if wanted else {}
    return [f"{signed_link(name)}#{quote(saved_as(rows[name]))}" for name in wanted if name in rows]


def shown(names: Iterable[str]) -> Mapping[str, dict[str, Any]]:
    """Return what a record shows of its files, by their names: a `ShownFile` each."""
    rows = Attachment.objects.filter(name__in=names)
    return {
        row.name: {
            "link": signed_link(row.name),
            "name": saved_as(row),
            "extension": row.extension,
            "size": row.attach_size,
            "seconds": row.seconds,
        }
        for row in rows
    }
