"""Starting a withdrawn standalone process once more, with the values that it had."""

from __future__ import annotations

from typing import Any

from core.kernel.actor import Actor
from core.kernel.errors import Missing
from workflows.runtime.definitions import library
from workflows.runtime.tables.instances.models import STANDALONE, InstanceStatus, ProcessInstance


def values_of(actor: Actor, instance_id: int, key: str) -> dict[str, Any]:
    """Return the form's values of a withdrawn process that the person started; of the process with this key alone."""
    rows = ProcessInstance.objects.filter(
        pk=instance_id, business_type=STANDALONE, starter_id=actor.user_id, status=InstanceStatus.WITHDRAWN,
        definition__key=key,
    )  # fmt: skip
    form: dict[str, Any] | None = rows.values_list("form", flat=True).first()
    if form is None:
        raise Missing()
    return form


def version_to_start(actor: Actor, instance: ProcessInstance) -> str:
    """Return the id of the version that the starter of a withdrawn process may start in its place, '' where none."""
    is_own = instance.business_type == STANDALONE and instance.starter_id == actor.user_id
    if not is_own or instance.status != InstanceStatus.WITHDRAWN:
        return ""
    versions = library.startable(()).filter(key=library.definition(instance.definition_id).key)
    return next((str(one.pk) for one in versions if library.may_start(actor, one)), "")
