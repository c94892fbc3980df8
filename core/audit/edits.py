"""What people have changed of a record, as its page shows it."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from core.audit.models import Event
from core.kernel.texts import moment

MOST = 100


class EditSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """One operation on the record: who, when, and what it changed, a line each."""

    id = serializers.CharField()
    time = serializers.CharField()
    userName = serializers.CharField()
    operation = serializers.CharField()
    changes = serializers.ListField(child=serializers.CharField())


def edits_of(business_type: str, business_id: int) -> list[dict[str, Any]]:
    """Return the operations on a record, newest first; those that changed nothing of it are left out."""
    events = Event.objects.filter(business_type=business_type, business_id=business_id).order_by("-id")
    return [
        {
            "id": str(event.pk),
            "time": moment(event.time),
            "userName": event.user_name,
            "operation": event.operation,
            "changes": event.changes_told(),
        }
        for event in events[:MOST]
        if event.changes or not event.operation.endswith(".edit")
    ]
