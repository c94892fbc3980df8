"""The demo plant's own model: drawn, deployed twice and drawn on, and the permits that were asked for with it.

All of it is done by the commands that people use; the stories are in `demo_data.py`.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from core.kernel.actor import Actor
from core.project.demo_data import Step
from workflows.runtime.commands import standalone, work_items
from workflows.runtime.definitions import library
from workflows.runtime.tables.deployments.models import Draft
from workflows.runtime.tables.worklist.models import ItemState, WorkItem
from workflows.workbench.publishing import drafts
from workflows.workbench.publishing.versions import Terms

_DRAWINGS = Path(__file__).parent / "demo_models"


def draw(actor: Actor, step: Step, key: str, draft_id: int | None, now: datetime) -> int:
    """One step of a model's story, its saving or its deployment; answers the draft's id."""
    said = step.carries
    if step.action == "deploy":
        assert draft_id is not None
        drafts.deploy(actor, draft_id, Terms("", [actor.tenant_id], confirmed=True, note=said["note"]))
        return draft_id
    xml = (_DRAWINGS / f"{key}.{said['drawing']}.bpmn").read_text(encoding="utf-8")
    reason = drafts.Reason(said.get("note", ""), is_automatic="note" not in said)
    if draft_id is None:
        values = {"model_key": key, "name": said["name"], "category": said["category"], "xml": xml}
        return int(drafts.add(actor, values, reason)["id"])
    version = Draft.objects.values_list("version", flat=True).get(pk=draft_id)
    return int(drafts.edit(actor, draft_id, version, {"xml": xml}, reason)["id"])


def take(actor: Actor, step: Step, name: str, instance_id: int | None, now: datetime) -> int:
    """One step of a process of that model, named `key#…`: its start, or the step of the node; answers its id."""
    if instance_id is None:
        definition = library.taken().get(key=name.partition("#")[0])
        return int(standalone.start(actor, definition.pk, step.carries)["processInstanceId"])
    item = WorkItem.objects.values_list("pk", flat=True).get(
        instance=instance_id, node=step.action, state=ItemState.OPEN
    )
    carries = dict(step.carries)
    flag, comment = carries.pop("flag", "ok"), carries.pop("comment", "")
    work_items.complete(actor, item, instance_id, flag, "", comment, carries)
    return instance_id
