"""The files of the console: their types, how long a browser keeps them, and which scripts may run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client, override_settings
from PIL import Image

from core.project.static import EACH_TIME, FOREVER

FILES = {
    "index.html": "<!doctype html>",
    "sw.js": "self.skipWaiting();",
    "manifest.webmanifest": "{}",
    "icon-192.png": "png",
    "assets/first-Ab3_x9Zk.js": "export {};",
}


@pytest.fixture
def console(tmp_path: Path) -> Iterator[Client]:
    """Return a client of a server whose console is built."""
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    with override_settings(WHITENOISE_ROOT=tmp_path, WEB_DIST=tmp_path):
        yield Client()


@pytest.mark.parametrize(
    ("path", "kind", "kept"),
    [
        ("/sw.js", "text/javascript", EACH_TIME),
        ("/index.html", "text/html", EACH_TIME),
        ("/assets/first-Ab3_x9Zk.js", "text/javascript", FOREVER),
        ("/manifest.webmanifest", "application/manifest+json", "max-age=60, public"),
        ("/icon-192.png", "image/png", "max-age=60, public"),
    ],
)
def test_a_file_has_its_type_and_is_kept_as_long_as_it_may(console: Client, path: str, kind: str, kept: str) -> None:
    """The worker and the page are asked for each time; what is named after its content is kept for good."""
    answer = console.get(path)
    assert answer.status_code == 200
    assert answer["Content-Type"].partition(";")[0] == kind
    assert answer["Cache-Control"] == kept
    assert "script-src 'self';" in answer["Content-Security-Policy"]
    assert "worker-src" not in answer["Content-Security-Policy"]


@pytest.mark.django_db
def test_the_page_is_asked_for_each_time(console: Client) -> None:
    """Any address of the console is the page."""
    for path in ("/", "/inspect/order"):
        answer = console.get(path)
        assert (answer.status_code, answer["Cache-Control"]) == (200, EACH_TIME)
        assert answer["Content-Type"] == "text/html; charset=utf-8"


def test_the_manifest_names_icons_that_are_there() -> None:
    """Two sizes for the phone's screen, and one that it may cut to a shape of its own."""
    public = Path(settings.BASE_DIR) / "web" / "public"
    manifest = json.loads((public / "manifest.webmanifest").read_text())
    assert (manifest["display"], manifest["start_url"], manifest["scope"]) == ("standalone", "/", "/")
    found = {}
    for icon in manifest["icons"]:
        path = public / icon["src"].lstrip("/")
        assert path.is_file(), icon
        if path.suffix == ".png":
            with Image.open(path) as picture:
                assert "{}x{}".format(*picture.size) == icon["sizes"]
            found[icon["src"]] = icon.get("purpose", "any")
    assert found == {"/icon-192.png": "any", "/icon-512.png": "any", "/icon-maskable.png": "maskable"}
