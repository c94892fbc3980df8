"""Whoever keeps assets is told of inspections by law and of warranties that end, each step once."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

import pytest
from django.utils import timezone

from core.desk.models import Message
from core.equipment import deadlines
from core.equipment.models import DeadlineNotice, Machine, RunState
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.scheduling.outbox import deliver_due
from tests.cast import A, B, Cast

DAY = date(2026, 3, 1)


def on(day: date) -> int:
    moment = timezone.make_aware(datetime.combine(day, time(7, 10)))
    with clock.at(moment):
        with tenant_scope(A):
            found = deadlines.remind()
        deliver_due()
    return found


def told(cast: Cast, name: str, tenant: str = A) -> list[tuple[str, str, str]]:
    with tenant_scope(tenant):
        rows = Message.objects.filter(user_id=cast.user(name, tenant).pk).order_by("id")
        return [(one.title, one.title_en, one.content) for one in rows]


def test_each_step_is_told_once_and_of_those_left_out_the_last(cast: Cast) -> None:
    with tenant_scope(A):
        press, crane = cast.machine("M1"), cast.machine("M2")
        Machine.objects.filter(pk=press.pk).update(next_statutory_date=DAY + timedelta(days=60))
        Machine.objects.filter(pk=crane.pk).update(warranty_end=DAY + timedelta(days=31))
    assert (on(DAY - timedelta(days=1)), on(DAY), on(DAY)) == (0, 1, 0)
    assert on(DAY + timedelta(days=1)) == 1  # the warranty
    said = told(cast, "equip_manager")
    assert [(zh, en) for zh, en, _names in said] == [
        ("1台设备60天内法定检验", "Statutory inspection within 60 days: 1 asset"),
        ("1台设备30天内质保到期", "End of warranty within 30 days: 1 asset"),
    ]
    assert said[0][2] == f"{press.machine_code} {press} 2026-04-30"
    assert told(cast, "operator") == [] and told(cast, "equip_manager", B) == []
    # The job stood still for two months: 30 days are not told any more, 7 are.
    assert (on(DAY + timedelta(days=55)), on(DAY + timedelta(days=56))) == (1, 0)
    assert told(cast, "equip_manager")[-1][0] == "1台设备7天内法定检验"
    # A new date begins anew.
    with tenant_scope(A):
        Machine.objects.filter(pk=press.pk).update(next_statutory_date=DAY + timedelta(days=100))
    assert on(DAY + timedelta(days=56)) == 1
    with tenant_scope(A):
        assert DeadlineNotice.objects.count() == 4
    with tenant_scope(B):
        assert DeadlineNotice.objects.count() == 0


@pytest.mark.parametrize("change", [{"run_state": RunState.SCRAPPED}, {"is_sealed": True}])
def test_assets_that_are_not_used_are_left_out(cast: Cast, change: dict[str, int]) -> None:
    with tenant_scope(A):
        machine = cast.machine("M1")
        Machine.objects.filter(pk=machine.pk).update(next_statutory_date=DAY, warranty_end=DAY, **change)
    assert on(DAY) == 0
    assert told(cast, "equip_manager") == []
