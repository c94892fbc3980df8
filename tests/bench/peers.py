"""The peers' two-step work, ours beside a thin Node server: a lower bound of what "BPMN and durable state" can cost.

An instance as its people see it: an employee starts it, the manager finds it on the first page of the list and agrees,
human resources find it and record it. Both servers have two web processes and a database of their own on the same
PostgreSQL, and are asked in turns.

The thin server is no part of this repository. THIN_NODE names the folder of its `server.js`, with its packages
installed; it listens on PORT, stores in PGDB and knows the people as `Authorization: Token employee`, `manager`, `hr`.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

import orjson

from tests.bench.asking import address, headers, log, requester, statements_of
from tests.bench.installation import Client, Served, between, execute, free_port, server
from tests.bench.steps import COMPLETE

THIN_NODE = "THIN_NODE"
START = "/api/blade-flow/work/start-process"
GOAL_CPU = 60
"""Milliseconds on a core, web server and database together, for an instance."""
MOST = {"start": 12, "list": 6, "complete": 18}
"""Statements of a call."""
WEB_PROCESSES = 2
CLIENTS = (1, 8)
ASKED = {"days": 3, "reason": "rest"}
SAID: dict[str, dict[str, Any]] = {"manager": {"approved": True, "comment": "ok"}, "hr": {"recorded": True}}
PEOPLE = {"employee": "operator", "manager": "equip_manager", "hr": "viewer"}
"""Who of the cast is who."""


@dataclass
class Peer:
    """A server that can do the work: how its three calls are asked and what they answer."""

    name: str
    served: Served
    database: str
    headers: dict[str, dict[str, str]]
    start: Callable[[Any], tuple[str, Any]]
    """Path and body of a start."""
    started: Callable[[Any], Any]
    """The instance's id in the answer."""
    list: str
    found: Callable[[Any], dict[Any, Any]]
    """Instance → task, of each row of the list's answer."""
    complete: Callable[[Any, Any], tuple[str, Any]]
    """Path and body of the completion of a task."""


@dataclass
class Took:
    """What a round took: milliseconds of each call and of a whole instance, web server and database apart."""

    calls: dict[str, list[float]] = field(default_factory=lambda: {"start": [], "list": [], "complete": []})
    rate: float = 0
    web: float = 0
    database: float = 0


def _live(peer: Peer, client: Client, took: Took) -> None:
    """One instance from its start to its end."""

    def ask(call: str, who: str, path: str, body: Any = None) -> Any:
        began = time.perf_counter()
        answer = client.ask(path, peer.headers[who], None if body is None else orjson.dumps(body))
        took.calls[call].append((time.perf_counter() - began) * 1000)
        return orjson.loads(answer)

    instance = peer.started(ask("start", "employee", *peer.start(ASKED)))
    for who, data in SAID.items():
        task = peer.found(ask("list", who, peer.list))[instance]
        ask("complete", who, *peer.complete(task, data))


def _round(peer: Peer, clients: int, lives: int) -> Took:
    """So many instances by so many clients at once."""
    took, left = Took(), [None] * lives
    failures: list[Exception] = []

    def work() -> None:
        client = Client(peer.served.port)
        while left and not failures:
            try:
                left.pop()
                _live(peer, client, took)
            except Exception as error:  # told by the thread that waits
                failures.append(error)

    web, backends = peer.served.web(), peer.served.backends()
    threads = [threading.Thread(target=work) for _ in range(clients)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took.rate = lives / (time.perf_counter() - began)
    if failures:
        raise failures[0]
    took.web = between(web, peer.served.web()) / lives
    took.database = between(backends, peer.served.backends()) / lives
    return took


def _ours(served: Served) -> Peer:
    """The product, with a model of company A's own."""
    from django.db import connection

    from core.kernel.tenancy import tenant_scope
    from tests import cast
    from tests.workflows.standalone import deploy, two_steps

    with tenant_scope(cast.A):
        definition = str(deploy(two_steps()).pk)

    def complete(task: Any, data: Any) -> tuple[str, Any]:
        return COMPLETE, {"taskId": task, "flag": "ok", "comment": "ok", "variables": data}

    return Peer(
        name="ours",
        served=served,
        database=str(connection.settings_dict["NAME"]),
        headers={who: headers(account) for who, account in PEOPLE.items()},
        start=lambda data: (
            "/api/blade-flow/work/start-process",
            {"processDefinitionId": definition, "variables": data},
        ),
        started=lambda answer: answer["data"]["processInstanceId"],
        list=address("blade-flow/work/claim-list", {"current": 1, "size": 25}),
        found=lambda answer: {row["processInstanceId"]: row["taskId"] for row in answer["data"]["records"]},
        complete=complete,
    )


@contextmanager
def _thin(folder: Path) -> Iterator[Peer]:
    """The thin server, on a database of its own."""
    url = urlsplit(os.environ["DATABASE_URL"])
    name = f"xunwei_bench_thin_{secrets.token_hex(4)}"
    whole = urlunsplit(url._replace(path="/postgres"))
    port = free_port()
    environ = {
        **os.environ, "PORT": str(port), "WORKERS": str(WEB_PROCESSES), "PGDB": name, "PGHOST": url.hostname or "",
        "PGPORT": str(url.port or 5432), "PGUSER": unquote(url.username or ""),
        "PGPASSWORD": unquote(url.password or ""),
    }  # fmt: skip
    execute(whole, f'CREATE DATABASE "{name}"')
    process = subprocess.Popen(["node", "server.js"], cwd=folder, env=environ)
    try:
        yield Peer(
            name="thin",
            served=Served(port, process.pid, name),
            database=name,
            headers={who: {"Authorization": f"Token {who}", "Content-Type": "application/json"} for who in PEOPLE},
            start=lambda data: ("/instances", {"data": data}),
            started=lambda answer: int(answer["id"]),
            list="/tasks?page_size=25",
            found=lambda answer: {row["instance"]: row["id"] for row in answer["results"]},
            complete=lambda task, data: (f"/tasks/{task}/complete", {"data": data}),
        )
    finally:
        process.terminate()
        process.wait()
        execute(whole, f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def _size(peer: Peer) -> int:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(%s)", [peer.database])
        return int(cursor.fetchone()[0])


@dataclass(frozen=True)
class Measured:
    """What a peer took in all rounds with so many clients at once."""

    name: str
    clients: int
    rounds: list[Took]

    def middle(self, value: Callable[[Took], float]) -> float:
        """The median of the rounds."""
        return median(value(one) for one in self.rounds)

    def part(self, call: str, share: float) -> float:
        """So much of all these calls were answered within so many milliseconds."""
        times = sorted(time for one in self.rounds for time in one.calls[call])
        return times[min(len(times) - 1, int(share * len(times)))]


def statements() -> dict[str, int]:
    """What our three calls say to the database, asked in this process."""
    peer = _ours(Served(0, 0, ""))
    senders = {who: requester(account) for who, account in PEOPLE.items()}
    asked: dict[str, int] = {}

    def ask(call: str, who: str, path: str, body: Any = None) -> Any:
        answers: list[bytes] = []
        asked[call] = statements_of(log(lambda: answers.append(senders[who](path, body))))
        return orjson.loads(answers[0])

    for _again in range(2):  # the first time caches of the rights and of the model are filled
        instance = peer.started(ask("start", "employee", *peer.start(ASKED)))
        for (who, data), nth in zip(SAID.items(), ("first", "last"), strict=True):
            task = peer.found(ask("list", who, peer.list))[instance]
            ask(f"complete {nth}", who, *peer.complete(task, data))
    return asked


def measure(rounds: int, lives: int) -> tuple[list[Measured], dict[str, float]]:
    """Let both servers do the work in turns; the second answer is what each stores for an instance, in bytes."""
    folder = Path(os.environ[THIN_NODE])
    measured, stored = [], {}
    with server([], workers=WEB_PROCESSES, threads=2) as served, _thin(folder) as thin:
        peers = (_ours(served), thin)
        for peer in peers:
            _round(peer, max(CLIENTS), 3 * max(CLIENTS))
        before = [_size(peer) for peer in peers]
        for clients in CLIENTS:
            turns = [[_round(peer, clients, lives) for peer in peers] for _ in range(rounds)]
            for peer, took in zip(peers, zip(*turns, strict=True), strict=True):
                measured.append(Measured(peer.name, clients, list(took)))
        for peer, size in zip(peers, before, strict=True):
            stored[peer.name] = (_size(peer) - size) / (len(CLIENTS) * rounds * lives)
    return measured, stored


def show_statements(said: dict[str, int]) -> None:
    """Print how many they are."""
    most = ", ".join(f"{call} {number}" for call, number in MOST.items())
    met = all(number <= MOST[call.partition(" ")[0]] for call, number in said.items())
    found = ", ".join(f"{call} {number}" for call, number in said.items())
    print(f"\nStatements of the two-step work; goal: {most}")
    print(f"  {found}  {'ok' if met else 'NOT MET'}")


def show(measured: list[Measured], stored: dict[str, float]) -> None:
    """Print the table."""
    print(f"\nThe same work on postgresql, {WEB_PROCESSES} web processes, beside thin Node; goal: {GOAL_CPU} core ms")
    print("  clients       instances/s   start p50/p99    list p50/p99     complete p50/p99  core ms web + database")
    for clients in CLIENTS:
        pair = [one for one in measured if one.clients == clients]
        for one in pair:
            calls = "".join(f"{one.part(call, 0.5):8.1f}/{one.part(call, 0.99):<8.1f}" for call in Took().calls)
            web, database = one.middle(lambda took: took.web), one.middle(lambda took: took.database)
            good = "" if one.name != "ours" else "  ok" if web + database <= GOAL_CPU else "  NOT MET"
            rate = one.middle(lambda took: took.rate)
            print(f"  {clients:<7} {one.name:<5} {rate:11.1f} {calls} {web:6.1f} + {database:.1f}{good}")
        faster, dearer = (
            pair[0].middle(value) / pair[1].middle(value)
            for value in (lambda took: took.rate, lambda took: took.web + took.database)
        )
        print(f"  {clients:<7} ours to thin: {faster:.2f} times the rate, {dearer:.2f} times the cores")
    print("  Bytes stored for an instance: " + ", ".join(f"{name} {size:.0f}" for name, size in stored.items()))
