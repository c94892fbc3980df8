"""What a model may contain. Everything else is refused by name, because the library would run it wrongly in silence."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from workflows.engine import effort, foreign, graphs, multi_instance, texts, working
from workflows.engine.document import (
    BPMN,
    OURS,
    Element,
    attribute,
    local,
    ours,
    parameters,
    results,
    tag,
    text,
)
from workflows.engine.elements import (
    ACTIVITIES,
    BODY,
    CALLED,
    CHOICES,
    EVENTS,
    JOINS,
    LOOP,
    MAX_MESSAGE_NAME,
    MESSAGE_TASKS,
    NODES,
    VENDOR_ATTRIBUTES,
)
from workflows.engine.errors import ExpressionError, Problem
from workflows.engine.expressions import compile_template
from workflows.engine.repetitions import check_cycle, is_shorter
from workflows.engine.timetext import check_date, check_duration, duration

MAX_NODES = 2_000  # of a process, and of each called one by itself
MAX_FLOWS = 4_000  # the same
MAX_BRANCHES = 500  # flows out of one gateway
MAX_DEPTH = 20  # sub-processes drawn inside each other
MAX_CALLS = 20  # calls inside each other
MAX_WHOLE = 6_000  # nodes of a process with all that it calls
FORM_FIELD = re.compile(r"form\.(\w{1,60})")
"""Where a result goes that sets a form field."""
_NEVER, _BRIEFLY, _LONG = range(3)  # how a token waits at a node

_COUNTED = NODES | {"callActivity", "eventBasedGateway"}  # these two are rewritten before the rules see them
CHANGES = {"all", "create", "update", "delete", "update-create"}
"""Kinds of changes of a variable that an event may wait for."""
_WAITING = {"userTask", "receiveTask", "boundaryEvent", "intermediateCatchEvent"}

# What an event of each kind may carry; '' stands for no trigger at all.
_TRIGGERS = {
    "startEvent": {"", "timerEventDefinition", "messageEventDefinition"},
    "endEvent": {"", "terminateEventDefinition", "messageEventDefinition"},
    "boundaryEvent": {"timerEventDefinition", "messageEventDefinition", "errorEventDefinition"},
    "intermediateCatchEvent": {"timerEventDefinition", "messageEventDefinition"},
    "intermediateThrowEvent": {"", "messageEventDefinition"},
}
# Triggers that run too but are not offered in the designer: imported models have them.
_ALSO = {
    "endEvent": {"errorEventDefinition", "escalationEventDefinition"},
    "boundaryEvent": {"escalationEventDefinition", "conditionalEventDefinition"},
    "intermediateCatchEvent": {"conditionalEventDefinition"},
    "intermediateThrowEvent": {"escalationEventDefinition"},
}
# Triggers that are rewritten before the rules see them.
_UNFOLDED = {
    "startEvent": {"signalEventDefinition"},
    "intermediateCatchEvent": {"signalEventDefinition"},
    "intermediateThrowEvent": {"signalEventDefinition"},
}
_NOT_DRAWN = {"scriptTask"}  # the same of nodes
BESIDE_NODES = {
    "sequenceFlow",
    "laneSet",
    "textAnnotation",
    "association",
    "group",
    "documentation",
    "extensionElements",
}
_IN_NODES = {"incoming", "outgoing", "documentation", "extensionElements"}
_IN_DEFINITIONS = {"process", "collaboration", "message", "category", "documentation", "extensionElements"}
# Declarations run nowhere; the events that refer to them are checked.
_DECLARATIONS = {"signal", "error", "escalation", "itemDefinition", "dataStore", "import", "interface", "resource"}

# Names that the library gives to its internal nodes.
_RESERVED_ENDINGS = (".EndJoin", ".BoundaryEventSplit", ".BoundaryEventJoin")

_TIMES = {"timeDuration": check_duration, "timeDate": check_date, "timeCycle": check_cycle}
_CONDITION_PLACES = CHOICES | {"parallelGateway"}  # a parallel gateway's conditions are dropped, as BPMN says


def check(root: Element) -> list[Problem]:
    """Return every reason why the document cannot run; empty when it can."""
    problems = texts.check(root, NODES)
    if any(problem.code == "bad_id" for problem in problems):
        return problems
    told = {(problem.element, problem.code) for problem in problems}
    return [*problems, *(one for one in _Rules(root).run() if (one.element, one.code) not in told)]


def one_process() -> Problem:
    """Return the problem of a document without a process, or with several."""
    return Problem("", "one_process", "文件必须只含一个流程", "The file must contain exactly one process")


def too_large(process: Element) -> Problem | None:
    """Return the problem of a process with too many nodes or flows, None for another process.

    A called process, once it is filled in, counts for itself; all together are bounded too.
    """
    nodes, flows = Counter[str](), Counter[str]()
    todo = [(process, process.get("id", ""))]
    while todo:
        around, owner = todo.pop()
        for element in around:
            kind = local(element)
            nodes[owner] += kind in _COUNTED
            flows[owner] += kind == "sequenceFlow"
            if kind == "subProcess":
                todo.append((element, element.get("id", "") if ours(element, CALLED) else owner))
    for counted, most, code, zh, en in (
        (nodes, MAX_NODES, "too_many_nodes", "元素", "elements"),
        (flows, MAX_FLOWS, "too_many_flows", "连线", "flows"),
    ):
        for owner, number in counted.items():
            if number > most:
                return Problem(owner, code, f"{zh}超过{most}个", f"There are more than {most} {en}")
    if sum(nodes.values()) > MAX_WHOLE:
        zh = f"流程与其调用的流程共有超过{MAX_WHOLE}个元素"
        en = f"The process has more than {MAX_WHOLE} elements, with the processes that it calls"
        return Problem(process.get("id", ""), "too_many_nodes", zh, en)
    return None


def runnable() -> dict[str, list[str]]:
    """Return the triggers that each element of a process may have; '' stands for none."""
    beside = BESIDE_NODES - {"documentation", "extensionElements"}
    # A call activity is a sub-process by the time that the rules see it.
    names = (NODES - _NOT_DRAWN) | beside | {"callActivity"}
    return {name: sorted(_TRIGGERS.get(name, set()) | _UNFOLDED.get(name, set())) for name in sorted(names)}


class _Rules:
    """Collects the problems of one document."""

    def __init__(self, root: Element) -> None:
        self.root = root
        self.problems: list[Problem] = []
        process = root.find(tag("process"))
        self.process_id = "" if process is None else process.get("id", "")
        self.messages = {message.get("id"): _name_of(message) for message in root.findall(tag("message"))}
        self.seen: set[str] = set()
        self.waiting: dict[Element, int] = {}
        """What `wait` found of sub-processes, whose content is looked at once however many flows lead there."""

    def add(self, element: Element | str, code: str, zh: str, en: str) -> None:
        name = element if isinstance(element, str) else self.place_of(element)
        self.problems.append(Problem(name, code, zh, en))

    def place_of(self, element: Element) -> str:
        """Return the nearest id around an element, that of the process for what stands beside it."""
        while element is not None and (not element.get("id") or element is self.root):
            element = element.getparent()
        return str(element.get("id")) if element is not None else self.process_id

    def unsupported(self, element: Element, what: str) -> None:
        self.add(element, "unsupported", f"不支持“{what}”", f"“{what}” is not supported")

    def run(self) -> list[Problem]:
        for child in self.root:
            if _is_bpmn(child) and local(child) not in _IN_DEFINITIONS | _DECLARATIONS:
                self.unsupported(child, local(child))
        processes = self.root.findall(tag("process"))
        if len(processes) != 1:
            return [*self.problems, one_process()]
        process = processes[0]
        if not process.get("id"):
            self.add("", "missing_id", "流程缺少标识", "The process has no id")
        if process.get("isExecutable", "true") != "true":
            self.add(process, "not_executable", "流程未标记为可执行", "The process is not marked as executable")
        if title := ours(process, "title"):
            self.compiles(process, title)
        if problem := too_large(process):
            return [*self.problems, problem]
        self.scope(process, 0, 0)
        return self.problems

    def scope(self, scope: Element, depth: int, calls: int) -> None:
        """Check a process or sub-process and everything in it.

        `depth` counts the sub-processes as they are drawn, anew in each called process; `calls` counts those.
        """
        if depth > MAX_DEPTH:
            self.add(
                scope,
                "too_deep",
                f"子流程嵌套超过{MAX_DEPTH}层",
                f"Sub-processes are nested more than {MAX_DEPTH} levels deep",
            )
            return
        if calls > MAX_CALLS:
            zh, en = f"流程调用嵌套超过{MAX_CALLS}层", f"Calls are nested more than {MAX_CALLS} levels deep"
            self.add(scope, "too_deep", zh, en)
            return
        nodes: dict[str, Element] = {}
        refused: dict[str, Element] = {}
        """Elements that are refused by name; what is connected to them is not refused for that too."""
        flows: list[Element] = []
        is_inner = local(scope) == "subProcess"
        for child in scope:
            kind = local(child)
            if kind in NODES:
                if self.identify(child):
                    nodes[child.get("id")] = child
            elif kind == "sequenceFlow":
                flows.append(child)
            elif _is_bpmn(child) and kind not in BESIDE_NODES | (
                _IN_NODES | multi_instance.LOOPS if is_inner else set()
            ):
                self.unsupported(child, kind)
                refused[child.get("id", "")] = child
        before = len(self.problems)
        for node in nodes.values():
            self.node(node, nodes, depth, calls)
        told = {problem.element for problem in self.problems[before:] if problem.code == "unsupported"}
        refused.update((name, node) for name, node in nodes.items() if name in told)
        starts = [node for node in nodes.values() if local(node) == "startEvent"]
        known = {**refused, **nodes}
        ends = [node for node in nodes.values() if local(node) == "endEvent"]
        by_hand = [start for start in starts if not is_triggered(start)]
        if is_inner and len(starts) != 1:
            self.add(scope, "one_start", "必须有且只有一个开始事件", "There must be exactly one start event")
        elif not starts or len(by_hand) > 1:
            zh = "须有开始事件，其中无类型的最多一个"
            en = "There must be a start event, and at most one none start event"
            self.add(scope, "one_start", zh, en)
        if not ends:
            self.add(scope, "no_end", "缺少结束事件", "An end event is missing")
        sound = [flow for flow in flows if self.flow(flow, known)]
        ways = [(flow.get("sourceRef", ""), flow.get("targetRef", "")) for flow in sound]
        self.waiting[scope] = self.least_wait(known, ways)
        self.outgoing(nodes, sound)
        if starts and ends:
            ways_out = [*(end.get("id") for end in ends), *refused]
            self.reach(scope, known, [start.get("id") for start in starts], ways_out, refused)

    def identify(self, node: Element) -> bool:
        name = node.get("id", "")
        if not name:
            self.add(node, "missing_id", f"“{local(node)}”缺少标识", f"A “{local(node)}” has no id")
        elif name in self.seen:
            self.add(node, "duplicate_id", "标识重复", "This id is already used")
        elif name.endswith(_RESERVED_ENDINGS) or len(name) > 100:
            self.add(
                node,
                "bad_id",
                "该标识被系统保留或过长，请更换",
                "This id is reserved or too long; please choose another one",
            )
        else:
            self.seen.add(name)
            return True
        return False

    def node(self, node: Element, siblings: dict[str, Element], depth: int, calls: int) -> None:
        kind = local(node)
        for child in node:
            name = local(child)
            if name.endswith("EventDefinition") and kind in EVENTS:
                continue
            if kind == "subProcess" or (_is_bpmn(child) and name in _IN_NODES):
                continue
            if (name == LOOP and kind in multi_instance.PLACES) or (name, kind) == ("script", "scriptTask"):
                continue
            self.unsupported(node, name or str(child.tag))
        self.extensions(node)
        self.parameters(node)
        self.results(node)
        if kind in multi_instance.PLACES and node.find(tag(LOOP)) is not None:
            multi_instance.check(node, self.add)
        if kind in EVENTS:
            self.event(node, siblings)
        elif kind == "serviceTask" and not ours(node, "operation"):
            self.add(node, "operation", "服务任务未指定操作", "The service task has no operation")
        elif kind in MESSAGE_TASKS:
            if node.get("instantiate", "false") == "true":
                self.unsupported(node, "instantiate")
            self.message(node, node)
        elif kind == "scriptTask":
            self.script(node)
        elif kind == "subProcess":
            for loop in sorted(multi_instance.LOOPS - {LOOP}):
                if node.find(tag(loop)) is not None:
                    self.unsupported(node, loop)
            if node.get("triggeredByEvent", "false") == "true":
                self.unsupported(node, "eventSubProcess")
            if ours(node, CALLED):
                self.scope(node, 0, calls + 1)
            else:
                self.scope(node, depth + (not ours(node, BODY)), calls)

    def extensions(self, node: Element) -> None:
        for name, value in node.attrib.items():
            space, _, attribute = str(name).rpartition("}")
            if space == "{" + OURS or attribute in VENDOR_ATTRIBUTES:
                self.compiles(node, str(value))

    def parameters(self, node: Element) -> None:
        said = parameters(node)
        if said and local(node) != "serviceTask":
            self.unsupported(node, "parameter")
        times = Counter(name for name, _source in said)
        for name, source in said:
            self.compiles(node, source)
            if times[name] > 1:
                zh, en = f"参数“{name[:40]}”重复", f"The parameter “{name[:40]}” is given twice"
                self.add(node, "parameter_twice", zh, en)

    def results(self, node: Element) -> None:
        said = results(node)
        if said and local(node) != "serviceTask":
            self.unsupported(node, "result")
        for name, target in said:
            if sum(other == name for other, _target in said) > 1:
                zh, en = f"返回值“{name[:40]}”重复", f"The result “{name[:40]}” is given twice"
                self.add(node, "result_twice", zh, en)
            if not name or not (multi_instance.is_free_name(target) or FORM_FIELD.fullmatch(target)):
                zh = f"返回值“{name[:40]}”应存入 form.字段 或流程变量，“{target[:40]}”无效"
                en = f"The result “{name[:40]}” must go to form.field or a process variable: “{target[:40]}” is neither"
                self.add(node, "result_target", zh, en)

    def event(self, node: Element, siblings: dict[str, Element]) -> None:
        definitions = [child for child in node if local(child).endswith("EventDefinition")]
        kinds = [local(child) for child in definitions] or [""]
        inner_start = local(node) == "startEvent" and local(node.getparent()) == "subProcess"
        allowed = {""} if inner_start else _TRIGGERS[local(node)] | _ALSO.get(local(node), set())
        if len(kinds) > 1 or kinds[0] not in allowed:
            self.unsupported(node, " + ".join(kind or "none" for kind in kinds) + " " + local(node))
            return
        if local(node) == "boundaryEvent":
            host = siblings.get(node.get("attachedToRef", ""))
            if host is None or local(host) not in ACTIVITIES:
                self.add(
                    node,
                    "attached",
                    "边界事件未附着在任务或子流程上",
                    "The boundary event is not attached to a task or sub-process",
                )
        if kinds[0] == "messageEventDefinition":
            self.message(node, definitions[0])
        if kinds[0] == "timerEventDefinition":
            self.timer(node, definitions[0])
        if kinds[0] == "conditionalEventDefinition":
            self.change(node, definitions[0])

    def message(self, node: Element, definition: Element) -> None:
        if definition.get("messageRef") not in self.messages:
            self.add(node, "message", "事件引用的消息不存在", "The message of this event does not exist")
        elif len(self.messages[definition.get("messageRef")]) > MAX_MESSAGE_NAME:
            zh, en = (
                f"消息名称超过{MAX_MESSAGE_NAME}个字符",
                f"The message's name has more than {MAX_MESSAGE_NAME} characters",
            )
            self.add(node, "message_name", zh, en)
        for name in ("key", "called") if definition is not node else ():
            if said := ours(definition, name):
                self.compiles(node, said)

    def change(self, node: Element, definition: Element) -> None:
        condition, variable = text(definition.find(tag("condition"))), ours(definition, "variable")
        if variable and ours(definition, "change") not in CHANGES:
            zh, en = "变量变化的类型无效", "This type of variable change is invalid"
            self.add(node, "condition", zh, en)
        elif condition:
            self.compiles(node, condition if "{" in condition else "${" + condition + "}", "condition")
        elif not variable:
            zh, en = "条件事件未填写条件", "The conditional event has no condition"
            self.add(node, "condition", zh, en)

    def script(self, node: Element) -> None:
        try:
            foreign.read_script(node)
        except ExpressionError as error:
            self.add(node, "script", error.text_zh, error.text_en)

    def timer(self, node: Element, definition: Element) -> None:
        if fault := working.problem(definition, [local(child) for child in definition]):
            self.add(node, "timer_time", *fault)
        if fault or ours(definition, "due"):
            return
        times = [(child, _TIMES[local(child)]) for child in definition if local(child) in _TIMES]
        source = text(times[0][0]) if len(times) == 1 else ""
        if not source:
            self.add(
                node,
                "timer",
                "定时器需要时长、时间或到期函数",
                "The timer needs a duration, a date and time, or a due function",
            )
            return
        end = attribute(times[0][0], "endDate")
        if self.compiles(node, source) and (not end or self.compiles(node, end)):
            try:
                if not _is_asked(source):
                    found = times[0][1](source, source)
                    if working.counts(definition):
                        working.check(source, found)
                if end and not _is_asked(end):
                    check_date(end, end)
            except ExpressionError as error:
                self.add(node, "timer", error.text_zh, error.text_en)

    def flow(self, flow: Element, nodes: dict[str, Element]) -> bool:
        source, target = nodes.get(flow.get("sourceRef", "")), nodes.get(flow.get("targetRef", ""))
        # Other engines write flows without an id: their problems are reported at the source, the target or the scope.
        ends = [end for end in (flow, source, target) if end is not None and end.get("id")]
        place = ends[0] if ends else flow.getparent()
        if source is None or target is None:
            self.add(
                place,
                "dangling_flow",
                "连线的起点或终点不在同一流程内",
                "The sequence flow must connect two elements of the same process or sub-process",
            )
            return False
        if flow.get("id") in self.seen:
            self.add(flow, "duplicate_id", "标识重复", "This id is already used")
        elif flow.get("id"):
            self.seen.add(flow.get("id"))
        condition = text(flow.find(tag("conditionExpression")))
        if condition and local(source) not in _CONDITION_PLACES:
            self.add(
                place,
                "condition_place",
                "只有网关的出线可以带条件",
                "Only an outgoing flow of a gateway may have a condition",
            )
        elif condition:
            self.compiles(place, condition if "{" in condition else "${" + condition + "}", "condition")
        if local(target) in ("startEvent", "boundaryEvent"):
            self.add(target, "no_way_in", "该元素不能有入线", "This element cannot have an incoming flow")
        return True

    def compiles(self, element: Element, source: str, code: str = "expression") -> bool:
        try:
            compile_template(source)
            return True
        except ExpressionError as error:
            self.add(element, code, error.text_zh, error.text_en)
            return False

    def outgoing(self, nodes: dict[str, Element], flows: list[Element]) -> None:
        """Check the outgoing flows of each node: an end event has none, every other node has some."""
        leaving: dict[str, list[Element]] = {}
        for flow in flows:
            leaving.setdefault(flow.get("sourceRef"), []).append(flow)
        for name, node in nodes.items():
            out = leaving.get(name, [])
            if local(node) == "endEvent":
                if out:
                    self.add(node, "end_goes_on", "结束事件不能有出线", "An end event cannot have an outgoing flow")
            elif not out:
                self.add(node, "no_way_out", "该元素没有出线", "This element has no outgoing flow")
            if len(out) > MAX_BRANCHES:
                zh, en = f"分支超过{MAX_BRANCHES}个", f"There are more than {MAX_BRANCHES} branches"
                self.add(node, "too_many_branches", zh, en)
            default = node.get("default")
            if default and local(node) in CHOICES and default not in {flow.get("id") for flow in out}:
                self.add(
                    node,
                    "default_flow",
                    "默认连线不是该网关的出线",
                    "The default flow is not an outgoing flow of this gateway",
                )

    def reach(
        self,
        scope: Element,
        nodes: dict[str, Element],
        starts: list[str],
        ends: list[str],
        refused: Collection[str],
    ) -> None:
        """Check that every node with a token lies on a path to an end, and that every loop has a wait.

        Nodes that no token reaches are a warning (see `advice`), but no join may wait for one from there. What a node
        that is refused would do is not known: it counts as an end, and as one that waits.
        """
        edges = [(source, target) for source, target in edges_of(scope) if source in nodes and target in nodes]
        on_the_way = closure(edges, starts)
        ending = closure([(target, source) for source, target in edges], ends)
        joined = {source for source, target in edges if target in on_the_way and local(nodes[target]) in JOINS}
        for name in nodes:
            if name not in on_the_way and name in joined:
                self.add(
                    name,
                    "unreachable",
                    "从开始事件无法到达该元素",
                    "This element cannot be reached from the start event",
                )
            elif name in on_the_way and name not in ending:
                self.add(
                    name, "no_way_to_end", "从该元素无法到达结束事件", "No path leads from this element to an end event"
                )
        waits = {name: _LONG if name in refused else self.wait(node) for name, node in nodes.items()}
        endless = _in_loops(edges, {name for name in nodes if waits[name] == _NEVER})
        for name in (name for name in nodes if name in endless):
            self.add(
                name, "endless", "循环中没有等待步骤，流程会无限运行", "This loop never waits and would run forever"
            )
        hasty = {name for name in nodes if waits[name] == _BRIEFLY}
        often = _in_loops(_cut_short(edges, nodes, hasty), {name for name in nodes if waits[name] < _LONG})
        for name in (name for name in nodes if name in hasty and name in often):
            zh = "循环中的等待不足1分钟，或只等到一个固定时间，流程会不停重复；请设置至少1分钟的等待"
            en = "This loop waits less than a minute, or for one fixed time only, and would repeat without a pause: "
            self.add(name, "too_often", zh, en + "let it wait for at least a minute")

    def wait(self, node: Element) -> int:
        """Return how every token waits here: never, briefly or long; at a sub-process, on the fastest path through it.

        Scopes are checked from the inside, so a sub-process asks what is known of those in it. One below the deepest
        that is allowed is not looked at: the document is refused for it.
        """
        if local(node) == "subProcess":
            return self.waiting.get(node, _LONG)
        condition = node.find(tag("conditionalEventDefinition"))
        if local(node) not in _WAITING or (condition is not None and not ours(condition, "variable")):
            return _NEVER
        return _BRIEFLY if _is_hasty(node) else _LONG

    def least_wait(self, nodes: Mapping[str, Element], flows: list[tuple[str, str]]) -> int:
        """Return the longest wait on the path through a scope on which a token waits least."""
        waits = {name: self.wait(node) for name, node in nodes.items()}
        starts = [name for name, node in nodes.items() if local(node) == "startEvent"]
        hasty = {name for name in nodes if waits[name] == _BRIEFLY}
        for most, edges in ((_NEVER, flows), (_BRIEFLY, _cut_short(flows, nodes, hasty))):
            free = [edge for edge in edges if max(waits[edge[0]], waits[edge[1]]) <= most]
            if any(local(nodes[name]) == "endEvent" for name in closure(free, starts)):
                return most
        return _LONG


def _is_asked(source: str) -> bool:
    """Return whether a text is known only when the process runs."""
    return "${" in source or "#{" in source


def is_triggered(start: Element) -> bool:
    """Return whether the process starts by itself at a start event."""
    return any(start.find(tag(name)) is not None for name in ("timerEventDefinition", "messageEventDefinition"))


def _is_hasty(event: Element) -> bool:
    """Return whether a timer may fall due at once each time: a drawn short length, or a drawn moment, which passes."""
    timer = event.find(tag("timerEventDefinition"))
    if timer is None or ours(timer, "due"):
        return False
    date, length = text(timer.find(tag("timeDate"))), duration(text(timer.find(tag("timeDuration"))))
    return bool(date and "{" not in date) or (length is not None and is_shorter(length))


def _cut_short(
    edges: Iterable[tuple[str, str]], nodes: Mapping[str, Element], hasty: Collection[str]
) -> list[tuple[str, str]]:
    """Return the edges, and for each hasty boundary event those to its activity again: nobody waits there for long."""
    events: dict[str, list[str]] = {}
    for name in hasty:
        if local(nodes[name]) == "boundaryEvent":
            events.setdefault(nodes[name].get("attachedToRef", ""), []).append(name)
    known = list(edges)
    effort.spend(sum(len(events.get(target, ())) for _source, target in known))
    return known + [(source, event) for source, target in known for event in events.get(target, ())]


def _in_loops(edges: Iterable[tuple[str, str]], among: Collection[str]) -> set[str]:
    """Return the nodes that lie in a loop of these nodes alone."""
    return graphs.in_loops((source, target) for source, target in edges if source in among and target in among)


def unreached(scope: Element) -> list[Element]:
    """Return the nodes of a process or sub-process that no token reaches."""
    starts = [start.get("id") for start in scope.findall(tag("startEvent"))]
    found = closure(edges_of(scope), starts)
    return [child for child in scope if local(child) in NODES and child.get("id") not in found]


def edges_of(scope: Element) -> list[tuple[str, str]]:
    """Return the edges of a scope: its flows, and from each activity to its boundary events."""
    edges = [(flow.get("sourceRef", ""), flow.get("targetRef", "")) for flow in scope.findall(tag("sequenceFlow"))]
    return edges + [(one.get("attachedToRef", ""), one.get("id", "")) for one in scope.findall(tag("boundaryEvent"))]


def ends_all(end: Element) -> bool:
    """Return whether an end event ends the whole process from inside of a sub-process (Flowable's terminateAll)."""
    definition = end.find(tag("terminateEventDefinition"))
    return definition is not None and attribute(definition, "terminateAll") == "true"


def _name_of(message: Element) -> str:
    return str(message.get("name") or message.get("id"))


def _is_bpmn(element: Element) -> bool:
    return str(element.tag).startswith("{" + BPMN + "}")


def closure(edges: Iterable[tuple[str, str]], first: Iterable[str]) -> set[str]:
    """Return everything that can be reached over the edges from the first ones, these included."""
    return _reached(_following(edges), first)


def _following(edges: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    following: dict[str, list[str]] = {}
    for source, target in edges:
        following.setdefault(source, []).append(target)
    return following


def _reached(following: Mapping[str, Iterable[str]], first: Iterable[str]) -> set[str]:
    found: set[str] = set()
    todo = list(first)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo.extend(following.get(name, ()))
    return found
