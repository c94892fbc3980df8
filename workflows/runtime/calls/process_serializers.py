"""Wire forms of instances that several calls answer."""

from __future__ import annotations

from rest_framework import serializers

from core.kernel.texts import choose, moment
from workflows.runtime.definitions import library
from workflows.runtime.rows import suspension
from workflows.runtime.tables.instances.models import ProcessInstance


class Incident(serializers.Serializer):  # type: ignore[type-arg]
    """Why an instance stands still until somebody looks after it."""

    code = serializers.CharField()
    text = serializers.CharField()
    node = serializers.CharField()
    time = serializers.CharField()


def suspended(instance: ProcessInstance) -> str:
    """That it is suspended, alone or with its definition, while it runs; one statement. Empty where it moves."""
    if instance.is_over:
        return ""
    definition = library.definition(instance.definition_id)
    is_halted = library.is_halted(definition.pk)
    return suspension.told(instance.halt_time, instance.halt_user_name, is_halted, str(definition))


def incident(instance: ProcessInstance) -> dict[str, str] | None:
    """Why it stands still; None where it moves."""
    if instance.park_time is None:
        return None
    return {
        "code": instance.park_code,
        "text": choose(instance.park_text, instance.park_text_en),
        "node": instance.park_node,
        "time": moment(instance.park_time),
    }
