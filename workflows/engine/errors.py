"""The errors of the engine: each has a code and a whole sentence in Chinese and in English."""

from collections.abc import Sequence
from dataclasses import dataclass

MOST = 20  # warnings of one kind; the first ones say enough


class EngineError(Exception):
    """Base of all errors of the engine; `str()` gives the Chinese sentence.

    Code that catches one must not store the state of the step, which is half done in memory.
    """

    node = ""
    """The id of the node at which it happened; '' where that is not known."""

    def __init__(self, code: str, text_zh: str, text_en: str) -> None:
        super().__init__(text_zh)
        self.code = code
        self.text_zh = text_zh
        self.text_en = text_en


@dataclass(frozen=True)
class Problem:
    """A finding of the deployment check: the element's id ('' for the document), a code, a sentence per language."""

    element: str
    code: str
    text_zh: str
    text_en: str
    level: str = "error"
    """'error' stops the deployment, 'warning' has to be acknowledged."""


def warning(element: str, code: str, zh: str, en: str) -> Problem:
    """Return a problem that somebody acknowledges when deploying."""
    return Problem(element, code, zh, en, "warning")


NO_EFFECT = "no_effect"


def no_effect(element: str, *names: str) -> Problem:
    """Return the warning that these attributes or elements of the document have no effect here."""
    shown = [f"“{name[:40]}”" for name in names]
    verb = "are" if len(names) > 1 else "is"
    return warning(
        element,
        NO_EFFECT,
        f"{'、'.join(shown)}不支持，将被忽略",
        f"{', '.join(shown)} {verb} not supported and will be ignored",
    )


def step_order(element: str, operations: Sequence[str]) -> Problem:
    """Return the problem of a record's step or operation that follows operations after which it is not its turn."""
    zh = f"不能紧接在操作“{'、'.join(operations)}”之后：那时业务单据的状态不允许"
    en = f"This cannot follow “{', '.join(operations)}”: the record would not be in a status that allows it"
    return Problem(element, "step_order", zh, en)


class ModelError(EngineError):
    """The model cannot run here; `problems` names every reason."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(
            "model",
            "；".join(f"{p.element}：{p.text_zh}" if p.element else p.text_zh for p in problems),
            "; ".join(f"{p.element}: {p.text_en}" if p.element else p.text_en for p in problems),
        )
        self.problems = problems


class ExpressionError(EngineError):
    """An expression does not compile or cannot be evaluated; `text` is the expression."""

    def __init__(self, text: str, reason_zh: str, reason_en: str) -> None:
        shown = text if len(text) <= 80 else text[:80] + "…"
        super().__init__(
            "expression", f"表达式“{shown}”有误：{reason_zh}", f"Error in the expression “{shown}”: {reason_en}"
        )
        self.text = text


class NoFlowHolds(ExpressionError):
    """A gateway has nowhere to go: each condition is false, and no flow is the default one."""

    def __init__(self, node: str) -> None:
        EngineError.__init__(
            self,
            "expression",
            "该网关没有条件成立的出线，也没有默认连线",
            "The gateway has no outgoing flow with a true condition and no default flow",
        )
        self.text = node


class NeverAgain(ExpressionError):
    """An event waits for a repetition of which no occurrence comes any more."""

    def __init__(self, text: str) -> None:
        shown = text if len(text) <= 80 else text[:80] + "…"
        EngineError.__init__(
            self,
            "timer_over",
            f"定时规则“{shown}”已没有后续时间，流程无法由此继续",
            f"The timer’s rule “{shown}” has no further occurrence: the process cannot go on from here",
        )
        self.text = text


class ScriptError(ExpressionError):
    """A script cannot be translated, or it refuses the step."""

    def __init__(self, reason_zh: str, reason_en: str) -> None:
        EngineError.__init__(self, "script", f"脚本有误：{reason_zh}", f"Error in the script: {reason_en}")
        self.text = ""


class TaskNotOpen(EngineError):
    """The task or timer does not wait, or no longer."""

    def __init__(self, task: str) -> None:
        super().__init__("task_not_open", "该任务已不再等待办理", "This task is no longer open")
        self.task = task


class OutcomeUnknown(EngineError):
    """The node declares its outcomes (`xw:outcomes`), and this one is not among them."""

    def __init__(self, node: str, outcome: str) -> None:
        super().__init__(
            "outcome", f"步骤“{node}”没有处理结果“{outcome}”", f"The step “{node}” has no outcome “{outcome}”"
        )
        self.node = node
        self.outcome = outcome


class BusinessError(Exception):
    """Raised by a host's operation that fails in a way which the model may handle, from the cause.

    The nearest error boundary event with this `code`, or without a code, catches it; where none does the cause itself
    leaves the engine.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class UncaughtError(EngineError):
    """An operation that answered later reports a business error, and no boundary event catches it."""

    def __init__(self, node: str, code: str) -> None:
        shown = code[:40]
        super().__init__(
            "uncaught",
            f"没有边界事件捕获操作返回的错误“{shown}”",
            f"No boundary event catches the error “{shown}” of the operation",
        )
        self.node = node


class NobodyWaits(EngineError):
    """No event of the instance waits for this message."""

    def __init__(self, message: str) -> None:
        super().__init__(
            "nobody_waits", f"流程没有在等待消息“{message}”", f"The process is not waiting for the message “{message}”"
        )
        self.message = message


_NOT_MOVABLE = {
    "nowhere": ("流程没有在该元素等待，请刷新", "The process does not wait at this element; please refresh"),
    "several": (
        "该元素同时有多个任务在等待，不能跳过或移动",
        "Several tasks wait at this element; none is skipped or moved",
    ),
    "passed": (
        "该元素不能跳过，可重试，或移到其他元素",
        "This element cannot be skipped: retry, or move the process to another element",
    ),
    "loop": (
        "多实例（会签）中的任务不能跳过或移动",
        "A task of a multi-instance activity is neither skipped nor moved",
    ),
    "beside": (
        "同一范围内还有并行的分支在运行，不能移动",
        "A parallel branch is still running, so it cannot be moved",
    ),
    "away": (
        "不能移到该元素：须在同一子流程内，且不在并行分支或非中断事件之后",
        "It cannot be moved there: the element must be in the same sub-process, outside of parallel branches and "
        "of the paths of non-interrupting events",
    ),
    "back": (
        "不能退回到该步骤：须是此前经过、且不与当前步骤并行的步骤",
        "It cannot be sent back there: the step must come before this one, and not in a parallel branch",
    ),
}


class NotMovable(EngineError):
    """The token is not skipped or moved; `why` is a key of the reasons."""

    def __init__(self, why: str) -> None:
        super().__init__("not_movable", *_NOT_MOVABLE[why])
        self.why = why


_LOOP_NOT_CHANGED = {
    "full": ("会签人数已达上限", "No more people can be added to this countersign"),
    "last": ("至少须有一人会签", "A countersign needs at least one person"),
    "undecided": (
        "移除此人后无法确定会签结果，请等待其处理",
        "Without this person the votes would not tell the result; wait for the decision",
    ),
}


class LoopNotChanged(EngineError):
    """No loop instance is added or removed; `why` is a key of the reasons."""

    def __init__(self, why: str) -> None:
        super().__init__("loop_not_changed", *_LOOP_NOT_CHANGED[why])
        self.why = why


class LimitReached(EngineError):
    """A limit is reached: `limit` is one of 'steps', 'tasks', 'instances', 'variables', 'work' and 'state' (bytes).

    `value` is the most allowed.
    """

    def __init__(self, limit: str, value: int) -> None:
        super().__init__(
            "limit",
            f"流程超出运行上限（{limit}：{value}）",
            f"The process exceeds a limit of the engine ({limit}: {value})",
        )
        self.limit = limit
        self.value = value


class Stuck(EngineError):
    """Nothing waits and the process is not complete, as with a join whose token never comes.

    `nodes` are where tokens stand; the sentences call them by `names_zh` and `names_en`.
    """

    def __init__(self, nodes: Sequence[str], names_zh: Sequence[str] = (), names_en: Sequence[str] = ()) -> None:
        zh, en = "、".join(names_zh or nodes), ", ".join(names_en or nodes)
        super().__init__(
            "stuck",
            f"流程在“{zh}”处无法继续：没有等待任何人或事件",
            f"The process cannot continue at “{en}”: it waits for nobody and for no event",
        )
        self.nodes = list(nodes)


class StateError(EngineError):
    """The stored state cannot be read, or data given is not plain JSON.

    The code is 'state_format' for a format that is not known, 'state_model' for the state of another model, else
    'state'.
    """
