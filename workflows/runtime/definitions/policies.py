"""What a model wants where a step finds nobody, the same person twice, or the starter: ask, agree, or ask others.

The attributes stand at the process and, where a step differs, at the step. A record's own steps are completed by the
commands of the record alone; in its process the policies are about the steps that a company added.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext as _

from core import ports
from core.kernel.errors import Refusal
from workflows import engine
from workflows.engine.errors import Problem
from workflows.forms import values
from workflows.forms.values import Schema
from workflows.runtime.tables.worklist.models import Reason

NOBODY_FOUND, SAME_PERSON, STARTER_IS_APPROVER = "nobodyFound", "samePerson", "starterIsApprover"
"""Attributes of a process or a user task."""


class NobodyFound(StrEnum):
    """Who gets a step for which its rules find nobody who may work; `user:<id or account>` is a person."""

    HEAD = "head"
    """The head of the starter's department, else the company's administrators."""
    ADMINISTRATORS = "administrators"
    AGREE = "agree"
    """Nobody: the step is agreed to. One that asks for input goes to the head."""
    REFUSE = "refuse"
    """Nobody: the start is refused. A step that is reached later goes to the head."""


class SamePerson(StrEnum):
    """What becomes of a step whose assignee has agreed before."""

    ASK = "ask"
    PREVIOUS = "previous"
    """It is agreed to where the person has just agreed to the step before it."""
    ANY = "any"
    """It is agreed to where the person has agreed to any step since the last rejection."""


class StarterIsApprover(StrEnum):
    """What becomes of a step whose assignee started the process."""

    ASK = "ask"
    AGREE = "agree"
    HEAD = "head"
    """The head of the starter's department gets it."""


@dataclass(frozen=True)
class Policy:
    """The policies of one step."""

    nobody: str = ""
    """A NobodyFound or a rule such as `user:7`; empty for what is usual."""
    same: str = SamePerson.ASK
    starter: str = StarterIsApprover.ASK


USUAL = Policy()
_PERSON = re.compile(r"user:[^\s{}]{1,60}")
_WORDS: Mapping[str, frozenset[str]] = {
    NOBODY_FOUND: frozenset(NobodyFound),
    SAME_PERSON: frozenset(SamePerson),
    STARTER_IS_APPROVER: frozenset(StarterIsApprover),
}


def of(specification: engine.Specification, meta: Mapping[str, Any], node: str) -> Policy:
    """Return the policies of a user task; `meta` is what its definition keeps beside the model."""
    said = _said(specification, node)
    if not any(said.values()) or not _is_own(meta, node):
        return USUAL
    return Policy(
        said[NOBODY_FOUND], said[SAME_PERSON] or SamePerson.ASK, said[STARTER_IS_APPROVER] or StarterIsApprover.ASK
    )


def _said(specification: engine.Specification, node: str) -> dict[str, str]:
    own, general = specification.nodes[node].extensions, specification.extensions
    return {name: (own.get(name) or general.get(name) or "").strip() for name in _WORDS}


def _is_own(meta: Mapping[str, Any], node: str) -> bool:
    """Return whether the step belongs to the company: no command of a record completes it."""
    return not meta["business_type"] or bool(meta["nodes"].get(node, {}).get("added"))


def sole(holder: int | None, keys: Collection[str]) -> int | None:
    """Return who alone would be asked: the assignee, or the only person among the candidates; one statement at most."""
    if holder is not None or not keys:
        return holder
    people = list(ports.people.behind(keys).values_list("pk", flat=True)[:2])
    return people[0] if len(people) == 1 else None


def refused(step: str, process: str) -> Refusal:
    """Return the refusal of a start that finds nobody for a step, where the model wants nobody to be asked instead."""
    text = _("步骤「{step}」没有找到办理人，不能发起流程「{name}」")
    return Refusal("workflow.nobodyFound", text.format(step=step, name=process))


def head_instead(policy: Policy, holder: int | None, keys: Collection[str], starter_id: int) -> int | None:
    """Return the head who gets a step that its own starter would decide; None where the step stays as it is."""
    if policy.starter != StarterIsApprover.HEAD or sole(holder, keys) != starter_id:
        return None
    return ports.people.head_of(starter_id)


def decided(
    policy: Policy,
    *,
    is_instead: bool,
    person: Callable[[], int | None],
    starter_id: int,
    previous: int | None,
    agreed: Callable[[], Collection[int]],
) -> Reason | None:
    """Return why nobody needs to be asked about a step; None where somebody does.

    `is_instead`: its rules found nobody. `previous` has agreed to the step right before, `agreed` to any step since the
    last rejection; what has to be read is asked for only where the policy needs it.
    """
    if is_instead:
        return Reason.AGREED_NOBODY if policy.nobody == NobodyFound.AGREE else None
    asks_starter = policy.starter != StarterIsApprover.AGREE
    if asks_starter and policy.same == SamePerson.ASK:
        return None
    asked = person()
    if asked is None:
        return None
    if not asks_starter and asked == starter_id:
        return Reason.AGREED_STARTER
    if policy.same != SamePerson.ASK and asked == previous:
        return Reason.AGREED_PREVIOUS
    return Reason.AGREED_BEFORE if policy.same == SamePerson.ANY and asked in agreed() else None


def since_rejection(meta: Mapping[str, Any], done: Iterator[tuple[str, str, int | None]]) -> set[int]:
    """Return who has agreed since the last rejection, of completed steps in their order: node, outcome and person.

    A step that was rejected or sent back is decided anew.
    """
    found: set[int] = set()
    for node, outcome, person in done:
        if not is_yes(meta, node, outcome):
            found = set()
        elif person is not None:
            found.add(person)
    return found


def is_yes(meta: Mapping[str, Any], node: str, outcome: str) -> bool:
    """Return whether the outcome agrees to the step."""
    return bool(outcome) and outcome == meta["nodes"].get(node, {}).get("positive")


def asks_nothing(step: Mapping[str, Any], form: Schema | None) -> bool:
    """Return whether a step can be agreed to without input; `step` is its entry in the definition's meta data."""
    return bool(step.get("positive")) and all(values.is_locked(field) for field in values.inputs(form))


def problems(
    specification: engine.Specification, meta: Mapping[str, Any], forms: Mapping[str, Schema]
) -> Iterator[Problem]:
    """Yield what is wrong with the policies: words nobody knows, and steps that cannot be agreed to without input."""
    yield from _wrong(specification.process_id, specification.extensions)
    for node in specification.nodes.values():
        if node.kind != "userTask":
            continue
        yield from _wrong(node.id, node.extensions)
        own = [name for name in _WORDS if node.extensions.get(name, "").strip()]
        if own and not _is_own(meta, node.id):
            zh = "业务单据自身的步骤由单据的操作完成，不能设置自动处理"
            en = "A step of the record itself is completed by its commands and cannot be decided automatically"
            yield Problem(node.id, "policy_own", zh, en)
        elif _agrees(of(specification, meta, node.id)) and not asks_nothing(meta["nodes"][node.id], forms.get(node.id)):
            zh = "该步骤需要填写内容，不会自动同意"
            en = "This step asks for input, so it is never approved automatically"
            yield Problem(node.id, "policy_input", zh, en, "warning")


def people_named(extensions: Mapping[str, str]) -> list[str]:
    """Return the rule of the person whom a policy names for steps that find nobody."""
    said = extensions.get(NOBODY_FOUND, "").strip()
    return [said] if _PERSON.fullmatch(said) else []


def _wrong(element: str, extensions: Mapping[str, str]) -> Iterator[Problem]:
    for name, known in _WORDS.items():
        said = extensions.get(name, "").strip()
        if said and said not in known and not (name == NOBODY_FOUND and _PERSON.fullmatch(said)):
            shown = said[:40]
            zh, en = f"自动处理的取值“{shown}”无效", f"The value “{shown}” of an automatic decision is invalid"
            yield Problem(element, "policy", zh, en)


def _agrees(policy: Policy) -> bool:
    return (
        policy.nobody == NobodyFound.AGREE or policy.same != SamePerson.ASK or policy.starter == StarterIsApprover.AGREE
    )
