"""Who gets a step: whom its node names, and who is asked where nobody bears that name.

The work list asks when it makes an item, and the designer's preview asks the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, partial
from typing import Any

from core.kernel import ports
from workflows import engine

FALLBACK = "role:tenant_admin"
"""Who gets a step that nobody else would get; the reason is visible as the candidate's name."""

_PERSON = re.compile(r"[0-9]{1,18}")
_OF_MANY = re.compile(r"role:[A-Za-z0-9_-]{1,40}(@[0-9]{1,19})?|team:[0-9]{1,19}")


class Instead(StrEnum):
    """Who is asked where a step names nobody who could do it."""

    NOBODY = ""
    HEAD = "head"
    """Who heads the starter's department."""
    ADMINISTRATORS = "administrators"
    """Who administers the company."""


@dataclass(frozen=True)
class Named:
    """Whom a step names, its expressions evaluated: one person, else candidate rules such as `role:hr`."""

    assignee: str
    rules: tuple[str, ...]


@dataclass(frozen=True)
class Offer:
    """Who gets a step: the person who holds it, or the keys under which it is offered."""

    holder: int | None
    keys: list[str]
    by_rule: Mapping[str, str] = field(default_factory=dict)
    """Of the rules that somebody may be found by, the key; of a person's rule, that person's."""
    instead: Instead = Instead.NOBODY


def named(node: engine.Node, names: Mapping[str, Any], *, is_bound: bool) -> Named:
    """Whom the node names. A record's process is drawn in our dialect: other engines' attributes are not read there."""
    assignee = str(engine.evaluate(node.extensions.get("assignee", ""), names) or "")
    rules = [str(engine.evaluate(rule, names) or "") for rule in node.extensions.get("candidates", "").split()]
    return Named(assignee, tuple(rules if is_bound else [*rules, *_vendor_rules(node, names)]))


def _vendor_rules(node: engine.Node, names: Mapping[str, Any]) -> list[str]:
    """People whom another engine's model names, as rules of ours."""
    found = []
    for attribute, kind in (("candidateUsers", "user"), ("candidateGroups", "role")):
        listed = str(engine.evaluate(node.extensions.get(attribute, ""), names) or "")
        found += [f"{kind}:{word.strip()}" for word in listed.split(",") if word.strip()]
    return found


def offer(said: Named, starter_id: int, *, is_bound: bool) -> Offer:
    """Who gets a step that names these people."""
    return offers([said], starter_id, is_bound=is_bound)[0]


def offers(said: Sequence[Named], starter_id: int, *, is_bound: bool) -> list[Offer]:
    """Who gets each of these steps; as many statements as for one."""
    return _of_record(said) if is_bound else _of_own(said, starter_id)


def _of_record(said: Sequence[Named]) -> list[Offer]:
    pooled = [one for one in said if not _PERSON.fullmatch(one.assignee)]
    keys = ports.people.candidate_keys(_rules(pooled)) if pooled else {}
    administrators = cache(_administrators)
    answer = []
    for one in said:
        if _PERSON.fullmatch(one.assignee):
            answer.append(Offer(int(one.assignee), []))
            continue
        found = {rule: keys[rule] for rule in one.rules if rule in keys}
        answer.append(Offer(None, _each_once(found), found) if found else administrators())
    return answer


def _of_own(said: Sequence[Named], starter_id: int) -> list[Offer]:
    """By a tenant's own drawing: names that nobody bears must not hide the step.

    Where nobody is found it is offered to the head of the starter's department, then to who administers the company.
    """
    words = {word for one in said for word in (one.assignee, *_accounts(one))}
    people = ports.people.active({word for word in words if 0 < len(word) <= 60})
    pooled = [one for one in said if one.assignee not in people]
    keys = ports.people.candidate_keys(rule for rule in _rules(pooled) if _OF_MANY.fullmatch(rule)) if pooled else {}
    fallback = cache(partial(_head_of, starter_id))
    answer = []
    for one in said:
        if one.assignee in people:
            answer.append(Offer(people[one.assignee], []))
            continue
        found = {rule: keys[rule] for rule in one.rules if rule in keys}
        found.update((f"user:{word}", f"user:{people[word]}") for word in _accounts(one) if word in people)
        answer.append(Offer(None, _each_once(found), found) if found else fallback())
    return answer


def _rules(said: Sequence[Named]) -> list[str]:
    return list(dict.fromkeys(rule for one in said for rule in one.rules))


def _accounts(said: Named) -> list[str]:
    return sorted({rule.removeprefix("user:") for rule in said.rules if rule.startswith("user:")})


def _head_of(starter_id: int) -> Offer:
    head = ports.people.head_of(starter_id)
    return _administrators() if head is None else Offer(None, [f"user:{head}"], instead=Instead.HEAD)


def _each_once(by_rule: Mapping[str, str]) -> list[str]:
    return list(dict.fromkeys(by_rule.values()))


def _administrators() -> Offer:
    return Offer(None, _each_once(ports.people.candidate_keys([FALLBACK])), instead=Instead.ADMINISTRATORS)
