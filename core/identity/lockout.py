"""Counting wrong passwords, in the database, before a password is looked at.

Each try is reserved by one conditional UPDATE, so that of two hundred at once no more than allowed get through. An
address from which the account has signed in before has a counter of its own: who attacks an account from elsewhere
cannot lock its owner out.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db.models import F

from core.identity.models import Tries, User
from core.kernel import clock
from core.kernel.tenancy import current_tenant


@dataclass(frozen=True)
class Rule:
    """At most so many tries in a window of time, which begins with the first of them."""

    kind: str
    limit: int
    window: timedelta


ACCOUNT = Rule("account", 5, timedelta(minutes=30))
KNOWN = Rule("known", 5, timedelta(minutes=30))
"""An account, asked for from an address where it has signed in before."""
CHANGE = Rule("change", 5, timedelta(minutes=30))
"""The old password, asked for when it is changed."""
ADDRESS = Rule("address", 20, timedelta(minutes=10))
KNOWN_FOR = timedelta(days=90)


@dataclass(frozen=True)
class Reservation:
    """A try that may be made, and has been counted already."""

    rule: Rule
    key: str
    owner: str
    address: str
    known_key: str


def _digest(*parts: str) -> str:
    return hmac.new(
        settings.PASSWORD_PEPPER.encode(), "\0".join(("tries", *parts)).encode(), hashlib.sha256
    ).hexdigest()


def _take(rule: Rule, key: str, owner: str = "") -> bool:
    """Count one try; False when there are none left in this window."""
    now = clock.now()
    rows = Tries.objects.filter(kind=rule.kind, key=key)
    for is_first in (True, False):
        if rows.filter(tries__lt=rule.limit, since__gt=now - rule.window).update(tries=F("tries") + 1):
            return True
        if rows.filter(since__lte=now - rule.window).update(tries=1, since=now, expires_at=now + _kept(rule)):
            return True
        if is_first:
            row = Tries(kind=rule.kind, key=key, owner=owner, since=now, expires_at=now + _kept(rule))
            Tries.objects.bulk_create([row], ignore_conflicts=True)
    return False


def _kept(rule: Rule) -> timedelta:
    return KNOWN_FOR if rule is KNOWN else rule.window


def take_address(address: str) -> bool:
    """Count one try of this address; False when it has none left."""
    Tries.objects.filter(expires_at__lt=clock.now()).delete()
    return _take(ADDRESS, _digest("address", address))


def reserve(tenant_id: str, account: str, address: str) -> Reservation | None:
    """Count one try of this account; None when it has none left."""
    owner = _digest("account", tenant_id, account)
    known_key = _digest("known", tenant_id, account, address)
    is_known = Tries.objects.filter(kind=KNOWN.kind, key=known_key).exists()
    rule, key = (KNOWN, known_key) if is_known else (ACCOUNT, owner)
    if not _take(rule, key, owner):
        return None
    return Reservation(rule, key, owner, address, known_key)


def succeeded(made: Reservation) -> None:
    """The password was right: clear the counter that was used, and no other; the address gets back this one try."""
    now = clock.now()
    Tries.objects.filter(kind=made.rule.kind, key=made.key).update(tries=0)
    Tries.objects.filter(kind=ADDRESS.kind, key=_digest("address", made.address), tries__gt=0).update(
        tries=F("tries") - 1
    )
    known = Tries.objects.filter(kind=KNOWN.kind, key=made.known_key)
    if not known.update(expires_at=now + KNOWN_FOR):
        row = Tries(kind=KNOWN.kind, key=made.known_key, owner=made.owner, since=now, expires_at=now + KNOWN_FOR)
        Tries.objects.bulk_create([row], ignore_conflicts=True)


def reserve_change(user: User) -> bool:
    """Count one try of the person's old password; False when there are none left."""
    owner = _digest("account", current_tenant(), user.account)
    return _take(CHANGE, _digest("change", str(user.pk)), owner)


def clear_change(user: User) -> None:
    """The old password was right."""
    Tries.objects.filter(kind=CHANGE.kind, key=_digest("change", str(user.pk))).update(tries=0)


def unlock(user_ids: Iterable[int]) -> int:
    """Let these people of the tenant in scope try again at once; answers how many of them there are."""
    accounts = list(User.objects.filter(pk__in=list(user_ids)).values_list("account", flat=True))
    owners = [_digest("account", current_tenant(), account) for account in accounts]
    Tries.objects.filter(owner__in=owners).update(tries=0)
    return len(accounts)
