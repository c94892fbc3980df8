"""Wire forms of instances that several calls answer."""

from __future__ import annotations

from rest_framework import serializers

from core.kernel.texts import choose, moment
from workflows.deployments import library
from workflows.instances import parking
from workflows.instances.models import ProcessInstance


class Parked(serializers.Serializer):  # type: ignore[type-arg]
    """Why an instance stands still until somebody looks after it."""

    code = serializers.CharField()
    text = serializers.CharField()
    node = serializers.CharField()
    time = serializers.CharField()


def halted(instance: ProcessInstance) -> str:
    """That it is suspended with its definition, while it runs; one statement. Empty where it moves."""
    if instance.is_over:
        return ""
    definition = library.definition(instance.definition_id)
    return parking.halted(library.is_halted(definition.pk), str(definition))


def parked(instance: ProcessInstance) -> dict[str, str] | None:
    """Why it stands still; None where it moves."""
    if instance.park_time is None:
        return None
    return {
        "code": instance.park_code,
        "text": choose(instance.park_text, instance.park_text_en),
        "node": instance.park_node,
        "time": moment(instance.park_time),
    }
