"""The small demo plant on awkward days: each board has something to show, also when a month began minutes ago.

Each takes half a minute: only with DEMO_DAYS=all, as in `make prove`. Today's board is tried in test_demo.py.
"""

from __future__ import annotations

import io
import os
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone

from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder, Status
from core.project import demo
from core.rounds.models import Finding, InspectOrderRecord
from tests.cast import Caller

pytestmark = [pytest.mark.django_db, pytest.mark.same_on_both, pytest.mark.timeout(400)]
JIANGBEI = "100001"
REPORT = 2
DAYS = (
    datetime(2026, 12, 26, 0, 40),
    datetime(2027, 1, 1, 9, 30),
    datetime(2027, 3, 1, 0, 5),
    datetime(2026, 7, 26, 9),
)
"""The first day of a reporting month, of a year, and of a calendar month."""
TRIED = DAYS if os.environ.get("DEMO_DAYS") == "all" else ()


@pytest.fixture(scope="module", params=TRIED, ids=str)
def boards(request: Any, django_db_setup: None, django_db_blocker: Any) -> Iterator[Caller]:
    """The equipment manager of a small plant that was set up on this day."""
    moment = timezone.make_aware(request.param)
    with django_db_blocker.unblock(), transaction.atomic(), clock.at(moment):
        call_command("flush", verbosity=0, interactive=False)
        call_command("setup", small=True, stdout=io.StringIO())
        connection.check_constraints()
        answer: Any = Caller(JIANGBEI).post_form(
            "equip-auth/oauth/token", tenantId=JIANGBEI, username="qian.w", password=demo._listed()[0][4],
            grant_type="password", scope="all", type="account",
        )  # fmt: skip
        yield Caller(JIANGBEI, answer["access_token"])
        demo._list_path().unlink(missing_ok=True)
        transaction.set_rollback(True)


def test_every_board_has_something_to_show(boards: Caller) -> None:
    metric = "yuzhu-equip/homeMetric"
    totals = boards.get(f"{metric}/cumulativeData").data
    for name in ("inspectDone", "inspectRecords", "abnormalTotal", "repairFinished", "repairOpen", "maintainTotal"):
        assert totals[name] > 0, name
    upkeep = boards.get(f"{metric}/equipmentMaintenanceOverview").data
    assert upkeep["list"] and upkeep["upcoming7"] > 0 and sum(row["done"] > 0 for row in upkeep["trend"]) >= 2
    for asked in ({}, {"groupBy": "day"}):
        assert any(row["reported"] for row in boards.get(f"{metric}/repairWorkloadReport", **asked).data["rows"])
    week = timezone.localdate(clock.now()) - timedelta(days=7)
    asked = {"startDate": str(week), "endDate": str(timezone.localdate(clock.now()))}
    rounds = boards.get(f"{metric}/inspectionOverviewData", **asked).data
    assert all(row["due"] > 0 for row in rounds["trend"][:-1]) and rounds["byGroup"]
    tasks = boards.get("yuzhu-equip/inspectorder/getOrderNowTask", scope="dept").data["counts"]
    assert tasks["current"] > 0 and tasks["upcoming"] > 0
    month = {"from": str(week), "to": str(week + timedelta(days=31))}
    calendar = boards.get("yuzhu-equip/maintaincalendar/table", **month).data
    assert any(row["id"] for row in calendar["orders"]) and any(row["id"] is None for row in calendar["orders"])


def test_what_inspections_found_has_its_orders(boards: Caller) -> None:
    with tenant_scope(JIANGBEI):
        states = Counter(RepairOrder.objects.filter(source=2).values_list("status", flat=True))
        assert states == {
            Status.REPAIRING: 1, Status.ON_HOLD: 1, Status.TO_CHECK: 1, Status.CLOSED: 3,
        }  # fmt: skip
        for record in InspectOrderRecord.objects.filter(result=Finding.ABNORMAL).select_related("detail__snapshot"):
            item = next(one for one in record.detail.snapshot.items if one["itemId"] == record.item_id)
            assert (item["abnormalAction"] == REPORT) == (record.repair_order_id is not None)
