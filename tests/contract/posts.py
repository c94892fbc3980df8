"""Bodies for the calls of the document: the fields each may have, and one that is taken where a noun says how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.test import Client

from tests.cast import A, Caller, Cast
from tests.contract.nouns import nouns, sample
from tests.prove import fuzz

POSTS = [
    f"POST {path}"
    for path, methods in fuzz.plain_document()["paths"].items()
    if "post" in methods and not path.endswith("/logout")
]


def declared(label: str) -> Mapping[str, Any]:
    """What the document says of the call `GET /api/…` or `POST /api/…`."""
    method, _space, path = label.partition(" ")
    found: Mapping[str, Any] = fuzz.plain_document()["paths"][path][method.lower()]
    return found


def fields(label: str) -> dict[str, Mapping[str, Any]]:
    """The fields of the body by their names, with their schemas."""
    found: dict[str, Mapping[str, Any]] = {}
    for content in declared(label).get("requestBody", {}).get("content", {}).values():
        found |= dict(_properties(content.get("schema", {})))
    return found


def _properties(schema: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if "$ref" in schema:
        schema = fuzz.plain_document()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    yield from schema.get("properties", {}).items()
    for part in (*schema.get("oneOf", ()), *schema.get("allOf", ()), *schema.get("anyOf", ())):
        yield from _properties(part)


def valid_body(label: str, cast: Cast) -> tuple[Caller, dict[str, Any]]:
    """Somebody who may, and where the call is a noun's a body that would be taken."""
    path = label.removeprefix("POST /api/")
    for noun in nouns():
        if path == f"{noun.path}/submit":
            return noun.keeper(cast, A), sample(noun, cast, A)
    return cast.client_for("tenant_admin"), {"machineId": str(cast.machine("M1").pk), "description": "主轴异响"}


def post(caller: Caller, label: str, body: bytes, kind: str = "application/json") -> tuple[int, bytes]:
    """Status and content of the answer, where a server error is an answer too."""
    client = Client(raise_request_exception=False)
    answer: Any = client.post(label.removeprefix("POST "), body, content_type=kind, headers=caller._headers())
    return answer.status_code, answer.content
