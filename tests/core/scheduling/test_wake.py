"""Waking the worker: by a thread of the process, after the commit, once for whatever came meanwhile."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from core.kernel.tenancy import tenant_scope
from core.scheduling import outbox, waking
from tests.cast import A, Cast

LONG = 20


def _until(condition: Any) -> None:
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_what_is_committed_wakes_the_worker_and_no_request_waits_for_it(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    woken: list[str] = []
    may_go_on = threading.Event()

    def wake(job: str) -> None:
        woken.append(threading.current_thread().name)
        assert may_go_on.wait(LONG)

    monkeypatch.setattr(waking, "_wake", wake)

    def send() -> None:
        with tenant_scope(A), django_capture_on_commit_callbacks(execute=True):
            outbox.send("test", {})

    send()
    _until(lambda: woken)  # the broker keeps the thread, and goes on keeping it
    for _ in range(9):
        send()
    may_go_on.set()
    _until(lambda: len(woken) == 2)
    _until(lambda: not waking._asked.is_set())
    assert woken == ["xunwei-wake", "xunwei-wake"]
    send()
    _until(lambda: len(woken) == 3)


def test_what_is_taken_back_wakes_nobody(cast: Cast, django_capture_on_commit_callbacks: Any) -> None:
    with tenant_scope(A), django_capture_on_commit_callbacks() as callbacks:
        outbox.send("test", {})
    assert len(callbacks) == 1
    assert not waking._asked.is_set()
