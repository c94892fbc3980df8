"""What nouns promise that are not plain: computed columns, switches, pictures, ledgers and nested rows.

Ledgers and heads are found in the URL table; what only one shape shows is tried on the nouns of tests/toolroom.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection, connections, models
from django.test.utils import CaptureQueriesContext

from core.kernel.audit_entry import AuditEntry
from core.kernel.balances import post_entry
from core.kernel.errors import Conflict
from core.kernel.operation import perform
from core.kernel.tenancy import tenant_scope
from core.rest.openapi import marks_of
from core.rest.shapes import Details
from tests.cast import A, B, Body, Cast
from tests.checksums import checksum
from tests.contract.nouns import Noun, ledgers, nouns, reference, sample, sent, within
from tests.toolroom.models import MoveKind, Tool, ToolMove, ToolOrderLine

LEDGERS = [pytest.param(noun, id=noun.view.noun) for noun in ledgers()]
HEADS = [
    pytest.param(noun, one, id=f"{noun.view.noun}.{one.name}")
    for noun in nouns() for one in noun.view.fields if isinstance(one, Details)
]  # fmt: skip
STORE = "yuzhu-toolroom"


def _save(noun: Noun, cast: Cast, tenant: str = A, **values: Any) -> Body:
    body = {**sample(noun, cast, tenant), **values}
    return noun.keeper(cast, tenant).post_json(f"{noun.path}/save", body)


@pytest.mark.parametrize("noun", LEDGERS)
def test_an_entry_goes_in_and_is_found_as_it_was_sent(noun: Noun, cast: Cast) -> None:
    body = sample(noun, cast, A)
    answer = noun.keeper(cast, A).post_json(f"{noun.path}/save", body)
    assert answer.status == 200, answer
    found = noun.keeper(cast, A).get(f"{noun.path}/detail", id=answer.data["id"]).data
    assert within(found, body) == sent(body)
    again = noun.keeper(cast, A).get(f"{noun.path}/list").data["records"]
    assert [row["id"] for row in again] == [answer.data["id"]]


@pytest.mark.parametrize("noun", LEDGERS)
def test_an_entry_is_never_changed_nor_removed(noun: Noun, cast: Cast) -> None:
    entry = _save(noun, cast).data["id"]
    before = checksum(A)
    for call in ("submit", "update", "remove"):
        answer = noun.keeper(cast, A).post_json(f"{noun.path}/{call}", {"id": entry, "remark": "改"}, ids=entry)
        assert answer.status == 404, (call, answer)
    assert checksum(A) == before


@pytest.mark.parametrize("noun", LEDGERS)
def test_the_version_of_an_entry_is_no_input(noun: Noun) -> None:
    assert noun.input_fields()["lockVersion"].read_only


@pytest.mark.parametrize("noun", LEDGERS)
def test_one_key_makes_one_entry(noun: Noun, cast: Cast) -> None:
    body = sample(noun, cast, A)
    first, again = (noun.keeper(cast, A).post_json(f"{noun.path}/save", body, key="k-1") for _time in range(2))
    assert (first.status, first.data) == (200, again.data)
    with tenant_scope(A):
        assert noun.view.queryset.model.objects.count() == 1


@pytest.mark.parametrize("noun", LEDGERS)
def test_entries_and_heads_of_another_company_are_missing(noun: Noun, cast: Cast) -> None:
    theirs = _save(noun, cast, B).data["id"]
    before = checksum(A), checksum(B)
    assert noun.keeper(cast, A).get(f"{noun.path}/detail", id=theirs).status == 404
    fields = {name: one for name, one in noun.input_fields().items() if getattr(one, "model", None) is not None}
    for name, field in fields.items():
        answer = _save(noun, cast, A, **{name: reference(field, cast, B)})
        assert (answer.status, answer.data["fields"]) == (400, {name: "数据不存在或已被删除"})
    with tenant_scope(B):
        assert noun.view.queryset.model.objects.count() == 1
    assert (checksum(B), len(fields) > 0) == (before[1], True)


@pytest.mark.parametrize("noun", LEDGERS)
def test_the_database_keeps_a_ledger_from_falling_below_its_least(noun: Noun, cast: Cast) -> None:
    balance = noun.view.queryset.model.balance
    head = noun.view.queryset.model._meta.get_field(balance.head).related_model
    checks = [one for one in head._meta.constraints if isinstance(one, models.CheckConstraint)]
    assert any(balance.column in str(one.condition) for one in checks), f"declare never_below({balance.column!r})"


@pytest.mark.parametrize("noun", LEDGERS)
def test_an_entry_costs_the_same_with_many_before_it(noun: Noun, cast: Cast) -> None:
    counts = []
    for _time in range(4):
        with CaptureQueriesContext(connection) as captured:
            assert _save(noun, cast).status == 200
        counts.append(len(captured))
    assert counts[-1] == counts[-2]


def _tool(cast: Cast, tenant: str = A, **values: Any) -> str:
    tools = next(noun for noun in nouns() if noun.view.noun == "tool")
    answer = tools.keeper(cast, tenant).post_json(f"{STORE}/tool/submit", {**sample(tools, cast, tenant), **values})
    assert answer.status == 200, answer
    return str(answer.data["id"])


def test_a_balance_follows_its_entries_and_refuses_to_fall_below_its_least(cast: Cast) -> None:
    tool, manager = _tool(cast), cast.client_for("equip_manager")

    def move(kind: int, quantity: Any) -> Body:
        return manager.post_json(f"{STORE}/toolmove/save", {"toolId": tool, "kind": kind, "quantity": quantity})

    assert [move(1, 0.1).status for _time in range(3)] == [200, 200, 200]
    assert move(2, "0.1").status == 200
    refused = move(2, "0.201")
    assert (refused.status, refused["error"], refused.data) == (409, "ledger.tooLow", {"balance": "0.2"})
    assert refused.msg == "「toolName1」的库存只有0.2，不够扣减0.201"
    assert move(2, 0.2).status == 200
    after = [row["stockAfter"] for row in manager.get(f"{STORE}/toolmove/list").data["records"]]
    assert after == [0.0, 0.2, 0.3, 0.2, 0.1]
    assert manager.get(f"{STORE}/tool/detail", id=tool).data["stock"] == 0.0


def test_a_quantity_moves_the_way_that_its_kind_says(cast: Cast) -> None:
    tool, manager = _tool(cast), cast.client_for("equip_manager")

    def move(kind: int, quantity: Any) -> Body:
        return manager.post_json(f"{STORE}/toolmove/save", {"toolId": tool, "kind": kind, "quantity": quantity})

    assert [move(kind, 4).status for kind in (1, 1, 2, 3)] == [200] * 4
    assert move(3, -3).status == 200
    for kind, quantity, text in ((1, -1, "数量须大于0"), (2, 0, "数量须大于0"), (3, 0, "数量不能为0")):
        refused = move(kind, quantity)
        assert (refused.status, refused.data["fields"]) == (400, {"quantity": text})
    assert manager.get(f"{STORE}/tool/detail", id=tool).data["stock"] == 5.0


def test_a_form_is_told_what_a_new_row_has_by_default(cast: Cast) -> None:
    tools = next(noun for noun in nouns() if noun.view.noun == "tool")
    fields = {name: field for name, field in tools.input_fields().items() if not field.read_only}
    told = {name: marks_of(field).get("x-initial") for name, field in fields.items()}
    assert {name: value for name, value in told.items() if value is not None} == {"leastStock": 0, "isEnabled": 1}


@pytest.mark.django_db(transaction=True)
def test_eight_people_take_at_once_and_nothing_is_taken_twice(cast: Cast) -> None:
    tool = int(_tool(cast))
    actor = cast.actor_for("equip_manager")

    def post(kind: MoveKind, quantity: str) -> bool:
        def change() -> dict[str, str]:
            entry = ToolMove(tool_id=tool, kind=kind, quantity=Decimal(quantity))
            post_entry(entry)
            return {"id": str(entry.pk)}

        with tenant_scope(A):
            try:
                perform(AuditEntry("toolmove.add", actor), {"tool": tool}, change)
            except Conflict:
                return False
            return True

    def taken(_number: int) -> bool:
        try:
            return post(MoveKind.OUT, "1")
        finally:
            connections.close_all()

    assert post(MoveKind.IN, "20")
    with ThreadPoolExecutor(8) as threads:
        done = list(threads.map(taken, range(32)))
    with tenant_scope(A):
        assert (sum(done), Tool.objects.get(pk=tool).stock) == (20, 0)
        assert ToolMove.objects.filter(kind=MoveKind.OUT).count() == 20


def _rows(noun: Noun, details: Details, cast: Cast, count: int) -> list[dict[str, Any]]:
    """So many rows of a head, no two of which are alike."""
    return [sample(noun, cast, A, number)[details.name][0] for number in range(1, count + 1)]


@pytest.mark.parametrize(("noun", "details"), HEADS)
def test_rows_keep_their_ids_and_those_not_sent_are_deleted_softly(noun: Noun, details: Details, cast: Cast) -> None:
    keeper, body = noun.keeper(cast, A), sample(noun, cast, A)
    body[details.name] = _rows(noun, details, cast, 3)
    head = keeper.post_json(f"{noun.path}/submit", body).data["id"]
    rows = keeper.get(f"{noun.path}/detail", id=head).data[details.name]
    assert within(rows, body[details.name]) == sent(body[details.name])
    kept = {**body[details.name][1], "id": rows[1]["id"]}
    changed = keeper.change(noun.path, {"id": head, details.name: [kept, body[details.name][0]]})
    assert changed.status == 200, changed
    after = keeper.get(f"{noun.path}/detail", id=head).data[details.name]
    assert [row["id"] == rows[1]["id"] for row in after] == [True, False]
    with tenant_scope(A):
        assert details.model.objects.count() == 2
    assert details.name not in keeper.get(f"{noun.path}/list").data["records"][0]


@pytest.mark.parametrize(("noun", "details"), HEADS)
def test_a_change_of_rows_alone_is_a_change_of_their_head(noun: Noun, details: Details, cast: Cast) -> None:
    keeper, body = noun.keeper(cast, A), sample(noun, cast, A)
    body[details.name] = _rows(noun, details, cast, 2)
    head = keeper.post_json(f"{noun.path}/submit", body).data["id"]
    read = keeper.get(f"{noun.path}/detail", id=head).data
    given = {"id": head, "lockVersion": read["lockVersion"], details.name: [*reversed(body[details.name])]}
    assert keeper.post_json(f"{noun.path}/submit", given).status == 200
    late = keeper.post_json(f"{noun.path}/submit", {**given, details.name: body[details.name][:1]})
    assert (late.status, late["error"]) == (409, "data.changed")


@pytest.mark.parametrize(("noun", "details"), HEADS)
def test_a_row_of_another_head_or_company_is_missing(noun: Noun, details: Details, cast: Cast) -> None:
    keeper, body = noun.keeper(cast, A), sample(noun, cast, A)
    head = keeper.post_json(f"{noun.path}/submit", body).data["id"]
    other = keeper.post_json(f"{noun.path}/submit", sample(noun, cast, A, 2)).data["id"]
    theirs = noun.keeper(cast, B).post_json(f"{noun.path}/submit", sample(noun, cast, B)).data["id"]
    before = checksum(A), checksum(B)
    for caller, owner in ((keeper, other), (noun.keeper(cast, B), theirs)):
        (row,) = caller.get(f"{noun.path}/detail", id=owner).data[details.name]
        sent_row = {**body[details.name][0], "id": row["id"]}
        answer = keeper.change(noun.path, {"id": head, details.name: [sent_row]})
        assert (answer.status, answer["error"]) == (400, "input.invalid"), answer
    assert (checksum(A), checksum(B)) == before


@pytest.mark.parametrize(("noun", "details"), HEADS)
def test_what_a_new_row_lacks_is_named_by_its_place(noun: Noun, details: Details, cast: Cast) -> None:
    keeper, body = noun.keeper(cast, A), sample(noun, cast, A)
    head = keeper.post_json(f"{noun.path}/submit", body).data["id"]
    fields = noun.input_fields()[details.name].child.fields
    required = next(name for name, one in fields.items() if one.required)
    for given in ({}, {"id": head, **keeper.version(noun.path, {"id": head})}):
        lacking = {name: value for name, value in body[details.name][0].items() if name != required}
        rows = [body[details.name][0], lacking]
        wrong = {**(body if given else sample(noun, cast, A, 2)), **given, details.name: rows}
        answer = keeper.post_json(f"{noun.path}/submit", wrong)
        assert answer.status == 400, answer
        assert list(answer.data["fields"]) == [f"{details.name}.1.{required}"]


@pytest.mark.parametrize(("noun", "details"), HEADS)
def test_a_detail_costs_the_same_with_many_rows(noun: Noun, details: Details, cast: Cast) -> None:
    keeper, counts = noun.keeper(cast, A), []
    for number, size in ((1, 2), (2, 40)):
        body = sample(noun, cast, A, number)
        body[details.name] = _rows(noun, details, cast, size)
        head = keeper.post_json(f"{noun.path}/submit", body).data["id"]
        with CaptureQueriesContext(connection) as captured:
            assert len(keeper.get(f"{noun.path}/detail", id=head).data[details.name]) == size
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_a_unique_constraint_is_named_by_its_model() -> None:
    assert [one.name for one in ToolOrderLine.order.field.related_model._meta.constraints] == [
        "toolorder_order_no_once"
    ]


def test_rows_add_up_on_their_head(cast: Cast) -> None:
    orders = next(noun for noun in nouns() if noun.view.noun == "toolorder")
    keeper, body = orders.keeper(cast, A), sample(orders, cast, A)
    row = body["lines"][0]
    body["lines"] = [{**row, "quantity": 3, "price": 0.1}, {**row, "quantity": 1, "price": 2.05}]
    head = keeper.post_json(f"{STORE}/toolorder/submit", body).data["id"]
    assert keeper.get(f"{STORE}/toolorder/detail", id=head).data["total"] == 2.35
    keeper.change(f"{STORE}/toolorder", {"id": head, "lines": body["lines"][:1]})
    assert keeper.get(f"{STORE}/toolorder/list").data["records"][0]["total"] == 0.3
    refused = keeper.change(f"{STORE}/toolorder", {"id": head, "lines": []})
    assert refused.data["fields"] == {"lines": "请添加明细"}
    with tenant_scope(A):
        assert ToolOrderLine.objects.count() == 1
    assert keeper.post_json(f"{STORE}/toolorder/remove", ids=head).status == 200
    with tenant_scope(A):
        assert ToolOrderLine.objects.count() == 0


def test_a_bound_of_the_database_is_not_told(cast: Cast) -> None:
    orders = next(noun for noun in nouns() if noun.view.noun == "toolorder")
    body = sample(orders, cast, A)
    body["lines"][0]["quantity"] = 0
    refused = orders.keeper(cast, A).post_json(f"{STORE}/toolorder/submit", body)
    assert refused.data["fields"] == {"lines.0.quantity": "数量不能小于1"}


def test_too_many_decimals_are_refused_with_the_name_of_the_field(cast: Cast) -> None:
    tools = next(noun for noun in nouns() if noun.view.noun == "tool")
    keeper, wrong = tools.keeper(cast, A), {**sample(tools, cast, A), "unitPrice": 1.2345}
    chinese, english = (one.post_json("yuzhu-toolroom/tool/submit", wrong) for one in (keeper, keeper.in_english()))
    assert chinese.data["fields"] == {"unitPrice": "单价最多3位小数"}
    assert english.data["fields"] == {"unitPrice": "Unit price may have at most 3 decimals"}


def test_rules_of_a_declared_noun_hold(cast: Cast) -> None:
    orders = next(noun for noun in nouns() if noun.view.noun == "toolorder")
    body = {**sample(orders, cast, A), "orderNo": "P 1"}
    answer = orders.keeper(cast, A).post_json(f"{STORE}/toolorder/submit", body)
    assert (answer.status, list(answer.data["fields"])) == (400, ["orderNo"])


def test_a_computed_column_is_shown_filtered_and_sorted(cast: Cast) -> None:
    manager = cast.client_for("equip_manager")
    low = _tool(cast, toolCode="LOW", leastStock=1, unitPrice=1.125)
    well = _tool(cast, toolCode="WELL", leastStock=0, unitPrice="0.004")
    for tool, quantity in ((low, "0.5"), (well, "100")):
        manager.post_json(f"{STORE}/toolmove/save", {"toolId": tool, "kind": 1, "quantity": quantity})

    def codes(**asked: Any) -> list[str]:
        answer = manager.get(f"{STORE}/tool/list", **asked)
        assert answer.status == 200, answer
        return [row["toolCode"] for row in answer.data["records"]]

    assert (codes(isLow=1), codes(isLow=0)) == (["LOW"], ["WELL"])
    assert (codes(ascs="value"), codes(descs="value")) == (["WELL", "LOW"], ["LOW", "WELL"])
    assert (codes(value_gt="0.5"), codes(value_le="0.4"), codes(unitPrice="1.125")) == (["LOW"], ["WELL"], ["LOW"])
    row = manager.get(f"{STORE}/tool/detail", id=low).data
    assert (row["isLow"], row["isEnabledName"], row["unitPrice"]) == (1, "停用", 1.125)


def test_a_date_is_filtered_as_a_day(cast: Cast) -> None:
    toolmakers = next(noun for noun in nouns() if noun.view.noun == "toolmaker")
    manager = cast.client_for("equip_manager")
    for number in (1, 2, 3):
        manager.post_json(f"{STORE}/toolmaker/submit", sample(toolmakers, cast, A, number))

    def since(**asked: Any) -> list[str]:
        return sorted(row["since"][8:] for row in manager.get(f"{STORE}/toolmaker/list", **asked).data["records"])

    assert since(since="2026-01-02") == ["02"]
    assert (since(since_ge="2026-01-02"), since(since_lt="2026-01-02")) == (["02", "03"], ["01"])
    assert since(since_datele="2026-01-02 23:00:00") == ["01", "02"]
    assert manager.get(f"{STORE}/toolmaker/list", since="2026-02-30").status == 400


def test_more_pictures_than_declared_are_refused(cast: Cast) -> None:
    tools = next(noun for noun in nouns() if noun.view.noun == "tool")
    body = sample(tools, cast, A)
    answer = tools.keeper(cast, A).post_json(f"{STORE}/tool/submit", {**body, "images": body["images"] * 6})
    assert (answer.status, list(answer.data["fields"])) == (400, ["images"])
