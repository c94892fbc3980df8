"""Splits a file with several processes, one for each participant, into models of one process each."""

# mypy: disable-error-code="import-untyped"

from copy import deepcopy

from lxml import etree

from workflows.engine.document import DI, Element, local, read, tag
from workflows.engine.errors import ModelError

MAX_PROCESSES = 20


def split(xml: bytes) -> list[tuple[str, bytes]]:
    """Return the process id and document of each process; the file as it is, under '', where it is not split.

    Each document has the declarations beside the processes, its participant and its part of the diagram. Message flows
    between participants are removed: they run nowhere.
    """
    try:
        root = read(xml)
    except ModelError:
        return [("", xml)]  # parsing it tells why
    names = [process.get("id", "") for process in root.findall(tag("process"))]
    if not 2 <= len(names) <= MAX_PROCESSES or not all(names) or len(set(names)) < len(names):
        return [("", xml)]
    return [(name, etree.tostring(_only(root, name), xml_declaration=True, encoding="UTF-8")) for name in names]


def _only(root: Element, name: str) -> Element:
    root = deepcopy(root)
    for process in root.findall(tag("process")):
        if process.get("id") != name:
            root.remove(process)
    for collaboration in root.findall(tag("collaboration")):
        for child in list(collaboration):
            is_of_another = local(child) == "participant" and child.get("processRef") != name
            if is_of_another or local(child) == "messageFlow":
                collaboration.remove(child)
        if collaboration.find(tag("participant")) is None:
            root.remove(collaboration)
    left = {element.get("id") for element in root.iter() if local(element)}
    for diagram in root.findall(f"{DI}BPMNDiagram"):
        for shape in [one for one in diagram.iter() if one.get("bpmnElement") and one.get("bpmnElement") not in left]:
            if shape.tag == f"{DI}BPMNPlane":
                shape.set("bpmnElement", name)
            else:
                shape.getparent().remove(shape)
        if not any(one.tag in (f"{DI}BPMNShape", f"{DI}BPMNEdge") for one in diagram.iter()):
            root.remove(diagram)
    return root
