"""What is done with maintenance orders beside the commands of the case: made by hand, removed; and their own items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from core import ports
from core.cases import commands
from core.cases.inputs import checked
from core.equipment.models import Machine, NodeType
from core.equipment.states import OUT_OF_USE
from core.inspection.models import CheckStandard, ConfigType
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Conflict, Invalid, Missing, NotAllowed, Stale
from core.kernel.operation import operation
from core.kernel.texts import plural
from core.preventive import assigning, orders, rules, work
from core.preventive.case import MAINTAIN
from core.preventive.inputs import MaintainDraftInput, MaintainSaveInput
from core.preventive.models import STOPS, MaintainOrder, MaintainOrderDetail, Source, Status
from core.preventive.parts import PARTS
from core.system.numbers import next_number

MOST_OWN_ITEMS = 20


@operation("maintainorder.save", code="maintainorder_add")
def save(actor: Actor, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Make an order by hand; what is not said is as the standard says."""
    values = checked(MaintainSaveInput, raw)
    config = _standard(values.pop("config_id"))
    machine = maintainable(values.pop("machine_id"))
    assigning.check_there(values)
    number = next_number(MAINTAIN.number.prefix)
    orders.refuse_second(config, machine)
    return orders.begin(actor, orders.new_order(config, machine, {**values, "source": Source.MANUAL}), number)


def _standard(config_id: int) -> CheckStandard:
    found: CheckStandard | None = CheckStandard.objects.filter(pk=config_id, config_type=ConfigType.MAINTENANCE).first()
    if found is None:
        raise Invalid({"configId": _("数据不存在或已被删除")})
    if found.is_sealed:
        raise Invalid({"configId": _("「{name}」已封存，不能使用").format(name=found)})
    return found


def maintainable(machine_id: int) -> Machine:
    """Return an asset that can be maintained; raises Invalid for any other."""
    machine: Machine | None = Machine.objects.select_related("dept").filter(pk=machine_id).first()
    if machine is None:
        raise Invalid({"machineId": _("数据不存在或已被删除")})
    if machine.node_type not in (NodeType.MACHINE, NodeType.COMPONENT):
        raise Invalid({"machineId": _("请选择{field}").format(field=_("设备"))})
    if machine.run_state in OUT_OF_USE:
        state = machine.get_run_state_display()
        raise Invalid({"machineId": _("设备「{name}」{state}，不能保养").format(name=machine, state=state)})
    if machine.is_sealed:
        raise Invalid({"machineId": _("「{name}」已封存，不能使用").format(name=machine)})
    return machine


@operation("maintainorder.draft", code="maintainorder_view")
def keep(actor: Actor, order_id: int, read_version: int, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Keep what the executor has written so far; nothing of it is checked for being complete.

    The history does not tell each word: it is no act.
    """
    order = _at_work(actor, order_id)
    if read_version != order.lock_version:
        raise Stale()
    work.keep(order, checked(MaintainDraftInput, raw, order))
    commands.store(order)
    current_entry().nothing_happened = True
    return commands.answer(MAINTAIN, order)


@operation("maintainorder.delete", code="maintainorder_delete")
def remove(actor: Actor, ids: list[int]) -> None:
    """Delete orders that were made by hand and that nobody has begun, all or none."""
    if not ids:
        raise Missing()
    for order_id in sorted(ids):
        process, order = commands.locked(MAINTAIN, actor, order_id)
        commands.describe_change(MAINTAIN, order)
        if order.status != Status.TO_DO:
            raise commands.wrong_state(MAINTAIN, order, _("删除"))
        if order.source != Source.MANUAL:
            text = _("保养单{number}由计划生成，不能删除，请取消").format(number=order.order_no)
            raise Conflict("maintain.planned", text)
        if PARTS.has_requests(order):
            text = _("保养单{number}有备件领用单，不能删除")
            raise Conflict("maintain.hasSpares", text.format(number=order.order_no))
        completion = ports.Completion("cancel", actor, {"cancelReason": ""}, record_version=order.lock_version)
        process.send(order, MAINTAIN.command["cancel"].message, completion)
        for detail in order.details.all():
            detail.remove()
        order.remove()
        STOPS.forget(order)
    current_entry().remark = ",".join(str(order_id) for order_id in sorted(ids))


@operation("maintainorder.item", code="maintainorder_view")
def write_item(actor: Actor, item_id: int | None, order_id: int | None, values: Mapping[str, Any]) -> dict[str, Any]:
    """Add an own item to an order on which the person works, or change what came of an item."""
    if item_id is not None:
        there = MaintainOrderDetail.objects.filter(pk=item_id).first()
        if there is None or (order_id is not None and there.order_id != order_id):
            raise Missing()
        order_id = there.order_id
    if order_id is None:
        raise Missing()
    order = _at_work(actor, order_id)
    row = MaintainOrderDetail.objects.get(pk=item_id) if item_id is not None else MaintainOrderDetail(order=order)
    given = dict(values)
    if row.item_id:
        given.pop("item_name", None)  # the standard's word
    elif not (given.get("item_name") or row.item_name):
        raise Invalid({"itemName": _("请输入{field}").format(field=_("项目"))})
    if item_id is None:
        own = order.details.filter(item_id="").count()
        if own >= MOST_OWN_ITEMS:
            raise Conflict("maintain.tooMany", plural("一张保养单最多{n}个临时项目", MOST_OWN_ITEMS))
        row.sort = len(order.version.items) + own + 1
        for name, value in given.items():
            setattr(row, name, value)
        row.save()
    else:
        row.change(given)
    current_entry().remark = row.item_name
    return {"id": str(row.pk)}


@operation("maintainorder.removeItem", code="maintainorder_view")
def remove_items(actor: Actor, ids: list[int]) -> None:
    """Take own items back, all or none."""
    rows = list(MaintainOrderDetail.objects.filter(pk__in=ids).order_by("pk"))
    if not ids or len(rows) != len(set(ids)):
        raise Missing()
    for order_id in sorted({row.order_id for row in rows}):
        _at_work(actor, order_id)
    for row in rows:
        if row.item_id:
            text = _("「{name}」是标准项目，不能删除").format(name=row.item_name)
            raise Conflict("maintain.standardItem", text)
        row.remove()
    current_entry().remark = "、".join(row.item_name for row in rows)


def _at_work(actor: Actor, order_id: int) -> MaintainOrder:
    """Return an order on which the person works now, locked; raises otherwise."""
    _process, order = commands.locked(MAINTAIN, actor, order_id)
    commands.describe_change(MAINTAIN, order)
    if order.status != Status.DOING:
        raise commands.wrong_state(MAINTAIN, order, _("编辑保养项目"))
    if not rules.may_keep(actor, order):
        raise NotAllowed()
    found: MaintainOrder = order
    return found
