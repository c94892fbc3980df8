"""Calls of menus, roles, top menus and scopes."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import AbstractContextManager
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.access import holding, operations
from core.access.grants import granted_menus, rights_changed, with_ancestors
from core.access.models import (
    PLATFORM_ADMINISTRATOR,
    RESERVED,
    ApiScope,
    DataScope,
    Menu,
    MenuCategory,
    Role,
    RoleApiScope,
    RoleDataScope,
    RoleMenu,
    ScopeType,
    TopMenu,
    TopMenuEntry,
)
from core.access.resources import resources
from core.access.serializers import (
    ApiScopeRules,
    DataScopeRules,
    GrantKeys,
    GrantTrees,
    MenuNode,
    MenuSerializer,
    RoleGrant,
    RoleNode,
    RoleSerializer,
    TopMenuGrant,
    TopMenuItem,
    TopMenuRules,
    check_closing,
    check_entry,
)
from core.blade.parsers import parameters
from core.kernel.errors import Conflict, Missing, NotAllowed
from core.kernel.tenancy import PLATFORM, current_tenant
from core.kernel.texts import label
from core.rest.filters import CODE, INTEGER, TEXT, Filter, filters_of
from core.rest.menus import EVERYTHING, Button, MenuEntry, ShippedRole
from core.rest.serializers import IdListField
from core.rest.trees import Tree, nest, node, whole
from core.rest.viewsets import SIGNED_IN, NounViewSet, Remove, Stored, Submit

IDS = {"roleIds": OpenApiParameter("roleIds", str), "topMenuIds": OpenApiParameter("topMenuIds", str)}


def _entry(row: Menu) -> dict[str, Any]:
    """Return a menu row as the family's clients read it."""
    return {
        "id": str(row.pk),
        "parentId": str(row.parent_id or 0),
        "code": row.code,
        "name": str(row),
        "alias": row.alias,
        "path": row.path,
        "source": row.source,
        "sort": row.sort,
        "category": row.category,
        "action": row.action,
        "isOpen": row.is_open,
        "group": row.group,
        "meta": {"i18n": row.code, **row.meta},
        "query": row.query,
    }


def _forest(rows: list[Menu]) -> list[dict[str, Any]]:
    """Rows as a forest; leaves have no `children`, because clients tell buttons by that."""
    return nest([_entry(row) for row in rows])


def _nodes(rows: Any, held: Collection[int] | None = None) -> list[dict[str, Any]]:
    """Return entries as nodes of what may be granted; those not among the `held` ones cannot be chosen."""
    return [
        {**node(row.pk, row.parent_id, str(row)), "disabled": held is not None and row.pk not in held} for row in rows
    ]


def _with_leaves(menus: Any, scopes: Any) -> list[dict[str, Any]]:
    """Return the entries that own scopes, with those above them, and the scopes as their leaves."""
    owners = with_ancestors({scope.menu_id for scope in scopes})
    leaves = ({**node(scope.pk, scope.menu_id, str(scope)), "disabled": False} for scope in scopes)
    return nest([*_nodes(owners), *leaves])


GRANT_BUTTON = Button(label("权限设置", "Grant"))


class MenuViewSet(Tree, Submit, Remove, NounViewSet):
    """The menu: as a noun that the platform keeps, as what the caller sees, and as what may be granted."""

    noun = "menu"
    sample = {"path": "/x", "meta": {"keepAlive": True}, "query": {"tab": "1"}}
    menu = MenuEntry(
        "system", "/system/menu", "menu", label("菜单管理", "Menus"), place=6,
        roles={ShippedRole.TENANT_ADMIN: EVERYTHING},
    )  # fmt: skip
    by_tenant = True
    before_password_change = frozenset({"routes", "buttons"})
    queryset = Menu.objects.select_related("parent")
    serializer_class = MenuSerializer
    platform_only = frozenset({"submit", "remove"})
    order = ("sort", "id")
    filters = {
        "name": Filter("name", TEXT),
        "code": Filter("code", TEXT),
        "alias": Filter("alias", TEXT),
        "category": Filter("category", INTEGER),
        "path": Filter("path", TEXT),
    }
    arrays = frozenset({"list", "lazy_list", "lazy_menu_list", "menu_list"})
    same_call = {"lazy_menu_list": "lazy_list", "menu_list": "list"}
    codes = {
        "routes": SIGNED_IN,
        "buttons": SIGNED_IN,
        "top_menu": SIGNED_IN,
        "auth_routes": SIGNED_IN,
        "lazy_menu_list": "menu_view",
        "menu_list": "menu_view",
        "grant_tree": SIGNED_IN,
        "role_tree_keys": SIGNED_IN,
        "grant_top_tree": "topmenu_grant",
        "top_tree_keys": "topmenu_grant",
    }

    def forest_rows(self) -> QuerySet[Menu]:
        """Entries without buttons; an administrator chooses among all, others among what they hold."""
        return self.select_rows().order_by(*self.order)

    def select_rows(self) -> QuerySet[Menu]:
        """Return the entries that the person may choose among: all for an administrator, others the ones they hold."""
        rows = self.get_queryset().filter(category=MenuCategory.MENU)
        if holding.holds_everything(self.actor):
            return rows
        held = {menu.pk for menu in granted_menus(self.actor.role_ids, MenuCategory.MENU)}
        return rows.filter(pk__in=held)

    def validate_delete(self, row: Any) -> None:
        """An entry with others below it stays, and so does what the product brings."""
        if row.shipped:
            raise Conflict("menu.shipped", _("系统自带菜单不能删除，可以在角色授权中取消"))
        if Menu.objects.filter(parent=row).exists():
            raise Conflict("menu.hasChildren", _("请先删除子节点!"))
        check_entry(self.actor, row)

    @extend_schema(parameters=[OpenApiParameter("topMenuId", str)], responses=MenuNode(many=True))
    @action(detail=False, methods=["get"], url_path="routes")
    def routes(self, request: Request) -> Response:
        """Answer the entries granted to the caller's roles, as a forest; of one top menu where it is named."""
        top = request.query_params.get("topMenuId", "").strip()
        top_id = None
        if top not in ("", "0"):
            top_id = self.id_parameter("topMenuId")
            if not TopMenu.objects.filter(pk=top_id).exists():
                raise Missing()
        return Response(_forest(granted_menus(self.actor.role_ids, MenuCategory.MENU, top_id)))

    @extend_schema(responses=MenuNode(many=True))
    @action(detail=False, methods=["get"], url_path="buttons")
    def buttons(self, request: Request) -> Response:
        """Answer the granted buttons, under the entries that own them."""
        return Response(_forest(granted_menus(self.actor.role_ids, MenuCategory.BUTTON)))

    @extend_schema(responses=TopMenuItem(many=True))
    @action(detail=False, methods=["get"], url_path="top-menu")
    def top_menu(self, request: Request) -> Response:
        """Answer the header's entries, in order."""
        rows = TopMenu.objects.order_by("sort", "id")
        return Response(
            [
                {
                    "id": str(row.pk), "code": row.code, "name": str(row), "source": row.source, "path": row.path,
                    "sort": row.sort,
                }
                for row in rows
            ]
        )  # fmt: skip

    @extend_schema(responses={200: {"type": "array", "items": {"type": "object"}}})
    @action(detail=False, methods=["get"], url_path="auth-routes")
    def auth_routes(self, request: Request) -> Response:
        """Paths with the role aliases that may open them: what one client of the family asks for."""
        rows = granted_menus(self.actor.role_ids, MenuCategory.MENU)
        aliases = sorted(self.actor.role_codes)
        return Response([{row.path: {"authority": aliases}} for row in rows if row.path.startswith("/")])

    @action(detail=False, methods=["get"], url_path="lazy-menu-list")
    def lazy_menu_list(self, request: Request) -> Response:
        """One level of entries, buttons left out, each saying whether there are entries below."""
        return Tree.lazy_list(self, request)

    @action(detail=False, methods=["get"], url_path="menu-list")
    def menu_list(self, request: Request) -> Response:
        """Answer all entries as a forest, buttons left out."""
        return self.list(request)

    def get_queryset(self) -> QuerySet[Menu]:
        """Return all rows; for two of the calls only entries."""
        rows: QuerySet[Menu] = super().get_queryset()
        if self.action in ("lazy_menu_list", "menu_list"):
            return rows.filter(category=MenuCategory.MENU)
        return rows

    @extend_schema(responses=GrantTrees)
    @action(detail=False, methods=["get"], url_path="grant-tree")
    def grant_tree(self, request: Request) -> Response:
        """Answer what the caller may grant: entries with buttons, data scopes and API scopes below their entries."""
        data = list(filter(holding.may_give_scope(self.actor), DataScope.objects.order_by("scope_type", "id")))
        api = ApiScope.objects.order_by("scope_path", "id")
        if holding.holds_everything(self.actor):
            menus = list(Menu.objects.order_by("sort", "id"))
            held = {menu.pk for menu in menus}
        else:
            own = self.actor.role_ids
            held = set(RoleMenu.objects.filter(role_id__in=own).values_list("menu_id", flat=True))
            menus = with_ancestors(held)
            api = api.filter(roles__role_id__in=own).distinct()
        return Response(
            {
                "menu": nest(_nodes(menus, held)),
                "dataScope": _with_leaves(menus, data),
                "apiScope": _with_leaves(menus, list(api)),
            }
        )

    @extend_schema(parameters=[IDS["roleIds"]], responses=GrantKeys)
    @action(detail=False, methods=["get"], url_path="role-tree-keys")
    def role_tree_keys(self, request: Request) -> Response:
        """Answer what roles hold; without the right to grant, one's own roles only."""
        ids = IdListField().run_validation(self.parameter("roleIds"))
        if not self.actor.may(operations.GRANT_CODE) and not set(ids) <= self.actor.role_ids:
            raise NotAllowed()
        if Role.objects.filter(pk__in=ids).count() != len(ids):
            raise Missing()

        def keys(model: Any, column: str) -> list[str]:
            found = model.objects.filter(role_id__in=ids).values_list(column, flat=True).distinct()
            return [str(one) for one in sorted(set(found))]

        return Response(
            {
                "menu": keys(RoleMenu, "menu_id"),
                "dataScope": keys(RoleDataScope, "scope_id"),
                "apiScope": keys(RoleApiScope, "scope_id"),
            }
        )

    @extend_schema(responses=GrantTrees)
    @action(detail=False, methods=["get"], url_path="grant-top-tree")
    def grant_top_tree(self, request: Request) -> Response:
        """Answer the entries that a top menu can show."""
        rows = Menu.objects.filter(category=MenuCategory.MENU).order_by("sort", "id")
        return Response({"menu": nest(_nodes(rows)), "dataScope": [], "apiScope": []})

    @extend_schema(parameters=[IDS["topMenuIds"]], responses=GrantKeys)
    @action(detail=False, methods=["get"], url_path="top-tree-keys")
    def top_tree_keys(self, request: Request) -> Response:
        """Answer what top menus show."""
        ids = IdListField().run_validation(self.parameter("topMenuIds"))
        if TopMenu.objects.filter(pk__in=ids).count() != len(ids):
            raise Missing()
        found = TopMenuEntry.objects.filter(top_menu_id__in=ids).values_list("menu_id", flat=True)
        return Response({"menu": [str(one) for one in sorted(set(found))], "dataScope": [], "apiScope": []})


class RoleViewSet(Tree, Submit, Remove, NounViewSet):
    """Roles of a company."""

    noun = "role"
    menu = MenuEntry(
        "authority", "/authority/role", "role", label("角色管理", "Roles"), place=1,
        roles={ShippedRole.TENANT_ADMIN: EVERYTHING}, buttons={"grant": GRANT_BUTTON},
    )  # fmt: skip
    by_tenant = True
    queryset = Role.objects.select_related("parent")
    serializer_class = RoleSerializer
    order = ("sort", "id")
    filters = filters_of(Role, "role_name", "role_alias") | {"roleAlias": Filter("role_alias", TEXT)}
    codes = {"grant": operations.GRANT_CODE, "tree_by_id": SIGNED_IN}
    same_call = {"tree_by_id": "tree"}

    def forest_rows(self) -> QuerySet[Role]:
        """Roles to choose from: those of administrators only for administrators, the platform's only there."""
        return self.select_rows().order_by(*self.order)

    def changing(self) -> AbstractContextManager[None]:
        """Who names an alias that models name, or removes a role, holds what it holds."""
        return holding.within(self.actor)

    def select_rows(self) -> QuerySet[Role]:
        """Return the roles to choose among, as above."""
        rows: QuerySet[Role] = self.get_queryset()
        if current_tenant() != PLATFORM:
            rows = rows.exclude(role_alias=PLATFORM_ADMINISTRATOR)
        return rows if holding.holds_everything(self.actor) else rows.exclude(role_alias__in=RESERVED)

    def validate_delete(self, row: Any) -> None:
        """Refuse the roles that the server knows, and those that have others below them."""
        if row.role_alias in RESERVED:
            raise NotAllowed()
        if row.role_alias in holding.named_aliases():
            raise Conflict("role.aliasInUse", _("流程模型按别名使用角色「{name}」，不能删除").format(name=row))
        if Role.objects.filter(parent=row).exists():
            raise Conflict("role.hasChildren", _("请先删除子节点!"))

    @extend_schema(responses=RoleNode(many=True))
    @action(detail=False, methods=["get"], url_path="tree")
    def tree(self, request: Request) -> Response:
        """Answer all roles as nodes to choose from; those that the caller cannot give are marked."""
        return self.nodes()

    def nodes(self) -> Response:
        """Return the answer of `tree`."""
        rows = whole(self.forest_rows())
        givable = holding.givable_roles(self.actor, rows)
        return Response(
            nest([{**node(row.pk, row.parent_id, str(row)), "disabled": row.pk not in givable} for row in rows])
        )

    def perform_destroy(self, row: Any) -> None:
        """A removed role counts no more from now on."""
        super().perform_destroy(row)
        rights_changed(current_tenant())

    @extend_schema(parameters=[OpenApiParameter("roleId", str, required=True)], responses=RoleNode(many=True))
    @action(detail=False, methods=["get"], url_path="tree-by-id")
    def tree_by_id(self, request: Request) -> Response:
        """Answer the roles of the company that a role belongs to, as nodes."""
        self.row(self.id_parameter("roleId"))
        return self.nodes()

    @extend_schema(request=RoleGrant, responses=None)
    @action(detail=False, methods=["post"], url_path="grant")
    def grant(self, request: Request) -> Response:
        """Replace what roles hold."""
        asked = RoleGrant(data=parameters(request))
        asked.is_valid(raise_exception=True)
        given = asked.validated_data
        operations.grant(
            self.actor, given["roleIds"], given.get("menuIds"), given.get("dataScopeIds"), given.get("apiScopeIds")
        )
        return Response(None)


class TopMenuViewSet(Submit, Remove, NounViewSet):
    """Top menus of a company."""

    noun = "topmenu"
    sample = {"path": "/x"}
    menu = MenuEntry(
        "system", "/system/topmenu", "topmenu", label("顶部菜单", "Top menus"), place=7,
        roles={ShippedRole.TENANT_ADMIN: EVERYTHING}, buttons={"grant": GRANT_BUTTON},
    )  # fmt: skip
    by_tenant = True
    queryset = TopMenu.objects.all()
    rules = TopMenuRules
    fields = ("code", "name", "name_en", "source", "path", "sort")
    order = ("sort", "id")
    filters = filters_of(TopMenu, "name", "code")
    codes = {"grant": "topmenu_grant"}

    @extend_schema(request=TopMenuGrant, responses=None)
    @action(detail=False, methods=["post"], url_path="grant")
    def grant(self, request: Request) -> Response:
        """Replace what top menus show."""
        asked = TopMenuGrant(data=parameters(request))
        asked.is_valid(raise_exception=True)
        operations.grant_top_menus(self.actor, asked.validated_data["topMenuIds"], asked.validated_data["menuIds"])
        return Response(None)


class _ScopeViewSet(Submit, Remove, NounViewSet):
    """What the two kinds of scope have in common: a change counts from the next request on."""

    by_tenant = True
    order = ("menu_id", "id")
    select = None  # type: ignore[assignment]  # scopes are granted in the tree of the menu

    def changing(self) -> AbstractContextManager[None]:
        """Who changes a scope that roles hold, holds what it shows before and after."""
        return holding.within(self.actor)

    @extend_schema(responses=Stored)
    def submit(self, request: Request) -> Response:
        """Make or change one."""
        answer = super().submit(request)
        rights_changed(current_tenant())
        return answer

    def perform_destroy(self, row: Any) -> None:
        """Delete one."""
        super().perform_destroy(row)
        rights_changed(current_tenant())


class DataScopeViewSet(_ScopeViewSet):
    """Data scopes of a company."""

    noun = "data_scope"
    sample = {"resourceCode": "repairorder", "scopeType": ScopeType.CUSTOM.value, "scopeValue": "status=1"}
    menu = MenuEntry(
        "authority", "/authority/datascope", "scope", label("数据权限", "Data scopes"), place=2,
        roles={ShippedRole.TENANT_ADMIN: EVERYTHING},
    )  # fmt: skip
    queryset = DataScope.objects.select_related("menu")
    rules = DataScopeRules
    fields = ("menu", "resource_code", "scope_name", "scope_name_en", "scope_type", "scope_value", "remark")
    filters = filters_of(DataScope, "menu", "scope_name", "resource_code", "scope_type")
    codes = {"resources": SIGNED_IN}

    @extend_schema(responses=list[str])
    @action(detail=False, methods=["get"], url_path="resources")
    def resources(self, request: Request) -> Response:
        """Resources that a data scope can be about."""
        return Response(resources())


class ApiScopeViewSet(_ScopeViewSet):
    """API scopes of a company."""

    noun = "api_scope"
    sample = {"scopePath": "/blade-desk/notice/remove"}
    menu = MenuEntry(
        "authority", "/authority/apiscope", "api", label("接口权限", "API scopes"), place=3,
        roles={ShippedRole.TENANT_ADMIN: EVERYTHING},
    )  # fmt: skip
    queryset = ApiScope.objects.select_related("menu")
    rules = ApiScopeRules
    fields = ("menu", "resource_code", "scope_name", "scope_name_en", "scope_path", "scope_type", "remark")
    filters = filters_of(ApiScope, "menu", "scope_name", "resource_code", "scope_type") | {
        "scopePath": Filter("scope_path", CODE)
    }

    def validate_delete(self, row: Any) -> None:
        """Whoever opens a call to others may make it."""
        check_closing(self.actor, row.scope_path)
