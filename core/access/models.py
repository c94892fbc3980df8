"""Tables of roles, menus and grants."""

from __future__ import annotations

from django.db import models

from core.kernel.models import KeptModel, SharedModel, TenantModel
from core.kernel.texts import choose, label


class Role(KeptModel):
    """A role of a tenant; people's rights are those of their roles together."""

    role_name = models.CharField(label("角色名称", "Role"), max_length=40)
    role_name_en = models.CharField(max_length=80, blank=True, default="")
    role_alias = models.CharField(label("角色别名", "Alias"), max_length=40)
    sort = models.IntegerField(default=0)

    class Meta(KeptModel.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["tenant_id", "role_alias"], condition=models.Q(is_deleted=False), name="role_alias_once"
            )
        ]

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


class Menu(SharedModel):
    """An entry of the menu, or a button on its page, whose code is a permission code."""

    shared_because = "all tenants have the same screens; which of them a role sees is granted per tenant"

    parent = models.ForeignKey("self", models.CASCADE, null=True, related_name="children")
    code = models.CharField(max_length=60, unique=True)
    name = models.CharField(max_length=60)
    name_en = models.CharField(max_length=80)
    alias = models.CharField(max_length=60, default="menu")
    path = models.CharField(max_length=200, blank=True, default="")
    source = models.CharField(max_length=60, blank=True, default="")
    """Icon name; the console looks it up in one map."""
    sort = models.IntegerField(default=0)
    category = models.IntegerField(choices=MenuCategory.choices, default=MenuCategory.MENU)
    action = models.IntegerField(default=0)
    is_open = models.IntegerField(default=1)

    def __str__(self) -> str:
        return choose(self.name, self.name_en)


class RoleMenu(TenantModel):
    """A menu or button granted to a role."""

    role = models.ForeignKey(Role, models.CASCADE, related_name="grants")
    menu = models.ForeignKey(Menu, models.CASCADE, related_name="+")

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "role", "menu"], name="role_menu_once")]
