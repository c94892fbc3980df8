"""Every operation of the document, by three people: no server error, nothing answered that the document does not say.

What else is true of every answer (no traces, no SQL, a request id) is looked at by tests/every_answer.py.
Each operation is tried by one of them, the next by the next; `make prove` has all try all, with FUZZ_EXAMPLES=300 an
operation, a third by each.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from core.desk.models import Message
from core.equipment.models import Tag
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.maintenance import operations as orders
from core.maintenance.models import RepairLine
from tests.cast import A, Cast
from tests.contract.nouns import nouns, sample
from tests.prove import fuzz

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "3"))
ROLES = ("operator", "repair_leader", "tenant_admin")
EVERY = 1 if "FUZZ_EXAMPLES" in os.environ else len(ROLES)
LABELS = fuzz.labels()


@pytest.fixture(scope="module")
def rows(django_db_setup: None, django_db_blocker: Any) -> Iterator[dict[str, str]]:
    """Ids that exist, by the names under which operations take them; by its address the row of each noun. Made once."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield _made(Cast())
        transaction.set_rollback(True)


def _made(cast: Cast) -> dict[str, str]:
    operator, leader = cast.actor_for("operator"), cast.actor_for("repair_leader")
    with tenant_scope(A):
        machine = cast.machine("M1")
        order = orders.save(operator, {"machineId": str(machine.pk), "description": "主轴异响", "force": 1})
        detail = cast.client_for("repair_leader").get("yuzhu-equip/repairorder/detail", id=order["id"]).data
        tags = ",".join(str(pk) for pk in Tag.objects.values_list("pk", flat=True))
        now = clock.now()
        line = RepairLine.objects.create(
            order_id=order["id"], user_id=leader.user_id, start_time=now - timedelta(hours=1), end_time=now, hour_rate=1
        )
        message = Message.objects.create(user_id=operator.user_id, outbox_id=1, title="派单", business_id=1)
    found = {"/repairorder": order["id"], "/repairorderdetail": str(line.pk), "/message": str(message.pk)}
    for noun in nouns():
        made = noun.keeper(cast, A).post_json(f"{noun.path}/submit", sample(noun, cast, A))
        if made.status == 200:  # where it is not, test_nouns says so; here the other calls are still of interest
            found["/" + noun.path.rpartition("/")[2]] = made.data["id"]
    return found | {
        "orderId": order["id"],
        "lockVersion": str(order["lockVersion"]),
        "taskId": detail["openTask"]["taskId"],
        "processInstanceId": detail["processInstanceId"],
        "machineId": str(machine.pk),
        "parentId": str(cast.machine("LINE").pk),
        "deptId": str(machine.dept_id),
        "teamId": str(cast.team("mechanics").pk),
        "repairUserId": str(cast.user("repairer").pk),
        "userId": str(leader.user_id),
        "faultTagIds": tags,
        "code": "flow",
    }


@pytest.mark.parametrize("label", LABELS)
def test_an_operation_answers_what_the_document_says(rows: dict[str, str], cast: Cast, label: str) -> None:
    row = rows.get("/" + label.split("/")[-2], rows["orderId"])
    known = rows | {"id": row, "ids": row}
    for number in range(LABELS.index(label) % EVERY, len(ROLES), EVERY):
        role = ROLES[number]
        with transaction.atomic():
            fuzz.fuzz(label, cast.client_for(role), known, EXAMPLES * EVERY // len(ROLES), number)
            transaction.set_rollback(True)
