"""Processes that call others: deployed together or one after the other, and run as one."""

from __future__ import annotations

import pytest

from core.kernel.tenancy import tenant_scope
from tests.cast import A, B, Caller, Cast
from tests.workflows.drawings import drawing
from tests.workflows.workbench.test_upload import send
from workflows.runtime.tables.deployments.models import Definition
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

INNER = (
    '<startEvent id="s"/><userTask id="look" name="查看" xw:candidates="role:equip_manager" xw:formKey="x"/>'
    '<endEvent id="e"/><f a="s" b="look"/><f a="look" b="e"/>'
)
OUTER = (
    '<startEvent id="s"/><callActivity id="call" name="调用" calledElement="inner"/><endEvent id="e"/>'
    '<f a="s" b="call"/><f a="call" b="e"/>'
)
CALLED, CALLER = drawing(INNER, "inner"), drawing(OUTER, "outer")
VIEW = "blade-flow/process/model-view"


@pytest.fixture
def designer(cast: Cast) -> Caller:
    """Who deploys models for company A."""
    return cast.client_for("flow_designer")


def problems(caller: Caller, files: dict[str, bytes]) -> list[tuple[str, str]]:
    """Elements and codes of why these files are refused; nothing is deployed."""
    before = Definition.objects.count()
    answer = send(caller, files)
    assert answer.status == 400, answer
    assert Definition.objects.count() == before
    return [(row["element"], row["code"]) for told in answer.data["files"] for row in told["problems"]]


def start(caller: Caller, key: str) -> str:
    """Start the newest version of the model; the id of the instance."""
    newest = Definition.objects.filter(key=key).latest("version")
    answer = caller.post_json("blade-flow/work/start-process", {"processDefinitionId": str(newest.pk), "variables": {}})
    assert answer.status == 200, answer
    return str(answer.data["processInstanceId"])


def open_nodes(instance: str) -> list[str]:
    """Nodes of the instance that people have to do."""
    with tenant_scope(A):
        rows = WorkItem.objects.filter(instance=instance, state=ItemState.OPEN)
        return list(rows.values_list("node", flat=True))


@pytest.mark.parametrize("together", [True, False])
def test_a_caller_runs_what_it_calls(cast: Cast, designer: Caller, together: bool) -> None:
    uploads = [{"o.bpmn": CALLER, "i.bpmn": CALLED}] if together else [{"i.bpmn": CALLED}, {"o.bpmn": CALLER}]
    for files in uploads:
        assert send(designer, files).status == 200
    row = Definition.objects.get(key="outer")
    assert (bytes(row.xml), row.meta["calls"]) == (CALLER, ["inner"])
    operator = cast.client_for("operator")
    instance = start(operator, "outer")
    assert open_nodes(instance) == ["call.look"]
    seen = operator.get(VIEW, processInstanceId=instance).data
    assert [one["node"] for one in seen["open"]] == ["call"]
    assert "call.look" not in seen["xml"]
    picture = operator.get("blade-flow/process/diagram-view", processInstanceId=instance)
    assert picture.status == 200


def test_what_runs_stays_on_what_it_called_then(cast: Cast, designer: Caller) -> None:
    send(designer, {"i.bpmn": CALLED})
    send(designer, {"o.bpmn": CALLER})
    operator = cast.client_for("operator")
    running = start(operator, "outer")
    send(designer, {"i.bpmn": drawing(INNER.replace('"look"', '"check"'), "inner")})
    assert open_nodes(running) == ["call.look"]
    assert open_nodes(start(operator, "outer")) == ["call.look"]
    assert send(designer, {"o.bpmn": CALLER}).data["files"][0]["status"] == "deployed"
    assert open_nodes(start(operator, "outer")) == ["call.check"]
    assert open_nodes(running) == ["call.look"]


def test_the_same_caller_is_a_new_version_when_what_it_calls_is(designer: Caller) -> None:
    for inner, status in ((INNER, "deployed"), (INNER, "unchanged"), (INNER.replace("查看", "检查"), "deployed")):
        send(designer, {"i.bpmn": drawing(inner, "inner")})
        assert send(designer, {"o.bpmn": CALLER}).data["files"][0]["status"] == status


def test_what_cannot_be_called_is_refused_at_the_call(cast: Cast, designer: Caller) -> None:
    assert problems(designer, {"o.bpmn": CALLER}) == [("call", "called_missing")]
    assert problems(designer, {"o.bpmn": drawing(OUTER.replace('"inner"', '"repairorder"'), "outer")}) == [
        ("call", "called_bound")
    ]
    assert problems(designer, {"o.bpmn": drawing(OUTER.replace('"inner"', '"outer"'), "outer")}) == [
        ("call", "called_loop")
    ]
    back = drawing(OUTER.replace('"inner"', '"outer"'), "inner")
    assert problems(designer, {"o.bpmn": CALLER, "i.bpmn": back}) == [("call", "called_loop"), ("call", "called_loop")]


def test_calls_of_calls_do_not_grow_without_bound(designer: Caller) -> None:
    two = OUTER.replace('<f a="s" b="call"/>', '<callActivity id="more" calledElement="inner"/><f a="s" b="more"/>')
    two += '<f a="more" b="call"/>'
    files = {
        f"{level}.bpmn": drawing(two.replace('"inner"', f'"level{level + 1}"'), f"level{level}") for level in range(18)
    }
    files["last.bpmn"] = drawing(INNER, "level18")
    assert {code for _element, code in problems(designer, files)} == {"too_many_nodes"}


def test_a_call_that_would_come_back_later_is_refused_too(designer: Caller) -> None:
    send(designer, {"i.bpmn": CALLED})
    send(designer, {"o.bpmn": CALLER})
    back = drawing(OUTER.replace('"inner"', '"outer"'), "inner")
    assert problems(designer, {"i.bpmn": back}) == [("call", "called_loop")]


def test_another_companys_process_cannot_be_called(cast: Cast, designer: Caller) -> None:
    assert send(cast.client_for("flow_designer", B), {"i.bpmn": CALLED}, tenantIds=B).status == 200
    assert problems(designer, {"o.bpmn": CALLER}) == [("call", "called_missing")]


def test_a_suspended_process_cannot_be_called(designer: Caller) -> None:
    send(designer, {"i.bpmn": CALLED})
    Definition.objects.filter(key="inner").update(is_active=False)
    assert problems(designer, {"o.bpmn": CALLER}) == [("call", "called_suspended")]


def test_a_drawing_is_asked_about_with_what_it_calls(designer: Caller) -> None:
    asked = {"xml": CALLER.decode()}
    found = designer.post_json("blade-flow/model/validate", asked).data
    assert [(row["element"], row["code"]) for row in found["problems"]] == [("call", "called_missing")]
    send(designer, {"i.bpmn": CALLED})
    assert designer.post_json("blade-flow/model/validate", asked).data["problems"] == []
