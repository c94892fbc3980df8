"""Which form-js schemas we take: their component types, properties and limits. What we cannot keep is named.

A form is drawn with the components of form-js and rendered by our own fields; decisions of the browser that the server
cannot repeat (FEEL, templates, HTML, scripts) have no place in it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from workflows.engine.errors import Problem
from workflows.forms import patterns, references, values

MAX_SIZE = 100_000  # bytes of the schema
MAX_COMPONENTS = 100
MAX_DEPTH = 3  # groups inside each other
MAX_OPTIONS = 200
MAX_COLUMNS = 12  # of a table
MAX_PROBLEMS = 50

KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
RESERVED = frozenset(
    {"form", "record", "starter", "outcome", "typename", "true", "false", "null", "empty"}
    # What every object of a browser has by these names.
    | {"constructor", "prototype", "toString", "toLocaleString", "valueOf", "hasOwnProperty", "isPrototypeOf"}
    | {"propertyIsEnumerable"}
)
"""Keys that a field may not have: names of conditions, and traps."""

_MARKUP = re.compile(r"<[A-Za-z/!?]|\{\{|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")

Test = Callable[[Any], bool]


def _is_text(most: int) -> Test:
    def test(value: Any) -> bool:
        # What begins with = is an expression to form-js.
        return isinstance(value, str) and len(value) <= most and not value.startswith("=") and not _MARKUP.search(value)

    return test


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_whole(least: int, most: int) -> Test:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _is_number(value: Any) -> bool:
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and math.isfinite(value)
        and abs(value) <= values.MAX_NUMBER
    )


def _is_one_of(*words: str) -> Test:
    return lambda value: isinstance(value, str) and value in words


def _has(shape: Mapping[str, Test]) -> Test:
    return lambda value: (
        isinstance(value, dict) and all(name in shape and shape[name](one) for name, one in value.items())
    )


def _is_layout(value: Any) -> bool:
    return _has({"row": _is_text(60), "columns": lambda one: one is None or _is_whole(1, 16)(one)})(value)


def _is_notes(value: Any) -> bool:
    return isinstance(value, dict) and len(value) <= 20 and all(_is_text(500)(one) for one in value.values())


_COMMON: Mapping[str, Test] = {
    "type": lambda value: True,
    "id": _is_text(60),
    "label": _is_text(80),
    "layout": _is_layout,
    "properties": _is_notes,
}
_INPUT: Mapping[str, Test] = {
    **_COMMON,
    "key": lambda value: True,
    "description": _is_text(500),
    "readonly": _is_flag,
    "disabled": _is_flag,
    "defaultValue": lambda value: True,
    "validate": lambda value: isinstance(value, dict),
}
# Who is meant, what is attached and which rows there are is for people to say.
_WITHOUT_DEFAULT: Mapping[str, Test] = {name: test for name, test in _INPUT.items() if name != "defaultValue"}
_ADORNED: Mapping[str, Test] = {"appearance": _has({"prefixAdorner": _is_text(20), "suffixAdorner": _is_text(20)})}
_CHOICE: Mapping[str, Test] = {**_INPUT, "values": lambda value: True}
_REQUIRED: Mapping[str, Test] = {"required": _is_flag}
_OPTION: Mapping[str, Test] = {"label": _is_text(100), "labelEn": _is_text(100), "value": _is_text(100)}


def _lengths(most: int) -> Mapping[str, Test]:
    return {**_REQUIRED, "minLength": _is_whole(0, most), "maxLength": _is_whole(1, most)}


def _counts(most: int) -> Mapping[str, Test]:
    return {**_REQUIRED, "minItems": _is_whole(1, most), "maxItems": _is_whole(1, most)}


@dataclass(frozen=True)
class Kind:
    """What a component of a type may say, and what its `validate` may ask."""

    properties: Mapping[str, Test]
    rules: Mapping[str, Test]


KINDS: Mapping[str, Kind] = {
    "textfield": Kind(
        {**_INPUT, **_ADORNED},
        {
            **_lengths(values.MAX_TEXT["textfield"]),
            "pattern": lambda value: isinstance(value, str),
            "patternErrorMessage": _is_text(100),
            "validationType": _is_one_of("custom", "email", "phone"),
        },
    ),
    "textarea": Kind(_INPUT, _lengths(values.MAX_TEXT["textarea"])),
    "number": Kind(
        {
            **_INPUT,
            **_ADORNED,
            "decimalDigits": _is_whole(0, 6),
            "increment": lambda value: _is_number(value) and value > 0,
        },
        {**_REQUIRED, "min": _is_number, "max": _is_number},
    ),
    "checkbox": Kind(_INPUT, _REQUIRED),
    "radio": Kind(_CHOICE, _REQUIRED),
    "select": Kind({**_CHOICE, "searchable": _is_flag}, _REQUIRED),
    "checklist": Kind(_CHOICE, _REQUIRED),
    "taglist": Kind(_CHOICE, _REQUIRED),
    "datetime": Kind(
        {
            **_INPUT,
            "subtype": _is_one_of("date", "time", "datetime"),
            "dateLabel": _is_text(80),
            "timeLabel": _is_text(80),
            "disallowPassedDates": _is_flag,
            # How form-js writes and asks a time; ours is written and asked in one way.
            "timeSerializingFormat": _is_one_of("utc_offset", "utc_normalized", "no_timezone"),
            "timeInterval": _is_whole(1, 720),
            "use24h": _is_flag,
        },
        _REQUIRED,
    ),
    **dict.fromkeys(references.KINDS, Kind(_WITHOUT_DEFAULT, _REQUIRED)),
    references.FILES: Kind(
        {**_WITHOUT_DEFAULT, "multiple": _is_flag, "accept": _is_one_of("", "image/*")},
        _counts(references.MAX_FILES),
    ),
    references.TABLE: Kind({**_WITHOUT_DEFAULT, "components": lambda value: True}, _counts(references.MAX_ROWS)),
    "text": Kind({**_COMMON, "text": _is_text(2_000)}, {}),
    "separator": Kind(_COMMON, {}),
    "spacer": Kind({**_COMMON, "height": _is_whole(0, 500)}, {}),
    "group": Kind(
        {
            **_COMMON,
            "components": lambda value: True,
            "showOutline": _is_flag,
            "verticalAlignment": _is_one_of("start", "center", "end"),
        },
        {},
    ),
}
_CHOICES = {"radio", "select", "checklist", "taglist"}
_COLUMNS = {"textfield", "number", "checkbox", "select", "datetime"} | references.KINDS
"""What a column of a table may be."""
_NOT_IN_A_COLUMN = {"readonly", "disabled"}
_ROOT = {"type", "id", "schemaVersion", "components", "exporter", "executionPlatform", "executionPlatformVersion"} | {
    "versionTag"
}


def problems(schema: object) -> list[Problem]:
    """Every reason why the schema is refused, each with its field's key ('' for the form); empty when it is fine."""
    return _Check().run(schema)


class _Check:
    """Collects the problems of one schema."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.keys: set[str] = set()
        self.count = 0

    def add(self, place: str, code: str, zh: str, en: str) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(Problem(place[:60], code, zh, en))

    def run(self, schema: object) -> list[Problem]:
        if not isinstance(schema, dict):
            self.add("", "form", "表单不是一个JSON对象", "The form is not a JSON object")
            return self.problems
        try:
            size = len(orjson.dumps(schema))
        except TypeError:
            size = MAX_SIZE + 1
        if size > MAX_SIZE:
            self.add("", "form_size", f"表单超过{MAX_SIZE}字节", f"The form is larger than {MAX_SIZE} bytes")
            return self.problems
        for name in sorted(set(schema) - _ROOT):
            self.unknown("", name)
        if schema.get("type", "default") != "default":
            self.add("", "form", "表单类型应为“default”", "The form type must be “default”")
        self.components("", schema.get("components"), 0)
        return self.problems

    def unknown(self, place: str, name: str) -> None:
        shown = name[:40]
        self.add(place, "form_property", f"不支持属性“{shown}”", f"The property “{shown}” is not supported")

    def components(self, place: str, components: object, depth: int) -> None:
        if not isinstance(components, list) or depth > MAX_DEPTH:
            self.add(place, "form", "表单内容无效", "The form content is invalid")
            return
        for component in components:
            self.count += 1
            if self.count == MAX_COMPONENTS + 1:
                text = f"表单组件超过{MAX_COMPONENTS}个", f"There are more than {MAX_COMPONENTS} components in the form"
                self.add("", "form_size", *text)
            if self.count > MAX_COMPONENTS:
                return
            self.component(component, depth)

    def component(self, component: object, depth: int, *, is_column: bool = False) -> None:
        if not isinstance(component, dict):
            self.add("", "form", "表单组件无效", "A form component is invalid")
            return
        name = component.get("type")
        kind = KINDS.get(name) if isinstance(name, str) else None
        place = str(component.get("key") or component.get("id") or "")
        if kind is None:
            shown = str(name)[:40]
            self.add(place, "form_type", f"不支持组件“{shown}”", f"The component “{shown}” is not supported")
            return
        if is_column and name not in _COLUMNS:
            zh, en = f"表格的列不能是“{name}”", f"A column of a table cannot be “{name}”"
            self.add(place, "form_column", zh, en)
            return
        before = len(self.problems)
        for word, value in component.items():
            if word not in kind.properties or (is_column and word in _NOT_IN_A_COLUMN):
                self.unknown(place, word)
            elif not kind.properties[word](value):
                self.wrong(place, word)
        if name == "group":
            self.components(place, component.get("components"), depth + 1)
        elif "key" in kind.properties:
            self.key(place, component.get("key"))
            self.rules(place, component, kind)
            if name in _CHOICES:
                self.options(place, component.get("values"))
            if name == "datetime" and "subtype" not in component:
                self.wrong(place, "subtype")
            if name == references.FILES and len(self.problems) == before:
                self.files(place, component)
            if name == references.TABLE:
                self.columns(place, component.get("components"), depth)
            if len(self.problems) == before and component.get("defaultValue") is not None:
                self.default(place, component)

    def wrong(self, place: str, name: str) -> None:
        self.add(place, "form_value", f"属性“{name}”的值无效", f"The value of “{name}” is invalid")

    def key(self, place: str, key: object) -> None:
        if not isinstance(key, str) or not KEY.fullmatch(key):
            zh = "字段名须以字母开头，只含字母、数字和下划线，最多40个字符"
            en = "A field's key begins with a letter and has letters, digits and underscores only, at most 40"
            self.add(place, "form_key", zh, en)
        elif key in RESERVED:
            self.add(
                place,
                "form_key",
                f"字段名“{key}”被系统保留，请更换",
                f"The field name “{key}” is reserved; please choose another one",
            )
        elif key in self.keys:
            self.add(place, "form_key", f"字段名“{key}”重复", f"The field name “{key}” is used twice")
        else:
            self.keys.add(key)

    def rules(self, place: str, component: Mapping[str, Any], kind: Kind) -> None:
        rules = component.get("validate", {})
        if not isinstance(rules, dict):
            return
        for name, value in rules.items():
            if name not in kind.rules:
                self.unknown(place, name)
            elif not kind.rules[name](value):
                self.wrong(place, name)
            elif name == "pattern" and (why := patterns.fault(value)):
                self.add(place, "form_pattern", *why)
        for low, high in (("min", "max"), ("minLength", "maxLength"), ("minItems", "maxItems")):
            least, most = rules.get(low), rules.get(high)
            if least is not None and most is not None and all(map(_is_number, (least, most))) and least > most:
                self.add(place, "form_value", "最小值大于最大值", "The minimum is greater than the maximum")

    def files(self, place: str, component: Mapping[str, Any]) -> None:
        """One that takes a single file cannot need more."""
        if component.get("validate", {}).get("minItems", 1) > references.most_files(component):
            self.wrong(place, "minItems")

    def columns(self, place: str, columns: object, depth: int) -> None:
        """The columns of a table; their keys are of its rows alone."""
        if not isinstance(columns, list) or not 1 <= len(columns) <= MAX_COLUMNS:
            zh, en = f"表格须有1至{MAX_COLUMNS}列", f"A table has 1 to {MAX_COLUMNS} columns"
            self.add(place, "form_column", zh, en)
            return
        outside, self.keys = self.keys, set()
        for column in columns:
            self.component(column, depth + 1, is_column=True)
        self.keys = outside

    def options(self, place: str, options: object) -> None:
        if not isinstance(options, list) or not 1 <= len(options) <= MAX_OPTIONS:
            self.wrong(place, "values")
            return
        found = [option.get("value") for option in options if isinstance(option, dict)]
        if not all(_has(_OPTION)(option) and option.get("label") and option.get("value") for option in options) or len(
            set(found)
        ) != len(options):
            zh = "选项须有名称和互不相同的值，均为文字"
            self.add(place, "form_options", zh, "Options need names, and values that differ; both are texts")

    def default(self, place: str, component: Mapping[str, Any]) -> None:
        try:
            values.checked({**component, "disallowPassedDates": False}, component["defaultValue"])
        except values.Fault:
            self.wrong(place, "defaultValue")
