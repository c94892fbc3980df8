"""One instance for those who follow it: what went wrong, and what it holds as far as they may read it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from core import ports
from core.audit.models import Event
from core.kernel.actor import Actor
from core.kernel.texts import choose, moment
from core.ports import Kind
from workflows.forms import references, values
from workflows.runtime.commands import corrections, moves
from workflows.runtime.definitions import carried, library
from workflows.runtime.rows import confidential
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.timers.models import Timer

RAISED, RESOLVED = "process.park", ("process.retry", "process.skip", "process.move")


def of(actor: Actor, instance: ProcessInstance) -> dict[str, Any]:
    """Return the parts of the page that the list does not have."""
    readable = confidential.readable(actor, [instance])
    is_readable = instance.pk in readable
    return {
        "incidents": _incidents(instance, tells_errors=is_readable),
        "isConfidential": not is_readable,
        "values": [*_values(actor, instance, readable[instance.pk])] if is_readable else [],
        "tokens": _tokens(instance) if _moves(actor, instance) else [],
        "texts": _texts(instance) if is_readable else {},
    }


def _texts(instance: ProcessInstance) -> dict[str, str]:
    """Return what the ids and links among the forms' values are called."""
    if instance.business_type in ports.effects:
        return {}
    fields = carried.fields(library.definition(instance.definition_id).forms)
    return references.texts((one, instance.form.get(one["key"])) for one in fields)


def _moves(actor: Actor, instance: ProcessInstance) -> bool:
    is_suspended = instance.halt_time is not None or instance.definition.is_halted
    return actor.may(moves.CODE) and not instance.is_over and not is_suspended


def _tokens(instance: ProcessInstance) -> list[dict[str, Any]]:
    """Return where the process waits and may be skipped or moved by hand, with the ways that there are."""
    nodes, tokens = library.specification(instance.definition_id).nodes, moves.standing(instance)
    called = moves.told_apart(instance, tokens)

    def said(name: str) -> dict[str, str]:
        return {"node": name, "name": called[name], "kind": nodes[name].kind}

    return [
        {
            **said(token["node"]),
            "skips": token["skips"],
            "outcomes": [{"value": one["key"], "label": choose(one["zh"], one["en"])} for one in token["outcomes"]],
            "targets": [said(to) for to in token["targets"]],
        }
        for token in tokens
    ]


def _incidents(instance: ProcessInstance, *, tells_errors: bool) -> list[dict[str, Any]]:
    """Return the incidents, the newest first; the present one has its cause in the caller's language."""
    nodes = library.specification(instance.definition_id).nodes
    found: list[dict[str, Any]] = []
    for event in Event.objects.filter(instance_id=instance.pk, operation__in=[RAISED, *RESOLVED]).order_by("id"):
        if event.operation == RAISED:
            node = nodes.get(event.node)
            name = choose(node.name, node.name_en) if node else ""
            found.append(
                {
                    "time": moment(event.time), "endTime": "", "resolvedBy": "", "node": event.node,
                    "nodeName": name or event.node, "text": event.remark, "error": "",
                }
            )  # fmt: skip
        elif found and not found[-1]["endTime"]:
            found[-1] |= {"endTime": moment(event.time), "resolvedBy": event.user_name}
    if instance.is_over and found and not found[-1]["endTime"]:
        # Who ended the process ended the incident with it.
        found[-1] |= {"endTime": moment(instance.end_time), "resolvedBy": _ended_by(instance)}
    if instance.park_time is not None and found:
        failed = Timer.objects.filter(instance_id=instance.pk, is_parked=True).exclude(last_error="").first()
        found[-1]["text"] = choose(instance.park_text, instance.park_text_en)
        found[-1]["error"] = failed.last_error if failed is not None and tells_errors else ""
    return found[::-1]


def _ended_by(instance: ProcessInstance) -> str:
    """Return the name of whoever ended the instance; an entry is written when all of its act is done."""
    events = Event.objects.filter(instance_id=instance.pk, time__gte=instance.end_time).order_by("id")
    return str(events.values_list("user_name", flat=True).first() or "")


def _values(actor: Actor, instance: ProcessInstance, record: Any) -> Iterator[dict[str, Any]]:
    """Yield what conditions of the model read: the fields of the forms, or the facts of the record."""
    bound = ports.effects.get(instance.business_type)
    if bound is None:
        may = actor.may(corrections.CODE) and not instance.is_over
        for component in carried.fields(library.definition(instance.definition_id).forms):
            key = str(component["key"])
            yield {
                "key": key, "label": values.label(component), "text": "",
                "value": references.wired(component, instance.form.get(key)),
                "field": dict(component), "canCorrect": may,
            }  # fmt: skip
        return
    held = bound.names(record)
    people = {int(held[name]) for name, said in bound.design.names.items() if said.kind == Kind.USER and held.get(name)}
    names = ports.people.names(people) if people else {}
    for name, said in bound.design.names.items():
        value = held.get(name)
        if said.kind == Kind.CHOICE:
            text = str(dict(said.choices).get(value, value)) if value is not None else ""
        elif said.kind == Kind.USER:
            text = names.get(int(value), "") if value else ""
        elif said.kind == Kind.FLAG:
            text = _("是") if value else _("否")
        elif said.kind == Kind.NUMBER:
            text = "" if value is None else f"{value:g}"
        else:
            continue  # departments, teams and roles stand here as bare ids
        yield {
            "key": f"record.{name}", "label": str(said.label), "value": value, "text": text, "field": None,
            "canCorrect": False,
        }  # fmt: skip
