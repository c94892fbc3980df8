"""Departments and posts of a company, and their calls."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.identity import tokens
from core.identity.models import Department, Post
from core.kernel.errors import Conflict
from core.kernel.tenancy import current_tenant
from core.kernel.texts import label
from core.rest import rights
from core.rest.filters import TEXT, Filter, filters_of
from core.rest.menus import EVERYTHING, MenuEntry, ShippedRole
from core.rest.selects import SELECT_PARAMETERS, Option
from core.rest.serializers import DictionaryNameField, IdField, NameField, NounSerializer
from core.rest.trees import Tree
from core.rest.viewsets import SIGNED_IN, NounViewSet, Remove, Stored, Submit

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
    menu = MenuEntry(
        "system", "/system/dept", "dept", label("部门管理", "Departments"), place=3,
        roles={ShippedRole.TENANT_ADMIN: EVERYTHING},
    )  # fmt: skip
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

    def changing(self) -> AbstractContextManager[None]:
        """Who moves a department, or names its head, holds what others gain and lose by it."""
        return rights.within(self.actor, None)

    def validate_delete(self, row: Any) -> None:
        """Raise Conflict where other departments are below it."""
        if Department.objects.filter(parent=row).exists():
            raise Conflict("dept.hasChildren", _("请先删除子节点!"))

    def perform_destroy(self, row: Any) -> None:
        """Delete one."""
        super().perform_destroy(row)
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
    menu = MenuEntry(
        "system", "/system/post", "post", label("岗位管理", "Positions"), place=4,
        roles={ShippedRole.TENANT_ADMIN: EVERYTHING},
    )  # fmt: skip
    by_tenant = True
    queryset = Post.objects.all()
    fields = ("category", "post_code", "post_name", "post_name_en", "sort", "remark")
    codes = {"select": SIGNED_IN, "select_page": SIGNED_IN}
    select_action = "select_page"
    filters = filters_of(Post, "category", "post_code", "post_name") | {"postCode": Filter("post_code", TEXT)}
    order = ("sort", "id")

    @extend_schema(parameters=[TENANT], responses=PostOption(many=True))
    @action(detail=False, methods=["get"], url_path="select")
    def select(self, request: Request) -> Response:
        """Answer all posts, to choose from."""
        return Response(PostOption(Post.objects.order_by(*self.order), many=True).data)

    @extend_schema(parameters=SELECT_PARAMETERS, responses=Option(many=True))
    @action(detail=False, methods=["get"], url_path="select-page")
    def select_page(self, request: Request) -> Response:
        """Answer what `select` answers for other nouns: here the dialect has that word for a plain list."""
        return Response(self.options_page(request.query_params.dict()))
