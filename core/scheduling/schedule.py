"""Scheduled jobs: which there are, when they are due, and their runs.

The database is the truth: a job that is due gets a row for its run, once for each moment, however many schedulers look;
a row is claimed by one worker, and one whose worker was killed is taken over when its lease has ended.
"""

from __future__ import annotations

import logging
import socket
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import inf
from types import MappingProxyType
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from core import ports
from core.identity.models import Tenant, User
from core.kernel import clock
from core.kernel.actor import acting, system
from core.kernel.tenancy import PLATFORM, tenant_scope
from core.kernel.texts import both, label
from core.scheduling import cron
from core.scheduling.models import (
    BlockStrategy,
    JobGroup,
    JobLogStatus,
    JobStatus,
    Misfire,
    ScheduleJob,
    ScheduleLog,
    ScheduleType,
    TenantScope,
    TriggerType,
)
from core.scheduling.waking import wake_worker

SWEEP = "jobs.sweep"
LATE = timedelta(seconds=60)
"""What is due for longer has been missed, because no scheduler was there."""
TAKEOVERS = 1
"""How often a run whose worker was killed is begun anew."""
_MOST_LOGS_DETAIL = 20_000
log = logging.getLogger("xunwei.jobs")


@dataclass(frozen=True)
class Counts:
    """What a job has done for a company."""

    handled: int = 0
    created: int = 0
    skipped: int = 0
    failed: int = 0
    note: str = ""
    """What whoever reads the log should know of this company, such as what was left out and why."""

    def plus(self, other: Counts) -> Counts:
        """Return both together."""
        return Counts(
            self.handled + other.handled,
            self.created + other.created,
            self.skipped + other.skipped,
            self.failed + other.failed,
        )


@dataclass(frozen=True)
class JobParameter:
    """A whole number that a job may be told; where nobody says one, the setting of each company counts."""

    name: str
    """In calls."""
    argument: str
    """Of the job's function."""
    label: Any
    least: int
    most: int


@dataclass(frozen=True)
class Job:
    """A job of the product. It is run for each company in its scope, by the system, and may be run twice."""

    code: str
    name: Any
    """What it is called: a `label`."""
    does: Any
    """A sentence that says what it does: a `label`."""
    group: JobGroup
    cron: str
    run: Callable[..., Counts]
    parameters: tuple[JobParameter, ...] = ()

    def arguments(self, params: Mapping[str, int]) -> dict[str, int]:
        """Return what its function is called with."""
        return {one.argument: params[one.name] for one in self.parameters if params.get(one.name) is not None}


jobs: dict[str, Job] = {}
"""By code; applications register theirs when they are ready."""


def register(job: Job) -> None:
    """Register a job. Raises ValueError where its code is taken."""
    if job.code in jobs:
        raise ValueError(f"job {job.code} is registered twice")
    cron.read(job.cron)
    jobs[job.code] = job


def install() -> None:
    """Write a row for each job; those that exist keep what people have set, and those of former versions go."""
    now = clock.now()
    known = set(ScheduleJob.objects.values_list("job_code", flat=True))
    rows = [
        ScheduleJob(job_code=code, group=job.group, cron=job.cron) for code, job in jobs.items() if code not in known
    ]
    for row in rows:
        row.next_fire_time = next_of(row, now)
    ScheduleJob.objects.bulk_create(rows, ignore_conflicts=True)  # another worker may install them too
    ScheduleJob.objects.exclude(job_code__in=jobs).delete()


def next_of(row: ScheduleJob, after: datetime) -> datetime:
    """Return when a job is due after a moment. Raises BadCron."""
    if row.schedule_type == ScheduleType.INTERVAL and row.interval_seconds:
        begin = row.next_fire_time or after
        length = timedelta(seconds=row.interval_seconds)
        return begin + length * ((after - begin) // length + 1) if begin <= after else after + length
    return cron.read(row.cron).next_after(after, timezone.get_default_timezone())


# Fires


def fire_due() -> int:
    """Ask for the runs of jobs that are due; return how many. Several schedulers may do so at once."""
    now, asked = clock.now(), 0
    due = ScheduleJob.objects.filter(status=JobStatus.RUNNING, next_fire_time__lte=now, job_code__in=jobs)
    for pk in list(due.order_by("next_fire_time", "pk").values_list("pk", flat=True)):
        with transaction.atomic():
            rows = ScheduleJob.objects.select_for_update(skip_locked=connection.vendor == "postgresql", of=("self",))
            row = rows.filter(pk=pk, status=JobStatus.RUNNING, next_fire_time__lte=now).first()
            if row is not None:
                asked += _fire(row, now)
    return asked


def _fire(row: ScheduleJob, now: datetime) -> int:
    """Ask for the run of a locked job that is due; what was missed before is made up for once, or ignored."""
    due = row.next_fire_time
    assert due is not None
    # The last one that has gone by: looked for backwards, because after a long silence there are many.
    back = LATE
    while now - back > due and next_of(row, now - back) > now:
        back *= 4
    later = next_of(row, max(due, now - back))
    while later <= now:
        due, later = later, next_of(row, later)
    is_on_time = due >= now - LATE
    ScheduleJob.objects.filter(pk=row.pk).update(next_fire_time=later)
    if not is_on_time and row.misfire == Misfire.IGNORE:
        log.info("job %s was due at %s, when nobody was there", row.job_code, due)
        return 0
    trigger = TriggerType.SCHEDULE if is_on_time else TriggerType.CATCH_UP
    fire = ScheduleLog(job=row, due_time=due, trigger_type=trigger, params=row.params)
    if blocked := _blocked(row):
        fire.status, fire.end_time, fire.message = JobLogStatus.SKIPPED, now, blocked
    ScheduleLog.objects.bulk_create([fire], ignore_conflicts=True)
    wake_worker(SWEEP)
    return int(not blocked)


def _open(row: ScheduleJob) -> list[ScheduleLog]:
    return list(ScheduleLog.objects.filter(job=row, status=JobLogStatus.RUNNING).only("start_time"))


def _blocked(row: ScheduleJob) -> str:
    """Return why a run that is due now is left out; empty where it is not."""
    there = _open(row)
    if there and (row.block_strategy == BlockStrategy.DISCARD or any(one.start_time is None for one in there)):
        return "上一次执行尚未结束 / The last run has not ended"
    return ""


class Busy(Exception):
    """A run of the job has not ended, and no other one may wait for it."""


def ask(
    row: ScheduleJob, operator_id: int | None, tenant_id: str, params: Mapping[str, int] = MappingProxyType({})
) -> ScheduleLog:  # fmt: skip
    """Ask for a run of a locked job now, for all companies or one; `params` count for this run alone. Raises Busy."""
    if _blocked(row):
        raise Busy()
    fire = ScheduleLog(
        job=row, due_time=clock.now(), trigger_type=TriggerType.BY_HAND, operator_id=operator_id, tenant_id=tenant_id,
        params={**row.params, **params},
    )  # fmt: skip
    fire.save()
    wake_worker(SWEEP)
    return fire


# Runs


def sweep(seconds: float = inf) -> int:
    """Fire what is due and run what waits, for about so many seconds; return how many runs ended."""
    begun, ended = time.monotonic(), 0
    install_missing()
    fire_due()
    take_over()
    while (fire := claim()) is not None:
        ended += run(fire)
        if time.monotonic() - begun >= seconds:
            wake_worker(SWEEP)
            break
    return ended


def install_missing() -> None:
    """Install jobs that an update has brought, where nobody has set it up anew."""
    if set(jobs) != set(ScheduleJob.objects.values_list("job_code", flat=True)):
        with transaction.atomic():
            install()


def claim() -> ScheduleLog | None:
    """Take the run that waits for longest and may begin, for as long as its job's time limit; None without one."""
    waiting = ScheduleLog.objects.filter(status=JobLogStatus.RUNNING, start_time=None, job__job_code__in=jobs)
    for pk, job_id in list(waiting.order_by("due_time", "pk").values_list("pk", "job_id")):
        with transaction.atomic():
            rows = ScheduleJob.objects.select_for_update(skip_locked=connection.vendor == "postgresql", of=("self",))
            job = rows.filter(pk=job_id).first()
            busy = ScheduleLog.objects.filter(job=job_id, status=JobLogStatus.RUNNING, start_time__isnull=False)
            if job is None or busy.exists():
                continue
            now = clock.now()
            mine = ScheduleLog.objects.filter(pk=pk, status=JobLogStatus.RUNNING, start_time=None)
            lease = now + timedelta(seconds=job.timeout_seconds)
            if mine.update(start_time=now, lease_until=lease, server=socket.gethostname()[:60]):
                ScheduleJob.objects.filter(pk=job_id).update(last_fire_time=now)
                return ScheduleLog.objects.select_related("job").get(pk=pk)
    return None


@dataclass
class _Run:
    """What a run has done so far."""

    counts: Counts = field(default_factory=Counts)
    lines: list[str] = field(default_factory=list)
    first_error: str = ""


def run(fire: ScheduleLog) -> int:
    """Carry out a claimed run, company after company; return 1 where its end was noted here.

    A company's error does not stop the others. When the time limit has passed it ends with what is done by then.
    """
    job, done = jobs[fire.job.job_code], _Run()
    begun = time.monotonic()
    is_late = False
    for tenant_id in tenants_of(fire):
        if time.monotonic() - begun >= fire.job.timeout_seconds:
            is_late = True
            break
        _run_for(tenant_id, job, fire.params, done)
    ended = JobLogStatus.FAILED if done.first_error else JobLogStatus.SUCCEEDED
    status = JobLogStatus.TIMED_OUT if is_late else ended
    return _end(fire, status, done, round((time.monotonic() - begun) * 1000))


def tenants_of(fire: ScheduleLog) -> list[str]:
    """Return the companies that a run is for."""
    if fire.tenant_id != PLATFORM:
        return [fire.tenant_id]
    rows = Tenant.objects.order_by("tenant_id").values_list("tenant_id", flat=True)
    if fire.job.tenant_scope == TenantScope.CHOSEN:
        rows = rows.filter(tenant_id__in=fire.job.tenant_ids)
    return list(rows)


def _run_for(tenant_id: str, job: Job, params: Mapping[str, int], done: _Run) -> None:
    try:
        with tenant_scope(tenant_id), acting(system(tenant_id)):
            found = job.run(**job.arguments(params))
    except Exception as error:  # the worker loop: one company's trouble does not stop the others
        log.exception("job %s failed for tenant %s", job.code, tenant_id)
        done.first_error = done.first_error or f"{tenant_id} {type(error).__name__}: {error}"[:500]
        done.lines.append(f"{tenant_id} {''.join(traceback.format_exception(error))}")
        found = Counts(failed=1)
    else:
        done.lines.append(
            f"{tenant_id} handled={found.handled} created={found.created} skipped={found.skipped} failed={found.failed}"
            + (f" | {found.note}" if found.note else "")
        )
    done.counts = done.counts.plus(found)


def _end(fire: ScheduleLog, status: JobLogStatus, done: _Run, cost: int) -> int:
    """Note the end of a run that is still ours; whoever lost it notes nothing."""
    now = clock.now()
    counts = done.counts
    values: dict[str, Any] = {
        "status": status, "end_time": now, "cost_ms": cost, "handled": counts.handled, "created": counts.created,
        "skipped": counts.skipped, "failed": counts.failed, "message": done.first_error,
        "detail": "\n".join(done.lines)[:_MOST_LOGS_DETAIL], "lease_until": None,
    }  # fmt: skip
    with transaction.atomic():
        mine = ScheduleLog.objects.filter(pk=fire.pk, status=JobLogStatus.RUNNING, lease_until=fire.lease_until)
        if not mine.update(**values):
            return 0
        _after(fire, status, done.first_error, fire.job.retry_count)
    return 1


def take_over() -> int:
    """End runs whose lease has passed, because their worker was killed, and ask for them anew; return how many."""
    now, found = clock.now(), 0
    lost = ScheduleLog.objects.filter(status=JobLogStatus.RUNNING, lease_until__lte=now).select_related("job")
    for fire in lost:
        with transaction.atomic():
            mine = ScheduleLog.objects.filter(pk=fire.pk, status=JobLogStatus.RUNNING, lease_until=fire.lease_until)
            text = "执行进程已中断 / The worker was lost"
            if mine.update(status=JobLogStatus.TIMED_OUT, end_time=now, lease_until=None, message=text):
                found += 1
                _after(fire, JobLogStatus.TIMED_OUT, text, max(TAKEOVERS, fire.job.retry_count))
    return found


def _after(fire: ScheduleLog, status: JobLogStatus, text: str, retries: int) -> None:
    """Note the result at the job; what did not succeed is tried again, or told to whoever wants to know."""
    ScheduleJob.objects.filter(pk=fire.job_id).update(last_result=status)
    if status == JobLogStatus.SUCCEEDED:
        return
    if fire.attempt <= retries:
        again = ScheduleLog(
            job=fire.job, tenant_id=fire.tenant_id, due_time=fire.due_time, trigger_type=TriggerType.RETRY,
            attempt=fire.attempt + 1, operator_id=fire.operator_id, params=fire.params,
        )  # fmt: skip
        again.save()
        wake_worker(SWEEP)
        return
    _alarm(fire, status, text)


_FAILED = label("定时任务失败", "Scheduled job failed")


def _alarm(fire: ScheduleLog, status: JobLogStatus, text: str) -> None:
    """Tell the people whom the job names that a run did not succeed."""
    if not fire.job.alarm_user_ids:
        return
    with tenant_scope(PLATFORM), acting(system(PLATFORM)):
        active = User.objects.filter(pk__in=fire.job.alarm_user_ids, is_enabled=True)
        (zh, en), (word, word_en) = both(jobs[fire.job.job_code].name), both(status.label)
        ports.messages.send(
            list(active.values_list("pk", flat=True)),
            both(_FAILED),
            (f"{zh} {word} {text}"[:300], f"{en} {word_en} {text}"[:300]),
            "schedulejob",
            fire.job_id,
        )


def start(row: ScheduleJob) -> bool:
    """Let a locked job be run by time from now on; False where it is already. Raises BadCron."""
    if row.status == JobStatus.RUNNING:
        return False
    row.next_fire_time = None
    following = next_of(row, clock.now())
    return bool(row.change({"status": JobStatus.RUNNING, "next_fire_time": following}))


def stop(row: ScheduleJob) -> bool:
    """Let a locked job be run by time no more; a run that has begun is left to end."""
    return bool(row.change({"status": JobStatus.STOPPED, "next_fire_time": None}))


def is_running(ids: Iterable[int]) -> Mapping[int, int]:
    """Return by job how many runs of it have not ended; one statement."""
    found: dict[int, int] = {}
    rows = ScheduleLog.objects.filter(job__in=list(ids), status=JobLogStatus.RUNNING).values_list("job_id", flat=True)
    for pk in rows:
        found[pk] = found.get(pk, 0) + 1
    return found
