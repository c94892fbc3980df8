"""The life of stoppages by hand under drawn acts, by people of two companies in lock step, with time passing.

After each step the states of assets and the points of inspection tasks are as a list of intervals, kept here by itself,
says; and both companies stand alike. `STOPPAGE_EXAMPLES` makes more.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run_machine

from core.equipment import stoppages
from core.equipment.models import Machine, NodeType, RestType, RunState, Stoppage
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.rounds.models import DetailStatus, InspectOrder, OrderStatus
from tests.cast import A, B, Cast
from tests.core.rounds import walking
from tests.core.rounds.walking import at, generate, ok, plan, route
from tests.core.shifts.planning import SHANGHAI

pytestmark = pytest.mark.django_db
EXAMPLES = int(os.environ.get("STOPPAGE_EXAMPLES", "12"))
STEPS = int(os.environ.get("STOPPAGE_STEPS", "16"))
LOG = "yuzhu-equip/inspectrestlog"
BEGIN = datetime(2026, 9, 1, 7, tzinfo=SHANGHAI)
CODES = ("M1", "LINE", "M1-SPINDLE", "M2")
WHO = (*["equip_manager"] * 6, "viewer")
TYPES = (RestType.PLANNED, RestType.BREAKDOWN, RestType.MAINTENANCE)
HOURS = st.integers(-6, 9)
COVER = 0.5


@dataclass
class Stop:
    """A stoppage as it should be."""

    code: str
    below: bool
    type: int
    start: datetime
    end: datetime | None
    revoked: bool = False

    def touches(self, start: datetime, end: datetime | None) -> bool:
        """Whether it and the interval have a moment in common."""
        return (end is None or self.start < end) and (self.end is None or start < self.end)

    def lasts(self, now: datetime) -> bool:
        """Whether it stands at this moment."""
        return not self.revoked and self.start <= now and (self.end is None or now < self.end)


class Life(RuleBasedStateMachine):
    """Two companies with the same assets and tasks; whatever is tried in one is tried in the other."""

    cast: ClassVar[Cast]
    above: ClassVar[dict[str, set[str]]]

    @initialize()
    def begin(self) -> None:
        """Begin with assets that run, to which the machine comes back."""
        self.savepoint = transaction.savepoint()
        self.now, self.stops = BEGIN, list[Stop]()

    def teardown(self) -> None:
        """Take everything back."""
        if hasattr(self, "savepoint"):
            transaction.savepoint_rollback(self.savepoint)

    def _both(self, act: Any) -> bool:
        """Do the same in both companies and return whether it was done; the outcome is the same."""
        answers = []
        for tenant in (A, B):
            with clock.at(self.now):
                answer = act(tenant)
            answers.append((answer.status, answer.get("error")))
        assert answers[0] == answers[1]
        assert answers[0][0] in (200, 400, 403, 409), answers
        return bool(answers[0][0] == 200)

    def _change(self, who: str, place: int, **values: Any) -> bool:
        def act(tenant: str) -> Any:
            with tenant_scope(tenant):
                row = Stoppage.objects.order_by("pk")[place]
            return self.cast.client_for(who, tenant).change(LOG, {"id": str(row.pk), **values})

        return self._both(act)

    @rule(
        who=st.sampled_from(WHO), code=st.sampled_from(CODES), kind=st.sampled_from(TYPES), below=st.booleans(),
        start=HOURS, hours=st.sampled_from([9, 4, 26, 1, None]),
    )  # fmt: skip
    def add(self, who: str, code: str, kind: int, below: bool, start: int, hours: int | None) -> None:
        """Somebody enters a stoppage; two by hand of one asset do not overlap."""
        begin = self.now + timedelta(hours=start)
        end = begin + timedelta(hours=hours) if hours is not None else None

        def act(tenant: str) -> Any:
            body = {
                "machineIds": str(self.cast.machine(code, tenant).pk), "includeChildren": int(below),
                "restType": kind, "startTime": f"{begin:%Y-%m-%d %H:%M:%S}",
                "endTime": f"{end:%Y-%m-%d %H:%M:%S}" if end is not None else None,
            }  # fmt: skip
            return self.cast.client_for(who, tenant).post_json(f"{LOG}/addEquipRest", body)

        is_free = not any(one.code == code and not one.revoked and one.touches(begin, end) for one in self.stops)
        done = self._both(act)
        assert done == (is_free and who == "equip_manager")
        if done:
            self.stops.append(Stop(code, below, kind, begin, end))

    @precondition(lambda self: self.stops)
    @rule(data=st.data(), who=st.sampled_from(WHO), act=st.sampled_from(["end", "revoke", "move"]), hours=HOURS)
    def change(self, data: st.DataObject, who: str, act: str, hours: int) -> None:
        """Somebody ends a stoppage, withdraws it, or gives it another end."""
        place = data.draw(st.integers(0, len(self.stops) - 1))
        stop, end = self.stops[place], self.now + timedelta(hours=hours)
        others = [one for one in self.stops if one is not stop and one.code == stop.code and not one.revoked]
        may = who == "equip_manager" and not stop.revoked
        if act == "end":
            assert self._change(who, place, action="end") == (may and stop.lasts(self.now) and stop.start < self.now)
            if may and stop.lasts(self.now) and stop.start < self.now:
                stop.end = self.now
        elif act == "revoke":
            assert self._change(who, place, action="revoke", reason="登记有误") == may
            stop.revoked = stop.revoked or may
        else:
            may = may and end > stop.start and not any(one.touches(stop.start, end) for one in others)
            assert self._change(who, place, endTime=f"{end:%Y-%m-%d %H:%M:%S}") == may
            stop.end = end if may else stop.end

    @rule(hours=st.sampled_from([1, 3, 8]))
    def wait(self, hours: int) -> None:
        """Time passes, and the worker brings stoppages up to date."""
        self.now += timedelta(hours=hours)

    @invariant()
    def fits(self) -> None:
        """What is stored is what the list says, and both companies stand alike."""
        told = []
        for tenant in (A, B):
            with tenant_scope(tenant), clock.at(self.now):
                stoppages.refresh_tenant()
                told.append(self._check())
        assert told[0] == told[1]

    def _check(self) -> list[Any]:
        states = dict(Machine.objects.filter(machine_code__in=CODES).values_list("machine_code", "run_state"))
        for code in ("M1", "M2", "M1-SPINDLE"):
            types = {one.type for one in self.stops if one.lasts(self.now) and self._reaches(one, code)}
            expected = RunState.RUNNING
            for kind, state in (
                (RestType.BREAKDOWN, RunState.DOWN), (RestType.MAINTENANCE, RunState.MAINTAINING),
                (RestType.PLANNED, RunState.IDLE),
            ):  # fmt: skip
                if kind in types:
                    expected = state
                    break
            assert states[code] == expected, (code, types)
        points = []
        for order in InspectOrder.objects.order_by("plan_start", "pk"):
            statuses = set(order.details.values_list("status", flat=True))
            assert len(statuses) == 1  # all are at M1
            if order.deadline > self.now:
                is_exempt = self._covered(order.plan_start, order.plan_end) >= COVER
                assert statuses == {DetailStatus.EXEMPT if is_exempt else DetailStatus.TODO}, order
            exempt = statuses == {DetailStatus.EXEMPT}
            assert order.status == (OrderStatus.EXEMPT if exempt else OrderStatus.TODO)
            points.append(statuses)
        return [states, points]

    def _reaches(self, stop: Stop, code: str) -> bool:
        """Whether a stoppage holds for an asset; components have states of their own."""
        return stop.code == code or (stop.below and code != "M1-SPINDLE" and stop.code in self.above[code])

    def _covered(self, begin: datetime, end: datetime) -> float:
        """Return how much of a window M1 stands, minute by minute."""
        minutes = int((end - begin).total_seconds()) // 60
        stops = [one for one in self.stops if not one.revoked and self._reaches(one, "M1")]
        moments = (begin + timedelta(minutes=number) for number in range(0, minutes, 5))
        stood = sum(any(one.start <= at and (one.end is None or at < one.end) for one in stops) for at in moments)
        return stood / len(range(0, minutes, 5))


def test_the_life_of_stoppages_under_drawn_acts(cast: Cast) -> None:
    for tenant in (A, B):
        config, group = plan(cast, tenant=tenant), route(cast, items=(walking.PRESSURE,), tenant=tenant)
        with at("2026-09-01 07:00"):
            ok(generate(cast, config, "2026-09-01", "2026-09-02", tenant=tenant, rules=[walking.rule(config, group)]))
        with tenant_scope(tenant):
            Machine.objects.filter(node_type__gte=NodeType.MACHINE).update(run_state=RunState.RUNNING)
    with tenant_scope(A):
        names = dict(Machine.objects.values_list("pk", "machine_code"))
        paths = Machine.objects.values_list("machine_code", "path")
        Life.above = {code: {names[int(pk)] for pk in path.strip("/").split("/")} - {code} for code, path in paths}
    Life.cast = cast
    run_machine(
        Life,
        settings=settings(
            max_examples=EXAMPLES, stateful_step_count=STEPS, deadline=None, derandomize=True, database=None,
            phases=[Phase.generate], suppress_health_check=list(HealthCheck),
        ),
    )  # fmt: skip
