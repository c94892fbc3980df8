"""One key, one effect: a repeated request is answered with the stored answer."""

from __future__ import annotations

from typing import Any

from core.audit.models import Event
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder
from tests.cast import A, Cast

SAVE = "yuzhu-equip/repairorder/save"


def _body(cast: Cast, **more: Any) -> dict[str, Any]:
    return {"machineId": str(cast.machine("M1").pk), "description": "主轴异响", **more}


def _orders() -> int:
    with tenant_scope(A):
        return RepairOrder.objects.count()  # type: ignore[no-any-return]


def test_the_same_request_under_one_key_is_carried_out_once(cast: Cast) -> None:
    operator = cast.client_for("operator")
    first = operator.post_json(SAVE, _body(cast), key="form-1")
    again = operator.post_json(SAVE, _body(cast), key="form-1")
    assert first == again
    assert _orders() == 1
    with tenant_scope(A):
        assert Event.objects.count() == 1


def test_another_request_under_the_key_is_a_conflict(cast: Cast) -> None:
    operator = cast.client_for("operator")
    operator.post_json(SAVE, _body(cast), key="form-1")
    answer = operator.post_json(SAVE, _body(cast, description="液压压力低"), key="form-1")
    assert (answer.status, answer["error"], answer.msg) == (409, "request.keyReused", "同一个幂等键已用于另一个请求")
    assert _orders() == 1


def test_a_key_that_is_too_long_is_refused_and_not_cut(cast: Cast) -> None:
    operator = cast.client_for("operator")
    assert operator.post_json(SAVE, _body(cast), key="k" * 80).status == 200
    answer = operator.post_json(SAVE, _body(cast), key="k" * 81)
    assert (answer.status, answer["error"], answer.msg) == (400, "input.invalid", "Idempotency-Key长度不能超过80个字符")
    assert _orders() == 1


def test_keys_are_ones_own(cast: Cast) -> None:
    first = cast.client_for("operator").post_json(SAVE, _body(cast), key="form-1").data
    other = cast.client_for("operator2").post_json(SAVE, _body(cast, force=1), key="form-1").data
    assert first["id"] != other["id"]
    assert _orders() == 2


def test_a_refused_request_leaves_its_key_free(cast: Cast) -> None:
    operator = cast.client_for("operator")
    assert operator.post_json(SAVE, _body(cast, description="x"), key="form-1").status == 400
    assert operator.post_json(SAVE, _body(cast), key="form-1").status == 200
    assert _orders() == 1


def test_a_question_back_stores_nothing_and_leaves_the_key_free(cast: Cast) -> None:
    operator, noise = cast.client_for("operator"), {"faultTagIds": str(cast.tag("异响").pk)}
    operator.post_json(SAVE, _body(cast, **noise), key="form-1")
    asked = operator.post_json(SAVE, _body(cast, **noise), key="form-2").data
    assert (asked["needConfirm"], len(asked["orders"]), _orders()) == (True, 1, 1)
    with tenant_scope(A):
        assert Event.objects.count() == 1
    assert operator.post_json(SAVE, _body(cast, **noise, force=1), key="form-2").status == 200
    assert _orders() == 2


def test_plain_nouns_keep_the_promise_too(cast: Cast) -> None:
    manager, path = cast.client_for("equip_manager"), "yuzhu-equip/inspectmachine"
    common = {"deptId": str(cast.machine("M1").dept_id), "typeId": str(cast.machine_class("LATHES").pk)}
    bodies = [{"machineCode": code, "machineName": "新", "nodeType": 4, **common} for code in ("N1", "N2")]
    made = [manager.post_json(f"{path}/submit", body, key=body["machineCode"]) for body in bodies]
    assert manager.post_json(f"{path}/submit", bodies[0], key="N1") == made[0]
    ids = ",".join(answer.data["id"] for answer in made)
    removed = [manager.post_json(f"{path}/remove", ids=ids, key="gone") for _ in range(2)]
    assert [answer.status for answer in removed] == [200, 200]
    with tenant_scope(A):
        events = list(Event.objects.order_by("id").values_list("operation", "remark"))
    assert events == [("inspectmachine.add", "新"), ("inspectmachine.add", "新"), ("inspectmachine.delete", "新，新")]
