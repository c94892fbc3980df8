"""Wrong passwords are counted before they are looked at; who attacks an account does not lock its owner out."""

from __future__ import annotations

import statistics
import time
from dataclasses import replace
from datetime import timedelta
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from core.identity import addresses, lockout, passwords
from core.identity.models import Session, Tenant, Tries, User
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from tests.cast import A, B, Cast
from tests.core.identity.signing import MD5, token_call

WRONG = {"error_code": 400, "error_description": "用户名或密码错误"}
TOO_MANY = {"error_code": 400, "error_description": "用户登录失败次数过多，请稍后再试"}
HOME = "192.0.2.1"
OWN = "8c5f2f0b3d0e4a7db1c9a6e2f4d37b15"
"""What the operator's own device calls itself."""


def _try(
    account: str = "operator", password: str = "wrong", ip: str = HOME, tenant: str = A, mark: str = ""
) -> dict[str, Any]:
    fields = {"tenantId": tenant, "username": account, "password": password, "grant_type": "password"}
    return token_call(ip, Device_Mark=mark, **fields)


def _elsewhere(number: int) -> str:
    return f"198.51.{number // 250}.{number % 250 + 1}"


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """One entry for each password that was compared with a stored one; a dummy comparison is False."""
    seen: list[bool] = []
    check = passwords.check
    monkeypatch.setattr(passwords, "check", lambda text, stored: seen.append(stored is not None) or check(text, stored))
    return seen


def test_after_five_failures_the_right_password_reads_like_a_wrong_one(cast: Cast, looks: list[bool]) -> None:
    assert [_try(ip=_elsewhere(number)) for number in range(5)] == [WRONG] * 5
    assert _try(password=MD5) == WRONG
    assert looks == [True] * 5 + [False]
    assert Session.objects.count() == 0
    with clock.at(clock.now() + timedelta(minutes=31)):
        assert _try(password=MD5)["account"] == "operator"


def test_a_lock_is_of_one_account_in_one_tenant(cast: Cast) -> None:
    for number in range(6):
        _try(ip=_elsewhere(number))
    assert _try("operator2", MD5)["account"] == "operator2"
    assert _try("operator", MD5, tenant=B)["tenant_id"] == B


def test_success_clears_the_counter_of_its_own_account_only(cast: Cast, looks: list[bool]) -> None:
    for number in range(4):
        _try(ip=_elsewhere(number))
        _try("viewer", ip=_elsewhere(number))
    assert _try(password=MD5)["account"] == "operator"
    looks.clear()
    for number in range(10, 14):
        _try(ip=_elsewhere(number))
        _try("viewer", ip=_elsewhere(number))
    assert looks.count(True) == 4 + 1


def test_an_address_gets_twenty_failures_in_ten_minutes_whatever_it_tries(cast: Cast, looks: list[bool]) -> None:
    assert [_try(f"account{number}") for number in range(20)] == [WRONG] * 20
    assert _try("operator", MD5) == TOO_MANY
    assert len(looks) == 20
    assert _try("operator", MD5, ip="192.0.2.2")["account"] == "operator"
    with clock.at(clock.now() + timedelta(minutes=11)):
        assert _try("operator", MD5)["account"] == "operator"


def test_an_attackers_own_account_clears_neither_the_victims_counter_nor_the_address(
    cast: Cast, looks: list[bool]
) -> None:
    answers = []
    for _round in range(25):
        answers.append(_try("operator"))
        assert _try("viewer", MD5)["account"] == "viewer"
    assert looks.count(True) == 5 + 25  # the victim's five, and the attacker's own sign-ins
    assert answers == [WRONG] * 20 + [TOO_MANY] * 5


def test_many_honest_sign_ins_from_one_address_are_no_failures(cast: Cast) -> None:
    for _round in range(30):
        assert _try("operator", MD5)["account"] == "operator"


@pytest.mark.django_db(transaction=True)
def test_of_two_hundred_guesses_at_once_five_reach_the_password(cast: Cast, looks: list[bool]) -> None:
    start, answers = Barrier(8), list[Any]()

    def attack(number: int) -> None:
        try:
            start.wait(30)
            for guess in range(25):
                answers.append(_try(password=f"guess {number} {guess}", ip=_elsewhere(number * 25 + guess)))
        finally:
            connection.close()

    threads = [Thread(target=attack, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [WRONG] * 200
    assert looks.count(True) == 5


def test_a_spray_over_many_accounts_reaches_twenty_passwords(cast: Cast, looks: list[bool]) -> None:
    names = ["operator", "operator2", "viewer", "repairer", "repairer2", "shift_leader"]
    answers = [_try(names[number % 6] if number < 12 else f"person{number}") for number in range(100)]
    assert (answers.count(WRONG), answers.count(TOO_MANY)) == (20, 80)
    assert len(looks) == 20


def test_an_attack_over_many_addresses_reaches_at_most_thirty_an_hour(cast: Cast, looks: list[bool]) -> None:
    began = clock.now()
    for number in range(240):
        with clock.at(began + timedelta(seconds=15 * number)):
            assert _try(ip=_elsewhere(number)) == WRONG
    assert looks.count(True) <= 30
    assert looks.count(True) == 10


def test_the_owners_address_still_gets_in_during_an_attack(cast: Cast, looks: list[bool]) -> None:
    assert _try(password=MD5)["account"] == "operator"
    for number in range(50):
        assert _try(ip=_elsewhere(number)) == WRONG
    assert _try(password=MD5)["account"] == "operator"
    assert _try(password=MD5, ip="192.0.2.77") == WRONG, "from where the account was never signed in, it is locked"
    looks.clear()
    for number in range(50, 60):
        _try(ip=_elsewhere(number))
    assert looks.count(True) == 0, "the owner's success gives the attacker no further tries"


def test_the_owners_address_has_five_tries_of_its_own(cast: Cast, looks: list[bool]) -> None:
    _try(password=MD5)
    looks.clear()
    for _number in range(7):
        assert _try() == WRONG
    assert looks == [True] * 5 + [False] * 2


@pytest.fixture
def neighbour(cast: Cast) -> str:
    """The address of a plant at which the operator has signed in, after a neighbour has used up its tries."""
    assert _try(password=MD5, mark=OWN)["account"] == "operator"
    assert [_try(f"account{number}") for number in range(21)] == [WRONG] * 20 + [TOO_MANY]
    return HOME


def test_who_is_known_gets_in_where_a_neighbour_has_used_up_the_address(neighbour: str) -> None:
    assert _try(password=MD5)["account"] == "operator"
    assert _try("viewer", MD5) == TOO_MANY
    assert _try(password=MD5, mark="x" * 32)["account"] == "operator", "another device at the known address"


def test_a_neighbours_guesses_at_an_account_do_not_lock_its_device_out(neighbour: str, looks: list[bool]) -> None:
    assert [_try(mark="x" * 32) for _number in range(8)] == [WRONG] * 8
    assert looks.count(True) == 5
    assert _try(password=MD5) == WRONG, "at the address the account is locked"
    assert _try(password=MD5, mark=OWN)["account"] == "operator"
    assert _try(password=MD5, mark=OWN, ip="192.0.2.99")["account"] == "operator", "the device is known anywhere"
    looks.clear()
    assert [_try(mark=OWN, ip=_elsewhere(number)) for number in range(8)] == [WRONG] * 8
    assert looks.count(True) == 5, "who has stolen the mark has five tries"


@pytest.mark.parametrize("mark", ["", "short", OWN + " ", "x" * 65, "标" * 32])
def test_what_is_no_mark_makes_no_device_known(cast: Cast, mark: str) -> None:
    assert _try(password=MD5, mark=mark)["account"] == "operator"
    for number in range(5):
        _try(ip=_elsewhere(number))
    assert _try(password=MD5, mark=mark, ip="192.0.2.77") == WRONG
    assert _try("viewer", MD5, mark=OWN)["account"] == "viewer"
    assert _try(password=MD5, mark=OWN, ip="192.0.2.77") == WRONG, "a device is known for its own accounts alone"


def test_guesses_from_many_addresses_share_the_tries_of_the_company(
    cast: Cast, looks: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lockout, "TENANT", replace(lockout.TENANT, limit=30))
    assert _try(password=MD5)["account"] == "operator"
    for number in range(40):
        _try(f"account{number % 4}", ip=_elsewhere(number))
    assert len(looks) == 1 + 40 and _try("viewer", MD5, ip="192.0.2.7")["account"] == "viewer", "four are locked"
    answers = [_try(f"person{number}", ip=_elsewhere(number)) for number in range(40)]
    assert answers == [WRONG] * 10 + [TOO_MANY] * 30
    assert _try("viewer", MD5, ip="192.0.2.8") == TOO_MANY
    assert _try(password=MD5)["account"] == "operator"
    assert _try("viewer", MD5, tenant=B, ip="192.0.2.8")["tenant_id"] == B
    with tenant_scope(A):
        lockout.unlock([cast.user("viewer").pk])
    assert _try("viewer", MD5, ip="192.0.2.8")["account"] == "viewer"


def test_another_person_at_a_known_address_is_not_known(cast: Cast) -> None:
    _try("viewer", MD5)
    for number in range(6):
        _try(ip=_elsewhere(number))
    assert _try(password=MD5) == WRONG


def test_an_administrator_may_unlock(cast: Cast) -> None:
    for number in range(6):
        _try(ip=_elsewhere(number))
        _try(ip=_elsewhere(number), tenant=B)
    with tenant_scope(A):
        assert lockout.unlock([cast.user("operator").pk, cast.user("operator", B).pk]) == 1
    assert _try(password=MD5)["account"] == "operator"
    assert _try(password=MD5, tenant=B) == WRONG


def _disable(cast: Cast) -> None:
    with tenant_scope(A):
        User.objects.filter(account="operator").update(is_enabled=False)


def _close(cast: Cast) -> None:
    Tenant.objects.filter(tenant_id=A).update(is_enabled=False)


def _lock(cast: Cast) -> None:
    for number in range(5):
        _try(ip=_elsewhere(number))


WAYS = {
    "wrong password": (None, {"password": "wrong"}),
    "unknown account": (None, {"account": "nobody", "password": MD5}),
    "unknown tenant": (None, {"tenant": "999999", "password": MD5}),
    "account of another tenant": (None, {"account": "platform", "password": MD5}),
    "disabled": (_disable, {"password": MD5}),
    "tenant closed": (_close, {"password": MD5}),
    "locked": (_lock, {"password": MD5}),
    "very long account": (None, {"account": "x" * 5000, "password": MD5}),
    "very long tenant": (None, {"tenant": "1" * 5000, "password": MD5}),
}


@pytest.mark.parametrize("way", WAYS)
def test_all_refusals_read_the_same_and_hash_once(cast: Cast, looks: list[bool], way: str) -> None:
    prepare, given = WAYS[way]
    if prepare:
        prepare(cast)
    looks.clear()
    fields = {"tenant": A, "account": "operator", **given}
    body = Client(REMOTE_ADDR=HOME).post(
        "/api/equip-auth/oauth/token",
        {
            "tenantId": fields["tenant"], "username": fields["account"], "password": fields["password"],
            "grant_type": "password",
        },
    )  # fmt: skip
    assert body.content == '{"error_code":400,"error_description":"用户名或密码错误"}'.encode()
    assert len(looks) == 1
    assert Session.objects.count() == 0


def test_the_times_of_refusals_are_told(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """Printed only: medians over a few tries of each, at the product's own hashing cost."""
    monkeypatch.setattr(passwords.Argon2, "time_cost", 2)
    monkeypatch.setattr(passwords.Argon2, "memory_cost", 19456)
    passwords._nobody.cache_clear()
    stored = passwords.make(MD5)
    with tenant_scope(A):
        User.objects.update(password=stored)
    medians = {}
    for way in ("wrong password", "unknown account", "unknown tenant", "disabled", "locked"):
        prepare, given = WAYS[way]
        times = []
        for number in range(7):
            Tries.objects.all().delete()
            if prepare:
                prepare(cast)
            began = time.perf_counter()
            _try(**{"account": "operator", "ip": f"203.0.113.{number + 1}", **given})
            times.append(time.perf_counter() - began)
        medians[way] = statistics.median(times)
    passwords._nobody.cache_clear()
    print({way: f"{median * 1000:.1f} ms" for way, median in medians.items()})
    assert len(medians) == 5


def test_what_is_counted_names_nobody_and_is_cleared_away(cast: Cast) -> None:
    _try()
    stored = repr(list(Tries.objects.values()))
    assert "operator" not in stored and HOME not in stored and A not in stored
    assert Tries.objects.count() == 3
    with clock.at(clock.now() + timedelta(hours=1)):
        _try("viewer", ip="192.0.2.9", mark=OWN)
        assert Tries.objects.count() == 3


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("nonsense", ""),
    ],
)
def test_of_an_ipv6_address_its_network_counts(address: str, counted: str) -> None:
    assert addresses.counted(address) == counted


def test_a_client_cannot_choose_its_address_without_a_trusted_proxy(cast: Cast, looks: list[bool]) -> None:
    for number in range(25):
        Client(REMOTE_ADDR=HOME).post(
            "/api/equip-auth/oauth/token",
            {"tenantId": A, "username": f"x{number}", "password": "x", "grant_type": "password"},
            headers={"X-Forwarded-For": _elsewhere(number), "X-Real-IP": _elsewhere(number)},
        )
    assert len(looks) == 20
