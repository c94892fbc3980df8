"""The life of requests under drawn acts, legal and illegal, in two companies in lock step: the ledger always adds up.

The same acts come to both companies; what one of them answers the other one answers too, and neither sees the other's.
`SPARE_EXAMPLES` and `SPARE_STEPS` make it as large as one likes.
"""

from __future__ import annotations

import os
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from core.kernel.tenancy import tenant_scope
from core.spares import watching
from core.spares.models import OPEN, SpareMove, SparePart, SpareUseLine, SpareUseLog
from tests.cast import A, B, Cast
from tests.store import Store

pytestmark = pytest.mark.django_db

EXAMPLES = int(os.environ.get("SPARE_EXAMPLES", "4"))
STEPS = int(os.environ.get("SPARE_STEPS", "12"))
PARTS = ("A1", "A2", "A3")
ACTS = ("reserve", "issue", "issue", "issue", "return", "return", "reject", "cancel", "finish")
places, quantities = st.integers(0, 9), st.integers(0, 6)


class Life(RuleBasedStateMachine):
    """What people do in two stores that begin alike."""

    cast: Cast

    @initialize(first=st.lists(st.integers(1, 9), min_size=3, max_size=3))
    def begin(self, first: list[int]) -> None:
        """Three parts with a first stock, one of them loose."""
        from django.db import transaction

        self.around = transaction.atomic()
        self.around.__enter__()
        self.stores = [Store(self.cast, tenant) for tenant in (A, B)]
        self.parts = [
            [store.part(code, stock=str(stock), price="3.3333", isInteger=int(code != "A3"))
             for code, stock in zip(PARTS, first, strict=True)]
            for store in self.stores
        ]  # fmt: skip
        self.asked: list[list[Any]] = [[], []]

    def teardown(self) -> None:
        """Take everything back."""
        from django.db import transaction

        if hasattr(self, "around"):
            transaction.set_rollback(True)
            self.around.__exit__(None, None, None)

    def _both(self, act: Any) -> list[Any]:
        """Do the same in both companies; both answer alike."""
        found = [act(number, store) for number, store in enumerate(self.stores)]
        assert {one.status for one in found} <= {200, 400, 403, 409}, found
        assert found[0].status == found[1].status and found[0].msg == found[1].msg, found
        return found

    @rule(part=st.integers(0, 2), qty=quantities, kind=st.sampled_from([2, 3, 6, 7, 8]), cents=st.integers(0, 999))
    def move(self, part: int, qty: int, kind: int, cents: int) -> None:
        """Somebody enters a movement."""
        price = str(Decimal(cents) / 100)
        self._both(
            lambda at, store: store.try_move(self.parts[at][part], kind, qty, price=price, remark="x")
        )  # fmt: skip

    @rule(wanted=st.lists(st.tuples(st.integers(0, 2), quantities), max_size=3))
    def request(self, wanted: list[tuple[int, int]]) -> None:
        """Somebody asks for parts."""
        found = self._both(
            lambda at, store: store.request("repairer", *((self.parts[at][part], qty) for part, qty in wanted))
        )
        if found[0].status == 200:
            for at, one in enumerate(found):
                self.asked[at].append(one.data)

    @rule(place=places, act=st.sampled_from(ACTS), qty=st.lists(quantities, max_size=3), mine=st.booleans())
    def handle(self, place: int, act: str, qty: list[int], mine: bool) -> None:
        """Somebody does something with a request, who may or may not."""
        if not self.asked[0]:
            return
        at_place = place % len(self.asked[0])
        found = self._both(
            lambda at, store: store.handle(
                self.asked[at][at_place], act, *qty, remark="x",
                who=self.cast.client_for("repairer", store.tenant) if mine or act == "cancel" else None,
            )
        )  # fmt: skip
        if found[0].status == 200:
            for at, one in enumerate(found):
                self.asked[at][at_place] = one.data

    @rule(part=st.integers(0, 2), counted=st.integers(0, 12))
    def count(self, part: int, counted: int) -> None:
        """Somebody counts a part."""
        self._both(
            lambda at, store: store.keeper.post_json(
                "yuzhu-equip/spareflow/count",
                {"lines": [{"spareId": self.parts[at][part], "countedQty": counted}], "remark": "x"},
            )
        )

    @invariant()
    def adds_up(self) -> None:
        """The last entry, the sum of all and the balance are one; reservations are of open lines; none is negative."""
        if not hasattr(self, "stores"):
            return
        stands = []
        for store in self.stores:
            with tenant_scope(store.tenant):
                assert watching.differences() == []
                for part in SparePart.objects.all():
                    assert 0 <= part.reserved_qty <= part.stock_qty
                    assert part.stock_amount == (part.stock_qty * part.avg_price).quantize(
                        Decimal("0.01"), ROUND_HALF_UP
                    )
                for line in SpareUseLine.objects.select_related("request"):
                    assert 0 <= line.returned_qty <= line.issued_qty <= line.plan_qty
                    assert line.reserved_qty == 0 or line.request.status in OPEN
                    moves = SpareMove.objects.filter(line=line).values_list("biz_type", "qty", "amount")
                    net = sum((amount if kind == 4 else -amount for kind, _qty, amount in moves), Decimal(0))
                    assert line.amount == net
                    if line.issued_qty == line.returned_qty:
                        assert net == 0
                stands.append(
                    [
                        list(SparePart.objects.order_by("pk").values_list("stock_qty", "reserved_qty", "avg_price")),
                        list(SpareUseLog.objects.order_by("pk").values_list("status", "total_amount")),
                    ]
                )
        assert stands[0] == stands[1]


def test_the_life_of_requests(cast: Cast) -> None:
    class Here(Life):
        pass

    Here.cast = cast
    run_state_machine_as_test(
        Here,
        settings=settings(
            max_examples=EXAMPLES, stateful_step_count=STEPS, deadline=None,
            suppress_health_check=list(HealthCheck), database=None,
        ),
    )  # fmt: skip
