"""Exports of many rows: a job goes through them in parts, whatever happens meanwhile, and one person loads the file."""

from __future__ import annotations

from typing import Any

import pytest

from core.kernel.tenancy import tenant_scope
from core.sheetjobs.models import SheetPart, SheetTurn
from core.storage.models import Attachment
from tests.cast import A, B, Cast
from tests.core.sheetjobs.steps import HEADS, JOBS, ask, load, make, show, sweep


@pytest.mark.same_on_both
def test_twelve_thousand_rows_go_out_each_once_and_in_order(cast: Cast, files: Any) -> None:
    make(12_000)
    make(3, B)
    keeper = cast.client_for("equip_manager")
    refused = keeper.get("yuzhu-toolroom/toolmaker/export")
    assert (refused.status, refused["error"]) == (400, "sheet.tooMany")
    job = ask(keeper)
    first = show(keeper, job)
    assert (first["state"], first["total"], first["done"], first["fileName"]) == (1, None, 0, "")
    assert sweep() == 1 + 12 + 1
    found = show(keeper, job)
    assert (found["state"], found["stateName"], found["total"], found["done"]) == (3, "已完成", 12_000, 12_000)
    rows = load(keeper, job)
    assert rows[0] == HEADS
    assert [row[:2] for row in rows[1:]] == [(f"S{n:05d}", f"商{n}") for n in range(12_000)]
    with tenant_scope(A):
        assert (SheetPart.objects.count(), SheetTurn.objects.count()) == (0, 0)
        stored = Attachment.objects.get(is_private=True)
    assert stored.attach_size == found["fileSize"] == sum(one.stat().st_size for one in files.rglob("*.xlsx"))
    assert keeper.get(f"{JOBS}/list").data["total"] == 1
