"""Ports between core and workflows. Core defines them; other packages provide the implementations at start-up."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Protocol

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from core.kernel.actor import Actor
from core.kernel.errors import Refusal, Text
from core.kernel.texts import label


class ParameterKind(StrEnum):
    """The kind of a parameter; each documents the Python type that the operation gets."""

    TEXT = "text"
    """A `str` of at most `most` characters."""
    NUMBER = "number"
    """An `int`, or with `places` a `Decimal`, from `least` to `most`."""
    FLAG = "flag"
    """A `bool`."""
    CHOICE = "choice"
    """One of the values of `choices`."""
    DATE = "date"
    """A `datetime.date`, in the tenant's zone."""
    DURATION = "duration"
    """A `datetime.timedelta`; written in ISO 8601 with days, hours, minutes and seconds."""
    CREDENTIAL = "credential"
    """A `str`, the code of a connection credential of the tenant; no expression, so that no input chooses it."""
    PEOPLE = "people"
    """A tuple of candidate rules such as `role:hr` or `user:7`, of which some may find nobody."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of an operation; texts are in both languages, because a refusal is stored in both."""

    name: str
    """The name in the model."""
    kind: ParameterKind
    zh: str
    en: str
    help_zh: str = ""
    help_en: str = ""
    is_required: bool = False
    least: int = 0
    most: int = 0
    """The bounds of a NUMBER, or the number of characters of a TEXT."""
    places: int = 0
    """The maximum number of decimal places of a NUMBER."""
    is_long: bool = False
    """Whether a TEXT has several lines."""
    choices: tuple[tuple[int, str], ...] = ()
    """Values of a CHOICE with their names."""


@dataclass(frozen=True)
class Result:
    """A value that an operation answers."""

    name: str
    """The name in the model."""
    zh: str
    en: str


@dataclass(frozen=True)
class ErrorCode:
    """A business error of an operation, for which a model may draw an error boundary event."""

    code: str
    """The error code in the model."""
    zh: str
    en: str


class BusinessError(Refusal):
    """Raised by an operation that declares its code: an error boundary event of the model may catch it.

    Where none does, it is the refusal that it says it is. What the operation changed before is undone either way.
    """

    def __init__(self, code: str, error: str, text: Text, data: Mapping[str, Any] | None = None):
        super().__init__(error, text, data)
        self.code = code


class NotReady(Exception):
    """What an operation needs before it is asked is not there; only a person can change that."""

    def __init__(self, zh: str, en: str):
        super().__init__(en)
        self.zh, self.en = zh, en


@dataclass(frozen=True)
class OpenItem:
    """An open work item of a process."""

    id: int
    instance_id: int
    node: str
    node_name: str
    round: int
    assignee_id: int | None
    candidates: tuple[str, ...]
    """Keys such as `user:1`, `role:2`, `role:2@7` (the role in department 7), `team:3`, `dept:7`; see `keys_of`."""
    create_time: datetime
    parked: str = ""
    """The cause of an incident of the process, in the caller's language.

    Empty without an incident, and for locked items.
    """
    halted: str = ""
    """The sentence that the process is suspended, in the caller's language; empty if it is not.

    A suspended process takes no input.
    """
    in_place_of: int | None = None
    """For whom the assignee acts, who is absent or has left."""
    is_signer: bool = False
    """Whether a person was added to the step to sign: no command of the record belongs to the item."""

    def waits_for(self) -> tuple[str, ...]:
        """Return the key of the assignee, or of an unassigned item the keys of the candidates."""
        return self.candidates if self.assignee_id is None else (f"user:{self.assignee_id}",)

    def is_for(self, actor: Actor) -> bool:
        """Return whether the actor is the assignee, or a candidate of an unassigned item."""
        if self.assignee_id is not None:
            return self.assignee_id == actor.user_id
        return not keys_of(actor).isdisjoint(self.candidates)


def acting(name: str, other: str) -> str:
    """Return the name of somebody who acts for another person, with the name of that person."""
    return _("{name}（代{other}）").format(name=name, other=other) if other else name


def keys_of(actor: Actor) -> frozenset[str]:
    """Return the candidate keys under which steps are offered to this person.

    `deptTree:7` are the people of department 7 and of all departments below it.
    """
    return frozenset(
        {
            f"user:{actor.user_id}",
            *(f"role:{role}" for role in actor.role_ids),
            *(f"role:{role}@{actor.dept_id}" for role in actor.role_ids),
            *(f"team:{team}" for team in actor.team_ids),
            *(f"post:{post}" for post in actor.post_ids),
            *(f"post:{post}@{actor.dept_id}" for post in actor.post_ids),
            *([f"dept:{actor.dept_id}"] if actor.dept_id is not None else []),
            *(f"deptTree:{dept}" for dept in actor.dept_path),
        }
    )


@dataclass(frozen=True)
class Completion:
    """The completion of a step: outcome, comment and input."""

    outcome: str
    actor: Actor
    data: Mapping[str, Any] = field(default_factory=dict)
    """The validated input for the effects. The engine does not store it."""
    comment: str = ""
    record_version: int | None = None
    """Record version that the person has read."""
    digest: str = ""
    hands_on: bool = False
    """Whether the person gives the work to somebody else, and looks for it among what was handed on."""


@dataclass(frozen=True)
class Completed:
    """A completed item: who, when, digest of the input, and the stored answer."""

    user_id: int
    user_name: str
    node_name: str
    time: datetime
    digest: str
    answer: Any


class LockedProcess(Protocol):
    """The process of a record, locked for this transaction."""

    @property
    def open_items(self) -> tuple[OpenItem, ...]:
        """Return the open steps, oldest first."""
        ...

    def complete(self, item_id: int, record: Any, completion: Completion, answer: Callable[[], Any]) -> None:
        """Complete an open step; the process calls its effects on the record and moves on.

        `answer` is called after the effects; what it returns is stored with the step for a repeated request.
        """
        ...

    def send(self, record: Any, message: str, completion: Completion) -> None:
        """Deliver a message to the process.

        Raises Conflict if the process does not wait for it.
        """
        ...


named_roles: Callable[[], frozenset[str]]
"""Return the aliases of roles that models of the tenant in scope name, each as `alias`, or as `alias@` where a
department stands behind it, and the posts as `post:<code>`; `workflows.runtime.apps` sets it at start-up."""


class Asks(StrEnum):
    """What a person who chooses an outcome is asked."""

    NOTHING = "nothing"
    """At most a comment, which may be left out."""
    COMMENT = "comment"
    """A comment, and nothing else."""
    INPUT = "input"
    """More than a comment."""


@dataclass(frozen=True)
class Offered:
    """An outcome of an open step that a person may choose."""

    outcome: str
    asks: Asks = Asks.NOTHING
    takes: bool = False
    """Whether the outcome makes the person responsible for the record, so that nobody claims the step beforehand."""


@dataclass(frozen=True)
class Step:
    """An open step of a locked process, as the queue hands it to the record's command."""

    process: LockedProcess
    item: OpenItem
    record_id: int


@dataclass(frozen=True)
class Urging:
    """That a person may remind those for whom a record waits."""

    again: datetime | None
    """When, because somebody has reminded them just now; None for at once."""


class ProcessPort(Protocol):
    """Port to the processes of cases, as the application of the case uses it."""

    def start(self, model: str, record: Any, title: str, number: str, starter: Actor) -> None:
        """Start the tenant's active version of the model for this record; stores the record, a new one too."""
        ...

    def lock(self, business_type: str, business_id: int) -> LockedProcess:
        """Lock the process of the record, before the record itself, once in an operation.

        Raises Missing if the record has no process.
        """
        ...

    def open_items(self, business_type: str, business_ids: list[int]) -> Mapping[int, tuple[OpenItem, ...]]:
        """Return by record its open steps, oldest first; one statement, however many records."""
        ...

    def due_again(self, record: Any) -> None:
        """Compute the due times of the process's timers again, because the record has changed."""
        ...

    def asked_again(self, record: Any) -> AbstractContextManager[None]:
        """Offer anew, after the block that changes the locked record, the open steps for which it names others then."""
        ...

    def completed(self, business_type: str, business_id: int, record_version: int) -> Completed | None:
        """Return the item that was completed on this version of the record, if any."""
        ...

    def takes_part(self, actor: Actor, business_type: str, business_id: int) -> bool:
        """Return whether a step of the record's process waits for this person or was theirs, or they have a copy."""
        ...

    def parts_of(self, actor: Actor, business_type: str) -> QuerySet[Any]:
        """Return the ids of the records of which `takes_part` holds for this person, for `pk__in`; one statement."""
        ...

    def parts_of_each(self, actors: Sequence[Actor], business_type: str) -> Mapping[int, QuerySet[Any]]:
        """Return by person what `parts_of` returns; one statement, however many people."""
        ...

    def waiting_of_each(self, actors: Sequence[Actor]) -> Mapping[int, tuple[int, int]]:
        """Return by person how many tasks they hold, and how many they may claim; as many statements as for one."""
        ...

    def parts_among(self, actors: Sequence[Actor], business_type: str, business_id: int) -> set[int]:
        """Return the ids of those of these people of whom `takes_part` holds; two statements."""
        ...

    def may_copy(self, actor: Actor, business_type: str, business_id: int) -> bool:
        """Return whether the person may send copies of the record's process; one statement."""
        ...

    def instance_of(self, business_type: str, business_id: int) -> tuple[int, int] | None:
        """Return the ids of the record's process instance, ended or not, and of its definition; None without one."""
        ...

    def urging(self, actor: Actor, business_type: str, business_id: int) -> Urging | None:
        """Return whether and when the person may remind those for whom the record waits; None for never.

        One statement for whoever did not start the process, two for who did.
        """
        ...

    def next_of_own_model(self, definition_id: int, node: str) -> str | None:
        """The steps that may come after this one in a company's own model, by name; None for a shipped model."""
        ...


processes: ProcessPort
"""The implementation of the port; `workflows.runtime.apps` sets it at start-up."""


@dataclass(frozen=True)
class EffectInput:
    """The input of an effect: the operation that led to it."""

    actor: Actor
    outcome: str
    data: Mapping[str, Any]
    now: datetime
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Parameters given by the model, by name, converted as declared; parameters left out are missing."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """Further values of any name that the model gives an operation which `sends` them."""


@dataclass(frozen=True)
class Start:
    """How people start the process of a case."""

    model: str
    """Key of the model that the record's command starts."""
    code: str
    """Permission code of that command."""
    page: str
    """URL of the console's form for a new record; `{id}` is the definition's id."""


@dataclass(frozen=True)
class Words:
    """Label and description of a name that models use, in the caller's language."""

    label: str
    text: str


def effect_text(zh: str, en: str, does_zh: str, does_en: str) -> Words:
    """Return label and description, given in both languages."""
    return Words(label(zh, en), label(does_zh, does_en))


class Kind(StrEnum):
    """The type of a value that expressions may read."""

    NUMBER, FLAG, CHOICE = "number", "flag", "choice"
    USER, DEPT, TEAM = "user", "dept", "team"
    """An id, or '' for none; several people joined by commas."""
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
    """What an application tells designers of models for its cases."""

    label: str
    """Label of the case."""
    words: Mapping[str, Words]
    """Texts of each operation and each due function."""
    names: Mapping[str, RecordName]
    """Texts of each name that expressions may read."""
    sample: Callable[[Actor], Any]
    """A record such as this person would make; it is never stored."""
    peek: Callable[[int], Any]
    """The record by id as it stands, not locked; None where there is none."""


@dataclass(frozen=True)
class Summary:
    """What a row of the work list says of a record beside its title."""

    priority: int | None = None
    """1 is the most urgent; None where records have no priority."""
    subject: tuple[str, str] = ("", "")
    """What the record is about, such as the machine, in Chinese and English."""
    title: tuple[str, str] | None = None
    """What its process is called by now, in Chinese and English; None leaves it as it is."""


@dataclass(frozen=True)
class Lasting:
    """A due time as a beginning and a length; the model says whether natural or working time is counted."""

    begin: datetime
    length: timedelta


DueTime = datetime | Lasting | None


@dataclass(frozen=True)
class Effects:
    """What an application provides to the processes of its cases."""

    business_type: str
    effects: Mapping[str, Callable[[Any, EffectInput], None]]
    """Operation name in the model → function of (record, input): the only code that assigns the record's status."""
    load: Callable[[int], Any]
    """The record by id, locked for this transaction."""
    save: Callable[[Any], None]
    """Store the record after the effects of a step."""
    names: Callable[[Any], Mapping[str, Any]]
    """What expressions of the model may read as `record.*`: plain values."""
    dues: Mapping[str, Callable[[Any], DueTime]]
    """Name in the model → function of the record that returns the due time of the timer, or None."""
    sees: Callable[[Actor, int], bool]
    """Function that returns whether the record is in the actor's data scope."""
    visible: Callable[[Actor], QuerySet[Any]]
    """Function that returns all records in the actor's data scope, joined with what `acts` reads of them."""
    acts: Callable[[Actor, Any, OpenItem], frozenset[str]]
    """(actor, record, open item) → the operations that the person, who sees the record, may carry out on the item now.

    Without a statement.
    """
    command: Callable[..., Any]
    """(actor, record id, item, outcome, variables, comment, digest) → answer: the queue door's way to the command."""
    offered: Callable[[Actor, Mapping[int, Sequence[OpenItem]]], Mapping[int, Sequence[Offered]]]
    """(actor, open items by record id) → by item id the outcomes that the actor may choose; as many statements for a
    page as for one item."""
    summary: Callable[[Any], Summary]
    """What the work list shows of the record."""
    start: Start
    design: Design
    cancel: Callable[[Actor, int, str], Any] | None = None
    """(actor, record id, reason): the command that ends the process early; None if no command does."""
    cancelled_by: str = ""
    """The operation that `cancel` carries out."""
    parameters: Mapping[str, tuple[Parameter, ...]] = field(default_factory=dict)
    """Declared parameters by operation; an operation without an entry has no parameters."""
    lasting: frozenset[str] = frozenset()
    """Names of the due functions that return a `Lasting`, whose length a model may count in working time."""
    errors: Mapping[str, tuple[ErrorCode, ...]] = field(default_factory=dict)
    """Declared business errors by operation."""
    messages: frozenset[str] = frozenset()
    """Names of the messages that the record's own commands send to its process; no other process may send them."""


effects: dict[str, Effects] = {}
"""Business type → its effects; applications register in their AppConfig.ready."""


def register_effects(entry: Effects) -> None:
    """Register an application's effects; raises ValueError when the business type is taken."""
    if entry.business_type in effects:
        raise ValueError(f"business type {entry.business_type} is registered twice")
    effects[entry.business_type] = entry


@dataclass(frozen=True)
class Subject:
    """The subject of a common operation: the record of the process, or the process itself if it is standalone."""

    business_type: str
    business_id: int
    title: str


@dataclass(frozen=True)
class CommonOperation:
    """An operation that every process may call, whether a record is bound to it or not, however often.

    It has either `run`, within the transaction of the step, or `ask`, after its commit.
    """

    name: str
    words: Words
    parameters: tuple[Parameter, ...]
    run: Callable[[Subject, EffectInput], None] | None = None
    ask: Callable[[Subject, EffectInput, str], Mapping[str, Any]] | None = None
    """Function of subject, input and delivery key that reaches outside and returns the answer, plain values by name.

    It runs outside of every transaction, in a thread that uses no database, and may run twice with one key. A
    BusinessError goes to the model; any other exception is tried again.
    """
    prepare: Callable[[EffectInput], EffectInput] | None = None
    """Function that adds to the input of `ask` what only the database knows; it is called in the tenant's scope, before
    each try, and nothing of what it adds is stored. NotReady is an incident at once."""
    results: tuple[Result, ...] = ()
    """What the answer of `ask` has."""
    is_open: bool = False
    """Whether the answer may have values of other names too, and the model may send some (`EffectInput.values`)."""
    errors: tuple[ErrorCode, ...] = ()
    codes_in: str = ""
    """Parameter in which the model lists further error codes, as words such as `404=notFound`."""


common: dict[str, CommonOperation] = {}
"""By name; applications register theirs in their AppConfig.ready."""


def register_common(entry: CommonOperation) -> None:
    """Register an operation for all processes; raises ValueError when its name is taken."""
    if entry.name in common:
        raise ValueError(f"operation {entry.name} is registered twice")
    common[entry.name] = entry


class PeoplePort(Protocol):
    """Port to people, for the queues."""

    def names(self, user_ids: set[int]) -> Mapping[int, str]:
        """Real names by user id, in one statement."""
        ...

    def candidate_keys(self, rules: Iterable[str]) -> Mapping[str, str]:
        """Return the key by candidate rule; a statement for roles, one for posts and three for heads.

        Rules are user:<id>, team:<id>, role:<code>, post:<code>, each of the last two with @<dept id>, dept:<id>,
        deptTree:<id> (with all departments below), head:<dept id> and head:user:<id> (of the person's department),
        each of these with +<levels above>. A head is a person's key. A rule whose value is empty, or that names what
        the tenant does not have, gives none and is left out.
        """
        ...

    def behind(self, keys: Iterable[str]) -> QuerySet[Any]:
        """The people who may work now and hold one of these candidate keys, each once, in the order of their ids."""
        ...

    def counts(self, keys: Iterable[str]) -> Mapping[str, int]:
        """Return the number of enabled people by candidate key; one statement."""
        ...

    def describe(self, keys: set[str]) -> Mapping[str, str]:
        """Return the names of candidate keys: of a person, role, team, post or department."""
        ...

    def active(self, words: set[str]) -> Mapping[str, int]:
        """Ids of those of the tenant's people who may work now, by the ids or accounts asked for; one statement."""
        ...

    def head_of(self, user_id: int) -> int | None:
        """Return the enabled head of the person's department, or of the next one above with another head; an id."""
        ...


people: PeoplePort
"""The implementation of the port; `core.identity` sets it at start-up."""


on_duty: Callable[[Collection[int]], Mapping[int, Sequence[int]]]
"""Return by department who is on duty at this moment by the shift plan that counts for it: ids of people who may work,
none where it has no plan or nobody works; `core.shifts` sets it when the applications are ready."""


class MessagePort(Protocol):
    """How cases send messages to people."""

    def send(
        self,
        users: Iterable[int | None],
        title: tuple[str, str],
        content: tuple[str, str],
        business_type: str,
        business_id: int,
    ) -> None:
        """Send one message to several people, in Chinese and English; each gets it once."""
        ...

    def recipients(self, rules: Sequence[str]) -> list[int]:
        """Return the ids of the people whom candidate rules name; raises Refusal when there are too many."""
        ...


messages: MessagePort
"""The desks of people; `core.desk` sets it when the applications are ready."""


@dataclass(frozen=True)
class Fault:
    """A fault that another record has found on a machine."""

    machine_id: int
    source: int
    """As the dictionary repair_source numbers it."""
    source_id: int
    source_no: str
    description: str
    urgency: int
    images: tuple[str, ...] = ()
    """Names of stored pictures, which the order shows too."""
    earlier: frozenset[int] = frozenset()
    """Ids of the orders that came of the same fault before: where one is still open, no other one is made."""


@dataclass(frozen=True)
class RepairState:
    """A repair order, as far as others need to know it."""

    id: int
    number: str
    status_name: str
    is_closed: bool
    """Whether it was repaired and checked."""
    close_time: datetime | None = None
    """When it was closed; None where it is not."""


class RepairPort(Protocol):
    """Port to repair orders, for records that find faults."""

    def hold(self) -> None:
        """Let nobody else report a fault until the transaction ends; called before `report`, and before machines are
        locked."""
        ...

    def report(self, actor: Actor, fault: Fault) -> RepairState:
        """Report a fault, or note on an open order that it was found again; return the order.

        Raises Refusal where the machine takes no report.
        """
        ...

    def states(self, ids: Iterable[int]) -> Mapping[int, RepairState]:
        """Return orders by id, removed ones left out; one statement."""
        ...


repairs: RepairPort
"""The implementation of the port; `core.maintenance` sets it at start-up."""
repair_listeners: list[Callable[[int, bool], None]] = []
"""Functions that are called in the transaction in which an order ends: its id, and whether it was a false alarm."""
