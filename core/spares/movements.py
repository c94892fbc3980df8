"""Movements that the storekeeper enters by hand: into the stock, out of it, and corrections of mistakes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Invalid
from core.kernel.operation import operation
from core.spares import ledger
from core.spares.inputs import StockMoveInput
from core.spares.models import EXPLAINED, PRICED, MoveKind, SpareMove


@operation("spareflow.enter", code=ledger.STOREKEEPS)
def enter(actor: Actor, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Enter a movement, or with `reverseOfId` the opposite of one that was a mistake."""
    asked = StockMoveInput(data=raw)
    asked.is_valid(raise_exception=True)
    values = asked.validated_data
    if values.get("reverseOfId"):
        if not values["remark"].strip():
            raise Invalid({"remark": _("请输入{field}").format(field=_("备注"))})
        move = ledger.correct(actor, values["reverseOfId"], values["remark"])
    else:
        move = _by_hand(actor, values)
    entry = current_entry()
    entry.business_type, entry.business_id = "spareflow", move.pk
    moved = ledger.plain_number(move.qty * move.direction)
    entry.remark = f"{move.flow_no} {move.spare} {moved}"
    return {
        "id": str(move.pk), "flowNo": move.flow_no, "afterQty": float(move.after_qty),
        "avgPrice": float(move.spare.avg_price),
    }  # fmt: skip


def _by_hand(actor: Actor, values: Mapping[str, Any]) -> SpareMove:
    kind = MoveKind(values["bizType"])
    if not values.get("spareId"):
        raise Invalid({"spareId": _("请选择{field}").format(field=_("备件"))})
    if values.get("qty") is None:
        raise Invalid({"qty": _("请输入{field}").format(field=_("数量"))})
    if kind in PRICED and values.get("price") is None:
        raise Invalid({"price": _("请输入{field}").format(field=_("单价"))})
    if kind in EXPLAINED and not values["remark"].strip():
        raise Invalid({"remark": _("请输入{field}").format(field=_("备注"))})
    return ledger.by_hand(
        actor, values["spareId"], kind, values["qty"], remark=values["remark"],
        price_each=values["price"] if kind in PRICED else None, voucher=values.get("voucher") or (),
    )  # fmt: skip
