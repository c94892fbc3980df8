"""Wire form of messages."""

from __future__ import annotations

from core.desk.models import Message
from core.rest.serializers import NounSerializer


class MessageSerializer(NounSerializer):
    """A message to a person."""

    class Meta:
        model = Message
        fields = ("id", "title", "content", "business_type", "business_id", "create_time", "is_read")
