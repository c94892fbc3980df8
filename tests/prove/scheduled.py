"""The part of the proof of scheduled jobs that runs inside: jobs that are due each minute, on a fast clock."""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

from core.kernel import clock
from core.kernel.texts import label
from core.scheduling import schedule
from core.scheduling.models import (
    BlockStrategy,
    JobGroup,
    JobLogStatus,
    JobStatus,
    Misfire,
    ScheduleJob,
    ScheduleLog,
    TriggerType,
)

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
"""When the clock of the jobs begins."""
LEASE = timedelta(seconds=30)
_LAG = 20
"""Seconds of ours in which processes start, before the clock of the jobs begins."""


def _register(number: int) -> None:
    """Let there be these jobs only; each works for some milliseconds for each company."""

    def work() -> schedule.Counts:
        time.sleep(random.uniform(0, 0.02))
        return schedule.Counts(handled=1)

    schedule.jobs.clear()
    for place in range(number):
        schedule.register(
            schedule.Job(
                f"proof.{place}",
                label("试", "Proof"),
                label("试", "Proof"),
                JobGroup.SYSTEM,
                f"{_second(place)} * * * * ?",
                work,
            )
        )
    schedule.wake_worker = lambda _task: None  # the workers look by themselves


def _second(place: int) -> int:
    """Return the second of each minute at which a job is due."""
    return 1 + place * 2 % 50


def begin(number: int) -> float:
    """Install the jobs; returns when the clock of the jobs begins, in seconds of ours since 1970."""
    _register(number)
    with clock.at(BEGIN):
        schedule.install()
    ScheduleJob.objects.update(
        block_strategy=BlockStrategy.QUEUE, misfire=Misfire.CATCH_UP, timeout_seconds=int(LEASE.total_seconds())
    )
    return time.time() + _LAG


def _run_fast(speed: float, began: float) -> None:
    clock.now = lambda: BEGIN + timedelta(seconds=max(0.0, time.time() - began) * speed)


def _end(fires: int) -> datetime:
    """A moment between the last fires that count and those that follow."""
    return BEGIN + timedelta(minutes=fires) - timedelta(seconds=5)


def _say_begun() -> None:
    sys.stdout.buffer.write(b"begun\n")
    sys.stdout.buffer.flush()


def plan(number: int, fires: int, speed: float, began: float) -> None:
    """Ask for the runs that are due until the last fire."""
    _register(number)
    _run_fast(speed, began)
    _say_begun()
    while clock.now() < _end(fires):
        schedule.fire_due()
        time.sleep(0.05)


def work(number: int, fires: int, speed: float, began: float) -> None:
    """Carry out the runs that wait, until none is left."""
    _register(number)
    _run_fast(speed, began)
    _say_begun()
    while clock.now() < _end(fires) or ScheduleLog.objects.filter(status=JobLogStatus.RUNNING).exists():
        schedule.take_over()
        while (fire := schedule.claim()) is not None:
            schedule.run(fire)
        time.sleep(0.02)


def read(number: int, fires: int, speed: float, began: float) -> dict[str, Any]:
    """Return what came of each fire."""
    rows = list(
        ScheduleLog.objects.filter(due_time__lte=_end(fires)).values_list("job__job_code", "due_time", "status")
    )
    counted = Counter(rows)
    wrong, once = [], 0
    for place in range(number):
        for fire in range(fires):
            due = BEGIN + timedelta(minutes=fire, seconds=_second(place))
            found = counted[(f"proof.{place}", due, JobLogStatus.SUCCEEDED)]
            once += found == 1
            if found != 1:
                states = {
                    status.label: counted[(f"proof.{place}", due, status)]
                    for status in JobLogStatus
                    if counted[(f"proof.{place}", due, status)]
                }
                wrong.append(f"proof.{place} at {due:%H:%M:%S}: {found} successes, {states or 'never asked for'}")
    left = ScheduleLog.objects.filter(status=JobLogStatus.RUNNING).count()
    wrong += [f"{left} runs are open"] if left else []
    running = ScheduleJob.objects.filter(status=JobStatus.RUNNING).count()
    wrong += [f"{running} jobs of {number} are still run by time"] if running != number else []
    return {
        "fires": sum(1 for row in counted if row[2] == JobLogStatus.SUCCEEDED),
        "once": once,
        "taken_over": ScheduleLog.objects.filter(trigger_type=TriggerType.RETRY).count(),
        "wrong": wrong,
    }
