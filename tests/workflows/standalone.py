"""Models of a tenant's own, bound to no record, that tests deploy."""

from __future__ import annotations

import json
from typing import Any

from tests.cast import A
from workflows.runtime.definitions import library
from workflows.runtime.tables.deployments.models import Definition

OUR = 'xmlns:xw="urn:xunwei:bpmn"'
APPLY: dict[str, Any] = {
    "type": "default",
    "components": [
        {
            "type": "number", "key": "days", "label": "天数", "properties": {"labelEn": "Days"}, "decimalDigits": 1,
            "validate": {"required": True, "min": 0.5, "max": 30},
        },
        {"type": "textarea", "key": "reason", "label": "理由", "validate": {"required": True, "maxLength": 200}},
        {"type": "number", "key": "cost", "label": "费用"},
    ],
}  # fmt: skip
APPROVE: dict[str, Any] = {
    "components": [
        {"type": "checkbox", "key": "approved", "label": "批准"},
        {"type": "textfield", "key": "comment", "label": "意见"},
    ]
}
RECORD: dict[str, Any] = {
    "components": [
        {"type": "number", "key": "days", "label": "天数", "readonly": True},
        {"type": "checkbox", "key": "recorded", "label": "已登记", "validate": {"required": True}},
    ]
}


def document(body: str, *, forms: dict[str, Any] | None = None, process: str = "", spaces: str = OUR) -> bytes:
    """A model round the body of its process, with the forms that its nodes name."""
    drawn = "".join(
        f'<xw:form name="{name}"><![CDATA[{json.dumps(form)}]]></xw:form>' for name, form in (forms or {}).items()
    )
    return (
        '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" '
        f'{spaces} targetNamespace="urn:test"><process id="own" name="请假" isExecutable="true" {process}>'
        f"{f'<extensionElements>{drawn}</extensionElements>' if drawn else ''}{body}</process></definitions>"
    ).encode()


TWO_STEPS = """
  <startEvent id="start"/>
  <userTask id="manager" name="主管审批" xw:nameEn="Manager approves" xw:form="approve" xw:candidates="{manager}"/>
  <exclusiveGateway id="decide" default="no"/>
  <userTask id="hr" name="人事登记" xw:nameEn="HR records" xw:form="record" xw:candidates="{hr}"/>
  <endEvent id="done"/><endEvent id="refused"/>
  <sequenceFlow id="f1" sourceRef="start" targetRef="manager"/>
  <sequenceFlow id="f2" sourceRef="manager" targetRef="decide"/>
  <sequenceFlow id="yes" sourceRef="decide" targetRef="hr">
    <conditionExpression>${{form.approved == true &amp;&amp; form.cost &lt; 1000 || form.approved == true &amp;&amp;
      empty form.cost}}</conditionExpression></sequenceFlow>
  <sequenceFlow id="no" sourceRef="decide" targetRef="refused"/>
  <sequenceFlow id="f3" sourceRef="hr" targetRef="done"/>
""".replace('<startEvent id="start"/>', '<startEvent id="start" xw:form="apply"/>')

ONE_STEP = """<startEvent id="start"/><userTask id="look" name="审批" {task}/><endEvent id="done"/>
  <sequenceFlow id="f1" sourceRef="start" targetRef="look"/><sequenceFlow id="f2" sourceRef="look" targetRef="done"/>"""


def two_steps(manager: str = "role:equip_manager", hr: str = "role:viewer", process: str = "") -> bytes:
    """Somebody approves, somebody else records; refused it ends."""
    body = TWO_STEPS.format(manager=manager, hr=hr)
    return document(body, forms={"apply": APPLY, "approve": APPROVE, "record": RECORD}, process=process)


def deploy(xml: bytes, tenant: str = A, key: str = "own", **meta: Any) -> Definition:
    """The model as a definition of the tenant."""
    base = {"key": key, "name": key, "name_en": key.title(), "category": "flow_1", "business_type": ""}
    return library.deploy(xml, {**base, **meta}, tenant)
