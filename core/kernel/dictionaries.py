"""Port to the dictionaries; `core.system` fills it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

names_of: Callable[[str], Mapping[str, str]]
"""Names of a dictionary's values by key, in the caller's language; sealed values too, because rows still have them."""
