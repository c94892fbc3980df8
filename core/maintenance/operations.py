"""The commands on repair orders: they check rights and input, and hand the step to the order's process.

No command assigns `status`: that is what the process's effects do. Both doors end here: `repairorder/update` names
the order and the action, `complete-task` names the step and its outcome.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from core.equipment.models import Machine, NodeType, RunState
from core.kernel import clock, ports, writes
from core.kernel.act import current_act
from core.kernel.actor import Actor
from core.kernel.compiled import Compiled
from core.kernel.errors import Conflict, Invalid, Missing, NotAllowed, Refusal, Stale
from core.kernel.operation import digest, operation
from core.kernel.steps import Action, Steps, checked
from core.kernel.texts import moment
from core.maintenance import faults, lines, people, stoppages
from core.maintenance.actions import ACTIONS, BY_OUTCOME, may_edit, may_write_line_of, may_write_lines
from core.maintenance.inputs import EditInput, SaveInput
from core.maintenance.models import OPEN, CancelReason, RepairLine, RepairOrder, Status
from core.maintenance.queries import sees
from core.system import parameters
from core.system.numbers import next_number

BUSINESS_TYPE = "repairorder"
MODEL = "repairorder"


_LOCKED = Compiled(
    lambda order_id: RepairOrder.objects.select_related("machine").select_for_update(of=("self",)).filter(pk=order_id)
)


def load(order_id: int) -> RepairOrder:
    """The order, locked for this transaction."""
    order: RepairOrder | None = next(iter(_LOCKED.rows(order_id)), None)
    if order is None:
        raise Missing()
    return order


def store(order: RepairOrder) -> None:
    """Store the order after a step; whoever read it before must read it again."""
    order.lock_version += 1
    if order._state.adding:
        writes.insert([order])
    else:
        writes.update(order)


def names_for_models(order: RepairOrder) -> Mapping[str, Any]:
    """What conditions and candidate rules of a model may read as `record.*`."""
    claim_team = order.machine.team_id if parameters.repair().claim_enabled else None
    return {
        "urgency": order.urgency,
        "isStop": order.is_stop,
        "importance": order.machine.importance,
        "deptId": order.dept_id,
        "reportUserId": order.report_user_id,
        "repairUserId": order.repair_user_id or "",
        "teamId": order.team_id or "",
        "claimTeamId": claim_team or "",
        "reworkCount": order.rework_count,
        "totalCost": float(order.total_cost),
    }


def _answer(order: RepairOrder) -> dict[str, Any]:
    return {
        "id": str(order.pk),
        "orderNo": order.order_no,
        "status": order.status,
        "statusName": order.get_status_display(),
        "lockVersion": order.lock_version,
    }


@operation("repairorder.save", code="repairorder_add")
def save(actor: Actor, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Report a fault. A likely duplicate is shown instead of stored, until the report comes again with `force`."""
    values = checked(SaveInput, raw)
    machine = Machine.objects.select_related("dept").filter(pk=values["machineId"]).first()
    if machine is None:
        raise Invalid({"machineId": _("数据不存在或已被删除")})
    if machine.node_type not in (NodeType.MACHINE, NodeType.COMPONENT):
        raise Invalid({"machineId": _("请选择{field}").format(field=_("设备"))})
    if machine.run_state == RunState.SCRAPPED:
        raise Invalid({"machineId": _("设备已报废，不能报修")})
    if not values["force"]:
        alike = RepairOrder.objects.filter(machine=machine, status__in=OPEN).order_by("-id")[:5]
        if alike:
            current_act().nothing_happened = True  # neither an event nor the idempotency key: the report may follow
            return {"needConfirm": True, "orders": [_duplicate(order) for order in alike]}
    now = clock.now()
    symptoms = values.get("faultTagIds", [])
    before = faults.comes_back(machine, symptoms)
    number = next_number("WX")
    order = RepairOrder(
        order_no=number,
        lock_version=0,
        machine=machine,
        dept=machine.dept,
        title=values.get("title") or faults.title_of(machine, symptoms, values["description"]),
        description=values["description"],
        urgency=values["urgency"],
        repair_type=values.get("repairType"),
        is_stop=values["isStop"],
        stop_start=(values.get("stopStart") or now) if values["isStop"] else None,
        fault_tag_ids=symptoms,
        repeat_of=before,
        repeat_count=before.repeat_count + 1 if before else 0,
        images=values.get("images", []),
        voice=values.get("voice", ""),
        files=values.get("files", []),
        report_user_id=actor.user_id,
        report_time=now,
    )
    STEPS.tell_act(order)
    ports.processes.start(MODEL, order, title=order.title, number=number, starter=actor)
    return _answer(order)


def _duplicate(order: RepairOrder) -> dict[str, Any]:
    return {
        "id": str(order.pk),
        "orderNo": order.order_no,
        "title": order.title,
        "statusName": order.get_status_display(),
        "reportTime": moment(order.report_time),
    }


def _check_business(action: Action, order: RepairOrder, values: dict[str, Any]) -> None:
    """Rules beyond the fields themselves."""
    person = values.get("repairUserId")
    if person and not people.repairers(only_id=person):
        raise Invalid({"repairUserId": _("请选择维修人员")})
    if action.name == "dispatch" and values.get("teamId") and not people.team_people(values["teamId"]):
        raise Invalid({"teamId": _("请选择{field}").format(field=_("维修班组"))})
    helpers = values.get("helperIds") or []
    if helpers and people.count_helpers(helpers, order.machine.team_id) != len(helpers):
        raise Invalid({"helperIds": _("协助人员须为设备维修班组的成员")})
    if action.name == "finish" and not order.lines.exists():
        raise Refusal("order.noLines", _("请至少填写一条工时"))


def _queued(action: Action, outcome: str, comment: str, raw: dict[str, Any]) -> None:
    """The queue's comment says what was done; its outcome is the verdict."""
    if action.name == "finish" and comment:
        raw.setdefault("solution", comment)
    if action.name == "check":
        raw["checkResult"] = 1 if outcome == "pass" else 2


STEPS = Steps(
    business_type=BUSINESS_TYPE,
    unfit=lambda text: Refusal("order.wrongState", text),
    actions=ACTIONS,
    by_outcome=BY_OUTCOME,
    load=load,
    sees=sees,
    answer=_answer,
    remarks=("reason", "checkRemark", "remark"),
    check=_check_business,
    queued=_queued,
)
by_record, by_item = STEPS.by_record, STEPS.by_item


def cancel(actor: Actor, order_id: int, reason: str) -> Any:
    """Cancel the order for whoever ends its process; who may is decided as on the order's page."""
    raw = {"cancelReason": int(CancelReason.OTHER), "remark": reason}
    return STEPS.commands["cancel"](actor, order_id, raw, None, None, "", digest(["cancel", reason]))


@operation("repairorder.edit", code="repairorder_edit")
def edit(actor: Actor, order_id: int, read_version: int, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Change description, photos, urgency or promise; the timers follow."""
    order = STEPS.locked(actor, order_id)
    if read_version != order.lock_version:
        raise Stale()
    if not may_edit(actor, order):
        raise NotAllowed()
    values = checked(EditInput, raw, order)
    urgency = values.get("urgency", order.urgency)
    if order.accept_time is not None and urgency > order.urgency:
        raise Invalid({"urgency": _("接单后不能降低紧急程度")})
    order.urgency = urgency
    order.description = values.get("description", order.description)
    order.images = values.get("images", order.images)
    order.plan_finish_time = values.get("planFinishTime", order.plan_finish_time)
    store(order)
    STEPS.tell_act(order)
    ports.processes.due_again(order)
    return _answer(order)


@operation("repairorder.delete", code="repairorder_delete")
def remove(actor: Actor, ids: list[int]) -> None:
    """Delete orders that were reported by mistake or cancelled, all or none; what they said of machines goes with them.

    An order that still waits for its dispatch is cancelled first, because its process ends by that alone.
    """
    if not ids:
        raise Missing()
    for order_id in sorted(ids):
        order = STEPS.locked(actor, order_id)
        if order.status not in (Status.REPORTED, Status.CANCELLED):
            raise STEPS.wrong_state(order, _("删除"))
        if order.lines.exists():
            raise Conflict("order.hasLines", _("维修单{number}已有工时，不能删除").format(number=order.order_no))
        if order.status == Status.REPORTED:
            reason = {"cancelReason": CancelReason.OTHER}
            said = ports.Completion("cancel", actor, reason, record_version=order.lock_version)
            ports.processes.send(order, ACTIONS["cancel"].message, said)
        order.is_deleted = True
        order.save(update_fields=["is_deleted", "update_user", "update_time"])
        stoppages.forget(order)
        STEPS.tell_act(order)
    current_act().remark = ",".join(str(order_id) for order_id in sorted(ids))


@operation("repairorder.line", code="repairorder_repair")
def write_line(actor: Actor, line_id: int | None, order_id: int, values: Mapping[str, Any]) -> dict[str, Any]:
    """Write or change a work line. The hourly rate is the person's at this moment.

    Answers its id, and warnings where the person has worked on another order at the same time.
    """
    order = STEPS.locked(actor, order_id)
    line = RepairLine.objects.filter(pk=line_id, order=order).first() if line_id else RepairLine(order=order)
    if line is None:
        raise Missing()
    for user_id in {values["user_id"], line.user_id or values["user_id"]}:
        _check_line(actor, order, user_id)
    if not people.repairers(only_id=values["user_id"]):
        raise Invalid({"userId": _("请选择{field}").format(field=_("维修人"))})
    line.user_id, line.images = values["user_id"], values.get("images", line.images)
    line.work_type, line.content = values["work_type"], values["content"]
    line.start_time, line.end_time = values["start_time"], values["end_time"]
    lines.check(order, line)
    lines.priced(line)
    line.save()
    lines.settle(order)
    STEPS.tell_act(order)
    return {"id": str(line.pk), "warnings": lines.warnings(line)}


@operation("repairorder.removeLine", code="repairorder_repair")
def remove_lines(actor: Actor, ids: list[int]) -> None:
    """Take work lines back, all or none."""
    rows = list(RepairLine.objects.filter(pk__in=ids))
    if not ids or len(rows) != len(ids):
        raise Missing()
    for order_id in sorted({line.order_id for line in rows}):
        order = STEPS.locked(actor, order_id)
        for line in rows:
            if line.order_id == order_id:
                _check_line(actor, order, line.user_id)
                line.is_deleted = True
                line.save(update_fields=["is_deleted", "update_user", "update_time"])
        lines.settle(order)
        STEPS.tell_act(order)


def _check_line(actor: Actor, order: RepairOrder, user_id: int) -> None:
    """Raise where this person's line on the order may not be written by the actor now."""
    if order.status not in (Status.REPAIRING, Status.ON_HOLD, Status.TO_CHECK):
        raise _line_state(order)
    if not may_write_lines(actor, order):
        raise NotAllowed() if order.status != Status.TO_CHECK else _line_state(order)
    if not may_write_line_of(actor, order, user_id):
        raise NotAllowed(_("只能填写本人的工时"))


def _line_state(order: RepairOrder) -> Refusal:
    return STEPS.wrong_state(order, _("填写工时"))
