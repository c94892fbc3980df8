"""Assignment of a step: the assignee or the candidates that its node names, and the fallback where nobody is found.

The work list uses it when it creates an item, and the designer's preview uses the same functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache, partial
from typing import Any

from core import ports
from workflows import engine

FALLBACK = "role:tenant_admin"
"""Who gets a step that nobody else would get; the reason is visible as the candidate's name."""

ADMINISTRATORS, HEAD = "administrators", "head"
"""Words of a policy: who is asked where nobody is found; a record's process asks the first, any other the second."""

_PERSON = re.compile(r"[0-9]{1,18}")
_OF_MANY = re.compile(
    r"(role|post):[A-Za-z0-9_-]{1,40}(@[0-9]{1,19})?|(team|dept|deptTree):[0-9]{1,18}"
    r"|head:(user:)?[0-9]{1,18}(\+[1-9])?"
)
_DUTY = re.compile(r"duty:([0-9]{1,18})")
_HEAD_OF_STARTER = re.compile(r"head:starter(\+[1-9])?")


class Fallback(StrEnum):
    """Who is asked where the rule of a node finds no eligible person."""

    NOBODY = ""
    HEAD = "head"
    """Who heads the starter's department."""
    ADMINISTRATORS = "administrators"
    """Who administers the company."""
    PERSON = "person"
    """Whom the model names for this case."""
    STARTERS_HEAD = "startersHead"
    """Who heads the department of the starter, whom the rule names."""


@dataclass(frozen=True)
class Named:
    """What a node names after its expressions are evaluated: one assignee, else candidate rules such as `role:hr`."""

    assignee: str
    rules: tuple[str, ...]
    instead: str = ""
    """What its policy says where nobody is found; see `policies.NobodyFound`."""


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


def named(node: engine.Node, names: Mapping[str, Any], *, is_bound: bool, instead: str = "") -> Named:
    """Return what the node names; attributes of other engines are read in standalone processes only.

    `instead` is the policy of the step where nobody is found.
    """
    assignee = str(engine.evaluate(node.extensions.get("assignee", ""), names) or "")
    rules = [rule for word in node.extensions.get("candidates", "").split() for rule in _rules_of(word, names)]
    return Named(assignee, tuple(rules if is_bound else [*rules, *_vendor_rules(node, names)]), instead)


def _rules_of(word: str, names: Mapping[str, Any]) -> list[str]:
    """Return a candidate rule with its expressions evaluated, and the person in place of the word `starter`.

    A record may name several people, their ids joined by commas: each gets a rule of their own.
    """
    found = _HEAD_OF_STARTER.fullmatch(word)
    if found:
        return [f"head:user:{names['starter']['id']}{found[1] or ''}"]
    rule = str(engine.evaluate(word, names) or "")
    people = rule.removeprefix("user:").split(",") if rule.startswith("user:") else []
    return [f"user:{one}" for one in people] if len(people) > 1 else [rule]


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
    said = _with_duty(said)
    return _of_record(said, starter_id) if is_bound else _of_own(said, starter_id)


def on_duty(rules: Iterable[str]) -> dict[str, list[str]]:
    """Return by rule for a department's duty the people who are on duty there now, each as a rule of their own."""
    asked = {rule: int(found[1]) for rule in rules if (found := _DUTY.fullmatch(rule))}
    people = ports.on_duty(set(asked.values())) if asked else {}
    return {rule: [f"user:{pk}" for pk in people.get(dept, ())] for rule, dept in asked.items()}


def _with_duty(said: Sequence[Named]) -> Sequence[Named]:
    """Let those who are on duty stand in place of the rules for them: who comes later does not find the step."""
    found = on_duty(rule for one in said for rule in one.rules)
    if not found:
        return said
    return [
        replace(one, rules=tuple(person for rule in one.rules for person in found.get(rule, [rule]))) for one in said
    ]


def _of_record(said: Sequence[Named], starter_id: int) -> list[Offer]:
    pooled = [one for one in said if not _PERSON.fullmatch(one.assignee)]
    keys = _by_id(ports.people.candidate_keys(_rules(pooled))) if pooled else {}
    fallback = cache(partial(_instead, starter_id, usual=ADMINISTRATORS))
    answer = []
    for one in said:
        if _PERSON.fullmatch(one.assignee):
            answer.append(Offer(int(one.assignee), []))
            continue
        found = {rule: keys[rule] for rule in one.rules if rule in keys}
        answer.append(_offered(found, one.instead) or fallback(one.instead))
    return answer


def _by_id(keys: Mapping[str, str]) -> dict[str, str]:
    """Return the keys with the ids of people in place of accounts, without those whom the company does not have."""
    words = {key.removeprefix("user:") for key in keys.values() if key.startswith("user:")}
    accounts = {word for word in words if not _PERSON.fullmatch(word)}
    people = ports.people.active(accounts) if accounts else {}
    found = {rule: key for rule, key in keys.items() if key.removeprefix("user:") not in accounts}
    return found | {
        rule: f"user:{people[word]}" for rule, key in keys.items() if (word := key.removeprefix("user:")) in people
    }


def _offered(found: Mapping[str, str], instead: str) -> Offer | None:
    """Return the offer to those behind these keys; None where there are none.

    Where a policy says what to do then, nobody who may work is none either; one statement.
    """
    keys = _each_once(found)
    if not keys or (instead and not ports.people.behind(keys).exists()):
        return None
    return Offer(None, keys, found)


def _of_own(said: Sequence[Named], starter_id: int) -> list[Offer]:
    """Return the offers of a standalone process, whose model may name people or roles that do not exist.

    A step without anybody is offered to the head of the starter's department, else to the company's administrators.
    """
    words = {word for one in said for word in (one.assignee, *_accounts(one))}
    people = ports.people.active({word for word in words if 0 < len(word) <= 60})
    pooled = [one for one in said if one.assignee not in people]
    keys = ports.people.candidate_keys(rule for rule in _rules(pooled) if _OF_MANY.fullmatch(rule)) if pooled else {}
    fallback = cache(partial(_instead, starter_id, usual=HEAD))
    answer = []
    for one in said:
        if one.assignee in people:
            answer.append(Offer(people[one.assignee], []))
            continue
        found = {rule: keys[rule] for rule in one.rules if rule in keys}
        found.update((f"user:{word}", f"user:{people[word]}") for word in _accounts(one) if word in people)
        answer.append(_offered(found, one.instead) or fallback(one.instead))
    return answer


def _rules(said: Sequence[Named]) -> list[str]:
    return list(dict.fromkeys(rule for one in said for rule in one.rules))


def _accounts(said: Named) -> list[str]:
    return sorted({rule.removeprefix("user:") for rule in said.rules if rule.startswith("user:")})


def _instead(starter_id: int, said: str, *, usual: str) -> Offer:
    """Return who is asked where nobody is found; a policy that asks nobody is applied before the step opens."""
    if said.startswith("user:"):
        word = said.removeprefix("user:")
        person = ports.people.active({word}).get(word)
        return to_administrators() if person is None else Offer(person, [], instead=Fallback.PERSON)
    return to_administrators() if (said or usual) == ADMINISTRATORS else _head_of(starter_id)


def _head_of(starter_id: int) -> Offer:
    head = ports.people.head_of(starter_id)
    return to_administrators() if head is None else Offer(None, [f"user:{head}"], instead=Fallback.HEAD)


def _each_once(by_rule: Mapping[str, str]) -> list[str]:
    return list(dict.fromkeys(by_rule.values()))


def to_administrators() -> Offer:
    """Offer a step to those who administer the company."""
    return Offer(None, _each_once(ports.people.candidate_keys([FALLBACK])), instead=Fallback.ADMINISTRATORS)
