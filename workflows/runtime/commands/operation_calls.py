"""Operations that answer later: the worker asks them after the commit of the step, and gives the process the answer.

Each is asked outside of every transaction, in a thread beside others; a lease on its row keeps other workers away.
The answer is stored first, and given to the process in a transaction of its own, so that a worker that is killed in
between asks nobody twice. One that is killed before asks again, with the same delivery key.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from math import inf
from typing import Any

from django.db import transaction

from core import ports
from core.kernel.actor import Actor, acting, system
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Invalid, Refusal
from core.kernel.operation import SYSTEM, operation
from core.kernel.tenancy import tenant_scope
from core.scheduling import leases, turns
from workflows import engine
from workflows.runtime.definitions import library, service_tasks
from workflows.runtime.execution import driver
from workflows.runtime.rows import incidents
from workflows.runtime.rows.operation_calls import AT_ONCE, CALLS, storable
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.messages.models import OperationCall

LEASE = timedelta(seconds=60)
"""Longer than any operation may take."""
SOON = timedelta(seconds=1)
MAX_ANSWER = 64_000
"""Characters of what is kept of an answer."""
log = logging.getLogger("xunwei.operations")


class _Incident(Exception):
    """What goes wrong in the same way however often it is tried, with its cause."""

    def __init__(self, reason: incidents.Reason) -> None:
        super().__init__(reason.text_en)
        self.reason = reason


@dataclass(frozen=True)
class _Request:
    """An operation that is to be asked."""

    row: OperationCall
    ask: Callable[[], Mapping[str, Any]]


def sweep(seconds: float = inf) -> int:
    """Ask what is due and give the processes the answers, the tenants in turns; answers how many processes went on."""
    done, end = 0, time.monotonic() + seconds
    with leases.alone("operations") as is_alone:
        while is_alone and time.monotonic() < end:
            requests: list[_Request] = []
            taken = turns.go_round(CALLS, partial(_take_one, requests), AT_ONCE, seconds=seconds)
            _ask(requests)
            given = sum(_guarded(one.row, _store) and _guarded(one.row, _give) for one in requests)
            done += taken + given
            if not requests and not taken:
                break
    return done


def _take_one(requests: list[_Request], tenant_id: str) -> turns.Taken | None:
    """Take the tenant's next call: prepare it to be asked, or give the process the answer that is stored already."""
    row = leases.claim(CALLS, tenant_id, LEASE)
    if row is None:
        return None
    if row.answer is not None:
        return turns.Taken(is_done=_guarded(row, _give))
    _guarded(row, partial(_prepare, requests))
    return turns.Taken(is_done=False)


def _guarded(row: OperationCall, act: Callable[[OperationCall], bool]) -> bool:
    """Do something with a call that is held; whatever goes wrong is tried again later, and then is an incident."""
    with tenant_scope(row.tenant_id), acting(system(row.tenant_id)):
        try:
            return act(row)
        except leases.Lost:
            log.info("operation call %s was taken by another worker, or waits no longer", row.pk)
        except driver.Busy:
            _later(row)
        except Exception as error:  # the worker loop: one bad call must not stop the others
            log.warning("operation call %s failed", row.pk, exc_info=not isinstance(error, _Incident | _Unanswered))
            _put_off(row, error)
    return False


def _prepare(requests: list[_Request], row: OperationCall) -> bool:
    """Note how the operation is asked; nothing is asked for what has ended or stands still."""
    with transaction.atomic():
        if not _is_running(row):
            return _drop(system(row.tenant_id), row)
        try:
            instance = driver.lock_free(row.instance_id)
        except driver.Still:
            return _sleep(row)
        common = ports.common.get(row.operation)
        if common is None or common.ask is None:
            zh, en = f"操作“{row.operation}”不存在", f"The operation “{row.operation}” does not exist"
            raise _Incident(incidents.Reason("operation", zh, en, row.node))
        try:
            subject, said, given = driver.requested(instance, row.engine_task, row.operation, row.given)
        except engine.TaskNotOpen:
            return _drop(system(row.tenant_id), row)
        if row.given is None:
            row.given = storable(given)
            row.save(update_fields=["given"])
        try:
            said = common.prepare(said) if common.prepare is not None else said
        except ports.NotReady as error:
            raise _Incident(incidents.Reason("operation", error.zh, error.en, row.node)) from None
    requests.append(_Request(row, partial(common.ask, subject, said, row.delivery_key)))
    return False


def _ask(requests: list[_Request]) -> None:
    """Ask all of them at once, and note in the rows what came of it."""
    with ThreadPoolExecutor(max_workers=AT_ONCE) as pool:
        for one, answer in [(one, pool.submit(one.ask)) for one in requests]:
            try:
                one.row.answer = {"values": storable(dict(answer.result()))}
            except ports.BusinessError as error:
                one.row.answer = {"error": error.code}
            except Exception as error:  # the operation's own; it is tried again
                one.row.answer = {"failed": f"{type(error).__name__}: {error}"[:500]}


def _store(row: OperationCall) -> bool:
    """Store the answer that has just come; whether there is one to give. In a transaction of its own, for kills."""
    answer: Mapping[str, Any] = row.answer or {}
    if "failed" in answer:
        row.answer = None
        raise _Unanswered(answer["failed"])
    try:
        leases.move(row, datetime.now(UTC) + LEASE, answer=answer)
    except leases.Lost:
        if OperationCall.objects.filter(pk=row.pk).exists():
            raise
        return _drop(system(row.tenant_id), row)  # the process went on without it
    return True


def _give(row: OperationCall) -> bool:
    """Give the process the answer that is stored; whether that went on."""
    answer: Mapping[str, Any] = row.answer or {}
    with transaction.atomic():
        held = OperationCall.objects.select_for_update().filter(pk=row.pk).first()
        if held is None:
            return _drop(system(row.tenant_id), row)
        if held.due_time != row.due_time:
            raise leases.Lost()
        return _go_on(system(row.tenant_id), row, answer)


class _Unanswered(Exception):
    """The operation did not answer."""


@operation("operation.answer", code=SYSTEM)
def _go_on(actor: Actor, row: OperationCall, answer: Mapping[str, Any]) -> bool:
    """Let the process go on with the answer, or record in the history that nobody waits for it any longer."""
    entry = current_entry()
    entry.instance_id, entry.node, entry.remark = row.instance_id, row.node, row.operation
    if not _is_running(row):
        return _dropped(row)
    try:
        instance = driver.lock_free(row.instance_id)
        if "error" in answer:
            entry.operation, entry.remark = "operation.fail", f"{row.operation}（{answer['error']}）"
            driver.fail(instance, row.engine_task, row.node, answer["error"], actor)
        else:
            driver.answer(instance, row.engine_task, row.node, answer["values"], actor)
    except driver.Still:
        entry.nothing_happened = True
        return _sleep(row)
    except engine.TaskNotOpen:
        return _dropped(row)
    return True


@operation("operation.drop", code=SYSTEM)
def _drop(actor: Actor, row: OperationCall) -> bool:
    """Record that nobody waits for the operation, which is not asked."""
    entry = current_entry()
    entry.instance_id, entry.node, entry.remark = row.instance_id, row.node, row.operation
    return _dropped(row)


def _dropped(row: OperationCall) -> bool:
    entry = current_entry()
    entry.operation = "operation.drop"
    known = ProcessInstance.objects.filter(pk=row.instance_id).values_list("business_type", "business_id").first()
    entry.business_type, entry.business_id = known or ("", None)
    row.delete()
    return False


def _is_running(row: OperationCall) -> bool:
    return bool(ProcessInstance.objects.filter(pk=row.instance_id, status=InstanceStatus.RUNNING).exists())


def _sleep(row: OperationCall) -> bool:
    """Let a call sleep in the transaction that has locked what stands still; whoever resumes that wakes it."""
    row.is_asleep, row.attempts, row.due_time = True, max(0, row.attempts - 1), datetime.now(UTC)
    row.save(update_fields=["is_asleep", "attempts", "due_time"])
    return False


def _later(row: OperationCall) -> None:
    """Try again soon: somebody moves the process right now, and this was no try."""
    held = OperationCall.objects.filter(pk=row.pk, due_time=row.due_time)
    held.update(due_time=datetime.now(UTC) + SOON, attempts=max(0, row.attempts - 1))


def _put_off(row: OperationCall, error: Exception) -> None:
    """Try again later, twice as late each time; after the tries that the model allows it is an incident."""
    with transaction.atomic():
        held = OperationCall.objects.select_for_update().filter(pk=row.pk, due_time=row.due_time).first()
        if held is None:
            return
        found = _tries(row)
        held.attempts = max(1, held.attempts)
        is_last = held.attempts >= found[0] or _is_hopeless(error)
        held.is_parked = is_last
        held.due_time = datetime.now(UTC) + found[1] * 2 ** (held.attempts - 1)
        held.last_error = f"{type(error).__name__.strip('_')}: {error}"[:500]
        if isinstance(incidents.refused_by_engine(error), engine.UncaughtError) or isinstance(error, Invalid):
            held.answer, held.turn = None, held.turn + 1  # it is asked anew, as something else
        held.save(update_fields=["attempts", "is_parked", "due_time", "last_error", "answer", "turn"])
    if is_last:
        incidents.raise_incident(row.tenant_id, row.instance_id, None, _reason(row, error))


def _is_hopeless(error: Exception) -> bool:
    told = incidents.refused_by_engine(error)
    return isinstance(error, _Incident | Invalid) or isinstance(told, engine.LimitReached | engine.UncaughtError)


def _tries(row: OperationCall) -> tuple[int, timedelta]:
    """Return how often the model lets the operation be tried, and the first pause."""
    definition_id = ProcessInstance.objects.values_list("definition_id", flat=True).get(pk=row.instance_id)
    node = library.specification(definition_id).nodes[row.node]
    attempts, pause = service_tasks.attempts(node), service_tasks.pause(node)
    assert attempts is not None
    assert pause is not None
    return attempts, pause


def _reason(row: OperationCall, error: Exception) -> incidents.Reason:
    if isinstance(error, _Incident):
        return error.reason
    if isinstance(error, Invalid):
        names = ", ".join(error.data["fields"])
        zh = f"操作“{row.operation}”返回的值不符合字段：{names}"
        en = f"What the operation “{row.operation}” answered does not fit the fields: {names}"
        return incidents.Reason("operation", zh, en, row.node)
    why = str(error.text) if isinstance(error, Refusal) else str(error)
    zh = f"操作“{row.operation}”多次失败：{why}"
    en = f"The operation “{row.operation}” failed several times: {why}"
    return incidents.reason_of(error, row.node, "operation", zh, en)
