"""Texts in Chinese and English: labels are given beside their fields, sentences come from the gettext catalogue."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from django.utils import timezone
from django.utils.functional import lazy
from django.utils.translation import get_language, gettext, ngettext, override


@lru_cache(maxsize=4096)
def camel(name: str) -> str:
    """Return the name of a column as callers know it: machine_name → machineName."""
    return re.sub(r"_+([a-z0-9])", lambda match: match[1].upper(), name)


def is_english() -> bool:
    """Return whether the caller's language is English. All other callers get Chinese."""
    return (get_language() or "zh").startswith("en")


def choose(zh: str, en: str) -> str:
    """Return the text in the caller's language; Chinese if there is no English text."""
    return en if en and is_english() else zh


def label(zh: str, en: str) -> str:
    """Return a lazy label of a field or choice, translated when it is read."""
    return _lazy(zh, en)


_lazy = lazy(choose, str)


def both(text: object) -> tuple[str, str]:
    """Return a label in Chinese and in English."""
    with override("zh-hans"):
        zh = str(text)
    with override("en"):
        return zh, str(text)


def moment(value: datetime | None) -> str:
    """Return a time as `YYYY-MM-DD HH:MM:SS` in the tenant's time zone, or '' for None."""
    return value.astimezone(timezone.get_default_timezone()).isoformat(" ", "seconds")[:19] if value else ""


def length(time: timedelta) -> str:
    """Return a duration in days, hours and minutes, in the caller's language."""
    minutes = max(int(time.total_seconds() + 30) // 60, 0)
    days, hours, rest = minutes // 1440, minutes % 1440 // 60, minutes % 60
    parts = [(days, gettext("{n}天")), (hours, gettext("{n}小时")), (rest, gettext("{n}分钟"))]
    words = [text.format(n=amount) for amount, text in parts if amount] or [gettext("{n}分钟").format(n=0)]
    return (" " if is_english() else "").join(words)


def plural(sentence: str, n: int, **names: Any) -> str:
    """Return the sentence in the caller's language, in singular or plural for `n`, with all names filled in."""
    return ngettext(sentence, sentence, n).format(n=n, **names)
