"""Repair orders for faults that other records have found: the port that inspection uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace

from core import ports
from core.cases import commands
from core.kernel.actor import Actor
from core.kernel.audit_entry import AuditEntry, current_entry
from core.maintenance import dispatching
from core.maintenance.case import REPAIR
from core.maintenance.models import OPEN, RepairOrder, Status
from core.maintenance.operations import begin, reportable
from core.system.numbers import next_numbers


class Repairs:
    """Implements ports.RepairPort."""

    def hold(self) -> None:
        """Whoever makes an order takes the lock of its number first."""
        next_numbers(REPAIR.number.prefix, 0)

    def report(self, actor: Actor, fault: ports.Fault) -> ports.RepairState:
        """Note it on the oldest order that is still open, else make one, which is dispatched as reported ones are."""
        again = RepairOrder.objects.filter(pk__in=fault.earlier, status__in=OPEN).order_by("pk").first()
        if again is not None:
            noted = self._found_again(actor, again.pk, fault)
            if noted is not None:
                return noted
        machine = reportable(fault.machine_id)
        with _apart("repairorder.save"):
            made = begin(
                actor, machine,
                {
                    "machine_id": machine.pk, "description": fault.description[:1000], "urgency": fault.urgency,
                    "images": list(fault.images), "source": fault.source, "source_id": fault.source_id,
                    "source_no": fault.source_no, "is_stop": False,
                    "report_user_id": actor.user_id,
                },
            )  # fmt: skip
        dispatching.soon(int(made["id"]))
        return self.states([int(made["id"])])[int(made["id"])]

    def _found_again(self, actor: Actor, order_id: int, fault: ports.Fault) -> ports.RepairState | None:
        """Count it, let the priority rise, and the timers follow; None where the order has been closed meanwhile."""
        ports.processes.lock(REPAIR.name, order_id)
        order = REPAIR.load(order_id)
        if order.status not in OPEN:
            return None
        order.found_again += 1
        order.urgency = min(order.urgency, fault.urgency)
        commands.store(order)
        ports.processes.due_again(order)
        current_entry().later.append(
            AuditEntry(
                "repairorder.foundAgain", actor, REPAIR.name, order.pk,
                from_status=order.status, to_status=order.status, remark=f"{fault.source_no} {fault.description}",
            )
        )  # fmt: skip
        return _state(order)

    def states(self, ids: Iterable[int]) -> Mapping[int, ports.RepairState]:
        """One statement; none for none."""
        wanted = sorted(set(ids))
        return {row.pk: _state(row) for row in RepairOrder.objects.filter(pk__in=wanted)} if wanted else {}


_SHARED = ("held", "earlier", "later")


@contextmanager
def _apart(operation: str) -> Iterator[None]:
    """Let what is done in the block be an entry of its own, behind that of the operation that it belongs to."""
    entry = current_entry()
    before = replace(entry)
    entry.business_type, entry.business_id, entry.remark, entry.effects = "", None, "", []
    entry.from_status = entry.to_status = None
    yield
    entry.later.append(replace(entry, operation=operation, changes=[], earlier=[], later=[]))
    for one in fields(AuditEntry):
        if one.name not in _SHARED:
            setattr(entry, one.name, getattr(before, one.name))


def _state(order: RepairOrder) -> ports.RepairState:
    is_closed = order.status == Status.CLOSED
    return ports.RepairState(
        order.pk, order.order_no, order.get_status_display(), is_closed, order.close_time if is_closed else None
    )
