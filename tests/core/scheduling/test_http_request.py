"""The operation that calls other systems over HTTP, against a server of this machine."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from core.ports import BusinessError, EffectInput, Subject
from core.scheduling import http_request
from core.scheduling.http_request import GET, NotAnswered, ask

SUBJECT = Subject("process", 1, "采购")


class Server:
    """A server that answers as `says` tells it to, and notes what it is asked."""

    def __init__(self) -> None:
        self.says: tuple[int, bytes, dict[str, str]] = (200, b"{}", {})
        self.asked: list[tuple[str, str, Any, str | None]] = []
        self.headers: list[dict[str, str]] = []
        self.pause = 0.0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            """One request."""

            def _answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                key = self.headers["Idempotency-Key"]
                outer.headers.append(dict(self.headers.items()))
                outer.asked.append((self.command, self.path, json.loads(body) if body else None, key))
                status, content, headers = outer.says
                self.send_response(status)
                for name, value in {"Content-Length": str(len(content)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                for byte in range(len(content)) if outer.pause else ():
                    self.wfile.write(content[byte : byte + 1])
                    time.sleep(outer.pause)
                if not outer.pause:
                    self.wfile.write(content)

            do_GET = do_POST = _answer

            def log_message(self, *given: Any) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def server(settings: Any) -> Iterator[Server]:
    """A server whose address the installation names."""
    found = Server()
    settings.HTTP_HOSTS = frozenset({f"127.0.0.1:{found.port}"})
    yield found
    found.stop()


def said(port: int, path: str = "/", values: dict[str, Any] | None = None, **more: Any) -> EffectInput:
    """What the operation is given."""
    parameters = {"url": f"http://127.0.0.1:{port}{path}", **more}
    return EffectInput(None, "", {}, None, parameters, values or {})  # type: ignore[arg-type]  # it asks for neither


def test_it_sends_json_with_the_key_and_returns_the_values_of_the_answer(server: Server) -> None:
    server.says = (201, json.dumps({"no": "P7", "price": {"net": 3.5, "tax": [1]}}).encode(), {})
    found = ask(SUBJECT, said(server.port, "/orders?x=1", {"part": "轴承", "n": 2}), "77-1")
    assert found == {"no": "P7", "price.net": 3.5, "price.tax": [1]}
    server.says = (204, b"", {})
    assert ask(SUBJECT, said(server.port, method=GET), "77-2") == {}
    assert server.asked == [
        ("POST", "/orders?x=1", {"part": "轴承", "n": 2}, "77-1"), ("GET", "/", None, "77-2"),
    ]  # fmt: skip


@pytest.mark.parametrize(("status", "code"), [(404, "notFound"), (409, "sold"), (500, None), (400, None), (302, None)])
def test_a_status_that_the_model_names_is_a_business_error_and_others_are_tried_again(
    server: Server, status: int, code: str | None
) -> None:
    server.says = (status, b"{}", {"Location": "/elsewhere"})
    with pytest.raises(BusinessError if code else NotAnswered) as caught:
        ask(SUBJECT, said(server.port, errors="404=notFound 409=sold"), "1")
    assert getattr(caught.value, "code", None) == code
    assert len(server.asked) == 1  # a redirect is not followed


@pytest.mark.parametrize("body", [b"[1]", b"text", b"{", b"{" + b" " * 64_000 + b"}"])
def test_what_is_no_small_json_object_is_no_answer(server: Server, body: bytes) -> None:
    server.says = (200, body, {})
    with pytest.raises(NotAnswered):
        ask(SUBJECT, said(server.port), "1")


def test_an_answer_that_comes_too_slowly_is_none(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_request, "SECONDS", 0.3)
    server.says, server.pause = (200, b'{"a": 1}' + b" " * 50, {}), 0.05
    began = time.monotonic()
    with pytest.raises(NotAnswered):
        ask(SUBJECT, said(server.port), "1")
    assert time.monotonic() - began < 2


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:{port}/",
        "http://127.0.0.1:1/",
        "http://127.1:{port}/",
        "http://[::1]:{port}/",
        "http://user:pw@127.0.0.1:{port}/",
        "ftp://127.0.0.1:{port}/",
        "http://127.0.0.1:{port}/a b",
        "http://127.0.0.1:{port}/\r\nX: 1",
        "//127.0.0.1:{port}/",
        "http://127.0.0.1:99999/",
        "",
    ],
)
def test_other_addresses_are_not_asked(server: Server, url: str) -> None:
    with pytest.raises(NotAnswered):
        ask(SUBJECT, EffectInput(None, "", {}, None, {"url": url.format(port=server.port)}), "1")  # type: ignore[arg-type]
    assert server.asked == []


def test_a_name_with_a_private_address_needs_the_address_itself(
    server: Server, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", server.port))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *given, **more: found)
    name = f"erp.example.com:{server.port}"
    asked = EffectInput(None, "", {}, None, {"url": f"http://{name}/"})  # type: ignore[arg-type]  # it asks for neither
    settings.HTTP_HOSTS = frozenset({name})
    with pytest.raises(NotAnswered, match="private address"):
        ask(SUBJECT, asked, "1")
    assert server.asked == []
    settings.HTTP_HOSTS = frozenset({name, f"127.0.0.1:{server.port}"})
    assert ask(SUBJECT, asked, "1") == {}
    assert len(server.asked) == 1
