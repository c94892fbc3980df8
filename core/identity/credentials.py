"""Changing a password: the person's own, and the one-time password that an administrator gives out."""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext as _

from core.identity import lockout, passwords, security, tokens
from core.identity.models import Session, User
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.audit_entry import AuditEntry
from core.kernel.errors import Invalid
from core.kernel.operation import perform

_COLUMNS = ["password", "must_change_password", "password_expires_at", "update_user", "update_time"]


class WrongOldPassword(Invalid):
    """The old password was not the person's, or has been guessed at too often."""

    def __init__(self) -> None:
        super().__init__({"oldPassword": _("原密码不正确!")})


def change(actor: Actor, session: Session, old: str, new: str, again: str) -> None:
    """Replace the caller's own password; every other session of the person ends. Raises Invalid.

    What WrongOldPassword leaves behind is the counted try, which must outlive the refusal.
    """
    user: User = User.objects.get(pk=actor.user_id)
    sentence = passwords.fault(new, account=user.account)
    if sentence is not None:
        raise Invalid({"newPassword": sentence})
    if passwords.wire_value(new) != passwords.wire_value(again):
        raise Invalid({"newPassword1": _("请输入正确的确认密码!")})
    if passwords.wire_value(new) == passwords.wire_value(old):
        raise Invalid({"newPassword": _("新密码不能与原密码相同")})
    may = lockout.reserve_change(user)
    if not passwords.check(old[:200], user.password if may else None):
        security.note("password.oldWrong" if may else "password.locked", ip=actor.ip, user=user.pk)
        raise WrongOldPassword()
    lockout.clear_change(user)

    stored = passwords.make(new)  # it takes long: before anything is written

    def store() -> None:
        _store(user, stored, is_one_time=False)
        Session.objects.filter(pk=session.pk).update(is_limited=False)
        tokens.revoke_user(user.pk, but=session.pk)

    # Without an idempotency key: to know the same request again, a digest of the passwords would have to be kept.
    entry = AuditEntry(
        "user.changePassword", replace(actor, idempotency_key=""), business_type="user", business_id=user.pk
    )
    perform(entry, None, store)


def give_one_time(user: User, stored: str) -> None:
    """Give the person a random password (its stored form) that must be changed within a day. Ends all sessions.

    Only inside an operation, which writes the audit.
    """
    _store(user, stored, is_one_time=True)
    tokens.revoke_user(user.pk)


def _store(user: User, stored: str, *, is_one_time: bool) -> None:
    user.password = stored
    user.must_change_password = is_one_time
    user.password_expires_at = clock.now() + passwords.ONE_TIME_FOR if is_one_time else None
    user.save(update_fields=_COLUMNS)
