"""The queues' lists: whom they show what, in which order, what they can be asked, and totals that are exact."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from core.cases import commands
from core.kernel.tenancy import tenant_scope
from core.maintenance import operations
from core.maintenance.case import REPAIR
from tests import logins
from tests.cast import A, B, Cast
from workflows.runtime.jobs import tidy_queues
from workflows.runtime.rows import queues
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.worklist.models import ItemState, PoolKey, Tally, WorkItem

CLAIMS, MINE = "blade-flow/work/claim-list", "blade-flow/work/todo-list"
SENT, DONE = "blade-flow/work/send-list", "blade-flow/work/done-list"
COUNTS, CLAIM = "blade-flow/work/counts", "blade-flow/work/claim-task"


@pytest.fixture
def reported(cast: Cast) -> Callable[..., int]:
    """Reports a fault on a machine; answers the order's id."""

    def report(words: str = "主轴异响", machine: str = "M1", by: str = "operator", tenant: str = A) -> int:
        body = {"machineId": str(cast.machine(machine, tenant).pk), "description": words, "force": 1}
        with tenant_scope(tenant):
            return int(operations.save(cast.actor_for(by, tenant), body)["id"])

    return report


@pytest.fixture(autouse=True)
def _sums_are_right(cast: Cast) -> Iterator[None]:
    """Whatever a test did, what was summed up is what there is."""
    yield
    for tenant in (A, B):
        with tenant_scope(tenant):
            assert queues.drift() == []


def _item(order_id: int) -> WorkItem:
    with tenant_scope(A):
        return WorkItem.objects.get(business_id=order_id, state=ItemState.OPEN)  # type: ignore[no-any-return]


def _ids(answer: Any) -> list[int]:
    return [int(row["businessId"]) for row in answer.data["records"]]


def test_an_item_is_offered_until_it_is_held_and_counted_where_it_is(cast: Cast, reported: Any) -> None:
    first, second = reported(), reported()
    leader, mate, other = (cast.client_for(name) for name in ("repair_leader", "repairer", "repairer_other"))
    assert _ids(leader.get(CLAIMS)) == [second, first]
    assert (leader.get(COUNTS).data, mate.get(COUNTS).data) == ({"claim": 2, "todo": 0, "copies": 0},) * 2
    assert other.get(COUNTS).data == {"claim": 0, "todo": 0, "copies": 0}
    assert leader.post_json(CLAIM, taskId=_item(first).pk).status == 200
    assert (_ids(leader.get(CLAIMS)), _ids(leader.get(MINE))) == ([second], [first])
    assert leader.get(COUNTS).data == {"claim": 1, "todo": 1, "copies": 0}
    assert leader.post_json("blade-flow/work/unclaim-task", taskId=_item(first).pk).status == 200
    assert leader.get(COUNTS).data == {"claim": 2, "todo": 0, "copies": 0}
    to = {"repairUserId": str(cast.user("repairer").pk)}
    done = {"taskId": str(_item(first).pk), "flag": "ok", "comment": "去吧", "variables": to}
    assert leader.post_json("blade-flow/work/complete-task", done).status == 200
    assert (leader.get(COUNTS).data, mate.get(COUNTS).data) == (
        {"claim": 1, "todo": 0, "copies": 0},
        {"claim": 1, "todo": 1, "copies": 0},
    )
    assert (_ids(mate.get(MINE)), _ids(leader.get(DONE))) == ([first], [first])
    assert cast.client_for("repair_leader", B).get(COUNTS).data == {"claim": 0, "todo": 0, "copies": 0}


def test_what_is_offered_in_several_pools_comes_as_one_list_page_by_page(cast: Cast, reported: Any) -> None:
    """Two teams' orders in turns: the leader is offered both teams'."""
    orders = [reported(machine=machine) for _ in range(3) for machine in ("M1", "M2")]
    with tenant_scope(A):
        assert WorkItem.objects.values("pool").distinct().count() == 2
    assert _ids(cast.client_for("repairer").get(CLAIMS)) == orders[4::-2]
    leader, expected = cast.client_for("repair_leader"), orders[::-1]
    assert _ids(leader.get(CLAIMS)) == expected
    pages = [leader.get(CLAIMS, size=4, current=number) for number in (1, 2, 3)]
    assert [_ids(page) for page in pages] == [expected[:4], expected[4:], []]
    assert {(page.data["total"], page.data["pages"]) for page in pages} == {(6, 2)}
    assert _ids(leader.get(CLAIMS, keyword="主轴", size=4, current=2)) == expected[4:]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"keyword": "漏油"}, "二"),
        ({"keyword": "尤操"}, "二"),
        ({"keyword": "车床"}, "一"),
        ({"keyword": "100%"}, ""),
        ({"processDefinitionName": "维修"}, "二一"),
        ({"processDefinitionName": "equipment REPAIR"}, "二一"),
        ({"processDefinitionName": "请假"}, ""),
        ({"category": "flow_2"}, "二一"),
        ({"category": "flow_1"}, ""),
        ({"category": "flow_2", "keyword": "异响", "unknown": "x"}, "一"),
    ],
)
@pytest.mark.parametrize("queue", ["claim", "todo", "done", "send"])
def test_every_list_can_be_asked(cast: Cast, reported: Any, queue: str, asked: dict[str, str], found: str) -> None:
    orders = {"一": reported("主轴异响", "M1"), "二": reported("液压站漏油", "M2", "operator2")}
    leader = cast.client_for("repair_leader")
    if queue == "send":
        with tenant_scope(A):
            ProcessInstance.objects.update(starter_id=cast.user("repair_leader").pk)
    for order in orders.values():
        if queue in ("todo", "done"):
            leader.post_json(CLAIM, taskId=_item(order).pk)
        if queue == "done":
            to = {"repairUserId": str(cast.user("repairer").pk)}
            done = {"taskId": str(_item(order).pk), "flag": "ok", "comment": "去吧", "variables": to}
            assert leader.post_json("blade-flow/work/complete-task", done).status == 200
    answer = leader.get(f"blade-flow/work/{queue}-list", **asked)
    assert _ids(answer) == [orders[name] for name in found]
    assert answer.data["total"] == len(found)


def test_a_list_is_narrowed_by_the_step_s_arrival_and_the_number(cast: Cast, reported: Any) -> None:
    old, new = reported(), reported()
    leader, today = cast.client_for("repair_leader"), timezone.localdate()
    with tenant_scope(A):
        WorkItem.objects.filter(business_id=old).update(create_time=timezone.now() - timedelta(days=3))
    yesterday = str(today - timedelta(days=1))
    assert _ids(leader.get(CLAIMS, createTime_datege=yesterday)) == [new]
    assert _ids(leader.get(CLAIMS, createTime_datelt=yesterday)) == [old]
    assert _ids(leader.get(CLAIMS, createTime_datege=str(today), createTime_datelt=str(today))) == [new]
    assert _ids(leader.get(CLAIMS, keyword=_item(old).business_no)) == [old]
    wrong = leader.get(CLAIMS, createTime_datege="gestern")
    assert (wrong.status, wrong["error"]) == (400, "input.invalid")


def test_what_i_started_says_where_it_waits_and_for_whom(cast: Cast, reported: Any) -> None:
    order = reported()
    mine = cast.client_for("operator")
    [row] = mine.get(SENT).data["records"]
    assert (row["taskName"], row["assigneeName"], row["processIsFinished"]) == (
        "派单", "维修班长 / 设备主管 / 机修班", "unfinished",
    )  # fmt: skip
    with tenant_scope(A):
        to = {"repairUserId": str(cast.user("repairer").pk)}
        commands.by_record(REPAIR, cast.actor_for("repair_leader"), order, 1, "dispatch", to)
    [row] = mine.get(SENT).data["records"]
    assert (row["taskName"], row["assigneeName"], row["taskId"]) == ("接单", "蒋修", str(_item(order).pk))
    assert cast.client_for("operator2").get(SENT).data["total"] == 0


def test_sums_are_put_together_and_stay_the_same(cast: Cast, reported: Any) -> None:
    orders = [reported() for _ in range(3)]
    leader = cast.client_for("repair_leader")
    for _ in range(queues.TOGETHER // 2):
        leader.post_json(CLAIM, taskId=_item(orders[0]).pk)
        leader.post_json("blade-flow/work/unclaim-task", taskId=_item(orders[0]).pk)
    with tenant_scope(A):
        assert Tally.objects.count() == 3 + 2 * queues.TOGETHER
    tidy_queues()
    with tenant_scope(A):
        assert list(Tally.objects.values_list("delta", flat=True).order_by("delta"))[-1] == 3
        assert Tally.objects.filter(queue=_item(orders[1]).pool).count() == 1
    assert leader.get(COUNTS).data == {"claim": 3, "todo": 0, "copies": 0}


def test_what_waits_from_before_there_were_pools_is_counted_once(cast: Cast, reported: Any) -> None:
    orders = [reported() for _ in range(2)]
    with tenant_scope(A):
        WorkItem.objects.update(pool=None)
        PoolKey.objects.all().delete()
        Tally.objects.all().delete()
        assert queues.recount() == 1
    assert _ids(cast.client_for("repair_leader").get(CLAIMS)) == orders[::-1]


# It reads the plan of PostgreSQL; SQLite has no such words for one, and walks the index by itself.
@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="how PostgreSQL reads the first page")
def test_the_first_page_of_a_long_queue_is_read_along_its_index(cast: Cast, reported: Any) -> None:
    order, size = reported(), 20_000
    columns = [field.column for field in WorkItem._meta.concrete_fields]
    changed = {"id": "w.id - 1000000 + n", "round": "100 + n"}
    values = ", ".join(changed.get(name, f"w.{name}") for name in columns)
    with tenant_scope(A), connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO worklist_workitem ({', '.join(columns)}) SELECT {values}"
            " FROM worklist_workitem w, generate_series(1, %s) n WHERE w.business_id = %s",
            [size, order],
        )
        queues.recount()
    logins.analyze("worklist_workitem")
    with tenant_scope(A):
        pool = WorkItem.objects.filter(business_id=order).latest("id").pool
        plan = WorkItem.objects.filter(pool=pool).order_by("-create_time", "-id")[:10].explain()
    assert "work_item_in_pool" in plan, plan
    assert cast.client_for("repair_leader").get(CLAIMS).data["total"] == size + 1


def test_what_is_overdue_is_marked_and_can_be_asked_for(cast: Cast, reported: Any) -> None:
    late, quick = reported(), reported("液压站漏油", "M1")
    noon = timezone.make_aware(datetime(2026, 3, 2, 12))
    with tenant_scope(A):
        WorkItem.objects.filter(business_id=late).update(late_time=noon)
    leader, operator = cast.client_for("repair_leader"), cast.client_for("operator")

    def found(overdue: str) -> list[list[int]]:
        return [_ids(who.get(queue, overdue=overdue)) for who, queue in ((leader, CLAIMS), (operator, SENT))]

    assert (found("1"), found("0"), found("")) == ([[late]] * 2, [[quick]] * 2, [[quick, late]] * 2)
    for who, queue in ((leader, CLAIMS), (operator, SENT)):
        assert [row["lateTime"] for row in who.get(queue).data["records"]] == ["", "2026-03-02 12:00:00"]
    assert leader.post_json(CLAIM, taskId=_item(late).pk).status == 200
    assert (_ids(leader.get(MINE, overdue=1)), _ids(leader.get(CLAIMS, overdue=1))) == ([late], [])
