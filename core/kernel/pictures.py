"""Port to stored pictures; `core.storage` fills it."""

from __future__ import annotations

from collections.abc import Callable

link_of: Callable[[str], str]
"""A link to a stored picture by its name, which works for a while without a sign-in."""
name_of: Callable[[str, str], str]
"""The name behind a link that a client sends back, and the field it came in; raises Invalid when it is none."""
