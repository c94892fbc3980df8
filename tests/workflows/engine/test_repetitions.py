"""Repetitions and calendar rules: which texts are taken, and the exact moments at which they come."""

from calendar import monthrange
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from workflows import engine
from workflows.engine.calendar_rules import WEEKDAYS
from workflows.engine.dialects.cron import repetition_of
from workflows.engine.repetitions import check_cycle, rest_of

SHANGHAI, BERLIN = ZoneInfo("Asia/Shanghai"), ZoneInfo("Europe/Berlin")


def moments(text: str, after: str, zone: ZoneInfo = SHANGHAI, begun: str = "") -> Iterator[str]:
    """The occurrences after a moment, as a clock on the wall shows them."""
    moment = datetime.fromisoformat(after).replace(tzinfo=zone)
    begin = datetime.fromisoformat(begun).replace(tzinfo=zone) if begun else moment
    written = check_cycle(text, text)
    while (found := engine.occurrence("cycle", written, moment, begin)) is not None:
        assert found > moment
        yield f"{found:%Y-%m-%d %H:%M}"
        moment = found


@pytest.mark.parametrize(
    ("text", "after", "expected"),
    [
        ("FREQ=MONTHLY;BYMONTHDAY=-1;BYHOUR=8", "2027-12-31 08:00", "2028-01-31 08:00|2028-02-29 08:00"),
        ("RRULE:FREQ=MONTHLY;BYMONTHDAY=31", "2026-01-31 00:00", "2026-03-31 00:00|2026-05-31 00:00|2026-07-31 00:00"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "2095-01-01", "2096-02-29 00:00|2104-02-29 00:00|2108-02-29 00:00"),
        ("FREQ=WEEKLY;BYDAY=MO,FR;BYHOUR=8,20;BYMINUTE=30", "2026-12-04 08:30", "2026-12-04 20:30|2026-12-07 08:30"),
        ("FREQ=MONTHLY;BYDAY=2TU,-1FR;BYHOUR=9", "2026-12-01", "2026-12-08 09:00|2026-12-25 09:00|2027-01-12 09:00"),
        ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "2026-01-01", "2026-02-13 00:00|2026-03-13 00:00|2026-11-13 00:00"),
        ("FREQ=DAILY;BYDAY=SA;BYMONTH=12", "2026-12-20", "2026-12-26 00:00|2027-12-04 00:00"),
        ("DTSTART:20260131T080000\nRRULE:FREQ=MONTHLY", "2026-01-01", "2026-01-31 08:00|2026-03-31 08:00"),
        ("DTSTART:20260105T080000 FREQ=WEEKLY;INTERVAL=2", "2031-01-01", "2031-01-13 08:00|2031-01-27 08:00"),
        ("DTSTART:20260107T080000 FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR", "2026-01-01",
         "2026-01-09 08:00|2026-01-19 08:00|2026-01-23 08:00"),
        ("DTSTART:20251130 FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=1", "2026-01-01", "2026-04-01 00:00|2026-09-01 00:00"),
        ("DTSTART:20240229T1200 FREQ=DAILY", "2026-01-01", None),
        ("DTSTART:20240229T120000 FREQ=YEARLY", "2026-01-01", "2028-02-29 12:00|2032-02-29 12:00"),
        ("DTSTART:20260101T100000 FREQ=DAILY;INTERVAL=3;COUNT=3", "2026-01-02", "2026-01-04 10:00|2026-01-07 10:00|"),
        ("FREQ=DAILY;BYHOUR=8;UNTIL=20260102", "2026-01-01", "2026-01-01 08:00|2026-01-02 08:00|"),
        ("FREQ=DAILY;BYHOUR=8;UNTIL=20260102T000000Z", "2026-01-01", "2026-01-01 08:00|2026-01-02 08:00|"),
        ("FREQ=DAILY;BYHOUR=8;UNTIL=20260101T235959Z", "2026-01-01", "2026-01-01 08:00|"),
        ("R/2026-01-31T08:00/P1M", "2026-01-31 08:00", "2026-02-28 08:00|2026-03-31 08:00|2026-04-30 08:00"),
        ("R3/2026-12-01T08:00/P1W", "2026-01-01", "2026-12-01 08:00|2026-12-08 08:00|2026-12-15 08:00|"),
        ("R3/2026-12-01T08:00:00+00:00/PT1H", "2026-12-01 16:30", "2026-12-01 17:00|2026-12-01 18:00|"),
        ("R/2000-01-01T00:00/PT5M", "2026-12-01 16:31", "2026-12-01 16:35|2026-12-01 16:40"),
        ("R2/P1D", "2026-01-01 10:00", "2026-01-02 10:00|2026-01-03 10:00|"),
        ("R/P1D|2026-01-03T09:00", "2026-01-01 10:00", "2026-01-02 10:00|"),
        ("R/P100Y", "2026-01-01 10:00", "2126-01-01 10:00|2226-01-01 10:00"),
    ],
)  # fmt: skip
def test_a_repetition_comes_at_these_moments(text: str, after: str, expected: str | None) -> None:
    if expected is None:
        with pytest.raises(engine.ExpressionError):
            next(moments(text, after))
        return
    wanted = expected.split("|")
    is_over = wanted[-1] == ""
    found = list(islice(moments(text, after, begun=after), len(wanted)))
    assert found == (wanted[:-1] if is_over else wanted)


@pytest.mark.parametrize(
    ("text", "after", "expected"),
    [
        # On 29 March 2026 the clocks skip from 02:00 to 03:00; on 25 October they go from 03:00 back to 02:00.
        ("FREQ=DAILY;BYHOUR=2;BYMINUTE=30", "2026-03-28 12:00", ["2026-03-29 03:30", "2026-03-30 02:30"]),
        ("FREQ=DAILY;BYHOUR=2,3;BYMINUTE=0,30", "2026-03-28 12:00",
         ["2026-03-29 03:00", "2026-03-29 03:30", "2026-03-30 02:00"]),
        ("FREQ=DAILY;BYHOUR=2;BYMINUTE=30", "2026-10-24 12:00", ["2026-10-25 02:30", "2026-10-26 02:30"]),
        ("R/2026-03-28T12:00/P1D", "2026-03-28 12:00", ["2026-03-29 12:00", "2026-03-30 12:00"]),
        ("R/2026-03-28T12:00/PT24H", "2026-03-28 12:00", ["2026-03-29 13:00", "2026-03-30 13:00"]),
    ],
)  # fmt: skip
def test_clock_changes_move_nothing_and_double_nothing(text: str, after: str, expected: list[str]) -> None:
    assert list(islice(moments(text, after, BERLIN), len(expected))) == expected


def test_what_a_skipped_time_is_moved_behind_comes_before_it() -> None:
    # On Lord Howe Island the clocks skip from 02:00 to 02:30 on 4 October 2026.
    zone = ZoneInfo("Australia/Lord_Howe")
    found = moments("FREQ=DAILY;BYHOUR=2;BYMINUTE=15,30", "2026-10-03 12:00", zone)
    assert list(islice(found, 3)) == ["2026-10-04 02:30", "2026-10-04 02:45", "2026-10-05 02:15"]


def test_the_hour_that_comes_twice_is_the_first_one() -> None:
    before = datetime(2026, 10, 25, 1, tzinfo=BERLIN)
    found = engine.occurrence("cycle", "RRULE:FREQ=DAILY;BYHOUR=2;BYMINUTE=30", before, before)
    assert found is not None and found.astimezone(UTC) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


TABLE = (
    {"frequency": "DAILY", "hours": (8, 20)},
    {"frequency": "DAILY", "hours": (2,), "minutes": (0, 15, 30), "weekdays": ((0, "SU"),)},
    {"frequency": "DAILY", "interval": 7, "hours": (6,)},
    {"frequency": "WEEKLY", "weekdays": ((0, "MO"), (0, "WE"), (0, "SU")), "hours": (2,), "minutes": (30,)},
    {"frequency": "WEEKLY", "interval": 3, "weekdays": ((0, "SU"), (0, "TH")), "hours": (7,)},
    {"frequency": "MONTHLY", "month_days": (-1,), "hours": (8,)},
    {"frequency": "MONTHLY", "month_days": (1, 15, 31), "months": (1, 2, 3, 10), "hours": (2,)},
    {"frequency": "MONTHLY", "interval": 2, "weekdays": ((-1, "SU"), (2, "TU")), "hours": (2,), "minutes": (59,)},
    {"frequency": "MONTHLY", "weekdays": ((5, "FR"),), "hours": (0,)},
    {"frequency": "YEARLY", "months": (2,), "month_days": (-1,), "hours": (23,), "minutes": (59,)},
    {"frequency": "YEARLY", "interval": 2, "months": (3, 10), "weekdays": ((-1, "SU"),), "hours": (2,)},
    {"frequency": "YEARLY", "months": (12,), "weekdays": ((0, "FR"),), "month_days": (4, 11, 13), "hours": (8,)},
)
ANCHOR = date(2023, 11, 29)


@pytest.mark.parametrize("zone", [SHANGHAI, BERLIN], ids=str)
@pytest.mark.parametrize("said", TABLE, ids=lambda said: said["frequency"])
def test_three_years_agree_with_every_day_looked_at(said: dict[str, Any], zone: ZoneInfo) -> None:
    rule = {"interval": 1, "weekdays": (), "month_days": (), "months": (), "minutes": (0,), **said}
    wanted = sorted(
        {
            datetime.combine(day, time(hour, minute), zone).astimezone(UTC)
            for day in (date(2024, 1, 1) + timedelta(days=number) for number in range(1096))
            if _comes_on(rule, day)
            for hour in rule["hours"]
            for minute in rule["minutes"]
        }
    )
    moment = datetime.combine(date(2023, 12, 31), time(23, 59, 59), zone)
    found = []
    text = _text(rule)
    while (moment := engine.occurrence("cycle", text, moment, moment)).year < 2027:
        found.append(moment.astimezone(UTC))
    assert found == wanted


def _comes_on(rule: dict[str, Any], day: date) -> bool:
    """What RFC 5545 says of a day, asked of that day alone."""
    passed = {
        "DAILY": (day - ANCHOR).days,
        "WEEKLY": (day - timedelta(days=day.weekday()) - (ANCHOR - timedelta(days=ANCHOR.weekday()))).days // 7,
        "MONTHLY": (day.year - ANCHOR.year) * 12 + day.month - ANCHOR.month,
        "YEARLY": day.year - ANCHOR.year,
    }[rule["frequency"]]
    if passed % rule["interval"] or (rule["months"] and day.month not in rule["months"]):
        return False
    length = monthrange(day.year, day.month)[1]
    if rule["month_days"] and not {day.day, day.day - length - 1} & set(rule["month_days"]):
        return False
    first, last = (day.day - 1) // 7 + 1, -((length - day.day) // 7) - 1
    word = WEEKDAYS[day.weekday()]
    return not rule["weekdays"] or bool({(0, word), (first, word), (last, word)} & set(rule["weekdays"]))


def _text(rule: dict[str, Any]) -> str:
    parts = [f"FREQ={rule['frequency']}", f"INTERVAL={rule['interval']}"]
    days = [f"{number or ''}{word}" for number, word in rule["weekdays"]]
    fields = {"BYMONTHDAY": "month_days", "BYMONTH": "months", "BYHOUR": "hours", "BYMINUTE": "minutes"}
    for name, values in [("BYDAY", days), *((name, rule[field]) for name, field in fields.items())]:
        if values:
            parts.append(f"{name}={','.join(map(str, values))}")
    return f"DTSTART:{ANCHOR:%Y%m%d}T000000\nRRULE:{';'.join(parts)}"


@pytest.mark.parametrize(
    "text",
    [
        "FREQ=SECONDLY", "FREQ=HOURLY;BYMINUTE=0", "FREQ=WEEKLY", "FREQ=MONTHLY", "FREQ=YEARLY;BYMONTHDAY=1",
        "FREQ=DAILY;INTERVAL=2", "FREQ=DAILY;COUNT=3", "FREQ=DAILY;BYHOUR=24", "FREQ=DAILY;BYSECOND=1",
        "FREQ=DAILY;BYHOUR=8;BYHOUR=9", "FREQ=WEEKLY;BYDAY=1MO", "FREQ=WEEKLY;BYDAY=XX", "FREQ=WEEKLY;BYMONTHDAY=1",
        "FREQ=MONTHLY;BYMONTHDAY=0", "FREQ=MONTHLY;BYMONTHDAY=30;BYMONTH=2", "FREQ=MONTHLY;BYDAY=6MO",
        "FREQ=DAILY;BYHOUR=", "FREQ=DAILY;UNTIL=20260230", "FREQ=DAILY;UNTIL=tomorrow", "FREQ=DAILY;BYHOUR=８",
        "DTSTART:20260101T000000Z FREQ=DAILY", "DTSTART;TZID=Europe/Berlin:20260101T000000 FREQ=DAILY",
        "DTSTART:00010101T000000 FREQ=DAILY", "DTSTART:20260101 FREQ=DAILY;COUNT=1001", "DTSTART:20260101",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "DTSTART:20230101 FREQ=YEARLY;INTERVAL=100;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=DAILY;BYHOUR=" + ",".join(["8"] * 200), "FREQ=DAILY;WKST=SU", "R/2026-01-01T00:00/P1D/P1D",
        "R/2026-01-01T00:00/2026-02-01T00:00", "R/x/P1D", "R/2026-01-01T00:00/PT59S", "R/P1D|x", "0 0 8 * * ?",
    ],
)  # fmt: skip
def test_what_is_no_repetition_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(engine.ExpressionError) as caught:
        check_cycle("${x}", text)
    assert caught.value.text == "${x}"
    assert caught.value.text_zh and caught.value.text_en


@pytest.mark.parametrize(
    ("cron", "written"),
    [
        ("0 0 8 * * ?", "RRULE:FREQ=DAILY;BYHOUR=8;BYMINUTE=0"),
        ("0 30 8,20 ? * MON-FRI *", "RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8,20;BYMINUTE=30"),
        ("0 0 12 1/10 1-3 ?", "RRULE:FREQ=MONTHLY;BYMONTH=1,2,3;BYMONTHDAY=1,11,21,31;BYHOUR=12;BYMINUTE=0"),
        ("0 0 8 L * ?", "RRULE:FREQ=MONTHLY;BYMONTHDAY=-1;BYHOUR=8;BYMINUTE=0"),
        ("0 0 8 L-2 DEC ?", "RRULE:FREQ=MONTHLY;BYMONTH=12;BYMONTHDAY=-3;BYHOUR=8;BYMINUTE=0"),
        ("0 0 8 ? * 2#1", "RRULE:FREQ=MONTHLY;BYDAY=1MO;BYHOUR=8;BYMINUTE=0"),
        ("0 0 8 ? * 6L", "RRULE:FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=8;BYMINUTE=0"),
        ("0 0 8 ? * 1,7", "RRULE:FREQ=WEEKLY;BYDAY=SU,SA;BYHOUR=8;BYMINUTE=0"),
        ("5 0/15 * * * ?", "R/2000-01-01T00:00:00/PT15M"),
        ("0 * * * * ?", "R/2000-01-01T00:00:00/PT1M"),
        ("0 7 * * * ?", "R/2000-01-01T00:07:00/PT60M"),
        *((cron, "") for cron in (
            "*/5 * * * * ?", "0 0 8 15W * ?", "0 0 8 1 * MON", "0 0 8 * * ? 2027", "0 0 24 * * ?", "0 8 * * *",
            "0 0 8 ? * MON,2#1", "0 0 8 L2 * ?", "0 0 8 * FOO ?", "R/P1D", "", "0 0 8-x * * ?")),
    ],
)  # fmt: skip
def test_a_cron_text_is_read_where_it_says_a_repetition(cron: str, written: str) -> None:
    assert repetition_of(cron) == written
    if written:
        assert check_cycle(written, written)


def test_what_a_cron_text_leaves_out_is_told(xml: Any) -> None:
    body = """<startEvent id="s"><timerEventDefinition><timeCycle>{} 0 8 * * ?</timeCycle></timerEventDefinition>
      </startEvent><userTask id="w"/><endEvent id="e"/><f a="s" b="w"/><f a="w" b="e"/>"""
    assert engine.adopt(engine.read(xml(body.format("0")))) == []
    (told,) = engine.adopt(engine.read(xml(body.format("5"))))
    assert (told.element, told.code, told.level) == ("s", "cron_seconds", "warning")
    assert engine.parse(xml(body.format("5"))).timed_starts["s"].text == "RRULE:FREQ=DAILY;BYHOUR=8;BYMINUTE=0"


def test_a_rule_is_kept_in_its_standard_form() -> None:
    rule = "dtstart:20260105t080000  rrule:freq=weekly;byday=fr,mo;interval=2;until=20270101"
    kept = "DTSTART:20260105T080000\nRRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=FR,MO;BYHOUR=8;BYMINUTE=0;UNTIL=20270101T235959"
    assert check_cycle(rule, rule) == kept
    assert check_cycle(kept, kept) == kept
    assert check_cycle("x", "R3/PT1H", "2027-01-01T08:00") == "R3/PT1H|2027-01-01T08:00"


def test_only_a_length_that_repeats_is_used_up() -> None:
    assert [rest_of(text) for text in ("R3/PT1H", "R1/PT1H", "R/PT1H", "R2/PT1H|2027-01-01")] == [
        "R2/PT1H", "", "R/PT1H", "R1/PT1H|2027-01-01",
    ]  # fmt: skip
    for text in ("RRULE:FREQ=DAILY;BYHOUR=8;BYMINUTE=0", "R3/2026-01-01T00:00/P1D"):
        assert rest_of(text) == text


CYCLE = """<startEvent id="s"/><userTask id="w"/><boundaryEvent id="b" attachedToRef="w" cancelActivity="false">
  <timerEventDefinition><timeCycle{}>{}</timeCycle></timerEventDefinition></boundaryEvent><endEvent id="e"/>
  <f a="s" b="w"/><f a="w" b="e"/><f a="b" b="e"/>"""


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("R10/PT24H/2027-01-01T00:00:05", "R10/PT24H|2027-01-01T00:00:05"),
        ("R/P1D/${until}", "R/P1D|2027-02-01T08:00"),
        ("R2/2026-01-01T00:00/P1D", "R2/2026-01-01T00:00/P1D"),
    ],
)
def test_a_cycle_of_flowable_may_end_at_a_moment(xml: Any, drive: Any, text: str, kept: str) -> None:
    assert engine.adopt(engine.read(xml(CYCLE.format("", text)))) == []
    run = drive(CYCLE.format("", text))
    step = run.start(until="2027-02-01T08:00")
    assert [(timer.node, timer.kind, timer.text) for timer in step.timers] == [("b", "cycle", kept)]


def test_a_cycle_with_an_end_is_refused_where_the_end_is_said_twice_or_is_none(xml: Any) -> None:
    twice = ' flowable:endDate="2027-01-01"'
    for more, text in ((twice, "R/P1D/2027-01-01"), ("", "R/P1D/soon"), ("", "R/PT30S/2027-01-01")):
        with pytest.raises(engine.ModelError) as caught:
            engine.parse(xml(CYCLE.format(more, text)))
        assert [(problem.element, problem.code) for problem in caught.value.problems] == [("b", "timer")]


def test_a_cycle_with_an_end_in_nobodys_dialect_is_told(xml: Any) -> None:
    drawn = xml(CYCLE.format("", "R3/P1D/2027-01-01")).replace(b'xmlns:flowable="http://flowable.org/bpmn" ', b"")
    (told,) = engine.adopt(engine.read(drawn))
    assert (told.element, told.code, told.level) == ("b", "cycle_end", "warning")
    assert told.text_en == "It repeats from when the timer begins until “2027-01-01”"
    assert told.text_zh == "从计时开始重复，直到“2027-01-01”"
