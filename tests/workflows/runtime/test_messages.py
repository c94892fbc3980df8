"""Messages between processes: by name and key, in one company, once each, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from core import ports
from core.audit.models import Event
from core.kernel import outbox as port
from core.kernel.actor import Actor
from core.kernel.errors import Conflict
from core.kernel.operation import SIGNED_IN, operation, registry
from core.kernel.tenancy import tenant_scope
from core.ports import Completion, Design, Effects, Start, Summary
from core.scheduling import outbox
from core.scheduling.models import OutboxMessage
from tests.cast import A, B, Cast
from tests.workflows.standalone import deploy, document
from workflows import engine
from workflows.runtime.definitions import library
from workflows.runtime.execution import driver, ending
from workflows.runtime.rows import messages
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.messages.models import Waiting
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

RETRY = "blade-flow/follow/retry-process-instance"
HEAD = (
    '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xw="urn:xunwei:bpmn" '
    'targetNamespace="urn:test"><message id="m" name="parts"/><message id="c" name="widget.cancel"/>'
    '<signal id="sig" name="alarm"/>'
)
PERSON = 'xw:candidates="role:operator"'


def _line(*nodes: str) -> bytes:
    """A model: a start, these nodes one after the other, an end. `{}` in a node is its id."""
    drawn = [node.format(f'id="n{number}"') for number, node in enumerate(nodes)]
    names = ["s", *(f"n{number}" for number in range(len(nodes))), "e"]
    flows = "".join(
        f'<sequenceFlow id="f{number}" sourceRef="{source}" targetRef="{target}"/>'
        for number, (source, target) in enumerate(pairwise(names))
    )
    body = f'<startEvent id="s"/>{"".join(drawn)}<endEvent id="e"/>{flows}'
    return f'{HEAD}<process id="w" name="件" isExecutable="true">{body}</process></definitions>'.encode()


TASK = f"<userTask {{}} name='步' {PERSON}/>"
WAITS = _line('<receiveTask {} messageRef="m"/>', TASK)
WAITS_FOR_7 = _line(
    '<intermediateCatchEvent {}><messageEventDefinition messageRef="m" xw:key="7"/></intermediateCatchEvent>', TASK
)
THROWS = _line(TASK, '<sendTask {} messageRef="m"/>', TASK)
THROWS_TO_7 = _line(
    TASK,
    '<intermediateThrowEvent {}><messageEventDefinition messageRef="m" xw:key="7"/></intermediateThrowEvent>',
    TASK,
)
SIGNAL = '<signalEventDefinition signalRef="sig"/>'
HEARS = _line(f"<intermediateCatchEvent {{}}>{SIGNAL}</intermediateCatchEvent>", TASK)
CRIES = _line(TASK, f"<intermediateThrowEvent {{}}>{SIGNAL}</intermediateThrowEvent>", TASK)
CANCELLABLE = _line('<receiveTask {} messageRef="c"/>', TASK)
CANCELS = _line(TASK, '<sendTask {} messageRef="c"/>', TASK)


class Company:
    """Starts processes of records that only the tests know, and steps through them."""

    def __init__(self, cast: Cast, tenant: str = A) -> None:
        self.tenant, self.actor = tenant, cast.actor_for("operator", tenant)

    def start(self, xml: bytes, number: str = "N1") -> int:
        """Start a process of a new record with this number; the id of its instance."""
        key = f"w{abs(hash(xml))}"
        meta = {"key": key, "name": "件", "name_en": "Widget", "category": "flow_9", "business_type": "widget"}
        library.deploy(xml, {**meta, "nodes": {}}, self.tenant)
        with tenant_scope(self.tenant):
            record = SimpleNamespace(pk=ProcessInstance.objects.count() + 1)
            _start(self.actor, key, record, number)
            return ProcessInstance.objects.get(business_type="widget", business_id=record.pk).pk  # type: ignore[no-any-return]

    def complete(self, instance_id: int) -> None:
        """Complete the one open step of the instance."""
        with tenant_scope(self.tenant):
            item = WorkItem.objects.get(instance=instance_id, state=ItemState.OPEN)
            _complete(self.actor, item.pk, item.business_id)

    def look(self, instance_id: int) -> tuple[list[str], list[tuple[str, str]]]:
        """Nodes of the open items, and message and key of what the instance waits for."""
        with tenant_scope(self.tenant):
            items = WorkItem.objects.filter(instance=instance_id, state=ItemState.OPEN).values_list("node", flat=True)
            waits = Waiting.objects.filter(instance=instance_id).values_list("message", "key")
            return list(items), list(waits)

    def told(self) -> list[tuple[str, int, str]]:
        """What the history says of messages."""
        with tenant_scope(self.tenant):
            events = Event.objects.filter(operation__startswith="message.").order_by("id")
            return list(events.values_list("operation", "instance_id", "remark"))

    def instance(self, instance_id: int) -> ProcessInstance:
        """The instance as it is stored."""
        with tenant_scope(self.tenant):
            return ProcessInstance.objects.get(pk=instance_id)  # type: ignore[no-any-return]


@operation("test.widgetStart", code=SIGNED_IN)
def _start(actor: Actor, key: str, record: Any, number: str) -> None:
    driver.start(key, record, "件", number, actor)


@operation("test.widgetComplete", code=SIGNED_IN)
def _complete(actor: Actor, item_id: int, record_id: int) -> None:
    completion = Completion(outcome="go", actor=actor)
    driver.lock("widget", record_id).complete(item_id, SimpleNamespace(pk=record_id), completion, lambda: None)


@operation("test.widgetStop", code=SIGNED_IN)
def _stop(actor: Actor, instance_id: int) -> None:
    ending.stop(instance_id, InstanceStatus.ENDED)


for _name in ("test.widgetStart", "test.widgetComplete", "test.widgetStop"):
    del registry[_name]  # the contract tests go over what is shipped


def _deliver() -> int:
    """Deliver what is due until nothing is."""
    total = 0
    while delivered := outbox.deliver_due():
        total += delivered
    return total


@pytest.fixture(autouse=True)
def _widgets(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An application whose records are numbers and which has nothing to do."""
    nothing = Effects(
        business_type="widget",
        effects={},
        load=lambda pk: SimpleNamespace(pk=pk),
        save=lambda record: None,
        names=lambda record: {},
        dues={},
        sees=lambda actor, pk: True,
        visible=lambda actor: ProcessInstance.objects.none(),
        acts=lambda actor, record, item: frozenset(),
        command=lambda *given: None,
        offered=lambda actor, waiting: {},
        summary=lambda record: Summary(),
        start=Start("w", "", ""),
        design=Design("widget", {}, {}, sample=lambda actor: None, peek=lambda pk: None),
        messages=frozenset({"widget.cancel"}),
    )
    monkeypatch.setitem(ports.effects, "widget", nothing)
    return


@pytest.fixture
def company(cast: Cast) -> Company:
    """Company A."""
    return Company(cast)


def test_a_message_wakes_who_waits_for_its_name_and_key_in_this_company_alone(cast: Cast, company: Company) -> None:
    theirs = Company(cast, B)
    same, other, seven = company.start(WAITS), company.start(WAITS, "N2"), company.start(WAITS_FOR_7)
    foreign = theirs.start(WAITS)
    assert [company.look(one) for one in (same, other, seven)] == [
        ([], [("parts", "N1")]), ([], [("parts", "N2")]), ([], [("parts", "7")]),
    ]  # fmt: skip
    sender = company.start(THROWS)
    company.complete(sender)
    assert company.look(same) == ([], [("parts", "N1")])  # not before the commit
    assert _deliver() == 1
    assert [company.look(one) for one in (same, other, seven)] == [
        (["n1"], []), ([], [("parts", "N2")]), ([], [("parts", "7")]),
    ]  # fmt: skip
    assert theirs.look(foreign) == ([], [("parts", "N1")])
    assert company.told() == [("message.throw", sender, "parts（N1）"), ("message.receive", same, "parts（N1）")]
    company.complete(company.start(THROWS_TO_7))
    assert _deliver() == 1
    assert company.look(seven) == (["n1"], [])


def test_a_standalone_process_gets_messages_whose_names_begin_like_its_business_type(cast: Cast) -> None:
    """Only the messages of a record's own commands are kept from other processes, and it has neither."""
    body = (
        '<startEvent id="start"/><intermediateCatchEvent id="wait"><messageEventDefinition messageRef="m"/>'
        '</intermediateCatchEvent><userTask id="look" xw:assignee="${starter.id}"/><endEvent id="e"/>'
        '<sequenceFlow id="a" sourceRef="start" targetRef="wait"/>'
        '<sequenceFlow id="b" sourceRef="wait" targetRef="look"/>'
        '<sequenceFlow id="c" sourceRef="look" targetRef="e"/>'
    )
    xml = document(body).replace(b"<process ", b'<message id="m" name="process.done"/><process ', 1)
    definition = deploy(xml)
    started = cast.client_for("operator").post_json(
        "blade-flow/work/start-process", {"processDefinitionId": str(definition.pk), "variables": {}}
    )
    assert started.status == 200, started
    with tenant_scope(A):
        assert list(Waiting.objects.values_list("message", flat=True)) == ["process.done"]


def test_a_signal_wakes_everybody_in_this_company_whatever_their_keys(cast: Cast, company: Company) -> None:
    theirs = Company(cast, B)
    hearing, foreign = [company.start(HEARS), company.start(HEARS, "N2")], theirs.start(HEARS)
    company.complete(company.start(CRIES, "N3"))
    assert _deliver() == 2
    assert [company.look(one) for one in hearing] == [(["n1"], []), (["n1"], [])]
    assert theirs.look(foreign) == ([], [("signal:alarm", "*")])


def test_the_timelines_of_both_tell_of_it(cast: Cast, company: Company) -> None:
    receiver, sender = company.start(WAITS), company.start(THROWS)
    company.complete(sender)
    _deliver()
    caller = cast.client_for("operator").in_english()

    def messages(instance_id: int) -> list[tuple[str, str, str]]:
        told = caller.get("blade-flow/process/history-flow-list", processInstanceId=instance_id).data
        return [
            (row["historyActivityName"], row["historyActivityId"], row["comment"])
            for row in told
            if row["historyActivityType"] == "message"
        ]

    assert messages(sender) == [("Message sent", "n1", "parts（N1）")]
    assert messages(receiver) == [("Message received", "", "parts（N1）")]


def test_a_message_that_nobody_waits_for_is_dropped_and_the_history_says_so(company: Company) -> None:
    sender = company.start(THROWS)
    company.complete(sender)
    assert OutboxMessage.objects.count() == 0
    assert company.told() == [("message.drop", sender, "parts（N1）")]
    late = company.start(WAITS)
    assert _deliver() == 0
    assert company.look(late) == ([], [("parts", "N1")])


def test_no_process_can_throw_what_a_records_own_commands_send(company: Company) -> None:
    receiver, sender = company.start(CANCELLABLE), company.start(CANCELS)
    company.complete(sender)
    assert _deliver() == 0
    assert company.look(receiver) == ([], [])
    assert company.told() == [("message.drop", sender, "widget.cancel（N1）")]


def test_all_who_wait_are_woken_and_who_fails_holds_up_nobody(
    cast: Cast, company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, bad, fine = company.start(WAITS), company.start(WAITS), company.start(WAITS)
    company.complete(company.start(THROWS))
    honest = driver.receive

    def stumble(instance: ProcessInstance, *rest: Any) -> None:
        if instance.pk == bad:
            raise ZeroDivisionError("on purpose")
        honest(instance, *rest)

    monkeypatch.setattr(driver, "receive", stumble)
    assert _deliver() == 2
    assert [company.look(one)[0] for one in (good, bad, fine)] == [["n1"], [], ["n1"]]
    for tries in range(1, 5):
        assert (OutboxMessage.objects.get().attempts, company.instance(bad).park_time) == (tries, None)
        OutboxMessage.objects.update(due_time=datetime(2026, 1, 1, tzinfo=UTC))
        assert _deliver() == 0
    parked = company.instance(bad)
    assert (parked.park_code, parked.park_text) == ("message", "消息“parts”多次投递失败，原因见服务器日志")
    assert _deliver() == 0
    monkeypatch.setattr(driver, "receive", honest)
    answer = cast.client_for("flow_designer").post_json(RETRY, processInstanceId=str(bad))
    assert answer.status == 200, answer
    assert _deliver() == 1
    assert company.look(bad) == (["n1"], [])
    assert OutboxMessage.objects.count() == 0


def test_a_message_for_what_has_ended_meanwhile_is_dropped(company: Company) -> None:
    receiver = company.start(WAITS)
    company.complete(company.start(THROWS))
    with tenant_scope(A):
        ProcessInstance.objects.filter(pk=receiver).update(status=InstanceStatus.COMPLETED)
    assert _deliver() == 1
    assert company.told()[-1] == ("message.drop", receiver, "parts（N1）")


def test_a_message_that_sleeps_is_dropped_when_its_receiver_ends(company: Company) -> None:
    receiver = company.start(WAITS)
    company.complete(company.start(THROWS))
    with tenant_scope(A):
        ProcessInstance.objects.filter(pk=receiver).update(halt_time=datetime.now(UTC))
    assert _deliver() == 0
    assert OutboxMessage.objects.get().is_asleep
    with tenant_scope(A):
        _stop(company.actor, receiver)
    assert _deliver() == 1
    assert company.told()[-1] == ("message.drop", receiver, "parts（N1）")


def test_a_message_to_what_is_not_there_is_dropped(company: Company) -> None:
    with tenant_scope(A):
        port.send(messages.TOPIC, {"instance": 1, "tasks": [], "message": "parts", "key": "7", "hops": 1}, 1)
    assert _deliver() == 1
    assert company.told() == [("message.drop", 1, "parts（7）")]


def test_a_second_message_finds_nobody(company: Company) -> None:
    receiver = company.start(WAITS)
    company.complete(company.start(THROWS))
    company.complete(company.start(THROWS))
    assert _deliver() == 2  # the second was under way before the first had arrived
    assert company.look(receiver) == (["n1"], [])
    assert [what for what, _instance, _remark in company.told()] == [
        "message.throw", "message.throw", "message.receive", "message.drop",
    ]  # fmt: skip


def test_a_step_that_is_taken_back_sends_nothing(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    company.start(WAITS)
    sender = company.start(THROWS)

    def too_many(*given: Any) -> None:
        raise engine.LimitReached("receivers", messages.MAX_RECEIVERS)

    monkeypatch.setattr(messages, "_tell", too_many)  # the last thing that throwing does
    with pytest.raises(Conflict) as caught:
        company.complete(sender)
    assert caught.value.error == "workflow.parked"
    assert caught.value.afterwards is not None
    assert OutboxMessage.objects.count() == 0
    assert company.look(sender)[0] == ["n0"]


def _echoes() -> bytes:
    """A model that, after its first step, answers each message with the same one, for ever."""
    again = '<exclusiveGateway id="a"/><receiveTask id="w" messageRef="m"/><sendTask id="t" messageRef="m"/>'
    flows = (("s", "u"), ("u", "a"), ("a", "w"), ("w", "t"), ("t", "g"), ("g", "a"), ("g", "e"))
    body = f'<startEvent id="s"/><userTask id="u" name="步" {PERSON}/>{again}<exclusiveGateway id="g" default="f6"/>'
    body += '<endEvent id="e"/>' + "".join(
        f'<sequenceFlow id="f{number}" sourceRef="{source}" targetRef="{target}">'
        + ("<conditionExpression>${true}</conditionExpression>" if (source, target) == ("g", "a") else "")
        + "</sequenceFlow>"
        for number, (source, target) in enumerate(flows)
    )
    return f'{HEAD}<process id="w" name="件" isExecutable="true">{body}</process></definitions>'.encode()


def test_echoes_among_several_end_in_an_incident_after_a_bounded_number_of_deliveries(
    cast: Cast, company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "MAX_DELIVERIES", 30)
    ring = [company.start(_echoes()) for _ in range(4)]
    for one in ring:
        company.complete(one)
    company.complete(company.start(THROWS))
    delivered = _deliver()
    assert 4 < delivered <= 30
    found = cast.client_for("flow_designer").get("blade-flow/follow/list", state="parked").data["records"]
    assert {int(row["id"]) for row in found} <= set(ring)
    assert {row["parked"]["text"] for row in found} == {"流程超出运行上限（deliveries：30）"}
    # What is left waits for whoever looks into it; no worker looks at it before.
    assert not OutboxMessage.objects.filter(is_parked=False, is_asleep=False).exists()


def test_what_is_left_of_a_chain_is_shared_among_its_receivers(company: Company) -> None:
    for _ in range(4):
        company.start(WAITS)
    company.complete(company.start(THROWS))
    # A thousand deliveries come of a message at most: these four, and 249 of each.
    assert [row.payload["left"] for row in OutboxMessage.objects.all()] == [249] * 4


def test_messages_that_go_round_without_end_stop_at_a_limit(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "MAX_HOPS", 6)
    one, two = company.start(_echoes()), company.start(_echoes())
    company.complete(one)
    company.complete(two)
    company.complete(company.start(THROWS))
    assert 6 < _deliver() < 20
    for _ in range(6):
        OutboxMessage.objects.update(due_time=datetime(2026, 1, 1, tzinfo=UTC))
        _deliver()
    parked = [instance for instance in (company.instance(one), company.instance(two)) if instance.park_time]
    assert {(instance.park_code, instance.park_text) for instance in parked} == {
        ("limit", "流程超出运行上限（hops：6）")
    }
    assert not OutboxMessage.objects.filter(is_parked=False).exists()
