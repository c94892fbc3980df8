"""Base view sets: authentication, tenant scope and permission code of all calls, and the standard calls of nouns."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import Any, ClassVar, Self
from urllib.parse import urlencode

from django.core.exceptions import SuspiciousOperation
from django.db import connection, models, transaction
from django.db.models import QuerySet
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import APIException, ParseError
from rest_framework.request import Empty, Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from core.blade.envelope import Failure, encode
from core.blade.parsers import parameters
from core.kernel import call_log, tenants
from core.kernel.actor import Actor, acting
from core.kernel.audit_entry import AuditEntry
from core.kernel.errors import Invalid, Missing, Refusal
from core.kernel.ids import is_id
from core.kernel.models import AuditedModel
from core.kernel.operation import SIGNED_IN, perform
from core.kernel.references import refuse_if_used
from core.kernel.tenancy import tenant_scope
from core.kernel.texts import camel, plural
from core.rest import changes, edits, fastlists, placing
from core.rest.filters import Filter, apply_filters, filters_of, has_filter, in_order, ordering
from core.rest.masking import masked
from core.rest.menus import MenuEntry
from core.rest.pagination import page
from core.rest.permissions import PUBLIC
from core.rest.scopes import Scope, restrict
from core.rest.selects import Select
from core.rest.serializers import IdListField, NounSerializer, SecretField
from core.rest.shapes import Computed, Details, Shape, editable_columns, noun_serializer, shape

log = logging.getLogger("xunwei.platform")


def _sent(request: Request) -> str:
    """Return the request parameters as masked JSON; empty if they cannot be read.

    A body that the call itself has not read, since it was refused before, is not read for the log.
    """
    is_read = getattr(request, "_full_data", Empty) is not Empty
    try:
        named = parameters(request) if is_read else request.query_params.dict()
    except (APIException, SuspiciousOperation):
        return "{}"
    given = {name: value for name, value in named.items() if not hasattr(value, "read")}
    return encode(masked(given)).decode()


class BaseViewSet(GenericViewSet):  # type: ignore[type-arg]
    """Base of all view sets. `codes` names the permission code of each action; other actions are refused."""

    codes: ClassVar[Mapping[str, str]] = {}
    _in_transaction = False
    _afterwards: Callable[[], None] | None = None
    pages: ClassVar[frozenset[str]] = frozenset()
    """Actions that return a page; for the OpenAPI document."""
    platform_only: ClassVar[frozenset[str]] = frozenset()
    """Actions for people of the platform tenant only, whatever permission codes others hold."""
    before_password_change: ClassVar[frozenset[str]] = frozenset()
    """Actions that stay available, without any permission, while a person must change a one-time password."""
    same_call: ClassVar[Mapping[str, str | tuple[type, str]]] = {}
    """Actions that are another one under a second name: that one, or its view set and name. API scopes bind both."""
    by_ticket: ClassVar[frozenset[str]] = frozenset()
    """Downloads that browsers fetch without headers, with a ticket of `oauth/ticket` in the URL."""
    menu: ClassVar[MenuEntry | None] = None
    """The menu entry: its buttons and the shipped roles that get them."""
    more_menus: ClassVar[tuple[MenuEntry, ...]] = ()
    """Menu entries of further pages that use these calls."""
    longest_bodies: ClassVar[Mapping[str, int]] = {}
    """Bytes that the body of an action may have, where it takes more than the usual 2 MB of those who are signed in."""
    by_tenant: ClassVar[bool] = False
    """Whether a platform administrator may name another tenant (`tenantId`), in whose scope the call runs."""

    def declared_code(self) -> str | None:
        """Return the permission code of the requested action; None refuses the call."""
        return self.codes.get(self.action or "")

    @property
    def actor(self) -> Actor:
        """Return the actor of the request; only for actions that need a sign-in."""
        actor = self.request.user
        if not isinstance(actor, Actor):
            raise TypeError("a public action asked for its actor")
        return actor

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Run the call in the caller's tenant scope; on PostgreSQL in a transaction that ends before the answer."""
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
        """Turn the exception into a response; `Refusal.afterwards` is kept until the transaction has ended."""
        if isinstance(exc, Refusal):
            self._afterwards = exc.afterwards
        return super().handle_exception(exc)

    def _record(self, response: Any, began: float) -> None:
        """Log the call after the transaction. Successful reads are not logged."""
        request = self.request
        if request.method == "GET" and response.status_code < 400 and "export" not in (self.action or ""):
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
        """Authenticate the caller and enter the tenant scope before any permission is read."""
        actor = request.user
        if isinstance(actor, Actor):
            self._enter(actor)

    def _enter(self, actor: Actor) -> None:
        self._scope.enter_context(tenant_scope(actor.tenant_id))
        self._in_transaction = connection.vendor == "postgresql"
        self._scope.enter_context(acting(actor))
        self._enter_named_tenant(actor)

    @contextmanager
    def outside(self) -> Iterator[None]:
        """Leave the tenant scope, and with it PostgreSQL's transaction, for work that takes long and reads no table.

        Nothing may have been written before: what has been is committed here.
        """
        self._scope.close()
        try:
            yield
        finally:
            self._enter(self.actor)

    @classmethod
    @contextmanager
    def again(cls, action: str, actor: Actor, query: Mapping[str, str]) -> Iterator[Self]:
        """Yield the view set as in a GET of this action by this person now, for a job that goes on with the call.

        It passes the same checks and enters the same tenant scope. Raises Refusal.
        """
        asked = HttpRequest()
        asked.method, asked.GET = "GET", QueryDict(urlencode(query))
        view = cls()
        view.action_map, view.args, view.kwargs, view.format_kwarg = {"get": action}, (), {}, None
        view.request = view.initialize_request(asked)
        view.request.user = actor  # type: ignore[assignment]  # as authentication does
        with ExitStack() as view._scope:
            view._enter(actor)
            view.check_permissions(view.request)
            yield view

    def _enter_named_tenant(self, actor: Actor) -> None:
        """Enter the tenant that a platform administrator names; for all other people the parameter is ignored."""
        if not self.by_tenant or not actor.is_platform_administrator:
            return
        named = str(parameters(self.request).get("tenantId") or "").strip()
        if named and named != actor.tenant_id:
            if not tenants.exists(named):
                raise Missing()
            log.info("platform administrator %s enters tenant %s for %s", actor.account, named, self.action)
            self._scope.enter_context(tenant_scope(named))

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse NUL characters in the query, which no database accepts, before anything else."""
        if any("\x00" in text for values in request.query_params.lists() for text in (values[0], *values[1])):
            raise ParseError()
        super().initial(request, *args, **kwargs)

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Set `Cache-Control: no-store` on every answer of the API."""
        response = super().finalize_response(request, response, *args, **kwargs)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    def parameter(self, name: str) -> str:
        """Return a required parameter from query, form or JSON body.

        Raises Invalid if it is missing.
        """
        value = parameters(self.request).get(name)
        if value is None or str(value).strip() == "":
            raise Invalid({name: _("缺少必要的请求参数: {name}").format(name=name)})
        return str(value).strip()

    def text_parameter(self, name: str, field: str, at_most: int) -> str:
        """Return a text parameter without surrounding blanks; empty if it is missing.

        Raises Invalid if it is longer than `at_most` characters.
        """
        text = str(parameters(self.request).get(name) or "").strip()
        if len(text) > at_most:
            raise Invalid({name: plural("{field}长度不能超过{n}个字符", at_most, field=field)})
        return text

    def id_parameter(self, name: str = "id") -> int:
        """Return a required id parameter.

        Raises Missing if it cannot be an id.
        """
        text = self.parameter(name)
        if not is_id(text):
            raise Missing()
        return int(text)

    def version_parameter(self) -> int:
        """Return the required `lockVersion`: the record version that the caller has read."""
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
"""Suffix of the permission code of each standard action. Calls that fill choices are open to all signed-in people."""


class NounViewSet(BaseViewSet):
    """View set of a noun: `list`, and `show` for the call `detail`. Mix in Submit and Remove for changes.

    A plain noun declares `noun` and `queryset`; its serializer, its filters and its permission codes (`post_view`,
    `post_add`, `post_edit`, `post_delete`) follow from them. `codes` adds to these or replaces them.
    """

    noun: ClassVar[str] = ""
    fields: ClassVar[tuple[str | Shape, ...]] = ()
    """Names of model columns, and shapes of core.rest.shapes; by default every editable column of the model."""
    rules: ClassVar[type[NounSerializer]] = NounSerializer
    """Base class of the generated serializer; it holds the noun's own `validate` methods."""
    computed: ClassVar[tuple[Computed, ...]] = ()
    """Computed columns of a noun that names a serializer of its own; others are read off `fields`."""
    pages = frozenset({"list"})
    filters: ClassVar[Mapping[str, Filter]] = {}
    """By default one for every column of `fields` that a filter fits."""
    sample: ClassVar[Mapping[str, Any]] = {}
    """Values of a valid row that only the noun's own rules ask for; the contract tests send them.

    One that differs from row to row is a function of the row's number.
    """
    order: ClassVar[tuple[str, ...]] = ("-create_time", "-id")
    details: ClassVar[tuple[Details, ...]] = ()
    """Rows that are edited in the noun's form, read off `fields`."""
    detail_serializer_class: ClassVar[Any] = None
    input_serializer_class: ClassVar[Any] = None
    fast: ClassVar[bool] = False
    """Whether the plain list is served from compiled statements; see core.rest.fastlists."""
    shipped_scopes: ClassVar[Mapping[Scope, Collection[str]]] = {}
    """By kind of data scope the shipped roles that hold it. Administrators see all rows,
    whoever is not named sees the own ones."""
    scope_columns: ClassVar[Mapping[str, str]] = {}
    """Columns that say whose a row is, by `user`, `dept` and `team`; without them all of the tenant see all rows."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Generate serializer, filters and permission codes from the declarations."""
        super().__init_subclass__(**kwargs)
        if cls.noun:
            standard = {
                action: word if word == SIGNED_IN else f"{cls.noun}_{word}"
                for action, word in _STANDARD_CODES.items()
                if getattr(cls, action, None) is not None or (action == "add" and hasattr(cls, "submit"))
            }
            cls.codes = {**standard, **cls.codes}
        if cls.noun and cls.serializer_class is None and cls.queryset is not None:
            cls._declare_fields(cls.queryset)
        if cls.computed:
            cls.filters = {**{camel(one.name): one.filter() for one in cls.computed}, **cls.filters}

    @classmethod
    def _declare_fields(cls, queryset: Any) -> None:
        """Make serializers, joins and filters of the fields: nested rows are in detail and `submit`, not in lists."""
        model = queryset.model
        cls.fields = cls.fields or editable_columns(model)
        shapes = [shape(model, one) for one in cls.fields]
        cls.computed = tuple(one for one in shapes if isinstance(one, Computed))
        cls.details = tuple(one for one in shapes if isinstance(one, Details))
        plain = [one for one in shapes if not isinstance(one, Details)]
        cls.serializer_class = noun_serializer(model, plain, cls.rules)
        if cls.details:
            cls.detail_serializer_class = cls.input_serializer_class = noun_serializer(model, shapes, cls.rules)
        names = [name for one in shapes for name in one.columns()]
        if related := [name for name in names if model._meta.get_field(name).is_relation]:
            cls.queryset = queryset.select_related(*related)
        if cls.filters is NounViewSet.filters:
            cls.filters = filters_of(model, *(name for name in names if has_filter(model._meta.get_field(name))))

    def get_queryset(self) -> QuerySet[Any]:
        """Return the rows that the actor may see. Every action uses it, so that the data scope always applies."""
        rows = super().get_queryset().all()
        if self.computed:
            rows = rows.annotate(**{one.name: one.annotation() for one in self.computed})
        if self.scope_columns:
            rows = restrict(rows, self.actor, self.noun, self.scope_columns, self.filters)
        return rows

    def get_serializer_class(self) -> Any:
        """Return the serializer of the action: the detail may have more fields than the list, and `submit` others."""
        if self.action == "show" and self.detail_serializer_class is not None:
            return self.detail_serializer_class
        if self.action in ("submit", "save", "update") and self.input_serializer_class is not None:
            return self.input_serializer_class
        return super().get_serializer_class()

    @classmethod
    def has_scope(cls) -> bool:
        """Return whether the noun has a data scope."""
        return bool(cls.scope_columns)

    def filtered(self) -> QuerySet[Any]:
        """Return the rows filtered and sorted by the query parameters."""
        given = self.request.query_params.dict()
        rows = apply_filters(self.get_queryset(), self.filters, given)
        return in_order(rows, ordering(self.filters, given, self.order))

    def plain_order(self) -> tuple[str, ...]:
        """Return the default order of the list."""
        return ordering(self.filters, {}, self.order)

    def changing(self) -> AbstractContextManager[None]:
        """Return the context in which rows are made, changed and removed, entered before any of them is locked.

        Nouns that decide who holds what look here that nobody gives or takes too much.
        """
        return nullcontext()

    def list(self, request: Request) -> Response:
        """Answer a page of rows."""
        found = fastlists.answer(self)
        if found is not None:
            return Response(found)
        rows, numbers = page(self.filtered(), request.query_params.dict())
        context = {**self.get_serializer_context(), **self.page_context([row.pk for row in rows])}
        return Response({"records": self.get_serializer_class()(rows, many=True, context=context).data, **numbers})

    def page_context(self, ids: Sequence[int]) -> dict[str, Any]:
        """Return the serializer context for the rows of a page, read in constant statements."""
        return {}

    def row(self, row_id: int) -> Any:
        """Return a row that the actor may see.

        Raises Missing otherwise.
        """
        found = self.get_queryset().filter(pk=row_id).first()
        if found is None:
            raise Missing()
        return found

    def locked_rows(self, **found_by: Any) -> Sequence[Any]:
        """Return the rows this person may see that are found by these columns, locked until the transaction ends.

        They come in the order of their ids, so that two people who name the same rows do not wait for each other.
        """
        rows = self.get_queryset().select_for_update(of=("self",))
        return tuple(rows.filter(**found_by).order_by("pk"))

    def row_to_change(self, body: Mapping[str, Any]) -> Any:
        """Return the row that the body's `id` names, locked. Raises Missing, or Changed where somebody was faster."""
        found = self.locked_rows(pk=self.id_parameter())
        if not found:
            raise Missing()
        self.check_version(found[0], body)
        return found[0]

    def check_version(self, row: Any, body: Mapping[str, Any]) -> None:
        """Raise Changed where somebody has changed the row since the caller read the version that the body names."""
        shown = self.detail_serializer_class or self.get_serializer_class()
        changes.check_version(row, body, lambda: shown(row, context=self.get_serializer_context()).data)

    def show(self, request: Request) -> Response:
        """Answer one row."""
        return Response(self.get_serializer(self.row(self.id_parameter())).data)


class Stored(serializers.Serializer):  # type: ignore[type-arg]
    """The answer of a call that stores a row."""

    id = serializers.CharField()


class Submit(Select):
    """`submit`: without an id it makes a row (code `add`), with one it changes the fields given (code `submit`).

    A change names the `lockVersion` that it was made from; where the row has another one by now, it is refused.
    """

    def declared_code(self: Any) -> str | None:
        """Return the code for adding or for changing, by whether an id is sent."""
        if self.action == "submit" and not str(parameters(self.request).get("id") or "").strip():
            return self.codes.get("add")  # type: ignore[no-any-return]
        return self.codes.get(self.action or "")  # type: ignore[no-any-return]

    @extend_schema(responses=Stored)
    def submit(self: Any, request: Request) -> Response:
        """Add or change a row; answer its id, which plain clients of the Blade family ignore."""
        body = parameters(request)
        row_id = str(body.get("id") or "").strip()
        entry = AuditEntry(f"{self.noun}.{'edit' if row_id else 'add'}", self.actor, business_type=self.noun)

        def store() -> dict[str, str]:
            placing.lock_for(self.queryset.model, body)
            instance = self.row_to_change(body) if row_id else None
            serializer = self.get_serializer(instance, data=body, partial=instance is not None)
            serializer.is_valid(raise_exception=True)
            with edits.told(self, entry, instance, body):
                saved = serializer.save()
            entry.business_id, entry.remark = saved.pk, str(saved)[:500]
            return {"id": str(entry.business_id)}

        def change() -> dict[str, str]:
            with self.changing():
                return store()

        # To know the same request again, a digest of it is kept, which secrets are no part of.
        secret = {name for name, field in self.get_serializer().fields.items() if isinstance(field, SecretField)}
        known = {name: value for name, value in body.items() if name not in secret}
        return Response(perform(entry, known, change))


class SaveAndUpdate(Submit):
    """`save` and `update` beside `submit`, as the family has them for some nouns: one only adds, one only changes."""

    same_call: ClassVar[Mapping[str, str | tuple[type, str]]] = {"save": "submit", "update": "submit"}

    @extend_schema(responses=Stored)
    def save(self: Any, request: Request) -> Response:
        """Add a row; answer its id."""
        if str(parameters(request).get("id") or "").strip():
            raise Invalid({"id": _("请求参数格式错误: {name}").format(name="id")})
        return self.submit(request)  # type: ignore[no-any-return]

    @extend_schema(responses=Stored)
    def update(self: Any, request: Request) -> Response:
        """Change the fields given of the row that `id` names."""
        self.id_parameter()
        return self.submit(request)  # type: ignore[no-any-return]


class RemoveBy:
    """`remove` as an operation of its own, which deletes all the named rows or none."""

    removal: ClassVar[Callable[[Actor, list[int]], None]]

    @extend_schema(parameters=[OpenApiParameter("ids", str, required=True)], request=None, responses=None)
    def remove(self: Any, request: Request) -> Response:
        """Delete the rows in `ids`, all or none."""
        type(self).removal(self.actor, IdListField().run_validation(self.parameter("ids")))
        return Response(None)


def _from_below(rows: Sequence[Any]) -> Sequence[Any]:
    """Return the rows with those of a tree before what they hang on, so that a whole branch can go."""
    above = {row.pk: getattr(row, "parent_id", None) for row in rows}

    def depth(pk: int) -> int:
        found = 0
        while (pk := above.get(pk)) is not None:  # type: ignore[assignment]
            found += 1
        return found

    return sorted(rows, key=lambda row: -depth(row.pk))


class Remove:
    """`remove`: deletes all named rows, or none; of a tree a branch where all of it is named. Rows of tenants are
    deleted softly, shared rows for good.

    A row that others refer to is not deleted, except for relations that its model names in `may_lose`.
    """

    def perform_destroy(self, row: models.Model) -> None:
        """Delete one row and its nested rows.

        Raises Conflict if other rows refer to it.
        """
        for details in getattr(self, "details", ()):
            details.remove(row)
        if isinstance(row, AuditedModel):
            row.remove()
        else:
            refuse_if_used(row)
            row.delete()

    def validate_delete(self, row: models.Model) -> None:
        """Check the noun's own rules for deletion, beside the references to the row.

        Raises Refusal if a rule forbids it.
        """

    @extend_schema(parameters=[OpenApiParameter("ids", str, required=True)], request=None, responses=None)
    def remove(self: Any, request: Request) -> Response:
        """Delete the rows in `ids` softly."""
        ids = IdListField().run_validation(self.parameter("ids"))
        entry = AuditEntry(f"{self.noun}.delete", self.actor, business_type=self.noun)

        def change() -> None:
            with self.changing():
                rows = self.locked_rows(pk__in=ids)
                if not ids or len(rows) != len(ids):
                    raise Missing()
                entry.business_id = rows[0].pk if len(rows) == 1 else None
                entry.remark = _("，").join(str(row) for row in rows)[:500]
                for row in _from_below(rows):
                    self.validate_delete(row)
                    self.perform_destroy(row)

        return Response(perform(entry, ids, change))


__all__ = ["PUBLIC", "SIGNED_IN", "BaseViewSet", "NounViewSet", "Remove", "RemoveBy", "SaveAndUpdate", "Submit"]
