"""The ledger of spare parts: whoever moves or reserves stock does it here, under the lock of the part.

One transaction locks the parts in the order of their ids, checks, writes the entries and the balances. The database
refuses a negative balance too, whatever this module overlooks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.utils.translation import gettext as _

from core import ports
from core.access.people import holders_of_code
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.errors import Conflict, Invalid, Missing, Refusal
from core.spares.models import ADDS, PRICED, MoveKind, SpareMove, SparePart, SpareUseLine
from core.system.numbers import next_numbers

STOREKEEPS = "spareflow_add"
"""Permission code of those who keep the stock, and are told when it runs low."""
NUMBERS = "CR"
NO_QUANTITY = Decimal(0)
MOST_QUANTITY = Decimal("999999999.999")
MOST_AMOUNT = Decimal("999999999999.99")
_THOUSANDTH, _PRICE, _CENT = Decimal("0.001"), Decimal("0.0001"), Decimal("0.01")
_BALANCES = (
    "stock_qty", "reserved_qty", "available_qty", "avg_price", "last_price", "stock_amount", "last_out_time",
)  # fmt: skip


def price(value: Decimal) -> Decimal:
    """Return a price with its four places, half up."""
    return value.quantize(_PRICE, ROUND_HALF_UP)


def cents(value: Decimal) -> Decimal:
    """Return an amount of money with two places, half up."""
    return value.quantize(_CENT, ROUND_HALF_UP)


def plain_number(number: Decimal) -> str:
    """Return a number without the zeros at its end: 3.000 is 3."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def check_quantity(spare: SparePart, qty: Decimal, field: str) -> None:
    """Raise Invalid for a quantity that is nothing, or a part of a piece that comes whole."""
    if qty <= 0:
        raise Invalid({field: _("数量必须大于0")})
    if spare.is_integer and qty != qty.to_integral_value():
        raise Invalid({field: _("「{name}」的数量必须是整数").format(name=spare)})


def too_little(spare: SparePart, available: Decimal) -> Conflict:
    """Return the refusal of what the stock does not suffice for."""
    text = _("备件「{name}」可用库存不足，当前可用{n}{unit}")
    text = text.format(name=spare, n=plain_number(available), unit=spare.unit)
    return Conflict("spare.tooLittle", text, {"spareId": str(spare.pk), "availableQty": plain_number(available)})


@dataclass(frozen=True)
class Back:
    """A part of an issue that has not come back, with what it cost."""

    qty: Decimal
    price: Decimal
    amount: Decimal


class Posting:
    """Moves and reserves stock of some parts, which it locks when it is made; `store` writes all of it at once."""

    def __init__(self, actor: Actor, spare_ids: Collection[int]):
        self.actor = actor
        wanted = sorted(set(spare_ids))
        rows = SparePart.objects.select_for_update(of=("self",)).filter(pk__in=wanted).order_by("pk")
        self.spares: dict[int, SparePart] = {row.pk: row for row in rows}
        if len(self.spares) != len(wanted):
            raise Missing()
        self.now = clock.now()  # once the parts are ours, so that their movements come in the order of their times
        self._before = {pk: row.available_qty for pk, row in self.spares.items()}
        self._moves: list[SpareMove] = []

    def reserve(self, spare_id: int, qty: Decimal) -> None:
        """Keep so much of what is available for somebody; less than nothing gives it free."""
        spare = self.spares[spare_id]
        if qty > spare.available_qty:
            raise too_little(spare, spare.available_qty)
        self._set(spare, spare.stock_qty, spare.reserved_qty + qty)

    def move(
        self, spare_id: int, kind: MoveKind, qty: Decimal, *, price_each: Decimal | None = None,
        amount: Decimal | None = None, from_reserved: Decimal = NO_QUANTITY, line: SpareUseLine | None = None,
        reverse_of: SpareMove | None = None, remark: str = "", voucher: Iterable[str] = (),
    ) -> SpareMove:  # fmt: skip
        """Move stock of one part: into it by `price_each`, out of it at the average of this moment.

        `from_reserved` is taken from what was reserved. A correction goes the other way than what it corrects, at the
        price of that. Raises Conflict where what is available does not suffice.
        """
        spare = self.spares[spare_id]
        adds = (kind in ADDS) != (reverse_of is not None)
        before, average = spare.stock_qty, spare.avg_price
        each = average if price_each is None else price(price_each)
        amount = cents(qty * each) if amount is None else amount
        if not adds and qty > spare.available_qty + from_reserved:
            raise too_little(spare, spare.available_qty + from_reserved)
        after = before + qty if adds else before - qty
        if after > MOST_QUANTITY or amount > MOST_AMOUNT or cents(after * max(each, average)) > MOST_AMOUNT:
            raise Invalid({"qty": _("库存数量或金额过大，请检查数量和单价")})
        if adds and after:
            spare.avg_price = price((before * average + qty * each) / after)
        elif reverse_of is not None and after:
            left = before * average - qty * each
            if left < 0:
                raise Refusal("spare.correctionTooLate", _("冲销后库存金额将小于0，请用盘亏或报废登记"))
            spare.avg_price = price(left / after)
        if price_each is not None and kind in PRICED and adds:
            spare.last_price = each
        if kind == MoveKind.ISSUE:
            spare.last_out_time = self.now
        self._set(spare, after, spare.reserved_qty - from_reserved)
        request = line.request if line is not None else None
        made = SpareMove(
            spare=spare, biz_type=kind, qty=qty, direction=1 if adds else -1, before_qty=before, after_qty=after,
            price=each, amount=amount, request=request, line=line, reverse_of=reverse_of,
            order_type=request.order_type if request else None, order_id=request.order_id if request else None,
            order_no=request.order_no if request else "", machine_id=request.machine_id if request else None,
            user_id=self.actor.user_id or None, flow_time=self.now, remark=remark, voucher=list(voucher),
        )  # fmt: skip
        self._moves.append(made)
        return made

    def _set(self, spare: SparePart, stock: Decimal, reserved: Decimal) -> None:
        spare.stock_qty, spare.reserved_qty = stock, reserved
        spare.available_qty = stock - reserved
        spare.stock_amount = cents(stock * spare.avg_price)

    def store(self) -> list[SpareMove]:
        """Write the entries and the balances, and tell the storekeepers what has run low."""
        if self._moves:
            # Numbers come last: whoever has the counter waits for no part any more.
            for move, number in zip(self._moves, next_numbers(NUMBERS, len(self._moves)), strict=True):
                move.flow_no = number
            SpareMove.objects.bulk_create(self._moves)
        if self.spares:
            SparePart.objects.bulk_update(self.spares.values(), _BALANCES)
        for spare in self.spares.values():
            if self._before[spare.pk] > spare.min_qty >= spare.available_qty:
                self._tell(spare)
        return self._moves

    def _tell(self, spare: SparePart) -> None:
        left, least = plain_number(spare.available_qty), plain_number(spare.min_qty)
        ports.messages.send(
            holders_of_code(STOREKEEPS),
            (f"备件库存偏低：{spare}", f"Spare part runs low: {spare}"),
            (
                f"{spare.spare_code} 可用{left}{spare.unit}，最低库存{least}{spare.unit}。",
                f"{spare.spare_code}: {left} {spare.unit} available, minimum {least} {spare.unit}.",
            ),
            "spareinfo",
            spare.pk,
        )

    def low(self) -> list[dict[str, Any]]:
        """Return the parts of the posting that are at their minimum or below it now."""
        return [
            {
                "spareId": str(one.pk), "spareName": one.spare_name, "availableQty": float(one.available_qty),
                "minQty": float(one.min_qty),
            }
            for one in self.spares.values()
            if one.available_qty <= one.min_qty
        ]  # fmt: skip


def unreturned(moves: Iterable[SpareMove]) -> list[Back]:
    """Return what of these issues and returns of one line is still out, the oldest issue first.

    What comes back is taken from the newest issue first, so that each piece comes back at the price of its own.
    """
    out: list[Back] = []
    for move in moves:
        if move.biz_type == MoveKind.ISSUE:
            out.append(Back(move.qty, move.price, move.amount))
            continue
        left = move.qty
        while left:
            last = out.pop()
            taken = min(left, last.qty)
            left -= taken
            if taken < last.qty:
                out.append(Back(last.qty - taken, last.price, last.amount - cents(taken * last.price)))
    return out


def parts_of_return(moves: Iterable[SpareMove], qty: Decimal) -> list[Back]:
    """Return at which prices this quantity of a line comes back; the last piece of an issue takes the rest of it."""
    out, found = unreturned(moves), []
    while qty:
        last = out.pop()
        taken = min(qty, last.qty)
        qty -= taken
        found.append(Back(taken, last.price, last.amount if taken == last.qty else cents(taken * last.price)))
    return found


def by_hand(
    actor: Actor, spare_id: int, kind: MoveKind, qty: Decimal, *, price_each: Decimal | None, remark: str,
    voucher: Iterable[str] = (),
) -> SpareMove:  # fmt: skip
    """Enter one movement that is none of a request. Raises Invalid for what does not fit the part."""
    posting = Posting(actor, [spare_id])
    spare = posting.spares[spare_id]
    check_quantity(spare, qty, "qty")
    if spare.is_sealed and kind in ADDS and kind != MoveKind.SURPLUS:
        raise Invalid({"spareId": _("「{name}」已封存，不能使用").format(name=spare)})
    if kind == MoveKind.OPENING and SpareMove.objects.filter(spare=spare).exists():
        raise Invalid({"bizType": _("「{name}」已有出入库记录，不能再登记期初").format(name=spare)})
    move = posting.move(spare_id, kind, qty, price_each=price_each, remark=remark, voucher=voucher)
    posting.store()
    return move


def correct(actor: Actor, move_id: int, remark: str) -> SpareMove:
    """Enter the opposite of a movement that was a mistake. Raises Refusal where it is none to correct."""
    mistake = SpareMove.objects.filter(pk=move_id).first()
    if mistake is None:
        raise Invalid({"reverseOfId": _("数据不存在或已被删除")})
    posting = Posting(actor, [mistake.spare_id])
    if mistake.biz_type in (MoveKind.ISSUE, MoveKind.RETURN):
        raise Refusal("spare.ofRequest", _("领用和退回请在领用单中处理，不能冲销"))
    if mistake.reverse_of_id is not None:
        raise Refusal("spare.isCorrection", _("冲销记录不能再冲销"))
    if SpareMove.objects.filter(reverse_of=mistake).exists():
        raise Conflict("spare.corrected", _("该流水已冲销"))
    move = posting.move(
        mistake.spare_id, MoveKind(mistake.biz_type), mistake.qty, price_each=mistake.price, amount=mistake.amount,
        reverse_of=mistake, remark=remark,
    )  # fmt: skip
    posting.store()
    return move
