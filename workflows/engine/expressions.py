"""The expression language of models: text with `${…}`, compiled to closures, never given to eval or exec.

A value is null, true or false, a number, a text, a list or a mapping. The dot and the brackets look up a key of a
mapping or list and never read an attribute of a Python object; the only calls are the functions of the table below.
Limits at compile time keep a model from blocking a worker. What the operators mean is in ADR 0023.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Context, Decimal, DecimalException, localcontext
from functools import lru_cache
from typing import Any

from workflows.engine import effort
from workflows.engine.errors import ExpressionError

Closure = Callable[[Mapping[str, Any]], Any]

MAX_LENGTH = 2_000  # characters of a text with its placeholders
MAX_TOKENS = 400  # of a text, in all its placeholders
MAX_DEPTH = 24  # brackets, signs, choices inside each other
MAX_RESULT = 10_000  # characters of a text that is put together
MAX_ITEMS = 10_000  # of a list that is put together, with the lists in it; ten characters of a text count as one
MAX_LEVELS = 50  # of lists inside each other
MAX_NUMBER = Decimal(10) ** 19  # beyond any 64-bit id

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<number>\d+(?:\.\d+)?)
      | (?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
      | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<sign>===|!==|==|!=|<=|>=|&&|\|\||[-+*/%<>!?:()\[\],.}])
    )""",
    re.VERBOSE | re.DOTALL,
)
_WORDS = {
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "and": "&&",
    "or": "||",
    "not": "!",
    "div": "/",
    "mod": "%",
    "in": "in",
}
_LITERALS = {"true": True, "false": False, "null": None}
_OPENING = re.compile(r"[$#]\{")
_BINARY = (("||",), ("&&",), ("==", "!=", "===", "!==", "in"), ("<", ">", "<=", ">="), ("+", "-"), ("*", "/", "%"))


class _Invalid(Exception):
    """The reason why an expression cannot be read or evaluated; the error with the whole text is made of it."""

    def __init__(self, zh: str, en: str) -> None:
        super().__init__(zh)
        self.zh = zh
        self.en = en


# --- values -----------------------------------------------------------------------------------------------------


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true/false"
    if isinstance(value, (int, float, Decimal)):
        return "number"
    if isinstance(value, str):
        return "text"
    if isinstance(value, Mapping):
        return "object"
    return "list" if isinstance(value, (list, tuple)) else "value"


def _truth(value: Any) -> bool:
    if value is None or isinstance(value, bool):
        return bool(value)
    raise _Invalid("此处应为真或假", "expected true or false")


def _number(value: Any) -> int | Decimal:
    if _kind(value) != "number":
        raise _Invalid("此处应为数字", "expected a number")
    if isinstance(value, float):
        value = Decimal(repr(value))
    if not isinstance(value, int) and not value.is_finite():
        raise _Invalid("数字无效", "the number is invalid")
    result: int | Decimal = value
    return result


def _capped(value: int | Decimal) -> int | Decimal:
    if not -MAX_NUMBER <= value <= MAX_NUMBER:
        raise _Invalid("数字过大", "the number is too large")
    return value


def _short(text: str) -> str:
    if len(text) > MAX_RESULT:
        raise _Invalid("文字过长", "the text is too long")
    return text


def weight(value: Any, most: int = MAX_ITEMS) -> int:
    """Return the number of values in a value, ten characters of a text counting as one; `most` + 1 where it has more.

    A value that stands in a list twice counts twice. Too many lists inside each other count as too many values.
    """
    found, todo = 0, [(value, 0)]
    while todo:
        one, level = todo.pop()
        found += 1 + (len(one) // 10 if isinstance(one, str) else 0)
        inside: Any = one.values() if isinstance(one, Mapping) else one if isinstance(one, (list, tuple)) else ()
        if isinstance(one, Mapping):
            found += sum(len(str(key)) for key in one) // 10
        if found + len(todo) + len(inside) > most or level > MAX_LEVELS:
            return most + 1
        todo += [(part, level + 1) for part in inside]
    return found


def _bounded_list(items: list[Any]) -> list[Any]:
    size = weight(items)
    effort.spend(size)
    if size > MAX_ITEMS:
        raise _Invalid("列表过大", "the list is too large")
    return items


_WRITTEN_NUMBER = re.compile(r"[+-]?\d{1,40}(?:\.\d{1,40})?", re.ASCII)
_WRITTEN_TRUTH = {"true": True, "false": False}


def _read_as(value: Any, other: Any) -> Any:
    """Return a text beside a number or truth value as the number or truth value that it says; else the value."""
    if not isinstance(value, str):
        return value
    if _kind(other) == "number" and _WRITTEN_NUMBER.fullmatch(value.strip()):
        return Decimal(value.strip())
    return _WRITTEN_TRUTH.get(value.strip(), value) if isinstance(other, bool) else value


def _equal(left: Any, right: Any) -> bool:
    """Return whether two values are equal, a text read as the number or truth value beside it."""
    return _identical(_read_as(left, right), _read_as(right, left))


def _identical(left: Any, right: Any) -> bool:
    """Return whether two values are of one kind and equal; in Python true equals 1, in a model it does not."""
    kinds = _kind(left), _kind(right)
    if kinds == ("number", "number"):
        return _number(left) == _number(right)
    return kinds[0] == kinds[1] and bool(left == right)


def _ordered(left: Any, right: Any, sign: str) -> bool:
    if left is None or right is None:
        return False
    left, right = _read_as(left, right), _read_as(right, left)
    kinds = _kind(left), _kind(right)
    if kinds == ("number", "number"):
        left, right = _number(left), _number(right)
    elif not (kinds == ("text", "text") or (type(left) is type(right) and isinstance(left, date))):
        raise _Invalid("两边类型不同，无法比较大小", "the two sides have different types and cannot be compared")
    try:
        return bool({"<": left < right, ">": left > right, "<=": left <= right, ">=": left >= right}[sign])
    except TypeError:  # a moment with a zone beside one without
        raise _Invalid(
            "两边类型不同，无法比较大小", "the two sides have different types and cannot be compared"
        ) from None


def _within(left: Any, right: Any) -> bool:
    if right is None:
        return False
    if _kind(right) != "list":
        raise _Invalid("in 的右边需要列表", "the right side of “in” must be a list")
    return any(_equal(left, item) for item in right)


def _reckon(left: Any, right: Any, sign: str) -> Any:
    # An empty field is null, and so is a value calculated from it: a comparison with it is then false.
    if left is None or right is None:
        return None
    if sign == "+" and isinstance(left, str) and isinstance(right, str):
        return _short(left + right)
    a, b = _number(left), _number(right)
    try:
        with localcontext(Context(prec=40)):
            if sign == "+":
                return _capped(a + b)
            if sign == "-":
                return _capped(a - b)
            if sign == "*":
                return _capped(a * b)
            if b == 0:
                raise _Invalid("除数为零", "division by zero")
            if sign == "%":
                return _capped(_remainder(a, b))
            result = _capped(Decimal(a) / Decimal(b))
            return int(result) if result == int(result) else result
    except DecimalException:
        raise _Invalid("数字过大", "the number is too large") from None


def _remainder(a: int | Decimal, b: int | Decimal) -> int | Decimal:
    """Return the remainder of a division towards zero: it has the sign of `a`, for whole and other numbers."""
    left = Decimal(a) % Decimal(b)  # Python's own % of whole numbers has the sign of `b`
    return int(left) if isinstance(a, int) and isinstance(b, int) else left


def _field(value: Any, key: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, Mapping):
        if not isinstance(key, str):
            raise _Invalid("字段名应为文字", "a field name must be text")
        return value.get(key)
    if isinstance(value, (list, tuple)) and isinstance(key, int) and not isinstance(key, bool):
        return value[key] if 0 <= key < len(value) else None
    raise _Invalid("该值没有字段", "this value has no fields")


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, (int, float, Decimal)):
        return f"{_number(value):f}" if isinstance(value, (float, Decimal)) else str(value)
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    raise _Invalid("该值不能转换为文字", "this value cannot be converted to text")


def _text(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _Invalid("此处应为文字", "expected text")
    return value


def _size(value: Any) -> int:
    if value is None:
        return 0
    if isinstance(value, (str, list, tuple, Mapping)):
        return len(value)
    raise _Invalid("该值没有长度", "this value has no length")


def _empty(value: Any) -> bool:
    return value is None or (isinstance(value, (str, list, tuple, Mapping)) and len(value) == 0)


def _contains(whole: Any, part: Any) -> bool:
    return _text(part) in whole if isinstance(whole, str) else _within(part, whole)


def _of_numbers(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of numbers that gives null where one of its values is null."""
    return lambda *values: None if any(value is None for value in values) else function(*map(_number, values))


def _round(value: Any, places: Any = 0) -> int | Decimal | None:
    if value is None:
        return None
    if not isinstance(places, int) or isinstance(places, bool) or not 0 <= places <= 6:
        raise _Invalid("小数位数需为0至6", "the number of decimal places must be 0 to 6")
    number = Decimal(_capped(_number(value)))
    result = number.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP, context=Context(prec=40))
    return int(result) if places == 0 else result


# name: (function, fewest and most arguments)
_FUNCTIONS: dict[str, tuple[Callable[..., Any], int, int]] = {
    "size": (_size, 1, 1),
    "lower": (lambda value: _text(value).lower(), 1, 1),
    "upper": (lambda value: _text(value).upper(), 1, 1),
    "contains": (_contains, 2, 2),
    "startsWith": (lambda value, start: _text(value).startswith(_text(start)), 2, 2),
    "endsWith": (lambda value, end: _text(value).endswith(_text(end)), 2, 2),
    "abs": (_of_numbers(abs), 1, 1),
    "min": (_of_numbers(lambda *values: min(values)), 1, 20),
    "max": (_of_numbers(lambda *values: max(values)), 1, 20),
    "round": (_round, 1, 2),
}


# --- reading ----------------------------------------------------------------------------------------------------


class _Reader:
    """Reads one placeholder, from behind its opening to behind its closing brace, and builds the closures."""

    def __init__(self, source: str, start: int, count: int = 0) -> None:
        self.source = source
        self.position = start
        self.count = count
        """The tokens read so far, with those of earlier placeholders."""
        self.depth = 0
        self.kind = self.token = self.word = ""
        self.paths: list[tuple[str, ...]] = []
        """The names that are read, each with the fields that dots look up in it."""
        self.constants: list[Any] = []
        self.step()

    def step(self) -> str:
        """Go on to the next token; return the one before."""
        left = self.token
        match = _TOKEN.match(self.source, self.position)
        if match is None:
            raise _Invalid("语法错误", "syntax error")
        self.count += 1
        if self.count > MAX_TOKENS:
            raise _Invalid("文字过长", "the text is too long")
        self.kind = match.lastgroup or ""
        self.token = match[self.kind]
        self.word = self.token if self.kind == "name" else ""
        if self.word in _WORDS:
            self.kind, self.token = "sign", _WORDS[self.word]
        self.end = match.end()
        if not self.at("}"):  # what follows the closing brace is not ours to read
            self.position = self.end
        return left

    def at(self, *signs: str) -> bool:
        return self.kind == "sign" and self.token in signs

    def want(self, sign: str) -> None:
        if not self.at(sign):
            raise _Invalid(f"缺少“{sign}”", f"“{sign}” is missing")
        self.step()

    def whole(self) -> Closure:
        result = self.choice()
        if not self.at("}"):
            raise _Invalid("语法错误", "syntax error")
        return result

    def choice(self) -> Closure:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise _Invalid("嵌套过深", "too many nested levels")
        test = self.binary(0)
        if self.at("?"):
            self.step()
            yes = self.choice()
            self.want(":")
            no = self.choice()
            condition = test

            def test(names: Mapping[str, Any]) -> Any:
                return yes(names) if _truth(condition(names)) else no(names)

        self.depth -= 1
        return test

    def binary(self, level: int) -> Closure:
        if level == len(_BINARY):
            return self.unary()
        first = self.binary(level + 1)
        rest: list[tuple[str, Closure]] = []
        while self.at(*_BINARY[level]):
            sign = self.step()
            rest.append((sign, self.binary(level + 1)))
        return _chain(first, rest) if rest else first

    def unary(self) -> Closure:
        # `empty x` is an operator, `empty(x)` the same with brackets.
        word = self.kind == "name" and self.token == "empty"
        if not (self.at("!", "-") or word):
            return self.postfix()
        sign = self.step()
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise _Invalid("嵌套过深", "too many nested levels")
        operand = self.unary()
        self.depth -= 1
        if sign == "!":
            return lambda names: not _truth(operand(names))
        if sign == "-":
            return lambda names: _reckon(0, operand(names), "-")
        return lambda names: _empty(operand(names))

    def postfix(self) -> Closure:
        value, path = self.primary()
        keys: list[Closure] = []
        while self.at(".", "["):
            if self.step() == ".":
                if not self.word:
                    raise _Invalid("点号后缺少字段名", "a field name is missing after the dot")
                keys.append(_constant(_plain(self.word)))  # a field may be called `in` or `div`
                path = (*path, self.word) if path else ()
                self.step()
            else:
                self.paths += [path] if path else []
                path = ()
                keys.append(self.choice())
                self.want("]")
        self.paths += [path] if path else []
        return _path(value, keys) if keys else value

    def primary(self) -> tuple[Closure, tuple[str, ...]]:
        """Read a value; return it with the name that it is, where it is one."""
        kind, token = self.kind, self.step()
        if kind == "name" and token not in _LITERALS and not self.at("("):
            return _name(_plain(token)), (token,)
        return self.plain_value(kind, token), ()

    def plain_value(self, kind: str, token: str) -> Closure:
        if kind == "number":
            return self.constant(_capped(Decimal(token) if "." in token else int(token[:40])))
        if kind == "text":
            return self.constant(re.sub(r"\\(.)", r"\1", token[1:-1], flags=re.DOTALL))
        if kind == "name":
            return self.constant(_LITERALS[token]) if token in _LITERALS else self.call(token)
        if token == "(":
            inner = self.choice()
            self.want(")")
            return inner
        if token == "[":
            items = self.items("]")
            return lambda names: _bounded_list([item(names) for item in items])
        raise _Invalid("语法错误", "syntax error")

    def constant(self, value: Any) -> Closure:
        self.constants.append(value)
        return _constant(value)

    def call(self, name: str) -> Closure:
        if name not in _FUNCTIONS:
            raise _Invalid(f"函数“{name}”不存在", f"function “{name}” does not exist")
        function, fewest, most = _FUNCTIONS[name]
        self.step()
        arguments = self.items(")")
        if not fewest <= len(arguments) <= most:
            raise _Invalid(f"函数“{name}”的参数个数不正确", f"function “{name}” has the wrong number of arguments")
        return lambda names: function(*[argument(names) for argument in arguments])

    def items(self, close: str) -> list[Closure]:
        found: list[Closure] = []
        while not self.at(close):
            if found:
                self.want(",")
            found.append(self.choice())
        self.step()
        return found


def _plain(name: str) -> str:
    if name.startswith("_"):
        raise _Invalid("名称不能以下划线开头", "a name must not start with an underscore")
    return name


def _constant(value: Any) -> Closure:
    return lambda names: value


def _name(name: str) -> Closure:
    def look_up(names: Mapping[str, Any]) -> Any:
        if name not in names:
            raise _Invalid(f"名称“{name}”不存在", f"the name “{name}” does not exist")
        return names[name]

    return look_up


def _path(value: Closure, keys: Sequence[Closure]) -> Closure:
    def walk(names: Mapping[str, Any]) -> Any:
        found = value(names)
        for key in keys:
            found = _field(found, key(names))
        return found

    return walk


def _chain(first: Closure, rest: Sequence[tuple[str, Closure]]) -> Closure:
    # A loop instead of nested closures: 400 operands in a row must not exhaust the stack.
    def run(names: Mapping[str, Any]) -> Any:
        value = first(names)
        for sign, operand in rest:
            if sign == "&&":
                value = _truth(value) and _truth(operand(names))
            elif sign == "||":
                value = _truth(value) or _truth(operand(names))
            elif sign == "==":
                value = _equal(value, operand(names))
            elif sign == "!=":
                value = not _equal(value, operand(names))
            elif sign == "===":
                value = _identical(value, operand(names))
            elif sign == "!==":
                value = not _identical(value, operand(names))
            elif sign == "in":
                value = _within(value, operand(names))
            elif sign in ("<", ">", "<=", ">="):
                value = _ordered(value, operand(names), sign)
            else:
                value = _reckon(value, operand(names), sign)
        return value

    return run


# --- templates --------------------------------------------------------------------------------------------------


def compile_template(text: str) -> Closure:
    """Compile a text with `${…}` or `#{…}` placeholders to a function of the names.

    A text that is one placeholder keeps the type of its value; with text around it, values are written as text (null as
    nothing). Raises ExpressionError when the text cannot be read or exceeds a limit.
    """
    if len(text) > MAX_LENGTH:
        raise ExpressionError(text, "文字过长", "the text is too long")
    # Counted whether it is cached or not, so that a verdict does not hang on what was compiled before.
    is_short = len(text) <= SHORT
    effort.spend(1 + len(text) // (4 if is_short else 1))
    return _compiled_short(text) if is_short else _compiled_long(text)


def _compiled(text: str) -> Closure:
    parts: list[Closure] = []
    last = _constant("")
    position = count = 0
    read, tokens = "", 0  # the last placeholder: the same one again is not read anew
    try:
        while opening := _OPENING.search(text, position):
            begin = opening.start()
            if begin > position:
                parts.append(_constant(text[position:begin]))
            if read and text.startswith(read, begin) and count + tokens <= MAX_TOKENS:
                parts.append(last)
                position, count = begin + len(read), count + tokens
                continue
            reader = _Reader(text, opening.end(), count)
            last = reader.whole()
            parts.append(last)
            read, tokens = text[begin : reader.end], reader.count - count
            position, count = reader.end, reader.count
    except _Invalid as invalid:
        raise ExpressionError(text, invalid.zh, invalid.en) from None
    if position < len(text) or not parts:
        parts.append(_constant(text[position:]))

    def run(names: Mapping[str, Any]) -> Any:
        try:
            if len(parts) == 1:
                return parts[0](names)
            return _short("".join(_as_text(part(names)) for part in parts))
        except _Invalid as invalid:
            raise ExpressionError(text, invalid.zh, invalid.en) from None

    return run


SHORT = 200  # characters; a compiled text takes a hundred times its length
_compiled_short, _compiled_long = lru_cache(maxsize=1024)(_compiled), lru_cache(maxsize=64)(_compiled)


@dataclass(frozen=True)
class Contents:
    """What a template reads: names, each with the fields that dots look up in it, and the constants beside them."""

    paths: tuple[tuple[str, ...], ...] = ()
    constants: tuple[Any, ...] = ()


@lru_cache(maxsize=1024)
def contents(text: str) -> Contents:
    """Return the names and constants of a template; nothing for one that does not compile."""
    paths: list[tuple[str, ...]] = []
    constants: list[Any] = []
    position = count = 0
    try:
        while len(text) <= MAX_LENGTH and (opening := _OPENING.search(text, position)):
            reader = _Reader(text, opening.end(), count)
            reader.whole()
            paths += reader.paths
            constants += reader.constants
            position, count = reader.end, reader.count
    except _Invalid:
        return Contents()
    return Contents(tuple(dict.fromkeys(paths)), tuple(constants))


def evaluate(text: str, names: Mapping[str, Any]) -> Any:
    """Return the value of a template for these names. Raises ExpressionError."""
    return compile_template(text)(names)


def holds(text: str, names: Mapping[str, Any]) -> bool:
    """Return whether a condition holds; null counts as false. Raises ExpressionError for other values."""
    value = evaluate(text, names)
    if value is None or isinstance(value, bool):
        return bool(value)
    raise ExpressionError(text, "条件的结果必须为真或假", "a condition must return true or false")
