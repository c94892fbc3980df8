"""Data scopes decide which rows a role sees, API scopes which calls it may make; both act from the next request on."""

from __future__ import annotations

from typing import Any

import pytest

from core.access.models import ApiScope, DataScope, Menu, Role, RoleDataScope, RoleMenu
from core.kernel.tenancy import tenant_scope
from tests.cast import A, B, Cast
from tests.checksums import checksum
from workflows.runtime.tables.instances.models import ProcessInstance

ORDERS = "yuzhu-equip/repairorder/list"
SCOPE = "blade-system/data-scope"
API = "blade-system/api-scope"


def _ids(alias: str) -> list[str]:
    with tenant_scope(A):
        return [str(Role.objects.get(role_alias=alias).pk)]


def _scope_id(kind: int) -> str:
    with tenant_scope(A):
        return str(DataScope.objects.get(resource_code="repairorder", scope_type=kind).pk)


def _report(cast: Cast, *accounts: str) -> None:
    for account in accounts:
        for code in ("M1", "M2"):
            body = {"machineId": str(cast.machine(code).pk), "description": "主轴异响", "force": 1}
            assert cast.client_for(account).post_json("yuzhu-equip/repairorder/save", body).status == 200


def _sees(cast: Cast, account: str) -> int:
    return int(cast.client_for(account).get(ORDERS).data["total"])


def _set(cast: Cast, alias: str, *ids: str) -> None:
    answer = cast.client_for("tenant_admin").post_json(
        "blade-system/role/grant", {"roleIds": _ids(alias), "dataScopeIds": list(ids)}
    )
    assert answer.status == 200, answer


def test_each_kind_of_scope_shows_its_rows(cast: Cast) -> None:
    _report(cast, "operator", "equip_manager")
    assert _sees(cast, "viewer") == 4
    _set(cast, "viewer")
    assert _sees(cast, "viewer") == 0
    for kind, rows in ((2, 0), (3, 0), (4, 0), (6, 0), (1, 4)):
        _set(cast, "viewer", _scope_id(kind))
        assert _sees(cast, "viewer") == rows, kind
    _set(cast, "repairer", _scope_id(6))
    assert _sees(cast, "repairer") == 2
    assert _sees(cast, "repairer_other") == 2
    _set(cast, "repairer", _scope_id(2))
    assert _sees(cast, "repairer") == 0
    _set(cast, "operator", _scope_id(2))
    assert (_sees(cast, "operator"), _sees(cast, "operator2")) == (2, 0)
    _set(cast, "operator", _scope_id(3))
    assert (_sees(cast, "operator"), _sees(cast, "operator2")) == (4, 4)


def test_a_scope_holds_for_detail_as_for_the_list(cast: Cast) -> None:
    _report(cast, "operator")
    row = cast.client_for("viewer").get(ORDERS).data["records"][0]
    assert cast.client_for("viewer").get("yuzhu-equip/repairorder/detail", id=row["id"]).status == 200
    _set(cast, "viewer")
    assert cast.client_for("viewer").get("yuzhu-equip/repairorder/detail", id=row["id"]).status == 404


def test_a_scope_holds_for_the_process_and_changes_at_once(cast: Cast) -> None:
    _report(cast, "operator")
    with tenant_scope(A):
        instance = ProcessInstance.objects.order_by("id").first()
    people = {name: cast.client_for(name) for name in ("viewer", "repairer", "repairer_other")}
    stranger = cast.client_for("repair_leader", B)

    def seen_by() -> set[str]:
        path = "blade-flow/process/history-flow-list"
        asked = {name: one.get(path, processInstanceId=instance.pk).status for name, one in people.items()}
        assert set(asked.values()) <= {200, 404}
        assert stranger.get(path, processInstanceId=instance.pk).status == 404
        return {name for name, status in asked.items() if status == 200}

    assert seen_by() == seen_by() == {"viewer", "repairer"}  # the second time by what was compiled the first time
    _set(cast, "viewer")
    assert seen_by() == seen_by() == {"repairer"}
    _set(cast, "repairer", _scope_id(2))
    assert seen_by() == set()
    _set(cast, "viewer", _custom(cast, "reportTime_datege=2020-01-01").data["id"])
    assert seen_by() == {"viewer"}


def _custom(cast: Cast, text: str) -> Any:
    menu = str(Menu.objects.get(code="repairorder").pk)
    body = {"menuId": menu, "resourceCode": "repairorder", "scopeName": "自定", "scopeType": 5, "scopeValue": text}
    return cast.client_for("tenant_admin").post_json(f"{SCOPE}/submit", body)


def test_a_custom_scope_is_written_in_the_lists_own_filters(cast: Cast) -> None:
    _report(cast, "operator")
    made = _custom(cast, f"machineId={cast.machine('M1').pk}&status=1")
    _set(cast, "viewer", made.data["id"])
    assert _sees(cast, "viewer") == 1
    _set(cast, "viewer", made.data["id"], _scope_id(1))
    assert _sees(cast, "viewer") == 2


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "1=1", "status", "password=1", "password__startswith=a", "report_user__password=x", "tenantId=100002",
        "tenant_id=100002", "id) OR (1=1", "status=1;drop table x", "status_regex=1", "status__in=1", "orderNo_x=1",
        "status=1&1=1", "status=1 or 1=1&x=1", "__class__=1", "_connector=OR", "status=1&_negated=1", "${x}=1",
        "create_dept in (select 1)", "scopeClass=java.lang.Runtime", "machineName_sql=1", "keyword_like=1", "a" * 501,
        "status=1 OR 1=1",
        "status=1) --", "reportTime_datege=yesterday",
    ],
)  # fmt: skip
def test_anything_else_is_refused_and_not_stored(cast: Cast, text: str) -> None:
    before = checksum(A)
    answer = _custom(cast, text)
    assert (answer.status, answer["error"]) == (400, "input.invalid"), answer
    assert list(answer.data["fields"]) == ["scopeValue"]
    assert checksum(A) == before


def test_values_of_a_custom_scope_are_values_and_nothing_more(cast: Cast) -> None:
    _report(cast, "operator")
    for text in ("orderNo=' OR '1'='1", "machineName=%", "machineName=_", "machineName=' OR 1=1 --"):
        made = _custom(cast, text)
        assert made.status == 200
        _set(cast, "viewer", made.data["id"])
        assert _sees(cast, "viewer") == 0, text


def test_a_resource_without_data_scope_is_refused(cast: Cast) -> None:
    menu = str(Menu.objects.get(code="notice").pk)
    body = {"menuId": menu, "resourceCode": "notice", "scopeName": "x", "scopeType": 1}
    answer = cast.client_for("tenant_admin").post_json(f"{SCOPE}/submit", body)
    assert answer.data["fields"] == {"resourceCode": "资源「notice」不支持数据权限"}


def test_a_removed_scope_counts_no_more(cast: Cast) -> None:
    _report(cast, "operator")
    assert _sees(cast, "viewer") == 2
    assert cast.client_for("tenant_admin").post_json(f"{SCOPE}/remove", ids=_scope_id(1)).status == 200
    assert _sees(cast, "viewer") == 0
    with tenant_scope(A):
        assert RoleDataScope.objects.filter(role__role_alias="viewer").exists()


def _close(cast: Cast, path: str) -> str:
    menu = str(Menu.objects.get(code="inspectmachine").pk)
    body = {"menuId": menu, "resourceCode": "inspectmachine", "scopeName": "限", "scopePath": path, "scopeType": 2}
    answer = cast.client_for("tenant_admin").post_json(f"{API}/submit", body)
    assert answer.status == 200, answer
    return str(answer.data["id"])


@pytest.mark.parametrize(
    "path",
    ["/yuzhu-equip/inspectmachine/list", "/api/yuzhu-equip/inspectmachine/list", "/yuzhu-equip/inspectmachine/**"],
)
def test_an_api_scope_closes_its_path_to_roles_that_do_not_hold_it(cast: Cast, path: str) -> None:
    manager, viewer = cast.client_for("equip_manager"), cast.client_for("viewer")
    scope = _close(cast, path)
    machines = "yuzhu-equip/inspectmachine/list"
    assert (manager.get(machines).status, viewer.get(machines).status) == (403, 403)
    assert cast.client_for("tenant_admin").get(machines).status == 200
    assert viewer.get("yuzhu-equip/repairorder/list").status == 200
    assert cast.client_for("equip_manager", "100002").get(machines).status == 200
    body = {"roleIds": _ids("equip_manager"), "apiScopeIds": [scope]}
    assert cast.client_for("tenant_admin").post_json("blade-system/role/grant", body).status == 200
    assert (manager.get(machines).status, viewer.get(machines).status) == (200, 403)
    assert cast.client_for("tenant_admin").post_json(f"{API}/remove", ids=scope).status == 200
    assert viewer.get(machines).status == 200


@pytest.mark.parametrize("path", ["", "x", "/", "/**", "/nothing/here", "/blade-system/role", "blade-system/role/list"])
def test_an_api_scope_covers_a_call_that_exists(cast: Cast, path: str) -> None:
    menu = str(Menu.objects.get(code="role").pk)
    body = {"menuId": menu, "resourceCode": "role", "scopeName": "x", "scopePath": path}
    answer = cast.client_for("tenant_admin").post_json(f"{API}/submit", body)
    assert (answer.status, list(answer.data["fields"])) == (400, ["scopePath"])
    with tenant_scope(A):
        assert not ApiScope.objects.exists()


@pytest.mark.parametrize("path", ["/blade-user/list", "/blade-user/**", "/api/blade-system/user/list"])
def test_an_api_scope_closes_a_call_at_both_its_addresses(cast: Cast, path: str) -> None:
    with tenant_scope(A):
        buttons = Menu.objects.filter(code__in=("user", "user_view"))
        role = Role.objects.get(role_alias="equip_manager")
        RoleMenu.objects.bulk_create(RoleMenu(role=role, menu=menu) for menu in buttons)
    manager, addresses = cast.anew("equip_manager"), ("blade-user/list", "blade-system/user/list")
    assert [manager.get(address).status for address in addresses] == [200, 200]
    _close(cast, path)
    assert [manager.get(address).status for address in addresses] == [403, 403]
