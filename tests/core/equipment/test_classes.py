"""Machine classes: a tree with rules of its own, what machines take from it, and what is looked for by it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from core.equipment.models import Machine, MachineClass
from core.kernel.tenancy import tenant_scope
from core.maintenance import operations
from tests.cast import A, Body, Cast
from tests.checksums import checksum

CLASSES = "yuzhu-equip/inspecttype"
MACHINES = "yuzhu-equip/inspectmachine"
ORDERS = "yuzhu-equip/repairorder"


def _submit(cast: Cast, **values: Any) -> Body:
    manager = cast.client_for("equip_manager")
    return manager.change(CLASSES, values) if "id" in values else manager.post_json(f"{CLASSES}/submit", values)


def _add(cast: Cast, code: str, parent: str = "0", **more: Any) -> str:
    answer = _submit(cast, typeCode=code, typeName=more.pop("typeName", code), parentId=parent, **more)
    assert answer.status == 200, answer
    return str(answer.data["id"])


def _id(cast: Cast, code: str) -> str:
    return str(cast.machine_class(code).pk)


def _machine(cast: Cast, **values: Any) -> Body:
    body = {"machineCode": "N1", "machineName": "新", "deptId": str(cast.machine("M1").dept_id), "nodeType": 4}
    manager, body = cast.client_for("equip_manager"), {**body, **values}
    return manager.change(MACHINES, body) if "id" in body else manager.post_json(f"{MACHINES}/submit", body)


def _seal(code: str) -> None:
    with tenant_scope(A):
        MachineClass.objects.filter(type_code=code).update(is_sealed=True)


# The tree


def test_a_class_tells_its_place_and_how_many_machines_are_below_it(cast: Cast) -> None:
    operator = cast.client_for("operator")
    found = operator.get(f"{CLASSES}/detail", id=_id(cast, "LATHES")).data
    tools = _id(cast, "TOOLS")
    assert (found["parentId"], found["parentName"], found["ancestors"], found["level"]) == (
        tools, "机床", f"0,{tools}", 2,
    )  # fmt: skip
    assert (found["hasChildren"], found["machineCount"], found["defaultImportanceName"]) == (False, 1, "A关键")
    page = operator.in_english().get(f"{CLASSES}/list", size=1).data
    assert (page["total"], page["pages"], len(page["records"])) == (2, 2, 1)
    [root] = page["records"]
    assert (root["title"], root["parentId"], root["level"], root["machineCount"]) == ("Machine tools", "0", 1, 2)
    assert [(row["title"], row["machineCount"]) for row in root["children"]] == [("Lathes", 1), ("Grinders", 1)]
    assert "children" not in root["children"][0]


def test_levels_come_one_by_one_and_a_search_goes_over_all_of_them(cast: Cast) -> None:
    operator = cast.client_for("operator")

    def level(**given: str) -> list[tuple[str, bool, int]]:
        rows = operator.get(f"{CLASSES}/lazy-list", **given).data
        return [(row["typeCode"], row["hasChildren"], row["machineCount"]) for row in rows]

    assert level(parentId="0") == [("TOOLS", True, 2), ("PARTS", False, 1)]
    assert level(parentId=_id(cast, "TOOLS")) == [("LATHES", False, 1), ("GRINDERS", False, 1)]
    assert level(typeName="床类") == [("LATHES", False, 1), ("GRINDERS", False, 1)]
    assert level(typeCode="TOOLS") == [("TOOLS", True, 2)]
    assert level(parentId=_id(cast, "LATHES")) == []


def test_counting_costs_the_same_for_one_class_and_for_many(cast: Cast) -> None:
    operator = cast.client_for("operator")
    operator.get(f"{CLASSES}/list")
    costs = []
    for number in range(2):
        with CaptureQueriesContext(connection) as captured:
            assert len(operator.get(f"{CLASSES}/lazy-list").data) == 4 + 6 * number
        costs.append(len(captured))
        for place in range(6 * (1 - number)):
            _add(cast, f"C{place}", _id(cast, "TOOLS"))
    assert costs[0] == costs[1]


def test_a_class_moves_with_all_below_it_and_never_below_itself(cast: Cast) -> None:
    leaf = _add(cast, "LEAF", _id(cast, "LATHES"))
    lathes, before = _id(cast, "LATHES"), checksum(A)
    for parent, text in ((lathes, "父节点不可选择自身!"), (leaf, "不能移动到自己的下级")):
        answer = _submit(cast, id=lathes, parentId=parent)
        assert (answer.status, answer["error"], answer.data["fields"]) == (400, "input.invalid", {"parentId": text})
    assert checksum(A) == before
    parts = _id(cast, "PARTS")
    assert _submit(cast, id=lathes, parentId=parts).status == 200
    with tenant_scope(A):
        assert MachineClass.objects.get(pk=leaf).path == f"/{parts}/{lathes}/{leaf}/"
    counts = {
        row["typeCode"]: row["machineCount"] for row in cast.client_for("viewer").get(f"{CLASSES}/list").data["records"]
    }
    assert counts == {"TOOLS": 1, "PARTS": 2}


def test_there_are_six_levels_for_what_is_made_and_for_what_is_moved(cast: Cast) -> None:
    parent = "0"
    chain = [parent := _add(cast, f"L{level}", parent) for level in range(1, 7)]
    before = checksum(A)
    too_deep = {"parentId": "设备类型的层级不能超过6级"}
    assert _submit(cast, typeCode="L7", typeName="L7", parentId=chain[5]).data["fields"] == too_deep
    pair = _add(cast, "P1")
    _add(cast, "P2", pair)
    assert _submit(cast, id=pair, parentId=chain[4]).data["fields"] == too_deep
    assert _submit(cast, id=pair, parentId=chain[3]).status == 200
    assert checksum(A) != before
    # What stands on the lowest level can still be changed where it stands.
    assert _submit(cast, id=chain[5], parentId=chain[4], remark="改").status == 200


def test_a_code_is_used_once_and_a_name_once_under_one_parent(cast: Cast) -> None:
    tools, parts = _id(cast, "TOOLS"), _id(cast, "PARTS")
    row = _add(cast, "X", parts, typeName="车床类")  # the same name under another parent
    before = checksum(A)
    for values, fields in (
        ({"typeCode": "LATHES", "typeName": "新"}, {"typeCode": "类型编号「LATHES」已存在"}),
        ({"typeCode": "Y", "typeName": "车床类", "parentId": tools}, {"typeName": "类型名称「车床类」已存在"}),
        ({"typeCode": "Y", "typeName": "机床", "parentId": "0"}, {"typeName": "类型名称「机床」已存在"}),
        ({"id": row, "parentId": tools}, {"typeName": "类型名称「车床类」已存在"}),
        ({"typeName": "无号"}, {"typeCode": "请输入类型编号"}),
        ({"typeCode": "Y", "typeName": "新", "sort": 10000}, {"sort": "排序应在0到9999之间"}),
    ):
        assert _submit(cast, **values).data["fields"] == fields
    assert checksum(A) == before
    with tenant_scope(A), pytest.raises(IntegrityError), transaction.atomic():
        MachineClass.objects.create(type_code="Z", type_name="机床")


def test_what_is_needed_is_not_removed(cast: Cast) -> None:
    manager, empty = cast.client_for("equip_manager"), _add(cast, "EMPTY")
    before = checksum(A)
    for code, text, english in (
        ("TOOLS", "存在下级类型，不能删除", "It has child types and cannot be deleted"),
        (
            "LATHES",
            "「车床类」正在使用中（设备：1），不能删除",
            '"Lathes" is in use (Asset: 1) and cannot be deleted',
        ),
    ):
        ids = f"{empty},{_id(cast, code)}"
        answer = manager.post_json(f"{CLASSES}/remove", ids=ids)
        assert (answer.status, answer.msg) == (409, text)
        assert manager.in_english().post_json(f"{CLASSES}/remove", ids=ids).msg == english
    assert checksum(A) == before
    assert manager.post_json(f"{CLASSES}/remove", ids=empty).status == 200
    assert _add(cast, "EMPTY") != empty


def test_everybody_reads_classes_and_the_equipment_manager_keeps_them(cast: Cast) -> None:
    tools, before = _id(cast, "TOOLS"), checksum(A)
    for account in ("operator", "repairer", "repair_leader", "shift_leader", "viewer"):
        caller = cast.client_for(account)
        assert caller.get(f"{CLASSES}/list").data["total"] == 2, account
        assert caller.post_json(f"{CLASSES}/submit", {"typeCode": "Y", "typeName": "Y"}).status == 403, account
        assert caller.change(f"{CLASSES}", {"id": tools, "typeName": "Y"}).status == 403, account
        assert caller.post_json(f"{CLASSES}/remove", ids=tools).status == 403, account
    assert checksum(A) == before


# Machines


def test_machines_and_components_need_a_class_and_areas_have_none(cast: Cast) -> None:
    before = checksum(A)
    lathes, m1, line = _id(cast, "LATHES"), str(cast.machine("M1").pk), str(cast.machine("LINE").pk)
    missing, none = {"typeId": "请选择设备类型"}, {"typeId": "厂区、车间、产线没有设备类型"}
    for values, fields in (
        ({}, missing),
        ({"nodeType": 5, "parentId": m1}, missing),
        ({"typeId": None}, missing),
        ({"nodeType": 3, "typeId": lathes}, none),
        ({"id": m1, "typeId": None}, missing),
        ({"id": line, "nodeType": 3, "typeId": lathes}, none),
    ):
        answer = _machine(cast, **values)
        assert (answer.status, answer["error"], answer.data.get("fields")) == (400, "input.invalid", fields), values
    assert checksum(A) == before
    made = _machine(cast, typeId=lathes).data["id"]
    reader = cast.client_for("operator")
    found = reader.get(f"{MACHINES}/detail", id=made).data
    assert (found["typeId"], found["typeName"]) == (lathes, "车床类")
    # A machine that turns out to be an area loses its class.
    assert _machine(cast, id=made, nodeType=3).status == 200
    found = reader.get(f"{MACHINES}/detail", id=made).data
    assert (found["typeId"], found["typeName"]) == (None, "")
    with tenant_scope(A), pytest.raises(IntegrityError), transaction.atomic():
        Machine.objects.filter(machine_code="M1").update(type=None)


@pytest.mark.parametrize(("given", "expected"), [({}, 1), ({"importance": 3}, 3)])
def test_a_new_machine_is_as_important_as_its_class_unless_somebody_says_otherwise(
    cast: Cast, given: dict[str, int], expected: int
) -> None:
    made = _machine(cast, typeId=_id(cast, "LATHES"), **given).data["id"]
    manager = cast.client_for("equip_manager")
    assert manager.get(f"{MACHINES}/detail", id=made).data["importance"] == expected
    assert _machine(cast, id=made, typeId=_id(cast, "GRINDERS")).status == 200
    assert manager.get(f"{MACHINES}/detail", id=made).data["importance"] == expected


def test_a_sealed_class_is_not_offered_and_not_taken_and_stays_where_it_is(cast: Cast) -> None:
    _seal("LATHES")
    lathes, grinders = _id(cast, "LATHES"), _id(cast, "GRINDERS")
    before = checksum(A)
    for answer in (_machine(cast, typeId=lathes), _machine(cast, id=str(cast.machine("M2").pk), typeId=lathes)):
        assert (answer.status, answer.data["fields"]) == (400, {"typeId": "「车床类」已封存，不能使用"})
    for values in ({"typeCode": "N", "typeName": "N"}, {"id": grinders}):
        assert _submit(cast, parentId=lathes, **values).data["fields"] == {"parentId": "「车床类」已封存，不能使用"}
    assert checksum(A) == before
    assert _machine(cast, id=str(cast.machine("M1").pk), machineName="改", typeId=lathes).status == 200
    [tools, parts] = cast.client_for("operator").in_english().get(f"{CLASSES}/tree").data
    assert [(node["title"], node["disabled"], node["defaultImportance"]) for node in tools["children"]] == [
        ("Lathes", True, 1),
        ("Grinders", False, 3),
    ]
    assert (tools["disabled"], parts["disabled"], parts["parentId"]) == (False, False, "0")


def test_machines_are_found_by_a_class_with_all_below_it(cast: Cast) -> None:
    caller = cast.client_for("operator")
    for code, expected in (("TOOLS", ["M1", "M2"]), ("GRINDERS", ["M2"]), ("PARTS", ["M1-SPINDLE"])):
        rows = caller.get(f"{MACHINES}/list", typeId=_id(cast, code)).data["records"]
        assert [row["machineCode"] for row in rows] == expected
    for wrong in ("7", "x", "9" * 30):
        assert caller.get(f"{MACHINES}/list", typeId=wrong).data["total"] == 0
        assert caller.get(f"{MACHINES}/getTreeList", typeId=wrong, withState=1).data == []


def test_machines_to_choose_from_say_what_they_are_and_where_they_stand(cast: Cast) -> None:
    caller = cast.client_for("operator")
    machine = cast.machine("M2")
    [found] = caller.get(f"{MACHINES}/getList", typeId=_id(cast, "TOOLS"), keyword="m2").data
    assert found == {
        "id": str(machine.pk), "machineCode": "M2", "machineName": "磨床", "model": "",
        "typeId": _id(cast, "GRINDERS"), "typeName": "磨床类", "deptName": "机加车间", "path": "厂区/车间/产线",
        "runState": 1, "runStateName": "运行",
    }  # fmt: skip

    def codes(**given: Any) -> list[str]:
        return [row["machineCode"] for row in caller.get(f"{MACHINES}/getList", **given).data]

    assert codes() == ["M1", "M2"]
    assert codes(nodeType=5) == ["M1-SPINDLE"]
    assert codes(nodeType="4,5", typeId=_id(cast, "PARTS")) == ["M1-SPINDLE"]
    assert codes(machineName="车") == ["M1"]
    assert codes(importance=1) == []
    assert codes(deptId=str(machine.dept_id)) == ["M1", "M2"]
    assert codes(deptId=str(cast.user("repairer").dept_id)) == []
    with tenant_scope(A):
        Machine.objects.filter(machine_code="M1").update(location="东跨二号柱", duty_user=cast.user("operator").pk)
        Machine.objects.filter(machine_code="M2").update(maintain_user=cast.user("repairer").pk)
    assert (codes(keyword="二号柱"), codes(keyword="m2"), codes(keyword="产线")) == (["M1"], ["M2"], ["M1", "M2"])
    assert (codes(mine=1), codes(mine=1, keyword="m2"), codes(mine=0)) == (["M1"], [], ["M1", "M2"])
    repairer = cast.client_for("repairer")
    assert [row["machineCode"] for row in repairer.get(f"{MACHINES}/getList", mine=1).data] == ["M2"]
    assert cast.client_for("equip_manager").get(f"{MACHINES}/getList", mine=1).data == []
    wrong = caller.get(f"{MACHINES}/getList", nodeType="x")
    assert (wrong.status, wrong.msg) == (400, "请求参数格式错误: nodeType")


def test_the_tree_keeps_the_ways_to_the_machines_of_a_class(cast: Cast) -> None:
    caller = cast.client_for("operator")

    def flat(nodes: list[Any]) -> list[tuple[str, str, int, int]]:
        found = []
        for node in nodes:
            found.append((node["machineCode"], node["typeName"], node["machineCount"], node["stopCount"]))
            found += flat(node.get("children", []))
        return found

    with tenant_scope(A):
        Machine.objects.filter(machine_code="M1").update(run_state=3)
    areas = [(code, "", 2, 1) for code in ("SITE", "SHOP", "LINE")]
    whole = [*areas, ("M1", "车床类", 1, 1), ("M1-SPINDLE", "部件", 0, 0), ("M2", "磨床类", 1, 0)]
    assert flat(caller.get(f"{MACHINES}/getTreeList", withState=1).data) == whole
    ways = [(code, "", 1, 0) for code in ("SITE", "SHOP", "LINE")]
    grinders = caller.get(f"{MACHINES}/getTreeList", typeId=_id(cast, "GRINDERS"), withState=1).data
    assert flat(grinders) == [*ways, ("M2", "磨床类", 1, 0)]
    parts = caller.get(f"{MACHINES}/getTreeList", typeId=_id(cast, "PARTS"), nodeTypes="1,2,3,4", withState=1).data
    assert flat(parts) == [*((code, "", 0, 0) for code in ("SITE", "SHOP", "LINE")), ("M1", "车床类", 0, 0)]


# Repair orders


def test_repair_orders_are_found_by_the_class_of_their_machine_in_one_more_statement(cast: Cast) -> None:
    with tenant_scope(A):
        for machine in ("M1", "M2", "M1-SPINDLE"):
            body = {"machineId": str(cast.machine(machine).pk), "description": "主轴异响", "title": machine}
            operations.save(cast.actor_for("operator"), body)
    manager = cast.client_for("equip_manager")

    def found(**given: str) -> list[str]:
        return sorted(row["title"] for row in manager.get(f"{ORDERS}/list", **given).data["records"])

    assert found(typeId=_id(cast, "TOOLS")) == ["M1", "M2"]
    assert found(typeId=_id(cast, "LATHES")) == ["M1"]
    assert found(typeId=_id(cast, "PARTS"), status="1") == ["M1-SPINDLE"]
    assert found(typeId=_id(cast, "PARTS"), status="6") == []
    assert found(typeId="7") == []
    costs = []
    for given in ({}, {"typeId": _id(cast, "LATHES")}, {"typeId": _id(cast, "TOOLS")}):
        with CaptureQueriesContext(connection) as captured:
            found(**given, ordinary="1")
        costs.append(len(captured))
    assert costs == [costs[0], costs[0] + 1, costs[0] + 1]
