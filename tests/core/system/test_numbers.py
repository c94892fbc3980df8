"""Numbers of documents begin anew with the tenant's day, not with that of UTC."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.system.numbers import next_number
from tests.cast import A, Cast


def _at(day: int, hour: int, minute: int) -> Any:
    """The clock at a time of the plant, as it runs: in UTC."""
    return clock.at(datetime(2026, 3, day, hour, minute, tzinfo=ZoneInfo("Asia/Shanghai")).astimezone(UTC))


@pytest.mark.parametrize(
    ("hour", "minute", "number"), [(0, 0, "WX202603030001"), (7, 59, "WX202603030001"), (23, 59, "WX202603030001")]
)
def test_the_day_of_a_number_is_the_tenants(cast: Cast, hour: int, minute: int, number: str) -> None:
    with tenant_scope(A), _at(3, hour, minute):
        assert next_number("WX") == number


def test_midnight_of_the_tenant_begins_at_one_again(cast: Cast) -> None:
    with tenant_scope(A):
        with _at(2, 23, 59):
            assert [next_number("WX"), next_number("WX")] == ["WX202603020001", "WX202603020002"]
        with _at(3, 0, 0):
            assert next_number("WX") == "WX202603030001"
