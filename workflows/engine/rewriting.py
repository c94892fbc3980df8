"""What every rewriting of a document needs: free ids, new elements and flows, and declared messages."""

from workflows.engine.document import Element, elements, tag
from workflows.engine.elements import MAX_ID


class FreeIds:
    """The ids of a document, and new ones that nothing has yet."""

    def __init__(self, root: Element) -> None:
        self._used = {element.get("id") for element in elements(root) if element.get("id")}
        self.declared = {
            (kind, one.get("id")): one
            for kind in ("message", "signal")
            for one in root.findall(tag(kind))
            if one.get("id")
        }
        """The messages and signals of the document, by kind and id."""

    def new(self, name: str) -> str:
        """Return a free id like `name`: shortened where it is too long, and with underscores where it is taken."""
        head, dot, ending = name.rpartition(".")
        name = f"{head[: MAX_ID - 20]}{dot}{ending}"
        while name in self._used:
            name += "_"
        self._used.add(name)
        return name


def add(scope: Element, kind: str, name: str = "") -> Element:
    """Add a BPMN element to a scope or another element; return it."""
    element = scope.makeelement(tag(kind))
    if name:
        element.set("id", name)
    scope.append(element)
    return element


def join(scope: Element, source: Element, target: Element, names: FreeIds) -> Element:
    """Add a flow between two nodes of a scope; return it."""
    flow = add(scope, "sequenceFlow", names.new(f"{source.get('id')}.out"))
    flow.set("sourceRef", source.get("id"))
    flow.set("targetRef", target.get("id"))
    return flow


def own_message(root: Element, task: Element, names: FreeIds) -> str:
    """Declare a message with the task's id as its name; return the message's id."""
    return declare_message(root, f"{task.get('id')}.message", task.get("id"), names)


def declare_message(root: Element, near: str, name: str, names: FreeIds) -> str:
    """Declare a message; return its id, which is like `near`."""
    message = root.makeelement(tag("message"))
    message.set("id", names.new(near))
    message.set("name", name)
    root.insert(0, message)
    return str(message.get("id"))


def remove_node(scope: Element, node: Element) -> None:
    """Remove a node and its flows."""
    scope.remove(node)
    for flow in scope.findall(tag("sequenceFlow")):
        if node.get("id") in (flow.get("sourceRef"), flow.get("targetRef")):
            scope.remove(flow)
