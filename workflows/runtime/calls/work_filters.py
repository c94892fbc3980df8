"""What the queues' lists can be asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter

from core.kernel import clock
from core.kernel.actor import current_actor
from core.rest.filters import CODE, FLAG, INTEGER, MOMENT, Filter
from workflows.runtime.rows import deadlines
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

PAGE = frozenset({"current", "size"})
_MOST = 100


def containing(*columns: str) -> Callable[[QuerySet[Any], str], QuerySet[Any]]:
    """Rows of which one of the columns contains the text."""

    def apply(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
        word, condition = text.strip()[:_MOST], Q()
        for column in columns:
            condition |= Q(**{f"{column}__icontains": word})
        return rows.filter(condition)

    return apply


def _filters(time: str, column: str, category: str) -> dict[str, Filter]:
    return {
        "category": Filter(category, CODE),
        "processDefinitionName": Filter(apply=containing("definition__name", "definition__name_en")),
        "keyword": Filter(apply=containing("title", "title_en", "business_no", "starter_name")),
        time: Filter(column, MOMENT),
    }


def overdue_where(late: Q | Exists) -> Filter:
    """1: where a step waits although a deadline drawn round it has passed (see deadlines.py), 0: where none does."""
    return Filter(kind=FLAG, apply=lambda rows, text: rows.filter(late if text in ("1", "true") else ~late))


WAITING_FILTERS = {
    **_filters("createTime", "create_time", "category"),
    "overdue": overdue_where(Q(late_time__isnull=False)),
}
"""Of claim-list, todo-list and handed-list; the time is the step's arrival."""


def _due_today(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """Rows of which the first deadline passes today; text 1 alone asks for it."""
    tomorrow = timezone.localtime(clock.now()).replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return rows.filter(due_time__lt=tomorrow) if _is_on(text) else rows


def _returned(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """Rows whose process has come back to the step, and not by the caller's own doing; text 1 alone asks for it."""
    actor = current_actor()
    if not _is_on(text) or actor is None:
        return rows
    before = WorkItem.objects.filter(
        instance=OuterRef("instance"), state=ItemState.DONE, end_time__lte=OuterRef("create_time")
    )
    earlier = before.order_by("-end_time", "-id")
    rows = rows.filter(round__gt=1).annotate(sent_by=Subquery(earlier.values("completed_by")[:1]))
    return rows.filter(sent_by__isnull=False).exclude(sent_by=actor.user_id)


def _is_on(text: str) -> bool:
    return text in ("1", "true")


INBOX_FILTERS = {
    **WAITING_FILTERS,
    "keyword": Filter(apply=containing("title", "title_en", "business_no", "starter_name", "subject", "subject_en")),
    "priority": Filter("priority", INTEGER),
    "isHeld": Filter(kind=FLAG, apply=lambda rows, text: rows.filter(assignee_id__isnull=text not in ("1", "true"))),
    "dueTime": Filter("due_time", MOMENT),
    "dueToday": Filter(kind=FLAG, apply=_due_today),
    "returned": Filter(kind=FLAG, apply=_returned),
}
"""Of the inbox; `isHeld`: 1 what the person holds, 0 what may be claimed; `returned`: 1 what somebody sent back."""
DONE_FILTERS = _filters("endTime", "end_time", "category")
SENT_FILTERS = {
    **_filters("createTime", "start_time", "definition__category"),
    "overdue": overdue_where(deadlines.overdue()),
}

START_FILTERS = {"category": Filter("category", CODE), "name": Filter(apply=containing("name", "name_en"))}


def asked(filters: Mapping[str, Filter]) -> list[OpenApiParameter]:
    """Return the parameters as the document names them; times are asked from (`_datege`) and to (`_datelt`)."""
    names = [
        f"{name}{suffix}"
        for name, entry in filters.items()
        for suffix in (("_datege", "_datelt") if entry.kind == MOMENT else ("",))
    ]
    texts = [OpenApiParameter(name, str) for name in names]
    return [OpenApiParameter("current", int), OpenApiParameter("size", int), *texts]
