"""What the server says of a value that was entered for a check item; no client decides it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from core.inspection.items import LIMITS, plain_number
from core.inspection.models import Result, ValueType
from core.kernel.texts import choose, plural
from core.rounds.models import Finding, InspectOrderRecord

OK, BAD = "1", "0"
"""Values of pass and fail."""
_NUMBER = re.compile(r"[+-]?[0-9]{1,10}(\.[0-9]{1,12})?")


class Wrong(Exception):
    """A value that is none of its item; the text is for the person."""

    def __init__(self, text: str):
        super().__init__(text)
        self.text = text


@dataclass(frozen=True)
class Judged:
    """A value as it is stored, and what it means."""

    value: str
    result: Finding
    number: Decimal | None = None


def judge(item: Mapping[str, Any], value: str, said: int | None = None) -> Judged:
    """Return what a value means; `said` is the person's own choice where the value itself says nothing.

    Raises Wrong.
    """
    name, kind = item["itemName"], item["valueType"]
    match kind:
        case ValueType.NUMBER | ValueType.METER:
            number = _number(item, value)
            result = limits(item, number) if kind == ValueType.NUMBER else Finding.NORMAL
            return Judged(plain_number(number) or "0", result, number)
        case ValueType.PASS_FAIL:
            if value not in (OK, BAD):
                raise Wrong(_("检查项「{name}」未填写").format(name=name))
            return Judged(value, Finding.NORMAL if value == OK else Finding.ABNORMAL)
        case ValueType.CHOICE:
            option = next((one for one in item["options"] if one["value"] == value), None)
            if option is None:
                raise Wrong(_("检查项「{name}」没有此选项").format(name=name))
            return Judged(value, Finding(int(option["result"])))
    own = Finding(said) if said in (Finding.NORMAL, Finding.WARNING, Finding.ABNORMAL) else Finding.NORMAL
    return Judged(value, own)


def _number(item: Mapping[str, Any], text: str) -> Decimal:
    """Return the number of a text; raises Wrong for none, and for more places than the item has."""
    if not _NUMBER.fullmatch(text):
        raise Wrong(_("「{name}」请输入数字").format(name=item["itemName"]))
    places = len(text.partition(".")[2])
    if places > item["decimals"]:
        raise Wrong(plural("小数位不能超过{n}位", item["decimals"]))
    return Decimal(text)


def limits_of(item: Mapping[str, Any]) -> tuple[Decimal | None, ...]:
    """Return the four limits of an item, from the lowest to the highest, None for those that it has not."""
    return tuple(Decimal(item[name]) if item.get(name) is not None else None for name in LIMITS)


def limits(item: Mapping[str, Any], number: Decimal) -> Finding:
    """Return what limits say of a number. A number on a limit is within it; a limit that is missing does not bind."""
    lower, warn_lower, warn_upper, upper = limits_of(item)
    if (lower is not None and number < lower) or (upper is not None and number > upper):
        return Finding.ABNORMAL
    if (warn_lower is not None and number < warn_lower) or (warn_upper is not None and number > warn_upper):
        return Finding.WARNING
    return Finding.NORMAL


def words_of(item: Mapping[str, Any], value: str) -> dict[str, str]:
    """Return how a value is called in both languages, as the item has it; empty where it speaks for itself."""
    if item["valueType"] == ValueType.CHOICE:
        option = next((one for one in item["options"] if one["value"] == value), None)
        return {"zh": option["label"], "en": option.get("labelEn") or ""} if option is not None else {}
    if item["valueType"] == ValueType.PASS_FAIL and value in (OK, BAD):
        word = item["okLabel"] if value == OK else item["badLabel"]
        return {"zh": word, "en": word} if word else {}
    return {}


def value_text(record: InspectOrderRecord) -> str:
    """Return a value as people read it: with its unit, or the word for it."""
    if record.result == Finding.NOT_APPLICABLE:
        return str(Finding.NOT_APPLICABLE.label)
    if record.words:
        return choose(record.words.get("zh", ""), record.words.get("en", ""))
    if record.value_type == ValueType.PASS_FAIL:
        return str((Result.NORMAL if record.value == OK else Result.ABNORMAL).label)
    return f"{record.value}{record.unit}" if record.num_value is not None else record.value


def judge_text(record: InspectOrderRecord) -> str:
    """Return why a result is what it is, in the caller's language: `78.5℃ > 上限75℃`."""
    text, number = value_text(record), record.num_value
    if record.result in (Finding.NORMAL, Finding.NOT_APPLICABLE):
        return ""
    if number is None:
        return text
    for limit, sign, word in (
        (record.lower, "<", _("下限")),
        (record.upper, ">", _("上限")),
        (record.warn_lower, "<", _("预警下限")),
        (record.warn_upper, ">", _("预警上限")),
    ):
        if limit is not None and (number < limit if sign == "<" else number > limit):
            return f"{text} {sign} {word}{choose('', ' ')}{plain_number(limit)}{record.unit}"
    return text
