"""Waking the worker after a commit, by a thread of this process, so that no request waits for the broker."""

from __future__ import annotations

import logging
import threading
import time

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

PAUSE_SECONDS = 0.05
log = logging.getLogger("xunwei.waking")

_jobs: set[str] = set()
_asked = threading.Event()
_thread: threading.Thread | None = None
_starting = threading.Lock()


def wake_worker(job: str) -> None:
    """Wake the worker for this job once the transaction is committed."""
    transaction.on_commit(lambda: _ask(job), robust=True)


def _ask(job: str) -> None:
    global _thread
    _jobs.add(job)
    _asked.set()
    if _thread is None or not _thread.is_alive():
        with _starting:
            if _thread is None or not _thread.is_alive():
                _thread = threading.Thread(target=_run, name="xunwei-wake", daemon=True)
                _thread.start()


def _run() -> None:
    while True:
        _asked.wait()
        _asked.clear()
        while _jobs:
            _wake(_jobs.pop())
        # Whatever is committed meanwhile has one wake-up together.
        time.sleep(PAUSE_SECONDS)


def _wake(job: str) -> None:
    """A nudge only: when it is lost, the sweep finds the row a few seconds later."""
    try:
        current_app.send_task(job, retry=False, expires=10, ignore_result=True)
    except OperationalError as error:
        log.info("no broker to wake the worker (%s); the sweep will find the row", error)
