"""Comments on records: who writes, whom one mentions, who is told, what is deleted; for a work order and for leave."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.access.models import UserRole
from core.audit.models import Event
from core.cases.models import Comment
from core.desk.models import Message
from core.identity.models import User
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.scheduling import outbox
from core.storage.models import FileUse
from tests.cast import A, B, Body, Caller, Cast
from tests.repairs import DAY, Story, at, photo

pytestmark = pytest.mark.django_db

ORDER, LEAVE = "yuzhu-equip/repairorder", "blade-desk/process/leave"
DAY_OFF = {"type": 1, "startTime": "2026-03-05 08:00:00", "endTime": "2026-03-05 17:00:00", "reason": "回老家办事"}


@pytest.fixture
def story(cast: Cast) -> Iterator[Story]:
    """An order of the operator, at eight in the morning."""
    with at("08:00"):
        yield Story(cast)


def _comment(story: Story, who: str, text: str = "已停机，等备件", tenant: str = A, **more: Any) -> Body:
    return story.caller(who, tenant).post_json(f"{ORDER}/comment", {"id": story.now["id"], "text": text, **more})


def _remove(story: Story, who: str, comment_id: str, tenant: str = A) -> Body:
    return story.caller(who, tenant).post_json(f"{ORDER}/remove-comment", id=story.now["id"], commentId=comment_id)


def _id(cast: Cast, account: str, tenant: str = A) -> str:
    return str(cast.user(account, tenant).pk)


def _told() -> list[tuple[str, str, str]]:
    """Whom the comments told what, after the commits."""
    outbox.deliver_due()
    with tenant_scope(A):
        names = dict(_accounts())
        rows = Message.objects.filter(title__contains="评论").order_by("id")
        return sorted((names[row.user_id], row.title, row.content) for row in rows)


def _accounts() -> Any:
    from core.identity.models import User

    return User.objects.values_list("pk", "account")


def _comments(story: Story, who: str = "equip_manager") -> list[dict[str, Any]]:
    return story.detail(who)["comments"]  # type: ignore[no-any-return]


def test_whoever_sees_the_order_writes_and_the_others_read_it(story: Story, cast: Cast) -> None:
    link = photo(story, "viewer")
    assert _comment(story, "viewer", "有旧照片", images=[link]).status == 200
    [row] = _comments(story)
    assert (row["userName"], row["time"], row["text"]) == ("何看", "2026-03-02 08:00:00", "有旧照片")
    assert [one.split("?")[0] for one in row["images"]] == [link.split("?")[0]]
    assert (row["mentions"], row["isDeleted"], row["mayDelete"]) == ([], False, False)
    assert _comments(story, "viewer")[0]["mayDelete"] is True
    # The act is in the audit log with its words, and the history shows the comment itself.
    with tenant_scope(A):
        events = Event.objects.filter(operation="repairorder.comment").values_list("user_name", "remark", "business_id")
        assert list(events) == [("何看", "有旧照片", int(story.now["id"]))]
        assert FileUse.objects.filter(model="cases.Comment").count() == 1
    assert [log["action"] for log in story.detail()["logs"]] == ["save"]


def test_mentioned_people_the_holder_and_the_reporter_are_told_once_each(story: Story, cast: Cast) -> None:
    story.send()
    told = [_id(cast, "repairer"), _id(cast, "viewer")]
    assert _comment(story, "repair_leader", "@蒋修 @何看 先停机", mentions=told).status == 200
    assert _told() == [
        ("operator", f"卫长评论了维修工单：{story.now['orderNo']}", "@蒋修 @何看 先停机"),
        ("repairer", f"卫长在评论中提到您：{story.now['orderNo']}", "@蒋修 @何看 先停机"),
        ("viewer", f"卫长在评论中提到您：{story.now['orderNo']}", "@蒋修 @何看 先停机"),
    ]
    assert _comments(story)[0]["mentions"] == ["蒋修", "何看"]
    assert _comment(story, "operator", "", images=[photo(story, "operator")]).status == 200
    # The leader has commented before; whoever was only mentioned is not told of all that follows.
    assert [row for row in _told() if "秦操" in row[1]] == [
        ("repair_leader", f"秦操评论了维修工单：{story.now['orderNo']}", "[图片]"),
        ("repairer", f"秦操评论了维修工单：{story.now['orderNo']}", "[图片]"),
    ]
    with tenant_scope(A):
        message = Message.objects.filter(user_id=cast.user("viewer").pk).get()
        assert (message.business_type, message.business_id) == ("repairorder", int(story.now["id"]))


def test_while_nobody_holds_the_step_only_mentioned_candidates_are_told(story: Story, cast: Cast) -> None:
    assert _comment(story, "operator", "补充：刀塔也响").status == 200
    assert _told() == []
    assert _comment(story, "operator", "@卫长 请看", mentions=[_id(cast, "repair_leader")]).status == 200
    assert [account for account, *_rest in _told()] == ["repair_leader"]
    # Whoever holds the step is told, and the candidates are not any more than before.
    story.act("repair_leader", "dispatch", repairUserId=_id(cast, "repairer"))
    assert _comment(story, "operator", "已停机").status == 200
    assert [account for account, *_rest in _told()] == ["repair_leader", "repairer"]


def test_who_commented_before_is_told_while_the_comment_and_the_right_to_see_are_there(story: Story) -> None:
    written = {who: _comment(story, who, "看过").data["id"] for who in ("viewer", "shift_leader", "equip_manager")}
    before = len(_told())
    assert _remove(story, "shift_leader", written["shift_leader"]).status == 200
    with tenant_scope(A):
        story.cast.user("equip_manager").roles.all().delete()
    assert _comment(story, "operator", "又响了").status == 200
    assert [row for row in _told() if "秦操" in row[1]] == [
        ("viewer", f"秦操评论了维修工单：{story.now['orderNo']}", "又响了")
    ]
    assert len(_told()) == before + 1


def test_of_more_people_than_are_listed_anybody_is_found_by_name(story: Story) -> None:
    """The list is of fifty people at most; the server looks for what is typed."""
    with tenant_scope(A):
        like = User.objects.get(account="viewer")
        for number in range(60):
            user = User.objects.create(account=f"extra{number:02d}", real_name=f"安{number:02d}", dept=like.dept)
            for held in like.roles.all():
                UserRole.objects.create(user=user, role=held.role)

    def offered(keyword: str) -> list[str]:
        rows = story.caller("operator").get(f"{ORDER}/comment-people", id=story.now["id"], keyword=keyword).data
        return [row["realName"] for row in rows]

    assert len(offered("安")) == 50
    assert (offered("安59"), offered("extra58"), offered("何看")) == (["安59"], ["安58"], ["何看"])


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"text": ""}, "text"),
        ({"text": "  "}, "text"),
        ({"text": "长" * 1001}, "text"),
        ({"images": ["/api/blade-resource/attach/file/100001/" + "0" * 32 + ".png"]}, "images"),
        ({"mentions": ["7"]}, "mentions"),
        ({"mentions": "x"}, "mentions"),
    ],
)
def test_what_is_wrong_is_told_under_its_field_and_changes_nothing(
    story: Story, more: dict[str, Any], field: str
) -> None:
    before = story.rows()
    answer = _comment(story, "operator", **{"text": "好", **more})
    assert (answer.status, list(answer["data"]["fields"])) == (400, [field])
    with tenant_scope(A):
        assert (story.rows(), Comment.objects.count()) == (before, 0)


def test_pictures_are_four_at_most(story: Story) -> None:
    links = [photo(story, "operator") for _number in range(5)]
    assert _comment(story, "operator", images=links)["data"]["fields"] == {"images": "最多上传4张图片"}
    assert _comment(story, "operator", images=links[:4]).status == 200


def test_only_people_who_see_the_order_are_mentioned_and_offered(story: Story, cast: Cast) -> None:
    """An electrician sees the orders of his own team only, and this machine belongs to the mechanics."""
    other = _id(cast, "repairer_other")
    refused = _comment(story, "operator", "@韩修", mentions=[other])
    assert (refused.status, refused["data"]["fields"]) == (400, {"mentions": "提及的人员无权查看该单据"})
    abroad = _comment(story, "operator", "@卫长", mentions=[_id(cast, "repair_leader", B)])
    assert abroad.status == 400
    in_english = story.caller("operator").in_english()
    body = {"id": story.now["id"], "text": "@", "mentions": [other]}
    assert in_english.post_json(f"{ORDER}/comment", body)["data"]["fields"] == {
        "mentions": "The person mentioned may not see this record"
    }

    def offered(keyword: str = "") -> list[str]:
        rows = story.caller("operator").get(f"{ORDER}/comment-people", id=story.now["id"], keyword=keyword).data
        return [row["realName"] for row in rows]

    # Those concerned come first; oneself, and who does not see it, are not among them.
    assert offered()[0] == "卫长"
    assert set(offered()) == {"卫长", "何看", "尤操", "李班", "沈修", "蒋修", "赵理", "钱管"}
    assert (offered("修"), offered("repairer_other"), offered("viewer")) == (["沈修", "蒋修"], [], ["何看"])


def test_who_does_not_see_the_order_gets_404_and_changes_nothing(story: Story, cast: Cast) -> None:
    own = _comment(story, "operator").data["id"]
    before = story.rows()
    for who, tenant in (("repairer_other", A), ("repair_leader", B)):
        assert _comment(story, who, tenant=tenant).status == 404
        assert _remove(story, who, own, tenant).status == 404
        asked = story.caller(who, tenant).get(f"{ORDER}/comment-people", id=story.now["id"])
        assert asked.status == 404
    with tenant_scope(A):
        assert (story.rows(), Comment.objects.count()) == (before, 1)


def test_the_writer_deletes_within_half_an_hour_and_a_trace_stays(story: Story) -> None:
    own = _comment(story, "operator", "写错了").data["id"]
    kept = _comment(story, "operator", "这条留着").data["id"]
    other = _remove(story, "repair_leader", own)
    assert (other.status, other.msg) == (403, "只能删除本人的评论")
    assert _remove(story, "operator", "7").status == 404
    assert _remove(story, "operator", own).status == 200
    assert _remove(story, "operator", own).status == 404
    rows = [(row["text"], row["isDeleted"], row["mayDelete"], row["userName"]) for row in _comments(story, "operator")]
    assert rows == [("", True, False, "秦操"), ("这条留着", False, True, "秦操")]
    with clock.at(DAY + timedelta(hours=8, minutes=30)):
        assert [row["mayDelete"] for row in _comments(story, "operator")] == [False, False]
        late = _remove(story, "operator", kept)
        assert (late.status, late["error"], late.msg) == (409, "comment.late", "评论只能在30分钟内删除")
    with tenant_scope(A):
        acts = Event.objects.filter(operation__contains="omment").order_by("id").values_list("operation", "remark")
        assert list(acts) == [
            ("repairorder.comment", "写错了"), ("repairorder.comment", "这条留着"),
            ("repairorder.removeComment", "写错了"),
        ]  # fmt: skip


def test_a_request_that_is_sent_twice_is_one_comment(story: Story) -> None:
    body = {"id": story.now["id"], "text": "一次"}
    caller = story.caller("operator")
    first = caller.post_json(f"{ORDER}/comment", body, key="k1")
    assert caller.post_json(f"{ORDER}/comment", body, key="k1").data == first.data
    assert len(_comments(story)) == 1


def test_a_closed_order_takes_comments_still(story: Story) -> None:
    story.act("operator", "cancel", cancelReason=1)
    assert _comment(story, "repairer", "同意取消").status == 200
    assert [account for account, *_rest in _told()] == ["operator"]


def _statements(call: Any) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert call().status == 200
    return len(captured)


def test_many_comments_and_many_people_cost_as_many_statements_as_few(story: Story, cast: Cast) -> None:
    manager, operator = story.caller("equip_manager"), story.caller("operator")
    ids = [_id(cast, name) for name in ("repairer", "repairer2", "viewer", "equip_manager", "shift_leader")]

    def page() -> Body:
        return manager.get(f"{ORDER}/detail", id=story.now["id"])

    def choose(keyword: str) -> Body:
        return operator.get(f"{ORDER}/comment-people", id=story.now["id"], keyword=keyword)

    def write(count: int) -> Body:
        return operator.post_json(f"{ORDER}/comment", {"id": story.now["id"], "text": "@", "mentions": ids[:count]})

    page(), write(1), choose("")
    assert (_statements(page), _statements(lambda: choose("何看"))) == (
        _statements(page),
        _statements(lambda: choose("")),
    )
    one = _statements(page)
    assert _statements(lambda: write(1)) == _statements(lambda: write(5))
    assert _statements(page) == one


def _leave(cast: Cast) -> str:
    body = {**DAY_OFF, "taskUser": _id(cast, "shift_leader")}
    answer = cast.client_for("operator").post_json(f"{LEAVE}/start-process", body)
    assert answer.status == 200, answer
    return answer.data["id"]  # type: ignore[no-any-return]


def test_leave_has_comments_too_among_those_who_see_it(cast: Cast) -> None:
    with at("08:00"):
        leave = _leave(cast)

        def write(who: str, text: str, *mentioned: str) -> int:
            body = {"id": leave, "text": text, "mentions": [_id(cast, one) for one in mentioned]}
            return cast.client_for(who).post_json(f"{LEAVE}/comment", body).status

        def offered(caller: Caller) -> list[str]:
            return [row["realName"] for row in caller.get(f"{LEAVE}/comment-people", id=leave).data]

        # The applicant, the approver, and the administrator, who sees all leave.
        assert offered(cast.client_for("operator")) == ["李班", "赵理"]
        assert write("operator", "@李班 请尽快", "shift_leader") == 200
        assert write("shift_leader", "收到") == 200
        assert (write("viewer", "多少天"), write("operator", "@何看", "viewer")) == (404, 400)
        detail = cast.client_for("shift_leader").get(f"{LEAVE}/detail", businessId=leave).data
        assert [(row["userName"], row["text"]) for row in detail["comments"]] == [
            ("秦操", "@李班 请尽快"), ("李班", "收到"),
        ]  # fmt: skip
        number = detail["leaveNo"]
        assert _told() == [
            ("operator", f"李班评论了请假单：秦操 {number}", "收到"),
            ("shift_leader", f"秦操在评论中提到您：秦操 {number}", "@李班 请尽快"),
        ]
