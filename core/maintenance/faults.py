"""What a report says of its fault: how the order is called, and whether the fault has come back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Q, TextField
from django.db.models.functions import Cast

from core.equipment.models import Machine, Tag
from core.kernel import clock
from core.maintenance.models import OPEN, RepairOrder, Status
from core.system import parameters

_MOST_CLOSED = 200
_MOST_OPEN = 200
_MOST_ALIKE = 5
_ALIKE_WITHIN = timedelta(hours=24)
_LONGEST = 80


def names_tag(tag_id: int) -> bool:
    """Return whether an order names this failure code; at most two statements."""
    text = str(tag_id)
    orders = RepairOrder.objects.annotate(
        symptoms=Cast("fault_tag_ids", TextField()), actions=Cast("action_tag_ids", TextField())
    )
    # Lists in a column: found as text, and then looked at, for one number may be a part of another.
    named = orders.filter(Q(symptoms__contains=text) | Q(actions__contains=text))
    lists = named.values_list("fault_tag_ids", "action_tag_ids").iterator(chunk_size=500)
    return orders.filter(cause_tag_id=tag_id).exists() or any(tag_id in (*one, *other) for one, other in lists)


def symptoms_since(moment: datetime) -> Counter[int]:
    """Return how many orders reported since then name each symptom; one statement."""
    rows = RepairOrder.objects.filter(report_time__gte=moment).values_list("fault_tag_ids", flat=True)
    return Counter(pk for named in rows.iterator(chunk_size=2000) for pk in named)


def title_of(machine: Machine, symptoms: Iterable[int], description: str) -> str:
    """Machine and symptom; the first words of the description where nobody chose a symptom."""
    ids = list(symptoms)
    names = dict(Tag.objects.filter(pk__in=ids).values_list("pk", "tag_name")) if ids else {}
    what = "、".join(names[pk] for pk in ids if pk in names) or description.split("\n")[0]
    return f"{machine.machine_name} {what}"[:_LONGEST]


def alike(machine: Machine, symptoms: Iterable[int]) -> list[RepairOrder]:
    """Open orders of the machine with one of the symptoms, reported not long ago: likely the same fault, newest first.

    A report that names no symptom is like no other: an order that waits for parts for weeks must not be asked about
    at every report.
    """
    wanted = set(symptoms)
    if not wanted:
        return []
    since = clock.now() - _ALIKE_WITHIN
    rows = RepairOrder.objects.filter(machine=machine, status__in=OPEN, report_time__gte=since).order_by("-id")
    return [order for order in rows[:_MOST_OPEN] if wanted.intersection(order.fault_tag_ids)][:_MOST_ALIKE]


def comes_back(machine: Machine, symptoms: Iterable[int]) -> RepairOrder | None:
    """The last order closed on the machine with one of the symptoms, when that is not long ago."""
    wanted = set(symptoms)
    if not wanted:
        return None
    since = clock.now() - timedelta(days=parameters.repair().repeat_days)
    closed = RepairOrder.objects.filter(machine=machine, status=Status.CLOSED, close_time__gte=since)
    # Words are a list in a column: whether two share one is asked here, of no more than a busy machine's month.
    rows = closed.order_by("-close_time", "-id").only("pk", "fault_tag_ids", "repeat_count")[:_MOST_CLOSED]
    return next((order for order in rows if wanted.intersection(order.fault_tag_ids)), None)
