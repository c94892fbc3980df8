"""Steps that a model's policies decide in the moment in which they would open: nobody is asked, and the reason is kept.

The engine is told like by a person. The work item is kept as done by the system for whoever would have been asked, so
that history and statistics show what happened.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Protocol

from core.ports import Completion
from workflows import engine
from workflows.runtime.definitions import library, policies
from workflows.runtime.definitions.policies import NobodyFound
from workflows.runtime.rows import items
from workflows.runtime.tables.instances.models import STANDALONE, ProcessInstance
from workflows.runtime.tables.worklist.models import ItemState, Reason, WorkItem

MOST = 50
"""Steps that are decided in one transaction; the next one asks, so that a loop ends."""


class Host(engine.Host, Protocol):
    """What the driver lends the engine; it can act for the system too."""

    def by_system(self, outcome: str) -> Host:
        """Return the host of a step that the system completes with this outcome."""
        ...


@dataclass
class Opened:
    """What a step of the engine has led to, after the policies were asked."""

    step: engine.Step
    new: list[WorkItem] = field(default_factory=list)
    """Items for people."""
    decided: list[WorkItem] = field(default_factory=list)
    """Items that the system has completed."""
    unnamed: list[engine.Failure] = field(default_factory=list)
    """Steps without an item, whose people could not be evaluated."""


def opened(
    instance: ProcessInstance,
    were_open: list[WorkItem],
    step: engine.Step,
    host: Host,
    done: tuple[WorkItem, Completion] | None,
    *,
    is_new: bool,
) -> Opened:
    """Return the items of the tasks that the step has opened, and go on for as long as a policy decides one of them.

    `done` is what a person has completed in this transaction. Raises Refusal where a start finds nobody for a step, and
    the model wants nobody to be asked instead.
    """
    specification = library.specification(instance.definition_id)
    deciding = _Deciding(instance, done, host, is_new=is_new)
    found = Opened(step, deciding.made(items.new_tasks(were_open, step.tasks)), unnamed=deciding.unnamed)
    while len(found.decided) < MOST and not found.step.faults and (verdict := deciding.verdict(found.new)):
        item, reason, outcome = verdict
        ends = deciding.step(item).get("ends", ()) if instance.business_type == STANDALONE else ()
        after = engine.complete(
            specification, found.step.state, item.engine_task, outcome, {}, host.by_system(outcome), ends
        )
        deciding.decide(item, outcome, reason)
        found.step = joined(found.step, after)
        found.decided.append(item)
        waits = {task.task for task in after.tasks}
        found.new = [one for one in found.new if one.engine_task in waits]
        found.new += deciding.made(items.new_tasks([*were_open, *found.new, *found.decided], after.tasks))
    return found


def joined(before: engine.Step, after: engine.Step) -> engine.Step:
    """Return the later step with what both have passed, taken, thrown and decided."""
    return replace(
        after,
        passed=before.passed + after.passed,
        flows=before.flows + after.flows,
        thrown=before.thrown + after.thrown,
        decided={**before.decided, **after.decided},
    )


class _Deciding:
    """Asks the policies of an instance about its new items; what has to be read is read once, and only where asked."""

    def __init__(
        self, instance: ProcessInstance, done: tuple[WorkItem, Completion] | None, host: Host, *, is_new: bool
    ) -> None:
        self._instance, self._is_new, self._host = instance, is_new, host
        self._specification = library.specification(instance.definition_id)
        self._definition = library.definition(instance.definition_id)
        self._named: set[str] = set()
        """Engine tasks that somebody has given to a person by name: an added signer, or whom it was sent back to."""
        self._now: list[tuple[str, str, int | None]] = []
        self._previous: int | None = None
        self.unnamed: list[engine.Failure] = []
        """Steps whose people could not be evaluated."""
        if done is not None:
            item, completion = done
            self._now.append((item.node, completion.outcome, completion.actor.user_id))
            if policies.is_yes(self._definition.meta, item.node, completion.outcome):
                self._previous = completion.actor.user_id

    def step(self, item: WorkItem) -> Mapping[str, Any]:
        """Return what the definition says of the item's step."""
        found: Mapping[str, Any] = self._definition.meta["nodes"].get(item.node, {})
        return found

    def made(self, tasks: list[engine.OpenTask]) -> list[WorkItem]:
        """Return the items of new tasks; what the starter would decide goes to the head where the model says so.

        Raises Refusal where a start finds nobody, and the model wants nobody to be asked instead.
        """
        if not tasks:
            return []
        new, unnamed = items.made(self._instance, tasks, self._specification, self._host.names())
        self.unnamed += unnamed
        self._named.update(task.task for task in tasks if task.note or task.holder)
        for item in new:
            if item.engine_task in self._named:
                continue
            policy = self._policy(item)
            if item.is_instead and self._is_new and policy.nobody == NobodyFound.REFUSE:
                raise policies.refused(item.name, str(self._definition))
            starter = self._instance.starter_id
            if head := policies.head_instead(policy, item.assignee_id, item.candidate_keys, starter):
                items.name_instead(item, head, Reason.STARTER_HEAD)
        return new

    def verdict(self, new: list[WorkItem]) -> tuple[WorkItem, Reason, str] | None:
        """Return the first item that nobody needs to be asked about, with the reason and the outcome."""
        for item in new:
            if item.engine_task in self._named:
                continue
            policy, step = self._policy(item), self.step(item)
            form = self._definition.forms.get(item.node)
            if policy == policies.USUAL or not policies.asks_nothing(step, form):
                continue
            reason = policies.decided(
                policy,
                is_instead=item.is_instead,
                person=partial(policies.sole, item.assignee_id, item.candidate_keys),
                starter_id=self._instance.starter_id,
                previous=self._previous,
                agreed=lambda: self._agreed,
            )
            if reason is not None:
                return item, reason, str(step["positive"])
        return None

    def decide(self, item: WorkItem, outcome: str, reason: Reason) -> None:
        """Complete the item for the system, and note that the person who would have been asked has agreed."""
        self._previous = None if item.is_instead else policies.sole(item.assignee_id, item.candidate_keys)
        self._now.append((item.node, outcome, self._previous))
        items.decide(item, outcome, reason, self._previous)

    def _policy(self, item: WorkItem) -> policies.Policy:
        return policies.of(self._specification, self._definition.meta, item.node)

    @property
    def _agreed(self) -> set[int]:
        return policies.since_rejection(self._definition.meta, iter([*self._before, *self._now]))

    @cached_property
    def _before(self) -> list[tuple[str, str, int | None]]:
        """What was completed before this transaction and not taken back; one statement."""
        if self._is_new:
            return []
        rows = WorkItem.objects.filter(instance=self._instance.pk, state=ItemState.DONE)
        rows = rows.exclude(engine_task=items.TAKEN_BACK).order_by("end_time", "id")
        done = rows.values_list("node", "outcome", "completed_by", "assignee_id")
        return [(node, outcome, by or assignee) for node, outcome, by, assignee in done]
