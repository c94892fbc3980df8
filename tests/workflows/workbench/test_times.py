"""Starts by time in the gate, the dry run and the designer's question when a time comes next."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile

from core.kernel.tenancy import tenant_scope
from tests.cast import A, Cast
from tests.workflows.drawings import drawing, task
from workflows.runtime.tables.timers.models import Schedule
from workflows.workbench import gate

pytestmark = pytest.mark.django_db

TIMES, DRY, UPLOAD = "blade-flow/model/times", "blade-flow/model/dry-run", "blade-flow/manager/deploy-upload"
RULE = "<timerEventDefinition><timeCycle>FREQ=MONTHLY;BYMONTHDAY=-1;BYHOUR=8</timeCycle></timerEventDefinition>"
TWO_STARTS = (
    f'<startEvent id="s"/><startEvent id="t" name="月末" xw:nameEn="Month end" {{of}}>{{rule}}</startEvent>'
    f'{task("a")}{task("b")}<endEvent id="e"/><f a="s" b="a"/><f a="t" b="b"/><f a="a" b="e"/><f a="b" b="e"/>'
)  # fmt: skip


def drawn(of: str = "", rule: str = RULE, key: str = "p") -> bytes:
    """People start it, and it starts by itself."""
    return drawing(TWO_STARTS.format(of=of, rule=rule), key)


def codes(xml: bytes, tenant: str = A) -> list[tuple[str, str]]:
    """What the gate says, with where."""
    with tenant_scope(tenant):
        return [(one.element, one.code) for one in gate.examine_for([tenant], gate.examine(xml, "flow_1")).problems]


def test_the_gate_looks_at_the_time_and_the_starter(cast: Cast) -> None:
    assert codes(drawn()) == []
    assert codes(drawn('xw:starter="role:equip_manager"')) == []
    assert codes(drawn('xw:starter="role:nobody_has_it"')) == [("t", "role_unknown")]
    assert codes(drawn('xw:starter="user:nobody"')) == [("t", "user_unknown")]
    assert codes(drawn('xw:starter="team:7"')) == [("t", "starter"), ("t", "team_unknown")]
    assert codes(drawn(rule=RULE.replace("=8", "=25"))) == [("t", "timer")]
    assert codes(drawn(rule=RULE.replace("=8", "=${form.x}"))) == [("t", "start_by_hand"), ("b", "unreachable")]
    leave = (settings.MODELS_DIR / "leave" / "leave.bpmn").read_text()
    plain = '<startEvent id="start" name="申请" xw:nameEn="Requested" />'
    timed = leave.replace(plain, plain.replace(" />", f">{RULE}</startEvent>"))
    assert timed != leave
    assert codes(timed.encode()) == [("start", "start_by_hand")]


def test_a_deployment_makes_a_schedule_of_who_deploys(cast: Cast) -> None:
    files = [SimpleUploadedFile("p.bpmn", drawn())]
    designer = cast.client_for("flow_designer")
    answer = designer.post_form(UPLOAD, category="flow_1", tenantIds=A, files=files)
    assert answer.status == 200, answer
    row = Schedule.objects.get()
    assert (row.tenant_id, row.node, row.person_id) == (A, "t", cast.user("flow_designer").pk)
    assert row.due_time is not None and row.due_time == row.occurrence


def test_a_dry_run_starts_at_each_start_event(cast: Cast) -> None:
    designer, xml = cast.client_for("flow_designer"), drawn().decode()

    def open_after(**asked: Any) -> list[str]:
        answer = designer.post_json(DRY, {"xml": xml, **asked})
        assert answer.status == 200, answer
        return [one["node"] for one in answer.data["open"]]

    assert (open_after(), open_after(start="s"), open_after(start="t")) == (["a"], ["a"], ["b"])
    starts = designer.in_english().post_json(DRY, {"xml": xml}).data["starts"]
    assert starts == [
        {"node": "s", "name": "", "words": ""},
        {"node": "t", "name": "Month end", "words": "every month on the last day at 08:00"},
    ]
    answer = designer.post_json(DRY, {"xml": xml, "start": "a"})
    assert answer.data["steps"][0]["refusal"]["fields"].keys() == {"start"}


@pytest.mark.parametrize(
    ("kind", "text", "words", "number"),
    [
        ("cycle", "FREQ=WEEKLY;BYDAY=MO,FR;BYHOUR=8", "每周一、周五 08:00", 5),
        ("cycle", "R2/2199-12-01T08:00/P1M", "每隔1个月，自 2199-12-01 08:00 起，共2次", 2),
        ("cycle", "R/${form.x}", "", 0),
        ("date", "2020-01-01T08:00:00", "2020-01-01 08:00", 0),
        ("duration", "P1DT2H", "部署后1天2小时", 1),
    ],
)
def test_a_time_is_told_in_words_with_its_next_moments(
    cast: Cast, kind: str, text: str, words: str, number: int
) -> None:
    answer = cast.client_for("flow_designer").post_json(TIMES, {"timeKind": kind, "text": text, "isStart": True})
    assert (answer.data["problem"], answer.data["words"], len(answer.data["next"])) == ("", words, number)


@pytest.mark.parametrize(
    ("text", "words"),
    [("R/PT1H", "every hour"), ("R/PT1H30M", "every 1 hour 30 minutes"), ("R3/P2D", "every 2 days, 3 times")],
)
def test_one_of_a_unit_is_not_counted_in_english(cast: Cast, text: str, words: str) -> None:
    designer = cast.client_for("flow_designer").in_english()
    assert designer.post_json(TIMES, {"timeKind": "cycle", "text": text, "isStart": True}).data["words"] == words


def test_what_is_no_time_is_told_in_the_callers_language_and_who_may_ask(cast: Cast) -> None:
    asked = {"timeKind": "cycle", "text": "FREQ=DAILY;BYHOUR=25", "isStart": True}
    designer = cast.client_for("flow_designer")
    assert "日历规则中的“25”无效" in designer.post_json(TIMES, asked).data["problem"]
    assert "“25” is not valid in a calendar rule" in designer.in_english().post_json(TIMES, asked).data["problem"]
    assert designer.post_json(TIMES, {**asked, "timeKind": "due"}).status == 400
    assert cast.client_for("operator").post_json(TIMES, asked).status == 403
