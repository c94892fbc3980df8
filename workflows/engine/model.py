"""The engine's input and output: the parsed model, the host that the caller lends, and the result of a step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Protocol


@dataclass(frozen=True)
class OutgoingFlow:
    """An outgoing flow of the gateway behind a user task, taken for `outcome` ('' for the default flow)."""

    outcome: str
    name: str
    name_en: str


@dataclass(frozen=True)
class VendorField:
    """A form field that Flowable, Activiti (`formProperty`) or Camunda 7 (`formField`) puts into a node.

    `rules` are Camunda's constraints by name; `options` are the ids and names of an enumeration; `unread` names the
    other elements inside of the field.
    """

    attributes: Mapping[str, str]
    rules: Mapping[str, str]
    options: tuple[tuple[str, str], ...]
    unread: tuple[str, ...]


@dataclass(frozen=True)
class Aggregate:
    """A list that a loop fills: each loop instance adds one item, which holds values by name.

    `values` are their templates. An item with the one name '' is that value itself.
    """

    variable: str
    values: Mapping[str, str]


@dataclass(frozen=True)
class Loop:
    """The multi-instance loop of an activity; texts are templates, '' where the model says nothing."""

    collection: str
    cardinality: str
    variable: str
    condition: str
    outcome: str
    is_sequential: bool
    weights: tuple[tuple[str, int], ...] = ()
    """Candidate rules such as `role:hr` or `dept:7` with the weight of the votes of those they name; `*` names all."""
    aggregates: tuple[Aggregate, ...] = ()


@dataclass(frozen=True)
class Node:
    """What the application may know of a node of the model.

    `kind` is the BPMN element ('userTask', 'serviceTask', 'startEvent', …). `extensions` holds the attributes of our
    own namespace by local name; the people, form and date attributes of Flowable, Activiti and Camunda 7 stand in the
    same mapping where ours say nothing. `outgoing` is filled for a user task before a gateway that reads its outcome.
    `is_asked` says that a condition between the task and the next user tasks reads the outcome. `scope` is the id of
    the sub-process or call activity around the node, '' for the process itself. `loop` is the multi-instance loop of an
    activity. `parameters` are the templates that a service task gives its operation, by name; `results` say where what
    it answers goes, by name. `carried` are the form fields that a message event sets from the message that it receives,
    or sends with the one that it throws.
    """

    id: str
    kind: str
    name: str
    name_en: str
    extensions: Mapping[str, str]
    fields: tuple[VendorField, ...] = ()
    outgoing: tuple[OutgoingFlow, ...] = ()
    is_asked: bool = False
    scope: str = ""
    loop: Loop | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)
    results: Mapping[str, str] = field(default_factory=dict)
    carried: tuple[str, ...] = ()

    @property
    def is_multi_instance(self) -> bool:
        """Whether the activity has a multi-instance loop."""
        return self.loop is not None


@dataclass(frozen=True)
class TimedStart:
    """When a process starts by itself: `kind` 'duration', 'cycle' or 'date' with its ISO text or calendar rule."""

    kind: str
    text: str


@dataclass(frozen=True)
class Specification:
    """A parsed model. It never changes, so that threads share it.

    `nodes` holds all flow nodes by id, those inside sub-processes too; `checksum` is the sha256 of the document's
    bytes. `first` is the start event at which people start it, `timed_starts` are those at which it starts by itself,
    `message_starts` are those at which a message starts it, with its name (a signal's begins with `SIGNAL`),
    `extensions` are the attributes of the process (see Node),
    `forms` the texts of its `form` elements by name. `is_vendor` says that the model uses another engine's dialect.
    `catches` are the names of the messages that a node may wait for. `deadlines` has, by user task, the
    non-interrupting timer events of the task and of the sub-processes around it. `optional` are names that expressions
    may read though nobody sets them. `process` and `subprocesses` are specifications of SpiffWorkflow and belong to
    this package alone.
    """

    process_id: str
    name: str
    name_en: str
    nodes: Mapping[str, Node]
    checksum: str
    process: Any = field(repr=False, compare=False)
    subprocesses: Mapping[str, Any] = field(repr=False, compare=False)
    first: str = ""
    timed_starts: Mapping[str, TimedStart] = field(default_factory=dict)
    message_starts: Mapping[str, str] = field(default_factory=dict)
    extensions: Mapping[str, str] = field(default_factory=dict)
    forms: Mapping[str, str] = field(default_factory=dict)
    is_vendor: bool = False
    catches: frozenset[str] = frozenset()
    deadlines: Mapping[str, frozenset[str]] = field(default_factory=dict)
    optional: frozenset[str] = frozenset()

    @property
    def digest(self) -> str:
        """The beginning of the checksum; a stored state says by it to which model it belongs."""
        return self.checksum[:16]


class Answers(Enum):
    """When an operation answers."""

    LATER = "later"
    """Not within this step: its service task waits until `answers.answer` or `answers.fail` is called."""


LATER: Literal[Answers.LATER] = Answers.LATER


class Host(Protocol):
    """What the caller lends the engine for one step: the operations and the live names."""

    def call(self, operation: str, node: str, given: Mapping[str, Any]) -> Literal[Answers.LATER] | None:
        """Run the registered operation of a service task, or answer LATER, and run it after the step.

        `given` has the values of its parameters by name, as the model's expressions give them. A BusinessError goes to
        a boundary event; other exceptions pass through the engine unchanged.
        """

    def names(self) -> Mapping[str, Any]:
        """Return names for expressions beside the process data, such as 'record'; called again at each evaluation."""

    def weigh(self, rules: Sequence[tuple[str, int]], people: Sequence[Any]) -> Sequence[int]:
        """Return the weight of each of these people by the rules of a loop (see `Loop.weights`)."""

    def comes(self, repetition: str) -> bool:
        """Return whether any occurrence of a repetition still comes: the caller has the clock."""


class OpenTask(NamedTuple):
    """A user task that waits; `task` is its id in the engine (hex), the same until it closes.

    `names` are what an expression of the task may read besides: variables that scripts have set and, in a
    multi-instance activity, those of its loop instance, such as the signer. `loop_instance` says which one it is, and
    `activity` which multi-instance activity it is directly in, so that those beside it are told from others. `note` is
    what was said of a loop instance that was added. `holder` is whom the caller named when it sent the token back here,
    '' where it came by itself. `is_visit` says that the token is asked for at another step than its own (see `visits`):
    `loop_instance` is that of its own step then.
    """

    task: str
    node: str
    names: Mapping[str, Any] = MappingProxyType({})
    loop_instance: str = ""
    activity: str = ""
    note: Mapping[str, Any] = MappingProxyType({})
    holder: str = ""
    is_visit: bool = False

    @property
    def counted(self) -> str:
        """The key by which rounds are counted: the node, and in a multi-instance activity the loop instance."""
        return f"{self.node}/{self.loop_instance}" if self.loop_instance else self.node  # no id has this sign


@dataclass(frozen=True)
class SentBack:
    """How a token is sent back: to walk again from there, or to come straight back to the step that sends it.

    `holder` is whom the target is for, `returns_to` whom the step is for when it opens again. The engine only gives
    both back; '' means whom the model names.
    """

    comes_back: bool = False
    holder: str = ""
    returns_to: str = ""


@dataclass(frozen=True)
class OpenTimer:
    """A waiting timer: `kind` 'duration', 'cycle' or 'date' with ISO `text`, or 'due' with a due function's name.

    `is_working` says that it counts working time, which the caller's calendar knows.
    """

    task: str
    node: str
    kind: str
    text: str
    is_working: bool = False


@dataclass(frozen=True)
class OpenCatch:
    """An event that waits for a message; `key` is '' where the model has no correlation key (see Thrown)."""

    task: str
    node: str
    message: str
    key: str


@dataclass(frozen=True)
class OpenCall:
    """A service task whose operation answers later; `given` are its parameters, None where it waited before."""

    task: str
    node: str
    operation: str
    given: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Thrown:
    """A message that a node threw in this step, for the instances that wait for its name and key.

    An empty key means the instance itself, which the caller knows.
    """

    node: str
    message: str
    key: str


@dataclass(frozen=True)
class Failure:
    """Why the process cannot go on at a node until somebody repairs it: a code, and a sentence in each language.

    The code is 'stuck' where nothing waits any more, as behind a join whose token never comes. Otherwise the token
    waits at the node, where an expression failed, no flow could be taken, or nobody caught an error.
    """

    node: str
    code: str
    text_zh: str
    text_en: str


@dataclass(frozen=True)
class Step:
    """The state of an instance after a step, and what the step did.

    `tasks`, `timers`, `catches` and `calls` are everything that waits now, not the difference. `passed` are the ids of
    the nodes completed in this step, `flows` those of the sequence flows taken, `thrown` the messages, all in order.
    `decided` has, by node, the outcome of each multi-instance activity that was left in this step. `ended_by` is the
    outcome that ended the instance at once, empty otherwise (see `run.complete`). `faults` say where the process cannot
    go on.
    """

    state: bytes
    tasks: tuple[OpenTask, ...]
    timers: tuple[OpenTimer, ...]
    catches: tuple[OpenCatch, ...]
    passed: tuple[str, ...]
    flows: tuple[str, ...]
    thrown: tuple[Thrown, ...]
    completed: bool
    decided: Mapping[str, str] = field(default_factory=dict)
    ended_by: str = ""
    calls: tuple[OpenCall, ...] = ()
    faults: tuple[Failure, ...] = ()

    @property
    def messages(self) -> frozenset[str]:
        """The names of the messages that events wait for."""
        return frozenset(catch.message for catch in self.catches)
