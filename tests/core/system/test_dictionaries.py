"""Dictionaries: the product's own and each company's; what the product depends on stays."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.kernel.tenancy import tenant_scope
from core.rest import dictionaries as port
from core.system import dictionaries
from core.system.models import BusinessDictionary, SystemDictionary
from core.system.shipped import BUSINESS, SYSTEM
from tests.cast import A, B, Caller, Cast
from tests.checksums import checksum, shared_checksum

SYSTEM_BASE, BUSINESS_BASE = "blade-system/dict", "blade-system/dict-biz"


def _keeper(cast: Cast, base: str) -> Caller:
    return cast.platform() if base == SYSTEM_BASE else cast.client_for("tenant_admin")


def _root(caller: Caller, base: str, code: str) -> dict[str, Any]:
    (row,) = caller.get(f"{base}/parent-list", code_equal=code).data["records"]
    return row  # type: ignore[no-any-return]


def _values(caller: Caller, base: str, code: str) -> list[dict[str, Any]]:
    return caller.get(f"{base}/child-list", parentId=_root(caller, base, code)["id"]).data  # type: ignore[no-any-return]


def test_the_shipped_ones_are_installed_once_in_both_languages(cast: Cast) -> None:
    assert (len(SYSTEM), len(BUSINESS)) == (12, 78)
    for tenant in (A, B):
        with tenant_scope(tenant):
            assert BusinessDictionary.objects.filter(parent=None).count() == 78
            assert BusinessDictionary.objects.filter(parent__isnull=False).count() == 321
            dictionaries.install_for_tenant()
            assert BusinessDictionary.objects.count() == 399
            assert not BusinessDictionary.objects.filter(dict_value_en="").exists()
    dictionaries.install()
    assert SystemDictionary.objects.filter(parent=None).count() == 12


def test_values_to_choose_are_named_in_the_callers_language(cast: Cast) -> None:
    caller = cast.client_for("viewer")
    found = caller.get(f"{BUSINESS_BASE}/dictionary", code="repair_urgency").data
    assert found == [
        {"code": "repair_urgency", "dictKey": "1", "dictValue": "特急", "sort": 1, "remark": ""},
        {"code": "repair_urgency", "dictKey": "2", "dictValue": "紧急", "sort": 2, "remark": ""},
        {"code": "repair_urgency", "dictKey": "3", "dictValue": "一般", "sort": 3, "remark": ""},
    ]
    english = caller.in_english().get(f"{BUSINESS_BASE}/dictionary", code="repair_urgency").data
    assert [row["dictValue"] for row in english] == ["Critical", "Urgent", "Normal"]
    # A code that the company does not keep is the system's.
    flow = caller.get(f"{BUSINESS_BASE}/dictionary", code="flow").data
    assert [(row["dictKey"], row["remark"]) for row in flow] == [
        ("1", "leave"), ("2", "repair"), ("3", "maintain"), ("4", "join"),
    ]  # fmt: skip
    assert caller.get(f"{SYSTEM_BASE}/dictionary", code="repair_urgency").data == []
    assert caller.get(f"{SYSTEM_BASE}/dictionary").status == 400


def test_sealed_values_are_not_offered_and_still_named(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    first = _values(admin, BUSINESS_BASE, "repair_type")[0]
    sealed = admin.change(f"{BUSINESS_BASE}", {"id": first["id"], "isSealed": 1, "dictValue": "机械类"})
    assert sealed.status == 200, sealed
    offered = admin.get(f"{BUSINESS_BASE}/dictionary", code="repair_type").data
    assert [row["dictKey"] for row in offered] == ["2", "3", "4", "5"]
    with tenant_scope(A), CaptureQueriesContext(connection) as captured:
        assert port.names_of("repair_type")["1"] == "机械类"
    assert len([query for query in captured if "dictionary" in query["sql"]]) == 1
    with tenant_scope(B):
        assert port.names_of("repair_type")["1"] == "机械"
        assert port.names_of("sex") == {"1": "男", "2": "女", "3": "未知"}


@pytest.mark.parametrize(("base", "code"), [(SYSTEM_BASE, "notice"), (BUSINESS_BASE, "repair_type")])
def test_what_the_product_depends_on_is_renamed_sorted_and_sealed_only(cast: Cast, base: str, code: str) -> None:
    keeper = _keeper(cast, base)
    root, value = _root(keeper, base, code), _values(keeper, base, code)[0]
    for row in (root, value):
        good = {"id": row["id"], "dictValue": "改", "dictValueEn": "New", "sort": 9, "isSealed": 1, "remark": "r"}
        assert keeper.change(base, good).status == 200
    before = checksum(A), shared_checksum()
    for row, change in ((root, {"code": "other"}), (value, {"dictKey": "77"}), (value, {"parentId": ""})):
        answer = keeper.change(f"{base}", {"id": row["id"], **change})
        assert (answer.status, answer.msg) == (400, "系统自带的字典不能修改编号、键值和上级"), change
    for row in (root, value):
        answer = keeper.post_json(f"{base}/remove", ids=row["id"])
        assert (answer.status, answer["error"]) == (409, "dictionary.shipped")
    own = {"parentId": root["id"], "dictKey": "x", "dictValue": "x", "sort": 1, "isSealed": 0}
    assert keeper.post_json(f"{base}/submit", own).data["fields"] == {"dictKey": "此字典的键值应为整数"}
    assert (checksum(A), shared_checksum()) == before
    added = keeper.post_json(f"{base}/submit", {**own, "dictKey": "88"})
    assert added.status == 200
    assert keeper.post_json(f"{base}/remove", ids=added.data["id"]).status == 200


@pytest.mark.parametrize("base", [SYSTEM_BASE, BUSINESS_BASE])
def test_the_sentences_of_the_forms(cast: Cast, base: str) -> None:
    keeper = _keeper(cast, base)
    assert keeper.post_json(f"{base}/submit", {}).data["fields"] == {
        "code": "请输入字典编号", "dictValue": "请输入字典名称", "sort": "请输入字典排序", "isSealed": "请选择封存",
    }  # fmt: skip
    root = {"code": "mine", "dictValue": "我的", "sort": 1, "isSealed": 0}
    root_id = keeper.post_json(f"{base}/submit", root).data["id"]
    assert keeper.post_json(f"{base}/submit", root).data["fields"] == {"code": "字典编号「mine」已存在"}
    value = {"parentId": root_id, "dictValue": "甲", "sort": 1, "isSealed": 0}
    assert keeper.post_json(f"{base}/submit", value).data["fields"] == {"dictKey": "请输入字典键值"}
    assert keeper.post_json(f"{base}/submit", {**value, "dictKey": "a"}).status == 200
    again = keeper.post_json(f"{base}/submit", {**value, "dictKey": "a"})
    assert again.data["fields"] == {"dictKey": "当前字典键值已存在!"}
    refused = keeper.post_json(f"{base}/remove", ids=root_id)
    assert (refused.status, refused.msg) == (409, "请先删除子节点!")


def test_values_follow_their_dictionary_and_hang_below_one_another(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")

    def add(**body: Any) -> str:
        answer = admin.post_json(f"{BUSINESS_BASE}/submit", {"dictValue": "名", "sort": 1, "isSealed": 0, **body})
        assert answer.status == 200, answer
        return str(answer.data["id"])

    root = add(code="mine")
    upper = add(parentId=root, dictKey="a", code="somebody-elses")
    lower = add(parentId=upper, dictKey="b")
    (shown,) = admin.get(f"{BUSINESS_BASE}/child-list", parentId=root).data
    assert (shown["id"], shown["code"], shown["parentId"], shown["parentName"]) == (upper, "mine", root, "名")
    assert [row["id"] for row in shown["children"]] == [lower]
    assert [row["id"] for row in admin.get(f"{BUSINESS_BASE}/child-list", parentId=upper).data] == [lower]
    admin.change(f"{BUSINESS_BASE}", {"id": root, "code": "renamed"})
    assert [row["dictKey"] for row in admin.get(f"{BUSINESS_BASE}/dictionary", code="renamed").data] == ["a", "b"]
    loop = admin.change(f"{BUSINESS_BASE}", {"id": upper, "parentId": lower})
    assert loop.data["fields"] == {"parentId": "不能移动到自己的下级"}


def test_the_lists_and_the_tree(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    forest = admin.get(f"{BUSINESS_BASE}/list").data
    assert len(forest) == 78
    assert {len(row["children"]) for row in forest if row["code"] == "repair_status"} == {7}
    assert {(row["parentId"], row["dictKey"], row["parentName"]) for row in forest} == {("0", "-1", "顶级")}
    page = admin.get(f"{BUSINESS_BASE}/parent-list", size=10, dictValue="维修").data
    assert (page["total"], [row["code"] for row in page["records"]]) == (1, ["repair_status"])
    assert admin.get(f"{BUSINESS_BASE}/parent-list", isSealed="1").data["total"] == 0
    tree = admin.get(f"{BUSINESS_BASE}/tree", code="DICT").data
    assert (len(tree), tree[0]["title"]) == (78, "标牌类型")
    (only,) = admin.get(f"{BUSINESS_BASE}/tree", code="check_result").data
    assert [node["title"] for node in only["children"]] == ["通过", "不通过"]
    assert admin.get(f"{BUSINESS_BASE}/child-list").status == 400


def test_a_company_sees_the_system_ones_and_changes_none(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    root = _root(admin, SYSTEM_BASE, "sex")
    before = shared_checksum()
    value = {"parentId": root["id"], "dictKey": "9", "dictValue": "x", "sort": 1, "isSealed": 0}
    assert admin.post_json(f"{SYSTEM_BASE}/submit", value).status == 403
    assert admin.change(f"{SYSTEM_BASE}", {"id": root["id"], "dictValue": "x"}).status == 403
    assert admin.post_json(f"{SYSTEM_BASE}/remove", ids=root["id"]).status == 403
    assert shared_checksum() == before


def test_a_companys_own_dictionary_hides_the_systems_of_the_same_code(cast: Cast) -> None:
    root = SystemDictionary.objects.create(code="repair_urgency", dict_key="-1", dict_value="系统的")
    SystemDictionary.objects.create(code="repair_urgency", dict_key="9", dict_value="系统的值", parent=root)
    for account in ("viewer", "tenant_admin"):
        found = cast.client_for(account).get(f"{BUSINESS_BASE}/dictionary", code="repair_urgency").data
        assert [row["dictKey"] for row in found] == ["1", "2", "3"]
    with tenant_scope(A):
        assert set(dictionaries.names_of("repair_urgency")) == {"1", "2", "3"}
        assert [entry.dict_key for entry in dictionaries.entries("repair_urgency", business=False)] == ["9"]


@pytest.mark.parametrize(
    ("path", "code", "field", "body"),
    [
        ("blade-system/post", "post_category", "category", {"postCode": "P", "postName": "岗", "sort": 1}),
        ("blade-desk/notice", "notice", "category", {"title": "停机", "content": "明日"}),
        ("blade-system/dept", "org_category", "deptCategory", {"deptName": "新", "fullName": "新", "sort": 1}),
    ],
)
def test_a_noun_takes_what_its_dictionary_offers(
    cast: Cast, path: str, code: str, field: str, body: dict[str, Any]
) -> None:
    admin, before = cast.client_for("tenant_admin"), checksum(A)
    refused = admin.post_json(f"{path}/submit", {**body, field: 99})
    assert (refused.status, list(refused.data["fields"])) == (400, [field])
    assert refused.msg.startswith("请选择")
    assert checksum(A) == before
    row = admin.post_json(f"{path}/submit", {**body, field: 1}).data["id"]
    with tenant_scope(A):
        # The company has a dictionary of its own by now, with two values, of which one is sealed.
        root = BusinessDictionary.objects.create(code=code, dict_value="自有")
        for key, name, sealed in (("1", "旧", True), ("7", "新", False)):
            BusinessDictionary.objects.create(code=code, dict_key=key, dict_value=name, is_sealed=sealed, parent=root)
    found = admin.get(f"{path}/detail", id=row).data
    assert (found[field], found[f"{field}Name"]) == (1, "旧")
    assert admin.change(path, {"id": row, field: 1, "remark": "x"}).status == 200
    again = {**body, "postCode": "Q", "postName": "别", "deptName": "别"}
    for key, text in ((1, "「旧」已封存，不能使用"), (2, None)):
        refused = admin.post_json(f"{path}/submit", {**again, field: key})
        assert (refused.status, list(refused.data["fields"])) == (400, [field])
        assert text is None or refused.msg == text
    assert admin.change(path, {"id": row, field: 7}).status == 200
    # Another company has the system's.
    assert cast.client_for("tenant_admin", B).post_json(f"{path}/submit", {**body, field: 1}).status == 200
