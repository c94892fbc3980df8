"""The queues' calls, under /blade-flow/work."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core import ports
from core.blade.parsers import parameters
from core.kernel.errors import Invalid, Missing
from core.kernel.texts import label
from core.rest.filters import Filter, apply_filters
from core.rest.menus import EVERYBODY, MenuEntry, held_by
from core.rest.pagination import MAX_SIZE, compiled_page, known_page, page, page_at_hand
from core.rest.serializers import IdListField
from core.rest.viewsets import SIGNED_IN
from core.statements.compiled import Compiled, merged_page
from workflows.runtime.calls import left
from workflows.runtime.calls.back_views import BackCalls
from workflows.runtime.calls.copy_views import CopyCalls
from workflows.runtime.calls.definition_serializers import StartRow, definition_rows
from workflows.runtime.calls.signers_views import SignersCalls, signer_rows
from workflows.runtime.calls.task_inputs import MAX_COMMENT
from workflows.runtime.calls.work_filters import (
    DONE_FILTERS,
    INBOX_FILTERS,
    PAGE,
    SENT_FILTERS,
    START_FILTERS,
    WAITING_FILTERS,
    asked,
)
from workflows.runtime.calls.work_serializers import (
    STANDING,
    CompleteInput,
    Counts,
    FlowTask,
    HandInput,
    LeftTask,
    ProcessInput,
    Reassigned,
    ReassignInput,
    Started,
    StartForm,
    StartInput,
    TaskDetail,
    outcome_rows,
    sent_rows,
    task_rows,
)
from workflows.runtime.commands import (
    again,
    reassign,
    sending_back,
    shared,
    signers,
    standalone,
    starters,
    taking_back,
    transfers,
    work_items,
)
from workflows.runtime.definitions import library
from workflows.runtime.rows import confidential, copies, queues
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.worklist.models import HandedOn, ItemState, WorkItem


def _in_group(group: int) -> QuerySet[WorkItem]:
    return WorkItem.objects.filter(pool=group).order_by("-create_time", "-id")


def _todo(user_id: int) -> QuerySet[WorkItem]:
    return WorkItem.objects.filter(assignee_id=user_id, state=ItemState.OPEN).order_by("-create_time", "-id")


_FIRST = (F("due_time").asc(nulls_last=True), "priority", "id")
"""What runs out first, then what is more urgent, then what has waited longer."""


def _first_in_group(group: int) -> QuerySet[WorkItem]:
    return WorkItem.objects.filter(pool=group).order_by(*_FIRST)


def _first_held(user_id: int) -> QuerySet[WorkItem]:
    return WorkItem.objects.filter(assignee_id=user_id, state=ItemState.OPEN).order_by(*_FIRST)


def _handed_on(user_id: int) -> QuerySet[WorkItem]:
    handed = HandedOn.objects.filter(user_id=user_id).values("item")
    held_by_others = Q(assignee_id=None) | ~Q(assignee_id=user_id)
    return WorkItem.objects.filter(held_by_others, pk__in=handed, state=ItemState.OPEN).order_by(*_FIRST)


def _done(user_id: int) -> QuerySet[WorkItem]:
    return WorkItem.objects.filter(completed_by=user_id, state=ItemState.DONE).order_by("-end_time", "-id")


def _sent(user_id: int) -> QuerySet[ProcessInstance]:
    rows = ProcessInstance.objects.select_related("definition").filter(starter_id=user_id)
    unread = ("definition__xml", "definition__meta", "definition__forms", "undo_state", "undo")
    return rows.defer(*unread).order_by("-start_time", "-id")


def _standing(instance_ids: list[int]) -> QuerySet[Any]:
    """Return what is over, parked or suspended, and why."""
    simply_running = Q(status=InstanceStatus.RUNNING, park_time=None, halt_time=None, definition__is_halted=False)
    rows = ProcessInstance.objects.filter(~simply_running, pk__in=instance_ids)
    return rows.values_list("pk", *STANDING)


# The queues are what people look at all day.
_IN_GROUP, _TODO, _DONE, _SENT, _STANDING = (Compiled(build) for build in (_in_group, _todo, _done, _sent, _standing))
_FIRST_IN_GROUP, _FIRST_HELD = Compiled(_first_in_group), Compiled(_first_held)


_EVERYBODY = held_by(EVERYBODY, ())


class WorkViewSet(BackCalls, CopyCalls, SignersCalls):
    """Start, claim, to-do, done and sent lists, and what is done from them."""

    more_menus = (
        MenuEntry("work", "/work/start", "start", label("发起流程", "Start a process"), "work_start", 1, _EVERYBODY),
        MenuEntry("work", "/work/todo", "todo", label("待办任务", "To do"), "work_todo", 2, _EVERYBODY),
        MenuEntry("work", "/work/claim", "claim", label("待领取任务", "To claim"), "work_claim", 3, _EVERYBODY),
        MenuEntry("work", "/work/send", "send", label("我发起的", "Started by me"), "work_send", 4, _EVERYBODY),
        MenuEntry("work", "/work/done", "done", label("已办任务", "Completed"), "work_done", 5, _EVERYBODY),
        MenuEntry("work", "/work/copy", "copy", label("抄送我的", "Copies for me"), "work_copy", 6, _EVERYBODY),
    )
    pages = frozenset(
        {"start_list", "inbox", "handed_list", "claim_list", "todo_list", "done_list", "send_list", "copy_list"}
    )
    codes = {
        "start_list": SIGNED_IN,
        "inbox": SIGNED_IN,
        "handed_list": SIGNED_IN,
        "claim_list": SIGNED_IN,
        "todo_list": SIGNED_IN,
        "done_list": SIGNED_IN,
        "send_list": SIGNED_IN,
        "copy_list": SIGNED_IN,
        "send_copy": SIGNED_IN,
        "read_copies": SIGNED_IN,
        "read_task": SIGNED_IN,
        "counts": SIGNED_IN,
        "still_open": SIGNED_IN,
        "task_detail": SIGNED_IN,
        "claim_task": SIGNED_IN,
        "unclaim_task": SIGNED_IN,
        "complete_task": SIGNED_IN,
        "start_form": SIGNED_IN,
        "start_process": SIGNED_IN,
        "delegate_task": SIGNED_IN,
        "transfer_task": SIGNED_IN,
        "add_signers": SIGNED_IN,
        "remove_signer": SIGNED_IN,
        "reassigned": reassign.CODE,
        "withdraw": SIGNED_IN,
        "earlier_steps": SIGNED_IN,
        "send_back": SIGNED_IN,
        "take_back": SIGNED_IN,
        "urge": SIGNED_IN,
    }

    def _is_plain(self) -> bool:
        """Return whether the whole queue is asked for."""
        return not any(self.request.query_params.get(name) for name in self.request.query_params.keys() - PAGE)

    def _asked(self, rows: QuerySet[Any], filters: Mapping[str, Filter]) -> tuple[list[Any], dict[str, Any]]:
        """Return the page of what the list's filters leave of the rows."""
        given = self.request.query_params.dict()
        return page(apply_filters(rows, filters, given), given)

    def _items(self, found: tuple[list[WorkItem], dict[str, Any]], to_take_back: Collection[int] = ()) -> Response:
        rows, numbers = found
        standing = {pk: rest for pk, *rest in _STANDING.rows(sorted({item.instance_id for item in rows}))}
        return Response({"records": task_rows(self.actor, rows, standing, to_take_back), **numbers})

    @extend_schema(parameters=[OpenApiParameter("mode", str), *asked(START_FILTERS)], responses=StartRow(many=True))
    @action(detail=False, methods=["get"], url_path="start-list")
    def start_list(self, request: Request) -> Response:
        """What I may start: of each model the version that would run, if it, or its record's command, is open to me."""
        given = request.query_params.dict()
        pages = {
            entry.start.model: entry.start.page for entry in ports.effects.values() if self.actor.may(entry.start.code)
        }
        rows = apply_filters(library.startable(pages, given.get("mode", "")), START_FILTERS, given)
        # Who may start one without a record stands in its drawing, so it is decided here; a company has few of them.
        found = page_at_hand([row for row in rows if row.business_type or library.may_start(self.actor, row)], given)
        found["records"] = [
            {**row, "startPage": pages.get(row["key"], standalone.PAGE).replace("{id}", row["id"])}
            for row in definition_rows(found["records"])
        ]
        return Response(found)

    @extend_schema(parameters=asked(INBOX_FILTERS), responses=FlowTask(many=True))
    @action(detail=False, methods=["get"], url_path="inbox")
    def inbox(self, request: Request) -> Response:
        """Answer what I can do now: what I hold and what is offered to me; what runs out first stands first."""
        held, waiting = queues.waiting(self.actor)
        me = self.actor.user_id
        if not self._is_plain():
            mine = Q(assignee_id=me, state=ItemState.OPEN) | Q(pool__in=list(waiting))
            return self._items(self._asked(WorkItem.objects.filter(mine).order_by(*_FIRST), INBOX_FILTERS))
        several = [*([(_FIRST_HELD, me)] if held else []), *((_FIRST_IN_GROUP, group) for group in waiting)]

        def read(start: int, size: int) -> list[WorkItem]:
            return merged_page(start, size, ("due_time", "priority", "id"), several)

        return self._items(known_page(held + sum(waiting.values()), read, request.query_params.dict()))

    @extend_schema(parameters=asked(WAITING_FILTERS), responses=FlowTask(many=True))
    @action(detail=False, methods=["get"], url_path="handed-list")
    def handed_list(self, request: Request) -> Response:
        """Answer what I delegated or transferred and others have not done yet; what runs out first stands first."""
        return self._items(self._asked(_handed_on(self.actor.user_id), WAITING_FILTERS))

    @extend_schema(parameters=asked(WAITING_FILTERS), responses=FlowTask(many=True))
    @action(detail=False, methods=["get"], url_path="claim-list")
    def claim_list(self, request: Request) -> Response:
        """Answer what I may claim."""
        _held, waiting = queues.waiting(self.actor)
        if not self._is_plain():
            rows = WorkItem.objects.filter(pool__in=list(waiting)).order_by("-create_time", "-id")
            return self._items(self._asked(rows, WAITING_FILTERS))

        def read(start: int, size: int) -> list[WorkItem]:
            return merged_page(start, size, ("-create_time", "-id"), [(_IN_GROUP, group) for group in waiting])

        return self._items(known_page(sum(waiting.values()), read, request.query_params.dict()))

    @extend_schema(parameters=asked(WAITING_FILTERS), responses=FlowTask(many=True))
    @action(detail=False, methods=["get"], url_path="todo-list")
    def todo_list(self, request: Request) -> Response:
        """Answer what waits for me."""
        me = self.actor.user_id
        if not self._is_plain():
            return self._items(self._asked(_todo(me), WAITING_FILTERS))
        held, _waiting = queues.waiting(self.actor)
        found = known_page(held, lambda start, size: _TODO.page(start, size, me), request.query_params.dict())
        return self._items(found)

    @extend_schema(parameters=asked(DONE_FILTERS), responses=FlowTask(many=True))
    @action(detail=False, methods=["get"], url_path="done-list")
    def done_list(self, request: Request) -> Response:
        """Answer what I completed."""
        me = self.actor.user_id
        if self._is_plain():
            rows, numbers = compiled_page(_DONE, (me,), request.query_params.dict())
        else:
            rows, numbers = self._asked(_done(me), DONE_FILTERS)
        return self._items((rows, numbers), taking_back.open_to(self.actor, rows))

    @extend_schema(parameters=asked(SENT_FILTERS), responses=FlowTask(many=True))
    @action(detail=False, methods=["get"], url_path="send-list")
    def send_list(self, request: Request) -> Response:
        """Answer what I started, one row an instance."""
        me = self.actor.user_id
        if self._is_plain():
            found, numbers = compiled_page(_SENT, (me,), request.query_params.dict())
        else:
            found, numbers = self._asked(_sent(me), SENT_FILTERS)
        return Response({"records": sent_rows(found), **numbers})

    @extend_schema(responses=Counts)
    @action(detail=False, methods=["get"], url_path="counts")
    def counts(self, request: Request) -> Response:
        """Answer how much waits for me: for the badges."""
        held, waiting = queues.waiting(self.actor)
        unread = copies.unread(self.actor.user_id).count()
        return Response({"claim": sum(waiting.values()), "todo": held, "copies": unread})

    @extend_schema(
        parameters=[OpenApiParameter("ids", str, required=True, description="comma joined; at most a page of them")],
        responses=LeftTask(many=True),
    )
    @action(detail=False, methods=["get"], url_path="still-open")
    def still_open(self, request: Request) -> Response:
        """Answer which of these tasks, which the caller has in sight, do not wait for the caller any more."""
        ids = IdListField(max_ids=MAX_SIZE).run_validation(self.parameter("ids"))
        return Response(left.rows(self.actor, ids))

    @extend_schema(parameters=[OpenApiParameter("taskId", str, required=True)], responses=TaskDetail)
    @action(detail=False, methods=["get"], url_path="task-detail")
    def task_detail(self, request: Request) -> Response:
        """One item, for whoever may take, holds or has done it, and for those who may reassign it."""
        rows = WorkItem.objects.select_related("instance").defer("instance__undo_state", "instance__undo")
        item = rows.filter(pk=self.id_parameter("taskId")).first()
        actor = self.actor
        if item is None:
            raise Missing()
        ways = work_items.offered(actor, [item])[item.pk]
        is_asked = bool(ways) or not ports.keys_of(actor).isdisjoint(item.candidate_keys)
        concerned = (item.assignee_id, item.completed_by, item.starter_id, *item.delegators)
        if not is_asked and actor.user_id not in concerned and not actor.may(reassign.CODE):
            raise Missing()
        sees = is_asked or actor.user_id in concerned or bool(confidential.readable(actor, [item.instance]))
        standing = {pk: rest for pk, *rest in _STANDING.rows([item.instance_id])}
        [row] = task_rows(actor, [item], standing, taking_back.open_to(actor, [item]))
        if "complete" in row["taskActions"] and sending_back.offers(actor, item, ways):
            row["taskActions"] = [*row["taskActions"], "sendBack"]
        form = None if item.signs else library.definition(item.definition_id).forms.get(item.node)
        held, texts = standalone.held_by(form, item.instance.form)
        return Response(
            {
                **row,
                "title": row["title"] if sees else confidential.title(item.instance),
                "subject": row["subject"] if sees else "",
                "outcomes": outcome_rows(item, ways),
                "canClaim": row["haltedText"] == "" and work_items.may_claim(actor, item, ways),
                "canUnclaim": work_items.may_unclaim(actor, item),
                "canComplete": bool(ways) and row["parkedText"] == row["haltedText"] == "",
                "signPlaces": signers.places(item) if "addSigners" in row["taskActions"] else (),
                "signers": signer_rows(actor, item, reads=sees),
                "form": form,
                "formData": held,
                "texts": texts,
                **shared.delegation(item),
            }
        )

    def _variables(self) -> dict[str, Any]:
        found = parameters(self.request).get("variables") or {}
        if not isinstance(found, dict):
            raise Invalid({"variables": _("请求参数格式错误: {name}").format(name="variables")})
        return found

    @extend_schema(
        parameters=[
            OpenApiParameter("processDefinitionId", str, required=True),
            OpenApiParameter("fromInstanceId", str, description="A withdrawn process of mine whose values it shows."),
        ],
        responses=StartForm,
    )
    @action(detail=False, methods=["get"], url_path="start-form")
    def start_form(self, request: Request) -> Response:
        """Answer what is asked when this definition starts, for whoever may start it by itself."""
        definition = standalone.to_start(self.actor, self.id_parameter("processDefinitionId"))
        held: dict[str, Any] = {}
        if request.query_params.get("fromInstanceId"):
            held = again.values_of(self.actor, self.id_parameter("fromInstanceId"), definition.key)
        form = standalone.start_form(definition)
        values, texts = standalone.held_by(form, held)
        return Response(
            {
                "processDefinitionId": str(definition.pk),
                "processDefinitionKey": definition.key,
                "processDefinitionName": str(definition),
                "processDefinitionVersion": definition.version,
                "form": form,
                "formData": values,
                "texts": texts,
            }
        )

    @extend_schema(request=StartInput, responses=Started)
    @action(detail=False, methods=["post"], url_path="start-process")
    def start_process(self, request: Request) -> Response:
        """Start a process that no record is bound to."""
        definition_id = self.id_parameter("processDefinitionId")
        return Response(standalone.start(self.actor, definition_id, self._variables()))

    @extend_schema(parameters=[OpenApiParameter("taskId", str)], request=None, responses=None)
    @action(detail=False, methods=["post"], url_path="claim-task")
    def claim_task(self, request: Request) -> Response:
        """Claim."""
        return Response(work_items.claim(self.actor, self.id_parameter("taskId")))

    @extend_schema(parameters=[OpenApiParameter("taskId", str)], request=None, responses=None)
    @action(detail=False, methods=["post"], url_path="unclaim-task")
    def unclaim_task(self, request: Request) -> Response:
        """Give back."""
        return Response(work_items.unclaim(self.actor, self.id_parameter("taskId")))

    @extend_schema(request=CompleteInput, responses=None)
    @action(detail=False, methods=["post"], url_path="complete-task")
    def complete_task(self, request: Request) -> Response:
        """Complete: `flag: ok` agrees, no flag rejects; `outcome` says it exactly."""
        given = parameters(request)
        variables = self._variables()
        comment = self.text_parameter("comment", _("处理意见"), MAX_COMMENT)
        instance_id = self.id_parameter("processInstanceId") if given.get("processInstanceId") else None
        return Response(
            work_items.complete(
                self.actor,
                self.id_parameter("taskId"),
                instance_id,
                str(given.get("flag") or ""),
                str(given.get("outcome") or ""),
                comment,
                variables,
            )
        )

    def _receiver(self) -> int:
        return self._person("userId", _("接收人"))

    @extend_schema(request=HandInput, responses=None)
    @action(detail=False, methods=["post"], url_path="delegate-task")
    def delegate_task(self, request: Request) -> Response:
        """Have somebody look at a task that I hold; it comes back."""
        task, to = self.id_parameter("taskId"), self._receiver()
        return Response(transfers.delegate(self.actor, task, to, self._reason(required=True)))

    @extend_schema(request=HandInput, responses=None)
    @action(detail=False, methods=["post"], url_path="transfer-task")
    def transfer_task(self, request: Request) -> Response:
        """Leave a task that I hold to somebody else."""
        task, to = self.id_parameter("taskId"), self._receiver()
        return Response(transfers.transfer(self.actor, task, to, self._reason(required=True)))

    @extend_schema(request=ReassignInput, responses=Reassigned)
    @action(detail=False, methods=["post"], url_path="reassign")
    def reassigned(self, request: Request) -> Response:
        """Assign one open task, or all open tasks of a person, to somebody else; for those who follow processes."""
        to, reason = self._receiver(), self._reason(required=True)
        if parameters(request).get("fromUserId"):
            holder = self._person("fromUserId", _("原办理人"))
            return Response(reassign.reassign_all(self.actor, holder, to, reason))
        reassign.reassign(self.actor, self.id_parameter("taskId"), to, reason)
        return Response({"moved": 1, "left": 0, "refused": []})

    @extend_schema(request=ProcessInput, responses=None)
    @action(detail=False, methods=["post"], url_path="withdraw")
    def withdraw(self, request: Request) -> Response:
        """Take back a process that I started."""
        instance = self.id_parameter("processInstanceId")
        return Response(starters.withdraw(self.actor, instance, self._reason(required=True)))

    @extend_schema(request=ProcessInput, responses=None)
    @action(detail=False, methods=["post"], url_path="urge")
    def urge(self, request: Request) -> Response:
        """Remind whoever a process that I started waits for."""
        instance = self.id_parameter("processInstanceId")
        return Response(starters.urge(self.actor, instance, self._reason(required=False)))
