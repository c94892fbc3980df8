"""Which requests for spare parts a person sees, and what their list may be asked."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from core.equipment.queries import filters_by_machine
from core.kernel.actor import Actor
from core.rest.filters import CODE, ID, Filter, filters_of, with_word
from core.rest.scopes import restrict
from core.spares import orders
from core.spares.models import RequestStatus, SpareUseLog

NOUN = "spareuselog"
SCOPE = {"user": "apply_user_id", "dept": "apply_dept_id"}
_ISSUED = (RequestStatus.PARTLY_ISSUED, RequestStatus.ISSUED, RequestStatus.RETURNED)


def _by_handle_status(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """Return the requests that older clients call open (0), issued (1) or refused (2)."""
    known = {"0": (RequestStatus.TO_HANDLE, RequestStatus.RESERVED), "1": _ISSUED, "2": (RequestStatus.REJECTED,)}
    found: QuerySet[Any] = rows.filter(status__in=known.get(text, ()))
    return found


FILTERS = {
    **filters_by_machine("machine"),
    **filters_of(SpareUseLog, "status", "order_type", "apply_user", "apply_dept", "apply_time", "handle_user"),
    "machineId": Filter("machine_id", ID),
    "logNo": Filter("log_no", CODE),
    "orderNo": Filter("order_no", CODE),
    "orderId": Filter("order_id", ID),
    "spareId": Filter("lines__spare_id", ID, sortable=False),
    "applyUserName": Filter("apply_user__real_name"),
    "handleStatus": Filter(apply=_by_handle_status),
    "totalAmount": filters_of(SpareUseLog, "total_amount")["totalAmount"],
    "keyword": with_word("log_no", "order_no", "remark"),
}


def visible(actor: Actor) -> QuerySet[Any]:
    """Return the requests within the person's data scope, the own ones always."""
    return restrict(SpareUseLog.objects.all(), actor, NOUN, SCOPE, FILTERS)


def sees(actor: Actor, request: SpareUseLog) -> bool:
    """Return whether the person may read the request: by the data scope, or because the order is theirs to read."""
    kind = orders.kind_of(request.order_type) if request.order_id else None
    if kind is not None and kind.sees(actor, request.order_id or 0):
        return True
    return bool(visible(actor).filter(pk=request.pk).exists())
