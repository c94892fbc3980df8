"""What a model that can run is probably not meant to be: warnings, for the person who deploys it to confirm."""

from workflows.engine import rules, scripts
from workflows.engine.document import BPMN, OURS, VENDORS, Element, local, tag, text
from workflows.engine.errors import ExpressionError, Problem

# Where drawings keep colours and layout: nobody misses it when the process runs.
_LAYOUT = (
    "http://www.omg.org/spec/BPMN/20100524/DI",
    "http://www.omg.org/spec/DD/20100524/DI",
    "http://www.omg.org/spec/DD/20100524/DC",
    "http://www.omg.org/spec/BPMN/non-normative/color/1.0",
    "http://bpmn.io/schema/bpmn/biocolor/1.0",
    "http://www.w3.org/2001/XMLSchema-instance",
)
MOST = 20  # warnings of one kind; the first ones say enough


def warning(element: str, code: str, zh: str, en: str) -> Problem:
    """A problem that a person may confirm."""
    return Problem(element, code, zh, en, "warning")


def of(root: Element) -> list[Problem]:
    """The warnings of a document that has passed the rules."""
    process = root.find(tag("process"))
    faults = [*_uncaught(root, process), *_never_raised(process)]
    lost = [warning(node.get("id"), "unreachable", *_LOST) for node in _unreached(process)]
    return [*lost[:MOST], *_without_default(process)[:MOST], *faults[:MOST], *_not_carried_over(process)[:MOST]]


_LOST = ("从开始事件无法到达该节点，不会执行", "The node cannot be reached from the start and never runs")


def _unreached(scope: Element) -> list[Element]:
    """What no token comes to; of a sub-process that none comes to, the sub-process alone."""
    lost = rules.unreached(scope)
    for inner in scope.findall(tag("subProcess")):
        lost += _unreached(inner) if inner not in lost else []
    return lost


def _without_default(process: Element) -> list[Problem]:
    """Choices whose every way out has a condition: when none holds, the step is refused."""
    found = []
    flows: dict[str, list[Element]] = {}
    for flow in process.iter(tag("sequenceFlow")):
        flows.setdefault(flow.get("sourceRef"), []).append(flow)
    for gateway in process.iter():
        if local(gateway) not in rules.CHOICES:
            continue
        out = flows.get(gateway.get("id"), [])
        bare = [flow for flow in out if not text(flow.find(tag("conditionExpression")))]
        if len(out) > 1 and not gateway.get("default") and not bare:
            zh = "网关没有默认连线，所有条件都不成立时步骤会被拒绝"
            en = "The gateway has no default flow: when no condition holds, the step is refused"
            found.append(warning(gateway.get("id"), "no_default", zh, en))
    return found


def _uncaught(root: Element, process: Element) -> list[Problem]:
    """Errors that no border around them catches: the way ends there, and nothing else happens."""
    codes = {error.get("id"): error.get("errorCode") or error.get("id") for error in root.findall(tag("error"))}

    def code(event: Element) -> str:
        reference = event.find(tag("errorEventDefinition")).get("errorRef", "")
        return str(codes.get(reference, reference))

    caught: dict[str, set[str]] = {}
    for event in process.iter(tag("boundaryEvent")):
        if event.find(tag("errorEventDefinition")) is not None:
            caught.setdefault(event.get("attachedToRef"), set()).add(code(event))
    found = []
    for task in process.iter(tag("scriptTask")):
        around = [task.get("id"), *(scope.get("id") for scope in task.iterancestors(tag("subProcess")))]
        fitting = set().union(*(caught.get(name, set()) for name in around))
        if "" not in fitting and not _codes(task) <= fitting:
            zh, en = (
                "没有边界事件捕获脚本的错误，步骤会被拒绝",
                "No border catches the script's error: the step is refused",
            )
            found.append(warning(task.get("id"), "uncaught", zh, en))
    for end in process.iter(tag("endEvent")):
        if end.find(tag("errorEventDefinition")) is None:
            continue
        around = [scope.get("id") for scope in end.iterancestors(tag("subProcess"))]
        if not any(caught.get(name, set()) & {"", code(end)} for name in around):
            zh, en = "没有边界事件捕获该错误，流程走到这里即结束", "No border catches this error: the way just ends"
            found.append(warning(end.get("id"), "uncaught", zh, en))
    return found


def _codes(task: Element) -> frozenset[str]:
    """The errors that a script raises."""
    try:
        return scripts.read(task).codes
    except ExpressionError:  # one that was deployed may be refused now
        return frozenset()


def _never_raised(process: Element) -> list[Problem]:
    """Events on the border of a task that raises nothing; only scripts and what ends inside a sub-process do."""
    inside = {scope.get("id") for scope in process.iter(tag("subProcess"))}
    inside |= {task.get("id") for task in process.iter(tag("scriptTask")) if _codes(task)}
    found = []
    for event in process.iter(tag("boundaryEvent")):
        faults = [event.find(tag(name)) for name in ("errorEventDefinition", "escalationEventDefinition")]
        if any(one is not None for one in faults) and event.get("attachedToRef") not in inside:
            zh, en = "该任务不会引发此事件", "The task never raises this"
            found.append(warning(event.get("id"), "never_raised", zh, en))
    return found


def _not_carried_over(process: Element) -> list[Problem]:
    """Attributes and elements in other languages, which have no effect here."""
    found = []
    for element in process.iter():
        for name in (*([element.tag] if not local(element) else []), *element.attrib):
            space, _brace, plain = str(name).rpartition("}")
            if space and space[1:] not in (BPMN, OURS, *VENDORS, *_LAYOUT):
                zh, en = f"“{plain[:40]}”在此不起作用", f"“{plain[:40]}” has no effect here"
                found.append(warning(_owner(element), "no_effect", zh, en))
    return found


def _owner(element: Element) -> str:
    while element is not None and local(element) not in rules.NODES | {"sequenceFlow", "process"}:
        element = element.getparent()
    return element.get("id", "") if element is not None else ""
