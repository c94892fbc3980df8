"""The inbox: what a person can do now, in the order in which it runs out."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.cast import Caller, Cast
from tests.repairs import Story, at

INBOX = "blade-flow/work/inbox"


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
