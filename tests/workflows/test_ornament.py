"""The process moves the order: what is not in the model is passed through neither door; only effects set states."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from lxml import etree

from core import ports
from core.audit.models import Event
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder
from tests.cast import A, Body, Cast
from workflows import engine
from workflows.runtime.definitions import library
from workflows.runtime.tables.deployments.models import Definition
from workflows.runtime.tables.worklist.models import WorkItem

NS = {"b": "http://www.omg.org/spec/BPMN/20100524/MODEL"}
MODEL = settings.MODELS_DIR / "repairorder"


def _without(node: str) -> bytes:
    """The shipped model with one user task taken out: what came in goes where the task went."""
    tree = etree.fromstring((MODEL / "repairorder.bpmn").read_bytes())
    (task,) = tree.xpath(f"//b:userTask[@id='{node}']", namespaces=NS)
    (out,) = tree.xpath(f"//b:sequenceFlow[@sourceRef='{node}']", namespaces=NS)
    target = out.get("targetRef")
    (after,) = tree.xpath(f"//*[@id='{target}']")
    for flow in tree.xpath(f"//b:sequenceFlow[@targetRef='{node}']", namespaces=NS):
        flow.set("targetRef", target)
        incoming = etree.SubElement(after, f"{{{NS['b']}}}incoming")
        incoming.text = flow.get("id")
        after.insert(0, incoming)
    for incoming in after.findall("b:incoming", NS):
        if incoming.text == out.get("id"):
            after.remove(incoming)
    gone = {node, out.get("id")}
    over = [task, out, *tree.xpath(f"//b:boundaryEvent[@attachedToRef='{node}']", namespaces=NS)]
    while over:  # with the task go its boundary events, and what only they lead to
        element = over.pop()
        element.getparent().remove(element)
        gone.add(element.get("id"))
        over += tree.xpath(f"//b:sequenceFlow[@sourceRef='{element.get('id')}']", namespaces=NS)
        if element.get("targetRef") and element is not out:
            over += tree.xpath(f"//*[@id='{element.get('targetRef')}']")
    for shape in tree.xpath("//*[@bpmnElement]"):
        if shape.get("bpmnElement") in gone:
            shape.getparent().remove(shape)
    return etree.tostring(tree)


@pytest.fixture
def plant(cast: Cast) -> Iterator[Cast]:
    """The cast, whose company A starts a version of its own without the step `check`."""
    meta = dict(Definition.objects.get(key="repairorder", is_general=True).meta)
    library.deploy(_without("check"), meta, A)
    return cast


def _report(cast: Cast) -> dict[str, Any]:
    body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响"}
    return cast.client_for("operator").post_json("yuzhu-equip/repairorder/save", body).data  # type: ignore[no-any-return]


def _act(cast: Cast, account: str, order: dict[str, Any], action: str, **values: Any) -> Body:
    body = {"id": order["id"], "lockVersion": order["lockVersion"], "action": action, **values}
    return cast.client_for(account).post_json("yuzhu-equip/repairorder/update", body)


def test_a_step_taken_out_of_the_model_is_passed_through_neither_door(plant: Cast) -> None:
    order = _report(plant)
    order = _act(plant, "repair_leader", order, "dispatch", repairUserId=str(plant.user("repairer").pk)).data
    order = _act(plant, "repairer", order, "accept").data
    end = clock.now()
    # Not before the minute of the report, whenever the test runs.
    times = {"startTime": end.replace(second=0, microsecond=0).isoformat(), "endTime": end.isoformat()}
    line = {"orderId": order["id"], **times}
    assert plant.client_for("repairer").post_json("yuzhu-equip/repairorderdetail/submit", line).code == 200
    words = {"causeTagId": str(plant.tag("磨损").pk), "actionTagIds": str(plant.tag("更换").pk)}
    order = _act(plant, "repairer", order, "finish", solution="换轴承", **words).data
    # Nobody checked: the drawn model knows no such step, and its own effects closed the order.
    assert order["status"] == 6
    with tenant_scope(A):
        before = RepairOrder.objects.values().get(pk=order["id"])
        events = list(Event.objects.order_by("id").values_list("operation", "effects"))
        items = list(WorkItem.objects.order_by("id").values_list("node", "state"))
    assert items == [("dispatch", 2), ("accept", 2), ("repair", 2)]
    assert events[-1] == ("repairorder.finish", ["repairorder.finished", "repairorder.passed"])

    through_record = _act(plant, "operator", order, "check", checkResult=2, checkRemark="还响")
    assert (through_record.status, through_record["error"]) == (400, "order.wrongState")
    assert through_record.msg == "当前状态为「已完成」，不能验收"
    with tenant_scope(A):
        last = WorkItem.objects.order_by("id").last()
    through_queue = plant.client_for("operator").post_json(
        "blade-flow/work/complete-task", {"taskId": str(last.pk), "outcome": "fail", "comment": "还响"}
    )
    assert through_queue.status == 403
    with tenant_scope(A):
        assert RepairOrder.objects.values().get(pk=order["id"]) == before
        assert WorkItem.objects.count() == 3


def test_the_other_tenant_and_running_orders_keep_the_general_model(plant: Cast) -> None:
    body = {"machineId": str(plant.machine("M1", "100002").pk), "description": "主轴异响"}
    theirs = plant.client_for("operator", "100002").post_json("yuzhu-equip/repairorder/save", body).data
    detail = plant.client_for("tenant_admin", "100002").get("yuzhu-equip/repairorder/detail", id=theirs["id"]).data
    general = Definition.objects.get(key="repairorder", is_general=True)
    assert detail["processDefinitionId"] == str(general.pk)


def test_a_suspended_own_version_blocks_and_does_not_fall_through(plant: Cast) -> None:
    Definition.objects.filter(tenant_id=A).update(is_active=False)
    body = {"machineId": str(plant.machine("M1").pk), "description": "主轴异响"}
    answer = plant.client_for("operator").post_json("yuzhu-equip/repairorder/save", body)
    assert (answer.status, answer["error"]) == (409, "workflow.suspended")
    assert answer.msg == "流程「设备维修」已暂停，不能发起"
    with tenant_scope(A):
        assert RepairOrder.objects.count() == 0


def _assignments(tree: ast.AST) -> list[int]:
    found = []
    for node in ast.walk(tree):
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AugAssign) else []
        )
        found += [t.lineno for t in targets if isinstance(t, ast.Attribute) and t.attr == "status"]
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in (
            "RepairOrder",
            "update",
        ):
            found += [node.lineno for word in node.keywords if word.arg == "status"]
    return found


def test_only_effects_assign_the_status_of_an_order() -> None:
    places = {}
    for folder in ("core/maintenance", "core/cases"):
        for path in Path(settings.BASE_DIR, folder).rglob("*.py"):
            lines = _assignments(ast.parse(path.read_text(encoding="utf-8")))
            if lines:
                places[f"{folder}/{path.name}"] = len(lines)
    assert places == {"core/cases/effects.py": 1}


def test_every_effect_the_model_calls_is_registered() -> None:
    model = engine.parse((MODEL / "repairorder.bpmn").read_bytes())
    called = {node.extensions["operation"] for node in model.nodes.values() if node.kind == "serviceTask"}
    assert called == set(ports.effects["repairorder"].effects)
    dues = {node.extensions["due"] for node in model.nodes.values() if "due" in node.extensions}
    assert dues <= set(ports.effects["repairorder"].dues)
