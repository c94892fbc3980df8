"""Which requests for leave a person finds in the list of all, and what the list can be asked."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from core.desk.leave.models import Leave, Status
from core.kernel.actor import Actor
from core.rest.filters import ID, Filter, filters_of
from core.rest.scopes import restrict

NOUN = "leaverecord"
COLUMNS = {"user": "user_id", "dept": "dept_id"}


def _below(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """Requests of people of a department and of all below it."""
    return rows.filter(dept__path__contains=f"/{int(text)}/") if text.isascii() and text.isdigit() else rows.none()


FILTERS = {
    **filters_of(Leave, "user", "type", "status", "start_time", "end_time", "apply_time"),
    "deptId": Filter(kind=ID, apply=_below),
    "days": Filter("days", "decimal"),
}


def records(actor: Actor) -> QuerySet[Leave]:
    """Return the requests within the person's data scope that were sent."""
    return restrict(Leave.objects.exclude(status=Status.DRAFT), actor, NOUN, COLUMNS, FILTERS)
