"""Each kind of token is taken by the call it was made for, and by no other."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from core.identity import captcha
from core.identity.models import Captcha, Session
from core.kernel import clock
from core.storage.files import LINK_SECONDS
from tests.cast import Caller, Cast
from tests.core.identity.signing import refresh, sign_in, works

_DOWNLOAD = {"address": "/api/blade-resource/attach/download?id=1"}


@pytest.fixture
def kinds(cast: Cast) -> dict[str, str]:
    """One token of each kind, all of them good."""
    pair = sign_in()
    out = io.BytesIO()
    Image.new("RGB", (4, 4), "red").save(out, "PNG")
    link = cast.client_for("operator").post_form(
        "blade-resource/oss/endpoint/put-file", file=SimpleUploadedFile("a.png", out.getvalue())
    )
    ticket = Caller(token=pair["access_token"]).post_json("blade-auth/oauth/ticket", _DOWNLOAD)
    return {
        "access": pair["access_token"],
        "refresh": pair["refresh_token"],
        "captcha": captcha.make()[0],
        "link": link.data["link"],
        "ticket": ticket.data["address"],
        "session": str(Session.objects.earliest("pk").pk),
    }


def _as_access(token: str) -> bool:
    return works(token)[0] == 200


def _as_refresh(token: str) -> bool:
    return "access_token" in refresh(token)


def _as_captcha(token: str) -> bool:
    row = Captcha.objects.filter(key=token).first()
    return captcha.solve(token, row.answer if row else "")


def _as_link(token: str) -> bool:
    path = token if token.startswith("/") else "/api/blade-resource/attach/file/100001/" + "0" * 32 + ".png"
    query = {} if token.startswith("/") else {"until": "4102444800", "mark": token}
    return Client().get(path, query).status_code == 200


def _as_ticket(token: str) -> bool:
    text = token.rpartition("blade-auth=")[2]
    # The attachment is not there and the operator may not see any: what counts is that somebody is signed in.
    return Client().get(f"{_DOWNLOAD['address']}&blade-auth={text}").status_code == 403


CONSUMERS: dict[str, Callable[[str], bool]] = {
    "access": _as_access,
    "refresh": _as_refresh,
    "captcha": _as_captcha,
    "link": _as_link,
    "ticket": _as_ticket,
}


@pytest.mark.parametrize("consumer", CONSUMERS)
@pytest.mark.parametrize("kind", ["access", "refresh", "captcha", "link", "ticket", "session"])
def test_only_the_diagonal_passes(kinds: dict[str, str], kind: str, consumer: str) -> None:
    assert CONSUMERS[consumer](kinds[kind]) is (kind == consumer)


def test_a_link_ends_and_opens_its_own_file_only(kinds: dict[str, str]) -> None:
    from datetime import timedelta

    link = kinds["link"]
    assert Client().get(link).status_code == 200
    name = link.partition("?")[0].rpartition("/")[2]
    for other in (
        link.replace("100001", "100002"),
        link.replace(name, name[:31] + ("0" if name[31] != "0" else "1") + ".png"),
        link.replace("until=", "until=1"),
        link[:-1] + ("0" if link[-1] != "0" else "1"),
    ):
        assert Client().get(other).status_code == 404
    with clock.at(clock.now() + timedelta(seconds=LINK_SECONDS + 3601)):
        assert Client().get(link).status_code == 404
