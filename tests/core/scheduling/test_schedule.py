"""Scheduled jobs: when they are due, that each is run once, what comes of kills, and who may do what."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connections

from core.audit.models import CallLog, Event
from core.desk.models import Message
from core.kernel import clock
from core.kernel.actor import acting, system
from core.kernel.tenancy import PLATFORM, current_tenant, tenant_scope
from core.kernel.texts import label
from core.scheduling import cron, schedule
from core.scheduling.models import JobGroup, ScheduleJob, ScheduleLog
from tests.cast import A, B, Cast
from tests.checksums import shared_checksum

JOBS, LOGS = "yuzhu-task/schedulejob", "yuzhu-task/schedulelog"
SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 9, 2, 10, 0, 30, tzinfo=SHANGHAI)


class Work:
    """What a job of these tests does: it notes for whom, and fails where it is told to."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.fails: set[str] = set()

    def __call__(self) -> schedule.Counts:
        if current_tenant() in self.fails:
            raise ValueError("坏了")
        self.done.append(current_tenant())
        return schedule.Counts(handled=2, created=1)


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    """The only job that there is: every five minutes, of the business."""
    found = Work()
    job = schedule.Job("demo.work", "示例", "做事", JobGroup.BUSINESS, "0 0/5 * * * ?", found)
    monkeypatch.setattr(schedule, "jobs", {job.code: job})
    with clock.at(NOW):
        schedule.install()
    return found


def at(minutes: float) -> Any:
    """Set the clock to so many minutes after the beginning."""
    return clock.at(NOW + timedelta(minutes=minutes))


def the_job() -> ScheduleJob:
    """The job as it stands."""
    return ScheduleJob.objects.get(job_code="demo.work")


def logs() -> list[tuple[int, int, str]]:
    """Trigger, status and due minute of each run, oldest first."""
    rows = ScheduleLog.objects.order_by("due_time", "id")
    return [(one.trigger_type, one.status, f"{one.due_time.astimezone(SHANGHAI):%H:%M}") for one in rows]


def settled(**values: Any) -> None:
    """Set columns of the job."""
    ScheduleJob.objects.filter(job_code="demo.work").update(**values)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0 10 0 * * ?", ["09-03 00:10:00", "09-04 00:10:00"]),
        ("0 0/30 9-10 * * ?", ["09-02 10:30:00", "09-03 09:00:00"]),
        ("15,45 0 12 ? * MON-FRI", ["09-02 12:00:15", "09-02 12:00:45"]),
        ("0 0 1 26 1-11 ?", ["09-26 01:00:00", "10-26 01:00:00"]),
        ("0 0 8 L * ?", ["09-30 08:00:00", "10-31 08:00:00"]),
        ("0 0 8 ? * 6L", ["09-25 08:00:00", "10-30 08:00:00"]),
        ("0 0 8 ? * 2#1", ["09-07 08:00:00", "10-05 08:00:00"]),
        ("0 0 8 1 JAN *", ["01-01 08:00:00", "01-01 08:00:00"]),
    ],
)
def test_cron_texts_say_when(text: str, expected: list[str]) -> None:
    found, at = [], NOW
    for _ in expected:
        at = cron.read(text).next_after(at, SHANGHAI)
        found.append(f"{at.astimezone(SHANGHAI):%m-%d %H:%M:%S}")
    assert found == expected


def test_other_texts_are_none_and_what_never_comes_neither() -> None:
    for text in (
        "",
        "* * * * *",
        "0 0 0 1 * MON",
        "60 0 0 * * ?",
        "0 0 0 32 * ?",
        "* * * * * ?",
        "0 x 0 * * ?",
        "0 5-1 0 * * ?",
    ):
        with pytest.raises(cron.BadCron):
            cron.read(text)
    with pytest.raises(cron.BadCron):
        cron.read("0 0 0 30 2 ?").next_after(NOW, SHANGHAI)
    # A time that the clocks leave out comes an hour later, one shown twice comes once.
    berlin = ZoneInfo("Europe/Berlin")
    spring = cron.read("0 30 2 * * ?").next_after(datetime(2026, 3, 29, 0, 0, tzinfo=berlin), berlin)
    assert spring == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)


def test_each_time_is_one_run_for_every_company(cast: Cast, work: Work) -> None:
    with at(4):
        assert (schedule.sweep(), logs()) == (0, [])
    with at(5):
        assert schedule.sweep() == 1 and schedule.sweep() == 0
        assert sorted(work.done) == [PLATFORM, A, B]
    assert logs() == [(1, 2, "10:05")]
    log = ScheduleLog.objects.get()
    assert (log.handled, log.created, log.failed, log.message) == (6, 3, 0, "")
    assert log.detail.splitlines()[1] == f"{A} handled=2 created=1 skipped=0 failed=0"
    job = the_job()
    assert (job.last_result, job.next_fire_time) == (2, datetime(2026, 9, 2, 10, 10, tzinfo=SHANGHAI))
    settled(tenant_scope=2, tenant_ids=[B])
    with at(10):
        assert schedule.sweep() == 1 and work.done[3:] == [B]


def test_a_company_that_fails_stops_no_other_and_is_tried_again_and_told(cast: Cast, work: Work) -> None:
    admin = cast.user("platform", PLATFORM).pk
    settled(retry_count=1, alarm_user_ids=[admin])
    work.fails = {A}
    with at(5):
        assert schedule.sweep() == 2
    assert sorted(work.done) == sorted([PLATFORM, B] * 2)
    assert logs() == [(1, 3, "10:05"), (3, 3, "10:05")]
    log = ScheduleLog.objects.first()
    assert log is not None and (log.failed, log.message) == (1, f"{A} ValueError: 坏了") and "Traceback" in log.detail
    from core.scheduling import outbox

    outbox.deliver_due()
    with tenant_scope(PLATFORM):
        told = Message.objects.filter(business_type="schedulejob").values_list("user_id", "title")
        assert list(told) == [(admin, "定时任务失败")]


def test_what_was_missed_is_ignored_or_made_up_for_once(cast: Cast, work: Work) -> None:
    with at(32):  # 10:32:30: due since 10:05, and the last time over two minutes ago
        assert schedule.sweep() == 0 and logs() == []
        assert the_job().next_fire_time == datetime(2026, 9, 2, 10, 35, tzinfo=SHANGHAI)
    settled(misfire=2)
    with at(52):
        assert schedule.sweep() == 1
        assert logs() == [(4, 2, "10:50")]


def test_while_a_run_lasts_the_next_is_left_out_or_waits_once(cast: Cast, work: Work) -> None:
    settled(timeout_seconds=7200)
    with at(5):
        schedule.fire_due()
        first = schedule.claim()
        assert first is not None and schedule.claim() is None
    with at(10):
        assert schedule.sweep() == 0
        assert logs() == [(1, 1, "10:05"), (1, 5, "10:10")]
    settled(block_strategy=2)
    for minute in (15, 20):
        with at(minute):
            assert schedule.sweep() == 0
    assert logs()[2:] == [(1, 1, "10:15"), (1, 5, "10:20")]
    with at(21):
        assert schedule.run(first) == 1
        assert schedule.sweep() == 1
    assert [status for _trigger, status, _due in logs()] == [2, 5, 2, 5]


def test_a_killed_worker_is_taken_over_after_its_lease_and_counts_no_more(cast: Cast, work: Work) -> None:
    with at(5):
        schedule.fire_due()
        killed = schedule.claim()
        assert killed is not None and schedule.sweep() == 0
    settled(next_fire_time=None)
    with at(14.9):
        assert schedule.sweep() == 0
    with at(15):
        assert schedule.sweep() == 1
    assert logs() == [(1, 4, "10:05"), (3, 2, "10:05")]
    assert work.done == [PLATFORM, A, B]
    # It was not killed, but only slow: what it did for nobody any more is not noted.
    with at(16):
        assert schedule.run(killed) == 0
    assert logs() == [(1, 4, "10:05"), (3, 2, "10:05")]


def test_a_run_ends_at_its_time_limit(cast: Cast, work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter([0.0, 0.0, 0.0, 700.0, 700.0, 700.0, 700.0])
    with at(5):
        schedule.fire_due()
        fire = schedule.claim()
        assert fire is not None
        monkeypatch.setattr(schedule.time, "monotonic", lambda: next(ticks))
        assert schedule.run(fire) == 1
    assert (len(work.done), logs()) == (2, [(1, 4, "10:05")])


@pytest.mark.django_db(transaction=True)
def test_eight_schedulers_and_workers_make_one_run_of_each_time(cast: Cast, work: Work) -> None:
    def one(_number: int) -> int:
        try:
            with at(5):
                return schedule.sweep()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(one, range(8))) == 1
    assert logs() == [(1, 2, "10:05")] and work.done == [PLATFORM, A, B]
    ScheduleLog.objects.all().delete()
    ScheduleJob.objects.all().delete()


def test_the_platform_starts_stops_and_sets_and_companies_run_their_own(cast: Cast, work: Work) -> None:
    platform, admin = cast.platform(), cast.client_for("tenant_admin")
    row_id = str(the_job().pk)
    shown = platform.get(f"{JOBS}/list").data["records"]
    assert [(one["jobCode"], one["status"], one["running"], one["uuid"]) for one in shown] == [
        ("demo.work", 1, 0, the_job().uuid)
    ]
    before = shared_checksum()
    for call in ("start", "stop", "update", "run"):
        for who in (cast.client_for("equip_manager"), cast.client_for("viewer"), admin):
            if (who, call) != (admin, "run"):
                assert who.post_json(f"{JOBS}/{call}", {"id": row_id}).status == 403, call
    assert shared_checksum() == before
    stopped = platform.post_json(f"{JOBS}/stop", {"uuid": the_job().uuid}).data
    assert stopped == {"id": row_id, "status": 0, "running": 0, "nextFireTime": None}
    assert platform.post_json(f"{JOBS}/stop", {"id": row_id}).data == stopped
    with at(5):
        assert schedule.sweep() == 0
    # By hand it is run whatever its status, and its next time stays.
    answer = admin.post_json(f"{JOBS}/run", {"id": row_id}).data
    assert (answer["status"], answer["running"], answer["nextFireTime"]) == (0, 1, None)
    busy = admin.post_json(f"{JOBS}/run", {"id": row_id})
    assert (busy.status, busy.msg) == (409, "任务正在执行中，请稍后再试")
    assert schedule.sweep() == 1 and work.done == [A]
    detail = admin.get(f"{LOGS}/detail", uuid=answer["logUuid"]).data
    assert (detail["statusName"], detail["triggerTypeName"], detail["operatorName"]) == ("成功", "手动", "赵理")
    assert admin.get(f"{LOGS}/list", uuid=the_job().uuid).data["total"] == 1
    assert cast.client_for("tenant_admin", B).get(f"{LOGS}/list").data["total"] == 0
    assert cast.client_for("tenant_admin", B).get(f"{LOGS}/detail", uuid=answer["logUuid"]).status == 404
    started = platform.post_json(f"{JOBS}/start", {"ids": row_id}).data
    assert started["status"] == 1 and started["nextFireTime"]


def test_settings_are_checked_and_act_from_now_on(cast: Cast, work: Work) -> None:
    platform = cast.platform()
    row_id = str(the_job().pk)

    def change(**values: Any) -> Any:
        version = the_job().lock_version
        return platform.post_json(f"{JOBS}/update", {"id": row_id, "lockVersion": version, **values})

    before = shared_checksum()
    for values, said in (
        ({"cron": "0 0 0 31 2 ?"}, "Cron表达式不正确"),
        ({"cron": "每天"}, "Cron表达式不正确"),
        ({"scheduleType": 2}, "请输入间隔(秒)"),
        ({"scheduleType": 2, "intervalSeconds": 59}, "间隔(秒)应在60到2678400之间"),
        ({"timeoutSeconds": 9}, "超时(秒)应在10到7200之间"),
        ({"retryCount": 4}, "失败重试次数应在0到3之间"),
        ({"tenantScope": 2}, "请输入指定租户"),
        ({"tenantIds": "999999"}, "数据不存在或已被删除"),
        ({"alarmUserIds": str(cast.user("viewer").pk)}, "数据不存在或已被删除"),
    ):
        answer = change(**values)
        assert (answer.status, answer.msg) == (400, said), values
    assert shared_checksum() == before
    assert platform.post_json(f"{JOBS}/update", {"id": row_id, "lockVersion": 99, "remark": "x"}).status == 409
    assert change(scheduleType=2, intervalSeconds=90, tenantScope=2, tenantIds=f"{A},{B}", remark="改").status == 200
    job = the_job()
    assert (job.interval_seconds, job.tenant_ids, job.remark) == (90, [A, B], "改")
    assert job.next_fire_time is not None and 0 < (job.next_fire_time - clock.now()).total_seconds() <= 90
    with clock.at(job.next_fire_time):
        assert schedule.sweep() == 1 and work.done == [A, B]
        later = the_job().next_fire_time
        assert later is not None and later - job.next_fire_time == timedelta(seconds=90)


def test_the_jobs_of_the_product_are_installed_once(cast: Cast) -> None:
    schedule.install()
    schedule.install()
    codes = set(ScheduleJob.objects.values_list("job_code", flat=True))
    assert codes == set(schedule.jobs) >= {"rest.refresh", "shift.cover", "log.clean", "sheet.clean"}
    found = {row["jobCode"] for row in cast.client_for("tenant_admin").get(f"{JOBS}/list", size=50).data["records"]}
    assert found == {
        "rest.refresh", "shift.cover", "inspect.forecast", "inspect.generate", "inspect.missed",
        "maintain.generate", "spare.low", "spare.selfcheck", "machine.deadlines", "message.digest", "report.freeze",
    }  # fmt: skip
    for code, job in schedule.jobs.items():
        with tenant_scope(A):
            assert isinstance(job.run(), schedule.Counts), code


def _told(monkeypatch: pytest.MonkeyPatch, work: Work) -> list[dict[str, int]]:
    """Let the job take a number of days; what it was told in each run."""
    told: list[dict[str, int]] = []

    def run(**given: int) -> schedule.Counts:
        told.append(given)
        return work()

    days = schedule.JobParameter("aheadDays", "ahead_days", label("提前天数", "Days ahead"), 0, 31)
    job = replace(schedule.jobs["demo.work"], run=run, parameters=(days,))
    monkeypatch.setattr(schedule, "jobs", {job.code: job})
    return told


def test_a_job_is_told_numbers_that_it_declares(cast: Cast, work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    told = _told(monkeypatch, work)
    platform, admin, row_id = cast.platform(), cast.client_for("tenant_admin"), str(the_job().pk)

    def change(params: Any) -> Any:
        version = the_job().lock_version
        return platform.post_json(f"{JOBS}/update", {"id": row_id, "lockVersion": version, "params": params})

    before = shared_checksum()
    for params, said in (
        ({"aheadDays": 32}, "提前天数应在0到31之间"),
        ({"aheadDays": -1}, "提前天数应在0到31之间"),
        ({"aheadDays": "1.5"}, "提前天数应在0到31之间"),
        ({"aheadDays": {"a": 1}}, "提前天数应在0到31之间"),
        ({"keepDays": 3}, "请求参数格式错误: params"),
        ([1], "请求参数格式错误: params"),
        ("x", "请求参数格式错误: params"),
    ):
        for answer in (change(params), admin.post_json(f"{JOBS}/run", {"id": row_id, "params": params})):
            assert (answer.status, answer.msg) == (400, said), params
    assert shared_checksum() == before
    [shown] = platform.in_english().get(f"{JOBS}/list").data["records"]
    assert (shown["params"], shown["parameters"]) == (
        {}, [{"name": "aheadDays", "label": "Days ahead", "least": 0, "most": 31, "value": None}],
    )  # fmt: skip
    assert change({"aheadDays": 5}).status == 200
    with at(5):
        assert schedule.sweep() == 1
    assert told == [{"ahead_days": 5}] * 3  # both companies, and the platform
    # In a run by hand another number, for this run alone.
    answer = admin.post_json(f"{JOBS}/run", {"id": row_id, "params": {"aheadDays": 7}}).data
    assert schedule.sweep() == 1 and told[3:] == [{"ahead_days": 7}]
    detail = admin.get(f"{LOGS}/detail", uuid=answer["logUuid"]).data
    assert [(one["label"], one["value"]) for one in detail["parameters"]] == [("提前天数", 7)]
    assert the_job().params == {"aheadDays": 5}
    # What fails is tried again with what it was told, whatever is set meanwhile; empty is each company's own setting.
    settled(retry_count=1)
    work.fails = {A}
    assert admin.post_json(f"{JOBS}/run", {"id": row_id, "params": {"aheadDays": 9}}).status == 200
    assert change({"aheadDays": None}).status == 200
    assert schedule.sweep() == 2 and told[4:] == [{"ahead_days": 9}] * 2
    work.fails = set()
    due = the_job().next_fire_time
    assert due is not None
    with clock.at(due):
        assert schedule.sweep() == 1 and told[6:] == [{}] * 3
    with tenant_scope(PLATFORM):
        edits = Event.objects.filter(operation="schedulejob.edit", business_id=row_id).order_by("pk")
        assert [one.changes_told() for one in edits] == [["参数：已修改"], ["参数：已修改"]]


def test_the_jobs_of_the_product_take_the_days_that_they_are_told(cast: Cast) -> None:
    assert {code: [one.name for one in job.parameters] for code, job in schedule.jobs.items() if job.parameters} == {
        "inspect.generate": ["aheadDays"], "log.clean": ["keepDays"],
    }  # fmt: skip
    for days, left in ((30, 2), (10, 1)):
        with clock.at(NOW), tenant_scope(A), acting(system(A)):
            CallLog.objects.all().delete()
            for ago in (40, 20, 5):
                with clock.at(NOW - timedelta(days=ago)):
                    CallLog.objects.create(title="x", status=200, milliseconds=1)
            assert schedule.jobs["log.clean"].run(keep_days=days).handled == 3 - left
            assert CallLog.objects.count() == left
