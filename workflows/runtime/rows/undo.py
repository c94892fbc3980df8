"""What an instance keeps of the last completion of a step, so that whoever completed it may take it back.

It is written with the columns of the step itself. The next step writes over it, whatever it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from core.kernel.tenancy import current_tenant
from workflows import engine
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.timers.models import Timer
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

COLUMNS = ("undo_item", "undo_state", "undo")
COPIED = {"undo_state": "state"}
"""What a step that may be taken back keeps is what the row holds until then."""
_OF_TIMERS = ("engine_task", "node", "kind", "text", "calendar_version")
_TIMES_OF_TIMERS = ("due_time", "begin_time")


def keep(
    instance: ProcessInstance, item: WorkItem, state: bytes, form: Mapping[str, Any], step: engine.Step | None = None,
    dropped: Iterable[WorkItem] = (), decided: Iterable[WorkItem] = (), timers: Iterable[Timer] = (),
) -> None:  # fmt: skip
    """Keep in memory the state and the form before the step, the items and timers that it ended, and the items that
    the system decided behind it; `step` is None where the process has not moved, because signers are waited for."""
    changed = [key for key, value in instance.form.items() if key not in form or form[key] != value]
    instance.undo_item, instance.undo_state = item.pk, state
    dropped = list(dropped)
    instance.undo = {
        "holder": item.assignee_id,
        "form": {key: form[key] for key in changed if key in form},
        "added": [key for key in changed if key not in form],
        "nodes": Counter(step.passed if step else ()),
        "flows": Counter(step.flows if step else ()),
        "dropped": [one.pk for one in dropped],
        # Rows that were stored earlier have neither of the two.
        "waiting": [one.pk for one in dropped if one.state == ItemState.WAITING],
        "decided": [one.pk for one in decided],
        "timers": [
            {name: getattr(timer, name) for name in _OF_TIMERS}
            | {name: time.isoformat() for name in _TIMES_OF_TIMERS if (time := getattr(timer, name))}
            for timer in timers
        ],
    }


def forget(instance: ProcessInstance) -> None:
    """Keep nothing any longer, in memory."""
    instance.undo_item, instance.undo_state, instance.undo = None, b"", {}


def form_before(instance: ProcessInstance) -> dict[str, Any]:
    """Return the form's values as they were."""
    kept = instance.undo
    return {key: value for key, value in {**instance.form, **kept["form"]}.items() if key not in kept["added"]}


def counted_before(counts: Mapping[str, int], passed: Mapping[str, int]) -> dict[str, int]:
    """Return how often elements had been passed."""
    return dict(Counter(counts) - Counter(passed))


def timers_before(instance: ProcessInstance) -> list[Timer]:
    """Return the timers that the step ended, unsaved, each due when it was."""
    return [
        Timer(
            tenant_id=current_tenant(),
            instance_id=instance.pk,
            **{name: datetime.fromisoformat(said) if name in _TIMES_OF_TIMERS else said for name, said in kept.items()},
        )
        for kept in instance.undo["timers"]
    ]
