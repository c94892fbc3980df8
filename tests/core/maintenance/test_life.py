"""The life of repair orders under drawn acts: legal and illegal ones, by people of two companies in lock step, through
both doors, with time passing and timers firing. After each step the plant must be in order.

The companies live under the shipped model, or under one that they drew themselves (`drawn_models.py`). Under those an
order comes to every place where it can wait, then life begins; at each moment that is new everybody tries everything
through both doors, and `oracle.py` says how each try must end.

Small in the suite; `LIFE_EXAMPLES` and `LIFE_STEPS` make it as large as one likes, as `make prove` does.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, ClassVar

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, settings
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

from core import ports
from core.audit.models import Event
from core.cases import commands
from core.cases.case import Door
from core.equipment.models import Machine, RunState, Stoppage
from core.kernel import clock
from core.kernel.actor import Actor, acting
from core.kernel.errors import Missing, NotAllowed, Refusal
from core.kernel.tenancy import tenant_scope
from core.maintenance import operations
from core.maintenance.case import REPAIR
from core.maintenance.models import OPEN, RepairLine, RepairOrder, Status
from core.maintenance.queries import visible
from tests.cast import TEAMS, A, B, Cast
from tests.checksums import noted
from tests.core.maintenance.drawn_models import CHECKERS, LEADS_TO, PARALLEL, SHIPPED, Model, Place
from tests.core.maintenance.oracle import ACTS, COMMAND, DONE, Moment
from tests.repairs import DAY
from workflows.runtime.commands import sweep
from workflows.runtime.commands import work_items as queue
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.timers.models import Timer
from workflows.runtime.tables.worklist.models import ItemState, Tally, WorkItem

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
FINISHED = {"causeTagId": 1, "solution": "更换轴承"}
TRIED: Mapping[str, Mapping[str, Any]] = {
    **NEEDS, "pass": {"checkResult": 1}, "fail": {"checkResult": 2, "checkRemark": "还响"},
    "finish": FINISHED, "edit": {"urgency": 1},
}  # fmt: skip
"""What it carries where everybody tries everything."""
TAKEN = "workflow.taskTaken"
ENDS = {Status.CLOSED: "pass", Status.CANCELLED: "cancel"}
"""The act that ends an order with a status."""
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


def act_of(event: Event) -> str:
    """The act that moved the order on, as the models of `drawn_models.py` call it; empty where none did."""
    if event.operation == "task.complete":
        return str(event.node)  # a step beside the shipped ones: what is done at those is a command
    if event.operation == "timer.fire":
        return "autoCheck" if event.node == "autoCheck" else ""
    moves = (*LEADS_TO, "cancel")
    return event.outcome if event.operation.startswith("repairorder.") and event.outcome in moves else ""


class Life(RuleBasedStateMachine):
    """Two companies that live the same life, under one model of the repair."""

    companies: ClassVar[tuple[str, ...]] = (A, B)

    cast: Cast
    model: ClassVar[Model] = SHIPPED
    reached: Counter[int | None]
    """How often an order was seen in each status."""
    acts: Counter[str]
    """How many of each act stood in the history of an order, each time it was looked at."""

    def __init__(self) -> None:
        super().__init__()
        self.all = transaction.atomic()
        self.all.__enter__()
        self.now = DAY + timedelta(hours=8)
        self.actors = {(who, tenant): self.cast.actor_for(who, tenant) for who in PEOPLE for tenant in self.companies}
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
            assert rows(tenant) == before, refusal  # noqa: PT017
            return ("refused", getattr(refusal, "error", "input.invalid"))
        return ("done", str(answer.get("status", "")) if isinstance(answer, Mapping) else "")

    def both(self, who: str, act: Callable[[str, Actor], Any]) -> Outcome:
        """The act in one company, which leaves the other one as it is, then in the other, where it ends alike."""
        other = rows(B)
        here = self.carry_out(A, who, lambda actor: act(A, actor))
        assert rows(B) == other
        if B not in self.companies:
            return here
        mine = rows(A)
        there = self.carry_out(B, who, lambda actor: act(B, actor))
        assert rows(A) == mine
        assert here == there
        return here

    def order(self, ids: Mapping[str, int], tenant: str) -> RepairOrder | None:
        """The row, unless it was deleted."""
        with tenant_scope(tenant):
            return RepairOrder.objects.select_related("machine").filter(pk=ids[tenant]).first()  # type: ignore[no-any-return]

    def items(self, ids: Mapping[str, int], tenant: str) -> list[ports.OpenItem]:
        """The open steps of an order, in the same order in both companies."""
        with tenant_scope(tenant):
            found = ports.processes.open_items("repairorder", [ids[tenant]]).get(ids[tenant], ())
        return sorted(found, key=lambda item: item.node)

    def offered(self, ids: Mapping[str, int], who: str) -> list[str] | None:
        """What the order's page offers somebody; None where it is not seen."""
        actor = self.actors[who, A]
        with tenant_scope(A), acting(actor), clock.at(self.now):
            if not visible(actor).filter(pk=ids[A]).exists():
                return None
            order = self.order(ids, A)
            assert order is not None
            items = ports.processes.open_items("repairorder", [order.pk]).get(order.pk, ())
            return commands.allowed(REPAIR, actor, order, items)

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
        for tenant in self.companies:
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
        number=numbers, who=people, action=st.sampled_from(sorted(REPAIR.command)), drawn=values,
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
            drawn = {**drawn, **FINISHED, "stopEnd": -back}
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
            return commands.by_record(REPAIR, actor, row.pk, version, action, self.words(tenant, drawn))

        def by_item(tenant: str, actor: Actor) -> Any:
            items = self.items(ids, tenant)
            steps = (action,) if action in self.model.asked else REPAIR.command[action].steps
            item = next(iter([*(one for one in items if one.node in steps), *items]), None)
            if item is None:
                raise Missing()
            outcome = ("pass" if drawn.get("checkResult") == 1 else "fail") if action == "check" else action
            said = ("ok", "") if action in self.model.asked else ("", outcome)
            return queue.complete(actor, item.id, None, *said, "", self.words(tenant, drawn))

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
            if action == "transfer" and order.repair_user_id == self.actors[drawn["repairUserId"], A].user_id:
                drawn["repairUserId"] = "repairer"
            if action == "finish":
                if not self.lines_of(ids):
                    self.line_of(ids, person, 1)
                drawn = {**FINISHED, **({"stopEnd": 0} if order.standing else {})}
            if action == "check":
                drawn["checkResult"] = verdict
            is_added = action in self.model.asked
            is_by_step = is_added or (by_queue and REPAIR.command[action].door == Door.STEP)
            door = "queue" if is_by_step else "record"
            ended = self.take(ids, person, action, drawn, door)
            assert ended[0] == "done", (person, action, ended)
            self.all_is_in_order()

    def offer(self, ids: dict[str, int], who: int, wish: str) -> tuple[str, str] | None:
        """Somebody who is offered what was wished, else what leads on; None where the order is over."""
        order = self.order(ids, A)
        if order is None or order.status not in OPEN:
            return None
        turned = (*PEOPLE[who:], *PEOPLE[:who])
        offers = [(person, name) for person in turned for name in self.offered(ids, person) or []]
        offers += [
            (person, item.node)
            for person in turned
            for item in self.items(ids, A)
            if item.node in self.model.asked and item.is_for(self.actors[person, A])
        ]
        for wishes in ((wish,), (*AHEAD[Status(order.status)], *self.model.asked)):
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
            return commands.by_record(REPAIR, actor, row.pk, row.lock_version, "edit", body)

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
            items = self.items(ids, tenant)
            if not items:
                raise Missing()
            item = items[number % len(items)]
            return (queue.claim if take else queue.unclaim)(actor, item.id)

        self.both(who, act)
        after = self.order(ids, A)
        assert after is not None
        assert (after.status, after.lock_version) == (order.status, order.lock_version)

    @precondition(lambda self: B in self.companies)
    @rule(number=numbers, who=people, action=st.sampled_from(sorted(REPAIR.command)))
    def reach_across(self, number: int, who: str, action: str) -> None:
        """Somebody of one company tries an order of the other: it is as good as missing, and nothing changes."""
        ids = self.known[number % len(self.known)]
        before, actor = rows(B), self.actors[who, A]
        # Whoever lacks the code does not even come to the order.
        expected = Missing if REPAIR.command[action].code in actor.codes else NotAllowed
        with pytest.raises(expected), transaction.atomic(), tenant_scope(A), clock.at(self.now), acting(actor):
            commands.by_record(REPAIR, actor, ids[B], 1, action, {})
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

    def all_is_in_order(self) -> None:
        """What has to hold between two acts of the same person's turn too."""
        self.each_order_is_in_order()
        self.machines_stand_exactly_as_long_as_an_order_says()

    @invariant()
    def each_order_is_in_order(self) -> None:
        """Status, step, clocks, sums, stops, history."""
        assert not Timer.objects.filter(is_parked=True).exists()
        for tenant in self.companies:
            with tenant_scope(tenant):
                for order in RepairOrder.objects.all():
                    self.reached[order.status] += 1
                    self.check_step(order)
                    self.check_clocks(order)
                    self.check_stops(order)
                    self.check_history(order)
                    self.check_holds(order)

    def check_step(self, order: RepairOrder) -> None:
        """An open order waits at the step of its status and at those beside it, a closed one nowhere."""
        nodes = list(WorkItem.objects.filter(business_id=order.pk, state=ItemState.OPEN).values_list("node", flat=True))
        is_open, place = order.status in OPEN, self.place(order)
        assert sorted(nodes) == sorted(place.steps), place
        assert place.main == (NODE_OF[Status(order.status)] if is_open else ""), place
        instance = ProcessInstance.objects.get(business_id=order.pk)
        assert (instance.status == InstanceStatus.RUNNING) == is_open
        assert is_open or not Timer.objects.filter(instance_id=instance.pk).exists()
        assert (order.close_time is not None) == (not is_open)
        assert (order.hang_start is not None) == (order.status == Status.ON_HOLD)
        assert (order.finish_time is not None) == (order.status in (Status.TO_CHECK, Status.CLOSED))
        if order.status in (Status.REPAIRING, Status.ON_HOLD, Status.TO_CHECK, Status.CLOSED):
            assert None not in (order.accept_time, order.repair_user_id, order.dispatch_time)

    def place(self, order: RepairOrder) -> Place:
        """Where the order must wait, by its history; each act of it was one that may be there, and one was the last."""
        place = self.model.begin()
        for event in Event.objects.filter(business_id=order.pk).order_by("id"):
            if act := act_of(event):
                place = self.model.after(place, act)
        return place

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
    def every_queue_has_its_number(self) -> None:
        """What the queues count is what waits in them; for who has done everything, nothing."""
        for tenant in self.companies:
            with tenant_scope(tenant):
                counted: Counter[int] = Counter()
                for queue_id, delta in Tally.objects.values_list("queue", "delta"):
                    counted[queue_id] += delta
                waiting = WorkItem.objects.filter(state=ItemState.OPEN).values_list("assignee_id", "pool")
                assert +counted == Counter(holder or pool for holder, pool in waiting)
                assert min(counted.values(), default=0) >= 0

    @invariant()
    def machines_stand_exactly_as_long_as_an_order_says(self) -> None:
        """Under repair when somebody works on one of the stops' orders, down when nobody does, else running."""
        for tenant in self.companies:
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
        for tenant in self.companies:
            with tenant_scope(tenant):
                lives.append(list(RepairOrder.objects.order_by("order_no").values_list(*columns)))
        assert lives[0] == lives[-1]


class Judged(Life):
    """A company that drew a model of its own. At each moment that is new, everybody tries everything, by both doors."""

    companies = (A,)
    seen: set[Moment]
    """The moments at which everybody has tried everything."""

    @invariant()
    def every_command_is_right(self) -> None:
        """Each try ends as the oracle says."""
        for ids in self.known:
            if (order := self.order(ids, A)) is not None and (moment := self.moment(order)) not in self.seen:
                self.everybody_tries(ids, order, moment)
                self.seen.add(moment)

    def all_is_in_order(self) -> None:
        super().all_is_in_order()
        self.every_command_is_right()

    def come_to_every_place(self) -> None:
        """Walk an order to each place at which it can wait under the model, by one way, and judge there."""
        self.open_the_plant(False, [])
        found: set[tuple[Place, int]] = set()
        self.walk_from(found)
        assert {place for place, _status in found} == set(self.model.places())

    def walk_from(self, found: set[tuple[Place, int]]) -> None:
        """Judge the order where it is, and go on by each act that leads to a place where it has not been."""
        [ids] = self.known
        order = self.order(ids, A)
        assert order is not None
        self.each_order_is_in_order()
        self.every_queue_has_its_number()
        self.every_command_is_right()
        moment = self.moment(order)
        found.add((moment.place, order.status))
        if moment.place.steps == moment.place.beside:
            self.judge_what_is_taken(ids, moment)
        for number, (act, after) in enumerate(self.model.ways(moment.place)):
            if any(place == after and (after.main or act == ENDS[status]) for place, status in found):
                continue
            with transaction.atomic():
                self.now += timedelta(minutes=5)
                self.go(ids, moment, act, len(found) + number)
                self.walk_from(found)
                self.now -= timedelta(minutes=5)
                transaction.set_rollback(True)

    def judge_what_is_taken(self, ids: dict[str, int], moment: Moment) -> None:
        """Judge once more with each added step in the hands of the first who may do it."""
        with transaction.atomic():
            for item in self.items(ids, A):
                who = next(who for who in PEOPLE if moment.is_for(self.model, who, item.node))
                assert self.carry_out(A, who, lambda actor, item=item: queue.claim(actor, item.id))[0] == "done"
            self.every_command_is_right()
            transaction.set_rollback(True)

    def go(self, ids: dict[str, int], moment: Moment, act: str, turn: int) -> None:
        """Let one of those who may do the act over HTTP, at one door and the other in turn."""
        is_added = act in self.model.asked
        by_queue = is_added or (turn % 2 == 1 and act != "cancel")
        if is_added:
            node = act
            may = [who for who in PEOPLE if moment.is_for(self.model, who, node)]
        else:
            node = next(iter(moment.place.steps.intersection(LEADS_TO.get(act, ((), ""))[0])), "")
            may = [who for who in PEOPLE if moment.by_record(self.model, who, act) in (DONE, "order.noLines")]
            may = [who for who in may if not by_queue or moment.by_step(self.model, who, node, act) != TAKEN]
        who = may[turn % len(may)]
        if act == "finish" and not moment.workers:
            self.line_of(ids, who, 1)
        said = self.tried(act, moment)
        order = self.order(ids, A)
        assert order is not None
        with clock.at(self.now):
            caller = self.cast.client_for(who)
            if by_queue:
                [item] = [item for item in self.items(ids, A) if item.node == node]
                outcome = "" if is_added else act
                body = {"taskId": str(item.id), "flag": "ok", "outcome": outcome, "variables": said, "comment": ""}
                answer = caller.post_json("blade-flow/work/complete-task", body)
            else:
                body = {"id": str(order.pk), "lockVersion": order.lock_version, "action": COMMAND.get(act, act), **said}
                answer = caller.post_json("yuzhu-equip/repairorder/update", body)
        assert answer.status == 200, (who, act, answer)

    def tried(self, act: str, moment: Moment) -> dict[str, Any]:
        """What the act carries where everybody tries everything; an order is transferred to somebody else."""
        said = dict(TRIED.get(act, {}))
        if act == "transfer" and moment.repairer == said["repairUserId"]:
            said["repairUserId"] = "repairer"
        return self.words(A, said)

    def moment(self, order: RepairOrder) -> Moment:
        """What the oracle has to know of the order."""
        names = {actor.user_id: who for (who, _tenant), actor in self.actors.items()}
        teams = {self.cast.team(key).pk: key for key in TEAMS}
        with tenant_scope(A):
            held = WorkItem.objects.filter(business_id=order.pk, state=ItemState.OPEN, assignee_id__isnull=False)
            return Moment(
                self.place(order),
                order.status,
                frozenset((node, names[user]) for node, user in held.values_list("node", "assignee_id")),
                names[order.report_user_id],
                names.get(order.repair_user_id, ""),
                teams.get(order.team_id, ""),
                teams[order.machine.team_id],
                frozenset(names[user] for user in order.lines.values_list("user_id", flat=True)),
            )

    def everybody_tries(self, ids: dict[str, int], order: RepairOrder, moment: Moment) -> None:
        """Every act by everybody, on the order and on each of its steps, taken back again."""
        version, model, before = order.lock_version, self.model, [rows(A), rows(B)]
        steps = WorkItem.objects.filter(business_id=order.pk).values_list("node", "state", "pk")
        with tenant_scope(A):
            items = {node: pk for node, state, pk in steps if state == ItemState.OPEN}
            over = {node: (state, pk) for node, state, pk in steps.order_by("id") if node in model.asked}
        said = {act: self.tried(act, moment) for act in ACTS}
        if order.standing:
            said["finish"].update(self.words(A, {"stopEnd": 0}))
        for who in PEOPLE:
            offered = self.offered(ids, who)
            others = {"line", "remove", "applySpare"}
            assert (None if offered is None else set(offered) - others) == moment.offered(model, who)
            for act in ACTS:
                self.tries(
                    who, order.pk, moment, act, moment.by_record(model, who, act), before,
                    lambda actor, act=act: commands.by_record(
                        REPAIR, actor, order.pk, version, COMMAND.get(act, act), said[act]
                    ),
                )  # fmt: skip
            for node, pk in items.items():
                for outcome in self.outcomes(node):
                    self.tries(
                        who, order.pk, moment, outcome or node, moment.by_step(model, who, node, outcome),
                        before,
                        lambda actor, pk=pk, outcome=outcome: queue.complete(
                            actor, pk, None, "ok", outcome, "", said.get(outcome, {})
                        ),
                    )  # fmt: skip
            for node, (state, pk) in over.items():
                if state != ItemState.OPEN:
                    word = "workflow.taskCompleted" if state == ItemState.DONE else "workflow.taskGone"
                    expected = word if moment.is_asked(model, who, node) else "access.denied"
                    self.tries(
                        who, order.pk, moment, node, expected, before,
                        lambda actor, pk=pk: queue.complete(actor, pk, None, "ok", "", "again", {}),
                    )  # fmt: skip

    def outcomes(self, node: str) -> Iterable[str]:
        """Those of the step, and one that is not."""
        if node in self.model.asked:
            return ("", "finish")
        return (*(act for act, (steps, _main) in LEADS_TO.items() if node in steps and act != "autoCheck"), "wrong")

    def tries(
        self, who: str, order_id: int, moment: Moment, act: str, expected: str, before: list[Any],
        do: Callable[[Actor], Any],
    ) -> None:  # fmt: skip
        """The act ends as it must: refused without a trace, or done, so that the order waits where it must then."""
        told, actor, ended = (who, act, moment), self.actors[who, A], DONE
        with transaction.atomic(), noted() as writes:
            try:
                with tenant_scope(A), acting(actor), clock.at(self.now + timedelta(minutes=1)):
                    do(actor)
            except Refusal as refusal:
                ended = refusal.error
            assert ended == expected, told
            assert ended == DONE or not writes or [rows(A), rows(B)] == before, told
            if ended == DONE and act != "edit":
                with tenant_scope(A):
                    nodes = WorkItem.objects.filter(business_id=order_id, state=ItemState.OPEN).values_list("node")
                    after = self.model.after(moment.place, act)
                    assert sorted(node for (node,) in nodes) == sorted(after.steps), told
                    is_running = ProcessInstance.objects.get(business_id=order_id).status == InstanceStatus.RUNNING
                    assert is_running == bool(after.main), told
            transaction.set_rollback(True)


def live(life: type[Life], cast: Cast, examples: int) -> None:
    """Let so many of these lives be lived."""
    life.cast, life.reached, life.acts = cast, Counter(), Counter()
    small = "LIFE_EXAMPLES" not in os.environ
    depth = settings(
        max_examples=examples,
        stateful_step_count=STEPS,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],  # to explain a failure takes minutes
        derandomize=small,  # the suite tries the same lives each time, make prove new ones
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    run_state_machine_as_test(life, settings=depth)
    assert examples < MANY or set(life.reached) == set(Status)
    assert examples < MANY or {f"repairorder.{name}" for name in REPAIR.command} <= set(life.acts)


def test_orders_stay_in_order_whatever_people_do(cast: Cast) -> None:
    live(Life, cast, EXAMPLES)


@pytest.mark.same_on_both  # who may do what when; the lives of the shipped model go through both databases
@pytest.mark.parametrize("model", [PARALLEL, CHECKERS], ids=lambda model: model.name)
def test_every_command_is_right_at_every_moment_of_a_model_that_a_company_drew(cast: Cast, model: Model) -> None:
    class Tenant(Judged):
        """The company with this model."""

    model.deploy(cast)
    Tenant.cast, Tenant.model, Tenant.seen, Tenant.reached, Tenant.acts = cast, model, set(), Counter(), Counter()
    first = Tenant()
    try:
        first.come_to_every_place()
    finally:
        first.teardown()
    live(Tenant, cast, (EXAMPLES + 1) // 2)
