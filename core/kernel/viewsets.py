"""The base of all calls: sign-in, tenant scope, permission code; and the Blade calls a plain noun gets from it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any, ClassVar

from django.db import connection, models, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from core.kernel import act as acts
from core.kernel.actor import Actor, acting
from core.kernel.errors import Invalid, Missing
from core.kernel.filters import Filter, apply_filters, ordering
from core.kernel.operation import SIGNED_IN, perform
from core.kernel.pagination import page
from core.kernel.parsers import parameters
from core.kernel.permissions import PUBLIC
from core.kernel.serializers import IdListField
from core.kernel.tenancy import tenant_scope


class Door(GenericViewSet):  # type: ignore[type-arg]
    """A group of calls. `codes` names the permission code of each action; an action that is not named refuses."""

    codes: ClassVar[Mapping[str, str]] = {}
    _in_transaction = False
    pages: ClassVar[frozenset[str]] = frozenset()
    """Actions that answer a page, for the document of the calls."""

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
        with ExitStack() as self._scope:
            response = super().dispatch(request, *args, **kwargs)
            if response.status_code >= 400 and self._in_transaction:
                transaction.set_rollback(True)
            return response

    def perform_authentication(self, request: Request) -> None:
        """Find out who asks, and enter the tenant before any right is looked up."""
        actor = request.user
        if isinstance(actor, Actor):
            self._scope.enter_context(tenant_scope(actor.tenant_id))
            self._in_transaction = connection.vendor == "postgresql"
            self._scope.enter_context(acting(actor))

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

    def id_parameter(self, name: str = "id") -> int:
        """A required id; one that cannot exist is missing like any other."""
        text = self.parameter(name)
        if not text.isascii() or not text.isdigit() or int(text) >= 2**63:
            raise Missing()
        return int(text)


class NounViewSet(Door):
    """Reading a noun: `list`, and `show` for the call `detail`. Mix in Submit and Remove for the rest."""

    pages = frozenset({"list"})
    filters: ClassVar[Mapping[str, Filter]] = {}
    order: ClassVar[tuple[str, ...]] = ("-create_time", "-id")
    detail_serializer_class: ClassVar[Any] = None

    def get_queryset(self) -> QuerySet[Any]:
        """The noun's rows this person may see; the one place for data scope, used by every action."""
        return super().get_queryset().all()

    def get_serializer_class(self) -> Any:
        """The detail may show more than the list."""
        if self.action == "show" and self.detail_serializer_class is not None:
            return self.detail_serializer_class
        return super().get_serializer_class()

    def filtered(self) -> QuerySet[Any]:
        """The rows that the query parameters ask for, in the asked order."""
        given = self.request.query_params.dict()
        rows = apply_filters(self.get_queryset(), self.filters, given)
        return rows.order_by(*ordering(self.filters, given, self.order))

    def list(self, request: Request) -> Response:
        """A page of the noun."""
        rows, numbers = page(self.filtered(), request.query_params.dict())
        return Response({"records": self.get_serializer(rows, many=True).data, **numbers})

    def row(self, row_id: int) -> Any:
        """A row this person may see; raises Missing."""
        found = self.get_queryset().filter(pk=row_id).first()
        if found is None:
            raise Missing()
        return found

    def show(self, request: Request) -> Response:
        """One row."""
        return Response(self.get_serializer(self.row(self.id_parameter())).data)


class Submit:
    """`submit`: without an id it makes a row (code `add`), with one it changes the fields given (code `submit`)."""

    noun: ClassVar[str]

    def declared_code(self: Any) -> str | None:
        """The two halves of the call have codes of their own."""
        if self.action == "submit" and not str(parameters(self.request).get("id") or "").strip():
            return self.codes.get("add")  # type: ignore[no-any-return]
        return self.codes.get(self.action or "")  # type: ignore[no-any-return]

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
    """`remove`: all the rows named, or none."""

    def stop_removal(self, row: models.Model) -> None:
        """Raise a Refusal naming the row when something still needs it."""

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
                row.is_deleted = True
                row.save(update_fields=["is_deleted", "update_user", "update_time"])
            act.business_id = rows[0].pk if len(rows) == 1 else None
            act.remark = ",".join(str(row.pk) for row in rows)

        return Response(perform(act, ids, change))


__all__ = ["PUBLIC", "SIGNED_IN", "Door", "NounViewSet", "Remove", "Submit"]
