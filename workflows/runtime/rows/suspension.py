"""Suspension: a process that takes no step until somebody resumes it, alone or with all that runs on its definition."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from core.kernel.errors import Conflict
from core.kernel.texts import moment
from workflows.runtime.tables.instances.models import ProcessInstance

COLUMNS = ["halt_time", "halt_user_name", "halt_reason"]
"""What an instance keeps of its suspension."""
SUSPENDED = Q(halt_time__isnull=False) | Q(definition__is_halted=True)
"""The condition on instances that they are suspended, alone or with their definition."""


def told(halt_time: datetime | None, by: str, is_halted: bool, name: str) -> str:
    """Return the sentence that a process is suspended, alone or with the definition of this name; '' if it is not."""
    if halt_time is not None:
        text = _("该流程已由{name}于{time}暂停，恢复后才能继续办理")
        return text.format(name=by, time=moment(halt_time))
    return _("流程「{name}」已暂停，启用后才能继续办理").format(name=name) if is_halted else ""


def check(instance: ProcessInstance) -> None:
    """Raise Conflict if the instance, which was read with its definition, is suspended."""
    definition = instance.definition
    text = told(instance.halt_time, instance.halt_user_name, definition.is_halted, str(definition))
    if instance.halt_time is not None:
        said = {"userName": instance.halt_user_name, "time": moment(instance.halt_time)}
        raise Conflict("workflow.suspended", text, {**said, "reason": instance.halt_reason})
    if text:
        raise Conflict("workflow.halted", text)


def moves() -> Exists:
    """Return the condition on work items that their process is not suspended.

    It is not written as a join: a statement that changes items would then test the other conditions on rows as they
    were before it waited for a lock.
    """
    return Exists(ProcessInstance.objects.filter(~SUSPENDED, pk=OuterRef("instance_id")))


def clear(instance: ProcessInstance) -> None:
    """Clear the suspension of the instance in memory."""
    instance.halt_time, instance.halt_user_name, instance.halt_reason = None, "", ""
