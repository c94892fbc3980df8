"""A repair order on its way, for tests: who does what when, through both doors, and what it all left behind."""

from __future__ import annotations

import io
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from core.audit.models import Event
from core.equipment.models import Stoppage
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairLine, RepairOrder
from core.scheduling.models import OutboxMessage
from tests.cast import A, Body, Caller, Cast
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.timers.models import Timer
from workflows.runtime.tables.worklist.models import WorkItem

DAY = datetime(2026, 3, 2, tzinfo=ZoneInfo("Asia/Shanghai"))


def at(text: str) -> Any:
    """The clock at a time of the story's day."""
    hour, minute = text.split(":")
    return clock.at(DAY + timedelta(hours=int(hour), minutes=int(minute)))


class Story:
    """One order on its way; `now` is the last answer, with the order's id, status and version."""

    def __init__(self, cast: Cast, machine: str = "M1", reporter: str = "operator", **values: Any):
        self.cast = cast
        self.now: dict[str, Any] = {}
        body = {
            "machineId": str(cast.machine(machine).pk),
            "description": "主轴异响很大",
            "title": "主轴异响",
            **values,
        }
        self.now = self.caller(reporter).post_json("yuzhu-equip/repairorder/save", body).data

    def caller(self, account: str, tenant: str = A) -> Caller:
        """Somebody, signed in at this moment of the story: a token lives for an hour."""
        return self.cast.client_for(account, tenant)

    def try_to(self, who: str | Caller, action: str, **values: Any) -> Body:
        """An action at the business door, allowed or not."""
        caller = self.caller(who) if isinstance(who, str) else who
        body = {"id": self.now["id"], "lockVersion": self.now["lockVersion"], "action": action, **values}
        return caller.post_json("yuzhu-equip/repairorder/update", body)

    def act(self, who: str, action: str, **values: Any) -> dict[str, Any]:
        """An action at the business door that is allowed."""
        body = self.try_to(who, action, **values)
        assert body.code == 200, body
        self.now = body.data
        return self.now

    def task(self, who: str, list_name: str) -> dict[str, Any]:
        """The order's one row in somebody's list of tasks."""
        (row,) = self.caller(who).get(f"blade-flow/work/{list_name}").data["records"]
        assert (row["businessId"], row["businessNo"]) == (self.now["id"], self.now["orderNo"])
        return row  # type: ignore[no-any-return]

    def complete(
        self, who: str, list_name: str, *, flag: str = "", outcome: str = "", comment: str = "",
        variables: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        """Complete the order's step from a list of tasks; the queue door."""
        task = self.task(who, list_name)
        body = {
            "taskId": task["taskId"], "processInstanceId": task["processInstanceId"], "flag": flag,
            "outcome": outcome, "comment": comment, "variables": dict(variables or {}),
        }  # fmt: skip
        answer = self.caller(who).post_json("blade-flow/work/complete-task", body)
        assert answer.code == 200, answer
        self.now = answer.data
        return self.now

    def write_line(self, who: str | Caller, begin: str, end: str, **values: Any) -> Body:
        """A work line on the story's day."""
        caller = self.caller(who) if isinstance(who, str) else who
        return caller.post_json(
            "yuzhu-equip/repairorderdetail/submit",
            {
                "orderId": self.now["id"], "workType": 2, "content": "检查主轴",
                "startTime": f"2026-03-02 {begin}:00", "endTime": f"2026-03-02 {end}:00", **values,
            },
        )  # fmt: skip

    def send(self, who: str = "repairer", **values: Any) -> None:
        """Dispatch it to a person, who accepts."""
        self.act("repair_leader", "dispatch", repairUserId=str(self.cast.user(who).pk), **values)
        self.act(who, "accept")

    def result(self) -> dict[str, str]:
        """What a finish carries."""
        return {
            "solution": "更换轴承", "causeTagId": str(self.cast.tag("磨损").pk),
            "actionTagIds": str(self.cast.tag("更换").pk),
        }  # fmt: skip

    def detail(self, who: str = "equip_manager") -> dict[str, Any]:
        """The order as a document."""
        return self.caller(who).get("yuzhu-equip/repairorder/detail", id=self.now["id"]).data  # type: ignore[no-any-return]

    def state(self) -> tuple[int, int]:
        """Status and version of the last answer."""
        return self.now["status"], self.now["lockVersion"]

    def rows(self) -> list[Any]:
        """Everything an act could change, to see that a refused one changed nothing."""
        with tenant_scope(A):
            tables = [RepairOrder, RepairLine, WorkItem, ProcessInstance, Event, Stoppage]
            found: list[Any] = [list(table.objects.order_by("pk").values()) for table in tables]
        shared = [list(Timer.objects.order_by("pk").values()), list(OutboxMessage.objects.order_by("pk").values())]
        return found + shared


def photo(story: Story, who: str) -> str:
    """Upload a picture; its link."""
    out = io.BytesIO()
    Image.new("RGB", (40, 30), (200, 40, 40)).save(out, "JPEG")
    file = SimpleUploadedFile("现场.jpg", out.getvalue(), "image/jpeg")
    link: str = story.caller(who).post_form("blade-resource/oss/endpoint/put-file", file=file).data["link"]
    return link
