"""Schedules of a company: when its processes start by themselves, under /blade-flow/schedule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core import ports
from core.kernel.errors import Invalid
from core.kernel.texts import choose, label, moment
from core.rest.menus import EVERYTHING, Button, MenuEntry, Place, ShippedRole, held_by
from core.rest.pagination import page
from core.rest.viewsets import BaseViewSet
from workflows.runtime.commands import schedules as commands
from workflows.runtime.definitions import time_texts
from workflows.runtime.rows import schedules
from workflows.runtime.tables.timers.models import Schedule, StartResult
from workflows.workbench.publishing.inputs import flag, given, query

AHEAD = 5
"""Moments that are told of what comes next."""
_ON, _OFF, _SUSPENDED, _FAILED, _OVER = STATES = ("on", "off", "suspended", "failed", "over")


class ScheduleRow(serializers.Serializer):  # type: ignore[type-arg]
    """When a process starts by itself, at one of its start events."""

    id = serializers.CharField()
    processId = serializers.CharField(help_text="The version that a start takes.")
    key = serializers.CharField()
    processName = serializers.CharField()
    version = serializers.IntegerField()
    tenantId = serializers.CharField(help_text="Empty: of a general process.")
    node = serializers.CharField()
    name = serializers.CharField(help_text="The start event.")
    rule = serializers.CharField(help_text="The time as the model writes it.")
    ruleText = serializers.CharField(help_text="The same in words.")
    starterName = serializers.CharField(help_text="Who would be the starter.")
    isOn = serializers.BooleanField()
    state = serializers.ChoiceField(choices=STATES)
    next = serializers.ListField(child=serializers.CharField(), help_text=f"The next moments, {AHEAD} at most.")
    lastResult = serializers.ChoiceField(choices=StartResult.choices)
    lastTime = serializers.CharField()
    lastInstanceId = serializers.CharField()
    reason = serializers.CharField(help_text="Why the last start failed.")
    missed = serializers.IntegerField(help_text="Occurrences that went by without a start before the last one.")


class Switched(serializers.Serializer):  # type: ignore[type-arg]
    """What `switch` answers: the schedule of the company, which a general one leads to."""

    id = serializers.CharField()
    isOn = serializers.BooleanField()


class StartedByHand(serializers.Serializer):  # type: ignore[type-arg]
    """What `run` answers."""

    processInstanceId = serializers.CharField()
    title = serializers.CharField()


_ID = OpenApiParameter("id", str, required=True)


class ScheduleViewSet(BaseViewSet):
    """When the company's processes start by themselves. Those who deploy switch it, each company for itself."""

    menu = MenuEntry(
        "flow", "/flow/schedule", "schedule", label("定时发起", "Schedules"), code="flow_schedule", place=4,
        roles=held_by((ShippedRole.FLOW_DESIGNER, ShippedRole.TENANT_ADMIN), EVERYTHING),
        buttons={
            "edit": Button(label("启用或停用", "Switch on or off"), Place.ROW),
            "run": Button(label("立即发起", "Start now"), Place.ROW),
        },
    )  # fmt: skip
    by_tenant = True
    pages = frozenset({"listed"})
    codes = {"listed": "flow_schedule_view", "switch": "flow_schedule_edit", "run": "flow_schedule_run"}

    @extend_schema(
        parameters=[
            *query("name", "key", "processId", "current", "size", current=int, size=int),
            OpenApiParameter("state", str, enum=STATES),
        ],
        responses=ScheduleRow(many=True),
    )
    @action(detail=False, methods=["get"], url_path="list")
    def listed(self, request: Request) -> Response:
        """Answer a page of the schedules, by process."""
        asked = given(request)
        rows = _asked(schedules.visible().select_related("definition"), asked)
        found, numbers = page(rows.order_by("key", "node", "id"), asked)
        return Response({"records": _told(found), **numbers})

    @extend_schema(
        parameters=[_ID, OpenApiParameter("on", int, required=True, description="1 or 0.")],
        request=None,
        responses=Switched,
    )
    @action(detail=False, methods=["post"])
    def switch(self, request: Request) -> Response:
        """Switch a schedule on or off; one of a general process for the own company."""
        return Response(commands.switch(self.actor, self.id_parameter("id"), flag(request, "on")))

    @extend_schema(parameters=[_ID], request=None, responses=StartedByHand)
    @action(detail=False, methods=["post"])
    def run(self, request: Request) -> Response:
        """Start the process of a schedule now, with the starter of its starts by time."""
        return Response(commands.run(self.actor, self.id_parameter("id")))


_RUNS = Q(is_on=True, definition__is_active=True)
_HAS_FAILED = Q(last_result=StartResult.FAILED)
_STATES = {
    _ON: _RUNS & ~_HAS_FAILED & Q(due_time__isnull=False),
    _OFF: Q(is_on=False),
    _SUSPENDED: Q(is_on=True, definition__is_active=False),
    _FAILED: _RUNS & _HAS_FAILED,
    _OVER: _RUNS & ~_HAS_FAILED & Q(due_time=None),
}
"""The rows that `_state` gives each state."""


def _asked(rows: QuerySet[Schedule], asked: Mapping[str, str]) -> QuerySet[Schedule]:
    if asked.get("name"):
        name = asked["name"]
        rows = rows.filter(
            Q(definition__name__icontains=name) | Q(definition__name_en__icontains=name)
            | Q(name__icontains=name) | Q(name_en__icontains=name)
        )  # fmt: skip
    if asked.get("key"):
        rows = rows.filter(key=asked["key"])
    if state := asked.get("state"):
        if state not in _STATES:
            raise Invalid({"state": _("请求参数格式错误: {name}").format(name="state")})
        rows = rows.filter(_STATES[state])
    return rows


def _state(row: Schedule) -> str:
    if not row.is_on:
        return _OFF
    if not row.definition.is_active:
        return _SUSPENDED
    if row.last_result == StartResult.FAILED:
        return _FAILED
    return _OVER if row.due_time is None else _ON


def _told(rows: Sequence[Schedule]) -> list[dict[str, Any]]:
    """Return schedules as they are sent; at most four statements more for the starters."""
    starters = _starters(rows)
    return [
        {
            "id": str(row.pk),
            "processId": str(row.definition_id),
            "key": row.key,
            "processName": str(row.definition),
            "version": row.definition.version,
            "tenantId": "" if row.definition.is_general else row.definition.tenant_id,
            "node": row.node,
            "name": str(row),
            "rule": row.text,
            "ruleText": time_texts.told(row.kind, row.text),
            "starterName": starters.get(row.starter or str(row.person_id), row.starter),
            "isOn": row.is_on,
            "state": _state(row),
            "next": [moment(at) for at in schedules.following(row, AHEAD)],
            "lastResult": row.last_result,
            "lastTime": moment(row.last_time),
            "lastInstanceId": str(row.last_instance_id or ""),
            "reason": choose(row.last_reason, row.last_reason_en),
            "missed": row.missed,
        }
        for row in rows
    ]  # fmt: skip


def _starters(rows: Sequence[Schedule]) -> dict[str, str]:
    """Return what the starters are called, by rule where the model names one, else by the person's id."""
    ruled = {row.starter for row in rows if row.starter}
    accounts = {rule.removeprefix("user:"): rule for rule in ruled if rule.startswith("user:")}
    users = ports.people.active(set(accounts)) if accounts else {}
    roles = ports.people.candidate_keys(ruled - set(accounts.values())) if len(ruled) > len(accounts) else {}
    named = ports.people.describe(set(roles.values())) if roles else {}
    people = ports.people.names({row.person_id for row in rows if row.person_id} | set(users.values()))
    return {
        **{str(pk): name for pk, name in people.items()},
        **{accounts[word]: people.get(pk, "") for word, pk in users.items()},
        **{rule: named.get(key, "") for rule, key in roles.items()},
    }
