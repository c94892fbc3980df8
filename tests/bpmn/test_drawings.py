"""Every shipped model is drawn whole and readable: nothing missing, nothing overlaps, no line through a label."""

from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

BPMN = Path(__file__).resolve().parents[2] / "bpmn"
MODELS = sorted(BPMN.glob("*/*.bpmn"))
MODEL = "{http://www.omg.org/spec/BPMN/20100524/MODEL}"
SHAPES = "{http://www.omg.org/spec/BPMN/20100524/DI}"
BOUNDS = "{http://www.omg.org/spec/DD/20100524/DC}Bounds"
WAYPOINT = "{http://www.omg.org/spec/DD/20100524/DI}waypoint"

Box = tuple[int, int, int, int]  # left, top, right, bottom


class Drawing:
    """Boxes of shapes and labels and the straight pieces of the lines, by element id."""

    def __init__(self, path: Path) -> None:
        root = ElementTree.fromstring(path.read_bytes())
        process = root.find(f"{MODEL}process")
        assert process is not None
        self.parents = {child.get("id"): parent.get("id") for parent in process.iter() for child in parent}
        self.elements = {element.get("id"): element.tag.removeprefix(MODEL) for element in process.iter()}
        self.attached = {e.get("id"): e.get("attachedToRef") for e in process.iter(f"{MODEL}boundaryEvent")}
        self.flows = {
            e.get("id"): (e.get("sourceRef"), e.get("targetRef")) for e in process.iter(f"{MODEL}sequenceFlow")
        }
        self.boxes: dict[str, Box] = {}
        self.labels: dict[str, Box] = {}
        self.lines: dict[str, list[tuple[int, int]]] = {}
        for shape in [*root.iter(f"{SHAPES}BPMNShape"), *root.iter(f"{SHAPES}BPMNEdge")]:
            name = shape.get("bpmnElement", "")
            for bounds in shape.findall(BOUNDS):
                self.boxes[name] = box(bounds)
            for bounds in shape.findall(f"{SHAPES}BPMNLabel/{BOUNDS}"):
                self.labels[name] = box(bounds)
            if points := shape.findall(WAYPOINT):
                self.lines[name] = [(whole(point, "x"), whole(point, "y")) for point in points]

    def scope(self, name: str) -> str | None:
        return self.parents.get(name)


def whole(element: ElementTree.Element, name: str) -> int:
    value = element.get(name, "")
    assert value == str(int(value)), "coordinates are whole numbers"
    return int(value)


def box(bounds: ElementTree.Element) -> Box:
    left, top = whole(bounds, "x"), whole(bounds, "y")
    return left, top, left + whole(bounds, "width"), top + whole(bounds, "height")


def touch(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def inside(a: Box, b: Box) -> bool:
    return a[0] >= b[0] and a[1] >= b[1] and a[2] <= b[2] and a[3] <= b[3]


def pieces(points: list[tuple[int, int]]) -> list[Box]:
    """Each straight piece of a line as a thin box."""
    return [(min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]) + 1, max(a[1], b[1]) + 1) for a, b in pairwise(points)]


@pytest.fixture(params=MODELS, ids=lambda path: path.stem)
def drawing(request: pytest.FixtureRequest) -> Drawing:
    return Drawing(request.param)


def test_every_node_and_flow_is_drawn(drawing: Drawing) -> None:
    kinds = ("Event", "Task", "Gateway", "subProcess")
    nodes = {name for name, kind in drawing.elements.items() if name and kind.endswith(kinds)}
    assert set(drawing.boxes) == nodes
    assert set(drawing.lines) == set(drawing.flows)


def test_a_node_lies_inside_its_scope_and_beside_its_neighbours(drawing: Drawing) -> None:
    for name, place in drawing.boxes.items():
        scope = drawing.scope(name)
        if scope in drawing.boxes and name not in drawing.attached:
            assert inside(place, drawing.boxes[scope]), name
    for (a, first), (b, second) in combinations(drawing.boxes.items(), 2):
        if drawing.scope(a) == drawing.scope(b) and a not in drawing.attached and b not in drawing.attached:
            assert not touch(first, second), (a, b)


def test_lines_are_straight_and_end_at_their_nodes(drawing: Drawing) -> None:
    for name, (source, target) in drawing.flows.items():
        points = drawing.lines[name]
        assert all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(points)), name
        for (x, y), node in ((points[0], source), (points[-1], target)):
            left, top, right, bottom = drawing.boxes[str(node)]
            on_side = (x in (left, right) and top <= y <= bottom) or (y in (top, bottom) and left <= x <= right)
            assert on_side, (name, node)


def test_no_line_runs_through_a_node_a_label_or_another_line(drawing: Drawing) -> None:
    for name, points in drawing.lines.items():
        for piece in pieces(points):
            for node, place in drawing.boxes.items():
                if node not in drawing.flows[name] and drawing.elements[node] != "subProcess":
                    assert not touch(piece, place), (name, node)
            for owner, label in drawing.labels.items():
                assert not touch(piece, label), (name, owner)
    for (a, first), (b, second) in combinations(drawing.lines.items(), 2):
        ends = {first[0], first[-1]} & {second[0], second[-1]}
        for one in pieces(first):
            for other in pieces(second):
                assert not touch(one, other) or ends, (a, b)


def test_labels_lie_free(drawing: Drawing) -> None:
    for (a, first), (b, second) in combinations(drawing.labels.items(), 2):
        assert not touch(first, second), (a, b)
    for owner, label in drawing.labels.items():
        for node, place in drawing.boxes.items():
            if drawing.elements[node] == "subProcess":
                assert not touch(label, place) or inside(label, place), (owner, node)
            else:
                assert not touch(label, place), (owner, node)
