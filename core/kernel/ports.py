"""What core asks of the workflow half without importing it; `workflows` fills the ports at start-up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from django.db.models import QuerySet

from core.kernel.actor import Actor
from core.kernel.parameters import Parameter
from core.kernel.texts import label


@dataclass(frozen=True)
class OpenItem:
    """A step of a process that waits for a person."""

    id: int
    instance_id: int
    node: str
    node_name: str
    round: int
    assignee_id: int | None
    candidates: tuple[str, ...]
    """Keys such as `user:1`, `role:2`, `role:2@7` (the role in department 7), `team:3`."""
    create_time: datetime
    parked: str = ""
    """Why its process stands still, in the caller's language; empty while it moves, and of one that is locked."""
    halted: str = ""
    """That it was suspended with its definition, in the same way: it takes nothing then, not even what would end it."""

    def is_for(self, actor: Actor) -> bool:
        """Whether the actor holds it, or may take it while nobody holds it."""
        if self.assignee_id is not None:
            return self.assignee_id == actor.user_id
        return not keys_of(actor).isdisjoint(self.candidates)


def keys_of(actor: Actor) -> frozenset[str]:
    """The candidate keys under which steps are offered to this person."""
    return frozenset(
        {
            f"user:{actor.user_id}",
            *(f"role:{role}" for role in actor.role_ids),
            *(f"role:{role}@{actor.dept_id}" for role in actor.role_ids),
            *(f"team:{team}" for team in actor.team_ids),
        }
    )


@dataclass(frozen=True)
class Completion:
    """What a person says when a step is done."""

    outcome: str
    actor: Actor
    data: Mapping[str, Any] = field(default_factory=dict)
    """Checked input, for the effects; plain or not, it is not stored by the engine."""
    comment: str = ""
    record_version: int | None = None
    """Version of the record that the person had read."""
    digest: str = ""


@dataclass(frozen=True)
class Completed:
    """Who completed an item, when, with which input, and what was answered."""

    user_id: int
    user_name: str
    node_name: str
    time: datetime
    digest: str
    answer: Any


class ProcessPort(Protocol):
    """Processes bound to a business record, seen from the record's application."""

    def start(self, model: str, record: Any, title: str, number: str, starter: Actor) -> None:
        """Start the tenant's active version of the model for this record; stores the record, a new one too."""
        ...

    def lock(self, business_type: str, business_id: int) -> None:
        """Lock the record's process before the record itself, once in an act; raises Missing when it has none."""
        ...

    def open_items(self, business_type: str, business_ids: list[int]) -> Mapping[int, OpenItem]:
        """By record, the step that waits (the oldest when several do); one statement, however many records."""
        ...

    def complete(self, item_id: int, record: Any, said: Completion, answer: Callable[[], Any]) -> None:
        """Complete the item; the process calls its effects on the record and moves on.

        `answer` is called after the effects; what it gives is stored with the item for a repeated request.
        """
        ...

    def send(self, record: Any, message: str, said: Completion) -> None:
        """Give the record's process a message it waits for; raises Conflict when it waits for none."""
        ...

    def due_again(self, record: Any) -> None:
        """Ask the due functions of the process's timers again, because the record changed."""
        ...

    def completed(self, business_type: str, business_id: int, record_version: int) -> Completed | None:
        """The item that was completed on this version of the record, if any."""
        ...

    def takes_part(self, actor: Actor, business_type: str, business_id: int) -> bool:
        """Whether a step of the record's process waits for this person, or was held, completed or delegated by them."""
        ...

    def instance_of(self, business_type: str, business_id: int) -> tuple[int, int] | None:
        """Ids of the record's process instance and of its definition."""
        ...


processes: ProcessPort
"""The workflow half; `workflows.bridge` sets it when the applications are ready."""


@dataclass(frozen=True)
class EffectInput:
    """What an effect learns of the act that led to it."""

    actor: Actor
    outcome: str
    data: Mapping[str, Any]
    now: datetime
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """What the drawing gives, by name, read as the operation declares it; what it leaves out is not in it."""


@dataclass(frozen=True)
class Start:
    """How people start the process of a kind of record."""

    model: str
    """Key of the model that the record's command starts."""
    code: str
    """Permission code of that command."""
    page: str
    """Address in the console where the record is made; `{id}` stands for the definition's id."""


@dataclass(frozen=True)
class Words:
    """What to call something that a model names, and what it does, in the caller's language."""

    label: str
    text: str


def words(zh: str, en: str, does_zh: str, does_en: str) -> Words:
    """What something is called and does, in both languages."""
    return Words(label(zh, en), label(does_zh, does_en))


class Kind(StrEnum):
    """What a name that expressions may read holds."""

    NUMBER, FLAG, CHOICE = "number", "flag", "choice"
    USER, DEPT, TEAM = "user", "dept", "team"
    """An id, or '' for none."""
    ROLE = "role"
    """The code of a role."""


@dataclass(frozen=True)
class RecordName:
    """A name that expressions of a model may read as `record.<name>`."""

    label: str
    kind: Kind
    choices: tuple[tuple[int, str], ...] = ()
    """Values of a CHOICE with their names."""


@dataclass(frozen=True)
class Design:
    """What an application gives those who draw processes for its records."""

    label: str
    """What a record is called."""
    words: Mapping[str, Words]
    """Of each operation and each due function."""
    names: Mapping[str, RecordName]
    """Of each name that expressions may read."""
    sample: Callable[[Actor], Any]
    """A record such as this person would make; it is never stored."""
    peek: Callable[[int], Any]
    """The record by id as it stands, not locked; None where there is none."""


@dataclass(frozen=True)
class Effects:
    """What an application gives the processes bound to its records."""

    business_type: str
    effects: Mapping[str, Callable[[Any, EffectInput], None]]
    """Operation name in the model → function of (record, input): the only code that assigns the record's status."""
    load: Callable[[int], Any]
    """The record by id, locked for this transaction."""
    save: Callable[[Any], None]
    """Store the record after the effects of a step."""
    names: Callable[[Any], Mapping[str, Any]]
    """What expressions of the model may read as `record.*`: plain values."""
    dues: Mapping[str, Callable[[Any], datetime | None]]
    """Name in the model → when that timer of the record falls due; None: not now."""
    sees: Callable[[Actor, int], bool]
    """Whether the actor's data scope holds the record."""
    command: Callable[..., Any]
    """(actor, record id, item, outcome, variables, comment, digest) → answer: the queue door's way to the command."""
    start: Start
    design: Design
    cancel: Callable[[Actor, int, str], Any] | None = None
    """(actor, record id, reason): the record's own command that ends its process; None: nothing ends it early."""
    parameters: Mapping[str, tuple[Parameter, ...]] = field(default_factory=dict)
    """By operation what a drawing may give it; one without an entry takes nothing."""


effects: dict[str, Effects] = {}
"""Business type → its effects; applications register in their AppConfig.ready."""


def register_effects(entry: Effects) -> None:
    """Register an application's effects; raises ValueError when the business type is taken."""
    if entry.business_type in effects:
        raise ValueError(f"business type {entry.business_type} is registered twice")
    effects[entry.business_type] = entry


@dataclass(frozen=True)
class Subject:
    """What the process is about that calls a common operation; without a record that is the process itself."""

    business_type: str
    business_id: int
    title: str


@dataclass(frozen=True)
class CommonOperation:
    """An operation that every process may call, whether a record is bound to it or not, however often."""

    name: str
    words: Words
    parameters: tuple[Parameter, ...]
    run: Callable[[Subject, EffectInput], None]


common: dict[str, CommonOperation] = {}
"""By name; applications register theirs in their AppConfig.ready."""


def register_common(entry: CommonOperation) -> None:
    """Register an operation for all processes; raises ValueError when its name is taken."""
    if entry.name in common:
        raise ValueError(f"operation {entry.name} is registered twice")
    common[entry.name] = entry


class PeoplePort(Protocol):
    """What the queues ask about people."""

    def names(self, user_ids: set[int]) -> Mapping[int, str]:
        """Real names by user id, in one statement."""
        ...

    def candidate_keys(self, rules: Iterable[str]) -> Mapping[str, str]:
        """By candidate rule (role:<code>, role:<code>@<dept id>, team:<id>, user:<id>) its key; one statement.

        A rule whose value is empty, or whose role the tenant does not have, gives none and is left out.
        """
        ...

    def behind(self, keys: Iterable[str]) -> QuerySet[Any]:
        """The people who may work now and hold one of these candidate keys, each once, in the order of their ids."""
        ...

    def counts(self, keys: Iterable[str]) -> Mapping[str, int]:
        """By candidate key how many people who may work now hold it; one statement."""
        ...

    def describe(self, keys: set[str]) -> Mapping[str, str]:
        """What to call candidate keys: a person's, role's or team's name."""
        ...

    def active(self, words: set[str]) -> Mapping[str, int]:
        """Ids of those of the tenant's people who may work now, by the ids or accounts asked for; one statement."""
        ...

    def head_of(self, user_id: int) -> int | None:
        """Who heads the person's department, or the next one above that has another head; who may not work is none."""
        ...


people: PeoplePort
"""Who is who; `core.identity` sets it when the applications are ready."""
