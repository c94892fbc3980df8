"""Work by the clock: whether the ledger still adds up, and what is to be reordered."""

from __future__ import annotations

import logging
from decimal import Decimal
from typing import Any

from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Greatest, Length, Substr

from core import ports
from core.access.people import holders_of_code
from core.kernel.tenancy import current_tenant
from core.spares.ledger import STOREKEEPS, plain_number
from core.spares.models import SpareMove, SparePart, SpareUseLine

log = logging.getLogger("xunwei.spares")
_MOST_NAMED = 10
_DAY = 10
"""Signs of a number that say its day."""
_THOUSANDTH = Decimal("0.001")


def _exact(value: object) -> Decimal:
    return Decimal(str(value or 0)).quantize(_THOUSANDTH)


def differences() -> list[tuple[SparePart, str]]:
    """Return the parts whose balance is not what the ledger and the requests say, with what differs; four statements.

    Removed parts count too. Nothing is locked: a movement of the same moment may be told, and is gone the next night.
    """
    # By number, which is given under the lock of the part: day, then the count of that day, which may get longer.
    order = (Substr("flow_no", 1, _DAY).desc(), Length("flow_no").desc(), F("flow_no").desc())
    last = SpareMove.objects.filter(spare=OuterRef("pk")).order_by(*order).values("after_qty")[:1]
    sums = dict(
        SpareMove.objects.order_by().values_list("spare").annotate(sum=Sum(F("direction") * F("qty")))
    )  # fmt: skip
    reserved = dict(
        SpareUseLine.objects.filter(reserved_qty__gt=0)
        .order_by()
        .values_list("spare")
        .annotate(sum=Sum("reserved_qty"))
    )
    found = []
    for spare in SparePart.with_removed.annotate(last=Subquery(last)).order_by("pk"):
        wrong = []
        if _exact(spare.last) != spare.stock_qty:
            wrong.append("last")
        if _exact(sums.get(spare.pk)) != spare.stock_qty:
            wrong.append("sum")
        if _exact(reserved.get(spare.pk)) != spare.reserved_qty:
            wrong.append("reserved")
        if spare.available_qty != spare.stock_qty - spare.reserved_qty:
            wrong.append("available")
        if wrong:
            found.append((spare, ",".join(wrong)))
    return found


def self_check() -> int:
    """Tell the storekeepers of every balance that is not what the ledger says; return how many. Nothing is changed."""
    found = differences()
    if not found:
        return 0
    for spare, wrong in found:
        log.error("spare part %s of tenant %s: the balance differs (%s)", spare.spare_code, current_tenant(), wrong)
    _tell(
        (f"备件账目自检：{len(found)}种备件的库存与流水不符", f"Spare parts check: {len(found)} balances differ"),
        [f"{spare.spare_code} {spare.spare_name}" for spare, _wrong in found],
        "spareinfo",
        found[0][0].pk,
    )
    return len(found)


def _tell(title: tuple[str, str], names: list[str], about: str, pk: int) -> None:
    """Tell the storekeepers of some parts, the first of which are named."""
    more = "…" if len(names) > _MOST_NAMED else ""
    said = ("、".join(names[:_MOST_NAMED]) + more, ", ".join(names[:_MOST_NAMED]) + more)
    ports.messages.send(holders_of_code(STOREKEEPS), title, said, about, pk)


def wanted() -> QuerySet[Any]:
    """Return the parts that are at their minimum or below it, and are wanted again."""
    return SparePart.objects.filter(available_qty__lte=F("min_qty"), is_sealed=False).filter(
        Q(max_qty__gt=F("available_qty")) | Q(min_qty__gt=F("available_qty"))
    )


def to_reorder() -> list[Any]:
    """Return the wanted parts with what there should be of each, critical ones first."""
    return list(wanted().annotate(wanted=Greatest("max_qty", "min_qty")).order_by("-is_critical", "spare_code"))


def tell_low() -> int:
    """Tell the storekeepers what is to be reordered; return how many parts."""
    found = to_reorder()
    if not found:
        return 0
    _tell(
        (f"今日补货清单：{len(found)}种备件需采购", f"To reorder today: {len(found)} spare parts"),
        [f"{one.spare_name} {plain_number(one.wanted - one.available_qty)}{one.unit}" for one in found],
        "sparereorder",
        found[0].pk,
    )
    return len(found)
