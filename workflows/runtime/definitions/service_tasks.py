"""The operations that a service task may call, and their parameters.

The gate, the driver and the dry run call the same functions, so that all of them refuse with the same sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

from django.utils import timezone

from core import ports
from core.kernel import clock
from core.ports import CommonOperation, Effects, ErrorCode, Parameter, ParameterKind, Result, Words
from core.scheduling import credentials
from workflows import engine
from workflows.engine.errors import Problem

_FURTHER = re.compile(r"value\.([A-Za-z_][\w-]{0,39})")
"""The name of a parameter that is a value of any name."""
_STATUS = re.compile(r"[1-5][0-9]{2}=[A-Za-z][\w.-]{0,39}")
_RULE = re.compile(r"(?:user|team|role):\S*")
_NUMBER = re.compile(r"-?\d{1,19}(?:\.\d{1,9})?")


@dataclass(frozen=True)
class Operation:
    """An operation as a model may name it."""

    name: str
    words: Words
    parameters: tuple[Parameter, ...]
    errors: tuple[ErrorCode, ...] = ()
    results: tuple[Result, ...] = ()
    asks: bool = False
    """Whether it answers later."""
    is_open: bool = False
    codes_in: str = ""


class ParameterError(engine.EngineError):
    """A parameter that the model gives an operation does not fit its declaration."""

    def __init__(self, code: str, text_zh: str, text_en: str) -> None:
        super().__init__(f"parameter_{code}", text_zh, text_en)


def known(bound: Effects | None) -> dict[str, Operation]:
    """Return the operations that a process may call, by name: those of its record, then those of every process."""
    found = {}
    if bound is not None:
        for name in bound.effects:
            parameters, errors = bound.parameters.get(name, ()), bound.errors.get(name, ())
            found[name] = Operation(name, bound.design.words[name], parameters, errors)
    return found | {one.name: _common(one) for one in ports.common.values()}


def _common(one: CommonOperation) -> Operation:
    return Operation(
        one.name, one.words, one.parameters, one.errors, one.results, one.ask is not None, one.is_open, one.codes_in
    )


def codes(node: engine.Node, operation: Operation) -> frozenset[str]:
    """Return the error codes that the operation of this task may raise."""
    listed = (word.partition("=")[2] for word in node.parameters.get(operation.codes_in, "").split())
    return frozenset({*(one.code for one in operation.errors), *(code for code in listed if code)})


def problems(node: engine.Node, operation: Operation) -> Iterator[Problem]:
    """Yield the problems of what a service task gives and takes that can be found without running the model."""
    declared = operation.parameters
    names = {one.name for one in declared}
    for name in node.parameters:
        if name not in names and not (operation.is_open and _FURTHER.fullmatch(name)):
            error = _unknown(node.extensions.get("operation", ""), name)
            yield Problem(node.id, error.code, error.text_zh, error.text_en)
    for one in declared:
        try:
            _check(one, node.parameters.get(one.name, ""))
        except ParameterError as error:
            yield Problem(node.id, error.code, error.text_zh, error.text_en)


def credentials_named(node: engine.Node, operation: Operation) -> list[str]:
    """Return the codes of the connection credentials that a service task gives its operation."""
    kinds = {one.name for one in operation.parameters if one.kind is ParameterKind.CREDENTIAL}
    given = (node.parameters.get(name, "").strip() for name in kinds)
    return [text for text in given if credentials.CODE.fullmatch(text)]


def retry_problems(node: engine.Node, operation: Operation) -> Iterator[Problem]:
    """Yield the problems of results, tries and error codes."""
    for name in node.results:
        if not operation.is_open and name not in {one.name for one in operation.results}:
            zh = f"操作“{operation.name}”没有返回值“{name[:40]}”"
            yield Problem(
                node.id, "result_unknown", zh, f"The operation “{operation.name}” has no result “{name[:40]}”"
            )
    if operation.codes_in:
        words = node.parameters.get(operation.codes_in, "").split()
        if any(_STATUS.fullmatch(word) is None for word in words):
            zh, en = (
                "错误码应写为 404=notFound，以空格分隔",
                "Error codes are written as 404=notFound, with spaces between",
            )
            yield Problem(node.id, "error_codes", zh, en)
    if attempts(node) is None or pause(node) is None:
        zh = f"重试次数应为1至{MOST_ATTEMPTS}，首次重试间隔应为1秒至1天，如 PT10S"
        en = f"There may be 1 to {MOST_ATTEMPTS} tries; the first pause is 1 second to 1 day, such as PT10S"
        yield Problem(node.id, "retry", zh, en)


MOST_ATTEMPTS = 10
_ATTEMPTS, _PAUSE = "5", "PT10S"
_SHORTEST, _LONGEST = timedelta(seconds=1), timedelta(days=1)


def attempts(node: engine.Node) -> int | None:
    """Return how often an operation that answers later is tried before there is an incident; None for no number."""
    said = node.extensions.get("attempts", "") or _ATTEMPTS
    return int(said) if said.isdecimal() and 1 <= int(said[:4]) <= MOST_ATTEMPTS else None


def pause(node: engine.Node) -> timedelta | None:
    """Return the pause before the second try, which doubles each time; None for what is none."""
    found = engine.duration(node.extensions.get("pause", "") or _PAUSE)
    exact = found.exact if found is not None else None
    return exact if exact is not None and _SHORTEST <= exact <= _LONGEST else None


def further(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of any name that the model gives an operation which takes such, by name."""
    return {found[1]: value for name, value in given.items() if (found := _FURTHER.fullmatch(name)) is not None}


def _unknown(operation: str, name: str) -> ParameterError:
    zh = f"操作“{operation}”没有参数“{name[:40]}”"
    return ParameterError("unknown", zh, f"The operation “{operation}” has no parameter “{name[:40]}”")


def _check(declared: Parameter, source: str) -> None:
    if declared.kind is ParameterKind.CREDENTIAL:
        _read(declared, source)  # an expression is none, whatever its value would be
        return
    try:
        value = engine.evaluate(source, {})
    except engine.ExpressionError:
        return  # it reads names, whose values only a process has
    if _read(declared, value) == ():
        raise _wrong(declared)  # people of whom none is named


def read(declared: Sequence[Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the given parameters to their declared kinds, and leave out empty and undeclared ones.

    An undeclared parameter may have been declared when the model was deployed. Raises ParameterError.
    """
    found = {one.name: _read(one, given.get(one.name)) for one in declared}
    return {name: value for name, value in found.items() if value is not None}


def _read(declared: Parameter, value: Any) -> Any:
    """Return the converted value, or None for an empty one."""
    value = value.strip() if isinstance(value, str) else value
    if value is None or value == "" or value == []:
        if declared.is_required:
            raise ParameterError("missing", f"参数「{declared.zh}」未填写", f"The parameter “{declared.en}” is missing")
        return None
    try:
        return _READERS[declared.kind](declared, value)
    except ValueError:
        raise _wrong(declared) from None


def _wrong(declared: Parameter) -> ParameterError:
    zh, en = _wanted(declared)
    return ParameterError("value", f"参数「{declared.zh}」{zh}", f"The parameter “{declared.en}” {en}")


def _wanted(declared: Parameter) -> tuple[str, str]:
    """Return what the value has to be, as the end of a sentence in Chinese and in English."""
    least, most, places = declared.least, declared.most, declared.places
    match declared.kind:
        case ParameterKind.TEXT:
            return f"需为不超过{most}个字符的文字", f"must be a text of at most {most} characters"
        case ParameterKind.NUMBER if places:
            zh = f"需为{least}至{most}的数字，最多{places}位小数"
            return zh, f"must be a number from {least} to {most}; digits after the decimal point: at most {places}"
        case ParameterKind.NUMBER:
            return f"需为{least}至{most}的整数", f"must be a whole number from {least} to {most}"
        case ParameterKind.FLAG:
            return "需为是或否", "must be yes or no"
        case ParameterKind.CHOICE:
            return "需为可选的值之一", "must be one of its choices"
        case ParameterKind.DATE:
            return "需为日期，如 2030-01-31", "must be a date such as 2030-01-31"
        case ParameterKind.DURATION:
            return "需为时长（天、时、分），如 P1DT2H", "must be a duration (days, hours, minutes) such as P1DT2H"
        case ParameterKind.CREDENTIAL:
            return "需为连接凭据的编号，不能使用表达式", "must be the code of a credential, not an expression"
        case ParameterKind.PEOPLE:
            return "需为人员、角色或班组，如 role:hr", "has to name people, roles or teams, such as role:hr"


def _text(declared: Parameter, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int, float, Decimal)) or len(str(value)) > declared.most:
        raise ValueError
    return str(value)


def _number(declared: Parameter, value: Any) -> int | Decimal:
    if isinstance(value, bool) or not (isinstance(value, (int, float, Decimal)) or _NUMBER.fullmatch(str(value))):
        raise ValueError
    try:
        number = Decimal(str(value))
        if not declared.least <= number <= declared.most or number != round(number, declared.places):
            raise ValueError
    except InvalidOperation:  # a float that is none
        raise ValueError from None
    return number if declared.places else int(number)


def _flag(_declared: Parameter, value: Any) -> bool:
    if value in ("true", "false"):
        return bool(value == "true")
    if not isinstance(value, bool):
        raise ValueError
    return value


def _choice(declared: Parameter, value: Any) -> int:
    for choice, _label in declared.choices:
        if not isinstance(value, bool) and str(value) == str(choice):
            return choice
    raise ValueError


def _date(_declared: Parameter, value: Any) -> date:
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    if not isinstance(value, date) or value.year not in clock.YEARS:
        raise ValueError
    if isinstance(value, datetime):
        return timezone.localtime(value).date() if value.tzinfo else value.date()
    return value


def _duration(_declared: Parameter, value: Any) -> timedelta:
    found = engine.duration(value) if isinstance(value, str) else None
    if found is None or found.exact is None:
        raise ValueError
    return found.exact


def _credential(declared: Parameter, value: Any) -> str:
    if not isinstance(value, str) or len(value) > declared.most or not credentials.CODE.fullmatch(value):
        raise ValueError
    return value


def _people(_declared: Parameter, value: Any) -> tuple[str, ...]:
    """Return candidate rules; ids of people become rules, and a rule with an empty value names nobody."""
    words = value if isinstance(value, (list, tuple)) else str(value).split()
    found = [f"user:{word}" if str(word).isdecimal() else str(word) for word in words]
    if isinstance(value, bool) or not all(_RULE.fullmatch(rule) for rule in found):
        raise ValueError
    return tuple(dict.fromkeys(rule for rule in found if not rule.endswith((":", "@"))))


_READERS: Mapping[ParameterKind, Callable[[Parameter, Any], Any]] = {
    ParameterKind.TEXT: _text,
    ParameterKind.NUMBER: _number,
    ParameterKind.FLAG: _flag,
    ParameterKind.CHOICE: _choice,
    ParameterKind.DATE: _date,
    ParameterKind.DURATION: _duration,
    ParameterKind.CREDENTIAL: _credential,
    ParameterKind.PEOPLE: _people,
}
