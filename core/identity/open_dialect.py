"""Sign-in in the open dialect: the same operations, asked for and answered in camelCase inside the envelope."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.identity import addresses, captcha, profile, sign_in, tokens
from core.identity.views import CAPTCHAS_A_MINUTE, OauthViewSet, SignInViewSet, given_texts
from core.kernel.tenancy import tenant_scope
from core.rest.viewsets import PUBLIC, SIGNED_IN


def _wire(signed: sign_in.Signed) -> dict[str, Any]:
    """Return the token answer of this dialect."""
    with tenant_scope(signed.tenant.tenant_id):
        person = profile.fields(signed.user, signed.tenant)
    return {
        "accessToken": signed.pair["access_token"],
        "refreshToken": signed.pair["refresh_token"],
        "tokenType": signed.pair["token_type"],
        "expiresIn": signed.pair["expires_in"],
        "tenantId": person["tenant_id"],
        "userId": person["user_id"],
        "oauthId": person["oauth_id"],
        "account": person["account"],
        "userName": person["real_name"],
        "authority": person["role_name"],
        "avatar": person["avatar"],
        "mustChangePassword": person["must_change_password"],
        "license": _("巡维"),
    }


class OpenViewSet(SignInViewSet):
    """What clients of the open dialect call instead of the token calls."""

    codes = {
        "captcha": PUBLIC,
        "token": PUBLIC,
        "logout": SIGNED_IN,
        "logout_by_post": SIGNED_IN,
        "user_info": SIGNED_IN,
        "clear_cache": SIGNED_IN,
    }
    same_call = {
        **{name: (OauthViewSet, name) for name in ("logout", "user_info", "clear_cache")},
        "logout_by_post": (OauthViewSet, "logout"),
    }
    before_password_change = frozenset({"logout", "logout_by_post", "user_info"})

    @extend_schema(exclude=True)
    @action(detail=False, methods=["get"], url_path="captcha")
    def captcha(self, request: Request) -> Response:
        """Answer a new picture."""
        addresses.limit(request, "captcha", CAPTCHAS_A_MINUTE)
        key, image = captcha.make()
        return Response({"key": key, "image": image})

    @extend_schema(exclude=True)
    @action(detail=False, methods=["post"], url_path="token")
    def token(self, request: Request) -> Response:
        """Sign in, or go on with a refresh token; a refusal is HTTP 400 in the envelope."""
        given = given_texts(request)
        grant = given.get("grantType", "") or "password"
        if grant == "refresh_token":
            return Response(_wire(sign_in.with_refresh_token(given.get("refreshToken", ""))))
        tenant_id = given.get("tenantId") or request.headers.get("Tenant-Id", "")
        account, password = given.get("account", ""), given.get("password", "")
        return Response(_wire(sign_in.with_password(request, grant, tenant_id, account, password)))

    @extend_schema(exclude=True)
    @action(detail=False, methods=["get"], url_path="logout")
    def logout(self, request: Request) -> Response:
        """End this session on the server too."""
        tokens.revoke(self.session.pk)
        return Response(None)

    @extend_schema(exclude=True)
    @logout.mapping.post
    def logout_by_post(self, request: Request) -> Response:
        """Answer the same, as most of these clients ask for it."""
        tokens.revoke(self.session.pk)
        return Response(None)

    @extend_schema(exclude=True)
    @action(detail=False, methods=["get"], url_path="user-info")
    def user_info(self, request: Request) -> Response:
        """Who is signed in."""
        return Response({**self._person(), "roles": sorted(self.actor.role_codes)})

    @extend_schema(exclude=True)
    @action(detail=False, methods=["get"], url_path="clear-cache")
    def clear_cache(self, request: Request) -> Response:
        """Read rights and menus of the caller's company anew."""
        return self._clear_cache(request)
