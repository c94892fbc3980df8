"""Proves imports: of 5,000 assets 50 rows are wrong in ten ways; the others come in, those come back with the reason.

The served product does it, as a job, with two extra fields of the company. What came back is corrected and imported
again; then everything goes out and comes in once more, and nothing has changed.
"""

from __future__ import annotations

import argparse
import io
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from openpyxl import Workbook, load_workbook

from tests.core.sheetjobs import machines
from tests.prove.neighbours import Caller, signed_in
from tests.prove.server import Server, running
from tests.prove.table import print_table

TENANT = "100001"
JOBS, IMPORT, EXPORT = "blade-desk/sheetjob", "yuzhu-equip/inspectmachine/import", "yuzhu-equip/inspectmachine/export"
DONE, FAILED = 3, 4
MOST_SECONDS = 1_200.0
_MARK = "x" * 40
_OF_THE_CAST = 6
"""Assets that are there already."""


@dataclass
class _Answer:
    status: int
    data: Any


@dataclass
class _Keeper:
    """The equipment manager, who calls by HTTP."""

    caller: Caller

    def post_json(self, path: str, body: Any) -> _Answer:
        """POST a JSON body."""
        return self._answered(*self.caller.call("POST", path, orjson.dumps(body)))

    def get(self, path: str) -> _Answer:
        """GET."""
        return self._answered(*self.caller.call("GET", path))

    def bring(self, rows: Sequence[Sequence[Any]], covered: str = "0") -> str:
        """Ask for the import of a sheet as a job; answers its id."""
        book, out = Workbook(write_only=True), io.BytesIO()
        page = book.create_sheet()
        for row in rows:
            page.append(row)
        book.save(out)
        fields = "".join(
            f'--{_MARK}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
            for name, value in (("call", IMPORT), ("isCovered", covered))
        )
        head = f'--{_MARK}\r\nContent-Disposition: form-data; name="file"; filename="a.xlsx"\r\n\r\n'
        body = fields.encode() + head.encode() + out.getvalue() + f"\r\n--{_MARK}--\r\n".encode()
        kind = f"multipart/form-data; boundary={_MARK}"
        answer = self._answered(*self.caller.call("POST", f"{JOBS}/import", body, kind))
        assert answer.status == 200, answer
        return str(answer.data["id"])

    def until_done(self, job: str) -> dict[str, Any]:
        """Wait for the end of a job; answers what is said of it."""
        end = time.monotonic() + MOST_SECONDS
        while time.monotonic() < end:
            found: dict[str, Any] = self.get(f"{JOBS}/detail?id={job}").data
            if found["state"] >= DONE:
                return found
            time.sleep(0.5)
        raise SystemExit(f"the job did not end within {MOST_SECONDS:.0f} s")

    def load(self, job: str) -> list[tuple[Any, ...]]:
        """The rows of the file of a job."""
        status, content = self.caller.call("GET", f"{JOBS}/download?id={job}")
        assert status == 200, content[:200]
        return list(load_workbook(io.BytesIO(content), read_only=True).active.values)  # type: ignore[union-attr]

    @staticmethod
    def _answered(status: int, content: bytes) -> _Answer:
        return _Answer(status, orjson.loads(content).get("data"))


def _counts(found: dict[str, Any]) -> tuple[int, ...]:
    return tuple(found[name] for name in ("state", "total", "created", "updated", "wrong"))


def _prove(server: Server, number: int, wrong: int) -> tuple[dict[str, object], list[str]]:
    keeper = _Keeper(signed_in(server, TENANT, "equip_manager"))
    machines.declare(keeper)
    rows, said = machines.rows(number, wrong)
    faults: list[str] = []

    def expect(what: str, found: object, wanted: object) -> None:
        if found != wanted:
            faults.append(f"{what}: {str(found)[:200]} in place of {str(wanted)[:200]}")

    began = time.monotonic()
    job = keeper.bring([machines.HEADS, *rows])
    expect("the import", _counts(keeper.until_done(job)), (DONE, number, number - wrong, 0, wrong))
    came = time.monotonic()
    back = keeper.load(job)
    expect("what came back", {row[-1] for row in back[1:]}, set(said.values()))
    expect("rows that came back", [row[:-1] for row in back[1:]], [tuple(rows[n]) for n in said])
    expect("their reasons", [row[-1] for row in back[1:]], list(said.values()))
    again = keeper.bring([back[0], *((*machines.right(n), "") for n in said)])
    expect("the corrected ones", _counts(keeper.until_done(again)), (DONE, wrong, wrong, 0, 0))

    def everything() -> list[tuple[Any, ...]]:
        out = keeper.post_json(f"{JOBS}/export", {"call": EXPORT, "query": {}}).data["id"]
        expect("an export", keeper.until_done(str(out))["state"], DONE)
        return keeper.load(str(out))

    before, out_and_in = everything(), time.monotonic()
    expect("rows of the export", len(before), 1 + number + _OF_THE_CAST)
    job = keeper.bring(before, "1")
    expect("the same again", _counts(keeper.until_done(job)), (DONE, len(before) - 1, 0, len(before) - 1, 0))
    took = time.monotonic() - out_and_in
    expect("what is there then", everything(), before)
    return {
        "rows of the sheet": number,
        "wrong, in ten ways": wrong,
        "came in": number - wrong,
        "seconds": f"{came - began:.0f}, {number / (came - began):.0f} rows a second",
        "out and in again, unchanged": len(before) - 1,
        "seconds for that": f"{took:.0f}",
    }, faults


def main() -> int:
    """Run the proof; answers the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--rows", type=int, default=5_000)
    parser.add_argument("--wrong", type=int, default=50)
    asked = parser.parse_args()
    with running(asked.database) as server:
        rows, faults = _prove(server, asked.rows, asked.wrong)
        code = print_table(f"Sheets on {asked.database}", rows, faults)
        if code:
            raise SystemExit(code)  # from inside, so that the logs stay
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
