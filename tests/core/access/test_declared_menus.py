"""The menu and its rights stand beside the calls; what nobody declares, nobody but the platform holds."""

from __future__ import annotations

import pytest

from core.access import seed
from core.equipment.views import MachineClassViewSet, MachineViewSet
from core.kernel.texts import label
from core.rest import checks
from core.rest.menus import EVERYTHING, KEEP, SEE, MenuEntry, ShippedRole, held_by, kept_by, menus_of, together
from core.system.views import SystemDictionaryViewSet


def test_a_role_that_no_declaration_names_holds_nothing_of_a_noun() -> None:
    client = {code for code in seed.grants()["administrator"] if code.startswith("client")}
    assert client == {"client", "client_view", "client_add", "client_edit", "client_delete"}
    for role in ShippedRole:
        assert client.isdisjoint(seed.grants()[role]), role


def test_what_only_the_platform_may_do_is_given_to_no_tenant() -> None:
    [declared] = menus_of(SystemDictionaryViewSet)
    assert declared.platform_only == {"add", "edit", "delete"}
    held = {code for code in seed.grants()["tenant_admin"] if code.startswith("dict_")}
    assert held == {"dict_view", "dict_export"}


def test_what_several_declarations_give_adds_up() -> None:
    roles = together(held_by(("a", "b"), SEE), {"a": KEEP}, {"c": EVERYTHING})
    assert roles == {"a": KEEP | SEE, "b": SEE, "c": EVERYTHING}


def test_whoever_keeps_an_asset_is_joined_by_those_who_see_it() -> None:
    roles = kept_by(ShippedRole.EQUIP_MANAGER)
    assert (roles["equip_manager"], roles["tenant_admin"], roles["viewer"]) == (KEEP, SEE | EVERYTHING, SEE)
    assert "hr" not in roles


def test_a_role_keeps_of_a_noun_what_the_noun_has() -> None:
    held = {code for code in seed.grants()["equip_manager"] if code.startswith("inspecttype")}
    assert held == {"inspecttype", *(f"inspecttype_{end}" for end in ("view", "add", "edit", "delete"))}


def test_a_permission_code_without_a_button_is_told_with_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MachineViewSet, "codes", {**MachineViewSet.codes, "list": "inspectmachine_scrap"})
    with pytest.raises(LookupError, match="MachineViewSet: no button is declared for inspectmachine_scrap"):
        list(menus_of(MachineViewSet))
    assert [problem.id for problem in checks.every_noun_stands_in_the_menu(None)] == ["rest.E003"]


def test_a_noun_without_a_place_in_the_menu_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert checks.every_noun_stands_in_the_menu(None) == []
    monkeypatch.setattr(MachineClassViewSet, "menu", None)
    [problem] = checks.every_noun_stands_in_the_menu(None)
    assert (problem.id, problem.obj) == ("rest.E002", MachineClassViewSet)


def test_a_new_entry_is_seen_by_nobody_of_a_tenant_until_it_is_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    seed.grants.cache_clear()
    monkeypatch.setattr(MachineClassViewSet, "menu", MenuEntry("equip", "/x", "class", label("甲", "A")))
    try:
        holders = {role for role, codes in seed.grants().items() if "inspecttype_view" in codes}
    finally:
        seed.grants.cache_clear()
    assert holders == {"administrator"}
