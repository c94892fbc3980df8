"""The meaning of delegate, transfer and withdraw for a model: the task changes hands, or a command of the record runs.

The declaration of a case says it under `verbs`: `"task"` for the task itself, false for never, or a table with the
name of the record's `command`, with `person` (the field that takes the person) and `nodes` (where it is allowed). A
verb without an entry is refused where the process belongs to a record, and means the task in a standalone process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from inspect import signature
from typing import Any

from django.utils.translation import gettext as _

from core import ports
from core.kernel.actor import Actor
from core.kernel.errors import Refusal, Stale
from core.kernel.operation import digest, registry
from core.kernel.texts import label
from workflows.runtime.commands.shared import locked
from workflows.runtime.definitions import library
from workflows.runtime.rows.items import open_item
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

DELEGATE, TRANSFER, WITHDRAW = "delegate", "transfer", "withdraw"
NAMES = {DELEGATE: label("委派", "delegate"), TRANSFER: label("转办", "transfer"), WITHDRAW: label("撤回", "withdraw")}
TASK = "task"


def meaning(verb: str, definition_id: int, business_type: str, node: str) -> Mapping[str, Any] | str:
    """Return `TASK`, the table that names a record's command, or '' where the verb is refused."""
    said = library.definition(definition_id).meta.get("verbs", {}).get(verb)
    if said is None:
        return TASK if business_type not in ports.effects else ""
    if isinstance(said, Mapping):
        return said if node in said.get("nodes", [node]) else ""
    return TASK if said == TASK else ""


def meaning_of(verb: str, item: WorkItem) -> Mapping[str, Any] | str:
    """Return the same for an item; a signer hands on the task, whatever the record's command for the step is."""
    return TASK if item.signs else meaning(verb, item.definition_id, item.business_type, item.node)


def refusal(verb: str, definition_id: int) -> Refusal:
    """Return the refusal of a verb; it names the verb and the process, and refers to the record's page."""
    text = _("「{process}」不支持在此{verb}，请在单据上处理")
    return Refusal("workflow.verb", text.format(process=library.definition(definition_id), verb=str(NAMES[verb])))


def command(
    actor: Actor, said: Mapping[str, Any], record_id: int, step: ports.Step | None, given: Mapping[str, Any]
) -> Any:
    """Carry out the verb as a command of the record, with the permission and the input that the command requires."""
    raw = {"reason": given["reason"]}
    if "person" in said:
        raw[said["person"]] = given["userId"]
    return registry[said["command"]].function(
        actor,
        record_id=record_id,
        raw=raw,
        step=step,
        comment=given["reason"],
        mark=digest([said["command"], given]),
    )


def command_on(actor: Actor, said: Mapping[str, Any], item: WorkItem, given: Mapping[str, Any]) -> Any:
    """Lock an open item and carry out the verb on it; raises Stale when the item is no longer open."""
    held, item = locked(item)
    if item.state != ItemState.OPEN:
        raise Stale()
    return command(actor, said, item.business_id, ports.Step(held, open_item(item), item.business_id), given)


PARAMETERS = ("record_id", "raw", "step", "comment", "mark")
"""Names of the parameters with which `command` calls a record's command, after the actor."""


def problems(declared: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each entry among the verbs of a shipped process that cannot work."""
    for verb, said in declared.items():
        if verb not in NAMES:
            yield f"“{verb}” is no verb of the work list; use one of {', '.join(NAMES)}."
        if not isinstance(said, Mapping):
            if said not in (TASK, False):
                yield f"“{verb}” has to be “{TASK}”, false, or a table that names a command."
            continue
        name = said.get("command", "")
        if unknown := set(said) - {"command", "person", "nodes"}:
            yield f"“{verb}” has entries that nothing reads: {', '.join(sorted(unknown))}."
        if name not in registry:
            yield f"“{verb}” names the command “{name}”, which is not registered."
        elif not _takes_parameters(registry[name].function):
            yield f"“{verb}” names “{name}”, which does not take the parameters {', '.join(PARAMETERS)}."


def _takes_parameters(function: Callable[..., Any]) -> bool:
    try:
        signature(function).bind(None, **dict.fromkeys(PARAMETERS))
    except TypeError:
        return False
    return True
