"""Strangers who stop nobody, on a server as it is shipped: two hundred at once who send or read as slowly as they can,
and bodies of 1 GB.

* 200 bodies of one byte a second from one address, and from 200 addresses; 200 heads of one byte a second; 200 who ask
  for the largest file of the console again and again and read nothing; 3,000 connections on which nothing is said.
* 1 GB, with its length and in chunks, from ten connections each.
* One person who calls as fast as the line goes.

All the while /healthz and a list are asked; each has to answer within a second, and nothing sent lies on the disk.

    python -m tests.prove.front_door --database postgresql
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import sys
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.prove.server import ROOT, UNLIMITED, Server, running
from tests.prove.table import print_table
from tests.prove.wire import TENANT, Line

LIST = "/api/yuzhu-equip/inspectmachine/list"
POST = b"POST /api/blade-auth/oauth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
GIGABYTE = 10**9
LONGEST_ANSWER = 1.0
MOST_ON_DISK = 8_000_000
"""What the database and the logs may grow by; a hundredth of what is sent."""
AT_ONCE = 200
SILENT = 3000
OF_ONE = 16
"""Bodies that one caller may be sending."""
ADDRESSES = [f"127.0.1.{number + 1}" for number in range(AT_ONCE)]


@dataclass
class Watch:
    """Asks the server five times a second, on connections of their own, and looks at its folder."""

    server: Server
    token: str
    worst: dict[str, float] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    asked: int = 0
    largest: int = 0
    _is_over: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Ask until it is over."""
        while not self._is_over.wait(0.2):
            self._ask("/healthz", {})
            self._ask(LIST, {"Blade-Auth": f"bearer {self.token}", "Tenant-Id": TENANT})
            self.largest = max(self.largest, self.on_disk())
            self.asked += 1

    def end(self) -> None:
        """Ask no more."""
        self._is_over.set()

    def on_disk(self) -> int:
        """Bytes in the data folder, and in files of the web server that have no name any more."""
        size = 0
        for path in self.server.data_dir.rglob("*"):
            try:
                size += path.stat().st_blocks * 512 if path.is_file() else 0
            except FileNotFoundError:
                continue
        web = self.server.pid("web")
        for folder in Path("/proc").glob("[0-9]*/fd"):
            try:
                if f" {web} " not in (folder.parent / "stat").read_text().rpartition(")")[2]:
                    continue
                size += sum(file.stat().st_blocks * 512 for file in folder.iterdir()
                            if str(file.readlink()).endswith(" (deleted)"))  # fmt: skip
            except OSError:
                continue
        return size

    def _ask(self, path: str, headers: dict[str, str]) -> None:
        began, status = time.monotonic(), 0
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=10)
        try:
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            answer.read()
            status = answer.status
        except (OSError, http.client.HTTPException) as error:
            self.wrong.append(f"{path}: {error!r}")
        finally:
            connection.close()
        seconds = time.monotonic() - began
        self.worst[path] = max(self.worst.get(path, 0.0), seconds)
        if seconds > LONGEST_ANSWER or status != 200:
            self.wrong.append(f"{path}: {status} after {seconds:.2f} s")


async def _one(port: int, begin: bytes, piece: bytes, address: str, seconds: float, pause: float = 1.0) -> str:
    """Send the beginning, and piece after piece with a pause between; answer the status line's number, or `cut`."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    heard = asyncio.create_task(reader.readline())
    sent, end = 0, time.monotonic() + seconds
    try:
        writer.write(begin)
        while not heard.done() and time.monotonic() < end and sent < GIGABYTE:
            writer.write(piece)
            await writer.drain()
            sent += len(piece)
            await asyncio.wait([heard], timeout=pause)
    except OSError:
        pass
    try:
        line = (await asyncio.wait_for(heard, 2)).split()
        return line[1].decode() if line else "cut"
    except TimeoutError:
        return "kept"
    except OSError:
        return "cut"
    finally:
        writer.close()


async def _reads_nothing(port: int, path: str, seconds: float) -> str:
    """Ask for a file thirty times on one connection and read nothing of it; `cut` where the server has ended it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
    try:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode() * 30)
        await asyncio.sleep(seconds)
        while await asyncio.wait_for(reader.read(65536), 5):
            pass
        return "closed"
    except OSError as ended:
        return "held" if isinstance(ended, TimeoutError) else "cut"
    finally:
        writer.transport.abort()


async def _crowd(ask: Callable[[int], Awaitable[str]], number: int) -> Counter[str]:
    return Counter(await asyncio.gather(*(ask(at) for at in range(number))))


def _slow_bodies(port: int, addresses: list[str]) -> Counter[str]:
    head = POST + b"Content-Length: 1000\r\n\r\n"
    return asyncio.run(_crowd(lambda at: _one(port, head, b"x", addresses[at % len(addresses)], 40), AT_ONCE))


def _slow_heads(port: int) -> Counter[str]:
    return asyncio.run(_crowd(lambda at: _one(port, POST + b"X-A: ", b"x", "127.0.0.1", 40), AT_ONCE))


def _no_readers(port: int) -> Counter[str]:
    file = max((ROOT / "web" / "dist" / "assets").glob("*.js"), key=lambda path: path.stat().st_size)
    return asyncio.run(_crowd(lambda _at: _reads_nothing(port, f"/assets/{file.name}", 45), AT_ONCE))


def _silent(port: int) -> Counter[str]:
    """Open connections and send nothing; the server ends each after half a minute."""

    async def one(at: int) -> str:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(ADDRESSES[at % AT_ONCE], 0))
        try:
            return "cut" if await asyncio.wait_for(reader.read(), 45) == b"" else "answered"
        except TimeoutError:
            return "held"
        except OSError:
            return "cut"
        finally:
            writer.close()

    return asyncio.run(_crowd(one, SILENT))


def _gigabytes(port: int) -> Counter[str]:
    def ask(at: int) -> Awaitable[str]:
        if at % 2:
            head = POST + b"Content-Length: 1000000000\r\n\r\n"
            return _one(port, head, b"x" * 65536, ADDRESSES[at], 60, 0)
        piece = b"10000\r\n" + b"x" * 65536 + b"\r\n"
        return _one(port, POST + b"Transfer-Encoding: chunked\r\n\r\n", piece, ADDRESSES[at], 60, 0)

    heard, end = Counter[str](), time.monotonic() + 15
    while time.monotonic() < end:
        heard += asyncio.run(_crowd(ask, 20))
    return heard


def _fast_person(port: int, token: str) -> tuple[int, int, float]:
    """Call a list 300 times as fast as the line goes; answer how many were taken, refused, and the seconds."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    headers, seen, began = {"Blade-Auth": f"bearer {token}", "Tenant-Id": TENANT}, Counter[int](), time.monotonic()
    for _ in range(300):
        connection.request("GET", LIST, headers=headers)
        answer = connection.getresponse()
        answer.read()
        seen[answer.status] += 1
    return seen[200], seen[429], time.monotonic() - began


def _prove(server: Server, database: str) -> int:
    line = Line(server.port)
    watched, fast = (line.sign_in(account, server.known["password"]) for account in ("operator", "repairer"))
    watch, rows, wrong = Watch(server, watched), {}, []
    before, slow = watch.on_disk(), OF_ONE * (2 if database == "postgresql" else 1)  # each process counts its own
    thread = threading.Thread(target=watch.run)
    thread.start()
    parts: dict[str, tuple[Callable[[], Counter[str]], Callable[[Counter[str]], bool]]] = {
        "nobody": (lambda: time.sleep(10) or Counter(), lambda _heard: True),
        "200 slow bodies of one address": (
            lambda: _slow_bodies(server.port, ["127.0.0.1"]),
            lambda heard: heard == {"408": slow, "429": AT_ONCE - slow}),
        "200 slow bodies of 200 addresses": (
            lambda: _slow_bodies(server.port, ADDRESSES), lambda heard: heard == {"408": 200}),
        "200 slow heads": (
            lambda: _slow_heads(server.port), lambda heard: heard["cut"] + heard["408"] == 200),
        "200 who do not read": (lambda: _no_readers(server.port), lambda heard: heard == {"cut": 200}),
        "3,000 who say nothing": (lambda: _silent(server.port), lambda heard: heard == {"cut": SILENT}),
        "bodies of 1 GB, 20 at once": (
            lambda: _gigabytes(server.port), lambda heard: heard.keys() <= {"413", "cut"} and heard["413"] > 20),
    }  # fmt: skip
    for name, (act, is_right) in parts.items():
        watch.worst, watch.asked, watch.largest = {}, 0, 0
        heard = act()
        worst = ", ".join(f"{path} {seconds:.2f} s" for path, seconds in watch.worst.items())
        grown = (watch.largest - before) / 1e6
        rows[name] = f"{dict(heard)}; asked {watch.asked} times, worst {worst}; {grown:+.1f} MB"
        wrong += [f"{name}: {fault}" for fault in watch.wrong]
        watch.wrong = []
        if not is_right(heard):
            wrong.append(f"{name}: heard {dict(heard)}")
        if grown * 1e6 > MOST_ON_DISK:
            wrong.append(f"{name}: {grown:.1f} MB more on the disk")
    taken, refused, seconds = _fast_person(server.port, fast)
    rows["300 calls of one person"] = f"{taken} taken, {refused} refused in {seconds:.1f} s"
    if taken > 60 + 20 * seconds + 1 or taken + refused != 300:
        wrong.append(f"one person: {taken} of 300 calls were taken in {seconds:.1f} s")
    watch.end()
    thread.join()
    return print_table(f"Front door, {database}", rows, wrong + watch.wrong)


def main() -> int:
    """Run the proof; answers the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    asked = parser.parse_args()
    with running(asked.database, **dict.fromkeys(UNLIMITED, "")) as server:
        code = _prove(server, asked.database)
        if code:
            raise SystemExit(code)  # from inside, so that the logs stay
    return 0


if __name__ == "__main__":
    sys.exit(main())
