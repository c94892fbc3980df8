"""What people send of spare parts: movements, requests, what is done with these, and counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from core.kernel.texts import label
from core.rest.serializers import AmountField, FlagField, IdField, SpeakingSerializer
from core.spares.models import BY_HAND, MoveKind, OrderType, SpareMove, SparePart
from core.storage.serializers import FilesField
from core.system import required
from core.system.required import Asked, FieldKind, Scene

MOST_LINES = 50
"""Of a request."""
MOST_COUNTED = 500
"""Parts that one count takes."""
MOST_VOUCHERS = 9
_REMARK = label("备注", "Remark")
_ACTIONS = (
    ("reserve", label("预留", "Reserve")),
    ("issue", label("出库", "Issue")),
    ("return", label("退回", "Return")),
    ("reject", label("驳回", "Refuse")),
    ("cancel", label("取消", "Cancel")),
    ("finish", label("结束", "Finish")),
)
_OLDER = {"1": "issue", "2": "reject"}
"""What older clients call `handleStatus`."""


def _quantity(zh: str, en: str, **more: Any) -> AmountField:
    return AmountField(label=label(zh, en), max_digits=12, decimal_places=3, **more)


def _remark(most: int, said: str = _REMARK) -> serializers.CharField:
    return serializers.CharField(label=said, max_length=most, required=False, allow_blank=True, default="")


class RequestedLine(SpeakingSerializer):
    """A spare part, and how much of it."""

    spareId = IdField(refers_to=SparePart, label=label("备件", "Spare part"))
    planQty = _quantity("申请数量", "Requested")
    remark = _remark(120)


class RequestedLines(SpeakingSerializer):
    """Spare parts that somebody needs."""

    lines = RequestedLine(many=True, label=label("备件", "Spare parts"), required=False, default=list)
    remark = _remark(255)

    def validate_lines(self, value: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """At least one part, and not too many."""
        if not value:
            raise serializers.ValidationError(_("请至少选择一种备件"))
        if len(value) > MOST_LINES:
            raise serializers.ValidationError(_("一张领用单最多{n}种备件").format(n=MOST_LINES))
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The same where nothing is sent of them."""
        self.validate_lines(attrs["lines"])
        return attrs


class RequestInput(RequestedLines):
    """For which order, and which spare parts."""

    orderType = serializers.ChoiceField(
        label=label("领用单据", "Requested for"), choices=OrderType.choices, required=False,
        default=OrderType.REPAIR.value,
    )  # fmt: skip
    orderId = IdField(label=label("单据", "Order"), required=False, allow_null=True, default=None)


class HandledLine(SpeakingSerializer):
    """A line of a request, and how much of it."""

    lineId = IdField(label=label("明细", "Line"))
    qty = _quantity("数量", "Quantity")


class HandleInput(SpeakingSerializer):
    """What is done with a request; without lines with all of them, as far as it goes."""

    id = IdField(label=label("领用单", "Spare request"))
    lockVersion = serializers.IntegerField(label=label("数据版本", "Row version"), required=False, allow_null=True)
    action = serializers.ChoiceField(label=label("操作", "Action"), choices=_ACTIONS)
    lines = HandledLine(many=True, label=label("备件", "Spare parts"), required=False, default=list)
    remark = _remark(200, label("处理说明", "Remark"))

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Take what older clients send too: `handleStatus`, `handleRemark` and `items`.

        They know no row version; whoever names the action has to send it.
        """
        is_older = isinstance(data, Mapping) and "action" not in data and "handleStatus" in data
        if is_older:
            lines = [
                {"lineId": one.get("id"), "qty": one.get("issueQuantity")}
                for one in data.get("items") or []
                if isinstance(one, Mapping) and one.get("issueQuantity") not in (None, "")
            ]
            data = {
                "id": data.get("id"), "lockVersion": data.get("lockVersion"), "lines": lines,
                "action": _OLDER.get(str(data["handleStatus"]), ""), "remark": data.get("handleRemark") or "",
            }  # fmt: skip
        values = super().run_validation(data)
        if not is_older and values.get("lockVersion") is None:
            text = _("缺少必要的请求参数: {name}").format(name="lockVersion")
            raise serializers.ValidationError({"lockVersion": [text]})
        return values


class StockMoveInput(SpeakingSerializer):
    """A movement that the storekeeper enters; with `reverseOfId` the correction of one."""

    spareId = IdField(refers_to=SparePart, label=label("备件", "Spare part"), required=False, allow_null=True)
    bizType = serializers.ChoiceField(
        label=SpareMove._meta.get_field("biz_type").verbose_name,
        choices=[(one.value, one.label) for one in BY_HAND], required=False, default=MoveKind.PURCHASE.value,
    )  # fmt: skip
    qty = _quantity("数量", "Quantity", required=False, allow_null=True)
    price = AmountField(
        label=label("单价", "Price"), max_digits=14, decimal_places=4, min_value=0, required=False, allow_null=True
    )
    reverseOfId = IdField(
        refers_to=SpareMove, label=label("冲销的流水", "Corrected movement"), required=False, allow_null=True
    )
    voucher = FilesField(
        label=label("凭证", "Voucher"), required=False, column="spares.SpareMove.voucher", at_most=MOST_VOUCHERS
    )
    remark = _remark(255)


class CountedLine(SpeakingSerializer):
    """What was counted of a part, and what the stock was when the person saw it."""

    spareId = IdField(refers_to=SparePart, label=label("备件", "Spare part"))
    countedQty = _quantity("实盘数量", "Counted", min_value=0)
    seenQty = _quantity("账面数量", "On record", min_value=0, required=False, allow_null=True)


class CountInput(SpeakingSerializer):
    """A count of the store; as a preview it changes nothing."""

    lines = CountedLine(many=True, label=label("备件", "Spare parts"), required=False, default=list)
    remark = _remark(255)
    preview = FlagField(label=label("只预览", "Preview only"), required=False, default=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Some parts, each once, and not too many."""
        ids = [one["spareId"] for one in attrs["lines"]]
        if not ids:
            raise serializers.ValidationError({"lines": _("请至少选择一种备件")})
        if len(ids) > MOST_COUNTED:
            raise serializers.ValidationError({"lines": _("一次最多盘点{n}种备件").format(n=MOST_COUNTED)})
        if len(ids) != len(set(ids)):
            twice = next(pk for pk in ids if ids.count(pk) > 1)
            name = SparePart.objects.filter(pk=twice).values_list("spare_name", flat=True).first() or twice
            raise serializers.ValidationError({"lines": _("备件「{name}」重复").format(name=name)})
        return attrs


def register_scene() -> None:
    """Register what companies may ask for when somebody requests spare parts."""
    required.register(
        Scene.SPARE_REQUEST,
        Asked("lines", label("备件", "Spare parts"), FieldKind.CHOICE, locked=True),
        Asked("remark", label("备注", "Remark")),
    )


def check_asked(values: Mapping[str, Any]) -> None:
    """Raise ValidationError for what the company asks for, and is not there."""
    required.check(Scene.SPARE_REQUEST, values)
