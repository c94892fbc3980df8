"""My messages, and notices to all."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.desk.models import Message, Notice
from core.desk.serializers import MessageSerializer
from core.kernel import clock
from core.kernel.act import current_act
from core.kernel.errors import Missing
from core.kernel.filters import FLAG, Filter, filters_of
from core.kernel.operation import operation
from core.kernel.parsers import parameters
from core.kernel.serializers import IdListField
from core.kernel.viewsets import SIGNED_IN, NounViewSet, Remove, Submit


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


class NoticeViewSet(Submit, Remove, NounViewSet):
    """Notices: everybody reads what is released, who may edit them also what is still to come."""

    noun = "notice"
    fast = True
    queryset = Notice.objects.all()
    fields = ("title", "category", "release_time", "content")
    codes = {"list": SIGNED_IN, "show": SIGNED_IN}
    filters = filters_of(Notice, "title", "category", "release_time")
    order = ("-release_time", "-id")

    def get_queryset(self) -> QuerySet[Notice]:
        """Released ones, and all for their editors."""
        rows = super().get_queryset()
        return rows if self.actor.may("notice_edit") else rows.filter(release_time__lte=clock.now())
