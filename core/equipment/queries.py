"""Questions about the trees of machines and of their classes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Count, Q, QuerySet, TextField, Value
from django.db.models.functions import Cast, Replace

from core.equipment.models import Machine, MachineClass, WarrantyState
from core.kernel.ids import is_id
from core.rest.filters import ID, Filter
from core.system.periods import today

WARRANTY_ENDS_SOON = timedelta(days=30)


def below(rows: QuerySet[Any], text: str, column: str = "path") -> QuerySet[Any]:
    """Rows at a machine or below it."""
    top = Machine.objects.filter(pk=int(text)).values_list("path", flat=True).first() if is_id(text) else None
    return rows.filter(**{f"{column}__startswith": top}) if top else rows.none()


def of_class(machines: QuerySet[Any], text: str) -> QuerySet[Any]:
    """Machines of a class or of one below it; one statement finds the classes, so that an index finds the machines."""
    if not is_id(text):
        return machines.none()
    classes = list(MachineClass.objects.filter(path__contains=f"/{int(text)}/").values_list("pk", flat=True))
    return machines.filter(type__in=classes)


def by_warranty(machines: QuerySet[Any], text: str) -> QuerySet[Any]:
    """Machines whose warranty is in one of the comma-joined states today."""
    day, soon = today(), today() + WARRANTY_ENDS_SOON
    conditions = {
        WarrantyState.VALID: Q(warranty_end__gt=soon),
        WarrantyState.ENDING: Q(warranty_end__gte=day, warranty_end__lte=soon),
        WarrantyState.EXPIRED: Q(warranty_end__lt=day),
    }
    chosen = [condition for state, condition in conditions.items() if str(state.value) in text.split(",")]
    return machines.filter(reduce(or_, chosen)) if chosen else machines.none()


def filters_by_machine(column: str) -> dict[str, Filter]:
    """Return the filters of rows that are about a machine, by the column that refers to it.

    They ask for the machine or one below it, for its class or one below that, and for a part of its name.
    """

    def by_class(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
        # Not joined: the rows of few machines are found by an index.
        return rows.filter(**{f"{column}__in": of_class(Machine.objects.all(), text)})

    return {
        "machineId": Filter(kind=ID, apply=lambda rows, text: below(rows, text, f"{column}__path")),
        "typeId": Filter(kind=ID, apply=by_class),
        "machineName": Filter(f"{column}__machine_name", sortable=False),
    }


def machine_counts() -> Mapping[int, int]:
    """Class → how many machines and components are of it or of a class below it; one statement."""
    found: Counter[int] = Counter()
    rows = Machine.objects.filter(type__isnull=False).order_by().values_list("type__path").annotate(Count("pk"))
    for path, count in rows:
        for class_id in path.strip("/").split("/"):
            found[int(class_id)] += count
    return found


def names_above(paths: list[str]) -> Mapping[str, str]:
    """Path → the names of the machine tree above its last node, from the root on, joined by a slash; one statement."""
    above = {path: [int(pk) for pk in path.strip("/").split("/")[:-1]] for path in paths}
    ids = {pk for steps in above.values() for pk in steps}
    names = dict(Machine.objects.filter(pk__in=ids).values_list("pk", "machine_name"))
    return {path: "/".join(names[pk] for pk in steps if pk in names) for path, steps in above.items()}


def with_label(machines: QuerySet[Any], tag_id: int) -> QuerySet[Any]:
    """Machines that have this class label; found by the text of the list, within its commas and brackets."""
    text: Any = Cast("tag_ids", TextField())
    for old, new in ((" ", ""), ("[", ","), ("]", ",")):
        text = Replace(text, Value(old), Value(new), output_field=TextField())
    listed = text
    found: QuerySet[Any] = machines.annotate(label_list=listed).filter(label_list__contains=f",{tag_id},")
    return found
