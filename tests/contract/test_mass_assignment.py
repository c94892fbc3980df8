"""A body writes the fields that its noun declares writable, and no other column of the row."""

from __future__ import annotations

from typing import Any

import pytest

from core.kernel.tenancy import PLATFORM, tenant_scope
from core.kernel.texts import camel
from tests.cast import A, B, Cast
from tests.contract.nouns import Noun, nouns, sample

MOVING = {"update_user", "update_time"}


def _rows(noun: Noun, row_id: str) -> Any:
    """The row by its id; a region goes by its code on the wire."""
    rows = noun.view.queryset.model._base_manager
    return rows.filter(code=row_id) if noun.view.noun == "region" else rows.filter(pk=row_id)


def _row(noun: Noun, row_id: str, tenant: str) -> dict[str, Any]:
    with tenant_scope(tenant):
        found: dict[str, Any] = _rows(noun, row_id).values().get()
    return found


@pytest.mark.parametrize("noun", [pytest.param(noun, id=noun.view.noun) for noun in nouns()])
def test_columns_that_are_not_declared_stay_as_they_are(noun: Noun, cast: Cast) -> None:
    keeper, tenant = noun.keeper(cast, A), PLATFORM if noun.view.platform_only else A
    row_id = keeper.post_json(f"{noun.path}/submit", sample(noun, cast, A)).data["id"]
    before = _row(noun, row_id, tenant)
    fields = noun.view.serializer_class().fields
    writable = {field.source or name for name, field in fields.items() if not field.read_only}
    closed = [name for name in before if name not in writable]
    for value in ("1", B, "2020-01-01 00:00:00", "administrator"):
        given = {spelling: value for name in closed if name != "id" for spelling in (name, camel(name))}
        keeper.change(f"{noun.path}", {"id": row_id, **given, "isDeleted": 1, "version": 9, "pk": "1"})
        after = _row(noun, row_id, tenant)
        assert {name: after[name] for name in closed if name not in MOVING} == {
            name: before[name] for name in closed if name not in MOVING
        }
    with tenant_scope(B):
        assert not _rows(noun, row_id).exists() or noun.is_shared
