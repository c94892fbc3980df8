"""Checks of the seals: in parts, once a day and when somebody asks; what they find is stored, and told once."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from core.access.grants import rights_changed
from core.access.models import RoleMenu
from core.audit import seals, verifying
from core.audit.models import CheckState, Event, Seal, SealCheck, SealTurn
from core.desk.models import Message
from core.identity.models import Tenant
from core.kernel.errors import NotAllowed
from core.kernel.ids import moment_of, next_id
from core.kernel.tenancy import PLATFORM, tenant_scope
from core.kernel.texts import moment
from core.scheduling import leases, outbox
from core.scheduling.models import Turn
from tests import logins
from tests.cast import A, B, Caller, Cast
from tests.checksums import checksum

pytestmark = pytest.mark.django_db(transaction=True)
CHECKS = "blade-log/sealcheck"
AT_ONCE = timedelta(days=-3650)
"""Nobody else writes here, so that rows need not settle."""


@pytest.fixture
def sealed(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[int]]:
    """100 events of company A and 30 of B in seals of 10, checked 25 rows a part, one part a sweep."""
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(seals, "AT_ONCE", 10)
    monkeypatch.setattr(seals, "ROWS_OF_PART", 25)
    monkeypatch.setattr(verifying, "MOST_AT_ONCE", 1)
    monkeypatch.setattr(verifying, "FIRST", timedelta(0))
    monkeypatch.setattr(verifying, "APART", timedelta(0))
    found = {}
    for tenant, number in ((A, 100), (B, 30)):
        with tenant_scope(tenant):
            _store(number)
            found[tenant] = list(Event.objects.order_by("id").values_list("pk", flat=True))
    assert seals.seal_all(AT_ONCE) == 13
    return found


def _store(number: int) -> None:
    """Store events between whose ids there is room for another."""
    Event.objects.bulk_create(
        Event(
            pk=[next_id(), next_id()][0],
            operation="notice.add",
            user_id=place,
            user_name="赵理",
            client="web",
            remark=f"第{place}条",
        )
        for place in range(number)
    )


def _sweep() -> int:
    """Let the worker do parts until nothing is due; answers how many."""
    for done in range(60):
        if not verifying.sweep():
            return done
    raise AssertionError("the queue does not become empty")


def _begin_again() -> None:
    """Let the next day begin."""
    SealTurn.objects.update(due_time=datetime.now(UTC))


def _results(tenant: str) -> list[tuple[Any, ...]]:
    with tenant_scope(tenant):
        rows = SealCheck.objects.order_by("begin_time", "id")
        return list(rows.values_list("state", "seals", "rows", "unsealed", "fault_count"))


def _faults(tenant: str) -> list[tuple[Any, ...]]:
    """Number, kind and range of what the last check found, and its sentence in English."""
    with tenant_scope(tenant):
        found = [seals.BrokenSeal.of(kept) for kept in SealCheck.objects.latest("begin_time").faults]
    return [(one.number, str(one.kind), one.after_id, one.to_id, one.words()[1]) for one in found]


def _messages(tenant: str) -> list[tuple[int, str, str, str, int]]:
    outbox.deliver_due()
    with tenant_scope(tenant):
        rows = Message.objects.order_by("id")
        return list(rows.values_list("user_id", "title", "content_en", "business_type", "business_id"))


def test_every_companys_chain_is_checked_in_parts_once_a_day(cast: Cast, sealed: dict[str, list[int]]) -> None:
    with tenant_scope(A):
        _store(3)
    # Of A five parts of two seals, of B two, each and the platform one that ends it.
    assert _sweep() == (5 + 1) + (2 + 1) + 1
    assert (_results(A), _results(B)) == ([(3, 10, 100, 3, 0)], [(3, 3, 30, 0, 0)])
    assert _results(PLATFORM) == [(3, 0, 0, 0, 0)]
    with tenant_scope(A):
        check = SealCheck.objects.get()
        assert (check.number, check.target, check.from_id, check.to_id) == (10, 10, sealed[A][0], sealed[A][-1])
        assert check.user_name == ""
        turn = SealTurn.objects.get(tenant_id=A)
    assert (turn.check_id, turn.due_time) == (None, check.begin_time + timedelta(days=1))
    assert _sweep() == 0
    SealTurn.objects.filter(tenant_id=A).update(due_time=datetime.now(UTC))
    assert _sweep() == 6
    assert (len(_results(A)), len(_results(B))) == (2, 1)
    assert _messages(A) == []


def test_new_tenants_do_not_begin_together(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    SealTurn.objects.all().delete()
    assert verifying.sweep() == 0
    before = dict(SealTurn.objects.values_list("tenant_id", "due_time"))
    assert [key for key, _due in sorted(before.items(), key=lambda one: one[1])] == [PLATFORM, A, B]
    assert (before[B] - before[A], before[A] - before[PLATFORM]) == (timedelta(seconds=2), timedelta(seconds=2))
    assert before[PLATFORM] > datetime.now(UTC) + timedelta(minutes=9)
    verifying.plan()
    assert dict(SealTurn.objects.values_list("tenant_id", "due_time")) == before


def _change(cursor: Any, ids: list[int]) -> None:
    cursor.execute("UPDATE audit_event SET remark = 'x' WHERE id = %s", [ids[15]])


def _remove(cursor: Any, ids: list[int]) -> None:
    cursor.execute("DELETE FROM audit_event WHERE id IN (%s, %s)", [ids[40], ids[41]])


def _add(cursor: Any, ids: list[int]) -> None:
    cursor.execute("SELECT * FROM audit_event WHERE id = %s", [ids[50]])
    row = cursor.fetchone()
    marks = ", ".join(["%s"] * len(row))
    cursor.execute(f"INSERT INTO audit_event VALUES ({marks})", (ids[50] + 1, *row[1:]))


def _unseal(cursor: Any, ids: list[int]) -> None:
    cursor.execute("DELETE FROM audit_seal WHERE tenant_id = %s AND number IN (7, 8)", [A])


def _cut(cursor: Any, ids: list[int]) -> None:
    cursor.execute("DELETE FROM audit_event WHERE tenant_id = %s AND id > %s", [A, ids[79]])
    cursor.execute("DELETE FROM audit_seal WHERE tenant_id = %s AND number > 8", [A])


Found = list[tuple[int, str, int | None, int | None, str]]
TAMPERED: list[tuple[Callable[[Any, list[int]], None], Callable[[list[int]], Found]]] = [
    (_change, lambda ids: [(2, "changed", ids[9], ids[19], "Entries, or the batch itself, were changed")]),
    (_remove, lambda ids: [(5, "missing", ids[39], ids[49], "2 of 10 entries are missing")]),
    (_add, lambda ids: [(6, "added", ids[49], ids[59], "1 entry was added to 10")]),
    (_unseal, lambda ids: [(9, "gap", ids[79], ids[89], "The batches 7 to 8 before it are missing")]),
    (_cut, lambda ids: [(10, "cut", None, None, "The chain was cut after batch 8; this batch was there before")]),
]


@pytest.mark.parametrize(("tamper", "found"), TAMPERED, ids=lambda one: getattr(one, "__name__", ""))
def test_what_the_owner_of_the_tables_did_is_stored_with_its_place(
    cast: Cast, sealed: dict[str, list[int]], caplog: pytest.LogCaptureFixture,
    tamper: Callable[[Any, list[int]], None], found: Callable[[list[int]], Found],
) -> None:  # fmt: skip
    with logins.owner_cursor() as cursor:
        tamper(cursor, sealed[A])
    with caplog.at_level(logging.ERROR, "xunwei.audit"):
        _sweep()
    assert _faults(A) == found(sealed[A])
    assert [row[0] for row in (_results(A)[0], _results(B)[0])] == [CheckState.BROKEN, CheckState.INTACT]
    number, _kind, _after, _to, what = found(sealed[A])[0]
    [told] = [one.getMessage() for one in caplog.records if one.levelname == "ERROR"]
    assert told.startswith(f"the audit of tenant {A}, batch {number}: {what}")


def test_a_finding_is_told_once_to_everybody_who_may_see_the_checks(cast: Cast, sealed: dict[str, list[int]]) -> None:
    admin, leader = cast.user("tenant_admin").pk, cast.user("repair_leader").pk
    with tenant_scope(A):
        view = RoleMenu.objects.filter(menu__code=verifying.VIEW).first()
        assert view is not None
        role = cast.actor_for("repair_leader").role_ids
        RoleMenu.objects.create(role_id=next(iter(role)), menu=view.menu)
    with logins.owner_cursor() as cursor:
        _change(cursor, sealed[A])
    _sweep()
    with tenant_scope(A):
        check = SealCheck.objects.get()
    said = "The integrity check has found differences: 1. Batch 2: Entries, or the batch itself, were changed."
    first = ("审计日志与固化时不一致", said, "sealcheck", check.pk)
    assert sorted(_messages(A)) == sorted([(admin, *first), (leader, *first)])
    assert _messages(B) == []
    _begin_again()
    _sweep()
    assert len(_messages(A)) == 2
    with logins.owner_cursor() as cursor:
        _remove(cursor, sealed[A])
    _begin_again()
    _sweep()
    told = _messages(A)
    assert len(told) == 4
    assert told[-1][2] == "The integrity check has found differences: 2. Batch 5: 2 of 10 entries are missing."
    # What was put right and breaks again is told again.
    with logins.owner_cursor() as cursor:
        cursor.execute("UPDATE audit_event SET remark = '第15条' WHERE id = %s", [sealed[A][15]])
    _begin_again()
    _sweep()
    assert len(_messages(A)) == 4
    with logins.owner_cursor() as cursor:
        _change(cursor, sealed[A])
    _begin_again()
    _sweep()
    assert len(_messages(A)) == 6


def test_no_more_than_the_first_places_are_kept(
    cast: Cast, sealed: dict[str, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifying, "MOST_KEPT", 3)
    with logins.owner_cursor() as cursor:
        cursor.execute("UPDATE audit_event SET remark = 'x' WHERE tenant_id = %s AND id <= %s", [A, sealed[A][49]])
    _sweep()
    assert _results(A) == [(4, 10, 100, 0, 5)]
    assert [one[0] for one in _faults(A)] == [1, 2, 3]
    assert len(_messages(A)) == 1
    with logins.owner_cursor() as cursor:
        cursor.execute("UPDATE audit_event SET remark = 'x' WHERE tenant_id = %s", [A])
    _begin_again()
    _sweep()
    assert len(_messages(A)) == 2


class Killed(BaseException):
    """Stands for a signal."""


def test_a_check_whose_worker_was_killed_goes_on_where_it_stopped(
    cast: Cast, sealed: dict[str, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    SealTurn.objects.create(tenant_id=A)
    SealTurn.objects.create(tenant_id=B, due_time=datetime.now(UTC) + timedelta(days=1))
    SealTurn.objects.create(tenant_id=PLATFORM, due_time=datetime.now(UTC) + timedelta(days=1))
    with logins.owner_cursor() as cursor:
        _change(cursor, sealed[A])
    assert (verifying.sweep(), verifying.sweep()) == (1, 1)
    assert _results(A) == [(2, 4, 40, 0, 1)]

    def die(*_given: Any, **_named: Any) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(leases, "move", die)
        with pytest.raises(Killed):
            verifying.sweep()
    assert verifying.sweep() == 0  # the lease lasts
    assert _results(A) == [(2, 4, 40, 0, 1)]
    SealTurn.objects.filter(tenant_id=A).update(due_time=datetime.now(UTC) - timedelta(seconds=1))
    assert _sweep() == 3 + 1
    assert _results(A) == [(4, 10, 100, 0, 1)]
    assert [one[:2] for one in _faults(A)] == [(2, "changed")]


def test_seals_that_go_while_a_check_runs_are_found(cast: Cast, sealed: dict[str, list[int]]) -> None:
    SealTurn.objects.create(tenant_id=A)
    verifying.sweep()
    seals.keep_heads({})
    with logins.owner_cursor() as cursor:
        _cut(cursor, sealed[A])
        cursor.execute("UPDATE audit_seal SET hash = 'x' WHERE tenant_id = %s AND number = 2", [A])
    _sweep()
    assert [one[:2] for one in _faults(A)] == [(10, "cut")]
    assert _results(A)[0][1:3] == (8, 80)


def test_a_tenant_that_is_gone_is_told_to_the_platform(cast: Cast, sealed: dict[str, list[int]]) -> None:
    seals.keep_heads({**seals.kept_heads(), "100009": {"number": 4, "hash": "x"}})
    _sweep()
    said = "Tenant 100009 is gone, whose batch was copied before"
    assert _faults(PLATFORM) == [(4, "gone", None, None, said)]
    assert [row[0] for row in _messages(PLATFORM)] == [cast.user("platform", PLATFORM).pk]


def test_what_fails_again_and_again_ends_without_a_verdict(
    cast: Cast, sealed: dict[str, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_given: Any) -> None:
        raise OSError("disk")

    monkeypatch.setattr(seals, "look", fail)
    for _ in range(verifying.MOST_TRIES + 2):
        _sweep()
        SealTurn.objects.exclude(check_id=None).update(due_time=datetime.now(UTC))
    assert _results(A) == [(CheckState.FAILED, 0, 0, 0, 0)]
    assert (SealTurn.objects.get(tenant_id=A).check_id, _messages(A)) == (None, [])


def test_a_person_starts_a_check_that_goes_on_without_them(cast: Cast, sealed: dict[str, list[int]]) -> None:
    _sweep()
    admin = cast.client_for("tenant_admin").in_english()
    before = admin.get(f"{CHECKS}/state").data
    first = SealCheckTimes(sealed[A])
    assert {name: before[name] for name in ("seals", "toTime", "waiting", "running")} == {
        "seals": 10, "toTime": first.end, "waiting": 0, "running": None,
    }  # fmt: skip
    assert before["nextTime"] == moment(SealTurn.objects.get(tenant_id=A).due_time)
    job = admin.post_json(f"{CHECKS}/start", log="usual").data["id"]
    now = admin.get(f"{CHECKS}/state").data
    assert {name: now["running"][name] for name in ("id", "stateName", "userName", "seals", "total", "toTime")} == {
        "id": job, "stateName": "Queued", "userName": "赵理", "seals": 0, "total": 10, "toTime": "",
    }  # fmt: skip
    # The act of starting is an event like any other, and waits for its seal.
    assert (now["nextTime"], now["waiting"], now["last"]["state"]) == ("", 1, 3)
    assert admin.post_json(f"{CHECKS}/start", log="usual").data["id"] == job
    with tenant_scope(A):
        assert Event.objects.filter(operation="sealcheck.start", business_id=job).count() == 1
    assert verifying.sweep() == 1
    found = admin.get(f"{CHECKS}/detail", id=job).data
    assert {name: found[name] for name in ("stateName", "seals", "rows", "fromTime", "endTime")} == {
        "stateName": "Running", "seals": 2, "rows": 20, "fromTime": first.begin, "endTime": None,
    }  # fmt: skip
    _sweep()
    found = admin.get(f"{CHECKS}/detail", id=job).data
    assert {name: found[name] for name in ("state", "seals", "rows", "toTime", "waiting", "faults")} == {
        "state": 3, "seals": 10, "rows": 100, "toTime": first.end, "waiting": 1, "faults": [],
    }  # fmt: skip
    listed = admin.get(f"{CHECKS}/list", size=1).data
    assert ([row["id"] for row in listed["records"]], listed["total"]) == ([job], 2)
    assert "faults" not in listed["records"][0]
    assert admin.get(f"{CHECKS}/state").data["last"]["id"] == job


class SealCheckTimes:
    """When the first and the last of these events were made, as people read it."""

    def __init__(self, ids: list[int]):
        self.begin, self.end = moment(moment_of(ids[0])), moment(moment_of(ids[-1]))


def test_what_was_found_is_told_in_the_readers_language(cast: Cast, sealed: dict[str, list[int]]) -> None:
    with logins.owner_cursor() as cursor:
        _remove(cursor, sealed[A])
    _sweep()
    with tenant_scope(A):
        seal = Seal.objects.get(number=5)
    ids = sealed[A]
    fault = {
        "number": 5, "fromTime": moment(moment_of(ids[39])), "toTime": moment(moment_of(ids[49])),
        "sealedTime": moment(seal.time),
    }  # fmt: skip
    admin = cast.client_for("tenant_admin")
    [row] = admin.get(f"{CHECKS}/list", state=4).data["records"]
    assert (row["stateName"], row["faultCount"]) == ("不一致", 1)
    assert admin.get(f"{CHECKS}/detail", id=row["id"]).data["faults"] == [{**fault, "what": "10条记录中缺少2条"}]
    english = admin.in_english().get(f"{CHECKS}/state").data["last"]
    assert english["faults"] == [{**fault, "what": "2 of 10 entries are missing"}]


def test_checks_are_for_those_who_hold_their_codes_and_for_their_own_company(
    cast: Cast, sealed: dict[str, list[int]]
) -> None:
    _sweep()
    with tenant_scope(A):
        [own] = SealCheck.objects.values_list("pk", flat=True)
        RoleMenu.objects.filter(menu__code=verifying.START).delete()
        rights_changed(A)
    before = (checksum(A), sorted(SealTurn.objects.values_list()))
    for account in ("equip_manager", "flow_designer"):
        refused = cast.client_for(account)
        assert [refused.get(f"{CHECKS}/{call}", id=own).status for call in ("list", "detail", "state")] == [403] * 3
        assert refused.post_json(f"{CHECKS}/start", log="usual").status == 403
    admin = cast.client_for("tenant_admin")
    assert (admin.get(f"{CHECKS}/state").status, admin.post_json(f"{CHECKS}/start", log="usual").status) == (200, 403)
    for named in ({}, {"log": "api"}):
        assert cast.client_for("tenant_admin", B).post_json(f"{CHECKS}/start", **named).status == 400
    with tenant_scope(A), pytest.raises(NotAllowed):
        verifying.start(replace(cast.actor_for("tenant_admin"), codes=frozenset({verifying.VIEW})))
    assert Caller().post_json(f"{CHECKS}/start", log="usual").status == 401
    other = cast.client_for("tenant_admin", B)
    assert other.get(f"{CHECKS}/detail", id=own, tenantId=A).status == 404
    listed = other.get(f"{CHECKS}/list", tenantId=A).data["records"]
    assert ([row["seals"] for row in listed], other.get(f"{CHECKS}/state", tenantId=A).data["seals"]) == ([3], 3)
    assert (checksum(A), sorted(SealTurn.objects.values_list())) == before
    platform = cast.platform()
    assert [row["id"] for row in platform.get(f"{CHECKS}/list", tenantId=A).data["records"]] == [str(own)]


def test_the_command_stores_its_result_like_the_job(
    cast: Cast, sealed: dict[str, list[int]], capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("verifyaudit")
    assert (_results(A), _results(B)) == ([(3, 10, 100, 0, 0)], [(3, 3, 30, 0, 0)])
    assert _sweep() == 0
    with logins.owner_cursor() as cursor:
        _change(cursor, sealed[A])
    # What the worker has begun is ended first.
    SealTurn.objects.filter(tenant_id=A).update(due_time=datetime.now(UTC))
    assert verifying.sweep() == 1
    with pytest.raises(CommandError, match="1 faults"):
        call_command("verifyaudit")
    assert [one[0] for one in _results(A)] == [3, 4, 4]
    assert len(_messages(A)) == 1


def test_the_command_takes_another_copy_of_the_newest_seals(
    cast: Cast, sealed: dict[str, list[int]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "elsewhere.json"
    kept.write_text('{"100002": {"number": 9, "hash": "x"}}')
    with pytest.raises(CommandError, match="1 faults"):
        call_command("verifyaudit", heads=str(kept))
    assert [one[:2] for one in _faults(B)] == [(9, "cut")]
    assert capsys.readouterr().err.startswith(f"tenant {B}, batch 9: The chain was cut after batch 3")


def test_a_company_with_a_long_chain_holds_up_nobody(cast: Cast, sealed: dict[str, list[int]]) -> None:
    """While A has parts left, B's two come in its turns."""
    Tenant.objects.get(tenant_id=A)
    now = datetime.now(UTC)
    for tenant, due in ((A, now - timedelta(hours=1)), (B, now), (PLATFORM, now + timedelta(days=1))):
        SealTurn.objects.create(tenant_id=tenant, due_time=due)
    Turn.objects.all().delete()
    for _ in range(6):
        verifying.sweep()
    assert (_results(A), _results(B)) == ([(2, 6, 60, 0, 0)], [(3, 3, 30, 0, 0)])


def test_old_checks_go_and_what_they_found_stays(cast: Cast, sealed: dict[str, list[int]]) -> None:
    long_ago = datetime.now(UTC) - timedelta(days=401)
    with tenant_scope(A):
        for state in CheckState:
            SealCheck.objects.create(state=state, target=1, end_time=long_ago)
        SealCheck.objects.create(state=CheckState.INTACT, target=1, end_time=long_ago + timedelta(days=2))
        verifying.prune()
        left = list(SealCheck.objects.order_by("id").values_list("state", flat=True))
    assert left == [CheckState.WAITING, CheckState.RUNNING, CheckState.BROKEN, CheckState.INTACT]
