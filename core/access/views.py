"""The menu and the buttons of whoever asks."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.access.grants import granted_menus
from core.access.models import Menu, MenuCategory
from core.access.serializers import MenuNode
from core.kernel.viewsets import SIGNED_IN, Door


def _forest(rows: list[Menu]) -> list[dict[str, Any]]:
    """Rows as a forest; leaves have no `children`, because clients tell buttons by that."""
    nodes = {
        row.pk: {
            "id": str(row.pk),
            "parentId": str(row.parent_id or 0),
            "code": row.code,
            "name": str(row),
            "alias": row.alias,
            "path": row.path,
            "source": row.source,
            "sort": row.sort,
            "category": row.category,
            "action": row.action,
            "isOpen": row.is_open,
            "meta": {"i18n": row.code},
        }
        for row in rows
    }
    roots: list[dict[str, Any]] = []
    for row in rows:
        parent = nodes.get(row.parent_id or 0)
        (parent.setdefault("children", []) if parent else roots).append(nodes[row.pk])  # type: ignore[attr-defined]
    return roots


class MenuDoor(Door):
    """What the shell asks for after sign-in."""

    codes = {"routes": SIGNED_IN, "buttons": SIGNED_IN}

    @extend_schema(responses=MenuNode(many=True))
    @action(detail=False, methods=["get"], url_path="routes")
    def routes(self, request: Request) -> Response:
        """The menu entries granted to the caller's roles, as a forest."""
        return Response(_forest(granted_menus(self.actor.role_ids, MenuCategory.MENU)))

    @extend_schema(responses=MenuNode(many=True))
    @action(detail=False, methods=["get"], url_path="buttons")
    def buttons(self, request: Request) -> Response:
        """The granted buttons, under the entries that own them."""
        return Response(_forest(granted_menus(self.actor.role_ids, MenuCategory.BUTTON)))
