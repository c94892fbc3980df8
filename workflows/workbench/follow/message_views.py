"""Sending messages to processes, under /blade-flow/message."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.blade.parsers import parameters
from core.kernel.errors import Invalid, Missing
from core.kernel.texts import label
from core.rest.serializers import IdField, SpeakingSerializer
from core.rest.viewsets import BaseViewSet
from workflows.runtime.commands import sending
from workflows.runtime.tables.instances.models import ProcessInstance

_MAX = 100


class MessageInput(SpeakingSerializer):
    """A message, to whoever waits for its name and key, or to one process alone; a signal has no key."""

    name = serializers.CharField(label=label("消息名称", "Message name"), max_length=_MAX)
    key = serializers.CharField(label=label("关联键", "Correlation key"), max_length=_MAX, required=False, default="")
    isSignal = serializers.BooleanField(required=False, default=False)
    values = serializers.DictField(
        label=label("字段", "Fields"), required=False, default=dict,
        help_text="Of form fields, by their keys; those that the receiving event names.",
    )  # fmt: skip
    processInstanceId = IdField(required=False, help_text="Of the process that alone gets it, whatever its key.")


class Receiver(serializers.Serializer):  # type: ignore[type-arg]
    """A process that gets the message, and the event that waits for it there."""

    processInstanceId = serializers.CharField()
    processDefinitionName = serializers.CharField()
    businessNo = serializers.CharField()
    node = serializers.CharField()
    nodeName = serializers.CharField()


class StartedProcess(serializers.Serializer):  # type: ignore[type-arg]
    """A process that the message starts."""

    processDefinitionKey = serializers.CharField()
    processDefinitionName = serializers.CharField()


class MessageAnswer(serializers.Serializer):  # type: ignore[type-arg]
    """How many processes get the message and how many it starts, and which."""

    receivers = serializers.IntegerField()
    starts = serializers.IntegerField()
    processes = Receiver(many=True)
    started = StartedProcess(many=True)


class AwaitedMessage(serializers.Serializer):  # type: ignore[type-arg]
    """A message that a process waits for."""

    name = serializers.CharField()
    key = serializers.CharField()
    isSignal = serializers.BooleanField()
    node = serializers.CharField()
    nodeName = serializers.CharField()
    form = serializers.DictField(help_text="The fields that the message may set, as a form-js schema.")


class MessageViewSet(BaseViewSet):
    """Messages of people and of other systems to the company's processes."""

    by_tenant = True
    codes = {"send": sending.CODE, "awaited": sending.CODE}

    @extend_schema(request=MessageInput, responses=MessageAnswer)
    @action(detail=False, methods=["post"])
    def send(self, request: Request) -> Response:
        """Send a message or a signal; the answer says who gets it, and 404 that nobody waits for it."""
        asked = MessageInput(data=parameters(request))
        asked.is_valid(raise_exception=True)
        given: dict[str, Any] = asked.validated_data
        instance_id = given.get("processInstanceId")
        if not given["isSignal"] and not given["key"] and instance_id is None:
            raise Invalid({"key": _("请填写{field}").format(field=_("关联键"))})
        answer = sending.send(self.actor, given["name"], given["key"], given["isSignal"], given["values"], instance_id)
        return Response(answer)

    @extend_schema(
        parameters=[OpenApiParameter("processInstanceId", str, required=True)], responses=AwaitedMessage(many=True)
    )
    @action(detail=False, methods=["get"])
    def awaited(self, request: Request) -> Response:
        """Answer which messages a process waits for, with the fields that they set."""
        instance = ProcessInstance.objects.filter(pk=self.id_parameter("processInstanceId")).first()
        if instance is None:
            raise Missing()
        return Response([] if instance.is_over else sending.awaited(instance))
