"""Regions: one table for everybody, kept by the platform, named by their codes."""

from __future__ import annotations

from typing import Any

import pytest

from core.system import regions
from core.system.models import Region
from tests.cast import Cast
from tests.checksums import shared_checksum

REGION = "blade-system/region"


def test_what_is_shipped(cast: Cast) -> None:
    by_level = [Region.objects.filter(level=level).count() for level in range(4)]
    assert by_level == [1, 34, 338, 95]
    regions.install()
    assert Region.objects.count() == 468
    assert [region.name for region in Region.objects.filter(name_en="")] == []


def test_the_tree_begins_below_the_country(cast: Cast) -> None:
    caller = cast.client_for("operator")
    provinces = caller.get(f"{REGION}/lazy-tree", parentCode="00").data
    assert len(provinces) == 34
    assert provinces == caller.get(f"{REGION}/lazy-tree").data
    jiangsu = next(node for node in provinces if node["id"] == "32")
    assert jiangsu == {
        "id": "32", "parentId": "00", "title": "江苏省", "key": "32", "value": "32", "hasChildren": True,
    }  # fmt: skip
    assert {node["hasChildren"] for node in provinces if node["id"] in ("71", "81", "82")} == {False}
    cities = caller.in_english().get(f"{REGION}/lazy-tree", parentCode="32").data
    assert (len(cities), cities[4]["title"]) == (13, "Suzhou")
    kunshan = caller.in_english().get(f"{REGION}/lazy-tree", name="昆山").data
    assert [(node["id"], node["title"]) for node in kunshan] == [("320583", "Kunshan")]
    assert [node["id"] for node in caller.get(f"{REGION}/lazy-tree", name="昆山").data] == ["320583"]
    assert [row["code"] for row in caller.get(f"{REGION}/select", code="3204").data][:2] == ["320402", "320404"]
    assert len(caller.get(f"{REGION}/select").data) == 34


def test_one_region_knows_its_line(cast: Cast) -> None:
    row: dict[str, Any] = cast.client_for("operator").get(f"{REGION}/detail", code="320583").data
    expected = {
        "id": "320583", "code": "320583", "parentId": "3205", "parentCode": "3205", "parentName": "苏州市",
        "ancestors": "00,32,3205", "name": "昆山市", "level": 3, "levelName": "区县", "provinceCode": "32",
        "provinceName": "江苏省", "cityCode": "3205", "cityName": "苏州市", "districtCode": "320583",
        "districtName": "昆山市", "townCode": "", "villageName": "",
    }  # fmt: skip
    assert {name: row[name] for name in expected} == expected
    top = cast.client_for("operator").get(f"{REGION}/detail", code="00").data
    assert (top["parentName"], top["provinceName"]) == ("顶级", "")
    assert cast.client_for("operator").get(f"{REGION}/detail", code="999").status == 404


def test_a_known_code_is_changed_and_another_one_is_added(cast: Cast) -> None:
    platform = cast.platform()
    town = {"code": "320583100", "parentCode": "320583", "name": "玉山镇"}
    assert platform.post_json(f"{REGION}/submit", town).data == {"id": "320583100"}
    row = platform.get(f"{REGION}/detail", code="320583100").data
    assert (row["level"], row["ancestors"], row["cityName"]) == (4, "00,32,3205,320583", "苏州市")
    assert platform.change(REGION, {**town, "remark": "改"}).status == 200
    assert Region.objects.filter(code="320583100").count() == 1
    # The county moves, and the town with it.
    assert platform.change(REGION, {"code": "320583", "parentCode": "3202"}).status == 200
    assert platform.get(f"{REGION}/detail", code="320583100").data["ancestors"] == "00,32,3202,320583"
    assert platform.get(f"{REGION}/detail", code="320583100").data["cityName"] == "无锡市"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"code": "x y", "name": "x", "parentCode": "32"}, "code"),
        ({"name": "x", "parentCode": "32"}, "code"),
        ({"code": "3299", "parentCode": "32"}, "name"),
        ({"code": "3299", "name": "x", "parentCode": "none"}, "parentCode"),
        ({"code": "3299", "name": "x", "parentCode": "32", "level": 1}, "level"),
        ({"code": "3299", "name": "x", "parentCode": "32", "level": 9}, "level"),
        ({"code": "32", "parentCode": "3205", "lockVersion": 1}, "parentCode"),
        ({"code": "32", "parentCode": "32", "lockVersion": 1}, "parentCode"),
    ],
)
def test_a_region_that_hangs_nowhere_is_refused(cast: Cast, body: dict[str, Any], field: str) -> None:
    before = shared_checksum()
    answer = cast.platform().post_json(f"{REGION}/submit", body)
    assert (answer.status, list(answer.data["fields"])) == (400, [field])
    assert shared_checksum() == before


def test_what_has_others_below_it_stays(cast: Cast) -> None:
    platform, before = cast.platform(), shared_checksum()
    for code, status in (("32", 409), ("00", 409), ("320583,999", 404), ("999", 404)):
        assert platform.post_json(f"{REGION}/remove", id=code).status == status, code
    assert shared_checksum() == before
    assert platform.post_json(f"{REGION}/remove", id="320583").status == 200
    assert Region.objects.filter(code="320583").count() == 0


def test_only_the_platform_changes_it(cast: Cast) -> None:
    admin, before = cast.client_for("tenant_admin"), shared_checksum()
    assert admin.get(f"{REGION}/list").data["total"] == 468
    assert admin.post_json(f"{REGION}/submit", {"code": "3299", "name": "x", "parentCode": "32"}).status == 403
    assert admin.post_json(f"{REGION}/submit", {"code": "32", "name": "x"}).status == 403
    assert admin.post_json(f"{REGION}/remove", id="320583").status == 403
    assert shared_checksum() == before
