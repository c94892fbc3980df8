"""Releases of the product: what everybody is told of the newest, in their language, and that they have read it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from core.kernel import clock
from core.kernel.tenancy import PLATFORM, tenant_scope
from core.kernel.texts import moment
from core.system import releases
from core.system.models import ReleaseRead, SystemHistory
from tests.cast import A, B, Caller, Cast
from tests.checksums import checksum, shared_checksum

VERSION, NOUN = "yuzhu-equip/homeMetric/getVersion", "yuzhu-equip/systemHistory"
FIRST = "0.1.0"


def _publish(cast: Cast, version: str, lang: str = "zh", **values: Any) -> str:
    body = {
        "version": version,
        "lang": lang,
        "name": f"{version} {lang}",
        "content": "甲\n\n 乙 ",
        "status": 1,
        **values,
    }
    answer = cast.platform().post_json(f"{NOUN}/submit", {**body, **values})
    assert answer.status == 200, answer
    return str(answer.data["id"])


def _newest(caller: Caller) -> Any:
    answer = caller.get(VERSION)
    assert answer.status == 200, answer
    return answer.data


def test_the_first_release_is_brought_in_both_languages_and_changes_to_it_stay(cast: Cast) -> None:
    operator = cast.client_for("operator")
    found = _newest(operator)
    assert (found["version"], found["name"], found["unread"], found["history"]) == (FIRST, "首个版本", 1, [])
    assert _newest(operator.in_english())["name"] == "First release"
    assert found["contentLines"] == found["content"].split("\n")
    with tenant_scope(PLATFORM):
        SystemHistory.objects.filter(version=FIRST, lang="zh").update(name="改")
        releases.install()
        names = sorted(SystemHistory.objects.filter(version=FIRST).values_list("name", flat=True))
    assert names == ["First release", "改"]


def test_the_newest_that_is_published_is_told_in_ones_language_where_it_is_written_in_it(cast: Cast) -> None:
    operator = cast.client_for("operator")
    now = clock.now()
    _publish(cast, "1.1.0", publishTime=moment(now - timedelta(minutes=2)))
    _publish(cast, "1.1.0", "en", publishTime=moment(now - timedelta(minutes=3)))
    _publish(cast, "1.2.0", status=0)
    _publish(cast, "1.3.0", publishTime=moment(now + timedelta(days=3)))
    found = _newest(operator)
    assert (found["version"], found["name"], found["contentLines"]) == ("1.1.0", "1.1.0 zh", ["甲", "乙"])
    assert [(row["version"], row["name"]) for row in found["history"]] == [(FIRST, "首个版本")]
    assert _newest(operator.in_english())["name"] == "1.1.0 en"


def test_ten_older_ones_are_listed(cast: Cast) -> None:
    with tenant_scope(PLATFORM):
        SystemHistory.objects.all().delete()
    assert _newest(cast.client_for("operator")) == {}
    start = clock.now() - timedelta(days=20)
    for number in range(13):
        for lang in ("zh", "en"):
            _publish(cast, f"2.{number}.0", lang, publishTime=moment(start + timedelta(days=number)))
    found = _newest(cast.client_for("operator"))
    assert found["version"] == "2.12.0"
    assert [row["version"] for row in found["history"]] == [f"2.{number}.0" for number in range(11, 1, -1)]


def test_it_is_unread_until_one_has_opened_it_and_again_with_the_next(cast: Cast) -> None:
    operator, other, neighbour = cast.client_for("operator"), cast.client_for("viewer"), cast.client_for("operator", B)
    first = _newest(operator)["id"]
    english = _newest(operator.in_english())["id"]
    assert operator.post_json(f"{NOUN}/read", {"id": first}).status == 200
    assert operator.post_json(f"{NOUN}/read", {"id": english}).status == 200
    assert [_newest(one)["unread"] for one in (operator, operator.in_english(), other, neighbour)] == [0, 0, 1, 1]
    with tenant_scope(A):
        assert ReleaseRead.objects.count() == 1
    _publish(cast, "1.1.0")
    assert _newest(operator)["unread"] == 1


def test_what_people_are_not_shown_is_not_there_to_be_read(cast: Cast) -> None:
    draft = _publish(cast, "1.1.0", status=0)
    before = checksum(A)
    for given in (draft, "1", "x", ""):
        assert cast.client_for("operator").post_json(f"{NOUN}/read", {"id": given}).status in (400, 404), given
    assert Caller().post_json(f"{NOUN}/read", {"id": draft}).status == 401
    assert checksum(A) == before


@pytest.mark.parametrize("version", ["1.2", "v1.2.0", "1.2.x", "1..0"])
def test_a_version_has_three_numbers(cast: Cast, version: str) -> None:
    before = shared_checksum()
    body = {"version": version, "name": "甲", "content": "乙"}
    answer = cast.platform().post_json(f"{NOUN}/submit", body)
    assert (answer.status, answer.data["fields"]) == (400, {"version": "版本号应为 x.y.z，例如 1.2.0"})
    assert shared_checksum() == before
