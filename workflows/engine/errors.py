"""What the engine refuses: each error has a code and a whole sentence in Chinese and in English."""

from dataclasses import dataclass


class EngineError(Exception):
    """Base of all errors of the engine; `str()` gives the Chinese sentence.

    Whoever catches one must not store the state of that step: what happened in memory is half done.
    """

    def __init__(self, code: str, text_zh: str, text_en: str) -> None:
        super().__init__(text_zh)
        self.code = code
        self.text_zh = text_zh
        self.text_en = text_en


@dataclass(frozen=True)
class Problem:
    """One reason why a model is refused: the element's id ('' for the document), a code, a sentence per language."""

    element: str
    code: str
    text_zh: str
    text_en: str
    level: str = "error"
    """'error': the model is not deployed; 'warning': it is when somebody says so."""


class ModelError(EngineError):
    """The model cannot run here; `problems` names every reason found."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(
            "model",
            "；".join(f"{p.element}：{p.text_zh}" if p.element else p.text_zh for p in problems),
            "; ".join(f"{p.element}: {p.text_en}" if p.element else p.text_en for p in problems),
        )
        self.problems = problems


class ExpressionError(EngineError):
    """An expression does not compile or cannot be evaluated; `text` is the expression as written."""

    def __init__(self, text: str, reason_zh: str, reason_en: str) -> None:
        shown = text if len(text) <= 80 else text[:80] + "…"
        super().__init__(
            "expression", f"表达式“{shown}”有误：{reason_zh}", f"The expression “{shown}” is wrong: {reason_en}"
        )
        self.text = text


class ScriptError(ExpressionError):
    """A script is more than what is read of one, or it refuses the step that comes to it."""

    def __init__(self, reason_zh: str, reason_en: str) -> None:
        EngineError.__init__(self, "script", f"脚本：{reason_zh}", f"The script: {reason_en}")
        self.text = ""


class TaskNotOpen(EngineError):
    """The task or timer named is not waiting (any more)."""

    def __init__(self, task: str) -> None:
        super().__init__("task_not_open", "该任务已不在等待处理", "This task is no longer waiting to be done")
        self.task = task


class OutcomeUnknown(EngineError):
    """The node declares its outcomes (`xw:outcomes`) and this one is not among them."""

    def __init__(self, node: str, outcome: str) -> None:
        super().__init__("outcome", f"节点“{node}”没有结果“{outcome}”", f"The node “{node}” has no outcome “{outcome}”")
        self.node = node
        self.outcome = outcome


class NobodyWaits(EngineError):
    """No event of the instance waits for this message."""

    def __init__(self, message: str) -> None:
        super().__init__(
            "nobody_waits", f"流程没有在等待消息“{message}”", f"The process does not wait for the message “{message}”"
        )
        self.message = message


class LimitReached(EngineError):
    """A budget is used up: `limit` is 'steps', 'tasks', 'instances' or 'state' (bytes), `value` the most allowed."""

    def __init__(self, limit: str, value: int) -> None:
        super().__init__(
            "limit",
            f"流程超出运行上限（{limit}：{value}）",
            f"The process is over a limit of the engine ({limit}: {value})",
        )
        self.limit = limit
        self.value = value


class Stuck(EngineError):
    """After the step nothing waits and the process is not complete, as with a join whose token never comes."""

    def __init__(self, nodes: list[str]) -> None:
        names = ", ".join(nodes)
        super().__init__(
            "stuck",
            f"流程停在“{names}”，不再等待任何人或事件，本步骤已撤销",
            f"The process stands still at “{names}” and waits for nobody; the step is undone",
        )
        self.nodes = nodes


class StateError(EngineError):
    """The stored state cannot be read with this specification, or data given is not plain JSON."""

    def __init__(self, reason_zh: str, reason_en: str) -> None:
        super().__init__("state", reason_zh, reason_en)
