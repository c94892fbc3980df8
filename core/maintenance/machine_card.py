"""What repair orders tell the history card of a machine: the last ones, its failures and their repair times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from django.db.models import Count, Q

from core.equipment.models import Machine
from core.kernel.actor import Actor
from core.kernel.texts import moment
from core.maintenance.models import OPEN, RepairOrder, Status
from core.maintenance.queries import visible


def open_orders(machine_ids: Collection[int]) -> Mapping[int, int]:
    """Count the open orders of each of these machines; one statement."""
    rows = RepairOrder.objects.filter(machine__in=machine_ids, status__in=OPEN).order_by()
    return Counter(dict(rows.values_list("machine").annotate(Count("pk"))))


def last_orders(actor: Actor, machine: Machine, most: int) -> list[dict[str, Any]]:
    """Return the newest orders of the machine and its parts that the person sees."""
    rows = visible(actor).filter(machine__path__startswith=machine.path).order_by("-create_time", "-id")
    return [
        {
            "bizType": "repairorder",
            "id": str(row.pk),
            "orderNo": row.order_no,
            "title": row.title,
            "status": row.status,
            "statusName": row.get_status_display(),
            "time": moment(row.report_time),
        }
        for row in rows[:most]
    ]


def _failures(machine: Machine) -> Any:
    """Return the orders about a failure: the machine stood, and nobody has cancelled the order."""
    rows = RepairOrder.objects.filter(machine__path__startswith=machine.path, is_stop=True)
    return rows.exclude(status=Status.CANCELLED)


def failures(machine: Machine, begin: datetime, end: datetime) -> list[tuple[datetime, datetime | None]]:
    """Return when the machine stood for the orders whose stop touches the window."""
    rows = _failures(machine).filter(stop_start__lt=end).filter(Q(stop_end=None) | Q(stop_end__gt=begin))
    return list(rows.values_list("stop_start", "stop_end"))


def repairs(machine: Machine, begin: datetime, end: datetime) -> list[int]:
    """Return the repair times of the failures that were finished in the window, in seconds."""
    rows = _failures(machine).filter(finish_time__gte=begin, finish_time__lt=end)
    # What did not pass the check is not finished any more.
    rows = rows.filter(status__in=(Status.TO_CHECK, Status.CLOSED)).exclude(repair_seconds=None)
    return [seconds or 0 for seconds in rows.values_list("repair_seconds", flat=True)]
