"""Working time in a drawing: what the deployment check says of it, and what a dry run shows."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.conf import settings

from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from tests.cast import Cast
from tests.workflows.runtime.test_timers import TIMED
from tests.workflows.standalone import document
from workflows.workbench import gate

REPAIR = (settings.MODELS_DIR / "repairorder" / "repairorder.bpmn").read_text("utf-8")
FRIDAY = datetime.fromisoformat("2026-03-06T16:00:00+08:00")
WORKING = 'xw:time="working"'


def _own(said: str, time: str) -> bytes:
    return document(TIMED.format(time).replace("<timerEventDefinition>", f"<timerEventDefinition {said}>"))


@pytest.mark.parametrize(
    ("said", "time", "zh", "en"),
    [
        (
            WORKING, "<timeDuration>P1M</timeDuration>", "工作时间不能使用年、月、周，如 P3DT4H",
            "working time has no years, months or weeks; example: P3DT4H",
        ),
        (
            WORKING, "<timeDate>2030-01-31</timeDate>", "某一时间的定时器不能按工作时间计算",
            "A timer at a date and time cannot count working time",
        ),
        (
            'xw:time="office"', "<timeDuration>P1D</timeDuration>", "计时方式“office”无效，应为 working",
            "“office” is no kind of time; it must be working",
        ),
    ],
)  # fmt: skip
def test_the_check_refuses_what_cannot_be_counted_in_both_languages(
    cast: Cast, said: str, time: str, zh: str, en: str
) -> None:
    with tenant_scope("100001"):
        (problem,) = gate.examine(_own(said, time)).errors
    assert (problem.element, zh in problem.text_zh, en in problem.text_en) == ("timer", True, True)


def test_only_a_due_function_with_a_length_counts_working_time(cast: Cast) -> None:
    designer = cast.client_for("flow_designer")
    due = designer.get("blade-flow/model/catalogue", key="repairorder").data["dueFunctions"]
    assert {one["name"].removeprefix("repairorder."): one["lasts"] for one in due} == {
        "responseFirst": False, "responseSecond": False, "finishFirst": False, "finishSecond": False,
        "autoCheck": True,
    }  # fmt: skip
    refused = "The due function “repairorder.finishFirst” cannot count working time"
    for name, told in (("autoCheck", []), ("finishFirst", [("finishFirst", "timer_time", refused)])):
        said = f'xw:due="repairorder.{name}"'
        assert said in REPAIR
        asked = {"xml": REPAIR.replace(said, f"{said} {WORKING}"), "acts": []}
        answer = designer.in_english().post_json("blade-flow/model/dry-run", asked)
        assert [(one["element"], one["code"], one["message"]) for one in answer.data["problems"]] == told


def test_a_dry_run_shows_the_due_moment_of_the_working_calendar(cast: Cast) -> None:
    for said, due in ((WORKING, "2026-03-09 16:00:00"), ("", "2026-03-07 16:00:00")):
        xml = _own(said, "<timeDuration>P1D</timeDuration>").decode()
        with clock.at(FRIDAY):
            answer = cast.client_for("flow_designer").post_json("blade-flow/model/dry-run", {"xml": xml, "acts": []})
        assert [(one["node"], one["dueTime"]) for one in answer.data["timers"]] == [("timer", due)]
