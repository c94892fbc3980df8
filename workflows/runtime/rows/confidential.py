"""What an instance may say to people who look after processes, but may not read the record that it moves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Q

from core import ports
from core.kernel.actor import Actor
from workflows.runtime.definitions import library
from workflows.runtime.tables.instances.models import ProcessInstance

FOLLOWS = "flow_follow_view"
"""Permission code of those who look after all processes of the company."""


def readable(actor: Actor, instances: Iterable[ProcessInstance]) -> dict[int, Any]:
    """Return by instance the record that the person may read; None of a standalone one, which has no record.

    The others are left out. One statement for each business type.
    """
    found: dict[int, Any] = {}
    bound: dict[str, dict[int, int]] = {}
    for instance in instances:
        if instance.business_type in ports.effects:
            bound.setdefault(instance.business_type, {})[instance.business_id] = instance.pk
        else:
            found[instance.pk] = None
    for business_type, ids in bound.items():
        rows = ports.effects[business_type].visible(actor).filter(pk__in=list(ids))
        found |= {ids[record.pk]: record for record in rows}
    return found


def where_readable(actor: Actor) -> Q:
    """Return the same as a condition on instances."""
    condition = ~Q(business_type__in=list(ports.effects))
    for business_type, bound in ports.effects.items():
        condition |= Q(business_type=business_type, business_id__in=bound.visible(actor).order_by().values("pk"))
    return condition


def title(instance: ProcessInstance) -> str:
    """Return what it is called in place of its title, which may quote the record."""
    return f"{library.definition(instance.definition_id)} {instance.business_no or instance.starter_name}"
