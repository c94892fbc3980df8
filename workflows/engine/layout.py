"""Where a model's nodes and flows stand: read from its diagram, or placed in a row where it has none."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from workflows.engine.document import DI, Element, local, ours, read, tag
from workflows.engine.elements import NODES

_DC = "{http://www.omg.org/spec/DD/20100524/DC}"
_WAYPOINT = "{http://www.omg.org/spec/DD/20100524/DI}waypoint"
_FAR = 100_000.0  # further out nobody draws
_SIZES = {"Event": (36.0, 36.0), "Gateway": (50.0, 50.0)}
_STEP_X, _STEP_Y = 160.0, 120.0


@dataclass(frozen=True)
class Box:
    """A node, or a lane, participant or annotation."""

    id: str
    kind: str
    name: str
    name_en: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Line:
    """A sequence flow; `points` are at least two."""

    id: str
    name: str
    name_en: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Layout:
    """A diagram's boxes, outer before inner, and its lines."""

    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]


def layout(xml: bytes) -> Layout:
    """Return the diagram of a model that has passed the deployment check."""
    root = read(xml)
    elements = {element.get("id"): element for element in root.iter() if element.get("id") and local(element)}
    drawn = {shape.get("bpmnElement"): shape for shape in root.iter(f"{DI}BPMNShape")}
    nodes = [name for name, element in elements.items() if local(element) in NODES]
    if not nodes or any(name not in drawn or _bounds(drawn[name]) is None for name in nodes):
        return _in_a_row(root.find(tag("process")))
    boxes = []
    for name, shape in drawn.items():
        bounds = _bounds(shape)
        if name in elements and bounds is not None:
            boxes.append(_box(elements[name], *bounds))
    lines = []
    for edge in root.iter(f"{DI}BPMNEdge"):
        element = elements.get(edge.get("bpmnElement"))
        points = [point for point in map(_point, edge.findall(_WAYPOINT)) if point is not None]
        if element is not None and local(element) == "sequenceFlow" and len(points) > 1:
            lines.append(_line(element, points))
    boxes.sort(key=lambda box: -box.width * box.height)
    return Layout(tuple(boxes), tuple(lines))


def _bounds(shape: Element) -> tuple[float, float, float, float] | None:
    bounds = shape.find(f"{_DC}Bounds")
    numbers = [_number(bounds.get(name)) for name in ("x", "y", "width", "height")] if bounds is not None else [None]
    if any(number is None for number in numbers):
        return None
    x, y, width, height = (number or 0.0 for number in numbers)
    return x, y, abs(width), abs(height)


def _point(waypoint: Element) -> tuple[float, float] | None:
    x, y = _number(waypoint.get("x")), _number(waypoint.get("y"))
    return None if x is None or y is None else (x, y)


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if math.isfinite(number) and abs(number) <= _FAR else None


def _box(element: Element, x: float, y: float, width: float, height: float) -> Box:
    name = "".join(element.itertext()).strip() if local(element) == "textAnnotation" else element.get("name", "")
    return Box(element.get("id"), local(element), name[:200], ours(element, "nameEn"), x, y, width, height)


def _line(element: Element, points: list[tuple[float, float]]) -> Line:
    return Line(element.get("id", ""), element.get("name", "")[:200], ours(element, "nameEn"), tuple(points))


def _in_a_row(process: Element) -> Layout:
    """Place nodes from left to right by their distance from the start, boundary events below their activity."""
    nodes = {child.get("id"): child for child in process if local(child) in NODES}
    flows = process.findall(tag("sequenceFlow"))
    following: dict[str, list[str]] = {}
    for flow in flows:
        following.setdefault(flow.get("sourceRef"), []).append(flow.get("targetRef"))
    for name, node in nodes.items():
        if local(node) == "boundaryEvent":
            following.setdefault(node.get("attachedToRef"), []).append(name)
    columns: dict[str, int] = {}
    todo = [name for name, node in nodes.items() if local(node) == "startEvent"]
    while todo:
        name = todo.pop(0)
        for target in following.get(name, []):
            if target in nodes and target not in columns:
                columns[target] = columns.get(name, 0) + 1
                todo.append(target)
    rows: dict[int, int] = {}
    boxes = {}
    for name, node in nodes.items():
        column = columns.get(name, 0)
        row = rows.get(column, 0)
        rows[column] = row + 1
        width, height = next((size for end, size in _SIZES.items() if local(node).endswith(end)), (100.0, 80.0))
        x, y = column * _STEP_X + 80 - width / 2, row * _STEP_Y + 80 - height / 2
        boxes[name] = _box(node, x, y, width, height)
    return Layout(tuple(boxes.values()), tuple(_straight(flows, boxes)))


def _straight(flows: list[Element], boxes: dict[str, Box]) -> Iterator[Line]:
    for flow in flows:
        a, b = boxes.get(flow.get("sourceRef")), boxes.get(flow.get("targetRef"))
        if a is None or b is None:
            continue
        if b.x >= a.x + a.width:
            begin, end = (a.x + a.width, a.y + a.height / 2), (b.x, b.y + b.height / 2)
            points = [begin, end]
        else:  # back: below everything in between
            below = max(a.y + a.height, b.y + b.height) + 24
            x, to = a.x + a.width / 2, b.x + b.width / 2
            points = [(x, a.y + a.height), (x, below), (to, below), (to, b.y + b.height)]
        yield _line(flow, points)
