"""Values as a process state stores them: plain JSON, and a digest by which two values are compared."""

import hashlib
from decimal import Decimal
from typing import Any

import orjson

from workflows.engine import effort
from workflows.engine.errors import ExpressionError
from workflows.engine.expressions import MAX_ITEMS, weight


def plain(name: str, value: Any) -> Any:
    """Return a copy of the value as plain JSON. Raises ExpressionError, which names the variable, for other values.

    A value that holds itself twice, twice and again would be copied to any size; so it is weighed before.
    """
    size = weight(value)
    effort.spend(size)
    if size > MAX_ITEMS:
        raise ExpressionError(name, "该值过大", "this value is too large")
    try:
        return orjson.loads(orjson.dumps(value, default=_number))
    except TypeError:
        raise ExpressionError(name, "该值不能保存为变量", "this value cannot be stored as a variable") from None


def mark(value: Any) -> str:
    """Return a digest of the value; '' for none."""
    if value is None:
        return ""
    return hashlib.sha256(orjson.dumps(value, default=str, option=orjson.OPT_NON_STR_KEYS)).hexdigest()[:16]


def _number(value: Any) -> int | float:
    if isinstance(value, Decimal):
        return int(value) if value == int(value) else float(value)
    raise TypeError
