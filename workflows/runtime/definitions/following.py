"""Which steps may come next in a model, read off the sequence flows of its drawing."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from django.utils.translation import gettext as _

from core.kernel.texts import choose
from workflows.engine.document import local, ours, read
from workflows.runtime.tables.deployments.models import Definition

_STEPS = ("userTask", "callActivity")


def told(definition_id: int, node: str) -> str:
    """Return the names of the steps that may follow this one, in the order of the drawing; empty where none is known.

    Conditions are not evaluated: a step stands here as soon as some data lead to it.
    """
    steps, may_end = _after(definition_id, node)
    names = [choose(zh, en) for zh, en in steps]
    if not names:
        return _("流程结束") if may_end else ""
    text = _("、").join(names)
    return _("{steps}，或流程结束").format(steps=text) if may_end else text


@lru_cache(maxsize=512)
def _after(definition_id: int, node: str) -> tuple[tuple[tuple[str, str], ...], bool]:
    """Return the names of the next steps in both languages, and whether the process may end before any of them."""
    root = read(bytes(Definition.objects.values_list("xml", flat=True).get(pk=definition_id)))
    elements = {element.get("id"): element for element in root.iter() if element.get("id")}
    if node not in elements:
        return (), False
    flows: dict[str | None, list[str]] = defaultdict(list)
    for element in elements.values():
        if local(element) == "sequenceFlow":
            flows[element.get("sourceRef")].append(element.get("targetRef"))
    found, seen, ways = set(), set(), [*flows[node]]
    may_end = False
    while ways:
        at = ways.pop()
        if at in seen:
            continue
        seen.add(at)
        kind = local(elements[at])
        if kind in _STEPS:
            found.add(at)
        elif kind == "subProcess":
            ways += [one.get("id") for one in elements[at] if local(one) == "startEvent"]
        elif kind == "endEvent" and local(around := elements[at].getparent()) == "subProcess":
            ways += flows[around.get("id")]
        else:
            may_end |= kind == "endEvent"
            ways += flows[at]
    named = [element for at, element in elements.items() if at in found]
    return tuple((one.get("name") or one.get("id"), ours(one, "nameEn")) for one in named), may_end
