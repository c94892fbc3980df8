"""Wire form of messages."""

from __future__ import annotations

from rest_framework import serializers

from core.desk.models import Message
from core.rest.serializers import FlagField, NounSerializer, SpeakingSerializer


class DigestChosen(SpeakingSerializer):
    """Whether a person gets a digest each morning."""

    wanted = FlagField()


class MessageSerializer(NounSerializer):
    """A message to a person, in the language of the request."""

    title = serializers.CharField(source="shown_title", read_only=True)
    content = serializers.CharField(source="shown_content", read_only=True)

    class Meta:
        model = Message
        fields = ("id", "title", "content", "business_type", "business_id", "create_time", "is_read")
