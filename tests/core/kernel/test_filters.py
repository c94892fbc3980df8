"""List filters: declared names and suffixes narrow, everything else changes nothing."""

from __future__ import annotations

import pytest

from core.access.models import Menu
from core.equipment.models import MachineClass
from core.identity.models import User
from core.kernel.tenancy import tenant_scope
from core.rest.filters import filters_of, in_order
from tests.cast import A, Cast

LIST = "yuzhu-equip/inspectmachine/list"


def _codes(cast: Cast, **given: str) -> list[str]:
    answer = cast.client_for("equip_manager").get(LIST, size="50", **given)
    assert answer.status == 200, answer
    return [row["machineCode"] for row in answer.data["records"]]


ALL = ["SITE", "SHOP", "LINE", "M1", "M1-SPINDLE", "M2"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"machineName": "床"}, ["M1", "M2"]),
        ({"machineName_equal": "车床"}, ["M1"]),
        ({"machineName_likeright": "车"}, ["SHOP", "M1"]),
        ({"machineCode": "M1"}, ["M1"]),
        ({"machineCode_like": "M1"}, ["M1", "M1-SPINDLE"]),
        ({"nodeType": "4"}, ["M1", "M2"]),
        ({"nodeType": "4,5"}, ["M1", "M1-SPINDLE", "M2"]),
        ({"nodeType_ge": "3"}, ["LINE", "M1", "M1-SPINDLE", "M2"]),
        ({"nodeType_notequal": "4"}, ["SITE", "SHOP", "LINE", "M1-SPINDLE"]),
        ({"teamId_null": "1"}, ["SITE", "SHOP", "LINE"]),
        ({"createTime_datelt": "2020-01-01"}, []),
        ({"machineName": "床", "nodeType": "4", "machineCode": "M2"}, ["M2"]),
        ({"descs": "machine_code"}, ["SITE", "SHOP", "M2", "M1-SPINDLE", "M1", "LINE"]),
    ],
)
def test_declared_filters_narrow(cast: Cast, given: dict[str, str], expected: list[str]) -> None:
    assert sorted(_codes(cast, **given)) == sorted(expected)
    if "descs" in given:
        assert _codes(cast, **given) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"expectedMtbfHours": "1"}, ["C1"]),
        ({"expectedMtbfHours": "1.00"}, ["C1"]),
        ({"expectedMtbfHours": "1.04"}, []),
        ({"expectedMtbfHours_ge": "12.5"}, ["C12", "C13"]),
        ({"expectedMtbfHours_gt": "12.5"}, ["C13"]),
        ({"expectedMtbfHours_gt": "12.4999"}, ["C12", "C13"]),
        ({"expectedMtbfHours_le": "1.2"}, ["C1", "C2"]),
        ({"expectedMtbfHours_lt": "1.2"}, ["C1"]),
        ({"expectedMtbfHours_notequal": "1", "typeCode_like": "C1"}, ["C12", "C13"]),
        ({"expectedMtbfHours_null": "1", "typeCode_like": "EMPTY"}, ["EMPTY"]),
        ({"expectedMtbfHours_like": "1", "typeCode": "C1"}, ["C1"]),
    ],
)
def test_exact_numbers_are_compared_as_numbers(cast: Cast, given: dict[str, str], expected: list[str]) -> None:
    with tenant_scope(A):
        MachineClass.objects.create(type_code="EMPTY", type_name="EMPTY")
        for code, hours in (("C1", "1.0"), ("C2", "1.2"), ("C12", "12.5"), ("C13", "13.0")):
            MachineClass.objects.create(type_code=code, type_name=code, expected_mtbf_hours=hours)
    answer = cast.client_for("equip_manager").get("yuzhu-equip/inspecttype/list", size="50", **given)
    assert sorted(row["typeCode"] for row in answer.data["records"]) == expected


@pytest.mark.parametrize("text", ["x", "1e5", "--1", "1.", "NaN", "9" * 30, "1.1234567890123"])
def test_what_is_no_exact_number_is_refused(cast: Cast, text: str) -> None:
    answer = cast.client_for("equip_manager").get("yuzhu-equip/inspecttype/list", expectedMtbfHours_ge=text)
    assert (answer.status, answer["error"]) == (400, "input.invalid"), answer


def test_a_column_that_no_filter_fits_is_refused_when_the_list_is_declared() -> None:
    with pytest.raises(TypeError, match="JSONField"):
        filters_of(Menu, "meta")


@pytest.mark.parametrize(
    "name",
    [
        "password", "create_user", "tenant_id", "dept__deptName", "machineName__startswith", "_connector", "_negated",
        "pk__in", "createUser__password__startswith", "machineName_regex", "machineName_ignore", "duty_user__password",
        "1=1", "machineName'", "sleep(1)", "nodeType_like", "isDeleted",
    ],
)  # fmt: skip
def test_names_that_are_not_declared_change_nothing(cast: Cast, name: str) -> None:
    assert _codes(cast, **{name: "x"}) == _codes(cast)


@pytest.mark.parametrize("word", ["password", "duty_user__password", "machine_name)--", "?", "id;drop", ",,,", "dept"])
def test_orderings_that_are_not_declared_change_nothing(cast: Cast, word: str) -> None:
    assert _codes(cast, ascs=word) == _codes(cast, descs=word) == _codes(cast)


@pytest.mark.parametrize("given", [{"nodeType": "abc"}, {"createTime_datege": "gestern"}, {"nodeType": "9" * 30}])
def test_values_of_the_wrong_kind_are_refused_with_the_name(cast: Cast, given: dict[str, str]) -> None:
    answer = cast.client_for("equip_manager").get(LIST, **given)
    (name,) = given
    assert (answer.status, answer.msg) == (400, f"请求参数格式错误: {name}")


@pytest.mark.parametrize(
    ("given", "numbers"),
    [
        ({}, (1, 10)), ({"size": "3", "current": "2"}, (2, 3)), ({"size": "-1"}, (1, 10)), ({"size": "9999"}, (1, 200)),
        ({"size": "x", "current": "0"}, (1, 10)), ({"current": str(2**63)}, (1_000_000, 10)),
    ],
)  # fmt: skip
def test_pages_are_bounded(cast: Cast, given: dict[str, str], numbers: tuple[int, int]) -> None:
    data = cast.client_for("equip_manager").get(LIST, **given).data
    assert (data["current"], data["size"], data["total"]) == (*numbers, 6)


def test_what_is_empty_comes_last_and_first_when_turned_round_on_every_database(cast: Cast) -> None:
    with tenant_scope(A):
        people = User.objects.filter(account__in=("operator", "repairer"))
        people.filter(account="operator").update(dept=None)
        assert [row.account for row in in_order(people, ("dept", "id"))] == ["repairer", "operator"]
        assert [row.account for row in in_order(people, ("-dept", "id"))] == ["operator", "repairer"]
        assert [row.account for row in in_order(people, ("dept__dept_name", "id"))] == ["repairer", "operator"]
        assert "NULLS" not in str(in_order(people, ("-create_time", "-id")).query)
