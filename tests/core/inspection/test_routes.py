"""Routes and points: their order, their rules, copies, and who keeps those of which department."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from openpyxl import Workbook

from core.equipment.models import NodeType, RunState
from core.inspection.models import CheckStandard, Route, RoutePoint
from core.kernel.tenancy import tenant_scope
from tests.cast import A, B, Body, Cast
from tests.checksums import checksum

ROUTES, POINTS, STANDARDS = "yuzhu-equip/inspectgroup", "yuzhu-equip/inspectpoint", "yuzhu-equip/inspectConfig"
OIL = {"itemName": "油位"}


def _route(cast: Cast, code: str = "R1", by: str = "equip_manager", **more: Any) -> Body:
    leader = str(cast.user("shift_leader").pk)
    dept = str(cast.user("shift_leader").dept_id)
    body = {"groupCode": code, "groupName": f"路线{code}", "leaderId": leader, "deptId": dept, **more}
    return cast.client_for(by).post_json(f"{ROUTES}/submit", body)


def _made(answer: Body) -> str:
    assert answer.status == 200, answer
    return str(answer.data["id"])


def _standard(cast: Cast, code: str = "S1", number: int = 2) -> str:
    items = [{"itemName": f"项{n}"} for n in range(number)]
    body = {"configCode": code, "configName": f"标准{code}", "items": items}
    return _made(cast.client_for("equip_manager").post_json(f"{STANDARDS}/save", body))


def _point(cast: Cast, route: str, code: str, by: str = "equip_manager", **more: Any) -> Body:
    body = {"groupId": route, "machineId": str(cast.machine("M1").pk), "pointCode": code, "pointName": f"点{code}"}
    return cast.client_for(by).post_json(f"{POINTS}/save", {**body, "items": [OIL], **more})


def _codes(cast: Cast, route: str) -> list[str]:
    return [row["pointCode"] for row in cast.client_for("viewer").get(f"{POINTS}/getList", groupId=route).data]


def test_points_come_in_order_with_the_items_of_their_standards_and_then_their_own(cast: Cast) -> None:
    route, standard = _made(_route(cast)), _standard(cast)
    _made(_point(cast, route, "P2"))
    _made(_point(cast, route, "P1", configIds=standard, sort=5, machineId=str(cast.machine("M1-SPINDLE").pk)))
    _made(_point(cast, route, "P3", configIds=standard, items=[]))
    rows = cast.client_for("viewer").get(f"{POINTS}/getList", groupId=route).data
    assert [(row["pointCode"], row["sort"], row["machineCode"], row["itemCount"]) for row in rows] == [
        ("P1", 5, "M1-SPINDLE", 3), ("P2", 10, "M1", 1), ("P3", 20, "M1", 2),
    ]  # fmt: skip
    assert [(item["itemName"], item["configId"], item["configName"]) for item in rows[0]["items"]] == [
        ("项0", standard, "标准S1"), ("项1", standard, "标准S1"), ("油位", None, ""),
    ]  # fmt: skip
    found = cast.client_for("viewer").get(f"{ROUTES}/detail", id=route).data
    assert (found["pointCount"], found["itemCount"]) == (3, 6)
    missing = cast.client_for("viewer").get(f"{POINTS}/getList")
    assert (missing.status, missing.data["fields"]) == (400, {"groupId": "请选择巡检路线"})


def test_sealed_points_do_not_count_and_a_changed_standard_counts_at_once(cast: Cast) -> None:
    route, standard = _made(_route(cast)), _standard(cast)
    manager = cast.client_for("equip_manager")
    _made(_point(cast, route, "P1", configIds=standard, items=[]))
    sealed = _made(_point(cast, route, "P2"))
    assert manager.change(POINTS, {"id": sealed, "isSealed": 1}).status == 200
    assert manager.change(STANDARDS, {"id": standard, "items": [OIL]}).status == 200
    found = manager.get(f"{ROUTES}/list").data["records"][0]
    assert (found["pointCount"], found["itemCount"]) == (1, 1)


def test_a_new_point_is_scanned_where_its_route_asks_for_it(cast: Cast) -> None:
    quiet = _made(_route(cast, needScan=0))
    loud = _made(_route(cast, "R2"))
    manager = cast.client_for("equip_manager")
    modes = [manager.get(f"{POINTS}/detail", id=_made(_point(cast, one, f"P{one}"))).data for one in (quiet, loud)]
    assert [row["scanMode"] for row in modes] == [0, 1]
    assert [row["stopCheck"] for row in modes] == [1, 1]


WRONG: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({"items": []}, {"configIds": "点位至少需要一个检查项"}),
    ({"lng": 118.5}, {"lat": "经度和纬度须同时填写"}),
    ({"lat": 91, "lng": 1}, {"lat": "纬度应在-90到90之间"}),
    ({"radius": 19, "lng": 1, "lat": 1}, {"radius": "允许半径(米)应在20到2000之间"}),
    ({"radius": 2001, "lng": 1, "lat": 1}, {"radius": "允许半径(米)应在20到2000之间"}),
    ({"radius": 50}, {"radius": "设置允许半径须先填写经度和纬度"}),
    ({"minSeconds": 3601}, {"minSeconds": "最短停留(秒)应在0到3600之间"}),
    ({"configIds": "1"}, {"configIds": "数据不存在或已被删除"}),
    ({"items": [{"itemName": ""}]}, {"items.0.itemName": "请输入检查项"}),
    ({"scanMode": 4}, {"scanMode": "请选择扫码方式"}),
]


@pytest.mark.parametrize(
    ("more", "fields"), WRONG, ids=[next(iter(fields)) + str(n) for n, (_m, fields) in enumerate(WRONG)]
)
def test_a_wrong_point_is_refused_and_nothing_is_stored(
    cast: Cast, more: dict[str, Any], fields: dict[str, str]
) -> None:
    route = _made(_route(cast))
    before = checksum(A)
    answer = _point(cast, route, "P1", **more)
    assert (answer.status, answer.data["fields"]) == (400, fields)
    assert checksum(A) == before


def test_what_is_sealed_or_scrapped_is_not_used_anew_and_stays_where_it_is(cast: Cast) -> None:
    route, standard = _made(_route(cast)), _standard(cast)
    manager, machine = cast.client_for("equip_manager"), cast.machine("M2")
    point = _made(_point(cast, route, "P1", configIds=standard, machineId=str(machine.pk)))
    with tenant_scope(A):
        Route.objects.get(pk=route).change({"is_sealed": True})
        CheckStandard.objects.get(pk=standard).change({"is_sealed": True})
        machine.change({"run_state": RunState.SCRAPPED})
    before = checksum(A)
    other = _made(_route(cast, "R2"))
    assert _point(cast, route, "P2").data["fields"] == {"groupId": "「路线R1」已封存，不能使用"}
    assert _point(cast, other, "P2", configIds=standard).data["fields"] == {"configIds": "「标准S1」已封存，不能使用"}
    assert _point(cast, other, "P2", machineId=str(machine.pk)).data["fields"] == {
        "machineId": "设备「磨床」已报废，不能使用"
    }
    shop = str(cast.machine("SHOP").pk)
    assert _point(cast, other, "P2", machineId=shop).data["fields"] == {"machineId": "点位只能设在产线、设备或部件上"}
    with tenant_scope(A):
        Route.objects.get(pk=other).remove()
    assert checksum(A) != before
    assert manager.change(POINTS, {"id": point, "remark": "改", "configIds": standard}).status == 200


def test_a_page_of_routes_reads_its_people_once(cast: Cast) -> None:
    people = [str(cast.user(account).pk) for account in ("operator", "repairer", "viewer")]
    costs = []
    for number, person in enumerate(people):
        _made(_route(cast, f"R{number}", userIds=person))
        caller = cast.client_for("equip_manager")
        caller.get(f"{ROUTES}/list")
        with CaptureQueriesContext(connection) as captured:
            rows = caller.get(f"{ROUTES}/list").data["records"]
        costs.append(len(captured))
    assert len({row["userNames"] for row in rows}) == 3 and "" not in {row["userNames"] for row in rows}
    assert len(set(costs)) == 1, costs


def test_a_sealed_asset_gets_no_point_and_a_line_no_meter(cast: Cast) -> None:
    route, meter = _made(_route(cast)), {"itemName": "运行小时", "valueType": 6}
    with tenant_scope(A):
        cast.machine("M2").change({"is_sealed": True})
        line = cast.machine("M1").parent
    assert line is not None and line.node_type == NodeType.LINE
    standard = _made(
        cast.client_for("equip_manager").post_json(
            f"{STANDARDS}/save", {"configCode": "S9", "configName": "抄表", "items": [meter]}
        )
    )
    before, told = checksum(A), "产线、区域没有计数器，不能抄表"
    assert _point(cast, route, "P1", machineId=str(cast.machine("M2").pk)).data["fields"] == {
        "machineId": "「磨床」已封存，不能使用"
    }
    at_line = {"machineId": str(line.pk)}
    assert _point(cast, route, "P1", items=[meter], **at_line).data["fields"] == {"items": told}
    assert _point(cast, route, "P1", configIds=standard, **at_line).data["fields"] == {"configIds": told}
    assert checksum(A) == before
    _made(_point(cast, route, "P1", items=[meter], configIds=standard))
    _made(_point(cast, route, "P2", **at_line))


def test_a_route_has_two_hundred_points_at_most(cast: Cast) -> None:
    route, machine = _made(_route(cast)), cast.machine("M1")
    with tenant_scope(A):
        RoutePoint.objects.bulk_create(
            RoutePoint(group_id=int(route), machine=machine, point_code=f"B{n}", point_name="点", own_count=1)
            for n in range(199)
        )
    _made(_point(cast, route, "P200"))
    before = checksum(A)
    assert _point(cast, route, "P201").data["fields"] == {"groupId": "一条路线最多200个点位"}
    assert checksum(A) == before


def test_points_are_put_in_order_only_as_a_whole(cast: Cast) -> None:
    route = _made(_route(cast))
    ids = [_made(_point(cast, route, code)) for code in ("P1", "P2", "P3")]
    manager = cast.client_for("equip_manager")

    def sort(*given: str, by: Any = manager) -> Body:
        return by.post_json(f"{POINTS}/sort", {"groupId": route, "ids": ",".join(given)})  # type: ignore[no-any-return]

    before = checksum(A)
    assert (sort(ids[2], ids[0]).status, sort(ids[0], ids[1], ids[2], "7").status) == (409, 409)
    assert sort(*ids, by=cast.client_for("shift_leader")).status == 403
    assert sort(*ids, by=cast.client_for("equip_manager", B)).status == 404
    assert sort(*ids).status == 200  # as they are
    assert checksum(A) == before
    assert sort(ids[2], ids[0], ids[1]).status == 200
    assert _codes(cast, route) == ["P3", "P1", "P2"]


def test_a_copy_of_a_route_has_copies_of_its_points(cast: Cast) -> None:
    route, standard = _made(_route(cast)), _standard(cast)
    _made(_point(cast, route, "P1", configIds=standard))
    _made(_point(cast, route, "P2", photoRequired=1, lng=118.5, lat=32.25, radius=60))
    copy = _made(_route(cast, "R2", copyFrom=route))
    assert _codes(cast, copy) == ["R2-01", "R2-02"]
    viewer = cast.client_for("viewer")
    [first, second] = viewer.get(f"{POINTS}/getList", groupId=copy).data
    assert [item["itemName"] for item in first["items"]] == ["项0", "项1", "油位"]
    detail = viewer.get(f"{POINTS}/detail", id=second["id"]).data
    assert [detail[name] for name in ("photoRequired", "lng", "lat", "radius", "itemCount")] == [1, 118.5, 32.25, 60, 1]
    originals = viewer.get(f"{POINTS}/getList", groupId=route).data
    assert originals[1]["items"][0]["itemId"] != second["items"][0]["itemId"]
    assert _codes(cast, route) == ["P1", "P2"]


def test_the_head_of_a_workshop_keeps_the_own_routes_alone(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    with tenant_scope(A):
        from core.access.models import Role, UserRole

        head = cast.user("operator2")
        UserRole.objects.filter(user=head).delete()
        UserRole.objects.create(user=head, role=Role.objects.get(role_alias="workshop_head"))
    repair = str(cast.user("equip_manager").dept_id)
    caller = cast.anew("operator2")
    own, foreign = _made(_route(cast)), _made(_route(cast, "R2", deptId=repair))
    theirs = _made(_point(cast, foreign, "F1"))
    before = checksum(A)
    leader = str(cast.user("shift_leader").pk)
    body = {"groupCode": "R3", "groupName": "三", "leaderId": leader, "deptId": repair}
    assert caller.post_json(f"{ROUTES}/submit", body).status == 403
    for path, row_id in ((ROUTES, foreign), (POINTS, theirs)):
        assert caller.get(f"{path}/detail", id=row_id).status == 404
        assert caller.post_json(f"{path}/remove", ids=row_id).status == 404
    point = {
        "groupId": foreign, "machineId": str(cast.machine("M1").pk), "pointCode": "N", "pointName": "N", "items": [OIL],
    }  # fmt: skip
    assert caller.post_json(f"{POINTS}/save", point).status == 403
    assert caller.change(ROUTES, {"id": own, "deptId": repair}).status == 403
    assert checksum(A) == before
    assert caller.change(ROUTES, {"id": own, "remark": "改"}).status == 200
    assert caller.post_json(f"{POINTS}/save", {**point, "groupId": own}).status == 200
    assert [row["groupCode"] for row in caller.get(f"{ROUTES}/getList").data] == ["R1"]
    assert [row["groupCode"] for row in admin.get(f"{ROUTES}/getList").data] == ["R1", "R2"]


def test_what_points_use_is_not_removed(cast: Cast) -> None:
    route, standard = _made(_route(cast)), _standard(cast)
    point = _made(_point(cast, route, "P1", configIds=standard))
    manager = cast.client_for("equip_manager")
    before = checksum(A)
    used = manager.post_json(f"{STANDARDS}/remove", ids=standard)
    assert (used.status, used.msg) == (409, "「标准S1」正在使用中（点检点位：1），不能删除")
    assert manager.post_json(f"{ROUTES}/remove", ids=route).msg == "「路线R1」正在使用中（点检点位：1），不能删除"
    machine = manager.post_json("yuzhu-equip/inspectmachine/remove", ids=str(cast.machine("M1-SPINDLE").pk))
    assert machine.status == 200
    assert manager.post_json("yuzhu-equip/inspectmachine/remove", ids=str(cast.machine("M1").pk)).status == 409
    assert checksum(A) != before
    for path, row_id in ((POINTS, point), (ROUTES, route), (STANDARDS, standard)):
        assert manager.post_json(f"{path}/remove", ids=row_id).status == 200


def test_other_standards_are_a_change_of_the_point(cast: Cast) -> None:
    route, first, second = _made(_route(cast)), _standard(cast), _standard(cast, "S2")
    manager = cast.client_for("equip_manager")
    point = _made(_point(cast, route, "P1", configIds=f"{second},{first}"))
    read = manager.get(f"{POINTS}/detail", id=point).data
    assert (read["configIds"], read["configNames"]) == (f"{second},{first}", "标准S2、标准S1")
    given = {"id": point, "lockVersion": read["lockVersion"], "configIds": first}
    assert manager.post_json(f"{POINTS}/update", given).status == 200
    late = manager.post_json(f"{POINTS}/update", {**given, "configIds": second})
    assert (late.status, late["error"]) == (409, "data.changed")
    found = manager.get(f"{POINTS}/list", configId=first).data["records"]
    assert [row["configIds"] for row in found] == [first]
    assert manager.get(f"{POINTS}/list", configId=second).data["total"] == 0


def test_the_points_of_a_route_cost_the_same_however_many(cast: Cast) -> None:
    route, standard = _made(_route(cast)), _standard(cast)
    viewer, counts = cast.client_for("viewer"), []
    for number in range(4):
        _made(_point(cast, route, f"P{number}", configIds=standard))
        with CaptureQueriesContext(connection) as captured:
            assert len(viewer.get(f"{POINTS}/getList", groupId=route).data) == number + 1
        counts.append(len(captured))
    assert counts[1] == counts[-1]


def test_people_who_may_also_inspect_are_people_of_the_company(cast: Cast) -> None:
    mate, stranger = cast.user("operator"), cast.user("operator", B)
    before = checksum(A)
    refused = _route(cast, userIds=f"{mate.pk},{stranger.pk}")
    assert (refused.status, refused.data["fields"]) == (400, {"userIds": "数据不存在或已被删除"})
    assert checksum(A) == before
    made = _made(_route(cast, userIds=str(mate.pk)))
    assert cast.client_for("viewer").get(f"{ROUTES}/detail", id=made).data["userNames"] == "秦操"


def _import(cast: Cast, heads: list[str], *lines: list[Any], **more: Any) -> Body:
    book, out = Workbook(), io.BytesIO()
    for line in (heads, *lines):
        book.active.append(line)
    book.save(out)
    file = SimpleUploadedFile("p.xlsx", out.getvalue())
    return cast.client_for("equip_manager").post_form(f"{POINTS}/import", file=file, **more)


def test_a_sheet_names_assets_and_standards_by_their_codes(cast: Cast) -> None:
    route, first, second = _made(_route(cast)), _standard(cast), _standard(cast, "S2")
    heads = ["点检路线编号", "点位编号", "点位名称", "设备编号", "点检标准编号"]
    before = checksum(A)
    lines = [["R1", "P1", "一", "M1", "S1,S9"], ["R1", "P2", "二", "M9", "S1"], ["R1", "P3", "三", "M1"]]
    wrong = _import(cast, heads, *lines)
    assert [(error["row"], error["field"], error["text"]) for error in wrong.data["errors"]] == [
        (2, "点检标准编号", "没有「S9」这个选项"),
        (3, "设备", "没有「M9」这个选项"),
        (4, "", "点位至少需要一个检查项"),
    ]
    assert checksum(A) == before
    lines = [["R1", "P1", "一", "M1", "S2，S1"], ["R1", "P2", "二", "M2", "S1"]]
    assert _import(cast, heads, *lines).data == {"created": 2, "updated": 0}
    rows = cast.client_for("viewer").get(f"{POINTS}/list", groupId=route).data["records"]
    assert [(row["pointCode"], row["sort"], row["configIds"]) for row in rows] == [
        ("P1", 10, f"{second},{first}"), ("P2", 20, first),
    ]  # fmt: skip
    assert _import(cast, heads, ["R1", "P1", "一", "M1", "S1"], isCovered="1").data == {"created": 0, "updated": 1}
    assert cast.client_for("viewer").get(f"{POINTS}/list", pointCode="P1").data["records"][0]["configIds"] == first


def test_a_sheet_fills_a_route_to_two_hundred_points_and_no_further(cast: Cast) -> None:
    route, machine = _made(_route(cast)), cast.machine("M1")
    _standard(cast)
    with tenant_scope(A):
        RoutePoint.objects.bulk_create(
            RoutePoint(group_id=int(route), machine=machine, point_code=f"B{n}", point_name="点", own_count=1)
            for n in range(199)
        )
    before = checksum(A)
    heads = ["点检路线编号", "点位编号", "点位名称", "设备编号", "点检标准编号"]
    refused = _import(cast, heads, *(["R1", code, code, "M1", "S1"] for code in ("P1", "P2")))
    assert [(error["row"], error["text"]) for error in refused.data["errors"]] == [(3, "一条路线最多200个点位")]
    assert checksum(A) == before
