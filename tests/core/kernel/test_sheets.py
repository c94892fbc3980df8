"""Spreadsheets: the filtered list goes out without formulas, rows come in whole or not at all, faults are named."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from openpyxl import Workbook, load_workbook

from core.equipment.models import Machine
from core.equipment.views import MachineViewSet
from core.kernel import tenancy
from core.kernel.audit_entry import current_operation
from core.kernel.errors import Invalid
from core.kernel.tenancy import tenant_scope
from core.rest import read_workbook, sheets, workbooks
from tests import hostile_files
from tests.cast import A, B, Caller, Cast

MACHINES = "yuzhu-equip/inspectmachine"
HEADS = ["设备编号*", "设备名称*", "节点类型", "使用部门*", "上级", "设备类型"]


def _sheet(*rows: list[Any]) -> SimpleUploadedFile:
    book = Workbook()
    for row in rows:
        book.active.append(row)  # type: ignore[union-attr]
    out = io.BytesIO()
    book.save(out)
    return SimpleUploadedFile("m.xlsx", out.getvalue())


def _download(caller: Caller, path: str, **parameters: Any) -> Any:
    answer = Client().get(f"/api/{path}", parameters, headers=caller._headers())
    assert (answer.status_code, answer["Content-Type"]) == (200, sheets.XLSX)
    assert answer["Content-Disposition"].startswith("attachment; ")
    return load_workbook(io.BytesIO(answer.content)).active


def _codes(tenant: str = A) -> set[str]:
    with tenant_scope(tenant):
        return set(Machine.objects.values_list("machine_code", flat=True))


def test_the_filtered_list_goes_out_in_the_callers_language(cast: Cast) -> None:
    manager = cast.client_for("equip_manager")
    rows = list(_download(manager, f"{MACHINES}/export", machineCode="M1").values)
    assert len(rows) == 2
    line = dict(zip(rows[0], rows[1], strict=True))
    assert (line["设备编号"], line["节点类型"], line["使用部门"]) == ("M1", "设备", "机加车间")
    assert line["设备类型"] == "车床类"
    assert not any("id" in str(head).lower() for head in rows[0])
    english = list(_download(manager.in_english(), f"{MACHINES}/export", machineCode="M1").values)
    assert dict(zip(*english, strict=True))["Level"] == "Asset"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", "＝1+1"])
def test_no_text_becomes_a_formula(cast: Cast, text: str) -> None:
    with tenant_scope(A):
        Machine.objects.filter(machine_code="M1").update(machine_name=text)
    sheet = _download(cast.client_for("equip_manager"), f"{MACHINES}/export", machineCode="M1")
    cells = [cell for row in sheet.iter_rows(min_row=2) for cell in row if cell.value is not None]
    assert text in {cell.value for cell in cells}
    assert {cell.data_type for cell in cells} <= {"s", "n"}
    assert all(cell.quotePrefix for cell in cells if cell.value == text)


def test_too_many_rows_are_refused_and_not_cut(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "MOST_OUT", 2)
    answer = cast.client_for("equip_manager").get(f"{MACHINES}/export")
    assert (answer.status, answer["error"], answer.msg) == (400, "sheet.tooMany", "最多导出2行，请缩小筛选范围")


def test_rows_come_in_with_the_names_that_people_use(cast: Cast) -> None:
    manager, before = cast.client_for("equip_manager"), _codes()
    by_code = ["N2", "钻床", 4, "机加车间", None, "GRINDERS"]
    file = _sheet(HEADS, ["N1", "铣床", "设备", "机加车间", "LINE", "车床类"], by_code)
    answer = manager.post_form(f"{MACHINES}/import", file=file)
    assert (answer.status, answer.data) == (200, {"created": 2, "updated": 0})
    assert _codes() - before == {"N1", "N2"}
    with tenant_scope(A):
        assert Machine.objects.get(machine_code="N1").parent.machine_code == "LINE"
        classes = Machine.objects.filter(machine_code__in=("N1", "N2")).values_list("machine_code", "type__type_code")
        assert dict(classes) == {"N1": "LATHES", "N2": "GRINDERS"}
    assert _codes(B) == before


def test_one_bad_row_keeps_all_out_and_every_fault_is_named(cast: Cast) -> None:
    manager, before = cast.client_for("equip_manager"), _codes()
    file = _sheet(
        HEADS,
        ["N1", "铣床", "设备", "机加车间", "LINE", "车床类"],
        ["", "无号", "设备", "机加车间", "LINE", "车床类"],
        ["N3", "x", "飞船", "乙部门", "LINE", "车床类"],
        ["M1", "重号", "设备", "机加车间", "LINE", "车床类"],
        ["N4", "无类", "设备", "机加车间", "LINE"],
    )
    answer = manager.post_form(f"{MACHINES}/import", file=file)
    assert (answer.status, answer["error"], answer.msg) == (400, "sheet.rows", "有5处错误，没有导入任何数据")
    assert answer.data["errors"] == [
        {"row": 3, "field": "设备编号", "text": "请输入设备编号"},
        {"row": 4, "field": "节点类型", "text": "没有「飞船」这个选项"},
        {"row": 4, "field": "使用部门", "text": "没有「乙部门」这个选项"},
        {"row": 5, "field": "", "text": "「M1」已存在"},
        {"row": 6, "field": "设备类型", "text": "请选择设备类型"},
    ]
    assert _codes() == before


def test_rows_that_exist_change_only_when_asked_and_allowed(cast: Cast) -> None:
    file = [["设备编号", "设备名称", "租户"], ["M1", "新名", B]]
    manager = cast.client_for("equip_manager")
    assert manager.post_form(f"{MACHINES}/import", file=_sheet(*file), isCovered="1").data == {
        "created": 0,
        "updated": 1,
    }
    assert cast.machine("M1").machine_name == "新名"
    assert cast.machine("M1", B).machine_name == "车床"


def test_who_may_not_import_changes_nothing(cast: Cast) -> None:
    before = _codes()
    for account in ("operator", "viewer"):
        answer = cast.client_for(account).post_form(f"{MACHINES}/import", file=_sheet(HEADS, ["N1", "铣床"]))
        assert answer.status == 403
    assert _codes() == before


def test_a_foreign_name_is_no_choice(cast: Cast) -> None:
    with tenant_scope(B):
        from core.identity.models import Department

        Department.objects.create(dept_name="乙独有")
    file = _sheet(HEADS, ["N1", "铣床", "设备", "乙独有", "LINE"])
    answer = cast.client_for("equip_manager").post_form(f"{MACHINES}/import", file=file)
    assert answer.data["errors"] == [{"row": 2, "field": "使用部门", "text": "没有「乙独有」这个选项"}]


def _bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * (read_workbook.MOST_UNPACKED + 1))
    return out.getvalue()


def _empty_zip() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.txt", "x")
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", "请上传xlsx表格文件"),
        (b"no zip", "请上传xlsx表格文件"),
        (_empty_zip(), "请上传xlsx表格文件"),
        (_bomb(), "文件内容过大"),
    ],
    ids=["empty", "text", "zip", "bomb"],
)
def test_files_that_are_no_sheet_are_refused(cast: Cast, content: bytes, text: str) -> None:
    file = SimpleUploadedFile("m.xlsx", content or b" ")
    answer = cast.client_for("equip_manager").post_form(f"{MACHINES}/import", file=file)
    assert (answer.status, answer.data["fields"]) == (400, {"file": text})


HOSTILE = {
    "3 million shared texts": "文件内容过大",
    "2 million rows": "文件内容过大",
    "200,000 nested cells": "文件内容过大",
    "40,000 attributes": "文件内容过大",
    "a comment of 9 MB": "文件内容过大",
    "a bomb": "文件内容过大",
    "entities in a cell": "请上传xlsx表格文件",
    "a file as an entity": "请上传xlsx表格文件",
    "a doctype in UTF-16": "请上传xlsx表格文件",
    "a cell out of range": "第2行有无法读取的单元格",
    "a date out of range": "第2行有无法读取的单元格",
    "a text that is not there": "第2行有无法读取的单元格",
}
"""The cheap ones of the corpus; tests/prove/neighbours.py sends all."""


@pytest.mark.parametrize("name", HOSTILE)
def test_a_sheet_that_would_cost_much_is_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(Invalid) as refused:
        workbooks.read(hostile_files.SHEETS[name](), A)
    assert refused.value.data == {"fields": {"file": HOSTILE[name]}}


@pytest.mark.parametrize(
    ("work", "ends"), [("bytearray(300 * 2**20)", 1), ("while True: pass", -signal.SIGKILL)], ids=["memory", "time"]
)
def test_the_reader_is_ended_by_limits_of_its_own(work: str, ends: int) -> None:
    program = f"""
import runpy
reader = runpy.run_path({read_workbook.__file__!r})
reader["limit_itself"].__globals__["CPU_SECONDS"] = 1
reader["limit_itself"]()
{work}
"""
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, timeout=60)
    assert done.returncode == ends


def test_a_sheet_is_read_in_no_transaction(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def read(content: bytes, tenant_id: str) -> list[Any]:
        seen.append((tenant_id, tenancy._current.get(), current_operation()))
        return [(1, HEADS), (2, ["N1", "铣床", "设备", "机加车间", "LINE", "车床类"])]

    monkeypatch.setattr(workbooks, "read", read)
    answer = cast.client_for("equip_manager").post_form(f"{MACHINES}/import", file=_sheet(HEADS))
    assert (answer.status, answer.data) == (200, {"created": 1, "updated": 0})
    # On PostgreSQL the tenant's scope is the transaction.
    assert seen == [(A, None, "")]


def test_what_is_wrong_is_found_before_anybody_has_to_wait(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str] = []
    serializer: Any = MachineViewSet.serializer_class
    valid = serializer.run_validation
    monkeypatch.setattr(
        serializer,
        "run_validation",
        lambda self, data: (checked.append(current_operation()), valid(self, data))[1],
    )
    rows = [[f"N{one}", "铣床", "设备", "机加车间", "LINE", "车床类"] for one in range(3)]
    below = ["N9", "主轴", "部件", "机加车间", "N1", "部件"]
    answer = cast.client_for("equip_manager").post_form(f"{MACHINES}/import", file=_sheet(HEADS, *rows, below))
    assert (answer.status, answer.data) == (200, {"created": 4, "updated": 0})
    # The last one hangs on a row of the same sheet, which is there only once it is written.
    assert checked == ["", "", "", "inspectmachine.import"]


def test_one_tenant_reads_one_file_at_a_time(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbooks, "WAIT_SECONDS", 0.0)
    with workbooks._place(A):
        answer = cast.client_for("equip_manager").post_form(f"{MACHINES}/import", file=_sheet(HEADS))
        assert (answer.status, answer["error"], answer.msg) == (503, "server.busy", "正在处理其他文件，请稍后重试")
        other = cast.client_for("equip_manager", B).post_form(f"{MACHINES}/import", file=_sheet(HEADS))
        assert other.data["fields"] == {"file": "表格里没有数据"}
    assert workbooks._reading == []


def test_too_many_rows_and_strange_heads_are_refused(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    manager, before = cast.client_for("equip_manager"), _codes()
    strange = manager.post_form(f"{MACHINES}/import", file=_sheet(["一", "二"], [1, 2]))
    assert strange.data["fields"] == {"file": "表头与模板不符，请先下载模板"}
    assert manager.post_form(f"{MACHINES}/import", file=_sheet(HEADS)).data["fields"] == {"file": "表格里没有数据"}
    monkeypatch.setattr(sheets, "MOST_IN", 1)
    many = _sheet(HEADS, ["N1", "a", 4, "机加车间", "LINE"], ["N2", "b", 4, "机加车间", "LINE"])
    assert manager.post_form(f"{MACHINES}/import", file=many).data["fields"] == {"file": "一次最多导入1行"}
    assert _codes() == before


def test_the_template_is_understood_by_the_import(cast: Cast) -> None:
    sheet = _download(cast.client_for("equip_manager"), f"{MACHINES}/export-template")
    heads = [cell.value for cell in sheet[1]]
    assert {"设备编号*", "设备名称*", "使用部门*", "节点类型", "上级"} <= set(heads)
    assert any("设备" in str(rule.formula1) for rule in sheet.data_validations.dataValidation)
