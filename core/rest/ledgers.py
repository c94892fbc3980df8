"""Ledgers: entries that are added and never changed; each changes a balance on the row that it belongs to."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.blade.parsers import parameters
from core.kernel.audit_entry import AuditEntry
from core.kernel.balances import post_entry
from core.kernel.operation import perform
from core.rest.viewsets import Stored


class Append:
    """Mix in before NounViewSet: `save` adds an entry (code `add`). Nothing changes or removes one."""

    def new_entry(self: Any, values: dict[str, Any]) -> Any:
        """Store an entry with these values and return it."""
        entry = self.queryset.model(**values)
        post_entry(entry)
        return entry

    @extend_schema(responses=Stored)
    def save(self: Any, request: Request) -> Response:
        """Add an entry; answers its id."""
        body = parameters(request)
        entry = AuditEntry(f"{self.noun}.add", self.actor, business_type=self.noun)

        def change() -> dict[str, str]:
            serializer = self.get_serializer(data=body)
            serializer.is_valid(raise_exception=True)
            entry.business_id = self.new_entry(serializer.validated_data).pk
            return {"id": str(entry.business_id)}

        return Response(perform(entry, body, change))
