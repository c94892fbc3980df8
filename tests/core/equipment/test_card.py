"""The history card of a machine: its fields, its reliability in known cases, its orders, and its status by hand."""

from __future__ import annotations

import io
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from PIL import Image

from core.equipment import card
from core.equipment.models import Machine, StateChange, Stoppage
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.maintenance import operations
from tests.cast import A, B, Body, Cast
from tests.checksums import checksum
from tests.repairs import Story, at, photo

MACHINES = "yuzhu-equip/inspectmachine"
T0 = datetime(2026, 3, 1, tzinfo=UTC)


def _after(hours: float) -> datetime:
    return T0 + timedelta(hours=hours)


def _detail(cast: Cast, code: str = "M1", account: str = "equip_manager") -> Any:
    return cast.client_for(account).get(f"{MACHINES}/detail", id=str(cast.machine(code).pk)).data


def _change(cast: Cast, account: str = "equip_manager", code: str = "M1", **values: Any) -> Body:
    return cast.client_for(account).change(MACHINES, {"id": str(cast.machine(code).pk), **values})


def _state(
    cast: Cast, state: int, day: str, reason: str = "", account: str = "equip_manager", codes: str = "M1"
) -> Body:
    ids = ",".join(str(cast.machine(code).pk) for code in codes.split(","))
    body = {"ids": ids, "runState": state, "changeDate": day, "reason": reason}
    return cast.client_for(account).post_json(f"{MACHINES}/changeState", body)


# Figures


def test_the_worked_example_of_reliability() -> None:
    """30 days around the clock, 2,880 minutes of planned stops, down for 600 minutes in four failures."""
    downs = [(_after(100 * n), _after(100 * n + 2.5)) for n in range(1, 5)]
    found = card.measure((T0, _after(720)), [(_after(500), _after(548))], downs, downs, [60 * 90, 60 * 31])
    assert found == {
        "mtbfHours": 165.5, "mttrMinutes": 61, "availability": 98.5, "failureCount": 4, "upMinutes": 39720,
        "downMinutes": 600, "plannedMinutes": 43200, "plannedStopMinutes": 2880, "repairMinutes": 121, "repairCount": 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("planned", "downs", "failures", "expected"),
    [
        # Nothing has failed: no figure between failures, and it was always there.
        ([], [], [], (None, 100.0, 0, 6000, 0)),
        # A failure in a planned stop does not cost up time, and is one all the same.
        ([(10, 30)], [(20, 25)], [(20, 25)], (80.0, 100.0, 1, 4800, 0)),
        # Planned wins where both are; two stops that overlap are one failure.
        ([(10, 20)], [(15, 30), (25, 40)], [(15, 30), (25, 40)], (70.0, 77.8, 1, 4200, 1200)),
        # What began before the window is no failure of it, and is down in it.
        ([], [(-5, 5)], [(-5, 5)], (None, 95.0, 0, 5700, 300)),
        # Down all the time.
        ([], [(-1, 101)], [(-1, 101)], (None, 0.0, 0, 0, 6000)),
        # Planned to stand all the time: nothing to divide by.
        ([(-1, 101)], [(5, 6)], [(5, 6)], (0.0, None, 1, 0, 0)),
    ],
)
def test_edges_of_reliability(planned: Any, downs: Any, failures: Any, expected: Any) -> None:
    def spans(pairs: Any) -> Any:
        return [(_after(begin), _after(end)) for begin, end in pairs]

    found = card.measure((T0, _after(100)), spans(planned), spans(downs), spans(failures), [])
    names = ("mtbfHours", "availability", "failureCount", "upMinutes", "downMinutes")
    assert tuple(found[name] for name in names) == expected
    assert found["mttrMinutes"] is None


def test_a_machine_that_is_put_in_service_tomorrow_has_no_figures_and_no_negative_minutes(cast: Cast) -> None:
    with clock.at(datetime(2026, 3, 2, 4, tzinfo=UTC)):
        assert _change(cast, inServiceDate="2026-03-03").status == 200
        kpi = _detail(cast)["kpi"]
    assert [kpi[name] for name in ("mtbfHours", "mttrMinutes", "availability", "failureCount", "upMinutes")] == [
        None, None, None, 0, 0,
    ]  # fmt: skip


def test_the_card_counts_a_failure_from_its_stop_to_its_end(cast: Cast) -> None:
    with at("8:40"):
        story = Story(cast, isStop=1, stopStart="2026-03-02 08:10:00")
    with at("9:00"):
        story.send()
    with at("10:30"):
        assert story.write_line("repairer", "09:00", "10:30").status == 200
        picture = photo(story, "repairer")
        result = {**story.result(), "afterImages": picture, "stopEnd": "2026-03-02 10:10:00"}
        story.act("repairer", "finish", **result)
    with at("12:00"):
        found = _detail(cast)
        line = _detail(cast, "LINE")
        for account in ("operator2", "repairer", "viewer", "shift_leader"):
            listed = cast.client_for(account).get("yuzhu-equip/repairorder/list")
            seen = [row["id"] for row in listed.data["records"]] if listed.status == 200 else []
            assert [row["id"] for row in _detail(cast, account=account)["lastOrders"]] == seen, account
    kpi, minutes = found["kpi"], 90 * 1440
    assert (kpi["failureCount"], kpi["windowDays"], kpi["plannedMinutes"]) == (1, 90, minutes)
    assert (kpi["downMinutes"], kpi["upMinutes"]) == (120, minutes - 120)
    assert (kpi["repairCount"], kpi["repairMinutes"], kpi["mttrMinutes"]) == (1, 90, 90)
    assert (kpi["mtbfHours"], kpi["availability"]) == (2158.0, 99.9)
    assert (found["openRepairCount"], found["stopMinutesThisMonth"]) == (1, 120)
    [order] = found["lastOrders"]
    assert (order["bizType"], order["status"], order["statusName"]) == ("repairorder", 5, "待验收")
    assert [(one["stateBefore"], one["stateAfter"], one["sourceType"]) for one in found["stateChanges"]] == [
        (4, 1, "repairorder"), (3, 4, "repairorder"), (1, 3, "repairorder"),
    ]  # fmt: skip
    # An area has no figures of its own.
    assert (line["kpi"], line["stopMinutesThisMonth"], len(line["lastOrders"])) == (None, None, 1)
    with at("12:30"):
        assert _detail(cast, account="operator")["kpi"]["failureCount"] == 1


def test_days_out_of_use_are_planned_and_the_month_begins_on_the_26th(cast: Cast) -> None:
    with clock.at(datetime(2026, 3, 31, 4, tzinfo=UTC)):
        assert _state(cast, 6, "2026-03-10", "停产").status == 200
        assert _state(cast, 1, "2026-03-20").status == 200
        with tenant_scope(A):
            machine = Machine.objects.get(machine_code="M1")
            Stoppage.objects.create(
                machine=machine, source_type="x", source_id=1,
                start_time=datetime(2026, 3, 25, 15, 0, tzinfo=UTC), end_time=datetime(2026, 3, 25, 18, 0, tzinfo=UTC),
            )  # fmt: skip
        found = _detail(cast)
    assert found["kpi"]["plannedStopMinutes"] == 10 * 1440
    assert found["kpi"]["downMinutes"] == 180
    # 23:00 on the 25th to 02:00 on the 26th, where the plant is: two hours of it are of the new month.
    assert found["stopMinutesThisMonth"] == 120


def test_a_card_costs_the_same_however_much_has_happened(cast: Cast) -> None:
    costs = []
    for many in (1, 6):
        for number in range(many):
            body = {
                "machineId": str(cast.machine("M1").pk),
                "description": f"主轴异响{number}",
                "force": 1,
                "isStop": 1,
            }
            with tenant_scope(A):
                operations.save(cast.actor_for("operator"), body)
        _detail(cast)
        with CaptureQueriesContext(connection) as captured:
            found = _detail(cast)
        costs.append(len(captured))
    assert costs[0] == costs[1] <= 26
    assert (len(found["lastOrders"]), found["openRepairCount"]) == (5, 7)
    assert (found["path"], found["level"], found["hasChildren"]) == ("厂区/车间/产线", 4, True)


# Fields


def test_dates_have_an_order_and_bounds(cast: Cast) -> None:
    assert _change(cast, purchaseDate="2020-05-01", inServiceDate="2020-06-01", madeDate="2020-05-02").status == 200
    before = checksum(A)
    for values, fields in (
        ({"inServiceDate": "2020-04-30"}, {"inServiceDate": "投用日期不能早于购置日期"}),
        ({"purchaseDate": "2020-06-02"}, {"inServiceDate": "投用日期不能早于购置日期"}),
        ({"madeDate": "2020-06-02"}, {"inServiceDate": "投用日期不能早于出厂日期"}),
        ({"runState": 7, "scrapDate": "2020-05-31", "scrapReason": "x"}, {"scrapDate": "报废日期不能早于投用日期"}),
        ({"nextStatutoryDate": "2027-01-01"}, {"nextStatutoryDate": "只有特种设备才有下次法定检验日期"}),
        ({"originalValue": -1}, {"originalValue": "原值(元)不能小于0"}),
        ({"powerKw": "7.555"}, {"powerKw": "额定功率(kW)最多2位小数"}),
        ({"assetNo": "x" * 61}, {"assetNo": "固定资产编号长度不能超过60个字符"}),
    ):
        answer = _change(cast, **values)
        assert (answer.status, answer.data["fields"]) == (400, fields), values
    assert checksum(A) == before
    assert _change(cast, specialEquip=1, nextStatutoryDate="2027-01-01").status == 200
    assert _detail(cast)["nextStatutoryDate"] == "2027-01-01"
    # It goes with the reason for it.
    assert _change(cast, specialEquip=0).status == 200
    assert _detail(cast)["nextStatutoryDate"] is None


def test_a_fixed_asset_number_is_used_once_and_many_have_none(cast: Cast) -> None:
    assert _change(cast, assetNo="FA-1").status == 200
    answer = _change(cast, code="M2", assetNo="FA-1")
    assert (answer.status, answer.data["fields"]) == (400, {"assetNo": "固定资产编号「FA-1」已存在"})
    assert _change(cast, assetNo="FA-1", remark="同").status == 200
    assert _change(cast, assetNo="").status == 200
    assert _change(cast, code="M2", assetNo="FA-1").status == 200


def test_the_warranty_is_told_as_of_today_and_found_by(cast: Cast) -> None:
    with clock.at(datetime(2026, 3, 1, 20, tzinfo=UTC)):  # the second, where the plant is
        manager = cast.client_for("equip_manager")
        for code, end in (("M1", "2026-03-01"), ("M2", "2026-04-01"), ("M1-SPINDLE", "2026-04-02")):
            assert _change(cast, code=code, warrantyEnd=end).status == 200
        rows = {row["machineCode"]: row for row in manager.get(f"{MACHINES}/list").data["records"]}
        said = [(rows[code]["warrantyState"], rows[code]["warrantyStateName"]) for code in ("M1", "M2", "M1-SPINDLE")]
        assert said == [(3, "已过保"), (2, "即将到期"), (1, "在保")]
        assert (rows["LINE"]["warrantyState"], rows["LINE"]["warrantyStateName"]) == (None, "")
        for state, codes in (("1", ["M1-SPINDLE"]), ("2,3", ["M1", "M2"]), ("9", [])):
            found = manager.get(f"{MACHINES}/list", warrantyState=state).data["records"]
            assert sorted(row["machineCode"] for row in found) == codes
    manager = cast.client_for("equip_manager")
    for given, codes in (
        ({"warrantyEnd_ge": "2026-04-02"}, ["M1-SPINDLE"]),
        ({"isSealed": "1"}, []),
        ({"specialEquip": "0", "nodeType": "4"}, ["M1", "M2"]),
    ):
        found = manager.get(f"{MACHINES}/list", **given).data["records"]
        assert [row["machineCode"] for row in found] == codes


def test_pictures_and_documents_have_limits_and_keep_their_names(cast: Cast) -> None:
    manager = cast.client_for("equip_manager")
    out = io.BytesIO()
    Image.new("RGB", (4, 4)).save(out, "PNG")

    def upload(name: str, content: bytes, place: str = "picture") -> str:
        file = SimpleUploadedFile(name, content)
        answer = manager.post_form(f"blade-resource/oss/endpoint/put-file?place={place}", file=file)
        return str(answer.data["link"])

    picture, manual = upload("a.png", out.getvalue()), upload("说明书.txt", "用法".encode(), "file")
    assert _change(cast, photo=[picture], images=[picture], files=[manual]).status == 200
    found = _detail(cast)
    assert (len(found["photo"]), len(found["images"])) == (1, 1)
    assert found["files"][0].endswith("#%E8%AF%B4%E6%98%8E%E4%B9%A6.txt")
    # What it sends back is what it has read, of somebody else's files too.
    assert _change(cast, "tenant_admin", files=found["files"], remark="改").status == 200
    before = checksum(A)
    for values, fields in (
        ({"photo": [picture, picture]}, {"photo": "最多上传1张图片"}),
        ({"images": [picture] * 10}, {"images": "最多上传9张图片"}),
        ({"files": [manual] * 21}, {"files": "最多上传20个文件"}),
        ({"files": [picture.replace(".png", ".exe")]}, {"files": "文件不存在或已被删除"}),
    ):
        answer = _change(cast, **values)
        assert (answer.status, answer.data["fields"]) == (400, fields)
    assert checksum(A) == before
    assert _change(cast, files=[]).status == 200
    assert _detail(cast)["files"] == []


def test_what_is_sealed_is_offered_nowhere_and_not_reported(cast: Cast) -> None:
    assert _change(cast, isSealed=1).status == 200
    caller, machine = cast.client_for("operator"), str(cast.machine("M1").pk)
    assert [row["machineCode"] for row in caller.get(f"{MACHINES}/getList").data] == ["M2"]
    offered = {row["code"] for row in caller.get(f"{MACHINES}/select").data["records"]}
    assert "M1" not in offered
    before = checksum(A)
    answer = caller.post_json("yuzhu-equip/repairorder/save", {"machineId": machine, "description": "主轴异响很大"})
    assert (answer.status, answer.data["fields"]) == (400, {"machineId": "「车床」已封存，不能使用"})
    answer = _change(cast, code="M2", parentId=machine)
    assert (answer.status, answer.data["fields"]) == (400, {"parentId": "「车床」已封存，不能使用"})
    assert checksum(A) == before


# The status by hand


def test_a_status_has_a_day_and_a_reason_and_its_history(cast: Cast) -> None:
    with at("8:40"):
        Story(cast)
        assert _state(cast, 6, "2026-03-02", "无订单", codes="M1,M2").data == {
            "changed": 2, "affected": {"repairOrders": 1},
        }  # fmt: skip
        # Those that have it already stay as they are.
        assert _state(cast, 6, "2026-03-02", "无订单").data["changed"] == 0
        assert _state(cast, 2, "2026-03-02").data == {"changed": 1, "affected": {"repairOrders": 0}}
    said = _detail(cast)["stateChanges"]
    assert [(one["stateBeforeName"], one["stateAfterName"], one["changeDate"], one["reason"]) for one in said] == [
        ("停用", "待机", "2026-03-02", ""),
        ("运行", "停用", "2026-03-02", "无订单"),
    ]
    assert said[0]["userName"] == cast.user("equip_manager").real_name
    edits = cast.client_for("viewer").get(f"{MACHINES}/edits", id=str(cast.machine("M2").pk)).data
    assert [(one["operation"], one["changes"]) for one in edits] == [
        ("inspectmachine.changeState", ["运行状态：运行 → 停用", "变更日期：2026-03-02", "变更原因：无订单"])
    ]


def test_a_status_that_may_not_be_is_refused_for_all(cast: Cast) -> None:
    with at("8:40"):
        Story(cast)
    with tenant_scope(A):
        Machine.objects.filter(machine_code="M2").update(run_state=4, in_service_date=date(2026, 2, 1))
        StateChange.objects.create(
            machine=cast.machine("M1"), state_before=2, state_after=1, change_date=date(2026, 2, 20), reason=""
        )
    before = checksum(A)
    flow = "「磨床」：设备状态由维修、保养流程控制，不能手工修改"
    with clock.at(datetime(2026, 3, 2, 4, tzinfo=UTC)):
        for given, status, text in (
            ((6, "2026-03-02"), 400, "请输入变更原因"),
            ((7, "2026-03-02"), 400, "请输入变更原因"),
            ((6, "2026-03-03", "x"), 400, "变更日期不能晚于今天"),
            ((3, "2026-03-02", "x"), 400, "设备状态由维修、保养流程控制，不能手工修改"),
            ((6, "2026-02-19", "x"), 400, "「车床」最近一次状态变更在2026-02-20，变更日期不能更早"),
            ((7, "2026-03-02", "x"), 409, "设备有1张未完成的维修工单，不能报废"),
            ((6, "2026-03-02", "x", "equip_manager", "M1,M2"), 409, flow),
            ((6, "2026-03-02", "x", "equip_manager", "M1,LINE"), 409, "「产线」是厂区、车间或产线，没有运行状态"),
            ((6, "2026-03-02", "x", "operator"), 403, "没有权限执行此操作"),
        ):
            answer = _state(cast, *given)  # type: ignore[arg-type]
            assert (answer.status, answer.msg) == (status, text), given
        elsewhere = cast.client_for("equip_manager", B)
        body = {"ids": str(cast.machine("M1").pk), "runState": 6, "changeDate": "2026-03-02", "reason": "x"}
        assert elsewhere.post_json(f"{MACHINES}/changeState", body).status == 404
    assert checksum(A) == before


def test_a_scrapping_by_hand_has_its_day_and_is_taken_back_by_the_administrator_alone(cast: Cast) -> None:
    with clock.at(datetime(2026, 3, 2, 4, tzinfo=UTC)):
        assert _state(cast, 7, "2026-03-01", "主轴断裂").status == 200
        row = cast.machine("M1")
        assert (row.run_state, row.scrap_date, row.scrap_reason) == (7, date(2026, 3, 1), "主轴断裂")
        refused = _state(cast, 1, "2026-03-02")
        assert (refused.status, refused.msg) == (409, "「车床」：设备已报废，只有租户管理员可以恢复")
        assert _state(cast, 1, "2026-03-02", account="tenant_admin").status == 200
    row = cast.machine("M1")
    assert (row.run_state, row.scrap_date, row.scrap_reason) == (1, None, "")


def test_the_tree_is_narrowed_to_a_department_and_counts_where_it_is_asked_to(cast: Cast) -> None:
    caller, machine = cast.client_for("operator"), cast.machine("M2")
    other = cast.user("repairer").dept_id
    with tenant_scope(A):
        Machine.objects.filter(pk=machine.pk).update(dept=other)

    def flat(nodes: list[Any]) -> list[tuple[str, bool]]:
        return [
            one for node in nodes for one in ((node["machineCode"], node["disabled"]), *flat(node.get("children", [])))
        ]

    found = caller.get(f"{MACHINES}/getTreeList", deptId=str(other)).data
    assert flat(found) == [("SITE", True), ("SHOP", True), ("LINE", True), ("M2", False)]
    assert "machineCount" not in found[0]
    [site] = caller.get(f"{MACHINES}/getTreeList", deptId=str(other), withState=1).data
    assert (site["machineCount"], site["stopCount"]) == (1, 0)
