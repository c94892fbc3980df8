"""Which plates open a point of a task: its own, and that of its asset, read in the way that the point asks for.

The page of a task says them as digests: a phone without a network can tell the right plate from another one, and nobody
reads off the page what only the plate itself says. What is submitted is judged here, by the plates as they are then.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from core.equipment.models import PLATES, WITH_NFC, WITH_QR, Tag
from core.equipment.plates import token_in
from core.inspection.models import Route, ScanMode
from core.kernel.actor import Actor
from core.rounds.models import InspectOrderDetail, PointSnapshot

_GAPS = re.compile(r"[:\s-]")


@dataclass(frozen=True)
class Scanned:
    """A plate that opens a point, and what was read of it."""

    tag_id: int
    text: str


def mode_of(route: Route, point: PointSnapshot) -> int:
    """Return how somebody shows to be at a point: a route that needs no scan asks for none at any of its points."""
    return point.scan_mode if route.need_scan else ScanMode.NONE


def find(detail: InspectOrderDetail, mode: int, text: str) -> Scanned | None:
    """Return the plate that was read, where it is one of the point; one statement."""
    token = token_in(text)
    read = {token} if token else {text.upper(), _GAPS.sub("", text).upper()}
    for tag in _plates([detail]):
        for said in _texts(tag, mode):
            if said in read:
                return Scanned(tag.pk, said)
    return None


def note(actor: Actor, scanned: Scanned | None, time: datetime | None) -> None:
    """Keep with the plate who scanned it last; a scan that comes late does not hide a later one."""
    if scanned is None or time is None:
        return
    last = Q(last_scan_time=None) | Q(last_scan_time__lt=time)
    Tag.objects.filter(last, pk=scanned.tag_id).update(last_scan_time=time, last_scan_user=actor.user_id)


def digests(route: Route, details: Collection[InspectOrderDetail]) -> dict[int, list[str]]:
    """Return by point of a task the digests of all that opens it; one statement."""
    asked = [one for one in details if mode_of(route, one.snapshot) != ScanMode.NONE]
    tags = _plates(asked) if asked else []
    return {
        one.pk: sorted(
            digest(one.pk, text)
            for tag in tags
            if one.point_id == tag.point_id or one.machine_id == tag.machine_id
            for text in _texts(tag, one.snapshot.scan_mode)
        )
        for one in asked
    }


def digest(detail_id: int, text: str) -> str:
    """Return the digest of what opens a point; it differs from point to point of every task."""
    return hashlib.sha256(f"{detail_id} {text}".encode()).hexdigest()


def _plates(details: Collection[InspectOrderDetail]) -> list[Tag]:
    """Return the live plates of these points and of their assets; one statement."""
    bound = Q(point__in=[one.point_id for one in details]) | Q(machine__in=[one.machine_id for one in details])
    return list(Tag.objects.filter(bound, type__in=PLATES, is_sealed=False).order_by("pk"))


def _texts(tag: Tag, mode: int) -> list[str]:
    """Return what a plate says in the ways that a point takes: of a QR code its token or its code, of NFC the UID."""
    texts = []
    if mode in (ScanMode.QR, ScanMode.EITHER) and tag.carrier in WITH_QR:
        texts += [tag.token, tag.tag_code.upper()]
    if mode in (ScanMode.NFC, ScanMode.EITHER) and tag.carrier in WITH_NFC:
        texts.append(tag.nfc_uid)
    return [text for text in texts if text]
