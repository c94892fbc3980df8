"""Wire forms of dictionaries."""

from __future__ import annotations

from rest_framework import serializers


class DictionaryValue(serializers.Serializer):  # type: ignore[type-arg]
    """A value to choose, named in the caller's language."""

    dictKey = serializers.CharField()
    dictValue = serializers.CharField()
    remark = serializers.CharField()
