"""The models that a company sees, one row each: its own draft, what a start takes, and how what runs stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import BigIntegerField, DateTimeField, Exists, F, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce, Greatest

from core.kernel.texts import moment
from core.rest.pagination import page
from workflows.runtime.calls.definition_serializers import category_names, definition_row
from workflows.runtime.definitions import library
from workflows.runtime.tables.deployments.models import Draft, Revision
from workflows.workbench.statistics import status

DRAFT, ACTIVE, SUSPENDED = "draft", "active", "suspended"
STATES = (DRAFT, ACTIVE, SUSPENDED)
"""States of a model: never deployed; a start takes it; the version that a start would take is suspended."""


def overview(given: Mapping[str, str]) -> dict[str, Any]:
    """A page of the models, the one touched last first: filtered by `key`, `name`, `category`, `state` and `mode`.

    Whatever its size, it costs the same number of statements.
    """
    rows = _drafts(given).union(_without_draft(given), all=True).order_by("-touched", "model")
    found, numbers = page(rows, given)
    taken = library.with_versions().in_bulk([row["taken"] for row in found if row["taken"]])
    counts = status.by_key(row["model"] for row in found)
    names = category_names()
    return {
        "records": [
            _row(row, taken.get(row["taken"]), counts.get(row["model"], status.NOTHING), names) for row in found
        ],
        **numbers,
    }


def _taken(**conditions: Any) -> Any:
    """Return the version that a start takes, or would if it were not suspended, of the draft outside."""
    return library.taken().filter(key=OuterRef("model_key"), **conditions)


def _drafts(given: Mapping[str, str]) -> Any:
    rows = Draft.objects.all()
    if text := given.get("key"):
        rows = rows.filter(model_key__icontains=text)
    if text := given.get("name"):
        named = Exists(_taken().filter(_bears(text)))
        rows = rows.filter(Q(name__icontains=text) | named)
    if asked := _categories(given):
        rows = rows.filter(Q(category__in=asked) | Q(Exists(_taken(category__in=asked)), category=""))
    if state := given.get("state"):
        deployed = Exists(_taken() if state == DRAFT else _taken(is_active=state == ACTIVE))
        rows = rows.filter(~deployed if state == DRAFT else deployed) if state in STATES else rows
    if given.get("mode") == library.GENERAL:
        rows = rows.filter(Exists(library.visible(library.GENERAL).filter(key=OuterRef("model_key"))))
    saved = Coalesce("update_time", "create_time", output_field=DateTimeField())
    put = Coalesce(Subquery(_taken().values("deploy_time")[:1]), saved, output_field=DateTimeField())
    last = Revision.objects.filter(draft=OuterRef("pk")).order_by("-version")
    return rows.order_by().values(
        model=F("model_key"),
        taken=Subquery(_taken().values("pk")[:1]),
        touched=Greatest(put, saved, output_field=DateTimeField()),
        draft=F("pk"),
        draft_name=F("name"),
        draft_category=F("category"),
        draft_version=F("version"),
        saved=F("update_time"),
        last_user=Subquery(last.values("user_name")[:1]),
        last_note=Subquery(last.values("note")[:1]),
    )


def _without_draft(given: Mapping[str, str]) -> Any:
    rows = library.taken().filter(~Exists(Draft.objects.filter(model_key=OuterRef("key"))))
    if text := given.get("key"):
        rows = rows.filter(key__icontains=text)
    if text := given.get("name"):
        rows = rows.filter(_bears(text))
    if asked := _categories(given):
        rows = rows.filter(category__in=asked)
    if (state := given.get("state")) in STATES:
        rows = rows.none() if state == DRAFT else rows.filter(is_active=state == ACTIVE)
    if (mode := given.get("mode")) in (library.GENERAL, library.OWN):
        rows = rows.filter(Exists(library.visible(mode).filter(key=OuterRef("key"))))
    return rows.order_by().values(
        model=F("key"),
        taken=F("pk"),
        touched=F("deploy_time"),
        draft=Value(None, output_field=BigIntegerField(null=True)),
        draft_name=Value(""),
        draft_category=Value(""),
        draft_version=Value(0),
        saved=Value(None, output_field=DateTimeField(null=True)),
        last_user=Value(""),
        last_note=Value(""),
    )


def _bears(text: str) -> Q:
    return Q(name__icontains=text) | Q(name_en__icontains=text)


def _categories(given: Mapping[str, str]) -> list[str]:
    return [word for word in given.get("category", "").split(",") if word]


def _row(
    found: Mapping[str, Any], deployed: Any, counts: Mapping[str, int], names: Mapping[str, str]
) -> dict[str, Any]:
    category = found["draft_category"] or (deployed.category if deployed else "")
    # A draft has a name in one language; where it is the deployed one's, that knows the other language too.
    is_renamed = deployed is None or (found["draft"] and found["draft_name"] != deployed.name)
    draft = {
        "id": str(found["draft"]),
        "version": found["draft_version"],
        "lastUpdated": moment(found["saved"]),
        "userName": found["last_user"] or "",
        "note": found["last_note"] or "",
    }
    return {
        "key": found["model"],
        "name": found["draft_name"] if is_renamed else str(deployed),
        "category": category,
        "categoryName": names.get(category, ""),
        "businessType": deployed.business_type if deployed else "",
        "state": DRAFT if deployed is None else ACTIVE if deployed.is_active else SUSPENDED,
        "draft": draft if found["draft"] else None,
        "deployed": definition_row(deployed, names) if deployed else None,
        "versions": deployed.versions if deployed else 0,
        **counts,
    }
