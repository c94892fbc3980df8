"""What the vote of each person weighs in a countersign whose loop has weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core import ports

EVERYBODY = "*"


def of(rules: Sequence[tuple[str, int]], people: Sequence[Any]) -> list[int]:
    """Return the weight of each person, given by id or account: that of the first rule that names the person.

    Whom no rule names weighs what the rule `*` says, else 1. Two statements, and one for each rule.
    """
    words = [str(person) for person in people]
    ids = ports.people.active({word for word in words if 0 < len(word) <= 60})
    keys = _keys([rule for rule, _weight in rules if rule != EVERYBODY])
    found: dict[str, int] = {}
    for rule, weight in rules:
        if rule in keys:
            members = set(ports.people.behind([keys[rule]]).filter(pk__in=ids.values()).values_list("pk", flat=True))
            found.update({word: weight for word in words if word not in found and ids.get(word) in members})
    usual = dict(rules).get(EVERYBODY, 1)
    return [found.get(word, usual) for word in words]


def _keys(rules: Sequence[str]) -> dict[str, str]:
    """Return by rule its candidate key; people are named by id or account."""
    named = {rule: rule.removeprefix("user:") for rule in rules if rule.startswith("user:")}
    ids = ports.people.active(set(named.values())) if named else {}
    keys = dict(ports.people.candidate_keys(rule for rule in rules if rule not in named))
    return keys | {rule: f"user:{ids[word]}" for rule, word in named.items() if word in ids}
