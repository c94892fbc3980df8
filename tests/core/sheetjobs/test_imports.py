"""Imports of many rows: right ones are stored in parts, wrong ones come back with their reasons, whatever happens."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.access.models import RoleMenu
from core.audit.models import Event
from core.desk.models import Message
from core.equipment.models import Machine
from core.identity import quotas
from core.identity.models import Quota, QuotaKind, Tenant, User
from core.kernel.errors import Conflict
from core.kernel.tenancy import tenant_scope
from core.rest import workbooks
from core.scheduling import leases, outbox
from core.sheetjobs import imports, queue, work
from core.sheetjobs.models import SheetJob, SheetPart, SheetTurn
from core.storage.models import Attachment
from tests import writes
from tests.cast import A, B, Cast
from tests.checksums import checksum
from tests.core.sheetjobs import machines
from tests.core.sheetjobs.steps import HEADS, IMPORT, JOBS, bring, lines, load, make, sheet, show, sweep, there
from tests.toolroom.models import Toolmaker
from tests.toolroom.views import ToolmakerViewSet

MACHINES = "yuzhu-equip/inspectmachine/import"
MACHINE_HEADS = ["设备编号", "设备名称", "节点类型", "使用部门", "上级", "设备类型"]
REASON = "未导入的原因"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of two rows, and one part a sweep."""
    monkeypatch.setattr(imports, "PART_ROWS", 2)
    monkeypatch.setattr(work, "MOST_AT_ONCE", 1)


def _machine(code: str, above: str = "LINE", level: str = "设备", name: str = "铣床") -> list[Any]:
    return [code, name, level, "机加车间", above, "车床类"]


def _counts(found: dict[str, Any]) -> tuple[int, ...]:
    return tuple(found[name] for name in ("state", "total", "done", "created", "updated", "wrong"))


def test_twelve_hundred_rows_come_in_and_wrong_ones_come_back(cast: Cast) -> None:
    make(2)
    keeper = cast.client_for("equip_manager")
    rows = [*lines(1200), ["S00007", "重"], ["S9", ""], ["", ""]]
    rows[0].append("备忘")
    rows[5] += ["自己记的"]
    refused = keeper.post_form("yuzhu-toolroom/toolmaker/import", file=sheet(rows))
    assert (refused.status, refused["error"], refused.msg) == (400, "sheet.tooMany", "一次最多导入1000行")
    assert len(there()) == 2
    asked = bring(keeper, rows)
    assert asked.status == 200, asked
    job = asked.data["id"]
    assert _counts(show(keeper, job)) == (1, None, 0, 0, 0, 0)
    with tenant_scope(A):
        assert Attachment.objects.get(is_private=True).original_name == "商.xlsx"
    # The sheet is read, thirteen parts of 100 rows and less are stored, and the wrong rows are written.
    assert sweep() == 1 + 13 + 1
    found = show(keeper, job)
    assert _counts(found) == (3, 1202, 1202, 1198, 0, 4)
    assert (found["kindName"], found["title"], found["stateName"]) == ("导入", "工具商", "已完成")
    assert there() == {f"S{n:05d}": f"商{n}" for n in range(1200)}
    assert load(keeper, job) == [
        (*HEADS[:2], "备忘", REASON),
        ("S00000", "商0", None, "「S00000」已存在"),
        ("S00001", "商1", None, "「S00001」已存在"),
        ("S00007", "重", None, "工具商编号：与第9行重复"),
        ("S9", None, None, "工具商名称：请输入工具商名称"),
    ]
    outbox.deliver_due()
    with tenant_scope(A):
        assert (SheetPart.objects.count(), SheetTurn.objects.count()) == (0, 0)
        said = Message.objects.values_list("user_id", "title", "content", "title_en", "content_en").get()
        events = list(Event.objects.filter(operation="toolmaker.import").order_by("id"))
    assert said == (
        cast.user("equip_manager").pk,
        "导入已完成：工具商",
        "新增1198条，更新0条，未导入4条。未导入的行7天内可在“导入导出任务”中下载，改正后重新导入。",
        "Import ready: Toolmakers",
        "Added: 1198; updated: 0; not imported: 4. Those rows can be downloaded under Imports and exports for 7 days,"
        " corrected and imported again.",
    )
    assert [one.changes[0]["new"][0] for one in events] == ["98", *["100"] * 11]
    assert {(one.user_name, one.remark) for one in events} == {("钱管", "商.xlsx")}


def test_what_came_back_is_corrected_and_imported_again(cast: Cast) -> None:
    keeper = cast.client_for("equip_manager").in_english()
    moment = datetime(2026, 3, 2, 0, 0)
    job = bring(
        keeper, [["工具商编号", "Toolmaker", "Since"], ["S1", "", moment], ["S2", "乙", "soon"], ["S3", 3, moment]]
    )
    sweep()
    heads, *rows = load(keeper, job.data["id"])
    assert heads == ("工具商编号", "Toolmaker", "Since", "Why it was not imported")
    assert rows == [
        ("S1", None, moment, "Toolmaker: Please enter Toolmaker"),
        ("S2", "乙", "soon", "Since: Since must be a date such as 2026-03-02"),
    ]
    assert there() == {"S3": "3"}
    again = bring(keeper, [heads, ["S1", "甲", *rows[0][2:]], rows[1]]).data["id"]
    sweep()
    assert _counts(show(keeper, again)) == (3, 2, 2, 1, 0, 1)
    # What was said last time is no column of the sheet.
    assert load(keeper, again) == [heads, rows[1]]
    with tenant_scope(A):
        assert Toolmaker.objects.get(toolmaker_code="S1").since == moment.date()


def test_existing_rows_change_where_asked_and_each_change_is_in_the_audit_log(cast: Cast) -> None:
    make(3)
    keeper = cast.client_for("equip_manager")
    job = bring(keeper, [HEADS[:2], ["S00000", "新"], ["S00001", "商1"], ["S00009", "添"]], isCovered="1").data["id"]
    sweep()
    assert _counts(show(keeper, job)) == (3, 3, 3, 1, 2, 0)
    assert there() == {"S00000": "新", "S00001": "商1", "S00002": "商2", "S00009": "添"}
    with tenant_scope(A):
        changed = Toolmaker.objects.get(toolmaker_code="S00000")
        one, all_of_it = Event.objects.filter(operation="toolmaker.import").order_by("id")
    assert (one.business_id, one.changes[0]["old"], one.changes[0]["new"]) == (changed.pk, ["商0"] * 2, ["新"] * 2)
    assert [change["new"][0] for change in all_of_it.changes] == ["1", "2"]
    assert changed.update_user == cast.user("equip_manager").pk
    # Without a wrong row there is no file.
    assert show(keeper, job)["fileName"] == ""


def test_who_may_not_import_may_not_ask_and_nothing_else_is_imported(cast: Cast) -> None:
    before, rows = checksum(A), lines(1)
    assert bring(cast.client_for("viewer"), rows).status == 403
    keeper = cast.client_for("equip_manager")
    for call in ("yuzhu-toolroom/toolmaker/export", "yuzhu-toolroom/toolmove/save", f"{JOBS}/import", "nothing/at/all"):
        answer = bring(keeper, rows, call)
        assert (answer.status, answer["error"]) == (400, "input.invalid"), call
    assert keeper.post_form(f"{JOBS}/import", call=IMPORT).data["fields"] == {"file": "请选择文件"}
    assert checksum(A) == before


@pytest.mark.parametrize("call", ["blade-system/user/import", "blade-system/user/import-user"])
def test_people_are_not_imported_in_the_background(cast: Cast, call: str) -> None:
    before = checksum(A)
    answer = bring(cast.client_for("tenant_admin"), [["账号"], ["x"]], call)
    text = "「用户管理」不能在后台导入，请拆分表格，每次最多导入1000行"
    assert (answer.status, answer["error"], answer.msg) == (400, "sheetJob.onlyAtOnce", text)
    assert checksum(A) == before


def test_changing_rows_needs_the_right_to_edit_when_asked_and_at_each_part(small: None, cast: Cast) -> None:
    make(4)
    rows = [HEADS[:2], *([f"S{n:05d}", "新"] for n in range(4))]
    job = bring(cast.client_for("equip_manager"), rows, isCovered="1").data["id"]
    assert (work.sweep(), work.sweep()) == (1, 1)
    with tenant_scope(A):
        RoleMenu.objects.filter(menu__code="toolmaker_edit").delete()
    before = there()
    assert list(before.values()) == ["新", "新", "商2", "商3"]
    sweep()
    with tenant_scope(A):
        found = SheetJob.objects.get(pk=job)
        assert (found.state, found.done, found.updated, found.reason) == (4, 2, 2, "没有权限执行此操作")
    assert there() == before
    assert bring(cast.anew("equip_manager"), rows, isCovered="1").status == 403
    assert bring(cast.anew("equip_manager"), rows).status == 200


@pytest.mark.parametrize("what", ["right", "person", "tenant"])
def test_rights_that_are_taken_away_end_the_import(small: None, cast: Cast, what: str) -> None:
    job = bring(cast.client_for("equip_manager"), lines(5)).data["id"]
    assert (work.sweep(), work.sweep()) == (1, 1)
    with tenant_scope(A):
        if what == "right":
            RoleMenu.objects.filter(menu__code="toolmaker_import").delete()
        elif what == "person":
            User.objects.filter(account="equip_manager").update(is_enabled=False)
        else:
            Tenant.objects.filter(tenant_id=A).update(is_enabled=False)
    sweep()
    reason = "没有权限执行此操作" if what == "right" else "账号已停用，任务结束"
    with tenant_scope(A):
        found = SheetJob.objects.get(pk=job)
        assert (found.state, found.done, found.created, found.reason) == (4, 2, 2, reason)
        assert not Attachment.objects.filter(is_private=True).exists()
        assert (SheetPart.objects.count(), SheetTurn.objects.count()) == (0, 0)
    assert list(there()) == ["S00000", "S00001"]


def test_rows_of_a_company_stay_in_it(cast: Cast) -> None:
    make(2, B)
    keeper = cast.client_for("equip_manager")
    job = bring(keeper, lines(3), isCovered="1").data["id"]
    sweep()
    assert _counts(show(keeper, job)) == (3, 3, 3, 3, 0, 0)
    assert (list(there()), there(B)) == (["S00000", "S00001", "S00002"], {"S00000": "商0", "S00001": "商1"})
    assert cast.client_for("equip_manager", B).get(f"{JOBS}/detail", id=job).status == 404


def test_an_import_that_is_cancelled_keeps_what_is_in(small: None, cast: Cast) -> None:
    keeper = cast.client_for("equip_manager")
    job = bring(keeper, lines(6)).data["id"]
    assert (work.sweep(), work.sweep()) == (1, 1)
    assert keeper.post_json(f"{JOBS}/cancel", id=job).status == 200
    assert sweep() == 1
    assert _counts(show(keeper, job)) == (5, 6, 2, 2, 0, 0)
    assert list(there()) == ["S00000", "S00001"]


@pytest.mark.parametrize("where", ["read", "stored", "written"])
def test_a_worker_that_is_killed_adds_nothing_twice(
    small: None, cast: Cast, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    keeper = cast.client_for("equip_manager")
    job = bring(keeper, [*lines(4), ["S00004", ""]]).data["id"]
    if where != "read":
        work.sweep()

    class Killed(BaseException):
        pass

    def die(*_given: Any, **_more: Any) -> None:
        raise Killed

    # A part's worker dies when its rows are written and nothing is committed yet.
    module: Any = imports.workbooks if where == "written" else imports
    with monkeypatch.context() as patch:
        patch.setattr(module, "write" if where == "written" else "pack", die)
        with pytest.raises(Killed):
            sweep()
    done = {"read": [], "stored": [], "written": [f"S0000{n}" for n in range(4)]}[where]
    assert list(there()) == done
    assert work.sweep() == 0  # the lease lasts
    SheetTurn.objects.update(due_time=datetime.now(UTC) - timedelta(seconds=1))
    sweep()
    assert _counts(show(keeper, job)) == (3, 5, 5, 4, 0, 1)
    assert list(there()) == [f"S0000{n}" for n in range(4)]
    with tenant_scope(A):
        assert Toolmaker.with_removed.count() == 4
        assert Event.objects.filter(operation="toolmaker.import").count() == 2


def test_who_was_too_slow_stores_no_row_of_a_part_that_another_has_taken(
    small: None, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = cast.client_for("equip_manager")
    job = bring(keeper, lines(2)).data["id"]
    work.sweep()
    slow = leases.claim(queue.SHEETS, A, queue.LEASE)
    assert slow is not None
    SheetTurn.objects.update(due_time=datetime.now(UTC) - timedelta(seconds=1))
    with tenant_scope(A):
        found, part = SheetJob.objects.get(pk=job), SheetPart.objects.get(is_done=False)
    assert work.sweep() == 1
    with tenant_scope(A):
        Toolmaker.objects.all().delete()
    with pytest.raises(leases.Lost):
        imports._store(found, slow, part)
    assert (there(), show(keeper, job)["created"]) == ({}, 2)


def test_a_row_comes_after_the_row_of_the_sheet_that_it_hangs_on(small: None, cast: Cast) -> None:
    keeper = cast.client_for("equip_manager")
    rows = [
        _machine("N6", "N5", "部件"),
        _machine("N5", "N1"),
        _machine("N2"),
        _machine("N1", "SHOP", "产线/区域")[:5],
        _machine("N3", "N4", "部件"),
        _machine("N4", "N3"),
        _machine("N7", "N8", "部件"),
        _machine("N8", "M0"),
        _machine("N9"),
    ]
    job = bring(keeper, [MACHINE_HEADS, *rows], MACHINES).data["id"]
    sweep()
    assert _counts(show(keeper, job)) == (3, 9, 9, 5, 0, 4)
    assert [(row[0], row[-1]) for row in load(keeper, job)[1:]] == [
        ("N3", "上级：没有「N4」这个选项"),
        ("N4", "上级：没有「N3」这个选项"),
        ("N7", "上级：没有「N8」这个选项"),
        ("N8", "上级：没有「M0」这个选项"),
    ]
    with tenant_scope(A):
        found = Machine.objects.filter(machine_code__startswith="N").values_list("machine_code", "parent__machine_code")
        assert dict(found) == {"N1": "SHOP", "N2": "LINE", "N5": "N1", "N6": "N5", "N9": "LINE"}


def test_a_circle_or_a_ladder_without_end_costs_no_more_than_its_rows(cast: Cast) -> None:
    keeper = cast.client_for("equip_manager")
    rows = [_machine(f"N{n}", f"N{n + 1}", "部件") for n in range(50)]
    job = bring(keeper, [MACHINE_HEADS, *rows, _machine("N50")], MACHINES).data["id"]
    sweep()
    found = show(keeper, job)
    # Twelve levels are the most, three of which are there.
    assert (found["state"], found["created"], found["wrong"]) == (3, 9, 42)


def test_keys_that_stand_twice_are_told_across_parts(small: None, cast: Cast) -> None:
    keeper = cast.client_for("equip_manager")
    rows = [*lines(5), ["S00001", "又一"], [" S00004 ", "又四"]]
    job = bring(keeper, rows, isCovered="1").data["id"]
    sweep()
    assert _counts(show(keeper, job)) == (3, 7, 7, 5, 0, 2)
    assert [row[0::2] for row in load(keeper, job)[1:]] == [
        ("S00001", "工具商编号：与第3行重复"),
        (" S00004 ", "工具商编号：与第6行重复"),
    ]
    assert there() == {f"S0000{n}": f"商{n}" for n in range(5)}


def test_what_changes_between_check_and_write_is_looked_at_again(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    make(1)
    keeper = cast.client_for("equip_manager")
    job = bring(keeper, lines(3, begin=1)).data["id"]
    store = queue.storing

    def later(*given: Any) -> Any:
        # Somebody adds one of the rows after it was found right.
        if not there().get("S00002") and SheetPart._base_manager.exists():
            make(1, begin=2)
        return store(*given)

    work.sweep()
    monkeypatch.setattr(queue, "storing", later)
    with tenant_scope(A):
        later_made = SheetPart.objects.filter(is_done=False).exists()
    sweep()
    assert (later_made, _counts(show(keeper, job))) == (True, (3, 3, 3, 2, 0, 1))
    assert load(keeper, job)[1:] == [("S00002", "商2", "「S00002」已存在")]


def test_of_a_row_that_fails_while_it_is_written_nothing_stays(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    keeper = cast.client_for("equip_manager")
    job = bring(keeper, lines(3)).data["id"]
    save = Toolmaker.save

    def fails(self: Toolmaker, *given: Any, **more: Any) -> None:
        save(self, *given, **more)
        if self.toolmaker_code == "S00001":
            raise Conflict("toolmaker.odd", "有问题")

    monkeypatch.setattr(Toolmaker, "save", fails)
    sweep()
    assert _counts(show(keeper, job)) == (3, 3, 3, 2, 0, 1)
    assert load(keeper, job)[1:] == [("S00001", "商1", "有问题")]
    assert list(there()) == ["S00000", "S00002"]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([["一", "二"], ["S1", "甲"]], "表头与模板不符，请先下载模板"),
        ([HEADS], "表格里没有数据"),
        (lines(4), "一次最多导入3行"),
    ],
)
def test_a_sheet_that_cannot_be_taken_ends_the_job_with_the_reason(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, rows: list[Any], reason: str
) -> None:
    monkeypatch.setattr(imports, "MOST_ROWS", 3)
    keeper = cast.client_for("equip_manager")
    job = bring(keeper, rows).data["id"]
    sweep()
    found = show(keeper, job)
    assert (found["state"], found["reason"], found["total"]) == (4, reason, None)
    outbox.deliver_due()
    with tenant_scope(A):
        assert (there(), list(Attachment.objects.all())) == ({}, [])
        assert Message.objects.get().content == f"{reason} 新增0条，更新0条，未导入0条。"


@pytest.mark.django_db(transaction=True)
def test_the_sheet_counts_towards_the_file_space_until_the_job_has_ended(cast: Cast, files: Any) -> None:
    keeper = cast.client_for("equip_manager")
    job = bring(keeper, [*lines(2), ["S9", ""]]).data["id"]
    with tenant_scope(A):
        sheet_size = Attachment.objects.get(is_private=True).attach_size
        assert quotas._used(QuotaKind.FILES) == sheet_size > 0
    sweep()
    with tenant_scope(A):
        assert quotas._used(QuotaKind.FILES) == show(keeper, job)["fileSize"] == Attachment.objects.get().attach_size
        Quota.objects.filter(kind=QuotaKind.FILES).update(most=0)
    answer = bring(keeper, lines(1))
    assert (answer.status, answer["error"]) == (400, "quota.files")
    with tenant_scope(A):
        assert (SheetJob.objects.count(), Attachment.objects.count()) == (1, 1)
    assert SheetTurn.objects.count() == 0
    assert len(list(files.rglob("*.xlsx"))) == 1


@pytest.mark.django_db(transaction=True)
def test_rows_are_read_and_checked_in_no_write(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[bool] = []
    serializer: Any = ToolmakerViewSet.serializer_class
    monkeypatch.setattr(serializer, "run_validation", writes.noting(checked, serializer.run_validation))
    monkeypatch.setattr(workbooks, "cells_of", writes.noting(checked, workbooks.cells_of))
    bring(cast.client_for("equip_manager"), lines(3))
    sweep()
    assert (len(there()), checked) == (3, [False] * 4)


def test_a_part_costs_as_much_a_row_as_the_import_at_once(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    keeper = cast.client_for("equip_manager")
    monkeypatch.setattr(work, "MOST_AT_ONCE", 1)

    def cost(rows: list[list[Any]], *, as_job: bool) -> int:
        if as_job:
            bring(keeper, rows)
            work.sweep()
        with CaptureQueriesContext(connection) as captured:
            if as_job:
                assert work.sweep() == 1
            else:
                assert keeper.post_form("yuzhu-toolroom/toolmaker/import", file=sheet(rows)).status == 200
        sweep()
        return len(captured)

    def a_row(begin: int, *, as_job: bool) -> float:
        few, many = (cost(lines(n, begin + n), as_job=as_job) for n in (10, 30))
        return (many - few) / 20

    # Beside the same statements a savepoint: what fails of a row leaves the others.
    assert a_row(100, as_job=True) == a_row(200, as_job=False) + 2
    monkeypatch.setattr(imports, "PART_ROWS", 10)
    bring(keeper, lines(40, 300))
    work.sweep()
    costs = []
    for _ in range(3):
        with CaptureQueriesContext(connection) as captured:
            assert work.sweep() == 1
        costs.append(len(captured))
    assert costs == costs[:1] * 3


@pytest.mark.django_db(transaction=True)
def test_a_part_holds_the_writers_for_less_than_a_second(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    keeper = cast.client_for("equip_manager")
    rows = [_machine(f"N{n:03d}") for n in range(imports.PART_ROWS)]
    held: list[float] = []
    storing = queue.storing

    @contextmanager
    def timed(*given: Any) -> Iterator[Any]:
        began = time.process_time()
        with storing(*given) as now:
            yield now
        held.append(time.process_time() - began)

    monkeypatch.setattr(queue, "storing", timed)
    for covered in ("0", "1"):
        bring(
            keeper,
            [MACHINE_HEADS, *([*row[:1], f"{row[1]}{covered}", *row[2:]] for row in rows)],
            MACHINES,
            isCovered=covered,
        )
        sweep()
    assert (len(held), max(held) < 1) == (4, True), held


@pytest.mark.parametrize("language", ["zh", "en"])
def test_assets_come_in_with_wrong_rows_of_every_kind_left_out_and_go_out_and_in_unchanged(
    cast: Cast, language: str
) -> None:
    keeper = cast.client_for("equip_manager")
    machines.declare(keeper)
    rows, said = machines.rows(120, 10)
    job = bring(keeper, [machines.HEADS, *rows], MACHINES).data["id"]
    sweep()
    assert _counts(show(keeper, job)) == (3, 120, 120, 110, 0, 10)
    back = load(keeper, job)
    assert back == [(*machines.HEADS, REASON), *((*rows[n], text) for n, text in said.items())]
    with tenant_scope(A):
        stored = dict(Machine.objects.filter(machine_code__startswith="IM").values_list("machine_code", "ext"))
    assert stored == {
        f"IM{n:05d}": {"contract_no": f"HT-{n}", "energy": str(n % 2 + 1)} for n in range(120) if n not in said
    }
    # What came back is corrected in its place and imported again.
    again = bring(keeper, [back[0], *((*machines.right(n), "旧") for n in said)], MACHINES).data["id"]
    sweep()
    assert _counts(show(keeper, again)) == (3, 10, 10, 10, 0, 0)
    # What goes out as a job comes in as one, and nothing has changed.
    reader = keeper.in_english() if language == "en" else keeper
    query = {"call": "yuzhu-equip/inspectmachine/export", "query": {}}
    out = reader.post_json(f"{JOBS}/export", query).data["id"]
    sweep()
    before = _machines()
    everything = load(reader, out)
    assert len(everything) == 1 + 126
    job = bring(reader, everything, MACHINES, isCovered="1").data["id"]
    sweep()
    assert _counts(show(reader, job)) == (3, 126, 126, 0, 126, 0)
    assert _machines() == before


def _machines() -> list[dict[str, Any]]:
    with tenant_scope(A):
        return list(Machine.objects.order_by("pk").values())
