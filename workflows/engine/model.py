"""What goes in and out of the engine: the parsed model, what the caller lends, and what a step did."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True)
class Way:
    """A flow out of the gateway behind a user task, taken when the task's outcome is `outcome` ('' for the default)."""

    outcome: str
    name: str
    name_en: str


@dataclass(frozen=True)
class VendorField:
    """A field of a form that Flowable, Activiti (`formProperty`) or Camunda 7 (`formField`) puts into a node.

    `rules` are Camunda's constraints by name; `options` are the ids and names of an enumeration; `unread` names what
    stands in the field besides.
    """

    attributes: Mapping[str, str]
    rules: Mapping[str, str]
    options: tuple[tuple[str, str], ...]
    unread: tuple[str, ...]


@dataclass(frozen=True)
class Loop:
    """How often an activity is done for one token; texts are templates, '' where the drawing says nothing."""

    collection: str
    cardinality: str
    variable: str
    condition: str
    outcome: str
    is_sequential: bool


@dataclass(frozen=True)
class Node:
    """What the application may know of a node of the model.

    `kind` is the BPMN element ('userTask', 'serviceTask', 'startEvent', …). `extensions` holds the attributes of our
    own namespace by local name; the people, form and date attributes of Flowable, Activiti and Camunda 7 are read
    into the same mapping where ours does not say it. `ways` is filled for a user task whose gateway asks its outcome;
    `is_asked`: some condition between it and the next user tasks reads the outcome. `scope` is the sub-process or call
    that it lies in, '' for the process itself. `loop`: it is done several times, see many.py. `parameters` are the
    templates that a service task gives its operation, by name.
    """

    id: str
    kind: str
    name: str
    name_en: str
    extensions: Mapping[str, str]
    fields: tuple[VendorField, ...] = ()
    ways: tuple[Way, ...] = ()
    is_asked: bool = False
    scope: str = ""
    loop: Loop | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_many(self) -> bool:
        """Whether it is done several times."""
        return self.loop is not None


@dataclass(frozen=True)
class Specification:
    """A parsed model, never changed once built, so that threads share it.

    `nodes` holds all flow nodes by id, those inside sub-processes too; `checksum` is the sha256 of the original bytes.
    `first` is the start event of the process itself, `extensions` holds the attributes of the process like a node's,
    `forms` the texts of the process's `form` elements by name. `is_vendor`: the model speaks another engine's dialect.
    `catches` are the names of the messages that some node may wait for. `deadlines` has, by user task, the timers round
    it that break nothing off: on the task, or on a sub-process that it lies in. `optional` are names that expressions
    may read where nobody gives them.
    `process` and `subprocesses` are SpiffWorkflow's specs and belong to this package alone.
    """

    process_id: str
    name: str
    name_en: str
    nodes: Mapping[str, Node]
    checksum: str
    process: Any = field(repr=False, compare=False)
    subprocesses: Mapping[str, Any] = field(repr=False, compare=False)
    first: str = ""
    extensions: Mapping[str, str] = field(default_factory=dict)
    forms: Mapping[str, str] = field(default_factory=dict)
    is_vendor: bool = False
    catches: frozenset[str] = frozenset()
    deadlines: Mapping[str, frozenset[str]] = field(default_factory=dict)
    optional: frozenset[str] = frozenset()


LATER = object()
"""What the host's call gives for an operation whose answer comes later."""


class Host(Protocol):
    """What the caller lends for the length of one step."""

    def call(self, operation: str, node: str, given: Mapping[str, Any]) -> object:
        """Run the registered operation of a service task. Exceptions pass through the engine unchanged.

        `given` has the values of its parameters by name, as the drawing's expressions give them. One that reaches
        outside gives LATER: its task then waits until `answer` is called.
        """

    def names(self) -> Mapping[str, Any]:
        """Names for expressions beside the process data, such as 'record'; asked again at each evaluation."""


@dataclass(frozen=True)
class OpenTask:
    """A user task that waits; `task` is its id in the engine (hex), the same until it closes.

    `names` are what an expression of the task may read besides: what scripts have set and, in an activity that is done
    several times, what only this instance may read, such as the signer; `place` tells it from the others (see many.py).
    """

    task: str
    node: str
    names: Mapping[str, Any] = field(default_factory=dict)
    place: str = ""

    @property
    def counted(self) -> str:
        """By what its rounds are counted: whoever acts beside others is in the same round as they."""
        return f"{self.node}/{self.place}" if self.place else self.node  # no id has this sign


@dataclass(frozen=True)
class OpenTimer:
    """A timer that waits: `kind` 'duration', 'cycle' or 'date' with ISO `text`, or 'due' with a due function's name."""

    task: str
    node: str
    kind: str
    text: str


@dataclass(frozen=True)
class OpenCatch:
    """An event that waits for a message; `key` is '' where the model names none (see Thrown)."""

    task: str
    node: str
    message: str
    key: str


@dataclass(frozen=True)
class OpenCall:
    """A service task that waits for the answer to its operation."""

    task: str
    node: str
    operation: str


@dataclass(frozen=True)
class Thrown:
    """A message that a node threw in this step, for instances that wait for its name and key.

    An empty key stands for the one by which the caller knows the instance.
    """

    node: str
    message: str
    key: str


@dataclass(frozen=True)
class Step:
    """What the instance is after a step, and what the step did.

    `tasks`, `timers`, `catches` and `calls` are everything that waits now, not the difference. `passed` are the ids of
    the nodes completed in this step, `flows` those of the sequence flows taken, `thrown` its messages, all in order.
    `decided` has, by node, the outcome of each activity done several times that was left in this step.
    """

    state: bytes
    tasks: tuple[OpenTask, ...]
    timers: tuple[OpenTimer, ...]
    catches: tuple[OpenCatch, ...]
    calls: tuple[OpenCall, ...]
    passed: tuple[str, ...]
    flows: tuple[str, ...]
    thrown: tuple[Thrown, ...]
    completed: bool
    decided: Mapping[str, str] = field(default_factory=dict)

    @property
    def messages(self) -> frozenset[str]:
        """Names of the messages that something waits for."""
        return frozenset(catch.message for catch in self.catches)
