"""Orders are made of what is due: once, by the night job and by readings; what is paused or out of use gets none."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.equipment.models import Machine, RunState
from core.inspection.models import MaintenancePlan
from core.kernel import clock
from core.kernel.actor import acting, system
from core.kernel.tenancy import tenant_scope
from core.preventive import generation
from core.preventive.models import MaintainOrder, Source
from core.scheduling.models import OutboxMessage
from tests.cast import A, B, Cast
from tests.checksums import checksum
from tests.upkeep import Upkeep, plan, standard

pytestmark = pytest.mark.django_db
MORNING = datetime(2026, 3, 1, 16, 30, tzinfo=UTC)  # 00:30 on 2 March in the tenant's zone


def _run(tenant: str = A, **asked: Any) -> generation.Made:
    with tenant_scope(tenant), acting(system(tenant)):
        return generation.generate(**asked)


def _orders() -> list[tuple[Any, ...]]:
    with tenant_scope(A):
        return list(
            MaintainOrder.objects.order_by("pk").values_list("due_date", "due_hours", "gen_key", "is_first", "source")
        )


def _plan(config: Any, **values: Any) -> None:
    with tenant_scope(A):
        row = MaintenancePlan.objects.select_related("config").get(config=config)
        for name, value in values.items():
            setattr(row, name, value)
        row.follow(row.basis)
        row.save()


def test_what_is_near_is_made_once(cast: Cast) -> None:
    config = standard(cast)
    key = f"{config.pk}:{cast.machine('M1').pk}:2026-03-02"
    with clock.at(MORNING - timedelta(days=4)):
        assert _run().created == 0
    with clock.at(MORNING - timedelta(days=3)):
        assert _run().created == 1
        assert _run().created == 0
    with clock.at(MORNING):
        assert _run().created == 0
        assert _orders() == [(date(2026, 3, 2), None, key, False, Source.PLAN)]
        assert _run(B).created == 0


def test_a_job_that_stood_still_makes_one_order_and_the_rest_is_counted_as_skipped(cast: Cast) -> None:
    standard_of = {"anchor": 1, "cycle_value": 1, "cycle_unit": 2}
    with clock.at(MORNING + timedelta(days=40)):
        config = standard(cast, **standard_of)
        assert _run().created == 1
        assert _run().created == 0
        assert [row[0] for row in _orders()] == [date(2026, 3, 2)]
        with tenant_scope(A):
            order = MaintainOrder.objects.get()
    from core.preventive import planning

    with tenant_scope(A):
        row = planning.plan_of(config.pk, order.machine_id)
        assert row is not None
        planning.done(row, MORNING + timedelta(days=40), None)
    found = plan(config)
    assert (found.next_due_date, found.skipped_count) == (date(2026, 4, 13), 5)


def test_paused_rows_and_assets_out_of_use_get_none_and_the_log_says_so(cast: Cast) -> None:
    config = standard(cast)
    other = standard(cast, code="BY2", machine="M2")
    _plan(config, paused=True)
    with tenant_scope(A):
        Machine.objects.filter(machine_code="M2").update(run_state=RunState.DISABLED)
    before = checksum(A)
    with clock.at(MORNING), tenant_scope(A), acting(system(A)):
        counts = generation.nightly()
    assert (counts.created, counts.skipped) == (0, 2)
    assert counts.note == (
        "已暂停 / paused (1): 车床 一级保养BY1; 设备停用、报废或封存 / asset not in use (1): 磨床 一级保养BY2"
    )
    assert checksum(A) == before
    with tenant_scope(A):
        Machine.objects.filter(machine_code="M2").update(run_state=RunState.IDLE)
        other.change({"is_sealed": True})
    with clock.at(MORNING):
        assert (_run().created, _run().idle) == (0, [])


def test_what_was_never_done_and_has_no_first_date_is_due_today(cast: Cast) -> None:
    config = standard(cast)
    _plan(config, first_due_date=None)
    with clock.at(MORNING):
        assert _run().created == 1
        assert [(row[0], row[3]) for row in _orders()] == [(date(2026, 3, 2), True)]
    assert plan(config).first_due_date == date(2026, 3, 2)


def test_a_reading_brings_the_order(cast: Cast) -> None:
    config = standard(cast, trigger_type=2, cycle_value=None, cycle_unit=None, run_interval=Decimal(500), lead_hours=24)
    _plan(config, first_due_date=None, first_due_hours=Decimal(500))
    machine = cast.machine("M1")
    with clock.at(MORNING):
        reader = cast.client_for("operator")
        for hours, time, waiting in (("475.0", "2026-03-01 08:00:00", 0), ("480.0", "2026-03-01 14:00:00", 1)):
            body = {"machineId": str(machine.pk), "value": hours, "readTime": time}
            answer = reader.post_json("yuzhu-equip/meterreading/submit", body)
            assert answer.status == 200, answer
            sent = OutboxMessage.objects.filter(topic=generation.TOPIC)
            assert sent.count() == waiting
        with tenant_scope(A), acting(system(A)):
            generation._go_on(1, sent.get().payload)
            generation._go_on(1, sent.get().payload)
        assert _orders() == [
            (date(2026, 3, 2), Decimal("500.0"), f"{config.pk}:{machine.pk}:500.0", False, Source.PLAN)
        ]


def test_a_key_that_was_used_before_does_not_stop_the_row(cast: Cast) -> None:
    config = standard(cast)
    with clock.at(MORNING):
        assert _run().created == 1
        with tenant_scope(A):
            MaintainOrder.objects.update(status=4)
        assert _run().created == 0
    assert plan(config).next_due_date == date(2026, 4, 2)
    with clock.at(MORNING + timedelta(days=30)):
        assert _run().created == 1
        assert _run().created == 0


def test_what_was_cancelled_moves_on_and_counts(cast: Cast) -> None:
    with clock.at(MORNING):
        story = Upkeep(cast)
        story.act("equip_manager", "cancel", cancelReason="停产")
        found = plan(story.config)
        assert (found.next_due_date, found.skipped_count) == (date(2026, 4, 2), 1)
        assert _run().created == 0


def test_what_is_near_is_read_with_one_statement(cast: Cast) -> None:
    counts = []
    for number in range(2):
        standard(cast, code=f"N{number}", machine="M1")
        standard(cast, code=f"O{number}", machine="M2")
        with clock.at(MORNING), tenant_scope(A), CaptureQueriesContext(connection) as captured:
            assert len(generation.near()) == 2 * (number + 1)
        counts.append(len(captured))
    assert counts == [1, 1]


def test_a_failure_in_the_middle_leaves_the_others(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    standard(cast)
    standard(cast, code="BY2", machine="M2")
    made = generation.open_order

    def once(row: Any, **values: Any) -> Any:
        if row.machine.machine_code == "M1":
            made(row, **values)
            raise RuntimeError("killed")
        return made(row, **values)

    monkeypatch.setattr(generation, "open_order", once)
    with clock.at(MORNING):
        found = _run()
        assert (found.created, found.failed) == (1, 1)
        monkeypatch.undo()
        assert (_run().created, _run().created) == (1, 0)
        assert len(_orders()) == 2
