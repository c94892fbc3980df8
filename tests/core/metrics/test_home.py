"""The first page: what each person can do, what runs out and what went wrong, as their lists show it."""

from __future__ import annotations

from datetime import date
from typing import Any
from urllib.parse import parse_qsl

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.desk.models import DigestChoice, Message
from core.equipment.models import Machine
from core.kernel.actor import acting, system
from core.kernel.tenancy import current_tenant, tenant_scope
from core.metrics import digest
from core.scheduling import schedule
from core.scheduling.models import JobLogStatus, ScheduleJob
from tests.cast import A, B, Caller, Cast
from tests.core.rounds.walking import generate, ok, plan, route, rule, swept
from tests.core.shifts.planning import at
from tests.repairs import Story
from tests.store import Store
from tests.upkeep import Upkeep

HOME = "yuzhu-equip/homeMetric/home"
NOW = "2026-09-01 15:00"
LISTS = {
    "/inspect/order": "yuzhu-equip/inspectorder",
    "/inspect/forecast": "yuzhu-equip/inspectforecast",
    "/repair/order": "yuzhu-equip/repairorder",
    "/maintain/order": "yuzhu-equip/maintainorder",
    "/equip/stoppage": "yuzhu-equip/inspectrestlog",
    "/equip/machine": "yuzhu-equip/inspectmachine",
    "/spare/request": "yuzhu-equip/spareuselog",
    "/spare/reorder": "yuzhu-equip/spareinfo",
    "/monitor/job": "yuzhu-task/schedulejob",
}
FIXED = {"/spare/reorder": {"reorderQty_gt": 0, "isSealed": 0}}
"""What a page of the console always asks of its list."""


@pytest.fixture
def day(cast: Cast) -> Caller:
    """An afternoon on which something of every kind is there; the storekeeper."""
    config, group = plan(cast), route(cast)
    with at("2026-09-01 07:00"):
        ok(generate(cast, config, "2026-09-01", "2026-09-02", rules=[rule(config, group)]))
        Upkeep(cast, code="BY1")
        Upkeep(cast, code="BY2", due=date(2026, 9, 5))
        Upkeep(cast, code="BY3", due=date(2026, 9, 20))
    with at("2026-09-01 13:00"):
        Story(cast, title="主轴停转", urgency=1, isStop=1, stopStart="2026-09-01 12:30:00")
    with at("2026-09-01 14:30"):
        Story(cast, machine="M2", title="漏油", urgency=2)
    with at("2026-09-01 14:50"):
        swept()
        store = Store(cast)
        store.part("LOW", stock="2", minQty="5", maxQty="10")
        part = store.part("MANY", stock="9")
        ok(store.request("repairer", (part, 1)))
        with tenant_scope(A):
            Machine.objects.filter(pk=cast.machine("M1").pk).update(
                warranty_end=date(2026, 9, 20), next_statutory_date=date(2026, 8, 1)
            )
    schedule.install()
    failed = ScheduleJob.objects.filter(job_code__in=("inspect.missed", "log.clean"))
    failed.update(last_result=JobLogStatus.FAILED)
    return store.keeper


def _counts(data: Any, section: str) -> Any:
    return None if data[section] is None else {one["name"]: one["count"] for one in data[section]}


def test_the_first_page_of_each_role(cast: Cast, day: Caller) -> None:
    with at(NOW):
        manager = ok(cast.client_for("equip_manager").get(HOME))
        assert _counts(manager, "now") == {}
        assert _counts(manager, "soon") == {
            "tasksEnding": 1, "repairsDue": 1, "upkeepDue": 1, "statutory": 1, "warranty": 1, "spares": 1,
        }  # fmt: skip
        assert _counts(manager, "wrong") == {
            "tasksMissed": 1, "repairsLate": 1, "faults": 2, "stoppages": 1, "upkeepLate": 1,
        }  # fmt: skip
        assert (manager["since"], [one["count"] for one in manager["orders"]]) == ("2026-08-31", [2, 0, 0, 0, 0])
        late = next(one for one in manager["wrong"] if one["name"] == "repairsLate")
        assert (late["kind"], [row["name"] for row in late["rows"]]) == ("repairorder", ["主轴停转"])
        due = next(one for one in manager["soon"] if one["name"] == "upkeepDue")
        assert [(row["day"], row["time"]) for row in due["rows"]] == [("2026-09-05", None)]

        operator = ok(cast.client_for("operator").get(HOME))
        assert (_counts(operator, "now"), operator["now"][0]["rows"][0]["name"]) == ({"tasks": 1}, "路线R1")
        assert _counts(operator, "soon")["tasksEnding"] == 1 and "spares" not in _counts(operator, "soon")
        other = ok(cast.client_for("operator2").get(HOME))
        assert (_counts(other, "now"), _counts(other, "soon").get("tasksEnding")) == ({}, None)

        keeper = ok(day.get(HOME))
        assert (_counts(keeper, "now"), _counts(keeper, "soon")["spares"]) == ({"requests": 1}, 1)
        assert _counts(ok(cast.client_for("tenant_admin").get(HOME)), "wrong")["jobs"] == 1
        assert "jobs" not in _counts(manager, "wrong")
        foreign = ok(cast.client_for("tenant_admin", B).get(HOME))
        counts = {**_counts(foreign, "now"), **_counts(foreign, "soon"), **_counts(foreign, "wrong")}
        assert counts == {"jobs": 1}  # the jobs of the product, which fail for everybody
        assert sum(one["count"] for one in foreign["orders"]) == 0


def test_each_address_shows_the_counted_rows(cast: Cast, day: Caller) -> None:
    seen = set()
    with at(NOW):
        people = [cast.client_for(who) for who in ("tenant_admin", "equip_manager", "shift_leader", "operator")]
        for person in (*people, cast.client_for("repairer"), cast.client_for("viewer"), day):
            data = ok(person.get(HOME))
            for group in [one for section in ("now", "soon", "wrong") for one in data[section] or ()]:
                page, _mark, asked = group["path"].partition("?")
                rows = ok(person.get(f"{LISTS[page]}/list", **FIXED.get(page, {}), **dict(parse_qsl(asked))))
                assert rows["total"] == group["count"], group
                assert {one["id"] for one in group["rows"]} <= {one["id"] for one in rows["records"]}
                seen.add(group["name"])
    assert len(seen) == 14


def test_the_first_page_costs_few_statements(cast: Cast, day: Caller) -> None:
    with at(NOW):
        for person in (day, *(cast.client_for(who) for who in ("tenant_admin", "repair_leader", "operator"))):
            with CaptureQueriesContext(connection) as asked:
                ok(person.get(HOME))
            assert len(asked) <= 12, [one["sql"][:200] for one in asked]


def test_nobody_without_the_lists_is_told(cast: Cast, day: Caller) -> None:
    with at(NOW):
        data = ok(cast.client_for("flow_designer").get(HOME))
    assert (data["now"], {one["kind"] for one in data["soon"] or ()} & {"spareinfo", "inspectmachine"}) == (None, set())
    assert "jobs" not in (_counts(data, "wrong") or {})


def test_a_digest_a_day_for_who_wants_it(cast: Cast, day: Caller) -> None:
    call = "blade-desk/message"
    with at(NOW):
        operator, manager = cast.client_for("operator"), cast.client_for("equip_manager")
        assert ok(operator.get(f"{call}/digest")) == {"wanted": 0}
        for person in (operator, manager, day, cast.client_for("equip_manager", B)):
            ok(person.post_json(f"{call}/set-digest", {"wanted": 1}))
        ok(manager.post_json(f"{call}/set-digest", {"wanted": 0}))
        assert (ok(operator.get(f"{call}/digest")), ok(manager.get(f"{call}/digest"))) == ({"wanted": 1}, {"wanted": 0})
        assert operator.post_json(f"{call}/set-digest", {"wanted": "x"}).status == 400
        with tenant_scope(A):
            assert (_sent(), _sent()) == (2, 2)  # the second time changes nothing
            DigestChoice.objects.exclude(user_id=cast.user("operator").pk).delete()
            one = _statements()
            for who in ("repairer", "viewer", "shift_leader", "tenant_admin"):
                DigestChoice.objects.create(user_id=cast.user(who).pk)
            assert _statements() == one
        [told] = ok(operator.get(f"{call}/list"))["records"][:1]
        assert (told["title"], told["businessType"]) == ("每日摘要", "digest")
        assert told["content"] == (
            "现在可做：现在可做的点检 1；即将到期：2小时内截止的点检任务 1、2小时内将超时的维修工单 1、"
            "7天内到期的保养单 1；昨天以来的异常：超时的维修工单 1、逾期的保养单 1、新的报修 2、故障停机 1"
        )
        in_english = ok(operator.in_english().get(f"{call}/list"))["records"][0]["content"]
        assert in_english.startswith("To do now: Inspections to do now 1; Due soon: Inspections due")
        rows = ok(manager.get(f"{call}/list"))["records"]
        assert all(row["businessType"] != "digest" for row in rows)
        with tenant_scope(A):
            DigestChoice.objects.create(user_id=cast.user("repair_leader").pk)
            _sent()
        [led] = [
            row
            for row in ok(cast.client_for("repair_leader").get(f"{call}/list"))["records"]
            if row["businessType"] == "digest"
        ]
        assert led["content"].startswith("现在可做：可领取的任务 2；")
        with tenant_scope(B):
            assert _sent() == 0  # nothing is there to tell
            assert not Message.objects.filter(business_type="digest").exists()
    with at("2026-09-02 07:30"), tenant_scope(A):
        _sent()
        mine = Message.objects.filter(business_type="digest", user_id=cast.user("operator").pk)
        assert mine.count() == 2


def _sent() -> int:
    with acting(system(current_tenant())):
        return digest.send()


def _statements() -> int:
    with CaptureQueriesContext(connection) as asked:
        _sent()
    return sum(not one["sql"].startswith(("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT")) for one in asked)
