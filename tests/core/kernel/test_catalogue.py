"""Every sentence that people read has its English text, and the catalogue has no other entries."""

from __future__ import annotations

import ast
from pathlib import Path

from babel.messages.pofile import read_po
from django.conf import settings
from django.utils import translation

from core.kernel.texts import plural

NAMES = {"_", "gettext", "gettext_lazy"}
COUNTED = {"plural"}
"""What chooses the words by a number: the Chinese sentence stands for any, the English one comes twice."""


def _sentences(names: set[str]) -> set[str]:
    found = set()
    for folder in ("core", "workflows"):
        for path in Path(settings.BASE_DIR, folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
                if name in names and isinstance(node.args[0], ast.Constant):
                    found.add(node.args[0].value)
    return found


def test_the_english_catalogue_is_complete_and_has_nothing_else() -> None:
    with Path(settings.LOCALE_PATHS[0], "en/LC_MESSAGES/django.po").open("rb") as file:
        entries = [entry for entry in read_po(file) if entry.id]
    counted = {entry.id[0]: entry.string for entry in entries if entry.pluralizable}
    assert [entry.id for entry in entries if entry.pluralizable and entry.id[0] != entry.id[1]] == []
    plain = {entry.id: (entry.string,) for entry in entries if not entry.pluralizable}
    assert (_sentences(NAMES), _sentences(COUNTED)) == (set(plain), set(counted))
    for entry, texts in {**plain, **counted}.items():
        fields = {part.partition("}")[0] for part in entry.split("{")[1:]}
        for text in texts:
            assert text, entry
            assert fields == {part.partition("}")[0] for part in text.split("{")[1:]}, entry


def test_one_of_a_thing_is_told_in_the_singular() -> None:
    said = "有{n}处错误，没有导入任何数据"
    with translation.override("en"):
        texts = [plural(said, n) for n in (0, 1, 2)]
    assert texts == [f"{n}; nothing was imported" for n in ("0 errors", "1 error", "2 errors")]
    with translation.override("zh-hans"):
        assert [plural(said, n) for n in (1, 2)] == ["有1处错误，没有导入任何数据", "有2处错误，没有导入任何数据"]
