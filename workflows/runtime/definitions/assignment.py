"""Assignment of a step: the assignee or the candidates that its node names, and the fallback where nobody is found.

The work list uses it when it creates an item, and the designer's preview uses the same functions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, partial
from typing import Any

from core import ports
from workflows import engine

FALLBACK = "role:tenant_admin"
"""Who gets a step that nobody else would get; the reason is visible as the candidate's name."""

_PERSON = re.compile(r"[0-9]{1,18}")
_OF_MANY = re.compile(r"role:[A-Za-z0-9_-]{1,40}(@[0-9]{1,19})?|team:[0-9]{1,19}")


class Fallback(StrEnum):
    """Who is asked where the rule of a node finds no eligible person."""

    NOBODY = ""
    HEAD = "head"
    """Who heads the starter's department."""
    ADMINISTRATORS = "administrators"
    """Who administers the company."""


@dataclass(frozen=True)
class Named:
    """What a node names after its expressions are evaluated: one assignee, else candidate rules such as `role:hr`."""

    assignee: str
    rules: tuple[str, ...]


@dataclass(frozen=True)
class Offer:
    """The result for one step: the person who is assigned, or the keys of its candidates."""

    holder: int | None
    keys: list[str]
    by_rule: Mapping[str, str] = field(default_factory=dict)
    """Of the rules that somebody may be found by, the key; of a person's rule, that person's."""
    instead: Fallback = Fallback.NOBODY

    def sole_holder(self) -> int | None:
        """Return who holds the step from the beginning: the assignee, or a person who is its only candidate."""
        if self.holder is not None or len(self.keys) != 1 or not self.keys[0].startswith("user:"):
            return self.holder
        return int(self.keys[0].removeprefix("user:"))


def named(node: engine.Node, names: Mapping[str, Any], *, is_bound: bool) -> Named:
    """Return what the node names; attributes of other engines are read in standalone processes only."""
    assignee = str(engine.evaluate(node.extensions.get("assignee", ""), names) or "")
    rules = [str(engine.evaluate(rule, names) or "") for rule in node.extensions.get("candidates", "").split()]
    return Named(assignee, tuple(rules if is_bound else [*rules, *_vendor_rules(node, names)]))


def _vendor_rules(node: engine.Node, names: Mapping[str, Any]) -> list[str]:
    """Return the candidates that a model of another engine names, as candidate rules of ours."""
    found = []
    for attribute, kind in (("candidateUsers", "user"), ("candidateGroups", "role")):
        listed = str(engine.evaluate(node.extensions.get(attribute, ""), names) or "")
        found += [f"{kind}:{word.strip()}" for word in listed.split(",") if word.strip()]
    return found


def offer(said: Named, starter_id: int, *, is_bound: bool) -> Offer:
    """Return the assignee or the candidates for one step."""
    return offers([said], starter_id, is_bound=is_bound)[0]


def offers(said: Sequence[Named], starter_id: int, *, is_bound: bool) -> list[Offer]:
    """Return the assignee or the candidates for each step; the number of statements does not grow with the steps."""
    return _of_record(said) if is_bound else _of_own(said, starter_id)


def _of_record(said: Sequence[Named]) -> list[Offer]:
    pooled = [one for one in said if not _PERSON.fullmatch(one.assignee)]
    keys = ports.people.candidate_keys(_rules(pooled)) if pooled else {}
    administrators = cache(to_administrators)
    answer = []
    for one in said:
        if _PERSON.fullmatch(one.assignee):
            answer.append(Offer(int(one.assignee), []))
            continue
        found = {rule: keys[rule] for rule in one.rules if rule in keys}
        answer.append(Offer(None, _each_once(found), found) if found else administrators())
    return answer


def _of_own(said: Sequence[Named], starter_id: int) -> list[Offer]:
    """Return the offers of a standalone process, whose model may name people or roles that do not exist.

    A step without anybody is offered to the head of the starter's department, else to the company's administrators.
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
    return to_administrators() if head is None else Offer(None, [f"user:{head}"], instead=Fallback.HEAD)


def _each_once(by_rule: Mapping[str, str]) -> list[str]:
    return list(dict.fromkeys(by_rule.values()))


def to_administrators() -> Offer:
    """Offer a step to those who administer the company."""
    return Offer(None, _each_once(ports.people.candidate_keys([FALLBACK])), instead=Fallback.ADMINISTRATORS)
