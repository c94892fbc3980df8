"""Messages that people and other systems send, with values for forms, and processes that messages start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from core import ports
from core.audit.models import Event
from core.kernel.tenancy import PLATFORM, tenant_scope
from core.scheduling import outbox
from core.scheduling.models import OutboxMessage
from tests.cast import A, B, Cast
from tests.workflows.standalone import deploy, document
from workflows.runtime.tables.deployments.models import Definition
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.messages.models import Waiting
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

SEND, AWAITED = "blade-flow/message/send", "blade-flow/message/awaited"
FORM: dict[str, Any] = {
    "components": [
        {"type": "textfield", "key": "line", "label": "产线", "validate": {"required": True}},
        {"type": "number", "key": "price", "label": "价格", "readonly": True, "validate": {"max": 1000}},
    ]
}
HEAD = b'<message id="m" name="quote"/><signal id="sig" name="alarm"/><process '
FLOWS = """<endEvent id="e"/><sequenceFlow id="f1" sourceRef="{0}" targetRef="{1}"/>
  <sequenceFlow id="f2" sourceRef="{1}" targetRef="{2}"/><sequenceFlow id="f3" sourceRef="{2}" targetRef="e"/>"""
STEP = '<userTask id="look" name="查看" xw:form="order" xw:assignee="${starter.id}"/>'
MESSAGE = '<messageEventDefinition messageRef="m" xw:key="{key}" xw:fields="price"/>'
SIGNAL = '<signalEventDefinition signalRef="sig" xw:fields="line"/>'


def model(event: str, body: str = "") -> bytes:
    """A process that waits for an event and then for its starter."""
    nodes = f'<startEvent id="s" xw:form="order"/><intermediateCatchEvent id="wait" name="等报价">{event}'
    nodes += "</intermediateCatchEvent>" + STEP + FLOWS.format("s", "wait", "look")
    return document(body or nodes, forms={"order": FORM}).replace(b"<process ", HEAD, 1)


WAITS = model(MESSAGE.format(key="${form.line}"))
HEARS = model(SIGNAL)
STARTS = model(
    "",
    """<startEvent id="s" xw:form="order"/><startEvent id="come"><messageEventDefinition messageRef="m"
      xw:fields="line,price"/></startEvent><startEvent id="cry"><signalEventDefinition signalRef="sig"
      xw:fields="line"/></startEvent><exclusiveGateway id="g"/><userTask id="byMessage" xw:assignee="${starter.id}"/>
      <sequenceFlow id="f0" sourceRef="come" targetRef="byMessage"/>
      <sequenceFlow id="f00" sourceRef="byMessage" targetRef="g"/>
      <sequenceFlow id="f000" sourceRef="cry" targetRef="g"/>"""
    + STEP
    + FLOWS.format("s", "g", "look"),
)
THROWS = model(
    "",
    """<startEvent id="s" xw:form="order"/><intermediateThrowEvent id="tell"><messageEventDefinition messageRef="m"
      xw:key="${form.line}" xw:fields="line"/></intermediateThrowEvent>"""
    + STEP
    + FLOWS.format("s", "look", "tell"),
)


class Company:
    """What people of a company do, and what they see."""

    def __init__(self, cast: Cast, tenant: str = A) -> None:
        self.cast, self.tenant = cast, tenant
        self.caller, self.designer = cast.client_for("operator", tenant), cast.client_for("flow_designer", tenant)

    def start(self, definition: Definition, line: str = "L1") -> int:
        body = {"processDefinitionId": str(definition.pk), "variables": {"line": line}}
        answer = self.caller.post_json("blade-flow/work/start-process", body)
        assert answer.status == 200, answer
        return int(answer.data["processInstanceId"])

    def send(self, **body: Any) -> Any:
        return self.designer.post_json(SEND, body)

    def rows(self) -> list[tuple[list[str], Mapping[str, Any], int]]:
        """Of each process, the oldest first: what is open, its form, and who started it."""
        with tenant_scope(self.tenant):
            return [
                (
                    list(WorkItem.objects.filter(instance=one, state=ItemState.OPEN).values_list("node", flat=True)),
                    one.form,
                    one.starter_id,
                )
                for one in ProcessInstance.objects.order_by("id")
            ]

    def told(self) -> list[tuple[str, str]]:
        with tenant_scope(self.tenant):
            events = Event.objects.filter(operation__startswith="message.").order_by("id")
            return list(events.values_list("operation", "remark"))


@pytest.fixture
def company(cast: Cast) -> Company:
    """Company A."""
    return Company(cast)


def _deliver() -> int:
    total = 0
    while delivered := outbox.deliver_due():
        total += delivered
    return total


def test_all_who_wait_for_name_and_key_in_the_company_get_it_with_its_values(cast: Cast, company: Company) -> None:
    theirs = Company(cast, B)
    first, other, second = (company.start(deploy(WAITS), line) for line in ("L1", "L2", "L1"))
    theirs.start(deploy(WAITS, B))
    answer = company.send(name="quote", key="L1", values={"price": 12.5})
    assert answer.status == 200, answer
    assert (answer.data["receivers"], answer.data["starts"]) == (2, 0)
    assert [row["processInstanceId"] for row in answer.data["processes"]] == [str(first), str(second)]
    assert answer.data["processes"][0]["nodeName"] == "等报价"
    assert _deliver() == 2
    held = {"line": "L1", "price": 12.5}
    assert [row[:2] for row in company.rows()] == [(["look"], held), ([], {"line": "L2"}), (["look"], held)]
    assert theirs.rows()[0][0] == []
    assert company.told()[0] == ("message.byPerson", "quote（L1）")
    assert other


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"name": "quote", "key": "L9"}, 404, "message.nobodyWaits"),
        ({"name": "quote", "key": ""}, 400, "input.invalid"),
        ({"name": "quote", "key": "L1", "values": {"price": 2000}}, 400, "input.invalid"),
        ({"name": "quote", "key": "L1", "values": {"line": "L7"}}, 400, "input.invalid"),
        ({"name": "alarm", "isSignal": True}, 404, "message.nobodyWaits"),
        ({"name": "leave.withdraw", "key": "L1"}, 400, "message.ofRecord"),
    ],
)
def test_what_nobody_takes_is_refused_and_sends_nothing(
    company: Company, body: dict[str, Any], status: int, code: str
) -> None:
    assert "leave.withdraw" in ports.effects["leave"].messages
    company.start(deploy(WAITS))
    answer = company.send(**body)
    assert (answer.status, answer["error"]) == (status, code)
    assert (OutboxMessage.objects.count(), company.rows()[0][:2], company.told()) == (0, ([], {"line": "L1"}), [])


def test_who_may_not_and_who_is_elsewhere_sends_nothing(cast: Cast, company: Company) -> None:
    pk = company.start(deploy(WAITS))
    body = {"name": "quote", "key": "L1"}
    assert cast.client_for("operator").post_json(SEND, body).status == 403
    assert cast.client_for("operator").get(AWAITED, processInstanceId=pk).status == 403
    elsewhere = Company(cast, B)
    assert elsewhere.send(**body).status == 404
    assert elsewhere.send(**body, processInstanceId=str(pk))["error"] == "data.missing"
    assert elsewhere.designer.get(AWAITED, processInstanceId=pk).status == 404
    assert (_deliver(), company.rows()[0][0]) == (0, [])


def test_one_process_takes_it_at_once_whatever_its_key(company: Company) -> None:
    pk, other = company.start(deploy(WAITS)), company.start(deploy(WAITS))
    (awaited,) = company.designer.get(AWAITED, processInstanceId=pk).data
    assert (awaited["name"], awaited["key"], awaited["nodeName"], awaited["isSignal"]) == (
        "quote",
        "L1",
        "等报价",
        False,
    )
    assert [field["key"] for field in awaited["form"]["components"]] == ["price"]
    wrong = company.send(name="quote", processInstanceId=str(pk), values={"price": 2000})
    assert (wrong.status, company.rows()[0][0]) == (400, [])
    body = {"name": "quote", "processInstanceId": str(pk)}
    sent = [company.designer.post_json(SEND, body, key="once") for _time in (1, 2)]
    assert [one.status for one in sent] == [200, 200]
    assert [row[0] for row in company.rows()] == [["look"], []]
    assert company.told() == [("message.byPerson", "quote（L1）")]
    assert company.designer.get(AWAITED, processInstanceId=pk).data == []
    again = company.send(name="quote", processInstanceId=str(pk))
    assert (again.status, again["error"]) == (404, "message.nobodyWaits")
    assert company.designer.post_json(
        "blade-flow/follow/suspend-process-instance", {"processInstanceId": str(other), "reason": "停"}
    ).status == 200  # fmt: skip
    assert company.send(name="quote", processInstanceId=str(other)).status == 409


def test_a_signal_reaches_everybody_of_the_company(cast: Cast, company: Company) -> None:
    definition = deploy(HEARS)
    company.start(definition), company.start(definition, "L2")
    answer = company.send(name="alarm", isSignal=True, values={"line": "L3"})
    assert (answer.status, answer.data["receivers"], _deliver()) == (200, 2, 2)
    assert [row[:2] for row in company.rows()] == [(["look"], {"line": "L3"})] * 2


def test_a_message_starts_each_process_that_names_it_once(cast: Cast, company: Company) -> None:
    deploy(STARTS)
    deploy(STARTS, key="second")
    deploy(STARTS, B)
    answer = company.send(name="quote", key="any", values={"line": "L5", "price": 3})
    assert (answer.data["receivers"], answer.data["starts"]) == (0, 2)
    assert [one["processDefinitionKey"] for one in answer.data["started"]] == ["own", "second"]
    assert _deliver() == 2
    sender = cast.actor_for("flow_designer").user_id
    assert company.rows() == [(["byMessage"], {"line": "L5", "price": 3}, sender)] * 2
    assert (_deliver(), Company(cast, B).rows()) == (0, [])
    lacking = company.send(name="quote", key="any")
    assert (lacking.status, lacking.data["fields"]) == (400, {"line": "请输入产线"})
    assert company.send(name="alarm", isSignal=True, values={"line": "L6"}).data["starts"] == 2
    assert _deliver() == 2
    assert [row[0] for row in company.rows()] == [["byMessage"], ["byMessage"], ["look"], ["look"]]


def test_the_version_that_people_would_start_is_started_and_a_suspended_one_is_not(
    cast: Cast, company: Company
) -> None:
    general = deploy(STARTS, PLATFORM)
    deploy(
        model(
            "", STEP.replace('"look"', '"a"') + '<startEvent id="s"/>' + FLOWS.format("s", "a", "b") + '<task id="b"/>'
        )
    )
    body = {"name": "quote", "key": "any", "values": {"line": "L5"}}
    assert company.send(**body).status == 404  # the own version, which nothing starts, stands before the general one
    assert Company(cast, B).send(**body).data["starts"] == 1
    Definition.objects.filter(pk=general.pk).update(is_active=False)
    assert Company(cast, B).send(**body).status == 404
    assert _deliver() == 1
    assert (len(Company(cast, B).rows()), company.rows()) == (0, [])  # it was suspended before its turn came
    assert Company(cast, B).told()[-1] == ("message.drop", "quote（any）")


def test_a_process_that_throws_starts_others_and_hands_on_its_fields(cast: Cast, company: Company) -> None:
    deploy(STARTS, key="second")
    thrower, waiting = deploy(THROWS), deploy(WAITS, key="third")
    company.start(waiting, "L8")
    company.start(thrower, "L8")
    with tenant_scope(A):
        item = WorkItem.objects.get(node="look", state=ItemState.OPEN)
    body = {"taskId": str(item.pk), "variables": {}, "flag": "ok"}
    assert company.caller.post_json("blade-flow/work/complete-task", body).status == 200
    assert _deliver() == 2
    me = cast.actor_for("operator").user_id
    assert company.rows() == [
        (["look"], {"line": "L8"}, me), ([], {"line": "L8"}, me), (["byMessage"], {"line": "L8"}, me),
    ]  # fmt: skip
    with tenant_scope(A):
        assert Waiting.objects.count() == 0
