# ruff: noqa: E501
"""Drawings for tests: a short way to write one, and thirty honest models of other people's habits."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape

from workflows import engine

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xw="urn:xunwei:bpmn" '
    'xmlns:flowable="http://flowable.org/bpmn" xmlns:activiti="http://activiti.org/bpmn" '
    'xmlns:camunda="http://camunda.org/schema/1.0/bpmn" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    'targetNamespace="urn:test">'
)


def drawing(body: str, key: str = "p", name: str = "流程", beside: str = "", process: str = "") -> bytes:
    """A document with one process; `<f a="x" b="y" if="condition"/>` is a flow."""
    body = re.sub(r'<f ([^>]*?)(?: if="([^"]*)")?/>', _flow, body)
    return f'{HEAD}{beside}<process id="{key}" name="{name}" isExecutable="true" {process}>{body}</process></definitions>'.encode()


def _flow(match: re.Match[str]) -> str:
    attributes = match[1].replace("a=", "sourceRef=").replace("b=", "targetRef=")
    condition = f"<conditionExpression>{escape(match[2])}</conditionExpression>" if match[2] else ""
    return f"<sequenceFlow {attributes}>{condition}</sequenceFlow>"


def line(node: str) -> str:
    """Start, the node `w`, end."""
    return f'<startEvent id="s"/>{node}<endEvent id="e"/><f a="s" b="w"/><f a="w" b="e"/>'


TASK = '<userTask id="w" name="办理" xw:candidates="role:tenant_admin" xw:formKey="leave"/>'
LINE = line(TASK)


def task(name: str, more: str = "") -> str:
    """A user task with people and a form."""
    return f'<userTask id="{name}" name="{name}" xw:candidates="role:tenant_admin" xw:formKey="leave" {more}/>'


def places(spec: engine.Specification, state: bytes, node: str) -> tuple[str, ...]:
    """Return where `engine.move` puts the token at this element."""
    return engine.by_hand(spec, state).get(node, (False, ()))[1]


XYZ = 'xw:outcomes="x,y,z,d"'


def _timer(inside: str, more: str = "") -> str:
    return f'<boundaryEvent id="b" attachedToRef="w" {more}><timerEventDefinition>{inside}</timerEventDefinition></boundaryEvent>'


_MESSAGE = '<message id="m" name="answer"/>'
_LATE = '<endEvent id="le"/><f a="b" b="le"/>'
_DAYS = "<timeDuration>P2D</timeDuration>"


def large(nodes: int) -> bytes:
    """An approval of at most so many nodes, in rounds of five: do, ask, and where it was refused, do once more."""
    rounds = (nodes - 2) // 5
    body = '<startEvent id="s"/><f a="s" b="w0"/><endEvent id="e"/>'
    for n in range(rounds):
        after = f"w{n + 1}" if n + 1 < rounds else "e"
        body += (
            f'{task(f"w{n}")}<exclusiveGateway id="g{n}" default="d{n}"/>{task(f"x{n}")}<exclusiveGateway id="j{n}"/>'
            f'<parallelGateway id="p{n}"/><f a="w{n}" b="g{n}"/>'
            f'<f a="g{n}" b="x{n}" if="${{outcome == \'reject\' and form.days == null}}"/><f id="d{n}" a="g{n}" b="j{n}"/>'
            f'<f a="x{n}" b="j{n}"/><f a="j{n}" b="p{n}"/><f a="p{n}" b="{after}"/>'
        )
    return drawing(body, "large")


HONEST: dict[str, bytes] = {
    "one step": drawing(LINE),
    "two steps": drawing(
        f'<startEvent id="s"/>{task("a")}{task("b")}<endEvent id="e"/><f a="s" b="a"/><f a="a" b="b"/><f a="b" b="e"/>'
    ),
    "approval": drawing(
        f'<startEvent id="s"/>{task("w")}<exclusiveGateway id="g" default="no"/><endEvent id="yes"/><endEvent id="n"/>'
        '<f a="s" b="w"/><f a="w" b="g"/><f id="ok" a="g" b="yes" if="${outcome == \'agree\'}"/><f id="no" a="g" b="n"/>'
    ),
    "back to the applicant": drawing(
        f'<startEvent id="s"/><exclusiveGateway id="in"/>{task("fill")}{task("w")}<exclusiveGateway id="g" default="d"/>'
        '<endEvent id="e"/><f a="s" b="in"/><f a="in" b="fill"/><f a="fill" b="w"/><f a="w" b="g"/>'
        '<f a="g" b="in" if="${outcome == \'reject\'}"/><f id="d" a="g" b="e"/>'
    ),
    "by a number": drawing(
        f'<startEvent id="s"/>{task("w")}<exclusiveGateway id="g" default="d"/>{task("hr")}<endEvent id="e"/>'
        '<f a="s" b="w"/><f a="w" b="g"/><f a="g" b="hr" if="${form.days > 3}"/><f id="d" a="g" b="e"/><f a="hr" b="e"/>'
    ),
    "condition without braces": drawing(
        f'<startEvent id="s"/>{task("w")}<exclusiveGateway id="g" default="d"/>{task("hr")}<endEvent id="e"/>'
        '<f a="s" b="w"/><f a="w" b="g"/><f a="g" b="hr" if="form.days > 3"/><f id="d" a="g" b="e"/><f a="hr" b="e"/>'
    ),
    "in parallel": drawing(
        f'<startEvent id="s"/><parallelGateway id="f"/>{task("a")}{task("b")}<parallelGateway id="j"/><endEvent id="e"/>'
        '<f a="s" b="f"/><f a="f" b="a"/><f a="f" b="b"/><f a="a" b="j"/><f a="b" b="j"/><f a="j" b="e"/>'
    ),
    "in parallel and round again": drawing(
        f'<startEvent id="s"/><exclusiveGateway id="in"/><parallelGateway id="f"/>{task("a")}{task("b")}'
        f'<parallelGateway id="j"/>{task("w")}<exclusiveGateway id="g" default="d"/><endEvent id="e"/>'
        '<f a="s" b="in"/><f a="in" b="f"/><f a="f" b="a"/><f a="f" b="b"/><f a="a" b="j"/><f a="b" b="j"/>'
        '<f a="j" b="w"/><f a="w" b="g"/><f a="g" b="in" if="${outcome == \'again\'}"/><f id="d" a="g" b="e"/>'
    ),
    "inclusive": drawing(
        f'<startEvent id="s"/><inclusiveGateway id="f" default="d"/>{task("a")}{task("b")}{task("c")}'
        '<inclusiveGateway id="j"/><endEvent id="e"/><f a="s" b="f"/><f a="f" b="a" if="${form.a == true}"/>'
        '<f a="f" b="b" if="${form.b == true}"/><f id="d" a="f" b="c"/><f a="a" b="j"/><f a="b" b="j"/><f a="c" b="j"/>'
        '<f a="j" b="e"/>'
    ),
    "three ways": drawing(
        f'<startEvent id="s"/>{task("w", XYZ)}<exclusiveGateway id="g" default="d"/><endEvent id="e"/><endEvent id="x"/>'
        '<endEvent id="y"/><f a="s" b="w"/><f a="w" b="g"/><f a="g" b="x" if="${outcome == \'x\'}"/>'
        '<f a="g" b="y" if="${outcome in [\'y\', \'z\']}"/><f id="d" a="g" b="e"/>'
    ),
    "reminder": drawing(LINE + _timer(_DAYS, 'cancelActivity="false"') + _LATE),
    "deadline": drawing(LINE + _timer(_DAYS) + _LATE),
    "deadline on a date": drawing(LINE + _timer("<timeDate>2030-01-31T08:00:00+08:00</timeDate>") + _LATE),
    "deadline by a field": drawing(LINE + _timer("<timeDuration>${form.wait == null ? 'PT1H' : 'P1D'}</timeDuration>") + _LATE),
    "wait in the way": drawing(
        line('<intermediateCatchEvent id="w"><timerEventDefinition><timeDuration>PT10M</timeDuration>'
             "</timerEventDefinition></intermediateCatchEvent>")
    ),
    "message in the way": drawing(
        line('<intermediateCatchEvent id="w"><messageEventDefinition messageRef="m"/></intermediateCatchEvent>'),
        beside=_MESSAGE,
    ),
    "message that breaks off": drawing(
        LINE + '<boundaryEvent id="b" attachedToRef="w"><messageEventDefinition messageRef="m"/></boundaryEvent>' + _LATE,
        beside=_MESSAGE,
    ),
    "sub-process": drawing(
        line(f'<subProcess id="w"><startEvent id="is"/>{task("i")}<endEvent id="ie"/><f a="is" b="i"/><f a="i" b="ie"/></subProcess>')
    ),
    "sub-process with a deadline": drawing(
        line(f'<subProcess id="w"><startEvent id="is"/>{task("i")}<endEvent id="ie"/><f a="is" b="i"/><f a="i" b="ie"/></subProcess>')
        + _timer(_DAYS) + _LATE
    ),
    "sub-processes in each other": drawing(
        line('<subProcess id="w"><startEvent id="is"/><subProcess id="i"><startEvent id="iis"/>' + task("ii")
             + '<endEvent id="iie"/><f a="iis" b="ii"/><f a="ii" b="iie"/></subProcess><endEvent id="ie"/>'
             '<f a="is" b="i"/><f a="i" b="ie"/></subProcess>')
    ),
    "terminates": drawing(
        f'<startEvent id="s"/><parallelGateway id="f"/>{task("a")}{task("b")}<endEvent id="e"/>'
        '<endEvent id="t"><terminateEventDefinition/></endEvent><f a="s" b="f"/><f a="f" b="a"/><f a="f" b="b"/>'
        '<f a="a" b="e"/><f a="b" b="t"/>'
    ),
    "tasks of nobody": drawing(
        f'<startEvent id="s"/><task id="t"/><manualTask id="m"/>{task("w")}<endEvent id="e"/>'
        '<f a="s" b="t"/><f a="t" b="m"/><f a="m" b="w"/><f a="w" b="e"/>'
    ),
    "lanes": drawing(
        '<laneSet id="ls"><lane id="l1" name="部门"><flowNodeRef>s</flowNodeRef><flowNodeRef>w</flowNodeRef></lane>'
        '<lane id="l2" name="人事"><flowNodeRef>e</flowNodeRef></lane></laneSet>' + LINE
    ),
    "pool": drawing(LINE, beside='<collaboration id="c"><participant id="pa" name="公司" processRef="p"/></collaboration>'),
    "notes": drawing(
        LINE + '<textAnnotation id="n"><text>先看附件</text></textAnnotation><association id="as" sourceRef="w" targetRef="n"/>'
        "<documentation>说明</documentation>"
    ),
    "incoming and outgoing": drawing(
        '<startEvent id="s"><outgoing>f1</outgoing></startEvent>'
        '<userTask id="w" xw:candidates="role:hr" xw:formKey="leave"><documentation>x</documentation>'
        '<incoming>f1</incoming><outgoing>f2</outgoing></userTask><endEvent id="e"><incoming>f2</incoming></endEvent>'
        '<f id="f1" a="s" b="w"/><f id="f2" a="w" b="e"/>'
    ),
    "Flowable": drawing(
        line('<userTask id="w" name="Approve" flowable:candidateGroups="hr,viewer" flowable:formKey="leave" '
             'flowable:dueDate="P2D" flowable:priority="50" flowable:async="false"/>')
    ),
    "Activiti": drawing(
        line('<userTask id="w" activiti:candidateGroups="hr" activiti:formKey="leave" activiti:exclusive="true"/>')
    ),
    "Camunda 7": drawing(
        '<startEvent id="s"/><userTask id="w" camunda:assignee="${starter.id}" camunda:formKey="leave"/>'
        '<exclusiveGateway id="g" default="d"/><endEvent id="e"/><endEvent id="e2"/><f a="s" b="w"/><f a="w" b="g"/>'
        '<f a="g" b="e2" if="${outcome == \'reject\' && starter.id != null}"/><f id="d" a="g" b="e"/>'
    ),
    "assignee by expression": drawing(line('<userTask id="w" xw:assignee="${starter.id}" xw:formKey="leave"/>')),
    "long": drawing(
        '<startEvent id="s"/>' + "".join(task(f"t{n}") for n in range(40)) + '<endEvent id="e"/><f a="s" b="t0"/>'
        + "".join(f'<f a="t{n}" b="t{n + 1}"/>' for n in range(39)) + '<f a="t39" b="e"/>'
    ),
    "conditions that do sums": drawing(
        f'<startEvent id="s"/>{task("w")}<exclusiveGateway id="g" default="d"/>{task("big")}<endEvent id="e"/>'
        '<f a="s" b="w"/><f a="w" b="g"/><f id="d" a="g" b="e"/><f a="big" b="e"/>'
        '<f a="g" b="big" if="${form.price != null and form.price * form.count + 10 >= max(100, form.limit == null ? 0 : form.limit)}"/>'
    ),
}  # fmt: skip
"""By name; each has its own habits, and all of them deploy. The process id of all is `p`."""
