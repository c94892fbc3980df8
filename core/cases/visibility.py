"""Who reads a record of a case."""

from __future__ import annotations

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
        found = self.model.objects.filter(pk=record_id).values_list(f"{self.owner}_id", "status").first()
        if found is None or (self.draft is not None and found[1] == self.draft):
            return False
        if found[0] == actor.user_id or actor.is_system or actor.may(self.code):
            return True
        return ports.processes.takes_part(actor, self.model._meta.model_name, record_id)

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
