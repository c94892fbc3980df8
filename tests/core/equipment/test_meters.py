"""Readings of counters: which fit, in which words others are refused, and what the machine shows for them."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.equipment.models import Machine, MeterReading
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from tests.cast import A, B, Body, Cast
from tests.checksums import checksum
from tests.contract.test_sheets import _import

READINGS = "yuzhu-equip/meterreading"
MACHINES = "yuzhu-equip/inspectmachine"
NOW = datetime(2026, 3, 31, 4, 0, tzinfo=UTC)  # noon where the plant is


@pytest.fixture(autouse=True)
def _noon() -> Any:
    with clock.at(NOW):
        yield


def _read(cast: Cast, value: Any, time: str, account: str = "operator", code: str = "M1", **more: Any) -> Body:
    body = {"machineId": str(cast.machine(code).pk), "value": value, "readTime": f"2026-{time}:00", **more}
    return cast.client_for(account).post_json(f"{READINGS}/submit", body)


def _fields(answer: Body) -> tuple[int, Any]:
    return answer.status, answer.data.get("fields")


def _meter(cast: Cast, code: str = "M1") -> tuple[Decimal, str, Decimal | None]:
    row = cast.machine(code)
    at = row.last_read_time
    return row.run_hours, f"{at + timedelta(hours=8):%m-%d %H:%M}" if at else "", row.avg_daily_hours


def _deltas(cast: Cast, code: str = "M1") -> list[tuple[str, str, str | None]]:
    rows = cast.client_for("operator").get(f"{READINGS}/list", machineId=str(cast.machine(code).pk)).data["records"]
    return [(row["readTime"][5:16], f"{row['value']:g}", row["delta"]) for row in reversed(rows)]


def test_readings_add_up_and_the_average_needs_three_of_them(cast: Cast) -> None:
    assert _meter(cast) == (0, "", None)
    assert _read(cast, 1860, "03-01 08:00").status == 200
    assert _meter(cast) == (1860, "03-01 08:00", None)
    assert _read(cast, 1868.4, "03-02 08:00").status == 200
    assert _meter(cast) == (Decimal("1868.4"), "03-02 08:00", None)
    assert _read(cast, "1876.5", "03-03 20:00").status == 200
    # 16.5 hours in two days and a half
    assert _meter(cast) == (Decimal("1876.5"), "03-03 20:00", Decimal("6.6"))
    assert _deltas(cast) == [
        ("03-01 08:00", "1860", None),
        ("03-02 08:00", "1868.4", 8.4),
        ("03-03 20:00", "1876.5", 8.1),
    ]
    [last] = cast.client_for("viewer").get(f"{READINGS}/list", size=1).data["records"]
    assert (last["userName"], last["sourceName"], last["readingNo"], last["isReset"], last["resetBase"]) == (
        cast.user("operator").real_name, "手工", "CB202603310003", 0, None,
    )  # fmt: skip
    card = cast.client_for("viewer").get(f"{MACHINES}/detail", id=str(cast.machine("M1").pk)).data
    assert (card["runHours"], card["lastReadTime"], card["avgDailyHours"]) == (1876.5, "2026-03-03 20:00:00", 6.6)


def test_the_average_is_of_the_thirty_days_before_the_last_reading(cast: Cast) -> None:
    for time, value in (("01-01 08:00", 0), ("03-01 08:00", 500), ("03-02 08:00", 510), ("03-03 08:00", 520)):
        assert _read(cast, value, time).status == 200
    assert _meter(cast)[2] == Decimal("10.0")
    # Two readings alone are too few: the others are older than 30 days by then.
    with clock.at(NOW + timedelta(days=40)):
        assert _read(cast, 900, "05-01 08:00").status == 200
        assert _meter(cast)[2] is None


def test_a_reading_that_does_not_fit_is_refused_and_changes_nothing(cast: Cast) -> None:
    assert _read(cast, 100, "03-01 08:00").status == 200
    assert _read(cast, 120, "03-02 08:00").status == 200
    before = checksum(A)
    for answer, expected in (
        (
            _read(cast, 119.9, "03-03 08:00"),
            {"value": "读数不能小于上次读数120（2026-03-02 08:00:00），如已更换计数器请勾选“换表”"},
        ),
        (_read(cast, 145, "03-03 08:00"), {"value": "两次读数之间增加25小时，超过实际间隔24小时"}),
        (_read(cast, 120.1, "03-02 07:00"), {"value": "读数不能大于下次读数120（2026-03-02 08:00:00）"}),
        (_read(cast, 99, "03-01 20:00"), {
            "value": "读数不能小于上次读数100（2026-03-01 08:00:00），如已更换计数器请勾选“换表”"
        }),
        (_read(cast, 101, "03-02 07:00"), {"value": "两次读数之间增加19小时，超过实际间隔1小时"}),
        (_read(cast, 121, "03-31 12:01"), {"readTime": "抄表时间不能晚于当前时间"}),
        (_read(cast, 121, "03-02 08:00"), {"readTime": "该设备在2026-03-02 08:00:00已有读数"}),
        (_read(cast, 5, "03-03 08:00", isReset=1, resetBase=6), {"resetBase": "新表起始读数不能大于本次读数"}),
        (_read(cast, 30, "03-03 08:00", isReset=1), {"value": "两次读数之间增加30小时，超过实际间隔24小时"}),
        (_read(cast, -1, "03-03 08:00"), {"value": "读数不能小于0"}),
        (_read(cast, 1, "03-03 08:00", code="LINE"), {"machineId": "厂区、车间、产线没有读数"}),
    ):  # fmt: skip
        assert _fields(answer) == (400, expected)
    assert checksum(A) == before
    english = cast.client_for("operator").in_english()
    body = {"machineId": str(cast.machine("M1").pk), "value": 145, "readTime": "2026-03-03 08:00:00"}
    assert english.post_json(f"{READINGS}/submit", body).msg == (
        "25 hours were counted between two readings that are 24 hours apart"
    )
    # A counter of hours has one place: five minutes more or less are no fault of the reader.
    assert _read(cast, 143.9, "03-03 07:50").status == 200


def test_an_older_reading_is_inserted_between_its_neighbours(cast: Cast) -> None:
    for time, value in (("03-01 08:00", 100), ("03-03 08:00", 140)):
        assert _read(cast, value, time).status == 200
    assert _read(cast, 118, "03-02 08:00").status == 200
    assert _deltas(cast) == [("03-01 08:00", "100", None), ("03-02 08:00", "118", 18), ("03-03 08:00", "140", 22)]
    assert _meter(cast) == (140, "03-03 08:00", Decimal("20.0"))
    # One before the first is the first from then on.
    assert _read(cast, 90, "02-28 08:00").status == 200
    assert _deltas(cast)[:2] == [("02-28 08:00", "90", None), ("03-01 08:00", "100", 10)]
    assert _meter(cast)[0] == 140


def test_a_new_counter_goes_on_where_the_old_one_ended(cast: Cast) -> None:
    for time, value, more in (
        ("03-01 08:00", 9990, {}),
        ("03-02 08:00", 10, {"isReset": 1}),
        ("03-03 08:00", 25.5, {}),
        ("03-04 08:00", 103, {"isReset": 1, "resetBase": 100}),
    ):
        assert _read(cast, value, time, **more).status == 200
    assert [delta for *_rest, delta in _deltas(cast)] == [None, 10, 15.5, 3]
    assert _meter(cast)[0] == Decimal("10018.5")
    # Without the reading that tells of the new counter the others would contradict each other.
    manager = cast.client_for("equip_manager")
    rows = manager.get(f"{READINGS}/list", machineId=str(cast.machine("M1").pk)).data["records"]
    before = checksum(A)
    refused = manager.post_json(f"{READINGS}/remove", ids=rows[2]["id"])
    assert (refused.status, refused["error"]) == (409, "reading.needed")
    assert refused.msg == (
        "没有这次读数，前后读数就不连续：读数不能小于上次读数9990（2026-03-01 08:00:00），如已更换计数器请勾选“换表”"
    )
    answer = manager.change(READINGS, {"id": rows[2]["id"], "isReset": 0})
    assert answer.status == 400
    assert checksum(A) == before


def test_what_follows_is_right_after_a_removal_and_a_correction(cast: Cast) -> None:
    for day, value in ((1, 100), (2, 110), (3, 130), (4, 140)):
        assert _read(cast, value, f"03-0{day} 08:00").status == 200
    manager = cast.client_for("equip_manager")
    rows = manager.get(f"{READINGS}/list", machineId=str(cast.machine("M1").pk)).data["records"]
    assert manager.post_json(f"{READINGS}/remove", ids=rows[1]["id"]).status == 200
    assert [delta for *_rest, delta in _deltas(cast)] == [None, 10, 30]
    assert _meter(cast) == (140, "03-04 08:00", Decimal("13.3"))
    assert manager.change(READINGS, {"id": rows[0]["id"], "value": 135}).status == 200
    assert [delta for *_rest, delta in _deltas(cast)] == [None, 10, 25]
    assert _meter(cast)[0] == 135
    # It moves in time, past another one.
    assert (
        manager.change(READINGS, {"id": rows[2]["id"], "readTime": "2026-03-06 08:00:00", "value": 150}).status == 200
    )
    assert _deltas(cast) == [("03-01 08:00", "100", None), ("03-04 08:00", "135", 35), ("03-06 08:00", "150", 15)]
    assert (
        manager.post_json(f"{READINGS}/remove", ids=",".join(row["id"] for row in (rows[0], rows[2], rows[3]))).status
        == 200
    )
    assert _meter(cast) == (0, "", None)


def test_other_units_count_as_fast_as_they_like_and_a_unit_with_readings_stays(cast: Cast) -> None:
    manager, machine = cast.client_for("equip_manager"), {"id": str(cast.machine("M1").pk)}
    assert manager.change(MACHINES, {**machine, "meterUnit": 2}).status == 200
    assert _read(cast, 0, "03-01 08:00").status == 200
    assert _read(cast, 90000, "03-01 09:00").status == 200
    answer = manager.change(MACHINES, {**machine, "meterUnit": 1})
    assert _fields(answer) == (400, {"meterUnit": "设备已有读数，不能更改计量单位"})
    # The form sends it as it is.
    assert manager.change(MACHINES, {**machine, "meterUnit": 2, "remark": "新"}).status == 200


def test_who_reads_meters_and_who_does_not(cast: Cast) -> None:
    for number, account in enumerate(("operator", "repairer", "repair_leader", "shift_leader", "equip_manager")):
        assert _read(cast, 10 + number, f"03-0{number + 1} 08:00", account).status == 200, account
    before = checksum(A)
    assert _read(cast, 90, "03-09 08:00", "viewer").status == 403
    [row, *_rest] = cast.client_for("viewer").get(f"{READINGS}/list").data["records"]
    assert cast.client_for("operator").post_json(f"{READINGS}/remove", ids=row["id"]).status == 403
    elsewhere = cast.client_for("equip_manager", B)
    assert elsewhere.get(f"{READINGS}/list").data["total"] == 0
    assert elsewhere.get(f"{READINGS}/detail", id=row["id"]).status == 404
    body = {"machineId": str(cast.machine("M1").pk), "value": 99, "readTime": "2026-03-09 08:00:00"}
    assert _fields(elsewhere.post_json(f"{READINGS}/submit", body)) == (400, {"machineId": "数据不存在或已被删除"})
    assert checksum(A) == before


def test_scrapped_and_sealed_machines_are_read_no_more(cast: Cast) -> None:
    for values, text in (
        ({"run_state": 7, "scrap_date": "2026-03-01", "scrap_reason": "x"}, "设备已报废，不能抄表"),
        ({"run_state": 1, "is_sealed": True}, "「车床」已封存，不能使用"),
    ):
        with tenant_scope(A):
            Machine.objects.filter(machine_code="M1").update(**values)
        assert _fields(_read(cast, 1, "03-01 08:00")) == (400, {"machineId": text})


def test_a_sheet_of_readings_is_checked_among_its_rows(cast: Cast) -> None:
    manager = cast.client_for("equip_manager")
    heads = ["设备", "抄表时间", "读数", "换表"]
    rows = [["M1", "2026-03-01 08:00:00", 100, "否"], ["M1", "2026-03-02 08:00:00", 90, "否"]]
    answer = _import(manager, READINGS, [heads, *rows])
    assert answer.data["errors"] == [
        {
            "row": 3,
            "field": "读数",
            "text": "读数不能小于上次读数100（2026-03-01 08:00:00），如已更换计数器请勾选“换表”",
        }
    ]
    assert cast.client_for("viewer").get(f"{READINGS}/list").data["total"] == 0
    rows[1][3] = "是"
    assert _import(manager, READINGS, [heads, *rows]).status == 400  # 90 hours of a new counter in a day
    rows[1][2] = 20
    assert _import(manager, READINGS, [heads, *rows]).data == {"created": 2, "updated": 0}
    assert _meter(cast)[0] == 120


def test_a_reading_costs_the_same_behind_many(cast: Cast) -> None:
    costs = []
    for day in (1, 2, 20):
        if day == 20:
            for between in range(3, 20):
                assert _read(cast, between * 10, f"03-{between:02} 08:00").status == 200
        with CaptureQueriesContext(connection) as captured:
            assert _read(cast, day * 10, f"03-{day:02} 08:00").status == 200
        costs.append(len(captured))
    assert costs[1] == costs[2]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer")
@pytest.mark.django_db(transaction=True)
def test_readings_at_the_same_moment_stay_one_row(cast: Cast) -> None:
    from django.db import connections

    machine, answers = cast.machine("M1").pk, []

    def read(hour: int) -> None:
        with clock.at(NOW):
            answers.append(_read(cast, 100 + hour if hour % 2 else 300 - hour, f"03-01 {hour:02}:00").status)
        connections.close_all()

    threads = [threading.Thread(target=read, args=(hour,)) for hour in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(answers) <= {200, 400}
    with tenant_scope(A):
        rows = list(MeterReading.objects.filter(machine=machine).order_by("read_time"))
        values = [row.value for row in rows]
        assert values == sorted(values)
        assert [row.delta for row in rows[1:]] == [b - a for a, b in pairwise(values)]
        assert Machine.objects.get(pk=machine).run_hours == values[-1]
