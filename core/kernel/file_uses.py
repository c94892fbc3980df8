"""Port to the table of uses of stored files. `core.storage` provides the function."""

from __future__ import annotations

from collections.abc import Callable

from django.db import models

Names = tuple[str, ...]
"""Names of stored files, each once."""

keep: Callable[[models.Model, str, Names | None, Names], None]
"""Store which files a column of a row names: row, column, the names until now (None if unknown), the names now."""
