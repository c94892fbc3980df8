"""Tables of roles, menus, top menus, scopes and grants."""

from __future__ import annotations

from django.db import models

from core.kernel.models import AuditedModel, SharedModel, TenantModel, VersionedModel, unique_in_tenant
from core.kernel.texts import choose, label
from core.rest.scopes import Scope

PLATFORM_ADMINISTRATOR, TENANT_ADMINISTRATOR = "administrator", "tenant_admin"
RESERVED = (PLATFORM_ADMINISTRATOR, TENANT_ADMINISTRATOR)
"""Aliases that mean something to the server: whoever holds such a role administers the platform, or the tenant."""


class Role(AuditedModel):
    """A role of a tenant; people's rights are those of their roles together."""

    may_lose = ("rolemenu.role", "roledatascope.role", "roleapiscope.role")  # what it grants ends with it

    parent = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="children", verbose_name=label("上级角色", "Parent")
    )
    role_name = models.CharField(label("角色名称", "Role"), max_length=40)
    role_name_en = models.CharField(label("英文名称", "English name"), max_length=80, blank=True, default="")
    role_alias = models.CharField(label("角色别名", "Alias"), max_length=40)
    sort = models.IntegerField(label("排序", "Order"), default=0)
    remark = models.CharField(label("备注", "Remark"), max_length=255, blank=True, default="")

    class Meta(AuditedModel.Meta):
        verbose_name = label("角色", "Role")
        constraints = [unique_in_tenant("role_alias", name="role_alias_once")]

    def __str__(self) -> str:
        return choose(self.role_name, self.role_name_en)


class UserRole(TenantModel):
    """A role that a person holds."""

    user = models.ForeignKey("identity.User", models.CASCADE, related_name="roles")
    role = models.ForeignKey(Role, models.CASCADE, related_name="users")

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "user", "role"], name="user_role_once")]


class MenuCategory(models.IntegerChoices):
    """What a menu row is."""

    MENU = 1, label("菜单", "Menu")
    BUTTON = 2, label("按钮", "Button")


class ButtonPlace(models.IntegerChoices):
    """Where a button stands."""

    NONE = 0, label("无", "None")
    TOOLBAR = 1, label("工具栏", "Above the list")
    ROW = 2, label("操作栏", "In the row")
    BOTH = 3, label("工具操作栏", "Both")


class OpenIn(models.IntegerChoices):
    """Whether an entry opens a window of its own."""

    SAME = 1, label("否", "No")
    NEW = 2, label("是", "Yes")


class Menu(VersionedModel, SharedModel):
    """An entry of the menu, or a button on its page, whose code is a permission code."""

    may_lose = ("rolemenu.menu", "topmenuentry.menu")  # it is granted and shown no more

    shared_because = "all tenants have the same screens; which of them a role sees is granted per tenant"

    parent = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="children", verbose_name=label("上级菜单", "Parent")
    )
    code = models.CharField(label("菜单编号", "Code"), max_length=60, unique=True)
    name = models.CharField(label("菜单名称", "Name"), max_length=60)
    name_en = models.CharField(label("英文名称", "English name"), max_length=80, blank=True, default="")
    alias = models.CharField(label("菜单别名", "Alias"), max_length=60, default="menu")
    path = models.CharField(label("路由地址", "Path"), max_length=200, blank=True, default="")
    source = models.CharField(label("菜单图标", "Icon"), max_length=60, blank=True, default="")
    """Icon name; the console looks it up in one map."""
    sort = models.IntegerField(label("菜单排序", "Order"), default=0)
    category = models.IntegerField(
        label("菜单类型", "Category"), choices=MenuCategory.choices, default=MenuCategory.MENU
    )
    action = models.IntegerField(label("按钮功能", "Button"), choices=ButtonPlace.choices, default=ButtonPlace.NONE)
    is_open = models.IntegerField(label("新窗口", "New window"), choices=OpenIn.choices, default=OpenIn.SAME)
    group = models.CharField(label("分组", "Group"), max_length=40, blank=True, default="")
    remark = models.CharField(label("备注", "Remark"), max_length=255, blank=True, default="")
    meta = models.JSONField(label("页面属性", "Meta"), default=dict, blank=True)
    """What the console's router reads: i18n, roles, menu, keepAlive, isTab, public."""
    query = models.JSONField(label("路由参数", "Query"), default=dict, blank=True)
    shipped = models.JSONField(default=dict, editable=False)
    """The columns as they were shipped last: what differs from it now was changed by people, and stays."""

    class Meta:
        verbose_name = label("菜单", "Menu")
        indexes = [models.Index(fields=["parent", "sort"])]

    def __str__(self) -> str:
        return choose(self.name, self.name_en)


class RoleMenu(TenantModel):
    """A menu or button granted to a role."""

    role = models.ForeignKey(Role, models.CASCADE, related_name="grants")
    menu = models.ForeignKey(Menu, models.CASCADE, related_name="+")

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "role", "menu"], name="role_menu_once")]


class TopMenu(AuditedModel):
    """An entry of the header that chooses which part of the menu is shown."""

    may_lose = ("topmenuentry.top_menu",)  # its entries stay in the menu itself

    code = models.CharField(label("菜单编号", "Code"), max_length=60)
    name = models.CharField(label("菜单名称", "Name"), max_length=60)
    name_en = models.CharField(label("英文名称", "English name"), max_length=80, blank=True, default="")
    source = models.CharField(label("菜单图标", "Icon"), max_length=60, blank=True, default="")
    path = models.CharField(label("路由地址", "Path"), max_length=200, blank=True, default="")
    sort = models.IntegerField(label("菜单排序", "Order"), default=0)

    class Meta(AuditedModel.Meta):
        verbose_name = label("顶部菜单", "Top menu")
        constraints = [unique_in_tenant("code", name="top_menu_code_once")]

    def __str__(self) -> str:
        return choose(self.name, self.name_en)


class TopMenuEntry(TenantModel):
    """A menu entry that is shown below a top menu."""

    top_menu = models.ForeignKey(TopMenu, models.CASCADE, related_name="entries")
    menu = models.ForeignKey(Menu, models.CASCADE, related_name="+")

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "top_menu", "menu"], name="top_menu_entry_once")]


class ScopeType(models.IntegerChoices):
    """Kinds of data scope."""

    ALL = Scope.ALL, label("全部可见", "All")
    OWN = Scope.OWN, label("本人可见", "Own")
    DEPARTMENT = Scope.DEPARTMENT, label("所在机构可见", "Own department")
    DEPARTMENT_TREE = Scope.DEPARTMENT_TREE, label("所在机构及子级可见", "Own department and below")
    CUSTOM = Scope.CUSTOM, label("自定义", "Custom")
    TEAM = Scope.TEAM, label("本人及班组可见", "Own and team")


class ApiScopeType(models.IntegerChoices):
    """Kinds of API scope."""

    SYSTEM = 1, label("系统接口", "System")
    BUSINESS = 2, label("业务接口", "Business")


class _MenuScope(AuditedModel):
    """What the two kinds of scope have in common: they hang on a menu entry and are granted to roles."""

    menu = models.ForeignKey(Menu, models.CASCADE, related_name="+", verbose_name=label("所属菜单", "Menu"))
    resource_code = models.CharField(label("资源编号", "Resource"), max_length=60)
    scope_name = models.CharField(label("权限名称", "Name"), max_length=60)
    scope_name_en = models.CharField(label("英文名称", "English name"), max_length=80, blank=True, default="")
    remark = models.CharField(label("备注", "Remark"), max_length=255, blank=True, default="")

    class Meta(AuditedModel.Meta):
        abstract = True

    def __str__(self) -> str:
        return choose(self.scope_name, self.scope_name_en)


class DataScope(_MenuScope):
    """Which rows of a resource the roles that hold it see. Structured rules only: no class, no column, no SQL."""

    may_lose = ("roledatascope.scope",)  # roles hold it no more

    scope_type = models.IntegerField(label("规则类型", "Rule"), choices=ScopeType.choices)
    scope_value = models.CharField(label("规则值", "Filter"), max_length=500, blank=True, default="")
    """Of a custom scope: filters in the declared names of the resource's list."""

    class Meta(_MenuScope.Meta):
        verbose_name = label("数据权限", "Data scope")
        indexes = [models.Index(fields=["tenant_id", "menu"])]


class ApiScope(_MenuScope):
    """A path that only roles that hold it may call, beside the permission code it needs anyway."""

    may_lose = ("roleapiscope.scope",)  # roles hold it no more

    scope_path = models.CharField(label("接口地址", "Path"), max_length=200)
    scope_type = models.IntegerField(
        label("接口类型", "Kind"), choices=ApiScopeType.choices, default=ApiScopeType.BUSINESS
    )

    class Meta(_MenuScope.Meta):
        verbose_name = label("接口权限", "API scope")
        indexes = [models.Index(fields=["tenant_id", "menu"])]


class RoleDataScope(TenantModel):
    """A data scope granted to a role."""

    role = models.ForeignKey(Role, models.CASCADE, related_name="data_scopes")
    scope = models.ForeignKey(DataScope, models.CASCADE, related_name="roles")

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "role", "scope"], name="role_data_scope_once")]


class RoleApiScope(TenantModel):
    """An API scope granted to a role."""

    role = models.ForeignKey(Role, models.CASCADE, related_name="api_scopes")
    scope = models.ForeignKey(ApiScope, models.CASCADE, related_name="roles")

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "role", "scope"], name="role_api_scope_once")]
