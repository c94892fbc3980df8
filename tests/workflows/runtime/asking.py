"""A process that asks an operation which answers later, and what tests see of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from core import ports
from core.audit.models import Event
from core.kernel.tenancy import tenant_scope
from core.ports import CommonOperation, EffectInput, ErrorCode, Parameter, ParameterKind, Result, Subject, effect_text
from tests.cast import A, Cast
from tests.workflows.standalone import deploy, document
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.messages.models import OperationCall
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

FORM: dict[str, Any] = {
    "components": [
        {"type": "textfield", "key": "part", "label": "备件", "validate": {"required": True}},
        {"type": "number", "key": "price", "label": "价格", "readonly": True, "validate": {"max": 1000}},
    ]
}
BODY = """<startEvent id="start" xw:form="order"/>
  <serviceTask id="ask" name="询价" xw:nameEn="Ask for the price" xw:operation="test.price" {attributes}>
    <extensionElements><xw:parameter name="part">${{form.part}}</xw:parameter>
      <xw:result name="price" to="form.price"/><xw:result name="note" to="remark"/></extensionElements></serviceTask>
  <exclusiveGateway id="choose" default="low"/>
  <userTask id="dear" name="审批" xw:form="order" xw:assignee="${{starter.id}}"/>
  <userTask id="cheap" name="下单" xw:form="order" xw:assignee="${{starter.id}}"/><endEvent id="done"/>
  <sequenceFlow id="f1" sourceRef="start" targetRef="ask"/><sequenceFlow id="f2" sourceRef="ask" targetRef="choose"/>
  <sequenceFlow id="high" sourceRef="choose" targetRef="dear"><conditionExpression>{condition}</conditionExpression>
  </sequenceFlow><sequenceFlow id="low" sourceRef="choose" targetRef="cheap"/>
  <sequenceFlow id="f3" sourceRef="dear" targetRef="done"/><sequenceFlow id="f4" sourceRef="cheap" targetRef="done"/>"""
USUAL = "${form.price &gt; 100 and remark == 'new'}"
CATCHES = """<boundaryEvent id="gone" attachedToRef="ask"><errorEventDefinition errorRef="noStock"/></boundaryEvent>
  <userTask id="other" name="换货" xw:assignee="${starter.id}"/>
  <sequenceFlow id="f5" sourceRef="gone" targetRef="other"/>
  <sequenceFlow id="f6" sourceRef="other" targetRef="done"/>"""
LATE = """<boundaryEvent id="late" attachedToRef="ask"><timerEventDefinition><timeDuration>PT1H</timeDuration>
  </timerEventDefinition></boundaryEvent><sequenceFlow id="f7" sourceRef="late" targetRef="done"/>"""
OLD = datetime(2026, 1, 1, tzinfo=UTC)


def model(more: str = "", attributes: str = "", condition: str = USUAL) -> bytes:
    """The process, with more elements or attributes."""
    xml = document(BODY.format(attributes=attributes, condition=condition) + more, forms={"order": FORM})
    return xml.replace(b"<process ", b'<error id="noStock" errorCode="noStock"/><process ', 1)


class Supplier:
    """The operation: it answers as `says` does, and notes what it is asked."""

    def __init__(self, says: Callable[[str], Mapping[str, Any]]) -> None:
        self.says = says
        self.asked: list[tuple[str, str]] = []

    def __call__(self, subject: Subject, said: EffectInput, key: str) -> Mapping[str, Any]:
        self.asked.append((said.parameters["part"], key))
        return self.says(said.parameters["part"])


def registered(supplier: Supplier, **more: Any) -> CommonOperation:
    """The operation as applications register it."""
    return CommonOperation(
        "test.price",
        effect_text("询价", "Ask for the price", "向供应商询价", "Asks the supplier"),
        (Parameter("part", ParameterKind.TEXT, "备件", "Part", is_required=True, most=50),),
        ask=supplier,
        results=(Result("price", "价格", "Price"), Result("note", "备注", "Note")),
        errors=(ErrorCode("noStock", "无货", "Out of stock"),),
        **more,
    )


class Process:
    """One process that was started, and how it stands."""

    def __init__(self, cast: Cast, xml: bytes, tenant: str = A, part: str = "轴承") -> None:
        self.cast, self.tenant = cast, tenant
        self.caller = cast.client_for("operator", tenant)
        definition = deploy(xml, tenant)
        body = {"processDefinitionId": str(definition.pk), "variables": {"part": part}}
        answer = self.caller.post_json("blade-flow/work/start-process", body)
        assert answer.status == 200, answer
        self.pk = int(answer.data["processInstanceId"])

    @property
    def row(self) -> ProcessInstance:
        with tenant_scope(self.tenant):
            return ProcessInstance.objects.get(pk=self.pk)  # type: ignore[no-any-return]

    @property
    def open(self) -> list[str]:
        """The steps that wait."""
        with tenant_scope(self.tenant):
            rows = WorkItem.objects.filter(instance=self.pk, state=ItemState.OPEN)
            return sorted(rows.values_list("node", flat=True))

    @property
    def told(self) -> list[tuple[str, str]]:
        """What the history says of operations."""
        with tenant_scope(self.tenant):
            events = Event.objects.filter(instance_id=self.pk, operation__startswith="operation.").order_by("id")
            return list(events.values_list("operation", "node"))

    def repair(self, call: str, **more: Any) -> Any:
        """What somebody who follows processes does with it."""
        body = {"processInstanceId": str(self.pk), **more}
        return self.cast.client_for("flow_designer", self.tenant).post_json(f"blade-flow/follow/{call}", body)


def calls() -> list[OperationCall]:
    """The rows that wait."""
    return list(OperationCall.objects.order_by("id"))


def due_now() -> None:
    """Let the pauses be over."""
    OperationCall.objects.filter(is_parked=False).update(due_time=OLD)


def register(entry: CommonOperation, monkeypatch: Any) -> None:
    """Register an operation for one test."""
    monkeypatch.setitem(ports.common, entry.name, entry)
