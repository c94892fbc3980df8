"""Translates scripts of other engines to assignments in our expression language; no script is ever run as such.

Groovy, JavaScript and Flowable's expressions are translated where they set variables, declare local names, choose with
`if`, do something for each item of a list, or throw. Every value becomes a template (see `expressions`), so that a
script ends and costs what its templates cost. A line that only prints or pauses has no effect and gets a warning.
Anything else refuses the whole script.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from workflows.engine import effort
from workflows.engine.dialects.flowable import asked_in, plain
from workflows.engine.document import VENDORS, Element, ours, tag, text
from workflows.engine.elements import OF_TASK
from workflows.engine.errors import ScriptError
from workflows.engine.expressions import compile_template, evaluate, holds

MAX_SCRIPT = 5_000  # characters
MAX_DEPTH = 12  # brackets and choices inside each other
MAX_ASKED = 300  # characters of what is taken for true or false
MAX_ROUNDS = 1_000  # of all the loops of a script
ATTRIBUTES = ("resultVariable", "resultVariableName", "autoStoreVariables")
"""Attributes of other engines on a script task that are translated."""
NOT_SETTABLE = {
    "record",
    "starter",
    "form",
    "members",
    "outcome",
    "votes",
    "loopCounter",
    "nrOfInstances",
    "nrOfCompletedInstances",
    "nrOfActiveInstances",
}

_OWN = "script"  # the name under which a script's own names are read in its templates
_FORMATS = {"": "juel", "juel": "juel", "groovy": "groovy"} | dict.fromkeys(("javascript", "ecmascript", "js"), "js")
_TOKEN = re.compile(
    r"""(?P<gap>[ \t\r\f]+|//[^\n]*|/\*.*?\*/)
      | (?P<open>/\*)
      | (?P<end>[\n;])
      | (?P<number>\d+(?:\.\d+)?)[LlDdFf]?(?!\w)
      | (?P<text>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")
      | (?P<name>[A-Za-z_]\w*)
      | (?P<sign>===|!==|==|!=|<=|>=|\+=|-=|\*=|/=|&&|\|\||[-+*/<>!?:()\[\],.{}=])""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "$": "$"}
_HOLE = re.compile(r"\$(?:\{([^{}]*)\}|([A-Za-z]\w*))")
_OPENING = re.compile(r"[$#]\{")
_VARIABLE = re.compile(r"[^\W\d]\w{0,59}")
_PRINTS = {"println", "print", "printf", "console.log", "System.out.println", "System.out.print"}
_PAUSES = {"Thread.sleep"}
_SETTING = ("setVariable", "setVariableLocal", "setTransientVariable")
_REMOVING = ("removeVariable", "removeVariableLocal", "removeTransientVariable")
_DECLARING = {"def", "var", "let", "const", "final"}
_TYPES = {"int", "long", "double", "float", "boolean"}
_TYPES |= {"Integer", "Long", "Double", "Float", "Boolean", "String", "Object", "BigDecimal", "Number"}
_WORDS = {"eq", "ne", "lt", "le", "gt", "ge", "and", "or", "not", "div", "mod", "in", "empty", "true", "false", "null"}
_STATEMENTS = {"for", "while", "do", "switch", "try", "return", "function", "class", "new", "throw", "if", "else"}
_LEVELS = {
    "||": 1,
    "&&": 2,
    "==": 3,
    "!=": 3,
    "===": 3,
    "!==": 3,
    "<": 4,
    ">": 4,
    "<=": 4,
    ">=": 4,
    "+": 5,
    "-": 5,
    "*": 6,
    "/": 6,
}
_CHANGES = {"+=", "-=", "*=", "/="}
_CHOICE, _UNARY, _ATOM = 0, 7, 8  # the levels below and above those


@dataclass(frozen=True)
class Set:
    """Assign the value of a template to a variable, or to a local name of the script."""

    name: str
    value: str
    is_own: bool


@dataclass(frozen=True)
class Choose:
    """Execute one of two lists of statements, as a condition says."""

    condition: str
    then: tuple["Statement", ...]
    otherwise: tuple["Statement", ...]


@dataclass(frozen=True)
class Repeat:
    """Execute statements for each item of a list, which has a local name of the script."""

    name: str
    items: str
    inside: tuple["Statement", ...]


@dataclass(frozen=True)
class Throw:
    """Raise an error by its code, for a boundary event."""

    code: str


@dataclass(frozen=True)
class Fail:
    """Refuse the step, as an exception of another engine undoes it."""

    reason: str


Statement = Set | Choose | Repeat | Throw | Fail


@dataclass(frozen=True)
class Script:
    """A translated script.

    `asked` are variables that may be missing; `idle` are its parts without effect; `wider` are variables that another
    engine would keep in one scope, or for one step, only.
    """

    statements: tuple[Statement, ...] = ()
    asked: frozenset[str] = frozenset()
    idle: tuple[str, ...] = ()
    wider: tuple[str, ...] = ()

    @property
    def codes(self) -> frozenset[str]:
        """The codes of the errors that it may raise."""
        return frozenset(one.code for one in _all(self.statements) if isinstance(one, Throw))

    @property
    def variables(self) -> frozenset[str]:
        """The names of the process variables that it may set."""
        return frozenset(one.name for one in _all(self.statements) if isinstance(one, Set) and not one.is_own)


def read(task: Element) -> Script:
    """Translate the script of a script task. Raises ExpressionError for a value, ScriptError for a statement."""
    source = text(task.find(tag("script")))
    language = _FORMATS.get(task.get("scriptFormat", "").strip().lower())
    if not source:
        raise ScriptError("未填写", "it is empty")
    if language is None:
        raise ScriptError("不支持该语言", "its language is not supported")
    if len(source) > MAX_SCRIPT:
        raise ScriptError("文字过长", "the text is too long")
    result = _said(task, "resultVariable") or _said(task, "resultVariableName")
    reader = _Reader(source, language, result, _said(task, "autoStoreVariables") == "true")
    reader.known = {"currentActivityId": task.get("id", ""), "currentActivityName": task.get("name", "")}
    if ours(task, OF_TASK):
        reader.executions.add("task")
    given = list(_given(task, reader))
    reader.own.update(one.name for one in given)
    found = _expression(source, reader) if language == "juel" else reader.script()
    return replace(found, statements=(*given, *found.statements)) if given else found


def _given(task: Element, reader: "_Reader") -> Iterator[Set]:
    """Yield the assignments of Flowable's `in` elements, which give the script values under names of their own."""
    for element in inputs(task):
        name, said = element.get("target", ""), element.get("sourceExpression") or element.get("source", "")
        value = plain(said if "{" in said else "${" + said + "}")
        compile_template(value)
        if reader.language == "juel" or not _VARIABLE.fullmatch(name):
            raise reader.strange("in")
        yield Set(name, value, True)


def inputs(task: Element) -> list[Element]:
    """Return the elements that give a script values under names of its own."""
    return [one for space in VENDORS for one in task.findall(f"{tag('extensionElements')}/{{{space}}}in")]


def _said(task: Element, name: str) -> str:
    return next((found for space in VENDORS if (found := str(task.get(f"{{{space}}}{name}", "")).strip())), "")


def _expression(source: str, reader: "_Reader") -> Script:
    """Translate one of Flowable's expressions: it sets a variable, or its value is the result."""
    if not _OPENING.search(source):
        raise ScriptError("语法错误", "syntax error")
    setters = tuple(f"{name}.setVariable" for name in reader.executions)
    if source[2:-1].strip().startswith(setters) and not reader.result:
        setting = _Reader(source[2:-1], "juel", "", False)
        setting.executions = reader.executions
        return setting.script()
    value = plain(source)
    compile_template(value)
    for name in reader.executions:
        if f"{name}." in value:
            raise reader.strange(name)
    if not reader.result:
        return Script(idle=("script",))
    return Script((Set(reader.variable(reader.result), value, False),), frozenset(asked_in(source)))


def run(script: Script, names: Callable[[], Mapping[str, Any]], set_variable: Callable[[str, Any], None]) -> str | None:
    """Execute a script; return the code of the error that it raises, None for none.

    `names` is called again for each value. Raises ExpressionError where a value cannot be evaluated, or where the
    script refuses the step.
    """
    own: dict[str, Any] = {}
    left = MAX_ROUNDS

    def readable() -> dict[str, Any]:
        return {**dict.fromkeys(script.asked), **names(), _OWN: own}

    def repeat(one: Repeat) -> str | None:
        nonlocal left
        items = evaluate(one.items, readable())
        if not (items is None or isinstance(items, (list, tuple))):
            raise ScriptError("循环需要列表", "a loop needs a list")
        left -= len(items or ())
        if left < 0:
            raise ScriptError(f"循环超过{MAX_ROUNDS}次", f"its loops have more than {MAX_ROUNDS} rounds")
        for item in items or ():
            own[one.name] = item
            code = walk(one.inside)
            if code is not None:
                return code
        return None

    def walk(statements: tuple[Statement, ...]) -> str | None:
        for one in statements:
            effort.spend(1)
            if isinstance(one, Throw):
                return one.code
            if isinstance(one, Fail):
                raise ScriptError(f"抛出错误“{one.reason}”", f"it throws an error: “{one.reason}”")
            if isinstance(one, Choose):
                code = walk(one.then if holds(one.condition, readable()) else one.otherwise)
                if code is not None:
                    return code
            elif isinstance(one, Repeat):
                code = repeat(one)
                if code is not None:
                    return code
            elif one.is_own:
                own[one.name] = evaluate(one.value, readable())
            else:
                set_variable(one.name, evaluate(one.value, readable()))
        return None

    return walk(script.statements)


def _all(statements: tuple[Statement, ...]) -> Iterator[Statement]:
    for one in statements:
        yield one
        if isinstance(one, Choose):
            yield from _all((*one.then, *one.otherwise))
        elif isinstance(one, Repeat):
            yield from _all(one.inside)


@dataclass(frozen=True)
class _Value:
    """A value as text of our language; one that is joined of several has `parts` and cannot stand inside another."""

    code: str
    level: int = _ATOM
    is_text: bool = False
    is_truth: bool = False
    parts: tuple["_Value", ...] = ()

    def at(self, level: int) -> str:
        return self.code if self.level >= level else f"({self.code})"

    @property
    def template(self) -> str:
        return "".join(part.template for part in self.parts) if self.parts else "${" + self.code + "}"


class _Reader:
    """Reads one script, statement by statement."""

    def __init__(self, source: str, language: str, result: str, is_stored: bool) -> None:
        self.source, self.language, self.result, self.is_stored = source, language, result, is_stored
        self.tokens: list[tuple[str, str]] = []
        self.place = self.depth = self.brackets = self.choices = 0
        self.blocks: list[set[str]] = []
        """By block around this place the names that are declared for it alone."""
        self.own: set[str] = set()
        self.executions = {"execution"}
        self.errors: dict[str, str] = {}
        self.asked: set[str] = set()
        self.idle: dict[str, None] = {}
        self.wider: dict[str, None] = {}
        self.raised: dict[str, str] = {}
        """Names of the script's own that hold an error, with its code."""
        self.known: dict[str, str] = {}
        """What the script may ask its execution for."""

    def strange(self, what: str = "") -> ScriptError:
        shown = what or (self.tokens[self.place][1] if self.place < len(self.tokens) else "")
        shown = " ".join(shown[:40].split())
        if not shown:
            return ScriptError("语法错误", "syntax error")
        return ScriptError(f"“{shown}”不能转换为表达式", f"“{shown}” cannot be converted to an expression")

    # --- tokens

    def scan(self) -> None:
        position = 0
        while position < len(self.source):
            found = _TOKEN.match(self.source, position)
            kind = found.lastgroup or "" if found else "open"
            if found is None or kind == "open":  # a comment that never ends
                raise self.strange(self.source[position : position + 10])
            if kind != "gap":
                self.tokens.append((kind, found[kind]))
            position = found.end()

    def peek(self, ahead: int = 0) -> tuple[str, str]:
        if self.brackets:  # inside brackets a line goes on
            while self.place < len(self.tokens) and self.tokens[self.place] == ("end", "\n"):
                self.place += 1
        place = self.place + ahead
        return self.tokens[place] if place < len(self.tokens) else ("end", "")

    def take(self) -> tuple[str, str]:
        token = self.peek()
        self.place += 1
        return token

    def at(self, *signs: str) -> bool:
        return self.peek() in [("sign", sign) for sign in signs]

    def want(self, sign: str) -> None:
        if self.take() != ("sign", sign):
            self.place -= 1
            raise self.strange()

    def skip_ends(self, *which: str) -> None:
        while self.place < len(self.tokens) and self.tokens[self.place][0] == "end":
            if which and self.tokens[self.place][1] not in which:
                return
            self.place += 1

    def dotted(self) -> list[str]:
        """Return the names joined by dots at this place."""
        found = []
        place = self.place
        while place < len(self.tokens) and self.tokens[place][0] == "name":
            found.append(self.tokens[place][1])
            if self.tokens[place + 1 : place + 2] != [("sign", ".")]:
                break
            place += 2
        return found

    # --- statements

    def script(self) -> Script:
        self.scan()
        statements = self.statements()
        last = statements[-1] if statements else None
        if self.place < len(self.tokens):
            raise self.strange()
        if self.result and last != Set(self.result, getattr(last, "value", ""), False):
            raise ScriptError("脚本没有给出结果", "it returns no result")
        for one in _all(statements):
            if isinstance(one, Set):
                compile_template(one.value)
            elif isinstance(one, Choose):
                compile_template(one.condition)
            elif isinstance(one, Repeat):
                compile_template(one.items)
        return Script(statements, frozenset(self.asked), tuple(self.idle), tuple(self.wider))

    def statements(self) -> tuple[Statement, ...]:
        found: list[Statement] = []
        self.skip_ends()
        while self.place < len(self.tokens) and not self.at("}"):
            one = self.statement()
            if one is not None:
                found.append(one)
            if not self.at("}") and not isinstance(one, (Choose, Repeat)) and self.peek()[0] != "end":
                raise self.strange()
            self.skip_ends()
        return tuple(found)

    def statement(self) -> Statement | None:
        names = self.dotted()
        first = names[0] if names else ""
        called = ".".join(names).removeprefix("java.lang.")
        after = 2 * len(names) - 1
        if first == "out" and self.peek(1) == ("sign", ":"):  # a label of Groovy's
            self.place += 2
            if self.peek()[1] not in _PRINTS:
                raise self.strange()
            return self.statement()
        if called in _PRINTS:
            self.place += after
            self.print(called)
            return None
        if called in _PAUSES:
            self.place += after
            self.want("(")
            self.take_number()
            self.want(")")
            self.idle[called] = None
            return None
        if first == "import":
            self.place += 1
            name = self.error_class()
            self.errors[name] = name
            return None
        if first == "if":
            return self.choose()
        if first == "for":
            return self.repeat()
        if first == "throw":
            return self.throw()
        if first in _DECLARING or (first in _TYPES and len(names) == 1 and self.peek(1)[0] == "name"):
            return self.declare()
        if len(names) == 1 and self.peek(1) == ("sign", "="):
            self.place += 2
            return self.assign(first, is_declared=False)
        if len(names) == 1 and self.peek(1)[1] in _CHANGES and first not in self.executions:
            return self.change(first)
        if len(names) == 2 and first in self.executions and names[1] in (*_SETTING, *_REMOVING):
            self.place += after
            return self.set_variable(names[1])
        if names == ["execution", "getParent"]:
            return self.of_parent()
        if len(names) == 2 and first in self.raised:  # what an error says besides its code
            self.place += after
            self.bracketed(self.arguments)
            self.idle[f"{first}.{names[1]}"] = None
            return None
        if first in self.errors and self.peek(1)[0] == "name" and self.peek(2) == ("sign", "="):
            self.hold_error()
            return None
        return self.value_alone()

    def take_number(self) -> None:
        if self.take()[0] != "number":
            self.place -= 1
            raise self.strange()

    def print(self, what: str) -> None:
        """Read a line that prints: it has to print a value, so that it changes nothing."""
        if self.at("("):
            self.bracketed(self.value)
        else:
            self.value()
        self.idle[what] = None

    def error_class(self) -> str:
        """Return the last of the names joined by dots, where it is the name of an error class."""
        names = self.dotted()
        if not names or not names[-1].endswith(("Error", "Exception")):
            raise self.strange()
        self.place += 2 * len(names) - 1
        return names[-1]

    def choose(self) -> Choose:
        self.deeper()
        self.place += 1
        condition = self.bracketed(self.value)
        self.choices += 1
        then = self.block()
        before = self.place
        self.skip_ends()
        otherwise: tuple[Statement, ...] = ()
        if self.peek() == ("name", "else"):
            self.place += 1
            self.skip_ends("\n")
            otherwise = self.block()
        else:
            self.place = before
        self.choices -= 1
        self.depth -= 1
        return Choose("${" + self.truth(condition).code + "}", then, otherwise)

    def repeat(self) -> Repeat:
        """Read a loop over a list, `for (x in list)`; in JavaScript that gives places, and `of` the items."""
        self.deeper()
        self.place += 1
        self.want("(")
        self.brackets += 1
        is_block = self.declaring()
        kind, name = self.take()
        said = self.take()
        is_list = said == ("name", "of") if self.language == "js" else said in (("name", "in"), ("sign", ":"))
        is_known = name in _STATEMENTS | _WORDS | {_OWN} | self.executions | self.own
        if kind != "name" or not is_list or is_known or (self.is_stored and not is_block):
            raise self.strange("for")
        items = self.inside(self.value())
        self.peek()
        self.brackets -= 1
        self.want(")")
        self.own.add(name)
        self.choices += 1
        inside = self.block()
        self.choices -= 1
        self.depth -= 1
        if is_block:
            self.own.discard(name)
        return Repeat(name, items.template, inside)

    def declaring(self) -> bool:
        """Pass the words that declare a name; return whether nothing outside of its block sees it."""
        is_block = self.language == "groovy"
        while self.peek()[1] in _DECLARING | _TYPES and self.peek(1)[0] == "name":
            is_block |= self.take()[1] in ("let", "const")
        return is_block

    def block(self) -> tuple[Statement, ...]:
        self.skip_ends("\n")
        self.blocks.append(set())
        if self.at("{"):
            self.place += 1
            found = self.statements()
            self.want("}")
        else:
            one = self.statement()
            found = () if one is None else (one,)
        self.own -= self.blocks.pop()
        return found

    def of_parent(self) -> Set:
        """Read a variable that is set in the scope around."""
        self.place += 3
        for sign in "().":
            self.want(sign)
        kind, name = self.take()
        if kind != "name" or name not in _SETTING:
            self.place -= 1
            raise self.strange()
        return self.set_variable(name)

    def hold_error(self) -> None:
        """Read an error that is held in a name of the script's own before it is thrown."""
        name = self.peek(1)[1]
        self.place += 3
        error = self.new_error()
        if not isinstance(error, Throw):
            raise self.strange(name)
        self.raised[name] = error.code

    def throw(self) -> Statement:
        self.place += 1
        if (name := self.peek()[1]) in self.raised:
            self.place += 1
            return Throw(self.raised[name])
        return self.new_error()

    def new_error(self) -> Statement:
        if self.take() != ("name", "new"):
            self.place -= 1
            raise self.strange()
        names = self.dotted()
        if not names:
            raise self.strange()
        self.place += 2 * len(names) - 1
        said = self.bracketed(self.arguments)
        name = self.errors.get(names[-1], names[-1])
        if name == "BpmnError":
            if not said or not said[0].is_text or said[0].parts:
                raise self.strange("BpmnError")
            return Throw(evaluate(said[0].template, {}))
        if not name.endswith(("Error", "Exception")):
            raise self.strange(name)
        return Fail(evaluate(said[0].template, {}) if said and said[0].is_text and not said[0].parts else name)

    def declare(self) -> Statement | None:
        is_block = self.declaring()
        kind, name = self.take()
        if kind != "name" or name in _STATEMENTS | _TYPES | _DECLARING:
            self.place -= 1
            raise self.strange()
        if self.at("="):
            self.place += 1
            if self.dotted()[:1] == ["Packages"]:
                self.errors[name] = self.error_class()
                return None
            return self.assign(name, is_declared=True, is_block=is_block)
        self.keep(name, is_block=is_block)
        return Set(name, "${null}", True)

    def keep(self, name: str, *, is_block: bool = False) -> None:
        """Let a name be the script's own, in this block where it is declared for it."""
        if name in self.own:
            return
        if self.choices and not (is_block and self.blocks):
            raise self.strange(name)  # behind the choice it would be read from two places
        if self.choices:
            self.blocks[-1].add(name)
        self.own.add(name)

    def assign(self, name: str, *, is_declared: bool, is_block: bool = False) -> Statement | None:
        names = self.dotted()
        if len(names) == 2 and names[0] in self.executions and names[1] in ("getProcessInstance", "getParent"):
            self.place += 3
            self.want("(")
            self.want(")")
            self.executions.add(name)
            return None
        return self.assigned(name, self.value().template, is_declared=is_declared, is_block=is_block)

    def assigned(self, name: str, value: str, *, is_declared: bool = False, is_block: bool = False) -> Statement:
        # What Groovy declares is the script's own; JavaScript's and undeclared names are stored if the task says so.
        stored = self.is_stored and not (is_declared and self.language == "groovy") and name not in self.own
        if stored:
            return Set(self.variable(name), value, False)
        self.keep(name, is_block=is_declared and is_block)
        return Set(name, value, True)

    def change(self, name: str) -> Statement | None:
        """Read what is added to a value, or taken from it: `x += 1`."""
        left = self.primary()
        sign = self.take()[1][0]
        right = self.value()
        value = self.joined(left, sign, right, _LEVELS[sign])
        return self.assigned(name, value.template)

    def set_variable(self, how: str) -> Set:
        self.want("(")
        self.brackets += 1
        name, value = self.variable(self.literal()), _Value("null")
        if how in _SETTING:
            self.want(",")
            value = self.value()
        self.brackets -= 1
        self.want(")")
        if how not in ("setVariable", "removeVariable"):
            self.wider[name] = None
        return Set(name, value.template, False)

    def value_alone(self) -> Set | None:
        """Read a value as a statement: the last line of a script may be its result."""
        value = self.value()
        self.skip_ends()
        if self.place < len(self.tokens) or not self.result or self.choices:
            raise self.strange(value.code)
        return Set(self.variable(self.result), value.template, False)

    def variable(self, name: str) -> str:
        """Return the name when a process variable may have it. Raises ScriptError."""
        if name in NOT_SETTABLE or name in _WORDS or not _VARIABLE.fullmatch(name):
            shown = name[:40]
            raise ScriptError(
                f"变量名“{shown}”无效或已被系统使用", f"the variable name “{shown}” is invalid or reserved"
            )
        return name

    # --- values

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ScriptError("嵌套过深", "too many nested levels")

    def bracketed(self, inner: Callable[[], Any]) -> Any:
        self.want("(")
        self.brackets += 1
        found = inner()
        self.peek()
        self.brackets -= 1
        self.want(")")
        return found

    def arguments(self) -> list[_Value]:
        found: list[_Value] = []
        while not self.at(")"):
            if found:
                self.want(",")
            found.append(self.value())
        return found

    def value(self) -> _Value:
        self.deeper()
        value = self.binary(1)
        if self.at("?"):
            self.place += 1
            yes = self.value()
            self.want(":")
            no = self.value()
            code = f"{self.truth(value).at(1)} ? {self.inside(yes).at(1)} : {self.inside(no).at(_CHOICE)}"
            value = _Value(code, _CHOICE, is_text=yes.is_text and no.is_text)
        self.depth -= 1
        return value

    def binary(self, level: int) -> _Value:
        if level == _UNARY:
            return self.unary()
        value = self.binary(level + 1)
        while (sign := self.sign_at(level)) is not None:
            self.place += 1
            self.skip_ends("\n")
            value = self.joined(value, sign, self.binary(level + 1), level)
        return value

    def sign_at(self, level: int) -> str | None:
        kind, sign = self.peek()
        if self.language == "groovy":  # which holds no text for equal to a number
            sign = {"==": "===", "!=": "!=="}.get(sign, sign)
        return sign if kind == "sign" and _LEVELS.get(sign) == level else None

    def joined(self, left: _Value, sign: str, right: _Value, level: int) -> _Value:
        if sign == "+" and (left.is_text or right.is_text):
            parts = (*(left.parts or (left,)), *(right.parts or (right,)))
            return _Value("", is_text=True, parts=parts)
        left, right = self.inside(left), self.inside(right)
        if sign in ("&&", "||"):
            left, right = self.truth(left), self.truth(right)
        return _Value(f"{left.at(level)} {sign} {right.at(level + 1)}", level, is_truth=level <= 4)

    def inside(self, value: _Value) -> _Value:
        """Return the value as a part of another one. Raises ScriptError for a joined text."""
        if value.parts:
            raise self.strange("+")
        return value

    def truth(self, value: _Value) -> _Value:
        """Return the value as a condition, true for what the other language takes for true."""
        value = self.inside(value)
        if value.is_truth:
            return value
        code = value.at(_ATOM)
        if len(code) > MAX_ASKED:  # it is written several times
            raise ScriptError("文字过长", "the text is too long")
        said = f"!(empty {code})" if self.language == "groovy" else f"{code} != null && {code} !== ''"
        return _Value(f"{said} && {code} !== false && {code} !== 0", 2, is_truth=True)

    def unary(self) -> _Value:
        if self.at("!"):
            self.place += 1
            self.deeper()
            value = self.truth(self.unary())
            self.depth -= 1
            return _Value(f"!{value.at(_UNARY)}", _UNARY, is_truth=True)
        if self.at("-"):
            self.place += 1
            self.deeper()
            value = self.inside(self.unary())
            self.depth -= 1
            return _Value(f"-{value.at(_UNARY)}", _UNARY)
        if self.at("(") and self.peek(1)[1] in _TYPES and self.peek(2) == ("sign", ")"):  # a cast
            self.place += 3
            return self.unary()
        return self.postfix()

    def postfix(self) -> _Value:
        value = self.primary()
        while self.at(".", "["):
            if self.take()[1] == "[":
                self.brackets += 1
                key = self.inside(self.value())
                self.brackets -= 1
                self.want("]")
                value = _Value(f"{self.inside(value).at(_ATOM)}[{key.code}]")
                continue
            kind, name = self.take()
            if kind != "name":
                self.place -= 1
                raise self.strange()
            value = self.method(value, name) if self.at("(") else self.field(value, name)
        return value

    def field(self, value: _Value, name: str) -> _Value:
        code = self.inside(value).at(_ATOM)
        return _Value(f"size({code})") if name == "length" else _Value(f"{code}.{name}")

    def method(self, value: _Value, name: str) -> _Value:
        given = [self.inside(one) for one in self.bracketed(self.arguments)]
        code = self.inside(value).at(_ATOM)
        if name == "get" and len(given) == 1:
            return _Value(f"{code}[{given[0].code}]")
        if name == "equals" and len(given) == 1:
            return _Value(f"{self.inside(value).at(4)} === {given[0].at(4)}", 3, is_truth=True)
        if name == "isEmpty" and not given:
            return _Value(f"(empty {code})", is_truth=True)
        if not given and name in ("size", "length"):
            return _Value(f"size({code})")
        if not given and name in ("toUpperCase", "toLowerCase"):
            return _Value(f"{name[2:7].lower()}({code})", is_text=True)
        if len(given) == 1 and name in ("contains", "startsWith", "endsWith"):
            return _Value(f"{name}({code}, {given[0].code})", is_truth=True)
        raise self.strange(name)

    def primary(self) -> _Value:
        kind, token = self.peek()
        if kind == "number":
            self.place += 1
            return _Value(token)
        if kind == "text":
            return self.string()
        if (kind, token) == ("sign", "("):
            value: _Value = self.bracketed(self.value)
            return value if value.parts else _Value(f"({value.code})", is_text=value.is_text, is_truth=value.is_truth)
        if (kind, token) == ("sign", "["):
            return self.items()
        if kind != "name" or token in _STATEMENTS:
            raise self.strange()
        if token in self.executions:
            return self.get_variable()
        self.place += 1
        if token in ("true", "false", "null"):
            return _Value(token, is_truth=token != "null")
        if token in self.own:
            return _Value(f"{_OWN}.{token}")
        if token == _OWN or token in _WORDS or self.at("("):
            raise self.strange(token)
        return _Value(token)

    def items(self) -> _Value:
        self.place += 1
        self.brackets += 1
        found: list[str] = []
        while not self.at("]"):
            if found:
                self.want(",")
            found.append(self.inside(self.value()).at(_CHOICE))
        self.brackets -= 1
        self.want("]")
        return _Value(f"[{', '.join(found)}]")

    def get_variable(self) -> _Value:
        names = self.dotted()
        if len(names) == 2 and names[1] in self.known:
            self.place += 3
            return self.quoted(self.known[names[1]].replace("\\", "\\\\"))
        if len(names) != 2 or names[1] != "getVariable":
            raise self.strange(".".join(names))
        self.place += 3
        name = self.bracketed(self.literal)
        if name == _OWN or name in _WORDS or name.startswith("_") or not _VARIABLE.fullmatch(name):
            raise self.strange(name)
        self.asked.add(name)
        return _Value(name)

    def literal(self) -> str:
        """Return a text literal of the script."""
        value = self.primary() if self.peek()[0] == "text" else None
        if value is None or value.parts or not value.code.startswith("'"):
            raise self.strange()
        return str(evaluate(value.template, {}))

    def string(self) -> _Value:
        token = self.take()[1]
        inner = token[1:-1]
        if self.language == "groovy" and token[0] == '"' and _HOLE.search(re.sub(r"\\.", "", inner, flags=re.DOTALL)):
            return self.filled(inner)
        return self.quoted(inner)

    def quoted(self, inner: str) -> _Value:
        def put(found: re.Match[str]) -> str:
            if found[1] not in _ESCAPES:
                raise self.strange(found[0])
            return _ESCAPES[found[1]]

        said = re.sub(r"\\(.)", put, inner, flags=re.DOTALL)
        return _Value("'" + said.replace("\\", "\\\\").replace("'", "\\'") + "'", is_text=True)

    def filled(self, inner: str) -> _Value:
        """Return a text of Groovy with its placeholders."""
        if "\\" in inner:
            raise self.strange("\\")
        parts, position = [], 0
        for hole in _HOLE.finditer(inner):
            if hole.start() > position:
                parts.append(self.quoted(inner[position : hole.start()]))
            other = _Reader(hole[1] or hole[2], self.language, "", False)
            other.own, other.executions, other.asked = self.own, self.executions, self.asked
            other.depth = self.depth
            other.scan()
            value = other.inside(other.value())
            if other.place < len(other.tokens):
                raise other.strange()
            parts.append(value)
            position = hole.end()
        parts.append(self.quoted(inner[position:]))
        return _Value("", is_text=True, parts=tuple(parts))
