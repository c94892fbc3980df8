# ruff: noqa: E501
"""Drawings that cost: those that once hung or killed a process, and a generator of more, none larger than 20 KB."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from xml.sax.saxutils import escape

from tests.workflows.drawings import drawing, line

MAX_BYTES = 20_000
_END = '<startEvent id="s"/><endEvent id="e"/>'


def nested(depth: int, ways: int = 1) -> bytes:
    """Sub-processes in each other, with so many flows into each."""
    body = '<startEvent id="i"/><userTask id="iw"/><endEvent id="o"/><f a="i" b="iw"/><f a="iw" b="o"/>'
    for n in range(depth):
        between = "".join(
            f'<task id="t{n}_{w}"/><f a="g{n}" b="t{n}_{w}"/><f a="t{n}_{w}" b="n{n}"/>' for w in range(ways)
        )
        body = (
            f'<startEvent id="s{n}"/><exclusiveGateway id="g{n}"/><subProcess id="n{n}">{body}</subProcess>'
            f'<endEvent id="e{n}"/><f a="s{n}" b="g{n}"/>{between}<f a="n{n}" b="e{n}"/>'
        )
    return drawing(body)


def script(*lines: str, name: str = "w") -> str:
    """A script task."""
    return f'<scriptTask id="{name}" scriptFormat="groovy"><script>{escape(chr(10).join(lines))}</script></scriptTask>'


def in_a_row(*nodes: str) -> bytes:
    """So many nodes w0, w1, … one behind another."""
    names = ["s", *(f"w{n}" for n in range(len(nodes))), "e"]
    return drawing(_END + "".join(nodes) + "".join(f'<f a="{a}" b="{b}"/>' for a, b in pairwise(names)))


def loops(levels: int, number: str = "200") -> bytes:
    """Multi-instance sub-processes in each other."""
    loop = f"<multiInstanceLoopCharacteristics><loopCardinality>{number}</loopCardinality></multiInstanceLoopCharacteristics>"
    body = (
        f'<startEvent id="i"/><userTask id="iw">{loop}</userTask><endEvent id="o"/><f a="i" b="iw"/><f a="iw" b="o"/>'
    )
    for n in range(levels - 1):
        body = (
            f'<startEvent id="s{n}"/><subProcess id="n{n}">{loop}{body}</subProcess><endEvent id="e{n}"/>'
            f'<f a="s{n}" b="n{n}"/><f a="n{n}" b="e{n}"/>'
        )
    return drawing(body)


def choice(*conditions: str) -> bytes:
    """A gateway with these conditions."""
    flows = "".join(f'<f a="g" b="w" if="{escape(one)}"/>' for one in conditions)
    return drawing(
        f'{_END}<userTask id="w"/><exclusiveGateway id="g" default="d"/><f a="s" b="g"/><f a="w" b="e"/>{flows}<f id="d" a="g" b="e"/>'
    )


_DOUBLED = "execution.setVariable('x', [x, x])"
FOUND: dict[str, bytes] = {
    "22 levels": nested(22),
    "40 levels": nested(40),
    "5 levels, 12 ways into each": nested(5, 12),
    "5 levels, 30 ways into each": nested(5, 30),
    "5 levels, 50 ways into each": nested(5, 50),
    "a variable doubled in one script": drawing(line(script("execution.setVariable('x', 'aaaa')", *[_DOUBLED] * 24))),
    "a variable doubled in 24 scripts": in_a_row(script("execution.setVariable('x', 'a')", name="w0"), *(script(_DOUBLED, name=f"w{n}") for n in range(1, 24))),
    "a name of the script doubled": drawing(line(script("def x = 'aaaa'", *["x = [x, x]"] * 24, "execution.setVariable('y', x)"))),
    "a name of the script doubled and asked": drawing(line(script("def x = 'aaaa'", *["x = [x, x]"] * 24, "execution.setVariable('y', x == [x])"))),
    "lists 400 deep": drawing(line(script("def x = 'aaaa'", *["x = [x]"] * 400, "execution.setVariable('y', x == x)"))),
    "500 texts of 300 placeholders": choice(*("${x}" * 300 + str(n) for n in range(500))),
    "500 texts of 150 placeholders": choice(*("${x}" * 150 + str(n) for n in range(500))),
    "200 times 200 times 200 instances": loops(3),
}  # fmt: skip
"""The drawings that took more than two seconds or 200 MB, or ended the process."""


def _web(random: Random, kinds: tuple[str, ...], count: int, flows: int) -> bytes:
    """So many nodes in a row, and further flows from anywhere to anywhere."""
    names = ["s", *(f"n{n}" for n in range(count)), "e"]
    ways = [*pairwise(names), *((f"n{random.randrange(count)}", f"n{random.randrange(count)}") for _ in range(flows))]
    body = "".join(f'<{random.choice(kinds)} id="n{n}"/>' for n in range(count))
    return drawing(_END + body + "".join(f'<f a="{a}" b="{b}"/>' for a, b in ways))


def _borders(number: int) -> bytes:
    """As many timers round a sub-process as it has tasks."""
    timer = "<timerEventDefinition><timeDuration>{0}</timeDuration></timerEventDefinition>"
    names = ["is", *(f"t{n}" for n in range(number)), "ie"]
    inside = '<startEvent id="is"/><endEvent id="ie"/>' + "".join(f'<userTask id="t{n}"/>' for n in range(number))
    inside += "".join(f'<f a="{a}" b="{b}"/>' for a, b in pairwise(names))
    events = "".join(
        f'<boundaryEvent id="b{n}" attachedToRef="w" cancelActivity="false">{timer.format("PT1S" if n % 2 else "P1D")}'
        f'</boundaryEvent><f a="b{n}" b="e"/>'
        for n in range(number)
    )
    return drawing(f'{_END}<subProcess id="w">{inside}</subProcess><f a="s" b="w"/><f a="w" b="e"/>{events}')


def _handlers(number: int) -> bytes:
    """An event sub-process with so many starts into one row."""
    starts = "".join(
        f'<startEvent id="h{n}"><timerEventDefinition><timeDuration>P1D</timeDuration></timerEventDefinition></startEvent>'
        f'<f a="h{n}" b="r0"/>'
        for n in range(number)
    )
    row = "".join(f'<task id="r{n}"/>' for n in range(number)) + '<endEvent id="he"/>'
    row += "".join(f'<f a="{a}" b="{b}"/>' for a, b in pairwise([*(f"r{n}" for n in range(number)), "he"]))
    return drawing(
        line('<userTask id="w"/>') + f'<subProcess id="h" triggeredByEvent="true">{starts}{row}</subProcess>'
    )


def large() -> dict[str, bytes]:
    """Drawings as large as one may be, of every kind that costs."""
    random = Random(1)
    asked = "".join(f'<userTask id="t{n}"/>' for n in range(900)) + "".join(
        f'<exclusiveGateway id="g{n}"/>' for n in range(900)
    )
    asked += "".join(f'<f a="t{n}" b="g0"/>' for n in range(900))
    asked += "".join(
        f'<f a="{a}" b="{b}" if="form.a == 1"/><f a="{a}" b="{b}"/>'
        for a, b in pairwise([*(f"g{n}" for n in range(900)), "e"])
    )
    chosen = "".join(
        f'<eventBasedGateway id="g{n}"/><intermediateCatchEvent id="c{n}"><messageEventDefinition messageRef="m"/></intermediateCatchEvent><f a="g{n}" b="c{n}"/><f a="c{n}" b="e"/><f a="f" b="g{n}"/>'
        for n in range(499)
    )
    return {
        "a web of inclusive gateways": _web(random, ("inclusiveGateway", "userTask"), 1_100, 2_000),
        "a web of gateways": _web(random, ("exclusiveGateway", "inclusiveGateway", "parallelGateway", "userTask"), 1_100, 2_000),
        "a web of tasks that wait for nobody": _web(random, ("task", "exclusiveGateway"), 1_100, 2_000),
        "900 steps before 900 gateways": drawing(f'{_END}<parallelGateway id="f"/><f a="s" b="f"/>' + asked + "".join(f'<f a="f" b="t{n}"/>' for n in range(400))),
        "499 choices of events": drawing(f'{_END}<parallelGateway id="f"/><f a="s" b="f"/>{chosen}', beside='<message id="m" name="m"/>'),
        "990 timers round 990 steps": _borders(990),
        "900 starts of one event sub-process": _handlers(900),
        "20 levels, 45 ways into each": nested(20, 45),
        "2,000 plain starts": drawing(line('<userTask id="w"/>') + "".join(f'<startEvent id="x{n}"><timerEventDefinition/></startEvent><f a="x{n}" b="w"/>' for n in range(1_900))),
        "10,000 parameters": drawing(line('<serviceTask id="w" xw:operation="o"><extensionElements>' + "".join(f'<xw:parameter name="p{n}">1</xw:parameter>' for n in range(10_000)) + "</extensionElements></serviceTask>")),
    }  # fmt: skip


def _deep(random: Random) -> bytes:
    return nested(random.randint(3, 60), random.choice((1, 1, 2, 5, 12, 25)))


def _wide(random: Random) -> bytes:
    width, kind = random.randint(20, 110), random.choice(("parallelGateway", "inclusiveGateway"))
    node = random.choice(("userTask", "task", "subProcess"))
    inside = '<startEvent id="s{0}"/><endEvent id="e{0}"/><f a="s{0}" b="e{0}"/>' if node == "subProcess" else ""
    stages = random.randint(1, 6)
    body, last = _END, "s"
    for n in range(stages):
        body += f'<{kind} id="f{n}"/><{random.choice((kind, "exclusiveGateway", "inclusiveGateway"))} id="j{n}"/><f a="{last}" b="f{n}"/>'
        for w in range(width // stages):
            name = f"t{n}_{w}"
            body += (
                f'<{node} id="{name}">{inside.format(name)}</{node}><f a="f{n}" b="{name}"/><f a="{name}" b="j{n}"/>'
            )
        last = f"j{n}"
    return drawing(f'{body}<f a="{last}" b="e"/>')


_NODES = (
    '<userTask id="{0}"/>', '<task id="{0}"/>', '<parallelGateway id="{0}"/>', '<inclusiveGateway id="{0}"/>', '<exclusiveGateway id="{0}"/>',
    '<intermediateCatchEvent id="{0}"><timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition></intermediateCatchEvent>',
    '<intermediateCatchEvent id="{0}"><conditionalEventDefinition><condition>${{form.a == 1 || true}}</condition></conditionalEventDefinition></intermediateCatchEvent>',
    '<intermediateThrowEvent id="{0}"><signalEventDefinition signalRef="g"/></intermediateThrowEvent>',
    '<intermediateCatchEvent id="{0}"><signalEventDefinition signalRef="g"/></intermediateCatchEvent>',
    '<userTask id="{0}"><multiInstanceLoopCharacteristics><loopCardinality>200</loopCardinality></multiInstanceLoopCharacteristics></userTask>',
    '<task id="{0}"><multiInstanceLoopCharacteristics><loopCardinality>200</loopCardinality></multiInstanceLoopCharacteristics></task>',
    '<scriptTask id="{0}" scriptFormat="groovy"><script>execution.setVariable("v", [form, form, form])</script></scriptTask>',
)  # fmt: skip


def _looped(random: Random) -> bytes:
    """A web: every node has a way on, and any number of further ones to anywhere."""
    count = random.randint(5, 90)
    body = "".join(random.choice(_NODES).format(f"n{n}") for n in range(count))
    ways = [("s", "n0"), *((f"n{n}", f"n{n + 1}") for n in range(count - 1)), (f"n{count - 1}", "e")]
    ways += [(f"n{random.randrange(count)}", f"n{random.randrange(count)}") for _ in range(random.randint(0, count))]
    return drawing(_END + body + "".join(f'<f a="{a}" b="{b}"/>' for a, b in ways), beside='<signal id="g" name="g"/>')


def _scripted(random: Random) -> bytes:
    """Scripts that let values grow, in one or several tasks, in loops or not."""
    growing = (
        "x = [x, x]", "x = [x, x, x, x]", "x = x + x", "y = [x, y, x]", "execution.setVariable('x', [x, x])",
        "execution.setVariable('v{0}', x)", "execution.setVariable('v{0}', [x, y])", "if (x == [x]) { y = x }",
        "execution.setVariable('v', v + v)", "x = [[[[[[x]]]]]]",
    )  # fmt: skip
    tasks = random.randint(1, 12)
    lines = random.randint(10, 1_200) // tasks
    some = random.sample(growing, random.randint(1, 4))
    return in_a_row(*(
        script("def x = 'aaaaaaaaaa'", "def y = 'b'", "execution.setVariable('v', 'abc')",
               *(random.choice(some).replace("{0}", str(n % 150)) for n in range(lines)), name=f"w{task}")
        for task in range(tasks)
    ))  # fmt: skip


def _asking(random: Random) -> bytes:
    """Many or long conditions over few or many names."""
    names = [f"form.n{n}" for n in range(random.choice((1, 3, 9, 40)))]
    parts = random.choice((1, 5, 30, 90))
    form = random.choice(("{0} == {1}", "{0} > {1}", "size([{0}, {0}, {0}]) == {1}", "[{0}, {1}] == [{1}, {0}]"))

    def one() -> str:
        return " || ".join(form.format(random.choice(names), random.randint(0, 5)) for _ in range(parts))

    conditions: list[str] = []
    while sum(map(len, conditions)) < 9_000:
        conditions.append("${" + one() + "}")
    xml = choice(*conditions)
    return xml.replace(b' default="d"', b"") if random.random() < 0.5 else xml


def _repeated(random: Random) -> bytes:
    return loops(random.randint(1, 5), random.choice(("200", "50", "14", "form.n", "${size([1, 2, 3])}")))


KINDS = (_deep, _wide, _looped, _scripted, _asking, _repeated)


def drawn(seed: int) -> bytes:
    """Return the drawing of a seed: one of the six kinds, cut down until it is small enough."""
    random = Random(seed)
    kind = KINDS[seed % len(KINDS)]
    while len(xml := kind(random)) > MAX_BYTES:
        pass
    return xml
