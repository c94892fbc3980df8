"""Reads the forms that other engines' designers put into a node."""

from collections.abc import Iterator
from types import MappingProxyType

from workflows.engine.document import VENDORS, Element, tag
from workflows.engine.elements import FIELD_ELEMENTS
from workflows.engine.model import VendorField


def form_fields(node: Element) -> Iterator[VendorField]:
    """Yield the fields of the form that another engine's designer put into the node."""
    for element in node.findall(f"{tag('extensionElements')}//*"):
        space, _brace, kind = str(element.tag).rpartition("}")
        if space[1:] not in VENDORS or kind not in FIELD_ELEMENTS:
            continue
        inner = [(str(child.tag).rpartition("}")[2], child) for child in element]
        limits = [limit for name, child in inner if name == "validation" for limit in child]
        yield VendorField(
            attributes=MappingProxyType({str(name): str(value) for name, value in element.attrib.items()}),
            rules=MappingProxyType({limit.get("name", ""): limit.get("config", "") for limit in limits}),
            options=tuple((child.get("id", ""), child.get("name", "")) for name, child in inner if name == "value"),
            unread=(
                *(name for name, _child in inner if name not in ("value", "validation")),
                *(str(said) for name, child in inner if name == "value" for said in set(child.attrib) - {"id", "name"}),
                *(str(said) for limit in limits for said in set(limit.attrib) - {"name", "config"}),
            ),
        )
