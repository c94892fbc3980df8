"""What is true of every answer of the whole suite: no secret in it, no entrails of the server, its safety headers.

`watch` is put round Django's test client once, so that each request of each test is looked at.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.test import Client

ENTRAILS = re.compile(
    r"Traceback \(most recent|File \\?\"/|/site-packages/|/usr/lib/python|/root/|/home/|psycopg\.|sqlite3\."
    r"|OperationalError|IntegrityError|\bSELECT .{1,200}\bFROM\b|\bINSERT INTO\b|\bUPDATE .{1,80} SET\b"
    r"|Django/\d|CPython/\d|granian/\d",
    re.DOTALL,
)
SECRET_SHAPES = re.compile(r"argon2\$|\$argon2id?\$|pbkdf2_|-----BEGIN [A-Z ]*PRIVATE KEY")
SECRET_NAMES = {
    "password",
    "secret",
    "clientSecret",
    "client_secret",
    "secretKey",
    "accessKey",
    "salt",
    "pepper",
    "hash",
}
# Calls that answer a secret on purpose, once: tokens at sign-in, a password that was made up this moment.
TOKENS = re.compile(r"/(oauth/)?(token|change_tenant)$")
ONCE = re.compile(
    r"/(blade-user|blade-system/user|blade-system/tenant|blade-system/client)"
    r"/(submit|save|reset-password|import|import-user)$"
)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
# Pictures that a page of ours may show in a frame; their own policy lets nothing run in them.
FRAMED = re.compile(r"/blade-flow/process/(resource|diagram)-view$")


def _named_values(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key, inner
            yield from _named_values(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from _named_values(inner, name)


def _is_framed(path: str, response: Any) -> bool:
    return bool(FRAMED.search(path)) and response.status_code == 200


def faults(path: str, response: Any, sent: str = "") -> list[str]:
    """What is wrong with an answer; empty for a good one. `sent` is what the request carried and may come back."""
    headers = {**HEADERS, "X-Frame-Options": "SAMEORIGIN"} if _is_framed(path, response) else HEADERS
    found = [f"{name} is not {value}" for name, value in headers.items() if response.get(name) != value]
    policy = response.get("Content-Security-Policy", "")
    scripts = next((part for part in policy.split(";") if part.strip().startswith("script-src")), "default-src 'none'")
    if not policy or "unsafe" in scripts or ("sandbox" not in policy and "frame-ancestors 'none'" not in policy):
        found.append(f"its content security policy is {policy!r}")
    if not response.get("X-Request-Id"):
        found.append("it has no request id")
    is_call = path.startswith(("/api/", "/blade-", "/yuzhu-", "/equip-auth"))
    if getattr(response, "streaming", False):
        return found
    content = response.content
    if response.get("Content-Encoding") == "gzip":
        content = gzip.decompress(content)
    text = content.decode("utf-8", "replace")
    kind = response.get("Content-Type", "")
    if kind.startswith("application/json"):
        if is_call and "no-store" not in response.get("Cache-Control", "") and response.status_code < 400:
            found.append("a browser may keep it")
        found += _faults_of_text(path, text, sent)
    return found


def _faults_of_text(path: str, text: str, sent: str) -> list[str]:
    found = []
    body = json.loads(text)
    if str(settings.BASE_DIR) in text:
        found.append("it shows where the server is installed")
    for shape in (ENTRAILS, SECRET_SHAPES):
        for match in shape.finditer(text):
            if match[0] not in sent:
                found.append(f"it shows {match[0][:60]!r}")
    if isinstance(body, dict) and body.get("success") is False and not body.get("requestId"):
        found.append("a refusal without a request id")
    if not TOKENS.search(path) and not ONCE.search(path):
        for name, value in _named_values(body):
            if name in SECRET_NAMES and value not in ("", None) and not _is_sentence(body, name):
                found.append(f"it has a field {name}")
        found += [
            f"it shows a token {name}"
            for name in ("access_token", "accessToken", "refresh_token")
            if f'"{name}"' in text
        ]
    return found


def _is_sentence(body: Any, name: str) -> bool:
    """A field's error text stands under the field's name."""
    data = body.get("data") if isinstance(body, dict) else None
    return isinstance(data, dict) and name in (data.get("fields") or {})


def watch(known: Callable[[], set[str]]) -> None:
    """Look at every answer that Django's test client brings; `known` are texts that must occur in none of them."""
    plain = Client.request

    def request(self: Client, **given: Any) -> Any:
        response = plain(self, **given)
        path = str(given.get("PATH_INFO", ""))
        sent = str(given.get("QUERY_STRING", ""))
        problems = faults(path, response, sent)
        if not getattr(response, "streaming", False) and not TOKENS.search(path):
            text = response.content.decode("utf-8", "replace")
            problems += ["it shows a password of the cast" for secret in known() if secret in text]
        assert problems == [], f"{given.get('REQUEST_METHOD')} {path}: {problems}"
        return response

    Client.request = request  # type: ignore[method-assign]


def passwords(*plain: str) -> set[str]:
    """Passwords and their md5, which is what travels."""
    return {*plain, *(hashlib.md5(text.encode(), usedforsecurity=False).hexdigest() for text in plain)}
