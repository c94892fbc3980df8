"""What the order's page tells under a company's model with a parallel branch; test_life.py tries its commands."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cast import A, Body, Cast
from tests.checksums import checksum
from tests.core.maintenance.drawn_models import PARALLEL
from tests.repairs import Story

HOLD = {"hangReason": 1, "remark": "等件"}


@pytest.fixture
def story(cast: Cast) -> Story:
    """An order that the repairer works on, while nobody has reviewed the safety."""
    PARALLEL.deploy(cast)
    story = Story(cast)
    story.act("repair_leader", "dispatch", repairUserId=str(cast.user("repairer").pk))
    story.act("repairer", "accept")
    return story


def complete(story: Story, who: str, node: str, outcome: str = "", **variables: Any) -> Body:
    """The queue door, at the open step of this name."""
    [task] = [task for task in story.detail(who)["openTasks"] if task["node"] == node]
    body = {"taskId": task["taskId"], "flag": "ok", "outcome": outcome, "variables": variables, "comment": "好"}
    return story.caller(who).post_json("blade-flow/work/complete-task", body)


def test_each_person_is_shown_the_open_step_of_their_own_first(story: Story) -> None:
    steps = story.detail("operator")["openTasks"]
    assert [step["node"] for step in steps] == ["review", "repair"]
    # The repairer might review too, and that is the older step; but the repair is the repairer's alone.
    assert story.detail("repairer")["openTask"] == steps[1]
    assert story.detail("equip_manager")["openTask"] == steps[0]
    assert story.detail("operator")["openTask"] == steps[0]
    assert sorted(story.detail("operator")["waitingFor"].split("; ")) == ["安全评估 · 设备主管 / 维修工", "维修 · 蒋修"]
    [row] = story.caller("operator").get("yuzhu-equip/repairorder/list").data["records"]
    assert row["waitingFor"] == story.detail("operator")["waitingFor"]


def test_who_has_read_the_order_before_the_other_branch_moved_is_told_so(story: Story) -> None:
    assert complete(story, "equip_manager", "review").status == 200
    before = checksum(A)
    late = story.try_to("repairer", "hang", **HOLD)
    assert (late.status, late["error"]) == (409, "data.stale")
    assert checksum(A) == before
    # The queue names the step itself, and no version of the order.
    assert complete(story, "repairer", "repair", "hang", **HOLD).status == 200
    assert [step["node"] for step in story.detail("operator")["openTasks"]] == ["hold"]


def test_who_may_neither_cancel_nor_transfer_is_told_so_whoever_has_a_step(story: Story) -> None:
    # They were told that the repairer had taken it, which has nothing to do with it.
    for who, action in (("operator", "cancel"), ("repair_leader", "cancel"), ("repairer2", "transfer")):
        answer = story.try_to(who, action, repairUserId=str(story.cast.user("repairer2").pk), reason="换班", **HOLD)
        assert (answer.status, answer["error"]) == (403, "access.denied"), (who, action)
    assert complete(story, "equip_manager", "review").status == 200
    story.now["lockVersion"] = story.detail()["lockVersion"]
    answer = story.try_to("operator", "cancel", cancelReason=1)
    assert (answer.status, answer["error"]) == (403, "access.denied")
