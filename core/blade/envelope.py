"""The renderer of the response envelope and the exception handler. Views return plain data."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

import orjson
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.db import IntegrityError, OperationalError, connection
from django.http import Http404, HttpRequest, JsonResponse
from django.utils.translation import gettext as _
from rest_framework import exceptions, renderers
from rest_framework.response import Response

from core.kernel import call_log
from core.kernel.errors import NotSignedIn, Refusal

log = logging.getLogger("xunwei.error")
_CANCELLED = "57014"
"""What PostgreSQL says when a statement took longer than it may."""


class Bare(Response):
    """A response without the envelope, such as the answers of the token call."""


def _default(value: object) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    return str(value)


def encode(value: object) -> bytes:
    """Return JSON with ids as strings and lazy texts in the caller's language."""
    return orjson.dumps(value, default=_default, option=orjson.OPT_NON_STR_KEYS)


class EnvelopeRenderer(renderers.BaseRenderer):
    """Render every response as `{code, success, data, msg}`; errors also have `error` and `requestId`."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        """Return the body as bytes."""
        response = (renderer_context or {}).get("response")
        if isinstance(response, Bare):
            return encode(data)
        if isinstance(data, Failure):
            return encode(data.body)
        return encode({"code": 200, "success": True, "data": {} if data is None else data, "msg": _("操作成功")})


class Failure(dict[str, Any]):
    """The body of an error response; the renderer writes it as it is."""

    def __init__(self, body: dict[str, Any]):
        super().__init__(body)
        self.body: dict[str, Any] = body


def failure(request: Any, status: int, error: str, text: str, data: Mapping[str, Any], code: int) -> Response:
    """Return an error response. HTTP status and body code are equal except for the two session codes of 401."""
    return Response(Failure(failed_body(code, error, text, data, getattr(request, "request_id", ""))), status=status)


def failed_body(code: int, error: str, text: str, data: Mapping[str, Any], request_id: str) -> dict[str, Any]:
    """Return the body of every error response."""
    return {
        "code": code,
        "success": False,
        "data": dict(data),
        "msg": text,
        "error": error,
        "requestId": request_id,
    }


def _first(detail: Any, name: str = "") -> dict[str, str]:
    """Return one sentence for each field from the nested details of a DRF validation error."""
    if isinstance(detail, Mapping):
        found: dict[str, str] = {}
        for key, value in detail.items():
            found.update(_first(value, f"{name}.{key}" if name else str(key)))
        return found
    if isinstance(detail, list):
        found = {}
        for index, value in enumerate(detail):
            if isinstance(value, Mapping):
                found.update(_first(value, f"{name}[{index}]"))
            elif value and name not in found:
                found[name] = str(value)
        return found
    return {name: str(detail)}


def exception_handler(error: Exception, context: Mapping[str, Any]) -> Response:
    """Turn an exception of a view into an error response with a code. `BaseViewSet` rolls the transaction back."""
    request = context.get("request")
    match error:
        case Refusal():
            code = error.code if isinstance(error, NotSignedIn) else error.status
            return failure(request, error.status, error.error, str(error.text), error.data, code)
        case exceptions.ValidationError():
            fields = _first(error.detail)
            text = next(iter(fields.values()), _("请求参数格式错误"))
            return failure(request, 400, "input.invalid", text, {"fields": fields}, 400)
        case exceptions.ParseError():
            return failure(request, 400, "input.unreadable", _("消息不能读取"), {}, 400)
        case RequestDataTooBig() | TooManyFieldsSent() | TooManyFilesSent():
            return failure(request, 413, "input.tooBig", _("请求内容过大"), {}, 413)
        case exceptions.NotAuthenticated() | exceptions.AuthenticationFailed():
            return failure(request, 401, "session.none", _("缺失令牌,鉴权失败"), {}, 401)
        case exceptions.PermissionDenied():
            return failure(request, 403, "access.denied", _("没有权限执行此操作"), {}, 403)
        case exceptions.MethodNotAllowed():
            return failure(request, 405, "request.method", _("不支持当前请求方法"), {}, 405)
        case exceptions.UnsupportedMediaType() | exceptions.NotAcceptable():
            return failure(request, 415, "request.mediaType", _("不支持当前媒体类型"), {}, 415)
        case IntegrityError():
            # Two wrote the same thing at once, and the database let one through.
            log.warning("request %s met a constraint", getattr(request, "request_id", "?"), exc_info=error)
            return failure(request, 409, "data.conflict", _("数据与已有记录冲突，请刷新后重试"), {}, 409)
        case OperationalError():
            return _not_now(request, error)
        case Http404():
            return failure(request, 404, "data.missing", _("数据不存在或已被删除"), {}, 404)
    log.error("request %s failed", getattr(request, "request_id", "?"), exc_info=error)
    call_log.failed(request, error)
    return failure(request, 500, "server.error", _("服务器异常，请稍后重试"), {}, 500)


def _not_now(request: Any, error: OperationalError) -> Response:
    """Answer for a database that did not take a statement: it took too long, or others were at the same rows."""
    log.warning("request %s was not served: %s", getattr(request, "request_id", "?"), error)
    call_log.failed(request, error)
    is_cancelled = getattr(error.__cause__, "sqlstate", "") == _CANCELLED
    # Nothing of a failed write stays: neither its connection, nor cursors in the frames of its errors.
    if not connection.in_atomic_block:
        connection.close()
    chain: BaseException | None = error
    while chain is not None:
        chain.__traceback__, chain = None, chain.__cause__ or chain.__context__
    if is_cancelled:
        text = _("处理时间过长，已停止。请缩小范围后重试")
        return failure(request, 503, "database.tooLong", text, {}, 503)
    return failure(request, 503, "database.busy", _("系统繁忙，请稍后重试"), {}, 503)


def plain_failure(request: HttpRequest, status: int, error: str, text: str) -> JsonResponse:
    """Return the same error body for a response outside DRF."""
    body = failed_body(status, error, text, {}, getattr(request, "request_id", ""))
    response = JsonResponse(body, status=status, json_dumps_params={"ensure_ascii": False})
    response["Cache-Control"] = "no-store"
    return response
