"""Every field of every body, with what breaks servers in its place: no server error, and no sentence but our own."""

from __future__ import annotations

import gettext
import os
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import orjson
import pytest
import rest_framework

from tests.cast import Cast
from tests.contract.posts import POSTS, declared, fields, post, valid_body

# Raw JSON, because some of it no encoder writes.
VALUES: Mapping[str, bytes] = {
    "NUL": rb'"a\u0000b"',
    "lone surrogate": rb'"\ud800"',
    "surrogate as bytes": b'"\xed\xa0\x80"',
    "2^63 as text": b'"9223372036854775808"',
    "minus 2^63 and one": b"-9223372036854775809",
    "more digits than Python reads": b'"' + b"9" * 5_000 + b'"',
    "beyond all floats": b"1e999",
    "NaN": b"NaN",
    "NaN as text": b'"NaN"',
    "a fraction": b"1.5",
    "year 0": b'"0000-01-01 00:00:00"',
    "year 10000": b'"10000-01-01 00:00:00"',
    "other digits": '"１２３"'.encode(),
    "a digit that is no decimal": '"²"'.encode(),
    "a megabyte": b'"' + b"x" * 1_000_000 + b'"',
    "1000 deep": b"[" * 1000 + b"]" * 1000,
    "19 deep": b"[" * 19 + b"]" * 19,
    "list": b'["1",2,null]',
    "list of objects": b'[{"id":"1"}]',
    "object": b'{"id":"1"}',
    "empty": b'""',
    "null": b"null",
    "true": b"true",
    "10,000 ids": b'"' + b",".join(b"%d" % number for number in range(1, 10_001)) + b'"',
    "list of 10,000 ids": b"[" + b",".join(b'"%d"' % number for number in range(1, 10_001)) + b"]",
}
KINDS = ("text/plain", "application/xml", "multipart/form-data", "application/json; charset=utf-16", "", "a/b; q=\xff")
EVERY = 4 if "FUZZ_EXAMPLES" in os.environ else 32
"""Each field gets one of them at most, the next field the next one; with `make prove` every fourth."""
IDS = ("id", "ids", "taskId", "processInstanceId")
"""Names that calls take from the query or the body though the document has them in one place only."""


def _fields(label: str) -> list[str]:
    """Names of the body's fields and of the query's, each of which a POST takes from either place."""
    names = {parameter["name"] for parameter in declared(label).get("parameters", ())}
    return sorted({*names, *fields(label), *IDS})


@lru_cache(maxsize=1)
def _frameworks() -> re.Pattern[str]:
    """Return what finds a sentence of Django REST framework's own in an answer, whatever is filled in."""
    folder = Path(rest_framework.__file__).parent / "locale"
    texts = gettext.translation("django", folder, ["zh_Hans"])._catalog.values()  # type: ignore[attr-defined]
    parts = [
        re.split(r"\{[^}]*\}", text) for text in texts if isinstance(text, str) and "。" in text and len(text) < 100
    ]
    return re.compile("|".join(".*?".join(re.escape(piece) for piece in one) for one in parts))


def _raw(content: bytes) -> str:
    """Return the framework's own sentence that an answer tells people; empty where all of its sentences are ours."""
    found = _frameworks().search(content.decode())
    return found[0] if found else ""


@pytest.mark.parametrize("label", POSTS)
def test_any_field_of_any_body(cast: Cast, label: str) -> None:
    caller, valid = valid_body(label, cast)
    for place, field in enumerate(_fields(label)):
        rest = orjson.dumps({name: value for name, value in valid.items() if name != field})[1:]
        for name, value in list(VALUES.items())[place % EVERY :: EVERY]:
            body = b'{"%s":%s%s' % (field.encode(), value, b"," + rest if len(rest) > 1 else rest)
            status, content = post(caller, label, body)
            assert status < 500, (field, name, content)
            assert not _raw(content), (field, name, content)


@pytest.mark.parametrize("label", POSTS)
def test_any_body_as_a_whole(cast: Cast, label: str) -> None:
    caller, valid = valid_body(label, cast)
    text = orjson.dumps(valid)
    twice = b'{"id":"1","id":["2"],' + text[1:]
    parts = b'--x\r\nContent-Disposition: form-data; name="id"\r\n\r\n\r\n' * 3 + b"--x--\r\n"
    for body in (b"", b" ", b"[]", b"null", b"{", b"\xff\xfe", b"{}" * 2, twice, text[:-1], text + b"\x00"):
        assert post(caller, label, body)[0] < 500, body
    for kind in KINDS:
        assert post(caller, label, text, kind)[0] < 500, kind
    for kind in ("multipart/form-data; boundary=x", "multipart/form-data; boundary=" + "y" * 300):
        assert post(caller, label, parts, kind)[0] < 500, kind
    refused = (403, 413, 429)  # a call without an account is limited by address
    many = "&".join(f"f{number}=1" for number in range(1_100))
    assert post(caller, label, many.encode(), "application/x-www-form-urlencoded")[0] in refused
    assert post(caller, f"{label}?{many}", text)[0] in refused
