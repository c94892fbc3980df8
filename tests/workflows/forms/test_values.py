"""What people send for a form: what is stored of it, and what is said under which field."""

from __future__ import annotations

import re
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.utils import translation

from core.kernel.errors import Invalid
from workflows.forms import values
from workflows.forms.schema import problems

OPTIONS = [{"value": "a", "label": "甲"}, {"value": "b", "label": "乙"}]


def of(kind: str, validate: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    component = {"type": kind, "key": "x", "label": "字段", "properties": {"labelEn": "Field"}, **more}
    if kind in ("radio", "select", "checklist", "taglist"):
        component["values"] = OPTIONS
    schema = {"components": [{**component, "validate": validate or {}}]}
    assert problems(schema) == []
    return schema


def said(schema: dict[str, Any] | None, given: dict[str, Any], stored: dict[str, Any] | None = None) -> Any:
    """What is stored, or the sentence of each field."""
    try:
        return values.check(schema, given, stored or {})
    except Invalid as refused:
        return {"refused": refused.data["fields"]}


NEEDED = {"required": True}
SHAPED = {"pattern": "^[A-Z]{2}$", "patternErrorMessage": "两个大写字母"}


@pytest.mark.parametrize(
    ("schema", "value", "answer"),
    [
        (of("textfield"), "主轴", "主轴"),
        (of("textfield"), "", None),
        (of("textfield"), None, None),
        (of("textfield"), 5, "字段格式不正确"),
        (of("textfield"), ["x"], "字段格式不正确"),
        (of("textfield"), {"x": 1}, "字段格式不正确"),
        (of("textfield"), True, "字段格式不正确"),
        (of("textfield"), "a\nb", "字段格式不正确"),
        (of("textfield"), "x" * 200, "x" * 200),
        (of("textfield"), "x" * 201, "字段长度不能超过200个字符"),
        (of("textfield", {"maxLength": 3}), "四个字符", "字段长度不能超过3个字符"),
        (of("textfield", {"minLength": 3}), "两个", "字段至少3个字符"),
        (of("textfield", NEEDED), "", "请输入字段"),
        (of("textfield", NEEDED), "   ", "请输入字段"),
        (of("textfield", SHAPED), "AB", "AB"),
        (of("textfield", SHAPED), "ABC", "两个大写字母"),
        (of("textfield", {"pattern": r"^\d+$"}), "٣", "字段格式不正确"),
        (of("textfield", {"validationType": "phone"}), "13800001111", "13800001111"),
        (of("textfield", {"validationType": "phone"}), "12800001111", "字段格式不正确"),
        (of("textfield", {"validationType": "email"}), "a@b.cn", "a@b.cn"),
        (of("textfield", {"validationType": "email"}), "a@b", "字段格式不正确"),
        (of("textarea"), "a\nb", "a\nb"),
        (of("textarea"), "a\x07b", "字段格式不正确"),
        (of("number"), 3, 3),
        (of("number"), 3.0, 3),
        (of("number"), 0.5, 0.5),
        (of("number"), "3", "字段应为数字"),
        (of("number"), True, "字段应为数字"),
        (of("number"), float("inf"), "字段应为数字"),
        (of("number"), [3], "字段应为数字"),
        (of("number"), 10**15 + 1, "字段不能大于1000000000000000"),
        (of("number", NEEDED), None, "请输入字段"),
        (of("number", NEEDED), 0, 0),
        (of("number", {"min": 1}), 0, "字段不能小于1"),
        (of("number", {"max": 9}), 10, "字段不能大于9"),
        (of("number", {"min": 1, "max": 9}), 10, "字段应在1到9之间"),
        (of("number", decimalDigits=0), 1.5, "字段应为整数"),
        (of("number", decimalDigits=1), 1.25, "字段最多1位小数"),
        (of("number", decimalDigits=1), 0.1, 0.1),
        (of("number", increment=0.5), 1.5, 1.5),
        (of("number", increment=0.5), 1.2, "字段应为0.5的整数倍"),
        (of("checkbox"), True, True),
        (of("checkbox"), False, False),
        (of("checkbox"), 1, "请选择字段"),
        (of("checkbox", NEEDED), False, "请选择字段"),
        (of("radio"), "a", "a"),
        (of("radio"), "c", "请选择字段"),
        (of("select"), ["a"], "请选择字段"),
        (of("select", NEEDED), None, "请选择字段"),
        (of("checklist"), ["b", "a"], ["b", "a"]),
        (of("checklist"), [], None),
        (of("checklist"), ["a", "a"], "请选择字段"),
        (of("checklist"), ["c"], "请选择字段"),
        (of("checklist"), "a", "请选择字段"),
        (of("taglist"), [["a"]], "请选择字段"),
        (of("taglist", NEEDED), [], "请选择字段"),
        (of("datetime", subtype="date"), "2026-02-28", "2026-02-28"),
        (of("datetime", subtype="date"), "2026-02-29", "请选择字段"),
        (of("datetime", subtype="date"), "20260228", "请选择字段"),
        (of("datetime", subtype="date"), 20260228, "请选择字段"),
        (of("datetime", subtype="date"), "0001-01-01", "请选择字段"),
        (of("datetime", subtype="date", disallowPassedDates=True), "2020-01-01", "字段不能早于今天"),
        (of("datetime", subtype="time"), "23:59", "23:59"),
        (of("datetime", subtype="time"), "24:00", "请选择字段"),
        (of("datetime", subtype="datetime"), "2026-02-28T08:30", "2026-02-28 08:30:00"),
        (of("datetime", subtype="datetime"), "2026-02-28 08:30:15", "2026-02-28 08:30:15"),
        (of("datetime", subtype="datetime"), "2026-02-28T08:30+99:00", "请选择字段"),
    ],
)
def test_a_value_is_stored_or_its_field_says_why_not(schema: dict[str, Any], value: Any, answer: Any) -> None:
    found = said(schema, {"x": value})
    refused = found.get("refused", {}).get("x")
    assert found == ({"refused": {"x": answer}} if refused else {"x": answer})


def test_the_day_is_the_tenants() -> None:
    schema = of("datetime", subtype="date", disallowPassedDates=True)
    day = values.today()
    assert said(schema, {"x": day.isoformat()}) == {"x": day.isoformat()}
    assert "refused" in said(schema, {"x": (day - timedelta(days=1)).isoformat()})


@pytest.mark.parametrize("name", ["y", "__class__", "typename", "constructor", "form", "x.y", "", "n" * 5000])
def test_a_field_that_the_form_has_not_is_refused(name: str) -> None:
    found = said(of("textfield"), {"x": "a", name: 1})
    assert found == {"refused": {name[:40]: f"表单中没有字段“{name[:40]}”"}}
    assert said(None, {name: 1}) == found


def test_many_unknown_fields_are_answered_briefly() -> None:
    assert len(said(None, {f"f{n}": 1 for n in range(1000)})["refused"]) == 20


def test_what_is_only_shown_is_refused_and_keeps_what_it_has() -> None:
    for lock in ({"readonly": True}, {"disabled": True}):
        schema = of("number", NEEDED, **lock)
        assert said(schema, {"x": 4}, {"x": 3}) == {"refused": {"x": "字段不能修改"}}
        assert said(schema, {"x": 3}, {"x": 3}) == {"refused": {"x": "字段不能修改"}}
        assert said(schema, {}, {"x": 3}) == {}
    fixed = of("number", readonly=True, defaultValue=7)
    assert said(fixed, {}) == {"x": 7}
    assert said(fixed, {}, {"x": 3}) == {}


def test_a_required_field_may_be_filled_by_an_earlier_step() -> None:
    schema = of("textfield", NEEDED)
    assert said(schema, {}) == {"refused": {"x": "请输入字段"}}
    assert said(schema, {}, {"x": "早先"}) == {}
    assert said(schema, {"x": ""}, {"x": "早先"}) == {"refused": {"x": "请输入字段"}}


def test_fields_in_groups_are_fields_of_the_form() -> None:
    inner = of("number", {"min": 2})["components"][0]
    schema = {"components": [{"type": "group", "label": "组", "components": [inner]}]}
    assert problems(schema) == []
    assert said(schema, {"x": 1}) == {"refused": {"x": "字段不能小于2"}}


def test_the_label_of_the_reader_is_in_the_sentence() -> None:
    with translation.override("en"):
        assert said(of("textfield", NEEDED), {}) == {"refused": {"x": "Please enter Field"}}
        assert said(of("number", {"max": 3}), {"x": 4}) == {"refused": {"x": "Field must be at most 3"}}


def test_a_hostile_text_costs_little_whatever_pattern_was_let_through() -> None:
    schema = of("textfield", {"pattern": r"^\w*\w*!$"})
    begun = time.process_time()
    assert "refused" in said(schema, {"x": "a" * 200})
    assert "refused" in said(schema, {"x": "a" * 1_000_000})
    assert time.process_time() - begun < 0.5


SHARED = {
    "enter": "请输入{field}", "choose": "请选择{field}", "tooLong": "{field}长度不能超过{n}个字符",
    "tooShort": "{field}至少{n}个字符", "between": "{field}应在{a}到{b}之间", "atLeast": "{field}不能小于{n}",
    "atMost": "{field}不能大于{n}", "rowsAtLeast": "{field}至少要有{n}行",
}  # fmt: skip
OWN = {
    "format": "{field}格式不正确", "whole": "{field}应为整数", "decimals": "{field}最多{n}位小数",
    "multiple": "{field}应为{n}的整数倍", "rowsAtMost": "{field}最多{n}行", "filesAtLeast": "{field}至少上传{n}个",
}  # fmt: skip


@pytest.mark.parametrize(("language", "folder"), [("zh-hans", "zh-CN"), ("en", "en-US")])
def test_the_sentences_are_the_consoles(language: str, folder: str) -> None:
    for file, sentences in (("kit", SHARED), ("work", OWN)):
        text = Path(settings.BASE_DIR, f"web/src/i18n/{folder}/{file}.ts").read_text(encoding="utf-8")
        form = text.partition("\n  form: {")[2].partition("\n  },")[0]
        with translation.override(language):
            for key, sentence in sentences.items():
                # Where a number chooses the words, the console has a sentence for one and another for the others.
                console = re.findall(rf"^    {key}(?:_one|_other)?: '(.*)',$", form, re.MULTILINE)
                plain = [text.replace("{{count}}", "{n}").replace("{{", "{").replace("}}", "}") for text in console]
                said = [translation.ngettext(sentence, sentence, n) for n in (1, 2)]
                assert plain == ([translation.gettext(sentence)] if len(plain) == 1 and len(set(said)) == 1 else said)
