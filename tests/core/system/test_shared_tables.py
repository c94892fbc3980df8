"""Tables that all companies share are changed by the platform's people alone, whatever codes a company's role holds."""

from __future__ import annotations

import pytest

from core.access.models import Menu, Role, RoleMenu
from core.kernel.tenancy import tenant_scope
from core.system.models import Region, SystemDictionary
from tests.cast import A, Caller, Cast
from tests.checksums import shared_checksum


@pytest.fixture
def admin(cast: Cast) -> Caller:
    """An administrator of a company whose role has been given the platform's buttons, past every check."""
    codes = [f"{noun}_{word}" for noun in ("dict", "region") for word in ("add", "edit", "delete")]
    with tenant_scope(A):
        role = Role.objects.get(role_alias="tenant_admin")
        for menu in Menu.objects.filter(code__in=codes):
            RoleMenu.objects.create(role=role, menu=menu)
    caller = cast.client_for("tenant_admin")
    assert set(codes) <= cast.actor_for("tenant_admin").codes
    return caller


def test_the_system_dictionary(cast: Cast, admin: Caller) -> None:
    root = SystemDictionary.objects.get(code="sex", parent=None)
    body = {"code": "mine", "dictValue": "x", "sort": 1, "isSealed": 0}
    own = cast.platform().post_json("blade-system/dict/submit", body).data["id"]
    before = shared_checksum()
    for call, given in (
        ("submit", {**body, "code": "other"}),
        ("submit", {"parentId": str(root.pk), "dictKey": "9", "dictValue": "x", "sort": 1, "isSealed": 0}),
        ("submit", {"id": own, "dictValue": "x"}),
        ("remove", {"ids": own}),
    ):
        assert admin.post_json(f"blade-system/dict/{call}", given).status == 403, given
    assert shared_checksum() == before


def test_the_regions(cast: Cast, admin: Caller) -> None:
    assert Region.objects.filter(code="320583").exists()
    before = shared_checksum()
    for call, given in (
        ("submit", {"code": "3299", "parentCode": "32", "name": "x"}),
        ("submit", {"code": "320583", "name": "x"}),
        ("remove", {"id": "320583"}),
    ):
        assert admin.post_json(f"blade-system/region/{call}", given).status == 403, given
    assert shared_checksum() == before
