"""Where a process is: its timeline and its diagram, under /blade-flow/process."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from typing import Any

from django.db.models import Q
from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core import ports
from core.audit import story
from core.audit.models import Event
from core.audit.story import COMMON
from core.kernel.errors import Missing
from core.kernel.texts import choose, length, moment
from core.rest.viewsets import SIGNED_IN, BaseViewSet
from workflows.runtime.calls.process_serializers import Incident, incident, suspended
from workflows.runtime.calls.work_serializers import result
from workflows.runtime.commands import again, standalone, taking_back
from workflows.runtime.definitions import library, picture
from workflows.runtime.rows import confidential, copies
from workflows.runtime.rows.items import sent_back
from workflows.runtime.tables.deployments.models import Definition
from workflows.runtime.tables.instances.models import STANDALONE, ProcessInstance
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

_INSTANCE = [OpenApiParameter("processInstanceId", str, required=True)]


class HistoryRow(serializers.Serializer):  # type: ignore[type-arg]
    """A step of the timeline."""

    id = serializers.CharField()
    assigneeName = serializers.CharField()
    createTime = serializers.CharField()
    endTime = serializers.CharField()
    readTime = serializers.CharField(help_text="When the assignee of an open step opened it; empty while unread.")
    historyActivityId = serializers.CharField()
    historyActivityName = serializers.CharField()
    historyActivityType = serializers.CharField()
    historyActivityDurationTime = serializers.CharField()
    comment = serializers.CharField()
    outcome = serializers.CharField()
    outcomeName = serializers.CharField()
    isNegative = serializers.BooleanField(help_text="Whether the outcome says no.")
    round = serializers.IntegerField()


class OpenNode(serializers.Serializer):  # type: ignore[type-arg]
    """A node where the process waits."""

    node = serializers.CharField()
    assigneeName = serializers.CharField()
    createTime = serializers.CharField()


class FormSection(serializers.Serializer):  # type: ignore[type-arg]
    """What was filled in at a step: the fields of its form-js schema, and their values by key."""

    node = serializers.CharField(help_text="Empty for the start.")
    name = serializers.CharField()
    form = serializers.DictField()
    values = serializers.DictField()


class ProcessDetail(serializers.Serializer):  # type: ignore[type-arg]
    """A process as a page shows it."""

    processInstanceId = serializers.CharField()
    title = serializers.CharField()
    businessNo = serializers.CharField()
    businessTable = serializers.CharField()
    businessId = serializers.CharField()
    processDefinitionId = serializers.CharField()
    processDefinitionName = serializers.CharField()
    processDefinitionVersion = serializers.IntegerField()
    starterName = serializers.CharField()
    startTime = serializers.CharField()
    endTime = serializers.CharField()
    status = serializers.IntegerField()
    statusName = serializers.CharField()
    processIsFinished = serializers.ChoiceField(choices=["finished", "unfinished"])
    parkedText = serializers.CharField(help_text="Why it stands still, where it does.")
    haltedText = serializers.CharField(help_text="That it is suspended with its definition, where it is.")
    mayCopy = serializers.BooleanField(help_text="Whether the caller may send copies.")
    takeBackTaskId = serializers.CharField(help_text="The task that the caller may take back now; empty for none.")
    startAgainId = serializers.CharField(
        help_text="The definition that the starter of a withdrawn process may start in its place; empty for none."
    )
    sections = FormSection(many=True)
    texts = serializers.DictField(
        child=serializers.CharField(),
        help_text="What values are called: by type and id such as `xw-person:7`, and by link of a file.",
    )


class ModelView(serializers.Serializer):  # type: ignore[type-arg]
    """A definition's diagram, and what the instance has done on it."""

    xml = serializers.CharField()
    name = serializers.CharField()
    done = serializers.DictField(child=serializers.IntegerField())
    flows = serializers.DictField(child=serializers.IntegerField())
    returned = serializers.ListField(
        child=serializers.CharField(), help_text="Steps that were sent back and have not been done since."
    )
    open = OpenNode(many=True)
    finished = serializers.BooleanField()
    parked = Incident(allow_null=True)
    haltedText = serializers.CharField(help_text="That it is suspended with its definition, where it is.")


def handed(instance_id: int, said: Callable[[str], str]) -> dict[int, dict[str, Any]]:
    """What people did with its steps beside completing them, as rows of the timeline by id; two statements at most.

    `said` returns as much of a remark as the caller may read.
    """
    events = list(Event.objects.filter(instance_id=instance_id, operation__in=list(story.HANDED)).order_by("id"))
    to = story.targets(events)
    return {
        event.pk: {
            "row_id": f"act-{event.pk}",
            "kind": event.operation,
            "name": str(story.HANDED[event.operation]),
            "assigneeName": event.user_name,
            "createTime": moment(event.time),
            "endTime": moment(event.time),
            "historyActivityId": event.node or event.operation,
            "comment": "：".join(filter(None, (f"→ {to[event.pk]}" if event.pk in to else "", _remark(event, said)))),
            "round": event.round or 1,
        }
        for event in events
    }


def duration(begin: Any, end: Any) -> str:
    """Whole minutes in words, in the caller's language; empty while it lasts."""
    if end is None:
        return ""
    return length(end - begin)


def _in_order(told: Mapping[int, Mapping[str, Any]], signed: Set[int]) -> list[int]:
    """Return the ids of the rows as they happened: ids are in order of time, and finer than its texts.

    A signer's item is stored just before the event which says that the signer was added.
    """
    added = sorted(pk for pk, row in told.items() if row["historyActivityType"].startswith("task.add"))
    return sorted(
        told, key=lambda pk: (next((one for one in added if one > pk), pk) if pk in signed else pk, pk in signed)
    )


_BY_HAND = {"process.suspend", "process.skip", "process.move"}
"""Written by people who follow processes, most of whom may not read the record either."""


def _remark(event: Event, said: Callable[[str], str]) -> str:
    return event.remark if event.operation in _BY_HAND else said(event.remark)


class ProcessViewSet(BaseViewSet):
    """History and diagram, for whoever sees the business record, and for those who follow processes.

    Who follows processes without seeing the record reads where it stands and with whom, but nothing that quotes it.
    """

    codes = {
        "history": SIGNED_IN,
        "model_view": SIGNED_IN,
        "described": SIGNED_IN,
        "resource_view": SIGNED_IN,
        "diagram_view": SIGNED_IN,
    }
    by_ticket = frozenset({"resource_view", "diagram_view"})
    is_confidential = False
    """Whether the caller follows the instance asked for without seeing its record."""

    def _instance(self) -> ProcessInstance:
        """Return the instance asked for; one whose record the caller neither sees nor follows is missing."""
        rows = ProcessInstance.objects.defer("undo_state", "undo")
        instance = rows.filter(pk=self.id_parameter("processInstanceId")).first()
        if instance is None:
            raise Missing()
        sees = standalone.sees if instance.business_type == STANDALONE else ports.effects[instance.business_type].sees
        if not sees(self.actor, instance.business_id):
            if not self.actor.may(confidential.FOLLOWS):
                raise Missing()
            self.is_confidential = True
        return instance  # type: ignore[no-any-return]

    def _title(self, instance: ProcessInstance) -> str:
        return confidential.title(instance) if self.is_confidential else instance.called

    def _said(self, text: str) -> str:
        """Return what a person wrote, to those who may read the record."""
        return "" if self.is_confidential else text

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

    @extend_schema(parameters=_INSTANCE, responses=ProcessDetail)
    @action(detail=False, methods=["get"], url_path="detail")
    def described(self, request: Request) -> Response:
        """Answer what it is, where it stands, and of what was filled in as much as the caller may read."""
        instance = self._instance()
        definition = library.definition(instance.definition_id)
        items = list(WorkItem.objects.filter(instance=instance).exclude(state=ItemState.DROPPED).order_by("id"))
        sections, texts = standalone.sections(self.actor, instance, items)
        return Response(
            {
                "processInstanceId": str(instance.pk),
                "title": self._title(instance),
                "businessNo": instance.business_no,
                "businessTable": instance.business_type,
                "businessId": str(instance.business_id),
                "processDefinitionId": str(definition.pk),
                "processDefinitionName": str(definition),
                "processDefinitionVersion": definition.version,
                "starterName": instance.starter_name,
                "startTime": moment(instance.start_time),
                "endTime": moment(instance.end_time),
                "status": instance.status,
                "statusName": instance.get_status_display(),
                "processIsFinished": "finished" if instance.is_over else "unfinished",
                "parkedText": choose(instance.park_text, instance.park_text_en),
                "haltedText": suspended(instance),
                "mayCopy": copies.may_send(self.actor, instance.business_type, instance.business_id),
                "takeBackTaskId": taking_back.last_of(self.actor, instance),
                "startAgainId": again.version_to_start(self.actor, instance),
                "sections": sections,
                "texts": texts,
            }
        )

    @extend_schema(parameters=_INSTANCE, responses=HistoryRow(many=True))
    @action(detail=False, methods=["get"], url_path="history-flow-list")
    def history(self, request: Request) -> Response:
        """Start, every step of people, every message and every answer of an operation in time order, and the end."""
        instance = self._instance()
        hidden = (ItemState.DROPPED, ItemState.WAITING)
        items = list(WorkItem.objects.filter(instance=instance).exclude(state__in=hidden).order_by("id"))
        names = self._names(items)

        def row(row_id: str, kind: str, name: str, **rest: Any) -> dict[str, Any]:
            empty = {"assigneeName": "", "createTime": "", "endTime": "", "readTime": "", "historyActivityId": kind}
            more = {"historyActivityDurationTime": "", "comment": "", "round": 1}
            none = {"outcome": "", "outcomeName": "", "isNegative": False}
            return {
                "id": row_id, **empty, **more, **none, "historyActivityName": name, "historyActivityType": kind, **rest,
            }  # fmt: skip

        begun = moment(instance.start_time)
        rows = [
            row(
                f"{instance.pk}-start", "startEvent", _("发起"),
                assigneeName=instance.starter_name, createTime=begun, endTime=begun,
            )
        ]  # fmt: skip
        told = {
            item.pk: row(
                str(item.pk), "userTask", item.step,
                assigneeName=names[item.pk], createTime=moment(item.create_time), endTime=moment(item.end_time),
                readTime=moment(item.read_time) if item.state == ItemState.OPEN else "",
                historyActivityId=item.node, comment=self._said(item.comment), round=item.round, **result(item),
                historyActivityDurationTime=duration(item.create_time, item.end_time),
            )
            for item in items
        }  # fmt: skip
        of_outside = Q(operation__startswith="message.") | Q(operation__startswith="operation.")
        for event in Event.objects.filter(of_outside, instance_id=instance.pk):
            time = moment(event.time)
            told[event.pk] = row(
                str(event.pk), "message", str(COMMON[event.operation]),
                assigneeName=event.user_name if event.operation == "message.byPerson" else "",
                createTime=time, endTime=time, historyActivityId=event.node, comment=self._said(event.remark),
            )  # fmt: skip
        told |= {pk: row(**act) for pk, act in handed(instance.pk, self._said).items()}
        signed = {item.pk for item in items if item.signs}
        rows += [told[pk] for pk in _in_order(told, signed)]
        if instance.park_time is not None:
            rows.append(
                row(
                    f"{instance.pk}-parked", "parked", _("异常"), createTime=moment(instance.park_time),
                    comment=choose(instance.park_text, instance.park_text_en), historyActivityId=instance.park_node,
                )
            )  # fmt: skip
        if instance.is_over:
            ended = moment(instance.end_time)
            rows.append(
                row(
                    f"{instance.pk}-end", "endEvent", _("结束"), createTime=ended, endTime=ended,
                    historyActivityDurationTime=duration(instance.start_time, instance.end_time),
                )
            )  # fmt: skip
        return Response(rows)

    @extend_schema(
        parameters=[OpenApiParameter("processInstanceId", str), OpenApiParameter("processDefinitionId", str)],
        responses=ModelView,
    )
    @action(detail=False, methods=["get"], url_path="model-view")
    def model_view(self, request: Request) -> Response:
        """The diagram of the version it runs on: what is done, how often, and what waits now. Or of a definition."""
        if request.query_params.get("processDefinitionId") and not request.query_params.get("processInstanceId"):
            definition = library.seen(self.id_parameter("processDefinitionId"))
            nothing: dict[str, Any] = {
                "done": {},
                "flows": {},
                "returned": [],
                "open": [],
                "finished": False,
                "parked": None,
            }
            nothing["haltedText"] = ""
            return Response({"xml": bytes(definition.xml).decode(), "name": str(definition), **nothing})
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
                "returned": sorted({library.place(definition.pk, node) for node in sent_back(instance.pk)}),
                "open": [
                    {
                        "node": library.place(definition.pk, item.node),
                        "assigneeName": names[item.pk],
                        "createTime": moment(item.create_time),
                    }
                    for item in items
                ],
                "finished": instance.is_over,
                "parked": incident(instance),
                "haltedText": suspended(instance),
            }
        )

    @extend_schema(
        parameters=[OpenApiParameter("processDefinitionId", str, required=True)],
        responses={(200, "image/svg+xml"): OpenApiTypes.BINARY},
    )
    @action(detail=False, methods=["get"], url_path="resource-view")
    def resource_view(self, request: Request) -> HttpResponse:
        """Answer a definition's diagram as a picture, for a frame that sends no headers."""
        definition = library.seen(self.id_parameter("processDefinitionId"))
        return _picture(picture.svg(library.drawn(definition.pk), str(definition)))

    @extend_schema(parameters=_INSTANCE, responses={(200, "image/svg+xml"): OpenApiTypes.BINARY})
    @action(detail=False, methods=["get"], url_path="diagram-view")
    def diagram_view(self, request: Request) -> HttpResponse:
        """Where an instance is, as a picture: what is done, and for whom it waits now."""
        instance = self._instance()
        items = list(WorkItem.objects.filter(instance=instance, state=ItemState.OPEN))
        names = self._names(items)
        drawn = picture.svg(
            library.drawn(instance.definition_id),
            self._title(instance),
            done=set(instance.nodes),
            flows=set(instance.flows),
            returned={library.place(instance.definition_id, node) for node in sent_back(instance.pk)},
            waits={
                library.place(instance.definition_id, item.node): f"{item.name}: {names[item.pk]}" for item in items
            },
        )
        return _picture(drawn)


def _picture(drawn: str) -> HttpResponse:
    """Answer an answer that a page may show as an image or in a frame of its own; nothing in it is run."""
    response = HttpResponse(drawn, content_type="image/svg+xml; charset=utf-8")
    response["Content-Security-Policy"] = picture.POLICY
    response["X-Frame-Options"] = "SAMEORIGIN"
    return response
