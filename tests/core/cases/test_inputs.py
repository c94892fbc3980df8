"""Inputs that follow from a record's columns: what is required, what a draft may lack, what an edit keeps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from rest_framework.serializers import ValidationError

from core.cases.case import Command, Remark
from core.cases.inputs import checked, input_of
from core.desk.leave.case import LEAVE
from core.kernel.tenancy import tenant_scope
from core.maintenance.case import REPAIR
from core.maintenance.serializers import RepairOrderDetail
from core.rest.openapi import marks_of
from core.storage.serializers import ImagesField
from tests.cast import A, Cast

pytestmark = pytest.mark.django_db


def test_columns_of_a_command_are_required_whatever_the_table_allows(cast: Cast) -> None:
    # All three may be empty in the table.
    command = Command(
        "ask",
        "问",
        ("approve",),
        fields=("type", "approver", "reason"),
        remark=Remark("意见", "words", is_required=True),
    )
    kind = input_of(replace(LEAVE, name="asked"), command)
    with tenant_scope(A):
        with pytest.raises(ValidationError) as refused:
            checked(kind, {})
        assert set(refused.value.detail) == {"type", "approverId", "reason", "words"}
        person = cast.user("operator").pk
        values = checked(kind, {"type": 1, "approverId": str(person), "reason": "事", "words": "好"})
    assert values == {"type": 1, "approver_id": person, "reason": "事", "words": "好"}


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("refuse", {"reason"}),
        ("hang", {"hangReason", "remark"}),
        ("cancel", {"cancelReason", "remark"}),
        ("claim", set()),
    ],
)
def test_the_input_of_a_command_follows_from_its_declaration(name: str, fields: set[str]) -> None:
    assert set(input_of(REPAIR, REPAIR.command[name])().fields) == fields


def test_a_column_of_pictures_takes_links_without_being_declared() -> None:
    field: Any = input_of(REPAIR, REPAIR.command["edit"])().fields["images"]
    assert (type(field), field.required, field.at_most) == (ImagesField, False, 9)


def test_the_rows_of_a_document_are_told_as_rows_and_a_text_says_its_fewest_characters() -> None:
    lines: Any = RepairOrderDetail().fields["lines"]
    assert marks_of(lines) == {"x-kind": "details", "x-label": ("工时", "Labor")}
    described: Any = input_of(REPAIR, REPAIR.command["edit"])().fields["description"]
    assert (described.min_length, described.max_length) == (4, 1000)


def test_the_outcome_of_a_command_is_the_one_that_its_input_means() -> None:
    check = REPAIR.command["check"]
    meant: list[Any] = [check.outcome_of({"checkResult": verdict}) for verdict in (1, 2)]
    assert meant == ["pass", "fail"]
    with pytest.raises(ValueError, match="no outcome of check"):
        check.outcome_of({"checkResult": 3})
