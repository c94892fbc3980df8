"""Sign-in and its neighbours, in the commercial dialect; teams as a picker."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.blade.envelope import Bare
from core.blade.parsers import StrictJSONParser, parameters
from core.identity import addresses, captcha, credentials, profile, sign_in, tickets, tokens
from core.identity.models import Session, Team, Tenant, User
from core.identity.serializers import (
    CaptchaSerializer,
    ClientErrorsSerializer,
    ListedTenant,
    PasswordChange,
    SiteSerializer,
    SliderCaptchaSerializer,
    TeamSerializer,
    TicketInput,
    UserInfoSerializer,
)
from core.kernel.tenancy import tenant_scope
from core.rest import client_errors
from core.rest.selects import Select
from core.rest.viewsets import PUBLIC, SIGNED_IN, BaseViewSet

VERSION = "0.1.0"
CAPTCHAS_A_MINUTE, SITES_A_MINUTE, TENANT_LISTS_A_MINUTE, CLEARINGS_A_MINUTE = 120, 600, 30, 60


def listed_tenants() -> list[dict[str, str]]:
    """Return the tenants that let themselves be named to everybody: id and name, nothing more."""
    rows = Tenant.objects.filter(is_listed=True, is_enabled=True).order_by("tenant_id")
    return [{"tenantId": tenant.tenant_id, "tenantName": str(tenant)} for tenant in rows if tenant.is_open]


def given_texts(request: Request) -> dict[str, str]:
    """Return a sign-in's parameters, wherever they travel; what is no text is left out."""
    return {name: str(value) for name, value in parameters(request).items() if isinstance(value, str | int)}


class SignInViewSet(BaseViewSet):
    """Calls around a session. Those that begin one do not look at an older one that the client may still send.

    On PostgreSQL a signed-in call is one transaction, taken back when it is refused: a wrong password would not be
    counted in it.
    """

    def get_authenticators(self) -> list[Any]:
        """None for public calls."""
        asked = getattr(self, "action_map", {}).get((self.request.method or "").lower()) if self.request else None
        return [] if self.codes.get(asked or "") == PUBLIC else super().get_authenticators()

    @property
    def session(self) -> Session:
        """Return the caller's session."""
        session = self.request.auth
        if not isinstance(session, Session):
            raise TypeError("a public action asked for its session")
        return session

    def _person(self) -> dict[str, Any]:
        user = User.objects.select_related("dept").get(pk=self.actor.user_id)
        return profile.fields(user, self.session.tenant)

    def _clear_cache(self, request: Request) -> Response:
        addresses.limit(request, "clear-cache", CLEARINGS_A_MINUTE)
        tokens.touch_tenant(self.actor.tenant_id)
        return Response(None)

    def _change_password(self, request: Request) -> Response:
        given = given_texts(request)
        new, again = given.get("newPassword", ""), given.get("newPassword1", "")
        try:
            credentials.change(self.actor, self.session, self.parameter("oldPassword"), new, again)
        except credentials.WrongOldPassword:
            self._in_transaction = False  # nothing is written but the counted try, and that must stay
            raise
        return Response(None)


class SiteViewSet(SignInViewSet):
    """What the sign-in page must know."""

    codes = {"site": PUBLIC}

    @extend_schema(responses=SiteSerializer)
    @action(detail=False, methods=["get"], url_path="site")
    def site(self, request: Request) -> Response:
        """Captcha mode, product version, and the tenants that let themselves be listed."""
        addresses.limit(request, "site", SITES_A_MINUTE)
        return Response({"captchaMode": settings.CAPTCHA_MODE, "version": VERSION, "tenants": listed_tenants()})


class TenantListViewSet(BaseViewSet):
    """Which company somebody signs in to."""

    codes = {"tenant_list": PUBLIC}

    @extend_schema(responses=ListedTenant(many=True))
    @action(detail=False, methods=["get"], url_path="getTenantList")
    def tenant_list(self, request: Request) -> Response:
        """Before sign-in the listed tenants; after it the person's own one."""
        session = request.auth
        if isinstance(session, Session):
            own = session.tenant
            return Response([{"tenantId": own.tenant_id, "tenantName": str(own), "current": True}])
        addresses.limit(request, "tenants", TENANT_LISTS_A_MINUTE)
        return Response(listed_tenants())


class ErrorLogParser(StrictJSONParser):
    """The family's clients send their errors as a bare array."""

    array_name = "logs"


class OauthViewSet(SignInViewSet):
    """The token calls, under both service names the specification uses."""

    codes = {
        "captcha": PUBLIC,
        "slider_captcha": PUBLIC,
        "token": PUBLIC,
        "logout": SIGNED_IN,
        "ticket": SIGNED_IN,
        "store_errors": SIGNED_IN,
        "user_info": SIGNED_IN,
        "clear_cache": SIGNED_IN,
        "update_password": SIGNED_IN,
    }
    before_password_change = frozenset({"logout", "store_errors", "user_info", "update_password"})
    serializer_class = UserInfoSerializer

    @extend_schema(responses=CaptchaSerializer)
    @action(detail=False, methods=["get"], url_path="captcha")
    def captcha(self, request: Request) -> Response:
        """Answer a new picture; clients of the family look for it in two places."""
        addresses.limit(request, "captcha", CAPTCHAS_A_MINUTE)
        key, image = captcha.make()
        return Bare(_twice({"key": key, "image": image}))

    @extend_schema(responses=SliderCaptchaSerializer)
    @action(detail=False, methods=["get"], url_path="sliderCaptcha")
    def slider_captcha(self, request: Request) -> Response:
        """Answer a new piece and the background with its gap, in the same two places."""
        addresses.limit(request, "captcha", CAPTCHAS_A_MINUTE)
        key, shown = captcha.make_slider()
        return Bare(_twice({"key": key, **shown}))

    @extend_schema(exclude=True)
    @action(detail=False, methods=["post"], url_path="token")
    def token(self, request: Request) -> Response:
        """Sign in, or go on with a refresh token; a bare answer either way, HTTP 200, told apart by its fields."""
        given = given_texts(request)
        grant = given.get("grant_type", "")
        try:
            if grant == "refresh_token":
                signed = sign_in.with_refresh_token(given.get("refresh_token", ""))
            else:
                tenant_id = given.get("tenantId") or request.headers.get("Tenant-Id", "")
                account, password = given.get("username", ""), given.get("password", "")
                signed = sign_in.with_password(request, grant, tenant_id, account, password)
        except sign_in.SessionOver as refusal:
            return Bare({"error_code": 40002, "error_description": str(refusal.text)})
        except sign_in.SignInRefused as refusal:
            return Bare({"error_code": 400, "error_description": str(refusal.text)})
        with tenant_scope(signed.tenant.tenant_id):
            person = profile.fields(signed.user, signed.tenant)
        return Bare({**signed.pair, **person, "client_id": "xunwei-web"})

    @extend_schema(responses=None)
    @action(detail=False, methods=["get"], url_path="logout", parser_classes=[ErrorLogParser])
    def logout(self, request: Request) -> Response:
        """End this session on the server too."""
        tokens.revoke(self.session.pk)
        return Response(None)

    @extend_schema(request=TicketInput, responses=TicketInput)
    @action(detail=False, methods=["post"], url_path="ticket")
    def ticket(self, request: Request) -> Response:
        """Answer the address of a download with a ticket in it: good once, within a minute, without a header."""
        asked = TicketInput(data=parameters(request))
        asked.is_valid(raise_exception=True)
        return Response({"address": tickets.make(self.session.pk, asked.validated_data["address"])})

    @extend_schema(operation_id="store_errors", request=ClientErrorsSerializer, responses=None)
    @logout.mapping.post
    def store_errors(self, request: Request) -> Response:
        """Keep the errors that the console met; the session goes on."""
        asked = ClientErrorsSerializer(data=parameters(request))
        asked.is_valid(raise_exception=True)
        client_errors.store(self.actor, asked.validated_data["logs"])
        return Response(None)

    @extend_schema(responses=UserInfoSerializer)
    @action(detail=False, methods=["get"], url_path="user-info")
    def user_info(self, request: Request) -> Response:
        """Who is signed in; clients of the family look for it in two places."""
        return Bare(_twice({**self._person(), "roles": sorted(self.actor.role_codes)}))

    @extend_schema(responses=None)
    @action(detail=False, methods=["get"], url_path="clear-cache")
    def clear_cache(self, request: Request) -> Response:
        """Read rights and menus of the caller's company anew."""
        return self._clear_cache(request)

    @extend_schema(request=PasswordChange, responses=None)
    @action(detail=False, methods=["post"], url_path="update-password")
    def update_password(self, request: Request) -> Response:
        """Replace the caller's own password."""
        return self._change_password(request)


def _twice(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields at top level and in the envelope."""
    return {**fields, "code": 200, "success": True, "data": fields, "msg": _("操作成功")}


class PasswordViewSet(SignInViewSet):
    """The change of the own password, where the user service of the family has it."""

    codes = {"update_password": SIGNED_IN}
    same_call = {"update_password": (OauthViewSet, "update_password")}
    before_password_change = frozenset({"update_password"})

    @extend_schema(exclude=True)
    @action(detail=False, methods=["post"], url_path="update-password")
    def update_password(self, request: Request) -> Response:
        """Replace the caller's own password."""
        return self._change_password(request)


class TeamViewSet(Select, BaseViewSet):
    """Repair teams, to choose from."""

    codes = {"get_list": SIGNED_IN, "select": SIGNED_IN}
    queryset = Team.objects.all()
    order = ("sort", "id")

    @extend_schema(responses=TeamSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="getList")
    def get_list(self, request: Request) -> Response:
        """Answer all teams of the tenant."""
        return Response(TeamSerializer(Team.objects.select_related("leader").order_by("sort", "id"), many=True).data)
