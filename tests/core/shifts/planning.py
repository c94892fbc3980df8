"""What the tests of shift plans share: plans, people for teams, and reading the calendar."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.shifts.models import Cell
from tests.cast import A, Body, Cast

CONFIG = "yuzhu-equip/configinfo"
SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 9, 1, 9, tzinfo=SHANGHAI)
"""A Tuesday."""
CREWS = ("operator", "operator2", "shift_leader", "repairer")

THREE = (("早班", "08:00", "16:00"), ("中班", "16:00", "00:00"), ("夜班", "00:00", "08:00"))
TWO = (("白班", "08:00", "20:00"), ("夜班", "20:00", "08:00"))


@dataclass(frozen=True)
class Person:
    """Somebody who calls at any time: a session counts from when it began."""

    cast: Cast
    who: str

    def __getattr__(self, name: str) -> Any:
        return getattr(self.cast.client_for(self.who), name)


@contextmanager
def at(text: str) -> Iterator[None]:
    """Set the clock to a moment of Shanghai, such as `2026-09-02 10:00`."""
    with clock.at(datetime.fromisoformat(text).replace(tzinfo=SHANGHAI)):
        yield


def shifts(*rows: tuple[str, str, str], **more: Any) -> list[dict[str, Any]]:
    """Return shifts by name, start and end, numbered from 1."""
    return [
        {"shiftNo": number, "shiftName": name, "startTime": start, "endTime": end, **more}
        for number, (name, start, end) in enumerate(rows, start=1)
    ]


def teams(cast: Cast, names: str, tenant: str = A, **more: Any) -> list[dict[str, Any]]:
    """Return teams called by one sign each, of one person each."""
    people = [str(cast.user(account, tenant).pk) for account in CREWS]
    return [
        {"teamName": name, "leaderId": person, "userIds": person, **more}
        for name, person in zip(names, people, strict=False)
    ]


def body(cast: Cast, tenant: str = A, **given: Any) -> dict[str, Any]:
    """Return an enabled plan of the shop with three shifts and four teams; what is given stands in its place."""
    return {
        "configCode": "P1", "configName": "四班三运转", "deptId": str(cast.user("operator", tenant).dept_id),
        "startDate": "2026-09-01", "patternType": 4, "status": 2, "shifts": shifts(*THREE),
        "teams": teams(cast, "甲乙丙丁", tenant), **given,
    }  # fmt: skip


def save(cast: Cast, who: str = "equip_manager", tenant: str = A, **given: Any) -> Body:
    """Submit a plan at NOW."""
    with clock.at(NOW):
        return cast.client_for(who, tenant).post_json(f"{CONFIG}/submit", body(cast, tenant, **given))


def made(cast: Cast, **given: Any) -> str:
    """Return the id of a plan that is made at NOW."""
    answer = save(cast, **given)
    assert answer.status == 200, answer
    return str(answer.data["id"])


def detail(caller: Any, plan: str) -> Any:
    """Return the plan as it is edited."""
    return caller.get(f"{CONFIG}/detail", id=plan).data


def calendar(plan: str, first: str, last: str, tenant: str = A) -> dict[str, list[str]]:
    """Return by day its stored cells, each as shift, team, and a star where it is made by hand."""
    with tenant_scope(tenant):
        rows = Cell.objects.filter(plan=plan, day__gte=first, day__lte=last).order_by("day", "shift__shift_no", "pk")
        found: dict[str, list[str]] = {}
        for cell in rows.select_related("shift", "team"):
            mark = "*" if cell.source == 2 else ""
            found.setdefault(str(cell.day)[5:], []).append(f"{cell.shift}{cell.team or '-'}{mark}")
        return found


def count(plan: str, tenant: str = A) -> tuple[int, date | None, date | None]:
    """Return how many cells a plan has, and the first and the last day of them."""
    with tenant_scope(tenant):
        days = list(Cell.objects.filter(plan=plan).order_by("day").values_list("day", flat=True))
        return len(days), days[0] if days else None, days[-1] if days else None
