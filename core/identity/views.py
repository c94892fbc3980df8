"""Sign-in and its neighbours, in the commercial dialect; departments and teams as pickers."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.identity import captcha, passwords, tokens
from core.identity.models import Department, Team, Tenant, User
from core.identity.serializers import DepartmentNode, SiteSerializer, TeamSerializer, UserInfoSerializer
from core.kernel import rights
from core.kernel.envelope import Bare
from core.kernel.parsers import parameters
from core.kernel.tenancy import tenant_scope
from core.kernel.viewsets import PUBLIC, SIGNED_IN, Door

VERSION = "0.1.0"
_CAPTCHA_GRANTS = {"captcha", "slider_captcha", "slider-captcha", "sliderCaptcha"}


def _refused(text: str, code: int = 400) -> Bare:
    """The dialect's token error: HTTP 200, told apart by its fields."""
    return Bare({"error_code": code, "error_description": text})


def _user_fields(user: User, tenant: Tenant) -> dict[str, Any]:
    held = rights.of_user(user.pk)
    return {
        "tenant_id": tenant.tenant_id,
        "tenant_name": str(tenant),
        "user_id": str(user.pk),
        "oauth_id": "",
        "account": user.account,
        "user_name": user.account,
        "nick_name": user.real_name,
        "real_name": user.real_name,
        "role_name": ",".join(sorted(held.role_codes)),
        "role_id": ",".join(str(role) for role in sorted(held.role_ids)),
        "dept_id": str(user.dept_id or ""),
        "dept_name": str(user.dept or ""),
        "avatar": user.avatar,
        "detail": {"type": "web"},
    }


class SiteDoor(Door):
    """What the sign-in page must know."""

    codes = {"site": PUBLIC}

    @extend_schema(responses=SiteSerializer)
    @action(detail=False, methods=["get"], url_path="site")
    def site(self, request: Request) -> Response:
        """Captcha mode, product version, and the tenants that let themselves be listed."""
        listed = Tenant.objects.filter(is_listed=True, is_enabled=True).order_by("tenant_id")
        return Response(
            {
                "captchaMode": settings.CAPTCHA_MODE,
                "version": VERSION,
                "tenants": [{"tenantId": tenant.tenant_id, "tenantName": str(tenant)} for tenant in listed],
            }
        )


class OauthDoor(Door):
    """The token calls, under both service names the specification uses."""

    codes = {
        "captcha": PUBLIC,
        "token": PUBLIC,
        "logout": SIGNED_IN,
        "user_info": SIGNED_IN,
    }
    serializer_class = UserInfoSerializer

    @extend_schema(exclude=True)
    @action(detail=False, methods=["get"], url_path="captcha")
    def captcha(self, request: Request) -> Response:
        """A new picture; clients of the family look for it in two places."""
        key, image = captcha.make()
        return Bare({"code": 200, "success": True, "key": key, "image": image, "data": {"key": key, "image": image}})

    @extend_schema(exclude=True)
    @action(detail=False, methods=["post"], url_path="token")
    def token(self, request: Request) -> Response:
        """Sign in, or go on with a refresh token; a bare answer either way."""
        given = {name: str(value) for name, value in parameters(request).items() if isinstance(value, str | int)}
        grant = given.get("grant_type", "")
        if grant == "refresh_token":
            return self._refresh(given)
        if grant not in {"password", *_CAPTCHA_GRANTS}:
            return _refused(_("不支持的授权方式"))
        tenant_id = given.get("tenantId") or request.headers.get("Tenant-Id", "")
        for name, value in (
            (_("租户编号"), tenant_id),
            (_("账号"), given.get("username", "")),
            (_("密码"), given.get("password", "")),
        ):
            if not value.strip():
                return _refused(_("请输入{field}").format(field=name))
        # Whatever grant the caller chose: with captchas on, no password is looked at without a solved one.
        if settings.CAPTCHA_MODE != "off" and not captcha.solve(
            request.headers.get("Captcha-Key", "")[:100], request.headers.get("Captcha-Code", "")[:20]
        ):
            return _refused(_("验证码不正确"))
        tenant = Tenant.objects.filter(tenant_id=tenant_id[:12], is_enabled=True).first()
        user = None
        if tenant is not None:
            with tenant_scope(tenant.tenant_id):
                user = User.objects.filter(account=given["username"].strip()[:40], is_enabled=True).first()
        if not passwords.check(given["password"][:200], user.password if user else None):
            return _refused(_("用户名或密码错误"))
        assert tenant is not None and user is not None
        return self._signed_in(tenant, user.pk, tokens.begin(tenant, user.pk))

    def _refresh(self, given: dict[str, str]) -> Response:
        found = tokens.refresh(given.get("refresh_token", "")[:200])
        if found is None:
            return _refused(_("登录已失效，请重新登录"), 40002)
        session, pair = found
        return self._signed_in(session.tenant, session.user_id, pair)

    def _signed_in(self, tenant: Tenant, user_id: int, pair: dict[str, Any]) -> Response:
        with tenant_scope(tenant.tenant_id):
            user = User.objects.select_related("dept").filter(pk=user_id, is_enabled=True).first()
            if user is None:
                return _refused(_("用户名或密码错误"))
            return Bare({**pair, **_user_fields(user, tenant), "client_id": "xunwei-web"})

    @extend_schema(responses=None)
    @action(detail=False, methods=["get"], url_path="logout")
    def logout(self, request: Request) -> Response:
        """End this session on the server too."""
        session: Any = request.auth  # a Session: what TokenAuthentication answers
        tokens.revoke(session.pk)
        return Response(None)

    @extend_schema(responses=UserInfoSerializer)
    @action(detail=False, methods=["get"], url_path="user-info")
    def user_info(self, request: Request) -> Response:
        """Who is signed in."""
        session: Any = request.auth  # a Session: what TokenAuthentication answers
        user = User.objects.select_related("dept").get(pk=self.actor.user_id)
        fields = _user_fields(user, session.tenant)
        return Response({**fields, "roles": sorted(self.actor.role_codes)})


class DepartmentDoor(Door):
    """Departments, to choose from."""

    codes = {"tree": SIGNED_IN}

    @extend_schema(responses=DepartmentNode(many=True))
    @action(detail=False, methods=["get"], url_path="tree")
    def tree(self, request: Request) -> Response:
        """All departments of the tenant as nodes."""
        nodes: dict[int, dict[str, Any]] = {}
        roots: list[dict[str, Any]] = []
        for row in Department.objects.order_by("path", "sort"):
            node = {"id": str(row.pk), "parentId": str(row.parent_id or 0), "title": str(row)}
            node["key"] = node["value"] = node["id"]
            nodes[row.pk] = node
            parent = nodes.get(row.parent_id or 0)
            (parent.setdefault("children", []) if parent else roots).append(node)
        return Response(roots)


class TeamDoor(Door):
    """Repair teams, to choose from."""

    codes = {"get_list": SIGNED_IN}

    @extend_schema(responses=TeamSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="getList")
    def get_list(self, request: Request) -> Response:
        """All teams of the tenant."""
        return Response(TeamSerializer(Team.objects.select_related("leader").order_by("sort", "id"), many=True).data)
