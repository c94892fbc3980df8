"""The connection to PostgreSQL. Django reads each moment with a regular expression, which takes longer than its row."""

# mypy: disallow-subclassing-any=False

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.db.backends.postgresql import base
from django.db.backends.postgresql.psycopg_any import BaseTzLoader
from psycopg.adapt import AdaptersMap


class MomentLoader(BaseTzLoader):
    """Reads a moment in UTC, the time zone of every connection; Django's own loader reads what else there is."""

    timezone = UTC

    def load(self, data: Any) -> Any:
        """Return the moment that PostgreSQL writes like 2026-11-24 22:34:07.5+00."""
        try:
            found = datetime.fromisoformat(str(data, "ascii"))
        except ValueError:  # such as a year that Python does not have
            return super().load(data)
        return found if found.tzinfo is UTC else super().load(data)


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection whose moments are read by `MomentLoader`."""

    def get_connection_params(self) -> dict[str, Any]:
        """Return what Django gives psycopg, with the loader of moments exchanged."""
        params: dict[str, Any] = super().get_connection_params()
        params["context"] = AdaptersMap(params["context"])
        params["context"].register_loader("timestamptz", MomentLoader)
        return params
