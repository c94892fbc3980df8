"""What an application declares of a record that a process moves: one `Case`, in one module, and all else follows.

The order of reading: `Case` at the end, then what it is made of. Texts are in both languages (`label(zh, en)`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, Protocol

from django.db import models
from django.db.models import QuerySet
from rest_framework import serializers

from core.kernel.actor import Actor
from core.kernel.errors import Missing, Refusal, Text
from core.kernel.operation import SIGNED_IN
from core.kernel.texts import label
from core.ports import Asks, DueTime, EffectInput, ErrorCode, Kind, Parameter, Summary
from core.rest.filters import Filter, filters_of, has_filter
from core.rest.scopes import restrict
from core.statements.compiled import Compiled


class Door(StrEnum):
    """Who may carry out a command, beside holding its permission code."""

    STEP = "step"
    """A candidate or the holder of the open step."""
    RECORD = "record"
    """Everybody who sees the record, whoever holds the step."""


@dataclass(frozen=True)
class Remark:
    """The words that a command asks of a person; they become the comment of the step."""

    label: str
    name: str = "comment"
    is_required: bool = False
    most: int = 500


@dataclass(frozen=True)
class Outcome:
    """One of several outcomes of a command."""

    key: str
    label: str
    values: Mapping[str, Any] = field(default_factory=dict)
    """The input that means this outcome; the queue, which names the outcome, gives it to the command."""
    refuses: bool = False
    is_brief: bool = False
    """Whether `values` and the remark are enough, so that people may choose it for many records at once."""


HANDS_ON = ("delegate", "transfer")
"""Buttons by which the work goes to somebody else."""


@dataclass(frozen=True)
class Verb:
    """A button of the queues that stands for a command."""

    name: str
    """`transfer`, `delegate` or `withdraw`."""
    person: str = ""
    """The field of the command that takes the chosen person."""


@dataclass(frozen=True)
class Command:
    """One thing that people do with a record. It completes a step of the process, or sends it a message."""

    name: str
    label: str
    steps: tuple[str, ...] = ()
    """Ids of the user tasks that it completes."""
    message: str = ""
    """In place of steps, the message that it sends to the process."""
    statuses: tuple[int, ...] = ()
    """For a message, the statuses at which it may be sent, whatever step is open."""
    code: str = SIGNED_IN
    """The permission code; by default everybody who is signed in."""
    door: Door = Door.STEP
    allowed: Callable[[Actor, Any], bool] = lambda actor, record: True
    """(actor, record): what else must hold between the two."""
    denied: Text = ""
    """What a person is told for whom `allowed` does not hold; empty for the general sentence."""
    late: Callable[[Actor, Any], Refusal | None] = lambda actor, record: None
    """(actor, record): what a person is told who comes too late because the record is somebody else's by now."""
    remark: Remark | None = None
    fields: tuple[str, ...] = ()
    """Columns of the record that the command requires, beside the remark; the input follows from them."""
    input: type[serializers.Serializer[Any]] | None = None
    """The input, where fields and remark do not say it."""
    comment: str = ""
    """The field of `input` that takes the comment given in the queue; by default the remark."""
    edits: bool = False
    """The input changes the record: what is not sent stays as it is."""
    prefilled: bool = False
    """The form begins with the values that the record has; what is not sent is missing all the same."""
    run: Callable[[Any, dict[str, Any]], None] | None = None
    """In place of steps and message, what it does to the record, whatever step is open; timers are asked anew."""
    check: Callable[[Actor, Any, dict[str, Any]], None] | None = None
    """(actor, record, values): raises a Refusal where a rule beyond the fields is broken; may add to the values."""
    outcomes: tuple[Outcome, ...] = ()
    """By default one outcome with the command's name and label."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """By step, what the outcome is called there, where the command's label does not fit."""
    refuses: bool = False
    """A refusal in the queue (no `flag`) means this command."""
    takes: bool = False
    """Whoever carries it out becomes responsible for the record, so that they do not claim the step beforehand."""
    will: str = ""
    """What will happen; the console shows it in the command's form."""
    button: str = ""
    """What the console calls it on its own, where the label needs a sentence around it."""
    tone: str = ""
    """`main`, `danger` or neither: how the console shows the button."""
    verb: Verb | None = None

    def all_outcomes(self) -> tuple[Outcome, ...]:
        """Return the declared outcomes, or the one that the command has by default."""
        return self.outcomes or (Outcome(self.name, self.label, refuses=self.refuses),)

    def asks(self, outcome: Outcome) -> Asks:
        """Return what a person who chooses the outcome is asked beyond what the outcome itself says."""
        if (self.fields or self.input is not None) and not outcome.is_brief:
            return Asks.INPUT
        is_required = self.remark is not None and (self.remark.is_required or outcome.refuses)
        return Asks.COMMENT if is_required else Asks.NOTHING

    def outcome_of(self, values: Mapping[str, Any]) -> str:
        """Return the key of the outcome that this input means."""
        for outcome in self.all_outcomes():
            if all(values.get(name) == value for name, value in outcome.values.items()):
                return outcome.key
        raise ValueError(f"no outcome of {self.name} is meant by its input")


@dataclass(frozen=True)
class Step:
    """A user task of the shipped model."""

    status: int
    """The record's status while the step is open."""
    next: str | Callable[[Any], str] = ""
    """What happens after it, or a function of the record that says so; shown on the record's page while the process
    runs the shipped model. Of a company's own model the names of its next steps are shown."""


@dataclass(frozen=True)
class People:
    """Some people by their relation to the record."""

    label: str
    find: Callable[[Any], Iterable[int | None]]
    """Return the ids of the people, None for nobody."""


@dataclass(frozen=True)
class Tell:
    """A message to people; the one who acts gets none."""

    people: People
    title: str = ""
    """By default the case and the status that the effect gives."""


@dataclass(frozen=True)
class Effect:
    """What a service task does to the record; the model refers to it as `<case>.<name>`.

    Only effects change the record's status. The fields below `becomes` are carried out in the order in which they stand
    here; a Refusal raised by one of them undoes the whole step.
    """

    name: str
    label: str = ""
    """By default that the status changes to `becomes`."""
    becomes: int | None = None
    """The status that the record gets."""
    run: Callable[[Any, EffectInput], None] | None = None
    now: str = ""
    """The column that gets the moment of the effect."""
    tells: tuple[Tell, ...] = ()
    does: str = ""
    """What `run` does, as the end of a sentence that begins with the status and whom it tells."""
    parameters: tuple[Parameter, ...] = ()
    """What a model may give it."""
    errors: tuple[ErrorCode, ...] = ()
    """The business errors that it may raise (`ports.BusinessError`), for which a model may draw a boundary event."""


@dataclass(frozen=True)
class Due:
    """When a timer of the model falls due, called `<case>.<name>` there."""

    name: str
    label: str
    does: str
    moment: Callable[[Any], DueTime]
    """The moment; None for not now."""
    lasts: bool = False
    """Whether it gives a beginning and a length (`core.ports.Lasting`), which a model may count in working time."""


@dataclass(frozen=True)
class Fact:
    """What conditions and candidates of a model may read as `record.<name>`."""

    name: str
    label: str
    kind: Kind
    read: Callable[[Any], Any]
    """Return a plain value."""
    choices: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class Process:
    """The model that moves the records, and what the product promises of it."""

    name: str
    category: str
    """Value of the dictionary `flow`."""
    steps: Mapping[str, Step]
    required: tuple[tuple[str, ...], ...]
    """Effects of which one of each group lies on every path from the start to an end, in this order."""
    key: str = ""
    """The key of the model; by default the name of the case."""


Shown = str | tuple[str, ...]
"""A field of the detail that the console shows, or several as one: the first has the label, the others stand below."""


@dataclass(frozen=True)
class Section:
    """A part of a record's page with a heading of its own."""

    title: str
    fields: tuple[Shown, ...]


@dataclass(frozen=True)
class Number:
    """The numbers of the records."""

    column: str
    prefix: str


@dataclass(frozen=True)
class Start:
    """How a person makes a record and starts its process."""

    name: str
    label: str
    code: str
    input: type[serializers.Serializer[Any]] | None = None
    """The input, where `fields` do not say it."""
    fields: tuple[str, ...] = ()
    """Columns of the record that the person fills; those with `blank=True` may be left out."""
    check: Callable[[Actor, Any, dict[str, Any]], None] | None = None
    """(actor, new record, values): raises a Refusal where a rule beyond the fields is broken; may add to the values."""
    own_operation: bool = False
    """Whether the application registers the operation itself, in place of the usual one."""
    call: str = "start-process"
    """The last part of the address of its call."""
    page: str = ""
    """Address of the form in the console; by default the page of the case."""
    draft: int | None = None
    """The status of a record that is still being written, where people may keep drafts; each person has one."""
    owner: str = "user"
    """The column of the person who starts it."""


class Readers(Protocol):
    """Who may read the records."""

    def __call__(self, actor: Actor, record_id: int) -> bool:
        """Return whether the person may read the record."""
        ...

    def visible(self, actor: Actor) -> QuerySet[Any]:
        """Return all records that the person may read; lists of processes ask for a page at once."""
        ...

    def among(self, actors: Sequence[Actor], record_id: int) -> set[int]:
        """Return the ids of those of these people who may read the record; as many statements as for one."""
        ...


WAITING = "waitingFor"
"""The field of a list that says which steps are open and whom they wait for."""


def sent(model: Any, draft: int | None) -> QuerySet[Any]:
    """Return all records of a case that are more than a draft, which is the status `draft`."""
    rows: QuerySet[Any] = model._default_manager.all()
    return rows if draft is None else rows.exclude(status=draft)


@dataclass(frozen=True)
class Listing:
    """The list of a case's records, for those who may see more than what they have started or work on.

    `CaseListViewSet` of `core/cases/lists.py` has its calls, and the console its page.
    """

    noun: str
    """The first part of its permission codes, such as `<noun>_view`."""
    fields: tuple[str, ...]
    """Columns of the record in their order, by which people may filter and sort too; `waitingFor` are the open steps
    and whom they wait for."""
    scope: Mapping[str, str] = field(default_factory=dict)
    """Columns that a data scope asks for; see core/rest/scopes.py."""
    filters: Mapping[str, Filter] = field(default_factory=dict)
    """Filters beside those of the columns, or in their place."""
    order: tuple[str, ...] = ("-create_time", "-id")

    def filters_of(self, model: type[models.Model]) -> dict[str, Filter]:
        """Return all that the list may be asked."""
        columns = [model._meta.get_field(name) for name in self.fields if name != WAITING]
        return {**filters_of(model, *(one.name for one in columns if has_filter(one))), **self.filters}

    def within(self, rows: QuerySet[Any], actor: Actor) -> QuerySet[Any]:
        """Return those of these records that lie within the person's data scope."""
        return restrict(rows, actor, self.noun, self.scope, self.filters_of(rows.model)) if self.scope else rows


COMMENTS: Mapping[str, str] = {
    "comment": label("评论", "Comment"),
    "removeComment": label("删除评论", "Delete a comment"),
}
"""What readers of every record do, with the labels."""


@dataclass(frozen=True)
class Case:
    """A record that a process moves."""

    name: str
    """The business type: the model's name in lower case. Operations are called `<name>.<command>`."""
    title: str
    model: type[models.Model]
    process: Process
    number: Number
    start: Start
    commands: tuple[Command, ...]
    effects: tuple[Effect, ...]
    facts: tuple[Fact, ...]
    sees: Readers
    listing: Listing | None = None
    """The list of the records; by default there is none."""
    code: str = SIGNED_IN
    """The permission code that a reader needs beside; by default everybody who is signed in."""
    sample: Callable[[Actor], Any] | None = None
    """Return a record such as this person would make; it is never stored. By default one with its owner alone."""
    dues: tuple[Due, ...] = ()
    route: str = ""
    """Segment of its pages in the console, `/work/process/<route>/…`; by default the name."""
    summary: Callable[[Any], Summary] = lambda record: Summary()
    """What the work list shows of a record beside its title."""
    related: tuple[str, ...] = ()
    """Foreign keys that effects and facts read: they are joined when the record is locked."""
    document: tuple[Shown, ...] = ()
    """Fields of the detail that the console shows as facts, in their order, long texts and files below them; by default
    the owner and what the start asks for."""
    sections: tuple[Section, ...] = ()
    """Parts of the page below the facts."""
    tones: Mapping[int, str] = field(default_factory=dict)
    """How the console colours the statuses: quiet, active, waiting, good, bad or off; by default quiet."""
    messages: tuple[str, ...] = ()
    """Messages that the application sends to the process beside those of the commands; no other process may."""
    other_actions: Mapping[str, Callable[[Actor, Any], bool]] = field(default_factory=dict)
    """What people may do with the record beside the commands, by the name in `allowedActions`: (actor, record)."""
    other_acts: Mapping[str, str] = field(default_factory=dict)
    """Operations that are neither start nor command, with their labels, for the history."""
    wrong_state: Callable[[str], Refusal] = lambda text: Refusal("case.wrongState", text)
    """The refusal of a command that does not fit the state, with this sentence."""
    ended_by: str = ""
    """The command that ends the process early, for whoever ends it from outside; empty where nothing does."""
    ended_with: Callable[[str], dict[str, Any]] = lambda reason: {"comment": reason}
    """The input of that command for a reason."""

    @cached_property
    def command(self) -> Mapping[str, Command]:
        """The commands by name."""
        return {command.name: command for command in self.commands}

    @cached_property
    def operations(self) -> Mapping[str, Effect]:
        """The effects by the names that models call."""
        return {f"{self.name}.{effect.name}": effect for effect in self.effects}

    @cached_property
    def timers(self) -> Mapping[str, Due]:
        """The due functions by the names that models call."""
        return {f"{self.name}.{due.name}": due for due in self.dues}

    @property
    def segment(self) -> str:
        """The segment of its pages; also the `formKey` of its steps in models."""
        return self.route or self.name

    @property
    def model_key(self) -> str:
        """The key of the model that moves its records."""
        return self.process.key or self.name

    @property
    def start_page(self) -> str:
        """The address of the form; `{id}` stands for the definition's id."""
        return self.start.page or f"/work/process/{self.segment}/form/{{id}}"

    def new_sample(self, actor: Actor) -> Any:
        """Return a record such as this person would make; it is never stored."""
        return self.sample(actor) if self.sample else self.model(**{f"{self.start.owner}_id": actor.user_id})

    def read(self, record: Any) -> dict[str, Any]:
        """Return what expressions of a model may read as `record.*`."""
        return {fact.name: fact.read(record) for fact in self.facts}

    def sent(self) -> QuerySet[Any]:
        """Return all records that are more than a draft."""
        return sent(self.model, self.start.draft)

    def status_names(self) -> Mapping[int, str]:
        """Return the labels of the statuses."""
        return dict(self.model._meta.get_field("status").choices)  # type: ignore[union-attr,arg-type]

    def act_names(self) -> dict[str, str]:
        """Return the label of each operation by the last part of its name, for histories and logs."""
        names = {self.start.name: self.start.label, **COMMENTS, **self.other_acts}
        if self.start.draft is not None:
            names["saveDraft"] = label("存草稿", "Save a draft")
            names["removeDraft"] = label("清空草稿", "Discard the draft")
        return {**names, **{command.name: command.label for command in self.commands}}

    def _rows(self) -> QuerySet[Any]:
        return self._joined(self.model._default_manager.all())

    def _joined(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        return rows.select_related(*self.related) if self.related else rows

    @cached_property
    def _locked(self) -> Compiled:
        return Compiled(lambda pk: self._rows().select_for_update(of=("self",)).filter(pk=pk))

    def load(self, record_id: int) -> Any:
        """Return the record, locked for this transaction; raises Missing."""
        for record in self._locked.rows(record_id):
            return record
        raise Missing()

    def visible(self, actor: Actor) -> QuerySet[Any]:
        """Return the records that the person may read, with what `allowed` of the commands reads beside them."""
        return self._joined(self.sees.visible(actor))

    def peek(self, record_id: int) -> Any:
        """Return the record as it stands, not locked; None where there is none."""
        return self._rows().filter(pk=record_id).first()


cases: dict[str, Case] = {}
"""By name; applications register theirs in their AppConfig.ready, see `core.cases.commands.register`."""
