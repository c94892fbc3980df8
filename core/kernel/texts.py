"""Texts in both languages: labels beside their fields, sentences by the catalogue."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.functional import lazy
from django.utils.translation import get_language, ngettext


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


def plural(sentence: str, n: int, **names: Any) -> str:
    """The sentence in the caller's language, in its words for so many, with `n` and the other names filled in."""
    return ngettext(sentence, sentence, n).format(n=n, **names)
