"""What every rewriting of a document needs: free ids, and declared messages."""

from workflows.engine.document import Element, elements, tag
from workflows.engine.elements import MAX_ID


class FreeIds:
    """The ids of a document, and new ones that nothing has yet."""

    def __init__(self, root: Element) -> None:
        self._used = {element.get("id") for element in elements(root) if element.get("id")}

    def new(self, name: str) -> str:
        """Return a free id like `name`: shortened where it is too long, and with underscores where it is taken."""
        head, dot, ending = name.rpartition(".")
        name = f"{head[: MAX_ID - 20]}{dot}{ending}"
        while name in self._used:
            name += "_"
        self._used.add(name)
        return name


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
