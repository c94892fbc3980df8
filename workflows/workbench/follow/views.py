"""What runs, stands still and has ended in the company, under /blade-flow/follow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core import ports
from core.blade.parsers import parameters
from core.kernel.actor import Actor
from core.kernel.errors import Invalid, Missing
from core.kernel.ids import is_id
from core.kernel.operation import check_code
from core.kernel.texts import choose, label, moment
from core.rest.filters import CODE, ID, MOMENT, Filter, apply_filters, contains
from core.rest.menus import EVERYTHING, Button, MenuEntry, ShippedRole, held_by
from core.rest.pagination import page
from core.rest.viewsets import BaseViewSet
from workflows.runtime.calls.process_serializers import Incident, incident
from workflows.runtime.calls.work_filters import asked, containing, overdue_where
from workflows.runtime.commands import corrections, moves, reassign, retrying, suspending
from workflows.runtime.execution import ending
from workflows.runtime.rows import confidential, deadlines, suspension
from workflows.runtime.rows.items import open_item, waiting_for
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.worklist.models import ItemState, WorkItem
from workflows.workbench.follow import bulk, detail

END = "flow_follow_delete"
"""Permission code."""
_BULK = {
    "retry": retrying.CODE, "reassign": reassign.CODE, "skip": moves.CODE, "move": moves.CODE,
    "suspend": suspending.CODE, "resume": suspending.CODE, "end": END,
}  # fmt: skip
"""What may be done with many at once, and its permission code."""
_WITHOUT_REASON = {"retry", "resume"}
RUNNING, INCIDENT, SUSPENDED, ENDED = "running", "parked", "suspended", "ended"
"""What the list can be asked for; nothing means what has not ended."""
_STATES = {
    RUNNING: ~suspension.SUSPENDED & Q(status=InstanceStatus.RUNNING, park_time=None),
    INCIDENT: Q(status=InstanceStatus.RUNNING, park_time__isnull=False),
    SUSPENDED: suspension.SUSPENDED & Q(status=InstanceStatus.RUNNING),
    ENDED: ~Q(status=InstanceStatus.RUNNING),
}


def _of_id(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    return rows.filter(pk=int(text)) if is_id(text) else rows.none()


def _called(actor: Actor, text: str) -> Q:
    return contains(("business_no", "starter_name"), text) | contains(
        ("title", "title_en"), text
    ) & confidential.where_readable(actor)


def _standing_at(rows: QuerySet[Any], node: str) -> QuerySet[Any]:
    waits = WorkItem.objects.filter(instance=OuterRef("pk"), state=ItemState.OPEN, node=node)
    return rows.filter(Q(park_time__isnull=False, park_node=node) | Exists(waits))


FILTERS = {
    "executionId": Filter(apply=_of_id),
    "processInstanceId": Filter(apply=_of_id),
    "processDefinitionId": Filter("definition_id", ID),
    "processDefinitionKey": Filter("definition__key", CODE),
    "processDefinitionName": Filter(apply=containing("definition__name", "definition__name_en")),
    "category": Filter("definition__category", CODE),
    "keyword": Filter(),  # by the rights of the caller, see `_asked`
    "starter": Filter("starter_name"),
    "overdue": overdue_where(deadlines.overdue()),
    "parkCode": Filter("park_code", CODE),
    "node": Filter(apply=_standing_at),
    "startTime": Filter("start_time", MOMENT),
}
_INSTANCE = OpenApiParameter("processInstanceId", str, required=True)


_UNREAD = ("definition__xml", "definition__whole", "definition__meta", "definition__forms", "state", "form")


def _state(given: Mapping[str, Any]) -> Q:
    return _STATES.get(str(given.get("state", "")), Q(status=InstanceStatus.RUNNING))


class WaitingStep(serializers.Serializer):  # type: ignore[type-arg]
    """A step of people where the process waits."""

    taskId = serializers.CharField()
    node = serializers.CharField()
    name = serializers.CharField()
    assigneeName = serializers.CharField(help_text="Who holds it, or else its candidates.")
    createTime = serializers.CharField()
    isOverdue = serializers.BooleanField(help_text="A deadline drawn round it has passed.")
    canReassign = serializers.BooleanField(help_text="Whether the caller may; a record's command may ask for more.")


class Suspension(serializers.Serializer):  # type: ignore[type-arg]
    """Who suspended one instance, when and why."""

    userName = serializers.CharField()
    time = serializers.CharField()
    reason = serializers.CharField()


class FollowRow(serializers.Serializer):  # type: ignore[type-arg]
    """An instance, as who follows processes reads it."""

    id = serializers.CharField()
    executionId = serializers.CharField()
    processInstanceId = serializers.CharField()
    processDefinitionId = serializers.CharField()
    processDefinitionKey = serializers.CharField()
    processDefinitionName = serializers.CharField()
    processDefinitionVersion = serializers.IntegerField()
    category = serializers.CharField()
    suspensionState = serializers.IntegerField(help_text="1 it moves, 2 suspended, alone or with its definition")
    suspended = Suspension(allow_null=True, help_text="Null unless it is suspended alone.")
    parked = Incident(allow_null=True)
    startUser = serializers.CharField()
    startTime = serializers.CharField()
    endTime = serializers.CharField()
    status = serializers.IntegerField()
    statusName = serializers.CharField()
    waits = WaitingStep(many=True)
    title = serializers.CharField(help_text="Process and number for who may not read the record.")
    businessNo = serializers.CharField()
    businessTable = serializers.CharField()
    businessId = serializers.CharField()
    followActions = serializers.ListField(child=serializers.ChoiceField(choices=list(_BULK)))
    """What the caller may do with it as it stands."""


class IncidentRow(serializers.Serializer):  # type: ignore[type-arg]
    """An incident of the past or the present."""

    time = serializers.CharField()
    endTime = serializers.CharField(help_text="When somebody resolved it; empty while it lasts.")
    resolvedBy = serializers.CharField()
    node = serializers.CharField()
    nodeName = serializers.CharField()
    text = serializers.CharField(help_text="The cause.")
    error = serializers.CharField(help_text="What the server says of a timer's last failure, for who reads the record.")


_TEXTS = "What values are called: by type and id such as `xw-person:7`, and by link of a file."


class ValueRow(serializers.Serializer):  # type: ignore[type-arg]
    """A value that the process, or the record that it moves, holds now."""

    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # the wire calls it so
    value = serializers.JSONField(allow_null=True)
    text = serializers.CharField(help_text="The value in words, of a record's; of a form the field says it.")
    field = serializers.DictField(allow_null=True, help_text="The form-js field; null for a record's.")
    canCorrect = serializers.BooleanField()


class Way(serializers.Serializer):  # type: ignore[type-arg]
    """An outcome with which a step can be skipped."""

    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # the wire calls it so


class Element(serializers.Serializer):  # type: ignore[type-arg]
    """An element of the diagram."""

    node = serializers.CharField()
    name = serializers.CharField()
    kind = serializers.CharField(help_text="The BPMN element, such as userTask.")


class Token(Element):
    """An element at which the process waits, and what may be done with it by hand."""

    skips = serializers.BooleanField()
    outcomes = Way(many=True)
    targets = Element(many=True)


class StepShown(serializers.Serializer):  # type: ignore[type-arg]
    """A step of people."""

    node = serializers.CharField()
    name = serializers.CharField()
    assigneeName = serializers.CharField(help_text="Who holds it, or else its candidates.")


class Moved(serializers.Serializer):  # type: ignore[type-arg]
    """What a step by hand did, or would do."""

    processInstanceId = serializers.CharField()
    cancelled = StepShown(many=True)
    opened = StepShown(many=True)
    stays = StepShown(many=True)
    timersEnded = serializers.ListField(child=serializers.CharField())
    timersStarted = serializers.ListField(child=serializers.CharField())
    operations = serializers.ListField(child=serializers.CharField(), help_text="That are called on the way.")
    isFinished = serializers.BooleanField()


class MoveInput(serializers.Serializer):  # type: ignore[type-arg]
    """The body of skip-element and move-token."""

    processInstanceId = serializers.CharField()
    node = serializers.CharField(help_text="Where the process waits.")
    outcome = serializers.CharField(required=False, help_text="Of skip-element, where the step has several ways on.")
    to = serializers.CharField(required=False, help_text="Of move-token.")
    reason = serializers.CharField()
    isPreview = serializers.BooleanField(required=False)


class FollowDetail(FollowRow):
    """An instance with what went wrong and what it holds."""

    incidents = IncidentRow(many=True)
    isConfidential = serializers.BooleanField(help_text="The caller may not read its record.")
    values = ValueRow(many=True)
    tokens = Token(many=True, help_text="Where it may be skipped or moved by hand; `followActions` says which.")
    texts = serializers.DictField(child=serializers.CharField(), help_text=_TEXTS)


class CorrectInput(serializers.Serializer):  # type: ignore[type-arg]
    """A value to replace."""

    processInstanceId = serializers.CharField()
    key = serializers.CharField()
    value = serializers.JSONField(allow_null=True)
    reason = serializers.CharField()
    isPreview = serializers.BooleanField(required=False)


class Corrected(serializers.Serializer):  # type: ignore[type-arg]
    """A value before and after."""

    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # the wire calls it so
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)
    texts = serializers.DictField(child=serializers.CharField(), help_text=_TEXTS)


class ChosenInput(serializers.Serializer):  # type: ignore[type-arg]
    """Which instances are meant: `ids`, or filters of the list by their names."""

    ids = serializers.CharField(required=False, help_text="Joined by commas, at most 200.")
    state = serializers.CharField(required=False, help_text="As of the list.")
    processDefinitionKey = serializers.CharField(required=False)
    processDefinitionId = serializers.CharField(required=False)
    parkCode = serializers.CharField(required=False)
    node = serializers.CharField(required=False, help_text="Where it waits or has its incident.")
    keyword = serializers.CharField(required=False)
    overdue = serializers.CharField(required=False)
    startTime_datege = serializers.CharField(required=False)
    startTime_datelt = serializers.CharField(required=False)


class BulkInput(ChosenInput):
    """What is to be done with which instances."""

    act = serializers.CharField(help_text="One of `followActions`.")
    isPreview = serializers.BooleanField(required=False)
    userId = serializers.CharField(required=False, help_text="Who gets the tasks.")
    outcome = serializers.CharField(required=False, help_text="With which the step `node` is skipped.")
    to = serializers.CharField(required=False, help_text="Where the token at `node` is moved.")
    reason = serializers.CharField(required=False)


class BulkRow(serializers.Serializer):  # type: ignore[type-arg]
    """What came of one."""

    processInstanceId = serializers.CharField()
    businessNo = serializers.CharField()
    title = serializers.CharField()
    message = serializers.CharField(help_text="Why it was refused; empty where it was done.")
    detail = serializers.CharField(help_text="Where a process stands that was skipped or moved; empty otherwise.")


class BulkAnswer(serializers.Serializer):  # type: ignore[type-arg]
    """How many, and what came of each."""

    done = serializers.IntegerField()
    refused = serializers.IntegerField()
    left = serializers.IntegerField(help_text="Instances beyond the number that one request takes.")
    records = BulkRow(many=True)


class BulkWay(serializers.Serializer):  # type: ignore[type-arg]
    """A way in which instances can be skipped or moved by hand."""

    node = serializers.CharField(help_text="Where they wait.")
    name = serializers.CharField()
    to = serializers.CharField(help_text="The outcome, '' where the element has none; or the element to move to.")
    toName = serializers.CharField()
    count = serializers.IntegerField(help_text="Instances for which there is this way now.")


class BulkWays(serializers.Serializer):  # type: ignore[type-arg]
    """How many models and versions the instances are of, and the ways that they have in common."""

    models = serializers.IntegerField(help_text="None is skipped where there are several.")
    versions = serializers.IntegerField(help_text="None is moved where there are several.")
    skips = BulkWay(many=True)
    targets = BulkWay(many=True)


class ParkReason(serializers.Serializer):  # type: ignore[type-arg]
    """Why some stand still, and how many."""

    code = serializers.CharField()
    text = serializers.CharField(help_text="What it says of one of them.")
    count = serializers.IntegerField()


class Standing(serializers.Serializer):  # type: ignore[type-arg]
    """A step of people, and how many tasks wait there."""

    node = serializers.CharField()
    name = serializers.CharField()
    count = serializers.IntegerField()


class FollowCounts(serializers.Serializer):  # type: ignore[type-arg]
    """How many have not ended, and how they stand."""

    running = serializers.IntegerField()
    parked = serializers.IntegerField(help_text="Of the running ones.")
    suspended = serializers.IntegerField(help_text="Of the running ones.")
    overdue = serializers.IntegerField(help_text="Of the running ones.")
    reasons = ParkReason(many=True)
    steps = Standing(many=True, help_text="Where the tasks of the running ones wait, where a model is asked for.")


def _is_of_one_model(query: Mapping[str, Any]) -> bool:
    """Return whether a list is asked for processes of one model, whose elements are those of one drawing."""
    return bool(query.get("processDefinitionKey") or query.get("processDefinitionId"))


def _standing(rows: QuerySet[Any]) -> list[dict[str, Any]]:
    """Return the steps at which tasks of these instances wait, and how many; one statement."""
    waiting = WorkItem.objects.filter(state=ItemState.OPEN, instance__in=rows.values("pk")).order_by()
    found = waiting.values_list("node").annotate(count=Count("pk"), zh=Max("node_name"), en=Max("node_name_en"))
    return [
        {"node": node, "name": choose(zh, en) or node, "count": count}
        for node, count, zh, en in found.order_by("-count", "node")
    ]


def _waiting(instances: Iterable[ProcessInstance]) -> dict[int, list[WorkItem]]:
    """Return by instance the steps that wait, the oldest first."""
    rows = WorkItem.objects.filter(instance__in=[one.pk for one in instances], state=ItemState.OPEN).order_by("id")
    found: dict[int, list[WorkItem]] = {}
    for item in rows.only(
        "instance_id", "definition_id", "business_type", "node", "node_name", "node_name_en", "assignee_id",
        "candidate_keys", "create_time", "late_time", "round", "in_place_of", "signs",
    ):  # fmt: skip
        found.setdefault(item.instance_id, []).append(item)
    return found


def _acts(actor: Actor, instance: ProcessInstance, items: Iterable[WorkItem], record: Any) -> dict[int, frozenset[str]]:
    """Return by open item the operations of the record that the person may carry out, were it not suspended.

    {} of a standalone process.
    """
    bound, reason = ports.effects.get(instance.business_type), incident(instance)
    if bound is None or record is None:
        return {}
    parked = reason["text"] if reason else ""
    return {item.pk: bound.acts(actor, record, replace(open_item(item), parked=parked)) for item in items}


def _rows(actor: Actor, instances: list[ProcessInstance]) -> list[dict[str, Any]]:
    """Return the wire form of a page; the number of statements does not depend on its length."""
    waiting, readable = _waiting(instances), confidential.readable(actor, instances)
    who = waiting_for([item for items in waiting.values() for item in items])
    return [
        _row(
            actor, one, items := waiting.get(one.pk, []), who,
            _acts(actor, one, items, readable.get(one.pk)), reads=one.pk in readable,
        )
        for one in instances
    ]  # fmt: skip


def _actions(
    actor: Actor, instance: ProcessInstance, items: Iterable[WorkItem], acts: Mapping[int, frozenset[str]]
) -> list[str]:
    """Return what this person may do with the instance as it stands."""
    ends = ending.may_end(instance, {name for item in items for name in acts.get(item.pk, ())})
    offered = {
        "retry": actor.may(retrying.CODE) and instance.park_time is not None,
        "reassign": actor.may(reassign.CODE) and any(_may_reassign(instance, item, acts) for item in items),
        "suspend": actor.may(suspending.CODE) and not instance.is_over and instance.halt_time is None,
        "resume": actor.may(suspending.CODE) and not instance.is_over and instance.halt_time is not None,
        "end": actor.may(END) and ends,
    }
    return [name for name, is_offered in offered.items() if is_offered]


def _may_reassign(instance: ProcessInstance, item: WorkItem, acts: Mapping[int, frozenset[str]]) -> bool:
    operation = reassign.operation_of(item)
    is_suspended = instance.halt_time is not None or instance.definition.is_halted
    return not operation or (not is_suspended and operation in acts.get(item.pk, ()))


def _suspension(instance: ProcessInstance) -> dict[str, str] | None:
    if instance.halt_time is None or instance.is_over:
        return None
    by, since = instance.halt_user_name, moment(instance.halt_time)
    return {"userName": by, "time": since, "reason": instance.halt_reason}


def _row(
    actor: Actor, instance: ProcessInstance, items: list[WorkItem], who: Mapping[int, str],
    acts: Mapping[int, frozenset[str]], *, reads: bool,
) -> dict[str, Any]:  # fmt: skip
    definition = instance.definition
    return {
        "id": str(instance.pk),
        # The family names executions; an instance of ours is one.
        "executionId": str(instance.pk),
        "processInstanceId": str(instance.pk),
        "processDefinitionId": str(definition.pk),
        "processDefinitionKey": definition.key,
        "processDefinitionName": str(definition),
        "processDefinitionVersion": definition.version,
        "category": definition.category,
        "suspensionState": 2 if definition.is_halted or instance.halt_time else 1,
        "suspended": _suspension(instance),
        "parked": incident(instance),
        "startUser": instance.starter_name,
        "startTime": moment(instance.start_time),
        "endTime": moment(instance.end_time),
        "status": instance.status,
        "statusName": instance.get_status_display(),
        "waits": [
            {
                "taskId": str(item.pk),
                "node": item.node,
                "name": item.name,
                "assigneeName": who[item.pk],
                "createTime": moment(item.create_time),
                "isOverdue": item.late_time is not None,
                "canReassign": actor.may(reassign.CODE) and _may_reassign(instance, item, acts),
            }
            for item in items
        ],
        "title": instance.called if reads else confidential.title(instance),
        "businessNo": instance.business_no,
        "businessTable": instance.business_type,
        "businessId": str(instance.business_id),
        "followActions": _actions(actor, instance, items, acts),
    }


class FollowViewSet(BaseViewSet):
    """The company's processes, for those who look after them."""

    menu = MenuEntry(
        "flow", "/flow/follow", "follow", label("流程跟踪", "Process instances"), code="flow_follow", place=3,
        roles=held_by((ShippedRole.FLOW_DESIGNER, ShippedRole.TENANT_ADMIN), EVERYTHING),
        buttons={
            "retry": Button(label("重试", "Retry")), "reassign": Button(label("改派", "Reassign")),
            "correct": Button(label("更正数据", "Correct data")),
            "move": Button(label("跳过或移动", "Skip or move")),
            "suspend": Button(label("暂停或恢复", "Suspend or resume")),
            "send": Button(label("发送消息", "Send message")),
        },
    )  # fmt: skip
    by_tenant = True
    pages = frozenset({"listed"})
    codes = {
        "listed": confidential.FOLLOWS,
        "counted": confidential.FOLLOWS,
        "delete_process_instance": END,
        "retry_process_instance": retrying.CODE,
        "suspend_process_instance": suspending.CODE,
        "resume_process_instance": suspending.CODE,
        "detailed": confidential.FOLLOWS,
        "correct_value": corrections.CODE,
        "skip_element": moves.CODE,
        "move_token": moves.CODE,
        "in_bulk": confidential.FOLLOWS,
        "ways_in_bulk": moves.CODE,
    }

    def _asked(self, query: Mapping[str, Any] | None = None) -> QuerySet[Any]:
        asked_for = self.request.query_params.dict() if query is None else query
        given = {name: str(value).strip()[:100] for name, value in asked_for.items()}
        # A title is found by those who may read it.
        keyword = Filter(apply=lambda rows, text: rows.filter(_called(self.actor, text)))
        return apply_filters(ProcessInstance.objects.all(), {**FILTERS, "keyword": keyword}, given)

    @extend_schema(
        parameters=[
            *asked(FILTERS),
            OpenApiParameter("state", str, enum=list(_STATES), description="Empty: not ended."),
        ],
        responses=FollowRow(many=True),
    )
    @action(detail=False, methods=["get"], url_path="list")
    def listed(self, request: Request) -> Response:
        """Answer a page of the instances, newest first."""
        state = _state(request.query_params.dict())
        rows = self._asked().filter(state).select_related("definition").defer(*_UNREAD).order_by("-id")
        found, numbers = page(rows, request.query_params.dict())
        return Response({"records": _rows(self.actor, found), **numbers})

    @extend_schema(parameters=asked(FILTERS)[2:], responses=FollowCounts)
    @action(detail=False, methods=["get"], url_path="counts")
    def counted(self, request: Request) -> Response:
        """Answer how many have not ended, how many of them stand still and why, and how many are overdue."""
        rows = self._asked().filter(status=InstanceStatus.RUNNING).order_by()
        has_incident = Q(park_time__isnull=False)
        counts = rows.aggregate(
            running=Count("pk"),
            parked=Count("pk", filter=has_incident),
            suspended=Count("pk", filter=suspension.SUSPENDED),
            overdue=Count("pk", filter=deadlines.overdue()),
        )
        reasons = (
            rows.filter(has_incident)
            .values_list("park_code")
            .annotate(count=Count("pk"), zh=Max("park_text"), en=Max("park_text_en"))
            .order_by("-count", "park_code")
        )
        told = [{"code": code, "text": choose(zh, en), "count": count} for code, count, zh, en in reasons]
        steps = _standing(rows) if _is_of_one_model(request.query_params) else []
        return Response({**counts, "reasons": told, "steps": steps})

    @extend_schema(
        parameters=[
            _INSTANCE,
            OpenApiParameter("deleteReason", str, required=True),
        ],
        request=None,
        responses=None,
    )
    @action(detail=False, methods=["post"], url_path="delete-process-instance")
    def delete_process_instance(self, request: Request) -> Response:
        """End one before its time; of a record's process only by the record's own cancel command."""
        instance_id = self.id_parameter("processInstanceId")
        self.parameter("deleteReason")  # there must be one
        ending.end(self.actor, instance_id, self.text_parameter("deleteReason", _("删除原因"), ending.MAX_REASON))
        return Response({"processInstanceId": str(instance_id)})

    @extend_schema(parameters=[_INSTANCE], request=None, responses=None)
    @action(detail=False, methods=["post"], url_path="retry-process-instance")
    def retry_process_instance(self, request: Request) -> Response:
        """Let one that stands still go on."""
        return Response(retrying.retry(self.actor, self.id_parameter("processInstanceId")))

    @extend_schema(parameters=[_INSTANCE, OpenApiParameter("reason", str, required=True)], request=None, responses=None)
    @action(detail=False, methods=["post"], url_path="suspend-process-instance")
    def suspend_process_instance(self, request: Request) -> Response:
        """Suspend one: its steps, timers and messages wait until it is resumed."""
        return Response(suspending.suspend(self.actor, self.id_parameter("processInstanceId"), self._reason()))

    @extend_schema(parameters=[_INSTANCE], request=None, responses=None)
    @action(detail=False, methods=["post"], url_path="resume-process-instance")
    def resume_process_instance(self, request: Request) -> Response:
        """Let a suspended one go on."""
        return Response(suspending.resume(self.actor, self.id_parameter("processInstanceId")))

    @extend_schema(parameters=[_INSTANCE], responses=FollowDetail)
    @action(detail=False, methods=["get"], url_path="detail")
    def detailed(self, request: Request) -> Response:
        """Answer one instance: how it stands, its incidents so far, and its data for who may read them."""
        rows = ProcessInstance.objects.select_related("definition").filter(pk=self.id_parameter("processInstanceId"))
        instance = rows.first()
        if instance is None:
            raise Missing()
        [row] = _rows(self.actor, [instance])
        more = detail.of(self.actor, instance)
        by_hand = {
            "skip": any(one["skips"] for one in more["tokens"]),
            "move": any(one["targets"] for one in more["tokens"]),
        }
        row["followActions"] = [name for name in _BULK if name in row["followActions"] or by_hand.get(name)]
        return Response({**row, **more})

    @extend_schema(request=CorrectInput, responses=Corrected)
    @action(detail=False, methods=["post"], url_path="correct-value")
    def correct_value(self, request: Request) -> Response:
        """Replace a value of a standalone process, or only say what would be replaced."""
        instance_id, key, reason = self.id_parameter("processInstanceId"), self.parameter("key"), self._reason()
        with transaction.atomic():
            found = corrections.correct(self.actor, instance_id, key, parameters(request).get("value"), reason)
            if self._is_preview():
                transaction.set_rollback(True)
        return Response(found)

    @extend_schema(request=MoveInput, responses=Moved)
    @action(detail=False, methods=["post"], url_path="skip-element")
    def skip_element(self, request: Request) -> Response:
        """Leave an element at which one waits as if it were done, or only say what would come of it."""
        outcome = str(parameters(request).get("outcome") or "")[:100]
        return self._by_hand(moves.skip, outcome)

    @extend_schema(request=MoveInput, responses=Moved)
    @action(detail=False, methods=["post"], url_path="move-token")
    def move_token(self, request: Request) -> Response:
        """Take the token of one from an element to another one, or only say what would come of it."""
        return self._by_hand(moves.move, self.parameter("to"))

    def _by_hand(self, act: Callable[..., dict[str, Any]], to: str) -> Response:
        instance_id, node, reason = self.id_parameter("processInstanceId"), self.parameter("node"), self._reason()
        with transaction.atomic():
            found = act(self.actor, instance_id, node, to, reason)
            if self._is_preview():
                transaction.set_rollback(True)
        return Response(found)

    @extend_schema(request=BulkInput, responses=BulkAnswer)
    @action(detail=False, methods=["post"], url_path="bulk")
    def in_bulk(self, request: Request) -> Response:
        """Do the same with many, by their ids or by the list's filters, or only say what would come of it."""
        body = parameters(request)
        act = self.parameter("act")
        if act not in _BULK:
            raise Invalid({"act": _("请求参数格式错误: {name}").format(name="act")})
        check_code(self.actor, _BULK[act])
        reason = "" if act in _WITHOUT_REASON else self._reason()
        to = self.id_parameter("userId") if act == "reassign" else 0
        node, outcome, target = (str(body.get(name) or "").strip()[:100] for name in ("node", "outcome", "to"))
        if not node and act in ("skip", "move"):
            raise Invalid({"node": _("请求参数格式错误: {name}").format(name="node")})
        order = bulk.Order(act, reason, to, node, outcome, target)
        rows = self._chosen(body)
        chosen = list(rows.select_related("definition").defer(*_UNREAD).order_by("pk")[: bulk.MOST])
        run = bulk.try_out if self._is_preview() else bulk.carry_out
        found = run(self.actor, chosen, order)
        done = sum(not row["message"] for row in found)
        left = rows.count() - len(chosen) if len(chosen) == bulk.MOST else 0
        return Response({"done": done, "refused": len(found) - done, "left": left, "records": found})

    @extend_schema(request=ChosenInput, responses=BulkWays)
    @action(detail=False, methods=["post"], url_path="bulk-ways")
    def ways_in_bulk(self, request: Request) -> Response:
        """Answer in which ways many can be skipped or moved; of those that one `bulk` would take."""
        unread = [name for name in _UNREAD if name != "state"]
        rows = self._chosen(parameters(request)).select_related("definition").defer(*unread)
        return Response(bulk.ways(rows.order_by("pk")[: bulk.MOST]))

    def _chosen(self, body: Mapping[str, Any]) -> QuerySet[Any]:
        """Return the instances that a bulk operation means: those named, or those that the filters find."""
        ids = [text for text in str(body.get("ids") or "").split(",") if text]
        if ids:
            if len(ids) > bulk.MOST or not all(map(is_id, ids)):
                raise Invalid({"ids": _("请求参数格式错误: {name}").format(name="ids")})
            return ProcessInstance.objects.filter(pk__in=map(int, ids))
        named = {*FILTERS, "state"}
        query = {name: value for name, value in body.items() if name.partition("_")[0] in named and str(value or "")}
        if not query:
            raise Invalid({"ids": _("请先选择流程，或按条件筛选")})
        return self._asked(query).filter(_state(query))

    def _reason(self) -> str:
        text = self.text_parameter("reason", _("原因"), ending.MAX_REASON)
        if not text:
            raise Invalid({"reason": _("请填写{field}").format(field=_("原因"))})
        return text

    def _is_preview(self) -> bool:
        return parameters(self.request).get("isPreview") in (True, "true", "1", 1)
