"""The life of a request for spare parts, as a state machine: whoever changes a request locks it, and does it here.

| from → to | action | who |
|---|---|---|
| – → to handle, or reserved where all of it is there | `submit` | who repairs or maintains |
| to handle, reserved, partly issued: more is reserved | `reserve` | the storekeeper |
| to handle, reserved, partly issued → partly issued, issued | `issue` | the storekeeper |
| partly issued → issued | `finish`: the rest is not needed | the storekeeper |
| to handle, reserved → refused | `reject` | the storekeeper |
| to handle, reserved → cancelled | `cancel`, or the order is cancelled | the applicant |
| partly issued, issued → the same, or returned in full | `return` | the storekeeper; the applicant before the end |

Locks are taken in this order: process and record of the order, request, number of the request, parts by id, numbers of
movements.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from core import ports
from core.access.people import holders_of_code
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.audit_entry import AuditEntry, current_entry
from core.kernel.errors import Invalid, Missing, NotAllowed, Refusal, Stale
from core.kernel.operation import SIGNED_IN, operation
from core.spares import ledger, orders
from core.spares.inputs import HandleInput, RequestInput, check_asked
from core.spares.ledger import NO_QUANTITY, Posting
from core.spares.models import OPEN, MoveKind, OrderType, RequestStatus, SpareMove, SparePart, SpareUseLine, SpareUseLog
from core.spares.queries import NOUN, sees
from core.system import parameters
from core.system.numbers import next_number

APPLIES, HANDLES = f"{NOUN}_add", f"{NOUN}_handle"
RESERVE, ISSUE, RETURN, REJECT, CANCEL, FINISH = "reserve", "issue", "return", "reject", "cancel", "finish"
FROM: Mapping[str, tuple[RequestStatus, ...]] = {
    RESERVE: OPEN,
    ISSUE: OPEN,
    RETURN: (RequestStatus.PARTLY_ISSUED, RequestStatus.ISSUED),
    REJECT: (RequestStatus.TO_HANDLE, RequestStatus.RESERVED),
    CANCEL: (RequestStatus.TO_HANDLE, RequestStatus.RESERVED),
    FINISH: (RequestStatus.PARTLY_ISSUED,),
}
"""The states in which each action is possible."""


def _wrong_state(status_name: object, action: str) -> Refusal:
    text = _("当前状态为「{status}」，不能{action}").format(status=status_name, action=action)
    return Refusal("spareuselog.wrongState", text)


def action_names() -> dict[str, str]:
    """Return what each action is called, in the caller's language."""
    return {
        RESERVE: _("预留"), ISSUE: _("出库"), RETURN: _("退回"), REJECT: _("驳回"), CANCEL: _("取消"), 
        FINISH: _("结束"),
    }  # fmt: skip


# --- a new request --------------------------------------------------------------------------------------------------


@operation("spareuselog.submit", code=APPLIES)
def submit(actor: Actor, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Request spare parts, for an order or for another purpose that the remark says."""
    asked = RequestInput(data=raw)
    asked.is_valid(raise_exception=True)
    values = asked.validated_data
    order_type = OrderType(values["orderType"])
    kind, order = orders.kind_of(order_type), None
    if kind is not None:
        if not values.get("orderId"):
            raise Invalid({"orderId": _("请选择{field}").format(field=_("单据"))})
        if not kind.sees(actor, values["orderId"]):
            raise Missing()
        order = kind.lock(values["orderId"])
    elif order_type != OrderType.OTHER:
        raise Invalid({"orderType": _("请选择{field}").format(field=_("领用单据"))})
    elif not values["remark"].strip():
        raise Invalid({"remark": _("请输入{field}").format(field=_("备注"))})
    return request_for(actor, order_type, order, values)


def request_for(
    actor: Actor, order_type: OrderType, order: orders.Order | None, values: Mapping[str, Any]
) -> dict[str, Any]:
    """Make the request of a person, for an order that is locked already, or for none."""
    kind = orders.kind_of(order_type)
    if order is not None and kind is not None:
        if not kind.may_request(actor, order):
            raise NotAllowed()
        if not order.is_open:
            raise _wrong_state(order.status_name, _("申请备件"))
    check_asked(values)
    wanted = values["lines"]
    spare_ids = [one["spareId"] for one in wanted]
    _refuse_twice(spare_ids)
    request = SpareUseLog(
        log_no=next_number("LY"), order_type=order_type, order_id=order.id if order else None,
        order_no=order.number if order else "", machine_id=order.machine_id if order else None,
        apply_user_id=actor.user_id, apply_dept_id=actor.dept_id, apply_time=clock.now(), line_count=len(wanted),
        remark=values["remark"],
    )  # fmt: skip
    posting = _posting(actor, spare_ids)
    lines = []
    for one in wanted:
        spare = posting.spares[one["spareId"]]
        if spare.is_sealed:
            raise Invalid({"lines": _("「{name}」已封存，不能使用").format(name=spare)})
        ledger.check_quantity(spare, one["planQty"], "lines")
        line = SpareUseLine(
            request=request, spare=spare, plan_qty=one["planQty"], location_code=spare.location_code,
            remark=one["remark"],
        )  # fmt: skip
        if parameters.spares().reserve_auto:
            line.reserved_qty = min(one["planQty"], spare.available_qty)
            posting.reserve(spare.pk, line.reserved_qty)
        line.short_qty = line.plan_qty - line.reserved_qty
        lines.append(line)
    request.status = _open_status(lines)
    request.save(force_insert=True)
    SpareUseLine.objects.bulk_create(lines)
    posting.store()
    entry = current_entry()
    if entry.business_type:  # a command of the order; the request has an entry of its own behind it
        entry.later.append(AuditEntry("spareuselog.submit", actor, NOUN, request.pk, to_status=request.status))
    else:
        entry.business_type, entry.business_id, entry.to_status = NOUN, request.pk, request.status
    _tell(holders_of_code(HANDLES), actor, request, ("备件领用单待处理", "Spare request to handle"), _words(lines))
    return answer(request, lines, posting)


def _refuse_twice(spare_ids: Sequence[int]) -> None:
    seen: set[int] = set()
    for pk in spare_ids:
        if pk in seen:
            name = SparePart.objects.filter(pk=pk).values_list("spare_name", flat=True).first() or pk
            raise Invalid({"lines": _("备件「{name}」重复").format(name=name)})
        seen.add(pk)


def _posting(actor: Actor, spare_ids: Iterable[int]) -> Posting:
    try:
        return Posting(actor, list(spare_ids))
    except Missing:
        raise Invalid({"lines": _("数据不存在或已被删除")}) from None


def _open_status(lines: Iterable[SpareUseLine]) -> RequestStatus:
    """Return the state of a request of which nothing is issued."""
    is_there = all(not line.short_qty for line in lines)
    return RequestStatus.RESERVED if is_there else RequestStatus.TO_HANDLE


# --- what is done with it -------------------------------------------------------------------------------------------


@operation("spareuselog.handle", code=SIGNED_IN)
def handle(actor: Actor, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Reserve, issue, take back, refuse, cancel or finish: all of the named lines or none."""
    asked = HandleInput(data=raw)
    asked.is_valid(raise_exception=True)
    values = asked.validated_data
    found = SpareUseLog.objects.filter(pk=values["id"]).values("order_type", "order_id").first()
    if found is None:
        raise Missing()
    kind = orders.kind_of(found["order_type"]) if found["order_id"] else None
    order = kind.lock(found["order_id"]) if kind is not None else None
    return _Act(actor, values, kind, order).run()


class _Act:
    """One action on a request, which it locks."""

    def __init__(self, actor: Actor, values: Mapping[str, Any], kind: orders.OrderKind | None, order: Any):
        self.actor, self.kind, self.order = actor, kind, order
        self.action, self.remark = values["action"], values["remark"].strip()
        request = SpareUseLog.objects.select_for_update(of=("self",)).filter(pk=values["id"]).first()
        if request is None or not sees(actor, request):
            raise Missing()
        self.request: SpareUseLog = request
        self.version = values.get("lockVersion")
        self.lines = list(request.lines.select_related("spare").order_by("pk"))
        self.given = values["lines"]

    def run(self) -> dict[str, Any]:
        """Check right, version and state, do it, and answer how things stand."""
        request, entry = self.request, current_entry()
        entry.business_type, entry.business_id = NOUN, request.pk
        entry.operation, entry.remark = f"{NOUN}.{self.action}", self.remark
        check_may(self.actor, request, self.action, self.order)
        if self.version is not None and self.version != request.lock_version:
            raise Stale()
        if request.status not in FROM[self.action]:
            raise _wrong_state(request.get_status_display(), action_names()[self.action])
        before = request.status
        self.posting = Posting(self.actor, [line.spare_id for line in self.lines])
        getattr(self, f"_{self.action}")()
        if request.status in OPEN or request.status == RequestStatus.ISSUED:
            for line in self.lines:
                rest = line.plan_qty - line.issued_qty - line.reserved_qty
                line.short_qty = max(rest, NO_QUANTITY) if request.status in OPEN else NO_QUANTITY
        request.total_amount = sum((line.amount for line in self.lines), Decimal(0))
        request.handle_user_id, request.handle_time = self.actor.user_id, self.posting.now
        request.handle_remark = self.remark
        self.posting.store()
        for line in self.lines:
            line.save()
        request.save()
        entry.from_status, entry.to_status = before, request.status
        self._tell_applicant()
        found = answer(request, self.lines, self.posting)
        if self.order is not None and self.kind is not None:
            self.kind.settle(self.order, cost_of(request.order_type, request.order_id or 0))
            if self.action in (ISSUE, FINISH) and not has_open(request.order_type, request.order_id or 0):
                self.kind.supplied(self.actor, self.order)
        return found

    def _wanted(self, most: Mapping[int, Decimal], refusal: str) -> list[tuple[SpareUseLine, Decimal]]:
        """Return the lines with the quantities that were named; without any, all of them with the most there is."""
        known = {line.pk: line for line in self.lines}
        if not self.given:
            found = [(line, most[line.pk]) for line in self.lines if most[line.pk] > 0]
            if not found:
                raise Invalid({"lines": _("请至少选择一种备件")})
            return found
        found, seen = [], set()
        for one in self.given:
            line = known.get(one["lineId"])
            if line is None or line.pk in seen:
                raise Invalid({"lines": _("数据不存在或已被删除")})
            seen.add(line.pk)
            ledger.check_quantity(self.posting.spares[line.spare_id], one["qty"], "lines")
            if one["qty"] > most[line.pk]:
                text = refusal.format(name=line.spare, n=ledger.plain_number(most[line.pk]))
                raise Refusal("spareuselog.tooMuch", text)
            found.append((line, one["qty"]))
        return found

    def _rest(self, line: SpareUseLine) -> Decimal:
        return line.plan_qty - line.issued_qty

    def _reserve(self) -> None:
        most = {
            line.pk: self._rest(line) - line.reserved_qty for line in self.lines
        }  # fmt: skip
        if not self.given:  # as much as there is
            most = {
                line.pk: min(most[line.pk], self.posting.spares[line.spare_id].available_qty) for line in self.lines
            }
        for line, qty in self._wanted(most, _("「{name}」本次预留数量不能超过{n}")):
            self.posting.reserve(line.spare_id, qty)
            line.reserved_qty += qty
            line.short_qty = self._rest(line) - line.reserved_qty
        if self.request.status != RequestStatus.PARTLY_ISSUED:
            self.request.status = _open_status(self.lines)

    def _issue(self) -> None:
        most = {line.pk: self._rest(line) for line in self.lines}
        for line, qty in self._wanted(most, _("「{name}」本次出库数量不能超过{n}")):
            taken = min(qty, line.reserved_qty)
            move = self.posting.move(
                line.spare_id, MoveKind.ISSUE, qty, from_reserved=taken, line=line, remark=self.remark
            )
            line.reserved_qty -= taken
            line.issued_qty += qty
            line.price, line.amount = move.price, line.amount + move.amount
        is_whole = all(not self._rest(line) for line in self.lines)
        self.request.status = RequestStatus.ISSUED if is_whole else RequestStatus.PARTLY_ISSUED

    def _return(self) -> None:
        most = {line.pk: line.issued_qty - line.returned_qty for line in self.lines}
        moves: dict[int | None, list[SpareMove]] = {}
        for move in self.request.moves.order_by("pk"):
            moves.setdefault(move.line_id, []).append(move)
        for line, qty in self._wanted(most, _("「{name}」退回数量不能超过{n}")):
            for part in ledger.parts_of_return(moves[line.pk], qty):
                self.posting.move(
                    line.spare_id, MoveKind.RETURN, part.qty, price_each=part.price, amount=part.amount, line=line,
                    remark=self.remark,
                )  # fmt: skip
                line.amount -= part.amount
            line.returned_qty += qty
        if all(line.returned_qty == line.issued_qty for line in self.lines):
            self._release()
            self.request.status = RequestStatus.RETURNED

    def _release(self) -> None:
        """Give free what is reserved, and ask for nothing more."""
        for line in self.lines:
            self.posting.reserve(line.spare_id, -line.reserved_qty)
            line.reserved_qty = line.short_qty = NO_QUANTITY

    def _reject(self) -> None:
        if not self.remark:
            raise Invalid({"remark": _("请输入{field}").format(field=_("驳回原因"))})
        self._release()
        self.request.status = RequestStatus.REJECTED

    def _cancel(self) -> None:
        self._release()
        self.request.status = RequestStatus.CANCELLED

    def _finish(self) -> None:
        self._release()
        self.request.status = RequestStatus.ISSUED

    def _tell_applicant(self) -> None:
        zh, en = _TOLD[self.action]
        _tell([self.request.apply_user_id], self.actor, self.request, (zh, en), _words(self.lines))


_TOLD = {
    RESERVE: ("备件已预留", "Spare parts reserved"),
    ISSUE: ("备件已出库", "Spare parts issued"),
    RETURN: ("备件已退回", "Spare parts returned"),
    REJECT: ("备件领用单已驳回", "Spare request refused"),
    CANCEL: ("备件领用单已取消", "Spare request cancelled"),
    FINISH: ("备件领用单已结束", "Spare request finished"),
}


def check_may(actor: Actor, request: SpareUseLog, action: str, order: orders.Order | None) -> None:
    """Raise NotAllowed where the person may not do this with the request."""
    is_own = request.apply_user_id == actor.user_id
    if action == CANCEL:
        if not (is_own and actor.may(APPLIES)):
            raise NotAllowed()
        return
    by_applicant = action == RETURN and is_own and actor.may(APPLIES) and (order is None or order.is_open)
    if not (actor.may(HANDLES) or by_applicant):
        raise NotAllowed()
    if action in (ISSUE, RETURN) and is_own and parameters.spares().two_person:
        raise NotAllowed(_("领用人与发料人不能是同一人"))


def allowed_actions(actor: Actor, request: SpareUseLog, order: orders.Order | None) -> list[str]:
    """Return what the person may do with the request now."""
    found = []
    for action, states in FROM.items():
        if request.status not in states:
            continue
        try:
            check_may(actor, request, action, order)
        except NotAllowed:
            continue
        found.append(action)
    return found


# --- what orders ask ------------------------------------------------------------------------------------------------


def of_order(order_type: int, order_id: int) -> QuerySet[Any]:
    """Return the requests of an order."""
    return SpareUseLog.objects.filter(order_type=order_type, order_id=order_id)


def has_open(order_type: int, order_id: int) -> bool:
    """Return whether the storekeeper has something to do for the order yet."""
    return bool(of_order(order_type, order_id).filter(status__in=OPEN).exists())


def has_issued(order_type: int, order_id: int) -> bool:
    """Return whether parts are issued for the order that have not come back."""
    lines = SpareUseLine.objects.filter(request__in=of_order(order_type, order_id))
    return any(issued > returned for issued, returned in lines.values_list("issued_qty", "returned_qty"))


def cost_of(order_type: int, order_id: int) -> Decimal:
    """Return what the parts of an order cost: of what was issued, less what came back."""
    lines = SpareUseLine.objects.filter(request__in=of_order(order_type, order_id))
    return sum(lines.values_list("amount", flat=True), Decimal(0))


def refuse_open(order_type: int, order_id: int) -> None:
    """Raise Refusal where an order cannot be finished because of a request."""
    if has_open(order_type, order_id):
        raise Refusal("order.openSpares", _("还有未处理的备件领用单，不能完工"))


def refuse_issued(order_type: int, order_id: int) -> None:
    """Raise Refusal where an order cannot be cancelled because parts are out for it."""
    if has_issued(order_type, order_id):
        raise Refusal("order.issuedSpares", _("请先退回已出库备件"))


def cancel_all(actor: Actor, order_type: int, order_id: int) -> None:
    """Cancel the open requests of an order that is cancelled itself; nothing is issued for it."""
    rows = of_order(order_type, order_id).filter(status__in=OPEN).select_for_update(of=("self",)).order_by("pk")
    requests = list(rows)
    if not requests:
        return
    lines = list(SpareUseLine.objects.filter(request__in=requests).order_by("pk"))
    posting = Posting(actor, [line.spare_id for line in lines])
    for line in lines:
        posting.reserve(line.spare_id, -line.reserved_qty)
        line.reserved_qty = line.short_qty = NO_QUANTITY
        line.save()
    for request in requests:
        request.status, request.handle_time = RequestStatus.CANCELLED, posting.now
        request.save()
        _tell([request.apply_user_id], actor, request, _TOLD[CANCEL], ("", ""))
    posting.store()


# --- words ----------------------------------------------------------------------------------------------------------


def _words(lines: Iterable[SpareUseLine]) -> tuple[str, str]:
    names = [f"{line.spare} × {ledger.plain_number(line.plan_qty)}" for line in lines]
    shown = names[:5]
    return "、".join(shown) + ("…" if names[5:] else ""), ", ".join(shown) + ("…" if names[5:] else "")


def _tell(
    people: Iterable[int | None], actor: Actor, request: SpareUseLog, title: tuple[str, str], text: tuple[str, str]
) -> None:
    about = f" {request.order_no}" if request.order_no else ""
    ports.messages.send(
        [pk for pk in people if pk != actor.user_id],
        (f"{title[0]}：{request.log_no}{about}", f"{title[1]}: {request.log_no}{about}"), text, NOUN, request.pk,
    )  # fmt: skip


def answer(request: SpareUseLog, lines: Iterable[SpareUseLine], posting: Posting) -> dict[str, Any]:
    """Return what a request and each action answer."""
    return {
        "id": str(request.pk),
        "logNo": request.log_no,
        "status": int(request.status),
        "statusName": str(RequestStatus(request.status).label),
        "lockVersion": request.lock_version,
        "lines": [
            {
                "lineId": str(line.pk), "spareId": str(line.spare_id), "planQty": float(line.plan_qty),
                "reservedQty": float(line.reserved_qty), "issuedQty": float(line.issued_qty),
                "returnedQty": float(line.returned_qty), "shortQty": float(line.short_qty),
            }
            for line in lines
        ],
        "lowStock": posting.low(),
    }  # fmt: skip
