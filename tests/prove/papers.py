"""Processes for the proof of handing on: of a model that no record is bound to, and requests for leave."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from core.access.models import Role, UserRole
from core.cases.commands import operation_of
from core.desk.leave.case import LEAVE
from core.identity.models import User
from core.kernel.actor import acting
from core.kernel.tenancy import tenant_scope
from tests.cast import A, Cast
from tests.workflows.standalone import deploy, document
from workflows.runtime.commands import standalone
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

LEADERS = 16
LEAVE_EVERY = 4
"""Every fourth is a request for leave."""
APPLICANT, APPROVER = "leader1", "leader2"
"""Of all requests for leave; the others are human resources."""

_LOOP = """<startEvent id="start"/>
  <userTask id="look" name="审核" xw:outcomes="agree,reject" xw:candidates="role:repair_leader"/>
  <exclusiveGateway id="choice" default="again"/>
  <userTask id="record" name="登记" xw:outcomes="agree,reject" xw:candidates="role:repair_leader"/>
  <endEvent id="end"/>
  <sequenceFlow id="f1" sourceRef="start" targetRef="look"/><sequenceFlow id="f2" sourceRef="look" targetRef="choice"/>
  <sequenceFlow id="again" sourceRef="choice" targetRef="look"/>
  <sequenceFlow id="on" sourceRef="choice" targetRef="record">
    <conditionExpression>${outcome == 'agree'}</conditionExpression></sequenceFlow>
  <sequenceFlow id="f3" sourceRef="record" targetRef="end"/>"""


def hand_out(number: int) -> list[list[str]]:
    """So many processes, begun by one after the other; answers record, process, open item, kind and starter of each."""
    cast = Cast()
    definition = deploy(document(_LOOP), key="paper")
    with tenant_scope(A):
        role = Role.objects.get(role_alias="hr")
        accounts = [f"leader{place}" for place in range(1, LEADERS + 1)]
        for user in User.objects.filter(account__in=accounts).exclude(account=APPLICANT):
            UserRole.objects.create(user=user, role=role)
        approver = str(User.objects.get(account=APPROVER).pk)
        actors = {account: cast.actor_for(account) for account in accounts}
        starters = {}
        for place in range(number):
            account = accounts[place % LEADERS] if place % LEAVE_EVERY else APPLICANT
            with acting(actors[account]):
                if place % LEAVE_EVERY:
                    begun = standalone.start(actors[account], definition.pk, {})["processInstanceId"]
                else:
                    begun = operation_of(LEAVE, LEAVE.start.name)(
                        actors[account], {**_request(place), "taskUser": approver}
                    )["id"]
            starters[int(begun)] = account
        items = {item.business_id: item for item in WorkItem.objects.filter(state=ItemState.OPEN)}
        return [
            [str(pk), str(items[pk].instance_id), str(items[pk].pk), items[pk].business_type, account]
            for pk, account in starters.items()
        ]


def _request(place: int) -> dict[str, Any]:
    """A request for leave of over three days, at a time of its own."""
    begin = datetime(2027, 1, 4, 8) + timedelta(days=7 * place)
    return {
        "type": 1, "startTime": f"{begin:%Y-%m-%d %H:%M:%S}",
        "endTime": f"{begin + timedelta(days=4):%Y-%m-%d %H:%M:%S}", "reason": f"探亲 {place}",
    }  # fmt: skip
