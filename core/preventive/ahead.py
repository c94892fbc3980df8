"""What maintenance an asset has: its standards with cycle, last and next dates, items, and parts with their stock.

It fills the form of an order that is made by hand, and the page of the asset.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import Prefetch, Q
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.equipment.models import Machine
from core.inspection import due
from core.inspection.cycles import DueState
from core.inspection.items import CheckItem
from core.inspection.models import CheckStandard, ConfigType, MaintenancePlan, PlannedPart
from core.inspection.upkeep_fields import cycle_text
from core.kernel.errors import Invalid, Missing
from core.kernel.ids import is_id
from core.preventive.models import OPEN, MaintainOrder
from core.rest.serializers import DayField, MomentField
from core.system.periods import today


class PartAhead(serializers.Serializer):  # type: ignore[type-arg]
    """A planned part and what is in stock of it."""

    spareId = serializers.CharField()
    spareName = serializers.CharField()
    spec = serializers.CharField()
    unit = serializers.CharField()
    qty = serializers.FloatField()
    availableQty = serializers.FloatField()
    short = serializers.FloatField(help_text="What is missing in stock; 0 where there is enough.")


class StandardAhead(serializers.Serializer):  # type: ignore[type-arg]
    """A standard by which an asset is maintained, or could be: then `linked` is 0 and it has no dates."""

    configId = serializers.CharField()
    configName = serializers.CharField()
    level = serializers.IntegerField()
    levelName = serializers.CharField()
    linked = serializers.IntegerField()
    paused = serializers.IntegerField()
    triggerType = serializers.IntegerField()
    cycleText = serializers.CharField()
    runInterval = serializers.FloatField(allow_null=True)
    lastDoneTime = MomentField(allow_null=True)
    lastDoneHours = serializers.FloatField(allow_null=True)
    nextDueDate = DayField(allow_null=True)
    nextDueHours = serializers.FloatField(allow_null=True)
    predictedDate = DayField(allow_null=True)
    dueState = serializers.IntegerField(allow_null=True)
    dueStateName = serializers.CharField()
    skippedCount = serializers.IntegerField()
    openOrderId = serializers.CharField(allow_null=True)
    estMinutes = serializers.IntegerField()
    needStop = serializers.IntegerField()
    needCheck = serializers.IntegerField()
    needSign = serializers.IntegerField()
    safety = serializers.CharField()
    tools = serializers.CharField()
    items = CheckItem(many=True)
    parts = PartAhead(many=True)


def of_machine(machine: Machine, config_id: int | None, day: date) -> Iterator[dict[str, Any]]:
    """Yield the standards of an asset as callers read them, linked ones first; a constant number of statements."""
    rows = MaintenancePlan.objects.filter(machine=machine, config__is_deleted=False)
    plans = {row.config_id: row for row in rows}
    classes = [int(step) for step in machine.type.path.strip("/").split("/")] if machine.type is not None else []
    parts = PlannedPart.objects.select_related("spare").order_by("pk")
    offered = Q(Q(pk__in=plans) | Q(type__in=classes), is_sealed=False) if config_id is None else Q(pk=config_id)
    standards = CheckStandard.objects.filter(offered, config_type=ConfigType.MAINTENANCE)
    standards = standards.prefetch_related(Prefetch("parts", parts))
    found = sorted(standards.order_by("config_code", "pk"), key=lambda one: one.pk not in plans)
    orders = MaintainOrder.objects.filter(machine=machine, config__in=found, status__in=OPEN).order_by()
    there = dict(orders.values_list("config", "pk"))
    for config in found:
        yield _wire(machine, config, plans.get(config.pk), there.get(config.pk), day)


def _number(value: Decimal | None) -> float | None:
    return None if value is None else float(value)


def _wire(
    machine: Machine, config: CheckStandard, plan: MaintenancePlan | None, order_id: int | None, day: date
) -> dict[str, Any]:
    state: DueState | None = None
    if plan is not None:
        state = due.state(config.cycle, due.Due(plan.next_due_date, plan.next_due_hours), day, machine.run_hours)
    next_hours = plan.next_due_hours if plan is not None else None
    return {
        "configId": str(config.pk),
        "configName": config.config_name,
        "level": config.level,
        "levelName": config.get_level_display(),
        "linked": int(plan is not None),
        "paused": int(plan is not None and plan.paused),
        "triggerType": config.trigger_type,
        "cycleText": cycle_text(config.cycle, machine.meter_unit),
        "runInterval": _number(config.run_interval),
        "lastDoneTime": plan.last_done_time if plan is not None else None,
        "lastDoneHours": _number(plan.last_done_hours if plan is not None else None),
        "nextDueDate": plan.next_due_date if plan is not None else None,
        "nextDueHours": _number(next_hours),
        "predictedDate": due.predicted(next_hours, machine.run_hours, machine.avg_daily_hours, day),
        "dueState": state,
        "dueStateName": str(state.label) if state is not None else "",
        "skippedCount": plan.skipped_count if plan is not None else 0,
        "openOrderId": str(order_id) if order_id is not None else None,
        "estMinutes": config.est_minutes,
        "needStop": int(config.need_stop),
        "needCheck": int(config.need_check),
        "needSign": int(config.need_sign),
        "safety": config.safety,
        "tools": config.tools,
        "items": config.items,
        "parts": [_part(one) for one in config.parts.all()],
    }


def _part(one: PlannedPart) -> dict[str, Any]:
    spare = one.spare
    return {
        "spareId": str(spare.pk),
        "spareName": spare.spare_name,
        "spec": spare.spec,
        "unit": spare.unit,
        "qty": float(one.qty),
        "availableQty": float(spare.available_qty),
        "short": float(max(one.qty - spare.available_qty, Decimal(0))),
    }


def _asked_day(text: str) -> date:
    try:
        return DayField().run_validation(text) if text.strip() else today()
    except serializers.ValidationError as error:
        raise Invalid({"date": str(error.detail[0])}) from None  # type: ignore[index]


class MaintainConfigs:
    """Mix in before the view set of orders: `getMaintainConfig`."""

    @extend_schema(
        parameters=[
            OpenApiParameter("machineId", str, required=True), OpenApiParameter("configId", str),
            OpenApiParameter("date", str, description="The day that it is asked for; today by default."),
        ],
        responses=StandardAhead(many=True),
    )  # fmt: skip
    @action(detail=False, methods=["get"], url_path="getMaintainConfig")
    def get_maintain_config(self: Any, request: Request) -> Response:
        """Answer the maintenance standards of an asset: those that plan it first, then those of its asset type."""
        given = request.query_params
        if not given.get("machineId", "").strip():
            raise Invalid({"machineId": _("请选择设备")})
        machine = Machine.objects.select_related("type").filter(pk=self.id_parameter("machineId")).first()
        if machine is None:
            raise Missing()
        config = given.get("configId", "").strip()
        if config and not is_id(config):
            raise Missing()
        rows: Sequence[dict[str, Any]] = list(
            of_machine(machine, int(config) if config else None, _asked_day(given.get("date", "")))
        )
        return Response(StandardAhead(rows, many=True, context=self.get_serializer_context()).data)
