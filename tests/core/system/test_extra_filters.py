"""Lists and sheets of assets with extra fields: filters, sorting, columns, and what they cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from core.equipment.models import Machine
from core.kernel.tenancy import tenant_scope
from tests.cast import A, B, Cast
from tests.extras import ALL, MACHINES, codes, declare, download, import_rows, set_values


@pytest.fixture(scope="module")
def filled_once(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Four machines with values, and one of another company with the same keys; made once for all filters."""
    cast = Cast()
    with django_db_blocker.unblock(), transaction.atomic():
        declare(cast, *ALL)
        declare(cast, *ALL, tenant=B)
        for code, values in {
            "M1": {"contract_no": "HT-007", "weight": 9.5, "checked": "2026-03-02", "colour": "red"},
            "M2": {"contract_no": "ht_100%", "weight": 10, "checked": "2025-12-31", "colour": "blue"},
            "M1-SPINDLE": {"weight": -0.25, "colour": "red"},
        }.items():
            assert set_values(cast, values, code).status == 200
        assert set_values(cast, {"contract_no": "HT-007", "weight": 9.5, "colour": "red"}, tenant=B).status == 200
        yield
        transaction.set_rollback(True)


@pytest.fixture
def filled(filled_once: None, cast: Cast) -> Cast:
    """The cast with those values."""
    return cast


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"contract_no": "ht"}, ["M1", "M2"]),
        ({"contract_no": "0%"}, ["M2"]),
        ({"contract_no_equal": "HT-007"}, ["M1"]),
        ({"contract_no_likeright": "HT-"}, ["M1"]),
        ({"contract_no_notlike": "007"}, ["SITE", "SHOP", "LINE", "M1-SPINDLE", "M2"]),
        ({"contract_no_null": "1"}, ["SITE", "SHOP", "LINE", "M1-SPINDLE"]),
        ({"contract_no_notnull": "1"}, ["M1", "M2"]),
        ({"weight": "10"}, ["M2"]),
        ({"weight": "10.00"}, ["M2"]),
        ({"weight_ge": "9.5"}, ["M1", "M2"]),
        ({"weight_gt": "9.5"}, ["M2"]),
        ({"weight_le": "9.5"}, ["M1", "M1-SPINDLE"]),
        ({"weight_ge": "-1", "weight_lt": "9.5"}, ["M1-SPINDLE"]),
        ({"weight_notequal": "10"}, ["SITE", "SHOP", "LINE", "M1", "M1-SPINDLE"]),
        ({"checked": "2026-03-02"}, ["M1"]),
        ({"checked_ge": "2026-01-01"}, ["M1"]),
        ({"checked_le": "2026-01-01"}, ["M2"]),
        ({"checked_datege": "2025-12-31", "checked_datelt": "2026-03-02"}, ["M2"]),
        ({"colour": "red"}, ["M1", "M1-SPINDLE"]),
        ({"colour": "red,blue"}, ["M1", "M1-SPINDLE", "M2"]),
        ({"colour_notequal": "red"}, ["SITE", "SHOP", "LINE", "M2"]),
        ({"colour": "green"}, []),
        ({"colour": "red", "weight_gt": "0"}, ["M1"]),
        ({"contract_no": "' OR '1'='1"}, []),
    ],
)
def test_lists_are_narrowed_by_type(filled: Cast, asked: dict[str, str], found: list[str]) -> None:
    given = {f"ext.{name}": text for name, text in asked.items()}
    assert codes(filled.client_for("viewer"), **given) == found
    assert codes(filled.client_for("viewer"), **given, nodeType="4,5") == [one for one in found if one[0] == "M"]


@pytest.mark.parametrize(
    "name", ["nothing", "colour_ge", "weight_like", "contract_no_ge", "weight_xx", "", "colour.x", "weight__gt", "a'"]
)
def test_what_is_not_declared_is_no_filter(filled: Cast, name: str) -> None:
    answer = filled.client_for("viewer").get(f"{MACHINES}/list", **{f"ext.{name}": "1"})
    assert (answer.status, answer.data["fields"]) == (400, {f"ext.{name}": f"请求参数格式错误: ext.{name}"})


@pytest.mark.parametrize(("name", "text"), [("weight", "heavy"), ("weight_ge", "1e5"), ("checked", "soon")])
def test_a_value_that_does_not_fit_is_refused(filled: Cast, name: str, text: str) -> None:
    answer = filled.client_for("viewer").get(f"{MACHINES}/list", **{f"ext.{name}": text})
    assert (answer.status, list(answer.data["fields"])) == (400, [f"ext.{name}"])


def test_lists_are_sorted_with_what_is_empty_as_the_greatest(filled: Cast) -> None:
    viewer, empty = filled.client_for("viewer"), ["SITE", "SHOP", "LINE"]
    assert codes(viewer, ascs="ext.weight") == ["M1-SPINDLE", "M1", "M2", *empty]
    assert codes(viewer, descs="ext.weight") == [*empty, "M2", "M1", "M1-SPINDLE"]
    assert codes(viewer, ascs="ext.checked", nodeType="4") == ["M2", "M1"]
    assert codes(viewer, descs="ext.colour", nodeType="4,5") == ["M1", "M1-SPINDLE", "M2"]
    assert codes(viewer, ascs="ext.nothing") == codes(viewer) == [*empty, "M1", "M1-SPINDLE", "M2"]


def test_a_list_costs_the_same_with_any_number_of_fields_and_rows(filled: Cast) -> None:
    caller = filled.client_for("viewer")

    def cost(**asked: str) -> int:
        caller.get(f"{MACHINES}/list", **asked)  # the declarations are read once
        with CaptureQueriesContext(connection) as captured:
            assert caller.get(f"{MACHINES}/list", **asked).status == 200
        quiet = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "SELECT CURRENT_SETTING", "SELECT SET_CONFIG")
        return sum(not query["sql"].upper().startswith(quiet) for query in captured)

    plain = cost(machineName="")
    assert cost(**{"ext.weight_ge": "1"}) == plain
    assert cost(**{"ext.weight_ge": "1", "ext.colour": "red", "ext.contract_no": "H", "descs": "ext.weight"}) == plain


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_sheet_has_a_column_for_each_field_and_is_read_back_unchanged(filled: Cast, language: str) -> None:
    keeper = filled.client_for("equip_manager")
    keeper = keeper.in_english() if language == "en" else keeper
    sheet = download(keeper, "export")
    heads = ("合同号", "自重(吨)", "检定日期", "颜色") if language == "zh" else (
        "Contract no.", "Weight (t)", "Calibrated on", "Colour")  # fmt: skip
    assert sheet[0][-4:] == heads
    lines = {row[sheet[0].index("设备编号" if language == "zh" else "Asset code")]: row[-4:] for row in sheet[1:]}
    assert lines["M1"] == ("HT-007", 9.5, "2026-03-02", "红" if language == "zh" else "Red")
    assert lines["M1-SPINDLE"] == (None, -0.25, None, "红" if language == "zh" else "Red")
    with tenant_scope(A):
        before = list(Machine.objects.order_by("pk").values("machine_code", "machine_name", "ext", "remark"))
    answer = import_rows(keeper, sheet, isCovered="1")
    assert (answer.status, answer.data) == (200, {"created": 0, "updated": 6})
    with tenant_scope(A):
        assert list(Machine.objects.order_by("pk").values("machine_code", "machine_name", "ext", "remark")) == before
    # Read in the other language too: headings and options are known in both.
    assert import_rows(filled.client_for("equip_manager"), sheet, isCovered="1").status == 200
