"""The list of a case follows from its `Listing`: fields, filters, readers; and what is wrong with one is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.cases import checks
from core.cases.case import Listing
from core.cases.checks import faults
from core.cases.lists import row_of
from core.cases.visibility import own_or_part
from core.desk.leave.case import LEAVE
from core.desk.leave.models import Leave

LISTING = Listing("leavelist", ("leave_no", "user", "waitingFor", "type", "status", "reason"), {"user": "user_id"})
CASE = replace(LEAVE, listing=LISTING)


def test_the_fields_stand_in_the_declared_order_with_names_beside_choices_and_references() -> None:
    shown = list(row_of(CASE)().fields)
    assert shown == [
        "id", "leaveNo", "userId", "userName", "waitingFor", "type", "typeName", "status", "statusName", "reason",
        "lockVersion",
    ]  # fmt: skip


def test_whatever_is_shown_can_be_asked_for_and_a_filter_of_its_own_stands_in_its_place() -> None:
    asked = LISTING.filters_of(Leave)
    kinds = {name: entry.kind for name, entry in asked.items()}
    assert kinds == {
        "leaveNo": "text", "userId": "id", "type": "integer", "status": "integer", "reason": "text",
        "createTime": "moment",
    }  # fmt: skip
    own = LEAVE.listing
    assert own is not None
    assert own.filters_of(Leave)["deptId"].apply is not None


def test_the_code_of_the_list_opens_the_records() -> None:
    assert own_or_part(Leave, "user", listing=LISTING).code == "leavelist_view"
    assert own_or_part(Leave, "user", "leave_see").code == "leave_see"


def test_a_column_that_is_none_is_told() -> None:
    wrong = replace(LEAVE, listing=replace(LISTING, fields=("leave_no", "colour")))
    assert list(faults(wrong)) == ["`listing` names “colour”, which is no column of Leave."]


def test_a_list_without_calls_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "cases", {"leave": CASE})
    found = [error.msg for error in checks.every_case_is_whole(None)]
    assert found == ["case leave: no CaseListViewSet serves its listing; see core/cases/lists.py"]
