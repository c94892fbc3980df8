"""The base of all calls: sign-in, tenant scope, permission code; and the Blade calls a plain noun gets from it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, ClassVar

from django.core.exceptions import SuspiciousOperation
from django.db import connection, models, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import APIException, ParseError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from core.kernel import act as acts
from core.kernel import call_log, fastlists, tenants
from core.kernel.actor import Actor, acting
from core.kernel.envelope import Failure, encode
from core.kernel.errors import Invalid, Missing, Refusal
from core.kernel.filters import Filter, apply_filters, in_order, ordering
from core.kernel.masking import masked
from core.kernel.models import KeptModel
from core.kernel.operation import SIGNED_IN, perform
from core.kernel.pagination import page
from core.kernel.parsers import parameters
from core.kernel.permissions import PUBLIC
from core.kernel.scopes import restrict
from core.kernel.serializers import IdListField, noun_serializer
from core.kernel.tenancy import tenant_scope
from core.kernel.texts import plural

log = logging.getLogger("xunwei.platform")


def _sent(request: Request) -> str:
    """The parameters as JSON, masked; empty where they could not be read."""
    try:
        given = {name: value for name, value in parameters(request).items() if not hasattr(value, "read")}
    except (APIException, SuspiciousOperation):
        return "{}"
    return encode(masked(given)).decode()


class Door(GenericViewSet):  # type: ignore[type-arg]
    """A group of calls. `codes` names the permission code of each action; an action that is not named refuses."""

    codes: ClassVar[Mapping[str, str]] = {}
    _in_transaction = False
    _afterwards: Callable[[], None] | None = None
    pages: ClassVar[frozenset[str]] = frozenset()
    """Actions that answer a page, for the document of the calls."""
    platform_only: ClassVar[frozenset[str]] = frozenset()
    """Actions that only people of the platform's own tenant may take, whatever codes others hold."""
    before_password_change: ClassVar[frozenset[str]] = frozenset()
    """Actions that are answered, but without any right, while the person has to replace a made-up password."""
    by_ticket: ClassVar[frozenset[str]] = frozenset()
    """Downloads that a browser may fetch without our headers, by a ticket of `oauth/ticket` in the address."""
    by_tenant: ClassVar[bool] = False
    """Whether an administrator of the platform may name another tenant, in whose scope the call then runs."""

    def declared_code(self) -> str | None:
        """The code of the action asked for; None refuses."""
        return self.codes.get(self.action or "")

    @property
    def actor(self) -> Actor:
        """Who asks; only for actions behind a sign-in."""
        actor = self.request.user
        if not isinstance(actor, Actor):
            raise TypeError("a public action asked for its actor")
        return actor

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Run the call inside the caller's tenant; on PostgreSQL that is one transaction, over before the answer."""
        began = time.monotonic()
        with ExitStack() as self._scope:
            response = super().dispatch(request, *args, **kwargs)
            if response.status_code >= 400 and self._in_transaction:
                transaction.set_rollback(True)
        if self._afterwards is not None:
            self._afterwards()
        self._record(response, began)
        return response

    def handle_exception(self, exc: Exception) -> Any:
        """Answer what was raised; what a refusal leaves to be written waits until the transaction is over."""
        if isinstance(exc, Refusal):
            self._afterwards = exc.afterwards
        return super().handle_exception(exc)

    def _record(self, response: Any, began: float) -> None:
        """Tell the log of calls, once the transaction is over; plain readings that went well are not told."""
        request = self.request
        if request.method == "GET" and response.status_code < 400 and self.action != "export":
            return
        data = getattr(response, "data", None)
        status = data.get("code", response.status_code) if isinstance(data, Failure) else response.status_code
        call_log.record(
            call_log.Call(
                method=str(request.method),
                path=request.path,
                status=status,
                milliseconds=round((time.monotonic() - began) * 1000),
                params=_sent(request),
                ip=request.META.get("REMOTE_ADDR", ""),
                user_agent=request.headers.get("User-Agent", "")[:300],
                request_id=getattr(request, "request_id", ""),
                # Not asked for anew: where finding out who asks was refused, it would be refused again.
                actor=actor if isinstance(actor := getattr(request, "_user", None), Actor) else None,
            )
        )

    def perform_authentication(self, request: Request) -> None:
        """Find out who asks, and enter the tenant before any right is looked up."""
        actor = request.user
        if isinstance(actor, Actor):
            self._scope.enter_context(tenant_scope(actor.tenant_id))
            self._in_transaction = connection.vendor == "postgresql"
            self._scope.enter_context(acting(actor))
            self._enter_named_tenant(actor)

    def _enter_named_tenant(self, actor: Actor) -> None:
        """Of everybody else the parameter is ignored: they see their own tenant."""
        if not self.by_tenant or not actor.is_platform_administrator:
            return
        named = str(parameters(self.request).get("tenantId") or "").strip()
        if named and named != actor.tenant_id:
            if not tenants.exists(named):
                raise Missing()
            log.info("platform administrator %s enters tenant %s for %s", actor.account, named, self.action)
            self._scope.enter_context(tenant_scope(named))

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse what no database takes, before anything is looked up: a NUL in the query."""
        if any("\x00" in text for values in request.query_params.lists() for text in (values[0], *values[1])):
            raise ParseError()
        super().initial(request, *args, **kwargs)

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Answers of the API are nobody's to keep."""
        response = super().finalize_response(request, response, *args, **kwargs)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    def parameter(self, name: str) -> str:
        """A required parameter, wherever it travels; raises Invalid with the family's sentence."""
        value = parameters(self.request).get(name)
        if value is None or str(value).strip() == "":
            raise Invalid({name: _("缺少必要的请求参数: {name}").format(name=name)})
        return str(value).strip()

    def words(self, name: str, field: str, at_most: int) -> str:
        """A text that somebody wrote, trimmed, empty where there is none; raises Invalid when it is too long."""
        text = str(parameters(self.request).get(name) or "").strip()
        if len(text) > at_most:
            raise Invalid({name: plural("{field}长度不能超过{n}个字符", at_most, field=field)})
        return text

    def id_parameter(self, name: str = "id") -> int:
        """A required id; one that cannot exist is missing like any other."""
        text = self.parameter(name)
        if not text.isascii() or not text.isdigit() or int(text) >= 2**63:
            raise Missing()
        return int(text)

    def version_parameter(self) -> int:
        """The required `lockVersion`: how the caller has read the record."""
        text = self.parameter("lockVersion")
        if not text.isascii() or not text.isdigit() or len(text) > 9:
            raise Invalid({"lockVersion": _("请求参数格式错误: {name}").format(name="lockVersion")})
        return int(text)


_STANDARD_CODES = {
    "list": "view",
    "show": "view",
    "lazy_list": "view",
    "add": "add",
    "save": "add",
    "submit": "edit",
    "update": "edit",
    "remove": "delete",
    "export": "export",
    "import_rows": "import",
    "import_template": "import",
    "tree": SIGNED_IN,
    "lazy_tree": SIGNED_IN,
    "select": SIGNED_IN,
}
"""Ending of the permission code of each standard action; what people choose from is open to all signed in."""


class NounViewSet(Door):
    """Reading a noun: `list`, and `show` for the call `detail`. Mix in Submit and Remove for the rest.

    A plain noun declares `noun`, `queryset`, `fields` and `filters`; its serializer and its permission codes
    (`post_view`, `post_add`, `post_edit`, `post_delete`) follow from them. `codes` adds to these or replaces them.
    """

    noun: ClassVar[str] = ""
    fields: ClassVar[tuple[str, ...]] = ()
    pages = frozenset({"list"})
    filters: ClassVar[Mapping[str, Filter]] = {}
    order: ClassVar[tuple[str, ...]] = ("-create_time", "-id")
    detail_serializer_class: ClassVar[Any] = None
    fast: ClassVar[bool] = False
    """Whether the plain list is served from compiled statements; see core.kernel.fastlists."""
    scope_columns: ClassVar[Mapping[str, str]] = {}
    """Columns that say whose a row is, by `user`, `dept` and `team`; without them all of the tenant see all rows."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Fill in what follows from the declarations."""
        super().__init_subclass__(**kwargs)
        if cls.noun:
            standard = {
                action: word if word == SIGNED_IN else f"{cls.noun}_{word}"
                for action, word in _STANDARD_CODES.items()
                if hasattr(cls, action) or (action == "add" and hasattr(cls, "submit"))
            }
            cls.codes = {**standard, **cls.codes}
        if cls.fields and cls.serializer_class is None and cls.queryset is not None:
            cls.serializer_class = noun_serializer(cls.queryset.model, cls.fields)

    def get_queryset(self) -> QuerySet[Any]:
        """The noun's rows this person may see; the one place for data scope, used by every action."""
        rows = super().get_queryset().all()
        if self.scope_columns:
            rows = restrict(rows, self.actor, self.noun, self.scope_columns, self.filters)
        return rows

    def get_serializer_class(self) -> Any:
        """The detail may show more than the list."""
        if self.action == "show" and self.detail_serializer_class is not None:
            return self.detail_serializer_class
        return super().get_serializer_class()

    @classmethod
    def has_scope(cls) -> bool:
        """Whether roles see different rows of it."""
        return bool(cls.scope_columns)

    def filtered(self) -> QuerySet[Any]:
        """The rows that the query parameters ask for, in the asked order."""
        given = self.request.query_params.dict()
        rows = apply_filters(self.get_queryset(), self.filters, given)
        return in_order(rows, ordering(self.filters, given, self.order))

    def plain_order(self) -> tuple[str, ...]:
        """The order of a list that asks for none."""
        return ordering(self.filters, {}, self.order)

    def list(self, request: Request) -> Response:
        """A page of the noun."""
        found = fastlists.answer(self)
        if found is not None:
            return Response(found)
        rows, numbers = page(self.filtered(), request.query_params.dict())
        context = {**self.get_serializer_context(), **self.page_context([row.pk for row in rows])}
        return Response({"records": self.get_serializer_class()(rows, many=True, context=context).data, **numbers})

    def page_context(self, ids: Sequence[int]) -> dict[str, Any]:
        """What the serializer needs for the rows of a page and reads for all of them at once."""
        return {}

    def row(self, row_id: int) -> Any:
        """A row this person may see; raises Missing."""
        found = self.get_queryset().filter(pk=row_id).first()
        if found is None:
            raise Missing()
        return found

    def show(self, request: Request) -> Response:
        """One row."""
        return Response(self.get_serializer(self.row(self.id_parameter())).data)


class Stored(serializers.Serializer):  # type: ignore[type-arg]
    """What `submit` answers."""

    id = serializers.CharField()


class Submit:
    """`submit`: without an id it makes a row (code `add`), with one it changes the fields given (code `submit`)."""

    def declared_code(self: Any) -> str | None:
        """The two halves of the call have codes of their own."""
        if self.action == "submit" and not str(parameters(self.request).get("id") or "").strip():
            return self.codes.get("add")  # type: ignore[no-any-return]
        return self.codes.get(self.action or "")  # type: ignore[no-any-return]

    @extend_schema(responses=Stored)
    def submit(self: Any, request: Request) -> Response:
        """Answers the row's id, which plain clients of the family ignore."""
        body = parameters(request)
        row_id = str(body.get("id") or "").strip()
        act = acts.Act(f"{self.noun}.{'edit' if row_id else 'add'}", self.actor, business_type=self.noun)

        def change() -> dict[str, str]:
            instance = self.row(self.id_parameter()) if row_id else None
            serializer = self.get_serializer(instance, data=body, partial=instance is not None)
            serializer.is_valid(raise_exception=True)
            act.business_id = serializer.save().pk
            return {"id": str(act.business_id)}

        return Response(perform(act, body, change))


class Remove:
    """`remove`: all the rows named, or none. Kept rows are deleted softly, rows that all tenants share for good."""

    def take_away(self, row: models.Model) -> None:
        """Delete one row."""
        if isinstance(row, KeptModel):
            row.is_deleted = True
            row.save(update_fields=["is_deleted", "update_user", "update_time"])
        else:
            row.delete()

    def stop_removal(self, row: models.Model) -> None:
        """Raise a Refusal naming the row when something still needs it."""

    @extend_schema(parameters=[OpenApiParameter("ids", str, required=True)], request=None, responses=None)
    def remove(self: Any, request: Request) -> Response:
        """Soft deletion of the rows in `ids`."""
        ids = IdListField().run_validation(self.parameter("ids"))
        act = acts.Act(f"{self.noun}.delete", self.actor, business_type=self.noun)

        def change() -> None:
            rows = list(self.get_queryset().filter(pk__in=ids).order_by("pk"))
            if not ids or len(rows) != len(ids):
                raise Missing()
            for row in rows:
                self.stop_removal(row)
            act.business_id = rows[0].pk if len(rows) == 1 else None
            act.remark = ",".join(str(row.pk) for row in rows)
            for row in rows:
                self.take_away(row)

        return Response(perform(act, ids, change))


__all__ = ["PUBLIC", "SIGNED_IN", "Door", "NounViewSet", "Remove", "Submit"]
