"""What an edit changes, told in words of both languages: the field, and its value before and after."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import override

from core.kernel.audit_entry import AuditEntry
from core.kernel.texts import both
from core.rest.masking import clean
from core.rest.serializers import FlagField, IdField, IdListField, LockVersionField, PartsField, SecretField

MOST_CHANGES = 40
MOST_CHARACTERS = 120
"""Of a value before or after: the log says what was changed, and keeps no copies of long texts."""
_LANGUAGES = ("zh-hans", "en")
_WITHOUT_WORDS = frozenset({"image", "images", "files", "voice", "details", "json"})
"""Kinds of fields of which is only told that they were changed."""


@dataclass(frozen=True)
class _Told:
    """A field of a row in one language: what it is called, its value on the wire, and that in words if it has any."""

    label: str
    value: Any
    words: str | None


class Edits:
    """Reads the rows of a view set before and after they are changed."""

    def __init__(self, view: Any):
        # Two of them, because each keeps what it has looked up in its language for the rows that follow.
        self._serializers = {language: _of_edits(view.get_serializer()) for language in _LANGUAGES}

    @contextmanager
    def told(self, entry: AuditEntry, row: Any, names: Collection[str]) -> Iterator[None]:
        """Note in the audit entry which of these fields the block changes; `row` is None where it makes a new one."""
        if row is None:
            yield
            return
        before, parts_before = self._read(row, names), self._parts(row, names)
        yield
        after, parts_after = self._read(row, names), self._parts(row, names)
        zh, en = _LANGUAGES
        changed = [
            _change((before[zh][name], before[en][name]), (after[zh][name], after[en][name]))
            for name in before[zh]
            if before[zh][name].value != after[zh][name].value
        ]
        for name, values in parts_before.items():
            changed += self._serializers[zh].fields[name].told(values, parts_after[name])
        entry.changes = [*self._secrets(names), *changed][:MOST_CHANGES]

    def _secrets(self, names: Collection[str]) -> list[dict[str, Any]]:
        """Return as a change without values each secret that is given anew."""
        fields = self._serializers[_LANGUAGES[0]].fields
        given = names if isinstance(names, Mapping) else {}
        found = [field for name, field in fields.items() if isinstance(field, SecretField) and given.get(name)]
        return [{"label": both(field.called), "old": None, "new": None} for field in found]

    def _parts(self, row: Any, names: Collection[str]) -> dict[str, Any]:
        """Return the objects whose parts are told one by one."""
        fields = self._serializers[_LANGUAGES[0]].fields
        return {
            name: dict(getattr(row, str(field.source)))
            for name, field in fields.items()
            if name in names and isinstance(field, PartsField) and not field.read_only
        }

    def _read(self, row: Any, names: Collection[str]) -> dict[str, dict[str, _Told]]:
        """Return the fields that people may fill, by language. The row itself keeps nothing that is looked up here."""
        row, found = copy(row), {}
        for language, serializer in self._serializers.items():
            with override(language):
                data = serializer.to_representation(row)
                found[language] = {
                    name: _Told(str(field.label or name), data[name], _words(name, field, data))
                    for name, field in serializer.fields.items()
                    if name in names
                    and not (field.read_only or field.write_only)
                    and not isinstance(field, LockVersionField | PartsField)
                }
        return found


def _of_edits(serializer: Any) -> Any:
    """Return the serializer without what people cannot fill, but names of it: such fields may be counted elsewhere."""
    fields = serializer.fields
    filled = [name for name, field in fields.items() if not field.read_only]
    shown = {*filled, *(called for name in filled for called in _called(name))}
    for name in [name for name in fields if name not in shown]:
        del fields[name]
    return serializer


def _called(name: str) -> tuple[str, str]:
    """Return which fields may hold the words for a value."""
    return f"{name}Name", f"{name.removesuffix('Id')}Name"


def told(view: Any, entry: AuditEntry, row: Any, names: Collection[str]) -> Any:
    """Return the context in which one row is changed; see `Edits.told`."""
    return Edits(view).told(entry, row, names)


def counted(*numbers: tuple[Any, int]) -> list[dict[str, Any]]:
    """Return what an operation has done as changes without a value before: a label and a number each."""
    return [{"label": both(label), "old": None, "new": [str(number)] * 2} for label, number in numbers]


def _change(before: tuple[_Told, _Told], after: tuple[_Told, _Told]) -> dict[str, Any]:
    label = [one.label for one in after]
    old, new = [one.words for one in before], [one.words for one in after]
    if None in (*old, *new):
        return {"label": label, "old": None, "new": None}
    return {"label": label, "old": old, "new": new}


def _words(name: str, field: Any, data: Mapping[str, Any]) -> str | None:
    """Return a value as a table shows it: a name in place of a key. None where there are no words for it."""
    value = data[name]
    named = next((one for one in _called(name) if one in data), None)
    if named is not None:
        return _short(data[named])
    if isinstance(field, FlagField):
        return _("是") if value else _("否")
    if isinstance(field, IdField | IdListField) or getattr(field, "kind", "") in _WITHOUT_WORDS:
        return None
    return None if isinstance(value, list | dict) else _short(value)


def _short(value: Any) -> str:
    text = "" if value is None else clean(str(value)).strip()
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}…"
