"""Calls at the same moment, each in a thread and with a connection of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Barrier, Thread
from typing import TypeVar

from django.db import connection

Answer = TypeVar("Answer")


def at_once(calls: Sequence[Callable[[], Answer]]) -> list[Answer]:
    """Make the calls at the same moment; return their answers in the order of arrival."""
    start, answers = Barrier(len(calls)), list[Answer]()

    def run(call: Callable[[], Answer]) -> None:
        try:
            start.wait(30)
            answers.append(call())
        finally:
            connection.close()

    threads = [Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers
