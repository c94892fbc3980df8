"""Start-up checks: one more task when a critical asset restarts after a stoppage of more than a day.

The stoppage's own transaction sends a message; the message looks at the stoppage as it stands then. So a task is made
once however often an end is told, and the task that nobody has begun goes when the stoppage is withdrawn or goes on.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q

from core.equipment.models import Importance, Machine, NodeType, RestStatus, Stoppage
from core.equipment.stoppages import stands_at, status_of, watch_ends
from core.kernel import clock, outbox
from core.kernel.actor import system
from core.kernel.audit_entry import AuditEntry
from core.kernel.operation import perform
from core.kernel.tenancy import current_tenant
from core.rounds import generation, planning
from core.rounds.models import DetailStatus, InspectOrder, InspectOrderDetail, OrderStatus, TaskRule, TaskSource
from core.rounds.queries import NOUN
from core.shifts import times
from core.shifts.models import Plan, PlanStatus
from core.shifts.queries import business_date_of
from core.system.numbers import next_number

TOPIC = "rounds.startup"
LONG = timedelta(hours=24)
"""A stoppage must last longer."""
LATEST = timedelta(hours=24)
"""An end that is entered later than so makes no task: the asset has long been running."""
_DURATION = 240
"""Minutes of a rule that says none."""


def listen() -> None:
    """Follow the ends of stoppages."""
    watch_ends(_ended)
    outbox.handler(TOPIC)(_look)


def _ended(stops: Collection[Stoppage]) -> None:
    """Send a message for each stoppage that may ask for a start-up check, or has asked for one."""
    rules = list(TaskRule.with_removed.filter(startup_check=True).values_list("pk", flat=True))
    if not rules:
        return
    for stop in stops:
        is_long = (stop.end_time or clock.now()) - stop.start_time > LONG
        if is_long or _tasks(stop.pk, rules).exists():
            outbox.send(TOPIC, {"stop": stop.pk})


def _key(rule_id: int, stop_id: int) -> str:
    return f"{rule_id}:start:{stop_id}"


def _tasks(stop_id: int, rule_ids: Collection[int]) -> Any:
    """Return the tasks that these rules have made for a stoppage."""
    return InspectOrder.objects.filter(gen_key__in=[_key(pk, stop_id) for pk in rule_ids])


def _look(message_id: int, payload: Mapping[str, Any]) -> None:
    """Make the tasks of a stoppage that has ended, or void those that nobody has begun where it has not."""
    stop = Stoppage.with_removed.filter(pk=payload["stop"]).select_related("machine").first()
    if stop is None:
        return
    now = clock.now()
    entry = AuditEntry(f"{NOUN}.startup", system(current_tenant()), business_type=NOUN, nothing_happened=True)

    def act() -> int:
        is_over = not stop.is_deleted and status_of(stop, now) == RestStatus.ENDED
        is_long = stop.end_time is not None and stop.end_time - stop.start_time > LONG
        made = _make(stop, now) if is_over and is_long else _void(stop)
        for order in made:
            entry.nothing_happened = False
            entry.business_id, entry.remark = order.pk, str(order)
            if order is not made[-1]:
                entry.add_record(order.pk, str(order), [])
        return len(made)

    perform(entry, None, act)


def _void(stop: Stoppage) -> list[InspectOrder]:
    """Void the tasks of a stoppage that nobody has begun; their keys are free again.

    Its number is the reason: people of either language read it.
    """
    rules = TaskRule.with_removed.filter(startup_check=True).values_list("pk", flat=True)
    orders = list(_tasks(stop.pk, rules).filter(status=OrderStatus.TODO).select_for_update(of=("self",)).order_by("pk"))
    generation.void([order.pk for order in orders], stop.rest_no)
    return orders


def _make(stop: Stoppage, now: datetime) -> list[InspectOrder]:
    """Make a task by each rule that asks for one of the machines that restarted with the end of the stoppage."""
    if stop.end_time is None or stop.end_time < now - LATEST:
        return []
    machines = _restarted(stop, now)
    rules = TaskRule.objects.filter(
        startup_check=True, enabled=True, config__status=PlanStatus.ENABLED, group__is_sealed=False,
        group__points__machine__in=machines, group__points__is_sealed=False,
    )  # fmt: skip
    found = rules.select_related("group", "config").order_by("config", "pk").distinct()
    return [order for rule in found for order in _make_one(rule, stop, machines, now)]


def _restarted(stop: Stoppage, now: datetime) -> set[int]:
    """Return the critical machines that stood for the stoppage and stand for no other one now."""
    reached = Q(pk=stop.machine_id)
    if stop.include_children:
        reached |= Q(path__startswith=stop.machine.path)
    rows = Machine.objects.filter(reached, importance=Importance.CRITICAL, node_type__gte=NodeType.MACHINE)
    paths = dict(rows.values_list("pk", "path"))
    standing = Stoppage.objects.filter(stands_at(now), revoke_time=None).values_list("machine_id", "include_children")
    still = dict[int, bool]()
    for machine_id, below in standing:
        still[machine_id] = still.get(machine_id, False) or below

    def stands(pk: int, path: str) -> bool:
        return pk in still or any(still.get(int(one), False) for one in path.strip("/").split("/"))

    return {pk for pk, path in paths.items() if not stands(pk, path)}


def _make_one(rule: TaskRule, stop: Stoppage, machines: Collection[int], now: datetime) -> list[InspectOrder]:
    """Make the task of a rule, where the machines are not in an open start-up check of it already."""
    plan = Plan.objects.select_for_update(no_key=True).get(pk=rule.config_id)
    if InspectOrder.with_removed.filter(gen_key=_key(rule.pk, stop.pk)).exists():
        return []
    waiting = InspectOrderDetail.objects.filter(
        order__rule=rule, order__gen_key__contains=":start:", order__status=OrderStatus.TODO,
        order__deadline__gt=now, order__is_deleted=False, status=DetailStatus.TODO,
    )  # fmt: skip
    wanted = set(machines) - set(waiting.values_list("machine_id", flat=True))
    day = business_date_of(plan, now)
    facts = generation.facts_of(plan, [rule], day, day)
    sheets = generation.Sheets.of([rule.group_id])
    if not wanted & {point.machine_id for point in sheets.points.get(rule.group_id, ())}:
        return []
    slot = _slot(rule, facts, stop, now)
    found = planning.staffed(rule, facts, slot)
    order = InspectOrder(
        order_no=next_number(generation.NUMBERS), source=TaskSource.PLAN, rule=rule, config=plan, business_date=day,
        shift_id=slot.shift.pk if slot.shift is not None else None,
        shift_name=slot.shift.shift_name if slot.shift is not None else "",
        plan_start=slot.begin, plan_end=slot.end, open_time=slot.begin, deadline=found.deadline, team_id=found.team_id,
        assign_mode=rule.assign_mode, gen_key=_key(rule.pk, stop.pk), remark=stop.rest_no,
        **generation.of_route(rule.group),
    )  # fmt: skip
    generation.insert([(order, found.user_ids)], sheets, wanted)
    return [order]


def _slot(rule: TaskRule, facts: planning.Facts, stop: Stoppage, now: datetime) -> planning.Slot:
    """Return the window of a start-up check: from the restart, for the rule's duration, on the shift of that moment."""
    day = business_date_of(rule.config, now)
    shift = next(
        (
            one
            for one in facts.shifts
            if times.is_valid(one, day) and times.window(day, one.start_time, one.end_time, facts.zone).holds(now)
        ),
        None,
    )
    return planning.Slot(day, shift, 0, now, now + timedelta(minutes=rule.duration or _DURATION))
