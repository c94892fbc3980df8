"""The operation by which a process calls another system over HTTP, at hosts that the installation names.

The answer is awaited outside of every transaction. A request may be sent twice, with the same `Idempotency-Key`. A
secret header of the company goes only to the hosts that its credential names, encrypted or within a private network.
"""

from __future__ import annotations

import http.client
import re
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import SplitResult, urlsplit

import orjson
from django.conf import settings
from django.utils.translation import gettext as _

from core.ports import (
    BusinessError,
    CommonOperation,
    EffectInput,
    Parameter,
    ParameterKind,
    Subject,
    effect_text,
)
from core.scheduling.credentials import PARAMETER, Header, is_named, with_header

SECONDS = 10.0
"""For the whole request, however slowly the answer comes."""
MAX_BYTES = 64_000
GET, POST = 1, 2
_CODES = re.compile(r"([1-5][0-9]{2})=([A-Za-z][\w.-]{0,39})")


class NotAnswered(Exception):
    """The other system did not answer as it should; the request is sent again."""


@dataclass(frozen=True)
class _Target:
    """Where a request goes: the address was looked up once, so that the check and the connection are of the same."""

    is_secure: bool
    host: str
    port: int
    address: str
    path: str


def ask(_subject: Subject, said: EffectInput, key: str) -> Mapping[str, Any]:
    """Send the request; return the values of the JSON object that comes back, those of inner ones by dotted names."""
    given = said.parameters
    header: Header | None = given.get(PARAMETER)
    target = _target(str(given["url"]), header)
    method = "GET" if given.get("method", POST) == GET else "POST"
    status, body = _exchange(target, method, said.values, key, header)
    code = dict(_CODES.findall(str(given.get("errors", "")))).get(str(status))
    if code is not None:
        text = _("「{host}」返回错误 {status}").format(host=target.host, status=status)
        raise BusinessError(code, "operation.answered", text)
    if not 200 <= status < 300:
        raise NotAnswered(f"{target.host} answered {status}")
    return _values(target, body)


def _values(target: _Target, body: bytes) -> dict[str, Any]:
    try:
        found = orjson.loads(body) if body.strip() else {}
    except orjson.JSONDecodeError:
        found = None
    if not isinstance(found, dict):
        raise NotAnswered(f"{target.host} did not answer with a JSON object")
    return dict(_dotted(found))


def _dotted(found: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in found.items():
        if isinstance(value, dict):
            yield from _dotted(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _target(url: str, header: Header | None) -> _Target:
    """Return where the address leads. Raises NotAnswered for a host that the request or the header may not go to."""
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        raise NotAnswered("the address is not valid") from None
    host = (parts.hostname or "").lower()
    if parts.scheme not in ("http", "https") or parts.username is not None or not host or not url.isascii():
        raise NotAnswered("the address is not valid")
    if not is_allowed(host, port, parts.port is not None):
        raise NotAnswered(f"the host {host} is not in HTTP_HOSTS")
    if header is not None and not is_named(header.hosts, host, port, parts.port is not None):
        raise NotAnswered(f"the credential may not be sent to the host {host}")
    target = _Target(parts.scheme == "https", host, port, _address(host, port), _path(parts))
    if header is not None and not target.is_secure and ip_address(target.address).is_global:
        raise NotAnswered(f"the credential may be sent to the host {host} over https only")
    return target


def _path(parts: SplitResult) -> str:
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if any(ord(sign) <= 32 for sign in path):
        raise NotAnswered("the address is not valid")
    return path


def is_allowed(host: str, port: int, is_said: bool = True) -> bool:
    """Return whether HTTP_HOSTS names the host: alone for the usual ports, else with this port."""
    return is_named(settings.HTTP_HOSTS, host, port, is_said)


def _address(host: str, port: int) -> str:
    """Look the host up. An address of a private network counts only where HTTP_HOSTS names that address itself."""
    try:
        found = {str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
    except OSError:
        raise NotAnswered(f"the host {host} is not known") from None
    for address in sorted(found):
        if ip_address(address).is_global or is_allowed(address, port):
            return address
    raise NotAnswered(f"the host {host} has a private address that HTTP_HOSTS does not name")


def _exchange(
    target: _Target, method: str, values: Mapping[str, Any], key: str, header: Header | None
) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(target.host, target.port, timeout=SECONDS)
    headers = {"Accept": "application/json", "Idempotency-Key": key, "Connection": "close"}
    if header is not None:
        headers[header.name] = header.value
    body = None
    if method == "POST":
        body, headers["Content-Type"] = orjson.dumps(values), "application/json"
    try:
        with _deadline(target) as wire:
            connection.sock = wire
            connection.request(method, target.path, body, headers)
            answer = connection.getresponse()
            found = answer.read(MAX_BYTES + 1)
    except (OSError, http.client.HTTPException) as error:
        raise NotAnswered(f"{target.host}: {type(error).__name__}") from error
    if len(found) > MAX_BYTES:
        raise NotAnswered(f"the answer of {target.host} is longer than {MAX_BYTES} bytes")
    if header is not None and header.is_told_by(found.decode(errors="replace")):
        raise NotAnswered(f"the answer of {target.host} holds the secret of the credential")
    return answer.status, found


@contextmanager
def _deadline(target: _Target) -> Iterator[socket.socket]:
    """Connect, and shut the connection when the time is over: a time-out of its own begins anew with each byte."""
    wires = [socket.create_connection((target.address, target.port), timeout=SECONDS)]
    clock = threading.Timer(SECONDS, lambda: _shut(wires[-1]))
    clock.start()
    try:
        if target.is_secure:
            context = ssl.create_default_context()
            secure = context.wrap_socket(wires[0], server_hostname=target.host, do_handshake_on_connect=False)
            wires.append(secure)  # the clock shuts this one from here on
            secure.do_handshake()
        yield wires[-1]
    finally:
        clock.cancel()
        wires[-1].close()


def _shut(wire: socket.socket) -> None:
    try:
        wire.shutdown(socket.SHUT_RDWR)
    except OSError:  # it is closed already
        return


REQUEST = CommonOperation(
    "http.request",
    effect_text(
        "HTTP 请求",
        "HTTP request",
        "向系统管理员允许的主机发送请求，流程等待其返回",
        "Sends a request to a host that the installation allows; the process waits for the answer",
    ),
    (
        Parameter(
            "url", ParameterKind.TEXT, "地址", "Address",
            "只能访问系统管理员允许的主机", "Only hosts that the installation allows", is_required=True, most=500,
        ),
        Parameter(
            "method", ParameterKind.CHOICE, "方法", "Method",
            "不填时为 POST", "If empty, POST", choices=((GET, "GET"), (POST, "POST")),
        ),
        Parameter(
            PARAMETER, ParameterKind.CREDENTIAL, "连接凭据", "Credential",
            "随请求发送的密钥请求头，由租户管理员维护",
            "A secret header that goes with the request; administrators keep it", most=40,
        ),
        Parameter(
            "errors", ParameterKind.TEXT, "错误码", "Error codes",
            "哪些返回状态是业务错误，如 404=notFound 409=outOfStock；其他错误会重试",
            "Which statuses are business errors, such as 404=notFound 409=outOfStock; others are tried again", most=300,
        ),
    ),
    ask=ask,
    prepare=with_header,
    is_open=True,
    codes_in="errors",
)  # fmt: skip
