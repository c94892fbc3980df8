"""What companies ask for of a point that is checked: as shipped a photo of each abnormal item."""

from __future__ import annotations

from typing import Any

import pytest

from core.kernel.tenancy import tenant_scope
from core.system.models import RequiredRule
from tests.cast import A, Cast
from tests.checksums import checksum
from tests.core.rounds.test_life import _tasks
from tests.core.rounds.walking import at, body, details, item, ok, picture, submit

SAVE, DETAILS = "yuzhu-equip/required/requiredSave", "yuzhu-equip/required/requiredDetails"


def _ask(cast: Cast, *items: dict[str, Any]) -> None:
    body = {"scene": 4, "items": list(items)}
    assert cast.client_for("equip_manager").post_json(SAVE, body).data is True


@pytest.fixture
def point(cast: Cast) -> Any:
    """The first point of a task of the operator; the company has decided nothing yet."""
    with tenant_scope(A):
        RequiredRule.objects.all().delete()
    return details(_tasks(cast)[0])[0]


def test_an_abnormal_item_needs_a_photo_as_shipped(cast: Cast, point: Any) -> None:
    (scene,) = cast.client_for("operator").get(DETAILS, scene=4).data
    assert [(one["field"], one["label"], one["required"], one["min"], one["max"]) for one in scene["items"]] == [
        ("abnormalImages", "异常项照片", 1, 1, 6),
        ("abnormalRemark", "异常项备注", 0, 0, 9),
        ("images", "点位照片", 0, 0, 9),
        ("remark", "点位备注", 0, 0, 9),
    ]
    oil = f"records.{item(point, '油位')}"
    with at("2026-09-01 09:00"):
        before = checksum(A)
        refused = submit(cast, "operator", body(point, {"排气压力": "0.7", "油位": "0"}))
        assert (refused.status, refused["error"]) == (400, "input.invalid")
        assert refused.data["fields"] == {oil: "请上传至少1张异常项照片"}
        english = cast.client_for("operator").in_english()
        said = english.post_json(
            "yuzhu-equip/inspectorderdetail/submit", body(point, {"排气压力": "0.95", "油位": "1"})
        )
        text = "Please upload at least 1 of: Photos of an abnormal item"
        assert list(said.data["fields"]) == [f"records.{item(point, '排气压力')}"] and said.msg == text
        assert checksum(A) == before
        # What is skipped or normal needs none; with a photo it goes in.
        sent = body(point, {"排气压力": "0.7", "油位": {"value": "0", "images": picture(cast)}})
        assert ok(submit(cast, "operator", sent))["result"] == 3


def test_a_company_asks_for_more_or_for_less(cast: Cast, point: Any) -> None:
    _ask(
        cast,
        {"field": "abnormalImages", "required": 0, "max": 6},
        {"field": "abnormalRemark", "required": 1},
        {"field": "images", "required": 1, "min": 2, "max": 9},
        {"field": "remark", "required": 1},
    )
    oil = f"records.{item(point, '油位')}"
    with at("2026-09-01 09:00"):
        before = checksum(A)
        refused = submit(cast, "operator", body(point, {"排气压力": "0.7", "油位": {"value": "0", "remark": " "}}))
        assert refused.data["fields"] == {
            "images": "请上传至少2张点位照片", "remark": "请填写点位备注", oil: "请填写异常项备注",
        }  # fmt: skip
        assert checksum(A) == before
        links = ",".join(picture(cast, color=color) for color in ("red", "blue"))
        given = {"images": links, "remark": "油位偏低"}
        sent = body(point, {"排气压力": "0.7", "油位": {"value": "0", "remark": "低于下线"}}, **given)
        assert ok(submit(cast, "operator", sent))["result"] == 3


def test_a_skipped_point_needs_nothing(cast: Cast, point: Any) -> None:
    _ask(cast, {"field": "remark", "required": 1})
    with at("2026-09-01 09:00"):
        ok(submit(cast, "operator", body(point, {}, skip={"reason": "通道封闭施工"})))
