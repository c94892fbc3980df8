"""Warnings about a model that can run but is probably not meant so; somebody acknowledges them when deploying."""

from workflows.engine import foreign, rules
from workflows.engine.document import Element, tag
from workflows.engine.errors import MOST, ExpressionError, Problem, warning


def of(root: Element) -> list[Problem]:
    """Return the warnings about a document that has passed the rules."""
    process = root.find(tag("process"))
    faults = [*_uncaught(root, process), *_never_raised(process)]
    lost = [warning(node.get("id"), "unreachable", *_LOST) for node in _unreached(process)]
    return [*lost[:MOST], *faults[:MOST]]


_LOST = ("从开始事件无法到达该元素，不会执行", "This element cannot be reached from the start event and never runs")


def _unreached(scope: Element) -> list[Element]:
    """Return the nodes that no token reaches; of an unreached sub-process only the sub-process itself."""
    lost = rules.unreached(scope)
    for inner in scope.findall(tag("subProcess")):
        lost += _unreached(inner) if inner not in lost else []
    return lost


def _uncaught(root: Element, process: Element) -> list[Problem]:
    """Warn of errors that no boundary event around them catches: the path just ends there."""
    at = _caught_at(root)
    found = []
    for task in process.iter(tag("scriptTask")):
        fitting = _around(task, at)
        if "" not in fitting and not _codes(task) <= fitting:
            zh, en = (
                "没有边界事件捕获脚本的错误，出错时流程无法继续",
                "No boundary event catches the script's error: the process stops here",
            )
            found.append(warning(task.get("id"), "uncaught", zh, en))
    for end in process.iter(tag("endEvent")):
        if end.find(tag("errorEventDefinition")) is None:
            continue
        around = [scope.get("id") for scope in end.iterancestors(tag("subProcess"))]
        if not any(at.get(name, set()) & {"", _code(root, end)} for name in around):
            zh, en = (
                "没有边界事件捕获该错误，该路径在此结束",
                "No boundary event catches this error: the path ends here",
            )
            found.append(warning(end.get("id"), "uncaught", zh, en))
    return found


def caught(root: Element) -> dict[str, set[str]]:
    """Return by service task the codes of the errors that boundary events catch there and round it; '' for each."""
    at = _caught_at(root)
    return {task.get("id", ""): _around(task, at) for task in root.iter(tag("serviceTask"))}


def error_events(root: Element) -> dict[str, tuple[str, str]]:
    """Return by error boundary event of a service task the task and the code; '' for every code."""
    tasks = {task.get("id") for task in root.iter(tag("serviceTask"))}
    return {
        event.get("id", ""): (event.get("attachedToRef"), _code(root, event))
        for event in root.iter(tag("boundaryEvent"))
        if event.find(tag("errorEventDefinition")) is not None and event.get("attachedToRef") in tasks
    }


def _around(task: Element, at: dict[str, set[str]]) -> set[str]:
    around = [task.get("id"), *(scope.get("id") for scope in task.iterancestors(tag("subProcess")))]
    return set().union(*(at.get(name, set()) for name in around))


def _caught_at(root: Element) -> dict[str, set[str]]:
    """Return by activity the codes of the errors that its boundary events catch."""
    found: dict[str, set[str]] = {}
    for event in root.iter(tag("boundaryEvent")):
        if event.find(tag("errorEventDefinition")) is not None:
            found.setdefault(event.get("attachedToRef"), set()).add(_code(root, event))
    return found


def _code(root: Element, event: Element) -> str:
    reference = event.find(tag("errorEventDefinition")).get("errorRef", "")
    for error in root.findall(tag("error")):
        if error.get("id") == reference:
            return str(error.get("errorCode") or reference)
    return str(reference)


def _codes(task: Element) -> frozenset[str]:
    """Return the codes of the errors that a script raises."""
    try:
        return foreign.read_script(task).codes
    except ExpressionError:  # one that was deployed may be refused now
        return frozenset()


def _never_raised(process: Element) -> list[Problem]:
    """Warn of error and escalation events at a task that raises none; only scripts and sub-processes do.

    What an operation raises, the application knows.
    """
    inside = {scope.get("id") for scope in process.iter(tag("subProcess"), tag("serviceTask"))}
    inside |= {task.get("id") for task in process.iter(tag("scriptTask")) if _codes(task)}
    found = []
    for event in process.iter(tag("boundaryEvent")):
        faults = [event.find(tag(name)) for name in ("errorEventDefinition", "escalationEventDefinition")]
        if any(one is not None for one in faults) and event.get("attachedToRef") not in inside:
            zh, en = "该任务不会触发此事件", "This task never triggers the event"
            found.append(warning(event.get("id"), "never_raised", zh, en))
    return found
