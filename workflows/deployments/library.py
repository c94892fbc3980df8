"""Deploying models and finding the version to start; parsed specifications are kept in each process."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson
from django.db import connection, transaction
from django.db.models import Count, Exists, IntegerField, Max, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext as _

from core.kernel.actor import Actor, current_actor
from core.kernel.errors import Conflict, Missing
from core.kernel.tenancy import PLATFORM, current_tenant
from workflows import engine
from workflows.deployments import steps
from workflows.deployments.models import Definition
from workflows.forms import model as forms

GENERAL, OWN = "1", "2"
"""Values of a list's `mode`: general definitions, the tenant's own; nothing means both."""


def deploy(xml: bytes, meta: dict[str, Any], tenant_id: str, note: str = "", whole: bytes = b"") -> Definition:
    """Publish a model for one tenant, or for all when the platform deploys; the same model again changes nothing.

    `note` says why; `whole` is what runs where the drawing calls other processes. Raises engine.ModelError with the
    problems found.
    """
    specification = engine.parse(whole or xml)
    drawn, problems = forms.forms_of(specification, meta.get("forms", {}))
    problems += steps.problems(specification, drawn, bool(meta["business_type"]))
    if problems:
        raise engine.ModelError(problems)
    checksum = hashlib.sha256(xml + whole + orjson.dumps(meta, option=orjson.OPT_SORT_KEYS)).hexdigest()
    with transaction.atomic():
        mine = Definition.objects.filter(tenant_id=tenant_id, key=meta["key"])
        newest = mine.filter(is_deleted=False).order_by("-version").first()
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
            whole=whole,
            checksum=checksum,
            meta=meta if meta["business_type"] else {**meta, **steps.of(specification, drawn)},
            forms=drawn,
            deploy_user_name=actor.name[:40] if (actor := current_actor()) else "",
            note=note,
        )


def deploy_shipped(folder: Path) -> list[Definition]:
    """Publish the models that come with the product, for all tenants."""
    return [deploy(drawing.read_bytes(), meta, PLATFORM) for drawing, meta in shipped(folder)]


def shipped(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The models that come with the product, one folder each: the drawing, and what its process.toml declares."""
    for path in sorted(folder.glob("*/process.toml")):
        meta = tomllib.loads(path.read_text(encoding="utf-8"))
        yield path.parent / f"{meta['key']}.bpmn", meta


def to_start(key: str) -> Definition:
    """The version the tenant in scope starts: its own newest, else the general one. It is held until the start is over.

    A suspended version of one's own blocks; it does not fall through to the general one. Raises Missing or Conflict.
    """
    return _startable(visible().filter(key=key))


def to_start_version(definition_id: int) -> Definition:
    """The version of this id, when it is the one that the tenant starts; held like that of `to_start`.

    Raises Missing for one that the tenant does not see, and Conflict when another version has taken its place.
    """
    asked = visible().filter(pk=definition_id).values("key")
    found = _startable(visible().filter(key__in=asked))
    if found.pk != definition_id:
        raise Conflict("workflow.newVersion", _("流程「{name}」已有新版本，请刷新后重新发起").format(name=found))
    return found


def visible(mode: str = "") -> QuerySet[Definition]:
    """The versions that the tenant in scope may see: the general ones and its own; `mode` narrows to one of the two."""
    asked = {GENERAL: Q(is_general=True), OWN: Q(is_general=False)}.get(mode, Q())
    own = Q(tenant_id=current_tenant())
    return Definition.objects.filter(asked, own | Q(is_general=True), is_deleted=False)


def to_call(key: str) -> engine.Called | engine.Problem:
    """What a call of the process becomes a part of: the version that the tenant in scope would start now."""
    found = taken().filter(key=key).first()
    if found is None:
        return engine.Problem("", "called_missing", f"没有已部署的流程“{key}”", f"No process “{key}” is deployed")
    if found.business_type:
        zh, en = f"流程“{key}”属于业务单据，不能被调用", f"The process “{key}” moves a record and cannot be called"
        return engine.Problem("", "called_bound", zh, en)
    if not found.is_active:
        return engine.Problem("", "called_suspended", f"流程“{key}”已挂起", f"The process “{key}” is suspended")
    return engine.Called(bytes(found.whole) or bytes(found.xml), tuple(found.meta.get("calls", ())))


MOST_CALLED = 500


def callable_by(key: str) -> list[Definition]:
    """The processes that a drawing with this key may call, by their keys; one that leads back to it is none."""
    rows = taken().filter(business_type="", is_active=True).exclude(key=key).defer("xml", "whole", "forms")
    return [row for row in rows.order_by("key")[:MOST_CALLED] if key not in row.meta.get("calls", ())]


def may_start(actor: Actor, definition: Definition) -> bool:
    """Whether the definition lets the person start it: it names roles and people, or nobody and so everybody."""
    starters = definition.meta.get("starters", [])
    own = {f"user:{actor.user_id}", f"user:{actor.account}", *(f"role:{code}" for code in actor.role_codes)}
    return not starters or not own.isdisjoint(starters)


def ever(key: str) -> list[int]:
    """Ids of all versions of the model that the tenant in scope sees or saw, those that were deleted among them."""
    own = Q(tenant_id=current_tenant()) | Q(is_general=True)
    return list(Definition.objects.filter(own, key=key).values_list("pk", flat=True))


def _startable(rows: QuerySet[Definition]) -> Definition:
    found = rows.defer("xml", "whole").order_by("is_general", "-version").first()
    if found is None:
        raise Missing()
    if not found.is_active or not held(found.pk):
        raise Conflict("workflow.suspended", _("流程「{name}」已挂起，不能发起").format(name=found))
    return found


def startable(bound: Iterable[str], mode: str = "") -> QuerySet[Definition]:
    """The versions that the tenant in scope may start now, see `to_start`: of these models, and those without a record.

    `mode` narrows to general ones or own ones.
    """
    found = taken(mode).filter(Q(business_type="") | Q(key__in=list(bound)), is_active=True)
    return found.defer("xml", "whole", "forms").order_by("category", "key", "-id")


def taken(mode: str = "") -> QuerySet[Definition]:
    """Of each model that the tenant in scope sees, the version that a start takes or that blocks it: see `to_start`."""
    better = visible().filter(
        Q(is_general__lt=OuterRef("is_general"))
        | Q(is_general=OuterRef("is_general"), version__gt=OuterRef("version")),
        key=OuterRef("key"),
    )
    return visible(mode).filter(~Exists(better))


def rows(mode: str = "") -> QuerySet[Definition]:
    """What lists show of the versions that the tenant in scope sees."""
    return visible(mode).defer("xml", "whole", "meta", "forms")


def with_versions() -> QuerySet[Any]:
    """The same, and as `versions` how many the tenant sees of each one's model."""
    counted = visible().filter(key=OuterRef("key")).order_by().values("key").annotate(n=Count("pk")).values("n")
    return rows().annotate(versions=Subquery(counted, output_field=IntegerField()))


def held(definition_id: int) -> bool:
    """Whether the version may be started, and keep it so to the end of the transaction: many may hold it at once.

    Whoever suspends or deletes it locks the row and waits for the starts that hold it, so that none slips through.
    SQLite's writers come one after another anyway. This is a module that may write SQL: the ORM has no FOR SHARE.
    """
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT 1 FROM {Definition._meta.db_table} WHERE id = %s AND is_active AND NOT is_deleted FOR SHARE",
            [definition_id],
        )
        return cursor.fetchone() is not None


@lru_cache(maxsize=256)
def specification(definition_id: int) -> engine.Specification:
    """The parsed model of a definition; a definition never changes, so the cache needs no clearing."""
    xml, whole = Definition.objects.values_list("xml", "whole").get(pk=definition_id)
    return engine.parse(bytes(whole) or bytes(xml), is_deployed=True)


@lru_cache(maxsize=64)
def drawn(definition_id: int) -> engine.Layout:
    """Where a definition's drawing has its nodes and flows."""
    return engine.layout(bytes(Definition.objects.values_list("xml", flat=True).get(pk=definition_id)))


def place(definition_id: int, node: str) -> str:
    """The node as the drawing has it: for one of a called process, the call."""
    kept = definition(definition_id)
    if not kept.meta.get("calls"):
        return node
    nodes, ids = specification(definition_id).nodes, _ids(definition_id)
    while node not in ids and node in nodes:
        node = nodes[node].scope
    return node


@lru_cache(maxsize=64)
def _ids(definition_id: int) -> frozenset[str]:
    root = engine.read(bytes(Definition.objects.values_list("xml", flat=True).get(pk=definition_id)))
    return frozenset(element.get("id", "") for element in root.iter())


def is_halted(definition_id: int) -> bool:
    """Whether the definition is suspended together with what runs on it; one statement."""
    return Definition.objects.filter(pk=definition_id, is_halted=True).exists()


def seen(definition_id: int) -> Definition:
    """The definition, when it is the tenant's own or general; raises Missing."""
    found = visible().filter(pk=definition_id).first()
    if found is None:
        raise Missing()
    return found


@lru_cache(maxsize=256)
def definition(definition_id: int) -> Definition:
    """The definition's row, kept like its specification. What changes of it (active, halted, deleted) is read anew."""
    return Definition.objects.defer("xml", "whole").get(pk=definition_id)
