"""Calls of messages and notices."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.blade.parsers import parameters
from core.desk.models import DigestChoice, Message, Notice
from core.desk.serializers import DigestChosen, MessageSerializer
from core.kernel import clock
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Missing
from core.kernel.operation import operation
from core.kernel.texts import label
from core.rest.filters import FLAG, Filter, filters_of
from core.rest.menus import EVERYBODY, EVERYTHING, SEE, STANDARD_BUTTONS, MenuEntry, ShippedRole, held_by, together
from core.rest.serializers import IdListField
from core.rest.viewsets import SIGNED_IN, NounViewSet, Remove, Submit


@operation("message.read", code=SIGNED_IN)
def mark_read(actor: Any, ids: list[int]) -> None:
    """Mark the actor's messages as read; without ids, all of them.

    Raises Missing if a named message belongs to somebody else.
    """
    mine = Message.objects.filter(user_id=actor.user_id)
    if ids:
        mine = mine.filter(pk__in=ids)
        if mine.count() != len(ids):
            raise Missing()
    if not mine.filter(is_read=False).update(is_read=True):
        current_entry().nothing_happened = True


@operation("message.digest", code=SIGNED_IN)
def choose_digest(actor: Any, wanted: bool) -> None:
    """Let the actor get a digest each morning, or none."""
    before = DigestChoice.objects.filter(user_id=actor.user_id).first()
    if (before is not None and before.is_wanted) == wanted:
        current_entry().nothing_happened = True
        return
    DigestChoice.objects.update_or_create(user_id=actor.user_id, defaults={"is_wanted": wanted})


class MessageViewSet(NounViewSet):
    """The messages of the caller."""

    queryset = Message.objects.all()
    serializer_class = MessageSerializer
    codes = dict.fromkeys(("list", "show", "read", "digest", "set_digest"), SIGNED_IN)
    order = ("-id",)
    filters = {
        "unread": Filter(kind=FLAG, apply=lambda rows, text: rows.filter(is_read=False) if text == "1" else rows)
    }

    def get_queryset(self) -> QuerySet[Message]:
        """Return the caller's messages."""
        return super().get_queryset().filter(user_id=self.actor.user_id)

    @extend_schema(
        parameters=[OpenApiParameter("ids", str, description="comma joined; all of one's own without them")],
        request=None,
        responses=None,
    )
    @action(detail=False, methods=["post"], url_path="read")
    def read(self, request: Request) -> Response:
        """Mark as read."""
        mark_read(self.actor, IdListField().run_validation(str(parameters(request).get("ids") or "")))
        return Response(None)

    @extend_schema(responses=DigestChosen)
    @action(detail=False, methods=["get"], url_path="digest")
    def digest(self, request: Request) -> Response:
        """Answer whether the caller gets a digest each morning."""
        chosen = DigestChoice.objects.filter(user_id=self.actor.user_id, is_wanted=True)
        return Response({"wanted": int(chosen.exists())})

    @extend_schema(request=DigestChosen, responses=None)
    @action(detail=False, methods=["post"], url_path="set-digest")
    def set_digest(self, request: Request) -> Response:
        """Let the caller get a digest each morning, or none."""
        given = DigestChosen(data=parameters(request))
        given.is_valid(raise_exception=True)
        choose_digest(self.actor, given.validated_data["wanted"])
        return Response(None)


class NoticeViewSet(Submit, Remove, NounViewSet):
    """Notices. Everybody reads released notices; people who may edit them read all."""

    noun = "notice"
    menu = MenuEntry(
        "desk", "/desk/notice", "notice", label("通知公告", "Notices"),
        roles=together(held_by(EVERYBODY, SEE), {ShippedRole.TENANT_ADMIN: EVERYTHING}),
        buttons={"view": STANDARD_BUTTONS["view"]},
    )  # fmt: skip
    fast = True
    queryset = Notice.objects.all()
    fields = ("title", "category", "release_time", "content")
    codes = {"list": SIGNED_IN, "show": SIGNED_IN}
    filters = filters_of(Notice, "title", "category", "release_time")
    order = ("-release_time", "-id")

    def get_queryset(self) -> QuerySet[Notice]:
        """Return the released notices; for editors, all."""
        rows = super().get_queryset()
        return rows if self.actor.may("notice_edit") else rows.filter(release_time__lte=clock.now())
