"""Wire form of messages."""

from __future__ import annotations

from core.desk.models import Message
from core.kernel.serializers import NounSerializer


class MessageSerializer(NounSerializer):
    """A message on somebody's desk."""

    class Meta:
        model = Message
        fields = ("id", "title", "content", "business_type", "business_id", "create_time", "is_read")
