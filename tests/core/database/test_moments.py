"""Moments that PostgreSQL sends are read as Django reads them, only faster."""

# mypy: disallow-subclassing-any=False

from __future__ import annotations

from datetime import UTC

import psycopg
import pytest
from django.db import connection
from django.db.backends.postgresql.psycopg_any import BaseTzLoader
from psycopg.postgres import types
from psycopg.pq import Format

from core.database.postgresql.base import MomentLoader

OID = types["timestamptz"].oid


class _Django(BaseTzLoader):
    timezone = UTC


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-24 22:34:07.038485+00",
        "2026-11-24 22:34:07.5+00",
        "2026-11-24 22:34:07+00",
        "0001-01-01 00:00:00+00",
        "9999-12-31 23:59:59.999999+00",
        "2026-11-24 22:34:07.5+05:30",
        "1890-01-01 00:00:00-00:05:43",
    ],
)
def test_a_moment_is_the_same(text: str) -> None:
    read, expected = MomentLoader(OID).load(text.encode()), _Django(OID).load(text.encode())
    assert (read, read.tzinfo, repr(read)) == (expected, UTC, repr(expected))


@pytest.mark.parametrize("text", ["infinity", "-infinity", "10000-01-01 00:00:00+00", "0044-03-15 00:00:00+00 BC"])
def test_what_python_does_not_have_is_refused_in_the_same_words(text: str) -> None:
    with pytest.raises(psycopg.DataError) as expected:
        _Django(OID).load(text.encode())
    with pytest.raises(psycopg.DataError) as refused:
        MomentLoader(OID).load(text.encode())
    assert str(refused.value) == str(expected.value)


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has no loaders")
@pytest.mark.django_db
def test_the_connection_reads_so() -> None:
    with connection.cursor() as cursor:
        assert cursor.cursor.adapters.get_loader(OID, Format.TEXT) is MomentLoader
        cursor.execute("SELECT '2026-11-24 22:34:07.5+02'::timestamptz, NULL::timestamptz")
        [(moment, nothing)] = cursor.fetchall()
    assert (moment.isoformat(), moment.tzinfo, nothing) == ("2026-11-24T20:34:07.500000+00:00", UTC, None)
