"""Totals of lists: exact up to the cap, marked estimates beyond it, and every row stays within reach."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.desk.models import Notice
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.rest import pagination
from tests import logins
from tests.cast import A, B, Cast

LIST = "blade-desk/notice/list"


@pytest.fixture
def notices(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Cast:
    """Eighteen notices of A and one of B, where counting stops at ten."""
    monkeypatch.setattr(pagination, "COUNTED", 10)
    for tenant, count in ((A, 18), (B, 1)):
        with tenant_scope(tenant):
            for number in range(count):
                Notice.objects.create(title=f"停电{number:02d}", category=1, content="停", release_time=clock.now())
    return cast


def _numbers(data: Any) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name != "records"}


def test_a_total_up_to_the_cap_is_exact(notices: Cast) -> None:
    with tenant_scope(A):
        Notice.objects.filter(title__gte="停电10").update(is_deleted=True)
    answer = notices.client_for("operator").get(LIST, size=4)
    assert _numbers(answer.data) == {"total": 10, "size": 4, "current": 1, "pages": 3}
    answer = notices.client_for("operator", B).get(LIST, size=4)
    assert _numbers(answer.data) == {"total": 1, "size": 4, "current": 1, "pages": 1}


def test_a_total_beyond_the_cap_is_a_marked_estimate(notices: Cast) -> None:
    if connection.vendor == "postgresql":
        logins.analyze("desk_notice")
    answer = notices.client_for("operator").get(LIST, size=4)
    numbers = _numbers(answer.data)
    assert numbers.pop("totalIsEstimate") is True
    # The planner has seen the table's 19 rows, and guesses how many of them are A's.
    assert 10 <= numbers["total"] <= 19
    assert numbers == {"total": numbers["total"], "size": 4, "current": 1, "pages": -(-numbers["total"] // 4)}


def test_every_row_beyond_the_cap_can_be_reached(notices: Cast) -> None:
    caller = notices.client_for("operator")
    pages = [caller.get(LIST, size=5, current=number, ascs="title").data["records"] for number in range(1, 6)]
    assert [len(rows) for rows in pages] == [5, 5, 5, 3, 0]
    assert [row["title"] for rows in pages for row in rows] == [f"停电{number:02d}" for number in range(18)]


def test_a_filtered_list_counts_what_it_matched(notices: Cast) -> None:
    answer = notices.client_for("operator").get(LIST, title_like="停电0", size=4)
    assert _numbers(answer.data) == {"total": 10, "size": 4, "current": 1, "pages": 3}


def test_rows_and_their_total_come_in_one_statement(notices: Cast) -> None:
    """A page behind the last row asks for the total alone; so does a list of two tables."""

    def page(**given: str) -> tuple[list[str], dict[str, Any], int]:
        rows = Notice.objects.filter(title__lt="停电07").order_by("title")
        with CaptureQueriesContext(connection) as captured:
            found, numbers = pagination.page(rows, given)
        return [row.title[2:] for row in found], numbers, sum("FROM " in query["sql"] for query in captured)

    with tenant_scope(A):
        seven = {"total": 7, "size": 4, "pages": 2}
        assert page(size="4") == (["00", "01", "02", "03"], {**seven, "current": 1}, 1)
        assert page(size="4", current="2") == (["04", "05", "06"], {**seven, "current": 2}, 1)
        assert page(size="4", current="3") == ([], {**seven, "current": 3}, 2)
        assert page(size="7") == ([f"0{n}" for n in range(7)], {"total": 7, "size": 7, "pages": 1, "current": 1}, 1)
        nothing, twice = Notice.objects.none(), Notice.objects.values("title")
        assert pagination.page(nothing, {})[1] == {"total": 0, "size": 10, "current": 1, "pages": 0}
        early = [twice.filter(title__lt=end).order_by() for end in ("停电03", "停电02")]
        found, numbers = pagination.page(early[0].union(early[1], all=True).order_by("-title"), {"size": "2"})
        assert ([row["title"][2:] for row in found], numbers["total"]) == (["02", "01"], 5)
