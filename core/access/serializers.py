"""Wire forms of roles, menus, top menus and scopes."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from core.access.holding import holds_everything, named_aliases
from core.access.models import RESERVED, Menu, MenuCategory, Role, ScopeType
from core.access.resources import filters_of_resource, may_make_all
from core.kernel.actor import Actor
from core.kernel.errors import Conflict, NotAllowed
from core.kernel.texts import label
from core.rest.filters import unknown_filters
from core.rest.menus import ShippedRole
from core.rest.routes import calls_at
from core.rest.serializers import FlagField, IdListField, NameField, NounSerializer, SpeakingSerializer
from core.rest.trees import TreeNode

_PATH = re.compile(r"(/[A-Za-z0-9._~:@!$&'()*+,;=%/?#{}-]*|https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[^\s\\]*)?)?")
_CODE = re.compile(r"[A-Za-z][A-Za-z0-9_:-]{0,59}")
_SHIPPED = frozenset(map(str, ShippedRole))
_META: Mapping[str, type | tuple[type, ...]] = {
    "i18n": str, "roles": (str, list), "menu": bool, "keepAlive": bool, "isTab": bool, "isAuth": bool, "public": bool,
    "activeMenu": str,
}  # fmt: skip


def check_path(value: str) -> str:
    """Return a path of the console, or an http address; nothing that a browser would run or take for another site."""
    if not _PATH.fullmatch(value) or value.startswith("//"):
        raise serializers.ValidationError(_("地址应以 / 或 http:// 、https:// 开头"))
    return value


def check_entry(actor: Actor, entry: Menu) -> None:
    """Raise NotAllowed unless the person holds what goes with the code of a menu entry, in every company."""
    if not holds_everything(actor) and not actor.may(entry.code):
        raise NotAllowed(_("不能取消自己没有的权限"))


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
    group = serializers.CharField()
    meta = serializers.DictField()
    query = serializers.DictField()

    def get_fields(self) -> dict[str, Any]:
        """Nodes below it, of the same kind; a leaf has none."""
        return {**super().get_fields(), "children": MenuNode(many=True, required=False)}


class MenuSerializer(NounSerializer):
    """A menu entry or a button."""

    parentName = NameField(source="parent")
    categoryName = NameField(source="get_category_display")
    actionName = NameField(source="get_action_display")
    isOpenName = NameField(source="get_is_open_display")
    title = NameField(source="__str__", label=Menu._meta.get_field("name").verbose_name)

    class Meta:
        model = Menu
        fields = (
            "id", "parent", "parentName", "code", "name", "name_en", "title", "alias", "path", "source", "sort",
            "category", "categoryName", "action", "actionName", "is_open", "isOpenName", "group", "remark",
            "meta", "query",
        )  # fmt: skip

    def validate_code(self, value: str) -> str:
        """Letters, digits, _ : and -; the code of a shipped entry is what the server asks for, and stays."""
        if not _CODE.fullmatch(value):
            raise serializers.ValidationError(_("编号只能包含字母、数字和 _ : -，并以字母开头"))
        if self.instance is not None and self.instance.shipped and value != self.instance.code:
            raise serializers.ValidationError(_("系统自带菜单的编号不能修改"))
        if self.instance is not None and value != self.instance.code:
            check_entry(self.context["request"].user, self.instance)
        return value

    def validate_path(self, value: str) -> str:
        """See check_path."""
        return check_path(value)

    def validate_meta(self, value: Any) -> Any:
        """Only what the console's router reads, each of its kind."""
        if not isinstance(value, dict) or any(
            name not in _META or not isinstance(inner, _META[name]) or len(str(inner)) > 300
            for name, inner in value.items()
        ):
            raise serializers.ValidationError(_("页面属性只能包含：{names}").format(names=", ".join(_META)))
        return value

    def validate_query(self, value: Any) -> Any:
        """Names and texts."""
        if (
            not isinstance(value, dict)
            or len(value) > 20
            or any(not _CODE.fullmatch(str(name)) or not isinstance(text, str | int) for name, text in value.items())
            or len(str(value)) > 1000
        ):
            raise serializers.ValidationError(_("路由参数应为名称和文本"))
        return {name: str(text) for name, text in value.items()}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A button hangs on an entry, and nothing hangs on a button."""
        category = attrs.get("category", self.instance.category if self.instance else MenuCategory.MENU)
        parent_id = attrs["parent_id"] if "parent_id" in attrs else getattr(self.instance, "parent_id", None)
        if category == MenuCategory.BUTTON and parent_id is None:
            raise serializers.ValidationError({"parentId": _("按钮应属于一个菜单")})
        if parent_id is not None and Menu.objects.filter(pk=parent_id, category=MenuCategory.BUTTON).exists():
            raise serializers.ValidationError({"parentId": _("上级应为菜单")})
        return attrs


class GrantNode(TreeNode):
    """A node of what may be granted."""

    disabled = serializers.BooleanField(help_text="Shown for what stands below it; not the caller's.")

    def get_fields(self) -> dict[str, Any]:
        """Nodes of the same kind below it."""
        return {**super().get_fields(), "children": GrantNode(many=True, required=False)}


class RoleNode(TreeNode):
    """A role to choose."""

    disabled = serializers.BooleanField(help_text="The caller cannot give it, because it holds more than the caller.")

    def get_fields(self) -> dict[str, Any]:
        """Nodes of the same kind below it."""
        return {**super().get_fields(), "children": RoleNode(many=True, required=False)}


def _fixed(context: Any) -> Collection[str]:
    """Return the aliases that stay as they are, looked up once an answer."""
    if "fixed_aliases" not in context:
        context["fixed_aliases"] = named_aliases() | _SHIPPED
    return context["fixed_aliases"]  # type: ignore[no-any-return]


class AliasFixedField(FlagField):
    """Whether the product or a model knows the role by its alias."""

    def __init__(self, **kwargs: Any):
        """Nobody sends it."""
        super().__init__(read_only=True, **kwargs)

    def to_representation(self, value: Any) -> int:
        """Return it for the alias."""
        return super().to_representation(value in _fixed(self.context))


class RoleSerializer(NounSerializer):
    """A role."""

    parentName = NameField(source="parent")
    title = NameField(source="__str__", label=Role._meta.get_field("role_name").verbose_name)
    tenantId = serializers.CharField(source="tenant_id", read_only=True)
    isAliasFixed = AliasFixedField(source="role_alias", label=label("别名不可修改", "Alias fixed"))

    class Meta:
        model = Role
        fields = (
            "id", "tenantId", "parent", "parentName", "role_name", "role_name_en", "title", "role_alias",
            "isAliasFixed", "sort", "remark", "create_time",
        )  # fmt: skip
        read_only_fields = ("create_time",)

    def validate_roleAlias(self, value: str) -> str:
        """Two aliases mean something to the server: they are given out with a company, not here."""
        if not _CODE.fullmatch(value):
            raise serializers.ValidationError(_("编号只能包含字母、数字和 _ : -，并以字母开头"))
        before = self.instance.role_alias if self.instance is not None else ""
        if value != before and (value in RESERVED or before in RESERVED):
            raise NotAllowed(_("无权限创建超管角色！"))
        if value != before and before in _fixed(self.context):
            raise Conflict("role.aliasInUse", _("别名「{alias}」由系统或流程模型使用，不能修改").format(alias=before))
        # What the product brings later is given to roles by these aliases.
        if value != before and value in _SHIPPED and not holds_everything(self.context["request"].user):
            raise NotAllowed(_("不能授予或收回自己没有的权限"))
        return value


class TopMenuRules(NounSerializer):
    """What holds for a top menu."""

    def validate_path(self, value: str) -> str:
        """See check_path."""
        return check_path(value)


class TopMenuItem(serializers.Serializer):  # type: ignore[type-arg]
    """A top menu as the header shows it."""

    id = serializers.CharField()
    code = serializers.CharField()
    name = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # a word of DRF's own on a field
    path = serializers.CharField()
    sort = serializers.IntegerField()


class DataScopeRules(NounSerializer):
    """What holds between the fields of a data scope."""

    def validate_resourceCode(self, value: str) -> str:
        """A resource whose list can be narrowed."""
        if filters_of_resource(value) is None:
            raise serializers.ValidationError(_("资源「{value}」不支持数据权限").format(value=value))
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A custom scope is written in the declared filters of the resource's list; others have no text."""
        kind = attrs.get("scope_type", getattr(self.instance, "scope_type", None))
        if kind != ScopeType.CUSTOM:
            attrs["scope_value"] = ""
            return attrs
        text = attrs.get("scope_value", getattr(self.instance, "scope_value", ""))
        resource = attrs.get("resource_code", getattr(self.instance, "resource_code", ""))
        if not text.strip():
            raise serializers.ValidationError({"scopeValue": _("请输入{field}").format(field=_("规则值"))})
        wrong = unknown_filters(text, filters_of_resource(resource) or {})
        if wrong or "=" not in text:
            names = ", ".join(sorted(filters_of_resource(resource) or {}))
            raise serializers.ValidationError({"scopeValue": _("规则值只能使用这些条件：{names}").format(names=names)})
        return attrs


class ApiScopeRules(NounSerializer):
    """What holds for an API scope."""

    def validate_scopePath(self, value: str) -> str:
        """A call that exists, or `/**` below a part of the address; whoever opens or closes it may make it."""
        if not calls_at(value):
            raise serializers.ValidationError(_("没有这个接口地址：{value}").format(value=value))
        before = self.instance.scope_path if self.instance is not None else ""
        if value != before:
            check_closing(self.context["request"].user, value, before)
        return value


def check_closing(actor: Actor, *addresses: str) -> None:
    """Raise NotAllowed unless the person may make all calls that API scopes of these addresses close to others."""
    if not holds_everything(actor) and not all(may_make_all(actor, address) for address in addresses):
        raise NotAllowed(_("不能开放或限制自己无权调用的接口"))


_MOST_GRANTED = 2000


class RoleGrant(SpeakingSerializer):
    """What roles are to hold: all three sets, or those that are named."""

    roleIds = IdListField(max_ids=_MOST_GRANTED)
    menuIds = IdListField(max_ids=_MOST_GRANTED, required=False)
    dataScopeIds = IdListField(max_ids=_MOST_GRANTED, required=False)
    apiScopeIds = IdListField(max_ids=_MOST_GRANTED, required=False)


class TopMenuGrant(SpeakingSerializer):
    """What top menus are to show."""

    topMenuIds = IdListField(max_ids=_MOST_GRANTED)
    menuIds = IdListField(max_ids=_MOST_GRANTED)


class GrantTrees(serializers.Serializer):  # type: ignore[type-arg]
    """What may be granted, as a tree of each kind."""

    menu = GrantNode(many=True)
    dataScope = TreeNode(many=True)
    apiScope = TreeNode(many=True)


class GrantKeys(serializers.Serializer):  # type: ignore[type-arg]
    """Ids that are granted, by kind."""

    menu = serializers.ListField(child=serializers.CharField())
    dataScope = serializers.ListField(child=serializers.CharField())
    apiScope = serializers.ListField(child=serializers.CharField())
