"""Making tasks: previewed, made once however often it is asked for, rebuilt, in the background, and given to others."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, connections

from core.kernel import outbox
from core.kernel.tenancy import tenant_scope
from core.rounds import runs
from core.rounds.models import InspectCandidate, InspectOrder, InspectOrderDetail, TaskRule, TaskRun
from core.scheduling import outbox as deliveries
from core.scheduling import schedule
from core.scheduling.models import JobGroup
from core.shifts.models import Shift, ShiftTeam
from tests.cast import A, B, Cast
from tests.checksums import checksum
from tests.core.rounds.walking import (
    CONFIG,
    DETAILS,
    ORDERS,
    RULES,
    at,
    covered,
    generate,
    ok,
    orders,
    plan,
    route,
    rule,
)
from tests.core.shifts.planning import TWO, Person, shifts, teams

SPAN = "2026-09-02", "2026-09-04"


def _counts(answer: Any, *names: str) -> dict[str, int]:
    return {name: answer[name] for name in names}


def test_the_same_span_again_makes_nothing_and_a_preview_says_so_before(cast: Cast) -> None:
    config, group = plan(cast), route(cast)
    manager = Person(cast, "equip_manager")
    with at("2026-09-01 09:00"):
        answer = ok(
            generate(
                cast,
                config,
                *SPAN,
                rules=[
                    rule(config, group),
                    rule(config, group, ruleName="周点检", frequency=5, weekDays="3", shiftIds=""),
                ],
            )
        )
        assert _counts(answer, "saved", "created", "skipped", "suppressed", "voided", "noTeam") == {
            "saved": 2, "created": 10, "skipped": 0, "suppressed": 0, "voided": 0, "noTeam": 0,
        }  # fmt: skip
        again = ok(generate(cast, config, *SPAN))
        assert _counts(again, "created", "skipped") == {"created": 0, "skipped": 10}
        before = checksum(A)
        seen = ok(manager.get(f"{CONFIG}/makeTask", id=config, startDate="2026-09-04", endDate="2026-09-05"))["preview"]
        assert checksum(A) == before
        assert _counts(seen, "total", "create", "exist", "isCut") == {"total": 6, "create": 3, "exist": 3, "isCut": 0}
        first = seen["days"][1]["tasks"][0]
        assert (first["shiftName"], first["teamName"], first["userNames"], first["state"]) == ("早班", "丙", "李班", 1)
        assert (first["planStart"], first["planEnd"]) == ("2026-09-05 08:00:00", "2026-09-05 16:00:00")
    made = orders()
    assert [one.gen_key.partition(":")[2] for one in made[:4]] == [  # type: ignore[union-attr]
        "2026-09-02:3:0", "2026-09-02:0:0", "2026-09-02:1:0", "2026-09-02:2:0",
    ]  # fmt: skip
    assert {one.order_no for one in made} == {f"XJ20260901{number:04d}" for number in range(1, 11)}
    early = made[2]
    assert (early.shift_name, early.point_total, early.item_total, early.status) == ("早班", 2, 4, 1)
    with tenant_scope(A):
        people = InspectCandidate.objects.filter(order=early).values_list("user__account", flat=True)
        assert (early.team.team_name, list(people)) == ("甲", ["operator"])  # type: ignore[union-attr]
        assert InspectOrderDetail.objects.count() == 20
    with tenant_scope(B):
        assert not InspectOrder.objects.exists()


def test_a_task_keeps_what_its_points_were_like(cast: Cast) -> None:
    config, group = plan(cast), route(cast, points=1)
    manager = Person(cast, "equip_manager")
    with at("2026-09-01 09:00"):
        ok(generate(cast, config, "2026-09-02", rules=[rule(config, group)]))
        point = manager.get("yuzhu-equip/inspectpoint/getList", groupId=group).data[0]
        ok(
            manager.change(
                "yuzhu-equip/inspectpoint", {"id": point["id"], "pointName": "新名", "items": [{"itemName": "新项"}]}
            )
        )
        ok(generate(cast, config, "2026-09-03"))
    old, new = orders()[0], orders()[-1]
    with tenant_scope(A):
        shown = [
            (one.snapshot.point_name, [item["itemName"] for item in one.snapshot.items])
            for order in (old, new)
            for one in order.details.all()
        ]
        assert InspectOrderDetail.objects.values("snapshot").distinct().count() == 2
    assert shown == [("点1", ["排气压力", "油位"]), ("新名", ["新项"])]
    refused = manager.post_json("yuzhu-equip/inspectpoint/remove", ids=point["id"])
    assert (refused.status, refused.msg) == (409, "点位「新名」还在6个未完成的点检任务中，不能删除")


@pytest.mark.parametrize(
    ("changed", "sent", "status", "text"),
    [
        ({}, {"first": "2026-08-31"}, 400, "不能生成过去日期的任务"),
        ({}, {"first": "2026-09-02", "last": "2026-11-03"}, 400, "一次最多生成62天的任务"),
        ({"status": 1}, {"first": "2026-09-02"}, 409, "排班方案未启用，不能生成任务"),
        ({}, {"first": "2026-09-02", "who": "shift_leader"}, 403, "没有权限执行此操作"),
        ({}, {"first": "2026-09-02", "tenant": B}, 404, "数据不存在或已被删除"),
    ],
)
def test_what_cannot_be_made_changes_nothing(
    cast: Cast, changed: dict[str, Any], sent: dict[str, Any], status: int, text: str
) -> None:
    config, group = plan(cast, **changed), route(cast)
    rules = [rule(config, group)]
    with at("2026-09-01 09:00"):
        before = checksum(A)
        refused = generate(cast, config, rules=rules, **sent)
        assert (refused.status, refused.msg, checksum(A)) == (status, text, before)


def test_rules_are_checked_and_named_by_their_place(cast: Cast) -> None:
    config, group = plan(cast), route(cast)
    manager = Person(cast, "equip_manager")
    with tenant_scope(A):
        early = str(Shift.objects.get(plan=config, shift_no=1).pk)
    with at("2026-09-01 09:00"):
        wrong = [
            ({"duration": 481}, "duration", "任务时长不能超过执行间隔"),
            ({"frequency": 5}, "weekDays", "请选择星期"),
            ({"frequency": 5, "weekDays": "1,9"}, "weekDays", "星期应为1（周一）到7（周日）的数字，用英文逗号分隔"),
            ({"frequency": 5, "weekDays": "1,3", "windowDays": 3}, "windowDays", "任务时长不能超过执行间隔"),
            ({"assignMode": 2}, "userIds", "请选择人员"),
            ({"shiftIds": "7"}, "shiftIds", "数据不存在或已被删除"),
            ({"frequency": 2, "timesPerShift": 13}, "timesPerShift", "每班次数应在2到12之间"),
        ]
        for more, field, text in wrong:
            refused = manager.post_json(f"{RULES}/submit", rule(config, group, **more))
            assert (refused.status, refused.data["fields"]) == (400, {field: text}), more
        refused = manager.post_json(
            f"{CONFIG}/saveMakeTask", {"id": config, "rules": [rule(config, group), rule(config, group)]}
        )
        assert refused.data["fields"] == {"rules.1.ruleName": "规则名称「每班点检」已存在"}
        made = ok(manager.post_json(f"{RULES}/submit", rule(config, group, shiftIds=early)))["id"]
        found = ok(manager.get(f"{RULES}/detail", id=made))
        assert (found["shiftIds"], found["shiftNames"], found["configName"]) == (early, "早班", "四班三运转")
        ok(generate(cast, config, "2026-09-02"))
        answer = ok(manager.post_json(f"{CONFIG}/saveMakeTask", {"id": config, "removedRuleIds": made}))
    assert (answer["removed"], len(orders())) == (1, 1)


def test_a_rebuild_voids_what_lies_ahead_and_nobody_has_begun(cast: Cast) -> None:
    config, group = plan(cast), route(cast)
    with at("2026-09-01 09:00"):
        ok(generate(cast, config, "2026-09-01", "2026-09-02", rules=[rule(config, group)]))
    assert [one.shift_name for one in orders()] == ["早班", "中班", "夜班", "早班", "中班"]
    with at("2026-09-01 10:00"):
        ok(cast.client_for("operator").post_json(f"{ORDERS}/start", {"id": str(orders()[0].pk)}))
        with tenant_scope(A):
            TaskRule.objects.update(duration=60)
        answer = ok(generate(cast, config, "2026-09-01", "2026-09-02", mode=2))
    assert _counts(answer, "voided", "created", "skipped", "past") == {
        "voided": 4, "created": 4, "skipped": 1, "past": 1,
    }  # fmt: skip
    rows = orders()
    assert sorted(one.status for one in rows) == [1, 1, 1, 1, 2, 6, 6, 6, 6]
    lengths = {int((one.plan_end - one.plan_start).total_seconds()) // 60 for one in rows if one.status == 1}
    assert lengths == {60}
    assert len({one.gen_key for one in rows}) == 9


def test_the_night_shift_lies_on_the_day_on_which_it_begins(cast: Cast) -> None:
    """The example of the specification: 夜班 20:00–08:00, every two hours."""
    config = plan(cast, patternType=2, shifts=shifts(*TWO), teams=teams(cast, "甲乙"))
    group = route(cast)
    with tenant_scope(A):
        night = str(Shift.objects.get(plan=config, shift_no=2).pk)
    with at("2026-09-20 09:00"):
        rules = [rule(config, group, frequency=3, everyHours=2, shiftIds=night)]
        ok(generate(cast, config, "2026-09-25", rules=rules))
    found = orders()
    assert [str(one.business_date) for one in found] == ["2026-09-25"] * 6
    assert f"{found[3].plan_start:%Y-%m-%d %H:%M}" == "2026-09-25 18:00"  # UTC: 02:00 on the 26th


def test_whoever_is_on_shift_now_gets_the_tasks_that_nobody_has_begun(cast: Cast) -> None:
    config, group = plan(cast), route(cast)
    manager = Person(cast, "equip_manager")
    with at("2026-09-01 09:00"):
        ok(generate(cast, config, "2026-09-02", rules=[rule(config, group)]))
        with tenant_scope(A):
            early = Shift.objects.get(plan=config, shift_no=1)
            team = ShiftTeam.objects.get(plan=config, team_name="丁")
        cells = [{"date": "2026-09-02", "shiftId": str(early.pk), "teamId": str(team.pk)}]
        span = {"startDate": "2026-09-02", "endDate": "2026-09-02"}
        answer = ok(manager.post_json(f"{CONFIG}/schedulingSubmit", {"id": config, **span, "cells": cells}))
    # The cells of a day are replaced whole: nobody works its other shifts now, so that their tasks are the leader's.
    assert answer["reassignedTasks"] == 3
    with tenant_scope(A):
        order = InspectOrder.objects.get(shift=early)
        assert (order.team_id, [one.user.account for one in order.candidates.all()]) == (team.pk, ["repairer"])


def test_many_tasks_are_made_in_the_background_and_a_killed_worker_makes_none_twice(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    config, group = plan(cast), route(cast)
    monkeypatch.setattr(runs, "MOST_AT_ONCE", 5)
    monkeypatch.setattr(runs, "MOST_IN_MESSAGE", 5)
    manager = Person(cast, "equip_manager")
    with at("2026-09-01 09:00"):
        answer = ok(generate(cast, config, "2026-09-02", "2026-09-05", rules=[rule(config, group)]))
        run = answer["runId"]
        assert (answer["created"], len(orders())) == (0, 0)
        handler = outbox.handlers[runs.TOPIC]
        for day in (0, 1, 1, 0):
            with tenant_scope(A):
                handler(1, {"id": int(run), "day": day})
        seen = ok(manager.get(f"{CONFIG}/makeTaskRun", id=run))
        assert (seen["state"], seen["total"], seen["done"], seen["created"], len(orders())) == (1, 4, 2, 6, 6)
        while deliveries.deliver_due():
            pass
        seen = ok(manager.get(f"{CONFIG}/makeTaskRun", id=run))
        assert (seen["state"], seen["done"], seen["created"], len(orders())) == (2, 4, 12, 12)
    other = cast.client_for("equip_manager", B).get(f"{CONFIG}/makeTaskRun", id=run)
    assert other.status == 404
    with tenant_scope(A):
        assert TaskRun.objects.count() == 1


def test_the_worker_makes_today_and_two_days_ahead_and_a_job_asks_for_it(cast: Cast) -> None:
    config, group = plan(cast), route(cast)
    with at("2026-09-01 09:00"):
        ok(Person(cast, "equip_manager").post_json(f"{RULES}/submit", rule(config, group)))
        assert (covered(), covered()) == (8, 0)  # the night of the 1st is over
    assert {str(one.business_date) for one in orders()} == {"2026-09-01", "2026-09-02", "2026-09-03"}
    jobs = [schedule.jobs[code] for code in ("inspect.generate", "inspect.missed")]
    assert [job.group for job in jobs] == [JobGroup.BUSINESS] * 2
    assert [job.cron for job in jobs] == ["0 10 * * * ?", "0 0/5 * * * ?"]


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_make_each_task_once(cast: Cast) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite lets one write at a time")
    config, group = plan(cast), route(cast)
    with at("2026-09-01 09:00"):
        ok(Person(cast, "equip_manager").post_json(f"{RULES}/submit", rule(config, group)))

    def work(_number: int) -> int:
        try:
            with at("2026-09-01 09:00"):
                return covered()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(work, range(4)))
    assert (sum(made), len(orders())) == (8, 8)
    with tenant_scope(A):
        assert InspectOrderDetail.objects.count() == 16


def test_nobody_sees_the_tasks_of_others(cast: Cast) -> None:
    config, group = plan(cast), route(cast)
    with at("2026-09-01 09:00"):
        ok(generate(cast, config, "2026-09-02", rules=[rule(config, group)]))
        seen = {
            (who, tenant): ok(Person(cast, who).cast.client_for(who, tenant).get(f"{ORDERS}/list"))["total"]
            for who, tenant in (
                ("equip_manager", A), ("viewer", A), ("shift_leader", A), ("operator", A), ("repairer", A),
                ("repairer2", A), ("equip_manager", B),
            )
        }  # fmt: skip
        points = ok(cast.client_for("operator").get(f"{DETAILS}/list"))["total"]
    # 乙's operator2 and 丙 work other shifts; the repairer is team 丁, which rests on the 2nd.
    assert seen == {
        ("equip_manager", A): 3, ("viewer", A): 3, ("shift_leader", A): 3, ("operator", A): 1, ("repairer", A): 0,
        ("repairer2", A): 0, ("equip_manager", B): 0,
    }  # fmt: skip
    assert points == 2
