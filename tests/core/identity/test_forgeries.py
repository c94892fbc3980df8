"""Access tokens that we never wrote: none counts, and none takes long to refuse."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable
from typing import Any

import jwt
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.identity import keyring, tokens
from core.kernel.errors import NotSignedIn
from tests.cast import A, B, Cast
from tests.core.identity.signing import claims_of, sign, sign_in, works

# Keys that were published with products of the family, or that people choose.
PUBLIC_KEYS = [
    "bladexisapowerfulmicroservicearchitectureupgradedandoptimizedfromacommercialproject",
    "SpringBlade", "BladeX", "saber", "saber_secret", "sword", "sword_secret", "secret", "xunwei", "123456",
    "your-256-bit-secret", "abcdefghijklmnopqrstuvwxyz", "django-insecure",
]  # fmt: skip
pytestmark = pytest.mark.filterwarnings("ignore:The HMAC key is")
Make = Callable[[dict[str, Any], str], str]


def _part(value: object) -> str:
    raw = value if isinstance(value, bytes) else json.dumps(value, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _by_hand(head: object, body: object, key: bytes) -> str:
    text = f"{_part(head)}.{_part(body)}"
    return f"{text}.{_part(hmac.new(key, text.encode(), hashlib.sha256).digest())}"


def _true_key() -> bytes:
    return keyring.valid()[0].for_purpose("access")


def _true_head(**more: object) -> dict[str, object]:
    """The header as we write it, byte for byte once it is JSON."""
    return {"alg": "HS256", "typ": "JWT", **more}


def _foreign(key: str | bytes, algorithm: str = "HS256", **head: Any) -> Make:
    return lambda claims, token: jwt.encode(claims, key, algorithm, headers=head)


def _with_head(**head: object) -> Make:
    """Another header, signed with the true key: only the header can give it away."""
    return lambda claims, token: _by_hand(_true_head(**head), claims, _true_key())


def _claiming(**changed: Any) -> Make:
    """Another claim, signed with the true key."""
    return lambda claims, token: sign({**claims, **changed})


def _without(name: str) -> Make:
    return lambda claims, token: sign({other: value for other, value in claims.items() if other != name})


def _text(change: Callable[[str], str]) -> Make:
    return lambda claims, token: change(token)


def _raw(body: bytes) -> Make:
    """Whatever bytes, where the claims belong, with the true header and signature."""
    return lambda claims, token: _by_hand(_true_head(), body, _true_key())


def _duplicated(claims: dict[str, Any], token: str) -> str:
    body = json.dumps(claims)[:-1] + f', "tenant_id": "{B}"}}'
    return _by_hand(_true_head(), body.encode(), _true_key())


def _respelled(claims: dict[str, Any], token: str) -> str:
    """The same bytes in another spelling of base64: the last character has two spare bits."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return token[:-1] + letters[letters.index(token[-1]) ^ 1]


def _swapped(claims: dict[str, Any], token: str) -> str:
    head, _body, mark = token.split(".")
    return f"{head}.{_part({**claims, 'user_id': '1'})}.{mark}"


FORGERIES: dict[str, Make] = {
    **{f"public key {key[:20]}": _foreign(key) for key in PUBLIC_KEYS},
    **{f"public key in base64 {key[:20]}": _foreign(base64.b64encode(key.encode())) for key in PUBLIC_KEYS[:3]},
    "empty key": lambda claims, token: _by_hand(_true_head(), claims, b""),
    "key of zeros": _foreign(b"\0" * 32),
    "the master key itself": lambda claims, token: _by_hand(
        _true_head(), claims, keyring.valid()[0].secret.encode()
    ),
    "key of refresh tokens": lambda claims, token: sign(claims, "refresh"),
    "alg none": lambda claims, token: f"{_part(_true_head(alg='none'))}.{_part(claims)}.",
    "alg None": lambda claims, token: f"{_part(_true_head(alg='None'))}.{_part(claims)}.",
    "alg nOnE with the old signature": lambda claims, token: (
        f"{_part(_true_head(alg='nOnE'))}.{_part(claims)}.{token.rpartition('.')[2]}"
    ),
    "true header without a signature": _text(lambda token: token.rpartition(".")[0] + "."),
    "HS512 with the true key": lambda claims, token: jwt.encode(claims, _true_key(), "HS512"),
    "HS384 with the true key": lambda claims, token: jwt.encode(claims, _true_key(), "HS384"),
    "says RS256": _with_head(alg="RS256"),
    "says hs256": _with_head(alg="hs256"),
    "no alg": lambda claims, token: _by_hand({"typ": "JWT"}, claims, _true_key()),
    "alg is a list": _with_head(alg=["HS256"]),
    "a key name": _with_head(kid="0" * 16),
    "key name is a path": _with_head(kid="../../../../dev/null"),
    "key name is SQL": _with_head(kid="x' UNION SELECT 'k"),
    "key name is a number": _with_head(kid=0),
    "key name is a list": _with_head(kid=[keyring.PRESENT]),
    "crit": _with_head(crit=["exp"]),
    "empty crit": _with_head(crit=[]),
    "jku": _with_head(jku="https://keys.example/jwks.json"),
    "jwk": _with_head(jwk={"kty": "oct", "k": _part(b"\0" * 32)}),
    "x5u": _with_head(x5u="https://keys.example/cert.pem"),
    "x5c": _with_head(x5c=["MIIB"]),
    "zip": _with_head(zip="DEF"),
    "b64 false": _with_head(b64=False),
    "cty of a nested token": _with_head(cty="JWT"),
    "another typ": _with_head(typ="at+jwt"),
    "refresh token type": _claiming(token_type="refresh_token"),
    "family's short type": _claiming(token_type="access"),
    "no type": _without("token_type"),
    "type is a list": _claiming(token_type=["access_token"]),
    "another audience": _claiming(aud="other"),
    "audience is a list with ours": _claiming(aud=["xunwei-api", "other"]),
    "no audience": _without("aud"),
    "another issuer": _claiming(iss="blade"),
    "no issuer": _without("iss"),
    "no expiry": _without("exp"),
    "expiry far away": _claiming(exp=4102444800),
    "expiry is text": _claiming(exp="4102444800"),
    "expiry is a fraction": lambda claims, token: sign({**claims, "exp": claims["exp"] - 0.5}),
    "expiry is true": _claiming(exp=True),
    "expiry is infinite": lambda claims, token: _raw(
        json.dumps({**claims, "exp": float("inf")}).encode()
    )(claims, token),
    "expiry is negative": _claiming(exp=-1),
    "issued tomorrow": lambda claims, token: sign(
        {**claims, "iat": claims["iat"] + 86400, "exp": claims["exp"] + 86400}
    ),
    "valid from tomorrow": lambda claims, token: sign({**claims, "nbf": claims["nbf"] + 86400}),
    "no time of issue": _without("iat"),
    "no session": _without("sid"),
    "session is a number": lambda claims, token: sign({**claims, "sid": int(claims["sid"])}),
    "session is a list": lambda claims, token: sign({**claims, "sid": [claims["sid"]]}),
    "session is empty": _claiming(sid=""),
    "session in other digits": lambda claims, token: sign(
        {**claims, "sid": claims["sid"].translate({48 + n: 0x0660 + n for n in range(10)})}
    ),
    "session too large": _claiming(sid="9" * 19),
    "session is no number": _claiming(sid="0x1"),
    "session of nobody": _claiming(sid="1"),
    "another user": _claiming(user_id="1"),
    "user is a number": lambda claims, token: sign({**claims, "user_id": int(claims["user_id"])}),
    "another tenant": _claiming(tenant_id=B),
    "no tenant": _without("tenant_id"),
    "tenant written twice": _duplicated,
    "claims are a list": _raw(b"[]"),
    "claims are a number": _raw(b"1"),
    "claims are no JSON": _raw(b"{"),
    "claims are not UTF-8": _raw(b"\xff\xfe{}"),
    "claims nested too deep": _raw(b'{"a":' * 400 + b"1" + b"}" * 400),
    "claims swapped under the signature": _swapped,
    "signature respelled": _respelled,
    "signature cut": _text(lambda token: token[:-3]),
    "signature changed": _text(lambda token: token[:-8] + "AAAAAAAA"),
    "signature of zeros": _text(lambda token: token.rpartition(".")[0] + "." + "A" * 43),
    "padding": _text(lambda token: token + "="),
    "a fourth part": _text(lambda token: token + ".e30"),
    "five parts": _text(lambda token: token + ".a.b"),
    "two parts": _text(lambda token: token.rpartition(".")[0]),
    "only dots": _text(lambda token: ".."),
    "a space inside": _text(lambda token: token.replace(".", ". ", 1)),
    "standard base64": _text(lambda token: token.replace("-", "+").replace("_", "/") + "+"),
    "unicode": _text(lambda token: "é" * 10),
    "wide letters": _text(lambda token: token[:-1] + chr(0xFF21)),
    "100 kB of claims": lambda claims, token: sign({**claims, "more": "x" * 100_000}),
    "100 kB of dots": _text(lambda token: "." * 100_000),
    "100 kB of letters": _text(lambda token: "x" * 100_000),
    "just too long": lambda claims, token: sign({**claims, "more": "x" * tokens.LONGEST}),
}  # fmt: skip


def test_there_are_enough_of_them() -> None:
    assert len(FORGERIES) >= 60


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_refused(cast: Cast, name: str) -> None:
    good = sign_in()["access_token"]
    forged = FORGERIES[name](claims_of(good), good)
    assert forged != good
    status, code = works(forged)
    assert status == 401
    # A session that does not exist looks like one that is over; an hour that is over is told as such.
    assert code == {"session of nobody": 40002, "expiry is negative": 40001}.get(name, 401)
    assert works(good) == (200, 200)


def test_refusing_one_is_quick_and_few_reach_the_database(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time is printed, not asserted."""
    good = sign_in()["access_token"]
    forged = {name: make(claims_of(good), good) for name, make in FORGERIES.items()}
    slowest, asked = 0.0, []
    for name, token in forged.items():
        began = time.perf_counter()
        with CaptureQueriesContext(connection) as statements, pytest.raises(NotSignedIn):
            tokens.check(token)
        slowest = max(slowest, time.perf_counter() - began)
        asked += [name] * len(statements)
    print(f"slowest refusal: {slowest * 1000:.2f} ms")
    # Whoever can sign these has our key; only then are they compared with what is stored.
    assert asked == ["session of nobody", "another user", "another tenant", "tenant written twice"]


def test_a_token_made_by_the_same_means_counts(cast: Cast) -> None:
    """So each of the corpus is refused for what its name says, and not because it was made by hand."""
    good = sign_in()["access_token"]
    claims = claims_of(good)
    assert works(_by_hand(_true_head(), claims, _true_key())) == (200, 200)
    assert works(_raw(json.dumps(claims).encode())(claims, good)) == (200, 200)
    assert works(sign({**claims, "jti": "x"})) == (200, 200)
    assert claims["tenant_id"] == A
