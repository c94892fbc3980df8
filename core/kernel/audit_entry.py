"""The audit entry of a running operation: filled in while the operation runs, stored once in the same transaction."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any

from core.kernel.actor import Actor


@dataclass
class AuditEntry:
    """The audit entry of one operation by a person or the system; it is stored as one event row."""

    operation: str
    actor: Actor
    business_type: str = ""
    business_id: int | None = None
    from_status: int | None = None
    to_status: int | None = None
    remark: str = ""
    instance_id: int | None = None
    work_item_id: int | None = None
    node: str = ""
    round: int = 0
    outcome: str = ""
    from_holder: int | None = None
    """The assignee before the operation, and in `to_holder` after it, where the operation is about a work item."""
    to_holder: int | None = None
    to_key: str = ""
    """Candidate key (`user:1`, `team:2`) of whom the operation gave the record to, where it did."""
    effects: list[str] = field(default_factory=list)
    """Names of the effects that the process called, in their order."""
    changes: list[dict[str, Any]] = field(default_factory=list)
    """What it changed, in both languages: `label`, and the words `old` and `new` (see core.rest.edits)."""
    nothing_happened: bool = False
    """True when a repeated request only returns the stored answer; then no event row is written."""
    held: dict[tuple[str, int], Any] = field(default_factory=dict)
    """Process instances that this operation has locked, by business type and record id.

    Only the process port reads the values.
    """
    earlier: list[AuditEntry] = field(default_factory=list)
    """Where the operation changes several records, what it did to those before the present one."""
    later: list[AuditEntry] = field(default_factory=list)
    """What came of the operation in the same transaction, as entries of their own behind this one."""
    digest: str = ""
    """Digest of the input. It tells a repeated request from a different request with the same idempotency key."""

    def add_record(self, business_id: int, remark: str, changes: list[dict[str, Any]]) -> None:
        """Note what an operation on many records changed on one of them; it becomes an entry of its own."""
        found = replace(self, business_id=business_id, remark=remark, changes=changes, earlier=[])
        self.earlier.append(found)

    def turn_to(self, business_type: str, business_id: int | None) -> None:
        """Let the entry be about this record; what was noted of another record so far becomes an entry of its own."""
        if self.business_id not in (None, business_id):
            self.earlier.append(replace(self, remark="", earlier=[]))
            self.from_status = self.to_status = self.instance_id = None
            self.effects, self.to_key, self.changes = [], "", []
        self.business_type, self.business_id = business_type, business_id


_current: ContextVar[AuditEntry | None] = ContextVar("entry", default=None)


def current_operation() -> str:
    """Return the name of the operation that runs; empty outside of one."""
    entry = _current.get()
    return entry.operation if entry is not None else ""


write: Callable[[AuditEntry, Any], None]
"""Port: stores the audit entry and the answer of the operation. `core.audit` provides the function."""
replay: Callable[[AuditEntry], tuple[bool, Any]]
"""Port: returns (True, stored answer) for a request that is repeated with its idempotency key, else (False, None)."""


def held() -> dict[tuple[str, int], Any]:
    """Return the process instances that the running operation has locked; an empty dict outside an operation."""
    entry = _current.get()
    return entry.held if entry is not None else {}


def current_entry() -> AuditEntry:
    """Return the audit entry of the running operation.

    Raises LookupError outside an operation.
    """
    entry = _current.get()
    if entry is None:
        raise LookupError("this code runs only inside an operation")
    return entry
