"""The rows of service tasks whose operations answer later, kept in step with those that the engine reports."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from core import ports
from core.kernel.tenancy import current_tenant
from core.scheduling import turns
from core.scheduling.waking import wake_worker
from core.statements import writes
from workflows import engine
from workflows.runtime.definitions import library
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.messages.models import OperationCall

AT_ONCE = 8
"""Operations that are asked at the same moment."""
CALLS = turns.Queue("operations", OperationCall, "operations.sweep", budget="events", round=AT_ONCE)


@lru_cache(maxsize=256)
def _asks(definition_id: int) -> bool:
    """Return whether the definition names an operation that answers later."""
    names = {node.extensions.get("operation") for node in library.specification(definition_id).nodes.values()}
    return any(one.ask is not None for one in ports.common.values() if one.name in names)


def keep(instance: ProcessInstance, step: engine.Step, *, is_new: bool) -> None:
    """Store the calls that have begun, and delete those that wait no longer; no statement for models without any."""
    if not step.calls and not _asks(instance.definition_id):
        return
    rows = OperationCall.objects.filter(instance_id=instance.pk)
    known = {} if is_new else dict(rows.values_list("engine_task", "pk"))
    new = [
        OperationCall(
            tenant_id=current_tenant(),
            instance_id=instance.pk,
            engine_task=call.task,
            node=call.node,
            operation=call.operation,
            given=None if call.given is None else storable(call.given),
            due_time=datetime.now(UTC),
        )
        for call in step.calls
        if known.pop(call.task, None) is None
    ]
    if known:
        OperationCall.objects.filter(pk__in=list(known.values())).delete()
    if new:
        writes.insert(new)
        wake_worker(CALLS.job)


def storable(value: Any) -> Any:
    """Return a value of an expression as JSON keeps it."""
    if isinstance(value, dict):
        return {str(name): storable(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [storable(one) for one in value]
    if isinstance(value, Decimal):
        return int(value) if value == int(value) else float(value)
    return value


def forget(instance: ProcessInstance) -> None:
    """Delete the calls of an instance that has ended."""
    if _asks(instance.definition_id):
        OperationCall.objects.filter(instance_id=instance.pk).delete()


def try_again(instance_id: int) -> None:
    """Ask anew what has failed for the instance; an answer that the process could not take is given to it again."""
    failed = OperationCall.objects.filter(instance_id=instance_id, attempts__gt=0)
    failed.filter(answer__isnull=True).update(given=None)
    if failed.update(is_parked=False, attempts=0, due_time=datetime.now(UTC)):
        wake_worker(CALLS.job)


def wake(instances: Iterable[Any]) -> None:
    """Make the sleeping calls of these instances due now, ids or a queryset of ids."""
    if OperationCall.objects.filter(instance_id__in=instances, is_asleep=True).update(**turns.woken()):
        wake_worker(CALLS.job)
