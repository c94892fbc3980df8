"""What the list of repair orders can be asked; custom data scopes are written in the same words."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

from core.equipment.queries import below
from core.kernel import clock
from core.kernel.filters import CODE, FLAG, ID, INTEGER, MOMENT, Filter


def _with_word(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """Number, title or machine contains the word."""
    word = text.strip()[:100]
    if "\x00" in word:
        return rows.none()
    return rows.filter(
        Q(order_no__icontains=word) | Q(title__icontains=word) | Q(machine__machine_name__icontains=word)
    )


def _overdue(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """A reminder was sent, or the promised time has passed."""
    if text != "1":
        return rows
    late = ~Q(escalations={}) | Q(plan_finish_time__lt=clock.now(), finish_time=None)
    return rows.filter(late, status__in=(1, 2, 3, 4))


FILTERS = {
    "status": Filter("status", INTEGER),
    "urgency": Filter("urgency", INTEGER),
    "machineId": Filter(kind=ID, apply=lambda rows, text: below(rows, text, "machine__path")),
    "machineName": Filter("machine__machine_name", sortable=False),
    "orderNo": Filter("order_no", CODE),
    "keyword": Filter(apply=_with_word),
    "deptId": Filter("dept_id", ID),
    "repairUserId": Filter("repair_user_id", ID),
    "reportUserId": Filter("report_user_id", ID),
    "teamId": Filter("team_id", ID),
    "isStop": Filter("is_stop", FLAG),
    "overdue": Filter(kind=FLAG, apply=_overdue),
    "reportTime": Filter("report_time", MOMENT),
    "createTime": Filter("create_time", MOMENT),
}
