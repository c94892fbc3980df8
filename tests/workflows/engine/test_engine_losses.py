"""Whatever of a drawing nobody reads is told, at the element that says it; what is read is no loss."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from lxml import etree

from workflows import engine
from workflows.engine import losses
from workflows.engine.document import VENDORS, local

# Attributes and elements that the three engines' documentation names, wherever they stand.
WORDS = """
assignee owner candidateUsers candidateGroups candidateStarterUsers candidateStarterGroups dueDate followUpDate
priority category formKey formRef formHandlerClass formFieldValidation initiator skipExpression taskIdVariableName
taskCompleterVariableName businessCalendarName class delegateExpression expression type topic taskPriority triggerable
resultVariable resultVariableName useLocalScopeForResultVariable storeResultVariableAsTransient autoStoreVariables
resource errorCodeVariable errorMessageVariable errorVariableName errorVariableLocalScope errorVariableTransient
escalationCodeVariable correlationKey messageExpression signalExpression scope variableName variableEvents
variableChangeType terminateAll terminateMultiInstance endDate calledElementType calledElementBinding
calledElementVersion calledElementTenantId caseRef caseBinding processInstanceName inheritVariables inheritBusinessKey
businessKey idVariableName completeAsync sameDeployment fallbackToDefaultTenant useLocalScopeForOutParameters
variableMappingClass variableMappingDelegateExpression collection elementVariable elementIndexVariable
noWaitStatesAsyncLeave async asyncBefore asyncAfter asyncLeave asyncLeaveExclusive exclusive jobPriority
historyTimeToLive versionTag isStartableInTasklist isEagerExecutionFetching rules exclude ruleVariablesInput
decisionRef decisionRefBinding mapDecisionResult doNotIncludeVariables localScope somethingThatNobodyKnows
"""
PARTS = """
executionListener taskListener eventListener field in out formProperty formData properties inputOutput connector
failedJobRetryTimeCycle potentialStarter customResource localization mapException variableAggregation collection
eventType eventInParameter eventOutParameter eventCorrelationParameter channelKey variableListenerEventDefinition
externalWorkerInParameter jobCategory errorEventDefinition constraint something-that-nobody-knows
"""

AROUND = ("process", "userTask", "subProcess", "sequenceFlow", "endEvent", "multiInstanceLoopCharacteristics")
DRAWING = """
  <startEvent id="s"/><userTask id="w"><multiInstanceLoopCharacteristics><loopCardinality>2</loopCardinality>
  <completionCondition>${1 == 2}</completionCondition></multiInstanceLoopCharacteristics></userTask>
  <serviceTask id="a" xw:operation="a.x"/><scriptTask id="c" scriptFormat="groovy"><script>println 1</script>
  </scriptTask><receiveTask id="r" messageRef="m"/><sendTask id="n" messageRef="m"/><exclusiveGateway id="g"/>
  <subProcess id="sub"><startEvent id="is"/><task id="it"/><endEvent id="ie"/><f id="i1" a="is" b="it"/>
  <f id="i2" a="it" b="ie"/></subProcess><eventBasedGateway id="ev"/>
  <intermediateCatchEvent id="t"><timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>
  </intermediateCatchEvent><intermediateCatchEvent id="q"><signalEventDefinition signalRef="z"/>
  </intermediateCatchEvent><boundaryEvent id="b" attachedToRef="sub"><errorEventDefinition errorRef="x"/>
  </boundaryEvent><endEvent id="e"><terminateEventDefinition/></endEvent><textAnnotation id="note"/>
  <f id="f1" a="s" b="w"/><f id="f2" a="w" b="a"/><f id="f3" a="a" b="c"/><f id="f4" a="c" b="r"/>
  <f id="f5" a="r" b="n"/><f id="f6" a="n" b="g"/><f id="f7" a="g" b="sub" if="${1 == 1}"/><f id="f8" a="g" b="ev"/>
  <f id="f9" a="sub" b="e"/><f id="f10" a="ev" b="t"/><f id="f11" a="ev" b="q"/><f id="f12" a="t" b="e"/>
  <f id="f13" a="q" b="e"/><f id="f14" a="b" b="e"/>"""
RESOURCE = "<potentialOwner><resourceRef>r</resourceRef></potentialOwner>"
BESIDE = '<message id="m" name="m"/><signal id="z" name="z"/><error id="x" errorCode="E"/>'

# What the translation takes out here, and of which elements: tests of their own say what becomes of it.
CARRIED = {
    "correlationKey": {"receiveTask", "sendTask", "messageEventDefinition"},
    "errorCodeVariable": {"errorEventDefinition"},
}
_NOT_DRAWN = {"definitions", "message", "signal", "error"}


def place_of(element: Any) -> str:
    """The nearest id that is drawn; `p` for what stands beside the process."""
    while element is not None and (not element.get("id") or local(element) in _NOT_DRAWN):
        element = element.getparent()
    return "p" if element is None else str(element.get("id"))


def places(root: Any) -> Iterator[Any]:
    """Every BPMN element that may carry something of another engine."""
    yield from (one for one in root.iter() if local(one) not in ("", "script", "documentation", "extensionElements"))


def said(found: list[engine.Problem], name: str) -> bool:
    return any(one.code == "no_effect" and f"“{name}”" in one.text_en and f"“{name}”" in one.text_zh for one in found)


@pytest.mark.parametrize("space", VENDORS)
@pytest.mark.parametrize("name", WORDS.split())
def test_every_attribute_of_another_engine_is_read_carried_over_or_named(xml: Any, space: str, name: str) -> None:
    root = engine.read(xml(DRAWING, BESIDE))
    every = [(element, local(element), place_of(element)) for element in places(root)]
    assert len(every) > 45
    for element, _kind, _place in every:
        element.set(f"{{{space}}}{name}", "v")
    found = engine.adopt(root)
    for element, kind, place in every:
        is_read = name in losses.READ.get(kind, ()) and place != "is"
        assert is_read or element.get(f"{{{space}}}{name}") is None
    lost = {
        place
        for _element, kind, place in every
        if (name not in losses.READ.get(kind, ()) or place == "is") and kind not in CARRIED.get(name, ())
    }
    told = [
        one for one in found if one.code == "no_effect" and f"“{name}”" in one.text_en and f"“{name}”" in one.text_zh
    ]
    more = sum(int(number) for one in told for number in re.findall(r"at (\d+) more elements", one.text_en))
    assert len(told) - bool(more) + more == (0 if name in losses.IDLE else len(lost))
    assert {one.element for one in told} <= lost | {"p"}


def test_every_element_of_another_engine_is_read_or_named(xml: Any) -> None:
    for space in VENDORS:
        for name in [one for one in PARTS.split() if one not in ("formProperty", "formData", "eventType")]:
            for place in (
                "process",
                "userTask",
                "subProcess",
                "sequenceFlow",
                "endEvent",
                "multiInstanceLoopCharacteristics",
            ):
                root = engine.read(xml(DRAWING, BESIDE))
                element = next(root.iter(f"{{*}}{place}"))
                around = etree.SubElement(element, f"{{{root.nsmap[None]}}}extensionElements")
                etree.SubElement(around, f"{{{space}}}{name}")
                found = engine.adopt(root)
                assert said(found, name), (place, name)
                assert not [one for one in root.iter() if str(one.tag).startswith(f"{{{space}}}")]


@pytest.mark.parametrize(
    ("old", "new", "place", "name"),
    [
        ('<process id="p"', '<process id="p" colour="red"', "p", "colour"),
        ('<message id="m"', '<message id="m" itemRef="i"', "p", "itemRef"),
        ('id="q"><signal', 'id="q"><timerEventDefinition><x/></timerEventDefinition><signal', "q", "x"),
        ('<timeDuration>', '<timeDuration language="cron">', "t", "language"),
        ('messageRef="m"/><sendTask', 'messageRef="m" implementation="soap"/><sendTask', "r", "implementation"),
        ('id="note"/>', 'id="note" flowable:x="1"/>', "note", "x"),
        ('<startEvent id="is"', '<startEvent id="is" flowable:initiator="who"', "is", "initiator"),
        ('<loopCardinality>', '<loopCardinality flowable:x="1">', "w", "x"),
        ('<completionCondition>', '<completionCondition language="groovy">', "w", "language"),
        ('<signal id="z"', '<signal id="z" flowable:x="1"', "p", "x"),
        ('xmlns:xw=', 'flowable:x="1" xmlns:xw=', "p", "x"),
        ('<userTask id="w">', f'<userTask id="w">{RESOURCE}', "w", "potentialOwner"),
        ('<userTask id="w">', '<userTask id="w"><dataOutputAssociation/>', "w", "dataOutputAssociation"),
    ],
)  # fmt: skip
def test_what_of_bpmn_itself_nobody_reads_is_named_at_the_nearest_element(
    xml: Any, old: str, new: str, place: str, name: str
) -> None:
    drawn = xml(DRAWING, BESIDE).decode()
    assert old in drawn
    found = [one for one in engine.adopt(engine.read(drawn.replace(old, new, 1).encode())) if one.code == "no_effect"]
    assert (place, f"“{name}”不支持，将被忽略") in [(one.element, one.text_zh) for one in found]


def test_five_losses_of_one_element_are_one_sentence_and_colours_are_none(xml: Any) -> None:
    node = (
        '<userTask id="w" xmlns:bioc="http://bpmn.io/schema/bpmn/biocolor/1.0" bioc:stroke="#f00" flowable:owner="o" '
        'flowable:async="true" flowable:dueDate="d" xmlns:z="urn:other" z:speed="9"><extensionElements>'
        '<flowable:taskListener class="a"/><flowable:taskListener class="b"/><z:note/></extensionElements></userTask>'
    )
    body = f'<startEvent id="s"/>{node}<endEvent id="e"/><f a="s" b="w"/><f a="w" b="e"/>'
    found = engine.adopt(engine.read(xml(body)))
    assert [(one.element, one.code, one.text_en) for one in found] == [
        (
            "w",
            "no_effect",
            "“owner”, “dueDate”, “speed”, “taskListener”, “note” are not supported and will be ignored",
        )
    ]


def test_a_loss_at_a_flow_without_an_id_is_told_at_its_source(xml: Any) -> None:
    body = '<startEvent id="s"/><userTask id="w"/><endEvent id="e"/><f a="s" b="w"/><f flowable:skipExpression="x" '
    found = engine.adopt(engine.read(xml(body + 'a="w" b="e"/>')))
    assert [(one.element, one.text_zh) for one in found] == [("w", "“skipExpression”不支持，将被忽略")]


def inside(*elements: str) -> str:
    return f"<extensionElements>{''.join(elements)}</extensionElements>"


@pytest.mark.parametrize(
    "node",
    [
        '<serviceTask id="w" flowable:class="a.B">'
        + inside('<flowable:field name="a" {}><flowable:string {}>b</flowable:string></flowable:field>')
        + "</serviceTask>",
        '<serviceTask id="w" flowable:class="a.B">'
        + inside('<flowable:inputOutput><flowable:inputParameter name="a" {}>b</flowable:inputParameter>'
                 "</flowable:inputOutput>")
        + "</serviceTask>",
        '<scriptTask id="w" scriptFormat="groovy">' + inside('<flowable:in source="n" target="a" {}/>')
        + "<script>execution.setVariable('x', a)</script></scriptTask>",
        '<intermediateCatchEvent id="w">'
        + inside("<flowable:eventType {}>go</flowable:eventType>",
                 '<flowable:eventCorrelationParameter name="a" value="b" {}/>')
        + "</intermediateCatchEvent>",
        '<intermediateCatchEvent id="w">'
        + inside('<flowable:variableListenerEventDefinition variableName="a" variableChangeType="all" {}/>')
        + "</intermediateCatchEvent>",
        '<userTask id="w"><humanPerformer {}><resourceAssignmentExpression {}><formalExpression {}>a</formalExpression>'
        "</resourceAssignmentExpression></humanPerformer></userTask>",
        '<userTask id="w"><multiInstanceLoopCharacteristics>'
        + inside('<flowable:variableAggregation target="all" {}><variable source="a" target="b" {}/>'
                 "</flowable:variableAggregation>")
        + "<loopCardinality>2</loopCardinality></multiInstanceLoopCharacteristics></userTask>",
    ],
)  # fmt: skip
def test_of_what_is_carried_over_every_part_that_nobody_reads_is_named(xml: Any, node: str) -> None:
    body = '<startEvent id="s"/>{}<endEvent id="e"/><f a="s" b="w"/><f a="w" b="e"/>'
    clean = [
        one for one in engine.adopt(engine.read(xml(body.format(node.replace(" {}", ""))))) if one.code == "no_effect"
    ]
    assert clean == []
    for number in range(node.count("{}")):
        parts = iter(range(node.count("{}")))
        one = re.sub(
            r"\{\}", lambda _found, at=number, parts=parts: 'flowable:odd="1"' if next(parts) == at else "", node
        )
        told = [one for one in engine.adopt(engine.read(xml(body.format(one)))) if one.code == "no_effect"]
        assert [(one.element, one.text_zh) for one in told] == [("w", "“odd”不支持，将被忽略")]
