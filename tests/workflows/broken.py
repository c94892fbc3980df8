"""The shipped models, each broken in one place: something taken away, closed up or renamed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from lxml import etree

_BPMN = "{http://www.omg.org/spec/BPMN/20100524/MODEL}"
_OURS = "{urn:xunwei:bpmn}"
_TASKS = (f"{_BPMN}userTask", f"{_BPMN}serviceTask")
MODELS = ("leave", "repairorder")


@dataclass(frozen=True)
class Variant:
    """A model with one fault: what was done (`kind`), and to which element."""

    model: str
    kind: str
    element: str
    xml: bytes

    @property
    def name(self) -> str:
        """Return what the test is called."""
        return f"{self.model}: {self.kind} {self.element}"


def shipped(model: str) -> bytes:
    """Return the model as it is shipped."""
    return (settings.MODELS_DIR / model / f"{model}.bpmn").read_bytes()


def variants() -> list[Variant]:
    """Return every variant of every shipped model, always in the same order."""
    return [variant for model in MODELS for variant in _of(model)]


def _of(model: str) -> Iterator[Variant]:
    root = etree.fromstring(shipped(model))
    for kind, choose, change in _KINDS:
        for place, element in enumerate(root.iter(etree.Element)):
            if not choose(element):
                continue
            broken = deepcopy(root)
            change(list(broken.iter(etree.Element))[place])
            owner = element
            while not owner.get("id") or owner.tag.endswith(("EventDefinition", "}message")):
                if owner.tag.endswith("}message"):
                    break
                owner = owner.getparent()
            yield Variant(model, kind, owner.get("id"), etree.tostring(broken))


def _is(*kinds: str) -> Callable[[Any], bool]:
    return lambda element: element.tag in {_BPMN + kind for kind in kinds}


def _has(name: str, *words: str) -> Callable[[Any], bool]:
    return lambda element: all(word in (element.get(name) or "") for word in words) and element.get(name) is not None


def _drop(element: Any) -> None:
    element.getparent().remove(element)


def _drop_flow(flow: Any) -> None:
    """Remove a flow as the canvas does: a gateway whose default it was has none then."""
    for gateway in flow.getparent():
        if gateway.get("default") == flow.get("id"):
            del gateway.attrib["default"]
    _drop(flow)


def _flows(node: Any, end: str) -> list[Any]:
    return [flow for flow in node.getparent().findall(f"{_BPMN}sequenceFlow") if flow.get(end) == node.get("id")]


def _drop_node(node: Any) -> None:
    for event in node.getparent().findall(f"{_BPMN}boundaryEvent"):
        if event.get("attachedToRef") == node.get("id"):
            _drop_node(event)
    for flow in [*_flows(node, "sourceRef"), *_flows(node, "targetRef")]:
        if flow.getparent() is not None:
            _drop_flow(flow)
    _drop(node)


def _close_up(node: Any) -> None:
    """Remove a node and lead what came to it on to where it led."""
    (after,) = [flow.get("targetRef") for flow in _flows(node, "sourceRef")]
    for flow in _flows(node, "targetRef"):
        flow.set("targetRef", after)
    _drop_node(node)


def _without(name: str) -> Callable[[Any], None]:
    return lambda element: element.attrib.pop(name)


def _renamed(name: str, old: str, new: str) -> Callable[[Any], None]:
    return lambda element: element.set(name, element.get(name).replace(old, new, 1))


def _reworded(old: str, new: str) -> Callable[[Any], None]:
    def change(element: Any) -> None:
        element.text = element.text.replace(old, new, 1)

    return change


def _set(name: str, value: str) -> Callable[[Any], None]:
    return lambda element: element.set(name, value)


def _wait(text: str) -> Callable[[Any], None]:
    """Let a timer wait for a duration instead of what the record says."""

    def change(definition: Any) -> None:
        del definition.attrib[f"{_OURS}due"]
        etree.SubElement(definition, f"{_BPMN}timeDuration").text = text

    return change


def _first_outcome_away(task: Any) -> None:
    task.set(f"{_OURS}outcomes", task.get(f"{_OURS}outcomes").partition(",")[2])


def _last_outcome_renamed(task: Any) -> None:
    task.set(f"{_OURS}outcomes", task.get(f"{_OURS}outcomes") + "x")


def _says(word: str) -> Callable[[Any], bool]:
    return lambda element: element.tag == f"{_BPMN}conditionExpression" and word in element.text


def _is_task(element: Any) -> bool:
    return element.tag in _TASKS


def _is_default(element: Any) -> bool:
    return element.get("default") is not None


_OUTCOMES, _OPERATION = f"{_OURS}outcomes", f"{_OURS}operation"
_ASSIGNEE, _CANDIDATES, _DUE = f"{_OURS}assignee", f"{_OURS}candidates", f"{_OURS}due"
_KINDS: tuple[tuple[str, Callable[[Any], bool], Callable[[Any], Any]], ...] = (
    ("without the flow", _is("sequenceFlow"), _drop_flow),
    ("without the task", _is_task, _drop_node),
    ("closed up round the task", _is_task, _close_up),
    ("without the default of", _is_default, _without("default")),
    ("without the condition of", _is("conditionExpression"), _drop),
    ("another value in the condition of", _says("outcome"), _reworded("'", "'x")),
    ("an unknown name in the condition of", _is("conditionExpression"), _reworded("${", "${x")),
    ("an unknown field in the condition of", _says("record."), _reworded("record.", "record.x")),
    ("without the operation of", _has(_OPERATION), _without(_OPERATION)),
    ("an unknown operation in", _has(_OPERATION), _renamed(_OPERATION, ".", ".x")),
    ("without the candidates of", _has(_CANDIDATES), _without(_CANDIDATES)),
    ("an unknown role in", _has(_CANDIDATES, "role:re"), _renamed(_CANDIDATES, "role:", "role:x")),
    ("an unknown field as candidates of", _has(_CANDIDATES, "record."), _renamed(_CANDIDATES, "record.", "record.x")),
    ("without the assignee of", _has(_ASSIGNEE), _without(_ASSIGNEE)),
    ("an unknown name as assignee of", _has(_ASSIGNEE), _set(_ASSIGNEE, "${INITIATOR}")),
    ("an unknown field as assignee of", _has(_ASSIGNEE), _renamed(_ASSIGNEE, "record.", "record.x")),
    ("without the first outcome of", _has(_OUTCOMES, ","), _first_outcome_away),
    ("another last outcome of", _has(_OUTCOMES), _last_outcome_renamed),
    ("without the message of", _has("messageRef"), _without("messageRef")),
    ("another name of the message", _is("message"), _renamed("name", ".", ".x")),
    ("an unknown due time of", _has(_DUE), _renamed(_DUE, ".", ".x")),
    ("a duration that is none in", _has(_DUE), _wait("3 days")),
    ("a duration of two days in", _has(_DUE), _wait("P2D")),
)  # fmt: skip
