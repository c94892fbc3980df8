"""Where a process is: its timeline and its diagram, under /blade-flow/process."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.kernel import ports
from core.kernel.errors import Missing
from core.kernel.texts import is_english, moment
from core.kernel.viewsets import SIGNED_IN, Door
from workflows.deployments import library
from workflows.deployments.models import Definition
from workflows.instances.models import InstanceStatus, ProcessInstance
from workflows.worklist.models import ItemState, WorkItem
from workflows.worklist.serializers import outcome_name

_INSTANCE = [OpenApiParameter("processInstanceId", str, required=True)]


class HistoryRow(serializers.Serializer):  # type: ignore[type-arg]
    """A step of the timeline."""

    id = serializers.CharField()
    assigneeName = serializers.CharField()
    createTime = serializers.CharField()
    endTime = serializers.CharField()
    historyActivityId = serializers.CharField()
    historyActivityName = serializers.CharField()
    historyActivityType = serializers.CharField()
    historyActivityDurationTime = serializers.CharField()
    comment = serializers.CharField()
    outcome = serializers.CharField()
    outcomeName = serializers.CharField()
    round = serializers.IntegerField()


class OpenNode(serializers.Serializer):  # type: ignore[type-arg]
    """A node where the process waits."""

    node = serializers.CharField()
    assigneeName = serializers.CharField()
    createTime = serializers.CharField()


class ModelView(serializers.Serializer):  # type: ignore[type-arg]
    """A definition's diagram, and what the instance has done on it."""

    xml = serializers.CharField()
    name = serializers.CharField()
    done = serializers.DictField(child=serializers.IntegerField())
    flows = serializers.DictField(child=serializers.IntegerField())
    open = OpenNode(many=True)
    finished = serializers.BooleanField()


def duration(begin: Any, end: Any) -> str:
    """Whole minutes in words, in the caller's language; empty while it lasts."""
    if end is None:
        return ""
    minutes = max(int((end - begin).total_seconds() + 30) // 60, 0)
    days, hours, rest = minutes // 1440, minutes % 1440 // 60, minutes % 60
    parts = [(days, _("{n}天")), (hours, _("{n}小时")), (rest, _("{n}分钟"))]
    words = [text.format(n=amount) for amount, text in parts if amount] or [_("{n}分钟").format(n=0)]
    return (" " if is_english() else "").join(words)


class ProcessDoor(Door):
    """History and diagram, for whoever sees the business record."""

    codes = {"history": SIGNED_IN, "model_view": SIGNED_IN}

    def _instance(self) -> ProcessInstance:
        """The instance asked for; one whose record the caller does not see is missing."""
        instance = ProcessInstance.objects.filter(pk=self.id_parameter("processInstanceId")).first()
        if instance is None or not ports.effects[instance.business_type].sees(self.actor, instance.business_id):
            raise Missing()
        return instance  # type: ignore[no-any-return]

    def _names(self, items: list[WorkItem]) -> dict[int, str]:
        """By item, who did it, holds it, or may take it."""
        people = ports.people.names({item.assignee_id for item in items if item.assignee_id})
        pooled = [item for item in items if item.state == ItemState.OPEN and item.assignee_id is None]
        labels = ports.people.describe({key for item in pooled for key in item.candidate_keys})
        return {
            item.pk: item.completed_by_name
            or people.get(item.assignee_id or 0, "")
            or " / ".join(labels[key] for key in item.candidate_keys if labels.get(key))
            for item in items
        }

    @extend_schema(parameters=_INSTANCE, responses=HistoryRow(many=True))
    @action(detail=False, methods=["get"], url_path="history-flow-list")
    def history(self, request: Request) -> Response:
        """Start, every step of people in time order, and the end."""
        instance = self._instance()
        items = list(WorkItem.objects.filter(instance=instance).exclude(state=ItemState.DROPPED).order_by("id"))
        names = self._names(items)

        def row(row_id: str, kind: str, name: str, **rest: Any) -> dict[str, Any]:
            empty = {"assigneeName": "", "createTime": "", "endTime": "", "historyActivityId": kind}
            more = {"historyActivityDurationTime": "", "comment": "", "outcome": "", "outcomeName": "", "round": 1}
            return {
                "id": row_id, **empty, **more, "historyActivityName": name, "historyActivityType": kind, **rest,
            }  # fmt: skip

        begun = moment(instance.start_time)
        rows = [
            row(
                f"{instance.pk}-start", "startEvent", _("发起"),
                assigneeName=instance.starter_name, createTime=begun, endTime=begun,
            )
        ]  # fmt: skip
        for item in items:
            rows.append(
                row(
                    str(item.pk), "userTask", item.name,
                    assigneeName=names[item.pk], createTime=moment(item.create_time), endTime=moment(item.end_time),
                    historyActivityId=item.node, comment=item.comment, outcome=item.outcome, round=item.round,
                    outcomeName=outcome_name(item) if item.outcome else "",
                    historyActivityDurationTime=duration(item.create_time, item.end_time),
                )
            )  # fmt: skip
        if instance.status == InstanceStatus.COMPLETED:
            ended = moment(instance.end_time)
            rows.append(
                row(
                    f"{instance.pk}-end", "endEvent", _("结束"), createTime=ended, endTime=ended,
                    historyActivityDurationTime=duration(instance.start_time, instance.end_time),
                )
            )  # fmt: skip
        return Response(rows)

    @extend_schema(parameters=_INSTANCE, responses=ModelView)
    @action(detail=False, methods=["get"], url_path="model-view")
    def model_view(self, request: Request) -> Response:
        """The diagram of the version it runs on: what is done, how often, and what waits now."""
        instance = self._instance()
        definition = Definition.objects.get(pk=instance.definition_id)
        specification = library.specification(definition.pk)
        items = list(WorkItem.objects.filter(instance=instance, state=ItemState.OPEN))
        names = self._names(items)
        return Response(
            {
                "xml": bytes(definition.xml).decode(),
                "name": str(definition),
                "done": {node: count for node, count in instance.nodes.items() if node in specification.nodes},
                "flows": instance.flows,
                "open": [
                    {"node": item.node, "assigneeName": names[item.pk], "createTime": moment(item.create_time)}
                    for item in items
                ],
                "finished": instance.status == InstanceStatus.COMPLETED,
            }
        )
