"""Due times in working time after a change of the working calendar: they are computed anew by a job, in turns.

The timers themselves say by which calendar their due times were computed, so that nothing is lost where a job ends
early, and a step that began before the change is found by the next one.
"""

from __future__ import annotations

import logging
import time
from math import inf
from typing import Any

from django.db import transaction

from core.kernel.actor import Actor, system
from core.kernel.audit_entry import current_entry
from core.kernel.operation import SYSTEM, operation
from core.kernel.tenancy import tenant_scope
from core.kernel.texts import moment
from workflows.runtime.definitions import library
from workflows.runtime.execution import driver
from workflows.runtime.rows import timers
from workflows.runtime.tables.instances.models import ProcessInstance

ROUND = 20
"""Instances of a round, shared among the tenants that have some; each takes one at least."""
log = logging.getLogger("xunwei.timers")


def renew_outdated(limit: int = 200, seconds: float = inf) -> int:
    """Compute outdated due times of at most so many instances, the tenants in turns; answers of how many it did.

    Each instance is a transaction of its own; one that somebody moves right now is left for the next job.
    """
    end, done, passed = time.monotonic() + seconds, 0, set[int]()
    while done + len(passed) < limit and time.monotonic() < end:
        before = done + len(passed)
        tenants = list(timers.outdated_tenants())
        for tenant_id in tenants:
            for _ in range(max(1, ROUND // len(tenants))):
                if (is_done := _renew_one(tenant_id, passed)) is None:
                    break
                done += is_done
        if done + len(passed) == before:
            break
    return done


def _renew_one(tenant_id: str, passed: set[int]) -> bool | None:
    """Renew the next instance of the tenant; None where there is none.

    False where it is passed over: it is locked, or its due times cannot be computed and stay as they are.
    """
    instance_id: int | None = None
    try:
        with transaction.atomic(), tenant_scope(tenant_id):
            # This lock comes before the instance's, as in the sweep; whoever has it never waits for the instance.
            instance_id = timers.take_outdated(passed)
            if instance_id is None:
                return None
            _renew(system(tenant_id), instance_id)
    except Exception as error:  # the job's loop: one process must not stop the others
        if instance_id is None:
            raise
        passed.add(instance_id)
        if not isinstance(error, driver.Busy):
            log.exception("the due times of process instance %s stay as they are", instance_id)
            with transaction.atomic(), tenant_scope(tenant_id):
                timers.leave(instance_id)
        return False
    return True


@operation("timer.renew", code=SYSTEM)
def _renew(actor: Actor, instance_id: int) -> None:
    renew(driver.lock_at_once(instance_id))


def renew(instance: ProcessInstance) -> None:
    """Renew the due times of a locked instance, and tell its history which have moved."""
    entry = current_entry()
    entry.operation, entry.instance_id = "timer.renew", instance.pk
    entry.business_type, entry.business_id = instance.business_type, instance.business_id
    moved = driver.renew_due_times(instance)
    entry.changes = [_told(instance, one) for one in moved]
    entry.nothing_happened = not moved


def _told(instance: ProcessInstance, moved: timers.Moved) -> dict[str, Any]:
    node = library.specification(instance.definition_id).nodes.get(moved.node)
    name = (node.name if node else "") or moved.node
    return {
        "label": [name, (node.name_en if node else "") or name],
        "old": [moment(moved.before)] * 2 if moved.before else None,
        "new": [moment(moved.after)] * 2 if moved.after else None,
    }
