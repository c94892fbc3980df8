"""Taking back the completion of a step, until the next person acts: the process stands again as it did before."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import F, OuterRef, Subquery
from django.utils.translation import gettext as _

from core.audit.models import Event
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Conflict, Missing, NotAllowed, Refusal
from core.kernel.operation import SIGNED_IN, digest, operation
from workflows.runtime.commands import standalone
from workflows.runtime.commands.shared import find, locked, repeated
from workflows.runtime.definitions import library, switches
from workflows.runtime.execution import driver, ending
from workflows.runtime.rows import confidential
from workflows.runtime.tables.instances.models import STANDALONE, InstanceStatus, ProcessInstance
from workflows.runtime.tables.worklist.models import ItemState, WorkItem


@operation("task.takeBack", code=SIGNED_IN)
def take_back(actor: Actor, item_id: int) -> dict[str, Any]:
    """Take back the completion of the item; what it changed and opened is as if it had not been completed.

    Raises Conflict once anybody has acted since, and Refusal where the step has left the process: by an operation, a
    message, or its end.
    """
    item = find(item_id)
    held, item = locked(item)
    _check_completer(actor, item)
    mark = digest(["takeBack", item_id])
    answer = {"processInstanceId": str(item.instance_id), "taskId": str(item_id)}
    if repeated(actor, item, mark):
        return answer
    if held.instance.is_over:
        raise ending.over()
    driver.check_moving(held.instance)
    definition, before = library.definition(item.definition_id), held.instance.form
    if not switches.allows(item.definition_id, switches.TAKE_BACK, item.node):
        raise Refusal("workflow.noTakeBack", _("流程「{name}」不允许取回该步骤").format(name=definition))
    waiting = held.open  # read before the events: a claim that is on its way is waited for
    is_claimed = any(item.end_time and one.claim_time and one.claim_time >= item.end_time for one in waiting)
    if is_claimed or not _still(held.instance.pk).filter(last_item=item.pk).exists():
        raise Conflict("workflow.actedSince", _("「{step}」办理后流程已有新的处理，不能取回").format(step=item.name))
    if held.instance.undo_item != item.pk:
        text = _("「{step}」已执行操作或发出消息，或由业务单据办理，不能取回")
        raise Refusal("workflow.hasLeft", text.format(step=item.name))
    driver.take_back(held, item)
    if item.business_type == STANDALONE:
        standalone.keep_files(held.instance, definition, before)
    entry = current_entry()
    entry.business_type, entry.business_id, entry.digest = item.business_type, item.business_id, entry.digest or mark
    return answer


def open_to(actor: Actor, items: Iterable[WorkItem]) -> set[int]:
    """Return the ids of those of the items whose completion the person may take back now; one statement at most."""
    own = {item.pk: item.instance_id for item in items if _is_completer(actor, item)}
    if not own:
        return set()
    rows = _still(*set(own.values())).filter(undo_item__in=list(own), last_item=F("undo_item"))
    running = rows.filter(status=InstanceStatus.RUNNING, park_time=None, halt_time=None, definition__is_halted=False)
    return set(running.values_list("undo_item", flat=True))


def last_of(actor: Actor, instance: ProcessInstance) -> str:
    """Return the id of the person's work item that was the instance's last step and may be taken back, else ''."""
    items = WorkItem.objects.filter(pk=instance.undo_item) if instance.undo_item else ()
    return next((str(pk) for pk in open_to(actor, items)), "")


def _still(*instances: int) -> Any:
    """Return instances with the work item that the last of their events is about."""
    last = Event.objects.filter(instance_id=OuterRef("pk")).order_by("-id").values("work_item_id")[:1]
    return ProcessInstance.objects.filter(pk__in=instances).annotate(last_item=Subquery(last))


def _is_completer(actor: Actor, item: WorkItem) -> bool:
    return item.state == ItemState.DONE and item.completed_by == actor.user_id


def _check_completer(actor: Actor, item: WorkItem) -> None:
    if _is_completer(actor, item):
        return
    instance = ProcessInstance.objects.get(pk=item.instance_id)
    is_seen = instance.pk in confidential.readable(actor, [instance])
    if item.business_type == STANDALONE:
        is_seen = standalone.sees(actor, item.instance_id)
    raise NotAllowed(_("只有办理人可以取回")) if is_seen else Missing()
