"""Texts in both languages: labels beside their fields, sentences by the catalogue."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.functional import lazy
from django.utils.translation import get_language, gettext, ngettext


def is_english() -> bool:
    """Whether the caller reads English; everything else reads Chinese."""
    return (get_language() or "zh").startswith("en")


def choose(zh: str, en: str) -> str:
    """The text in the caller's language; Chinese where the English one is missing."""
    return en if en and is_english() else zh


def label(zh: str, en: str) -> str:
    """A field's or a choice's label, in the language of whoever reads it."""
    return _lazy(zh, en)


_lazy = lazy(choose, str)


def moment(value: datetime | None) -> str:
    """A time as the dialect writes it, in the tenant's zone; empty for none."""
    return value.astimezone(timezone.get_default_timezone()).isoformat(" ", "seconds")[:19] if value else ""


def length(time: timedelta) -> str:
    """Whole minutes in words, in the caller's language."""
    minutes = max(int(time.total_seconds() + 30) // 60, 0)
    days, hours, rest = minutes // 1440, minutes % 1440 // 60, minutes % 60
    parts = [(days, gettext("{n}天")), (hours, gettext("{n}小时")), (rest, gettext("{n}分钟"))]
    words = [text.format(n=amount) for amount, text in parts if amount] or [gettext("{n}分钟").format(n=0)]
    return (" " if is_english() else "").join(words)


def plural(sentence: str, n: int, **names: Any) -> str:
    """The sentence in the caller's language, in its words for so many, with `n` and the other names filled in."""
    return ngettext(sentence, sentence, n).format(n=n, **names)
