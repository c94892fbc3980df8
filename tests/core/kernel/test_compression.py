"""Readings travel compressed to who takes it; nothing else does."""

from __future__ import annotations

import gzip
import io
import json

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from tests.cast import Cast
from tests.core.identity.signing import MD5, A


def test_what_is_read_is_compressed_for_who_takes_it(cast: Cast) -> None:
    headers = cast.client_for("tenant_admin")._headers()
    plain = Client().get("/api/blade-system/menu/routes", headers=headers)
    packed = Client().get("/api/blade-system/menu/routes", headers={**headers, "Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in plain
    assert packed["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed["Vary"]
    assert json.loads(gzip.decompress(packed.content))["data"] == plain.json()["data"]
    assert len(packed.content) < len(plain.content) / 3


def test_tokens_and_pictures_are_not(cast: Cast) -> None:
    out = io.BytesIO()
    Image.new("RGB", (400, 400), "red").save(out, "PNG")
    link = cast.client_for("operator").post_form(
        "blade-resource/oss/endpoint/put-file", file=SimpleUploadedFile("a.png", out.getvalue())
    )
    assert "Content-Encoding" not in Client().get(link.data["link"], headers={"Accept-Encoding": "gzip"})
    fields = {"tenantId": A, "username": "operator", "password": MD5, "grant_type": "password"}
    answer = Client().post("/api/equip-auth/oauth/token", fields, headers={"Accept-Encoding": "gzip"})
    assert "access_token" in answer.json()
    assert "Content-Encoding" not in answer
