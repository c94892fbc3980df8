"""The one renderer and the one exception handler: views never see the response envelope."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

import orjson
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.db import IntegrityError
from django.http import Http404, HttpRequest, JsonResponse
from django.utils.translation import gettext as _
from rest_framework import exceptions, renderers
from rest_framework.response import Response

from core.kernel import call_log
from core.kernel.errors import NotSignedIn, Refusal

log = logging.getLogger("xunwei.error")


class Bare(Response):
    """An answer that goes out without the envelope: the token answers of the dialect."""


def _default(value: object) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    return str(value)


def encode(value: object) -> bytes:
    """JSON as the dialect wants it; lazy texts become the caller's language."""
    return orjson.dumps(value, default=_default, option=orjson.OPT_NON_STR_KEYS)


class EnvelopeRenderer(renderers.BaseRenderer):
    """`{code, success, data, msg}` round every answer; errors add `error` and `requestId`."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        """The body's bytes."""
        response = (renderer_context or {}).get("response")
        if isinstance(response, Bare):
            return encode(data)
        if isinstance(data, Failure):
            return encode(data.body)
        return encode({"code": 200, "success": True, "data": {} if data is None else data, "msg": _("操作成功")})


class Failure(dict[str, Any]):
    """An error's body on its way to the renderer."""

    def __init__(self, body: dict[str, Any]):
        super().__init__(body)
        self.body: dict[str, Any] = body


def failure(request: Any, status: int, error: str, text: str, data: Mapping[str, Any], code: int) -> Response:
    """An error answer: HTTP status and body code agree, but for the two session codes below 401."""
    body = {
        "code": code,
        "success": False,
        "data": dict(data),
        "msg": text,
        "error": error,
        "requestId": getattr(request, "request_id", ""),
    }
    return Response(Failure(body), status=status)


def _first(detail: Any, name: str = "") -> dict[str, str]:
    """DRF's nested details as one sentence a field."""
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
    """Turn whatever a view raised into a coded answer; `Door.dispatch` takes back what it wrote."""
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
        case Http404():
            return failure(request, 404, "data.missing", _("数据不存在或已被删除"), {}, 404)
    log.error("request %s failed", getattr(request, "request_id", "?"), exc_info=error)
    call_log.failed(request, error)
    return failure(request, 500, "server.error", _("服务器异常，请稍后重试"), {}, 500)


def plain_failure(request: HttpRequest, status: int, error: str, text: str) -> JsonResponse:
    """The same error body for answers given outside DRF."""
    body: dict[str, Any] = {
        "code": status,
        "success": False,
        "data": {},
        "msg": text,
        "error": error,
        "requestId": getattr(request, "request_id", ""),
    }
    return JsonResponse(body, status=status, json_dumps_params={"ensure_ascii": False})
