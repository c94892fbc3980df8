"""The process engine: parsed models and bytes of state in, the next state and a list of what happened out.

The only package that imports SpiffWorkflow. It knows no database, no clock and no business word.
"""

from workflows.engine.adopt import adopt
from workflows.engine.call_activities import Assembly, Called, Find, assemble
from workflows.engine.coverage import Values, uncovered
from workflows.engine.document import read
from workflows.engine.effort import MAX_JUDGED, bounded
from workflows.engine.errors import (
    EngineError,
    ExpressionError,
    LimitReached,
    ModelError,
    NobodyWaits,
    NotMovable,
    OutcomeUnknown,
    Problem,
    StateError,
    Stuck,
    TaskNotOpen,
)
from workflows.engine.examine import (
    advise,
    awaited,
    dues,
    inputs,
    missing_effects,
    process_id,
    repeated,
    unexpected_inputs,
    without_diagram,
    without_effect,
)
from workflows.engine.expressions import evaluate
from workflows.engine.foreign import split
from workflows.engine.layout import Layout, layout
from workflows.engine.model import (
    Fault,
    Host,
    Node,
    OpenCatch,
    OpenTask,
    OpenTimer,
    OutgoingFlow,
    Specification,
    Step,
    Thrown,
    VendorField,
)
from workflows.engine.moves import calls_ahead, obstacles
from workflows.engine.multi_instance import MAX_INSTANCES, instances
from workflows.engine.own_steps import order, shared_ways, unexpected_order
from workflows.engine.parse import parse, sketch, specify
from workflows.engine.readings import unknown_names
from workflows.engine.rehearsal import rehearse, rehearsed_order
from workflows.engine.rules import runnable
from workflows.engine.run import (
    by_hand,
    cancel,
    complete,
    fire,
    look,
    move,
    retry,
    send,
    skip,
    sound,
    start,
    tokens,
)
from workflows.engine.timetext import due_after, duration

__all__ = [
    "MAX_INSTANCES",
    "MAX_JUDGED",
    "Assembly",
    "Called",
    "EngineError",
    "ExpressionError",
    "Fault",
    "Find",
    "Host",
    "Layout",
    "LimitReached",
    "ModelError",
    "NobodyWaits",
    "Node",
    "NotMovable",
    "OpenCatch",
    "OpenTask",
    "OpenTimer",
    "OutcomeUnknown",
    "OutgoingFlow",
    "Problem",
    "Specification",
    "StateError",
    "Step",
    "Stuck",
    "TaskNotOpen",
    "Thrown",
    "Values",
    "VendorField",
    "adopt",
    "advise",
    "assemble",
    "awaited",
    "bounded",
    "by_hand",
    "calls_ahead",
    "cancel",
    "complete",
    "due_after",
    "dues",
    "duration",
    "evaluate",
    "fire",
    "inputs",
    "instances",
    "layout",
    "look",
    "missing_effects",
    "move",
    "obstacles",
    "order",
    "parse",
    "process_id",
    "read",
    "rehearse",
    "rehearsed_order",
    "repeated",
    "retry",
    "runnable",
    "send",
    "shared_ways",
    "sketch",
    "skip",
    "sound",
    "specify",
    "split",
    "start",
    "tokens",
    "uncovered",
    "unexpected_inputs",
    "unexpected_order",
    "unknown_names",
    "without_diagram",
    "without_effect",
]
