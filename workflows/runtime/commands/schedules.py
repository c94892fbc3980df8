"""Starts by time: the worker starts what is due, and people switch schedules on and off or start them by hand."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from math import inf
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from core.desk import messages
from core.kernel.actor import Actor, acting, system
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Conflict, Missing, Refusal
from core.kernel.operation import SYSTEM, operation
from core.kernel.tenancy import current_tenant, tenant_scope
from core.scheduling import turns
from workflows.runtime.commands import starting
from workflows.runtime.commands.overdrawn import TOLD
from workflows.runtime.rows import incidents, schedules
from workflows.runtime.tables.timers.models import Schedule

MAX_ATTEMPTS = 5
log = logging.getLogger("xunwei.schedules")


def start_due(limit: int = 200, now: datetime | None = None, seconds: float = inf) -> int:
    """Start what is due, the tenants in turns, each in its own transaction; answers how many were started.

    `now` is the machine's time; only those who replay past days pass another one.
    """
    passed = list[int]()
    due = schedules.SCHEDULES.due(now or datetime.now(UTC))
    return turns.go_round(
        schedules.SCHEDULES, lambda tenant_id: _start_one(due, tenant_id, passed), limit, now, seconds
    )


def _start_one(due: QuerySet[Schedule], tenant_id: str, passed: list[int]) -> turns.Taken | None:
    """Start the tenant's oldest schedule that is due and not locked; None where there is none."""
    schedule: Schedule | None = None
    try:
        with transaction.atomic():
            schedule = turns.take(due.exclude(pk__in=passed), tenant_id)
            if schedule is None:
                return None
            with tenant_scope(tenant_id):
                _start(system(tenant_id), schedule)
            return turns.Taken(is_done=True)
    except Exception as error:  # the worker loop: one bad schedule must not stop the others
        if schedule is None:
            raise
        passed.append(schedule.pk)
        if isinstance(error, Refusal):
            log.warning("schedule %s was refused: %s", schedule.pk, error)
        else:
            log.exception("schedule %s failed", schedule.pk)
        _put_off(schedule.pk, tenant_id, error)
    return turns.Taken(is_done=False)


@operation("schedule.start", code=SYSTEM)
def _start(actor: Actor, schedule: Schedule) -> None:
    """Start the process of a schedule whose row is locked, so that each occurrence starts one."""
    instance = starting.start_by_itself(schedule.definition_id, schedule.node, {}, schedule.person_id)
    schedules.started(schedule, instance.pk)


def _put_off(schedule_id: int, tenant_id: str, error: Exception) -> None:
    """Try again later, twice as late each time; after five failures give this occurrence up and tell people."""
    with tenant_scope(tenant_id), transaction.atomic(), acting(system(tenant_id)):
        row = Schedule.objects.select_for_update(of=("self",)).select_related("definition").get(pk=schedule_id)
        row.attempts += 1
        row.last_error = f"{type(error).__name__}: {error}"[:500]
        row.due_time = datetime.now(UTC) + timedelta(seconds=5 * 2**row.attempts)
        if row.attempts < MAX_ATTEMPTS:
            row.save()
            return
        reason = reason_of(error)
        schedules.failed(row, reason)
        _tell(row, reason)
    if isinstance(error, Refusal) and error.afterwards is not None:
        error.afterwards()


_REASONS = {
    "access.denied": (
        "发起人没有发起该流程的权限",
        "The starter has no right to start the process",
    ),
    "workflow.starterGone": (
        "发起人不存在或已停用，请在开始事件中指定发起人，或重新启用该计划",
        "The starter does not exist or is disabled: name a starter at the start event, or switch the schedule on again",
    ),
    "quota.instances": (
        "运行中的流程已达上限，请联系平台管理员",
        "The most running processes are reached; please contact the platform administrator",
    ),
}


def reason_of(error: Exception) -> tuple[str, str]:
    """Return in both languages why a start failed."""
    if engine_error := incidents.refused_by_engine(error):
        return engine_error.text_zh, engine_error.text_en
    if isinstance(error, Refusal):
        return _REASONS.get(error.error, (f"发起被拒绝：{error.text}", f"The start was refused: {error.text}"))
    return "发起失败，原因见服务器日志", "The start failed; the server's log has the cause"


def _tell(row: Schedule, reason: tuple[str, str]) -> None:
    zh, en = row.definition.name, row.definition.name_en or row.definition.name
    people = messages.recipients([f"role:{role}" for role in TOLD])
    messages.send(people, (f"定时发起失败：{zh}", f"Start by time failed: {en}"), reason, "schedule", row.pk)


@operation("schedule.switch", code="flow_schedule_edit")
def switch(actor: Actor, schedule_id: int, is_on: bool) -> dict[str, Any]:
    """Switch a schedule on or off for the tenant in scope. Who switches it on is the starter, unless the model says."""
    row = _locked(schedule_id)
    if row.is_general:
        row = _own(row) if is_on else row
    entry = current_entry()
    entry.business_type, entry.business_id, entry.remark = "schedule", row.pk, row.definition.name
    entry.outcome = "on" if is_on else "off"
    if row.is_on == is_on:
        entry.nothing_happened = True
    else:
        row.is_on = is_on
        row.person_id = actor.user_id if is_on else row.person_id
        schedules.wake(row)
        row.save()
    return {"id": str(row.pk), "isOn": row.is_on}


def _own(general: Schedule) -> Schedule:
    """Return a schedule of the tenant in scope for one of a general definition; it is switched off."""
    row = Schedule(tenant_id=current_tenant(), is_on=False, is_asleep=True, due_time=None)
    schedules.follow(row, general)
    return row


@operation("schedule.run", code="flow_schedule_run")
def run(actor: Actor, schedule_id: int) -> dict[str, Any]:
    """Start the process of a schedule now, beside its occurrences, as it would start by time."""
    row = _locked(schedule_id)
    if row.is_general or not row.is_on:
        raise Conflict("schedule.off", _("该计划未启用，请先启用"))
    instance = starting.start_by_itself(row.definition_id, row.node, {}, row.person_id)
    schedules.started(row, instance.pk, by_hand=True)
    return {"processInstanceId": str(instance.pk), "title": instance.title}


def _locked(schedule_id: int) -> Schedule:
    """Lock and return a schedule that the tenant in scope sees. Raises Missing."""
    rows = Schedule.objects.select_for_update(of=("self",)).select_related("definition")
    found = rows.filter(pk__in=schedules.visible().filter(pk=schedule_id).values("pk")).first()
    if found is None:
        raise Missing()
    return found
