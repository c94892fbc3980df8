"""Whether the steps of a record come when the record is ready for them, and each outcome has its own way on.

A record's own steps and operations belong together: an operation sets the status in which the next step may be done.
"""

from collections.abc import Collection, Mapping, Sequence

from workflows.engine import paths, rules
from workflows.engine.document import Element, local, ours, tag, text
from workflows.engine.elements import CHOICES
from workflows.engine.errors import ExpressionError, Problem, step_order
from workflows.engine.expressions import contents, holds

_PASSED = {"serviceTask", "task", "manualTask", "sendTask", "scriptTask", "intermediateThrowEvent"}
_PASSED |= {"subProcess", "startEvent", "endEvent"}
_BESIDE = {"parallelGateway", "inclusiveGateway"}


def order(root: Element) -> dict[str, set[str]]:
    """Return, by user task and by operation, the operations that a path may have called last when it comes there.

    Operations that only non-interrupting events call do not count.
    """
    return _preceding(root, _of_main_ways(root))


def unexpected_order(root: Element, known: Mapping[str, Collection[str]]) -> list[Problem]:
    """Return a problem for each own step or operation that may follow others than in `known`, its original order.

    Where branches run beside each other, a path back through a join says nothing of what the other branch has called;
    the rehearsal judges such a drawing.
    """
    if any(local(node) in _BESIDE for node in root.iter()):
        return []
    found = []
    every = {*known, *(operation for said in known.values() for operation in said)}
    operations = {node.get("id", ""): ours(node, "operation") for node in root.iter(tag("serviceTask"))}
    for name, said in _preceding(root, every, by_node=True).items():
        strange = sorted(said.difference(known.get(operations.get(name, name), said)))
        if strange:
            found.append(step_order(name, strange))
    return found


def _of_main_ways(root: Element) -> set[str]:
    process = root.find(tag("process"))
    nodes, edges = paths.graph(process, every=False)
    reached = rules.closure(edges, [start.get("id") for start in process.findall(tag("startEvent"))])
    return {ours(node, "operation") for name, node in nodes.items() if name in reached} - {""}


def _preceding(root: Element, operations: Collection[str], *, by_node: bool = False) -> dict[str, set[str]]:
    nodes, edges = paths.graph(root.find(tag("process")))
    before = paths.sources(edges)

    def told(place: str) -> tuple[str, bool]:
        operation = ours(nodes[place], "operation") if place in nodes else ""
        return (operation, True) if operation in operations else ("", False)

    found: dict[str, set[str]] = {}
    for name, node in nodes.items():
        called = ours(node, "operation")
        if local(node) != "userTask" and called not in operations:
            continue
        found.setdefault(called if called and not by_node else name, set()).update(paths.nearest(name, before, told))
    return found


def shared_ways(root: Element, outcomes: Mapping[str, Sequence[str]]) -> list[Problem]:
    """Return a problem for each step of which several outcomes have no way of their own.

    Where no gateway asks, or more than one outcome is left to its default flow, an outcome goes on like another one.
    """
    process = root.find(tag("process"))
    nodes, edges = paths.graph(process, every=False)
    after: dict[str, list[str]] = {}
    for source, target in edges:
        after.setdefault(source, []).append(target)
    conditions = _conditions(process)
    found = []
    for step, said in outcomes.items():
        if step not in nodes or len(said) < 2:
            continue
        left = _left_together(
            said, [conditions[one] for one in _gateways_behind(step, nodes, after) if conditions[one]]
        )
        if len(left) > 1:
            zh = f"处理结果“{'、'.join(left)}”没有各自的分支，会按同一结果继续"
            en = f"The outcomes “{', '.join(left)}” have no outgoing flows of their own and would go on as one"
            found.append(Problem(step, "outcome_shared", zh, en))
    return found


def _conditions(process: Element) -> dict[str, list[str]]:
    """Return the conditions that each gateway evaluates."""
    found: dict[str, list[str]] = {one.get("id"): [] for one in process.iter() if local(one) in CHOICES}
    defaults = {one.get("default") for one in process.iter() if local(one) in CHOICES}
    for flow in process.iter(tag("sequenceFlow")):
        condition = text(flow.find(tag("conditionExpression")))
        if condition and flow.get("sourceRef") in found and flow.get("id") not in defaults:
            found[flow.get("sourceRef")].append(condition if "{" in condition else "${" + condition + "}")
    return found


def _gateways_behind(step: str, nodes: Mapping[str, Element], after: Mapping[str, list[str]]) -> list[str]:
    """Return the gateways that a token may come to behind a step before anybody else does something, in order."""
    found, seen, todo = [], {step}, [step]
    while todo:
        for place in after.get(todo.pop(0), ()):
            node = nodes.get(place)
            if place in seen or (node is not None and local(node) == "boundaryEvent"):
                continue
            seen.add(place)
            if node is not None and local(node) in CHOICES:
                found.append(place)
            if node is None or local(node) in _PASSED | CHOICES:
                todo.append(place)
    return found


def _left_together(said: Sequence[str], conditions: list[list[str]]) -> list[str]:
    """Return the outcomes that no gateway parts from each other; none where that hangs on more than the outcome."""
    asking = [some for some in conditions if any(_OUTCOME in contents(one).paths for one in some)]
    if not asking:
        return list(said)
    if asking[0] is not conditions[0] or any(contents(one).paths != (_OUTCOME,) for one in asking[0]):
        return []
    return [outcome for outcome in said if not any(_is_true(one, outcome) for one in asking[0])]


_OUTCOME = ("outcome",)


def _is_true(condition: str, outcome: str) -> bool:
    try:
        return holds(condition, {"outcome": outcome})
    except ExpressionError:
        return False
