"""The gate's questions to a drawing, beyond whether it can be parsed; each is asked of the root of a document that can.

Nothing here changes the document, so that one reading serves all of them; `parse` reads one of its own.
"""

# mypy: disable-error-code="import-untyped"

from collections.abc import Collection, Mapping

from lxml import etree

from workflows.engine import advice, many, paths, rules
from workflows.engine.document import DI, Element, local, ours, read, tag
from workflows.engine.errors import ModelError, Problem


def advise(root: Element) -> list[Problem]:
    """Warnings: what a model that can run is probably not meant to be."""
    return advice.of(root)


def missing_effects(root: Element, required: paths.Required) -> list[Problem]:
    """Ends that can be reached without one operation of each group, called in the groups' order."""
    return paths.missing(root, required)


def inputs(root: Element) -> dict[str, set[str]]:
    """By operation, the steps, timers and messages whose input a call of it may be given."""
    return paths.inputs(root)


def strange_inputs(root: Element, known: Mapping[str, Collection[str]]) -> list[Problem]:
    """Calls of an operation that would be given the input of another step than is `known`, such as an added one's.

    An operation reads what the person said at the step before it; it has to be that step. Known are the `inputs` of
    the model that the operation was made for.
    """
    asked = inputs(root)
    problems = []
    for element in root.iter(tag("serviceTask")):
        name = ours(element, "operation")
        strange = asked.get(name, set()).difference(known.get(name, ()))
        if name in known and strange:
            steps = ", ".join(sorted(strange))
            zh = f"操作“{name}”需要原步骤的输入，不能紧接在“{steps}”之后"
            en = f"The operation “{name}” needs the input of its own step and cannot follow “{steps}”"
            problems.append(Problem(element.get("id", ""), "effect_input", zh, en))
    return problems


def repeated(root: Element) -> frozenset[str]:
    """The nodes that are done several times for one token: activities with a loop, and all that lies in them."""
    loops = [loop.getparent() for loop in root.iter(tag(many.LOOP))]
    return frozenset(node.get("id", "") for around in loops for node in around.iter() if local(node) in rules.NODES)


def dues(root: Element) -> Mapping[str, str]:
    """By node the due function that its timer names."""
    found = {}
    for element in root.iter(tag("timerEventDefinition")):
        if due := ours(element, "due"):
            found[element.getparent().get("id", "")] = due
    return found


def meaning(xml: bytes) -> bytes:
    """The document without its diagram, which nothing here asks for; as it is where it cannot be read."""
    try:
        root = read(xml)
    except ModelError:
        return xml
    for diagram in root.findall(f"{DI}BPMNDiagram"):
        root.remove(diagram)
    return bytes(etree.tostring(root, encoding="UTF-8"))


def process_id(xml: bytes) -> str:
    """The id of the one process of a document, '' where it cannot be read or has none or several."""
    try:
        processes = read(xml).findall(tag("process"))
    except ModelError:
        return ""
    return str(processes[0].get("id", "")) if len(processes) == 1 else ""
