"""Port to stored images. `core.storage` provides the functions."""

from __future__ import annotations

from collections.abc import Callable

link_of: Callable[[str], str]
"""Return a temporary link to a stored image, which works without a sign-in."""
name_of: Callable[[str, str, str], str]
"""Return the stored name for a link that a client sends back in a field, whose name until now is the third; raises
Invalid for any other text, and for a picture that the person acting has not uploaded."""
