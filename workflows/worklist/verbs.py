"""What the queue's verbs beside completing mean for a model: the task itself changes hands, or a record's command acts.

A model's process.toml says it under [verbs]: `"task"` for the task itself, false for never, or a table with the name
of the record's `command` (and `person`, the name of the field that takes the person; `nodes`, where it may be done).
What is not said is refused where a record is bound to the process, because the record would not know of it, and is
the task's own where none is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from core.kernel import ports
from core.kernel.actor import Actor
from core.kernel.errors import Refusal
from core.kernel.operation import digest, registry
from core.kernel.texts import label
from workflows.deployments import library

DELEGATE, TRANSFER, WITHDRAW = "delegate", "transfer", "withdraw"
NAMES = {DELEGATE: label("委派", "delegate"), TRANSFER: label("转办", "transfer"), WITHDRAW: label("撤回", "withdraw")}
TASK = "task"


def meaning(verb: str, definition_id: int, business_type: str, node: str) -> Mapping[str, Any] | str:
    """`TASK`, the table of a record's command, or '' where the verb is refused."""
    said = library.definition(definition_id).meta.get("verbs", {}).get(verb)
    if said is None:
        return TASK if business_type not in ports.effects else ""
    if isinstance(said, Mapping):
        return said if node in said.get("nodes", [node]) else ""
    return TASK if said == TASK else ""


def refusal(verb: str, definition_id: int) -> Refusal:
    """Names the verb and the process; what may be done instead stands on the record's page."""
    text = _("「{process}」不支持在此{verb}，请在单据上处理")
    return Refusal("workflow.verb", text.format(process=library.definition(definition_id), verb=str(NAMES[verb])))


def command(
    actor: Actor, said: Mapping[str, Any], record_id: int, item_id: int | None, given: Mapping[str, Any]
) -> Any:
    """Carry the verb out as the record's own command, with the rights and the input that it asks for."""
    raw = {"reason": given["reason"]}
    if "person" in said:
        raw[said["person"]] = given["userId"]
    mark = digest([said["command"], given])
    return registry[said["command"]].function(actor, record_id, raw, None, item_id, given["reason"], mark)
