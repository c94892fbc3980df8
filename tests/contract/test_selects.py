"""What every `select` promises, tried on each one of the URL table: a new one is covered as soon as it is routed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver

from core.equipment.models import RunState, Tag, TagType
from core.identity.models import User
from core.kernel.models import SharedModel
from core.kernel.tenancy import tenant_scope
from core.rest.routes import addresses, routed_calls
from core.rest.selects import Select
from tests.cast import A, B, Cast
from tests.prove import fuzz

CHOSEN = {
    model: address.select.lstrip("/") for model, address in addresses().items() if not issubclass(model, SharedModel)
}
SELECTS = [pytest.param(model, path, id=model.__name__) for model, path in CHOSEN.items()]
MOST_STATEMENTS = 6


def _some_ids(model: Any, tenant: str) -> list[str]:
    with tenant_scope(tenant):
        return [str(pk) for pk in model._default_manager.order_by("pk").values_list("pk", flat=True)[:3]]


@pytest.mark.parametrize(("model", "path"), SELECTS)
def test_a_page_has_ids_codes_and_names_of_the_own_company(model: Any, path: str, cast: Cast) -> None:
    page = cast.client_for("tenant_admin").get(path, size=200).data
    with tenant_scope(A):
        mine = {str(pk) for pk in model._default_manager.values_list("pk", flat=True)}
    assert set(page) >= {"records", "total", "size", "current", "pages"}
    assert {row["id"] for row in page["records"]} <= mine
    for row in page["records"]:
        assert set(row) == {"id", "code", "name", "path", "enabled", "closed"}
        assert (bool(row["name"]), row["enabled"], row["closed"]) == (True, 1, "")


@pytest.mark.parametrize(("model", "path"), SELECTS)
def test_rows_of_another_company_are_not_found_by_their_ids(model: Any, path: str, cast: Cast) -> None:
    mine, theirs = _some_ids(model, A), _some_ids(model, B)
    rows = cast.client_for("tenant_admin").get(path, ids=",".join([*mine, *theirs])).data["records"]
    assert {row["id"] for row in rows} <= set(mine)


@pytest.mark.parametrize(("model", "path"), SELECTS)
def test_a_page_costs_the_same_whatever_its_size(model: Any, path: str, cast: Cast) -> None:
    caller, counts = cast.client_for("tenant_admin"), []
    caller.get(path)
    for size in (2, 50):
        with CaptureQueriesContext(connection) as captured:
            assert caller.get(path, size=size).status == 200
        counts.append(sum(query["sql"].upper().startswith("SELECT") for query in captured))
    assert counts[1] <= MOST_STATEMENTS
    assert abs(counts[0] - counts[1]) <= 1  # a page without children reads no names above


def test_every_select_but_those_of_the_dialect_answers_the_page() -> None:
    named = {(view, name) for _path, view, name in routed_calls(get_resolver()) if issubclass(view, Select)}
    plain = {view.__name__ for view, name in named if name == "select" and view.select_action != "select"}
    assert plain == {"PostViewSet", "TenantViewSet", "RegionViewSet"}


def test_what_narrows_a_reference_is_a_filter_of_its_select() -> None:
    views = {path.removeprefix("/api"): view for path, view, _name in routed_calls(get_resolver())}
    narrowed = {mark for mark in _marks(fuzz.plain_document()) if "?" in mark}
    assert len(narrowed) >= 4
    for mark in narrowed:
        path, _sep, query = mark.partition("?")
        assert set(dict(parse_qsl(query))) <= set(views[path].select_filters), mark


def _marks(schema: Any) -> Iterator[str]:
    """Every `x-ref` of the document."""
    for name, inner in schema.items() if isinstance(schema, dict) else enumerate(schema):
        if name == "x-ref":
            yield inner
        elif isinstance(inner, dict | list):
            yield from _marks(inner)


def test_a_keyword_finds_code_and_name(cast: Cast) -> None:
    caller = cast.client_for("operator")
    for word in ("M1-SPIN", "主轴"):
        (row,) = caller.get("yuzhu-equip/inspectmachine/select", keyword=word).data["records"]
        assert (row["code"], row["name"], row["path"]) == ("M1-SPINDLE", "主轴", "厂区/车间/产线/车床")


def test_what_may_no_longer_be_chosen_is_found_by_its_id_alone(cast: Cast) -> None:
    with tenant_scope(A):
        tag = Tag.objects.create(type=TagType.CAUSE, tag_name="旧词", is_sealed=True)
    caller = cast.client_for("operator")
    assert caller.get("yuzhu-equip/equiptags/select", keyword="旧词").data["records"] == []
    (row,) = caller.get("yuzhu-equip/equiptags/select", ids=str(tag.pk)).data["records"]
    assert (row["name"], row["enabled"]) == ("旧词", 0)


def test_a_scrapped_machine_is_no_longer_offered(cast: Cast) -> None:
    scrapped = cast.machine("M1")
    with tenant_scope(A):
        type(scrapped).objects.filter(pk=scrapped.pk).update(run_state=RunState.SCRAPPED)
    caller, path = cast.client_for("operator"), "yuzhu-equip/inspectmachine/select"
    offered = caller.get(path, nodeType=4, size=100).data["records"]
    assert offered and str(scrapped.pk) not in {row["id"] for row in offered}
    assert {row["enabled"] for row in offered} == {1}
    (row,) = caller.get(path, ids=str(scrapped.pk)).data["records"]
    assert (row["code"], row["enabled"]) == ("M1", 0)


def test_a_filter_offers_what_may_no_longer_be_chosen_and_says_why(cast: Cast) -> None:
    for tenant in (A, B):
        scrapped = cast.machine("M1", tenant)
        with tenant_scope(tenant):
            type(scrapped).objects.filter(pk=scrapped.pk).update(run_state=RunState.SCRAPPED)
    with tenant_scope(A):
        User.objects.filter(account="operator2").update(is_enabled=False)
    caller, machines = cast.client_for("operator"), "yuzhu-equip/inspectmachine/select"
    said = {
        (one["code"], one["enabled"], one["closed"])
        for one in caller.get(machines, nodeType=4, size=100, closed=1).data["records"]
    }
    assert {one for one in said if one[2]} == {("M1", 0, "已报废")} and len(said) > 1
    (row,) = caller.in_english().get(machines, keyword="M1", nodeType=4, closed=1).data["records"]
    assert (row["id"], row["closed"]) == (str(cast.machine("M1").pk), "Scrapped")
    for closed, found in ((1, [("operator2", "已停用")]), (0, [])):
        rows = caller.get("blade-user/select", keyword="operator2", closed=closed).data["records"]
        assert [(one["code"], one["closed"]) for one in rows] == found


def test_filters_of_the_list_narrow_a_select(cast: Cast) -> None:
    rows = cast.client_for("operator").get("yuzhu-equip/equiptags/select", type=5).data["records"]
    assert [row["name"] for row in rows] == ["磨损"]


def test_people_are_chosen_by_everybody_and_show_no_more_than_account_and_name(cast: Cast) -> None:
    with tenant_scope(A):
        User.objects.filter(account="operator2").update(is_enabled=False, phone="13900000000")
    rows = cast.client_for("operator").get("blade-user/select", size=200).data["records"]
    assert "operator2" not in {row["code"] for row in rows}
    assert {"repairer", "tenant_admin"} <= {row["code"] for row in rows}
    for asked in ({"keyword": "13900000000"}, {"phone": "13900000000", "size": 200}):
        found = cast.client_for("operator").get("blade-user/select", **asked).data["records"]
        assert found == ([] if "keyword" in asked else rows)


def test_roles_of_administrators_are_chosen_by_administrators_alone(cast: Cast) -> None:
    assert "tenant_admin" in {
        row["code"] for row in cast.client_for("tenant_admin").get("blade-system/role/select", size=200).data["records"]
    }
    assert "tenant_admin" not in {
        row["code"] for row in cast.client_for("operator").get("blade-system/role/select", size=200).data["records"]
    }


def test_an_id_that_is_none_is_refused_by_name(cast: Cast) -> None:
    answer = cast.client_for("operator").get("blade-user/select", ids="1,x")
    assert (answer.status, answer["error"]) == (400, "input.invalid")
