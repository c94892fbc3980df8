"""Who reads a record of a case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from core import ports
from core.kernel.actor import Actor


@dataclass(frozen=True)
class OwnOrPart:
    """The readers of a case whose records are private; see `own_or_part`."""

    model: Any
    owner: str
    code: str
    draft: int | None

    def __call__(self, actor: Actor, record_id: int) -> bool:
        """Return whether the person may read the record."""
        owner = self._owner_of(record_id)
        if owner is None:
            return False
        if owner == actor.user_id or actor.is_system or actor.may(self.code):
            return True
        return ports.processes.takes_part(actor, self.model._meta.model_name, record_id)

    def among(self, actors: Sequence[Actor], record_id: int) -> set[int]:
        """Return the ids of those of these people who may read the record; two statements."""
        owner = self._owner_of(record_id)
        if owner is None:
            return set()
        by_right = {one.user_id for one in actors if one.user_id == owner or one.may(self.code)}
        return by_right | ports.processes.parts_among(actors, self.model._meta.model_name, record_id)

    def _owner_of(self, record_id: int) -> int | None:
        """Return who owns the record; None where there is none, or only a draft."""
        found = self.model.objects.filter(pk=record_id).values_list(f"{self.owner}_id", "status").first()
        return None if found is None or (self.draft is not None and found[1] == self.draft) else int(found[0])

    def visible(self, actor: Actor) -> QuerySet[Any]:
        """Return all records that the person may read."""
        rows: QuerySet[Any] = self.model.objects.all()
        if self.draft is not None:
            rows = rows.exclude(status=self.draft)
        if actor.is_system or actor.may(self.code):
            return rows
        part = ports.processes.parts_of(actor, self.model._meta.model_name)
        return rows.filter(Q(**{f"{self.owner}_id": actor.user_id}) | Q(pk__in=part))


def own_or_part(model: Any, owner: str, code: str, draft: int | None = None) -> OwnOrPart:
    """Return the readers of a case whose records are private.

    The person whom the column `owner` names reads the record, whoever holds the permission code, and whoever has or
    had a step of its process. A record with the status `draft` has no reader but its form.
    """
    return OwnOrPart(model, owner, code, draft)
