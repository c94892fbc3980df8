"""Wire forms of people, departments and teams."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from core.kernel.serializers import IdField


class ListedTenant(serializers.Serializer):  # type: ignore[type-arg]
    """A tenant as the sign-in page names it: nothing more than that."""

    tenantId = serializers.CharField()
    tenantName = serializers.CharField()


class SiteSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """What the sign-in page must know."""

    captchaMode = serializers.ChoiceField(choices=["image", "off"])
    version = serializers.CharField()
    tenants = ListedTenant(many=True)


class UserInfoSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """The signed-in person, in the dialect's snake_case."""

    tenant_id = serializers.CharField()
    tenant_name = serializers.CharField()
    user_id = serializers.CharField()
    account = serializers.CharField()
    nick_name = serializers.CharField()
    real_name = serializers.CharField()
    role_name = serializers.CharField()
    dept_id = serializers.CharField()
    dept_name = serializers.CharField()
    avatar = serializers.CharField()
    roles = serializers.ListField(child=serializers.CharField())


class DepartmentNode(serializers.Serializer):  # type: ignore[type-arg]
    """A department as a node of a tree picker."""

    id = serializers.CharField()
    parentId = serializers.CharField()
    title = serializers.CharField()
    key = serializers.CharField()
    value = serializers.CharField()

    def get_fields(self) -> dict[str, Any]:
        """Nodes below it, of the same kind; a leaf has none."""
        return {**super().get_fields(), "children": DepartmentNode(many=True, required=False)}


class TeamSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """A team and who leads it."""

    id = IdField()
    teamName = serializers.CharField(source="__str__")
    leaderId = IdField(source="leader_id", allow_null=True)
    leaderName = serializers.CharField(source="leader.real_name", default="")
