"""Departments and posts of a company, and their calls."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.identity import tokens
from core.identity.models import Department, Post
from core.kernel.errors import Conflict
from core.kernel.filters import TEXT, Filter, filters_of
from core.kernel.references import stop_if_used
from core.kernel.serializers import DictionaryNameField, IdField, NameField, NounSerializer
from core.kernel.tenancy import current_tenant
from core.kernel.texts import label
from core.kernel.trees import Tree
from core.kernel.viewsets import SIGNED_IN, NounViewSet, Remove, Stored, Submit

TENANT = OpenApiParameter("tenantId", str, description="Another tenant, for administrators of the platform.")


class DepartmentSerializer(NounSerializer):
    """A department."""

    tenantId = serializers.CharField(source="tenant_id", read_only=True)
    parentName = NameField(source="parent_name", label=Department._meta.get_field("parent").verbose_name)
    ancestors = NameField(label=label("所有上级", "All above"))
    deptCategoryName = DictionaryNameField(
        dictionary="org_category",
        source="dept_category",
        label=Department._meta.get_field("dept_category").verbose_name,
    )
    leaderName = NameField(source="leader", label=Department._meta.get_field("leader").verbose_name)
    title = NameField(source="__str__", label=Department._meta.get_field("dept_name").verbose_name)

    class Meta:
        model = Department
        fields = (
            "id", "tenantId", "parent", "parentName", "ancestors", "dept_name", "dept_name_en", "title", "full_name",
            "dept_category", "deptCategoryName", "leader", "leaderName", "sort", "remark", "create_time", "update_time",
        )  # fmt: skip
        read_only_fields = ("create_time", "update_time")


class DepartmentViewSet(Tree, Submit, Remove, NounViewSet):
    """Departments of a company."""

    noun = "dept"
    by_tenant = True
    queryset = Department.objects.select_related("parent", "leader")
    serializer_class = DepartmentSerializer
    order = ("sort", "id")
    filters = filters_of(Department, "dept_name", "full_name", "dept_category", "leader")

    @extend_schema(responses=Stored)
    def submit(self, request: Request) -> Response:
        """Make or change one; who is in which subtree counts from the next request on."""
        answer = super().submit(request)
        tokens.touch_tenant(current_tenant())
        return answer

    def stop_removal(self, row: Any) -> None:
        """A department with others below it, with people, or with machines stays."""
        if Department.objects.filter(parent=row).exists():
            raise Conflict("dept.hasChildren", _("请先删除子节点!"))
        stop_if_used(row)

    def take_away(self, row: Any) -> None:
        """Delete one."""
        super().take_away(row)
        tokens.touch_tenant(current_tenant())


class PostOption(serializers.Serializer):  # type: ignore[type-arg]
    """A post to choose."""

    id = IdField()
    category = serializers.IntegerField()
    postCode = serializers.CharField(source="post_code")
    postName = serializers.CharField(source="__str__")


class PostViewSet(Submit, Remove, NounViewSet):
    """Posts of a company."""

    noun = "post"
    by_tenant = True
    queryset = Post.objects.all()
    fields = ("category", "post_code", "post_name", "post_name_en", "sort", "remark")
    codes = {"select": SIGNED_IN}
    filters = filters_of(Post, "category", "post_code", "post_name") | {"postCode": Filter("post_code", TEXT)}
    order = ("sort", "id")

    def stop_removal(self, row: Any) -> None:
        """A post that somebody holds stays."""
        held = Q(user__is_deleted=False)
        if row.holders.filter(held).exists():
            raise Conflict("post.inUse", _("「{name}」已被{by}引用，不能删除").format(name=row, by=_("用户")))

    @extend_schema(parameters=[TENANT], responses=PostOption(many=True))
    @action(detail=False, methods=["get"], url_path="select")
    def select(self, request: Request) -> Response:
        """All posts, to choose from."""
        return Response(PostOption(Post.objects.order_by(*self.order), many=True).data)
