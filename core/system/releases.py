"""Releases of the product: the one that people are told of, and whether they have read about it."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.errors import Missing
from core.kernel.operation import SIGNED_IN, operation
from core.kernel.texts import is_english
from core.system.models import ReleaseLanguage, ReleaseRead, ReleaseStatus, SystemHistory
from core.system.shipped import RELEASES

OLDER = 10
"""How many releases are listed beside the newest."""


def install() -> None:
    """Write the releases that the product brings and that are not known; what people changed stays."""
    known = set(SystemHistory.objects.values_list("version", "lang"))
    for version, texts in RELEASES.items():
        for lang, (name, content) in texts.items():
            if (version, lang) not in known:
                SystemHistory.objects.create(
                    version=version, lang=lang, name=name, content=content, status=ReleaseStatus.PUBLISHED
                )


def published() -> QuerySet[SystemHistory]:
    """Return the releases that people are shown, in each language, the newest first."""
    rows = SystemHistory.objects.filter(status=ReleaseStatus.PUBLISHED, publish_time__lte=clock.now())
    return rows.order_by("-publish_time", "-id")


def newest(actor: Actor) -> dict[str, Any]:
    """Return the newest release with the older ones, and whether the person has still to read it; empty without any.

    Each is in the caller's language where it is described in it. Two statements.
    """
    spoken = ReleaseLanguage.ENGLISH if is_english() else ReleaseLanguage.CHINESE
    by_version: dict[str, SystemHistory] = {}
    for row in published()[: len(ReleaseLanguage) * (OLDER + 1)]:
        if row.version not in by_version or row.lang == spoken:
            by_version[row.version] = row
    rows = list(by_version.values())[: OLDER + 1]
    if not rows:
        return {}
    first = rows[0]
    has_read = ReleaseRead.objects.filter(user_id=actor.user_id, version=first.version).exists()
    return {
        "id": str(first.pk),
        "version": first.version,
        "name": first.name,
        "content": first.content,
        "contentLines": _lines(first),
        "publishTime": first.publish_time,
        "unread": int(not has_read),
        "history": [
            {
                "version": row.version, "name": row.name, "contentLines": _lines(row), "publishTime": row.publish_time,
            }
            for row in rows[1:]
        ],
    }  # fmt: skip


def _lines(row: SystemHistory) -> list[str]:
    return [line.strip() for line in row.content.splitlines() if line.strip()]


@operation("systemhistory.read", code=SIGNED_IN)
def read(actor: Actor, release_id: int) -> None:
    """Note that the person has read about a release. Raises Missing for one that people are not shown."""
    row = published().filter(pk=release_id).first()
    if row is None:
        raise Missing()
    ReleaseRead.objects.update_or_create(user_id=actor.user_id, defaults={"version": row.version})
