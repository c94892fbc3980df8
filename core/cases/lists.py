"""The list of a case's records: rows, filters and export follow from the `Listing` that the case declares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.cases.case import WAITING, Case
from core.cases.serializers import CaseRow, waiting
from core.rest.shapes import shape
from core.rest.sheets import Export
from core.rest.viewsets import NounViewSet


class Listed:
    """What the view set of a list of records needs: whom each waits for, and what the document says of it."""

    case: ClassVar[Case]

    def page_context(self, ids: Sequence[int]) -> dict[str, Any]:
        """Return the open steps of a page's records and whom they wait for; two statements a page."""
        return {"waiting": waiting(self.case.name, ids)}

    def marks(self: Any, action: str) -> dict[str, Any]:
        """Return whose list this is, and the address of its page."""
        return {"x-case-list": {"case": self.case.name, "page": self.menu.path}} if action == "list" else {}


class CaseListViewSet(Listed, Export, NounViewSet):
    """The records of a case within the caller's data scope.

    A subclass names `case` and what is declared as for a noun: `menu`, `shipped_scopes`.
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Read off the case what the list shows and may be asked."""
        case, listing = cls.case, cls.case.listing
        assert listing is not None, f"the case {case.name} declares no listing"
        columns = [case.model._meta.get_field(name) for name in listing.fields if name != WAITING]
        cls.noun, cls.order, cls.scope_columns = listing.noun, listing.order, listing.scope
        cls.queryset = case.sent().select_related(*(one.name for one in columns if one.is_relation))
        cls.serializer_class = row_of(case)
        cls.filters = listing.filters_of(case.model)
        super().__init_subclass__(**kwargs)

    def show(self, request: Request) -> Response:
        """Answer one record as the list shows it; its page has the whole."""
        record = self.row(self.id_parameter())
        context = {**self.get_serializer_context(), **self.page_context([record.pk])}
        return Response(self.get_serializer_class()(record, context=context).data)


def row_of(case: Case) -> type[CaseRow]:
    """Return the serializer of a record in the list: the declared columns, with names beside choices and references."""
    assert case.listing is not None
    names: list[str] = ["id"]
    own: dict[str, Any] = {}
    for name in case.listing.fields:
        if name == WAITING:
            names.append(name)
            continue
        added = {} if name == "status" else shape(case.model, name).fields(case.model)
        names += [name, *added, *(["statusName"] if name == "status" else [])]
        own |= added
    meta = type("Meta", (), {"model": case.model, "fields": tuple(names), "read_only_fields": tuple(names)})
    doc = f"{case.model.__name__} in a list."
    return type(f"{case.model.__name__}Record", (CaseRow,), {**own, "Meta": meta, "__doc__": doc})
