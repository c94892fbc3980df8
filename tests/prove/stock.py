"""The part of the proof of the ledger that runs inside: parts, clients that move and reserve stock, what came of it."""

from __future__ import annotations

import random
import sys
from collections import Counter
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.utils import OperationalError

from core.kernel.actor import acting
from core.kernel.errors import Refusal
from core.kernel.tenancy import tenant_scope
from core.spares import life, movements, watching
from core.spares.models import OPEN, SpareMove, SparePart, SpareUseLine, SpareUseLog
from tests.cast import A, Cast

PARTS = 12
FIRST = 40
_MOST_LINES = 3


def plant() -> int:
    """Make a few parts with a first stock: so few that everybody wants the same."""
    actor = Cast().actor_for("tenant_admin", A)
    with tenant_scope(A), acting(actor):
        for number in range(1, PARTS + 1):
            code = f"P{number:02d}"
            row = SparePart.objects.create(spare_code=code, spare_name=code, barcode=code, unit="个")
            movements.enter(actor, {"spareId": str(row.pk), "bizType": 1, "qty": FIRST, "price": "12.3456"})
    return PARTS


def disturb(rounds: int, seed: int) -> dict[str, int]:
    """Move, request and handle in a drawn order, together with others who do the same."""
    actor, draw = Cast().actor_for("tenant_admin", A), random.Random(seed)
    done: Counter[str] = Counter()
    with tenant_scope(A):
        parts = list(SparePart.objects.order_by("pk").values_list("pk", flat=True))
    sys.stdout.buffer.write(b"begun\n")
    sys.stdout.buffer.flush()
    for _ in range(rounds):
        act = draw.choice(("in", "out", "request", "request", "handle", "handle", "handle", "handle"))
        try:
            with tenant_scope(A), acting(actor):
                _ACTS[act](actor, draw, parts)
            done[act] += 1
        except Refusal as refusal:
            done[refusal.error] += 1
        except OperationalError:
            done["busy"] += 1  # SQLite's one writer was not free in time; nothing was changed
    return dict(done)


def _move_in(actor: Any, draw: random.Random, parts: list[int]) -> None:
    price = str(Decimal(draw.randint(1, 99_999)) / 100)
    movements.enter(
        actor, {"spareId": str(draw.choice(parts)), "bizType": 2, "qty": draw.randint(1, 9), "price": price}
    )  # fmt: skip


def _move_out(actor: Any, draw: random.Random, parts: list[int]) -> None:
    movements.enter(
        actor, {"spareId": str(draw.choice(parts)), "bizType": 8, "qty": draw.randint(1, 9), "remark": "坏"}
    )  # fmt: skip


def _request(actor: Any, draw: random.Random, parts: list[int]) -> None:
    chosen = draw.sample(parts, draw.randint(1, _MOST_LINES))
    lines = [{"spareId": str(pk), "planQty": draw.randint(1, 9)} for pk in chosen]
    life.submit(actor, {"orderType": 3, "remark": "换件", "lines": lines})


def _handle(actor: Any, draw: random.Random, parts: list[int]) -> None:
    """Do something with one of the requests that are not over."""
    rows = SpareUseLog.objects.filter(status__lte=4).order_by("-pk")[:30]
    request = draw.choice(list(rows) or [None])
    if request is None:
        return
    act = draw.choice(("reserve", "issue", "issue", "issue", "return", "finish", "reject", "cancel"))
    lines = [
        {"lineId": str(line.pk), "qty": draw.randint(1, 9)}
        for line in SpareUseLine.objects.filter(request=request).order_by("pk")
        if draw.random() < 0.7
    ]
    life.handle(
        actor,
        {
            "id": str(request.pk), "lockVersion": request.lock_version, "action": act, "remark": "x",
            "lines": lines if act in ("reserve", "issue", "return") and draw.random() < 0.5 else [],
        },
    )  # fmt: skip


_ACTS = {"in": _move_in, "out": _move_out, "request": _request, "handle": _handle}


def check() -> dict[str, Any]:
    """Hold every balance against the ledger, every line against its movements, and the numbers against each other."""
    wrong: list[str] = []
    with tenant_scope(A), transaction.atomic():
        wrong += [f"{part.spare_code}: {what}" for part, what in watching.differences()]
        for part in SparePart.objects.all():
            if not 0 <= part.reserved_qty <= part.stock_qty:
                wrong.append(f"{part.spare_code}: {part.reserved_qty} of {part.stock_qty} reserved")
            before = None
            moves = SpareMove.objects.filter(spare=part)
            for move in sorted(moves, key=lambda one: (one.flow_no[:10], len(one.flow_no), one.flow_no)):
                if move.after_qty != move.before_qty + move.direction * move.qty:
                    wrong.append(f"{move.flow_no}: {move.before_qty} {move.direction * move.qty} {move.after_qty}")
                if before is not None and move.before_qty != before:
                    wrong.append(f"{move.flow_no}: begins at {move.before_qty}, the one before ended at {before}")
                before = move.after_qty
        lines = SpareUseLine.objects.select_related("request")
        for line in lines:
            moves = list(SpareMove.objects.filter(line=line).values_list("biz_type", "qty", "amount"))
            issued = sum((qty for kind, qty, _amount in moves if kind == 4), Decimal(0))
            returned = sum((qty for kind, qty, _amount in moves if kind == 5), Decimal(0))
            if (issued, returned) != (line.issued_qty, line.returned_qty):
                wrong.append(f"line {line.pk}: {line.issued_qty}/{line.returned_qty}, the ledger {issued}/{returned}")
            if line.reserved_qty and line.request.status not in OPEN:
                wrong.append(f"line {line.pk}: reserved in a request that is over")
        numbers = list(SpareMove.objects.values_list("flow_no", flat=True))
        if len(numbers) != len(set(numbers)):
            wrong.append("a number came twice")
        return {
            "moves": len(numbers), "requests": SpareUseLog.objects.count(), "wrong": wrong[:20],
            "number": len(wrong),
        }  # fmt: skip
