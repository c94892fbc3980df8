"""Calls of the product's releases: the platform writes them, everybody reads the newest."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.blade.parsers import parameters
from core.kernel.texts import label
from core.rest.filters import filters_of
from core.rest.menus import MenuEntry
from core.rest.serializers import IdField, MomentField, SpeakingSerializer
from core.rest.viewsets import SIGNED_IN, NounViewSet, Remove, Submit
from core.system import releases
from core.system.models import SystemHistory


class OlderRelease(serializers.Serializer):  # type: ignore[type-arg]
    """A release before the newest."""

    version = serializers.CharField()
    name = serializers.CharField()
    contentLines = serializers.ListField(child=serializers.CharField())
    publishTime = MomentField()


class NewestRelease(serializers.Serializer):  # type: ignore[type-arg]
    """The newest release, in the caller's language where it is described in it; nothing as long as there is none."""

    id = IdField(required=False)
    version = serializers.CharField(required=False)
    name = serializers.CharField(required=False)
    content = serializers.CharField(required=False)
    contentLines = serializers.ListField(child=serializers.CharField(), required=False)
    publishTime = MomentField(required=False)
    unread = serializers.IntegerField(required=False, help_text="1 until the caller has opened it.")
    history = OlderRelease(many=True, required=False)


class ReadInput(SpeakingSerializer):
    """The release that was read."""

    id = IdField(label=label("版本", "Release"))


class SystemHistoryViewSet(Submit, Remove, NounViewSet):
    """Releases of the product."""

    noun = "systemhistory"
    menu = MenuEntry("system", "/system/release", "notice", label("版本发布", "Releases"), place=7)
    queryset = SystemHistory.objects.all()
    platform_only = frozenset({"list", "show", "submit", "remove"})
    fields = ("name", "version", "lang", "content", "publish_time", "status")
    filters = filters_of(SystemHistory, "version", "name", "lang", "status", "publish_time")
    order = ("-publish_time", "-id")
    select = None  # type: ignore[assignment]  # nobody chooses among releases
    sample = {"version": lambda number: f"9.{number}.0"}
    codes = {"read": SIGNED_IN}

    @extend_schema(request=ReadInput, responses=None)
    @action(detail=False, methods=["post"])
    def read(self, request: Request) -> Response:
        """Note that the caller has read about a release."""
        asked = ReadInput(data=parameters(request))
        asked.is_valid(raise_exception=True)
        releases.read(self.actor, asked.validated_data["id"])
        return Response()
