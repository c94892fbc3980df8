"""Refusals: coded errors with a sentence for the person, raised anywhere and answered by the envelope."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _

Text = str | Promise


class Refusal(Exception):
    """A request that is not carried out. `status` is HTTP status and body code, `error` a stable word for programs."""

    status = 400
    afterwards: Callable[[], None] | None = None
    """What has to be written although the refusal takes everything back: done when that is over."""

    def __init__(self, error: str, text: Text, data: Mapping[str, Any] | None = None):
        super().__init__(str(text))
        self.error, self.text, self.data = error, text, dict(data or {})


class Invalid(Refusal):
    """Input that breaks a rule. `fields` maps the caller's field names to their sentences."""

    def __init__(self, fields: Mapping[str, Text]):
        texts = {name: str(text) for name, text in fields.items()}
        super().__init__("input.invalid", next(iter(texts.values())), {"fields": texts})


class NotAllowed(Refusal):
    """The person is known and may not do this."""

    status = 403

    def __init__(self, text: Text | None = None):
        super().__init__("access.denied", text or _("没有权限执行此操作"))


class Missing(Refusal):
    """No such row, or one of another tenant: the two are answered alike."""

    status = 404

    def __init__(self) -> None:
        super().__init__("data.missing", _("数据不存在或已被删除"))


class Conflict(Refusal):
    """Somebody else was faster, or the state has moved on."""

    status = 409


class Stale(Conflict):
    """The row was changed since it was read."""

    def __init__(self) -> None:
        super().__init__("data.stale", _("单据已被他人修改，请刷新后重试"))


class NotSignedIn(Refusal):
    """No token, or one that no longer counts; `code` goes into the body in place of 401."""

    status = 401

    def __init__(self, error: str, text: Text, code: int = 401):
        super().__init__(error, text)
        self.code = code
