"""The ledger of spare parts: prices by moving average, balances that never lie, and entries that stay."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from core.kernel.tenancy import tenant_scope
from core.scheduling.models import OutboxMessage
from core.spares import watching
from core.spares.models import SpareMove, SparePart
from tests.cast import A, B, Cast
from tests.checksums import checksum
from tests.store import FLOW, SPARE, Store

OPENING, PURCHASE, OTHER_IN, ISSUE, RETURN, SURPLUS, SHORTAGE, SCRAP = range(1, 9)


@pytest.fixture
def store(cast: Cast) -> Store:
    return Store(cast)


def _told(title: str) -> int:
    with tenant_scope(A):
        return sum(title in str(row.payload) for row in OutboxMessage.objects.filter(topic="desk.message"))


def test_the_moving_average_of_the_worked_example(store: Store) -> None:
    part = store.part(stock="10", price="25")
    assert (store.now(part).stock_qty, store.now(part).avg_price) == (Decimal(10), Decimal("25.0000"))
    moved = store.move(part, PURCHASE, "5", price="28")
    assert (moved["afterQty"], moved["avgPrice"]) == (15, 26.0)
    asked = store.request("repairer", (part, 4)).data
    issued = store.handle(asked, "issue", 4).data
    assert store.moves(part)[-1].amount == Decimal("104.00")
    assert store.handle(issued, "return", 1).status == 200
    assert (store.now(part).stock_qty, store.now(part).avg_price) == (Decimal(12), Decimal("26.0000"))
    assert store.move(part, PURCHASE, "3", price="30.50")["avgPrice"] == 26.9
    found = store.now(part)
    assert (found.stock_qty, found.stock_amount, found.last_price) == (15, Decimal("403.50"), Decimal("30.5000"))
    assert [(one.before_qty, one.after_qty, one.direction) for one in store.moves(part)] == [
        (0, 10, 1), (10, 15, 1), (15, 11, -1), (11, 12, 1), (12, 15, 1),
    ]  # fmt: skip
    numbers = [one.flow_no for one in store.moves(part)]
    assert len(set(numbers)) == 5 and all(one.startswith("CR") and len(one) == 14 for one in numbers)


def test_each_piece_comes_back_at_the_price_of_its_issue(store: Store) -> None:
    part = store.part(stock="4", price="10")
    asked = store.request("repairer", (part, 6)).data
    asked = store.handle(asked, "issue", 4).data  # 4 at 10
    store.move(part, PURCHASE, "4", price="20")
    asked = store.handle(asked, "issue", 2).data  # 2 at 20
    asked = store.handle(asked, "return", 3).data  # the newest first: 2 at 20, 1 at 10
    back = [(one.qty, one.price, one.amount) for one in store.moves(part) if one.biz_type == RETURN]
    assert back == [(2, Decimal("20.0000"), Decimal("40.00")), (1, Decimal("10.0000"), Decimal("10.00"))]
    assert store.now(part).avg_price == Decimal("18.0000")  # (2×20 + 2×20 + 1×10) / 5
    assert store.handle(asked, "return", 3).data["status"] == 7
    assert store.now(part).stock_amount == Decimal("120.00")


def test_what_cannot_be_moved_is_refused_and_moves_nothing(store: Store) -> None:
    part, loose = store.part(stock="5"), store.part("OIL", stock="2.5", isInteger=0, unit="升")
    before = checksum(A)
    for spare, kind, qty, more, text in (
        (part, SCRAP, 6, {"remark": "x"}, "备件「备件B6205」可用库存不足，当前可用5个"),
        (loose, SHORTAGE, "2.501", {"remark": "x"}, "备件「备件OIL」可用库存不足，当前可用2.5升"),
        (part, PURCHASE, "1.5", {"price": 1}, "「备件B6205」的数量必须是整数"),
        (part, PURCHASE, 0, {"price": 1}, "数量必须大于0"),
        (part, PURCHASE, -1, {"price": 1}, "数量必须大于0"),
        (part, PURCHASE, 1, {}, "请输入单价"),
        (part, SCRAP, 1, {}, "请输入备注"),
        (part, SURPLUS, 1, {"remark": " "}, "请输入备注"),
        (part, OPENING, 1, {"price": 1}, "「备件B6205」已有出入库记录，不能再登记期初"),
        (part, ISSUE, 1, {}, "请选择出入库类型"),
        (part, PURCHASE, "999999999", {"price": "9999999999"}, "库存数量或金额过大，请检查数量和单价"),
        (part, PURCHASE, 1, {"price": -1}, "单价不能小于0"),
    ):
        answer = store.try_move(spare, kind, qty, **more)
        assert (answer.status in (400, 409), answer.msg) == (True, text)
    assert checksum(A) == before


def test_a_mistake_is_corrected_once_by_its_opposite(store: Store) -> None:
    part = store.part(stock="10", price="25")
    wrong = store.move(part, PURCHASE, "5", price="28")
    body = {"reverseOfId": wrong["id"], "remark": "录错"}
    fixed = store.keeper.post_json(f"{FLOW}/submit", body)
    assert (fixed.status, fixed.data["afterQty"], fixed.data["avgPrice"]) == (200, 10, 25.0)
    before = checksum(A)
    assert store.keeper.post_json(f"{FLOW}/submit", body).msg == "该流水已冲销"
    again = store.keeper.post_json(f"{FLOW}/submit", {"reverseOfId": fixed.data["id"], "remark": "x"})
    assert again.msg == "冲销记录不能再冲销"
    assert store.keeper.post_json(f"{FLOW}/submit", {"reverseOfId": wrong["id"]}).msg == "请输入备注"
    assert checksum(A) == before
    rows = store.keeper.get(f"{FLOW}/list", spareId=part).data["records"]
    assert [(row["bizType"], row["direction"], row["isReversed"]) for row in rows] == [(2, -1, 0), (2, 1, 1), (1, 1, 0)]


def test_what_is_issued_is_not_corrected_past_its_request(store: Store) -> None:
    part = store.part(stock="10")
    store.handle(store.request("repairer", (part, 1)).data, "issue", 1)
    issue = store.moves(part)[-1]
    answer = store.keeper.post_json(f"{FLOW}/submit", {"reverseOfId": str(issue.pk), "remark": "x"})
    assert answer.msg == "领用和退回请在领用单中处理，不能冲销"


def test_low_stock_is_told_when_it_is_crossed_and_only_then(store: Store) -> None:
    part = store.part(stock="6", minQty=5)
    title = "备件库存偏低"
    assert _told(title) == 0
    store.move(part, SCRAP, 1, remark="坏")  # 6 → 5
    assert _told(title) == 1
    store.move(part, SCRAP, 1, remark="坏")  # 5 → 4
    assert _told(title) == 1
    store.move(part, PURCHASE, 4, price=1)  # 4 → 8
    store.move(part, SCRAP, 3, remark="坏")  # 8 → 5
    assert _told(title) == 2


def test_a_reservation_makes_a_part_low_too(store: Store) -> None:
    part = store.part(stock="6", minQty=5)
    answer = store.request("repairer", (part, 2)).data
    assert answer["lowStock"] == [{"spareId": part, "spareName": "备件B6205", "availableQty": 4.0, "minQty": 5.0}]
    assert _told("备件库存偏低") == 1


def test_both_databases_refuse_what_the_code_must_not_do(store: Store) -> None:
    part = store.part(stock="5")
    move = store.moves(part)[0]
    with tenant_scope(A):
        for values in ({"stock_qty": -1}, {"reserved_qty": -1}, {"reserved_qty": 6}):
            with pytest.raises(IntegrityError), transaction.atomic():
                SparePart.objects.filter(pk=part).update(**values)
        with pytest.raises(DatabaseError), transaction.atomic():
            SpareMove.objects.filter(pk=move.pk).update(qty=9)
        with pytest.raises(DatabaseError), transaction.atomic():
            SpareMove.objects.filter(pk=move.pk).delete()
        with pytest.raises(IntegrityError), transaction.atomic():
            SpareMove.objects.create(spare_id=part, flow_no="X", qty=1, direction=1, before_qty=1, after_qty=0)


def test_the_self_check_tells_of_every_balance_that_lies(store: Store) -> None:
    part, other = store.part(stock="5"), store.part("C2", stock="3")
    store.request("repairer", (part, 2))
    with tenant_scope(A):
        assert (watching.differences(), watching.self_check()) == ([], 0)
        SparePart.objects.filter(pk=part).update(stock_qty=4)
        SparePart.objects.filter(pk=other).update(reserved_qty=1)
        found = {one.spare_code: wrong for one, wrong in watching.differences()}
        assert found == {"B6205": "last,sum,available", "C2": "reserved,available"}
        assert watching.self_check() == 2
        assert SparePart.objects.get(pk=part).stock_qty == 4  # nothing is put right behind people's backs
    assert _told("备件账目自检：2种备件的库存与流水不符") == 1


def test_what_is_to_be_reordered(store: Store) -> None:
    store.part("A1", stock="2", minQty=5, maxQty=20)
    store.part("A2", stock="5", minQty=5)  # at the minimum, without a maximum: nothing to buy
    store.part("A3", minQty=4)
    store.part("A4", stock="9", minQty=4)
    rows = store.keeper.get(f"{SPARE}/list", reorderQty_gt=0).data["records"]
    assert [(row["spareCode"], row["reorderQty"], row["stockState"]) for row in rows] == [("A1", 18, 2), ("A3", 4, 3)]
    with tenant_scope(A):
        assert watching.tell_low() == 2
    assert _told("今日补货清单：2种备件需采购") == 1


def test_lists_are_narrowed_by_what_is_computed(store: Store, cast: Cast) -> None:
    machine, kind = cast.machine("M1"), cast.machine_class("TOOLS")
    low = store.part("A1", stock="2", minQty=5, machineIds=[str(machine.pk)])
    over = store.part("A2", stock="9", maxQty=8, typeIds=[str(kind.pk)], isCritical=1, locationCode="A-01-02")
    store.part("A3")

    def codes(**asked: Any) -> list[str]:
        return [row["spareCode"] for row in store.keeper.get(f"{SPARE}/list", **asked).data["records"]]

    assert [codes(stockState=state) for state in (1, 2, 3, 4)] == [[], ["A1"], ["A3"], ["A2"]]
    assert codes(machineId=str(machine.pk)) == ["A1", "A2"]  # its own, and those of its types
    assert codes(machineId=str(cast.machine("M2").pk)) == ["A2"]
    assert codes(typeId=str(kind.pk)) == ["A1", "A2"]
    assert (codes(isCritical=1), codes(locationCode="A-01"), codes(barcode="A3")) == (["A2"], ["A2"], ["A3"])
    assert codes(keyword="件A2") == ["A2"]
    assert codes(availableQty_ge=2, descs="availableQty") == ["A2", "A1"]
    asked = store.request("repairer", (over, 3)).data
    store.handle(asked, "issue", 3)
    found = store.keeper.get(f"{SPARE}/detail", id=over).data
    assert (found["use90"], found["coverDays"], found["typeNames"]) == (3.0, 180.0, "机床")
    assert (found["stockState"], found["stockStateName"], found["stockAmount"]) == (1, "正常", 150.0)
    assert store.keeper.get(f"{SPARE}/detail", id=low).data["machineNames"] == "车床"


def test_masters_refuse_what_does_not_fit(store: Store) -> None:
    part = store.part(stock="5")
    change = store.cast.anew("storekeeper").change
    answer = change(SPARE, {"id": part, "minQty": 5, "maxQty": 4})
    assert (answer.status, answer.msg) == (400, "最高库存不能小于最低库存")
    assert store.keeper.post_json(f"{SPARE}/remove", ids=part).msg == "库存不为0，不能删除"
    store.move(part, SHORTAGE, 5, remark="清")
    assert store.keeper.post_json(f"{SPARE}/remove", ids=part).msg == "备件已有出入库记录，不能删除，请改为封存"
    assert change(SPARE, {"id": part, "isSealed": 1}).status == 200
    assert store.try_move(part, PURCHASE, 1, price=1).msg == "「备件B6205」已封存，不能使用"
    fresh = store.part("N1")
    assert store.keeper.get(f"{SPARE}/detail", id=fresh).data["barcode"] == "N1"
    # Quantities and prices are not written by the form.
    change(SPARE, {"id": fresh, "stockQty": 9, "avgPrice": 9, "remark": "x"})
    assert (store.now(fresh).stock_qty, store.now(fresh).remark) == (0, "x")


def test_a_count_enters_all_differences_or_none(store: Store) -> None:
    more, less, same = (store.part(code, stock="10", price="4") for code in ("A1", "A2", "A3"))
    store.request("repairer", (less, 6))
    lines = [{"spareId": more, "countedQty": 12, "seenQty": 10}, {"spareId": less, "countedQty": 7, "seenQty": 10},
             {"spareId": same, "countedQty": 10, "seenQty": 10}]  # fmt: skip
    before = checksum(A)
    seen = store.keeper.post_json(f"{FLOW}/count", {"lines": lines, "preview": 1}).data
    assert [(one["difference"], one["amount"], one["error"]) for one in seen["lines"]] == [
        (2.0, 8.0, ""), (-3.0, -12.0, ""), (0.0, 0.0, ""),
    ]  # fmt: skip
    assert (seen["surplus"], seen["shortage"], seen["surplusAmount"], seen["shortageAmount"]) == (1, 1, 8.0, 12.0)
    for wrong, text in (
        ({"spareId": less, "countedQty": 5, "seenQty": 10}, "「备件A2」已预留6，实盘数量不能更少，请先处理领用单"),
        ({"spareId": less, "countedQty": 9, "seenQty": 11}, "「备件A2」的账面数量在盘点期间已变为10，请重新盘点"),
        ({"spareId": less, "countedQty": "9.5"}, "「备件A2」的数量必须是整数"),
        ({"spareId": more, "countedQty": 9}, "备件「备件A1」重复"),
    ):
        body = {"lines": [lines[0], wrong], "remark": "年终盘点"}
        assert store.keeper.post_json(f"{FLOW}/count", body).msg == text
    assert store.keeper.post_json(f"{FLOW}/count", {"lines": lines}).msg == "请输入备注"
    assert checksum(A) == before
    assert store.keeper.post_json(f"{FLOW}/count", {"lines": lines, "remark": "年终盘点"}).status == 200
    assert [store.now(one).stock_qty for one in (more, less, same)] == [12, 7, 10]
    kinds = [store.moves(one)[-1].biz_type for one in (more, less, same)]
    assert kinds == [SURPLUS, SHORTAGE, OPENING]


def test_who_may_move_the_stock(store: Store, cast: Cast) -> None:
    part = store.part(stock="5")
    before = checksum(A)
    body = {"spareId": part, "bizType": PURCHASE, "qty": 1, "price": 1}
    count = {"lines": [{"spareId": part, "countedQty": 4}], "remark": "x"}
    for account in ("repairer", "repair_leader", "equip_manager", "viewer", "operator", "shift_leader"):
        caller = cast.client_for(account)
        assert caller.post_json(f"{FLOW}/submit", body).status == 403
        assert caller.post_json(f"{FLOW}/count", count).status == 403
        assert caller.post_json(f"{SPARE}/submit", {"spareCode": "Z", "spareName": "z"}).status == 403
        sees = account not in ("operator", "shift_leader")
        assert caller.get(f"{SPARE}/list").status == (200 if sees else 403)
        assert caller.get(f"{FLOW}/list").status == (200 if sees else 403)
    assert checksum(A) == before
    other = Store(cast, B)
    assert other.try_move(part, PURCHASE, 1, price=1).status == 404
    assert other.keeper.get(f"{SPARE}/detail", id=part).status == 404
    assert other.keeper.get(f"{FLOW}/list").data["records"] == []
