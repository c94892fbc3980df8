"""Patterns that a form may ask of a text: a part of regular expressions that means the same here and in a browser, and
whose cost is bounded whatever the text is."""

from __future__ import annotations

import re
from re import _constants as codes  # type: ignore[attr-defined]  # the standard library types neither of the two
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from workflows.forms.values import MAX_TEXT

MAX_LENGTH = 200
MAX_WAYS = 50_000
"""Ways to spread a text over the repeats of a pattern that a search may try in vain."""

_ESCAPES = set("dDwWsSbBtnru")
_PLACES = {codes.AT_BEGINNING, codes.AT_END, codes.AT_BOUNDARY, codes.AT_NON_BOUNDARY}
_PLAIN = {codes.LITERAL, codes.NOT_LITERAL, codes.ANY, codes.IN}


def fault(pattern: str) -> tuple[str, str] | None:
    """Why the pattern is refused, in both languages; None when it may be used."""
    if len(pattern) > MAX_LENGTH:
        return "校验规则过长", "the pattern is too long"
    # A browser reads `{,3}` as text, and knows neither Python's letters behind a backslash nor its `(?…)`.
    odd = re.search(r"\{,|\(\?(?!:)|[*+?}][+]", re.sub(r"\\.|\[(?:\\.|[^\]\\])*\]", "a", pattern, flags=re.DOTALL))
    if odd or any(one.isalnum() and one not in _ESCAPES for one in re.findall(r"\\(.)", pattern, re.DOTALL)):
        return "校验规则含有不支持的语法", "the pattern uses unsupported syntax"
    try:
        parsed = parser.parse(pattern, re.ASCII)
    except (re.error, OverflowError, RecursionError):
        return "校验规则语法错误", "the pattern has a syntax error"
    try:
        anchored = bool(parsed) and parsed[0] == (codes.AT, codes.AT_BEGINNING)
        ways = _ways(parsed) * (1 if anchored else MAX_TEXT["textfield"])
    except _Unsupported:
        return "校验规则含有不支持的语法", "the pattern uses unsupported syntax"
    return ("校验规则过于复杂", "the pattern is too complex") if ways > MAX_WAYS else None


class _Unsupported(Exception):
    pass


def _ways(parsed: Any) -> int:
    """Return how many ways a text may be spread over this; what is repeated may itself be read in one way only."""
    ways = 1
    for code, argument in parsed:
        if code in _PLAIN:
            continue
        if code == codes.AT:
            if argument not in _PLACES:
                raise _Unsupported
        elif code == codes.SUBPATTERN:
            ways *= _ways(argument[3])
        elif code == codes.BRANCH:
            ways *= sum(_ways(branch) for branch in argument[1])
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            ways *= _repeats(*argument)
        else:
            raise _Unsupported
        if ways > MAX_WAYS:
            break
    return ways


def _repeats(least: int, most: int, inner: Any) -> int:
    most, inside = min(int(most), MAX_TEXT["textfield"]), _ways(inner)
    if most <= 1:
        return inside + (1 - least)
    if least >= most:
        return int(inside ** min(most, 20))
    if inside > 1:
        raise _Unsupported
    return most - least + 1
