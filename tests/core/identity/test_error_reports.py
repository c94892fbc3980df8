"""A console hands in the errors it met: taken as they are, cleaned, and the session goes on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from django.test import Client

from core.kernel.actor import Actor
from core.rest import client_errors
from tests.cast import A, Cast
from tests.core.identity.signing import sign_in, works

PATHS = ["/api/blade-auth/oauth/logout", "/api/equip-auth/oauth/logout"]
ROW = {"type": "error", "message": "坏了", "stack": "at a.js:1", "info": "", "url": "/wel/index", "time": "2026-01-01"}


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Actor, list[Mapping[str, str]]]]:
    """What was handed to the store."""
    found: list[tuple[Actor, list[Mapping[str, str]]]] = []

    def store(actor: Actor, rows: Sequence[Mapping[str, str]]) -> None:
        found.append((actor, [dict(row) for row in rows]))

    monkeypatch.setattr(client_errors, "store", store)
    return found


def _send(token: str, body: Any, path: str = PATHS[0]) -> Any:
    return Client().post(
        path,
        body if isinstance(body, str) else json.dumps(body),
        content_type="application/json",
        headers={"Blade-Auth": f"bearer {token}"},
    )


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("wrap", [lambda rows: rows, lambda rows: {"logs": rows}])
def test_a_bare_array_and_an_object_are_taken(cast: Cast, kept: list[Any], path: str, wrap: Any) -> None:
    token = sign_in()["access_token"]
    assert _send(token, wrap([ROW, ROW]), path).json()["code"] == 200
    [(actor, rows)] = kept
    assert (actor.account, actor.tenant_id, rows) == ("operator", A, [ROW, ROW])
    assert works(token) == (200, 200)


def test_fields_may_be_missing_and_of_any_kind(cast: Cast, kept: list[Any]) -> None:
    rows = [{}, {"message": {"a": [1]}, "time": 1767225600000, "info": None, "stack": True, "more": "x"}]
    assert _send(sign_in()["access_token"], rows).status_code == 200
    empty = dict.fromkeys(("type", "message", "stack", "info", "url", "time"), "")
    assert kept[0][1] == [empty, {**empty, "message": '{"a": [1]}', "time": "1767225600000", "stack": "true"}]


def test_control_characters_are_escaped_and_long_texts_cut(cast: Cast, kept: list[Any]) -> None:
    hostile = {
        "message": "a\r\nWARNING xunwei forged line\x1b[31m\u2028\u202e\x07",
        "stack": "s" * 1_000_000,
        "url": "\n" * 10_000,
        "info": "<script>alert(1)</script>",
    }
    assert _send(sign_in()["access_token"], [hostile]).status_code == 200
    row = kept[0][1][0]
    assert row["message"] == "a\\r\\nWARNING xunwei forged line\\x1b[31m\\u2028\\u202e\\x07"
    assert (len(row["stack"]), len(row["url"])) == (8192, 8192)
    assert row["info"] == "<script>alert(1)</script>"
    assert all(text.isprintable() for text in row.values())


@pytest.mark.parametrize(
    "body", [[ROW] * 101, "[1]", '["x"]', "[[]]", "1", "null", '{"logs": {}}', "{}", "[", '[{"a":NaN}]']
)
def test_what_is_no_list_of_errors_is_refused(cast: Cast, kept: list[Any], body: Any) -> None:
    answer = _send(sign_in()["access_token"], body)
    assert (answer.status_code, answer.json()["code"]) == (400, 400)
    assert kept == []


def test_a_hundred_are_taken_and_none_is_no_fault(cast: Cast, kept: list[Any]) -> None:
    token = sign_in()["access_token"]
    assert _send(token, [ROW] * 100).status_code == 200
    assert _send(token, []).status_code == 200
    assert [len(rows) for _actor, rows in kept] == [100, 0]


def test_other_calls_still_take_objects_only(cast: Cast) -> None:
    body = _send(sign_in()["access_token"], [{"oldPassword": "x"}], "/api/blade-auth/oauth/update-password")
    assert (body.status_code, body.json()["error"]) == (400, "input.unreadable")


def test_without_a_store_they_go_to_the_log_one_line_each(cast: Cast, caplog: pytest.LogCaptureFixture) -> None:
    client_errors._to_log(cast.actor_for("operator"), [{**ROW, "message": "a\nb"}])
    [record] = caplog.records
    assert "\n" not in record.getMessage()
    assert json.loads(record.getMessage())["message"] == "a\nb"
