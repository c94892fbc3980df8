"""When an asset was maintained last and is to be next: in its list, its page and its sheet, filtered and sorted."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.equipment.models import Machine
from core.inspection.models import MaintenancePlan
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.preventive.models import MaintainOrder, Status
from tests.cast import A, B, Caller, Cast
from tests.repairs import at
from tests.upkeep import Upkeep, standard

pytestmark = pytest.mark.django_db
LIST = "yuzhu-equip/inspectmachine/list"
STANDARDS = "yuzhu-equip/inspectConfig"


def test_dates_follow_the_work_and_are_filtered_and_sorted(cast: Cast) -> None:
    def caller() -> Caller:
        return cast.client_for("equip_manager")

    def shown(**asked: str) -> list[tuple[str, str | None, str | None]]:
        rows = caller().get(LIST, nodeType="4", **asked).data["records"]
        return [(row["machineCode"], row["lastMaintainTime"], row["nextMaintainDate"]) for row in rows]

    def statements(**asked: str) -> int:
        caller().get(LIST, **asked)
        with CaptureQueriesContext(connection) as found:
            caller().get(LIST, **asked)
        return len(found)

    with at("8:00"):
        few = statements(), statements(descs="nextMaintainDate")
        story = Upkeep(cast)
        standard(cast, code="BY2", machine="M2")
        standard(cast, code="BY3", machine="M2")
        standard(cast, code="BY4", machine="M2")
        before = Upkeep(cast, code="BY5").order().pk
        standard(cast, code="BY1", machine="M1", tenant=B)
        with tenant_scope(A):
            MaintenancePlan.objects.filter(config__config_code="BY2").update(next_due_date="2026-02-01", paused=True)
            MaintenancePlan.objects.filter(config__config_code="BY3").update(next_due_date="2026-05-01")
            MaintenancePlan.objects.filter(config__config_code="BY4").update(next_due_date="2026-08-01")
            MaintenancePlan.objects.filter(config__config_code="BY5").update(next_due_date="2026-09-01")
        assert shown() == [("M1", None, "2026-03-02"), ("M2", None, "2026-05-01")]
        with tenant_scope(A):
            MaintainOrder.objects.filter(pk=before).update(status=Status.DONE, finish_time=clock.now() - timedelta(9))
        assert shown()[0] == ("M1", "2026-02-21 08:00:00", "2026-03-02")
        story.act("repairer", "start")
    with at("10:00"):
        assert story.work("repairer", **story.whole()).code == 200
        done = "2026-03-02 09:30:00"
        one, two = ("M1", done, "2026-04-02"), ("M2", None, "2026-05-01")
        assert shown(ascs="nextMaintainDate") == [one, two] and shown(descs="nextMaintainDate") == [two, one]
        assert shown(ascs="lastMaintainTime") == [one, two] and shown(descs="lastMaintainTime") == [two, one]
        assert shown(nextMaintainDate_le="2026-04-30") == [one] and shown(nextMaintainDate_ge="2026-04-30") == [two]
        assert shown(lastMaintainTime_ge="2026-03-02 09:30:00") == [one]
        assert shown(lastMaintainTime_ge="2026-03-02 09:30:01") == []
        page = caller().get("yuzhu-equip/inspectmachine/detail", id=story.order().machine_id).data
        assert (page["lastMaintainTime"], page["nextMaintainDate"]) == one[1:]
        other = cast.client_for("equip_manager", B).get(LIST, machineCode="M1").data["records"]
        assert [row["nextMaintainDate"] for row in other] == ["2026-03-02"]
        many = statements(), statements(descs="nextMaintainDate")
        assert many == few


def test_by_the_meter_the_next_one_is_on_the_day_that_is_predicted(cast: Cast) -> None:
    """The list says what the standard's own page says; of a date and a predicted day, the earlier one."""

    def shown() -> str | None:
        [row] = cast.client_for("equip_manager").get(LIST, machineCode="M1").data["records"]
        return row["nextMaintainDate"]  # type: ignore[no-any-return]

    def predicted() -> str | None:
        [plan] = cast.client_for("equip_manager").get(f"{STANDARDS}/detail", id=made.pk).data["machines"]
        return plan["predictedDate"]  # type: ignore[no-any-return]

    def set_to(due_hours: str | None, daily: str | None, date: str | None = None) -> None:
        with tenant_scope(A):
            MaintenancePlan.objects.update(next_due_hours=due_hours, next_due_date=date)
            Machine.objects.filter(machine_code="M1").update(run_hours="100", avg_daily_hours=daily)

    made = standard(cast, code="BY1", machine="M1")
    with at("8:00"):
        for due_hours, daily, expected in (
            ("340.5", "20", "2026-03-15"),  # 240.5 hours: in 13 days
            ("340", "20", "2026-03-14"),
            ("100.2", "0.1", "2026-03-04"),  # 2.0000000000000284 days by floating-point numbers
            ("100", "20", "2026-03-02"),
            ("90", None, "2026-03-02"),
            ("340", None, None),
            ("340", "0", None),
            ("3650100", "100", "2126-02-06"),  # in 36,500 days
            ("3650200", "100", None),
            (None, "20", None),
        ):
            set_to(due_hours, daily)
            assert (shown(), predicted()) == (expected, expected), (due_hours, daily)
        set_to("340", "20", "2026-03-10")
        assert shown() == "2026-03-10"
        set_to("340", "20", "2026-03-20")
        assert shown() == "2026-03-14"
        set_to("340", None, "2026-03-20")
        assert shown() == "2026-03-20"
