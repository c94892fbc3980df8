"""Calls of the tenant's days off and days worked in exchange."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.blade.parsers import parameters
from core.kernel.texts import label
from core.rest.menus import EVERYTHING, MenuEntry, ShippedRole
from core.rest.serializers import SpeakingSerializer
from core.rest.sheets import Export, Import
from core.rest.viewsets import NounViewSet, Remove, Submit
from core.system import holidays
from core.system.models import Holiday


class PublishedYear(serializers.Serializer):  # type: ignore[type-arg]
    """A published year: how many days it has, and how many of them the tenant does not have yet."""

    year = serializers.IntegerField()
    days = serializers.IntegerField()
    missing = serializers.IntegerField()


class TakeOverInput(SpeakingSerializer):
    """The year to take over."""

    year = serializers.IntegerField(label=label("年份", "Year"), min_value=2000, max_value=2199)


class TakenOver(serializers.Serializer):  # type: ignore[type-arg]
    """How many days came, and how many were there before."""

    year = serializers.IntegerField()
    added = serializers.IntegerField()
    known = serializers.IntegerField()


class HolidayViewSet(Export, Import, Submit, Remove, NounViewSet):
    """Days off and days worked in exchange: with the working hours they are the tenant's working calendar."""

    noun = "holiday"
    menu = MenuEntry(
        "base", "/base/holiday", "leave", label("节假日", "Holidays"), place=1,
        roles={ShippedRole.TENANT_ADMIN: EVERYTHING},
    )  # fmt: skip
    queryset = Holiday.objects.all()
    order = ("-day",)
    select = None  # type: ignore[assignment]  # nobody chooses among days
    codes = {"published": "holiday_view", "take_over": "holiday_add"}
    arrays = frozenset({"published"})

    @extend_schema(responses=PublishedYear(many=True))
    @action(detail=False, methods=["get"])
    def published(self, request: Request) -> Response:
        """Answer which years of the published calendar may be taken over."""
        return Response(holidays.offered())

    @extend_schema(request=TakeOverInput, responses=TakenOver)
    @action(detail=False, methods=["post"], url_path="takeOver")
    def take_over(self, request: Request) -> Response:
        """Add the published days of a year that are missing; those that are there stay as they are."""
        asked = TakeOverInput(data=parameters(request))
        asked.is_valid(raise_exception=True)
        return Response(holidays.take_over(self.actor, asked.validated_data["year"]))
