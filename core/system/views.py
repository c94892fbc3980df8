"""Dictionaries, to choose from."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.kernel.viewsets import SIGNED_IN, Door
from core.system.models import DictionaryEntry
from core.system.serializers import DictionaryValue


class DictionaryDoor(Door):
    """The business dictionary."""

    codes = {"dictionary": SIGNED_IN}

    @extend_schema(parameters=[OpenApiParameter("code", str)], responses=DictionaryValue(many=True))
    @action(detail=False, methods=["get"], url_path="dictionary")
    def dictionary(self, request: Request) -> Response:
        """Unsealed values of one dictionary in order."""
        rows = DictionaryEntry.objects.filter(code=self.parameter("code")[:60], is_sealed=False).order_by("sort", "id")
        return Response([{"dictKey": row.dict_key, "dictValue": str(row), "remark": row.remark} for row in rows])
