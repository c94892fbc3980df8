"""Port to the dictionaries. `core.system` provides the functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

names_of: Callable[[str], Mapping[str, str]]
"""Return the labels of a dictionary by key, in the caller's language; sealed values too, because rows may have them."""

choices_of: Callable[[str], Mapping[str, str]]
"""Return the labels of what may be chosen of a dictionary by key: without the sealed values."""
