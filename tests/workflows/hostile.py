# ruff: noqa: E501
"""The hostile corpus: models and archives that want to run code, hang the server, eat its memory or fool its readers.

`CANARY` in a text stands for a file that only code which is run would make.
"""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

from tests.workflows.drawings import HEAD, LINE, TASK, drawing, line, task

CANARY = "@CANARY@"

PAYLOADS: dict[str, str] = {
    "dunder walk": "().__class__.__base__.__subclasses__()[0].__init__.__globals__",
    "import": f"__import__('os').system('touch {CANARY}')",
    "file": f"open('{CANARY}', 'w').write('x')",
    "format string": "'{0.__class__.__init__.__globals__[os]}'.format(form)",
    "frames": "(x for x in [1]).gi_frame.f_back.f_back.f_globals",
    "builtins override": f"__builtins__['eval'](\"open('{CANARY}', 'w')\")",
    "except*": f"exec(\"try:\\n raise ExceptionGroup('', [OSError()])\\nexcept* OSError as e:\\n open('{CANARY}', 'w')\")",
    "big power": "9 ** 9 ** 9 ** 9",
    "string multiplication": "'x' * 9999999999 * 9999999999",
    "endless comprehension": "[x for x in iter(int, 1)]",
    "deep nesting": "(" * 400 + "1" + ")" * 400,
    "lambda": "(lambda f: f(f))(lambda f: f(f))",
}


def _choice(condition: str, kind: str = "exclusiveGateway") -> str:
    return (
        f'<startEvent id="s"/>{TASK}<{kind} id="g" default="d"/><endEvent id="e"/><endEvent id="o"/><f a="s" b="w"/>'
        f'<f a="w" b="g"/><f id="d" a="g" b="e"/><sequenceFlow id="c" sourceRef="g" targetRef="o">'
        f"<conditionExpression>{escape(condition)}</conditionExpression></sequenceFlow>"
    )


def _attribute(name: str, value: str, kind: str = "userTask") -> str:
    return line(f'<{kind} id="w" {name}={quoteattr(value)}/>')


def _timer(inside: str) -> str:
    return line(
        f'<intermediateCatchEvent id="w"><timerEventDefinition>{inside}</timerEventDefinition></intermediateCatchEvent>'
    )


def _many(inside: str) -> str:
    return line(
        f'<userTask id="w"><multiInstanceLoopCharacteristics>{inside}</multiInstanceLoopCharacteristics></userTask>'
    )


def _inside(kind: str, inside: str) -> str:
    return line(f'<{kind} id="w">{inside}</{kind}>')


def _script(language: str, script: str) -> str:
    return f'<scriptTask id="w" scriptFormat="{language}"><script>{escape(script)}</script></scriptTask>'


POINTS: dict[str, Callable[[str], bytes]] = {
    "condition": lambda p: drawing(_choice("${" + p + "}")),
    "condition without braces": lambda p: drawing(_choice(p)),
    "condition with #": lambda p: drawing(_choice("#{" + p + "}")),
    "inclusive condition": lambda p: drawing(_choice("${" + p + "}", "inclusiveGateway")),
    "duration": lambda p: drawing(_timer(f"<timeDuration>{escape('${' + p + '}')}</timeDuration>")),
    "duration as Python": lambda p: drawing(_timer(f"<timeDuration>{escape(p)}</timeDuration>")),
    "date": lambda p: drawing(_timer(f"<timeDate>{escape('${' + p + '}')}</timeDate>")),
    "cycle": lambda p: drawing(_timer(f"<timeCycle>{escape(p)}</timeCycle>")),
    "due": lambda p: drawing(
        line(f'<intermediateCatchEvent id="w"><timerEventDefinition xw:due={quoteattr(p)}/></intermediateCatchEvent>')
    ),
    "assignee": lambda p: drawing(_attribute("xw:assignee", "${" + p + "}")),
    "candidates": lambda p: drawing(_attribute("xw:candidates", "role:${" + p + "}")),
    "Flowable assignee": lambda p: drawing(_attribute("flowable:assignee", "${" + p + "}")),
    "Activiti users": lambda p: drawing(_attribute("activiti:candidateUsers", "${" + p + "}")),
    "Camunda groups": lambda p: drawing(_attribute("camunda:candidateGroups", "${" + p + "}")),
    "due date": lambda p: drawing(_attribute("flowable:dueDate", "${" + p + "}")),
    "skip expression": lambda p: drawing(_attribute("flowable:skipExpression", "${" + p + "}")),
    "operation": lambda p: drawing(_attribute("xw:operation", p, "serviceTask")),
    "delegate": lambda p: drawing(_attribute("flowable:delegateExpression", "${" + p + "}", "serviceTask")),
    "parameter": lambda p: drawing(
        line(
            '<serviceTask id="w" xw:operation="message.send"><extensionElements><xw:parameter name="to">'
            f"{escape('${' + p + '}')}</xw:parameter></extensionElements></serviceTask>"
        )
    ),
    "field": lambda p: drawing(
        line(
            '<serviceTask id="w" flowable:class="message.send"><extensionElements><flowable:field name="to" '
            f"expression={quoteattr('${' + p + '}')}/></extensionElements></serviceTask>"
        )
    ),
    "script task": lambda p: drawing(line(_script("python", p))),
    "Groovy": lambda p: drawing(line(_script("groovy", p))),
    "Groovy value": lambda p: drawing(line(_script("groovy", f"execution.setVariable('x', {p})"))),
    "JavaScript value": lambda p: drawing(line(_script("javascript", f"var x = {p};"))),
    "JUEL script": lambda p: drawing(line(_script("juel", "${" + p + "}"))),
    "cardinality": lambda p: drawing(_many(f"<loopCardinality>{escape(p)}</loopCardinality>")),
    "completion condition": lambda p: drawing(
        _many(f"<completionCondition>{escape('${' + p + '}')}</completionCondition>")
    ),
    "listener": lambda p: drawing(
        _inside(
            "userTask",
            f'<extensionElements><flowable:taskListener event="create" expression={quoteattr("${" + p + "}")}/></extensionElements>',
        )
    ),
    "loop condition": lambda p: drawing(
        _inside(
            "userTask",
            f"<standardLoopCharacteristics><loopCondition>{escape(p)}</loopCondition></standardLoopCharacteristics>",
        )
    ),
    "Spiff script": lambda p: drawing(
        _inside(
            "userTask",
            f'<extensionElements><z:preScript xmlns:z="http://spiffworkflow.org/bpmn/schema/1.0/core">{escape(p)}</z:preScript></extensionElements>',
        )
    ),
    "outcomes": lambda p: drawing(_attribute("xw:outcomes", p)),
    "title": lambda p: drawing(LINE, process="xw:title=" + quoteattr("${" + p + "}")),
    "name": lambda p: drawing(line(f'<userTask id="w" name={quoteattr("${" + p + "}"[:70])} xw:formKey="x"/>')),
    "documentation": lambda p: drawing(_inside("userTask", f"<documentation>{escape('${' + p + '}')}</documentation>")),
    "message name": lambda p: drawing(
        line('<intermediateCatchEvent id="w"><messageEventDefinition messageRef="m"/></intermediateCatchEvent>'),
        beside=f'<message id="m" name={quoteattr("${" + p + "}")}/>',
    ),
    "correlation": lambda p: drawing(
        LINE,
        beside=f'<correlationProperty id="k"><correlationPropertyRetrievalExpression messageRef="m"><messagePath>{escape(p)}</messagePath></correlationPropertyRetrievalExpression></correlationProperty>',
    ),
}


def chain(length: int, kind: str = "task") -> str:
    """So many nodes one behind another."""
    return (
        '<startEvent id="s"/><endEvent id="e"/><f a="s" b="t0"/>'
        + "".join(f'<{kind} id="t{n}"/>' for n in range(length))
        + "".join(f'<f a="t{n}" b="t{n + 1}"/>' for n in range(length - 1))
        + f'<f a="t{length - 1}" b="e"/>'
    )


def nested(depth: int) -> str:
    """Sub-processes in each other."""
    body = '<startEvent id="i"/><userTask id="iw"/><endEvent id="o"/><f a="i" b="iw"/><f a="iw" b="o"/>'
    for n in range(depth):
        body = (
            f'<startEvent id="s{n}"/><subProcess id="n{n}">{body}</subProcess><endEvent id="e{n}"/>'
            f'<f a="s{n}" b="n{n}"/><f a="n{n}" b="e{n}"/>'
        )
    return body


def doubling(stages: int, kind: str = "exclusiveGateway") -> str:
    """Tokens that double at each stage, because what parted never joins."""
    body = '<startEvent id="s"/><f a="s" b="f0"/><endEvent id="e"/><userTask id="w"/><f a="w" b="e"/>'
    for n in range(stages):
        after = f"f{n + 1}" if n + 1 < stages else "w"
        body += f'<parallelGateway id="f{n}"/><{kind} id="m{n}"/><f a="m{n}" b="{after}"/><task id="l{n}"/><task id="r{n}"/>'
        body += f'<f a="f{n}" b="l{n}"/><f a="f{n}" b="r{n}"/><f a="l{n}" b="m{n}"/><f a="r{n}" b="m{n}"/>'
    return body


def fan(width: int) -> str:
    """One gateway, so many ways at once."""
    body = '<startEvent id="s"/><parallelGateway id="f"/><parallelGateway id="j"/><endEvent id="e"/><f a="s" b="f"/><f a="j" b="e"/>'
    return body + "".join(f'<userTask id="t{n}"/><f a="f" b="t{n}"/><f a="t{n}" b="j"/>' for n in range(width))


def round_and_round(*nodes: str) -> str:
    """A loop of these nodes, which nobody has to wait in."""
    names = [f"n{number}" for number in range(len(nodes))]
    body = '<startEvent id="s"/><exclusiveGateway id="in"/><exclusiveGateway id="g" default="d"/><endEvent id="e"/><f a="s" b="in"/>'
    body += "".join(f'<{kind} id="{name}"/>' for kind, name in zip(nodes, names, strict=True))
    ways = ["in", *names, "g"]
    body += "".join(f'<f a="{a}" b="{b}"/>' for a, b in pairwise(ways))
    return body + '<f a="g" b="in" if="true"/><f id="d" a="g" b="e"/>'


def _id(name: str) -> str:
    return LINE.replace(
        '"w"', quoteattr(name, {'"': "&quot;"}) if '"' not in name else '"' + escape(name, {'"': "&quot;"}) + '"'
    )


_SUB = '<subProcess id="w">{}</subProcess>'
_IN = '<startEvent id="is"/><endEvent id="ie"/>'
_PLAIN = "<timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>"

STRUCTURES: dict[str, bytes] = {
    "chain of 1,000": drawing(chain(1_000)),
    "chain of 5,000": drawing(chain(5_000)),
    "chain of 298 people": drawing(chain(298, "userTask")),
    "calls itself": drawing(line('<callActivity id="w" calledElement="p"/>')),
    "calls another": drawing(line('<callActivity id="w" calledElement="q"/>')),
    "two processes that call each other": f'{HEAD}<process id="a"><callActivity id="x" calledElement="b"/></process><process id="b"><callActivity id="y" calledElement="a"/></process></definitions>'.encode(),
    "loop of nothing": drawing(round_and_round()),
    "loop of tasks": drawing(round_and_round("task", "task")),
    "loop of manual tasks": drawing(round_and_round("manualTask")),
    "loop of an inclusive gateway": drawing(round_and_round("inclusiveGateway")),
    "loop of a parallel gateway": drawing(round_and_round("parallelGateway")),
    "loop of a sub-process": drawing(round_and_round("task").replace('<task id="n0"/>', f'<subProcess id="n0">{_IN}<f a="is" b="ie"/></subProcess>')),
    "flow to itself": drawing(LINE + '<exclusiveGateway id="g"/><f a="g" b="g"/>'),
    "loop of timers": drawing(round_and_round("task").replace('<task id="n0"/>', f'<intermediateCatchEvent id="n0">{_PLAIN.replace("PT1H", "PT0S")}</intermediateCatchEvent>')),
    "a million instances": drawing(_many("<loopCardinality>1000000</loopCardinality>")),
    "a million one by one": drawing(_many("<loopCardinality>1000000</loopCardinality>").replace("Characteristics>", 'Characteristics isSequential="true">', 1)),
    "instances of a list": drawing(_many("<loopDataInputRef>items</loopDataInputRef>")),
    "endless standard loop": drawing(_inside("userTask", '<standardLoopCharacteristics loopMaximum="1000000000"/>')),
    "100 deep": drawing(nested(100)),
    "6 deep": drawing(nested(6)),
    "5 deep": drawing(nested(5)),
    "1,024 tokens": drawing(doubling(10)),
    "a million tokens": drawing(doubling(20)),
    "tokens through inclusive gateways": drawing(doubling(12, "inclusiveGateway")),
    "parallel blocks": drawing(doubling(20, "parallelGateway")),
    "fan of 140": drawing(fan(140)),
    "fan of 500": drawing(fan(500)),
    "999 flows between two": drawing('<startEvent id="s"/><exclusiveGateway id="g"/><userTask id="w"/><endEvent id="e"/><f a="s" b="g"/><f a="w" b="e"/>' + '<f a="g" b="w"/>' * 990),
    "5,000 flows": drawing(LINE + '<f a="w" b="e"/>' * 5_000),
    "flow from nowhere": drawing(LINE + '<f a="no" b="w"/>'),
    "flow to nowhere": drawing(LINE + '<f a="w" b="no"/>'),
    "flow without ends": drawing(LINE + "<sequenceFlow/>"),
    "flow into a sub-process": drawing(line(_SUB.format(_IN + '<userTask id="iw"/><f a="is" b="iw"/><f a="iw" b="ie"/>')) + '<f a="s" b="iw"/>'),
    "flow out of a sub-process": drawing(line(_SUB.format(_IN + '<f a="is" b="ie"/><f a="is" b="e"/>'))),
    "the same id twice": drawing(LINE + TASK),
    "the same id in two scopes": drawing(line(_SUB.format(_IN + '<userTask id="s"/><f a="is" b="s"/><f a="s" b="ie"/>'))),
    "id of a flow and a node": drawing(LINE.replace('<f a="w" b="e"/>', '<f id="w" a="w" b="e"/>')),
    "id of the process and a node": drawing(LINE.replace('"w"', '"p"')),
    "no id": drawing(LINE + "<userTask/>"),
    "empty id": drawing(_id("")),
    "id with a quote": drawing(_id("a'b")),
    "id with a double quote": drawing(_id('a"b')),
    "id that is XPath": drawing(_id("x' or '1'='1")),
    "id with brackets": drawing(_id("a]|//*[1")),
    "id of 100,000 signs": drawing(_id("a" * 100_000)),
    "id of the library": drawing(_id("End")),
    "id of the library's own nodes": drawing(_id("w.BoundaryEventSplit")),
    "id with a path": drawing(_id("../../etc/passwd")),
    "process id of 61": drawing(LINE, key="p" * 61),
    "process id with markup": drawing(LINE, key="&lt;img&gt;"),
    "process without an id": f"{HEAD}<process>{LINE}</process></definitions>".encode(),
    "no process": f"{HEAD}</definitions>".encode(),
    "not executable": drawing(LINE).replace(b'isExecutable="true"', b'isExecutable="false"'),
    "no start": drawing('<userTask id="w"/><endEvent id="e"/><f a="w" b="e"/>'),
    "two starts": drawing(LINE + '<startEvent id="s2"/><f a="s2" b="w"/>'),
    "no end": drawing('<startEvent id="s"/><userTask id="w"/><f a="s" b="w"/><f a="w" b="w"/>'),
    "way to nowhere": drawing(LINE.replace('<f a="w" b="e"/>', "")),
    "cannot be reached": drawing(LINE + '<userTask id="x"/><f a="x" b="e"/>'),
    "join that waits for ever": drawing(f'<startEvent id="s"/><exclusiveGateway id="g" default="d"/>{task("a")}{task("b")}<parallelGateway id="j"/><endEvent id="e"/><f a="s" b="g"/><f id="d" a="g" b="a"/><f a="g" b="b" if="form.x == 1"/><f a="a" b="j"/><f a="b" b="j"/><f a="j" b="e"/>'),
    "event on itself": drawing(LINE + f'<boundaryEvent id="b" attachedToRef="b">{_PLAIN}</boundaryEvent><f a="b" b="e"/>'),
    "event on a gateway": drawing(LINE + f'<exclusiveGateway id="g"/><boundaryEvent id="b" attachedToRef="g">{_PLAIN}</boundaryEvent><f a="b" b="e"/>'),
    "event on nothing": drawing(LINE + f'<boundaryEvent id="b">{_PLAIN}</boundaryEvent><f a="b" b="e"/>'),
    "event of two kinds": drawing(LINE + f'<boundaryEvent id="b" attachedToRef="w">{_PLAIN}<messageEventDefinition/></boundaryEvent><f a="b" b="e"/>'),
    "events on one task": drawing(LINE + "".join(f'<boundaryEvent id="b{n}" attachedToRef="w" cancelActivity="false">{_PLAIN}</boundaryEvent><f a="b{n}" b="e"/>' for n in range(150))),
    "event sub-process": drawing(LINE + f'<subProcess id="x" triggeredByEvent="true">{_IN}<f a="is" b="ie"/></subProcess>'),
    "transaction": drawing(line(f'<transaction id="w">{_IN}<f a="is" b="ie"/></transaction>')),
    "ad hoc": drawing(line('<adHocSubProcess id="w"><userTask id="x"/></adHocSubProcess>')),
    "complex gateway": drawing(line('<complexGateway id="w"/>')),
    "link": drawing(line('<intermediateCatchEvent id="w"><linkEventDefinition name="x"/></intermediateCatchEvent>')),
    "signal end": drawing(LINE.replace('<endEvent id="e"/>', '<endEvent id="e"><signalEventDefinition/></endEvent>')),
    "compensation": drawing(LINE + '<boundaryEvent id="b" attachedToRef="w"><compensateEventDefinition/></boundaryEvent><f a="b" b="e"/>'),
    "foreign default": drawing(LINE + '<exclusiveGateway id="g" default="nothing"/><f a="g" b="e"/>'),
    "data store": drawing(LINE + '<dataStoreReference id="d" dataStoreRef="x"/>'),
    "lane of nobody": drawing('<laneSet id="l"><lane id="l1"><flowNodeRef>nobody</flowNodeRef></lane></laneSet>' + LINE),
    "message of nobody": drawing(line('<intermediateCatchEvent id="w"><messageEventDefinition messageRef="no"/></intermediateCatchEvent>')),
}  # fmt: skip
HARMLESS = {
    "chain of 298 people", "chain of 1,000", "5 deep", "6 deep", "fan of 140", "fan of 500", "data store", "parallel blocks",
    "events on one task", "lane of nobody", "id of the process and a node", "tokens through inclusive gateways",
    "id of the library", "no id", "way to nowhere", "cannot be reached", "process id of 61",
    "two starts", "no start",
}  # fmt: skip
"""Structures that look bad and are not: they may deploy."""

_BODY = f'<process id="p" isExecutable="true">{drawing(LINE).decode().partition("<process")[2].partition(">")[2].rpartition("</process>")[0]}</process>'
_B = 'xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xw="urn:xunwei:bpmn"'


def _doctype(inside: str, use: str = "") -> bytes:
    return f"<!DOCTYPE d {inside}><definitions {_B}>{_BODY.replace('办理', '办理' + use)}</definitions>".encode()


_BOMB = '[<!ENTITY a0 "lol">' + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12)) + "]"

DOCUMENTS: dict[str, bytes] = {
    "entity of a file": _doctype('[<!ENTITY x SYSTEM "file:///etc/passwd">]', "&x;"),
    "entity of a socket": _doctype('[<!ENTITY x SYSTEM "http://127.0.0.1:9/x">]', "&x;"),
    "parameter entity": _doctype('[<!ENTITY % x SYSTEM "file:///etc/passwd"> %x;]'),
    "outer DTD": _doctype('SYSTEM "http://127.0.0.1:9/x.dtd"'),
    "public DTD": _doctype('PUBLIC "-//X//X" "file:///etc/passwd"'),
    "empty DTD": _doctype("[]"),
    "bomb of entities": _doctype(_BOMB, "&a11;"),
    "quadratic bomb": _doctype(f'[<!ENTITY a "{"x" * 50_000}">]', "&a;" * 10_000),
    "entity in an attribute": _doctype('[<!ENTITY x "y">]').replace(b'"w"', b'"&x;"'),
    "entity of itself": _doctype('[<!ENTITY x "&x;">]', "&x;"),
    "unknown entity": f"<definitions {_B}>{_BODY}&nope;</definitions>".encode(),
    "doctype in UTF-16": '<?xml version="1.0" encoding="UTF-16"?>'.encode("utf-16") + f"<!DOCTYPE d><definitions {_B}>{_BODY}</definitions>".encode("utf-16")[2:],
    "inclusion": f'<definitions {_B} xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="file:///etc/passwd" parse="text"/>{_BODY}</definitions>'.encode(),
    "inclusion in a step": drawing(_inside("userTask", '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd"/>')),
    "style sheet": b'<?xml-stylesheet href="file:///etc/passwd" type="text/xsl"?>' + f"<definitions {_B}>{_BODY}</definitions>".encode(),
    "schema from elsewhere": f'<definitions {_B} xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:x http://127.0.0.1:9/x.xsd">{_BODY}</definitions>'.encode(),
    "import": f'<definitions {_B}><import importType="x" location="file:///etc/passwd" namespace="x"/>{_BODY}</definitions>'.encode(),
    "20 megabytes": f"<definitions {_B}>{' ' * 20_000_000}</definitions>".encode(),
    "just above the limit": f"<definitions {_B}>{' ' * 4_000_000}</definitions>".encode(),
    "100,000 attributes": f"<definitions {_B} {' '.join(f'a{n}=' + chr(34) + chr(34) for n in range(90_000))}>{_BODY}</definitions>".encode(),
    "100,000 elements": f"<definitions {_B}>{'<a/>' * 200_000}{_BODY}</definitions>".encode(),
    "100,000 name spaces": f"<definitions {_B} {' '.join(f'xmlns:n{n}=' + chr(34) + 'u' + chr(34) for n in range(40_000))}>{_BODY}</definitions>".encode(),
    "300 deep": f"<definitions {_B}>{'<a>' * 300}{'</a>' * 300}</definitions>".encode(),
    "250 deep in a step": drawing(_inside("userTask", f"<extensionElements>{'<z>' * 200}{'</z>' * 200}</extensionElements>")),
    "one long attribute": drawing(LINE.replace('name="办理"', f'name="{"x" * 900_000}"')),
    "one long text": drawing(_inside("userTask", f"<documentation>{'x' * 900_000}</documentation>")),
    "the same attribute twice": f"<definitions {_B}>{_BODY.replace('id=', 'id=' + chr(34) + 'q' + chr(34) + ' id=', 1)}</definitions>".encode(),
    "a NUL": drawing(LINE.replace("办理", "办\x00理")),
    "a NUL as a reference": drawing(LINE.replace("办理", "办&#0;理")),
    "a control sign as a reference": drawing(LINE.replace("办理", "办&#x1f;理")),
    "half a pair": drawing(LINE.replace("办理", "办&#xD800;理")),
    "broken UTF-8": drawing(LINE).replace("办".encode(), b"\xff\xfe"),
    "UTF-16": ('<?xml version="1.0" encoding="UTF-16"?>' + f"<definitions {_B}>{_BODY}</definitions>").encode("utf-16"),
    "UTF-32": f"<definitions {_B}>{_BODY}</definitions>".encode("utf-32"),
    "UTF-7": f'<?xml version="1.0" encoding="UTF-7"?><definitions {_B}>{_BODY}</definitions>'.encode("utf-7"),
    "another encoding than it says": f'<?xml version="1.0" encoding="ISO-8859-1"?><definitions {_B}>{_BODY}</definitions>'.encode("gbk"),
    "an encoding nobody knows": f'<?xml version="1.0" encoding="x-none"?><definitions {_B}>{_BODY}</definitions>'.encode(),
    "cut off": drawing(LINE)[:-20],
    "nothing": b"",
    "blanks": b"   \n",
    "HTML": b"<html><script>alert(1)</script></html>",
    "SVG": b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    "a picture": b"\x89PNG\r\n\x1a\n" + b"\x00" * 100,
    "JSON": b'{"process": 1}',
    "wrong name space": drawing(LINE).replace(b"20100524", b"20110524"),
    "no name space": b"<definitions><process id='p'/></definitions>",
}  # fmt: skip
"""Documents; those that are honest by chance may deploy, none may read, reach or eat anything."""


def archive(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED, **entry: object) -> bytes:
    """A zip; `entry` are attributes of each of its entries."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as target:
        for name, content in files.items():
            info = zipfile.ZipInfo("x")
            info.filename = name
            info.compress_type = method
            for attribute, value in entry.items():
                setattr(info, attribute, value)
            target.writestr(info, content)
    return out.getvalue()


_M = {"a.bpmn": drawing(LINE)}
_ZIP = archive(_M)


def _patched(content: bytes, old: bytes, new: bytes) -> bytes:
    assert old in content
    return content.replace(old, new)


def _lying(size: int) -> bytes:
    """An archive that says its content is small, and unpacks to so many bytes."""
    content = bytearray(archive({"a.bpmn": b" " * size}))
    place = content.rfind(b"PK\x01\x02")
    struct.pack_into("<I", content, place + 24, 100)
    struct.pack_into("<I", content, 22, 100)
    return bytes(content)


def _twice() -> bytes:
    """An archive with two entries of one name; the library reads the second, others the first."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as target:
        target.writestr("a.bpmn", drawing(LINE))
        target.writestr("b.bpmn", drawing(LINE.replace("办理", "另一")))
    return out.getvalue().replace(b"b.bpmn", b"a.bpmn")


@cache
def archives() -> dict[str, bytes]:
    """Archives by what is wrong with them; made when they are asked for, some are large."""
    return {
        "up and out": archive({"../a.bpmn": _M["a.bpmn"]}),
        "far up and out": archive({"x/../../../../tmp/a.bpmn": _M["a.bpmn"]}),
        "absolute": archive({"/tmp/a.bpmn": _M["a.bpmn"]}),
        "of a drive": archive({"C:/a.bpmn": _M["a.bpmn"]}),
        "of a drive, backwards": archive({"C:\\a.bpmn": _M["a.bpmn"]}),
        "of a network": archive({"\\\\host\\share\\a.bpmn": _M["a.bpmn"]}),
        "up, backwards": archive({"..\\a.bpmn": _M["a.bpmn"]}),
        "up in a name": archive({"x/..": b"", "x/../a.bpmn": _M["a.bpmn"]}),
        "a line break in a name": archive({"a\nb.bpmn": _M["a.bpmn"]}),
        "a turned name": archive({"a\u202enpmb.bpmn": _M["a.bpmn"]}),
        "a long name": archive({"a" * 60_000 + ".bpmn": _M["a.bpmn"]}),
        "a link": archive(_M, external_attr=0o120777 << 16),
        "a link to a file": archive({"a.bpmn": b"/etc/passwd"}, external_attr=0o120777 << 16),
        "a device": archive(_M, external_attr=0o060666 << 16),
        "a bomb": archive({"a.bpmn": b" " * 50_000_000}),
        "many bombs": archive({f"{n}.bpmn": b" " * 5_000_000 for n in range(20)}),
        "a bomb that lies": _lying(50_000_000),
        "an archive in it": archive({"a.zip": _ZIP}),
        "an archive that says it is a model": archive({"a.bpmn": _ZIP}),
        "65,000 entries": archive({f"{n}.bpmn": b"" for n in range(65_000)}, zipfile.ZIP_STORED),
        "300 folders": archive({f"{n}/": b"" for n in range(300)}),
        "only folders": archive({"a/": b""}),
        "nothing in it": archive({}),
        "the same name twice": _twice(),
        "locked": _patched(_ZIP, b"PK\x03\x04\x14\x00\x00\x00", b"PK\x03\x04\x14\x00\x01\x00").replace(b"PK\x01\x02\x14\x03\x14\x00\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01\x00"),
        "LZMA": archive(_M, zipfile.ZIP_LZMA),
        "BZIP2": archive(_M, zipfile.ZIP_BZIP2),
        "cut off": _ZIP[:-30],
        "without its begin": _ZIP[40:],
        "broken inside": _ZIP[:60] + b"\xff" * 20 + _ZIP[80:],
        "a method nobody knows": _patched(_ZIP, b"\x08\x00", b"\x63\x00"),
        "only its end": _ZIP[-22:],
        "words before it": b"#!/bin/sh\nexit 1\n" + _ZIP,
        "no archive": b"PK\x03\x04" + b"x" * 500,
        "a program in it": archive({"a.exe": b"MZ"}),
        "6 megabytes": archive({"a.bpmn": b"x"}) + b"\x00" * 6_000_000,
    }  # fmt: skip


HONEST_ARCHIVES = {"words before it", "a device", "a long name"}
"""These may deploy: what stands in them is an honest model."""

LABELS = (
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"><svg/onload=alert(1)>", "'-alert(1)-'",
    "javascript:alert(1)", "{{7*7}}", "${7*7}", "#{7*7}", "<%= 7*7 %>", "{% debug %}", "<#assign x=1>", "%s%n%x",
    "{0.__class__}", "=cmd|' /C calc'!A0", "'; DROP TABLE x; --", "]]><!--", "&lt;b&gt;", "\u202e反转\u200b零宽",
    "\x1b[31mred".replace("\x1b", "ESC"), "第一行 第二行 " + "长" * 40,
)  # fmt: skip


def labelled(text: str) -> bytes:
    """A model with this text in every label."""
    name = quoteattr(text)
    return drawing(
        f'<startEvent id="s" name={name}/><userTask id="w" name={name} xw:nameEn={name} xw:candidates="role:hr" xw:formKey="x">'
        f'<documentation>{escape(text)}</documentation></userTask><exclusiveGateway id="g" name={name} default="d"/>'
        f'<endEvent id="e" name={name}/><f a="s" b="w"/><f a="w" b="g"/>'
        f'<sequenceFlow id="d" sourceRef="g" targetRef="e" name={name}/><textAnnotation id="t"><text>{escape(text)}</text></textAnnotation>',
        name="@NAME@",
    ).replace(b'"@NAME@"', name.encode())
