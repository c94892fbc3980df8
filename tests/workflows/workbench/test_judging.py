"""Drafts and uploads are read and judged before the write begins: nobody waits, and what changes meanwhile is seen."""

from __future__ import annotations

from typing import Any

import pytest

from core.audit.models import Event
from core.kernel.tenancy import tenant_scope
from tests import writes
from tests.at_once import at_once
from tests.cast import A, Cast
from tests.workflows.drawings import LINE, drawing, line
from tests.workflows.workbench.test_drafts import LATER, MODEL, add, save
from tests.workflows.workbench.test_upload import GOOD, OTHER, send
from workflows import engine
from workflows.runtime.tables.deployments.models import Definition
from workflows.workbench import gate

CALLER = drawing(line('<callActivity id="w" calledElement="good"/>'), "caller")


def _deploy(caller: Any, draft: str, **more: Any) -> Any:
    return caller.post_json(f"{MODEL}/deploy", modelId=draft, tenantIds=A, category="flow_1", confirm=1, **more)


def _own() -> list[tuple[str, int]]:
    return list(Definition.objects.filter(tenant_id=A).order_by("key", "version").values_list("key", "version"))


@pytest.mark.django_db(transaction=True)
def test_no_write_is_open_while_models_are_read_and_judged(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    designer, seen = cast.client_for("flow_designer"), list[bool]()
    draft = add(designer).data["id"]
    for module, name in ((gate, "examine"), (engine, "parse"), (engine, "rehearse")):
        monkeypatch.setattr(module, name, writes.noting(seen, getattr(module, name)))
    assert _deploy(designer, draft).status == 200
    assert (len(seen), any(seen)) == (3, False)
    assert send(designer, {"good.bpmn": GOOD, "other.bpmn": OTHER}).status == 200
    assert (len(seen), any(seen)) == (9, False)
    assert _own() == [("good", 1), ("other", 1), ("trip", 1)]


@pytest.mark.django_db(transaction=True)
def test_a_draft_that_is_saved_while_it_is_judged_is_not_deployed(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    """The colleague who saves does not wait; who deploys is told to look again."""
    designer, colleague, saved = cast.client_for("flow_designer"), cast.client_for("tenant_admin"), list[Any]()
    draft = add(designer).data["id"]

    def meanwhile() -> None:
        if not saved:
            saved.extend(at_once([lambda: save(colleague, draft, 1, xml=LATER)]))

    monkeypatch.setattr(gate, "examine", writes.noting([], gate.examine, meanwhile))
    answer = _deploy(designer, draft, key="d1")
    assert [one.data for one in saved] == [{"id": draft, "version": 2}]
    assert (answer.status, answer["error"], answer.data["version"]) == (409, "model.changed", 2)
    assert answer.msg == "检查期间，模型又有保存（第2次保存），请查看后重新部署"
    assert _own() == []
    with tenant_scope(A):
        assert not Event.objects.filter(operation="draft.deploy").exists()
    assert _deploy(designer, draft, key="d1").status == 200
    assert (_own(), bytes(Definition.objects.get(tenant_id=A).xml).decode()) == ([("trip", 1)], LATER)


@pytest.mark.django_db(transaction=True)
def test_a_process_that_is_called_stays_as_it_was_judged(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    designer, colleague, done = cast.client_for("flow_designer"), cast.client_for("tenant_admin"), list[Any]()
    assert send(designer, {"good.bpmn": GOOD}).status == 200

    def meanwhile() -> None:
        if not done:
            done.append(True)  # the other deployment is judged too
            done.extend(at_once([lambda: send(colleague, {"good.bpmn": GOOD + b" "})]))

    monkeypatch.setattr(gate, "examine", writes.noting([], gate.examine, meanwhile))
    answer = send(designer, {"caller.bpmn": CALLER}, confirm=1)
    assert (answer.status, answer["error"]) == (409, "model.changed")
    assert answer.msg == "检查期间，所调用的流程有了变化，请重新部署"
    assert _own() == [("good", 1), ("good", 2)]
    again = send(designer, {"caller.bpmn": CALLER}, confirm=1)
    assert (again.status, _own()) == (200, [("caller", 1), ("good", 1), ("good", 2)])


@pytest.mark.django_db
def test_a_model_of_the_platform_for_a_company_that_has_it_stays_as_it_is(cast: Cast) -> None:
    """The company's versions are seen in its own scope alone, and stored there."""
    platform = cast.platform()
    for status in ("deployed", "unchanged"):
        answer = send(platform, {"line.bpmn": drawing(LINE, "line")}, tenantIds=A)
        assert [told["status"] for told in answer.data["files"]] == [status]
    assert _own() == [("line", 1)]
