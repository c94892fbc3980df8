"""The part of the proofs that needs Django: `install` a fresh database, wait until it is `quiet`, `read` what is there.

For the proof of sign-in add `people`, read the `tries` that were counted, time a password `check`. For many at once and
for timers `fill` the tables or `hand_out` processes, `sweep` as a worker does, read what was `claimed`, `acted`,
`fired`. `whole` holds what is stored of every process against its engine's state.

Runs in a process of its own (`python -m tests.prove.inside <command>`), with the served installation's environment,
and answers with one line of JSON on standard output.
"""

from __future__ import annotations

import hashlib
import io
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import django
import orjson
from PIL import Image

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "core.project.settings")
django.setup()

from django.core.management import call_command  # noqa: E402  (Django's models need setup() first)
from django.db import connection, models, transaction  # noqa: E402

from core.access.models import Role, UserRole  # noqa: E402
from core.audit import seals  # noqa: E402
from core.audit.models import Event  # noqa: E402
from core.database import row_security  # noqa: E402
from core.database.owner import as_owner  # noqa: E402
from core.desk.leave.models import Leave  # noqa: E402
from core.desk.leave.models import Status as LeaveStatus  # noqa: E402
from core.desk.models import Message  # noqa: E402
from core.equipment.models import Machine, MeterReading, Stoppage, Tag  # noqa: E402
from core.identity import lockout, passwords  # noqa: E402
from core.identity.models import Department, Session, Team, TeamMember, Tries, User  # noqa: E402
from core.inspection.models import MaintenancePlan  # noqa: E402
from core.kernel import clock  # noqa: E402
from core.kernel.actor import acting  # noqa: E402
from core.kernel.ids import next_id  # noqa: E402
from core.kernel.tenancy import tenant_scope  # noqa: E402
from core.kernel.texts import moment  # noqa: E402
from core.maintenance import operations  # noqa: E402
from core.maintenance.models import OPEN, RepairLine, RepairOrder  # noqa: E402
from core.preventive.models import OPEN as MAINTENANCE_OPEN  # noqa: E402
from core.preventive.models import MaintainLine, MaintainOrder  # noqa: E402
from core.scheduling import outbox  # noqa: E402
from core.scheduling.models import OutboxMessage  # noqa: E402
from core.storage import files  # noqa: E402
from core.storage.models import Attachment  # noqa: E402
from core.system import calendars  # noqa: E402
from core.system.models import CalendarVersion, Holiday, HolidayType  # noqa: E402
from tests import cast, upkeep  # noqa: E402
from tests.prove import papers, planned_tasks, scheduled, stock  # noqa: E402
from tests.workflows import standalone as standalone_models  # noqa: E402
from workflows import engine  # noqa: E402
from workflows.runtime.commands import (  # noqa: E402
    calendar_changes,
    sending_back,
    standalone,
    suspending,
    work_items,
)
from workflows.runtime.commands import sweep as timers  # noqa: E402
from workflows.runtime.definitions import library  # noqa: E402
from workflows.runtime.rows import queues  # noqa: E402
from workflows.runtime.rows.timers import outdated_tenants  # noqa: E402
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance  # noqa: E402
from workflows.runtime.tables.timers.models import Timer  # noqa: E402
from workflows.runtime.tables.worklist.models import ItemState, PoolKey, WorkItem  # noqa: E402


def install(leaders: int) -> dict[str, Any]:
    """Tables, the cast, and as many repair leaders more (leader1, leader2, …); answers the ids that calls need."""
    call_command("migrate", verbosity=0, interactive=False)
    cast.install()
    Session.objects.all().delete()  # those that tests share
    with tenant_scope(cast.A):
        role = Role.objects.get(role_alias="repair_leader")
        pattern = User.objects.get(account="repair_leader")
        dept = Department.objects.get(pk=pattern.dept_id)
        for number in range(1, leaders + 1):
            user = User.objects.create(
                account=f"leader{number}", real_name=f"卫长{number}", dept=dept, password=pattern.password
            )
            UserRole.objects.create(user=user, role=role)
        hr = User.objects.create(account="hr", real_name="杜事", dept=dept, password=pattern.password)
        UserRole.objects.create(user=hr, role=Role.objects.get(role_alias="hr"))
        return {
            "password": cast.PASSWORD,
            "machine": str(Machine.objects.get(machine_code="M1").pk),
            "machines": [str(pk) for pk in Machine.objects.filter(team__isnull=False).values_list("pk", flat=True)],
            "team": str(Team.objects.get(team_name=cast.TEAMS["mechanics"][0]).pk),
            "picture": files.signed_link(files.store_image(_picture(), "完工.png").name),
            "cause": str(Tag.objects.get(tag_name="磨损").pk),
            "action": str(Tag.objects.get(tag_name="更换").pk),
            "people": {user.account: {"id": str(user.pk), "name": user.real_name} for user in User.objects.all()},
        }


def _picture() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (40, 30), "navy").save(out, "PNG")
    return out.getvalue()


def enlist() -> None:
    """Make the further repair leaders repairers of the mechanics too, so that they may do every step."""
    with tenant_scope(cast.A):
        role, team = Role.objects.get(role_alias="repairer"), Team.objects.get(team_name=cast.TEAMS["mechanics"][0])
        for user in User.objects.filter(account__startswith="leader"):
            UserRole.objects.create(user=user, role=role)
            TeamMember.objects.create(team=team, user=user)


def _copies(row: models.Model, changes: Iterable[dict[str, Any]]) -> None:
    """Store the row again, with another id and each of these changes."""
    names = [field.attname for field in row._meta.concrete_fields if field.attname != "id"]
    values = {name: getattr(row, name) for name in names}
    type(row)._default_manager.bulk_create((type(row)(**{**values, **change}) for change in changes), batch_size=500)


def fill(number: int, minutes: int, tenant: str = cast.A) -> list[list[str]]:
    """So many orders that wait to be dispatched since so many minutes: one real report, its rows copied under new ids.

    The engine's state is copied with them, so that every step and every timer of a copy is a real one; only nobody
    was told of it. Answers the ids of each order and of its step.
    """
    actor = cast.Cast().actor_for("operator", tenant)
    with tenant_scope(tenant), acting(actor), clock.at(datetime.now(UTC) - timedelta(minutes=minutes)):
        machine = str(Machine.objects.get(machine_code="M1").pk)
        report = {"machineId": machine, "description": "主轴异响", "force": 1}
        order = RepairOrder.objects.get(pk=operations.save(actor, report)["id"])
        instance = ProcessInstance.objects.get(business_id=order.pk)
        item = WorkItem.objects.get(instance=instance)
        new = [(next_id(), next_id(), next_id()) for _ in range(number - 1)]
        _copies(order, ({"id": pk, "order_no": f"P{pk}"} for pk, _, _ in new))
        _copies(instance, ({"id": pk, "business_id": of, "business_no": f"P{of}"} for of, pk, _ in new))
        _copies(item, ({"id": pk, "instance_id": at, "business_id": of, "business_no": f"P{of}"} for of, at, pk in new))
        queues.moved(entered=[queues.queue_of(item)] * len(new))
        for timer in Timer.objects.filter(instance_id=instance.pk):
            _copies(timer, ({"instance_id": pk} for _, pk, _ in new))
        return [[str(order.pk), str(item.pk)], *([str(of), str(pk)] for of, _, pk in new)]


def plant(number: int) -> int:
    """So many more assets of company A, as M1; answers the number."""
    with tenant_scope(cast.A):
        row = Machine.objects.get(machine_code="M1")
        _copies(row, ({"id": next_id(), "machine_code": f"P{place}"} for place in range(number)))
    return number


def machine_of(tenant: str) -> str:
    """The id of a company's M1."""
    with tenant_scope(tenant):
        return str(Machine.objects.get(machine_code="M1").pk)


# A deadline of a working day round two steps.
_WORKED = """<startEvent id="start"/><subProcess id="both"><startEvent id="begin"/>
  <userTask id="first" name="办理" {asked}/><userTask id="second" name="复核" {asked}/><endEvent id="stop"/>
  <sequenceFlow id="a" sourceRef="begin" targetRef="first"/><sequenceFlow id="b" sourceRef="first" targetRef="second"/>
  <sequenceFlow id="c" sourceRef="second" targetRef="stop"/></subProcess><endEvent id="done"/><endEvent id="late"/>
  <boundaryEvent id="deadline" name="办结" attachedToRef="both" cancelActivity="false">
    <timerEventDefinition xw:time="working"><timeDuration>P1D</timeDuration></timerEventDefinition></boundaryEvent>
  <sequenceFlow id="d" sourceRef="start" targetRef="both"/><sequenceFlow id="e" sourceRef="both" targetRef="done"/>
  <sequenceFlow id="f" sourceRef="deadline" targetRef="late"/>"""
_AGO = timedelta(days=20)


def fill_working(number: int) -> int:
    """So many processes whose deadline counts working time, begun when all days were off; each was sent back once.

    One is real, and its rows are copied. Answers for how many of them the deadline is the one that began before the
    sending back.
    """
    now = datetime.now(UTC)
    with tenant_scope(cast.A):
        days = (now.date() + timedelta(days=day) for day in range(-_AGO.days - 3, 60))
        Holiday.objects.bulk_create(Holiday(day=day, day_type=HolidayType.OFF, name="停产") for day in days)
        CalendarVersion.change()
    drawn = _WORKED.format(asked='xw:candidates="role:equip_manager" xw:outcomes="agree"')
    definition = standalone_models.deploy(standalone_models.document(drawn), cast.A)
    by, signer = cast.Cast().actor_for("operator", cast.A), cast.Cast().actor_for("equip_manager", cast.A)
    with tenant_scope(cast.A), clock.at(now - _AGO):
        with acting(by):
            standalone.start(by, definition.pk, {})
        before = Timer.objects.get()
        with acting(signer):
            item = WorkItem.objects.get(state=ItemState.OPEN)
            work_items.complete(signer, item.pk, None, "", "agree", "", {})
            item = WorkItem.objects.get(state=ItemState.OPEN)
            sending_back.send_back(signer, item.pk, "first", False, "proof")
        timer, instance = Timer.objects.get(), ProcessInstance.objects.get()
        new = [next_id() for _ in range(number - 1)]
        _copies(instance, ({"id": pk, "business_id": pk, "business_no": f"P{pk}"} for pk in new))
        for item in WorkItem.objects.filter(instance=instance):
            _copies(item, ({"instance_id": pk, "business_id": pk, "business_no": f"P{pk}"} for pk in new))
            if item.state == ItemState.OPEN:
                queues.moved(entered=[queues.queue_of(item)] * len(new))
        _copies(timer, ({"instance_id": pk} for pk in new))
        same = (before.pk, before.due_time, before.begin_time) == (timer.pk, timer.due_time, timer.begin_time)
        return Timer.objects.filter(node="deadline").count() if same else 0


def work_again() -> int:
    """Change the working calendar: the days off are none any more; answers how many due times it makes outdated."""
    with tenant_scope(cast.A), transaction.atomic():
        Holiday.objects.all().delete()
        CalendarVersion.change()
        return Timer.objects.exclude(calendar_version=calendars.version()).count()


def worked() -> dict[str, Any]:
    """What the deadline left of each process: its due time moved once, it fired once, and the step waits as before."""
    with tenant_scope(cast.A):
        counted: dict[str, dict[int, int]] = {}
        for name in ("timer.renew", "timer.fire"):
            events = Event.objects.filter(operation=name).values_list("instance_id").annotate(models.Count("id"))
            counted[name] = dict(events.order_by())
        waits = Counter(
            WorkItem.objects.filter(state=ItemState.OPEN, node="first").values_list("instance_id", flat=True)
        )
        wrong = [
            f"{number}: {moved} moved, {fired} fired, {open_} steps wait"
            for pk, number in ProcessInstance.objects.values_list("pk", "business_no")
            if (found := (counted["timer.renew"].get(pk, 0), counted["timer.fire"].get(pk, 0), waits[pk])) != (1, 1, 1)
            for moved, fired, open_ in [found]
        ]
        count = ProcessInstance.objects.count()
    return {"processes": count, "wrong": wrong, "timers": Timer.objects.count(), "left": left()}


def flood(tenant: str, number: int) -> None:
    """So many messages of the company that are due since an hour, each to one person."""
    with tenant_scope(tenant):
        reader = User.objects.get(account="viewer").pk
    due = datetime.now(UTC) - timedelta(hours=1)
    payload = {
        "users": [reader], "title": ["满", "Full"], "content": ["满", "Full"], "businessType": "test", "businessId": 1,
        "time": due.isoformat(),
    }  # fmt: skip
    OutboxMessage.objects.bulk_create(
        (OutboxMessage(tenant_id=tenant, topic="desk.message", payload=payload, due_time=due) for _ in range(number)),
        batch_size=500,
    )


def forget(tenant: str) -> None:
    """Take the company's rows out of the queues."""
    OutboxMessage.objects.filter(tenant_id=tenant).delete()
    Timer.objects.filter(tenant_id=tenant).delete()


def stand_still(tenant: str, number: int) -> str:
    """A suspended process of the company, and so many messages to it; answers its id."""
    [[_order, item]] = fill(1, 0, tenant)
    with tenant_scope(tenant):
        instance = WorkItem.objects.get(pk=item).instance_id
        suspending.suspend(cast.Cast().actor_for("tenant_admin", tenant), instance, "proof")
    copy = {"instance": instance, "tasks": [], "message": "parts", "key": "1", "hops": 1}
    OutboxMessage.objects.bulk_create(
        (
            OutboxMessage(tenant_id=tenant, topic="process.message", payload=copy, receiver_id=instance)
            for _ in range(number)
        ),
        batch_size=500,
    )
    return str(instance)


def go_round(tenant: str, number: int) -> str:
    """So many processes that answer each message with the same one, for ever; the id of the model that sends the first.

    They wait. Each start of that model sets them all going.
    """
    message = '<messageEventDefinition messageRef="m" xw:key="7"/>'
    nodes = f'<intermediateCatchEvent id="w">{message}</intermediateCatchEvent>'
    nodes += f'<intermediateThrowEvent id="t">{message}</intermediateThrowEvent>'
    ways = {"send": (nodes.partition("</intermediateCatchEvent>")[2], ("s", "t", "e"))}
    nodes += '<exclusiveGateway id="a"/><exclusiveGateway id="g" default="f4"/>'
    ways["answer"] = nodes, ("s", "a", "w", "t", "g", "e")
    made = {}
    for key, (drawn, way) in ways.items():
        flows = [
            f'<sequenceFlow id="f{at}" sourceRef="{one}" targetRef="{next_}"/>'
            for at, (one, next_) in enumerate(pairwise(way))
        ]
        if key == "answer":
            again = "<conditionExpression>${true}</conditionExpression>"
            flows.append(f'<sequenceFlow id="again" sourceRef="g" targetRef="a">{again}</sequenceFlow>')
        xml = (
            '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xw="urn:xunwei:bpmn" '
            'targetNamespace="urn:proof"><message id="m" name="round"/>'
            f'<process id="{key}" name="{key}" isExecutable="true"><startEvent id="s"/>{drawn}<endEvent id="e"/>'
            f"{''.join(flows)}</process></definitions>"
        )
        meta = {"key": key, "name": key, "name_en": key, "category": "flow_1", "business_type": "", "nodes": {}}
        made[key] = library.deploy(xml.encode(), meta, tenant).pk
    actor = cast.Cast().actor_for("operator", tenant)
    with tenant_scope(tenant):
        for _ in range(number):
            standalone.start(actor, made["answer"], {})
    return str(made["send"])


def went_round(tenant: str) -> int:
    """How many of the messages of `go_round` were received so far."""
    with tenant_scope(tenant):
        return Event.objects.filter(operation="message.receive", remark__contains="round").count()  # type: ignore[no-any-return]


def resume(tenant: str, instance: int) -> None:
    """Let the process go on."""
    with tenant_scope(tenant):
        suspending.resume(cast.Cast().actor_for("tenant_admin", tenant), instance)


def sweep() -> dict[str, float]:
    """Compute anew, fire and deliver what is due as a worker does, until nothing is; says so in a line when it begins.

    Answers how many of each, and the processor seconds that went into the timers.
    """
    sys.stdout.buffer.write(b"begun\n")
    sys.stdout.buffer.flush()
    fired = delivered = 0
    used = 0.0
    while True:
        now = datetime.now(UTC)
        due = {"is_parked": False, "due_time__lte": now}
        is_due = Timer.objects.filter(**due).exists() or OutboxMessage.objects.filter(**due).exists()
        if not is_due and not outdated_tenants().exists():
            return {"fired": fired, "delivered": delivered, "seconds": used}
        began = time.process_time()
        calendar_changes.renew_outdated()
        fired += timers.fire_due()
        used += time.process_time() - began
        delivered += outbox.deliver_due()


def left() -> int:
    """How many timers are due and not parked."""
    return Timer.objects.filter(is_parked=False, due_time__lte=datetime.now(UTC)).count()


def fired() -> dict[str, Any]:
    """What the first reminder left of each order, which is to be one act, one message to each leader and one mark."""
    with tenant_scope(cast.A):
        leaders = UserRole.objects.filter(role__role_alias="repair_leader").count()
        acts = Event.objects.filter(operation="timer.fire").values_list("business_id").annotate(models.Count("id"))
        told = Message.objects.filter(title__startswith="响应超时").values_list("business_id")
        found, heard = dict(acts.order_by()), dict(told.annotate(models.Count("id")).order_by())
        wrong = [
            f"{number}: {found.get(pk, 0)} acts, {heard.get(pk, 0)} messages for {leaders} leaders, marks {marks}"
            for pk, number, marks in RepairOrder.objects.values_list("pk", "order_no", "escalations")
            if (found.get(pk, 0), heard.get(pk, 0), list(marks)) != (1, leaders, ["responseLeader"])
        ]
        orders = RepairOrder.objects.count()
    parked = Timer.objects.filter(is_parked=True).count() + OutboxMessage.objects.filter(is_parked=True).count()
    return {"orders": orders, "acts": sum(found.values()), "wrong": wrong, "left": left(), "parked": parked}


def claimed() -> dict[str, Any]:
    """Who holds each open item, since when, and who is in its history for having claimed it."""
    with tenant_scope(cast.A):
        accounts = dict(User.objects.values_list("pk", "account"))
        claims: dict[int, list[str]] = defaultdict(list)
        for item_id, user_id in Event.objects.filter(operation="task.claim").values_list("work_item_id", "user_id"):
            claims[item_id].append(accounts[user_id])
        rows = WorkItem.objects.filter(state=ItemState.OPEN).values_list("pk", "assignee_id", "claim_time")
        return {str(pk): [accounts.get(holder, ""), moment(since), claims[pk]] for pk, holder, since in rows}


def acted() -> dict[str, Any]:
    """The acts of people on each record, the oldest first; versions of orders; who holds each step that waits.

    An act: millisecond of the id, operation, who, item, node, round, statuses before and after, who holds the item
    then, outcome. A step that waits: item, holder, who gets it back, the last one first.
    """
    with tenant_scope(cast.A):
        accounts = dict(User.objects.values_list("pk", "account"))
        acts: dict[str, list[Any]] = defaultdict(list)
        columns = ("node", "round", "from_status", "to_status", "to_holder", "outcome")
        events = Event.objects.exclude(user_id=0).exclude(business_id=None).order_by("id")
        named = events.values_list("user_id", "id", "business_id", "operation", "work_item_id", *columns)
        for user_id, pk, record, operation, item, *rest, holder, outcome in named:
            who = accounts.get(holder, "")
            acts[str(record)].append([pk >> 22, operation, accounts[user_id], str(item or ""), *rest, who, outcome])
        versions = {str(pk): version for pk, version in RepairOrder.objects.values_list("pk", "lock_version")}
        waits = {
            str(item.business_id): [
                str(item.pk), accounts.get(item.assignee_id, ""), [accounts[user] for user in item.delegators],
            ]
            for item in WorkItem.objects.filter(state=ItemState.OPEN)
        }  # fmt: skip
    return {"acts": acts, "versions": versions, "waits": waits}


def whole() -> list[str]:
    """Where the engine's state of an instance, its items, queues and timers, and its record do not fit together."""
    faults: list[str] = []
    with tenant_scope(cast.A):
        open_items: dict[int, list[WorkItem]] = defaultdict(list)
        rounds: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for item in WorkItem.objects.order_by("id").defer("answer"):
            rounds[item.instance_id][item.node].append(item.round)
            if item.state == ItemState.OPEN:
                open_items[item.instance_id].append(item)
        offered: dict[int, set[str]] = defaultdict(set)
        for pool, key in PoolKey.objects.values_list("pool", "key"):
            offered[pool].add(key)
        due: dict[int, set[str]] = defaultdict(set)
        for instance_id, task in Timer.objects.values_list("instance_id", "engine_task"):
            due[instance_id].add(task)
        statuses = {
            **dict(RepairOrder.objects.values_list("pk", "status")),
            **dict(MaintainOrder.objects.values_list("pk", "status")),
            **dict(Leave.objects.exclude(status=LeaveStatus.DRAFT).values_list("pk", "status")),
        }
        waits = {
            "repairorder": OPEN, "maintainorder": MAINTENANCE_OPEN,
            "leave": (LeaveStatus.IN_APPROVAL, LeaveStatus.REJECTED),
        }  # fmt: skip
        for instance in ProcessInstance.objects.order_by("id").iterator(1000):
            step = engine.look(library.specification(instance.definition_id), bytes(instance.state))
            items, nodes = open_items[instance.pk], library.definition(instance.definition_id).meta["nodes"]
            fits = {
                "items": {item.engine_task for item in items} == {task.task for task in step.tasks},
                "timers": due[instance.pk] == {timer.task for timer in step.timers},
                "end": step.completed == (instance.status != InstanceStatus.RUNNING),
                "rounds": all(found == list(range(1, len(found) + 1)) for found in rounds[instance.pk].values()),
                "candidates": all(
                    item.pool is None if item.assignee_id else offered[item.pool] == set(item.candidate_keys)
                    for item in items
                ),
            }
            if instance.business_type in waits:
                status = statuses.pop(instance.business_id, None)
                wanted = {nodes[item.node]["status"] for item in items}
                fits["status"] = (
                    wanted == {status} if items else status is not None and status not in waits[instance.business_type]
                )
            faults += [f"{instance.business_no}: its {name} do not fit" for name, is_so in fits.items() if not is_so]
        over = WorkItem.objects.exclude(state=ItemState.OPEN).exclude(pool=None).values_list("pk", flat=True)
        faults += [f"item {item_id} is over and still offered" for item_id in over]
        faults += [f"{by} items more wait in queue {queue} than its sum says" for queue, by in queues.drift()]
        faults += [f"record {record_id} has no process" for record_id in statuses]
    return faults


def quiet(seconds: float) -> int:
    """Wait until the outbox is empty, at most so many seconds; answers how many rows are left."""
    end = time.monotonic() + seconds
    while (left := OutboxMessage.objects.count()) and time.monotonic() < end:
        connection.close()  # a new look, and no long transaction in the served database's way
        time.sleep(0.5)
    return left


def upkeep_plant(number: int) -> dict[str, list[str]]:
    """So many standards whose work somebody verifies, and as many that need none; the plan makes no orders of them."""
    found = {}
    for name, is_checked in (("checked", True), ("plain", False)):
        rows = [
            upkeep.standard(cast.Cast(), code=f"{name}{place}", need_check=is_checked, need_stop=False)
            for place in range(number)
        ]
        found[name] = [str(row.pk) for row in rows]
    with tenant_scope(cast.A):
        MaintenancePlan.objects.update(paused=True)
    return found


def _maintained() -> list[dict[str, Any]]:
    """Of each maintenance order what it has beside its acts, steps and messages."""
    readings = Counter(MeterReading.objects.values_list("remark", flat=True))
    reported = Counter(RepairOrder.objects.filter(source=3).values_list("source_no", flat=True))
    again = Event.objects.filter(operation="repairorder.foundAgain").values_list("remark", flat=True)
    reported += Counter(remark.partition(" ")[0] for remark in again)
    if RepairOrder.objects.aggregate(sum=models.Sum("found_again"))["sum"] not in (None, len(again)):
        reported["the orders say another number"] += 1
    lines = Counter(MaintainLine.objects.values_list("order_id", flat=True))
    return [
        {
            "id": order.pk, "number": order.order_no, "title": order.remark, "status": order.status,
            "version": order.lock_version, "reworks": order.rework_count, "delays": order.delay_count,
            "lines": lines[order.pk], "readings": readings[order.order_no], "found": reported[order.order_no],
        }
        for order in MaintainOrder.objects.order_by("id")
    ]  # fmt: skip


def _repaired() -> list[dict[str, Any]]:
    """The same of repair orders."""
    lines = Counter(RepairLine.objects.values_list("order_id", flat=True))
    return [
        {
            "id": order.pk, "number": order.order_no, "title": order.title, "status": order.status,
            "version": order.lock_version, "reworks": order.rework_count, "lines": lines[order.pk],
        }
        for order in RepairOrder.objects.order_by("id")
    ]  # fmt: skip


def read(noun: str = "repairorder") -> dict[str, Any]:
    """Every order of this kind and every leave with its acts, steps, messages and timers, straight from the tables."""
    with tenant_scope(cast.A):
        accounts = dict(User.objects.values_list("pk", "account"))
        acts, steps, told, instances = (defaultdict(list) for _ in range(4))
        for event in Event.objects.filter(business_type__in=(noun, "leave")).order_by("id"):
            acts[event.business_id].append([event.operation, event.from_status, event.to_status, event.effects])
        for item in WorkItem.objects.order_by("id"):
            state = ItemState(item.state).label
            steps[item.business_id].append([item.node, item.round, state, item.outcome, item.completed_by_name])
        for user_id, title, order_id in Message.objects.values_list("user_id", "title", "business_id"):
            told[order_id].append([accounts[user_id], title.partition("：")[0]])
        timers = Counter(Timer.objects.values_list("instance_id", flat=True))
        stops = Counter(Stoppage.objects.values_list("source_id", flat=True))
        open_stops = Counter(Stoppage.objects.filter(end_time=None).values_list("source_id", flat=True))
        for pk, order_id, status, nodes in ProcessInstance.objects.values_list("pk", "business_id", "status", "nodes"):
            instances[order_id].append({"status": status, "nodes": nodes, "timers": timers[pk]})
        orders = [
            {
                **order,
                "id": str(order["id"]),
                "stops": stops[order["id"]],
                "openStops": open_stops[order["id"]],
                "acts": acts[order["id"]],
                "steps": steps[order["id"]],
                "told": told[order["id"]],
                "instances": instances[order["id"]],
            }
            for order in (_maintained() if noun == "maintainorder" else _repaired())
        ]
        leaves = [
            {
                "id": str(leave.pk),
                "title": leave.reason,
                "plain": {"status": leave.status, "version": leave.lock_version},
                "acts": acts[leave.pk],
                "steps": steps[leave.pk],
                "told": told[leave.pk],
                "instances": instances[leave.pk],
            }
            for leave in Leave.objects.order_by("id")
        ]
    return {"orders": orders, "leaves": leaves, "parked": OutboxMessage.objects.filter(is_parked=True).count()}


def people(number: int) -> dict[str, str]:
    """So many accounts of each sort: person1, …; gone1, … (disabled); other1, … (of another company); answers ids."""
    for tenant, sort in ((cast.A, "person"), (cast.A, "gone"), (cast.B, "other")):
        with tenant_scope(tenant):
            pattern = User.objects.get(account="viewer")
            User.objects.bulk_create(
                User(
                    account=f"{sort}{place}", real_name=f"{sort}{place}", dept_id=pattern.dept_id,
                    password=pattern.password, is_enabled=sort != "gone",
                )
                for place in range(1, number + 1)
            )  # fmt: skip
    with tenant_scope(cast.A):
        return {account: str(pk) for account, pk in User.objects.values_list("account", "pk")}


def tries(addresses: Sequence[str]) -> dict[str, dict[str, int]]:
    """The tries that stand in the table: of company A's accounts, from unknown and known addresses, and of these
    addresses. The table names nobody, so that names are looked for by their digests."""
    counted: dict[str, dict[str, int]] = {kind: defaultdict(int) for kind in ("account", "known", "address")}
    with tenant_scope(cast.A):
        accounts = {
            lockout._digest("account", cast.A, account): account
            for account in User.objects.values_list("account", flat=True)
        }
    named = {lockout._digest("address", address): address for address in addresses}
    for kind, key, owner, number in Tries.objects.values_list("kind", "key", "owner", "tries"):
        if kind == lockout.ADDRESS.kind and key in named:
            counted["address"][named[key]] += number
        elif kind in counted and owner in accounts:
            counted[kind][accounts[owner]] += number
    return counted


def check(number: int) -> list[float]:
    """How many seconds each of so many password checks took."""
    value = hashlib.md5(cast.PASSWORD.encode()).hexdigest()
    with tenant_scope(cast.A):
        stored = User.objects.get(account="viewer").password
    took = []
    for _check in range(number + 1):
        began = time.perf_counter()
        assert passwords.check(value, stored)
        took.append(time.perf_counter() - began)
    return took[1:]  # the first one makes the dummy hash too


def sessions(account: str) -> list[list[Any]]:
    """Of each session of the person: its generation, and whether it lives."""
    with tenant_scope(cast.A):
        user_id = User.objects.get(account=account).pk
    rows = Session.objects.filter(user_id=user_id).order_by("id").values_list("generation", "revoked_at")
    return [[generation, revoked_at is None] for generation, revoked_at in rows]


def seal() -> int:
    """Seal the events at once: all clocks are this machine's."""
    return seals.seal_all(timedelta(0))


def walls() -> list[str]:
    """What the database itself lacks of what guards its rows: policies, triggers, sound references and sequences."""
    faults = []
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA foreign_key_check")
            faults += [f"a broken reference in {row[0]}" for row in cursor.fetchall()]
            cursor.execute("SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'audit_%_no_%'")
            return faults if cursor.fetchone() == (4,) else [*faults, "the audit's triggers are not there"]
        cursor.execute(
            "SELECT relname FROM pg_class c WHERE relname = ANY(%s) AND NOT (relrowsecurity AND relforcerowsecurity"
            " AND EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid))",
            [list(row_security.rules())],
        )
        faults += [f"no policy on {table}" for (table,) in cursor.fetchall()]
        cursor.execute("SELECT conname FROM pg_constraint WHERE NOT convalidated")
        faults += [f"{name} is not validated" for (name,) in cursor.fetchall()]
        cursor.execute("SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'audit_%_no_%'")
        if cursor.fetchone() != (6,):
            faults.append("the audit's triggers are not there")
        cursor.execute(
            "SELECT has_table_privilege('audit_event', 'UPDATE') OR has_table_privilege('audit_seal', 'DELETE')"
        )
        if cursor.fetchone() != (False,):
            faults.append("the login that serves may change the audit")
    with as_owner(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name, pg_get_serial_sequence(quote_ident(table_name), column_name)"
            " FROM information_schema.columns WHERE table_schema = 'public'"
            " AND (is_identity = 'YES' OR column_default LIKE 'nextval%%')"
        )
        for table, column, sequence in cursor.fetchall():
            cursor.execute(f"SELECT (SELECT nextval('{sequence}')) > coalesce(max({column}), 0) FROM {table}")
            if cursor.fetchone() != (True,):
                faults.append(f"the sequence of {table} is behind")
    return faults


def lost_files() -> list[str]:
    """The files that rows name and that are not on the disk."""
    faults = []
    for tenant in seals.tenants():
        with tenant_scope(tenant):
            for name in Attachment.objects.values_list("name", flat=True):
                if not files._path(tenant, name).is_file():
                    faults.append(f"{tenant}/{name}")
    return faults


def main(command: str, *rest: str) -> None:
    """Run one command and print its answer."""
    commands: dict[str, Callable[..., Any]] = {
        "install": lambda leaders: install(int(leaders)),
        "quiet": lambda seconds: quiet(float(seconds)),
        "people": lambda number: people(int(number)),
        "tries": lambda *addresses: tries(addresses),
        "check": lambda number: check(int(number)),
        "plant": lambda number: plant(int(number)),
        "machine_of": machine_of,
        "fill": lambda number, minutes, *tenant: fill(int(number), int(minutes), *tenant),
        "fill_working": lambda number: fill_working(int(number)),
        "flood": lambda tenant, number: flood(tenant, int(number)),
        "go_round": lambda tenant, number: go_round(tenant, int(number)),
        "stand_still": lambda tenant, number: stand_still(tenant, int(number)),
        "resume": lambda tenant, instance: resume(tenant, int(instance)),
        "hand_out": lambda number: papers.hand_out(int(number)),
        "jobs_begin": lambda number: scheduled.begin(int(number)),
        **{
            name: lambda number, fires, speed, began, run=run: run(int(number), int(fires), float(speed), float(began))
            for name, run in (
                ("jobs_schedule", scheduled.plan),
                ("jobs_work", scheduled.work),
                ("jobs_read", scheduled.read),
            )
        },
        "read": read,
        "upkeep_plant": lambda number: upkeep_plant(int(number)),
        "tasks_plant": lambda routes, points: planned_tasks.plant(int(routes), int(points)),
        "tasks_make": lambda plan, days: planned_tasks.make(int(plan), int(days)),
        "tasks_disturb": lambda plan, days, rounds, seed: planned_tasks.disturb(
            int(plan), int(days), int(rounds), int(seed)
        ),
        "stock_plant": stock.plant,
        "stock_disturb": lambda rounds, seed: stock.disturb(int(rounds), int(seed)),
        "stock_check": stock.check,
        "tasks_check": lambda plan, days: planned_tasks.check(int(plan), int(days)),
    }
    plain = (
        forget,
        went_round,
        seal,
        walls,
        lost_files,
        sessions,
        enlist,
        sweep,
        left,
        fired,
        claimed,
        acted,
        whole,
        work_again,
        worked,
    )
    answer = {**commands, **{function.__name__: function for function in plain}}[command](*rest)
    sys.stdout.buffer.write(orjson.dumps(answer) + b"\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
