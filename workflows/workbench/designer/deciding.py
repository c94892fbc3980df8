"""The policies of a model in a dry run and a preview: who is asked instead, and which steps nobody is asked about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workflows.forms.values import Schema
from workflows.runtime.definitions import policies
from workflows.runtime.definitions.assignment import Fallback, Offer
from workflows.runtime.definitions.policies import Policy
from workflows.runtime.tables.worklist.models import Reason

Completed = tuple[str, str, int | None]
"""A completed step: node, outcome, and the person where one is known."""


@dataclass(frozen=True)
class Decided:
    """A step that was decided without asking anybody."""

    node: str
    user_id: int | None
    reason: Reason


@dataclass(frozen=True)
class Past:
    """What was completed before a step opens."""

    meta: Mapping[str, Any]
    done: tuple[Completed, ...] = field(default=())
    previous: int | None = None
    """Who has agreed to the step right before."""

    def agreed(self) -> set[int]:
        """Return who has agreed since the last rejection."""
        return policies.since_rejection(self.meta, iter(self.done))


def offered(policy: Policy, offer: Offer, starter_id: int) -> Offer:
    """Return the offer, or that to the head where the starter alone would be asked and the model wants the head."""
    if offer.instead != Fallback.NOBODY:
        return offer
    head = policies.head_instead(policy, offer.holder, offer.keys, starter_id)
    return offer if head is None else Offer(head, [], offer.by_rule, Fallback.STARTERS_HEAD)


def reason_of(
    policy: Policy, step: Mapping[str, Any], form: Schema | None, offer: Offer, starter_id: int, past: Past
) -> Reason | None:
    """Return why nobody would be asked about a step; None where somebody would."""
    if policy == policies.USUAL or not policies.asks_nothing(step, form):
        return None
    return policies.decided(
        policy,
        is_instead=offer.instead not in (Fallback.NOBODY, Fallback.STARTERS_HEAD),
        person=lambda: policies.sole(offer.holder, offer.keys),
        starter_id=starter_id,
        previous=past.previous,
        agreed=past.agreed,
    )
