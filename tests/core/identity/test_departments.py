"""Departments and posts: trees that keep their paths, removals that leave nothing hanging."""

from __future__ import annotations

from core.access.models import Menu, Role, RoleMenu
from core.identity.models import Department, Post
from core.kernel.tenancy import tenant_scope
from tests.cast import A, B, Cast
from tests.checksums import checksum

PATH = "blade-system/dept"


def _add(cast: Cast, name: str, parent: str = "0", **more: str) -> str:
    body = {"deptName": name, "parentId": parent, **more}
    answer = cast.client_for("tenant_admin").post_json(f"{PATH}/submit", body)
    assert answer.status == 200, answer
    return str(answer.data["id"])


def _row(row_id: str) -> Department:
    with tenant_scope(A):
        return Department.objects.get(pk=row_id)  # type: ignore[no-any-return]


def test_a_department_knows_what_is_above_it(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    top = _add(cast, "总部", leaderId=str(cast.user("viewer").pk), deptCategory="1")
    middle = _add(cast, "一部", top)
    leaf = _add(cast, "一组", middle, deptNameEn="Group one", fullName="总部一部一组")
    found = admin.get(f"{PATH}/detail", id=leaf).data
    assert (found["parentId"], found["parentName"], found["ancestors"]) == (middle, "一部", f"0,{top},{middle}")
    assert (found["deptCategory"], found["deptCategoryName"], found["title"]) == (2, "部门", "一组")
    root = admin.get(f"{PATH}/detail", id=top).data
    assert (root["parentName"], root["ancestors"], root["leaderName"]) == ("顶级", "0", "何看")
    assert root["deptCategoryName"] == "公司"
    forest = {row["id"]: row for row in admin.get(f"{PATH}/list").data}
    assert forest[top]["parentId"] == "0"
    assert [row["id"] for row in forest[top]["children"][0]["children"]] == [leaf]
    assert "children" not in forest[top]["children"][0]["children"][0]
    # Searched by name the found rows are roots, as long as what is above them is not found too.
    assert [row["id"] for row in admin.get(f"{PATH}/list", deptName="一").data] == [middle]
    assert [row["title"] for row in admin.in_english().get(f"{PATH}/lazy-tree", parentId=middle).data] == ["Group one"]
    assert [row["id"] for row in admin.get(f"{PATH}/lazy-list", fullName="一部一组").data] == [leaf]


def test_lazy_trees_begin_at_the_roots(cast: Cast) -> None:
    operator = cast.client_for("operator")
    top = _add(cast, "总部")
    below = _add(cast, "一部", top)
    for parent in ({}, {"parentId": "0"}, {"parentId": ""}):
        level = {row["id"]: row["hasChildren"] for row in operator.get(f"{PATH}/lazy-tree", **parent).data}
        assert (level[top], below in level) == (True, False)
    [node] = operator.get(f"{PATH}/lazy-tree", parentId=top).data
    assert node == {
        "id": below, "parentId": top, "title": "一部", "key": below, "value": below, "hasChildren": False,
    }  # fmt: skip


def test_a_department_moves_with_all_below_it_and_never_below_itself(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    one, two = _add(cast, "甲部"), _add(cast, "乙部")
    middle = _add(cast, "中部", one)
    leaf = _add(cast, "下部", middle)
    before = checksum(A)
    for parent, text in ((middle, "父节点不可选择自身!"), (leaf, "不能移动到自己的下级")):
        answer = admin.change(f"{PATH}", {"id": middle, "parentId": parent})
        assert (answer.status, answer.data["fields"]) == (400, {"parentId": text})
    assert checksum(A) == before
    assert admin.change(f"{PATH}", {"id": middle, "parentId": two}).status == 200
    assert _row(leaf).path == f"/{two}/{middle}/{leaf}/"
    assert admin.change(f"{PATH}", {"id": middle, "parentId": "0"}).status == 200
    assert _row(leaf).path == f"/{middle}/{leaf}/"


def test_whose_scope_is_the_subtree_sees_what_moves_into_it(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    with tenant_scope(A):
        role = Role.objects.get(role_alias="equip_manager")
        RoleMenu.objects.create(role=role, menu=Menu.objects.get(code="user_view"))
    manager = cast.client_for("equip_manager")
    accounts = {row["account"] for row in manager.get("blade-user/list", size=50).data["records"]}
    assert "equip_manager" in accounts and "operator" not in accounts
    move = {"id": str(cast.user("operator").dept_id), "parentId": str(cast.user("equip_manager").dept_id)}
    assert admin.change(PATH, move).status == 200
    accounts = {row["account"] for row in manager.get("blade-user/list", size=50).data["records"]}
    assert "operator" in accounts


def test_what_is_needed_is_not_removed(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    top = _add(cast, "总部")
    leaf = _add(cast, "一部", top)
    with tenant_scope(A):
        shop = Department.objects.get(dept_name="机加车间")
    before = checksum(A)
    answer = admin.post_json(f"{PATH}/remove", ids=top)
    assert (answer.status, answer.msg) == (409, "请先删除子节点!")
    answer = admin.post_json(f"{PATH}/remove", ids=f"{leaf},{shop.pk}")
    assert (answer.status, answer.msg) == (409, "「机加车间」正在使用中（用户：3，设备：6），不能删除")
    assert checksum(A) == before
    english = admin.in_english().post_json(f"{PATH}/remove", ids=str(shop.pk)).msg
    assert english == '"Machine shop" is in use (User: 3, Asset: 6) and cannot be deleted'
    assert admin.post_json(f"{PATH}/remove", ids=leaf).status == 200
    assert admin.post_json(f"{PATH}/remove", ids=top).status == 200
    with tenant_scope(A):
        assert not Department.objects.filter(pk__in=[top, leaf]).exists()


def test_the_platform_keeps_departments_of_a_company_it_names(cast: Cast) -> None:
    platform = cast.platform()
    made = platform.post_json(f"{PATH}/submit", {"tenantId": B, "deptName": "新部"})
    assert made.status == 200
    with tenant_scope(B):
        assert Department.objects.filter(pk=made.data["id"]).exists()
    assert "新部" in {node["title"] for node in platform.get(f"{PATH}/tree", tenantId=B).data}
    assert "新部" not in {node["title"] for node in platform.get(f"{PATH}/tree").data}
    assert "新部" not in {node["title"] for node in cast.client_for("operator").get(f"{PATH}/tree", tenantId=B).data}


def test_posts_are_chosen_by_everybody_and_kept_by_few(cast: Cast) -> None:
    admin, operator = cast.client_for("tenant_admin"), cast.client_for("operator")
    body = {"category": 3, "postCode": "qc", "postName": "质检员", "postNameEn": "Inspector", "sort": 2}
    row_id = admin.post_json("blade-system/post/submit", body).data["id"]
    assert operator.post_json("blade-system/post/submit", body).status == 403
    assert operator.get("blade-system/post/list").status == 403
    assert operator.in_english().get("blade-system/post/select").data == [
        {"id": row_id, "category": 3, "postCode": "qc", "postName": "Inspector"}
    ]
    [found] = admin.get("blade-system/post/list", postCode="Q").data["records"]
    assert (found["categoryName"], found["postName"]) == ("基层", "质检员")
    again = admin.post_json("blade-system/post/submit", {**body, "postName": "x"})
    assert again.data["fields"] == {"postCode": "岗位编号「qc」已存在"}
    assert admin.post_json("blade-system/post/remove", ids=row_id).status == 200
    assert admin.post_json("blade-system/post/submit", body).status == 200
    with tenant_scope(A):
        assert Post.objects.count() == 1
