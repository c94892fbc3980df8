"""Implements kernel.ports.ProcessPort over instances and work items."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import Q

from core.kernel.act import held
from core.kernel.actor import Actor
from core.kernel.compiled import Compiled
from core.kernel.ports import Completed, Completion, OpenItem
from workflows.instances import driver
from workflows.instances.models import ProcessInstance
from workflows.worklist import items
from workflows.worklist.models import ItemState, WorkItem

_OPEN = Compiled(
    lambda business_type, ids: (
        WorkItem.objects.filter(business_type=business_type, business_id__in=ids, state=ItemState.OPEN)
        .order_by("-id")
        .values_list("business_id", *items.OPEN_COLUMNS, *items.STILL_COLUMNS)
    )
)


def _type_of(record: Any) -> str:
    """A record's business type is its model's name in lower case."""
    return str(record._meta.model_name)


class Processes:
    """The processes of business records; see the port for what each method promises."""

    def start(self, model: str, record: Any, title: str, number: str, starter: Actor) -> None:
        """Start the record's process."""
        driver.start(model, record, title, number, starter)

    def lock(self, business_type: str, business_id: int) -> None:
        """Lock the record's process."""
        driver.lock(business_type, business_id)

    def open_items(self, business_type: str, business_ids: list[int]) -> Mapping[int, OpenItem]:
        """The oldest open item of each record; of one that is locked, as it was read then."""
        locked = held()
        if all((business_type, pk) in locked for pk in business_ids):
            return {pk: items.open_item(item) for pk in business_ids for item in locked[business_type, pk].open[:1]}
        return {record: items.as_open(columns) for record, *columns in _OPEN.rows(business_type, business_ids)}

    def complete(self, item_id: int, record: Any, said: Completion, answer: Callable[[], Any]) -> None:
        """Complete an item."""
        driver.complete(item_id, record, said, answer, _type_of(record))

    def send(self, record: Any, message: str, said: Completion) -> None:
        """Send a message to the record's process."""
        driver.send(record, message, said, _type_of(record))

    def due_again(self, record: Any) -> None:
        """Compute the due times again."""
        driver.due_again(record, _type_of(record))

    def completed(self, business_type: str, business_id: int, record_version: int) -> Completed | None:
        """Who completed an item on this version of the record."""
        item = WorkItem.objects.filter(
            business_type=business_type, business_id=business_id, record_version=record_version, state=ItemState.DONE
        ).first()
        if item is None:
            return None
        return Completed(item.completed_by, item.completed_by_name, item.name, item.end_time, item.digest, item.answer)

    def takes_part(self, actor: Actor, business_type: str, business_id: int) -> bool:
        """A step that waits for the person, or one that the person held, completed or delegated."""
        waits = self.open_items(business_type, [business_id]).get(business_id)
        if waits is not None and waits.is_for(actor):
            return True
        mine = Q(assignee_id=actor.user_id) | Q(completed_by=actor.user_id)
        rows = WorkItem.objects.filter(mine, business_type=business_type, business_id=business_id)
        return bool(rows.exists()) or items.is_delegator(actor.user_id, business_type, business_id)

    def instance_of(self, business_type: str, business_id: int) -> tuple[int, int] | None:
        """The record's instance and definition."""
        return (
            ProcessInstance.objects.filter(business_type=business_type, business_id=business_id)
            .values_list("pk", "definition_id")
            .first()
        )
