"""Reads the XML of a model: no entities, no network, no DTD, limited in size."""

# mypy: disable-error-code="import-untyped"

import hashlib
from collections.abc import Iterator
from typing import Any

from lxml import etree

from workflows.engine.errors import ModelError, Problem

BPMN = "http://www.omg.org/spec/BPMN/20100524/MODEL"
DI = "{http://www.omg.org/spec/BPMN/20100524/DI}"
OURS = "urn:xunwei:bpmn"
VENDORS = ("http://flowable.org/bpmn", "http://activiti.org/bpmn", "http://camunda.org/schema/1.0/bpmn")

MAX_SIZE = 4_000_000  # bytes, with all that is called filled in
MAX_ELEMENTS = 80_000  # a model as large as the rules allow, with its diagram, has fewer
MAX_ATTRIBUTES = 50  # of one element, each of which is looked for among all of them

Element = Any  # lxml ships no types
PARAMETER = f"{{{OURS}}}parameter"  # what a service task gives its operation, by name
RESULT = f"{{{OURS}}}result"  # where what the operation answers goes, by name

_PREFIX = f"{{{BPMN}}}"


def read(xml: bytes) -> Element:
    """Return the root element of a document. Raises ModelError when it is too large, unsafe or no BPMN."""
    if len(xml) > MAX_SIZE:
        raise _refused("size", f"文件超过{MAX_SIZE}字节", f"The file is larger than {MAX_SIZE} bytes")
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(xml, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise _refused("xml", f"文件不是有效的XML：{error}", f"The file is not well-formed XML: {error}") from None
    # Asked after parsing, so that a doctype in UTF-16 is seen too.
    if root.getroottree().docinfo.doctype or root.getroottree().docinfo.internalDTD is not None:
        raise _refused("doctype", "文件不能带有DOCTYPE声明", "The file must not contain a DOCTYPE")
    for number, element in enumerate(root.iter(), start=1):
        if number > MAX_ELEMENTS:
            raise _refused("size", f"元素超过{MAX_ELEMENTS}个", f"There are more than {MAX_ELEMENTS} elements")
        if len(element.attrib) > MAX_ATTRIBUTES:
            zh = f"一个元素的属性超过{MAX_ATTRIBUTES}个"
            raise _refused("size", zh, f"An element has more than {MAX_ATTRIBUTES} attributes")
    if root.tag != tag("definitions"):
        raise _refused("not_bpmn", "文件不是BPMN 2.0模型", "The file is not a BPMN 2.0 model")
    return root


def _refused(code: str, text_zh: str, text_en: str) -> ModelError:
    return ModelError([Problem("", code, text_zh, text_en)])


def tag(name: str) -> str:
    """Return the full tag of a BPMN element."""
    return f"{{{BPMN}}}{name}"


def elements(root: Element) -> Iterator[Element]:
    """Yield all BPMN elements of a document, without its diagram and without elements of other languages."""
    yield from root.iter(f"{_PREFIX}*")


def local(element: Element) -> str:
    """Return the name of a BPMN element, '' for another element."""
    name = str(element.tag)
    return name[len(_PREFIX) :] if name.startswith(_PREFIX) else ""


MAX_PROCESS_ID = 60


def process_key(name: str) -> str:
    """Return the id under which a process is kept: its own, or its beginning with a digest where that is too long."""
    if len(name) <= MAX_PROCESS_ID:
        return name
    return f"{name[: MAX_PROCESS_ID - 9]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def ours(element: Element, name: str) -> str:
    """Return an attribute of our namespace, '' when absent."""
    return str(element.get(f"{{{OURS}}}{name}", "")).strip()


def parameters(node: Element) -> list[tuple[str, str]]:
    """Return names and texts of the parameters of a service task, in the order of the document."""
    return [
        (str(one.get("name", "")).strip(), text(one)) for one in node.findall(f"{tag('extensionElements')}/{PARAMETER}")
    ]


def results(node: Element) -> list[tuple[str, str]]:
    """Return names and targets of the results of a service task, in the order of the document."""
    found = node.findall(f"{tag('extensionElements')}/{RESULT}")
    return [(str(one.get("name", "")).strip(), str(one.get("to", "")).strip()) for one in found]


def message_place(node: Element) -> Element | None:
    """Return what says which message a node sends or waits for: the node, or its event definition; None for neither."""
    return node if local(node) in ("sendTask", "receiveTask") else node.find(tag("messageEventDefinition"))


def mapping(sub_process: Element, kind: str) -> dict[str, str]:
    """Return the templates, by name, of the elements of this kind that the translation of a call put there."""
    found = sub_process.findall(f"{tag('extensionElements')}/{{{OURS}}}{kind}")
    return {str(one.get("name")): text(one) for one in found}


def attribute(element: Element, name: str) -> str:
    """Return an attribute of our namespace, else of another engine's; '' when absent."""
    return next(
        (found for space in (OURS, *VENDORS) if (found := str(element.get(f"{{{space}}}{name}", "")).strip())), ""
    )


_DIALECT = f"{{{OURS}}}dialect"


def declares_vendor(root: Element) -> bool:
    """Return whether the root declares the XML namespace of Flowable, Activiti or Camunda."""
    return not set(VENDORS).isdisjoint(root.nsmap.values())


def speaks_vendor(root: Element) -> bool:
    """Return whether the document, or a process that is filled into it, uses another engine's dialect."""
    return declares_vendor(root) or any(process.get(_DIALECT) for process in root.findall(tag("process")))


def mark_vendor(process: Element) -> None:
    """Note in a process that what is filled into it uses another engine's dialect."""
    process.set(_DIALECT, "vendor")


def text(element: Element | None) -> str:
    """Return the trimmed text of an element, '' when there is none."""
    return "" if element is None else "".join(element.itertext()).strip()
