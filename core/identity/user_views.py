"""Calls of people and their accounts, under the addresses of both dialects."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.blade.parsers import parameters
from core.identity import lockout, passwords, tokens, users
from core.identity.models import User
from core.identity.user_serializers import (
    OneTimePassword,
    OwnInfo,
    Platform,
    RolesOfUsers,
    UserDetail,
    UserIds,
    UserMade,
    UserOption,
    UserSerializer,
    UserSheet,
)
from core.kernel.audit_entry import AuditEntry
from core.kernel.errors import Invalid, Missing
from core.kernel.ids import is_id
from core.kernel.operation import perform
from core.kernel.texts import label
from core.rest import edits, rights
from core.rest.filters import FLAG, ID, TEXT, Filter, apply_filters, below, filters_of
from core.rest.menus import EVERYTHING, Button, MenuEntry, Place, ShippedRole
from core.rest.scopes import Scope
from core.rest.sheets import Export, Import, ImportAnswer
from core.rest.viewsets import SIGNED_IN, NounViewSet, Remove, Submit

MOST_NEW = 200
"""Accounts that one sheet may make: each has a password to be hashed, which is slow on purpose."""
MOST_OPTIONS = 200
_SHEET = frozenset(
    {"code", "account", "realName", "name", "deptId", "phone", "email", "sex", "birthday", "hourRate", "lang"}
)


def _number(text: str) -> int:
    """Return an id of a filter; of what is none, an id that nothing has."""
    return int(text) if is_id(text) else -1


def _of_role(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    return rows.filter(roles__role_id=_number(text))


def _of_post(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    return rows.filter(posts__post_id=_number(text))


class ImportedUsers(ImportAnswer):
    """How many accounts were made and changed, and the one-time passwords of the new ones."""

    passwords = OneTimePassword(many=True)


class UserViewSet(Export, Import, Submit, Remove, NounViewSet):
    """People of a company, as far as the caller's data scope reaches."""

    noun = "user"
    menu = MenuEntry(
        "system", "/system/user", "user", label("用户管理", "Users"), place=2,
        roles={ShippedRole.TENANT_ADMIN: EVERYTHING},
        buttons={
            "role": Button(label("角色配置", "Set roles"), Place.BOTH),
            "reset": Button(label("重置密码", "Reset password"), Place.BOTH),
            "unlock": Button(label("解锁", "Unlock"), Place.BOTH),
        },
    )  # fmt: skip
    shipped_scopes = {
        Scope.ALL: (ShippedRole.HR,),
        Scope.DEPARTMENT_TREE: (ShippedRole.WORKSHOP_HEAD, ShippedRole.EQUIP_MANAGER),
        Scope.DEPARTMENT: (ShippedRole.SHIFT_LEADER,),
        Scope.OWN: (),
    }
    by_tenant = True
    queryset = User.objects.select_related("dept")
    serializer_class = UserSerializer
    detail_serializer_class = UserDetail
    scope_columns: Mapping[str, str] = {"user": "id", "dept": "dept_id"}  # type: ignore[misc]
    pages = frozenset({"list", "page"})
    order = ("-create_time", "-id")
    filters = filters_of(User, "account", "real_name", "name", "code", "phone", "email", "sex", "user_type", "lang") | {
        "code": Filter("code", TEXT),
        "status": Filter("is_enabled", FLAG),
        "deptId": below("dept"),
        "roleId": Filter(kind=ID, apply=_of_role),
        "postId": Filter(kind=ID, apply=_of_post),
    }
    codes = {
        "page": "user_view",
        "platform_detail": "user_view",
        "info": SIGNED_IN,
        "update_info": SIGNED_IN,
        "user_list": SIGNED_IN,
        "update_platform": "user_edit",
        "reset_password": "user_reset",
        "grant": users.ROLE_CODE,
        "unlock": "user_unlock",
        "import_user": "user_import",
        "export_user": "user_export",
    }
    same_call = {
        "page": "list", "platform_detail": "show", "update": "submit", "import_user": "import_rows",
        "export_user": "export",
    }  # fmt: skip
    select_code, select_name = "account", "real_name"
    select_filters = ("deptId", "roleId", "postId")
    sample = {"password": "Xw2mors7k", "phone": "13912345678", "email": "a@b.cn"}
    sheet_key = "account"

    def get_serializer_class(self) -> Any:
        """A spreadsheet has columns of its own."""
        return UserSheet if self.action in ("export", "export_user") else super().get_serializer_class()

    def select_rows(self) -> QuerySet[User]:
        """Return everybody of the company: whom to send or to ask is not limited to the people one may look at."""
        return User.objects.all()

    # --- reading ---------------------------------------------------------------------------------------------------

    @extend_schema(responses=UserSerializer)
    @action(detail=False, methods=["get"], url_path="page")
    def page(self, request: Request) -> Response:
        """Answer a page of people; the same as `list`."""
        return self.list(request)

    @extend_schema(parameters=[OpenApiParameter("id", str, required=True)], responses=UserDetail)
    @action(detail=False, methods=["get"], url_path="platform-detail")
    def platform_detail(self, request: Request) -> Response:
        """Answer a person with what other programs keep of them."""
        return Response(UserDetail(self.row(self.id_parameter()), context=self.get_serializer_context()).data)

    @extend_schema(responses=UserDetail)
    @action(detail=False, methods=["get"], url_path="info")
    def info(self, request: Request) -> Response:
        """Answer the caller."""
        return Response(UserDetail(self._me(), context=self.get_serializer_context()).data)

    @extend_schema(
        parameters=[OpenApiParameter(name, str) for name in ("account", "realName", "deptId", "status")],
        responses=UserOption(many=True),
    )
    @action(detail=False, methods=["get"], url_path="user-list")
    def user_list(self, request: Request) -> Response:
        """People who may sign in, to choose from: at most 200, found by account, name and department."""
        asked = {name: self.filters[name] for name in ("account", "realName", "deptId", "status")}
        rows = apply_filters(User.objects.filter(is_enabled=True), asked, request.query_params.dict())
        return Response(UserOption(rows.order_by("account", "id")[:MOST_OPTIONS], many=True).data)

    # --- writing ---------------------------------------------------------------------------------------------------

    @extend_schema(request=UserSerializer, responses=UserMade)
    def submit(self, request: Request) -> Response:
        """Make or change an account; the answer to the first making has the one-time password, and no other has."""
        body = parameters(request)
        row_id = str(body.get("id") or "").strip()
        entry = AuditEntry(f"user.{'edit' if row_id else 'add'}", self.actor, business_type="user")
        shown: dict[str, str] = {}
        ready: list[tuple[str, str]] = []

        def prepare() -> None:
            if row_id:
                return
            serializer = self.get_serializer(data=body)
            serializer.is_valid(raise_exception=True)
            with self.outside():
                ready.append(passwords.stored_ahead(serializer.validated_data["password"]))

        def store() -> dict[str, str]:
            user = self.row_to_change(body) if row_id else None
            serializer = self.get_serializer(user, data=body, partial=user is not None)
            serializer.is_valid(raise_exception=True)
            if user is None:
                user, one_time = users.add(self.actor, serializer.validated_data, ready[0])
                if one_time:
                    shown["password"] = one_time
            else:
                with edits.told(self, entry, user, body):
                    users.change(self.actor, user, serializer.validated_data)
            entry.business_id, entry.remark = user.pk, user.account
            return {"id": str(user.pk)}

        def change() -> dict[str, str]:
            with self.changing():
                return store()

        # Neither the password nor a digest of it is kept: not with the answer, and not with the request.
        plain = {name: value for name, value in body.items() if name != "password"}
        answer = perform(entry, plain, change, prepare)
        return Response({**answer, **shown})

    @extend_schema(request=UserSerializer, responses=UserMade)
    def update(self, request: Request) -> Response:
        """Change an account."""
        self.id_parameter()
        return self.submit(request)

    def changing(self) -> AbstractContextManager[None]:
        """One after another, because accounts are counted and their rights compared."""
        return users.in_turn()

    def perform_destroy(self, row: Any) -> None:
        """Remove one account."""
        users.leave(self.actor, row)

    def _meant(self, ids: list[int]) -> list[User]:
        """Return the people named, within the caller's data scope.

        Raises Invalid where nobody is named, Missing where one is not there.
        """
        if not ids:
            raise Invalid({"userIds": _("请至少选择一个用户")})
        rows = list(self.get_queryset().filter(pk__in=ids).order_by("pk"))
        if len(rows) != len(ids):
            raise Missing()
        return rows

    def _entry(self, operation: str, rows: list[User]) -> AuditEntry:
        entry = AuditEntry(f"user.{operation}", self.actor, business_type="user")
        entry.business_id = rows[0].pk if len(rows) == 1 else None
        entry.remark = ",".join(row.account for row in rows)[:400]
        return entry

    @extend_schema(request=RolesOfUsers, responses=None)
    @action(detail=False, methods=["post"], url_path="grant")
    def grant(self, request: Request) -> Response:
        """Replace the roles of people."""
        given = _checked(RolesOfUsers, request)
        rows, roles = self._meant(given["userIds"]), given.get("roleIds", [])
        entry = self._entry("grant", rows)
        names = rights.role_names(set(roles))
        entry.remark = f"{entry.remark} ← {','.join(names[role] for role in roles if role in names)}"[:500]
        perform(entry, given, lambda: users.grant(self.actor, rows, roles))
        return Response(None)

    @extend_schema(request=UserIds, responses=OneTimePassword(many=True))
    @action(detail=False, methods=["post"], url_path="reset-password")
    def reset_password(self, request: Request) -> Response:
        """Give people one-time passwords, which this answer shows once: to be changed, within a day."""
        ids = _checked(UserIds, request)["userIds"]
        rows = self._meant(ids)
        ready: list[tuple[str, str]] = []
        shown: dict[int, str] = {}

        def prepare() -> None:
            users.check_reset(self.actor, rows)
            with self.outside():
                ready.extend(passwords.one_times(len(rows)))

        def change() -> list[dict[str, str]]:
            there = self._meant(ids)
            users.reset(self.actor, there, [stored for _text, stored in ready])
            shown.update({row.pk: text for row, (text, _stored) in zip(there, ready, strict=True)})
            return [{"userId": str(row.pk), "account": row.account, "realName": row.real_name} for row in there]

        answer = perform(self._entry("reset", rows), sorted(row.pk for row in rows), change, prepare)
        return Response(
            [{**row, "password": shown[int(row["userId"])]} if int(row["userId"]) in shown else row for row in answer]
        )

    @extend_schema(request=UserIds, responses=None)
    @action(detail=False, methods=["post"], url_path="unlock")
    def unlock(self, request: Request) -> Response:
        """Let people try their password again at once."""
        rows = self._meant(_checked(UserIds, request)["userIds"])
        ids = [row.pk for row in rows]

        def change() -> None:
            lockout.unlock(ids)

        perform(self._entry("unlock", rows), ids, change)
        return Response(None)

    @extend_schema(request=Platform, responses=None)
    @action(detail=False, methods=["post"], url_path="update-platform")
    def update_platform(self, request: Request) -> Response:
        """Keep what another program knows of a person."""
        given = _checked(Platform, request)
        user = self.row(given["userId"])
        values = {"user_type": given["userType"], "user_ext": given["userExt"]}
        perform(self._entry("platform", [user]), given, lambda: users.change(self.actor, user, values))
        return Response(None)

    @extend_schema(request=OwnInfo(partial=True), responses=None)
    @action(detail=False, methods=["post"], url_path="update-info")
    def update_info(self, request: Request) -> Response:
        """Change the caller's own nickname, picture, phone and e-mail, whoever else the body names.

        The name is what histories show: it is taken where it stays as it is, or from whoever may change accounts.
        """
        body = parameters(request)
        entry = self._entry("info", [self._me()])

        def change() -> None:
            me = self._me(locked=True)
            serializer = OwnInfo(me, data=body, partial=True, context=self.get_serializer_context())
            serializer.is_valid(raise_exception=True)
            if serializer.validated_data.get("real_name", me.real_name) != me.real_name and not self.actor.may(
                self.codes["submit"]
            ):
                raise Invalid({"realName": _("姓名由管理人员账号的人修改")})
            if all(getattr(me, name) == value for name, value in serializer.validated_data.items()):
                entry.nothing_happened = True
                return
            tokens.touch_user(serializer.save().pk)

        perform(entry, body, change)
        return Response(None)

    def _me(self, *, locked: bool = False) -> User:
        """Return the caller; an administrator of the platform is none of the people of another tenant."""
        rows = User.objects.select_for_update(of=("self",)) if locked else User.objects
        user = rows.select_related("dept").filter(pk=self.actor.user_id).first()
        if user is None:
            raise Missing()
        return user  # type: ignore[no-any-return]

    # --- spreadsheets ----------------------------------------------------------------------------------------------

    def sheet_fields(self) -> dict[str, Any]:
        """Return a sheet decides neither tenant nor role nor whether an account works."""
        return {name: field for name, field in super().sheet_fields().items() if name in _SHEET}

    def before_import(self, new: int) -> None:
        """Make the passwords of the new accounts."""
        self._ready = passwords.one_times(min(new, MOST_NEW))

    def import_row(self, serializer: Any) -> None:
        """Make or change one account."""
        if serializer.instance is not None:
            users.change(self.actor, serializer.instance, serializer.validated_data)
            return
        if len(self._made) >= len(self._ready):
            raise Invalid({"account": _("一次最多新增{n}个账号").format(n=MOST_NEW)})
        user, one_time = users.add(self.actor, serializer.validated_data, self._ready[len(self._made)])
        made = {"userId": str(user.pk), "account": user.account, "realName": user.real_name, "password": one_time}
        self._made.append(made)

    @extend_schema(responses=ImportedUsers)
    @action(detail=False, methods=["post"], url_path="import")
    def import_rows(self, request: Request) -> Response:
        """Read accounts from a sheet, all of them or none; new ones get one-time passwords, shown in this answer."""
        self._made: list[dict[str, str]] = []
        self._ready = []
        inherited: Any = super()
        with self.changing():
            answer = inherited.import_rows(request)
        return Response({**answer.data, "passwords": self._made})

    @extend_schema(exclude=True)
    @action(detail=False, methods=["post"], url_path="import-user")
    def import_user(self, request: Request) -> Response:
        """Answer the same under the family's name."""
        this: Any = self
        return this.import_rows(request)  # type: ignore[no-any-return]

    @extend_schema(exclude=True)
    @action(detail=False, methods=["get"], url_path="export-user")
    def export_user(self, request: Request) -> HttpResponse:
        """Answer the same as `export` under the family's name."""
        this: Any = self
        return this.export(request)  # type: ignore[no-any-return]


def _checked(kind: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """Return the request's parameters as this form; raises ValidationError."""
    asked = kind(data=parameters(request))
    asked.is_valid(raise_exception=True)
    return dict(asked.validated_data)
