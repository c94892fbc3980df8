"""Trees: nobody moves a row below itself or too deep, not even two at once; a large one is counted whole."""

from __future__ import annotations

from contextlib import suppress
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest

from core.equipment.models import Machine, NodeType
from core.identity.models import Department, User
from core.kernel.tenancy import tenant_scope
from core.rest import changes, trees
from tests.at_once import at_once
from tests.cast import A, Caller, Cast

MACHINES, CLASSES, DEPTS = "yuzhu-equip/inspectmachine", "yuzhu-equip/inspecttype", "blade-system/dept"


def _chain(length: int, name: str) -> list[Machine]:
    """Components below each other; the first one is a machine at the root."""
    with tenant_scope(A):
        pattern, part, above, found = Machine.objects.get(machine_code="M1"), None, None, []
        part = Machine.objects.get(machine_code="M1-SPINDLE").type
        for number in range(length):
            above = Machine.objects.create(
                machine_code=f"{name}{number}", machine_name=name, dept=pattern.dept, type=part, parent=above,
                node_type=NodeType.COMPONENT if number else NodeType.MACHINE,
            )  # fmt: skip
            found.append(above)
    return found


def test_a_machine_moves_with_what_is_below_it_no_deeper_than_the_tree_goes(cast: Cast) -> None:
    manager, deep, pair = cast.client_for("equip_manager"), _chain(10, "D"), _chain(3, "P")
    move = {"id": str(pair[1].pk), "nodeType": 5}
    refused = manager.change(MACHINES, {**move, "parentId": str(deep[9].pk), "remark": "x" * 10})
    # The two that move would be the eleventh and the twelfth level: just room for them.
    assert refused.status == 200
    assert manager.change(MACHINES, {**move, "parentId": str(pair[0].pk)}).status == 200
    longer = _chain(4, "L")
    refused = manager.change(MACHINES, {"id": str(longer[1].pk), "parentId": str(deep[9].pk)})
    assert (refused.status, refused.data["fields"]) == (400, {"parentId": "设备的层级不能超过12级"})
    below = manager.change(MACHINES, {"id": str(longer[1].pk), "parentId": str(longer[2].pk)})
    assert below.data["fields"] == {"parentId": "不能移动到自己的下级"}


def test_a_department_is_never_deeper_than_its_path_has_room(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    with tenant_scope(A):
        above, other = None, Department.objects.create(dept_name="二")
        Department.objects.create(dept_name="二下", parent=other)
        for number in range(18):
            above = Department.objects.create(dept_name=f"级{number}", parent=above)
    assert above is not None
    refused = admin.change(DEPTS, {"id": str(other.pk), "parentId": str(above.pk)})
    assert (refused.status, refused.data["fields"]) == (400, {"parentId": "部门的层级不能超过19级"})
    body = {"deptName": "末", "sort": 1, "fullName": "末", "deptCategory": 2, "parentId": str(above.pk)}
    last = admin.post_json(f"{DEPTS}/submit", body)
    assert last.status == 200
    refused = admin.post_json(f"{DEPTS}/submit", {**body, "deptName": "过", "parentId": last.data["id"]})
    assert refused.data["fields"] == {"parentId": "部门的层级不能超过19级"}


def _each_other(caller: Caller, noun: str, ids: list[str]) -> list[int]:
    """Statuses of two moves at once, each of one row below the other."""
    bodies = [{**caller.version(noun, {"id": row}), "id": row, "parentId": other} for row, other in (ids, ids[::-1])]
    calls: Any = [lambda body=body: caller.post_json(f"{noun}/submit", body) for body in bodies]
    return sorted(answer.status for answer in at_once(calls))


@pytest.mark.django_db(transaction=True)
def test_two_who_move_rows_below_each_other_at_once_make_no_loop(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    meeting, check = Barrier(2), changes.check_version

    def wait_for_the_other(*given: Any) -> None:
        check(*given)
        # Without a lock of the tree both would come here with their rows; with it the other one waits before.
        with suppress(BrokenBarrierError):
            meeting.wait(1)

    monkeypatch.setattr(changes, "check_version", wait_for_the_other)
    keeper, admin = cast.client_for("equip_manager"), cast.client_for("tenant_admin")
    classes = [str(cast.machine_class(code).pk) for code in ("LATHES", "GRINDERS")]
    depts = [str(cast.user(account).dept_id) for account in ("operator", "viewer")]
    assert _each_other(keeper, CLASSES, classes) == [200, 400]
    assert _each_other(admin, DEPTS, depts) == [200, 400]
    with tenant_scope(A):
        for row in Department.objects.select_related("parent"):
            assert row.path == f"{row.parent.path if row.parent else '/'}{row.pk}/"


def test_a_plant_of_more_than_five_thousand_nodes_is_counted_whole(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    line = cast.machine("LINE")
    with tenant_scope(A):
        pattern = Machine.objects.get(machine_code="M1")
        rows = [
            Machine(machine_code=f"X{n}", machine_name="机", dept=pattern.dept, type=pattern.type, parent=line)
            for n in range(5100)
        ]
        for row in rows:
            row.path = f"{line.path}{row.pk}/"
        Machine.objects.bulk_create(rows)
    operator = cast.client_for("operator")
    (site,) = operator.get(f"{MACHINES}/getTreeList", nodeTypes="1", withState=1).data
    assert site["machineCount"] == 5102
    monkeypatch.setattr(trees, "MOST_ROWS", 5000)
    for call in (f"{MACHINES}/getTreeList", f"{CLASSES}/tree"):
        monkeypatch.setattr(trees, "MOST_ROWS", 3)
        refused = operator.get(call)
        assert (refused.status, refused["error"]) == (400, "tree.tooLarge")
        assert refused.msg == "节点超过3个，请逐级展开或缩小筛选范围"


def test_whoever_is_responsible_is_offered_however_many_others_there_are(cast: Cast) -> None:
    from core.access.models import Role, UserRole
    from core.maintenance import people

    with tenant_scope(A):
        role, dept = Role.objects.get(role_alias="repairer"), cast.user("repairer").dept
        many = [User(account=f"a{n}", real_name=f"A{n:03}", dept=dept, password="x") for n in range(210)]
        last = User(account="zz", real_name="周", dept=dept, password="x")
        User.objects.bulk_create([*many, last])
        UserRole.objects.bulk_create(UserRole(user=user, role=role) for user in (*many, last))
        machine = cast.machine("M1")
        machine.duty_user = last
        machine.save()
        offered = people.repairers(machine.pk)
        assert len(offered) == people.MOST
        assert offered[0].pk == last.pk
        # The team comes next.
        assert {one.real_name for one in offered[1:3]} == {"蒋修", "沈修"}
        assert [one.is_of_team for one in offered[:4]] == [False, True, True, False]
