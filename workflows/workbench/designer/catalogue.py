"""What a model may name: the elements that run, the business's operations and due times, the names of conditions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core import ports
from core.access.models import Role
from core.identity.models import Post
from core.kernel.texts import choose, label
from core.ports import Design, Effects, Kind, Parameter, Words
from core.scheduling.models import Credential
from workflows import engine
from workflows.runtime.definitions import library, service_tasks
from workflows.runtime.definitions.service_tasks import Operation
from workflows.workbench import gate

CANDIDATE_KINDS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "role": (label("角色", "Role"), ("role",)),
    "roleInDept": (label("部门内的角色", "Role in a department"), ("role", "dept")),
    "post": (label("岗位", "Position"), ("post",)),
    "postInDept": (label("部门内的岗位", "Position in a department"), ("post", "dept")),
    "dept": (label("部门", "Department"), ("dept",)),
    "deptTree": (label("部门及下级部门", "Department and those below"), ("dept",)),
    "head": (label("部门负责人", "Head of a department"), ("dept",)),
    "duty": (label("当班人员", "People on duty"), ("dept",)),
    "team": (label("班组", "Team"), ("team",)),
    "user": (label("人员", "Person"), ("user",)),
}
"""Rules of candidates: what each is called, and what has to be chosen for it."""

MOST_ROLES = 500

_ALWAYS = (
    ("outcome", label("上一步的处理结果", "Outcome of the previous step"), "text"),
    ("starter.id", label("发起人", "Starter"), Kind.USER.value),
    ("starter.name", label("发起人姓名", "Name of the starter"), "text"),
)
"""Names that expressions of every model may read; those of its forms stand in the model."""


def of(key: str) -> dict[str, Any]:
    """Return what a process with this key may name; a key that no shipped process bears is bound to no record."""
    declared = gate.shipped().get(key)
    bound = ports.effects[declared["business_type"]] if declared else None
    return {
        "businessType": bound.business_type if bound else "",
        "businessName": str(bound.design.label) if bound else "",
        "operations": [operation(one) for one in service_tasks.known(bound).values()],
        "dueFunctions": [{**due(bound.design, name), "lasts": name in bound.lasting} for name in bound.dues]
        if bound
        else [],
        "required": _required(bound, declared["effects"]["required_on_every_path"]) if bound and declared else [],
        "pageForms": [
            {"key": meta["form_key"], "name": choose(meta["name"], meta["name_en"])}
            for _key, meta in sorted(gate.shipped().items())
        ],
        "candidateKinds": [
            {"kind": kind, "label": str(text), "needs": list(needs)} for kind, (text, needs) in CANDIDATE_KINDS.items()
        ],
        "roles": [
            {"value": role.role_alias, "label": str(role)} for role in Role.objects.order_by("sort", "id")[:MOST_ROLES]
        ],
        "posts": [
            {"value": post.post_code, "label": str(post)} for post in Post.objects.order_by("sort", "id")[:MOST_ROLES]
        ],
        "credentials": [
            {"value": one.credential_code, "label": one.credential_name}
            for one in Credential.objects.filter(is_enabled=True).order_by("credential_code")[:MOST_ROLES]
        ],
        "processes": [
            {"value": called.key, "label": str(called), "version": called.version}
            for called in library.callable_by(key)
        ],
        "readable": [*_always(), *(_of_record(bound.design) if bound else [])],
        "elements": [
            {"type": _bpmn(name), "events": [_bpmn(event) if event else "" for event in events]}
            for name, events in engine.runnable().items()
        ],
    }


def _bpmn(name: str) -> str:
    """The name of an element as bpmn-js has it."""
    return f"bpmn:{name[0].upper()}{name[1:]}"


def texts(name: str, known: Words) -> dict[str, str]:
    """An operation or a due function as it is shown."""
    return {"name": name, "label": str(known.label), "text": str(known.text)}


def due(design: Design, name: str) -> dict[str, str]:
    """A due function as it is shown."""
    return texts(name, design.words[name])


def operation(known: Operation) -> dict[str, Any]:
    """An operation as it is shown, with what it takes."""
    return {
        **texts(known.name, known.words),
        "parameters": [_parameter(one) for one in known.parameters],
        "asks": known.asks,
        "isOpen": known.is_open,
        "codesIn": known.codes_in,
        "results": [{"name": one.name, "label": choose(one.zh, one.en)} for one in known.results],
        "errors": [{"code": one.code, "label": choose(one.zh, one.en)} for one in known.errors],
    }


def _parameter(declared: Parameter) -> dict[str, Any]:
    return {
        "name": declared.name,
        "label": choose(declared.zh, declared.en),
        "text": choose(declared.help_zh, declared.help_en),
        "kind": declared.kind.value,
        "isRequired": declared.is_required,
        "isLong": declared.is_long,
        "least": declared.least,
        "most": declared.most,
        "places": declared.places,
        "options": _options(declared.choices),
    }


def _options(choices: tuple[tuple[int, str], ...]) -> list[dict[str, Any]]:
    return [{"value": value, "label": str(text)} for value, text in choices]


def _required(bound: Effects, groups: list[list[str]]) -> list[list[dict[str, str]]]:
    return [[texts(name, bound.design.words[name]) for name in group] for group in groups]


def _always() -> list[dict[str, Any]]:
    return [{"name": name, "label": str(text), "kind": kind, "options": []} for name, text, kind in _ALWAYS]


def _of_record(design: Design) -> list[dict[str, Any]]:
    return [
        {
            "name": f"record.{name}",
            "label": str(said.label),
            "kind": said.kind.value,
            "options": _options(said.choices),
        }
        for name, said in design.names.items()
    ]
