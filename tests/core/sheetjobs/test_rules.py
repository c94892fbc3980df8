"""Who may ask for exports and load them, how many run at once, and what ends one: in turns, never by the clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from core.access.models import RoleMenu
from core.desk.models import Message
from core.identity.models import Tenant, User
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.rest import sheets
from core.scheduling import leases, outbox
from core.sheetjobs import exports, queue, results, work
from core.sheetjobs.models import SheetJob, SheetPart, SheetTurn
from core.storage.models import Attachment
from tests.cast import A, B, Caller, Cast
from tests.checksums import checksum
from tests.core.sheetjobs.steps import EXPORT, JOBS, ask, load, make, show, sweep
from tests.toolroom.models import Toolmaker


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of two rows, and one part a sweep."""
    monkeypatch.setattr(exports, "PART_ROWS", 2)
    monkeypatch.setattr(work, "MOST_AT_ONCE", 1)


def _codes(rows: list[tuple[Any, ...]]) -> list[str]:
    return [row[0] for row in rows[1:]]


def _status(caller: Caller, job: str) -> int:
    return Client().get(f"/api/{JOBS}/download", {"id": job}, headers=caller._headers()).status_code


def test_who_may_not_export_may_not_ask_and_nothing_else_is_a_job(cast: Cast) -> None:
    before = checksum(A)
    asked = {"call": EXPORT, "query": {}}
    assert cast.client_for("viewer").post_json(f"{JOBS}/export", asked).status == 403
    keeper = cast.client_for("equip_manager")
    for call in ("yuzhu-toolroom/toolmaker/list", "blade-user/info", "blade-desk/sheetjob/export", "nothing/at/all"):
        answer = keeper.post_json(f"{JOBS}/export", {**asked, "call": call})
        assert (answer.status, answer["error"]) == (400, "input.invalid"), call
    assert checksum(A) == before


def test_only_the_owner_loads_the_file_and_administrators_see_the_job(cast: Cast) -> None:
    make(3)
    keeper, admin = cast.client_for("equip_manager"), cast.client_for("tenant_admin")
    job = ask(keeper)
    sweep()
    assert _codes(load(keeper, job)) == ["S00000", "S00001", "S00002"]
    others = [cast.client_for("viewer"), cast.client_for("equip_manager", B), admin]
    assert [_status(one, job) for one in others] == [404, 404, 404]
    assert [one.get(f"{JOBS}/detail", id=job).status for one in others] == [404, 404, 200]
    assert [one.get(f"{JOBS}/list").data["total"] for one in others] == [0, 0, 1]
    assert admin.get(f"{JOBS}/list", mine="1").data["total"] == 0
    assert admin.get("blade-resource/attach/list").data["total"] == 0
    before = checksum(A)
    assert [one.post_json(f"{JOBS}/remove", ids=job).status for one in others[:2]] == [404, 404]
    assert checksum(A) == before
    outbox.deliver_due()
    with tenant_scope(A):
        told = Message.objects.values_list("user_id", "title", "title_en", "business_type")
        assert list(told) == [
            (cast.user("equip_manager").pk, "导出已完成：工具商", "Export ready: Toolmakers", "sheetjob")
        ]


def test_rows_that_come_and_go_meanwhile_double_and_lose_nothing(cast: Cast) -> None:
    make(6)
    keeper = cast.client_for("equip_manager")
    job = ask(keeper)
    assert (work.sweep(), work.sweep()) == (1, 1)
    make(1, begin=10)
    with tenant_scope(A):
        Toolmaker.objects.get(toolmaker_code="S00004").remove()
        Toolmaker.objects.filter(toolmaker_code="S00000").update(toolmaker_code="S00009")
    sweep()
    assert _codes(load(keeper, job)) == ["S00000", "S00001", "S00002", "S00003", "S00005"]
    assert (show(keeper, job)["done"], show(keeper, job)["total"]) == (5, 5)


def test_a_worker_that_is_killed_loses_and_doubles_nothing(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    make(5)
    keeper = cast.client_for("equip_manager")
    job = ask(keeper)
    work.sweep()

    class Killed(BaseException):
        pass

    def die(*_given: Any) -> None:
        raise Killed

    for module, name in ((exports, "pack"), (exports.workbooks, "write")):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, die)
            with pytest.raises(Killed):
                sweep()
        assert work.sweep() == 0  # the lease lasts
        SheetTurn.objects.update(due_time=datetime.now(UTC) - timedelta(seconds=1))
        if module is exports:
            assert show(keeper, job)["done"] == 0
    sweep()
    assert _codes(load(keeper, job)) == [f"S{n:05d}" for n in range(5)]


def test_who_was_too_slow_stores_nothing_of_a_part_that_another_has_taken(cast: Cast) -> None:
    make(4)
    job = ask(cast.client_for("equip_manager"))
    work.sweep()
    slow = leases.claim(queue.SHEETS, A, queue.LEASE)
    assert slow is not None
    SheetTurn.objects.update(due_time=datetime.now(UTC) - timedelta(seconds=1))
    assert work.sweep() == 1
    with tenant_scope(A):
        found = SheetJob.objects.get(pk=job)
        with pytest.raises(leases.Lost), queue.storing(found, slow) as now:
            now.done += 2
        assert (SheetJob.objects.get(pk=job).done, SheetPart.objects.filter(is_done=True).count()) == (2, 1)


@pytest.mark.parametrize("what", ["right", "person", "tenant"])
def test_rights_that_are_taken_away_end_the_job(cast: Cast, what: str) -> None:
    make(4)
    job = ask(cast.client_for("equip_manager"))
    work.sweep()
    work.sweep()
    with tenant_scope(A):
        if what == "right":
            RoleMenu.objects.filter(menu__code="toolmaker_export").delete()
        elif what == "person":
            User.objects.filter(account="equip_manager").update(is_enabled=False)
        else:
            Tenant.objects.filter(tenant_id=A).update(is_enabled=False)
    sweep()
    with tenant_scope(A):
        found = SheetJob.objects.get(pk=job)
        reason = "没有权限执行此操作" if what == "right" else "账号已停用，任务结束"
        assert (found.state, found.done, found.reason, found.file) == (4, 2, reason, None)
        assert not Attachment.objects.filter(is_private=True).exists()
        assert (SheetPart.objects.count(), SheetTurn.objects.count()) == (0, 0)


def test_a_job_that_is_cancelled_ends_with_its_next_part(cast: Cast) -> None:
    make(6)
    keeper = cast.client_for("equip_manager")
    job = ask(keeper)
    work.sweep()
    work.sweep()
    assert cast.client_for("viewer").post_json(f"{JOBS}/cancel", id=job).status == 404
    assert keeper.post_json(f"{JOBS}/remove", ids=job)["error"] == "sheetJob.open"
    assert keeper.post_json(f"{JOBS}/cancel", id=job).status == 200
    assert show(keeper, job)["isStopping"] == 1
    assert sweep() == 1
    found = show(keeper, job)
    assert (found["state"], found["stateName"], found["done"], found["fileName"]) == (5, "已取消", 2, "")
    assert keeper.post_json(f"{JOBS}/cancel", id=job)["error"] == "sheetJob.ended"
    assert keeper.post_json(f"{JOBS}/remove", ids=job).status == 200
    assert keeper.get(f"{JOBS}/list").data["total"] == 0


def test_two_of_a_tenant_run_and_the_others_wait_in_their_order(cast: Cast) -> None:
    make(2)
    keeper = cast.client_for("equip_manager")
    asked = [ask(keeper) for _ in range(4)]

    def running() -> list[str]:
        rows = SheetTurn.objects.filter(is_asleep=False).order_by("id").values_list("job_id", flat=True)
        return [str(pk) for pk in rows]

    assert running() == asked[:2]
    assert keeper.post_json(f"{JOBS}/cancel", id=asked[2]).status == 200
    assert show(keeper, asked[2])["state"] == 5
    while show(keeper, asked[0])["state"] != 3:
        work.sweep()
    assert running() == [asked[1], asked[3]]
    sweep()
    assert [show(keeper, job)["state"] for job in asked] == [3, 3, 5, 3]


def test_nobody_waits_for_five_hundred_of_another_tenant(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "MOST_OF_PERSON", 1000)
    make(6)
    make(2, B)
    big = cast.actor_for("equip_manager")
    with tenant_scope(A):
        for _ in range(500):
            queue.begin(
                SheetJob(
                    user_id=big.user_id, user_name="x", call=EXPORT, lang="zh-hans", title="工具商", title_en="Makers"
                )
            )  # fmt: skip
    assert [work.sweep() for _ in range(3)] == [1, 1, 1]
    small = cast.client_for("equip_manager", B)
    job = ask(small)
    # Three parts of its own, and in between as many of the other tenant.
    assert [work.sweep() for _ in range(6)] == [1] * 6
    assert show(small, job)["state"] == 3
    answer = cast.client_for("equip_manager").post_json(f"{JOBS}/export", {"call": EXPORT})
    assert (answer["error"], answer.msg) == ("sheetJob.tooMany", "本企业最多有500个未完成的导入导出任务")


def test_too_many_jobs_and_rows_are_refused_in_a_sentence(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    make(4)
    monkeypatch.setattr(queue, "MOST_OF_PERSON", 1)
    monkeypatch.setattr(exports, "MOST_ROWS", 3)
    keeper = cast.client_for("equip_manager").in_english()
    job = ask(keeper)
    answer = keeper.post_json(f"{JOBS}/export", {"call": EXPORT})
    assert (answer.status, answer["error"]) == (400, "sheetJob.tooMany")
    sweep()
    found = show(keeper, job)
    assert (found["state"], found["reason"]) == (4, "At most 3 rows can be exported; please narrow the filters")


def test_what_takes_long_waits_while_another_does_and_files_go_after_a_week(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, files: Any
) -> None:
    make(3)
    monkeypatch.setattr(sheets, "MOST_OUT", 1)
    keeper = cast.client_for("equip_manager")
    job = ask(keeper)
    for _ in range(3):
        work.sweep()
    with leases.alone("long-sheets") as is_alone:
        assert is_alone
        assert work.sweep() == 1
    assert (show(keeper, job)["state"], SheetTurn.objects.get().attempts) == (2, 0)
    SheetTurn.objects.update(due_time=datetime.now(UTC))
    sweep()
    assert len(load(keeper, job)) == 4
    for days, left in ((6, 1), (8, 0)):
        with clock.at(datetime.now(UTC) + timedelta(days=days)), tenant_scope(A):
            results.prune()
        assert keeper.get(f"{JOBS}/list").data["total"] == left
    with tenant_scope(A):
        assert not Attachment.objects.filter(is_private=True).exists()
