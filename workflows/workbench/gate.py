"""The gate before a deployment: what a model must be, beyond being one that runs, and what is known of it then.

The same function answers the question of the canvas, a deployment of a draft, and an upload. See docs/adr/0011.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.utils import timezone

from core import ports
from core.identity import heads
from core.identity.models import Department
from core.kernel import clock
from core.kernel.tenancy import PLATFORM, tenant_scope
from core.ports import Effects, Kind
from core.rest.menus import ShippedRole
from core.scheduling import credentials
from workflows import engine
from workflows.engine.errors import Problem
from workflows.forms import model as forms
from workflows.runtime.definitions import carried, library, outcomes, policies, service_tasks, switches

_PEOPLE = ("assignee", "candidates", "candidateUsers", "candidateGroups")
_PAGE = re.compile(r"[\w-]+")
"""A page of the console; other engines name files and addresses."""
_PERSON = re.compile(r"[0-9]{1,18}")
_MAX_ACCOUNT = 60


@dataclass(frozen=True)
class Verdict:
    """What the gate says of a model; `meta` is what a deployment would keep beside it, None when it is refused.

    `whole` is the model with the processes filled in that it calls, empty where it calls none.
    """

    key: str
    name: str
    problems: tuple[Problem, ...]
    meta: dict[str, Any] | None
    whole: bytes = b""
    named: tuple[tuple[str, str], ...] = ()
    """Whom it names without an expression: the element, and a rule such as `role:hr@7`, `team:3` or `user:wei.b`."""

    @property
    def errors(self) -> list[Problem]:
        """Why it is refused."""
        return [problem for problem in self.problems if problem.level == "error"]

    @property
    def warnings(self) -> list[Problem]:
        """Return what somebody has to confirm."""
        return [problem for problem in self.problems if problem.level != "error"]


@cache
def shipped() -> Mapping[str, dict[str, Any]]:
    """Return the declarations that come with the product (process.toml), by process id."""
    return {meta["key"]: meta for _model, meta in library.shipped(settings.MODELS_DIR)}


@cache
def _shipped_inputs(key: str) -> Mapping[str, set[str]]:
    return engine.inputs(engine.read((settings.MODELS_DIR / key / f"{key}.bpmn").read_bytes()))


@cache
def _rehearsed_order(key: str) -> Mapping[str, Collection[str]]:
    """Return the order of the steps of a shipped model as they are come to; it says more than the drawing alone."""
    operations = ports.effects[shipped()[key]["business_type"]].effects
    specification = engine.parse((settings.MODELS_DIR / key / f"{key}.bpmn").read_bytes())
    return engine.rehearsed_order(specification, [one for one in _shipped_order(key) if one in operations])


@cache
def _shipped_order(key: str) -> Mapping[str, set[str]]:
    return engine.order(engine.read((settings.MODELS_DIR / key / f"{key}.bpmn").read_bytes()))


def examine(xml: bytes, category: str = "", beside: Mapping[str, bytes] = MappingProxyType({})) -> Verdict:
    """Everything that is wrong with the model, or might be; errors first. It may call processes drawn `beside` it.

    A model with the process id of a shipped declaration is bound to the same business: its operations, due functions
    and required effects are those of the business. Any other process is bound to nothing, and calls what every
    process may call. A drawing that takes more work than one may is refused, whatever it draws (ADR 0037).
    """
    try:
        with engine.bounded(engine.MAX_JUDGED):
            return _examined(xml, category, beside)
    except engine.LimitReached:
        zh = "检查该模型所需的运算过多，请减少元素、连线、表达式或脚本，或拆分为几个模型"
        en = "Checking this model takes too much work: use fewer elements, flows, expressions or scripts, or split it"
        return Verdict("", "", (Problem("", "too_much_work", zh, en),), None)


def _examined(xml: bytes, category: str, beside: Mapping[str, bytes]) -> Verdict:
    root = None
    try:
        assembly = engine.assemble(xml, _Processes(beside))
        root = engine.read(assembly.xml)
        drawn = _ids(engine.read(xml) if assembly.calls else root)
        told = engine.adopt(root)
        specification = engine.specify(root, assembly.xml)
    except engine.ModelError as error:
        return _refused(xml, error.problems, root)
    declared = shipped().get(specification.process_id)
    bound = ports.effects.get(declared["business_type"]) if declared else None
    schemas, problems = forms.forms_of(specification, {})
    problems = [
        *problems,
        *told,
        *outcomes.problems(specification, schemas, bool(declared)),
        *switches.problems(specification, is_bound=bool(declared)),
        *_operations(specification, engine.dues(root), bound),
        *_working_dues(engine.working_dues(root), bound),
        *_over(engine.written_repetitions(root)),
        *_errors_of_operations(specification, engine.caught(root), engine.error_events(root), bound),
        *carried.problems(specification, schemas),
    ]
    if declared:
        problems += engine.missing_effects(root, declared["effects"]["required_on_every_path"])
        problems += engine.unexpected_inputs(root, _shipped_inputs(specification.process_id))
        problems += _holders(specification)
        problems += _own_ones(specification, engine.repeated(root), declared)
        problems += engine.unexpected_order(root, _shipped_order(specification.process_id))
        problems += _outcomes_of_record(specification, declared)
        problems += engine.shared_ways(root, {name: _keys(node) for name, node in declared["nodes"].items()})
        problems += _messages(engine.awaited(root), bound)
        problems += _starts_of_record(specification)
    else:
        problems += _unkeyed(engine.unkeyed(root))
        problems += _starts_by_messages(specification)
    problems += _starts(specification, schemas, is_bound=bool(declared))
    meta = _meta(specification, declared, schemas, category)
    problems += policies.problems(specification, meta, schemas)
    problems += engine.unknown_names(root, _known_names(specification, schemas, bound))
    known_values = _known_values(specification, schemas, bound)
    problems += engine.uncovered(root, {name: _keys(node) for name, node in meta["nodes"].items()}, known_values)
    problems += engine.advise(root)
    # A record's process is drawn in our dialect: whom other engines' attributes name is not read there.
    problems += _people_and_forms(specification, schemas, _PEOPLE[:2] if declared else _PEOPLE)
    problems += _heads(specification)
    if not any(problem.level == "error" for problem in problems):
        fields: dict[str, Any] = dict.fromkeys(forms.declared(schemas))
        order = _rehearsed_order(specification.process_id) if declared else {}
        later = {one.name for one in service_tasks.known(bound).values() if one.asks}
        problems += engine.rehearse(
            specification, {**(fields if specification.is_vendor else {}), "form": fields}, order, later
        )
    problems = _on_the_drawing(problems, drawn, root)
    problems.sort(key=lambda problem: problem.level != "error")
    refused = any(problem.level == "error" for problem in problems)
    whole = b""
    if assembly.calls:
        whole, meta = assembly.xml, {**meta, "calls": list(assembly.calls)}
    named = tuple(_named_in(specification, is_bound=bool(declared)))
    kept = None if refused else meta
    return Verdict(specification.process_id, specification.name, tuple(problems), kept, whole, named)


def examine_for(tenant_ids: Iterable[str], verdict: Verdict) -> Verdict:
    """Return the verdict with what only companies know: an error for whomever it names that one of them does not have.

    A model for everybody may name the roles that come with the product. A credential that is not there is a warning:
    models travel between companies, and secrets do not.
    """
    if not verdict.named:
        return verdict
    rules = {rule for _element, rule in verdict.named}
    missing: set[tuple[str, str]] = set()
    for tenant_id in tenant_ids:
        with tenant_scope(tenant_id):
            unknown = list(_unknown(rules))
        missing |= {
            (rule, what)
            for rule, what in unknown
            if (tenant_id, what) != (PLATFORM, "role") or _value(rule) not in set(ShippedRole)
        }
    if not missing:
        return verdict
    problems = [
        Problem(element, f"{what}_unknown", *_not_there(rule, what), "warning" if what == "credential" else "error")
        for element, rule in dict.fromkeys(verdict.named)
        for what in ("role", "post", "dept", "team", "user", "credential")
        if (rule, what) in missing
    ]
    found = sorted((*verdict.problems, *problems), key=lambda problem: problem.level != "error")
    is_refused = any(problem.level == "error" for problem in problems)
    return replace(verdict, problems=tuple(found), meta=None if is_refused else verdict.meta)


def _value(rule: str) -> str:
    """Return the code, account or id in a rule."""
    return rule.partition(":")[2].partition("@")[0]


def _unknown(rules: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield each rule that the company in scope does not know, and what of it: a statement for each kind at most."""
    by_kind: dict[str, list[str]] = {}
    for rule in rules:
        by_kind.setdefault(rule.partition(":")[0], []).append(rule)
    roles = by_kind.get("role", [])
    known = ports.people.candidate_keys([f"role:{_value(rule)}" for rule in roles]) if roles else {}
    yield from ((rule, "role") for rule in roles if f"role:{_value(rule)}" not in known)
    posts = by_kind.get("post", [])
    there = ports.people.candidate_keys([f"post:{_value(rule)}" for rule in posts]) if posts else {}
    yield from ((rule, "post") for rule in posts if f"post:{_value(rule)}" not in there)
    depts = {rule: rule.partition("@")[2] for rule in (*roles, *posts) if "@" in rule}
    depts |= {rule: _dept_of(rule) for kind in ("dept", "deptTree", "head", "duty") for rule in by_kind.get(kind, [])}
    depts = {rule: dept for rule, dept in depts.items() if dept != _OF_STARTER}
    ids = [one for one in depts.values() if _PERSON.fullmatch(one)]
    rows = {str(pk) for pk in Department.objects.filter(pk__in=ids).values_list("pk", flat=True)} if ids else set()
    yield from ((rule, "dept") for rule, dept in depts.items() if dept not in rows)
    teams = by_kind.get("team", [])
    names = ports.people.describe({rule for rule in teams if _PERSON.fullmatch(_value(rule))}) if teams else {}
    yield from ((rule, "team") for rule in teams if not names.get(rule))
    users = by_kind.get("user", [])
    active = ports.people.active({_value(rule) for rule in users if len(_value(rule)) <= _MAX_ACCOUNT}) if users else {}
    yield from ((rule, "user") for rule in users if _value(rule) not in active)
    named = by_kind.get("credential", [])
    lacking = credentials.unknown(_value(rule) for rule in named) if named else set()
    yield from ((rule, "credential") for rule in named if _value(rule) in lacking)


_OF_STARTER = "starter"


def _dept_of(rule: str) -> str:
    """Return the department in a rule, as it is written; of a head's one without the levels above it."""
    at = rule.partition("@")[2]
    return at or _value(rule).partition("+")[0]


def _not_there(rule: str, what: str) -> tuple[str, str]:
    name = (_dept_of(rule) if what == "dept" else _value(rule))[:40]
    return {
        "role": (f"角色“{name}”不存在", f"The role “{name}” does not exist"),
        "post": (f"岗位“{name}”不存在", f"The position “{name}” does not exist"),
        "dept": (f"部门“{name}”不存在", f"The department “{name}” does not exist"),
        "team": (f"班组“{name}”不存在", f"The team “{name}” does not exist"),
        "user": (f"人员“{name}”不存在或已停用", f"The user “{name}” does not exist or is disabled"),
        "credential": (
            f"连接凭据“{name}”不存在或已停用，流程执行到此会出现异常",
            f"The credential “{name}” does not exist or is disabled; the process would have an incident here",
        ),
    }[what]


def _named_in(specification: engine.Specification, *, is_bound: bool) -> Iterable[tuple[str, str]]:
    """Yield whom and which credentials the model names without an expression, with the element that does."""
    known = service_tasks.known(None)
    for node in specification.nodes.values():
        called = known.get(node.extensions.get("operation", ""))
        codes = service_tasks.credentials_named(node, called) if called is not None else []
        yield from ((node.id, f"credential:{code}") for code in codes)
        for attribute, kind in (("candidateGroups", "role"), ("candidateUsers", "user")):
            # A record's process is drawn in our words: those of other engines are not read there.
            listed = "" if is_bound else node.extensions.get(attribute, "")
            if "{" not in listed:
                yield from ((node.id, f"{kind}:{word.strip()}") for word in listed.split(",") if word.strip())
        assignee = node.extensions.get("assignee", "").strip()
        if assignee and "{" not in assignee:
            yield node.id, f"user:{assignee}"
        named = (node.extensions.get(name, "") for name in ("candidates", "copies", "starter"))
        yield from ((node.id, rule) for said in named for rule in said.split() if _is_plain(rule))
        yield from ((node.id, rule) for rule, _weight in node.loop.weights if _is_plain(rule)) if node.loop else ()
        yield from ((node.id, rule) for rule in policies.people_named(node.extensions))
    yield from ((specification.process_id, rule) for rule in policies.people_named(specification.extensions))
    of_process = (*outcomes.starters(specification), *specification.extensions.get("copies", "").split())
    yield from ((specification.process_id, rule) for rule in of_process if _is_plain(rule))


def _is_plain(rule: str) -> bool:
    """Return whether a rule names somebody of a known kind without an expression."""
    return "{" not in rule and rule.partition(":")[0] in _KINDS_OF_RULES


_KINDS_OF_RULES = ("role", "post", "dept", "deptTree", "head", "duty", "team", "user")


def _heads(specification: engine.Specification) -> Iterable[Problem]:
    """Rules for heads name a department, or the starter, and at most nine levels above it."""
    for node in specification.nodes.values():
        for rule in node.extensions.get("candidates", "").split():
            kind, _colon, words = rule.partition(":")
            if kind != "head" or "{" in rule:
                continue
            if heads.place_of(words.replace(_OF_STARTER, "0", 1)) is None:
                shown = rule[:40]
                zh, en = f"部门负责人规则“{shown}”写法不正确", f"The rule “{shown}” for a head is not written correctly"
                yield Problem(node.id, "head_rule", zh, en)


def judged(xml: bytes) -> Verdict:
    """What `examine` says of a model at work: once for all that is only moved about, unless it calls others."""
    meaning = engine.without_diagram(xml)
    return examine(meaning) if b"callActivity" in meaning else _judged(meaning)


@lru_cache(maxsize=16)
def _judged(meaning: bytes) -> Verdict:
    return examine(meaning)


def _refused(xml: bytes, problems: Iterable[Problem], whole: Any) -> Verdict:
    """Return the verdict on a model that is refused, with what else its elements say: who mends it sees all of it.

    `whole` is the document with its calls filled in, None where that failed.
    """
    try:
        root = engine.read(xml)
        drawn = _ids(root)
        told = engine.adopt(root)
        specification = engine.sketch(xml)
    except engine.ModelError:
        return Verdict("", "", tuple(problems), None)
    declared = shipped().get(specification.process_id)
    bound = ports.effects.get(declared["business_type"]) if declared else None
    schemas, faults = forms.forms_of(specification, {})
    unknown = [
        *_operations(specification, engine.dues(root), bound),
        *_working_dues(engine.working_dues(root), bound),
        *_over(engine.written_repetitions(root)),
    ]
    every = _on_the_drawing(
        [
            *problems,
            *(one for one in unknown if one.element not in {other.element for other in problems}),
            *engine.unknown_names(root, _known_names(specification, schemas, bound)),
            # Without one start nobody can say whose form is the start's.
            *(faults if specification.first else ()),
            *told,
        ],
        drawn,
        root if whole is None else whole,
    )
    every.sort(key=lambda problem: problem.level != "error")
    return Verdict("", "", tuple(every), None, named=tuple(_named_in(specification, is_bound=bool(declared))))


class _Processes:
    """Looks up what a model calls, each process once: one deployed with it, else one that is deployed already."""

    def __init__(self, beside: Mapping[str, bytes]) -> None:
        self._beside = beside
        self._known: dict[str, engine.Called | Problem] = {}
        self._on_the_way: list[str] = []

    def __call__(self, key: str) -> engine.Called | Problem:
        if key in self._on_the_way:
            return engine.Called(b"", tuple(self._on_the_way))
        if key not in self._known:
            self._known[key] = self._assembled(key) if key in self._beside else library.to_call(key)
        return self._known[key]

    def _assembled(self, key: str) -> engine.Called:
        self._on_the_way.append(key)
        assembly = engine.assemble(self._beside[key], self)
        self._on_the_way.pop()
        return engine.Called(assembly.xml, assembly.calls)


def _operations(
    specification: engine.Specification, dues: Mapping[str, str], bound: Effects | None
) -> Iterable[Problem]:
    """Service tasks and timers name what is registered, and give an operation what it takes."""
    known = service_tasks.known(bound)
    for node in specification.nodes.values():
        name = node.extensions.get("operation", "")
        if node.kind != "serviceTask":
            continue
        if name in known:
            yield from service_tasks.problems(node, known[name])
            if known[name].asks:
                yield from service_tasks.retry_problems(node, known[name])
            elif node.results:
                zh, en = f"操作“{name}”不返回值", f"The operation “{name}” answers no values"
                yield Problem(node.id, "result_unknown", zh, en)
        else:
            zh, en = f"操作“{name}”不存在", f"The operation “{name}” does not exist"
            yield Problem(node.id, "operation_unknown", zh, en)
    for element, name in dues.items():
        if name not in (bound.dues if bound else {}):
            zh, en = f"到期函数“{name}”不存在", f"The due function “{name}” does not exist"
            yield Problem(element, "due_unknown", zh, en)


_STARTER = re.compile(r"user:\S{1,60}|role:[A-Za-z0-9_-]{1,40}(@[0-9]{1,19})?")


def _starts(specification: engine.Specification, schemas: Mapping[str, Any], *, is_bound: bool) -> Iterable[Problem]:
    """Starts by time: of a record's process they start nothing, and nobody fills in their form."""
    for name in specification.timed_starts:
        rule = specification.nodes[name].extensions.get("starter", "")
        if rule and not _STARTER.fullmatch(rule):
            zh, en = "发起人须是一名人员或一个角色", "The starter must be one user or one role"
            yield Problem(name, "starter", zh, en)
        if is_bound:
            zh = "流程不会由该事件自动启动，须由业务单据发起"
            en = "The event does not start the process: the record must start it"
            yield Problem(name, "start_by_hand", zh, en, "warning")
        elif name in schemas:
            zh = "定时发起时无人填写开始表单，各字段为空"
            en = "Nobody fills in the start form when it starts by time: its fields are empty"
            yield Problem(name, "start_form", zh, en, "warning")


def _working_dues(dues: Mapping[str, str], bound: Effects | None) -> Iterable[Problem]:
    """Only a due function that gives a beginning and a length can be counted in working time."""
    for element, name in dues.items():
        if bound is not None and name in bound.dues and name not in bound.lasting:
            zh, en = f"到期函数“{name}”不能按工作时间计算", f"The due function “{name}” cannot count working time"
            yield Problem(element, "timer_time", zh, en)


def _over(written: Mapping[str, tuple[str, bool]]) -> Iterable[Problem]:
    """Tell of an event whose repetition is over already: a token would wait for it in vain."""
    now = timezone.localtime(clock.now())
    for element, (text, is_waited_for) in written.items():
        if engine.due_after(now, text) is not None:
            continue
        zh, en = "定时规则已没有后续时间，", "The timer’s rule has no further occurrence: "
        if is_waited_for:
            zh, en = f"{zh}流程到达后无法继续", f"{en}the process could not go on from here"
            yield Problem(element, "timer_over", zh, en)
        else:
            yield Problem(element, "timer_over", f"{zh}该事件不会触发", f"{en}the event never triggers", "warning")


def _errors_of_operations(
    specification: engine.Specification,
    caught: Mapping[str, Collection[str]],
    events: Mapping[str, tuple[str, str]],
    bound: Effects | None,
) -> Iterable[Problem]:
    """Error boundary events at a service task are for codes that its operation has, and each code has one."""
    known = service_tasks.known(bound)
    for event, (host, code) in events.items():
        node = specification.nodes[host]
        operation = known.get(node.extensions.get("operation", ""))
        codes = service_tasks.codes(node, operation) if operation is not None else frozenset()
        if not codes or (code and code not in codes):
            zh, en = "该任务不会触发此事件", "This task never triggers the event"
            yield Problem(event, "never_raised", zh, en, "warning")
    for node in specification.nodes.values():
        operation = known.get(node.extensions.get("operation", ""))
        if node.kind != "serviceTask" or operation is None:
            continue
        codes, handled = service_tasks.codes(node, operation), caught.get(node.id, ())
        if operation.asks and "" not in handled:
            for code in sorted(codes.difference(handled)):
                zh = f"没有边界事件捕获操作的错误“{code}”，出现时流程进入异常"
                en = f"No boundary event catches the error “{code}” of the operation: the process gets an incident then"
                yield Problem(node.id, "uncaught", zh, en, "warning")


def _unkeyed(waiting: Mapping[str, str]) -> Iterable[Problem]:
    """Tell of an event that no process finds, because its key is a number that only the process itself knows."""
    for node, message in waiting.items():
        zh = f"消息“{message}”没有关联键：只能由人员或接口按流程编号发送"
        en = f"The message “{message}” has no correlation key: only people and API calls send it, by the process number"
        yield Problem(node, "message_unkeyed", zh, en, "warning")


def _starts_of_record(specification: engine.Specification) -> Iterable[Problem]:
    for node in specification.message_starts:
        zh = "业务流程只由业务单据发起，该消息不会启动流程"
        en = "The record's own command starts this process: the message does not"
        yield Problem(node, "start_by_hand", zh, en, "warning")


def _starts_by_messages(specification: engine.Specification) -> Iterable[Problem]:
    """A message that a record's commands send starts no process."""
    own = {message for bound in ports.effects.values() for message in bound.messages}
    for node, message in specification.message_starts.items():
        if message in own:
            zh, en = (
                f"消息“{message}”由业务单据自己发送",
                f"The message “{message}” is sent by the record's own commands",
            )
            yield Problem(node, "message_unknown", zh, en)


def _holders(specification: engine.Specification) -> Iterable[Problem]:
    """Return a record's process names a person by id; accounts are for the models that a company draws for itself."""
    for node in specification.nodes.values():
        assignee = node.extensions.get("assignee", "").strip()
        if assignee and "{" not in assignee and not _PERSON.fullmatch(assignee):
            zh, en = "办理人需为人员编号或表达式", "The assignee must be a user id or an expression"
            yield Problem(node.id, "assignee", zh, en)


def _own_ones(
    specification: engine.Specification, repeated: Collection[str], declared: Mapping[str, Any]
) -> Iterable[Problem]:
    """Commands and operations of a record change it once; only what was added may be done several times."""
    for node in specification.nodes.values():
        is_operation = node.kind == "serviceTask" and node.extensions.get("operation") not in ports.common
        if node.id in repeated and (is_operation or node.id in declared["nodes"]):
            zh = "业务单据自身的步骤和操作只能执行一次，不能会签或循环"
            en = "The record's own steps and operations are done once, not by several or in a loop"
            yield Problem(node.id, "many_own", zh, en)


def _keys(node: Mapping[str, Any]) -> list[str]:
    return [outcome["key"] for outcome in node["outcomes"]]


def _outcomes_of_record(specification: engine.Specification, declared: Mapping[str, Any]) -> Iterable[Problem]:
    """The record's own steps have the outcomes that its commands give, no fewer and no others."""
    for name, step in declared["nodes"].items():
        node = specification.nodes.get(name)
        drawn = outcomes.declared(node) if node is not None else []
        if not drawn:
            continue
        for outcome in [one for one in _keys(step) if one not in drawn]:
            zh = f"缺少处理结果“{outcome}”，业务单据的操作将无法完成该步骤"
            en = f"The outcome “{outcome}” is missing: a command of the record could not complete this step"
            yield Problem(name, "outcome_missing", zh, en)
        for outcome in [one for one in drawn if one not in _keys(step)]:
            zh, en = f"业务单据没有处理结果“{outcome}”", f"The record has no outcome “{outcome}”"
            yield Problem(name, "outcome_unknown", zh, en)


def _messages(awaited: Mapping[str, str], bound: Effects | None) -> Iterable[Problem]:
    """A message in the record's own name is one that the record sends."""
    for message, node in awaited.items():
        if bound is not None and message.startswith(f"{bound.business_type}.") and message not in bound.messages:
            zh, en = f"业务单据不会发送消息“{message}”", f"The record never sends the message “{message}”"
            yield Problem(node, "message_unknown", zh, en)


def _known_names(
    specification: engine.Specification, schemas: Mapping[str, Any], bound: Effects | None
) -> dict[str, Collection[str] | None]:
    """Return what expressions of the model may read; fields of forms that are no part of it are not known."""
    fields = forms.declared(schemas)
    is_open = (
        bound is None and not schemas and any(one.extensions.get("formKey") for one in specification.nodes.values())
    )
    names: dict[str, Collection[str] | None] = dict.fromkeys(specification.optional)
    names |= {"starter": ("id", "name"), "members": None, "form": None if is_open else fields}
    names["record"] = bound.design.names if bound else ()
    if specification.is_vendor:
        names |= dict.fromkeys(fields)
        first = specification.nodes.get(specification.first)
        if first and (initiator := first.extensions.get("initiator")):
            names[initiator] = None
    return names


def _known_values(
    specification: engine.Specification, schemas: Mapping[str, Any], bound: Effects | None
) -> dict[str, engine.Values]:
    """Return what the names in conditions may hold, by dotted name."""
    found = {"starter.id": engine.Values("number"), "starter.name": engine.Values("text")}
    for name, values in forms.possible_values(schemas).items():
        found[f"form.{name}"] = values
        if specification.is_vendor:
            found[name] = values
    for name, said in bound.design.names.items() if bound else ():
        found[f"record.{name}"] = engine.Values(
            _KINDS.get(said.kind, ""), said.kind in _IDS, tuple(value for value, _label in said.choices)
        )
    return found


_KINDS = {Kind.NUMBER: "number", Kind.FLAG: "flag", Kind.ROLE: "text"}
_IDS = (Kind.USER, Kind.DEPT, Kind.TEAM)


def _ids(root: Any) -> set[str]:
    return {element.get("id") for element in root.iter() if element.get("id")}


def _on_the_drawing(problems: Iterable[Problem], drawn: Collection[str], root: Any) -> list[Problem]:
    """Name the element on the canvas for what was found at one that the engine has added, each thing once.

    An added one has the drawn one's id in front of its own, or stands within it in the adopted document under `root`;
    what nothing that is drawn stands for is found at the process.
    """
    around = {element.get("id"): element.getparent() for element in root.iter() if element.get("id")}
    key = next((one.get("id", "") for one in root if str(one.tag).endswith("}process")), "")
    process = next((name for name in drawn if engine.process_key(name) == key), key)
    found: dict[tuple[str, str, str], Problem] = {}
    for problem in problems:
        element = problem.element
        while element and element != key and element not in drawn:
            front, outer = element.rpartition(".")[0], around.get(element)
            element = front if front in drawn or outer is None else outer.get("id", "")
        named = replace(problem, element=element if element in drawn else process) if problem.element else problem
        found.setdefault((named.element, named.code, named.text_zh), named)
    return list(found.values())


def _people_and_forms(
    specification: engine.Specification, schemas: Mapping[str, Any], people: Iterable[str]
) -> Iterable[Problem]:
    """Steps of people that nobody is named for, or that show no form."""
    for node in specification.nodes.values():
        if node.kind != "userTask":
            continue
        if not any(node.extensions.get(name, "").strip() for name in people):
            zh = "未指定办理人或候选人，将交给发起人的部门负责人或租户管理员"
            en = "Nobody is named for this step: it goes to the head of the starter's department or to administrators"
            yield Problem(node.id, "no_people", zh, en, "warning")
        page = node.extensions.get("formKey", "")
        if node.id not in schemas and page and not _PAGE.fullmatch(page):
            zh = f"表单“{page[:40]}”在此不可用，将使用同意/驳回表单"
            en = f"The form “{page[:40]}” is not available here: the form to approve or reject is used"
            yield Problem(node.id, "form_page", zh, en, "warning")
        elif node.id not in schemas and not page:
            zh, en = "未指定表单，将使用同意/驳回表单", "No form is set: the form to approve or reject is used"
            yield Problem(node.id, "no_form", zh, en, "warning")


def _meta(
    specification: engine.Specification,
    declared: Mapping[str, Any] | None,
    schemas: Mapping[str, Any],
    category: str,
) -> dict[str, Any]:
    """What a deployment keeps beside the model, in the shape of a process.toml; steps that were added are marked."""
    base: Mapping[str, Any] = declared or {"business_type": "", "effects": {"required_on_every_path": []}, "nodes": {}}
    said = outcomes.of(specification, schemas)
    known = {name: node for name, node in base["nodes"].items() if name in said["nodes"]}
    added = {name: {**node, "added": True} for name, node in said["nodes"].items() if name not in known}
    for name, node in added.items():
        drawn = specification.nodes[name]
        if declared and not drawn.outgoing and not drawn.extensions.get("outcomes"):
            # In a record's process a rejection that no gateway asks for would go on like an agreement.
            node.update(outcomes=node["outcomes"][:1], negative="")
    return {
        **base,
        "key": specification.process_id,
        "name": specification.name or base.get("name") or specification.process_id,
        "name_en": specification.name_en or base.get("name_en", ""),
        "category": category or base.get("category", ""),
        "nodes": {**known, **added},
    }
