"""The gate before a deployment: what a model must be, beyond being one that runs, and what is known of it then.

The same function answers the question of the canvas, a deployment of a draft, and an upload. See docs/adr/0011.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any

from django.conf import settings

from core import ports
from core.ports import Effects
from workflows import engine
from workflows.engine.errors import Problem
from workflows.forms import model as forms
from workflows.runtime.definitions import library, outcomes, service_tasks

_PEOPLE = ("assignee", "candidates", "candidateUsers", "candidateGroups")
_PERSON = re.compile(r"[0-9]{1,18}")


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


def examine(xml: bytes, category: str = "", beside: Mapping[str, bytes] = MappingProxyType({})) -> Verdict:
    """Everything that is wrong with the model, or might be; errors first. It may call processes drawn `beside` it.

    A model with the process id of a shipped declaration is bound to the same business: its operations, due functions
    and required effects are those of the business. Any other process is bound to nothing, and calls what every
    process may call.
    """
    try:
        assembly = engine.assemble(xml, _Processes(beside))
        root = engine.read(assembly.xml)
        told = engine.adopt(root)
        specification = engine.specify(root, assembly.xml)
    except engine.ModelError as error:
        return Verdict("", "", (*error.problems, *_told_besides(xml)), None)
    declared = shipped().get(specification.process_id)
    bound = ports.effects.get(declared["business_type"]) if declared else None
    schemas, problems = forms.forms_of(specification, {})
    problems = [
        *problems,
        *told,
        *outcomes.problems(specification, schemas, bool(declared)),
        *_operations(specification, engine.dues(root), bound),
    ]
    if declared:
        problems += engine.missing_effects(root, declared["effects"]["required_on_every_path"])
        problems += engine.unexpected_inputs(root, _shipped_inputs(specification.process_id))
        problems += _holders(specification)
        problems += _own_ones(specification, engine.repeated(root), declared)
    problems += engine.advise(root)
    # A record's process is drawn in our dialect: whom other engines' attributes name is not read there.
    problems += _people_and_forms(specification, schemas, _PEOPLE[:2] if declared else _PEOPLE)
    if not any(problem.level == "error" for problem in problems):
        fields: dict[str, Any] = dict.fromkeys(forms.declared(schemas))
        problems += engine.rehearse(specification, {**(fields if specification.is_vendor else {}), "form": fields})
    problems.sort(key=lambda problem: problem.level != "error")
    refused = any(problem.level == "error" for problem in problems)
    meta = None if refused else _meta(specification, declared, schemas, category)
    whole = b""
    if assembly.calls:
        whole, meta = assembly.xml, meta and {**meta, "calls": list(assembly.calls)}
    return Verdict(specification.process_id, specification.name, tuple(problems), meta, whole)


def judged(xml: bytes) -> Verdict:
    """What `examine` says of a model at work: once for all that is only moved about, unless it calls others."""
    meaning = engine.without_diagram(xml)
    return examine(meaning) if b"callActivity" in meaning else _judged(meaning)


@lru_cache(maxsize=16)
def _judged(meaning: bytes) -> Verdict:
    return examine(meaning)


def _told_besides(xml: bytes) -> list[Problem]:
    """Return what would be told of a model that is refused: who mends it sees both."""
    try:
        return engine.adopt(engine.read(xml))
    except engine.ModelError:
        return []


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
            yield from service_tasks.problems(node, known[name].parameters)
        else:
            zh, en = f"操作“{name}”不存在", f"The operation “{name}” does not exist"
            yield Problem(node.id, "operation_unknown", zh, en)
    for element, name in dues.items():
        if name not in (bound.dues if bound else {}):
            zh, en = f"到期函数“{name}”不存在", f"The due function “{name}” does not exist"
            yield Problem(element, "due_unknown", zh, en)


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
        if node.id not in schemas and not node.extensions.get("formKey"):
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
