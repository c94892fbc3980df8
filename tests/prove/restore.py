"""A backup taken while people work is restored elsewhere, held against itself, and its work goes on.

Four people report and dispatch orders and upload pictures while the backup is written. It is restored into an empty
place; without the keys it is refused. There every table is dumped again, which has to give the same digests, and
policies, triggers, references, sequences, the audit log's seals, the processes' state and every file are looked at.
Then it is served: somebody signs in, and an order that was open goes on to its end.

    python -m tests.prove.restore --database postgresql --seconds 20
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import orjson

from tests.prove.server import ROOT, Server, place, running
from tests.prove.table import print_table
from tests.prove.wire import TENANT, Line

PEOPLE = ("operator", "operator2", "shift_leader", "repair_leader")
CLOSED = 6


def _manage(environment: Mapping[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT, env=dict(environment), capture_output=True, text=True, check=False,
    )  # fmt: skip


def _report(line: Line, token: str, known: Mapping[str, Any], number: str) -> dict[str, Any]:
    body = {"machineId": known["machine"], "description": f"主轴异响 {number}", "force": 1}
    answer = line.call("POST", "yuzhu-equip/repairorder/save", token, body)
    assert answer.status == 200, answer
    return answer.data  # type: ignore[no-any-return]


def _act(line: Line, token: str, order: Mapping[str, Any], action: str, **values: Any) -> dict[str, Any]:
    body = {"id": order["id"], "lockVersion": order["lockVersion"], "action": action, **values}
    answer = line.call("POST", "yuzhu-equip/repairorder/update", token, body)
    assert answer.status == 200, answer
    return answer.data  # type: ignore[no-any-return]


def _upload(port: int, token: str, picture: bytes) -> None:
    border = "-----xunwei"
    head = f'--{border}\r\nContent-Disposition: form-data; name="file"; filename="p.png"\r\n\r\n'.encode()
    headers = {
        "Content-Type": f"multipart/form-data; boundary={border}", "Blade-Auth": f"bearer {token}", "Tenant-Id": TENANT,
    }  # fmt: skip
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        content = head + picture + f"\r\n--{border}--\r\n".encode()
        connection.request("POST", "/api/blade-resource/oss/endpoint/put-file", content, headers)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200, answer.status


@contextmanager
def _work(server: Server, done: list[int], wrong: list[str]) -> Iterator[None]:
    """Let people work until the block ends; `done` counts their orders."""
    stop = threading.Event()
    picture = next((server.data_dir / "files").rglob("*.png")).read_bytes()

    def work(person: str) -> None:
        line, number = Line(server.port), 0
        try:
            token = line.sign_in(person, server.known["password"])
            leader = line.sign_in("repair_leader", server.known["password"])
            while not stop.is_set():
                number += 1
                order = _report(line, token, server.known, f"{person} {number}")
                if number % 2:
                    _act(line, leader, order, "dispatch", repairUserId=server.known["people"]["repairer"]["id"])
                if number % 5 == 0:
                    _upload(server.port, token, picture)
                done.append(1)
        except Exception as error:  # the thread's last words
            wrong.append(f"{person}, while the backup was made: {type(error).__name__} {error}")

    threads = [threading.Thread(target=work, args=(person,)) for person in PEOPLE]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def _digests(file: Path) -> dict[str, Any]:
    """Of every table and file of a backup: a digest that is the same where the rows are."""
    with zipfile.ZipFile(file) as archive:
        members = orjson.loads(archive.read("manifest.json"))["members"]
        found = {name: about["sha256"] for name, about in members.items() if name != "database.sqlite3"}
        if "database.sqlite3" in members:
            with tempfile.NamedTemporaryFile() as copy:
                copy.write(archive.read("database.sqlite3"))
                copy.flush()
                with closing(sqlite3.connect(copy.name)) as database:
                    tables = [
                        name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
                    ]
                    for table in tables:
                        rows = database.execute(f'SELECT * FROM "{table}" ORDER BY 1').fetchall()
                        found[table] = hashlib.sha256(repr(rows).encode()).hexdigest()
    return found


def _goes_on(server: Server) -> str:
    """Take the newest order that was open to its end; answer what is wrong."""
    line, known = Line(server.port), server.known
    tokens = {name: line.sign_in(name, known["password"]) for name in ("repair_leader", "repairer", "operator")}
    rows = line.call("GET", "yuzhu-equip/repairorder/list?status=1&size=200", tokens["repair_leader"]).data["records"]
    own = [row for row in rows if row["reportUserId"] == known["people"]["operator"]["id"]]
    if not own:
        return "no order that waits to be dispatched was restored"
    order = line.call("GET", f"yuzhu-equip/repairorder/detail?id={own[0]['id']}", tokens["repair_leader"]).data
    order = _act(line, tokens["repair_leader"], order, "dispatch", repairUserId=known["people"]["repairer"]["id"])
    order = _act(line, tokens["repairer"], order, "accept")
    now = time.time()
    begin, end = (time.strftime("%Y-%m-%d %H:%M:00", time.gmtime(now + 8 * 3600 - ago)) for ago in (120, 0))
    body = {"orderId": order["id"], "workType": 2, "content": "检查主轴", "startTime": begin, "endTime": end}
    answer = line.call("POST", "yuzhu-equip/repairorderdetail/submit", tokens["repairer"], body)
    if answer.status != 200:
        return f"no line can be written: {answer}"
    done = {"solution": "换轴承", "causeTagId": known["cause"], "actionTagIds": known["action"]}
    order = _act(line, tokens["repairer"], order, "finish", **done)
    order = _act(line, tokens["operator"], order, "check", checkResult=1)
    return "" if order["status"] == CLOSED else f"the order ended with status {order['status']}"


def prove(database: str, seconds: float) -> int:
    """Back up, restore, compare, go on; answer the exit code."""
    wrong: list[str] = []
    done: list[int] = []
    rows: dict[str, object] = {}
    with tempfile.TemporaryDirectory(prefix="xunwei-backup-") as folder:
        first, second = Path(folder, "first.zip"), Path(folder, "second.zip")
        with running(database) as server:
            known = server.known
            with _work(server, done, wrong):
                time.sleep(seconds / 2)
                rows["events' seals before"] = server.ask("seal")
                begun, before = time.monotonic(), len(done)
                made = _manage(server.environment, "backup", str(first))
                rows["backup"] = (
                    f"{time.monotonic() - begun:.1f} s, {first.stat().st_size if first.exists() else 0} bytes"
                )
                rows["orders reported meanwhile"] = len(done) - before
                time.sleep(seconds / 2)
            if made.returncode:
                wrong.append(f"backup: {made.stderr}")
            keys = Path(folder, "keys")
            shutil.copytree(server.data_dir / "keys", keys)
        with place(database) as (data_dir, environment):
            refused = _manage(environment, "restore", str(first))
            if (
                refused.returncode == 0
                or "Copy the folder keys/" not in refused.stderr
                or "Traceback" in refused.stderr
            ):
                wrong.append(f"without the keys: {refused.stderr[-500:]}")
            shutil.copytree(keys, data_dir / "keys", dirs_exist_ok=True)
            begun = time.monotonic()
            restored = _manage(environment, "restore", str(first))
            rows["restore"] = f"{time.monotonic() - begun:.1f} s"
            rows["it says"] = restored.stdout.strip().replace("\n", " ")
            if restored.returncode:
                return print_table("The restore failed", rows, [*wrong, f"restore: {restored.stderr[-2000:]}"])
            again_made = _manage(environment, "backup", str(second))
            if again_made.returncode:
                return print_table("No second backup", rows, [*wrong, again_made.stderr[-2000:]])
            one, other = _digests(first), _digests(second)
            rows["tables and files with the same digest"] = sum(other.get(name) == one[name] for name in one)
            wrong += [f"{name} is not what it was" for name in {*one, *other} if one.get(name) != other.get(name)]
            again = Server(int(environment["PORT"]), data_dir, environment, known)
            for question in ("walls", "lost_files", "whole"):
                wrong += [f"{question}: {fault}" for fault in again.ask(question)]
            if _manage(environment, "verifyaudit").returncode:
                wrong.append("the audit log is not whole")
            try:
                again.serve()
                if fault := _goes_on(again):
                    wrong.append(fault)
            finally:
                again.stop()
    return print_table(
        f"A backup under load, restored elsewhere ({database})", {**rows, "orders in all": len(done)}, wrong
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--seconds", type=float, default=20, help="how long people work before and after the backup")
    asked = parser.parse_args()
    sys.exit(prove(asked.database, asked.seconds))
