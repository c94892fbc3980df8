"""Requests for spare parts: reserved, issued, brought back, refused, cancelled and finished, all lines or none."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from core.kernel.tenancy import tenant_scope
from core.scheduling.models import OutboxMessage
from core.spares.models import RequestStatus, SparePart, SpareUseLog
from core.system.models import Parameter
from tests.cast import A, B, Cast
from tests.checksums import checksum
from tests.store import LOG, Store

TO_HANDLE, RESERVED, PARTLY, ISSUED, REJECTED, CANCELLED, RETURNED = range(1, 8)


@pytest.fixture
def store(cast: Cast) -> Store:
    return Store(cast)


def _set(key: str, value: str) -> None:
    with tenant_scope(A):
        Parameter.objects.filter(param_key=key).update(own_value=value)


def _quantities(store: Store, part: str) -> tuple[Any, ...]:
    now = store.now(part)
    return now.stock_qty, now.reserved_qty, now.available_qty


def test_stock_that_is_reserved_for_one_is_not_issued_to_another(store: Store) -> None:
    part = store.part(stock="5")
    first = store.request("repairer", (part, 3)).data
    assert (first["status"], _quantities(store, part)) == (RESERVED, (5, 3, 2))
    second = store.request("repairer2", (part, 3)).data
    assert (second["status"], second["lines"][0]["reservedQty"], second["lines"][0]["shortQty"]) == (TO_HANDLE, 2, 1)
    before = checksum(A)
    answer = store.handle(second, "issue", 3)
    assert (answer.status, answer.msg) == (409, "备件「备件B6205」可用库存不足，当前可用2个")
    assert checksum(A) == before
    assert store.handle(first, "issue", 3).data["status"] == ISSUED
    assert _quantities(store, part) == (2, 2, 0)


def test_without_reserving_at_once_the_storekeeper_reserves(store: Store) -> None:
    _set("spare.reserve.auto", "0")
    part = store.part(stock="5")
    first, second = (store.request(who, (part, 3)).data for who in ("repairer", "repairer2"))
    assert (first["status"], _quantities(store, part)) == (TO_HANDLE, (5, 0, 5))
    first = store.handle(first, "reserve", 3).data
    assert (first["status"], _quantities(store, part)) == (RESERVED, (5, 3, 2))
    assert store.handle(second, "reserve", 3).msg == "备件「备件B6205」可用库存不足，当前可用2个"
    assert store.handle(second, "issue", 3).msg == "备件「备件B6205」可用库存不足，当前可用2个"
    second = store.handle(second, "reserve").data  # as much as there is
    assert (second["status"], second["lines"][0]["reservedQty"]) == (TO_HANDLE, 2)


def test_a_request_is_issued_in_parts_and_finished(store: Store) -> None:
    one, two = store.part("A1", stock="5", price="2"), store.part("A2", stock="5", price="3")
    asked = store.request("repairer", (one, 4), (two, 2)).data
    asked = store.handle(asked, "issue", 3).data
    assert (asked["status"], _quantities(store, one)) == (PARTLY, (2, 1, 1))
    refused = store.handle(asked, "issue", 2)
    assert (refused.status, refused.msg) == (400, "「备件A1」本次出库数量不能超过1")
    done = store.handle(asked, "finish").data
    assert (done["status"], [line["shortQty"] for line in done["lines"]]) == (ISSUED, [0, 0])
    assert (_quantities(store, one), _quantities(store, two)) == ((2, 0, 2), (5, 0, 5))
    shown = store.keeper.get(f"{LOG}/detail", id=done["id"]).data
    assert (shown["totalAmount"], shown["allowedActions"]) == (6.0, ["return"])
    assert [log["action"] for log in shown["logs"]] == ["submit", "issue", "finish"]
    assert [(log["fromStatusName"], log["toStatusName"]) for log in shown["logs"]] == [
        ("", "已预留"), ("已预留", "部分出库"), ("部分出库", "已出库"),
    ]  # fmt: skip


def test_all_lines_or_none(store: Store) -> None:
    one, two = store.part("A1", stock="5"), store.part("A2", stock="1")
    asked = store.request("repairer", (one, 2), (two, 3)).data
    before = checksum(A)
    assert store.handle(asked, "issue", 2, 3).msg == "备件「备件A2」可用库存不足，当前可用1个"
    assert checksum(A) == before


def test_what_is_brought_back(store: Store) -> None:
    part = store.part(stock="5", price="2")
    asked = store.handle(store.request("repairer", (part, 4)).data, "issue").data
    assert store.handle(asked, "return", 5).msg == "「备件B6205」退回数量不能超过4"
    asked = store.handle(asked, "return", 1).data
    assert (asked["status"], _quantities(store, part)) == (ISSUED, (2, 0, 2))
    asked = store.handle(asked, "return", 3).data
    assert (asked["status"], _quantities(store, part)) == (RETURNED, (5, 0, 5))
    assert store.handle(asked, "return", 1).msg == "当前状态为「已退清」，不能退回"
    with tenant_scope(A):
        assert SpareUseLog.objects.get().total_amount == Decimal(0)
    # Everything has come back before all of it was issued: the rest is not issued any more.
    asked = store.handle(store.request("repairer", (part, 4)).data, "issue", 1).data
    assert _quantities(store, part) == (4, 3, 1)
    asked = store.handle(asked, "return", 1).data
    assert (asked["status"], _quantities(store, part)) == (RETURNED, (5, 0, 5))


def test_refusing_and_cancelling_give_free_what_was_reserved(store: Store, cast: Cast) -> None:
    part = store.part(stock="5")
    asked = store.request("repairer", (part, 4)).data
    assert store.handle(asked, "reject").msg == "请输入驳回原因"
    refused = store.handle(asked, "reject", remark="型号不对").data
    assert (refused["status"], _quantities(store, part)) == (REJECTED, (5, 0, 5))
    asked = store.request("repairer", (part, 4)).data
    assert store.handle(asked, "cancel").status == 403  # not the applicant
    assert store.handle(asked, "cancel", who=cast.client_for("repairer2")).status in (403, 404)
    done = store.handle(asked, "cancel", who=cast.client_for("repairer")).data
    assert (done["status"], _quantities(store, part)) == (CANCELLED, (5, 0, 5))
    issued = store.handle(store.request("repairer", (part, 4)).data, "issue", 1).data
    answer = store.handle(issued, "cancel", who=cast.client_for("repairer"))
    assert answer.msg == "当前状态为「部分出库」，不能取消"


def test_what_a_request_must_be(store: Store) -> None:
    part, loose = store.part(stock="5"), store.part("OIL", isInteger=0)
    sealed = store.part("OLD", isSealed=1)
    before = checksum(A)
    for wanted, values, text in (
        ([], {}, "请至少选择一种备件"),
        ([(part, 1), (part, 2)], {}, "备件「备件B6205」重复"),
        ([(part, "1.5")], {}, "「备件B6205」的数量必须是整数"),
        ([(part, 0)], {}, "数量必须大于0"),
        ([(loose, "0.0001")], {}, "申请数量最多3位小数"),
        ([(sealed, 1)], {}, "「备件OLD」已封存，不能使用"),
        ([(part, 1)], {"remark": ""}, "请输入备注"),
        ([(part, 1)], {"orderType": 1}, "请选择单据"),
        ([(part, 1)], {"orderType": 2}, "请选择单据"),
        ([(part, 1)], {"orderType": 9}, "请选择领用单据"),
        ([("1", 1)], {}, "数据不存在或已被删除"),
    ):
        answer = store.request("repairer", *wanted, **values)
        assert (answer.status, answer.msg) == (400, text)
    assert checksum(A) == before
    assert store.request("repairer", (loose, "0.5")).status == 200


def test_two_people_where_the_company_asks_for_it(store: Store, cast: Cast) -> None:
    _set("spare.twoPerson", "1")
    part = store.part(stock="5")
    admin = cast.anew("tenant_admin")
    asked = store.request(admin, (part, 2)).data
    answer = store.handle(asked, "issue", 2, who=admin)
    assert (answer.status, answer.msg) == (403, "领用人与发料人不能是同一人")
    asked = store.handle(asked, "issue", 2).data
    assert store.handle(asked, "return", 1, who=admin).status == 403
    assert store.handle(asked, "return", 1).status == 200


def test_who_may_request_handle_and_read(store: Store, cast: Cast) -> None:
    part = store.part(stock="9")
    for account, status in (
        ("repairer", 200), ("repair_leader", 200), ("equip_manager", 403), ("viewer", 403), ("operator", 403),
        ("shift_leader", 403), ("flow_designer", 403),
    ):  # fmt: skip
        assert store.request(account, (part, 1)).status == status, account
    assert store.request(store.keeper, (part, 1)).status == 403
    (asked, _leaders) = reversed(store.keeper.get(f"{LOG}/list").data["records"])
    given = store.keeper.get(f"{LOG}/getSpareList", id=asked["id"]).data
    before = checksum(A)
    for account in ("repairer", "repairer2", "repair_leader", "equip_manager", "viewer", "operator"):
        caller = cast.client_for(account)
        assert store.handle(given, "issue", 1, who=caller).status in (403, 404)
        sees = account in ("repairer", "repair_leader", "equip_manager", "viewer")
        assert caller.get(f"{LOG}/getSpareList", id=asked["id"]).status == (200 if sees else 404)
    assert checksum(A) == before
    assert len(cast.client_for("repairer2").get(f"{LOG}/list").data["records"]) == 0
    assert len(cast.client_for("equip_manager").get(f"{LOG}/list").data["records"]) == 2
    assert given["allowedActions"] == ["reserve", "issue", "reject"]
    other = Store(cast, B)
    assert other.handle(given, "issue", 1).status == 404
    assert other.keeper.get(f"{LOG}/getSpareList", id=asked["id"]).status == 404
    assert other.request("repairer", (part, 1)).msg == "数据不存在或已被删除"


def test_a_change_that_somebody_has_not_seen_is_refused(store: Store) -> None:
    part = store.part(stock="5")
    asked = store.request("repairer", (part, 4)).data
    store.handle(asked, "issue", 1)
    before = checksum(A)
    answer = store.handle(asked, "issue", 1)
    assert (answer.status, answer.msg) == (409, "单据已被他人修改，请刷新后重试")
    body = {"id": asked["id"], "action": "issue"}
    assert store.keeper.post_json(f"{LOG}/handle", body).msg == "缺少必要的请求参数: lockVersion"
    assert checksum(A) == before


def test_older_clients_issue_and_refuse(store: Store) -> None:
    part = store.part(stock="9")
    asked = store.request("repairer", (part, 4)).data
    line = asked["lines"][0]["lineId"]
    body = {"id": asked["id"], "handleStatus": 1, "items": [{"id": line, "issueQuantity": 3}]}
    assert store.keeper.post_json(f"{LOG}/handle", body).data["status"] == PARTLY
    assert store.keeper.post_json(f"{LOG}/handle", {"id": asked["id"], "handleStatus": 1}).data["status"] == ISSUED
    second = store.request("repairer", (part, 1)).data
    refused = {"id": second["id"], "handleStatus": 2, "handleRemark": "型号不对"}
    assert store.keeper.post_json(f"{LOG}/handle", refused).data["status"] == REJECTED
    found = {status: len(store.keeper.get(f"{LOG}/list", handleStatus=status).data["records"]) for status in (0, 1, 2)}
    assert found == {0: 0, 1: 1, 2: 1}


def test_the_storekeeper_and_the_applicant_are_told(store: Store) -> None:
    part = store.part(stock="9")
    asked = store.request("repairer", (part, 4)).data
    store.handle(asked, "issue", 4)
    with tenant_scope(A):
        told = {
            row.payload["title"][0].partition("：")[0]: len(row.payload["users"])
            for row in OutboxMessage.objects.filter(topic="desk.message")
        }
    assert told == {"备件领用单待处理": 1, "备件已出库": 1}


def test_the_same_request_again_is_made_once(store: Store, cast: Cast) -> None:
    part = store.part(stock="9")
    body = {"orderType": 3, "remark": "换件", "lines": [{"spareId": part, "planQty": 2}]}
    caller = cast.client_for("repairer")
    first, second = (caller.post_json(f"{LOG}/submit", body, key="k1").data for _one in range(2))
    assert first["id"] == second["id"]
    assert _quantities(store, part) == (9, 2, 7)


def test_sealed_parts_leave_and_come_back(store: Store) -> None:
    part = store.part(stock="5")
    asked = store.request("repairer", (part, 2)).data
    with tenant_scope(A):
        SparePart.objects.filter(pk=part).update(is_sealed=True)
    asked = store.handle(asked, "issue", 2).data
    assert store.handle(asked, "return", 2).data["status"] == RequestStatus.RETURNED
