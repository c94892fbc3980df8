"""The process engine: parsed models and bytes of state in, the next state and a list of what happened out.

The only package that imports SpiffWorkflow. It knows no database, no clock and no business word.
"""

from workflows.engine.adopt import adopt
from workflows.engine.answers import answer, fail, given
from workflows.engine.calendar_rules import CalendarRule
from workflows.engine.call_activities import Assembly, Called, Find, assemble
from workflows.engine.coverage import Values, uncovered
from workflows.engine.document import process_key, read
from workflows.engine.effort import MAX_JUDGED, bounded
from workflows.engine.errors import (
    BusinessError,
    EngineError,
    ExpressionError,
    LimitReached,
    LoopNotChanged,
    ModelError,
    NobodyWaits,
    NotMovable,
    OutcomeUnknown,
    Problem,
    StateError,
    Stuck,
    TaskNotOpen,
    UncaughtError,
)
from workflows.engine.examine import (
    advise,
    awaited,
    caught,
    dues,
    error_events,
    inputs,
    missing_effects,
    process_id,
    repeated,
    unexpected_inputs,
    unkeyed,
    without_diagram,
)
from workflows.engine.expressions import evaluate
from workflows.engine.foreign import split
from workflows.engine.layout import Layout, layout
from workflows.engine.loop_acts import LoopInstances
from workflows.engine.model import (
    LATER,
    Answers,
    Host,
    Node,
    OpenCall,
    OpenCatch,
    OpenTask,
    OpenTimer,
    OutgoingFlow,
    SentBack,
    Specification,
    Step,
    Thrown,
    TimedStart,
    VendorField,
)
from workflows.engine.moves import obstacles
from workflows.engine.multi_instance import MAX_INSTANCES, instances
from workflows.engine.own_steps import order, shared_ways, unexpected_order
from workflows.engine.parse import parse, sketch, specify
from workflows.engine.readings import unknown_names
from workflows.engine.rehearsal import rehearse, rehearsed_order
from workflows.engine.repetitions import Repetition, check_time, due_after, occurrence, read_repetition
from workflows.engine.rules import runnable
from workflows.engine.run import (
    add_loop_instances,
    can_skip,
    cancel,
    complete,
    destinations,
    earlier,
    fire,
    look,
    loop_instances,
    move,
    remove_loop_instance,
    send,
    send_back,
    skip,
    start,
    tokens,
)
from workflows.engine.sending import Target
from workflows.engine.specs import SIGNAL
from workflows.engine.timetext import Calendar, Duration, duration
from workflows.engine.working import WORKING, check_length
from workflows.engine.working import dues as working_dues

__all__ = [
    "LATER",
    "MAX_INSTANCES",
    "MAX_JUDGED",
    "SIGNAL",
    "WORKING",
    "Answers",
    "Assembly",
    "BusinessError",
    "Calendar",
    "CalendarRule",
    "Called",
    "Duration",
    "EngineError",
    "ExpressionError",
    "Find",
    "Host",
    "Layout",
    "LimitReached",
    "LoopInstances",
    "LoopNotChanged",
    "ModelError",
    "NobodyWaits",
    "Node",
    "NotMovable",
    "OpenCall",
    "OpenCatch",
    "OpenTask",
    "OpenTimer",
    "OutcomeUnknown",
    "OutgoingFlow",
    "Problem",
    "Repetition",
    "SentBack",
    "Specification",
    "StateError",
    "Step",
    "Stuck",
    "Target",
    "TaskNotOpen",
    "Thrown",
    "TimedStart",
    "UncaughtError",
    "Values",
    "VendorField",
    "add_loop_instances",
    "adopt",
    "advise",
    "answer",
    "assemble",
    "awaited",
    "bounded",
    "can_skip",
    "cancel",
    "caught",
    "check_length",
    "check_time",
    "complete",
    "destinations",
    "due_after",
    "dues",
    "duration",
    "earlier",
    "error_events",
    "evaluate",
    "fail",
    "fire",
    "given",
    "inputs",
    "instances",
    "layout",
    "look",
    "loop_instances",
    "missing_effects",
    "move",
    "obstacles",
    "occurrence",
    "order",
    "parse",
    "process_id",
    "process_key",
    "read",
    "read_repetition",
    "rehearse",
    "rehearsed_order",
    "remove_loop_instance",
    "repeated",
    "runnable",
    "send",
    "send_back",
    "shared_ways",
    "sketch",
    "skip",
    "specify",
    "split",
    "start",
    "tokens",
    "uncovered",
    "unexpected_inputs",
    "unexpected_order",
    "unkeyed",
    "unknown_names",
    "without_diagram",
    "working_dues",
]
