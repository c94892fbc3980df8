"""Which form-js schemas are taken, and what is said of the others."""

from __future__ import annotations

import time
from typing import Any

import pytest

from workflows.forms import patterns
from workflows.forms.schema import problems

REASON = {"type": "textfield", "key": "reason", "label": "理由"}


def form(*components: Any, **root: Any) -> dict[str, Any]:
    return {"type": "default", "components": list(components), **root}


WHOLE = form(
    {"type": "text", "text": "请如实填写。", "id": "t1"},
    {
        **REASON,
        "id": "f1",
        "layout": {"row": "r1", "columns": 8},
        "properties": {"labelEn": "Reason"},
        "description": "一句话",
        "appearance": {"prefixAdorner": "#"},
        "validate": {"required": True, "minLength": 2, "maxLength": 50, "pattern": "^[A-Z]{2}[0-9]+$"},
    },
    {"type": "textarea", "key": "detail", "label": "说明", "validate": {"maxLength": 500}},
    {
        "type": "number", "key": "days", "label": "天数", "decimalDigits": 1, "increment": 0.5,
        "validate": {"min": 0.5, "max": 30}, "defaultValue": 1,
    },
    {"type": "checkbox", "key": "urgent", "label": "紧急", "defaultValue": False},
    {
        "type": "group", "label": "选择", "components": [
            {"type": "radio", "key": "kind", "label": "类", "values": [{"value": "a", "label": "甲", "labelEn": "A"}]},
            {"type": "select", "key": "place", "label": "地点", "values": [{"value": "b", "label": "乙"}]},
            {"type": "checklist", "key": "with", "label": "同行", "values": [{"value": "c", "label": "丙"}]},
            {"type": "taglist", "key": "tags", "label": "标签", "values": [{"value": "d", "label": "丁"}]},
        ],
    },
    {"type": "separator"},
    {"type": "spacer", "height": 20},
    {"type": "datetime", "subtype": "date", "key": "begin", "dateLabel": "开始", "label": "开始"},
    {"type": "xw-person", "key": "who", "label": "人员", "validate": {"required": True}},
    {"type": "xw-department", "key": "dept", "label": "部门", "readonly": True},
    {"type": "xw-asset", "key": "machine", "label": "设备"},
    {
        "type": "filepicker", "key": "photos", "label": "照片", "accept": "image/*", "multiple": True,
        "validate": {"minItems": 1, "maxItems": 3},
    },
    {
        "type": "xw-table", "key": "lines", "label": "明细", "validate": {"required": True, "maxItems": 20},
        "components": [
            {"type": "textfield", "key": "reason", "label": "名称", "validate": {"required": True}},
            {"type": "number", "key": "amount", "label": "数量", "validate": {"min": 1}, "defaultValue": 1},
            {"type": "xw-asset", "key": "machine", "label": "设备"},
        ],
    },
    schemaVersion=18, id="Form_1", exporter={"name": "form-js"},
)  # fmt: skip


FILES = {"type": "filepicker", "key": "f", "label": "f"}
TABLE = {"type": "xw-table", "key": "t", "label": "t", "components": [REASON]}


def test_a_schema_of_all_our_components_is_fine() -> None:
    assert problems(WHOLE) == []


@pytest.mark.parametrize(
    ("schema", "found"),
    [
        ([], [("", "form")]),
        ("=x", [("", "form")]),
        ({}, [("", "form")]),
        (form(type="expression"), [("", "form")]),
        (form(REASON, REASON), [("reason", "form_key")]),
        (form({**REASON, "key": "a.b"}), [("a.b", "form_key")]),
        (form({**REASON, "key": "__class__"}), [("__class__", "form_key")]),
        (form({**REASON, "key": "typename"}), [("typename", "form_key")]),
        (form({**REASON, "key": "constructor"}), [("constructor", "form_key")]),
        (form({**REASON, "key": "outcome"}), [("outcome", "form_key")]),
        (form({**REASON, "key": "天数"}), [("天数", "form_key")]),
        (form({**REASON, "key": 7}), [("7", "form_key")]),
        (form({"type": "textfield", "label": "x"}), [("", "form_key")]),
        (form({"type": "html", "content": "<b>x</b>", "id": "h"}), [("h", "form_type")]),
        (form({"type": "expression", "key": "e"}), [("e", "form_type")]),
        (form({"type": "iframe", "url": "https://x"}), [("", "form_type")]),
        (form({"type": ["textfield"]}), [("", "form_type")]),
        (form("textfield"), [("", "form")]),
        (form({**REASON, "conditional": {"hide": "=a"}}), [("reason", "form_property")]),
        (form({**REASON, "valuesExpression": "=a"}), [("reason", "form_property")]),
        (form(REASON, script="x"), [("", "form_property")]),
        (form({**REASON, "label": "=1 + 1"}), [("reason", "form_value")]),
        (form({**REASON, "label": "<script>x</script>"}), [("reason", "form_value")]),
        (form({**REASON, "label": "{{name}}"}), [("reason", "form_value")]),
        (form({**REASON, "label": "理" * 81}), [("reason", "form_value")]),
        (form({**REASON, "readonly": "=true"}), [("reason", "form_value")]),
        (form({**REASON, "validate": "x"}), [("reason", "form_value")]),
        (form({**REASON, "validate": {"maxLength": 201}}), [("reason", "form_value")]),
        (form({**REASON, "validate": {"maxLength": True}}), [("reason", "form_value")]),
        (form({**REASON, "validate": {"minLength": 9, "maxLength": 3}}), [("reason", "form_value")]),
        (form({**REASON, "validate": {"min": 1}}), [("reason", "form_property")]),
        (form({**REASON, "validate": {"pattern": "(a+)+$"}}), [("reason", "form_pattern")]),
        (form({**REASON, "validate": {"pattern": 5}}), [("reason", "form_value")]),
        (form({**REASON, "defaultValue": 5}), [("reason", "defaultValue")]),
        (form({"type": "number", "key": "n", "label": "n", "validate": {"max": 10**16}}), [("n", "form_value")]),
        (form({"type": "number", "key": "n", "label": "n", "increment": 0}), [("n", "form_value")]),
        (form({"type": "datetime", "key": "d", "label": "d"}), [("d", "form_value")]),
        (form({"type": "select", "key": "s", "label": "s"}), [("s", "form_value")]),
        (form({"type": "select", "key": "s", "label": "s", "values": [{"value": "a"}]}), [("s", "form_options")]),
        (form({"type": "select", "key": "s", "label": "s", "values": ["a"]}), [("s", "form_options")]),
        (
            form({"type": "select", "key": "s", "label": "s", "values": [{"value": "a", "label": "A"}] * 2}),
            [("s", "form_options")],
        ),
        (form({"type": "xw-person", "key": "w", "label": "w", "defaultValue": "7"}), [("w", "form_property")]),
        (form({"type": "xw-team", "key": "w", "label": "w"}), [("w", "form_type")]),
        (form({**FILES, "accept": ".exe"}), [("f", "form_value")]),
        (form({**FILES, "validate": {"maxItems": 10}}), [("f", "form_value")]),
        (form({**FILES, "validate": {"minItems": 3, "maxItems": 2}}), [("f", "form_value")]),
        (form({**FILES, "validate": {"minItems": 2}}), [("f", "form_value")]),
        (form({**TABLE, "components": []}), [("t", "form_column")]),
        (form({"type": "xw-table", "key": "t", "label": "t"}), [("t", "form_column")]),
        (form({**TABLE, "components": [{**REASON, "key": f"c{n}"} for n in range(13)]}), [("t", "form_column")]),
        (form({**TABLE, "components": [FILES]}), [("f", "form_column")]),
        (form({**TABLE, "components": [TABLE]}), [("t", "form_column")]),
        (form({**TABLE, "components": [{"type": "group", "id": "g", "components": []}]}), [("g", "form_column")]),
        (form({**TABLE, "components": ["x"]}), [("", "form")]),
        (form({**TABLE, "components": [REASON, REASON]}), [("reason", "form_key")]),
        (form({**TABLE, "components": [{**REASON, "readonly": True}]}), [("reason", "form_property")]),
        (form({**TABLE, "validate": {"maxItems": 101}}), [("t", "form_value")]),
        (form({**TABLE, "validate": {"minItems": 3, "maxItems": 2}}), [("t", "form_value")]),
        (form({"type": "group", "label": "g", "path": "x", "components": []}), [("", "form_property")]),
    ],
)
def test_what_is_refused_is_named(schema: object, found: list[tuple[str, str]]) -> None:
    expected = [(place, "form_value" if code == "defaultValue" else code) for place, code in found]
    assert [(problem.element, problem.code) for problem in problems(schema)] == expected


def test_every_problem_is_a_sentence_in_both_languages() -> None:
    everything = form({**REASON, "key": "_", "label": "<b>", "x": 1, "validate": {"pattern": "("}}, {"type": "html"})
    found = problems(everything)
    assert len(found) == 5
    for problem in found:
        assert any("\u4e00" <= letter <= "\u9fff" for letter in problem.text_zh)
        assert problem.text_en[0].isupper() or problem.code == "form_pattern"
        assert not any("\u4e00" <= letter <= "\u9fff" for letter in problem.text_en)


def test_limits_hold_and_cost_little() -> None:
    begun = time.process_time()
    many = form(*({**REASON, "key": f"f{n}"} for n in range(101)))
    assert [problem.code for problem in problems(many)] == ["form_size"]
    assert [problem.code for problem in problems(form({**REASON, "description": "x" * 100_001}))] == ["form_size"]
    deep: Any = {"type": "group", "components": []}
    for _level in range(50):
        deep = {"type": "group", "components": [deep]}
    assert [problem.code for problem in problems(form(deep))] == ["form"]
    bad = form(*({"type": "textfield", "x": 1} for _ in range(100)))
    assert len(problems(bad)) == 50
    assert time.process_time() - begun < 1


FINE = [
    r"^\d{3}-\d{8}$", r"^(\d{3,4}-)?\d{7,8}$", r"^[\u4e00-\u9fa5]{2,10}$", r"^[A-Z]{2}\d{1,6}[A-Z]*$", r"^[+]?[0-9]+$",
    r"(?:ab|cd){3}", r"^\w+\+x$", r"^a*a*b", r"^[^@\s]+@[a-z]{2,5}\.(com|cn)$", r"",
]  # fmt: skip
REFUSED = [
    r"(a+)+$", r"(a|aa)+", r"a*a*a*b", r"(?=a)", r"(?!a)", r"(?P<x>a)", r"(a)\1", r"a{,3}", r"\Aab\Z", r"(?i)a", "[",
    "a++", r"^(ab|a){50}$", r"^(a?){60}$", r"\pL", "x" * 201, r"(?>a)", "((((" * 30, r"\N{DIGIT ONE}",
]  # fmt: skip


@pytest.mark.parametrize("pattern", FINE)
def test_a_pattern_that_is_bounded_may_be_used(pattern: str) -> None:
    assert patterns.fault(pattern) is None


@pytest.mark.parametrize("pattern", REFUSED)
def test_a_pattern_that_may_hang_or_means_something_else_in_a_browser_may_not(pattern: str) -> None:
    assert patterns.fault(pattern) is not None
