"""Random processes through the driver and the database, in two companies in lock step: what is stored always fits.

`MACHINE_EXAMPLES` and `MACHINE_STEPS` make it long, as `make prove` does.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

from django.db import transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from core import ports
from core.kernel.actor import Actor
from core.kernel.errors import Refusal
from core.kernel.tenancy import tenant_scope
from core.scheduling import outbox
from tests.cast import A, B, Cast
from tests.workflows.engine.test_engine_grammar import unfit
from tests.workflows.grammar import HEAD, MESSAGE, OUTCOMES, Block, Drawing, blocks, drawn
from workflows import engine
from workflows.engine import codec
from workflows.runtime.commands import standalone, sweep, work_items
from workflows.runtime.definitions import library
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.messages.models import Waiting
from workflows.runtime.tables.timers.models import Timer
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

EXAMPLES = int(os.environ.get("MACHINE_EXAMPLES", "8"))
STEPS = int(os.environ.get("MACHINE_STEPS", "12"))
META = {"name": "随机", "name_en": "Random", "category": "flow_1", "business_type": ""}
ACCOUNTS = ("repair_leader", "repairer", "operator", "viewer")
PLACES = st.integers(0, 11)
FAR = datetime.now(UTC) + timedelta(days=365)


def snapshot(tenant: str) -> list[Any]:
    """All that is stored of the tenant's processes."""
    with tenant_scope(tenant):
        instances = list(ProcessInstance.objects.order_by("pk").values())
        items = list(WorkItem.objects.order_by("pk").values())
    return [instances, items, list(Timer.objects.filter(tenant_id=tenant).order_by("pk").values())]


class Company:
    """One of the two: its instance, and what people do with it."""

    def __init__(self, tenant: str, actors: dict[str, Actor]) -> None:
        self.tenant, self.actors = tenant, actors
        self.instance_id = 0

    @property
    def instance(self) -> ProcessInstance:
        """The instance as it is stored."""
        return ProcessInstance.objects.get(pk=self.instance_id)  # type: ignore[no-any-return]

    def open_items(self) -> list[WorkItem]:
        """What waits for people; the same order in both companies."""
        return list(WorkItem.objects.filter(instance=self.instance_id, state=ItemState.OPEN).order_by("node", "round"))

    def timers(self) -> list[Timer]:
        """What waits for its time; the same order in both companies."""
        return sorted(Timer.objects.filter(instance_id=self.instance_id), key=lambda row: (row.node, row.pk))

    def waits(self) -> list[Waiting]:
        """What waits for another process."""
        return list(Waiting.objects.filter(instance=self.instance_id))

    def deploy_and_start(self, key: str, xml: bytes) -> int:
        """Start a model of the company's own; the id of its instance."""
        definition = library.deploy(xml, {**META, "key": key}, self.tenant)
        return int(standalone.start(self.actors["operator"], definition.pk, {})["processInstanceId"])

    def person_for(self, item: WorkItem) -> Actor:
        """Somebody who may do it."""
        held = next((one for one in self.actors.values() if one.user_id == item.assignee_id), None)
        keys = set(item.candidate_keys)
        return held or next(one for one in self.actors.values() if not keys.isdisjoint(ports.keys_of(one)))

    def stranger_to(self, item: WorkItem) -> Actor:
        """Somebody who may not."""
        keys = set(item.candidate_keys)
        return next(
            one
            for one in self.actors.values()
            if one.user_id != item.assignee_id and keys.isdisjoint(ports.keys_of(one))
        )


class Instances(RuleBasedStateMachine):
    """One random model, started in both companies; each act is done in the one and then in the other."""

    companies: ClassVar[tuple[Company, Company]]
    drawing: Drawing

    def __init__(self) -> None:
        super().__init__()
        self.undo = transaction.atomic()
        self.undo.__enter__()

    def teardown(self) -> None:
        """Take the example's rows back."""
        transaction.set_rollback(True)
        self.undo.__exit__(None, None, None)

    def act(self, do: Callable[[Company], object]) -> object:
        """Do the same in both; neither sees the other's, what is refused changes nothing, and they end alike."""
        answers: list[object] = []
        for company, other in (self.companies, self.companies[::-1]):
            before, own = snapshot(other.tenant), snapshot(company.tenant)
            try:
                with tenant_scope(company.tenant):
                    do(company)
                answers.append("done")
            except Refusal as refusal:
                answers.append(refusal.error)
                assert snapshot(company.tenant) == own
            assert snapshot(other.tenant) == before
            with tenant_scope(company.tenant):
                self.look(company)
        assert answers[0] == answers[1]
        shapes = [self.shape(company) for company in self.companies]
        assert shapes[0] == shapes[1]
        return answers[0]

    def shape(self, company: Company) -> list[Any]:
        """What of an instance does not depend on whose it is."""
        with tenant_scope(company.tenant):
            instance = company.instance
            items = list(
                WorkItem.objects.filter(instance=instance)
                .order_by("node", "round")
                .values_list("node", "round", "state", "outcome", "completed_by_name")
            )
            waits = sorted(row.node for row in (*company.timers(), *company.waits()))
        return [items, waits, instance.nodes, instance.flows, instance.status]

    def look(self, company: Company) -> None:
        """What holds whatever happened."""
        instance = company.instance
        spec = library.specification(instance.definition_id)
        state = bytes(instance.state)
        now = engine.look(spec, state)
        items = company.open_items()
        assert sorted((one.task, one.node) for one in now.tasks) == sorted((one.engine_task, one.node) for one in items)
        assert sorted((one.task, one.node) for one in now.timers) == sorted(
            (one.engine_task, one.node) for one in company.timers()
        )
        assert sorted((one.task, one.node, one.message) for one in now.catches) == sorted(
            (one.engine_task, one.node, one.message) for one in company.waits()
        )
        assert [one.node for one in items if one.assignee_id is None and not one.candidate_keys] == []
        assert codec.encode(codec.decode(spec, state, None)) == state
        nothing_is_open = not (now.tasks or now.timers or now.catches)
        assert (instance.status == InstanceStatus.COMPLETED) == nothing_is_open == now.completed
        assert (instance.end_time is not None) == nothing_is_open
        assert unfit(self.drawing, instance.nodes, instance.flows) == []
        rounds = Counter[str]()
        for node, state_of, number in (
            WorkItem.objects.filter(instance=instance).order_by("node", "round").values_list("node", "state", "round")
        ):
            rounds[node] += 1
            assert number == rounds[node], f"rounds of {node}"
            rounds[f"{node}/{state_of}"] += 1
        for name, kind in self.drawing.kinds.items():
            if kind == "userTask":
                came = sum(instance.flows.get(flow.id, 0) for flow in self.drawing.flows if flow.target == name)
                assert rounds[name] == came, f"{name}: {came} tokens came, {rounds[name]} items were made"
                assert rounds[f"{name}/{ItemState.DONE}"] == instance.nodes.get(name, 0), f"passings of {name}"

    @initialize(block=blocks)
    def begin(self, block: Block) -> None:
        """Draw a model and start it."""
        self.drawing = drawn(block)

        def start(company: Company) -> None:
            company.instance_id = company.deploy_and_start("random", self.drawing.xml)

        self.act(start)

    @precondition(
        lambda self: not self.something_waits(lambda company: [True] if not company.instance.end_time else [])
    )
    @rule()
    def begin_anew(self) -> None:
        """It is over: the same model is started once more."""

        def start(company: Company) -> None:
            company.instance_id = company.deploy_and_start("random", self.drawing.xml)

        self.act(start)

    def something_waits(self, what: Callable[[Company], list[Any]]) -> bool:
        company = self.companies[0]
        with tenant_scope(company.tenant):
            return bool(what(company))

    @precondition(lambda self: self.something_waits(Company.open_items))
    @rule(place=PLACES, outcome=st.sampled_from(OUTCOMES))
    def complete(self, place: int, outcome: str) -> None:
        """Somebody who may completes a step."""

        def do(company: Company) -> None:
            item = (items := company.open_items())[place % len(items)]
            work_items.complete(company.person_for(item), item.pk, None, "", outcome, "", {})

        self.act(do)

    @precondition(lambda self: self.something_waits(Company.open_items))
    @rule(place=PLACES)
    def claim(self, place: int) -> None:
        """Somebody takes a step."""

        def do(company: Company) -> None:
            item = (items := company.open_items())[place % len(items)]
            work_items.claim(company.person_for(item), item.pk)

        self.act(do)

    @precondition(lambda self: self.something_waits(Company.open_items))
    @rule(place=PLACES)
    def unclaim(self, place: int) -> None:
        """Somebody gives a step back, which they may not have."""

        def do(company: Company) -> None:
            item = (items := company.open_items())[place % len(items)]
            work_items.unclaim(company.person_for(item), item.pk)

        self.act(do)

    @precondition(lambda self: self.something_waits(Company.open_items))
    @rule(place=PLACES)
    def meddle(self, place: int) -> None:
        """Somebody tries what they may not; nothing changes."""

        def do(company: Company) -> None:
            item = (items := company.open_items())[place % len(items)]
            work_items.complete(company.stranger_to(item), item.pk, None, "", "go", "", {})

        assert self.act(do) != "done"

    @precondition(lambda self: self.something_waits(Company.timers))
    @rule(place=PLACES)
    def fire(self, place: int) -> None:
        """One timer falls due."""

        def do(company: Company) -> None:
            chosen = (rows := company.timers())[place % len(rows)]
            Timer.objects.filter(tenant_id=company.tenant).update(due_time=FAR)
            Timer.objects.filter(pk=chosen.pk).update(due_time=datetime(2026, 1, 1, tzinfo=UTC))
            assert sweep.fire_due() == 1

        self.act(do)

    @precondition(lambda self: self.something_waits(Company.waits))
    @rule()
    def tell(self) -> None:
        """Another process of the company throws the message that this one waits for."""

        def do(company: Company) -> None:
            number = company.instance.business_no
            throw = f'<intermediateThrowEvent id="t"><messageEventDefinition messageRef="m" xw:key="{number}"/>'
            flows = (
                '<sequenceFlow id="f" sourceRef="s" targetRef="t"/><sequenceFlow id="g" sourceRef="t" targetRef="e"/>'
            )
            body = f'<startEvent id="s"/>{throw}</intermediateThrowEvent><endEvent id="e"/>{flows}'
            xml = f'{HEAD}{MESSAGE}<process id="t" name="信" isExecutable="true">{body}</process></definitions>'
            company.deploy_and_start("teller", xml.encode())
            assert outbox.deliver_due() == 1

        self.act(do)


def test_random_processes_in_two_companies(cast: Cast) -> None:
    Instances.companies = tuple(  # type: ignore[assignment]
        Company(tenant, {account: cast.actor_for(account, tenant) for account in ACCOUNTS}) for tenant in (A, B)
    )
    run_state_machine_as_test(
        Instances,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.explicit, Phase.generate, Phase.shrink],
            database=None,
        ),
    )
