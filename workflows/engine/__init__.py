"""The process engine: parsed models and bytes of state in, the next state and a list of what happened out.

The only package that imports SpiffWorkflow. It knows no database, no clock and no business word.
"""

from workflows.engine.adopt import adopt
from workflows.engine.calls import Assembly, Called, Find, assemble
from workflows.engine.document import read
from workflows.engine.errors import (
    EngineError,
    ExpressionError,
    LimitReached,
    ModelError,
    NobodyWaits,
    OutcomeUnknown,
    Problem,
    StateError,
    Stuck,
    TaskNotOpen,
)
from workflows.engine.examine import (
    advise,
    dues,
    inputs,
    meaning,
    missing_effects,
    process_id,
    repeated,
    strange_inputs,
)
from workflows.engine.expressions import evaluate
from workflows.engine.layout import Layout, layout
from workflows.engine.many import MAX_INSTANCES, instances
from workflows.engine.model import (
    LATER,
    Host,
    Node,
    OpenCall,
    OpenCatch,
    OpenTask,
    OpenTimer,
    Specification,
    Step,
    Thrown,
    VendorField,
    Way,
)
from workflows.engine.parse import parse, sketch, specify
from workflows.engine.pools import split
from workflows.engine.rehearsal import rehearse
from workflows.engine.rules import runnable
from workflows.engine.run import answer, cancel, complete, fire, look, send, start, tokens
from workflows.engine.timetext import length_of

__all__ = [
    "LATER",
    "MAX_INSTANCES",
    "Assembly",
    "Called",
    "EngineError",
    "ExpressionError",
    "Find",
    "Host",
    "Layout",
    "LimitReached",
    "ModelError",
    "NobodyWaits",
    "Node",
    "OpenCall",
    "OpenCatch",
    "OpenTask",
    "OpenTimer",
    "OutcomeUnknown",
    "Problem",
    "Specification",
    "StateError",
    "Step",
    "Stuck",
    "TaskNotOpen",
    "Thrown",
    "VendorField",
    "Way",
    "adopt",
    "advise",
    "answer",
    "assemble",
    "cancel",
    "complete",
    "dues",
    "evaluate",
    "fire",
    "inputs",
    "instances",
    "layout",
    "length_of",
    "look",
    "meaning",
    "missing_effects",
    "parse",
    "process_id",
    "read",
    "rehearse",
    "repeated",
    "runnable",
    "send",
    "sketch",
    "specify",
    "split",
    "start",
    "strange_inputs",
    "tokens",
]
