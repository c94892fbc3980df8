"""Calls of toolmakers, tools, their ledger and orders of tools."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext as _
from rest_framework import serializers

from core.kernel.texts import label
from core.rest.ledgers import Append
from core.rest.menus import EVERYTHING, KEEP, MenuEntry, ShippedRole
from core.rest.serializers import NounSerializer
from core.rest.shapes import Computed, Details, Switch
from core.rest.sheets import Export, Import
from core.rest.viewsets import NounViewSet, Remove, Submit
from core.storage.shapes import Images
from tests.toolroom.models import Tool, Toolmaker, ToolMove, ToolOrder, ToolOrderLine

_ROLES = {ShippedRole.EQUIP_MANAGER: KEEP, ShippedRole.TENANT_ADMIN: EVERYTHING}


class Numbered(NounSerializer):
    """The rule of order numbers."""

    def validate_orderNo(self, value: str) -> str:
        """Refuse a number with a blank in it."""
        if " " in value:
            raise serializers.ValidationError(_("请求参数格式错误"))
        return value


class ToolmakerViewSet(Export, Import, Submit, Remove, NounViewSet):
    """Toolmakers."""

    noun = "toolmaker"
    menu = MenuEntry("equip", "/equip/toolmaker", "shop", label("工具商", "Toolmakers"), place=90, roles=_ROLES)
    queryset = Toolmaker.objects.all()


class ToolViewSet(Export, Import, Submit, Remove, NounViewSet):
    """Tools."""

    noun = "tool"
    menu = MenuEntry("equip", "/equip/tool", "shop", label("工具", "Tools"), place=91, roles=_ROLES)
    queryset = Tool.objects.all()
    fields = (
        "tool_code", "tool_name", "kind", "machine_class", "toolmaker", "unit_price", "least_stock", "stock",
        Computed("is_low", label("库存不足", "Low"), Q(stock__lt=F("least_stock")), models.BooleanField()),
        Computed(
            "value", label("库存金额", "Value"), F("stock") * F("unit_price"),
            models.DecimalField(max_digits=18, decimal_places=3),
        ),
        Switch("is_enabled", on=label("启用", "In use"), off=label("停用", "Not in use")),
        Images("images", most=5),
    )  # fmt: skip


class ToolMoveViewSet(Append, NounViewSet):
    """The ledger of tools."""

    noun = "toolmove"
    menu = MenuEntry("equip", "/equip/toolmove", "shop", label("工具进出", "Tool movements"), place=92, roles=_ROLES)
    queryset = ToolMove.objects.all()
    fields = ("tool", "kind", "quantity", "stock_after", "remark")


class ToolOrderViewSet(Submit, Remove, NounViewSet):
    """Orders of tools with their lines."""

    noun = "toolorder"
    menu = MenuEntry("equip", "/equip/toolorder", "shop", label("工具订单", "Tool orders"), place=93, roles=_ROLES)
    queryset = ToolOrder.objects.all()
    rules = Numbered
    fields = (
        "order_no", "toolmaker", "total",
        Details(
            "lines", label("明细", "Lines"), ToolOrderLine, head="order", shown=("tool", "quantity", "price"),
            least=1, sums={"total": lambda line: line.quantity * line.price},
        ),
    )  # fmt: skip
