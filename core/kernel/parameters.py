"""What a drawing may give to an operation that it calls: the name, kind and bounds of each parameter."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ParameterKind(StrEnum):
    """What a parameter holds, and what the operation is given for it."""

    TEXT = "text"
    """A `str` of at most `most` characters."""
    NUMBER = "number"
    """An `int`, or with `places` a `Decimal`, from `least` to `most`."""
    FLAG = "flag"
    """A `bool`."""
    CHOICE = "choice"
    """One of the values of `choices`."""
    DATE = "date"
    """A `datetime.date`, in the tenant's zone."""
    DURATION = "duration"
    """A `datetime.timedelta`; written in ISO 8601 with days, hours, minutes and seconds."""
    PEOPLE = "people"
    """A tuple of candidate rules such as `role:hr` or `user:7`, of which some may find nobody."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of an operation; texts are in both languages, because a refusal is stored in both."""

    name: str
    """As the drawing writes it."""
    kind: ParameterKind
    zh: str
    en: str
    help_zh: str = ""
    help_en: str = ""
    is_required: bool = False
    least: int = 0
    most: int = 0
    """Of a NUMBER the bounds, of a TEXT the characters."""
    places: int = 0
    """Of a NUMBER, how many decimals it may have."""
    is_long: bool = False
    """Of a TEXT, that it is one of several lines."""
    choices: tuple[tuple[int, str], ...] = ()
    """Values of a CHOICE with their names."""
