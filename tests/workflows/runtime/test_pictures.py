"""Pictures of definitions and of where an instance is, opened by a one-use ticket where no header can be sent."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client

from core.kernel.tenancy import tenant_scope
from tests.cast import A, B, Caller, Cast
from tests.workflows.drawings import HONEST, LINE, drawing
from workflows.engine.layout import layout
from workflows.runtime.definitions import library
from workflows.runtime.tables.deployments.models import Definition
from workflows.runtime.tables.instances.models import ProcessInstance

PROCESS = "blade-flow/process"
TICKET = "blade-auth/oauth/ticket"
META = {"key": "own", "name": "自有", "name_en": "", "category": "flow_1", "business_type": "", "nodes": {}}


def picture(caller: Caller, path: str, **asked: Any) -> Any:
    """The answer to a call with the token's header."""
    return Client().get(f"/api/{path}", asked, headers=caller._headers())


def groups(content: bytes, name: str) -> list[str]:
    """The texts of the groups of a class."""
    root = ElementTree.fromstring(content)
    found = [element for element in root.iter() if element.get("class") == name]
    return [
        "".join(text for one in group.iter() if one.tag.endswith("tspan") for text in one.itertext()) for group in found
    ]


@pytest.fixture
def instance(cast: Cast) -> int:
    """A reported order that waits for its dispatch."""
    body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响"}
    cast.client_for("operator").post_json("yuzhu-equip/repairorder/save", body)
    with tenant_scope(A):
        return int(ProcessInstance.objects.get().pk)


def test_a_picture_shows_what_is_done_and_for_whom_it_waits(cast: Cast, instance: int) -> None:
    answer = picture(cast.client_for("repair_leader"), f"{PROCESS}/diagram-view", processInstanceId=instance)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/svg+xml; charset=utf-8")
    assert answer["Cache-Control"] == "no-store"
    assert groups(answer.content, "open") == ["派单"]
    assert "登记报修" in groups(answer.content, "done")
    assert "维修班长" in answer.content.decode()
    english = picture(
        cast.client_for("repair_leader").in_english(), f"{PROCESS}/diagram-view", processInstanceId=instance
    )
    assert groups(english.content, "open") == ["Dispatch"]


def test_who_does_not_see_the_record_sees_no_picture(cast: Cast, instance: int) -> None:
    for account, tenant, status in (("repairer_other", A, 404), ("tenant_admin", B, 404), ("viewer", A, 200)):
        caller = cast.client_for(account, tenant)
        asked = {"processInstanceId": instance}
        assert picture(caller, f"{PROCESS}/diagram-view", **asked).status_code == status, account
        assert caller.get(f"{PROCESS}/model-view", **asked).status == status
        assert caller.get(f"{PROCESS}/history-flow-list", **asked).status == status


def test_a_definition_is_shown_to_those_who_may_start_it(cast: Cast) -> None:
    general = Definition.objects.get(key="repairorder", is_general=True)
    own = library.deploy(drawing(LINE, "own"), META, A)
    for tenant, definition, status in ((A, general, 200), (B, general, 200), (A, own, 200), (B, own, 404)):
        caller = cast.client_for("operator", tenant)
        asked = {"processDefinitionId": definition.pk}
        assert picture(caller, f"{PROCESS}/resource-view", **asked).status_code == status
        found = caller.get(f"{PROCESS}/model-view", **asked)
        assert found.status == status
        if status == 200:
            assert found.data["xml"] == bytes(definition.xml).decode()
            assert (found.data["done"], found.data["open"], found.data["finished"]) == ({}, [], False)
    Definition.objects.filter(pk=own.pk).update(is_deleted=True)
    assert (
        picture(cast.client_for("operator"), f"{PROCESS}/resource-view", processDefinitionId=own.pk).status_code == 404
    )
    assert cast.client_for("operator").get(f"{PROCESS}/model-view").status == 400


@pytest.mark.parametrize("call", ["diagram-view", "resource-view"])
def test_a_ticket_opens_it_once_without_a_header(cast: Cast, instance: int, call: str) -> None:
    general = Definition.objects.get(key="repairorder", is_general=True)
    asked = {"diagram-view": f"processInstanceId={instance}", "resource-view": f"processDefinitionId={general.pk}"}
    address = f"/api/{PROCESS}/{call}?{asked[call]}"
    assert Client().get(address).status_code == 401
    leader = cast.client_for("repair_leader")
    ticketed = leader.post_json(TICKET, {"address": address}).data["address"]
    first = Client().get(ticketed, headers={"Accept": "image/avif,image/svg+xml,image/*,*/*;q=0.8"})
    assert (first.status_code, first["Content-Type"]) == (200, "image/svg+xml; charset=utf-8")
    assert Client().get(ticketed).status_code == 401
    other = leader.post_json(TICKET, {"address": address}).data["address"]
    assert Client().get(other.replace(call, "model-view")).status_code == 401


def test_a_drawing_without_a_diagram_is_laid_out(cast: Cast) -> None:
    for name, xml in HONEST.items():
        found = layout(xml)
        places = [(round(box.x), round(box.y)) for box in found.boxes]
        assert len(set(places)) == len(places), name
        assert all(len(line.points) > 1 for line in found.lines), name


def test_numbers_of_a_diagram_that_are_none_lay_it_out_anew() -> None:
    plane = '<bpmndi:BPMNDiagram xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC"><bpmndi:BPMNPlane>'
    for x in ("NaN", "inf", "1e300", "", "x", "-1e9"):
        shapes = "".join(
            f'<bpmndi:BPMNShape bpmnElement="{name}"><dc:Bounds x="{x}" y="1" width="1" height="1"/></bpmndi:BPMNShape>'
            for name in "swe"
        )
        xml = drawing(LINE).replace(
            b"</definitions>", f"{plane}{shapes}</bpmndi:BPMNPlane></bpmndi:BPMNDiagram></definitions>".encode()
        )
        assert [box.x for box in layout(xml).boxes] == [62.0, 190.0, 382.0]
