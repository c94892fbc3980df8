"""What export writes import reads back, tried on every noun that has both."""

from __future__ import annotations

import io
import re
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from openpyxl import Workbook, load_workbook

from core.audit.models import Event
from core.kernel import clock
from core.kernel.tenancy import PLATFORM, tenant_scope
from core.rest.sheets import Export, Import
from tests.cast import A, B, Caller, Cast
from tests.contract.nouns import Noun, found_nouns, nouns, sample
from tests.toolroom.models import Toolmaker

SHEETS = [
    pytest.param(noun, id=noun.view.noun)
    for noun in nouns()
    if issubclass(noun.view, Export) and issubclass(noun.view, Import)
]
EXPORTS = [pytest.param(noun, id=noun.view.noun) for noun in found_nouns(lambda view: issubclass(view, Export))]
MOVING = {"id", "createTime", "updateTime", "version"}
TOOLS = "yuzhu-toolroom/tool"


def _export(caller: Caller, noun: Noun) -> list[list[Any]]:
    answer = Client().get(f"/api/{noun.path}/export", headers=caller._headers())
    assert answer.status_code == 200, answer
    return [list(row) for row in load_workbook(io.BytesIO(answer.content)).active.values]


def _import(caller: Caller, path: str, rows: list[list[Any]], **parameters: Any) -> Any:
    book, out = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(out)
    return caller.post_form(f"{path}/import", file=SimpleUploadedFile("m.xlsx", out.getvalue()), **parameters)


def _listed(caller: Caller, noun: Noun) -> list[dict[str, Any]]:
    rows = caller.get(f"{noun.path}/list", size=200).data["records"]
    return sorted(({k: v for k, v in row.items() if k not in MOVING} for row in rows), key=str)


@pytest.mark.parametrize("noun", SHEETS)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_export_writes_import_reads_back(noun: Noun, language: str, cast: Cast) -> None:
    keeper = noun.keeper(cast, A)
    if language == "en":
        keeper = keeper.in_english()
    for number in (1, 2):
        assert keeper.post_json(f"{noun.path}/submit", sample(noun, cast, A, number)).status == 200
    before, sheet = _listed(keeper, noun), _export(keeper, noun)
    answer = _import(keeper, noun.path, sheet, isCovered="1")
    assert (answer.status, answer.data["created"], answer.data["updated"]) == (200, 0, len(sheet) - 1), answer
    assert _listed(keeper, noun) == before
    with tenant_scope(A):
        (event,) = Event.objects.filter(operation=f"{noun.view.noun}.import")
    assert [change["new"][0] for change in event.changes] == ["0", str(len(sheet) - 1)]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("noun", EXPORTS)
def test_a_sheet_has_headings_that_people_read_and_none_twice(noun: Noun, language: str, cast: Cast) -> None:
    keeper = cast.client_for("platform", PLATFORM) if noun.is_shared else cast.client_for("tenant_admin")
    heads = _export(keeper.in_english() if language == "en" else keeper, noun)[0]
    assert sorted(heads) == sorted(set(heads))
    camel = {name.lower() for name in noun.input_fields()} if language == "zh" else {"id", "parentid"}
    assert {head.lower() for head in heads} & camel == set()
    if language == "zh":
        assert [head for head in heads if head.isascii()] == []


def test_a_row_that_is_gone_comes_back_from_its_sheet(cast: Cast) -> None:
    tools = next(noun for noun in nouns() if noun.view.noun == "tool")
    keeper = tools.keeper(cast, A)
    row = keeper.post_json(f"{TOOLS}/submit", {**sample(tools, cast, A), "isEnabled": 1}).data["id"]
    before, sheet = _listed(keeper, tools), _export(keeper, tools)
    heads = dict(zip(sheet[0], sheet[1], strict=True))
    assert (heads["工具商"], heads["工具商编号"], heads["状态"]) == ("toolmakerName28", "toolmakerCode28", "启用")
    assert keeper.post_json(f"{TOOLS}/remove", ids=row).status == 200
    assert _import(keeper, TOOLS, sheet).data == {"created": 1, "updated": 0}
    assert [{**one, "images": 0} for one in _listed(keeper, tools)] == [{**one, "images": 0} for one in before]


def test_a_reference_is_read_by_code_or_by_name_and_never_guessed(cast: Cast) -> None:
    tools = next(noun for noun in nouns() if noun.view.noun == "tool")
    keeper = tools.keeper(cast, A)
    with tenant_scope(A):
        for code, name in (("S1", "甲"), ("S2", "乙"), ("S3", "乙")):
            Toolmaker.objects.create(toolmaker_code=code, toolmaker_name=name)
    with tenant_scope(B):
        Toolmaker.objects.create(toolmaker_code="S9", toolmaker_name="丙")

    def read(toolmaker: str, code: str = "") -> Any:
        heads = ["工具编号", "工具名称", "类别", "适用类型", "单价", "工具商", "工具商编号"]
        return _import(keeper, TOOLS, [heads, [f"N{toolmaker}{code}", "新", "手动工具", "LATHES", 1, toolmaker, code]])

    assert [read(*given).status for given in (("甲",), ("S2",), ("乙", "S3"), ("", "S1"))] == [200] * 4
    # What the two columns say must agree, else an edited name would be passed over in silence.
    for given, text in (
        (("乙",), "「乙」不止一个，请填写编号"),
        (("丙",), "没有「丙」这个选项"),
        (("", "S9"), "没有「S9」这个选项"),
        (("甲", "甲"), "没有「甲」这个选项"),
        (("甲", "S2"), "「甲」与编号「S2」不一致"),
        (("无", "S2"), "「无」与编号「S2」不一致"),
    ):
        (error,) = read(*given).data["errors"]
        assert (error["field"], error["text"]) == ("工具商", text)
    rows = keeper.get(f"{TOOLS}/list").data["records"]
    assert sorted(row["toolmakerName"] for row in rows) == ["乙", "乙", "甲", "甲"]


def test_a_row_stands_once_in_a_sheet(cast: Cast) -> None:
    tools = next(noun for noun in nouns() if noun.view.noun == "tool")
    keeper = tools.keeper(cast, A)
    heads = ["工具编号", "工具名称", "类别", "适用类型", "单价"]
    lines = [[code, name, "手动工具", "LATHES", 1] for code, name in (("N1", "一"), ("N2", "二"), ("N1", "三"))]
    for covered in ("0", "1"):
        answer = _import(keeper, TOOLS, [heads, *lines], isCovered=covered)
        assert answer.data["errors"] == [{"row": 4, "field": "工具编号", "text": "与第2行重复"}]
    assert keeper.get(f"{TOOLS}/list").data["total"] == 0


@pytest.mark.parametrize("noun", SHEETS)
def test_a_template_asks_for_what_import_reads_and_nothing_else(noun: Noun, cast: Cast) -> None:
    answer = Client().get(f"/api/{noun.path}/export-template", headers=noun.keeper(cast, A)._headers())
    heads = next(iter(load_workbook(io.BytesIO(answer.content)).active.values))
    assert "数据版本" not in heads


@pytest.mark.parametrize(
    ("language", "call", "name", "title"),
    [
        ("zh", "export", "设备台账-202603030030.xlsx", "设备台账"),
        ("en", "export", "Assets-202603030030.xlsx", "Assets"),
        ("zh", "export-template", "设备台账-导入模板.xlsx", "设备台账"),
        ("en", "export-template", "Assets-import template.xlsx", "Assets"),
    ],
)
def test_a_file_is_called_as_people_call_the_noun_at_the_tenants_time(
    cast: Cast, language: str, call: str, name: str, title: str
) -> None:
    with clock.at(datetime(2026, 3, 2, 16, 30, tzinfo=UTC)):
        keeper = cast.client_for("equip_manager")
        keeper = keeper.in_english() if language == "en" else keeper
        answer = Client().get(f"/api/yuzhu-equip/inspectmachine/{call}", headers=keeper._headers())
    said = answer["Content-Disposition"]
    found = re.fullmatch(r"""attachment; filename(?:="|\*=utf-8'')([^"]+)"?""", said)
    assert found and unquote(found[1]) == name, said
    assert load_workbook(io.BytesIO(answer.content)).active.title == title


def test_a_wide_sheet_asks_for_its_references_once(cast: Cast) -> None:
    tools = next(noun for noun in nouns() if noun.view.noun == "tool")
    keeper, costs = tools.keeper(cast, A), []
    with tenant_scope(A):
        Toolmaker.objects.create(toolmaker_code="S1", toolmaker_name="甲")
    for begin, size in ((0, 2), (10, 22)):
        lines = [[f"N{begin + one}", "新", "手动工具", "LATHES", 1, "甲"] for one in range(size)]
        with CaptureQueriesContext(connection) as captured:
            assert (
                _import(keeper, TOOLS, [["工具编号", "工具名称", "类别", "适用类型", "单价", "工具商"], *lines]).status
                == 200
            )
        costs.append(sum('"toolmaker_code" IN (' in query["sql"] for query in captured))
    assert costs == [1, 1]
