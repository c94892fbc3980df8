"""Calls for handing over everything that waits for a person, a part of the work list's."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.blade.parsers import parameters
from core.identity.models import User
from core.kernel.errors import Missing
from core.kernel.texts import choose, label, moment
from core.rest.serializers import IdField, SpeakingSerializer
from workflows.runtime.commands import hand_over
from workflows.runtime.tables.worklist.models import HandOver


class HandOverInput(SpeakingSerializer):
    """Whose tasks are handed over, to whom, and why."""

    fromUserId = IdField(label=label("原办理人", "Current assignee"))
    userId = IdField(label=label("接收人", "Receiver"))
    reason = serializers.CharField(label=label("原因", "Reason"), max_length=500)


class HandOverBegun(serializers.Serializer):  # type: ignore[type-arg]
    """By which the hand-over is followed."""

    id = serializers.CharField()


class RefusedTask(serializers.Serializer):  # type: ignore[type-arg]
    """A task that stayed where it was, and why."""

    taskId = serializers.CharField()
    title = serializers.CharField()
    message = serializers.CharField()


class NamedStep(serializers.Serializer):  # type: ignore[type-arg]
    """A step of a model that names the person."""

    process = serializers.CharField()
    step = serializers.CharField()


class HandOverState(serializers.Serializer):  # type: ignore[type-arg]
    """How far a hand-over is."""

    id = serializers.CharField()
    total = serializers.IntegerField()
    moved = serializers.IntegerField()
    endTime = serializers.CharField(help_text="Empty while it goes on.")
    refused = RefusedTask(many=True)
    named = NamedStep(many=True, help_text="Steps of the company's own models that still name the person.")


class Colleague(serializers.Serializer):  # type: ignore[type-arg]
    """Somebody who works, or worked, in the company."""

    id = serializers.CharField()
    realName = serializers.CharField()
    account = serializers.CharField()
    hasLeft = serializers.BooleanField()


MOST_COLLEAGUES = 50


class HandOverCalls:
    """`hand-over` begins one, `handed-over` says how far it is, `colleagues` finds whose tasks it may be about."""

    @extend_schema(parameters=[OpenApiParameter("realName", str)], responses=Colleague(many=True))
    @action(detail=False, methods=["get"], url_path="colleagues")
    def colleagues(self: Any, request: Request) -> Response:
        """Answer people by name, those who have left or are disabled too."""
        name = self.text_parameter("realName", _("姓名"), 40)
        found = User.with_removed.filter(Q(real_name__icontains=name) | Q(account__icontains=name))
        return Response(
            [
                {
                    "id": str(one.pk),
                    "realName": one.real_name,
                    "account": one.account,
                    "hasLeft": one.is_deleted or not one.is_enabled,
                }
                for one in found.order_by("real_name", "id")[:MOST_COLLEAGUES]
            ]
        )

    @extend_schema(request=HandOverInput, responses=HandOverBegun)
    @action(detail=False, methods=["post"], url_path="hand-over")
    def hand_over(self: Any, request: Request) -> Response:
        """Have everything that waits for a person given to another one; the worker does it, task by task."""
        given = HandOverInput(data=parameters(request))
        given.is_valid(raise_exception=True)
        asked = given.validated_data
        return Response(hand_over.begin(self.actor, asked["fromUserId"], asked["userId"], asked["reason"]))

    @extend_schema(parameters=[OpenApiParameter("id", str, required=True)], responses=HandOverState)
    @action(detail=False, methods=["get"], url_path="handed-over")
    def handed_over(self: Any, request: Request) -> Response:
        """Answer how far a hand-over is, to whoever asked for it."""
        row = HandOver.objects.filter(pk=self.id_parameter(), asked_by=self.actor.user_id).first()
        if row is None:
            raise Missing()
        return Response(
            {
                "id": str(row.pk),
                "total": row.total,
                "moved": row.moved,
                "endTime": moment(row.end_time),
                "refused": row.refused,
                "named": [
                    {"process": choose(one["process"], one["processEn"]), "step": choose(one["step"], one["stepEn"])}
                    for one in row.named
                ],
            }
        )
