"""Wire forms of deployed models, as the family's pages read them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rest_framework import serializers

from core.kernel import dictionaries
from core.kernel.texts import moment
from workflows.deployments.models import Definition


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


def category_names() -> dict[str, str]:
    """flow_2 → its name in the caller's language; one statement."""
    return {f"flow_{key}": name for key, name in dictionaries.names_of("flow").items()}


def definition_rows(definitions: Iterable[Definition]) -> list[dict[str, Any]]:
    """The rows of a list; one statement more for the categories."""
    names = category_names()
    return [
        {
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
        }
        for row in definitions
    ]
