"""Deploying models and finding the version to start; parsed specifications are kept in each process."""

from __future__ import annotations

import hashlib
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson
from django.db import transaction
from django.db.models import Case, Max, Q, When

from core.kernel.errors import Missing
from core.kernel.tenancy import PLATFORM, current_tenant
from workflows import engine
from workflows.deployments.models import Definition


def deploy(xml: bytes, meta: dict[str, Any], tenant_id: str) -> Definition:
    """Publish a model for one tenant, or for all when the platform deploys; the same model again changes nothing.

    Raises engine.ModelError with the problems found.
    """
    specification = engine.parse(xml)
    checksum = hashlib.sha256(xml + orjson.dumps(meta, option=orjson.OPT_SORT_KEYS)).hexdigest()
    with transaction.atomic():
        mine = Definition.objects.filter(tenant_id=tenant_id, key=meta["key"])
        newest = mine.order_by("-version").first()
        if newest is not None and newest.checksum == checksum:
            return newest
        return Definition.objects.create(
            tenant_id=tenant_id,
            is_general=tenant_id == PLATFORM,
            key=meta["key"],
            version=(mine.aggregate(Max("version"))["version__max"] or 0) + 1,
            name=specification.name or meta["name"],
            name_en=specification.name_en or meta["name_en"],
            category=meta["category"],
            business_type=meta["business_type"],
            xml=xml,
            checksum=checksum,
            meta=meta,
        )


def deploy_shipped(folder: Path) -> list[Definition]:
    """Publish the models that come with the product, one folder each, for all tenants."""
    deployed = []
    for path in sorted(folder.glob("*/process.toml")):
        meta = tomllib.loads(path.read_text(encoding="utf-8"))
        deployed.append(deploy((path.parent / f"{meta['key']}.bpmn").read_bytes(), meta, PLATFORM))
    return deployed


def to_start(key: str) -> Definition:
    """The version the tenant in scope starts: its own newest, else the general one.

    A suspended version of one's own blocks; it does not fall through to the general one. Raises Missing.
    """
    is_own = Q(tenant_id=current_tenant())
    rows = Definition.objects.filter(is_own | Q(is_general=True), key=key).defer("xml")
    newest = rows.order_by(Case(When(is_own, then=0), default=1), "-version").first()
    if newest is None or not newest.is_active:
        raise Missing()
    return newest


@lru_cache(maxsize=256)
def specification(definition_id: int) -> engine.Specification:
    """The parsed model of a definition; a definition never changes, so the cache needs no clearing."""
    return engine.parse(bytes(Definition.objects.values_list("xml", flat=True).get(pk=definition_id)))


@lru_cache(maxsize=256)
def definition(definition_id: int) -> Definition:
    """The definition's row, kept like its specification; do not read `is_active` from it."""
    return Definition.objects.defer("xml").get(pk=definition_id)
