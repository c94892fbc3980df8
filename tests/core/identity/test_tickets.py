"""A ticket opens one download once, within a minute, for the living session that asked for it; a token never does."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.db.models import QuerySet
from django.test import Client
from PIL import Image

from core.identity import tokens
from core.identity.models import Ticket, User
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from tests.cast import A, B, Caller, Cast

MAKE = "blade-auth/oauth/ticket"


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Any) -> None:
    settings.FILES_DIR = tmp_path


@pytest.fixture
def file(cast: Cast) -> str:
    """The address of a file's download, without a ticket."""
    out = io.BytesIO()
    Image.new("RGB", (4, 4), "red").save(out, "PNG")
    stored = cast.client_for("tenant_admin").post_form(
        "blade-resource/oss/endpoint/put-file", file=SimpleUploadedFile("铭牌.png", out.getvalue())
    )
    return f"/api/blade-resource/attach/download?id={stored.data['attachId']}"


def _ticketed(caller: Caller, address: str) -> str:
    return str(caller.post_json(MAKE, {"address": address}).data["address"])


def _status(address: str) -> int:
    return Client().get(address).status_code


def test_a_ticket_opens_its_file_under_its_own_name_and_only_once(cast: Cast, file: str) -> None:
    address = _ticketed(cast.client_for("tenant_admin"), file)
    answer = Client().get(address)
    assert (answer.status_code, answer["Content-Type"], answer["Cache-Control"]) == (200, "image/png", "no-store")
    assert answer["Content-Disposition"] == "attachment; filename*=utf-8''%E9%93%AD%E7%89%8C.png"
    assert b"".join(answer.streaming_content)[:4] == b"\x89PNG"  # type: ignore[attr-defined]
    assert _status(address) == 401
    assert Ticket.objects.count() == 0


def test_it_is_for_this_address_alone(cast: Cast, file: str) -> None:
    admin = cast.client_for("tenant_admin")
    address = _ticketed(admin, file)
    ticket = address.rpartition("=")[2]
    path, _mark, query = file.partition("?")
    for other in (
        f"{file}0&blade-auth={ticket}",
        f"{path}?blade-auth={ticket}",
        f"{path}?{query}&x=1&blade-auth={ticket}",
        f"{path}?{query}&blade-auth={ticket}&x=1",
        f"{path}?blade-auth={ticket}&{query}",
        f"{path}/?{query}&blade-auth={ticket}",
        f"{file}&Blade-Auth={ticket}",
        f"{file}&blade-auth={ticket}x",
        f"{file}&blade-auth=",
        f"/api/blade-resource/attach/list?blade-auth={ticket}",
    ):
        assert _status(other) in (401, 404), other
    assert Client().post(address).status_code in (401, 405)
    assert _status(address) == 200


def test_other_calls_take_no_ticket(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    for path in ("/api/blade-system/user/list", "/api/blade-auth/oauth/user-info", "/api/blade-resource/attach/list"):
        assert _status(_ticketed(admin, path)) == 401, path


def test_no_other_kind_of_token_is_taken_there(cast: Cast, file: str) -> None:
    admin = cast.client_for("tenant_admin")
    ticket = _ticketed(admin, file).rpartition("=")[2]
    for token in (admin.token, f"bearer {admin.token}", f"bearer%20{admin.token}"):
        assert _status(f"{file}&blade-auth={token}") == 401
        assert _status(f"{file}&Blade-Auth={token}") == 401
    assert Caller(token=ticket).get("blade-auth/oauth/user-info").status == 401


def test_it_lives_for_a_minute(cast: Cast, file: str) -> None:
    address = _ticketed(cast.client_for("tenant_admin"), file)
    with clock.at(clock.now() + timedelta(seconds=61)):
        assert _status(address) == 401
        _ticketed(cast.client_for("tenant_admin"), file)
        assert Ticket.objects.count() == 1
    with clock.at(clock.now() + timedelta(seconds=59)):
        assert _status(_ticketed(cast.client_for("tenant_admin"), file)) == 200


def test_it_dies_with_the_session_and_has_the_persons_rights(cast: Cast, file: str) -> None:
    admin, operator = cast.client_for("tenant_admin"), cast.client_for("operator")
    assert _status(_ticketed(operator, file)) == 403
    foreign = cast.client_for("tenant_admin", tenant=B)
    assert _status(_ticketed(foreign, file)) == 404
    address = _ticketed(admin, file)
    with tenant_scope(A):
        tokens.revoke_user(User.objects.get(account="tenant_admin").pk)
    assert _status(address) == 401


@pytest.mark.parametrize(
    "address", ["", "//evil.example/x", "https://evil.example/", "/x", "/api/a b", "/api/" + "a" * 1000]
)
def test_only_addresses_of_ours_get_one(cast: Cast, address: str) -> None:
    answer = cast.client_for("operator").post_json(MAKE, {"address": address})
    assert (answer.status, answer["error"]) == (400, "input.invalid")
    assert Ticket.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_one_gets_the_file(cast: Cast, file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    address, first = _ticketed(cast.client_for("tenant_admin"), file), QuerySet.first
    all_have_read = Barrier(4, timeout=20)

    def together(rows: QuerySet[Any]) -> Any:
        found = first(rows)
        if rows.model is Ticket:
            all_have_read.wait()
        return found

    monkeypatch.setattr(QuerySet, "first", together)

    def ask(_number: int) -> int:
        try:
            return _status(address)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(ask, range(4))) == [200, 401, 401, 401]
