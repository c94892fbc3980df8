"""Passwords: the client's md5 is the password for every purpose of the server and is stored with Argon2id."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from datetime import timedelta
from functools import lru_cache
from threading import BoundedSemaphore

from django.conf import settings
from django.contrib.auth import hashers
from django.contrib.auth.password_validation import CommonPasswordValidator
from django.utils.translation import gettext as _

ONE_TIME_FOR = timedelta(hours=24)
"""How long a password that the server made up may be used to sign in."""
_LETTERS, _DIGITS = "abcdefghijkmnpqrstuvwxyz", "23456789"
_LENGTHS = range(6, 21)
_at_once = BoundedSemaphore(4)
"""Each hash takes 19 MiB for its 20 ms; more at once would only wait for the processor, with their memory."""


class Argon2(hashers.Argon2PasswordHasher):
    """Argon2id at 2 passes over 19 MiB: about 20 ms, and 200 sign-ins at once stay in memory."""

    time_cost = 2
    memory_cost = 19456
    parallelism = 1


def _is_md5(text: str) -> bool:
    return re.fullmatch(r"[0-9a-fA-F]{32}", text) is not None


def wire_value(text: str) -> str:
    """Return what counts as the password: the md5 hex itself, or the md5 of a plain text, trimmed as the clients do."""
    if _is_md5(text):
        return text.lower()
    return hashlib.md5(text.strip().encode(), usedforsecurity=False).hexdigest()


def _peppered(text: str) -> str:
    """Keyed with the installation's pepper, so that a stolen table alone cannot be tried against word lists."""
    return hmac.new(settings.PASSWORD_PEPPER.encode(), wire_value(text).encode(), hashlib.sha256).hexdigest()


def make(text: str) -> str:
    """Return the stored form of a password (md5 hex or plain text)."""
    with _at_once:
        return hashers.make_password(_peppered(text))


def check(text: str, stored: str | None) -> bool:
    """Return whether the password fits; takes equally long where there is nothing to compare with."""
    nobody = _nobody()
    with _at_once:
        fits = hashers.check_password(_peppered(text), stored or nobody)
    return fits and stored is not None


def is_outdated(stored: str) -> bool:
    """Return whether the password was stored at another cost than the present one."""
    hasher = hashers.get_hasher()
    return hasher.must_update(stored)


@lru_cache(maxsize=1)
def _nobody() -> str:
    return make("nobody has this password")


def one_time() -> str:
    """Return a random password to be read out, used once and replaced: no letters that look like digits."""
    while True:
        text = "".join(secrets.choice(_LETTERS + _DIGITS) for _place in range(12))
        if any(letter in _LETTERS for letter in text) and any(digit in _DIGITS for digit in text):
            return text


def stored_ahead(given: str = "") -> tuple[str, str]:
    """Return a password that somebody gives, or a one-time one, with its stored form."""
    text = given or one_time()
    return text, make(text)


def one_times(number: int) -> list[tuple[str, str]]:
    """Return so many one-time passwords and their stored forms, for whoever must not wait for them in a transaction."""
    return [stored_ahead() for _ in range(number)]


def fault(text: str, *, account: str = "") -> str | None:
    """Return what is wrong with a password that somebody chose, as a sentence; None for a good one.

    Length and mix are known of a plain text only. Of an md5 it is known whether it is one of the common ones.
    """
    if not _is_md5(text):
        plain = text.strip()
        if not plain:
            return _("请输入密码")
        if len(plain) not in _LENGTHS:
            return _("请输入6-20位密码")
        if not re.search(r"[A-Za-z]", plain) or not re.search(r"[0-9]", plain):
            return _("请输入6-20位，至少包含数字和字母组合的密码")
    if bytes.fromhex(wire_value(text)) in _common() or (account and wire_value(text) == wire_value(account)):
        return _("该密码过于常见，请换一个")
    return None


_WORDS = (
    "a", "aa", "aaa", "abc", "abcd", "ab", "qq", "qwe", "asd", "zxc", "qaz", "wsx", "admin", "root", "test", "user",
    "pass", "password", "woaini", "woaiwo", "wang", "zhang", "li", "liu", "chen", "xunwei", "saber", "blade", "sword",
    "equip", "demo",
)  # fmt: skip
_ENDINGS = (
    "1", "12", "123", "1234", "12345", "123456", "1234567", "12345678", "123456789", "111", "111111", "000", "000000",
    "666", "666666", "888", "888888", "520", "521", "1314", "5201314", "321", "654321", "2024", "2025", "2026", "@123",
    "!@#", "123!", "123.", "",
)  # fmt: skip


@lru_cache(maxsize=1)
def _common() -> frozenset[bytes]:
    """Return the md5 of common passwords: Django's list, and what is built of a short word and a well-known number."""
    words: set[str] = set(CommonPasswordValidator().passwords)
    for word in _WORDS:
        for start in {word, word.upper(), word.capitalize()}:
            words.update(start + ending for ending in _ENDINGS)
            words.update(ending + start for ending in _ENDINGS)
    return frozenset(hashlib.md5(word.encode(), usedforsecurity=False).digest() for word in words)
