"""The whole document against the server: what a call takes is made up from it, what it answers is held against it.

Runs inside a test, because the cast, the transaction that is taken back and the look at every answer are there; see
`tests/contract/test_fuzz.py`. Values are made up by Schemathesis, valid and invalid ones in turn; where a field wants
the id of something, every other example names something that exists, so that calls are not stopped at the door.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import orjson
import requests
import schemathesis
from django.test import Client
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import load_all_checks
from schemathesis.core.transport import Response
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from core.maintenance.case import REPAIR
from tests.cast import Caller

CHECKS = [status_code_conformance, content_type_conformance, response_schema_conformance]
SESSION_CODES = {40001, 40002}
_SERVER = "http://testserver"


_KEPT = "openapi.json"


@cache
def plain_document() -> dict[str, Any]:
    """The document of the calls, made from the code as it stands: once for all runs that share kept databases."""
    from drf_spectacular.generators import SchemaGenerator

    if folder := os.environ.get("KEPT_DATABASE"):
        return orjson.loads(Path(folder, _KEPT).read_bytes())  # type: ignore[no-any-return]
    made = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    found: dict[str, Any] = orjson.loads(orjson.dumps(made, default=str))
    return found


def keep_document(folder: Path) -> None:
    """Write the document beside a kept database."""
    Path(folder, _KEPT).write_bytes(orjson.dumps(plain_document()))


@cache
def document() -> Any:
    """The document as Schemathesis reads it."""
    load_all_checks()
    return schemathesis.openapi.from_dict(plain_document())


def labels() -> list[str]:
    """Every operation of the document as `GET /api/…`."""
    paths = plain_document()["paths"].items()
    return [f"{method.upper()} {path}" for path, methods in paths for method in methods]


@cache
def operations() -> dict[str, Any]:
    """Every operation of the document by `GET /api/…`."""
    return {entry.ok().label: entry.ok() for entry in document().get_all_operations()}


@cache
def _cases(label: str) -> st.SearchStrategy[Any]:
    """Valid examples, and where there is anything to spoil, spoiled ones.

    Bodies that are no JSON at all end in the parser; test_hostile_input has those, here they would be most of the
    examples and none would get further.
    """
    operation = operations()[label]
    valid = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    if not (operation.query or operation.body):
        return valid
    spoiled = operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)
    return valid | spoiled.filter(lambda case: not isinstance(case.body, bytes))


def _with_known_ids(case: Any, known: Mapping[str, str], action: str, version: str) -> None:
    """Put ids of rows that exist where the case has made some up, and where the call changes a row, that row's."""
    for values in (case.query, case.body):
        if isinstance(values, dict):
            values.update({name: value for name, value in known.items() if name in values})
    required = {parameter.name for parameter in case.operation.query if parameter.is_required}
    case.query = {**(case.query or {}), **{name: value for name, value in known.items() if name in required}}
    if isinstance(case.body, dict) and case.operation.label.endswith(("/submit", "/update")):
        changed = {"id": known["id"], "lockVersion": version, "action": action}
        case.body.update({name: value for name, value in changed.items() if value})


def _send(case: Any, caller: Caller) -> tuple[Response, bytes]:
    """The case sent through the test client; the answer as Schemathesis wants it, and its body."""
    prepared = requests.Request(**case.as_transport_kwargs(base_url=_SERVER)).prepare()
    body: Any = prepared.body or b""
    headers: dict[str, Any] = {
        name: value
        for name, value in prepared.headers.items()
        if name.lower() not in ("content-length", "host", "accept-encoding")
    }
    answer = Client(raise_request_exception=False).generic(
        str(prepared.method),
        str(prepared.path_url),
        body if isinstance(body, bytes) else body.encode("utf-8", "surrogatepass"),
        content_type=headers.pop("Content-Type", "application/octet-stream"),
        headers={**{k: v for k, v in headers.items() if v.isascii() and v.isprintable()}, **caller._headers()},
    )
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
    named = {name.lower(): [value] for name, value in answer.items()}
    return Response(answer.status_code, named, content, prepared, 0.0, False), content


def fuzz(label: str, caller: Caller, known: Mapping[str, str], examples: int, number: int) -> None:
    """Send so many examples of an operation as this person; fails at the first answer that is wrong.

    The examples follow from label and number alone, so that a failure comes again, and other people try others.
    """

    @seed(crc32(f"{label} {number}".encode()))
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        case=_cases(label),
        exists=st.booleans(),
        action=st.sampled_from([*REPAIR.command, ""]),
        version=st.just(known["lockVersion"]) | st.text(max_size=12),
    )
    def run(case: Any, exists: bool, action: str, version: str) -> None:
        if exists:
            _with_known_ids(case, known, action, version)
        response, content = _send(case, caller)
        body = orjson.loads(content) if response.headers["content-type"] == ["application/json"] else {}
        code = body.get("code", 200) if isinstance(body, dict) else 200
        assert response.status_code < 500 and (code < 500 or code in SESSION_CODES), (case, content)
        case.validate_response(response, checks=CHECKS)

    run()
