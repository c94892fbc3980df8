"""Wire forms of deployed versions, for the work list and for the workbench."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rest_framework import serializers

from core.kernel.texts import moment
from core.rest import dictionaries
from workflows.runtime.tables.deployments.models import Definition


class DefinitionRow(serializers.Serializer):  # type: ignore[type-arg]
    """A deployed version; `tenantId` is empty for a general one."""

    id = serializers.CharField()
    tenantId = serializers.CharField()
    category = serializers.CharField()
    categoryName = serializers.CharField()
    key = serializers.CharField()
    name = serializers.CharField()
    version = serializers.IntegerField()
    suspensionState = serializers.IntegerField(help_text="1 active, 2 suspended")
    isHalted = serializers.BooleanField(help_text="Suspended together with what runs on it.")
    deploymentTime = serializers.CharField()
    deploymentId = serializers.CharField()
    deployUserName = serializers.CharField()
    businessType = serializers.CharField()
    note = serializers.CharField(help_text="Why it was deployed.")


class StartRow(DefinitionRow):
    """A version that the caller may start."""

    startPage = serializers.CharField(help_text="Address in the console where the start is made.")


def category_names() -> dict[str, str]:
    """flow_2 → its name in the caller's language; one statement."""
    return {f"flow_{key}": name for key, name in dictionaries.names_of("flow").items()}


def definition_rows(definitions: Iterable[Definition]) -> list[dict[str, Any]]:
    """Return the rows of a list; one statement more for the categories."""
    names = category_names()
    return [definition_row(row, names) for row in definitions]


def definition_row(row: Definition, names: Mapping[str, str]) -> dict[str, Any]:
    """A version as lists show it; `names` are those of the categories."""
    return {
        "id": str(row.pk),
        "tenantId": "" if row.is_general else row.tenant_id,
        "category": row.category,
        "categoryName": names.get(row.category, ""),
        "key": row.key,
        "name": str(row),
        "version": row.version,
        "suspensionState": 1 if row.is_active else 2,
        "isHalted": row.is_halted,
        "deploymentTime": moment(row.deploy_time),
        # Each version is deployed by itself, so that one can be taken back without the others.
        "deploymentId": str(row.pk),
        "deployUserName": row.deploy_user_name,
        "businessType": row.business_type,
        "note": row.note,
    }
