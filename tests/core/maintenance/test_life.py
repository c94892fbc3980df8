"""The life of repair orders under drawn acts: legal and illegal ones, by people of two companies in lock step, through
both doors, with time passing and timers firing. After each step the plant must be in order.

Small in the suite; `LIFE_EXAMPLES` and `LIFE_STEPS` make it as large as one likes, as `make prove` does.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from rest_framework.exceptions import ValidationError

from core.audit.models import Event
from core.equipment.models import Machine, RunState, Stoppage
from core.kernel import clock, ports
from core.kernel.actor import Actor, acting
from core.kernel.errors import Missing, NotAllowed, Refusal
from core.kernel.steps import ITEM
from core.kernel.tenancy import tenant_scope
from core.maintenance import operations
from core.maintenance.actions import ACTIONS, allowed_actions
from core.maintenance.models import OPEN, RepairLine, RepairOrder, Status
from core.maintenance.queries import visible
from tests.cast import A, B, Cast
from tests.repairs import DAY
from workflows.instances.models import InstanceStatus, ProcessInstance
from workflows.timers import sweep
from workflows.timers.models import Timer
from workflows.worklist import operations as queue
from workflows.worklist.models import ItemState, WorkItem

pytestmark = pytest.mark.django_db

EXAMPLES = int(os.environ.get("LIFE_EXAMPLES", "5"))
STEPS = int(os.environ.get("LIFE_STEPS", "8"))

PEOPLE = (
    "operator", "operator2", "shift_leader", "repair_leader", "repairer", "repairer2", "repairer_other",
    "equip_manager", "viewer",
)  # fmt: skip
MACHINES = ("M1", "M2", "M1-SPINDLE")
NODE_OF = {
    Status.REPORTED: "dispatch", Status.DISPATCHED: "accept", Status.REPAIRING: "repair", Status.ON_HOLD: "hold",
    Status.TO_CHECK: "check",
}  # fmt: skip
AHEAD = {
    Status.REPORTED: ("claim", "dispatch"), Status.DISPATCHED: ("accept",), Status.REPAIRING: ("finish",),
    Status.ON_HOLD: ("resume",), Status.TO_CHECK: ("check",),
}  # fmt: skip
"""What leads on from a status."""
ASIDE = ("hang", "transfer", "refuse", "cancel")
MANY = 50
"""So many lives come to every status, and to every act."""
MOST_ORDERS = 3
WISHES = st.sampled_from(("ahead", *ASIDE, "hang", "ahead"))
"""What is to happen to the order, where somebody is offered it; else what leads on."""
Turn = tuple[int, str, bool, int, int]
TURN = st.tuples(st.integers(0, 8), WISHES, st.booleans(), st.integers(1, 90), st.integers(1, 2))
"""Who comes first, what is to happen, whether by the queue, after how many minutes, and the verdict of a check."""
TURNS = st.lists(TURN, min_size=1, max_size=9)
NEEDS: Mapping[str, Mapping[str, Any]] = {
    "dispatch": {"repairUserId": "repairer"},
    "transfer": {"repairUserId": "repairer2", "reason": "换班"},
    "hang": {"hangReason": 1, "remark": "等件"},
    "refuse": {"reason": "请假"},
    "check": {"checkResult": 1, "checkRemark": "还响"},
    "cancel": {"cancelReason": 1},
}
"""What an act carries at least."""
KEPT = (RepairOrder, RepairLine, Stoppage, Machine, WorkItem, ProcessInstance, Event)
"""Everything of a company that an act could change."""

Outcome = tuple[str, str]
people, numbers = st.sampled_from(PEOPLE), st.integers(0, 2)


def rows(tenant: str) -> list[Any]:
    """All of it, to see that nothing has changed."""
    with tenant_scope(tenant):
        found: list[Any] = [list(table.objects.order_by("pk").values()) for table in KEPT]
        instances = ProcessInstance.objects.values("pk")
        return [*found, list(Timer.objects.filter(instance_id__in=instances).order_by("pk").values())]


class Life(RuleBasedStateMachine):
    """Two companies that live the same life."""

    cast: Cast
    reached: Counter[int | None]
    """How often an order was seen in each status."""
    acts: Counter[str]
    """How many of each act stood in the history of an order, each time it was looked at."""

    def __init__(self) -> None:
        super().__init__()
        self.all = transaction.atomic()
        self.all.__enter__()
        self.now = DAY + timedelta(hours=8)
        self.actors = {(who, tenant): self.cast.actor_for(who, tenant) for who in PEOPLE for tenant in (A, B)}
        self.known: list[dict[str, int]] = []
        """Ids of an order in both companies."""

    def teardown(self) -> None:
        """Nothing of it stays."""
        transaction.set_rollback(True)
        self.all.__exit__(None, None, None)

    # How acts are carried out

    def carry_out(self, tenant: str, who: str, act: Callable[[Actor], Any]) -> Outcome:
        """The act of somebody, and how it ended: a refusal has changed nothing."""
        actor, before = self.actors[who, tenant], rows(tenant)
        try:
            with transaction.atomic(), tenant_scope(tenant), acting(actor), clock.at(self.now):
                answer = act(actor)
        except (Refusal, ValidationError) as refusal:
            assert rows(tenant) == before, refusal
            return ("refused", getattr(refusal, "error", "input.invalid"))
        return ("done", str(answer.get("status", "")) if isinstance(answer, Mapping) else "")

    def both(self, who: str, act: Callable[[str, Actor], Any]) -> Outcome:
        """The act in one company, which leaves the other one as it is, then in the other, where it ends alike."""
        other = rows(B)
        here = self.carry_out(A, who, lambda actor: act(A, actor))
        assert rows(B) == other
        mine = rows(A)
        there = self.carry_out(B, who, lambda actor: act(B, actor))
        assert rows(A) == mine
        assert here == there
        return here

    def order(self, ids: Mapping[str, int], tenant: str) -> RepairOrder | None:
        """The row, unless it was deleted."""
        with tenant_scope(tenant):
            return RepairOrder.objects.select_related("machine").filter(pk=ids[tenant]).first()  # type: ignore[no-any-return]

    def offered(self, ids: Mapping[str, int], who: str) -> list[str] | None:
        """What the order's page offers somebody; None where it is not seen."""
        actor = self.actors[who, A]
        with tenant_scope(A), acting(actor), clock.at(self.now):
            if not visible(actor).filter(pk=ids[A]).exists():
                return None
            order = self.order(ids, A)
            assert order is not None
            return allowed_actions(actor, order, ports.processes.open_items("repairorder", [order.pk]).get(order.pk))

    def words(self, tenant: str, drawn: Mapping[str, Any]) -> dict[str, Any]:
        """Drawn names as ids of the company."""
        found = dict(drawn)
        if "repairUserId" in found:
            found["repairUserId"] = str(self.cast.user(found["repairUserId"], tenant).pk)
        if "teamId" in found:
            found["teamId"] = str(self.cast.team(found["teamId"], tenant).pk)
        if "causeTagId" in found:
            found.update(
                causeTagId=str(self.cast.tag("磨损", tenant).pk), actionTagIds=str(self.cast.tag("更换", tenant).pk)
            )
        if "faultTagIds" in found:
            found["faultTagIds"] = str(self.cast.tag("异响", tenant).pk)
        for name in ("stopEnd", "stopStart", "planFinishTime"):
            if name in found:
                found[name] = (self.now + timedelta(minutes=found[name])).isoformat()
        return found

    # What happens

    @initialize(stops=st.booleans(), turns=TURNS)
    def open_the_plant(self, stops: bool, turns: list[Turn]) -> None:
        """Every machine runs, one of them has been reported, and its order has gone some way."""
        for tenant in (A, B):
            with tenant_scope(tenant):
                Machine.objects.update(run_state=RunState.RUNNING)
        self.report("operator", "M1", 2, stops, "主轴异响", False, True)
        self.go_on(0, turns)

    @precondition(lambda self: 0 < len(self.known) < MOST_ORDERS)
    @rule(
        who=people, machine=st.sampled_from(MACHINES), urgency=st.integers(1, 3), stops=st.booleans(),
        said=st.sampled_from(["主轴异响", "坏"]), force=st.booleans(), symptom=st.booleans(),
    )  # fmt: skip
    def report_another(
        self, who: str, machine: str, urgency: int, stops: bool, said: str, force: bool, symptom: bool
    ) -> None:
        """Somebody reports a fault; whoever has to be asked first, or may not, reports none."""
        self.report(who, machine, urgency, stops, said, force, symptom)

    def report(self, who: str, machine: str, urgency: int, stops: bool, said: str, force: bool, symptom: bool) -> None:
        """The report in both companies."""
        made: dict[str, int] = {}

        def act(tenant: str, actor: Actor) -> Any:
            body: dict[str, Any] = {
                "machineId": str(self.cast.machine(machine, tenant).pk), "description": said, "urgency": urgency,
                "isStop": int(stops), "force": int(force),
            }  # fmt: skip
            answer = operations.save(actor, self.words(tenant, {**body, **({"faultTagIds": 1} if symptom else {})}))
            if "id" in answer:
                made[tenant] = int(answer["id"])
            return answer

        self.both(who, act)
        for tenant, order_id in made.items():
            with tenant_scope(tenant):  # so that a finish lacks no photo
                RepairOrder.objects.filter(pk=order_id).update(after_images=["done.jpg"])
        if made:
            self.known.append(made)

    values = st.fixed_dictionaries(
        {},
        optional={
            "repairUserId": st.sampled_from(["repairer", "repairer2", "repairer_other", "operator"]),
            "teamId": st.sampled_from(["mechanics", "electricians"]),
            "reason": st.just("换人"), "hangReason": st.integers(1, 5), "remark": st.just("等件"),
            "checkResult": st.integers(1, 2), "checkRemark": st.just("还响"), "cancelReason": st.integers(1, 4),
            "planFinishTime": st.integers(-10, 500), "stopStart": st.integers(-60, 5),
        },
    )  # fmt: skip

    @rule(
        number=numbers, who=people, action=st.sampled_from(sorted(ACTIONS)), drawn=values,
        door=st.sampled_from(["record", "queue"]), stale=st.integers(0, 9), back=st.integers(-1, 30),
    )  # fmt: skip
    def try_something(
        self, number: int, who: str, action: str, drawn: dict[str, Any], door: str, stale: int, back: int
    ) -> None:
        """Anybody tries anything: what is not offered never happens."""
        ids = self.known[number % len(self.known)]
        order = self.order(ids, A)
        if order is None:
            return
        if action == "finish":
            drawn = {**drawn, "causeTagId": 1, "solution": "更换轴承", "stopEnd": -back}
        offered = self.offered(ids, who)
        ended = self.take(ids, who, action, drawn, door, stale == 0)
        if offered is None or action not in offered:
            # The same request again gets its first answer again.
            assert ended[0] == "refused" or stale == 0, (who, action, offered, ended)
        elif ended[0] == "refused":
            # Whoever is offered an act is refused it only for what it carries, or for having read an old state.
            assert ended[1] in {
                "input.invalid", "order.noLines", "data.stale", "workflow.outcome", "workflow.taskCompleted",
                "workflow.taskTaken",
            }, (who, action, ended)  # fmt: skip

    def take(
        self, ids: dict[str, int], who: str, action: str, drawn: Mapping[str, Any], door: str, is_stale: bool = False
    ) -> Outcome:
        """Take a step through one of the doors."""

        def by_record(tenant: str, actor: Actor) -> Any:
            row = self.order(ids, tenant)
            assert row is not None
            version = row.lock_version - is_stale
            return operations.by_record(actor, row.pk, version, action, self.words(tenant, drawn))

        def by_item(tenant: str, actor: Actor) -> Any:
            item = ports.processes.open_items("repairorder", [ids[tenant]]).get(ids[tenant])
            if item is None:
                raise Missing()
            outcome = ("pass" if drawn.get("checkResult") == 1 else "fail") if action == "check" else action
            return queue.complete(actor, item.id, None, "", outcome, "", self.words(tenant, drawn))

        return self.both(who, by_record if door == "record" else by_item)

    @rule(number=numbers, turns=TURNS)
    def go_on(self, number: int, turns: list[Turn]) -> None:
        """People do what the order's page offers them, with what it needs: that always succeeds."""
        ids = self.known[number % len(self.known)]
        for who, wish, by_queue, passed, verdict in turns:
            self.time_passes(passed)
            self.each_order_is_in_order()
            order, found = self.order(ids, A), self.offer(ids, who, wish)
            if order is None or found is None:
                return
            person, action = found
            drawn = dict(NEEDS.get(action, {}))
            if action == "finish":
                if not self.lines_of(ids):
                    self.line_of(ids, person, 1)
                drawn = {"causeTagId": 1, "solution": "更换轴承", **({"stopEnd": 0} if order.standing else {})}
            if action == "check":
                drawn["checkResult"] = verdict
            door = "queue" if by_queue and ACTIONS[action].door == ITEM else "record"
            ended = self.take(ids, person, action, drawn, door)
            assert ended[0] == "done", (person, action, ended)
            self.each_order_is_in_order()
            self.machines_stand_exactly_as_long_as_an_order_says()

    def offer(self, ids: dict[str, int], who: int, wish: str) -> tuple[str, str] | None:
        """Somebody who is offered what was wished, else what leads on; None where the order is over."""
        order = self.order(ids, A)
        if order is None or order.status not in OPEN:
            return None
        turned = (*PEOPLE[who:], *PEOPLE[:who])
        offers = [(person, name) for person in turned for name in self.offered(ids, person) or []]
        for wishes in ((wish,), AHEAD[Status(order.status)]):
            wished = [offer for offer in offers if offer[1] in wishes]
            if wished:
                return wished[who % len(wished)]
        return None

    def lines_of(self, ids: dict[str, int]) -> int:
        """How many work lines the order has."""
        with tenant_scope(A):
            return int(RepairLine.objects.filter(order_id=ids[A]).count())

    def line_of(self, ids: dict[str, int], who: str, length: int) -> None:
        """Somebody writes the own last minutes."""

        def act(tenant: str, actor: Actor) -> Any:
            times = {"start_time": self.now - timedelta(minutes=length), "end_time": self.now}
            values = {"work_type": 2, "content": "", "user_id": actor.user_id, **times}
            return operations.write_line(actor, None, ids[tenant], values)

        self.both(who, act)

    @rule(number=numbers, who=people, of=people, begin=st.integers(-5, 120), length=st.integers(-1, 90))
    def write_line(self, number: int, who: str, of: str, begin: int, length: int) -> None:
        """Somebody writes a work line, of somebody; both often the repairer."""
        ids = self.known[number % len(self.known)]
        order = self.order(ids, A)
        if order is None:
            return
        holder = order.repair_user_id
        name = next((key for key, tenant in self.actors if tenant == A and self.actors[key, A].user_id == holder), who)
        writer = name if begin % 2 else who

        def act(tenant: str, actor: Actor) -> Any:
            start = self.now - timedelta(minutes=begin + length)
            values = {
                "work_type": 2, "content": "", "start_time": start, "end_time": start + timedelta(minutes=length),
                "user_id": self.actors[name if begin % 3 else of, tenant].user_id,
            }  # fmt: skip
            if length <= 0 or begin < 0:  # the serializer refuses these at the door
                raise ValidationError("?")
            return operations.write_line(actor, None, ids[tenant], values)

        self.both(writer, act)

    @rule(number=numbers, who=people)
    def remove_a_line(self, number: int, who: str) -> None:
        """Somebody takes an order's first line back."""
        ids = self.known[number % len(self.known)]

        def act(tenant: str, actor: Actor) -> Any:
            line = RepairLine.objects.filter(order_id=ids[tenant]).order_by("start_time").first()
            return operations.remove_lines(actor, [line.pk if line else 1])

        self.both(who, act)

    @rule(number=numbers, who=people, urgency=st.integers(1, 3), promise=st.one_of(st.none(), st.integers(-10, 900)))
    def edit(self, number: int, who: str, urgency: int, promise: int | None) -> None:
        """Somebody changes urgency and promise."""
        ids = self.known[number % len(self.known)]
        order = self.order(ids, A)
        if order is None:
            return
        offered = self.offered(ids, who)

        def act(tenant: str, actor: Actor) -> Any:
            row = self.order(ids, tenant)
            assert row is not None
            body: dict[str, Any] = {"urgency": urgency, "planFinishTime": None}
            if promise is not None:
                body["planFinishTime"] = (self.now + timedelta(minutes=promise)).isoformat()
            return operations.edit(actor, row.pk, row.lock_version, body)

        ended = self.both(who, act)
        assert ended[0] == "refused" or "edit" in (offered or [])

    @rule(number=numbers, who=people, sure=st.integers(0, 3))
    def remove(self, number: int, who: str, sure: int) -> None:
        """Somebody deletes an order; seldom whoever may."""
        ids = self.known[number % len(self.known)]
        if self.order(ids, A) is None or (who == "equip_manager" and sure):
            return
        offered = self.offered(ids, who)
        ended = self.both(who, lambda tenant, actor: operations.remove(actor, [ids[tenant]]) or {})
        assert (ended[0] == "done") == ("remove" in (offered or []))

    @rule(number=numbers, who=people, take=st.booleans())
    def take_or_give_back(self, number: int, who: str, take: bool) -> None:
        """Somebody takes the step that waits, or gives it back; neither moves the order."""
        ids = self.known[number % len(self.known)]
        order = self.order(ids, A)
        if order is None:
            return

        def act(tenant: str, actor: Actor) -> Any:
            item = ports.processes.open_items("repairorder", [ids[tenant]]).get(ids[tenant])
            if item is None:
                raise Missing()
            return (queue.claim if take else queue.unclaim)(actor, item.id)

        self.both(who, act)
        after = self.order(ids, A)
        assert after is not None
        assert (after.status, after.lock_version) == (order.status, order.lock_version)

    @rule(number=numbers, who=people, action=st.sampled_from(sorted(ACTIONS)))
    def reach_across(self, number: int, who: str, action: str) -> None:
        """Somebody of one company tries an order of the other: it is as good as missing, and nothing changes."""
        ids = self.known[number % len(self.known)]
        before, actor = rows(B), self.actors[who, A]
        # Whoever lacks the code does not even come to the order.
        expected = Missing if ACTIONS[action].code in actor.codes else NotAllowed
        with pytest.raises(expected), transaction.atomic(), tenant_scope(A), clock.at(self.now), acting(actor):
            operations.by_record(actor, ids[B], 1, action, {})
        assert rows(B) == before

    @rule(passed=st.one_of(st.integers(1, 90), st.integers(60, 60 * 80)))
    def time_passes(self, passed: int) -> None:
        """Timers fire, each at its moment, in both companies."""
        until = self.now + timedelta(minutes=passed)
        waiting = Timer.objects.filter(is_parked=False, due_time__lte=until).order_by("due_time")
        while due := waiting.values_list("due_time", flat=True).first():
            with clock.at(max(due, self.now)):
                assert sweep.fire_due(now=max(due, self.now)) > 0
        self.now = until

    # What holds after each of them

    @invariant()
    def each_order_is_in_order(self) -> None:
        """Status, step, clocks, sums, stops, history."""
        assert not Timer.objects.filter(is_parked=True).exists()
        for tenant in (A, B):
            with tenant_scope(tenant):
                for order in RepairOrder.objects.all():
                    self.reached[order.status] += 1
                    self.check_step(order)
                    self.check_clocks(order)
                    self.check_stops(order)
                    self.check_history(order)
                    self.check_holds(order)

    def check_step(self, order: RepairOrder) -> None:
        """An open order waits at the one step of its status, a closed one nowhere."""
        nodes = list(WorkItem.objects.filter(business_id=order.pk, state=ItemState.OPEN).values_list("node", flat=True))
        is_open = order.status in OPEN
        assert nodes == ([NODE_OF[Status(order.status)]] if is_open else [])
        instance = ProcessInstance.objects.get(business_id=order.pk)
        assert (instance.status == InstanceStatus.RUNNING) == is_open
        assert is_open or not Timer.objects.filter(instance_id=instance.pk).exists()
        assert (order.close_time is not None) == (not is_open)
        assert (order.hang_start is not None) == (order.status == Status.ON_HOLD)
        assert (order.finish_time is not None) == (order.status in (Status.TO_CHECK, Status.CLOSED))
        if order.status in (Status.REPAIRING, Status.ON_HOLD, Status.TO_CHECK, Status.CLOSED):
            assert None not in (order.accept_time, order.repair_user_id, order.dispatch_time)

    def check_clocks(self, order: RepairOrder) -> None:
        """No time is negative, and the sums are those of the lines."""
        assert min(order.hang_seconds, order.round_hang_seconds, order.repair_seconds or 0, order.rework_count) >= 0
        assert order.accept_time is None or order.accept_time >= order.report_time
        lines = list(order.lines.all())
        assert order.labour_seconds == sum((line.end_time - line.start_time).total_seconds() for line in lines)
        assert order.labour_cost == sum((line.amount for line in lines), Decimal(0))
        assert all(line.end_time > line.start_time for line in lines)
        by_person: dict[int, datetime] = {}
        for line in sorted(lines, key=lambda one: one.start_time):
            assert line.start_time >= by_person.get(line.user_id, line.start_time)
            by_person[line.user_id] = line.end_time

    def check_stops(self, order: RepairOrder) -> None:
        """The last stop is open as long as the machine stands, which it does not for a finished order."""
        stops = list(Stoppage.objects.filter(source_id=order.pk).order_by("start_time", "id"))
        assert bool(stops) == order.is_stop
        assert [stop.end_time is None for stop in stops[:-1]] == [False] * len(stops[:-1])
        if stops:
            assert (stops[-1].end_time is None) == order.standing
            assert (stops[-1].start_time, stops[-1].end_time) == (order.stop_start, order.stop_end)
        assert not (order.standing and order.status in (Status.TO_CHECK, Status.CLOSED, Status.CANCELLED))

    def check_history(self, order: RepairOrder) -> None:
        """One act follows the other, each from where the last one led."""
        events = Event.objects.filter(business_id=order.pk).order_by("id")
        times = [event.time for event in events]
        assert times == sorted(times)
        led: int | None = None
        for event in events:
            if event.to_status is not None:
                assert event.from_status == led
                led = event.to_status
        assert led == order.status

    def check_holds(self, order: RepairOrder) -> None:
        """The seconds on hold are those between the acts of the history that began and ended a hold."""
        held, since = 0, None
        for event in Event.objects.filter(business_id=order.pk).order_by("id"):
            self.acts[event.operation] += 1
            if since is not None and event.from_status == Status.ON_HOLD:
                held, since = held + int((event.time - since).total_seconds()), None
            if event.to_status == Status.ON_HOLD:
                since = event.time
        assert (order.hang_seconds, order.hang_start) == (held, since)

    @invariant()
    def machines_stand_exactly_as_long_as_an_order_says(self) -> None:
        """Under repair when somebody works on one of the stops' orders, down when nobody does, else running."""
        for tenant in (A, B):
            with tenant_scope(tenant):
                standing: dict[int, list[int | None]] = {}
                for order in RepairOrder.objects.filter(is_stop=True, stop_end=None):
                    standing.setdefault(order.machine_id, []).append(order.status)
                for machine in Machine.objects.filter(machine_code__in=MACHINES):
                    stops = standing.get(machine.pk)
                    at_work = stops and any(status in (Status.REPAIRING, Status.ON_HOLD) for status in stops)
                    expected = RunState.REPAIRING if at_work else RunState.DOWN if stops else RunState.RUNNING
                    assert machine.run_state == expected, (machine, stops)

    @invariant()
    def the_companies_live_the_same_life(self) -> None:
        """Numbers, states and sums are the same; ids are not."""
        columns = ("order_no", "status", "lock_version", "urgency", "hang_seconds", "repair_seconds", "labour_cost",
                   "rework_count", "repeat_count", "stop_start", "stop_end", "report_time", "close_time")  # fmt: skip
        lives = []
        for tenant in (A, B):
            with tenant_scope(tenant):
                lives.append(list(RepairOrder.objects.order_by("order_no").values_list(*columns)))
        assert lives[0] == lives[1]


def test_orders_stay_in_order_whatever_people_do(cast: Cast) -> None:
    Life.cast, Life.reached, Life.acts = cast, Counter(), Counter()
    small = "LIFE_EXAMPLES" not in os.environ
    depth = settings(
        max_examples=EXAMPLES,
        stateful_step_count=STEPS,
        deadline=None,
        derandomize=small,  # the suite tries the same lives each time, make prove new ones
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    run_state_machine_as_test(Life, settings=depth)
    assert EXAMPLES < MANY or set(Life.reached) == set(Status)
    assert EXAMPLES < MANY or {f"repairorder.{name}" for name in ACTIONS} <= set(Life.acts)
