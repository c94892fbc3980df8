"""The queues' calls, under /blade-flow/work."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.kernel import ports
from core.kernel.compiled import Compiled, Value
from core.kernel.errors import Invalid, Missing
from core.kernel.pagination import COUNTED, compiled_page, page
from core.kernel.parsers import parameters
from core.kernel.texts import choose
from core.kernel.viewsets import SIGNED_IN, Door
from workflows.instances.models import InstanceStatus, ProcessInstance
from workflows.worklist import operations
from workflows.worklist.models import Candidate, ItemState, WorkItem
from workflows.worklist.serializers import CompleteInput, Counts, FlowTask, TaskDetail, sent_rows, task_rows

_LIST = [
    OpenApiParameter(name, kind)
    for name, kind in (
        ("current", int),
        ("size", int),
        ("category", str),
        ("processDefinitionName", str),
        ("keyword", str),
    )
]
_MAX_COMMENT = 500


def _claimable(keys: list[str]) -> QuerySet[WorkItem]:
    """Open, unheld, and offered to one of these keys."""
    offered = Candidate.objects.filter(item=OuterRef("pk"), key__in=keys)
    return WorkItem.objects.filter(Exists(offered), state=ItemState.OPEN, assignee_id=None).order_by("-id")


def _todo(user_id: int) -> QuerySet[WorkItem]:
    return WorkItem.objects.filter(assignee_id=user_id, state=ItemState.OPEN).order_by("-id")


def _done(user_id: int) -> QuerySet[WorkItem]:
    return WorkItem.objects.filter(completed_by=user_id, state=ItemState.DONE).order_by("-end_time", "-id")


def _finished(instance_ids: list[int]) -> QuerySet[Any]:
    done = ProcessInstance.objects.filter(pk__in=instance_ids, status=InstanceStatus.COMPLETED)
    return done.values_list("pk", "status")


# The queues are what people look at all day.
_CLAIMABLE, _TODO, _DONE, _FINISHED = Compiled(_claimable), Compiled(_todo), Compiled(_done), Compiled(_finished)


class WorkDoor(Door):
    """Claim, to-do, done and sent lists, and what is done from them."""

    pages = frozenset({"claim_list", "todo_list", "done_list", "send_list"})
    codes = {
        "claim_list": SIGNED_IN,
        "todo_list": SIGNED_IN,
        "done_list": SIGNED_IN,
        "send_list": SIGNED_IN,
        "counts": SIGNED_IN,
        "task_detail": SIGNED_IN,
        "claim_task": SIGNED_IN,
        "unclaim_task": SIGNED_IN,
        "complete_task": SIGNED_IN,
    }

    def _asked(self, rows: QuerySet[Any], name: str = "definition__name") -> QuerySet[Any]:
        """Narrowed by the lists' own filters."""
        given = {key: value.strip()[:100] for key, value in self.request.query_params.dict().items()}
        if any("\x00" in value for value in given.values()):
            raise Invalid({"keyword": _("请求参数格式错误: {name}").format(name="keyword")})
        if given.get("category"):
            category = "category" if rows.model is WorkItem else "definition__category"
            rows = rows.filter(**{category: given["category"]})
        if given.get("processDefinitionName"):
            rows = rows.filter(
                Q(**{f"{name}__icontains": given["processDefinitionName"]})
                | Q(**{f"{name}_en__icontains": given["processDefinitionName"]})
            )
        if given.get("keyword"):
            word = given["keyword"]
            rows = rows.filter(
                Q(title__icontains=word) | Q(business_no__icontains=word) | Q(starter_name__icontains=word)
            )
        return rows

    def _page(self, queue: Compiled, *values: Value) -> Response:
        given = self.request.query_params.dict()
        if set(given) <= {"current", "size"}:
            found, numbers = compiled_page(queue, values, given)
        else:
            found, numbers = page(self._asked(queue.queryset(*values)), given)
        finished = dict(_FINISHED.rows(sorted({item.instance_id for item in found})))
        return Response({"records": task_rows(found, finished), **numbers})

    @extend_schema(parameters=_LIST, responses=FlowTask(many=True))
    @action(detail=False, methods=["get"], url_path="claim-list")
    def claim_list(self, request: Request) -> Response:
        """What I may claim."""
        return self._page(_CLAIMABLE, sorted(ports.keys_of(self.actor)))

    @extend_schema(parameters=_LIST, responses=FlowTask(many=True))
    @action(detail=False, methods=["get"], url_path="todo-list")
    def todo_list(self, request: Request) -> Response:
        """What waits for me."""
        return self._page(_TODO, self.actor.user_id)

    @extend_schema(parameters=_LIST, responses=FlowTask(many=True))
    @action(detail=False, methods=["get"], url_path="done-list")
    def done_list(self, request: Request) -> Response:
        """What I completed."""
        return self._page(_DONE, self.actor.user_id)

    @extend_schema(parameters=_LIST, responses=FlowTask(many=True))
    @action(detail=False, methods=["get"], url_path="send-list")
    def send_list(self, request: Request) -> Response:
        """What I started, one row an instance."""
        mine = self._asked(ProcessInstance.objects.filter(starter_id=self.actor.user_id)).order_by("-id")
        found, numbers = page(mine, request.query_params.dict())
        return Response({"records": sent_rows(found), **numbers})

    @extend_schema(responses=Counts)
    @action(detail=False, methods=["get"], url_path="counts")
    def counts(self, request: Request) -> Response:
        """How much waits for me: for the badges."""
        return Response(
            {
                "claim": _CLAIMABLE.count(COUNTED, sorted(ports.keys_of(self.actor))),
                "todo": _TODO.count(COUNTED, self.actor.user_id),
            }
        )

    @extend_schema(parameters=[OpenApiParameter("taskId", str, required=True)], responses=TaskDetail)
    @action(detail=False, methods=["get"], url_path="task-detail")
    def task_detail(self, request: Request) -> Response:
        """One item, for whoever may take, holds or has done it."""
        item = WorkItem.objects.select_related("instance").filter(pk=self.id_parameter("taskId")).first()
        actor = self.actor
        if item is None:
            raise Missing()
        offered = not ports.keys_of(actor).isdisjoint(item.candidate_keys)
        if not offered and actor.user_id not in (item.assignee_id, item.completed_by, item.starter_id):
            raise Missing()
        is_open, is_mine = item.state == ItemState.OPEN, item.assignee_id == actor.user_id
        finished = {item.instance_id: item.instance.status == InstanceStatus.COMPLETED}
        return Response(
            {
                **task_rows([item], finished)[0],
                "outcomes": [
                    {"value": entry["value"], "label": choose(entry["zh"], entry["en"]), "positive": entry["positive"]}
                    for entry in operations.outcomes(item)
                ],
                "canClaim": is_open and offered and item.assignee_id is None,
                "canUnclaim": is_open and is_mine and item.claim_time is not None and bool(item.candidate_keys),
                "canComplete": is_open and (is_mine or (offered and item.assignee_id is None)),
            }
        )

    @extend_schema(parameters=[OpenApiParameter("taskId", str)], request=None, responses=None)
    @action(detail=False, methods=["post"], url_path="claim-task")
    def claim_task(self, request: Request) -> Response:
        """Claim."""
        return Response(operations.claim(self.actor, self.id_parameter("taskId")))

    @extend_schema(parameters=[OpenApiParameter("taskId", str)], request=None, responses=None)
    @action(detail=False, methods=["post"], url_path="unclaim-task")
    def unclaim_task(self, request: Request) -> Response:
        """Give back."""
        return Response(operations.unclaim(self.actor, self.id_parameter("taskId")))

    @extend_schema(request=CompleteInput, responses=None)
    @action(detail=False, methods=["post"], url_path="complete-task")
    def complete_task(self, request: Request) -> Response:
        """Complete: `flag: ok` agrees, no flag rejects; `outcome` says it exactly."""
        given = parameters(request)
        variables = given.get("variables") or {}
        comment = str(given.get("comment") or "").strip()
        if not isinstance(variables, dict):
            raise Invalid({"variables": _("请求参数格式错误: {name}").format(name="variables")})
        if len(comment) > _MAX_COMMENT:
            text = _("{field}长度不能超过{n}个字符").format(field=_("处理意见"), n=_MAX_COMMENT)
            raise Invalid({"comment": text})
        instance_id = self.id_parameter("processInstanceId") if given.get("processInstanceId") else None
        return Response(
            operations.complete(
                self.actor,
                self.id_parameter("taskId"),
                instance_id,
                str(given.get("flag") or ""),
                str(given.get("outcome") or ""),
                comment,
                variables,
            )
        )
