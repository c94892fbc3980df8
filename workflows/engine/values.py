"""Values as they are kept in a process's state: plain JSON, and a mark that tells one from another."""

import hashlib
from decimal import Decimal
from typing import Any

import orjson

from workflows.engine.errors import ExpressionError


def plain(name: str, value: Any) -> Any:
    """A copy of the value for the variable of that name. Raises ExpressionError unless it is numbers, texts, lists."""
    try:
        return orjson.loads(orjson.dumps(value, default=_number))
    except TypeError:
        raise ExpressionError(name, "该值不能保存为变量", "this value cannot be kept as a variable") from None


def mark(value: Any) -> str:
    """Tells a value from any other; '' for none."""
    if value is None:
        return ""
    return hashlib.sha256(orjson.dumps(value, default=str, option=orjson.OPT_NON_STR_KEYS)).hexdigest()[:16]


def _number(value: Any) -> int | float:
    if isinstance(value, Decimal):
        return int(value) if value == int(value) else float(value)
    raise TypeError
