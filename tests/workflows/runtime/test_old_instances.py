"""Instances of the shipped models that began on commit b0fa5d0 (format 1 of the state) run to their end.

Their rows are what that commit stored: the model's document of that day, and states of format 1 before every act.
"""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from django.conf import settings

from core.kernel.tenancy import PLATFORM, tenant_scope
from tests.cast import A, Cast
from tests.core.desk.test_leave import LONG
from tests.core.desk.test_leave import Story as LeaveStory
from tests.core.desk.test_leave import office as office
from tests.core.desk.test_leave import staffed as staffed
from tests.repairs import Story as RepairStory
from tests.repairs import at
from tests.workflows.engine import record_states
from workflows import engine
from workflows.runtime.definitions import library
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.timers.models import Timer
from workflows.runtime.tables.worklist.models import WorkItem

pytestmark = pytest.mark.django_db


def recorded(key: str) -> dict[str, Any]:
    return record_states.read(1, key)


def deployed_then(key: str) -> None:
    """Deploy the model's document of that day, which is then the one that starts."""
    meta = next(meta for _drawing, meta in library.shipped(settings.MODELS_DIR) if meta["key"] == key)
    with tenant_scope(PLATFORM):
        library.deploy(recorded(key)["xml"].encode(), meta, PLATFORM)


def begun_then(key: str) -> ProcessInstance:
    """Give the one instance, which has just started, the state that the old commit stored for it."""
    state = orjson.dumps(recorded(key)["states"]["0"])
    with tenant_scope(A):
        instance = ProcessInstance.objects.get()
        step = engine.look(library.specification(instance.definition_id), state)
        items = WorkItem.objects.filter(instance_id=instance.pk)
        timers = Timer.objects.filter(instance_id=instance.pk)
        assert sorted(items.values_list("node", flat=True)) == sorted(task.node for task in step.tasks)
        assert sorted(timers.values_list("node", flat=True)) == sorted(timer.node for timer in step.timers)
        for task in step.tasks:
            items.filter(node=task.node).update(engine_task=task.task)
        for timer in step.timers:
            timers.filter(node=timer.node).update(engine_task=timer.task)
        ProcessInstance.objects.filter(pk=instance.pk).update(state=state)
    return instance


def as_stored_then(instance: ProcessInstance) -> None:
    """Write the instance's state again in format 1."""
    with tenant_scope(A):
        rows = ProcessInstance.objects.filter(pk=instance.pk)
        stored = orjson.loads(bytes(rows.get().state))
        rows.update(state=orjson.dumps([1, stored["process"], stored["scopes"]]))


def test_a_repair_order_of_the_old_commit_runs_to_its_end(cast: Cast) -> None:
    deployed_then("repairorder")
    with at("8:00"):
        story = RepairStory(cast)
        instance = begun_then("repairorder")
        story.act("repair_leader", "dispatch", repairUserId=str(cast.user("repairer").pk))
        as_stored_then(instance)
        story.act("repairer", "accept")
    acts: list[tuple[str, str, dict[str, Any]]] = [
        ("repairer", "hang", {"hangReason": 1, "remark": "等备件"}),
        ("repairer", "resume", {}),
        ("repairer", "finish", story.result()),
        ("operator", "check", {"checkResult": 2, "checkRemark": "仍有异响"}),
        ("repairer", "finish", story.result()),
        ("operator", "check", {"checkResult": 1, "checkScore": 5}),
    ]
    with at("10:00"):
        assert story.write_line("repairer", "08:10", "09:00").code == 200
        for who, action, values in acts:
            as_stored_then(instance)
            story.act(who, action, **values)
    with tenant_scope(A):
        instance.refresh_from_db()
    assert instance.status == InstanceStatus.COMPLETED


def test_a_leave_of_the_old_commit_runs_to_its_end(office: Cast) -> None:
    deployed_then("leave")
    story = LeaveStory(office, **LONG)
    instance = begun_then("leave")
    story.act("shift_leader", "reject", comment="请改期")
    as_stored_then(instance)
    story.act("operator", "submit", **LONG)
    as_stored_then(instance)
    story.act("shift_leader", "approve")
    as_stored_then(instance)
    assert story.act("hr", "approve")["status"] == 3
    with tenant_scope(A):
        instance.refresh_from_db()
    assert instance.status == InstanceStatus.COMPLETED
