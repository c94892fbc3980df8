"""Stoppages: entered by hand for many machines, what follows for states, inspections and figures, and the table."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.equipment import card, stoppages
from core.equipment.models import Machine, RunState, StateChange, Stoppage
from core.equipment.stoppages import Affected
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from tests.cast import A, B, Body, Cast
from tests.checksums import checksum
from tests.core.inspection.test_routes import _made, _point, _route
from tests.repairs import Story

LOG = "yuzhu-equip/inspectrestlog"
SHANGHAI = ZoneInfo("Asia/Shanghai")
KEEPER = "equip_manager"


def moment(text: str) -> datetime:
    """Return a time of Shanghai in September 2026, such as `25 22:00`."""
    day, _sep, hour = text.partition(" ")
    return datetime.fromisoformat(f"2026-09-{int(day):02} {hour.zfill(5)}").replace(tzinfo=SHANGHAI)


def at(text: str) -> Any:
    """Set the clock to it."""
    return clock.at(moment(text))


def add(cast: Cast, *codes: str, start: str, end: str = "", who: str = KEEPER, **more: Any) -> Body:
    """Let machines stand by hand."""
    body = {
        "machineIds": [str(cast.machine(code).pk) for code in codes], "restType": 1,
        "startTime": f"{moment(start):%Y-%m-%d %H:%M:%S}", **more,
    }  # fmt: skip
    if end:
        body["endTime"] = f"{moment(end):%Y-%m-%d %H:%M:%S}"
    return cast.client_for(who).post_json(f"{LOG}/addEquipRest", body)


def change(cast: Cast, row_id: str, who: str = KEEPER, **values: Any) -> Body:
    """Change, end or withdraw a stoppage."""
    return cast.client_for(who).change(LOG, {"id": row_id, **values})


def states(cast: Cast) -> list[int]:
    """Return the states of the lathe, the grinder and the spindle."""
    return [cast.machine(code).run_state for code in ("M1", "M2", "M1-SPINDLE")]


def refresh() -> int:
    """Let what falls due by time happen."""
    with tenant_scope(A):
        return stoppages.refresh_tenant()


def test_machines_stand_by_hand_one_stoppage_each_and_none_twice(cast: Cast) -> None:
    with at("1 9:00"):
        answer = add(cast, "M1", "M2", start="1 8:00", end="1 16:00", reason="检修日")
        assert answer.status == 200 and answer.data["skipped"] == []
        assert [(row["restNo"], row["machineName"]) for row in answer.data["created"]] == [
            ("TJ202609010001", "车床"), ("TJ202609010002", "磨床"),
        ]  # fmt: skip
        assert answer.data["affected"] == {"orders": 0, "details": 0}
        before = checksum(A)
        refused = add(cast, "M1", "LINE", start="1 15:59", end="1 18:00")
        text = "设备「车床」在2026-09-01 08:00至2026-09-01 16:00已有停机记录，请勿重复添加"
        assert (refused.status, refused.data["fields"]) == (400, {"machineIds": text})
        for who, codes, given, status, said in (
            (KEEPER, ("M1",), {"start": "1 16:00", "end": "1 16:00"}, 400, "结束时间必须晚于开始时间"),
            (KEEPER, ("M1",), {"start": "1 16:00", "restType": 6}, 400, "请输入原因说明"),
            (KEEPER, (), {"start": "1 16:00"}, 400, "请选择至少一条数据"),
            ("repairer", ("M1",), {"start": "1 16:00"}, 403, "没有权限执行此操作"),
            ("operator", ("M1",), {"start": "1 16:00"}, 403, "没有权限执行此操作"),
        ):
            refused = add(cast, *codes, who=who, **given)
            assert (refused.status, refused.msg) == (status, said)
        body = {"machineIds": str(cast.machine("M1", B).pk), "restType": 1, "startTime": "2026-09-01 16:00:00"}
        assert cast.client_for(KEEPER).post_json(f"{LOG}/addEquipRest", body).status == 404
        early = body | {"machineIds": str(cast.machine("M1").pk), "startTime": "2026-06-03 08:59:59"}
        assert cast.client_for(KEEPER).post_json(f"{LOG}/addEquipRest", early).msg == "开始时间不能早于90天前"
        assert checksum(A) == before
        # Half-open: what begins when another one ends does not overlap it.
        answer = add(cast, "M1", "M2", "LINE", start="1 16:00", skipConflict=1)
        assert len(answer.data["created"]) == 3
        answer = add(cast, "M1", "M1-SPINDLE", start="2 8:00", skipConflict=1)
        assert [row["machineName"] for row in answer.data["created"]] == ["主轴"]
        text = "设备「车床」在2026-09-01 16:00至恢复运行已有停机记录，请勿重复添加"
        assert [(row["machineName"], row["msg"]) for row in answer.data["skipped"]] == [("车床", text)]
        rows = cast.client_for("viewer").get(f"{LOG}/list", restStatus="1,2", size=50).data["records"]
        told = [(row["machineCode"], row["statusName"], row["restMinutes"]) for row in rows[1:]]
        assert rows[0]["machineName"] == "主轴" and sorted(told, key=str) == [
            ("LINE", "未开始", None), ("M1", "停机中", 60), ("M1", "未开始", None), ("M2", "停机中", 60),
            ("M2", "未开始", None),
        ]  # fmt: skip
        assert cast.client_for("viewer", B).get(f"{LOG}/list").data["total"] == 0


def test_a_stoppage_without_a_reason_from_the_list_is_entered(cast: Cast) -> None:
    with at("1 9:00"):
        for number, none in enumerate((None, "")):
            answer = add(cast, "M1", start=f"{number + 1} 8:00", end=f"{number + 1} 9:00", reasonTagId=none)
            assert answer.status == 200, answer
    with tenant_scope(A):
        assert list(Stoppage.objects.values_list("reason_tag", flat=True)) == [None, None]


def test_heads_and_leaders_stop_machines_of_their_own_department(cast: Cast) -> None:
    with tenant_scope(A):
        other = cast.user("repairer").dept_id
        Machine.objects.filter(machine_code="M2").update(dept=other)
    with at("1 9:00"):
        assert add(cast, "M1", start="1 8:00", who="shift_leader").status == 200
        before = checksum(A)
        assert add(cast, "M1-SPINDLE", "M2", start="1 8:00", who="shift_leader").status == 403
        assert checksum(A) == before
        assert add(cast, "M2", start="1 8:00", who="repair_leader").status == 200
        seen = cast.client_for("shift_leader").get(f"{LOG}/list").data["records"]
        assert [row["machineName"] for row in seen] == ["车床"]
        assert change(cast, cast_row(cast, "M2"), who="shift_leader", action="end").status == 404
        assert change(cast, cast_row(cast, "M1"), who="shift_leader", action="end").status == 200


def cast_row(cast: Cast, code: str) -> str:
    """Return the last stoppage of a machine."""
    with tenant_scope(A):
        return str(Stoppage.objects.filter(machine__machine_code=code).latest("start_time").pk)


def test_the_states_of_machines_follow_and_come_back(cast: Cast) -> None:
    with at("1 9:00"):
        story = Story(cast, isStop=1)
        assert states(cast) == [3, 1, 1]
        line = add(cast, "LINE", start="1 8:00", end="1 20:00", restType=3).data["created"][0]["id"]
        assert states(cast) == [3, 2, 1]
        add(cast, "M2", start="1 10:00", end="1 12:00", restType=4)
        assert states(cast) == [3, 2, 1] and refresh() == 0
    with at("1 10:00"):
        assert refresh() == 1 and states(cast) == [3, 5, 1] and refresh() == 0
    with at("1 12:00"):
        assert refresh() == 1 and states(cast) == [3, 2, 1]
        story.act("equip_manager", "cancel", cancelReason=3)
        assert states(cast) == [2, 2, 1]
        # What people say stands.
        keeper = cast.client_for(KEEPER)
        body = {"ids": str(cast.machine("M2").pk), "runState": 6, "changeDate": "2026-09-01", "reason": "停用"}
        assert keeper.post_json("yuzhu-equip/inspectmachine/changeState", body).status == 200
    with at("1 13:00"):
        assert change(cast, line, endTime="2026-09-01 13:30:00").status == 200
        assert states(cast) == [2, 6, 1]
    with at("1 13:30"):
        assert refresh() == 1 and states(cast) == [1, 6, 1]
    with tenant_scope(A):
        changes = StateChange.objects.filter(machine__machine_code="M1").order_by("create_time", "id")
        assert list(changes.values_list("state_before", "state_after", "source_type")) == [
            (1, 3, "repairorder"), (3, 2, "repairorder"), (2, 1, "inspectrestlog"),
        ]  # fmt: skip
        assert not Machine.objects.exclude(state_before_stop=None).exists()


def test_a_stoppage_is_ended_withdrawn_or_deleted_and_no_more(cast: Cast) -> None:
    with at("1 9:00"):
        row_id = add(cast, "M1", start="1 8:00", restType=2).data["created"][0]["id"]
        later = add(cast, "M2", start="2 8:00").data["created"][0]["id"]
        order = Story(cast, isStop=1)
        by_order = cast.client_for(KEEPER).get(f"{LOG}/list", source=2).data["records"][0]
        assert (by_order["orderType"], by_order["orderId"]) == ("repairorder", order.now["id"])
        assert by_order["orderNo"] == order.detail()["orderNo"] and by_order["sourceName"] == "维修工单"
        before = checksum(A)
        delete = cast.client_for(KEEPER).post_json
        for answer, said in (
            (delete(f"{LOG}/remove", ids=row_id), "当前状态为「停机中」，不能删除"),
            (delete(f"{LOG}/remove", ids=by_order["id"]), "停机记录由维修工单产生，不能手工修改"),
            (change(cast, by_order["id"], action="end"), "停机记录由维修工单产生，不能手工修改"),
            (change(cast, later, action="end"), "当前状态为「未开始」，不能结束"),
            (change(cast, row_id, action="revoke"), "请输入撤销原因"),
            (change(cast, row_id, action="end", endTime="2026-09-01 09:01:00"), "结束时间不能晚于当前时间"),
            (change(cast, row_id, endTime="2026-09-01 08:00:00"), "结束时间必须晚于开始时间"),
            (
                change(cast, row_id, machineId=str(cast.machine("M2").pk)),
                "停机记录不能改到另一台设备，请撤销后重新登记",
            ),
        ):
            assert (answer.status in (400, 409), answer.msg) == (True, said)
        assert checksum(A) == before
        assert delete(f"{LOG}/remove", ids=later).status == 200
    with at("1 9:30"):
        assert change(cast, row_id, action="end").status == 200
        found = cast.client_for(KEEPER).get(f"{LOG}/detail", id=row_id).data
        assert (found["statusName"], found["endTime"], found["restMinutes"]) == ("已结束", "2026-09-01 09:30:00", 90)
        # It still stands for the order.
        assert cast.machine("M1").run_state == RunState.DOWN
        assert change(cast, row_id, action="revoke", reason="登记有误").status == 200
        found = cast.client_for(KEEPER).get(f"{LOG}/detail", id=row_id).data
        assert (found["statusName"], found["revokeReason"], found["restMinutes"]) == ("已撤销", "登记有误", 0)
        assert change(cast, row_id, remark="改").msg == "当前状态为「已撤销」，不能修改"


def test_a_window_is_exempt_from_half_of_it_on(cast: Cast) -> None:
    told: list[Any] = []

    def watch(ids: Any, begin: datetime, end: datetime | None) -> Affected:
        told.append((len(ids), begin, end))
        return Affected(1, 2)

    stoppages._watchers.append(watch)
    try:
        with at("1 9:00"):
            half = add(cast, "LINE", start="1 12:00", end="1 18:00")
            assert half.data["affected"] == {"orders": 1, "details": 2}
            row_id = half.data["created"][0]["id"]
            begin, end, pk = moment("1 8:00"), moment("1 16:00"), cast.machine("M1-SPINDLE").pk
            with tenant_scope(A):
                found = stoppages.stopped([pk], begin, end)
                assert found.share(pk, begin, end) == (timedelta(minutes=240), int(row_id))
                assert found.exempts(pk, begin, end) == int(row_id)
            assert change(cast, row_id, startTime="2026-09-01 12:01:00").status == 200
            with tenant_scope(A):
                found = stoppages.stopped([pk], begin, end)
                assert found.share(pk, begin, end)[0] == timedelta(minutes=239)
                assert found.exempts(pk, begin, end) is None
            # Without an end it lasts beyond the window; where it does not hold for what is below, it covers nothing.
            assert change(cast, row_id, startTime="2026-09-01 12:00:00", endTime=None).status == 200
            with tenant_scope(A):
                assert stoppages.stopped([pk], begin, end).exempts(pk, begin, end) == int(row_id)
            assert change(cast, row_id, includeChildren=0).status == 200
            with tenant_scope(A):
                assert stoppages.stopped([pk], begin, end).exempts(pk, begin, end) is None
            assert [(count, until) for count, _since, until in told] == [
                (4, moment("1 18:00")), (4, moment("1 18:00")), (4, None), (4, None),
            ]  # fmt: skip
    finally:
        stoppages._watchers.remove(watch)


def test_the_table_cuts_stoppages_at_midnight(cast: Cast) -> None:
    """A stop from the 25th 22:00 to the 26th 03:00 gives 120 minutes to one reporting month, 180 to the next."""
    with at("26 9:00"):
        add(cast, "M1", start="25 22:00", end="26 3:00", restType=2)
        add(cast, "LINE", start="26 1:00", end="26 2:00", restType=3)
        add(cast, "M2", start="27 0:00", end="28 0:00", restType=4)
        viewer = cast.client_for("viewer")
        with CaptureQueriesContext(connection) as captured:
            found = viewer.get(f"{LOG}/equipTable", startDate="2026-09-25", endDate="2026-09-27").data
        assert len(captured) < 20
        assert found["days"] == ["2026-09-25", "2026-09-26", "2026-09-27"] and found["total"] == 2
        first, second = found["records"]
        cells = [(one["date"][8:], one["minutes"], one["type"], one["full"]) for one in first["cells"]]
        assert cells == [("25", 120, 2, 0), ("26", 180, 2, 0)]
        sums = ("totalMinutes", "plannedMinutes", "faultMinutes", "times")
        assert [first[name] for name in sums] == [300, 60, 240, 2]
        cells = [(one["date"][8:], one["minutes"], one["typeName"], one["full"]) for one in second["cells"]]
        assert cells == [("26", 60, "节假日停产", 0), ("27", 1440, "检修保养停机", 1)]
        assert found["summary"] == {
            "machines": 2, "totalMinutes": 1800, "plannedMinutes": 1560, "faultMinutes": 240,
            "byType": [
                {"type": 2, "typeName": "故障停机", "minutes": 300, "times": 1},
                {"type": 3, "typeName": "节假日停产", "minutes": 120, "times": 1},
                {"type": 4, "typeName": "检修保养停机", "minutes": 1440, "times": 1},
            ],
        }  # fmt: skip
        only = viewer.get(f"{LOG}/equipTable", startDate="2026-09-25", endDate="2026-09-25", onlyStopped=1).data
        assert [row["machineName"] for row in only["records"]] == ["车床"]
        for given, said in (
            ({"startDate": "2026-09-01", "endDate": "2026-11-02"}, "一次最多查看62天"),
            ({"startDate": "2026-09-02", "endDate": "2026-09-01"}, "结束日期不能早于开始日期"),
            ({"month": "2026-13"}, "请求参数格式错误: month"),
        ):
            assert viewer.get(f"{LOG}/equipTable", **given).msg == said
        assert cast.client_for("viewer", B).get(f"{LOG}/equipTable", month="2026-09").data["summary"]["machines"] == 0


def test_the_table_of_a_route_has_the_machines_of_its_points(cast: Cast) -> None:
    routes = [_made(_route(cast, f"R{number}")) for number in (1, 2, 3)]
    for route, code, point in ((routes[0], "M1", "P1"), (routes[1], "M1-SPINDLE", "P2"), (routes[1], "M2", "P3")):
        _made(_point(cast, route, point, machineId=str(cast.machine(code).pk)))
    gone = _made(_point(cast, routes[0], "P4", machineId=str(cast.machine("M2").pk)))
    assert cast.client_for(KEEPER).post_json("yuzhu-equip/inspectpoint/remove", ids=gone).status == 200
    with at("26 9:00"):
        add(cast, "M1", start="25 22:00", end="26 3:00")
        add(cast, "M2", start="25 8:00", end="25 9:00")
        viewer, days = cast.client_for("viewer"), {"startDate": "2026-09-25", "endDate": "2026-09-26"}

        def table(**asked: Any) -> tuple[list[str], int]:
            found = viewer.get(f"{LOG}/equipTable", **days, **asked).data
            return [row["machineCode"] for row in found["records"]], found["summary"]["totalMinutes"]

        assert table() == (["M1", "M2"], 360)
        assert table(groupId=routes[0]) == (["M1"], 300)
        assert table(groupId=routes[1]) == (["M1", "M2"], 360)
        assert table(groupId=routes[1], keyword="M2") == (["M2"], 60)
        for nothing in (routes[2], "x", "1"):
            assert table(groupId=nothing) == ([], 0)
        theirs = cast.client_for("viewer", B).get(f"{LOG}/equipTable", **days, groupId=routes[0]).data
        assert theirs["records"] == []


def test_the_table_of_500_machines_costs_few_statements(cast: Cast) -> None:
    with tenant_scope(A), at("2 9:00"):
        line, like = cast.machine("LINE"), cast.machine("M1")
        machines = [
            Machine(
                parent=line, node_type=4, machine_code=f"X{number}", machine_name=f"X{number}", type_id=like.type_id,
                dept_id=like.dept_id,
            )
            for number in range(500)
        ]  # fmt: skip
        for machine in machines:
            machine.path = f"{line.path}{machine.pk}/"
        Machine.objects.bulk_create(machines)
        Stoppage.objects.bulk_create(
            Stoppage(rest_no=f"X{number}", machine=one, start_time=moment("1 8:00"), end_time=moment("1 9:00"))
            for number, one in enumerate(machines)
        )
        viewer = cast.client_for("viewer")
        with CaptureQueriesContext(connection) as captured:
            found = viewer.get(f"{LOG}/equipTable", month="2026-08", size=200).data
            assert (found["total"], found["summary"]["machines"]) == (502, 0)
            found = viewer.get(f"{LOG}/equipTable", startDate="2026-09-01", endDate="2026-10-01", size=200).data
        assert len(captured) < 20 * 2
        assert (len(found["records"]), found["summary"]["totalMinutes"]) == (200, 30_000)
        # A stoppage of the line reaches all of them, in few statements too.
        with CaptureQueriesContext(connection) as captured:
            assert add(cast, "LINE", start="2 8:00").status == 200
        assert len(captured) < 40
        assert Machine.objects.filter(run_state=RunState.IDLE, state_before_stop=1).count() == 502


def test_figures_of_30_days_with_planned_stops_and_breakdowns() -> None:
    begin = moment("1 0:00")

    def span(day: float, minutes: int) -> tuple[datetime, datetime]:
        since = begin + timedelta(days=day)
        return since, since + timedelta(minutes=minutes)

    window = (begin, begin + timedelta(days=30))
    downs = [span(day, 150) for day in (10, 12, 14, 16)]
    kpi = card.measure(window, [span(1, 2880)], downs, downs, [])
    assert (kpi["plannedMinutes"], kpi["plannedStopMinutes"], kpi["downMinutes"]) == (43_200, 2880, 600)
    assert (kpi["upMinutes"], kpi["mtbfHours"], kpi["availability"]) == (39_720, 165.5, 98.5)
    # Only worked time counts; a failure in a rest day or a planned stop is none of the down time, and still one.
    worked = [span(day, 480) for day in range(30)]
    kpi = card.measure(
        window, [span(10, 100)], [span(10, 150), span(11.5, 60)], [span(10, 150), span(11.5, 60)], [], worked
    )
    assert (kpi["plannedMinutes"], kpi["plannedStopMinutes"], kpi["downMinutes"]) == (14_400, 100, 50)
    assert (kpi["upMinutes"], kpi["failureCount"]) == (14_250, 2)
    nothing = card.measure((begin, begin - timedelta(days=1)), [], [], [], [])
    assert (nothing["plannedMinutes"], nothing["mtbfHours"], nothing["availability"]) == (0, None, None)
