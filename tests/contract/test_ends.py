"""Moments, dates and numbers at both ends of what can be written, in every field and parameter: no server error.

Databases differ in what they can hold and compare, so this runs on both.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import orjson
import pytest

from tests.cast import Cast
from tests.contract.posts import POSTS, declared, fields, post, valid_body
from tests.prove import fuzz

MOST = None if "FUZZ_EXAMPLES" in os.environ else 3
"""How many ends of each kind are tried; `make prove` tries all."""
MOMENTS = (
    "0001-01-01 00:00:00", "9999-12-31 23:59:59", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00",
    "0001-01-01", "9999-12-31",
)[:MOST]  # fmt: skip
NUMBERS = (str(2**63 - 1), str(-(2**63)), "1e308", str(2**31), "999999999999999999.999999999999")[:MOST]
SUFFIXES = ("", "_datege", "_datele", "_dateequal", "_ge", "_notequal")
ENDS: Mapping[str, tuple[str, ...]] = {
    "moment": MOMENTS, "date": MOMENTS, "integer": NUMBERS, "decimal": NUMBERS, "id": NUMBERS,
}  # fmt: skip
PAGING = {"current", "size", "ascs", "descs"}
GETS = [f"GET {path}" for path, methods in fuzz.plain_document()["paths"].items() if "get" in methods]
"""Calls that answer something, whatever they are asked."""


def _questions(label: str) -> list[dict[str, str]]:
    """Filters of one kind all at once, because none of them refuses; every other parameter by itself."""
    found, filters = [], declared(label).get("x-filters", {})
    for kind, ends in ENDS.items():
        names = [name + suffix for name, own in filters.items() if own == kind for suffix in SUFFIXES]
        found += [dict.fromkeys(names, end) for end in ends if names]
    required = {one["name"]: "1" for one in declared(label).get("parameters", ()) if one.get("required")}
    for one in declared(label).get("parameters", ()):
        if one["in"] == "query" and one["name"] not in PAGING | set(filters):
            found += [{**required, one["name"]: end} for end in (*MOMENTS[:2], NUMBERS[0])]
    return found


@pytest.mark.parametrize("label", [label for label in GETS if _questions(label)])
def test_any_parameter(cast: Cast, label: str) -> None:
    caller = cast.client_for("tenant_admin")
    for asked in _questions(label):
        answer = caller.get(label.removeprefix("GET /api/"), **asked)
        assert answer.status < 500, (asked, answer)


def _ended(label: str) -> dict[str, tuple[str, ...]]:
    """Fields of the body that are moments or numbers, with the ends of their kind."""
    found = {}
    for name, schema in fields(label).items():
        kind = schema.get("x-kind") or {"integer": "integer", "number": "decimal"}.get(schema.get("type", ""), "")
        if kind in ENDS:
            found[name] = ENDS[kind]
    return found


@pytest.mark.parametrize("label", [label for label in POSTS if _ended(label)])
def test_any_field(cast: Cast, label: str) -> None:
    caller, valid = valid_body(label, cast)
    for name, ends in _ended(label).items():
        for end in ends:
            body: dict[str, Any] = {**valid, name: end}
            status, content = post(caller, label, orjson.dumps(body))
            assert status < 500, (name, end, content)
