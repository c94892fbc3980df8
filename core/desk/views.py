"""My messages."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.desk.models import Message
from core.desk.serializers import MessageSerializer
from core.kernel.act import current_act
from core.kernel.errors import Missing
from core.kernel.filters import FLAG, Filter
from core.kernel.operation import operation
from core.kernel.parsers import parameters
from core.kernel.serializers import IdListField
from core.kernel.viewsets import SIGNED_IN, NounViewSet


@operation("message.read", code=SIGNED_IN)
def mark_read(actor: Any, ids: list[int]) -> None:
    """Mark own messages as read, all of them when none is named; raises Missing when one named is not one's own."""
    mine = Message.objects.filter(user_id=actor.user_id)
    if ids:
        mine = mine.filter(pk__in=ids)
        if mine.count() != len(ids):
            raise Missing()
    if not mine.filter(is_read=False).update(is_read=True):
        current_act().nothing_happened = True


class MessageViewSet(NounViewSet):
    """Messages to whoever asks."""

    queryset = Message.objects.all()
    serializer_class = MessageSerializer
    codes = {"list": SIGNED_IN, "show": SIGNED_IN, "read": SIGNED_IN}
    order = ("-id",)
    filters = {
        "unread": Filter(kind=FLAG, apply=lambda rows, text: rows.filter(is_read=False) if text == "1" else rows)
    }

    def get_queryset(self) -> QuerySet[Message]:
        """One's own."""
        return super().get_queryset().filter(user_id=self.actor.user_id)

    @extend_schema(request=None, responses=None)
    @action(detail=False, methods=["post"], url_path="read")
    def read(self, request: Request) -> Response:
        """Mark as read."""
        mark_read(self.actor, IdListField().run_validation(str(parameters(request).get("ids") or "")))
        return Response(None)
