"""The signers whom people add to a step: who has to act now, and what the step ends with.

The items of one engine task are a tree. The step itself is its root; each signer was added before, beside or after the
item of another person. An item waits until those before it are over, those after it wait until it and those beside it
are over, and the engine is told once, when the root is over. See docs/adr/0041.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from core.kernel import clock
from workflows.runtime.definitions.outcomes import AGREE, REJECT, label_of
from workflows.runtime.rows import notices, queues
from workflows.runtime.tables.worklist.models import NOT_OVER, ItemState, Signs, WorkItem

MOST = 20
"""Signers who are added to a step."""
DEEPEST = 3
"""Signers who were added by signers, one of the other."""
VERDICT: Mapping[str, Any] = {
    "outcomes": [{"key": key, **label_of(key)} for key in (AGREE, REJECT)],
    "positive": AGREE,
    "negative": REJECT,
    "added": True,
}
"""What a signer says of the step, in the shape of a node's entry in the definition's meta data."""


class Signing:
    """The items of one engine task that were not dropped, the step itself and its signers, the oldest first."""

    def __init__(self, members: list[WorkItem]) -> None:
        self.members = members
        self.root = next(item for item in members if not item.signs)
        self._done = {item.pk for item in members if item.state == ItemState.DONE}

    def ends(self, item: WorkItem, outcome: str, negative: str) -> str | None:
        """Complete a member with this outcome, and return that of the step; None while others have to sign.

        A rejection ends the step at once, that of somebody who signs before it excepted: its holder decides on it.
        """
        self._done.add(item.pk)
        if item is self.root and negative and outcome == negative:
            return outcome
        if item is not self.root and outcome == REJECT and self._counts(item):
            return negative
        if not self.is_over():
            return None
        return outcome if item is self.root else str(self.root.outcome)

    def is_over(self) -> bool:
        """Return whether everybody has signed."""
        return self._is_over(self.root)

    def leave(self, item: WorkItem) -> list[WorkItem]:
        """Take a signer out, with those whom they added, and return those of them who have not signed."""
        gone = [*self._below(item)]
        self.members = [one for one in self.members if one not in gone]
        return [one for one in gone if one.state in NOT_OVER]

    def settle(self, left: Iterable[int | None] = (), words: str = "") -> None:
        """Let those wait who have to, and open the items of those whose turn it is, who are told so.

        `left` are queues that items have just left; `words` are told with the message.
        """
        due = {item.pk for item in self._due(self.root)}
        opened = [item for item in self.members if item.state == ItemState.WAITING and item.pk in due]
        paused = [item for item in self.members if item.state == ItemState.OPEN and item.pk not in due]
        left = [*left, *(queues.queue_of(item) for item in paused)]
        for item in paused:
            item.state, item.pool = ItemState.WAITING, None
        for item in opened:
            item.state = ItemState.OPEN
            item.pool = None if item.assignee_id else queues.pool_of(item.candidate_keys)
            if item.signs:
                item.create_time = clock.now()
        if opened or paused:
            WorkItem.objects.bulk_update([*opened, *paused], ["state", "pool", "create_time"])
        queues.open_to(opened)
        queues.moved(left=left, entered=[queues.queue_of(item) for item in opened])
        for item in opened:
            notices.tell(item, [item.assignee_id], _ASKED if item.signs else _YOUR_TURN, words)

    def depth(self, item: WorkItem) -> int:
        """Return how many signers were added by one another up to this one; 0 for the step itself."""
        return 0 if item is self.root else 1 + self.depth(self._parent(item))

    def _parent(self, item: WorkItem) -> WorkItem:
        return next(one for one in self.members if one.pk == item.added_to)

    def _children(self, item: WorkItem, signs: Signs) -> list[WorkItem]:
        return [one for one in self.members if one.added_to == item.pk and one.signs == signs]

    def _below(self, item: WorkItem) -> Iterator[WorkItem]:
        yield item
        for one in self.members:
            if one.added_to == item.pk and one.signs:
                yield from self._below(one)

    def _counts(self, item: WorkItem) -> bool:
        """Return whether a rejection of this signer is one of the step: neither it nor what it belongs to is before."""
        return item is self.root or (item.signs != Signs.BEFORE and self._counts(self._parent(item)))

    def _is_over(self, item: WorkItem) -> bool:
        return all(one.pk in self._done for one in self._below(item))

    def _due(self, item: WorkItem) -> Iterator[WorkItem]:
        """Yield the items of this one and of its signers whose turn it is."""
        before, beside = self._children(item, Signs.BEFORE), self._children(item, Signs.BESIDE)
        if not all(map(self._is_over, before)):
            for one in before:
                yield from self._due(one)
            return
        if item.pk not in self._done:
            yield item
        for one in beside:
            yield from self._due(one)
        if item.pk in self._done and all(map(self._is_over, beside)):
            for one in self._children(item, Signs.AFTER):
                yield from self._due(one)


_ASKED = ("请您加签", "Your signature is requested")
_YOUR_TURN = ("加签人已处理，请办理", "The signers have signed; it is your turn")


def of(item: WorkItem, locked: Iterable[WorkItem]) -> Signing | None:
    """Return the signers of an item's step, None for a step without; `locked` are the instance's items that are not
    over. One statement for a step that has signers."""
    if not item.signers and not item.signs:
        return None
    known = {one.pk: one for one in locked}
    rows = WorkItem.objects.filter(instance=item.instance_id, engine_task=item.engine_task).order_by("id")
    return Signing([known.get(row.pk, row) for row in rows.exclude(state=ItemState.DROPPED)])


def add(root: WorkItem, item: WorkItem, people: Sequence[int], signs: Signs, by: int) -> list[WorkItem]:
    """Store a waiting item for each of these people, who sign before, beside or after the holder of an item."""
    first, root.signers = root.signers + 1, root.signers + len(people)
    WorkItem.objects.filter(pk=root.pk).update(signers=root.signers)
    new = [
        WorkItem(
            **{name: getattr(item, name) for name in _COPIED},
            seat=f"{root.seat}+{number}",
            assignee_id=person,
            added_to=item.pk,
            added_by=by,
            signs=signs,
            state=ItemState.WAITING,
        )
        for number, person in enumerate(people, start=first)
    ]
    WorkItem.objects.bulk_create(new)
    return new


_COPIED = (
    "instance_id", "definition_id", "category", "business_type", "business_id", "business_no", "title", "title_en",
    "priority", "subject", "subject_en", "starter_id", "starter_name", "engine_task", "node", "node_name",
    "node_name_en", "form_key", "round", "activity", "due_time", "late_time",
)  # fmt: skip


def forget(rows: Iterable[WorkItem]) -> None:
    """Drop the items of signers who are removed: whoever signs no longer reads the record no longer either."""
    gone = list(rows)
    WorkItem.objects.filter(pk__in=[item.pk for item in gone]).update(
        state=ItemState.DROPPED, end_time=clock.now(), pool=None, assignee_id=None, candidate_keys=[], delegators=[]
    )
    queues.moved(left=[queues.queue_of(item) for item in gone if item.state == ItemState.OPEN])
    for item in gone:
        item.state = ItemState.DROPPED
