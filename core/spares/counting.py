"""Counts of the store: what was counted becomes entries of surplus and shortage, all in one act or none."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Conflict, Invalid, Missing, Refusal
from core.kernel.operation import operation
from core.spares import ledger
from core.spares.inputs import CountInput
from core.spares.models import MoveKind, SparePart

COUNTS = "spareflow_count"


@operation("spareflow.count", code=COUNTS)
def count(actor: Actor, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Compare what was counted with what is on record; unless it is a preview, enter the differences at average."""
    asked = CountInput(data=raw)
    asked.is_valid(raise_exception=True)
    values = asked.validated_data
    entry = current_entry()
    lines = values["lines"]
    if values["preview"]:
        entry.nothing_happened = True
        rows = SparePart.objects.in_bulk([one["spareId"] for one in lines])
        if len(rows) != len(lines):
            raise Missing()
        return _found([_line(rows[one["spareId"]], one) for one in lines], is_preview=True)
    if not values["remark"].strip():
        raise Invalid({"remark": _("请输入{field}").format(field=_("备注"))})
    posting = ledger.Posting(actor, [one["spareId"] for one in lines])
    found, made = [], []
    for one in lines:
        spare = posting.spares[one["spareId"]]
        line = _line(spare, one)
        if isinstance(line["error"], Refusal):
            raise line["error"]
        found.append(line)
        difference = line["difference"]
        if difference:
            kind = MoveKind.SURPLUS if difference > 0 else MoveKind.SHORTAGE
            made.append(posting.move(spare.pk, kind, abs(difference), remark=values["remark"]))
    posting.store()
    entry.business_type, entry.nothing_happened = "spareflow", not made
    for move in made:
        entry.add_record(move.pk, f"{move.spare} {ledger.plain_number(move.qty * move.direction)}", [])
    return _found(found, is_preview=False)


def _line(spare: SparePart, one: Mapping[str, Any]) -> dict[str, Any]:
    """Return a counted part as it stands, with the refusal where its difference cannot be entered."""
    counted: Decimal = one["countedQty"]
    difference = counted - spare.stock_qty
    return {
        "spare": spare, "counted": counted, "difference": difference,
        "amount": ledger.cents(difference * spare.avg_price), "error": _refusal(spare, counted, one.get("seenQty")),
    }  # fmt: skip


def _refusal(spare: SparePart, counted: Decimal, seen: Decimal | None) -> Refusal | None:
    if spare.is_integer and counted != counted.to_integral_value():
        return Invalid({"lines": _("「{name}」的数量必须是整数").format(name=spare)})
    if seen is not None and seen != spare.stock_qty:
        text = _("「{name}」的账面数量在盘点期间已变为{n}，请重新盘点").format(
            name=spare, n=ledger.plain_number(spare.stock_qty)
        )
        return Conflict("spare.countStale", text, {"spareId": str(spare.pk)})
    if counted < spare.reserved_qty:
        text = _("「{name}」已预留{n}，实盘数量不能更少，请先处理领用单").format(
            name=spare, n=ledger.plain_number(spare.reserved_qty)
        )
        return Conflict("spare.countReserved", text, {"spareId": str(spare.pk)})
    return None


def _found(lines: list[dict[str, Any]], *, is_preview: bool) -> dict[str, Any]:
    more = [one for one in lines if one["difference"] > 0]
    less = [one for one in lines if one["difference"] < 0]
    return {
        "lines": [_shown(one) for one in lines],
        "surplus": len(more),
        "shortage": len(less),
        "surplusAmount": float(sum((one["amount"] for one in more), Decimal(0))),
        "shortageAmount": float(-sum((one["amount"] for one in less), Decimal(0))),
        "preview": is_preview,
    }


def _shown(line: Mapping[str, Any]) -> dict[str, Any]:
    spare: SparePart = line["spare"]
    refusal = line["error"]
    return {
        "spareId": str(spare.pk), "spareCode": spare.spare_code, "spareName": spare.spare_name, "spec": spare.spec,
        "unit": spare.unit, "locationCode": spare.location_code,
        "stockQty": float(line["counted"] - line["difference"]), "reservedQty": float(spare.reserved_qty),
        "countedQty": float(line["counted"]), "difference": float(line["difference"]),
        "price": float(spare.avg_price), "amount": float(line["amount"]),
        "error": str(refusal.text) if refusal is not None else "",
    }  # fmt: skip
