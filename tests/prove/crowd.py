"""People who do the same thing at the same moment: threads with a line each, in as many processes as are asked for."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, TypeVar

from tests.prove.wire import Answer, Line

Item = TypeVar("Item")
Share = TypeVar("Share")
CHUNK = 250
"""Items that a process takes at a time, so that none waits long for the others in the end."""


class Crowd:
    """Threads with a connection each, which do the same thing at the same moment, round after round."""

    def __init__(self, port: int, size: int):
        self.size = size
        self.lines = [Line(port) for _ in range(size)]

    def rounds(self, items: Sequence[Item], act: Callable[[Line, int, Item], Answer]) -> list[list[Answer]]:
        """For each item what each of the crowd was answered; `act` gets the line, its place and the item."""
        answers: list[list[Any]] = [[None] * self.size for _ in items]
        start, failed = threading.Barrier(self.size), []

        def take_part(place: int) -> None:
            try:
                for row, item in zip(answers, items, strict=True):
                    start.wait(120)
                    row[place] = act(self.lines[place], place, item)
            except Exception as error:  # carried to the main thread, where it ends the proof
                failed.append(error)
                start.abort()

        threads = [threading.Thread(target=take_part, args=(place,), daemon=True) for place in range(self.size)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for error in failed:
            if not isinstance(error, threading.BrokenBarrierError):
                raise error
        return answers

    def spread(self, work: Sequence[int], act: Callable[[Line, int], Item]) -> list[Item]:
        """Do the work once, each of the crowd its share; answers what came of each."""
        done: list[Any] = [None] * len(work)

        def take_part(place: int) -> None:
            done[place :: self.size] = [act(self.lines[place], number) for number in work[place :: self.size]]

        threads = [threading.Thread(target=take_part, args=(place,)) for place in range(self.size)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return done


def one_winner(what: str, answers: Sequence[Answer], names: Sequence[str], word: str) -> tuple[int, list[str]]:
    """The winner's place (-1 when there is none), and what is wrong; losers must read `word` and the winner's name."""
    won = [place for place, answer in enumerate(answers) if answer.status == 200]
    if len(won) != 1:
        return -1, [f"{what}: {len(won)} winners, {Counter(answer.status for answer in answers)}"]
    name = names[won[0]]
    false = [
        f"{what}: a loser was answered {answer.status} {answer.body.get('error')} {answer.body['msg']}"
        for answer in answers
        if answer.status != 200
        and (answer.status != 409 or answer.body["error"] != word or name not in answer.body["msg"])
    ]
    return won[0], false


def in_processes(number: int, work: Sequence[Item], take: Callable[[Sequence[Item]], Share]) -> list[Share]:
    """Share the work out to so many client processes, a chunk at a time; `take` must be a function of a module."""
    chunks = [work[place : place + CHUNK] for place in range(0, len(work), CHUNK)]
    with ProcessPoolExecutor(number, mp_context=get_context("spawn")) as pool:
        return list(pool.map(take, chunks))
