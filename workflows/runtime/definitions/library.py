"""Deployed definitions: deploying a model, finding the version to start, and the parsed specification of a version."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson
from django.db import connection, transaction
from django.db.models import Count, Exists, IntegerField, Max, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext as _

from core.cases.case import cases
from core.cases.process import declaration
from core.identity import quotas
from core.identity.models import QuotaKind
from core.kernel.actor import Actor, current_actor
from core.kernel.errors import Conflict, Missing
from core.kernel.tenancy import PLATFORM, current_tenant, tenant_scope
from workflows import engine
from workflows.forms import model as forms
from workflows.runtime.definitions import outcomes
from workflows.runtime.tables.deployments.models import Definition
from workflows.runtime.tables.messages.models import MessageStart

GENERAL, OWN = "1", "2"
"""Values of a list's `mode`: general definitions, the tenant's own; nothing means both."""


@dataclass(frozen=True)
class Prepared:
    """A model that was read and checked: the columns of a definition that do not depend on the tenant."""

    key: str
    checksum: str
    columns: Mapping[str, Any]
    message_starts: Mapping[str, str]
    """By start event the message that starts an instance there."""


def prepare(xml: bytes, meta: dict[str, Any], whole: bytes = b"") -> Prepared:
    """Read a model, which takes long: outside of every write. Raises engine.ModelError.

    `whole` is the model with its called processes filled in.
    """
    specification = engine.parse(whole or xml)
    drawn, problems = forms.forms_of(specification, meta.get("forms", {}))
    problems += outcomes.problems(specification, drawn, bool(meta["business_type"]))
    if problems:
        raise engine.ModelError(problems)
    columns = {
        "name": specification.name or meta["name"],
        "name_en": specification.name_en or meta["name_en"],
        "category": meta["category"],
        "business_type": meta["business_type"],
        "xml": xml,
        "whole": whole,
        "meta": meta
        if meta["business_type"]
        else {**meta, **outcomes.of(specification, drawn), **_starts(specification)},
        "forms": drawn,
    }
    checksum = hashlib.sha256(xml + whole + orjson.dumps(meta, option=orjson.OPT_SORT_KEYS)).hexdigest()
    # The process of a record is started by the record's own command alone.
    starts = {} if meta["business_type"] else specification.message_starts
    return Prepared(meta["key"], checksum, columns, starts)


def _starts(specification: engine.Specification) -> dict[str, Any]:
    """Return the start events at which a process starts by time, as they are kept beside it; nothing without one."""
    found = {
        name: {
            "kind": start.kind,
            "text": start.text,
            "name": specification.nodes[name].name[:80],
            "name_en": specification.nodes[name].name_en[:120],
            "starter": specification.nodes[name].extensions.get("starter", "")[:100],
        }
        for name, start in specification.timed_starts.items()
    }
    return {"timed_starts": found} if found else {}


def store(model: Prepared, tenant_id: str, note: str = "") -> tuple[Definition, bool]:
    """Deploy a model for one tenant, or for all tenants when the platform deploys; say whether that made a version.

    An unchanged model stays as it is. `note` says why.
    """
    # The platform deploys for companies too, whose rows are seen and written in their own scope only.
    with tenant_scope(tenant_id), transaction.atomic():
        mine = Definition.objects.filter(tenant_id=tenant_id, key=model.key)
        newest = mine.filter(is_deleted=False).order_by("-version").first()
        if newest is not None and newest.checksum == model.checksum:
            return newest, False
        if newest is None:
            quotas.take(QuotaKind.MODELS)
        made = Definition.objects.create(
            tenant_id=tenant_id,
            is_general=tenant_id == PLATFORM,
            key=model.key,
            version=(mine.aggregate(Max("version"))["version__max"] or 0) + 1,
            checksum=model.checksum,
            deploy_user_name=actor.name[:40] if (actor := current_actor()) else "",
            note=note,
            **model.columns,
        )
        started = [
            MessageStart(tenant_id=tenant_id, is_general=made.is_general, definition=made, node=node, message=message)
            for node, message in model.message_starts.items()
        ]
        if started:
            MessageStart.objects.bulk_create(started)
        return made, True


def deploy(xml: bytes, meta: dict[str, Any], tenant_id: str, note: str = "", whole: bytes = b"") -> Definition:
    """Read a model and deploy it, where nobody waits: at the installation. Raises engine.ModelError."""
    return store(prepare(xml, meta, whole), tenant_id, note)[0]


def own_models() -> QuerySet[Any]:
    """Return how many models of its own the tenant in scope has deployed, each counted once."""
    mine = Definition.objects.filter(tenant_id=current_tenant(), is_deleted=False)
    return quotas.counting(mine, Count("key", distinct=True))


def shipped(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield the models of the cases: the drawing, and what the case declares of it."""
    for case in cases.values():
        yield folder / case.model_key / f"{case.model_key}.bpmn", declaration(case)


def to_start(key: str) -> Definition:
    """Return the version that the tenant starts: its own newest, else the general one; hold it until the commit.

    A suspended version of its own is not replaced by the general one. Raises Missing or Conflict.
    """
    return _startable(visible().filter(key=key))


def to_start_version(definition_id: int) -> Definition:
    """Return the version with this id if the tenant starts that version now; hold it like `to_start`.

    Raises Missing for a version that the tenant does not see, and Conflict when a newer version has taken its place.
    """
    asked = visible().filter(pk=definition_id).values("key")
    found = _startable(visible().filter(key__in=asked))
    if found.pk != definition_id:
        raise Conflict("workflow.newVersion", _("流程「{name}」已有新版本，请刷新后重新发起").format(name=found))
    return found


def visible(mode: str = "") -> QuerySet[Definition]:
    """Return the versions that the tenant in scope sees: general and own ones; `mode` narrows to one of the two."""
    asked = {GENERAL: Q(is_general=True), OWN: Q(is_general=False)}.get(mode, Q())
    own = Q(tenant_id=current_tenant())
    return Definition.objects.filter(asked, own | Q(is_general=True), is_deleted=False)


def to_call(key: str) -> engine.Called | engine.Problem:
    """Return the model that a call activity with this key includes, or the problem why it cannot be called."""
    found = taken().filter(key=key).first()
    if found is None:
        return engine.Problem("", "called_missing", f"流程“{key}”尚未部署", f"The process “{key}” is not deployed")
    if found.business_type:
        zh, en = f"流程“{key}”属于业务单据，不能被调用", f"The process “{key}” belongs to a record and cannot be called"
        return engine.Problem("", "called_bound", zh, en)
    if not found.is_active:
        return engine.Problem("", "called_suspended", f"流程“{key}”已暂停", f"The process “{key}” is suspended")
    return engine.Called(bytes(found.whole) or bytes(found.xml), tuple(found.meta.get("calls", ())))


MOST_CALLED = 500


def callable_by(key: str) -> list[Definition]:
    """Return the processes that a model with this key may call, without those that call it themselves."""
    rows = taken().filter(business_type="", is_active=True).exclude(key=key).defer("xml", "whole", "forms")
    return [row for row in rows.order_by("key")[:MOST_CALLED] if key not in row.meta.get("calls", ())]


def may_start(actor: Actor, definition: Definition) -> bool:
    """Return whether the person is a starter of the definition; one without starters may be started by everybody."""
    starters = definition.meta.get("starters", [])
    own = {f"user:{actor.user_id}", f"user:{actor.account}", *(f"role:{code}" for code in actor.role_codes)}
    return not starters or not own.isdisjoint(starters)


_ROLE = re.compile(rb"\brole:([A-Za-z0-9_-]{1,40})(@?)")
_POST = re.compile(rb"\b(post:[A-Za-z0-9_-]{1,40})")
_GROUPS = re.compile(rb"candidate(?:Starter)?Groups\s*=\s*[\"']([^\"'${}]*)[\"']")


def named_roles() -> frozenset[str]:
    """Return the aliases of roles, and `post:<code>`, that models of the tenant in scope name.

    One statement once all versions were read.
    """
    ids = visible().values_list("pk", flat=True)
    return frozenset[str]().union(*(_named_by(definition_id) for definition_id in ids))


@lru_cache(maxsize=5000)
def _named_by(definition_id: int) -> frozenset[str]:
    """Return the aliases in the drawing of a version, which never changes."""
    row = Definition.objects.only("xml", "whole").get(pk=definition_id)
    xml = bytes(row.whole) or bytes(row.xml)
    groups = (alias.strip() for listed in _GROUPS.findall(xml) for alias in listed.split(b","))
    found = {alias + at for alias, at in _ROLE.findall(xml)} | {alias for alias in groups if alias}
    found |= set(_POST.findall(xml))
    return frozenset(alias.decode(errors="replace") for alias in found)


def ever(key: str) -> list[int]:
    """Return the ids of all versions of the model that the tenant in scope sees or saw, deleted ones included."""
    own = Q(tenant_id=current_tenant()) | Q(is_general=True)
    return list(Definition.objects.filter(own, key=key).values_list("pk", flat=True))


def _startable(rows: QuerySet[Definition]) -> Definition:
    rows = rows.defer("xml", "whole").annotate(**quotas.left(QuotaKind.INSTANCES))
    found = rows.order_by("is_general", "-version").first()
    if found is None:
        raise Missing()
    if not found.is_active or not held(found.pk):
        raise Conflict("workflow.suspended", _("流程「{name}」已暂停，不能发起").format(name=found))
    return found


def started_by(messages: Collection[str]) -> list[MessageStart]:
    """Return the start events at which these messages start a process of the tenant in scope now; one statement.

    As for people it is the own version before the general one, and a suspended one starts nothing.
    """
    active = taken().filter(is_active=True).values("pk")
    found = MessageStart.objects.filter(message__in=list(messages), definition__in=active)
    return list(found.select_related("definition").defer(*_LARGE).order_by("definition", "node"))


_LARGE = ("definition__xml", "definition__whole", "definition__meta", "definition__forms")


def startable(bound: Iterable[str], mode: str = "") -> QuerySet[Definition]:
    """Return the versions that the tenant in scope may start: of the models in `bound`, and of standalone processes.

    `mode` narrows to general or own versions.
    """
    found = taken(mode).filter(Q(business_type="") | Q(key__in=list(bound)), is_active=True)
    return found.defer("xml", "whole", "forms").order_by("category", "key", "-id")


def taken(mode: str = "") -> QuerySet[Definition]:
    """Return one version of each model: the one that a start takes, or whose suspension refuses it (see `to_start`)."""
    better = visible().filter(
        Q(is_general__lt=OuterRef("is_general"))
        | Q(is_general=OuterRef("is_general"), version__gt=OuterRef("version")),
        key=OuterRef("key"),
    )
    return visible(mode).filter(~Exists(better))


def rows(mode: str = "") -> QuerySet[Definition]:
    """Return the visible versions without their large columns, for lists."""
    return visible(mode).defer("xml", "whole", "meta", "forms")


def with_versions() -> QuerySet[Any]:
    """Return `rows` with `versions`, the number of visible versions of the same model."""
    counted = visible().filter(key=OuterRef("key")).order_by().values("key").annotate(n=Count("pk")).values("n")
    return rows().annotate(versions=Subquery(counted, output_field=IntegerField()))


def held(definition_id: int) -> bool:
    """Return whether the version may be started, and lock it shared until the end of the transaction.

    Suspending and deleting lock the row exclusively, so that they wait for the starts that hold it. SQLite has one
    writer at a time. This module may write SQL: Django has no FOR SHARE.
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
    """Return the parsed model of a definition; definitions never change, so that the cache stays valid."""
    xml, whole = Definition.objects.values_list("xml", "whole").get(pk=definition_id)
    return engine.parse(bytes(whole) or bytes(xml), is_deployed=True)


@lru_cache(maxsize=64)
def drawn(definition_id: int) -> engine.Layout:
    """Return the positions of the nodes and flows in the definition's diagram."""
    return engine.layout(bytes(Definition.objects.values_list("xml", flat=True).get(pk=definition_id)))


def place(definition_id: int, node: str) -> str:
    """Return the node of the diagram that shows this node: for a node of a called process the call activity."""
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
    """Return whether the definition is suspended together with its instances; one statement."""
    return Definition.objects.filter(pk=definition_id, is_halted=True).exists()


def seen(definition_id: int) -> Definition:
    """Return the definition if it is general or the tenant's own; raises Missing."""
    found = visible().filter(pk=definition_id).first()
    if found is None:
        raise Missing()
    return found


@lru_cache(maxsize=256)
def definition(definition_id: int) -> Definition:
    """Return the cached row of a definition; whether it is active, suspended or deleted has to be read anew."""
    return Definition.objects.defer("xml", "whole").get(pk=definition_id)
