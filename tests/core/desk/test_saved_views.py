"""Saved views: each person has views of each list, and nobody else sees or changes them."""

from __future__ import annotations

from typing import Any

from core.audit.models import Event
from core.desk import saved_views
from core.desk.models import SavedView
from core.kernel.tenancy import tenant_scope
from tests.cast import A, B, Body, Caller, Cast

LIST = "work.todo"


def _save(caller: Caller, name: str, query: str = "overdue=1", **more: Any) -> Body:
    return caller.post_json("blade-desk/view/submit", {"listName": LIST, "name": name, "query": query, **more})


def _views(caller: Caller, list_name: str = LIST) -> list[tuple[str, str, int]]:
    rows = caller.get("blade-desk/view/mine", listName=list_name).data
    return [(row["name"], row["query"], row["isDefault"]) for row in rows]


def _counts() -> tuple[int, int]:
    with tenant_scope(A):
        return SavedView.objects.count(), Event.objects.count()


def test_a_person_saves_renames_and_removes_views_of_a_list_and_one_of_them_opens_first(cast: Cast) -> None:
    leader = cast.client_for("repair_leader")
    assert _views(leader) == []
    urgent = _save(leader, "急", "priority=1,2&descs=createTime").data["id"]
    late = _save(leader, "超时", isDefault=1).data["id"]
    assert _views(leader) == [("急", "priority=1%2C2&descs=createTime", 0), ("超时", "overdue=1", 1)]
    assert _save(leader, "特急", "priority=1", id=urgent, isDefault=1).data == {"id": urgent}
    assert sorted(_views(leader)) == [("特急", "priority=1", 1), ("超时", "overdue=1", 0)]
    assert _views(leader, "orders") == []
    assert leader.post_form("blade-desk/view/remove", id=late).code == 200
    assert _views(leader) == [("特急", "priority=1", 1)]
    assert leader.post_form("blade-desk/view/remove", id=late).code == 404


def test_views_are_their_owners_alone(cast: Cast) -> None:
    leader, mate, other = cast.client_for("repair_leader"), cast.client_for("repairer"), cast.client_for("operator", B)
    view = _save(leader, "急").data["id"]
    before = _counts()
    for caller in (mate, other):
        assert _views(caller) == []
        assert _save(caller, "我的", id=view).code == 404
        assert caller.post_form("blade-desk/view/remove", id=view).code == 404
    assert (_views(leader), _counts()) == ([("急", "overdue=1", 0)], before)
    assert _save(mate, "急").code == 200


def test_what_is_no_view_is_refused_and_changes_nothing(cast: Cast) -> None:
    leader = cast.client_for("repair_leader")
    _save(leader, "急")
    before = _counts()
    twice = _save(leader, "急", "priority=1")
    assert (twice.code, twice["data"]["fields"]) == (400, {"name": "「急」已存在"})
    assert _save(leader.in_english(), "").code == 400
    assert _save(leader, "很" * 41).code == 400
    assert _save(leader, "长", "keyword=" + "x" * 1000).code == 400
    assert _save(leader, "多", "&".join(f"a{number}=1" for number in range(30))).code == 400
    assert _save(leader, "空", listName="../x").code == 400
    assert _counts() == before
    for number in range(saved_views.MOST - 1):
        assert _save(leader, f"视图{number}").code == 200
    assert _save(leader, "再来一个").msg == "每个列表最多保存20个视图"
