"""Who reads a record of a case."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import BigIntegerField, Q, QuerySet, Value

from core import ports
from core.cases.case import Listing, sent
from core.kernel.actor import Actor
from core.rest.scopes import rule_of
from core.statements.compiled import Compiled


@dataclass(frozen=True)
class OwnOrPart:
    """The readers of a case whose records are private; see `own_or_part`."""

    model: Any
    owner: str
    code: str
    draft: int | None
    listing: Listing | None

    def __call__(self, actor: Actor, record_id: int) -> bool:
        """Return whether the person may read the record."""
        owner = self._owner_of(record_id)
        if owner is None:
            return False
        if owner == actor.user_id or actor.is_system or self._by_right([actor], record_id):
            return True
        return ports.processes.takes_part(actor, self.model._meta.model_name, record_id)

    def among(self, actors: Sequence[Actor], record_id: int) -> set[int]:
        """Return the ids of those of these people who may read the record; at most three statements."""
        owner = self._owner_of(record_id)
        if owner is None:
            return set()
        readers = {one.user_id for one in actors if one.user_id == owner} | self._by_right(actors, record_id)
        return readers | ports.processes.parts_among(actors, self.model._meta.model_name, record_id)

    def _by_right(self, actors: Sequence[Actor], record_id: int) -> set[int]:
        """Return the ids of those of these people for whom the permission code opens the record."""
        holders = [one for one in actors if one.may(self.code)]
        if self.listing is None or not holders:
            return {one.user_id for one in holders}
        parts = [
            self.listing.within(sent(self.model, self.draft), one)
            .order_by()
            .filter(pk=record_id)
            .values_list(Value(one.user_id, BigIntegerField()), flat=True)
            for one in holders
        ]
        return set(parts[0].union(*parts[1:], all=True))

    def _owner_of(self, record_id: int) -> int | None:
        """Return who owns the record; None where there is none, or only a draft."""
        found = self.model.objects.filter(pk=record_id).values_list(f"{self.owner}_id", "status").first()
        return None if found is None or (self.draft is not None and found[1] == self.draft) else int(found[0])

    def visible(self, actor: Actor) -> QuerySet[Any]:
        """Return all records that the person may read."""
        rows = sent(self.model, self.draft)
        if actor.is_system or (self.listing is None and actor.may(self.code)):
            return rows
        part = ports.processes.parts_of(actor, self.model._meta.model_name)
        own = Q(**{f"{self.owner}_id": actor.user_id}) | Q(pk__in=part)
        if self.listing is not None and actor.may(self.code):
            own |= Q(pk__in=self.listing.within(rows, actor).order_by().values("pk"))
        return rows.filter(own)


def own_or_part(
    model: Any, owner: str, code: str = "", draft: int | None = None, listing: Listing | None = None
) -> OwnOrPart:
    """Return the readers of a case whose records are private.

    The person whom the column `owner` names reads the record, whoever holds the permission code, and whoever has or
    had a step of its process. A record with the status `draft` has no reader but its form. Where the case has a
    `listing`, its permission code opens the records within the person's data scope.
    """
    return OwnOrPart(model, owner, f"{listing.noun}_view" if listing else code, draft, listing)


@dataclass(frozen=True)
class InScope:
    """The readers of a case whose records lie within data scopes; see `in_scope`."""

    model: Any
    listing: Listing
    beside: Callable[[QuerySet[Any], Actor], QuerySet[Any]]

    def rows(self, actor: Actor) -> QuerySet[Any]:
        """Return the records within the person's data scope; the own ones always."""
        return self.listing.within(self.model.objects.all(), actor)

    def __call__(self, actor: Actor, record_id: int) -> bool:
        """Return whether the record lies within the scope; compiled once for as long as the actor's rights last."""
        noun = self.listing.noun
        if rule_of(actor, noun).custom:  # it may speak of moments, which are not compiled
            return bool(self.rows(actor).filter(pk=record_id).exists())
        key = f"{noun}.sees"
        if key not in actor.kept:
            actor.kept[key] = Compiled(lambda pk: self.rows(actor).filter(pk=pk).values_list("pk"))
        return bool(actor.kept[key].rows(record_id))

    def visible(self, actor: Actor) -> QuerySet[Any]:
        """Return the records within the scope, with what is read beside each."""
        return self.beside(self.rows(actor), actor)

    def among(self, actors: Sequence[Actor], record_id: int) -> set[int]:
        """Return whose scope the record lies within; one statement, a part for each person."""
        parts = [
            self.rows(one).filter(pk=record_id).values_list(Value(one.user_id, BigIntegerField()), flat=True)
            for one in actors
        ]
        return set(parts[0].union(*parts[1:], all=True)) if parts else set()


def in_scope(
    model: Any, listing: Listing, beside: Callable[[QuerySet[Any], Actor], QuerySet[Any]] = lambda rows, actor: rows
) -> InScope:
    """Return the readers of a case whose records are read by whose data scope for the list's noun they lie within.

    `beside` adds to the records of a page what commands read of each for the person, so that it takes one statement.
    """
    return InScope(model, listing, beside)
