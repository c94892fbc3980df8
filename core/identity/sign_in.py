"""Signing in and going on: captcha, counters, password, session; the same for every dialect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework.request import Request

from core.identity import addresses, captcha, lockout, passwords, security, tokens
from core.identity.models import Session, Tenant, User
from core.kernel import clock
from core.kernel.errors import Refusal
from core.kernel.tenancy import PLATFORM, tenant_scope

CAPTCHA_GRANTS = frozenset({"captcha", "slider_captcha", "slider-captcha", "sliderCaptcha"})
PASSWORD_GRANTS = CAPTCHA_GRANTS | {"password"}


class SignInRefused(Refusal):
    """No session comes of it; the text is for the person."""

    def __init__(self, text: str):
        super().__init__("signIn.refused", text)


class SessionOver(Refusal):
    """A refresh token that does not count (any more)."""

    def __init__(self) -> None:
        super().__init__("signIn.over", _("登录已失效，请重新登录"))


@dataclass(frozen=True)
class Signed:
    """Somebody who is signed in now; `pair` is access and refresh token."""

    tenant: Tenant
    user: User
    pair: dict[str, Any]


def with_password(request: Request, grant: str, tenant_id: str, account: str, password: str) -> Signed:
    """Return a new session; raises SignInRefused.

    An account that does not exist, a wrong password, a locked and a disabled account get one answer after one and the
    same amount of work.
    """
    if grant not in PASSWORD_GRANTS:
        raise SignInRefused(_("不支持的授权方式"))
    tenant_id, account = tenant_id.strip(), account.strip()
    for name, value in ((_("租户编号"), tenant_id), (_("账号"), account), (_("密码"), password.strip())):
        if not value:
            raise SignInRefused(_("请输入{field}").format(field=name))
    address = addresses.of(request)
    # Whatever grant the caller chose: with captchas on, no password is looked at without a solved one.
    if settings.CAPTCHA_MODE != "off" and not captcha.solve(
        request.headers.get("Captcha-Key", "")[:100], request.headers.get("Captcha-Code", "")[:20]
    ):
        raise SignInRefused(_("验证码不正确"))
    try:
        reserved = lockout.reserve(tenant_id, account, address, request.headers.get("Device-Mark", ""))
    except lockout.Full as full:
        security.note(f"signIn.{full.rule.kind}Locked", ip=address)
        raise SignInRefused(_("用户登录失败次数过多，请稍后再试")) from None
    tenant, user = _find(tenant_id, account)
    may = user if reserved is not None else None
    if not passwords.check(password[:200], may.password if may else None) or tenant is None or may is None:
        event = "signIn.failed" if reserved is not None else "signIn.accountLocked"
        security.note(event, ip=address, tenant=tenant.tenant_id if tenant else "", user=user.pk if user else 0)
        raise SignInRefused(_("用户名或密码错误"))
    assert reserved is not None
    lockout.succeeded(reserved)
    return _begin(tenant, may, password)


def _find(tenant_id: str, account: str) -> tuple[Tenant | None, User | None]:
    """Tenant and person, where both may sign in. As many statements are made for those who do not exist."""
    tenant = Tenant.objects.filter(tenant_id=tenant_id).first()
    with tenant_scope(tenant.tenant_id if tenant else PLATFORM):
        user = User.objects.select_related("dept").filter(account=account, is_enabled=True).first()
    if tenant is None or not tenant.is_open:
        return None, None
    return tenant, user


def _begin(tenant: Tenant, user: User, password: str) -> Signed:
    if user.password_expires_at is not None and user.password_expires_at <= clock.now():
        # Told only to whoever knows the password, which is worth nothing any more.
        raise SignInRefused(_("初始密码已过期，请联系管理员重新设置"))
    if passwords.is_outdated(user.password):
        with tenant_scope(tenant.tenant_id):
            User.objects.filter(pk=user.pk, password=user.password).update(password=passwords.make(password))
    return Signed(tenant, user, tokens.begin(tenant, user.pk, is_limited=user.must_change_password))


def with_refresh_token(token: str) -> Signed:
    """Return the session's next pair of tokens; raises SessionOver."""
    found: list[User] = []

    def may_go_on(session: Session) -> bool:
        with tenant_scope(session.tenant.tenant_id):
            found.extend(User.objects.select_related("dept").filter(pk=session.user_id, is_enabled=True))
        return bool(found)

    moved = tokens.refresh(token[:200], may_go_on)
    if moved is None:
        raise SessionOver()
    session, pair = moved
    return Signed(session.tenant, found[0], pair)
