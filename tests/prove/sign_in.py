"""Sign-in under attack, over HTTP behind a proxy that is trusted; on PostgreSQL with two web processes.

* Tabs: 1,000 rotations of one session by 4 tabs, all with the same token at the same moment. None is thrown out.
* Thieves: 500 scripts with a copied refresh token, before, after and between its owner. One pair at most, then both
  are out.
* One account: 10,000 guesses by 64 connections from 1,000 addresses. Five reach the password; its owner gets in.
* Many accounts: one address, 1,000 accounts. Twenty reach a password; honest people elsewhere get in.
* Names: whether an account exists, is locked, disabled or of another company, cannot be read or timed.
* Cost: of one check, and the memory of 200 sign-ins at once.

    python -m tests.prove.sign_in --database sqlite --scale 0.05 --seed 7 --parts tabs,thieves
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import random
import secrets
import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import orjson

from tests.prove.server import Server, running
from tests.prove.table import print_table
from tests.prove.wire import Answer, Line

TABS = 4
GRACE, SURELY_IN = 10.0, 8.0
"""Seconds for which a token just replaced is answered; up to the second figure no clock can be in doubt."""
ATTACKERS, A_PROXY_LESS = 64, "127.0.0.2"
RIGHT_FROM, RIGHT_EVERY = 200, 20
"""From this guess on every so many is the right password: one that reached the password would be let in."""
BURST = 16
AT_ONCE = 200
PATIENCE = 150.0
"""Seconds that one of many at once waits for an answer: who asks again meanwhile only makes the crowd larger."""
MOST_MEGABYTES, MOST_APART = 400, 0.005
REFUSED = {"error_code": 400, "error_description": "用户名或密码错误"}
TOO_MANY = {"error_code": 400, "error_description": "用户登录失败次数过多，请稍后再试"}
OVER = {"error_code": 40002, "error_description": "登录已失效，请重新登录"}
VICTIM, HOME = "operator", "192.0.2.10"
PROXY = {"TRUSTED_PROXIES": "127.0.0.1"}

T = TypeVar("T")
R = TypeVar("R")


@dataclass
class Findings:
    """What the parts found: the rows of the table, and what is wrong."""

    rows: dict[str, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def hold(self, is_so: bool, otherwise: str) -> None:
        """Note a fault unless it is so."""
        if not is_so:
            self.wrong.append(otherwise)


@dataclass(frozen=True)
class Sizes:
    """How much of everything."""

    scale: float

    def __call__(self, full: int, least: int) -> int:
        """This share of the full number, but no fewer than make sense."""
        return max(min(full, least), round(full * self.scale))


@dataclass(frozen=True)
class Proof:
    """What every part needs."""

    server: Server
    size: Sizes
    chance: random.Random
    found: Findings
    ids: Mapping[str, str]
    """Of company A's people, by account."""

    @property
    def password(self) -> str:
        """Everybody's."""
        return str(self.server.known["password"])


def _address(block: int, number: int) -> str:
    """An address of its own for each number; every part of the proof has its block."""
    return f"10.{block}.{number // 250}.{number % 250 + 1}"


def _each(proof: Proof, connections: int, work: Iterable[T], act: Callable[[Line, T], R]) -> list[R]:
    """Do the work over so many connections at once, what comes first first; answers in the order of the work."""
    left, lock = iter(enumerate(work)), threading.Lock()

    def take_part() -> list[tuple[int, R]]:
        line, done = Line(proof.server.port, timeout=PATIENCE), []
        while True:
            with lock:
                place, item = next(left, (-1, None))
            if place < 0:
                line.close()
                return done
            done.append((place, act(line, item)))  # type: ignore[arg-type]

    done: list[tuple[int, R]] = []
    with ThreadPoolExecutor(connections) as pool:
        parts = [pool.submit(take_part) for _connection in range(connections)]
        try:
            for part in parts:
                done += part.result()
        except BaseException:
            left = iter(())  # so that the others end too
            raise
    return [answer for _place, answer in sorted(done, key=lambda pair: pair[0])]


def _milliseconds(times: Sequence[float]) -> str:
    """Median and 95th percentile, to be read."""
    late = statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
    return f"median {statistics.median(times) * 1000:.0f} ms, p95 {late * 1000:.0f} ms"


class Log:
    """The security log of the web processes from now on. It is written before the answer, so it is never behind."""

    def __init__(self, server: Server):
        self._path = server.data_dir / "logs" / "web.log"
        self._from = self._path.stat().st_size

    def reached(self) -> Counter[str]:
        """How many sign-ins of whom were refused after a look at the stored password; by the person's id."""
        found: Counter[str] = Counter()
        with self._path.open("rb") as file:
            file.seek(self._from)
            for line in file:
                _head, mark, facts = line.partition(b"xunwei.security ")
                if mark and (event := orjson.loads(facts))["event"] == "signIn.failed":
                    found[event["user"]] += 1
        return found


# Tabs and thieves


def _works(line: Line, token: str) -> tuple[int, int]:
    answer = line.call("GET", "blade-auth/oauth/user-info", token)
    return answer.status, answer.body["code"]


def _pair(proof: Proof, line: Line, account: str, address: str = "") -> Any:
    """The tokens of somebody who has to be let in."""
    answer = line.token(account, proof.password, address)
    if "refresh_token" not in answer.body:
        raise AssertionError(f"{account} was not let in: {answer.status} {answer.body}")
    return answer.body


def _tabs(proof: Proof) -> None:
    """One session, moved on by four tabs at once; a tab that is refused signs all of them in again."""
    rotations, revocations, differing = proof.size(1000, 50), 0, 0
    lines, start, began = [Line(proof.server.port) for _ in range(TABS)], threading.Barrier(TABS), time.monotonic()
    pair = _pair(proof, lines[0], "tenant_admin")

    def tab(place: int, token: str) -> Any:
        start.wait(60)
        return lines[place].refresh(token).body

    with ThreadPoolExecutor(TABS) as pool:
        for rotation in range(rotations):
            answers = list(pool.map(tab, range(TABS), [pair["refresh_token"]] * TABS))
            refused = [answer for answer in answers if "refresh_token" not in answer]
            if refused:
                revocations += 1
                proof.found.wrong.append(f"rotation {rotation}: {len(refused)} tabs are thrown out: {refused[0]}")
                pair = _pair(proof, lines[0], "tenant_admin")
                continue
            if len({answer["refresh_token"] for answer in answers}) != 1:
                differing += 1
                proof.found.wrong.append(f"rotation {rotation}: the tabs were given different tokens")
            pair = answers[rotation % TABS]
    if not revocations:
        states = {_works(line, answer["access_token"]) for line, answer in zip(lines, answers, strict=True)}
        proof.found.hold(states == {(200, 200)}, f"after the rotations the tabs' tokens answer {states}")
        rows = proof.server.ask("sessions", "tenant_admin")
        proof.found.hold(rows == [[rotations, True]], f"after {rotations} rotations the session stands at {rows}")
    proof.found.rows[f"A3 {rotations} rotations by {TABS} tabs"] = (
        f"{revocations} false revocations, {differing} times different tokens, {time.monotonic() - began:.0f} s"
    )


@dataclass
class Script:
    """A session whose refresh token is copied, and who uses which token when: moves in blocks, with a pause between.

    O: the owner uses the newest token the owner has; T: the thief uses the copied one, or where the thief goes on, the
    newest the thief has; B: both use what they have at the same moment.
    """

    number: int
    rotations: int
    """So many by the owner before the token is copied."""
    goes_on: bool
    blocks: Sequence[str]
    chain: list[str] = field(default_factory=list)
    """The session's refresh tokens that were handed out, each once; the last one counts."""
    held: dict[str, Any] = field(default_factory=dict)
    """The newest answer of owner and thief."""
    copied: str = ""
    moved: float = 0.0
    """When the last rotation was answered."""
    ended: bool = False
    gained: set[str] = field(default_factory=set)
    """Refresh tokens that the thief was given."""
    wrong: list[str] = field(default_factory=list)

    def present(self, who: str) -> str:
        """The token that owner or thief uses next."""
        return str(self.copied if who == "T" and not self.goes_on else self.held[who]["refresh_token"])

    def expect(self, who: str, token: str, given: Any, asked: float) -> None:
        """Hold an answer against what must follow from all answers before it."""
        new = given.get("refresh_token", "")
        since = asked - self.moved
        is_parent = len(self.chain) > 1 and token == self.chain[-2]
        if not self.ended and is_parent and SURELY_IN < since <= GRACE:
            self.wrong.append(f"{self}: this machine is too slow, {since:.1f} s after the rotation cannot be judged")
        if not self.ended and token == self.chain[-1]:
            if not new or new in self.chain:
                self.wrong.append(f"{self}: {who} used the token that counts and was answered {_short(given)}")
                self.ended = not new
            if new:
                self.chain.append(new)
                self.moved = time.monotonic()
        elif not self.ended and is_parent and since <= GRACE:
            if new != self.chain[-1]:
                self.wrong.append(f"{self}: {who} used the parent in time and was answered {_short(given)}")
                self.ended = not new
        else:
            if given != OVER:
                self.wrong.append(f"{self}: {who} used a token that is over and was answered {_short(given)}")
            self.ended = True
        if new:
            self.held[who] = given
            if who == "T":
                self.gained.add(new)

    def __str__(self) -> str:
        habit = "goes on" if self.goes_on else "has the copy"
        return f"script {self.number} ({'|'.join(self.blocks)}, the thief {habit}, copied at {self.rotations})"


def _short(given: Any) -> str:
    return "a new pair" if "refresh_token" in given else str(given)


def _script(number: int, chance: random.Random) -> Script:
    """Made up: first somebody moves, then after each pause somebody may; in the end the copy is surely too old."""
    moves = "OTB"
    first = "".join(chance.choices(moves, (3, 3, 2), k=chance.randint(1, 4)))
    blocks = [first, *("".join(chance.choices(moves, (3, 3, 1), k=chance.randint(0, 3))) for _ in range(2)), "C"]
    return Script(number, chance.choice((0, 0, 1, 2)), chance.random() < 0.25, blocks)


def _begin_script(proof: Proof, line: Line, script: Script) -> None:
    account = f"person{script.number % proof.size(1000, 120) + 1}"
    pair = _pair(proof, line, account, _address(1, script.number))
    for _rotation in range(script.rotations):
        script.chain.append(pair["refresh_token"])
        pair = line.refresh(pair["refresh_token"]).body
    script.chain.append(pair["refresh_token"])
    script.copied, script.moved = pair["refresh_token"], time.monotonic()
    script.held = {"O": pair, "T": pair}


def _play(line: Line, script: Script, block: str) -> None:
    for move in block:
        if move == "C":
            asked = time.monotonic()
            script.expect("T", script.copied, line.refresh(script.copied).body, asked)
        elif move == "B" and script.present("O") == script.present("T"):
            _play_both(line, script)
        else:
            for who in "OT" if move == "B" else move:
                asked, token = time.monotonic(), script.present(who)
                script.expect(who, token, line.refresh(token).body, asked)


def _play_both(line: Line, script: Script) -> None:
    """Owner and thief use one token at the same moment; who was first follows from nothing, and must not matter."""
    start, answers, token = threading.Barrier(2), dict[str, Any](), script.present("O")

    def use(who: str, line: Line) -> None:
        start.wait(60)
        answers[who] = line.refresh(token).body

    other = Line(line.port)
    thief = threading.Thread(target=use, args=("T", other))
    asked = time.monotonic()
    thief.start()
    use("O", line)
    thief.join()
    other.close()
    for who in "OT":
        script.expect(who, token, answers[who], asked)


def _end_script(line: Line, script: Script) -> None:
    """Both must be out, with everything they hold."""
    for who, name in (("O", "the owner"), ("T", "the thief")):
        pair = script.held[who]
        if line.refresh(pair["refresh_token"]).body != OVER or _works(line, pair["access_token"]) != (401, 40002):
            script.wrong.append(f"{script}: {name} is still in")
    most = 1
    if not script.goes_on and len(script.gained) > most:
        script.wrong.append(f"{script}: the copy gave the thief {len(script.gained)} new pairs")


def _thieves(proof: Proof) -> None:
    began = time.monotonic()
    scripts = [_script(number, proof.chance) for number in range(proof.size(500, 40))]
    _each(proof, 8, scripts, lambda line, script: _begin_script(proof, line, script))
    for part in range(4):
        # One pause for all: the blocks before and after it lie further apart than the grace for every script.
        time.sleep(GRACE + 0.5 if part else 0)
        _each(proof, 8, scripts, lambda line, script, part=part: _play(line, script, script.blocks[part]))
    _each(proof, 8, scripts, _end_script)
    for script in scripts:
        proof.found.wrong += script.wrong
    copies = [len(script.gained) for script in scripts if not script.goes_on]
    proof.found.rows[f"A3 {len(scripts)} stolen tokens"] = (
        f"new pairs by one copy: {copies.count(0)} times none, {copies.count(1)} times one, at most {max(copies)}; "
        f"{sum(script.ended for script in scripts)} times both out, {time.monotonic() - began:.0f} s"
    )


# Guesses


def _guess(proof: Proof, line: Line, account: str, address: str, *, right: bool = False) -> Answer:
    return line.token(account, proof.password if right else secrets.token_hex(6), address)


def _one_account(proof: Proof) -> None:
    """The flood against the victim, and the victim at home meanwhile."""
    guesses, addresses = proof.size(10_000, 500), proof.size(1000, 50)
    found, log, is_over = proof.found, Log(proof.server), threading.Event()
    at_home: list[tuple[float, Any]] = []

    def sign_in_at_home(line: Line) -> None:
        began = time.monotonic()
        body = line.token(VICTIM, proof.password, HOME).body
        at_home.append((time.monotonic() - began, body))

    def live() -> None:
        line = Line(proof.server.port)
        while not is_over.wait(0.5):
            sign_in_at_home(line)

    line = Line(proof.server.port)
    sign_in_at_home(line)  # from now on this address is known
    owner = threading.Thread(target=live)
    owner.start()
    began = time.monotonic()
    try:
        answers = _each(
            proof, ATTACKERS, range(guesses),
            lambda line, number: _guess(
                proof, line, VICTIM, _address(2, number % addresses),
                right=number >= RIGHT_FROM and number % RIGHT_EVERY == 0,
            ),
        )  # fmt: skip
    finally:
        is_over.set()
        owner.join()
    seconds = time.monotonic() - began
    sign_in_at_home(line)
    got_in = sum("access_token" in answer.body for answer in answers)
    found.hold(got_in == 0, f"A6: {got_in} guesses with the right password got in after the account was locked")
    other = Counter(str(answer.body) for answer in answers if answer.body != REFUSED)
    found.hold(not other, f"A6: guesses were answered {dict(other.most_common(3))}")
    counted = proof.server.ask("tries", *(_address(2, number) for number in range(addresses)))
    tried, looked = counted["account"].get(VICTIM, 0), log.reached()[proof.ids[VICTIM]]
    found.hold(tried <= 5, f"A6: the table counts {tried} guesses that reached the password")
    found.hold(looked <= 5, f"A6: the log counts {looked} guesses that reached the password")
    # The other way round: none was lost, and the addresses are the attackers', not the proxy's.
    found.hold(tried == looked == 5, f"A6: {tried} tries in the table and {looked} in the log, where 5 were to be had")
    from_addresses = sum(counted["address"].values())
    found.hold(from_addresses == guesses, f"A6: the addresses' rows count {from_addresses} of {guesses} guesses")
    refused = [body for _seconds, body in at_home if "access_token" not in body]
    found.hold(not refused, f"A8: at home {len(refused)} sign-ins of {len(at_home)} were refused: {refused[:1]}")
    found.rows[f"A6 {guesses} guesses, {addresses} addresses"] = (
        f"{tried} reached the password by the table, {looked} by the log; {seconds:.0f} s"
    )
    found.rows["A8 the owner's own device meanwhile"] = (
        f"{len(at_home) - len(refused)} of {len(at_home)} sign-ins, {_milliseconds([took for took, _ in at_home])}"
    )


def _bursts(proof: Proof) -> None:
    """Many guesses at a fresh account at the same moment, account after account; the first five are the contested."""
    accounts = [f"person{number}" for number in range(1, proof.size(60, 30) + 1)]
    log, found = Log(proof.server), proof.found
    work = [account for account in accounts for _guess in range(BURST)]
    _each(
        proof, ATTACKERS, enumerate(work),
        lambda line, guess: _guess(proof, line, guess[1], _address(3, guess[0])),
    )  # fmt: skip
    tried, looked = proof.server.ask("tries")["account"], log.reached()
    most = max(looked[proof.ids[account]] for account in accounts)
    for account in accounts:
        found.hold(
            tried.get(account) == looked[proof.ids[account]] == 5,
            f"A6: of {BURST} guesses at {account} the table counts {tried.get(account)}, "
            f"the log {looked[proof.ids[account]]}, where 5 were to be had",
        )
    found.rows[f"A6 {len(accounts)} fresh accounts × {BURST} at once"] = f"at most {most} reached a password"


def _no_proxy(proof: Proof) -> None:
    """Who is no proxy may write what it likes: its own address counts."""
    lines, total = [Line(proof.server.port, source=A_PROXY_LESS) for _ in range(4)], 60
    with ThreadPoolExecutor(len(lines)) as pool:
        parts = pool.map(
            lambda place: [
                _guess(proof, lines[place], f"nobody{number}", _address(4, number)).body
                for number in range(place, total, len(lines))
            ],
            range(len(lines)),
        )
        answers = list(itertools.chain(*parts))
    passed = answers.count(REFUSED)
    proof.found.hold(passed == 20, f"A6: {passed} of {total} guesses passed from one address that is no proxy")
    named = proof.server.ask("tries", A_PROXY_LESS, *(_address(4, number) for number in range(total)))["address"]
    proof.found.hold(named == {A_PROXY_LESS: 20}, f"A6: of a forged X-Forwarded-For the table counts {named}")
    proof.found.rows["A6 X-Forwarded-For by who is no proxy"] = f"{passed} of {total} passed, as {len(named)} address"


@contextlib.contextmanager
def _honest(proof: Proof, people: Sequence[str]) -> Iterator[list[tuple[float, Any]]]:
    """These people sign in again and again meanwhile, each from an address of its own; times and answers."""
    heard: list[tuple[float, Any]] = []
    is_over = threading.Event()

    def live(place: int) -> None:
        line = Line(proof.server.port)
        while True:
            began = time.monotonic()
            body = line.token(people[place], proof.password, _address(6, place)).body
            heard.append((time.monotonic() - began, body))
            if is_over.wait(0.1):
                return

    threads = [threading.Thread(target=live, args=(place,)) for place in range(len(people))]
    for thread in threads:
        thread.start()
    try:
        yield heard
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


def _many_accounts(proof: Proof) -> None:
    """A spray from one address, which writes another one before its own and signs in to an account of its own."""
    number, found, attacker = proof.size(1000, 120), proof.found, "203.0.113.66"
    accounts = [f"person{place}" for place in range(1, number + 1)]
    before = proof.server.ask("tries")["account"]
    log, own = Log(proof.server), Counter[bool]()

    def attack(line: Line, guess: tuple[int, str]) -> Any:
        place, account = guess
        # What the proxy passes on: what the attacker wrote, and then the address that the proxy saw.
        seen = f"{_address(5, place)}, {attacker}"
        if place % 5 == 0:
            own["access_token" in line.token("viewer", proof.password, seen).body] += 1
        return _guess(proof, line, account, seen).body

    # Nobody looks at accounts any more that the bursts have locked, so they come last.
    spray = sorted(accounts, key=lambda account: before.get(account, 0))
    began = time.monotonic()
    with _honest(proof, ["repair_leader", "repairer", "equip_manager", "shift_leader"]) as heard:
        answers = _each(proof, 8, enumerate(spray), attack)
        seconds = time.monotonic() - began
    counted = proof.server.ask("tries", attacker, *(_address(5, place) for place in range(number)))
    tried = sum(counted["account"].get(account, 0) - before.get(account, 0) for account in accounts)
    looked = sum(log.reached()[proof.ids[account]] for account in accounts)
    found.hold(tried <= 20, f"A7: the table counts {tried} verifications of one address")
    found.hold(looked <= 20, f"A7: the log counts {looked} verifications of one address")
    found.hold(counted["address"] == {attacker: 20}, f"A7: the addresses' rows are {counted['address']}")
    passed = answers.count(REFUSED)
    found.hold(passed == looked, f"A7: {passed} guesses were answered as tried, {looked} were")
    found.hold(passed + answers.count(TOO_MANY) == number, f"A7: answers {Counter(map(str, answers))}")
    refused = [body for _seconds, body in heard if "access_token" not in body]
    found.hold(not refused, f"A7: honest people were refused {len(refused)} times: {refused[:1]}")
    found.rows[f"A7 1 address, {number} accounts"] = (
        f"{tried} verifications by the table, {looked} by the log; own sign-ins {own[True]}; {seconds:.0f} s"
    )
    found.rows["A7 honest people elsewhere"] = (
        f"{len(heard) - len(refused)} of {len(heard)} sign-ins, {_milliseconds([took for took, _ in heard])}"
    )


def _names(proof: Proof) -> None:
    """The ways to be refused, in turn and in random order on one quiet connection, each try from a fresh address."""
    number, found = proof.size(500, 60), proof.found
    names = [f"person{place}" for place in range(1, proof.size(1000, 120) + 1)]
    counted = proof.server.ask("tries")["account"]
    untouched = [name for name in names if name not in counted]
    ways: dict[str, Callable[[int], tuple[str, bool]]] = {
        "unknown": lambda place: (f"nobody-{place}", True),
        "wrong password": lambda place: (untouched[place % len(untouched)], False),
        "locked": lambda _place: (VICTIM, True),
        "disabled": lambda place: (f"gone{place + 1}", True),
        "other company": lambda place: (f"other{place + 1}", True),
    }
    times: dict[str, list[float]] = {way: [] for way in ways}
    bodies: Counter[tuple[int, bytes]] = Counter()
    line = Line(proof.server.port)
    for place in range(number):
        for at, way in enumerate(proof.chance.sample(list(ways), len(ways))):
            account, right = ways[way](place)
            address = _address(7, place * len(ways) + at)
            began = time.perf_counter()
            answer = _guess(proof, line, account, address, right=right)
            times[way].append(time.perf_counter() - began)
            bodies[answer.status, orjson.dumps(answer.body)] += 1
    found.hold(
        list(bodies) == [(200, orjson.dumps(REFUSED))], f"A10: {len(bodies)} different answers: {bodies.most_common(3)}"
    )
    medians = {way: statistics.median(took) for way, took in times.items()}
    apart = max(medians.values()) - min(medians.values())
    found.hold(apart <= MOST_APART, f"A10: the medians lie {apart * 1000:.1f} ms apart")
    told = ", ".join(f"{way} {median * 1000:.1f}" for way, median in medians.items())
    found.rows[f"A10 {len(ways)} refusals × {number}, medians in ms"] = f"{told}; {apart * 1000:.1f} ms apart"


# Cost


def _web_megabytes(server: Server) -> float:
    """What the web processes take of the memory, shared pages counted once."""
    leader, total = server.pid("web"), 0
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            # The web server and its workers are one session, whose number stands behind the name in brackets.
            if int((folder / "stat").read_text().rpartition(")")[2].split()[3]) == leader:
                lines = (folder / "smaps_rollup").read_text().splitlines()
                total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def _cost(proof: Proof) -> None:
    found, took = proof.found, proof.server.ask("check", "50")
    found.rows["A12 one password check"] = f"{_milliseconds(took)}, least {min(took) * 1000:.0f} ms (20–45 ms wanted)"
    before, most, is_over = _web_megabytes(proof.server), 0.0, threading.Event()

    def watch() -> None:
        nonlocal most
        while not is_over.wait(0.05):
            most = max(most, _web_megabytes(proof.server))

    start = threading.Barrier(AT_ONCE)

    def sign_in(line: Line, place: int) -> bool:
        start.wait(60)
        return "access_token" in line.token("repairer2", proof.password, _address(8, place)).body

    watcher = threading.Thread(target=watch)
    watcher.start()
    began = time.monotonic()
    try:
        signed_in = _each(proof, AT_ONCE, range(AT_ONCE), sign_in)
    finally:
        is_over.set()
        watcher.join()
    found.hold(all(signed_in), f"A12: {signed_in.count(False)} of {AT_ONCE} sign-ins at once were refused")
    found.hold(before > 0, "A12: the web processes were not found")
    found.hold(most - before <= MOST_MEGABYTES, f"A12: the memory grew by {most - before:.0f} MB")
    found.rows[f"A12 {AT_ONCE} sign-ins at once"] = (
        f"{time.monotonic() - began:.1f} s, memory {before:.0f} MB and {most - before:+.0f} MB at most"
    )


# The cost comes first: later the processes would have taken already what they need.
PARTS: Mapping[str, Callable[[Proof], None]] = {
    "cost": _cost,
    "tabs": _tabs,
    "thieves": _thieves,
    "bursts": _bursts,
    "account": _one_account,
    "proxy": _no_proxy,
    "spray": _many_accounts,
    "names": _names,
}


def main() -> int:
    """Run the proof; answers the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="postgresql")
    parser.add_argument("--parts", default=",".join(PARTS), help="some of them")
    parser.add_argument("--scale", type=float, default=1.0, help="the share of the full size, such as 0.05")
    parser.add_argument("--seed", type=int, default=1, help="for the thieves' scripts and the order of tries")
    asked = parser.parse_args()
    parts = {name: PARTS[name] for name in asked.parts.split(",")}
    workers = {"WEB_WORKERS": "2"} if asked.database == "postgresql" else {}
    with running(asked.database, **workers, **PROXY) as server:
        size = Sizes(asked.scale)
        ids = server.ask("people", str(size(1000, 120)))
        proof = Proof(server, size, random.Random(asked.seed), Findings(), ids)
        for name, part in parts.items():
            began = time.monotonic()
            print(f"{name} …", end=" ", flush=True)
            part(proof)
            print(f"{time.monotonic() - began:.0f} s", flush=True)
        code = print_table(f"Sign-in on {asked.database}, seed {asked.seed}", proof.found.rows, proof.found.wrong)
        if code:
            raise SystemExit(code)  # from inside, so that the logs stay
    return 0


if __name__ == "__main__":
    sys.exit(main())
