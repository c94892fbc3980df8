"""Brings stored states of earlier formats to the format of today, one function for each format that was.

Format 1 is a list of format, process and sub-processes. Format 2 is an object that says besides which version of
SpiffWorkflow wrote it and which model it belongs to.

To bring a new format: raise `FORMAT`, add the function that makes it of the one before, and record states of it with
`tests.workflows.engine.record_states`. Never change a function that has landed.
"""

from collections.abc import Callable, Mapping
from typing import Any

from workflows.engine.errors import StateError

FORMAT = 2


def _from_1(stored: Any) -> dict[str, Any]:
    """Format 1 knew neither the library's version nor the model: both are empty, and the model is not compared."""
    _format, process, scopes = stored
    return {"format": 2, "library": "", "model": "", "process": process, "scopes": scopes}


_MIGRATIONS: Mapping[int, Callable[[Any], dict[str, Any]]] = {1: _from_1}
"""By format, the function that makes the next format of it."""


def migrated(stored: Any) -> dict[str, Any]:
    """Return a stored state in the format of today. Raises StateError where it has no format, or one not known here."""
    found = _format_of(stored)
    while found != FORMAT:
        if found not in _MIGRATIONS:
            raise StateError(
                "state_format",
                f"流程状态的格式“{found}”无法识别，可能由更新的版本保存，请升级系统后重试",
                f"The format “{found}” of the stored state is not known. A later version may have written it:"
                " upgrade the system and try again",
            )
        stored = _MIGRATIONS[found](stored)
        found = _format_of(stored)
    return dict(stored)


def _format_of(stored: Any) -> int:
    found = stored.get("format") if isinstance(stored, dict) else None
    if isinstance(stored, list) and len(stored) == 3 and stored[0] == 1:
        found = 1
    if not isinstance(found, int):
        raise StateError("state", "流程状态已损坏，没有格式标记", "The stored state is damaged: it names no format")
    return found
