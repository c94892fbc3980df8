"""Which form a step of a model shows: named ones, other engines' ones, and what a step only shows or hides."""

from __future__ import annotations

import json
from typing import Any

from workflows import engine
from workflows.forms import values
from workflows.forms.model import declared, forms_of, is_to_fill

HEAD = (
    '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xw="urn:xunwei:bpmn" {vendor} '
    'targetNamespace="urn:test"><process id="p" isExecutable="true">{body}</process></definitions>'
)
FLOWS = """<sequenceFlow id="f1" sourceRef="s" targetRef="a"/><sequenceFlow id="f2" sourceRef="a" targetRef="e"/>
  <endEvent id="e"/>"""
APPLY: dict[str, Any] = {
    "components": [
        {"type": "number", "key": "days", "label": "天数", "validate": {"required": True}},
        {"type": "group", "components": [{"type": "textfield", "key": "pay", "label": "薪资"}]},
    ]
}


def model(body: str, vendor: str = "") -> engine.Specification:
    return engine.parse(HEAD.format(vendor=vendor, body=body).encode())


def drawn(start: str = "", task: str = "", form: str | None = None) -> engine.Specification:
    text = json.dumps(APPLY) if form is None else form
    forms = f'<extensionElements><xw:form name="apply"><![CDATA[{text}]]></xw:form></extensionElements>'
    return model(f'{forms}<startEvent id="s" {start}/><userTask id="a" {task}/>{FLOWS}')


def codes(specification: engine.Specification, beside: dict[str, Any] | None = None) -> list[tuple[str, str]]:
    return [(problem.element, problem.code) for problem in forms_of(specification, beside or {})[1]]


def test_start_and_step_show_the_form_that_they_name() -> None:
    specification = drawn('xw:form="apply"', 'xw:form="apply" xw:readonlyFields="days" xw:hiddenFields="pay"')
    forms, problems = forms_of(specification, {})
    assert (problems, specification.first) == ([], "s")
    assert forms["s"] == APPLY
    assert [dict(one) for one in values.inputs(forms["a"])] == [{**APPLY["components"][0], "readonly": True}]
    assert (is_to_fill(forms["s"]), is_to_fill(forms["a"]), is_to_fill(None)) == (True, False, False)
    assert declared(forms) == {"days", "pay"}


def test_a_form_may_lie_beside_the_model() -> None:
    specification = model(f'<startEvent id="s"/><userTask id="a" xw:form="other" xw:readonlyFields="*"/>{FLOWS}')
    forms, problems = forms_of(specification, {"other": APPLY})
    assert problems == []
    assert [one["readonly"] for one in values.inputs(forms["a"])] == [True, True]
    assert codes(specification) == [("a", "form_missing")]


def test_faults_name_the_form_and_the_field() -> None:
    assert codes(drawn(form="{")) == [("", "form")]
    wrong = json.dumps({"components": [{"type": "number", "key": "__class__", "label": "x"}]})
    (problem,) = forms_of(drawn('xw:form="apply"', form=wrong), {})[1]
    assert problem.text_zh.startswith("表单“apply”的字段“__class__”：字段名须以字母开头")
    assert problem.text_en.startswith("Form “apply”, field “__class__”: A field's key begins")
    assert codes(drawn(task='xw:form="apply" xw:hiddenFields="nope"')) == [("a", "form_field")]
    assert codes(drawn(task='xw:form="apply" xw:readonlyFields="nope"')) == [("a", "form_field")]
    assert codes(drawn('xw:form="apply"', 'xw:hiddenFields="pay,*"')) == []
    assert codes(
        model(f'<startEvent id="s"/><userTask id="a"/>{FLOWS}'.replace("<endEvent", '<endEvent xw:form="x"'))
    ) == [("e", "form_place")]


def test_a_key_holds_one_kind_of_value_in_all_forms() -> None:
    specification = drawn('xw:form="apply"', 'xw:form="other"')
    text = {"components": [{"type": "textfield", "key": "days", "label": "天数"}]}
    assert codes(specification, {"other": text}) == [("a", "form_field")]


FLOWABLE = """
<startEvent id="s"><extensionElements>
  <flowable:formProperty id="days" name="天数" type="long" required="true" default="1"/>
  <flowable:formProperty id="kind" name="类型" type="enum" required="true">
    <flowable:value id="sick" name="病假"/><flowable:value id="own" name="事假"/></flowable:formProperty>
  <flowable:formProperty id="from" type="date" datePattern="yyyy-MM-dd"/>
  <flowable:formProperty id="urgent" type="boolean" required="true"/>
  <flowable:formProperty id="number" name="编号" writable="false"/>
  <flowable:formProperty id="secret" readable="false"/>
</extensionElements></startEvent><userTask id="a"/>"""
CAMUNDA = """
<startEvent id="s"><extensionElements><camunda:formData>
  <camunda:formField id="days" label="天数" type="long" defaultValue="2"><camunda:validation>
    <camunda:constraint name="required"/><camunda:constraint name="min" config="1"/>
    <camunda:constraint name="max" config="30"/></camunda:validation></camunda:formField>
</camunda:formData></extensionElements></startEvent><userTask id="a"/>"""
VENDOR = 'xmlns:flowable="http://flowable.org/bpmn" xmlns:camunda="http://camunda.org/schema/1.0/bpmn"'


def test_simple_forms_of_other_engines_become_schemas() -> None:
    specification = model(FLOWABLE + FLOWS, VENDOR)
    assert specification.is_vendor
    forms, problems = forms_of(specification, {})
    assert problems == []
    assert forms["s"]["components"] == [
        {
            "type": "number", "decimalDigits": 0, "key": "days", "label": "天数",
            "validate": {"required": True}, "defaultValue": 1,
        },
        {
            "type": "select", "key": "kind", "label": "类型", "validate": {"required": True},
            "values": [{"value": "sick", "label": "病假"}, {"value": "own", "label": "事假"}],
        },
        {"type": "datetime", "subtype": "date", "key": "from", "label": "from"},
        {"type": "checkbox", "key": "urgent", "label": "urgent"},
        {"type": "textfield", "key": "number", "label": "编号", "readonly": True},
    ]  # fmt: skip
    forms, problems = forms_of(model(CAMUNDA + FLOWS, VENDOR), {})
    assert problems == []
    (days,) = values.inputs(forms["s"])
    assert (days["validate"], days["defaultValue"]) == ({"min": 1, "max": 30, "required": True}, 2)


def test_what_cannot_be_carried_over_is_listed() -> None:
    body = FLOWABLE.replace('type="date"', 'type="user" variable="who"').replace('default="1"', 'default="one"')
    assert codes(model(body + FLOWS, VENDOR)) == [
        ("s", "form_value"), ("s", "form_property"), ("s", "form_type"),
    ]  # fmt: skip
    options = FLOWABLE.replace('<flowable:value id="own"', '<flowable:value colour="red" id="own"')
    assert codes(model(options + FLOWS, VENDOR)) == [("s", "form_property")]
    limits = CAMUNDA.replace('name="min"', 'name="min" message="too few"')
    assert codes(model(limits + FLOWS, VENDOR)) == [("s", "form_property")]
    checked = CAMUNDA.replace('name="required"', 'name="validator" config="org.acme.Check"')
    assert codes(model(checked + FLOWS, VENDOR)) == [("s", "form_property")]


def test_a_step_knows_what_the_gateway_behind_it_asks() -> None:
    specification = model("""<startEvent id="s"/><userTask id="a"/><endEvent id="e"/>
      <exclusiveGateway id="g" default="no"/>
      <sequenceFlow id="f1" sourceRef="s" targetRef="a"/><sequenceFlow id="f2" sourceRef="a" targetRef="g"/>
      <sequenceFlow id="yes" name="同意" xw:nameEn="Agree" sourceRef="g" targetRef="e">
        <conditionExpression>${outcome == 'agree'}</conditionExpression></sequenceFlow>
      <sequenceFlow id="far" sourceRef="g" targetRef="e">
        <conditionExpression>${form.days &gt; 3}</conditionExpression></sequenceFlow>
      <sequenceFlow id="no" name="退回" sourceRef="g" targetRef="e"/>""")
    assert specification.nodes["a"].is_asked
    assert specification.nodes["a"].outgoing == (
        engine.OutgoingFlow("agree", "同意", "Agree"), engine.OutgoingFlow("", "退回", ""),
    )  # fmt: skip


ASKED_LATER = """<startEvent id="s"/><userTask id="a"/><userTask id="b"/><task id="t"/>
  <exclusiveGateway id="g" default="n"/>
  <userTask id="c"/><endEvent id="e"/><sequenceFlow id="f1" sourceRef="s" targetRef="a"/>
  <sequenceFlow id="f2" sourceRef="a" targetRef="b"/><sequenceFlow id="f3" sourceRef="b" targetRef="t"/>
  <sequenceFlow id="f4" sourceRef="t" targetRef="g"/><sequenceFlow id="n" sourceRef="g" targetRef="c"/>
  <sequenceFlow id="y" sourceRef="g" targetRef="a"><conditionExpression>${outcome == 'reject'}</conditionExpression>
  </sequenceFlow><sequenceFlow id="f5" sourceRef="c" targetRef="e"/>"""


def test_a_step_is_asked_for_its_outcome_when_a_condition_reads_it_before_the_next_step() -> None:
    nodes = model(ASKED_LATER).nodes
    assert {name: nodes[name].is_asked for name in "abc"} == {"a": False, "b": True, "c": False}
    assert nodes["b"].outgoing == ()  # the gateway is not right behind it
    inner = ASKED_LATER.replace('id="s"', 'id="s2"').replace('"f1" sourceRef="s"', '"x1" sourceRef="s2"')
    inside = f'<startEvent id="s"/><subProcess id="p1">{inner}</subProcess><userTask id="z"/>'
    outer = """<endEvent id="ez"/><sequenceFlow id="o1" sourceRef="s" targetRef="p1"/>
      <sequenceFlow id="o2" sourceRef="p1" targetRef="z"/><sequenceFlow id="o3" sourceRef="z" targetRef="ez"/>"""
    nodes = model(inside + outer).nodes
    assert {name: nodes[name].is_asked for name in "abcz"} == {"a": False, "b": True, "c": True, "z": False}
