"""The part of the proofs that needs Django: `install` a fresh database, wait until it is `quiet`, `read` what is there;
for the proof of sign-in add `people`, read the `tries` that were counted, time a password `check`.

Runs in a process of its own (`python -m tests.prove.inside <command>`), with the served installation's environment,
and answers with one line of JSON on standard output.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import django
import orjson

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "core.project.settings")
django.setup()

from django.core.management import call_command  # noqa: E402  (Django's models need setup() first)
from django.db import connection  # noqa: E402

from core.access.models import Role, UserRole  # noqa: E402
from core.audit.models import Event  # noqa: E402
from core.desk.models import Message  # noqa: E402
from core.equipment.models import Machine, Tag  # noqa: E402
from core.identity import lockout, passwords  # noqa: E402
from core.identity.models import Department, Session, Team, Tries, User  # noqa: E402
from core.kernel.tenancy import tenant_scope  # noqa: E402
from core.maintenance.models import RepairOrder  # noqa: E402
from core.scheduling.models import OutboxMessage  # noqa: E402
from tests import cast  # noqa: E402
from workflows.instances.models import ProcessInstance  # noqa: E402
from workflows.timers.models import Timer  # noqa: E402
from workflows.worklist.models import ItemState, WorkItem  # noqa: E402


def install(leaders: int) -> dict[str, Any]:
    """Tables, the cast, and as many repair leaders more (leader1, leader2, …); answers the ids that calls need."""
    call_command("migrate", verbosity=0, interactive=False)
    cast.install()
    with tenant_scope(cast.A):
        role = Role.objects.get(role_alias="repair_leader")
        pattern = User.objects.get(account="repair_leader")
        dept = Department.objects.get(pk=pattern.dept_id)
        for number in range(1, leaders + 1):
            user = User.objects.create(
                account=f"leader{number}", real_name=f"卫长{number}", dept=dept, password=pattern.password
            )
            UserRole.objects.create(user=user, role=role)
        return {
            "password": cast.PASSWORD,
            "machine": str(Machine.objects.get(machine_code="M1").pk),
            "team": str(Team.objects.get(team_name=cast.TEAMS["mechanics"][0]).pk),
            "cause": str(Tag.objects.get(tag_name="磨损").pk),
            "action": str(Tag.objects.get(tag_name="更换").pk),
            "people": {user.account: {"id": str(user.pk), "name": user.real_name} for user in User.objects.all()},
        }


def quiet(seconds: float) -> int:
    """Wait until the outbox is empty, at most so many seconds; answers how many rows are left."""
    end = time.monotonic() + seconds
    while (left := OutboxMessage.objects.count()) and time.monotonic() < end:
        connection.close()  # a new look, and no long transaction in the served database's way
        time.sleep(0.5)
    return left


def read() -> dict[str, Any]:
    """Every repair order with its acts, steps, messages and timers, straight from the tables."""
    with tenant_scope(cast.A):
        accounts = dict(User.objects.values_list("pk", "account"))
        acts, steps, told, instances = (defaultdict(list) for _ in range(4))
        for event in Event.objects.filter(business_type="repairorder").order_by("id"):
            acts[event.business_id].append([event.operation, event.from_status, event.to_status, event.effects])
        for item in WorkItem.objects.order_by("id"):
            state = ItemState(item.state).label
            steps[item.business_id].append([item.node, item.round, state, item.outcome, item.completed_by_name])
        for user_id, title, order_id in Message.objects.values_list("user_id", "title", "business_id"):
            told[order_id].append([accounts[user_id], title.partition("：")[0]])
        timers = list(Timer.objects.values_list("instance_id", flat=True))
        for pk, order_id, status, nodes in ProcessInstance.objects.values_list("pk", "business_id", "status", "nodes"):
            instances[order_id].append({"status": status, "nodes": nodes, "timers": timers.count(pk)})
        orders = [
            {
                "id": str(order.pk),
                "number": order.order_no,
                "title": order.title,
                "status": order.status,
                "version": order.lock_version,
                "reworks": order.rework_count,
                "lines": order.lines.count(),
                "acts": acts[order.pk],
                "steps": steps[order.pk],
                "told": told[order.pk],
                "instances": instances[order.pk],
            }
            for order in RepairOrder.objects.order_by("id")
        ]
    return {"orders": orders, "parked": OutboxMessage.objects.filter(is_parked=True).count()}


def people(number: int) -> dict[str, str]:
    """So many accounts of each sort: person1, …; gone1, … (disabled); other1, … (of another company); answers ids."""
    for tenant, sort in ((cast.A, "person"), (cast.A, "gone"), (cast.B, "other")):
        with tenant_scope(tenant):
            pattern = User.objects.get(account="viewer")
            User.objects.bulk_create(
                User(
                    account=f"{sort}{place}", real_name=f"{sort}{place}", dept_id=pattern.dept_id,
                    password=pattern.password, is_enabled=sort != "gone",
                )
                for place in range(1, number + 1)
            )  # fmt: skip
    with tenant_scope(cast.A):
        return {account: str(pk) for account, pk in User.objects.values_list("account", "pk")}


def tries(addresses: Sequence[str]) -> dict[str, dict[str, int]]:
    """The tries that stand in the table: of company A's accounts, from unknown and known addresses, and of these
    addresses. The table names nobody, so that names are looked for by their digests."""
    counted: dict[str, dict[str, int]] = {kind: defaultdict(int) for kind in ("account", "known", "address")}
    with tenant_scope(cast.A):
        accounts = {
            lockout._digest("account", cast.A, account): account
            for account in User.objects.values_list("account", flat=True)
        }
    named = {lockout._digest("address", address): address for address in addresses}
    for kind, key, owner, number in Tries.objects.values_list("kind", "key", "owner", "tries"):
        if kind == lockout.ADDRESS.kind and key in named:
            counted["address"][named[key]] += number
        elif kind in counted and owner in accounts:
            counted[kind][accounts[owner]] += number
    return counted


def check(number: int) -> list[float]:
    """How many seconds each of so many password checks took."""
    value = hashlib.md5(cast.PASSWORD.encode()).hexdigest()
    with tenant_scope(cast.A):
        stored = User.objects.get(account="viewer").password
    took = []
    for _check in range(number + 1):
        began = time.perf_counter()
        assert passwords.check(value, stored)
        took.append(time.perf_counter() - began)
    return took[1:]  # the first one makes the dummy hash too


def sessions(account: str) -> list[list[Any]]:
    """Of each session of the person: its generation, and whether it lives."""
    with tenant_scope(cast.A):
        user_id = User.objects.get(account=account).pk
    rows = Session.objects.filter(user_id=user_id).order_by("id").values_list("generation", "revoked_at")
    return [[generation, revoked_at is None] for generation, revoked_at in rows]


def main(command: str, *rest: str) -> None:
    """Run one command and print its answer."""
    answer: Any
    if command == "install":
        answer = install(int(rest[0]))
    elif command == "quiet":
        answer = quiet(float(rest[0]))
    elif command == "people":
        answer = people(int(rest[0]))
    elif command == "tries":
        answer = tries(rest)
    elif command == "check":
        answer = check(int(rest[0]))
    elif command == "sessions":
        answer = sessions(rest[0])
    else:
        answer = read()
    sys.stdout.buffer.write(orjson.dumps(answer) + b"\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
