"""Counting wrong passwords, in the database, before a password is looked at.

Each try is reserved by one conditional UPDATE, so that of two hundred at once no more than allowed get through. A
device and an address at which the account has signed in before have counters of their own, which are looked at first:
who attacks an account from elsewhere cannot lock its owner out, nor can a neighbour who uses up the tries of an address
that a whole plant shares. All others share the tries of address, account and company, with captchas or without.
"""

from __future__ import annotations

import hashlib
import hmac
import re
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
"""An account, asked for from a device or an address where it has signed in before."""
CHANGE = Rule("change", 5, timedelta(minutes=30))
"""The old password, asked for when it is changed."""
ADDRESS = Rule("address", 20, timedelta(minutes=10))
TENANT = Rule("tenant", 1000, timedelta(hours=1))
"""All of a company's accounts together, against guesses from many addresses."""
KNOWN_FOR = timedelta(days=90)
_MARK = re.compile(r"[0-9A-Za-z]{20,64}")


class Full(Exception):
    """An address or a company has no tries left for those who are not known."""

    def __init__(self, rule: Rule):
        super().__init__(rule.kind)
        self.rule = rule


@dataclass(frozen=True)
class Reservation:
    """A try that may be made, and has been counted already."""

    owner: str
    counted: tuple[tuple[Rule, str], ...]
    """What counted it. The first is of the account alone."""
    known: tuple[str, ...]
    """By which keys the account is known here once the password was right."""


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


def reserve(tenant_id: str, account: str, address: str, mark: str) -> Reservation | None:
    """Count one try of this account; None when it has none left, and Full when its address or company has none.

    `mark` is what the device calls itself, which no other device knows.
    """
    Tries.objects.filter(expires_at__lt=clock.now()).delete()
    owner = _digest("account", tenant_id, account)
    known = [_digest("known", tenant_id, account, address)]
    if _MARK.fullmatch(mark):
        known.insert(0, _digest("device", tenant_id, account, mark))
    met = set(Tries.objects.filter(kind=KNOWN.kind, key__in=known).values_list("key", flat=True))
    for key in known:
        if key in met:
            return Reservation(owner, ((KNOWN, key),), tuple(known)) if _take(KNOWN, key, owner) else None
    at, company = _digest("address", address), _digest("tenant", tenant_id)
    if not _take(ADDRESS, at):
        raise Full(ADDRESS)
    if not _take(ACCOUNT, owner, owner):
        return None
    # Counted last, so that guesses at a locked account do not use up what all of the company's people share.
    if not _take(TENANT, company):
        raise Full(TENANT)
    return Reservation(owner, ((ACCOUNT, owner), (ADDRESS, at), (TENANT, company)), tuple(known))


def succeeded(made: Reservation) -> None:
    """The password was right: clear the account's counter that was used; address and company get back this one try."""
    now = clock.now()
    (own, own_key), *shared = made.counted
    Tries.objects.filter(kind=own.kind, key=own_key).update(tries=0)
    for rule, key in shared:
        Tries.objects.filter(kind=rule.kind, key=key, tries__gt=0).update(tries=F("tries") - 1)
    until = now + KNOWN_FOR
    rows = [Tries(kind=KNOWN.kind, key=key, owner=made.owner, since=now, expires_at=until) for key in made.known]
    Tries.objects.bulk_create(rows, update_conflicts=True, unique_fields=["kind", "key"], update_fields=["expires_at"])


def reserve_change(user: User) -> bool:
    """Count one try of the person's old password; False when there are none left."""
    owner = _digest("account", current_tenant(), user.account)
    return _take(CHANGE, _digest("change", str(user.pk)), owner)


def clear_change(user: User) -> None:
    """The old password was right."""
    Tries.objects.filter(kind=CHANGE.kind, key=_digest("change", str(user.pk))).update(tries=0)


def unlock(user_ids: Iterable[int]) -> int:
    """Let these people of the tenant in scope try again at once; answers how many of them there are.

    The company's counter begins anew: who may unlock knows that its people are honest.
    """
    accounts = list(User.objects.filter(pk__in=list(user_ids)).values_list("account", flat=True))
    owners = [_digest("account", current_tenant(), account) for account in accounts]
    Tries.objects.filter(owner__in=owners).update(tries=0)
    Tries.objects.filter(kind=TENANT.kind, key=_digest("tenant", current_tenant())).update(tries=0)
    return len(accounts)
