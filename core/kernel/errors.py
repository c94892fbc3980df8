"""Refusals: exceptions with an error code and a sentence for the user.

The exception handler turns them into answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _

Text = str | Promise


class Refusal(Exception):
    """A request is refused. `status` is the HTTP status and the body's code; `error` is the stable error code."""

    status = 400
    afterwards: Callable[[], None] | None = None
    """Called after the rollback, for what must be stored although the request is refused."""

    def __init__(self, error: str, text: Text, data: Mapping[str, Any] | None = None):
        super().__init__(str(text))
        self.error, self.text, self.data = error, text, dict(data or {})


class Invalid(Refusal):
    """The input is invalid (400). `fields` maps field names to sentences."""

    def __init__(self, fields: Mapping[str, Text]):
        texts = {name: str(text) for name, text in fields.items()}
        super().__init__("input.invalid", next(iter(texts.values())), {"fields": texts})


class NotAllowed(Refusal):
    """The actor has no permission (403)."""

    status = 403

    def __init__(self, text: Text | None = None):
        super().__init__("access.denied", text or _("没有权限执行此操作"))


class Missing(Refusal):
    """The row does not exist or belongs to another tenant (404); the answer does not tell which."""

    status = 404

    def __init__(self) -> None:
        super().__init__("data.missing", _("数据不存在或已被删除"))


class Conflict(Refusal):
    """The record has changed or its state does not allow the request (409)."""

    status = 409


class Stale(Conflict):
    """The row was changed by somebody else since it was read (409)."""

    def __init__(self) -> None:
        super().__init__("data.stale", _("单据已被他人修改，请刷新后重试"))


class NotSignedIn(Refusal):
    """The token is missing or invalid (401). `code` is the code in the body, where it is not 401."""

    status = 401

    def __init__(self, error: str, text: Text, code: int = 401):
        super().__init__(error, text)
        self.code = code
