"""The menu: kept by the platform, safe in its addresses, split by top menus, and left as people changed it."""

from __future__ import annotations

from typing import Any

import pytest

from core.access import seed
from core.access.grants import rights_changed
from core.access.models import DataScope, Menu, RoleMenu
from core.kernel.tenancy import PLATFORM, tenant_scope
from tests.cast import A, B, Cast
from tests.checksums import shared_checksum

MENU = "blade-system/menu"
TOP = "blade-system/topmenu"


def _submit(cast: Cast, **values: Any) -> Any:
    return cast.platform().post_json(f"{MENU}/submit", {"code": "docs", "name": "文档", **values})


@pytest.mark.parametrize(
    "path",
    [
        "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "//evil.example.com", "http:/x", "ftp://x",
        "java\tscript:alert(1)", "java\nscript:x", " javascript:x", "vbscript:x", "file:///etc/passwd", "\\\\x\\y",
        "/\\evil", "https://a b", "http://user@host/", "x/y", "http://", "https://x\\@y",
    ],
)  # fmt: skip
def test_an_address_that_a_browser_would_run_is_refused(cast: Cast, path: str) -> None:
    before = shared_checksum()
    answer = _submit(cast, path=path)
    assert (answer.status, list(answer.data["fields"])) == (400, ["path"]), path
    assert shared_checksum() == before
    tops = cast.client_for("tenant_admin").post_json(f"{TOP}/submit", {"code": "t", "name": "顶", "path": path})
    assert (tops.status, list(tops.data["fields"])) == (400, ["path"])


@pytest.mark.parametrize(
    "path", ["", "/system/user", "https://docs.example.com/a?b=1#c", "http://10.0.0.1:8080/x.html"]
)
def test_plain_addresses_are_taken(cast: Cast, path: str) -> None:
    assert _submit(cast, path=path).status == 200


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("meta", {"onclick": "x"}), ("meta", {"keepAlive": "yes"}), ("meta", []), ("meta", {"roles": 1}),
        ("query", {"a": {"b": 1}}), ("query", {"a b": "1"}), ("query", {"__proto__": "x" * 2000}), ("query", "a=1"),
        ("code", "1x"), ("code", "a b"), ("category", 3), ("isOpen", 0), ("action", 9),
    ],
)  # fmt: skip
def test_what_the_router_does_not_read_is_refused(cast: Cast, field: str, value: Any) -> None:
    before = shared_checksum()
    answer = _submit(cast, **{field: value})
    assert (answer.status, list(answer.data["fields"])) == (400, [field])
    assert shared_checksum() == before


def test_meta_query_and_group_reach_the_router(cast: Cast) -> None:
    meta, query = {"roles": ["hr"], "keepAlive": True, "isTab": False}, {"tab": "2"}
    made = _submit(cast, path="/docs", meta=meta, query=query, group="g", isOpen=2)
    admin = cast.client_for("tenant_admin")
    keys = admin.get(f"{MENU}/role-tree-keys", roleIds=_role_id(cast)).data["menu"]
    body = {"roleIds": [_role_id(cast)], "menuIds": [*keys, made.data["id"]]}
    assert admin.post_json("blade-system/role/grant", body).status == 200
    entry = next(one for one in admin.get(f"{MENU}/routes").data if one["code"] == "docs")
    assert entry["meta"] == {"i18n": "docs", **meta}
    assert (entry["query"], entry["group"], entry["isOpen"]) == (query, "g", 2)


def _role_id(cast: Cast) -> str:
    from core.access.models import Role
    from core.kernel.tenancy import tenant_scope

    with tenant_scope(A):
        return str(Role.objects.get(role_alias="tenant_admin").pk)


def test_a_top_menu_shows_its_part_of_what_is_granted(cast: Cast) -> None:
    admin, viewer = cast.client_for("tenant_admin"), cast.client_for("viewer")
    assert viewer.get(f"{MENU}/top-menu").data == []
    made = admin.post_json(f"{TOP}/submit", {"code": "plant", "name": "设备", "nameEn": "Plant", "sort": 1}).data["id"]
    ids = [str(Menu.objects.get(code=code).pk) for code in ("inspectmachine", "role")]
    assert admin.post_json(f"{TOP}/grant", {"topMenuIds": [made], "menuIds": ids}).status == 200
    assert admin.get(f"{MENU}/top-tree-keys", topMenuIds=made).data["menu"] == sorted(ids)
    (top,) = viewer.in_english().get(f"{MENU}/top-menu").data
    assert (top["id"], top["name"], top["code"]) == (made, "Plant", "plant")
    (root,) = viewer.get(f"{MENU}/routes", topMenuId=made).data
    assert (root["code"], [one["code"] for one in root["children"]]) == ("equip", ["inspectmachine"])
    assert len(viewer.get(f"{MENU}/routes").data) > 1
    stranger = cast.client_for("tenant_admin", B)
    assert stranger.get(f"{MENU}/routes", topMenuId=made).status == 404
    assert stranger.get(f"{MENU}/top-tree-keys", topMenuIds=made).status == 404
    assert stranger.post_json(f"{TOP}/grant", {"topMenuIds": [made], "menuIds": []}).status == 404
    assert stranger.get(f"{MENU}/top-menu").data == []


def test_what_the_product_brought_is_changed_but_not_removed(cast: Cast) -> None:
    platform, row = cast.platform(), Menu.objects.get(code="notice")
    answer = platform.post_json(f"{MENU}/remove", ids=str(row.pk))
    assert (answer.status, answer["error"]) == (409, "menu.shipped")
    assert platform.change(f"{MENU}", {"id": str(row.pk), "code": "x"}).status == 400
    assert platform.change(f"{MENU}", {"id": str(row.pk), "name": "公告栏", "sort": 99}).status == 200
    seed.install()
    row.refresh_from_db()
    assert (row.name, row.sort, row.path) == ("公告栏", 99, "/desk/notice")
    Menu.objects.filter(pk=row.pk).update(shipped={**row.shipped, "path": "/old"}, path="/old")
    seed.install()
    row.refresh_from_db()
    assert (row.name, row.path) == ("公告栏", "/desk/notice")


def test_an_entry_with_others_below_it_stays(cast: Cast) -> None:
    above = _submit(cast, path="/docs").data["id"]
    _submit(cast, code="docs2", parentId=above)
    answer = cast.platform().post_json(f"{MENU}/remove", ids=above)
    assert (answer.status, answer.msg) == (409, "请先删除子节点!")
    assert Menu.objects.filter(pk=above).exists()


def test_lists_of_entries_leave_buttons_out(cast: Cast) -> None:
    admin, top = cast.client_for("tenant_admin"), Menu.objects.get(code="inspectmachine")
    rows = {row["code"]: row for row in admin.get(f"{MENU}/lazy-list", parentId=str(top.pk)).data}
    assert {"inspectmachine_view", "inspectmachine_delete"} <= set(rows)
    assert admin.get(f"{MENU}/lazy-menu-list", parentId=str(top.pk)).data == []
    roots = {row["code"]: row["hasChildren"] for row in admin.get(f"{MENU}/lazy-menu-list", parentId="0").data}
    assert (roots["equip"], roots["wel"]) == (True, False)
    assert {row["category"] for row in admin.get(f"{MENU}/menu-list").data} == {1}


def test_what_a_new_version_brings_is_granted_and_what_was_withdrawn_is_not(cast: Cast) -> None:
    admin, repairer = cast.client_for("tenant_admin"), cast.client_for("repairer")
    # As it was before the version that brought this button, in a company that had withdrawn another.
    button = Menu.objects.get(code="notice_delete")
    for tenant_id in (A, B, PLATFORM):
        with tenant_scope(tenant_id):
            RoleMenu.objects.filter(menu=button).delete()
    with tenant_scope(A):
        button.delete()
        RoleMenu.objects.filter(role__role_alias="tenant_admin", menu__code="notice_edit").delete()
        DataScope.objects.filter(resource_code="user").delete()
        before = DataScope.objects.filter(resource_code="repairorder").count()
    rights_changed(A)
    notice = {"title": "检修", "category": 1, "content": "周六停电"}
    row_id = admin.post_json("blade-desk/notice/submit", notice).data["id"]
    assert admin.post_json("blade-desk/notice/remove", ids=row_id).status == 403

    seed.install()

    assert repairer.post_json("blade-desk/notice/remove", ids=row_id).status == 403
    assert admin.change("blade-desk/notice", {"id": row_id, "title": "x"}).status == 403
    assert admin.post_json("blade-desk/notice/remove", ids=row_id).status == 200
    with tenant_scope(A):
        assert DataScope.objects.filter(resource_code="user").count() == 4
        assert DataScope.objects.filter(resource_code="repairorder").count() == before
    assert admin.get("blade-system/user/list").data["total"] > 1
