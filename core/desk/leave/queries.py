"""Whose leave a person sees, and what overlaps."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet

from core.desk.leave.models import Leave, Status
from core.kernel import ports
from core.kernel.actor import Actor

BUSINESS_TYPE = "leave"
VIEW = "leave_view"


def sees(actor: Actor, leave_id: int) -> bool:
    """Whether the actor may read the request: it is the own one, or a step of it is or was the actor's.

    Human resources and the administrators read all. A draft has no reader but its form.
    """
    applicant = Leave.objects.filter(pk=leave_id).exclude(status=Status.DRAFT).values_list("user_id", flat=True).first()
    if applicant is None:
        return False
    if applicant == actor.user_id or actor.is_system or actor.may(VIEW):
        return True
    return ports.processes.takes_part(actor, BUSINESS_TYPE, leave_id)


def draft_of(user_id: int) -> Leave | None:
    """The request that the person has begun to write."""
    return Leave.objects.filter(user_id=user_id, status=Status.DRAFT).first()


def overlapping(user_id: int, start: datetime, end: datetime, besides: int | None) -> Leave | None:
    """Another leave of the person, asked for or approved, with a moment in common."""
    rows: QuerySet[Leave] = Leave.objects.filter(
        user_id=user_id,
        status__in=(Status.IN_APPROVAL, Status.APPROVED),
        start_time__lt=end,
        end_time__gt=start,
    )
    if besides is not None:
        rows = rows.exclude(pk=besides)
    return rows.order_by("start_time").first()
