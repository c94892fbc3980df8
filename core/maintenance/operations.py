"""What is done with repair orders beside the commands of the case: reported, removed; and their work lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _

from core import ports
from core.cases import commands
from core.cases.effects import put
from core.cases.inputs import checked
from core.equipment.models import Machine, NodeType, RunState, Tag
from core.identity.addresses import TooMany
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Conflict, Invalid, Missing, NotAllowed, Refusal
from core.kernel.operation import SYSTEM, operation
from core.maintenance import faults, lines, people
from core.maintenance.case import REPAIR
from core.maintenance.inputs import PlateReportInput, SaveInput
from core.maintenance.models import STOPS, CancelReason, RepairLine, RepairOrder, Source, Status
from core.maintenance.parts import PARTS
from core.maintenance.rules import may_write_line_of, may_write_lines
from core.maintenance.serializers import Duplicate
from core.storage import files
from core.system.numbers import next_number

MOST_BY_PLATE = 5
"""Reports without an account that one plate takes in an hour."""


_written: ContextVar[datetime | None] = ContextVar("written", default=None)


@contextmanager
def written(time: datetime) -> Iterator[None]:
    """Let a report count from when it was written, which is no part of the request: tries of it come at other times."""
    token = _written.set(time)
    try:
        yield
    finally:
        _written.reset(token)


@operation("repairorder.save", code="repairorder_add")
def save(actor: Actor, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Report a fault. A likely duplicate is shown instead of stored, until the report comes again with `force`."""
    return _report(actor, checked(SaveInput, raw), report_user_id=actor.user_id)


@operation("repairorder.reportByPlate", code=SYSTEM)
def report_by_plate(
    actor: Actor, plate_id: int, raw: Mapping[str, Any], pictures: Sequence[files.Looked] = ()
) -> dict[str, Any]:
    """Report a fault for somebody without an account, who has scanned the plate of the machine, with pictures of it."""
    values = checked(PlateReportInput, raw)
    # Locked, so that of many at once no more than allowed get through.
    plate = Tag.objects.select_for_update().get(pk=plate_id)
    hour_ago = clock.now() - timedelta(hours=1)
    if RepairOrder.objects.filter(plate=plate, report_time__gt=hour_ago).count() >= MOST_BY_PLATE:
        raise TooMany()
    values |= {"machine_id": plate.machine_id, "plate_id": plate.pk, "source": Source.SCAN}
    return _report(actor, values, pictures)


def _report(
    actor: Actor, values: dict[str, Any], pictures: Sequence[files.Looked] = (), **reporter: Any
) -> dict[str, Any]:
    """Make an order of a report, or answer which orders are likely the same."""
    machine = reportable(values["machine_id"])
    if not values.pop("force") and (alike := faults.alike(machine, values["fault_tag_ids"])):
        current_entry().nothing_happened = True  # neither an event nor the idempotency key: the report may follow
        return {"needConfirm": True, "orders": Duplicate(alike, many=True).data}
    if pictures:
        values["images"] = [files.store(one).name for one in pictures]
    return begin(actor, machine, values | reporter)


def reportable(machine_id: int) -> Machine:
    """Return a machine on which a fault can be reported; raises Invalid for any other."""
    machine: Machine | None = Machine.objects.select_related("dept").filter(pk=machine_id).first()
    if machine is None:
        raise Invalid({"machineId": _("数据不存在或已被删除")})
    if machine.node_type not in (NodeType.MACHINE, NodeType.COMPONENT):
        raise Invalid({"machineId": _("请选择{field}").format(field=_("设备"))})
    if machine.run_state == RunState.SCRAPPED:
        raise Invalid({"machineId": _("设备已报废，不能报修")})
    if machine.is_sealed:
        raise Invalid({"machineId": _("「{name}」已封存，不能使用").format(name=machine)})
    return machine


def begin(actor: Actor, machine: Machine, values: Mapping[str, Any]) -> dict[str, Any]:
    """Make the order of a fault, and start its process."""
    symptoms = values.get("fault_tag_ids", ())
    reported = _written.get() or clock.now()
    before = faults.comes_back(machine, symptoms)
    number = next_number(REPAIR.number.prefix)
    order = RepairOrder(
        **values, dept=machine.dept, report_time=reported, repeat_of=before,
        repeat_count=before.repeat_count + 1 if before else 0,
    )  # fmt: skip
    order.machine = machine
    order.title = order.title or faults.title_of(machine, symptoms, order.description)
    order.stop_start = (order.stop_start or reported) if order.is_stop else None
    return commands.begin(REPAIR, actor, order, number)


@operation("repairorder.delete", code="repairorder_delete")
def remove(actor: Actor, ids: list[int]) -> None:
    """Delete orders that were reported by mistake or cancelled, all or none; what they said of machines goes with them.

    An order that still waits for its dispatch is cancelled first, because its process ends by that alone.
    """
    if not ids:
        raise Missing()
    for order_id in sorted(ids):
        process, order = commands.locked(REPAIR, actor, order_id)
        commands.describe_change(REPAIR, order)
        if order.status not in (Status.REPORTED, Status.CANCELLED):
            raise commands.wrong_state(REPAIR, order, _("删除"))
        if order.lines.exists():
            raise Conflict("order.hasLines", _("维修单{number}已有工时，不能删除").format(number=order.order_no))
        if PARTS.has_requests(order):
            text = _("维修工单{number}有备件领用单，不能删除")
            raise Conflict("order.hasSpares", text.format(number=order.order_no))
        if order.status == Status.REPORTED:
            reason = {"cancel_reason": CancelReason.OTHER}
            completion = ports.Completion("cancel", actor, reason, record_version=order.lock_version)
            process.send(order, REPAIR.command["cancel"].message, completion)
        order.remove()
        STOPS.forget(order)
    current_entry().remark = ",".join(str(order_id) for order_id in sorted(ids))


@operation("repairorder.line", code="repairorder_repair")
def write_line(actor: Actor, line_id: int | None, order_id: int, values: Mapping[str, Any]) -> dict[str, Any]:
    """Write or change a work line. The hourly rate is the person's at this moment.

    Answers its id, and warnings where the person has worked on another order at the same time.
    """
    _process, order = commands.locked(REPAIR, actor, order_id)
    line = RepairLine.objects.filter(pk=line_id, order=order).first() if line_id else RepairLine(order=order)
    if line is None:
        raise Missing()
    for user_id in {values["user_id"], line.user_id or values["user_id"]}:
        _check_line(actor, order, user_id)
    if not people.repairers(only_id=values["user_id"]):
        raise Invalid({"userId": _("请选择{field}").format(field=_("维修人"))})
    put(line, values)
    lines.check(order, line)
    lines.priced(line)
    line.save()
    lines.settle(order)
    commands.describe_change(REPAIR, order)
    return {"id": str(line.pk), "warnings": lines.warnings(line)}


@operation("repairorder.removeLine", code="repairorder_repair")
def remove_lines(actor: Actor, ids: list[int]) -> None:
    """Take work lines back, all or none."""
    rows = list(RepairLine.objects.filter(pk__in=ids))
    if not ids or len(rows) != len(ids):
        raise Missing()
    for order_id in sorted({line.order_id for line in rows}):
        _process, order = commands.locked(REPAIR, actor, order_id)
        commands.describe_change(REPAIR, order)
        for line in rows:
            if line.order_id == order_id:
                _check_line(actor, order, line.user_id)
                line.remove()
        lines.settle(order)


def _check_line(actor: Actor, order: RepairOrder, user_id: int) -> None:
    """Raise where this person's line on the order may not be written by the actor now."""
    if order.status not in (Status.REPAIRING, Status.ON_HOLD, Status.TO_CHECK):
        raise _line_state(order)
    if not may_write_lines(actor, order):
        raise NotAllowed() if order.status != Status.TO_CHECK else _line_state(order)
    if not may_write_line_of(actor, order, user_id):
        raise NotAllowed(_("只能填写本人的工时"))


def _line_state(order: RepairOrder) -> Refusal:
    return commands.wrong_state(REPAIR, order, _("填写工时"))
