"""Who reads a record of a case."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core import ports
from core.kernel.actor import Actor


def own_or_part(model: Any, owner: str, code: str, draft: int | None = None) -> Callable[[Actor, int], bool]:
    """Return the `sees` of a case whose records are private: (actor, record id) → bool.

    The person whom the column `owner` names reads the record, whoever holds the permission code, and whoever has or
    had a step of its process. A record with the status `draft` has no reader but its form.
    """

    def sees(actor: Actor, record_id: int) -> bool:
        found = model.objects.filter(pk=record_id).values_list(f"{owner}_id", "status").first()
        if found is None or (draft is not None and found[1] == draft):
            return False
        if found[0] == actor.user_id or actor.is_system or actor.may(code):
            return True
        return ports.processes.takes_part(actor, model._meta.model_name, record_id)

    return sees
