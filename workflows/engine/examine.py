"""The gate's questions to a drawing, beyond whether it can be parsed; each is asked of a document that can."""

from collections.abc import Mapping

from workflows.engine import advice, paths
from workflows.engine.document import local, ours, read, tag
from workflows.engine.errors import ModelError, Problem


def advise(xml: bytes) -> list[Problem]:
    """Warnings: what a model that can run is probably not meant to be."""
    return advice.of(read(xml))


def missing_effects(xml: bytes, required: paths.Required) -> list[Problem]:
    """Ends that can be reached without one operation of each group, called in the groups' order."""
    return paths.missing(read(xml), required)


def strange_inputs(xml: bytes, pattern: bytes) -> list[Problem]:
    """Calls of an operation that would be given the input of another step than in the pattern, such as an added one's.

    An operation reads what the person said at the step before it; it has to be that step.
    """
    root = read(xml)
    known, asked = paths.inputs(read(pattern)), paths.inputs(root)
    problems = []
    for element in root.iter():
        name = ours(element, "operation") if local(element) == "serviceTask" else ""
        strange = asked.get(name, set()) - known.get(name, set())
        if name in known and strange:
            steps = ", ".join(sorted(strange))
            zh = f"操作“{name}”需要原步骤的输入，不能紧接在“{steps}”之后"
            en = f"The operation “{name}” needs the input of its own step and cannot follow “{steps}”"
            problems.append(Problem(element.get("id", ""), "effect_input", zh, en))
    return problems


def dues(xml: bytes) -> Mapping[str, str]:
    """By node the due function that its timer names."""
    found = {}
    for element in read(xml).iter():
        if local(element) == "timerEventDefinition" and (due := ours(element, "due")):
            found[element.getparent().get("id", "")] = due
    return found


def process_id(xml: bytes) -> str:
    """The id of the one process of a document, '' where it cannot be read or has none or several."""
    try:
        processes = read(xml).findall(tag("process"))
    except ModelError:
        return ""
    return str(processes[0].get("id", "")) if len(processes) == 1 else ""
