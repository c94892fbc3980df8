"""Holidays: a tenant's own days, a published year taken over, and the working calendar that they make."""

from __future__ import annotations

import importlib
import io
from datetime import date, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from openpyxl import Workbook, load_workbook

from core.audit.models import Event
from core.kernel import clock
from core.kernel.tenancy import PLATFORM, tenant_scope
from core.system import calendars, holidays
from core.system.models import CalendarVersion, Holiday
from tests.cast import A, B, Caller, Cast

HOLIDAY, PARAM = "yuzhu-equip/holiday", "blade-system/param"
SHANGHAI = ZoneInfo("Asia/Shanghai")
FRIDAY = datetime(2026, 2, 13, 16, tzinfo=SHANGHAI)
NOW = datetime(2026, 3, 2, 9, tzinfo=SHANGHAI)


def _add(caller: Caller, day: str, kind: int, name: str = "厂庆") -> Any:
    return caller.post_json(f"{HOLIDAY}/submit", {"day": day, "dayType": kind, "name": name})


def _days(tenant: str = A) -> dict[str, tuple[int, str]]:
    with tenant_scope(tenant):
        return {str(one.day): (one.day_type, one.name) for one in Holiday.objects.order_by("day")}


def _due(tenant: str = A) -> str:
    """When what begins on a Friday at 16:00, the day before a swap day, is due in two hours of working time."""
    with tenant_scope(tenant):
        return calendars.current().after(FRIDAY, 0, timedelta(hours=2)).strftime("%m-%d %H:%M")


def _version(tenant: str = A) -> int:
    with tenant_scope(tenant):
        return calendars.version()


def test_a_published_year_is_taken_over_and_no_day_made_by_hand_is_touched(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    assert _add(admin, "2026-02-14", 1, "厂休").status == 200
    assert admin.get(f"{HOLIDAY}/published").status == 200
    with tenant_scope(A), clock.at(NOW):
        assert holidays.offered() == [
            {"year": 2026, "days": 39, "missing": 38}, {"year": 2025, "days": 33, "missing": 33},
        ]  # fmt: skip
    taken = admin.post_json(f"{HOLIDAY}/takeOver", {"year": 2026})
    assert taken.data == {"year": 2026, "added": 38, "known": 1}
    days = _days()
    assert (len(days), days["2026-02-14"], days["2026-02-16"], days["2026-02-28"]) == (
        39, (1, "厂休"), (1, "春节"), (2, "春节"),
    )  # fmt: skip
    with tenant_scope(A):
        entry = Event.objects.get(operation="holiday.takeOver")
        assert (entry.remark, entry.changes[0]["new"]) == ("2026", ["38", "38"])
    before = _version()
    assert admin.post_json(f"{HOLIDAY}/takeOver", {"year": 2026}).data == {"year": 2026, "added": 0, "known": 39}
    assert (_days(), _version(), _days(B)) == (days, before, {})
    with tenant_scope(A), clock.at(NOW):
        assert [one["missing"] for one in holidays.offered()] == [0, 33]


def test_a_year_that_is_not_published_and_whoever_may_not_are_refused(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    answer = admin.in_english().post_json(f"{HOLIDAY}/takeOver", {"year": 2027})
    assert (answer.status, answer.data["fields"]) == (
        400, {"year": "The holidays of 2027 are not known; the latest published year is 2026"},
    )  # fmt: skip
    for year in ("", "x", 1999, 2200, 2026.5):
        assert admin.post_json(f"{HOLIDAY}/takeOver", {"year": year}).status == 400, year
    for account in ("equip_manager", "viewer", "flow_designer"):
        caller = cast.client_for(account)
        assert caller.post_json(f"{HOLIDAY}/takeOver", {"year": 2026}).status == 403
        assert caller.get(f"{HOLIDAY}/published").status == 403
    assert _days() == {}


def test_days_make_the_calendar_of_their_tenant_alone(cast: Cast) -> None:
    admin, versions = cast.client_for("tenant_admin"), [_version()]
    others = (_version(B), _version(PLATFORM))
    assert (_due(), _due(B)) == ("02-16 09:00", "02-16 09:00")
    worked = _add(admin, "2026-02-14", 2).data["id"]
    versions.append(_version())
    assert (_due(), _due(B)) == ("02-14 09:00", "02-16 09:00")
    assert admin.change(HOLIDAY, {"id": worked, "dayType": 1}).status == 200
    versions.append(_version())
    assert _due() == "02-16 09:00"
    assert _add(admin, "2026-02-16", 1).status == 200
    versions.append(_version())
    assert _due() == "02-17 09:00"
    assert admin.post_json(f"{HOLIDAY}/remove", ids=worked).status == 200
    versions.append(_version())
    assert len(set(versions)) == len(versions)
    assert (_version(B), _version(PLATFORM)) == others
    foreign = cast.client_for("tenant_admin", B).post_json(f"{HOLIDAY}/remove", ids=worked)
    assert foreign.status == 404
    twice = _add(admin, "2026-02-16", 2)
    assert twice.status in (400, 409) and _days() == {"2026-02-16": (1, "厂庆")}


def test_working_hours_and_weekdays_are_parameters(cast: Cast) -> None:
    admin, platform = cast.client_for("tenant_admin"), cast.platform()

    def change(caller: Caller, key: str, value: str) -> None:
        (row,) = caller.get(f"{PARAM}/list", paramKey_equal=key).data["records"]
        assert caller.change(PARAM, {"id": row["id"], "paramValue": value}).status == 200

    change(admin, "work.weekdays", "1,2,3,4,5,6")
    assert (_due(), _due(B)) == ("02-14 09:00", "02-16 09:00")
    (row,) = admin.in_english().get(f"{PARAM}/list", paramKey_equal="work.weekdays").data["records"]
    assert (row["paramValueName"], row["defaultValueName"]) == (
        "Mon, Tue, Wed, Thu, Fri, Sat", "Mon, Tue, Wed, Thu, Fri",
    )  # fmt: skip
    change(platform, "work.hours", "09:00-18:00")
    assert (_due(), _due(B)) == ("02-13 18:00", "02-13 18:00")
    change(admin, "work.hours", "08:00-16:30")
    assert (_due(), _due(B)) == ("02-14 09:30", "02-13 18:00")
    before = (_version(), _version(B))
    change(admin, "repair.repeat.days", "10")
    assert (_version(), _version(B)) == before


def test_the_calendar_is_read_once_and_its_version_each_time(cast: Cast) -> None:
    with tenant_scope(A):
        calendars.current()
        with CaptureQueriesContext(connection) as captured:
            assert calendars.current() is calendars.current()
        assert len([one for one in captured if "system_calendarversion" in one["sql"]]) == len(captured) == 2


def test_a_change_that_is_taken_back_leaves_no_calendar_behind(cast: Cast) -> None:
    with tenant_scope(A):
        with transaction.atomic():
            Holiday.objects.create(day=date(2026, 2, 16), day_type=1, name="x")
            assert _due() == "02-17 09:00"
            transaction.set_rollback(True)
        assert _due() == "02-16 09:00"
        Holiday.objects.create(day=date(2026, 2, 14), day_type=2, name="x")
        assert _due() == "02-14 09:00"
        assert CalendarVersion.objects.filter(tenant_id=A).count() == 1


ENGLISH = {
    "元旦": "New Year’s Day", "春节": "Spring Festival", "清明": "Tomb-Sweeping Day", "劳动节": "Labor Day",
    "端午": "Dragon Boat Festival", "中秋": "Mid-Autumn Festival", "国庆节": "National Day",
}  # fmt: skip


def _names(tenant: str = A) -> dict[str, str]:
    with tenant_scope(tenant):
        return dict(Holiday.objects.values_list("name", "name_en"))


def test_published_days_have_their_names_in_both_languages(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    assert _add(admin, "2026-02-14", 1, "厂休").status == 200
    assert admin.post_json(f"{HOLIDAY}/takeOver", {"year": 2026}).status == 200
    assert _names() == {**ENGLISH, "厂休": ""}
    asked = {"day_datege": "2026-02-14", "day_datelt": "2026-02-16"}
    for caller, called in ((admin, ["春节", "厂休"]), (admin.in_english(), ["Spring Festival", "厂休"])):
        rows = caller.get(f"{HOLIDAY}/list", **asked).data["records"]
        assert [row["title"] for row in rows] == [f"2026-02-{15 - n} {name}" for n, name in enumerate(called)]
        assert [(row["name"], row["nameEn"]) for row in rows] == [("春节", "Spring Festival"), ("厂休", "")]


def test_a_sheet_takes_the_english_names_along(cast: Cast) -> None:
    admin, other = cast.client_for("tenant_admin"), cast.client_for("tenant_admin", B)
    assert admin.post_json(f"{HOLIDAY}/takeOver", {"year": 2026}).status == 200
    content = Client().get(f"/api/{HOLIDAY}/export", headers=admin._headers()).content
    heads, *rows = load_workbook(io.BytesIO(content)).active.values
    assert heads[:4] == ("日期", "假日类型", "名称", "英文名称")
    assert {row[2]: row[3] for row in rows} == ENGLISH
    sent = other.post_form(f"{HOLIDAY}/import", file=SimpleUploadedFile("x.xlsx", content))
    assert (sent.data, _names(B)) == ({"created": 39, "updated": 0}, ENGLISH)


def test_days_of_earlier_releases_are_named_and_those_with_a_name_of_their_own_are_not(cast: Cast) -> None:
    with tenant_scope(A):
        for day, zh, en in (
            ("2026-02-16", "春节", ""),
            ("2026-05-01", "劳动节", "May Day"),
            ("2026-05-04", "厂庆", ""),
        ):
            Holiday.objects.create(day=day, day_type=1, name=zh, name_en=en)
    module = importlib.import_module("core.system.migrations.0005_holidays_in_english")
    with tenant_scope(A):
        module.name(apps, SimpleNamespace(connection=connection))
    assert _names() == {"春节": "Spring Festival", "劳动节": "May Day", "厂庆": ""}


def _import(caller: Caller, *rows: tuple[Any, ...], **fields: Any) -> Any:
    book = Workbook()
    for row in (("日期", "假日类型", "名称"), *rows):
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return caller.post_form(f"{HOLIDAY}/import", file=SimpleUploadedFile("x.xlsx", out.getvalue()), **fields)


def test_a_sheet_knows_a_day_again_whether_it_is_a_date_or_a_text(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    day = datetime(2026, 5, 4)
    assert _import(admin, (day, "休息", "厂休"), ("2026-05-09", "调休上班", "补班")).data == {
        "created": 2,
        "updated": 0,
    }
    before = _days()
    for row in (("soon", "休息", "x"), ("2026-02-30", "休息", "x"), (day, "休息", "x"), ("2026-05-04", "假", "x")):
        answer = _import(admin, ("2026-05-10", "休息", "x"), row)
        assert (answer.status, answer.data["errors"][0]["row"]) == (400, 3), answer
    twice = _import(admin, (day, "休息", "x"), ("2026-05-04", "休息", "y"), isCovered=1)
    assert "与第2行重复" in str(twice.data["errors"])
    assert _days() == before
    assert _import(admin, ("2026-05-04", "休息", "厂庆"), isCovered=1).data == {"created": 0, "updated": 1}
    assert _days() == {**before, "2026-05-04": (1, "厂庆")}
