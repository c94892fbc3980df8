"""The life of tasks under drawn acts, legal and illegal, by people of two companies in lock step, with time passing.

After each step counts, states and times fit each other, and both companies stand alike. `ROUNDS_EXAMPLES` makes more.
"""

from __future__ import annotations

import os
from collections import Counter
from datetime import datetime, timedelta
from typing import Any, ClassVar

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.errors import Refusal
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder
from core.rounds import life, sweep
from core.rounds.models import DetailStatus, Finding, InspectOrder, InspectOrderRecord, OrderStatus
from tests.cast import A, B, Cast
from tests.core.rounds import walking
from tests.core.rounds.walking import at, generate, ok, plan, route
from tests.core.shifts.planning import SHANGHAI

pytestmark = pytest.mark.django_db
EXAMPLES = int(os.environ.get("ROUNDS_EXAMPLES", "3"))
STEPS = int(os.environ.get("ROUNDS_STEPS", "12"))
WHO = ("operator", "operator2", "shift_leader", "equip_manager", "viewer")
BEGIN = datetime(2026, 9, 1, 7, tzinfo=SHANGHAI)
MAY_FOLLOW = {
    1: {1, 2, 3, 4, 5, 6}, 2: {2, 3, 4, 5}, 3: {3}, 4: {4, 3}, 5: {5}, 6: {6},
}  # fmt: skip
"""By state which it may have after a step; a point that ends a task begins it in the same step."""
VALUES = st.sampled_from(["0.70", "0.62", "0.95", "x", ""])


class Life(RuleBasedStateMachine):
    """Two companies with the same tasks; whatever is tried in one is tried in the other."""

    cast: ClassVar[Cast]

    @initialize()
    def begin(self) -> None:
        """Begin with the tasks of two days, to which the machine comes back."""
        self.savepoint = transaction.savepoint()
        self.now, self.sent = BEGIN, 0
        self.actors: dict[tuple[str, str], Actor] = {
            (who, tenant): self.cast.actor_for(who, tenant) for who in WHO for tenant in (A, B)
        }
        self.before: dict[str, list[int]] = {tenant: [] for tenant in (A, B)}

    def teardown(self) -> None:
        """Take everything back."""
        if hasattr(self, "savepoint"):
            transaction.savepoint_rollback(self.savepoint)

    def _orders(self, tenant: str) -> list[InspectOrder]:
        return list(InspectOrder.objects.order_by("plan_start", "pk"))

    def _both(self, act: Any) -> None:
        """Do the same in both companies; the outcome is the same."""
        outcomes = []
        for tenant in (A, B):
            with tenant_scope(tenant), clock.at(self.now):
                try:
                    act(tenant)
                    outcomes.append("")
                except Refusal as refusal:
                    outcomes.append(refusal.error)
        assert outcomes[0] == outcomes[1], outcomes

    @rule(who=st.sampled_from(WHO), place=st.integers(0, 5), point=st.integers(0, 1), value=VALUES, skips=st.booleans())
    def point(self, who: str, place: int, point: int, value: str, skips: bool) -> None:
        """Somebody submits a point, twice."""
        self.sent += 1

        def act(tenant: str) -> None:
            order = self._orders(tenant)[place]
            detail = list(order.details.select_related("snapshot").order_by("sort"))[point]
            records = [
                {"itemId": item["itemId"], "value": value, "result": None, "images": [], "remark": ""}
                for item in detail.snapshot.items
            ]
            sent = {
                "id": detail.pk, "clientId": f"machine-{self.sent}", "clientTime": self.now, "sentTime": None,
                "startTime": None, "scanCode": "", "scanTime": None, "noScan": None, "lng": None, "lat": None,
                "images": [], "remark": "", "records": records,
                "skip": {"reason": "通道封闭施工"} if skips and value == "" else None,
            }  # fmt: skip
            answer = life.submit_point(self.actors[who, tenant], sent)
            assert life.submit_point(self.actors[who, tenant], sent) == answer

        self._both(act)

    @rule(
        who=st.sampled_from(WHO), place=st.integers(0, 5),
        name=st.sampled_from(["start", "start", "release", "void", "exempt"]),
    )  # fmt: skip
    def whole(self, who: str, place: int, name: str) -> None:
        """Somebody does something to a whole task."""

        def act(tenant: str) -> None:
            more = ("停产检修",) if name in ("void", "exempt") else ()
            getattr(life, name)(self.actors[who, tenant], self._orders(tenant)[place].pk, *more)

        self._both(act)

    @rule(hours=st.sampled_from([0.5, 1, 3, 8]))
    def wait(self, hours: float) -> None:
        """Time passes, and the worker looks after the tasks."""
        self.now += timedelta(hours=hours)
        self._both(lambda _tenant: (sweep.miss_due(), sweep.remind()))

    @invariant()
    def fits(self) -> None:
        """What is stored fits, and both companies stand alike."""
        told = []
        for tenant in (A, B):
            with tenant_scope(tenant):
                told.append(self._check(tenant))
        assert told[0] == told[1]

    def _check(self, tenant: str) -> list[Any]:
        orders = self._orders(tenant)
        for before, order in zip(self.before[tenant] or [1] * len(orders), orders, strict=True):
            assert order.status in MAY_FOLLOW[before], (before, order.status)
            counts = Counter(order.details.values_list("status", flat=True))
            status = DetailStatus
            assert [order.point_done, order.point_skipped, order.point_missed, order.point_exempt] == [
                counts[status.CHECKED], counts[status.SKIPPED], counts[status.MISSED], counts[status.EXEMPT],
            ]  # fmt: skip
            results = list(order.records.values_list("result", flat=True))
            assert (order.item_done, order.abnormal_count) == (len(results), results.count(Finding.ABNORMAL))
            is_open = order.status in (OrderStatus.TODO, OrderStatus.IN_PROGRESS)
            assert counts[status.MISSED] == 0 or order.status == OrderStatus.MISSED
            assert counts[status.TODO] == 0 or is_open or order.status == OrderStatus.VOID
            assert (order.finish_time is not None) == (order.status == OrderStatus.DONE)
            assert order.status != OrderStatus.DONE or order.point_done > 0
            assert order.status != OrderStatus.TODO or order.start_time is None
            assert order.status != OrderStatus.EXEMPT or order.point_exempt == order.point_total
        self.before[tenant] = [order.status for order in orders]
        linked = set(InspectOrderRecord.objects.exclude(repair_order_id=None).values_list("repair_order_id", flat=True))
        assert linked == set(RepairOrder.objects.values_list("pk", flat=True))
        # Both points are at one asset, and the same item is reported once while its order is open.
        assert len(linked) <= 2
        return [[order.status, order.point_done, order.result, order.is_late] for order in orders]


def test_the_life_of_tasks_under_drawn_acts(cast: Cast) -> None:
    for tenant in (A, B):
        config, group = plan(cast, tenant=tenant), route(cast, items=(walking.PRESSURE,), tenant=tenant)
        with at("2026-09-01 07:00"):
            rules = [walking.rule(config, group)]
            ok(generate(cast, config, "2026-09-01", "2026-09-02", tenant=tenant, rules=rules))
    Life.cast = cast
    run_state_machine_as_test(
        Life,
        settings=settings(
            max_examples=EXAMPLES, stateful_step_count=STEPS, deadline=None, derandomize=True, database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )  # fmt: skip
