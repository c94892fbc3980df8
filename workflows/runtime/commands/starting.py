"""Starts of processes that no person asks for at that moment: at a time, or by a message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from core import ports
from core.identity.authentication import actor_of
from core.kernel.actor import Actor
from core.kernel.errors import Refusal
from core.kernel.tenancy import current_tenant
from workflows.runtime.commands import standalone
from workflows.runtime.definitions import library
from workflows.runtime.tables.instances.models import ProcessInstance

_MOST = 20
"""Holders of a role among whom the starter is looked for."""


def start_by_itself(
    definition_id: int, at: str, form: Mapping[str, Any], otherwise: int | None = None
) -> ProcessInstance:
    """Start a standalone process at a start event, inside an operation of the system, with values that were checked.

    Its starter is whom the event names (`xw:starter`), else the person `otherwise`, who needs the right to start it.
    Raises what `standalone.to_start` does, and Refusal where there is no such person.
    """
    rule = library.specification(definition_id).nodes[at].extensions.get("starter", "")
    starter = starter_of(definition_id, rule, otherwise)
    return standalone.begin(standalone.to_start(starter, definition_id), form, starter, at)


def starter_of(definition_id: int, rule: str, otherwise: int | None) -> Actor:
    """Return the person whom a rule such as `user:wei.b` or `role:shift_leader@7` names, without one `otherwise`.

    Of several holders of a role, the first one who may start the process. Raises Refusal where there is nobody.
    """
    kind, _colon, value = rule.partition(":")
    if kind == "user":
        asked = list(ports.people.active({value}).values())
    elif rule:
        keys = ports.people.candidate_keys([rule]).values()
        asked = list(ports.people.behind(keys).values_list("pk", flat=True)[:_MOST])
    else:
        asked = [otherwise] if otherwise is not None else []
    definition = library.definition(definition_id)
    found = None
    for user_id in asked:
        actor = actor_of(user_id, current_tenant())
        found = found or actor
        if actor is not None and library.may_start(actor, definition):
            return actor
    if found is None:
        raise Refusal("workflow.starterGone", _("发起人不存在或已停用，请在开始事件中指定发起人"))
    return found
