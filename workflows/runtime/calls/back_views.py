"""The calls that send a task back and take one back; a part of the queues' view set."""

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
from core.kernel.texts import moment
from core.rest.viewsets import BaseViewSet
from workflows.runtime.commands import moves, sending_back, taking_back, work_items
from workflows.runtime.commands.shared import find
from workflows.runtime.rows import items
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

_MAX_REASON = 500


class EndingStep(serializers.Serializer):  # type: ignore[type-arg]
    """An open step that ends with a task that is sent back."""

    name = serializers.CharField()
    assigneeName = serializers.CharField()


class EarlierStep(serializers.Serializer):  # type: ignore[type-arg]
    """A step to which a task may be sent back."""

    node = serializers.CharField()
    name = serializers.CharField()
    userName = serializers.CharField(help_text="Who did it last; several in a countersign.")
    endTime = serializers.CharField()
    walksAgain = serializers.BooleanField(help_text="Whether the process may go on from there as drawn.")
    comesBack = serializers.BooleanField(help_text="Whether it may come straight back to the step that sends it.")
    ends = EndingStep(many=True, help_text="What else ends where the process goes on from there.")


class SendBackInput(serializers.Serializer):  # type: ignore[type-arg]
    """The body of send-back."""

    taskId = serializers.CharField()
    to = serializers.CharField(help_text="The node of an earlier step.")
    comesBack = serializers.BooleanField(
        required=False, help_text="Come straight back when that step is done, in place of going on from there."
    )
    reason = serializers.CharField()


class TakeBackInput(serializers.Serializer):  # type: ignore[type-arg]
    """The body of take-back."""

    taskId = serializers.CharField()


class BackCalls(BaseViewSet):
    """Sending a task back to an earlier step, and taking back what one has completed."""

    @extend_schema(parameters=[OpenApiParameter("taskId", str, required=True)], responses=EarlierStep(many=True))
    @action(detail=False, methods=["get"], url_path="earlier-steps")
    def earlier_steps(self, request: Request) -> Response:
        """Answer the steps to which a task that I may complete can be sent back, the last done first."""
        item = find(self.id_parameter("taskId"))
        ways = work_items.offered(self.actor, [item])[item.pk]
        if not sending_back.may_send_back(self.actor, item, ways):
            raise Missing()
        instance = ProcessInstance.objects.get(pk=item.instance_id)
        is_open = list(WorkItem.objects.filter(instance=instance, state=ItemState.OPEN).order_by("id"))
        found = sending_back.targets(instance, item, is_open)
        over = [one for one in is_open if any(one.engine_task in earlier.way.ends for earlier in found)]
        who = items.waiting_for(over) if over else {}
        return Response(
            [
                {
                    "node": earlier.way.node,
                    "name": moves.name(instance, earlier.way.node),
                    "userName": "、".join(earlier.names),
                    "endTime": moment(earlier.done.end_time),
                    "walksAgain": earlier.way.walks,
                    "comesBack": earlier.way.returns,
                    "ends": [
                        {"name": one.name, "assigneeName": who[one.pk]}
                        for one in over
                        if one.engine_task in earlier.way.ends
                    ],
                }
                for earlier in found
            ]
        )

    @extend_schema(request=SendBackInput, responses=None)
    @action(detail=False, methods=["post"], url_path="send-back")
    def send_back(self, request: Request) -> Response:
        """Send a task back to an earlier step."""
        given, task = parameters(request), self.id_parameter("taskId")
        to = self.text_parameter("to", _("退回到"), 80)
        reason = self.text_parameter("reason", _("原因"), _MAX_REASON)
        for name, text, words in (("to", to, _("请选择{field}")), ("reason", reason, _("请填写{field}"))):
            if not text:
                raise Invalid({name: words.format(field=_("退回到") if name == "to" else _("原因"))})
        return Response(sending_back.send_back(self.actor, task, to, _flag(given), reason))

    @extend_schema(request=TakeBackInput, responses=None)
    @action(detail=False, methods=["post"], url_path="take-back")
    def take_back(self, request: Request) -> Response:
        """Take back what I completed, until the next person acts."""
        return Response(taking_back.take_back(self.actor, self.id_parameter("taskId")))


def _flag(given: Any) -> bool:
    value = given.get("comesBack", False)
    if value in (True, "true", "1", 1):
        return True
    if value in (False, "false", "0", 0, "", None):
        return False
    raise Invalid({"comesBack": _("请求参数格式错误: {name}").format(name="comesBack")})
