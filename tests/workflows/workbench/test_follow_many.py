"""Thousands of processes, some with incidents of every kind: found, repaired in bulk as the preview said.

`FOLLOWED=10000` is the figure of the product's design, as `make prove` runs it; what the list costs is printed.
"""

from __future__ import annotations

import logging
import os
import time
from collections import defaultdict
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import cycle
from statistics import quantiles
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core import ports
from core.kernel.ids import next_id
from core.kernel.tenancy import tenant_scope
from core.scheduling import outbox
from core.scheduling.models import OutboxMessage
from tests.cast import A, Caller, Cast
from tests.checksums import checksum
from tests.contract.test_statements import _count
from tests.workflows.standalone import deploy, document
from workflows.runtime.commands import sweep
from workflows.runtime.rows import queues
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.messages.models import Waiting
from workflows.runtime.tables.timers.models import Timer
from workflows.runtime.tables.worklist.models import WorkItem

FOLLOWED = int(os.environ.get("FOLLOWED", "90"))
BROKEN = 300 if FOLLOWED >= 10_000 else 12
FOLLOW, WORK = "blade-flow/follow", "blade-flow/work"
TURNS = 40 if FOLLOWED >= 10_000 else 3
CALL = "test.callsOutside"
FORM = {"components": [{"type": "number", "key": key, "label": key} for key in ("times", "way")]}
PERSON = 'xw:candidates="role:repair_leader"'
TIMES = "<loopCardinality>${form.times}</loopCardinality>"
MANY = f"<multiInstanceLoopCharacteristics>{TIMES}</multiInstanceLoopCharacteristics>"


def _event(name: str, definition: str) -> str:
    """An event beside the task `go`; behind it an operation, a gateway without a default flow, and a loop."""
    return f"""<boundaryEvent id="{name}" attachedToRef="go" cancelActivity="false">{definition}</boundaryEvent>
      <serviceTask id="{name}Calls" name="外部调用" xw:operation="{CALL}"/><exclusiveGateway id="{name}Asks"/>
      <userTask id="{name}Many" name="逐个确认" {PERSON}>{MANY}</userTask><endEvent id="{name}End"/>
      <sequenceFlow id="{name}1" sourceRef="{name}" targetRef="{name}Calls"/>
      <sequenceFlow id="{name}2" sourceRef="{name}Calls" targetRef="{name}Asks"/>
      <sequenceFlow id="{name}3" sourceRef="{name}Asks" targetRef="{name}Many">
        <conditionExpression>${{form.way == 1}}</conditionExpression></sequenceFlow>
      <sequenceFlow id="{name}4" sourceRef="{name}Asks" targetRef="{name}End">
        <conditionExpression>${{form.way == 2}}</conditionExpression></sequenceFlow>
      <sequenceFlow id="{name}5" sourceRef="{name}Many" targetRef="{name}End"/>"""


BODY = f"""<startEvent id="start" xw:form="apply"/><userTask id="go" name="办理" {PERSON}/>
  {_event("clock", "<timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>")}
  {_event("ear", '<messageEventDefinition messageRef="m"/>')}
  <userTask id="many" name="会签" {PERSON}>{MANY}</userTask><endEvent id="done"/>
  <sequenceFlow id="f1" sourceRef="start" targetRef="go"/><sequenceFlow id="f2" sourceRef="go" targetRef="many"/>
  <sequenceFlow id="f3" sourceRef="many" targetRef="done"/>"""

# Every way into an incident: what moves the process, what it holds, which code the incident has, and where.
KINDS = {
    "a step over a limit": ("person", {"times": 500, "way": 2}, "limit", "go"),
    "a timer over a limit": ("timer", {"times": 500, "way": 1}, "limit", "clock"),
    "a timer without a way on": ("timer", {"times": 2, "way": 3}, "expression", "clockAsks"),
    "a timer whose operation fails": ("timer", {"times": 2, "way": 2}, "timer", "clock"),
    "a message without a way on": ("message", {"times": 2, "way": 3}, "expression", "earAsks"),
    "a message whose operation fails": ("message", {"times": 2, "way": 2}, "message", "ear"),
}


class Plant:
    """The processes, and by kind those with an incident."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        xml = document(BODY, forms={"apply": FORM}).replace(b"<process ", b'<message id="m" name="parts"/><process ', 1)
        self.definition = deploy(xml)
        self.broken: dict[str, list[int]] = defaultdict(list)
        self.fails = True
        for kind, _number in zip(cycle(KINDS), range(BROKEN), strict=False):
            self.broken[kind].append(self._start(KINDS[kind][1]))
        self._copy(self._start({"times": 2, "way": 2}), FOLLOWED - BROKEN - 1)

    def call(self, subject: ports.Subject, said: ports.EffectInput) -> None:
        """Fail in those processes that are to fail, until the cause is gone."""
        if self.fails and any(subject.business_id in self.broken[kind] for kind in KINDS if kind.endswith("fails")):
            raise ConnectionError("on purpose")

    def all_broken(self) -> set[int]:
        """Return the processes with an incident."""
        return {pk for several in self.broken.values() for pk in several}

    def moved_by(self, mover: str) -> list[int]:
        return [pk for kind, several in self.broken.items() if KINDS[kind][0] == mover for pk in several]

    def break_all(self) -> None:
        """Let each come to its incident in its own way."""
        for pk in self.moved_by("person"):
            assert self.go(pk)["error"] == "workflow.parked"
        Timer.objects.filter(instance_id__in=self.moved_by("timer")).update(due_time=datetime.now(UTC))
        with tenant_scope(A):
            for pk, task in Waiting.objects.filter(instance__in=self.moved_by("message")).values_list(
                "instance", "engine_task"
            ):
                copy = {"instance": pk, "tasks": [task], "message": "parts", "key": "", "hops": 1}
                OutboxMessage.objects.create(tenant_id=A, topic="process.message", payload=copy)
        for _attempt in range(5):
            self.work()

    def work(self) -> None:
        """Do as the worker does, an hour later."""
        sweep.fire_due(limit=FOLLOWED, now=datetime.now(UTC) + timedelta(hours=1))
        OutboxMessage.objects.update(due_time=datetime.now(UTC))
        outbox.deliver_due(limit=FOLLOWED)

    def go(self, pk: int) -> Any:
        """Complete the step of the process."""
        with tenant_scope(A):
            task = WorkItem.objects.get(instance=pk, node="go").pk
        leader = self.cast.client_for("repair_leader")
        return leader.post_json(f"{WORK}/complete-task", {"taskId": str(task), "flag": "ok"})

    def _start(self, form: dict[str, int]) -> int:
        body = {"processDefinitionId": str(self.definition.pk), "variables": form}
        started = self.cast.client_for("operator").post_json(f"{WORK}/start-process", body)
        assert started.status == 200, started
        pk = int(started.data["processInstanceId"])
        Timer.objects.filter(instance_id=pk).update(due_time=datetime.now(UTC) + timedelta(days=30))
        return pk

    def _copy(self, pk: int, number: int) -> None:
        """Copy what is stored of one process that runs without a fault."""
        with tenant_scope(A):
            models: tuple[Any, ...] = (ProcessInstance, WorkItem, Timer, Waiting)
            [instance], *others = (
                list(model.objects.filter(**{"pk" if model is ProcessInstance else "instance_id": pk}))
                for model in models
            )
            rows: dict[Any, list[Any]] = {model: [] for model in models}
            for place in range(number):
                own = _copied(instance, business_no=f"N{place}")
                own.business_id = own.pk
                rows[ProcessInstance].append(own)
                for row in (row for several in others for row in several):
                    more = {"business_id": own.pk} if isinstance(row, WorkItem) else {}
                    rows[type(row)].append(_copied(row, instance_id=own.pk, **more))
            for model, several in rows.items():
                model.objects.bulk_create(several, batch_size=500)
            queues.moved(entered=[item.pool for item in rows[WorkItem]])


def _copied(row: Any, **other: Any) -> Any:
    values = {field.attname: getattr(row, field.attname) for field in row._meta.fields}
    return type(row)(**{**values, "id": next_id(), **other})


@pytest.fixture
def plant(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Plant:
    """Return a company with processes of which some have an incident."""
    holder: list[Plant] = []
    entry = replace(ports.common["message.send"], name=CALL, parameters=(), run=lambda *said: holder[0].call(*said))
    monkeypatch.setitem(ports.common, CALL, entry)
    for log in ("xunwei.timers", "xunwei.outbox"):  # each failure is logged with its trace
        monkeypatch.setattr(logging.getLogger(log), "disabled", True)
    holder.append(Plant(cast))
    holder[0].break_all()
    return holder[0]


def _found(caller: Caller, **asked: Any) -> set[int]:
    """Return the ids of all pages."""
    found: list[int] = []
    while True:
        answer = caller.get(f"{FOLLOW}/list", size=100, current=len(found) // 100 + 1, **asked).data
        found += [int(row["id"]) for row in answer["records"]]
        if len(answer["records"]) < 100:
            assert (answer["total"], len(set(found))) == (len(found), len(found)), asked
            return set(found)


def _repair(caller: Caller, asked: dict[str, Any]) -> int:
    """Retry all that the filters find, a request after the other, and compare each with its preview."""
    done = 0
    while True:
        before = checksum(A) if FOLLOWED < 1000 else {}
        told = caller.post_json(f"{FOLLOW}/bulk", {"act": "retry", "isPreview": True, **asked}).data
        assert before == (checksum(A) if FOLLOWED < 1000 else {})
        if not told["records"]:
            return done
        ids = ",".join(row["processInstanceId"] for row in told["records"])
        assert caller.post_json(f"{FOLLOW}/bulk", {"act": "retry", "ids": ids}).data == {**told, "left": 0}
        done += int(told["done"])


@pytest.mark.timeout(3600)
def test_all_are_found_and_repaired_as_the_preview_said(plant: Plant) -> None:
    designer = plant.cast.client_for("flow_designer")
    assert _found(designer, state="parked") == plant.all_broken()
    assert len(_found(designer)) == FOLLOWED
    by_code: dict[str, set[int]] = defaultdict(set)
    for kind, (_mover, _form, code, node) in KINDS.items():
        by_code[code] |= set(plant.broken[kind])
        assert set(plant.broken[kind]) <= _found(designer, parkCode=code, node=node, state="parked"), kind
    for code, several in by_code.items():
        assert _found(designer, parkCode=code) == several, code
    counts = designer.get(f"{FOLLOW}/counts").data
    assert (counts["running"], counts["parked"]) == (FOLLOWED, BROKEN)
    assert {row["code"]: row["count"] for row in counts["reasons"]} == {
        code: len(several) for code, several in by_code.items()
    }
    # The causes go: the values that no way fits, and the operation that fails.
    plant.fails = False
    for kind in ("a step over a limit", "a timer over a limit"):
        for pk in plant.broken[kind]:
            _correct(designer, pk, "times", 2)
    for kind in ("a timer without a way on", "a message without a way on"):
        for pk in plant.broken[kind]:
            _correct(designer, pk, "way", 2)
    begun = time.perf_counter()
    assert sum(_repair(designer, {"parkCode": code, "state": "parked"}) for code in by_code) == BROKEN
    took = time.perf_counter() - begun
    plant.work()
    assert _found(designer, state="parked") == set()
    for pk in plant.moved_by("person"):
        assert plant.go(pk).status == 200
    with tenant_scope(A):
        passed = dict(ProcessInstance.objects.filter(pk__in=plant.all_broken()).values_list("pk", "nodes"))
        for kind, (mover, _form, _code, _node) in KINDS.items():
            ends = {"person": "go", "timer": "clockAsks", "message": "earAsks"}[mover]
            assert {passed[pk].get(ends) for pk in plant.broken[kind]} == {1}, kind
    print(f"\n{FOLLOWED} processes, {BROKEN} incidents repaired with previews in {took:.1f} s ({connection.vendor})")


def _correct(caller: Caller, pk: int, key: str, value: int) -> None:
    body = {"processInstanceId": str(pk), "key": key, "value": value, "reason": "录错"}
    assert caller.post_json(f"{FOLLOW}/correct-value", body).status == 200


@pytest.mark.timeout(3600)
def test_a_page_costs_the_same_whatever_there_is(plant: Plant) -> None:
    designer = plant.cast.client_for("flow_designer")
    for asked in ({}, {"state": "parked"}, {"parkCode": "limit"}, {"node": "go"}, {"state": "suspended"}):
        _count(lambda asked=asked: designer.get(f"{FOLLOW}/list", size=10, **asked))  # what is read once a process
        costs = {
            size: _count(lambda asked=asked, size=size: designer.get(f"{FOLLOW}/list", size=size, **asked))
            for size in (10, 100)
        }
        assert len({str(cost) for cost in costs.values()}) == 1, (asked, costs)
        times = []
        for _turn in range(TURNS):
            begun = time.perf_counter()
            designer.get(f"{FOLLOW}/list", size=20, **asked)
            times.append(1000 * (time.perf_counter() - begun))
        print(f"\n{connection.vendor} {asked or 'all'}: p95 {quantiles(times, n=20)[18]:.0f} ms", end="")
    ids = sorted(plant.broken["a step over a limit"] + plant.broken["a timer over a limit"])  # no step is taken

    def statements(number: int) -> int:
        body = {"act": "retry", "ids": ",".join(map(str, ids[:number])), "isPreview": True}
        with CaptureQueriesContext(connection) as captured:
            assert designer.post_json(f"{FOLLOW}/bulk", body).data["done"] == number
        return len(captured)

    one, two, three = (statements(number) for number in (1, 2, 3))
    assert three - two == two - one
