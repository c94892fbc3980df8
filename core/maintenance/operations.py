"""The commands on repair orders: they check rights and input, and hand the step to the order's process.

No command assigns `status`: that is what the process's effects do. Both doors end here: `repairorder/update` names
the order and the action, `complete-task` names the step and its outcome.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from core.equipment.models import Machine, NodeType, RunState
from core.kernel import clock, ports
from core.kernel.act import current_act
from core.kernel.actor import Actor
from core.kernel.compiled import Compiled
from core.kernel.errors import Invalid, Missing, NotAllowed, Refusal, Stale
from core.kernel.operation import digest, operation
from core.kernel.steps import Action, Steps, checked
from core.kernel.texts import moment
from core.maintenance import people
from core.maintenance.actions import ACTIONS, BY_OUTCOME, may_edit, may_write_lines
from core.maintenance.inputs import EditInput, SaveInput
from core.maintenance.models import OPEN, CancelReason, RepairLine, RepairOrder, Status
from core.maintenance.queries import visible
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
    order.save()


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
    }


def sees(actor: Actor, order_id: int) -> bool:
    """Whether the order lies within the actor's data scope."""
    return visible(actor).filter(pk=order_id).exists()


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
    number = next_number("WX")
    order = RepairOrder(
        order_no=number,
        lock_version=0,
        machine=machine,
        dept=machine.dept,
        title=values.get("title") or f"{machine.machine_name} {values['description']}"[:80],
        description=values["description"],
        urgency=values["urgency"],
        repair_type=values.get("repairType"),
        is_stop=values["isStop"],
        stop_start=(values.get("stopStart") or now) if values["isStop"] else None,
        fault_tag_ids=values.get("faultTagIds", []),
        images=values.get("images", []),
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


def _check_business(action: Action, order: RepairOrder, values: Mapping[str, Any]) -> None:
    """Rules beyond the fields themselves."""
    person = values.get("repairUserId")
    if person and not people.repairers(only_id=person):
        raise Invalid({"repairUserId": _("请选择维修人员")})
    if action.name == "dispatch" and values.get("teamId") and not people.team_people(values["teamId"]):
        raise Invalid({"teamId": _("请选择{field}").format(field=_("维修班组"))})
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
    values = checked(EditInput, raw)
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


@operation("repairorder.line", code="repairorder_repair")
def write_line(actor: Actor, line_id: int | None, order_id: int, values: Mapping[str, Any]) -> dict[str, str]:
    """Write or change a work line. The hourly rate is the person's at this moment."""
    order = STEPS.locked(actor, order_id)
    if not may_write_lines(actor, order):
        raise NotAllowed() if order.status in (Status.REPAIRING, Status.ON_HOLD) else _line_state(order)
    line = RepairLine.objects.filter(pk=line_id, order=order).first() if line_id else RepairLine(order=order)
    if line is None:
        raise Missing()
    person = people.repairers(only_id=values["user_id"])
    if not person:
        raise Invalid({"userId": _("请选择{field}").format(field=_("维修人"))})
    line.user_id = values["user_id"]
    line.work_type, line.content = values["work_type"], values["content"]
    line.start_time, line.end_time = values["start_time"], values["end_time"]
    line.hour_rate = line.user.hour_rate or parameters.repair().labour_rate
    line.save()
    STEPS.tell_act(order)
    return {"id": str(line.pk)}


@operation("repairorder.removeLine", code="repairorder_repair")
def remove_lines(actor: Actor, ids: list[int]) -> None:
    """Take work lines back, all or none."""
    lines = list(RepairLine.objects.filter(pk__in=ids))
    if not ids or len(lines) != len(ids):
        raise Missing()
    for order_id in sorted({line.order_id for line in lines}):
        order = STEPS.locked(actor, order_id)
        if not may_write_lines(actor, order):
            raise _line_state(order)
        STEPS.tell_act(order)
    for line in lines:
        line.is_deleted = True
        line.save(update_fields=["is_deleted", "update_user", "update_time"])


def _line_state(order: RepairOrder) -> Refusal:
    return STEPS.wrong_state(order, _("填写工时"))
