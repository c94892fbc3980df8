"""Wire forms of spare parts, their movements, and requests for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db import models
from django.db.models import Case, DecimalField, ExpressionWrapper, F, OuterRef, Q, Subquery, Sum, Value, When
from django.db.models.functions import Coalesce, Greatest
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.audit.story import LogSerializer
from core.equipment.models import Machine, MachineClass, NodeType
from core.kernel import clock
from core.kernel.texts import label
from core.rest.serializers import AmountField, IdField, IdListField, MoneyField, NameField, NounSerializer
from core.rest.shapes import Computed, Serialized, Shape
from core.spares.models import MoveKind, SpareFit, SpareMove, SparePart, SpareUseLog, StockState
from core.system import extras

LATELY = timedelta(days=90)
MOST_FITS = 200
_QUANTITY = DecimalField(max_digits=14, decimal_places=3)
_NONE = Value(Decimal(0), output_field=_QUANTITY)


@dataclass(frozen=True)
class Lately(Computed):
    """A computed column that depends on the present moment: `expression` is a function without arguments."""

    def annotation(self) -> ExpressionWrapper[Any]:
        """Return what the list's statement selects under this name, as of now."""
        return ExpressionWrapper(self.expression(), output_field=self.output)


def _used_lately() -> Any:
    """What was issued in 90 days, less what came back."""
    moves = SpareMove.objects.filter(
        spare=OuterRef("pk"), biz_type__in=(MoveKind.ISSUE, MoveKind.RETURN), flow_time__gte=clock.now() - LATELY
    )
    sums = moves.order_by().values("spare").annotate(used=Sum(F("direction") * F("qty") * -1, output_field=_QUANTITY))
    return Coalesce(Subquery(sums.values("used"), output_field=_QUANTITY), _NONE)


STOCK_STATE = Computed(
    "stock_state",
    label("库存状态", "Stock status"),
    Case(
        When(available_qty__lte=0, then=Value(StockState.OUT.value)),
        When(available_qty__lte=F("min_qty"), then=Value(StockState.LOW.value)),
        When(max_qty__gt=0, stock_qty__gt=F("max_qty"), then=Value(StockState.OVER.value)),
        default=Value(StockState.NORMAL.value),
    ),
    models.IntegerField(choices=StockState.choices),
)
REORDER = Computed(
    "reorder_qty",
    label("建议采购量", "To reorder"),
    Case(
        When(available_qty__lte=F("min_qty"), then=Greatest("max_qty", "min_qty") - F("available_qty")),
        default=_NONE,
    ),
    _QUANTITY,
)
"""Up to the maximum, of a part without one up to its minimum; nothing is on order, since orders are not kept here."""
USED = Lately("use90", label("近90天用量", "Used in 90 days"), _used_lately, _QUANTITY)
COVER = Computed(
    "cover_days",
    label("可用天数", "Days of cover"),
    Case(When(use90__gt=0, then=F("available_qty") * 90 / F("use90")), default=None, output_field=_QUANTITY),
    DecimalField(max_digits=14, decimal_places=1, null=True),
)


@dataclass(frozen=True)
class StateName(Shape):
    """The word for the stock status."""

    def fields(self, model: Any) -> Serialized:
        """Return it."""
        return {"stockStateName": _StateName(source="stock_state", label=label("库存状态", "Stock status"))}


class _StateName(NameField):
    def get_attribute(self, instance: Any) -> str:
        return str(StockState(instance.stock_state).label)


class _FitNames(NameField):
    """What these are called, joined."""

    def __init__(self, *, column: str, **kwargs: Any):
        super().__init__(**kwargs)
        self.column = column

    def get_attribute(self, instance: Any) -> str:
        rows = (getattr(one, self.column) for one in instance.used_at())
        return _("、").join(str(row) for row in rows if row is not None)


@dataclass(frozen=True)
class Fits(Shape):
    """Where a part is used."""

    def fields(self, model: Any) -> Serialized:
        """Return ids and names of asset types and assets."""
        of_type, of_machine = label("适用设备类型", "Used at asset types"), label("适用设备", "Used at assets")
        levels = f"{NodeType.MACHINE.value},{NodeType.COMPONENT.value}"
        return {
            "typeIds": IdListField(
                source="type_ids", refers_to=MachineClass, label=of_type, required=False,
                max_ids=MOST_FITS,
            ),
            "typeNames": _FitNames(column="type", source="pk", label=of_type),
            "machineIds": IdListField(
                source="machine_ids", refers_to=Machine, where={"nodeType": levels},
                label=of_machine, required=False, max_ids=MOST_FITS,
            ),
            "machineNames": _FitNames(column="machine", source="pk", label=of_machine),
        }  # fmt: skip


class SpareRules(NounSerializer):
    """What holds between the fields of a part. Quantities and prices are those of the ledger: nobody writes them."""

    computed_from = ("available_qty",)

    def validate_typeIds(self, value: list[int]) -> list[int]:
        """Each of them is there."""
        return _known(MachineClass, value)

    def validate_machineIds(self, value: list[int]) -> list[int]:
        """Each of them is there."""
        return _known(Machine, value)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Maximum and minimum fit each other, whole pieces the stock, and a part without a barcode has its code."""
        before: Any = self.instance

        def value(name: str, nothing: Any) -> Any:
            return attrs[name] if name in attrs else getattr(before, name, nothing)

        if value("max_qty", 0) and value("max_qty", 0) < value("min_qty", 0):
            raise serializers.ValidationError({"maxQty": [_("最高库存不能小于最低库存")]})
        if attrs.get("is_integer") and before is not None and before.stock_qty != before.stock_qty.to_integral_value():
            text = _("「{name}」的数量必须是整数").format(name=before)
            raise serializers.ValidationError({"isInteger": [text]})
        meta: Any = SparePart._meta
        for name in ("min_qty", "max_qty", "safety_qty", "lead_days"):
            if name in attrs and attrs[name] is None:
                attrs[name] = meta.get_field(name).get_default()
        if not value("barcode", "").strip():
            attrs["barcode"] = value("spare_code", "")
        if before is None:
            extras.refuse_missing("spareinfo", attrs.get("ext", {}))
        return attrs

    def create(self, validated_data: Any) -> Any:
        """Store a part, and where it is used."""
        fits = self._taken(validated_data)
        made = super().create(validated_data)
        self._write(made, fits)
        return made

    def update(self, instance: Any, validated_data: Any) -> Any:
        """Change a part; where it is used is a change of it too."""
        fits = self._taken(validated_data)
        is_changed = bool(instance.change(validated_data))
        if self._write(instance, fits) and not is_changed:
            SparePart.count_write([instance.pk])
        return instance

    def _taken(self, values: dict[str, Any]) -> dict[str, list[int]]:
        return {column: values.pop(f"{column}_ids") for column in ("type", "machine") if f"{column}_ids" in values}

    def _write(self, spare: SparePart, wanted: Mapping[str, Iterable[int]]) -> bool:
        """Let the part be used at these types and assets; return whether anything has changed."""
        is_changed = False
        for column, ids in wanted.items():
            rows = SpareFit.objects.filter(spare=spare, **{f"{column}__isnull": False})
            known = set(rows.values_list(column, flat=True))
            gone, new = known - set(ids), [pk for pk in ids if pk not in known]
            if gone:
                rows.filter(**{f"{column}__in": gone}).delete()
            SpareFit.objects.bulk_create(SpareFit(spare=spare, **{f"{column}_id": pk}) for pk in new)
            is_changed |= bool(gone or new)
        spare.forget_fits()
        return is_changed


def _known(model: Any, ids: list[int]) -> list[int]:
    if model.objects.filter(pk__in=ids).count() != len(ids):
        raise serializers.ValidationError(_("数据不存在或已被删除"))
    return ids


# --- movements ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SpareFacts(Shape):
    """By which people know a part, beside its name."""

    def fields(self, model: Any) -> Serialized:
        """Return code, specification and unit."""
        column: Any = SparePart._meta.get_field
        return {
            "spareCode": NameField(source="spare.spare_code", label=column("spare_code").verbose_name),
            "spec": NameField(source="spare.spec", label=column("spec").verbose_name),
            "unit": NameField(source="spare.unit", label=column("unit").verbose_name),
        }


@dataclass(frozen=True)
class UseLog(Shape):
    """The request by which a part was issued or came back."""

    def fields(self, model: Any) -> Serialized:
        """Return its id and number; empty for a movement by hand."""
        said = label("领用单", "Spare request")
        return {
            "useLogId": IdField(source="request_id", read_only=True, allow_null=True, label=said),
            "logNo": NameField(source="request.log_no", label=said),
        }


REVERSED = Computed(
    "is_reversed",
    label("已冲销", "Corrected"),
    Q(models.Exists(SpareMove.objects.filter(reverse_of=OuterRef("pk")))),
    models.BooleanField(),
)


class MoveMade(serializers.Serializer):  # type: ignore[type-arg]
    """A movement that was entered."""

    id = serializers.CharField()
    flowNo = serializers.CharField()
    afterQty = serializers.FloatField()
    avgPrice = serializers.FloatField()


class CountedPart(serializers.Serializer):  # type: ignore[type-arg]
    """A part that was counted: what is on record, what is there, and what the difference is worth."""

    spareId = serializers.CharField()
    spareCode = serializers.CharField()
    spareName = serializers.CharField()
    spec = serializers.CharField()
    unit = serializers.CharField()
    locationCode = serializers.CharField()
    stockQty = serializers.FloatField()
    reservedQty = serializers.FloatField()
    countedQty = serializers.FloatField()
    difference = serializers.FloatField()
    price = serializers.FloatField()
    amount = serializers.FloatField()
    error = serializers.CharField(help_text="Why the difference cannot be entered; empty where it can.")


class Count(serializers.Serializer):  # type: ignore[type-arg]
    """What a count found."""

    lines = CountedPart(many=True)
    surplus = serializers.IntegerField(help_text="Parts of which more is there than on record.")
    shortage = serializers.IntegerField(help_text="Parts of which less is there.")
    surplusAmount = serializers.FloatField()
    shortageAmount = serializers.FloatField()
    preview = serializers.BooleanField()


# --- requests -------------------------------------------------------------------------------------------------------


class LineShown(serializers.Serializer):  # type: ignore[type-arg]
    """A line of a request, with what is in stock now."""

    lineId = IdField(source="pk")
    spareId = IdField(source="spare_id")
    spareCode = NameField(source="spare.spare_code", label=label("备件编号", "Part code"))
    spareName = NameField(source="spare.spare_name", label=label("备件名称", "Part name"))
    spec = NameField(source="spare.spec", label=label("规格型号", "Specification"))
    unit = NameField(source="spare.unit", label=label("单位", "Unit"))
    barcode = NameField(source="spare.barcode", label=label("条码", "Barcode"))
    isInteger = serializers.SerializerMethodField()
    locationCode = NameField(source="spare.location_code", label=label("库位", "Location"))
    planQty = AmountField(source="plan_qty", max_digits=12, decimal_places=3, label=label("申请数量", "Requested"))
    reservedQty = AmountField(source="reserved_qty", max_digits=12, decimal_places=3, label=label("预留", "Reserved"))
    issuedQty = AmountField(source="issued_qty", max_digits=12, decimal_places=3, label=label("出库", "Issued"))
    returnedQty = AmountField(source="returned_qty", max_digits=12, decimal_places=3, label=label("退回", "Returned"))
    shortQty = AmountField(source="short_qty", max_digits=12, decimal_places=3, label=label("缺少", "Short"))
    stockQty = AmountField(source="spare.stock_qty", max_digits=12, decimal_places=3, label=label("库存", "In stock"))
    availableQty = AmountField(
        source="spare.available_qty", max_digits=12, decimal_places=3, label=label("可用", "Available")
    )
    price = AmountField(max_digits=14, decimal_places=4, label=label("单价", "Price"))
    amount = MoneyField(label=label("金额", "Amount"))
    remark = serializers.CharField()

    def get_isInteger(self, line: Any) -> int:
        """1: whole numbers only."""
        return int(line.spare.is_integer)


class RequestShown(serializers.Serializer):  # type: ignore[type-arg]
    """A request with its lines, and what the caller may do with it."""

    id = IdField(source="pk")
    logNo = serializers.CharField(source="log_no")
    status = serializers.IntegerField()
    statusName = NameField(source="get_status_display")
    orderType = serializers.IntegerField(source="order_type")
    orderTypeName = NameField(source="get_order_type_display")
    orderId = IdField(source="order_id", allow_null=True)
    orderNo = serializers.CharField(source="order_no")
    orderNoun = serializers.SerializerMethodField()
    machineId = IdField(source="machine_id", allow_null=True)
    machineName = NameField(source="machine")
    applyUserId = IdField(source="apply_user_id", allow_null=True)
    applyUserName = NameField(source="apply_user")
    applyDeptName = NameField(source="apply_dept")
    applyTime = serializers.DateTimeField(source="apply_time")
    handleUserName = NameField(source="handle_user")
    handleTime = serializers.DateTimeField(source="handle_time", allow_null=True)
    handleRemark = serializers.CharField(source="handle_remark")
    lineCount = serializers.IntegerField(source="line_count")
    totalAmount = MoneyField(source="total_amount")
    remark = serializers.CharField()
    createTime = serializers.DateTimeField(source="create_time")
    updateTime = serializers.DateTimeField(source="update_time", allow_null=True)
    lockVersion = serializers.IntegerField(source="lock_version")
    lines = serializers.SerializerMethodField()
    allowedActions = serializers.SerializerMethodField()

    def get_orderNoun(self, request: SpareUseLog) -> str:
        """The business type of its order, empty where there is none."""
        return str(self.context["noun"](request))

    @extend_schema_field(LineShown(many=True))
    def get_lines(self, request: SpareUseLog) -> list[dict[str, Any]]:
        """In the order in which they were requested."""
        rows = sorted(request.lines.all(), key=lambda line: line.pk)
        return list(LineShown(rows, many=True).data)

    def get_allowedActions(self, request: SpareUseLog) -> list[str]:
        """What the caller may do now."""
        return list(self.context["allowed"](request))


class RequestDetail(RequestShown):
    """The same with its history."""

    logs = LogSerializer(many=True)


class HandledShown(serializers.Serializer):  # type: ignore[type-arg]
    """How a line stands after an act."""

    lineId = serializers.CharField()
    spareId = serializers.CharField()
    planQty = serializers.FloatField()
    reservedQty = serializers.FloatField()
    issuedQty = serializers.FloatField()
    returnedQty = serializers.FloatField()
    shortQty = serializers.FloatField()


class LowPart(serializers.Serializer):  # type: ignore[type-arg]
    """A part that is at its minimum or below it."""

    spareId = serializers.CharField()
    spareName = serializers.CharField()
    availableQty = serializers.FloatField()
    minQty = serializers.FloatField()


class Handled(serializers.Serializer):  # type: ignore[type-arg]
    """How a request stands after an act."""

    id = serializers.CharField()
    logNo = serializers.CharField()
    status = serializers.IntegerField()
    statusName = serializers.CharField()
    lockVersion = serializers.IntegerField()
    lines = HandledShown(many=True)
    lowStock = LowPart(many=True)
