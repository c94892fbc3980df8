"""Maintenance orders are made here: by the plan and by hand."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.cases import commands
from core.equipment.models import Machine
from core.inspection.models import CheckStandard, StandardVersion
from core.kernel.actor import Actor, acting, system
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Conflict
from core.kernel.operation import SYSTEM, operation
from core.kernel.tenancy import current_tenant
from core.preventive.models import OPEN, MaintainOrder, MaintainOrderDetail, Source
from core.system.numbers import next_number

_COPIED = (
    "config_name", "level", "trigger_type", "est_minutes", "need_stop", "need_check", "need_sign", "tools", "safety",
    "team_id", "user_ids",
)  # fmt: skip
"""Columns of the standard that stay with the order as they were."""


def key_of(config_id: int, machine_id: int, due: object) -> str:
    """Return the key of what is due, a date or a reading; no two orders have the same."""
    return f"{config_id}:{machine_id}:{due}"


def open_order(
    plan: Any, *, due_date: date, due_hours: Decimal | None, source: Source = Source.PLAN, now: datetime,
    key: str = "", is_first: bool = False,
) -> MaintainOrder | None:  # fmt: skip
    """Make the order of what is due by a plan row, in a transaction of its own, or part of the caller's.

    None where it was made before, or another order of the same standard and asset is still open. `key` is the last part
    of the order's key; by default the due date.
    """
    actor = system(current_tenant())
    with acting(actor), transaction.atomic():
        values = {
            "due_date": due_date, "due_hours": due_hours, "source": source, "is_first": is_first,
            "gen_key": key_of(plan.config_id, plan.machine_id, key or due_date),
        }  # fmt: skip
        return _by_plan(actor, plan, values)


@operation("maintainorder.generate", code=SYSTEM)
def _by_plan(actor: Actor, plan: Any, values: Mapping[str, Any]) -> MaintainOrder | None:
    from core.preventive.case import MAINTAIN

    number = next_number(MAINTAIN.number.prefix)  # its lock lets one after the other look what is there
    made = MaintainOrder._base_manager.filter(gen_key=values["gen_key"]).exists()
    if made or is_open(plan.config_id, plan.machine_id):
        current_entry().nothing_happened = True
        return None
    order = new_order(plan.config, plan.machine, values)
    begin(actor, order, number)
    return order


def is_open(config_id: int, machine_id: int) -> bool:
    """Return whether an order of the standard on the asset is still open."""
    return MaintainOrder.objects.filter(config_id=config_id, machine_id=machine_id, status__in=OPEN).exists()


def refuse_second(config: CheckStandard, machine: Machine) -> None:
    """Raise Conflict where an order of the standard on the asset is still open; the lock of the number is held."""
    if is_open(config.pk, machine.pk):
        text = _("设备「{machine}」的「{standard}」已有未完成的保养单")
        raise Conflict("maintain.open", text.format(machine=machine.machine_name, standard=config.config_name))


def new_order(config: CheckStandard, machine: Machine, values: Mapping[str, Any]) -> MaintainOrder:
    """Return an order with what its standard says now; `values` stand in place of it."""
    order = MaintainOrder(
        **{name: getattr(config, name) for name in _COPIED},
        config=config,
        version=StandardVersion.objects.get(standard=config, version_no=config.version_no),
        machine=machine,
        dept_id=machine.dept_id,
    )
    for name, value in values.items():
        setattr(order, name, value)
    order.original_due_date = order.due_date
    return order


def begin(actor: Actor, order: MaintainOrder, number: str) -> dict[str, Any]:
    """Store the order with its items, and start its process."""
    from core.preventive.case import MAINTAIN

    answer = commands.begin(MAINTAIN, actor, order, number)
    MaintainOrderDetail.objects.bulk_create(
        MaintainOrderDetail(order=order, item_id=item["itemId"], item_name=item["itemName"], sort=item["sort"])
        for item in order.version.items
    )
    return answer
