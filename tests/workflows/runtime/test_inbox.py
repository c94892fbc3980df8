"""The inbox: what a person can do now, in the order in which it runs out."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.cast import B, Caller, Cast
from tests.repairs import Story, at

INBOX = "blade-flow/work/inbox"
OPEN = "blade-flow/work/still-open"


def _shown(caller: Caller, **given: Any) -> list[tuple[Any, ...]]:
    rows = caller.get(INBOX, **given).data["records"]
    return [(row["businessNo"][-2:], row["priority"], row["dueTime"][11:16], row["why"]) for row in rows]


def test_what_runs_out_first_stands_first_whoever_holds_it(cast: Cast) -> None:
    with at("8:00"):
        orders = [Story(cast, urgency=urgency, force=1) for urgency in (3, 1, 2)]
        Story(cast, machine="M2", urgency=1)
        leader = cast.client_for("repair_leader")
        [first] = leader.get(INBOX, keyword=orders[0].now["orderNo"]).data["records"]
        leader.post_form("blade-flow/work/claim-task", taskId=first["taskId"])
        role, critical, normal = "维修班长", "08:15", "12:00"
        assert _shown(leader) == [
            ("02", 1, critical, role), ("04", 1, critical, role), ("03", 2, "09:00", role), ("01", 3, normal, "已领取"),
        ]  # fmt: skip
        assert [row["subject"] for row in leader.get(INBOX, size=1).data["records"]] == ["M1 车床"]
        assert _shown(leader, current=2, size=3) == [("01", 3, normal, "已领取")]
        assert _shown(leader, isHeld=1) == [("01", 3, normal, "已领取")]
        assert [row[0] for row in _shown(leader, isHeld=0)] == ["02", "04", "03"]
        assert [row[0] for row in _shown(leader, priority=1)] == ["02", "04"]
        # An edit of the urgency changes place and due time at once.
        orders[0].now["lockVersion"] = 1
        orders[0].act("operator", "edit", urgency=1)
        assert _shown(leader)[0] == ("01", 1, critical, "已领取")
        # Repairers of the machine's team see the same steps by another reason.
        assert _shown(cast.client_for("repairer"))[0][3] == "机修班"


def test_the_inbox_costs_as_much_for_many_rows_as_for_few(cast: Cast) -> None:
    costs = []
    with at("8:00"):
        leader = cast.client_for("repair_leader")
        for _turn in range(2):
            for _number in range(3):
                Story(cast, force=1)
            leader.get(INBOX)
            with CaptureQueriesContext(connection) as captured:
                assert leader.get(INBOX).data["total"] == 3 * (len(costs) + 1)
            costs.append(sum(" FROM " in query["sql"] for query in captured))
    assert costs == [6, 6]


def test_a_search_of_the_inbox_costs_no_more_than_its_first_page(cast: Cast) -> None:
    with at("8:00"):
        for _number in range(3):
            Story(cast, force=1)
        leader = cast.client_for("repair_leader")

        def found(**given: Any) -> tuple[int, int, int]:
            """Rows, total and statements."""
            leader.get(INBOX, **given)
            with CaptureQueriesContext(connection) as captured:
                data = leader.get(INBOX, **given).data
            return len(data["records"]), data["total"], sum(" FROM " in query["sql"] for query in captured)

        assert found(keyword="车床") == (3, 3, 6)
        assert found(keyword="车床", size=2) == (2, 3, 6)
        assert found(keyword="车床", size=2, current=2) == (1, 3, 6)
        assert found(keyword="车床", size=2, current=3) == (0, 3, 5)
        assert found(keyword="没有这个") == (0, 0, 4)
        assert found(dueToday=1, size=1) == (1, 3, 6)
        assert found(returned=1) == (0, 0, 4)


def _gone(caller: Caller, *task_ids: str) -> dict[str, str]:
    answer = caller.get(OPEN, ids=",".join(task_ids))
    assert answer.code == 200, answer
    return {row["taskId"]: row["message"] for row in answer.data}


def test_the_page_is_told_which_of_its_rows_have_left_and_who_has_them(cast: Cast) -> None:
    with at("8:00"):
        for _number in range(4):
            Story(cast, force=1)
        leader, mate = cast.client_for("repair_leader"), cast.client_for("repairer")
        claimed, sent, cancelled, waits = (
            row["taskId"] for row in leader.get(INBOX, ascs="createTime").data["records"]
        )
        assert _gone(leader, claimed, sent, cancelled, waits) == {}
        assert _gone(mate, claimed, sent, cancelled, waits) == {}
        assert leader.post_form("blade-flow/work/claim-task", taskId=claimed).code == 200
        to = {"taskId": sent, "outcome": "dispatch", "variables": {"repairUserId": str(cast.user("repairer").pk)}}
        assert mate.post_json("blade-flow/work/complete-task", to).code == 403
        assert leader.post_json("blade-flow/work/complete-task", to).code == 200
        cancel = {"action": "cancel", "cancelReason": 1, **_order(leader, cancelled)}
        assert leader.post_json("yuzhu-equip/repairorder/update", cancel).code == 200
        done, ended = "已由卫长处理", "流程已结束或已进入其他步骤"
        assert _gone(leader, claimed, sent, cancelled, waits) == {sent: done, cancelled: ended}
        assert _gone(mate, claimed, sent, waits) == {claimed: "已由卫长领取", sent: done}
        assert _gone(mate.in_english(), sent) == {sent: "Handled by 卫长"}
        # The page says nothing of others about what the person has done.
        for caller, is_own in ((leader, True), (mate, False)):
            [row] = caller.get(OPEN, ids=sent).data
            assert row["isOwn"] is is_own
        # Nobody else learns who has it, and another company's task is like one that does not exist.
        unknown = "该任务已不在您的待办中"
        assert _gone(cast.client_for("repairer_other"), claimed) == {claimed: unknown}
        assert _gone(cast.client_for("repair_leader", B), claimed, "17") == {claimed: unknown, "17": unknown}


def _order(caller: Caller, task_id: str) -> dict[str, Any]:
    order_id = caller.get("blade-flow/work/task-detail", taskId=task_id).data["businessId"]
    order = caller.get("yuzhu-equip/repairorder/detail", id=order_id).data
    return {"id": order_id, "lockVersion": order["lockVersion"]}


def test_asking_what_is_still_there_costs_one_statement_and_takes_a_page_at_most(cast: Cast) -> None:
    with at("8:00"):
        leader = cast.client_for("repair_leader")
        for _number in range(5):
            Story(cast, force=1)
        ids = [row["taskId"] for row in leader.get(INBOX).data["records"]]
        leader.get(OPEN, ids=ids[0])
        with CaptureQueriesContext(connection) as captured:
            assert _gone(leader, *ids) == {}
        read = [query["sql"] for query in captured if "worklist_" in query["sql"]]
        assert len(read) == 1
        # The others say who asks.
        assert sum(" FROM " in query["sql"] for query in captured) == 2
        assert leader.get(OPEN, ids=",".join(map(str, range(1, 202)))).code == 400
        assert leader.get(OPEN, ids="1,x").code == 400
        assert leader.get(OPEN).code == 400


def test_a_row_says_which_outcomes_need_nothing_a_comment_or_more(cast: Cast) -> None:
    with at("8:00"):
        story = Story(cast, force=1)
        leader, mate = cast.client_for("repair_leader"), cast.client_for("repairer")

        def asked(caller: Caller) -> dict[str, str]:
            [row] = caller.get(INBOX).data["records"]
            assert {one["value"]: one["asks"] for one in row["outcomes"]} == {
                one["value"]: one["asks"]
                for one in caller.get("blade-flow/work/task-detail", taskId=row["taskId"]).data["outcomes"]
            }
            return {one["value"]: one["asks"] for one in row["outcomes"]}

        assert asked(leader) == {"dispatch": "input"}
        assert asked(mate) == {"claim": "nothing"}
        story.act("repair_leader", "dispatch", repairUserId=str(cast.user("repairer").pk))
        assert asked(mate) == {"accept": "nothing", "refuse": "comment"}
        story.act("repairer", "accept")
        assert asked(mate) == {"finish": "input", "hang": "input", "transfer": "input"}
    with at("9:00"):
        assert story.write_line("repairer", "08:00", "08:30").code == 200
        story.act("repairer", "finish", **story.result())
        operator = cast.client_for("operator")
        assert asked(operator) == {"pass": "nothing", "fail": "comment"}
        [row] = operator.get(INBOX).data["records"]
        refused = {"taskId": row["taskId"], "outcome": "fail"}
        assert operator.post_json("blade-flow/work/complete-task", refused).code == 400
        assert operator.post_json("blade-flow/work/complete-task", {**refused, "comment": "还在响"}).code == 200


def test_chips_find_what_is_due_today_urgent_or_sent_back(cast: Cast) -> None:
    with at("8:00"):
        story, mine = Story(cast, urgency=3, force=1), Story(cast, urgency=1, force=1)
        leader = cast.client_for("repair_leader")
        numbers = [one.now["orderNo"][-2:] for one in (story, mine)]
        assert [row[0] for row in _shown(leader, dueToday=1)] == [numbers[1], numbers[0]]
        assert [row[0] for row in _shown(leader, priority="1,2")] == [numbers[1]]
        assert _shown(leader, returned=1) == []
        story.act("repair_leader", "dispatch", repairUserId=str(cast.user("repairer").pk))
        story.act("repairer", "refuse", reason="不会修")
        assert [row[0] for row in _shown(leader, returned=1)] == [numbers[0]]
        # What a person holds up and goes on with has come back to nobody.
        mine.send()
        mine.act("repairer", "hang", hangReason=1, remark="等备件")
        mine.act("repairer", "resume")
        assert _shown(cast.client_for("repairer"), returned=1, isHeld=1) == []
    with at("21:00"):
        late = Story(cast, urgency=3, force=1)
        assert late.now["orderNo"][-2:] not in [row[0] for row in _shown(cast.client_for("repair_leader"), dueToday=1)]
