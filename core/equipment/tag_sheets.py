"""Failure codes, class labels and reasons of stoppages in sheets: a list of words comes in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from django.db.models import Q

from core.equipment.models import PLATES, Tag, TagType
from core.equipment.tags import TagSerializer, TagViewSet
from core.kernel.texts import label
from core.rest import sheet_references, sheet_rows
from core.rest.menus import MenuEntry
from core.rest.sheets import Import
from core.rest.viewsets import NounViewSet

_WORDS = [(one.value, one.label) for one in TagType if one not in PLATES]
Name = tuple[int, str, int]
"""Kind, name and asset type, 0 for all: what no two words share."""


class WordSerializer(TagSerializer):
    """A word that people choose."""

    class Meta(TagSerializer.Meta):
        fields = (  # type: ignore[assignment]  # fewer than a tag
            "id", "type", "typeName", "tag_code", "tag_name", "tag_name_en", "typeId", "assetTypeName", "parent",
            "parentName", "color", "sort", "is_sealed", "remark", "create_time", "update_time",
        )  # fmt: skip
        read_only_fields = ("create_time", "update_time")  # type: ignore[assignment]

    def get_fields(self) -> dict[str, Any]:
        """No plates."""
        fields = super().get_fields()
        fields["type"].choices = _WORDS
        return fields


class KnownByCodeOrName(sheet_rows.KnownBy):
    """A word is known by its code, and without one by its name among those of its kind and asset type."""

    def __init__(self, view: Any, found: Sequence[sheet_rows.Filled]):
        super().__init__(view, found)
        fields = view.sheet_fields()
        self._kind = sheet_rows.reader(fields["type"])
        self._types = sheet_references.lookups({"typeId": fields["typeId"]}, [cells for _number, cells in found])
        self.field = "tagName"

    def _read(self, cells: Mapping[str, Any]) -> tuple[int, str, Name] | None:
        """Return kind, code and name of a row; None where one of them cannot be read, which its check will tell."""
        beside = cells.get(f"typeId{sheet_references.CODE}")
        with suppress(ValueError):
            kind, types = self._kind(cells.get("type", "")), self._types["typeId"]
            named = str(cells.get("typeId", ""))
            of_type = types.id_of_code(str(beside), named) if beside else types.id_of(named)
            code, name = (str(cells.get(column, "")).strip() for column in ("tagCode", "tagName"))
            if kind is not None and (code or name):
                return kind, code, (kind, name, int(of_type or 0))
        return None

    def key(self, cells: Mapping[str, Any]) -> str:
        """Return the code with its kind, or the name with kind and asset type."""
        found = self._read(cells)
        if found is None:
            return ""
        kind, code, name = found
        return f"{kind} {code}" if code else _by_name(name)

    def said(self, cells: Mapping[str, Any]) -> str:
        """Return the code, or the name."""
        return str(cells.get("tagCode") or cells.get("tagName") or "").strip()

    def rows(self, keys: Sequence[str], find: Callable[..., Iterable[Any]]) -> dict[str, Any]:
        """Two statements: which words they are, and these as the caller finds them."""
        parts = [key.split("\n") for key in keys]
        codes = {part[0].partition(" ")[2] for part in parts if len(part) == 1}
        names = {part[2] for part in parts if len(part) == 3}
        wanted = Q(tag_code__in=codes - {""}) | Q(tag_name__in=names)
        ids = list(Tag.objects.filter(wanted).exclude(type__in=PLATES).values_list("pk", flat=True))
        known: dict[str, Any] = {}
        for one in find(pk__in=ids) if ids else ():
            known[_by_name((one.type, one.tag_name, one.asset_type_id or 0))] = one
            if one.tag_code:
                known[f"{one.type} {one.tag_code}"] = one
        return known


def _by_name(name: Name) -> str:
    kind, text, of_type = name
    return f"{kind}\n{of_type}\n{text}"


class WordViewSet(Import, NounViewSet):
    """Words as a list that comes in by a sheet; each word is kept, and all are exported, by the calls of tags."""

    noun = "failurecode"
    menu = MenuEntry("equiptags", name=label("故障代码", "Failure codes"))
    queryset = Tag.objects.exclude(type__in=PLATES).select_related("asset_type", "parent")
    serializer_class = WordSerializer
    codes = {
        "list": "equiptags_view", "show": "equiptags_view", "submit": "equiptags_edit",
        "import_rows": "equiptags_import", "import_template": "equiptags_import",
    }  # fmt: skip
    sheet_key = "tag_name"
    sheet_known_by = KnownByCodeOrName
    order = TagViewSet.order
    filters = {
        name: TagViewSet.filters[name]
        for name in ("type", "tagName", "tagNameEn", "tagCode", "typeId", "parentId", "isSealed")
    }
