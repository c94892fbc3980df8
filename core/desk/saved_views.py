"""Saved views: what a person looks for in a list again and again, under names of the person's own."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.blade.parsers import parameters
from core.desk.models import SavedView
from core.identity.models import User
from core.kernel.actor import Actor
from core.kernel.errors import Invalid, Missing, Refusal
from core.kernel.operation import operation
from core.kernel.texts import label
from core.rest.filters import parse_filters
from core.rest.serializers import FlagField, IdField, SpeakingSerializer
from core.rest.viewsets import SIGNED_IN, BaseViewSet

MOST = 20
"""Views that a person may have of one list."""


def _own(actor: Actor) -> QuerySet[SavedView]:
    return SavedView.objects.filter(user_id=actor.user_id)


@operation("savedView.save", code=SIGNED_IN)
def save(actor: Actor, view_id: int | None, list_name: str, name: str, query: str, is_default: bool) -> dict[str, Any]:
    """Store a new view, or change one of the actor's own; a list opens with one view at most.

    Raises Missing for somebody else's view, and Invalid when another view of the list has the name.
    """
    # The person's row is locked, so that two saves at once do not pass the limits together.
    User.objects.select_for_update(of=("self",), no_key=True).get(pk=actor.user_id)
    views = _own(actor).filter(list_name=list_name)
    view = views.filter(pk=view_id).first() if view_id else SavedView(user_id=actor.user_id, list_name=list_name)
    if view is None:
        raise Missing()
    if views.filter(name=name).exclude(pk=view.pk).exists():
        raise Invalid({"name": _("「{value}」已存在").format(value=name)})
    if view_id is None and views.count() >= MOST:
        raise Refusal("savedView.tooMany", _("每个列表最多保存{n}个视图").format(n=MOST))
    if is_default:
        views.filter(is_default=True).update(is_default=False)
    view.name, view.query, view.is_default = name, query, is_default
    view.save()
    return {"id": str(view.pk)}


@operation("savedView.remove", code=SIGNED_IN)
def remove(actor: Actor, view_id: int) -> None:
    """Remove one of the actor's own views; raises Missing for somebody else's."""
    if not _own(actor).filter(pk=view_id).delete()[0]:
        raise Missing()


class SavedViewSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """A saved view."""

    id = IdField()
    name = serializers.CharField()
    query = serializers.CharField()
    isDefault = FlagField(source="is_default")


class SavedViewInput(SpeakingSerializer):
    """What a saved view is made of."""

    id = IdField(required=False, allow_null=True)
    listName = serializers.RegexField(r"^[A-Za-z.]{1,60}$", label=label("列表", "List"))
    name = serializers.CharField(label=label("视图名称", "View"), max_length=40)
    query = serializers.CharField(
        label=label("筛选条件", "Filters"), max_length=1000, required=False, allow_blank=True, default=""
    )
    isDefault = FlagField(label=label("默认打开", "Open by default"), default=False)

    def validate_query(self, value: str) -> str:
        """Filters and order alone, written like an address's."""
        try:
            return urlencode(parse_filters(value))
        except ValueError:
            raise serializers.ValidationError(_("请求参数格式错误")) from None


class SavedViewStored(serializers.Serializer):  # type: ignore[type-arg]
    """The id of the stored view."""

    id = serializers.CharField()


class SavedViewViewSet(BaseViewSet):
    """The caller's own views of lists."""

    codes = {"mine": SIGNED_IN, "submit": SIGNED_IN, "remove": SIGNED_IN}

    @extend_schema(
        parameters=[OpenApiParameter("listName", str, required=True)], responses=SavedViewSerializer(many=True)
    )
    @action(detail=False, methods=["get"], url_path="mine")
    def mine(self, request: Request) -> Response:
        """Answer the caller's views of a list, in the order of their names; there are few."""
        views = _own(self.actor).filter(list_name=self.parameter("listName")).order_by("name", "id")
        return Response(SavedViewSerializer(views, many=True).data)

    @extend_schema(request=SavedViewInput, responses=SavedViewStored)
    def submit(self, request: Request) -> Response:
        """Store a view."""
        given = SavedViewInput(data=parameters(request))
        given.is_valid(raise_exception=True)
        view = given.validated_data
        return Response(
            save(self.actor, view.get("id"), view["listName"], view["name"], view["query"], view["isDefault"])
        )

    @extend_schema(parameters=[OpenApiParameter("id", str)], request=None, responses=None)
    def remove(self, request: Request) -> Response:
        """Remove a view."""
        return Response(remove(self.actor, self.id_parameter()))
