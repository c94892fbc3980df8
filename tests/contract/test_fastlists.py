"""Fast lists answer the same bytes as the ordinary way, in both languages, for everybody, in every tenant."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest
from django.test import Client, RequestFactory

from core.equipment.models import Machine
from core.equipment.views import MachineViewSet
from core.kernel.tenancy import tenant_scope
from core.rest import fastlists
from core.rest.scopes import Rule, Scope
from tests.cast import A, B, Caller, Cast
from tests.contract.nouns import Noun, nouns, sample

FAST = [pytest.param(noun, id=noun.path) for noun in nouns() if noun.view.fast]
PEOPLE = ("tenant_admin", "equip_manager", "operator")


def _bytes(caller: Caller, path: str, **parameters: Any) -> bytes:
    return Client().get(f"/api/{path}/list", parameters, headers=caller._headers()).content


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Views whose list was served the fast way, in order; shapes are compiled anew."""
    seen: list[str] = []
    plain = fastlists._run
    monkeypatch.setattr(fastlists, "_shapes", type(fastlists._shapes)())

    def run(shape: Any, view: Any, given: Any) -> Any:
        seen.append(view.noun)
        return plain(shape, view, given)

    monkeypatch.setattr(fastlists, "_run", run)
    return seen


def _fill(cast: Cast, noun: Noun) -> None:
    for tenant, numbers in ((A, (1, 2, 3)), (B, (4,))):
        for number in numbers:
            answer = noun.keeper(cast, tenant).post_json(f"{noun.path}/submit", sample(noun, cast, tenant, number))
            assert answer.status == 200, answer
    with tenant_scope(A):
        person = cast.user("repairer")
        Machine.objects.filter(machine_code="M1").update(duty_user=person, maintain_user=person, remark='主轴 "é" 😀')


def test_there_are_fast_lists() -> None:
    assert len(FAST) >= 2


@pytest.mark.parametrize("noun", FAST)
def test_a_fast_list_answers_the_bytes_of_the_serializer(cast: Cast, noun: Noun, taken: list[str]) -> None:
    _fill(cast, noun)
    for tenant in (A, B):
        for account in PEOPLE:
            for caller in (cast.client_for(account, tenant), cast.client_for(account, tenant).in_english()):
                for page in (
                    {},
                    {"size": 2},
                    {"current": 2, "size": 2},
                    {"current": 9},
                    {"size": "x", "current": "-1"},
                ):
                    fast = _bytes(caller, noun.path, **page)
                    # A parameter that no filter declares changes nothing, but for the way.
                    assert fast == _bytes(caller, noun.path, **page, ordinary=1), (tenant, account, page)
    assert taken.count(noun.view.noun) >= 2 * 2 * 5


@pytest.mark.parametrize("noun", FAST)
def test_tenants_share_a_shape_and_no_row(cast: Cast, noun: Noun, taken: list[str]) -> None:
    _fill(cast, noun)
    ids = []
    for tenant in (A, B, A):
        data = cast.client_for("tenant_admin", tenant).get(f"{noun.path}/list", size=200).data
        with tenant_scope(tenant):
            assert data["total"] == noun.view.queryset.model.objects.count()
        ids.append({row["id"] for row in data["records"]})
    assert taken == [noun.view.noun] * 3
    assert len(fastlists._shapes) == 1
    assert ids[0] == ids[2] != set() != ids[1]
    assert ids[0] & ids[1] == set()


class OwnMachines(MachineViewSet):
    """Machines by team and department, which the product does not ask for: to see that a scope is bound anew."""

    noun = "inspectmachine"
    scope_columns = {"user": "duty_user_id", "team": "team_id", "dept": "dept_id"}


@pytest.mark.parametrize("kind", [Scope.TEAM, Scope.OWN, Scope.DEPARTMENT, Scope.DEPARTMENT_TREE])
def test_a_scope_is_bound_to_whoever_asks(
    cast: Cast, taken: list[str], kind: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tenant_scope(A):
        Machine.objects.filter(machine_code="M1").update(
            duty_user=cast.user("repairer"), dept=cast.user("repairer").dept
        )
        Machine.objects.filter(machine_code="M2").update(duty_user=cast.user("repairer_other"))
    monkeypatch.setattr("core.rest.scopes.rule_of", lambda actor, resource: Rule(frozenset({kind})))
    monkeypatch.setattr("core.rest.permissions.DeclaredCode.has_permission", lambda *given: True)
    view = OwnMachines.as_view({"get": "list"})

    def codes(account: str, **more: Any) -> list[str]:
        request = RequestFactory().get("/api/x", {"size": 50, **more}, headers=cast.client_for(account)._headers())
        return sorted(row["machineCode"] for row in view(request).data["records"])

    for account in ("repairer", "repairer_other", "operator", "operator2"):
        assert codes(account) == codes(account, ordinary=1), account
    if kind == Scope.TEAM:
        assert (codes("repairer"), codes("repairer_other")) == (["M1", "M1-SPINDLE"], ["M2"])
    assert len(taken) >= 4


def test_a_scope_that_asks_the_database_takes_the_ordinary_way(
    cast: Cast, taken: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = Rule(frozenset({Scope.CUSTOM}), (f"parentId={cast.machine('M1').pk}",))
    monkeypatch.setattr("core.rest.scopes.rule_of", lambda actor, resource: rule)
    monkeypatch.setattr("core.rest.permissions.DeclaredCode.has_permission", lambda *given: True)
    request = RequestFactory().get("/api/x", {"size": 50}, headers=cast.client_for("repairer")._headers())
    rows = OwnMachines.as_view({"get": "list"})(request).data["records"]
    assert [row["machineCode"] for row in rows] == ["M1", "M1-SPINDLE"]
    assert taken == []


def test_what_is_asked_with_a_moment_takes_the_ordinary_way(cast: Cast, taken: list[str]) -> None:
    # Without the right to edit, notices are shown from their release on: a moment, which must not be compiled in.
    cast.client_for("operator").get("blade-desk/notice/list")
    assert taken == []
    assert list(fastlists._shapes.values()) == [None]


def test_a_shape_is_shared_only_by_people_who_differ_in_marked_ids_and_texts(cast: Cast) -> None:
    actor = cast.actor_for("repairer")
    other: dict[str, Any] = {
        "role_codes": frozenset({"x"}),
        "codes": frozenset({"x"}),
        "is_administrator": True,
        "is_platform_administrator": True,
        "scopes": {"x": Rule()},
        "closed_paths": {"x": frozenset({1})},
        "tenant_id": "000000",
        "is_authenticated": None,
    }
    for field in fields(actor):
        value = getattr(actor, field.name)
        if field.name in other:
            if field.init:
                assert fastlists._kind(replace(actor, **{field.name: other[field.name]})) != fastlists._kind(actor)
        elif field.name == "kept":
            value["read"] = "before"
            changed, _marks = fastlists._marked(actor)
            assert changed.kept == {}
        elif field.name in (*fastlists._IDS, *fastlists._ID_SETS):
            changed, _marks = fastlists._marked(replace(actor, session_id=7))
            assert all(one < 0 for one in _numbers(getattr(changed, field.name))), field.name
        else:
            assert isinstance(value, str), f"{field.name}: neither marked, nor a text, nor part of the kind"


def _numbers(value: Any) -> list[int]:
    return list(value) if isinstance(value, frozenset) else [value]
