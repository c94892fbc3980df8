"""A company's own version of the maintenance model, in which two people verify: drawn, deployed, and run.

The second one stands before the shipped verification, whose input the order's operations read.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction

from core.kernel.tenancy import tenant_scope
from core.preventive.models import Status
from tests.cast import A, B, Body, Cast
from tests.repairs import at
from tests.upkeep import DUE, Upkeep
from workflows.runtime.tables.worklist.models import WorkItem

pytestmark = pytest.mark.django_db

MODEL = "blade-flow/model"
SECOND = """<userTask id="second" name="专工复核" xw:nameEn="Second verification" xw:outcomes="agree"
      xw:candidates="role:repair_leader" />
  <sequenceFlow id="secondToCheck" sourceRef="second" targetRef="check" />
"""
PEOPLE = ("repairer", "repairer2", "shift_leader", "equip_manager", "repair_leader", "viewer")
ACTS = ("start", "submit", "pass", "fail", "delay", "assign", "cancel", "agree", "reject")
DOERS, CHECKERS, MANAGERS = {"repairer", "repairer2"}, {"shift_leader", "equip_manager"}, {"equip_manager"}
LEADERS = {"equip_manager", "repair_leader"}
_BESIDE = {"delay": MANAGERS, "cancel": MANAGERS, "assign": LEADERS}
BY_RECORD: dict[str, dict[str, set[str]]] = {
    "begin": {"start": DOERS, **_BESIDE},
    "do": {"submit": {"repairer"}, **_BESIDE},
    "check": {"pass": CHECKERS, "fail": CHECKERS},
    "second": {},
    "": {},
}
"""By the step that waits, which command who may carry out at the business door."""
BY_STEP: dict[str, dict[str, set[str]]] = {
    "begin": {"start": DOERS},
    "do": {"submit": {"repairer"}},
    "check": {"pass": CHECKERS, "fail": CHECKERS},
    "second": {"agree": {"repair_leader"}},
    "": {},
}
"""The same of outcomes in the queue."""


def _own_model(cast: Cast) -> None:
    """The company's designer draws the second verification behind the first one, and deploys it."""
    xml = (settings.MODELS_DIR / "maintainorder" / "maintainorder.bpmn").read_text("utf-8")
    flow = 'sourceRef="needsCheck" targetRef="check"'
    assert flow in xml
    xml = xml.replace(flow, flow.replace('"check"', '"second"'))
    xml = xml.replace('<userTask id="check"', SECOND + '<userTask id="check"', 1)
    designer = cast.client_for("flow_designer")
    body = {"name": "设备保养", "modelKey": "maintainorder", "xml": xml}
    made = designer.post_json(f"{MODEL}/submit", body)
    assert made.code == 200, made
    done = designer.post_json(f"{MODEL}/deploy", modelId=made.data["id"], category="flow_1", tenantIds=A, confirm="1")
    assert done.code == 200, done


@contextmanager
def _taken_back() -> Iterator[None]:
    """What is done in the block is undone."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _carries(story: Upkeep, act: str) -> dict[str, Any]:
    return {
        "start": {"safetyConfirmed": 1},
        "pass": {"checkResult": 1},
        "fail": {"checkResult": 2, "checkRemark": "未拧紧"},
        "delay": {"dueDate": str(DUE + timedelta(days=1)), "reason": "停产"},
        "assign": {"userIds": str(story.cast.user("repairer2").pk), "reason": "换人"},
        "cancel": {"cancelReason": "停用"},
        "submit": story.whole() if act == "submit" else {},
    }.get(act, {})


def _by_record(story: Upkeep, who: str, act: str) -> Body:
    if act == "submit":
        return story.work(who, **_carries(story, act))
    return story.try_to(who, "check" if act in ("pass", "fail") else act, **_carries(story, act))


def _by_step(story: Upkeep, who: str, act: str) -> Body:
    with tenant_scope(story.tenant):
        task = WorkItem.objects.filter(business_id=int(story.now["id"])).order_by("state", "-id").first()
    comment = "未拧紧" if act == "fail" else ""
    variables = _carries(story, act)
    body = {"taskId": str(task.pk), "outcome": act, "comment": comment, "variables": variables}
    return story.caller(who).post_json("blade-flow/work/complete-task", body)


def _agree(story: Upkeep) -> None:
    """The second one agrees, and the order waits for its verification as before."""
    assert _by_step(story, "repair_leader", "agree").code == 200
    order = story.order()
    assert order.status == Status.TO_CHECK
    story.now["lockVersion"] = order.lock_version


def _try_all(story: Upkeep, node: str) -> None:
    """Let everybody try everything through both doors; what is refused changes nothing."""
    before = story.everything()
    for door, allowed in ((_by_record, BY_RECORD[node]), (_by_step, BY_STEP[node])):
        found: dict[str, set[str]] = {}
        for act in ACTS:
            for who in PEOPLE:
                now = dict(story.now)
                with _taken_back():
                    answer = door(story, who, act)
                    if answer.code == 200:
                        found.setdefault(act, set()).add(who)
                    else:
                        assert answer.code in (400, 403, 404, 409), answer
                        assert story.order().lock_version == now["lockVersion"]
                story.now = now
        assert found == allowed, (node, door.__name__)
        assert story.everything() == before


def test_two_verify_and_each_command_is_carried_out_at_its_moment_alone_through_both_doors(cast: Cast) -> None:
    with at("8:00"):
        old = Upkeep(cast, code="BY0")
        _own_model(cast)
        story, theirs = Upkeep(cast), Upkeep(cast, tenant=B)
        _try_all(story, "begin")
        for one in (old, story, theirs):
            one.act("repairer", "start")
    with at("10:00"):
        _try_all(story, "do")
        for one in (old, story, theirs):
            assert one.work("repairer", **one.whole()).code == 200
        # What was on its way goes on as it began, and the other company knows nothing of it.
        for one in (old, theirs):
            assert one.act("shift_leader", "check", checkResult=1)["status"] == Status.DONE
        _try_all(story, "second")
        _agree(story)
        _try_all(story, "check")
        story.now = _by_step(story, "equip_manager", "fail").data
        assert (story.now["status"], story.order().rework_count) == (Status.DOING, 1)
        story.now = _by_step(story, "repairer", "submit").data
        _try_all(story, "second")
        _agree(story)
        assert story.act("shift_leader", "check", checkResult=1)["status"] == Status.DONE
        assert story.order().check_user_id == cast.user("shift_leader").pk
        _try_all(story, "")
        logs = story.caller("equip_manager").get(f"yuzhu-equip/maintainorder/detail?id={story.now['id']}").data["logs"]
        assert [one["actionName"] for one in logs if one["action"] == "task.complete"] == ["办理任务"] * 2
