"""The two kinds of time that a model writes: ISO 8601 durations and moments."""

import re
from datetime import date, datetime
from typing import Any

from workflows.engine.errors import ExpressionError

_DURATION = re.compile(
    r"P(?=.)(?:\d{1,4}W|(?:\d{1,4}Y)?(?:\d{1,4}M)?(?:\d{1,5}D)?"
    r"(?:T(?=\d)(?:\d{1,6}H)?(?:\d{1,8}M)?(?:\d{1,9}(?:\.\d{1,6})?S)?)?)"
)


def check_duration(source: str, value: Any) -> str:
    """ISO text of a duration such as P1DT2H, else ExpressionError naming `source`."""
    if isinstance(value, str) and _DURATION.fullmatch(value.strip()):
        return value.strip()
    raise ExpressionError(source, "不是有效的时长，如 P1DT2H", "this is not a duration such as P1DT2H")


def check_date(source: str, value: Any) -> str:
    """ISO text of a moment such as 2030-01-31T08:00:00+08:00, else ExpressionError naming `source`."""
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, str):
        try:
            datetime.fromisoformat(value.strip())
            return value.strip()
        except ValueError:
            pass
    raise ExpressionError(
        source, "不是有效的时间，如 2030-01-31T08:00:00+08:00", "this is not a moment such as 2030-01-31T08:00:00+08:00"
    )
