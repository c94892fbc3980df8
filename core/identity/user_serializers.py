"""Wire forms of people."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from core.identity import passwords
from core.identity.models import Department, Post, Session, Tenant, User, UserPost, UserType
from core.kernel.errors import Invalid
from core.kernel.texts import label
from core.rest import pictures, rights
from core.rest.serializers import (
    DictionaryNameField,
    FlagField,
    IdField,
    IdListField,
    NameField,
    NounSerializer,
    ReferenceField,
    SpeakingSerializer,
)

_ACCOUNT = re.compile(r"[A-Za-z0-9_.@-]{1,40}")
MOST_EXTRA = 4096


def _label(name: str) -> Any:
    return User._meta.get_field(name).verbose_name  # type: ignore[union-attr]


class PictureField(serializers.CharField):
    """One picture: a signed link on the wire, a file name in the table."""

    kind = "image"

    def __init__(self, *, column: str, **kwargs: Any):
        """Take the column that the name is written to, as `app.Model.column`."""
        self.column = column
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> str:
        """Return the name of the present picture, or of one that the person acting has uploaded; empty for none."""
        link = super().to_internal_value(data)
        kept = getattr(getattr(self.parent, "instance", None), str(self.source), "")
        try:
            return pictures.name_of(link, str(self.field_name), kept) if link else ""
        except Invalid as error:
            raise serializers.ValidationError(str(error.text)) from None

    def to_representation(self, value: Any) -> str:
        """Return a link that works for half a day."""
        return pictures.link_of(value) if value else ""


class TenantNameField(serializers.CharField):
    """The name of the row's tenant, which is the one in scope: looked up once an answer, if at all."""

    def to_representation(self, value: Any) -> str:
        """Return the name in the caller's language."""
        context: Any = self.context
        names: dict[str, str] = context.setdefault("tenants", {})
        if value not in names:
            session = getattr(context.get("request"), "auth", None)
            own = session.tenant if isinstance(session, Session) else None
            tenant = own if own is not None and own.tenant_id == value else Tenant.objects.get(tenant_id=value)
            names[value] = str(tenant)
        return names[value]


def attach(users: Sequence[User]) -> None:
    """Give people their roles and posts, for all of them in two statements."""
    ids = [user.pk for user in users]
    roles = rights.held_by(ids)
    posts: dict[int, dict[int, str]] = {}
    held = UserPost.objects.filter(user_id__in=ids, post__is_deleted=False).select_related("post")
    for row in held.order_by("post__sort", "post_id"):
        posts.setdefault(row.user_id, {})[row.post_id] = str(row.post)
    for user in users:
        mine, places = roles.get(user.pk, {}), posts.get(user.pk, {})
        vars(user).update(
            role_ids=list(mine), role_names=",".join(mine.values()),
            post_ids=list(places), post_names=",".join(places.values()),
        )  # fmt: skip


class _People(serializers.ListSerializer):  # type: ignore[type-arg]
    """People of a page."""

    def to_representation(self, data: Any) -> Any:
        """Roles and posts are looked up for all of them at once."""
        users = list(data)
        attach(users)
        return super().to_representation(users)


class _Checks(NounSerializer):
    """What holds for a person's own fields, whoever writes them."""

    avatar = PictureField(column="identity.User.avatar", required=False, allow_blank=True, label=_label("avatar"))

    def validate_phone(self, value: str) -> str:
        """A mobile number of eleven digits; empty passes."""
        if value and not re.fullmatch(r"[0-9]{11}", value):
            raise serializers.ValidationError(_("手机号码长度不为11位"))
        if value and not re.fullmatch(r"1[3-9][0-9]{9}", value):
            raise serializers.ValidationError(_("手机号码格式不正确"))
        return value

    def validate_email(self, value: str) -> str:
        """An address, or empty."""
        try:
            if value:
                EmailValidator()(value)
        except ValidationError:
            raise serializers.ValidationError(_("邮箱格式不正确")) from None
        return value


class UserSerializer(_Checks):
    """A person's account. The password goes in when it is made, and never out."""

    tenantId = serializers.CharField(source="tenant_id", read_only=True, label=label("租户编号", "Tenant id"))
    tenantName = TenantNameField(source="tenant_id", read_only=True, label=label("所属租户", "Tenant"))
    password = serializers.CharField(
        write_only=True, required=False, allow_blank=True, max_length=100, label=label("密码", "Password")
    )
    sexName = DictionaryNameField(dictionary="sex", source="sex", label=_label("sex"))
    roleId = IdListField(refers_to="access.Role", source="role_ids", required=False, label=label("所属角色", "Roles"))
    roleName = serializers.CharField(source="role_names", read_only=True, label=label("所属角色", "Roles"))
    deptId = ReferenceField(model=Department, source="dept_id", label=_label("dept"))
    deptName = NameField(source="dept", label=_label("dept"))
    postId = IdListField(refers_to=Post, source="post_ids", required=False, label=label("所属岗位", "Positions"))
    postName = serializers.CharField(source="post_names", read_only=True, label=label("所属岗位", "Positions"))
    userTypeName = NameField(source="get_user_type_display", label=_label("user_type"))
    status = FlagField(source="is_enabled", required=False, label=_label("is_enabled"))
    statusName = NameField(source="status_name", label=_label("is_enabled"))
    langName = NameField(source="get_lang_display", label=_label("lang"))

    class Meta:
        model = User
        list_serializer_class = _People
        fields: tuple[str, ...] = (
            "id", "tenantId", "tenantName", "code", "account", "password", "name", "real_name", "avatar", "email",
            "phone", "birthday", "sex", "sexName", "roleId", "roleName", "deptId", "deptName", "postId", "postName",
            "user_type", "userTypeName", "status", "statusName", "lang", "langName", "hour_rate", "create_time",
            "update_time",
        )  # fmt: skip
        read_only_fields: tuple[str, ...] = ("create_time", "update_time")
        extra_kwargs = {"hour_rate": {"min_value": 0, "max_value": 999999}}

    def to_representation(self, instance: Any) -> Any:
        """One person by itself is looked up by itself."""
        if "role_ids" not in vars(instance):
            attach([instance])
        return super().to_representation(instance)

    def validate_account(self, value: str) -> str:
        """Letters, digits and four signs; once in a company."""
        if not _ACCOUNT.fullmatch(value):
            raise serializers.ValidationError(_("账号只能包含字母、数字和 _ - . @"))
        others = User.objects.filter(account=value)
        if self.instance is not None:
            others = others.exclude(pk=self.instance.pk)
        if others.exists():
            raise serializers.ValidationError(_("当前账号已被使用!"))
        return value

    def validate_roleId(self, value: list[int]) -> list[int]:
        """Roles of this tenant."""
        if len(rights.role_names(set(value))) != len(value):
            raise serializers.ValidationError(_("数据不存在或已被删除"))
        return value

    def validate_postId(self, value: list[int]) -> list[int]:
        """Posts of this tenant."""
        if Post.objects.filter(pk__in=value).count() != len(value):
            raise serializers.ValidationError(_("数据不存在或已被删除"))
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A password that somebody chose is none that everybody knows."""
        given = attrs.get("password", "").strip()
        if given and self.instance is None:
            sentence = passwords.fault(given, account=attrs.get("account", ""))
            if sentence is not None:
                raise serializers.ValidationError({"password": sentence})
        return {**attrs, "password": given}


class UserDetail(UserSerializer):
    """A person with what the console's other programs keep of them."""

    class Meta(UserSerializer.Meta):
        fields = (*UserSerializer.Meta.fields, "user_ext")
        read_only_fields = (*UserSerializer.Meta.read_only_fields, "user_ext")


class UserSheet(UserSerializer):
    """A person as a row of a spreadsheet: this list is all that goes out."""

    class Meta(UserSerializer.Meta):
        fields = (
            "code", "account", "name", "real_name", "sex", "sexName", "phone", "email", "birthday", "deptId",
            "deptName", "postName", "roleName", "hour_rate", "lang", "langName", "statusName", "create_time",
        )  # fmt: skip
        read_only_fields = ("create_time",)


class OwnInfo(_Checks):
    """What people may change of themselves."""

    class Meta:
        model = User
        fields = ("avatar", "name", "real_name", "phone", "email", "lang")


class UserOption(serializers.Serializer):  # type: ignore[type-arg]
    """A person to choose: a name, and nothing that is private."""

    id = IdField()
    account = serializers.CharField()
    realName = serializers.CharField(source="real_name")


class RolesOfUsers(SpeakingSerializer):
    """Which roles people are to hold."""

    userIds = IdListField(default=list)
    roleIds = IdListField(required=False)


class UserIds(SpeakingSerializer):
    """People who are meant."""

    userIds = IdListField(default=list)


class Platform(SpeakingSerializer):
    """What another program keeps of a person."""

    userId = IdField()
    userType = serializers.ChoiceField(choices=UserType.choices, label=_label("user_type"))
    userExt = serializers.CharField(
        required=False, allow_blank=True, max_length=MOST_EXTRA, default="", label=_label("user_ext")
    )

    def validate_userExt(self, value: str) -> str:
        """A JSON object."""
        try:
            if value and not isinstance(json.loads(value), dict):
                raise ValueError
        except (ValueError, RecursionError):
            raise serializers.ValidationError(_("平台资料应为JSON对象")) from None
        return value


class OneTimePassword(serializers.Serializer):  # type: ignore[type-arg]
    """A password that is shown this once."""

    userId = serializers.CharField()
    account = serializers.CharField()
    realName = serializers.CharField()
    password = serializers.CharField(required=False)


@extend_schema_serializer(extensions={"x-partial": True})
class UserMade(serializers.Serializer):  # type: ignore[type-arg]
    """The account that was made or changed, with its one-time password where none was given."""

    id = serializers.CharField()
    password = serializers.CharField(required=False)
