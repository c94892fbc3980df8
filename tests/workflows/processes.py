"""Processes that no record is bound to, for tests of what people do with their steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from tests.cast import A, Cast
from workflows import engine
from workflows.runtime.definitions import library
from workflows.runtime.rows import items
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.worklist.models import WorkItem

DRAWING = """<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xw="urn:xunwei:bpmn" id="d"
    targetNamespace="urn:test">
  <process id="paper" name="用印" xw:nameEn="Seal" isExecutable="true">
    <startEvent id="start" />
    <userTask id="look" name="审核" xw:nameEn="Review" xw:candidates="role:repair_leader role:repairer" />
    <endEvent id="end" />
    <sequenceFlow id="a" sourceRef="start" targetRef="look" />
    <sequenceFlow id="b" sourceRef="look" targetRef="end" />
  </process>
</definitions>"""


class _Nobody:
    """The engine's host where there is no record."""

    def call(self, operation: str, node: str, given: Mapping[str, Any]) -> None:
        """Nothing to call."""

    def names(self) -> Mapping[str, Any]:
        """Nothing to read."""
        return {}


def started(cast: Cast, by: str = "operator", verbs: Mapping[str, Any] | None = None) -> WorkItem:
    """A standalone process, started by this person; its open item."""
    meta = {
        "key": "paper", "name": "用印", "name_en": "Seal", "category": "flow_1", "business_type": "",
        "nodes": {}, "verbs": dict(verbs or {}),
    }  # fmt: skip
    definition = library.deploy(DRAWING.encode(), meta, A)
    starter = cast.user(by)
    with tenant_scope(A):
        specification = library.specification(definition.pk)
        step = engine.start(specification, {}, _Nobody())
        instance = ProcessInstance(
            definition=definition, business_type="process", business_no="P1", title="公章", starter_id=starter.pk,
            starter_name=starter.real_name, state=step.state, start_time=clock.now(),
        )  # fmt: skip
        instance.business_id = instance.pk
        new, _faults = items.made(instance, step.tasks, specification, {})
        instance.save(force_insert=True)
        items.offer(new)
        return new[0]
