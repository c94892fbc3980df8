"""The keys of an installation: made up, its own, and changed without signing anybody out."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from core.identity import keyring
from core.kernel import clock
from core.project import env
from tests.cast import Cast
from tests.core.identity.signing import claims_of, refresh, sign, sign_in, works


@pytest.fixture
def ring(tmp_path: Path, settings: Any) -> Iterator[Path]:
    """A key folder of the test's own."""
    env.secret(tmp_path, "token")
    settings.KEYS_DIR = tmp_path / "keys"
    yield tmp_path / "keys"
    keyring._read.cache_clear()


def test_twenty_installations_have_twenty_keys_of_256_bits_or_more(tmp_path: Path) -> None:
    keys = {env.secret(tmp_path / str(number), "token") for number in range(20)}
    assert len(keys) == 20
    assert {len(key) for key in keys} == {64}  # 48 bytes


def test_a_token_of_another_installation_does_not_count(cast: Cast, ring: Path, tmp_path: Path, settings: Any) -> None:
    claims = claims_of(sign_in()["access_token"])
    env.secret(tmp_path / "other", "token")
    settings.KEYS_DIR = tmp_path / "other" / "keys"
    foreign = sign(claims)
    settings.KEYS_DIR = ring
    assert works(sign(claims)) == (200, 200)
    assert works(foreign) == (401, 401)


@pytest.mark.parametrize(
    "published",
    [
        "bladexisapowerfulmicroservicearchitectureupgradedandoptimizedfromacommercialproject",
        "a" * 64,
        "0123456789" * 7,
        "please-change-me-please-change-me-please-change-me",
    ],
)
@pytest.mark.parametrize("name", ["token", "token.former"])
def test_a_key_that_is_not_random_stops_the_start(tmp_path: Path, published: str, name: str) -> None:
    env.secret(tmp_path, "token")
    path = tmp_path / "keys" / name
    path.write_text(published)
    path.chmod(0o600)
    with pytest.raises(env.BadEnvironment, match=f"keys/{name} in DATA_DIR does not look random"):  # noqa: PT012 (either may stop)
        env.secret(tmp_path, "token")
        env.former_secret(tmp_path, "token")
    assert path.read_text() == published


def test_a_former_key_that_others_may_read_stops_the_start(ring: Path, tmp_path: Path) -> None:
    keyring.rotate(timedelta(days=1))
    env.former_secret(tmp_path, "token")
    (ring / "token.former").chmod(0o644)
    with pytest.raises(env.BadEnvironment, match=r"keys/token\.former in DATA_DIR can be read by others"):
        env.former_secret(tmp_path, "token")


def test_a_rotation_signs_nobody_out_and_the_old_key_ends_after_the_overlap(cast: Cast, ring: Path) -> None:
    before = [sign_in(account) for account in ("operator", "operator2", "viewer")]
    old = keyring.valid()[0]
    call_command("rotatekeys", verbosity=0)
    assert [key.secret for key in keyring.valid()][1:] == [old.secret]
    assert {stat.S_IMODE(path.stat().st_mode) for path in ring.iterdir()} == {0o600}
    assert sorted(path.name for path in ring.iterdir()) == ["token", "token.former"]

    assert [works(pair["access_token"]) for pair in before] == [(200, 200)] * 3
    after = [refresh(pair["refresh_token"]) for pair in before]
    assert [works(pair["access_token"]) for pair in after] == [(200, 200)] * 3
    claims = claims_of(after[0]["access_token"])

    with clock.at(clock.now() + settings.REFRESH_TOKEN_LIFETIME - timedelta(minutes=1)):
        assert len(keyring.valid()) == 2
        late = refresh(after[0]["refresh_token"])
        assert late["account"] == "operator"
    with clock.at(clock.now() + settings.REFRESH_TOKEN_LIFETIME + timedelta(minutes=1)):
        assert len(keyring.valid()) == 1
        now = int(clock.now().timestamp())
        fresh = {**claims, "iat": now, "nbf": now, "exp": now + 3600}
        key = keyring.Key(old.secret)
        assert works(_signed_by(key, fresh)) == (401, 401)
        assert works(sign(fresh)) == (200, 200)


def _signed_by(key: keyring.Key, claims: dict[str, Any]) -> str:
    import jwt

    return jwt.encode(claims, key.for_purpose("access"), "HS256")


def test_a_second_rotation_waits_for_the_first(cast: Cast, ring: Path) -> None:
    keyring.rotate(timedelta(days=7))
    present = (ring / "token").read_text()
    with pytest.raises(CommandError, match="tokens of the former one still live"):
        call_command("rotatekeys", verbosity=0)
    assert (ring / "token").read_text() == present
    with clock.at(clock.now() + timedelta(days=8)):
        call_command("rotatekeys", verbosity=0)
    assert (ring / "token").read_text() != present


def test_a_key_that_leaked_is_dropped_at_once(cast: Cast, ring: Path) -> None:
    pair = sign_in()
    call_command("rotatekeys", "--now", verbosity=0)
    assert works(pair["access_token"]) == (401, 401)
    assert refresh(pair["refresh_token"])["error_code"] == 40002
    assert "access_token" in sign_in()


def test_no_key_lies_in_the_repository() -> None:
    secrets = {path.read_text().partition(" ")[0] for path in Path(settings.DATA_DIR, "keys").iterdir()}
    assert len(secrets) >= 4
    for folder in ("core", "workflows", "web/src", "deploy", "tests"):
        for path in Path(settings.BASE_DIR, folder).rglob("*"):
            if path.is_file() and path.suffix in {".py", ".ts", ".tsx", ".sh", ".toml", ".json"}:
                text = path.read_text(encoding="utf-8")
                assert not any(secret in text for secret in secrets), path


def test_a_token_that_was_used_dies_with_its_key(cast: Cast, ring: Path) -> None:
    token = sign_in()["access_token"]
    assert works(token) == works(token) == (200, 200)
    keyring.rotate(timedelta(0))
    assert works(token) == (401, 401)
