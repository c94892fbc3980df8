"""A maintenance order on its way, for tests: its standard and plan row, who does what, and what it all left behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from core.audit.models import Event
from core.equipment.models import Machine, MeterReading, StateChange, Stoppage
from core.inspection.items import CheckItem, _stored
from core.inspection.models import CheckStandard, ConfigType, MaintenancePlan
from core.inspection.serializers import new_standard
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder
from core.preventive import orders
from core.preventive.models import MaintainLine, MaintainOrder, MaintainOrderDetail
from core.scheduling.models import OutboxMessage
from tests.cast import A, Body, Caller, Cast
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.timers.models import Timer
from workflows.runtime.tables.worklist.models import WorkItem

ORDER = "yuzhu-equip/maintainorder"
TIGHT: Mapping[str, Any] = {"itemName": "紧固地脚螺栓", "valueType": 2, "abnormalAction": 1}
TEMPERATURE: Mapping[str, Any] = {
    "itemName": "主轴温度", "valueType": 1, "unit": "℃", "decimals": 1, "warnUpper": 60, "upper": 70,
    "abnormalAction": 2, "repairUrgency": 2,
}  # fmt: skip
OIL: Mapping[str, Any] = {"itemName": "更换润滑油", "valueType": 4, "abnormalAction": 0}
DUE = date(2026, 3, 2)


def standard(
    cast: Cast, *items: Mapping[str, Any], tenant: str = A, code: str = "BY1", machine: str = "M1", **values: Any
) -> CheckStandard:
    """A maintenance standard with a plan row of a machine: every month after completion, by the machine's team."""
    with tenant_scope(tenant):
        stored = []
        for place, item in enumerate(items or (TIGHT, TEMPERATURE, OIL), 1):
            checked = CheckItem(data=item)
            checked.is_valid(raise_exception=True)
            stored.append(_stored(checked.validated_data, place))
        row = new_standard(
            CheckStandard(
                **{
                    "config_type": ConfigType.MAINTENANCE, "config_code": code, "config_name": f"一级保养{code}",
                    "items": stored, "level": 2, "trigger_type": 1, "cycle_value": 1, "cycle_unit": 3, "anchor": 2,
                    "lead_days": 3, "est_minutes": 60, "need_check": True, **values,
                }
            )
        )  # fmt: skip
        plan = MaintenancePlan(config=row, machine=cast.machine(machine, tenant), first_due_date=DUE)
        plan.follow(plan.basis)
        plan.save()
        return row


def plan(config: CheckStandard, tenant: str = A) -> MaintenancePlan:
    """Its plan row as it stands."""
    with tenant_scope(tenant):
        found: MaintenancePlan = MaintenancePlan.objects.select_related("config", "machine").get(config=config)
        return found


class Upkeep:
    """One order on its way; `now` is the last answer, with the order's id, status and version."""

    def __init__(self, cast: Cast, *items: Mapping[str, Any], tenant: str = A, due: date = DUE, **values: Any):
        self.cast, self.tenant = cast, tenant
        self.config = standard(cast, *items, tenant=tenant, **values)
        with tenant_scope(tenant):
            row = plan(self.config, tenant)
            order = orders.open_order(row, due_date=due, due_hours=None, now=clock.now())
            assert order is not None
        self.now: dict[str, Any] = {
            "id": str(order.pk), "status": order.status, "lockVersion": order.lock_version, "orderNo": order.order_no,
        }  # fmt: skip

    def caller(self, account: str) -> Caller:
        """Somebody, signed in at this moment of the story."""
        return self.cast.client_for(account, self.tenant)

    def try_to(self, who: str, action: str, **values: Any) -> Body:
        """An action at the business door, allowed or not."""
        body = {"id": self.now["id"], "lockVersion": self.now["lockVersion"], "action": action, **values}
        return self.caller(who).post_json(f"{ORDER}/update", body)

    def act(self, who: str, action: str, **values: Any) -> dict[str, Any]:
        """An action at the business door that is allowed."""
        body = self.try_to(who, action, **values)
        assert body.code == 200, body
        self.now = body.data
        return self.now

    def work(self, who: str, is_draft: bool = False, **values: Any) -> Body:
        """Send what was done."""
        body = {"id": self.now["id"], "lockVersion": self.now["lockVersion"], "draft": is_draft, **values}
        answer = self.caller(who).post_json(f"{ORDER}/maintainSubmit", body)
        if answer.code == 200:
            self.now = {**self.now, **answer.data}
        return answer

    def details(self, *values: Any, **more: Any) -> list[dict[str, Any]]:
        """What came of the items in their order: a value each, or a mapping; all well where nothing is said."""
        given = list(values) or ["1", "55.0", "已更换"]
        found = []
        for row, value in zip(self.rows_of(MaintainOrderDetail), given, strict=False):
            one = dict(value) if isinstance(value, Mapping) else {"value": value}
            found.append({"id": str(row["id"]), **({"result": 1} if row["item_name"] == "更换润滑油" else {}), **one})
        return found

    def whole(self, *values: Any, **more: Any) -> dict[str, Any]:
        """A submission with everything in it, on the story's day."""
        return {
            "startTime": "2026-03-02 08:00:00", "finishTime": "2026-03-02 09:30:00",
            "details": self.details(*values), **more,
        }  # fmt: skip

    def task(self, who: str, list_name: str) -> dict[str, Any]:
        """The order's one row in somebody's list of tasks."""
        (row,) = self.caller(who).get(f"blade-flow/work/{list_name}").data["records"]
        assert (row["businessId"], row["businessNo"]) == (self.now["id"], self.now["orderNo"])
        return row  # type: ignore[no-any-return]

    def complete(
        self, who: str, list_name: str, *, flag: str = "", outcome: str = "", comment: str = "",
        variables: Mapping[str, Any] | None = None,
    ) -> Body:  # fmt: skip
        """Complete the order's step from a list of tasks; the queue door."""
        task = self.task(who, list_name)
        body = {
            "taskId": task["taskId"], "processInstanceId": task["processInstanceId"], "flag": flag,
            "outcome": outcome, "comment": comment, "variables": dict(variables or {}),
        }  # fmt: skip
        answer = self.caller(who).post_json("blade-flow/work/complete-task", body)
        if answer.code == 200:
            self.now = answer.data
        return answer

    def detail(self, who: str = "equip_manager") -> dict[str, Any]:
        """The order as a document."""
        return self.caller(who).get(f"{ORDER}/detail", id=self.now["id"]).data  # type: ignore[no-any-return]

    def order(self) -> MaintainOrder:
        """The row."""
        with tenant_scope(self.tenant):
            found: MaintainOrder = MaintainOrder.objects.get(pk=int(self.now["id"]))
            return found

    def rows_of(self, model: Any) -> list[dict[str, Any]]:
        """Rows of the order."""
        with tenant_scope(self.tenant):
            return list(model.objects.filter(order=int(self.now["id"])).order_by("sort", "id").values())

    def everything(self) -> list[Any]:
        """Everything an act could change, to see that a refused one changed nothing."""
        tables: Sequence[Any] = (
            MaintainOrder, MaintainOrderDetail, MaintainLine, MaintenancePlan, RepairOrder, MeterReading, Stoppage,
            StateChange, Machine, WorkItem, ProcessInstance, Event,
        )  # fmt: skip
        with tenant_scope(self.tenant):
            found: list[Any] = [list(table.objects.order_by("pk").values()) for table in tables]
        shared = [list(Timer.objects.order_by("pk").values()), list(OutboxMessage.objects.order_by("pk").values())]
        return found + shared


def hours(text: str) -> Decimal:
    """A counter."""
    return Decimal(text)
