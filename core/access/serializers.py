"""Wire forms of menus."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class MenuNode(serializers.Serializer):  # type: ignore[type-arg]
    """A menu entry or a button, as the family's clients read it."""

    id = serializers.CharField()
    parentId = serializers.CharField()
    code = serializers.CharField()
    name = serializers.CharField()
    alias = serializers.CharField()
    path = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # a word of DRF's own on a field
    sort = serializers.IntegerField()
    category = serializers.IntegerField()
    action = serializers.IntegerField()
    isOpen = serializers.IntegerField()
    meta = serializers.DictField()

    def get_fields(self) -> dict[str, Any]:
        """Nodes below it, of the same kind; a leaf has none."""
        return {**super().get_fields(), "children": MenuNode(many=True, required=False)}
