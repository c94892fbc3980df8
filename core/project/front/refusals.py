"""What the front door refuses, in the dialect and the caller's language."""

from __future__ import annotations

import math
import re
import secrets
from collections.abc import Mapping

from django.conf import settings
from django.utils.translation import get_supported_language_variant, gettext_lazy, override
from django.utils.translation.trans_real import parse_accept_lang_header

from core.blade.envelope import encode, failed_body
from core.kernel.errors import Refusal
from core.rest.middleware import GIVEN_ID

_STATED = re.compile(r"[\x20-\x7e]{0,200}")


class TooBig(Refusal):
    """The body is longer than its call takes."""

    status = 413

    def __init__(self) -> None:
        super().__init__("input.tooBig", gettext_lazy("请求内容过大"))


class TooSlow(Refusal):
    """The body comes more slowly than any honest line."""

    status = 408

    def __init__(self) -> None:
        super().__init__("input.tooSlow", gettext_lazy("请求内容传输过慢，请检查网络后重试"))


class TooMany(Refusal):
    """The person, the address or the company asks too often; `seconds` tells when one more call is taken."""

    status = 429

    def __init__(self, seconds: float):
        super().__init__("request.tooMany", gettext_lazy("操作过于频繁，请稍后再试"))
        self.seconds = seconds


class Busy(Refusal):
    """The server receives as much at once as it can hold."""

    status = 503

    def __init__(self) -> None:
        super().__init__("server.busy", gettext_lazy("服务器繁忙，请稍后再试"))
        self.seconds = 1.0


class Broken(Refusal):
    """The application failed outside of everything that tells so."""

    status = 500

    def __init__(self) -> None:
        super().__init__("server.error", gettext_lazy("服务器异常，请稍后重试"))


def answer(refusal: Refusal, asked: Mapping[str, str]) -> tuple[int, list[tuple[str, str]], bytes]:
    """Return status, headers and body of a refusal; `asked` are the headers of the request."""
    given = asked.get("x-request-id", "")
    request_id = given if GIVEN_ID.fullmatch(given) else secrets.token_hex(8)
    with override(_language(asked.get("accept-language", ""))):
        body = encode(failed_body(refusal.status, refusal.error, str(refusal.text), refusal.data, request_id))
    headers = [
        ("Content-Type", "application/json"),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Request-Id", request_id),
    ]
    if seconds := getattr(refusal, "seconds", 0.0):
        headers.append(("Retry-After", str(math.ceil(seconds))))
    return refusal.status, headers, body


def _language(accepted: str) -> str:
    """Return the language that the header asks for, as the application's own middleware finds it."""
    if _STATED.fullmatch(accepted):
        for language, _weight in parse_accept_lang_header(accepted):
            if language == "*":
                break
            try:
                return get_supported_language_variant(language)
            except LookupError:
                continue
    return settings.LANGUAGE_CODE
