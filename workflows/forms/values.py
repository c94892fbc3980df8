"""What people send for a form, checked against its schema: the same rules and sentences as in the console.

A schema that comes here has passed `workflows.forms.schema`. Its inputs are components with a key; a value is text, a
number, true or false, a list of texts, a list of rows, or null for nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from core.kernel import clock
from core.kernel.errors import Invalid
from core.kernel.texts import choose, plural
from workflows.forms import references
from workflows.forms.references import Known

Schema = Mapping[str, Any]
Component = Mapping[str, Any]

MAX_TEXT = {"textfield": 200, "textarea": 2_000}
"""Characters of a text whose schema names no length of its own; no schema allows more."""
MAX_NUMBER = 10**15
HOLDS = {
    **dict.fromkeys(("textfield", "textarea", "radio", "select", "datetime"), "text"),
    **dict.fromkeys(("checklist", "taglist"), "list"),
    "number": "number",
    "checkbox": "flag",
    **{kind: kind for kind in references.KINDS},
    references.FILES: "files",
    references.TABLE: "rows",
}
"""What kind of value each component holds."""
_MOST_FAULTS = 20
_NOTHING = Known()

_NOT_IN_A_LINE = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]")
_NOT_IN_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_EMAIL = re.compile(r"[^@\s]{1,64}@[^@\s]{1,100}\.[A-Za-z]{2,20}")
_PHONE = re.compile(r"1[3-9][0-9]{9}")
_SHAPES = {
    "date": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}"),
    "time": re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]"),
    "datetime": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2})?"),
}


class Fault(Exception):
    """A value that breaks a rule of its field; `str()` is the sentence."""


def inputs(schema: Schema | None) -> Iterator[Component]:
    """Yield the components that hold a value, those in groups too, in their order."""
    for component in (schema or {}).get("components", ()):
        if component["type"] == "group":
            yield from inputs(component)
        elif "key" in component:
            yield component


def label(component: Component) -> str:
    """Return what the field is called in the caller's language."""
    named = component.get("properties", {}).get("labelEn", "")
    return choose(str(component.get("label") or component["key"]), str(named))


def is_locked(component: Component) -> bool:
    """Return whether the field is only shown."""
    return bool(component.get("readonly") or component.get("disabled"))


def check(
    schema: Schema | None,
    given: Mapping[str, Any],
    stored: Mapping[str, Any],
    *,
    may_lack: bool = False,
    tried: bool = False,
) -> dict[str, Any]:
    """Return the values to store; what is not sent stays as `stored` has it. Raises Invalid with a sentence a field.

    `may_lack`: required fields may be empty, as for who says no and so needs not say what a yes would need.
    `tried`: nothing will be stored, and a file is the name of one that nobody has uploaded.
    """
    fields = {str(component["key"]): component for component in inputs(schema)}
    known = references.known(
        [(fields[name], value) for name, value in given.items() if name in fields],
        [(fields[name], value) for name, value in stored.items() if name in fields],
        tried=tried,
    )
    faults: dict[str, str] = {}
    clean: dict[str, Any] = {}
    for name in given:
        if name not in fields:
            shown = name[:40]
            faults[shown] = _("表单中没有字段“{name}”").format(name=shown)
    for name, component in fields.items():
        try:
            if is_locked(component):
                _check_locked(component, name in given)
                if name not in stored and component.get("defaultValue") is not None:
                    clean[name] = component["defaultValue"]
                continue
            value = checked(component, given[name], known) if name in given else stored.get(name)
            if not may_lack:
                check_filled(component, value)
            if name in given:
                clean[name] = value
        except Fault as fault:
            faults[name] = str(fault)
    if faults:
        raise Invalid(dict(list(faults.items())[:_MOST_FAULTS]))
    return clean


def check_one(component: Component, given: Any, stored: Any) -> Any:
    """Return the value to store in place of `stored`, of a single field; raises a Fault."""
    value = checked(component, given, references.known([(component, given)], [(component, stored)]))
    check_filled(component, value)
    return value


def _check_locked(component: Component, is_given: bool) -> None:
    if is_given:
        raise Fault(_("{field}不能修改").format(field=label(component)))


def check_filled(component: Component, value: Any) -> None:
    """Raise a Fault when a required field has nothing in it; a box has to be ticked. The fields of rows too."""
    rules = component.get("validate", {})
    empty = value in (None, [], False) if component["type"] == "checkbox" else value is None or value == []
    if rules.get("required") and (empty or (isinstance(value, str) and not value.strip())):
        raise _missing(component)
    if component["type"] == references.TABLE:
        for number, row in enumerate(value or (), 1):
            with _in_row(number):
                for column in component["components"]:
                    check_filled(column, row[column["key"]])


def _missing(component: Component) -> Fault:
    if component["type"] == references.TABLE:
        return _too_few_rows(component)
    typed = component["type"] in ("textfield", "textarea", "number")
    text = _("请输入{field}") if typed else _("请选择{field}")
    return Fault(text.format(field=label(component)))


def checked(component: Component, value: Any, known: Known = _NOTHING) -> Any:
    """The value as it is stored, null for an empty one; raises a Fault.

    `known` has what it may refer to.
    """
    if value is None or value == "" or (value == [] and isinstance(value, list)):
        return None
    if component["type"] in _REFERRING:
        return _REFERRING[component["type"]](component, value, known)
    return _CHECKS[component["type"]](component, value)


def _text(component: Component, value: Any) -> str:
    name, rules = label(component), component.get("validate", {})
    wrong = Fault(_("{field}格式不正确").format(field=name))
    line = component["type"] == "textfield"
    if not isinstance(value, str) or (_NOT_IN_A_LINE if line else _NOT_IN_TEXT).search(value):
        raise wrong
    most, least = rules.get("maxLength", MAX_TEXT[component["type"]]), rules.get("minLength", 0)
    if len(value) > most:
        raise Fault(plural("{field}长度不能超过{n}个字符", most, field=name))
    if len(value) < least:
        raise Fault(plural("{field}至少{n}个字符", least, field=name))
    kind = rules.get("validationType")
    shape = {"email": _EMAIL, "phone": _PHONE}.get(kind or "")
    if shape is not None and not shape.fullmatch(value):
        raise wrong
    # ASCII, so that \d and \w mean what they mean in a browser.
    if rules.get("pattern") and not re.compile(rules["pattern"], re.ASCII).search(value):
        own = rules.get("patternErrorMessage")
        raise Fault(choose(own, component.get("properties", {}).get("patternErrorMessageEn", ""))) if own else wrong
    return value


def _number(component: Component, value: Any) -> int | float:
    name, rules = label(component), component.get("validate", {})
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise Fault(_("{field}应为数字").format(field=name))
    low, high = rules.get("min"), rules.get("max")
    if not (-MAX_NUMBER if low is None else low) <= value <= (MAX_NUMBER if high is None else high):
        if low is not None and high is not None:
            raise Fault(_("{field}应在{a}到{b}之间").format(field=name, a=low, b=high))
        if low is not None and value < low:
            raise Fault(_("{field}不能小于{n}").format(field=name, n=low))
        raise Fault(_("{field}不能大于{n}").format(field=name, n=MAX_NUMBER if high is None else high))
    exact = Decimal(repr(value))
    places = component.get("decimalDigits")
    if places is not None and exact != round(exact, places):
        if places == 0:
            raise Fault(_("{field}应为整数").format(field=name))
        raise Fault(plural("{field}最多{n}位小数", places, field=name))
    step = component.get("increment")
    if step is not None and exact % Decimal(repr(step)) != 0:
        raise Fault(_("{field}应为{n}的整数倍").format(field=name, n=step))
    return int(value) if value == int(value) else value


def _box(component: Component, value: Any) -> bool:
    if not isinstance(value, bool):
        raise _missing(component)
    return value


def _options(component: Component) -> set[str]:
    return {str(option["value"]) for option in component["values"]}


def _one(component: Component, value: Any) -> str:
    if not isinstance(value, str) or value not in _options(component):
        raise _missing(component)
    return value


def _some(component: Component, value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise _missing(component)
    if len(set(value)) != len(value) or not set(value) <= _options(component):
        raise _missing(component)
    return value


def _moment(component: Component, value: Any) -> str:
    kind = component["subtype"]
    try:
        if not isinstance(value, str) or not _SHAPES[kind].fullmatch(value):
            raise ValueError
        if kind == "time":
            return value
        found = datetime.fromisoformat(value)
        if found.year not in clock.YEARS:
            raise ValueError
    except ValueError:
        raise _missing(component) from None
    if component.get("disallowPassedDates") and found.date() < today():
        raise Fault(_("{field}不能早于今天").format(field=label(component)))
    return value if kind == "date" else found.isoformat(" ", "seconds")


def _reference(component: Component, value: Any, known: Known) -> str:
    if isinstance(value, str) and (component["type"], value) in known.scrapped:
        raise Fault(_("设备已报废，请另选一台"))
    if not isinstance(value, str) or (component["type"], value) not in known.ids:
        raise _missing(component)
    return value


def _files(component: Component, value: Any, known: Known) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise _missing(component)
    names = list(dict.fromkeys(known.files.get(link, "") for link in value))
    most, least = references.most_files(component), component.get("validate", {}).get("minItems", 0)
    are_pictures = references.place(component) == "picture"
    if len(value) > most:
        raise Fault((_("最多上传{n}张图片") if are_pictures else _("最多上传{n}个文件")).format(n=most))
    if "" in names:
        raise Fault(_("图片不存在或已被删除") if are_pictures else _("文件不存在或已被删除"))
    if len(names) < least:
        raise Fault(_("{field}至少上传{n}个").format(field=label(component), n=least))
    return names


def _rows(component: Component, value: Any, known: Known) -> list[dict[str, Any]]:
    name, rules = label(component), component.get("validate", {})
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        raise Fault(_("{field}格式不正确").format(field=name))
    most = rules.get("maxItems", references.MAX_ROWS)
    if len(value) > most:
        raise Fault(_("{field}最多{n}行").format(field=name, n=most))
    if len(value) < rules.get("minItems", 0):
        raise _too_few_rows(component)
    columns = {str(column["key"]): column for column in component["components"]}
    found = []
    for number, row in enumerate(value, 1):
        with _in_row(number):
            for key in row:
                if key not in columns:
                    raise Fault(_("表单中没有字段“{name}”").format(name=str(key)[:40]))
            found.append({key: checked(column, row.get(key), known) for key, column in columns.items()})
    return found


def _too_few_rows(component: Component) -> Fault:
    least = max(1, component.get("validate", {}).get("minItems", 1))
    return Fault(_("{field}至少要有{n}行").format(field=label(component), n=least))


@contextmanager
def _in_row(number: int) -> Iterator[None]:
    """Say of a fault in which row it is."""
    try:
        yield
    except Fault as fault:
        raise Fault(_("第{n}行：{text}").format(n=number, text=fault)) from fault


def today() -> date:
    """The day it is for the tenant."""
    return timezone.localtime(clock.now()).date()


_CHECKS = {
    "textfield": _text,
    "textarea": _text,
    "number": _number,
    "checkbox": _box,
    "radio": _one,
    "select": _one,
    "checklist": _some,
    "taglist": _some,
    "datetime": _moment,
}
_REFERRING = {
    **dict.fromkeys(references.KINDS, _reference),
    references.FILES: _files,
    references.TABLE: _rows,
}
