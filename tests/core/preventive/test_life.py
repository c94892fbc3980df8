"""The life of maintenance orders under drawn acts: legal and illegal ones, by people of two companies in lock step.

Through both doors, with time passing and timers firing. After each step the plant must be in order.

Small in the suite; `LIFE_EXAMPLES` and `LIFE_STEPS` make it as large as one likes.
"""

from __future__ import annotations

import os
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from rest_framework.exceptions import ValidationError

from core import ports
from core.audit.models import Event
from core.cases import commands
from core.equipment.models import Machine, MeterReading, RunState, Stoppage
from core.inspection.models import MaintenancePlan
from core.kernel import clock
from core.kernel.actor import acting
from core.kernel.errors import Missing, NotAllowed, Refusal
from core.kernel.tenancy import tenant_scope
from core.preventive import orders
from core.preventive.case import MAINTAIN
from core.preventive.models import OPEN, MaintainOrder, Status
from core.preventive.work import counted
from tests.cast import A, B, Cast
from tests.repairs import DAY
from tests.upkeep import DUE, OIL, TIGHT, plan, standard
from workflows.runtime.commands import sweep
from workflows.runtime.commands import work_items as queue
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

pytestmark = pytest.mark.django_db

EXAMPLES = int(os.environ.get("LIFE_EXAMPLES", "6"))
STEPS = int(os.environ.get("LIFE_STEPS", "14"))
PEOPLE = (
    "repairer", "repairer2", "repairer_other", "repair_leader", "shift_leader", "equip_manager", "operator", "viewer",
)  # fmt: skip
ACTS = ("start", "submit", "pass", "fail", "delay", "cancel")
NODE_OF = {Status.TO_DO: "begin", Status.DOING: "do", Status.TO_CHECK: "check"}
FROM = {
    "start": (Status.TO_DO,), "submit": (Status.DOING,), "pass": (Status.TO_CHECK,), "fail": (Status.TO_CHECK,),
    "delay": (Status.TO_DO, Status.DOING), "cancel": (Status.TO_DO, Status.DOING),
}  # fmt: skip
TO = {"start": 2, "pass": 4, "fail": 2, "cancel": 5}


class Life(RuleBasedStateMachine):
    """Two companies that live the same life."""

    cast: Cast

    @initialize(needs_check=st.booleans(), needs_stop=st.booleans())
    def found(self, needs_check: bool, needs_stop: bool) -> None:
        """Each company plans one asset."""
        self.savepoint = transaction.savepoint()
        self.now = DAY + timedelta(hours=8)
        self.needs_check = needs_check
        self.configs = {}
        with clock.at(self.now):
            for tenant in (A, B):
                self.configs[tenant] = standard(
                    self.cast, TIGHT, OIL, tenant=tenant, need_check=needs_check, need_stop=needs_stop
                )
        self.make()

    def teardown(self) -> None:
        """Nothing of a life stays."""
        if hasattr(self, "savepoint"):
            transaction.savepoint_rollback(self.savepoint)

    @rule()
    def make(self) -> None:
        """The plan makes what is due; not a second one beside an open one."""
        said = []
        for tenant in (A, B):
            with clock.at(self.now), tenant_scope(tenant):
                row = plan(self.configs[tenant], tenant)
                before = MaintainOrder.objects.filter(status__in=OPEN).count()
                made = orders.open_order(row, due_date=row.next_due_date or DUE, due_hours=None, now=self.now)
                assert before == 0 or made is None
                said.append(made is None)
        assert said[0] == said[1]

    @rule(minutes=st.integers(1, 60 * 24 * 3))
    def wait(self, minutes: int) -> None:
        """Time passes, and timers fire."""
        self.now += timedelta(minutes=minutes)
        with clock.at(self.now):
            while sweep.fire_due(now=self.now):
                pass

    @rule(is_cancelled=st.sampled_from((False, False, True)), by_queue=st.booleans())
    def go_on(self, is_cancelled: bool, by_queue: bool) -> None:
        """Somebody who may does what comes next, so that lives come far, or the manager cancels."""
        with clock.at(self.now), tenant_scope(A):
            order = MaintainOrder.objects.select_related("executor").order_by("-id").first()
        worker = order.executor.account if order is not None and order.executor is not None else "repairer"
        ahead = {1: ("repairer", "start"), 2: (worker, "submit"), 3: ("shift_leader", "pass")}
        if order is not None and order.status in ahead:
            who, act = ahead[order.status]
            if is_cancelled and order.status != Status.TO_CHECK:
                who, act = "equip_manager", "cancel"
            self.now += timedelta(minutes=20)
            assert self._try(A, who, act, by_queue) == self._try(B, who, act, by_queue)

    @rule(who=st.sampled_from(PEOPLE), act=st.sampled_from(ACTS), by_queue=st.booleans())
    def try_it(self, who: str, act: str, by_queue: bool) -> None:
        """Somebody tries something; in both companies it ends alike."""
        self.now += timedelta(minutes=20)
        ends = [self._try(tenant, who, act, by_queue) for tenant in (A, B)]
        assert ends[0] == ends[1]

    def _try(self, tenant: str, who: str, act: str, by_queue: bool) -> str:
        with clock.at(self.now), tenant_scope(tenant):
            order = MaintainOrder.objects.order_by("-id").first()
            assert order is not None
            actor = self.cast.actor_for(who, tenant)
            before = _rows()
            try:
                with acting(actor), transaction.atomic():
                    if by_queue and act in ("start", "submit", "pass", "fail"):
                        self._by_queue(actor, order, act)
                    else:
                        name = "check" if act in ("pass", "fail") else act
                        commands.by_record(MAINTAIN, actor, order.pk, order.lock_version, name, self._input(order, act))
            except (Refusal, Missing, NotAllowed, ValidationError) as error:
                assert _rows() == before, (who, act)
                return type(error).__name__
            after = MaintainOrder.objects.get(pk=order.pk)
            assert order.status in FROM[act], (who, act)
            wanted = TO.get(act, order.status) if act != "submit" else (3 if self.needs_check else 4)
            assert after.status == wanted
            if act in ("pass", "fail"):
                assert order.executor_id != actor.user_id
            return f"{after.status}"

    def _by_queue(self, actor: Any, order: MaintainOrder, act: str) -> None:
        instance = ProcessInstance.objects.get(business_type="maintainorder", business_id=order.pk)
        item = WorkItem.objects.filter(instance=instance, state=ItemState.OPEN).first()
        if item is None:
            raise Missing()
        given = self._input(order, act)
        comment = "再查" if act == "fail" else ""
        queue.complete(actor, item.pk, None, "", act, comment, given)

    def _input(self, order: MaintainOrder, act: str) -> dict[str, Any]:
        if act == "submit":
            start = order.begin_time or self.now - timedelta(minutes=10)
            finish = max(self.now - timedelta(minutes=1), start + timedelta(seconds=30))
            return {
                "startTime": start, "finishTime": finish,
                "details": [{"id": str(row.pk), "value": "1", "result": 1} for row in order.details.all()],
                **({"stopEnd": finish} if order.standing else {}),
            }  # fmt: skip
        return {
            "start": {}, "pass": {"checkResult": 1}, "fail": {"checkResult": 2, "checkRemark": "再查"},
            "delay": {"dueDate": order.due_date + timedelta(days=1), "reason": "停产"},
            "cancel": {"cancelReason": "停用"},
        }[act]  # fmt: skip

    @invariant()
    def the_plant_is_in_order(self) -> None:
        """Status, open step, process, stop and asset fit each other."""
        if not hasattr(self, "savepoint"):
            return
        for tenant in (A, B):
            with clock.at(self.now), tenant_scope(tenant):
                open_now = 0
                for order in MaintainOrder.objects.all():
                    instance = ProcessInstance.objects.get(business_type="maintainorder", business_id=order.pk)
                    nodes = list(
                        WorkItem.objects.filter(instance=instance, state=ItemState.OPEN).values_list("node", flat=True)
                    )
                    is_open = order.status in OPEN
                    open_now += is_open
                    assert nodes == ([NODE_OF[Status(order.status)]] if is_open else [])
                    assert (instance.status == InstanceStatus.RUNNING) == is_open
                    stops = Stoppage.objects.filter(source_type="maintainorder", source_id=order.pk)
                    assert stops.filter(end_time=None).count() == int(order.standing)
                    assert order.original_due_date <= order.due_date
                    assert counted(order) is None
                assert open_now <= 1
                machine = Machine.objects.get(machine_code="M1")
                stands = Stoppage.objects.filter(end_time=None).exists()
                assert machine.run_state == (RunState.MAINTAINING if stands else RunState.RUNNING)
                row = plan(self.configs[tenant], tenant)
                done = MaintainOrder.objects.exclude(finish_time=None).order_by("-finish_time").first()
                assert (row.last_done_time is None) == (done is None)


def _rows() -> list[Any]:
    tables = (MaintainOrder, MaintenancePlan, MeterReading, Stoppage, Machine, WorkItem, ProcessInstance, Event)
    return [list(table.objects.order_by("pk").values()) for table in tables]


def test_two_companies_live_in_order(cast: Cast) -> None:
    Life.cast = cast
    assert ports.processes is not None
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        Life,
        settings=settings(
            max_examples=EXAMPLES, stateful_step_count=STEPS, deadline=None,
            phases=(Phase.explicit, Phase.reuse, Phase.generate),
            suppress_health_check=list(HealthCheck), derandomize=True, database=None,
        ),
    )  # fmt: skip
