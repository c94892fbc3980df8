"""Every sentence that people read has its English text, and the catalogue has no other entries."""

from __future__ import annotations

import ast
from pathlib import Path

from babel.messages.pofile import read_po
from django.conf import settings

NAMES = {"_", "gettext", "gettext_lazy"}


def _sentences() -> set[str]:
    found = set()
    for folder in ("core", "workflows"):
        for path in Path(settings.BASE_DIR, folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
                if name in NAMES and isinstance(node.args[0], ast.Constant):
                    found.add(node.args[0].value)
    return found


def test_the_english_catalogue_is_complete_and_has_nothing_else() -> None:
    with Path(settings.LOCALE_PATHS[0], "en/LC_MESSAGES/django.po").open("rb") as file:
        catalogue = {entry.id: entry.string for entry in read_po(file) if entry.id}
    assert _sentences() == set(catalogue)
    assert [entry for entry, text in catalogue.items() if not text] == []
    for entry, text in catalogue.items():
        fields = {part.partition("}")[0] for part in entry.split("{")[1:]}
        assert fields == {part.partition("}")[0] for part in text.split("{")[1:]}, entry
