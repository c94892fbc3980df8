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
from core.kernel.errors import Conflict, Invalid, Missing, NotAllowed, Refusal, Stale
from core.kernel.operation import digest, operation
from core.kernel.texts import moment
from core.maintenance import people
from core.maintenance.actions import ACTIONS, Action, action_for, may, may_edit, may_write_lines
from core.maintenance.inputs import EditInput, SaveInput
from core.maintenance.models import OPEN, RepairLine, RepairOrder, Status
from core.maintenance.queries import visible
from core.system import parameters
from core.system.numbers import next_number

BUSINESS_TYPE = "repairorder"
MODEL = "repairorder"


def load(order_id: int) -> RepairOrder:
    """The order, locked for this transaction."""
    order = (
        RepairOrder.objects.select_related("machine", "report_user", "repair_user")
        .select_for_update(of=("self",))
        .filter(pk=order_id)
        .first()
    )
    if order is None:
        raise Missing()
    return order  # type: ignore[no-any-return]


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


def _checked(serializer_class: Any, raw: Mapping[str, Any], order: RepairOrder | None = None) -> dict[str, Any]:
    serializer = serializer_class(data=raw, context={"order": order})
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


@operation("repairorder.save", code="repairorder_add")
def save(actor: Actor, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Report a fault. A likely duplicate is shown instead of stored, until the report comes again with `force`."""
    values = _checked(SaveInput, raw)
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
    act = current_act()
    act.business_type, act.business_id = BUSINESS_TYPE, order.pk
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


def _locked(actor: Actor, order_id: int) -> RepairOrder:
    """The order, after its process: whoever sees it may try, and the locks are taken in the documented order."""
    if not sees(actor, order_id):
        raise Missing()
    ports.processes.lock(BUSINESS_TYPE, order_id)
    return load(order_id)


def _repeated(actor: Actor, order: RepairOrder, read_version: int, mark: str) -> Any:
    """The stored answer, when this very request was carried out before; raises a Conflict when another one was."""
    done = ports.processes.completed(BUSINESS_TYPE, order.pk, read_version)
    if done is None:
        raise Stale()
    if done.user_id == actor.user_id and done.digest == mark:
        current_act().nothing_happened = True
        return done.answer
    raise Conflict(
        "workflow.taskCompleted",
        _("「{step}」已由{name}于{time}处理，请刷新").format(
            step=done.node_name, name=done.user_name, time=moment(done.time)
        ),
        {"userName": done.user_name, "time": moment(done.time)},
    )


def _refuse(actor: Actor, action: Action, order: RepairOrder, item: ports.OpenItem | None) -> Refusal:
    """Why not: the wrong state, somebody else's step, or no right."""
    if item is None or item.node not in action.nodes:
        return Refusal(
            "order.wrongState",
            _("当前状态为「{status}」，不能{action}").format(
                status=order.get_status_display(), action=str(action.label).lower()
            ),
        )
    if item.assignee_id not in (None, actor.user_id):
        name = ports.people.names({item.assignee_id or 0}).get(item.assignee_id or 0, "")
        return Conflict("workflow.taskTaken", _("该任务已由{name}签收").format(name=name), {"userName": name})
    if action.name == "check":
        return NotAllowed(_("不能验收本人维修的单据"))
    return NotAllowed()


def _step(
    actor: Actor, action: Action, order: RepairOrder, item: ports.OpenItem | None, raw: Mapping[str, Any],
    comment: str, mark: str,
) -> dict[str, Any]:  # fmt: skip
    """Check right and input, and let the process go on."""
    if not may(actor, action, order, item):
        raise _refuse(actor, action, order, item)
    assert item is not None
    values = _checked(action.carries, raw, order)
    _check_business(action, order, values)
    remark = str(values.get("reason") or values.get("checkRemark") or values.get("remark") or comment)
    act = current_act()
    act.operation = f"repairorder.{action.name}"
    act.business_type, act.business_id, act.remark = BUSINESS_TYPE, order.pk, remark
    said = ports.Completion(
        outcome=action.outcome(values),
        actor=actor,
        data=values,
        comment=remark,
        record_version=order.lock_version,
        digest=mark,
    )
    if action.message:
        act.outcome = action.name
        ports.processes.send(order, action.message, said)
    else:
        ports.processes.complete(item.id, order, said, answer=lambda: _answer(order))
    return _answer(order)


def _check_business(action: Action, order: RepairOrder, values: Mapping[str, Any]) -> None:
    """Rules beyond the fields themselves."""
    person = values.get("repairUserId")
    if person and not people.repairers(only_id=person):
        raise Invalid({"repairUserId": _("请选择维修人员")})
    if action.name == "dispatch" and values.get("teamId") and not people.team_people(values["teamId"]):
        raise Invalid({"teamId": _("请选择{field}").format(field=_("维修班组"))})
    if action.name == "finish" and not order.lines.exists():
        raise Refusal("order.noLines", _("请至少填写一条工时"))


def _command(action: Action) -> Any:
    """The operation `repairorder.<action>`, reached from both doors."""

    @operation(f"repairorder.{action.name}", code=action.code)
    def command(
        actor: Actor, order_id: int, raw: Mapping[str, Any], read_version: int | None, item_id: int | None,
        comment: str, mark: str,
    ) -> dict[str, Any]:  # fmt: skip
        order = _locked(actor, order_id)
        if read_version is not None and read_version != order.lock_version:
            return _repeated(actor, order, read_version, mark)  # type: ignore[no-any-return]
        item = ports.processes.open_items(BUSINESS_TYPE, [order.pk]).get(order.pk)
        if item_id is not None and (item is None or item.id != item_id):
            raise Stale()
        return _step(actor, action, order, item, raw, comment, mark)

    return command


COMMANDS = {name: _command(action) for name, action in ACTIONS.items()}


def by_record(actor: Actor, order_id: int, read_version: int, action: str, raw: Mapping[str, Any]) -> Any:
    """The business door: the action on the order, as the person had read it."""
    command = COMMANDS.get(action)
    if command is None:
        raise Invalid({"action": _("请求参数格式错误: {name}").format(name="action")})
    mark = digest(["update", action, {k: v for k, v in raw.items() if k not in ("id", "lockVersion", "action")}])
    return command(actor, order_id, raw, read_version, None, "", mark)


def by_item(
    actor: Actor, order_id: int, item: ports.OpenItem, outcome: str, variables: Mapping[str, Any], comment: str,
    mark: str,
) -> Any:  # fmt: skip
    """The queue door: the step's outcome, as an action on the order. The comment serves where a reason is asked."""
    action = action_for(item.node, outcome)
    if action is None:
        raise Refusal("workflow.outcome", _("该步骤不能选择此处理结果"))
    raw = dict(variables)
    if comment:
        for name in ("reason", "remark", "checkRemark"):
            raw.setdefault(name, comment)
        if action.name == "finish":
            raw.setdefault("solution", comment)
    if action.name == "check":
        raw["checkResult"] = 1 if outcome == "pass" else 2
    return COMMANDS[action.name](actor, order_id, raw, None, item.id, comment, mark)


@operation("repairorder.edit", code="repairorder_edit")
def edit(actor: Actor, order_id: int, read_version: int, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Change description, photos, urgency or promise; the timers follow."""
    order = _locked(actor, order_id)
    if read_version != order.lock_version:
        raise Stale()
    if not may_edit(actor, order):
        raise NotAllowed()
    values = _checked(EditInput, raw)
    urgency = values.get("urgency", order.urgency)
    if order.accept_time is not None and urgency > order.urgency:
        raise Invalid({"urgency": _("接单后不能降低紧急程度")})
    order.urgency = urgency
    order.description = values.get("description", order.description)
    order.images = values.get("images", order.images)
    order.plan_finish_time = values.get("planFinishTime", order.plan_finish_time)
    store(order)
    act = current_act()
    act.business_type, act.business_id = BUSINESS_TYPE, order.pk
    ports.processes.due_again(order)
    return _answer(order)


@operation("repairorder.line", code="repairorder_repair")
def write_line(actor: Actor, line_id: int | None, order_id: int, values: Mapping[str, Any]) -> dict[str, str]:
    """Write or change a work line. The hourly rate is the person's at this moment."""
    order = _locked(actor, order_id)
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
    act = current_act()
    act.business_type, act.business_id = BUSINESS_TYPE, order.pk
    return {"id": str(line.pk)}


@operation("repairorder.removeLine", code="repairorder_repair")
def remove_lines(actor: Actor, ids: list[int]) -> None:
    """Take work lines back, all or none."""
    lines = list(RepairLine.objects.filter(pk__in=ids))
    if not ids or len(lines) != len(ids):
        raise Missing()
    act = current_act()
    for order_id in sorted({line.order_id for line in lines}):
        order = _locked(actor, order_id)
        if not may_write_lines(actor, order):
            raise _line_state(order)
        act.business_type, act.business_id = BUSINESS_TYPE, order.pk
    for line in lines:
        line.is_deleted = True
        line.save(update_fields=["is_deleted", "update_user", "update_time"])


def _line_state(order: RepairOrder) -> Refusal:
    return Refusal(
        "order.wrongState",
        _("当前状态为「{status}」，不能{action}").format(status=order.get_status_display(), action=_("填写工时")),
    )
